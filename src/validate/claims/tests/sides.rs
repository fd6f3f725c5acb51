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
                &[("higher", 'v', ""), ("1,600", 'v', ""), ("1,450", 'v', "")],
            ),
            (
                "The total was lower in February than in January: 1,600 against 1,450.",
                &[("lower", 'c', "higher"), ("1,600", 'v', ""), ("1,450", 'v', "")],
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
                &[("61", 'v', ""), ("38", 'v', ""), ("24", 'u', ""), ("36.7%", 'c', "37.7%")],
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

/// The mean and the spread of returns and the part that rose, by year, of a query from 2020 on.
fn years() -> Outcome {
    let columns =
        vec![Column::new("day", Kind::Timestamp), Column::new("ret", Kind::Float).unit("%")];
    let mut schema = TableSchema::new("days", columns);
    schema.time = Some("day".into());
    let query = json!({"where": "year() >= 2020", "group_by": "year()", "select": {
        "mean_return": "mean(ret)", "volatility": "std(ret)", "up_days_pct": "pct(ret > 0)"}});
    let rows = [(2020, 0.58, 5.2, 56.3), (2021, 0.61, 5.9, 55.1), (2022, -0.22, 4.4, 48.5)];
    let rows = rows.iter().map(|(y, m, v, p)| vec![Value::Int(*y), f(*m), f(*v), f(*p)]).collect();
    outcome("r1", schema, &query, rows, 1095, 1095)
}

#[test]
fn a_year_that_names_a_row_is_no_condition() {
    check_cases(
        &[&years()],
        &[
            ("The up days came to 56.3% in 2020.", &[("56.3%", 'v', "")]),
            ("The mean return in 2020 was 0.58%.", &[("0.58%", 'v', "")]),
            // Of the measure that is named, and not of another one in per cent.
            ("The mean return in 2020 was 5.2%.", &[("5.2%", 'c', "0.6%")]),
            ("Volatility was 5.2% in 2020.", &[("5.2%", 'v', "")]),
        ],
    );
}

#[test]
fn a_span_is_of_its_own_clause() {
    check_cases(
        &[&months()],
        &[
            (
                "The total jumped by 150 from January to February, and fell by 20 in March.",
                &[("150", 'd', ""), ("20", 'd', "")],
            ),
            ("January to March added up to 136 orders.", &[("136", 'v', "")]),
            ("January to February added up to 98 orders.", &[("98", 'd', "")]),
        ],
    );
}

#[test]
fn down_by_so_much_and_a_clause_that_leads_to_nothing() {
    let rows = [("Mon", -4.25), ("Tue", 6.1), ("Fri", -1.6)];
    let query = json!({"from": "daily", "map": {"gap": "open - prev(close)", "dow": "dayname()"},
        "group_by": "dow", "select": "mean(gap)"});
    let rows = rows.iter().map(|(d, x)| vec![Value::text(d), f(*x)]).collect();
    let gaps = outcome("r1", super::fixtures::bars(), &query, rows, 500, 500);
    check_cases(
        &[&gaps],
        &[
            (
                "По понедельникам средний гэп — вниз на 4,25, по пятницам — вниз на 1,6.",
                &[("4,25", 'v', ""), ("1,6", 'v', "")],
            ),
            ("По вторникам средний гэп — вниз на 6,1.", &[("вниз на 6,1", 'c', "вверх на 6,1")]),
        ],
    );
    check_cases(
        &[&weekdays_full()],
        &[(
            "Monday has the highest mean gap, with 78.04; Friday has the lowest, at 45.26.",
            &[("Monday", 'v', ""), ("78.04", 'v', ""), ("Friday", 'v', ""), ("45.26", 'v', "")],
        )],
    );
}
