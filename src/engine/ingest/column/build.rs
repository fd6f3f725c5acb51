//! Arrow arrays of a column whose kind is decided. Segments are used up one by one, numbers and
//! moments in their own memory.

use super::super::options::{DateOrder, Decimal};
use super::facts::{plain_scale, truth};
use super::interner::{Interner, MOST};
use super::moment::{self, DAY};
use super::number::{self, Size, to_f64};
use super::resolve::{Epoch, Plan};
use super::segment::{Data, Scales, Segment};
use super::{Column, Finished};
use crate::engine::ingest::internal;
use crate::engine::ingest::report::Note;
use crate::engine::udf::decimal as exact;
use crate::error::Result;
use crate::schema::{Kind, LOW_CARDINALITY};
use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, DictionaryArray, NullBufferBuilder, PrimitiveArray,
    StringArray,
};
use arrow::buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow::datatypes::{
    ArrowPrimitiveType, Date32Type, Decimal128Type, Float64Type, Int32Type, Int64Type,
    TimestampMicrosecondType,
};
use std::sync::Arc;

/// Builds the arrays of `column` as planned.
pub(super) fn build(mut column: Column, plan: &Plan, notes: Vec<Note>) -> Result<Finished> {
    let segments = std::mem::take(&mut column.segments);
    let interner = std::mem::take(&mut column.interner);
    let mut done =
        Finished { arrays: Vec::with_capacity(segments.len()), notes, ..Finished::new(Kind::Text) };
    if let Plan::Int { decimal, .. } | Plan::Float { decimal, .. } | Plan::Decimal { decimal, .. } =
        *plan
    {
        done.comma = decimal == Decimal::Comma;
    }
    if let Plan::Time { order: order @ (DateOrder::Dmy | DateOrder::Mdy), .. } = *plan {
        done.order = Some(order);
    }
    match *plan {
        Plan::Int { decimal, narrow: true, unit } => {
            (done.kind, done.unit) = (Kind::Int, unit);
            let read = |text: &str| whole(text, decimal).and_then(|i| i32::try_from(i).ok());
            let from = |m: i64, _| m as i32;
            done.arrays = primitives::<Int32Type>(segments, &interner, from, |_| 0, read)?;
        }
        Plan::Int { decimal, narrow: false, unit } => {
            (done.kind, done.unit) = (Kind::Int, unit);
            let read = |text: &str| whole(text, decimal);
            done.arrays = primitives::<Int64Type>(segments, &interner, |m, _| m, |_| 0, read)?;
        }
        Plan::Float { decimal, unit } => {
            (done.kind, done.unit) = (Kind::Float, unit);
            // adding zero makes a negative zero an ordinary one
            let read = |text: &str| Some(number::read(text, decimal)?.value.as_f64() + 0.0);
            let from = |m, scale| to_f64(m, plain_scale(scale, decimal));
            done.arrays = primitives::<Float64Type>(segments, &interner, from, |_| 0.0, read)?;
        }
        Plan::Decimal { decimal, scale, unit } => {
            (done.kind, done.unit) = (Kind::Decimal(scale), unit);
            // the column was looked through: all of them fit
            let read = |text: &str| Some(number::exact(text, decimal)?.rescale(scale)?.unscaled());
            let from =
                |m, own| number::at_scale(m, plain_scale(own, decimal), scale).unwrap_or_default();
            let arrays = primitives::<Decimal128Type>(segments, &interner, from, |_| 0, read)?;
            let typed = arrays
                .iter()
                .map(|array| exact::array(array.as_primitive::<Decimal128Type>().clone(), scale));
            done.arrays = typed.collect();
        }
        Plan::Time { order, dates, epoch, utc } => {
            done.utc = utc && !dates;
            done.kind = if dates { Kind::Date } else { Kind::Timestamp };
            let number = |m: i64| epoch.and_then(|e: Epoch| e.micros(m)).unwrap_or_default();
            let read = |text: &str| match epoch {
                Some(epoch) => epoch.micros(whole(text, Decimal::Point)?),
                None => moment::read(text, order).map(|m| m.micros),
            };
            let days = |micros: i64| micros.div_euclid(DAY) as i32;
            done.arrays = if dates {
                let read = |text: &str| read(text).map(days);
                let from = |m, _| days(number(m));
                primitives::<Date32Type>(segments, &interner, from, days, read)?
            } else {
                let from = |m, _| number(m);
                primitives::<TimestampMicrosecondType>(segments, &interner, from, |t| t, read)?
            };
        }
        Plan::Bool => {
            done.kind = Kind::Bool;
            let read = |text: &str| match text.trim() {
                "1" => Some(true),
                "0" => Some(false),
                other => truth(other).map(|(_, value)| value),
            };
            let distinct = distinct(&interner, read);
            for segment in segments {
                let (values, nulls) = values(segment, &distinct, |m, _| m != 0, |_| false, read)?;
                done.arrays.push(Arc::new(BooleanArray::new(values.into(), nulls)));
            }
        }
        Plan::Text => text(segments, interner, column.closed, column.rows, &mut done)?,
    }
    done.nulls = done.arrays.iter().map(|a| a.null_count() as u64).sum();
    if done.memory == 0 {
        done.memory = done.arrays.iter().map(|a| a.get_array_memory_size() as u64).sum();
    }
    Ok(done)
}

