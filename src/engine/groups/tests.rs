//! The step beside the plan without it: the same rows in batches of the same size, and in the order of
//! the groups' first rows, which the other plan need not have.

use super::*;
use crate::engine::session::{Sessions, sessions};
use arrow::array::{
    Array, BooleanArray, Date32Array, DictionaryArray, Float64Array, Int32Array, Int64Array,
    StringArray, UInt32Array,
};
use arrow::compute::{SortColumn, cast, concat_batches, lexsort_to_indices, take_record_batch};
use arrow::datatypes::{DataType, Field, Int32Type, Schema, TimeUnit};
use arrow::row::{OwnedRow, RowConverter, SortField};
use datafusion::catalog::default_table_source::provider_as_source;
use datafusion::datasource::MemTable;
use datafusion::execution::memory_pool::MemoryPool;
use datafusion::functions_aggregate::expr_fn::{avg, count, count_distinct, max, median, min, sum};
use datafusion::logical_expr::{Expr, ExprFunctionExt, LogicalPlanBuilder, col, lit, rollup};
use datafusion::physical_plan::{collect, displayable};
use proptest::prelude::*;
use std::collections::HashSet;
use std::future::Future;

struct Host {
    sessions: Sessions,
    pool: Arc<dyn MemoryPool>,
    runtime: tokio::runtime::Runtime,
}

impl Host {
    fn new(memory_limit: usize) -> Self {
        let (sessions, pool) = sessions(memory_limit).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        Self { sessions, pool, runtime }
    }

    fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }

    /// The plan of a grouping, as the session makes it.
    fn plan(
        &self,
        batches: &[RecordBatch],
        keys: Vec<Expr>,
        measures: Vec<Expr>,
    ) -> Arc<dyn ExecutionPlan> {
        self.physical(scan(batches).aggregate(keys, measures))
    }

    fn physical(&self, plan: Result<LogicalPlanBuilder>) -> Arc<dyn ExecutionPlan> {
        let plan = plan.and_then(LogicalPlanBuilder::build).unwrap();
        self.wait(self.sessions.of(&plan).create_physical_plan(&plan)).unwrap()
    }

    fn run(&self, plan: Arc<dyn ExecutionPlan>) -> Result<Vec<RecordBatch>> {
        self.wait(collect(plan, self.sessions.task_ctx()))
    }

    /// Runs a grouping with the step and without it.
    fn compare(&self, batches: &[RecordBatch], keys: Vec<Expr>, measures: Vec<Expr>) {
        let rows = self.run(self.physical(scan(batches).project(keys.clone()))).unwrap();
        let by = keys.len();
        let with = self.plan(batches, keys, measures);
        assert!(is_direct(&with), "{}", displayable(with.as_ref()).indent(false));
        let without = plain(with.clone());
        assert!(!is_direct(&without));
        let (with, without) = (self.run(with).unwrap(), self.run(without).unwrap());
        let sizes = |all: &[RecordBatch]| all.iter().map(RecordBatch::num_rows).collect::<Vec<_>>();
        assert_eq!(sizes(&with), sizes(&without));
        for (with, without) in with.iter().zip(&without) {
            assert_eq!(with.schema(), without.schema());
        }
        let mut met = HashSet::new();
        let mut first = encoded(&rows, by);
        first.retain(|key| met.insert(key.clone()));
        assert!(encoded(&with, by) == first, "groups in another order than their first rows");
        assert_eq!(sorted(&with, by), sorted(&without, by));
        assert_eq!(self.pool.reserved(), 0);
    }
}

fn scan(batches: &[RecordBatch]) -> LogicalPlanBuilder {
    let table = MemTable::try_new(batches[0].schema(), vec![batches.to_vec()]).unwrap();
    LogicalPlanBuilder::scan("t", provider_as_source(Arc::new(table)), None).unwrap()
}

fn is_direct(plan: &Arc<dyn ExecutionPlan>) -> bool {
    plan.exists(|node| Ok(node.is::<GroupsExec>())).unwrap()
}

/// The plan with DataFusion's aggregation.
fn plain(plan: Arc<dyn ExecutionPlan>) -> Arc<dyn ExecutionPlan> {
    let aggregate = |node: &GroupsExec| Arc::new(node.aggregate.clone()) as Arc<dyn ExecutionPlan>;
    let plain = plan.transform_up(|node| match node.downcast_ref().map(aggregate) {
        Some(aggregate) => Ok(Transformed::yes(aggregate)),
        None => Ok(Transformed::no(node)),
    });
    plain.data().unwrap()
}

/// Codes mean nothing by themselves.
fn readable(array: &ArrayRef) -> ArrayRef {
    match array.data_type() {
        DataType::Dictionary(_, texts) => cast(array, texts).unwrap(),
        _ => array.clone(),
    }
}

