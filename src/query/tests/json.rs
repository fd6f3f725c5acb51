//! The object form: fields, types, forms, and back to JSON.

use super::{bars, right, run, shown};
use crate::error::Code;
use crate::query::{Query, Selected};
use serde_json::{Value, json};

/// The problems of an object as (code, pointer, first choice).
fn wrong(value: &Value) -> Vec<(Code, String, Option<String>)> {
    let problems = Query::from_json(value).expect_err("wrong");
    problems.into_iter().map(|d| (d.code, d.pointer, d.choices.into_iter().next())).collect()
}

#[test]
fn wrong_objects() {
    use Code::{BadLimit, NotAnObject, UnknownField, WrongFieldType};
    for (value, expected) in [
        (json!([1]), vec![(NotAnObject, "", None)]),
        (json!("x"), vec![(NotAnObject, "", None)]),
        (json!({"filter": "x"}), vec![(UnknownField, "/filter", Some("where"))]),
        (json!({"groupby": "x"}), vec![(UnknownField, "/groupby", Some("group_by"))]),
        (json!({"order_by": "x"}), vec![(UnknownField, "/order_by", Some("sort"))]),
        (json!({"selct": "x"}), vec![(UnknownField, "/selct", Some("select"))]),
        (json!({"sessions": "RTH"}), vec![(UnknownField, "/sessions", Some("session"))]),
        (json!({"a/b~c": 1}), vec![(UnknownField, "/a~1b~0c", Some("table"))]),
        (
            json!({"session": 1, "period": 2024, "lookback": "no"}),
            vec![
                (WrongFieldType, "/session", None),
                (WrongFieldType, "/period", None),
                (WrongFieldType, "/lookback", None),
            ],
        ),
        (
            json!({"table": 5, "from": true, "where": ["x"]}),
            vec![
                (WrongFieldType, "/table", None),
                (WrongFieldType, "/from", None),
                (WrongFieldType, "/where", None),
            ],
        ),
        (json!({"map": "x = 1"}), vec![(WrongFieldType, "/map", None)]),
        (json!({"map": {"x/y": 1}}), vec![(WrongFieldType, "/map/x~1y", None)]),
        (
            json!({"map": [["x", "1"], ["y"], ["z", 1]]}),
            vec![(WrongFieldType, "/map/1", None), (WrongFieldType, "/map/2", None)],
        ),
        (
            json!({"group_by": ["a", 1], "sort": {"a": "desc"}, "columns": 5}),
            vec![
                (WrongFieldType, "/group_by/1", None),
                (WrongFieldType, "/sort", None),
                (WrongFieldType, "/columns", None),
            ],
        ),
        (json!({"select": {"a": ["mean"]}}), vec![(WrongFieldType, "/select/a", None)]),
        (json!({"select": [["mean", "a"]]}), vec![(WrongFieldType, "/select/0", None)]),
        (json!({"limit": 0}), vec![(BadLimit, "/limit", None)]),
        (json!({"limit": -3}), vec![(BadLimit, "/limit", None)]),
        (json!({"limit": 2.5}), vec![(BadLimit, "/limit", None)]),
        (json!({"limit": true}), vec![(BadLimit, "/limit", None)]),
        (json!({"limit": "5"}), vec![(BadLimit, "/limit", None)]),
    ] {
        let expected: Vec<_> = expected
            .into_iter()
            .map(|(code, pointer, choice)| (code, pointer.to_owned(), choice.map(str::to_owned)))
            .collect();
        assert_eq!(wrong(&value), expected, "of {value}");
    }
}

#[test]
fn nothing_said_is_nothing_asked() {
    let empty = json!({
        "table": null, "session": null, "period": null, "steps": [], "lookback": null, "map": {},
        "where": null, "group_by": [], "select": null, "sort": [], "limit": null, "columns": [],
    });
    assert_eq!(Query::from_json(&empty), Ok(Query::default()));
}

