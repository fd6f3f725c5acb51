//! Lists on their way through the engine: in, shown, handed on, kept, appended to and out again.

use crate::engine::ingest::{Loader, Options as Reading};
use crate::engine::keeping::Reopening;
use crate::engine::tables::LoadedTable;
use crate::engine::{Engine, Execution, Options, read_block};
use crate::error::{Code, Error, Result};
use crate::facts::Outcome;
use crate::query::check_json;
use crate::schema::{Kind, Member};
use crate::value::Value;
use proptest::prelude::*;
use serde_json::{Value as Json, json};
use std::sync::Arc;

fn engine() -> Engine {
    Engine::new(Options::default()).expect("an engine")
}

fn load(rows: &Json, options: Reading) -> Result<LoadedTable> {
    let mut loader = Loader::new("t", options)?;
    loader.push(rows.to_string().as_bytes())?;
    Ok(loader.finish()?.table)
}

fn with(rows: &Json) -> Engine {
    let mut engine = engine();
    engine.insert(load(rows, Reading::default()).expect("a table")).expect("taken in");
    engine
}

fn run(engine: &mut Engine, query: &Json) -> Arc<Outcome> {
    let checked = check_json(query, &engine.tables()).expect("a query");
    engine.start(&Arc::new(checked)).and_then(Execution::finish).expect("a result")
}

/// The rows of a result as objects.
fn objects(outcome: &Outcome) -> Json {
    let row = |row: usize| {
        let cells = outcome.columns.iter().enumerate().map(|(place, column)| {
            (column.column.name.clone(), outcome.value(row, place).to_json())
        });
        Json::Object(cells.collect())
    };
    (0..outcome.rows.len()).map(row).collect()
}

/// Rows whose lists are longer than one another, in an order that is not that of their times.
fn posts(rows: usize) -> Json {
    let row = |i: usize| {
        let day = 1 + (i * 7) % 28;
        let tags: Vec<String> = (0..i % 4).map(|n| format!("tag {}", (i + n) % 5)).collect();
        let tags = if i % 6 == 5 { Json::Null } else { json!(tags) };
        json!({"at": format!("2024-01-{day:02}"), "n": i, "tags": tags, "xs": [i, 0.5, null]})
    };
    (0..rows).map(row).collect()
}

fn kept(engine: &Engine) -> LoadedTable {
    let mut keeping = engine.keep("t", Json::Null).expect("kept");
    let mut reopening = Reopening::default();
    while let Some(piece) = keeping.next_bytes().expect("bytes") {
        reopening.push(&piece).expect("a piece");
    }
    reopening.finish("t").expect("a table").0
}

#[test]
fn a_table_with_lists_is_kept_and_comes_back() {
    let mut first = with(&posts(50));
    let kinds: Vec<Kind> = first.tables()[0].columns.iter().map(|c| c.kind).collect();
    let [text, float] = [Member::Text, Member::Float].map(Kind::List);
    assert_eq!(kinds, [Kind::Date, Kind::Int, text, float]);
    let mut second = engine();
    second.insert(kept(&first)).expect("taken in");
    assert_eq!(*first.tables()[0], *second.tables()[0]);
    assert_eq!(first.print_all(), second.print_all());
    let all = |engine: &mut Engine| objects(&run(engine, &json!({})));
    assert_eq!(all(&mut first), all(&mut second));
    let shown = run(&mut first, &json!({"where": "n < 12", "sort": "n desc", "limit": 7}));
    let (columns, rows) = read_block(&first.to_ipc(&shown.id).expect("bytes")).expect("a block");
    assert_eq!(columns.iter().map(|c| c.kind).collect::<Vec<_>>(), kinds);
    for row in 0..shown.rows.len() {
        for column in 0..columns.len() {
            assert_eq!(rows.value(row, column), shown.value(row, column));
        }
    }
}

#[test]
fn prints_tell_lists_apart() {
    let print = |lists: Json| {
        let row = |list: &Json| json!({"a": list});
        let rows: Json = lists.as_array().expect("lists").iter().map(row).collect();
        with(&rows).print_all()
    };
    let one = print(json!([["a", "b"], ["c"]]));
    assert_eq!(one, print(json!([["a", "b"], ["c"]])));
    for other in [
        json!([["a"], ["b", "c"]]),
        json!([["a,b"], ["c"]]),
        json!([["a", "b"], ["c", null]]),
        json!([["a", "b"], null]),
    ] {
        assert_ne!(one, print(other.clone()), "{other}");
    }
}

