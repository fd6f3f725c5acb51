//! Which columns of its table a query depends on.

use crate::facts::gives_value_of;
use crate::query::check::{CheckedQuery, CheckedStep, Node, ResultKind, Typed};
use crate::query::functions::Stand;
use crate::value::Value;
use std::collections::BTreeSet;

/// Every name that an expression of the query reads, and the time and series columns where the
/// order of the rows or their neighbours matter. Names that `map` makes are among them.
pub(super) fn names_read(query: &CheckedQuery) -> BTreeSet<String> {
    let mut names = names_of_order(query);
    for expr in expressions(query) {
        names.extend(expr.columns().into_iter().map(str::to_owned));
    }
    names
}

/// The time and series columns, where the order of the rows or their neighbours matter, or which
/// rows there are depends on them.
fn names_of_order(query: &CheckedQuery) -> BTreeSet<String> {
    let rows = |step: &CheckedStep| step.kind() == ResultKind::Table;
    let frame = query.frame();
    let mut ordered = frame.from().is_some()
        || frame.period().is_some()
        || frame.session().is_some()
        || query.steps().any(rows);
    let mut in_series = query.from().is_some();
    // Every value of a series takes part in an aggregate that all its rows share.
    let broadcast = |part: &Typed| matches!(&part.node, Node::Call { function, .. } if function.stand == Stand::Aggregate);
    for step in query.steps() {
        for made in step.map().iter().chain(step.filter()) {
            made.expr.visit(&mut |part| in_series |= broadcast(part));
        }
    }
    for expr in expressions(query) {
        expr.visit(&mut |part| {
            if let Node::Call { function, .. } = &part.node {
                let window = function.stand == Stand::Window;
                in_series |= window;
                ordered |=
                    window || matches!(function.name, "first" | "last" | "argmin" | "argmax");
            }
        });
    }
    let schema = query.schema();
    let time = schema.time.iter().filter(|_| ordered);
    time.chain(schema.series.iter().filter(|_| in_series)).cloned().collect()
}

/// Every column of the tables that the rows of a query's result depend on, that their order or their
/// number depends on, or that they hold.
pub fn depends_on(query: &CheckedQuery) -> BTreeSet<(String, String)> {
    if query.sql().is_some() {
        let reads = query.sql_reads().map(|(table, column)| (table.to_owned(), column.to_owned()));
        return reads.collect();
    }
    let schema = query.schema();
    let mut names = names_read(query);
    names.extend(names_made(query).map(str::to_owned));
    names.extend(query.output().iter().map(|output| output.column.name.clone()));
    // Whoever sees all rows sees their order.
    let rows = matches!(query.kind(), ResultKind::Table | ResultKind::Grouped);
    names.extend(schema.time.iter().filter(|_| rows).cloned());
    let own = names.into_iter().filter(|name| schema.column(name).is_some());
    own.map(|name| (schema.name.clone(), name)).collect()
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

/// How a query uses the columns that a policy protects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Use {
    /// It reads none of them.
    None,
    /// Only as the plain argument of aggregates.
    Aggregated(Vec<Aggregated>),
    /// It chooses, orders or computes rows by them, or gives them on.
    Otherwise,
}

/// A member of `select` that aggregates protected columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Aggregated {
    /// Its name in the result.
    pub measure: String,
    /// The protected columns under it.
    pub columns: BTreeSet<String>,
    /// Its value is one that a row holds.
    pub gives_row_value: bool,
}

/// Aggregates to which every row adds, so that none shows by itself.
const ADDING: [&str; 7] = ["count", "count_distinct", "mean", "sum", "std", "var", "pct"];

/// How `query` uses the columns of its table that `protects` names.
pub(super) fn uses(query: &CheckedQuery, protects: impl Fn(&str) -> bool) -> Use {
    let reads = |expr: &Typed| expr.columns().into_iter().any(&protects);
    if names_made(query).any(&protects) {
        return Use::Otherwise;
    }
    if !names_read(query).iter().any(|name| protects(name)) {
        return Use::None;
    }
    // What a step makes of a protected column is rows to the next; so are the bars of one.
    if query.steps().count() > 1 || query.from().is_some() {
        return Use::Otherwise;
    }
    let projected = query.columns().unwrap_or_default();
    let mut around = query.map().iter().chain(query.filter()).chain(query.keys()).chain(projected);
    let around = around.any(|named| reads(&named.expr))
        || query.sort().iter().any(|key| reads(&key.expr))
        || names_of_order(query).iter().any(|name| protects(name));
    if around {
        return Use::Otherwise;
    }
    let mut found = Vec::new();
    for measure in query.measures().iter().filter(|m| reads(&m.expr)) {
        let (column, gives_row_value) = match (gives_value_of(&measure.expr), adding(&measure.expr))
        {
            // It is the value of a row that can be named.
            (Some(_), _) if picks_row(&measure.expr) => return Use::Otherwise,
            (Some(column), _) => (column, true),
            (None, Some(column)) => (column, false),
            // Around an aggregate something could be computed of a small group, and fail.
            (None, None) => return Use::Otherwise,
        };
        let used = Aggregated {
            measure: measure.name.clone(),
            columns: [column.to_owned()].into(),
            gives_row_value,
        };
        found.push(used);
    }
    // The same around a measure: a column of the result, or an order, takes it as it is.
    let plain = |expr: &Typed| matches!(expr.node, Node::Column(_));
    let of_result = projected.iter().map(|named| &named.expr);
    let mut of_result = of_result.chain(query.sort().iter().map(|key| &key.expr));
    let measured = |expr: &Typed| {
        expr.columns().iter().any(|name| found.iter().any(|used| used.measure == *name))
    };
    if of_result.any(|expr| !plain(expr) && measured(expr)) {
        return Use::Otherwise;
    }
    Use::Aggregated(found)
}

/// The plain column under an aggregate that every row adds to, which is all of `expr`.
fn adding(expr: &Typed) -> Option<&str> {
    let Node::Call { function, args } = &expr.node else { return None };
    match args.as_slice() {
        [Typed { node: Node::Column(name), .. }] if ADDING.contains(&function.name) => Some(name),
        _ => None,
    }
}

/// True where an expression picks a row and tells something of it.
pub(super) fn picks_row(expr: &Typed) -> bool {
    let mut picks = false;
    expr.visit(&mut |part| {
        if let Node::Call { function, .. } = &part.node {
            picks |= matches!(function.name, "first" | "last" | "argmin" | "argmax");
        }
    });
    picks
}
