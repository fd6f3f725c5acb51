//! Brings some rows of an Arrow column to the engine's types.

use super::lists;
use super::plan::Plan;
use crate::engine::ingest::internal;
use crate::engine::udf::decimal::type_of;
use crate::error::{Code, Diagnostic, Error, Result};
use arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, AsArray, Float64Array, PrimitiveArray, StringViewArray,
};
use arrow::compute::{cast, nullif};
use arrow::datatypes::{
    self as t, DataType, Date32Type, Date64Type, Int64Type, TimeUnit, TimestampMicrosecondType,
};
use std::sync::Arc;

/// Microseconds from 1970 within which moments lie: the distance of any two of them fits 64 bits.
pub(super) const MICROS_LIMIT: u64 = 4_000_000_000_000_000_000;
const DAY_MILLIS: i64 = 86_400_000;
/// The longest text of one row.
const LONGEST_TEXT: usize = 256 << 20;

/// What was seen among the values of a column.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Seen {
    /// Moments finer than a microsecond.
    pub cut: bool,
    /// Dates, moments or times of day that nobody can show.
    pub outside: bool,
    /// Whole numbers beyond 64 bits.
    pub big: bool,
    /// Numbers with more digits than a decimal may have.
    pub long: bool,
}

/// The values of `array` as the plan wants them: of text as many rows as fit in `room` bytes, but
/// at least one.
pub(super) fn prepare(
    array: &ArrayRef,
    plan: Plan,
    room: usize,
    seen: &mut Seen,
) -> Result<ArrayRef> {
    if let Plan::Lists(_) = plan {
        let texts = lists::write_rows(array, room, LONGEST_TEXT);
        return Ok(Arc::new(texts.ok_or_else(too_long)?));
    }
    let array = &plain(array)?;
    Ok(match plan {
        Plan::Empty | Plan::Bool | Plan::Lists(_) => array.clone(),
        Plan::Narrow => to(array, &DataType::Int32)?,
        Plan::Whole => to(array, &DataType::Int64)?,
        Plan::Float => to(array, &DataType::Float64)?,
        Plan::Decimal(scale) => decimals(array, scale, seen)?,
        Plan::LongDecimal => {
            seen.long = true;
            to(array, &DataType::Float64)?
        }
        Plan::Wide => {
            let whole = to(array, &DataType::Int64)?;
            if whole.null_count() == array.null_count() {
                return Ok(whole);
            }
            seen.big = true;
            decimals(array, 0, seen)?
        }
        Plan::Text => {
            let texts = to(array, &DataType::Utf8View)?;
            let texts = texts.as_string_view_opt().ok_or_else(|| internal("texts"))?;
            Arc::new(fitting(texts, room)?)
        }
        Plan::Interval => {
            let texts = to(&to(array, &DataType::Utf8)?, &DataType::Utf8View)?;
            let texts = texts.as_string_view_opt().ok_or_else(|| internal("texts"))?;
            Arc::new(fitting(texts, room)?)
        }
        Plan::Date => dates(array, seen)?,
        Plan::Moment { .. } => moments(array, seen)?,
        Plan::TimeOfDay => times_of_day(array, seen)?,
        Plan::Duration => {
            let DataType::Duration(unit) = array.data_type() else {
                return Err(internal("durations"));
            };
            let scale = per_second(*unit) as f64;
            let counts = to(array, &DataType::Int64)?;
            let seconds: Float64Array =
                counts.as_primitive::<Int64Type>().unary(|count| count as f64 / scale);
            Arc::new(seconds)
        }
    })
}

/// Values without keys or runs.
pub(super) fn plain(array: &ArrayRef) -> Result<ArrayRef> {
    match array.data_type() {
        DataType::Dictionary(_, values) => plain(&to(array, values)?),
        DataType::RunEndEncoded(_, values) => plain(&to(array, values.data_type())?),
        _ => Ok(array.clone()),
    }
}

/// One member of a struct; missing where the struct is.
pub(super) fn member(array: &ArrayRef, place: usize) -> Result<ArrayRef> {
    let array = array.as_struct_opt().ok_or_else(|| internal("a struct"))?;
    let member = array.columns().get(place).ok_or_else(|| internal("a struct's member"))?;
    match array.nulls().filter(|nulls| nulls.null_count() > 0) {
        None => Ok(member.clone()),
        Some(nulls) => {
            let missing = arrow::array::BooleanArray::new(!nulls.inner(), None);
            let member = if matches!(member.data_type(), DataType::RunEndEncoded(_, _)) {
                plain(member)?
            } else {
                member.clone()
            };
            if member.data_type() == &DataType::Null {
                return Ok(member);
            }
            nullif(&member, &missing).map_err(|_| internal("a struct's missing rows"))
        }
    }
}

fn to(array: &ArrayRef, arrow: &DataType) -> Result<ArrayRef> {
    if array.data_type() == arrow {
        return Ok(array.clone());
    }
    cast(array, arrow).map_err(|_| internal("the type of an Arrow column"))
}

