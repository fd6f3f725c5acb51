//! Shapes of files, options, reports and what is refused.

use super::{
    Loaded, Loader, NoteCode, Options, fails, has_note, load, load_bytes, load_with, values,
};
use crate::engine::ingest::OnBadRow;
use crate::error::Code;
use crate::schema::Kind;
use crate::value::Value;
use arrow::datatypes::DataType;
use serde_json::json;
use std::fmt::Write;

#[test]
fn bars_are_recognised() {
    let loaded = load(
        "timestamp,Open,High,Low,Close,Volume\n2024-01-02 09:30,1,2,0.5,1.5,10\n2024-01-02 09:31,1,2,0.5,1.5,10\n",
    );
    let schema = &loaded.table.schema;
    assert_eq!(schema.ohlcv.as_ref().map(|o| o.close.as_str()), Some("Close"));
    assert_eq!(schema.interval, Some(60));
    assert_eq!(schema.rows, 2);
    assert!(schema.is_intraday());
}

#[test]
fn dictionaries_and_distinct_values() {
    let mut text = String::from("word,id\n");
    for i in 0..50_000 {
        let _ = writeln!(text, "w{},id-{i}", i % 300);
    }
    let loaded = load(&text);
    let types: Vec<&DataType> = loaded.table.arrow.fields().iter().map(|f| f.data_type()).collect();
    assert!(matches!(types.first(), Some(DataType::Dictionary(_, _))), "{types:?}");
    assert_eq!(types.get(1), Some(&&DataType::Utf8));
    assert_eq!(loaded.report.columns.first().and_then(|c| c.distinct), Some(300));
    assert_eq!(values(&loaded, 1).get(49_999), Some(&Value::text("id-49999")));
    assert_eq!(values(&loaded, 0).get(49_999), Some(&Value::text("w199")));
    let small = load("c,n\nb,1\na,2\nb,3\n");
    let listed = small.table.schema.column("c").and_then(|c| c.values.clone());
    assert_eq!(listed, Some(vec!["a".to_owned(), "b".to_owned()]));
    assert!(small.table.batches.iter().all(|b| b.num_columns() == 2));
}

#[test]
fn a_late_surprise_leaves_every_value_as_written() {
    let mut cells: Vec<String> = (0..40_000).map(|i| format!("{}.{:02}", i, i % 100)).collect();
    cells.push("007".to_owned());
    let mut moments: Vec<String> =
        (0..40_000).map(|i| format!("2024-01-02 {:02}:{:02}:00", i / 60 % 24, i % 60)).collect();
    moments.push("soon".to_owned());
    let mut text = String::from("c,m\n");
    for (c, m) in cells.iter().zip(&moments) {
        let _ = writeln!(text, "{c},{m}");
    }
    let loaded = load(&text);
    let expected: Vec<Value> = cells.iter().map(Value::text).collect();
    assert!(values(&loaded, 0) == expected);
    let expected: Vec<Value> = moments.iter().map(Value::text).collect();
    assert!(values(&loaded, 1) == expected);
    assert_eq!(loaded.table.schema.rows, 40_001);
    assert!(has_note(&loaded, NoteCode::LeadingZeros));
}

#[test]
fn bad_rows() {
    let text = "a,b\n1,2\n3\n\"4\n4\",5,6\n7,8\n";
    let problem = fails(text, &json!({}));
    assert_eq!(problem.code, Code::BadRow);
    assert_eq!(problem.message.en, "line 3 has 1 fields where the table has 2 columns");
    assert_eq!(problem.fix.as_deref(), Some("onBadRow: \"skip\""));
    let loaded = load_with(text, &json!({"onBadRow": "skip"}));
    assert_eq!(values(&loaded, 0), [Value::Int(1), Value::Int(7)]);
    let bad = &loaded.report.bad_rows;
    assert_eq!(bad.count, 2);
    let lines: Vec<_> = bad.lines.iter().map(|r| (r.line, r.fields, r.expected)).collect();
    assert_eq!(lines, [(3, 1, 2), (4, 3, 2)]);
    assert!(has_note(&loaded, NoteCode::RowsSkipped));
    let open = "a,b\n1,2\n3,\"4\n5,6\n";
    assert_eq!(fails(open, &json!({})).message.en, "the quote opened on line 3 is never closed");
    assert_eq!(load_with(open, &json!({"onBadRow": "skip"})).report.rows, 2);
    let mut many = String::from("a,b\n");
    for _ in 0..150 {
        many += "1,2\n3,4,5\n";
    }
    let many = load_with(&many, &json!({"onBadRow": "skip"}));
    let bad = &many.report.bad_rows;
    assert_eq!(bad.count, 150);
    let lines: Vec<u64> = bad.lines.iter().map(|row| row.line).collect();
    let first: Vec<u64> = (0..100).map(|i| 2 * i + 3).collect();
    assert_eq!(lines, first);
    // a preamble, a quoted line break in a good row, other ends of lines
    for (text, line) in [
        ("# made by hand\n# in May\na,b\n1,2\n3\n5,6\n7,8\n", 5),
        ("a,b\n1,\"2\n2\"\n3\n5,6\n", 4),
        ("a,b\r\n1,2\r\n3\r\n5,6\r\n", 3),
        ("a,b\r1,2\r3\r5,6\r", 3),
    ] {
        let loaded = load_with(text, &json!({"onBadRow": "skip"}));
        let lines: Vec<u64> = loaded.report.bad_rows.lines.iter().map(|row| row.line).collect();
        assert_eq!(lines, [line], "{text}");
    }
    assert_eq!(Options { on_bad_row: OnBadRow::Error, ..Options::default() }, Options::default());
}

