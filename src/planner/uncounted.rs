//! What is to be computed of a column that holds text: `average price`, where a cell of it is no
//! number.

use super::lattice::{BY_DICTIONARY, Lattice, Tag};
use super::token::Token;
use super::words::{Agg, Concept};
use super::{Plan, Status, language};
use crate::schema::{Kind, TableSchema};

/// A word that is said of a number alone: `how much`, `в среднем` and `overall` are not.
fn is_plain(word: &str) -> bool {
    const PLAIN: [&str; 8] = ["average", "avg", "mean", "median", "total", "sum", "медиан", "сумм"];
    PLAIN.iter().any(|begin| word.starts_with(begin))
        || (word.starts_with("средн") && word != "среднем")
}

/// The text column that directly follows a word for an aggregate of numbers, where those words name no
/// column of numbers.
fn text_measured<'a>(tokens: &[Token], schema: &'a TableSchema) -> Option<&'a str> {
    let lattice = Lattice::new(schema, tokens);
    let plain = |end: usize| {
        end.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|t| is_plain(&t.folded))
    };
    let numbers = |agg: Agg| matches!(agg, Agg::Mean | Agg::Sum | Agg::Median | Agg::Std);
    let after = (0..tokens.len()).flat_map(|at| {
        let found = lattice.concepts(at).filter_map(|(concept, end)| match concept {
            Concept::Agg(agg) if numbers(agg) && plain(end) => Some(end),
            _ => None,
        });
        found.collect::<Vec<_>>()
    });
    let mut named = after.filter_map(|end| {
        let place = lattice.glue(end);
        let columns = || {
            lattice.at(place).iter().filter(|m| m.quality >= BY_DICTIONARY).filter_map(|m| match m
                .tag
            {
                Tag::Column(column) => schema.columns.get(column),
                _ => None,
            })
        };
        let counted = columns().any(|c| c.kind != Kind::Text);
        let rows = lattice.at(place).iter().any(|m| m.tag == Tag::Table);
        columns().find(|c| c.kind == Kind::Text).filter(|_| !counted && !rows)
    });
    named.next().map(|column| column.name.as_str())
}

/// Tells a person whose question is of such a column what is the matter, instead of what else there
/// is to compute.
pub(super) fn tell(plan: &mut Plan, tokens: &[Token], schema: &TableSchema) {
    if plan.status == Status::Ready {
        return;
    }
    let Some(name) = text_measured(tokens, schema) else { return };
    let told = language::is_text(plan.language, name);
    let read = |query: &crate::query::Query| query.to_json().to_string().contains(name);
    if plan.readings.iter().any(|r| read(&r.query)) {
        let rest = plan.message.take().unwrap_or_default();
        plan.message = Some(format!("{told} {rest}"));
    } else {
        plan.status = Status::Declined;
        plan.confidence = 0.0;
        plan.readings.clear();
        plan.message = Some(told);
    }
}
