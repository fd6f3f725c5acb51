//! Columns of dates by what happened then: `when was the first order`, `not shipped yet`,
//! `delivery time`, `by order month`, `balance at the end of 2023`.

use super::super::lattice::{Lattice, Tag};
use super::super::sketch::{Cond, Dim, Entity, Item, Measure, Metric, Operand};
use super::super::stem::{is_cyrillic, parts, stem};
use super::super::token::TokenKind;
use super::super::words::{Agg, Cmp, Concept, Part};
use super::Way;
use crate::schema::Kind;

/// Parts of a column's name that say only that it is a date.
const DATED: [&str; 10] =
    ["date", "time", "at", "on", "day", "dt", "дата", "время", "день", "when"];
/// Words of one event, by how they begin: a file has one of them, and a question another.
const SAME: [&[&str]; 3] = [
    &["ship", "deliver", "dispatch", "arriv", "отгру", "доставк", "достав", "отправ"],
    &["order", "creat", "opened", "raised", "place", "заказ", "созда", "оформ"],
    &["clos", "resol", "solv", "complet", "finish", "закры", "реше", "решё", "заверш"],
];
/// Beginnings of words for what was done with an order at a date of its own.
const DONE: [&str; 34] = [
    "shipped",
    "delivered",
    "paid",
    "returned",
    "received",
    "created",
    "opened",
    "raised",
    "closed",
    "cancelled",
    "canceled",
    "ordered",
    "placed",
    "invoiced",
    "dispatched",
    "sent",
    "due",
    "отгру",
    "достав",
    "оплач",
    "оплат",
    "верну",
    "возвра",
    "получ",
    "создан",
    "закры",
    "отмен",
    "заказан",
    "оформ",
    "отправ",
    "выстав",
    "выпол",
    "подпис",
    "принят",
];
/// What there is so much of at a moment: of others the end of a year may as well be a stretch.
const LEVELS: [&str; 15] = [
    "balanc",
    "level",
    "stock",
    "inventor",
    "close",
    "price",
    "temperatur",
    "баланс",
    "остат",
    "запас",
    "уровен",
    "цен",
    "курс",
    "температур",
    "rate",
];

/// Words that ask for what there is at the end of the data.
const NOW: [&str; 6] = ["now", "today", "currently", "сейчас", "сегодня", "теперь"];
const CURRENT: [&str; 9] =
    ["current", "present", "my", "our", "текущий", "текущая", "текущее", "мой", "нынешний"];

/// What an account has.
const ACCOUNT: [&str; 4] = ["balanc", "баланс", "остат", "сальдо"];

