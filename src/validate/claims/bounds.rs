//! Bounds that are said of several groups: of all, of none, of those that are named; and how many
//! groups are beyond one.

use super::bind::Binder;
use super::combine::{axes, rows};
use super::read::{Counted, Num};
use super::resolve::{Fact, Need, cell, cells, whole};
use super::words::{self, has};
use super::world::{Measure, View};
use crate::query::check::ResultKind;
use std::rc::Rc;

/// Whether the bound of a number is turned round by a word before it (`never more than`).
pub(super) fn negated_bound(binder: &Binder, num: &Num) -> bool {
    let tokens = &binder.reading.tokens;
    let Some((_, at)) = num.bound else { return false };
    let sentence = tokens[at].sentence;
    (at.saturating_sub(8)..at)
        .any(|i| tokens[i].sentence == sentence && has(words::NONE, tokens, i))
}

/// A bound on every group: the group nearest to it. `No day is above 80` is a bound from above.
pub(super) fn every(
    binder: &Binder,
    num: &Num,
    need: &Need,
    view: &View,
    m: &Measure,
) -> Option<Fact> {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let (above, at) = num.bound?;
    let sentence = tokens[at].sentence;
    let said = |table: words::Table<()>| {
        (0..tokens.len()).any(|i| tokens[i].sentence == sentence && has(table, tokens, i))
    };
    let none = negated_bound(binder, num) && said(words::NONE);
    if !(said(words::EVERY) || none) || view.kind == ResultKind::Scalar {
        return None;
    }
    let rows = match excepted(binder, num, view) {
        Some(out) => {
            let rest = (0..view.outcome.rows.len()).filter(|r| !out.contains(r));
            Rc::new(rest.collect())
        }
        None => rows(view, &need.names)?,
    };
    if rows.len() < 2 {
        return None;
    }
    if view.cut() {
        return None;
    }
    let most = above == none;
    let mut best: Option<(f64, usize)> = None;
    for &row in rows.iter() {
        let x = view.outcome.value(row, m.column).as_f64()?;
        if best.is_none_or(|(b, _)| if most { x > b } else { x < b }) {
            best = Some((x, row));
        }
    }
    let (_, row) = best?;
    let mut fact = cell(view, m, row)?;
    let name = if most { "max" } else { "min" };
    fact.formula = Some(format!("{name} of {}", m.name));
    // What all are beyond may be a round number: up to twice of it a reader takes it as said.
    let x = num.number.value;
    let near = if most { fact.value >= 0.5 * x } else { fact.value <= 2.0 * x };
    let holds = if most { fact.value <= x } else { fact.value >= x };
    if holds && near && x > 0.0 {
        fact.value = x;
    }
    Some(fact)
}

/// `Each team played 38 matches`: what all groups have alike.
pub(super) fn alike(binder: &Binder, num: &Num, view: &View, m: &Measure) -> Option<Fact> {
    let reading = binder.reading;
    let each = reading.sentence_has(reading.sentence(num.place), words::EVERY);
    let rows = view.outcome.rows.len();
    if !each || num.bound.is_some() || view.kind != ResultKind::Grouped || rows < 2 {
        return None;
    }
    let mut fact = cell(view, m, 0)?;
    let same = (1..rows).all(|r| view.outcome.value(r, m.column).as_f64() == Some(fact.value));
    (fact.source.row, fact.source.key) = (None, Vec::new());
    fact.formula = Some(format!("every {}", m.name));
    let every: Vec<usize> = (0..rows).collect();
    fact = fact.made_of(cells(view, m, &every));
    same.then_some(fact)
}

/// `All warehouses but Hamburg`: the rows of the names that are left out.
pub(super) fn excepted(binder: &Binder, num: &Num, view: &View) -> Option<Vec<usize>> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    reading.sentence_has(sentence, words::EVERY).then_some(())?;
    let mut out = Vec::new();
    for (at, list) in axes(binder, num, view) {
        for x in list {
            let before = x.place.first.saturating_sub(2)..x.place.first;
            if before.into_iter().any(|i| has(words::EXCEPT, &reading.tokens, i)) {
                out.extend(view.rows_named(at, &x.name).iter().copied());
            }
        }
    }
    (!out.is_empty()).then_some(out)
}

