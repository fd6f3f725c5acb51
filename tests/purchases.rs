//! The tools for purchases: what each answers for the person, held to values that DuckDB computed,
//! and what a model hears of it under each policy.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::disallowed_methods,
    reason = "a test"
)]

#[path = "purchases/again.rs"]
mod again;
#[path = "purchases/arguments.rs"]
mod arguments;
#[path = "purchases/backtest.rs"]
mod backtest;
#[path = "purchases/beside.rs"]
mod beside;
#[path = "purchases/disk.rs"]
mod disk;
#[path = "purchases/fit.rs"]
mod fit;
#[path = "purchases/formats.rs"]
mod formats;
#[path = "tools/generated.rs"]
mod generated;
#[path = "purchases/named.rs"]
mod named;
#[path = "purchases/planned.rs"]
mod planned;
#[path = "purchases/rehearsal.rs"]
mod rehearsal;
#[path = "purchases/results.rs"]
mod results;
#[path = "purchases/specified.rs"]
mod specified;
#[path = "purchases/talk.rs"]
mod talk;
#[path = "purchases/withheld.rs"]
mod withheld;
#[path = "purchases/world.rs"]
mod world;

use pinhole::disclose::{Guard, Policy};
use pinhole::engine::Options;
use pinhole::error::{Code, Locale};
use serde_json::{Value as Json, json};
use std::fmt::Write;
use world::World;

/// Sections of a file under their headings.
fn sections(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("\n## ").skip(1).map(|section| section.split_once('\n').unwrap_or((section, "")))
}

/// The same but for how doubles are added.
fn same(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Number(a), Json::Number(b)) => {
            let (a, b) = (a.as_f64().unwrap(), b.as_f64().unwrap());
            (a - b).abs() <= 1e-9 * a.abs().max(1.0)
        }
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(name, a)| b.get(name).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

/// Holds every answer to DuckDB's.
fn hold_to_duckdb(world: &mut World) {
    let mut wrong = String::new();
    let mut right = 0;
    for (heading, expected) in sections(include_str!("purchases/cases.txt")) {
        let (call, today) = match heading.rsplit_once("} on ") {
            Some((call, today)) => (format!("{call}}}"), Some(today)),
            None => (heading.to_owned(), None),
        };
        let (tool, arguments) = call.split_once(' ').unwrap();
        world.settings.reference_date = today.map(|day| day.parse().expect("a date"));
        let result = world.call(tool, arguments);
        assert!(result.ok, "{heading}: {:?}", result.error);
        let mut found = result.output.clone().unwrap_or_default();
        assert_eq!(results::wrong(tool, &found), Vec::<String>::new(), "{heading}");
        // Sentences are checked by themselves.
        let entries = found.get_mut("shopping_list").and_then(Json::as_array_mut);
        for entry in entries.into_iter().flatten() {
            let reason = entry.as_object_mut().unwrap().shift_remove("reason");
            assert!(reason.is_some_and(|r| !r.as_str().unwrap_or_default().is_empty()), "{call}");
        }
        let expected: Json = serde_json::from_str(expected).expect("a case is JSON");
        if result.ok && same(&found, &expected) {
            right += 1;
        } else {
            let _ = writeln!(wrong, "{heading}\n  {found}\n  {expected}\n  {:?}", result.error);
        }
    }
    assert!(wrong.is_empty(), "{right} right, and not\n{wrong}");
    assert!(right > 190, "{right} cases");
}

/// Bytes that an engine holds beside its tables and results.
fn kept(world: &World) -> usize {
    let stats = world.engine.stats();
    let sizes = stats.tables.iter().chain(&stats.results);
    stats.reserved - sizes.map(|(_, bytes)| bytes).sum::<usize>()
}

#[test]
fn answers_are_those_of_duckdb() {
    let mut world = World::new();
    hold_to_duckdb(&mut world);
    // Again, over what was kept of the first time.
    let held = kept(&world);
    hold_to_duckdb(&mut world);
    assert_eq!(kept(&world), held);
}

