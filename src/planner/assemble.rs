//! From the parts of a question to sketches of queries: what was left unsaid is filled in here, and
//! every assumption costs confidence.

mod ranking;
mod settle;
mod table;

use super::grammar::{Parse, unit_fits};
use super::sketch::{
    Cond, Dim, Entity, Item, Measure, Metric, Operand, Rank, Select, Sketch, Target, Then,
};
use super::token::Unit;
use super::words::{Agg, Cmp, Part};
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

impl Table<'_> {
    /// `how many days did the market fall`, `number of shops`
    fn counting(&self, parts: &Parts) -> Vec<Sketch> {
        let Some(&target) = parts.counts.first() else { return Vec::new() };
        let mut sketch = parts.base();
        let implied =
            parts.filters.iter().flat_map(Cond::leaves).any(|c| matches!(c, Cond::Implied { .. }));
        let select = match target {
            Target::Entity(Entity::Days) if !self.bars() && !self.a_row_a_day() => {
                Select::CountDistinct(Dim::Part(Part::Day))
            }
            Target::Entity(Entity::Times) => {
                sketch.days = true;
                // a run is counted once, when it gets that long
                let once = |c| match c {
                    Cond::Streak(run, Cmp::Ge, n) => Cond::Streak(run, Cmp::Eq, n),
                    other => other,
                };
                sketch.filters = sketch.filters.into_iter().map(|c| c.map(&once)).collect();
                Select::Count
            }
            Target::Entity(_) => Select::Count,
            Target::Distinct(dim) => Select::CountDistinct(dim),
            Target::Unsaid => {
                // `сколько в среднем …` asks how much
                if parts.metrics.iter().any(|m| m.measure.is_some()) && !implied {
                    sketch.quality *= 0.7;
                }
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
                // `how many days was the volume of KO below 30`
                (None, Some(_)) if implied && parts.metrics.len() == 1 => {}
                (Some(agg), Some(measure)) => sketch.select.push(Select::Agg(agg, measure)),
                // `how many purchases a day on average`
                (Some(agg @ (Agg::Mean | Agg::Median)), None)
                    if sketch.then.is_none() && self.per_part(&mut sketch, parts) =>
                {
                    sketch.then = Some(Then::Agg(agg));
                }
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
        if let Some(sketches) = self.per_part_of(&base, parts) {
            return sketches;
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
            // `the last one` has no number to it; two that stand apart are not about the same
            if said.iter().any(|a| matches!(a, Agg::First | Agg::Last)) || parts.metric_items > 1 {
                quality = 0.5;
            }
            // `average gap up`: what the condition is about
            let about = base.measures();
            if let [measure @ Measure::Derived(..)] = about[..] {
                (columns, quality) = (vec![measure], 0.85);
            }
            // `average receipt`: the money of one
            let total = said == [Agg::Sum] && !(base.groups.is_empty() && base.filters.is_empty());
            let main = self.main().filter(|_| (entity || total) && columns.len() > 1);
            for measure in columns {
                let mut sketch = base.clone();
                if main.is_some() {
                    sketch.quality *= if main == Some(measure) { 1.25 } else { 0.8 };
                }
                sketch.select = said.iter().map(|&agg| Select::Agg(agg, measure)).collect();
                sketch.quality *= quality * if self.is_main(measure) { 1.0 } else { 0.95 };
                sketches.push(sketch);
            }
        } else if let [
            Metric { agg: Some(Agg::Sum) | None, measure: Some(measure), .. },
            Metric { agg: Some(agg @ (Agg::Mean | Agg::Median)), measure: None, .. },
        ]
        | [
            Metric { agg: Some(Agg::Sum), measure: None, .. },
            Metric { agg: Some(agg @ (Agg::Mean | Agg::Median)), measure: Some(measure), .. },
        ] = &parts.metrics[..]
        {
            // `how many items on average`, `сколько в среднем позиций`
            let mut sketch = base.clone();
            sketch.select = vec![Select::Agg(*agg, *measure)];
            sketch.quality *= 0.88;
            sketches.push(sketch);
        } else if let ([measure], true) = (&measures[..], said.is_empty()) {
            // a measure without an aggregate
            // money by shop is the money that went there
            let bare = base.groups.is_empty() && base.filters.is_empty();
            let fit = match (self.is_money(*measure), base.groups.is_empty()) {
                (true, _) if !bare => 0.85,
                (_, true) => 0.6,
                _ => UNSAID,
            };
            for (rank, agg) in self.usual(*measure).into_iter().enumerate() {
                let mut sketch = base.clone();
                sketch.select = vec![Select::Agg(agg, *measure)];
                sketch.quality *= fit * if rank == 0 { 1.0 } else { 0.8 };
                sketches.push(sketch);
            }
            if base.groups.is_empty() && !base.filters.is_empty() && base.select.is_empty() {
                // `days when the RSI of KO was below 30`
                let implied = parts
                    .filters
                    .iter()
                    .flat_map(Cond::leaves)
                    .any(|c| matches!(c, Cond::Implied { .. }));
                let listed = match (implied, parts.entities.is_empty()) {
                    (true, false) => 0.95,
                    (true, true) => 0.8,
                    (false, _) => 0.5,
                };
                let rows =
                    Parts { metrics: Vec::new(), entities: vec![Entity::Rows], ..parts.clone() };
                sketches.extend(
                    rows.listing().into_iter().map(|s| Sketch { quality: s.quality * listed, ..s }),
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
                false if matches!(agg, Agg::First | Agg::Last) => LEFT_OVER,
                false if apart && measures.len() == 1 && matches!(agg, Agg::Mean | Agg::Median) => {
                    0.85
                }
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
            Measure::Indicator(..) => unit.is_none(),
            Measure::Streak(_) | Measure::Math(..) => false,
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
                    other => other,
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
