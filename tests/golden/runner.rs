//! Runs golden files: text in, the same text with the expectations as they are now out. It does no
//! I/O, so that the same cases run natively and in the browser.
//!
//! A file is made of sections. `## table NAME [time=COLUMN] [series=COLUMN] [resample=COLUMN:RULE]
//! [market=PRESET or JSON without spaces] [utc] [narrow]` is followed by a header of `name:kind` cells
//! and rows of cells (an empty cell is null; quotes keep the white space of a text; a list is written as JSON). `narrow` stores
//! whole numbers in 32 bits where they fit, as in a table from a file. Any other `## ` section is a
//! case: `>` lines hold the query, `?` lines ask for the evidence of a group or, empty, of the whole
//! result; `$` lines hold SQL in place of a query; `#` lines are notes; the rest is what is expected:
//! `=` the canonical form where it is not what was written, then the result, or the diagnostics.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken golden file stops the test"
)]

use pinhole::engine::{Engine, LoadedTable, Options};
use pinhole::error::{Error, Locale};
use pinhole::query::check::ResultKind;
use pinhole::query::{CheckedQuery, check_json};
use pinhole::schema::{Column, Kind, Market, Member, Rule, TableSchema};
use pinhole::value::{Decimal, Rows, Table, Value};
use std::fmt::Write;
use std::sync::Arc;

/// Name and text of every golden file.
pub const FILES: &[(&str, &str)] = &[
    ("aggregates", include_str!("aggregates.txt")),
    ("arithmetic", include_str!("arithmetic.txt")),
    ("averages", include_str!("averages.txt")),
    ("bars", include_str!("bars.txt")),
    ("cumulative", include_str!("cumulative.txt")),
    ("decimals", include_str!("decimals.txt")),
    ("duckdb", include_str!("duckdb.txt")),
    ("errors", include_str!("errors.txt")),
    ("functions", include_str!("functions.txt")),
    ("periods", include_str!("periods.txt")),
    ("questions", include_str!("questions.txt")),
    ("indicators", include_str!("indicators.txt")),
    ("lists", include_str!("lists.txt")),
    ("nulls", include_str!("nulls.txt")),
    ("patterns", include_str!("patterns.txt")),
    ("reference", include_str!("reference.txt")),
    ("results", include_str!("results.txt")),
    ("series", include_str!("series.txt")),
    ("sessions", include_str!("sessions.txt")),
    ("sql", include_str!("sql.txt")),
    ("steps", include_str!("steps.txt")),
    ("timeframes", include_str!("timeframes.txt")),
    ("trading", include_str!("trading.txt")),
    ("windows", include_str!("windows.txt")),
];

/// Files whose expectations other engines computed.
pub const BY_OTHERS: &[&str] = &["duckdb", "questions", "reference", "trading"];

/// The file with every expectation as the engine has it.
pub fn run_file(name: &str, text: &str) -> String {
    let ours = !BY_OTHERS.contains(&name);
    let mut engine = Engine::new(Options::default()).expect("an engine");
    let mut out = String::new();
    for section in sections(text) {
        match section.strip_prefix("## table ") {
            Some(table) => {
                engine.insert(load(table)).expect("a table");
                out.push_str(section);
            }
            None if section.starts_with("## ") => {
                out.push_str(&run_case(&mut engine, section, ours));
            }
            None => out.push_str(section),
        }
    }
    out
}

/// The cases of a file that do not come out as written, as (expected, actual).
pub fn differences(name: &str, text: &str) -> Vec<(String, String)> {
    let actual = run_file(name, text);
    let (left, right) = (sections(text), sections(&actual));
    let pairs = left.into_iter().zip(right).filter(|(a, b)| a != b);
    pairs.map(|(a, b)| (a.to_owned(), b.to_owned())).collect()
}

/// The text cut before every `## `.
fn sections(text: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = text
        .match_indices("## ")
        .map(|(at, _)| at)
        .filter(|&at| at == 0 || text.as_bytes()[at - 1] == b'\n')
        .collect();
    if starts.first() != Some(&0) {
        starts.insert(0, 0);
    }
    starts.push(text.len());
    starts.windows(2).map(|w| &text[w[0]..w[1]]).filter(|s| !s.is_empty()).collect()
}

