//! Other readings of a number, tried where the nearest words do not bear it out.
//!
//! What the clause says of the number stays binding: a group, an aggregate or a measure named there
//! is never given up. What was only carried into the clause is: a count may follow a mean, a share
//! a sum, the whole a group. A reading that computes something needs a word that asks for it.

use super::bind::Binder;
use super::bounds::negated_bound;
use super::combine;
use super::link::Reach;
use super::names::Axis;
use super::read::{Counted, Num, Part};
use super::resolve::{About, Fact, Need, Rows, cell, measures, select, view_facts, whole};
use super::verify::units_agree;
use super::words::{self, Agg, find, has};
use crate::query::check::ResultKind;
use crate::validate::claims::world::View;

/// The facts that the number may state in other readings, with the direction that the sentence
/// gives it.
pub(super) fn readings(
    binder: &Binder,
    item: usize,
    num: &Num,
    needs: &[Need],
) -> Vec<(Fact, Option<bool>)> {
    let up = sentence_direction(binder, num);
    let mut out: Vec<(Fact, Option<bool>)> = Vec::new();
    let mut all = needs.to_vec();
    if num.part.is_some() {
        all.push(apart(binder, item, num));
    }
    for need in &all {
        for view in views(binder, need) {
            let mut found: Vec<Fact> = Vec::new();
            for relaxed in relax(binder, num, need) {
                found.extend(view_facts(view, &relaxed));
                found.extend(each_row(view, &relaxed));
            }
            found.extend(by_unit(num, need, view));
            // `fell 1.8% to 1.07`: a level, not the change again.
            let level = ["to", "at", "до"].contains(&binder.reading.word_before(num.place.first))
                && !num.number.percent;
            found.retain(|f| !(level && f.percent));
            for fact in found {
                out.push((fact.clone(), None));
                if up.is_some() {
                    out.push((fact, up));
                }
            }
            for fact in counts(binder, num, need, view) {
                out.push((fact, None));
            }
            out.extend(combine::facts(binder, num, need, view));
        }
    }
    out
}

/// What a number of `78/156` is about when it is no part of a whole: its names, and whatever
/// measure they leave open.
fn apart(binder: &Binder, item: usize, num: &Num) -> Need {
    let mut need = binder.common(item, num.place, &binder.links);
    for (targets, reach) in binder.links.mentions(item) {
        for m in targets.iter().filter_map(|t| binder.reading.mentions.get(*t)) {
            need.names.push(About { axes: m.axes.clone(), name: m.name.clone(), reach });
        }
    }
    // `mean/max: 78/156`: two measures are named for two numbers.
    (need.agg, need.base) = (None, None);
    need
}

/// The cells of the few rows that a coarser name chooses (`the two days in 2023`).
fn each_row(view: &View, need: &Need) -> Vec<Fact> {
    if view.kind != ResultKind::Table || need.names.is_empty() || need.agg.is_some() {
        return Vec::new();
    }
    let Some((Rows::Some(rows), _)) = select(view, &need.names) else { return Vec::new() };
    if rows.len() < 2 || rows.len() > 6 {
        return Vec::new();
    }
    let mut out = Vec::new();
    for (m, _) in measures(view, need) {
        out.extend(rows.iter().filter_map(|&r| cell(view, m, r)));
    }
    out
}

/// The measures of the unit that is written, in the aggregate that the clause names.
fn by_unit(num: &Num, need: &Need, view: &View) -> Vec<Fact> {
    if num.number.unit.is_none() {
        return Vec::new();
    }
    let open = Need {
        base: None,
        agg: need.agg.filter(|(_, r)| *r == Reach::Clause),
        counted: None,
        any: true,
        ..need.clone()
    };
    let mut found = view_facts(view, &open);
    found.retain(|f| f.unit.is_some() && units_agree(num, f));
    found
}

/// The results that a need leaves open.
fn views<'b>(binder: &'b Binder, need: &'b Need) -> impl Iterator<Item = &'b View<'b>> {
    binder.world.views.iter().enumerate().filter_map(move |(i, view)| {
        let other =
            need.views.as_ref().is_some_and(|(v, r)| !v.contains(&i) && *r != Reach::Before);
        (!other).then_some(view)
    })
}

