//! Productions for what follows what: the day after a fall, the chance of one thing where another
//! holds, a measure that rose, the two measures of a correlation.

use super::super::lattice::{Lattice, Tag};
use super::super::sketch::{Cond, Entity, Item, Measure, Metric, Operand};
use super::super::words::{Agg, Cmp, Concept, Derived, Part};
use super::Way;

/// Words that say what is given for a chance, beside `after`.
const GIVEN: [&str; 20] = [
    "if",
    "when",
    "given",
    "following",
    "after",
    "on",
    "in",
    "with",
    "among",
    "provided",
    "если",
    "когда",
    "при",
    "после",
    "среди",
    "в",
    "на",
    "с",
    "по",
    "во",
];

/// Words between the parts of a chance that say nothing (`of a`, `that the`, `days with`).
const BETWEEN: usize = 6;

impl Lattice<'_> {
    /// `the day after a fall of more than 3%`, `после двух красных дней подряд`, `after a gap up`.
    pub(super) fn after(&self, at: usize) -> Vec<Way<Cond>> {
        if self.schema.ohlcv.is_none() || self.schema.time.is_none() {
            return Vec::new();
        }
        let mut starts: Vec<(usize, bool, f64)> =
            self.take(at, Concept::DayAfter).map(|end| (end, true, 1.0)).into_iter().collect();
        if ["after", "following", "после"].contains(&self.word(at)) {
            starts.push((at + 1, false, 0.9));
        }
        let mut ways = Vec::new();
        for (start, day, fit) in starts {
            for start in self.past_words(start, day) {
                let mut found = self.comparisons_of_bars(start);
                found.extend(self.moves(start));
                found.extend(self.streaks(start));
                found.extend(self.shapes(start));
                for (cond, end, quality) in found {
                    let Some(same) = held(&cond) else { continue };
                    // a gap opens the day that is asked about
                    let cond = if same && !day { cond } else { Cond::After(Box::new(cond)) };
                    // `after a red day`
                    let over = self.day_or_days(end);
                    ways.push((cond.clone(), over, quality * fit));
                    if over > end {
                        ways.push((cond, end, quality * fit * 0.9));
                    }
                }
            }
        }
        ways
    }

    /// Every place that is reached over words without a meaning, days and the name of the table.
    fn past_words(&self, at: usize, days: bool) -> Vec<usize> {
        let mut places = vec![at];
        let mut place = at;
        for _ in 0..BETWEEN {
            let next = self
                .at(place)
                .iter()
                .filter(|m| {
                    matches!(
                        m.tag,
                        Tag::Table
                            | Tag::Concept(
                                Concept::Stop
                                    | Concept::Glue
                                    | Concept::Light
                                    | Concept::Market
                                    | Concept::Price
                                    | Concept::Part(Part::Day)
                                    | Concept::Bars
                                    | Concept::Rows
                            )
                    )
                })
                .map(|m| m.end)
                .max();
            let single =
                ["day", "дня", "дней", "days", "one", "single"].contains(&self.word(place));
            match next.or((days && single).then_some(place + 1)) {
                Some(end) => {
                    place = end;
                    places.push(place);
                }
                None => break,
            }
        }
        places
    }

    fn day_or_days(&self, at: usize) -> usize {
        self.take(at, Concept::Part(Part::Day))
            .or_else(|| self.take(at, Concept::Bars))
            .unwrap_or(at)
    }

    fn comparisons_of_bars(&self, at: usize) -> Vec<Way<Cond>> {
        let mut ways = self.comparisons(at);
        ways.retain(|(cond, ..)| {
            cond.leaves()
                .iter()
                .all(|c| matches!(c, Cond::Compare(m, _, Operand::Number(_)) if m.is_of_bars()))
        });
        ways
    }

    /// `probability of a green day after a gap up`, `вероятность роста при гэпе вверх`.
    pub(super) fn chances(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        let share = |c: Concept| matches!(c, Concept::Agg(Agg::Pct)).then_some(false);
        let chance = |c: Concept| (c == Concept::Chance).then_some(true);
        let mut starts = self.find(at, chance);
        starts.extend(self.find(at, share));
        for (sure, end) in starts {
            for start in self.past_words(end, false) {
                for (what, end, q) in self.primary_filters(start) {
                    if what.is_moment() || matches!(what, Cond::After(_)) {
                        continue;
                    }
                    for place in self.past_words(end, false).into_iter().take(4) {
                        let word = self.word(place);
                        let strong = ["after", "following", "given", "if", "при", "если", "после"];
                        if !GIVEN.contains(&word) || !(sure || strong.contains(&word)) {
                            continue;
                        }
                        let given = self.given(place);
                        for (given, end, r) in given {
                            let fit = if matches!(given, Cond::After(_)) { 1.0 } else { 0.97 };
                            if given.is_moment() || given == what {
                                continue;
                            }
                            let end = self.day_or_days(end);
                            let item = Item::Chance(vec![what.clone()], given);
                            ways.push((item, end, q * r * fit));
                        }
                    }
                }
            }
        }
        ways.extend(self.chances_given(at));
        ways.sort_by(|a, b| b.2.total_cmp(&a.2).then(b.1.cmp(&a.1)));
        ways.truncate(12);
        ways
    }

    /// What is given behind the word at `place`: behind `after`, of the row before.
    fn given(&self, place: usize) -> Vec<Way<Cond>> {
        let mut given = self.after(place);
        let after = ["after", "following", "после"].contains(&self.word(place));
        for start in self.past_words(place + 1, false) {
            let mut found = self.primary_filters(start);
            // a gap opens the day that is asked about
            found.retain(|(cond, ..)| !after || held(cond) == Some(true));
            given.extend(found);
        }
        given
    }

    /// `с какой вероятностью после гэпа вверх день зелёный`: what is given comes first.
    fn chances_given(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        for ((), end) in self.find(at, |c| (c == Concept::Chance).then_some(())) {
            for place in self.past_words(end, false).into_iter().take(3) {
                if !["after", "following", "if", "при", "если", "после"].contains(&self.word(place))
                {
                    continue;
                }
                let given = self.given(place);
                for (given, end, q) in given {
                    if given.is_moment() {
                        continue;
                    }
                    let end = self.day_or_days(end);
                    let comma = self.tokens.get(end).is_some_and(|t| t.is_symbol(","));
                    for start in self.past_words(if comma { end + 1 } else { end }, false) {
                        for (what, end, r) in self.primary_filters(start) {
                            if what.is_moment() || what == given || matches!(what, Cond::After(_)) {
                                continue;
                            }
                            let item = Item::Chance(vec![what], given.clone());
                            ways.push((item, end, q * r * 0.99));
                        }
                    }
                }
            }
        }
        ways
    }

    /// `the volume rose`, `объём вырос к предыдущему дню`: against the row before; not the price,
    /// which has a change of its own.
    pub(super) fn rose(&self, at: usize, measure: Measure) -> Vec<Way<Cond>> {
        let Measure::Column(column) = measure else { return Vec::new() };
        if self.schema.ohlcv.is_none() || self.close() == Some(column) || !self.is_in_days() {
            return Vec::new();
        }
        let mut ways = Vec::new();
        for (up, end) in self.find(at, |c| match c {
            Concept::Move(up) => Some(up),
            _ => None,
        }) {
            // by how much is another question
            let next = self.glue(end);
            if self.number(next).is_some() || !self.single_bounds(next).is_empty() {
                continue;
            }
            let cmp = if up { Cmp::Gt } else { Cmp::Lt };
            let cond = Cond::Compare(measure, cmp, Operand::Before(measure, 1.0));
            ways.push((cond.clone(), end, 0.95));
            if let Some(after) = self.take(end, Concept::Previous) {
                let day = self.take(after, Concept::Part(Part::Day)).unwrap_or(after);
                ways.push((cond, day, 1.0));
            }
        }
        ways
    }

    /// `high of the day`, `the low in 2023`: of several bars the highest and the lowest.
    pub(super) fn bar_extremes(&self, at: usize) -> Vec<Way<Item>> {
        let Some(bars) = &self.schema.ohlcv else { return Vec::new() };
        let volatile = self.volatility(at);
        if !volatile.is_empty() {
            return volatile;
        }
        let said = |c: Concept| {
            matches!(c, Concept::Agg(_) | Concept::Cmp(_) | Concept::Rows | Concept::Bars)
                || matches!(c, Concept::Count | Concept::Top(_) | Concept::When)
        };
        let asked = (0..self.tokens.len()).any(|i| self.concepts(i).any(|(c, _)| said(c)));
        if asked || self.has_order() {
            return Vec::new();
        }
        let name = |column: usize| self.schema.columns.get(column).map(|c| c.name.as_str());
        let start = if self.word(at) == "day" || self.word(at) == "session" { at + 1 } else { at };
        let (start, _) = self.every(start);
        let mut ways = Vec::new();
        for (measure, end, quality) in self.measures(start) {
            let Measure::Column(column) = measure else { continue };
            let agg = match name(column) {
                n if n == Some(bars.high.as_str()) => Agg::Max,
                n if n == Some(bars.low.as_str()) => Agg::Min,
                _ => continue,
            };
            let metric = Metric { agg: Some(agg), measure: Some(measure), every: None };
            let over = self.of_the_day(end);
            ways.push((Item::Metrics(vec![metric]), over, quality));
        }
        ways
    }

    /// Passes over `of the day`, `of a day`, `дня`, `за день` behind a measure of bars.
    pub(super) fn of_the_day(&self, at: usize) -> usize {
        if self.schema.ohlcv.is_none() {
            return at;
        }
        let mut place = at;
        for _ in 0..3 {
            if let Some(end) = self.take(place, Concept::PerPart(Part::Day)) {
                return end;
            }
            if (place > at || ["дня", "day"].contains(&self.word(place)))
                && let Some(end) = self.take(place, Concept::Part(Part::Day))
            {
                return end;
            }
            if ["of", "the", "a", "за", "for", "each"].contains(&self.word(place)) {
                place += 1;
            } else {
                break;
            }
        }
        at
    }

    /// Passes over `of trading`, `of RTH`, `торгов` behind the name of a session.
    pub(super) fn of_trading(&self, at: usize) -> usize {
        let mut place = at;
        while ["of", "the", "in", "during"].contains(&self.word(place)) {
            place += 1;
        }
        let said = ["trading", "rth", "day", "session", "торгов", "торговли", "дня", "сессии"];
        let regular = self.take(place, Concept::Hours(super::super::words::Hours::Regular));
        match regular {
            Some(end) => end,
            None if said.contains(&self.word(place)) => place + 1,
            None => self.take(at, Concept::SessionWord).unwrap_or(at),
        }
    }

    /// `each of`, `the number of`: before a measure of a correlation.
    pub(super) fn each_of(&self, at: usize) -> usize {
        self.glue(self.take(at, Concept::Stop).unwrap_or(at))
    }

    /// `and`, `with`: between the two measures of a correlation.
    pub(super) fn correlated(&self, at: usize) -> Option<usize> {
        let binds = [
            "на", "от", "к", "с", "со", "из", "on", "upon", "to", "with", "vs", "versus", "against",
        ];
        let and = self.take(at, Concept::And);
        let mut next = match and {
            Some(end) => end,
            None if binds.contains(&self.word(at)) => {
                let dot = self.tokens.get(at + 1).is_some_and(|t| t.is_symbol("."));
                if dot { at + 2 } else { at + 1 }
            }
            None => self.take(at, Concept::Stop)?,
        };
        next = self.glue(next);
        while ["the", "its", "their", "his", "его", "ее", "их", "своим", "своей", "своего"]
            .contains(&self.word(next))
        {
            next += 1;
        }
        // `of volume to the number of trades`
        let counted = self.take(next, Concept::Count).map(|end| self.glue(end));
        Some(counted.filter(|&n| !self.measures(n).is_empty()).unwrap_or(next))
    }

    /// The end of the word for a correlation behind its measures: `, correlation`, `: are they
    /// related`.
    pub(super) fn correlation_behind(&self, at: usize) -> Option<usize> {
        let mut place = at;
        for _ in 0..BETWEEN {
            let found = self.take(place, Concept::Agg(Agg::Correlation));
            if let Some(end) = found {
                return Some(self.take(end, Concept::Agg(Agg::Correlation)).unwrap_or(end));
            }
            let next = self.take(place, Concept::Stop).or_else(|| self.take(place, Concept::Glue));
            let filler = ["насколько", "how", "strongly", "closely", "сильно", "тесно", "together"];
            place = match next {
                Some(end) => end,
                None if filler.contains(&self.word(place)) => place + 1,
                None => return None,
            };
        }
        None
    }

    /// Passes over what went up or down behind the word for it (`рост цены`, `fall of the index`).
    pub(super) fn over_subject(&self, at: usize) -> usize {
        let subject = |at: usize| {
            let named = self.at(at).iter().filter(|m| {
                matches!(m.tag, Tag::Table | Tag::Concept(Concept::Market | Concept::Price))
            });
            named.map(|m| m.end).max()
        };
        let of = self.word(at) == "of";
        let start = if of { self.glue(at) } else { at };
        let russian = self.word(start).chars().any(super::super::stem::is_cyrillic);
        if of || russian { subject(start).unwrap_or(at) } else { at }
    }

    /// Days or bars end right before `at`, or before glue there (`months were positive`).
    pub(super) fn said_of_days(&self, at: usize) -> bool {
        let ends = |end: usize| end == at || (end < at && self.glue(end) == at);
        (0..at).any(|i| {
            self.entities(i).iter().any(|&(entity, end, _)| {
                matches!(entity, Entity::Days | Entity::Frames(_)) && ends(end)
            })
        })
    }

    /// `volatility by month`: of the change in per cent, though other measures are meant too.
    fn volatility(&self, at: usize) -> Vec<Way<Item>> {
        let found = self.find(at, |c| (c == Concept::Agg(Agg::Std)).then_some(()));
        let said = self.word(at).starts_with("volatil") || self.word(at).starts_with("волатильн");
        if !said || self.schema.ohlcv.is_none() {
            return Vec::new();
        }
        let measure = Some(Measure::Derived(Derived::Change, true));
        found
            .into_iter()
            .filter(|&((), end)| {
                let (next, _) = self.every(self.glue(end));
                self.measures(next).is_empty()
            })
            .map(|((), end)| {
                let metric = Metric { agg: Some(Agg::Std), measure, every: None };
                (Item::Metrics(vec![metric]), end, 0.72)
            })
            .collect()
    }

    /// `the higher the volume, the wider the range`, `чем больше объём, тем шире диапазон`.
    pub(super) fn the_more(&self, at: usize) -> Vec<Way<Item>> {
        let more = |at: usize| {
            let wide = ["wider", "narrower", "шире", "уже"].contains(&self.word(at));
            let said = self.concepts(at).filter_map(|(c, end)| {
                matches!(c, Concept::Cmp(_) | Concept::Comparative(..)).then_some(end)
            });
            said.max().or(wide.then_some(at + 1))
        };
        let side = |at: usize, opens: &[&str]| -> Vec<Way<Measure>> {
            if !opens.contains(&self.word(at)) {
                return Vec::new();
            }
            let Some(end) = more(at + 1) else { return Vec::new() };
            let (next, _) = self.every(self.glue(end));
            self.measures(next)
        };
        let mut ways = Vec::new();
        for (a, end, q) in side(at, &["the", "чем"]) {
            let next =
                if self.tokens.get(end).is_some_and(|t| t.is_symbol(",")) { end + 1 } else { end };
            for (b, end, r) in side(next, &["the", "тем"]) {
                ways.push((Item::Correlation(a, b), end, q * r * 0.97));
            }
        }
        ways
    }

    /// The series column of the table.
    pub(super) fn is_series(&self, column: usize) -> bool {
        let series = self.schema.series.as_deref();
        series.is_some() && self.schema.columns.get(column).map(|c| c.name.as_str()) == series
    }

    fn is_in_days(&self) -> bool {
        super::a_row_a_day(self.schema) || self.schema.is_intraday()
    }
}

/// A condition that can have held in the row before, and whether it is on a gap.
fn held(cond: &Cond) -> Option<bool> {
    let gap = |c: &&Cond| matches!(c, Cond::Compare(Measure::Derived(Derived::Gap, _), ..));
    let leaves = cond.leaves();
    let fits = leaves.iter().all(|c| match c {
        Cond::Compare(m, _, Operand::Number(_)) => m.is_of_bars(),
        Cond::Colour(_) | Cond::Pattern(_) | Cond::Streak(..) => true,
        _ => false,
    });
    (fits && !matches!(cond, Cond::Any(_))).then_some(leaves.iter().any(gap))
}
