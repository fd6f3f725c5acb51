//! Numbers that bound a measure: `above 50`, `between 5 and 10`, `at most 20 %`.

use super::super::lattice::Lattice;
use super::super::sketch::{Cond, Measure, Operand};
use super::super::token::Unit;
use super::super::words::{Cmp, Concept, Derived};
use super::{Quantity, unit_fits};

/// Words that introduce a number, or a moment where a year follows.
const MOMENT_WORDS: [&str; 3] = ["from", "от", "до"];

/// A comparison with one number or a range of two.
#[derive(Debug, Clone, Copy)]
pub(super) enum Bound {
    One(Cmp, Quantity),
    Two(Quantity, Quantity),
}

impl Lattice<'_> {
    /// A comparison and its number, or a range, at `at`.
    pub(super) fn bounds(&self, at: usize) -> Vec<(Bound, usize)> {
        let mut ways = Vec::new();
        let moment = |amount: Quantity| {
            // `from 2020`, `до 2020` is a moment, not a number
            self.time_column().is_some() && amount.unit.is_none() && amount.year
        };
        for (cmp, end) in self.find(at, as_cmp) {
            // `more than an hour` begins with what is glue elsewhere
            let hour = (self.word(end) == "an").then(|| self.number(end)).flatten();
            let hour = hour.or_else(|| self.one_of_unit(end));
            if let Some((amount, end)) = hour.or_else(|| self.number(self.by_glue(end)))
                && !self.is_factor(end)
                && !(self.tokens.get(at).is_some_and(|t| MOMENT_WORDS.contains(&t.folded.as_str()))
                    && moment(amount))
            {
                let (cmp, end) = self.included(cmp, end);
                ways.push((Bound::One(cmp, amount), end));
                // `over 50 or more` says no more than `50 or more`
                if let Some((or, end)) = self.or_more(end) {
                    ways.push((Bound::One(or, amount), end));
                }
            }
        }
        if let Some((amount, end)) = self.number(at) {
            if let Some((cmp, end)) = self.or_more(end) {
                ways.push((Bound::One(cmp, amount), end));
            }
            if let Some(next) = self.range_sign(end)
                && let Some((high, end)) = self.number(next)
            {
                ways.push((ordered(amount, high), end));
            }
        }
        // `aged 30 to 39`
        if let Some((low, end)) = self.number(at)
            && self
                .tokens
                .get(end)
                .is_some_and(|t| ["to", "до", "through"].contains(&t.folded.as_str()))
            && let Some((high, end)) = self.number(end + 1)
            && !low.year
        {
            ways.push((ordered(low, high), end));
        }
        for intro in [Concept::Between, Concept::From] {
            let Some(next) = self.take(at, intro) else { continue };
            if let Some((low, end)) = self.number(self.by_glue(next))
                && let Some(next) = self.take(end, Concept::To)
                && let Some((high, end)) = self.number(self.by_glue(next))
                && !(intro == Concept::From && moment(high))
            {
                ways.push((ordered(low, high), end));
            }
        }
        ways
    }

    /// A comparison and its one number.
    pub(super) fn single_bounds(&self, at: usize) -> Vec<(Cmp, Quantity, usize)> {
        let one = |(bound, end)| match bound {
            Bound::One(cmp, amount) => Some((cmp, amount, end)),
            Bound::Two(..) => None,
        };
        self.bounds(at).into_iter().filter_map(one).collect()
    }

    /// A measure within a bound, where the units agree; a per cent picks the measure in per cent.
    pub(super) fn bounded(&self, measure: Measure, bound: Bound) -> (Cond, f64) {
        let unit = match measure {
            Measure::Column(column) => {
                self.schema.columns.get(column).and_then(super::number::unit_of)
            }
            _ => None,
        };
        let bound = match bound {
            Bound::One(cmp, amount) => Bound::One(cmp, amount.of_unit(unit.as_deref())),
            Bound::Two(a, b) => Bound::Two(a.of_unit(unit.as_deref()), b.of_unit(unit.as_deref())),
        };
        // `discount above 10%` of parts of one
        let part = |amount: Quantity| match (amount.unit, measure) {
            (Some(Unit::Percent), Measure::Column(c)) if self.is_fraction(c) => {
                Quantity { value: amount.value / 100.0, unit: None, ..amount }
            }
            _ => amount,
        };
        let bound = match bound {
            Bound::One(cmp, amount) => Bound::One(cmp, part(amount)),
            Bound::Two(a, b) => Bound::Two(part(a), part(b)),
        };
        let amounts = bounds_of(bound);
        let percent = amounts.iter().any(|a| a.unit == Some(Unit::Percent));
        // parts of one are never over 500
        let far = |c: usize| self.is_fraction(c) && amounts.iter().any(|a| a.value.abs() > 100.0);
        let mut quality = if matches!(measure, Measure::Column(c) if far(c)) { 0.05 } else { 1.0 };
        let measure = match measure {
            Measure::Derived(Derived::Return, _)
                if amounts.iter().any(|a| a.unit == Some(Unit::Points)) =>
            {
                Measure::Derived(Derived::Change, false)
            }
            Measure::Derived(derived, in_percent) => {
                if percent && !derived.has_percent() {
                    quality = 0.4;
                }
                Measure::Derived(derived, in_percent || percent)
            }
            Measure::Indicator(..) | Measure::Streak(_) | Measure::Math(..) | Measure::Days(..) => {
                measure
            }
            Measure::Column(column) => {
                if amounts.iter().filter_map(|a| a.unit).any(|u| !unit_fits(self.schema, column, u))
                {
                    quality = 0.4;
                }
                measure
            }
        };
        (within(measure, bound), quality)
    }

    /// The column holds parts of one, and nobody says that they are per cents.
    pub(super) fn is_fraction(&self, column: usize) -> bool {
        self.schema
            .columns
            .get(column)
            .is_some_and(|c| c.fraction && c.unit.as_deref() != Some("%"))
    }

    /// A bound on how far something went up or down: `fell more than 2%` is `< -2`.
    pub(super) fn signed(&self, measure: Measure, up: bool, bound: Bound) -> (Cond, f64) {
        let mirror = |amount: Quantity| Quantity { value: -amount.value, ..amount };
        let negative = match bound {
            Bound::One(_, a) => a.value < 0.0,
            Bound::Two(a, b) => a.value < 0.0 || b.value < 0.0,
        };
        // `fell below -2%` has its sign already
        let bound = match bound {
            _ if up || negative => bound,
            Bound::One(cmp, amount) => Bound::One(cmp.mirrored(), mirror(amount)),
            Bound::Two(low, high) => Bound::Two(mirror(high), mirror(low)),
        };
        let (cond, quality) = self.bounded(measure, bound);
        // `fell less than 2%` is still a fall
        let small = matches!(
            (up, bound),
            (true, Bound::One(Cmp::Lt | Cmp::Le, _)) | (false, Bound::One(Cmp::Gt | Cmp::Ge, _))
        );
        if small
            && !negative
            && let Cond::Compare(measure, _, _) = cond
        {
            let cmp = if up { Cmp::Gt } else { Cmp::Lt };
            let side = Cond::Compare(measure, cmp, Operand::Number(0.0));
            return (Cond::All(vec![side, cond]), quality);
        }
        (cond, quality)
    }
}

