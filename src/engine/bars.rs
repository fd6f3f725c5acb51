//! Bars: a table resampled by time and series, in one pass over its batches.
//!
//! The rows are in time order, so a series has one open bar at a time and a bar's place in the
//! result is the order in which it was opened: that is the order by label, then by first row. Where
//! the clock goes back an hour, the bars of an hour and shorter ones begin anew, and longer ones go
//! on.

use super::buckets::{Buckets, Hours};
use super::errors::{decimal_overflow, from_arrow, integer_overflow};
use super::tables::{arrow_type, moments};
use super::udf::decimal;
use crate::error::{Error, Result};
use crate::query::check::Timeframe;
use crate::schema::{Column, Kind, Rule, Session, TableSchema};
use crate::value::Decimal;
use arrow::array::{
    Array, ArrayRef, AsArray, Date32Array, Decimal128Array, Float64Array, Int64Array, RecordBatch,
    StringArray, TimestampMicrosecondArray, UInt32Array,
};
use arrow::compute::{cast, take};
use arrow::datatypes::{
    DataType, Decimal128Type, Field, Float64Type, Int32Type, Int64Type, Schema, SchemaRef,
};
use std::cell::Cell;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// The columns that a table has after `from`, in its own order: time, series, bars, and what has a
/// rule. From a day on, the time column is a date.
pub(crate) fn columns(schema: &TableSchema, timeframe: Timeframe) -> Vec<(Column, Part)> {
    let mut parts = Vec::new();
    for column in &schema.columns {
        let mut column = column.clone();
        let is = |name: &Option<String>| name.as_deref() == Some(column.name.as_str());
        let part = if is(&schema.time) {
            if !timeframe.is_intraday() {
                column.kind = Kind::Date;
            }
            Part::Time
        } else if is(&schema.series) {
            Part::Series
        } else if let Some(rule) = rule(schema, &column) {
            if rule == Rule::Mean {
                column.kind = Kind::Float;
            }
            Part::Value(rule)
        } else {
            continue;
        };
        parts.push((column, part));
    }
    parts
}

/// What a column of bars is made by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The label.
    Time,
    /// The series.
    Series,
    /// The values of the bar's rows, by a rule.
    Value(Rule),
}

fn rule(schema: &TableSchema, column: &Column) -> Option<Rule> {
    if !column.kind.is_numeric() {
        return None;
    }
    if let Some((_, rule)) = schema.resample.iter().find(|(name, _)| *name == column.name) {
        return Some(*rule);
    }
    let bars = schema.ohlcv.as_ref()?;
    let name = &column.name;
    if *name == bars.open {
        Some(Rule::First)
    } else if *name == bars.high {
        Some(Rule::Max)
    } else if *name == bars.low {
        Some(Rule::Min)
    } else if *name == bars.close {
        Some(Rule::Last)
    } else if bars.volume.as_ref() == Some(name) {
        Some(Rule::Sum)
    } else {
        None
    }
}

/// Makes bars, some batches at a time.
#[derive(Debug)]
pub(crate) struct Bars {
    parts: Vec<(Column, Part)>,
    /// Where each part is in the batches.
    places: Vec<usize>,
    time: usize,
    series: Option<usize>,
    buckets: Buckets,
    hours: Option<Hours>,
    timeframe: Timeframe,
    /// The number of the next row, and the rows before which the clock goes back.
    row: u64,
    folds: VecDeque<u64>,
    /// The label and the series of each bar.
    labels: Vec<i64>,
    of_series: Vec<u32>,
    /// The bar that each series has open, with its label.
    open: Vec<Option<(i64, u32)>>,
    names: Names,
    /// The values of each part so far.
    values: Vec<Values>,
    /// Rows without a time, which belong to no bar.
    pub(crate) left_out: u64,
}

impl Bars {
    /// Nothing resampled yet. Only the rows in `session` make bars.
    pub(crate) fn new(
        schema: &TableSchema,
        arrow: &SchemaRef,
        timeframe: Timeframe,
        session: Option<&Session>,
    ) -> Result<Self> {
        let parts = columns(schema, timeframe);
        let place = |name: &str| {
            arrow.index_of(name).map_err(|_| Error::Internal("a column is missing".into()))
        };
        let places = parts.iter().map(|(c, _)| place(&c.name)).collect::<Result<Vec<_>>>()?;
        let time = schema.time.as_deref().ok_or_else(|| Error::Internal("no time".into()))?;
        let values = parts
            .iter()
            .map(|(column, part)| match part {
                Part::Value(rule) => Values::new(*rule, column.kind),
                Part::Time | Part::Series => Values::None,
            })
            .collect();
        let time = place(time)?;
        let dates = arrow.fields().get(time).is_some_and(|f| f.data_type() == &DataType::Date32);
        Ok(Self {
            places,
            time,
            buckets: Buckets::new(timeframe, &schema.market, dates),
            hours: session.cloned().map(Hours::new),
            timeframe,
            row: 0,
            folds: VecDeque::new(),
            series: schema.series.as_deref().map(place).transpose()?,
            parts,
            labels: Vec::new(),
            of_series: Vec::new(),
            open: Vec::new(),
            names: Names::default(),
            values,
            left_out: 0,
        })
    }

