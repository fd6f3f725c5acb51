//! Questions for the first ones of an order: `top 10 days by volume`, `shop with the highest total`.

use super::super::grammar::is_extreme;
use super::super::sketch::{
    Cond, Dim, Entity, Measure, Metric, Operand, Rank, Select, Sketch, Target,
};
use super::super::words::{Agg, Cmp, Derived, Part};
use super::table::Table;
use super::{LEFT_OVER, Parts, UNSAID, leftovers};
use crate::schema::Kind;

impl Table<'_> {
    /// `top 10 days by volume`, `shop with the highest total amount`, `largest amount`
    pub(super) fn ranking(&self, parts: &Parts) -> Vec<Sketch> {
        let first =
            Rank { number: None, descending: true, superlative: true, many: false, best: false };
        let Rank { number, mut descending, superlative, many, best } =
            parts.ranks.first().copied().unwrap_or(first);
        let asked = parts.order.iter().chain(&parts.metrics).copied().collect::<Vec<_>>();
        let metric = match asked[..] {
            [] => None,
            [metric] => Some(metric),
            // `the widest range on average`
            [
                Metric { agg: None, measure: Some(measure), every },
                Metric {
                    agg: Some(agg @ (Agg::Mean | Agg::Median | Agg::Sum)), measure: None, ..
                },
            ] => Some(Metric { agg: Some(agg), measure: Some(measure), every }),
            _ => return Vec::new(),
        };
        let mut base = parts.base();
        base.quality *= if parts.few_of_each && !parts.of_each { 0.7 } else { 1.0 };
        // which of yes and no has the most is nothing that anybody asks for
        let flag = |d: &Dim| {
            matches!(d, Dim::Column(c)
                if self.schema.columns.get(*c).is_some_and(|c| c.kind == Kind::Bool))
        };
        if parts.dims.iter().any(flag) {
            base.quality *= LEFT_OVER;
        }
        // where something adds up, the most of a value may be the most of that
        if parts.many_values
            && parts.entities.is_empty()
            && self.numeric().into_iter().any(|m| self.adds_up(m))
        {
            base.quality *= 0.7;
        }
        if parts.often && !parts.filters.iter().all(Cond::is_moment) {
            base.quality *= 0.74;
        }
        if best && let Some(measure) = metric.and_then(|m| m.measure) {
            match self.less_is_better(measure) {
                Some(true) => descending = !descending,
                Some(false) => {}
                // which end is the best is a question for the person
                None => base.quality *= 0.7,
            }
        }
        // of the fewest, those that have none are not among the groups
        if many && !descending && metric.is_none() && !parts.filters.iter().all(Cond::is_moment) {
            base.quality *= 0.7;
        }
        base.descending = descending;
        let rank = Rank { number, descending, superlative, many, best };
        if let Some(sketch) = self.best_of_each(parts, &base, metric, rank) {
            return vec![sketch];
        }
        let mut sketches = Vec::new();
        let dims: Vec<Dim> = parts.dims.clone();
        // days of bars are rows
        if self.bars()
            && metric.is_none_or(|m| m.agg.is_none())
            && dims.contains(&Dim::Part(Part::Day))
        {
            return Vec::new();
        }
        if metric.is_none() && superlative && dims.is_empty() && parts.entities.is_empty() {
            return largest_move(&base, extreme_of(descending));
        }
        let extreme = extreme_of(descending);
        let grouped = |sketch: &mut Sketch, more: &[Dim]| {
            sketch.groups = more.iter().chain(&parts.groups).copied().collect();
            sketch.groups.dedup();
            sketch.ranked = true;
            sketch.limit = number.or(superlative.then_some(1));
            // `top 2 drinks per store`
            if parts.of_each && !more.is_empty() && sketch.limit.is_some() {
                sketch.of_each.clone_from(&parts.groups);
            }
        };
        // days of bars are rows, other days are groups
        let framed = parts.entities.iter().any(|e| matches!(e, Entity::Frames(_)));
        // `on which day did we spend the most`: on all of its rows
        let by_day = parts.which_day
            && metric.is_some_and(|m| m.measure.is_some_and(|measure| self.adds_up(measure)));
        let days = framed || by_day || parts.entities.contains(&Entity::Days);
        let count = parts.counts.first().copied();
        if !dims.is_empty() || (!parts.groups.is_empty() && !superlative) || count.is_some() {
            let all: Vec<Dim> = dims.iter().chain(&parts.groups).copied().collect();
            let several = all.len() > 1 && (dims.is_empty() || !parts.of_each);
            if all.is_empty() || (superlative && number.is_none() && several) {
                return Vec::new();
            }
            let selects: Vec<(Select, f64)> = match (count, metric) {
                (Some(Target::Entity(_) | Target::Unsaid), None) => vec![(Select::Count, 1.0)],
                (Some(Target::Distinct(dim)), None) => vec![(Select::CountDistinct(dim), 0.9)],
                (Some(_), Some(_)) => return Vec::new(),
                (None, Some(Metric { agg: Some(agg), measure: Some(measure), .. })) => {
                    vec![(Select::Agg(agg, measure), 1.0)]
                }
                (None, Some(Metric { agg: None, measure: Some(measure), .. })) => {
                    // what adds up is added up, and so is what there are most of
                    let counted = self.is_counted(measure);
                    let sums = self.adds_up(measure) || (many && counted);
                    // of a name that is in most rows, it may be a number of its own
                    let free = matches!(dims[..], [Dim::Column(c)] if self.is_free_text(c));
                    // `the longest film` is long by itself, not all of its showings
                    let adjective = !parts.ranked_by.is_empty() && !self.is_summed(measure);
                    let least = if sums && adjective {
                        [0.74, 0.72, 0.68]
                    } else if sums && (self.adds_up(measure) || !free) {
                        [0.6, 0.9, 0.6]
                    } else if !free && self.is_mark(measure) {
                        // `three best rated models`: almost any has the best mark once
                        [0.6, 0.87, 0.5]
                    } else if counted {
                        // `top 5 machines by cups`
                        [0.6, 0.74, 0.6]
                    } else {
                        [0.72, 0.74, 0.68]
                    };
                    let mut list = vec![(Select::Agg(extreme, measure), least[0])];
                    let usual = if sums || counted {
                        vec![Agg::Sum, Agg::Mean]
                    } else {
                        self.usual(measure)
                    };
                    list.extend(
                        usual
                            .into_iter()
                            .zip([least[1], least[2]])
                            .map(|(agg, q)| (Select::Agg(agg, measure), q)),
                    );
                    list
                }
                (None, Some(Metric { agg: Some(agg), measure: None, .. })) => {
                    let fit = if self.numeric().len() == 1 { 0.93 } else { UNSAID };
                    self.numeric().into_iter().map(|m| (Select::Agg(agg, m), fit)).collect()
                }
                // `which shop has the most purchases`
                (None, _) if many && !parts.entities.is_empty() => vec![(Select::Count, 0.95)],
                // `receipts per shop, top 5`
                (None, None)
                    if dims.is_empty() && number.is_some() && !parts.entities.is_empty() =>
                {
                    vec![(Select::Count, 0.85)]
                }
                (None, _) => {
                    let mut list = vec![(Select::Count, UNSAID)];
                    list.extend(self.main().map(|m| (Select::Agg(Agg::Sum, m), UNSAID)));
                    list
                }
            };
            for (select, quality) in selects {
                let mut sketch = base.clone();
                grouped(&mut sketch, &dims);
                sketch.select = vec![select];
                sketch.quality *= quality;
                sketches.push(sketch);
            }
        }
        // `the oldest rabbit` is one of the rows, by a value that tells what it is
        let told = !parts.ranked_by.is_empty()
            && parts.filters.iter().any(|c| matches!(c, Cond::Values { negated: false, .. }));
        let rows = !parts.entities.is_empty() || parts.when || told;
        // `product with the highest price`: a name of its own in most rows
        if let ([Dim::Column(column)], Some(Metric { agg: None, measure: Some(measure), .. })) =
            (&dims[..], metric)
            && self.is_free_text(*column)
            && !self.adds_up(measure)
            && !(many && self.is_counted(measure))
            && parts.groups.is_empty()
            && count.is_none()
        {
            let mut sketch = base.clone();
            sketch.order = Some(measure);
            sketch.limit = number.or(superlative.then_some(1));
            sketch.quality *= if self.is_counted(measure) { 0.72 } else { 0.85 };
            sketches.push(sketch);
        }
        if let (Some(number), true, true) = (number, parts.of_each, dims.is_empty())
            && count.is_none()
        {
            // so many of each group are not so many groups
            for sketch in &mut sketches {
                sketch.quality *= 0.7;
            }
            let rows = if rows { 1.0 } else { 0.75 };
            let first = self.first_of_each(parts, &base, metric, number);
            sketches.extend(first.into_iter().map(|s| Sketch { quality: s.quality * rows, ..s }));
        }
        if let Some(Metric { agg, measure: Some(measure), .. }) = metric
            && count.is_none()
            && dims.is_empty()
        {
            if parts.groups.is_empty()
                && (rows || number.is_some() || (parts.unlimited && !parts.filters.is_empty()))
            {
                let mut sketch = base.clone();
                let day_rows = !days || self.bars() || self.a_row_a_day();
                sketch.order = Some(measure);
                sketch.limit = number.or(superlative.then_some(1));
                sketch.days |= parts.when && self.bars();
                sketch.quality *= if day_rows { 1.0 } else { 0.0 };
                // `top 5 days by total volume`: the volume of a day is a total already
                sketch.quality *= match agg {
                    None => 1.0,
                    Some(Agg::Sum) if days && self.adds_up(measure) => 0.95,
                    // `films by number of votes`: a row has its own
                    Some(Agg::Sum) if rows && !days && self.is_counted(measure) => 0.95,
                    Some(agg) if is_extreme(agg) => 0.7,
                    Some(_) => LEFT_OVER,
                };
                sketch.quality *= if rows { 1.0 } else { 0.85 };
                sketches.push(sketch);
            }
            if days && !self.bars() && !self.a_row_a_day() {
                let usual = self.usual(measure);
                for (rank, agg) in agg.map_or(usual, |a| vec![a]).into_iter().enumerate() {
                    let mut sketch = base.clone();
                    grouped(&mut sketch, &[Dim::Part(Part::Day)]);
                    sketch.select = vec![Select::Agg(agg, measure)];
                    // the mean of what is added up is seldom meant
                    let apart = if self.is_summed(measure) { 0.16 } else { 0.06 };
                    sketch.quality *= 0.9 - apart * rank as f64;
                    sketches.push(sketch);
                }
            }
            if superlative && number.is_none() && !parts.when {
                let mut sketch = base.clone();
                match agg {
                    // `highest amount by shop`
                    None => {
                        sketch.select = vec![Select::Agg(extreme, measure)];
                        // `the highest grossing film of each genre`: a row of each
                        if rows && !parts.groups.is_empty() && parts.ranked_by.is_empty() {
                            sketch.quality *= 0.85;
                        }
                        // `потратили больше всего, по магазинам`: of the totals, one of them
                        if many && self.adds_up(measure) && !parts.groups.is_empty() {
                            sketch.quality *= 0.7;
                        }
                    }
                    // `highest average amount by shop`
                    Some(agg) => {
                        grouped(&mut sketch, &[]);
                        sketch.select = vec![Select::Agg(agg, measure)];
                        sketch.quality *= if parts.groups.is_empty() { 0.4 } else { 0.9 };
                    }
                }
                sketch.quality *= if rows { 0.8 } else { 1.0 };
                sketches.push(sketch);
            }
        } else if metric.is_none() && count.is_none() && dims.is_empty() {
            // `top 5 purchases`, `largest purchase`
            let mut columns = self.numeric();
            if days && self.bars() {
                // the best day of a market is the one with the largest change
                columns = vec![Measure::Derived(Derived::Change, true)];
            }
            let quality = match &columns[..] {
                [Measure::Derived(..)] if best => 0.9,
                [_] if !self.bars() => 0.93,
                _ => UNSAID,
            };
            // `largest receipt`: by its money
            // what there is most often is no sum of money
            base.quality *= if many { 0.8 } else { 1.0 };
            let main = self.main().filter(|_| rows && columns.len() > 1);
            for measure in columns {
                let mut sketch = base.clone();
                if main.is_some() {
                    sketch.quality *= if main == Some(measure) { 1.25 } else { 0.8 };
                }
                sketch.order = Some(measure);
                sketch.limit = number.or(superlative.then_some(1));
                sketch.quality *= quality
                    * if rows { 1.0 } else { LEFT_OVER }
                    * if self.is_main(measure) { 1.0 } else { 0.95 };
                sketches.push(sketch);
            }
        }
        // a ranking with neither a number nor `highest` has no end
        for sketch in &mut sketches {
            if parts.unlimited {
                sketch.quality *= if sketch.order.is_some() { 0.95 } else { LEFT_OVER };
            } else if sketch.limit.is_none() && (sketch.ranked || sketch.order.is_some()) {
                sketch.quality *= 0.85;
                sketch.limit = Some(10);
            }
        }
        sketches
    }
}

