//! The data tools over real tables: what a model hears of each under every policy, and that it can
//! ask nothing about what is withheld.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test"
)]

#[path = "tools/gaps.rs"]
mod gaps;
#[path = "tools/generated.rs"]
mod generated;
#[path = "tools/protected.rs"]
mod protected;
#[path = "tools/scripts.rs"]
mod scripts;
#[path = "tools/source.rs"]
mod source;
#[path = "tools/stats.rs"]
mod stats;
#[path = "tools/talk.rs"]
mod talk;
#[path = "tools/world.rs"]
mod world;

use pinhole::engine::Options;
use pinhole::error::{Code, Locale};
use pinhole::tools::{Cost, Definition, Prepared, definitions, prepare};
use serde_json::{Map, Value as Json, json};
use std::cell::Cell;
use std::fmt::Write;
use world::World;

const TOOLS: [&str; 8] = [
    "describe_tables",
    "query",
    "sql",
    "source_rows",
    "check_stats",
    "suggest_questions",
    "function_reference",
    "run_script",
];

/// Calls in their order: the first three give `r1`, `r2` and `r3`.
fn calls() -> Vec<(&'static str, Json)> {
    let by_shop = json!({"table": "sales", "group_by": "shop", "select": {"total": "sum(amount)"}});
    vec![
        ("query", by_shop),
        ("sql", json!({"text": "SELECT avg(salary) AS mean FROM people"})),
        ("sql", json!({"text": "SELECT shop, amount FROM sales WHERE amount > $1", "params": [9]})),
        ("describe_tables", json!({"table": "bars"})),
        ("source_rows", json!({"result": "r1"})),
        ("source_rows", json!({"result": "r1", "key": {"shop": "Kuper"}})),
        ("source_rows", json!({"result": "r1", "key": {"shop": "Nobody"}})),
        ("source_rows", json!({"result": "r2"})),
        ("source_rows", json!({"result": "r3"})),
        ("source_rows", json!({"result": "r9"})),
        (
            "check_stats",
            json!({"result": "r1", "row": {"shop": "Kuper"}, "stats": {"total": 22, "shop": "Sever"}}),
        ),
        ("check_stats", json!({"result": "r2", "stats": {"mean": 1}})),
        ("check_stats", json!({"result": "r9", "stats": {"mean": 1}})),
        ("suggest_questions", json!({"table": "sales"})),
        ("function_reference", json!({"family": "lag"})),
    ]
}

/// What the script comes to, in place of a sandbox.
fn gave() -> scripts::End {
    let rows = json!([{"shop": "Kuper", "share": 0.25}, {"shop": "Sever", "share": 0.75}]);
    scripts::End::Gave(rows)
}

fn told() -> String {
    let policies = [
        ("preview", json!({"level": "preview"})),
        ("summary", json!({})),
        ("aggregate", json!({"level": "aggregate", "k": 2})),
        ("schema", json!({"level": "schema"})),
        (
            "protected columns",
            json!({"columns": {
                "people.salary": "hidden", "sales.shop": "hidden", "bars.open": "hidden",
            }}),
        ),
        ("clock hidden", json!({"columns": {"bars.timestamp": "hidden", "sales.day": "hidden"}})),
    ];
    let mut out = String::from("What a model hears of calls, by policy.\n");
    for (name, policy) in policies {
        let world = World::new(&policy);
        for (tool, arguments) in calls() {
            let told = world.told(tool, &arguments);
            let _ = writeln!(out, "\n## {name}: {tool} {arguments}\n{told}");
        }
        // Asked under the policy, and before it was tightened to that.
        let arguments = json!({"script": scripts::SCRIPT});
        let asked =
            match world.with(|context| prepare("run_script", &arguments.to_string(), context)) {
                Prepared::Script(call) => {
                    scripts::run_call(&world, call, &[scripts::sales()], &gave()).0
                }
                Prepared::Done(result) => result,
                other => panic!("{other:?}"),
            };
        let before = scripts::run(&world, &[scripts::sales()], &gave()).0;
        for (when, result) in [("", asked), (" that ran as the policy came", before)] {
            let told = world.heard(&result).0;
            let _ = writeln!(out, "\n## {name}: run_script {arguments}{when}\n{told}");
        }
    }
    out
}

