//! Where a call is withheld from a model, it cannot tell one that failed from one that ended, nor
//! what either found: not from the call, not from the query after it.

use super::world::World;
use pinhole::disclose::{Class, Level, Policy};
use pinhole::tools::{Fault, ScriptCall, ScriptRun, ToolResult, finish_query};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;

const CALLS: [(&str, &str); 10] = [
    ("get_receipts", "{}"),
    ("get_receipt_items", "{\"product_name\": \"молоко\"}"),
    ("get_receipt_items", "{\"group_by_item\": true, \"receipt_id\": 707}"),
    ("get_products", "{\"search\": \"сыр\"}"),
    ("get_items", "{\"include_purchase_stats\": true}"),
    ("get_labels", "{}"),
    ("get_purchase_statistics", "{\"group_by\": \"product\", \"include_prediction\": true}"),
    ("get_purchase_statistics", "{\"group_by\": \"shop\"}"),
    ("generate_shopping_list", "{\"include_labels\": [\"Дорогое\"]}"),
    ("generate_shopping_list", "{\"exclude_labels\": [\"Дорогое\"], \"budget_limit\": 100}"),
];

/// What came of every call over one state of the tables, each with that of a query after it.
struct Story {
    name: String,
    world: World,
    told: Vec<[ToolResult; 2]>,
}

fn story(name: &str, table: Option<(&str, &str)>, label: &str) -> Story {
    let mut world = World::new();
    world.load("other", "n\n1\n2\n");
    if let Some((table, csv)) = table {
        world.load(table, csv);
    }
    let told = CALLS.iter().map(|(tool, arguments)| {
        let call = world.call(tool, &arguments.replace("Дорогое", label));
        let checked = world.engine.check_sql("SELECT count(*) AS n FROM other", &json!([]));
        let checked = Arc::new(checked.expect("a statement"));
        let execution = world.engine.start(&checked).expect("a start");
        let id = execution.id().map(str::to_owned);
        [call, finish_query(&checked, id, execution.finish(), false)]
    });
    let told = told.collect();
    Story { name: name.to_owned(), world, told }
}

/// Full tables, an unknown label, and of each table: ids that repeat, ids that are missing, no rows.
fn stories() -> Vec<Story> {
    let mut out = vec![story("full", None, "Дорогое"), story("unknown label", None, "нет такой")];
    for (table, csv) in [
        ("receipts", include_str!("receipts.csv")),
        ("items", include_str!("items.csv")),
        ("products", include_str!("products.csv")),
        ("labels", include_str!("labels.csv")),
    ] {
        let mut lines = csv.lines();
        let (header, first) = (lines.next().expect("a header"), lines.next().expect("a row"));
        let blank = first.split_once(',').expect("an id").1;
        let repeated = format!("{csv}{first}\n");
        let missing = csv.replacen(first, &format!(",{blank}"), 1);
        out.push(story(&format!("{table} repeat"), Some((table, &repeated)), "Дорогое"));
        out.push(story(&format!("{table} without an id"), Some((table, &missing)), "Дорогое"));
        // Without rows the kinds of dates are not known, and a tool says that of the schema.
        if table != "receipts" {
            let empty = format!("{header}\n");
            out.push(story(&format!("no {table}"), Some((table, &empty)), "Дорогое"));
        }
    }
    out.push(story("no item_labels", Some(("item_labels", "item_id,label_id\n")), "Дорогое"));
    out
}

const COLUMNS: [&str; 21] = [
    "receipts.id",
    "receipts.receipt_date",
    "receipts.shop",
    "receipts.total",
    "receipt_items.receipt_id",
    "receipt_items.item_id",
    "receipt_items.quantity",
    "receipt_items.amount",
    "receipt_items.price",
    "items.id",
    "items.name",
    "items.product_id",
    "items.unit_of_measure",
    "items.shop",
    "products.id",
    "products.name",
    "products.parent_id",
    "labels.id",
    "labels.name",
    "item_labels.item_id",
    "item_labels.label_id",
];

fn contents(story: &mut Story, policy: &Policy) -> Vec<(String, String, bool)> {
    story.world.policy = policy.clone();
    let context = story.world.context(None);
    let told = story.told.iter().map(|[call, next]| {
        let bytes = |result: &ToolResult| result.content(&context).as_str().to_owned();
        (bytes(call), bytes(next), call.fails_openly(&context))
    });
    told.collect()
}

