//! A step of a plan that sorts all its rows: stable, nulls last, by columns.
//!
//! DataFusion's own sort compares column by column, which for a million rows and several keys takes
//! seconds, and in one go. Here keys of a fixed width are not compared at all (`radix`); others become
//! bytes that compare as the keys do, the first eight of which decide nearly every comparison. The
//! thread is handed back between the phases. A rule of the physical optimizer puts the step into the
//! place of DataFusion's sorts, those below windows and of SQL among them. (With a limit, DataFusion's
//! top-k keeps the first rows only and is the better one.)

use super::radix::Radix;
use super::rows::batch_bytes;
use super::scan::YIELD_ROWS;
use arrow::array::{Array, ArrayRef, RecordBatch, UInt32Array};
use arrow::compute::{SortOptions, concat_batches, take_record_batch};
use arrow::datatypes::SchemaRef;
use arrow::row::{RowConverter, SortField};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::common::{DFSchemaRef, DataFusionError, Result};
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use datafusion::execution::{RecordBatchStream, SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{
    Expr, Extension, LogicalPlan, UserDefinedLogicalNode, UserDefinedLogicalNodeCore,
};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{EquivalenceProperties, PhysicalExpr};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
    ReplaceChildrenOptions,
};
use futures::{Stream, StreamExt};
use std::cmp::Ordering;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// A column to sort by.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd)]
pub(crate) struct Key {
    /// Its name in the plan.
    pub(crate) column: String,
    /// Largest first.
    pub(crate) descending: bool,
}

/// The logical step.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Arrange {
    input: LogicalPlan,
    keys: Vec<Key>,
}

/// `plan` sorted by `keys`; rows that are alike keep their order.
pub(crate) fn arrange(plan: LogicalPlan, keys: Vec<Key>) -> LogicalPlan {
    LogicalPlan::Extension(Extension { node: Arc::new(Arrange { input: plan, keys }) })
}

/// The keys of a sort, for plans that travel (`proto`).
#[cfg(test)]
pub(super) fn keys(node: &dyn UserDefinedLogicalNode) -> Option<&[Key]> {
    node.as_any().downcast_ref::<Arrange>().map(|arrange| arrange.keys.as_slice())
}

impl PartialOrd for Arrange {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        self.keys.partial_cmp(&other.keys)
    }
}

impl UserDefinedLogicalNodeCore for Arrange {
    fn name(&self) -> &'static str {
        "Arrange"
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
        write!(f, "Arrange: {:?}", self.keys)
    }

    fn with_exprs_and_inputs(&self, _: Vec<Expr>, inputs: Vec<LogicalPlan>) -> Result<Self> {
        let input = inputs.into_iter().next().ok_or_else(no_input)?;
        Ok(Self { input, keys: self.keys.clone() })
    }

    /// All columns: the keys are among them by name, and what is not read was dropped before.
    fn necessary_children_exprs(&self, _: &[usize]) -> Option<Vec<Vec<usize>>> {
        None
    }
}

fn no_input() -> DataFusionError {
    DataFusionError::Internal("a sort without an input".into())
}

/// The physical step of a logical one of this file.
pub(super) fn planned(
    node: &dyn UserDefinedLogicalNode,
    inputs: &[Arc<dyn ExecutionPlan>],
) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    let Some(arrange) = node.as_any().downcast_ref::<Arrange>() else { return Ok(None) };
    let input = inputs.first().ok_or_else(no_input)?.clone();
    let schema = input.schema();
    let key = |key: &Key| {
        Ok(SortKey {
            column: schema.index_of(&key.column)?,
            options: SortOptions::new(key.descending, false),
        })
    };
    let keys = arrange.keys.iter().map(key).collect::<Result<Vec<_>>>()?;
    let properties = PlanProperties::new(
        EquivalenceProperties::new(schema),
        Partitioning::UnknownPartitioning(1),
        EmissionType::Final,
        Boundedness::Bounded,
    );
    Ok(Some(Arc::new(ArrangeExec { input, keys, properties: Arc::new(properties) })))
}

