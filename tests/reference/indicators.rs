//! Compares the engine with `indicators.txt`. It does no I/O, so that the same comparison runs natively
//! and in the browser.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken reference file stops the test"
)]

use pinhole::engine::{Engine, LoadedTable, Options};
use pinhole::query::{Query, check};
use pinhole::schema::{Column, Kind, TableSchema};
use pinhole::value::{Table, Value};
use std::fmt::Write;
use std::sync::Arc;

const TABLES: [(&str, &str); 3] = [
    ("vix-2008", include_str!("vix-2008.csv")),
    ("ibm-2008", include_str!("ibm-2008.csv")),
    ("minutes", include_str!("minutes.csv")),
];

const VALUES: &str = include_str!("indicators.txt");

/// The expressions of one `## table field rows` section.
struct Section {
    table: String,
    field: String,
    rows: Vec<usize>,
    /// Expression, who computed it, its values; `None` is null.
    lines: Vec<(String, String, Vec<Option<f64>>)>,
}

/// How many values agree, and a line for each that does not.
pub fn compare() -> (usize, String) {
    let mut engine = Engine::new(Options::default()).expect("an engine");
    for (name, csv) in TABLES {
        engine.insert(load(name, csv)).expect("a table");
    }
    engine.insert(year()).expect("a table");
    let (mut right, mut wrong) = (0, String::new());
    for section in sections() {
        let made = section.lines.iter().enumerate();
        let made = made.map(|(i, (expression, ..))| (format!("v{i}"), expression.clone().into()));
        let made: serde_json::Map<String, serde_json::Value> = made.collect();
        let mut query = serde_json::json!({ "table": section.table });
        if section.field == "map" {
            query["columns"] = made.keys().cloned().collect::<Vec<_>>().into();
        }
        query[section.field.as_str()] = made.into();
        let query = Query::from_json(&query).expect("a query");
        let checked = Arc::new(check(&query, &engine.tables()).expect("a checked query"));
        let outcome = engine.start(&checked).expect("a start").finish().expect("a result");
        for (column, (expression, who, values)) in section.lines.iter().enumerate() {
            for (row, wanted) in section.rows.iter().zip(values) {
                let found = outcome.rows.value(*row, column);
                if alike(&found, *wanted) {
                    right += 1;
                } else {
                    let table = &section.table;
                    writeln!(wrong, "{table} {expression} row {row}: {found:?}, {who} {wanted:?}")
                        .expect("a string");
                }
            }
        }
        engine.release(&outcome.id);
    }
    (right, wrong)
}

/// To nine digits; a truth is 1 or 0.
fn alike(found: &Value, wanted: Option<f64>) -> bool {
    let found = match found {
        Value::Bool(truth) => Some(f64::from(u8::from(*truth))),
        other => other.as_f64(),
    };
    match (found, wanted) {
        (None, None) => true,
        // what is near zero is a difference of much larger prices
        (Some(found), Some(wanted)) => (found - wanted).abs() <= 1e-9 * wanted.abs().max(0.01),
        _ => false,
    }
}

fn sections() -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    for line in VALUES.lines().skip(1) {
        if let Some(head) = line.strip_prefix("## ") {
            let mut words = head.split(' ');
            let mut word = || words.next().expect("a word").to_owned();
            let (table, field) = (word(), word());
            let rows = words.map(|row| row.parse().expect("a row")).collect();
            sections.push(Section { table, field, rows, lines: Vec::new() });
            continue;
        }
        let mut parts = line.split(" | ").map(str::to_owned);
        let mut part = || parts.next().expect("three parts");
        let (expression, who, values) = (part(), part(), part());
        let values = values.split(' ').map(|value| match value {
            "-" => None,
            value => Some(value.parse().expect("a number")),
        });
        let section = sections.last_mut().expect("a section");
        section.lines.push((expression, who, values.collect()));
    }
    sections
}

fn load(name: &str, csv: &str) -> LoadedTable {
    let mut lines = csv.lines();
    let columns = lines.next().expect("a header").split(',').map(|name| {
        let kind = match name {
            "time" => Kind::Timestamp,
            "volume" => Kind::Int,
            _ => Kind::Float,
        };
        Column::new(name, kind)
    });
    let columns: Vec<Column> = columns.collect();
    let parse = |cell: &str, kind: Kind| match kind {
        Kind::Timestamp => {
            let day = cell.get(..10).expect("a date").parse::<chrono::NaiveDate>();
            let clock = cell.get(11..).unwrap_or("00:00:00");
            let clock = clock.parse::<chrono::NaiveTime>().expect("a time");
            Value::from_datetime(day.expect("a date").and_time(clock))
        }
        Kind::Int => Value::Int(cell.parse().expect("an integer")),
        _ => Value::Float(cell.parse().expect("a number")),
    };
    let rows = lines.map(|line| {
        line.split(',').zip(&columns).map(|(cell, column)| parse(cell, column.kind)).collect()
    });
    let rows: Vec<Vec<Value>> = rows.collect();
    table(name, columns, rows)
}

fn table(name: &str, columns: Vec<Column>, rows: Vec<Vec<Value>>) -> LoadedTable {
    let mut schema = TableSchema::new(name, columns.clone());
    schema.time = Some("time".into());
    LoadedTable::from_rows(schema, &Table { columns, rows }).expect("a table")
}

/// The minute bars of a year that `year` of `indicators.py` makes, in whole cents as there.
fn year() -> LoadedTable {
    let mut state = 20_230_102_i64;
    let mut below = |n: i64| {
        state = (state * 1_103_515_245 + 12_345) % (1 << 31);
        state / (1 << 12) % n
    };
    let first = chrono::NaiveDate::from_ymd_opt(2023, 1, 2).expect("a date");
    let mut rows = Vec::new();
    let mut price = 470_000;
    for day in 0..252_u64 {
        let date = first + chrono::Days::new(day / 5 * 7 + day % 5);
        price += below(4001) - 2000;
        for minute in 0..390 {
            let open = price + below(51) - 25;
            let close = open + below(301) - 150;
            let high = open.max(close) + below(100);
            let low = open.min(close) - below(100);
            let minute = 570 + minute;
            let time = date.and_hms_opt(minute / 60, minute % 60, 0).expect("a time");
            let prices = [open, high, low, close].map(|cents| Value::Float(cents as f64 / 100.0));
            let mut row = vec![Value::from_datetime(time)];
            row.extend(prices);
            row.push(Value::Int(below(1000) + 1));
            rows.push(row);
            price = close;
        }
    }
    let kinds = ["open", "high", "low", "close"].map(|name| Column::new(name, Kind::Float));
    let mut columns = vec![Column::new("time", Kind::Timestamp)];
    columns.extend(kinds);
    columns.push(Column::new("volume", Kind::Int));
    table("year", columns, rows)
}