/// A direction word of the sentence before the number, or right behind it.
fn sentence_direction(binder: &Binder, num: &Num) -> Option<bool> {
    let tokens = &binder.reading.tokens;
    let sentence = tokens[num.place.first].sentence;
    let clause = tokens[num.place.first].clause;
    (0..num.place.first)
        .rev()
        .take_while(|&i| tokens[i].sentence == sentence)
        .find_map(|i| find(words::DIRECTIONS, tokens, i).map(|((up, _), _)| up))
        .or_else(|| {
            (num.tail + 1..tokens.len())
                .take_while(|&i| tokens[i].clause == clause)
                .find_map(|i| find(words::DIRECTIONS, tokens, i).map(|((up, _), _)| up))
        })
}

/// Needs with less and less of what was carried.
fn relax(binder: &Binder, num: &Num, need: &Need) -> Vec<Need> {
    let mut out = Vec::new();
    let hard = |need: &Need| {
        let mut need = need.clone();
        need.agg = need.agg.filter(|(_, r)| *r == Reach::Clause);
        need.base = need.base.filter(|(_, r)| *r == Reach::Clause);
        need.any = true;
        // `the largest gap`: the superlative is the name of the measure.
        if let Some(s) = need.superlative
            && need.superlative_names
            && need.agg.is_none()
        {
            let agg = if s.most { Agg::Max } else { Agg::Min };
            if binder.world.views.iter().any(|v| v.measures.iter().any(|m| m.agg == Some(agg))) {
                need.agg = Some((agg, Reach::Clause));
            }
        }
        need
    };
    let mut own = hard(need);
    own.views.clone_from(&need.views);
    if own.counted == Some(Counted::Perhaps) {
        own.counted = None;
    }
    out.push(own.clone());
    // The place in the order chose another row than the name that stands there.
    if need.superlative.is_some() && !need.names.is_empty() {
        if !need.superlative_names {
            out.push(Need { superlative: None, ..need.clone() });
        }
        out.push(Need { superlative: None, superlative_names: false, ..own.clone() });
    }
    // `a mean of 45, and never more than 88.8`
    if let Some((above, _)) = num.bound
        && negated_bound(binder, num)
    {
        let agg = if above { Agg::Max } else { Agg::Min };
        if binder.world.views.iter().any(|v| v.measures.iter().any(|m| m.agg == Some(agg))) {
            return vec![Need { agg: Some((agg, Reach::Clause)), ..own }];
        }
    }
    // A per cent is of a measure in per cent, whatever else the clause names.
    if num.number.percent {
        out.push(Need { agg: None, base: None, superlative: None, ..own.clone() });
    }
    // `The falls ranged from 1.1 to 2.3`: the smallest fall is the highest change.
    if let Some(high) = need.range {
        out.push(Need { range: Some(!high), ..own.clone() });
    }
    // Words of the whole let go of what an earlier sentence named.
    let sentence = binder.reading.sentence(num.place);
    let whole = need.overall
        || need.total
        || binder.reading.sentence_has(sentence, words::OVERALL)
        || binder.reading.sentence_has(sentence, words::TOTAL)
        || binder.reading.sentence_has(sentence, words::TOGETHER);
    if whole && own.names.iter().any(|n| n.reach == Reach::Before) {
        let mut all = own.clone();
        all.names.retain(|n| n.reach != Reach::Before);
        out.push(all);
    }
    out
}

