//! From the parts of a question to sketches of queries: what was left unsaid is filled in here, and
//! every assumption costs confidence.

mod form;
mod ranking;
mod settle;
mod table;

use super::grammar::Parse;
use super::sketch::{Cond, Dim, Entity, Item, Measure, Metric, Rank, Select, Sketch, Target, Then};
use super::words::{Agg, Part};
use crate::query::timeframe::Timeframe;
use settle::{contradiction, narrowed_group, settle_flow};
pub(super) use table::Table;

/// A question that says neither which measure nor which aggregate is meant.
const UNSAID: f64 = 0.7;
/// A part of the question that the form of the query has no place for.
const LEFT_OVER: f64 = 0.45;

/// The parts of one parse, by what they are.
#[derive(Debug, Clone, Default)]
struct Parts {
    metrics: Vec<Metric>,
    /// How many parts of the question name them.
    metric_items: usize,
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
    /// Adjectives of time.
    every: Vec<Part>,
    /// One of them stands by itself, not before a measure.
    apart: bool,
    /// `a day`, `в месяц`
    each: Option<Part>,
    frame: Option<Timeframe>,
    session: Option<String>,
    sorted: Option<bool>,
    /// In per cent, and the part of time that is named.
    change: Option<(bool, Option<Part>)>,
    differs: Vec<bool>,
    share_of: Option<(Dim, Measure)>,
    /// In per cent, of what is named elsewhere.
    percent: bool,
    which: bool,
    when: bool,
}

impl Parts {
    fn new(items: &[Item]) -> Self {
        let mut parts = Self::default();
        for item in items {
            match item {
                Item::Noise | Item::Unknown(_) => {}
                Item::Percent => parts.percent = true,
                Item::Metrics(list) => {
                    parts.metrics.extend(list);
                    parts.metric_items += 1;
                }
                Item::Count(target) => parts.counts.push(*target),
                Item::Group(dims) => parts.groups.extend(dims),
                Item::OrderBy(metric) => parts.order.push(*metric),
                Item::Filter(cond) if parts.filters.contains(cond) => {}
                Item::Filter(cond) => parts.filters.push(cond.clone()),
                Item::Rank(rank) => parts.ranks.push(*rank),
                Item::Popular(rank) => {
                    parts.ranks.push(*rank);
                    parts.counts.push(Target::Unsaid);
                }
                Item::Entity(entity) => parts.entities.push(*entity),
                Item::Amount(number) => parts.amounts.push(*number),
                Item::Dim(dim) => parts.dims.push(*dim),
                Item::Every(part) => {
                    parts.every.push(*part);
                    parts.apart = true;
                }
                Item::Each(part) => parts.each = Some(*part),
                Item::Bars(frame) => parts.frame = Some(*frame),
                Item::Session(session) => parts.session = Some(session.clone()),
                Item::Sorted(descending) => parts.sorted = Some(*descending),
                Item::Change { percent, part } => parts.change = Some((*percent, *part)),
                Item::Differ { percent } => parts.differs.push(*percent),
                Item::ShareOf { dim, measure } => parts.share_of = Some((*dim, *measure)),
                Item::Which => parts.which = true,
                Item::When => parts.when = true,
                Item::Share => parts.shares += 1,
                Item::Correlation(a, b) => parts.correlations.push((*a, *b)),
            }
        }
        parts.every.extend(parts.metrics.iter().chain(&parts.order).filter_map(|m| m.every));
        parts.every.dedup();
        parts.groups.dedup();
        // shapes and runs are said of days
        let shaped = |c: &&Cond| matches!(c, Cond::Pattern(_) | Cond::Streak(..));
        if parts.entities.is_empty()
            && parts.filters.iter().flat_map(Cond::leaves).any(|c| shaped(&c))
        {
            parts.entities.push(Entity::Days);
        }
        let frames = parts.entities.iter().copied().find_map(frame_of);
        let counted = parts.counts.iter().find_map(|c| match c {
            Target::Entity(entity) => frame_of(*entity),
            _ => None,
        });
        parts.frame = parts.frame.or(frames).or(counted);
        parts
    }

