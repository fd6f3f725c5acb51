//! Bars that a table lacks: inside its trading days, and days without any.
//!
//! No calendar is known, so only what the table itself shows is expected. A time of the day at which
//! a series has no bar on most of its days is a break of the market, or a time at which hardly anybody
//! trades; a day of the week without bars in most weeks is no trading day. Where a day begins and ends
//! is not known either: days may be short.

use super::local::LocalClock;
use super::scan::TableData;
use super::tables::{DAY_MICROS, moments};
use crate::schema::{Gaps, Kind, Missing, TableSchema};
use crate::value::Value;
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Int32Type};
use std::collections::HashMap;

/// What is seen on fewer days says nothing of the others.
const FEW_DAYS: i64 = 3;

/// What of the bars of a table is missing; nothing where it has none, or no time between them.
pub(crate) fn of(schema: &TableSchema, data: &TableData) -> Option<Gaps> {
    schema.ohlcv.as_ref()?;
    let interval = i64::try_from(schema.interval?).ok()?.checked_mul(1_000_000)?;
    let place = |name: &str| data.schema().index_of(name).ok();
    let time = schema.time.as_deref()?;
    let dates = schema.column(time).is_some_and(|column| column.kind == Kind::Date);
    let time = place(time)?;
    let series = match &schema.series {
        Some(name) => Some(place(name)?),
        None => None,
    };
    let mut counter = Counter {
        interval,
        shift: if dates { 0 } else { schema.market.day_shift() },
        dates,
        clock: schema.market.timezone.as_deref().and_then(LocalClock::of),
        gaps: Gaps {
            bars: (interval != DAY_MICROS).then(Missing::default),
            dates: (interval <= DAY_MICROS).then(Missing::default),
        },
    };
    for (name, times) in apart(data, time, series)? {
        counter.count(name.as_deref(), &times);
    }
    Some(counter.gaps)
}

/// A series with the times of its rows, in their order.
type Times = (Option<String>, Vec<i64>);

/// The times of each series; rows without a time have no place in any.
fn apart(data: &TableData, time: usize, series: Option<usize>) -> Option<Vec<Times>> {
    let mut all: Vec<Times> = Vec::new();
    let mut places: HashMap<Option<String>, usize> = HashMap::new();
    for batch in data.batches() {
        let times = moments(batch.columns().get(time)?)?;
        let Some(series) = series else {
            if all.is_empty() {
                all.push((None, Vec::with_capacity(times.len())));
            }
            if let Some((_, own)) = all.first_mut() {
                own.extend(times.iter().flatten());
            }
            continue;
        };
        let series = dictionary(batch.columns().get(series)?)?;
        let series = series.as_dictionary_opt::<Int32Type>()?;
        let names = series.values().as_string_opt::<i32>()?;
        // The place of each name in this batch, and of rows without one.
        let mut known: Vec<Option<usize>> = vec![None; names.len() + 1];
        for (row, time) in times.iter().enumerate() {
            let Some(time) = time else { continue };
            let key = series.key(row).filter(|&key| names.is_valid(key));
            let slot = known.get_mut(key.unwrap_or(names.len()))?;
            let place = *slot.get_or_insert_with(|| {
                let name = key.map(|key| names.value(key).to_owned());
                *places.entry(name.clone()).or_insert_with(|| {
                    all.push((name, Vec::new()));
                    all.len() - 1
                })
            });
            all.get_mut(place)?.1.push(time);
        }
    }
    Some(all)
}

/// A column of names as a dictionary of texts.
fn dictionary(names: &ArrayRef) -> Option<ArrayRef> {
    let packed = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    if *names.data_type() == packed {
        return Some(names.clone());
    }
    cast(&cast(names, &DataType::Utf8).ok()?, &packed).ok()
}

/// A run of times of the day without a bar: from the first to before the last.
struct Run {
    from: usize,
    until: usize,
    /// The bar before it.
    after: i64,
}

/// A trading day as it is read.
struct Open {
    day: i64,
    /// The times of the day of its first bar and of its last.
    first: usize,
    last: usize,
    /// The bar before, and its time of the day.
    before: i64,
    at: usize,
}

struct Counter {
    interval: i64,
    shift: i64,
    /// The times are dates.
    dates: bool,
    clock: Option<LocalClock>,
    gaps: Gaps,
}

impl Counter {
    fn count(&mut self, series: Option<&str>, times: &[i64]) {
        if self.interval < DAY_MICROS {
            self.inside_days(series, times);
        } else if self.interval > DAY_MICROS {
            self.between_bars(series, times);
        }
        if self.gaps.dates.is_some() {
            self.without_bars(series, times);
        }
    }

    /// The trading day of a moment, and its time of the day in bars.
    fn place(&self, moment: i64) -> (i64, usize) {
        let moment = moment.saturating_add(self.shift);
        let slot = moment.rem_euclid(DAY_MICROS) / self.interval;
        (moment.div_euclid(DAY_MICROS), usize::try_from(slot).unwrap_or(0))
    }

    fn value(&self, moment: i64) -> Value {
        if self.dates { date(moment.div_euclid(DAY_MICROS)) } else { Value::Timestamp(moment) }
    }