#[test]
fn rows_with_lists_are_appended() {
    let append = |rows: Json| {
        let mut engine = with(&posts(20));
        let schema = engine.tables().remove(0);
        let joined = engine.joined(load(&rows, Reading::default().like(&schema))?)?;
        engine.insert(joined)?;
        let new = run(&mut engine, &json!({"where": "n >= 100", "columns": ["tags", "xs"]}));
        Ok::<Json, Error>(objects(&new))
    };
    let row =
        |tags: Json, xs: Json| json!([{"at": "2024-01-09", "n": 100, "tags": tags, "xs": xs}]);
    for (tags, xs, new) in [
        (json!(["x"]), json!([2]), json!([{"tags": ["x"], "xs": [2.0]}])),
        (json!([]), json!([]), json!([{"tags": [], "xs": []}])),
        (json!(null), json!([0.5]), json!([{"tags": null, "xs": [0.5]}])),
    ] {
        assert_eq!(append(row(tags, xs)), Ok(new));
    }
    for (tags, xs) in [(json!([1]), json!([])), (json!([]), json!(["x"])), (json!("x"), json!([]))]
    {
        let Err(Error::Input(problems)) = append(row(tags.clone(), xs)) else { panic!("{tags}") };
        assert_eq!(problems[0].code, Code::BadOption, "{tags}");
    }
    // A column without a value gives none, and no list with a missing member.
    let mut engine = with(&posts(3));
    let blank = json!([{"at": "2024-01-09", "n": 100, "tags": null, "xs": null}]);
    let joined = engine.joined(load(&blank, Reading::default()).expect("a table")).expect("joined");
    engine.insert(joined).expect("inserted");
    let query = json!({"where": "isnull(tags) and n >= 100", "select": "count()"});
    assert_eq!(run(&mut engine, &query).rows.value(0, 0), Value::Int(1));
    // Tables that were read each by itself go together only where their members are alike.
    let mut engine = with(&posts(3));
    let alone = |rows: Json| load(&rows, Reading::default()).expect("a table");
    let other = engine.joined(alone(row(json!([1]), json!([0.5]))));
    let Err(Error::Input(problems)) = other else { panic!("lists of another kind") };
    assert_eq!(problems.iter().map(|p| p.code).collect::<Vec<_>>(), [Code::TypeMismatch]);
    engine.insert(engine.joined(alone(row(json!(["y"]), json!([0.5])))).expect("joined")).unwrap();
}

#[test]
fn wide_tables_fetch_their_lists_by_number() {
    let row = |i: usize| {
        let tags = Some(i % 3).filter(|&n| n > 0).map(|n| vec![format!("t{i}"); n]);
        let own = [("n".to_owned(), json!(i)), ("tags".to_owned(), json!(tags))];
        let rest = (0..150).map(|c| (format!("c{c}"), json!(i * c)));
        Json::Object(own.into_iter().chain(rest).collect())
    };
    let rows: Json = (0..40).map(row).collect();
    let mut engine = with(&rows);
    for query in [json!({}), json!({"sort": "n desc"}), json!({"where": "n % 7 == 1"})] {
        let found = objects(&run(&mut engine, &query));
        assert!(!found.as_array().expect("rows").is_empty());
        for one in found.as_array().expect("rows") {
            let n = one["n"].as_u64().expect("a number") as usize;
            assert_eq!(one["tags"], rows[n]["tags"], "{query}");
        }
    }
}

