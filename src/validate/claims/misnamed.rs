//! The wrong name at a place in an order. Where a superlative or a rank stands with the number that its
//! holder has and the group which is named has in no column, the place and the number speak of one group
//! and the name of another: it is the name that is wrong, whatever else the sentence says.

use super::bind::Binder;
use super::judge::{Finding, Why, finding};
use super::lex::Token;
use super::link::Reach;
use super::names::{Axis, Name, without_possessive, write_like};
use super::order::{about, name_column, name_on};
use super::places::is_of_age;
use super::rank::{ends, largest, ranked};
use super::read::{End, Mark, Mention, Num, Place, Reading, Superlative};
use super::resolve::{Fact, Rows, cell, select, shown};
use super::swapped::{bare, digits, relates};
use super::tops::ranks;
use super::verify::{Fit, fit, units_agree};
use super::words::{self, Agg, has};
use super::world::{Measure, View};
use crate::query::check::ResultKind;
use crate::validate::{FactRef, Verdict};
use crate::value::Value;
use std::collections::HashSet;

/// In more rows than these some other row has a number by chance.
const ROWS: usize = 10_000;

/// A number of fewer digits is that of an end by chance, where no word says what is ordered.
const ENOUGH: usize = 3;

/// The names of so many rows are compared.
const FEW: usize = 200;

/// A part of a sentence that is about one place of an order.
struct Part<'r> {
    mark: &'r Mark<Superlative>,
    mentions: Vec<&'r Mention>,
    numbers: Vec<&'r Num>,
}

/// Who holds the place, and by which fact.
struct Holder<'r> {
    mention: &'r Mention,
    axis: Axis,
    name: Name,
    value: Value,
    /// The numbers that are the holder's.
    facts: Vec<(Place, FactRef)>,
    /// The one that has the place.
    fact: FactRef,
}

/// Contradicts names that the place and the number beside them belie.
pub(super) fn misnamed(text: &str, binder: &Binder, out: &mut Vec<(Place, Finding)>) {
    let reading = binder.reading;
    let ranks = ranks(reading);
    for mark in reading.superlatives.iter().chain(&ranks) {
        let s = mark.what;
        // The youngest has the smallest age and the largest year of birth.
        let age = (mark.place.first..=mark.place.last)
            .any(|i| is_of_age(reading, Place { first: i, last: i }));
        if s.negated || s.odd || age || s.end == End::Either || from_below(reading, mark) {
            continue;
        }
        let Some(part) = part(binder, mark, &ranks) else { continue };
        let Some(held) = holder(binder, &part, out) else { continue };
        let mut place = held.mention.place;
        let before = reading.word_before(place.first).to_owned();
        // The Russian preposition changes with the name.
        if matches!(before.as_str(), "в" | "во") && held.mention.axes == [Axis::Weekday] {
            place.first -= 1;
        }
        let words = without_possessive(reading.text(text, place));
        let actual = write_like(&held.axis, words, &before, &held.name, &shown(&held.value));
        let why = Why::Order(held.fact.column.clone());
        let mut wrong =
            finding(text, reading, place, Verdict::Contradicted, Some(actual), None, why);
        wrong.claim.fact = Some(held.fact);
        let within = |p: &Place| p.first <= held.mention.place.last && p.last >= place.first;
        out.retain(|(p, _)| !within(p));
        for (at, fact) in held.facts {
            for (_, own) in out.iter_mut().filter(|(p, _)| p.last == at.last) {
                own.claim.verdict = Verdict::Verified;
                own.claim.actual = None;
                own.claim.formula = None;
                own.claim.operands = Vec::new();
                own.claim.fact = Some(fact.clone());
                own.why = Why::Fine;
            }
        }
        out.push((place, wrong));
    }
}

