//! Completion: what is offered where, what it replaces, and that nothing else can be asked of it.

use super::properties::soup;
use super::{bars, flights};
use crate::error::{Locale, Span};
use crate::query::complete::{
    Completions, Context, Field, NamesOnly, NoValue, OwnPage, Sight, What, complete,
};
use crate::query::functions::{self, Stand};
use crate::query::{Query, check, lexer};
use crate::schema::{Column, DAY, Market, TableSchema};
use crate::value::Value;
use proptest::prelude::*;
use serde_json::json;
use std::sync::Arc;

/// Flights whose carriers are known.
fn carriers() -> Arc<TableSchema> {
    let mut schema = (*flights()).clone();
    let named = schema.columns.iter_mut().find(|c| c.name == "carrier");
    let column: &mut Column = named.expect("carrier");
    column.values = Some(vec!["Delta".into(), "Alaska \"Air\"".into(), "United".into()]);
    column.synonyms = vec!["airline".into()];
    schema.into()
}

fn asked<S: Sight>(
    query: &serde_json::Value,
    field: Field,
    marked: &str,
) -> (String, Completions<S::Value>) {
    let offset = marked.find('|').expect("the place is marked");
    let text = marked.replacen('|', "", 1);
    let query = Query::from_json(query).expect("the test's query");
    let table = if query.table.as_deref() == Some("bars") { bars() } else { carriers() };
    let tables = [table];
    let context = Context { tables: &tables, query: &query, step: 0, field };
    let done = complete::<S>(&text, offset, &context);
    (text, done)
}

/// The text after the completion called `label` is taken.
fn taken<V>(text: &str, done: &Completions<V>, label: &str) -> String {
    let item = done.items.iter().find(|item| item.label == label).expect(label);
    let mut text = text.to_owned();
    text.replace_range(done.span.start..done.span.end, &item.insert);
    text
}

/// The first completion, and the text that it leads to.
fn check_first(query: &serde_json::Value, field: Field, marked: &str, expected: (&str, &str)) {
    let (text, done) = asked::<OwnPage>(query, field, marked);
    let first = done.items.first().map_or("", |item| item.label.as_str());
    let after = if first.is_empty() { text.clone() } else { taken(&text, &done, first) };
    assert_eq!((first, after.as_str()), expected, "{marked}");
}

