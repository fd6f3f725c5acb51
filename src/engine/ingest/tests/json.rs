//! JSON files: their shapes, the kinds of their values, and what is refused.

use super::{Loaded, NoteCode, Options, fails, load_bytes, load_with, values};
use crate::error::Code;
use crate::schema::Kind;
use serde_json::json;
use std::fmt::Write;

/// The table as text: names and kinds, then the rows.
fn table(loaded: &Loaded) -> String {
    let columns = &loaded.table.schema.columns;
    let head: Vec<String> =
        columns.iter().map(|c| format!("{}:{}", c.name, c.kind.name())).collect();
    let cells: Vec<_> = (0..columns.len()).map(|i| values(loaded, i)).collect();
    let mut out = head.join(" ");
    for row in 0..loaded.report.rows as usize {
        out += " / ";
        let row: Vec<String> =
            cells.iter().filter_map(|c| c.get(row)).map(ToString::to_string).collect();
        out += &row.join(", ");
    }
    out
}

fn codes(loaded: &Loaded) -> Vec<NoteCode> {
    loaded.report.notes.iter().map(|n| n.code).collect()
}

/// Loads a file and compares the table, the format and the notes.
fn check(text: &str, format: &str, expected: &str, notes: &[NoteCode]) {
    let loaded = load_with(text, &json!({}));
    assert_eq!(table(&loaded), expected, "{text}");
    assert_eq!((loaded.report.format, codes(&loaded).as_slice()), (format, notes), "{text}");
}

#[test]
fn shapes() {
    use NoteCode::{GeometryLeftOut, NoHeader, OneObject, RowsInField};
    let rows = "a:integer b:text / 1, x / 2, null";
    for text in [
        "[{\"a\":1,\"b\":\"x\"},{\"a\":2}]",
        " [ {\"a\": 1,\n  \"b\": \"x\"\n } ,\n{\"a\":2, \"b\":null} ] \n",
        "\u{feff}[{\"\\u0061\":1,\"b\":\"x\"},{\"a\":2}]",
    ] {
        check(text, "json", rows, &[]);
    }
    for text in [
        "{\"a\":1,\"b\":\"x\"}\n{\"a\":2}",
        "{\"a\":1,\"b\":\"x\"}\r\n\r\n \n{\"a\":2}\r\n",
        "{\"a\":1,\"b\":\"x\"}{\"a\":2}",
        "{\n \"a\":1,\n \"b\":\"x\"\n}\n{\n \"a\":2\n}\n",
    ] {
        check(text, "ndjson", rows, &[]);
    }
    for text in [
        "{\"count\":2,\"data\":[{\"a\":1,\"b\":\"x\"},{\"a\":2}]}",
        "{\"data\":[{\"a\":1,\"b\":\"x\"},{\"a\":2}],\"tags\":[1,[2]],\"x\":{\"y\":[3]},\"e\":[]}",
        "{\"schema\":{\"fields\":[{\"name\":\"a\"}]},\"data\":[ {\"a\":1,\"b\":\"x\"},{\"a\":2}]}",
        "{\"data\":[{\"a\":1,\"b\":\"x\"},{\"a\":2}],\"schema\":{\"fields\":[{\"name\":\"a\"}]}}",
        "{\"ok\":true,\"result\":{\"n\":2,\"rows\":[{\"a\":1,\"b\":\"x\"},{\"a\":2}]},\"s\":\"]}\"}",
    ] {
        check(text, "json", rows, &[RowsInField]);
    }
    check(
        "{\"a\":1,\"b\":{\"c\":[2,3]}}",
        "json",
        "a:integer b.c:list of integer / 1, [2,3]",
        &[OneObject],
    );
    check("{\"a\":1}\n", "json", "a:integer / 1", &[OneObject]);
    check("[1, 2.5, null]", "json", "value:number / 1 / 2.5 / null", &[]);
    check("[\"a\",\"b\"]", "json", "value:text / a / b", &[]);
    check(
        "[{\"a\":1}, 5, {}]",
        "json",
        "a:integer value:integer / 1, null / null, 5 / null, null",
        &[],
    );
    check("[[\"a\",\"b\"],[1,\"x\"],[2]]", "json", rows, &[]);
    check(
        "[[1,\"x\"],[2,null,true]]",
        "json",
        "column_1:integer column_2:text column_3:boolean / 1, x, null / 2, null, true",
        &[NoHeader],
    );
    let feature = "{\"type\":\"Feature\",\"id\":7,\"properties\":{\"a\":{\"b\":1},\"id\":\"x\"},\
                   \"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}";
    let without = "{\"type\":\"Feature\",\"geometry\":null,\"properties\":null}";
    check(
        &format!(
            "{{\"type\":\"FeatureCollection\",\"crs\":{{\"type\":\"name\"}},\"features\":[{feature},{without}]}}"
        ),
        "json",
        "id:integer a.b:integer id_2:text / 7, 1, x / null, null, null",
        &[GeometryLeftOut, NoteCode::NameMadeUnique, RowsInField],
    );
    check(
        &format!("{without}\n{feature}\n"),
        "ndjson",
        "id:integer a.b:integer id_2:text / null, null, null / 7, 1, x",
        &[GeometryLeftOut, NoteCode::NameMadeUnique],
    );
}

