//! Arrow IPC as files and streams: shapes, packing, dictionaries.

use super::properties::column;
use super::{Loaded, NoteCode, Options, has_note, load_bytes, values};
use crate::engine::LoadedTable;
use crate::error::{Code, Error};
use crate::schema::{Column, Kind, TableSchema};
use crate::value::{Table, Value};
use arrow::array::*;
use arrow::buffer::{NullBuffer, OffsetBuffer};
use arrow::compute::concat_batches;
use arrow::datatypes::*;
use arrow::ipc::writer::{DictionaryHandling, FileWriter, IpcWriteOptions, StreamWriter};
use arrow::ipc::{CompressionType, root_as_message};
use proptest::prelude::*;
use serde_json::json;
use std::sync::Arc;

fn options(packing: Option<CompressionType>) -> IpcWriteOptions {
    IpcWriteOptions::default().try_with_compression(packing).expect("a packing")
}

/// The batches as a stream.
pub(super) fn stream(batches: &[RecordBatch], packing: Option<CompressionType>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let schema = batches[0].schema();
    let mut writer = StreamWriter::try_new_with_options(&mut bytes, &schema, options(packing))
        .expect("a stream");
    for batch in batches {
        writer.write(batch).expect("a batch");
    }
    writer.finish().expect("an end");
    drop(writer);
    bytes
}

/// The batches as a file.
pub(super) fn file(batches: &[RecordBatch], packing: Option<CompressionType>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let schema = batches[0].schema();
    let mut writer =
        FileWriter::try_new_with_options(&mut bytes, &schema, options(packing)).expect("a file");
    for batch in batches {
        writer.write(batch).expect("a batch");
    }
    writer.finish().expect("an end");
    drop(writer);
    bytes
}

fn load(bytes: &[u8], step: usize) -> Loaded {
    load_bytes(bytes, &Options::default(), step).expect("a table")
}

pub(super) fn code(bytes: &[u8]) -> Code {
    match load_bytes(
        bytes,
        &Options { format: Some(super::super::Format::Arrow), ..Options::default() },
        50,
    ) {
        Err(Error::Input(problems)) => problems[0].code,
        other => panic!("{other:?}"),
    }
}

fn keys() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}