#[test]
fn answers_are_the_same_where_nothing_has_room_to_be_kept() {
    let mut world = World::within(Options { memory_limit: 8 << 20 });
    // Lines of no receipt: they count nowhere, and take room.
    let lines = include_str!("purchases/receipt_items.csv").trim_end();
    let lost = (0..40_000).fold(String::new(), |lost, _| lost + "\n999999,m1,1,1,1");
    world.load("receipt_items", &format!("{lines}{lost}\n"));
    hold_to_duckdb(&mut world);
    assert!(kept(&world) < 1_000_000, "{} bytes", kept(&world));
}

#[test]
fn answers_follow_the_tables() {
    let mut world = World::new();
    let answers = |world: &mut World| {
        let calls = [
            ("get_receipts", "{\"limit\": 2}"),
            ("get_receipt_items", "{\"limit\": 2}"),
            ("get_purchase_statistics", "{}"),
            ("generate_shopping_list", "{\"min_confidence\": \"low\"}"),
        ];
        calls.map(|(tool, arguments)| world.call(tool, arguments).output.expect("an answer"))
    };
    let before = answers(&mut world);
    let lines = include_str!("purchases/receipt_items.csv");
    let (head, rows) = lines.split_once('\n').unwrap();
    let fewer: Vec<&str> = rows.lines().step_by(3).collect();
    world.load("receipt_items", &format!("{head}\n{}\n", fewer.join("\n")));
    let after = answers(&mut world);
    let mut fresh = World::new();
    fresh.load("receipt_items", &format!("{head}\n{}\n", fewer.join("\n")));
    assert_eq!(after, answers(&mut fresh));
    for (before, after) in before.iter().zip(&after) {
        assert_ne!(before, after);
    }
    world.load("receipt_items", lines);
    assert_eq!(answers(&mut world), before);
}

/// What a model hears of one call of each tool under policies of every level and some classes.
fn told() -> String {
    let policies = [
        ("preview", Policy::from_json(&json!({"level": "preview"}))),
        ("summary", Ok(Policy::default())),
        ("aggregate", Policy::from_json(&json!({"level": "aggregate"}))),
        ("schema", Policy::from_json(&json!({"level": "schema"}))),
        ("names of items hidden", Ok(Policy::default().hide("items", "name"))),
        ("names of categories hidden", Ok(Policy::default().hide("products", "name"))),
        ("amounts hidden", Ok(Policy::default().hide("receipt_items", "amount"))),
        ("labels hidden", Ok(Policy::default().hide("labels", "name"))),
    ];
    let calls = [
        ("get_receipts", "{\"limit\": 3}"),
        ("get_receipt_items", "{\"product_name\": \"молоко\", \"limit\": 3}"),
        ("get_receipt_items", "{\"item_name\": \"сыр\", \"group_by_item\": true}"),
        ("get_products", "{}"),
        ("get_items", "{\"search\": \"молоко\"}"),
        ("get_labels", "{}"),
        ("get_purchase_statistics", "{\"limit\": 4, \"include_prediction\": true}"),
        ("get_purchase_statistics", "{\"group_by\": \"shop\"}"),
        ("generate_shopping_list", "{}"),
        ("generate_shopping_list", "{\"include_labels\": [\"Для зятрака\"]}"),
        ("get_receipts", "{\"shop\": \"нет такого\"}"),
    ];
    let mut out = String::from("What a model hears of calls, by policy.\n");
    let mut world = World::new();
    let results = calls.map(|(tool, arguments)| world.call(tool, arguments));
    for (name, policy) in policies {
        world.policy = policy.expect("a policy");
        for ((tool, arguments), result) in calls.iter().zip(&results) {
            let guard = Guard::new();
            let content = result.content(&world.context(Some(&guard)));
            let _ = writeln!(out, "\n## {name}: {tool} {arguments}\n{}", content.as_str());
        }
    }
    out
}

