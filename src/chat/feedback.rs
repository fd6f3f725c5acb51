//! What a model may be told of a text that was checked outside a conversation.

use super::checker::{Checker, Evidence};
use super::history::Found;
use crate::disclose::{Disclosed, Finding, Gate};
use crate::error::Locale;
use crate::facts::Outcome;
use crate::validate::claims::Noted;
use std::sync::Arc;

/// What the author of `text` may be told of its check, a line a claim: the actual value where the
/// policy lets a model know it. Where the policy withholds something, the text is checked anew
/// against what may be known, so that the lines are the same whether a withheld number was right.
pub fn feedback(
    text: &str,
    question: &str,
    outcomes: &[Arc<Outcome>],
    noted: &Noted,
    gate: &Gate,
) -> Disclosed {
    let evidence = Evidence { outcomes: outcomes.to_vec(), ..Evidence::default() };
    let checker = Checker::new(&evidence, &[], question, Locale::En);
    let found = if gate.withholds_some() {
        checker.findings(text, gate).found
    } else {
        // Nothing is kept back: what was found may be told as it is.
        checker.all_found(noted)
    };
    let findings: Vec<Finding> = found.iter().map(Found::finding).collect();
    gate.feedback(&findings, Locale::En)
}
