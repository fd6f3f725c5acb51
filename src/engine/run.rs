//! Running a plan a bounded amount of work at a time, on the caller's thread.
//!
//! Nothing runs between two steps: the host yields to its event loop there, shows progress, or drops
//! the execution, which is how a query is cancelled; it leaves nothing behind.

use super::bars::Bars;
use super::held::Held;
use super::plan::{Fetch, LeftOut, Matched, Missing, Plan};
use super::relay::Counter;
use super::rows::ArrowRows;
use super::scan::{TableData, YIELD_ROWS};
use super::{BarsKey, Disk, Shared, tables};
use crate::engine::errors::{from_arrow, from_datafusion};
use crate::error::{Code, Diagnostic, Error, Result};
use crate::schema::Column;
use arrow::array::{
    ArrayRef, AsArray, DictionaryArray, RecordBatch, RecordBatchOptions, StringArray,
};
use arrow::datatypes::{DataType, Field, Int32Type, Int64Type, Schema, SchemaRef};
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use datafusion::execution::session_state::SessionState;
use datafusion::logical_expr::LogicalPlan;
use datafusion::physical_plan::{EmptyRecordBatchStream, ExecutionPlan, execute_stream};
use futures::StreamExt;
use std::future::poll_fn;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::Poll;

/// What a step of an execution came to.
#[derive(Debug, Clone)]
pub enum Step<T> {
    /// There is more to do.
    Working {
        /// Rows read so far.
        rows_done: u64,
        /// Rows to read in all.
        rows_total: u64,
    },
    /// It is done; there are no more steps.
    Done(T),
}

/// A running query. Call [`step`](Execution::step) until it is done; drop it to cancel.
pub struct Execution<T> {
    shared: Rc<Shared>,
    phase: Phase<T>,
    done: Arc<AtomicU64>,
    total: u64,
    id: Option<String>,
}

/// What is made of the finished rows: what was wanted, or the next step's input and plan.
pub(super) type Finish<T> = Box<dyn FnOnce(Finished) -> Result<After<T>>>;

/// What comes after a plan has run.
pub(super) enum After<T> {
    Done(T),
    Next(Arc<TableData>, MakePlan<T>),
}

/// Makes the plan, once the rows it reads are there.
pub(super) type MakePlan<T> = Box<
    dyn FnOnce(&Arc<TableData>, u64, &Arc<AtomicU64>) -> Result<(Plan, Vec<Column>, Finish<T>)>,
>;

/// Bars to be made before a plan can run.
pub(super) struct Resampling {
    pub(super) bars: Box<Bars>,
    pub(super) from: Arc<TableData>,
    pub(super) key: BarsKey,
    pub(super) next: usize,
}

/// The rows of a finished plan.
pub(super) struct Finished {
    pub(super) rows: Arc<ArrowRows>,
    pub(super) reservation: MemoryReservation,
    pub(super) scanned: u64,
    pub(super) matched: u64,
    /// Groups before the limit.
    pub(super) groups: Option<u64>,
    /// Missing values that aggregates left out.
    pub(super) left_out: Vec<LeftOut>,
}

enum Phase<T> {
    Resample(Resampling, MakePlan<T>),
    Plan(Arc<TableData>, u64, MakePlan<T>),
    Run(Box<Running<T>>),
    /// It was refused memory, and might continue on a disk.
    Refused(Box<Running<T>>, Error),
    /// There was nothing to do.
    Ready(T),
    /// It is done, or has failed.
    Over,
}

struct Running<T> {
    /// What the stream was opened from.
    rows: LogicalPlan,
    /// Rows that its scans read.
    reads: u64,
    /// Why it runs on a disk.
    on_disk: Option<Error>,
    stream: SendableRecordBatchStream,
    /// The pass that counts the matching rows.
    pass: Option<SendableRecordBatchStream>,
    matched: u64,
    counter: Option<Counter>,
    groups: Option<Counter>,
    missing: Missing,
    fetch: Option<Fetch>,
    /// Rows of the stream that are not fetched yet.
    unfetched: Option<RecordBatch>,
    batches: Vec<RecordBatch>,
    held: Held,
    columns: Vec<Column>,
    names: Vec<Option<Arc<StringArray>>>,
    reservation: MemoryReservation,
    /// What the plan's windows hold, which DataFusion does not account for.
    windows: MemoryReservation,
    scanned: u64,
    finish: Finish<T>,
}

