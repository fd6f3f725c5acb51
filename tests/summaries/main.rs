//! Golden cases of summaries: small tables, queries, and what a model and a person would read.
//! `UPDATE_GOLDEN=1 cargo test --test summaries` rewrites the expectations.
//!
//! A file is made of sections. `## table NAME [time=COLUMN]` is followed by a header of
//! `name:kind[:unit]` cells and rows of cells (an empty cell is null). Any other `## ` section is a
//! case: the `>` line holds the query, a `!` line asks for `all` groups or the `preview`; the rest is
//! what is expected. Results come from a plain evaluator, so this tests summaries and nothing else.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test that rewrites its own files"
)]

#[path = "../disclosure/evaluate.rs"]
mod evaluate;
mod size;

use pinhole::error::Locale;
use pinhole::query::check_json;
use pinhole::schema::{Column, Kind, TableSchema};
use pinhole::summary::{Options, estimate_tokens, preview, summarise};
use pinhole::value::Value;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::sync::Arc;

const FILES: &[(&str, &str)] = &[
    ("examples", include_str!("examples.txt")),
    ("matrix", include_str!("matrix.txt")),
    ("rules", include_str!("rules.txt")),
    ("preview", include_str!("preview.txt")),
];

struct Table {
    schema: Arc<TableSchema>,
    rows: Vec<HashMap<String, Value>>,
}

