//! Queries of several steps: each runs on what the one before it made, which becomes a table of its
//! own for as long as it is needed.

use super::errors::from_datafusion;
use super::extent::Extent;
use super::plan::{LeftOut, Plan, Source, plan};
use super::run::{After, Finish, Finished, MakePlan};
use super::scan::TableData;
use super::tables::{arrow_type, finite_batch};
use crate::error::{Error, Result};
use crate::query::CheckedQuery;
use crate::query::check::CheckedStep;
use crate::schema::Column;
use arrow::datatypes::{Field, Schema};
use datafusion::execution::memory_pool::MemoryReservation;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// What is known of the steps that have run.
#[derive(Debug, Default)]
pub(super) struct Run {
    /// Rows without a time, which are in no bar.
    pub(super) left_out: u64,
    /// Rows of the period and session that the query is about.
    pub(super) entered: u64,
    /// Rows that entered `where` of the step that last aggregated, and rows that left it.
    pub(super) aggregated: Option<(u64, u64)>,
    /// Missing values that aggregates of the steps left out.
    pub(super) missing: Vec<LeftOut>,
    /// Memory of the tables in between.
    held: Vec<MemoryReservation>,
}

impl Run {
    /// Nothing but the table was read.
    pub(super) fn over_table(left_out: u64) -> Self {
        Self { left_out, ..Self::default() }
    }
}

/// Makes the plan of the step that something is wanted of, given its input.
pub(super) type Then<T> = Box<
    dyn FnOnce(
        &CheckedStep,
        &Source,
        Run,
        &Arc<AtomicU64>,
    ) -> Result<(Plan, Vec<Column>, Finish<T>)>,
>;

/// Runs the steps before the one with the number `wanted`, and hands its input to `then`.
pub(super) fn up_to<T: 'static>(
    query: Arc<CheckedQuery>,
    wanted: usize,
    then: Then<T>,
) -> MakePlan<T> {
    from(query, 0, wanted, Run::default(), then)
}

fn from<T: 'static>(
    query: Arc<CheckedQuery>,
    place: usize,
    wanted: usize,
    mut run: Run,
    then: Then<T>,
) -> MakePlan<T> {
    Box::new(move |data, left_out, done| {
        run.left_out += left_out;
        let all = query.clone();
        let Some(step) = all.steps().nth(place) else {
            return Err(Error::Internal("a step that the query does not have".into()));
        };
        let schema = query.schema();
        let mut extent = Extent::all(data);
        if place == 0 {
            extent = Extent::of(query.frame(), schema, data)?;
            run.entered = extent.scanned;
        }
        let moved = |step: &CheckedStep| step.aggregates() || !step.sort().is_empty();
        let source = Source {
            data: data.clone(),
            series: step.series().map(str::to_owned),
            extent,
            shift: schema.market.day_shift(),
            in_time: !query.steps().take(place).any(moved),
        };
        if place == wanted {
            return then(step, &source, run, done);
        }
        let plan = plan(step, &source, done, 0)?;
        let columns: Vec<Column> = step.output().iter().map(|o| o.column.clone()).collect();
        let made = columns.clone();
        let aggregates = step.aggregates();
        let finish = move |finished: Finished| {
            if aggregates {
                run.aggregated = Some((finished.scanned, finished.matched));
            }
            let data = table(&finished, &made)?;
            run.missing.extend(finished.left_out);
            let reservation = finished.reservation;
            reservation.try_resize(data.bytes()).map_err(from_datafusion)?;
            run.held.push(reservation);
            Ok(After::Next(Arc::new(data), from(query, place + 1, wanted, run, then)))
        };
        Ok((plan, columns, Box::new(finish) as Finish<T>))
    })
}

/// What a step made, as a table.
fn table(finished: &Finished, columns: &[Column]) -> Result<TableData> {
    let batches = finished.rows.batches().iter().map(finite_batch).collect::<Result<Vec<_>>>()?;
    let schema = if let Some(batch) = batches.first() {
        batch.schema()
    } else {
        let fields = columns.iter().map(|c| Field::new(&c.name, arrow_type(c.kind), true));
        Arc::new(Schema::new(fields.collect::<Vec<_>>()))
    };
    TableData::new(&schema, batches).map_err(from_datafusion)
}
