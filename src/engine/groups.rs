//! A step of a plan that groups without hashing, where the keys are whole numbers, dates, truth values
//! or texts of a dictionary, and have a small range: the keys of a row name a place of a table, and the
//! table has the group.
//!
//! A rule of the physical optimizer puts it in the place of DataFusion's aggregation. Nothing has to
//! be known of the keys beforehand: their range is that of the rows so far, and where it becomes too
//! big the groups so far go over to DataFusion's hash table and are found there from then on. The
//! aggregates themselves are DataFusion's, or our own. The groups come in the order of their first
//! rows, which DataFusion's aggregation does not promise: of keys with one hash, the later ones may come
//! behind all others of their batch there.

mod direct;
mod keys;

use super::scan::YIELD_ROWS;
use arrow::array::{ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::SchemaRef;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use datafusion::execution::{RecordBatchStream, SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{EmitTo, GroupsAccumulator};
use datafusion::physical_expr::aggregate::AggregateFunctionExpr;
use datafusion::physical_expr::{GroupsAccumulatorAdapter, OrderingRequirements, PhysicalExpr};
use datafusion::physical_expr_common::utils::evaluate_expressions_to_arrays;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::aggregates::group_values::{GroupValues, new_group_values};
use datafusion::physical_plan::aggregates::order::{GroupOrdering, GroupOrderingFull};
use datafusion::physical_plan::aggregates::{
    AggregateExec, AggregateMode, PhysicalGroupBy, aggregate_expressions, evaluate_group_by,
};
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, EmptyRecordBatchStream, ExecutionPlan,
    InputDistributionRequirements, InputOrderMode, PlanProperties, ReplaceChildrenOptions,
};
use direct::Direct;
use futures::{Stream, StreamExt};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

/// The rule that puts this step where it can be.
#[derive(Debug)]
pub(crate) struct GroupDirectly;

impl PhysicalOptimizerRule for GroupDirectly {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up(|node| match node.downcast_ref().and_then(GroupsExec::instead_of) {
            Some(groups) => Ok(Transformed::yes(Arc::new(groups) as Arc<dyn ExecutionPlan>)),
            None => Ok(Transformed::no(node)),
        })
        .data()
    }

    fn name(&self) -> &'static str {
        "GroupDirectly"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// The step, by the aggregation that it does.
#[derive(Debug)]
struct GroupsExec {
    aggregate: AggregateExec,
}

impl GroupsExec {
    /// The step that does what `aggregate` does, where it is from rows to results in one go, with
    /// keys that can have places, and without an order or a limit to make use of.
    fn instead_of(aggregate: &AggregateExec) -> Option<Self> {
        let groups = aggregate.group_expr();
        let plain =
            matches!(aggregate.mode(), AggregateMode::Single | AggregateMode::SinglePartitioned)
                && *aggregate.input_order_mode() == InputOrderMode::Linear
                && aggregate.limit_options().is_none()
                && groups.is_single()
                && !groups.is_empty();
        if !plain {
            return None;
        }
        let keys = groups.group_schema(&aggregate.input().schema()).ok()?;
        Direct::new(&keys)?;
        Some(Self { aggregate: aggregate.clone() })
    }
}

impl DisplayAs for GroupsExec {
    fn fmt_as(&self, how: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GroupsExec: ")?;
        self.aggregate.fmt_as(how, f)
    }
}

impl ExecutionPlan for GroupsExec {
    fn name(&self) -> &'static str {
        "GroupsExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.aggregate.properties()
    }

    fn input_distribution_requirements(&self) -> InputDistributionRequirements {
        self.aggregate.input_distribution_requirements()
    }

    fn required_input_ordering(&self) -> Vec<Option<OrderingRequirements>> {
        self.aggregate.required_input_ordering()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        self.aggregate.children()
    }

    fn apply_expressions(
        &self,
        f: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        self.aggregate.apply_expressions(f)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        options: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let aggregate = Arc::new(self.aggregate.clone()).replace_children(children, options)?;
        Ok(match aggregate.downcast_ref().and_then(Self::instead_of) {
            Some(groups) => Arc::new(groups),
            None => aggregate,
        })
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.replace_children(
            children,
            ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute),
        )
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let aggregate = &self.aggregate;
        let input = aggregate.input().execute(partition, context.clone())?;
        let key_schema = aggregate.group_expr().group_schema(&input.schema())?;
        let direct = Direct::new(&key_schema).ok_or_else(|| broken("keys without places"))?;
        let arguments = aggregate_expressions(
            aggregate.aggr_expr(),
            aggregate.mode(),
            aggregate.group_expr().num_group_exprs(),
        )?;
        let measures = aggregate.aggr_expr().iter().zip(arguments).zip(aggregate.filter_expr());
        let measures = measures.map(|((function, arguments), filter)| {
            Ok(Measure { arguments, filter: filter.clone(), groups: accumulator(function)? })
        });
        Ok(Box::pin(GroupsStream {
            group_by: aggregate.group_expr().clone(),
            schema: aggregate.schema(),
            input,
            key_schema,
            finder: Finder::Direct(direct),
            groups: Vec::new(),
            measures: measures.collect::<Result<_>>()?,
            phase: Phase::Read,
            memory: MemoryConsumer::new("groups").register(context.memory_pool()),
            batch_rows: context.session_config().batch_size(),
        }))
    }
}

