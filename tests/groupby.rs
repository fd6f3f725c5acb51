//! The group-by and join questions of the db-benchmark against the answers of DuckDB, natively.
#![cfg(not(target_arch = "wasm32"))]
#![allow(missing_docs, reason = "a test")]

#[path = "groupby/mod.rs"]
mod groupby;

#[test]
fn the_db_benchmark_is_answered_as_duckdb_answers_it() {
    let (right, wrong) = groupby::compare();
    assert!(wrong.is_empty(), "{right} cells agree, and not\n{wrong}");
    assert!(right > 2_500, "{right} cells");
}
