//! Reads the files that other programs wrote and compares them with what other readers see in them.
//! It does no I/O, so that the same comparison runs natively and in the browser. `make.py` says
//! who wrote and who read, and what an expected file is made of.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken expectation stops the test"
)]

use chrono::{NaiveDate, NaiveDateTime};
use pinhole::engine::ingest::{Loaded, Loader, Options, Report};
use pinhole::engine::{Engine, Options as EngineOptions};
use pinhole::error::Result;
use pinhole::query::check_json;
use pinhole::schema::{Kind, Member};
use pinhole::value::{Decimal, Rows, Value};
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::sync::Arc;

macro_rules! file {
    ($name:literal) => {
        File {
            name: $name,
            bytes: include_bytes!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/formats/files/",
                $name
            )),
            expected: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/tests/formats/expected/",
                $name,
                ".txt"
            )),
        }
    };
}

mod list;

pub use list::FILES;

/// A file of another program.
pub struct File {
    /// Its name; the ending tells the format and the packing.
    pub name: &'static str,
    /// What is in it.
    pub bytes: &'static [u8],
    /// What another reader sees in it.
    pub expected: &'static str,
}

/// A table as another reader sees it.
struct Expected {
    options: Json,
    columns: Vec<(String, Kind)>,
    rows: Vec<Vec<Value>>,
}

/// Reads a file in pieces of `step` bytes; everything in which it is not as expected, a line each.
pub fn differences(file: &File, step: usize) -> String {
    let expected = read_expected(file.expected);
    let loaded = match load(file, &expected.options, step) {
        Ok(loaded) => loaded,
        Err(error) => return format!("{}: {error}\n", file.name),
    };
    let mut wrong = String::new();
    let mut tell = |what: &str, found: &dyn std::fmt::Display, wanted: &dyn std::fmt::Display| {
        writeln!(wrong, "{}: {what} {found}, not {wanted}", file.name).expect("a string");
    };
    let Report { format, compression, rows, ref columns, .. } = loaded.report;
    let (wanted_format, wanted_packing) = by_name(file.name);
    if format != wanted_format {
        tell("the format is", &format, &wanted_format);
    }
    if compression != wanted_packing {
        tell("the packing is", &format!("{compression:?}"), &format!("{wanted_packing:?}"));
    }
    if rows != expected.rows.len() as u64 {
        tell("rows in the report:", &rows, &expected.rows.len());
    }
    for (place, report) in columns.iter().enumerate() {
        let nulls = expected.rows.iter().filter(|row| row.get(place).is_some_and(Value::is_null));
        let nulls = nulls.count() as u64;
        // what is infinite becomes missing only when the engine takes a typed column
        if report.nulls != nulls && format != "arrow" {
            tell(&format!("missing values of `{}`:", report.name), &report.nulls, &nulls);
        }
    }
    match rows_of(loaded) {
        Ok(found) => compare(found.as_ref(), &expected, &mut tell),
        Err(error) => writeln!(wrong, "{}: {error}", file.name).expect("a string"),
    }
    wrong
}

fn load(file: &File, options: &Json, step: usize) -> Result<Loaded> {
    let mut loader = Loader::new("t", Options::from_json(options)?)?;
    for piece in file.bytes.chunks(step) {
        loader.push(piece)?;
    }
    loader.finish()
}

/// All rows of a table, by a query.
fn rows_of(loaded: Loaded) -> Result<Arc<dyn Rows>> {
    let mut engine = Engine::new(EngineOptions::default())?;
    engine.insert(loaded.table)?;
    let checked = check_json(&json!({"table": "t"}), &engine.tables())?;
    let outcome = engine.start(&Arc::new(checked))?.finish()?;
    Ok(outcome.rows.clone())
}

