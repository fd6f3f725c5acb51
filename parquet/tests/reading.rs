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
use pinhole_parquet::{Failure, Reader, Step};
use proptest::prelude::*;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

/// The files that other programs wrote, by name.
fn files() -> Vec<(String, Vec<u8>)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/formats/parquet/files");
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
    let path =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../tests/formats/parquet/long.parquet");
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
