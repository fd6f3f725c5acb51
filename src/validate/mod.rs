//! Checking what a text says against the evidence. No model takes part.
//!
//! [`check`] finds and judges every number of a text, [`render`] fills in references so that there
//! is nothing to judge, [`stats::check`] compares numbers that are reported by field. All three take
//! any text and any results; none needs the conversation, and [`table::result`] makes a result of any
//! table, so that none needs a query either.

use crate::error::Span;
use crate::value::Value;
use serde::Serialize;

mod addresses;
pub mod claims;
pub mod references;
pub mod stats;
pub mod table;

pub use claims::{Context, check};
pub use references::{Rendered, render};

/// What the code found of one claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Bound to a fact and equal to it, within half a unit of the last digit shown.
    Verified,
    /// Follows from facts by a stated formula.
    Derived,
    /// Bound to a fact that says otherwise.
    Contradicted,
    /// Bound to nothing that the evidence holds.
    Unverifiable,
}

/// Where a number comes from: a cell of a result.
#[derive(Debug, Clone, PartialEq)]
pub struct FactRef {
    /// Result id (`r1`).
    pub result: String,
    /// The row of the result's table, `None` for facts about the whole (a row count, a statistic).
    pub row: Option<usize>,
    /// The group keys of that row: name and shown value.
    pub key: Vec<(String, String)>,
    /// The column, or the name of a count (`rows`, `rows_matched`), or `stats.<column>.<max>`.
    pub column: String,
    /// The exact value.
    pub value: Value,
}

/// One claim of a text, and what the code found.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// Where it stands in the text, in bytes.
    pub span: Span,
    /// The words of the claim.
    pub text: String,
    /// The finding.
    pub verdict: Verdict,
    /// The actual value, written as the claim is, where the evidence says otherwise.
    pub actual: Option<String>,
    /// The fact it was bound to.
    pub fact: Option<FactRef>,
    /// The formula it follows by.
    pub formula: Option<String>,
    /// The facts that the formula is made of, each with its row; none where they are more than a
    /// person reads, or every row of a table.
    pub operands: Vec<FactRef>,
    /// The original draft's words, where the code replaced them by the actual value.
    pub replaced: Option<String>,
}

/// Whether a text can be delivered as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Overall {
    /// Nothing is wrong.
    Ok,
    /// Some claim is contradicted or unverifiable.
    Rewrite,
}

/// The findings about a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Check {
    /// In order of appearance; spans do not overlap.
    pub claims: Vec<Claim>,
    /// Whether the text can be delivered as it is.
    pub verdict: Overall,
    /// What to tell the author: one `- …` line a bad claim, empty when all is well.
    pub feedback: String,
}

/// A text whose every number was put there by code, with its claims.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Marked {
    /// The text.
    pub text: String,
    /// Its claims, spans into `text`.
    pub claims: Vec<Claim>,
}
