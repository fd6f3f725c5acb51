//! What the check says of queries that are wrong: code, pointer, fix, all at once.

use super::{bars, flights, plain, right, run, shown};
use crate::error::{Code, Locale};
use crate::query::functions;
use crate::schema::{Column, Kind, TableSchema};
use std::sync::Arc;

/// Codes, pointers and fixes of a wrong query.
fn check(query: &str, table: Arc<TableSchema>, expected: &[(Code, &str, Option<&str>)]) {
    let Err(problems) = run(query, &[table]) else { panic!("{query} is right") };
    let found: Vec<_> =
        problems.iter().map(|d| (d.code, d.pointer.as_str(), d.fix.as_deref())).collect();
    assert_eq!(found, expected, "{query}\n{}", shown(&problems));
    for d in &problems {
        assert!(!d.message.ru.is_empty() && d.message.ru != d.message.en, "{}", d.message);
        assert!(!d.message.en.ends_with('.'), "{}", d.message);
    }
}

#[test]
fn tables() {
    for (query, tables, code, fix, choices) in [
        ("{}", vec![], Code::NoTable, None, vec![]),
        ("{}", vec![bars(), flights()], Code::AmbiguousTable, None, vec!["bars", "flights"]),
        (
            r#"{"table": "Flights"}"#,
            vec![bars(), flights()],
            Code::UnknownTable,
            Some("flights"),
            vec!["flights", "bars"],
        ),
        (r#"{"table": "x"}"#, vec![bars()], Code::UnknownTable, None, vec!["bars"]),
    ] {
        let problems = run(query, &tables).expect_err(query);
        let [d] = problems.as_slice() else { panic!("{query}: {}", shown(&problems)) };
        assert_eq!((d.code, d.pointer.as_str(), d.fix.as_deref()), (code, "/table", fix));
        assert_eq!(d.choices, choices);
    }
    let problems = run(r#"{"table": "x", "where": "a = 1"}"#, &[bars()]).expect_err("two");
    assert_eq!(problems.len(), 2, "syntax is checked without a table: {}", shown(&problems));
}

#[test]
fn names() {
    use Code::{UnknownColumn, UnknownFunction};
    for (query, expected) in [
        (r#"{"where": "open > 1"}"#, (UnknownColumn, "/where", Some("Open"))),
        (r#"{"where": "Opem > 1"}"#, (UnknownColumn, "/where", Some("Open"))),
        (r#"{"where": "open_interest > 1"}"#, (UnknownColumn, "/where", Some("`open interest`"))),
        (r#"{"where": "gap > 1"}"#, (UnknownColumn, "/where", Some("gap()"))),
        (r#"{"where": "green"}"#, (UnknownColumn, "/where", Some("green()"))),
        (r#"{"where": "symbol == True"}"#, (UnknownColumn, "/where", Some("true"))),
        (r#"{"where": "symbol == None"}"#, (Code::CompareNull, "/where", Some("isnull(symbol)"))),
        (r#"{"map": {"x": "None"}}"#, (UnknownColumn, "/map/x", Some("null"))),
        (r#"{"where": "zzz"}"#, (UnknownColumn, "/where", None)),
        (r#"{"select": "avg(Open)"}"#, (UnknownFunction, "/select", Some("mean"))),
        (r#"{"select": "Mean(Open)"}"#, (UnknownFunction, "/select", Some("mean"))),
        (r#"{"map": {"x": "lag(Open)"}}"#, (UnknownFunction, "/map/x", Some("prev"))),
        (r#"{"map": {"x": "Open()"}}"#, (UnknownFunction, "/map/x", Some("Open"))),
        (r#"{"map": {"x": "wobble(14)"}}"#, (UnknownFunction, "/map/x", None)),
        (r#"{"map": {"x": "rounds(Open)"}}"#, (UnknownFunction, "/map/x", Some("round"))),
    ] {
        check(query, bars(), &[expected]);
    }
}

#[test]
fn one_mistake_is_one_problem() {
    // uses of a wrong column say nothing more
    check(
        r#"{"map": {"a": "zzz", "b": "a + 1"}, "where": "b > 2", "group_by": "a",
            "select": "mean(b)", "sort": "mean_b desc"}"#,
        bars(),
        &[(Code::UnknownColumn, "/map/a", None)],
    );
    check(
        r#"{"group_by": "symbol", "select": {"x": "mean(zzz)"}, "columns": ["symbol"]}"#,
        bars(),
        &[(Code::UnknownColumn, "/select/x", None)],
    );
}

#[test]
fn all_problems_at_once() {
    check(
        r#"{"from": "3h", "map": {"1x": "Open +"}, "where": "Open", "group_by": ["zzz"],
            "select": "avg(Close)", "sort": "x y"}"#,
        bars(),
        &[
            (Code::UnknownTimeframe, "/from", None),
            (Code::WrongArgument, "/map/1x", None),
            (Code::Syntax, "/map/1x", None),
            (Code::NotBoolean, "/where", None),
            (Code::UnknownColumn, "/group_by/0", None),
            (Code::UnknownFunction, "/select", Some("mean")),
            (Code::Syntax, "/sort", None),
        ],
    );
}

#[test]
fn words_for_a_column() {
    let mut table = (*flights()).clone();
    for (name, label, synonyms) in [
        ("carrier", Some("Who flies"), &["авиакомпания", "airline"][..]),
        ("delay", Some("Lateness"), &["wait", "gap"]),
        ("distance", None, &["Way", "km"]),
        ("air time", None, &["way", "carier"]),
    ] {
        let column = table.columns.iter_mut().find(|c| c.name == name).expect("a column");
        column.label = label.map(str::to_owned);
        column.synonyms = synonyms.iter().map(|s| (*s).to_owned()).collect();
    }
    let table = Arc::new(table);
    for (query, fix, first) in [
        (r#"{"where": "авиакомпания == 'AA'"}"#, Some("carrier"), &["carrier"][..]),
        (r#"{"group_by": "Airline"}"#, Some("carrier"), &["carrier"]),
        (r#"{"where": "`who flies` == 'AA'"}"#, Some("carrier"), &["carrier"]),
        (r#"{"select": "mean(lateness)"}"#, Some("delay"), &["delay"]),
        // a word of the page's comes before what it is near to, or a function of its name
        (r#"{"select": "mean(carier)"}"#, Some("`air time`"), &["`air time`", "carrier"]),
        (r#"{"select": "mean(gap)"}"#, Some("delay"), &["delay"]),
        // two columns of one word
        (r#"{"select": "mean(way)"}"#, None, &["distance", "`air time`"]),
        (r#"{"select": "mean(dalay)"}"#, Some("delay"), &["delay"]),
    ] {
        let problems = run(query, std::slice::from_ref(&table)).expect_err(query);
        let [problem] = problems.as_slice() else { panic!("{query}\n{}", shown(&problems)) };
        assert_eq!((problem.code, problem.fix.as_deref()), (Code::UnknownColumn, fix), "{query}");
        assert!(problem.choices.iter().zip(first).all(|(a, b)| a == b), "{query}: {problem:?}");
        let mut once = problem.choices.clone();
        once.sort();
        once.dedup();
        assert_eq!(once.len(), problem.choices.len(), "{query}: {problem:?}");
    }
}

#[test]
fn resampling() {
    for (query, expected) in [
        (r#"{"from": "1d"}"#, (Code::UnknownTimeframe, "/from", Some("daily"))),
        (r#"{"from": "dayly"}"#, (Code::UnknownTimeframe, "/from", None)),
        (r#"{"from": "daily", "where": "note == 'x'"}"#, (Code::UnknownColumn, "/where", None)),
        (
            r#"{"from": "daily", "select": "sum(`open interest`)"}"#,
            (Code::UnknownColumn, "/select", None),
        ),
        (r#"{"from": "daily", "where": "hour() > 9"}"#, (Code::TypeMismatch, "/where", None)),
        (
            r#"{"from": "daily", "where": "time > '2024-01-02 09:30'"}"#,
            (Code::BadDate, "/where", None),
        ),
    ] {
        check(query, bars(), &[expected]);
    }
    let from_daily = r#"{"from": "daily"}"#;
    let warnings = right(from_daily, bars()).warnings().to_vec();
    let [dropped] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert_eq!(dropped.code, "columns_dropped");
    assert_eq!(
        dropped.message.en,
        "`from: daily` drops `open interest`, note: a column of numbers stays by a rule named when the table is loaded"
    );
    assert_eq!(
        dropped.message.ru,
        "`from: daily` убирает `open interest`, note: числовой столбец остаётся, если при загрузке задано его правило"
    );
    let mut wide = (*bars()).clone();
    wide.columns.extend((0..12).map(|i| Column::new(format!("n{i}"), Kind::Int)));
    let warnings = right(from_daily, wide.into()).warnings().to_vec();
    assert!(warnings[0].message.en.contains("n6, n7 and 4 more: "), "{warnings:?}");
    check(from_daily, flights(), &[(Code::NotResamplable, "/from", None)]);
    let mut weekly = (*bars()).clone();
    weekly.interval = Some(7 * crate::schema::DAY);
    check(from_daily, weekly.clone().into(), &[(Code::TimeframeTooFine, "/from", None)]);
    weekly.time = None;
    check(from_daily, weekly.into(), &[(Code::NoTimeColumn, "/from", None)]);
}

#[test]
fn types() {
    use Code::{BadDate, CompareNull, NotBoolean, TypeMismatch, WrongArgument, WrongArity};
    for (condition, expected) in [
        ("carrier == 5", (TypeMismatch, Some("carrier == \"5\""))),
        ("delay == '5'", (TypeMismatch, Some("delay == 5"))),
        ("delay == 'late'", (TypeMismatch, None)),
        ("cancelled == 1", (TypeMismatch, Some("cancelled == true"))),
        ("cancelled > false", (TypeMismatch, None)),
        ("carrier + 'x' == 'ax'", (TypeMismatch, None)),
        ("day - booked > 5", (TypeMismatch, None)),
        ("cancelled * 2 > 1", (TypeMismatch, None)),
        ("-carrier == 1", (TypeMismatch, None)),
        ("departed > day", (TypeMismatch, Some("date(departed) > day"))),
        ("day == '2024-02-30'", (BadDate, None)),
        ("day == '2024-1-5'", (BadDate, Some("\"2024-01-05\""))),
        ("day == 'yesterday'", (BadDate, None)),
        ("day == '2024-01-05 10:00'", (BadDate, None)),
        ("'2024' <= day", (BadDate, Some("\"2024-01-01\""))),
        ("departed > '2024-01-05T25:00'", (BadDate, None)),
        ("departed > '2024-01-05T10:00Z'", (BadDate, None)),
        ("departed > '2024-01-05 10:00+03:00'", (BadDate, None)),
        ("departed > '2024-01-05 10:00:00.1234567'", (BadDate, None)),
        ("day in ['2024-01-01', 'x']", (BadDate, None)),
        ("day > 20240101", (TypeMismatch, None)),
        ("delay == null", (CompareNull, Some("isnull(delay)"))),
        ("null != delay + 1", (CompareNull, Some("not isnull(delay + 1)"))),
        ("delay < null", (CompareNull, None)),
        ("delay in [1, null]", (CompareNull, None)),
        ("delay in [1, distance]", (WrongArgument, None)),
        ("delay in [1, 'a']", (TypeMismatch, None)),
        ("carrier in ['AA', 5]", (TypeMismatch, Some("\"5\""))),
        ("dayname() == 'Friday'", (WrongArgument, Some("\"Fri\""))),
        ("dayname() == 'fri'", (WrongArgument, Some("\"Fri\""))),
        ("monthname(booked) in ['Jan', 'Febr']", (WrongArgument, Some("\"Feb\""))),
        ("dayname() != 'weekend'", (WrongArgument, None)),
        ("dayname() < 'Wed'", (TypeMismatch, None)),
        ("delay", (NotBoolean, None)),
        ("null", (TypeMismatch, None)),
        ("not delay", (TypeMismatch, None)),
        ("carrier == 'AA' or 'BB'", (TypeMismatch, None)),
        ("cancelled and delay", (TypeMismatch, None)),
        ("abs(carrier) > 1", (TypeMismatch, None)),
        ("lower(delay) == 'a'", (TypeMismatch, None)),
        ("contains(carrier, 5)", (TypeMismatch, None)),
        ("year(carrier) > 1", (TypeMismatch, None)),
        ("hour() > 1", (TypeMismatch, None)),
        ("if(delay, 1, 2) > 1", (TypeMismatch, None)),
        ("if(cancelled, 1, 'a') == 1", (TypeMismatch, None)),
        ("coalesce(delay, 'a') == 1", (TypeMismatch, None)),
        ("coalesce(day, departed) == day", (TypeMismatch, None)),
        ("round(distance, 99) > 1", (WrongArgument, None)),
        ("round(distance, delay) > 1", (WrongArgument, None)),
        ("prev(delay, 0) > 1", (WrongArgument, None)),
        ("prev(delay, 1.5) > 1", (WrongArgument, None)),
        ("rolling_mean(delay, -5) > 1", (WrongArgument, None)),
        ("rolling_mean(delay) > 1", (WrongArity, None)),
        ("abs() > 1", (WrongArity, None)),
        ("abs(1, 2) > 1", (WrongArity, None)),
        ("max_of(1) > 1", (WrongArity, None)),
        ("if(cancelled, 1) > 1", (WrongArity, None)),
        ("gap() > 1", (Code::UnknownColumn, None)),
        ("mean(mean(delay)) > 1", (Code::AggregatePlacement, None)),
    ] {
        let query = serde_json::json!({ "where": condition }).to_string();
        let (code, fix) = expected;
        check(&query, flights(), &[(code, "/where", fix)]);
    }
    check(r#"{"where": "gap(1) > 1"}"#, bars(), &[(WrongArity, "/where", Some("gap()"))]);
    check(r#"{"where": "year() > 1"}"#, plain(), &[(Code::NoTimeColumn, "/where", None)]);
}

#[test]
fn placement() {
    use Code::{AggregatePlacement, NoAggregate, WindowPlacement};
    for (query, expected) in [
        (r#"{"map": {"x": "mean(sum(Open))"}}"#, (AggregatePlacement, "/map/x")),
        (r#"{"group_by": "max(Open)"}"#, (AggregatePlacement, "/group_by")),
        (r#"{"sort": "max(Open)"}"#, (AggregatePlacement, "/sort")),
        (r#"{"columns": ["max(Open)"]}"#, (AggregatePlacement, "/columns/0")),
        (r#"{"select": "mean(sum(Open))"}"#, (AggregatePlacement, "/select")),
        (r#"{"select": "mean(Open) + Close"}"#, (AggregatePlacement, "/select")),
        (r#"{"select": "mean(Open), Close"}"#, (AggregatePlacement, "/select")),
        (r#"{"select": "mean(Open), range()"}"#, (AggregatePlacement, "/select")),
        (r#"{"select": "mean(Open), dayname()"}"#, (AggregatePlacement, "/select")),
        (r#"{"select": "mean(Open), 5"}"#, (AggregatePlacement, "/select")),
        (
            r#"{"select": {"d": "symbol", "n": "count()"}, "group_by": "symbol"}"#,
            (AggregatePlacement, "/select/d"),
        ),
        (r#"{"select": "Open"}"#, (NoAggregate, "/select")),
        (r#"{"select": ["Open", "range()"]}"#, (NoAggregate, "/select")),
        (r#"{"select": "symbol", "group_by": "symbol"}"#, (NoAggregate, "/select")),
        (r#"{"select": "mean(gap())"}"#, (WindowPlacement, "/select")),
        (r#"{"select": "prev(mean(Open))"}"#, (WindowPlacement, "/select")),
        (r#"{"select": "mean(prev(Open))", "group_by": "symbol"}"#, (WindowPlacement, "/select")),
        (r#"{"group_by": "prev(Open)"}"#, (WindowPlacement, "/group_by")),
        (r#"{"sort": "prev(Open)"}"#, (WindowPlacement, "/sort")),
        (r#"{"columns": ["prev(Open)"]}"#, (WindowPlacement, "/columns/0")),
    ] {
        check(query, bars(), &[(expected.0, expected.1, None)]);
    }
}

#[test]
fn later_steps() {
    use Code::{
        MisplacedField, NotBoolean, UnknownColumn, UnknownField, WindowPlacement, WrongFieldType,
    };
    for (query, expected) in [
        (r#"{"steps": "x"}"#, (WrongFieldType, "/steps")),
        (r#"{"steps": [5]}"#, (Code::NotAnObject, "/steps/0")),
        (r#"{"steps": [{"filter": "Open > 1"}]}"#, (UnknownField, "/steps/0/filter")),
        (r#"{"steps": [{"table": "bars"}]}"#, (MisplacedField, "/steps/0/table")),
        (r#"{"steps": [{"from": "daily"}]}"#, (MisplacedField, "/steps/0/from")),
        (r#"{"steps": [{}, {"steps": [{"steps": []}]}]}"#, (MisplacedField, "/steps/1/steps")),
        (r#"{"columns": ["Open"], "steps": [{"limit": 1}]}"#, (MisplacedField, "/columns")),
        (
            r#"{"steps": [{"columns": ["Open"]}, {"limit": 1}]}"#,
            (MisplacedField, "/steps/0/columns"),
        ),
        (
            r#"{"group_by": "symbol", "steps": [{"where": "Open > 1"}]}"#,
            (UnknownColumn, "/steps/0/where"),
        ),
        (r#"{"steps": [{"where": "Open"}]}"#, (NotBoolean, "/steps/0/where")),
        (
            r#"{"steps": [{"limit": 5}, {"map": {"m": "Open"}, "group_by": "prev(m)"}]}"#,
            (WindowPlacement, "/steps/1/group_by"),
        ),
    ] {
        let (code, place) = expected;
        check(query, bars(), &[(code, place, None)]);
    }
    let many = serde_json::json!({ "steps": vec![serde_json::json!({"limit": 1}); 9] });
    check(&many.to_string(), bars(), &[(Code::TooMany, "/steps", None)]);
}

#[test]
fn lists_and_names() {
    use Code::{BadSort, NameClash, SingleEquals, Syntax, UnknownColumn, WrongArgument};
    for (query, expected) in [
        (r#"{"sort": "Open desc, Close"}"#, (BadSort, "/sort", Some(r#"["Open desc","Close"]"#))),
        (r#"{"sort": ["Open, Close"]}"#, (BadSort, "/sort/0", None)),
        (r#"{"sort": "Open desc nulls last"}"#, (BadSort, "/sort", Some("Open desc"))),
        (r#"{"sort": "Open asc desc"}"#, (BadSort, "/sort", Some("Open desc"))),
        (r#"{"sort": " desc"}"#, (BadSort, "/sort", None)),
        (r#"{"sort": "1"}"#, (BadSort, "/sort", None)),
        (r#"{"sort": "Opne"}"#, (UnknownColumn, "/sort", Some("Open"))),
        (r#"{"group_by": "symbol, Open"}"#, (Syntax, "/group_by", Some(r#"["symbol","Open"]"#))),
        (r#"{"group_by": ["symbol", "`symbol`"]}"#, (NameClash, "/group_by/1", None)),
        (r#"{"group_by": "1 + 1"}"#, (WrongArgument, "/group_by", None)),
        (r#"{"columns": ["Open", "Open"]}"#, (NameClash, "/columns/1", None)),
        (
            r#"{"select": "mean(Open), mean(Open)"}"#,
            (
                NameClash,
                "/select",
                Some(r#"{"mean_Open":"mean(Open)","mean_Open_2":"mean(Open)"}"#),
            ),
        ),
        (
            r#"{"select": {"symbol": "count()"}, "group_by": "symbol"}"#,
            (NameClash, "/select", Some(r#"{"symbol_2":"count()"}"#)),
        ),
        (
            r#"{"select": "x = mean(Open)"}"#,
            (SingleEquals, "/select", Some(r#"{"x":"mean(Open)"}"#)),
        ),
        (r#"{"group_by": "symbol", "sort": "Open"}"#, (UnknownColumn, "/sort", None)),
        (
            r#"{"group_by": "symbol", "sort": "max(Open)"}"#,
            (Code::AggregatePlacement, "/sort", None),
        ),
        (r#"{"group_by": "symbol", "columns": ["Close"]}"#, (UnknownColumn, "/columns/0", None)),
        (r#"{"map": {"": "1"}}"#, (WrongArgument, "/map/", None)),
        (r#"{"map": {"a b": "1"}}"#, (WrongArgument, "/map/a b", None)),
        (r#"{"map": {"x": "null"}}"#, (Code::TypeMismatch, "/map/x", None)),
    ] {
        check(query, bars(), &[expected]);
    }
    let many: Vec<_> = (0..101).map(|i| [format!("c{i}"), "1".into()]).collect();
    let query = serde_json::json!({ "map": many }).to_string();
    check(&query, bars(), &[(Code::TooMany, "/map", None)]);
    let many: Vec<_> = (0..17).map(|i| format!("Open + {i}")).collect();
    let query = serde_json::json!({ "group_by": many }).to_string();
    check(&query, bars(), &[(Code::TooMany, "/group_by", None)]);
    let many = format!("Volume in [1.5{}]", ", 2".repeat(256));
    let query = serde_json::json!({ "where": many }).to_string();
    check(&query, bars(), &[(Code::TooMany, "/where", None)]);
    let many = vec!["Open"; 1_001];
    let query = serde_json::json!({ "sort": many }).to_string();
    check(&query, bars(), &[(Code::TooMany, "/sort", None)]);
}

#[test]
fn choices_are_closest_first() {
    let problems = run(r#"{"where": "Closed > 1"}"#, &[bars()]).expect_err("unknown");
    let d = problems.first().expect("one");
    assert_eq!(d.choices.first().map(String::as_str), Some("Close"));
    assert_eq!(d.choices.len(), bars().columns.len());
    assert!(d.choices.contains(&"`open interest`".to_owned()), "written as in an expression");
    assert_eq!(d.render(Locale::Ru), "/where: неизвестный столбец `Closed`; исправление: `Close`");
}

#[test]
fn the_table_of_functions_is_whole() {
    for function in functions::all() {
        let name = function.name;
        assert_eq!(functions::lookup(name), Some(function), "names are unique");
        assert!(function.meaning.iter().all(|m| !m.is_empty() && !m.ends_with('.')), "{name}");
        let example = crate::query::parse(function.example);
        assert!(example.is_ok_and(|e| format!("{e:?}").contains(name)), "example of {name}");
        if let Some(definition) = function.expands {
            assert!(crate::query::parse(definition).is_ok(), "definition of {name}");
        }
    }
    for locale in [Locale::En, Locale::Ru] {
        let text = functions::reference(locale);
        assert_eq!(
            text.lines().count(),
            functions::all().count() + functions::Family::ALL.len(),
            "a line for each"
        );
        assert!(text.contains("round(x, n=0)") && text.contains("coalesce(a, b, ...)"));
    }
}