fn whole(text: &str, decimal: Decimal) -> Option<i64> {
    match number::read(text, decimal)?.value {
        Size::Int(i) => Some(i),
        Size::Big(_) | Size::Float(_) => None,
    }
}

/// What the distinct texts of a column mean.
fn distinct<T>(interner: &Interner, read: impl Fn(&str) -> Option<T>) -> Vec<Option<T>> {
    interner.iter().map(|text| std::str::from_utf8(text).ok().and_then(&read)).collect()
}

fn primitives<A: ArrowPrimitiveType>(
    segments: Vec<Segment>,
    interner: &Interner,
    from_number: impl Fn(i64, u8) -> A::Native,
    from_time: impl Fn(i64) -> A::Native,
    from_text: impl Fn(&str) -> Option<A::Native>,
) -> Result<Vec<ArrayRef>> {
    let distinct = distinct(interner, &from_text);
    segments
        .into_iter()
        .map(|segment| {
            let (values, nulls) = values(segment, &distinct, &from_number, &from_time, &from_text)?;
            let array = PrimitiveArray::<A>::try_new(values.into(), nulls);
            Ok(Arc::new(array.map_err(|_| internal("numbers of a column"))?) as ArrayRef)
        })
        .collect()
}

/// The values of a segment; texts that mean nothing are missing.
fn values<T: Copy + Default>(
    segment: Segment,
    distinct: &[Option<T>],
    from_number: impl Fn(i64, u8) -> T,
    from_time: impl Fn(i64) -> T,
    from_text: impl Fn(&str) -> Option<T>,
) -> Result<(Vec<T>, Option<NullBuffer>)> {
    let rows = segment.rows;
    if let Data::Text { .. } = &segment.data {
        let read = |row: usize| {
            let text = segment.has(row).then(|| segment.text_at(row))?;
            from_text(std::str::from_utf8(text).ok()?)
        };
        return Ok(options((0..rows).map(read), rows));
    }
    let mut values: Vec<T> = match segment.data {
        Data::Nothing | Data::Text { .. } => vec![T::default(); rows],
        Data::Numbers { mantissas, scales: Scales::All(scale) } => {
            collect(mantissas.into_iter().map(|m| from_number(m, scale)))
        }
        Data::Numbers { mantissas, scales: Scales::Each(scales) } => {
            collect(mantissas.into_iter().zip(scales).map(|(m, scale)| from_number(m, scale)))
        }
        Data::Times { micros, .. } => collect(micros.into_iter().map(from_time)),
        Data::Keys(keys) => {
            let nulls = segment.nulls.as_ref();
            let read = |(row, key): (usize, &i32)| {
                let has = nulls.is_none_or(|nulls| nulls.is_valid(row));
                has.then(|| distinct.get(*key as usize).copied().flatten()).flatten()
            };
            return Ok(options(keys.iter().enumerate().map(read), rows));
        }
    };
    if segment.odd.is_empty() {
        return Ok((values, segment.nulls));
    }
    let mut valid: Vec<bool> = match &segment.nulls {
        Some(nulls) => nulls.iter().collect(),
        None => vec![true; rows],
    };
    for odd in &segment.odd {
        let row = odd.row as usize;
        let (Some(value), Some(valid)) = (values.get_mut(row), valid.get_mut(row)) else {
            return Err(internal("a row outside its block"));
        };
        let read = from_text(&odd.text);
        *value = read.unwrap_or_default();
        *valid = read.is_some();
    }
    let nulls = NullBuffer::from(valid);
    Ok((values, Some(nulls).filter(|nulls| nulls.null_count() > 0)))
}

