//! The function table against the check: examples, definitions, arguments that are left out.

use super::{bars, plain, run};
use crate::error::Code;
use crate::query::functions::{self, Stand};
use crate::schema::{Column, Kind, TableSchema};
use std::sync::Arc;

/// A table with every column that an example names.
fn whole() -> Arc<TableSchema> {
    let mut columns = vec![Column::new("t", Kind::Timestamp), Column::new("name", Kind::Text)];
    for name in ["open", "high", "low", "close", "volume", "price", "rate"] {
        columns.push(Column::new(name, Kind::Float).unit("USD"));
    }
    let mut schema = TableSchema::new("whole", columns);
    schema.time = Some("t".into());
    Arc::new(schema)
}

fn mapped(expression: &str) -> String {
    serde_json::json!({ "map": { "x": expression } }).to_string()
}

#[test]
fn every_example_is_right_and_errors_name_what_was_called() {
    for function in functions::all() {
        let field = if function.stand == Stand::Aggregate { "select" } else { "map" };
        let query = serde_json::json!({ field: { "x": function.example } }).to_string();
        if let Err(problems) = run(&query, &[whole()]) {
            panic!("{}: {problems:?}", function.example);
        }
        let Err(problems) = run(&query, &[plain()]) else { continue };
        for problem in problems {
            let said = format!("{} {}", problem.message.en, problem.message.ru);
            for internal in
                ["`day_", "_dm`", "`parabolic", "`supertrend_line", "_side`", "_deviation`"]
            {
                assert!(!said.contains(internal), "{}: {said}", function.name);
            }
        }
    }
}

#[test]
fn what_definitions_use_cannot_be_called() {
    for call in
        ["day_max(high)", "plus_dm()", "parabolic(high, low, 1, 1, 1)", "wilder_mean(close, 2)"]
    {
        let problems = run(&mapped(call), &[whole()]).expect_err(call);
        assert_eq!(problems.first().map(|d| d.code), Some(Code::UnknownFunction), "{call}");
    }
}

#[test]
fn a_first_argument_that_is_left_out_is_the_close() {
    let typed = |expression: &str| {
        let checked = run(&mapped(expression), &[whole()]).expect(expression);
        checked.map()[0].expr.clone()
    };
    for (short, long) in [
        ("rsi()", "rsi(close, 14)"),
        ("rsi(7)", "rsi(close, 7)"),
        ("rsi(open)", "rsi(open, 14)"),
        ("sma(5)", "rolling_mean(close, 5)"),
        ("bbands_upper(10)", "bbands_upper(close, 10, 2.0)"),
        ("hma(9)", "wma(2 * wma(close, 4) - wma(close, 9), 3)"),
        ("macd()", "ema(close, 12) - ema(close, 26)"),
    ] {
        assert_eq!(typed(short).node, typed(long).node, "{short}");
    }
    for (call, unit) in [
        ("rsi()", None),
        ("atr()", Some("USD")),
        ("kc_upper()", Some("USD")),
        ("roc()", Some("%")),
        ("sma(volume, 3)", Some("USD")),
        ("session_high()", Some("USD")),
        ("donchian_mid()", Some("USD")),
    ] {
        assert_eq!(typed(call).unit.as_deref(), unit, "{call}");
    }
}

#[test]
fn a_name_of_the_table_is_not_one_of_a_definition() {
    // the definitions of these name `n`, `x` and `k`
    let columns = ["open", "high", "low", "n", "x", "k"].map(|n| Column::new(n, Kind::Float));
    let mut schema = TableSchema::new("odd", columns.to_vec());
    let problems = run(&mapped("rsi(n, 3)"), &[Arc::new(schema.clone())]);
    assert!(problems.is_ok());
    schema.columns.push(Column::new("Close", Kind::Float));
    schema = TableSchema::new("odd", schema.columns);
    let checked = run(&mapped("bbands_upper(x, 2, 1)"), &[Arc::new(schema)]).expect("right");
    assert_eq!(checked.map()[0].expr.columns(), ["x"]);
}

#[test]
fn nested_definitions_are_bounded() {
    let nested = |around: &str, most: &str| {
        let inner = (0..60).fold("Close".to_owned(), |x, _| format!("{around}({x}, {most})"));
        run(&mapped(&inner), &[bars()]).map(|_| ()).map_err(|p| p.iter().map(|d| d.code).collect())
    };
    assert_eq!(nested("momentum", "1"), Err(vec![Code::TooDeep]));
    assert_eq!(nested("rsi", "9"), Err(vec![Code::TooDeep]));
    assert_eq!(nested("sma", "2"), Ok(()));
}