#[test]
fn a_model_hears_what_the_policy_allows() {
    let path = "tests/tools/told.txt";
    let found = told();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    for (found, expected) in found.split("\n## ").zip(expected.split("\n## ")) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
    for section in found.split("\n## ").skip(1) {
        let (call, told) = section.split_once('\n').unwrap();
        assert!(!told.contains("zq"), "{section}");
        // At level `aggregate` keys of groups of at least k rows are told.
        let strict = ["schema", "protected"].iter().any(|name| call.starts_with(name))
            || call.starts_with("aggregate") && !call.starts_with("aggregate: query");
        for cell in ["Kuper", "Sever", "22.0", "25.25"] {
            assert!(!strict || !told.contains(cell), "{cell} in {section}");
        }
        if call.starts_with("protected") {
            // Without one of its prices a table is no bars, and what is hidden has no name.
            assert!(!told.contains("shop") && !told.contains("salary"), "{section}");
            assert!(!told.contains("timeframe"), "{section}");
        }
        if call.starts_with("clock") {
            assert!(!told.contains("RTH") && !told.contains("New_York"), "{section}");
        }
    }
}

#[test]
fn definitions_say_what_a_call_takes_and_costs() {
    let world = World::new(&json!({}));
    world.with(|context| {
        let list = definitions(context);
        assert_eq!(list.iter().map(|d| d.name).collect::<Vec<_>>(), TOOLS);
        for tool in &list {
            let low = ["describe_tables", "suggest_questions", "function_reference"];
            let cost = if low.contains(&tool.name) { Cost::Low } else { Cost::High };
            assert_eq!(tool.cost, cost, "{}", tool.name);
            assert_eq!(tool.parameters["type"], "object");
            assert_eq!(tool.parameters["additionalProperties"], false);
            for (name, property) in tool.parameters["properties"].as_object().unwrap() {
                assert!(property["description"].is_string(), "{}: {name}", tool.name);
            }
            assert!(!tool.parameters.to_string().contains("$ref"));
        }
        let russian = definitions(&pinhole::tools::Context { locale: Locale::Ru, ..*context });
        for (en, ru) in list.iter().zip(&russian) {
            assert_eq!(en.name, ru.name);
            assert!(ru.description.chars().any(|c| ('а'..='я').contains(&c)), "{}", ru.name);
            assert_ne!(en.parameters, ru.parameters);
        }
        // Without a host there is no tool that needs one, under its name neither.
        let bare = pinhole::tools::Context { host: None, scripts: false, ..*context };
        assert_eq!(definitions(&bare).len(), 4);
        for tool in ["sql", "source_rows", "check_stats", "run_script"] {
            let Prepared::Done(result) = prepare(tool, "{}", &bare) else { panic!("{tool}") };
            assert_eq!(result.error[0].code, Code::UnknownTool);
        }
    });
}

