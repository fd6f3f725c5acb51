//! Kinds and values of columns, rule by rule.

use super::{NoteCode, fails, has_note, load, load_with, values};
use crate::error::Code;
use crate::schema::Kind;
use crate::value::Value;
use serde_json::json;
use std::fmt::Write;

/// The kind and the values of a column `c` of these cells, in a file with `delimiter` and a
/// column of numbers beside it.
fn check_in(delimiter: char, cells: &[&str], kind: Kind, expected: &str, notes: &[NoteCode]) {
    let mut text = format!("c{delimiter}n\n");
    for (i, cell) in cells.iter().enumerate() {
        let _ = writeln!(text, "\"{cell}\"{delimiter}{i}");
    }
    let loaded = load(&text);
    assert_eq!(loaded.table.schema.columns.first().map(|c| c.kind), Some(kind), "{cells:?}");
    let found: Vec<String> = values(&loaded, 0).iter().map(ToString::to_string).collect();
    assert_eq!(found.join(" | "), expected, "{cells:?}");
    let codes: Vec<NoteCode> = loaded.report.notes.iter().map(|n| n.code).collect();
    assert_eq!(codes, notes, "{cells:?}");
}

fn check(cells: &[&str], kind: Kind, expected: &str, notes: &[NoteCode]) {
    check_in(',', cells, kind, expected, notes);
}

#[test]
fn numbers() {
    use Kind::{Decimal, Float, Int, Text};
    check(&["1", "-2", ""], Int, "1 | -2 | null", &[]);
    check(&["1", "3000000000"], Int, "1 | 3000000000", &[]);
    check(&["1", "2.50"], Float, "1 | 2.5", &[]);
    check(&["0.1", "-0.0", "1e-05"], Float, "0.1 | 0 | 0.00001", &[]);
    check(
        &["0.30000000000000004", "1234.5678901234567"],
        Float,
        "0.30000000000000004 | 1234.5678901234567",
        &[],
    );
    check(&["007", "12"], Text, "007 | 12", &[NoteCode::LeadingZeros]);
    check(&["1", "2", "x1"], Text, "1 | 2 | x1", &[NoteCode::NotAllNumbers]);
    check(&["1.50", "2", "x"], Text, "1.50 | 2 | x", &[NoteCode::NotAllNumbers]);
    check(
        &["+79161234567", "+79160000000"],
        Text,
        "+79161234567 | +79160000000",
        &[NoteCode::LeadingZeros],
    );
    check(
        &["9223372036854775807", "-9223372036854775808"],
        Int,
        "9223372036854775807 | -9223372036854775808",
        &[],
    );
    check(
        &["1", "9223372036854775808", "-12,345,678,901,234,567,890"],
        Decimal(0),
        "1 | 9223372036854775808 | -12345678901234567890",
        &[NoteCode::TooBigForInteger],
    );
    let most = "9".repeat(38);
    check(&[&most, ""], Decimal(0), &format!("{most} | null"), &[NoteCode::TooBigForInteger]);
    let more = "9".repeat(39);
    check(&[&more, "1"], Text, &format!("{more} | 1"), &[NoteCode::TooBigForInteger]);
    check(&[" 12", "13 "], Int, "12 | 13", &[]);
    check(&["1", "inf", "-Infinity"], Int, "1 | null | null", &[NoteCode::InfiniteAsNull]);
    check(&["192.168.1.1", "10.0.0.1"], Text, "192.168.1.1 | 10.0.0.1", &[]);
}