#[test]
fn one_object_a_line_where_it_is_asked_for() {
    let read = |text: &str| {
        let loaded = load_with(text, &json!({"format": "ndjson"}));
        assert_eq!(loaded.report.format, "ndjson");
        table(&loaded)
    };
    assert_eq!(read("{\"data\":[{\"a\":1}]}"), "data:text / [{\"a\":1}]");
    assert_eq!(read("\n{\"a\":1}\n\n{\"a\":2}"), "a:integer / 1 / 2");
    let problem = fails("{\"a\":\n1}\n", &json!({"format": "ndjson"}));
    assert_eq!(
        (problem.code, problem.message.en.as_str()),
        (Code::BadRow, "line 1 is not valid JSON, from character 6 on",)
    );
}

#[test]
fn nested_objects_and_names() {
    use NoteCode::{DuplicateKeys, EmptyColumn, MixedTypes, NameMade, NameMadeUnique};
    check(
        "[{\"b\":1,\"a\":{\"y\":{\"z\":true}}},{\"a\":{\"x\":2},\"c\":3}]",
        "json",
        "b:integer a.y.z:boolean a.x:integer c:integer / 1, true, null, null / null, null, 2, 3",
        &[],
    );
    check("[{\"a\":null},{\"a\":{\"b\":1}}]", "json", "a.b:integer / null / 1", &[]);
    check("[{\"a\":{\"b\":1}},{\"a\":null}]", "json", "a.b:integer / 1 / null", &[]);
    check("[{\"a\":null,\"b\":1}]", "json", "a:text b:integer / null, 1", &[EmptyColumn]);
    check("[{\"a\":{},\"b\":1}]", "json", "b:integer / 1", &[]);
    check(
        "[{\"a.b\":1,\"a\":{\"b\":2}}]",
        "json",
        "a.b:integer a.b_2:integer / 1, 2",
        &[NameMadeUnique],
    );
    check("[{\"\":1}]", "json", "column_1:integer / 1", &[NameMade]);
    check(
        "[{\"a\":\"x\",\"a\":2},{\"a\":3,\"a\":null}]",
        "json",
        "a:text / 2 / null",
        &[DuplicateKeys, MixedTypes],
    );
    check("[{\"a\":1,\"a\":2}]", "json", "a:integer / 2", &[DuplicateKeys]);
    check("[{\"a\":1},{\"a\":{\"b\": 2}}]", "json", "a:text / 1 / {\"b\":2}", &[MixedTypes]);
    check(
        "[{\"a\":{\"b\":2}},{\"a\":1}]",
        "json",
        "a.b:integer a:integer / 2, null / null, 1",
        &[MixedTypes],
    );
    check("[[\"a\",\"a\"],[1,2]]", "json", "a:integer a_2:integer / 1, 2", &[NameMadeUnique]);
}

