//! What orders the rows or the groups: adjectives, `sorted by …`, a gap's direction.

use super::super::sketch::{Cond, Dim, Entity, Measure, Metric, Operand, Rank, Sketch};
use super::super::words::{Agg, Cmp, Derived, Part};
use super::Parts;
use super::table::Table;

impl Parts {
    /// An adjective that ranks by a column, and what is said of that column beside it.
    pub(super) fn settle_adjectives(&mut self) -> bool {
        let [measure] = self.ranked_by[..] else { return self.ranked_by.is_empty() };
        let said = self.order.iter().chain(&self.metrics).find_map(|m| m.measure);
        match said {
            // `longest rides by distance`, `the lowest cheapest fare`
            Some(said) if said == measure => true,
            Some(_) => false,
            None => {
                // `longest rides on average`
                let agg = self.metrics.first().and_then(|m| m.agg);
                self.metrics.clear();
                self.metric_items = 0;
                self.order.push(Metric { agg, measure: Some(measure), every: None });
                true
            }
        }
    }

    /// `first 7 by depth`, `sorted by price, the first 10`: so many from the top of an order.
    pub(super) fn settle_ends(&mut self) {
        let (Some((Some(number), false)), []) = (self.ends, &self.ranks[..]) else { return };
        let descending = match (&self.order[..], self.sorted_by) {
            ([Metric { measure: Some(_), .. }], _) => true,
            (_, Some(_)) => self.sorted == Some(true),
            _ => return,
        };
        self.ends = None;
        self.ranks.push(Rank {
            number: Some(number),
            descending,
            superlative: false,
            many: false,
            best: false,
        });
    }