/// Numbers of rows, where no word says that the number is something else.
fn counts(binder: &Binder, num: &Num, need: &Need, view: &View) -> Vec<Fact> {
    let reading = binder.reading;
    if num.number.decimals > 0 && num.number.scale == 1.0
        || num.number.percent
        || num.number.points
        || num.times
        || num.number.unit.is_some()
    {
        return Vec::new();
    }
    let tokens = &reading.tokens;
    let next = num.place.last + 1;
    let noun = tokens.get(next).filter(|t| {
        t.is_word()
            && t.sentence == tokens[num.place.first].sentence
            && !has(words::OF, tokens, next)
            && !super::lex::is_and(t)
            && !has(words::COPULAS, tokens, next)
            && t.lower.chars().count() > 2
    });
    let measured = noun.is_some_and(|_| {
        reading.bases.iter().any(|b| {
            (b.place.first == next || b.place.first == next + 1)
                && view
                    .measures
                    .iter()
                    .any(|m| b.what.contains(&m.base) && m.agg != Some(Agg::Count) && m.main)
        })
    });
    // `a mean of 80`: the aggregate of its own clause says what it is.
    let clause = tokens[num.place.first].clause;
    let measures = [Agg::Mean, Agg::Median, Agg::Max, Agg::Min, Agg::Std, Agg::Sum];
    let other = reading.aggs.iter().any(|a| {
        reading.clause(a.place) == clause
            && measures.contains(&a.what)
            && a.place.last < num.place.first
            && !has(words::TOTAL, tokens, a.place.first)
            && !has(words::TOTAL, tokens, a.place.first.saturating_sub(1))
    });
    if measured || other && (noun.is_none() || num.counted.is_none()) {
        return Vec::new();
    }
    let mut out = Vec::new();
    if matches!(num.part, Some(Part::Denominator(_))) {
        out.push(whole(view, "rows_scanned", view.outcome.rows_scanned));
        out.push(whole(view, "rows_matched", view.outcome.rows_matched));
    }
    let based = need.base.as_ref().is_some_and(|(b, r)| {
        *r == Reach::Clause && view.measures.iter().any(|m| b.contains(&m.base) && m.agg.is_some())
    });
    if based && noun.is_none() {
        return out;
    }
    for names in [true, false] {
        let mut of = Need {
            counted: Some(Counted::Rows),
            names: need.names.clone(),
            views: need.views.clone(),
            superlative: need.superlative,
            ..Need::default()
        };
        if !names {
            // Names of the clause stay.
            of.names.retain(|n| n.reach == Reach::Clause);
            of.superlative = None;
            if of.names.len() == need.names.len() && need.superlative.is_none() {
                break;
            }
        }
        out.extend(view_facts(view, &of));
    }
    // The different names on the axis that the noun means.
    if let Some(axis) = noun.and_then(|t| {
        binder.world.axis_words.get(&t.stem).cloned().or_else(|| calendar_axis(&t.lower))
    }) && let Some(at) = view.on_axis(&axis)
        && !view.cut()
    {
        out.extend(distinct(view, need, at));
    }
    // Groups, by a noun that names them or by one that nobody knows.
    if view.kind == ResultKind::Grouped && need.names.iter().all(|n| n.reach != Reach::Clause) {
        let groups = num.counted == Some(Counted::Groups)
            || noun.is_some_and(|t| binder.world.axis_words.contains_key(&t.stem))
            || noun.is_some() && num.counted.is_none();
        if groups {
            for shown in [true, false] {
                let of = Need {
                    counted: Some(Counted::Groups),
                    shown,
                    views: need.views.clone(),
                    ..Need::default()
                };
                out.extend(view_facts(view, &of));
            }
        }
    }
    if view.kind == ResultKind::Table && view.cut() && need.shown {
        let of = Need { counted: Some(Counted::Rows), shown: true, ..Need::default() };
        out.extend(view_facts(view, &of));
    }
    out
}

/// The calendar's own word for an axis.
fn calendar_axis(word: &str) -> Option<Axis> {
    [
        ("month", Axis::Month),
        ("месяц", Axis::Month),
        ("year", Axis::Year),
        ("год", Axis::Year),
        ("лет", Axis::Year),
        ("quarter", Axis::Quarter),
        ("квартал", Axis::Quarter),
        ("weekday", Axis::Weekday),
        ("hour", Axis::Hour),
        ("час", Axis::Hour),
    ]
    .into_iter()
    .find(|(start, _)| word.starts_with(start))
    .map(|(_, axis)| axis)
}

/// How many different names a column has.
fn distinct(view: &View, need: &Need, at: usize) -> Option<Fact> {
    let column = view.names.get(at)?;
    let mut names: Vec<String> = (0..view.outcome.rows.len())
        .map(|r| view.outcome.value(r, column.column))
        .filter(|v| !v.is_null())
        .map(|v| v.to_string())
        .collect();
    names.sort();
    names.dedup();
    let on_it = need
        .names
        .iter()
        .any(|n| n.reach == Reach::Clause && n.axes.iter().any(|a| view.on_axis(a) == Some(at)));
    (!on_it).then(|| whole(view, &format!("count_distinct({})", column.name), names.len() as u64))
}
