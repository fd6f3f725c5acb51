//! Loaded tables: Arrow batches and their schema, brought into the one form that the rest of the
//! engine relies on (no NaN, no infinity, no negative zero; rows in time order).

use super::arrays::array_of;
use super::errors::{from_arrow, from_datafusion};
use super::held::Held;
use super::ingest::Room;
use super::interval::{interval, interval_within};
use super::lists;
use super::local::LocalClock;
use super::scan::TableData;
use super::sharing::Sharing;
use super::udf::decimal;
use crate::error::{Code, Diagnostic, Result};
use crate::facts::Grown;
use crate::schema::{Column, Kind, TableSchema};
use crate::value::{Rows, Value};
use arrow::array::{
    Array, ArrayRef, AsArray, Date32Array, Float64Array, RecordBatch, StringArray,
    TimestampMicrosecondArray,
};
use arrow::compute::{CastOptions, cast, cast_with_options};
use arrow::datatypes::{
    DataType, Date32Type, Field, Float64Type, Schema, SchemaRef, TimeUnit, TimestampMicrosecondType,
};
use std::collections::HashSet;
use std::sync::Arc;

/// Rows of a batch that the engine makes itself.
pub(crate) const BATCH_ROWS: usize = 65_536;

/// Members of a list that are looked at for what its column holds.
const MOST_MEMBERS: usize = 64;

/// Microseconds in a day.
pub(crate) const DAY_MICROS: i64 = 86_400_000_000;

/// A table as a reader leaves it: its schema and its rows. `Engine::insert` takes it.
#[derive(Debug, Clone)]
pub struct LoadedTable {
    pub(crate) schema: TableSchema,
    pub(crate) arrow: SchemaRef,
    pub(crate) batches: Vec<RecordBatch>,
    /// Whether a column holds moments in UTC, where it is not yet what the table's clock shows.
    utc: Vec<bool>,
    /// The rows from which on the clock is back where it was before.
    pub(crate) folds: Vec<u64>,
    /// It is in the engine's form already: it came from there.
    settled: bool,
    /// How many of its batches have been looked at for numbers that are none.
    finite: usize,
    /// The dictionaries of its first columns, which all batches have.
    shared: Vec<Option<Arc<StringArray>>>,
    /// The work on the column after these.
    sharing: Option<Sharing>,
    /// Where the rows of the table are that others were appended to.
    grown: Option<Grown>,
    /// What it and the work on it may take, until an engine has taken it in.
    room: Room,
}

impl LoadedTable {
    /// A table from batches of `arrow`'s types, in the order of `schema.columns`: Utf8 or
    /// Dictionary(Int32, Utf8), Int32, Int64, Float64, Decimal128(38, 0 to 38), Boolean, Date32,
    /// Timestamp(µs, no zone), and List of Utf8, Int64, Float64 or Boolean.
    pub(crate) fn new(schema: TableSchema, arrow: SchemaRef, batches: Vec<RecordBatch>) -> Self {
        let (utc, folds) = (Vec::new(), Vec::new());
        Self {
            schema,
            arrow,
            batches,
            utc,
            folds,
            settled: false,
            finite: 0,
            shared: Vec::new(),
            sharing: None,
            grown: None,
            room: Room::default(),
        }
    }

    /// A table as an engine had it.
    pub(crate) fn settled(
        mut schema: TableSchema,
        arrow: SchemaRef,
        batches: Vec<RecordBatch>,
        folds: Vec<u64>,
    ) -> Self {
        let mut table = Self { folds, settled: true, ..Self::new(schema.clone(), arrow, batches) };
        schema.rows = table.rows() as u64;
        schema.grown_from = None;
        if let Some(time) = table.time() {
            span(&mut schema, time, &table.moments(time));
        }
        table.schema = schema;
        table
    }

    /// The same in the room that its load had, which it goes on to hold.
    #[must_use]
    pub(crate) fn within(mut self, room: Room) -> Self {
        self.room = room;
        self
    }

    /// What it holds of an engine's memory.
    pub(crate) fn room(&self) -> &Room {
        &self.room
    }

    /// Names the columns whose moments are in UTC. Where the table has a time zone, they are brought
    /// to its clock; all others are taken as what it shows.
    #[must_use]
    pub fn in_utc(mut self, columns: Vec<bool>) -> Self {
        self.utc = columns;
        self
    }

