//! Names that nobody knows, and days that nobody asked for.

use super::check_cases;
use super::fixtures::{bars, f, orders, outcome, shops};
use crate::facts::Outcome;
use crate::schema::{Column, Kind, TableSchema};
use crate::value::Value;
use serde_json::json;

/// The sum of all amounts.
fn total() -> Outcome {
    let query = json!({"select": "sum(amount), count()"});
    outcome("r1", orders(), &query, vec![vec![f(4520.5), Value::Int(120)]], 9000, 120)
}

/// The sum of the amounts at one shop that no schema knows.
fn at_azbuka() -> Outcome {
    let query = json!({"select": "sum(amount)", "where": "shop == \"Azbuka\""});
    outcome("r1", orders(), &query, vec![vec![f(4520.5)]], 9000, 120)
}

#[test]
fn what_is_said_of_a_stranger_is_said_of_no_whole() {
    check_cases(
        &[&total()],
        &[
            ("The total amount was 4,520.5.", &[("4,520.5", 'v', "")]),
            ("Azbuka's total amount was 4,520.5.", &[("4,520.5", 'u', "")]),
            ("The total amount at Azbuka was 4,520.5.", &[("4,520.5", 'u', "")]),
            ("The total amount of \"azbuka\" was 4,520.5.", &[("4,520.5", 'u', "")]),
            ("The total amount in bakeries was 4,520.5.", &[("4,520.5", 'u', "")]),
            ("In this period the total amount was 4,520.5.", &[("4,520.5", 'v', "")]),
            ("In total the amount was 4,520.5, for example.", &[("4,520.5", 'v', "")]),
            ("Общая сумма — 4 520,5.", &[("4 520,5", 'v', "")]),
            ("У Азбуки общая сумма — 4 520,5.", &[("4 520,5", 'u', "")]),
            ("Общая сумма в «Азбуке» составила 4 520,5.", &[("4 520,5", 'u', "")]),
            ("Общая сумма у соседей — 4 520,5.", &[("4 520,5", 'u', "")]),
            ("В целом сумма составила 4 520,5.", &[("4 520,5", 'v', "")]),
            ("За этот период сумма составила 4 520,5.", &[("4 520,5", 'v', "")]),
            ("У вас общая сумма — 4 520,5.", &[("4 520,5", 'v', "")]),
            ("For you the total amount was 4,520.5.", &[("4,520.5", 'v', "")]),
        ],
    );
    // The groups of a result that has it not come to as much as it says of the stranger.
    check_cases(
        &[&shops()],
        &[
            ("The total amount was 29,970.75.", &[("29,970.75", 'd', "")]),
            ("Azbuka's total amount was 29,970.75.", &[("29,970.75", 'u', "")]),
            ("У Азбуки общая сумма 29 970,75.", &[("29 970,75", 'u', "")]),
        ],
    );
    check_cases(
        &[&at_azbuka()],
        &[
            ("Azbuka's total amount was 4,520.5.", &[("4,520.5", 'v', "")]),
            ("The total amount at Azbuka was 4,520.5.", &[("4,520.5", 'v', "")]),
        ],
    );
}

#[test]
fn a_per_cent_is_a_share_where_a_word_says_so() {
    check_cases(
        &[&shops()],
        &[
            ("Kuper has a share of 32.1 %.", &[("32.1 %", 'd', "")]),
            ("Доля Kuper — 32,1 %.", &[("32,1 %", 'd', "")]),
            ("Kuper 32.1 %", &[("32.1 %", 'u', "")]),
        ],
    );
}

