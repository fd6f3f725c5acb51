//! `How many trips there?` and `what is their average fare?`: of the rows or groups that the question
//! before was about.

use super::{cut, ready};
use crate::planner::stem::is_cyrillic;
use crate::planner::token::{Token, TokenKind, tokenise};
use crate::planner::{Context, Plan, Status, follow, language, plan_over, to_choose};
use crate::query::Query;
use crate::schema::TableSchema;
use std::ops::Range;
use std::sync::Arc;

/// The plan of a question that points at the place or at the groups of the one before.
pub(super) fn read(
    question: &str,
    tables: &[Arc<TableSchema>],
    context: &Context<'_>,
) -> Option<Plan> {
    let tokens = tokenise(question);
    let Some(previous) = context.previous else {
        // nothing was told before, or nothing that was chosen
        let at = pointer(&tokens, false)?;
        let said = cut(question, &tokens, &at);
        if pointer(&tokenise(&said), false).is_some() {
            return None;
        }
        return Some(doubted(plan_over(&said, tables, context)));
    };
    let ranked = is_ranked(previous);
    let at = pointer(&tokens, ranked)?;
    let said = without(question, &tokens, &at);
    if pointer(&tokenise(&said), ranked).is_some() {
        return None;
    }
    if !ranked {
        let narrowed = previous.filter.is_some() || previous.period.is_some();
        let plan = plan_over(&said, tables, context);
        // of all rows, nothing says where there is
        return Some(if narrowed { plan } else { doubted(plan) });
    }
    let all = Query { sort: Vec::new(), limit: None, ..previous.clone() };
    let plan = plan_over(&said, tables, &Context { previous: Some(&all), ..*context });
    let offered = plan.readings.iter().map(|reading| &reading.query);
    let mut made = plan.query.iter().chain(offered).filter(|query| {
        let same = query.group_by == all.group_by
            && query.map == all.map
            && query.filter == all.filter
            && query.period == all.period
            && query.from == all.from;
        same && query.select.len() == 1 && query.sort.is_empty() && query.limit.is_none()
    });
    let Some(more) = made.next() else { return Some(doubted(plan)) };
    let mut query = previous.clone();
    query.select.extend(more.select.iter().filter(|s| !previous.select.contains(s)).cloned());
    ready(query, plan.language, language::goes_on(), tables, context)
}

/// What the words before the pointer ask of everything is only offered.
fn doubted(plan: Plan) -> Plan {
    if plan.status == Status::Ready { to_choose(plan) } else { plan }
}

/// The first groups in the order of what was told of them.
fn is_ranked(query: &Query) -> bool {
    query.limit.is_some()
        && query.sort.len() == 1
        && !query.group_by.is_empty()
        && !query.select.is_empty()
        && query.steps.is_empty()
}

/// Words before one that points.
const OF: [&str; 10] = ["of", "for", "in", "at", "from", "у", "в", "во", "на", "для"];
const BE: [&str; 6] = ["is", "are", "was", "were", "be", "been"];

/// The words that point at what was told before; other words than `there` only where groups were told.
fn pointer(tokens: &[Token], ranked: bool) -> Option<Range<usize>> {
    let word = |i: usize| tokens.get(i).map_or("", |t| t.folded.as_str());
    let words = tokens.iter().rposition(|t| t.kind == TokenKind::Word)? + 1;
    (0..words).find_map(|at| {
        let before = at.checked_sub(1).map_or("", word);
        let last = at + 1 == words && OF.contains(&before);
        match word(at) {
            "там" => Some(at..at + 1),
            // `how many trips are there`, `is there a trip` say that something is
            "there" => (!BE.contains(&before) && !BE.contains(&word(at + 1))).then_some(at..at + 1),
            "their" | "its" => ranked.then_some(at..at + 1),
            "them" | "those" | "these" | "it" => (ranked && last).then(|| at - 1..at + 1),
            "них" | "нем" | "ней" | "него" | "нее" => {
                (ranked && OF.contains(&before)).then(|| at - 1..at + 1)
            }
            _ => None,
        }
    })
}

/// The question without the pointer, as one that goes on.
fn without(question: &str, tokens: &[Token], at: &Range<usize>) -> String {
    let said = cut(question, tokens, at);
    if follow::goes_on(tokens) {
        return said;
    }
    let russian = tokens.get(at.start).is_some_and(|t| t.folded.chars().any(is_cyrillic));
    let opener = if russian { "а" } else { "and" };
    format!("{opener} {said}")
}
