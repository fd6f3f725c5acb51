//! How a value is written: decimals, sign, per cent, unit, and the numbers of a language.

use crate::error::Locale;
use crate::summary::{display, round};
use crate::value::Value;

/// What stands after the colon.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Format {
    /// A sign before positive numbers too.
    pub plus: bool,
    /// Groups of three digits where the language would leave them out (below ten thousand).
    pub group: bool,
    /// Digits after the point.
    pub decimals: Option<usize>,
    /// In per cent: a share is multiplied by a hundred, a percentage is not.
    pub percent: bool,
    /// What follows the number.
    pub unit: Unit,
}

/// What follows the number.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum Unit {
    /// Nothing.
    #[default]
    None,
    /// The unit of the column.
    Own,
    /// These words.
    Words(String),
}

impl Format {
    /// Reads a format; `None` for what is none.
    pub fn parse(text: &str) -> Option<Self> {
        let mut out = Self::default();
        let mut rest = text.trim_start_matches(' ').trim_end();
        if let Some(r) = rest.strip_prefix('+') {
            (out.plus, rest) = (true, r);
        }
        if let Some(r) = rest.strip_prefix(',') {
            (out.group, rest) = (true, r);
        }
        if let Some(r) = rest.strip_prefix('.') {
            let len = r.bytes().take_while(u8::is_ascii_digit).count();
            out.decimals = Some(r[..len].parse().ok().filter(|d| *d <= 12)?);
            rest = r[len..].strip_prefix('f').unwrap_or(&r[len..]);
        }
        if let Some(r) = rest.strip_prefix('%') {
            (out.percent, rest) = (true, r);
        }
        let unit = rest.trim();
        // Words of a unit: letters and its signs, never digits, which would look like a value.
        if unit.chars().any(|c| c.is_numeric() || "{}|:[]".contains(c)) || unit.len() > 24 {
            return None;
        }
        out.unit = match unit {
            "" => Unit::None,
            "unit" => Unit::Own,
            words => Unit::Words(words.to_owned()),
        };
        (!(out.percent && out.unit != Unit::None)).then_some(out)
    }
}

/// A value to be written.
pub(super) struct Written<'a> {
    /// The value.
    pub value: &'a Value,
    /// It is in per cent already.
    pub percent: bool,
    /// The unit of its column.
    pub unit: Option<&'a str>,
}

/// Writes a value in the numbers of a language: `1,234.5` or `1 234,5`.
pub(super) fn write(written: &Written, format: &Format, locale: Locale) -> String {
    let mut out = match written.value {
        Value::Int(i) if (!format.percent || written.percent) && format.decimals.is_none() => {
            number(&i.unsigned_abs().to_string(), *i < 0, *i > 0, format, locale)
        }
        other => match other.as_f64() {
            Some(x) => {
                let x = if format.percent && !written.percent { x * 100.0 } else { x };
                let digits = match format.decimals {
                    Some(n) => format!("{:.n$}", x.abs()),
                    None => plain(round(x.abs())),
                };
                let some = digits.bytes().any(|b| (b'1'..=b'9').contains(&b));
                number(&digits, x < 0.0 && some, x > 0.0 && some, format, locale)
            }
            None => return text(other),
        },
    };
    let space = '\u{a0}';
    if format.percent {
        if locale == Locale::Ru {
            out.push(space);
        }
        out.push('%');
    }
    let unit = match &format.unit {
        Unit::None => None,
        Unit::Own => written.unit,
        Unit::Words(words) => Some(words.as_str()),
    };
    if let Some(unit) = unit {
        if unit != "%" || locale == Locale::Ru {
            out.push(space);
        }
        out.push_str(unit);
    }
    out
}

/// Digits without an exponent.
fn plain(x: f64) -> String {
    if x.fract() == 0.0 && x < 1e15 { format!("{x:.0}") } else { x.to_string() }
}

/// A text, date or truth value; a timestamp at midnight is a date.
fn text(value: &Value) -> String {
    let out = display(value, false);
    match value {
        Value::Timestamp(_) => out.strip_suffix("T00:00:00").unwrap_or(&out).to_owned(),
        _ => out,
    }
}

fn number(digits: &str, negative: bool, positive: bool, format: &Format, locale: Locale) -> String {
    let (group, point, minus) = match locale {
        Locale::En => (',', '.', '-'),
        Locale::Ru => ('\u{a0}', ',', '−'),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let mut out = String::new();
    if negative {
        out.push(minus);
    } else if positive && format.plus {
        out.push('+');
    }
    let grouped = whole.len() > 4 || whole.len() == 4 && (format.group || locale == Locale::En);
    for (i, c) in whole.chars().enumerate() {
        if grouped && i > 0 && (whole.len() - i).is_multiple_of(3) {
            out.push(group);
        }
        out.push(c);
    }
    if !fraction.is_empty() {
        out.push(point);
        out.push_str(fraction);
    }
    out
}
