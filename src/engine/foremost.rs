//! A step before a sort with a limit, that lets only those rows through which can be among the first.
//!
//! DataFusion's top-k encodes the keys of every batch that it is given and compares them with the worst
//! row that it holds. Of a column of numbers the worst of the first `k` values is known here as the rows
//! go by, and one comparison per value, several at a time (`compare`), keeps nearly all rows from it. What
//! is let through may be too much and is never too little; the sort behind it does the rest, the ties
//! among it.

use super::compare::{Lanes, all};
use super::scan::CHUNK_ROWS;
use arrow::array::{Array, ArrowPrimitiveType, AsArray, PrimitiveArray, RecordBatch};
use arrow::buffer::BooleanBuffer;
use arrow::compute::{SortOptions, filter_record_batch};
use arrow::datatypes::{
    DataType, Date32Type, Float64Type, Int32Type, Int64Type, SchemaRef, TimeUnit,
    TimestampMicrosecondType,
};
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode, TreeNodeRecursion};
use datafusion::common::{DataFusionError, Result};
use datafusion::execution::{RecordBatchStream, SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::Operator;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Column;
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::sorts::sort::SortExec;
use datafusion::physical_plan::{
    ChildrenPropertiesMode, DisplayAs, DisplayFormatType, ExecutionPlan, ExecutionPlanProperties,
    PlanProperties, ReplaceChildrenOptions,
};
use futures::{Stream, StreamExt};
use std::cmp::Ordering;
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

/// The rule that puts this step before sorts with a limit.
#[derive(Debug)]
pub(super) struct ForemostFirst;

impl PhysicalOptimizerRule for ForemostFirst {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up(|node| {
            let Some(own) = node.downcast_ref::<SortExec>().and_then(ForemostExec::before) else {
                return Ok(Transformed::no(node));
            };
            let options = ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute);
            node.replace_children(vec![Arc::new(own)], options).map(Transformed::yes)
        })
        .data()
    }

    fn name(&self) -> &'static str {
        "ForemostFirst"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

/// By what rows are told apart.
#[derive(Debug, Clone, Copy)]
struct First {
    column: usize,
    options: SortOptions,
    /// How many rows the sort keeps.
    rows: usize,
    /// Whether of two rows with one value the earlier comes first.
    stable: bool,
}

/// The step.
#[derive(Debug)]
struct ForemostExec {
    input: Arc<dyn ExecutionPlan>,
    first: First,
    properties: Arc<PlanProperties>,
}

impl ForemostExec {
    /// The step that `sort` can have before it, where it keeps a few rows by a column of numbers.
    fn before(sort: &SortExec) -> Option<Self> {
        let input = sort.input();
        // one more than a limit is asked for, to see whether it is like the last
        let rows = sort.fetch().filter(|rows| (1..=CHUNK_ROWS + 1).contains(rows))?;
        if input.output_partitioning().partition_count() != 1
            || input.downcast_ref::<Self>().is_some()
        {
            return None;
        }
        let mut keys = sort.expr().iter();
        let key = keys.next()?;
        let column = key.expr.downcast_ref::<Column>()?.index();
        let known = matches!(
            input.schema().fields().get(column)?.data_type(),
            DataType::Int32
                | DataType::Int64
                | DataType::Date32
                | DataType::Timestamp(TimeUnit::Microsecond, _)
                | DataType::Float64
        );
        // The rows come in the order of the other keys, or any order will do.
        let stable = input.equivalence_properties().ordering_satisfy(keys.cloned()).ok()?;
        let first = First { column, options: key.options, rows, stable };
        known.then(|| Self { input: input.clone(), first, properties: input.properties().clone() })
    }

    fn with_input(&self, children: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        let input = children.into_iter().next();
        let input = input.ok_or_else(|| DataFusionError::Internal("rows of nothing".into()))?;
        let properties = input.properties().clone();
        Ok(Arc::new(Self { input, first: self.first, properties }))
    }
}

impl DisplayAs for ForemostExec {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ForemostExec: {:?}", self.first)
    }
}

