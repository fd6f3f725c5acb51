//! Places in an order beside the right number of the group that is named, and comparisons and changes that
//! no number stands by.

use super::check_cases;
use super::fixtures::{f, outcome};
use crate::facts::Outcome;
use crate::schema::{Column, Kind, TableSchema};
use crate::value::Value;
use serde_json::json;

/// Loans, fees and the share of late returns of four branches.
fn branches() -> Outcome {
    let mut fee = Column::new("fee", Kind::Float).unit("EUR");
    fee.synonyms = vec!["fees".to_owned(), "сборы".to_owned()];
    let columns = vec![Column::new("branch", Kind::Text), fee, Column::new("late", Kind::Bool)];
    let query = json!({
        "group_by": "branch",
        "select": {"loans": "count()", "fees": "sum(fee)", "late_pct": "pct(late)"}
    });
    let row = |s: &str, n, x, p| vec![Value::text(s), Value::Int(n), f(x), f(p)];
    let rows = vec![
        row("Ashdown", 4120, 612.5, 8.4),
        row("Burwell", 2980, 904.0, 17.9),
        row("Corby", 1640, 733.5, 12.6),
        row("Dunmow", 890, 318.0, 15.3),
    ];
    outcome("r1", TableSchema::new("loans", columns), &query, rows, 9630, 9630)
}

/// Outlay and heating by month.
fn months() -> Outcome {
    let columns = vec![
        Column::new("month", Kind::Text),
        Column::new("outlay", Kind::Float).unit("EUR"),
        Column::new("heating", Kind::Float).unit("kWh"),
    ];
    let query = json!({
        "group_by": "month", "select": {"outlay": "sum(outlay)", "heating": "sum(heating)"}
    });
    let rows = [
        ("January", 905.0, 410.0),
        ("February", 870.0, 455.0),
        ("March", 840.0, 300.0),
        ("April", 860.0, 190.0),
        ("May", 880.0, 75.0),
    ];
    let row = |(m, r, h): &(&str, f64, f64)| vec![Value::text(*m), f(*r), f(*h)];
    let rows = rows.iter().map(row).collect();
    outcome("r1", TableSchema::new("costs", columns), &query, rows, 151, 151)
}

#[test]
fn what_is_ordered_is_what_the_number_is_of() {
    check_cases(
        &[&branches()],
        &[
            (
                "The least common branch is Corby, with 1,640 loans.",
                &[("Corby", 'c', "Dunmow"), ("1,640", 'c', "890")],
            ),
            ("Dunmow has the fewest loans of all, 890.", &[("Dunmow", 'v', ""), ("890", 'v', "")]),
            (
                "Dunmow is the second-smallest branch with 890 loans.",
                &[("second-smallest", 'c', "smallest"), ("890", 'v', "")],
            ),
            (
                "Corby comes first for loans, with 1,640 of them.",
                &[("first", 'c', "third"), ("1,640", 'v', "")],
            ),
            // Less of it is better.
            (
                "The worst late rate belongs to Dunmow: 15.3%.",
                &[("Dunmow", 'c', "Burwell"), ("15.3%", 'c', "17.9%")],
            ),
            // Nothing says that it is large by its loans.
            (
                "Corby, the largest branch, lent 1,640 books.",
                &[("Corby", 'u', ""), ("1,640", 'v', "")],
            ),
        ],
    );
}

#[test]
fn the_other_end_is_given_where_the_group_holds_it() {
    check_cases(
        &[&months()],
        &[
            (
                "March was the most expensive month at 840 EUR.",
                &[("March", 'v', ""), ("most", 'c', "least"), ("840", 'v', "")],
            ),
            (
                "January was the most expensive month at 905 EUR.",
                &[("January", 'v', ""), ("905", 'v', "")],
            ),
        ],
    );
}

#[test]
fn changes_of_every_step_and_of_two_ends() {
    check_cases(
        &[&months()],
        &[
            ("From February to May heating fell.", &[("fell", 'v', "")]),
            ("From February to May heating kept falling.", &[("falling", 'v', "")]),
            ("From January to May heating kept growing.", &[("growing", 'u', "")]),
            ("From March to May your monthly outlay kept falling.", &[("falling", 'c', "rising")]),
            ("From March to May heating kept growing.", &[("growing", 'c', "falling")]),
        ],
    );
}

#[test]
fn a_comparison_with_an_unknown_subject() {
    check_cases(
        &[&branches()],
        &[
            ("Readers at Corby are ahead of Burwell by fees.", &[("ahead of", 'c', "behind")]),
            ("По сборам Corby идёт впереди Burwell.", &[("впереди", 'c', "позади")]),
            // Of a part of the fees nothing is known.
            ("Corby's online fees are higher than Burwell's.", &[("higher", 'u', "")]),
        ],
    );
}

#[test]
fn the_measure_of_who_stands_before_whom_is_that_of_its_clause() {
    check_cases(
        &[&branches()],
        &[(
            "Dunmow, though fourth by loans (890), trails only Burwell by late returns: 15.3%.",
            &[("890", 'v', ""), ("15.3%", 'u', "")],
        )],
    );
}