/// `Only Geneva and Lisbon are above 100`, `above 60 on Monday and Thursday`: those beyond the bound are those that are named.
pub(super) fn only(binder: &Binder, num: &Num, view: &View, m: &Measure) -> Option<Fact> {
    let tokens = &binder.reading.tokens;
    let (above, at) = num.bound?;
    let sentence = tokens[at].sentence;
    let only = (0..at).find(|&i| {
        tokens[i].sentence == sentence
            && ["only", "только", "лишь", "just"].contains(&tokens[i].lower.as_str())
    });
    if view.cut() || view.kind != ResultKind::Grouped {
        return None;
    }
    let mut named: Vec<usize> = axes(binder, num, view)
        .into_iter()
        .flat_map(|(axis, list)| list.into_iter().map(move |x| (axis, x)))
        .filter(|(_, x)| only.is_none_or(|first| x.place.first > first))
        .flat_map(|(axis, x)| view.rows_named(axis, &x.name).to_vec())
        .collect();
    named.sort_unstable();
    let x = num.number.value;
    let beyond: Vec<usize> = (0..view.outcome.rows.len())
        .filter(|&r| {
            view.outcome
                .value(r, m.column)
                .as_f64()
                .is_some_and(|v| if above { v > x } else { v < x })
        })
        .collect();
    if named.len() < 2 - usize::from(only.is_some()) || named != beyond {
        return None;
    }
    let mut fact = cell(view, m, *named.first()?)?;
    fact.value = x;
    fact.formula = Some(format!("{} {} {x}", m.name, if above { ">" } else { "<" }));
    Some(fact.made_of(cells(view, m, &named)))
}

/// The number of groups beyond a bound that the sentence states.
pub(super) fn beyond(binder: &Binder, num: &Num, view: &View, measures: &[&Measure]) -> Vec<Fact> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    if view.kind != ResultKind::Grouped || view.cut() {
        return Vec::new();
    }
    let mut out = Vec::new();
    for other in &reading.numbers {
        let Some((above, _)) = other.bound else { continue };
        if reading.sentence(other.place) != sentence || other.place == num.place {
            continue;
        }
        let of_unit: Vec<&Measure> =
            view.measures.iter().filter(|m| other.number.percent && m.percent()).collect();
        let measures = if of_unit.is_empty() { measures } else { &of_unit };
        for m in measures {
            let past = past(view, m, other);
            let mut fact = whole(view, "rows", past.len() as u64);
            fact.formula = Some(past_in_words(m, other, above));
            out.push(fact.made_of(cells(view, m, &past)));
        }
    }
    out
}

fn past_in_words(m: &Measure, bound: &Num, above: bool) -> String {
    format!("count of {} {} {}", m.name, if above { ">" } else { "<" }, bound.number.value)
}

/// The rows beyond the bound of a number; those at it too, where the words include them.
fn past(view: &View, m: &Measure, bound: &Num) -> Vec<usize> {
    let Some((above, _)) = bound.bound else { return Vec::new() };
    let x = bound.number.value;
    (0..view.outcome.rows.len())
        .filter(|&r| {
            view.outcome
                .value(r, m.column)
                .as_f64()
                .is_some_and(|v| (if above { v > x } else { v < x }) || bound.inclusive && v == x)
        })
        .collect()
}

/// `Two channels convert at least 5%`: the bound of so many groups as the sentence says.
pub(super) fn bound_of(binder: &Binder, num: &Num, view: &View, m: &Measure) -> Option<Fact> {
    let reading = binder.reading;
    let (above, _) = num.bound?;
    if view.kind != ResultKind::Grouped || view.cut() {
        return None;
    }
    let rows = past(view, m, num);
    let clause = reading.clause(num.place);
    let said = reading.numbers.iter().any(|n| {
        reading.clause(n.place) == clause
            && n.place != num.place
            && n.number.decimals == 0
            && !n.number.percent
            && n.bound.is_none()
            && (n.counted == Some(Counted::Groups) || n.soft)
            && n.number.value == rows.len() as f64
    });
    let mut fact = cell(view, m, *rows.first().filter(|_| said)?)?;
    fact.value = num.number.value;
    fact.formula = Some(past_in_words(m, num, above));
    Some(fact.made_of(cells(view, m, &rows)))
}
