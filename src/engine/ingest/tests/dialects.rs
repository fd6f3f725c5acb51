//! What the caller can say about how a file is written, against what would be guessed.

use super::{Loaded, NoteCode, Options, fails, has_note, load, load_bytes, load_with, values};
use crate::error::Code;
use crate::schema::Kind;
use crate::value::Value;
use arrow::datatypes::DataType;
use serde_json::{Value as Json, json};

fn names(loaded: &Loaded) -> Vec<&str> {
    loaded.report.columns.iter().map(|c| c.name.as_str()).collect()
}

/// The names, and the values of the first row.
fn check(text: &str, options: &Json, expected_names: &[&str], row: &[&str]) {
    let loaded = load_with(text, options);
    assert_eq!(names(&loaded), expected_names, "{text:?} with {options}");
    let found = (0..row.len()).map(|i| values(&loaded, i).first().map(ToString::to_string));
    let found: Vec<String> = found.map(Option::unwrap_or_default).collect();
    assert_eq!(found, row, "{text:?} with {options}");
}

#[test]
fn the_dialect_can_be_given() {
    let csv = |options: Json| json!({ "csv": options });
    check("a,b;c\n1,2;3\n", &csv(json!({"delimiter": ";"})), &["a,b", "c"], &["1.2", "3"]);
    check("a:b\n1:2\n", &csv(json!({"delimiter": ":"})), &["a", "b"], &["1", "2"]);
    check("'a,b',c\n'x''y',2\n", &csv(json!({"quote": "'"})), &["a,b", "c"], &["x'y", "2"]);
    check("a,b\n\"x,y\n", &csv(json!({"quote": false})), &["a", "b"], &["\"x", "y"]);
    check("a,b\n\"x\\\",y\",2\n", &csv(json!({"escape": "\\"})), &["a", "b"], &["x\",y", "2"]);
    check("a,b\nx\\,y,2\n", &csv(json!({"escape": "\\"})), &["a", "b"], &["x,y", "2"]);
    check("x,y\nz,w\n", &csv(json!({"header": false})), &["column_1", "column_2"], &["x", "y"]);
    check("1,2\n3,4\n", &csv(json!({"header": true})), &["1", "2"], &["3", "4"]);
    check("t,x\ny,z\na,b\n1,2\n", &csv(json!({"skip": 2})), &["a", "b"], &["1", "2"]);
    check("#a,b,c\n1,2,3\n", &csv(json!({"skip": 0})), &["#a", "b", "c"], &["1", "2", "3"]);
    check("d,x\n1/2/2024,1\n", &csv(json!({"dates": "dmy"})), &["d", "x"], &["2024-02-01", "1"]);
    check("x;y\n1,234;1\n", &csv(json!({"decimal": "."})), &["x", "y"], &["1234", "1"]);
    check("x;y\n1.234;1\n", &csv(json!({"decimal": ","})), &["x", "y"], &["1234", "1"]);
    let options = Options::from_json(&csv(json!({"encoding": "windows-1252"})));
    let options = options.expect("valid options");
    let loaded = load_bytes(b"a,b\n\xe8\xec\xff,1\n", &options, 3).expect("a table");
    assert_eq!(values(&loaded, 0), [Value::text("èìÿ")]);
    assert!(!has_note(&loaded, NoteCode::EncodingGuessed));
}

#[test]
fn chosen_columns_are_those_of_the_table() {
    let text = "a,b,,d\n1,x,007,2024-01-02\n2,y,NA,2024-01-03\n";
    check(text, &json!({"columns": ["d", "a"]}), &["a", "d"], &["1", "2024-01-02"]);
    let all = load(text);
    for (place, name) in ["a", "b", "column_3", "d"].into_iter().enumerate() {
        let one = load_with(text, &json!({ "columns": [name] }));
        assert_eq!(values(&one, 0), values(&all, place));
        assert_eq!((names(&one), one.report.rows), (vec![name], 2));
        assert!(one.report.notes.iter().all(|n| n.column.as_deref().is_none_or(|c| c == name)));
    }
    for (options, at) in [
        (json!({"columns": ["a", "A"]}), "/columns/1"),
        (json!({"columns": ["a"], "units": {"b": "kg"}}), "/units/b"),
        (json!({"columns": ["a"], "time": "d"}), "/time"),
    ] {
        let problem = fails(text, &options);
        assert_eq!((problem.code, problem.pointer.as_str()), (Code::BadOption, at), "{options}");
    }
}

