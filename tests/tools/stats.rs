//! `check_stats`: what counts as checked, and what of a result a model hears.

use super::world::{SALES, World};
use pinhole::error::Locale;
use serde_json::{Value as Json, json};

fn check(world: &World, arguments: &Json) -> String {
    world.told("check_stats", arguments)
}

#[test]
fn a_row_is_checked_where_it_is_the_only_one() {
    let mut world = World::new(&json!({}));
    let select = json!({"total": "sum(amount)", "n": "count()"});
    world.told(
        "query",
        &json!({"table": "sales", "group_by": ["shop", "weekday"], "select": select}),
    );
    let kuper = |weekday: Json, stats: Json| json!({"result": "r1", "row": {"shop": "Kuper", "weekday": weekday}, "stats": stats});
    for (arguments, told) in [
        (kuper(json!("Mon"), json!({"total": 15, "n": 2})), "Checked against r1: 2 right, 0 wrong"),
        (
            kuper(json!("Mon"), json!({"total": 16, "n": 3})),
            "Checked against r1: 0 right, 2 wrong\nValidation errors:\n- total: reported 16, actual 15\n- n: reported 3, actual 2",
        ),
        (
            kuper(json!("Sun"), json!({"n": 2})),
            "Nothing was checked against r1\n- n: not checked, no row is the one that `row` names",
        ),
        (
            json!({"result": "r1", "row": {"shop": "Kuper"}, "stats": {"n": 2}}),
            "Nothing was checked against r1\n- n: not checked, `row` fits 2 rows",
        ),
        (
            json!({"result": "r1", "stats": {"n": 2}}),
            "Nothing was checked against r1\n- n: not checked, the result has 5 rows: name one by `row`",
        ),
        (
            kuper(json!("Mon"), json!({"n": null, "nope": 1, "total": 15})),
            "Checked against r1: 1 right, 0 wrong\n- n: not checked, the result does not say\n- nope: not checked, the result does not say",
        ),
        (json!({"result": "r1", "stats": {}}), "Nothing was checked against r1"),
        (
            json!({"result": "r1", "stats": {"n": 2}, "intent": "concept"}),
            "Nothing was checked against r1\n- n: not checked, an explanation has no numbers",
        ),
    ] {
        assert_eq!(check(&world, &arguments), told, "{arguments}");
    }
    // Nothing checked is not the same as nothing wrong.
    let nothing = world.call("check_stats", &json!({"result": "r1", "stats": {"n": 2}}));
    assert_eq!(nothing.output.unwrap()["status"], "unchecked");
    let last = kuper(json!("Mon"), json!({"total": 99}));
    let mut last = last.as_object().unwrap().clone();
    last.insert("attempts".to_owned(), json!(3));
    let ended = world.call("check_stats", &last.into());
    assert!(world.heard(&ended).0.ends_with("max validation attempts reached"));
    world.locale = Locale::Ru;
    let heard = world.heard(&ended).0;
    assert!(heard.contains("\nОшибки проверки:\n- total: названо 99"), "{heard}");
    assert!(heard.ends_with("- попытки проверки исчерпаны"));
    let output = ended.output.unwrap();
    assert_eq!((&output["auto_approved"], &output["status"]), (&json!(true), &json!("ok")));
    assert_eq!(output["note"], "max validation attempts reached");
    assert_eq!(output["issues"], json!(["total: reported 99, actual 15"]));
    assert_eq!(output["feedback"], "Validation errors:\n- total: reported 99, actual 15");
    let right = world.call("check_stats", &kuper(json!("Mon"), json!({"total": 15})));
    let output = right.output.unwrap();
    assert_eq!((&output["issues"], &output["feedback"]), (&json!([]), &json!("")));
    assert_eq!(output["note"], Json::Null);
}

#[test]
fn periods_are_checked_row_by_row() {
    let world = World::new(&json!({}));
    // A column `open_price` makes it the form of periods, of which the first row is one of two.
    world.told(
        "query",
        &json!({"table": "bars", "group_by": "date()", "select": {"open_price": "first(open)"}}),
    );
    let told = check(&world, &json!({"result": "r1", "stats": {"open_price": 100}}));
    assert_eq!(
        told,
        "Nothing was checked against r1\n- open_price: not checked, the result has 2 rows: name one by `row`"
    );
    let row = json!({"date()": "2024-01-03"});
    let told = check(&world, &json!({"result": "r1", "row": row, "stats": {"open_price": 95}}));
    assert_eq!(told, "Checked against r1: 1 right, 0 wrong");
}

