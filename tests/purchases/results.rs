//! The schemas of answers: derived from types, written down in the docs, held to the examples of the
//! specification and to what the tools answer. `tests/npm/results.test.mjs` does the same with a
//! validator of another make.

use super::specified::specified;
use super::world::World;
use pinhole::tools::purchases::output_schema;
use serde_json::{Map, Value as Json, json};

/// The tools whose answers have a shape of their own.
pub const TOOLS: [&str; 7] = [
    "get_receipts",
    "get_receipt_items",
    "get_products",
    "get_items",
    "get_labels",
    "get_purchase_statistics",
    "generate_shopping_list",
];

pub fn schema(tool: &str) -> Json {
    output_schema(tool).unwrap_or_else(|| panic!("a schema of {tool}"))
}

/// Everything in `value` that `schema` does not allow. A keyword that is not known here is a failure.
pub fn misfits(schema: &Json, value: &Json, at: &str) -> Vec<String> {
    let mut out = Vec::new();
    for (keyword, rule) in schema.as_object().expect("a schema is an object") {
        match keyword.as_str() {
            "$schema" | "description" => {}
            "type" => {
                let kinds = rule.as_array().cloned().unwrap_or_else(|| vec![rule.clone()]);
                if !kinds.iter().any(|kind| is_of(value, kind.as_str().expect("a type"))) {
                    out.push(format!("{at}: {value} is no {rule}"));
                }
            }
            "anyOf" => {
                let choices: Vec<_> = rule.as_array().expect("choices").iter().collect();
                let tried: Vec<_> = choices.iter().map(|c| misfits(c, value, at)).collect();
                if !tried.iter().any(Vec::is_empty) {
                    out.push(format!("{at}: none of {tried:?}"));
                }
            }
            "enum" => {
                if !rule.as_array().expect("values").contains(value) {
                    out.push(format!("{at}: {value} is not in {rule}"));
                }
            }
            "minimum" => {
                if value.as_f64().is_some_and(|x| x < rule.as_f64().expect("a number")) {
                    out.push(format!("{at}: {value} is under {rule}"));
                }
            }
            "format" => {
                assert_eq!(rule, "date");
                let is_date = |text: &str| text.parse::<chrono::NaiveDate>().is_ok();
                if value.as_str().is_some_and(|text| !is_date(text)) {
                    out.push(format!("{at}: {value} is no date"));
                }
            }
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    out.extend(misfits(rule, item, &format!("{at}/{i}")));
                }
            }
            "properties" => {
                for (name, rule) in rule.as_object().expect("members") {
                    if let Some(member) = value.get(name) {
                        out.extend(misfits(rule, member, &format!("{at}/{name}")));
                    }
                }
            }
            "required" => {
                let names = rule.as_array().expect("names").iter().filter_map(Json::as_str);
                let missing = names.filter(|name| value.is_object() && value.get(name).is_none());
                out.extend(missing.map(|name| format!("{at}/{name} is missing")));
            }
            "additionalProperties" => {
                assert_eq!(rule, &json!(false));
                let known = schema["properties"].as_object().expect("members");
                let names = value.as_object().into_iter().flat_map(Map::keys);
                let unknown = names.filter(|name| !known.contains_key(*name));
                out.extend(unknown.map(|name| format!("{at}/{name} is not known")));
            }
            other => panic!("{at}: the keyword `{other}`"),
        }
    }
    out
}