    /// Names the rows before which the clock goes back.
    pub(crate) fn folded(mut self, folds: &[u64]) -> Self {
        if self.timeframe <= Timeframe::Hour1 {
            self.folds = folds.iter().copied().collect();
        }
        self
    }

    /// Adds the rows of a batch.
    pub(crate) fn add(&mut self, batch: &RecordBatch) -> Result<()> {
        let bars = self.assign(batch)?;
        for ((values, &place), (column, _)) in
            self.values.iter_mut().zip(&self.places).zip(&self.parts)
        {
            if matches!(values, Values::None) {
                continue;
            }
            let wanted = match values {
                Values::Integers(..) | Values::Total(_) => DataType::Int64,
                Values::Decimals(scale, ..) => arrow_type(Kind::Decimal(*scale)),
                Values::None | Values::Floats(..) | Values::Mean(_) => DataType::Float64,
            };
            let array = batch.columns().get(place);
            let array = array.ok_or_else(|| Error::Internal(column.name.clone()))?;
            let array = cast(array, &wanted).map_err(from_arrow)?;
            values.add(&array, &bars, self.labels.len())?;
        }
        Ok(())
    }

    /// The bar of each row, opening new ones; [`NO_BAR`] for a row without a time.
    fn assign(&mut self, batch: &RecordBatch) -> Result<Vec<u32>> {
        let time = batch.columns().get(self.time);
        let time = time.and_then(moments).ok_or_else(|| Error::Internal("no time".into()))?;
        let series = match self.series.and_then(|place| batch.columns().get(place)) {
            Some(array) => Some(self.names.numbers(array)?),
            None => None,
        };
        let mut bars = Vec::with_capacity(time.len());
        for row in 0..time.len() {
            if self.folds.front().is_some_and(|&fold| fold <= self.row) {
                self.folds.pop_front();
                self.open.fill(None);
            }
            self.row += 1;
            if time.is_null(row) {
                self.left_out += 1;
                bars.push(NO_BAR);
                continue;
            }
            let moment = time.value(row);
            if self.hours.as_mut().is_some_and(|hours| !hours.hold(moment)) {
                bars.push(NO_BAR);
                continue;
            }
            let label = self.buckets.label(moment);
            let series = series.as_ref().map_or(0, |numbers| numbers.value(row));
            if self.open.len() <= series as usize {
                self.open.resize(series as usize + 1, None);
            }
            let Some(slot) = self.open.get_mut(series as usize) else { continue };
            let bar = match *slot {
                Some((of, bar)) if label <= of => bar,
                _ => {
                    let bar = self.labels.len() as u32;
                    self.labels.push(label);
                    self.of_series.push(series);
                    *slot = Some((label, bar));
                    bar
                }
            };
            bars.push(bar);
        }
        Ok(bars)
    }

    /// The bars, oldest first.
    pub(crate) fn finish(mut self) -> Result<(SchemaRef, RecordBatch)> {
        let mut fields = Vec::new();
        let mut arrays: Vec<ArrayRef> = Vec::new();
        let values = std::mem::take(&mut self.values);
        for ((column, part), values) in self.parts.iter().zip(values) {
            let array: ArrayRef = match part {
                Part::Time if self.timeframe.is_intraday() => {
                    Arc::new(TimestampMicrosecondArray::from(self.labels.clone()))
                }
                Part::Time => {
                    let dates = self.labels.iter().map(|&day| day as i32);
                    Arc::new(Date32Array::from_iter_values(dates))
                }
                Part::Series => self.names.texts(&self.of_series)?,
                Part::Value(_) => values.finish(self.labels.len())?,
            };
            fields.push(Field::new(&column.name, array.data_type().clone(), true));
            arrays.push(array);
        }
        let schema = Arc::new(Schema::new(fields));
        let batch = RecordBatch::try_new(schema.clone(), arrays).map_err(from_arrow)?;
        Ok((schema, batch))
    }
}