#[test]
fn everything_wrong_with_arguments_is_said_at_once() {
    let world = World::new(&json!({}));
    world.told("query", &json!({"table": "sales", "select": "count()"}));
    for (tool, arguments, pointers) in [
        ("sql", json!({"txt": 1, "params": 5, "title": []}), "/params /text /title /txt"),
        ("sql", json!({"text": "DROP TABLE sales"}), "/text"),
        ("sql", json!({"text": "SELECT nope FROM sales"}), "/text"),
        ("sql", json!({"text": ""}), "/text"),
        ("source_rows", json!({"key": {"a": []}, "rows": 1}), "/key/a /result /rows"),
        (
            "check_stats",
            json!({"stats": {"a": true}, "intent": "x", "attempts": -1, "row": []}),
            "/attempts /intent /result /row /stats/a",
        ),
        ("check_stats", json!({"result": "r1"}), "/stats"),
        ("suggest_questions", json!({"table": "seles", "x": 1}), "/x"),
        ("suggest_questions", json!({"table": "seles"}), "/table"),
        ("function_reference", json!({"families": "time"}), "/families /family"),
        ("function_reference", json!({"family": "tim"}), "/family"),
        ("run_script", json!({"text": "x", "title": 5}), "/script /text /title"),
        ("run_script", json!({"script": "я".repeat(20_001)}), "/script"),
        ("run_script", json!({"script": "я".repeat(20_001), "title": 5}), "/script /title"),
        // Whether there is such a table has nothing to do with what is a timeframe.
        (
            "query",
            json!({"table": "seles", "from": "fortnightly", "limit": 0, "where": "a >", "x": 1}),
            "/from /limit /table /where /x",
        ),
        (
            "query",
            json!({"table": "seles", "steps": [{"limit": 0, "from": "1h"}, {"where": "a >"}]}),
            "/steps/0/from /steps/0/limit /steps/1/where /table",
        ),
        // As SQL names it.
        ("query", json!({"from": "sales"}), "/table"),
    ] {
        let result = world.call(tool, &arguments);
        assert!(!result.ok, "{tool} {arguments}");
        let mut at: Vec<&str> = result.error.iter().map(|d| d.pointer.as_str()).collect();
        at.sort_unstable();
        assert_eq!(at.join(" "), pointers, "{tool} {arguments} {:?}", result.error);
        let (told, failed) = world.heard(&result);
        assert!(failed && told.starts_with("Error:"), "{told}");
    }
    for tool in TOOLS {
        for arguments in [json!([1]), json!(5), json!("{"), json!({"a": {"b": [null]}})] {
            assert!(!world.call(tool, &arguments).ok, "{tool} {arguments}");
        }
    }
}

/// Texts for arguments that the tools find something for.
fn words(argument: &str) -> &'static [&'static str] {
    match argument {
        "table" => &["sales", "bars"],
        "session" => &["RTH"],
        "period" => &["2024", "2024-01:"],
        "where" => &["amount > 5", "volume > 15"],
        "group_by" | "columns" => &["shop", "timestamp"],
        "select" => &["count()", "mean(close)"],
        "sort" => &["shop", "count desc"],
        "*" => &["amount * 2", "max(close)"],
        "text" => &["SELECT count(*) AS n FROM sales", "SELECT shop FROM sales WHERE amount > 5"],
        "result" => &["r1", "r2"],
        "script" => &[scripts::SCRIPT],
        _ => &[],
    }
}

#[test]
fn what_a_schema_allows_is_accepted_and_what_it_does_not_is_pointed_at() {
    let world = World::new(&json!({}));
    world.told("query", &json!({"table": "sales", "group_by": "shop", "select": "count()"}));
    world.told("query", &json!({"table": "bars", "select": "mean(close)"}));
    let list = world.with(definitions);
    assert_eq!(list.iter().map(|d| d.name).collect::<Vec<_>>(), TOOLS);
    for Definition { name: tool, parameters, .. } in list {
        // Whether a result has groups of that key is nothing that the schema can say.
        let fitting = |arguments: &mut Map<String, Json>| {
            if arguments.contains_key("key") {
                arguments["result"] = json!("r9");
            }
        };
        let ran = Cell::new(0);
        generated::hold(tool, &parameters, words, fitting, |arguments| {
            let prepared = world.with(|context| prepare(tool, &arguments.to_string(), context));
            if let Prepared::Done(result) = prepared {
                ran.set(ran.get() + usize::from(result.ok));
                generated::of_shape(&result.error)
            } else {
                ran.set(ran.get() + 1);
                Vec::new()
            }
        });
        // Some would have run: they are not all refused for their meaning. Of queries hardly any two
        // fields that are put together at random agree; tests/planning.rs makes those that do.
        assert!(ran.get() > 0 || tool == "query", "{tool}");
    }
}

