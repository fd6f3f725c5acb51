//! What people write who come from pandas, SQL or a spreadsheet: each gets one word that helps, and
//! a fix that mends it where there is a plain one.

use super::shown;
use crate::error::{Code, Diagnostic, Locale};
use crate::query::check_json;
use crate::schema::{Column, Kind, TableSchema};
use serde_json::{Value, json};
use std::sync::Arc;

/// Two tables: flights by day, and minute bars.
fn tables() -> [Arc<TableSchema>; 2] {
    let mut flights = TableSchema::new(
        "flights",
        vec![
            Column::new("day", Kind::Date),
            Column::new("carrier", Kind::Text),
            Column::new("delay", Kind::Int),
            Column::new("distance", Kind::Float),
            Column::new("air time", Kind::Float),
            Column::new("late", Kind::Bool),
        ],
    );
    flights.time = Some("day".into());
    let prices = ["open", "high", "low", "close"].map(|name| Column::new(name, Kind::Float));
    let mut columns = vec![Column::new("time", Kind::Timestamp)];
    columns.extend(prices);
    let mut bars = TableSchema::new("bars", columns);
    bars.time = Some("time".into());
    [flights.into(), bars.into()]
}

fn problems(query: &Value) -> Vec<Diagnostic> {
    let mut query = query.clone();
    if let Some(object) = query.as_object_mut() {
        object.entry("table").or_insert_with(|| "flights".into());
    }
    check_json(&query, &tables()).err().unwrap_or_default()
}

/// The query with a fix applied: in the text at the pointer, or in place of what stands there.
fn mended(query: &Value, problem: &Diagnostic) -> Value {
    let mut query = query.clone();
    let fix = problem.fix.as_deref().expect("a fix");
    let place = query.pointer_mut(&problem.pointer).expect("the place");
    *place = match (problem.span, place.as_str()) {
        (Some(span), Some(text)) => {
            let mut text = text.to_owned();
            text.replace_range(span.start..span.end, fix);
            Value::String(text)
        }
        _ => serde_json::from_str(fix).unwrap_or_else(|_| fix.into()),
    };
    query
}

/// The first problem: its code, its fix, and a word that its message has in both languages. With a
/// fix, the query that it makes is right.
fn check(query: Value, code: Code, fix: Option<&str>, word: &str) -> Result<(), String> {
    let found = problems(&query);
    let said = || format!("{query}\n{}", shown(&found));
    let first = found.first().ok_or_else(said)?;
    let texts = [Locale::En, Locale::Ru].map(|locale| first.message.get(locale).contains(word));
    if (first.code, first.fix.as_deref()) != (code, fix) || texts != [true; 2] {
        return Err(said());
    }
    let mut query = query.clone();
    // one fix after the other
    for _ in 0..if fix.is_some() { 4 } else { 0 } {
        match problems(&query).first() {
            Some(problem) if problem.fix.is_some() => query = mended(&query, problem),
            _ => break,
        }
    }
    let left = if fix.is_some() { problems(&query) } else { Vec::new() };
    if left.is_empty() { Ok(()) } else { Err(format!("{query}\n{}", shown(&left))) }
}