#[test]
fn a_model_hears_what_the_policy_allows() {
    let path = "tests/purchases/told.txt";
    let found = told();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(path).unwrap_or_default();
    for ((heading, found), (_, expected)) in sections(&found).zip(sections(&expected)) {
        assert_eq!(found, expected, "{heading}");
    }
    assert_eq!(found.len(), expected.len());
    // Nothing of what a policy keeps back is told.
    for (heading, told) in sections(&found) {
        let hidden: &[&str] = if heading.starts_with("names of items") {
            &["Молоко", "Сыр", "сыр п", "Parmalat"]
        } else if heading.starts_with("labels") {
            &["Для завтрака", "ёлку", "Пустая"]
        } else if ["aggregate", "schema"].iter().any(|level| heading.starts_with(level)) {
            &["Молоко", "Kuper", "Для завтрака", "2024-12", "179"]
        } else {
            &[]
        };
        // The words of the call itself are the model's own.
        for word in hidden {
            assert!(!told.contains(word), "{word} in {heading}\n{told}");
        }
    }
}

#[test]
fn tools_are_offered_where_their_tables_are() {
    let mut world = World::new();
    assert_eq!(world.offered().len(), 11);
    world.engine.drop_table("labels");
    assert_eq!(world.offered().len(), 10);
    world.engine.drop_table("receipts");
    let always = ["describe_tables", "query", "suggest_questions", "function_reference"];
    assert_eq!(world.offered(), always);
    let result = world.call("get_receipts", "{}");
    assert_eq!(result.error[0].code, Code::UnknownTable);
    let said = result.error[0].render(Locale::En);
    assert!(said.contains("`receipts`") && said.contains("receipt_date"), "{said}");
    // Without a word on purchases there are no such tools at all.
    let tables = world.engine.tables();
    let bare = pinhole::tools::Context::new(&tables, &world.policy, Locale::En);
    assert_eq!(pinhole::tools::definitions(&bare).len(), always.len());
}

#[test]
fn tables_and_columns_may_have_other_names() {
    let mut world = World::new();
    let expected = world.call("get_receipts", "{\"shop\": \"пят\"}").output;
    let csv = include_str!("purchases/receipts.csv");
    let renamed = csv.replacen("id,shop,receipt_date,total", "№ чека,Store of it,Дата,Total", 1);
    world.engine.drop_table("receipts");
    world.load("чеки", &renamed);
    let settings = json!({"tables": {"receipts": {"table": "чеки", "columns": {
        "id": "№ чека", "shop": "Store of it", "receipt_date": "Дата", "total": "Total",
    }}}});
    world.settings = serde_json::from_value(settings).expect("settings");
    assert!(world.settings.problems().is_empty());
    let result = world.call("get_receipts", "{\"shop\": \"пят\"}");
    assert_eq!(result.output, expected, "{:?}", result.error);
    assert!(world.call("generate_shopping_list", "{}").ok);

    // Names that the statements give to what they compute are names of columns, too.
    let mut world = World::new();
    let calls = [
        ("get_receipts", "{\"shop\": \"пят\"}"),
        ("get_receipt_items", "{\"shop\": \"пят\", \"item_name\": \"сыр\"}"),
        ("get_receipt_items", "{\"shop\": \"пят\"}"),
        ("get_items", "{\"include_purchase_stats\": true}"),
        ("get_purchase_statistics", "{\"group_by\": \"shop\"}"),
        ("get_purchase_statistics", "{\"group_by\": \"shop\", \"product_name\": \"сыр\"}"),
        ("get_purchase_statistics", "{\"group_by\": \"week\"}"),
        ("get_purchase_statistics", "{\"include_prediction\": true}"),
        ("generate_shopping_list", "{}"),
    ];
    let expected = calls.map(|(tool, arguments)| world.call(tool, arguments).output);
    let renamed = csv.replacen("id,shop,receipt_date,total", "receipt,amount,day,quantity", 1);
    world.load("receipts", &renamed);
    let settings = json!({"tables": {"receipts": {"columns": {
        "id": "receipt", "shop": "amount", "receipt_date": "day", "total": "quantity",
    }}}});
    world.settings = serde_json::from_value(settings).expect("settings");
    for ((tool, arguments), expected) in calls.iter().zip(expected) {
        let result = world.call(tool, arguments);
        assert_eq!(result.output, expected, "{tool} {arguments}: {:?}", result.error);
    }

    let wrong = json!({"tables": {"receits": {}, "items": {"columns": {"nme": "x"}}}});
    world.settings = serde_json::from_value(wrong).expect("settings");
    let problems = world.settings.problems();
    let at: Vec<&str> = problems.iter().map(|p| p.pointer.as_str()).collect();
    assert_eq!(at, ["/tables/items/columns/nme", "/tables/receits"]);
    assert!(problems[1].choices.contains(&"receipts".to_owned()));
}