#[test]
fn ends_of_a_range_need_a_time() {
    let world = World::new(&json!({}));
    let csv = "open,high,low,close,volume\n100,104,99,103,10\n103,105,90,95,20\n";
    world.load("timeless", csv, &json!({"time": false}));
    world.load(
        "two",
        "timestamp,symbol,open,high,low,close\n2024-01-01,A,1,2,1,2\n2024-01-02,B,5,9,4,8\n",
        &json!({"series": "symbol"}),
    );
    for table in ["bars", "timeless", "two"] {
        assert!(world.call("query", &json!({ "table": table })).ok);
    }
    let stats = json!({"open_price": 100, "max_price": 105, "change_points": -5});
    let timed = check(&world, &json!({"result": "r1", "stats": stats}));
    assert_eq!(
        timed,
        "Checked against r1: 2 right, 1 wrong\nValidation errors:\n- change_points: reported -5, actual -2"
    );
    let why = "not checked, no time column says which row is the first and which the last";
    let told = check(&world, &json!({"result": "r2", "stats": stats}));
    assert_eq!(
        told,
        format!(
            "Checked against r2: 1 right, 0 wrong\n- open_price: {why}\n- change_points: {why}"
        )
    );
    let told = check(&world, &json!({"result": "r3", "stats": {"max_price": 9}}));
    assert!(told.starts_with("Nothing was checked") && told.contains("several series"), "{told}");
    let patterns = json!({"result": "r1", "stats": {"matches_count": 4}, "intent": "pattern"});
    assert_eq!(check(&world, &patterns), "Checked against r1: 1 right, 0 wrong");
}

#[test]
fn whole_numbers_are_compared_exactly() {
    let world = World::new(&json!({}));
    world.told("query", &json!({"table": "sales", "select": {"most": "max(pieces)"}}));
    for (said, right) in [
        (json!(9_007_199_254_740_993_i64), true),
        (json!(9_007_199_254_740_992_i64), false),
        (json!("9007199254740993"), true),
        (json!("9007199254740992"), false),
        (json!("9007199254740993.0"), true),
        (json!("9007199254740992.0"), false),
        (json!(9_007_199_254_740_992.0), false),
    ] {
        let told = check(&world, &json!({"result": "r1", "stats": {"most": said}}));
        let head = if right { "1 right, 0 wrong" } else { "0 right, 1 wrong" };
        assert!(told.starts_with(&format!("Checked against r1: {head}")), "{told}");
    }
}

#[test]
fn no_text_of_a_cell_is_quoted_and_words_are_cut() {
    let world = World::new(&json!({}));
    let csv = format!("{SALES}zq<b>secret\u{7}name,Wed,1,1,2024-02-01\n");
    world.load("named", &csv, &json!({}));
    world.told("query", &json!({"table": "named", "where": "amount == 1"}));
    let long = "x\u{0}\u{1b}<script>\n".repeat(60);
    let told = check(
        &world,
        &json!({"result": "r1", "stats": {"shop": long, long.clone(): 1, "day": "2024-02-02"}}),
    );
    assert!(!told.contains("zq") && !told.contains("secret"), "{told}");
    assert!(!told.contains("2024-02-01"), "{told}");
    assert!(told.contains("the result says otherwise"), "{told}");
    assert!(!told.contains(['<', '>', '\u{0}', '\u{1b}']), "{told}");
    assert!(told.lines().all(|line| line.chars().count() < 160), "{told}");
    let fields: serde_json::Map<String, Json> =
        (0..64).map(|i| (format!("f{i}"), json!(i))).collect();
    let told = check(&world, &json!({"result": "r1", "stats": fields}));
    assert!(told.lines().count() < 25 && told.ends_with("- +44 more"), "{told}");
    let mut more = fields;
    more.insert("f64".to_owned(), json!(64));
    let told = check(&world, &json!({"result": "r1", "stats": more}));
    assert_eq!(told, "Error:\n- /stats: `stats` takes up to 64 numbers");
}

#[test]
fn a_column_of_that_name_is_what_is_meant() {
    let world = World::new(&json!({}));
    let head = "timestamp,open,high,low,close,volume,max_price,total_volume,trading_days\n";
    let row = "2024-01-01,1,9,0,5,10,500,777,21\n";
    world.load("one", &format!("{head}{row}"), &json!({}));
    world.load("more", &format!("{head}{row}2024-01-02,1,9,0,5,10,500,777,21\n"), &json!({}));
    let (head, row) = (head.replace(",trading_days", ""), row.replace(",21", ""));
    world.load("bar", &format!("{head}{row}"), &json!({}));
    for table in ["one", "more", "bar"] {
        assert!(world.call("query", &json!({ "table": table })).ok);
    }
    let stats = json!({"max_price": 500, "total_volume": 777, "trading_days": 21});
    let told = check(&world, &json!({"result": "r1", "stats": stats}));
    assert_eq!(told, "Checked against r1: 3 right, 0 wrong");
    let stats = json!({"max_price": 500, "total_volume": 777, "trading_days": 1,
        "min_price": 0, "close_price": 5});
    let told = check(&world, &json!({"result": "r3", "stats": stats}));
    assert_eq!(told, "Checked against r3: 5 right, 0 wrong");
    let told = check(&world, &json!({"result": "r3", "stats": {"max_price": 9}}));
    assert!(told.ends_with("- max_price: reported 9, actual 500"), "{told}");
    let several = "not checked, the result has 2 rows: name one by `row`";
    let told = check(&world, &json!({"result": "r2", "stats": {"max_price": 9, "min_price": 0}}));
    assert_eq!(told, format!("Checked against r2: 1 right, 0 wrong\n- max_price: {several}"));
    let row = json!({"timestamp": "2024-01-02"});
    let told = check(&world, &json!({"result": "r2", "row": row, "stats": {"max_price": 500}}));
    assert_eq!(told, "Checked against r2: 1 right, 0 wrong");
}

