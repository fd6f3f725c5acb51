//! Results of tools of several statements: the statements' own, which are not kept, and those that
//! the person is given, which depend on whatever the tool may read.

use super::errors::{from_arrow, from_datafusion};
use super::held::Held;
use super::lists;
use super::results::Kept;
use super::rows::ArrowRows;
use super::sql::{self, Reads};
use super::tables::arrow_type;
use super::{Engine, Execution, View};
use crate::error::Result;
use crate::facts::Outcome;
use crate::query::CheckedQuery;
use crate::query::check::{ResultKind, Warning};
use crate::schema::{Column, Kind};
use crate::value::{Decimal, MOST_DIGITS, Value};
use arrow::array::{ArrayRef, RecordBatch, RecordBatchOptions, new_empty_array};
use arrow::datatypes::{Field, Schema};
use datafusion::common::ScalarValue;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryPool};
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

/// The result of a statement of a tool, or of what a script asks. It is not among the results that
/// the engine keeps: no id stands for it, it lets no other go, and its memory is given back with it.
pub struct Unkept(Kept);

impl Unkept {
    pub(super) fn new(kept: Kept) -> Self {
        Self(kept)
    }

    pub(super) fn into_kept(self) -> Kept {
        self.0
    }

    /// What the statement gave.
    pub fn outcome(&self) -> &Arc<Outcome> {
        &self.0.outcome
    }

    pub(super) fn rows(&self) -> &Arc<ArrowRows> {
        &self.0.rows
    }

    /// The same rows, which hold no more memory, as the result of the same statement of another tool.
    pub(super) fn as_of(&self, query: &Arc<CheckedQuery>, pool: &Arc<dyn MemoryPool>) -> Self {
        let columns = query.output().to_vec();
        let outcome = Outcome { query: query.clone(), columns, ..Outcome::clone(&self.0.outcome) };
        let reservation = MemoryConsumer::new("result").register(pool);
        Self(Kept { outcome: Arc::new(outcome), rows: self.0.rows.clone(), reservation })
    }
}

/// What is said of a result of a tool beside its rows.
#[derive(Debug, Clone, PartialEq)]
pub struct About {
    /// The id, from [`Engine::take_id`].
    pub id: String,
    /// Rows of the tables that the tool read.
    pub rows_scanned: u64,
    /// Rows that match what was asked for.
    pub rows_matched: u64,
    /// Rows of the result before a limit, where it cut some.
    pub rows_before_limit: Option<u64>,
    /// Everything that changed the meaning.
    pub warnings: Vec<Warning>,
}

impl Engine {
    /// The id of a result to come. A tool takes those of its results before it runs, so that the ids
    /// of later results do not tell how far it came.
    pub fn take_id(&mut self) -> String {
        self.shared.results.borrow_mut().next_id()
    }

    /// Checks a statement of a tool as [`Engine::check_sql`] does; it may name `views` beside the
    /// loaded tables. What may be told of it is decided by all that the tool may read.
    ///
    /// # Errors
    /// Those of [`Engine::check_sql`].
    pub fn check_sql_of_tool(
        &self,
        text: &str,
        params: &serde_json::Value,
        reads: &Reads,
        views: &[View],
    ) -> Result<CheckedQuery> {
        sql::check_of_tool(text, params, &self.visible_with(views), reads)
    }

    /// The tables that a statement of a tool may name, its own before those of the person.
    fn visible_with(&self, views: &[View]) -> Vec<sql::Visible> {
        views.iter().map(View::visible).chain(self.visible()).collect()
    }

    /// Starts a statement of a tool over the tables that it was checked against; its result is not
    /// kept.
    ///
    /// # Errors
    /// It is no statement, or a table was loaded again after the check.
    pub fn start_unkept(
        &mut self,
        query: &Arc<CheckedQuery>,
        views: &[View],
    ) -> Result<Execution<Unkept>> {
        let tables = self.visible_with(views);
        self.statement(query.clone(), tables, "step".to_owned(), |_, kept| Unkept::new(kept))
    }

    /// Keeps the result of a statement of a tool.
    pub fn keep_as(&mut self, result: Unkept, about: About) -> Arc<Outcome> {
        let Kept { outcome, rows, reservation } = result.0;
        let outcome = about.with(Arc::unwrap_or_clone(outcome));
        let kept = Kept { outcome: outcome.clone(), rows, reservation };
        self.shared.results.borrow_mut().keep(kept);
        outcome
    }

    /// Keeps what code has made of the results of a tool's statements, of which `query` is one.
    ///
    /// # Errors
    /// It is no statement; memory limit.
    pub fn derive(
        &mut self,
        query: &CheckedQuery,
        derived: Derived,
        about: About,
    ) -> Result<Arc<Outcome>> {
        let Derived { kind, columns, rows } = derived;
        let query = Arc::new(sql::derived(query, kind, &columns)?);
        let batch = batch(&columns, &rows)?;
        let reservation = MemoryConsumer::new("result").register(&self.shared.pool);
        let batches: Vec<_> = Some(batch).filter(|b| b.num_rows() > 0).into_iter().collect();
        reservation.try_grow(Held::of(&batches)).map_err(from_datafusion)?;
        let rows = Arc::new(ArrowRows::new(columns, batches));
        let outcome = about.with(Outcome {
            id: String::new(),
            columns: query.output().to_vec(),
            rows: rows.clone(),
            rows_scanned: 0,
            rows_matched: 0,
            rows_before_limit: None,
            warnings: Vec::new(),
            query,
        });
        let kept = Kept { outcome: outcome.clone(), rows, reservation };
        self.shared.results.borrow_mut().keep(kept);
        Ok(outcome)
    }
}

impl About {
    fn with(self, outcome: Outcome) -> Arc<Outcome> {
        Arc::new(Outcome {
            id: self.id,
            rows_scanned: self.rows_scanned,
            rows_matched: self.rows_matched,
            rows_before_limit: self.rows_before_limit,
            warnings: self.warnings,
            ..outcome
        })
    }
}

fn batch(columns: &[Column], rows: &[Vec<Value>]) -> Result<RecordBatch> {
    let mut arrays: Vec<ArrayRef> = Vec::with_capacity(columns.len());
    for (place, column) in columns.iter().enumerate() {
        let cells = rows.iter().map(|row| scalar(row.get(place), column.kind));
        arrays.push(if let Kind::List(member) = column.kind {
            let cell = |row: &Vec<Value>| row.get(place).cloned().unwrap_or(Value::Null);
            lists::array_of(member, rows.iter().map(cell))?
        } else if rows.is_empty() {
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
        (Kind::Decimal(scale), value) => {
            let number = value.as_decimal().and_then(|x| x.rescale(scale)).map(Decimal::unscaled);
            ScalarValue::Decimal128(number, MOST_DIGITS, scale.cast_signed())
        }
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
        // they are built as a whole
        (Kind::List(_), _) => ScalarValue::Null,
    }
}