fn compare(
    found: &dyn Rows,
    expected: &Expected,
    tell: &mut dyn FnMut(&str, &dyn std::fmt::Display, &dyn std::fmt::Display),
) {
    let list = |columns: &[(String, Kind)]| {
        let cells = columns.iter().map(|(name, kind)| format!("{name}:{kind}"));
        cells.collect::<Vec<_>>().join(" | ")
    };
    let columns: Vec<(String, Kind)> =
        found.columns().iter().map(|c| (c.name.clone(), c.kind)).collect();
    if columns != expected.columns {
        return tell("the columns are", &list(&columns), &list(&expected.columns));
    }
    if found.len() != expected.rows.len() {
        return tell("rows:", &found.len(), &expected.rows.len());
    }
    for (row, wanted) in expected.rows.iter().enumerate() {
        for (column, wanted) in wanted.iter().enumerate() {
            let value = found.value(row, column);
            if !same(&value, wanted) {
                let name = expected.columns.get(column).map_or("", |(name, _)| name);
                tell(&format!("row {row} of `{name}` is"), &value, wanted);
            }
        }
    }
}

/// Floats that another program wrote with a digit less than it has are the same.
fn same(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Float(a), Value::Float(b)) => a == b || (a - b).abs() <= 1e-12 * b.abs(),
        (a, b) => a == b,
    }
}

/// Format and packing by the endings of a name.
fn by_name(name: &str) -> (&'static str, Option<&'static str>) {
    let (name, packing) = match name.rsplit_once('.') {
        Some((name, "gz")) => (name, Some("gzip")),
        Some((name, "zst")) => (name, Some("zstd")),
        _ => (name, None),
    };
    let format = match name.rsplit_once('.').map(|(_, ending)| ending) {
        // DuckDB calls lines of JSON so too
        Some("json") if name.contains("lines") => "ndjson",
        Some("json") => "json",
        Some("ndjson") => "ndjson",
        Some("arrow" | "arrows" | "feather") => "arrow",
        _ => "csv",
    };
    (format, packing)
}

fn read_expected(text: &str) -> Expected {
    let mut options = json!({});
    let mut lines = text.lines();
    let header = lines.find(|line| match line.strip_prefix("//options ") {
        Some(given) => {
            options = serde_json::from_str(given).expect("options are JSON");
            false
        }
        None => !line.starts_with("//"),
    });
    let columns = header.expect("a header").split('\t').map(|cell| {
        let (name, kind) = cell.rsplit_once(':').expect("name:kind");
        (name.to_owned(), kind_of(kind))
    });
    let columns: Vec<(String, Kind)> = columns.collect();
    let rows = lines.map(|line| {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(cells.len(), columns.len(), "a ragged row: {line}");
        cells.iter().zip(&columns).map(|(cell, (_, kind))| parse(cell, *kind)).collect()
    });
    let rows = rows.collect();
    Expected { options, columns, rows }
}

fn kind_of(name: &str) -> Kind {
    name.parse().unwrap_or_else(|()| panic!("no kind {name}"))
}

fn parse(cell: &str, kind: Kind) -> Value {
    if cell == "∅" {
        return Value::Null;
    }
    match kind {
        Kind::Int => Value::Int(cell.parse().expect("an integer")),
        Kind::Float => Value::Float(cell.parse().expect("a number")),
        Kind::Decimal(_) => Value::Decimal(Decimal::parse(cell).expect("a decimal")),
        Kind::Bool => Value::Bool(cell == "true"),
        Kind::Text => Value::text(serde_json::from_str::<String>(cell).expect("a JSON string")),
        Kind::Date => Value::from_date(cell.parse::<NaiveDate>().expect("a date")),
        Kind::Timestamp => {
            let moment = NaiveDateTime::parse_from_str(cell, "%Y-%m-%dT%H:%M:%S%.f");
            Value::from_datetime(moment.expect("a moment"))
        }
        Kind::List(member) => list(cell, member),
    }
}

/// The members of a list in JSON.
fn list(cell: &str, member: Member) -> Value {
    let members: Vec<Json> = serde_json::from_str(cell).expect("a JSON list");
    let value = |one: &Json| match (member, one) {
        (_, Json::Null) => Value::Null,
        (Member::Int, one) => Value::Int(one.as_i64().expect("an integer")),
        (Member::Float, one) => Value::Float(one.as_f64().expect("a number")),
        (Member::Bool, one) => Value::Bool(one.as_bool().expect("a truth value")),
        (Member::Text, one) => Value::text(one.as_str().expect("a text")),
    };
    Value::List(members.iter().map(value).collect())
}