/// The places of the calls that are withheld, which read alike in every story.
fn withheld(stories: &mut [Story], policy: &Policy) -> Vec<usize> {
    let all: Vec<_> = stories.iter_mut().map(|s| (s.name.clone(), contents(s, policy))).collect();
    let (_, full) = &all[0];
    let hidden = |place: &usize| full[*place].0.contains("the policy withholds it from you");
    let places: Vec<usize> = (0..CALLS.len()).filter(hidden).collect();
    for (name, told) in &all[1..] {
        for place in 0..CALLS.len() {
            let (call, next, openly) = &told[place];
            if places.contains(&place) {
                assert_eq!(*call, full[place].0, "{name}: {:?} {policy:?}", CALLS[place]);
                assert!(!openly, "{name}: {:?} {policy:?}", CALLS[place]);
            } else {
                assert!(!call.contains("withholds it from you"), "{name}: {call}");
                assert_eq!(*openly, call.starts_with("Error:"), "{name}: {call}");
            }
            assert_eq!(*next, full[place].1, "{name}: after {:?} {policy:?}", CALLS[place]);
        }
    }
    places
}

#[test]
fn a_withheld_call_tells_nothing_of_what_came_of_it() {
    let mut stories = stories();
    let failed = stories.iter().flat_map(|s| &s.told).filter(|[call, _]| !call.ok).count();
    assert!(failed > 20, "{failed} calls failed");
    for level in [Level::Schema, Level::Aggregate] {
        let places = withheld(&mut stories, &Policy::default().with_level(level));
        assert_eq!(places.len(), CALLS.len(), "{level:?}");
    }
    for level in [Level::Summary, Level::Preview] {
        let places = withheld(&mut stories, &Policy::default().with_level(level));
        assert_eq!(places, Vec::<usize>::new(), "{level:?}");
    }
    // Which tools a column withholds.
    let mut by_column: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for name in COLUMNS {
        let (table, column) = name.split_once('.').unwrap();
        let policy = Policy::default().hide(table, column);
        let places = withheld(&mut stories, &policy);
        let aggregate = Policy::default().with_class(table, column, Class::Aggregate);
        assert_eq!(withheld(&mut stories, &aggregate), places, "{name}");
        let preview = policy.with_level(Level::Preview);
        assert_eq!(withheld(&mut stories, &preview), places, "{name}");
        let mut tools: Vec<&str> = places.iter().map(|&place| CALLS[place].0).collect();
        tools.dedup();
        by_column.insert(name, tools);
    }
    let short = |tool: &&str| tool.rsplit('_').next().unwrap_or_default().to_owned();
    let found: BTreeMap<&str, String> = by_column
        .iter()
        .map(|(column, tools)| (*column, tools.iter().map(short).collect::<Vec<_>>().join(" ")))
        .collect();
    let expected = json!({
        "item_labels.item_id": "labels list",
        "item_labels.label_id": "labels list",
        "items.id": "items products items labels statistics list",
        "items.name": "items items labels statistics list",
        "items.product_id": "items products items labels statistics list",
        "items.shop": "items items statistics",
        "items.unit_of_measure": "items statistics list",
        "labels.id": "labels list",
        "labels.name": "labels list",
        "products.id": "items products items labels statistics list",
        "products.name": "items products items labels statistics list",
        "products.parent_id": "items products items statistics",
        "receipt_items.amount": "receipts items items statistics list",
        "receipt_items.item_id": "items items statistics list",
        "receipt_items.price": "items",
        "receipt_items.quantity": "items items statistics list",
        "receipt_items.receipt_id": "receipts items items statistics list",
        "receipts.id": "receipts items items statistics list",
        "receipts.receipt_date": "receipts items items statistics list",
        "receipts.shop": "receipts items statistics",
        "receipts.total": "receipts",
    });
    assert_eq!(serde_json::to_value(found).unwrap_or(Json::Null), expected);
}

#[test]
fn a_script_is_told_the_day_that_counts_as_today_where_it_may_be() {
    let read = ("receipts".to_owned(), "receipt_date".to_owned());
    let closed = Policy::default().with_class("receipts", "receipt_date", Class::Aggregate);
    for (policy, reference, day, reads) in [
        (Policy::default(), None, Some("2024-12-15"), true),
        (closed.clone(), None, None, false),
        (closed, Some("2024-11-30"), Some("2024-11-30"), false),
    ] {
        let mut world = World::new();
        world.settings.reference_date = reference.and_then(|day| day.parse().ok());
        let call = ScriptCall { script: "async function execute() {}".to_owned() };
        let started = ScriptRun::start(call, &Policy::default(), &mut world.engine);
        let mut run = started.unwrap_or_else(|refused| panic!("{refused:?}"));
        world.policy = policy;
        let told = run.day(&world.context(None)).map(|day| day.to_string());
        assert_eq!(told.as_deref(), day);
        // What it comes to is heard of where that column may be told.
        let result = run.finish(Err(Fault::named("script_threw")), &mut world.engine);
        assert_eq!(result.call().is_some_and(|call| call.reads.contains(&read)), reads);
    }
}