#[test]
fn decimals_are_what_was_asked_for() {
    let of = |text: &str, kind: &str| {
        load_with(text, &json!({"types": {"c": kind}, "csv": {"delimiter": ";"}}))
    };
    for (text, scale, expected) in [
        ("c;n\n1.50;1\n-2;2\n;3\n", 2, "1.50 | -2.00 | null"),
        ("c;n\n1,50;1\n1.234,5;2\n", 2, "1.50 | 1234.50"),
        ("c;n\n$1,234.5;1\n-$5;2\n", 1, "1234.5 | -5.0"),
        (
            "c;n\n12345678901234567890.12;1\n1e-2;2\nNA;3\n",
            2,
            "12345678901234567890.12 | 0.01 | null",
        ),
        ("c;n\n1;1\n2;2\n", 0, "1 | 2"),
    ] {
        let loaded = of(text, &format!("decimal({scale})"));
        assert_eq!(loaded.table.schema.columns.first().map(|c| c.kind), Some(Kind::Decimal(scale)));
        assert_eq!(loaded.report.columns.first().map(|c| c.kind), Some("decimal"));
        let found: Vec<String> = values(&loaded, 0).iter().map(ToString::to_string).collect();
        assert_eq!(found.join(" | "), expected, "{text}");
    }
    let types = |kind: &str| json!({"types": {"c": kind}});
    for text in ["c,n\n0.125,1\n", "c,n\nx,1\n"] {
        let problem = fails(text, &types("decimal(2)"));
        assert_eq!((problem.code, problem.pointer.as_str()), (Code::BadOption, "/types/c"));
    }
    for kind in ["decimal", "decimal(39)", "decimal(-1)", "decimal(x)"] {
        assert!(crate::engine::ingest::Options::from_json(&types(kind)).is_err(), "{kind}");
    }
    assert_eq!(
        of("c;n\n", "decimal(5)").table.schema.columns.first().map(|c| c.kind),
        Some(Kind::Decimal(5))
    );
}

#[test]
fn separators_are_resolved_over_the_column() {
    use Kind::{Float, Int, Text};
    let guessed = [NoteCode::SeparatorsGuessed];
    check_in(';', &["1,5", "1000"], Float, "1.5 | 1000", &[]);
    check_in(';', &["1.234,5", "1.234"], Float, "1234.5 | 1234", &[]);
    check_in(';', &["1,234", "5"], Float, "1.234 | 5", &guessed);
    check_in(';', &["1.234", "1.5"], Float, "1.234 | 1.5", &[]);
    check_in(',', &["1,234", "5"], Int, "1234 | 5", &guessed);
    check_in(',', &["1,234", "5.5"], Float, "1234 | 5.5", &[]);
    check_in(',', &["1,234,567", "5"], Int, "1234567 | 5", &[]);
    check_in(',', &["1,5", "1.5"], Text, "1,5 | 1.5", &[NoteCode::SeparatorsUnclear]);
    check_in('\t', &["1 234,5", "12"], Float, "1234.5 | 12", &[]);
    check_in(';', &["1.234.567", "1.234"], Int, "1234567 | 1234", &[]);
    let loaded = load_with("c;n\n1,234;1\n", &json!({"csv": {"decimal": "."}}));
    assert_eq!(values(&loaded, 0), [Value::Int(1234)]);
}

#[test]
fn units_in_values_and_names() {
    let loaded = load("p,q,r,weight (kg)\n5%,$1.50,5%,1\n7.5%,\"$1,000\",6,2\n");
    let unit = |i: usize| loaded.table.schema.columns.get(i).and_then(|c| c.unit.clone());
    assert_eq!(values(&loaded, 0), [Value::Float(5.0), Value::Float(7.5)]);
    assert_eq!(values(&loaded, 1), [Value::Float(1.5), Value::Float(1000.0)]);
    assert_eq!(values(&loaded, 2), [Value::text("5%"), Value::text("6")]);
    assert_eq!(unit(0).as_deref(), Some("%"));
    assert_eq!(unit(1).as_deref(), Some("USD"));
    assert_eq!(unit(2), None);
    assert_eq!(unit(3).as_deref(), Some("kg"));
}

