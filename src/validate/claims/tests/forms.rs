//! Forms of numbers, labels that are none, and what a derived claim is made of.

use super::super::recompute::check_with;
use super::fixtures::{dict, f, outcome, shops, weekdays, weekdays_full};
use super::{Context, check_cases, letter, run};
use crate::error::Locale;
use crate::facts::Outcome;
use crate::query::Query;
use crate::query::check as check_query;
use crate::schema::{Column, Kind, TableSchema};
use crate::validate::claims::Recompute;
use crate::value::Value;
use serde_json::json;
use std::sync::Arc;

#[test]
fn round_numbers_in_words() {
    check_cases(
        &[&weekdays_full()],
        &[
            ("Tuesday had a dozen days.", &[("a dozen", 'v', "")]),
            ("Monday had a dozen days.", &[("a dozen", 'c', "17")]),
            ("Friday had half a dozen days.", &[]),
        ],
    );
    let hundreds = |n: i64| {
        let query = json!({"select": "count()"});
        outcome("r1", super::fixtures::orders(), &query, vec![vec![Value::Int(n)]], 9000, 9000)
    };
    check_cases(
        &[&hundreds(100)],
        &[
            ("There are a hundred orders.", &[("a hundred", 'v', "")]),
            ("There are a hundred and five orders.", &[("a hundred and five", 'c', "100")]),
            ("Всего сотня заказов.", &[("сотня", 'v', "")]),
            ("Всего тысяча заказов.", &[("тысяча", 'c', "100")]),
            ("There are a thousand orders.", &[("a thousand", 'c', "100")]),
            ("There are one hundred orders.", &[("one hundred", 'v', "")]),
        ],
    );
    // As many, or nearly.
    check_cases(
        &[&hundreds(103)],
        &[
            ("There are a hundred orders.", &[("a hundred", 'v', "")]),
            ("There are a hundred and three orders.", &[("a hundred and three", 'v', "")]),
        ],
    );
}

/// Means of two indicators by weekday.
fn indicators() -> Outcome {
    let columns = ["rsi_14", "close"].map(|name| Column::new(name, Kind::Float));
    let mut schema = TableSchema::new("days", columns.to_vec());
    schema.columns.push(Column::new("dow", Kind::Text));
    let query = json!({"group_by": "dow", "select": "mean(rsi_14), mean(close)"});
    let rows = [("Mon", 55.2, 17_000.5), ("Fri", 48.9, 17_210.25)];
    let rows = rows.iter().map(|(d, x, y)| vec![Value::text(d), f(*x), f(*y)]).collect();
    outcome("r1", schema, &query, rows, 500, 500)
}

/// Means of an indicator that is called otherwise, by weekday.
fn strength() -> Outcome {
    let columns = vec![Column::new("close", Kind::Float), Column::new("dow", Kind::Text)];
    let mut schema = TableSchema::new("days", columns);
    schema.columns.push(Column::new("ts", Kind::Timestamp));
    schema.time = Some("ts".into());
    let query = json!({"map": {"power": "rsi(close, 14)"}, "group_by": "dow",
        "select": {"strength": "mean(power)"}});
    let rows = [("Mon", 55.2), ("Fri", 48.9)];
    let rows = rows.iter().map(|(d, x)| vec![Value::text(d), f(*x)]).collect();
    outcome("r1", schema, &query, rows, 500, 500)
}

#[test]
fn labels_are_no_claims() {
    let claimed = |text: &str, outcome: &Outcome| -> Vec<String> {
        run(text, &[outcome]).claims.into_iter().map(|c| c.text).collect()
    };
    let indicators = indicators();
    for (text, expected) in [
        ("RSI(14) averaged 55.2 on Monday.", vec!["55.2"]),
        ("On Monday RSI 14 averaged 55.2.", vec!["55.2"]),
        ("On Friday the RSI 14 was 48.9 and the close 17,210.25.", vec!["48.9", "17,210.25"]),
        ("SMA 200 lies below; Monday closed at 17,000.5.", vec!["17,000.5"]),
    ] {
        assert_eq!(claimed(text, &indicators), expected, "{text}");
    }
    // Under another name it is the same indicator.
    let strength = strength();
    for (text, expected) in [
        ("On Monday RSI 14 averaged 55.2.", vec!["55.2"]),
        ("On Monday RSI(14) averaged 55.2.", vec!["55.2"]),
        ("On Monday RSI 71 was seen.", vec!["71"]),
        ("On Monday it was RSI(71).", vec!["71"]),
    ] {
        assert_eq!(claimed(text, &strength), expected, "{text}");
    }
    // A whole number that the indicator may be is one.
    assert_eq!(claimed("On Monday the RSI was 55.", &indicators), ["55"]);
    for text in ["Order id 4512 is one of them.", "Чек № 4512 из их числа."] {
        assert!(claimed(text, &dict()).is_empty(), "{text}");
    }
}

