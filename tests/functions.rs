//! Whatever call of a function passes the check runs: every function of the table with every kind of
//! argument that its parameters take, in one series and in several, with rows and without.
#![cfg(not(target_arch = "wasm32"))]
#![allow(missing_docs, clippy::expect_used, clippy::panic, reason = "a test")]

use pinhole::engine::{Engine, LoadedTable, Options};
use pinhole::error::Result;
use pinhole::query::functions::{self, Default, Function, Param, Stand, Takes};
use pinhole::query::{Query, check};
use pinhole::schema::{Column, Kind, TableSchema};
use pinhole::value::{Table, Value};
use serde_json::json;
use std::sync::Arc;

/// Expressions that a parameter takes, the usual one first.
fn candidates(takes: Takes) -> Vec<String> {
    let list = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    match takes {
        Takes::Any => list(&["x", "i", "s", "p", "d", "t", "null", "dayname()"]),
        Takes::Number => list(&["x", "i", "2", "2.5", "null", "prev(i)"]),
        Takes::Int => list(&["i", "2", "-3", "null"]),
        Takes::Bool => list(&["p", "x > 1", "true", "null", "p and prev(p)"]),
        Takes::Text => list(&["s", "\"a\"", "null", "monthname()", "prev(s)"]),
        Takes::Pattern => list(&["\"a\""]),
        Takes::Time => list(&["t", "d", "null", "prev(t)"]),
        Takes::Clock => list(&["t", "null"]),
        Takes::IntConst(least) => vec![(least + 1).to_string(), least.to_string(), "99".into()],
        Takes::IntRange(least, most) => vec!["0".into(), least.to_string(), most.to_string()],
        Takes::NumberConst => list(&["2", "0.5", "0", "-1"]),
        Takes::Fraction => list(&["0.5", "0", "1"]),
    }
}

/// Calls with one argument after another varied, and with arguments left out.
fn calls(function: &Function) -> Vec<String> {
    let call = |args: &[String]| format!("{}({})", function.name, args.join(", "));
    let usual = |params: &[Param]| -> Vec<String> {
        params.iter().filter_map(|p| candidates(p.takes).into_iter().next()).collect()
    };
    let all = usual(function.params);
    let mut made = vec![call(&all)];
    if function.expands.is_some() {
        // what it unfolds into is called with every argument already
        return made;
    }
    for (place, param) in function.params.iter().enumerate() {
        for candidate in candidates(param.takes) {
            let mut args = all.clone();
            args[place] = candidate;
            made.push(call(&args));
        }
        match param.default {
            Default::Required => {}
            Default::Close => made.push(call(&usual(&function.params[place + 1..]))),
            _ => made.push(call(&all[..place])),
        }
    }
    made
}

fn tables() -> Vec<LoadedTable> {
    let mut columns: Vec<Column> = [
        ("t", Kind::Timestamp),
        ("g", Kind::Text),
        ("x", Kind::Float),
        ("i", Kind::Int),
        ("s", Kind::Text),
        ("p", Kind::Bool),
        ("d", Kind::Date),
    ]
    .map(|(name, kind)| Column::new(name, kind))
    .to_vec();
    let prices = ["open", "high", "low", "close"];
    columns.extend(prices.map(|name| Column::new(name, Kind::Float)));
    columns.push(Column::new("volume", Kind::Int));
    let day = chrono::NaiveDate::from_ymd_opt(2024, 1, 31).expect("a date");
    let row = |n: i64| -> Vec<Value> {
        let seldom = |value: Value| if n % 5 == 3 { Value::Null } else { value };
        let moment = day.and_hms_opt(9, 30, 0).expect("a time") + chrono::Duration::hours(n * 7);
        let price = 100.0 + (n % 7) as f64;
        vec![
            Value::from_datetime(moment),
            seldom(Value::text(["a", "b"][n as usize % 2])),
            seldom(Value::Float(n as f64 / 2.0 - 3.0)),
            seldom(Value::Int(n - 4)),
            seldom(Value::text(["aa", "", "Ёлка"][n as usize % 3])),
            seldom(Value::Bool(n % 3 == 0)),
            seldom(Value::from_date(moment.date())),
            Value::Float(price),
            seldom(Value::Float(price + 2.0)),
            Value::Float(price - 1.0),
            seldom(Value::Float(price + 1.0)),
            seldom(Value::Int(n * 10)),
        ]
    };
    let make = |name: &str, series: Option<&str>, rows: i64| {
        let mut schema = TableSchema::new(name, columns.clone());
        schema.time = Some("t".into());
        schema.series = series.map(str::to_owned);
        let rows = (0..rows).map(row).collect();
        LoadedTable::from_rows(schema, &Table { columns: columns.clone(), rows }).expect("a table")
    };
    vec![make("one", None, 23), make("many", Some("g"), 23), make("none", Some("g"), 0)]
}

fn run(engine: &mut Engine, query: &serde_json::Value) -> Result<()> {
    let checked = Arc::new(check(&Query::from_json(query)?, &engine.tables())?);
    let outcome = engine.start(&checked)?.finish()?;
    engine.release(&outcome.id);
    Ok(())
}

#[test]
fn whatever_call_passes_the_check_runs() {
    let mut engine = Engine::new(Options::default()).expect("an engine");
    let tables = tables();
    let names: Vec<String> = tables.iter().map(|t| t.schema().name.clone()).collect();
    for table in tables {
        engine.insert(table).expect("room");
    }
    let mut wrong = Vec::new();
    let mut right = 0;
    for aggregates in [false, true] {
        let field = if aggregates { "select" } else { "map" };
        let functions = functions::all().filter(|f| (f.stand == Stand::Aggregate) == aggregates);
        let every: Vec<Vec<String>> = functions.map(calls).collect();
        for table in &names {
            // one table sees every call, the others the usual one of each function
            let most = if table == "many" { usize::MAX } else { 1 };
            let calls: Vec<String> =
                every.iter().flat_map(|calls| calls.iter().take(most)).cloned().collect();
            let query = |calls: &[String]| {
                let made = calls.iter().enumerate().map(|(i, c)| (format!("v{i}"), json!(c)));
                let made: serde_json::Map<String, serde_json::Value> = made.collect();
                json!({ "table": table, field: made })
            };
            // what the check refuses (a bare null, a window inside an aggregate) is another matter
            let checked = calls.iter().filter(|call| {
                let query = Query::from_json(&query(std::slice::from_ref(call))).expect("a query");
                check(&query, &engine.tables()).is_ok()
            });
            let checked: Vec<String> = checked.cloned().collect();
            assert!(checked.len() * 10 > calls.len() * 6, "{} of {}", checked.len(), calls.len());
            for some in checked.chunks(12) {
                right += some.len();
                if run(&mut engine, &query(some)).is_ok() {
                    continue;
                }
                for call in some {
                    if let Err(error) = run(&mut engine, &query(std::slice::from_ref(call))) {
                        wrong.push(format!("{table}: {call}: {error}"));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "of {right} calls\n{}", wrong.join("\n"));
}
