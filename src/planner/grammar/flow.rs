//! Productions for what is done with groups: their change, their share in the whole, their order.

use super::super::lattice::Lattice;
use super::super::sketch::{Dim, Entity, Item, Measure};
use super::super::token::Unit;
use super::super::words::{Agg, Concept, Part};
use super::Way;

impl Lattice<'_> {
    /// `change against the previous month`, `month over month`, `изменение к предыдущему году`.
    pub(super) fn changes(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        let mut starts = vec![(at, false, false)];
        for (percent, end) in self.find(at, |c| match c {
            Concept::Difference(percent) => Some(percent),
            _ => None,
        }) {
            starts.push((end, percent, true));
            // `change in percent`, `change of it`
            if let Some((Unit::Percent, end)) = self.unit(self.over_stop(end)) {
                starts.push((end, true, true));
            }
        }
        // `% change to previous month`
        if let Some((Unit::Percent, end)) = self.unit(at)
            && let Some((_, end)) = self.difference(end)
        {
            starts.push((end, true, true));
        }
        for (start, percent, said) in starts {
            let quality = if said { 1.0 } else { 0.97 };
            for (concept, end) in self.concepts(start) {
                match concept {
                    Concept::Previous => {
                        let part = self.part(self.glue(end));
                        let after = part.map_or(end, |(_, end)| end);
                        let part = part.map(|(part, _)| part);
                        ways.push((Item::Change { percent, part }, after, quality));
                    }
                    Concept::Over(part) => {
                        ways.push((Item::Change { percent, part: Some(part) }, end, quality));
                    }
                    _ => {}
                }
            }
            // said apart from what it is against: `percent change of total amount month over month`
            if said {
                ways.push((Item::Differ { percent }, start, 0.99));
            }
        }
        ways
    }

    fn difference(&self, at: usize) -> Option<(bool, usize)> {
        self.find(at, |c| match c {
            Concept::Difference(percent) => Some(percent),
            _ => None,
        })
        .into_iter()
        .max_by_key(|&(_, end)| end)
    }

    pub(super) fn part(&self, at: usize) -> Option<(Part, usize)> {
        self.find(at, |c| match c {
            Concept::Part(part) => Some(part),
            _ => None,
        })
        .into_iter()
        .max_by_key(|&(_, end)| end)
    }

    /// Glue and one word that means nothing.
    fn over_stop(&self, at: usize) -> usize {
        let at = self.glue(at);
        self.glue(self.take(at, Concept::Stop).unwrap_or(at))
    }

    /// `share of each category in total amount`, `доля каждого магазина в сумме`.
    pub(super) fn shares_of_whole(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        let starts = self.find(at, |c| (c == Concept::Agg(Agg::Pct)).then_some(()));
        for ((), end) in starts {
            let next = self.over_stop(end);
            for (dim, end, q) in self.each_dim(next) {
                for (measure, end, r) in self.totals(self.over_stop(end)) {
                    ways.push((Item::ShareOf { dim, measure: Some(measure) }, end, q * r));
                }
            }
            // `share of revenue by city`, `процент заказов по городам`
            for (measure, end, q) in self.totals(next) {
                let place = self.over_stop(end);
                for by in [end, place].into_iter().filter_map(|at| self.take(at, Concept::By)) {
                    for (dim, end, r) in self.dims(self.glue(by)) {
                        ways.push((Item::ShareOf { dim, measure: Some(measure) }, end, q * r));
                    }
                }
            }
            for (entity, end, q) in self.entities(next) {
                if entity != Entity::Rows {
                    continue;
                }
                // `share of readings that falls on each status`
                let place = self.over_stop(self.over_stop(end));
                let each = [end, place].into_iter().find_map(|at| self.take(at, Concept::Each));
                for by in each.into_iter().chain(self.take(end, Concept::By)) {
                    for (dim, end, r) in self.dims(self.glue(by)) {
                        ways.push((Item::ShareOf { dim, measure: None }, end, q * r * 0.97));
                    }
                }
            }
            for (measure, end, q) in self.totals(next) {
                // `goes to each category`, `составляет каждый магазин`
                let mut place = self.over_stop(self.over_stop(end));
                if self.each_dim(place).is_empty() {
                    place += 1;
                }
                for (dim, end, r) in self.each_dim(place) {
                    ways.push((Item::ShareOf { dim, measure: Some(measure) }, end, q * r));
                }
            }
        }
        ways
    }

    fn each_dim(&self, at: usize) -> Vec<Way<Dim>> {
        let start = self.take(at, Concept::Stop).unwrap_or(at);
        let mut found = Vec::new();
        for place in [at, start] {
            if let Some(end) = self.take(place, Concept::Each) {
                found.extend(self.dims(self.glue(end)));
            }
        }
        found.dedup();
        found
    }

    /// A measure, or the total of one.
    fn totals(&self, at: usize) -> Vec<Way<Measure>> {
        let mut found = self.measures(at);
        // `total`, `in the total sum of`
        let mut place = at;
        for _ in 0..3 {
            let Some(end) = self.take(place, Concept::Agg(Agg::Sum)) else { break };
            place = self.glue(end);
            found.extend(self.measures(place));
        }
        found
    }

    /// `sorted by rating`, `отсортируй тарифы по оценке`; `by the fall`; `show them`.
    pub(super) fn ordered_by(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        if let Some(end) = self.take(at, Concept::SortBy) {
            for (metrics, end, quality) in self.metrics(self.glue(end)) {
                if let [metric] = metrics[..] {
                    ways.push((Item::SortedBy(metric), end, quality));
                }
            }
        }
        // `отсортируй тарифы по средней оценке`
        let sort = ["sort", "rank", "order", "отсортируй", "отсортируйте", "упорядочи", "сортируй"];
        if self.tokens.get(at).is_some_and(|t| sort.contains(&t.folded.as_str())) {
            for (dim, end, quality) in self.dims(self.glue(at + 1)) {
                if self.take(end, Concept::By).is_some() {
                    ways.push((Item::Group(vec![dim]), end, quality));
                }
            }
        }
        if let Some(end) = self.take(at, Concept::By)
            && self.schema.ohlcv.is_some()
        {
            for (up, end) in self.find(self.glue(end), |c| match c {
                Concept::Move(up) => Some(up),
                _ => None,
            }) {
                ways.push((Item::ByMove(up), end, 1.0));
            }
        }
        if let Some(end) = self.take(at, Concept::Listing) {
            ways.push((Item::Listing, end, 1.0));
        }
        ways
    }

    /// `highest first`, `по убыванию`; `a day`, `в месяц`.
    pub(super) fn orders(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        for (concept, end) in self.concepts(at) {
            match concept {
                Concept::Sorted(descending) => ways.push((Item::Sorted(descending), end, 1.0)),
                Concept::PerPart(part) if self.time_column().is_some() => {
                    ways.push((Item::Each(part), end, 1.0));
                }
                _ => {}
            }
        }
        ways
    }
}
