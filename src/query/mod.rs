//! The query language: a flat JSON object whose expressions are parsed by our own lexer and parser,
//! checked against a schema without reading a row, and printed back in one canonical form.
//!
//! [`Query`] (anything that was written) → [`check`](fn@check::check) → [`CheckedQuery`] (the only thing the
//! engine plans). Nothing here knows Arrow or DataFusion.

pub mod ast;
pub mod check;
pub mod complete;
pub mod explain;
pub mod format;
pub mod functions;
mod lexer;
mod parser;
pub(crate) mod pattern;
pub mod period;
mod raw;
mod shape;
pub mod timeframe;

pub use check::{CheckedQuery, check, check_json};
pub use parser::parse;
pub use raw::{FIELDS, Query, Selected, Written};

#[cfg(test)]
mod tests;
