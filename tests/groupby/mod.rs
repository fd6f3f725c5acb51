//! The ten group-by questions of the db-benchmark over a generated table, and its five of joins,
//! against the answers of DuckDB. No input or output: the same body runs natively and in the browser.
//! `reference.py` makes the same tables and the answers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "an engine that cannot answer stops the test"
)]

mod joins;

use pinhole::engine::ingest::{Loader, Options as Reading};
use pinhole::engine::{Engine, Options};
use pinhole::query::check_json;
use pinhole::value::Value;
use serde_json::{Value as Json, json};
use std::fmt::Write;
use std::sync::Arc;

const ROWS: usize = 40_000;
const GROUPS: u64 = 10;
const PER: u64 = ROWS as u64 / GROUPS;

/// How far a sum of doubles may be from DuckDB's, relatively.
const TOLERANCE: f64 = 1e-9;

/// The questions of `benches/questions.mjs`; a text is SQL.
fn questions() -> [(&'static str, Json); 10] {
    [
        ("q1", json!({"group_by": "id1", "select": "sum(v1)"})),
        ("q2", json!({"group_by": ["id1", "id2"], "select": "sum(v1)"})),
        ("q3", json!({"group_by": "id3", "select": ["sum(v1)", "mean(v3)"]})),
        ("q4", json!({"group_by": "id4", "select": ["mean(v1)", "mean(v2)", "mean(v3)"]})),
        ("q5", json!({"group_by": "id6", "select": ["sum(v1)", "sum(v2)", "sum(v3)"]})),
        ("q6", json!({"group_by": ["id4", "id5"], "select": ["median(v3)", "std(v3)"]})),
        ("q7", json!({"group_by": "id3", "select": {"d": "max(v1) - min(v2)"}})),
        (
            "q8",
            json!(
                "SELECT id6, v3 FROM (SELECT id6, v3, row_number() OVER (PARTITION BY id6 ORDER BY v3 DESC) AS n FROM t) AS s WHERE n <= 2 ORDER BY id6, v3 DESC"
            ),
        ),
        ("q9", json!({"group_by": ["id2", "id4"], "select": {"r2": "correlation(v1, v2) ** 2"}})),
        (
            "q10",
            json!({"group_by": ["id1", "id2", "id3", "id4", "id5", "id6"], "select": ["sum(v3)", "count()"]}),
        ),
    ]
}

/// Every difference between the engine's answers and those of DuckDB, a line each, and how many
/// cells are the same.
pub fn compare() -> (usize, String) {
    let mut engine = engine();
    let answers = include_str!("answers.txt");
    let (mut right, mut wrong) = joins::compare();
    for (name, question) in questions() {
        let answer = ask(&mut engine, &question);
        judge(name, section(answers, name), answer, &mut right, &mut wrong);
    }
    (right, wrong)
}

/// The part of a file under a name, which stands in a line of its own: `-- q1`.
fn section<'a>(text: &'a str, name: &str) -> &'a str {
    let mark = format!("\n-- {name}\n");
    let (_, text) = text.split_once(&mark).unwrap_or_else(|| panic!("nothing under {name}"));
    text.split("\n-- q").next().unwrap_or_default().trim_end()
}

/// A linear congruential generator.
struct Numbers(u64);

impl Numbers {
    /// 1 to `n`.
    fn pick(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        1 + (self.0 >> 33) % n
    }

    fn shuffle(&mut self, values: &mut [u64]) {
        for last in (1..values.len()).rev() {
            values.swap(last, self.pick(last as u64 + 1) as usize - 1);
        }
    }
}

/// A number up to 100 with six decimals, of millionths.
fn value(millionths: u64) -> String {
    format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000)
}

