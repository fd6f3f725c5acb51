//! What the findings of a sentence say of each other: an order by the number beside it, a number by
//! another that states its fact, all of them where one is not understood.

use super::judge::{Finding, Why};
use super::names::Name;
use super::order::Ordered;
use super::rank::{ends, largest, ranked};
use super::read::{End, Part, Place, Reading, Superlative};
use super::resolve::cell;
use super::swapped::digits;
use super::verify::{Fit, fit};
use super::world::{Measure, View, World};
use crate::validate::{FactRef, Verdict};
use std::collections::HashSet;

/// A sentence of which something was not understood is more likely misread than wrong: what differs
/// in it is marked, and not replaced. The number of a group that is `corrected` is no such thing.
pub(super) fn misread(
    reading: &Reading,
    corrected: &[(usize, Name)],
    out: &mut [(Place, Finding)],
) {
    let of_wrong_name = |place: Place, f: &Finding| {
        let sentence = reading.sentence(place);
        let mut names = corrected.iter().filter_map(|(m, _)| reading.mentions.get(*m));
        f.why == Why::Doubt && names.any(|m| reading.sentence(m.place) == sentence)
    };
    let open: HashSet<usize> = out
        .iter()
        .filter(|(place, f)| f.claim.verdict == Verdict::Unverifiable && !of_wrong_name(*place, f))
        .map(|(place, _)| reading.sentence(*place))
        .collect();
    for (place, found) in out.iter_mut() {
        if found.claim.verdict == Verdict::Contradicted && open.contains(&reading.sentence(*place))
        {
            found.claim.verdict = Verdict::Unverifiable;
            found.claim.actual = None;
            found.why = Why::Doubt;
        }
    }
}

/// Where a sentence states a fact rightly, another number of it that was bound to the same fact is
/// about something else (`sold 310.5 in 2 visits`).
pub(super) fn said_already(reading: &Reading, out: &mut [(Place, Finding)]) {
    let key = |(place, f): &(Place, Finding)| {
        let fact = f.claim.fact.as_ref().filter(|_| f.claim.formula.is_none())?;
        Some((reading.sentence(*place), fact.result.clone(), fact.row, fact.column.clone()))
    };
    // Who is first says nothing of how much it is.
    let number = |place: &Place| reading.numbers.iter().any(|n| n.place.first == place.first);
    let right: Vec<_> = out
        .iter()
        .filter(|(_, f)| f.claim.verdict == Verdict::Verified && f.why == Why::Fine)
        .filter(|(place, _)| number(place))
        .filter_map(key)
        .collect();
    for item in out.iter_mut() {
        if item.1.why == Why::Value && key(item).is_some_and(|k| right.contains(&k)) {
            item.1.claim.verdict = Verdict::Unverifiable;
            item.1.claim.actual = None;
            item.1.why = Why::Doubt;
        }
    }
}

/// `1,312 of 18,640 events`: a part of the rows that a filter kept is a part of those, not of all that
/// were searched; of these only what was found is said to be a part.
pub(super) fn of_another_whole(world: &World, reading: &Reading, out: &mut [(Place, Finding)]) {
    let wrong: Vec<bool> = out
        .iter()
        .map(|(place, found)| {
            let num = reading.numbers.iter().find(|n| n.place.first == place.first);
            let of = match num.and_then(|n| n.part) {
                Some(Part::Denominator(of)) => reading.numbers.get(of),
                _ => None,
            };
            let searched = found.claim.verdict == Verdict::Verified
                && found.claim.fact.as_ref().is_some_and(|f| f.column == "rows_scanned");
            let Some(of) = of.filter(|_| searched) else { return false };
            let of = out.iter().find(|(p, _)| p.first == of.place.first);
            let stated =
                |f: &Finding| f.claim.formula.as_ref().is_some_and(|f| f.contains("scanned"));
            let part = of.filter(|(_, f)| !stated(f)).and_then(|(_, f)| f.claim.fact.as_ref());
            part.is_some_and(|f| {
                let view = world.views.iter().find(|v| v.outcome.id == f.result);
                f.column != "rows_matched"
                    && view.is_some_and(|v| {
                        let all = f.value.as_f64() == Some(v.outcome.rows_matched as f64);
                        v.outcome.rows_matched < v.outcome.rows_scanned && !all
                    })
            })
        })
        .collect();
    for (item, _) in out.iter_mut().zip(wrong).filter(|(_, wrong)| *wrong) {
        item.1.claim.verdict = Verdict::Unverifiable;
        item.1.claim.actual = None;
        item.1.why = Why::Doubt;
    }
}

/// In a list of one number for each name, one that is of another column than the rest is not what
/// the list says (`Direct 7,300; Email 5,400; Social 61`).
pub(super) fn of_one_column(reading: &Reading, out: &mut [(Place, Finding)]) {
    let plain = |item: &(Place, Finding)| {
        let fact = item.1.claim.fact.as_ref()?;
        let alone = reading
            .numbers
            .iter()
            .filter(|n| reading.clause(n.place) == reading.clause(item.0))
            .count()
            == 1;
        (alone
            && item.1.claim.verdict == Verdict::Verified
            && item.1.claim.formula.is_none()
            && fact.row.is_some()
            && reading.column_head(item.0).is_none()
            && reading.numbers.iter().any(|n| n.place == item.0))
        .then(|| (reading.sentence(item.0), fact.column.clone()))
    };
    let all: Vec<Option<(usize, String)>> = out.iter().map(plain).collect();
    for (i, item) in out.iter_mut().enumerate() {
        let Some((sentence, column)) = &all[i] else { continue };
        let clause = reading.clause(item.0);
        let named = reading.bases.iter().any(|b| reading.clause(b.place) == clause)
            || reading.aggs.iter().any(|a| reading.clause(a.place) == clause);
        let num = reading.numbers.iter().find(|n| n.place == item.0);
        let told = num.is_some_and(|n| n.number.percent || n.counted.is_some());
        if named || told {
            continue;
        }
        let peers: Vec<&String> = all
            .iter()
            .enumerate()
            .filter(|(j, _)| *j != i)
            .filter_map(|(_, x)| x.as_ref().filter(|(s, _)| s == sentence).map(|(_, c)| c))
            .collect();
        if peers.len() >= 2 && peers.iter().all(|c| **c != *column && *c == peers[0]) {
            item.1.claim.verdict = Verdict::Unverifiable;
            item.1.claim.actual = None;
            item.1.why = Why::Doubt;
        }
    }
}

