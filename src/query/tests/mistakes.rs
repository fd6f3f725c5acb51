//! Mistakes that people make who come from pandas, SQL or a spreadsheet, and models that do.

use super::shown;
use crate::error::Code;
use crate::query::check_json;
use crate::schema::{Column, Kind, TableSchema};
use serde_json::{Value, json};
use std::sync::Arc;

fn daily() -> Arc<TableSchema> {
    let mut schema = TableSchema::new(
        "days",
        vec![
            Column::new("time", Kind::Timestamp),
            Column::new("day", Kind::Date),
            Column::new("symbol", Kind::Text),
            Column::new("open", Kind::Float),
            Column::new("high", Kind::Float),
            Column::new("low", Kind::Float),
            Column::new("close", Kind::Float),
            Column::new("volume", Kind::Int),
            Column::new("late", Kind::Bool),
            Column::new("air time", Kind::Float),
        ],
    );
    schema.time = Some("time".into());
    schema.interval = Some(60);
    Arc::new(schema)
}

fn run(field: &str, written: &Value) -> Vec<crate::error::Diagnostic> {
    let query = match field {
        "map" => json!({ "map": { "it": written } }),
        "" => written.clone(),
        _ => json!({ field: written }),
    };
    check_json(&query, &[daily()]).err().unwrap_or_default()
}

/// Code, the text that the problem points at, fix.
type Expected = (Code, Option<&'static str>, Option<&'static str>);

fn check(field: &str, written: &Value, expected: &[Expected]) {
    let text = written.as_str().unwrap_or_default();
    let problems = run(field, written);
    let found: Vec<_> = problems
        .iter()
        .map(|d| (d.code, d.span.and_then(|s| text.get(s.start..s.end)), d.fix.as_deref()))
        .collect();
    assert_eq!(found, expected, "{field}: {written}\n{}", shown(&problems));
    if text.is_empty() || problems.iter().any(|d| d.fix.is_none()) {
        return;
    }
    // what is mended is right, or wrong in another way that is told then
    let again = run(field, &mended(text, &problems));
    assert!(again.iter().all(|d| !problems.contains(d)), "{written}: {}", shown(&again));
}

