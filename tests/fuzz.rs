//! Random input for the language: text for the parser, queries and any JSON for the check, places
//! for the completion. Nothing panics, the bounds hold, and the work is bounded by what is counted:
//! nodes of a tree, problems, items.
//!
//! A short run by default; `PINHOLE_FUZZ_SECONDS=600 cargo test --test fuzz` for a long one, which
//! tells how many inputs it tried.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test that reads golden cases, an option and the clock, and counts its inputs"
)]

use pinhole::error::{Diagnostic, Locale};
use pinhole::query::ast::{Expr, Node};
use pinhole::query::check::{MAX_KEYS, MAX_MAP};
use pinhole::query::complete::{Context, Field, MOST_ITEMS, OwnPage, complete};
use pinhole::query::{Query, check, check_json, explain, format, parse};
use pinhole::schema::{Column, DAY, Kind, Member, TableSchema};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The bounds of the language, as its description states them.
const MOST_CHARACTERS: usize = 10_000;
const MOST_NESTING: usize = 64;
/// The most problems of one expression's syntax.
const MOST_PROBLEMS: usize = 20;
/// The most problems of a whole query.
const MOST_REPORTED: usize = 100;

fn tables() -> Vec<Arc<TableSchema>> {
    let mut bars = TableSchema::new(
        "bars",
        vec![
            Column::new("time", Kind::Timestamp),
            Column::new("symbol", Kind::Text),
            Column::new("open", Kind::Float).unit("USD"),
            Column::new("high", Kind::Float),
            Column::new("low", Kind::Float),
            Column::new("close", Kind::Float),
            Column::new("volume", Kind::Int),
            Column::new("a b`c", Kind::Int),
            Column::new("цена", Kind::Float),
            Column::new("flag", Kind::Bool),
            Column::new("day", Kind::Date),
        ],
    );
    bars.time = Some("time".into());
    bars.series = Some("symbol".into());
    bars.interval = Some(60);
    let mut plain = TableSchema::new(
        "t",
        vec![
            Column::new("x", Kind::Float),
            Column::new("i", Kind::Int),
            Column::new("s", Kind::Text),
            Column::new("t", Kind::Timestamp),
            Column::new("p", Kind::Bool),
            Column::new("tags", Kind::List(Member::Text)),
            Column::new("sizes", Kind::List(Member::Int)),
        ],
    );
    plain.time = Some("t".into());
    plain.interval = Some(DAY);
    vec![Arc::new(bars), Arc::new(plain)]
}

/// The queries of the golden cases.
fn golden() -> Vec<Value> {
    let mut queries = Vec::new();
    for entry in std::fs::read_dir("tests/golden").expect("the golden cases") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|e| e != "txt") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a golden file");
        let lines = text.lines().filter_map(|line| line.strip_prefix("> "));
        queries.extend(lines.filter_map(|line| serde_json::from_str(line).ok()));
    }
    assert!(queries.len() > 50, "golden queries are read: {}", queries.len());
    queries
}

/// Every text of the queries that may be an expression.
fn expressions(queries: &[Value]) -> Vec<String> {
    fn walk(value: &Value, out: &mut Vec<String>) {
        match value {
            Value::String(text) => out.push(text.clone()),
            Value::Array(list) => list.iter().for_each(|v| walk(v, out)),
            Value::Object(object) => object.values().for_each(|v| walk(v, out)),
            _ => {}
        }
    }
    let mut out = Vec::new();
    for query in queries {
        walk(query, &mut out);
    }
    out.sort();
    out.dedup();
    out
}

/// One change of a text.
#[derive(Debug, Clone)]
enum Edit {
    Delete(usize, usize),
    Insert(usize, String),
    Repeat(usize, usize, usize),
    Swap(usize, usize, usize),
    Wrap(String, usize, String),
}

const PIECES: &[&str] = &[
    "(",
    ")",
    "[",
    "]",
    ",",
    ".",
    "`",
    "'",
    "\"",
    "\\",
    "=",
    "==",
    "!",
    "!=",
    "<",
    ">",
    "&&",
    "||",
    "+",
    "-",
    "−",
    "*",
    "**",
    "/",
    "//",
    "%",
    " and ",
    " or ",
    " not ",
    " in ",
    " is ",
    " between ",
    " like ",
    " as ",
    " desc",
    " over ",
    "null",
    "true",
    "1",
    "2.5",
    "1e999",
    "9223372036854775807",
    "0x1",
    "close",
    "`a b``c`",
    "цена",
    "mean(",
    "rolling_mean(close, 3)",
    "prev(",
    "count(*)",
    "close.shift(1)",
    "df['x']",
    "n=",
    "if(",
    "“",
    "”",
    "\u{0}",
    "\u{feff}",
    "\u{202e}",
    "𝔘",
    "e\u{301}",
    "case when ",
];

