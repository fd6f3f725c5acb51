//! Files that are small until they are read: a load ends where the engine's memory does, and
//! leaves it to the next one.

use super::{Loader, Options};
use crate::engine::{Engine, Options as Limits};
use crate::error::{Code, Error, Result};
use arrow::array::{ArrayRef, Int64Array, NullArray, RecordBatch, StringArray};
use arrow::ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::fmt::Write as _;
use std::io::Write as _;
use std::sync::Arc;

const LIMIT: usize = 4 << 20;
const ROWS: usize = 600_000;

fn packed(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text.as_bytes()).expect("memory");
    encoder.finish().expect("memory")
}

/// Rows that were read when the load ended, and how it ended.
fn read(engine: &Engine, bytes: &[u8], options: &Options) -> Result<u64> {
    let mut loader = Loader::new("t", options.clone())?.within(engine.room());
    for piece in bytes.chunks(1 << 10) {
        loader.push(piece)?;
    }
    Ok(loader.finish()?.report.rows)
}

/// The load is refused, by its memory alone, and nothing of it stays.
fn is_refused(name: &str, bytes: &[u8], options: &serde_json::Value) {
    let options = Options::from_json(options).expect("options");
    let engine = Engine::new(Limits { memory_limit: LIMIT }).expect("an engine");
    match read(&engine, bytes, &options) {
        Err(Error::Input(list)) => {
            assert_eq!(list.first().map(|d| d.code), Some(Code::MemoryLimit), "{name}");
            assert!(list.first().is_some_and(|d| d.message.en.contains("of 4 MiB")), "{name}");
        }
        other => panic!("{name}: {other:?}"),
    }
    assert_eq!(engine.room().has(LIMIT), Ok(()), "{name}");
    assert_eq!(read(&engine, b"a,b\n1,2\n", &Options::default()), Ok(1), "{name}");
    let roomy = Engine::new(Limits::default()).expect("an engine");
    assert!(read(&roomy, bytes, &options).is_ok(), "{name}");
    assert_eq!(roomy.room().has(Limits::default().memory_limit), Ok(()), "{name}");
}

#[test]
fn text_that_unpacks_to_more_than_there_is() {
    let numbers = format!("a,b\n{}", "1,2\n".repeat(ROWS));
    let words = format!("a,b\n{}", "x,y\n".repeat(2 * ROWS));
    let days = format!("a\n{}", "2024-01-02\n".repeat(ROWS));
    let mut texts = String::from("a\n");
    for i in 0..ROWS / 4 {
        let _ = writeln!(texts, "text number {i}, which is its own");
    }
    for (name, text) in [("numbers", numbers), ("words", words), ("days", days), ("texts", texts)] {
        is_refused(name, &packed(&text), &json!({"csv": {"delimiter": ","}}));
    }
}

#[test]
fn one_row_that_is_longer_than_there_is_room() {
    let text = format!("a,b\n1,\"{}\"\n", "x".repeat(8 << 20));
    is_refused("a field", &packed(&text), &json!({}));
    let text = format!("[{{\"a\":\"{}\"}}]", "x".repeat(8 << 20));
    is_refused("a string", &packed(&text), &json!({}));
}

#[test]
fn objects_that_take_more_than_there_is() {
    let rows = "{\"a\":1,\"b\":2},".repeat(ROWS / 2);
    is_refused("numbers", &packed(&format!("[{rows}{{}}]")), &json!({}));
    // many columns at first, and rows of two characters after them
    let names = |n: usize| (0..n).fold(String::new(), |all, i| all + &format!("\"c{i}\":1,"));
    let wide = format!("{{{}\"z\":1}}\n{}", names(1000), "{}\n".repeat(40_000));
    is_refused("empty rows", wide.as_bytes(), &json!({"format": "ndjson"}));
    // rows of two characters at first, and many columns after them
    let late = format!("{}{{{}\"z\":1}}\n", "{}\n".repeat(200_000), names(200));
    is_refused("late columns", late.as_bytes(), &json!({"format": "ndjson"}));
}

fn arrow(columns: Vec<(&str, ArrayRef)>, times: usize) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter(columns).expect("columns");
    let mut writer = StreamWriter::try_new(Vec::new(), &batch.schema()).expect("a writer");
    for _ in 0..times {
        writer.write(&batch).expect("memory");
    }
    writer.into_inner().expect("memory")
}

#[test]
fn arrow_batches_that_come_to_more_than_there_is() {
    let numbers: ArrayRef = Arc::new(Int64Array::from_iter_values(0..10_000));
    is_refused("numbers", &arrow(vec![("a", numbers)], 100), &json!({}));
    let texts: ArrayRef =
        Arc::new(StringArray::from_iter_values((0..10_000).map(|i| format!("the text {i}"))));
    is_refused("texts", &arrow(vec![("a", texts)], 100), &json!({}));
    // rows that take no bytes at all
    let nothing: ArrayRef = Arc::new(NullArray::new(20_000_000));
    let one: Vec<(&str, ArrayRef)> = vec![("a", nothing.clone()), ("b", nothing)];
    is_refused("nothing", &arrow(one, 1), &json!({"types": {"a": "integer"}}));
}