    /// `average change by weekday in percent`: of the measures of bars that are named.
    fn say_percent(&mut self) {
        for metric in self.metrics.iter_mut().chain(&mut self.order) {
            if let Some(Measure::Derived(_, percent @ false)) = &mut metric.measure {
                *percent = true;
                self.percent = false;
            }
        }
    }

    /// A change that is named without what it is against says nothing that can be asked.
    fn is_vague(&self) -> bool {
        self.change.is_none() && !self.differs.is_empty()
    }

    /// A sketch with everything that does not depend on its form.
    fn base(&self) -> Sketch {
        Sketch {
            groups: self.groups.clone(),
            filters: self.filters.clone(),
            frame: self.frame,
            session: self.session.clone(),
            days: self.every.contains(&Part::Day)
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
        // a value narrows the rows too where something else is asked of them
        let named = |c: &Cond| c.leaves().iter().all(|c| matches!(c, Cond::Values { .. }));
        let (mut when, mut what) = (when, what);
        if !what.iter().all(named) {
            let (values, rest): (Vec<Cond>, Vec<Cond>) = what.into_iter().partition(named);
            when.extend(values);
            what = rest;
        }
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

    /// `share of each category in total amount`
    fn share_of_whole(&self, dim: Dim, measure: Measure) -> Vec<Sketch> {
        let mut sketch = self.base();
        sketch.groups = vec![dim];
        sketch.select = vec![Select::Agg(Agg::Sum, measure)];
        sketch.then = Some(Then::Share);
        sketch.quality *= leftovers(&[
            !self.metrics.is_empty(),
            !self.counts.is_empty(),
            !self.ranks.is_empty(),
            !self.groups.is_empty(),
            !self.dims.is_empty(),
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
        let compared = |c: &Cond| {
            c.leaves().iter().any(|c| matches!(c, Cond::Compare(..) | Cond::Contains { .. }))
        };
        let compared = self.filters.iter().any(compared) || self.filters.len() > 1;
        sketch.quality *= match (self.entities.is_empty(), compared) {
            (false, _) => 0.95,
            // `amount over 500`, `engineers not in Berlin`
            (true, true) => 0.82,
            (true, false) => 0.6,
        };
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
    // `highest average price by shop, top 2`
    if let [one, two] = parts.ranks[..]
        && one.descending == two.descending
        && one.number.is_none() != two.number.is_none()
    {
        let number = one.number.or(two.number);
        parts.ranks = vec![Rank { number, superlative: false, ..one }];
    }
    if parts.percent {
        parts.say_percent();
    }
    if parts.ranks.len() > 1 || parts.order.len() > 1 || parts.counts.len() > 1 {
        return Vec::new();
    }
    if parts.is_vague() {
        return Vec::new();
    }
    let mut found = if let Some((dim, measure)) = parts.share_of {
        parts.share_of_whole(dim, measure)
    } else if parts.shares > 0 {
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
        table.settle_every(sketch, &parts);
        settle_flow(sketch, &parts);
        table.settle_days(sketch);
        sketch.quality *= contradiction(&sketch.filters);
        sketch.quality *= narrowed_group(sketch);
        if parts.percent {
            // `worst day in per cent`
            let percent = |m: &Measure| matches!(m, Measure::Derived(_, true));
            let fits = sketch.measures().iter().any(percent);
            sketch.quality *= if fits { 1.25 } else { LEFT_OVER };
        }
    }
    found.retain(|s| s.quality > 0.0);
    found
}

/// The length of bars that an entity stands for.
fn frame_of(entity: Entity) -> Option<Timeframe> {
    match entity {
        Entity::Frames(frame) => Some(frame),
        _ => None,
    }
}

/// Costs confidence for every part that the form has no place for.
fn leftovers(list: &[bool]) -> f64 {
    list.iter().filter(|&&left| left).map(|_| LEFT_OVER).product()
}

/// A condition on time alone.
fn is_moment(cond: &Cond) -> bool {
    cond.leaves().iter().all(|c| {
        matches!(
            c,
            Cond::Part(..)
                | Cond::Weekdays { .. }
                | Cond::Months { .. }
                | Cond::Period(..)
                | Cond::Recent(_)
                | Cond::Clock(..)
        )
    })
}
