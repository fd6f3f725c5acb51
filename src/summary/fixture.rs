//! Results over small tables, for the tests of summaries and of the gate.

use crate::facts::Outcome;
use crate::query::{Query, check};
use crate::schema::{Column, Kind, TableSchema};
use crate::value::{Table, Value};
use serde_json::Value as Json;
use std::sync::Arc;

/// Daily bars of one index: 500 rows.
pub(crate) fn bars() -> Arc<TableSchema> {
    let mut columns = vec![Column::new("timestamp", Kind::Date)];
    columns.extend(["open", "high", "low", "close"].map(|c| Column::new(c, Kind::Float)));
    columns.push(Column::new("volume", Kind::Int));
    let mut schema = TableSchema::new("bars", columns);
    schema.rows = 500;
    schema.time = Some("timestamp".to_owned());
    schema.interval = Some(86_400);
    schema.range = Some((date("2023-01-02"), date("2025-04-08")));
    Arc::new(schema)
}

/// Purchases without a time column.
pub(crate) fn purchases() -> Arc<TableSchema> {
    let mut shop = Column::new("shop", Kind::Text);
    shop.values = Some(vec!["Kuper".to_owned(), "Vkusno".to_owned()]);
    let mut schema = TableSchema::new(
        "purchases",
        vec![
            Column::new("id", Kind::Int),
            shop,
            Column::new("category", Kind::Text),
            Column::new("item", Kind::Text),
            Column::new("buyer", Kind::Text),
            Column::new("amount", Kind::Float).unit("EUR"),
            Column::new("dow", Kind::Text),
        ],
    );
    schema.rows = 9000;
    Arc::new(schema)
}

/// The date written in ISO.
pub(crate) fn date(text: &str) -> Value {
    Value::from_date(text.parse().expect("a date"))
}

/// A cell from JSON: numbers, text, null; `@2024-01-02` is a date.
pub(crate) fn cell(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => n.as_i64().map_or_else(|| Value::float(n.as_f64().unwrap()), Value::Int),
        Json::String(s) => match s.strip_prefix('@') {
            Some(day) => date(day),
            None => Value::text(s),
        },
        other => panic!("no cell: {other}"),
    }
}

/// The result `r1` of `query` with these rows.
pub(crate) fn outcome(
    schema: &Arc<TableSchema>,
    query: Json,
    rows: Json,
    (rows_matched, rows_scanned): (u64, u64),
    rows_before_limit: Option<u64>,
) -> Outcome {
    let query = Query::from_json(&query).expect("a query");
    let checked = check(&query, &[Arc::clone(schema)]).expect("a right query");
    let columns = checked.output().to_vec();
    let rows: Vec<Vec<Value>> = rows
        .as_array()
        .expect("rows")
        .iter()
        .map(|row| row.as_array().expect("a row").iter().map(cell).collect())
        .collect();
    assert!(rows.iter().all(|r| r.len() == columns.len()), "columns: {columns:?}");
    let table = Table { columns: columns.iter().map(|c| c.column.clone()).collect(), rows };
    Outcome {
        id: "r1".to_owned(),
        query: Arc::new(checked),
        columns,
        rows: Arc::new(table),
        rows_scanned,
        rows_matched,
        rows_before_limit,
        warnings: Vec::new(),
    }
}