#[test]
fn sql_passes_the_guard_and_the_gate_of_queries() {
    let world = World::new(&json!({"columns": {"people.salary": "aggregate"}}));
    let open = world.call("sql", &json!({"text": "SELECT count(*) AS n FROM sales"}));
    assert_eq!((open.tool.as_str(), open.result_id.as_deref()), ("sql", Some("r1")));
    assert_eq!(world.heard(&open), ("Result: 6 (from 6 of 6 rows)".to_owned(), false));
    // How many rows stand behind a value of SQL is not known.
    for text in [
        "SELECT avg(salary) FROM people",
        "SELECT count(*) FROM people WHERE salary > 1500",
        "SELECT city FROM people ORDER BY salary",
        "SELECT * FROM people",
    ] {
        let result = world.call("sql", &json!({ "text": text }));
        assert!(result.ok && result.rows.is_some(), "{text}");
        let (told, failed) = world.heard(&result);
        assert!(told.contains("withholds it from you") && !failed, "{told}");
    }
    for text in ["COPY sales TO 'x'", "SELECT 1; SELECT 2", "SET a = 1", "DELETE FROM sales"] {
        let result = world.call("sql", &json!({ "text": text }));
        assert!(!result.ok && result.result_id.is_none(), "{text}");
    }
    // At level `aggregate` nothing of SQL leaves.
    let strict = World::new(&json!({"level": "aggregate"}));
    let told = strict.told("sql", &json!({"text": "SELECT count(*) FROM sales"}));
    assert!(told.contains("withholds it from you"), "{told}");
}

/// Calls about a result, with its id taken out of what is heard.
fn about(world: &World, id: &str) -> Vec<(String, bool)> {
    let calls = [
        ("source_rows", json!({"result": id})),
        ("source_rows", json!({"result": id, "key": {"city": "Omsk"}})),
        ("source_rows", json!({"result": id, "key": {"nope": 1}})),
        ("check_stats", json!({"result": id, "stats": {"count": 2, "nope": "x"}})),
        ("check_stats", json!({"result": id, "stats": {"count": 2}, "row": {"city": "Omsk"}})),
        ("check_stats", json!({"result": id, "stats": {"count": 2}, "intent": "pattern"})),
        ("check_stats", json!({"result": id, "stats": {}, "attempts": 5})),
    ];
    let heard = calls.map(|(tool, arguments)| {
        let result = world.call(tool, &arguments);
        let (told, failed) = world.heard(&result);
        (told.replace(id, "ID"), failed)
    });
    heard.to_vec()
}

#[test]
fn failed_withheld_forgotten_and_unknown_results_read_alike() {
    let world = World::new(&json!({"columns": {"people.salary": "aggregate"}}));
    let queries = [
        // Withheld: a protected column decides which rows there are.
        json!({"table": "people", "where": "salary > 1500", "select": "count()"}),
        json!({"table": "people", "where": "salary > 1500", "group_by": "city"}),
        json!({"table": "people", "where": "salary > 1500"}),
        // The same, but it fails as it runs: some salary is too large.
        json!({"table": "people", "where": "salary * 2000 > 1500", "select": "count()"}),
        json!({"table": "people", "where": "salary * 2000 > 1500", "group_by": "city"}),
        json!({"table": "people", "where": "salary * 2000 > 1500"}),
    ];
    let mut failures = 0;
    for (i, query) in queries.iter().enumerate() {
        let result = world.call("query", query);
        failures += usize::from(!result.ok);
        assert_eq!(result.result_id, Some(format!("r{}", i + 1)));
        assert!(!world.heard(&result).1, "{query}");
    }
    assert_eq!(failures, 3);
    // The page's own results are none that a model was given.
    let query = pinhole::query::check_json(
        &json!({"table": "sales", "select": "count()"}),
        &world.engine.borrow().tables(),
    );
    let own = world.engine.borrow_mut().start(&query.unwrap().into()).unwrap().finish().unwrap();
    assert_eq!(own.id, "r7");

    let unknown = about(&world, "r99");
    assert!(unknown.iter().all(|(told, failed)| told.starts_with("Not available: ID") && !failed));
    for id in ["r1", "r2", "r3", "r4", "r5", "r6", "r7", "zq<b>\n"] {
        let heard = about(&world, id);
        if id.starts_with('r') {
            assert_eq!(heard, unknown, "{id}");
        }
    }
    // The person sees what there is to see.
    let rows = world.call("source_rows", &json!({"result": "r1"}));
    assert_eq!((rows.ok, rows.rows), (true, Some(4)));
    assert_eq!(rows.output.unwrap()["result_id"], "r1");
    for id in ["r4", "r7", "r99"] {
        for (tool, arguments) in [
            ("source_rows", json!({"result": id})),
            ("check_stats", json!({"result": id, "stats": {"count": 1}})),
        ] {
            let result = world.call(tool, &arguments);
            assert_eq!(result.error[0].code, Code::UnknownResult, "{tool} {id}");
        }
    }
    let checked = world.call("check_stats", &json!({"result": "r1", "stats": {"count": 3}}));
    assert_eq!(checked.output.unwrap()["wrong"][0]["actual"], "4");
}