#[test]
fn an_arrow_batch_that_is_larger_than_there_is_room() {
    let zeros: ArrayRef = Arc::new(Int64Array::from(vec![0; 1 << 20]));
    is_refused("whole", &arrow(vec![("a", zeros.clone())], 1), &json!({}));
    let batch = RecordBatch::try_from_iter([("a", zeros)]).expect("columns");
    let packed = arrow::ipc::CompressionType::ZSTD;
    let options = IpcWriteOptions::default().try_with_compression(Some(packed)).expect("options");
    let mut writer =
        FileWriter::try_new_with_options(Vec::new(), &batch.schema(), options).expect("a writer");
    writer.write(&batch).expect("memory");
    let bytes = writer.into_inner().expect("memory");
    assert!(bytes.len() < 64 << 10, "{}", bytes.len());
    is_refused("packed", &bytes, &json!({}));
}

/// A table of so many rows, the last of them the earliest where they are not `sorted`.
fn days(sorted: bool, rows: usize) -> String {
    let row = |i: usize| {
        let second = if sorted { i } else { rows - i };
        format!("{},{i},w{}\n", 1_700_000_000 + second, i % 9000)
    };
    std::iter::once("time,n,word\n".to_owned()).chain((0..rows).map(row)).collect()
}

/// What such a load comes to in an engine with so much memory, a table of another name beside it.
fn loaded(limit: usize, text: &str) -> Result<u64> {
    let mut engine = Engine::new(Limits { memory_limit: limit }).expect("an engine");
    let mut loader = Loader::new("t", Options::default())?.within(engine.room());
    let table = loader.push(text.as_bytes()).and_then(|_| loader.finish()).map(|l| l.table);
    let got = table.and_then(|table| engine.insert(table)).map(|schema| schema.rows);
    let held = engine.stats();
    assert_eq!(held.reserved, held.tables.iter().map(|(_, bytes)| bytes).sum::<usize>());
    assert_eq!(held.tables.len(), usize::from(got.is_ok()), "what was refused left nothing");
    got
}

fn is_limit<T: std::fmt::Debug>(got: &Result<T>) -> bool {
    matches!(got, Err(Error::Input(list)) if list.iter().all(|d| d.code == Code::MemoryLimit))
}

#[test]
fn rows_that_have_to_be_sorted_take_their_room_twice() {
    let [sorted, mixed] = [true, false].map(|sorted| days(sorted, 100_000));
    let least = |text: &str| {
        (0..200).map(|n| n << 17).find(|&limit| {
            let got = loaded(limit, text);
            assert!(got == Ok(100_000) || is_limit(&got), "{got:?}");
            got.is_ok()
        })
    };
    let (sorted, mixed) = (least(&sorted).expect("a limit"), least(&mixed).expect("a limit"));
    let mut engine = Engine::new(Limits::default()).expect("an engine");
    let mut loader = Loader::new("t", Options::default()).expect("a loader");
    loader.push(days(true, 100_000).as_bytes()).expect("rows");
    engine.insert(loader.finish().expect("a table").table).expect("room");
    let table = engine.stats().reserved;
    assert!(mixed >= 2 * table, "{mixed} for rows that are sorted into a table of {table}");
    assert!(mixed > sorted, "{mixed} and {sorted}");
}

#[test]
fn rows_that_are_appended_ask_for_what_the_whole_table_takes() {
    let read = |text: &str, engine: &Engine| {
        let mut loader = Loader::new("t", Options::default())?.within(engine.room());
        loader.push(text.as_bytes())?;
        loader.finish().map(|loaded| loaded.table)
    };
    let (first, more) = (days(true, 100_000), days(false, 1000));
    let mut roomy = Engine::new(Limits::default()).expect("an engine");
    let table = read(&first, &roomy).and_then(|table| roomy.insert(table));
    let bytes = roomy.stats().reserved;
    assert_eq!(table.expect("room").rows, 100_000);
    let mut all = Vec::new();
    for room in [bytes + (1 << 20), 4 * bytes] {
        let mut engine = Engine::new(Limits { memory_limit: 4 * bytes }).expect("an engine");
        let table = read(&first, &engine).and_then(|table| engine.insert(table));
        table.expect("room");
        // what others hold
        let others = engine.room();
        others.hold(4 * bytes - room.max(bytes)).expect("room");
        let joined = read(&more, &engine).and_then(|more| engine.joined(more));
        all.push(joined.as_ref().map(|table| table.schema().rows).ok());
        if joined.is_ok() {
            let apart = others.apart().has(bytes * 5 / 2);
            assert!(is_limit(&apart), "a joined table holds its rows until it is taken in");
            let rows = joined.and_then(|table| engine.insert(table)).map(|schema| schema.rows);
            assert_eq!(rows, Ok(101_000));
        } else {
            assert!(is_limit(&joined), "{joined:?}");
        }
        drop(others);
        let held = engine.stats();
        assert_eq!(held.reserved, held.tables.iter().map(|(_, bytes)| bytes).sum::<usize>());
    }
    assert_eq!(all, [None, Some(101_000)]);
}