/// A batch with columns of many types.
fn rich(from: i32, rows: usize) -> RecordBatch {
    let numbers: Vec<Option<i32>> =
        (from..).take(rows).map(|i| (i % 7 != 3).then_some(i)).collect();
    let ints = Int32Array::from(numbers.clone());
    let texts: StringArray =
        numbers.iter().map(|n| n.map(|n| format!("text number {}", n % 5))).collect();
    let to = |arrow: &DataType| arrow::compute::cast(&ints, arrow).expect("castable");
    let text = |arrow: &DataType| arrow::compute::cast(&texts, arrow).expect("castable");
    let lists = ListArray::from_iter_primitive::<Int32Type, _, _>(
        numbers.iter().map(|n| n.map(|n| vec![Some(n), None])),
    );
    let members = StructArray::new(
        Fields::from(vec![Field::new("a", DataType::Int64, true), Field::new("b", keys(), true)]),
        vec![to(&DataType::Int64), text(&keys())],
        Some(NullBuffer::from((0..rows).map(|i| i % 4 != 1).collect::<Vec<_>>())),
    );
    let ends = Int32Array::from(vec![rows as i32]);
    let runs = RunArray::try_new(&ends, &StringArray::from(vec!["run"])).expect("runs");
    let offsets = OffsetBuffer::new((0..=rows as i32).collect());
    let map = MapArray::new(
        Arc::new(Field::new(
            "entries",
            DataType::Struct(Fields::from(vec![
                Field::new("keys", DataType::Utf8, false),
                Field::new("values", DataType::Int32, true),
            ])),
            false,
        )),
        offsets,
        StructArray::from(vec![
            (
                Arc::new(Field::new("keys", DataType::Utf8, false)),
                Arc::new(StringArray::from_iter_values((0..rows).map(|i| i.to_string())))
                    as ArrayRef,
            ),
            (Arc::new(Field::new("values", DataType::Int32, true)), Arc::new(ints.clone())),
        ]),
        None,
        false,
    );
    let item = Arc::new(Field::new_list_field(DataType::Int32, true));
    let list = |arrow: &DataType| arrow::compute::cast(&lists, arrow).expect("castable");
    let pairs: Int32Array = (0..2 * rows as i32).collect();
    let pairs = FixedSizeListArray::new(item.clone(), 2, Arc::new(pairs), None);
    let union = UnionArray::try_new(
        UnionFields::from_fields(vec![Field::new("a", DataType::Int32, true)]),
        vec![0i8; rows].into(),
        Some((0..rows as i32).collect()),
        vec![Arc::new(ints.clone())],
    );
    let bytes = FixedSizeBinaryArray::try_from_iter((0..rows).map(|i| [i as u8; 5]));
    let raws = StructArray::from(vec![
        (
            Arc::new(Field::new("bytes", DataType::FixedSizeBinary(5), true)),
            Arc::new(bytes.expect("bytes")) as ArrayRef,
        ),
        (
            Arc::new(Field::new("view", DataType::BinaryView, true)),
            Arc::new(BinaryViewArray::from_iter_values((0..rows).map(|i| vec![i as u8; 20]))),
        ),
        (Arc::new(Field::new("runs", runs.data_type().clone(), true)), Arc::new(runs.clone())),
    ]);
    let interval = IntervalMonthDayNanoArray::from_iter_values(
        (0..rows).map(|i| IntervalMonthDayNano::new(i as i32, 1, 1)),
    );
    let binary = BinaryArray::from_iter_values((0..rows).map(|i| vec![i as u8; 3]));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("i", Arc::new(ints.clone())),
        ("u", to(&DataType::UInt64)),
        ("f", to(&DataType::Float64)),
        ("d", to(&DataType::Decimal128(20, 2))),
        ("bool", to(&DataType::Boolean)),
        ("t", text(&DataType::Utf8)),
        ("tl", text(&DataType::LargeUtf8)),
        ("tv", text(&DataType::Utf8View)),
        ("td", text(&keys())),
        ("day", to(&DataType::Date32)),
        (
            "at",
            arrow::compute::cast(
                &to(&DataType::Int64),
                &DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into())),
            )
            .expect("castable"),
        ),
        ("clock", to(&DataType::Time32(TimeUnit::Second))),
        ("none", Arc::new(NullArray::new(rows))),
        ("list", Arc::new(lists.clone())),
        ("map", Arc::new(map)),
        ("s", Arc::new(members)),
        ("runs", Arc::new(runs)),
        ("raw", Arc::new(binary)),
        ("views", list(&DataType::ListView(item.clone()))),
        ("large", list(&DataType::LargeList(item))),
        ("pairs", Arc::new(pairs)),
        ("union", Arc::new(union.expect("a union"))),
        ("raws", Arc::new(raws)),
        ("interval", Arc::new(interval)),
        ("wide", to(&DataType::Decimal256(50, 3))),
        (
            "span",
            arrow::compute::cast(&to(&DataType::Int64), &DataType::Duration(TimeUnit::Second))
                .expect("castable"),
        ),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true)))
        .expect("a batch")
}

/// Two batches of one table.
pub(super) fn two(rows: usize, first: usize) -> [RecordBatch; 2] {
    let whole = rich(0, rows);
    [whole.slice(0, first), whole.slice(first, rows - first)]
}

pub(super) const PACKINGS: [Option<CompressionType>; 3] =
    [None, Some(CompressionType::LZ4_FRAME), Some(CompressionType::ZSTD)];

#[test]
fn files_and_streams_packed_or_not_say_the_same() {
    let batches = two(53, 40);
    let mut first = load(&stream(&batches, None), 1 << 20);
    assert_eq!(first.report.format, "arrow");
    assert_eq!(first.report.rows, 53);
    assert!(has_note(&first, NoteCode::ListsAsText) && has_note(&first, NoteCode::ColumnLeftOut));
    first.report.bytes = 0;
    for packing in PACKINGS {
        for bytes in [stream(&batches, packing), file(&batches, packing)] {
            for step in [1, 7, 1000, 1 << 20] {
                let mut loaded = load(&bytes, step);
                loaded.report.bytes = 0;
                assert_eq!(loaded.table.batches, first.table.batches, "{packing:?} {step}");
                assert_eq!(loaded.report, first.report, "{packing:?} {step}");
            }
        }
    }
}

