//! What a model may be told of a text that was checked outside a conversation.

use super::checker::{Checker, Evidence, is_bad};
use super::history::Found;
use crate::disclose::{Disclosed, Finding, Gate};
use crate::error::Locale;
use crate::facts::Outcome;
use crate::validate::Check;
use std::sync::Arc;

/// What the author of `text` may be told of its check, a line a claim: the actual value where the
/// policy lets a model know it. Where the policy withholds something, the text is checked anew
/// against what may be known, so that the lines are the same whether a withheld number was right.
pub fn feedback(
    text: &str,
    question: &str,
    outcomes: &[Arc<Outcome>],
    check: &Check,
    gate: &Gate,
) -> Disclosed {
    let evidence = Evidence { outcomes: outcomes.to_vec(), ..Evidence::default() };
    let checker = Checker::new(&evidence, &[], question, Locale::En);
    let mut found = checker.findings(text, gate).found;
    if !gate.withholds_some() {
        // What had to be computed for the check is computed: what holds by it is no finding.
        let bad = check.claims.iter().filter(|claim| is_bad(claim));
        let bad: Vec<&str> = bad.map(|claim| claim.text.as_str()).collect();
        found.retain(|one| bad.contains(&one.words.as_str()));
    }
    let findings: Vec<Finding> = found.iter().map(Found::finding).collect();
    gate.feedback(&findings, Locale::En)
}
