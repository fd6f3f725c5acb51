//! The 22 questions of TPC-H over generated data of scale factor 0.01, against the answers of
//! DuckDB. No input or output: the same body runs natively and in the browser.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "an engine that cannot answer stops the test"
)]

use pinhole::engine::ingest::{Loader, Options as Reading};
use pinhole::engine::{Engine, Options};
use pinhole::value::Value;
use serde_json::json;
use std::fmt::{Display, Write};
use std::sync::Arc;
use tpchgen::csv::{
    CustomerCsv, LineItemCsv, NationCsv, OrderCsv, PartCsv, PartSuppCsv, RegionCsv, SupplierCsv,
};
use tpchgen::generators::{
    CustomerGenerator, LineItemGenerator, NationGenerator, OrderGenerator, PartGenerator,
    PartSuppGenerator, RegionGenerator, SupplierGenerator,
};

const SCALE: f64 = 0.01;

/// How far a sum of doubles may be from the exact sum of decimals, relatively.
const TOLERANCE: f64 = 1e-9;

/// Every difference between the engine's answers and those of DuckDB, a line each, and how many
/// cells are the same.
pub fn compare() -> (usize, String) {
    let mut engine = engine();
    let answers = sections(include_str!("answers.txt"));
    let (mut right, mut wrong) = (0, String::new());
    for (name, sql) in sections(include_str!("queries.sql")) {
        let expected = answers.iter().find(|(n, _)| *n == name).map(|(_, text)| text);
        let expected = expected.unwrap_or_else(|| panic!("no answer to {name}"));
        match ask(&mut engine, sql.trim().trim_end_matches(';')) {
            Ok(actual) => same(&name, expected.trim_end(), &actual, &mut right, &mut wrong),
            Err(error) => writeln!(wrong, "{name}: {error}").unwrap(),
        }
    }
    (right, wrong)
}

/// The parts of a file under their names, which stand in lines of their own: `-- q1`.
fn sections(text: &str) -> Vec<(String, String)> {
    let parts = text.split("\n-- q").skip(1).map(|part| part.split_once('\n').unwrap());
    parts.map(|(number, text)| (format!("q{number}"), text.to_owned())).collect()
}

fn engine() -> Engine {
    let mut engine = Engine::new(Options::default()).expect("an engine");
    macro_rules! load {
        ($($name:literal $generator:ident $csv:ident)*) => {$(
            let rows = $generator::new(SCALE, 1, 1);
            load(&mut engine, $name, $csv::header(), rows.iter().map($csv::new));
        )*};
    }
    load! {
        "nation" NationGenerator NationCsv
        "region" RegionGenerator RegionCsv
        "part" PartGenerator PartCsv
        "supplier" SupplierGenerator SupplierCsv
        "partsupp" PartSuppGenerator PartSuppCsv
        "customer" CustomerGenerator CustomerCsv
        "orders" OrderGenerator OrderCsv
        "lineitem" LineItemGenerator LineItemCsv
    }
    engine
}

/// Reads a table as a page would: as a file in pieces.
fn load(engine: &mut Engine, name: &str, header: &str, rows: impl Iterator<Item: Display>) {
    let mut loader = Loader::new(name, Reading::default()).expect("a loader");
    let mut piece = format!("{header}\n");
    for row in rows {
        writeln!(piece, "{row}").unwrap();
        if piece.len() > 64 << 10 {
            loader.push(piece.as_bytes()).expect("text");
            piece.clear();
        }
    }
    loader.push(piece.as_bytes()).expect("text");
    engine.insert(loader.finish().expect("a table").table).expect("taken in");
}

/// The cells of an answer, row by row.
fn ask(engine: &mut Engine, sql: &str) -> pinhole::error::Result<Vec<Vec<Value>>> {
    let query = engine.check_sql(sql, &json!([]))?;
    let outcome = engine.start(&Arc::new(query))?.finish()?;
    let row = |row| (0..outcome.columns.len()).map(|c| outcome.rows.value(row, c)).collect();
    Ok((0..outcome.rows.len()).map(row).collect())
}

fn same(name: &str, expected: &str, actual: &[Vec<Value>], right: &mut usize, wrong: &mut String) {
    let rows: Vec<&str> = expected.lines().skip(1).collect();
    if rows.len() != actual.len() {
        writeln!(wrong, "{name}: {} rows and not {}", actual.len(), rows.len()).unwrap();
    }
    for (number, (expected, actual)) in rows.iter().zip(actual).enumerate() {
        let cells: Vec<&str> = expected.split('\t').collect();
        if cells.len() != actual.len() {
            writeln!(wrong, "{name}: {} columns", actual.len()).unwrap();
        }
        for (expected, actual) in cells.iter().zip(actual) {
            let equal = match (actual, expected.parse::<f64>()) {
                (Value::Int(_) | Value::Float(_), Ok(exact)) => {
                    let value = actual.as_f64().unwrap();
                    (value - exact).abs() <= TOLERANCE * exact.abs().max(1.0)
                }
                (Value::Null, _) => *expected == "∅",
                (value, _) => value.to_string() == *expected,
            };
            if equal {
                *right += 1;
            } else {
                writeln!(wrong, "{name}, row {number}: {actual:?} and not {expected}").unwrap();
            }
        }
    }
}
