//! The engine's life: steps, cancelling, versions, memory, results, evidence. What queries mean is in
//! the golden files.

use super::*;
use crate::query::check::Role;
use crate::query::{Query, check};
use crate::schema::{Column, Kind};
use crate::value::{Decimal, Table};
use datafusion::physical_plan::{ExecutionPlan, ExecutionPlanProperties};
use serde_json::json;
use std::cell::Cell;

thread_local! {
    /// Plans that were opened by this test.
    static PLANS: Cell<usize> = const { Cell::new(0) };
    /// Those of them that let only rows through which can be among the first of a sort.
    static FOREMOST: Cell<usize> = const { Cell::new(0) };
    /// Those that compare for equality as the processor does.
    static EQUAL: Cell<usize> = const { Cell::new(0) };
}

/// Every plan of every test has one partition and deals nothing out; the inputs of a union are apart
/// until they are brought together.
pub(super) fn hold_to_one_partition(plan: &Arc<dyn ExecutionPlan>) {
    fn has_union(plan: &Arc<dyn ExecutionPlan>) -> bool {
        plan.name() == "UnionExec" || plan.children().into_iter().any(has_union)
    }
    fn hold(plan: &Arc<dyn ExecutionPlan>) {
        assert_ne!(plan.name(), "RepartitionExec");
        let apart = plan.output_partitioning().partition_count();
        assert!(apart == 1 || has_union(plan), "{apart} partitions of {}", plan.name());
        plan.children().into_iter().for_each(hold);
    }
    fn has_foremost(plan: &Arc<dyn ExecutionPlan>) -> bool {
        plan.name() == "ForemostExec" || plan.children().into_iter().any(has_foremost)
    }
    hold(plan);
    PLANS.set(PLANS.get() + 1);
    FOREMOST.set(FOREMOST.get() + usize::from(has_foremost(plan)));
    EQUAL.set(EQUAL.get() + usize::from(compare::is_equal_plainly(plan)));
}

/// `rows` minute bars of two series, 1,440 a day.
fn bars(rows: usize) -> LoadedTable {
    let columns: Vec<Column> = [
        ("time", Kind::Timestamp),
        ("symbol", Kind::Text),
        ("open", Kind::Float),
        ("high", Kind::Float),
        ("low", Kind::Float),
        ("close", Kind::Float),
        ("volume", Kind::Int),
    ]
    .into_iter()
    .map(|(name, kind)| Column::new(name, kind))
    .collect();
    let row = |i: usize| {
        let price = 100.0 + ((i * 7919) % 1000) as f64 / 100.0;
        vec![
            Value::Timestamp(i as i64 / 2 * 60_000_000),
            Value::text(if i.is_multiple_of(2) { "A" } else { "B" }),
            Value::Float(price),
            Value::Float(price + 1.0),
            Value::Float(price - 1.0),
            Value::Float(price + 0.5),
            Value::Int((i % 100) as i64),
        ]
    };
    let mut schema = TableSchema::new("bars", columns.clone());
    schema.time = Some("time".into());
    schema.series = Some("symbol".into());
    let table = Table { columns, rows: (0..rows).map(row).collect() };
    LoadedTable::from_rows(schema, &table).unwrap()
}

fn engine(rows: usize) -> Engine {
    let mut engine = Engine::new(Options::default()).unwrap();
    engine.insert(bars(rows)).unwrap();
    engine
}

fn checked(engine: &Engine, query: &serde_json::Value) -> Arc<CheckedQuery> {
    Arc::new(check(&Query::from_json(query).unwrap(), &engine.tables()).unwrap())
}

fn run(engine: &mut Engine, query: &serde_json::Value) -> Result<Arc<Outcome>> {
    engine.start(&checked(engine, query))?.finish()
}

fn code<T>(result: Result<T>) -> Option<Code> {
    match result {
        Err(Error::Input(list)) => list.first().map(|d| d.code),
        _ => None,
    }
}

#[test]
fn steps_are_bounded_and_tell_how_far_they_are() {
    let mut engine = engine(300_000);
    for query in [
        json!({"where": "close > open + 0.4", "select": "count()"}),
        json!({"map": {"p": "prev(close)"}, "where": "close > p", "limit": 5}),
        json!({"from": "daily", "map": {"gap": "gap()"}, "group_by": "dayname()", "select": "mean(gap)"}),
        json!({"where": "close > 101", "limit": 3}),
    ] {
        let mut execution = engine.start(&checked(&engine, &query)).unwrap();
        let (mut steps, mut last) = (0, 0);
        let outcome = loop {
            match execution.step().unwrap() {
                Step::Working { rows_done, rows_total } => {
                    assert!(rows_done >= last && rows_done <= rows_total, "{query}");
                    last = rows_done;
                    steps += 1;
                }
                Step::Done(outcome) => break outcome,
            }
        };
        assert!(steps >= 4, "{query}: {steps} steps");
        assert!(outcome.rows_scanned > 0 && execution.step().is_err());
    }
}

