//! Files that are damaged, deceptive or out of all proportion: each gives a table or a diagnostic.

use super::{Loaded, Options, fails, has_note, load, load_bytes, load_with, values};
use crate::engine::ingest::{Loader, NoteCode};
use crate::error::{Code, Error, Result};
use crate::value::Value;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::Write as _;

/// The code of the first problem of a file that comes in pieces of 64 KiB.
fn problem(bytes: &[u8]) -> Option<Code> {
    match load_bytes(bytes, &Options::default(), 64 << 10) {
        Err(Error::Input(list)) => list.first().map(|d| d.code),
        other => panic!("{other:?}"),
    }
}

fn whole(bytes: &[u8]) -> Result<Loaded> {
    load_bytes(bytes, &Options::default(), 64 << 10)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ::zstd::encode_all(bytes, 3).expect("memory")
}

fn table() -> String {
    let mut text = String::from("id,name,x\n");
    for i in 0..200 {
        let _ = writeln!(text, "{i},name {},{}.5", i * 7919 % 101, i * 31);
    }
    text
}

#[test]
fn packed_files_that_are_cut_are_told() {
    for packed in [gzip(table().as_bytes()), zstd(table().as_bytes())] {
        assert_eq!(whole(&packed).map(|l| l.report.rows), Ok(200));
        for end in 2..packed.len() {
            let cut = packed.get(..end).unwrap_or_default();
            assert_eq!(problem(cut), Some(Code::BrokenFile), "cut at {end}");
        }
        let mut longer = packed.clone();
        longer.extend_from_slice(b"and more");
        assert_eq!(problem(&longer), Some(Code::BrokenFile));
    }
}

#[test]
fn a_mark_of_packing_before_something_else_is_told() {
    for mark in [&b"\x1f\x8b"[..], b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd"] {
        let bytes = [mark, table().as_bytes()].concat();
        assert_eq!(problem(&bytes), Some(Code::BrokenFile), "{mark:?}");
    }
    for mark in [&b"PK\x03\x04"[..], b"PAR1\x15", b"\xfd7zXZ", b"7z\xbc\xaf", b"SQLite f"] {
        let bytes = [mark, table().as_bytes()].concat();
        assert_eq!(problem(&bytes), Some(Code::UnsupportedFormat), "{mark:?}");
    }
    // packed twice
    assert_eq!(problem(&gzip(&gzip(b"a,b\n1,2\n"))), Some(Code::UnsupportedFormat));
}

#[test]
fn bombs_are_given_up() {
    let size = 10 << 20;
    for (byte, code) in [(0, Code::NotText), (b'\n', Code::EmptyInput), (b' ', Code::EmptyInput)] {
        for packed in [gzip(&vec![byte; size]), zstd(&vec![byte; size])] {
            assert!(packed.len() < 64 << 10, "{}", packed.len());
            assert_eq!(problem(&packed), Some(code), "{byte}");
        }
    }
    // a frame that declares 2^62 bytes in a window of 2^41
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0b1100_0000, 0b1111_1000];
    frame.extend((1u64 << 62).to_le_bytes());
    assert_eq!(problem(&frame), Some(Code::BrokenFile));
}

#[test]
fn tables_without_rows_or_columns() {
    for text in ["a,b", "a,b\n", "a,b\r\n\r\n", "\"a\",\"b\"\n\n\n"] {
        let loaded = load(text);
        assert_eq!((loaded.report.rows, loaded.report.columns.len()), (0, 2), "{text:?}");
    }
    for text in ["", "\n", "\r\r\r", "\n\n\n\n", "   \n  \n", "\t\n", "\u{feff}\n"] {
        assert_eq!(fails(text, &json!({})).code, Code::EmptyInput, "{text:?}");
    }
}

#[test]
fn one_line_and_one_cell() {
    let loaded = load("42");
    assert_eq!(values(&loaded, 0), [Value::Int(42)]);
    let loaded = load("1,2,3");
    assert_eq!((loaded.report.rows, loaded.report.columns.len()), (1, 3));
    let loaded = load("name");
    assert_eq!((loaded.report.rows, loaded.report.columns.len()), (0, 1));
}

#[test]
fn names_that_come_often_are_made_unique() {
    for (names, note) in [("a,", NoteCode::NameMadeUnique), (",", NoteCode::NameMade)] {
        let text = format!("{}z\n{}1\n", names.repeat(20_000), "1,".repeat(20_000));
        let loaded = whole(text.as_bytes()).expect("a table");
        let columns = &loaded.report.columns;
        let unique: HashSet<&str> = columns.iter().map(|c| c.name.as_str()).collect();
        assert_eq!((columns.len(), unique.len()), (20_001, 20_001));
        assert!(has_note(&loaded, note));
        assert!(loaded.report.notes.len() <= 110, "{}", loaded.report.notes.len());
    }
}

#[test]
fn wide_tables() {
    for width in [10_000, 20_000] {
        let header: Vec<String> = (0..width).map(|i| format!("c{i}")).collect();
        let row: Vec<String> = (0..width).map(|i| (i % 10).to_string()).collect();
        let text = format!("{}\n{}\n{}\n", header.join(","), row.join(","), row.join(","));
        let loaded = whole(text.as_bytes()).expect("a table");
        assert_eq!((loaded.report.columns.len(), loaded.report.rows), (width, 2));
        assert_eq!(values(&loaded, width - 1), [Value::Int(9), Value::Int(9)]);
    }
    for text in [",".repeat(1_000_000), format!("{}\n", "a;".repeat(1_000_000))] {
        assert_eq!(problem(text.as_bytes()), Some(Code::NotATable));
    }
}

