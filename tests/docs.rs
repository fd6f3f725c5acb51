//! The function reference in the docs is the function table, printed.
//! `UPDATE_DOCS=1 cargo test --test docs` rewrites it.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    reason = "a test that reads and writes the docs"
)]

use pinhole::query::functions;

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