#[test]
fn a_dropped_execution_leaves_nothing_behind() {
    let mut engine = engine(200_000);
    let before = engine.stats();
    for query in [json!({"sort": "close"}), json!({"from": "daily"})] {
        let mut execution = engine.start(&checked(&engine, &query)).unwrap();
        for _ in 0..2 {
            assert!(matches!(execution.step().unwrap(), Step::Working { .. }));
        }
        drop(execution);
        assert_eq!(engine.stats(), before);
    }
    assert!(engine.result("r1").is_none());
    assert_eq!(run(&mut engine, &json!({"select": "count()"})).unwrap().id, "r3");
}

#[test]
fn bars_are_made_once_for_each_load() {
    let mut engine = engine(10_000);
    let query = json!({"from": "daily", "select": "count()"});
    let first = run(&mut engine, &query).unwrap();
    assert_eq!((first.rows_scanned, first.value(0, 0)), (8, Value::Int(8)));
    assert_eq!(engine.shared.bars.borrow().len(), 1);
    let old = checked(&engine, &query);
    engine.insert(bars(20_000)).unwrap();
    assert_eq!(engine.shared.bars.borrow().len(), 0);
    assert_eq!(code(engine.start(&old)), Some(Code::UnknownTable));
    assert_eq!(run(&mut engine, &query).unwrap().rows_scanned, 14);
    // The first result still says what it said, but its rows are those of another table.
    assert_eq!(engine.result("r1").unwrap().value(0, 0), Value::Int(8));
    assert_eq!(code(engine.source_rows("r1", None, 0, 10)), Some(Code::UnknownTable));
}

#[test]
fn a_dropped_table_is_gone() {
    let mut engine = engine(100);
    let query = checked(&engine, &json!({}));
    assert!(engine.drop_table("bars"));
    assert!(!engine.drop_table("bars"));
    assert!(engine.tables().is_empty());
    assert_eq!(code(engine.start(&query)), Some(Code::UnknownTable));
    assert_eq!(engine.stats(), EngineStats::default());
}

#[test]
fn a_query_over_the_memory_limit_is_an_error_and_the_next_one_works() {
    let mut engine = Engine::new(Options { memory_limit: 15 << 20 }).unwrap();
    let mut table = bars(200_000);
    table.schema.series = None;
    engine.insert(table).unwrap();
    for query in [
        json!({"sort": "close"}),
        json!({"map": {"x": "close + open", "y": "close - open"}}),
        json!({"map": {"x": "prev(close) + prev(open)"}, "columns": ["x"]}),
    ] {
        assert_eq!(code(run(&mut engine, &query)), Some(Code::MemoryLimit), "{query}");
    }
    let count = run(&mut engine, &json!({"select": "count()"})).unwrap();
    assert_eq!(count.value(0, 0), Value::Int(200_000));
    assert_eq!(code(engine.insert(bars(400_000))), Some(Code::MemoryLimit));
}

#[test]
fn the_least_recently_used_results_go_first() {
    let mut engine = Engine::new(Options { memory_limit: 64 << 20 }).unwrap();
    engine.insert(bars(100_000)).unwrap();
    // Each holds 5.6 MB of a budget of 16.
    let query = json!({"map": {"x": "close + open", "y": "close - open"}, "columns": ["time", "x", "y", "close", "low", "high", "open"]});
    for _ in 0..2 {
        run(&mut engine, &query).unwrap();
    }
    assert!(engine.result("r1").is_some());
    run(&mut engine, &query).unwrap();
    assert!(engine.result("r2").is_none());
    assert!(engine.result("r1").is_some() && engine.result("r3").is_some());
    assert_eq!(code(engine.to_ipc("r2")), Some(Code::UnknownResult));
    let reserved = engine.stats().reserved;
    assert!(engine.release("r1") && !engine.release("r1"));
    assert!(engine.stats().reserved < reserved);
}