/// Collects in the memory of the source where the sizes are the same, and gives back what is too
/// much where they are not.
fn collect<T>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.collect();
    values.shrink_to_fit();
    values
}

fn options<T: Default>(
    read: impl Iterator<Item = Option<T>>,
    rows: usize,
) -> (Vec<T>, Option<NullBuffer>) {
    let mut nulls = NullBufferBuilder::new(rows);
    let values = read
        .map(|value| {
            nulls.append(value.is_some());
            value.unwrap_or_default()
        })
        .collect();
    (values, nulls.finish())
}

/// Text: a dictionary where few values come often, else as written.
fn text(
    mut segments: Vec<Segment>,
    mut interner: Interner,
    closed: bool,
    rows: usize,
    done: &mut Finished,
) -> Result<()> {
    if !closed && intern_all(&mut segments, &mut interner) {
        let few = interner.len() <= LOW_CARDINALITY;
        done.distinct = Some(interner.len() as u64);
        if few && interner.len() > 0 {
            let values = interner.iter().filter_map(|t| std::str::from_utf8(t).ok());
            let mut values: Vec<String> = values.map(str::to_owned).collect();
            values.sort_unstable();
            done.values = Some(values);
        }
        if interner.len() > 0 && interner.len() <= MOST && interner.len() * 2 < rows {
            return dictionary(segments, &interner, done);
        }
    }
    for segment in segments {
        done.arrays.push(strings(segment, &interner)?);
    }
    Ok(())
}

/// Brings all segments to numbers of distinct texts; false when there are too many of them, and
/// then the segments are as good as before.
fn intern_all(segments: &mut [Segment], interner: &mut Interner) -> bool {
    for segment in segments {
        if matches!(segment.data, Data::Keys(_) | Data::Nothing) {
            continue;
        }
        let mut keys = Vec::with_capacity(segment.rows);
        // the interner is read by `written` only for keys, which this segment has not
        let none = Interner::default();
        let all = segment.written(&none, |text| {
            keys.push(match text {
                Some(text) => interner.intern(text.as_bytes())?,
                None => 0,
            });
            Some(())
        });
        if all.is_none() {
            return false;
        }
        segment.data = Data::Keys(keys);
        segment.odd = Vec::new();
    }
    true
}

fn dictionary(segments: Vec<Segment>, interner: &Interner, done: &mut Finished) -> Result<()> {
    let texts = interner.iter().map(|text| std::str::from_utf8(text).unwrap_or_default());
    let values: ArrayRef = Arc::new(StringArray::from_iter_values(texts));
    done.memory = values.get_array_memory_size() as u64;
    for segment in segments {
        let keys = match segment.data {
            Data::Keys(keys) => keys,
            _ => vec![0; segment.rows],
        };
        done.memory += keys.len() as u64 * 4;
        let array = PrimitiveArray::<Int32Type>::try_new(keys.into(), segment.nulls)
            .and_then(|keys| DictionaryArray::try_new(keys, values.clone()))
            .map_err(|_| internal("keys of a dictionary"))?;
        done.arrays.push(Arc::new(array));
    }
    Ok(())
}

fn strings(segment: Segment, interner: &Interner) -> Result<ArrayRef> {
    let rows = segment.rows;
    let array = if let Data::Text { offsets, bytes } = segment.data {
        let offsets = OffsetBuffer::new(offsets.into());
        StringArray::try_new(offsets, Buffer::from_vec(bytes), segment.nulls)
            .map_err(|_| internal("texts of a column"))?
    } else {
        let mut offsets = Vec::with_capacity(rows + 1);
        let mut bytes = Vec::new();
        offsets.push(0);
        let all = segment.written(interner, |text| {
            bytes.extend_from_slice(text.unwrap_or_default().as_bytes());
            offsets.push(i32::try_from(bytes.len()).ok()?);
            Some(())
        });
        all.ok_or_else(|| internal("a block of more than 2 GiB"))?;
        StringArray::try_new(
            OffsetBuffer::new(offsets.into()),
            Buffer::from_vec(bytes),
            segment.nulls,
        )
        .map_err(|_| internal("texts of a column"))?
    };
    Ok(Arc::new(array))
}
