//! The move of a price over a whole year, quarter or month: `return by year`, `monthly return`,
//! `доходность за 2023 год` are of the bar of that length, not of its days.

use super::super::grammar::{of_part, whole_part};
use super::super::sketch::{Cond, Dim, Measure, Metric, Select, Sketch};
use super::super::words::{Agg, Derived, Part};
use super::Parts;
use super::table::Table;

/// How sure it is that no mean of days is meant.
const OF_THE_WHOLE: f64 = 0.86;
/// The same of months and quarters by name, which may be those of all years together.
const OR_OF_ALL: f64 = 0.72;

impl Table<'_> {
    /// The return of each stretch that is named, or of the one that the question is narrowed to.
    pub(super) fn return_of(&self, parts: &Parts, base: &Sketch) -> Option<Sketch> {
        let [Metric { agg: None, measure: Some(Measure::Derived(derived, percent)), .. }] =
            parts.metrics[..]
        else {
            return None;
        };
        if !self.bars() || derived != Derived::Return || parts.frame.is_some() {
            return None;
        }
        let mut sketch = base.clone();
        let (part, quality) = match (&base.groups[..], &parts.every[..], parts.each) {
            ([Dim::Part(part @ (Part::Year | Part::Week))], [], None) => (*part, OF_THE_WHOLE),
            ([Dim::Part(part @ (Part::Month | Part::Quarter))], [], None) => (*part, OR_OF_ALL),
            ([], [part @ (Part::Year | Part::Quarter | Part::Month)], None) => {
                (*part, OF_THE_WHOLE)
            }
            ([], [], None) => (only_part(&base.filters)?, OF_THE_WHOLE),
            _ => return None,
        };
        let apart = !base.groups.is_empty() || !parts.every.is_empty();
        sketch.groups = match part {
            _ if !apart => Vec::new(),
            Part::Year | Part::Week => vec![Dim::Part(part)],
            _ => vec![Dim::Part(Part::Year), Dim::Part(part)],
        };
        sketch.frame = of_part(part);
        sketch.days = false;
        // of one bar
        sketch.select = vec![Select::Agg(Agg::Sum, Measure::Derived(derived, percent))];
        sketch.quality *= quality;
        Some(sketch)
    }
}

/// The year, the quarter or the month that is the only condition.
fn only_part(filters: &[Cond]) -> Option<Part> {
    match filters {
        [Cond::Period(Some(first), Some(last))] => whole_part(*first, *last),
        _ => None,
    }
}
