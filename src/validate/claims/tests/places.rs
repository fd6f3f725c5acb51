//! Places in an order that the number beside them belies, and what is given in place of a number.

use super::check_cases;
use super::fixtures::{f, orders, outcome, weekdays_full};
use crate::value::Value;
use serde_json::json;

#[test]
fn a_superlative_or_a_rank_beside_the_number_of_another_place() {
    check_cases(
        &[&weekdays_full()],
        &[
            (
                "The mean gap is highest on Mondays (78) and lowest on Fridays (45).",
                &[("Mondays", 'v', ""), ("78", 'v', ""), ("Fridays", 'v', ""), ("45", 'v', "")],
            ),
            (
                "The mean gap is highest on Mondays (78) and highest on Fridays (45).",
                &[
                    ("Mondays", 'v', ""),
                    ("78", 'v', ""),
                    ("highest", 'u', ""),
                    ("Fridays", 'u', ""),
                    ("45", 'v', ""),
                ],
            ),
            // The largest of a group is no place among the groups.
            (
                "Friday has the smallest average gap, only 45, yet its largest was 88.8.",
                &[("Friday", 'v', ""), ("45", 'v', ""), ("88.8", 'v', "")],
            ),
            ("Thursday comes second with a mean gap of 70.1.", &[("70.1", 'v', "")]),
            (
                "Thursday comes third with a mean gap of 70.1.",
                &[("third", 'c', "second"), ("70.1", 'v', "")],
            ),
            ("Второе место занимает четверг: средний гэп 70,1.", &[("70,1", 'v', "")]),
            (
                "Третье место занимает четверг: средний гэп 70,1.",
                &[("Третье", 'c', "второе"), ("70,1", 'v', "")],
            ),
        ],
    );
}

/// A wrong number is replaced by that of the measure it was said of, or is marked.
#[test]
fn nothing_is_given_that_may_be_of_another_measure() {
    let row = |shop: &str, cells: [f64; 3]| {
        let mut row = vec![Value::text(shop)];
        row.extend([f(cells[0]), f(cells[1]), Value::Int(cells[2] as i64)]);
        row
    };
    let shops = outcome(
        "r1",
        orders(),
        &json!({"group_by": "shop", "select": "sum(amount), mean(delay), count()"}),
        vec![row("Kuper", [9600.5, 12.5, 94.0]), row("Vkusno", [6650.25, 31.0, 154.0])],
        9000,
        248,
    );
    check_cases(
        &[&shops],
        &[
            ("Kuper's mean delay is 12.7 min.", &[("12.7", 'c', "12.5")]),
            ("Kuper's total amount was $9,700.5.", &[("$9,700.5", 'c', "$9,600.5")]),
            // A unit of another measure, a sign, an operation that a sum is not.
            ("Kuper's total was 12.7 min.", &[("12.7 min", 'u', "")]),
            (
                "Kuper's total amount rose from $5 to $9,600.5.",
                &[("$5", 'u', ""), ("$9,600.5", 'v', "")],
            ),
            ("The median total is 8,000.", &[("8,000", 'u', "")]),
        ],
    );
}

#[test]
fn a_part_of_what_was_found_is_no_part_of_what_was_searched() {
    check_cases(
        &[&weekdays_full()],
        &[
            ("The gap exceeded 50 on 80 of 500 days.", &[("80", 'v', ""), ("500", 'v', "")]),
            ("17 of the 80 days were Mondays.", &[("17", 'v', ""), ("80", 'v', "")]),
            ("17 of the 500 days were Mondays.", &[("17", 'v', ""), ("500", 'u', "")]),
        ],
    );
}

#[test]
fn an_hour_that_no_row_has() {
    let query = json!({"group_by": "hour()", "select": "mean(delay)"});
    let rows = [(9, 6.5), (10, 5.2), (11, 3.9)];
    let rows = rows.iter().map(|(h, x)| vec![Value::Int(*h), f(*x)]).collect();
    let hours = outcome("r1", orders(), &query, rows, 9000, 9000);
    check_cases(
        &[&hours],
        &[
            ("The 9 o'clock hour had a mean delay of 6.5 min.", &[("6.5", 'v', "")]),
            (
                "С 9 до 11 часов задержка сокращалась: 6,5 → 5,2 → 3,9.",
                &[("6,5", 'v', ""), ("5,2", 'v', ""), ("3,9", 'v', "")],
            ),
            (
                "The mean delay fell from 6.5 to 3.9 min between 19:00 and 11:00.",
                &[("6.5", 'u', ""), ("3.9", 'u', ""), ("19:00", 'u', "")],
            ),
        ],
    );
}