#[test]
fn each_member_of_a_list_is_a_value_and_is_looked_at() {
    let engine = with(&json!([
        {"mails": ["ann@x.org", null], "codes": [1_234_567, 2], "flags": [true]},
        {"mails": ["bob@x.org"], "codes": null, "flags": []},
    ]));
    let seen = |column: &str| {
        let mut seen = Vec::new();
        engine.each_value("t", column, &mut |value| seen.push(value.to_owned()));
        seen
    };
    let mails = ["ann@x.org", r#"["ann@x.org",null]"#, "bob@x.org", r#"["bob@x.org"]"#];
    assert_eq!(seen("mails"), mails);
    assert_eq!(seen("codes"), ["1234567", "2", "[1234567,2]"]);
    assert_eq!(seen("flags"), ["[true]", "[]"]);
    let sample: Vec<(String, Vec<String>)> = kept(&engine).sample(10);
    assert_eq!(sample[0].1, ["ann@x.org", "bob@x.org"]);
    assert_eq!(sample[1].1, ["1234567\n2"]);
}

#[test]
fn a_series_is_not_named_by_lists() {
    let options = Reading::from_json(&json!({"series": "tags"})).expect("options");
    let Err(Error::Input(problems)) = load(&posts(3), options) else { panic!("no error") };
    assert_eq!((problems[0].code, problems[0].pointer.as_str()), (Code::BadOption, "/series"));
}

#[test]
fn delimited_text_gives_lists_where_they_are_asked_for() {
    let options =
        json!({"types": {"tags": "list of text"}, "csv": {"delimiter": ";", "quote": false}});
    let mut loader = Loader::new("t", Reading::from_json(&options).unwrap()).unwrap();
    loader.push(b"n;tags\n1;[\"a\",\"b\"]\n2;\n3;[]\n").unwrap();
    let mut engine = engine();
    engine.insert(loader.finish().unwrap().table).unwrap();
    let found = objects(&run(&mut engine, &json!({"columns": ["tags"]})));
    assert_eq!(found, json!([{"tags": ["a", "b"]}, {"tags": null}, {"tags": []}]));
}

/// A list of one kind of members, or none, as JSON.
fn lists(member: BoxedStrategy<Json>) -> BoxedStrategy<Vec<Json>> {
    let member = prop_oneof![4 => member, 1 => Just(Json::Null)];
    let list = prop::collection::vec(member, 0..5).prop_map(Json::from);
    prop::collection::vec(prop_oneof![4 => list, 1 => Just(Json::Null)], 1..20).boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn objects_come_out_as_they_went_in(
        lists in prop_oneof![
            lists("\\PC{0,4}".prop_map(Json::from).boxed()),
            lists(any::<i64>().prop_map(Json::from).boxed()),
            lists((-1e9f64..1e9).prop_map(|x| json!(x + 0.25)).boxed()),
            lists(any::<bool>().prop_map(Json::from).boxed()),
        ],
        times in any::<u8>(),
    ) {
        // Often enough for a dictionary.
        let often = 1 + usize::from(times % 4);
        let lists: Vec<Json> = std::iter::repeat_n(lists, often).flatten().collect();
        let row = |(n, list): (usize, &Json)| json!({"n": n, "list": list});
        let rows: Json = lists.iter().enumerate().map(row).collect();
        let mut engine = with(&rows);
        let found = objects(&run(&mut engine, &json!({})));
        let all_null = lists.iter().all(Json::is_null);
        prop_assert!(all_null || engine.tables()[0].columns[1].kind.is_list());
        prop_assert_eq!(&found, &rows);
        let member = lists.iter().filter_map(Json::as_array).flatten().find(|m| !m.is_null());
        if let Some(member) = member {
            let text = member.to_string();
            // the escapes of the language are fewer than those of JSON
            if !text.contains('\\') {
                let asked = json!({"where": format!("contains(list, {text})"), "columns": ["n"]});
                let holding = lists.iter().enumerate().filter(|(_, list)| {
                    list.as_array().is_some_and(|members| members.contains(member))
                });
                let holding: Json = holding.map(|(n, _)| json!({"n": n})).collect();
                prop_assert_eq!(objects(&run(&mut engine, &asked)), holding);
            }
            let counted = json!({"map": {"k": "length(list)"}, "columns": ["k"]});
            let count = |list: &Json| json!({"k": list.as_array().map(Vec::len)});
            let counts: Json = lists.iter().map(count).collect();
            prop_assert_eq!(objects(&run(&mut engine, &counted)), counts);
        }
    }
}

#[test]
fn values_of_another_kind_are_no_members() {
    let value = Value::List([Value::Int(1), Value::text("a"), Value::Null].into());
    let array = super::array_of(Member::Float, [value, Value::Int(1)].into_iter()).unwrap();
    let read = |row| super::cell(&array, row);
    assert_eq!(read(0), Value::List([Value::Float(1.0), Value::Null, Value::Null].into()));
    assert_eq!(read(1), Value::Null);
    assert_eq!(super::bytes(&array.slice(1, 1)), Some(9));
}