/// Marks a row that belongs to no bar.
const NO_BAR: u32 = u32::MAX;

/// Numbers for the values of the series column, whatever its type; null has one too.
#[derive(Debug, Default)]
struct Names {
    numbers: HashMap<Option<String>, u32>,
    /// One value of each number.
    samples: Vec<ArrayRef>,
}

impl Names {
    fn number(&mut self, name: Option<&str>, array: &ArrayRef, row: usize) -> u32 {
        let name = name.map(str::to_owned);
        if let Some(&number) = self.numbers.get(&name) {
            return number;
        }
        let number = self.samples.len() as u32;
        self.samples.push(array.slice(row, 1));
        self.numbers.insert(name, number);
        number
    }

    /// The number of each row's series.
    fn numbers(&mut self, array: &ArrayRef) -> Result<UInt32Array> {
        if let Some(dictionary) = array.as_dictionary_opt::<Int32Type>() {
            // Each value of the dictionary once, then by code; null has the number after them.
            let values = dictionary.values();
            let texts = cast(values, &DataType::Utf8).map_err(from_arrow)?;
            let texts: &StringArray = texts.as_string();
            let mut of_code: HashMap<Option<usize>, u32> = HashMap::new();
            let mut numbers = Vec::with_capacity(array.len());
            for row in 0..array.len() {
                let code = dictionary.key(row);
                let number = if let Some(&number) = of_code.get(&code) {
                    number
                } else {
                    let number = self.number(code.map(|c| texts.value(c)), array, row);
                    of_code.insert(code, number);
                    number
                };
                numbers.push(number);
            }
            return Ok(numbers.into());
        }
        let texts = cast(array, &DataType::Utf8).map_err(from_arrow)?;
        let texts: &StringArray = texts.as_string();
        let numbers = texts.iter().enumerate().map(|(row, name)| self.number(name, array, row));
        Ok(numbers.collect::<Vec<_>>().into())
    }

    /// The series of each bar.
    fn texts(&self, of_series: &[u32]) -> Result<ArrayRef> {
        let samples: Vec<&dyn Array> = self.samples.iter().map(AsRef::as_ref).collect();
        if samples.is_empty() {
            return Ok(Arc::new(StringArray::from(Vec::<Option<&str>>::new())));
        }
        let all = arrow::compute::concat(&samples).map_err(from_arrow)?;
        take(&all, &UInt32Array::from(of_series.to_vec()), None).map_err(from_arrow)
    }
}

/// The values of a column of bars while they are made. A missing value takes no part: the open is
/// the first price that is there.
#[derive(Debug)]
enum Values {
    None,
    Integers(Rule, Vec<i64>, Vec<bool>),
    Floats(Rule, Vec<f64>, Vec<bool>),
    /// Decimals without their points, and the digits behind those.
    Decimals(u8, Rule, Vec<i128>, Vec<bool>),
    /// Sums of integers.
    Total(Vec<Option<i128>>),
    /// Sums and counts.
    Mean(Vec<(f64, u64)>),
}

impl Values {
    fn new(rule: Rule, kind: Kind) -> Self {
        match (rule, kind) {
            (Rule::Mean, _) => Self::Mean(Vec::new()),
            (Rule::Sum, Kind::Int) => Self::Total(Vec::new()),
            (rule, Kind::Int) => Self::Integers(rule, Vec::new(), Vec::new()),
            (rule, Kind::Decimal(scale)) => Self::Decimals(scale, rule, Vec::new(), Vec::new()),
            (rule, _) => Self::Floats(rule, Vec::new(), Vec::new()),
        }
    }