#[test]
fn what_is_forgotten_depends_on_nothing_withheld() {
    let story = |many: bool| {
        let policy = json!({"columns": {"people.salary": "aggregate"}});
        let world = World::of(&policy, Options { memory_limit: 8 << 20 });
        world.load("sales", world::SALES, &json!({}));
        let rows: Vec<String> = (0..2000).map(|i| format!("{i},{}", i % 7)).collect();
        let rows = rows.join("\n");
        world.load("people", &format!("id,salary\n{rows}"), &json!({}));
        world.told("query", &json!({"table": "sales", "select": "count()"}));
        let least = if many { 0 } else { 99 };
        let mut heard = Vec::new();
        let mut kept = true;
        for n in 0..70 {
            let query = json!({
                "table": "people", "where": format!("salary >= {least}"),
                "map": {"a": "id * 2", "b": "id * 3", "c": "id * 5", "d": "id * 7"},
            });
            let result = world.call("query", &query);
            assert!(result.ok, "{:?}", result.error);
            kept &= world.engine.borrow().stats().results.iter().any(|(id, _)| id == "r1");
            if n % 6 == 0 || n > 60 {
                heard.push(world.told("source_rows", &json!({"result": "r1"})));
                let stats = json!({"result": "r1", "stats": {"count": 6}});
                heard.push(world.told("check_stats", &stats));
            }
        }
        (heard, kept)
    };
    let ((many, many_kept), (few, few_kept)) = (story(true), story(false));
    // The engine lets go of the one sooner, and the model hears the same.
    assert_eq!((many_kept, few_kept), (false, true));
    assert_eq!(many, few);
    assert_eq!(many[0], "Rows behind r1: 6; the user can open them");
    assert_eq!(many[1], "Checked against r1: 1 right, 0 wrong");
    // And after so many results it is forgotten in both.
    assert!(many.last().unwrap().starts_with("Not available"), "{many:?}");
}

#[test]
fn source_rows_counts_whole_results_and_whole_groups() {
    let world = World::new(&json!({}));
    let select = json!({"n": "count()", "total": "sum(amount)"});
    for query in [
        json!({"table": "sales", "group_by": ["shop", "weekday"], "select": select}),
        json!({"table": "sales", "where": "amount > 5", "select": "mean(amount)"}),
        json!({"table": "sales", "where": "amount > 5"}),
        json!({"table": "sales", "group_by": "day", "select": "count()", "limit": 1}),
    ] {
        assert!(world.call("query", &query).ok, "{query}");
    }
    let sql = json!({"text": "SELECT shop, count(*) AS n FROM sales GROUP BY shop"});
    assert!(world.call("sql", &sql).ok);
    for (arguments, told) in [
        (json!({"result": "r1"}), "Rows behind r1: 6; the user can open them"),
        (
            json!({"result": "r1", "key": {"shop": "Kuper", "weekday": "Mon"}}),
            "Rows behind this group of r1: 2; the user can open them",
        ),
        (json!({"result": "r2"}), "Rows behind r2: 4; the user can open them"),
        (json!({"result": "r3"}), "Rows behind r3: 4; the user can open them"),
        (
            json!({"result": "r4", "key": {"day": "2024-01-01"}}),
            "Rows behind this group of r4: 2; the user can open them",
        ),
        (
            json!({"result": "r1", "key": {"shop": "Kuper"}}),
            "Error:\n- /key: `key` has to name every group key: `weekday` is missing",
        ),
        (
            json!({"result": "r1", "key": {}}),
            "Error:\n- /key: `key` has to name every group key: `shop` is missing\n\
             - /key: `key` has to name every group key: `weekday` is missing",
        ),
        (
            json!({"result": "r1", "key": {"shop": "Kuper", "weekday": "Mon", "x": 1}}),
            "Error:\n- /key/x: `x` is no group key of `r1`; valid: shop, weekday",
        ),
        (
            json!({"result": "r1", "key": {"shop": "Kuper", "weekday": "Sun"}}),
            "Error:\n- /key: `r1` has no such group",
        ),
        (
            json!({"result": "r3", "key": {"shop": "Kuper"}}),
            "Error:\n- /key: `r3` has no groups: leave `key` out",
        ),
        (
            json!({"result": "r2", "key": {"shop": "Kuper"}}),
            "Error:\n- /key: `r2` has no groups: leave `key` out",
        ),
        (
            json!({"result": "r5"}),
            "Error:\n- the rows behind an aggregate of SQL are not kept; select them",
        ),
    ] {
        assert_eq!(world.told("source_rows", &arguments), told, "{arguments}");
    }
    let group = world
        .call("source_rows", &json!({"result": "r1", "key": {"shop": "Kuper", "weekday": "Mon"}}));
    let output = group.output.unwrap();
    assert_eq!(
        *output,
        json!({"result_id": "r1", "key": {"shop": "Kuper", "weekday": "Mon"}, "rows": 2})
    );
    // What was told may be withheld by now.
    let group = world.call("source_rows", &json!({"result": "r2"}));
    let mut later = world;
    later.policy = later.policy.hide("sales", "amount");
    assert!(later.heard(&group).0.starts_with("Not available: r2"));
    assert!(later.told("source_rows", &json!({"result": "r2"})).starts_with("Not available"));
    assert!(later.told("source_rows", &json!({"result": "r1"})).starts_with("Not available"));
}