#[test]
fn every_mistake_has_its_place_and_its_fix() {
    use Code::{
        BadDate, BadLimit, BadSort, CompareNull, NoAggregate, SingleEquals, Syntax, TypeMismatch,
        UnknownColumn, UnknownFunction, WrongArgument, WrongArity,
    };
    for (field, written, expected) in [
        ("where", json!("df['close'] > 1"), vec![(Syntax, Some("df['close']"), Some("close"))]),
        (
            "map",
            json!("close.rolling(5).mean()"),
            vec![(Syntax, Some("close.rolling(5).mean()"), Some("rolling_mean(close, 5)"))],
        ),
        (
            "map",
            json!("df['close'].rolling(window=5).std()"),
            vec![(
                Syntax,
                Some("df['close'].rolling(window=5).std()"),
                Some("rolling_std(close, 5)"),
            )],
        ),
        ("select", json!("count(*)"), vec![(Syntax, Some("count(*)"), Some("count()"))]),
        (
            "map",
            json!("case when close > open then 1 else 0 end"),
            vec![(
                Syntax,
                Some("case when close > open then 1 else 0 end"),
                Some("if(close > open, 1, 0)"),
            )],
        ),
        ("where", json!("close = 1"), vec![(SingleEquals, Some("="), Some("=="))]),
        (
            "where",
            json!("close is null"),
            vec![(CompareNull, Some("close is null"), Some("isnull(close)"))],
        ),
        (
            "where",
            json!("close between 1 and 2"),
            vec![(Syntax, Some("close between 1 and 2"), Some("1 <= close <= 2"))],
        ),
        (
            "where",
            json!("symbol like 'A%'"),
            vec![(Syntax, Some("symbol like 'A%'"), Some("starts_with(symbol, \"A\")"))],
        ),
        (
            "where",
            json!("symbol not like '%A%'"),
            vec![(Syntax, Some("symbol not like '%A%'"), Some("not contains(symbol, \"A\")"))],
        ),
        (
            "where",
            json!("close > 1 && open > 1 || low < 1"),
            vec![(Syntax, Some("&&"), Some("and")), (Syntax, Some("||"), Some("or"))],
        ),
        ("where", json!("!late"), vec![(Syntax, Some("!"), Some("not "))]),
        (
            "map",
            json!("mean(close) over (partition by symbol)"),
            vec![(Syntax, Some("over"), None)],
        ),
        ("map", json!("lag(close, 1) over (order by time)"), vec![(Syntax, Some("over"), None)]),
        (
            "",
            json!({"group_by":"dow","select":{"dow":"dayname()","n":"count()"}}),
            vec![(UnknownColumn, None, None)],
        ),
        ("sort", json!("-symbol"), vec![(BadSort, None, Some("symbol desc"))]),
        ("where", json!("Close > 1"), vec![(UnknownColumn, Some("Close"), Some("close"))]),
        ("where", json!("(close > 1"), vec![(Syntax, Some("("), None)]),
        ("select", json!("mean(close"), vec![(Syntax, Some("("), None)]),
        ("where", json!("symbol == “AAPL”"), vec![(Syntax, Some("“AAPL”"), Some("\"AAPL\""))]),
        ("where", json!("symbol == ‘AAPL’"), vec![(Syntax, Some("‘AAPL’"), Some("\"AAPL\""))]),
        ("where", json!("close > 'abc'"), vec![(TypeMismatch, Some("close > 'abc'"), None)]),
        (
            "where",
            json!("time > 2024-01-01"),
            vec![(BadDate, Some("2024-01-01"), Some("\"2024-01-01\""))],
        ),
        (
            "where",
            json!("day >= 2024-01-31 and day < 2024-02-28"),
            vec![
                (BadDate, Some("2024-01-31"), Some("\"2024-01-31\"")),
                (BadDate, Some("2024-02-28"), Some("\"2024-02-28\"")),
            ],
        ),
        (
            "where",
            json!("dayname() == \"Monday\""),
            vec![(WrongArgument, Some("\"Monday\""), Some("\"Mon\""))],
        ),
        (
            "map",
            json!("close.shift(1)"),
            vec![(Syntax, Some("close.shift(1)"), Some("prev(close, 1)"))],
        ),
        (
            "map",
            json!("close.shift(-1)"),
            vec![(Syntax, Some("close.shift(-1)"), Some("next(close, 1)"))],
        ),
        (
            "map",
            json!("close.pct_change()"),
            vec![(Syntax, Some("close.pct_change()"), Some("close / prev(close) - 1"))],
        ),
        (
            "map",
            json!("close.diff()"),
            vec![(Syntax, Some("close.diff()"), Some("close - prev(close)"))],
        ),
        (
            "where",
            json!("symbol.str.contains('A')"),
            vec![(Syntax, Some("symbol.str.contains('A')"), Some("contains(symbol, 'A')"))],
        ),
        (
            "where",
            json!("symbol.isin(['A', 'B'])"),
            vec![(Syntax, Some("symbol.isin(['A', 'B'])"), Some("symbol in ['A', 'B']"))],
        ),
        (
            "where",
            json!("close.isna()"),
            vec![(Syntax, Some("close.isna()"), Some("isnull(close)"))],
        ),
        (
            "where",
            json!("close.notnull()"),
            vec![(Syntax, Some("close.notnull()"), Some("not isnull(close)"))],
        ),
        ("map", json!("np.abs(close)"), vec![(Syntax, Some("np.abs(close)"), Some("abs(close)"))]),
        (
            "where",
            json!("time.dt.year == 2024"),
            vec![(Syntax, Some("time.dt.year"), Some("year(time)"))],
        ),
        (
            "where",
            json!("time.year == 2024"),
            vec![(Syntax, Some("time.year"), Some("year(time)"))],
        ),
        ("where", json!("symbol == AAPL"), vec![(UnknownColumn, Some("AAPL"), Some("\"AAPL\""))]),
        (
            "where",
            json!("symbol in [AAPL, MSFT]"),
            vec![
                (UnknownColumn, Some("AAPL"), Some("\"AAPL\"")),
                (UnknownColumn, Some("MSFT"), Some("\"MSFT\"")),
            ],
        ),
        ("where", json!("close > 1,000"), vec![(Syntax, Some("1,000"), Some("1000"))]),
        ("where", json!("close > $100"), vec![(Syntax, Some("$"), Some(""))]),
        ("where", json!("close > 100k"), vec![(Syntax, Some("100k"), None)]),
        ("where", json!("symbol = 'A' or 'B'"), vec![(SingleEquals, Some("="), Some("=="))]),
        (
            "where",
            json!("symbol in 'A', 'B'"),
            vec![(Syntax, Some("'A', 'B'"), Some("['A', 'B']"))],
        ),
        (
            "where",
            json!("symbol == ['A', 'B']"),
            vec![(Syntax, Some("== ['A', 'B']"), Some("in ['A', 'B']"))],
        ),
        ("map", json!("IF(close > open, 1, 0)"), vec![(UnknownFunction, Some("IF"), Some("if"))]),
        (
            "select",
            json!("count(distinct symbol)"),
            vec![(Syntax, Some("count(distinct symbol)"), Some("count_distinct(symbol)"))],
        ),
        ("select", json!("SUM(close)"), vec![(UnknownFunction, Some("SUM"), Some("sum"))]),
        (
            "map",
            json!("extract(year from time)"),
            vec![(Syntax, Some("extract(year from time)"), Some("year(time)"))],
        ),
        ("map", json!("cast(close as int)"), vec![(Syntax, Some("cast(close as int)"), None)]),
        ("map", json!("close::int"), vec![(Syntax, Some("::"), None)]),
        ("map", json!("close > open ? 1 : 0"), vec![(Syntax, Some("?"), None)]),
        (
            "map",
            json!("1 if close > open else 0"),
            vec![(Syntax, Some("1 if close > open else 0"), Some("if(close > open, 1, 0)"))],
        ),
        ("select", json!("*"), vec![(Syntax, Some("*"), None)]),
        (
            "group_by",
            json!("symbol, dayname()"),
            vec![(Syntax, None, Some("[\"symbol\",\"dayname()\"]"))],
        ),
        ("sort", json!("desc close"), vec![(BadSort, None, Some("close desc"))]),
        ("sort", json!("close descending"), vec![(BadSort, None, Some("close desc"))]),
        ("map", json!("round(close; 2)"), vec![(Syntax, Some(";"), None)]),
        ("where", json!("close >= open and <= high"), vec![(Syntax, Some("<="), None)]),
        ("where", json!("where close > 1"), vec![(Syntax, Some("where "), Some(""))]),
        ("select", json!("mean(close) as avg"), vec![(Syntax, Some("as"), None)]),
        ("select", json!("close"), vec![(NoAggregate, None, None)]),
        ("", json!({"limit":"10"}), vec![(BadLimit, None, Some("10"))]),
        (
            "where",
            json!("close == NaN"),
            vec![(CompareNull, Some("close == NaN"), Some("isnull(close)"))],
        ),
        (
            "where",
            json!("close != None"),
            vec![(CompareNull, Some("close != None"), Some("not isnull(close)"))],
        ),
        ("where", json!("time > '01/02/2024'"), vec![(BadDate, Some("'01/02/2024'"), None)]),
        (
            "where",
            json!("time >= '2024-01'"),
            vec![(BadDate, Some("'2024-01'"), Some("\"2024-01-01\""))],
        ),
        ("where", json!("day == '2024'"), vec![(BadDate, Some("'2024'"), None)]),
        ("where", json!("hour == 9"), vec![(UnknownColumn, Some("hour"), Some("hour()"))]),
        (
            "map",
            json!("max(open, close)"),
            vec![(WrongArity, Some("max(open, close)"), Some("max_of(open, close)"))],
        ),
        (
            "where",
            json!("late == 'true'"),
            vec![(TypeMismatch, Some("late == 'true'"), Some("late == true"))],
        ),
        (
            "where",
            json!("late == 1"),
            vec![(TypeMismatch, Some("late == 1"), Some("late == true"))],
        ),
        ("where", json!("time > now()"), vec![(UnknownFunction, Some("now"), None)]),
        ("where", json!("close > 5%"), vec![(Syntax, Some("5%"), Some("5"))]),
        ("where", json!("close > 1 and"), vec![(Syntax, Some(""), None)]),
        ("where", json!("not close > 1 and not"), vec![(Syntax, Some(""), None)]),
        ("where", json!("air time > 5"), vec![(Syntax, Some("air time"), Some("`air time`"))]),
        (
            "where",
            json!("'air time' > 5"),
            vec![(TypeMismatch, Some("'air time' > 5"), Some("`air time` > 5"))],
        ),
        (
            "where",
            json!("\"close\" > 5"),
            vec![(TypeMismatch, Some("\"close\" > 5"), Some("close > 5"))],
        ),
        ("where", json!("close => 5"), vec![(Syntax, Some("=>"), Some(">="))]),
        ("where", json!("contains(symbol, \"A\" and late"), vec![(Syntax, Some("("), None)]),
        (
            "where",
            json!("hour() in range(9, 16)"),
            vec![(Syntax, Some("hour() in range(9, 16)"), Some("9 <= hour() < 16"))],
        ),
        ("where", json!("hour() == 9:30"), vec![(Syntax, Some(":"), None)]),
        (
            "where",
            json!("time.between('2024-01-01', '2024-02-01')"),
            vec![(
                Syntax,
                Some("time.between('2024-01-01', '2024-02-01')"),
                Some("'2024-01-01' <= time <= '2024-02-01'"),
            )],
        ),
        ("where", json!("close > open or close > open;"), vec![(Syntax, Some(";"), Some(""))]),
        ("where", json!("days.close > 1"), vec![(Syntax, Some("days.close"), Some("close"))]),
        ("where", json!("[close] > 1"), vec![(Syntax, Some("["), None)]),
        ("where", json!("{close} > 1"), vec![(Syntax, Some("{"), None), (Syntax, Some("}"), None)]),
        ("where", json!("@close > 1"), vec![(Syntax, Some("@"), None)]),
        ("map", json!("close[-1]"), vec![(Syntax, Some("close[-1]"), None)]),
        ("map", json!("close + 'a'"), vec![(TypeMismatch, Some("'a'"), None)]),
        ("map", json!("ABS(close)"), vec![(UnknownFunction, Some("ABS"), Some("abs"))]),
        (
            "map",
            json!("pow(close, 2)"),
            vec![(UnknownFunction, Some("pow(close, 2)"), Some("(close ** 2)"))],
        ),
        (
            "map",
            json!("mod(volume, 2)"),
            vec![(UnknownFunction, Some("mod(volume, 2)"), Some("(volume % 2)"))],
        ),
        (
            "map",
            json!("day_of_week(time)"),
            vec![(UnknownFunction, Some("day_of_week"), Some("dayofweek"))],
        ),
        (
            "map",
            json!("rolling_mean(close)"),
            vec![(WrongArity, Some("rolling_mean(close)"), None)],
        ),
        ("map", json!("prev(close, -1)"), vec![(WrongArgument, Some("-1"), None)]),
        ("map", json!("True"), vec![(UnknownColumn, Some("True"), Some("true"))]),
        ("group_by", json!("1"), vec![(WrongArgument, Some("1"), None)]),
        ("group_by", json!("month"), vec![(UnknownColumn, Some("month"), Some("month()"))]),
        (
            "select",
            json!("mean(Close), median(close)"),
            vec![(UnknownColumn, Some("Close"), Some("close"))],
        ),
    ] {
        check(field, &written, &expected);
    }
}

/// The text with every fix applied.
fn mended(text: &str, problems: &[crate::error::Diagnostic]) -> Value {
    let mut text = text.to_owned();
    let mut problems: Vec<_> = problems.iter().collect();
    problems.sort_by_key(|d| std::cmp::Reverse(d.span.map(|s| s.start)));
    for d in problems {
        let fix = d.fix.clone().unwrap_or_default();
        match d.span {
            Some(span) => text.replace_range(span.start..span.end, &fix),
            None => return serde_json::from_str(&fix).unwrap_or(Value::String(fix)),
        }
    }
    Value::String(text)
}
