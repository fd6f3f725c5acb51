//! Files of other programs through the reader: what the stream holds is what `parquet`'s own reader
//! of whole files sees, only what is needed is asked for, and damaged files end.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that reads files; a broken expectation stops it"
)]

use arrow_array::{Array, ArrayRef, Int32Array, RecordBatch, StringArray};
use arrow_ipc::reader::StreamReader;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, Encoding, Repetition, Type as PhysicalType};
use parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, ParquetMetaData, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::schema::types::{SchemaDescriptor, Type};
use pinhole_parquet::{Failure, Reader, Step};
use proptest::prelude::*;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

/// The files that other programs wrote, by name.
fn files() -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from("../tests/formats/parquet/files");
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .expect("the folder of files")
        .map(|entry| entry.expect("a file").path())
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read(path).expect("its bytes"))
        })
        .collect();
    files.sort();
    assert!(files.len() >= 26, "the files of make.py");
    files
}

/// What came of a file.
struct Read {
    batches: Vec<RecordBatch>,
    asked: Vec<Range<u64>>,
    rows: u64,
}

/// Reads a file; `serve` may give more than is asked for.
fn read(file: &[u8], columns: Option<&[&str]>, more: u64) -> Result<Read, Failure> {
    let size = file.len() as u64;
    let columns = columns.map(|names| names.iter().map(|&name| name.to_owned()).collect());
    let mut reader = Reader::new(size, columns);
    let (mut stream, mut asked) = (Vec::new(), Vec::new());
    // each turn brings bytes or a piece: a file of these sizes has few of either
    for _ in 0..10_000 {
        match reader.step()? {
            Step::Needs(ranges) => {
                for Range { start, end } in ranges {
                    assert!(start <= end && end <= size, "{start}..{end} of {size}");
                    asked.push(start..end);
                    let end = if end == size { end } else { (end + more).min(size) };
                    reader.push(start, file[start as usize..end as usize].to_vec())?;
                }
            }
            Step::Piece(piece) => stream.extend(piece),
            Step::Done => {
                let batches = StreamReader::try_new(stream.as_slice(), None).expect("a stream");
                let notes = batches.schema().metadata().clone();
                assert_eq!(notes.get("pinhole:format").map(String::as_str), Some("parquet"));
                assert_eq!(notes.get("pinhole:bytes"), Some(&size.to_string()));
                let batches = batches.map(|batch| batch.expect("a batch")).collect();
                return Ok(Read { batches, asked, rows: reader.rows() });
            }
        }
    }
    panic!("no end");
}

/// The cells of a column as text, the codes of a dictionary looked up.
fn cells(batches: &[RecordBatch], column: &str) -> Vec<Option<String>> {
    batches
        .iter()
        .flat_map(|batch| {
            let array = batch.column_by_name(column).expect("the column");
            let format = arrow_cast::display::FormatOptions::default();
            let text = arrow_cast::display::ArrayFormatter::try_new(array, &format).expect("cells");
            (0..array.len())
                .map(|row| array.is_valid(row).then(|| text.value(row).to_string()))
                .collect::<Vec<_>>()
        })
        .collect()
}

#[test]
fn files_of_other_programs_come_out_as_they_are() {
    for (name, file) in files() {
        let whole = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(file.clone()))
            .and_then(ParquetRecordBatchReaderBuilder::build)
            .expect("a reader of whole files");
        let whole: Vec<RecordBatch> = whole.map(|batch| batch.expect("a batch")).collect();
        for more in [0, 5, 1 << 20] {
            let got = read(&file, None, more).unwrap_or_else(|e| panic!("{name}: {e:?}"));
            let rows: usize = whole.iter().map(RecordBatch::num_rows).sum();
            assert_eq!(got.rows, rows as u64, "{name}");
            let Some(first) = whole.first() else { continue };
            for field in first.schema().fields() {
                let (own, other) = (cells(&got.batches, field.name()), cells(&whole, field.name()));
                assert_eq!(own, other, "{name}: {}", field.name());
            }
        }
    }
}