fn broken(what: &str) -> DataFusionError {
    DataFusionError::Internal(what.into())
}

/// One of the aggregates.
struct Measure {
    arguments: Vec<Arc<dyn PhysicalExpr>>,
    filter: Option<Arc<dyn PhysicalExpr>>,
    groups: Box<dyn GroupsAccumulator>,
}

/// What computes an aggregate of all groups: one of the function's own, or one a group.
fn accumulator(function: &Arc<AggregateFunctionExpr>) -> Result<Box<dyn GroupsAccumulator>> {
    if function.groups_accumulator_supported() {
        return function.create_groups_accumulator();
    }
    let function = function.clone();
    Ok(Box::new(GroupsAccumulatorAdapter::new(move || function.create_accumulator())))
}

impl Measure {
    /// Takes a batch in, the group of each of its rows and how many groups there are.
    fn update(&mut self, batch: &RecordBatch, groups: &[usize], count: usize) -> Result<()> {
        let arguments = evaluate_expressions_to_arrays(&self.arguments, batch)?;
        let filter = match &self.filter {
            Some(filter) => Some(filter.evaluate(batch)?.into_array(batch.num_rows())?),
            None => None,
        };
        let filter = match &filter {
            Some(filter) => {
                Some(filter.as_boolean_opt().ok_or_else(|| broken("a filter of another type"))?)
            }
            None => None,
        };
        self.groups.update_batch(&arguments, groups, filter, count)
    }
}

/// What knows the group of a row.
enum Finder {
    Direct(Direct),
    /// DataFusion's.
    Hashed(Box<dyn GroupValues>),
}

impl Finder {
    fn len(&self) -> usize {
        match self {
            Self::Direct(direct) => direct.len(),
            Self::Hashed(hashed) => hashed.len(),
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Direct(direct) => direct.size(),
            Self::Hashed(hashed) => hashed.size(),
        }
    }
}

/// DataFusion's hash table, in the kind that numbers new groups by their rows. The other kind compares
/// keys a batch at a time and numbers those whose hash another key has after all the rest; hashes pass
/// over nulls, so that `(1, 2, null)` and `(1, null, 2)` have the same.
fn hash_table(keys: &SchemaRef) -> Result<Box<dyn GroupValues>> {
    new_group_values(keys.clone(), &GroupOrdering::Full(GroupOrderingFull::new()))
}

/// A running step. It has nothing of the plan that holds its input: what that keeps for its own time,
/// as a join does, is let go of with the input.
struct GroupsStream {
    group_by: PhysicalGroupBy,
    schema: SchemaRef,
    input: SendableRecordBatchStream,
    key_schema: SchemaRef,
    finder: Finder,
    /// The group of each row of a batch.
    groups: Vec<usize>,
    measures: Vec<Measure>,
    phase: Phase,
    memory: MemoryReservation,
    batch_rows: usize,
}

enum Phase {
    Read,
    /// A batch that needs too many places, the keys of the groups before it, and how many of them the
    /// hash table has.
    HandOver(RecordBatch, Vec<ArrayRef>, usize),
    /// The groups, and how many of them have gone out.
    Emit(RecordBatch, usize),
    Over,
}

impl GroupsStream {
    /// Takes a batch in.
    fn read(&mut self, batch: RecordBatch) -> Result<Phase> {
        let keys = evaluate_group_by(&self.group_by, &batch)?;
        let keys = keys.into_iter().next().ok_or_else(|| broken("no keys"))?;
        match &mut self.finder {
            Finder::Direct(direct) => {
                if !direct.find(&keys, &mut self.groups)? {
                    let known = direct.keys()?;
                    self.finder = Finder::Hashed(hash_table(&self.key_schema)?);
                    return Ok(Phase::HandOver(batch, known, 0));
                }
            }
            Finder::Hashed(hashed) => hashed.intern(&keys, &mut self.groups)?,
        }
        let count = self.finder.len();
        for measure in &mut self.measures {
            measure.update(&batch, &self.groups, count)?;
        }
        self.account(0)?;
        Ok(Phase::Read)
    }