    /// A table from plain values; a value of another kind than its column's becomes null. Text that
    /// repeats itself becomes a dictionary.
    pub fn from_rows(schema: TableSchema, rows: &dyn Rows) -> Result<Self> {
        let types: Vec<DataType> = schema
            .columns
            .iter()
            .enumerate()
            .map(|(i, c)| match c.kind {
                Kind::Text if repeats(rows, i) => {
                    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
                }
                kind => arrow_type(kind),
            })
            .collect();
        let fields = schema.columns.iter().zip(&types);
        let fields: Vec<Field> =
            fields.map(|(c, ty)| Field::new(&c.name, ty.clone(), true)).collect();
        let arrow = Arc::new(Schema::new(fields));
        let mut batches = Vec::new();
        let mut start = 0;
        while start < rows.len() {
            let end = rows.len().min(start + BATCH_ROWS);
            let columns = schema.columns.iter().zip(&types).enumerate().map(|(i, (c, ty))| {
                let array = array_of(c.kind, (start..end).map(|row| rows.value(row, i)))?;
                cast(&array, ty).map_err(from_arrow)
            });
            let columns = columns.collect::<Result<Vec<_>>>()?;
            batches.push(RecordBatch::try_new(arrow.clone(), columns).map_err(from_arrow)?);
            start = end;
        }
        Ok(Self::new(schema, arrow, batches))
    }

    /// The same table with whole numbers in 32 bits where all of a column fit, as in one from a file.
    pub fn narrow(mut self) -> Result<Self> {
        let strict = CastOptions { safe: false, ..CastOptions::default() };
        let small = |place: usize| {
            let all = self.batches.iter().filter_map(|batch| batch.columns().get(place));
            let all = all.map(|array| cast_with_options(array, &DataType::Int32, &strict));
            all.collect::<std::result::Result<Vec<_>, _>>().ok()
        };
        let fields = self.arrow.fields().iter().enumerate();
        let fields: Vec<Field> = fields
            .map(|(place, field)| match field.data_type() {
                DataType::Int64 if small(place).is_some() => {
                    Field::new(field.name(), DataType::Int32, true)
                }
                _ => field.as_ref().clone(),
            })
            .collect();
        self.arrow = Arc::new(Schema::new(fields));
        for batch in &mut self.batches {
            let columns = batch.columns().iter().zip(self.arrow.fields());
            let columns = columns.map(|(array, field)| cast(array, field.data_type()));
            let columns =
                columns.collect::<std::result::Result<Vec<_>, _>>().map_err(from_arrow)?;
            *batch = RecordBatch::try_new(self.arrow.clone(), columns).map_err(from_arrow)?;
        }
        Ok(self)
    }

    /// The same table as what a script made.
    #[must_use]
    pub fn computed(mut self) -> Self {
        self.schema.computed = true;
        self
    }

    /// What is known of it without reading a row.
    pub fn schema(&self) -> &TableSchema {
        &self.schema
    }

    /// Where the rows of the table are that others were appended to, for the guard; `None` of a
    /// table that is not one with appended rows.
    pub fn grown(&self) -> Option<&Grown> {
        self.grown.as_ref()
    }

    /// Up to `count` values of each column as text, spread over its rows; nulls are left out, and a
    /// list is its first members, a line each.
    pub fn sample(&self, count: usize) -> Vec<(String, Vec<String>)> {
        let every = self.rows().div_ceil(count.max(1)).max(1);
        let columns = self.schema.columns.iter().enumerate();
        let sampled = columns.map(|(place, column)| {
            let mut values = Vec::new();
            let mut next = 0;
            for batch in &self.batches {
                if let Some(array) = batch.columns().get(place) {
                    while next < array.len() {
                        match super::rows::cell(array, next) {
                            Value::Null => {}
                            Value::List(members) => {
                                let texts = members.iter().filter_map(super::rows::member_text);
                                let texts: Vec<String> = texts.take(MOST_MEMBERS).collect();
                                if !texts.is_empty() {
                                    values.push(texts.join("\n"));
                                }
                            }
                            value => values.push(value.to_string()),
                        }
                        next += every;
                    }
                }
                next = next.saturating_sub(batch.num_rows());
            }
            (column.name.clone(), values)
        });
        sampled.collect()
    }

