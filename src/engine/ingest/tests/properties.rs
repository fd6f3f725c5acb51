//! What holds for every file.

use super::{Options, load_bytes, values};
use crate::engine::ingest::OnBadRow;
use crate::error::Error;
use crate::schema::Kind;
use crate::value::Value;
use proptest::prelude::*;
use serde_json::json;
use std::fmt::Write;

/// A column of values of one kind, some missing.
pub(super) fn column() -> impl Strategy<Value = (Kind, Vec<Value>)> {
    fn of<T: std::fmt::Debug + 'static>(
        kind: Kind,
        strategy: impl Strategy<Value = T> + 'static,
        make: fn(T) -> Value,
    ) -> BoxedStrategy<(Kind, Vec<Value>)> {
        let cell = prop::option::weighted(0.85, strategy.prop_map(make));
        prop::collection::vec(cell.prop_map(|v| v.unwrap_or(Value::Null)), 12)
            .prop_map(move |values| (kind, values))
            .boxed()
    }
    prop_oneof![
        of(Kind::Int, any::<i64>(), Value::Int),
        of(Kind::Int, -100i64..100, Value::Int),
        of(Kind::Float, any::<f64>().prop_filter("finite", |x| x.is_finite()), Value::Float),
        of(Kind::Float, (-10_000i32..10_000).prop_map(|i| f64::from(i) / 100.0), Value::Float),
        of(Kind::Bool, any::<bool>(), Value::Bool),
        of(Kind::Date, -700_000i32..2_900_000, Value::Date),
        of(Kind::Timestamp, -60_000_000_000_000_000i64..250_000_000_000_000_000, Value::Timestamp),
        of(Kind::Text, "[a-zа-я]{1,4}[ -~\n\r€\"]{0,6}", |s: String| Value::text(s)),
    ]
}

/// Writes a cell, with quotes where they are needed or wanted.
fn write_cell(value: &Value, delimiter: char, quote: bool, out: &mut String) {
    let text = if value.is_null() { String::new() } else { value.to_string() };
    let special = |c: char| c == delimiter || matches!(c, '"' | '\n' | '\r' | ' ');
    if quote || text.contains(special) {
        out.push('"');
        out.push_str(&text.replace('"', "\"\""));
        out.push('"');
    } else {
        out.push_str(&text);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_written_is_read(
        columns in prop::collection::vec(column(), 1..5),
        delimiter in prop::sample::select(vec![',', ';', '\t', '|']),
        end in prop::sample::select(vec!["\n", "\r\n", "\r"]),
        quotes in any::<u64>(),
        last_end in any::<bool>(),
        step in 1usize..40,
    ) {
        let mut text = String::new();
        let names: Vec<String> = (0..columns.len()).map(|i| format!("c{i}")).collect();
        text += &names.join(&delimiter.to_string());
        let mut n = 0;
        for row in 0..12 {
            text += end;
            for (i, (_, values)) in columns.iter().enumerate() {
                if i > 0 {
                    text.push(delimiter);
                }
                n += 1;
                // a lone empty cell without quotes would be a blank line
                let quote = quotes >> (n % 64) & 1 == 1 || columns.len() == 1;
                write_cell(values.get(row).unwrap_or(&Value::Null), delimiter, quote, &mut text);
            }
        }
        if last_end {
            text += end;
        }
        let types: serde_json::Map<_, _> = names
            .iter()
            .zip(&columns)
            .map(|(name, (kind, _))| (name.clone(), kind.name().into()))
            .collect();
        let options = json!({
            "csv": {"delimiter": delimiter.to_string(), "header": true, "decimal": "."},
            "types": types,
        });
        let options = Options::from_json(&options).expect("valid options");
        let loaded = load_bytes(text.as_bytes(), &options, step);
        let loaded = loaded.map_err(|e| TestCaseError::fail(format!("{text:?}: {e}")))?;
        for (i, (_, expected)) in columns.iter().enumerate() {
            let found = values(&loaded, i);
            let same = found.len() == expected.len()
                && found.iter().zip(expected).all(|(a, b)| a == b || a.total_cmp(b).is_eq() && a.kind() == b.kind());
            let zero = |v: &Value| v.as_f64() == Some(0.0);
            let same = same || found.iter().zip(expected).all(|(a, b)| a == b || zero(a) && zero(b));
            prop_assert!(same, "{text:?}: {found:?} for {expected:?}");
        }
    }

    #[test]
    fn guesses_lose_nothing(
        cells in prop::collection::vec("[0-9]{1,4}|-?[0-9]{1,3}\\.[0-9]{1,3}|[a-c]|2024-0[1-9]-1[0-9]|NA|", 1..30),
        step in 1usize..40,
    ) {
        let mut text = String::from("c,n\n");
        for cell in &cells {
            let _ = writeln!(text, "{cell},x");
        }
        let options = Options::from_json(&json!({"csv": {"header": true}})).expect("valid options");
        let loaded = load_bytes(text.as_bytes(), &options, step);
        let loaded = loaded.map_err(|e| TestCaseError::fail(format!("{text:?}: {e}")))?;
        let kind = loaded.table.schema.columns.first().map(|c| c.kind);
        for (found, cell) in values(&loaded, 0).iter().zip(&cells) {
            match kind {
                Some(Kind::Text) if cell.is_empty() => prop_assert!(found.is_null()),
                Some(Kind::Text | Kind::Date | Kind::Int) if cell != "NA" && !cell.is_empty() => {
                    prop_assert_eq!(&found.to_string(), cell);
                }
                Some(Kind::Float) => {
                    prop_assert_eq!(found.as_f64(), cell.parse::<f64>().ok());
                }
                _ => {}
            }
        }
    }

    #[test]
    fn pieces_do_not_matter(
        text in "([0-9a-c.,;\"\n\r]|é|\t){0,80}",
        step in 1usize..20,
        skip in any::<bool>(),
    ) {
        let on_bad_row = if skip { OnBadRow::Skip } else { OnBadRow::Error };
        let options = Options { on_bad_row, ..Options::default() };
        let whole = load_bytes(text.as_bytes(), &options, text.len().max(1));
        let pieces = load_bytes(text.as_bytes(), &options, step);
        match (whole, pieces) {
            (Ok(a), Ok(b)) => {
                prop_assert_eq!(a.report, b.report);
                prop_assert_eq!(a.table.batches, b.table.batches);
            }
            (Err(a), Err(b)) => prop_assert_eq!(a, b),
            (a, b) => prop_assert!(false, "{text:?}: {a:?} or {b:?}"),
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(
        bytes in prop::collection::vec(any::<u8>(), 0..300),
        step in 1usize..50,
    ) {
        let options = Options { on_bad_row: OnBadRow::Skip, ..Options::default() };
        if let Err(e) = load_bytes(&bytes, &options, step) {
            prop_assert!(matches!(e, Error::Input(_)), "{e}");
        }
    }
}