impl ExecutionPlan for ForemostExec {
    fn name(&self) -> &'static str {
        "ForemostExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![true]
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
        let input = self.input.execute(partition, context)?;
        let field = input.schema().field(self.first.column).data_type().clone();
        let best = match field {
            DataType::Float64 => Best::Float(Vec::new()),
            DataType::Int32 | DataType::Date32 => Best::Short(Vec::new()),
            _ => Best::Long(Vec::new()),
        };
        Ok(Box::pin(ForemostStream { input, first: self.first, best }))
    }
}

struct ForemostStream {
    input: SendableRecordBatchStream,
    first: First,
    best: Best,
}

/// The best values so far; once there are as many as the sort keeps rows, the first of them are the
/// best, and the last of these is what a value has to reach.
enum Best {
    Float(Vec<f64>),
    Long(Vec<i64>),
    Short(Vec<i32>),
}

impl ForemostStream {
    /// The rows of `batch` that may be among the first.
    fn pass(&mut self, batch: RecordBatch) -> Result<RecordBatch> {
        let (column, first) = (batch.column(self.first.column), self.first);
        let passed = match &mut self.best {
            Best::Float(best) => column
                .as_primitive_opt::<Float64Type>()
                .map(|c| pass(c, best, first, f64::total_cmp, |bound| bound == 0.0)),
            Best::Long(best) => match column.as_primitive_opt::<TimestampMicrosecondType>() {
                Some(c) => Some(pass(c, best, first, i64::cmp, |_| false)),
                None => column
                    .as_primitive_opt::<Int64Type>()
                    .map(|c| pass(c, best, first, i64::cmp, |_| false)),
            },
            Best::Short(best) => match column.as_primitive_opt::<Date32Type>() {
                Some(c) => Some(pass(c, best, first, i32::cmp, |_| false)),
                None => column
                    .as_primitive_opt::<Int32Type>()
                    .map(|c| pass(c, best, first, i32::cmp, |_| false)),
            },
        };
        match passed.flatten() {
            Some(bits) => Ok(filter_record_batch(&batch, &bits.into())?),
            None => Ok(batch),
        }
    }
}

/// Which of these values may be among the first, nothing for all of them, and what is best from now on.
/// `two_zeros`: the bound is equal to a value that the sort tells from it.
fn pass<T: ArrowPrimitiveType<Native: Lanes>>(
    column: &PrimitiveArray<T>,
    best: &mut Vec<T::Native>,
    First { options, rows, stable, .. }: First,
    order: impl Fn(&T::Native, &T::Native) -> Ordering,
    two_zeros: impl Fn(T::Native) -> bool,
) -> Option<BooleanBuffer> {
    let better = |a: &T::Native, b: &T::Native| {
        if options.descending { order(b, a) } else { order(a, b) }
    };
    let full = best.len() >= rows;
    if !full {
        best.extend(column.iter().flatten());
        settle(best, rows, better);
    }
    let bound = *best.get(rows - 1)?;
    // A value that is no number is neither more nor less than the bound, and passes.
    let op = match (options.descending, full && stable && !two_zeros(bound)) {
        (true, false) => Operator::Lt,
        (true, true) => Operator::LtEq,
        (false, false) => Operator::Gt,
        (false, true) => Operator::GtEq,
    };
    let worse = all(column, op, bound).into_parts().0;
    let mut bits = !&worse;
    if let Some(nulls) = column.nulls() {
        bits = if options.nulls_first { &bits | &!nulls.inner() } else { &bits & nulls.inner() };
    }
    if full {
        let values = bits.set_indices().filter(|&row| column.is_valid(row));
        best.extend(values.map(|row| column.value(row)));
        // Not for each batch that adds a few, so that many rows do not make it slow.
        if best.len() >= 2 * rows {
            settle(best, rows, better);
        }
    }
    Some(bits)
}

/// The best `rows` of the values, the last of them at the end.
fn settle<V>(best: &mut Vec<V>, rows: usize, better: impl Fn(&V, &V) -> Ordering) {
    if best.len() >= rows {
        best.select_nth_unstable_by(rows - 1, better);
        best.truncate(rows);
    }
}

