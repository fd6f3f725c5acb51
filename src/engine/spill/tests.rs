//! Files on a disk of the host hold what was written to them; a query that goes on there gives what it
//! gives in memory, and leaves nothing.

use super::*;
use crate::engine::held::Held;
use crate::engine::{Engine, Execution, LoadedTable, Options};
use crate::error::{Code, Error};
use crate::facts::Outcome;
use crate::query::{CheckedQuery, Query, check};
use crate::schema::{Column, Kind, Member, TableSchema};
use crate::value::{Table, Value};
use arrow::array::{Array, AsArray, RecordBatch};
use futures::{FutureExt, StreamExt};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

/// A disk in memory, with so much room.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Room>>);

#[derive(Default)]
struct Room {
    bytes: Vec<u8>,
    most: Option<usize>,
    /// Bytes written since ever.
    written: usize,
}

impl Disk for Memory {
    fn read(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let room = locked(&self.0);
        let at = usize::try_from(at).unwrap();
        let bytes = room.bytes.get(at..at + into.len());
        into.copy_from_slice(bytes.ok_or(io::ErrorKind::UnexpectedEof)?);
        Ok(())
    }

    fn write(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        let mut room = locked(&self.0);
        let end = usize::try_from(at).unwrap() + bytes.len();
        if room.most.is_some_and(|most| end > most) {
            return Err(io::ErrorKind::StorageFull.into());
        }
        room.written += bytes.len();
        let size = room.bytes.len().max(end);
        room.bytes.resize(size, 0);
        room.bytes[end - bytes.len()..end].copy_from_slice(bytes);
        Ok(())
    }

    fn clear(&self) {
        locked(&self.0).bytes.clear();
    }
}

fn content(file: &dyn SpillFile) -> Vec<u8> {
    let pieces = file.read_stream().unwrap().collect::<Vec<_>>().now_or_never().unwrap();
    pieces.into_iter().flat_map(|piece| piece.unwrap().to_vec()).collect()
}

#[derive(Debug, Clone)]
enum Deed {
    Write(usize, usize),
    Drop(usize),
    Read(usize),
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
    #[test]
    fn files_hold_what_was_written(deeds in prop::collection::vec(
        prop_oneof![
            4 => (0..4usize, 0..3 * BLOCK).prop_map(|(file, bytes)| Deed::Write(file, bytes)),
            1 => (0..4usize).prop_map(Deed::Drop),
            2 => (0..4usize).prop_map(Deed::Read),
        ],
        1..24,
    )) {
        type Open = (Arc<dyn SpillFile>, Box<dyn SpillWriter>, Vec<u8>);
        let disk = Memory::default();
        let swap = Swap::new(Box::new(disk.clone()));
        let files = Files(swap);
        let mut open: [Option<Open>; 4] = [None, None, None, None];
        for (i, deed) in deeds.into_iter().enumerate() {
            match deed {
                Deed::Write(file, size) => {
                    let (_, writer, held) = open[file].get_or_insert_with(|| {
                        let file = files.create_temp_file("a sort").unwrap();
                        let writer = file.open_writer().unwrap();
                        (file, writer, Vec::new())
                    });
                    let bytes: Vec<u8> = (0..size).map(|at| (at * 31 + i * 7 + file) as u8).collect();
                    writer.write_all(&bytes).unwrap();
                    held.extend(bytes);
                }
                Deed::Drop(file) => open[file] = None,
                Deed::Read(file) => {
                    if let Some((file, writer, held)) = &mut open[file] {
                        writer.finish().unwrap();
                        prop_assert_eq!(file.size(), Some(held.len() as u64));
                        prop_assert!(content(file.as_ref()) == *held);
                    }
                }
            }
        }
        drop(open);
        prop_assert!(locked(&disk.0).bytes.is_empty());
    }
}