fn is_of(value: &Json, kind: &str) -> bool {
    match kind {
        "string" => value.is_string(),
        "integer" => value.as_f64().is_some_and(|x| x.fract() == 0.0),
        "number" => value.is_number(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        other => panic!("the type `{other}`"),
    }
}

/// What an answer has that its tool's schema does not allow.
pub fn wrong(tool: &str, answer: &Json) -> Vec<String> {
    misfits(&schema(tool), answer, "")
}

#[test]
fn the_schemas_of_answers_are_in_the_docs() {
    let path = "docs/purchases.schema.json";
    let all: Map<String, Json> = TOOLS.iter().map(|t| ((*t).to_owned(), schema(t))).collect();
    let mut text = serde_json::to_string_pretty(&all).expect("JSON");
    text.push('\n');
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(written, text, "run UPDATE_DOCS=1 cargo test --test purchases");
    assert_eq!(output_schema("query"), None);
}

/// The same with one thing wrong each: a member left out that has to be there, one that nobody
/// knows, a value of another type.
fn spoilt(value: &Json) -> Vec<Json> {
    let mut out = vec![if value.is_object() { json!([]) } else { json!({"x": 1}) }];
    match value {
        Json::Object(map) => {
            let mut more = map.clone();
            more.insert("nobody".to_owned(), json!(1));
            out.push(more.into());
            for (name, member) in map {
                for member in spoilt(member) {
                    let mut other = map.clone();
                    other.insert(name.clone(), member);
                    out.push(other.into());
                }
            }
        }
        Json::Array(list) => {
            for (i, item) in list.iter().enumerate() {
                for item in spoilt(item) {
                    let mut other = list.clone();
                    other[i] = item;
                    out.push(other.into());
                }
            }
        }
        _ => {}
    }
    out
}

#[test]
fn the_examples_specified_fit_the_schemas() {
    let mut examples = 0;
    for tool in specified() {
        let name = tool["name"].as_str().expect("a name");
        for example in tool["answers"].as_array().expect("answers") {
            examples += 1;
            assert_eq!(wrong(name, example), Vec::<String>::new(), "{name}");
            for other in spoilt(example) {
                assert_ne!(wrong(name, &other), Vec::<String>::new(), "{name} {other}");
            }
            // A list alone is no answer of any tool.
            let (first, _) = example.as_object().and_then(|map| map.iter().next()).expect("a list");
            let mut short = example.clone();
            short.as_object_mut().expect("an object").shift_remove(first);
            assert_ne!(wrong(name, &short), Vec::<String>::new(), "{name} without {first}");
        }
    }
    assert_eq!(examples, 8);
}

#[test]
fn every_kind_of_answer_fits_its_schema() {
    let mut world = World::new();
    let calls = [
        ("get_receipts", json!({"include_summary": false, "limit": 1})),
        ("get_receipts", json!({"shop": "нет такого"})),
        ("get_receipt_items", json!({"limit": 1})),
        ("get_receipt_items", json!({"limit": 1, "group_by_item": true})),
        ("get_receipt_items", json!({"item_name": "нет такого", "group_by_item": true})),
        ("get_products", json!({"include_items_count": false, "include_children": true})),
        ("get_items", json!({"include_purchase_stats": true, "limit": 2})),
        ("get_labels", json!({"include_items": false})),
        ("get_labels", json!({"items_limit": 1})),
        ("get_purchase_statistics", json!({"include_prediction": true, "min_purchase_count": 1})),
        ("get_purchase_statistics", json!({"group_by": "product", "include_prediction": true})),
        ("get_purchase_statistics", json!({"group_by": "shop", "limit": 1})),
        ("get_purchase_statistics", json!({"group_by": "day_of_week"})),
        ("get_purchase_statistics", json!({"group_by": "week"})),
        ("get_purchase_statistics", json!({"group_by": "month"})),
        ("get_purchase_statistics", json!({"group_by": "month", "product_name": "молоко"})),
        ("get_purchase_statistics", json!({"product_name": "нет такого"})),
        ("generate_shopping_list", json!({"min_confidence": "low", "budget_limit": 100})),
        ("generate_shopping_list", json!({"include_labels": ["Для завтрака"]})),
    ];
    for (tool, arguments) in calls {
        let result = world.call(tool, &arguments.to_string());
        let output = result.output.unwrap_or_else(|| panic!("{tool} {:?}", result.error));
        assert_eq!(wrong(tool, &output), Vec::<String>::new(), "{tool} {arguments}");
    }
    // Of a receipt without lines, and a line without a receipt.
    world.load("receipts", "id,shop,receipt_date,total\n1,,2024-12-01,\n");
    world.load("receipt_items", "receipt_id,item_id,quantity,price,amount\n9,gone,1,,1\n");
    for tool in TOOLS {
        let result = world.call(tool, "{}");
        let output = result.output.unwrap_or_else(|| panic!("{tool} {:?}", result.error));
        assert_eq!(wrong(tool, &output), Vec::<String>::new(), "{tool}");
    }
}

#[test]
fn the_package_keeps_calls_of_the_same_tools() {
    let text = include_str!("../../pkg-template/src/purchases.ts");
    let (_, list) = text.split_once("PURCHASE_TOOLS").expect("the list");
    let (list, _) = list.split_once("]);").expect("its end");
    let names: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
    assert_eq!(names, TOOLS);
}

#[test]
fn averages_are_rounded_in_the_rows_of_results_too() {
    let mut world = World::new();
    for (tool, arguments) in [
        ("get_receipts", json!({})),
        ("get_items", json!({"include_purchase_stats": true})),
        ("get_purchase_statistics", json!({})),
        ("get_purchase_statistics", json!({"group_by": "product"})),
        ("get_purchase_statistics", json!({"group_by": "shop"})),
        ("get_purchase_statistics", json!({"group_by": "month", "product_name": "молоко"})),
    ] {
        let result = world.call(tool, &arguments.to_string());
        let mut seen = 0;
        for outcome in result.outcomes() {
            for (place, column) in outcome.columns.iter().enumerate() {
                let name = column.column.name.as_str();
                if !["avg", "average", "percent"].iter().any(|start| name.starts_with(start)) {
                    continue;
                }
                let values = (0..outcome.rows.len()).map(|row| outcome.value(row, place));
                for x in values.filter_map(|value| value.as_f64()) {
                    let written = x.to_string();
                    let decimals = written.split_once('.').map_or(0, |(_, after)| after.len());
                    assert!(decimals <= 2, "{tool} {arguments} {name}: {written}");
                    seen += 1;
                }
            }
        }
        assert!(seen > 0, "{tool} {arguments}");
    }
}

#[test]
fn months_and_weeks_are_drawn_as_a_line_of_the_money() {
    let mut world = World::new();
    for (group_by, wanted) in
        [("month", Some("total_amount")), ("week", Some("total_amount")), ("shop", None)]
    {
        let arguments = json!({"group_by": group_by}).to_string();
        let result = world.call("get_purchase_statistics", &arguments);
        let list = result.outcomes().into_iter().find(|o| o.column("purchase_count").is_some());
        let chart = pinhole::planner::chart(&list.expect("the groups").query);
        let drawn = chart.map(|chart| (chart.x, chart.y));
        let wanted = wanted.map(|y| (group_by.to_owned(), vec![y.to_owned()]));
        assert_eq!(drawn, wanted, "{group_by}");
    }
}