#[test]
fn what_comes_first() {
    let where_ =
        |marked, label, after| check_first(&json!({}), Field::Where, marked, (label, after));
    for (marked, label, after) in [
        ("|", "day", "day"),
        ("del|", "delay", "delay"),
        ("DEL|", "delay", "delay"),
        ("dela|y > 5", "delay", "delay > 5"),
        ("ela|", "delay", "delay"),
        ("dleay|", "delay", "delay"),
        ("airline|", "carrier", "carrier"),
        ("air t|", "", "air t"),
        ("`air t|", "air time", "`air time`"),
        ("`air t|ime` > 5", "air time", "`air time` > 5"),
        ("time|", "time", "time()"),
        ("цен|", "цена", "цена"),
        ("coalsce|", "coalesce", "coalesce("),
        ("moving|", "rolling_mean", "rolling_mean("),
        ("avg|", "mean", "mean("),
        ("prev|(delay) > 1", "prev", "prev(delay) > 1"),
        ("pre|", "prev", "prev("),
        ("dayn|", "dayname", "dayname()"),
        ("delay |", "==", "delay == "),
        ("delay|", "delay", "delay"),
        ("delay !|", "!=", "delay != "),
        ("!|", "", "!"),
        ("delay > 5|", "and", "delay > 5 and "),
        ("delay > 5 |", "and", "delay > 5 and "),
        ("delay > 5 o|", "or", "delay > 5 or "),
        ("delay > 5 an|d x", "and", "delay > 5 and x"),
        ("delay n|", "not in", "delay not in "),
        ("delay not |", "in", "delay not in "),
        ("carrier in |", "[", "carrier in ["),
        ("carrier == |", "Delta", "carrier == \"Delta\""),
        ("carrier == al|", "Alaska \"Air\"", "carrier == \"Alaska \\\"Air\\\"\""),
        ("carrier == 'al|", "Alaska \"Air\"", "carrier == \"Alaska \\\"Air\\\"\""),
        (
            "carrier == 'al|xx' and cancelled",
            "Alaska \"Air\"",
            "carrier == \"Alaska \\\"Air\\\"\" and cancelled",
        ),
        ("carrier not in ['Delta', un|", "United", "carrier not in ['Delta', \"United\""),
        ("`carrier` != \"|", "Delta", "`carrier` != \"Delta\""),
        ("dayname() == |", "Mon", "dayname() == \"Mon\""),
        ("monthname(booked) in (\"Jan\", \"f|", "Feb", "monthname(booked) in (\"Jan\", \"Feb\""),
        ("contains(carrier, '|", "", "contains(carrier, '"),
        ("delay == '|", "", "delay == '"),
        ("round(|", "delay", "round(delay"),
        ("round(delay, |", "", "round(delay, "),
        ("lower(|", "carrier", "lower(carrier"),
        ("if(|", "cancelled", "if(cancelled"),
        ("hour(|", "departed", "hour(departed"),
        ("pct(|", "cancelled", "pct(cancelled"),
        ("mean(|", "delay", "mean(delay"),
        ("12|", "==", "12 == "),
        ("12|34", "", "1234"),
        ("delay.|", "", "delay."),
        ("(delay + |", "day", "(delay + day"),
        ("x y z ((( ?? |", "day", "x y z ((( ?? day"),
        ("delay &&|", "day", "delay &&day"),
    ] {
        where_(marked, label, after);
    }
}

#[test]
fn fields() {
    let query = json!({
        "table": "bars", "from": "daily",
        "map": {"gap": "gap()", "bad": "gap +", "dow": "dayname()"},
        "group_by": "dow", "select": {"n": "count()", "avg": "mean(gap)"}
    });
    let check = |field, marked, expected| check_first(&query, field, marked, expected);
    check(Field::Table, "b|", ("bars", "bars"));
    check(Field::From, "dai|", ("daily", "daily"));
    check(Field::Lookback, "f|", ("false", "false"));
    check(Field::Map(1), "ga|", ("gap", "gap"));
    check(Field::Map(0), "ga|", ("gap", "gap()"));
    check(Field::Map(2), "ba|", ("bad", "bad"));
    check(Field::Where, "not|e", ("not", "not "));
    check(Field::Where, "dow == 'T|'", ("Tue", "dow == \"Tue\""));
    check(Field::GroupBy, "|", ("time", "time"));
    check(Field::Select, "|", ("dow", "dow"));
    check(Field::Select, "mean(|", ("Open", "mean(Open"));
    check(Field::Select, "av|", ("mean", "mean("));
    check(Field::Select, "mean(gap), co|", ("count", "mean(gap), count()"));
    check(Field::Sort, "|", ("dow", "dow"));
    check(Field::Sort, "a|", ("avg", "avg"));
    check(Field::Sort, "avg |", ("desc", "avg desc "));
    check(Field::Columns, "n|", ("n", "n"));
    let gone = asked::<OwnPage>(&query, Field::Where, "`open int|").1;
    assert!(
        gone.items.iter().all(|item| item.label != "open interest"),
        "daily bars have dropped it"
    );
    let query = Query::from_json(&query).expect("right");
    for (pointer, field) in [
        ("/session", Some(Field::Session)),
        ("/period", Some(Field::Period)),
        ("/lookback", Some(Field::Lookback)),
        ("/where", Some(Field::Where)),
        ("/map/dow", Some(Field::Map(2))),
        ("/map/new", Some(Field::Map(3))),
        ("/sort/0", Some(Field::Sort)),
        ("/select/avg", Some(Field::Select)),
        ("/limit", None),
        ("", None),
    ] {
        assert_eq!(Field::at(pointer, &query), field.map(|f| (0, f)), "{pointer}");
    }
}

