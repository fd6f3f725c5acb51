//! Rows of two tables as those of one, and rows in the order of their moments. Both may hold a table
//! twice for a while, and ask the load's memory for that.

use super::{BATCH_ROWS, LoadedTable};
use crate::engine::errors::{decimal_overflow, from_arrow};
use crate::engine::held::Held;
use crate::engine::udf::decimal;
use crate::error::Result;
use crate::facts::Grown;
use arrow::array::{Array, ArrayRef, RecordBatch, UInt32Array, new_null_array};
use arrow::compute::{cast, concat, take};
use arrow::datatypes::{DataType, Field, Schema};
use std::sync::Arc;

/// Bytes of a row's number, once more while rows are sorted.
const NUMBER: usize = 2 * size_of::<u32>();

impl LoadedTable {
    /// This table, settled, with the rows of `more` after its own; columns are matched by name and
    /// are all there. Rows come into time order. Where the clock shows an hour twice, a settled
    /// table is taken to begin with the first.
    pub(crate) fn joined(mut self, mut more: Self) -> Result<Self> {
        let before = self.rows();
        more.schema.time.clone_from(&self.schema.time);
        let mut clock = self.clock();
        self.room = more.room.clone();
        let mut instants = self.instants(clock.as_mut())?;
        if let Some((all, mut later)) = instants.as_mut().zip(more.instants(clock.as_mut())?) {
            later.sort_by_key(|m| m.unwrap_or(i64::MAX));
            all.extend(later);
        }
        let more = more.settle()?;
        let fields = self.arrow.fields().iter().map(|field| {
            let other = more.arrow.field_with_name(field.name()).map_err(from_arrow)?;
            let nothing = more.schema.column(field.name()).is_some_and(|c| more.is_blank(c));
            let own = field.data_type();
            let wide = if nothing { own.clone() } else { wider(own, other.data_type()) };
            Ok(Field::new(field.name(), wide, true))
        });
        self.arrow = Arc::new(Schema::new(fields.collect::<Result<Vec<_>>>()?));
        // The rows that are there are the engine's; what is made of them is not.
        let (mut there, mut held) = (Held::default(), Held::of(&more.batches));
        for batch in self.batches.iter().chain(&more.batches) {
            there.more(batch);
        }
        let own = self.batches.clone();
        let batches = self.batches.iter().chain(&more.batches);
        self.batches = batches
            .map(|batch| {
                let columns = self.arrow.fields().iter().map(|field| {
                    let place = batch.schema().index_of(field.name()).map_err(from_arrow)?;
                    let own = batch.column(place);
                    // a cast to lists would make a list of each missing value
                    if own.logical_null_count() == own.len() {
                        return Ok(new_null_array(field.data_type(), own.len()));
                    }
                    let wide = cast(own, field.data_type()).map_err(from_arrow)?;
                    // what has no room becomes none
                    let lost = wide.logical_null_count() > own.logical_null_count();
                    if lost { Err(decimal_overflow()) } else { Ok(wide) }
                });
                let columns = columns.collect::<Result<_>>()?;
                let batch = RecordBatch::try_new(self.arrow.clone(), columns);
                let batch = batch.map_err(from_arrow)?;
                held += there.more(&batch);
                self.room.hold(held)?;
                Ok(batch)
            })
            .collect::<Result<_>>()?;
        self.grown = Some(Grown::new(self.schema.version, before, self.rows()));
        self.schema.grown_from = Some(self.schema.version);
        self.schema.rows = self.rows() as u64;
        if let Some(instants) = &instants {
            self.schema.interval = self.interval(instants);
        }
        for column in &mut self.schema.columns {
            if let Some(other) = more.schema.column(&column.name) {
                let kind = column.kind;
                column.take_in(other);
                if more.is_blank(other) {
                    column.kind = kind;
                }
            }
        }
        let table = self.in_order(instants, clock.as_mut())?;
        let mut there = Held::default();
        for batch in &own {
            there.more(batch);
        }
        table.room.hold(table.batches.iter().map(|batch| there.more(batch)).sum())?;
        Ok(Self { settled: true, ..table })
    }

    /// Sorts the rows by `moments`, rows of the same moment in their old order, unknown ones last.
    pub(super) fn sort_by(&mut self, moments: &[Option<i64>]) -> Result<()> {
        let columns = 0..self.arrow.fields().len();
        let widest = columns.map(|column| Held::of_column(&self.batches, column)).max();
        let all = Held::of(&self.batches) + widest.unwrap_or(0) + moments.len() * NUMBER;
        self.room.has(all)?;
        let mut order: Vec<u32> = (0..moments.len() as u32).collect();
        order.sort_by_key(|&row| moments.get(row as usize).copied().flatten().unwrap_or(i64::MAX));
        self.grown = self.grown.take().map(|grown| grown.reordered(&order));
        let mut columns: Vec<Vec<ArrayRef>> = Vec::with_capacity(self.arrow.fields().len());
        for column in 0..self.arrow.fields().len() {
            let parts: Vec<&dyn Array> =
                self.batches.iter().map(|b| b.column(column).as_ref()).collect();
            let whole = concat(&parts).map_err(from_arrow)?;
            let chunks = order.chunks(BATCH_ROWS).map(|rows| {
                take(&whole, &UInt32Array::from(rows.to_vec()), None).map_err(from_arrow)
            });
            columns.push(chunks.collect::<Result<_>>()?);
        }
        self.batches = (0..order.len().div_ceil(BATCH_ROWS))
            .map(|chunk| {
                let arrays = columns.iter().filter_map(|c| c.get(chunk).cloned()).collect();
                RecordBatch::try_new(self.arrow.clone(), arrays).map_err(from_arrow)
            })
            .collect::<Result<_>>()?;
        Ok(())
    }
}

/// The type of the engine that holds the values of both.
fn wider(a: &DataType, b: &DataType) -> DataType {
    match (a, b) {
        (a, b) if a == b => a.clone(),
        (DataType::Float64, _) | (_, DataType::Float64) => DataType::Float64,
        (DataType::Decimal128(..), _) | (_, DataType::Decimal128(..)) => {
            let scale = decimal::scale_of(a).max(decimal::scale_of(b));
            decimal::type_of(scale.unwrap_or(0))
        }
        (DataType::Int64, _) | (_, DataType::Int64) => DataType::Int64,
        // A dictionary holds any text, and text that is none was too various for one.
        (DataType::Utf8, _) | (_, DataType::Utf8) => DataType::Utf8,
        (a, _) => a.clone(),
    }
}