#[test]
fn days_beside_the_period_of_the_query() {
    let of = |period: &str| {
        let query = json!({"select": "mean(close)", "period": period});
        outcome("r1", bars(), &query, vec![vec![f(67.3)]], 500, 250)
    };
    check_cases(
        &[&of("2024")],
        &[
            ("In 2024 the mean close was 67.3.", &[("67.3", 'v', "")]),
            ("In 2023 the mean close was 67.3.", &[("2023", 'c', "2024"), ("67.3", 'v', "")]),
            (
                "В 2023 году средний close — 67,3.",
                &[("2023 году", 'c', "2024 году"), ("67,3", 'v', "")],
            ),
            (
                "On 5 March 2025 the mean close was 67.3.",
                &[("5 March 2025", 'c', "2024"), ("67.3", 'v', "")],
            ),
            // A part of the period: nobody knows that.
            ("In March 2024 the mean close was 67.3.", &[("67.3", 'u', "")]),
            // The word beside it is not understood.
            ("Unlike rainy 2023 the mean close was 67.3.", &[("2023", 'u', ""), ("67.3", 'v', "")]),
        ],
    );
    check_cases(
        &[&of("2024-Q1")],
        &[
            (
                "In May the mean close was 67.3.",
                &[("May", 'c', "2024-01-01 – 2024-03-31"), ("67.3", 'v', "")],
            ),
            (
                "В мае средний close — 67,3.",
                &[("мае", 'c', "2024-01-01 – 2024-03-31"), ("67,3", 'v', "")],
            ),
        ],
    );
    // Where the rows have such names, a name is that of a row.
    let query = json!({"group_by": "year()", "select": "mean(close)", "period": "2024"});
    let grouped = outcome("r1", bars(), &query, vec![vec![Value::Int(2024), f(67.3)]], 500, 250);
    check_cases(&[&grouped], &[("In 2024 the mean close was 67.3.", &[("67.3", 'v', "")])]);
}

/// Sums by region, quarter and kind of customer.
fn quarters() -> Outcome {
    let text = |name| Column::new(name, Kind::Text);
    let columns = vec![text("quarter"), text("priority"), Column::new("amount", Kind::Float)];
    let mut schema = TableSchema::new("tickets", columns);
    schema.columns[1].synonyms = vec!["приоритет".into()];
    let rows = [("Q1", "Low", 120_400.0), ("Q1", "Urgent", 31_200.0), ("Q2", "Low", 98_700.0)];
    let rows = rows.iter().map(|(q, p, x)| vec![Value::text(q), Value::text(p), f(*x)]).collect();
    let query = json!({"group_by": ["quarter", "priority"], "select": "sum(amount)"});
    outcome("r1", schema, &query, rows, 3, 3)
}

#[test]
fn quarters_as_text_and_common_values_in_the_other_language() {
    check_cases(
        &[&quarters()],
        &[
            (
                "In the first quarter the amount of urgent tickets was 31,200.",
                &[("31,200", 'v', "")],
            ),
            ("В первом квартале срочных — 31 200.", &[("31 200", 'v', "")]),
            ("Сумма срочных в первом квартале — 98 700.", &[("98 700", 'c', "31 200")]),
            ("Во втором квартале с низким приоритетом — 98 700.", &[("98 700", 'v', "")]),
            (
                "| Квартал | Priority | Сумма |\n|---|---|---|\n| Q1 | Low | 120 400 |",
                &[("120 400", 'v', "")],
            ),
        ],
    );
}

#[test]
fn heads_of_columns_that_are_names_and_months_as_adjectives() {
    check_cases(
        &[&shops()],
        &[
            (
                "Total amount:\n\n| Shop | Mon | Sat |\n|---|---|---|\n| Kuper | 4,100 | 5,200 |",
                &[("4,100", 'v', ""), ("5,200", 'v', "")],
            ),
            (
                "Total amount:\n\n| Shop | Mon | Sat |\n|---|---|---|\n| Kuper | 5,200 | 4,100 |",
                &[("5,200", 'u', ""), ("4,100", 'u', "")],
            ),
        ],
    );
    let query =
        json!({"map": {"month": "monthname()"}, "group_by": "month", "select": "sum(amount)"});
    let rows = vec![vec![Value::text("Mar"), f(71.5)], vec![Value::text("May"), f(88.0)]];
    let months = outcome("r1", orders(), &query, rows, 9000, 120);
    check_cases(
        &[&months],
        &[
            ("Мартовская сумма — 71,5.", &[("71,5", 'v', "")]),
            ("Мартовская сумма — 88.", &[("88", 'c', "72")]),
            ("Майская сумма выше мартовской на 16,5.", &[("выше", 'v', ""), ("16,5", 'd', "")]),
        ],
    );
}
