//! Arguments: the schemas say what is accepted, and what is not accepted is pointed at.

use super::generated;
use super::results;
use super::world::World;
use pinhole::tools::{Prepared, ToolResult, definitions, prepare};
use serde_json::{Map, Value as Json, json};

fn schemas(world: &World) -> Vec<(&'static str, Json)> {
    let list = definitions(&world.context(None));
    list.into_iter()
        .filter(|d| ["get_", "generate_"].iter().any(|start| d.name.starts_with(start)))
        .map(|d| (d.name, d.parameters))
        .collect()
}

/// Pointers of everything that is wrong with a call; nothing where it would run.
fn pointers(world: &World, tool: &str, arguments: &Json) -> Vec<String> {
    match prepare(tool, &arguments.to_string(), &world.context(None)) {
        Prepared::Purchases(_) => Vec::new(),
        Prepared::Done(result) => result.error.iter().map(|e| e.pointer.clone()).collect(),
        Prepared::Query(_) | Prepared::Source(_) | Prepared::Script(_) => {
            panic!("{tool} is for purchases")
        }
    }
}

#[test]
fn schemas_are_those_of_the_tools() {
    let defaults = json!({
        "get_receipts": {
            "date_from": null, "date_to": null, "shop": null, "limit": 10,
            "order_by": "date_desc", "include_summary": true,
        },
        "get_receipt_items": {
            "receipt_id": null, "date_from": null, "date_to": null, "item_name": null,
            "product_name": null, "exact_product_name": false, "shop": null, "limit": 50, "group_by_item": false,
            "order_groups_by": "purchases",
        },
        "get_products": {
            "parent_id": null, "search": null, "include_children": false,
            "include_items_count": true,
        },
        "get_items": {
            "product_id": null, "product_name": null, "exact_product_name": false, "search": null, "shop": null, "limit": 50,
            "include_purchase_stats": false,
        },
        "get_labels": {"label_name": null, "include_items": true, "items_limit": 10},
        "get_purchase_statistics": {
            "period_days": 90, "date_from": null, "date_to": null, "group_by": "item", "product_name": null, "exact_product_name": false, "min_purchase_count": 2,
            "limit": 20, "include_prediction": false, "order_groups_by": "purchases",
        },
        "generate_shopping_list": {
            "days_ahead": 7, "include_labels": null, "exclude_labels": null,
            "min_confidence": "medium", "budget_limit": null,
        },
    });
    let world = World::new();
    let schemas = schemas(&world);
    assert_eq!(schemas.len(), 7);
    for (tool, schema) in &schemas {
        assert_eq!(schema["type"], "object");
        assert_eq!(schema["additionalProperties"], false);
        let properties = schema["properties"].as_object().unwrap();
        let found: Map<String, Json> = properties
            .iter()
            .map(|(name, p)| (name.clone(), p.get("default").cloned().unwrap_or_default()))
            .collect();
        assert_eq!(Json::Object(found), defaults[tool], "{tool}");
        for (name, property) in properties {
            assert!(property["description"].is_string(), "{tool} {name} {property}");
            assert!(property["type"].is_string() || property["type"].is_array(), "{property}");
        }
    }
    let of = |tool: &str, name: &str| {
        let (_, schema) = schemas.iter().find(|(found, _)| *found == tool).unwrap();
        schema["properties"][name].clone()
    };
    assert_eq!(of("get_receipts", "date_from")["format"], "date");
    assert_eq!(of("get_receipts", "limit")["minimum"], 1);
    assert_eq!(of("get_receipt_items", "receipt_id")["type"], json!(["string", "integer"]));
    assert_eq!(of("get_products", "parent_id")["type"], json!(["string", "integer", "null"]));
    assert_eq!(
        of("get_receipts", "order_by")["enum"],
        json!(["date_desc", "date_asc", "total_desc", "total_asc"])
    );
    assert_eq!(
        of("get_purchase_statistics", "group_by")["enum"],
        json!(["item", "product", "shop", "day_of_week", "week", "month"])
    );
    assert_eq!(
        of("generate_shopping_list", "min_confidence")["enum"],
        json!(["low", "medium", "high"])
    );
    assert_eq!(of("generate_shopping_list", "include_labels")["items"]["type"], "string");
}

