//! From the parts of a question to sketches of queries: what was left unsaid is filled in here, and
//! every assumption costs confidence.

mod ranking;
mod table;

use super::grammar::{Parse, unit_fits};
use super::sketch::{
    Cond, Dim, Entity, Item, Measure, Metric, Operand, Rank, Select, Sketch, Target,
};
use super::token::Unit;
use super::words::{Agg, Derived, Part};
pub(super) use table::Table;

/// A question that says neither which measure nor which aggregate is meant.
const UNSAID: f64 = 0.7;
/// A part of the question that the form of the query has no place for.
const LEFT_OVER: f64 = 0.45;

/// The parts of one parse, by what they are.
#[derive(Debug, Clone, Default)]
struct Parts {
    metrics: Vec<Metric>,
    counts: Vec<Target>,
    groups: Vec<Dim>,
    order: Vec<Metric>,
    filters: Vec<Cond>,
    ranks: Vec<Rank>,
    entities: Vec<Entity>,
    amounts: Vec<u64>,
    dims: Vec<Dim>,
    correlations: Vec<(Measure, Measure)>,
    shares: usize,
    daily: bool,
    which: bool,
    when: bool,
}

impl Parts {
    fn new(items: &[Item]) -> Self {
        let mut parts = Self::default();
        for item in items {
            match item {
                Item::Noise | Item::Unknown(_) => {}
                Item::Metrics(list) => parts.metrics.extend(list),
                Item::Count(target) => parts.counts.push(*target),
                Item::Group(dims) => parts.groups.extend(dims),
                Item::OrderBy(metric) => parts.order.push(*metric),
                Item::Filter(cond) => parts.filters.push(cond.clone()),
                Item::Rank(rank) => parts.ranks.push(*rank),
                Item::Entity(entity) => parts.entities.push(*entity),
                Item::Amount(number) => parts.amounts.push(*number),
                Item::Dim(dim) => parts.dims.push(*dim),
                Item::Daily => parts.daily = true,
                Item::Which => parts.which = true,
                Item::When => parts.when = true,
                Item::Share => parts.shares += 1,
                Item::Correlation(a, b) => parts.correlations.push((*a, *b)),
            }
        }
        parts.daily |= parts.metrics.iter().chain(&parts.order).any(|m| m.daily);
        parts.groups.dedup();
        parts
    }

    /// A sketch with everything that does not depend on its form.
    fn base(&self) -> Sketch {
        Sketch {
            groups: self.groups.clone(),
            filters: self.filters.clone(),
            days: self.daily
                || self.entities.contains(&Entity::Days)
                || self.counts.contains(&Target::Entity(Entity::Days)),
            quality: 1.0,
            ..Sketch::default()
        }
    }

    /// `share of days when gap is above 50`
    fn share(&self) -> Vec<Sketch> {
        let mut sketch = self.base();
        if sketch.filters.is_empty() {
            return Vec::new();
        }
        // moments narrow the rows; what is asked for is the share of the rest
        let (when, what): (Vec<Cond>, Vec<Cond>) = sketch.filters.drain(..).partition(is_moment);
        let (filters, conds) = if what.is_empty() { (Vec::new(), when) } else { (when, what) };
        sketch.filters = filters;
        sketch.select = vec![Select::Share(conds)];
        sketch.quality *= leftovers(&[
            !self.metrics.is_empty(),
            !self.counts.is_empty(),
            !self.dims.is_empty(),
            !self.ranks.is_empty(),
        ]);
        vec![sketch]
    }

    /// `correlation between volume and range`
    fn correlation(&self) -> Vec<Sketch> {
        let mut sketch = self.base();
        sketch.select = self.correlations.iter().map(|&(a, b)| Select::Correlation(a, b)).collect();
        sketch.quality *= leftovers(&[
            !self.metrics.is_empty(),
            !self.counts.is_empty(),
            !self.dims.is_empty(),
            !self.ranks.is_empty(),
        ]);
        vec![sketch]
    }

