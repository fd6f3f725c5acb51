//! Calls made of the JSON Schema of a tool's arguments: what it allows is accepted, and what it does
//! not is pointed at, wherever it stands and however much of it there is.

use pinhole::error::{Code, Diagnostic};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::strategy::Union;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::{Map, Value as Json, json};
use std::cell::RefCell;
use std::collections::BTreeSet;

/// Texts for an argument of a name: some that the tool finds something for.
pub type Words = fn(&str) -> &'static [&'static str];

/// The pointers of what is wrong with the shape of arguments. What else can be wrong with a call (no
/// such table, a statement that cannot be read) has codes of its own.
pub fn of_shape(problems: &[Diagnostic]) -> Vec<String> {
    let shape = |problem: &&Diagnostic| {
        matches!(
            problem.code,
            Code::MalformedArguments
                | Code::UnknownField
                | Code::WrongFieldType
                | Code::NotAnObject
                | Code::BadLimit
                | Code::UnknownTimeframe
                | Code::TooLong
        )
    };
    problems.iter().filter(shape).map(|problem| problem.pointer.clone()).collect()
}

/// Holds a tool to its schema; `call` gives the pointers of what is wrong with the shape of arguments,
/// and `fitting` takes away what the schema cannot say: arguments that exclude each other.
pub fn hold(
    tool: &str,
    schema: &Json,
    words: Words,
    fitting: impl Fn(&mut Map<String, Json>),
    call: impl Fn(&Json) -> Vec<String>,
) {
    let (accepted, refused) = (RefCell::new(BTreeSet::new()), RefCell::new(BTreeSet::new()));
    for (all, cases) in [(true, 2), (false, 6)] {
        // The same at every run: chance is to decide no test.
        let config = Config { cases, failure_persistence: None, ..Config::default() };
        let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
        let mut runner = TestRunner::new_with_rng(config, rng);
        let run = runner.run(&object(schema, words, all), |mut arguments| {
            if let Some(members) = arguments.as_object_mut() {
                fitting(members);
            }
            prop_assert_eq!(call(&arguments), Vec::<String>::new(), "{} {}", tool, arguments);
            accepted.borrow_mut().extend(pointers(&arguments).iter().map(|at| pattern(at)));
            for spoilt in spoilt(schema, &arguments) {
                let wanted = wrong(schema, &spoilt);
                let found = call(&spoilt);
                prop_assert!(
                    agree(&wanted, &found),
                    "{tool} {spoilt}: {found:?} in place of {wanted:?}"
                );
                refused.borrow_mut().extend(wanted.iter().map(|at| pattern(at)));
            }
            Ok(())
        });
        run.unwrap_or_else(|failure| panic!("{failure}"));
    }
    // Each argument, and each member of one, was both.
    let (accepted, refused) = (accepted.into_inner(), refused.into_inner());
    for at in named(schema, "") {
        assert!(accepted.contains(&at), "{tool} {at} was never accepted: {accepted:?}");
        assert!(refused.contains(&at), "{tool} {at} was never refused: {refused:?}");
    }
}

/// Every place that is wrong is pointed at, or what it is in or what is in it; and no other is.
fn agree(wanted: &[String], found: &[String]) -> bool {
    let within = |a: &str, b: &str| a == b || a.strip_prefix(b).is_some_and(|r| r.starts_with('/'));
    let meets = |a: &String, b: &String| within(a, b) || within(b, a);
    wanted.iter().all(|at| found.iter().any(|found| !found.is_empty() && meets(at, found)))
        && found.iter().all(|found| wanted.iter().any(|at| meets(at, found)))
}

/// A value that a schema allows; with `all`, with every member that it names.
fn allowed(schema: &Json, name: &str, words: Words, all: bool) -> BoxedStrategy<Json> {
    if let Some(choices) = schema["enum"].as_array() {
        return proptest::sample::select(choices.clone()).boxed();
    }
    if let Some(forms) = schema["anyOf"].as_array() {
        return Union::new(forms.iter().map(|form| allowed(form, name, words, all))).boxed();
    }
    let kinds = kinds(schema).unwrap_or_else(|| vec!["string", "integer", "boolean", "number"]);
    Union::new(kinds.into_iter().map(|kind| of_kind(schema, kind, name, words, all))).boxed()
}

