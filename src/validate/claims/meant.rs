//! What a number should be where its value is known to be another's: that of the same group by another
//! measure, another group's total or share, one group's where several are taken together, another place's
//! where a superlative chooses. There the sentence need not be understood to the last word.

use super::bind::{Binder, renamed};
use super::combine::axes;
use super::derive::derived;
use super::link::Reach;
use super::names::name_of;
use super::read::{Mention, Num};
use super::resolve::{Fact, Need, Rows, cell, facts, select};
use super::sure::Sure;
use super::swapped::{bare, digits, relates};
use super::totals::{joined, total};
use super::verify::{Fit, fit, units_agree};
use super::words::{self, Agg, find, has};
use super::world::{Measure, View};
use crate::query::check::ResultKind;

/// A number of as many digits is another's only by chance in so many groups.
const GROUPS: usize = 200;

/// Fewer digits than these are met by chance among several groups.
const ENOUGH: usize = 3;

/// Starts of words that take several groups together.
const JOINT: &[&str] = &["together", "combined", "jointly", "вместе", "совместно", "суммарн"];

/// What the number should be.
pub(super) fn meant(binder: &Binder, sure: &Sure, item: usize, num: &Num) -> Option<Fact> {
    if !bare(num) || relates(binder, num, None) || moves(binder, num) {
        return None;
    }
    of_several(binder, item, num).or_else(|| {
        let mut needs = binder.needs(item);
        let (mut need, _) = needs.pop().filter(|_| needs.is_empty())?;
        need.names.retain(|n| n.reach != Reach::Before);
        if binder.reading.clause_has(binder.reading.clause(num.place), words::TOGETHER) {
            return None;
        }
        of_named_measure(binder, num, &need)
            .or_else(|| of_the_filter(binder, num, &need))
            .or_else(|| computed_of_another(binder, num, &need))
            .or_else(|| of_another_place(binder, sure, num, &need))
    })
}

/// The clause speaks of a change, or compares.
pub(super) fn moves(binder: &Binder, num: &Num) -> bool {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let clause = reading.clause(num.place);
    let named = |i: usize| {
        reading.mentions.iter().any(|m| (m.place.first..=m.place.last).contains(&i))
            || reading.bases.iter().any(|b| (b.place.first..=b.place.last).contains(&i))
    };
    (0..tokens.len()).filter(|&i| tokens[i].clause == clause && !named(i)).any(|i| {
        find(words::DIRECTIONS, tokens, i).is_some()
            || has(words::COMPARATIVES, tokens, i)
            || has(words::COMPARED, tokens, i)
            || has(words::BOUNDS, tokens, i)
    })
}

/// `640 students sat the Maths exam`, where so many rows were searched and fewer passed the filter that the
/// clause repeats: the number of those that passed.
fn of_the_filter(binder: &Binder, num: &Num, need: &Need) -> Option<Fact> {
    let reading = binder.reading;
    let clause = reading.clause(num.place);
    let mut led = facts(binder.world, need);
    led.dedup_by(|a, b| a.source == b.source);
    let [fact] = led.as_slice() else { return None };
    let view = binder.world.views.iter().find(|v| v.outcome.id == fact.source.result)?;
    let o = view.outcome;
    let all = num.number.value == o.rows_scanned as f64 && o.rows_matched < o.rows_scanned;
    let of_matched = fact.value == o.rows_matched as f64 && fact.source.key.is_empty();
    let fixed = |m: &Mention| {
        m.axes.iter().all(|a| view.on_axis(a).is_none())
            && m.axes.iter().any(|a| view.lies_within(a, &m.name) == Some(true))
    };
    let repeated = binder.params.iter().any(|(place, _)| reading.clause(*place) == clause)
        || reading.mentions.iter().any(|m| reading.clause(m.place) == clause && fixed(m));
    let differs = fit(num, fact, None) == Fit::No;
    (fact.count && all && of_matched && repeated && differs && !need.scanned).then(|| fact.clone())
}

