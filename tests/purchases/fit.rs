//! Whether tables fit together: the counts are those of the files, by hand.

use super::world::World;
use pinhole::error::{Code, Locale};
use serde_json::{Value as Json, json};

fn report(world: &mut World) -> (Json, Vec<String>) {
    let found = world.fit().expect("a report");
    assert!(found.ok, "{:?}", found.error);
    let warnings = found.warnings.iter().map(|w| {
        assert_ne!(w.message.get(Locale::Ru), w.message.get(Locale::En));
        format!("{}: {}", w.code, w.message.get(Locale::En))
    });
    (*found.output.clone().expect("a report"), warnings.collect())
}

fn orphan(table: &str, column: &str, names: &str, rows: u64) -> Json {
    json!({"table": table, "column": column, "names": names, "rows": rows})
}

#[test]
fn keys_of_rows_that_are_not_there_are_counted() {
    let mut world = World::new();
    let (found, warnings) = report(&mut world);
    let table = |table: &str, rows: u64| json!({"table": table, "name": table, "rows": rows, "without_id": 0, "repeated_ids": 0});
    assert_eq!(
        found["tables"],
        json!([
            table("receipts", 123),
            table("items", 14),
            table("products", 11),
            table("labels", 4)
        ])
    );
    assert_eq!(
        found["orphans"],
        json!([
            orphan("receipt_items", "item_id", "items", 2),
            orphan("products", "parent_id", "products", 1),
            orphan("item_labels", "item_id", "items", 1),
        ])
    );
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings.iter().all(|w| w.starts_with("orphans: ")), "{warnings:?}");
    assert!(world.offered().iter().all(|name| !name.starts_with("check")));

    // Ids that are missing or repeat, and tables of labels that are not there.
    world.engine.drop_table("labels");
    world.load("products", "id,name,parent_id\np1,a,\np1,b,\n,c,p7\n");
    world.load("items", "id,name,product_id,unit_of_measure,shop\nm1,x,p1,,\n");
    let (found, warnings) = report(&mut world);
    assert_eq!(found["tables"].as_array().map(Vec::len), Some(3));
    assert_eq!(
        found["tables"][2],
        json!({"table": "products", "name": "products", "rows": 3, "without_id": 1,
               "repeated_ids": 1})
    );
    let lines = include_str!("receipt_items.csv").lines().skip(1);
    let others = lines.filter(|line| line.split(',').nth(1) != Some("m1")).count();
    assert_eq!(
        found["orphans"],
        json!([
            orphan("receipt_items", "item_id", "items", others as u64),
            orphan("products", "parent_id", "products", 1),
        ])
    );
    for start in [
        "without_id: rows of `products` without an id: 1",
        "repeated_ids: rows of `products` that repeat an id: 1",
    ] {
        assert!(warnings.iter().any(|w| w.starts_with(start)), "{warnings:?}");
    }
}

#[test]
fn a_missing_table_is_said() {
    let mut world = World::new();
    world.engine.drop_table("products");
    let problems = world.fit().expect_err("a table is missing");
    assert_eq!(problems.iter().map(|p| p.code).collect::<Vec<_>>(), [Code::UnknownTable]);
}