/// Minute bars of index futures, from a Monday in 2023 to a Friday in 2024.
fn futures() -> Arc<TableSchema> {
    let mut schema = (*bars()).clone();
    schema.market = Market::preset("futures-us-index").expect("a preset");
    let at = |text: &str| Value::from_datetime(text.parse().expect("a time"));
    schema.range = Some((at("2023-11-06T09:30:00"), at("2024-05-17T16:59:00")));
    schema.synonyms = vec!["futures".into()];
    schema.into()
}

/// The labels that are offered in a field of the first step.
fn offered<S: Sight>(table: &Arc<TableSchema>, field: Field, marked: &str) -> Vec<String> {
    let offset = marked.find('|').expect("the place is marked");
    let text = marked.replacen('|', "", 1);
    let (query, tables) = (Query::default(), [table.clone()]);
    let context = Context { tables: &tables, query: &query, step: 0, field };
    let done = complete::<S>(&text, offset, &context);
    done.items.into_iter().map(|item| item.label).collect()
}

#[test]
fn fields_of_the_first_step() {
    let daily = {
        let mut schema = (*futures()).clone();
        schema.interval = Some(DAY);
        Arc::new(schema)
    };
    for (table, field, marked, expected) in [
        (futures(), Field::Table, "fut|", "bars"),
        (
            futures(),
            Field::Session,
            "|",
            "RTH ETH OVERNIGHT ASIAN EUROPEAN MORNING AFTERNOON RTH_OPEN RTH_CLOSE",
        ),
        (futures(), Field::Session, "rth|", "RTH RTH_OPEN RTH_CLOSE"),
        (futures(), Field::Session, "over|", "OVERNIGHT"),
        (daily.clone(), Field::Session, "|", ""),
        (bars(), Field::Session, "|", ""),
        (
            futures(),
            Field::From,
            "|",
            "1m 5m 15m 30m 1h 2h 4h daily weekly monthly quarterly yearly",
        ),
        (daily, Field::From, "|", "daily weekly monthly quarterly yearly"),
        (flights(), Field::From, "|", ""),
        (futures(), Field::Lookback, "|", "true false"),
        (futures(), Field::Period, "|", "last_week last_month last_year last_10 2024 2023"),
        (futures(), Field::Period, "last_y|", "last_year"),
        (futures(), Field::Period, "last_25|", "last_25"),
        (futures(), Field::Period, "2023|", "2023 2023-H2 2023-Q4 2023-11 2023-12"),
        (futures(), Field::Period, "2024-Q|", "2024-Q1 2024-Q2"),
        (
            futures(),
            Field::Period,
            "2023-11-2|",
            "2023-11-20 2023-11-21 2023-11-22 2023-11-23 2023-11-24 2023-11-25 2023-11-26 \
             2023-11-27 2023-11-28 2023-11-29",
        ),
        (futures(), Field::Period, "2024:|", "2024"),
        (futures(), Field::Period, "2024-02:2024-0|", "2024-02 2024-03 2024-04 2024-05"),
        (futures(), Field::Period, "2023-1|:2024-02", "2023-11 2023-12"),
        (futures(), Field::Period, "nonsense|", ""),
        (
            bars(),
            Field::Period,
            "|",
            "last_week last_month last_year last_10 2024 2024-H1 2024-Q3 2024-05 2024-05-17 \
             2024-03:2024-05",
        ),
        (bars(), Field::Period, "2019-H|", "2019-H1 2019-H2"),
    ] {
        let expected: Vec<&str> = expected.split_whitespace().collect();
        let mut found = offered::<OwnPage>(&table, field, marked);
        if marked != "|" && !expected.is_empty() {
            // what is only close to the typed text comes after
            found.truncate(expected.len());
        }
        assert_eq!(found, expected, "{field:?} {marked}");
    }
    // what a session is, and where the data lie, in what crosses to JavaScript
    let (query, tables) = (Query::default(), [futures()]);
    let json = |field, text: &str| {
        let context = Context { tables: &tables, query: &query, step: 0, field };
        complete::<OwnPage>(text, text.len(), &context).to_json(Locale::En)
    };
    assert_eq!(
        json(Field::Session, "overn")["items"][0],
        json!({"label": "OVERNIGHT", "insert": "OVERNIGHT", "kind": "name", "detail": "18:00–09:30"})
    );
    assert_eq!(
        json(Field::Period, "2023-q"),
        json!({"span": [0, 6], "items": [
            {"label": "2023-Q4", "insert": "2023-Q4", "kind": "value", "value": "2023-Q4"}]})
    );
    assert_eq!(json(Field::Period, "2023:20")["span"], json!([5, 7]));
}