/// `Bayern scored 41 goals`, where 41 are its points: the value by the one measure that the clause
/// names, or that is in per cent as the number is, where the group has the number by another one which
/// no word of the sentence names.
fn of_named_measure(binder: &Binder, num: &Num, need: &Need) -> Option<Fact> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let mut found: Option<Fact> = None;
    for view in &binder.world.views {
        let row = match select(view, &need.names) {
            Some((Rows::Some(rows), _)) if rows.len() == 1 => rows[0],
            Some((Rows::All, _)) if view.outcome.rows.len() == 1 => 0,
            _ => continue,
        };
        let Some(own) = named(binder, num, need, view) else { continue };
        let fact = cell(view, own, row)?;
        if !units_agree(num, &fact) || fit(num, &fact, None) != Fit::No {
            return None;
        }
        let shows = |m: &&Measure| {
            m.name != own.name
                && cell(view, m, row).is_some_and(|f| {
                    (f.value.abs() - num.number.value.abs()).abs() <= num.number.half_unit() + 1e-9
                })
        };
        let said = |m: &Measure| {
            let here = |place| reading.sentence(place) == sentence;
            let base = m.base != own.base
                && reading.bases.iter().any(|b| here(b.place) && b.what.contains(&m.base));
            base || reading.aggs.iter().any(|a| here(a.place) && m.agg == Some(a.what))
        };
        let mut others = view.measures.iter().filter(shows).peekable();
        if found.is_some() || others.peek().is_none() || others.any(said) {
            return None;
        }
        found = Some(fact);
    }
    found
}

/// The one measure that the clause names, with the aggregate that it names; where it names none, the
/// one in per cent, if the number is.
pub(super) fn named<'v>(
    binder: &Binder,
    num: &Num,
    need: &Need,
    view: &'v View,
) -> Option<&'v Measure> {
    let reading = binder.reading;
    let clause = reading.clause(num.place);
    let bases: Vec<&String> = reading
        .bases
        .iter()
        .filter(|b| reading.clause(b.place) == clause && !reading.is_of_another(b.place, num))
        .flat_map(|b| &b.what)
        .collect();
    let agg = need.agg.filter(|(_, reach)| *reach == Reach::Clause).map(|(agg, _)| agg);
    let of_agg = |m: &&Measure| agg.is_none_or(|a| m.agg == Some(a));
    let percent = |m: &Measure| m.percent() || m.share();
    let meant = |m: &&Measure| {
        let told = if bases.is_empty() {
            num.number.percent && percent(m)
        } else {
            bases.contains(&&m.base) && percent(m) == num.number.percent
        };
        told && of_agg(m)
    };
    let mut list = view.measures.iter().filter(meant);
    list.next().filter(|_| list.next().is_none())
}

/// `auth handled 1.46 million requests`, `На кафе приходится 38,8 % трат`: the sum or the share of the
/// group that is named, where the number is that of another group.
fn computed_of_another(binder: &Binder, num: &Num, need: &Need) -> Option<Fact> {
    let [about] = need.names.as_slice() else { return None };
    if digits(num) < ENOUGH {
        return None;
    }
    let of = |need: &Need| {
        let found = derived(binder, num, need).unwrap_or_else(|| facts(binder.world, need));
        let computed = |f: &Fact| {
            let share = num.number.percent && f.share_of_sum();
            share
                || !num.number.percent
                    && f.formula.as_ref().is_some_and(|x| x.starts_with("sum of"))
        };
        let mut list = found.into_iter().filter(computed);
        let first = list.next()?;
        list.next().is_none().then_some(first)
    };
    let fact = of(need).filter(|f| units_agree(num, f) && fit(num, f, None) == Fit::No)?;
    let view = binder.world.views.iter().find(|v| v.outcome.id == fact.source.result)?;
    let at = about.axes.iter().find_map(|a| view.on_axis(a))?;
    let column = view.names.get(at)?;
    let own = view.rows_named(at, &about.name);
    if view.outcome.rows.len() > GROUPS || view.cut() {
        return None;
    }
    // A part of the group may have it.
    let parts = view.measures.iter().any(|m| {
        own.iter().any(|&r| cell(view, m, r).is_some_and(|f| fit(num, &f, None) == Fit::Yes))
    });
    let another = (0..view.outcome.rows.len()).filter(|row| !own.contains(row)).any(|row| {
        name_of(&column.axis, &view.outcome.value(row, column.column))
            .and_then(|name| of(&renamed(need, &about.name, &name)))
            .is_some_and(|f| {
                f.source.column == fact.source.column && fit(num, &f, None) == Fit::Yes
            })
    });
    (another && !parts).then_some(fact)
}