#[test]
fn columns_that_tools_can_do_without_may_be_missing() {
    let mut world = World::new();
    world.load("receipts", "id,receipt_date\n1,2024-01-02\n2,2024-01-05\n");
    world.load("items", "id,name,product_id\n1,Tea,1\n");
    world.load("products", "id,name,parent_id\n1,Drinks,\n");
    world.load("receipt_items", "receipt_id,item_id,quantity,amount\n1,1,2,10\n2,1,1,5\n");
    for tool in ["get_receipts", "get_receipt_items", "get_items", "get_purchase_statistics"] {
        let result = world.call(tool, "{}");
        assert!(result.ok, "{tool} {:?}", result.error);
    }
    let lines = world.call("get_receipt_items", "{}").output.unwrap();
    assert_eq!(
        lines["items"][1],
        json!({"item_name": "Tea", "product_name": "Drinks", "quantity": 2, "price": null,
            "amount": 10, "receipt_date": "2024-01-02", "shop": null})
    );
    let none = world.call("get_receipts", "{\"shop\": \"x\"}").output.unwrap();
    assert_eq!(none["receipts"], json!([]));
}

/// A small world: one receipt a week of one item, with ids as a table loaded elsewhere has them.
fn weekly(receipt: &str, item: &str, product: &str) -> World {
    let mut world = World::new();
    let (mut receipts, mut lines) =
        ("id,receipt_date\n".to_owned(), "receipt_id,item_id,quantity,amount\n".to_owned());
    for week in 1..=4 {
        let _ = writeln!(receipts, "{week}{receipt},2024-03-{:02}", week * 7);
        let _ = writeln!(lines, "{week}{receipt},1{item},2,10");
    }
    world.load("receipts", &receipts);
    world.load("receipt_items", &lines);
    world.load(
        "products",
        &format!("id,name,parent_id\n3{product},Food,\n1{product},Drinks,3.0\n2{product},Tea,1\n"),
    );
    world.load("items", &format!("id,name,product_id,unit_of_measure\n1{item},Tea,2{product},pcs\n2{item},Salt,3{product},\n"));
    world.load("labels", "id,name\n1.0,Nice\n2.0,Spicy\n");
    world.load("item_labels", "item_id,label_id\n1.0,1\n2.0,2\n,\n");
    world
}

#[test]
fn whole_numbers_are_the_same_ids_however_they_are_stored() {
    for (receipt, item, product) in
        [("", "", ""), (".0", ".0", ".0"), (".0", "", ".0"), ("x", "", ".0")]
    {
        let mut world = weekly(receipt, item, product);
        let mut ask = |tool: &str, arguments: &str| {
            let result = world.call(tool, arguments);
            result.output.unwrap_or_else(|| panic!("{tool} {:?}", result.error))
        };
        let of_one = ask("get_receipt_items", "{\"product_name\": \"food\"}");
        assert_eq!(of_one["total_items"], 4, "{receipt} {item} {product}");
        assert_eq!(of_one["items"][0]["product_name"], "Tea");
        let products = ask("get_products", "{\"include_children\": true}");
        assert_eq!(products["products"][0]["items_count"], 2, "{products}");
        assert_eq!(products["products"][0]["children"][0]["id"], 1, "{products}");
        assert_eq!(ask("get_products", "{\"parent_id\": 1}")["products"][0]["name"], "Tea");
        assert_eq!(ask("get_items", "{\"product_id\": 1}")["total_items"], 1);
        let labels = ask("get_labels", "{\"label_name\": \"nice\"}");
        assert_eq!(labels["labels"][0]["items"], json!([{"name": "Tea", "product": "Tea"}]));
        let predicted = ask("get_purchase_statistics", "{\"include_prediction\": true}");
        assert_eq!(predicted["statistics"][0]["prediction"]["next_purchase_date"], "2024-04-04");
        let list = ask("generate_shopping_list", "{}");
        assert_eq!(list["summary"]["total_items"], 1, "{list}");
        let without = ask("generate_shopping_list", "{\"exclude_labels\": [\"nice\"]}");
        assert_eq!(without["summary"]["total_items"], 0, "{without}");
    }
    let mut world = weekly("", "", "");
    let one = world.call("get_receipt_items", "{\"receipt_id\": \"3\"}").output.unwrap();
    assert_eq!(one["total_items"], 1);
}

