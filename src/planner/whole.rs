//! Which questions stand by themselves, whatever was asked before them, as far as words can tell.

use super::lattice::Lattice;
use super::token::{Token, TokenKind, tokenise};
use super::{Context, LONGEST, READY, Status, assemble, follow, plan, same};
use crate::query::Query;
use crate::schema::TableSchema;
use std::sync::Arc;

/// Words that point at something said before.
const POINTERS: [&str; 97] = [
    "it",
    "its",
    "they",
    "them",
    "their",
    "theirs",
    "he",
    "him",
    "his",
    "she",
    "her",
    "hers",
    "this",
    "that",
    "these",
    "those",
    "one",
    "ones",
    "other",
    "others",
    "another",
    "else",
    "again",
    "previous",
    "former",
    "latter",
    "such",
    "same",
    "so",
    "rest",
    "remaining",
    "result",
    "results",
    "answer",
    "earlier",
    "likewise",
    "instead",
    "first",
    "second",
    "third",
    "он",
    "она",
    "оно",
    "они",
    "его",
    "ее",
    "их",
    "ему",
    "ей",
    "им",
    "ими",
    "нему",
    "ней",
    "ним",
    "ними",
    "нем",
    "них",
    "нее",
    "него",
    "этот",
    "эта",
    "это",
    "эти",
    "этого",
    "этой",
    "эту",
    "этих",
    "этому",
    "этим",
    "этом",
    "этими",
    "тот",
    "та",
    "те",
    "того",
    "той",
    "ту",
    "тех",
    "тому",
    "тем",
    "том",
    "там",
    "тогда",
    "такой",
    "такая",
    "такие",
    "таких",
    "же",
    "еще",
    "снова",
    "опять",
    "другой",
    "другие",
    "других",
    "другая",
    "другое",
    "остальные",
];

/// Words before a noun that stand for none by themselves: `the first quarter`.
const ORDINALS: [&str; 3] = ["first", "second", "third"];

/// Words of time that lean on another time at the end of a question: `the month before`.
const LEANING: [&str; 8] =
    ["before", "after", "then", "earlier", "later", "раньше", "позже", "потом"];

/// A question of so many words that it is none of `by month`, and that does not begin as one which
/// goes on: what follows a question of its own goes on from no earlier one, understood or not.
pub fn is_whole(question: &str) -> bool {
    const WHOLE: usize = 4;
    let tokens = tokenise(question);
    let words = tokens.iter().filter(|t| t.kind == TokenKind::Word).count();
    words >= WHOLE && !follow::goes_on(&tokens)
}

/// Whether a question means the same after any other: it does not begin as one that goes on, points
/// at nothing said before, leaves nothing out, and says over one of the tables what it is about.
pub fn stands_alone(question: &str, tables: &[Arc<TableSchema>]) -> bool {
    let tokens = tokenise(question);
    if tokens.len() > LONGEST || follow::goes_on(&tokens) {
        return false;
    }
    if !tokens.iter().any(|token| token.kind == TokenKind::Word) || points_back(&tokens) {
        return false;
    }
    let mut about = false;
    for schema in tables {
        let lattice = Lattice::new(schema, &tokens);
        let parses = lattice.parses();
        let measures = assemble::Table::new(schema);
        let Some(best) = parses.first() else { continue };
        if follow::is_elliptic(best, &tokens) {
            continue;
        }
        let ready = || {
            assemble::sketches(best, &measures).iter().any(|s| best.quality * s.quality >= READY)
        };
        about |= follow::has_subject(best, &tokens) || ready();
    }
    about
}

/// Words behind `those` that say which.
pub(super) const WHICH: [&str; 21] = [
    "with",
    "without",
    "who",
    "whose",
    "that",
    "which",
    "having",
    "heavier",
    "lighter",
    "longer",
    "shorter",
    "older",
    "younger",
    "over",
    "under",
    "above",
    "below",
    "не",
    "без",
    "кто",
    "которые",
];

/// A word points at something said before, or leans on another time at the end.
pub(super) fn points_back(tokens: &[Token]) -> bool {
    let words: Vec<&str> = tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Word)
        .map(|token| token.folded.as_str())
        .collect();
    let points = words.iter().enumerate().any(|(at, word)| {
        let named = ORDINALS.contains(word) && at + 1 < words.len()
            || *word == "those" && words.get(at + 1).is_some_and(|next| WHICH.contains(next));
        POINTERS.contains(word) && !named
    });
    points || words.last().is_some_and(|word| LEANING.contains(word))
}

/// Whether `query` gives the rows that the planner reads the question as, with nothing before it.
pub fn reads_as(question: &str, query: &Query, tables: &[Arc<TableSchema>]) -> bool {
    let plan = plan(question, tables, &Context::default());
    let (Status::Ready, Some(own)) = (plan.status, plan.query) else { return false };
    let named = |query: &Query| {
        let mut query = query.clone();
        if query.table.is_none()
            && let [table] = tables
        {
            query.table = Some(table.name.clone());
        }
        same::meaning(&query)
    };
    named(&own) == named(query)
}