#[test]
fn evidence_comes_page_by_page() {
    let mut engine = engine(1_000);
    let outcome = run(
        &mut engine,
        &json!({"where": "volume >= 50", "map": {"up": "close > open"}, "group_by": "symbol", "select": "mean(close)"}),
    )
    .unwrap();
    let key = vec![("symbol".to_owned(), Value::text("B"))];
    let page = engine.source_rows("r1", Some(&key), 240, 20).unwrap().finish().unwrap();
    assert_eq!((page.total, page.offset, page.rows.len()), (250, 240, 10));
    assert_eq!(page.columns.len(), 8);
    assert_eq!(page.columns[7].role, Role::Mapped);
    let volume = page.rows.column("volume").unwrap();
    assert_eq!(page.rows.value(9, volume), Value::Int(99));
    let all = engine.source_rows(&outcome.id, None, 0, usize::MAX).unwrap().finish().unwrap();
    assert_eq!((all.total, all.rows.len()), (outcome.rows_matched, 500));

    let wrong = vec![("volume".to_owned(), Value::Int(1))];
    assert_eq!(code(engine.source_rows("r1", Some(&wrong), 0, 1)), Some(Code::UnknownColumn));
    assert_eq!(code(engine.source_rows("r9", None, 0, 1)), Some(Code::UnknownResult));
}

#[test]
fn a_table_of_rows_is_its_own_evidence() {
    let mut engine = engine(100);
    run(&mut engine, &json!({"where": "volume < 10", "sort": "volume desc", "limit": 8})).unwrap();
    let page = engine.source_rows("r1", None, 6, 10).unwrap().finish().unwrap();
    assert_eq!((page.total, page.rows.len()), (8, 2));
    assert_eq!(page.rows.value(1, 6), Value::Int(2));
}

#[test]
fn the_first_rows_are_those_of_the_whole_sort() {
    let mut engine = engine(60_000);
    for sort in ["close", "close desc", "volume", "volume desc", "time desc", "high - low desc"] {
        for filter in ["volume >= 0", "volume < 7 and close > 102"] {
            let query = json!({"where": filter, "map": {"p": "prev(close)"}, "sort": sort});
            let whole = run(&mut engine, &query).unwrap();
            for limit in [1, 10, 120, 16_384] {
                let mut query = query.clone();
                query["limit"] = limit.into();
                let (before, made) = (FOREMOST.get(), run(&mut engine, &query).unwrap());
                // What is sorted by has to be a column.
                let steps = usize::from(!sort.contains(" - "));
                assert_eq!(FOREMOST.get() - before, steps, "{query}");
                assert_eq!(made.rows.len(), whole.rows.len().min(limit), "{query}");
                for (row, column) in (0..made.rows.len()).flat_map(|r| (0..8).map(move |c| (r, c)))
                {
                    assert_eq!(made.rows.value(row, column), whole.rows.value(row, column));
                }
            }
        }
    }
    let sql = "SELECT close FROM bars ORDER BY close DESC LIMIT 3 OFFSET 2";
    let query = Arc::new(engine.check_sql(sql, &serde_json::Value::Null).unwrap());
    let made = engine.start(&query).unwrap().finish().unwrap();
    let values: Vec<_> = (0..3).map(|row| made.rows.value(row, 0)).collect();
    assert_eq!(values, vec![Value::Float(110.49); 3]);
}

#[test]
fn equality_below_an_aggregate_of_all_rows_is_the_processors() {
    let mut engine = engine(60_000);
    for (filter, rows) in [("volume == 7", 600), ("close == 110.49 and volume == 21", 60)] {
        for (query, own) in [
            (json!({"where": filter, "select": "count()"}), 1),
            (json!({"where": filter, "select": ["sum(volume)", "max(close)", "count()"]}), 1),
            (json!({"where": filter, "group_by": "symbol", "select": "count()"}), 0),
            (json!({"where": filter, "sort": ["volume", "close"], "limit": 4}), 0),
            (json!({"where": filter, "map": {"p": "prev(close)"}}), 0),
        ] {
            let before = EQUAL.get();
            let made = run(&mut engine, &query).unwrap();
            assert_eq!(EQUAL.get() - before, own, "{query}");
            assert_eq!(made.rows_matched, rows, "{query}");
        }
    }
    let one = "SELECT count(*) AS n FROM bars WHERE volume = 7 AND symbol = 'B'";
    let query = Arc::new(engine.check_sql(one, &serde_json::Value::Null).unwrap());
    let made = engine.start(&query).unwrap().finish().unwrap();
    assert_eq!(made.rows.value(0, 0), Value::Int(600));
}

