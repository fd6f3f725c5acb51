//! The function reference in the docs and the names of functions in the package are the function
//! table, printed.
//! `UPDATE_DOCS=1 cargo test --test docs` rewrites it.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that reads and writes the docs"
)]

use pinhole::error::{Code, Locale};
use pinhole::query::functions::{self, Family, Stand};

const START: &str = "cargo test --test docs -->\n";
const END: &str = "<!-- end of functions -->";

#[test]
fn the_function_reference_is_the_function_table() {
    let path = "docs/query.md";
    let text = std::fs::read_to_string(path).unwrap();
    let start = text.find(START).expect("the start mark") + START.len();
    let end = text.find(END).expect("the end mark");
    let expected = format!("\n{}\n", functions::markdown());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, format!("{}{expected}{}", &text[..start], &text[end..])).unwrap();
    } else {
        assert_eq!(&text[start..end], expected, "run UPDATE_DOCS=1 cargo test --test docs");
    }
}

/// The names of functions as types of the npm package, in the layout that Prettier gives them.
fn types_of_names() -> String {
    let mut out = String::from(
        "// The names of the functions of the query language, from the function table.\n\
         // `UPDATE_DOCS=1 cargo test --test docs` rewrites this file.\n",
    );
    let stands = [
        ("RowFunctionName", "one value per row, from that row alone", Stand::Row),
        (
            "WindowFunctionName",
            "one value per row, from that row and its neighbours",
            Stand::Window,
        ),
        ("AggregateName", "one value from many rows", Stand::Aggregate),
    ];
    for (name, what, stand) in stands {
        let members: Vec<String> = functions::all()
            .filter(|f| f.stand == stand)
            .map(|f| format!("\"{}\"", f.name))
            .collect();
        out += "\n/** Functions that make ";
        out += what;
        out += ". */\n";
        out += &union(name, &members);
    }
    let names = stands.map(|(name, ..)| name.to_owned());
    out.push_str("\n/** Every function of the query language. */\n");
    out.push_str(&union("FunctionName", &names));
    let families: Vec<String> =
        Family::ALL.iter().map(|f| format!("\"{}\"", f.title(Locale::En))).collect();
    out.push_str("\n/** The families of functions, as the reference names them. */\n");
    out.push_str(&union("FunctionFamily", &families));
    out
}

/// `export type Name = "a" | "b";`, a member a line where it is long.
fn union(name: &str, members: &[String]) -> String {
    const WIDTH: usize = 100;
    let line = format!("export type {name} = {};\n", members.join(" | "));
    if line.trim_end().chars().count() <= WIDTH {
        return line;
    }
    format!("export type {name} =\n  | {};\n", members.join("\n  | "))
}

#[test]
fn the_types_of_function_names_are_the_function_table() {
    let path = "pkg-template/src/functions.ts";
    let expected = types_of_names();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, expected).unwrap();
    } else {
        let text = std::fs::read_to_string(path).unwrap();
        assert_eq!(text, expected, "run UPDATE_DOCS=1 cargo test --test docs");
    }
}

/// Texts of the package that are sentences and no codes: nothing fails with them.
const SENTENCES: [&str; 3] = ["found_results", "not_planned", "recall_failed"];

/// Codes of the package whose meaning no text says.
const UNSAID: [(&str, &str); 4] = [
    ("bad_argument", "An argument of a page's own tool has a value that its schema does not take."),
    (
        "missing_argument",
        "A page's own tool is called without an argument that its schema requires.",
    ),
    ("no_bytes", "The method by which a table gives itself as Arrow gave no bytes."),
    (
        "unknown_argument",
        "A page's own tool is called with an argument that its schema does not have.",
    ),
];

/// What a user of the package is told beside the meaning of a code.
const BESIDES: [(&str, &str); 2] = [
    (
        "model_missing",
        "The panel says so; by code, `ph.chat` sends a request without a model as it is, for \
         endpoints that know their own.",
    ),
    (
        "not_understood",
        "A conversation tells it as `ended` of `done`, with an answer that says so, and not as \
         `error`.",
    ),
];