    /// `days when gap is above 50`, `purchases in Kuper`
    fn listing(&self) -> Vec<Sketch> {
        let mut sketch = self.base();
        if sketch.filters.is_empty() || !self.groups.is_empty() {
            // `purchases by shop`: how many
            if self.groups.is_empty() {
                return Vec::new();
            }
            sketch.select = vec![Select::Count];
            sketch.quality *= if self.entities.is_empty() { 0.5 } else { 0.72 };
            return vec![sketch];
        }
        sketch.quality *= if self.entities.is_empty() { 0.6 } else { 0.95 };
        sketch.quality *= leftovers(&[!self.order.is_empty(), !self.dims.is_empty()]);
        vec![sketch]
    }
}

/// Every sketch of one parse.
pub(super) fn sketches(parse: &Parse, table: &Table<'_>) -> Vec<Sketch> {
    let mut parts = Parts::new(&parse.items);
    match (&mut parts.ranks[..], &parts.amounts[..]) {
        (_, []) => {}
        ([rank @ Rank { number: None, .. }], [amount]) => rank.number = Some(*amount),
        // an amount of nothing that is ordered
        _ => return Vec::new(),
    }
    if parts.ranks.len() > 1 || parts.order.len() > 1 || parts.counts.len() > 1 {
        return Vec::new();
    }
    let mut found = if parts.shares > 0 {
        parts.share()
    } else if !parts.correlations.is_empty() {
        parts.correlation()
    } else if !parts.ranks.is_empty() || (parts.when && !parts.order.is_empty()) {
        table.ranking(&parts)
    } else if !parts.counts.is_empty() {
        table.counting(&parts)
    } else if !parts.metrics.is_empty() {
        table.aggregate(&parts)
    } else {
        parts.listing()
    };
    found = found.into_iter().flat_map(|s| table.implied(s, &parts)).collect();
    for sketch in &mut found {
        table.settle_days(sketch);
        sketch.quality *= contradiction(&sketch.filters);
    }
    found.retain(|s| s.quality > 0.0);
    found
}