fn run_case(engine: &mut Engine, section: &str, ours: bool) -> String {
    let mut out = String::new();
    let mut query = String::new();
    let mut sql = String::new();
    let mut asks = Vec::new();
    for (i, line) in section.lines().enumerate() {
        if i > 0 && !line.starts_with(['>', '?', '#', '$']) {
            continue;
        }
        writeln!(out, "{line}").unwrap();
        if let Some(part) = line.strip_prefix('>') {
            query.push_str(part);
        }
        if let Some(part) = line.strip_prefix('$') {
            sql.push_str(part);
            sql.push('\n');
        }
        if let Some(ask) = line.strip_prefix('?') {
            asks.push(ask.trim().to_owned());
        }
    }
    let checked = if sql.is_empty() {
        let json: serde_json::Value = serde_json::from_str(&query).expect("the query is JSON");
        let checked = check_json(&json, &engine.tables()).map_err(Error::from);
        checked.inspect(|checked| {
            if ours && *checked.canonical() != json {
                writeln!(out, "= {}", checked.canonical()).unwrap();
            }
        })
    } else {
        engine.check_sql(sql.trim(), &serde_json::Value::Null)
    };
    if let Err(error) = checked.and_then(|checked| answer(engine, checked, &asks, &mut out)) {
        for diagnostic in error.diagnostics() {
            writeln!(out, "error {} {}", diagnostic.code, diagnostic.render(Locale::En)).unwrap();
        }
    }
    out.push('\n');
    out
}

fn answer(
    engine: &mut Engine,
    checked: CheckedQuery,
    asks: &[String],
    out: &mut String,
) -> Result<(), Error> {
    let outcome = engine.start(&Arc::new(checked))?.finish()?;
    let kind = match outcome.kind() {
        ResultKind::Table => "table",
        ResultKind::Scalar => "scalar",
        ResultKind::Dict => "dict",
        ResultKind::Grouped => "grouped",
    };
    write!(out, "{kind}, {} of {} rows", outcome.rows_matched, outcome.rows_scanned).unwrap();
    if let Some(before) = outcome.rows_before_limit {
        write!(out, ", {} of {before}", outcome.rows.len()).unwrap();
    }
    out.push('\n');
    for warning in &outcome.warnings {
        writeln!(out, "warning {}", warning.code).unwrap();
    }
    print(outcome.rows.as_ref(), out);
    for ask in asks {
        let group = group(ask, &outcome);
        let rows = engine.source_rows(&outcome.id, group.as_deref(), 0, 100)?.finish()?;
        writeln!(out, "evidence, {} rows", rows.total).unwrap();
        print(rows.rows.as_ref(), out);
    }
    engine.release(&outcome.id);
    Ok(())
}

/// The keys of a group as the result has them.
fn group(ask: &str, outcome: &pinhole::facts::Outcome) -> Option<Vec<(String, Value)>> {
    if ask.is_empty() {
        return None;
    }
    let wanted: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(ask).expect("the group is JSON");
    let row = (0..outcome.rows.len()).find(|&row| {
        wanted.iter().all(|(name, value)| {
            let column = outcome.column(name).expect("a key");
            outcome.value(row, column).to_json() == *value
        })
    });
    let row = row.expect("the group is in the result");
    let keys = outcome.keys().into_iter();
    Some(keys.map(|c| (outcome.columns[c].column.name.clone(), outcome.value(row, c))).collect())
}

fn print(rows: &dyn Rows, out: &mut String) {
    let header: Vec<String> =
        rows.columns().iter().map(|c| format!("{}:{}", c.name, c.kind)).collect();
    writeln!(out, "{}", header.join(" | ")).unwrap();
    for row in 0..rows.len() {
        let cells = (0..header.len()).map(|column| cell(&rows.value(row, column)));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join(" | ")).unwrap();
    }
}

/// Ten significant digits: mathematics differs in the last ones between hosts.
fn cell(value: &Value) -> String {
    match value {
        Value::Float(x) => {
            let rounded: f64 = format!("{x:.9e}").parse().expect("a number");
            format!("{rounded:?}")
        }
        Value::Text(s) if s.is_empty() || s.trim() != s.as_ref() => format!("\"{s}\""),
        other => other.to_string(),
    }
}