fn check_all(cases: impl IntoIterator<Item = (Value, Code, Option<&'static str>, &'static str)>) {
    let wrong: Vec<String> = cases
        .into_iter()
        .filter_map(|(query, code, fix, word)| check(query, code, fix, word).err())
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn expressions() {
    use Code::{BadDate, BadSort, SingleEquals, Syntax, TypeMismatch, UnknownColumn};
    use Code::{UnknownFunction, WrongArity};
    check_all([
        (json!({"select": "SUM(delay)"}), UnknownFunction, Some("sum"), "SUM"),
        (json!({"map": {"x": "len(carrier)"}}), UnknownFunction, Some("length"), "len"),
        (json!({"select": "count(*)"}), Syntax, Some("count()"), "count()"),
        (json!({"select": "mean(*)"}), Syntax, None, "count()"),
        (json!({"select": "delay.mean()"}), Syntax, Some("mean(delay)"), "mean(delay)"),
        (json!({"select": "AVG(delay) AS average"}), Syntax, None, "{\"average\": \"AVG(delay)\"}"),
        (json!({"select": "distinct carrier"}), Syntax, None, "group_by"),
        (json!({"select": "mean(delay) where late"}), Syntax, None, "\"where\": "),
        (json!({"select": "median(delay), max"}), UnknownColumn, None, "max(x)"),
        (json!({"select": "count"}), UnknownColumn, Some("count()"), "count()"),
        (json!({"select": {"delay": "mean"}}), UnknownColumn, Some("mean(delay)"), "mean(delay)"),
        (json!({"select": "sum(late)"}), TypeMismatch, Some("if(late, 1, 0)"), "sum"),
        (json!({"select": "mean(late)"}), TypeMismatch, Some("pct(late)"), "mean"),
        (
            json!({"select": "count_if(delay > 5)"}),
            UnknownFunction,
            Some("sum(if(delay > 5, 1, 0))"),
            "count_if",
        ),
        (
            json!({"table": "bars", "where": "time.hour between 9 and 16"}),
            Syntax,
            Some("9 <= hour(time) <= 16"),
            "9 <= hour(time) <= 16",
        ),
        (
            json!({"where": "df['delay'] is not null"}),
            Code::CompareNull,
            Some("not isnull(delay)"),
            "not isnull(delay)",
        ),
        (
            json!({"where": "carrier.str.lower() like 'a%'"}),
            Syntax,
            Some("starts_with(lower(carrier), \"a\")"),
            "starts_with(lower(carrier), \"a\")",
        ),
        (json!({"where": "delay = 5"}), SingleEquals, Some("=="), "=="),
        (json!({"where": "carrier = 'AA' AND late"}), SingleEquals, Some("=="), "=="),
        (json!({"where": "delay > 5 && late"}), Syntax, Some("and"), "and"),
        (json!({"where": "late || delay > 5"}), Syntax, Some("or"), "or"),
        (json!({"where": "delay > 5;"}), Syntax, Some(""), ";"),
        (json!({"where": "notnull(delay)"}), UnknownFunction, Some("not isnull(delay)"), "notnull"),
        (json!({"where": "isnan(delay)"}), UnknownFunction, Some("isnull"), "isnan"),
        (json!({"where": "delay == ''"}), TypeMismatch, Some("isnull(delay)"), "delay"),
        (json!({"where": "delay != ''"}), TypeMismatch, Some("not isnull(delay)"), "delay"),
        (
            json!({"where": "day > date('2024-01-01')"}),
            TypeMismatch,
            Some("\"2024-01-01\""),
            "date",
        ),
        (json!({"where": "day >= DATE '2024-01-01'"}), Syntax, Some(""), "DATE"),
        (json!({"where": "day > to_date('2024-01-01')"}), UnknownFunction, Some("date"), "to_date"),
        (json!({"table": "bars", "where": "time > '09:30'"}), BadDate, None, "time(...)"),
        (json!({"map": {"x": "delay.fillna(0)"}}), Syntax, Some("coalesce(delay, 0)"), "coalesce"),
        (
            json!({"map": {"x": "delay.ewm(span=10).mean()"}}),
            Syntax,
            Some("ema(delay, 10)"),
            "ema(delay, 10)",
        ),
        (json!({"map": {"x": "delay.ewm(alpha=0.5).mean()"}}), Syntax, None, "mean"),
        (
            json!({"table": "bars", "map": {"x": "ta.sma(close, 20)"}}),
            Syntax,
            Some("sma(close, 20)"),
            "sma(close, 20)",
        ),
        (json!({"table": "bars", "map": {"x": "ta.vortex(close)"}}), Syntax, None, "vortex(close)"),
        (
            json!({"table": "bars", "map": {"x": "highest(high, 20)"}}),
            UnknownFunction,
            Some("rolling_max"),
            "highest",
        ),
        (
            json!({"table": "bars", "map": {"x": "rsi(14, close)"}}),
            WrongArity,
            Some("rsi(close, 14)"),
            "rsi(close, 14)",
        ),
        (json!({"map": {"x": "ifelse(late, 1, 0)"}}), UnknownFunction, Some("if"), "ifelse"),
        (
            json!({"map": {"x": "left(carrier, 2)"}}),
            UnknownFunction,
            Some("substr(carrier, 1, 2)"),
            "substr",
        ),
        (json!({"map": {"x": "concat(carrier, 'x')"}}), UnknownFunction, None, "concat"),
        (json!({"map": {"x": "carrier || 'x'"}}), Syntax, None, "SQL"),
        (json!({"map": {"x": "(select max(delay) from flights)"}}), Syntax, None, "max(x)"),
        (json!({"map": {"x": "\"air time\" * 2"}}), TypeMismatch, Some("`air time`"), "air time"),
        (json!({"select": "mean(air time)"}), Syntax, Some("`air time`"), "`air time`"),
        (json!({"group_by": "air time, carrier"}), Syntax, Some("[\"air time\",\"carrier\"]"), ""),
        (json!({"sort": "ORDER BY delay DESC"}), Syntax, Some(""), "ORDER BY"),
        (json!({"sort": "delay DESC, carrier"}), BadSort, Some("[\"delay DESC\",\"carrier\"]"), ""),
    ]);
}

#[test]
fn shapes() {
    use Code::{BadLimit, BadPeriod, NotAnObject, UnknownField, UnknownTimeframe, WrongFieldType};
    check_all([
        (json!({"where": {"carrier": "AA"}}), WrongFieldType, Some("carrier == \"AA\""), "x > 5"),
        (
            json!({"where": {"column": "delay", "op": ">", "value": 5}}),
            WrongFieldType,
            Some("delay > 5"),
            "",
        ),
        (json!({"where": {"delay": {"gt": 5}}}), WrongFieldType, None, "x > 5"),
        (
            json!({"where": ["delay > 5 or late", "day >= '2024-01-01'"]}),
            WrongFieldType,
            Some("(delay > 5 or late) and day >= '2024-01-01'"),
            "",
        ),
        (json!({"sort": {"delay": "desc"}}), WrongFieldType, Some("delay desc"), ""),
        (
            json!({"sort": {"air time": "desc", "carrier": "asc"}}),
            WrongFieldType,
            Some("[\"`air time` desc\",\"carrier\"]"),
            "",
        ),
        (json!({"select": [{"column": "delay", "agg": "mean"}]}), WrongFieldType, None, "mean(x)"),
        (json!({"columns": {"d": "delay"}}), WrongFieldType, None, "`map`"),
        (json!({"map": "x = delay * 2"}), WrongFieldType, Some("{\"x\":\"delay * 2\"}"), ""),
        (json!({"map": {"x": 5}}), WrongFieldType, Some("\"5\""), "x > 5"),
        (json!({"limit": "10"}), BadLimit, Some("10"), "limit"),
        (json!({"limit": 10.0}), BadLimit, Some("10"), "limit"),
        (json!({"limit": -1}), BadLimit, None, "limit"),
        (json!({"lookback": "False"}), WrongFieldType, Some("false"), ""),
        (json!({"lookback": 20}), WrongFieldType, None, ""),
        (
            json!({"period": ["2024-01-01", "2024-02-01"]}),
            WrongFieldType,
            Some("2024-01-01:2024-02-01"),
            "",
        ),
        (json!({"period": {"from": "2024"}}), WrongFieldType, Some("2024:"), ""),
        (json!({"period": {"last": "2024"}}), WrongFieldType, None, ""),
        (json!({"period": 2024}), WrongFieldType, Some("\"2024\""), ""),
        (
            json!({"period": "2024-01-01 to 2024-02-01"}),
            BadPeriod,
            Some("2024-01-01:2024-02-01"),
            "",
        ),
        (json!({"period": "January 2024"}), BadPeriod, Some("2024-01"), "January 2024"),
        (json!({"from": "flights"}), UnknownTimeframe, None, "`table`"),
        (json!({"having": "count > 5", "group_by": "carrier"}), UnknownField, None, "`steps`"),
        (json!({"join": "bars"}), UnknownField, None, "SQL"),
        (json!({"GROUP_BY": "carrier"}), UnknownField, None, "`group_by`"),
        (json!({"order by": "delay"}), UnknownField, None, "`sort`"),
        (json!("SELECT * FROM flights"), NotAnObject, None, "`sql`"),
    ]);
    // as SQL names the table
    let found = check_json(&json!({"from": "flights"}), &tables()).expect_err("two tables");
    assert_eq!((found[0].code, found[0].fix.as_deref()), (Code::AmbiguousTable, Some("flights")));
}

/// What is right, and may still not be what was meant, is said.
#[test]
fn warnings() {
    for (query, expected) in [
        (json!({"select": "count(delay > 5)"}), vec!["condition_counted"]),
        (json!({"map": {"n": "count(late)"}}), vec!["condition_counted"]),
        (json!({"select": "count(delay), count()"}), vec![]),
        (json!({"where": "count() > 5", "group_by": "carrier"}), vec!["where_before_groups"]),
        (
            json!({"where": "sum(delay) > 5", "group_by": "carrier", "select": "round(sum(delay))"}),
            vec!["where_before_groups"],
        ),
        (
            json!({"where": "delay > mean(delay)", "group_by": "carrier", "select": "sum(delay)"}),
            vec![],
        ),
        (json!({"where": "delay > mean(delay)", "select": "mean(delay)"}), vec![]),
    ] {
        let mut query = query;
        query["table"] = "flights".into();
        let checked = check_json(&query, &tables()).unwrap_or_else(|p| panic!("{}", shown(&p)));
        let codes: Vec<_> = checked.warnings().iter().map(|w| w.code).collect();
        assert_eq!(codes, expected, "{query}");
    }
}
