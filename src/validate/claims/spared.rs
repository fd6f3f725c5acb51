//! Right numbers that another reading would replace: that of the group which is named by a measure that the
//! sentence calls (`the longest run was 24 km` of `longest_km`, though `km` names another column), and that
//! of the one row whose keys all stand nearest. What the sentence says so is no other number's place.

use super::bind::Binder;
use super::judge::{Finding, Why};
use super::read::{Mention, Num, Place, Reading};
use super::resolve::{Fact, cell};
use super::spelled::{UNITS, is_word_of};
use super::verify::{Fit, fit, units_agree};
use super::words::Agg;
use super::world::{Measure, View, name_words};
use crate::query::check::ResultKind;
use crate::validate::Verdict;

/// Takes back that a number is wrong where it is right of what the sentence spells out: it is marked, and
/// stays as it was written.
pub(super) fn spared(binder: &Binder, out: &mut [(Place, Finding)]) {
    let reading = binder.reading;
    let mut owners: Vec<Place> = Vec::new();
    for (place, found) in out.iter_mut() {
        let wrong = found.claim.verdict == Verdict::Contradicted;
        let number = reading.numbers.iter().find(|n| wrong && n.place.last == place.last);
        let Some((num, fact)) = number.zip(found.claim.fact.as_ref()) else { continue };
        let Some(view) = binder.world.views.iter().find(|v| v.outcome.id == fact.result) else {
            continue;
        };
        let says = |row: usize| of_its_measure(reading, view, num, &fact.column, row);
        let own = owner(reading, view, num).filter(|(_, row)| says(*row));
        if of_its_row(reading, view, num, &fact.column)
            || fact.row.is_some_and(says)
            || own.is_some()
        {
            owners.extend(own.map(|(place, _)| place));
            doubt(found);
        }
    }
    // `June's best was 21.1`, where that is the best of June: no place of June among the months.
    for (_, found) in out.iter_mut().filter(|(place, _)| owners.contains(place)) {
        if found.claim.verdict == Verdict::Contradicted {
            doubt(found);
        }
    }
}

fn doubt(found: &mut Finding) {
    (found.claim.verdict, found.why) = (Verdict::Unverifiable, Why::Doubt);
    found.claim.actual = None;
}

/// The only group that the clause of a number names, and its row.
fn owner(reading: &Reading, view: &View, num: &Num) -> Option<(Place, usize)> {
    let clause = reading.clause(num.place);
    let mut mentions = reading.mentions.iter().filter(|m| reading.clause(m.place) == clause);
    let own = mentions.next().filter(|_| mentions.next().is_none())?;
    let at = own.axes.iter().find_map(|axis| view.on_axis(axis))?;
    let [row] = view.rows_named(at, &own.name)[..] else { return None };
    Some((own.place, row))
}

/// The number is the cell of another measure in a row, and the sentence says the whole name of that, which
/// is longer than that of the measure it was taken for.
fn of_its_measure(reading: &Reading, view: &View, num: &Num, column: &str, row: usize) -> bool {
    let taken = name_words(column);
    view.measures.iter().filter(|m| m.name != column).any(|m| {
        let mut words = name_words(&m.name);
        words.retain(|w| !UNITS.contains(&w.as_str()));
        let said = |word: &String| is_said(reading, num, m, word);
        cell(view, m, row).is_some_and(|f| says(num, &f))
            && words.len() > taken.len()
            && words.iter().any(|w| !taken.contains(w) && said(w))
            && words.iter().all(|w| said(w) || m.unit.as_deref() == Some(w))
    })
}

fn says(num: &Num, fact: &Fact) -> bool {
    units_agree(num, fact) && fit(num, fact, None) == Fit::Yes
}

/// The sentence says a word of the measure's name, or chooses as its aggregate does.
fn is_said(reading: &Reading, num: &Num, m: &Measure, word: &str) -> bool {
    let sentence = reading.sentence(num.place);
    let here = |place: Place| reading.sentence(place) == sentence;
    let plain = reading
        .tokens
        .iter()
        .any(|t| t.sentence == sentence && t.is_word() && is_word_of(&t.lower, word));
    let agg = Agg::of_name(word).filter(|agg| m.agg == Some(*agg));
    let most = match m.agg {
        Some(Agg::Max) => Some(true),
        Some(Agg::Min) => Some(false),
        _ => None,
    };
    let chosen = most.filter(|_| Agg::of_name(word).is_some());
    plain
        || agg.is_some_and(|agg| reading.aggs.iter().any(|a| here(a.place) && a.what == agg))
        || chosen.is_some_and(|most| {
            reading.superlatives.iter().any(|s| here(s.place) && s.what.most == most)
        })
}

/// Of a result of several keys, the number is the cell of the row whose keys stand nearest to it in its
/// sentence.
fn of_its_row(reading: &Reading, view: &View, num: &Num, column: &str) -> bool {
    let keys: Vec<usize> = (0..view.names.len()).filter(|&at| view.names[at].key).collect();
    if view.kind != ResultKind::Grouped || keys.len() < 2 {
        return false;
    }
    let sentence = reading.sentence(num.place);
    let mut rows = view.all_rows().to_vec();
    for at in keys {
        let axis = &view.names[at].axis;
        let here = |m: &&Mention| reading.sentence(m.place) == sentence && m.axes.contains(axis);
        let named = reading.mentions.iter().filter(here);
        let nearest = named.min_by_key(|m| m.place.first.abs_diff(num.place.first));
        let Some(nearest) = nearest else { return false };
        let named = view.rows_named(at, &nearest.name);
        rows.retain(|row| named.contains(row));
    }
    let m = view.measures.iter().find(|m| m.name == column);
    let ([row], Some(m)) = (&rows[..], m) else { return false };
    cell(view, m, *row).is_some_and(|f| says(num, &f))
}