#[test]
fn prices_are_those_of_lines_with_a_quantity_and_an_amount() {
    let mut world = weekly("", "", "");
    let lines = "1,1,2,10\n2,1,2,10\n3,1,2,10\n4,1,2,10\n4,1,,30\n4,1,5,\n";
    world.load("receipt_items", &format!("receipt_id,item_id,quantity,amount\n{lines}"));
    let items = world.call("get_items", "{\"include_purchase_stats\": true}").output.unwrap();
    let tea = &items["items"][1]["purchase_stats"];
    assert_eq!((&tea["avg_price"], &tea["total_quantity"]), (&json!(5), &json!(13)), "{items}");
    let list = world.call("generate_shopping_list", "{}").output.unwrap();
    assert_eq!(list["shopping_list"][0]["estimated_price"], 10, "{list}");
}

#[test]
fn optional_columns_without_any_value_are_as_good_as_missing() {
    let mut world = weekly("", "", "");
    world.load("receipts", "id,receipt_date,shop,total\n1,2024-03-07,,\n2,2024-03-14,,\n");
    world.load("receipt_items", "receipt_id,item_id,quantity,amount,price\n1,1,2,10,\n2,1,1,5,\n");
    assert_eq!(world.offered().len(), 11);
    let receipts = world.call("get_receipts", "{}").output.unwrap();
    assert_eq!(receipts["summary"]["total_amount"], 15, "{receipts}");
    assert_eq!(
        world.call("get_receipt_items", "{}").output.unwrap()["items"][0]["price"],
        json!(null)
    );
}

#[test]
fn bad_tables_are_told_apart() {
    let mut world = World::new();
    world.load("receipts", "id,receipt_date\n1,2024-01-02\n1,2024-01-05\n");
    let result = world.call("get_receipts", "{}");
    assert!(!result.ok && result.error[0].render(Locale::En).contains("repeat"));
    world.load("receipts", "id,receipt_date\n1,soon\n");
    let result = world.call("get_receipts", "{}");
    assert_eq!(result.error[0].code, Code::TypeMismatch);
    let mut world = World::new();
    world.load("receipts", "id,receipt_date,shop,total\n");
    let empty = world.call("get_receipts", "{}");
    assert!(empty.ok || empty.error[0].code == Code::TypeMismatch, "{:?}", empty.error);
    // Every table that a tool joins by its ids.
    let tools = [("get_labels", 3), ("generate_shopping_list", 4), ("get_items", 3)];
    for (tool, tables) in tools {
        let mut failed = 0;
        for (table, csv) in [
            ("receipts", include_str!("purchases/receipts.csv")),
            ("items", include_str!("purchases/items.csv")),
            ("products", include_str!("purchases/products.csv")),
            ("labels", include_str!("purchases/labels.csv")),
        ] {
            let mut world = World::new();
            world.load(table, &format!("{csv}{}\n", csv.lines().nth(1).unwrap()));
            let result = world.call(tool, "{}");
            failed += usize::from(!result.ok);
            assert!(
                result.ok || result.error[0].render(Locale::En).contains(&format!("`{table}`"))
            );
        }
        assert_eq!(failed, tables, "{tool}");
    }
}

#[test]
fn unknown_labels_list_those_that_are_there() {
    let mut world = World::new();
    let asked =
        "{\"include_labels\": [\"для завтрака\", \"На елку!\"], \"exclude_labels\": [\"?\"]}";
    let result = world.call("generate_shopping_list", asked);
    let at: Vec<&str> = result.error.iter().map(|p| p.pointer.as_str()).collect();
    assert_eq!(at, ["/include_labels/1", "/exclude_labels/0"]);
    assert_eq!(result.error[0].choices.len(), 4, "{:?}", result.error);
    // Not where the policy does not list them, nor where there are many.
    world.policy = Policy::default().hide("labels", "name");
    assert!(world.call("generate_shopping_list", asked).error[0].choices.is_empty());
    world.policy = Policy::default();
    let many: Vec<String> = (0..21).map(|n| format!("{n},Label {n}\n")).collect();
    world.load("labels", &format!("id,name\n{}", many.concat()));
    assert!(world.call("generate_shopping_list", asked).error[0].choices.is_empty());
    world.engine.drop_table("item_labels");
    assert!(world.call("generate_shopping_list", "{}").ok);
    let result = world.call("generate_shopping_list", "{\"include_labels\": [\"Пустая\"]}");
    assert_eq!(result.error[0].code, Code::UnknownTable);
}