/// Numbers as decimals, or as doubles where some have too many digits.
fn decimals(array: &ArrayRef, scale: u8, seen: &mut Seen) -> Result<ArrayRef> {
    // what does not fit becomes none
    let exact = to(array, &type_of(scale))?;
    if exact.null_count() == array.null_count() {
        return Ok(exact);
    }
    seen.long = true;
    to(array, &DataType::Float64)
}

/// The first rows whose texts fit in `room`, but at least one.
fn fitting(texts: &StringViewArray, room: usize) -> Result<StringViewArray> {
    let mut bytes = 0;
    for row in 0..texts.len() {
        let length = if texts.is_null(row) { 0 } else { texts.value(row).len() };
        if length > LONGEST_TEXT {
            return Err(too_long());
        }
        bytes += length;
        if row > 0 && bytes > room {
            return Ok(texts.slice(0, row));
        }
    }
    Ok(texts.clone())
}

fn dates(array: &ArrayRef, seen: &mut Seen) -> Result<ArrayRef> {
    const LIMIT: u64 = MICROS_LIMIT / (DAY_MILLIS as u64 * 1000);
    let day = |day: i64| i32::try_from(day).ok().filter(|d| u64::from(d.unsigned_abs()) <= LIMIT);
    let dates: PrimitiveArray<Date32Type> = match array.data_type() {
        DataType::Date32 => {
            array.as_primitive::<Date32Type>().unary_opt(|value| day(i64::from(value)))
        }
        DataType::Date64 => {
            array.as_primitive::<Date64Type>().unary_opt(|value| day(value.div_euclid(DAY_MILLIS)))
        }
        _ => return Err(internal("dates")),
    };
    seen.outside |= dates.null_count() != array.null_count();
    Ok(Arc::new(dates))
}

/// Microseconds of a count of units, cut.
pub(super) fn micros(value: i64, unit: TimeUnit) -> Option<i64> {
    match unit {
        TimeUnit::Second => value.checked_mul(1_000_000),
        TimeUnit::Millisecond => value.checked_mul(1000),
        TimeUnit::Microsecond => Some(value),
        TimeUnit::Nanosecond => Some(value.div_euclid(1000)),
    }
}

fn per_second(unit: TimeUnit) -> i64 {
    match unit {
        TimeUnit::Second => 1,
        TimeUnit::Millisecond => 1000,
        TimeUnit::Microsecond => 1_000_000,
        TimeUnit::Nanosecond => 1_000_000_000,
    }
}

fn moments(array: &ArrayRef, seen: &mut Seen) -> Result<ArrayRef> {
    fn read<T: ArrowPrimitiveType<Native = i64>>(
        array: &ArrayRef,
        unit: TimeUnit,
        seen: &mut Seen,
    ) -> PrimitiveArray<TimestampMicrosecondType> {
        let array = array.as_primitive::<T>();
        let finer = |value: i64| value.rem_euclid(1000) != 0;
        if unit == TimeUnit::Nanosecond && array.iter().flatten().any(finer) {
            seen.cut = true;
        }
        array.unary_opt(|value| micros(value, unit).filter(|m| m.unsigned_abs() <= MICROS_LIMIT))
    }
    let DataType::Timestamp(unit, _) = array.data_type() else { return Err(internal("moments")) };
    let moments = match unit {
        TimeUnit::Second => read::<t::TimestampSecondType>(array, *unit, seen),
        TimeUnit::Millisecond => read::<t::TimestampMillisecondType>(array, *unit, seen),
        TimeUnit::Microsecond => read::<t::TimestampMicrosecondType>(array, *unit, seen),
        TimeUnit::Nanosecond => read::<t::TimestampNanosecondType>(array, *unit, seen),
    };
    seen.outside |= moments.null_count() != array.null_count();
    Ok(Arc::new(moments))
}

/// `09:30:00`, with as many digits of the fraction as there are.
fn times_of_day(array: &ArrayRef, seen: &mut Seen) -> Result<ArrayRef> {
    let (DataType::Time32(unit) | DataType::Time64(unit)) = array.data_type() else {
        return Err(internal("times of day"));
    };
    let scale = per_second(*unit);
    let digits = scale.ilog10() as usize;
    let integer = if matches!(array.data_type(), DataType::Time32(_)) {
        to(&to(array, &DataType::Int32)?, &DataType::Int64)?
    } else {
        to(array, &DataType::Int64)?
    };
    let write = |value: i64| {
        let second = Some(value / scale).filter(|s| (0..86_400).contains(s) && value >= 0)?;
        let mut text = format!("{:02}:{:02}:{:02}", second / 3600, second / 60 % 60, second % 60);
        let fraction = value % scale;
        if fraction > 0 {
            let fraction = format!(".{fraction:0digits$}");
            text.push_str(fraction.trim_end_matches('0'));
        }
        Some(text)
    };
    let values = integer.as_primitive::<Int64Type>();
    let texts: StringViewArray = values.iter().map(|value| value.and_then(write)).collect();
    seen.outside |= texts.null_count() != array.null_count();
    Ok(Arc::new(texts))
}

fn too_long() -> Error {
    Diagnostic::new(
        Code::NotATable,
        text!("a value of the file is too long", "одно из значений файла слишком длинное"),
    )
    .into()
}