    /// `sorted by rating`, `by the fall`, `date of the highest high`.
    pub(super) fn settle_order(&mut self, table: &Table<'_>) -> bool {
        // `by mean rating, best first`
        if self.sorted.is_some()
            && self.sorted_by.is_none()
            && self.ranks.is_empty()
            && self.metrics.is_empty()
            && self.order.len() == 1
            && (!(self.groups.is_empty() && self.dims.is_empty())
                || (!self.bars && !self.entities.is_empty() && self.counts.is_empty()))
        {
            self.sorted_by = self.order.pop();
        }
        // `cities by falling mean salary`, `города по убыванию средней зарплаты`
        if self.sorted.is_some()
            && self.groups.is_empty()
            && !self.which
            && let ([_], [Metric { agg: Some(_), measure: Some(_), .. }]) =
                (&self.dims[..], &self.metrics[..])
        {
            self.groups.append(&mut self.dims);
        }
        // `wards by number of patients, from most to least`
        if self.sorted.is_some()
            && self.sorted_by.is_none()
            && self.ranks.is_empty()
            && self.metrics.is_empty()
            && self.order.is_empty()
            && self.groups.is_empty()
            && (self.counts.len(), self.dims.len()) == (1, 1)
        {
            self.groups.append(&mut self.dims);
        }
        if let Some(metric) = self.sorted_by.take() {
            let grouped = !self.groups.is_empty() || !self.dims.is_empty();
            // `sorted by price, first 10`
            if let ([rank @ Rank { number: Some(_), superlative: false, many: false, .. }], false) =
                (&mut self.ranks[..], grouped)
                && metric.agg.is_none()
                && self.order.is_empty()
            {
                rank.descending = self.sorted.take().unwrap_or(rank.descending);
                self.order.push(metric);
                return true;
            }
            if !self.order.is_empty() || !self.ranks.is_empty() || metric.measure.is_none() {
                return false;
            }
            // groups by parts of time or by names are in that order
            let keyed =
                self.groups.iter().chain(&self.dims).any(|dim| match (dim, metric.measure) {
                    (Dim::Part(_), Some(Measure::Column(column))) => table.is_time(column),
                    (Dim::Column(key), Some(Measure::Column(column))) => *key == column,
                    _ => false,
                });
            if keyed && metric.agg.is_none() && self.sorted != Some(true) {
                self.sorted = None;
                if !(self.counts.is_empty() && self.metrics.is_empty()) {
                    self.groups.append(&mut self.dims);
                }
                return self.groups.len() + self.dims.len() == 1;
            }
            match (grouped, metric.agg, &self.metrics[..]) {
                // `rank shops by revenue`, `shops by revenue, highest first`
                (true, None, []) if metric.measure.is_some_and(|m| table.is_summed(m)) => {
                    self.metrics.push(Metric { agg: Some(Agg::Sum), ..metric });
                    self.groups.append(&mut self.dims);
                    self.sorted = self.sorted.or(Some(true));
                }
                // `plans sorted by mean rating`, `города по выручке по убыванию`
                (true, _, []) => {
                    self.metrics.push(metric);
                    self.groups.append(&mut self.dims);
                    self.sorted = self.sorted.or(Some(true));
                }
                (true, _, [one]) if one.measure == metric.measure => {
                    self.sorted = self.sorted.or(Some(true));
                }
                (false, None, []) => {
                    self.order.push(metric);
                    let descending = self.sorted.take() == Some(true);
                    self.ranks.push(Rank {
                        number: None,
                        descending,
                        superlative: false,
                        many: false,
                        best: false,
                    });
                    self.unlimited = true;
                }
                _ => return false,
            }
        }
        // `largest rise in percent`: the extreme change, not one of the rises
        let sign = |c: &Cond| match c {
            Cond::Compare(
                Measure::Derived(Derived::Change, _),
                cmp @ (Cmp::Gt | Cmp::Lt),
                Operand::Number(x),
            ) if *x == 0.0 => Some(*cmp == Cmp::Gt),
            _ => None,
        };
        // `the day of the biggest fall`: in points or in per cent is a question for the person
        let day = self.bars
            && (self.when
                || self.entities.contains(&Entity::Days)
                || self.dims == [Dim::Part(Part::Day)])
            && self.counts.is_empty()
            && self.groups.is_empty();
        if (self.percent || day)
            && self.by_move.is_none()
            && self.order.is_empty()
            && self.metrics.is_empty()
            && matches!(self.ranks[..], [Rank { descending: true, many: false, best: false, .. }])
            && let Some(at) = self.filters.iter().position(|c| sign(c).is_some())
        {
            self.by_move = sign(&self.filters.remove(at));
            self.move_unsaid = !self.percent;
            self.dims.retain(|dim| *dim != Dim::Part(Part::Day));
            self.entities.push(Entity::Days);
            self.entities.dedup();
        }
        self.settle_gap();
        if let Some(up) = self.by_move {
            let [rank] = &mut self.ranks[..] else { return false };
            if !self.order.is_empty() || !self.metrics.is_empty() {
                return false;
            }
            rank.descending = up;
            let measure = Measure::Derived(Derived::Change, std::mem::take(&mut self.percent));
            self.order.push(Metric { agg: None, measure: Some(measure), every: None });
        }
        if self.when
            && self.ranks.is_empty()
            && let [Metric { agg: Some(agg @ (Agg::Min | Agg::Max)), measure: Some(m), every }] =
                self.metrics[..]
        {
            self.metrics.clear();
            self.order.push(Metric { agg: None, measure: Some(m), every });
            self.ranks.push(Rank {
                number: None,
                descending: agg == Agg::Max,
                superlative: true,
                many: false,
                best: false,
            });
        }
        true
    }

    /// `the biggest gap down`: the least of the gaps.
    fn settle_gap(&mut self) {
        let sign = |c: &Cond| match c {
            Cond::Compare(
                gap @ Measure::Derived(Derived::Gap, _),
                cmp @ (Cmp::Gt | Cmp::Lt),
                Operand::Number(x),
            ) if *x == 0.0 => Some((*gap, *cmp == Cmp::Gt)),
            _ => None,
        };
        let [rank] = &mut self.ranks[..] else { return };
        if !rank.descending
            || rank.many
            || rank.best
            || !(self.metrics.is_empty() && self.order.is_empty() && self.counts.is_empty())
            || !(self.groups.is_empty() && self.dims.is_empty())
        {
            return;
        }
        if let Some(at) = self.filters.iter().position(|c| sign(c).is_some())
            && let Some((gap, up)) = sign(&self.filters.remove(at))
        {
            rank.descending = up;
            self.order.push(Metric { agg: None, measure: Some(gap), every: None });
            if self.entities.is_empty() {
                self.entities.push(Entity::Days);
            }
        }
    }
}

/// The day of the biggest fall by each of its measures, where none is said.
pub(super) fn by_either(sketch: &Sketch) -> Vec<Sketch> {
    [(true, 0.74), (false, 0.7)]
        .into_iter()
        .map(|(percent, quality)| Sketch {
            order: Some(Measure::Derived(Derived::Change, percent)),
            quality: sketch.quality.min(1.0) * quality,
            ..sketch.clone()
        })
        .collect()
}