fn edit() -> impl Strategy<Value = Edit> {
    let piece = prop_oneof![
        4 => prop::sample::select(PIECES).prop_map(str::to_owned),
        1 => "\\PC{1,3}",
        1 => any::<char>().prop_map(String::from),
    ];
    prop_oneof![
        (any::<usize>(), 1..8usize).prop_map(|(at, n)| Edit::Delete(at, n)),
        (any::<usize>(), piece.clone()).prop_map(|(at, p)| Edit::Insert(at, p)),
        (any::<usize>(), 1..20usize, 2..40usize).prop_map(|(at, n, k)| Edit::Repeat(at, n, k)),
        (any::<usize>(), any::<usize>(), 1..9usize).prop_map(|(a, b, n)| Edit::Swap(a, b, n)),
        (piece.clone(), 1..90usize, piece).prop_map(|(a, n, b)| Edit::Wrap(a, n, b)),
    ]
}

fn apply(text: &str, edits: &[Edit]) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    for edit in edits {
        let len = chars.len();
        let clamp = |at: usize, n: usize| {
            let start = at % (len + 1);
            (start, (start + n).min(len))
        };
        match edit {
            Edit::Delete(at, n) => {
                let (start, end) = clamp(*at, *n);
                chars.drain(start..end);
            }
            Edit::Insert(at, piece) => {
                let (start, _) = clamp(*at, 0);
                chars.splice(start..start, piece.chars());
            }
            Edit::Repeat(at, n, times) => {
                let (start, end) = clamp(*at, *n);
                let piece: Vec<char> = chars[start..end].repeat(*times);
                chars.splice(start..start, piece);
            }
            Edit::Swap(a, b, n) => {
                let (start, end) = clamp(*a, *n);
                let piece: Vec<char> = chars.drain(start..end).collect();
                let at = b % (chars.len() + 1);
                chars.splice(at..at, piece);
            }
            Edit::Wrap(before, times, after) => {
                let (before, after) = (before.repeat(*times), after.repeat(*times));
                chars = before.chars().chain(chars).chain(after.chars()).collect();
            }
        }
        // long enough to go over the bound, short enough to try many
        chars.truncate(3 * MOST_CHARACTERS);
    }
    chars.into_iter().collect()
}

/// Texts of every sort: mutated expressions, bytes, deep nesting, huge ones.
fn text(expressions: Vec<String>) -> impl Strategy<Value = String> + Clone {
    let seed = prop::sample::select(expressions);
    let edits = prop::collection::vec(edit(), 0..6).boxed();
    prop_oneof![
        12 => (seed.clone(), edits).prop_map(|(text, edits)| apply(&text, &edits)),
        3 => prop::collection::vec(any::<u8>(), 0..200)
            .prop_map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        2 => any::<String>(),
        2 => (prop::sample::select(PIECES), 1..400usize, prop::sample::select(PIECES))
            .prop_map(|(piece, n, last)| format!("{}{last}", piece.repeat(n))),
        2 => (seed.clone(), 1..200usize, prop::sample::select(PIECES))
            .prop_map(|(text, n, between)| vec![text; n].join(between)),
    ]
}

/// Any JSON, with fields of the language among its keys.
fn json(text: impl Strategy<Value = String> + Clone + 'static) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        6 => text.prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        let key = prop_oneof![
            3 => prop::sample::select(pinhole::query::FIELDS.to_vec()).prop_map(str::to_owned),
            1 => "\\PC{0,5}",
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..8)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

/// Puts `text` in the place of one text of the query.
fn replace(value: &mut Value, text: &str, at: &mut usize) {
    match value {
        Value::String(old) => {
            if *at == 0 {
                text.clone_into(old);
            }
            *at = at.wrapping_sub(1);
        }
        Value::Array(list) => list.iter_mut().for_each(|v| replace(v, text, at)),
        Value::Object(object) => object.iter_mut().for_each(|(_, v)| replace(v, text, at)),
        _ => {}
    }
}

/// Nodes of a tree and its height.
fn size(expr: &Expr) -> (usize, usize) {
    let all = |list: &[&Expr]| {
        list.iter().fold((1, 1), |(nodes, height), e| {
            let (n, h) = size(e);
            (nodes + n, height.max(h + 1))
        })
    };
    match &expr.node {
        Node::Neg(x) | Node::Not(x) => all(&[x]),
        Node::Arith(_, a, b) => all(&[a, b]),
        Node::Compare(first, rest) => {
            let mut list: Vec<&Expr> = vec![first];
            list.extend(rest.iter().map(|(_, e)| e));
            all(&list)
        }
        Node::In { value, list, .. } => {
            let mut members: Vec<&Expr> = vec![value];
            members.extend(list);
            all(&members)
        }
        Node::And(list) | Node::Or(list) | Node::Call { args: list, .. } => {
            all(&list.iter().collect::<Vec<_>>())
        }
        _ => (1, 1),
    }
}

