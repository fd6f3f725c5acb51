//! Questions for shares, correlations and chosen groups: one number of the rows, or of each group.

use super::super::sketch::{Cond, Dim, Entity, Measure, Rank, Select, Sketch, Target, Then};
use super::super::words::Agg;
use super::table::Table;
use super::{Parts, leftovers};

impl Parts {
    /// `average change by weekday in percent`: of the measures of bars that are named.
    pub(super) fn say_percent(&mut self) {
        for metric in self.metrics.iter_mut().chain(&mut self.order) {
            if let Some(Measure::Derived(_, percent @ false)) = &mut metric.measure {
                *percent = true;
                self.percent = false;
            }
        }
    }

    /// A change that is named without what it is against says nothing that can be asked.
    pub(super) fn is_vague(&self) -> bool {
        self.change.is_none() && !self.differs.is_empty()
    }

    /// `share of days when gap is above 50`
    pub(super) fn share(&self, table: &Table<'_>) -> Vec<Sketch> {
        let mut sketch = self.base();
        if sketch.filters.is_empty() {
            return Vec::new();
        }
        if self.given.is_empty() && self.by_how_much(table) {
            sketch.quality *= 0.6;
        }
        // moments narrow the rows; what is asked for is the share of the rest
        // so does what held the day before
        let narrows = |c: &Cond| c.is_moment() || matches!(c, Cond::After(_));
        let (when, what): (Vec<Cond>, Vec<Cond>) = sketch.filters.drain(..).partition(narrows);
        // a value narrows the rows too where something else is asked of them
        let named = |c: &Cond| c.leaves().iter().all(|c| matches!(c, Cond::Values { .. }));
        let (mut when, mut what) = (when, what);
        if !what.iter().all(named) {
            let (values, rest): (Vec<Cond>, Vec<Cond>) = what.into_iter().partition(named);
            when.extend(values);
            what = rest;
        }
        // of two values that are named either may be the whole
        if what.len() > 1 && what.iter().all(named) {
            sketch.quality *= 0.7;
        }
        let (filters, conds) = if what.is_empty() { (Vec::new(), when) } else { (when, what) };
        sketch.filters = filters;
        sketch.filters.extend(self.given.iter().cloned());
        sketch.select = vec![Select::Share(conds)];
        // `which topic has the highest share of reopened tickets`
        let mut ranked = false;
        if let [Rank { number, descending, superlative, many: false, best: false }] = self.ranks[..]
            && let [dim] = self.dims.iter().chain(&self.groups).copied().collect::<Vec<_>>()[..]
            && (superlative || number.is_some())
        {
            sketch.groups = vec![dim];
            sketch.ranked = true;
            sketch.descending = descending;
            sketch.limit = number.or(Some(1));
            ranked = true;
        }
        sketch.quality *= leftovers(&[
            !self.metrics.is_empty(),
            !self.counts.is_empty(),
            !self.dims.is_empty() && !self.named && !ranked,
            !self.ranks.is_empty() && !ranked,
            !self.order.is_empty(),
            !self.correlations.is_empty() || !self.spreads.is_empty(),
        ]);
        vec![sketch]
    }

    /// `how many percent did the price rise`: by how much, not on how many days, where neither days
    /// nor days of the week are named.
    pub(super) fn by_how_much(&self, table: &Table<'_>) -> bool {
        let kind = |c: &Cond| matches!(c, Cond::Weekdays { .. });
        let leaves = || self.filters.iter().flat_map(Cond::leaves);
        let bare = self.entities.iter().all(|e| *e == Entity::Rows);
        bare && leaves().any(|c| table.is_move(c)) && !leaves().any(kind)
    }

    /// `share of each category in total amount`
    pub(super) fn share_of_whole(&self, dim: Dim, measure: Option<Measure>) -> Vec<Sketch> {
        let mut sketch = self.base();
        sketch.groups = vec![dim];
        sketch.select = vec![measure.map_or(Select::Count, |m| Select::Agg(Agg::Sum, m))];
        sketch.then = Some(Then::Share);
        // what is kept out of the rows may be kept out of the whole or not
        if measure.is_none() && !sketch.filters.iter().all(Cond::is_moment) {
            sketch.quality *= 0.6;
        }
        sketch.quality *= leftovers(&[
            !self.metrics.is_empty(),
            !self.counts.is_empty(),
            !self.ranks.is_empty(),
            !self.groups.is_empty(),
            !self.dims.is_empty(),
            !self.order.is_empty(),
            self.shares > 0,
            !self.correlations.is_empty() || !self.spreads.is_empty(),
        ]);
        vec![sketch]
    }

    /// `share of Berlin in sales`: of the sum over all rows that other conditions leave.
    pub(super) fn share_in(&self, cond: Cond, measure: Measure) -> Vec<Sketch> {
        let mut sketch = self.base();
        sketch.select = vec![Select::Part(measure, cond)];
        // a value that is named beside it may as well be of the part
        if !sketch.filters.iter().all(Cond::is_moment) {
            sketch.quality *= 0.7;
        }
        sketch.quality *= leftovers(&[
            !self.metrics.is_empty(),
            !self.counts.is_empty(),
            !self.ranks.is_empty(),
            !self.dims.is_empty(),
            !self.order.is_empty(),
            self.shares > 0,
            self.change.is_some(),
            !self.correlations.is_empty() || !self.spreads.is_empty(),
        ]);
        vec![sketch]
    }

    /// `correlation between volume and range`
    pub(super) fn correlation(&self) -> Vec<Sketch> {
        let mut sketch = self.base();
        sketch.select = self
            .correlations
            .iter()
            .map(|&(a, b)| Select::Correlation(a, b))
            .chain(self.spreads.iter().map(|&m| Select::Spread(m)))
            .collect();
        sketch.quality *= leftovers(&[
            !self.metrics.is_empty(),
            !self.counts.is_empty(),
            !self.dims.is_empty(),
            !self.ranks.is_empty(),
            !self.order.is_empty(),
        ]);
        vec![sketch]
    }

    /// `clubs with more than 100 results`
    pub(super) fn chosen_groups(&self) -> Vec<Sketch> {
        let mut sketch = self.base();
        // `how many cities have more than 300 orders`
        let counted = match self.counts[..] {
            [Target::Distinct(dim)] if self.dims.is_empty() && sketch.groups.is_empty() => {
                sketch.groups.push(dim);
                sketch.then = Some(Then::Count);
                true
            }
            _ => false,
        };
        sketch.groups.extend(&self.dims);
        sketch.groups.dedup();
        let [(of, cmp, number)] = self.havings[..] else { return Vec::new() };
        if (self.dims.is_empty() && !counted) || sketch.groups.len() > 2 {
            return Vec::new();
        }
        sketch.select = vec![of.map_or(Select::Count, |(agg, measure)| Select::Agg(agg, measure))];
        sketch.having = Some((cmp, number));
        sketch.quality *= 0.97
            * leftovers(&[
                !self.metrics.is_empty(),
                !self.counts.is_empty() && !counted,
                !self.ranks.is_empty(),
                !self.order.is_empty(),
                self.shares > 0,
                !self.correlations.is_empty(),
                self.ends.is_some(),
                self.change.is_some(),
            ]);
        vec![sketch]
    }
}