#[test]
fn blocks_are_of_one_size() {
    let one = |rows: std::ops::Range<i32>| {
        let texts = StringArray::from_iter_values(rows.clone().map(|i| format!("t{}", i % 3)));
        let columns: [(&str, ArrayRef); 2] =
            [("n", Arc::new(Int32Array::from_iter_values(rows))), ("t", Arc::new(texts))];
        RecordBatch::try_from_iter(columns).expect("a batch")
    };
    let whole = load(&stream(&[one(0..150_000)], None), 1 << 20);
    let sizes: Vec<usize> = whole.table.batches.iter().map(RecordBatch::num_rows).collect();
    assert_eq!(sizes, [65_536, 65_536, 18_928]);
    // what is kept is not the memory of the file's batch
    assert!(whole.report.memory < 150_000 * 9, "{}", whole.report.memory);
    let tiny: Vec<RecordBatch> = (0..1500).map(|i| one(i * 100..(i + 1) * 100)).collect();
    let tiny = load(&stream(&tiny, None), 1 << 20);
    assert_eq!(tiny.table.batches, whole.table.batches);
    let values: Vec<_> = whole
        .table
        .batches
        .iter()
        .map(|b| b.column(1).as_any_dictionary().values().clone())
        .collect();
    assert!(values.windows(2).all(|w| Arc::ptr_eq(&w[0], &w[1])), "one dictionary");
}

#[test]
fn long_texts_make_short_blocks() {
    let texts = StringArray::from_iter_values((0..5).map(|i| i.to_string().repeat(9 << 20)));
    let batch = RecordBatch::try_from_iter([("t", Arc::new(texts) as ArrayRef)]).expect("a batch");
    let loaded = load(&stream(std::slice::from_ref(&batch), None), 1 << 20);
    assert!(loaded.table.batches.len() > 1);
    let all = concat_batches(&batch.schema(), &loaded.table.batches);
    assert_eq!(all.map(|all| all.column(0).clone()).ok(), Some(batch.column(0).clone()));
}

#[test]
fn no_rows_and_no_columns() {
    let empty = rich(0, 1).slice(0, 0);
    for bytes in [stream(std::slice::from_ref(&empty), None), file(&[empty], None)] {
        let loaded = load(&bytes, 99);
        let full = load(&stream(&[rich(1, 5)], None), 99);
        let kinds = |loaded: &Loaded| -> Vec<Kind> {
            loaded.table.schema.columns.iter().map(|c| c.kind).collect()
        };
        assert_eq!(kinds(&loaded), kinds(&full));
        assert_eq!((loaded.report.rows, loaded.table.rows()), (0, 0));
        assert!(has_note(&loaded, NoteCode::HeaderOnly));
    }
    let none = RecordBatch::new_empty(Arc::new(Schema::empty()));
    assert_eq!(code(&stream(&[none], None)), Code::NotATable);
    assert_eq!(code(b""), Code::EmptyInput);
}

#[test]
fn a_stream_says_what_it_was_made_of() {
    let check = |notes: &[(&str, &str)], format: &str, bytes: Option<u64>| {
        let [batch, _] = two(5, 5);
        let notes = notes.iter().map(|&(key, value)| (key.to_owned(), value.to_owned()));
        let schema = batch.schema().as_ref().clone().with_metadata(notes.collect());
        let batch = batch.with_schema(Arc::new(schema)).expect("the same columns");
        let stream = stream(&[batch], None);
        let report = load(&stream, 50).report;
        let own = stream.len() as u64;
        assert_eq!((report.format, report.bytes), (format, bytes.unwrap_or(own)));
    };
    let (format, bytes) = (("pinhole:format", "parquet"), ("pinhole:bytes", "12345"));
    check(&[], "arrow", None);
    check(&[format, bytes], "parquet", Some(12345));
    check(&[format], "arrow", None);
    check(&[bytes], "arrow", None);
    check(&[("pinhole:format", "csv"), bytes], "arrow", None);
    check(&[format, ("pinhole:bytes", "-1")], "arrow", None);
}

#[test]
fn names_are_made_unique() {
    let array = || Arc::new(Int32Array::from(vec![1])) as ArrayRef;
    let batch = RecordBatch::try_from_iter([("a", array()), ("a", array()), ("", array())]);
    let bytes = stream(&[batch.expect("a batch")], None);
    let loaded = load(&bytes, 20);
    let names: Vec<_> = loaded.table.schema.columns.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["a", "a_2", "column_3"]);
    assert!(has_note(&loaded, NoteCode::NameMadeUnique) && has_note(&loaded, NoteCode::NameMade));
    let options = Options::from_json(&json!({"units": {"b": "kg"}})).expect("valid options");
    let Err(Error::Input(problems)) = load_bytes(&bytes, &options, 20) else { panic!("unknown") };
    assert_eq!((problems[0].code, problems[0].pointer.as_str()), (Code::BadOption, "/units/b"));
}

