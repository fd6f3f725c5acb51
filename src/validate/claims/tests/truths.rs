//! What is put in the place of a false number or name has to be true.

use super::check_cases;
use super::fixtures::{f, outcome};
use crate::facts::Outcome;
use crate::schema::{Column, Kind, TableSchema};
use crate::value::Value;
use serde_json::json;

/// Orders by status.
fn statuses() -> Outcome {
    let columns = vec![Column::new("status", Kind::Text), Column::new("amount", Kind::Float)];
    let rows = [("shipped", 115), ("returned", 14), ("cancelled", 12), ("pending", 9)];
    outcome(
        "r1",
        TableSchema::new("orders", columns),
        &json!({"group_by": "status", "select": {"n": "count()"}}),
        rows.iter().map(|(name, n)| vec![Value::text(name), Value::Int(*n)]).collect(),
        150,
        150,
    )
}

/// Mean salaries by department.
fn departments() -> Outcome {
    let columns = vec![Column::new("department", Kind::Text), Column::new("salary", Kind::Float)];
    let rows = [("HR", 60_541.67), ("IT", 60_363.64), ("Sales", 58_200.0)];
    outcome(
        "r1",
        TableSchema::new("employees", columns),
        &json!({"group_by": "department", "select": "mean(salary)"}),
        rows.iter().map(|(name, x)| vec![Value::text(name), f(*x)]).collect(),
        120,
        120,
    )
}

#[test]
fn a_total_is_none_of_a_group_named_later() {
    check_cases(
        &[&statuses()],
        &[
            ("In total there were 151 orders.", &[("151", 'c', "150")]),
            (
                "In total there were 151 orders, and pending was the rarest.",
                &[("151", 'u', ""), ("pending", 'v', "")],
            ),
            (
                "Всего было 151 заказ, и реже всего pending.",
                &[("151", 'u', ""), ("pending", 'v', "")],
            ),
        ],
    );
}

#[test]
fn a_name_in_capitals_is_no_pronoun() {
    check_cases(
        &[&departments()],
        &[
            (
                "IT earns the most, 70,000 on average.",
                &[("IT", 'c', "HR"), ("70,000", 'c', "60,542")],
            ),
            ("HR earns the most. It pays 60,541.67.", &[("HR", 'v', ""), ("60,541.67", 'v', "")]),
        ],
    );
}
