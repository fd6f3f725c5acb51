//! Between JavaScript values and ours: plain objects in, plain objects out, one error converter.

use crate::error::{Diagnostic, Error, Locale, Span};
use crate::value::Value;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

/// The largest integer that a JavaScript number holds exactly, 2^53 − 1.
const MAX_SAFE: i64 = 9_007_199_254_740_991;

/// A JavaScript value as JSON, big integers too; what JSON cannot hold (functions, circles, towers of
/// objects) counts as null.
pub(super) fn json(value: &JsValue) -> serde_json::Value {
    let read = |text: js_sys::JsString| {
        serde_json::from_str(&String::from(text)).unwrap_or(serde_json::Value::Null)
    };
    if let Ok(text) = js_sys::JSON::stringify(value) {
        return if text.is_string() { read(text) } else { serde_json::Value::Null };
    }
    // It has big integers, or is none of ours.
    let marked =
        Closure::<dyn Fn(JsValue, JsValue) -> JsValue>::new(|_, value: JsValue| {
            match value.clone().dyn_into::<js_sys::BigInt>() {
                Ok(big) => match big.to_string(10) {
                    Ok(digits) => JsValue::from_str(&format!("{BIG}{}", String::from(digits))),
                    Err(_) => JsValue::NULL,
                },
                Err(_) => value,
            }
        });
    let text = js_sys::JSON::stringify_with_replacer(value, marked.as_ref());
    let mut json = text.map(read).unwrap_or_default();
    unmark(&mut json);
    json
}

/// What the digits of a big integer begin with while they are text.
const BIG: &str = "\u{1}big:";

/// Puts numbers in the place of the digits of big integers.
fn unmark(json: &mut serde_json::Value) {
    match json {
        serde_json::Value::String(text) => {
            if let Some(number) = text.strip_prefix(BIG).and_then(|digits| digits.parse().ok()) {
                *json = serde_json::Value::Number(number);
            }
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(unmark),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(unmark),
        _ => {}
    }
}

/// A JavaScript object as one of our option types; `undefined` is the default.
pub(super) fn options<T: DeserializeOwned + Default>(value: &JsValue) -> Result<T, JsValue> {
    if value.is_undefined() || value.is_null() {
        return Ok(T::default());
    }
    serde_wasm_bindgen::from_value(value.clone()).map_err(|e| {
        let what = e.to_string();
        let diagnostic = Diagnostic::new(
            crate::error::Code::BadOption,
            text!("bad option: {what}", "неверный параметр: {what}"),
        );
        fault(&diagnostic.into(), Locale::En)
    })
}

/// Plain data as a JavaScript object.
pub(super) fn object<T: Serialize + ?Sized>(value: &T) -> JsValue {
    value.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).unwrap_or_else(|_| {
        // A whole number that is no JavaScript number: as JSON it is the nearest one. Where the exact
        // one is due, `cell` gives it.
        let text = serde_json::to_string(value).unwrap_or_default();
        js_sys::JSON::parse(&text).unwrap_or(JsValue::UNDEFINED)
    })
}

/// JSON as a JavaScript value, by its text: of a big answer, each name and value would be handed over
/// by itself else.
pub(super) fn plain(value: &serde_json::Value) -> JsValue {
    js_sys::JSON::parse(&value.to_string()).unwrap_or_else(|_| object(value))
}

/// What decimals are in JavaScript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Decimals {
    /// Text with all their digits.
    #[default]
    String,
    /// The nearest numbers.
    Number,
}

/// A cell as people expect it in JavaScript: numbers where exact, else bigint; ISO text for dates;
/// arrays for lists.
pub(super) fn cell(value: &Value, date_only: bool, decimals: Decimals) -> JsValue {
    match value {
        Value::Null => JsValue::NULL,
        Value::Bool(b) => (*b).into(),
        Value::Int(i) if i.abs() <= MAX_SAFE => (*i as f64).into(),
        Value::Int(i) => js_sys::BigInt::from(*i).into(),
        Value::Float(x) => (*x).into(),
        Value::Decimal(x) if decimals == Decimals::Number => x.to_f64().into(),
        Value::Text(s) => s.as_ref().into(),
        Value::Timestamp(_) if date_only => {
            value.date().map_or(JsValue::NULL, |d| d.format("%Y-%m-%d").to_string().into())
        }
        Value::Decimal(_) | Value::Date(_) | Value::Timestamp(_) => value.to_string().into(),
        Value::List(members) => {
            let members = members.iter().map(|member| cell(member, false, decimals));
            members.collect::<js_sys::Array>().into()
        }
    }
}

/// The object that a failed call throws: `{code, message, diagnostics}`.
pub(super) fn fault(error: &Error, locale: Locale) -> JsValue {
    if let Error::Internal(detail) = error {
        // For the person's own console; it never reaches the page's events or a model.
        web_sys::console::error_1(&format!("pinhole: {detail}").into());
    }
    fault_in(error, &serde_json::Value::Null, locale)
}

/// A byte span of `text` in UTF-16 units.
pub(super) fn utf16(text: &str, span: Span) -> [usize; 2] {
    let units = |bytes: usize| {
        text.char_indices().take_while(|(at, _)| *at < bytes).map(|(_, c)| c.len_utf16()).sum()
    };
    [units(span.start), units(span.end)]
}

/// The byte of `text` that stands after so many UTF-16 units.
pub(super) fn byte_offset(text: &str, units: u32) -> usize {
    let mut left = units as usize;
    for (at, c) in text.char_indices() {
        if left < c.len_utf16() {
            return at;
        }
        left -= c.len_utf16();
    }
    text.len()
}

/// The text of the field that a diagnostic points at, to count its span in.
pub(super) fn pointed<'a>(query: &'a serde_json::Value, pointer: &str) -> Option<&'a str> {
    query.pointer(pointer).and_then(serde_json::Value::as_str)
}

/// A diagnostic with its span in UTF-16 units of the field's text.
pub(super) fn diagnostic(
    d: &Diagnostic,
    query: &serde_json::Value,
    locale: Locale,
) -> serde_json::Value {
    let mut json = d.to_json(locale);
    if let (Some(span), Some(text)) = (d.span, pointed(query, &d.pointer)) {
        json["span"] = serde_json::json!(utf16(text, span));
    }
    json
}

/// The surroundings of a long call.
pub(super) trait Host {
    /// Whether the caller has cancelled.
    fn is_cancelled(&self) -> bool;
    /// Tells how far it is.
    fn report(&self, done: u64, total: u64);
    /// Lets the event loop run.
    fn turn(&self) -> js_sys::Promise;
    /// Runs a script in a sandbox; what it asks comes back under this number.
    fn sandbox(&self, number: u32, script: &str) -> js_sys::Promise;
    /// Opens a file that is read and written at once; undefined where there is none.
    fn disk(&self) -> js_sys::Promise;
}

/// A promise of the host that was not kept: a mistake of ours, not of the input.
pub(super) fn rejection(error: &JsValue) -> Error {
    Error::Internal(format!("the host rejected: {error:?}"))
}

/// [`fault`] with the spans of a query's diagnostics in UTF-16 units.
pub(super) fn fault_in(error: &Error, query: &serde_json::Value, locale: Locale) -> JsValue {
    let diagnostics = error.diagnostics();
    let message: Vec<String> = diagnostics.iter().map(|d| d.render(locale)).collect();
    object(&serde_json::json!({
        "code": diagnostics.first().map(|d| d.code),
        "message": message.join("\n"),
        "diagnostics": diagnostics.iter().map(|d| diagnostic(d, query, locale)).collect::<Vec<_>>(),
    }))
}
