//! Productions for what is asked: aggregates, counts, groups, orders.

use super::super::lattice::{Lattice, Tag};
use super::super::sketch::{Dim, Item, Measure, Metric, Rank, Target};
use super::super::stem::is_cyrillic;
use super::super::words::{Agg, Concept, Part};
use super::{Quantity, Way};
use crate::schema::Kind;

/// Members of a list that one production takes.
const LIST: usize = 4;
/// Ways that a list keeps, best first.
const WAYS: usize = 24;

/// An aggregate that may stand before a measure.
fn as_agg(concept: Concept) -> Option<Agg> {
    match concept {
        Concept::Agg(agg) if !matches!(agg, Agg::Pct | Agg::Correlation) => Some(agg),
        _ => None,
    }
}

impl Lattice<'_> {
    /// `average gap`, `max and min close`, `mean of open and close`, `gap`.
    pub(super) fn metrics(&self, at: usize) -> Vec<Way<Vec<Metric>>> {
        let mut ways: Vec<Way<Vec<Metric>>> = Vec::new();
        for (aggs, end) in self.aggs(at, LIST) {
            let bare = aggs.iter().map(|&a| Metric { agg: Some(a), measure: None, daily: false });
            ways.push((bare.collect(), end, 1.0));
            let (next, daily) = self.daily(self.glue(end));
            for (measures, end, quality) in self.measure_list(next) {
                ways.push((cross(&aggs, &measures, daily), end, quality));
            }
            // `среднее по объему`
            if self.tokens.get(at).is_some_and(|t| t.folded.chars().any(is_cyrillic))
                && let Some(end) = self.take(end, Concept::By)
            {
                for (measure, end, quality) in self.measures(end) {
                    ways.push((cross(&aggs, &[measure], false), end, quality * 0.8));
                }
            }
        }
        // one word that names both, `сумма` over a column of amounts
        for (agg, end) in self.find(at, as_agg) {
            for (measure, measure_end, quality) in self.measures(at) {
                if measure_end == end && !super::is_extreme(agg) {
                    ways.push((cross(&[agg], &[measure], false), end, quality.min(0.95)));
                }
            }
        }
        let (next, daily) = self.daily(at);
        for (measures, end, quality) in self.measure_list(next) {
            ways.push((
                measures.iter().map(|&m| Metric { agg: None, measure: Some(m), daily }).collect(),
                end,
                quality,
            ));
            // `gap average`
            if let [measure] = measures[..] {
                for (agg, end) in self.find(end, as_agg) {
                    ways.push((cross(&[agg], &[measure], daily), end, quality * 0.95));
                }
            }
        }
        ways
    }

    /// One or more aggregates: `min and max`.
    fn aggs(&self, at: usize, most: usize) -> Vec<(Vec<Agg>, usize)> {
        let mut ways = Vec::new();
        for (agg, end) in self.find(at, as_agg) {
            ways.push((vec![agg], end));
            if most > 1
                && let Some(next) = self.take(end, Concept::And)
            {
                for (mut more, end) in self.aggs(self.glue(next), most - 1) {
                    more.insert(0, agg);
                    ways.push((more, end));
                }
            }
        }
        ways
    }

    /// One or more measures: `open and close`.
    fn measure_list(&self, at: usize) -> Vec<Way<Vec<Measure>>> {
        let mut ways = Vec::new();
        for (measure, end, quality) in self.measures(at) {
            ways.push((vec![measure], end, quality));
            if let Some(next) = self.take(end, Concept::And) {
                for (more, end, q) in self.measures(self.glue(next)) {
                    ways.push((vec![measure, more], end, quality * q));
                }
            }
        }
        ways
    }

    fn daily(&self, at: usize) -> (usize, bool) {
        match self.take(at, Concept::Daily) {
            Some(end) => (end, true),
            None => (at, false),
        }
    }

    /// `how many days`, `number of different shops`, `сколько раз`.
    pub(super) fn counts(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        for ((), end) in self.find(at, |c| (c == Concept::Count).then_some(())) {
            // `количество` alone may as well be the quantity
            let column = self.at(at).iter().any(|m| matches!(m.tag, Tag::Column(_)));
            ways.push((Item::Count(Target::Unsaid), end, if column { 0.75 } else { 0.97 }));
            let next = self.glue(end);
            let (next, distinct) = match self.take(next, Concept::Distinct) {
                Some(end) => (end, true),
                None => (next, false),
            };
            if !distinct {
                for (entity, end, quality) in self.entities(next) {
                    ways.push((Item::Count(Target::Entity(entity)), end, quality));
                }
            }
            for (dim, end, quality) in self.dims(next) {
                // `how many days` counts days of the table, not dates; `how many cancelled` filters
                let flag = match dim {
                    Dim::Column(column) => self.kind(column) == Some(Kind::Bool),
                    Dim::Part(part) => part == Part::Day,
                };
                if flag && !distinct {
                    continue;
                }
                ways.push((
                    Item::Count(Target::Distinct(dim)),
                    end,
                    if distinct { quality } else { quality * 0.97 },
                ));
            }
        }
        for ((), end) in self.find(at, |c| (c == Concept::Distinct).then_some(())) {
            for (dim, end, quality) in self.dims(end) {
                ways.push((Item::Count(Target::Distinct(dim)), end, quality * 0.8));
            }
        }
        ways
    }

    /// `by shop and category`, `по дням недели`, `monthly`; `by volume` is an order.
    pub(super) fn groupings(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        for (concept, end) in self.concepts(at) {
            match concept {
                Concept::By | Concept::Each => {
                    let next = self.glue(end);
                    for (dims, end, quality) in self.dim_list(next, LIST) {
                        ways.push((Item::Group(dims), end, quality));
                    }
                    if concept == Concept::By {
                        for (metrics, end, quality) in self.metrics(next) {
                            if let [metric] = metrics[..] {
                                ways.push((Item::OrderBy(metric), end, quality));
                            }
                        }
                        for (item, end, quality) in self.counts(next) {
                            if matches!(item, Item::Count(Target::Entity(_) | Target::Unsaid)) {
                                ways.push((item, end, quality));
                            }
                        }
                    }
                }
                Concept::PartAdjective(part) if self.time_column().is_some() => {
                    ways.push((Item::Group(vec![Dim::Part(part)]), end, 0.97));
                }
                _ => {}
            }
        }
        ways
    }

    fn dim_list(&self, at: usize, most: usize) -> Vec<Way<Vec<Dim>>> {
        let mut ways = Vec::new();
        for (dim, end, quality) in self.dims(at) {
            ways.push((vec![dim], end, quality));
            if most > 1
                && let Some(next) = self.take(end, Concept::And)
            {
                let next = self.glue(next);
                // `by shop and by category`
                let next = self.take(next, Concept::By).unwrap_or(next);
                for (mut more, end, q) in self.dim_list(next, most - 1) {
                    more.insert(0, dim);
                    ways.push((more, end, quality * q));
                }
            }
        }
        ways.sort_by(|a, b| b.2.total_cmp(&a.2));
        ways.truncate(WAYS);
        ways
    }

    /// `top 10`, `топ-5`, `3 largest`, `highest`.
    pub(super) fn ranks(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        let count = |at: usize| -> Option<(u64, usize)> {
            let (Quantity { value, unit, .. }, end) = self.number(at)?;
            (unit.is_none() && (1.0..=1e6).contains(&value) && value.fract() == 0.0)
                .then_some((value as u64, end))
        };
        let rank = |number, descending, superlative| {
            Item::Rank(Rank { number, descending, superlative, many: false })
        };
        for (concept, end) in self.concepts(at) {
            match concept {
                Concept::Top(descending) => {
                    let dash = self
                        .tokens
                        .get(end)
                        .is_some_and(|t| ["-", "–", "—"].iter().any(|dash| t.is_symbol(dash)));
                    if let Some((number, end)) = count(if dash { end + 1 } else { end }) {
                        ways.push((rank(Some(number), descending, false), end, 1.0));
                        // `top 5 largest`
                        if let Some(end) = self.take(end, Concept::Most(descending)) {
                            ways.push((rank(Some(number), descending, false), end, 1.0));
                        }
                    } else {
                        ways.push((rank(None, descending, false), end, 0.8));
                    }
                }
                Concept::Most(descending) => {
                    ways.push((rank(None, descending, true), end, 1.0));
                    if let Some((number, end)) = count(end) {
                        ways.push((rank(Some(number), descending, false), end, 1.0));
                    }
                }
                Concept::MostMany(descending) => {
                    let most = Rank { number: None, descending, superlative: true, many: true };
                    ways.push((Item::Rank(most), end, 1.0));
                }
                _ => {}
            }
        }
        if let Some((number, end)) = count(at) {
            for (descending, end) in self.find(end, |c| match c {
                Concept::Most(descending) | Concept::Top(descending) => Some(descending),
                _ => None,
            }) {
                ways.push((rank(Some(number), descending, false), end, 1.0));
            }
            // `5 days with the largest range`
            let next = self.glue(end);
            if !self.entities(next).is_empty() || !self.dims(next).is_empty() {
                ways.push((Item::Amount(number), end, 0.97));
            }
        }
        ways
    }

    /// `share of days`, `correlation between volume and range`.
    pub(super) fn shares(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        for (concept, end) in self.concepts(at) {
            match concept {
                Concept::Agg(Agg::Pct) => ways.push((Item::Share, end, 1.0)),
                Concept::Agg(Agg::Correlation) => {
                    let mut starts = vec![self.glue(end)];
                    starts.extend(self.take(end, Concept::Between));
                    for start in starts {
                        for (a, end, q) in self.measures(start) {
                            let Some(next) = self.correlated(end) else { continue };
                            for (b, end, r) in self.measures(next) {
                                ways.push((Item::Correlation(a, b), end, q * r));
                            }
                        }
                    }
                }
                _ => {}
            }
        }
        ways
    }

    /// `and`, `with`: between the two measures of a correlation.
    fn correlated(&self, at: usize) -> Option<usize> {
        if let Some(end) = self.take(at, Concept::And) {
            return Some(self.glue(end));
        }
        self.take(at, Concept::Stop)
    }

    /// Words that are an item by themselves.
    pub(super) fn lone_words(&self, at: usize) -> Vec<Way<Item>> {
        let mut ways = Vec::new();
        for (concept, end) in self.concepts(at) {
            match concept {
                Concept::Daily => ways.push((Item::Daily, end, 1.0)),
                Concept::Which => ways.push((Item::Which, end, 1.0)),
                Concept::When if at == 0 => {
                    ways.push((Item::When, end, 1.0));
                    ways.push((Item::Noise, end, 0.78));
                }
                Concept::When => ways.push((Item::Noise, end, 1.0)),
                _ => {}
            }
        }
        ways
    }
}

fn cross(aggs: &[Agg], measures: &[Measure], daily: bool) -> Vec<Metric> {
    measures
        .iter()
        .flat_map(|&measure| {
            aggs.iter().map(move |&agg| Metric { agg: Some(agg), measure: Some(measure), daily })
        })
        .collect()
}