#[test]
fn kinds() {
    use NoteCode::{InfiniteAsNull, ListsAsText, MixedTypes, NullWords, TooBigForInteger};
    check("[1, -2, 3000000000]", "json", "value:integer / 1 / -2 / 3000000000", &[]);
    check("[1, 2.50, 1e3, -0]", "json", "value:number / 1 / 2.5 / 1000 / 0", &[]);
    check(
        "[9223372036854775807, -9223372036854775808]",
        "json",
        "value:integer / 9223372036854775807 / -9223372036854775808",
        &[],
    );
    check(
        "[18446744073709551616, 1]",
        "json",
        "value:decimal / 18446744073709551616 / 1",
        &[TooBigForInteger],
    );
    let more = "9".repeat(39);
    let text = format!("[{{\"a\":{more}}},{{\"a\":1}}]");
    check(&text, "json", &format!("a:text / {more} / 1"), &[TooBigForInteger]);
    check("[18446744073709551616, 0.5]", "json", "value:number / 18446744073709552000 / 0.5", &[]);
    check("[0.1, 1e999]", "json", "value:number / 0.1 / null", &[InfiniteAsNull]);
    check("[true, null, false]", "json", "value:boolean / true / null / false", &[]);
    check("[\"true\", \"false\"]", "json", "value:text / true / false", &[]);
    check("[\"yes\", \"no\"]", "json", "value:text / yes / no", &[]);
    check("[\"007\", \"12\"]", "json", "value:text / 007 / 12", &[]);
    check("[\"12\", \"13\", \"1.5\", \"1,5\"]", "json", "value:text / 12 / 13 / 1.5 / 1,5", &[]);
    check("[\"2024\", \"20240102\"]", "json", "value:text / 2024 / 20240102", &[]);
    check("[\"NA\", \"-\", \"\", null]", "json", "value:text / NA / - /  / null", &[]);
    check("[\"2024-01-02\", null]", "json", "value:date / 2024-01-02 / null", &[]);
    check("[\"2024-01-02\", \"\"]", "json", "value:date / 2024-01-02 / null", &[]);
    check("[\"2024-01-02\", \"NA\"]", "json", "value:date / 2024-01-02 / null", &[NullWords]);
    check(
        "[\"2024-01-02T09:30:00Z\"]",
        "json",
        "value:timestamp / 2024-01-02T09:30:00",
        &[NoteCode::TimesInUtc],
    );
    for text in ["[{\"a\":NaN},{\"a\":-Infinity},{\"a\":1}]", "[-Infinity,null,1]"] {
        assert_eq!(table(&load_with(text, &json!({"format": "json"}))).matches("null").count(), 2);
    }
    let wrapped = "{\"x\":NaN,\"rows\":[{\"a\":NaN},{\"a\":1}]}";
    let notes = [NoteCode::RowsInField, InfiniteAsNull];
    check(wrapped, "json", "a:integer / null / 1", &notes);
    check(
        "{\"a\":NaN,\"b\":1}",
        "json",
        "a:text b:integer / null, 1",
        &[NoteCode::OneObject, InfiniteAsNull, NoteCode::EmptyColumn],
    );
    check("{\"a\":NaN}\n{\"a\":1}", "ndjson", "a:integer / null / 1", &[InfiniteAsNull]);
    check("[\"2024-01-02\", \"soon\"]", "json", "value:text / 2024-01-02 / soon", &[]);
    check("[1, \"2\", 3.50]", "json", "value:text / 1 / 2 / 3.50", &[MixedTypes]);
    check("[true, 1]", "json", "value:text / true / 1", &[MixedTypes]);
    check("[1, \"NA\"]", "json", "value:text / 1 / NA", &[MixedTypes]);
    check("[1, \"\"]", "json", "value:text / 1 / ", &[MixedTypes]);
    check("[\"2024-01-02\", 1]", "json", "value:text / 2024-01-02 / 1", &[MixedTypes]);
    check(
        "[{\"a\":[1, {\"b\" : \" x\"}]},{\"a\":[]}]",
        "json",
        "a:text / [1,{\"b\":\" x\"}] / []",
        &[ListsAsText],
    );
    check("[{\"a\":[1]},{\"a\":1}]", "json", "a:text / [1] / 1", &[MixedTypes]);
    for (lists, expected) in [
        (r#"{"a":["x", "", null]},{"a":[]},{}"#, r#"text / ["x","",null] / [] / null"#),
        (r#"{"a":["2024-01-02"]}"#, r#"text / ["2024-01-02"]"#),
        (r#"{"a":null},{"a":[1, -2]}"#, "integer / null / [1,-2]"),
        (r#"{"a":[1]},{"a":[2.50, NaN]}"#, "number / [1.0] / [2.5,null]"),
        (r#"{"a":[true]},{"a":[false, null]}"#, "boolean / [true] / [false,null]"),
        (r#"{"a":[]},{"a":[null]}"#, "text / [] / [null]"),
    ] {
        let notes: &[NoteCode] = if lists.contains("NaN") { &[InfiniteAsNull] } else { &[] };
        check(&format!("[{lists}]"), "json", &format!("a:list of {expected}"), notes);
    }
    for list in ["[1,\"x\"]", "[[1]]", "[true,1]", "[18446744073709551616]", "[1e999]"] {
        let text = format!("[{{\"a\":{list}}},{{\"a\":[1]}}]");
        check(&text, "json", &format!("a:text / {list} / [1]"), &[ListsAsText]);
    }
    check(
        "[{\"s\":\"\\u00e9\\n\\\"\\ud83d\\ude00\"},{\"s\":\"\\ud83d\"}]",
        "json",
        "s:text / é\n\"😀 / \u{fffd}\u{fffd}\u{fffd}",
        &[NoteCode::InvalidCharacters],
    );
    check(
        "[{\"ts\":1704067200},{\"ts\":1704067260}]",
        "json",
        "ts:timestamp / 2024-01-01T00:00:00 / 2024-01-01T00:01:00",
        &[NoteCode::EpochTime],
    );
}

#[test]
fn options_hold() {
    let read = |text: &str, options| table(&load_with(text, &options));
    let text = "[{\"zip\":\"007\",\"n\":1,\"x\":\"1\"},{\"zip\":\"12\",\"n\":2,\"x\":2}]";
    let types = json!({"types": {"zip": "integer", "n": "text", "x": "integer"}});
    assert_eq!(read(text, types), "zip:integer n:text x:integer / 7, 1, 1 / 12, 2, 2");
    let nulls = json!({"nulls": ["NA", "-999"]});
    assert_eq!(
        read("[{\"a\":\"NA\",\"b\":-999},{\"a\":2,\"b\":1}]", nulls),
        "a:integer b:integer / null, null / 2, 1"
    );
    for (options, pointer) in [
        (json!({"types": {"y": "text"}}), "/types/y"),
        (json!({"types": {"a.b": "integer"}}), "/types/a.b"),
        (json!({"time": "t"}), "/time"),
    ] {
        let problem = fails("[{\"a\":{\"b\":\"x\"}}]", &options);
        assert_eq!((problem.code, problem.pointer.as_str()), (Code::BadOption, pointer));
    }
    let problem = fails("{\"a\":[{\"b\":1}],\"c\":[{\"d\":1}]}", &json!({}));
    assert_eq!(problem.fix, None, "nothing reads one of the two");
}

#[test]
fn encodings() {
    let wide = |text: &str, bytes: fn(u16) -> [u8; 2], mark: bool| -> Vec<u8> {
        let mark = mark.then_some(0xfeff);
        mark.into_iter().chain(text.encode_utf16()).flat_map(bytes).collect()
    };
    let cyrillic = |text: &str| -> Vec<u8> {
        let byte = |c: char| match c as u32 {
            c @ 0x410..0x450 => (c - 0x410 + 0xc0) as u8,
            c => c as u8,
        };
        text.chars().map(byte).collect()
    };
    let rows = "[{\"имя\":\"хлеб\"}, {\"имя\":\"соль\"}]";
    let lines = "{\"имя\":\"хлеб\"}\n{\"имя\":\"соль\"}\n";
    for (format, text) in [("json", rows), ("ndjson", lines)] {
        let marked = [b"\xef\xbb\xbf", text.as_bytes()].concat();
        let guessed = &[NoteCode::EncodingGuessed][..];
        for (bytes, encoding, notes) in [
            (text.into(), "utf-8", &[][..]),
            (marked, "utf-8", &[]),
            (wide(text, u16::to_le_bytes, true), "utf-16le", &[]),
            (wide(text, u16::to_be_bytes, true), "utf-16be", &[]),
            (wide(text, u16::to_le_bytes, false), "utf-16le", guessed),
            (wide(text, u16::to_be_bytes, false), "utf-16be", guessed),
            (cyrillic(text), "windows-1251", guessed),
            (b"[{\"a\":\"caf\xe9\"}]".into(), "windows-1252", guessed),
        ] {
            let loaded = load_bytes(&bytes, &Options::default(), 3).expect("a table");
            let latin = encoding == "windows-1252";
            let cells = if latin { "a:text / café" } else { "имя:text / хлеб / соль" };
            assert_eq!(table(&loaded), cells, "{format} in {encoding}");
            assert_eq!(codes(&loaded), notes, "{format} in {encoding}");
            let report = serde_json::to_value(&loaded.report).expect("plain data");
            assert_eq!(report["encoding"], encoding, "{format}");
            assert_eq!(report["format"], if latin { "json" } else { format }, "{encoding}");
            assert_eq!(report.get("delimiter"), None, "{encoding}");
            // what is said of it is not guessed
            let said = json!({"csv": {"encoding": encoding}});
            let said = Options::from_json(&said).expect("options");
            let again = load_bytes(&bytes, &said, 3).expect("a table");
            assert_eq!((table(&again), again.report.encoding), (table(&loaded), Some(encoding)));
            assert!(codes(&again).is_empty(), "{format} in {encoding}");
        }
    }
    // and holds against what would be guessed
    let said = Options::from_json(&json!({"csv": {"encoding": "windows-1252"}})).expect("options");
    let loaded = load_bytes(&cyrillic(rows), &said, 3).expect("a table");
    assert_eq!(table(&loaded), "èìÿ:text / õëåá / ñîëü");
    assert_eq!(loaded.report.encoding, Some("windows-1252"));
}

#[test]
fn broken_files() {
    let json = json!({"format": "json"});
    for (text, code, message) in [
        ("", Code::EmptyInput, "the file is empty"),
        (" \n", Code::EmptyInput, "the file is empty"),
        ("[]", Code::EmptyInput, "the file has no rows with values"),
        ("[{}, {}]", Code::EmptyInput, "the file has no rows with values"),
        ("{}", Code::EmptyInput, "the file has no rows with values"),
        ("{\"features\":[{}]}", Code::EmptyInput, "the file has no rows with values"),
        ("secret", Code::BrokenFile, "this is not valid JSON: line 1, character 1"),
        ("[\n {\"a\": secret}]", Code::BrokenFile, "this is not valid JSON: line 2, character 8"),
        ("[{\"a\":1}\n{\"a\":2}]", Code::BrokenFile, "this is not valid JSON: line 2, character 1"),
        ("[{\"a\":1},]", Code::BrokenFile, "this is not valid JSON: line 1, character 10"),
        ("[{\"a\":1},,]", Code::BrokenFile, "this is not valid JSON: line 1, character 10"),
        ("[{\"a\":1]}", Code::BrokenFile, "this is not valid JSON: line 1, character 8"),
        ("{\"a\":}", Code::BrokenFile, "this is not valid JSON: line 1, character 6"),
        (
            "[{\"a\":1}]\n secret",
            Code::BrokenFile,
            "there is something after the end of the JSON: line 2, character 2",
        ),
        ("{\"a\":1} secret", Code::BrokenFile, "this is not valid JSON: line 1, character 9"),
        (
            "{\"a\":[{\"b\":1}],\"c\":{\"d\":[{\"e\":1}]},\"f\":[{\"g\":1}]}",
            Code::NotATable,
            "several lists could be the table: `a`, `f`",
        ),
        (
            "{\"columns\":[{\"name\":\"a\"}],\"rows\":[[1],[2]]}",
            Code::NotATable,
            "several lists could be the table: `columns`, `rows`",
        ),
        (
            "{\"schema\":{\"fields\":[{\"name\":\"a\"}]},\"rows\":[[1],[2]]}",
            Code::NotATable,
            "several lists could be the table: `schema.fields`, `rows`",
        ),
    ] {
        let problem = fails(text, &json);
        assert_eq!((problem.code, problem.message.en.as_str()), (code, message), "{text}");
        assert!(!problem.message.ru.contains("secret"));
    }
    let whole = "[{\"a\":[1,\"x\"]},\n{\"a\":2}]";
    for length in 1..whole.len() {
        let problem = fails(&whole[..length], &json);
        assert_eq!(problem.code, Code::BrokenFile, "{length}: {problem}");
        assert!(problem.message.en.contains("cut off"), "{length}: {problem}");
    }
    let mut deep = "{\"a\":".repeat(200);
    deep += "1";
    deep += &"}".repeat(200);
    assert_eq!(fails(format!("[{deep}]"), &json).code, Code::TooDeep);
    let lists = format!("[{{\"a\":{}{}}}]", "[".repeat(5000), "]".repeat(5000));
    assert_eq!(load_with(&lists, &json).report.rows, 1);
    let mut wide = String::from("[{");
    for i in 0..10_000 {
        let _ = write!(wide, "\"c{i}\":{i},");
    }
    let most = load_with(&format!("{}}}]", wide.trim_end_matches(',')), &json);
    assert_eq!(most.report.columns.len(), 10_000);
    wide += "\"last\":1}]";
    assert_eq!(fails(&wide, &json).code, Code::NotATable);
}

#[test]
fn lines_that_are_no_json() {
    let text = "{\"a\":1}\nsecret\n{\"a\":\n\n{\"a\":2}\n{\"a\":3} x\n[\n";
    let problem = fails(text, &json!({}));
    assert_eq!(problem.code, Code::BadRow);
    assert_eq!(problem.message.en, "line 2 is not valid JSON, from character 1 on");
    assert_eq!(problem.fix.as_deref(), Some("onBadRow: \"skip\""));
    let loaded = load_with(text, &json!({"onBadRow": "skip"}));
    assert_eq!(table(&loaded), "a:integer / 1 / 2");
    let bad = &loaded.report.bad_rows;
    let lines: Vec<u64> = bad.lines.iter().map(|row| row.line).collect();
    assert_eq!((bad.count, lines), (4, vec![2, 3, 6, 7]));
    assert_eq!(codes(&loaded), [NoteCode::RowsSkipped]);
    let none = fails("secret\n", &json!({"onBadRow": "skip", "format": "ndjson"}));
    assert_eq!(none.code, Code::EmptyInput);
}

#[test]
fn columns_that_appear_after_many_blocks() {
    let mut text = String::new();
    for i in 0..50_000 {
        let late = if i > 40_000 { ",\"late\":{\"x\":true}" } else { "" };
        let odd = if i == 45_000 { "\"none\"".to_owned() } else { i.to_string() };
        let _ = writeln!(text, "{{\"i\":{i},\"word\":\"w{}\",\"odd\":{odd}{late}}}", i % 3);
    }
    let whole = load_bytes(text.as_bytes(), &Options::default(), usize::MAX).expect("a table");
    let kinds: Vec<Kind> = whole.table.schema.columns.iter().map(|c| c.kind).collect();
    assert_eq!(kinds, [Kind::Int, Kind::Text, Kind::Text, Kind::Bool]);
    assert!(whole.table.batches.len() > 1);
    assert_eq!(whole.report.columns.iter().map(|c| c.nulls).max(), Some(40_001));
    assert_eq!(values(&whole, 2).get(49_999).map(ToString::to_string).as_deref(), Some("49999"));
    assert_eq!(values(&whole, 2).get(7).map(ToString::to_string).as_deref(), Some("7"));
    for step in [4096, 65_537] {
        let pieces = load_bytes(text.as_bytes(), &Options::default(), step).expect("a table");
        assert!(whole.report == pieces.report && whole.table.batches == pieces.table.batches);
    }
}

#[test]
fn long_things_around_the_rows_are_passed_over() {
    let long = "x]}".repeat(500_000);
    let rows = "[{\"a\":1},{\"a\":2}]";
    let nested = "{\"first\":[{\"no\":1}]}";
    for text in [
        format!("{{\"s\":\"{long}\",\"n\":{nested},\"rows\":{rows},\"l\":[\"{long}\"]}}"),
        format!("{{\"rows\":{rows},\"o\":{{\"s\":\"{long}\"}},\"n\":{nested}}}"),
    ] {
        for step in [1 << 20, 70_001, 4096] {
            let loaded = load_bytes(text.as_bytes(), &Options::default(), step).expect("a table");
            assert_eq!(table(&loaded), "a:integer / 1 / 2");
            assert_eq!(codes(&loaded), [NoteCode::RowsInField]);
        }
    }
    let lone = format!("{{\"s\":\"{long}\"}}");
    assert_eq!(fails(&lone[..2000], &json!({})).code, Code::BrokenFile);
    let refused = load_bytes(lone.as_bytes(), &Options::default(), 1 << 16);
    let code = refused.map(|_| ()).map_err(|e| e.diagnostics().first().map(|d| d.code));
    assert_eq!(code, Err(Some(Code::NotATable)));
}