fn engine() -> Engine {
    let mut engine = Engine::new(Options::default()).expect("an engine");
    let mut numbers = Numbers(108);
    let rows = (0..ROWS).map(|_| {
        let [id1, id2, id3, id4, id5, id6, v1, v2, v3] =
            [GROUPS, GROUPS, PER, GROUPS, GROUPS, PER, 5, 15, 100_000_000].map(|n| numbers.pick(n));
        let v3 = value(v3);
        format!("id{id1:03},id{id2:03},id{id3:010},{id4},{id5},{id6},{v1},{v2},{v3}")
    });
    let header = "id1,id2,id3,id4,id5,id6,v1,v2,v3".to_owned();
    load(&mut engine, "t", [header].into_iter().chain(rows));
    engine
}

/// Reads a table as a page would: as a file in pieces.
fn load(engine: &mut Engine, name: &str, lines: impl Iterator<Item = String>) {
    let mut loader = Loader::new(name, Reading::default()).expect("a loader");
    let mut piece = String::new();
    for line in lines {
        writeln!(piece, "{line}").unwrap();
        if piece.len() > 64 << 10 {
            loader.push(piece.as_bytes()).expect("text");
            piece.clear();
        }
    }
    loader.push(piece.as_bytes()).expect("text");
    engine.insert(loader.finish().expect("a table").table).expect("taken in");
}

type Answer = pinhole::error::Result<Vec<Vec<Value>>>;

/// The cells of an answer, row by row.
fn ask(engine: &mut Engine, question: &Json) -> Answer {
    let checked = match question.as_str() {
        Some(sql) => engine.check_sql(sql, &json!([]))?,
        None => check_json(question, &engine.tables())?,
    };
    let outcome = engine.start(&Arc::new(checked))?.finish()?;
    let row = |row| (0..outcome.columns.len()).map(|c| outcome.rows.value(row, c)).collect();
    Ok((0..outcome.rows.len()).map(row).collect())
}

/// Counts the cells that are as expected, and tells of the others.
fn judge(name: &str, expected: &str, answer: Answer, right: &mut usize, wrong: &mut String) {
    match answer {
        Ok(rows) => same(name, expected, &rows, right, wrong),
        Err(error) => writeln!(wrong, "{name}: {error}").unwrap(),
    }
}

/// An answer has how many rows there are, the sum of each column of numbers, and all rows or the
/// first and the last.
fn same(name: &str, expected: &str, actual: &[Vec<Value>], right: &mut usize, wrong: &mut String) {
    let mut lines = expected.lines();
    let rows: usize = lines.next().and_then(|n| n.parse().ok()).expect("how many rows");
    if rows != actual.len() {
        writeln!(wrong, "{name}: {} rows and not {rows}", actual.len()).unwrap();
        return;
    }
    let mut check = |what: &str, expected: &str, actual: &Value| {
        let equal = match (actual.as_f64(), expected.parse::<f64>()) {
            (Some(value), Ok(exact)) => (value - exact).abs() <= TOLERANCE * exact.abs().max(1.0),
            _ if actual.is_null() => expected == "∅",
            _ => actual.to_string() == expected,
        };
        if equal {
            *right += 1;
        } else {
            writeln!(wrong, "{name}, {what}: {actual:?} and not {expected}").unwrap();
        }
    };
    let sums = lines.next().expect("the sums");
    for (column, expected) in sums.split('\t').enumerate().filter(|(_, sum)| *sum != "∅") {
        let sum: f64 = actual.iter().filter_map(|row| row.get(column)?.as_f64()).sum();
        check(&format!("sum of column {column}"), expected, &Value::Float(sum));
    }
    let shown: Vec<&str> = lines.collect();
    let first = if shown.len() == rows { rows } else { shown.len() / 2 };
    for (place, line) in shown.iter().enumerate() {
        let number = if place < first { place } else { rows - shown.len() + place };
        let cells: Vec<&str> = line.split('\t').collect();
        let found = &actual[number];
        assert_eq!(cells.len(), found.len(), "{name}, row {number}");
        for (expected, actual) in cells.iter().zip(found) {
            check(&format!("row {number}"), expected, actual);
        }
    }
}
