//! Values that groups have exchanged: a sentence gives as many names as numbers, one beside the other, and
//! the numbers are those of the same groups in another order. There none of them can be right, whatever
//! else the sentence says, and each should be its own group's.

use super::bind::Binder;
use super::judge::{Finding, Why, finding, rewrite};
use super::meant::moves;
use super::read::{Mention, Num, Place};
use super::resolve::{Fact, cell};
use super::swapped::plain;
use super::verify::{Fit, fit};
use super::world::{Measure, View};
use crate::validate::Verdict;

/// So many tokens may stand between a name and its number.
const NEAR: usize = 3;

/// Contradicts what was only marked, where the numbers of a sentence are exchanged.
pub(super) fn exchanged(text: &str, binder: &Binder, out: &mut [(Place, Finding)]) {
    let reading = binder.reading;
    let mut sentences: Vec<usize> =
        binder.claims.iter().map(|&n| reading.sentence(reading.numbers[n].place)).collect();
    sentences.dedup();
    for sentence in sentences {
        let Some(pairs) = pairs(binder, sentence) else { continue };
        let at = |num: &Num| out.iter().position(|(place, _)| place.last == num.place.last);
        let Some(found) = pairs.iter().map(|(_, num)| at(num)).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let Some(facts) = own_values(binder, &pairs) else { continue };
        let wrong: Vec<usize> =
            (0..pairs.len()).filter(|&i| fit(pairs[i].1, &facts[i], None) != Fit::Yes).collect();
        let marked = |i: &usize| out[found[*i]].1.claim.verdict == Verdict::Unverifiable;
        if !wrong.iter().all(marked) {
            continue;
        }
        for i in wrong {
            let (place, actual) = rewrite(text, binder, pairs[i].1, &facts[i], Fit::No);
            let verdict = Verdict::Contradicted;
            let fact = Some(&facts[i]);
            let made = finding(text, reading, place, verdict, Some(actual), fact, Why::Value);
            out[found[i]] = (place, made);
        }
    }
}

/// The names of a sentence, each with the number beside it: all behind their names, or all before.
fn pairs<'r>(binder: &Binder<'r>, sentence: usize) -> Option<Vec<(&'r Mention, &'r Num)>> {
    let reading = binder.reading;
    let here = |place: Place| reading.sentence(place) == sentence;
    let names: Vec<&Mention> = reading.mentions.iter().filter(|m| here(m.place)).collect();
    let numbers: Vec<&Num> = reading.numbers.iter().filter(|n| here(n.place)).collect();
    let claimed = |num: &&Num| {
        let mut claims = binder.claims.iter().map(|&n| &reading.numbers[n]);
        claims.any(|n| n.place == num.place) && plain(binder, num) && !moves(binder, num)
    };
    if names.len() < 2 || names.len() != numbers.len() || !numbers.iter().all(claimed) {
        return None;
    }
    let behind = names[0].place.first < numbers[0].place.first;
    let pairs: Vec<(&Mention, &Num)> = names.into_iter().zip(numbers).collect();
    let mut last = None;
    for (name, num) in &pairs {
        let (first, second) =
            if behind { (name.place, num.place) } else { (num.place, name.place) };
        let next = last.is_none_or(|at| at < first.first);
        if !next || first.last >= second.first || second.first - first.last > NEAR + 1 {
            return None;
        }
        last = Some(second.last);
    }
    Some(pairs)
}

/// What each of the names has by the one measure whose values they exchange.
fn own_values(binder: &Binder, pairs: &[(&Mention, &Num)]) -> Option<Vec<Fact>> {
    let mut found: Option<Vec<Fact>> = None;
    for view in &binder.world.views {
        let row = |m: &Mention| {
            let at = m.axes.iter().find_map(|a| view.on_axis(a))?;
            let rows = view.rows_named(at, &m.name);
            (rows.len() == 1).then(|| rows[0])
        };
        let Some(rows) = pairs.iter().map(|(m, _)| row(m)).collect::<Option<Vec<_>>>() else {
            continue;
        };
        for m in &view.measures {
            let Some(facts) = exchange(view, m, &rows, pairs) else { continue };
            if found.is_some() {
                return None;
            }
            found = Some(facts);
        }
    }
    found
}

/// The values of rows by a measure, where the numbers are those in another order, and those that are not
/// at their own row are not its value by any other measure.
fn exchange(
    view: &View,
    m: &Measure,
    rows: &[usize],
    pairs: &[(&Mention, &Num)],
) -> Option<Vec<Fact>> {
    let facts = rows.iter().map(|&row| cell(view, m, row)).collect::<Option<Vec<_>>>()?;
    let mut taken = vec![false; rows.len()];
    let mut moved = false;
    for (i, (_, num)) in pairs.iter().enumerate() {
        let mut of = (0..rows.len()).filter(|&j| fit(num, &facts[j], None) == Fit::Yes);
        let only = of.next()?;
        if of.next().is_some() || std::mem::replace(&mut taken[only], true) {
            return None;
        }
        let own = |m: &Measure| {
            cell(view, m, rows[i]).is_some_and(|fact| fit(num, &fact, None) == Fit::Yes)
        };
        if only != i && view.measures.iter().any(own) {
            return None;
        }
        moved |= only != i;
    }
    moved.then_some(facts)
}