#[test]
fn bars_of_several_series_are_not_one() {
    let csv = "timestamp,symbol,open,high,low,close\n2024-01-01,A,1,2,1,2\n\
               2024-01-02,B,5,9,4,8\n2024-01-03,A,2,3,2,3\n";
    let world = |policy: Json| {
        let world = World::of(&policy, pinhole::engine::Options::default());
        world.load("two", csv, &json!({"series": "symbol"}));
        world.load("single", "timestamp,open,close\n2024-01-01,1,2\n2024-01-02,5,8\n", &json!({}));
        world
    };
    let stats = json!({"max_price": 9, "trading_days": 3, "close_price": 3});
    let unclear = |world: &World, tool: &str, call: Json| {
        let result = world.call(tool, &call);
        assert!(result.ok, "{call} {:?}", result.error);
        let told = check(world, &json!({"result": result.result_id.unwrap(), "stats": stats}));
        assert!(told.starts_with("Nothing was checked"), "{call} {told}");
        assert!(told.contains("of several series"), "{call} {told}");
    };
    let open = world(json!({}));
    let prices = ["timestamp", "open", "high", "low", "close"];
    unclear(&open, "query", json!({"table": "two"}));
    unclear(&open, "query", json!({"table": "two", "columns": prices}));
    unclear(&open, "query", json!({"table": "two", "where": "symbol == \"A\"", "columns": prices}));
    let select = json!({"open": "first(open)", "high": "max(high)", "close": "last(close)"});
    unclear(&open, "query", json!({"table": "two", "group_by": "date()", "select": select}));
    for columns in
        ["timestamp, open, high, low, close", "*", "timestamp, open, close, 'A' AS symbol"]
    {
        unclear(&open, "sql", json!({"text": format!("SELECT {columns} FROM two ORDER BY open")}));
    }
    // A column that is withheld shows nothing either.
    unclear(&world(json!({"columns": {"two.symbol": "hidden"}})), "query", json!({"table": "two"}));
    let one = open.call("query", &json!({"table": "two", "where": "symbol == \"A\""}));
    let stats = json!({"max_price": 3, "trading_days": 2, "close_price": 3});
    let told = check(&open, &json!({"result": one.result_id.unwrap(), "stats": stats}));
    assert!(told.ends_with("3 right, 0 wrong"), "{told}");
    let one = open.call("sql", &json!({"text": "SELECT * FROM single"}));
    let stats = json!({"trading_days": 2, "close_price": 8});
    let told = check(&open, &json!({"result": one.result_id.unwrap(), "stats": stats}));
    assert!(told.ends_with("2 right, 0 wrong"), "{told}");
}

#[test]
fn ends_are_those_of_the_clock_of_the_table() {
    let world = World::new(&json!({}));
    let csv = "listed,timestamp,open,high,low,close\n2020-01-09,2024-01-01,1,2,1,2\n\
               2020-01-05,2024-01-02,5,9,4,8\n";
    world.load("listed", csv, &json!({"time": "timestamp"}));
    let stats = json!({"open_price": 1, "close_price": 8, "max_price": 9, "trading_days": 2});
    let all = "4 right, 0 wrong";
    let most = "1 right, 0 wrong";
    let columns =
        |first: &str| format!("SELECT {first} open, high, close FROM listed ORDER BY open");
    for (tool, call, stats, head) in [
        ("query", json!({"table": "listed"}), &stats, all),
        (
            "query",
            json!({"table": "listed", "columns": ["listed", "open", "high", "close"]}),
            &stats,
            most,
        ),
        ("sql", json!({"text": columns("listed, timestamp,")}), &stats, most),
        ("sql", json!({"text": columns("timestamp,")}), &stats, all),
        ("sql", json!({"text": columns("")}), &stats, most),
    ] {
        let id = world.call(tool, &call).result_id.unwrap();
        let told = check(&world, &json!({"result": id, "stats": stats}));
        assert!(told.contains(head), "{call} {told}");
        assert_eq!(told.lines().count(), if head == all { 1 } else { 4 }, "{told}");
    }
    // Bars of minutes are no days; those of days are.
    for (call, head) in [
        (json!({"table": "bars"}), "Nothing was checked"),
        (json!({"table": "bars", "from": "daily"}), "Checked against"),
    ] {
        let id = world.call("query", &call).result_id.unwrap();
        let told = check(&world, &json!({"result": id, "stats": {"trading_days": 2}}));
        assert!(told.starts_with(head), "{call} {told}");
        let stats = json!({"open_price": 100, "close_price": 98, "change_points": -2});
        let told = check(&world, &json!({"result": id, "stats": stats}));
        assert!(told.ends_with("3 right, 0 wrong"), "{call} {told}");
    }
}
