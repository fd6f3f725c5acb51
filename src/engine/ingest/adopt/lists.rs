//! Lists, maps and what is inside of them, written as JSON.

use super::prepare::{MICROS_LIMIT, micros};
use crate::value::Value;
use arrow::array::downcast_dictionary_array;
use arrow::array::{
    Array, ArrayRef, AsArray, StringViewArray, StringViewBuilder, downcast_run_array,
};
use arrow::datatypes::{DataType, TimeUnit};
use arrow::util::display::{ArrayFormatter, FormatOptions};
use std::fmt::Write;

/// The rows of `array` as JSON until `room` bytes are full, but at least one; `None` where a
/// single row is longer than `longest`.
pub(super) fn write_rows(
    array: &dyn Array,
    room: usize,
    longest: usize,
) -> Option<StringViewArray> {
    let mut out = StringViewBuilder::new();
    let mut text = String::new();
    let mut bytes = 0;
    for row in 0..array.len() {
        if array.is_null(row) {
            out.append_null();
            continue;
        }
        text.clear();
        write(array, row, longest, &mut text)?;
        bytes += text.len();
        if row > 0 && bytes > room {
            break;
        }
        out.append_value(&text);
    }
    Some(out.finish())
}

/// Writes one value; `None` as soon as the text is too long.
fn write(array: &dyn Array, row: usize, longest: usize, out: &mut String) -> Option<()> {
    use DataType as T;
    if out.len() > longest {
        return None;
    }
    if array.is_null(row) || array.data_type() == &T::Null {
        out.push_str("null");
        return Some(());
    }
    let arrow = array.data_type();
    match arrow {
        T::List(_) => write_list(&array.as_list::<i32>().value(row), longest, out),
        T::LargeList(_) => write_list(&array.as_list::<i64>().value(row), longest, out),
        T::ListView(_) => write_list(&array.as_list_view::<i32>().value(row), longest, out),
        T::LargeListView(_) => write_list(&array.as_list_view::<i64>().value(row), longest, out),
        T::FixedSizeList(_, _) => write_list(&array.as_fixed_size_list().value(row), longest, out),
        T::Map(_, _) => {
            let entries = array.as_map().value(row);
            let [keys, values] = entries.columns() else { return Some(()) };
            write_object(entries.len(), longest, out, |at, out| {
                let mut key = String::new();
                write(keys, at, longest, &mut key)?;
                out.push_str(&if key.starts_with('"') { key } else { quoted(&key) });
                Some((values, at))
            })
        }
        T::Struct(fields) => {
            let columns = array.as_struct().columns();
            write_object(columns.len(), longest, out, |at, out| {
                out.push_str(&quoted(fields.get(at)?.name()));
                Some((columns.get(at)?, row))
            })
        }
        T::Dictionary(_, _) => downcast_dictionary_array! {
            array => if let Some(key) = array.key(row) {
                write(array.values(), key, longest, out)
            } else {
                out.push_str("null");
                Some(())
            },
            _ => None
        },
        T::RunEndEncoded(_, _) => downcast_run_array! {
            array => write(array.values(), array.get_physical_index(row), longest, out),
            _ => None
        },
        T::Utf8 | T::LargeUtf8 | T::Utf8View => {
            let text = match arrow {
                T::Utf8 => array.as_string::<i32>().value(row),
                T::LargeUtf8 => array.as_string::<i64>().value(row),
                _ => array.as_string_view().value(row),
            };
            out.push_str(&quoted(text));
            Some(())
        }
        T::Timestamp(unit, zone) => {
            write_moment(array, row, *unit, zone.is_some(), out);
            Some(())
        }
        _ => {
            write_plain(array, row, out);
            Some(())
        }
    }
}

fn write_list(values: &ArrayRef, longest: usize, out: &mut String) -> Option<()> {
    out.push('[');
    for row in 0..values.len() {
        if row > 0 {
            out.push(',');
        }
        write(values, row, longest, out)?;
    }
    out.push(']');
    Some(())
}

/// Writes an object; `key` writes a key and tells where its value is.
fn write_object<'a>(
    len: usize,
    longest: usize,
    out: &mut String,
    mut key: impl FnMut(usize, &mut String) -> Option<(&'a ArrayRef, usize)>,
) -> Option<()> {
    out.push('{');
    for at in 0..len {
        if at > 0 {
            out.push(',');
        }
        let (values, row) = key(at, out)?;
        out.push(':');
        write(values, row, longest, out)?;
    }
    out.push('}');
    Some(())
}

fn write_moment(array: &dyn Array, row: usize, unit: TimeUnit, zone: bool, out: &mut String) {
    use arrow::datatypes as t;
    let value = match unit {
        TimeUnit::Second => array.as_primitive::<t::TimestampSecondType>().value(row),
        TimeUnit::Millisecond => array.as_primitive::<t::TimestampMillisecondType>().value(row),
        TimeUnit::Microsecond => array.as_primitive::<t::TimestampMicrosecondType>().value(row),
        TimeUnit::Nanosecond => array.as_primitive::<t::TimestampNanosecondType>().value(row),
    };
    match micros(value, unit).filter(|m| m.unsigned_abs() <= MICROS_LIMIT) {
        Some(micros) => {
            let _ = write!(out, "\"{}{}\"", Value::Timestamp(micros), if zone { "Z" } else { "" });
        }
        None => out.push_str("null"),
    }
}

/// Writes numbers and truth values as they are and everything else in quotes; what has no JSON is
/// null.
fn write_plain(array: &dyn Array, row: usize, out: &mut String) {
    let options = FormatOptions::new();
    let text = ArrayFormatter::try_new(array, &options)
        .and_then(|formatter| formatter.value(row).try_to_string());
    let bare = array.data_type().is_numeric() || array.data_type() == &DataType::Boolean;
    match text {
        Ok(text) if !bare => out.push_str(&quoted(&text)),
        Ok(text) if serde_json::from_str::<serde_json::Value>(&text).is_ok() => out.push_str(&text),
        _ => out.push_str("null"),
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
