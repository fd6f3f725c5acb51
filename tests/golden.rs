//! The golden cases, natively. `UPDATE_GOLDEN=1 cargo test --test golden` rewrites the expectations.

#[path = "golden/runner.rs"]
mod runner;

/// Name and text of every golden file.
const FILES: &[(&str, &str)] = &[
    ("aggregates", include_str!("golden/aggregates.txt")),
    ("arithmetic", include_str!("golden/arithmetic.txt")),
    ("bars", include_str!("golden/bars.txt")),
    ("functions", include_str!("golden/functions.txt")),
    ("reference", include_str!("golden/reference.txt")),
    ("results", include_str!("golden/results.txt")),
    ("windows", include_str!("golden/windows.txt")),
];

#[test]
fn golden_cases_come_out_as_written() {
    let mut wrong = String::new();
    for (name, text) in FILES {
        // What other engines computed is never rewritten with what this one does.
        if std::env::var_os("UPDATE_GOLDEN").is_some() && *name != "reference" {
            let path = format!("{}/tests/golden/{name}.txt", env!("CARGO_MANIFEST_DIR"));
            std::fs::write(path, runner::run_file(text)).expect("the file can be written");
            continue;
        }
        for (expected, actual) in runner::differences(text) {
            wrong.push_str(&format!("{name}: expected\n{expected}actual\n{actual}"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