#[test]
fn forms_mean_the_same() {
    for (one, other) in [
        (r#"{"map": {"a": "1 + 1", "b": "a"}}"#, r#"{"map": [["a", "1+1"], ["b", "a"]]}"#),
        (r#"{"select": "mean(Open), count()"}"#, r#"{"select": ["mean(Open)", "count()"]}"#),
        (r#"{"select": {"mean_Open": "mean(Open)"}}"#, r#"{"select": "mean(Open)"}"#),
        (r#"{"group_by": "symbol"}"#, r#"{"group_by": ["`symbol`"], "select": "count()"}"#),
        (r#"{"sort": "Open"}"#, r#"{"sort": [" Open ASC"], "table": "bars"}"#),
        (r#"{"columns": "Open"}"#, r#"{"columns": ["Open"]}"#),
        (
            r#"{"group_by": "symbol", "select": "mean(Open)", "sort": "mean( Open ) desc"}"#,
            r#"{"group_by": "symbol", "select": "mean(Open)", "sort": "mean_Open desc"}"#,
        ),
        (
            r#"{"group_by": "symbol", "select": "symbol, max(Open)"}"#,
            r#"{"group_by": "symbol", "select": "max(Open)"}"#,
        ),
    ] {
        let (a, b) = (right(one, bars()), right(other, bars()));
        assert_eq!(a.canonical(), b.canonical());
        assert_eq!((a.map(), a.keys(), a.measures()), (b.map(), b.keys(), b.measures()));
        assert_eq!((a.sort(), a.columns()), (b.sort(), b.columns()));
    }
}

#[test]
fn text_select_splits_at_the_top_level_alone() {
    let query =
        r#"{"select": "correlation(Open, Close), count(), pct(symbol in [\"a,b\", 'c)'])"}"#;
    let names: Vec<_> =
        right(query, bars()).output().iter().map(|o| o.column.name.clone()).collect();
    assert_eq!(names, ["correlation_Open", "count", "pct(symbol in [\"a,b\", \"c)\"])"]);
}

#[test]
fn made_in_code() {
    let query = Query {
        from: Some("daily".into()),
        map: vec![("g".into(), "gap()".into())],
        filter: Some("g > 1".into()),
        group_by: vec!["dayname()".into()],
        select: vec![Selected::named("average", "mean(g)"), "count()".into()],
        sort: vec!["average desc".into()],
        limit: Some(3),
        columns: vec!["average".into()],
        ..Query::default()
    };
    let json = query.to_json();
    let expected = json!({
        "from": "daily", "map": {"g": "gap()"}, "where": "g > 1", "group_by": "dayname()",
        "select": {"average": "mean(g)", "count": "count()"}, "sort": "average desc", "limit": 3,
        "columns": ["average"],
    });
    assert_eq!(json, expected);
    let again = Query::from_json(&json).expect("its own JSON");
    let tables = [bars()];
    let (a, b) = (crate::query::check(&query, &tables), crate::query::check(&again, &tables));
    match (a, b) {
        (Ok(a), Ok(b)) => assert_eq!(a, b),
        (Err(p), _) | (_, Err(p)) => panic!("{}", shown(&p)),
    }
}

#[test]
fn pointers_follow_the_form() {
    for (query, pointer, span) in [
        (r#"{"map": {"a/b": "?"}}"#, "/map/a~1b", (0, 1)),
        (r#"{"map": [["x", "1"], ["y", "1 + ?"]]}"#, "/map/1/1", (4, 5)),
        (r#"{"where": "1 == ?"}"#, "/where", (5, 6)),
        (r#"{"group_by": "nope"}"#, "/group_by", (0, 4)),
        (r#"{"group_by": ["symbol", "nope"]}"#, "/group_by/1", (0, 4)),
        (r#"{"select": "count(), mean(nope)"}"#, "/select", (14, 18)),
        (r#"{"select": "count(),  mean(Open) +"}"#, "/select", (22, 22)),
        (r#"{"select": ["count()", "mean(nope)"]}"#, "/select/1", (5, 9)),
        (r#"{"select": {"a": "mean(nope)"}}"#, "/select/a", (5, 9)),
        (r#"{"sort": " nope desc"}"#, "/sort", (1, 5)),
        (r#"{"sort": ["Open", "nope"]}"#, "/sort/1", (0, 4)),
        (r#"{"columns": ["Open", "1 + nope"]}"#, "/columns/1", (4, 8)),
    ] {
        let problems = run(query, &[bars()]).expect_err(query);
        let found: Vec<_> = problems
            .iter()
            .map(|d| (d.pointer.as_str(), d.span.map_or((0, 0), |s| (s.start, s.end))))
            .collect();
        assert!(found.contains(&(pointer, span)), "{query}: {found:?}");
    }
}