impl Lattice<'_> {
    /// Columns of dates in whose name the word stands, in a form of it or in another word for it.
    /// `shipped in December`: the date column of what the word at `at` says was done.
    pub(in super::super) fn date_done(&self, at: usize) -> Option<usize> {
        let word = self.word(at);
        let valued = self.at(at).iter().any(|m| matches!(m.tag, Tag::Value(..)));
        if valued || !DONE.iter().any(|verb| word.starts_with(verb)) {
            return None;
        }
        match self.dates_of(word)[..] {
            [column] => Some(column),
            _ => None,
        }
    }

    /// It says what was done at the time that the question goes by.
    pub(super) fn is_done_then(&self, at: usize) -> bool {
        self.date_done(at).is_some_and(|column| self.is_time_column(column))
    }

    pub(in super::super) fn dates_of(&self, word: &str) -> Vec<usize> {
        if word.chars().count() < 3 {
            return Vec::new();
        }
        let times = self.schema.columns.iter().enumerate().filter(|(_, c)| c.kind.is_time());
        let named = times.filter(|(_, c)| {
            std::iter::once(&c.name)
                .chain(&c.label)
                .chain(&c.synonyms)
                .flat_map(|name| parts(name))
                .filter(|part| !DATED.contains(&part.as_str()))
                .any(|part| is_of_one_event(word, &part))
        });
        named.map(|(column, _)| column).collect()
    }

    /// `when was the first order`, `date of the last order`, `first order date`, `дата последнего
    /// заказа`: the earliest or the latest date.
    pub(super) fn moments_asked(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        let end_of = |at: usize| {
            let at = self.glue(at);
            self.concepts(at).find_map(|(concept, end)| match concept {
                Concept::Agg(Agg::First) => Some((Agg::Min, end)),
                Concept::Agg(Agg::Last) => Some((Agg::Max, end)),
                Concept::Ends(last) => Some((if last { Agg::Max } else { Agg::Min }, end)),
                _ => None,
            })
        };
        let metric = |aggs: &[Agg], column| {
            let measure = Some(Measure::Column(column));
            let metric = |&agg: &Agg| Metric { agg: Some(agg), measure, every: None };
            Item::Metrics(aggs.iter().map(metric).collect())
        };
        // `the first and the last order`
        let ends_of = |at: usize| {
            let (agg, end) = end_of(at)?;
            let other = self.take(end, Concept::And).and_then(end_of);
            Some(match other {
                Some((other, end)) if other != agg => (vec![agg, other], end),
                _ => (vec![agg], end),
            })
        };
        let rows = |at: usize| {
            let at = self.glue(at);
            self.entities(at).into_iter().filter(|w| w.0 == Entity::Rows).map(|w| w.1).max()
        };
        // `when was the first order`
        for (concept, end) in self.concepts(at) {
            if concept != Concept::When {
                continue;
            }
            let mut next = self.glue(end);
            while ["was", "did", "is", "were", "был", "была", "было"].contains(&self.word(next))
            {
                next = self.glue(next + 1);
            }
            let Some((aggs, end)) = ends_of(next) else { continue };
            let Some(end) = rows(end) else { continue };
            let placed = ["placed", "made", "сделан", "оформлен"].contains(&self.word(end));
            let end = if placed { end + 1 } else { end };
            for column in self.its_dates(next, end) {
                ways.push((metric(&aggs, column), end, 0.97));
            }
        }
        // `first order date`, `latest ship date`, `earliest date`
        if let Some((aggs, next)) = ends_of(at) {
            let dated = |word: &str| parts(word).iter().any(|part| DATED.contains(&part.as_str()));
            for (column, end, quality) in self.column_ways(self.glue(next)) {
                let date = self.kind(column).is_some_and(Kind::is_time);
                let said = (next..end).any(|i| dated(self.word(i)));
                if date && said && end > next {
                    ways.push((metric(&aggs, column), end, quality * 0.98));
                }
            }
        }
        ways
    }

    /// The dates that rows have: the table's own, or those that the words from one place to another
    /// name.
    fn its_dates(&self, from: usize, to: usize) -> Vec<usize> {
        let time = self.time_column();
        let place = time.and_then(|t| self.schema.columns.iter().position(|c| c.name == t));
        if let Some(column) = place {
            return vec![column];
        }
        let mut named: Vec<usize> =
            (from..to).flat_map(|at| self.dates_of(self.word(at))).collect();
        named.dedup();
        if named.len() == 1 { named } else { Vec::new() }
    }

    /// `still open`, `unresolved`, `ещё открыты`: the date when it was closed is missing.
    fn open_still(&self, at: usize) -> Vec<Way<Cond>> {
        const OPEN: [&str; 7] =
            ["open", "unresolved", "unsolved", "открыт", "незакры", "нереш", "незаверш"];
        let start = self.glue(at);
        let still = ["still", "еще", "ещё"].contains(&self.word(start));
        let place = if still { start + 1 } else { at };
        let valued = self.at(place).iter().any(|m| matches!(m.tag, Tag::Value(..)));
        // `opened in May`, `открытие`
        let word = self.word(place);
        let open = OPEN.iter().any(|begin| word.starts_with(begin))
            && !["opened", "opening", "opens"].contains(&word)
            && !word.starts_with("открыти");
        let [column] = self.dates_of("closed")[..] else { return Vec::new() };
        let empty = self.schema.columns.get(column).and_then(|c| c.nulls).unwrap_or(0) > 0;
        if !open || valued || !empty || self.schema.ohlcv.is_some() {
            return Vec::new();
        }
        let yet = ["yet", "now", "сейчас", "пока"].contains(&self.word(place + 1));
        let end = if yet { place + 2 } else { place + 1 };
        vec![(Cond::Missing { column, negated: false }, end, 0.97)]
    }

    /// `how many are closed`, `which agent closed the most`: the date of it is there. With a date it
    /// says by which column that is.
    fn closed_already(&self, at: usize) -> Vec<Way<Cond>> {
        const CLOSED: [&str; 8] =
            ["closed", "closes", "resolved", "resolves", "solved", "закрыт", "решен", "закрыл"];
        let word = self.word(at);
        let valued = self.at(at).iter().any(|m| matches!(m.tag, Tag::Value(..)));
        let [column] = self.dates_of("closed")[..] else { return Vec::new() };
        let empty = self.schema.columns.get(column).and_then(|c| c.nulls).unwrap_or(0) > 0;
        let before = self.word(at.wrapping_sub(1));
        let of_time = ["by", "per", "date", "time", "when", "дата", "по"];
        let asked = of_time.contains(&before) || of_time.contains(&self.word(at + 1));
        let bars = self.schema.ohlcv.is_some();
        if bars || valued || !empty || asked || self.many_dates {
            return Vec::new();
        }
        if !CLOSED.iter().any(|begin| word.starts_with(begin)) {
            return Vec::new();
        }
        vec![(Cond::Missing { column, negated: true }, at + 1, 0.97)]
    }

    /// `took more than 3 days`, `took longer than 5 days to ship`: from the one date to the other.
    fn took(&self, at: usize) -> Vec<Way<Cond>> {
        const TOOK: [&str; 7] = ["took", "take", "takes", "taking", "lasted", "заняло", "заняли"];
        const DAYS: [&str; 5] = ["day", "days", "дня", "дней", "день"];
        const HOURS: [&str; 5] = ["hour", "hours", "часа", "часов", "час"];
        let bound = match self.word(at + 1) {
            "more" | "longer" | "over" | "больше" | "более" | "дольше" => Cmp::Gt,
            "less" | "under" | "fewer" | "меньше" | "менее" => Cmp::Lt,
            _ => return Vec::new(),
        };
        let mut next = at + 2;
        if ["than", "чем"].contains(&self.word(next)) {
            next += 1;
        }
        let Some(&TokenKind::Number { value, .. }) = self.tokens.get(next).map(|t| &t.kind) else {
            return Vec::new();
        };
        let unit = self.word(next + 1);
        let days = if DAYS.contains(&unit) {
            value
        } else if HOURS.contains(&unit) {
            value / 24.0
        } else {
            return Vec::new();
        };
        if !TOOK.contains(&self.word(at)) {
            return Vec::new();
        }
        let mut end = next + 2;
        let done = self.word(end) == "to" || self.word(end) == "на";
        if done && !self.dates_of(self.word(end + 1)).is_empty() {
            end += 2;
        }
        let Some((from, to)) = self.both_dates() else { return Vec::new() };
        vec![(Cond::Compare(Measure::Days(from, to), bound, Operand::Number(days)), end, 0.97)]
    }

    /// The two dates of a table of which one is when something began and the other when it was done.
    fn both_dates(&self) -> Option<(usize, usize)> {
        let columns = self.schema.columns.iter().enumerate();
        let times: Vec<usize> =
            columns.filter(|(_, c)| c.kind.is_time()).map(|(column, _)| column).collect();
        let [one, other] = times[..] else { return None };
        match [one, other].map(|column| self.is_later(column)) {
            [true, false] => Some((other, one)),
            [false, true] => Some((one, other)),
            _ => None,
        }
    }

    /// The date of what ends something, as its name says.
    fn is_later(&self, column: usize) -> bool {
        let name = self.schema.columns.get(column).map(|c| parts(&c.name)).unwrap_or_default();
        let ends = || SAME[0].iter().chain(SAME[2]);
        name.iter().any(|part| ends().any(|begin| part.starts_with(begin)))
    }

    /// `not shipped yet`, `unshipped`, `ещё не отгружено`: the date of it is missing.
    pub(super) fn not_yet(&self, at: usize) -> Vec<Way<Cond>> {
        const YET: [&str; 5] = ["yet", "еще", "ещё", "пока", "still"];
        for found in [self.open_still(at), self.closed_already(at), self.took(at)] {
            if !found.is_empty() {
                return found;
            }
        }
        let start = if YET.contains(&self.word(at)) { at + 1 } else { at };
        let yet = |end: usize| YET.contains(&self.word(end));
        let (verb, end) = match self.word(start).strip_prefix("un") {
            Some(verb) if verb.ends_with("ed") => (verb.to_owned(), start + 1),
            _ => {
                let Some(next) = self.take(start, Concept::Not) else { return Vec::new() };
                let been = ["been", "was", "were", "были", "был", "было", "была"];
                let next = if been.contains(&self.word(next)) { next + 1 } else { next };
                (self.word(next).to_owned(), next + 1)
            }
        };
        let done = ["ed", "n", "но", "ны", "на", "ен", "ые", "ых", "ный", "ная"];
        if !done.iter().any(|e| verb.ends_with(e)) {
            return Vec::new();
        }
        let until_now = start > at || yet(end);
        let end = if yet(end) { end + 1 } else { end };
        let missing = |column| Cond::Missing { column, negated: false };
        match self.dates_of(&verb)[..] {
            [column] => {
                // what was never done may be told otherwise than by an empty date
                let empty = self.schema.columns.get(column).and_then(|c| c.nulls).unwrap_or(0) > 0;
                vec![(missing(column), end, if until_now || empty { 0.97 } else { 0.6 })]
            }
            _ => Vec::new(),
        }
    }

    /// `delivery time`, `время доставки`: days from the one date of a table to the other.
    pub(super) fn time_taken(&self, at: usize) -> Vec<Way<Measure>> {
        const TIME: [&str; 9] = [
            "time",
            "delay",
            "duration",
            "lag",
            "время",
            "срок",
            "длительность",
            "времени",
            "сроки",
        ];
        let (word, end) = match (TIME.contains(&self.word(at + 1)), TIME.contains(&self.word(at))) {
            (true, _) => (self.word(at), at + 2),
            (_, true) => {
                let next = self.glue(at + 1);
                let next =
                    if ["to", "for", "of"].contains(&self.word(next)) { next + 1 } else { next };
                (self.word(next), next + 1)
            }
            _ => return Vec::new(),
        };
        let times = || {
            let columns = self.schema.columns.iter().enumerate();
            columns.filter(|(_, c)| c.kind.is_time()).map(|(column, _)| column)
        };
        match (&self.dates_of(word)[..], &times().collect::<Vec<_>>()[..]) {
            ([column], [one, other]) if self.is_later(*column) => {
                let from = if one == column { *other } else { *one };
                vec![(Measure::Days(from, *column), end, 0.97)]
            }
            _ => Vec::new(),
        }
    }

    /// `by order month` of a column `order_date`.
    pub(super) fn part_of_date(&self, at: usize) -> Vec<Way<Dim>> {
        let Some((part, end)) = self.part(at + 1) else { return Vec::new() };
        let dates = self.dates_of(self.word(at));
        let own = dates.iter().any(|&column| self.is_time_column(column));
        // `sales by year` names no date
        if own { vec![(Dim::Part(part), end, 1.0)] } else { Vec::new() }
    }

    /// `balance at the end of`, `остаток на начало`: the last value of what is named behind it, or the
    /// first.
    pub(super) fn at_an_end(&self, at: usize) -> Vec<Way<Item>> {
        if self.schema.time.is_none() {
            return Vec::new();
        }
        let mut ways = Vec::new();
        for (measure, end, quality) in self.measures(at) {
            let Measure::Column(column) = measure else { continue };
            let mut next = end;
            if let Some(day) = self.on_a_day(at, end, column) {
                let metric = Metric { agg: Some(Agg::Last), measure: Some(measure), every: None };
                ways.push((Item::Metrics(vec![metric]), day, quality));
            }
            let opened = ["at", "by", "on", "in", "as", "на", "в", "к"].contains(&self.word(next));
            if !opened {
                continue;
            }
            next = self.glue(next + 1);
            let agg = match self.word(next) {
                "end" | "close" | "конец" | "конце" | "концу" => Agg::Last,
                "start" | "beginning" | "начало" | "начале" | "началу" => {
                    Agg::First
                }
                _ => continue,
            };
            let level = self.is_level(column, &LEVELS);
            let metric = Metric { agg: Some(agg), measure: Some(measure), every: None };
            let sure = if level { 1.0 } else { 0.75 };
            ways.push((Item::Metrics(vec![metric]), self.glue(next + 1), quality * sure));
        }
        ways
    }

    /// `over time`, `trend of`, `динамика`, where no groups of time are named: by as long a part of it as
    /// leaves something to see.
    pub(super) fn over_time(&self, at: usize) -> Vec<Way<Item>> {
        const TREND: [&str; 5] = ["trend", "trends", "тренд", "evolution", "timeline"];
        const DAYS: i32 = 92;
        const YEARS: i32 = 6 * 366;
        if self.schema.time.is_none() || self.of_times() || self.schema.ohlcv.is_some() {
            return Vec::new();
        }
        let word = |place: usize| self.word(place);
        let at = if word(at) == "в" && word(at + 1).starts_with("динамик") {
            at + 1
        } else {
            at
        };
        let end = match (word(at), word(at + 1)) {
            ("over" | "through" | "across", "time") | ("во" | "по", "времени") => at + 2,
            (trend, _) if TREND.contains(&trend) || trend.starts_with("динамик") => {
                let next = self.glue(at + 1);
                if ["of", "in", "for"].contains(&word(next)) { self.glue(next + 1) } else { next }
            }
            _ => return Vec::new(),
        };
        let days = self.schema.dates().map_or(YEARS, |(first, last)| last - first);
        let parts: &[Part] = if days <= DAYS {
            &[Part::Day]
        } else if days <= YEARS {
            &[Part::Year, Part::Month]
        } else {
            &[Part::Year]
        };
        let dims = parts.iter().map(|part| Dim::Part(*part)).collect();
        vec![(Item::Group(dims), end, 0.95)]
    }

    /// Nothing but `it was`, `он был` stands from here on.
    pub(super) fn only_was(&self, at: usize) -> bool {
        const WAS: [&str; 12] =
            ["it", "that", "this", "was", "did", "он", "она", "оно", "это", "был", "была", "было"];
        self.tokens
            .iter()
            .skip(at)
            .all(|token| token.kind == TokenKind::Symbol || WAS.contains(&token.folded.as_str()))
    }

    /// `balance on 2024-03-15`, `остаток на 31.12.2024`: the last value until then, so the beginning
    /// of the day is left open where the query is made.
    fn on_a_day(&self, at: usize, end: usize, column: usize) -> Option<usize> {
        let next = self.glue(end + 1);
        let opened = ["on", "at", "as", "на", "к"].contains(&self.word(end));
        let next = if ["of"].contains(&self.word(next)) { next + 1 } else { next };
        let date = matches!(self.tokens.get(next)?.kind, TokenKind::Date(_));
        (end > at && opened && date && self.is_level(column, &ACCOUNT)).then_some(next)
    }

    /// What there is so much of at a moment, by the beginnings of its nouns.
    fn is_level(&self, column: usize, nouns: &[&str]) -> bool {
        self.schema.columns.get(column).is_some_and(|c| {
            let part = |part: String| nouns.iter().any(|begin| part.starts_with(begin));
            std::iter::once(&c.name).chain(&c.label).flat_map(|name| parts(name)).any(part)
        })
    }

    /// `current balance`, `balance now`, `мой остаток`: the last value of an account. `net change` of
    /// one is what all that comes in and goes out comes to.
    pub(super) fn of_account(&self, at: usize) -> Vec<Way<Item>> {
        const NET: [&str; 5] = ["change", "result", "flow", "total", "amount"];
        if self.schema.time.is_none() {
            return Vec::new();
        }
        let metric = |agg, measure| {
            Item::Metrics(vec![Metric { agg: Some(agg), measure: Some(measure), every: None }])
        };
        let mut ways = Vec::new();
        let before = CURRENT.contains(&self.word(at));
        for (measure, end, quality) in self.measures(if before { at + 1 } else { at }) {
            let Measure::Column(column) = measure else { continue };
            let behind = NOW.contains(&self.word(end));
            if (before || behind) && self.is_level(column, &ACCOUNT) {
                let end = if behind { end + 1 } else { end };
                ways.push((metric(Agg::Last, measure), end, quality));
            }
        }
        let net = self.word(at) == "net" && NET.contains(&self.word(at + 1))
            || self.word(at).starts_with("чист") && self.word(at + 1).starts_with("изменен");
        let signed = |c: &usize| self.schema.columns.get(*c).is_some_and(|c| c.signed);
        let money: Vec<usize> = self.of_money().into_iter().filter(signed).collect();
        if let ([column], true) = (&money[..], net) {
            ways.push((metric(Agg::Sum, Measure::Column(*column)), at + 2, 0.98));
        }
        ways
    }
}

/// Two words are forms of one, or of two for the same event.
fn is_of_one_event(one: &str, other: &str) -> bool {
    if stem(one) == stem(other) {
        return true;
    }
    if SAME.iter().any(|list| {
        let any = |word: &str| list.iter().any(|begin| word.starts_with(begin));
        any(one) && any(other)
    }) {
        return true;
    }
    // `отгружено` of `отгрузки`
    let common = one.chars().zip(other.chars()).take_while(|(a, b)| a == b).count();
    common >= 5 && one.chars().all(is_cyrillic)
}