/// The meanings of the codes, from the comments of the engine's and the texts of the package's own.
/// Codes that nothing gives are left out.
fn errors() -> String {
    let (mut engine, mut package) = (String::new(), String::new());
    texts_under("src".as_ref(), &["rs"], &mut engine);
    texts_under("pkg-template/src".as_ref(), &["ts"], &mut package);
    let quoted = |name: &str| package.contains(&format!("\"{name}\""));
    let code = include_str!("../src/error.rs");
    let (_, code) = code.split_once("pub enum Code {").unwrap();
    let (code, _) = code.split_once("\n}\n").unwrap();
    let mut rows = Vec::new();
    let mut meaning = "";
    for line in code.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("/// ") {
            meaning = text;
        } else if let Some(name) = line.strip_suffix(',') {
            let own: Code = serde_json::from_value(snake(name).into()).unwrap();
            let meaning = std::mem::take(&mut meaning).to_owned();
            if engine.contains(&format!("Code::{name}")) || quoted(&own.name()) {
                rows.push((own.name(), meaning));
            }
        }
    }
    let host = include_str!("../pkg-template/src/errors.ts");
    let (_, host) = host.split_once("const TEXTS = {").unwrap();
    let (host, _) = host.split_once("\n} as const").unwrap();
    for entry in host.split("],\n").filter(|entry| entry.contains(": [")) {
        let (name, texts) = entry.trim().split_once(": [").unwrap();
        let unsaid = UNSAID.iter().any(|(other, _)| *other == name);
        if unsaid || SENTENCES.contains(&name) || rows.iter().any(|(known, _)| known == name) {
            continue;
        }
        let first = texts.split('"').nth(1).unwrap();
        let mut text = first.replace("`{0}`", "…").replace("{0}", "…");
        text = text.trim_end_matches('.').to_owned();
        let capital = text.remove(0).to_uppercase();
        rows.push((name.to_owned(), format!("{capital}{text}.")));
    }
    for (name, meaning) in UNSAID {
        assert!(quoted(name), "nothing gives {name}");
        rows.push((name.to_owned(), meaning.to_owned()));
    }
    for (name, more) in BESIDES {
        let (_, meaning) = rows.iter_mut().find(|(known, _)| known == name).unwrap();
        *meaning = format!("{meaning} {more}");
    }
    rows.sort();
    let mut out = String::from(
        "# Errors\n\n\
         Whatever fails rejects with a `PinholeError`, or, in a conversation and in tools, comes as an \
         event or a result: a stable `code`, a message in the language of the page, and `diagnostics`, \
         where something that was given is wrong: for each problem the code, a JSON pointer to the \
         field, the span in its text, what would be valid and the plain fix where there is one. No \
         message has the value of a cell.\n\n\
         <!-- printed from the code: UPDATE_DOCS=1 cargo test --test docs -->\n\n\
         | code | meaning |\n|---|---|\n",
    );
    let row = |(name, meaning): (String, String)| {
        assert!(!meaning.is_empty(), "{name} says nothing");
        ["| `", &name, "` | ", &meaning.replace('|', "\\|"), " |\n"].concat()
    };
    out.extend(rows.into_iter().map(row));
    out
}

fn snake(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

#[test]
fn the_errors_are_those_of_the_code() {
    let path = "docs/errors.md";
    let expected = errors();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(path, expected).unwrap();
    } else {
        let text = std::fs::read_to_string(path).unwrap();
        assert_eq!(text, expected, "run UPDATE_DOCS=1 cargo test --test docs");
    }
}

/// The files under a folder whose names end so.
fn texts_under(folder: &std::path::Path, extensions: &[&str], found: &mut String) {
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            if !path.ends_with("node_modules") {
                texts_under(&path, extensions, found);
            }
        } else if path.extension().is_some_and(|e| extensions.iter().any(|other| e == *other)) {
            found.push_str(&std::fs::read_to_string(&path).unwrap());
        }
    }
}

#[test]
fn every_promise_names_tests_that_exist() {
    let text = std::fs::read_to_string("docs/disclosure.md").unwrap();
    let (_, promises) = text.split_once("## What is promised").expect("the promises");
    let (promises, _) = promises.split_once("\n## ").expect("their end");
    let mut code = String::new();
    texts_under("src".as_ref(), &["rs", "mjs"], &mut code);
    texts_under("tests".as_ref(), &["rs", "mjs"], &mut code);
    let rows = promises.lines().filter(|line| line.starts_with("| ")).skip(1);
    let mut seen = 0;
    for row in rows {
        let tests = row.rsplit('|').nth(1).expect("a cell");
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test: {row}");
        for name in names.iter().filter(|name| !["Disclosed", "Disclosure"].contains(name)) {
            let there =
                code.contains(&format!("fn {name}(")) || code.contains(&format!("\"{name}\""));
            assert!(there, "no test `{name}`");
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen}");
}