/// What is offered of the first step passes the check.
#[test]
fn what_is_offered_passes() {
    for (field, name) in
        [(Field::Session, "session"), (Field::Period, "period"), (Field::From, "from")]
    {
        for typed in ["", "2024", "2024-02-", "l", "1"] {
            for label in offered::<OwnPage>(&futures(), field, &format!("{typed}|")) {
                let query = Query::from_json(&json!({ name: label })).expect("a query");
                assert!(check(&query, &[futures()]).is_ok(), "{name}: {label}");
            }
        }
    }
}

/// The dates of the data are data.
#[test]
fn periods_of_the_data_are_for_the_persons_own_page() {
    let same = |marked: &str| {
        let unknown = offered::<NamesOnly>(&bars(), Field::Period, marked);
        assert_eq!(offered::<NamesOnly>(&futures(), Field::Period, marked), unknown, "{marked}");
    };
    ["|", "20|", "2023|", "2024-05-|", "2023:|"].into_iter().for_each(same);
}

/// What stands in the first step alone is neither offered in a later one nor in the way there.
#[test]
fn a_later_step_has_no_frame() {
    let query = json!({
        "table": "bars", "session": "RTH", "period": "2024-02", "from": "daily", "lookback": false,
        "group_by": "symbol", "select": {"n": "count()"},
        "steps": [
            {"session": "RTH", "period": "2024", "lookback": true, "from": "1h", "map": {"m": "n * 2"}},
            {"where": "", "period": ""}
        ]
    });
    let query = Query::from_json(&query).expect("a query");
    let ask = |query: &Query, pointer: &str| {
        let (step, field) = Field::at(pointer, query).expect(pointer);
        let tables = [futures()];
        let context = Context { tables: &tables, query, step, field };
        let done = complete::<OwnPage>("", 0, &context);
        done.items.into_iter().map(|item| item.label).take(3).collect::<Vec<_>>()
    };
    assert_eq!(ask(&query, "/steps/1/where"), ["symbol", "n", "m"]);
    for field in ["table", "session", "period", "from", "lookback"] {
        assert_eq!(ask(&query, &format!("/steps/1/{field}")), [""; 0], "{field}");
    }
    // nor is a frame that is wrong
    for (field, wrong) in [("session", "LUNCH"), ("period", "20"), ("from", "3h")] {
        let mut json = query.to_json();
        json[field] = json!(wrong);
        let wrong = Query::from_json(&json).expect("a query");
        assert_eq!(ask(&wrong, "/steps/1/where"), ["symbol", "n", "m"], "{field}");
    }
}

