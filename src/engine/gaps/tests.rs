//! Tests of gaps: inside days, between days, breaks of the market, series, changes of the clock.

use crate::engine::tables::LoadedTable;
use crate::engine::{Engine, Options};
use crate::schema::{Column, Gaps, Kind, Market, Missing, TableSchema};
use crate::value::{Table, Value};
use chrono::{NaiveDate, NaiveDateTime};
use proptest::prelude::*;
use std::collections::BTreeSet;

fn time(text: &str) -> Value {
    match text.parse::<NaiveDateTime>() {
        Ok(moment) => Value::from_datetime(moment),
        Err(_) => Value::from_date(text.parse::<NaiveDate>().expect("a date")),
    }
}

/// Bars of these series at these times; without a series where it is empty.
fn loaded(rows: &[(&str, Value)], market: &Market) -> LoadedTable {
    let date = rows.iter().any(|(_, time)| matches!(time, Value::Date(_)));
    let mut columns = vec![
        Column::new("time", if date { Kind::Date } else { Kind::Timestamp }),
        Column::new("symbol", Kind::Text),
    ];
    columns.extend(["open", "high", "low", "close"].map(|name| Column::new(name, Kind::Float)));
    let row = |(series, time): &(&str, Value)| {
        let series = if series.is_empty() { Value::Null } else { Value::text(series) };
        let mut row = vec![time.clone(), series];
        row.extend([1.0, 2.0, 0.5, 1.5].map(Value::Float));
        row
    };
    let mut schema = TableSchema::new("bars", columns.clone());
    schema.time = Some("time".into());
    schema.series = rows.iter().any(|(series, _)| !series.is_empty()).then(|| "symbol".to_owned());
    schema.market = market.clone();
    let rows = rows.iter().map(row).collect();
    LoadedTable::from_rows(schema, &Table { columns, rows }).expect("a table")
}

fn gaps(rows: &[(&str, Value)], market: &Market) -> Option<Gaps> {
    let mut engine = Engine::new(Options::default()).expect("an engine");
    engine.insert(loaded(rows, market)).expect("a table").gaps.clone()
}

/// The gaps of bars at these times, without series.
fn of(times: &[&str], market: &str) -> Gaps {
    let rows: Vec<_> = times.iter().map(|t| ("", time(t))).collect();
    gaps(&rows, &Market::preset(market).unwrap_or_default()).expect("gaps")
}

#[allow(clippy::unnecessary_wraps, reason = "as gaps hold it")]
fn missing(count: u64, most: u64, at: &str, series: Option<&str>) -> Option<Missing> {
    Some(Missing { count, most, at: Some(time(at)), series: series.map(str::to_owned) })
}

const NONE: Option<Missing> = Some(Missing { count: 0, most: 0, at: None, series: None });

/// Bars of a day every so many minutes, from one to before another.
fn every(day: &str, minutes: usize, from: usize, until: usize) -> Vec<String> {
    let clock = |m: usize| format!("{day}T{:02}:{:02}:00", m / 60, m % 60);
    (from..until).step_by(minutes).map(clock).collect()
}

fn strings(times: &[String]) -> Vec<&str> {
    times.iter().map(String::as_str).collect()
}

#[test]
fn bars_are_missing_between_the_first_and_the_last_of_a_day() {
    let mut times = every("2024-01-02", 1, 570, 600);
    times.drain(10..12);
    times.remove(20);
    times.extend(every("2024-01-03", 1, 580, 590));
    let found = of(&strings(&times), "");
    // The second day begins later, and ends sooner: days may be short.
    assert_eq!(found.bars, missing(3, 2, "2024-01-02T09:39:00", None));
    assert_eq!(found.dates, NONE);
}

#[test]
fn what_most_days_lack_is_no_gap() {
    let days = ["2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05"];
    let mut times = Vec::new();
    for day in days {
        times.extend(every(day, 5, 570, 690));
        times.extend(every(day, 5, 780, 900));
    }
    assert_eq!(of(&strings(&times), "").bars, NONE);
    // The last bar before a break and the first after it are missing on one day.
    let short: Vec<&str> = strings(&times)
        .into_iter()
        .filter(|t| !["2024-01-04T11:25:00", "2024-01-04T13:00:00"].contains(t))
        .collect();
    assert_eq!(of(&short, "").bars, missing(2, 2, "2024-01-04T11:20:00", None));
    // Of two days nothing can be said of the others.
    let two: Vec<&str> = strings(&times).into_iter().filter(|t| *t < "2024-01-04").collect();
    assert_eq!(of(&two, "").bars, missing(36, 18, "2024-01-02T11:25:00", None));
}