/// A batch of one dictionary column.
pub(super) fn keyed(texts: &[Option<&str>]) -> RecordBatch {
    let array =
        arrow::compute::cast(&StringArray::from(texts.to_vec()), &keys()).expect("castable");
    RecordBatch::try_from_iter_with_nullable([("t", array, true)]).expect("a batch")
}

#[test]
fn dictionaries_may_change_and_grow() {
    let batches = [keyed(&[Some("a"), Some("b")]), keyed(&[Some("c"), None, Some("a")])];
    let wanted: Vec<Value> = [Some("a"), Some("b"), Some("c"), None, Some("a")]
        .into_iter()
        .map(|t| t.map_or(Value::Null, Value::text))
        .collect();
    assert_eq!(values(&load(&stream(&batches, None), 9), 0), wanted);
    let schema = batches[0].schema();
    let values_of = |texts: &[&str]| Arc::new(StringArray::from(texts.to_vec()));
    let grown: Vec<RecordBatch> = [
        DictionaryArray::new(Int32Array::from(vec![0, 1]), values_of(&["a", "b"])),
        DictionaryArray::new(
            Int32Array::from(vec![Some(2), None, Some(0)]),
            values_of(&["a", "b", "c"]),
        ),
    ]
    .into_iter()
    .map(|array: Int32DictionaryArray| {
        RecordBatch::try_new(schema.clone(), vec![Arc::new(array)]).expect("a batch")
    })
    .collect();
    let delta = || IpcWriteOptions::default().with_dictionary_handling(DictionaryHandling::Delta);
    let mut bytes = Vec::new();
    let mut writer =
        StreamWriter::try_new_with_options(&mut bytes, &schema, delta()).expect("a stream");
    for batch in &grown {
        writer.write(batch).expect("a batch");
    }
    writer.finish().expect("an end");
    drop(writer);
    assert_eq!(values(&load(&bytes, 9), 0), wanted);
    let mut bytes = Vec::new();
    let mut writer =
        FileWriter::try_new_with_options(&mut bytes, &schema, delta()).expect("a file");
    for batch in &grown {
        writer.write(batch).expect("a batch");
    }
    writer.finish().expect("an end");
    drop(writer);
    assert_eq!(values(&load(&bytes, 9), 0), wanted);
}

/// The messages of a stream, each from its first byte to its last.
fn messages(mut bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut out = Vec::new();
    loop {
        let length = u32::from_le_bytes(bytes[4..8].try_into().expect("four")) as usize;
        if length == 0 {
            return out;
        }
        let message = root_as_message(&bytes[8..8 + length]).expect("a message");
        let all = 8 + length + message.bodyLength() as usize;
        out.push(bytes[..all].to_vec());
        bytes = &bytes[all..];
    }
}

pub(super) const END: &[u8] = &[0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0];

/// What stands behind the messages of a file, as far as it has to be there.
fn contents() -> Vec<u8> {
    [&b"footer"[..], &6u32.to_le_bytes(), b"ARROW1"].concat()
}

/// A file's first message, the schema, and where it begins.
fn schema_of(file: &[u8]) -> (usize, Vec<u8>) {
    let start = file.windows(4).position(|four| four == [0xff; 4]).expect("a message");
    (start, messages(&file[start..]).remove(0))
}

#[test]
fn a_file_may_have_its_schema_in_its_contents_alone() {
    let batches = two(53, 40);
    for packing in PACKINGS {
        let whole = file(&batches, packing);
        let (start, schema) = schema_of(&whole);
        let without = [&whole[..8], &whole[start + schema.len()..]].concat();
        for step in [1, 100, 1 << 20] {
            let (one, other) = (load(&whole, step), load(&without, step));
            assert_eq!(one.table.batches, other.table.batches, "{packing:?} {step}");
        }
        // nor is there one there
        let cut = [&without[..without.len() - 30], &contents()[..]].concat();
        assert_eq!(code(&cut), Code::BrokenFile);
    }
    let none = file(&[RecordBatch::new_empty(rich(0, 3).schema())], None);
    let (start, schema) = schema_of(&none);
    let without = [&none[..8], &none[start + schema.len()..]].concat();
    assert_eq!(load(&without, 9).table.batches, load(&none, 9).table.batches);
}

