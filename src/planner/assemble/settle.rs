//! What a sketch takes from the rest of its question once its form is chosen: the length of bars,
//! groups by a part of time, the order and the change of groups.

use super::super::grammar::of_part;
use super::super::sketch::{
    Cond, Dim, Entity, Measure, Metric, Operand, Select, Sketch, Target, Then,
};
use super::super::words::{Agg, Derived, Part};
use super::table::Table;
use super::{LEFT_OVER, Parts};

impl Table<'_> {
    /// Groups `sketch` by the part of time that is meant by `a day` or `daily`, if any is.
    pub(super) fn per_part(&self, sketch: &mut Sketch, parts: &Parts) -> bool {
        let part = parts.each.or_else(|| parts.every.first().copied());
        let Some(part) = part else { return false };
        if !sketch.groups.is_empty() || (self.bars() && part == Part::Day) {
            return false;
        }
        sketch.groups = vec![Dim::Part(part)];
        true
    }

    /// `average daily amount`, `how much do I spend a month on average`: the mean of the sums of
    /// each day or month, of a measure that adds up.
    pub(super) fn per_part_of(&self, base: &Sketch, parts: &Parts) -> Option<Vec<Sketch>> {
        if self.bars() || (parts.each.is_none() && parts.every.is_empty()) {
            return None;
        }
        let typical = |a: Agg| matches!(a, Agg::Mean | Agg::Median);
        let (agg, measure) = match parts.metrics[..] {
            [Metric { agg: Some(agg), measure: Some(measure), .. }]
            | [
                Metric { agg: Some(Agg::Sum), measure: None, .. },
                Metric { agg: Some(agg), measure: Some(measure), .. },
            ] if typical(agg) => (agg, measure),
            [
                Metric { agg: Some(Agg::Sum) | None, measure: Some(measure), .. },
                Metric { agg: Some(agg), measure: None, .. },
            ]
            | [
                Metric { agg: Some(agg), measure: None, .. },
                Metric { agg: Some(Agg::Sum) | None, measure: Some(measure), .. },
            ] if typical(agg) => (agg, measure),
            _ => return None,
        };
        if !self.adds_up(measure) {
            return None;
        }
        let mut sketch = base.clone();
        if !self.per_part(&mut sketch, parts) {
            return None;
        }
        sketch.select = vec![Select::Agg(Agg::Sum, measure)];
        sketch.then = Some(Then::Agg(agg));
        sketch.quality *= 0.9;
        Some(vec![sketch])
    }

    /// Finds the place of `weekly`, `a month` in a sketch that has none yet.
    pub(super) fn settle_every(&self, sketch: &mut Sketch, parts: &Parts) {
        if matches!(sketch.then, Some(Then::Agg(_))) {
            return;
        }
        if let Some(part) = parts.each {
            let day = part == Part::Day && self.bars() && self.schema.is_intraday();
            let mean =
                sketch.select.iter().any(|s| matches!(s, Select::Agg(Agg::Mean | Agg::Median, _)));
            // `every day it lost at least 6%`
            let listed = part == Part::Day && self.bars() && sketch.is_listing();
            if listed {
                sketch.days = true;
            } else if day && mean {
                sketch.days = true;
                // what daily bars do not have is of one bar as likely as of the day
                let bars = |m: Measure| match m {
                    Measure::Column(column) => self.is_of_ohlcv(column),
                    _ => true,
                };
                if !sketch.measures().into_iter().all(bars) {
                    sketch.quality *= 0.6;
                }
            } else if !sketch.groups.contains(&Dim::Part(part)) {
                // `cancelled flights per month`: how many of them
                if sketch.is_listing() {
                    sketch.select.push(Select::Count);
                }
                sketch.groups.push(Dim::Part(part));
            }
        }
        for &part in parts.every.iter().filter(|p| **p != Part::Day) {
            match of_part(part) {
                Some(frame) if self.bars() && sketch.frame.is_none() => {
                    sketch.frame = Some(frame);
                    // `monthly median range` may as well be grouped by month
                    if parts.apart && part != Part::Week {
                        sketch.quality *= 0.6;
                    }
                }
                _ if !self.bars() && !sketch.groups.contains(&Dim::Part(part)) => {
                    sketch.groups.push(Dim::Part(part));
                    sketch.quality *= 0.9;
                }
                _ => {}
            }
        }
        if parts.every.contains(&Part::Day) && !self.bars() && !parts.metrics.is_empty() {
            // `daily` of a table that has no bars
            if sketch.groups.is_empty() {
                sketch.groups.push(Dim::Part(Part::Day));
                sketch.quality *= 0.8;
            }
        }
    }

    /// What is compared with all rows, or with the row before, is a row: not the total of a day or
    /// of a customer, which nothing here compares.
    pub(super) fn settle_whole(&self, sketch: &mut Sketch, parts: &Parts) {
        let whole = |c: &Cond| match c {
            Cond::Compare(_, _, Operand::Whole(_, measure, _)) => Some(*measure),
            _ => None,
        };
        let compared: Vec<Measure> =
            sketch.conditions().flat_map(Cond::leaves).filter_map(whole).collect();
        if compared.is_empty() && !looks_back(sketch) {
            return;
        }
        let days = parts.entities.contains(&Entity::Days)
            || parts.counts.contains(&Target::Entity(Entity::Days))
            || parts.dims.contains(&Dim::Part(Part::Day));
        let unframed = days && !self.bars() && !self.a_row_a_day();
        let distinct = sketch.select.iter().any(|s| matches!(s, Select::CountDistinct(_)));
        // `total price above the average`: of a group that is not named
        let bare = parts.counts.is_empty()
            && parts.metrics.iter().any(|m| m.agg.is_some() && m.measure.is_none());
        let listed = !parts.dims.is_empty() && sketch.groups.is_empty();
        if unframed || distinct || bare || (listed && compared.iter().any(|&m| self.adds_up(m))) {
            sketch.quality *= LEFT_OVER;
        } else if listed || !sketch.groups.is_empty() {
            // of all rows, or of those of the group
            sketch.quality *= 0.7;
        }
    }

    /// Days of intraday bars are daily bars; so are measures of bars, unless the hour is asked for.
    pub(super) fn settle_days(&self, sketch: &mut Sketch) {
        let hour = sketch.groups.contains(&Dim::Part(Part::Hour))
            || sketch
                .conditions()
                .flat_map(Cond::leaves)
                .any(|c| matches!(c, Cond::Part(Part::Hour, ..) | Cond::Clock(..)));
        let shaped = |c: &Cond| matches!(c, Cond::Colour(_) | Cond::Pattern(_) | Cond::Streak(..));
        let after = |c: &Cond| matches!(c, Cond::After(_));
        let back = looks_back(sketch) || sketch.conditions().flat_map(Cond::leaves).any(after);
        let derived = back
            || sketch.measures().into_iter().any(Measure::is_of_bars)
            || sketch.conditions().flat_map(Cond::leaves).any(shaped);
        // the row before is the day before on daily bars alone
        if back && (hour || sketch.frame.is_some()) {
            sketch.quality *= LEFT_OVER;
        }
        if sketch.frame.is_some() {
            sketch.days = false;
            return;
        }
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

/// It compares rows with those before them.
pub(super) fn looks_back(sketch: &Sketch) -> bool {
    let back = |c: &Cond| match c {
        Cond::Compare(.., right) => right.looks_back(),
        Cond::Cross(..) => true,
        _ => false,
    };
    sketch.conditions().flat_map(Cond::leaves).any(back)
}

/// Rows of one value are not grouped by it (`amount by brand Danone`).
pub(super) fn narrowed_group(sketch: &Sketch) -> f64 {
    let fixed = sketch.filters.iter().any(|c| match c {
        Cond::Values { column, values, negated: false } => {
            values.len() == 1 && sketch.groups.contains(&Dim::Column(*column))
        }
        _ => false,
    });
    if fixed { 0.6 } else { 1.0 }
}

/// Puts the order and the change of groups in.
pub(super) fn settle_flow(sketch: &mut Sketch, parts: &Parts) {
    if let Some(descending) = parts.sorted {
        if sketch.select.len() == 1 && !sketch.groups.is_empty() && sketch.then.is_none() {
            sketch.ranked = true;
            sketch.descending = descending;
        } else {
            sketch.quality *= LEFT_OVER;
        }
    }
    if let Some((percent, part)) = parts.change {
        let named: Vec<Part> = sketch
            .groups
            .iter()
            .filter_map(|d| match d {
                Dim::Part(part) => Some(*part),
                Dim::Column(_) => None,
            })
            .collect();
        match (part, &named[..], &sketch.groups[..]) {
            (None, [_], [_]) => {}
            (Some(part), [named], [_]) if part == *named => {}
            (Some(part), [], []) => sketch.groups = vec![Dim::Part(part)],
            _ => sketch.quality *= LEFT_OVER,
        }
        if sketch.select.is_empty() || sketch.then.is_some() || sketch.limit.is_some() {
            sketch.quality *= LEFT_OVER;
        } else {
            let percent = percent || parts.differs.contains(&true);
            sketch.then = Some(Then::Change(percent));
        }
    }
}

/// What two stretches of time that are compared come to: the change between them.
pub(super) fn settle_abreast(sketch: &mut Sketch, parts: &Parts) {
    let Some(dim) = parts.abreast else {
        sketch.quality *= if parts.compared { LEFT_OVER } else { 1.0 };
        return;
    };
    let alone = sketch.groups == [dim] && sketch.select.len() == 1;
    if alone && parts.moved && sketch.then.is_none() && !sketch.ranked && sketch.limit.is_none() {
        sketch.then = Some(Then::Both);
    } else if parts.moved {
        sketch.quality *= LEFT_OVER;
    }
}

/// Puts rows in the order of time; groups of a part of time are in it.
pub(super) fn settle_time(sketch: &mut Sketch, parts: &Parts) {
    let Some(last) = parts.by_time else { return };
    let timed = matches!(sketch.groups[..], [Dim::Part(_)]) && !sketch.ranked;
    if sketch.is_listing() {
        sketch.latest = Some(last);
    } else if last || !timed {
        sketch.quality *= LEFT_OVER;
    }
}

/// Two filters that ask one column for different values cannot both hold.
pub(super) fn contradiction(filters: &[Cond]) -> f64 {
    let fixed: Vec<usize> = filters
        .iter()
        .filter_map(|c| match c {
            Cond::Values { column, negated: false, .. } => Some(*column),
            _ => None,
        })
        .collect();
    // dates that never are
    let periods: Vec<_> = filters
        .iter()
        .filter_map(|c| match c {
            Cond::Period(first, last) => Some((*first, *last)),
            _ => None,
        })
        .collect();
    let never = periods.iter().any(|(first, _)| {
        periods.iter().any(|(_, last)| matches!((first, last), (Some(a), Some(b)) if a > b))
    });
    if never {
        return LEFT_OVER;
    }
    // `not Germany, Serbia`: one is kept out and another asked for
    let both = filters
        .iter()
        .any(|c| matches!(c, Cond::Values { column, negated: true, .. } if fixed.contains(column)));
    let missing = filters
        .iter()
        .any(|c| matches!(c, Cond::Missing { column, negated: false } if fixed.contains(column)));
    if both || missing {
        return LEFT_OVER;
    }
    // `with a balcony` and `without a balcony`, Monday and Friday
    let flags = |yes: bool| {
        filters.iter().filter_map(move |c| match c {
            Cond::Flag { column, wanted } if *wanted == yes => Some(*column),
            _ => None,
        })
    };
    let days: Vec<&Vec<usize>> = filters
        .iter()
        .filter_map(|c| match c {
            Cond::Weekdays { days, negated: false } => Some(days),
            _ => None,
        })
        .collect();
    let months: Vec<&Vec<usize>> = filters
        .iter()
        .filter_map(|c| match c {
            Cond::Months { months, negated: false } => Some(months),
            _ => None,
        })
        .collect();
    let none = |list: &[&Vec<usize>]| matches!(list, [a, b] if !a.iter().any(|d| b.contains(d)));
    if none(&days) || none(&months) || flags(true).any(|c| flags(false).any(|d| c == d)) {
        return LEFT_OVER;
    }
    let twice = fixed.iter().enumerate().any(|(i, c)| fixed.iter().skip(i + 1).any(|d| d == c));
    if twice { LEFT_OVER } else { 1.0 }
}