#[test]
fn the_last_column_without_name_or_values_is_left_out() {
    let loaded = load("a,b,\n1,2,\n3,4,\n");
    assert_eq!(loaded.table.schema.columns.len(), 2);
    assert!(has_note(&loaded, NoteCode::TrailingDelimiter));
    assert!(!has_note(&loaded, NoteCode::NameMade));
    let loaded = load("a,b\n1,2,\n3,4,\n");
    assert_eq!(loaded.table.schema.columns.len(), 2);
    assert!(has_note(&loaded, NoteCode::TrailingDelimiter));
    let loaded = load("a,b,\n1,2,\n3,4,x\n");
    assert_eq!(values(&loaded, 2), [Value::Null, Value::text("x")]);
    assert!(has_note(&loaded, NoteCode::NameMade));
}

#[test]
fn what_is_not_a_table() {
    for (bytes, code) in [
        (&b""[..], Code::EmptyInput),
        (b"\xef\xbb\xbf", Code::EmptyInput),
        (b" \n\n", Code::EmptyInput),
        (b"\n\r\n", Code::EmptyInput),
        (b"<!DOCTYPE html>\n<html>", Code::NotATable),
        (b"  <html lang=en>", Code::NotATable),
        (b"<?xml version='1.0'?>", Code::NotATable),
        (b"PK\x03\x04\x14\x00\x06\x00\x08\x00", Code::UnsupportedFormat),
        (b"PAR1\x15\x04\x15\x10\x00", Code::UnsupportedFormat),
        (b"a,b\n1,\x00\n", Code::NotText),
        (b"\x01\x02\x03\x04,\x05\n\x06\x07", Code::NotText),
    ] {
        let found = fails(bytes, &json!({})).code;
        assert_eq!(found, code, "{:?}", String::from_utf8_lossy(bytes));
    }
    let excel = fails(b"PK\x03\x04\x14\x00\x06\x00\x08\x00", &json!({}));
    assert!(excel.message.en.contains("Excel"), "{excel}");
}

#[test]
fn a_header_without_rows_is_an_empty_table() {
    let loaded = load_with("a,b\n", &json!({"types": {"b": "integer"}}));
    assert_eq!(loaded.table.schema.rows, 0);
    let kinds: Vec<Kind> = loaded.table.schema.columns.iter().map(|c| c.kind).collect();
    assert_eq!(kinds, [Kind::Text, Kind::Int]);
    assert!(has_note(&loaded, NoteCode::HeaderOnly));
    assert_eq!(loaded.report.notes.len(), 1);
    assert_eq!(loaded.table.arrow.fields().len(), 2);
}

#[test]
fn options_override_guesses() {
    let options = json!({
        "types": {"zip": "integer", "n": "text", "d": "timestamp", "x": "number"},
        "units": {"x": "min"}, "labels": {"x": "Delay"}, "series": "s",
        "synonyms": {"table": ["flights"], "columns": {"x": ["задержка"]},
                     "values": {"s": {"A": ["первый"], "C": ["третий"]}}},
        "resample": {"x": "mean"},
    });
    let loaded =
        load_with("zip,n,d,x,s\n007,1.50,2024-01-02,3,A\n008,2,2024-01-03,4,B\n", &options);
    let row: Vec<String> =
        (0..4).filter_map(|i| values(&loaded, i).first().map(ToString::to_string)).collect();
    assert_eq!(row, ["7", "1.50", "2024-01-02T00:00:00", "3"]);
    let schema = &loaded.table.schema;
    let kinds: Vec<Kind> = schema.columns.iter().map(|c| c.kind).collect();
    assert_eq!(kinds, [Kind::Int, Kind::Text, Kind::Timestamp, Kind::Float, Kind::Text]);
    let x = schema.column("x").expect("there");
    assert_eq!(x.unit.as_deref(), Some("min"));
    assert_eq!(x.label.as_deref(), Some("Delay"));
    assert_eq!(x.synonyms, ["задержка"]);
    assert_eq!(schema.synonyms, ["flights"]);
    // A value that is not there has no other words.
    let words = schema.column("s").map(|s| s.other_words().collect::<Vec<_>>());
    assert_eq!(words, Some(vec![("первый", "A")]));
    assert_eq!(schema.series.as_deref(), Some("s"));
    assert_eq!(schema.resample.len(), 1);
    for (options, pointer) in [
        (json!({"types": {"y": "text"}}), "/types/y"),
        (json!({"synonyms": {"values": {"y": {}}}}), "/synonyms/values/y"),
        (json!({"synonyms": {"values": {"x": {"3": ["three"]}}}}), "/synonyms/values/x"),
        (json!({"types": {"s": "integer"}}), "/types/s"),
        (json!({"series": "z"}), "/series"),
        (json!({"resample": {"s": "sum"}}), "/resample/s"),
        (json!({"types": {"x": "date"}}), "/types/x"),
    ] {
        let problem = fails("x,s\n3,A\n4,B\n", &options);
        assert_eq!((problem.code, problem.pointer.as_str()), (Code::BadOption, pointer));
    }
    assert!(Loader::new(" ", Options::default()).is_err());
}

