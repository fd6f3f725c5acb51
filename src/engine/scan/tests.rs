//! What a scan knows without reading a row, and what it reads.

use super::*;
use crate::engine::session::sessions;
use arrow::array::{Float64Array, Int64Array};
use datafusion::datasource::provider_as_source;
use datafusion::functions_aggregate::expr_fn::{count, sum};
use datafusion::logical_expr::{LogicalPlanBuilder, col, lit};
use datafusion::physical_plan::{collect, displayable};

const ROWS: i64 = 40_000;

/// Columns `id`, `x` (a null in four) and `y`, in batches of 10,000.
fn data() -> Arc<TableData> {
    let batches = (0..4).map(|part| {
        let ids = || part * (ROWS / 4)..(part + 1) * (ROWS / 4);
        let xs = ids().map(|id| (id % 4 > 0).then_some(id as f64));
        RecordBatch::try_from_iter([
            ("id", Arc::new(Int64Array::from_iter_values(ids())) as ArrayRef),
            ("x", Arc::new(xs.collect::<Float64Array>())),
            ("y", Arc::new(Int64Array::from_iter_values(ids().map(|id| id % 7)))),
        ])
        .unwrap()
    });
    let batches: Vec<_> = batches.collect();
    Arc::new(TableData::new(&batches[0].schema(), batches).unwrap())
}

/// The plan that is run, the rows that it read, and the first cell of what it gave.
fn run(
    table: MemoryTable,
    of: impl FnOnce(LogicalPlanBuilder) -> LogicalPlanBuilder,
) -> (String, u64, i64) {
    let done = table.done.clone();
    let (sessions, _) = sessions(1 << 30).unwrap();
    let scan = LogicalPlanBuilder::scan("t", provider_as_source(Arc::new(table)), None).unwrap();
    let plan = of(scan).build().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let state = sessions.of(&plan);
    let physical = runtime.block_on(state.create_physical_plan(&plan)).unwrap();
    let shown = displayable(physical.as_ref()).indent(false).to_string();
    let batches = runtime.block_on(collect(physical, sessions.task_ctx())).unwrap();
    let first = batches[0].column(0).as_primitive::<arrow::datatypes::Int64Type>().value(0);
    (shown, done.load(Ordering::Relaxed), first)
}

fn table() -> MemoryTable {
    MemoryTable::new(data(), Arc::default())
}

#[test]
fn rows_and_values_are_counted_without_reading_them() {
    let statistics = table().statistics().unwrap();
    assert_eq!(statistics.num_rows, Precision::Exact(40_000));
    let nulls: Vec<_> = statistics.column_statistics.iter().map(|c| c.null_count).collect();
    assert_eq!(nulls[..3], [0, 10_000, 0].map(Precision::Exact));
    for (counted, expected) in [(lit(1_i64), ROWS), (col("x"), ROWS / 4 * 3)] {
        let (plan, read, first) =
            run(table(), |scan| scan.aggregate(Vec::<Expr>::new(), [count(counted)]).unwrap());
        assert!(!plan.contains("ScanExec"), "{plan}");
        assert_eq!((read, first), (0, expected));
    }
}

#[test]
fn only_columns_that_are_used_are_read() {
    let (plan, read, first) = run(table(), |scan| {
        let kept = scan.filter(col("x").gt(lit(100.0))).unwrap();
        kept.aggregate(Vec::<Expr>::new(), [sum(col("y"))]).unwrap()
    });
    assert!(plan.contains("ScanExec: columns=[1, 2]"), "{plan}");
    let expected: i64 = (101..ROWS).filter(|id| id % 4 > 0).map(|id| id % 7).sum();
    assert_eq!((read, first), (40_000, expected));
}

#[test]
fn only_rows_of_a_period_are_read() {
    for rows in [0..5, 9_998..10_003, 25_000..40_000, 39_999..50_000] {
        let (plan, read, first) = run(table().only(rows.clone()), |scan| {
            scan.aggregate(Vec::<Expr>::new(), [sum(col("id"))]).unwrap()
        });
        let within = rows.start..rows.end.min(40_000);
        assert!(plan.contains("ScanExec: columns=[0]"), "{plan}");
        assert_eq!((read, first), (within.end - within.start, within.sum::<u64>() as i64));
    }
    // of a part of the rows only that none is missing is known
    let statistics = table().only(0..100).statistics().unwrap();
    let nulls: Vec<_> = statistics.column_statistics.iter().map(|c| c.null_count).collect();
    assert_eq!(statistics.num_rows, Precision::Exact(100));
    assert_eq!(nulls[..2], [Precision::Exact(0), Precision::Inexact(100)]);
}