/// Each derived claim names what it is computed of, and its value follows from that.
#[test]
fn what_a_derived_claim_is_made_of() {
    let (means, full, shops) = (weekdays(), weekdays_full(), shops());
    let key = |x: &str, y: &str| format!("{x}={y}");
    for (text, outcome, operands) in [
        (
            "The difference between Monday and Friday is 32.8.",
            &means,
            vec![(key("dow", "Mon"), 78.04), (key("dow", "Fri"), 45.26)],
        ),
        (
            "Monday is 72% higher than Friday.",
            &means,
            vec![(key("dow", "Mon"), 78.04), (key("dow", "Fri"), 45.26)],
        ),
        (
            "Monday accounts for 21% of the days.",
            &full,
            vec![(key("dow", "Mon"), 17.0), (String::new(), 80.0)],
        ),
        (
            "Kuper and Vkusno together had 248 orders.",
            &shops,
            vec![
                ("shop=Kuper, dayname()=Mon".into(), 40.0),
                ("shop=Kuper, dayname()=Tue".into(), 3.0),
                ("shop=Kuper, dayname()=Sat".into(), 51.0),
                ("shop=Vkusno, dayname()=Mon".into(), 37.0),
                ("shop=Vkusno, dayname()=Tue".into(), 29.0),
                ("shop=Vkusno, dayname()=Sat".into(), 88.0),
            ],
        ),
    ] {
        let found = run(text, &[outcome]);
        let claim = found.claims.iter().find(|c| letter(c.verdict) == 'd');
        let claim = claim.unwrap_or_else(|| panic!("{text}: {found:?}"));
        let got: Vec<(String, f64)> = claim
            .operands
            .iter()
            .map(|fact| {
                let key: Vec<String> = fact.key.iter().map(|(k, v)| format!("{k}={v}")).collect();
                // Each is the cell that it names.
                if let Some(row) = fact.row {
                    let column = outcome.column(&fact.column).expect("a column");
                    assert_eq!(outcome.value(row, column), fact.value);
                }
                (key.join(", "), fact.value.as_f64().expect("a number"))
            })
            .collect();
        assert_eq!(got, operands, "{text}");
        assert!(claim.formula.is_some());
    }
    // A cell is made of nothing.
    let found = run("Monday averaged 78.", &[&means]);
    assert!(found.claims[0].operands.is_empty());
}

/// A host that knows the mean over all rows.
struct Host;

impl Recompute for Host {
    fn run(&self, evidence: &Outcome, query: &Query) -> Option<Outcome> {
        let checked = check_query(query, &[Arc::clone(evidence.query.schema())]).ok()?;
        let columns = checked.output().to_vec();
        let table = crate::value::Table {
            columns: columns.iter().map(|c| c.column.clone()).collect(),
            rows: vec![vec![f(64.17)]],
        };
        let rows = Arc::new(table);
        Some(Outcome { query: Arc::new(checked), columns, rows, ..evidence.clone() })
    }
}

/// The feedback is that of the verdict: computed values are named, and what holds now is not blamed.
#[test]
fn feedback_names_what_was_computed() {
    let evidence = weekdays();
    for (text, locale, expected) in [
        (
            "The overall mean gap is 62.5.",
            Locale::En,
            "- \"62.5\": mean_gap over all rows of the query is 64.17",
        ),
        (
            "В целом средний гэп — 62,5.",
            Locale::Ru,
            "- \"62,5\": mean_gap по всем строкам запроса равно 64.17",
        ),
        ("The overall mean gap is 64.2.", Locale::En, ""),
        (
            "Friday averaged 67.9. The overall mean gap is 64.2.",
            Locale::En,
            "- \"67.9\": mean_gap for dow=Fri is 45.26",
        ),
    ] {
        let context = Context { question: None, locale };
        let found = check_with(text, &[&evidence], &context, &Host);
        assert_eq!(found.feedback, expected, "{text}");
    }
}
