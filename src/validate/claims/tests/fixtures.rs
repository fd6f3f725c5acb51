//! Results to check texts against.

use crate::facts::Outcome;
use crate::query::{Query, check};
use crate::schema::{Column, Kind, TableSchema};
use crate::value::{Table, Value};
use chrono::NaiveDate;
use serde_json::json;
use std::sync::Arc;

pub fn bars() -> TableSchema {
    let mut columns = vec![Column::new("timestamp", Kind::Timestamp)];
    columns.extend(["open", "high", "low", "close"].map(|n| Column::new(n, Kind::Float)));
    columns.push(Column::new("volume", Kind::Int));
    let mut schema = TableSchema::new("nq", columns);
    schema.time = Some("timestamp".into());
    schema.interval = Some(60);
    schema.rows = 500;
    let day = |y, m, d| NaiveDate::from_ymd_opt(y, m, d).map(Value::from_date);
    schema.range = day(2023, 1, 3).zip(day(2025, 6, 30));
    schema
}

pub fn orders() -> TableSchema {
    let mut shop = Column::new("shop", Kind::Text);
    shop.values = Some(["Kuper", "Vkusno", "Лента"].map(str::to_owned).to_vec());
    let mut schema = TableSchema::new(
        "orders",
        vec![
            Column::new("at", Kind::Timestamp),
            shop,
            Column::new("amount", Kind::Float).unit("USD"),
            Column::new("delay", Kind::Float).unit("min"),
        ],
    );
    schema.time = Some("at".into());
    schema.rows = 9000;
    schema
}

/// The outcome of a query over rows that are given instead of computed.
pub fn outcome(
    id: &str,
    schema: TableSchema,
    query: &serde_json::Value,
    rows: Vec<Vec<Value>>,
    scanned: u64,
    matched: u64,
) -> Outcome {
    let parsed = Query::from_json(query).unwrap_or_else(|e| panic!("{query}: {e:?}"));
    let checked = check(&parsed, &[Arc::new(schema)]).unwrap_or_else(|e| panic!("{query}: {e:?}"));
    let columns = checked.output().to_vec();
    let table = Table { columns: columns.iter().map(|c| c.column.clone()).collect(), rows };
    assert!(table.rows.iter().all(|r| r.len() == columns.len()), "{columns:?}");
    Outcome {
        id: id.into(),
        query: Arc::new(checked),
        columns,
        rows: Arc::new(table),
        rows_scanned: scanned,
        rows_matched: matched,
        rows_before_limit: None,
        warnings: Vec::new(),
    }
}

pub fn f(x: f64) -> Value {
    Value::Float(x)
}

/// Mean gap by weekday where gap > 50.
pub fn weekdays() -> Outcome {
    let rows = [("Mon", 78.04), ("Tue", 55.2), ("Wed", 63.75), ("Thu", 70.1), ("Fri", 45.26)];
    outcome(
        "r1",
        bars(),
        &json!({"from": "daily", "map": {"gap": "abs(open - prev(close))", "dow": "dayname()"},
            "where": "gap > 50", "group_by": "dow", "select": "mean(gap)"}),
        rows.iter().map(|(d, x)| vec![Value::text(d), f(*x)]).collect(),
        500,
        80,
    )
}

/// Mean and largest gap and the number of days by weekday.
pub fn weekdays_full() -> Outcome {
    let rows = [
        ("Mon", 78.04, 156.2, 17),
        ("Tue", 55.2, 120.0, 12),
        ("Wed", 63.75, 99.5, 15),
        ("Thu", 70.1, 140.25, 20),
        ("Fri", 45.26, 88.8, 16),
    ];
    outcome(
        "r1",
        bars(),
        &json!({"from": "daily", "map": {"gap": "abs(open - prev(close))", "dow": "dayname()"},
            "where": "gap > 50", "group_by": "dow", "select": "mean(gap), max(gap), count()"}),
        rows.iter()
            .map(|(d, x, m, n)| vec![Value::text(d), f(*x), f(*m), Value::Int(*n)])
            .collect(),
        500,
        80,
    )
}

/// Sum of amounts and number of orders by shop and weekday.
pub fn shops() -> Outcome {
    let days = ["Mon", "Tue", "Sat"];
    let shops = [
        ("Kuper", [(4100.0, 40), (310.5, 3), (5200.0, 51)]),
        ("Vkusno", [(3900.25, 37), (2750.0, 29), (9120.0, 88)]),
        ("Лента", [(1200.0, 14), (1890.0, 21), (1500.0, 17)]),
    ];
    let mut rows = Vec::new();
    for (shop, cells) in shops {
        for (day, (sum, n)) in days.iter().zip(cells) {
            rows.push(vec![Value::text(shop), Value::text(day), f(sum), Value::Int(n)]);
        }
    }
    outcome(
        "r2",
        orders(),
        &json!({"group_by": ["shop", "dayname()"], "select": "sum(amount), count()"}),
        rows,
        9000,
        4120,
    )
}

/// How many days, their mean and their largest gap.
pub fn dict() -> Outcome {
    outcome(
        "r3",
        bars(),
        &json!({"from": "daily", "map": {"gap": "abs(open - prev(close))"}, "where": "gap > 50",
            "select": "count(), mean(gap), max(gap)"}),
        vec![vec![Value::Int(80), f(67.31), f(156.2)]],
        500,
        80,
    )
}

/// How many Mondays.
pub fn mondays() -> Outcome {
    outcome(
        "r4",
        bars(),
        &json!({"from": "daily", "map": {"gap": "abs(open - prev(close))", "dow": "dayname()"},
            "where": "gap > 50 and dow == \"Mon\"", "select": "count()"}),
        vec![vec![Value::Int(17)]],
        500,
        17,
    )
}

/// The days with the largest losses.
pub fn drops() -> Outcome {
    let rows = [
        ((2025, 4, 8), 17_450.5, -5.06),
        ((2024, 8, 5), 17_900.25, -3.43),
        ((2024, 12, 18), 21_210.0, -3.6),
        ((2024, 9, 3), 18_960.75, -2.51),
    ];
    outcome(
        "r5",
        bars(),
        &json!({"from": "daily", "map": {"change_pct": "(close / prev(close) - 1) * 100"},
            "where": "change_pct < -2.5", "columns": ["timestamp", "close", "change_pct"]}),
        rows.iter()
            .map(|((y, m, d), close, change)| {
                let date = NaiveDate::from_ymd_opt(*y, *m, *d).and_then(|d| d.and_hms_opt(0, 0, 0));
                vec![date.map_or(Value::Null, Value::from_datetime), f(*close), f(*change)]
            })
            .collect(),
        500,
        4,
    )
}
