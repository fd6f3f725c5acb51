//! Whole files: what a person expects of them.

mod arrow_damage;
mod arrow_files;
mod arrow_types;
mod dialects;
mod files;
mod hostile;
mod json;
mod json_properties;
mod memory;
mod properties;
mod values;
mod zones;

use super::{Loaded, Loader, NoteCode, Options};
use crate::error::{Diagnostic, Error, Result};
use crate::schema::Kind;
use crate::value::Value;
use arrow::array::{Array, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Date32Type, Float64Type, Int64Type, TimestampMicrosecondType};
use serde_json::json;

fn load_bytes(bytes: &[u8], options: &Options, step: usize) -> Result<Loaded> {
    let mut loader = Loader::new("t", options.clone())?;
    for piece in bytes.chunks(step) {
        loader.push(piece)?;
    }
    loader.finish()
}

fn load(text: &str) -> Loaded {
    load_with(text, &json!({}))
}

fn load_with(text: &str, options: &serde_json::Value) -> Loaded {
    let options = Options::from_json(options).expect("valid options");
    match load_bytes(text.as_bytes(), &options, 7) {
        Ok(loaded) => loaded,
        Err(e) => panic!("{text:?}: {e}"),
    }
}

fn fails(text: impl AsRef<[u8]>, options: &serde_json::Value) -> Diagnostic {
    let options = Options::from_json(options).expect("valid options");
    let result = load_bytes(text.as_ref(), &options, 7);
    match result {
        Err(Error::Input(mut list)) if !list.is_empty() => list.remove(0),
        other => panic!("{:?}: {other:?}", String::from_utf8_lossy(text.as_ref())),
    }
}

/// All values of a column.
fn values(loaded: &Loaded, column: usize) -> Vec<Value> {
    let kind = loaded.table.schema.columns.get(column).map(|c| c.kind);
    let mut out = Vec::new();
    for batch in &loaded.table.batches {
        let array = batch.column(column);
        let plain = match kind {
            Some(Kind::Int) => cast(array, &DataType::Int64),
            Some(Kind::Text) => cast(array, &DataType::Utf8),
            _ => Ok(array.clone()),
        }
        .expect("castable");
        for row in 0..plain.len() {
            out.push(match kind {
                _ if plain.is_null(row) => Value::Null,
                Some(Kind::Decimal(_) | Kind::List(_)) => crate::engine::rows::cell(&plain, row),
                Some(Kind::Int) => Value::Int(plain.as_primitive::<Int64Type>().value(row)),
                Some(Kind::Float) => Value::Float(plain.as_primitive::<Float64Type>().value(row)),
                Some(Kind::Bool) => Value::Bool(plain.as_boolean().value(row)),
                Some(Kind::Text) => Value::text(plain.as_string::<i32>().value(row)),
                Some(Kind::Date) => Value::Date(plain.as_primitive::<Date32Type>().value(row)),
                _ => Value::Timestamp(plain.as_primitive::<TimestampMicrosecondType>().value(row)),
            });
        }
    }
    out
}

fn has_note(loaded: &Loaded, code: NoteCode) -> bool {
    loaded.report.notes.iter().any(|note| note.code == code)
}
