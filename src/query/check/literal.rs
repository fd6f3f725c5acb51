//! Dates and moments written as text.

use crate::schema::Kind;
use crate::value::Value;
use chrono::{NaiveDate, NaiveDateTime, NaiveTime};

/// Why a text is no date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BadDate {
    /// Not of the form.
    Form,
    /// No such day or time of day (30 February).
    Impossible,
    /// A date column has no time of day.
    HasTime,
    /// An offset: times are in the table's own clock.
    HasZone,
}

/// A text as a value of `kind` (date or timestamp). The second value: the text had no time of day
/// where a timestamp was wanted, so it means midnight.
pub(super) fn moment(text: &str, kind: Kind) -> Result<(Value, bool), BadDate> {
    let (day, clock) = match text.split_once(['T', ' ']) {
        Some((day, clock)) => (day, Some(clock)),
        None => (text, None),
    };
    let day = date(day)?;
    let time = clock.map(time).transpose()?;
    match (kind, time) {
        (Kind::Date, Some(_)) => Err(BadDate::HasTime),
        (Kind::Date, None) => Ok((Value::from_date(day), false)),
        (_, time) => {
            let moment = NaiveDateTime::new(day, time.unwrap_or_default());
            Ok((Value::from_datetime(moment), time.is_none()))
        }
    }
}

/// Exactly `digits` decimal digits.
fn number(text: &str, digits: usize) -> Result<u32, BadDate> {
    if text.len() == digits && text.bytes().all(|b| b.is_ascii_digit()) {
        text.parse().map_err(|_| BadDate::Form)
    } else {
        Err(BadDate::Form)
    }
}

/// `YYYY-MM-DD`
fn date(text: &str) -> Result<NaiveDate, BadDate> {
    let mut parts = text.split('-');
    let mut part = |digits| number(parts.next().ok_or(BadDate::Form)?, digits);
    let (year, month, day) = (part(4)?, part(2)?, part(2)?);
    if parts.next().is_some() {
        return Err(BadDate::Form);
    }
    NaiveDate::from_ymd_opt(year.cast_signed(), month, day).ok_or(BadDate::Impossible)
}

/// `HH:MM`, `HH:MM:SS`, with up to six decimals of a second
fn time(text: &str) -> Result<NaiveTime, BadDate> {
    if text.ends_with(['Z', 'z']) || text.contains(['+', '-']) {
        return Err(BadDate::HasZone);
    }
    let (clock, fraction) = match text.split_once('.') {
        Some((clock, fraction)) => (clock, Some(fraction)),
        None => (text, None),
    };
    let mut parts = clock.split(':');
    let mut part = || parts.next().map(|p| number(p, 2)).transpose();
    let (hour, minute, second) = (part()?, part()?, part()?);
    let (Some(hour), Some(minute)) = (hour, minute) else { return Err(BadDate::Form) };
    if parts.next().is_some() || (fraction.is_some() && second.is_none()) {
        return Err(BadDate::Form);
    }
    let micros = match fraction {
        None => 0,
        Some(f) if (1..=6).contains(&f.len()) => number(&format!("{f:0<6}"), 6)?,
        Some(_) => return Err(BadDate::Form),
    };
    NaiveTime::from_hms_micro_opt(hour, minute, second.unwrap_or(0), micros)
        .ok_or(BadDate::Impossible)
}
