//! Whatever passes the check runs: generated queries of up to four steps over generated tables, with
//! sessions, periods, look-back and bars of every market. Nothing but the overflow of an integer or a
//! decimal may stop a checked query, and no check is so strict that nothing passes. What was
//! aggregated into one row is as many rows as its evidence has.
//!
//! A short run by default; `PINHOLE_QUERIES=20000 cargo test --test planning` for a long one.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that reads an option"
)]

#[path = "planning/queries.rs"]
mod queries;
#[path = "planning/tables.rs"]
mod tables;

use pinhole::engine::{Engine, Options};
use pinhole::error::{Code, Error, Locale};
use pinhole::facts::Outcome;
use pinhole::query::check::{CheckedQuery, ResultKind};
use pinhole::query::functions::{self, Stand};
use pinhole::query::{check_json, explain};
use pinhole::schema::Kind;
use pinhole::value::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tables::Dice;

/// Queries over each table.
const EACH: u64 = 4;

/// What a query has, to know that none of it is left out.
fn traits(checked: &CheckedQuery) -> [(&'static str, bool); 21] {
    let frame = checked.frame();
    let steps: Vec<_> = checked.steps().collect();
    let schema = checked.schema();
    let after_groups = steps.iter().rev().skip(1).any(|s| s.kind() == ResultKind::Grouped);
    let regrouped = steps.iter().filter(|s| s.aggregates()).count() > 1;
    let text = checked.canonical().to_string();
    let windows = functions::all().filter(|f| f.stand == Stand::Window);
    let windows = windows.map(|f| format!("{}(", f.name)).any(|call| text.contains(&call));
    let timed = frame.period().is_some() || frame.session().is_some();
    let bars = checked.from().is_some();
    [
        ("session", frame.session().is_some()),
        ("period", frame.period().is_some()),
        ("session and period", frame.session().is_some() && frame.period().is_some()),
        ("no look-back", frame.period().is_some() && !frame.lookback()),
        ("a window beside a period", windows && frame.period().is_some()),
        ("bars", bars),
        ("bars of a period or session", bars && timed),
        ("bars of series", bars && schema.series.is_some()),
        ("two steps", steps.len() == 2),
        ("three steps", steps.len() == 3),
        ("four steps", steps.len() == 4),
        ("a step after groups", after_groups),
        ("groups of groups", regrouped),
        ("groups that stay groups", after_groups && checked.kind() == ResultKind::Grouped),
        ("columns", checked.columns().is_some()),
        ("a trading day of its own", schema.market.day_start.to_string() != "00:00"),
        ("a time zone", schema.market.timezone.is_some()),
        ("table", checked.kind() == ResultKind::Table),
        ("scalar", checked.kind() == ResultKind::Scalar),
        ("dict", checked.kind() == ResultKind::Dict),
        ("grouped", checked.kind() == ResultKind::Grouped),
    ]
}

/// Evidence is there for what was aggregated: as many rows as were matched, and those of a group.
fn evidence(engine: &mut Engine, outcome: &Outcome) -> Result<(), Error> {
    match outcome.kind() {
        ResultKind::Scalar | ResultKind::Dict => {
            let rows = engine.source_rows(&outcome.id, None, 0, 1)?.finish()?;
            assert_eq!(rows.total, outcome.rows_matched);
        }
        ResultKind::Grouped if !outcome.rows.is_empty() => {
            let row = outcome.rows.len() - 1;
            let names = outcome.keys();
            let group = names.into_iter().map(|column| {
                (outcome.columns[column].column.name.clone(), outcome.value(row, column))
            });
            let group: Vec<(String, Value)> = group.collect();
            let rows = engine.source_rows(&outcome.id, Some(&group), 0, 1)?.finish()?;
            assert!(rows.total <= outcome.rows_matched);
        }
        _ => {}
    }
    Ok(())
}

#[test]
fn what_passes_the_check_runs() {
    let wanted = std::env::var("PINHOLE_QUERIES").ok().and_then(|n| n.parse().ok());
    let wanted: u64 = wanted.unwrap_or(400);
    let mut engine = Engine::new(Options::default()).expect("an engine");
    let (mut passed, mut empty) = (0, 0);
    let mut used = BTreeSet::new();
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for seed in 0..wanted {
        let mut dice = Dice(seed);
        let schema = engine.insert(tables::table(&mut dice)).expect("a table");
        for _ in 0..EACH {
            let (query, checked) = queries::query(&mut dice, &schema, &engine.tables());
            let Some(checked) = checked else { continue };
            passed += 1;
            for name in functions::names() {
                if query.to_string().contains(&format!("{name}(")) {
                    used.insert(name);
                }
            }
            for (name, there) in traits(&checked) {
                *seen.entry(name).or_default() += u64::from(there);
            }
            for locale in [Locale::En, Locale::Ru] {
                assert!(!explain::explain(&checked, locale).is_empty(), "{query}");
            }
            let again = check_json(checked.canonical(), &engine.tables());
            let again = again.unwrap_or_else(|e| panic!("seed {seed}: {query} → {e:?}"));
            assert_eq!(again.canonical(), checked.canonical(), "seed {seed}: {query}");
            let kinds: Vec<Kind> = checked.output().iter().map(|o| o.column.kind).collect();
            match engine.start(&Arc::new(checked)).and_then(pinhole::engine::Execution::finish) {
                Ok(outcome) => {
                    empty += u64::from(outcome.rows.is_empty());
                    for row in 0..outcome.rows.len() {
                        for (column, kind) in kinds.iter().enumerate() {
                            let value = outcome.value(row, column);
                            assert!(fits(&value, *kind), "seed {seed}: {query}: {value:?}");
                        }
                    }
                    // A column that no aggregate reads may overflow.
                    if let Err(error) = evidence(&mut engine, &outcome) {
                        assert!(overflow(&error), "seed {seed}: {query} → {error:?}");
                    }
                    engine.release(&outcome.id);
                }
                Err(error) => assert!(overflow(&error), "seed {seed}: {query} → {error:?}"),
            }
        }
    }
    println!("{passed} queries ran, {empty} without a row: {seen:?}");
    let share = passed * 100 / (wanted * EACH);
    assert!(share > 30, "only {share} % pass the check: too few to mean anything");
    assert!(empty * 2 < passed, "{empty} of {passed} have no row");
    let all = functions::names().count();
    assert!(wanted < 400 || used.len() * 10 > all * 9, "{} of {all} functions", used.len());
    assert!(wanted < 400 || seen.values().all(|&times| times > 0), "left out: {seen:?}");
}

fn overflow(error: &Error) -> bool {
    let codes = [Code::IntegerOverflow, Code::DecimalOverflow];
    error.diagnostics().iter().all(|d| codes.contains(&d.code))
}

fn fits(value: &Value, kind: Kind) -> bool {
    match value {
        Value::Null => true,
        Value::Int(_) => kind.is_numeric(),
        Value::Float(x) => kind == Kind::Float && x.is_finite(),
        Value::Decimal(x) => kind == Kind::Decimal(x.scale()),
        Value::Bool(_) => kind == Kind::Bool,
        Value::Text(_) => kind == Kind::Text,
        Value::Date(_) | Value::Timestamp(_) => kind.is_time(),
        Value::List(members) => match kind {
            Kind::List(member) => members.iter().all(|one| fits(one, member.kind())),
            _ => false,
        },
    }
}
