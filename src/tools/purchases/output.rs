//! Results in the shape that the person is given: JSON with the names and numbers of each tool.

use super::{Done, Row};
use crate::engine::Derived;
use crate::query::check::ResultKind;
use crate::schema::{Column, Kind};
use crate::value::Value;
use serde_json::{Map, Value as Json, json};

/// The named cells of a row.
pub(super) fn object(row: Row<'_>, names: &[&str]) -> Map<String, Json> {
    names.iter().map(|name| ((*name).to_owned(), cell(name, &row.get(name)))).collect()
}

/// The named cells of every row of a result.
pub(super) fn objects(done: &Done, name: &str, names: &[&str]) -> Vec<Json> {
    done.rows(name).map(|row| Json::Object(object(row, names))).collect()
}

/// Named cells of a row as a result of their own.
pub(super) fn numbers(row: Row<'_>, names: &[&str]) -> Derived {
    let columns = columns(row, names);
    let rows = vec![cells(row, &columns)];
    Derived { kind: ResultKind::Dict, columns, rows }
}

/// The named cells of every row of a result as one of their own.
pub(super) fn table(done: &Done, name: &str, names: &[&str]) -> Option<Derived> {
    let columns = columns(done.first(name)?, names);
    let rows = done.rows(name).map(|row| cells(row, &columns)).collect();
    Some(Derived { kind: ResultKind::Table, columns, rows })
}

/// How many entries there are, as a result of its own.
pub(super) fn counted(name: &str, count: u64) -> Derived {
    let count = Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
    let columns = vec![Column::new(name, Kind::Int)];
    Derived { kind: ResultKind::Dict, columns, rows: vec![vec![count]] }
}

fn columns(row: Row<'_>, names: &[&str]) -> Vec<Column> {
    let known = &row.outcome.columns;
    let columns = names.iter().filter_map(|name| known.iter().find(|c| c.column.name == *name));
    columns.map(|c| c.column.clone()).collect()
}

fn cells(row: Row<'_>, columns: &[Column]) -> Vec<Value> {
    columns.iter().map(|column| rounded(&column.name, row.get(&column.name))).collect()
}

/// A cell as a result has it: averages and shares with two decimals.
pub(super) fn rounded(name: &str, value: Value) -> Value {
    let rounds = ["avg", "average", "percent"].iter().any(|start| name.starts_with(start));
    match value {
        Value::Float(x) if rounds => Value::float(cents(x)),
        value => value,
    }
}

/// A cell: averages and shares with two decimals, other numbers without the noise of doubles.
pub(super) fn cell(name: &str, value: &Value) -> Json {
    match rounded(name, value.clone()) {
        Value::Float(x) => number(x),
        other => other.to_json(),
    }
}

/// A number without the noise of adding doubles; a whole one as such.
pub(super) fn number(x: f64) -> Json {
    let plain = (x * 1e6).round() / 1e6;
    if plain.fract() == 0.0 && plain.abs() < 9e15 { json!(plain as i64) } else { json!(plain) }
}

pub(super) fn number_or_null(x: Option<f64>) -> Json {
    x.map_or(Json::Null, number)
}

/// Two decimals, half to even.
pub(super) fn cents(x: f64) -> f64 {
    let scaled = x * 100.0;
    // What is half but for the noise of doubles counts as half.
    let plain = (scaled * 1e6).round() / 1e6;
    plain.round_ties_even() / 100.0
}

/// Says that a list was cut, where it was.
pub(super) fn mark_cut(output: &mut Map<String, Json>, returned: usize, total: u64) {
    if total > returned as u64 {
        output.insert("truncated".to_owned(), json!({"returned": returned, "total": total}));
    }
}

#[cfg(test)]
mod tests {
    use super::{cents, number};
    use serde_json::json;

    #[test]
    fn numbers() {
        for (x, wanted) in [
            (0.1 + 0.2, json!(0.3)),
            (48.0, json!(48)),
            (-1.5, json!(-1.5)),
            (0.0, json!(0)),
            (1e300, json!(1e300)),
        ] {
            assert_eq!(number(x), wanted, "{x}");
        }
        for (x, wanted) in
            [(1.005, 1.0), (1.015, 1.02), (2.675, 2.68), (3015.366, 3015.37), (-0.125, -0.12)]
        {
            assert_eq!(cents(x), wanted, "{x}");
        }
    }
}