/// Sales of many names, each about three times, some without a price.
fn sales(rows: usize) -> LoadedTable {
    let columns: Vec<Column> = [
        ("id", Kind::Int),
        ("name", Kind::Text),
        ("city", Kind::Text),
        ("price", Kind::Float),
        ("paid", Kind::Bool),
    ]
    .into_iter()
    .map(|(name, kind)| Column::new(name, kind))
    .collect();
    let row = |i: usize| {
        let mixed = i.wrapping_mul(2_654_435_761) % 1_000_003;
        vec![
            Value::Int(mixed as i64),
            Value::text(format!("name {:>9}", mixed % (rows / 3))),
            Value::text(["Oslo", "Rome", "Lima", "Bonn"][mixed % 4]),
            if mixed.is_multiple_of(11) {
                Value::Null
            } else {
                Value::Float((mixed % 997) as f64 / 8.0)
            },
            Value::Bool(mixed.is_multiple_of(2)),
        ]
    };
    let table = Table { columns: columns.clone(), rows: (0..rows).map(row).collect() };
    LoadedTable::from_rows(TableSchema::new("sales", columns), &table).unwrap()
}

fn engine(limit: usize) -> Engine {
    let mut engine = Engine::new(Options { memory_limit: limit }).unwrap();
    engine.insert(sales(ROWS)).unwrap();
    engine
}

const ROWS: usize = 120_000;

fn checked(engine: &Engine, query: &Json) -> Arc<CheckedQuery> {
    Arc::new(match query.get("sql") {
        Some(sql) => engine.check_sql(sql.as_str().unwrap(), &json!([])).unwrap(),
        None => check(&Query::from_json(query).unwrap(), &engine.tables()).unwrap(),
    })
}

fn run(engine: &mut Engine, query: &Json) -> crate::error::Result<Arc<Outcome>> {
    let query = checked(engine, query);
    engine.start(&query).and_then(Execution::finish)
}

fn is_refused<T>(result: &crate::error::Result<T>) -> bool {
    matches!(result, Err(Error::Input(list)) if list.iter().all(|d| d.code == Code::MemoryLimit))
}

/// The same rows; sums of parts may differ from a sum of all in the last digits.
fn alike(a: &Outcome, b: &Outcome) -> bool {
    let same = |a: Value, b: Value| match (a, b) {
        (Value::Float(a), Value::Float(b)) => (a - b).abs() <= 1e-9 * a.abs().max(1.0),
        (a, b) => a == b,
    };
    let (left, right) = (a.rows.as_ref(), b.rows.as_ref());
    left.len() == right.len()
        && a.rows_matched == b.rows_matched
        && a.rows_before_limit == b.rows_before_limit
        && a.warnings == b.warnings
        && (0..left.len()).all(|row| {
            (0..left.columns().len())
                .all(|column| same(left.value(row, column), right.value(row, column)))
        })
}

