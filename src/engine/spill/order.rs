//! Sorts that go to the disk and are stable all the same: by the number of the row at last.

use crate::engine::arrange::ArrangeExec;
use arrow::array::{ArrayRef, RecordBatch, UInt64Array};
use arrow::compute::SortOptions;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::{RecordBatchStream, SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_expr::{
    EquivalenceProperties, LexOrdering, PhysicalExpr, PhysicalSortExpr,
};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::execution_plan::{Boundedness, EmissionType};
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, Partitioning, PlanProperties,
    ReplaceChildrenOptions,
};
use futures::{Stream, StreamExt};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// The rule that has DataFusion do the engine's own sorts.
#[derive(Debug)]
pub(in super::super) struct SortOnDisk;

impl PhysicalOptimizerRule for SortOnDisk {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up(|node| match node.downcast_ref::<ArrangeExec>() {
            Some(arrange) => Ok(Transformed::yes(sorted(arrange)?)),
            None => Ok(Transformed::no(node)),
        })
        .data()
    }

    fn name(&self) -> &'static str {
        "SortOnDisk"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// What `arrange` does: its rows numbered, sorted by its keys and the number, without the number.
fn sorted(arrange: &ArrangeExec) -> Result<Arc<dyn ExecutionPlan>> {
    let input = arrange.input();
    let schema = input.schema();
    let column = |at: usize| {
        let name = schema.fields().get(at).map(|field| field.name().as_str());
        Arc::new(Column::new(name.unwrap_or(NUMBER), at)) as Arc<dyn PhysicalExpr>
    };
    let count = schema.fields().len();
    let by = arrange.keys().map(|(at, options)| PhysicalSortExpr::new(column(at), options));
    let number = PhysicalSortExpr::new(column(count), SortOptions::default());
    let by = LexOrdering::new(by.chain([number]))
        .ok_or_else(|| DataFusionError::Internal("a sort by nothing".into()))?;
    let sort = Arc::new(SortExec::new(by, Arc::new(NumberExec::new(input.clone()))));
    let names = schema.fields().iter().map(|field| field.name().clone());
    let kept = names.enumerate().map(|(at, name)| (column(at), name));
    Ok(Arc::new(ProjectionExec::try_new(kept, sort)?))
}

/// The name of the number of a row, which a column of a plan may have too.
const NUMBER: &str = "__number";

/// A step that numbers rows, in a column behind their own.
#[derive(Debug)]
struct NumberExec {
    input: Arc<dyn ExecutionPlan>,
    properties: Arc<PlanProperties>,
}

impl NumberExec {
    fn new(input: Arc<dyn ExecutionPlan>) -> Self {
        let schema = input.schema();
        let number = Arc::new(Field::new(NUMBER, DataType::UInt64, false));
        let fields: Vec<_> = schema.fields().iter().cloned().chain([number]).collect();
        let schema = Arc::new(Schema::new_with_metadata(fields, schema.metadata().clone()));
        let properties = PlanProperties::new(
            EquivalenceProperties::new(schema),
            Partitioning::UnknownPartitioning(1),
            EmissionType::Incremental,
            Boundedness::Bounded,
        );
        Self { input, properties: Arc::new(properties) }
    }

    fn of(children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.into_iter().next();
        let input = input.ok_or_else(|| DataFusionError::Internal("numbers of nothing".into()))?;
        Ok(Arc::new(Self::new(input)))
    }
}

impl DisplayAs for NumberExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("NumberExec")
    }
}

impl ExecutionPlan for NumberExec {
    fn name(&self) -> &'static str {
        "NumberExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
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
        Self::of(children)
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Self::of(children)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let input = self.input.execute(partition, context)?;
        let schema = self.properties.eq_properties.schema().clone();
        Ok(Box::pin(Numbered { input, schema, next: 0 }))
    }
}

struct Numbered {
    input: SendableRecordBatchStream,
    schema: SchemaRef,
    next: u64,
}

impl Stream for Numbered {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        let Some(batch) = ready!(this.input.poll_next_unpin(cx)).transpose()? else {
            return Poll::Ready(None);
        };
        let end = this.next + batch.num_rows() as u64;
        let numbers: ArrayRef = Arc::new(UInt64Array::from_iter_values(this.next..end));
        this.next = end;
        let columns = batch.columns().iter().cloned().chain([numbers]).collect();
        let numbered = RecordBatch::try_new(this.schema.clone(), columns);
        Poll::Ready(Some(numbered.map_err(Into::into)))
    }
}

impl RecordBatchStream for Numbered {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}
