//! Shares of named groups: `A and B together make up 64 % of the output`. The share of a sum of the one
//! measure that the sentence, its question or the result is about, or a column in per cent of all that adds
//! up to a hundred.

use super::bind::Binder;
use super::judge::{Finding, Why, finding, rewrite};
use super::read::{Num, Place};
use super::resolve::{Fact, cell, cells, sum_of_all};
use super::swapped::digits;
use super::told::{asked, told, view_of};
use super::verify::{Fit, fit};
use super::words::{self, find, has};
use super::world::{Measure, View};
use crate::query::check::ResultKind;
use crate::validate::Verdict;
use crate::value::Value;

/// Fewer digits than these are met by chance.
const DIGITS: usize = 2;

/// In longer results nobody adds up shares.
const ROWS: usize = 10_000;

/// Judges the shares that name groups.
pub(super) fn shares(text: &str, binder: &Binder, from: usize, out: &mut [(Place, Finding)]) {
    let reading = binder.reading;
    let whole = |view: &&View| {
        let several = view.kind == ResultKind::Grouped || view.kind == ResultKind::Table;
        let rows = view.outcome.rows.len();
        several && !view.cut() && view.names.len() == 1 && (2..=ROWS).contains(&rows)
    };
    for &n in binder.claims {
        let num = &reading.numbers[n];
        let view = view_of(binder, reading.sentence(num.place)).filter(whole);
        let Some(view) = view else { continue };
        let open = out.iter().position(|(place, f)| {
            place.last == num.place.last && f.claim.verdict == Verdict::Unverifiable
        });
        let Some(at) = open.filter(|_| asks(binder, num)) else { continue };
        let Some(rows) = named(binder, view, num) else { continue };
        let facts = facts(binder, view, from, num, &rows);
        let right = facts.iter().find(|fact| fit(num, fact, None) == Fit::Yes);
        let Some(fact) = right.or(facts.first()) else { continue };
        let place = num.place;
        out[at] = if right.is_some() {
            (place, finding(text, reading, place, Verdict::Derived, None, Some(fact), Why::Fine))
        } else {
            let (place, actual) = rewrite(text, binder, num, fact, Fit::No);
            let wrong = Verdict::Contradicted;
            (place, finding(text, reading, place, wrong, Some(actual), Some(fact), Why::Value))
        };
    }
}

/// A per cent that a word calls a share, and nothing is held against anything.
fn asks(binder: &Binder, num: &Num) -> bool {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let sentence = reading.sentence(num.place);
    let mut here = (0..tokens.len()).filter(|&i| tokens[i].sentence == sentence);
    let shared = reading.sentence_has(sentence, words::SHARE);
    let other = here.any(|i| {
        // `make up` is no way up.
        let share = i.checked_sub(1).is_some_and(|i| has(words::SHARE, tokens, i));
        has(words::COMPARED, tokens, i)
            || find(words::DIRECTIONS, tokens, i).is_some() && !share
            || has(words::COMPARATIVES, tokens, i)
            || has(words::NONE, tokens, i)
            || has(words::EXCEPT, tokens, i)
            || has(words::WITHOUT, tokens, i)
    });
    let plain = num.bound.is_none() && !num.number.points && num.range.is_none() && !num.negated;
    let alone =
        binder.claims.iter().filter(|&&n| reading.sentence(reading.numbers[n].place) == sentence);
    num.number.percent && plain && shared && !other && alone.count() == 1
}

/// The rows of the names of the sentence.
fn named(binder: &Binder, view: &View, num: &Num) -> Option<Vec<usize>> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let mut rows = Vec::new();
    for m in reading.mentions.iter().filter(|m| reading.sentence(m.place) == sentence) {
        let at = m.axes.iter().find_map(|a| view.on_axis(a))?;
        let own = view.rows_named(at, &m.name);
        rows.push(*own.first().filter(|_| own.len() == 1)?);
    }
    rows.sort_unstable();
    rows.dedup();
    (!rows.is_empty() && rows.len() < view.outcome.rows.len()).then_some(rows)
}

/// What the share is by each reading.
fn facts(binder: &Binder, view: &View, from: usize, num: &Num, rows: &[usize]) -> Vec<Fact> {
    let tokens = &binder.reading.tokens;
    let sentence = binder.reading.sentence(num.place);
    let Some(begin) = tokens.iter().position(|t| t.sentence == sentence) else { return Vec::new() };
    let end = begin + tokens[begin..].iter().take_while(|t| t.sentence == sentence).count();
    let list = told(binder, view, begin..end, None);
    let asked = asked(binder, view, from);
    let spoken = match list.as_slice() {
        [m] => Some(*m),
        [] => asked,
        several => asked.filter(|m| several.iter().any(|o| o.column == m.column)),
    };
    let whole = |m: &&Measure| {
        let sum = view.stats(m.column).sum.as_f64();
        m.percent() && sum.is_some_and(|sum| (99.0..=101.0).contains(&sum))
    };
    let of_sum = spoken
        .filter(|m| !m.percent() && !m.share() && (m.additive() || view.kind == ResultKind::Table));
    let parts = view.measures.iter().find(whole);
    if let Some(own) = of_another(view, num, rows).filter(|_| parts.is_none()) {
        return vec![own];
    }
    let mut out = Vec::new();
    out.extend(parts.and_then(|m| together(view, m, rows)));
    out.extend(of_sum.and_then(|m| of_all(view, m, rows)));
    out
}

/// What the group has in the only column in per cent, where another group has the number there: `Доля
/// решённых у A — 94,4 %`.
fn of_another(view: &View, num: &Num, rows: &[usize]) -> Option<Fact> {
    let mut percent = view.measures.iter().filter(|m| m.percent());
    let m = percent.next().filter(|_| percent.next().is_none())?;
    let &[row] = rows else { return None };
    let says = |row: usize| cell(view, m, row).is_some_and(|f| fit(num, &f, None) == Fit::Yes);
    let others = (0..view.outcome.rows.len()).any(|r| r != row && says(r));
    (others && !says(row) && digits(num) >= DIGITS).then(|| cell(view, m, row))?
}

/// Per cents of the same whole added up.
fn together(view: &View, m: &Measure, rows: &[usize]) -> Option<Fact> {
    let mut fact = cell(view, m, *rows.first()?)?;
    if let [_] = rows {
        return Some(fact);
    }
    fact.value =
        rows.iter().map(|&r| view.outcome.value(r, m.column).as_f64()).sum::<Option<f64>>()?;
    fact.formula = Some(format!("sum of {}", m.name));
    (fact.source.row, fact.source.key) = (None, Vec::new());
    fact.source.value = Value::float(fact.value);
    Some(fact.made_of(cells(view, m, rows)))
}

/// A part of the sum of a measure.
fn of_all(view: &View, m: &Measure, rows: &[usize]) -> Option<Fact> {
    let sum = view.stats(m.column).sum.as_f64().filter(|sum| *sum != 0.0)?;
    let part =
        rows.iter().map(|&r| view.outcome.value(r, m.column).as_f64()).sum::<Option<f64>>()?;
    let mut fact = cell(view, m, *rows.first()?)?;
    fact.value = part / sum * 100.0;
    fact.formula = Some(format!("{} / sum({}) * 100", m.name, m.name));
    (fact.source.row, fact.source.key) = (None, Vec::new());
    fact.source.value = Value::float(fact.value);
    (fact.percent, fact.share, fact.count, fact.unit) = (true, false, false, None);
    let mut operands = cells(view, m, rows);
    operands.push(sum_of_all(view, m, sum));
    Some(fact.made_of(operands))
}