impl Table<'_> {
    /// `how many days did the market fall`, `number of shops`
    fn counting(&self, parts: &Parts) -> Vec<Sketch> {
        let Some(&target) = parts.counts.first() else { return Vec::new() };
        let mut sketch = parts.base();
        let select = match target {
            Target::Entity(Entity::Days) if !self.bars() && !self.a_row_a_day() => {
                Select::CountDistinct(Dim::Part(Part::Day))
            }
            Target::Entity(Entity::Times) => {
                sketch.days = true;
                Select::Count
            }
            Target::Entity(_) => Select::Count,
            Target::Distinct(dim) => Select::CountDistinct(dim),
            Target::Unsaid => {
                if sketch.filters.is_empty() && sketch.groups.is_empty() {
                    sketch.quality *= 0.6;
                }
                Select::Count
            }
        };
        sketch.select = vec![select];
        // `how many purchases and total amount by shop`
        let mut bare = false;
        for metric in &parts.metrics {
            match (metric.agg, metric.measure) {
                (Some(agg), Some(measure)) => sketch.select.push(Select::Agg(agg, measure)),
                _ => bare = true,
            }
        }
        sketch.quality *= leftovers(&[
            bare,
            !parts.order.is_empty(),
            !parts.dims.is_empty(),
            // named twice: `how many rows days`
            parts.entities.len() > 1,
        ]);
        vec![sketch]
    }

    /// `average gap by weekday`
    fn aggregate(&self, parts: &Parts) -> Vec<Sketch> {
        let mut base = parts.base();
        let entity = parts.entities.iter().any(|e| *e != Entity::Days);
        base.quality *= leftovers(&[!parts.order.is_empty(), parts.dims.len() > 1]);
        // `average amount shop`: a grouping without its word
        if let [dim] = parts.dims[..] {
            base.groups.push(dim);
            base.quality *= if parts.which { LEFT_OVER } else { 0.72 };
        }
        if entity && parts.groups.is_empty() {
            base.quality *= 0.98;
        }
        let said: Vec<Agg> = parts.metrics.iter().filter_map(|m| m.agg).collect();
        let measures: Vec<Measure> = parts.metrics.iter().filter_map(|m| m.measure).collect();
        let complete = |m: &Metric| Some(Select::Agg(m.agg?, m.measure?));
        let mut sketches = Vec::new();
        if let Some(select) = parts.metrics.iter().map(complete).collect::<Option<Vec<_>>>() {
            let mut sketch = base.clone();
            sketch.select = select;
            self.per_day(&mut sketch, &mut sketches);
            sketches.push(sketch);
        } else if said.len() == parts.metrics.len() && measures.is_empty() {
            // an aggregate of nothing: every numeric column in turn
            let mut columns = self.numeric();
            let mut quality = if columns.len() == 1 { 0.93 } else { UNSAID };
            // `average gap up`: what the condition is about
            let about = base.measures();
            if let [measure @ Measure::Derived(..)] = about[..] {
                (columns, quality) = (vec![measure], 0.85);
            }
            for measure in columns {
                let mut sketch = base.clone();
                sketch.select = said.iter().map(|&agg| Select::Agg(agg, measure)).collect();
                sketch.quality *= quality * if self.is_main(measure) { 1.0 } else { 0.95 };
                sketches.push(sketch);
            }
        } else if let ([measure], true) = (&measures[..], said.is_empty()) {
            // a measure without an aggregate
            let fit = if base.groups.is_empty() { 0.6 } else { UNSAID };
            for (rank, agg) in self.usual(*measure).into_iter().enumerate() {
                let mut sketch = base.clone();
                sketch.select = vec![Select::Agg(agg, *measure)];
                sketch.quality *= fit * (1.0 - 0.06 * rank as f64);
                sketches.push(sketch);
            }
            if base.groups.is_empty() && !base.filters.is_empty() && base.select.is_empty() {
                let rows =
                    Parts { metrics: Vec::new(), entities: vec![Entity::Rows], ..parts.clone() };
                sketches.extend(
                    rows.listing().into_iter().map(|s| Sketch { quality: s.quality * 0.5, ..s }),
                );
            }
        } else if let [agg] = said[..] {
            // `average open, close`: one aggregate for all
            let mut sketch = base.clone();
            sketch.select = measures.iter().map(|&m| Select::Agg(agg, m)).collect();
            let apart = measures.len() + 1 == parts.metrics.len();
            sketch.quality *= match measures.len() == parts.metrics.len() {
                true => 0.8,
                // `average … delay`, with something between them
                false if apart => 0.7,
                false => LEFT_OVER,
            };
            sketches.push(sketch);
        }
        sketches
    }

    /// `average volume per day` of intraday bars is more likely the average of daily volumes.
    fn per_day(&self, sketch: &mut Sketch, more: &mut Vec<Sketch>) {
        if self.schema.is_intraday()
            && self.bars()
            && sketch.groups == [Dim::Part(Part::Day)]
            && sketch.select.iter().any(|s| matches!(s, Select::Agg(Agg::Mean | Agg::Median, _)))
        {
            let mut daily = sketch.clone();
            daily.groups.clear();
            daily.days = true;
            daily.quality *= 0.74;
            sketch.quality *= 0.7;
            more.push(daily);
        }
    }

    /// Finds the measures of comparisons that name none.
    fn implied(&self, sketch: Sketch, parts: &Parts) -> Vec<Sketch> {
        let implied: Vec<Cond> = sketch
            .conditions()
            .flat_map(Cond::leaves)
            .filter(|c| matches!(c, Cond::Implied { .. }))
            .cloned()
            .collect();
        let Some(Cond::Implied { unit, .. }) = implied.first().cloned() else {
            return vec![sketch];
        };
        let mut said: Vec<Measure> =
            parts.metrics.iter().chain(&parts.order).filter_map(|m| m.measure).collect();
        said.dedup();
        let percent = unit == Some(Unit::Percent);
        let fits = |measure: &Measure| match measure {
            Measure::Derived(..) => !matches!(unit, Some(Unit::Money | Unit::Declared(_))),
            Measure::Column(column) => unit.is_none_or(|u| unit_fits(self.schema, *column, u)),
        };
        let numeric: Vec<Measure> = self.numeric().into_iter().filter(fits).collect();
        let candidates: Vec<(Measure, f64)> = match (&said[..], &numeric[..]) {
            // `average volume between 10 and 11` may as well be hours
            ([measure], _) if fits(measure) && self.could_be_hours(&implied) => {
                vec![(*measure, 0.72)]
            }
            ([measure], _) if fits(measure) => vec![(*measure, 0.9)],
            ([_, ..], _) => return Vec::new(),
            ([], [only]) => vec![(*only, 0.93)],
            // a number over rows that have a price tag is money
            ([], list) => {
                list.iter().map(|&m| (m, if self.main() == Some(m) { 0.9 } else { 0.6 })).collect()
            }
        };
        candidates
            .into_iter()
            .map(|(measure, quality)| {
                let measure = match measure {
                    Measure::Derived(d, p) => Measure::Derived(d, p || percent),
                    column @ Measure::Column(_) => column,
                };
                let fill = |cond| match cond {
                    Cond::Implied { cmp, number, .. } => {
                        Cond::Compare(measure, cmp, Operand::Number(number))
                    }
                    other => other,
                };
                let mut filled = sketch.clone();
                filled.filters = filled.filters.into_iter().map(|c| c.map(&fill)).collect();
                for select in &mut filled.select {
                    if let Select::Share(conds) = select {
                        *conds = conds.drain(..).map(|c| c.map(&fill)).collect();
                    }
                }
                filled.quality *= quality;
                filled
            })
            .collect()
    }

    /// Days of intraday bars are daily bars; so are measures of bars, unless the hour is asked for.
    fn settle_days(&self, sketch: &mut Sketch) {
        let hour = sketch.groups.contains(&Dim::Part(Part::Hour))
            || sketch
                .conditions()
                .flat_map(Cond::leaves)
                .any(|c| matches!(c, Cond::Part(Part::Hour, ..)));
        let derived = sketch.measures().iter().any(|m| matches!(m, Measure::Derived(..)))
            || sketch.conditions().flat_map(Cond::leaves).any(|c| matches!(c, Cond::Colour(_)));
        if !self.bars() || !self.schema.is_intraday() || self.schema.time.is_none() {
            sketch.days = false;
            return;
        }
        if hour {
            if sketch.days {
                sketch.quality *= LEFT_OVER;
            }
            // a gap between minutes is no gap that anybody asks for
            if sketch.measures().iter().any(|m| matches!(m, Measure::Derived(Derived::Gap, _))) {
                sketch.quality *= 0.7;
            }
            sketch.days = false;
        } else if derived {
            sketch.days = true;
        }
    }
}

/// Two filters that ask one column for different values cannot both hold.
fn contradiction(filters: &[Cond]) -> f64 {
    let fixed: Vec<usize> = filters
        .iter()
        .filter_map(|c| match c {
            Cond::Values { column, negated: false, .. } => Some(*column),
            _ => None,
        })
        .collect();
    let twice = fixed.iter().enumerate().any(|(i, c)| fixed.iter().skip(i + 1).any(|d| d == c));
    if twice { LEFT_OVER } else { 1.0 }
}

/// Costs confidence for every part that the form has no place for.
fn leftovers(list: &[bool]) -> f64 {
    list.iter().filter(|&&left| left).map(|_| LEFT_OVER).product()
}

/// A condition on time alone.
fn is_moment(cond: &Cond) -> bool {
    cond.leaves().iter().all(|c| {
        matches!(c, Cond::Part(..) | Cond::Weekdays { .. } | Cond::Months { .. } | Cond::Date(..))
    })
}