    /// How many rows it holds.
    pub fn rows(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// Brings the table into the engine's form and fills in what the reader left open: the number
    /// of rows, the range of the time column, the distance between rows.
    pub(crate) fn settle(mut self) -> Result<Self> {
        if self.settled {
            return Ok(self);
        }
        while self.finite_next()? {}
        self.batches.retain(|b| b.num_rows() > 0);
        self.schema.rows = self.rows() as u64;
        let mut clock = self.clock();
        let instants = self.instants(clock.as_mut())?;
        let table = self.in_order(instants, clock.as_mut())?;
        table.room.hold(Held::of(&table.batches))?;
        Ok(Self { settled: true, ..table })
    }

    /// Looks through the next batch for numbers that are none; whether there was another. It is a
    /// step of its own, as the next, since all of them take as long as there are rows.
    pub(crate) fn finite_next(&mut self) -> Result<bool> {
        let Some(batch) = self.batches.get_mut(self.finite).filter(|_| !self.settled) else {
            return Ok(false);
        };
        *batch = finite_batch(batch)?;
        self.finite += 1;
        Ok(true)
    }

    /// Brings a settled table one step closer to a dictionary for each column that all batches have:
    /// the dictionary, or a batch of it; whether there was another step.
    pub(crate) fn share_next(&mut self) -> Result<bool> {
        if let Some(mut sharing) = self.sharing.take() {
            if sharing.next(&mut self.batches).map_err(from_datafusion)? {
                self.sharing = Some(sharing);
            } else {
                self.shared.push(Some(sharing.texts()));
            }
            return Ok(true);
        }
        let column = self.shared.len();
        if column == self.arrow.fields().len() {
            return Ok(false);
        }
        self.room.has(Sharing::cost(&self.batches, &self.arrow, column))?;
        self.sharing = Sharing::begin(&self.batches, &self.arrow, column);
        if self.sharing.is_none() {
            self.shared.push(None);
        }
        Ok(true)
    }

    /// The rows as queries read them, what is known of them, and where its clock went back.
    pub(super) fn into_data(mut self) -> Result<(TableSchema, TableData, Vec<u64>)> {
        while self.share_next()? {}
        let data = TableData::shared(&self.arrow, self.batches, self.shared);
        Ok((self.schema, data, self.folds))
    }

    /// Whether a column has no value at all, so that its kind says nothing.
    pub(crate) fn is_blank(&self, column: &Column) -> bool {
        column.nulls == Some(self.rows() as u64)
    }

    fn clock(&self) -> Option<LocalClock> {
        self.schema.market.timezone.as_deref().and_then(LocalClock::of)
    }

    /// The place of the time column.
    fn time(&self) -> Option<usize> {
        let name = self.schema.time.as_deref()?;
        self.schema.columns.iter().position(|c| c.name == name)
    }

    /// When each row was, where the table has a time column: in UTC where it has a time zone.
    fn instants(&self, clock: Option<&mut LocalClock>) -> Result<Option<Vec<Option<i64>>>> {
        let Some(time) = self.time() else { return Ok(None) };
        self.room.has(self.rows() * size_of::<Option<i64>>())?;
        let moments = self.moments(time);
        let local = !self.is_utc(time)
            && self.schema.columns.get(time).is_some_and(|c| c.kind == Kind::Timestamp);
        Ok(Some(match clock {
            Some(clock) if local => clock.moments(&moments),
            _ => moments,
        }))
    }

    /// How far apart the rows are in seconds, given when each was: of each series, if it has any.
    fn interval(&self, instants: &[Option<i64>]) -> Option<u64> {
        let series = self.schema.series.as_ref();
        let series = series.and_then(|s| self.schema.columns.iter().position(|c| c.name == *s));
        if let Some(series) = series {
            let series: Vec<_> =
                self.batches.iter().map(|b| Arc::clone(b.column(series))).collect();
            return interval_within(instants.iter().copied(), &series);
        }
        let mut times: Vec<i64> = instants.iter().flatten().copied().collect();
        if !times.is_sorted() {
            times.sort_unstable();
        }
        interval(&times)
    }

    /// Brings the rows into the order of their `instants`, and their times to the table's clock.
    fn in_order(
        mut self,
        instants: Option<Vec<Option<i64>>>,
        mut clock: Option<&mut LocalClock>,
    ) -> Result<Self> {
        let mut instants = instants.unwrap_or_default();
        let time = self.time();
        if time.is_some() {
            if !instants.is_sorted_by_key(|m| m.unwrap_or(i64::MAX)) {
                self.sort_by(&instants)?;
                instants.sort_by_key(|m| m.unwrap_or(i64::MAX));
            }
            if self.schema.interval.is_none() {
                self.schema.interval = self.interval(&instants);
            }
        }
        if let Some(clock) = clock.as_deref_mut() {
            self.show(clock)?;
        }
        if let Some(time) = time {
            if clock.is_some() {
                let shown = self.moments(time);
                self.folds = folds(&instants, &shown);
                self.begins_once(&shown)?;
                instants = shown;
            }
            span(&mut self.schema, time, &instants);
        }
        Ok(self)
    }

    /// Refuses a trading day that begins within an hour that the clock shows twice: it would begin,
    /// end and begin again, and the rows of a date would not stand together.
    fn begins_once(&self, shown: &[Option<i64>]) -> Result<()> {
        let market = &self.schema.market;
        if market.day_start.0 == 0 {
            // Nobody asked for it, and a clock that goes back over midnight does so for a minute.
            return Ok(());
        }
        let date = |row: usize| shown.get(row).copied().flatten().map(|m| market.trading_day(m));
        let back = |&row: &u64| {
            let row = row as usize;
            row.checked_sub(1).and_then(date).zip(date(row)).is_some_and(|(a, b)| b < a)
        };
        if !self.folds.iter().any(back) {
            return Ok(());
        }
        let start = market.day_start;
        Err(Diagnostic::new(
            Code::BadOption,
            text!(
                "a trading day cannot begin at {start}: the clock of the time zone shows that hour \
                 twice when summer time ends; choose an hour that it shows once",
                "торговый день не может начинаться в {start}: часы этого пояса показывают этот час \
                 дважды, когда кончается летнее время; выберите час, который бывает один раз"
            ),
        )
        .at("/market/day_start")
        .into())
    }

    fn is_utc(&self, column: usize) -> bool {
        self.utc.get(column).copied().unwrap_or(false)
    }

    /// Brings the columns in UTC to the clock of the table's zone.
    fn show(&mut self, clock: &mut LocalClock) -> Result<()> {
        let utc = std::mem::take(&mut self.utc);
        if !utc.contains(&true) {
            return Ok(());
        }
        for batch in &mut self.batches {
            let columns = batch.columns().iter().enumerate();
            let columns = columns.map(|(place, column)| match utc.get(place) {
                Some(true) => clock.show_all(column),
                _ => column.clone(),
            });
            *batch = RecordBatch::try_new(batch.schema(), columns.collect()).map_err(from_arrow)?;
        }
        Ok(())
    }

    /// The time column as microseconds since 1970, row by row.
    fn moments(&self, column: usize) -> Vec<Option<i64>> {
        let mut all = Vec::with_capacity(self.rows());
        for batch in &self.batches {
            match moments(batch.column(column)) {
                Some(array) => all.extend(array.iter()),
                None => all.extend(std::iter::repeat_n(None, batch.num_rows())),
            }
        }
        all
    }
}

/// The Arrow type that the engine itself makes for a kind.
pub(crate) fn arrow_type(kind: Kind) -> DataType {
    match kind {
        Kind::Int => DataType::Int64,
        Kind::Float => DataType::Float64,
        Kind::Decimal(scale) => decimal::type_of(scale),
        Kind::Bool => DataType::Boolean,
        Kind::Text => DataType::Utf8,
        Kind::Date => DataType::Date32,
        Kind::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, None),
        Kind::List(member) => lists::type_of(member),
    }
}

