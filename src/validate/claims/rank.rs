//! The order of the rows of a result by a measure, and the names that a filter demands.

use super::names::{Axis, Name, same};
use super::read::Superlative;
use super::world::{Measure, View, World};
use crate::value::Value;

/// Whether a superlative asks for the largest value of a measure: `the largest drop` is the most
/// negative one.
pub(super) fn largest(view: &View, m: &Measure, rows: Option<&[usize]>, s: Superlative) -> bool {
    s.most != (s.fall && has_negative(view, m, rows))
}

/// A measure that goes below zero, among some rows or all.
fn has_negative(view: &View, m: &Measure, rows: Option<&[usize]>) -> bool {
    let negative = |row: usize| view.outcome.value(row, m.column).as_f64().is_some_and(|x| x < 0.0);
    match rows {
        Some(rows) => rows.iter().any(|r| negative(*r)),
        None => (0..view.outcome.rows.len()).any(negative),
    }
}

/// The rows at a place of the order by a measure (several for a tie), and their value. Rows whose
/// names are all null have no place.
pub(super) fn ranked(
    view: &View,
    m: &Measure,
    rows: Option<&[usize]>,
    most: bool,
    rank: usize,
) -> Option<(Vec<usize>, f64)> {
    let named = |row: usize| {
        view.names.is_empty()
            || view.names.iter().any(|n| !view.outcome.value(row, n.column).is_null())
    };
    let mut values: Vec<(f64, usize)> = match rows {
        Some(rows) => rows.to_vec(),
        None => (0..view.outcome.rows.len()).collect(),
    }
    .into_iter()
    .filter(|r| named(*r))
    .filter_map(|r| Some((view.outcome.value(r, m.column).as_f64()?, r)))
    .collect();
    if rank == 1 {
        let best = values.iter().map(|v| v.0).reduce(if most { f64::max } else { f64::min })?;
        return Some((values.iter().filter(|v| v.0 == best).map(|v| v.1).collect(), best));
    }
    values.sort_by(|a, b| {
        if most { b.0.total_cmp(&a.0) } else { a.0.total_cmp(&b.0) }.then(a.1.cmp(&b.1))
    });
    let value = values.get(rank.checked_sub(1)?)?.0;
    Some((values.iter().filter(|v| v.0 == value).map(|v| v.1).collect(), value))
}

/// The names that a filter demands where the text says others: the axis and the right name.
pub(super) fn stale<'v>(
    world: &'v World,
    axes: &[Axis],
    name: &Name,
) -> Option<(&'v Axis, &'v Name, &'v Value)> {
    let mut found = None;
    for view in &world.views {
        if axes.iter().any(|a| view.on_axis(a).is_some()) {
            return None;
        }
        for (axis, allowed) in &view.fixed {
            if !axes.contains(axis) {
                continue;
            }
            match allowed.as_slice() {
                [(only, value)] if !same(name, only) && found.is_none() => {
                    found = Some((axis, only, value));
                }
                _ => return None,
            }
        }
    }
    found
}