impl<T> Execution<T> {
    pub(super) fn over_table(
        shared: Rc<Shared>,
        data: Arc<TableData>,
        left_out: u64,
        plan: MakePlan<T>,
    ) -> Self {
        let total = data.rows();
        Self {
            shared,
            phase: Phase::Plan(data, left_out, plan),
            done: Arc::default(),
            total,
            id: None,
        }
    }

    pub(super) fn over_bars(shared: Rc<Shared>, bars: Resampling, plan: MakePlan<T>) -> Self {
        let total = bars.from.rows();
        Self { shared, phase: Phase::Resample(bars, plan), done: Arc::default(), total, id: None }
    }

    pub(super) fn ready(shared: Rc<Shared>, done: T) -> Self {
        Self { shared, phase: Phase::Ready(done), done: Arc::default(), total: 0, id: None }
    }

    pub(super) fn named(self, id: String) -> Self {
        Self { id: Some(id), ..self }
    }

    /// The id of the result that it makes.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// It was refused memory, and there is no disk. Where one is given ([`spill_to`](Self::spill_to)), the next step begins
    /// again on that; where not, it is an error.
    pub fn wants_disk(&self) -> bool {
        matches!(self.phase, Phase::Refused(..)) && self.shared.sessions.on_disk().is_none()
    }

    /// [`Engine::spill_to`](super::Engine::spill_to), of the engine that runs it.
    ///
    /// # Errors
    /// A mistake of ours.
    pub fn spill_to(&self, disk: Box<dyn Disk>) -> Result<()> {
        self.shared.spill_to(disk)
    }

    /// Does some of the work (about 65,000 rows read, or one sort) and tells how far it is.
    ///
    /// Not to be called from inside a tokio runtime of the caller's.
    ///
    /// # Errors
    /// Memory limit, integer overflow, or a mistake of ours; the execution is over then.
    pub fn step(&mut self) -> Result<Step<T>> {
        let done = match std::mem::replace(&mut self.phase, Phase::Over) {
            Phase::Resample(bars, plan) => {
                self.phase = self.resample(bars, plan)?;
                None
            }
            Phase::Plan(data, left_out, plan) => {
                self.phase = self.plan(&data, left_out, plan)?;
                None
            }
            Phase::Run(running) => self.run(running)?,
            Phase::Refused(running, error) => {
                self.phase = Phase::Run(self.again(running, error)?);
                None
            }
            Phase::Ready(done) => Some(done),
            Phase::Over => return Err(Error::Internal("a step after the last".into())),
        };
        Ok(match done {
            Some(done) => Step::Done(done),
            None => Step::Working {
                rows_done: self.done.load(Ordering::Relaxed).min(self.total),
                rows_total: self.total,
            },
        })
    }

    /// Runs to the end without yielding: for tests and servers.
    pub fn finish(mut self) -> Result<T> {
        loop {
            if let Step::Done(done) = self.step()? {
                return Ok(done);
            }
        }
    }

    fn resample(&mut self, mut work: Resampling, plan: MakePlan<T>) -> Result<Phase<T>> {
        let mut rows = 0;
        while let Some(batch) = work.from.batches().get(work.next) {
            work.bars.add(batch)?;
            work.next += 1;
            rows += batch.num_rows();
            if rows >= YIELD_ROWS {
                self.done.fetch_add(rows as u64, Ordering::Relaxed);
                return Ok(Phase::Resample(work, plan));
            }
        }
        self.done.fetch_add(rows as u64, Ordering::Relaxed);
        let left_out = work.bars.left_out;
        let (schema, batch) = work.bars.finish()?;
        let data = TableData::new(&schema, slices(&batch)).map_err(from_datafusion)?;
        let data = Arc::new(data);
        self.shared.keep_bars(work.key, data.clone(), left_out)?;
        // The bars are few beside the rows they were made from.
        self.total += data.rows();
        Ok(Phase::Plan(data, left_out, plan))
    }

    fn plan(
        &mut self,
        data: &Arc<TableData>,
        left_out: u64,
        plan: MakePlan<T>,
    ) -> Result<Phase<T>> {
        let (plan, columns, finish) = plan(data, left_out, &self.done)?;
        let reads = plan.reads;
        self.total = self.total.saturating_sub(data.rows()) + reads;
        let windows = MemoryConsumer::new("windows").register(&self.shared.pool);
        let mut counter = None;
        let mut pass = None;
        match &plan.matched {
            Matched::All => {}
            Matched::Counted(counted) => counter = Some(counted.clone()),
            Matched::Pass(plan) => {
                pass = Some(self.open(plan, reads, &windows, false)?);
                self.total += reads;
            }
        }
        let stream = self.open(&plan.rows, reads, &windows, false)?;
        let reservation = MemoryConsumer::new("result").register(&self.shared.pool);
        Ok(Phase::Run(Box::new(Running {
            rows: plan.rows,
            reads,
            on_disk: None,
            stream,
            pass,
            matched: plan.scanned,
            counter,
            groups: plan.groups,
            missing: plan.missing,
            fetch: plan.fetch,
            unfetched: None,
            batches: Vec::new(),
            held: Held::beside(self.shared.all_rows()),
            columns,
            names: plan.names,
            reservation,
            windows,
            scanned: plan.scanned,
            finish,
        })))
    }

