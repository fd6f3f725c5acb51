//! From the parts of a question to sketches of queries: what was left unsaid is filled in here, and
//! every assumption costs confidence.

mod each;
mod form;
mod list;
mod order;
mod ranking;
mod returns;
mod settle;
mod share;
mod table;
mod together;

use super::grammar::Parse;
use super::sketch::{Cond, Dim, Entity, Item, Measure, Metric, Rank, Sketch, Target};
use super::words::{Agg, Cmp, Part};
use crate::query::timeframe::Timeframe;
use settle::{contradiction, narrowed_group, settle_abreast, settle_flow, settle_time};
pub(super) use table::{TOTALS, Table, is_total};
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
    /// Where the share of the other conditions is taken.
    given: Vec<Cond>,
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
    /// So many rows of each group.
    few_of_each: bool,
    /// Of so many, so many of each group are asked for.
    of_each: bool,
    /// Whether in points or in per cent is not said.
    move_unsaid: bool,
    /// In the order of time, the latest first when true.
    by_time: Option<bool>,
    /// Two stretches of time are to be set side by side.
    compared: bool,
    /// How much something changed is asked for.
    moved: bool,
    /// Two stretches of time are compared, each a group.
    abreast: Option<Dim>,
    /// The table holds bars.
    bars: bool,
    /// What is listed is called by a column of names.
    named: bool,
    /// Sorted, and all of them.
    unlimited: bool,
    /// What a superlative adjective is about, named beside it too.
    ranked_by: Vec<Measure>,
    /// Columns that are to be shown of each row.
    columns: Vec<usize>,
    /// A number by itself.
    bare: bool,
    /// The rows of the table and nothing else; how many of them is in `few`.
    whole: bool,
    few: Option<u64>,
    differs: Vec<bool>,
    share_of: Option<(Dim, Option<Measure>)>,
    /// Whose share is asked for, and in the sum of what.
    share_in: Option<(Cond, Measure)>,
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
                Item::Moved { told } => {
                    parts.moved |= *told;
                    parts.compared = true;
                }
                Item::Abreast { dim, cond, apart } => {
                    parts.groups.push(*dim);
                    parts.filters.push(cond.clone());
                    parts.abreast = apart.then_some(*dim);
                }
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
                Item::BestFirst(descending) => parts.sorted = Some(*descending),
                // `отсортируй по возрастанию`: a word for sorting alone says less
                Item::Sorted(descending) => {
                    parts.sorted = Some(parts.sorted.unwrap_or(true) && *descending);
                }
                Item::Change { percent, part } => parts.change = Some((*percent, *part)),
                Item::Differ { percent } => parts.differs.push(*percent),
                Item::ShareOf { dim, measure } => parts.share_of = Some((*dim, *measure)),
                Item::ShareIn(cond, Some(measure)) => {
                    parts.share_in = Some((cond.clone(), *measure));
                }
                Item::ShareIn(cond, None) => {
                    parts.shares += 1;
                    parts.filters.push(cond.clone());
                }
                Item::Which => parts.which = true,
                Item::When => parts.when = true,
                Item::WhichDay => (parts.when, parts.which_day) = (true, true),
                Item::Share => parts.shares += 1,
                Item::Chance(what, given) => {
                    parts.shares += 1;
                    parts.filters.extend(what.iter().cloned());
                    parts.given.push(given.clone());
                }
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
                Item::Sells(rank, measure) => {
                    parts.ranks.push(*rank);
                    let (agg, measure) = (Some(Agg::Sum), Some(*measure));
                    parts.metrics.push(Metric { agg, measure, every: None });
                }
                Item::Ends { number, last } => parts.ends = Some((*number, *last)),
                Item::SortedBy(metric) => parts.sorted_by = Some(*metric),
                Item::InOrder(column, descending) => {
                    let measure = Some(Measure::Column(*column));
                    parts.sorted_by = Some(Metric { agg: None, measure, every: None });
                    parts.sorted = Some(*descending);
                }
                Item::ByMove(up) => parts.by_move = Some(*up),
                Item::ByTime(last) => parts.by_time = Some(*last),
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
                Item::SortedRows(metric) => {
                    parts.sorted_by = Some(*metric);
                    parts.entities.push(Entity::Rows);
                }
                Item::Ranked(dim) => {
                    parts.groups.push(*dim);
                    parts.sorted = parts.sorted.or(Some(true));
                }
                Item::Columns(list) => parts.columns.extend(list),
                Item::Bare(_) | Item::Listing | Item::Reverse => parts.bare = true,
                Item::Rows(number) => (parts.whole, parts.few) = (true, *number),
            }
        }
        // `top 3 films of each studio`, or by it
        let few = |i: &Item| matches!(i, Item::Rank(rank) | Item::RankBy(rank, _) if rank.number.is_some());
        let of_each = items
            .windows(2)
            .position(|w| matches!(w, [rank, Item::Entity(Entity::Rows)] if few(rank)));
        parts.few_of_each = of_each.is_some_and(|at| {
            items.iter().skip(at).any(|i| matches!(i, Item::Group(dims) if !dims.is_empty()))
        });
        // `typical bill on average`, `общая сумма счетов`: one aggregate by two words
        let aggs: Vec<Agg> =
            parts.metrics.iter().filter(|m| m.measure.is_some()).filter_map(|m| m.agg).collect();
        let before = parts.metrics.len();
        parts.metrics.retain(|m| match (m.agg, m.measure) {
            (Some(agg), None) => !aggs.contains(&agg),
            _ => true,
        });
        parts.metric_items -= (before - parts.metrics.len()).min(parts.metric_items);
        let abreast = items.iter().any(|i| matches!(i, Item::Abreast { .. }));
        // `compare January and February by revenue`
        if abreast && parts.ranks.is_empty() && parts.metrics.is_empty() && parts.order.len() == 1 {
            parts.metrics.append(&mut parts.order);
            parts.metric_items += 1;
        }
        if items.contains(&Item::Compared) && !abreast {
            parts.set_side_by_side();
        }
        // `compare A and B by mean price`
        if items.contains(&Item::Compared)
            && parts.metrics.is_empty()
            && matches!(parts.order[..], [Metric { agg: Some(_), .. }])
        {
            parts.metrics.append(&mut parts.order);
        }
        // `первые 5 продаж по сумме`
        if let Some((Some(number), last)) = parts.ends
            && parts.order.len() == 1
            && parts.ranks.is_empty()
        {
            parts.ends = None;
            parts.ranks.push(Rank {
                number: Some(number),
                descending: !last,
                superlative: false,
                many: false,
                best: false,
            });
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
        // `сколько тонн собираем обычно`: one measure by two words, and how much of it as a rule
        if parts.metric_items > 1
            && let [
                Metric { agg: Some(Agg::Sum), measure: Some(one), .. },
                Metric { agg: Some(Agg::Mean | Agg::Median), measure: Some(other), .. },
            ] = parts.metrics[..]
            && one == other
        {
            parts.metrics.remove(0);
        }
        // `сколько обычно ждут`, `how much … on average`: the second says how much
        let bare = |m: &Metric, wanted: Agg| m.measure.is_none() && m.agg == Some(wanted);
        if parts.metrics.len() == 3
            && parts.metrics.iter().any(|m| bare(m, Agg::Mean) || bare(m, Agg::Median))
        {
            parts.metrics.retain(|m| !bare(m, Agg::Sum));
        }
        // `how volatile is it, std of returns`: said twice
        let mut named: Vec<Agg> = parts
            .metrics
            .iter()
            .filter(|m| m.measure.is_some() && m.agg == Some(Agg::Std))
            .filter_map(|m| m.agg)
            .collect();
        parts.metrics.retain(|m| match (m.agg, m.measure) {
            (Some(agg), None) if named.contains(&agg) => false,
            (Some(agg), None) => {
                named.push(agg);
                true
            }
            _ => true,
        });
        // `how much does the spread vary`
        if parts.metrics.len() > 1 && parts.metrics.iter().any(|m| bare(m, Agg::Std)) {
            parts.metrics.retain(|m| !bare(m, Agg::Sum));
        }
        // `в среднем насколько растёт рынок`: the second says how much
        if let [a, b] = parts.metrics[..]
            && parts.metric_items == 2
            && [a, b].iter().any(|m| bare(m, Agg::Mean) || bare(m, Agg::Median))
            && [a, b].iter().any(|m| bare(m, Agg::Sum))
        {
            parts.metrics.retain(|m| !bare(m, Agg::Sum));
            parts.metric_items = 1;
        }
        // `the busiest day by number of trips`
        if parts.counts.len() > 1 && parts.ranks.iter().any(|r| r.many) {
            parts.counts.retain(|c| *c != Target::Unsaid);
        }
        parts.every.extend(parts.metrics.iter().chain(&parts.order).filter_map(|m| m.every));
        parts.every.dedup();
        parts.groups.dedup();
        // shapes and runs are said of days
        let shaped = |c: &&Cond| matches!(c, Cond::Pattern(_) | Cond::Streak(..) | Cond::Cross(..));
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
        // `compare vets by average bill`: what is compared of them
        if self.ranks.is_empty() && self.metrics.is_empty() && self.order.len() == 1 {
            self.metrics.append(&mut self.order);
            self.metric_items += 1;
            self.groups.append(&mut self.dims);
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
}

/// Every sketch of one parse.
pub(super) fn sketches(parse: &Parse, table: &Table<'_>) -> Vec<Sketch> {
    let mut sketches = of_parts(parse, table);
    // `how many here and how many there`: a count of each, not of both
    let counts = |i: &&Item| {
        matches!(i, Item::Count(Target::Unsaid | Target::Entity(Entity::Rows | Entity::Days)))
    };
    let filters = |i: &&Item| matches!(i, Item::Filter(_));
    let items = || parse.items.iter();
    if items().filter(counts).count() > 1 && items().filter(filters).count() > 1 {
        for sketch in &mut sketches {
            sketch.quality *= 0.8;
        }
    }
    sketches
}

fn of_parts(parse: &Parse, table: &Table<'_>) -> Vec<Sketch> {
    let mut parts = Parts::new(&parse.items);
    parts.bars = table.bars();
    // `best selling product by year`: of each year
    let yearly = matches!(parts.groups[..], [Dim::Part(Part::Year)])
        && matches!(parts.ranks[..], [Rank { number: None, superlative: true, .. }])
        && matches!(parts.dims[..], [Dim::Column(_)]);
    parts.of_each = (parse.of_each || yearly) && table.cuts_of_each(&parts.groups);
    parts.named = matches!(parts.dims[..], [Dim::Column(column)] if table.is_free_text(column));
    if let Some(sketch) = parts.some_rows() {
        return vec![sketch];
    }
    if parts.whole {
        return vec![Sketch { limit: parts.few, quality: 1.0, ..parts.base() }];
    }
    // `10 flights from Berlin`: of those rows, any
    if let (&[number], [], true) = (&parts.amounts[..], &parts.ranks[..], parts.is_plain_list()) {
        parts.amounts.clear();
        let few = |s: Sketch| Sketch { limit: Some(number), quality: s.quality * 0.95, ..s };
        return parts.listing().into_iter().map(few).collect();
    }
    // `the best Tuesday`: one of those days
    let weekdays = |c: &Cond| matches!(c, Cond::Weekdays { negated: false, .. });
    if parts.bars
        && parts.entities.is_empty()
        && matches!(parts.ranks[..], [Rank { best: true, .. }])
        && parts.filters.iter().any(weekdays)
    {
        parts.entities.push(Entity::Days);
    }
    match (&mut parts.ranks[..], &parts.amounts[..]) {
        (_, []) => {}
        ([rank @ Rank { number: None, .. }], [amount]) => rank.number = Some(*amount),
        // an amount of nothing that is ordered
        _ => return Vec::new(),
    }
    parts.settle_ends();
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
    if let (Some(_), Some(descending)) = (parts.by_time, parts.sorted) {
        (parts.by_time, parts.sorted) = (Some(descending), None);
    }
    if parts.bare || !parts.settle_adjectives() || !parts.settle_order(table) {
        return Vec::new();
    }
    if parts.ranks.len() > 1 || parts.order.len() > 1 || parts.counts.len() > 1 {
        return Vec::new();
    }
    // columns of rows that are not named may as well be a measure by what it is grouped by
    if parts.is_vague() || (!parts.columns.is_empty() && parts.entities.is_empty()) {
        return Vec::new();
    }
    let mut found = if !parts.havings.is_empty() {
        parts.chosen_groups()
    } else if let Some((number, last)) = parts.ends {
        table.ends(&parts, number, last)
    } else if let Some((dim, measure)) = parts.share_of {
        parts.share_of_whole(dim, measure)
    } else if let Some((cond, measure)) = parts.share_in.clone() {
        parts.share_in(cond, measure)
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
    if parts.move_unsaid {
        let rows = found.iter().filter(|s| s.order.is_some());
        found = rows.flat_map(order::by_either).collect();
    }
    if let Some(place) = parts.nth {
        found = found.into_iter().filter_map(|s| table.at_place(s, place)).collect();
    }
    found = found.into_iter().flat_map(|s| table.implied(s, &parts)).collect();
    for sketch in &mut found {
        table.settle_every(sketch, &parts);
        settle_flow(sketch, &parts);
        settle_abreast(sketch, &parts);
        settle_time(sketch, &parts);
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
    if !parts.columns.is_empty() {
        // columns are shown of rows
        found.retain(|s| s.select.is_empty() && s.groups.is_empty());
        for sketch in &mut found {
            sketch.columns.clone_from(&parts.columns);
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