/// The first columns of each row, as bytes that are the same where the values are.
fn encoded(batches: &[RecordBatch], columns: usize) -> Vec<OwnedRow> {
    let mut rows = Vec::new();
    let mut converter = None;
    for batch in batches {
        let keys: Vec<ArrayRef> = batch.columns()[..columns].iter().map(readable).collect();
        let converter = converter.get_or_insert_with(|| {
            let fields = keys.iter().map(|key| SortField::new(key.data_type().clone()));
            RowConverter::new(fields.collect()).unwrap()
        });
        rows.extend(converter.convert_columns(&keys).unwrap().iter().map(|row| row.owned()));
    }
    rows
}

/// All rows in one batch, in the order of their first columns.
fn sorted(batches: &[RecordBatch], columns: usize) -> Option<RecordBatch> {
    let readable = batches.iter().map(|batch| {
        let columns: Vec<ArrayRef> = batch.columns().iter().map(readable).collect();
        let names =
            batch.schema().fields().iter().map(|field| field.name().clone()).collect::<Vec<_>>();
        RecordBatch::try_from_iter_with_nullable(
            names.into_iter().zip(columns).map(|(name, column)| (name, column, true)),
        )
    });
    let readable = readable.collect::<Result<Vec<_>, _>>().unwrap();
    let all = concat_batches(&readable.first()?.schema(), &readable).unwrap();
    let keys = all.columns()[..columns].iter();
    let keys: Vec<_> = keys.map(|k| SortColumn { values: k.clone(), options: None }).collect();
    let order: UInt32Array = lexsort_to_indices(&keys, None).unwrap();
    Some(take_record_batch(&all, &order).unwrap())
}

fn measures() -> Vec<Expr> {
    let some = sum(col("x")).filter(col("n").gt(lit(40i64))).build().unwrap();
    vec![
        count(lit(1i64)),
        sum(col("x")),
        some.alias("some"),
        avg(col("x")),
        min(col("n")),
        max(col("x")),
        median(col("x")),
        count_distinct(col("n")),
    ]
}

/// Kinds of keys, by what their values are like.
#[derive(Debug, Clone, Copy)]
enum Like {
    Few,
    Truth,
    Narrow,
    /// Later batches have later ones.
    Dates,
    /// Later batches have smaller ones.
    Sinking,
    /// Small at first, anything from the third batch on.
    Wild,
    /// Each batch has a dictionary of its own.
    Texts,
    /// All batches have one dictionary.
    Shared,
}

const KINDS: [Like; 8] = [
    Like::Few,
    Like::Truth,
    Like::Narrow,
    Like::Dates,
    Like::Sinking,
    Like::Wild,
    Like::Texts,
    Like::Shared,
];

impl Like {
    fn array(self, batch: usize, bits: &[u64], shared: &ArrayRef) -> ArrayRef {
        let at = batch as i64;
        let known = |bits: u64| (bits >> 60) != 0;
        let whole = |make: &dyn Fn(u64) -> i64| {
            let values: Vec<_> = bits.iter().map(|&b| known(b).then(|| make(b))).collect();
            values.into_iter()
        };
        let own = |b: u64| (b >> 8) as i64;
        match self {
            Self::Few => Arc::new(whole(&|b| own(b) % 5 - 2).collect::<Int64Array>()),
            Self::Truth => {
                let truths = bits.iter().map(|&b| known(b).then_some(b & 256 > 0));
                Arc::new(truths.collect::<BooleanArray>())
            }
            Self::Narrow => {
                let values = whole(&|b| own(b) % 300).map(|v| v.map(|v| v as i32));
                Arc::new(values.collect::<Int32Array>())
            }
            Self::Dates => {
                let days = whole(&|b| 19_000 + at * 25 + own(b) % 40).map(|v| v.map(|v| v as i32));
                Arc::new(days.collect::<Date32Array>())
            }
            Self::Sinking => Arc::new(whole(&|b| own(b) % 9 - at * 70).collect::<Int64Array>()),
            Self::Wild => {
                let wild = |b: u64| match b % 4 {
                    _ if batch < 2 => own(b) % 7,
                    0 => i64::MIN,
                    1 => i64::MAX,
                    2 => b as i64,
                    _ => own(b) % 7,
                };
                Arc::new(whole(&wild).collect::<Int64Array>())
            }
            Self::Texts => {
                let later = format!("t{batch}");
                let texts = [Some("b"), Some(later.as_str()), None, Some("a"), Some("b"), Some("")];
                dictionary(bits.iter().map(|&b| known(b).then_some(own(b) as i32 & 3)), &texts)
            }
            Self::Shared => {
                let texts = shared.as_dictionary::<Int32Type>().values().clone();
                let codes = bits.iter().map(|&b| known(b).then_some((own(b) % 40) as i32));
                Arc::new(DictionaryArray::new(codes.collect::<Int32Array>(), texts))
            }
        }
    }
}

