//! Which columns of its table a query depends on.

use crate::query::check::{CheckedQuery, CheckedStep, Node, ResultKind, Typed};
use crate::query::functions::Stand;
use crate::value::Value;
use std::collections::BTreeSet;

/// Every name that an expression of the query reads, and the time and series columns where the
/// order of the rows or their neighbours matter. Names that `map` makes are among them.
pub(super) fn names_read(query: &CheckedQuery) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let rows = |step: &CheckedStep| step.kind() == ResultKind::Table;
    let mut ordered = query.from().is_some() || query.steps().any(rows);
    let mut in_series = query.from().is_some();
    // Every value of a series takes part in an aggregate that all its rows share.
    let broadcast = |part: &Typed| matches!(&part.node, Node::Call { function, .. } if function.stand == Stand::Aggregate);
    for step in query.steps() {
        for made in step.map().iter().chain(step.filter()) {
            made.expr.visit(&mut |part| in_series |= broadcast(part));
        }
    }
    for expr in expressions(query) {
        expr.visit(&mut |part| match &part.node {
            Node::Column(name) => {
                names.insert(name.clone());
            }
            Node::Call { function, .. } => {
                let window = function.stand == Stand::Window;
                in_series |= window;
                ordered |=
                    window || matches!(function.name, "first" | "last" | "argmin" | "argmax");
            }
            _ => {}
        });
    }
    let schema = query.schema();
    // Which rows there are depends on the time.
    ordered |= query.frame().period().is_some() || query.frame().session().is_some();
    if ordered {
        names.extend(schema.time.clone());
    }
    if in_series {
        names.extend(schema.series.clone());
    }
    names
}

/// The names that the query gives to columns.
pub(super) fn names_made(query: &CheckedQuery) -> impl Iterator<Item = &str> {
    query.steps().flat_map(|step| {
        let projected = step.columns().unwrap_or_default();
        let made = step.map().iter().chain(step.keys()).chain(step.measures()).chain(projected);
        made.map(|named| named.name.as_str())
    })
}

/// The text literals of the query.
pub(super) fn literals(query: &CheckedQuery) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut keep = |value: &Value| {
        if let Value::Text(text) = value {
            found.insert(text.to_string());
        }
    };
    for expr in expressions(query) {
        expr.visit(&mut |part| match &part.node {
            Node::Literal(value) => keep(value),
            Node::In { list, .. } => list.iter().for_each(&mut keep),
            _ => {}
        });
    }
    found
}

fn expressions(query: &CheckedQuery) -> impl Iterator<Item = &Typed> {
    query.steps().flat_map(|step| {
        let projected = step.columns().unwrap_or_default();
        let named = step.map().iter().chain(step.filter()).chain(step.keys());
        let named = named.chain(step.measures()).chain(projected).map(|named| &named.expr);
        named.chain(step.sort().iter().map(|key| &key.expr))
    })
}
