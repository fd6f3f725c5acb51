//! The columns of a result as names and measures: what axis a key is on, what a measure is of.

use super::{Measure, NameColumn};
use crate::facts::Outcome;
use crate::query::check::{CheckedQuery, Domain, Node, ResultKind, Role, Typed};
use crate::schema::Kind;
use crate::validate::claims::names::{Axis, Name, month, name_of, quarter, weekday};
use crate::validate::claims::words::Agg;
use crate::value::Value;

/// What the values of an expression name.
pub(super) fn axis_of(e: &Typed, query: &CheckedQuery) -> Option<Axis> {
    match e.domain {
        Some(Domain::Weekday) => return Some(Axis::Weekday),
        Some(Domain::Month) => return Some(Axis::Month),
        None => {}
    }
    match &e.node {
        Node::Call { function, .. } => match function.name {
            "year" => Some(Axis::Year),
            "quarter" => Some(Axis::Quarter),
            "month" => Some(Axis::Month),
            "dayofweek" => Some(Axis::Weekday),
            "hour" => Some(Axis::Hour),
            "date" => Some(Axis::Date),
            _ => None,
        },
        Node::Column(name) => {
            if let Some(made) = query.map().iter().rev().find(|m| m.name == *name)
                && made.expr.columns() != [name.as_str()]
            {
                return axis_of(&made.expr, query)
                    .or_else(|| Some(Axis::Named(name.to_lowercase())));
            }
            Some(match (e.kind, name.to_lowercase().as_str()) {
                (Some(Kind::Date | Kind::Timestamp), _) => Axis::Date,
                (Some(Kind::Int), "year" | "год") => Axis::Year,
                (Some(Kind::Int), "month" | "месяц") => Axis::Month,
                (Some(Kind::Int), "quarter" | "квартал") => Axis::Quarter,
                (Some(Kind::Int), "hour" | "час") => Axis::Hour,
                (Some(Kind::Float | Kind::Decimal(1..)), _) => return None,
                (_, lower) => Axis::Named(lower.to_owned()),
            })
        }
        _ => None,
    }
}

/// The columns of a result that name its rows.
pub(super) fn name_columns(
    outcome: &Outcome,
    query: &CheckedQuery,
    kind: ResultKind,
) -> Vec<NameColumn> {
    let mut out = Vec::new();
    let mut keys = query.keys().iter();
    for (column, c) in outcome.columns.iter().enumerate() {
        let name = c.column.name.clone();
        let mut axis = match (&c.role, c.domain) {
            (_, Some(Domain::Weekday)) => Axis::Weekday,
            (_, Some(Domain::Month)) => Axis::Month,
            (Role::Key, None) => match keys.clone().find(|k| k.name == name) {
                Some(key) => {
                    axis_of(&key.expr, query).unwrap_or_else(|| Axis::Named(name.to_lowercase()))
                }
                None => Axis::Named(name.to_lowercase()),
            },
            // `argmin(day, ret)`: a date names the row as well.
            (Role::Measure { .. }, None) if c.column.kind.is_time() => Axis::Date,
            (Role::Measure { .. }, None) => continue,
            (_, None) if c.column.kind.is_time() => Axis::Date,
            (_, None) if c.column.kind == Kind::Text => Axis::Named(name.to_lowercase()),
            _ => continue,
        };
        if c.role == Role::Key {
            keys.next();
        } else if kind != ResultKind::Table && !(kind == ResultKind::Grouped && axis == Axis::Date)
        {
            continue;
        }
        if matches!(axis, Axis::Named(_)) {
            axis = calendar(outcome, column, &name).unwrap_or(axis);
        }
        // A second column on the same axis would make every name ambiguous.
        if !out.iter().any(|n: &NameColumn| n.axis == axis) {
            out.push(NameColumn { axis, column, name, key: c.role == Role::Key });
        }
    }
    out
}

/// The calendar years that a column of them may have.
const YEARS: std::ops::RangeInclusive<i64> = 1800..=2200;

/// Text values that are all weekdays, all months or all quarters, and years of a column that is called so.
fn calendar(outcome: &Outcome, column: usize, name: &str) -> Option<Axis> {
    let cells = || (0..outcome.rows.len().min(24)).map(|row| outcome.value(row, column));
    let called =
        name_words(name).iter().any(|w| ["year", "season", "год", "сезон"].contains(&w.as_str()));
    let year = |value: &Value| matches!(name_of(&Axis::Year, value), Some(Name::Index(year)) if YEARS.contains(&year));
    if called && !outcome.rows.is_empty() && cells().all(|value| year(&value)) {
        return Some(Axis::Year);
    }
    let values: Vec<String> =
        cells().filter_map(|value| value.as_str().map(str::to_lowercase)).collect();
    if values.is_empty() {
        None
    } else if values.iter().all(|v| weekday(v).is_some()) {
        Some(Axis::Weekday)
    } else if values.iter().all(|v| month(v).is_some()) {
        Some(Axis::Month)
    } else if values.iter().all(|v| quarter(v).is_some()) {
        Some(Axis::Quarter)
    } else {
        None
    }
}

/// The numeric columns of a result.
pub(super) fn measures(
    outcome: &Outcome,
    query: &CheckedQuery,
    kind: ResultKind,
    names: &[NameColumn],
) -> Vec<Measure> {
    let mut out = Vec::new();
    for (column, c) in outcome.columns.iter().enumerate() {
        if !c.column.kind.is_numeric() || names.iter().any(|n| n.column == column) {
            continue;
        }
        let name = c.column.name.clone();
        let words = name_words(&name);
        let sorted = query.sort().iter().any(|k| k.text == name);
        let (agg, base) = match &c.role {
            Role::Key => continue,
            Role::Measure { aggregate, column } => {
                let agg = aggregate
                    .and_then(Agg::of_name)
                    .or_else(|| words.iter().find_map(|w| Agg::of_name(w)));
                let base = match (column, agg) {
                    (Some(column), _) => column.to_lowercase(),
                    (None, Some(Agg::Count)) => String::new(),
                    (None, _) => words
                        .iter()
                        .filter(|w| Agg::of_name(w).is_none())
                        .cloned()
                        .collect::<Vec<_>>()
                        .join("_"),
                };
                (agg, base)
            }
            _ => (None, name.to_lowercase()),
        };
        out.push(Measure {
            column,
            agg,
            base,
            unit: c.column.unit.clone(),
            main: kind != ResultKind::Table || c.role == Role::Mapped || sorted,
            name,
        });
    }
    out
}

/// The words of a name: split at underscores, spaces, dots and before capitals; lower case.
pub(in super::super) fn name_words(name: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut before = ' ';
    for c in name.chars() {
        if !c.is_alphanumeric() || c.is_uppercase() && before.is_lowercase() {
            out.push(String::new());
        }
        if c.is_alphanumeric()
            && let Some(last) = out.last_mut()
        {
            last.extend(c.to_lowercase());
        }
        before = c;
    }
    out.retain(|w| !w.is_empty());
    out.iter().map(|w| w.replace('ё', "е")).collect()
}