#[test]
fn trading_days_go_over_midnight() {
    let mut times = every("2024-01-02", 60, 18 * 60, 22 * 60);
    times.extend(every("2024-01-03", 60, 60, 17 * 60));
    times.extend(every("2024-01-03", 60, 18 * 60, 20 * 60));
    let found = of(&strings(&times), "futures-us-index");
    assert_eq!(found.bars, missing(3, 3, "2024-01-02T21:00:00", None));
    // By the calendar the night is no part of a day.
    assert_eq!(of(&strings(&times), "").bars, missing(1, 1, "2024-01-03T16:00:00", None));
}

#[test]
fn hours_that_the_clock_skips_are_not_missing() {
    let mut times = Vec::new();
    for day in ["2024-03-08", "2024-03-09", "2024-03-10", "2024-03-11"] {
        times.extend(every(day, 30, 0, 24 * 60));
    }
    times.retain(|t| !t.starts_with("2024-03-10T02:"));
    assert_eq!(of(&strings(&times), "").bars, missing(2, 2, "2024-03-10T01:30:00", None));
    let market = Market { timezone: Some("America/New_York".into()), ..Market::default() };
    let check = |times: &[String], wanted| {
        let rows: Vec<_> = times.iter().map(|t| ("", time(t))).collect();
        assert_eq!(gaps(&rows, &market).expect("gaps").bars, wanted);
    };
    check(&times, NONE);
    times.retain(|t| t != "2024-03-10T03:00:00");
    check(&times, missing(1, 1, "2024-03-10T01:30:00", None));
    // An hour that it shows twice.
    let mut autumn = every("2024-11-03", 30, 0, 120);
    autumn.extend(every("2024-11-03", 30, 60, 180));
    check(&autumn, NONE);
}

#[test]
fn dates_without_bars_are_those_of_days_that_have_them() {
    let mut weeks: Vec<String> = Vec::new();
    for day in 1..=28 {
        weeks.push(format!("2024-01-{day:02}"));
    }
    // The 1st was a Monday.
    let every_day = strings(&weeks);
    let working: Vec<&str> =
        every_day.iter().enumerate().filter(|(i, _)| i % 7 < 5).map(|(_, t)| *t).collect();
    for (times, without, wanted) in [
        (&working, vec![], NONE),
        (&working, vec![9], missing(1, 1, "2024-01-10", None)),
        // The weekend between does not part them.
        (&working, vec![4, 11, 14, 15], missing(4, 3, "2024-01-12", None)),
        (&every_day, vec![5], missing(1, 1, "2024-01-06", None)),
        (&every_day, vec![5, 6, 12], missing(3, 2, "2024-01-06", None)),
    ] {
        let without: Vec<&str> =
            without.iter().filter_map(|i| every_day.get(*i)).copied().collect();
        let left: Vec<&str> = times.iter().filter(|t| !without.contains(t)).copied().collect();
        let found = of(&left, "");
        assert_eq!((found.dates, found.bars), (wanted, None), "{without:?}");
    }
    // Too few weeks to tell: those from Monday to Friday count.
    let few = ["2024-01-02", "2024-01-03", "2024-01-05", "2024-01-08", "2024-01-09"];
    assert_eq!(of(&few, "").dates, missing(1, 1, "2024-01-04", None));
}

#[test]
fn days_without_any_bar_count_beside_bars() {
    let mut times = Vec::new();
    for day in ["2024-01-02", "2024-01-03", "2024-01-05", "2024-01-08"] {
        times.extend(every(day, 60, 600, 900));
    }
    let found = of(&strings(&times), "");
    assert_eq!((found.bars, found.dates), (NONE, missing(1, 1, "2024-01-04", None)));
}

#[test]
fn longer_bars_are_as_far_apart_as_usual() {
    let weeks = ["2024-01-01", "2024-01-08", "2024-01-15", "2024-02-05", "2024-02-12"];
    let found = of(&weeks, "");
    assert_eq!((found.bars, found.dates), (missing(2, 2, "2024-01-15", None), None));
    let months = [
        "2023-10-01",
        "2023-11-01",
        "2023-12-01",
        "2024-01-01",
        "2024-02-01",
        "2024-03-01",
        "2024-05-01",
        "2024-06-01",
        "2024-07-01",
    ];
    assert_eq!(of(&months, "").bars, missing(1, 1, "2024-03-01", None));
}

