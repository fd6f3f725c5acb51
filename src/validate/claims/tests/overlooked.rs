//! Statements that are easily taken for none, or for another one: a number alone on its line, a place
//! beyond the fifth.

use super::super::{Context, check};
use super::fixtures::{dict, f, orders, outcome, weekdays};
use super::{check_cases, letter};
use crate::facts::Outcome;
use crate::value::Value;
use serde_json::json;

/// Sum of amounts and number of orders by shop.
pub(super) fn by_shop() -> Outcome {
    let rows = [
        ("Kuper", 4100.0, 400),
        ("Vkusno", 4_820_000.0, 2700),
        ("Zarya", 1500.0, 120),
        ("Sever", 1400.0, 125),
        ("Lenta", 1300.0, 130),
        ("Dixy", 1200.0, 135),
        ("Magnit", 1100.0, 510),
    ];
    let rows = rows.iter().map(|(s, x, n)| vec![Value::text(s), f(*x), Value::Int(*n)]).collect();
    let query = json!({"group_by": "shop", "select": "sum(amount), count()"});
    outcome("r1", orders(), &query, rows, 4120, 4120)
}

#[test]
fn a_short_answer_is_no_list() {
    let dict = dict();
    for (question, text, expected) in [
        ("How many days?", "80.", "v"),
        ("How many days?", "17.", "c"),
        ("How many days?", "17. That is the number of days.", "c"),
        ("Сколько дней?", "80.", "v"),
        ("Сколько дней?", "17.", "c"),
        ("How many days?", "1. The mean gap is 67.3\n2. The largest gap is 156.2", "vv"),
        ("Сколько дней?", "2. Средний гэп 67,3\n3. Всего 80 дней", "vv"),
    ] {
        let context = Context { question: Some(question), ..Context::default() };
        let found = check(text, &[&dict], &context);
        let got: String = found.claims.iter().map(|c| letter(c.verdict)).collect();
        assert_eq!(got, expected, "{text} {:?}", found.claims);
    }
}

#[test]
fn places_beyond_the_fifth() {
    check_cases(
        &[&by_shop()],
        &[
            ("Vkusno is the sixth largest by amount.", &[("Vkusno", 'c', "Dixy")]),
            ("Vkusno is the 6th largest by amount.", &[("Vkusno", 'c', "Dixy")]),
            ("Dixy is the sixth largest by amount.", &[("Dixy", 'v', "")]),
            ("Dixy — шестой самый крупный по amount.", &[("Dixy", 'v', "")]),
            ("Vkusno — шестой самый крупный по amount.", &[("Vkusno", 'c', "Dixy")]),
            ("Vkusno is the umpteenth largest by amount.", &[("Vkusno", 'u', "")]),
            ("Vkusno is the twenty-first largest by amount.", &[("Vkusno", 'u', "")]),
            ("Vkusno is the next largest by amount.", &[("Vkusno", 'u', "")]),
            ("Vkusno — предпоследний самый крупный по amount.", &[("Vkusno", 'u', "")]),
            ("Vkusno is by far the largest by amount.", &[("Vkusno", 'v', "")]),
            ("Vkusno is the single largest by amount.", &[("Vkusno", 'v', "")]),
            ("Vkusno is the shop's largest by amount.", &[("Vkusno", 'v', "")]),
        ],
    );
    // Words that only begin like an ordinal.
    check_cases(
        &[&weekdays()],
        &[("В пятницу самый низкий средний гэп.", &[("В пятницу", 'v', "")])],
    );
}
