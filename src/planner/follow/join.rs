//! A condition that goes on from another: one that fixes or bounds the same thing takes its place.

use super::constant;
use crate::query::ast::{Compare, Expr, Node};
use crate::query::{format, parse};

/// Both conditions; one of the old ones gives way to a new one of the same thing.
pub(super) fn joined(old: Option<&str>, new: &str, made: &[(String, String)]) -> Option<String> {
    let Some(old) = old else { return Some(new.to_owned()) };
    let (old, new) = (parse(old).ok()?, parse(new).ok()?);
    let fixed: Vec<String> =
        conjuncts(&new).into_iter().filter_map(|e| fixes(&written_out(e, made))).collect();
    let empty = |e: &Expr| {
        let e = written_out(e, made);
        conjuncts(&new).into_iter().any(|n| leaves_nothing(&e, &written_out(n, made)))
    };
    // `in Berlin or Hamburg` after `without Berlin`: what is chosen is said anew
    let gives_way = |e: &Expr| {
        let e = written_out(e, made);
        fixes(&e).or_else(|| excludes(&e)).is_some_and(|lhs| fixed.contains(&lhs))
    };
    let gives_way = |e: &Expr| gives_way(e) || empty(e);
    let mut list: Vec<Expr> =
        conjuncts(&old).into_iter().filter(|e| !gives_way(e)).cloned().collect();
    list.extend(conjuncts(&new).into_iter().cloned());
    all(list)
}

/// What `old` keeps, of that what `new` keeps.
pub(in super::super) fn with_condition(old: Option<&str>, new: &str) -> Option<String> {
    joined(old, new, &[])
}

/// A comparison with the column of `map` that it reads as it was made.
fn written_out(expr: &Expr, made: &[(String, String)]) -> Expr {
    let column = |e: &Expr| match &e.node {
        Node::Column(name) => {
            made.iter().find(|(n, _)| n == name).and_then(|(_, text)| parse(text).ok())
        }
        _ => None,
    };
    let node = match &expr.node {
        Node::Compare(left, rest) => match column(left) {
            Some(left) => Node::Compare(Box::new(left), rest.clone()),
            None => return expr.clone(),
        },
        _ => return expr.clone(),
    };
    Expr { node, span: expr.span }
}

pub(in super::super) fn all(list: Vec<Expr>) -> Option<String> {
    let span = list.first()?.span;
    Some(match <[Expr; 1]>::try_from(list) {
        Ok([one]) => format::expr(&one),
        Err(list) => format::expr(&Expr { node: Node::And(list), span }),
    })
}

/// The conditions that one text joins by `and`.
pub(in super::super) fn conditions(text: &str) -> Option<Vec<Expr>> {
    let parsed = parse(text).ok()?;
    Some(conjuncts(&parsed).into_iter().cloned().collect())
}

pub(super) fn conjuncts(expr: &Expr) -> Vec<&Expr> {
    match &expr.node {
        Node::And(list) => list.iter().collect(),
        _ => vec![expr],
    }
}

/// What an equality or a membership fixes, or a comparison bounds from one side.
fn fixes(expr: &Expr) -> Option<String> {
    match &expr.node {
        Node::Compare(left, rest) => match &rest[..] {
            [(Compare::Eq, _)] => Some(format::expr(left)),
            [(Compare::Lt | Compare::Le, right)] if constant(right).is_some() => {
                Some(format!("{} below", format::expr(left)))
            }
            [(Compare::Gt | Compare::Ge, right)] if constant(right).is_some() => {
                Some(format!("{} above", format::expr(left)))
            }
            _ => None,
        },
        Node::In { value, negated: false, .. } => Some(format::expr(value)),
        _ => None,
    }
}

/// What an inequality or a membership denied leaves values out of.
fn excludes(expr: &Expr) -> Option<String> {
    match &expr.node {
        Node::Compare(left, rest) => match &rest[..] {
            [(Compare::Ne, _)] => Some(format::expr(left)),
            _ => None,
        },
        Node::In { value, negated: true, .. } => Some(format::expr(value)),
        _ => None,
    }
}

/// The one of the conditions that `is` holds of, and the others; `None` where it holds of none or several.
pub(in super::super) fn taken_out(
    filter: &str,
    is: impl Fn(&str) -> bool,
) -> Option<(String, Option<String>)> {
    let tree = parse(filter).ok()?;
    let (out, kept): (Vec<&Expr>, Vec<&Expr>) =
        conjuncts(&tree).into_iter().partition(|e| is(&format::expr(e)));
    let [out] = out[..] else { return None };
    Some((format::expr(out), all(kept.into_iter().cloned().collect())))
}

/// Both conditions, the new one first.
pub(in super::super) fn put_back(old: Option<&str>, new: &str) -> Option<String> {
    let mut list: Vec<Expr> = Vec::new();
    for text in std::iter::once(new).chain(old) {
        list.extend(conjuncts(&parse(text).ok()?).into_iter().cloned());
    }
    all(list)
}

/// No row meets such a condition: it rose and fell, closed above its open and below it.
pub(in super::super) fn is_met_by_none(filter: &str) -> bool {
    let Ok(tree) = parse(filter) else { return false };
    let all = conjuncts(&tree);
    let made = |name: &str| {
        all.iter().any(|e| matches!(&e.node, Node::Call { name: called, .. } if called == name))
    };
    made("green") && made("red")
        || all.iter().enumerate().any(|(i, a)| all.iter().skip(i + 1).any(|b| leaves_nothing(a, b)))
}

/// `not returned` of `returned`, `country != "Italy"` of `country == "Italy"`.
fn is_denial_of(a: &Expr, b: &Expr) -> bool {
    match (&a.node, &b.node) {
        (Node::Not(denied), _) => format::expr(denied) == format::expr(b),
        (Node::Compare(left, one), Node::Compare(right, other)) => match (&one[..], &other[..]) {
            ([(Compare::Ne, out)], [(Compare::Eq, only)]) => {
                format::expr(left) == format::expr(right) && format::expr(out) == format::expr(only)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Two bounds of one thing that nothing lies between: over 40, then under 30.
fn leaves_nothing(a: &Expr, b: &Expr) -> bool {
    let bound = |e: &Expr| match &e.node {
        Node::Compare(left, rest) => match &rest[..] {
            [(op @ (Compare::Lt | Compare::Le | Compare::Gt | Compare::Ge), right)] => {
                let down = matches!(op, Compare::Lt | Compare::Le);
                constant(right).map(|x| (format::expr(left), down, x))
            }
            _ => None,
        },
        _ => None,
    };
    let exact = |e: &Expr| match &e.node {
        Node::Compare(left, rest) => match &rest[..] {
            [(Compare::Eq, right)] => constant(right).map(|x| (format::expr(left), x)),
            _ => None,
        },
        _ => None,
    };
    // `without discount`, then `with one`
    let apart = |one: &Expr, other: &Expr| match (exact(one), bound(other)) {
        (Some((fixed, number)), Some((bounded, down, limit))) => {
            fixed == bounded && if down { number >= limit } else { number <= limit }
        }
        _ => false,
    };
    if apart(a, b) || apart(b, a) || is_denial_of(a, b) || is_denial_of(b, a) {
        return true;
    }
    match (bound(a), bound(b)) {
        (Some((l, true, high)), Some((r, false, low)))
        | (Some((l, false, low)), Some((r, true, high))) => l == r && high <= low,
        _ => false,
    }
}