#[test]
fn gaps_are_those_within_a_series() {
    let row = |series, minute: u32| (series, time(&format!("2024-01-02T10:{minute:02}:00")));
    let mut rows: Vec<_> = (0..20).map(|m| row("A", m)).collect();
    rows.extend((0..20).filter(|m| !(5..9).contains(m)).map(|m| row("B", m)));
    rows.extend((10..40).filter(|m| *m != 30).map(|m| row("", m)));
    let found = gaps(&rows, &Market::default()).expect("gaps");
    assert_eq!(found.bars, missing(5, 4, "2024-01-02T10:04:00", Some("B")));
    // A text that does not repeat is no dictionary.
    let rows: Vec<_> = ["A", "B", "C"].into_iter().map(|s| row(s, 0)).collect();
    assert_eq!(gaps(&rows, &Market::default()), None);
}

#[test]
fn appended_rows_fill_gaps_and_make_them() {
    let market = Market::default();
    let rows = |minutes: &[u32]| {
        let row = |m: &u32| ("", time(&format!("2024-01-02T10:{m:02}:00")));
        minutes.iter().map(row).collect::<Vec<_>>()
    };
    let table = loaded(&rows(&[0, 1, 2, 4, 5]), &market).settle().expect("a table");
    let more = loaded(&rows(&[3, 8]), &market);
    let mut engine = Engine::new(Options::default()).expect("an engine");
    let before = engine.insert(table.clone()).expect("a table").gaps.clone().expect("gaps");
    assert_eq!(before.bars, missing(1, 1, "2024-01-02T10:02:00", None));
    let after = engine.insert(table.joined(more).expect("a table")).expect("a table");
    let after = after.gaps.clone().expect("gaps");
    assert_eq!(after.bars, missing(2, 2, "2024-01-02T10:05:00", None));
}

#[test]
fn only_bars_have_gaps() {
    let columns = vec![Column::new("time", Kind::Timestamp), Column::new("open", Kind::Float)];
    let rows = (0..5).map(|i| vec![Value::Timestamp(i * 60_000_000), Value::Float(1.0)]).collect();
    let mut schema = TableSchema::new("t", columns.clone());
    schema.time = Some("time".into());
    let table = LoadedTable::from_rows(schema, &Table { columns, rows }).expect("a table");
    let mut engine = Engine::new(Options::default()).expect("an engine");
    assert_eq!(engine.insert(table).expect("a table").gaps, None);
    // One bar has no timeframe.
    assert_eq!(gaps(&[("", time("2024-01-02T10:00:00"))], &Market::default()), None);
}

proptest! {
    /// Counted time by time, each day a set of them.
    #[test]
    fn counts_are_those_of_counting_one_by_one(
        days in proptest::collection::vec(proptest::collection::btree_set(0u32..24, 1..20), 1..8),
    ) {
        // Neighbours at the first day's start give the timeframe.
        let mut days: Vec<BTreeSet<u32>> = days;
        for day in &mut days {
            day.extend([3, 4, 5, 6, 7, 8]);
        }
        let mut rows = Vec::new();
        for (day, hours) in days.iter().enumerate() {
            for hour in hours {
                rows.push(("", time(&format!("2024-01-{:02}T{hour:02}:00:00", day + 1))));
            }
        }
        let ends = |day: &BTreeSet<u32>| (*day.first().unwrap(), *day.last().unwrap());
        let past = |hour: u32| {
            let held = days.iter().filter(|day| (ends(day).0..=ends(day).1).contains(&hour));
            held.collect::<Vec<_>>()
        };
        let expected = |hour: u32| {
            let past = past(hour);
            let absent = past.iter().filter(|day| !day.contains(&hour)).count();
            past.len() < 3 || absent * 2 <= past.len()
        };
        let mut count = 0;
        let mut most = 0;
        for day in &days {
            let mut run = 0;
            for hour in ends(day).0..=ends(day).1 {
                if day.contains(&hour) {
                    run = 0;
                } else if expected(hour) {
                    run += 1;
                    count += 1;
                    most = most.max(run);
                }
            }
        }
        let found = gaps(&rows, &Market::default()).expect("gaps").bars.expect("bars");
        prop_assert_eq!((found.count, found.most), (count, most));
    }
}
