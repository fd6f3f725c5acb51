//! Productions for conditions: comparisons, values of columns, moments, directions of prices.

use super::super::dictionary::same_noun;
use super::super::lattice::Lattice;
use super::super::sketch::{Cond, Measure, Operand};
use super::super::stem::{parts, stem};
use super::super::words::{Cmp, Concept, Part, Quality};
use super::bound::{Bound, as_cmp, bounds_of, within};
use super::{Quantity, Way};
use crate::schema::Kind;

/// Words that bind a value or a moment to what is denied before them.
const PREPOSITIONS: [&str; 17] = [
    "in", "on", "at", "for", "from", "with", "during", "в", "во", "на", "с", "со", "из", "по", "у",
    "для", "за",
];

/// Conditions that are joined by `or` at most.
const JOINED: usize = 12;

impl Lattice<'_> {
    /// A condition, a negated one, or several joined by `or`.
    pub(super) fn filters(&self, at: usize) -> Vec<Way<Cond>> {
        let mut ways = self.simple_filters(at);
        let mut joined = Vec::new();
        for (cond, end, quality) in &ways {
            let mut all = vec![cond.clone()];
            let (mut end, mut quality) = (*end, *quality);
            while all.len() < JOINED
                && let Some(next) = self.take(end, Concept::Or)
            {
                let next = self.glue(next);
                let next = self.take(next, Concept::Stop).unwrap_or(next);
                let best = self
                    .simple_filters(next)
                    .into_iter()
                    .max_by(|a, b| a.2.total_cmp(&b.2).then(a.1.cmp(&b.1)));
                let Some((other, other_end, q)) = best else { break };
                all.push(other);
                end = other_end;
                quality *= q;
            }
            // values of one column, months and weekdays are a list, which is read as one already
            let listed = |c: &Cond| match c {
                Cond::Values { column, .. } => Some(*column),
                Cond::Months { .. } => Some(usize::MAX),
                Cond::Weekdays { .. } => Some(usize::MAX - 1),
                _ => None,
            };
            let first = all.first().and_then(listed);
            if first.is_some() && all.iter().all(|c| listed(c) == first) {
                continue;
            }
            // so are stretches of dates
            let dated = |c: &Cond| {
                c.leaves().iter().any(|c| matches!(c, Cond::Period(..) | Cond::Months { .. }))
            };
            if all.iter().all(dated) {
                continue;
            }
            if all.len() > 1 {
                joined.push((Cond::Any(all), end, quality));
            }
        }
        ways.extend(joined);
        ways
    }

    fn simple_filters(&self, at: usize) -> Vec<Way<Cond>> {
        let mut ways = self.primary_filters(at);
        // `not` and `not on`, which may as well be `not` before `on sale`
        // `by neither Orlova nor Keane`
        let by = self.take(at, Concept::By).filter(|&end| self.take(end, Concept::Not).is_some());
        let place = by.unwrap_or(at);
        for ((), end) in self.find(place, |c| (c == Concept::Not).then_some(())) {
            let mut starts = vec![(self.glue(end), false)];
            let verb = !PREPOSITIONS.contains(&self.word(end));
            starts.extend(self.take(end, Concept::Stop).map(|end| (self.glue(end), verb)));
            for (next, verb) in starts {
                for (cond, end, quality) in self.primary_filters(next) {
                    // `not handled by Friday`: what was not is said of the verb
                    if verb && cond.is_moment() {
                        continue;
                    }
                    if let Some(cond) = cond.negate() {
                        ways.push((cond, end, quality));
                    }
                }
            }
        }
        ways
    }

    pub(super) fn primary_filters(&self, at: usize) -> Vec<Way<Cond>> {
        let mut ways = self.comparisons(at);
        ways.extend(self.value_filters(at));
        ways.extend(self.worded(at));
        ways.extend(self.routes(at));
        ways.extend(self.missing(at));
        ways.extend(self.not_yet(at));
        ways.extend(self.some_of(at));
        ways.extend(self.ordinals(at));
        ways.extend(self.moves(at));
        ways.extend(self.streaks(at));
        ways.extend(self.shapes(at));
        ways.extend(self.after(at));
        ways.extend(self.crossings(at));
        if self.time_column().is_some() {
            ways.extend(self.moments(at));
        }
        ways.extend(self.years(at));
        ways
    }

    /// `gap is above 50`, `close > open`, `over 1000`, `amount between 5 and 10`.
    pub(super) fn comparisons(&self, at: usize) -> Vec<Way<Cond>> {
        let mut ways: Vec<Way<Cond>> = Vec::new();
        // `with a number of votes above 5000`
        let counted = self.take(at, Concept::Count).filter(|_| {
            !["how", "count", "сколько", "скольких", "скок", "скока"].contains(&self.word(at))
        });
        let counted = counted.into_iter().flat_map(|end| {
            let columns = self.number_columns(self.glue(end));
            columns.map(|(column, end, q)| (Measure::Column(column), end, q * 0.98))
        });
        for (measure, end, quality) in self.measures(at).into_iter().chain(counted) {
            let plain = self.relative(self.glue(end));
            let quality = self.told_by_adjective(measure, quality, plain);
            let (next, negated) = match self.take(plain, Concept::Not) {
                Some(end) => (self.glue(end), true),
                None => (plain, false),
            };
            // `не уступает 5000` compares in one phrase
            for (bound, end) in self.bounds(plain).into_iter().filter(|_| negated) {
                let (cond, q) = self.bounded(measure, bound);
                ways.push((cond, end, quality * q));
            }
            let mut found: Vec<Way<Cond>> = Vec::new();
            for (bound, end) in self.bounds(next) {
                let (cond, q) = self.bounded(measure, bound);
                found.push((cond.clone(), end, q));
                // `at least 30 and at most 60`
                if let Bound::One(cmp, _) = bound
                    && let Some(and) = self.take(end, Concept::And)
                {
                    for (other, amount, end) in self.single_bounds(self.glue(and)) {
                        let low = |c| matches!(c, Cmp::Gt | Cmp::Ge);
                        let of_other = !self.measures(self.glue(end)).is_empty();
                        if low(cmp) != low(other) && !of_other {
                            let (more, r) = self.bounded(measure, Bound::One(other, amount));
                            found.push((Cond::All(vec![cond.clone(), more]), end, q * r));
                        }
                    }
                }
            }
            // `rating 5`, `discount is 0`
            let is = ["is", "are", "was", "were", "of", "равна", "равен", "равно", "равны"];
            let said = next > 0 && is.contains(&self.word(next - 1));
            let said = said || self.is_introduced(at);
            if let Measure::Column(column) = measure
                && (self.kind(column) == Some(Kind::Int) || said)
                && let Some((amount, end)) = self.number(next)
                && amount.unit.is_none()
                && !amount.year
                && self.or_more(end).is_none()
                && self.range_sign(end).is_none()
                // `the volume 15 March`: a day
                && self.find(end, |c| matches!(c, Concept::Month(_)).then_some(())).is_empty()
            {
                let operand = Operand::Number(amount.value);
                found.push((Cond::Compare(measure, Cmp::Eq, operand), end, 0.93));
            }
            // `RSI дневной ниже 30`
            if measure.is_of_bars()
                && let (daily, Some(Part::Day)) = self.every(next)
            {
                for (bound, end) in self.bounds(daily) {
                    let (cond, q) = self.bounded(measure, bound);
                    found.push((cond, end, q));
                }
            }
            for (cmp, end) in self.find(next, as_cmp) {
                for (other, end, q) in self.measures(self.glue(end)) {
                    if other != measure {
                        let operand = Operand::Measure(other);
                        found.push((Cond::Compare(measure, cmp, operand), end, q));
                    }
                }
            }
            found.extend(self.against(next, measure));
            found.extend(self.rose(next, measure));
            // `built before 1970`: a year that is a number of its own
            if let Measure::Column(column) = measure
                && self.kind(column) == Some(Kind::Int)
                && self.is_called(column, &["year", "год"])
                && self.take(at, Concept::Part(Part::Year)).is_none()
            {
                found.extend(self.of_year_of(next, column));
            }
            // `delayed by more than 15 minutes`
            let by = self.by_glue(next);
            if by > next && !negated {
                for (bound, end) in self.bounds(by) {
                    let (cond, q) = self.bounded(measure, bound);
                    found.push((cond, end, q * 0.97));
                }
            }
            // `gap is positive`, `gap up more than 50`; a close that is up has moved
            for (up, end) in self.find(next, |c| match c {
                Concept::Direction(up)
                    if self.close().map(Measure::Column) != Some(measure)
                        && self.has_sign(next) =>
                {
                    Some(up)
                }
                _ => None,
            }) {
                let cmp = if up { Cmp::Gt } else { Cmp::Lt };
                found.push((Cond::Compare(measure, cmp, Operand::Number(0.0)), end, 1.0));
                for (bound, end) in self.bounds(self.by_glue(end)) {
                    let (cond, q) = self.signed(measure, up, bound);
                    found.push((cond, end, q));
                }
            }
            for (cond, end, q) in found {
                // `от заказа до отгрузки больше 7 дней`
                let end = match (measure, self.part(end)) {
                    (Measure::Days(..), Some((Part::Day, after))) => after,
                    _ => end,
                };
                if !negated {
                    ways.push((cond, end, quality * q));
                } else if let Some(cond) = cond.negate() {
                    ways.push((cond, end, quality * q));
                }
            }
        }
        // `по цене свыше 800`
        if let Some(next) = self.take(at, Concept::By) {
            for (measure, end, quality) in self.measures(next) {
                for (bound, end) in self.bounds(self.glue(end)) {
                    let (cond, q) = self.bounded(measure, bound);
                    ways.push((cond, end, quality * q * 0.97));
                }
            }
        }
        // `negative gap`, `положительное изменение`
        for (up, end) in self.find(at, |c| match c {
            Concept::Direction(up) if self.has_sign(at) => Some(up),
            _ => None,
        }) {
            for (measure, end, quality) in self.measures(self.glue(end)) {
                let cmp = if up { Cmp::Gt } else { Cmp::Lt };
                ways.push((Cond::Compare(measure, cmp, Operand::Number(0.0)), end, quality));
            }
        }
        ways.extend(self.above_average(at));
        // `older than the average`
        for (about, _) in self.find(at, |c| match c {
            Concept::Comparative(about, _) => Some(about),
            _ => None,
        }) {
            for (column, turned, quality) in self.by_quality(about) {
                if turned == (about == Quality::Speed) {
                    let found = self.against(at, Measure::Column(column)).into_iter();
                    ways.extend(found.map(|(cond, end, q)| (cond, end, quality * q)));
                }
            }
        }
        // `five nights or more`
        if let Some((amount, end)) = self.number(at) {
            for (measure, end, quality) in self.measures(self.glue(end)) {
                if let Some((cmp, end)) = self.or_more(end) {
                    let (cond, q) = self.bounded(measure, Bound::One(cmp, amount));
                    ways.push((cond, end, quality * q * 0.97));
                }
            }
            // `a two-room flat`
            let joined = self.tokens.get(end).is_some_and(|t| t.is_symbol("-"))
                && self.touch(end)
                && self.touch(end + 1)
                && !amount.year;
            for (column, end, quality) in self.column_ways(end + 1).filter(|_| joined) {
                if self.kind(column) == Some(Kind::Int) && amount.unit.is_none() {
                    let operand = Operand::Number(amount.value);
                    let cond = Cond::Compare(Measure::Column(column), Cmp::Eq, operand);
                    ways.push((cond, end, quality * 0.97));
                }
            }
        }
        for (bound, end) in self.bounds(at) {
            // `older than 50`
            for (about, _) in self.find(at, |c| match c {
                Concept::Comparative(about, _) => Some(about),
                _ => None,
            }) {
                for (column, turned, quality) in self.by_quality(about) {
                    let flip = turned != (about == Quality::Speed);
                    let bound = match bound {
                        Bound::One(cmp, amount) if flip => Bound::One(cmp.mirrored(), amount),
                        same => same,
                    };
                    let (cond, q) = self.bounded(Measure::Column(column), bound);
                    ways.push((cond, end, quality * q));
                }
            }
            // `more than 50 points of gap`, `more than 150 passengers`; `over 500 have a discount` is
            // none
            let apart = ["have", "has", "had", "having", "with", "без", "имеют", "со", "с"]
                .contains(&self.word(end));
            let of = if apart { Vec::new() } else { self.measures(self.glue(end)) };
            for (measure, end, quality) in of {
                let (cond, q) = self.bounded(measure, bound);
                ways.push((cond, end, quality * q * 0.96));
            }
            let implied = |cmp, amount: Quantity| Cond::Implied {
                cmp,
                number: amount.value,
                unit: amount.unit,
            };
            let cond = match bound {
                Bound::One(cmp, amount) => implied(cmp, amount),
                Bound::Two(low, high) => {
                    Cond::All(vec![implied(Cmp::Ge, low), implied(Cmp::Le, high)])
                }
            };
            let (aged, doubt) = self.aged(at, &bounds_of(bound));
            ways.extend(
                aged.map(|column| (within(Measure::Column(column), bound), end, 0.95 * doubt)),
            );
            let fit = if aged.is_some() { 0.7 * doubt } else { 1.0 };
            // `over 2022` may be the year
            let dated = |a: &Quantity| a.year && a.unit.is_none() && self.in_data(a.value as i64);
            let over = self.word(at) == "over" && bounds_of(bound).iter().any(dated);
            let fit = if over { fit * 0.75 } else { fit };
            // `wider than 12` bounds a width
            let fit = if self.is_sized(at) { fit * 0.7 } else { fit };
            ways.push((cond, end, 0.95 * fit));
        }
        ways
    }

    /// Nothing stands between the token at `at` and the one before it.
    pub(super) fn touch(&self, at: usize) -> bool {
        let ends = at.checked_sub(1).and_then(|before| Some(self.tokens.get(before)?.span.end));
        ends.is_some() && ends == self.tokens.get(at).map(|t| t.span.start)
    }

    /// Passes over what a clause about a column begins with (`сумма которых превышает 5000`).
    pub(super) fn relative(&self, at: usize) -> usize {
        const WORDS: [&str; 14] = [
            "который",
            "которая",
            "которое",
            "которые",
            "которых",
            "которой",
            "которого",
            "которым",
            "чья",
            "чей",
            "чье",
            "у",
            "that",
            "which",
        ];
        let mut next = at;
        while next < at + 3
            && (WORDS.contains(&self.word(next))
                || self.tokens.get(next).is_some_and(|t| t.is_symbol(",")))
        {
            next += 1;
        }
        if next > at && WORDS.contains(&self.word(next - 1)) { self.glue(next) } else { at }
    }

    /// Comparisons with a number begin at `at`: where they end.
    pub(super) fn bounds_at(&self, at: usize) -> Vec<usize> {
        self.bounds(self.glue(at)).into_iter().map(|(_, end)| end).collect()
    }

    /// `3 times the average`: the number before `end` is a factor.
    pub(super) fn is_factor(&self, end: usize) -> bool {
        if !["times", "раз", "раза"].contains(&self.word(end)) {
            return false;
        }
        let next = self.glue(end + 1);
        let next = if self.word(next) == "as" { next + 1 } else { next };
        !self.measures(next).is_empty()
            || self.concepts(next).any(|(c, _)| matches!(c, Concept::Agg(_) | Concept::Cmp(_)))
    }

    pub(super) fn or_more(&self, at: usize) -> Option<(Cmp, usize)> {
        if let Some(end) = self.take(at, Concept::OrMore) {
            return Some((Cmp::Ge, end));
        }
        self.take(at, Concept::OrLess).map(|end| (Cmp::Le, end))
    }

    pub(super) fn range_sign(&self, at: usize) -> Option<usize> {
        let dash = ["-", "–", "—", ".."];
        self.tokens.get(at).is_some_and(|t| dash.iter().any(|d| t.is_symbol(d))).then_some(at + 1)
    }

    /// Glue, and the `by` of `fell by 2%`.
    pub(super) fn by_glue(&self, at: usize) -> usize {
        let at = self.glue(at);
        let at = self.take(at, Concept::By).unwrap_or(at);
        self.glue(at)
    }

    /// Columns whose names have the noun.
    pub(super) fn columns_of(&self, noun: &str) -> Vec<(usize, f64)> {
        let noun = stem(noun);
        (0..self.schema.columns.len())
            .filter(|&i| self.kind(i).is_some_and(Kind::is_numeric))
            .filter(|&i| {
                self.schema.columns.get(i).is_some_and(|c| {
                    std::iter::once(&c.name)
                        .chain(c.label.as_ref())
                        .chain(&c.synonyms)
                        .flat_map(|name| parts(name))
                        .any(|part| same_noun(&stem(&part), &noun) || stem(&part) == noun)
                })
            })
            .map(|i| (i, 0.97))
            .collect()
    }
}
