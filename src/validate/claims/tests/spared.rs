//! Numbers that another reading would replace by a wrong one, columns of millions, and years as keys.

use super::check_cases;
use super::fixtures::{f, outcome};
use crate::facts::Outcome;
use crate::schema::{Column, Kind, TableSchema};
use crate::value::Value;
use serde_json::json;

/// How far was gone by month, and the longest of the walks.
fn walks() -> Outcome {
    let mut schema = TableSchema::new(
        "walks",
        vec![Column::new("month", Kind::Text), Column::new("distance_km", Kind::Float)],
    );
    schema.columns[1].unit = Some("km".into());
    let rows = [("April", 61.5, 11.2), ("May", 88.0, 19.4), ("June", 74.3, 14.6)];
    outcome(
        "r1",
        schema,
        &json!({"group_by": "month", "select": {"km": "sum(distance_km)",
            "longest_km": "max(distance_km)"}}),
        rows.iter().map(|(month, sum, most)| vec![Value::text(month), f(*sum), f(*most)]).collect(),
        31,
        31,
    )
}

/// Median prices in millions by district.
fn flats() -> Outcome {
    let mut schema = TableSchema::new(
        "flats",
        vec![Column::new("district", Kind::Text), Column::new("price", Kind::Float)],
    );
    schema.columns[1].unit = Some("млн".into());
    let rows = [("Harbour", 210, 38.5), ("Meadow", 345, 21.6)];
    outcome(
        "r1",
        schema,
        &json!({"group_by": "district", "select": {"listings": "count()",
            "median_price": "median(price)"}}),
        rows.iter()
            .map(|(name, n, price)| vec![Value::text(name), Value::Int(*n), f(*price)])
            .collect(),
        555,
        555,
    )
}

/// Tonnes by crop and year, the year in a column of text.
fn crops() -> Outcome {
    let columns = [("crop", Kind::Text), ("season", Kind::Text), ("tonnes", Kind::Float)];
    let schema = TableSchema::new("harvest", columns.map(|(n, k)| Column::new(n, k)).to_vec());
    let rows = [
        ("oats", "2021", 214.0),
        ("oats", "2022", 198.5),
        ("rye", "2021", 482.0),
        ("rye", "2022", 536.0),
    ];
    outcome(
        "r1",
        schema,
        &json!({"group_by": ["crop", "season"], "select": "sum(tonnes)"}),
        rows.iter()
            .map(|(crop, year, x)| vec![Value::text(crop), Value::text(year), f(*x)])
            .collect(),
        90,
        90,
    )
}

#[test]
fn a_right_number_of_a_longer_name() {
    check_cases(
        &[&walks()],
        &[
            ("The longest walk was 19.4 km.", &[("19.4", 'v', "")]),
            (
                "The best of June was 14.6 km, the longest in a while.",
                &[("June", 'u', ""), ("14.6", 'u', "")],
            ),
            ("In June we went 14.6 km.", &[("14.6", 'c', "74.3")]),
        ],
    );
}

#[test]
fn columns_of_millions() {
    check_cases(
        &[&flats()],
        &[
            ("The median price in Harbour is 38.5 million.", &[("38.5 million", 'v', "")]),
            ("Медианная цена в Harbour — 38,5 млн.", &[("38,5 млн", 'v', "")]),
            ("The median price in Harbour is 38.5.", &[("38.5", 'v', "")]),
            (
                "The median price in Meadow is 38.5 million.",
                &[("38.5 million", 'c', "21.6 million")],
            ),
            ("The median price in Harbour is 38.5 billion.", &[("38.5 billion", 'c', "38.5")]),
        ],
    );
}

#[test]
fn years_in_a_column_of_text() {
    check_cases(
        &[&crops()],
        &[
            ("In 2022 the oats came to 198.5 tonnes.", &[("198.5", 'v', "")]),
            ("В 2021-м oats дал 214 т, в 2022-м 198,5.", &[("214", 'v', ""), ("198,5", 'v', "")]),
            ("In 2022 the oats came to 214 tonnes.", &[("214", 'c', "199")]),
        ],
    );
}
