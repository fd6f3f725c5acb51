//! A measure whose whole name a clause spells out (`the largest gap down` of `largest_down`, `p95`) is
//! the one that is meant, whatever else has a part of its words.

use super::bind::Binder;
use super::judge::{Finding, Why, finding, rewrite};
use super::read::{Place, Reading};
use super::resolve::cell;
use super::verify::{Fit, fit, units_agree};
use super::world::{Measure, View, name_words};
use crate::validate::Verdict;

/// Words of a name that say its unit.
const UNITS: &[&str] = &["pct", "percent", "usd", "eur", "rub"];

/// Words of a name of which one says the opposite of the other.
const OPPOSITES: &[(&str, &str)] = &[
    ("best", "worst"),
    ("largest", "smallest"),
    ("biggest", "smallest"),
    ("first", "last"),
    ("лучшая", "худшая"),
    ("лучший", "худший"),
];

/// The one measure whose name the clause spells out in full, with the most words.
pub(super) fn spelled<'v>(reading: &Reading, clause: usize, view: &'v View) -> Option<&'v Measure> {
    let says = |word: &String| {
        let plain = |w: &str| w.trim_end_matches('s').to_owned();
        reading
            .tokens
            .iter()
            .any(|t| t.clause == clause && (t.lower == *word || plain(&t.lower) == plain(word)))
    };
    let mut best: Option<(&Measure, usize)> = None;
    let mut tie = false;
    for m in &view.measures {
        let mut words = name_words(&m.name);
        words.retain(|w| !UNITS.contains(&w.as_str()));
        // `the best average day` is no best day.
        let aggregate = reading
            .aggs
            .iter()
            .filter(|a| reading.clause(a.place) == clause)
            .any(|a| !words.contains(&reading.tokens[a.place.first].lower));
        let digit = words.iter().any(|w| w.contains(|c: char| c.is_numeric()));
        let told = !aggregate && (words.len() > 1 || digit);
        if !told || !words.iter().all(says) {
            continue;
        }
        let longest = best.map_or(0, |(_, n)| n);
        if words.len() >= longest {
            tie = words.len() == longest;
            best = Some((m, words.len()));
        }
    }
    best.filter(|_| !tie).map(|(m, _)| m)
}

/// Corrects right numbers of another measure than the one whose name stands in their clause, and marks
/// those of a measure whose name says the opposite.
pub(super) fn named_otherwise(text: &str, binder: &Binder, out: &mut [(Place, Finding)]) {
    let reading = binder.reading;
    for (place, found) in out.iter_mut() {
        let number = reading.numbers.iter().find(|n| n.place.last == place.last);
        let right = found.claim.verdict == Verdict::Verified && found.claim.formula.is_none();
        let Some(num) = number.filter(|_| right && reading.column_head(*place).is_none()) else {
            continue;
        };
        let clause = reading.clause(num.place);
        if reading.numbers.iter().filter(|n| reading.clause(n.place) == clause).count() != 1 {
            continue;
        }
        let fact = found.claim.fact.as_ref();
        let Some((fact, row)) = fact.and_then(|fact| Some((fact, fact.row?))) else { continue };
        let Some(view) = binder.world.views.iter().find(|v| v.outcome.id == fact.result) else {
            continue;
        };
        let own = name_words(&fact.column);
        let here = |w: &str| reading.tokens.iter().any(|t| t.clause == clause && t.lower == w);
        let opposite = OPPOSITES
            .iter()
            .flat_map(|&(a, b)| [(a, b), (b, a)])
            .find(|&(a, b)| own.iter().any(|w| w == a) && here(b) && !here(a));
        // `The worst day was 3.41%`, where that is `best_return`: `worst_return` is meant.
        let turned = opposite.and_then(|(a, b)| {
            let name = fact.column.replace(a, b);
            view.measures.iter().find(|m| m.name == name)
        });
        let named = spelled(reading, clause, view).filter(|m| m.name != fact.column);
        match named.or(turned) {
            Some(m) => {
                let Some(actual) = cell(view, m, row).filter(|f| units_agree(num, f)) else {
                    continue;
                };
                if fit(num, &actual, None) == Fit::Yes {
                    continue;
                }
                let (at, words) = rewrite(text, binder, num, &actual, Fit::No);
                let wrong = Verdict::Contradicted;
                (*place, *found) =
                    (at, finding(text, reading, at, wrong, Some(words), Some(&actual), Why::Value));
            }
            None if opposite.is_some() => {
                found.claim.verdict = Verdict::Unverifiable;
                found.why = Why::Ambiguous;
            }
            None => {}
        }
    }
}
