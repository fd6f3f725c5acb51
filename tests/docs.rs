//! The function reference in the docs and the names of functions in the package are the function
//! table, printed.
//! `UPDATE_DOCS=1 cargo test --test docs` rewrites it.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    reason = "a test that reads and writes the docs"
)]

use pinhole::error::Locale;
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
