//! Tables of many columns. DataFusion looks a column of a plan up by its name among all of them, at
//! every step of a plan and by several of its rules: what that takes grows with the square of their
//! number. So a plan names only the columns that it computes with, and where many columns go into the
//! result as they are, they are fetched by the numbers of the rows that the plan came to.

use super::{Lowered, Matched, Plan, Result, finish, internal};
use crate::engine::errors::from_arrow;
use crate::engine::scan::{CHUNK_ROWS, TableData};
use crate::error::Error;
use arrow::array::{ArrayRef, AsArray, RecordBatch, RecordBatchOptions, StringArray, UInt32Array};
use arrow::compute::{interleave, take};
use arrow::datatypes::{Field, Schema, UInt64Type};
use datafusion::logical_expr::{Expr, LogicalPlanBuilder};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// More columns than these are fetched apart.
const FEW: usize = 100;

/// About so many values are copied at a time, of so many rows at least.
const CELLS: usize = 1 << 22;
const FEWEST_ROWS: usize = 256;

/// The place in the scan of a column with a name of the engine's own; of one that a plan makes, none.
pub(super) fn place(name: &str) -> Option<usize> {
    name.strip_prefix('c')?.parse().ok().filter(|&at| internal(at) == name)
}

/// The columns of the scan that expressions read.
pub(super) fn reads<'e>(exprs: impl IntoIterator<Item = &'e Expr>) -> BTreeSet<usize> {
    let mut found = BTreeSet::new();
    for expr in exprs {
        found.extend(expr.column_refs().into_iter().filter_map(|column| place(&column.name)));
    }
    found
}

/// What a plan of rows puts out.
pub(super) struct Output {
    /// What the plan itself does.
    made: Vec<Lowered>,
    /// What is fetched, and in which order all come.
    fetch: Option<Fetch>,
    names: Vec<Option<Arc<StringArray>>>,
}

impl Output {
    /// Rows of these columns, `number` being that of the row.
    pub(super) fn of(all: Vec<Lowered>, number: Lowered, data: &Arc<TableData>) -> Self {
        let names = names(&all);
        let of_scan = |made: &Lowered| match made.comparable() {
            Expr::Column(column) => place(&column.name),
            _ => None,
        };
        if all.iter().filter_map(of_scan).count() <= FEW {
            return Self { made: all, fetch: None, names };
        }
        let mut made = vec![number];
        let parts = all.into_iter().map(|one| {
            let part = of_scan(&one).map_or(Part::Made(made.len()), Part::Scan);
            if let Part::Made(_) = part {
                made.push(one);
            }
            part
        });
        let parts = parts.collect();
        Self { made, fetch: Some(Fetch { data: data.clone(), parts }), names }
    }

    /// What the plan computes.
    pub(super) fn exprs(&self) -> impl Iterator<Item = &Expr> {
        self.made.iter().map(Lowered::comparable)
    }

    /// Limits and projects.
    pub(super) fn finish(
        self,
        plan: LogicalPlanBuilder,
        offset: usize,
        limit: Option<usize>,
        matched: Matched,
    ) -> Result<Plan> {
        let plan = finish(plan, &self.made, offset, limit, matched, None)?;
        Ok(Plan { fetch: self.fetch, names: self.names, ..plan })
    }
}

/// What the codes in each of the columns stand for.
pub(super) fn names(output: &[Lowered]) -> Vec<Option<Arc<StringArray>>> {
    output.iter().map(|made| made.code.as_ref().map(|code| code.names.clone())).collect()
}

/// Makes rows of what a plan came to: row numbers first, then what it computed.
#[derive(Debug)]
pub(crate) struct Fetch {
    data: Arc<TableData>,
    parts: Vec<Part>,
}

/// Where a column of the result comes from.
#[derive(Debug, Clone, Copy)]
enum Part {
    /// The plan's column at this place.
    Made(usize),
    /// The scan's.
    Scan(usize),
}