impl Stream for ForemostStream {
    type Item = Result<RecordBatch>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let Some(batch) = ready!(self.input.poll_next_unpin(cx)?) else {
                return Poll::Ready(None);
            };
            let passed = self.pass(batch)?;
            if passed.num_rows() > 0 {
                return Poll::Ready(Some(Ok(passed)));
            }
        }
    }
}

impl RecordBatchStream for ForemostStream {
    fn schema(&self) -> SchemaRef {
        self.input.schema()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The numbers of the rows that a stable sort of all `values` would begin with, once as they are and
    /// once of those alone that pass, batch by batch.
    fn check<T: ArrowPrimitiveType<Native: Lanes>>(
        values: &[Option<T::Native>],
        batch: usize,
        first: First,
        order: impl Fn(&T::Native, &T::Native) -> Ordering + Copy,
        two_zeros: impl Fn(T::Native) -> bool + Copy,
    ) -> usize
    where
        PrimitiveArray<T>: FromIterator<Option<T::Native>>,
    {
        let mut best = Vec::new();
        let mut passed: Vec<usize> = Vec::new();
        for (at, some) in values.chunks(batch).enumerate() {
            let column: PrimitiveArray<T> = some.iter().copied().collect();
            match pass(&column, &mut best, first, order, two_zeros) {
                Some(bits) => passed.extend(bits.set_indices().map(|row| at * batch + row)),
                None => passed.extend(at * batch..at * batch + some.len()),
            }
        }
        let sorted = |mut rows: Vec<usize>| {
            rows.sort_by(|&a, &b| match (&values[a], &values[b]) {
                (Some(a), Some(b)) if first.options.descending => order(b, a),
                (Some(a), Some(b)) => order(a, b),
                (a, b) if first.options.nulls_first => a.is_some().cmp(&b.is_some()),
                (a, b) => b.is_some().cmp(&a.is_some()),
            });
            rows.truncate(first.rows);
            rows
        };
        let count = passed.len();
        assert_eq!(sorted(passed), sorted((0..values.len()).collect()));
        count
    }

    proptest! {
        #[test]
        fn what_is_among_the_first_passes(
            values in prop::collection::vec(prop::option::weighted(0.8, 0usize..12), 0..300),
            batch in 1usize..40,
            rows in 1usize..30,
            descending: bool,
            nulls_first: bool,
            stable: bool,
        ) {
            const FLOATS: [f64; 12] = [
                -0.0, 0.0, 1.0, -1.0, 2.5, f64::NAN, -f64::NAN, f64::INFINITY, f64::NEG_INFINITY,
                1e-300, 3.0, 4.0,
            ];
            let options = SortOptions::new(descending, nulls_first);
            let first = First { column: 0, options, rows, stable };
            let floats: Vec<_> = values.iter().map(|v| v.map(|v| FLOATS[v])).collect();
            check::<Float64Type>(&floats, batch, first, f64::total_cmp, |bound| bound == 0.0);
            let long: Vec<_> = values.iter().map(|v| v.map(|v| v as i64 - 6)).collect();
            check::<Int64Type>(&long, batch, first, i64::cmp, |_| false);
            let short: Vec<_> = values.iter().map(|v| v.map(|v| v as i32 - 6)).collect();
            check::<Int32Type>(&short, batch, first, i32::cmp, |_| false);
        }
    }

    #[test]
    fn few_rows_pass() {
        let options = SortOptions::new(true, false);
        let first = First { column: 0, options, rows: 10, stable: true };
        let mixed: Vec<_> = (0..100_000i64).map(|i| Some(i * 7919 % 100_003)).collect();
        let passed = check::<Int64Type>(&mixed, 1_000, first, i64::cmp, |_| false);
        assert!(passed < 200, "{passed}");
        // Many rows of the best value: those of the first batch are enough.
        let alike: Vec<_> = (0..10_000i64).map(|i| Some(i % 5)).collect();
        assert_eq!(check::<Int64Type>(&alike, 100, first, i64::cmp, |_| false), 20);
    }
}
