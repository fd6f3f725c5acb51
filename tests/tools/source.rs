//! `source_rows`: which group a key names.

use super::world::World;
use pinhole::engine::Options;
use pinhole::summary::display;
use pinhole::tools::key_value;
use pinhole::value::Value;
use serde_json::json;

#[test]
fn a_key_names_one_group_or_none() {
    let world = World::of(&json!({}), Options::default());
    let (a, b) = (1.000_000_000_1, 1.000_000_000_2);
    let shown = display(&Value::Float(a), false);
    assert_eq!(shown, display(&Value::Float(b), false));
    let csv =
        format!("id,x\n9007199254740992,{a}\n9007199254740993,{b}\n9007199254740993,{b}\n7,{b}\n");
    world.load("ids", &csv, &json!({"time": false}));
    let by = |key: &str| {
        let result =
            world.call("query", &json!({"table": "ids", "group_by": key, "select": "count()"}));
        result.outcome().unwrap().clone()
    };
    let (ids, xs) = (by("id"), by("x"));
    for (result, key, told) in [
        ("r1", json!({"id": 9_007_199_254_740_992_i64}), "Rows behind this group of r1: 1;"),
        ("r1", json!({"id": 9_007_199_254_740_993_i64}), "Rows behind this group of r1: 2;"),
        ("r1", json!({"id": "9007199254740993"}), "Rows behind this group of r1: 2;"),
        ("r1", json!({"id": 7.0}), "Rows behind this group of r1: 1;"),
        ("r1", json!({"id": 8}), "Error:\n- /key: `r1` has no such group"),
        ("r1", json!({"id": u64::MAX}), "Error:\n- /key: `r1` has no such group"),
        // The double lies between the two.
        (
            "r1",
            json!({"id": 9_007_199_254_740_992.0}),
            "Error:\n- /key: `key` fits 2 groups of `r1`: write its values in full",
        ),
        ("r2", json!({"x": a}), "Rows behind this group of r2: 1;"),
        ("r2", json!({"x": b.to_string()}), "Rows behind this group of r2: 3;"),
        (
            "r2",
            json!({"x": shown}),
            "Error:\n- /key: `key` fits 2 groups of `r2`: write its values in full",
        ),
    ] {
        let heard = world.told("source_rows", &json!({"result": result, "key": key}));
        assert!(heard.starts_with(told), "{key}: {heard}");
    }
    // What the page names by itself is found alike.
    let big = 9_007_199_254_740_993;
    assert_eq!(key_value(&ids, "id", &json!(big)), Value::Int(big));
    assert_eq!(key_value(&ids, "id", &json!(big.to_string())), Value::Int(big));
    assert_eq!(key_value(&ids, "id", &json!(big - 1)), Value::Int(big - 1));
    assert_eq!(key_value(&xs, "x", &json!(b)), Value::Float(b));
    assert_eq!(key_value(&xs, "x", &json!(shown)), Value::text(&shown));
}

#[test]
fn a_group_is_not_sought_among_too_many() {
    let world = World::of(&json!({}), Options::default());
    let rows: Vec<String> = (0..=100_000).map(|i| i.to_string()).collect();
    world.load("many", &format!("id\n{}\n", rows.join("\n")), &json!({"time": false}));
    let query = json!({"table": "many", "group_by": "id", "select": "count()"});
    assert!(world.call("query", &query).ok);
    let told = world.told("source_rows", &json!({"result": "r1", "key": {"id": 5}}));
    assert!(told.contains("too many to look for one"), "{told}");
    let told = world.told("source_rows", &json!({"result": "r1"}));
    assert!(told.starts_with("Rows behind r1: 100001;"), "{told}");
}
