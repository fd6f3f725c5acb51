//! The order of the rows of a result by a measure, and the names that a filter demands.

use super::lex::Kind;
use super::names::{Axis, Name, same};
use super::read::{End, Mark, Reading, Superlative};
use super::words::{self, Agg, has};
use super::world::{Measure, View, World};
use crate::value::Value;

/// Whether a superlative asks for the largest value of a measure: `the largest drop` is the most
/// negative one.
pub(super) fn largest(view: &View, m: &Measure, rows: Option<&[usize]>, s: Superlative) -> bool {
    s.most ^ (s.fall && has_negative(view, m, rows)) ^ (s.speed && takes_time(m))
}

/// `Rent was the largest category`, where all sums are below zero, as what was spent is: the largest
/// is the furthest from it. `The highest` may as well be the number.
pub(super) fn all_below_zero(world: &World, reading: &Reading, mark: &Mark<Superlative>) -> bool {
    const SIZES: [&str; 12] = [
        "large",
        "big",
        "most",
        "great",
        "small",
        "least",
        "larg",
        "больш",
        "крупн",
        "наибольш",
        "меньш",
        "наименьш",
    ];
    let words = reading.tokens.get(mark.place.first..=mark.place.last).unwrap_or_default();
    let size = words.iter().any(|t| SIZES.iter().any(|begin| t.lower.starts_with(begin)));
    let sums = || {
        world.views.iter().flat_map(|view| {
            let sum = |m: &&Measure| m.agg == Some(Agg::Sum);
            view.measures.iter().filter(sum).map(move |m| view.stats(m.column).max.as_f64())
        })
    };
    size && sums().next().is_some() && sums().all(|max| max.is_some_and(|x| x < 0.0))
}

/// The ends of the order by a measure that a superlative may mean, the likelier first.
pub(super) fn ends(view: &View, m: &Measure, s: Superlative) -> Vec<bool> {
    let both = vec![s.most, !s.most];
    let sorted_up =
        || view.outcome.query.sort().first().is_some_and(|k| k.text == m.name && !k.descending);
    match s.end {
        End::Either => both,
        End::Leads if better(m) == Some(false) || sorted_up() => both,
        End::Said | End::Leads => vec![s.most],
        End::Good => match better(m) {
            Some(more) => vec![s.most == more],
            None => both,
        },
    }
}

/// Starts of words of what is better the less of it there is.
const LESS: &[&str] = &[
    "delay",
    "late",
    "wait",
    "error",
    "loss",
    "drawdown",
    "latency",
    "fail",
    "defect",
    "complaint",
    "churn",
    "cancel",
    "accident",
    "incident",
    "downtime",
    "задерж",
    "опоздан",
    "ожидан",
    "ошиб",
    "потер",
    "убыт",
    "отказ",
    "жалоб",
    "просто",
];

/// Starts of words of what is better the more of it there is.
const MORE: &[&str] = &[
    "revenue",
    "sales",
    "profit",
    "score",
    "rating",
    "mark",
    "grade",
    "return",
    "ret",
    "gain",
    "pass",
    "income",
    "margin",
    "выручк",
    "продаж",
    "прибыл",
    "оценк",
    "рейтинг",
    "балл",
    "доход",
];

/// Whether more of a measure is better, where its name says so.
pub(super) fn better(m: &Measure) -> Option<bool> {
    let words = super::world::name_words(&format!("{} {}", m.name, m.base));
    let any = |list: &[&str]| words.iter().any(|w| list.iter().any(|x| w.starts_with(x)));
    match (any(MORE), any(LESS)) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}

/// A measure of how long something takes.
pub(super) fn takes_time(m: &Measure) -> bool {
    let unit = m.unit.as_deref().unwrap_or_default().to_lowercase();
    let time = [
        "s", "sec", "seconds", "ms", "min", "minutes", "h", "hours", "day", "days", "minute",
        "second", "hour", "time", "duration", "latency", "delay", "wait", "с", "мин", "ч", "дн",
    ];
    time.contains(&unit.as_str())
        || unit.is_empty()
            && super::world::name_words(&m.base).iter().any(|w| time.contains(&w.as_str()))
}

/// A measure that goes below zero, among some rows or all.
fn has_negative(view: &View, m: &Measure, rows: Option<&[usize]>) -> bool {
    let numbers = view.numbers(m.column);
    match rows {
        Some(rows) => rows.iter().any(|r| numbers.get(*r).is_some_and(|x| *x < 0.0)),
        None => view.stats(m.column).min.as_f64().is_some_and(|x| x < 0.0),
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
    view.remembered(m.column, rows, (most, rank), || match rows {
        Some(rows) => place(view, m, rows.iter().copied(), most, rank),
        None => place(view, m, 0..view.outcome.rows.len(), most, rank),
    })
}

fn place(
    view: &View,
    m: &Measure,
    rows: impl Iterator<Item = usize>,
    most: bool,
    rank: usize,
) -> Option<(Vec<usize>, f64)> {
    let numbers = view.numbers(m.column);
    let named = |row: usize| {
        view.names.is_empty()
            || view.names.iter().any(|n| !view.outcome.value(row, n.column).is_null())
    };
    let value = |row: usize| numbers.get(row).copied().filter(|x| !x.is_nan()).map(|x| (x, row));
    if rank == 1 {
        let mut found: (Vec<usize>, f64) =
            (Vec::new(), if most { f64::NEG_INFINITY } else { f64::INFINITY });
        for row in rows {
            let Some(&x) = numbers.get(row) else { continue };
            // No number is neither; and the name is looked at only where the value matters.
            let reaches = if most { x >= found.1 } else { x <= found.1 };
            if reaches && named(row) {
                if x != found.1 {
                    found = (Vec::new(), x);
                }
                found.0.push(row);
            }
        }
        return (!found.0.is_empty()).then_some(found);
    }
    let mut values: Vec<(f64, usize)> = rows.filter(|row| named(*row)).filter_map(value).collect();
    values.sort_by(|a, b| {
        if most { b.0.total_cmp(&a.0) } else { a.0.total_cmp(&b.0) }.then(a.1.cmp(&b.1))
    });
    let value = values.get(rank.checked_sub(1)?)?.0;
    Some((values.iter().filter(|v| v.0 == value).map(|v| v.1).collect(), value))
}

/// A sentence speaks of the rows that are shown: `of the four`, `the rows listed`.
pub(super) fn of_shown(reading: &Reading, sentence: usize, view: &View) -> bool {
    let tokens = &reading.tokens;
    let rows = view.outcome.rows.len();
    let here = |i: usize| tokens[i].sentence == sentence;
    (0..tokens.len()).filter(|&i| here(i)).any(|i| {
        if has(words::LISTED, tokens, i) {
            return true;
        }
        let said = match &tokens[i].kind {
            Kind::Number(n) => n.value,
            _ => words::find(words::SPELLED, tokens, i).map_or(0.0, |(n, _)| f64::from(n)),
        };
        let lead = reading.word_before(i);
        said == rows as f64
            && rows > 1
            && [
                "of",
                "the",
                "these",
                "those",
                "top",
                "first",
                "из",
                "эти",
                "этих",
                "топ",
                "первые",
                "первых",
            ]
            .contains(&lead)
    })
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