#[test]
fn everything_wrong_is_told_at_once() {
    let world = World::new();
    for (tool, arguments, wanted) in [
        (
            "get_receipts",
            json!({"date_from": "2024-13-01", "limit": 0, "order_by": "dates", "shp": "x", "shop": " "}),
            vec!["/limit", "/order_by", "/shp", "/shop", "/date_from"],
        ),
        (
            "get_receipts",
            json!({"date_from": "2024-13-01", "date_to": "1.2.2024", "shop": " \u{feff}\u{a0}"}),
            vec!["/shop", "/date_from", "/date_to"],
        ),
        (
            "get_receipts",
            json!({"date_from": "2024-02-02", "date_to": "2024-02-01"}),
            vec!["/date_to"],
        ),
        ("get_receipts", json!({"date_from": "2024-2-2"}), vec!["/date_from"]),
        ("get_receipts", json!({"date_from": "+2024-2-2"}), vec!["/date_from"]),
        ("get_receipts", json!({"date_from": "2024- 2- 2"}), vec!["/date_from"]),
        ("get_receipts", json!({"limit": 1.5}), vec!["/limit"]),
        ("get_receipts", json!({"limit": "10"}), vec!["/limit"]),
        ("get_receipt_items", json!({"receipt_id": true}), vec!["/receipt_id"]),
        (
            "get_receipt_items",
            json!({"item_name": "", "product_name": ""}),
            vec!["/item_name", "/product_name"],
        ),
        ("get_purchase_statistics", json!({"period_days": 0}), vec!["/period_days"]),
        ("get_purchase_statistics", json!({"period_days": 40_000}), vec!["/period_days"]),
        ("generate_shopping_list", json!({"days_ahead": -1}), vec!["/days_ahead"]),
        ("generate_shopping_list", json!({"budget_limit": -0.5}), vec!["/budget_limit"]),
        ("generate_shopping_list", json!({"include_labels": "x"}), vec!["/include_labels"]),
        (
            "generate_shopping_list",
            json!({"include_labels": ["x", 1, ""]}),
            vec!["/include_labels/1", "/include_labels/2"],
        ),
        ("generate_shopping_list", json!({"exclude_labels": ["x", ""]}), vec!["/exclude_labels/1"]),
        ("get_products", json!({"parent_id": [1]}), vec!["/parent_id"]),
        // What is null is left out, where the tool has it at all.
        (
            "get_labels",
            json!({"label_name": null, "include_items": 1, "items_limit": 0, "limit": null}),
            vec!["/include_items", "/items_limit", "/limit"],
        ),
    ] {
        assert_eq!(pointers(&world, tool, &arguments), wanted, "{tool} {arguments}");
    }
}

#[test]
fn what_nobody_buys_is_not_predicted() {
    let mut world = World::new();
    for group_by in ["shop", "day_of_week", "week", "month"] {
        let plain =
            world.call("get_purchase_statistics", &json!({"group_by": group_by}).to_string());
        let asked = json!({"group_by": group_by, "include_prediction": true}).to_string();
        let found = world.call("get_purchase_statistics", &asked);
        assert!(found.ok, "{:?}", found.error);
        let codes = |result: &ToolResult| -> Vec<&str> {
            result.warnings.iter().map(|warning| warning.code).collect()
        };
        assert_eq!(codes(&found), [codes(&plain), vec!["not_predicted"]].concat());
        // The same but for that: a model is told no column of nothing.
        let mut output = found.output.clone().expect("an answer");
        assert_eq!(results::wrong("get_purchase_statistics", &output), Vec::<String>::new());
        for group in output["statistics"].as_array_mut().expect("groups") {
            let prediction = group.as_object_mut().expect("a group").shift_remove("prediction");
            assert_eq!(prediction, Some(Json::Null));
        }
        assert_eq!(Some(output), plain.output);
        let columns = |result: &ToolResult| result.outcome().map(|o| o.columns.len());
        assert_eq!(columns(&found), columns(&plain));
    }
}

#[test]
fn what_a_schema_allows_is_accepted_and_what_it_does_not_is_pointed_at() {
    let world = World::new();
    for (tool, schema) in schemas(&world) {
        generated::hold(
            tool,
            &schema,
            |_| &[],
            |_| {},
            |arguments| match prepare(tool, &arguments.to_string(), &world.context(None)) {
                Prepared::Done(result) => generated::of_shape(&result.error),
                _ => Vec::new(),
            },
        );
    }
}
