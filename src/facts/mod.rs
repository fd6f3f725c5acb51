//! The outcome of a query as facts: what each value is, what it is called, what it is measured in
//! and where it came from. Summaries, references and checks all stand on this.

use crate::query::CheckedQuery;
use crate::query::check::{OutputColumn, ResultKind, Role, Warning};
use crate::value::{Rows, Value};
use std::sync::Arc;

/// The result of one query: the whole evidence, and how it came about. It stays on the device; only
/// `disclose` may make something of it that leaves.
#[derive(Clone)]
pub struct Outcome {
    /// The result id (`r1`).
    pub id: String,
    /// What was run.
    pub query: Arc<CheckedQuery>,
    /// The columns of `rows`, with their roles.
    pub columns: Vec<OutputColumn>,
    /// The final rows: of the table (A), the groups (D, E), or the single row of values (B, C).
    pub rows: Arc<dyn Rows>,
    /// Rows that entered `where`.
    pub rows_scanned: u64,
    /// Rows that left it.
    pub rows_matched: u64,
    /// Rows of the final table before `limit`, where `limit` cut something.
    pub rows_before_limit: Option<u64>,
    /// Everything that changed the meaning.
    pub warnings: Vec<Warning>,
}

impl Outcome {
    /// The cell of the matrix.
    pub fn kind(&self) -> ResultKind {
        self.query.kind()
    }

    /// The number of the column named `name`.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.column.name == name)
    }

    /// The numbers of the columns with a role that `want` accepts.
    pub fn with_role(&self, want: impl Fn(&Role) -> bool) -> Vec<usize> {
        (0..self.columns.len()).filter(|&i| want(&self.columns[i].role)).collect()
    }

    /// The numbers of the group keys.
    pub fn keys(&self) -> Vec<usize> {
        self.with_role(|r| *r == Role::Key)
    }

    /// The numbers of the measures.
    pub fn measures(&self) -> Vec<usize> {
        self.with_role(|r| matches!(r, Role::Measure { .. }))
    }

    /// The exact value of a cell.
    pub fn value(&self, row: usize, column: usize) -> Value {
        self.rows.value(row, column)
    }
}