#[test]
fn suggested_questions_name_no_hidden_column() {
    let mut world =
        World::new(&json!({"columns": {"sales.shop": "hidden", "sales.day": "hidden"}}));
    let result = world.call("suggest_questions", &json!({"table": "sales"}));
    let (told, _) = world.heard(&result);
    for hidden in ["shop", "day", "2024", "Kuper"] {
        let asked = told.replace("weekday", "");
        assert!(!asked.contains(hidden), "{hidden} in {told}");
    }
    assert!(told.contains("amount by weekday"), "{told}");
    // The person may ask of every column.
    assert!(result.output.unwrap().to_string().contains("shop"));
    world.locale = Locale::Ru;
    let mut nothing = World::of(&json!({}), Options::default());
    nothing.locale = Locale::Ru;
    for tool in ["suggest_questions", "describe_tables"] {
        let told = nothing.told(tool, &json!({}));
        assert!(told.ends_with("не загружено ни одной таблицы"), "{told}");
    }
    let told = world.told("suggest_questions", &json!({"table": "sales"}));
    assert!(told.contains("по «weekday»") && !told.contains("people"), "{told}");
    // Up to six of each.
    let all = world.call("suggest_questions", &json!({})).output.unwrap();
    let all = all.as_array().unwrap();
    assert_eq!(all.len(), 3);
    for table in all {
        let asked = table["questions"].as_array().unwrap().len();
        assert!((1..=6).contains(&asked), "{table}");
    }
}

#[test]
fn the_functions_of_every_family_are_told() {
    use pinhole::query::functions::{self, Family};
    let world = World::new(&json!({"level": "schema"}));
    let list = world.with(definitions);
    let of = |tool: &str| list.iter().find(|d| d.name == tool).unwrap().parameters.clone();
    let families = of("function_reference")["properties"]["family"]["enum"].clone();
    assert_eq!(families, of("describe_tables")["properties"]["functions"]["enum"]);
    let families = families.as_array().unwrap();
    // All of them, and each by itself.
    assert_eq!(families.len(), Family::ALL.len() + 1);
    let line = |f: &functions::Function| format!("  {}: ", f.signature());
    let mut told = 0;
    for family in families {
        let alone = world.told("function_reference", &json!({ "family": family }));
        let beside = world.told("describe_tables", &json!({ "functions": family }));
        assert!(beside.ends_with(&alone), "{family}: {beside}");
        let count = functions::all().filter(|f| alone.contains(&line(f))).count();
        assert!(count > 0, "{family}: {alone}");
        if family == "all" {
            assert_eq!(count, functions::all().count());
        } else {
            told += count;
        }
    }
    assert_eq!(told, functions::all().count());
}
