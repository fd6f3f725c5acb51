//! Numbers of another measure, of another group's total or share and of a part, and places in an order, in
//! sentences of which a word is not understood; beside each, true ones that look alike.

use super::check_cases;
use super::fixtures::{bars, drops, f, mondays, outcome, weekdays, weekdays_full};
use crate::facts::Outcome;
use crate::schema::{Column, Kind, TableSchema};
use crate::value::Value;
use serde_json::json;

/// Points, goals, late arrivals and waits by club.
fn clubs() -> Outcome {
    let mut columns = vec![
        Column::new("club", Kind::Text),
        Column::new("points", Kind::Int),
        Column::new("goals", Kind::Int),
        Column::new("late", Kind::Bool),
        Column::new("wait", Kind::Float),
    ];
    columns[1].synonyms = vec!["очки".into()];
    columns[2].synonyms = vec!["голы".into()];
    let rows = [
        ("Ajax", 17, 43, 41, 12.5, 9.9),
        ("Bern", 17, 41, 52, 17.0, 12.4),
        ("Cork", 16, 36, 38, 20.0, 17.5),
    ];
    outcome(
        "r1",
        TableSchema::new("results", columns),
        &json!({"group_by": "club", "select": {"played": "count()", "points": "sum(points)",
            "goals": "sum(goals)", "late_pct": "pct(late)", "mean_wait": "mean(wait)"}}),
        rows.iter()
            .map(|(club, n, points, goals, late, wait)| {
                let int = |x: &i64| Value::Int(*x);
                vec![Value::text(club), int(n), int(points), int(goals), f(*late), f(*wait)]
            })
            .collect(),
        50,
        50,
    )
}

/// Revenue and orders by quarter; both are the largest in the fourth.
fn quarters() -> Outcome {
    let columns = [("day", Kind::Date), ("revenue", Kind::Float), ("orders", Kind::Int)];
    let mut schema = TableSchema::new("sales", columns.map(|(n, k)| Column::new(n, k)).to_vec());
    schema.time = Some("day".into());
    let rows =
        [(1, 410_500.0, 5120), (2, 388_200.0, 4890), (3, 402_750.0, 5015), (4, 561_300.0, 7040)];
    outcome(
        "r1",
        schema,
        &json!({"group_by": "quarter()", "select": {"revenue": "sum(revenue)", "orders": "sum(orders)"}}),
        rows.iter().map(|(q, x, n)| vec![Value::Int(*q), f(*x), Value::Int(*n)]).collect(),
        1460,
        1460,
    )
}

#[test]
fn the_number_of_another_measure() {
    check_cases(
        &[&clubs()],
        &[
            ("Bern scored 41 goals.", &[("41", 'c', "52")]),
            ("Cork набрал 38 очков.", &[("38", 'c', "36")]),
            ("У Cork опоздали 17,5 % игроков.", &[("17,5 %", 'c', "20,0 %")]),
            // The measures that it is told of, and a number that is held against another.
            ("Bern scored 52 goals and took 41 points.", &[("52", 'v', ""), ("41", 'v', "")]),
            ("Bern забил 52 гола и набрал 41 очко.", &[("52", 'v', ""), ("41", 'v', "")]),
            ("Bern scored 41 goals fewer than the record.", &[("41", 'u', "")]),
            // Nobody's number.
            ("Bern shot 47 goals.", &[("47", 'u', "")]),
        ],
    );
}

#[test]
fn the_best_is_not_the_worst() {
    let query = json!({"from": "daily", "map": {"ret": "change_pct()"},
        "select": {"best_return": "max(ret)", "worst_return": "min(ret)", "max_high": "max(high)",
            "min_low": "min(low)"}});
    let rows = vec![vec![f(3.41), f(-3.64), f(22_425.75), f(16_334.25)]];
    check_cases(
        &[&outcome("r1", bars(), &query, rows, 500, 500)],
        &[
            ("The worst return was 3.41%.", &[("3.41%", 'c', "-3.64%")]),
            ("Максимум года — 16 334,25.", &[("16 334,25", 'c', "22 425,75")]),
            ("The best return was 3.41%.", &[("3.41%", 'v', "")]),
        ],
    );
}