#[test]
fn results_travel_as_arrow() {
    let mut engine = engine(100);
    for query in [json!({"columns": ["symbol", "close"]}), json!({"where": "close < 0"})] {
        let outcome = run(&mut engine, &query).unwrap();
        let bytes = engine.to_ipc(&outcome.id).unwrap();
        let reader = arrow::ipc::reader::StreamReader::try_new(bytes.as_slice(), None).unwrap();
        let names: Vec<_> = reader.schema().fields().iter().map(|f| f.name().clone()).collect();
        let wanted: Vec<_> = outcome.columns.iter().map(|c| c.column.name.clone()).collect();
        assert_eq!(names, wanted);
        let rows: usize = reader.map(|batch| batch.unwrap().num_rows()).sum();
        assert_eq!(rows, outcome.rows.len());
    }
}

#[test]
fn decimals_are_told_and_leave_as_decimals() {
    let exact = |text: &str| Value::Decimal(Decimal::parse(text).unwrap());
    let columns = vec![Column::new("id", Kind::Int), Column::new("price", Kind::Decimal(2))];
    let rows = vec![
        vec![Value::Int(1), exact("10.50")],
        vec![Value::Int(2), Value::Null],
        vec![Value::Int(3), exact("-0.25")],
    ];
    let mut engine = Engine::new(Options::default()).unwrap();
    let table = Table { columns: columns.clone(), rows };
    engine.insert(LoadedTable::from_rows(TableSchema::new("t", columns), &table).unwrap()).unwrap();
    let outcome = run(&mut engine, &json!({})).unwrap();
    let (columns, block) = read_block(&engine.to_ipc(&outcome.id).unwrap()).unwrap();
    assert_eq!(columns[1].kind, Kind::Decimal(2));
    for rows in [&outcome.rows, &block] {
        let values: Vec<Value> = (0..3).map(|row| rows.value(row, 1)).collect();
        assert_eq!(values, [exact("10.50"), Value::Null, exact("-0.25")]);
        let stats = rows.stats(1);
        assert_eq!((stats.count, stats.nulls), (2, 1));
        assert_eq!((stats.min, stats.max), (exact("-0.25"), exact("10.50")));
        assert_eq!((stats.sum, stats.mean), (exact("10.25"), Value::Float(5.125)));
        assert_eq!(rows.numbers(1)[0], 10.5);
        assert!(rows.numbers(1)[1].is_nan());
        assert_eq!(rows.distinct(1, 9).count, 2);
    }
    assert_eq!(outcome.value(0, 1).to_json(), json!("10.50"));
}

#[test]
fn queries_may_run_in_turns() {
    let mut engine = engine(200_000);
    let query =
        checked(&engine, &json!({"where": "close > 105", "select": ["count()", "sum(volume)"]}));
    let mut executions = [engine.start(&query).unwrap(), engine.start(&query).unwrap()];
    let mut done = Vec::new();
    while done.len() < 2 {
        for execution in &mut executions {
            if let Ok(Step::Done(outcome)) = execution.step() {
                done.push((outcome.id.clone(), outcome.value(0, 0), outcome.value(0, 1)));
            }
        }
    }
    assert_eq!(done[0].1, done[1].1);
    assert_eq!(done[0].2, done[1].2);
    assert_ne!(done[0].0, done[1].0);
}

#[test]
fn columns_may_have_any_name() {
    let names = ["__row", "c0", "m0", "Open Price", "a.b", "\"q\"", "Имя"];
    let columns: Vec<Column> = names.iter().map(|n| Column::new(*n, Kind::Int)).collect();
    let rows = (0..3).map(|i| (0..7).map(|c| Value::Int(10 * i + c)).collect()).collect();
    let table = Table { columns: columns.clone(), rows };
    let mut engine = Engine::new(Options::default()).unwrap();
    engine.insert(LoadedTable::from_rows(TableSchema::new("t", columns), &table).unwrap()).unwrap();
    let outcome = run(
        &mut engine,
        &json!({"map": {"x": "`Open Price` + prev(`a.b`) + __row + m0 + c0 + Имя"}, "sort": "x desc"}),
    )
    .unwrap();
    assert_eq!(outcome.rows.columns().len(), 8);
    assert_eq!(outcome.value(0, 7), Value::Int(23 + 14 + 20 + 22 + 21 + 26));
    assert_eq!(outcome.value(0, 4), Value::Int(24));
}