/// The rule that puts this step into the place of DataFusion's sorts.
#[derive(Debug)]
pub(super) struct ArrangeInstead;

impl PhysicalOptimizerRule for ArrangeInstead {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up(|node| match node.downcast_ref().and_then(ArrangeExec::instead_of) {
            Some(arrange) => Ok(Transformed::yes(Arc::new(arrange) as Arc<dyn ExecutionPlan>)),
            None => Ok(Transformed::no(node)),
        })
        .data()
    }

    fn name(&self) -> &'static str {
        "ArrangeInstead"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// A column of the input to sort by.
#[derive(Debug, Clone)]
struct SortKey {
    column: usize,
    options: SortOptions,
}

/// The physical step.
#[derive(Debug)]
pub(super) struct ArrangeExec {
    input: Arc<dyn ExecutionPlan>,
    keys: Vec<SortKey>,
    properties: Arc<PlanProperties>,
}

impl ArrangeExec {
    pub(super) fn input(&self) -> &Arc<dyn ExecutionPlan> {
        &self.input
    }

    /// The columns of the input to sort by, and how.
    pub(super) fn keys(&self) -> impl Iterator<Item = (usize, SortOptions)> {
        self.keys.iter().map(|key| (key.column, key.options))
    }

    /// The step that does what `sort` does, where it sorts all rows, by columns that can be keys.
    fn instead_of(sort: &SortExec) -> Option<Self> {
        let input = sort.input();
        if sort.fetch().is_some() || input.properties().partitioning.partition_count() != 1 {
            return None;
        }
        let key = |column: usize, options| SortKey { column, options };
        let keys = sort
            .expr()
            .iter()
            .map(|by| Some(key(by.expr.downcast_ref::<Column>()?.index(), by.options)))
            .collect::<Option<Vec<_>>>()?;
        let schema = input.schema();
        // Others would be compared in one go, which DataFusion does batch by batch.
        keys.iter().all(|key| Radix::takes(schema.field(key.column).data_type())).then(|| Self {
            input: input.clone(),
            keys,
            properties: sort.properties().clone(),
        })
    }

    fn with_input(&self, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.into_iter().next().ok_or_else(no_input)?;
        let (keys, properties) = (self.keys.clone(), self.properties.clone());
        Ok(Arc::new(Self { input, keys, properties }))
    }
}

impl DisplayAs for ArrangeExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ArrangeExec: {:?}", self.keys)
    }
}

impl ExecutionPlan for ArrangeExec {
    fn name(&self) -> &'static str {
        "ArrangeExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
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
        self.with_input(children)
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.with_input(children)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let memory = MemoryConsumer::new("sort").register(context.memory_pool());
        let input = self.input.execute(partition, context)?;
        let phase = Phase::Gather(Vec::new());
        Ok(Box::pin(ArrangeStream { input, keys: self.keys.clone(), phase, memory }))
    }
}

struct ArrangeStream {
    input: SendableRecordBatchStream,
    keys: Vec<SortKey>,
    phase: Phase,
    memory: MemoryReservation,
}

enum Phase {
    Gather(Vec<RecordBatch>),
    Sort(RecordBatch),
    Deal(RecordBatch, Radix),
    /// The rows, their order, and how many of them have gone out.
    Emit(RecordBatch, UInt32Array, usize),
    Over,
}

