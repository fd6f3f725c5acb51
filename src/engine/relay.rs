//! A step of a plan that passes rows through, counts them, and cuts big batches so that what
//! follows hands the thread back. Nothing is pushed through it, so what it counts is exact.

use super::arrange;
use super::scan::YIELD_ROWS;
use arrow::array::{Array, RecordBatch};
use arrow::datatypes::SchemaRef;
use datafusion::catalog::Session;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{DFSchemaRef, DataFusionError, Result};
use datafusion::execution::context::QueryPlanner;
use datafusion::execution::{RecordBatchStream, SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::physical_planning_context::PhysicalPlanningContext;
use datafusion::logical_expr::{
    Expr, Extension, LogicalPlan, UserDefinedLogicalNode, UserDefinedLogicalNodeCore,
};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, ReplaceChildrenOptions,
};
use datafusion::physical_planner::{DefaultPhysicalPlanner, ExtensionPlanner, PhysicalPlanner};
use futures::{Stream, StreamExt};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{self, AtomicU64};
use std::task::{Context, Poll, ready};

/// How many rows passed a place of a plan, and how many of them had no value in some columns.
#[derive(Debug, Clone, Default)]
pub(crate) struct Counter(Arc<Counts>);

#[derive(Debug, Default)]
struct Counts {
    rows: AtomicU64,
    missing: Vec<(String, AtomicU64)>,
}

impl Counter {
    /// One that also counts the missing values of the columns that the plan has under these names.
    pub(crate) fn with_missing_in(columns: Vec<String>) -> Self {
        let missing = columns.into_iter().map(|name| (name, AtomicU64::new(0))).collect();
        Self(Arc::new(Counts { missing, ..Counts::default() }))
    }

    /// The rows that have passed so far.
    pub(crate) fn get(&self) -> u64 {
        self.0.rows.load(atomic::Ordering::Relaxed)
    }

    /// Rows without a value that have passed so far, in the order of the columns.
    pub(crate) fn missing(&self) -> Vec<u64> {
        self.0.missing.iter().map(|(_, n)| n.load(atomic::Ordering::Relaxed)).collect()
    }

    /// Nothing has passed yet: the plan runs once more.
    pub(crate) fn reset(&self) {
        let missing = self.0.missing.iter().map(|(_, n)| n);
        missing.chain([&self.0.rows]).for_each(|n| n.store(0, atomic::Ordering::Relaxed));
    }

    fn add(&self, batch: &RecordBatch) {
        self.0.rows.fetch_add(batch.num_rows() as u64, atomic::Ordering::Relaxed);
        for (name, missing) in &self.0.missing {
            let nulls = batch.column_by_name(name).map_or(0, Array::logical_null_count);
            missing.fetch_add(nulls as u64, atomic::Ordering::Relaxed);
        }
    }
}

/// The logical step.
#[derive(Debug, Clone)]
struct Relay {
    input: LogicalPlan,
    counter: Counter,
    passes: Passes,
}

/// What a relay passes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Passes {
    /// Everything, in pieces that are not too big.
    All,
    /// So many rows; the rest is only counted.
    First(usize),
}

/// `plan` with its rows counted in `counter`.
pub(crate) fn relay(plan: LogicalPlan, counter: Counter) -> LogicalPlan {
    LogicalPlan::Extension(Extension {
        node: Arc::new(Relay { input: plan, counter, passes: Passes::All }),
    })
}

/// The first `n` rows of `plan`, with all its rows counted in `counter`: a limit that reads to the end.
pub(crate) fn relay_first(plan: LogicalPlan, counter: Counter, n: usize) -> LogicalPlan {
    let node = Relay { input: plan, counter, passes: Passes::First(n) };
    LogicalPlan::Extension(Extension { node: Arc::new(node) })
}

/// The counter of a relay and how many rows it passes on, for plans that travel (`proto`).
#[cfg(test)]
pub(super) fn parts(node: &dyn UserDefinedLogicalNode) -> Option<(Counter, Option<usize>)> {
    let relay = node.as_any().downcast_ref::<Relay>()?;
    let first = match relay.passes {
        Passes::All => None,
        Passes::First(n) => Some(n),
    };
    Some((relay.counter.clone(), first))
}

impl PartialEq for Relay {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.counter.0, &other.counter.0)
            && self.passes == other.passes
            && self.input == other.input
    }
}

impl Eq for Relay {}

impl PartialOrd for Relay {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.input.partial_cmp(&other.input)
    }
}

impl Hash for Relay {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.input.hash(state);
    }
}

