//! The golden cases in the browser: the same body, the same files.
#![cfg(target_arch = "wasm32")]
#![allow(missing_docs, reason = "a test")]

#[path = "recall/cosines.rs"]
mod cosines;
#[path = "formats/runner.rs"]
mod formats;
#[path = "groupby/mod.rs"]
mod groupby;
#[path = "reference/indicators.rs"]
mod reference;
#[path = "golden/runner.rs"]
mod runner;
#[path = "tpch/mod.rs"]
mod tpch;

use std::fmt::Write;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_dedicated_worker);

/// More than one batch, more than one step.
const ROWS: usize = 200_000;

#[wasm_bindgen_test]
fn golden_cases_come_out_as_written() {
    let mut wrong = String::new();
    for (name, text) in runner::FILES {
        for (expected, actual) in runner::differences(name, text) {
            let _ = writeln!(wrong, "{name}: expected\n{expected}actual\n{actual}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[wasm_bindgen_test]
fn indicators_agree_with_other_libraries() {
    let (right, wrong) = reference::compare();
    assert!(wrong.is_empty(), "{right} values agree, and not\n{wrong}");
}

#[wasm_bindgen_test]
fn files_of_other_programs_are_read() {
    let wrong: String = formats::FILES.iter().map(|file| formats::differences(file, 7)).collect();
    assert!(wrong.is_empty(), "{wrong}");
}

#[wasm_bindgen_test]
fn tpch_is_answered_as_duckdb_answers_it() {
    let (right, wrong) = tpch::compare();
    assert!(wrong.is_empty(), "{right} cells agree, and not\n{wrong}");
    assert!(right > 2_000, "{right} cells");
}

#[wasm_bindgen_test]
fn the_db_benchmark_is_answered_as_duckdb_answers_it() {
    let (right, wrong) = groupby::compare();
    assert!(wrong.is_empty(), "{right} cells agree, and not\n{wrong}");
    assert!(right > 2_500, "{right} cells");
}

#[wasm_bindgen_test]
fn cosines_are_those_of_doubles() {
    cosines::check();
}

#[wasm_bindgen_test]
fn a_file_pushed_in_pieces_is_read_and_asked() {
    use pinhole::engine::ingest::{Loader, Options};
    use pinhole::engine::{Engine, Options as EngineOptions};
    use pinhole::query::{Query, check};
    use pinhole::value::Value;
    use std::sync::Arc;

    let mut csv = String::from("id,amount,shop\n");
    for i in 0..ROWS {
        let _ = writeln!(csv, "{i},{}.5,{}", i % 100, ["Kuper", "Vkusno"][i % 2]);
    }
    let mut loader = Loader::new("t", Options::default()).expect("a loader");
    for piece in csv.as_bytes().chunks(4099) {
        loader.push(piece).expect("a piece");
    }
    let mut engine = Engine::new(EngineOptions::default()).expect("an engine");
    engine.insert(loader.finish().expect("a table").table).expect("room");
    let query = serde_json::json!({
        "group_by": "shop", "select": ["sum(amount)", "count()"], "sort": "sum_amount desc",
    });
    let query = Query::from_json(&query).expect("a query");
    let checked = Arc::new(check(&query, &engine.tables()).expect("a checked query"));
    let outcome = engine.start(&checked).expect("a start").finish().expect("a result");
    assert_eq!(outcome.value(0, 0), Value::text("Vkusno"));
    assert_eq!(outcome.value(0, 1), Value::Float(5_050_000.0));
    assert_eq!(outcome.value(1, 2), Value::Int(100_000));
}