impl Table<'_> {
    /// `last 5 orders`, `пять самых свежих заказов`
    pub(super) fn ends(&self, parts: &Parts, number: Option<u64>, last: bool) -> Vec<Sketch> {
        let grouped = !parts.groups.is_empty();
        if self.schema.time.is_none() || parts.entities.is_empty() || (grouped && !parts.of_each) {
            return Vec::new();
        }
        let mut sketch = parts.base();
        // `the newest order of each customer`
        sketch.of_each = std::mem::take(&mut sketch.groups);
        sketch.latest = Some(last);
        sketch.limit = Some(number.unwrap_or(1));
        // `last purchases`: how many of them is a question for the person
        sketch.quality *= if number.is_some() { 0.95 } else { 0.85 };
        sketch.quality *= leftovers(&[
            !parts.metrics.is_empty(),
            !parts.counts.is_empty(),
            !parts.ranks.is_empty(),
            !parts.order.is_empty(),
            !parts.dims.is_empty(),
            parts.entities.len() > 1,
            parts.shares > 0,
            !parts.correlations.is_empty(),
            parts.change.is_some(),
        ]);
        vec![sketch]
    }
}

/// `biggest drop`: the extreme change of the market, in per cent or in points.
fn largest_move(base: &Sketch, extreme: Agg) -> Vec<Sketch> {
    let moved = Measure::Derived(Derived::Change, false);
    let rest: Vec<Cond> = base
        .filters
        .iter()
        .filter(|c| {
            !matches!(c, Cond::Compare(m, Cmp::Gt | Cmp::Lt, Operand::Number(x))
            if *m == moved && *x == 0.0)
        })
        .cloned()
        .collect();
    let fall = base.filters.iter().any(|c| matches!(c, Cond::Compare(_, Cmp::Lt, _)));
    if extreme != Agg::Max || rest.len() + 1 != base.filters.len() {
        return Vec::new();
    }
    [(true, 0.74), (false, 0.7)]
        .into_iter()
        .map(|(percent, quality)| {
            let mut sketch = base.clone();
            sketch.filters.clone_from(&rest);
            let agg = if fall { Agg::Min } else { Agg::Max };
            sketch.select = vec![Select::Agg(agg, Measure::Derived(Derived::Change, percent))];
            sketch.quality *= quality;
            sketch
        })
        .collect()
}

pub(super) fn extreme_of(descending: bool) -> Agg {
    if descending { Agg::Max } else { Agg::Min }
}
