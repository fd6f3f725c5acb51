//! Which rows of a source a query is about: those of its period and session.
//!
//! Rows are in time order, so a period is a range of rows, found by bisection. What is outside it is
//! not read, unless a window looks back. Rows without a time belong to no period and no session.

use super::buckets::Hours;
use super::scan::TableData;
use super::tables::moments;
use crate::error::{Error, Result};
use crate::query::check::{Dates, Frame};
use crate::schema::{Session, TableSchema};
use arrow::array::{Array, TimestampMicrosecondArray};
use std::ops::Range;

/// The rows that a query is about.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Extent {
    /// Those of the period.
    pub(crate) rows: Range<u64>,
    /// Only those of this session, by the clock of this column, where the rows are not bars of it.
    pub(crate) session: Option<(String, Session)>,
    /// Windows may look at rows outside the period.
    pub(crate) lookback: bool,
    /// How many there are of period and session together.
    pub(crate) scanned: u64,
}

impl Extent {
    /// Every row.
    pub(crate) fn all(data: &TableData) -> Self {
        Self { rows: 0..data.rows(), session: None, lookback: true, scanned: data.rows() }
    }

    /// The rows of `data` that a frame names: the table's, or the bars made of it.
    pub(crate) fn of(frame: &Frame, schema: &TableSchema, data: &TableData) -> Result<Self> {
        let mut extent = Self { lookback: frame.lookback(), ..Self::all(data) };
        // The rows of bars have been through the session already.
        let session = frame.session().filter(|_| frame.from().is_none());
        if frame.period().is_none() && session.is_none() {
            return Ok(extent);
        }
        let name = schema.time.as_deref().ok_or_else(|| Error::Internal("no time".into()))?;
        let clock = Clock::new(schema, data, name)?;
        let mut hours = session.cloned().map(Hours::new);
        match frame.dates() {
            None => {}
            Some(Dates::Between(first, last)) => {
                let start = first.map_or(0, |first| clock.rows_before(i64::from(first)));
                let end = match last {
                    Some(last) => clock.rows_before(i64::from(last) + 1),
                    None => clock.known(),
                };
                extent.rows = start..end.max(start);
            }
            Some(Dates::Last(count)) => {
                extent.rows = clock.last_dates(count, hours.as_mut())..clock.known();
            }
        }
        extent.scanned = match &mut hours {
            Some(hours) => clock.count(extent.rows.clone(), hours),
            None => extent.rows.end - extent.rows.start,
        };
        extent.session = session.map(|session| (name.to_owned(), session.clone()));
        Ok(extent)
    }

    /// Of each row of `data`, whether it is one of them.
    pub(crate) fn holds(&self, schema: &TableSchema, data: &TableData) -> Result<Vec<bool>> {
        let place = |row: u64| usize::try_from(row).unwrap_or(usize::MAX);
        let range = place(self.rows.start)..place(self.rows.end);
        let mut held: Vec<bool> = (0..place(data.rows())).map(|row| range.contains(&row)).collect();
        if let Some((time, session)) = &self.session {
            let clock = Clock::new(schema, data, time)?;
            let mut hours = Hours::new(session.clone());
            let moments = clock.columns.iter().flat_map(arrow::array::PrimitiveArray::iter);
            for (held, moment) in held.iter_mut().zip(moments) {
                *held &= moment.is_some_and(|moment| hours.hold(moment));
            }
        }
        Ok(held)
    }

    /// Whether rows outside the period must be read when there are windows.
    pub(crate) fn looks_outside(&self, data: &TableData) -> bool {
        self.lookback && self.rows != (0..data.rows())
    }
}

/// The time column of a source.
struct Clock<'a> {
    schema: &'a TableSchema,
    /// A date is a trading date as it stands.
    dates: bool,
    starts: Vec<u64>,
    columns: Vec<TimestampMicrosecondArray>,
    rows: u64,
}

impl<'a> Clock<'a> {
    fn new(schema: &'a TableSchema, data: &TableData, name: &str) -> Result<Self> {
        let missing = || Error::Internal("a source without its time column".into());
        let place = data.schema().index_of(name).map_err(|_| missing())?;
        let field = data.schema().field(place);
        let dates = field.data_type() == &arrow::datatypes::DataType::Date32;
        let mut rows = 0;
        let mut starts = Vec::new();
        let mut columns = Vec::new();
        for batch in data.batches() {
            starts.push(rows);
            rows += batch.num_rows() as u64;
            columns.push(batch.columns().get(place).and_then(moments).ok_or_else(missing)?);
        }
        Ok(Self { schema, dates, starts, columns, rows })
    }

    /// The moment of a row; none where it has none.
    fn moment(&self, row: u64) -> Option<i64> {
        let batch = self.starts.partition_point(|&start| start <= row).checked_sub(1)?;
        let (column, start) = (self.columns.get(batch)?, self.starts.get(batch)?);
        let row = usize::try_from(row - start).ok()?;
        (row < column.len() && column.is_valid(row)).then(|| column.value(row))
    }

    /// The trading date of a moment.
    fn day(&self, moment: i64) -> i64 {
        let shift = if self.dates { 0 } else { self.schema.market.day_shift() };
        moment.saturating_add(shift).div_euclid(super::tables::DAY_MICROS)
    }

