//! Tests of the language: fixtures, and one file per area.

mod completing;
mod errors;
mod explained;
mod frame;
mod functions;
mod json;
mod meaning;
mod mistakes;
mod newcomers;
mod parsing;
mod properties;

use super::{CheckedQuery, Query, check};
use crate::error::{Diagnostic, Locale};
use crate::schema::{Column, DAY, Kind, Rule, TableSchema};
use serde_json::Value;
use std::sync::Arc;

/// Minute bars with a symbol, an open interest without a rule and a delta with one.
pub(super) fn bars() -> Arc<TableSchema> {
    let price = |name: &str| Column::new(name, Kind::Float).unit("USD");
    let mut schema = TableSchema::new(
        "bars",
        vec![
            Column::new("time", Kind::Timestamp),
            Column::new("symbol", Kind::Text),
            price("Open"),
            price("High"),
            price("Low"),
            price("Close"),
            Column::new("Volume", Kind::Int),
            Column::new("open interest", Kind::Int),
            Column::new("delta", Kind::Int),
            Column::new("note", Kind::Text),
        ],
    );
    schema.time = Some("time".into());
    schema.series = Some("symbol".into());
    schema.interval = Some(60);
    schema.resample = vec![("delta".into(), Rule::Mean)];
    Arc::new(schema)
}

/// A table without bars: two dates, a flag, names with spaces and Cyrillic letters.
pub(super) fn flights() -> Arc<TableSchema> {
    let mut schema = TableSchema::new(
        "flights",
        vec![
            Column::new("day", Kind::Date),
            Column::new("booked", Kind::Date),
            Column::new("departed", Kind::Timestamp),
            Column::new("carrier", Kind::Text),
            Column::new("delay", Kind::Int).unit("min"),
            Column::new("distance", Kind::Float).unit("km"),
            Column::new("air time", Kind::Float).unit("min"),
            Column::new("cancelled", Kind::Bool),
            Column::new("цена", Kind::Float),
            Column::new("a + b", Kind::Int),
            Column::new("delay desc", Kind::Int),
            Column::new("load_pct", Kind::Float).unit("%"),
        ],
    );
    schema.time = Some("day".into());
    schema.interval = Some(DAY);
    Arc::new(schema)
}

/// A table without a time column.
pub(super) fn plain() -> Arc<TableSchema> {
    Arc::new(TableSchema::new(
        "plain",
        vec![
            Column::new("name", Kind::Text),
            Column::new("x", Kind::Int),
            Column::new("born", Kind::Date),
        ],
    ))
}

/// Checks a query given as JSON text.
pub(super) fn run(
    query: &str,
    tables: &[Arc<TableSchema>],
) -> Result<CheckedQuery, Vec<Diagnostic>> {
    let json: Value = serde_json::from_str(query).expect("the test's JSON");
    check(&Query::from_json(&json)?, tables)
}

/// Checks a query that must be right.
pub(super) fn right(query: &str, table: Arc<TableSchema>) -> CheckedQuery {
    match run(query, &[table]) {
        Ok(checked) => checked,
        Err(problems) => panic!("{query}\n{}", shown(&problems)),
    }
}

/// Diagnostics as lines.
pub(super) fn shown(problems: &[Diagnostic]) -> String {
    let line = |d: &Diagnostic| format!("{} {}", d.code, d.render(Locale::En));
    problems.iter().map(line).collect::<Vec<_>>().join("\n")
}