/// `second from the bottom`, `второе место с конца`.
pub(super) fn from_below(reading: &Reading, mark: &Mark<Superlative>) -> bool {
    let clause = reading.clause(mark.place);
    let below = |t: &Token| {
        ["bottom", "last", "снизу", "конца"].contains(&t.lower.as_str()) && t.clause == clause
    };
    mark.what.rank > 1 && reading.tokens.iter().any(below)
}

/// `The largest gap on Friday was 156.2` is said of Friday's own, where `The largest gap, 156.2, was on
/// Friday` is said of them all.
fn of_all(view: &View, m: &Measure, part: &Part, mention: &Mention) -> bool {
    let single = matches!(m.agg, Some(Agg::Max | Agg::Min));
    let before =
        |num: &&Num| part.mark.place.last < num.place.first && num.place.last < mention.place.first;
    !single && (view.kind == ResultKind::Grouped || one_row_each(view))
        || part.numbers.iter().all(before)
}

/// Every row of a short table has a name of its own.
fn one_row_each(view: &View) -> bool {
    let [name] = view.names.as_slice() else { return false };
    let rows = view.outcome.rows.len();
    let mut seen = HashSet::new();
    rows <= FEW && (0..rows).all(|r| seen.insert(shown(&view.outcome.value(r, name.column))))
}

/// The clauses around a superlative, up to those of another group with its numbers.
fn part<'r>(
    binder: &Binder<'r>,
    mark: &'r Mark<Superlative>,
    ranks: &[Mark<Superlative>],
) -> Option<Part<'r>> {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let sentence = reading.sentence(mark.place);
    let first = tokens.iter().find(|t| t.sentence == sentence)?.clause;
    let last = tokens.iter().rfind(|t| t.sentence == sentence)?.clause;
    let numbers = || binder.claims.iter().map(|&n| &reading.numbers[n]);
    let marks = || reading.superlatives.iter().chain(ranks);
    let in_clause = |p: Place, clause: usize| reading.clause(p) == clause;
    let mut parts = vec![(first, first)];
    for clause in first + 1..=last {
        let (from, to) = parts.last().copied()?;
        let named = |low: usize, high: usize| {
            reading.mentions.iter().any(|m| (low..=high).contains(&reading.clause(m.place)))
        };
        let whole =
            named(from, to) && numbers().any(|n| (from..=to).contains(&reading.clause(n.place)));
        let begins = reading.mentions.iter().any(|m| in_clause(m.place, clause))
            || marks().any(|m| in_clause(m.place, clause));
        if whole && begins && named(clause, last) {
            parts.push((clause, clause));
        } else if let Some(end) = parts.last_mut() {
            end.1 = clause;
        }
    }
    let own = reading.clause(mark.place);
    let (from, to) = parts.into_iter().find(|(from, to)| (*from..=*to).contains(&own))?;
    let here = |p: Place| (from..=to).contains(&reading.clause(p));
    let alone = marks().filter(|m| here(m.place)).count() == 1;
    let compared = (0..tokens.len())
        .any(|i| (from..=to).contains(&tokens[i].clause) && has(words::COMPARED, tokens, i));
    let mentions: Vec<_> = reading.mentions.iter().filter(|m| here(m.place)).collect();
    let numbers: Vec<_> = numbers().filter(|n| here(n.place)).collect();
    (alone && !compared && !mentions.is_empty() && !numbers.is_empty()).then_some(Part {
        mark,
        mentions,
        numbers,
    })
}

/// The one group that holds the place with the number, where it is another than the one that is named.
fn holder<'r>(binder: &Binder, part: &Part<'r>, out: &[(Place, Finding)]) -> Option<Holder<'r>> {
    let reading = binder.reading;
    let spans = reading.spans.iter().flat_map(|(a, b)| [a, b]);
    if spans.into_iter().any(|m| reading.sentence(m.place) == reading.sentence(part.mark.place)) {
        return None;
    }
    let mut found: Option<Holder> = None;
    for view in &binder.world.views {
        let rows = view.outcome.rows.len();
        if !(2..=ROWS).contains(&rows) {
            continue;
        }
        for &mention in &part.mentions {
            let Some(held) = in_view(binder, part, view, mention, out) else { continue };
            let other = |f: &Holder| f.mention != held.mention || f.name != held.name;
            if found.as_ref().is_some_and(other) {
                return None;
            }
            found = Some(held);
        }
        // What another result says of the name is not looked through.
        let has = |m: &&Mention| part.numbers.iter().any(|num| says(binder, view, num, m));
        if found.as_ref().is_some_and(|f| has(&f.mention)) {
            return None;
        }
    }
    found
}

