//! What holds for every file of JSON.

use super::{Loaded, Options, load_bytes, values};
use crate::engine::ingest::{Format, OnBadRow};
use crate::error::Error;
use crate::schema::{Kind, Member};
use crate::value::Value;
use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};

/// A column of values of one kind, some missing, the first of them there.
fn column() -> impl Strategy<Value = (Kind, Vec<Value>)> {
    fn of<T: std::fmt::Debug + 'static>(
        kind: Kind,
        strategy: impl Strategy<Value = T> + 'static,
        make: fn(T) -> Value,
    ) -> BoxedStrategy<(Kind, Vec<Value>)> {
        let cell = prop::option::weighted(0.8, strategy.prop_map(make));
        prop::collection::vec(cell.prop_map(|v| v.unwrap_or(Value::Null)), 1..20)
            .prop_filter("a value", |values| values.iter().any(|v| !v.is_null()))
            .prop_map(move |values| (kind, values))
            .boxed()
    }
    prop_oneof![
        of(Kind::Int, any::<i64>(), Value::Int),
        of(Kind::Int, -100i64..100, Value::Int),
        of(Kind::Float, fraction(), Value::Float),
        of(Kind::Bool, any::<bool>(), Value::Bool),
        of(Kind::Date, -700_000i32..2_900_000, Value::Date),
        of(Kind::Timestamp, -60_000_000_000_000_000i64..250_000_000_000_000_000, Value::Timestamp),
        of(Kind::List(Member::Int), prop::collection::vec(any::<i64>(), 1..4), |list| {
            Value::List(list.into_iter().map(Value::Int).collect())
        }),
        of(Kind::List(Member::Float), prop::collection::vec(fraction(), 1..4), |list| {
            Value::List(list.into_iter().map(Value::Float).chain([Value::Null]).collect())
        }),
        of(
            Kind::List(Member::Text),
            prop::collection::vec("\\PC{0,5}[\\\\\"\n,\\]]?", 1..4),
            |list| { Value::List(list.iter().map(Value::text).collect()) }
        ),
        of(Kind::List(Member::Bool), prop::collection::vec(any::<bool>(), 1..4), |list| {
            Value::List(list.into_iter().map(Value::Bool).collect())
        }),
        of(Kind::Text, "[a-zа-я]{2}\\PC{0,3}[\\\\\"\n\t{}\\[\\]:, ]{1,3}q", |s: String| {
            Value::text(s)
        }),
    ]
}

fn fraction() -> impl Strategy<Value = f64> {
    any::<f64>().prop_filter("a fraction", |x| x.fract() != 0.0 && x.is_finite())
}

fn to_json(value: &Value) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(b) => json!(b),
        Value::Int(i) => json!(i),
        Value::Float(x) => json!(x),
        Value::List(_) => value.to_json(),
        other => json!(other.to_string()),
    }
}

/// The rows as objects; some columns are in an object of their own, and missing values may be
/// left out where the column is known already.
fn objects(columns: &[(Kind, Vec<Value>)], leave_out: bool) -> Vec<Json> {
    let rows = columns.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let mut out = Vec::new();
    for row in 0..rows {
        let mut object = Map::new();
        let mut inner = Map::new();
        for (i, (_, values)) in columns.iter().enumerate() {
            let value = values.get(row).unwrap_or(&Value::Null);
            if row > 0 && leave_out && value.is_null() {
                continue;
            }
            let target = if i % 3 == 2 { &mut inner } else { &mut object };
            target.insert(format!("c \"{i}"), to_json(value));
        }
        if !inner.is_empty() {
            object.insert("in".to_owned(), inner.into());
        }
        out.push(object.into());
    }
    out
}

/// The ways to write rows.
fn write(rows: &[Json], way: usize) -> String {
    let lines: Vec<String> = rows.iter().map(Json::to_string).collect();
    match way {
        0 => Json::from(rows.to_vec()).to_string(),
        1 => serde_json::to_string_pretty(rows).expect("serialisable"),
        2 => lines.join("\n"),
        3 => lines.join("\r\n\r\n") + "\n",
        4 => format!("{{\"n\": [1, {{}}], \"rows\": [{}], \"end\": {{}}}}", lines.join(" ,\n")),
        _ => serde_json::to_string_pretty(&json!({"a": "]", "in": {"rows": rows}, "z": null}))
            .expect("serialisable"),
    }
}

fn same(a: Result<Loaded, Error>, b: Result<Loaded, Error>) -> Result<(), TestCaseError> {
    match (a, b) {
        (Ok(a), Ok(b)) => {
            prop_assert_eq!(a.report, b.report);
            prop_assert_eq!(a.table.batches, b.table.batches);
        }
        (Err(a), Err(b)) => prop_assert_eq!(a, b),
        (a, b) => prop_assert!(false, "{a:?} or {b:?}"),
    }
    Ok(())
}