    /// The same from the beginning, on the disk; without one it fails as it did.
    fn again(&mut self, mut running: Box<Running<T>>, error: Error) -> Result<Box<Running<T>>> {
        if self.shared.sessions.on_disk().is_none() {
            return Err(error);
        }
        running.batches = Vec::new();
        running.held.clear();
        running.unfetched = None;
        running.reservation.free();
        running.windows.free();
        let counters = running.counter.iter().chain(&running.groups);
        counters.chain([&running.missing.counter]).for_each(Counter::reset);
        running.on_disk = Some(error);
        running.stream = self.open(&running.rows, running.reads, &running.windows, true)?;
        self.total += running.reads;
        Ok(running)
    }

    /// Optimises a plan and opens its stream. Windows hold `rows` rows whole.
    fn open(
        &self,
        plan: &LogicalPlan,
        rows: u64,
        windows: &MemoryReservation,
        on_disk: bool,
    ) -> Result<SendableRecordBatchStream> {
        let shared = &self.shared;
        let on_disk = shared.sessions.on_disk().filter(|_| on_disk);
        let state = on_disk.unwrap_or_else(|| shared.sessions.of(plan));
        let context = on_disk.map_or_else(|| shared.sessions.task_ctx(), SessionState::task_ctx);
        #[cfg(test)]
        let plan = &super::proto::travelled(plan, state).map_err(from_datafusion)?;
        let physical = shared.runtime.block_on(state.create_physical_plan(plan));
        let physical = physical.map_err(from_datafusion)?;
        #[cfg(test)]
        super::tests::hold_to_one_partition(&physical);
        let bytes =
            window_width(&physical).saturating_mul(usize::try_from(rows).unwrap_or(usize::MAX));
        windows.try_grow(bytes).map_err(from_datafusion)?;
        // Inside the runtime: a union of SQL spawns its inputs.
        let stream = shared.runtime.block_on(async { execute_stream(physical, context) });
        stream.map_err(from_datafusion)
    }

    fn run(&mut self, mut running: Box<Running<T>>) -> Result<Option<T>> {
        let over = match running.step(&self.shared) {
            Ok(over) => over,
            Err(error) if running.can_go_on(&error) => {
                // What it holds goes before anything else is asked for.
                running.stream = Box::pin(EmptyRecordBatchStream::new(running.stream.schema()));
                self.phase = Phase::Refused(running, error);
                return Ok(None);
            }
            // The first one says how much was wanted, whatever it is that the disk could not do.
            Err(error) if is_refusal(&error) || matches!(error, Error::Internal(_)) => {
                return Err(running.on_disk.unwrap_or(error));
            }
            Err(error) => return Err(error),
        };
        if !over {
            self.phase = Phase::Run(running);
            return Ok(None);
        }
        Ok(match running.done()? {
            After::Done(done) => Some(done),
            After::Next(data, plan) => {
                self.total += data.rows();
                self.phase = Phase::Plan(data, 0, plan);
                None
            }
        })
    }
}

impl<T> Running<T> {
    /// Some of the work; whether that was all.
    fn step(&mut self, shared: &Shared) -> Result<bool> {
        if let Some(pass) = &mut self.pass {
            match shared.poll(pass) {
                Poll::Pending => {}
                Poll::Ready(Some(batch)) => {
                    let counts = batch.map_err(from_datafusion)?;
                    let count =
                        counts.columns().first().and_then(|c| c.as_primitive_opt::<Int64Type>());
                    let count = count.filter(|c| !c.is_empty()).map_or(0, |c| c.value(0));
                    self.matched = count.unsigned_abs();
                }
                Poll::Ready(None) => self.pass = None,
            }
            return Ok(false);
        }
        loop {
            if self.fetch()? {
                return Ok(false);
            }
            match shared.poll(&mut self.stream) {
                Poll::Pending => return Ok(false),
                Poll::Ready(Some(batch)) => {
                    let batch = batch.map_err(from_datafusion)?;
                    match self.fetch {
                        Some(_) => self.unfetched = Some(batch),
                        None => self.keep(batch)?,
                    }
                }
                Poll::Ready(None) => return Ok(true),
            }
        }
    }

