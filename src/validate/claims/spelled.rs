//! A measure whose whole name a clause spells out (`the largest gap down` of `largest_down`, `p95`) is
//! the one that is meant, whatever else has a part of its words.

use super::bind::Binder;
use super::judge::{Finding, Why, finding, rewrite};
use super::read::{Num, Place, Reading};
use super::resolve::cell;
use super::verify::{Fit, fit, units_agree};
use super::words::Agg;
use super::world::{Measure, View, name_words, translations};
use crate::validate::Verdict;

/// Words of a name that say its unit.
pub(super) const UNITS: &[&str] = &["pct", "percent", "usd", "eur", "rub"];

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

/// The one measure whose name is a word of its own (`revenue` of a sum of prices, `выручка`) that stands
/// beside a place, where no aggregate is named.
pub(super) fn alias<'v>(reading: &Reading, place: Place, view: &'v View) -> Option<&'v Measure> {
    let clause = reading.clause(place);
    let near = |p: Place| p.first <= place.last + 2 && p.last + 2 >= place.first;
    let told = reading.aggs.iter().any(|a| reading.clause(a.place) == clause);
    let says = |name: &str| {
        (place.first.saturating_sub(2)..place.last + 3).any(|i| {
            reading.tokens.get(i).is_some_and(|t| t.clause == clause && is_word_of(&t.lower, name))
        })
    };
    let based =
        |m: &Measure| reading.bases.iter().any(|b| near(b.place) && b.what.contains(&m.base));
    let own = |m: &&Measure| {
        m.agg.is_some()
            && m.name.to_lowercase() != m.base
            && based(m)
            && says(&m.name.to_lowercase())
    };
    let mut list = view.measures.iter().filter(own);
    list.next().filter(|_| !told && list.next().is_none())
}

/// A word is a name of one word, or translates it.
pub(super) fn is_word_of(word: &str, name: &str) -> bool {
    let start = |of: &str| of.chars().take(of.chars().count().max(4) - 1).collect::<String>();
    word.trim_end_matches('s') == name.trim_end_matches('s')
        || translations(name).iter().any(|of| word.starts_with(&start(of)))
}

/// `Rimi sold 745 packs`, `You spent 640`: the measure that the word right beside a number names, where
/// the number is one of rows or of an aggregate that no word of the clause names.
fn of_its_noun<'v>(
    reading: &Reading,
    num: &Num,
    view: &'v View,
    column: &str,
) -> Option<&'v Measure> {
    let own = view.measures.iter().find(|m| m.name == column)?;
    let clause = reading.clause(num.place);
    let ordered = reading.superlatives.iter().any(|s| reading.clause(s.place) == clause)
        || reading.aggs.iter().any(|a| reading.clause(a.place) == clause);
    if ordered || num.number.percent || num.bound.is_some() {
        return None;
    }
    if own.agg != Some(Agg::Count) {
        let single = matches!(own.agg, Some(Agg::Max | Agg::Min));
        let named = alias(reading, num.place, view)?;
        return Some(named).filter(|m| single && m.base == own.base && m.agg == Some(Agg::Sum));
    }
    let noun = reading.bases.iter().find(|b| b.place.first == num.place.last + 1)?;
    // `conceded 29 goals`: the verb says by what, too.
    if reading.bases.iter().any(|b| b.place != noun.place && reading.clause(b.place) == clause) {
        return None;
    }
    let mut list = view
        .measures
        .iter()
        .filter(|m| noun.what.contains(&m.base) && m.agg == Some(Agg::Sum) && m.unit.is_none());
    let fits = !own.base.is_empty() && noun.what.contains(&own.base);
    list.next().filter(|_| !fits && list.next().is_none())
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
        let alone =
            reading.numbers.iter().filter(|n| reading.clause(n.place) == clause).count() == 1;
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
        let named = spelled(reading, clause, view).or(turned).filter(|_| alone);
        let named = named.or_else(|| of_its_noun(reading, num, view, &fact.column));
        match named.filter(|m| m.name != fact.column) {
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
            None if alone && opposite.is_some() => {
                found.claim.verdict = Verdict::Unverifiable;
                found.why = Why::Ambiguous;
            }
            None => {}
        }
    }
}
