//! The back-test of predictions: its figures are those of the rules written out in Python.

use super::world::World;
use chrono::NaiveDate;
use pinhole::tools::purchases::{Errors, back_test};
use pinhole::value::Value;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The purchase dates of every item.
fn series(world: &mut World) -> Vec<Vec<NaiveDate>> {
    let text = "SELECT DISTINCT l.item_id AS item, CAST(r.receipt_date AS DATE) AS day \
                FROM receipt_items l JOIN receipts r ON r.id = l.receipt_id ORDER BY item, day";
    let checked = world.engine.check_sql(text, &json!([])).expect("a statement");
    let outcome = world.engine.start(&Arc::new(checked)).expect("a start").finish().expect("rows");
    let mut out: BTreeMap<String, Vec<NaiveDate>> = BTreeMap::new();
    for row in 0..outcome.rows.len() {
        if let Some(day) = outcome.value(row, 1).date() {
            let item: Value = outcome.value(row, 0);
            out.entry(item.to_string()).or_default().push(day);
        }
    }
    out.into_values().collect()
}

#[test]
fn errors_are_those_of_the_rules_in_python() {
    let series = series(&mut World::new());
    let expected: Json = serde_json::from_str(include_str!("backtest.json")).expect("JSON");
    for (held_out, wanted) in expected.as_object().expect("an object") {
        let held_out = held_out.parse().expect("a number");
        let found = back_test(series.iter().map(Vec::as_slice), held_out);
        let of =
            |errors: Errors| json!([errors.predictions, errors.days as u64, errors.naive as u64]);
        assert_eq!(
            json!({"all": of(found.all), "low": of(found.low), "medium": of(found.medium),
                   "high": of(found.high)}),
            *wanted,
            "{held_out}"
        );
    }
}

#[test]
fn series_too_short_to_predict_count_for_nothing() {
    let day = |n: u32| NaiveDate::from_ymd_opt(2024, 1, n).expect("a date");
    let short = [vec![], vec![day(1)], vec![day(1), day(2)]];
    let found = back_test(short.iter().map(Vec::as_slice), 5);
    assert_eq!((found.all.predictions, found.all.means()), (0, None));
    // Gaps of 2 and 4 days: the third date is predicted two days after the second.
    let found = back_test([[day(1), day(3), day(7)].as_slice()], 5);
    assert_eq!(found.all.means(), Some((2.0, 2.0)));
    assert_eq!(found.low, found.all);
}