    /// Gives the hash table some of the groups that there are, under the numbers that they have.
    fn hand_over(&mut self, batch: RecordBatch, keys: Vec<ArrayRef>, at: usize) -> Result<Phase> {
        let count = keys.first().map_or(0, |key| key.len());
        if at >= count {
            return self.read(batch);
        }
        let Finder::Hashed(hashed) = &mut self.finder else {
            return Err(broken("groups handed over to nothing"));
        };
        let rows = YIELD_ROWS.min(count - at);
        let piece: Vec<ArrayRef> = keys.iter().map(|key| key.slice(at, rows)).collect();
        hashed.intern(&piece, &mut self.groups)?;
        if !self.groups.iter().copied().eq(at..at + rows) {
            return Err(broken("a group that changed its number"));
        }
        self.account(keys.iter().map(|key| key.get_array_memory_size()).sum())?;
        Ok(Phase::HandOver(batch, keys, at + rows))
    }

    /// All groups with their aggregates.
    fn finish(&mut self) -> Result<Phase> {
        // What is not read any more need not be held.
        self.drop_input();
        if self.finder.len() == 0 {
            self.memory.free();
            return Ok(Phase::Over);
        }
        let mut columns = match &mut self.finder {
            Finder::Direct(direct) => direct.keys()?,
            Finder::Hashed(hashed) => hashed.emit(EmitTo::All)?,
        };
        for mut measure in std::mem::take(&mut self.measures) {
            columns.push(measure.groups.evaluate(EmitTo::All)?);
        }
        let batch = RecordBatch::try_new(self.schema.clone(), columns)?;
        self.drop_groups();
        self.memory.try_resize(batch.get_array_memory_size())?;
        Ok(Phase::Emit(batch, 0))
    }

    /// Goes on until there is something to tell. After an error it is over.
    fn advance(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<RecordBatch>>> {
        loop {
            self.phase = match std::mem::replace(&mut self.phase, Phase::Over) {
                Phase::Read => match self.input.poll_next_unpin(cx) {
                    Poll::Pending => {
                        self.phase = Phase::Read;
                        return Poll::Pending;
                    }
                    Poll::Ready(Some(batch)) => self.read(batch?)?,
                    Poll::Ready(None) => self.finish()?,
                },
                Phase::HandOver(batch, keys, at) => {
                    self.phase = self.hand_over(batch, keys, at)?;
                    cx.waker().wake_by_ref();
                    return Poll::Pending;
                }
                Phase::Emit(batch, at) => {
                    let rows = self.batch_rows.min(batch.num_rows() - at);
                    let piece = batch.slice(at, rows);
                    if at + rows < batch.num_rows() {
                        self.phase = Phase::Emit(batch, at + rows);
                    } else {
                        self.memory.free();
                    }
                    return Poll::Ready(Some(Ok(piece)));
                }
                Phase::Over => return Poll::Ready(None),
            };
        }
    }

    /// Lets go of what is read, and of what was for reading it.
    fn drop_input(&mut self) {
        self.input = Box::pin(EmptyRecordBatchStream::new(self.input.schema()));
        self.groups = Vec::new();
    }

    fn drop_groups(&mut self) {
        self.measures = Vec::new();
        if let Some(none) = Direct::new(&self.key_schema) {
            self.finder = Finder::Direct(none);
        }
    }

    /// Reserves what it holds, and `more`.
    fn account(&mut self, more: usize) -> Result<()> {
        let measures: usize = self.measures.iter().map(|measure| measure.groups.size()).sum();
        let groups = self.groups.capacity() * size_of::<usize>();
        self.memory.try_resize(self.finder.size() + groups + measures + more)
    }
}

impl Stream for GroupsStream {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        let next = this.advance(cx);
        if matches!(next, Poll::Ready(Some(Err(_)))) {
            // Whoever hears of it may keep the stream, and what is left is of use to nobody.
            this.drop_input();
            this.drop_groups();
            this.memory.free();
        }
        next
    }
}

impl RecordBatchStream for GroupsStream {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

#[cfg(test)]
mod tests;