/// A later step reads what the step before it made.
#[test]
fn later_steps() {
    let query = json!({
        "group_by": "carrier", "select": {"n": "count()", "late": "mean(delay)"},
        "steps": [{"map": {"share": "n / sum(n)"}, "where": ""}, {"sort": ""}]
    });
    let query = Query::from_json(&query).expect("a query");
    let tables = [carriers()];
    for (pointer, text, first) in [
        ("/steps/0/map/share", "l", "late"),
        ("/steps/0/where", "sh", "share"),
        ("/steps/0/where", "del", ""),
        ("/steps/1/sort", "sha", "share"),
        ("/steps/1/sort", "", "carrier"),
    ] {
        let (step, field) = Field::at(pointer, &query).expect(pointer);
        let context = Context { tables: &tables, query: &query, step, field };
        let done = complete::<OwnPage>(text, text.len(), &context);
        let found = done.items.first().map_or("", |item| item.label.as_str());
        assert_eq!(found, first, "{pointer}: {text}");
    }
    assert_eq!(Field::at("/steps/5/sort", &query), None);
    assert_eq!(Field::at("/steps/x/sort", &query), None);
}

/// A query that is wrong elsewhere still says which columns it makes.
#[test]
fn wrong_queries_complete() {
    for (query, field, label) in [
        (json!({"from": "zzz", "map": {"gap": "delay +"}}), Field::Where, "gap"),
        (json!({"group_by": "zzz", "select": "mean(delay), avg(x)"}), Field::Sort, "mean_delay"),
        (json!({"group_by": ["carrier", "+"]}), Field::Select, "carrier"),
        (json!({"group_by": "dayname(", "select": {"n": "count("}}), Field::Columns, "n"),
    ] {
        let done = asked::<OwnPage>(&query, field, "|").1;
        assert!(done.items.iter().any(|item| item.label == label), "{query}: {label}");
    }
    let none = Query::default();
    let context = Context { tables: &[], query: &none, step: 0, field: Field::Where };
    let done = complete::<NamesOnly>("a", 1, &context);
    assert!(done.items.iter().all(|item| !matches!(item.what, What::Column { .. })));
    assert!(done.items.iter().any(|item| item.label == "abs"));
}

/// Whoever may see names alone gets no value, whatever the place.
#[test]
fn values_are_for_the_persons_own_page() {
    for marked in ["carrier == |", "carrier == '|", "carrier in ['Delta', '|", "carrier != D|"] {
        let page = asked::<OwnPage>(&json!({}), Field::Where, marked).1;
        assert!(page.items.iter().any(|item| matches!(item.what, What::Value(_))), "{marked}");
        let anybody: Completions<NoValue> = asked::<NamesOnly>(&json!({}), Field::Where, marked).1;
        for item in &anybody.items {
            assert!(!["Delta", "United"].contains(&item.label.as_str()), "{marked}");
        }
        let json = anybody.to_json(Locale::En).to_string();
        assert!(!json.contains("United") && !json.contains("Alaska"), "{marked}: {json}");
    }
    let dow = asked::<NamesOnly>(&json!({}), Field::Where, "dayname() == '|").1;
    assert_eq!(dow.items.len(), 7, "names of days are no data");
}

/// What is offered passes the check for its place; what is not offered does not.
#[test]
fn functions_are_offered_where_they_may_stand() {
    use crate::error::Code::{AggregatePlacement, WindowPlacement};
    let query = json!({ "table": "bars" });
    for function in functions::all() {
        let stand = |pointer: &str, call: &str| {
            let mut query = query.clone();
            let text = match pointer {
                "where" => format!("not isnull({call})"),
                _ => call.to_owned(),
            };
            query[pointer] = match pointer {
                "map" => json!({ "it": text }),
                _ => json!(text),
            };
            let read = Query::from_json(&query).expect("a query");
            let problems = check(&read, &[bars()]).err().unwrap_or_default();
            problems.iter().all(|d| ![AggregatePlacement, WindowPlacement].contains(&d.code))
        };
        let call = call_of(function);
        for (field, pointer) in [
            (Field::Map(0), "map"),
            (Field::Where, "where"),
            (Field::GroupBy, "group_by"),
            (Field::Sort, "sort"),
            (Field::Columns, "columns"),
        ] {
            let done = asked::<OwnPage>(&query, field, "|").1;
            let offered = done.items.iter().any(|item| item.label == function.name);
            assert_eq!(offered, stand(pointer, &call), "{call} in {pointer}");
        }
        let inside = asked::<OwnPage>(&query, Field::Select, "max(|").1;
        let offered = inside
            .items
            .iter()
            .any(|item| matches!(item.what, What::Function(_)) && item.label == function.name);
        assert_eq!(offered, stand("select", &format!("max({call})")), "{call} in an aggregate");
        let bare = asked::<OwnPage>(&query, Field::Select, "|").1;
        let offered = bare.items.iter().any(|item| item.label == function.name);
        assert_eq!(offered, function.stand != Stand::Window, "{call} in select");
    }
}

