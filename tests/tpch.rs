//! The questions of TPC-H against the answers of DuckDB, natively.
#![cfg(not(target_arch = "wasm32"))]
#![allow(missing_docs, reason = "a test")]

#[path = "tpch/mod.rs"]
mod tpch;

#[test]
fn tpch_is_answered_as_duckdb_answers_it() {
    let (right, wrong) = tpch::compare();
    assert!(wrong.is_empty(), "{right} cells agree, and not\n{wrong}");
    assert!(right > 2_000, "{right} cells");
}
