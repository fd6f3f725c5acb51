//! The invariants of ARCHITECTURE.md that the compiler does not hold by itself.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test that reads the source tree"
)]

use std::fs;
use std::path::{Path, PathBuf};

/// The modules from the bottom up: each may use those on its line and before it, never those after.
const LAYERS: &[&[&str]] = &[
    &["error"],
    &["value", "schema"],
    &["query"],
    &["facts"],
    &["engine"],
    &["summary"],
    &["disclose"],
    &["validate"],
    &["planner"],
    &["recall"],
    &["tools"],
    &["chat"],
    &["wasm"],
];

struct Source {
    /// Relative to `src`, with forward slashes.
    name: String,
    text: String,
}

impl Source {
    /// A file of tests alone.
    fn is_test(&self) -> bool {
        self.name.contains("/tests/")
            || self.name.ends_with("tests.rs")
            || self.name.ends_with("fixture.rs")
    }

    fn module(&self) -> &str {
        self.name.split(['/', '.']).next().unwrap_or_default()
    }

    /// Lines without comments, with their numbers.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text
            .lines()
            .enumerate()
            .map(|(i, line)| (i + 1, line.split("//").next().unwrap_or_default()))
            .filter(|(_, line)| !line.trim().is_empty())
    }
}

fn root() -> PathBuf {
    PathBuf::from(".")
}

fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.filter_map(Result::ok).map(|e| e.path()) {
        if path.is_dir() {
            if !path.ends_with("node_modules") && !path.ends_with("target") {
                files(&path, extension, found);
            }
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
}

fn sources() -> Vec<Source> {
    let src = root().join("src");
    let mut paths = Vec::new();
    files(&src, "rs", &mut paths);
    paths.sort();
    paths
        .iter()
        .map(|path| Source {
            name: path.strip_prefix(&src).unwrap().to_string_lossy().replace('\\', "/"),
            text: fs::read_to_string(path).unwrap(),
        })
        .collect()
}

/// Lists every line that `wrong` objects to; fails when there is one.
fn forbid(rule: &str, wrong: impl Fn(&Source, &str) -> bool) {
    let found: Vec<String> = sources()
        .iter()
        .flat_map(|source| {
            source
                .code()
                .filter(|(_, line)| wrong(source, line))
                .map(|(number, line)| format!("src/{}:{number}: {}", source.name, line.trim()))
                .collect::<Vec<_>>()
        })
        .collect();
    assert!(found.is_empty(), "{rule}\n{}", found.join("\n"));
}

fn mentions(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
            && !after.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

#[test]
fn only_the_engine_knows_arrow_and_datafusion() {
    forbid("arrow and datafusion belong to src/engine", |source, line| {
        source.module() != "engine"
            && ["arrow::", "datafusion::", "use arrow", "use datafusion"]
                .iter()
                .any(|word| line.contains(word) && !line.contains("crate::"))
    });
}

#[test]
fn public_types_of_the_engine_do_not_show_datafusion() {
    forbid("a public item of the engine names a DataFusion or Arrow type", |source, line| {
        source.module() == "engine"
            && line.trim_start().starts_with("pub fn")
            && [
                "RecordBatch",
                "DataFrame",
                "LogicalPlan",
                "SessionContext",
                "SchemaRef",
                "ArrayRef",
            ]
            .iter()
            .any(|word| mentions(line, word))
    });
}

#[test]
fn only_the_facade_knows_javascript() {
    forbid("wasm-bindgen and its kin belong to src/wasm", |source, line| {
        source.module() != "wasm"
            && ["wasm_bindgen", "js_sys", "web_sys", "gloo", "serde_wasm_bindgen"]
                .iter()
                .any(|word| line.contains(word))
    });
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let mut section = "";
    for line in manifest.lines() {
        if line.starts_with('[') {
            section = line;
        }
        if ["wasm-bindgen", "js-sys", "web-sys", "gloo", "serde-wasm-bindgen"]
            .iter()
            .any(|name| line.starts_with(name))
        {
            assert!(section.contains("target_arch = \"wasm32\""), "`{line}` stands in `{section}`");
        }
    }
}

#[test]
fn modules_use_only_those_above_them() {
    forbid("a module uses one below it", |source, line| {
        let Some(own) = LAYERS.iter().position(|m| m.contains(&source.module())) else {
            return false;
        };
        let mut below = LAYERS[own + 1..].iter().flat_map(|layer| layer.iter());
        !source.is_test() && below.any(|below| line.contains(&format!("crate::{below}::")))
    });
    for source in sources() {
        assert!(
            source.module() == "lib" || LAYERS.iter().any(|layer| layer.contains(&source.module())),
            "src/{} has no place in the list of layers",
            source.name
        );
    }
}

#[test]
fn only_the_check_makes_a_checked_query() {
    forbid("a CheckedQuery is made by src/query/check alone", |source, line| {
        !source.name.starts_with("query/check/")
            && line.contains("CheckedQuery {")
            && !line.contains("struct")
            && !line.contains("impl")
            && !line.contains("for CheckedQuery")
            && !line.contains("->")
    });
}

#[test]
fn only_the_guard_of_sql_lets_a_statement_pass() {
    forbid("CheckedQuery::from_sql is for src/engine/sql.rs alone", |source, line| {
        source.name != "engine/sql.rs"
            && source.name != "query/check/typed.rs"
            && line.contains("from_sql(")
    });
    forbid("what a script has read is said by src/engine/scripts.rs alone", |source, line| {
        source.name != "engine/scripts.rs"
            && source.name != "query/check/typed.rs"
            && line.contains("of_script(&")
    });
}

#[test]
fn only_the_page_completes_values() {
    forbid("OwnPage, which shows values of columns, is for the facade alone", |source, line| {
        source.module() != "wasm"
            && !source.name.starts_with("query/complete/")
            && !source.is_test()
            && mentions(line, "OwnPage")
    });
}

#[test]
fn only_the_conversation_passes_on_plain_text() {
    forbid("words of a person or a model enter the gate in src/chat alone", |source, line| {
        !["chat", "disclose"].contains(&source.module())
            && (line.contains("typed_by_person(") || line.contains("model_words("))
    });
}

#[test]
fn only_the_check_of_reported_numbers_quotes_a_model() {
    forbid(
        "words of a model enter the gate by `reported` in src/tools/stats.rs alone",
        |source, line| {
            source.name != "tools/stats.rs"
                && source.module() != "disclose"
                && line.contains(".reported(")
        },
    );
}

#[test]
fn only_disclose_makes_what_can_leave() {
    forbid("Disclosed and Disclosure are made by src/disclose alone", |source, line| {
        source.module() != "disclose"
            && (line.contains("Disclosure {") || line.contains("Disclosed {"))
            && !line.contains("->")
            && !line.contains("impl")
    });
}

#[test]
fn nothing_reads_a_clock_a_file_or_the_environment() {
    forbid("the host gives time, files and settings", |_, line| {
        ["std::time::Instant", "SystemTime", "std::fs", "std::env", "std::thread", "Utc::now"]
            .iter()
            .any(|word| line.contains(word))
    });
}

#[test]
fn input_and_network_paths_do_not_panic() {
    for source in sources().iter().filter(|s| !s.is_test()) {
        let body = source.text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in body.lines().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            for word in
                [".unwrap()", ".expect(", "panic!(", "unreachable!(", "todo!(", "unimplemented!("]
            {
                assert!(
                    !code.contains(word),
                    "src/{}:{}: `{word}` outside tests",
                    source.name,
                    number + 1
                );
            }
        }
    }
}

#[test]
fn every_file_says_what_it_is_for_and_is_short() {
    for source in sources() {
        assert!(source.text.starts_with("//!"), "src/{} has no module doc", source.name);
        let lines = source.text.lines().count();
        if source.is_test() {
            continue;
        }
        assert!(lines <= 700, "src/{} has {lines} lines: split it by concept", source.name);
    }
}

#[test]
fn every_function_has_a_golden_case() {
    let mut paths = Vec::new();
    files(&root().join("tests/golden"), "txt", &mut paths);
    assert!(!paths.is_empty());
    let golden: String = paths.iter().map(|p| fs::read_to_string(p).unwrap()).collect();
    let missing: Vec<&str> = pinhole::query::functions::names()
        .filter(|name| !golden.contains(&format!("{name}(")))
        .collect();
    assert!(missing.is_empty(), "functions without a golden case: {missing:?}");
}

#[test]
fn nothing_of_one_machine_is_committed() {
    let mut paths = Vec::new();
    for extension in ["rs", "toml", "md", "ts", "js", "mjs", "json", "html", "css", "py", "txt"] {
        files(&root(), extension, &mut paths);
    }
    let bad =
        ["/ro".to_owned() + "ot/", "/wo".to_owned() + "rk/", "registry.".to_owned() + "npmjs"];
    for path in paths {
        let text = fs::read_to_string(&path).unwrap_or_default();
        for word in &bad {
            assert!(!text.contains(word.as_str()), "{} names `{word}`", path.display());
        }
    }
}
