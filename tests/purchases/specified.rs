//! The tools as they were specified, held beside the tools as they are: descriptions of tools,
//! arguments, and the shapes of the answers. docs/purchases.md lists where they differ on purpose, under
//! "Where they differ from their specification".

use super::world::World;
use pinhole::error::Locale;
use pinhole::tools::{Context, definitions};
use serde_json::{Value as Json, json};

pub fn specified() -> Vec<Json> {
    serde_json::from_str(include_str!("specified.json")).expect("JSON")
}

/// What a schema may say beside what was specified.
const ADDED: [&str; 4] = ["description", "minimum", "maximum", "pattern"];

/// Arguments that were not specified.
const MORE: [(&str, &str); 7] = [
    ("get_items", "exact_product_name"),
    ("get_receipt_items", "exact_product_name"),
    ("get_receipt_items", "order_groups_by"),
    ("get_purchase_statistics", "exact_product_name"),
    ("get_purchase_statistics", "order_groups_by"),
    ("get_purchase_statistics", "date_from"),
    ("get_purchase_statistics", "date_to"),
];

/// Values of an argument that were not specified; they come last.
const MORE_VALUES: [(&str, &str); 1] = [("get_purchase_statistics group_by", "month")];

/// Holds a schema to the one specified: what that says it says, and what else it says is named.
fn hold(found: &Json, wanted: &Json, at: &str) {
    for (word, value) in wanted.as_object().expect("a schema") {
        match (word.as_str(), &found["type"]) {
            // Ids are whole numbers or texts, and none must be a UUID.
            ("format", _) if value == "uuid" => assert_eq!(found["format"], Json::Null, "{at}"),
            ("type", Json::Array(types)) => {
                assert_eq!(wanted["format"], "uuid", "{at}");
                assert!(types.contains(value), "{at}");
            }
            ("description", _) => {
                let (text, begins) = (&found["description"], value.as_str().expect("a text"));
                let text = text.as_str().expect("a description");
                assert!(text.starts_with(begins), "{at}: {text}");
            }
            ("enum", _) => {
                let mut found = found["enum"].as_array().expect("values").clone();
                found.retain(|value| !MORE_VALUES.contains(&(at, value.as_str().unwrap_or(""))));
                assert_eq!(Json::Array(found), *value, "{at} {word}");
            }
            ("items", _) => hold(&found["items"], value, &format!("{at}/items")),
            _ => assert_eq!(&found[word], value, "{at} {word}"),
        }
    }
    for word in found.as_object().expect("a schema").keys() {
        assert!(wanted.get(word).is_some() || ADDED.contains(&word.as_str()), "{at}: {word}");
    }
}

#[test]
fn descriptions_and_arguments_are_those_specified() {
    let world = World::new();
    let context = Context { locale: Locale::Ru, ..world.context(None) };
    let tools = definitions(&context);
    for wanted in specified() {
        let name = wanted["name"].as_str().expect("a name");
        let tool = tools.iter().find(|t| t.name == name).expect(name);
        assert_eq!(tool.description, wanted["description"], "{name}");
        let wanted = wanted["parameters"]["properties"].as_object().expect("arguments");
        let found = tool.parameters["properties"].as_object().expect("arguments");
        let names = found.keys().filter(|argument| !MORE.contains(&(name, argument.as_str())));
        assert_eq!(names.collect::<Vec<_>>(), wanted.keys().collect::<Vec<_>>(), "{name}");
        for (argument, wanted) in wanted {
            hold(&found[argument], wanted, &format!("{name} {argument}"));
            let text = found[argument]["description"].as_str().expect("a description");
            assert!(text.contains(|c| ('а'..='я').contains(&c)), "{name} {argument}: {text}");
        }
        let words = tool.parameters.as_object().expect("a schema").keys();
        assert_eq!(words.collect::<Vec<_>>(), ["type", "additionalProperties", "properties"]);
    }
}

/// What of `wanted` is not in `found` with the same type.
fn missing(found: &Json, wanted: &Json, at: &str, out: &mut Vec<String>) {
    match (found, wanted) {
        (Json::Object(found), Json::Object(wanted)) => {
            for (name, wanted) in wanted {
                match found.get(name) {
                    Some(found) => missing(found, wanted, &format!("{at}/{name}"), out),
                    None => out.push(format!("{at}/{name} is missing")),
                }
            }
        }
        // An entry has what the example's has.
        (Json::Array(found), Json::Array(wanted)) => {
            let Some(wanted) = wanted.first() else { return };
            let of = |entry: &Json| {
                let mut problems = Vec::new();
                missing(entry, wanted, &format!("{at}/0"), &mut problems);
                problems
            };
            match found.iter().map(of).min_by_key(Vec::len) {
                Some(problems) => out.extend(problems),
                None => out.push(format!("{at} is empty")),
            }
        }
        (Json::Number(_), Json::String(_)) if at.ends_with("/id") => {}
        (Json::Number(_), Json::Number(_))
        | (Json::String(_), Json::String(_))
        | (Json::Bool(_), Json::Bool(_)) => {}
        _ => out.push(format!("{at} is {found}, not like {wanted}")),
    }
}

#[test]
fn answers_have_the_shapes_specified() {
    // A call for each example.
    let calls = [
        ("get_receipts", 0, json!({})),
        ("get_receipt_items", 0, json!({"item_name": "parmalat"})),
        ("get_receipt_items", 1, json!({"item_name": "parmalat", "group_by_item": true})),
        ("get_products", 0, json!({"search": "молочные", "include_children": true})),
        ("get_items", 0, json!({"search": "parmalat", "include_purchase_stats": true})),
        ("get_labels", 0, json!({"label_name": "завтрак"})),
        (
            "get_purchase_statistics",
            0,
            json!({"product_name": "молоко", "include_prediction": true}),
        ),
        ("generate_shopping_list", 0, json!({"include_labels": ["Для завтрака"]})),
    ];
    let specified = specified();
    let examples: usize =
        specified.iter().filter_map(|tool| tool["answers"].as_array()).map(Vec::len).sum();
    assert_eq!(calls.len(), examples);
    let mut world = World::new();
    for (name, example, arguments) in calls {
        let tool = specified.iter().find(|tool| tool["name"] == name).expect(name);
        let found = world.call(name, &arguments.to_string()).output.expect(name);
        let mut problems = Vec::new();
        missing(&found, &tool["answers"][example], "", &mut problems);
        assert!(problems.is_empty(), "{name} {arguments}: {problems:#?}\n{found}");
        // Nothing is there under a name that was not specified but what the specification adds.
        let added = ["truncated", "skipped"];
        let known = tool["answers"][example].as_object().expect("an object");
        let extra = found.as_object().expect("an object").keys();
        let extra: Vec<_> =
            extra.filter(|k| !known.contains_key(*k) && !added.contains(&k.as_str())).collect();
        assert!(extra.is_empty(), "{name}: {extra:?}");
    }
}
