//! Which measures a run of words names: by the noun behind a number, by a whole name, by a unit, by what is
//! measured and how, by what the rows are.

use super::bind::Binder;
use super::read::{Mention, Num, Place};
use super::resolve::cell;
use super::spelled::{UNITS, is_word_of};
use super::verify::{conversion, units_agree};
use super::words::Agg;
use super::world::{Measure, View, name_words};
use crate::query::check::ResultKind;
use std::ops::Range;

/// In longer tables of several names nobody looks whether one of them alone tells the rows apart.
const ROWS: usize = 2_000;

/// So many words behind a number may be its noun.
const NOUN: usize = 3;

/// The measures that the words of some tokens, and the form of a number among them, leave: none where
/// nothing says what is measured.
pub(super) fn told<'v>(
    binder: &Binder,
    view: &'v View,
    range: Range<usize>,
    num: Option<&Num>,
) -> Vec<&'v Measure> {
    let reading = binder.reading;
    let mut left: Vec<&Measure> = view.measures.iter().collect();
    let mut said = false;
    let mut keep = |left: &mut Vec<&'v Measure>, test: &dyn Fn(&Measure) -> bool| {
        if left.iter().any(|m| test(m)) {
            left.retain(|m| test(m));
            said = true;
        }
    };
    if let Some(num) = num {
        left.retain(|m| of_form(view, m, num));
        let noun = things(binder, view, num);
        if !noun.is_empty() {
            return noun;
        }
        if num.number.percent || num.number.unit.is_some() {
            keep(&mut left, &|_| true);
        }
        // A unit that the lists know before one that may be anything.
        let known = |m: &Measure| cell(view, m, 0).is_some_and(|f| conversion(num, &f).is_some());
        keep(&mut left, &known);
    }
    let inside = |p: Place| range.contains(&p.first);
    let longest = view.measures.iter().map(|m| words_said(binder, range.clone(), m)).max();
    if let Some(longest) = longest.filter(|n| *n > 0) {
        keep(&mut left, &|m| words_said(binder, range.clone(), m) == longest);
    }
    let of_other = |p: Place| num.is_some_and(|num| reading.is_of_another(p, num));
    let bases = reading.bases.iter().filter(|b| inside(b.place) && !of_other(b.place));
    let bases: Vec<&String> = bases.flat_map(|b| &b.what).collect();
    let hints = reading.hints.iter().filter(|(at, _)| range.contains(at));
    let hints: Vec<&String> = hints.flat_map(|(_, what)| what).collect();
    if !bases.is_empty() {
        keep(&mut left, &|m| bases.contains(&&m.base));
    }
    if !hints.is_empty() {
        keep(&mut left, &|m| hints.contains(&&m.base));
    }
    let aggs = reading.aggs.iter().filter(|a| inside(a.place) && !ordered(binder, a.place));
    for agg in aggs.map(|a| a.what) {
        keep(&mut left, &|m| m.agg == Some(agg));
    }
    let rows = reading.tokens[range.clone()].iter().any(|t| t.counts);
    if rows && bases.is_empty() {
        keep(&mut left, &|m| m.agg == Some(Agg::Count) && m.base.is_empty());
    }
    if said { left } else { Vec::new() }
}

/// The result that a sentence speaks of: the only one, or of several the only one that knows every name
/// of the sentence.
pub(super) fn view_of<'v>(binder: &Binder<'v>, sentence: usize) -> Option<&'v View<'v>> {
    if let [view] = binder.world.views.as_slice() {
        return Some(view);
    }
    let reading = binder.reading;
    let here = || reading.mentions.iter().filter(|m| reading.sentence(m.place) == sentence);
    let few = binder.world.views.iter().all(|view| view.outcome.rows.len() <= ROWS);
    here().next().filter(|_| few)?;
    let knows = |view: &&View| {
        here().all(|m| {
            let at = m.axes.iter().find_map(|axis| view.on_axis(axis));
            at.is_some_and(|at| !view.rows_named(at, &m.name).is_empty())
        })
    };
    let mut all = binder.world.views.iter().filter(knows);
    all.next().filter(|_| all.next().is_none())
}

/// The column of names in which a mention is that of one row: the only one, or of a table one whose names
/// are all different.
pub(super) fn key_of(view: &View, m: &Mention) -> Option<usize> {
    let at = m.axes.iter().find_map(|axis| view.on_axis(axis))?;
    let several = view.names.len() > 1;
    let table = view.kind == ResultKind::Table;
    (!several || table && view.is_key(at, ROWS)).then_some(at)
}

/// The row of a mention that names one alone.
pub(super) fn row_of(view: &View, m: &Mention) -> Option<usize> {
    match view.rows_named(key_of(view, m)?, &m.name).as_slice() {
        &[row] => Some(row),
        _ => None,
    }
}