#[test]
fn bytes_of_groups_that_were_read_are_let_go() {
    let path = PathBuf::from("../tests/formats/parquet/long.parquet");
    let file = std::fs::read(path).expect("a file of four groups");
    let mut reader = Reader::new(file.len() as u64, None);
    let (mut rows, mut most) = (0, 0);
    loop {
        match reader.step().expect("a file") {
            // as one, as hosts bring what lies together
            Step::Needs(ranges) => {
                let start = ranges.iter().map(|range| range.start).min().expect("ranges");
                let end = ranges.iter().map(|range| range.end).max().expect("ranges");
                reader.push(start, file[start as usize..end as usize].to_vec()).expect("bytes");
                most = most.max(reader.held());
            }
            Step::Piece(_) => rows = reader.rows(),
            Step::Done => break,
        }
    }
    assert_eq!(rows, 20_000);
    assert!(most > 0 && most < file.len() as u64 / 2, "{most} of {} bytes", file.len());
}

#[test]
fn only_the_columns_that_are_wanted_are_asked_for() {
    let (_, file) = files().into_iter().find(|(n, _)| n == "pyarrow-none.parquet").unwrap();
    let check = |columns: &[&str], names: &[&str]| {
        let got = read(&file, Some(columns), 0).expect("a file");
        let schema = got.batches[0].schema();
        let found: Vec<&str> = schema.fields().iter().map(|f| f.name().as_str()).collect();
        assert_eq!(found, names);
        got.asked.iter().map(|range| range.end - range.start).sum::<u64>()
    };
    let all = ["timestamp", "day", "id", "n", "price", "paid", "item", "shop"];
    let everything = check(&all, &all);
    let two = check(&["n", "id"], &["id", "n"]);
    assert!(two < everything, "{two} of {everything} bytes");
    // names of columns inside of others, and such as are not there
    check(&["id.x", "paid"], &["id", "paid"]);
    check(&["paid", "idx"], &all);
    check(&["nothing"], &all);
}

#[test]
fn what_is_no_parquet_says_so() {
    let (_, file) = files().into_iter().find(|(n, _)| n == "pyarrow-snappy.parquet").unwrap();
    let check = |bytes: &[u8], failure: Failure| {
        assert_eq!(read(bytes, None, 0).err(), Some(failure), "{} bytes", bytes.len());
    };
    check(b"", Failure::NotParquet);
    check(b"PAR1PAR1", Failure::NotParquet);
    check(b"a,b\n1,2\n3,4\n5,6\n", Failure::NotParquet);
    check(&file[..file.len() - 1], Failure::NotParquet);
    check(&file[..file.len() / 2], Failure::NotParquet);
    let end = |mark: &[u8], length: u32| {
        let mut bytes = file[..file.len() - 8].to_vec();
        bytes.extend(length.to_le_bytes());
        bytes.extend(mark);
        bytes
    };
    check(&end(b"PARE", 100), Failure::Encrypted);
    check(&end(b"PAR1", u32::MAX), Failure::Broken);
    check(&end(b"PAR1", file.len() as u32), Failure::Broken);
    check(&end(b"PAR1", 0), Failure::Broken);
}

