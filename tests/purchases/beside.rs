//! What is said beside the answers, in warnings: receipts without a date.

use super::world::World;
use pinhole::disclose::{Guard, Level, Policy};
use pinhole::tools::ToolResult;
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// A household that buys tea and steaks.
pub fn household() -> World {
    let mut world = World::new();
    world.load(
        "products",
        "id,name,parent_id\n1,Food,\n2,Tea,1\n3,Milk,1\n4,Meat,1\n5,Steaks,4\n6,Things,\n",
    );
    world.load(
        "items",
        "id,name,product_id,shop\n\
         t1,Green tea 20 bags,2,Tea house\n\
         t2,Earl Grey,2,Tea house\n\
         t3,Iced tea,1,Corner\n\
         t4,Teapot,6,Corner\n\
         s1,Steak,5,Steakery\n\
         m1,Milk 3.5%,3,Corner\n\
         m2,Parmalat 1l,3,Corner\n\
         m3,Milk chocolate,1,Corner\n\
         m4,Buttermilk,1,Corner\n\
         m5,\"Milk, never bought\",1,Corner\n",
    );
    world.load(
        "receipts",
        "id,shop,receipt_date,total\n\
         1,Tea house,2024-11-02,\n\
         2,Corner,2024-12-03,\n\
         3,Steakery,2024-12-05,\n\
         4,Corner,,70\n\
         5,Corner,,30\n",
    );
    let mut lines = "receipt_id,item_id,quantity,price,amount\n".to_owned();
    for (receipt, items) in [
        (1, &["t1", "t2", "m3"][..]),
        (2, &["t3", "t4", "m1", "m2", "m3", "m4"]),
        (3, &["s1", "t1", "x9"]),
        (4, &["t1", "m5"]),
        (5, &["m1"]),
    ] {
        for item in items {
            let _ = writeln!(lines, "{receipt},{item},1,10,10");
        }
    }
    world.load("receipt_items", &lines);
    world
}

/// The codes of what is said, each with its number.
fn said(result: &ToolResult) -> Vec<(&'static str, u64)> {
    assert!(result.ok, "{:?}", result.error);
    let mut said: Vec<_> = result
        .warnings
        .iter()
        .filter(|warning| warning.code != "orphans")
        .map(|warning| {
            let digits = |text: &str| -> Vec<u64> {
                let numbers = text.split(|c: char| !c.is_ascii_digit());
                numbers.filter_map(|n| n.parse().ok()).collect()
            };
            let (en, ru) = (digits(&warning.message.en), digits(&warning.message.ru));
            assert_eq!((en.len(), &en), (1, &ru), "{warning:?}");
            // No name of the tables is in it, nor what was looked for.
            for word in ["tea", "ste", "milk", "парм"] {
                assert!(!warning.message.en.to_lowercase().contains(word), "{warning:?}");
            }
            (warning.code, en[0])
        })
        .collect();
    said.sort_unstable();
    said
}

pub const UNDATED: (&str, u64) = ("undated", 2);

pub fn check(
    world: &mut World,
    tool: &str,
    arguments: Json,
    wanted: &[(&'static str, u64)],
) -> Json {
    let result = world.call(tool, &arguments.to_string());
    assert_eq!(said(&result), wanted, "{tool} {arguments}");
    *result.output.expect("an answer")
}

#[test]
fn receipts_without_a_date_are_said_where_a_period_leaves_them_out() {
    let world = &mut household();
    let found = check(world, "get_receipts", json!({}), &[UNDATED]);
    assert_eq!(found["summary"]["total_receipts"], json!(3));
    check(world, "get_receipts", json!({"include_summary": false}), &[UNDATED]);
    check(world, "get_purchase_statistics", json!({}), &[UNDATED]);
    check(world, "generate_shopping_list", json!({}), &[UNDATED]);
    check(world, "get_items", json!({"include_purchase_stats": true}), &[UNDATED]);
    // No period is asked of these.
    check(world, "get_items", json!({}), &[]);
    check(world, "get_products", json!({}), &[]);
    check(world, "get_labels", json!({}), &[]);
    let found = check(world, "get_receipt_items", json!({"receipt_id": 4}), &[]);
    assert_eq!(found["total_items"], json!(2));
    let of_a_day = json!({"receipt_id": 4, "date_to": "2024-12-31"});
    check(world, "get_receipt_items", of_a_day, &[UNDATED]);

    world.load("receipts", "id,receipt_date\n4,\n5,\n");
    assert!(!world.call("get_receipts", "{}").ok, "a column without a value holds no dates");
    world.load("receipts", "id,receipt_date\n4,\n5,2024-12-05\n");
    let result = world.call("get_receipts", "{}");
    assert_eq!(said(&result), [("undated", 1)]);
}

#[test]
fn what_is_said_is_told_as_the_results_are() {
    let mut world = household();
    let result = world.call("get_receipt_items", "{\"product_name\": \"milk\"}");
    let mut told = |policy: Policy| {
        world.policy = policy;
        let guard = Guard::new();
        result.content(&world.context(Some(&guard))).as_str().to_owned()
    };
    let open = told(Policy::default());
    assert!(open.contains("rows of `receipts` without a date: 2"), "{open}");
    for policy in [
        Policy::default().with_level(Level::Aggregate),
        Policy::default().with_level(Level::Schema),
        Policy::default().hide("items", "name"),
        Policy::default().hide("receipts", "receipt_date"),
        Policy::default().hide("products", "parent_id"),
    ] {
        let withheld = told(policy);
        assert!(!withheld.contains("no date") && !withheld.contains("warning"), "{withheld}");
    }
}