fn dictionary(codes: impl Iterator<Item = Option<i32>>, texts: &[Option<&str>]) -> ArrayRef {
    let texts = Arc::new(StringArray::from(texts.to_vec()));
    Arc::new(DictionaryArray::new(codes.collect::<Int32Array>(), texts))
}

/// Batches with keys of these kinds, and numbers; the first `cut` rows of each are cut off.
fn batches(kinds: &[Like], rows: &[Vec<u64>], cut: usize) -> Vec<RecordBatch> {
    let texts: Vec<String> = (0..40).map(|n| format!("s{n}")).collect();
    let texts: Vec<Option<&str>> = texts.iter().map(|t| Some(t.as_str())).collect();
    let shared = dictionary(std::iter::empty(), &texts);
    let made = rows.iter().enumerate().map(|(at, rows)| {
        let mut columns: Vec<(String, ArrayRef)> = Vec::new();
        for (key, kind) in kinds.iter().enumerate() {
            // Other bits for each key.
            let bits: Vec<u64> = rows.iter().map(|b| b.rotate_left(13 * key as u32)).collect();
            columns.push((format!("k{key}"), kind.array(at, &bits, &shared)));
        }
        let x = rows.iter().map(|b| (b % 11 > 0).then_some((b % 1000) as f64 / 7.0));
        columns.push(("x".into(), Arc::new(x.collect::<Float64Array>())));
        let n = rows.iter().map(|b| Some((b % 100) as i64));
        columns.push(("n".into(), Arc::new(n.collect::<Int64Array>())));
        let fields = columns.iter().map(|(n, a)| Field::new(n, a.data_type().clone(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Vec<_>>()));
        let arrays = columns.into_iter().map(|(_, array)| array).collect();
        let batch = RecordBatch::try_new(schema, arrays).unwrap();
        let cut = cut.min(batch.num_rows());
        batch.slice(cut, batch.num_rows() - cut)
    });
    made.collect()
}

fn keys(kinds: &[Like]) -> Vec<Expr> {
    (0..kinds.len()).map(|key| col(format!("k{key}"))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn groups_are_those_of_the_plan_without_the_step(
        kinds in proptest::collection::vec(proptest::sample::select(KINDS.to_vec()), 1..4),
        rows in proptest::collection::vec(proptest::collection::vec(any::<u64>(), 0..70), 1..7),
        cut in 0usize..5,
    ) {
        let host = Host::new(1 << 30);
        host.compare(&batches(&kinds, &rows, cut), keys(&kinds), measures());
    }
}

/// Many groups, the last batch of which has keys all over.
fn many(rows: usize, wild: bool) -> Vec<RecordBatch> {
    let value = |i: usize| match i {
        i if wild && i > rows - 100 => i as i64 * 1_000_000_007,
        i => (i * 7919 % rows) as i64,
    };
    let ids: Vec<i64> = (0..rows).map(value).collect();
    let schema = Schema::new(vec![
        Field::new("k0", DataType::Int64, false),
        Field::new("x", DataType::Float64, true),
    ]);
    let schema = Arc::new(schema);
    let made = ids.chunks(16_384).map(|ids| {
        let x = ids.iter().map(|id| *id as f64 / 3.0).collect::<Vec<_>>();
        let columns: Vec<ArrayRef> =
            vec![Arc::new(Int64Array::from(ids.to_vec())), Arc::new(Float64Array::from(x))];
        RecordBatch::try_new(schema.clone(), columns).unwrap()
    });
    made.collect()
}

#[test]
fn many_groups_come_in_batches_and_move_to_the_hash_table() {
    let host = Host::new(1 << 30);
    for wild in [false, true] {
        host.compare(&many(150_000, wild), vec![col("k0")], vec![sum(col("x"))]);
    }
    // Keys that are computed, and no aggregate at all.
    let key = (col("k0") % lit(1000i64)).alias("k");
    host.compare(&many(30_000, false), vec![key.clone()], vec![avg(col("x"))]);
    host.compare(&many(30_000, false), vec![key], vec![]);
}

#[test]
fn groups_of_keys_with_one_hash_move_to_the_hash_table() {
    // Hashes pass over nulls: the first two rows have the same one.
    let rows = [
        [Some(1), Some(2), None],
        [Some(1), None, Some(2)],
        [Some(1), Some(3), Some(3)],
        [Some(1_000_000_000), Some(1), Some(1)],
        [None, Some(1), Some(2)],
        [None, None, None],
    ];
    let batch = |rows: &[[Option<i64>; 3]]| {
        let key = |at: usize| rows.iter().map(|row| row[at]).collect::<Int64Array>();
        let column = |at: usize| (format!("k{at}"), Arc::new(key(at)) as ArrayRef, true);
        RecordBatch::try_from_iter_with_nullable((0..3).map(column)).unwrap()
    };
    let host = Host::new(1 << 30);
    let keys = || (0..3).map(|key| col(format!("k{key}"))).collect::<Vec<_>>();
    let measures = || vec![count(lit(1i64)), sum(col("k2"))];
    host.compare(&[batch(&rows[..3]), batch(&rows[3..4])], keys(), measures());
    // Among the rows after that too, and again.
    host.compare(&[batch(&rows[..3]), batch(&rows[3..]), batch(&rows)], keys(), measures());
    host.compare(&[batch(&rows[3..]), batch(&rows)], keys(), measures());
}

#[test]
fn other_groupings_stay_as_they_are() {
    let host = Host::new(1 << 30);
    let batches = batches(&[Like::Few, Like::Truth], &[vec![1 << 61; 9]], 0);
    let total = || vec![sum(col("x"))];
    assert!(is_direct(&host.plan(&batches, vec![col("k0"), col("k1")], total())));
    for keys in [
        vec![],
        vec![col("x")],
        vec![col("k0"), col("x")],
        vec![cast_to(DataType::Utf8, col("k0"))],
        vec![cast_to(DataType::Timestamp(TimeUnit::Microsecond, None), col("k0"))],
        vec![rollup(vec![col("k0"), col("k1")])],
    ] {
        let plan = host.plan(&batches, keys.clone(), total());
        assert!(!is_direct(&plan), "{keys:?}");
        assert!(host.run(plan).is_ok());
    }
}

fn cast_to(data_type: DataType, expr: Expr) -> Expr {
    datafusion::logical_expr::cast(expr, data_type)
}

#[test]
fn memory_is_accounted_for_and_given_back() {
    let host = Host::new(1 << 30);
    for wild in [false, true] {
        let plan = host.plan(&many(100_000, wild), vec![col("k0")], vec![sum(col("x"))]);
        assert!(is_direct(&plan));
        let mut stream = plan.execute(0, host.sessions.task_ctx()).unwrap();
        let mut most = 0;
        host.wait(async {
            while let Some(batch) = stream.next().await {
                batch.unwrap();
                most = most.max(host.pool.reserved());
            }
        });
        // Eight bytes each for the key and the sum of a group.
        assert!(most >= 100_000 * 16, "{most}");
        assert_eq!(host.pool.reserved(), 0);
    }

    let small = Host::new(300 << 10);
    let plan = small.plan(&many(100_000, false), vec![col("k0")], vec![sum(col("x"))]);
    let refused = small.run(plan).unwrap_err();
    assert!(matches!(refused, DataFusionError::ResourcesExhausted(_)), "{refused}");
    assert_eq!(small.pool.reserved(), 0);
}

#[test]
fn a_stream_that_is_dropped_leaves_nothing_behind() {
    let host = Host::new(1 << 30);
    let plan = host.plan(&many(100_000, false), vec![col("k0")], vec![sum(col("x"))]);
    let mut stream = plan.execute(0, host.sessions.task_ctx()).unwrap();
    host.wait(stream.next()).unwrap().unwrap();
    assert!(host.pool.reserved() > 0);
    drop(stream);
    assert_eq!(host.pool.reserved(), 0);
}

#[test]
fn an_error_gives_the_memory_back_while_the_stream_is_still_there() {
    // At the first batch, and where the batches before have taken some.
    for limit in [300_000, 1_000_000, 1_500_000] {
        let small = Host::new(limit);
        let plan = small.plan(&many(100_000, false), vec![col("k0")], vec![sum(col("x"))]);
        let mut stream = plan.execute(0, small.sessions.task_ctx()).unwrap();
        let refused = small.wait(stream.next()).unwrap().unwrap_err();
        assert!(matches!(refused, DataFusionError::ResourcesExhausted(_)), "{refused}");
        assert_eq!(small.pool.reserved(), 0);
        assert!(small.wait(stream.next()).is_none());
    }
}

#[test]
fn a_stream_does_not_hold_the_plan_of_its_input() {
    let host = Host::new(1 << 30);
    let plan = host.plan(&many(100_000, false), vec![col("k0")], vec![sum(col("x"))]);
    let mut below = None;
    plan.apply(|node| {
        if node.is::<GroupsExec>() {
            below = node.children().first().map(|child| Arc::downgrade(child));
        }
        Ok(TreeNodeRecursion::Continue)
    })
    .unwrap();
    let below = below.unwrap();
    let mut stream = plan.execute(0, host.sessions.task_ctx()).unwrap();
    drop(plan);
    assert!(host.wait(stream.next()).unwrap().unwrap().num_rows() < 100_000);
    assert!(below.upgrade().is_none());
}
