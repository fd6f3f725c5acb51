//! Questions for rows: those that fulfil conditions, or so many of them.

use super::super::sketch::{Cond, Dim, Entity, Recent, Select, Sketch};
use super::super::words::Part;
use super::settle::looks_back;
use super::{Parts, leftovers};

impl Parts {
    /// Rows for which conditions hold, and nothing else.
    pub(super) fn is_plain_list(&self) -> bool {
        let implied = |c: &Cond| c.leaves().iter().any(|c| matches!(c, Cond::Implied { .. }));
        self.entities == [Entity::Rows]
            && !self.filters.is_empty()
            && !self.filters.iter().any(implied)
            && self.metrics.is_empty()
            && self.counts.is_empty()
            && self.groups.is_empty()
            && self.order.is_empty()
            && self.dims.is_empty()
            && self.havings.is_empty()
            && self.correlations.is_empty()
            && self.spreads.is_empty()
            && self.share_of.is_none()
            && self.share_in.is_none()
            && self.shares == 0
            && self.change.is_none()
            && self.sorted.is_none()
            && self.sorted_by.is_none()
            && self.ends.is_none()
            && self.nth.is_none()
            && self.each.is_none()
            && !(self.when || self.percent || self.bare || self.bars)
    }

    /// `first 10 rows`, `первые 5 записей`: so many of the rows that are left, in their order.
    pub(super) fn some_rows(&self) -> Option<Sketch> {
        let ([number], None) = (&self.amounts[..], self.ends) else { return None };
        let rows = matches!(self.entities[..], [Entity::Rows]) && self.dims.is_empty();
        let bare = self.ranks.is_empty()
            && self.order.is_empty()
            && self.metrics.is_empty()
            && self.counts.is_empty()
            && self.groups.is_empty()
            && self.havings.is_empty()
            && self.shares == 0
            && self.correlations.is_empty()
            && self.spreads.is_empty()
            && self.sorted.is_none()
            && self.sorted_by.is_none()
            && self.nth.is_none()
            && self.every.is_empty()
            && self.each.is_none()
            && self.change.is_none()
            && self.by_time.is_none()
            && !self.bare
            && !self.when;
        (rows && bare && self.filters.is_empty()).then(|| {
            let mut sketch = self.base();
            sketch.limit = Some(*number);
            sketch.quality *= 0.95;
            sketch
        })
    }

    /// `days when gap is above 50`, `purchases in Kuper`
    pub(super) fn listing(&self) -> Vec<Sketch> {
        let mut sketch = self.base();
        // `every day it lost at least 6%`: the days, where a row is one
        let days = self.bars && self.groups == [Dim::Part(Part::Day)];
        if days && !sketch.filters.is_empty() && self.dims.is_empty() && self.order.is_empty() {
            sketch.groups.clear();
            sketch.days = true;
            sketch.quality *= 0.95;
            return vec![sketch];
        }
        // `names and salaries of all employees`
        let shown = !self.columns.is_empty() && self.groups.is_empty();
        if (sketch.filters.is_empty() && !shown) || !self.groups.is_empty() {
            // `purchases by shop`: how many
            if self.groups.is_empty() {
                // `weekly bars`, `visits sorted by date`
                let rows = sketch.frame.is_some()
                    || self.by_time.is_some() && self.entities.contains(&Entity::Rows);
                let bars = rows && self.dims.is_empty() && self.order.is_empty();
                sketch.quality *= 0.9;
                return if bars { vec![sketch] } else { Vec::new() };
            }
            sketch.select = vec![Select::Count];
            // `days listed by district`: not how many rows there are
            let rows = self.bars || self.entities.iter().any(|e| *e != Entity::Days);
            // `cancellations by airline`
            let flagged = self.dims.is_empty()
                && self.filters.iter().any(|c| matches!(c, Cond::Flag { wanted: true, .. }))
                && self.filters.iter().all(|c| matches!(c, Cond::Flag { .. }) || c.is_moment());
            let counted = flagged || (rows && !self.entities.is_empty());
            sketch.quality *= if counted { 0.8 } else { 0.5 };
            sketch.quality *= leftovers(&[!self.dims.is_empty() && !self.named]);
            return vec![sketch];
        }
        let compared = |c: &Cond| {
            c.leaves().iter().any(|c| {
                matches!(
                    c,
                    Cond::Compare(..)
                        | Cond::Cross(..)
                        | Cond::Contains { .. }
                        | Cond::Missing { .. }
                        | Cond::Values { negated: true, .. }
                )
            })
        };
        let compared = self.filters.iter().any(compared) || self.filters.len() > 1;
        let recent = |c: &Cond| matches!(c, Cond::Recent(Recent::Days(_)));
        let recent = self.filters.len() == 1 && self.filters.iter().any(recent);
        let named =
            !self.entities.is_empty() || self.frame.is_some() || (recent && self.bars) || shown;
        sketch.days |= recent && self.bars;
        sketch.quality *= match (!named, compared) {
            (false, _) => 0.95,
            // `amount over 500`, `engineers not in Berlin`
            (true, true) => 0.88,
            (true, false) => 0.6,
        };
        // `was it higher than yesterday`: of the last day, or of all
        if self.entities.is_empty() && looks_back(&sketch) {
            sketch.quality *= 0.85;
        }
        // `runners older than 60`: rows, by a name that each has
        let named = self.dims.len() == 1 && self.named;
        if named && self.entities.is_empty() {
            sketch.quality *= if compared { 1.0 } else { 0.9 };
        }
        sketch.quality *= leftovers(&[!self.order.is_empty(), !self.dims.is_empty() && !named]);
        vec![sketch]
    }
}
