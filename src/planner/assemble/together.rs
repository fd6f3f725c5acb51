//! Parts of a question that are one thing said in two places, and the place in an order.

use super::super::sketch::{Cond, Item, Metric, Select, Sketch};
use super::super::words::Agg;

/// `average Kuper receipt`, `maximum boiler temperature`: an aggregate, what narrows its rows, and
/// its measure.
pub(super) fn with_measures(items: &[Item]) -> Vec<Item> {
    let mut items = items.to_vec();
    let bare = |item: &Item| match item {
        Item::Metrics(list) => match list[..] {
            [Metric { agg: Some(agg), measure: None, every: None }] => Some(agg),
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
        matches!(item, Item::Filter(c) if c.leaves().iter().all(|c| {
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

/// The one at a place of an order, of a sketch that asks for the first.
pub(super) fn at_place(mut sketch: Sketch, place: u64) -> Option<Sketch> {
    if let [Select::Agg(agg @ (Agg::Max | Agg::Min), measure)] = sketch.select[..]
        && sketch.groups.is_empty()
    {
        sketch.select.clear();
        sketch.order = Some(measure);
        sketch.descending = agg == Agg::Max;
        sketch.limit = Some(1);
    }
    let first = sketch.limit == Some(1) && (sketch.ranked || sketch.order.is_some());
    first.then_some(Sketch { limit: Some(place), nth: true, ..sketch })
}