#[test]
fn bytes_that_were_not_asked_for_change_nothing() {
    let (_, file) = files().into_iter().find(|(n, _)| n == "duckdb-zstd.parquet").unwrap();
    let mut reader = Reader::new(file.len() as u64, None);
    assert_eq!(reader.push(0, vec![0; file.len() + 1]), Err(Failure::Broken));
    assert_eq!(reader.push(u64::MAX, vec![0; 2]), Err(Failure::Broken));
    reader.push(0, file[..10].to_vec()).expect("beginnings are let pass");
    assert!(matches!(reader.step(), Ok(Step::Needs(_))));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    /// Wherever a file is damaged, reading it ends: with rows, with a failure, or with a panic of
    /// the decoder, which hosts keep away from everything else.
    #[test]
    fn a_damaged_file_ends(
        which in any::<prop::sample::Index>(),
        places in prop::collection::vec((any::<prop::sample::Index>(), 1_u8..), 1..4),
        in_footer in any::<bool>(),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let files = files();
        let (_, file) = which.get(&files);
        let mut file = file.clone();
        let footer = file.len() - 8 - u32::from_le_bytes(
            file[file.len() - 8..file.len() - 4].try_into().unwrap()) as usize;
        for (place, change) in places {
            let place = if in_footer {
                footer + place.index(file.len() - footer)
            } else {
                place.index(file.len())
            };
            file[place] ^= change;
        }
        if let Some(cut) = cut {
            file.drain(4..4 + cut.index(file.len() - 12));
        }
        let _ = catch_unwind(AssertUnwindSafe(|| {
            let size = file.len() as u64;
            let mut reader = Reader::new(size, None);
            for _ in 0..10_000 {
                match reader.step() {
                    Ok(Step::Needs(ranges)) => {
                        for Range { start, end } in ranges {
                            if reader.push(start, file[start as usize..end as usize].to_vec()).is_err() {
                                return;
                            }
                        }
                    }
                    Ok(Step::Piece(_)) => {}
                    Ok(Step::Done) | Err(_) => return,
                }
            }
            std::process::abort();
        }));
    }
}

/// A file of one batch.
fn written(columns: Vec<(String, ArrayRef)>) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter(columns).expect("a batch");
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("rows");
    writer.close().expect("an end");
    bytes
}

#[test]
fn many_columns_the_same_names_and_long_texts() {
    let one = || Arc::new(Int32Array::from(vec![1])) as ArrayRef;
    let wide = written((0..10_000).map(|i| (format!("c{i}"), one())).collect());
    let got = read(&wide, None, 0).expect("a file");
    assert_eq!((got.rows, got.batches[0].num_columns()), (1, 10_000));
    for end in [8, 100, wide.len() / 2, wide.len() - 9, wide.len() - 1] {
        assert!(read(&wide[..end], None, 0).is_err(), "{end}");
    }
    let same = written(vec![("a".into(), one()), ("a".into(), one())]);
    assert_eq!(read(&same, None, 0).expect("a file").batches[0].num_columns(), 2);
    let long = "x\0".repeat(5 << 20);
    let text: ArrayRef = Arc::new(StringArray::from(vec![long.as_str()]));
    let got = read(&written(vec![("a".into(), text)]), None, 0).expect("a file");
    assert_eq!(got.rows, 1);
}

/// What a file of one column and one page says of its sizes, whatever it has.
#[derive(Clone, Copy)]
struct Declared {
    /// Bytes of the page once unpacked.
    page: i32,
    /// Values of the page.
    page_values: i32,
    /// Values and bytes of the column's part.
    values: i64,
    bytes: i64,
    /// Rows of the group, and so of the file.
    rows: i64,
    packed: Compression,
}

const TRUE: Declared = Declared {
    page: 16,
    page_values: 4,
    values: 4,
    bytes: 64,
    rows: 4,
    packed: Compression::UNCOMPRESSED,
};