/// The rows of a name.
fn rows_of(view: &View, mention: &Mention) -> Vec<usize> {
    let Some((at, axis)) = name_column(view, mention) else { return Vec::new() };
    let own = &view.names[at];
    if axis == own.axis {
        return view.rows_named(at, &mention.name).to_vec();
    }
    let named = |row: &usize| {
        let value = view.outcome.value(*row, own.column);
        name_on(&axis, &own.axis, value).is_some_and(|(name, _)| name == mention.name)
    };
    (0..view.outcome.rows.len()).filter(named).collect()
}

/// Whether a row of the name has the number in any column.
fn says(binder: &Binder, view: &View, num: &Num, mention: &Mention) -> bool {
    let rows = rows_of(view, mention);
    rows.iter().any(|&row| view.measures.iter().any(|m| is(binder, view, m, row, num)))
}

fn is(binder: &Binder, view: &View, m: &Measure, row: usize, num: &Num) -> bool {
    let up = binder.direction(num).map(|(up, _)| up);
    cell(view, m, row)
        .is_some_and(|f| [None, up].into_iter().any(|up| fit(num, &f, up) == Fit::Yes))
}

fn in_view<'r>(
    binder: &Binder,
    part: &Part<'r>,
    view: &View,
    mention: &'r Mention,
    out: &[(Place, Finding)],
) -> Option<Holder<'r>> {
    let reading = binder.reading;
    let (at, axis) = name_column(view, mention)?;
    let own = rows_of(view, mention);
    let mut others = part.mentions.iter().filter(|m| m.place != mention.place);
    if own.is_empty() || others.any(|m| name_column(view, m).is_none_or(|(o, _)| o == at)) {
        return None;
    }
    let others: Vec<_> = part
        .mentions
        .iter()
        .filter(|m| m.place != mention.place)
        .map(|m| about(m, Reach::Clause))
        .collect();
    let scope = match select(view, &others)? {
        (Rows::Some(rows), _) => Some(rows),
        (Rows::All, _) => None,
    };
    let named = measured(binder, part);
    let agg = aggregate(binder, part);
    let may_be = |m: &&Measure| {
        (named.is_empty() || m.base.is_empty() && agg.is_some() || named.contains(&m.base))
            && agg.is_none_or(|agg| m.agg == Some(agg))
    };
    let place = |m: &Measure| {
        let ends = ends(view, m, part.mark.what);
        let [most] = ends.as_slice() else { return None };
        // Of what was spent the first is the lowest.
        let fall = part.mark.what.fall || part.mark.what.end == End::Leads && view.spent(m);
        let what = Superlative { most: *most, fall, ..part.mark.what };
        let most = largest(view, m, None, what);
        let key = view.outcome.query.sort().first();
        if view.cut() && !key.is_some_and(|k| k.text == m.name && k.descending == most) {
            return None;
        }
        ranked(view, m, scope.as_ref().map(|rows| rows.as_slice()), most, what.rank)
    };
    let mut held: Option<(usize, FactRef)> = None;
    for m in view.measures.iter().filter(may_be) {
        let Some((rows, _)) = place(m) else { continue };
        // It may be by this measure that the name has the place, and the number may be what is wrong;
        // not where the number is of quite another size or unit.
        let sized = |row: &usize| {
            cell(view, m, *row).is_some_and(|f| part.numbers.iter().any(|num| is_sized(num, &f)))
        };
        if rows.iter().any(|row| own.contains(row) && sized(row)) {
            return None;
        }
        let &[row] = rows.as_slice() else { continue };
        if !of_all(view, m, part, mention) {
            continue;
        }
        let enough = |num: &Num| bare(num) && (!named.is_empty() || digits(num) >= ENOUGH);
        let mut numbers = part
            .numbers
            .iter()
            .filter(|num| enough(num) && !relates(binder, num, Some(part.mark.place)));
        if !numbers.any(|num| is(binder, view, m, row, num)) {
            continue;
        }
        if held.as_ref().is_some_and(|(other, _)| *other != row) {
            return None;
        }
        held = Some((row, cell(view, m, row)?.source));
    }
    let (row, fact) = held?;
    // All that is said is the holder's, and nothing the name's.
    let mut facts = Vec::new();
    for num in &part.numbers {
        let mut cells = view.measures.iter().filter(|m| is(binder, view, m, row, num));
        if own.iter().any(|&r| view.measures.iter().any(|m| is(binder, view, m, r, num))) {
            return None;
        }
        let before = out.iter().find(|(place, _)| place.last == num.place.last).map(|(_, f)| f);
        let derived = before.is_some_and(|f| f.claim.verdict == Verdict::Derived);
        let whole = before.is_some_and(|f| {
            let fact = f.claim.fact.as_ref().filter(|_| f.claim.verdict == Verdict::Verified);
            fact.is_some_and(|fact| fact.row.is_none() && fact.key.is_empty())
        });
        match cells.next().and_then(|m| cell(view, m, row)) {
            Some(cell) if !derived => facts.push((num.place, cell.source)),
            _ if whole => {}
            _ => return None,
        }
    }
    let column = view.names.get(at)?;
    let (name, value) = name_on(&axis, &column.axis, view.outcome.value(row, column.column))?;
    // Said of the holder already.
    let sentence = reading.sentence(part.mark.place);
    let told = reading.mentions.iter().any(|m| {
        reading.sentence(m.place) == sentence
            && rows_of(view, m).contains(&row)
            && m.axes.iter().any(|a| mention.axes.contains(a))
    });
    (!told).then_some(Holder { mention, axis, name, value, facts, fact })
}

