//! Other readings of a number, tried where the nearest words do not bear it out.
//!
//! What the clause says of the number stays binding: a group, an aggregate or a measure named there
//! is never given up. What was only carried into the clause is: a count may follow a mean, a share
//! a sum, the whole a group. A reading that computes something needs a word that asks for it.

use super::beside;
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
use crate::validate::claims::world::{Measure, View, name_words};

/// The facts that the number may state in other readings, with the direction that the sentence
/// gives it.
pub(super) fn readings(
    binder: &Binder,
    item: usize,
    num: &Num,
    needs: &[Need],
) -> Vec<(Fact, Option<bool>)> {
    let up = sentence_direction(binder, num).or_else(|| {
        let low = needs.iter().any(|n| n.superlative.is_some_and(|s| !s.most));
        low.then_some(false)
    });
    let mut out: Vec<(Fact, Option<bool>)> = Vec::new();
    let mut all = needs.to_vec();
    if num.part.is_some() {
        all.push(apart(binder, item, num));
    }
    all.extend(needs.first().and_then(|need| in_order(binder, item, num, need)));
    all.extend(needs.first().and_then(|need| {
        let what = binder.beside_base(num, need);
        (!what.is_empty()).then(|| Need { base: Some((what, Reach::Clause)), ..need.clone() })
    }));
    for need in &all {
        for view in views(binder, need) {
            let mut found: Vec<Fact> = Vec::new();
            for relaxed in relax(binder, num, need) {
                found.extend(view_facts(view, &relaxed));
                found.extend(each_row(view, &relaxed));
            }
            if !of_named_unit(binder, num, need, view) {
                found.extend(by_unit(num, need, view));
            }
            // `fell 1.8% to 1.07`: a level, not the change again.
            let level = ["to", "at", "до"].contains(&binder.reading.word_before(num.place.first))
                && !num.number.percent;
            // Where a measure has the unit that is written, one without a unit is not meant.
            let with_unit = num.number.unit.is_some()
                && view.measures.iter().any(|m| {
                    cell(view, m, 0).is_some_and(|f| f.unit.is_some() && units_agree(num, &f))
                });
            found.retain(|f| !(level && f.percent || with_unit && f.unit.is_none()));
            for fact in found {
                out.push((fact.clone(), None));
                if up.is_some() {
                    out.push((fact, up));
                }
            }
            if let Some(row) = listed(binder, item, num, view) {
                let own = Need { any: false, names: Vec::new(), ..need.clone() };
                for (m, _) in measures(view, &own) {
                    out.extend(cell(view, m, row).map(|f| (f, up)));
                }
            }
            for fact in counts(binder, num, need, view) {
                out.push((fact, None));
            }
            out.extend(combine::facts(binder, num, need, view));
            out.extend(beside::facts(binder, num, need, view).into_iter().map(|f| (f, None)));
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

/// `Direct visitors stay longer than Search visitors: 180.75 vs 142`: as many numbers of one form
/// after the names as there are names; the first is of the first.
fn in_order(binder: &Binder, item: usize, num: &Num, need: &Need) -> Option<Need> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let numbers: Vec<(usize, &Num)> = binder
        .claims
        .iter()
        .enumerate()
        .map(|(i, &n)| (i, &reading.numbers[n]))
        .filter(|(_, n)| reading.sentence(n.place) == sentence && !n.times)
        .collect();
    let alike = |n: &Num| {
        n.bound.is_none()
            && n.part.is_none()
            && n.range.is_none()
            && !n.times
            && n.number.percent == num.number.percent
    };
    if numbers.len() < 2 || !numbers.iter().all(|(_, n)| alike(n)) {
        return None;
    }
    let at = numbers.iter().position(|(i, _)| *i == item)?;
    let mut lists: Vec<(&[Axis], Vec<&super::read::Mention>)> = Vec::new();
    for m in reading.mentions.iter().filter(|m| reading.sentence(m.place) == sentence) {
        match lists.iter_mut().find(|(axes, _)| *axes == m.axes) {
            Some((_, list)) => list.push(m),
            None => lists.push((&m.axes, vec![m])),
        }
    }
    let (_, list) = lists.iter().find(|(_, list)| list.len() == numbers.len())?;
    let first = numbers.first()?.1.place.first;
    if list.iter().any(|m| m.place.first > first) {
        return None;
    }
    let m = list.get(at)?;
    let mut need = need.clone();
    need.names.retain(|n| n.axes != m.axes);
    need.names.push(About { axes: m.axes.clone(), name: m.name.clone(), reach: Reach::Clause });
    need.superlative = None;
    Some(need)
}

/// `Losses: 6.21%, 5.54%, 5.41%`: as many numbers as rows, without a name; the row of this one.
fn listed(binder: &Binder, item: usize, num: &Num, view: &View) -> Option<usize> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let rows = view.outcome.rows.len();
    if !(2..=24).contains(&rows)
        || reading.mentions.iter().any(|m| reading.sentence(m.place) == sentence)
    {
        return None;
    }
    let numbers: Vec<usize> = (0..binder.claims.len())
        .filter(|&i| reading.sentence(reading.numbers[binder.claims[i]].place) == sentence)
        .collect();
    (numbers.len() == rows).then(|| numbers.iter().position(|i| *i == item)).flatten()
}

/// The cells of the few rows that a coarser name chooses (`the two days in 2023`).
fn each_row(view: &View, need: &Need) -> Vec<Fact> {
    // What is said of all of it is said of no row.
    let whole = need.total || need.overall;
    if view.kind != ResultKind::Table || need.names.is_empty() || need.agg.is_some() || whole {
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

/// The measure that is named has the unit that is written.
fn of_named_unit(binder: &Binder, num: &Num, need: &Need, view: &View) -> bool {
    let near = |r: Reach| r == Reach::Clause || led_base(binder, num, need);
    need.base.as_ref().is_some_and(|(base, r)| {
        near(*r)
            && view
                .measures
                .iter()
                .filter(|m| base.contains(&m.base))
                .any(|m| cell(view, m, 0).is_some_and(|f| f.unit.is_some() && units_agree(num, &f)))
    })
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

/// `Rainfall: Jan 160, Apr 142.5`: what an earlier clause of the sentence measured is what a bare
/// number of a later clause is of.
fn led_base(binder: &Binder, num: &Num, need: &Need) -> bool {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let tokens = &reading.tokens;
    let of_base = |m: &Measure| need.base.as_ref().is_some_and(|(b, _)| b.contains(&m.base));
    let measures = || binder.world.views.iter().flat_map(|v| &v.measures).filter(|m| of_base(m));
    // Another aggregate is of something else, where this has none such.
    if let Some((agg, Reach::Clause)) = need.agg
        && !measures().any(|m| m.agg.is_none_or(|a| a == agg))
    {
        return false;
    }
    let units = num.number.unit.is_none() || measures().any(|m| m.unit.is_some());
    let bare = units
        && !num.number.percent
        && !num.times
        && num.counted.is_none()
        && num.part.is_none()
        && !tokens.get(num.tail + 1).is_some_and(|t| {
            t.is_word()
                && t.sentence == sentence
                && t.lower.chars().count() > 3
                && !has(words::COPULAS, tokens, num.tail + 1)
        });
    bare && need.base.as_ref().is_some_and(|(base, r)| {
        *r == Reach::Sentence
            && reading.bases.iter().any(|b| {
                b.what == *base
                    && reading.sentence(b.place) == sentence
                    && b.place.last < num.place.first
            })
    })
}

/// Needs with less and less of what was carried.
fn relax(binder: &Binder, num: &Num, need: &Need) -> Vec<Need> {
    let mut out = Vec::new();
    let led = led_base(binder, num, need);
    let hard = |need: &Need| {
        let mut need = need.clone();
        need.agg = need.agg.filter(|(_, r)| *r == Reach::Clause);
        need.base = need.base.filter(|(_, r)| *r == Reach::Clause || led);
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
    // A per cent is of a measure in per cent, whatever else the clause names; where the words around
    // name one in per cent, it is of that.
    let named = need.base.as_ref().is_some_and(|(base, reach)| {
        let percent = |m: &Measure| base.contains(&m.base) && (m.percent() || m.share());
        let mut all = binder.world.views.iter().flat_map(|v| &v.measures);
        *reach == Reach::Clause && all.any(percent)
    });
    let head = binder.reading.column_head(num.place).is_some();
    let named = named && !head && !own_name(binder, num, need);
    if num.number.percent && !named {
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

/// The sentence has a word of the name of a column in per cent that is no word of what it measures
/// (`volatility` of a return): that column is meant, whatever it is made of.
fn own_name(binder: &Binder, num: &Num, need: &Need) -> bool {
    let tokens = &binder.reading.tokens;
    let sentence = binder.reading.sentence(num.place);
    let said = |word: &String| {
        tokens.iter().any(|t| t.sentence == sentence && t.lower == *word && word.len() > 4)
    };
    // The aggregate that is named has its own words.
    let named = |m: &&Measure| m.agg.is_some() && m.agg == need.agg.map(|(agg, _)| agg);
    let percent = binder.world.views.iter().flat_map(|v| &v.measures).filter(|m| m.percent());
    let percent = percent.filter(|m| !named(m));
    let mut own = percent.flat_map(|m| {
        let words = name_words(&m.name);
        words.into_iter().filter(|w| Agg::of_name(w).is_none() && !m.base.contains(w.as_str()))
    });
    own.any(|word| said(&word))
}

/// Numbers of rows, where no word says that the number is something else.
fn counts(binder: &Binder, num: &Num, need: &Need, view: &View) -> Vec<Fact> {
    let reading = binder.reading;
    // `over six years`: so many years are named.
    if num.number.unit == Some("year") && num.number.decimals == 0 && !view.cut() {
        let years = view.on_axis(&Axis::Year).and_then(|at| distinct(view, need, at));
        return years.into_iter().map(|f| Fact { count: false, ..f }).collect();
    }
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
    if (based || led_base(binder, num, need)) && noun.is_none() {
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
    if view.kind == ResultKind::Table && (view.cut() && need.shown || need.of_shown) {
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