#[test]
fn several_groups_together() {
    check_cases(
        &[&clubs()],
        &[
            ("Ajax and Cork together scored 52 goals.", &[("52", 'c', "79")]),
            ("Ajax и Cork вместе забили 52 гола.", &[("52", 'c', "79")]),
            ("Ajax and Cork together scored 79 goals.", &[("79", 'd', "")]),
            ("Ajax и Cork вместе забили 79 голов.", &[("79", 'd', "")]),
            // It may be said of one of them.
            ("Ajax and Cork came together, 41 goals in hand.", &[("41", 'u', "")]),
        ],
    );
}

#[test]
fn the_share_of_another_group() {
    check_cases(
        &[&clubs()],
        &[
            ("Ajax accounts for 39.7% of all goals.", &[("39.7%", 'c', "31.3%")]),
            ("Bern accounts for 39.7% of all goals.", &[("39.7%", 'd', "")]),
            ("На Bern приходится 39,7 % голов.", &[("39,7 %", 'd', "")]),
        ],
    );
}

#[test]
fn a_number_right_behind_its_name() {
    check_cases(
        &[&weekdays()],
        &[
            (
                "Monday (45.26) and Tuesday (55.2) were wild.",
                &[("45.26", 'c', "78.04"), ("55.2", 'v', "")],
            ),
            (
                "Понедельник (45,26) и вторник (55,2) удивили.",
                &[("45,26", 'c', "78,04"), ("55,2", 'v', "")],
            ),
            (
                "Monday and Friday averaged 45.26 and 78.04 respectively.",
                &[("45.26", 'c', "78.04"), ("78.04", 'c', "45.26")],
            ),
            (
                "Monday and Friday averaged 78.04 and 45.26 respectively.",
                &[("78.04", 'v', ""), ("45.26", 'v', "")],
            ),
            // The name before the brackets is not the one that the number is of.
            ("Monday beat the wild Friday (78.04).", &[("78.04", 'u', "")]),
        ],
    );
}

#[test]
fn rows_that_were_searched() {
    check_cases(
        &[&mondays()],
        &[
            ("We met 500 wild Mondays.", &[("500", 'c', "17")]),
            ("We met 17 wild Mondays.", &[("17", 'v', "")]),
            ("Of 500 days 17 were such Mondays.", &[("500", 'v', ""), ("17", 'v', "")]),
        ],
    );
}

#[test]
fn the_first_by_every_measure() {
    check_cases(
        &[&quarters()],
        &[
            ("The strongest quarter was the first.", &[("first", 'c', "fourth")]),
            ("The strongest quarter was the fourth.", &[("fourth", 'v', "")]),
        ],
    );
    // By what nobody knows, or of an age that no column has.
    check_cases(
        &[&clubs()],
        &[
            ("The strongest club is Ajax.", &[("Ajax", 'v', "")]),
            ("The oldest club is Bern.", &[("Bern", 'v', "")]),
        ],
    );
}

#[test]
fn months_of_rows_with_a_date() {
    check_cases(
        &[&drops()],
        &[
            ("The largest drop was in March.", &[("March", 'c', "April")]),
            ("Самое сильное падение было в марте.", &[("марте", 'c', "апреле")]),
            ("The largest drop was in April.", &[("April", 'v', "")]),
            ("Самое сильное падение было в апреле.", &[("апреле", 'v', "")]),
        ],
    );
}

#[test]
fn a_change_of_every_measure() {
    check_cases(
        &[&weekdays_full()],
        &[
            ("The gaps rose from Monday to Tuesday.", &[("rose", 'c', "fell")]),
            ("The gaps fell from Monday to Tuesday.", &[("fell", 'v', "")]),
            // The mean rose, the largest fell.
            ("The gaps rose from Tuesday to Wednesday.", &[("rose", 'u', "")]),
        ],
    );
}