#[test]
fn missing_values() {
    use Kind::{Int, Text};
    let words = [NoteCode::NullWords];
    check(&["1", "NA", "-", "NaN", "none"], Int, "1 | null | null | null | null", &words);
    check(&["NA", "DE", ""], Text, "NA | DE | null", &[]);
    check(&["NA", "NA"], Text, "NA | NA", &[]);
    check(&["2024-01-02", "N/A"], Kind::Date, "2024-01-02 | null", &words);
    check(&["true", "null"], Kind::Bool, "true | null", &words);
    check(&["", ""], Text, "null | null", &[NoteCode::EmptyColumn]);
    let loaded = load_with("c,n\nNA,1\n?,-999\n-,3\n", &json!({"nulls": ["?", "-999"]}));
    assert_eq!(values(&loaded, 0), [Value::text("NA"), Value::Null, Value::text("-")]);
    assert_eq!(values(&loaded, 1), [Value::Int(1), Value::Null, Value::Int(3)]);
    assert_eq!(loaded.report.columns.iter().map(|c| c.nulls).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn truth_values() {
    use Kind::{Bool, Int, Text};
    check(&["true", "FALSE", ""], Bool, "true | false | null", &[]);
    check(&["yes", "no"], Bool, "true | false", &[]);
    check(&["да", "Нет"], Bool, "true | false", &[]);
    check(&["t", "f"], Bool, "true | false", &[]);
    check(&["Y", "N"], Bool, "true | false", &[]);
    check(&["True", "True"], Bool, "true | true", &[]);
    check(&["NO", "NO"], Text, "NO | NO", &[]);
    check(&["F", "M"], Text, "F | M", &[]);
    check(&["true", "no"], Text, "true | no", &[]);
    check(&["0", "1"], Int, "0 | 1", &[]);
    let loaded = load_with("c,n\n0,1\n1,2\n", &json!({"types": {"c": "boolean"}}));
    assert_eq!(values(&loaded, 0), [Value::Bool(false), Value::Bool(true)]);
}

#[test]
fn dates_and_moments() {
    use Kind::{Date, Text, Timestamp};
    let utc = [NoteCode::TimesInUtc];
    check(&["2024-02-29", "2024-03-01"], Date, "2024-02-29 | 2024-03-01", &[]);
    check(
        &["2001/01/01 06:55", "2001/01/01 06:56"],
        Timestamp,
        "2001-01-01T06:55:00 | 2001-01-01T06:56:00",
        &[],
    );
    check(
        &["2024-01-02T03:04:05.5", "2024-01-02T03:04:06"],
        Timestamp,
        "2024-01-02T03:04:05.500 | 2024-01-02T03:04:06",
        &[],
    );
    check(
        &["2024-01-02 01:00:00+03:00", "2024-01-02 01:00:00Z"],
        Timestamp,
        "2024-01-01T22:00:00 | 2024-01-02T01:00:00",
        &utc,
    );
    check(
        &["2024-01-02 01:00Z", "2024-01-02 01:00"],
        Text,
        "2024-01-02 01:00Z | 2024-01-02 01:00",
        &[NoteCode::MixedZones],
    );
    check(
        &["2024-01-02", "2024-01-02 10:00"],
        Timestamp,
        "2024-01-02T00:00:00 | 2024-01-02T10:00:00",
        &[],
    );
    check(&["31.12.2023", "1.1.2024"], Date, "2023-12-31 | 2024-01-01", &[]);
    check(&["1.2.2024", "2.3.2024"], Date, "2024-02-01 | 2024-03-02", &[]);
    check(&["12/31/2023", "1/2/2024"], Date, "2023-12-31 | 2024-01-02", &[]);
    check(
        &["31/12/2023 5:06 PM", "1/2/2024 5:06 AM"],
        Timestamp,
        "2023-12-31T17:06:00 | 2024-02-01T05:06:00",
        &[],
    );
    check(
        &["1/2/2024", "3/4/2024"],
        Date,
        "2024-01-02 | 2024-03-04",
        &[NoteCode::DateOrderGuessed],
    );
    check(&["31/12/2023", "12/31/2023"], Text, "31/12/2023 | 12/31/2023", &[]);
    check(&["Jan 1 2000", "Feb 1 2000"], Date, "2000-01-01 | 2000-02-01", &[]);
    check(&["5 мая 2020", "1 июня 2020"], Date, "2020-05-05 | 2020-06-01", &[]);
    check(&["May 2020", "June"], Text, "May 2020 | June", &[]);
    check(&["2024-02-30", "2024-01-01"], Text, "2024-02-30 | 2024-01-01", &[]);
    check(
        &["20240102 093000", "20240102 093100"],
        Timestamp,
        "2024-01-02T09:30:00 | 2024-01-02T09:31:00",
        &[],
    );
    check(
        &["2024-01-02 00:00:00.123456789"],
        Timestamp,
        "2024-01-02T00:00:00.123456",
        &[NoteCode::FractionCut],
    );
    let ru = json!({"locale": "ru"});
    let loaded = load_with("c,n\n1/2/2024,1\n", &ru);
    assert_eq!(values(&loaded, 0).first().map(ToString::to_string).as_deref(), Some("2024-02-01"));
}

#[test]
fn the_time_column() {
    let time = |text: &str, options| load_with(text, &options).table.schema.time;
    let some = |s: &str| Some(s.to_owned());
    assert_eq!(time("when,n\n2024-01-02,1\n", json!({})), some("when"));
    assert_eq!(time("a,b\n2024-01-02,2024-01-02\n", json!({})), None);
    assert_eq!(time("a,Date\n2024-01-02,2024-01-02\n", json!({})), some("Date"));
    assert_eq!(time("дата,b\n2024-01-02,2024-01-02\n", json!({})), some("дата"));
    assert_eq!(time("a,b\n2024-01-02,2024-01-02\n", json!({"time": "b"})), some("b"));
    assert_eq!(time("a,n\n2024-01-02,2\n", json!({"time": false})), None);
    assert_eq!(time("year,n\n2020,1\n2021,2\n", json!({})), None);
    assert_eq!(time("id,n\n1704186000,1\n", json!({})), None);
    let epoch = load("ts,n\n1704186000,1\n1704186060,2\n1704186120,3\n");
    assert_eq!(
        values(&epoch, 0).first().map(ToString::to_string).as_deref(),
        Some("2024-01-02T09:00:00")
    );
    assert!(has_note(&epoch, NoteCode::EpochTime));
    assert_eq!(epoch.table.schema.interval, Some(60));
    assert_eq!(
        epoch.report.range,
        Some(["2024-01-02T09:00:00".to_owned(), "2024-01-02T09:02:00".to_owned()])
    );
    let millis = load_with("id,n\n1704186000000,1\n,2\n", &json!({"time": "id"}));
    assert_eq!(millis.table.schema.column("id").map(|c| c.kind), Some(Kind::Timestamp));
    for name in ["timestamp", "DateTime", "date", "Time", "ts", "Дата", "время"] {
        let text = format!("made,{name}\n2024-01-01,2024-01-02\n2024-01-03,2024-01-04\n");
        assert_eq!(time(&text, json!({})).as_deref(), Some(name));
    }
    let digits = load("date,n\n20240102,1\n20240229,2\n");
    assert_eq!(values(&digits, 0).get(1).map(ToString::to_string).as_deref(), Some("2024-02-29"));
    assert_eq!(load("date,n\n20240102,1\n20240230,2\n").table.schema.time, None);
    let problem = fails("a,b\n1,x\n", &json!({"time": "b"}));
    assert_eq!((problem.code, problem.pointer.as_str()), (Code::BadOption, "/time"));
}

#[test]
fn a_column_knows_whether_it_goes_below_zero() {
    let loaded = load("a,b,c,d\n1,-0.5,x,-1\n2,3,y,\n");
    let signed: Vec<bool> = loaded.table.schema.columns.iter().map(|c| c.signed).collect();
    assert_eq!(signed, [false, true, false, true]);
}

#[test]
fn a_column_knows_whether_its_numbers_are_parts_of_one() {
    let loaded = load("a,b,c,d,e\n0.1,0.1,1,0.5,-0.1\n0,,0,1.5,0.2\n1,1,1,0,0.3\n");
    let fraction: Vec<bool> = loaded.table.schema.columns.iter().map(|c| c.fraction).collect();
    assert_eq!(fraction, [true, true, false, false, false]);
}