#[test]
fn the_report_is_plain_data() {
    let text = "дата;цена\n01.02.2024;1,5\n02.02.2024;\n";
    let loaded = load(text);
    let report = serde_json::to_value(&loaded.report).expect("serialisable");
    assert_eq!(report["format"], "csv");
    assert_eq!(report["encoding"], "utf-8");
    assert_eq!(report["delimiter"], ";");
    assert_eq!(report["rows"], 2);
    assert_eq!(report["bytes"], text.len());
    assert_eq!(report["columns"][0]["type"], "date");
    assert_eq!(report["columns"][1]["nulls"], 1);
    assert_eq!(report["time"], "дата");
    assert_eq!(report["interval"], 86_400);
    assert_eq!(report["range"], json!(["2024-02-01", "2024-02-02"]));
    assert!(report["memory"].as_u64().is_some_and(|m| m > 0));
    let memory = report["memory"].as_f64().unwrap_or_default();
    assert_eq!(report["memory_per_row"].as_f64(), Some(memory / 2.0));
    assert_eq!((&report["dates"], &report["decimal"]), (&json!("dmy"), &json!(",")));
    assert_eq!((&report["quote"], &report["escape"]), (&json!("\""), &json!(null)));
    let quoted = serde_json::to_value(&load("a,b\n'x, y',1\n'z, z',2\n").report).expect("plain");
    assert_eq!(quoted["quote"], "'");
    let escaped = "a,b\n\"it \\\"is\\\", so\",1\n\"x, y\",2\n";
    let escaped = serde_json::to_value(&load(escaped).report).expect("plain");
    assert_eq!((&escaped["quote"], &escaped["escape"]), (&json!("\""), &json!("\\")));
    let plain = serde_json::to_value(&load("day,x\n2024-02-01,1.5\n").report).expect("plain");
    assert!(plain["dates"].is_null() && plain["decimal"].is_null());
    let empty = serde_json::to_value(&load("a,b\n").report).expect("plain");
    assert_eq!(empty["rows"], 0);
    assert!(empty["memory_per_row"].is_null());
    let duplicate = load("a,a\n1,2\n");
    let report = serde_json::to_value(&duplicate.report).expect("serialisable");
    assert_eq!(report["notes"][0]["code"], "name_made_unique");
    assert_eq!(report["notes"][0]["column"], "a_2");
    assert!(report["notes"][0]["text"]["ru"].as_str().is_some_and(|t| t.contains("имя")));
}

#[test]
fn a_failed_loader_stays_failed() {
    let mut loader = Loader::new("t", Options::default()).expect("a name");
    let big = "a,b\n".to_owned() + &"1,2\n".repeat(20_000) + "1\n" + &"1,2\n".repeat(20_000);
    let first = loader.push(big.as_bytes());
    assert!(first.is_err());
    assert_eq!(loader.push(b"3,4\n").map(|p| p.rows), first.map(|p| p.rows));
    assert!(loader.finish().is_err());
}

#[test]
fn pieces_do_not_matter_over_many_blocks() {
    let mut text = String::from("when,word,x,odd\r\n");
    for i in 0..40_000u32 {
        let odd = if i % 7919 == 1 { "\"é\r\n\"" } else { "" };
        let (hour, minute) = (i / 60 % 24, i % 60);
        let _ = write!(text, "2024-01-02 {hour:02}:{minute:02},w{},{}.5,{odd}\r\n", i % 3, i);
    }
    let whole = load_bytes(text.as_bytes(), &Options::default(), usize::MAX).expect("a table");
    let same =
        |other: &Loaded| whole.report == other.report && whole.table.batches == other.table.batches;
    for step in [997, 65_536, 100_003] {
        let pieces = load_bytes(text.as_bytes(), &Options::default(), step).expect("a table");
        assert!(same(&pieces), "pieces of {step}");
    }
    assert_eq!(whole.report.rows, 40_000);
    assert!(whole.table.batches.len() > 1);
}

#[test]
fn progress_counts_bytes_and_rows() {
    let mut loader = Loader::new("t", Options::default()).expect("a name");
    let text = "a,b\n".to_owned() + &"1,2\n".repeat(50_000);
    let progress = loader.push(text.as_bytes()).expect("fine");
    assert_eq!(progress.bytes, text.len() as u64);
    assert!(progress.rows > 40_000);
    assert_eq!(loader.finish().map(|l| l.report.rows), Ok(50_000));
}