/// `You spent the most in December: 158,225`: the right number of the group in the sentence says by
/// what the group is the first; the fact, where it is.
pub(super) fn by_its_number(
    world: &World,
    reading: &Reading,
    o: &Ordered,
    out: &[(Place, Finding)],
) -> Option<FactRef> {
    let mention = reading.mentions.get(o.mention?)?;
    let mark = reading.superlatives.iter().find(|s| s.place == o.scope.0)?.what;
    if mark.negated || mark.odd {
        return None;
    }
    let sentence = reading.sentence(mention.place);
    let numbers = out.iter().filter(|(place, f)| {
        reading.sentence(*place) == sentence
            && f.claim.verdict == Verdict::Verified
            && f.claim.formula.is_none()
            && reading.numbers.iter().any(|n| n.place.first == place.first)
    });
    let last = o.scope.0.last;
    numbers.filter_map(|(place, f)| Some((place, f.claim.fact.as_ref()?))).find_map(|(at, fact)| {
        let row = fact.row?;
        // `ships the most (4,100 deliveries)`, `the least punctual`: the number right behind says by
        // what, and so it does where the adjective is not known.
        let told = mark.end == End::Either || at.first > last && at.first <= last + 2;
        let view = world.views.iter().find(|v| v.outcome.id == fact.result)?;
        let at = mention.axes.iter().find_map(|a| view.on_axis(a))?;
        let measure = view.measures.iter().find(|m| m.name == fact.column)?;
        // What the clause says it is ordered by binds.
        if o.by.as_ref().is_some_and(|by| !told && !by.is_empty() && !by.contains(&measure.name)) {
            return None;
        }
        if !view.rows_named(at, &mention.name).contains(&row) {
            return None;
        }
        // A cut result holds the extreme only at the end that it was sorted by.
        let sorted = view.outcome.query.sort().first();
        let held = |most: bool| {
            !view.cut() || sorted.is_some_and(|k| k.text == measure.name && k.descending == most)
        };
        // Among all, or among those of the other names that the sentence gives the row.
        let mut scope: Option<Vec<usize>> = None;
        for other in reading.mentions.iter().filter(|m| reading.sentence(m.place) == sentence) {
            let Some(of) = other.axes.iter().find_map(|a| view.on_axis(a)) else { continue };
            let named = view.rows_named(of, &other.name);
            if of != at && named.contains(&row) && named.len() > 1 {
                scope = Some(named.to_vec());
            }
        }
        let first = |rows: Option<&[usize]>| {
            ends(view, measure, mark).into_iter().any(|most| {
                let largest = largest(view, measure, rows, Superlative { most, ..mark });
                held(largest)
                    && ranked(view, measure, rows, largest, mark.rank)
                        .is_some_and(|(rows, _)| rows.contains(&row))
            })
        };
        (first(None) || scope.as_deref().is_some_and(|rows| first(Some(rows))))
            .then(|| fact.clone())
    })
}

/// `Tuesdays lose the most time: 2,194.8 minutes`: the group that is named has a number of the sentence
/// and holds the place by it, whatever the words seem to order.
pub(super) fn holds_by_number(
    world: &World,
    reading: &Reading,
    claims: &[usize],
    o: &Ordered,
) -> bool {
    let Some(mention) = o.mention.and_then(|m| reading.mentions.get(m)) else { return false };
    let Some(mark) = reading.superlatives.iter().find(|s| s.place == o.scope.0) else {
        return false;
    };
    let sentence = reading.sentence(mention.place);
    let numbers: Vec<_> = claims
        .iter()
        .map(|&n| &reading.numbers[n])
        .filter(|n| reading.sentence(n.place) == sentence && digits(n) > 1)
        .collect();
    let single = |view: &&View| !view.cut() && view.outcome.rows.len() > 1;
    world.views.iter().filter(single).any(|view| {
        let Some(at) = mention.axes.iter().find_map(|a| view.on_axis(a)) else { return false };
        let own = view.rows_named(at, &mention.name);
        let says = |m: &Measure, row: usize| {
            let fact = cell(view, m, row);
            fact.is_some_and(|f| numbers.iter().any(|num| fit(num, &f, None) == Fit::Yes))
        };
        let told = |m: &Measure| own.iter().any(|&row| says(m, row));
        view.measures.iter().filter(|m| told(m)).any(|m| {
            ends(view, m, mark.what).into_iter().any(|most| {
                let most = largest(view, m, None, Superlative { most, ..mark.what });
                ranked(view, m, None, most, mark.what.rank)
                    .is_some_and(|(rows, _)| rows.iter().any(|r| own.contains(r) && says(m, *r)))
            })
        })
    })
}