#[test]
fn units_months_and_moments_of_whole_columns() {
    let loaded = load(
        "price;share;month;день;ts;tag\n\
         1 234,50 ₽;12,5 %;Jan 2000;1 января 2024;1704186000;1704186000\n\
         -7,00 ₽;3 %;Feb 2000;29 фев. 2024;1704186060;1704186060\n",
    );
    let kinds: Vec<Kind> = loaded.table.schema.columns.iter().map(|c| c.kind).collect();
    let expected = [Kind::Float, Kind::Float, Kind::Date, Kind::Date, Kind::Timestamp, Kind::Int];
    assert_eq!(kinds, expected);
    let units: Vec<Option<&str>> =
        loaded.report.columns.iter().take(2).map(|c| c.unit.as_deref()).collect();
    assert_eq!(units, [Some("RUB"), Some("%")]);
    let second: Vec<String> =
        (0..5).filter_map(|i| values(&loaded, i).get(1).map(ToString::to_string)).collect();
    assert_eq!(second, ["-7", "3", "2000-02-01", "2024-02-29", "2024-01-02T09:01:00"]);
    assert_eq!(loaded.report.time.as_deref(), Some("ts"));
}

#[test]
fn currencies_are_written_as_words_too() {
    let loaded = load("a;b;c;d\n6 761,29 руб.;7 руб;EUR 12,50;5 р.\n-7,00 руб.;;-3,00 EUR;12 р\n");
    let units: Vec<Option<&str>> =
        loaded.report.columns.iter().map(|c| c.unit.as_deref()).collect();
    assert_eq!(units, [Some("RUB"), Some("RUB"), Some("EUR"), Some("RUB")]);
    assert!(loaded.table.schema.columns.iter().all(|c| c.kind.is_numeric()));
    // a word that goes on is none
    let loaded = load("a,b\n5 рублик,1 EURO\n6 рублик,2 EURO\n");
    assert!(loaded.table.schema.columns.iter().all(|c| c.kind == Kind::Text));
}

#[test]
fn whole_numbers_are_as_wide_as_they_need() {
    let loaded = load("a,b,c\n1,2147483647,2147483648\n-2,-2147483648,0\n");
    let types: Vec<&DataType> = loaded.table.arrow.fields().iter().map(|f| f.data_type()).collect();
    assert_eq!(types, [&DataType::Int32, &DataType::Int32, &DataType::Int64]);
    assert!(loaded.report.memory > 0);
}

#[test]
fn comments_before_the_header_are_left_out_with_a_note() {
    let loaded = load("# made by x\n# at noon\na,b\n1,2\n3,4\n");
    assert_eq!((names(&loaded), loaded.report.rows), (vec!["a", "b"], 2));
    assert!(has_note(&loaded, NoteCode::LinesSkipped));
}

#[test]
fn a_title_over_two_columns_is_none_of_their_names() {
    for text in ["Sales in May\n\nday,sold\n2024-05-01,7\n2024-05-02,9\n", "Sales\na,b\nx,1\ny,2\n"]
    {
        let loaded = load(text);
        assert_eq!((loaded.table.schema.columns.len(), loaded.report.rows), (2, 2), "{text}");
        assert!(has_note(&loaded, NoteCode::LinesSkipped), "{text}");
    }
    // the names of a table whose first column has none
    let loaded = load("sold\nx,1\ny,2\n");
    assert_eq!(loaded.report.rows, 2);
    assert!(!has_note(&loaded, NoteCode::LinesSkipped));
}
