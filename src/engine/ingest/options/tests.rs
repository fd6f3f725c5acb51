//! Options as JavaScript writes them.

use super::*;
use crate::schema::{Column, Kind, TableSchema};
use serde_json::json;

#[test]
fn reads_every_field() {
    let options = Options::from_json(&json!({
        "columns": ["price", "when"],
        "csv": {"delimiter": ";", "quote": "'", "escape": "\\", "skip": 2,
                "header": false, "decimal": ",", "dates": "dmy",
                "encoding": "windows-1251"},
        "nulls": ["?"], "time": "when", "series": "sym", "types": {"zip": "text"},
        "units": {"price": "USD"}, "labels": {"price": "Price"},
        "synonyms": {"table": ["deals"], "columns": {"price": ["цена"]},
                     "values": {"shop": {"Kuper": ["Купер", "delivery"]}}},
        "resample": {"oi": "last"}, "onBadRow": "skip", "locale": "ru",
    }))
    .expect("valid options");
    assert_eq!(options.csv.delimiter, Some(b';'));
    assert_eq!(options.csv.quote, Some(Quote::Mark(b'\'')));
    assert_eq!(options.csv.escape, Some(b'\\'));
    assert_eq!(options.csv.skip, Some(2));
    assert_eq!(options.columns, Some(vec!["price".to_owned(), "when".to_owned()]));
    assert_eq!(options.csv.header, Some(false));
    assert_eq!(options.csv.decimal, Some(Decimal::Comma));
    assert_eq!(options.csv.dates, Some(DateOrder::Dmy));
    assert_eq!(options.csv.encoding, Some(Encoding::Windows1251));
    assert_eq!(options.nulls, Some(vec!["?".to_owned()]));
    assert_eq!(options.time, TimeColumn::Named("when".into()));
    assert_eq!(options.series.as_deref(), Some("sym"));
    assert_eq!(options.types, vec![("zip".to_owned(), Kind::Text)]);
    assert_eq!(options.units, vec![("price".to_owned(), "USD".to_owned())]);
    assert_eq!(options.synonyms.columns, vec![("price".to_owned(), vec!["цена".to_owned()])]);
    let words = vec!["Купер".to_owned(), "delivery".to_owned()];
    let values = vec![("Kuper".to_owned(), words)];
    assert_eq!(options.synonyms.values, vec![("shop".to_owned(), values)]);
    assert_eq!(options.resample, vec![("oi".to_owned(), Rule::Last)]);
    assert_eq!(options.on_bad_row, OnBadRow::Skip);
    assert_eq!(options.locale, Locale::Ru);
    assert_eq!(Options::from_json(&Json::Null), Ok(Options::default()));
    assert_eq!(Options::from_json(&json!({"time": false})).map(|o| o.time), Ok(TimeColumn::None));
    let marks = Options::from_json(&json!({"csv": {"quote": false, "escape": "\""}}));
    assert_eq!(marks.map(|o| (o.csv.quote, o.csv.escape)), Ok((Some(Quote::None), Some(b'"'))));
    let doubled = Options::from_json(&json!({"csv": {"quote": "\"", "escape": "\""}}));
    let marks = doubled.map(|o| (o.csv.quote, o.csv.escape));
    assert_eq!(marks, Ok((Some(Quote::Mark(b'"')), None)));
}

#[test]
fn reports_every_problem_at_once() {
    let wrong = json!({
        "delimeter": ";", "columns": [],
        "csv": {"delimiter": "ab", "quote": "a", "escape": "\"\"", "skip": -1, "header": 1},
        "nulls": "NA",
        "types": {"a/b": "int"}, "onBadRow": 7, "labels": [],
        "synonyms": {"values": {"shop": ["Купер"], "a/b": {"c~d": "x"}}, "rows": []},
    });
    let Err(Error::Input(problems)) = Options::from_json(&wrong) else {
        panic!("accepted {wrong}");
    };
    let at: Vec<&str> = problems.iter().map(|d| d.pointer.as_str()).collect();
    let expected = "/delimeter /columns /csv/delimiter /csv/quote /csv/escape /csv/skip /csv/header /nulls /types/a~1b /onBadRow /labels \
        /synonyms/rows /synonyms/values/shop /synonyms/values/a~1b/c~0d";
    assert_eq!(at.join(" "), expected);
    assert!(problems.iter().all(|d| d.code == Code::BadOption));
    for (csv, at) in [
        (json!({"delimiter": "|", "quote": "|"}), "/csv/quote"),
        (json!({"delimiter": "|", "escape": "|"}), "/csv/escape"),
    ] {
        let Err(Error::Input(problems)) = Options::from_json(&json!({"csv": csv})) else {
            panic!("accepted {csv}");
        };
        assert_eq!(problems.first().map(|d| d.pointer.as_str()), Some(at));
    }
}

#[test]
fn options_that_a_table_does_not_hear_are_named() {
    let mut table =
        TableSchema::new("t", vec![Column::new("at", Kind::Date), Column::new("x", Kind::Int)]);
    table.time = Some("at".to_owned());
    table.columns[1].unit = Some("kg".to_owned());
    let unheard = |json: Json| Options::from_json(&json).unwrap().like(&table).unheard;
    // What says the same, and what is of the file alone.
    assert!(unheard(json!({})).is_empty());
    let same =
        json!({"time": "at", "units": {"x": "kg"}, "csv": {"delimiter": ";"}, "nulls": ["-"]});
    assert!(unheard(same).is_empty());
    let other = json!({
        "time": "x", "series": "x", "units": {"x": "g"}, "labels": {"x": "weight"},
        "market": {"timezone": "Europe/Berlin", "week_start": "sunday"},
        "synonyms": {"table": ["weights"]}, "resample": {"x": "sum"},
    });
    let all = ["time", "series", "timezone", "market", "units", "labels", "synonyms", "resample"];
    assert_eq!(unheard(other), all);
    assert_eq!(
        unheard(json!({"time": null, "synonyms": {"columns": {"x": ["mass"]}}})),
        ["synonyms"]
    );
}