#[test]
fn a_row_of_a_million_delimiters() {
    let commas = ",".repeat(1_000_000);
    let text = format!("a,b\n1,2\n3{commas}\n5,6\n");
    let loaded = whole(text.as_bytes()).expect("a table");
    assert_eq!(values(&loaded, 1), [Value::Int(2), Value::Null, Value::Int(6)]);
    assert!(has_note(&loaded, NoteCode::TrailingDelimiter));
    let text = format!("a,b\n1,2\n3{commas}x\n5,6\n");
    assert_eq!(problem(text.as_bytes()), Some(Code::BadRow));
}

#[test]
fn a_field_of_fifty_megabytes() {
    let size = 50 << 20;
    for quote in ["\"", ""] {
        let text = format!("a,b\n1,{quote}{}{quote}\n2,y\n", "x".repeat(size));
        let loaded = whole(text.as_bytes()).expect("a table");
        assert_eq!(loaded.report.rows, 2);
        let long = values(&loaded, 1).first().map(|v| v.to_string().len());
        assert_eq!(long, Some(size));
    }
    // longer than any field is taken for a quote that was never closed
    let text = format!("a,b\n1,\"{}\n2,y\n", "x\n".repeat(40 << 20));
    assert_eq!(problem(text.as_bytes()), Some(Code::BadRow));
}

#[test]
fn zero_bytes_are_no_text() {
    for text in ["a,b\n1,\0\n", "\0", "a\0b,c\n1,2\n", "a,b\n\0\0\0,2\n"] {
        assert_eq!(fails(text, &json!({})).code, Code::NotText, "{text:?}");
    }
    // far behind the part that is looked at first
    let text = "a,b\n1,2\n".to_owned() + &"1,2\n".repeat(50_000) + "3,\0\n";
    let loaded = whole(text.as_bytes()).expect("a table");
    assert_eq!(loaded.report.rows, 50_002);
}

#[test]
fn nothing_but_quotes() {
    let skip = json!({"onBadRow": "skip"});
    let odd = fails("\"", &json!({}));
    assert!(matches!(odd.code, Code::BadRow | Code::EmptyInput), "{odd}");
    for n in 1..12 {
        let text = "\"".repeat(n);
        for text in
            [text.clone(), format!("{text}\n"), format!("a\n{text}\n"), format!("{text},{text}")]
        {
            for options in [json!({}), skip.clone()] {
                let options = Options::from_json(&options).expect("valid options");
                let read = load_bytes(text.as_bytes(), &options, 3);
                assert!(matches!(read, Ok(_) | Err(Error::Input(_))), "{text:?}: {read:?}");
            }
        }
    }
}

#[test]
fn ends_of_lines_of_all_kinds() {
    for text in [
        "a,b\r\n1,x\n2,y\r3,z",
        "a,b\r1,x\r2,y\r3,z\r",
        "a,b\n1,x\n\r2,y\r\n\r\n3,z\r\r",
        "\r\n\na,b\r\r1,x\n2,y\n3,z\r\n",
    ] {
        let loaded = load(text);
        assert_eq!(values(&loaded, 0), [1, 2, 3].map(Value::Int), "{text:?}");
        assert_eq!(values(&loaded, 1), ["x", "y", "z"].map(Value::text), "{text:?}");
    }
}

#[test]
fn utf16_that_is_cut_or_unmarked() {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let mut bytes = utf16("имя;n\nа;1\nб;2\n");
    let loaded = whole(&bytes).expect("a table");
    assert_eq!(values(&loaded, 0), ["а", "б"].map(Value::text));
    assert!(has_note(&loaded, NoteCode::EncodingGuessed));
    bytes.pop();
    assert_eq!(whole(&bytes).map(|l| l.report.rows), Ok(2));
}

#[test]
fn chosen_columns_of_a_damaged_file() {
    let options = json!({"columns": ["b"], "onBadRow": "skip"});
    let loaded = load_with("a,b,\n1,2,\n3\n4,5,\n", &options);
    assert_eq!(loaded.report.columns.len(), 1);
    assert_eq!(values(&loaded, 0), [Value::Int(2), Value::Int(5)]);
    assert_eq!(loaded.report.bad_rows.count, 1);
    assert!(!has_note(&loaded, NoteCode::NameMade));
    let problem = fails("a,b\n1,2\n", &json!({"columns": ["a", "c"], "types": {"b": "text"}}));
    assert_eq!((problem.code, problem.pointer.as_str()), (Code::BadOption, "/columns/1"));
    let problem = fails("a,b\n1,2\n", &json!({"columns": ["a"], "types": {"b": "text"}}));
    assert_eq!((problem.code, problem.pointer.as_str()), (Code::BadOption, "/types/b"));
}

#[test]
fn bytes_after_a_failure_change_nothing() {
    let mut loader = Loader::new("t", Options::default()).expect("a name");
    let cut = gzip(table().as_bytes());
    let damaged: Vec<u8> =
        cut.iter().enumerate().map(|(i, b)| if i > 20 { !b } else { *b }).collect();
    let first = loader.push(&damaged).and_then(|_| loader.push(&damaged));
    let again = loader.push(b"a,b\n");
    assert_eq!(first.map(|p| p.rows), again.map(|p| p.rows));
    assert!(loader.finish().is_err());
}
