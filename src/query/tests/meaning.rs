//! What right queries mean: result kinds, columns, types, units, canonical form, explanation.

use super::{bars, flights, plain, right};
use crate::query::ast::{Arith, Compare};
use crate::query::check::{Domain, Node, ResultKind, Role, Typed};
use crate::schema::{Kind, TableSchema};
use crate::value::Value;
use std::sync::Arc;

/// The type of an expression as a map column, with its domain and unit.
fn typed(text: &str, table: Arc<TableSchema>) -> Typed {
    let query = serde_json::json!({ "map": { "it": text } }).to_string();
    right(&query, table).map()[0].expr.clone()
}

fn check(text: &str, kind: Kind, unit: Option<&str>) {
    let table = if text.contains('(') && !text.contains("()") { flights() } else { bars() };
    let table = if text.contains("Open") { bars() } else { table };
    let it = typed(text, table);
    assert_eq!((it.kind, it.unit.as_deref()), (Some(kind), unit), "of {text}");
}

#[test]
fn kinds_and_units() {
    use Kind::{Bool, Date, Float, Int, Text};
    for (text, kind, unit) in [
        ("abs(delay)", Int, Some("min")),
        ("(delay + `air time`)", Float, Some("min")),
        ("(delay + distance)", Float, None),
        ("(delay + 1)", Int, Some("min")),
        ("(delay * 2)", Int, None),
        ("(delay / 2)", Float, None),
        ("(delay // 2)", Int, None),
        ("(delay % 2.5)", Float, None),
        ("(delay ** 2)", Float, None),
        ("-(delay)", Int, Some("min")),
        ("(load_pct)", Float, Some("%")),
        ("round(distance, 1)", Float, Some("km")),
        ("round(delay)", Int, Some("min")),
        ("floor(distance)", Float, Some("km")),
        ("sqrt(delay)", Float, None),
        ("sign(delay)", Int, None),
        ("max_of(delay, `air time`, 5)", Float, Some("min")),
        ("if(cancelled, 0, delay)", Int, Some("min")),
        ("if(cancelled, null, carrier)", Text, None),
        ("coalesce(null, delay)", Int, Some("min")),
        ("prev(delay, 2)", Int, Some("min")),
        ("rolling_mean(delay, 3)", Float, Some("min")),
        ("rolling_sum(delay, 3)", Int, Some("min")),
        ("length(carrier)", Int, None),
        ("isnull(delay)", Bool, None),
        ("starts_with(carrier, 'A')", Bool, None),
        ("year(booked)", Int, None),
        ("date(departed)", Date, None),
        ("hour(departed)", Int, None),
        ("gap()", Float, Some("USD")),
        ("gap_pct()", Float, Some("%")),
        ("range_pct()", Float, Some("%")),
        ("typical_price()", Float, None),
        ("body()", Float, Some("USD")),
        ("green()", Bool, None),
        ("inside_bar()", Bool, None),
        ("Volume + Open", Float, None),
    ] {
        check(text, kind, unit);
    }
    for (text, domain) in [
        ("dayname()", Some(Domain::Weekday)),
        ("monthname(time)", Some(Domain::Month)),
        ("prev(dayname())", Some(Domain::Weekday)),
        ("upper(dayname())", None),
        ("if(Open > 1, dayname(), dayname(time))", Some(Domain::Weekday)),
        ("coalesce(null, monthname(), \"Dec\")", Some(Domain::Month)),
        ("if(Open > 1, dayname(), \"weekend\")", None),
        ("if(Open > 1, dayname(), monthname())", None),
        ("valuewhen(Open > 1, dayname())", Some(Domain::Weekday)),
        ("Open", None),
    ] {
        assert_eq!(typed(text, bars()).domain, domain, "of {text}");
    }
}

#[test]
fn definitions_are_expanded() {
    let column = |name: &str| Node::Column(name.into());
    let Node::Arith(Arith::Sub, open, prev) = typed("gap()", bars()).node else {
        panic!("a difference")
    };
    assert_eq!(open.node, column("Open"), "the table's own name");
    let Node::Call { function, args } = prev.node else { panic!("a call") };
    assert_eq!((function.name, args.len()), ("prev", 2), "defaults are filled in");
    assert_eq!(args[0].node, column("Close"));
    assert_eq!(args[1].node, Node::Literal(Value::Int(1)));
}

