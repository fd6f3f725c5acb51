//! Parts of a question that are one thing said in two places, and the place in an order.

use super::super::sketch::{Cond, Dim, Item, Metric, Recent, Select, Sketch};
use super::super::words::{Agg, Part};
use super::table::Table;
use crate::schema::Kind;
use chrono::Datelike;

/// Rows of which conditions and groups keep one, at the least.
const FEW: u64 = 50;
/// The same for a condition on one thing.
const FEWER: u64 = 20;
/// Days of a stretch that may have few rows.
const SHORT: i64 = 31;

/// `average Kuper receipt`, `maximum boiler temperature`: an aggregate, what narrows its rows, and
/// its measure.
pub(super) fn with_measures(items: &[Item]) -> Vec<Item> {
    let mut items = items.to_vec();
    let bare = |item: &Item| match item {
        Item::Metrics(list) => match list[..] {
            // the last December is a stretch of time, not where to look for a value
            [Metric { agg: Some(agg), measure: None, every: None }]
                if !matches!(agg, Agg::First | Agg::Last) =>
            {
                Some(agg)
            }
            _ => None,
        },
        _ => None,
    };
    let named = |item: Option<&Item>| match item {
        Some(Item::Metrics(list)) => match list[..] {
            [Metric { agg: None, measure: Some(measure), every }] => Some((measure, every)),
            _ => None,
        },
        _ => None,
    };
    let narrows = |item: &Item| {
        matches!(item, Item::Session(_))
            || matches!(item, Item::Filter(c) if c.leaves().iter().all(|c| {
                matches!(c, Cond::Values { .. } | Cond::Flag { .. } | Cond::Months { .. }
                    | Cond::Weekdays { .. } | Cond::Period(..))
            }))
    };
    for at in 0..items.len() {
        let Some(agg) = items.get(at).and_then(bare) else { continue };
        let between = items.iter().skip(at + 1).take_while(|i| narrows(i)).count();
        let behind = at + 1 + between;
        if between > 0
            && let Some((measure, every)) = named(items.get(behind))
        {
            items.remove(behind);
            let whole = Metric { agg: Some(agg), measure: Some(measure), every };
            if let Some(item) = items.get_mut(at) {
                *item = Item::Metrics(vec![whole]);
            }
        }
    }
    items
}

/// Stretches of time, kinds of days or flags that are several: compared, they would be told apart.
pub(super) fn are_several(filters: &[Cond]) -> bool {
    let several = |c: &Cond| match c {
        // a year, a month, days of one; a quarter may as well be its three months
        Cond::Period(Some(first), Some(last)) => {
            let months = last.month0().saturating_sub(first.month0()) + 1;
            first.year() != last.year() || ![1, 12].contains(&months)
        }
        Cond::Months { months: list, .. } | Cond::Weekdays { days: list, .. } => list.len() > 1,
        _ => false,
    };
    let flag = |c: &&Cond| matches!(c, Cond::Flag { .. });
    filters.iter().any(|c| matches!(c, Cond::Any(_)) || c.leaves().into_iter().any(several))
        || filters.iter().filter(|c| c.is_moment()).count() > 1
        || filters.iter().flat_map(Cond::leaves).filter(flag).count() > 1
}

/// A month or less.
fn is_short(cond: &Cond) -> bool {
    cond.leaves().into_iter().any(|c| match c {
        Cond::Period(Some(first), Some(last)) => (*last - *first).num_days() < SHORT,
        Cond::Recent(recent) => *recent != Recent::Year,
        _ => false,
    })
}

impl Table<'_> {
    /// The one at a place of an order, of a sketch that asks for the first. There may be too few
    /// for that place: the last of them is not it.
    pub(super) fn at_place(&self, mut sketch: Sketch, place: u64) -> Option<Sketch> {
        if let [Select::Agg(agg @ (Agg::Max | Agg::Min), measure)] = sketch.select[..]
            && sketch.groups.is_empty()
        {
            sketch.select.clear();
            sketch.order = Some(measure);
            sketch.descending = agg == Agg::Max;
            sketch.limit = Some(1);
        }
        let first = sketch.limit == Some(1) && (sketch.ranked || sketch.order.is_some());
        // the second of each group is neither the first nor the first two
        if !first || !sketch.of_each.is_empty() {
            return None;
        }
        let fit = match &sketch.groups[..] {
            // rows are many, unless few are kept
            [] => {
                let kept = match sketch.filters.len() {
                    0 => 1,
                    1 if !sketch.filters.iter().any(is_short) => FEWER,
                    _ => u64::MAX,
                };
                let enough = place.saturating_mul(FEW).saturating_mul(kept) <= self.schema.rows;
                if enough { 1.0 } else { 0.7 }
            }
            groups => {
                let most = groups.iter().map(|&d| self.groups_of(d)).max().flatten();
                match most {
                    Some(most) if most < place => 0.0,
                    // conditions may leave some of them out
                    Some(most) if sketch.filters.is_empty() || most >= 2 * place => 1.0,
                    _ => 0.7,
                }
            }
        };
        let quality = sketch.quality * fit;
        Some(Sketch { limit: Some(place), nth: true, quality, ..sketch })
    }

    /// How many groups there are, as far as the schema tells.
    fn groups_of(&self, dim: Dim) -> Option<u64> {
        let days = self.schema.dates().map(|(a, b)| u64::try_from(b - a + 1).unwrap_or(0));
        match dim {
            Dim::Column(column) => {
                let column = self.schema.columns.get(column)?;
                match (&column.values, column.kind) {
                    (Some(values), _) => Some(values.len() as u64),
                    (None, Kind::Bool) => Some(2),
                    // so many that they are not listed
                    (None, Kind::Text) => Some(self.schema.rows / FEW),
                    _ => None,
                }
            }
            Dim::Part(part) => {
                let (length, most) = match part {
                    Part::Year => (366, u64::MAX),
                    Part::Quarter => (92, 4),
                    Part::Month => (31, 12),
                    Part::Week => (7, 52),
                    Part::Day => (1, u64::MAX),
                    Part::Weekday => (1, 5),
                    Part::Hour => return Some(6),
                };
                Some((days? / length).min(most))
            }
        }
    }
}