#[test]
fn what_a_query_gives_on_a_disk_is_what_it_gives_in_memory() {
    let queries = [
        json!({"group_by": "name", "select": [
            "count()", "count(price)", "sum(id)", "sum(price)", "mean(price)", "min(price)", "max(city)",
            "std(price)", "var(price)", "first(id)", "last(id)", "pct(paid)", "wavg(price, id)",
            "argmax(city, id)", "argmin(id, price)", "correlation(id, price)",
        ], "sort": ["count desc", "sum_id desc"], "limit": 50}),
        json!({"group_by": "name", "select": ["median(price)", "percentile(price, 0.9)"], "sort": "name", "limit": 9}),
        json!({"group_by": "name", "select": ["first(paid)", "last(paid)", "last(id)"], "sort": "name", "limit": 999}),
        json!({"group_by": ["name", "city"], "select": "count_distinct(id)", "sort": "count_distinct_id desc", "limit": 50}),
        json!({"group_by": "id", "where": "price > 3", "sort": "count desc", "limit": 20}),
        json!({"sort": ["name", "price desc"], "columns": ["id"]}),
        json!({"sort": "city", "columns": ["id"]}),
        json!({"sql": "SELECT name, count(*) AS n, avg(price) AS p FROM sales GROUP BY name ORDER BY n DESC, name LIMIT 20"}),
        json!({"sql": "SELECT count(*) AS n FROM (SELECT DISTINCT name, id FROM sales)"}),
        json!({"sql": "SELECT id FROM sales ORDER BY price DESC, id"}),
    ];
    let mut wide = engine(1 << 30);
    let table = wide.stats().reserved;
    let expected: Vec<Arc<Outcome>> =
        queries.iter().map(|query| run(&mut wide, query).unwrap()).collect();
    let mut spilled = [0; 10];
    for extra in [2, 3, 4, 6, 8, 12] {
        let limit = table + (extra << 20);
        let (mut without, mut with) = (engine(limit), engine(limit));
        let before = with.stats();
        let disk = Memory::default();
        with.spill_to(Box::new(disk.clone())).unwrap();
        for ((query, expected), spilled) in queries.iter().zip(&expected).zip(&mut spilled) {
            if let Ok(outcome) = run(&mut without, query) {
                without.release(&outcome.id);
                continue;
            }
            match run(&mut with, query) {
                Ok(got) => {
                    assert!(alike(&got, expected), "{query} with {extra} MiB");
                    *spilled += locked(&disk.0).written;
                    with.release(&got.id);
                }
                Err(error) => {
                    assert!(is_refused(&Err::<(), _>(error)), "{query} with {extra} MiB");
                }
            }
            locked(&disk.0).written = 0;
            assert!(locked(&disk.0).bytes.is_empty(), "{query} leaves files");
            assert_eq!(with.stats(), before, "{query} leaves memory");
        }
    }
    for (query, bytes) in queries.iter().zip(spilled) {
        assert!(bytes > 0, "{query} never went to the disk");
    }
}

#[test]
fn a_refused_query_waits_for_a_disk() {
    let table = engine(1 << 30).stats().reserved;
    let query = json!({"sort": ["name", "id"], "columns": ["id"]});
    let mut engine = engine(table + (3 << 20));
    let refused = run(&mut engine, &query);
    assert!(is_refused(&refused));
    let query = checked(&engine, &query);
    let mut execution = engine.start(&query).unwrap();
    while !execution.wants_disk() {
        execution.step().unwrap();
    }
    execution.spill_to(Box::new(Memory::default())).unwrap();
    assert_eq!(execution.finish().unwrap().rows.len(), ROWS);
}

#[test]
fn a_full_disk_is_a_refusal_and_a_dropped_query_leaves_nothing_on_it() {
    let table = engine(1 << 30).stats().reserved;
    let query = json!({"sort": ["name", "id"], "columns": ["id"]});
    let mut engine = engine(table + (3 << 20));
    let disk = Memory::default();
    engine.spill_to(Box::new(disk.clone())).unwrap();
    let before = engine.stats();
    locked(&disk.0).most = Some(2 * BLOCK);
    let refused = run(&mut engine, &query).map(|_| ());
    assert!(is_refused(&refused));
    assert!(refused.unwrap_err().to_string().contains("MiB"), "a full disk hides no sizes");
    assert!(locked(&disk.0).written > 0 && locked(&disk.0).bytes.is_empty());
    assert_eq!(engine.stats(), before);
    locked(&disk.0).most = None;
    let mut execution = engine.start(&checked(&engine, &query)).unwrap();
    while locked(&disk.0).bytes.is_empty() {
        execution.step().unwrap();
    }
    drop(execution);
    assert!(locked(&disk.0).bytes.is_empty());
    assert_eq!(engine.stats(), before);
    assert_eq!(run(&mut engine, &query).unwrap().rows.len(), ROWS);
}