/// A file of four whole numbers that says this of them.
fn declaring(said: Declared) -> Vec<u8> {
    let numbers: Vec<u8> = (1_i32..=4).flat_map(i32::to_le_bytes).collect();
    let data = match said.packed {
        // a length, then one literal of sixteen bytes
        Compression::SNAPPY => [&[16, 15 << 2], numbers.as_slice()].concat(),
        _ => numbers,
    };
    // the page's header in Thrift's compact form: each number in zigzag, seven bits a byte
    let mut header = Vec::new();
    let mut field = |head: u8, number: i32| {
        header.push(head);
        let mut rest = ((number << 1) ^ (number >> 31)) as u32;
        while rest >= 0x80 {
            header.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        header.push(rest as u8);
    };
    field(0x15, 0); // a data page
    field(0x15, said.page);
    field(0x15, data.len() as i32);
    field(0x2c, 0);
    header.pop();
    let mut field = |number: i32| {
        header.push(0x15);
        let mut rest = ((number << 1) ^ (number >> 31)) as u32;
        while rest >= 0x80 {
            header.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        header.push(rest as u8);
    };
    field(said.page_values);
    field(0); // plain
    field(3); // levels in runs
    field(3);
    header.extend([0, 0]);
    let column = Type::primitive_type_builder("a", PhysicalType::INT32)
        .with_repetition(Repetition::REQUIRED)
        .build()
        .expect("a column");
    let schema = Arc::new(SchemaDescriptor::new(Arc::new(
        Type::group_type_builder("schema")
            .with_fields(vec![Arc::new(column)])
            .build()
            .expect("one"),
    )));
    let size = (header.len() + data.len()) as i64;
    let part = ColumnChunkMetaData::builder(schema.column(0))
        .set_compression(said.packed)
        .set_encodings(vec![Encoding::PLAIN])
        .set_num_values(said.values)
        .set_total_compressed_size(size)
        .set_total_uncompressed_size(said.bytes)
        .set_data_page_offset(4)
        .build()
        .expect("a part");
    let group = RowGroupMetaData::builder(schema.clone())
        .set_num_rows(said.rows)
        .set_total_byte_size(said.bytes)
        .set_column_metadata(vec![part])
        .build()
        .expect("a group");
    with_footer([b"PAR1", header.as_slice(), &data].concat(), schema, said.rows, vec![group])
}

fn with_footer(
    mut bytes: Vec<u8>,
    schema: Arc<SchemaDescriptor>,
    rows: i64,
    groups: Vec<RowGroupMetaData>,
) -> Vec<u8> {
    let file = FileMetaData::new(1, rows, None, None, schema, None);
    let footer = ParquetMetaData::new(file, groups);
    let mut end = Vec::new();
    ParquetMetaDataWriter::new(&mut end, &footer).finish().expect("a footer");
    bytes.extend(end);
    bytes
}

#[test]
fn declared_sizes_are_not_believed() {
    let got = read(&declaring(TRUE), None, 0).expect("a file");
    assert_eq!((got.rows, cells(&got.batches, "a").len()), (4, 4));
    let snappy = Declared { packed: Compression::SNAPPY, ..TRUE };
    assert_eq!(read(&declaring(snappy), None, 0).expect("a file").rows, 4);
    let (most, huge) = (1 << 31, 1 << 62);
    for (name, said) in [
        ("negative page", Declared { page: -1, ..snappy }),
        ("page values", Declared { page_values: i32::MAX, ..TRUE }),
        ("negative values", Declared { page_values: -1, ..TRUE }),
        ("group rows", Declared { rows: most, ..TRUE }),
        ("huge group", Declared { rows: huge, values: huge, ..TRUE }),
        ("negative group", Declared { rows: -1, ..TRUE }),
        (
            "all",
            Declared {
                page: i32::MAX,
                page_values: i32::MAX,
                values: huge,
                bytes: i64::MAX,
                rows: huge,
                ..snappy
            },
        ),
    ] {
        assert_eq!(
            read(&declaring(said), None, 0).map(|got| got.rows).err(),
            Some(Failure::Broken),
            "{name}"
        );
    }
    // what nothing depends on is let pass: the bytes are there
    for said in [
        Declared { page: i32::MAX, ..TRUE },
        Declared { page: i32::MAX, ..snappy },
        Declared { bytes: i64::MAX, values: huge, ..TRUE },
    ] {
        assert_eq!(read(&declaring(said), None, 0).map(|got| got.rows), Ok(4));
    }
}

#[test]
fn a_file_without_columns_ends() {
    let schema = Arc::new(SchemaDescriptor::new(Arc::new(
        Type::group_type_builder("schema").build().expect("none"),
    )));
    for rows in [0, 3, 1 << 31, 1 << 62] {
        let group = RowGroupMetaData::builder(schema.clone()).set_num_rows(rows).build();
        let groups = vec![group.expect("a group")];
        let file = with_footer(b"PAR1".to_vec(), schema.clone(), rows, groups);
        assert_eq!(read(&file, None, 0).map(|got| got.batches.len()), Ok(0), "{rows}");
    }
}