fn spans_fit(text: &str, problems: &[Diagnostic]) {
    for d in problems {
        if let Some(span) = d.span {
            assert!(text.get(span.start..span.end).is_some(), "{span:?} of {text:?}");
        }
        assert!(!d.message.en.is_empty() && !d.message.ru.is_empty());
    }
}

/// The parser and the printer.
fn try_text(text: &str) {
    match parse(text) {
        Ok(tree) => {
            assert!(text.chars().count() <= MOST_CHARACTERS);
            let (nodes, height) = size(&tree);
            assert!(nodes <= text.len() && height <= MOST_NESTING, "{nodes} nodes, {height} high");
            let printed = format::expr(&tree);
            // a text at the bound may be longer in its canonical form
            if printed.chars().count() <= MOST_CHARACTERS {
                let again =
                    parse(&printed).unwrap_or_else(|p| panic!("{text:?} {printed:?}: {p:?}"));
                assert_eq!(format::expr(&again), printed, "of {text:?}");
            }
        }
        Err(problems) => {
            assert!((1..=MOST_PROBLEMS).contains(&problems.len()), "{} problems", problems.len());
            spans_fit(text, &problems);
        }
    }
}

/// The check, the canonical form, the explanation.
fn try_query(value: &Value, tables: &[Arc<TableSchema>]) {
    match check_json(value, tables) {
        Ok(checked) => {
            assert!(checked.map().len() <= MAX_MAP && checked.keys().len() <= MAX_KEYS);
            let canonical = checked.canonical();
            let again = Query::from_json(canonical).and_then(|q| check(&q, tables));
            let again = again.unwrap_or_else(|p| panic!("{value}\n{canonical}\n{p:?}"));
            assert_eq!(again.canonical(), canonical, "of {value}");
            for locale in [Locale::En, Locale::Ru] {
                assert!(!explain::explain(&checked, locale).is_empty());
            }
        }
        Err(problems) => {
            assert!((1..=MOST_REPORTED).contains(&problems.len()), "{} problems", problems.len());
            for d in &problems {
                assert!(d.pointer.is_empty() || d.pointer.starts_with('/'), "{}", d.pointer);
                assert!(d.choices.len() <= 200);
            }
        }
    }
}

fn try_place(text: &str, offset: usize, field: Field, query: &Query, tables: &[Arc<TableSchema>]) {
    let step = offset % (query.steps.len() + 1);
    let context = Context { tables, query, step, field };
    let done = complete::<OwnPage>(text, offset, &context);
    assert!(text.get(done.span.start..done.span.end).is_some(), "{:?} of {text:?}", done.span);
    assert!(done.items.len() <= MOST_ITEMS);
}

const PLACES: [Field; 11] = [
    Field::Table,
    Field::Session,
    Field::Period,
    Field::From,
    Field::Lookback,
    Field::Map(0),
    Field::Where,
    Field::GroupBy,
    Field::Select,
    Field::Sort,
    Field::Columns,
];

struct Fuzz {
    runner: TestRunner,
    tables: Vec<Arc<TableSchema>>,
    golden: Vec<Value>,
    tried: BTreeMap<&'static str, u64>,
}

impl Fuzz {
    fn draw<T: std::fmt::Debug>(&mut self, strategy: &impl Strategy<Value = T>) -> T {
        strategy.new_tree(&mut self.runner).expect("a value").current()
    }

    /// Runs one input; when it panics, says which it was.
    fn run(
        &mut self,
        what: &'static str,
        input: &Value,
        body: impl FnOnce() + std::panic::UnwindSafe,
    ) {
        *self.tried.entry(what).or_default() += 1;
        if let Err(panic) = std::panic::catch_unwind(body) {
            eprintln!("{what} fails on this input:\n{input}");
            std::panic::resume_unwind(panic);
        }
    }