#[test]
fn summaries_read_as_written() {
    let mut wrong = String::new();
    for (name, text) in FILES {
        let actual = run_file(text);
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(format!("tests/summaries/{name}.txt"), &actual).expect("written");
            continue;
        }
        for (expected, actual) in sections(text).iter().zip(sections(&actual)) {
            if *expected != actual {
                writeln!(wrong, "{name}: expected\n{expected}actual\n{actual}").expect("a string");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// A table of columns with long names, and `id`.
fn wide(rows: usize, columns: usize) -> Table {
    let names: Vec<String> = (0..columns).map(|i| format!("a column called number {i}")).collect();
    let kinds = [Kind::Float, Kind::Text, Kind::Int];
    let mut made: Vec<Column> =
        names.iter().enumerate().map(|(i, n)| Column::new(n, kinds[i % 3])).collect();
    made.push(Column::new("id", Kind::Int));
    let cells = |row: usize| -> HashMap<String, Value> {
        let cell = |(i, name): (usize, &String)| {
            let value = match i % 3 {
                0 => Value::Float((row * 7919 + i) as f64 / 7.0),
                1 => Value::text(format!("значение {row} of column {i}")),
                _ => Value::Int((row * 7919 + i) as i64),
            };
            (name.clone(), value)
        };
        let id = ("id".to_owned(), Value::Int(row as i64));
        names.iter().enumerate().map(cell).chain([id]).collect()
    };
    Table { schema: Arc::new(TableSchema::new("wide", made)), rows: (0..rows).map(cells).collect() }
}

/// The longer of the two summaries and of the two previews.
fn texts(table: &Table, query: &serde_json::Value, all_groups: bool) -> (String, String) {
    let checked = check_json(query, std::slice::from_ref(&table.schema)).expect("a right query");
    let (outcome, _) = evaluate::run(&Arc::new(checked), &table.rows, "r1", &BTreeSet::new());
    let summary = summarise(&outcome, &Options { all_groups });
    let columns: Vec<usize> = (0..outcome.columns.len()).collect();
    let longer =
        |a: String, b: String| if estimate_tokens(&a) > estimate_tokens(&b) { a } else { b };
    (
        longer(summary.model_text(Locale::En), summary.model_text(Locale::Ru)),
        longer(preview(&outcome, &columns, Locale::En), preview(&outcome, &columns, Locale::Ru)),
    )
}

fn run_file(text: &str) -> String {
    let mut table: Option<Table> = None;
    let mut out = String::new();
    for section in sections(text) {
        if let Some(rest) = section.strip_prefix("## table ") {
            table = Some(load(rest));
            out.push_str(section);
        } else if section.starts_with("## ") {
            out.push_str(&run_case(table.as_ref().expect("a table first"), section));
        } else {
            out.push_str(section);
        }
    }
    out
}

/// The text cut before every `## `.
fn sections(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> =
        text.match_indices("\n## ").map(|(at, _)| at + 1).chain([0, text.len()]).collect();
    starts.sort_unstable();
    starts.dedup();
    starts.windows(2).map(|w| &text[w[0]..w[1]]).collect()
}

fn load(section: &str) -> Table {
    let mut lines = section.lines().filter(|l| !l.trim().is_empty());
    let mut words = lines.next().expect("a name").split(' ');
    let name = words.next().expect("a name");
    let cells = |line: &str| line.split('|').map(|c| c.trim().to_owned()).collect::<Vec<_>>();
    let columns: Vec<Column> = cells(lines.next().expect("a header"))
        .iter()
        .map(|cell| {
            let parts: Vec<&str> = cell.split(':').collect();
            let kind = match parts[1] {
                "int" => Kind::Int,
                "float" => Kind::Float,
                "text" => Kind::Text,
                "date" => Kind::Date,
                "bool" => Kind::Bool,
                other => panic!("no kind `{other}`"),
            };
            let column = Column::new(parts[0], kind);
            if let Some(unit) = parts.get(2) { column.unit(*unit) } else { column }
        })
        .collect();
    let rows: Vec<HashMap<String, Value>> = lines
        .map(|line| {
            let made = columns.iter().zip(cells(line));
            made.map(|(column, cell)| (column.name.clone(), value(column.kind, &cell))).collect()
        })
        .collect();
    let mut schema = TableSchema::new(name, columns);
    schema.rows = rows.len() as u64;
    schema.time = words.find_map(|w| w.strip_prefix("time=")).map(str::to_owned);
    schema.interval = schema.time.as_ref().map(|_| 86_400);
    Table { schema: Arc::new(schema), rows }
}

fn value(kind: Kind, cell: &str) -> Value {
    match kind {
        _ if cell.is_empty() => Value::Null,
        Kind::Int => Value::Int(cell.parse().expect("a whole number")),
        Kind::Float => Value::Float(cell.parse().expect("a number")),
        Kind::Bool => Value::Bool(cell == "true"),
        Kind::Date => Value::from_date(cell.parse().expect("a date")),
        _ => Value::text(cell),
    }
}

fn run_case(table: &Table, section: &str) -> String {
    let mut out = String::new();
    let (mut query, mut asks) = (serde_json::Value::Null, Vec::new());
    for (i, line) in section.lines().enumerate() {
        if i > 0 && !line.starts_with(['>', '!']) {
            break;
        }
        if let Some(json) = line.strip_prefix('>') {
            query = serde_json::from_str(json).expect("JSON");
        } else if let Some(words) = line.strip_prefix('!') {
            asks = words.split_whitespace().collect();
        }
        out.push_str(line);
        out.push('\n');
    }
    let checked = match check_json(&query, std::slice::from_ref(&table.schema)) {
        Ok(checked) => Arc::new(checked),
        Err(problems) => panic!("{section}: {problems:?}"),
    };
    let (outcome, _) = evaluate::run(&checked, &table.rows, "r1", &BTreeSet::new());
    if asks.contains(&"preview") {
        let columns: Vec<usize> = (0..outcome.columns.len()).collect();
        for locale in [Locale::En, Locale::Ru] {
            out.push_str(&preview(&outcome, &columns, locale));
            out.push('\n');
        }
    } else {
        let summary = summarise(&outcome, &Options { all_groups: asks.contains(&"all") });
        for text in [
            summary.to_json().to_string(),
            summary.model_text(Locale::En),
            summary.model_text(Locale::Ru),
        ] {
            out.push_str(&text);
            out.push('\n');
        }
    }
    out.push('\n');
    out
}