/// What the values of an Arrow column are, where the page can show them.
pub(crate) fn kind_of(arrow: &DataType) -> Option<Kind> {
    Some(match arrow {
        DataType::Int8
        | DataType::Int16
        | DataType::Int32
        | DataType::Int64
        | DataType::UInt8
        | DataType::UInt16
        | DataType::UInt32
        | DataType::UInt64 => Kind::Int,
        DataType::Decimal128(..) => decimal::scale_of(arrow).map_or(Kind::Float, Kind::Decimal),
        DataType::Float32
        | DataType::Float64
        | DataType::Decimal32(..)
        | DataType::Decimal64(..)
        | DataType::Decimal256(..) => Kind::Float,
        DataType::Boolean => Kind::Bool,
        DataType::Utf8 | DataType::Utf8View | DataType::LargeUtf8 => Kind::Text,
        DataType::Dictionary(_, values) => return kind_of(values),
        DataType::Date32 => Kind::Date,
        DataType::Timestamp(TimeUnit::Microsecond, None) => Kind::Timestamp,
        DataType::List(_) => return lists::member_of(arrow).map(Kind::List),
        _ => return None,
    })
}

/// Whether a text column has at most half as many values as rows.
fn repeats(rows: &dyn Rows, column: usize) -> bool {
    let mut seen = HashSet::new();
    for row in 0..rows.len() {
        if let Value::Text(text) = rows.value(row, column) {
            seen.insert(text);
            if seen.len() * 2 > rows.len() {
                return false;
            }
        }
    }
    !seen.is_empty()
}

