//! `difference between males and females in body mass`: the measure of both groups, and how far they are
//! apart; `compare Berlin and Munich`: what the rows of each are like on average.

use super::{Asked, Made, begins, one_of};
use crate::error::Locale;
use crate::planner::build::result_name;
use crate::planner::explain;
use crate::planner::naming::{DIFFERENCE, is_code};
use crate::planner::stem::{parts, stem};
use crate::planner::token::{TokenKind, tokenise};
use crate::query::{Query, Selected, check, format};
use crate::schema::{Column, Kind};

/// Words before a question that say nothing of it.
const ASKS: &str = "what what's is was the s ' ’ how big large show me tell find a какая какова каков покажи была \
                    скажи найди";
/// Words before a measure.
const OF: &str = "in of by for в во по";
/// How days of the week begin.
const DAYS: [&str; 14] = [
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "понедельн",
    "вторник",
    "сред",
    "четверг",
    "пятниц",
    "суббот",
    "воскресен",
];
/// Measures that are told of each group at most.
const MOST: usize = 5;

impl Asked<'_> {
    /// The words from one place to another, without signs.
    pub(super) fn said(&self, from: usize, to: usize) -> String {
        let words = self.tokens.get(from..to).unwrap_or_default().iter();
        let words = words.filter(|t| t.kind != TokenKind::Symbol || t.is_symbol("-"));
        words.map(|t| t.raw.as_str()).collect::<Vec<_>>().join(" ")
    }

    pub(super) fn difference(&self) -> Option<Made> {
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let find =
            |from: usize, list: &str| (from..self.tokens.len()).find(|&at| one_of(list, word(at)));
        let named = find(0, "difference gap разница разницу разницы различие")?;
        let between = find(named + 1, "between между")?;
        let and = find(between + 2, "and и")?;
        let end = find(and + 2, OF);
        // `difference between male and female body mass`
        if end.is_none() && !self.goes_well() && named + 1 == between {
            let one = self.said(between + 1, and);
            let last = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
            let both = (and + 2..last)
                .find_map(|at| self.of_both(&self.said(at, last), &one, &self.said(and + 1, at)));
            if both.is_some() {
                return both;
            }
        }
        let end = end.unwrap_or(self.tokens.len());
        let (one, other) = (self.said(between + 1, and), self.said(and + 1, end));
        let bare = |from: usize, to: usize, list: &str| {
            (from..to).find(|&at| !one_of(list, word(at))).unwrap_or(to)
        };
        let before = self.said(bare(0, named, ASKS), named);
        let within = self.said(bare(named + 1, between, OF), between);
        let behind = self.said((end + 1).min(self.tokens.len()), self.tokens.len());
        let measures: Vec<String> =
            [before, within, behind].into_iter().filter(|text| !text.is_empty()).collect();
        // what the grammar reads already is the difference of something else
        if one.is_empty() || other.is_empty() || self.goes_well() {
            return None;
        }
        match &measures[..] {
            [] => self.all_of_both(&one, &other),
            [measure] => self.of_both(measure, &one, &other),
            _ => None,
        }
    }

    /// The question as it stands is understood.
    pub(super) fn goes_well(&self) -> bool {
        let all = self.said(0, self.tokens.len());
        self.ready(&all).is_some()
    }

    /// `compare A and B`, `A vs B`, and nothing else.
    pub(super) fn compared(&self) -> Option<Made> {
        if self.previous.is_some() {
            return None;
        }
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let from = usize::from(one_of("compare comparison сравни сравните сравнить", word(0)));
        let joints = if from == 1 {
            "and with to vs versus against и с со против"
        } else {
            "vs versus против"
        };
        let mut joined = (from + 1..self.tokens.len()).filter(|&at| one_of(joints, word(at)));
        let (Some(at), None) = (joined.next(), joined.next()) else { return None };
        let (one, other) = (self.said(from, at), self.said(at + 1, self.tokens.len()));
        // `compare bill length of A and B`
        let of = (from + 1..at).rfind(|&i| one_of("of in for between у в для", word(i)));
        if let Some(of) = of.filter(|_| from == 1) {
            if self.goes_well() {
                return None;
            }
            let other =
                (at + 1..self.tokens.len()).find(|&i| !one_of("of in for у в для", word(i)))?;
            let (one, other) = (self.said(of + 1, at), self.said(other, self.tokens.len()));
            return self.of_both(&self.said(from, of), &one, &other);
        }
        // a measure is said beside them
        let long = |text: &String| text.is_empty() || text.split(' ').count() > 3;
        if long(&one) || long(&other) || self.goes_well() {
            return None;
        }
        self.all_of_both(&one, &other)
    }

    /// `compare volume on Mondays and Fridays`, `volume on Mondays vs Fridays`: each of these days.
    pub(super) fn weekdays_compared(&self) -> Option<Made> {
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let is_day = |at: &usize| begins(&DAYS, word(*at)) && !begins(&["средн"], word(*at));
        let days: Vec<usize> = (0..self.tokens.len()).filter(is_day).collect();
        let [one, other] = days[..] else { return None };
        let lead = one_of("compare сравни сравните сравнить", word(0));
        let joints = if lead {
            "and with to vs versus against и с со против"
        } else {
            "vs versus против"
        };
        let joint = (one + 1..other).find(|&at| one_of(joints, word(at)))?;
        let between = |at: usize| at == joint || one_of("on in the в во по", word(at));
        let on = (0..one).rfind(|&at| !one_of("on in the for between в во по за", word(at)))? + 1;
        if !(one + 1..other).all(between) || self.previous.is_some() {
            return None;
        }
        let measure = self.said(usize::from(lead), on);
        let rest = self.said(other + 1, self.tokens.len());
        let (by, and) = if self.is_russian() {
            ("по дням недели в", "и")
        } else {
            ("by weekday on", "and")
        };
        let said = format!("{measure} {by} {} {and} {} {rest}", word(one), word(other));
        let query = self.ready(said.trim())?;
        let grouped = query.group_by.len() == 1 && query.filter.as_deref()?.contains(" in [");
        let said = self.told(&query)?;
        grouped.then_some(Made::Query(query, said))
    }

    /// `compare species`, `чем отличаются виды`: how many rows each has, and the means of their numbers.
    pub(super) fn all_compared(&self) -> Option<Made> {
        const LEADS: [&str; 13] = [
            "compare the",
            "compare all",
            "compare",
            "difference between the",
            "differences between the",
            "difference between",
            "differences between",
            "how do the",
            "сравни",
            "сравнить",
            "чем отличаются",
            "как отличаются",
            "чем различаются",
        ];
        if self.previous.is_some() || self.table.ohlcv.is_some() {
            return None;
        }
        let end = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        let said = self.said(0, end).to_lowercase();
        let lead = LEADS
            .iter()
            .find(|lead| said.strip_prefix(*lead).is_some_and(|rest| rest.starts_with(' ')))?;
        let at = lead.split(' ').count();
        // `how do the species differ`
        let differ = end == at + 2 && self.tokens.get(at + 1).is_some_and(|t| t.folded == "differ");
        if !(end == at + 1 && *lead != "how do the" || differ && *lead == "how do the") {
            return None;
        }
        let by = if self.is_russian() { "число строк по" } else { "number of rows by" };
        let mut query = self.ready(&format!("{by} {}", self.tokens.get(at)?.raw))?;
        let [key] = &query.group_by[..] else { return None };
        let text = |c: &&Column| c.kind == Kind::Text && format::name(&c.name) == *key;
        if !query.map.is_empty() || !self.table.columns.iter().any(|c| text(&c)) || self.goes_well()
        {
            return None;
        }
        query.select.extend(self.means());
        self.offered(query)
    }

    /// The means of the numbers of a table.
    fn means(&self) -> impl Iterator<Item = Selected> {
        let numbers =
            self.table.columns.iter().filter(|c| c.kind.is_numeric() && !is_code(&c.name));
        numbers
            .take(MOST)
            .map(|c| Selected::from(format!("mean({})", format::name(&c.name)).as_str()))
    }

    fn offered(&self, mut query: Query) -> Option<Made> {
        query.sort.clear();
        let said = self.told(&query)?;
        Some(Made::Offered(query, said))
    }

    /// `biggest penguin`: the heaviest row, where one column is of mass; it may be meant otherwise.
    pub(super) fn biggest(&self) -> Option<Made> {
        const ASKS: &str = "what is the which was a show me find какой какая покажи";
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let at = (0..self.tokens.len()).find(|&at| {
            one_of("biggest largest smallest", word(at))
                || word(at).starts_with("сам")
                    && begins(&["больш", "маленьк", "крупн"], word(at + 1))
        })?;
        let russian = word(at).starts_with("сам");
        let low = word(at) == "smallest" || word(at + 1).starts_with("маленьк");
        let noun = at + 1 + usize::from(russian);
        let of_rows = self.tokens.get(noun).is_some_and(|t| {
            let named = |name: &String| stem(name) == t.stem;
            parts(&self.table.name).iter().any(named) || self.table.synonyms.iter().any(named)
        });
        let end = self.tokens.get(noun + 1).is_none_or(|t| t.is_symbol("?"));
        if !(0..at).all(|i| one_of(ASKS, word(i))) || !of_rows || !end || self.goes_well() {
            return None;
        }
        let mut masses = self.table.columns.iter().filter(|c| {
            c.kind.is_numeric() && parts(&c.name).iter().any(|p| one_of("mass weight масса вес", p))
        });
        let (Some(mass), None) = (masses.next(), masses.next()) else { return None };
        let name = format::name(&mass.name);
        let sort = if low { name } else { format!("{name} desc") };
        let query = Query { sort: vec![sort], limit: Some(1), ..Query::default() };
        let said = self.told(&query)?;
        Some(Made::Offered(query, said))
    }

    /// Two groups of one column, of which the first or the second is asked for by a name.
    pub(super) fn two_groups(&self, question: &str) -> Option<Query> {
        let mut query = self.ready(question)?;
        let [key] = &query.group_by[..] else { return None };
        let column =
            self.table.columns.iter().find(|c| format::name(&c.name) == *key || c.name == *key)?;
        let two = match &query.filter {
            Some(filter) => {
                let list = format!("{} in [", format::name(&column.name));
                let values = filter.split(list.as_str()).nth(1)?.split(']').next()?;
                values.split("\", \"").count() == 2
            }
            None => column.values.as_ref().is_some_and(|values| values.len() == 2),
        };
        let plain = query.steps.is_empty() && query.limit.is_none() && query.select.len() == 1;
        // rows of neither are no third group to take the second from
        if query.filter.is_none() && column.nulls != Some(0) {
            query.filter = Some(format!("not isnull({})", format::name(&column.name)));
        }
        (two && plain).then_some(query)
    }

    /// `how much heavier are males than females`, `how many more trips in Berlin than in Munich`.
    pub(super) fn how_much_more(&self) -> Option<Made> {
        let Made::Query(mut query, said) = self.more_than()? else { return None };
        // the difference is what the question asks for: of the first that is said, less the other
        let key = query.group_by.first()?;
        let less = self.tokens.iter().any(|t| {
            one_of("less fewer lower smaller shorter lighter cheaper", &t.folded)
                || begins(&["меньш", "ниже", "легче", "короче", "дешевле", "менее"], &t.folded)
        });
        let list = query.filter.as_deref().and_then(|filter| {
            let list = filter.split(" in [\"").nth(1)?.split("\"]").next()?;
            list.split_once("\", \"")
        });
        let both = list.or_else(|| self.both_in_order(key));
        if let Some((one, other)) = both {
            // months and days of the week stand in their own order
            const IN_ORDER: &str =
                "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun";
            let made = query.map.iter().any(|(name, _)| name == key);
            let place =
                |value: &str| IN_ORDER.split(' ').position(|known| known == value).filter(|_| made);
            let (one, other) = ((place(one), one), (place(other), other));
            let down = if less { one > other } else { one < other };
            query.sort = vec![if down { format!("{key} desc") } else { key.clone() }];
        }
        Some(Made::Query(query, said))
    }

    /// The two values of a column, as they are said.
    fn both_in_order(&self, key: &str) -> Option<(&str, &str)> {
        let column = self.table.columns.iter().find(|c| format::name(&c.name) == key)?;
        let [one, other] = &column.values.as_ref()?[..] else { return None };
        let said = |value: &str| {
            let value = tokenise(value);
            self.tokens.iter().position(|t| value.first().is_some_and(|v| v.stem == t.stem))
        };
        if said(one)? < said(other)? { Some((one, other)) } else { Some((other, one)) }
    }

    fn more_than(&self) -> Option<Made> {
        const MORE: &str =
            "more less fewer higher lower greater larger smaller больше меньше выше ниже";
        const SHORT: &str = "больше меньше выше ниже легче короче дешевле дороже";
        const THERE: &str = "are were is was there";
        const PLACE: &str = "in at for from of on by в во у на из";
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let from = usize::from(word(0) == "by" || word(0) == "на" && word(1) == "сколько");
        let asks = match (word(from), word(from + 1)) {
            ("how", "much" | "many") => from + 2,
            ("насколько", _) => 1,
            ("сколько", _) if from == 1 => 2,
            _ => return None,
        };
        let compares = |word: &str| {
            one_of("than чем", word)
                || one_of(SHORT, word)
                || word.ends_with("ее") && word.len() > 8
        };
        if !self.tokens.iter().any(|t| compares(&t.folded)) {
            return None;
        }
        if let Some(made) = self.more_in_russian() {
            return Some(made);
        }
        let all = self.said(0, self.tokens.len());
        if let Some(query) = self.two_groups(&all) {
            return self.with_difference(query);
        }
        let than = (asks..self.tokens.len()).find(|&at| one_of("than чем", word(at)))?;
        if !one_of(MORE, word(asks)) {
            return None;
        }
        let bare = |from: usize, to: usize| {
            (from..to).find(|&at| !one_of(THERE, word(at)) && !one_of(PLACE, word(at)))
        };
        let counts = word(from + 1) == "many";
        let Some(at) = (asks + 1..than).rfind(|&at| one_of(PLACE, word(at))) else {
            // `how many more dogs than cats are there`
            let end = (than..self.tokens.len()).find(|&at| one_of(THERE, word(at)));
            let other = self.said(than + 1, end.unwrap_or(self.tokens.len()));
            let one = self.said(asks + 1, than);
            return counts.then(|| self.of_both("number of rows", &one, &other))?;
        };
        let there = (asks + 1..at).find(|&at| one_of(THERE, word(at))).unwrap_or(at);
        let measure = self.said(asks + 1, there);
        let one = self.said(bare(at, than)?, than);
        let other = self.said(bare(than + 1, self.tokens.len())?, self.tokens.len());
        match (measure.is_empty(), counts) {
            (true, _) => None,
            (_, true) => self.of_both(&format!("number of {measure}"), &one, &other),
            (_, false) => self.of_both(&measure, &one, &other).or_else(|| {
                // `на сколько больше поездок`
                let counted = self.is_russian().then(|| format!("число {measure}"))?;
                self.of_both(&counted, &one, &other)
            }),
        }
    }

    /// `is volume higher on Mondays than on Fridays`, `скидка в Берлине больше, чем в Мюнхене`: both of them.
    pub(super) fn is_higher(&self) -> Option<Made> {
        const MORE: &str = "more less higher lower greater larger smaller bigger longer shorter больше меньше выше \
                            ниже длиннее короче";
        const PLACE: &str = "in at for from of on by during в во у на из по для";
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        const PEOPLE: &str =
            "people customers clients riders passengers users guests visitors they";
        // `do people tip more with card or cash`
        let people = one_of("do does did", word(0)) && one_of(PEOPLE, word(1));
        let asks = one_of("is are was were", word(0)) || people;
        // `higher on Mondays or Fridays`
        let between = if asks { "than чем or" } else { "than чем" };
        let than = (0..self.tokens.len()).find(|&at| one_of(between, word(at)))?;
        let more = (0..than).rfind(|&at| one_of(MORE, word(at)))?;
        if !asks && word(than) != "чем" {
            return None;
        }
        let from = usize::from(asks) + usize::from(people || asks && one_of("the a", word(1)));
        let bare = |from: usize, to: usize| (from..to).find(|&at| !one_of(PLACE, word(at)));
        let sign = |at: usize| self.tokens.get(at).is_none_or(|t| t.kind == TokenKind::Symbol);
        // `tip more with card`, and not `burn more calories in yoga`
        if people && !one_of(PLACE, word(more + 1)) && word(more + 1) != "with" {
            return None;
        }
        // `higher on Mondays than`, and `on Mondays higher than`
        let (measure, one) = if (more + 1..than).any(|at| !sign(at)) {
            (self.said(from, more), self.said(bare(more + 1, than)?, than))
        } else {
            let place = (from + 1..more).rfind(|&at| one_of(PLACE, word(at)))?;
            (self.said(from, place), self.said(place + 1, more))
        };
        let other = self.said(bare(than + 1, self.tokens.len())?, self.tokens.len());
        // `or Fridays` reads well as one of these days
        let days = begins(&DAYS, &one.to_lowercase()) && begins(&DAYS, &other.to_lowercase());
        if measure.is_empty() {
            return None;
        }
        if !days && self.goes_well() {
            return self.mean_is_higher(asks);
        }
        // of one thing that is higher than of another the mean, unless sums are named
        let both = if asks && !self.names_sums() {
            self.of_both_by(&["mean"], &measure, &one, &other)
        } else {
            None
        };
        both.or_else(|| self.of_both(&measure, &one, &other)).or_else(|| {
            let (mean, days, months, and) = if self.is_russian() {
                ("среднее", "по дням недели в", "по месяцам в", "и")
            } else {
                ("mean", "by weekday on", "by month in", "and")
            };
            let query = [days, months].into_iter().find_map(|by| {
                let query = self.ready(&format!("{mean} {measure} {by} {one} {and} {other}"))?;
                let [key] = &query.group_by[..] else { return None };
                query.filter.as_deref()?.starts_with(&format!("{key} in [")).then_some(query)
            })?;
            let said = self.told(&query)?;
            Some(Made::Query(query, said))
        })
    }

    /// `is the tip higher with card or cash`: on average, whatever they come to.
    fn mean_is_higher(&self, asks: bool) -> Option<Made> {
        if !asks || self.names_sums() {
            return None;
        }
        let mut query = self.two_groups(&self.said(0, self.tokens.len()))?;
        let [told] = &mut query.select[..] else { return None };
        let column = told.text.strip_prefix("sum(")?;
        *told = Selected::from(format!("mean({column}").as_str());
        query.sort.clear();
        let said = self.told(&query)?;
        Some(Made::Query(query, said))
    }

    /// What adds up is named.
    fn names_sums(&self) -> bool {
        const SUMS: &str =
            "total sum revenue sales spending turnover income profit number count amount";
        self.tokens.iter().any(|t| one_of(SUMS, &t.folded))
    }

    fn of_both(&self, measure: &str, one: &str, other: &str) -> Option<Made> {
        let mean = if self.is_russian() { "среднее" } else { "mean" };
        // what adds up is added up, of anything else the mean
        self.of_both_by(&["", mean], measure, one, other)
    }

    /// By the first of these aggregates that is understood.
    fn of_both_by(
        &self,
        aggregates: &[&str],
        measure: &str,
        one: &str,
        other: &str,
    ) -> Option<Made> {
        let russian = self.is_russian();
        let against = if russian { "против" } else { "vs" };
        let query = aggregates.iter().find_map(|aggregate| {
            self.two_groups(&format!("{aggregate} {measure} {one} {against} {other}"))
        })?;
        // what is counted has to be said
        let counted = query.select.iter().any(|s| s.text.starts_with("count"));
        let number =
            |w: &str| one_of("number count many число количество сколько", &w.to_lowercase());
        if counted && !measure.split(' ').any(number) {
            return None;
        }
        self.with_difference(query)
    }

    /// The measure of two groups with how far they are apart.
    pub(super) fn with_difference(&self, mut query: Query) -> Option<Made> {
        query.sort.clear();
        let checked = check(&query, self.tables).ok()?;
        let [en, ru] = [Locale::En, Locale::Ru].map(|l| explain::of_query(&checked, false, l));
        let (en, ru) = (en?, ru?);
        let name = format::name(&result_name(query.select.first()?));
        let apart = format!("{name} - prev({name})");
        query.steps = vec![Query { map: vec![(DIFFERENCE.to_owned(), apart)], ..Query::default() }];
        let said = text!(
            "{en}, with the difference (the second group less the first)",
            "{ru}, с разницей (вторая группа минус первая)"
        );
        Some(Made::Query(query, said))
    }

    /// How many rows there are of each, and the means of their numbers; it may be meant otherwise.
    fn all_of_both(&self, one: &str, other: &str) -> Option<Made> {
        let (rows, against) = if self.is_russian() {
            ("число строк", "против")
        } else {
            ("number of rows", "vs")
        };
        let mut query = self.two_groups(&format!("{rows} {one} {against} {other}"))?;
        query.select = vec!["count()".into()];
        query.select.extend(self.means());
        self.offered(query)
    }
}
