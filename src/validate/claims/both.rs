//! Both ends of one order: `The first is A, the last is B` without a word for what is ordered. Where one of
//! the two holds its end by exactly one measure, and the other holds its own by none, it is that measure
//! which orders, and the other name is wrong.

use super::bind::{Binder, Links};
use super::names::{Axis, name_of, without_possessive, write_like};
use super::order::Ordered;
use super::rank::{better, largest, ranked, takes_time};
use super::read::{End, Mark, Mention, Place, Reading, Superlative};
use super::resolve::{cell, shown};
use super::sure::Sure;
use super::world::{Measure, View, World};
use crate::validate::Verdict;

/// `Больше всего брака — в литейном цехе, меньше всего — в сборочном`: a clause of nothing but a superlative
/// and a group is of what the clause before it orders.
pub(super) fn elided(binder: &Binder, mark: &Mark<Superlative>) -> Option<Vec<String>> {
    let reading = binder.reading;
    let clause = reading.clause(mark.place);
    let within = |p: Place, i: usize| (p.first..=p.last).contains(&i);
    let bare = |i: usize| {
        let token = &reading.tokens[i];
        !token.is_word()
            || token.lower.chars().count() <= 2
            || within(mark.place, i)
            || reading.mentions.iter().any(|m| within(m.place, i))
            || binder.world.axis_words.contains_key(&token.stem)
    };
    let last = clause.checked_sub(1)?;
    let other = reading.superlatives.iter().find(|s| reading.clause(s.place) == last)?;
    let opposite = other.what.most != mark.what.most
        && reading.sentence(other.place) == reading.sentence(mark.place);
    let mut own = (0..reading.tokens.len()).filter(|&i| reading.tokens[i].clause == clause);
    let mut bases = reading.bases.iter().filter(|b| reading.clause(b.place) == last);
    let base = bases.next().filter(|_| bases.next().is_none())?;
    (opposite && own.all(bare)).then(|| base.what.clone())
}

/// `The cheapest month was April`, where sums of a price are told.
pub(super) fn is_dear_month(
    binder: &Binder,
    links: &Links,
    i: usize,
    mark: &Mark<Superlative>,
) -> bool {
    let reading = binder.reading;
    let dear = (mark.place.first..=mark.place.last).any(|at| {
        let word = reading.tokens[at].lower.as_str();
        let price = ["cheap", "expens", "costl", "pric", "дорог", "дорож", "дешев"];
        price.iter().any(|start| word.starts_with(start))
    });
    let calendar = |m: usize| {
        let axes = &reading.mentions[m].axes;
        axes.iter().any(|a| {
            matches!(a, Axis::Month | Axis::Year | Axis::Quarter | Axis::Weekday | Axis::Date)
        })
    };
    let links = links.mentions(i);
    let mut said = links.iter().filter_map(|(targets, _)| targets.first());
    dear && said.any(|&m| calendar(m))
}

/// Judges the open ones of two names at the ends of an order.
pub(super) fn both_ends(
    text: &str,
    (world, reading, sure): (&World, &Reading, &Sure),
    marks: &[Mark<Superlative>],
    ordered: &mut [Ordered],
) {
    for i in 0..ordered.len() {
        for j in 0..ordered.len() {
            let open = ordered[i].verdict == Verdict::Unverifiable && ordered[i].by.is_none();
            if i != j && open && ordered[j].by.is_none() {
                let found = wrong(text, (world, reading, sure), marks, (&ordered[i], &ordered[j]));
                if let Some(found) = found {
                    ordered[i] = found;
                }
            }
        }
    }
}

/// The first of two, where it is wrong and the second is right.
fn wrong(
    text: &str,
    (world, reading, sure): (&World, &Reading, &Sure),
    marks: &[Mark<Superlative>],
    (open, other): (&Ordered, &Ordered),
) -> Option<Ordered> {
    let mark = |o: &Ordered| marks.iter().find(|m| m.place == o.scope.0);
    let (first, second) = (mark(open)?, mark(other)?);
    let sentence = reading.sentence(first.place);
    let plain = |s: Superlative| !(s.negated || s.odd || s.fall || s.speed) && s.rank == 1;
    let said = |s: Superlative| matches!(s.end, End::Said | End::Leads);
    let ends = [first.what, second.what].into_iter().all(|s| plain(s) && said(s));
    let here = |o: &Ordered| {
        let (from, to) = (reading.clause(o.scope.0), reading.clause(o.scope.1));
        (from.min(to)..=from.max(to)).all(|clause| sure.loosely(reading, clause))
    };
    if !ends || first.what.most == second.what.most || reading.sentence(second.place) != sentence {
        return None;
    }
    let (m1, m2) = (reading.mentions.get(open.mention?)?, reading.mentions.get(other.mention?)?);
    let alone = reading.mentions.iter().filter(|m| reading.sentence(m.place) == sentence).count();
    let [view] = world.views.as_slice() else { return None };
    if m1.axes != m2.axes
        || alone != 2
        || view.cut()
        || view.names.len() != 1
        || !here(open)
        || !here(other)
    {
        return None;
    }
    let at = m1.axes.iter().find_map(|axis| view.on_axis(axis))?;
    let place = |m: &Measure, s: Superlative| {
        ranked(view, m, None, largest(view, m, None, s), 1).map(|(rows, _)| rows)
    };
    let holds = |m: &Measure, s: Superlative, of: &Mention| {
        let own = view.rows_named(at, &of.name);
        place(m, s).is_some_and(|rows| rows.iter().any(|row| own.contains(row)))
    };
    let turned = |s: Superlative| Superlative { most: !s.most, ..s };
    let mut of_second: Vec<&Measure> = Vec::new();
    for m in &view.measures {
        // What is better the less of it there is may be ordered from below.
        let below = better(m) == Some(false) || takes_time(m);
        if holds(m, first.what, m1) || below && holds(m, turned(first.what), m1) {
            return None;
        }
        if holds(m, second.what, m2) {
            of_second.push(m);
        }
    }
    let m = by_which(view, &of_second)?;
    let rows = place(m, first.what)?;
    let &[row] = rows.as_slice() else { return None };
    let name = view.names.get(at)?;
    let value = view.outcome.value(row, name.column);
    let right = name_of(&name.axis, &value)?;
    let before = reading.word_before(open.place.first).to_owned();
    let words = without_possessive(reading.text(text, open.place));
    Some(Ordered {
        verdict: Verdict::Contradicted,
        actual: Some(write_like(&name.axis, words, &before, &right, &shown(&value))),
        right: Some(right),
        fact: cell(view, m, row).map(|fact| fact.source),
        said: m.name.clone(),
        ..open.clone()
    })
}

/// Of several measures the one that the query sorted by.
fn by_which<'v>(view: &View, list: &[&'v Measure]) -> Option<&'v Measure> {
    if let [m] = list {
        return Some(m);
    }
    let key = view.outcome.query.sort().first()?;
    list.iter().copied().find(|m| m.name == key.text)
}