    fn round(
        &mut self,
        texts: &impl Strategy<Value = String>,
        jsons: &impl Strategy<Value = Value>,
    ) {
        let text = self.draw(texts);
        self.run("texts", &json!(text), || try_text(&text));

        let mut query = self.draw(&prop::sample::select(self.golden.clone()));
        let mut at = self.draw(&(0..6usize));
        replace(&mut query, &text, &mut at);
        let tables = self.tables.clone();
        self.run("mutated queries", &query, || try_query(&query, &tables));

        let any = self.draw(jsons);
        self.run("any JSON", &any, || try_query(&any, &tables));

        let offset = self.draw(&(0..text.len() + 3));
        let field = self.draw(&prop::sample::select(&PLACES[..]));
        let around = Query::from_json(&query).unwrap_or_default();
        let input = json!({ "text": text, "offset": offset, "query": query });
        self.run("places", &input, || try_place(&text, offset, field, &around, &tables));
    }
}

#[test]
fn random_input_is_read_or_refused() {
    let seconds = std::env::var("PINHOLE_FUZZ_SECONDS").ok().and_then(|s| s.parse::<u64>().ok());
    let golden = golden();
    let texts = text(expressions(&golden));
    let jsons = json(texts.clone());
    let runner = match seconds {
        Some(_) => TestRunner::new(Config { failure_persistence: None, ..Config::default() }),
        None => TestRunner::deterministic(),
    };
    let mut fuzz = Fuzz { runner, tables: tables(), golden, tried: BTreeMap::new() };
    match seconds {
        Some(seconds) => {
            let end = Instant::now() + Duration::from_secs(seconds);
            while Instant::now() < end {
                fuzz.round(&texts, &jsons);
            }
        }
        None => (0..300).for_each(|_| fuzz.round(&texts, &jsons)),
    }
    println!("inputs tried: {:?}", fuzz.tried);
}

/// What is too much is refused for that, and quickly, by what is counted.
#[test]
fn bounds_hold() {
    let tables = tables();
    let first = |query: Value| {
        let problems = check_json(&query, &tables).expect_err("too much");
        assert!(problems.len() <= MOST_REPORTED, "{} problems", problems.len());
        problems.first().map(|d| d.code.name()).unwrap_or_default()
    };
    let on = |field: &str, value: Value| {
        let mut query = Map::new();
        query.insert("table".into(), json!("bars"));
        query.insert(field.into(), value);
        Value::Object(query)
    };
    let columns = |n: usize| -> Value {
        Value::Object((0..n).map(|i| (format!("c{i}"), json!("close"))).collect())
    };
    let keys = |n: usize| -> Value { (0..n).map(|i| json!(format!("close + {i}"))).collect() };
    let nested = |n: usize| format!("{}close{} > 1", "(".repeat(n), ")".repeat(n));
    assert!(check_json(&on("map", columns(100)), &tables).is_ok());
    assert_eq!(first(on("map", columns(101))), "too_many");
    assert_eq!(first(on("map", columns(20_000))), "too_many");
    assert!(check_json(&on("group_by", keys(16)), &tables).is_ok());
    assert_eq!(first(on("group_by", keys(17))), "too_many");
    assert!(check_json(&on("where", json!(nested(63))), &tables).is_ok());
    assert_eq!(first(on("where", json!(nested(65)))), "too_deep");
    assert_eq!(first(on("where", json!(nested(100_000)))), "too_long");
    let text = |n: usize| format!("symbol == \"{}\"", "ж".repeat(n - 12));
    assert!(check_json(&on("where", json!(text(10_000))), &tables).is_ok());
    assert_eq!(first(on("where", json!(text(10_001)))), "too_long");
    assert_eq!(first(on("sort", json!(vec!["close"; 5_000]))), "too_many");
    let steps = |n: usize| json!(vec![json!({ "where": "close > 1" }); n]);
    assert!(check_json(&on("steps", steps(8)), &tables).is_ok());
    assert_eq!(first(on("steps", steps(9))), "too_many");
    let nest = |inner: Value, _| json!([{ "where": "close > 1", "steps": inner }]);
    assert_eq!(first(on("steps", (0..100).fold(json!([]), nest))), "misplaced_field");

    // problems by the thousand are cut, whatever they are
    let unknown: Vec<String> = (0..250).map(|i| format!("u{i}a + u{i}b + u{i}c > 1")).collect();
    let unknown = unknown.join(" and ");
    assert_eq!(first(on("where", json!(unknown))), "unknown_column");
    let wrong: Map<String, Value> = (0..100).map(|i| (format!("c{i}"), json!(unknown))).collect();
    assert_eq!(first(on("map", Value::Object(wrong))), "unknown_column");
    let fields: Map<String, Value> = (0..5_000).map(|i| (format!("f{i}"), json!(1))).collect();
    assert_eq!(first(Value::Object(fields)), "unknown_field");
    let numbers: Value = (0..5_000).map(|i| json!(i)).collect();
    assert_eq!(first(on("columns", numbers)), "wrong_field_type");
}