/// A number of the size and the unit of a fact.
fn is_sized(num: &Num, fact: &Fact) -> bool {
    units_agree(num, fact) && (0.1..10.0).contains(&(num.number.value / fact.value).abs())
}

/// The aggregate that the words at the superlative name (`the lowest average`, `most tests`): the
/// other columns of the result order nothing then.
fn aggregate(binder: &Binder, part: &Part) -> Option<Agg> {
    let reading = binder.reading;
    let near = |p: Place| p.first > part.mark.place.last && p.first <= part.mark.place.last + 2;
    let held =
        |agg: Agg| binder.world.views.iter().flat_map(|v| &v.measures).any(|m| m.agg == Some(agg));
    let named = reading.aggs.iter().find(|a| near(a.place)).map(|a| a.what);
    // `last by learners`: what the rows are.
    let by = part.mark.place.last + 1;
    let rows = reading.tokens.get(by + 1).is_some_and(|t| t.counts)
        && ["by", "по"].contains(&reading.tokens[by].lower.as_str());
    named.or(rows.then_some(Agg::Count)).filter(|agg| held(*agg))
}

/// What the words at the superlative measure.
fn measured(binder: &Binder, part: &Part) -> Vec<String> {
    let reading = binder.reading;
    let clause = reading.clause(part.mark.place);
    let at = part.mark.place.first..=part.mark.place.last;
    let hints = reading.hints.iter().filter(|(i, _)| at.contains(i)).flat_map(|(_, b)| b);
    let bases = reading.bases.iter().filter(|b| reading.clause(b.place) == clause);
    hints.chain(bases.flat_map(|b| &b.what)).cloned().collect()
}