#[test]
fn a_message_without_a_length_does_not_end_a_file() {
    let whole = file(&two(53, 40), None);
    let rows = load(&whole, 1000).report.rows;
    let (start, _) = schema_of(&whole);
    let mut at = start;
    for message in messages(&whole[start..]) {
        let mut damaged = whole.clone();
        damaged[at + 4..at + 8].fill(0);
        let loaded = load_bytes(&damaged, &Options::default(), 1000);
        // where the schema goes, that of the contents does as well
        assert!(loaded.is_err() || loaded.is_ok_and(|l| l.report.rows == rows), "at {at}");
        at += message.len();
    }
}

#[test]
fn dictionaries_may_come_last_in_a_file() {
    let mut messages = messages(&stream(&[keyed(&[Some("a"), None, Some("b")])], None));
    assert_eq!(messages.len(), 3);
    messages.swap(1, 2);
    let stream = [messages.concat(), END.to_vec()].concat();
    let file = [b"ARROW1\0\0".to_vec(), stream.clone(), END.to_vec(), contents()].concat();
    let wanted = [Value::text("a"), Value::Null, Value::text("b")];
    assert_eq!(values(&load(&file, 11), 0), wanted);
    assert_eq!(code(&stream), Code::BrokenFile);
}

#[test]
fn streams_end_without_a_mark_and_begin_without_one() {
    let batches = [rich(0, 3)];
    let messages = messages(&stream(&batches, None));
    let whole = load(&stream(&batches, None), 100);
    assert_eq!(load(&messages.concat(), 100).table.batches, whole.table.batches);
    // as written by the first versions
    let old: Vec<u8> = messages.iter().flat_map(|m| m[4..].to_vec()).chain([0; 4]).collect();
    let options = Options { format: Some(super::super::Format::Arrow), ..Options::default() };
    let loaded = load_bytes(&old, &options, 100).expect("a table");
    assert_eq!(loaded.table.batches, whole.table.batches);
    let file = [b"ARROW1\0\0".to_vec(), old, contents()].concat();
    assert_eq!(load(&file, 100).table.batches, whole.table.batches);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_written_is_read(
        columns in prop::collection::vec(column(), 1..5),
        packing in prop::sample::select(PACKINGS.to_vec()),
        as_file in any::<bool>(),
        step in 1usize..500,
    ) {
        let names = (0..columns.len()).map(|i| format!("c{i}"));
        let described: Vec<Column> =
            names.zip(&columns).map(|(name, (kind, _))| Column::new(&name, *kind)).collect();
        let rows = (0..12).map(|row| columns.iter().map(|(_, v)| v[row].clone()).collect()).collect();
        let table = Table { columns: described.clone(), rows };
        let table = LoadedTable::from_rows(TableSchema::new("t", described), &table).expect("a table");
        let bytes = if as_file { file(&table.batches, packing) } else { stream(&table.batches, packing) };
        let loaded = load(&bytes, step);
        for (i, (kind, expected)) in columns.iter().enumerate() {
            prop_assert_eq!(loaded.table.schema.columns[i].kind, *kind);
            let found = values(&loaded, i);
            let same = found.iter().zip(expected).all(|(a, b)| a.total_cmp(b).is_eq());
            prop_assert!(same && found.len() == expected.len(), "{found:?} for {expected:?}");
        }
    }
}

#[test]
fn many_columns_and_long_texts() {
    let one = || Arc::new(Int32Array::from(vec![1])) as ArrayRef;
    let names: Vec<String> = (0..10_000).map(|i| format!("c{i}")).collect();
    let wide = RecordBatch::try_from_iter(names.iter().map(|name| (name, one())));
    let bytes = stream(&[wide.expect("a batch")], None);
    assert_eq!(load(&bytes, 1 << 16).report.columns.len(), 10_000);
    let same = RecordBatch::try_from_iter((0..10_000).map(|_| ("a", one())));
    let loaded = load(&stream(&[same.expect("a batch")], None), 1 << 16);
    assert_eq!(loaded.report.columns.len(), 10_000);
    assert!(has_note(&loaded, NoteCode::NameMadeUnique));
    let long = "x\0".repeat(5 << 20);
    let text: ArrayRef = Arc::new(StringArray::from(vec![long.as_str(), ""]));
    let batch = RecordBatch::try_from_iter([("a", text)]).expect("a batch");
    for packing in [None, Some(CompressionType::ZSTD)] {
        let loaded = load(&stream(std::slice::from_ref(&batch), packing), 1 << 16);
        assert_eq!(values(&loaded, 0).first().map(|v| v.to_string().len()), Some(long.len()));
    }
}
