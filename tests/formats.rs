//! Files that other programs wrote, natively: names, kinds and every value as another reader sees
//! them. `tests/formats/make.py` makes the files and the expectations.
#![cfg(not(target_arch = "wasm32"))]
#![allow(missing_docs, reason = "a test")]

#[path = "formats/runner.rs"]
mod runner;

/// Every file whose name ends with one of these is as expected, however its bytes come.
fn check(endings: &[&str]) {
    let mut wrong = String::new();
    let mut files = 0;
    for file in runner::FILES {
        let name = file.name.trim_end_matches(".gz").trim_end_matches(".zst");
        if endings.iter().any(|ending| name.ends_with(ending)) {
            files += 1;
            for step in [usize::MAX, 7] {
                wrong += &runner::differences(file, step);
            }
        }
    }
    assert!(files > 0, "no files end with {endings:?}");
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn delimited_text_of_other_programs() {
    check(&[".csv", ".tsv", ".txt"]);
}

#[test]
fn json_of_other_programs() {
    check(&[".json", ".ndjson"]);
}

#[test]
fn arrow_of_other_programs() {
    check(&[".arrow", ".arrows", ".feather"]);
}

#[test]
fn every_format_and_packing_has_files() {
    let has = |end: &str| runner::FILES.iter().any(|file| file.name.ends_with(end));
    for end in [
        ".csv",
        ".tsv",
        ".csv.gz",
        ".csv.zst",
        ".json",
        ".ndjson",
        ".ndjson.gz",
        ".ndjson.zst",
        ".arrow",
        ".arrows",
        ".feather",
    ] {
        assert!(has(end), "no file ends with {end}");
    }
    let bytes: usize = runner::FILES.iter().map(|file| file.bytes.len()).sum();
    assert!(bytes < 400_000, "{bytes} bytes");
}

#[test]
fn every_program_has_files_under_its_name() {
    let made_by = |file: &runner::File| file.name.split(['-', '.']).next().unwrap_or_default();
    let programs = ["duckdb", "libreoffice", "numpy", "pandas", "polars", "pyarrow", "r", "script"];
    for program in programs {
        let has = runner::FILES.iter().any(|file| made_by(file) == program);
        assert!(has, "no file by {program}");
    }
    for file in runner::FILES {
        assert!(programs.contains(&made_by(file)), "who made {}?", file.name);
        let script = file.expected.starts_with("// Python's csv module");
        assert_eq!(script, made_by(file) == "script", "{}", file.name);
    }
}
