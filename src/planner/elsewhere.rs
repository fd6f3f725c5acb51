//! Words of a question that name another of the loaded tables than the one it is read over.

use super::lattice::{BY_DICTIONARY, Lattice, Tag};
use super::stem::{fold, stem};
use super::token::TokenKind;
use crate::schema::TableSchema;
use std::sync::Arc;

/// A word is the whole name of another table, and neither this table's own name nor that of a column
/// or a value of it.
pub(super) fn is_named(lattice: &Lattice<'_>, tables: &[Arc<TableSchema>]) -> bool {
    let others: Vec<String> = tables
        .iter()
        .filter(|table| table.name != lattice.schema.name)
        .flat_map(|table| std::iter::once(&table.name).chain(&table.synonyms))
        .map(|name| stem(&fold(name)))
        .collect();
    let own = |at: usize| {
        lattice.at(at).iter().any(|found| match found.tag {
            Tag::Column(_) | Tag::Value(..) | Tag::Held(..) => true,
            Tag::Table => found.quality >= BY_DICTIONARY,
            Tag::Concept(_) => false,
        })
    };
    lattice.tokens.iter().enumerate().any(|(at, token)| {
        token.kind == TokenKind::Word && others.contains(&token.stem) && !own(at)
    })
}
