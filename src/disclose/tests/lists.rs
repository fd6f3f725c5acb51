//! Lists: members of protected ones are protected cells, and no summary tells a member of any.

use super::*;
use crate::engine::ingest::{Loader, Options as Reading};
use crate::engine::{Engine, Execution, Options as EngineOptions};

/// People with lists of secrets.
fn engine() -> Engine {
    let row = |i: usize| {
        json!({
            "city": if i.is_multiple_of(2) { "Omsk" } else { "Perm" },
            "tags": [format!("zqtag {i}"), "zqshared"],
            "codes": if i == 3 { Json::Null } else { json!([770_000 + i, 8]) },
        })
    };
    let rows: Json = (0..12).map(row).collect();
    let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
    let mut loader = Loader::new("people", Reading::default()).expect("a loader");
    loader.push(rows.to_string().as_bytes()).expect("rows");
    engine.insert(loader.finish().expect("a table").table).expect("taken in");
    engine
}

fn run(engine: &mut Engine, query: &Json) -> Arc<Outcome> {
    let checked = crate::query::check_json(query, &engine.tables()).expect("a query");
    engine.start(&Arc::new(checked)).and_then(Execution::finish).expect("a result")
}

const QUERIES: [&str; 8] = [
    "{}",
    r#"{"columns": ["tags", "codes"], "limit": 1}"#,
    r#"{"map": {"x": "tags", "y": "codes"}}"#,
    r#"{"map": {"x": "tags"}, "sort": "city", "columns": ["x"]}"#,
    r#"{"where": "contains(tags, \"zqtag 3\")"}"#,
    r#"{"where": "isnull(codes)", "map": {"n": "length(tags)"}}"#,
    r#"{"select": ["count(tags)", "count(codes)"]}"#,
    r#"{"group_by": "city", "select": "count(codes)", "steps": [{"sort": "city"}]}"#,
];

#[test]
fn no_summary_tells_a_member() {
    let mut engine = engine();
    for query in QUERIES {
        let asked: Json = serde_json::from_str(query).expect("JSON");
        let outcome = run(&mut engine, &asked);
        for level in ["schema", "aggregate", "summary", "preview"] {
            for columns in [json!({}), json!({"people.tags": "aggregate"})] {
                let policy = policy(json!({"level": level, "k": 1, "columns": columns}));
                for locale in [Locale::En, Locale::Ru] {
                    let text = told(&Gate::new(&policy), &outcome, locale).as_str().to_owned();
                    let members =
                        text.replace(query, "").replace("contains(tags, \"zqtag 3\")", "");
                    for secret in ["zqtag", "zqshared", "7700"] {
                        assert!(!members.contains(secret), "{level} {query}: {text}");
                    }
                }
            }
        }
    }
}

#[test]
fn previews_count_lists() {
    let outcome = run(&mut engine(), &json!({}));
    let policy = policy(json!({"level": "preview"}));
    let text = told(&Gate::new(&policy), &outcome, Locale::En).as_str().to_owned();
    assert!(text.contains("tags: 12 lists") && text.contains("codes: 11 lists"), "{text}");
    let text = told(&Gate::new(&policy), &outcome, Locale::Ru).as_str().to_owned();
    assert!(text.contains("tags: 12 списков") && text.contains("codes: 11 списков"), "{text}");
}

#[test]
fn members_of_protected_lists_are_masked() {
    let engine = engine();
    let mut cells = Cells::new();
    for column in ["tags", "codes"] {
        engine.each_value("people", column, &mut |cell| cells.insert(cell));
    }
    for (typed, sent) in [
        ("who has zqtag 3?", "who has [hidden]?"),
        ("ZQTAG-3 and zqshared", "[hidden] and [hidden]"),
        ("the code 770004, please", "the code [hidden], please"),
        ("is 770003 one?", "is 770003 one?"),
        (r#"["zqtag 3","zqshared"]"#, r#"["[hidden]"]"#),
    ] {
        assert_eq!(cells.mask(typed), sent);
    }
}

#[test]
fn the_schema_names_the_kind_and_a_hidden_list_not_at_all() {
    let engine = engine();
    let tables = engine.tables();
    let open = Gate::new(&Policy::default()).schema(&tables, Locale::En).as_str().to_owned();
    assert!(open.contains("`tags`: list of text") && open.contains("`codes`: list of integer"));
    assert!(!open.contains("zq"), "{open}");
    let policy = Policy::default().hide("people", "tags");
    let closed = Gate::new(&policy).schema(&tables, Locale::En).as_str().to_owned();
    assert!(!closed.contains("tags"), "{closed}");
    // What is said of a mistake names no hidden list, nor that it is one.
    for asked in
        ["tags == \"zqtag 3\"", "contains(tags, 1)", "contains(tags, tags)", "length(tags) == tags"]
    {
        let problems = crate::query::check_json(&json!({"where": asked}), &tables)
            .expect_err("a list has no equal, and its members are texts");
        let said = Gate::new(&policy).diagnostics(&problems, &tables, Locale::En);
        let said = said.as_str().replace("the lists", "");
        assert!(!said.contains("tags ") && !said.contains("list"), "{asked}: {said}");
        assert!(!said.contains("member") && !said.contains("text"), "{asked}: {said}");
    }
}