impl ArrangeStream {
    /// One phase's work: a batch where there is one, and what comes next.
    fn advance(&mut self, phase: Phase) -> Result<(Option<RecordBatch>, Phase)> {
        Ok(match phase {
            Phase::Gather(batches) if batches.is_empty() => (None, Phase::Over),
            Phase::Gather(batches) => {
                (None, Phase::Sort(concat_batches(&self.input.schema(), &batches)?))
            }
            Phase::Sort(batch) => {
                let keys: Vec<(ArrayRef, SortOptions)> = self
                    .keys
                    .iter()
                    .map(|key| (batch.column(key.column).clone(), key.options))
                    .collect();
                if keys.iter().all(|(column, _)| Radix::takes(column.data_type())) {
                    self.memory.try_grow(Radix::bytes(batch.num_rows()))?;
                    if let Some(radix) = Radix::new(&keys) {
                        return Ok((None, Phase::Deal(batch, radix)));
                    }
                    self.memory.shrink(Radix::bytes(batch.num_rows()));
                }
                (None, self.emit(batch.clone(), self.compared(&keys)?))
            }
            Phase::Deal(batch, mut radix) => {
                let next = if radix.step() {
                    self.emit(batch, radix.order())
                } else {
                    Phase::Deal(batch, radix)
                };
                (None, next)
            }
            Phase::Emit(batch, order, at) => {
                let rows = YIELD_ROWS.min(order.len() - at);
                let piece = take_record_batch(&batch, &order.slice(at, rows))?;
                let at = at + rows;
                let next =
                    if at < order.len() { Phase::Emit(batch, order, at) } else { Phase::Over };
                (Some(piece), next)
            }
            Phase::Over => (None, Phase::Over),
        })
    }

    /// The last phase: of the memory only what the rows and their order take is held on to.
    fn emit(&self, batch: RecordBatch, order: UInt32Array) -> Phase {
        self.memory.resize(batch_bytes(&batch) + order.get_array_memory_size());
        Phase::Emit(batch, order, 0)
    }

    /// The order of rows by keys of any type.
    fn compared(&self, keys: &[(ArrayRef, SortOptions)]) -> Result<UInt32Array> {
        let field = |(column, options): &(ArrayRef, SortOptions)| {
            SortField::new_with_options(column.data_type().clone(), *options)
        };
        let columns: Vec<ArrayRef> = keys.iter().map(|(column, _)| column.clone()).collect();
        let rows =
            RowConverter::new(keys.iter().map(field).collect())?.convert_columns(&columns)?;
        self.memory.try_grow(rows.size() + rows.num_rows() * size_of::<(u64, u32)>())?;
        let mut order: Vec<(u64, u32)> =
            rows.iter().enumerate().map(|(i, row)| (prefix(row.as_ref()), i as u32)).collect();
        order.sort_unstable_by(|a, b| {
            let rest = || rows.row(a.1 as usize).cmp(&rows.row(b.1 as usize));
            a.0.cmp(&b.0).then_with(rest).then(a.1.cmp(&b.1))
        });
        Ok(UInt32Array::from_iter_values(order.into_iter().map(|(_, row)| row)))
    }
}

/// The first eight bytes as a number that compares as they do.
fn prefix(bytes: &[u8]) -> u64 {
    let mut first = [0; 8];
    for (slot, byte) in first.iter_mut().zip(bytes) {
        *slot = *byte;
    }
    u64::from_be_bytes(first)
}

impl Stream for ArrangeStream {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if let Phase::Gather(batches) = &mut this.phase {
            while let Some(batch) = ready!(this.input.poll_next_unpin(cx)) {
                let batch = batch?;
                // The rows once more as one batch.
                this.memory.try_grow(batch_bytes(&batch))?;
                batches.push(batch);
            }
        }
        let phase = std::mem::replace(&mut this.phase, Phase::Over);
        if let Phase::Over = phase {
            this.memory.free();
            return Poll::Ready(None);
        }
        let (batch, next) = this.advance(phase)?;
        this.phase = next;
        if let Some(batch) = batch {
            return Poll::Ready(Some(Ok(batch)));
        }
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

impl RecordBatchStream for ArrangeStream {
    fn schema(&self) -> SchemaRef {
        self.input.schema()
    }
}
