//! Questions and the queries they must become.

use super::*;
use crate::query::check;
use crate::schema::{Column, Kind};
use crate::value::Value;
use serde_json::{Value as Json, json};

mod answers;
mod apart;
mod bases;
mod compared;
mod declined;
mod doubts;
mod follow_ups;
mod frames;
mod groups;
mod lists;
mod market;
mod places;
mod pointing;
mod purchases;
mod russian;
mod signed;
mod times;

/// Minute bars of one instrument.
fn bars() -> Arc<TableSchema> {
    let mut columns = vec![Column::new("timestamp", Kind::Timestamp)];
    columns.extend(["open", "high", "low", "close"].map(|n| Column::new(n, Kind::Float)));
    columns.push(Column::new("volume", Kind::Int));
    let mut schema = TableSchema::new("bars", columns);
    schema.rows = 1_000_000;
    schema.time = Some("timestamp".into());
    schema.interval = Some(60);
    let moment = |text: &str| {
        Value::from_datetime(chrono::NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M").unwrap())
    };
    schema.range = Some((moment("2022-01-03T09:30"), moment("2024-12-30T16:00")));
    Arc::new(schema)
}

/// Purchases with a date.
fn purchases() -> Arc<TableSchema> {
    let values = |names: &[&str]| Some(names.iter().map(|&n| n.to_owned()).collect());
    let mut shop = Column::new("shop", Kind::Text);
    shop.values = values(&["Kuper", "Lenta", "Vkusno i Tochka", "Магнит"]);
    let mut category = Column::new("category", Kind::Text);
    category.values = values(&["food", "household goods", "toys"]);
    let mut schema = TableSchema::new(
        "purchases",
        vec![
            shop,
            category,
            Column::new("date", Kind::Date),
            Column::new("amount", Kind::Float),
            Column::new("quantity", Kind::Int),
        ],
    );
    schema.rows = 9000;
    schema.time = Some("date".into());
    schema.interval = None;
    Arc::new(schema)
}

/// The canonical form of a query over one table.
fn canonical(query: &Query, table: &Arc<TableSchema>) -> Json {
    match check(query, std::slice::from_ref(table)) {
        Ok(checked) => checked.canonical().clone(),
        Err(problems) => panic!("{}: {problems:?}", query.to_json()),
    }
}

/// Whether the question is ready and means `expected`; what it meant instead where not.
fn meaning(table: &Arc<TableSchema>, question: &str, expected: &Json) -> Result<Plan, String> {
    let plan = plan(question, std::slice::from_ref(table), &Context::default());
    let expected = Query::from_json(expected).expect("a query");
    let Some(query) = &plan.query else {
        let offered: Vec<String> = plan
            .readings
            .iter()
            .map(|r| format!("{:.2} {}", r.confidence, r.query.to_json()))
            .collect();
        return Err(format!("{question}: {:?}, {}", plan.status, offered.join("; ")));
    };
    if canonical(query, table) != canonical(&expected, table) {
        return Err(format!("{question}: {:.2} {}", plan.confidence, query.to_json()));
    }
    assert_eq!(plan.status, Status::Ready);
    assert!((READY..=1.0).contains(&plan.confidence), "{question}: {}", plan.confidence);
    Ok(plan)
}

fn means(table: &Arc<TableSchema>, question: &str, expected: &Json) -> Plan {
    meaning(table, question, expected).unwrap_or_else(|other| panic!("{other}"))
}

/// Every question of the table means its query.
fn all_mean(table: &Arc<TableSchema>, cases: &[(&[&str], Json)]) {
    let wrong: Vec<String> = cases
        .iter()
        .flat_map(|(questions, expected)| {
            questions.iter().filter_map(|q| meaning(table, q, expected).err())
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