impl UserDefinedLogicalNodeCore for Relay {
    fn name(&self) -> &'static str {
        "Relay"
    }

    fn inputs(&self) -> Vec<&LogicalPlan> {
        vec![&self.input]
    }

    fn schema(&self) -> &DFSchemaRef {
        self.input.schema()
    }

    fn expressions(&self) -> Vec<Expr> {
        Vec::new()
    }

    fn fmt_for_explain(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Relay")
    }

    fn with_exprs_and_inputs(&self, _: Vec<Expr>, inputs: Vec<LogicalPlan>) -> Result<Self> {
        let input = inputs.into_iter().next().ok_or_else(no_input)?;
        Ok(Self { input, counter: self.counter.clone(), passes: self.passes })
    }

    fn necessary_children_exprs(&self, output_columns: &[usize]) -> Option<Vec<Vec<usize>>> {
        Some(vec![output_columns.to_vec()])
    }
}

fn no_input() -> DataFusionError {
    DataFusionError::Internal("a relay without an input".into())
}

/// DataFusion's planner, taught the steps of our own.
#[derive(Debug)]
pub(crate) struct Planner;

#[async_trait::async_trait]
impl QueryPlanner for Planner {
    async fn create_physical_plan(
        &self,
        plan: &LogicalPlan,
        state: &dyn Session,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        DefaultPhysicalPlanner::with_extension_planners(vec![Arc::new(OwnSteps)])
            .create_physical_plan(plan, state)
            .await
    }
}

struct OwnSteps;

#[async_trait::async_trait]
impl ExtensionPlanner for OwnSteps {
    async fn plan_extension(
        &self,
        _: &dyn PhysicalPlanner,
        node: &dyn UserDefinedLogicalNode,
        _: &[&LogicalPlan],
        inputs: &[Arc<dyn ExecutionPlan>],
        _: &dyn Session,
        _: &PhysicalPlanningContext,
    ) -> Result<Option<Arc<dyn ExecutionPlan>>> {
        let Some(relay) = node.as_any().downcast_ref::<Relay>() else {
            return arrange::planned(node, inputs);
        };
        let input = inputs.first().ok_or_else(no_input)?.clone();
        Ok(Some(Arc::new(RelayExec {
            input,
            counter: relay.counter.clone(),
            passes: relay.passes,
        })))
    }
}

/// The physical step.
#[derive(Debug)]
pub(super) struct RelayExec {
    input: Arc<dyn ExecutionPlan>,
    counter: Counter,
    passes: Passes,
}

impl DisplayAs for RelayExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RelayExec")
    }
}

impl ExecutionPlan for RelayExec {
    fn name(&self) -> &'static str {
        "RelayExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.input.properties()
    }

    /// It does keep the order, and its properties say so. Saying so here too would let the optimizer
    /// move a sort with its limit below the place that counts.
    fn maintains_input_order(&self) -> Vec<bool> {
        vec![false]
    }

    fn benefits_from_input_partitioning(&self) -> Vec<bool> {
        vec![false]
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.input]
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.into_iter().next().ok_or_else(no_input)?;
        Ok(Arc::new(Self { input, counter: self.counter.clone(), passes: self.passes }))
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.into_iter().next().ok_or_else(no_input)?;
        Ok(Arc::new(Self { input, counter: self.counter.clone(), passes: self.passes }))
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let input = self.input.execute(partition, context)?;
        Ok(Box::pin(RelayStream {
            input,
            counter: self.counter.clone(),
            left: match self.passes {
                Passes::First(n) => n,
                Passes::All => usize::MAX,
            },
            rest: None,
            pause: false,
        }))
    }
}

struct RelayStream {
    input: SendableRecordBatchStream,
    counter: Counter,
    /// Rows that may still pass.
    left: usize,
    /// What is left of a big batch.
    rest: Option<RecordBatch>,
    /// Hand the thread back before the next piece of it.
    pause: bool,
}

impl RelayStream {
    /// The next batch of the input, counted, cut to what may still pass.
    fn counted(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<RecordBatch>>> {
        let batch = match ready!(self.input.poll_next_unpin(cx)) {
            Some(Ok(batch)) => batch,
            other => return Poll::Ready(other),
        };
        self.counter.add(&batch);
        let batch = batch.slice(0, batch.num_rows().min(self.left));
        self.left -= batch.num_rows();
        Poll::Ready(Some(Ok(batch)))
    }
}

impl Stream for RelayStream {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.pause) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        let batch = match self.rest.take() {
            Some(rest) => rest,
            None => match ready!(self.counted(cx)) {
                Some(Ok(batch)) => batch,
                other => return Poll::Ready(other),
            },
        };
        if batch.num_rows() <= YIELD_ROWS {
            return Poll::Ready(Some(Ok(batch)));
        }
        let piece = batch.slice(0, YIELD_ROWS);
        self.rest = Some(batch.slice(YIELD_ROWS, batch.num_rows() - YIELD_ROWS));
        self.pause = true;
        Poll::Ready(Some(Ok(piece)))
    }
}

impl RecordBatchStream for RelayStream {
    fn schema(&self) -> SchemaRef {
        self.input.schema()
    }
}
