//! Numbers of other groups, by other aggregates and of other measures, in sentences of which a word is
//! not understood.

use super::check_cases;
use super::fixtures::{f, outcome, shops, weekdays, weekdays_full};
use crate::facts::Outcome;
use crate::schema::{Column, Kind, TableSchema};
use crate::value::Value;
use serde_json::json;

/// Sums by category, all below zero, as a bank tells what went out.
fn spent(column: &str) -> Outcome {
    let columns = vec![Column::new("category", Kind::Text), Column::new(column, Kind::Float)];
    let query = json!({"group_by": "category", "select": format!("sum({column})")});
    let rows = [("Аренда", -22_800.0), ("Groceries", -629.48), ("Transport", -554.0)]
        .map(|(name, sum)| vec![Value::text(name), f(sum)]);
    outcome("r1", TableSchema::new("bank", columns), &query, rows.to_vec(), 80, 80)
}

#[test]
fn the_number_of_another_group() {
    check_cases(
        &[&weekdays()],
        &[
            ("Traders saw 45.26 points on Monday.", &[("45.26", 'c', "78.04")]),
            ("В пятницу игроки видели 78,04 пункта.", &[("78,04", 'c', "45,26")]),
            // Nobody's number may mean anything.
            ("Traders saw 45.91 points on Monday.", &[("45.91", 'u', "")]),
            // Its own group may be the one that the words lead to.
            ("Monday was wild, and the day after saw 55.1 points.", &[("55.1", 'u', "")]),
        ],
    );
}

#[test]
fn the_number_by_another_aggregate() {
    check_cases(
        &[&weekdays_full()],
        &[("On Monday the average jump was 156.2.", &[("156.2", 'c', "78.0")])],
    );
}

#[test]
fn a_list_goes_on_with_one_column() {
    check_cases(
        &[&shops()],
        &[(
            "On Saturday: Kuper took 9120, Vkusno took 9120.",
            &[("9120", 'c', "5200"), ("9120", 'v', "")],
        )],
    );
}

#[test]
fn what_was_spent_is_told_without_its_sign() {
    check_cases(
        &[&spent("amount")],
        &[
            ("Groceries cost 629.48.", &[("629.48", 'v', "")]),
            ("На аренду ушло 22 800 ₽.", &[("22 800 ₽", 'v', "")]),
            ("На аренду ушло 629,48.", &[("629,48", 'c', "22800,00")]),
            ("You spent 22,800 on groceries.", &[("22,800", 'c', "629")]),
            ("Groceries: -22,800.", &[("-22,800", 'c', "-629")]),
            ("Больше всего ушло на аренду: 22 800.", &[("аренду", 'v', ""), ("22 800", 'v', "")]),
        ],
    );
    // What came in, and a gain below zero, keep theirs.
    check_cases(
        &[&spent("amount")],
        &[("You earned 629.48 on groceries.", &[("629.48", 'c', "-629.48")])],
    );
    check_cases(
        &[&spent("profit")],
        &[("Groceries: profit of 629.48.", &[("629.48", 'c', "-629.48")])],
    );
}

#[test]
fn exchanged_values_are_each_groups_own() {
    check_cases(
        &[&spent("amount")],
        &[
            (
                "Groceries 22800, Аренда 629.48.",
                &[("22800", 'c', "629"), ("629.48", 'c', "22800.00")],
            ),
            (
                "Groceries -22800, Аренда -629.48, Transport -554.",
                &[("-22800", 'c', "-629"), ("-629.48", 'c', "-22800.00"), ("-554", 'v', "")],
            ),
            // As they are.
            ("Groceries -629.48, Аренда -22800.", &[("-629.48", 'v', ""), ("-22800", 'v', "")]),
        ],
    );
}
