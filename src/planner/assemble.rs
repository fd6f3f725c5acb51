//! From the parts of a question to sketches of queries: what was left unsaid is filled in here, and
//! every assumption costs confidence.

mod form;
mod ranking;
mod settle;
mod share;
mod table;
mod together;

use super::grammar::Parse;
use super::sketch::{
    Cond, Dim, Entity, Item, Measure, Metric, Operand, Rank, Select, Sketch, Target,
};
use super::words::{Agg, Cmp, Derived, Part};
use crate::query::timeframe::Timeframe;
use settle::{contradiction, looks_back, narrowed_group, settle_flow};
pub(super) use table::Table;
use together::{are_several, with_measures};

/// A question that says neither which measure nor which aggregate is meant.
const UNSAID: f64 = 0.7;
/// A part of the question that the form of the query has no place for.
const LEFT_OVER: f64 = 0.45;

/// An aggregate of groups (how many rows where there is none), and what it is compared with.
type Having = (Option<(Agg, Measure)>, Cmp, f64);

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
    spreads: Vec<Measure>,
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
    havings: Vec<Having>,
    ends: Option<(Option<u64>, bool)>,
    sorted_by: Option<Metric>,
    by_move: Option<bool>,
    /// The table holds bars.
    bars: bool,
    /// What is listed is called by a column of names.
    named: bool,
    /// Sorted, and all of them.
    unlimited: bool,
    /// What a superlative adjective is about, named beside it too.
    ranked_by: Vec<Measure>,
    /// A number by itself.
    bare: bool,
    differs: Vec<bool>,
    share_of: Option<(Dim, Option<Measure>)>,
    /// In per cent, of what is named elsewhere.
    percent: bool,
    which: bool,
    when: bool,
    /// The moment that is asked for is a day.
    which_day: bool,
    /// Of an order, the one at this place.
    nth: Option<u64>,
    /// By how often it happens: how many times, or in what share of its rows.
    often: bool,
    /// By how many rows have a value.
    many_values: bool,
}

