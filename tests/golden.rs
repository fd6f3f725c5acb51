//! The golden cases, natively. `UPDATE_GOLDEN=1 cargo test --test golden` rewrites the expectations.
#![cfg(not(target_arch = "wasm32"))]
#![allow(missing_docs, clippy::disallowed_methods, reason = "a test that rewrites its own files")]

#[path = "golden/runner.rs"]
mod runner;

use std::fmt::Write;

#[test]
fn golden_cases_come_out_as_written() {
    let mut wrong = String::new();
    for (name, text) in runner::FILES {
        // What other engines computed is never rewritten with what this one does.
        if std::env::var_os("UPDATE_GOLDEN").is_some() && !runner::BY_OTHERS.contains(name) {
            let path = format!("tests/golden/{name}.txt");
            std::fs::write(path, runner::run_file(name, text)).expect("the file can be written");
            continue;
        }
        for (expected, actual) in runner::differences(name, text) {
            writeln!(wrong, "{name}: expected\n{expected}actual\n{actual}").expect("a string");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