/// `Кафе и такси вместе обошлись в 97 815 ₽`: the sum of the groups that the clause takes together.
fn of_several(binder: &Binder, item: usize, num: &Num) -> Option<Fact> {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let clause = reading.clause(num.place);
    let (need, _) = binder.needs(item).into_iter().next()?;
    let alone = reading.numbers.iter().filter(|n| reading.clause(n.place) == clause).count() == 1;
    // `Together A | and B sold 500`: of the whole sentence, where it has no other number.
    let sentence = reading.sentence(num.place);
    let only =
        reading.numbers.iter().filter(|n| reading.sentence(n.place) == sentence).count() == 1;
    let near = |i: usize| tokens[i].clause == clause || only && tokens[i].sentence == sentence;
    let joint = (0..tokens.len()).filter(|&i| near(i)).any(|i| {
        // `together with`, `вместе с`
        let with =
            tokens.get(i + 1).is_some_and(|t| ["with", "с", "со"].contains(&t.lower.as_str()));
        !with && JOINT.iter().any(|start| tokens[i].lower.starts_with(start))
    });
    let sum = need.agg.is_some_and(|(a, r)| a == Agg::Sum && r == Reach::Clause);
    if !alone || !(joint || sum) || num.number.percent || view_named_twice(binder, num) {
        return None;
    }
    let mut found: Option<Fact> = None;
    let adds = |v: &&View| matches!(v.kind, ResultKind::Grouped | ResultKind::Table);
    for view in binder.world.views.iter().filter(adds) {
        let Some(rows) = joined(binder, num, view) else { continue };
        let m = added(binder, num, &need, view)?;
        let says =
            |&row: &usize| cell(view, m, row).is_some_and(|f| fit(num, &f, None) == Fit::Yes);
        let fact = total(view, m, &rows)?;
        if found.is_some() || rows.iter().any(says) || fit(num, &fact, None) != Fit::No {
            return None;
        }
        found = Some(fact);
    }
    found
}

/// The sentence has names of two axes: a group of one may lie within one of the other.
fn view_named_twice(binder: &Binder, num: &Num) -> bool {
    binder.world.views.iter().any(|view| axes(binder, num, view).len() > 1)
}

/// The one measure that adds up and that the clause leaves open.
fn added<'v>(binder: &Binder, num: &Num, need: &Need, view: &'v View) -> Option<&'v Measure> {
    let reading = binder.reading;
    let clause = reading.clause(num.place);
    let named: Vec<&String> = reading
        .bases
        .iter()
        .filter(|b| reading.clause(b.place) == clause && !reading.is_of_another(b.place, num))
        .flat_map(|b| &b.what)
        .collect();
    // Means and maxima of a table of rows are no columns of it.
    let table = view.kind == ResultKind::Table;
    let mut list: Vec<&Measure> = view
        .measures
        .iter()
        .filter(|m| m.additive() || table && !(m.percent() || m.share()))
        .filter(|m| named.is_empty() || named.contains(&&m.base))
        .filter(|m| cell(view, m, 0).is_some_and(|f| units_agree(num, &f)))
        .collect();
    if num.number.unit.is_some() && list.iter().any(|m| m.unit.is_some()) {
        list.retain(|m| m.unit.is_some());
    }
    // A number of rows only where a word counts them.
    if num.counted.is_none() && list.len() > 1 {
        list.retain(|m| m.agg != Some(Agg::Count));
    }
    let other =
        need.agg.is_some_and(|(a, r)| r == Reach::Clause && !matches!(a, Agg::Sum | Agg::Count));
    match list.as_slice() {
        [m] if !other => Some(m),
        _ => None,
    }
}

/// `Самая большая покупка — 412`, where that is the second: the value at the place that is said, where
/// another row has the number, and only the noun behind the superlative is not known.
fn of_another_place(binder: &Binder, sure: &Sure, num: &Num, need: &Need) -> Option<Fact> {
    let reading = binder.reading;
    let clause = reading.clause(num.place);
    let sentence = reading.sentence(num.place);
    let named = reading.mentions.iter().any(|m| reading.sentence(m.place) == sentence);
    let mut marks = reading.superlatives.iter().filter(|s| reading.sentence(s.place) == sentence);
    let mark = marks.next().filter(|_| marks.next().is_none())?;
    need.superlative?;
    if named
        || digits(num) < ENOUGH
        || !(sure.only_unknown(reading, clause..=clause, mark.place.last + 1)
            || sure.loosely(reading, clause))
    {
        return None;
    }
    let mut led = facts(binder.world, need);
    led.dedup_by(|a, b| a.source == b.source);
    let [fact] = led.as_slice() else { return None };
    let view = binder.world.views.iter().find(|v| v.outcome.id == fact.source.result)?;
    let column = fact.source.column.strip_prefix("stats.").and_then(|c| c.rsplit_once('.'));
    let column = column.map_or(fact.source.column.as_str(), |(name, _)| name);
    let m = view.measures.iter().find(|m| m.name == column)?;
    let several = view.measures.iter().filter(|m| m.main).count() > 1 && need.base.is_none();
    let rows = view.outcome.rows.len();
    if several || view.cut() || rows > GROUPS || fact.formula.is_some() {
        return None;
    }
    let differs = fit(num, fact, None) == Fit::No;
    let another =
        (0..rows).any(|row| cell(view, m, row).is_some_and(|f| fit(num, &f, None) == Fit::Yes));
    (differs && another).then(|| fact.clone())
}