/// The numbers of a bound.
pub(super) fn bounds_of(bound: Bound) -> Vec<Quantity> {
    match bound {
        Bound::One(_, amount) => vec![amount],
        Bound::Two(low, high) => vec![low, high],
    }
}

pub(super) fn as_cmp(concept: Concept) -> Option<Cmp> {
    match concept {
        Concept::Cmp(cmp) => Some(cmp),
        _ => None,
    }
}

/// A range with its ends in order; a unit said once is meant for both.
pub(super) fn ordered(a: Quantity, b: Quantity) -> Bound {
    let unit = b.unit.or(a.unit);
    // `from 50 to 70 thousand`
    let scaled = b.scale > 1.0 && a.scale == 1.0 && a.value.abs() < 1000.0;
    let a = if scaled { Quantity { value: a.value * b.scale, ..a } } else { a };
    let (a, b) = (Quantity { unit, ..a }, Quantity { unit, ..b });
    if a.value <= b.value { Bound::Two(a, b) } else { Bound::Two(b, a) }
}

pub(super) fn within(measure: Measure, bound: Bound) -> Cond {
    let compare =
        |cmp, amount: Quantity| Cond::Compare(measure, cmp, Operand::Number(amount.value));
    match bound {
        Bound::One(cmp, amount) => compare(cmp, amount),
        Bound::Two(low, high) => Cond::All(vec![compare(Cmp::Ge, low), compare(Cmp::Le, high)]),
    }
}
