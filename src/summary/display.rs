//! Values for reading: rounded numbers, ISO dates, text that cannot pass for anything but data.

use crate::value::Value;
use std::fmt::{self, Write};
use std::sync::Arc;

/// Text values are cut at this many characters.
pub const TEXT_LENGTH: usize = 80;

/// What stands for a list: a summary tells none of its members.
const LIST: &str = "[…]";

/// Whole floats below this are shown as integers.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// A number for reading: 4 decimals, or 4 significant digits below 0.1.
pub fn round(x: f64) -> f64 {
    let text = if x.abs() >= 0.1 { format!("{x:.4}") } else { format!("{x:.3e}") };
    let rounded = text.parse::<f64>().unwrap_or(x);
    // No minus sign before a zero.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// A value for reading, as text: integers exact, other numbers rounded to 4 decimals (4 significant
/// digits below 0.1), ISO dates, `null`. With `date_only` a timestamp has no time of day.
/// Text stands as it is.
pub fn display(value: &Value, date_only: bool) -> String {
    match value {
        Value::Float(x) => rounded(*x),
        Value::Decimal(x) => match x.rescale(0) {
            Some(whole) => whole.to_string(),
            None => rounded(x.to_f64()),
        },
        Value::Timestamp(_) if date_only => match value.date() {
            Some(date) => date.format("%Y-%m-%d").to_string(),
            None => value.to_string(),
        },
        other => other.to_string(),
    }
}

fn rounded(x: f64) -> String {
    let x = round(x);
    if x != 0.0 && !(1e-6..1e15).contains(&x.abs()) { format!("{x:e}") } else { x.to_string() }
}

/// What a summary holds of a value: numbers rounded for reading (whole ones as integers), dates and
/// timestamps as ISO text, text cleaned and cut, of a list that it is one.
pub(super) fn shown(value: &Value, date_only: bool) -> Value {
    match value {
        Value::Null | Value::Bool(_) | Value::Int(_) => value.clone(),
        Value::Float(x) => rounded_value(*x),
        Value::Decimal(x) => match (x.to_i64(), x.rescale(0)) {
            (Some(whole), _) => Value::Int(whole),
            (None, Some(whole)) => Value::Decimal(whole),
            (None, None) => rounded_value(x.to_f64()),
        },
        Value::Text(text) => Value::Text(Arc::from(cut(&clean(text), TEXT_LENGTH).as_str())),
        Value::Date(_) | Value::Timestamp(_) => Value::text(display(value, date_only)),
        Value::List(_) => Value::text(LIST),
    }
}

fn rounded_value(x: f64) -> Value {
    match round(x) {
        r if r.fract() == 0.0 && r.abs() < EXACT => Value::Int(r as i64),
        r => Value::float(r),
    }
}

/// Text without control and invisible characters, line ends and markup: what is left can be read as
/// data only. Idempotent.
pub fn clean(text: &str) -> String {
    let mut visible = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_whitespace() || c.is_control() {
            visible.push(' ');
        } else if !is_invisible(c) {
            visible.push(c);
        }
    }
    // Taking a tag out can put another together, so until nothing changes; each round is shorter.
    loop {
        let next = without_tags(&visible);
        if next.len() == visible.len() {
            break;
        }
        visible = next;
    }
    visible.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Characters that change how text reads without being seen: zero widths, directions, tags.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}')
}

/// Removes `<tag …>`, `</tag>`, `<|token|>`; of an unclosed one only the bracket. `a < b` stays.
fn without_tags(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let inside = from.get(1..).unwrap_or_default();
        let opens = inside
            .chars()
            .next()
            .is_some_and(|c| c.is_alphabetic() || matches!(c, '/' | '!' | '?' | '|'));
        rest = inside;
        if !opens {
            out.push('<');
            continue;
        }
        if let Some(end) = inside.find(['<', '>'])
            && inside.get(end..).is_some_and(|tail| tail.starts_with('>'))
        {
            rest = inside.get(end + 1..).unwrap_or_default();
        }
    }
    out.push_str(rest);
    out
}

/// The first `most` characters, with an ellipsis for the rest.
pub(crate) fn cut(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let mut short: String = text.chars().take(most.saturating_sub(1)).collect();
    short.push('…');
    short
}

/// A shown value within a line: text that could be taken for a number, a separator or a sentence
/// stands in quotes.
pub(crate) fn inline(value: &Value, most: usize) -> String {
    let Value::Text(text) = value else { return display(value, false) };
    let text = cut(text, most);
    let plain = !text.is_empty()
        && text.chars().all(|c| {
            c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '.' | ':' | '/' | '&' | '…' | '\'')
        })
        && text.split(' ').count() <= 4
        && text.parse::<f64>().is_err()
        && !matches!(text.as_str(), "null" | "true" | "false");
    if plain { text } else { format!("\"{}\"", text.replace('"', "'")) }
}

/// A column's name within a line.
pub(super) fn name(name: &str, most: usize) -> String {
    cut(&clean(name), most)
}

/// Appends to a text, which cannot fail.
pub(crate) fn add(text: &mut String, parts: fmt::Arguments<'_>) {
    let _infallible = text.write_fmt(parts);
}

/// `n` with the Russian noun in the form it asks for: one, few, many.
pub(super) fn russian(n: u64, forms: [&str; 3]) -> String {
    let [one, few, many] = forms;
    let form = match (n % 10, n % 100) {
        (_, 11..=14) => many,
        (1, _) => one,
        (2..=4, _) => few,
        _ => many,
    };
    format!("{n} {form}")
}

/// `n` with the English noun.
pub(super) fn english(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