    /// The first row for which `before` is false.
    fn bisect(&self, before: impl Fn(Option<i64>) -> bool) -> u64 {
        let (mut low, mut high) = (0, self.rows);
        while low < high {
            let middle = low + (high - low) / 2;
            if before(self.moment(middle)) { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// How many rows have a time.
    fn known(&self) -> u64 {
        self.bisect(|moment| moment.is_some())
    }

    /// How many rows are of a trading date before this one.
    fn rows_before(&self, day: i64) -> u64 {
        self.bisect(|moment| moment.is_some_and(|moment| self.day(moment) < day))
    }

    /// The first row of the last `count` dates that are present, in these hours.
    fn last_dates(&self, count: u32, mut hours: Option<&mut Hours>) -> u64 {
        let mut end = self.known();
        let mut left = count;
        while left > 0
            && let Some(day) = end.checked_sub(1).and_then(|row| self.moment(row))
        {
            let day = self.day(day);
            let start = self.rows_before(day);
            let present = match hours.as_deref_mut() {
                Some(hours) => {
                    (start..end).any(|row| self.moment(row).is_some_and(|m| hours.hold(m)))
                }
                None => true,
            };
            left -= u32::from(present);
            end = start;
        }
        end
    }

    /// How many of the rows are in these hours.
    fn count(&self, rows: Range<u64>, hours: &mut Hours) -> u64 {
        let mut held = 0;
        for (column, &start) in self.columns.iter().zip(&self.starts) {
            let end = start + column.len() as u64;
            let (from, to) = (rows.start.max(start), rows.end.min(end));
            if from >= to {
                continue;
            }
            let part = column.slice((from - start) as usize, (to - from) as usize);
            held += if part.null_count() == 0 {
                part.values().iter().filter(|&&moment| hours.hold(moment)).count()
            } else {
                part.iter().flatten().filter(|&moment| hours.hold(moment)).count()
            } as u64;
        }
        held
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::tables::LoadedTable;
    use crate::query::check::check_json;
    use crate::schema::{Column, Kind, Market};
    use crate::value::{Table, Value};
    use chrono::NaiveDateTime;
    use serde_json::json;
    use std::sync::Arc;

    /// Hours of three trading days from 18:00 on, a gap of a day, and a row without a time.
    fn check(query: serde_json::Value, rows: Range<u64>, scanned: u64) {
        let times = [
            "2024-01-04T18:00:00",
            "2024-01-05T09:30:00",
            "2024-01-05T16:00:00",
            "2024-01-05T18:00:00",
            "2024-01-08T10:00:00",
            "2024-01-08T20:00:00",
            "2024-01-10T17:00:00",
        ];
        let columns = vec![Column::new("time", Kind::Timestamp), Column::new("x", Kind::Int)];
        let row = |time: Option<&&str>| {
            let time = time.map_or(Value::Null, |t| {
                Value::from_datetime(t.parse::<NaiveDateTime>().expect("a time"))
            });
            vec![time, Value::Int(1)]
        };
        let rows_of = times.iter().map(Some).chain([None]).map(row).collect();
        let mut schema = TableSchema::new("t", columns.clone());
        schema.time = Some("time".into());
        schema.interval = Some(3600);
        schema.market = Market::preset("futures-us-index").expect("a preset");
        let table = Table { columns, rows: rows_of };
        let loaded = LoadedTable::from_rows(schema, &table).and_then(LoadedTable::settle);
        let LoadedTable { schema, arrow, batches, .. } = loaded.expect("a table");
        let pieces: Vec<_> =
            batches.iter().flat_map(|b| (0..b.num_rows()).map(|row| b.slice(row, 1))).collect();
        let schema = Arc::new(schema);
        for batches in [batches, pieces] {
            let data = TableData::new(&arrow, batches).expect("data");
            let checked = check_json(&query, std::slice::from_ref(&schema)).expect("a query");
            let extent = Extent::of(checked.frame(), &schema, &data).expect("an extent");
            assert_eq!((extent.rows, extent.scanned), (rows.clone(), scanned), "{query}");
        }
    }

    #[test]
    fn periods_are_ranges_of_trading_dates() {
        check(json!({}), 0..8, 8);
        check(json!({"period": "2024"}), 0..7, 7);
        check(json!({"period": "2024-01-05"}), 0..3, 3);
        check(json!({"period": "2024-01-06"}), 3..4, 1);
        check(json!({"period": "2024-01-07"}), 4..4, 0);
        check(json!({"period": "2024-01-07:"}), 4..7, 3);
        check(json!({"period": ":2024-01-08"}), 0..5, 5);
        check(json!({"period": "2023"}), 0..0, 0);
        check(json!({"period": "2025"}), 7..7, 0);
        check(json!({"period": "last_1"}), 6..7, 1);
        check(json!({"period": "last_3"}), 4..7, 3);
        check(json!({"period": "last_99"}), 0..7, 7);
        check(json!({"period": "last_week"}), 0..7, 7);
    }

    #[test]
    fn sessions_are_counted_and_their_dates_are_those_present() {
        check(json!({"session": "rth"}), 0..8, 3);
        check(json!({"session": "OVERNIGHT"}), 0..8, 3);
        check(json!({"session": "RTH", "period": "2024-01-05"}), 0..3, 2);
        check(json!({"session": "RTH", "period": "last_1"}), 4..7, 1);
        check(json!({"session": "RTH", "period": "last_2"}), 0..7, 3);
        check(json!({"session": "OVERNIGHT", "period": "last_1"}), 5..7, 1);
        check(json!({"session": "RTH_OPEN", "period": "2024-01-10"}), 6..7, 0);
    }
}