/// Whether the result holds that end of the order by a measure: all of it, or the end that a limit kept.
pub(super) fn holds_end(view: &View, m: &Measure, most: bool) -> bool {
    let key = view.outcome.query.sort().first();
    !view.cut() || key.is_some_and(|k| k.text == m.name && k.descending == most)
}

/// The measure that the question asks for, or that the result is sorted by, or that is alone.
pub(super) fn asked<'v>(binder: &Binder, view: &'v View, from: usize) -> Option<&'v Measure> {
    let tokens = &binder.reading.tokens;
    let end = tokens.iter().position(|t| t.span.start >= from).unwrap_or(tokens.len());
    if let [m] = told(binder, view, 0..end, None).as_slice() {
        return Some(m);
    }
    let sorted = view.outcome.query.sort().first();
    let sorted = sorted.and_then(|key| view.measures.iter().find(|m| m.name == key.text));
    let mut main = view.measures.iter().filter(|m| m.main);
    sorted.or_else(|| main.next().filter(|_| main.next().is_none()))
}

/// The measures whose names the noun behind a number is (`97 customers`).
pub(super) fn things<'v>(binder: &Binder, view: &'v View, num: &Num) -> Vec<&'v Measure> {
    let tokens = &binder.reading.tokens;
    let first = num.place.last + 1;
    let noun = first..tokens.len().min(first + NOUN);
    let end = noun.clone().find(|&i| {
        let ends = !tokens[i].is_word() || tokens[i].clause != tokens[num.place.last].clause;
        ends || STOPS.contains(&tokens[i].lower.as_str())
    });
    let noun = first..end.unwrap_or(noun.end);
    let named = |m: &&Measure| noun.clone().any(|i| is_name(binder, i, m));
    view.measures.iter().filter(named).filter(|m| of_form(view, m, num)).collect()
}

/// Words that end the noun behind a number.
const STOPS: &[&str] = &[
    "of", "in", "at", "on", "by", "for", "from", "to", "with", "per", "who", "that", "which",
    "than", "в", "во", "на", "у", "по", "за", "из", "от", "до", "с", "со", "для", "чем",
];

/// A token is the whole name of a measure of one word, but for words of its unit and its aggregate.
fn is_name(binder: &Binder, at: usize, m: &Measure) -> bool {
    let words = own_words(m);
    let token = &binder.reading.tokens[at];
    matches!(words.as_slice(), [word] if is_word_of(&token.lower, word) || declined(&token.lower, word))
}

/// A Russian word in another form.
fn declined(token: &str, word: &str) -> bool {
    let start: String = word.chars().take(word.chars().count().max(6) - 2).collect();
    super::lex::is_cyrillic(word) && token.starts_with(&start)
}

/// The words of a name without those of a unit.
fn own_words(m: &Measure) -> Vec<String> {
    let mut words = name_words(&m.name);
    words.retain(|w| !UNITS.contains(&w.as_str()));
    words
}

/// How many words the name of a measure has, where the tokens hold them all.
fn words_said(binder: &Binder, range: Range<usize>, m: &Measure) -> usize {
    let tokens = &binder.reading.tokens;
    let words = own_words(m);
    let said = |word: &String| {
        range.clone().any(|i| {
            let token = &tokens[i].lower;
            tokens[i].is_word() && (is_word_of(token, word) || declined(token, word))
        })
    };
    if words.iter().all(said) { words.len() } else { 0 }
}

/// A number of this form may be of the measure.
fn of_form(view: &View, m: &Measure, num: &Num) -> bool {
    let Some(fact) = cell(view, m, 0) else { return true };
    let percent = num.number.percent == (fact.percent || fact.share && num.number.percent);
    let unit = num.number.unit.is_none() || fact.unit.is_some();
    units_agree(num, &fact) && percent && unit
}

/// The words of a place in an order name no aggregate.
fn ordered(binder: &Binder, place: Place) -> bool {
    let reading = binder.reading;
    reading.superlatives.iter().any(|s| (s.place.first..=s.place.last).contains(&place.first))
}

/// The one measure whose whole name, of one word, stands in a clause that names no other.
pub(super) fn whole_name<'v>(
    binder: &Binder,
    view: &'v View,
    clause: usize,
) -> Option<&'v Measure> {
    let tokens = &binder.reading.tokens;
    let named = |m: &&Measure| {
        (0..tokens.len())
            .any(|i| tokens[i].is_word() && tokens[i].clause == clause && is_name(binder, i, m))
    };
    let mut list = view.measures.iter().filter(named);
    list.next().filter(|_| list.next().is_none())
}