#[test]
fn lists_go_to_the_disk_and_come_back() {
    let columns = vec![
        Column::new("id", Kind::Int),
        Column::new("name", Kind::Text),
        Column::new("tags", Kind::List(Member::Text)),
    ];
    let row = |i: usize| {
        let mixed = i.wrapping_mul(2_654_435_761) % 1_000_003;
        let tag = |n: usize| Value::text(format!("tag {}", mixed % 97 + n));
        let tags =
            (!mixed.is_multiple_of(5)).then(|| Value::List((1..mixed % 5).map(tag).collect()));
        let name = Value::text(format!("name {:>9}", mixed % 30_011));
        vec![Value::Int(mixed as i64), name, tags.unwrap_or(Value::Null)]
    };
    let table = Table { columns: columns.clone(), rows: (0..60_000).map(row).collect() };
    let schema = TableSchema::new("sales", columns);
    let loaded = LoadedTable::from_rows(schema, &table).unwrap();
    let engine = |limit: usize| {
        let mut engine = Engine::new(Options { memory_limit: limit }).unwrap();
        engine.insert(loaded.clone()).unwrap();
        engine
    };
    let mut wide = engine(1 << 30);
    let reserved = wide.stats().reserved;
    let query = json!({"sort": ["name", "id desc"], "columns": ["id", "tags"]});
    let expected = run(&mut wide, &query).unwrap();
    let mut written = 0;
    for extra in 4..20 {
        let mut narrow = engine(reserved + (extra << 19));
        let disk = Memory::default();
        narrow.spill_to(Box::new(disk.clone())).unwrap();
        let got = run(&mut narrow, &query);
        written += locked(&disk.0).written;
        match got {
            Ok(got) => assert!(alike(&got, &expected), "{extra} halves of a MiB"),
            Err(error) => assert!(is_refused(&Err::<(), _>(error)), "{extra} halves of a MiB"),
        }
    }
    assert!(written > 0, "the lists never went to the disk");
}

#[test]
fn what_a_disk_makes_anew_counts_in_the_result() {
    let columns = vec![Column::new("id", Kind::Int), Column::new("name", Kind::Text)];
    let row = |i: usize| {
        let mixed = i.wrapping_mul(2_654_435_761) % 1_000_003;
        vec![Value::Int(mixed as i64), Value::text(format!("name {:>25}", mixed % 40))]
    };
    let table = Table { columns: columns.clone(), rows: (0..ROWS).map(row).collect() };
    let loaded = LoadedTable::from_rows(TableSchema::new("sales", columns), &table).unwrap();
    let engine = |limit: usize| {
        let mut engine = Engine::new(Options { memory_limit: limit }).unwrap();
        engine.insert(loaded.clone()).unwrap();
        engine
    };
    let query = json!({"sql": "SELECT id, name FROM sales ORDER BY id DESC"});
    let table = engine(1 << 30).stats().reserved;
    let mut spilled = 0;
    for extra in 4..24 {
        let mut engine = engine(table + (extra << 19));
        let disk = Memory::default();
        engine.spill_to(Box::new(disk.clone())).unwrap();
        let Ok(outcome) = run(&mut engine, &query) else { continue };
        if locked(&disk.0).written == 0 {
            continue;
        }
        spilled += 1;
        let told = engine.stats().results.iter().map(|(_, bytes)| bytes).sum::<usize>();
        assert_eq!(engine.stats().reserved, table + told);
        let results = engine.shared.results.borrow();
        let batches = results.all().next().unwrap().rows.batches();
        // each of these is a dictionary of its own, none of them the table's
        let texts = |batch: &RecordBatch| batch.column(1).as_any_dictionary().values().clone();
        let own: usize = batches.iter().map(|b| texts(b).get_buffer_memory_size()).sum();
        assert!(own > 9 * 40 * 30, "{own} bytes of texts");
        assert!(told >= own + ROWS * 8, "{told} of {own} and the rows");
        assert_eq!(told, Held::of(batches));
        drop(results);
        engine.release(&outcome.id);
        assert_eq!(engine.stats().reserved, table);
    }
    assert!(spilled > 0, "it never went to the disk");
}
