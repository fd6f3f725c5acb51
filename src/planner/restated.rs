//! Questions in other words for the same, where those are understood.

use super::token::{TokenKind, tokenise};
use super::{Attempt, Reading, Status, language, product, signed};
use crate::schema::TableSchema;

/// How sure what is offered is at most.
const NEARLY: f64 = 0.74;

/// What would be run, to be chosen.
pub(super) fn offered(mut attempt: Attempt) -> Attempt {
    let plan = &mut attempt.plan;
    plan.status = Status::Readings;
    plan.confidence = plan.confidence.min(NEARLY);
    plan.message = Some(language::choose(plan.language, &[], 1));
    let explanation = std::mem::take(&mut plan.explanation);
    let (confidence, notes) = (plan.confidence, std::mem::take(&mut plan.notes));
    let query = plan.query.take();
    plan.readings =
        query.map(|query| Reading { query, explanation, confidence, notes }).into_iter().collect();
    attempt
}

/// `топ городов`: some of them, as `top cities` are, not the first alone.
pub(super) fn with_ten(question: &str) -> Option<String> {
    let tokens = tokenise(question);
    let at = tokens.iter().position(|t| t.folded == "топ")?;
    let next = tokens.get(at + 1).filter(|t| t.kind == TokenKind::Word)?;
    const MANY: [&str; 8] = ["ов", "ев", "ей", "ок", "ек", "ий", "ых", "их"];
    if !MANY.iter().any(|ending| next.folded.ends_with(ending)) {
        return None;
    }
    let (before, after) = question.split_at_checked(next.span.start)?;
    Some(format!("{before}10 {after}"))
}

/// The question in words that are understood over this table.
pub(super) fn restated(question: &str, table: &TableSchema) -> Option<String> {
    let tokens = tokenise(question);
    product::of_quantity_and_price(question, &tokens, table)
        .or_else(|| signed::of_savings(question, &tokens, table))
}
