//! Tables that a tool makes of the loaded ones by a statement without parameters: lines of receipts
//! with their dates, joined once for all the questions about them. They are kept until a table comes
//! or goes. No statement of a person or of a model can name one.

use super::derive::Unkept;
use super::errors::{from_arrow, from_datafusion};
use super::rows::ArrowRows;
use super::scan::TableData;
use super::sql::Visible;
use super::tables::{BATCH_ROWS, arrow_type};
use super::{Engine, Shared};
use crate::error::Result;
use crate::schema::{Column, TableSchema};
use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryLimit, MemoryReservation};
use std::sync::Arc;

/// So many are kept; the oldest goes first.
const MOST: usize = 6;
/// One may have this part of the engine's memory.
const PART: usize = 8;

/// A table that a tool made.
#[derive(Clone)]
pub struct View {
    schema: Arc<TableSchema>,
    data: Arc<TableData>,
}

impl View {
    /// The same without these columns: a tool is given none that it has not declared.
    pub(crate) fn without(self, names: &[&str]) -> Result<Self> {
        if names.is_empty() {
            return Ok(self);
        }
        let mut schema = TableSchema::clone(&self.schema);
        let named = |column: &Column| !names.contains(&column.name.as_str());
        let places = schema.columns.iter().enumerate().filter(|(_, column)| named(column));
        let places: Vec<usize> = places.map(|(place, _)| place).collect();
        schema.columns.retain(named);
        let data = self.data.of_columns(&places).map_err(from_datafusion)?;
        Ok(Self { schema: Arc::new(schema), data: Arc::new(data) })
    }

    pub(super) fn visible(&self) -> Visible {
        Visible { schema: self.schema.clone(), data: self.data.clone() }
    }
}

/// A table that a tool made, and what it holds of the memory pool.
pub(super) struct Stored {
    sql: String,
    view: View,
    _reservation: MemoryReservation,
}

impl Engine {
    /// What a statement without parameters made of the tables as they are.
    pub(crate) fn view(&self, sql: &str) -> Option<View> {
        let lasting = self.shared.lasting.borrow();
        let found = lasting.views.iter().find(|stored| stored.sql == sql);
        found.map(|stored| stored.view.clone())
    }

    /// Keeps what a statement made that began after `changes`, under `name`; whether it could: where
    /// it is too big, or a table came or went meanwhile, it is not kept.
    pub(crate) fn keep_view(
        &self,
        changes: u64,
        name: &str,
        sql: &str,
        result: Unkept,
    ) -> Result<bool> {
        let columns = result.outcome().columns.iter().map(|c| c.column.clone()).collect();
        let rows = result.rows().clone();
        let Some(most) = self.shared.most_of_a_view() else { return Ok(false) };
        if rows.batches().iter().map(super::rows::batch_bytes).sum::<usize>() > most {
            return Ok(false);
        }
        let (schema, data) = table(name, columns, &rows)?;
        // What the statement held goes before the table takes its place.
        drop((result, rows));
        let reservation = MemoryConsumer::new("view").register(&self.shared.pool);
        let mut lasting = self.shared.lasting.borrow_mut();
        if lasting.changes != changes || reservation.try_grow(data.bytes()).is_err() {
            return Ok(false);
        }
        if lasting.views.len() >= MOST {
            lasting.views.remove(0);
        }
        let view = View { schema: Arc::new(schema), data: Arc::new(data) };
        lasting.views.push(Stored { sql: sql.to_owned(), view, _reservation: reservation });
        Ok(true)
    }
}

impl Engine {
    /// Whether less than half of the memory is in use: what nobody has asked for yet takes no more.
    pub(crate) fn has_room(&self) -> bool {
        match self.shared.pool.memory_limit() {
            MemoryLimit::Finite(bytes) => self.shared.pool.reserved() < bytes / 2,
            _ => true,
        }
    }
}

impl Shared {
    /// Rows that are there without any result: of tables, bars and views.
    pub(super) fn all_rows(&self) -> Vec<Arc<TableData>> {
        let mut all: Vec<_> = self.tables.borrow().iter().map(|t| t.data.clone()).collect();
        all.extend(self.bars.borrow().values().map(|bars| bars.data.clone()));
        all.extend(self.lasting.borrow().views.iter().map(|stored| stored.view.data.clone()));
        all
    }

    fn most_of_a_view(&self) -> Option<usize> {
        match self.pool.memory_limit() {
            MemoryLimit::Finite(bytes) => Some(bytes / PART),
            _ => None,
        }
    }
}

fn table(name: &str, columns: Vec<Column>, rows: &ArrowRows) -> Result<(TableSchema, TableData)> {
    let arrow: SchemaRef = if let Some(batch) = rows.batches().first() {
        batch.schema()
    } else {
        let field = |c: &Column| Field::new(&c.name, arrow_type(c.kind), true);
        Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
    };
    let mut schema = TableSchema::new(name, columns);
    let mut batches: Vec<RecordBatch> = Vec::new();
    let (mut from, mut length) = (0, 0);
    let all = rows.batches();
    // Joins give small batches.
    for (place, batch) in all.iter().enumerate() {
        schema.rows += batch.num_rows() as u64;
        length += batch.num_rows();
        if length >= BATCH_ROWS || place + 1 == all.len() {
            let together = all.get(from..=place).unwrap_or_default();
            batches.push(concat_batches(&arrow, together).map_err(from_arrow)?);
            (from, length) = (place + 1, 0);
        }
    }
    let data = TableData::new(&arrow, batches).map_err(from_datafusion)?;
    Ok((schema, data))
}