    /// Adds an array's values to their bars, of which there are `total` now.
    fn add(&mut self, array: &ArrayRef, bars: &[u32], total: usize) -> Result<()> {
        match self {
            Self::None => {}
            Self::Integers(rule, values, seen) => {
                let array = array.as_primitive::<Int64Type>();
                let rows = rows(array.len(), bars, |row| array.is_valid(row));
                let rows = rows.map(|(row, bar)| (bar, array.value(row)));
                match rule {
                    Rule::First => each(rows, values, seen, total, |a, _| a),
                    Rule::Min => each(rows, values, seen, total, i64::min),
                    Rule::Max => each(rows, values, seen, total, i64::max),
                    _ => each(rows, values, seen, total, |_, b| b),
                }
            }
            Self::Floats(rule, values, seen) => {
                let array = array.as_primitive::<Float64Type>();
                let rows = rows(array.len(), bars, |row| array.is_valid(row));
                let rows = rows.map(|(row, bar)| (bar, array.value(row)));
                match rule {
                    Rule::First => each(rows, values, seen, total, |a, _| a),
                    Rule::Min => each(rows, values, seen, total, f64::min),
                    Rule::Max => each(rows, values, seen, total, f64::max),
                    Rule::Sum => each(rows, values, seen, total, |a, b| a + b),
                    _ => each(rows, values, seen, total, |_, b| b),
                }
            }
            Self::Decimals(_, rule, values, seen) => {
                let array = array.as_primitive::<Decimal128Type>();
                let rows = rows(array.len(), bars, |row| array.is_valid(row));
                let rows = rows.map(|(row, bar)| (bar, array.value(row)));
                let over = Cell::new(false);
                match rule {
                    Rule::First => each(rows, values, seen, total, |a, _| a),
                    Rule::Min => each(rows, values, seen, total, i128::min),
                    Rule::Max => each(rows, values, seen, total, i128::max),
                    Rule::Sum => each(rows, values, seen, total, |a, b| {
                        let (sum, left) = a.overflowing_add(b);
                        over.set(over.get() || left);
                        sum
                    }),
                    _ => each(rows, values, seen, total, |_, b| b),
                }
                if over.get() {
                    return Err(decimal_overflow());
                }
            }
            Self::Total(sums) => {
                sums.resize(total, None);
                let array = array.as_primitive::<Int64Type>();
                for (row, bar) in rows(array.len(), bars, |row| array.is_valid(row)) {
                    if let Some(sum) = sums.get_mut(bar) {
                        *sum = Some(sum.unwrap_or(0) + i128::from(array.value(row)));
                    }
                }
            }
            Self::Mean(sums) => {
                sums.resize(total, (0.0, 0));
                let array = array.as_primitive::<Float64Type>();
                for (row, bar) in rows(array.len(), bars, |row| array.is_valid(row)) {
                    if let Some((sum, count)) = sums.get_mut(bar) {
                        *sum += array.value(row);
                        *count += 1;
                    }
                }
            }
        }
        Ok(())
    }

    fn finish(self, total: usize) -> Result<ArrayRef> {
        Ok(match self {
            Self::None => return Err(Error::Internal("a column of bars without values".into())),
            Self::Integers(_, mut values, mut seen) => {
                values.resize(total, 0);
                seen.resize(total, false);
                Arc::new(Int64Array::new(values.into(), Some(seen.into())))
            }
            Self::Floats(_, mut values, mut seen) => {
                values.resize(total, 0.0);
                seen.resize(total, false);
                let array = Float64Array::new(values.into(), Some(seen.into()));
                Arc::new(super::tables::finite(&array).unwrap_or(array))
            }
            Self::Decimals(scale, _, mut values, mut seen) => {
                values.resize(total, 0);
                seen.resize(total, false);
                if values.iter().any(|sum| Decimal::new(*sum, scale).is_none()) {
                    return Err(decimal_overflow());
                }
                decimal::array(Decimal128Array::new(values.into(), Some(seen.into())), scale)
            }
            Self::Total(sums) => {
                let sums = sums.into_iter().map(|sum| {
                    sum.map(|sum| i64::try_from(sum).map_err(|_| integer_overflow())).transpose()
                });
                Arc::new(sums.collect::<Result<Int64Array>>()?)
            }
            Self::Mean(sums) => {
                let means = sums.into_iter().map(|(sum, n)| (n > 0).then(|| sum / n as f64));
                let array: Float64Array = means.collect();
                Arc::new(super::tables::finite(&array).unwrap_or(array))
            }
        })
    }
}

/// The rows that have a value and a bar, with the bar.
fn rows(
    length: usize,
    bars: &[u32],
    there: impl Fn(usize) -> bool,
) -> impl Iterator<Item = (usize, usize)> {
    let rows = (0..length).zip(bars).filter(move |&(row, &bar)| bar != NO_BAR && there(row));
    rows.map(|(row, &bar)| (row, bar as usize))
}

/// Folds values into their bars.
fn each<T: Copy + Default>(
    rows: impl Iterator<Item = (usize, T)>,
    values: &mut Vec<T>,
    seen: &mut Vec<bool>,
    total: usize,
    op: impl Fn(T, T) -> T,
) {
    values.resize(total, T::default());
    seen.resize(total, false);
    for (bar, value) in rows {
        if let (Some(slot), Some(seen)) = (values.get_mut(bar), seen.get_mut(bar)) {
            *slot = if *seen { op(*slot, value) } else { value };
            *seen = true;
        }
    }
}

#[cfg(test)]
mod tests;