#[test]
fn more_rows_than_a_batch_keep_their_order_and_their_series() {
    let mut engine = engine(200_000);
    let outcome = run(
        &mut engine,
        &json!({"map": {"before": "prev(volume)", "m": "rolling_mean(volume, 3)"}, "columns": ["volume", "before", "m"]}),
    )
    .unwrap();
    assert_eq!(outcome.rows.len(), 200_000);
    for row in (2..200_000).step_by(997) {
        assert_eq!(outcome.value(row, 0), Value::Int((row % 100) as i64));
        assert_eq!(outcome.value(row, 1), Value::Int(((row - 2) % 100) as i64), "row {row}");
        let mean = (0..3).map(|i| ((row - 2 * i.min(row / 2)) % 100) as f64).sum::<f64>() / 3.0;
        let wanted = if row < 4 { Value::Null } else { Value::Float(mean) };
        assert_eq!(outcome.value(row, 2), wanted, "row {row}");
    }
}

#[test]
fn results_over_shared_rows_hold_only_what_is_theirs() {
    let mut engine = engine(100_000);
    run(&mut engine, &json!({"limit": 10})).unwrap();
    let (_, bytes) = engine.stats().results.remove(0);
    assert!(bytes < 2_000, "{bytes}");
}

#[test]
fn a_sort_of_many_groups_counts_their_memory_once() {
    let mut engine = Engine::new(Options { memory_limit: 48 << 20 }).unwrap();
    engine.insert(bars(200_000)).unwrap();
    let outcome = run(
        &mut engine,
        &json!({"group_by": ["time", "symbol"], "select": ["sum(close)", "max(high)"]}),
    )
    .unwrap();
    assert_eq!(outcome.rows.len(), 200_000);
    assert_eq!(outcome.value(0, 1), Value::text("A"));
    assert_eq!(outcome.value(199_999, 1), Value::text("B"));
}

#[test]
fn what_a_limit_cuts_is_counted_over_many_batches() {
    let mut engine = engine(200_000);
    for (query, matched, before) in [
        (json!({"where": "volume >= 50", "sort": "close desc", "limit": 3}), 100_000, 100_000),
        (json!({"where": "volume >= 50", "limit": 3}), 100_000, 100_000),
        (json!({"map": {"v": "prev(volume)"}, "where": "v >= 50", "limit": 3}), 99_998, 99_998),
        (
            json!({"where": "volume >= 50", "group_by": "time", "sort": "count desc", "limit": 3}),
            100_000,
            50_000,
        ),
        (json!({"group_by": "time", "limit": 3}), 200_000, 100_000),
    ] {
        let outcome = run(&mut engine, &query).unwrap();
        assert_eq!(outcome.rows.len(), 3, "{query}");
        assert_eq!(outcome.rows_matched, matched, "{query}");
        assert_eq!(outcome.rows_before_limit, Some(before), "{query}");
    }
}

#[test]
fn a_query_over_its_memory_says_how_much_it_wanted_and_the_next_one_runs() {
    let mut engine = Engine::new(Options { memory_limit: 48 << 20 }).unwrap();
    engine.insert(bars(200_000)).unwrap();
    let wide = json!({"map": (0..30).map(|i| (format!("m{i}"), json!(format!("close * {i}.5"))))
        .collect::<serde_json::Map<_, _>>(), "sort": "m29 desc"});
    let error = run(&mut engine, &wide).err().unwrap();
    let diagnostic = error.diagnostics().remove(0);
    assert_eq!(diagnostic.code, Code::MemoryLimit);
    let sizes: Vec<u64> = diagnostic
        .message
        .en
        .split(|c: char| !c.is_ascii_digit())
        .filter_map(|number| number.parse().ok())
        .collect();
    assert!(matches!(sizes[..], [wanted, 48] if wanted > 48), "{diagnostic}");
    let hidden = without_sizes(error).diagnostics().remove(0).message;
    assert!(!hidden.en.contains(|c: char| c.is_ascii_digit()), "{}", hidden.en);
    assert_eq!(run(&mut engine, &json!({"select": "count()"})).unwrap().rows.len(), 1);
    let held: usize = engine.stats().tables.iter().map(|(_, bytes)| bytes).sum();
    assert!(engine.stats().reserved < held + (1 << 20), "{:?}", engine.stats());
}