/// Text that is nearly JSON.
fn nearly_json() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\n",
        " ",
        "\"a\"",
        "\"b\"",
        "\"é\\n\"",
        "1",
        "-0.5",
        "true",
        "null",
        "{\"a\":1}",
        "{\"a\":{\"b\":[1]}}",
        "{\"a\":\"2024-01-02\"}\n",
        "[{\"a\":1},",
        "\"",
        "\\",
        "x",
        "{\"rows\":[",
        "{\"type\":\"Feature\",\"properties\":{},\"geometry\":null}",
    ]);
    prop::collection::vec(parts, 0..12).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_written_is_read(
        columns in prop::collection::vec(column(), 1..5),
        way in 0usize..6,
        leave_out in any::<bool>(),
        step in prop::sample::select(vec![1usize, 7, 4096]),
    ) {
        let rows = objects(&columns, leave_out);
        let text = write(&rows, way);
        let options = if rows.len() == 1 && matches!(way, 2 | 3) {
            Options { format: Some(Format::Ndjson), ..Options::default() }
        } else {
            Options::default()
        };
        let loaded = load_bytes(text.as_bytes(), &options, step);
        let loaded = loaded.map_err(|e| TestCaseError::fail(format!("{text}: {e}")))?;
        prop_assert_eq!(loaded.report.format, if matches!(way, 2 | 3) { "ndjson" } else { "json" });
        prop_assert_eq!(loaded.report.rows as usize, rows.len());
        for (i, (kind, expected)) in columns.iter().enumerate() {
            let name = if i % 3 == 2 { format!("in.c \"{i}") } else { format!("c \"{i}") };
            let at = loaded.table.schema.columns.iter().position(|c| c.name == name);
            let at = at.ok_or_else(|| TestCaseError::fail(format!("{text}: no {name}")))?;
            let found = loaded.table.schema.columns.get(at).map(|c| c.kind);
            prop_assert_eq!(found, Some(*kind), "{}", text);
            let mut expected = expected.clone();
            expected.resize(rows.len(), Value::Null);
            prop_assert_eq!(values(&loaded, at), expected, "{}", text);
        }
    }

    #[test]
    fn any_values_are_kept_as_text(
        cells in prop::collection::vec(prop_oneof![
            Just(json!(null)), Just(json!(true)), Just(json!("")), Just(json!([1, "a b"])),
            (-5i64..5).prop_map(|i| json!(i)), "[0-9]{1,2}|NA|2024-01-02".prop_map(|s| json!(s)),
        ], 1..30),
        step in 1usize..40,
    ) {
        let rows: Vec<Json> = cells.iter().map(|cell| json!({"c": cell, "n": 1})).collect();
        let options = Options::from_json(&json!({"types": {"c": "text"}})).expect("valid options");
        let loaded = load_bytes(Json::from(rows).to_string().as_bytes(), &options, step);
        let loaded = loaded.map_err(|e| TestCaseError::fail(e.to_string()))?;
        let expected: Vec<Value> = cells.iter().map(|cell| match cell {
            Json::Null => Value::Null,
            Json::String(text) => Value::text(text.clone()),
            other => Value::text(other.to_string()),
        }).collect();
        prop_assert_eq!(values(&loaded, 0), expected);
    }

    #[test]
    fn pieces_do_not_matter(text in nearly_json(), skip in any::<bool>(), lines in any::<bool>()) {
        let on_bad_row = if skip { OnBadRow::Skip } else { OnBadRow::Error };
        let format = Some(if lines { Format::Ndjson } else { Format::Json });
        let options = Options { format, on_bad_row, ..Options::default() };
        for step in [1, 7, 4096] {
            let whole = load_bytes(text.as_bytes(), &options, text.len().max(1));
            same(whole, load_bytes(text.as_bytes(), &options, step))?;
        }
    }

    #[test]
    fn only_json_is_read(text in nearly_json()) {
        let format = Some(Format::Json);
        let options = Options { format, ..Options::default() };
        let read = load_bytes(text.as_bytes(), &options, 3);
        let valid = serde_json::Deserializer::from_str(&text).into_iter::<Json>().all(|v| v.is_ok());
        prop_assert!(valid || read.is_err(), "{}", text);
    }

    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        start in prop::sample::select(vec!["", "[", "{", "[{\"a\":\"", "{\"a\":1}\n", "{\"a\":[{"]),
        lines in any::<bool>(),
        step in 1usize..50,
    ) {
        let format = Some(if lines { Format::Ndjson } else { Format::Json });
        let options = Options { format, on_bad_row: OnBadRow::Skip, ..Options::default() };
        let bytes = [start.as_bytes(), &bytes].concat();
        if let Err(e) = load_bytes(&bytes, &options, step) {
            prop_assert!(matches!(e, Error::Input(_)), "{e}");
        }
    }
}
