//! Words of direction and comparison that the right numbers beside them belie.

use super::check_cases;
use super::fixtures::{drops, f, outcome, weekdays_full};
use crate::facts::Outcome;
use crate::schema::{Column, Kind, TableSchema};
use crate::value::Value;
use serde_json::json;

/// Orders and their sum by month, and the part of them that rose.
fn months() -> Outcome {
    let columns = vec![
        Column::new("at", Kind::Timestamp),
        Column::new("amount", Kind::Float),
        Column::new("up", Kind::Bool),
    ];
    let query = json!({"map": {"month": "monthname()"}, "group_by": "month",
        "select": {"orders": "count()", "total": "sum(amount)", "up_pct": "pct(up)"}});
    let mut schema = TableSchema::new("orders", columns);
    schema.time = Some("at".into());
    let rows = [("Jan", 61, 1450.0, 46.0), ("Feb", 37, 1600.0, 66.7), ("Mar", 38, 1580.0, 50.0)];
    let rows = rows
        .iter()
        .map(|(m, n, x, p)| vec![Value::text(m), Value::Int(*n), f(*x), f(*p)])
        .collect();
    outcome("r1", schema, &query, rows, 136, 136)
}

#[test]
fn a_direction_that_the_number_beside_it_belies() {
    check_cases(
        &[&drops()],
        &[
            ("On 8 April 2025 the price change was a fall: −5.06%.", &[("−5.06%", 'v', "")]),
            ("The index rose on 8 April 2025: −5.06%.", &[("rose", 'u', ""), ("−5.06%", 'v', "")]),
        ],
    );
    check_cases(
        &[&months()],
        &[
            (
                "Orders fell from 61 in January to 37 in February, then rose to 38 in March.",
                &[("61", 'v', ""), ("37", 'v', ""), ("38", 'v', "")],
            ),
            (
                "Orders fell from 61 in January to 37 in February, then fell to 38 in March.",
                &[("61", 'v', ""), ("37", 'v', ""), ("fell", 'u', ""), ("38", 'v', "")],
            ),
            (
                "The total was higher in February than in January: 1,600 against 1,450.",
                &[("1,600", 'v', ""), ("1,450", 'v', "")],
            ),
            (
                "The total was lower in February than in January: 1,600 against 1,450.",
                &[("lower", 'u', ""), ("1,600", 'v', ""), ("1,450", 'v', "")],
            ),
            (
                "In February 66.7% of the orders went down.",
                &[("66.7%", 'v', ""), ("down", 'u', "")],
            ),
        ],
    );
}

#[test]
fn a_bound_at_the_wrong_end() {
    check_cases(
        &[&weekdays_full()],
        &[
            ("Fridays had gaps of never more than 88.8.", &[("88.8", 'v', "")]),
            ("Fridays had gaps of never less than 88.8.", &[("less", 'u', ""), ("88.8", 'v', "")]),
        ],
    );
}

#[test]
fn a_number_that_follows_from_two_right_ones() {
    check_cases(
        &[&months()],
        &[
            (
                "From 61 in January orders fell to 38 in March (by 23, or 37.7%).",
                &[("61", 'v', ""), ("38", 'v', ""), ("23", 'd', ""), ("37.7%", 'd', "")],
            ),
            (
                "From 61 in January orders fell to 38 in March (by 24, or 36.7%).",
                &[("61", 'v', ""), ("38", 'v', ""), ("24", 'u', ""), ("36.7%", 'u', "")],
            ),
            (
                "January had 61 orders, while March had 38, that is 23 fewer.",
                &[("61", 'v', ""), ("38", 'v', ""), ("23", 'd', "")],
            ),
            (
                "January had 61 orders, while March had 38, that is 23 more.",
                &[("61", 'v', ""), ("38", 'v', ""), ("23", 'd', ""), ("more", 'u', "")],
            ),
            (
                "January had 61 orders and March 38, a factor of 1.6.",
                &[("61", 'v', ""), ("38", 'v', ""), ("1.6", 'd', "")],
            ),
            // No word asks for anything.
            (
                "January had 61 orders, March 38, and there are 23 of them.",
                &[("61", 'v', ""), ("38", 'v', ""), ("23", 'u', "")],
            ),
            ("In March 19 of 38 orders were up.", &[("19", 'd', ""), ("38", 'v', "")]),
            ("In March 20 of 38 orders were up.", &[("20", 'u', ""), ("38", 'v', "")]),
        ],
    );
}