#[test]
fn a_dropped_union_leaves_nothing_behind() {
    let mut engine = engine(200_000);
    let half = "SELECT symbol, volume, sum(close) AS s FROM bars GROUP BY symbol, volume, high";
    let text = format!("{half} UNION ALL {half}");
    let query = Arc::new(engine.check_sql(&text, &serde_json::Value::Null).unwrap());
    for steps in 1..3 {
        let before = engine.stats().reserved;
        let mut execution = engine.start(&query).unwrap();
        for _ in 0..steps {
            assert!(matches!(execution.step().unwrap(), Step::Working { .. }), "{steps} steps");
        }
        drop(execution);
        run(&mut engine, &json!({"select": "count()"})).unwrap();
        assert!(engine.stats().reserved <= before + (1 << 16), "after {steps} steps");
    }
}

/// Statements whose plans could spawn tasks or deal rows out, were they let.
const WAYS: [&str; 9] = [
    "SELECT symbol, sum(volume) AS s FROM bars GROUP BY symbol",
    "SELECT * FROM bars ORDER BY volume, high, time",
    "SELECT count(*) AS n FROM bars AS a JOIN bars AS b ON a.time = b.time AND a.symbol = b.symbol",
    "SELECT count(*) AS n FROM (SELECT * FROM bars LIMIT 300) AS a \
     JOIN (SELECT * FROM bars LIMIT 300) AS b ON a.volume < b.volume",
    "SELECT symbol, avg(close) OVER (PARTITION BY symbol ORDER BY time \
     ROWS BETWEEN 4 PRECEDING AND CURRENT ROW) AS m FROM bars",
    "SELECT symbol, volume FROM bars EXCEPT SELECT symbol, volume FROM bars WHERE close > 101",
    "SELECT DISTINCT symbol, volume FROM bars",
    "SELECT count(*) AS n FROM bars WHERE volume > (SELECT avg(volume) FROM bars)",
    "WITH top AS (SELECT symbol, max(high) AS high FROM bars GROUP BY symbol) \
     SELECT bars.symbol, count(*) AS n FROM bars JOIN top ON bars.high = top.high GROUP BY bars.symbol",
];

/// The most tasks that were alive after a step of a statement, and how many plans were opened.
fn spawned(engine: &mut Engine, text: &str) -> (usize, usize) {
    let alive = |engine: &Engine| engine.shared.runtime.metrics().num_alive_tasks();
    let query = Arc::new(engine.check_sql(text, &serde_json::Value::Null).unwrap());
    let plans = PLANS.get();
    let mut execution = engine.start(&query).unwrap();
    let mut most = 0;
    while matches!(execution.step().unwrap(), Step::Working { .. }) {
        most = most.max(alive(engine));
    }
    drop(execution);
    assert_eq!(alive(engine), 0, "{text}");
    (most, PLANS.get() - plans)
}

#[test]
fn nothing_is_spawned_but_the_inputs_of_a_union() {
    let mut engine = engine(60_000);
    for text in WAYS {
        let (most, plans) = spawned(&mut engine, text);
        assert_eq!(most, 0, "{text}");
        assert!(plans > 0, "{text}");
    }
    let half = "SELECT symbol, volume, sum(close) AS s FROM bars GROUP BY symbol, volume, high";
    let (most, _) = spawned(&mut engine, &format!("{half} UNION ALL {half}"));
    assert!(most > 0);
}

#[test]
fn only_midnights_pass_for_dates() {
    let dated = |days: &[&str]| {
        let text = days.iter().map(|day| format!("{day},1\n"));
        let text = format!("d,n\n{}", text.collect::<String>());
        let mut loader = ingest::Loader::new("t", ingest::Options::default()).unwrap();
        loader.push(text.as_bytes()).unwrap();
        let mut engine = Engine::new(Options::default()).unwrap();
        engine.insert(loader.finish().unwrap().table).unwrap();
        let outcome = run(&mut engine, &json!({})).unwrap();
        outcome.columns.first().unwrap().date_only
    };
    assert!(dated(&["2024-01-02", "2024-01-03"]));
    assert!(dated(&["2024-01-02 00:00", "2024-01-03 00:00", "2024-01-04 00:00"]));
    assert!(!dated(&["2023-12-31 17:06", "2024-01-02 10:00", "2024-01-04 12:00"]));
    assert!(!dated(&["2024-01-02 17:00", "2024-01-03 17:00", "2024-01-04 17:00"]));
    assert!(!dated(&["2024-01-01T21:00:00Z", "2024-01-02T21:00:00Z", "2024-01-03T21:00:00Z"]));
}