fn of_kind(schema: &Json, kind: &str, name: &str, words: Words, all: bool) -> BoxedStrategy<Json> {
    let least = schema["minimum"].as_i64().unwrap_or(-1000);
    let most = schema["maximum"].as_i64().unwrap_or(100_000);
    match kind {
        "null" => Just(Json::Null).boxed(),
        "boolean" => any::<bool>().prop_map(Json::from).boxed(),
        "integer" => (least..=most).prop_map(Json::from).boxed(),
        "number" => (least as f64..=most as f64).prop_map(Json::from).boxed(),
        "array" => {
            let items = schema.get("items").cloned().unwrap_or_else(|| json!({}));
            vec(allowed(&items, name, words, all), 1..3).prop_map(Json::from).boxed()
        }
        "object" => object(schema, words, all),
        // One day for all, so that they are in order whatever they are.
        _ if schema["format"] == "date" => Just(json!("2024-05-05")).boxed(),
        _ => {
            let any = "[а-яёa-z0-9'%]{1,8}".prop_map(Json::from);
            match words(name) {
                [] => any.boxed(),
                known => prop_oneof![
                    2 => proptest::sample::select(known).prop_map(Json::from),
                    1 => any,
                ]
                .boxed(),
            }
        }
    }
}

fn object(schema: &Json, words: Words, all: bool) -> BoxedStrategy<Json> {
    let required = |name: &str| {
        schema["required"].as_array().is_some_and(|names| names.iter().any(|n| n == name))
    };
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    let members: Vec<BoxedStrategy<Option<Json>>> = properties
        .iter()
        .map(|(name, property)| {
            let value = allowed(property, name, words, all);
            if all || required(name) {
                value.prop_map(Some).boxed()
            } else {
                proptest::option::of(value).boxed()
            }
        })
        .collect();
    let names: Vec<String> = properties.keys().cloned().collect();
    let known = members.prop_map(move |values| {
        let members = names.iter().cloned().zip(values);
        members.filter_map(|(name, value)| Some((name, value?))).collect::<Map<_, _>>()
    });
    // Of a map that may hold anything, too.
    let others = match schema.get("additionalProperties") {
        Some(Json::Bool(false)) => return known.prop_map(Json::Object).boxed(),
        Some(rule @ Json::Object(_)) => allowed(rule, "*", words, all),
        _ => allowed(&json!({}), "*", words, all),
    };
    (known, btree_map("[a-z]{3,5}", others, 1..3))
        .prop_map(|(mut members, others)| {
            members.extend(others);
            Json::Object(members)
        })
        .boxed()
}

/// The types that a schema names.
fn kinds(schema: &Json) -> Option<Vec<&str>> {
    match &schema["type"] {
        Json::String(kind) => Some(vec![kind]),
        Json::Array(kinds) => Some(kinds.iter().filter_map(Json::as_str).collect()),
        _ => None,
    }
}

/// Where a schema does not allow a value.
fn wrong(schema: &Json, value: &Json) -> Vec<String> {
    let mut out = Vec::new();
    look(schema, value, "", &mut out);
    out
}