/// The batch with NaN and infinities as null and negative zero as zero, untouched where it has none.
pub(super) fn finite_batch(batch: &RecordBatch) -> Result<RecordBatch> {
    let mut columns = batch.columns().to_vec();
    let mut changed = false;
    for column in &mut columns {
        if column.data_type() == &DataType::Float64
            && let Some(finite) = finite(column.as_primitive::<Float64Type>())
        {
            *column = Arc::new(finite);
            changed = true;
        }
    }
    if changed {
        RecordBatch::try_new(batch.schema(), columns).map_err(from_arrow)
    } else {
        Ok(batch.clone())
    }
}

/// The array with NaN and infinities as null and negative zero as zero; `None` when it has none.
pub(crate) fn finite(array: &Float64Array) -> Option<Float64Array> {
    // No early exit: the loop without one runs several values at a time.
    if !array.values().iter().fold(false, |found, &x| found | is_odd(x)) {
        return None;
    }
    // Adding zero turns a negative zero into a positive one.
    Some(array.iter().map(|x| x.filter(|x| x.is_finite()).map(|x| x + 0.0)).collect())
}

/// NaN, an infinity or a negative zero.
pub(crate) fn is_odd(x: f64) -> bool {
    !x.is_finite() || x.to_bits() == NEGATIVE_ZERO
}

/// The bits of `-0.0`.
const NEGATIVE_ZERO: u64 = 1 << 63;

/// The rows before which the clock went back, given the moments and what it shows at them.
fn folds(moments: &[Option<i64>], shown: &[Option<i64>]) -> Vec<u64> {
    let ahead = moments.iter().zip(shown).map(|(m, s)| Some((*s)? - (*m)?));
    let mut last = i64::MIN;
    let mut folds = Vec::new();
    for (row, ahead) in ahead.enumerate() {
        let Some(ahead) = ahead else { continue };
        if ahead < last {
            folds.push(row as u64);
        }
        last = ahead;
    }
    folds
}

/// Tells the schema what the `moments` of its time column, in order, are like.
fn span(schema: &mut TableSchema, time: usize, moments: &[Option<i64>]) {
    let kind = schema.columns.get(time).map(|c| c.kind);
    schema.range = range(moments, kind);
    schema.timed = moments.iter().flatten().any(|moment| moment % DAY_MICROS != 0);
}

/// First and last known of the `moments` of rows in time order, as values of the column's kind.
fn range(moments: &[Option<i64>], kind: Option<Kind>) -> Option<(Value, Value)> {
    let value = |moment: i64| match kind {
        Some(Kind::Date) => Value::Date(moment.div_euclid(DAY_MICROS) as i32),
        _ => Value::Timestamp(moment),
    };
    let known = moments.partition_point(Option::is_some);
    let last = known.checked_sub(1).and_then(|i| moments.get(i).copied().flatten())?;
    Some((value(moments.first().copied().flatten()?), value(last)))
}

/// The microseconds since 1970 of a date or timestamp array, without a copy of the latter.
pub(crate) fn moments(array: &ArrayRef) -> Option<TimestampMicrosecondArray> {
    match array.data_type() {
        DataType::Date32 => {
            Some(array.as_primitive::<Date32Type>().unary(|d| i64::from(d) * DAY_MICROS))
        }
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            Some(array.as_primitive::<TimestampMicrosecondType>().clone())
        }
        _ => None,
    }
}

/// The days since 1970 of a date or timestamp array.
pub(crate) fn days(array: &ArrayRef) -> Option<Date32Array> {
    match array.data_type() {
        DataType::Date32 => Some(array.as_primitive::<Date32Type>().clone()),
        DataType::Timestamp(TimeUnit::Microsecond, _) => Some(
            array
                .as_primitive::<TimestampMicrosecondType>()
                .unary(|us| us.div_euclid(DAY_MICROS) as i32),
        ),
        _ => None,
    }
}

mod order;
#[cfg(test)]
mod tests;