    /// The error is one that a disk may mend.
    fn can_go_on(&self, error: &Error) -> bool {
        self.on_disk.is_none() && self.pass.is_none() && is_refusal(error)
    }

    fn keep(&mut self, batch: RecordBatch) -> Result<()> {
        let bytes = self.held.more(&batch);
        self.reservation.try_grow(bytes).map_err(from_datafusion)?;
        self.batches.push(batch);
        Ok(())
    }

    /// Fetches some of the rows that wait for it; whether there were any.
    fn fetch(&mut self) -> Result<bool> {
        let (Some(fetch), Some(batch)) = (&self.fetch, self.unfetched.take()) else {
            return Ok(false);
        };
        let rows = fetch.rows(&batch)?;
        let left = batch.num_rows() - rows.num_rows();
        self.unfetched = (left > 0).then(|| batch.slice(rows.num_rows(), left));
        self.keep(rows)?;
        Ok(true)
    }

    fn done(self) -> Result<After<T>> {
        let batches = self.batches.iter().filter(|b| b.num_rows() > 0);
        let batches = batches.map(|b| named(b, &self.columns, &self.names));
        let rows = ArrowRows::new(self.columns.clone(), batches.collect::<Result<_>>()?);
        let matched = self.counter.map_or(self.matched, |counter| counter.get());
        (self.finish)(Finished {
            left_out: self.missing.left_out(matched),
            rows: Arc::new(rows),
            reservation: self.reservation,
            scanned: self.scanned,
            matched,
            groups: self.groups.map(|groups| groups.get()),
        })
    }
}

impl Shared {
    /// What a stream has: nothing yet, a batch, or its end.
    fn poll(
        &self,
        stream: &mut SendableRecordBatchStream,
    ) -> Poll<Option<datafusion::error::Result<RecordBatch>>> {
        self.runtime.block_on(async {
            let next = poll_fn(|cx| Poll::Ready(stream.poll_next_unpin(cx))).await;
            if next.is_pending() {
                // What was spawned (the inputs of a union) has its turn.
                tokio::task::yield_now().await;
            }
            next
        })
    }
}

fn is_refusal(error: &Error) -> bool {
    let refused = |d: &Diagnostic| d.code == Code::MemoryLimit;
    matches!(error, Error::Input(list) if list.iter().any(refused))
}

/// Bytes of a row of all the windows of a plan together.
fn window_width(plan: &Arc<dyn ExecutionPlan>) -> usize {
    let own = if plan.name() == "WindowAggExec" {
        let schema = plan.schema();
        let widths = schema.fields().iter().map(|f| f.data_type().primitive_width());
        widths.map(|width| width.unwrap_or(TEXT_WIDTH)).sum()
    } else {
        0
    };
    own + plan.children().into_iter().map(window_width).sum::<usize>()
}

/// Bytes that a text takes, about.
const TEXT_WIDTH: usize = 16;

/// The batch under the result's own names, codes as the text they stand for.
fn named(
    batch: &RecordBatch,
    columns: &[Column],
    names: &[Option<Arc<StringArray>>],
) -> Result<RecordBatch> {
    let mut fields = Vec::with_capacity(columns.len());
    let mut arrays: Vec<ArrayRef> = Vec::with_capacity(columns.len());
    for ((array, column), names) in batch.columns().iter().zip(columns).zip(names) {
        let array = match names {
            Some(names) if array.data_type() == &DataType::Int32 => {
                let codes = array.as_primitive::<Int32Type>().clone();
                let text = DictionaryArray::try_new(codes, names.clone()).map_err(from_arrow)?;
                Arc::new(text) as ArrayRef
            }
            _ => array.clone(),
        };
        fields.push(Field::new(&column.name, array.data_type().clone(), true));
        arrays.push(array);
    }
    let schema: SchemaRef = Arc::new(Schema::new(fields));
    let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
    RecordBatch::try_new_with_options(schema, arrays, &options).map_err(from_arrow)
}

/// A big batch in pieces of the usual size.
fn slices(batch: &RecordBatch) -> Vec<RecordBatch> {
    let starts = (0..batch.num_rows()).step_by(tables::BATCH_ROWS);
    starts
        .map(|start| batch.slice(start, tables::BATCH_ROWS.min(batch.num_rows() - start)))
        .collect()
}