impl Fetch {
    /// Rows that the first of a batch of the plan stand for, as many as at a time.
    pub(crate) fn rows(&self, batch: &RecordBatch) -> Result<RecordBatch> {
        let numbers = batch.columns().first().and_then(|c| c.as_primitive_opt::<UInt64Type>());
        let numbers = numbers.ok_or_else(|| internal_error("no row numbers"))?.values();
        let mut count = numbers.len().min(CHUNK_ROWS);
        let mut rows = self.found(numbers.get(..count).unwrap_or_default());
        // Rows that follow one another are not copied.
        if !matches!(rows, Some(Found::Run(..))) {
            count = count.min((CELLS / self.parts.len().max(1)).max(FEWEST_ROWS));
            rows = self.found(numbers.get(..count).unwrap_or_default());
        }
        let rows = rows.ok_or_else(|| internal_error("a row that the table does not have"))?;
        let columns = self.parts.iter().map(|part| match *part {
            Part::Made(at) => {
                batch.columns().get(at).map(|c| c.slice(0, count)).ok_or_else(no_column)
            }
            Part::Scan(at) => self.column(at, &rows),
        });
        let columns = columns.collect::<Result<Vec<_>>>()?;
        let field = |column: &ArrayRef| Field::new("", column.data_type().clone(), true);
        let schema = Schema::new(columns.iter().map(field).collect::<Vec<_>>());
        let options = RecordBatchOptions::new().with_row_count(Some(count));
        RecordBatch::try_new_with_options(Arc::new(schema), columns, &options).map_err(from_arrow)
    }

    /// Where rows of the table lie.
    fn found(&self, numbers: &[u64]) -> Option<Found> {
        let (Some(&first), Some(&last)) = (numbers.first(), numbers.last()) else {
            return Some(Found::None);
        };
        let (batch, start) = self.data.place(first)?;
        let length = self.data.batches().get(batch)?.num_rows() as u64;
        let here = |number: u64| (start..start + length).contains(&number);
        let follow = numbers.windows(2).all(|pair| matches!(pair, [a, b] if a + 1 == *b));
        if follow && here(last) {
            return Some(Found::Run(batch, usize::try_from(first - start).ok()?, numbers.len()));
        }
        if numbers.iter().all(|&number| here(number)) {
            let places = numbers.iter().map(|number| (number - start) as u32);
            return Some(Found::In(batch, UInt32Array::from_iter_values(places)));
        }
        let (mut batches, mut known, mut places) = (Vec::new(), HashMap::new(), Vec::new());
        for &number in numbers {
            let (batch, start) = self.data.place(number)?;
            let at = *known.entry(batch).or_insert_with(|| {
                batches.push(batch);
                batches.len() - 1
            });
            places.push((at, usize::try_from(number - start).ok()?));
        }
        Some(Found::Among(batches, places))
    }

    fn column(&self, at: usize, rows: &Found) -> Result<ArrayRef> {
        let whole = |batch: usize| {
            let length = self.data.batches().get(batch).map_or(0, RecordBatch::num_rows);
            self.data.array(at, batch, 0, length).ok_or_else(no_column)
        };
        match rows {
            Found::None => {
                let field = self.data.schema().fields().get(at).ok_or_else(no_column)?;
                Ok(arrow::array::new_empty_array(field.data_type()))
            }
            Found::Run(batch, start, length) => {
                self.data.array(at, *batch, *start, *length).ok_or_else(no_column)
            }
            Found::In(batch, places) => {
                take(whole(*batch)?.as_ref(), places, None).map_err(from_arrow)
            }
            Found::Among(batches, places) => {
                let arrays =
                    batches.iter().map(|&batch| whole(batch)).collect::<Result<Vec<_>>>()?;
                let arrays: Vec<_> = arrays.iter().map(AsRef::as_ref).collect();
                interleave(&arrays, places).map_err(from_arrow)
            }
        }
    }
}

/// Where rows of a table lie.
enum Found {
    None,
    /// One after the other in a batch: from there on, so many.
    Run(usize, usize, usize),
    /// In one batch.
    In(usize, UInt32Array),
    /// In some of the batches: which of these, and where in it.
    Among(Vec<usize>, Vec<(usize, usize)>),
}

fn internal_error(what: &str) -> Error {
    Error::Internal(what.into())
}

fn no_column() -> Error {
    internal_error("a column that the table does not have")
}

#[cfg(test)]
mod tests;
