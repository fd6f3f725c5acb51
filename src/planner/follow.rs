//! Follow-ups: a question that names only a filter, a grouping, an aggregate or a measure changes
//! the query before it and leaves the rest as it was.

use super::build::{Builder, result_name};
use super::grammar::Parse;
use super::sketch::{Item, Measure, Metric};
use crate::query::ast::{Compare, Expr, Node};
use crate::query::{Query, Selected, format, parse};
use crate::schema::TableSchema;

/// How sure a change of the query before is, next to a question that stands by itself.
pub(super) const CHANGED: f64 = 0.9;

/// The query before, changed by a parse that says nothing else; `None` where the parse is a question
/// of its own or the query before has no place for it.
pub(super) fn follow(parsed: &Parse, previous: &Query, schema: &TableSchema) -> Option<Query> {
    if previous.table.as_ref().is_some_and(|t| *t != schema.name) {
        return None;
    }
    let mut builder = Builder::over(schema, previous.clone());
    let mut changed = false;
    let mut groups = Vec::new();
    for item in &parsed.items {
        match item {
            Item::Filter(cond) => {
                let new = builder.condition(cond)?;
                let old = builder.query.filter.take();
                builder.query.filter = Some(joined(old.as_deref(), &new)?);
            }
            Item::Group(dims) => groups.extend(dims),
            Item::Metrics(metrics) => match metrics[..] {
                [Metric { agg: Some(agg), measure: None, .. }] => {
                    let [selected] = &builder.query.select[..] else { return None };
                    let argument = argument(selected)?;
                    select(&mut builder.query, &format!("{}({argument})", agg.function()));
                }
                [Metric { agg: None, measure: Some(measure), .. }] => {
                    swap_measure(&mut builder, measure)?;
                }
                _ => return None,
            },
            Item::Unknown(_) | Item::Entity(_) => continue,
            _ => return None,
        }
        changed = true;
    }
    if !groups.is_empty() {
        if builder.query.select.is_empty() {
            return None;
        }
        let keys = groups.into_iter().map(|d| builder.dim(d)).collect::<Option<Vec<_>>>()?;
        builder.query.group_by = keys;
    }
    let mut query = builder.query;
    drop_unused(&mut query);
    changed.then_some(query)
}

fn swap_measure(builder: &mut Builder<'_>, measure: Measure) -> Option<()> {
    let [selected] = &builder.query.select[..] else { return None };
    let function = match parse(&selected.text).ok()?.node {
        Node::Call { name, args, .. } if args.len() == 1 => name,
        _ => return None,
    };
    let column = builder.measure(measure)?;
    select(&mut builder.query, &format!("{function}({column})"));
    Some(())
}

/// Puts another aggregate in the place of the only one, and in the order where it stood there.
fn select(query: &mut Query, text: &str) {
    let new = Selected::from(text);
    if let Some(old) = query.select.first() {
        let old = result_name(old);
        for key in &mut query.sort {
            if let Some(rest) = key.strip_prefix(old.as_str()) {
                *key = format!("{}{rest}", result_name(&new));
            }
        }
    }
    query.select = vec![new];
}

/// The only argument of a single aggregate.
fn argument(selected: &Selected) -> Option<String> {
    match parse(&selected.text).ok()?.node {
        Node::Call { args, .. } => match &args[..] {
            [argument] => Some(format::expr(argument)),
            _ => None,
        },
        _ => None,
    }
}

/// Both conditions; an equality of the old one gives way to a new one of the same thing.
fn joined(old: Option<&str>, new: &str) -> Option<String> {
    let Some(old) = old else { return Some(new.to_owned()) };
    let (old, new) = (parse(old).ok()?, parse(new).ok()?);
    let fixed: Vec<String> = conjuncts(&new).into_iter().filter_map(fixes).collect();
    let mut all: Vec<Expr> = conjuncts(&old)
        .into_iter()
        .filter(|e| !fixes(e).is_some_and(|lhs| fixed.contains(&lhs)))
        .cloned()
        .collect();
    all.extend(conjuncts(&new).into_iter().cloned());
    let span = new.span;
    Some(match <[Expr; 1]>::try_from(all) {
        Ok([one]) => format::expr(&one),
        Err(all) => format::expr(&Expr { node: Node::And(all), span }),
    })
}

fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.node {
        Node::And(list) => list.iter().collect(),
        _ => vec![expr],
    }
}

/// What an equality or a membership fixes.
fn fixes(expr: &Expr) -> Option<String> {
    match &expr.node {
        Node::Compare(left, rest) if matches!(rest[..], [(Compare::Eq, _)]) => {
            Some(format::expr(left))
        }
        Node::In { value, negated: false, .. } => Some(format::expr(value)),
        _ => None,
    }
}

/// Takes out columns of `map` that nothing reads any more.
fn drop_unused(query: &mut Query) {
    let read = |query: &Query, name: &str| {
        let plain = format::name(name);
        let texts = query
            .filter
            .iter()
            .chain(&query.group_by)
            .chain(&query.sort)
            .chain(&query.columns)
            .chain(query.select.iter().map(|s| &s.text))
            .chain(query.map.iter().filter(|(n, _)| n != name).map(|(_, e)| e));
        texts.into_iter().any(|t| t.contains(&plain))
    };
    // rows show every column they have
    if query.select.is_empty() {
        return;
    }
    let unused: Vec<String> =
        query.map.iter().map(|(name, _)| name.clone()).filter(|name| !read(query, name)).collect();
    query.map.retain(|(name, _)| !unused.contains(name));
}