    fn inside_days(&mut self, series: Option<&str>, times: &[i64]) {
        // At each time of the day: how many days more than at the one before go past it, and how
        // many more have no bar at it.
        let slots = usize::try_from(DAY_MICROS / self.interval).unwrap_or(0) + 1;
        let mut changes = vec![(0i64, 0i64); slots + 1];
        let mut runs = Vec::new();
        let mut open: Option<Open> = None;
        for &time in times {
            let (day, slot) = self.place(time);
            if let Some(open) = open.as_mut().filter(|open| open.day == day) {
                let far = time.saturating_sub(open.before) > self.interval + self.interval / 2;
                if far {
                    let skipped = self.skipped(open.before, time);
                    let (from, until) = (open.at + 1, self.place(time - skipped).1);
                    if from < until {
                        change(&mut changes, from, until, |(_, absent)| absent);
                        runs.push(Run { from, until, after: open.before });
                    }
                }
                (open.before, open.at, open.last) = (time, slot, open.last.max(slot));
            } else {
                let next = Open { day, first: slot, last: slot, before: time, at: slot };
                if let Some(Open { first, last, .. }) = open.replace(next) {
                    change(&mut changes, first, last + 1, |(past, _)| past);
                }
            }
        }
        if let Some(Open { first, last, .. }) = open {
            change(&mut changes, first, last + 1, |(past, _)| past);
        }
        // How many times of the day before each are expected to have a bar.
        let mut expected = Vec::with_capacity(changes.len());
        let (mut before, mut past, mut absent) = (0u64, 0, 0);
        for (more_past, more_absent) in changes {
            expected.push(before);
            (past, absent) = (past + more_past, absent + more_absent);
            before += u64::from(past < FEW_DAYS || absent * 2 <= past);
        }
        let before = |slot: usize| expected.get(slot).copied().unwrap_or(before);
        for Run { from, until, after } in runs {
            let count = before(until).saturating_sub(before(from));
            let at = self.value(after);
            if let Some(bars) = &mut self.gaps.bars {
                bars.take_in(count, series, || at);
            }
        }
    }

    /// How much of the time between two moments of a day the clock skipped.
    fn skipped(&mut self, from: i64, to: i64) -> i64 {
        let Some(clock) = self.clock.as_mut() else { return 0 };
        if clock.is_even(from.div_euclid(DAY_MICROS)) && clock.is_even(to.div_euclid(DAY_MICROS)) {
            return 0;
        }
        match clock.moments(&[Some(from), Some(to)]).as_slice() {
            [Some(start), Some(end)] => (to - from).saturating_sub(end - start).max(0),
            _ => 0,
        }
    }

    fn between_bars(&mut self, series: Option<&str>, times: &[i64]) {
        for (before, time) in times.iter().zip(times.iter().skip(1)) {
            let usual = time.saturating_sub(*before).saturating_add(self.interval / 2);
            let count = u64::try_from(usual / self.interval - 1).unwrap_or(0);
            let at = self.value(*before);
            if let Some(bars) = &mut self.gaps.bars {
                bars.take_in(count, series, || at);
            }
        }
    }

    fn without_bars(&mut self, series: Option<&str>, times: &[i64]) {
        let mut days: Vec<i64> = Vec::new();
        for &time in times {
            let (day, _) = self.place(time);
            if days.last().is_none_or(|last| *last < day) {
                days.push(day);
            }
        }
        let (Some(&first), Some(&last)) = (days.first(), days.last()) else { return };
        let all = weekdays(first, last + 1);
        let mut present = [0i64; 7];
        for &day in &days {
            present.get_mut(weekday(day)).into_iter().for_each(|n| *n += 1);
        }
        let mut expected = [false; 7];
        for (day, (all, present)) in all.into_iter().zip(present).enumerate() {
            let works = all < FEW_DAYS && day < 5;
            let expects = works || present > 0 && present * 2 >= all;
            expected.get_mut(day).into_iter().for_each(|e| *e = expects);
        }
        let expects = |day: i64| expected.get(weekday(day)).copied().unwrap_or(false);
        let Some(missing) = &mut self.gaps.dates else { return };
        for (before, after) in days.iter().zip(days.iter().skip(1)) {
            let between = weekdays(before + 1, *after);
            let count: i64 =
                between.iter().zip(&expected).filter(|(_, e)| **e).map(|(n, _)| n).sum();
            let count = u64::try_from(count).unwrap_or(0);
            let start = || (before + 1..*after).find(|day| expects(*day)).unwrap_or(before + 1);
            missing.take_in(count, series, || date(start()));
        }
    }
}

fn date(day: i64) -> Value {
    Value::Date(day as i32)
}

/// Adds one to all from one place to before another.
fn change(
    changes: &mut [(i64, i64)],
    from: usize,
    until: usize,
    which: fn(&mut (i64, i64)) -> &mut i64,
) {
    for (place, by) in [(from, 1), (until, -1)] {
        if let Some(found) = changes.get_mut(place) {
            *which(found) += by;
        }
    }
}

/// The day of the week, Monday = 0; the first of 1970 was a Thursday.
fn weekday(day: i64) -> usize {
    usize::try_from((day + 3).rem_euclid(7)).unwrap_or(0)
}

/// How many of each day of the week there are from a day to before another.
fn weekdays(from: i64, until: i64) -> [i64; 7] {
    let days = (until - from).max(0);
    let mut counts = [days / 7; 7];
    for day in from..from + days % 7 {
        counts.get_mut(weekday(day)).into_iter().for_each(|n| *n += 1);
    }
    counts
}

#[cfg(test)]
mod tests;
