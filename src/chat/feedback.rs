//! What a model may be told of a text that was checked outside a conversation.

use super::checker::{Checker, Evidence, is_bad};
use super::history::Found;
use crate::disclose::{Disclosed, Finding, Gate};
use crate::error::Locale;
use crate::facts::Outcome;
use crate::validate::{Check, Claim};
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
    if !gate.withholds_some() {
        // Nothing is kept back: what was found may be told as it is.
        let bad = check.claims.iter().filter(|claim| is_bad(claim));
        let findings: Vec<Finding> = bad.map(|claim| finding(claim, outcomes)).collect();
        return gate.feedback(&findings, Locale::En);
    }
    let evidence = Evidence { outcomes: outcomes.to_vec(), ..Evidence::default() };
    let checker = Checker::new(&evidence, &[], question, Locale::En);
    let found = checker.findings(text, gate).found;
    let findings: Vec<Finding> = found.iter().map(Found::finding).collect();
    gate.feedback(&findings, Locale::En)
}

/// A claim that does not hold, with the cell that says otherwise where a result has it.
fn finding<'a>(claim: &'a Claim, outcomes: &'a [Arc<Outcome>]) -> Finding<'a> {
    let fact = claim.fact.as_ref();
    let cell = fact.and_then(|fact| {
        let of = outcomes.iter().find(|outcome| outcome.id == fact.result)?;
        Some((of.as_ref(), fact.row, fact.column.as_str()))
    });
    let whole = fact.filter(|fact| fact.row.is_none());
    let computed = claim.formula.as_deref().zip(whole.map(|fact| &fact.value));
    Finding { words: &claim.text, fact: cell, computed, condition: None }
}
