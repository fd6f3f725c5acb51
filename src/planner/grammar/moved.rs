//! Conditions on how far a price went: `the market fell more than 2%`, `up days`.

use super::super::lattice::Lattice;
use super::super::sketch::{Cond, Measure, Operand};
use super::super::token::Unit;
use super::super::words::{Cmp, Concept, Derived};
use super::Way;
use super::bound::{Bound, bounds_of};

impl Lattice<'_> {
    /// `the market fell more than 2%`, `вырос на 50 пунктов`, `up days`, `green`.
    pub(super) fn moves(&self, at: usize) -> Vec<Way<Cond>> {
        if self.schema.ohlcv.is_none() {
            return Vec::new();
        }
        let mut ways = Vec::new();
        // the subject: the market, its price or its close
        let mut starts = vec![at];
        starts.extend(self.take(at, Concept::Market));
        starts.extend(self.take(at, Concept::Price));
        starts.extend(
            self.measures(at)
                .into_iter()
                .filter(|&(m, ..)| self.close().map(Measure::Column) == Some(m))
                .map(|(_, end, _)| end),
        );
        // `more than 2% gain`, `a 3% drop`
        let lone = self.number(at).map(|(amount, end)| (Bound::One(Cmp::Ge, amount), end));
        for (bound, end) in self.bounds(at).into_iter().chain(lone) {
            let percent = bounds_of(bound).iter().any(|a| a.unit == Some(Unit::Percent));
            for (up, end) in self.find(end, |c| match c {
                Concept::Move(up) if percent => Some(up),
                _ => None,
            }) {
                let (cond, quality) = self.moved(up, bound);
                ways.push((cond, end, quality * 0.95));
            }
        }
        for start in starts {
            for ((up, verb), end) in self.find(self.glue(start), |c| match c {
                Concept::Move(up) => Some((up, true)),
                Concept::Direction(up) => Some((up, false)),
                _ => None,
            }) {
                // `рост нефти выше 3%`, `fall of the price`
                let end = self.over_subject(end);
                let by = self.by_glue(end);
                let mut sized = false;
                for (bound, end) in self.bounds(by) {
                    sized = true;
                    let (cond, quality) = self.moved(up, bound);
                    ways.push((cond, end, quality));
                }
                if !sized && let Some((amount, end)) = self.number(by) {
                    // `fell 2%`: by that much, or more
                    let bound = Bound::One(Cmp::Ge, amount);
                    let (cond, quality) = self.moved(up, bound);
                    ways.push((cond, end, quality * 0.9));
                }
                // `up` alone says something of the market only next to it or to its days
                let days = !self.entities(self.glue(end)).is_empty()
                    || (start == at && self.said_of_days(at));
                if !verb && start == at && !days {
                    continue;
                }
                let measure = self.moved_measure(false);
                let cmp = if up { Cmp::Gt } else { Cmp::Lt };
                let quality = if verb { 1.0 } else { 0.95 };
                ways.push((Cond::Compare(measure, cmp, Operand::Number(0.0)), end, quality));
            }
            for (up, end) in self.find(start, |c| match c {
                Concept::Colour(up) => Some(up),
                _ => None,
            }) {
                ways.push((Cond::Colour(up), end, 1.0));
            }
        }
        ways
    }

    pub(super) fn moved(&self, up: bool, bound: Bound) -> (Cond, f64) {
        let unit = match bound {
            Bound::One(_, a) => a.unit,
            Bound::Two(a, b) => b.unit.or(a.unit),
        };
        let (measure, quality) = match unit {
            Some(Unit::Percent) => (self.moved_measure(true), 1.0),
            Some(Unit::Points | Unit::Money) => (self.moved_measure(false), 1.0),
            // per cent or points: a question for the person
            None => (self.moved_measure(false), 0.7),
            // a unit of something else
            Some(Unit::Declared(_)) => (self.moved_measure(false), 0.4),
        };
        let (cond, fit) = self.signed(measure, up, bound);
        (cond, fit.max(0.95) * quality)
    }

    /// The change of the price; the table's own column where it has one.
    pub(super) fn moved_measure(&self, percent: bool) -> Measure {
        let name = if percent { "change_pct" } else { "change" };
        self.schema
            .columns
            .iter()
            .position(|c| c.name.eq_ignore_ascii_case(name) && c.kind.is_numeric())
            .map_or(Measure::Derived(Derived::Change, percent), Measure::Column)
    }
}