/// A call whose arguments are columns of the bars.
fn call_of(function: &functions::Function) -> String {
    use functions::Takes;
    let args: Vec<&str> = function
        .params
        .iter()
        .map(|param| match param.takes {
            Takes::Any | Takes::Number => "Open",
            Takes::Bool => "Open > 1",
            Takes::Text => "symbol",
            Takes::Time | Takes::Clock => "time",
            Takes::Int => "Volume",
            Takes::Pattern => "\"a.\"",
            Takes::IntConst(_) | Takes::IntRange(..) => "2",
            Takes::NumberConst | Takes::Fraction => "0.5",
        })
        .collect();
    format!("{}({})", function.name, args.join(", "))
}

#[test]
fn json_of_items() {
    let (_, done) = asked::<OwnPage>(&json!({}), Field::Where, "dela|");
    let json = done.to_json(Locale::En);
    assert_eq!(json["span"], json!([0, 4]));
    assert_eq!(
        json["items"][0],
        json!({"label": "delay", "insert": "delay", "kind": "column", "type": "integer", "unit": "min"})
    );
    let (_, done) = asked::<OwnPage>(&json!({}), Field::Where, "isn|");
    assert_eq!(
        done.to_json(Locale::Ru)["items"][0],
        json!({
            "label": "isnull", "insert": "isnull(", "kind": "function", "signature": "isnull(x)",
            "family": "числа, условия и текст", "detail": "истина, где x отсутствует"
        })
    );
}

fn fields_of_queries() -> impl Strategy<Value = Field> {
    prop::sample::select(vec![
        Field::Table,
        Field::Session,
        Field::Period,
        Field::From,
        Field::Lookback,
        Field::Map(1),
        Field::Where,
        Field::GroupBy,
        Field::Select,
        Field::Sort,
        Field::Columns,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn taking_a_completion_keeps_the_text_readable(
        text in prop_oneof![soup(), any::<String>()],
        field in fields_of_queries(),
    ) {
        let query = json!({"map": {"gap": "delay * 2", "b": "1"}, "group_by": "carrier", "select": "mean(gap)"});
        let query = Query::from_json(&query).expect("a query");
        let tables = [carriers()];
        let context = Context { tables: &tables, query: &query, step: 0, field };
        let first = [Field::Table, Field::Session, Field::Period, Field::From, Field::Lookback];
        let whole = first.contains(&field);
        let readable = lexer::lex(&text).problems.is_empty();
        for offset in 0..=text.len() + 1 {
            let done = complete::<OwnPage>(&text, offset, &context);
            let Span { start, end } = done.span;
            prop_assert!(text.get(start..end).is_some(), "{:?} of {:?}", done.span, text);
            prop_assert!(whole || start <= offset, "{:?} at {}", done.span, offset);
            for item in done.items {
                let mut after = text.clone();
                after.replace_range(start..end, &item.insert);
                prop_assert!(
                    !readable || whole || !lexer::lex(&after).broken,
                    "{:?} at {} takes {:?} to {:?}", item.label, offset, text, after
                );
            }
        }
    }
}
