//! What is hidden stays so: from the order of rows, from a table that is loaded again, from what is
//! forgotten.

use super::world::World;
use pinhole::disclose::Policy;
use pinhole::engine::Options;
use serde_json::{Value as Json, json};

const STAFF: &str = "name,dept,pay,born
ann,a,10,1990-02-01
bob,b,20,1960-03-01
cid,a,30,1975-04-01
";

fn staff(policy: &Json) -> World {
    let world = World::of(policy, Options::default());
    world.load("staff", STAFF, &json!({"time": "born"}));
    world.load("shops", "shop,city\nKuper,Omsk\n", &json!({}));
    world
}

#[test]
fn a_hidden_time_protects_the_order_of_sql() {
    let hidden = staff(&json!({"columns": {"staff.born": "hidden"}}));
    let open = staff(&json!({}));
    let withheld = [
        "SELECT name, row_number() OVER () AS n FROM staff",
        "SELECT name FROM staff",
        "SELECT name FROM staff LIMIT 1 OFFSET 1",
        "SELECT first_value(name) AS n FROM staff",
        "SELECT last_value(pay) AS a, count(*) AS n FROM staff",
        "SELECT dept, count(*) AS n FROM staff GROUP BY dept",
        "SELECT max(name) AS n FROM (SELECT name FROM staff LIMIT 1) AS s",
        "SELECT max(n) AS n FROM (SELECT row_number() OVER () AS n, name FROM staff) AS s WHERE name = 'ann'",
        "SELECT count(*) AS n FROM shops WHERE shop < (SELECT name FROM staff LIMIT 1)",
    ];
    let told = [
        "SELECT count(*) AS n FROM staff",
        "SELECT min(pay) AS low, max(pay) AS high FROM staff WHERE name = 'ann'",
        "SELECT avg(n) AS mean FROM (SELECT dept, count(*) AS n FROM staff GROUP BY dept) AS s",
        "SELECT shop FROM shops LIMIT 1",
        "SELECT shop, row_number() OVER () AS n FROM shops",
    ];
    let cases = withheld.map(|text| (text, true)).into_iter();
    for (text, withheld) in cases.chain(told.map(|text| (text, false))) {
        for (world, withheld) in [(&hidden, withheld), (&open, false)] {
            let result = world.call("sql", &json!({ "text": text }));
            assert!(result.ok, "{text}: {:?}", result.error);
            let (told, _) = world.heard(&result);
            assert_eq!(told.contains("withholds it from you"), withheld, "{text}: {told}");
            let id = result.result_id.unwrap();
            let told = world.told("check_stats", &json!({"result": id, "stats": {"n": 1}}));
            assert_eq!(told.starts_with("Not available"), withheld, "{text}: {told}");
        }
    }
    let first = "SELECT DISTINCT ON (dept) dept, name FROM staff";
    let first = format!("SELECT count(*) AS n FROM ({first}) AS s WHERE name = 'cid'");
    assert!(hidden.engine.borrow().check_sql(&first, &json!([])).is_err());
}

#[test]
fn a_table_loaded_again_opens_nothing_of_before() {
    let mut world = staff(&json!({"columns": {"staff.pay": "hidden"}}));
    let query = json!({"table": "staff", "where": "name == \"ann\""});
    let result = world.call("query", &query);
    assert!(!world.heard(&result).0.contains("pay"));
    let stats = json!({"result": "r1", "stats": {"pay": 10, "dept": "a"}});
    let unknown =
        "Checked against r1: 1 right, 0 wrong\n- pay: not checked, the result does not say";
    assert_eq!(world.told("check_stats", &stats), unknown);
    // The second load names no classes.
    world.policy = Policy::default();
    world.load("staff", "name,dept,pay,born\nann,a,99,1990-02-01\n", &json!({"time": "born"}));
    assert_eq!(world.told("check_stats", &stats), unknown);
    let row = json!({"result": "r1", "stats": {"dept": "a"}, "row": {"pay": 10}});
    let told = world.told("check_stats", &row);
    assert!(told.ends_with("no row is the one that `row` names"), "{told}");
    // The person sees all of it.
    let found = world.call("check_stats", &stats).output.unwrap();
    assert_eq!((&found["right"], &found["unchecked"]), (&json!(2), &json!([])));
    // And what the policy of today protects is no longer told.
    world.policy = Policy::default().hide("staff", "dept");
    let told = world.told("check_stats", &stats);
    assert!(told.contains("dept: not checked"), "{told}");
}

#[test]
fn how_many_columns_are_hidden_does_not_decide_what_is_forgotten() {
    let names: Vec<String> = (0..10).map(|i| format!("c{i}")).collect();
    let rows = vec![["1"; 10].join(","); 10_000].join("\n");
    let mut columns = serde_json::Map::new();
    for name in &names[1..] {
        columns.insert(format!("wide.{name}"), json!("hidden"));
    }
    let world = World::of(&json!({ "columns": columns }), Options::default());
    world.load("wide", &format!("{}\n{rows}\n", names.join(",")), &json!({"time": false}));
    for _ in 0..50 {
        assert!(world.call("query", &json!({"table": "wide"})).ok);
    }
    let told = world.told("source_rows", &json!({"result": "r1"}));
    assert_eq!(told, "Rows behind r1: 10000; the user can open them");
}