#[test]
fn orphans_are_reported() {
    let mut world = World::new();
    let warned = |world: &mut World, tool: &str, arguments: &str| {
        let result = world.call(tool, arguments);
        let told = result.content(&world.context(None)).as_str().to_owned();
        let all: Vec<String> = result.warnings.iter().map(|w| w.message.en.clone()).collect();
        // A model hears of them, too.
        assert!(all.iter().all(|warning| told.contains(warning)), "{told}");
        all.join("; ")
    };
    let lines = warned(&mut world, "get_receipt_items", "{}");
    let undated = "rows of `receipts` without a date: 1; they belong to no period and are left out";
    let unknown = "lines with an item that `items` does not have: 2; they count without a name";
    assert_eq!(lines, format!("{undated}; {unknown}"));
    let categories = warned(&mut world, "get_products", "{}");
    assert!(categories.starts_with("categories with a parent"), "{categories}");
    assert_eq!(warned(&mut world, "get_receipt_items", "{\"item_name\": \"сыр\"}"), undated);
    let labels = warned(&mut world, "get_labels", "{}");
    assert_eq!(labels, "rows of `item_labels` with an item that `items` does not have: 1");

    let mut world = weekly("", "", "");
    world.load("items", "id,name,product_id\n1,Tea,2\n2,Salt,77\n");
    let more = "1,1,2,10\n99,1,1,1\n98,1,1,1\n2,5,1,1\n";
    world.load("receipt_items", &format!("receipt_id,item_id,quantity,amount\n{more}"));
    world.load("item_labels", "item_id,label_id\n1,1\n1,7\n9,1\n");
    let lost_lines = "rows of `receipt_items` with a receipt that `receipts` does not have: 2; \
         they belong to no period";
    let lost_items = "rows of `items` with a category that `products` does not have: 1; \
         they count without one";
    let lost_labels = "rows of `item_labels` with an item that `items` does not have: 1; rows of \
         `item_labels` with a label that `labels` does not have: 1; they are left out";
    let lost_bought = "rows of `receipt_items` with an item that `items` does not have: 1; \
         they are left out";
    for (tool, wanted) in [
        ("get_receipts", lost_lines.to_owned()),
        ("get_products", lost_items.to_owned()),
        ("get_items", lost_items.to_owned()),
        ("get_labels", format!("{lost_items}; {lost_labels}")),
        (
            "get_purchase_statistics",
            format!(
                "{lost_lines}; {lost_items}; lines with an item that `items` does not have: 1; \
             they count without a name"
            ),
        ),
        (
            "generate_shopping_list",
            format!("{lost_lines}; {lost_bought}; {lost_items}; {lost_labels}"),
        ),
    ] {
        assert_eq!(warned(&mut world, tool, "{}"), wanted, "{tool}");
    }
}

#[test]
fn nothing_is_left_of_a_call_but_its_results() {
    let mut world = World::new();
    let kept = |world: &World| world.engine.stats().results.len();
    world.call("get_purchase_statistics", "{\"include_prediction\": true}");
    assert_eq!(kept(&world), 2);
    let mut world = World::new();
    for steps in 0..40 {
        release(&mut world);
        world.abandon("generate_shopping_list", steps);
        assert!(kept(&world) <= 2, "after {steps} steps");
    }
    release(&mut world);
    world.call("get_receipts", "{}");
    world.call("generate_shopping_list", "{\"include_labels\": [\"?\"]}");
    assert_eq!(kept(&world), 2);
}

fn release(world: &mut World) {
    for (id, _) in world.engine.stats().results {
        world.engine.release(&id);
    }
}