#[test]
fn arguments_are_filled_in() {
    let args = |text: &str, table| match typed(text, table).node {
        Node::Call { args, .. } => args.into_iter().map(|a| a.node).collect::<Vec<_>>(),
        other => panic!("{other:?}"),
    };
    assert_eq!(args("year()", bars()), [Node::Column("time".into())]);
    assert_eq!(args("round(Open)", bars())[1], Node::Literal(Value::Int(0)));
    let query = right(r#"{"select": "count(), count(Open)"}"#, bars());
    let lengths: Vec<_> = query
        .measures()
        .iter()
        .map(|m| match &m.expr.node {
            Node::Call { args, .. } => args.len(),
            _ => 99,
        })
        .collect();
    assert_eq!(lengths, [0, 1]);
}

#[test]
fn comparisons() {
    let filter = |text: &str, table| {
        let query = serde_json::json!({ "where": text }).to_string();
        right(&query, table).filter().expect("a filter").expr.node.clone()
    };
    let Node::And(parts) = filter("1 < Open <= 3", bars()) else { panic!("a conjunction") };
    assert!(matches!(parts[0].node, Node::Compare(Compare::Lt, ..)));
    assert!(matches!(parts[1].node, Node::Compare(Compare::Le, ..)));
    let literal = |node: Node| match node {
        Node::Compare(_, a, b) => match (a.node, b.node) {
            (Node::Literal(v), _) | (_, Node::Literal(v)) => v,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    for (text, value) in [
        ("day >= '2024-02-29'", Value::Date(19_782)),
        ("'1969-12-31' < booked", Value::Date(-1)),
        ("departed < '2024-02-29'", Value::Timestamp(19_782 * 86_400_000_000)),
        ("departed < '1970-01-01 00:01'", Value::Timestamp(60_000_000)),
        ("departed < '1970-01-01T00:00:01.5'", Value::Timestamp(1_500_000)),
        ("delay > -5", Value::Int(-5)),
        ("distance > 5", Value::Int(5)),
        ("cancelled == true", Value::Bool(true)),
        ("dayname() == 'Fri'", Value::text("Fri")),
    ] {
        assert_eq!(literal(filter(text, flights())), value, "of {text}");
    }
    for (text, values) in [
        ("delay in [1, -2]", vec![Value::Int(1), Value::Int(-2)]),
        ("distance in [1, 2.5]", vec![Value::Float(1.0), Value::Float(2.5)]),
        ("day not in ('1970-01-02')", vec![Value::Date(1)]),
        ("dayname() in ['Mon', 'Sun']", vec![Value::text("Mon"), Value::text("Sun")]),
    ] {
        let Node::In { list, .. } = filter(text, flights()) else { panic!("{text}") };
        assert_eq!(list, values, "of {text}");
    }
    assert!(matches!(filter("delay in [1, 2.5]", flights()), Node::Or(parts) if parts.len() == 2));
    assert!(matches!(filter("delay not in [1, 2.5]", flights()), Node::And(_)));
}

#[test]
fn midnight_is_pointed_out() {
    for (text, warned) in [
        ("time == '2024-01-05'", true),
        ("time <= '2024-01-05'", true),
        ("time > '2024-01-05'", true),
        ("time >= '2024-01-05' and time < '2024-01-06'", false),
        ("'2024-01-05' <= time < '2024-01-06'", false),
        ("time <= '2024-01-05 00:00'", false),
        ("date(time) == '2024-01-05'", false),
    ] {
        let query = serde_json::json!({ "where": text }).to_string();
        let codes: Vec<_> = right(&query, bars()).warnings().iter().map(|w| w.code).collect();
        assert_eq!(codes.contains(&"date_is_midnight"), warned, "of {text}");
    }
}

/// Kind, output columns with roles.
fn shape(query: &str, table: Arc<TableSchema>) -> (ResultKind, Vec<(String, Kind, Role)>) {
    let checked = right(query, table);
    let output = checked.output().iter();
    let columns = output.map(|o| (o.column.name.clone(), o.column.kind, o.role.clone()));
    (checked.kind(), columns.collect())
}

#[test]
fn the_matrix() {
    let measure = |aggregate: Option<&'static str>, column: Option<&str>| Role::Measure {
        aggregate,
        column: column.map(str::to_owned),
    };
    for (query, kind, columns) in [
        (
            r#"{"limit": 3}"#,
            ResultKind::Table,
            vec![
                ("name", Kind::Text, Role::Source),
                ("x", Kind::Int, Role::Source),
                ("born", Kind::Date, Role::Source),
            ],
        ),
        (
            r#"{"map": {"y": "x / 2", "x": "y > 1"}, "columns": ["x", "name", "y + 1"]}"#,
            ResultKind::Table,
            vec![
                ("x", Kind::Bool, Role::Mapped),
                ("name", Kind::Text, Role::Source),
                ("y + 1", Kind::Float, Role::Mapped),
            ],
        ),
        (
            r#"{"select": "count()"}"#,
            ResultKind::Scalar,
            vec![("count", Kind::Int, measure(Some("count"), None))],
        ),
        (
            r#"{"select": "sum(x) / count(x), max(name), mean(abs(x)), median(x)"}"#,
            ResultKind::Dict,
            vec![
                ("sum(x) / count(x)", Kind::Float, measure(None, None)),
                ("max_name", Kind::Text, measure(Some("max"), Some("name"))),
                ("mean(abs(x))", Kind::Float, measure(Some("mean"), None)),
                ("median_x", Kind::Float, measure(Some("median"), Some("x"))),
            ],
        ),
        (
            r#"{"group_by": "name"}"#,
            ResultKind::Grouped,
            vec![
                ("name", Kind::Text, Role::Key),
                ("count", Kind::Int, measure(Some("count"), None)),
            ],
        ),
        (
            r#"{"group_by": ["year(born)", "name"], "select": {"a": "first(born)", "b": "pct(x > 1)"}}"#,
            ResultKind::Grouped,
            vec![
                ("year(born)", Kind::Int, Role::Key),
                ("name", Kind::Text, Role::Key),
                ("a", Kind::Date, measure(Some("first"), Some("born"))),
                ("b", Kind::Float, measure(Some("pct"), None)),
            ],
        ),
        (
            r#"{"group_by": "x", "select": "count() / x", "columns": ["count() / x", "x"]}"#,
            ResultKind::Grouped,
            vec![("count() / x", Kind::Float, measure(None, None)), ("x", Kind::Int, Role::Key)],
        ),
    ] {
        let columns: Vec<_> = columns.into_iter().map(|(n, k, r)| (n.to_owned(), k, r)).collect();
        assert_eq!(shape(query, plain()), (kind, columns), "of {query}");
    }
}

#[test]
fn daily_bars() {
    let checked = right(r#"{"from": "daily", "map": {"g": "gap()"}}"#, bars());
    let columns: Vec<_> = checked
        .output()
        .iter()
        .map(|o| (o.column.name.as_str(), o.column.kind, o.date_only, o.role.clone()))
        .collect();
    assert_eq!(
        columns,
        [
            ("time", Kind::Date, true, Role::Time),
            ("symbol", Kind::Text, false, Role::Series),
            ("Open", Kind::Float, false, Role::Source),
            ("High", Kind::Float, false, Role::Source),
            ("Low", Kind::Float, false, Role::Source),
            ("Close", Kind::Float, false, Role::Source),
            ("Volume", Kind::Int, false, Role::Source),
            ("delta", Kind::Float, false, Role::Source),
            ("g", Kind::Float, false, Role::Mapped),
        ]
    );
    let overwritten = right(r#"{"from": "daily", "map": {"note": "'x'"}}"#, bars());
    assert!(overwritten.output().iter().any(|o| o.column.name == "note"), "a dropped name is free");
}

#[test]
fn sorting() {
    let sort = |query: &str| {
        let checked = right(query, flights());
        checked.sort().iter().map(|k| (k.text.clone(), k.descending)).collect::<Vec<_>>()
    };
    for (query, keys) in [
        (r#"{"sort": "delay"}"#, vec![("delay", false)]),
        (r#"{"sort": "delay asc"}"#, vec![("delay", false)]),
        // a column of that very name
        (r#"{"sort": "delay desc"}"#, vec![("delay desc", false)]),
        (r#"{"sort": "delay desc desc"}"#, vec![("delay desc", true)]),
        (r#"{"sort": "`delay` desc"}"#, vec![("delay", true)]),
        (r#"{"sort": "air time DESC"}"#, vec![("air time", true)]),
        (r#"{"sort": "a + b"}"#, vec![("a + b", false)]),
        (r#"{"sort": ["carrier", "-delay * 2"]}"#, vec![("carrier", false), ("-delay * 2", false)]),
        (r#"{"group_by": "carrier", "sort": "count() desc"}"#, vec![("count", true)]),
        (r#"{"group_by": "month(day)", "sort": "month( day )"}"#, vec![("month(day)", false)]),
    ] {
        let keys: Vec<_> = keys.into_iter().map(|(t, d)| (t.to_owned(), d)).collect();
        assert_eq!(sort(query), keys, "of {query}");
    }
}

#[test]
fn ignored_on_one_row() {
    let query = r#"{"select": "count()", "sort": "nope", "limit": 5, "columns": ["nope"]}"#;
    let checked = right(query, bars());
    let codes: Vec<_> = checked.warnings().iter().map(|w| w.code).collect();
    assert_eq!(codes, ["sort_ignored", "limit_ignored", "columns_ignored"]);
    assert!(checked.sort().is_empty() && checked.limit().is_none() && checked.columns().is_none());
    assert_eq!(checked.canonical().to_string(), r#"{"table":"bars","select":"count()"}"#);
}

#[test]
fn canonical_form() {
    for (query, table, canonical) in [
        ("{}", flights(), r#"{"table":"flights"}"#),
        (
            r#"{"limit": 3, "sort": "mean(g) desc", "select": "mean( g )", "group_by": ["dayname( )"],
                "where": "(g>50)", "map": {"g": "gap()"}, "from": "daily"}"#,
            bars(),
            r#"{"table":"bars","from":"daily","map":{"g":"gap()"},"where":"g > 50","group_by":"dayname()","select":"mean(g)","sort":"mean_g desc","limit":3}"#,
        ),
        (
            r#"{"group_by": ["air time", "carrier"]}"#,
            flights(),
            r#"{"table":"flights","group_by":["`air time`","carrier"],"select":"count()"}"#,
        ),
        (
            r#"{"map": {"a": "delay", "b": "delay"}, "columns": ["a + b", "a +b", "цена"]}"#,
            flights(),
            "",
        ),
        (
            r#"{"map": [["a", "1"], ["a", "a + 1"]], "columns": ["a"]}"#,
            plain(),
            r#"{"table":"plain","map":[["a","1"],["a","a + 1"]],"columns":["a"]}"#,
        ),
        (
            r#"{"select": {"n": "count()", "mean_x": "mean(x)"}}"#,
            plain(),
            r#"{"table":"plain","select":{"n":"count()","mean_x":"mean(x)"}}"#,
        ),
    ] {
        if canonical.is_empty() {
            // an expression that is spelled like a column would have that column's name
            let problems = super::run(query, &[table]).expect_err("a clash");
            assert_eq!(problems[0].code, crate::error::Code::NameClash);
            continue;
        }
        let checked = right(query, table.clone());
        assert_eq!(checked.canonical().to_string(), canonical);
        let again = right(canonical, table);
        assert_eq!(again.canonical(), checked.canonical(), "idempotent");
    }
    let twin = r#"{"map": {"a": "delay", "b": "delay"}, "group_by": "(a+b)", "sort": "a + b"}"#;
    let checked = right(twin, flights());
    assert_eq!(checked.canonical()["group_by"], "(a + b)", "not the column of that name");
    let again = right(&checked.canonical().to_string(), flights());
    assert_eq!((again.keys(), again.sort()), (checked.keys(), checked.sort()));
}