fn load(section: &str) -> LoadedTable {
    let mut lines = section.lines();
    let mut words = lines.next().expect("a name").split_whitespace();
    let name = words.next().expect("a name");
    let mut lines = lines.filter(|l| !l.is_empty() && !l.starts_with('#'));
    let header = lines.next().expect("a header").split('|').map(|cell| {
        let (name, kind) = cell.trim().rsplit_once(':').expect("name:kind");
        Column::new(name, kind.parse().unwrap_or_else(|()| panic!("no kind {kind}")))
    });
    let columns: Vec<Column> = header.collect();
    let rows = lines.map(|line| {
        let cells = line.split('|').zip(&columns);
        cells.map(|(cell, column)| parse(cell.trim(), column.kind)).collect::<Vec<Value>>()
    });
    let rows: Vec<Vec<Value>> = rows.collect();
    assert!(rows.iter().all(|row| row.len() == columns.len()), "ragged rows in {name}");
    let mut schema = TableSchema::new(name, columns.clone());
    let mut utc = vec![false; columns.len()];
    let mut narrow = false;
    for word in words {
        match word.split_once('=') {
            Some(("time", column)) => schema.time = Some(column.into()),
            Some(("series", column)) => schema.series = Some(column.into()),
            Some(("market", settings)) => {
                let json = serde_json::from_str(settings).unwrap_or_else(|_| settings.into());
                schema.market = Market::from_json(&json, "").expect("market settings");
            }
            None if word == "utc" => utc.fill(true),
            None if word == "narrow" => narrow = true,
            Some(("resample", rule)) => {
                let (column, rule) = rule.split_once(':').expect("column:rule");
                schema.resample.push((column.into(), parse_rule(rule)));
            }
            _ => panic!("no setting {word}"),
        }
    }
    let table = LoadedTable::from_rows(schema, &Table { columns, rows }).expect("a table");
    let table = if narrow { table.narrow().expect("the same table") } else { table };
    table.in_utc(utc)
}

fn parse_rule(rule: &str) -> Rule {
    match rule {
        "first" => Rule::First,
        "last" => Rule::Last,
        "sum" => Rule::Sum,
        "mean" => Rule::Mean,
        "min" => Rule::Min,
        "max" => Rule::Max,
        other => panic!("no rule {other}"),
    }
}

fn parse(cell: &str, kind: Kind) -> Value {
    if cell.is_empty() {
        return Value::Null;
    }
    match kind {
        Kind::Int => Value::Int(cell.parse().expect("an integer")),
        Kind::Float => Value::Float(cell.parse().expect("a number")),
        Kind::Decimal(_) => Value::Decimal(Decimal::parse(cell).expect("a decimal")),
        Kind::Bool => Value::Bool(cell == "true"),
        Kind::Text => {
            Value::text(cell.strip_prefix('"').and_then(|c| c.strip_suffix('"')).unwrap_or(cell))
        }
        Kind::Date => Value::from_date(cell.parse().expect("a date")),
        Kind::Timestamp => {
            let format = if cell.len() > 10 { "%Y-%m-%dT%H:%M:%S%.f" } else { "%Y-%m-%d" };
            let time = chrono::NaiveDateTime::parse_from_str(cell, format).or_else(|_| {
                cell.parse::<chrono::NaiveDate>().map(|d| d.and_hms_opt(0, 0, 0).unwrap())
            });
            Value::from_datetime(time.expect("a timestamp"))
        }
        Kind::List(member) => list(cell, member),
    }
}

/// The members of a list in JSON.
fn list(cell: &str, member: Member) -> Value {
    let members: Vec<serde_json::Value> = serde_json::from_str(cell).expect("a JSON list");
    let value = |one: &serde_json::Value| match (member, one) {
        (_, serde_json::Value::Null) => Value::Null,
        (Member::Int, one) => Value::Int(one.as_i64().expect("an integer")),
        (Member::Float, one) => Value::Float(one.as_f64().expect("a number")),
        (Member::Bool, one) => Value::Bool(one.as_bool().expect("a truth value")),
        (Member::Text, one) => Value::text(one.as_str().expect("a text")),
    };
    Value::List(members.iter().map(value).collect())
}
