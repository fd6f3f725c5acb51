//! Results that code has made of other results: kept as those of queries, and depending on whatever
//! the results depend on that they were made of.

use super::errors::{from_arrow, from_datafusion};
use super::results::Kept;
use super::rows::{ArrowRows, batch_bytes};
use super::tables::arrow_type;
use super::{Engine, sql};
use crate::error::Result;
use crate::facts::Outcome;
use crate::query::CheckedQuery;
use crate::query::check::ResultKind;
use crate::schema::{Column, Kind};
use crate::value::Value;
use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, new_empty_array};
use arrow::datatypes::{Field, Schema};
use datafusion::common::ScalarValue;
use datafusion::execution::memory_pool::MemoryConsumer;
use std::sync::Arc;

/// Rows that code has made of results.
#[derive(Debug, Clone, PartialEq)]
pub struct Derived {
    /// One row of values, or rows.
    pub kind: ResultKind,
    /// What the columns are called.
    pub columns: Vec<Column>,
    /// The rows; each as long as `columns`.
    pub rows: Vec<Vec<Value>>,
}

impl Engine {
    /// Checks a statement as [`Engine::check_sql`] does, whose text or parameters were made of the
    /// values in other results: what may be told of those decides on it, too.
    ///
    /// # Errors
    /// Those of [`Engine::check_sql`].
    pub fn check_sql_of(
        &self,
        text: &str,
        params: &serde_json::Value,
        made_of: &[Arc<Outcome>],
    ) -> Result<CheckedQuery> {
        sql::check(text, params, &self.visible(), made_of)
    }

    /// Keeps what code has made of results of statements as a result of its own. It depends on every
    /// column that any of them depends on, so that no more may be told of it than of them.
    ///
    /// # Errors
    /// There is no result among `made_of`, or one of a query; memory limit.
    pub fn derive(&mut self, made_of: &[Arc<Outcome>], derived: Derived) -> Result<Arc<Outcome>> {
        let Derived { kind, columns, rows } = derived;
        let query = Arc::new(sql::derived(made_of, kind, &columns)?);
        let batch = batch(&columns, &rows)?;
        let reservation = MemoryConsumer::new("result").register(&self.shared.pool);
        reservation.try_grow(batch_bytes(&batch)).map_err(from_datafusion)?;
        let batches = Some(batch).filter(|b| b.num_rows() > 0).into_iter().collect();
        let rows = Arc::new(ArrowRows::new(columns, batches));
        let counted = |of: fn(&Outcome) -> u64| made_of.last().map_or(0, |outcome| of(outcome));
        let matched = match kind {
            ResultKind::Table => rows_of(&rows),
            _ => counted(|outcome| outcome.rows_matched),
        };
        let mut results = self.shared.results.borrow_mut();
        let outcome = Arc::new(Outcome {
            id: results.next_id(),
            columns: query.output().to_vec(),
            rows: rows.clone(),
            rows_scanned: counted(|outcome| outcome.rows_scanned),
            rows_matched: matched,
            rows_before_limit: None,
            warnings: Vec::new(),
            query,
        });
        results.keep(Kept { outcome: outcome.clone(), rows, reservation });
        Ok(outcome)
    }
}

fn rows_of(rows: &ArrowRows) -> u64 {
    crate::value::Rows::len(rows) as u64
}

fn batch(columns: &[Column], rows: &[Vec<Value>]) -> Result<RecordBatch> {
    let mut arrays: Vec<ArrayRef> = Vec::with_capacity(columns.len());
    for (place, column) in columns.iter().enumerate() {
        let cells = rows.iter().map(|row| scalar(row.get(place), column.kind));
        arrays.push(if rows.is_empty() {
            new_empty_array(&arrow_type(column.kind))
        } else {
            ScalarValue::iter_to_array(cells).map_err(from_datafusion)?
        });
    }
    let fields = columns.iter().map(|c| Field::new(&c.name, arrow_type(c.kind), true));
    let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
    let options = RecordBatchOptions::new().with_row_count(Some(rows.len()));
    RecordBatch::try_new_with_options(schema, arrays, &options).map_err(from_arrow)
}

/// A cell in the type of its column; a value of another kind is missing.
fn scalar(value: Option<&Value>, kind: Kind) -> ScalarValue {
    match (kind, value.unwrap_or(&Value::Null)) {
        (Kind::Int, Value::Int(i)) => ScalarValue::Int64(Some(*i)),
        (Kind::Int, _) => ScalarValue::Int64(None),
        (Kind::Float, value) => ScalarValue::Float64(value.as_f64()),
        (Kind::Bool, Value::Bool(b)) => ScalarValue::Boolean(Some(*b)),
        (Kind::Bool, _) => ScalarValue::Boolean(None),
        (Kind::Text, Value::Null) => ScalarValue::Utf8(None),
        (Kind::Text, value) => ScalarValue::Utf8(Some(value.to_string())),
        (Kind::Date, Value::Date(days)) => ScalarValue::Date32(Some(*days)),
        (Kind::Date, _) => ScalarValue::Date32(None),
        (Kind::Timestamp, Value::Timestamp(us)) => {
            ScalarValue::TimestampMicrosecond(Some(*us), None)
        }
        (Kind::Timestamp, _) => ScalarValue::TimestampMicrosecond(None, None),
    }
}