fn look(schema: &Json, value: &Json, at: &str, out: &mut Vec<String>) {
    if let Some(forms) = schema["anyOf"].as_array() {
        if !forms.iter().any(|form| wrong(form, value).is_empty()) {
            out.push(at.to_owned());
        }
        return;
    }
    let is = |kind: &str| match kind {
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => value.is_null(),
    };
    let number = |word: &str| Some((value.as_f64()?, schema[word].as_f64()?));
    let size = value.as_str().map(|text| text.chars().count() as u64);
    if kinds(schema).is_some_and(|kinds| !kinds.into_iter().any(is))
        || schema["enum"].as_array().is_some_and(|choices| !choices.contains(value))
        || number("minimum").is_some_and(|(value, least)| value < least)
        || number("maximum").is_some_and(|(value, most)| value > most)
        || schema["pattern"] == r"\S" && value.as_str().is_some_and(|text| text.trim().is_empty())
        || size.zip(schema["maxLength"].as_u64()).is_some_and(|(size, most)| size > most)
    {
        out.push(at.to_owned());
        return;
    }
    if let (Some(items), Some(list)) = (schema.get("items"), value.as_array()) {
        for (place, item) in list.iter().enumerate() {
            look(items, item, &format!("{at}/{place}"), out);
        }
    }
    let Some(members) = value.as_object() else { return };
    let required = schema["required"].as_array().into_iter().flatten().filter_map(Json::as_str);
    for name in required.filter(|name| members.get(*name).is_none_or(Json::is_null)) {
        out.push(format!("{at}/{name}"));
    }
    for (name, member) in members {
        let at = format!("{at}/{name}");
        match (schema["properties"].get(name), schema.get("additionalProperties")) {
            // As good as left out.
            (Some(_), _) if member.is_null() => {}
            (Some(property), _) => look(property, member, &at, out),
            (None, Some(Json::Bool(false))) => out.push(at),
            (None, Some(rule)) => look(rule, member, &at, out),
            (None, None) => {}
        }
    }
}

/// The same arguments with something else in one place, for every place; without one member; with one
/// more; and with something wrong in every argument at once.
fn spoilt(schema: &Json, arguments: &Json) -> Vec<Json> {
    let mut others = vec![
        Json::Null,
        json!(true),
        json!(-1),
        json!(0),
        json!(1_000_000_000_000_i64),
        json!(1.5),
        json!("zq zq"),
        json!(" \t"),
        json!([[1]]),
        json!({"zq": [1]}),
    ];
    if schema.to_string().contains("maxLength") {
        others.push(json!("я".repeat(20_001)));
    }
    let mut out = Vec::new();
    for at in pointers(arguments) {
        out.extend(others.iter().map(|other| with(arguments, &at, other)));
        let (holder, name) = at.rsplit_once('/').expect("a pointer");
        let mut less = arguments.clone();
        if let Some(Json::Object(members)) = less.pointer_mut(holder) {
            members.shift_remove(name);
            out.push(less);
        }
    }
    for at in pointers(arguments).iter().map(String::as_str).chain([""]) {
        for value in [json!("x"), Json::Null] {
            let mut more = arguments.clone();
            if let Some(Json::Object(members)) = more.pointer_mut(at) {
                let name = at.rsplit('/').next().unwrap_or_default();
                members.insert(format!("{name}zq"), value);
                out.push(more);
            }
        }
    }
    let mut all = arguments.clone();
    for name in arguments.as_object().into_iter().flat_map(Map::keys) {
        let at = format!("/{name}");
        let is_wrong = |spoilt: &Json| wrong(schema, spoilt).iter().any(|found| found == &at);
        let alone = others.iter().rev().find(|other| is_wrong(&with(arguments, &at, other)));
        all = with(&all, &at, alone.expect("a value that is wrong"));
    }
    all["zq"] = json!(1);
    out.push(all);
    out
}

fn with(arguments: &Json, at: &str, other: &Json) -> Json {
    let mut out = arguments.clone();
    *out.pointer_mut(at).expect("a place") = other.clone();
    out
}

/// Every place in a value but the whole.
fn pointers(value: &Json) -> Vec<String> {
    let inner: Vec<(String, &Json)> = match value {
        Json::Object(members) => members.iter().map(|(name, v)| (name.clone(), v)).collect(),
        Json::Array(list) => list.iter().enumerate().map(|(i, v)| (i.to_string(), v)).collect(),
        _ => Vec::new(),
    };
    let mut out = Vec::new();
    for (name, inner) in inner {
        out.push(format!("/{name}"));
        out.extend(pointers(inner).into_iter().map(|at| format!("/{name}{at}")));
    }
    out
}

/// A pointer with `*` for the places in lists.
fn pattern(at: &str) -> String {
    let part = |part: &str| {
        let place = !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
        if place { "*".to_owned() } else { part.to_owned() }
    };
    at.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// Every member that a schema names, as a pattern.
fn named(schema: &Json, at: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let at = format!("{at}/{name}");
        out.extend(named(property, &at));
        out.push(at);
    }
    if let Some(items) = schema.get("items") {
        out.extend(named(items, &format!("{at}/*")));
    }
    out
}
