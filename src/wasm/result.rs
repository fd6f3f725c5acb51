//! Results as JavaScript sees them: what they say of themselves, pages of rows, group keys.

use super::convert::{Decimals, cell, object};
use crate::disclose::{Gate, Policy};
use crate::error::Locale;
use crate::facts::Outcome;
use crate::planner;
use crate::query;
use crate::query::check::{OutputColumn, ResultKind, Role};
use crate::schema::Kind;
use crate::summary::{Options, summarise};
use crate::value::Rows;
use serde_json::{Value as Json, json};
use wasm_bindgen::prelude::*;

/// A result as plain data; its rows stay behind its id.
pub(super) fn info(
    outcome: &Outcome,
    all_groups: bool,
    policy: &Policy,
    decimals: Decimals,
    locale: Locale,
) -> JsValue {
    let summary = summarise(outcome, &Options { all_groups });
    let query = &outcome.query;
    let columns: Vec<Json> = outcome
        .columns
        .iter()
        .map(|c| {
            let mut column = serde_json::to_value(&c.column).unwrap_or_default();
            if let Some(fields) = column.as_object_mut() {
                fields.insert("role".to_owned(), json!(role(&c.role)));
            }
            column
        })
        .collect();
    let warnings: Vec<Json> = summary
        .warnings()
        .iter()
        .map(|w| json!({"code": w.code, "message": w.message.get(locale)}))
        .collect();
    let info = object(&json!({
        "id": outcome.id,
        "kind": outcome.kind(),
        "query": query.canonical(),
        "explanation": query::explain::explain(query, locale),
        "metadata": {
            "table": query.schema().name,
            "session": query.frame().session().map(|s| &s.name),
            "period": query.frame().period().map(crate::query::check::Period::text),
            "timeframe": query.from().map(crate::query::check::Timeframe::name),
            "rows_scanned": outcome.rows_scanned,
            "rows_matched": outcome.rows_matched,
            "rows_before_limit": outcome.rows_before_limit,
        },
        "columns": columns,
        "rows": outcome.rows.len(),
        "summary": summary.to_json_in(locale),
        "model_text": Gate::new(policy).summary(outcome, &summary, locale).as_str(),
        "warnings": warnings,
        "chart": planner::chart(query),
    }));
    let set = |target: &JsValue, name: &str, value: &JsValue| {
        // Setting a field of a fresh plain object cannot fail.
        let _ = js_sys::Reflect::set(target, &name.into(), value);
    };
    let exact = |i: usize| cell(&outcome.value(0, i), outcome.columns[i].date_only, decimals);
    match outcome.kind() {
        ResultKind::Scalar => set(&info, "value", &exact(0)),
        ResultKind::Dict => {
            let values: JsValue = js_sys::Object::new().into();
            for (i, column) in outcome.columns.iter().enumerate() {
                set(&values, &column.column.name, &exact(i));
            }
            set(&info, "values", &values);
        }
        ResultKind::Table | ResultKind::Grouped => {}
    }
    info
}

fn role(role: &Role) -> &'static str {
    match role {
        Role::Time => "time",
        Role::Series => "series",
        Role::Source => "source",
        Role::Mapped => "mapped",
        Role::Key => "key",
        Role::Measure { .. } => "measure",
    }
}

/// Rows as arrays of values.
pub(super) fn page(
    columns: &[OutputColumn],
    rows: &dyn Rows,
    range: std::ops::Range<usize>,
    total: u64,
    decimals: Decimals,
) -> JsValue {
    let list: js_sys::Array = range
        .map(|row| {
            columns
                .iter()
                .enumerate()
                .map(|(i, c)| cell(&rows.value(row, i), c.date_only, decimals))
                .collect::<js_sys::Array>()
        })
        .collect();
    let names: Vec<&str> = columns.iter().map(|c| c.column.name.as_str()).collect();
    let kinds: Vec<Kind> = columns.iter().map(|c| c.column.kind).collect();
    let out = object(&json!({"columns": names, "kinds": kinds, "total": total}));
    // Setting a field of a fresh plain object cannot fail.
    let _ = js_sys::Reflect::set(&out, &"rows".into(), &list);
    out
}