impl Parts {
    fn new(items: &[Item]) -> Self {
        let mut parts = Self::default();
        let items = &with_measures(items);
        for item in items {
            match item {
                Item::Noise | Item::Unknown(_) | Item::Compared => {}
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
                Item::WhichDay => (parts.when, parts.which_day) = (true, true),
                Item::Share => parts.shares += 1,
                Item::Distribution(dim) => {
                    parts.groups.push(*dim);
                    parts.counts.push(Target::Entity(Entity::Rows));
                }
                Item::Spread(measure) => parts.spreads.push(*measure),
                Item::Correlation(a, b) => parts.correlations.push((*a, *b)),
                Item::Having { of, cmp, number } => parts.havings.push((*of, *cmp, *number)),
                Item::RankBy(rank, measure) => {
                    parts.ranks.push(*rank);
                    parts.ranked_by.push(*measure);
                }
                Item::Ends { number, last } => parts.ends = Some((*number, *last)),
                Item::SortedBy(metric) => parts.sorted_by = Some(*metric),
                Item::ByMove(up) => parts.by_move = Some(*up),
                Item::Apart { column, values } => {
                    parts.groups.push(Dim::Column(*column));
                    if !values.is_empty() {
                        parts.filters.push(Cond::Values {
                            column: *column,
                            values: values.clone(),
                            negated: false,
                        });
                    }
                }
                Item::Often(rank) => {
                    parts.ranks.push(*rank);
                    parts.counts.push(Target::Unsaid);
                    parts.often = true;
                }
                Item::Nth(place) => parts.nth = Some(*place),
                Item::ManyOf(rank, cond) => {
                    parts.ranks.push(*rank);
                    parts.counts.push(Target::Unsaid);
                    parts.many_values |= matches!(cond, Cond::Values { .. });
                    parts.filters.push(cond.clone());
                }
                Item::Bare(_) | Item::Listing => parts.bare = true,
            }
        }
        if items.contains(&Item::Compared) {
            parts.set_side_by_side();
        }
        // `second by revenue`
        if parts.nth.is_some() && parts.ranks.is_empty() {
            parts.ranks.push(Rank {
                number: None,
                descending: true,
                superlative: true,
                many: false,
                best: false,
            });
        }
        // `brought in revenue`: one measure by two words
        let mut said: Vec<Measure> = Vec::new();
        parts.metrics.retain(|m| match (m.agg, m.measure) {
            (None, Some(measure)) if said.contains(&measure) => false,
            (_, measure) => {
                said.extend(measure);
                true
            }
        });
        // `сколько обычно ждут`, `how much … on average`: the second says how much
        let bare = |m: &Metric, wanted: Agg| m.measure.is_none() && m.agg == Some(wanted);
        if parts.metrics.len() == 3
            && parts.metrics.iter().any(|m| bare(m, Agg::Mean) || bare(m, Agg::Median))
        {
            parts.metrics.retain(|m| !bare(m, Agg::Sum));
        }
        // `the busiest day by number of trips`
        if parts.counts.len() > 1 && parts.ranks.iter().any(|r| r.many) {
            parts.counts.retain(|c| *c != Target::Unsaid);
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

    /// `compare the fare of A and B`: a group each.
    fn set_side_by_side(&mut self) {
        let listed = self.filters.iter().find_map(|c| match c {
            Cond::Values { column, values, negated: false } if values.len() > 1 => Some(*column),
            _ => None,
        });
        match listed.map(Dim::Column) {
            Some(dim) if !self.groups.contains(&dim) && !self.dims.contains(&dim) => {
                self.groups.push(dim);
            }
            Some(_) => {}
            // of nothing that is told apart, or of years, months and kinds of days
            None => {
                let grouped = !self.groups.is_empty() || !self.dims.is_empty();
                self.bare |= !grouped || are_several(&self.filters);
            }
        }
    }

    /// `how often was it cancelled, in percent`: the share of rows that are such.
    fn say_share(&mut self, table: &Table<'_>) {
        let rows =
            |c: &Target| matches!(c, Target::Unsaid | Target::Entity(Entity::Rows | Entity::Times));
        if self.percent
            && matches!(&self.counts[..], [target] if rows(target))
            && self.shares == 0
            && self.metrics.is_empty()
            && self.ranks.is_empty()
            && self.change.is_none()
            && !self.filters.iter().all(Cond::is_moment)
            && !self.by_how_much(table)
        {
            self.shares = 1;
            self.percent = false;
            self.counts.clear();
        }
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

    /// An adjective that ranks by a column, and what is said of that column beside it.
    fn settle_adjectives(&mut self) -> bool {
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

    /// `sorted by rating`, `by the fall`, `date of the highest high`.
    fn settle_order(&mut self) -> bool {
        // `by mean rating, best first`
        if self.sorted.is_some()
            && self.sorted_by.is_none()
            && self.ranks.is_empty()
            && self.metrics.is_empty()
            && self.order.len() == 1
            && !(self.groups.is_empty() && self.dims.is_empty())
        {
            self.sorted_by = self.order.pop();
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
            if !self.order.is_empty() || !self.ranks.is_empty() || metric.measure.is_none() {
                return false;
            }
            match (grouped, metric.agg, &self.metrics[..]) {
                // `plans sorted by mean rating`
                (true, Some(_), []) => {
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
        if self.percent
            && self.by_move.is_none()
            && self.order.is_empty()
            && self.metrics.is_empty()
            && matches!(self.ranks[..], [Rank { descending: true, many: false, best: false, .. }])
            && let Some(at) = self.filters.iter().position(|c| sign(c).is_some())
        {
            self.by_move = sign(&self.filters.remove(at));
            self.entities.push(Entity::Days);
        }
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

    /// `days when gap is above 50`, `purchases in Kuper`
    fn listing(&self) -> Vec<Sketch> {
        let mut sketch = self.base();
        if sketch.filters.is_empty() || !self.groups.is_empty() {
            // `purchases by shop`: how many
            if self.groups.is_empty() {
                // `weekly bars`
                let bars = sketch.frame.is_some() && self.dims.is_empty() && self.order.is_empty();
                sketch.quality *= 0.9;
                return if bars { vec![sketch] } else { Vec::new() };
            }
            sketch.select = vec![Select::Count];
            // `days listed by district`: not how many rows there are
            let rows = self.bars || self.entities.iter().any(|e| *e != Entity::Days);
            sketch.quality *= if rows && !self.entities.is_empty() { 0.8 } else { 0.5 };
            sketch.quality *= leftovers(&[!self.dims.is_empty() && !self.named]);
            return vec![sketch];
        }
        let compared = |c: &Cond| {
            c.leaves().iter().any(|c| {
                matches!(c, Cond::Compare(..) | Cond::Contains { .. } | Cond::Missing { .. })
            })
        };
        let compared = self.filters.iter().any(compared) || self.filters.len() > 1;
        let recent = |c: &Cond| matches!(c, Cond::Recent(super::sketch::Recent::Days(_)));
        let recent = self.filters.len() == 1 && self.filters.iter().any(recent);
        let named = !self.entities.is_empty() || self.frame.is_some() || (recent && self.bars);
        sketch.days |= recent && self.bars;
        sketch.quality *= match (!named, compared) {
            (false, _) => 0.95,
            // `amount over 500`, `engineers not in Berlin`
            (true, true) => 0.82,
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

/// Every sketch of one parse.
pub(super) fn sketches(parse: &Parse, table: &Table<'_>) -> Vec<Sketch> {
    let mut parts = Parts::new(&parse.items);
    parts.bars = table.bars();
    parts.named = matches!(parts.dims[..], [Dim::Column(column)] if table.is_free_text(column));
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
    // `growth of visits year over year`
    if parts.change.is_some()
        && parts.metrics.is_empty()
        && parts.counts.is_empty()
        && parts.entities == [Entity::Rows]
    {
        parts.counts.push(Target::Entity(Entity::Rows));
    }
    if parts.percent
        && let Some((percent, _)) = &mut parts.change
    {
        // `growth month to month in percent`
        (*percent, parts.percent) = (true, false);
    }
    parts.say_share(table);
    if parts.percent {
        parts.say_percent();
    }
    if parts.bare || !parts.settle_adjectives() || !parts.settle_order() {
        return Vec::new();
    }
    if parts.ranks.len() > 1 || parts.order.len() > 1 || parts.counts.len() > 1 {
        return Vec::new();
    }
    if parts.is_vague() {
        return Vec::new();
    }
    let mut found = if !parts.havings.is_empty() {
        parts.chosen_groups()
    } else if let Some((number, last)) = parts.ends {
        table.ends(&parts, number, last)
    } else if let Some((dim, measure)) = parts.share_of {
        parts.share_of_whole(dim, measure)
    } else if parts.shares > 0 {
        parts.share(table)
    } else if !parts.correlations.is_empty() || !parts.spreads.is_empty() {
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
    if let Some(place) = parts.nth {
        found = found.into_iter().filter_map(|s| table.at_place(s, place)).collect();
    }
    found = found.into_iter().flat_map(|s| table.implied(s, &parts)).collect();
    for sketch in &mut found {
        table.settle_every(sketch, &parts);
        settle_flow(sketch, &parts);
        table.settle_days(sketch);
        table.settle_whole(sketch, &parts);
        if table.adds_ratios(sketch) {
            sketch.quality *= 0.7;
        }
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
