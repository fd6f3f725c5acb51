//! Numbers that are computed from several facts because a word asks for it: what the sentence asks
//! for, and the differences and ratios of two groups and along time. Sums and shares are in `totals`,
//! bounds on several groups in `bounds`.

use super::bind::Binder;
use super::bounds::{alike, beyond, bound_of, every, only};
use super::link::Reach;
use super::names::Axis;
use super::number::Sign;
use super::read::{Counted, Mention, Num};
use super::resolve::{About, Fact, Need, Rows, cell, cells, measures, select};
use super::totals::{joined, matched, of_another, of_rows, per_group, rest, share, sum, weighted};
use super::words::{self, Agg, find, has};
use super::world::{Measure, View};
use crate::query::check::ResultKind;
use crate::value::Value;
use std::rc::Rc;

/// Every computed fact that the words around a number ask for, with the direction they give it.
pub(super) fn facts(
    binder: &Binder,
    num: &Num,
    need: &Need,
    view: &View,
) -> Vec<(Fact, Option<bool>)> {
    let ask = Ask::new(binder, num);
    let mut out = Vec::new();
    let mut measures = candidates(view, need, num);
    // `at least 271 receipts`
    let counts = |m: &&Measure| m.agg == Some(Agg::Count);
    if num.counted == Some(Counted::Rows) && num.bound.is_some() && measures.iter().any(counts) {
        measures.retain(counts);
    }
    for m in &measures {
        if ask.together || together(binder, num, view) {
            out.extend(sum(binder, num, need, view, m).map(|f| (f, None)));
        }
        if ask.compares {
            out.extend(pairs(binder, num, need, view, m));
        }
        if ask.changes || ask.from || ask.to || ask.earlier {
            out.extend(changes(binder, num, need, view, m, &ask));
        }
        let moved = has(words::COMPARATIVES, &binder.reading.tokens, num.tail + 1)
            || has(words::DIRECTIONS, &binder.reading.tokens, num.tail + 1);
        // A share that no word asks for is none.
        let sentence = binder.reading.sentence(num.place);
        let asked = ask.shares
            || in_brackets(binder, num)
            || binder.reading.sentence_has(sentence, words::FRACTIONS)
            || binder.reading.says_one_in(sentence)
            || has(words::OF, &binder.reading.tokens, num.tail + 1);
        if num.number.percent && asked && !num.number.points && !moved {
            out.extend(share(binder, num, need, view, m).into_iter().map(|f| (f, None)));
            out.extend(of_another(binder, num, need, view, m).into_iter().map(|f| (f, None)));
        }
        if ask.overall && num.bound.is_none() {
            out.extend(weighted(view, m).map(|f| (f, None)));
        }
        out.extend(alike(binder, num, view, m).map(|f| (f, None)));
        if num.bound.is_some() {
            out.extend(only(binder, num, view, m).map(|f| (f, None)));
            out.extend(every(binder, num, need, view, m).map(|f| (f, None)));
            out.extend(bound_of(binder, num, view, m).map(|f| (f, None)));
        }
    }
    if ask.compares {
        let all = view.measures.iter();
        out.extend(all.filter_map(|m| between_ends(binder, num, view, m)).map(|f| (f, None)));
    }
    if need.agg.is_some_and(|(a, r)| a == Agg::Mean && r == Reach::Clause) {
        out.extend(per_group(need, view).into_iter().map(|f| (f, None)));
    }
    if num.number.percent {
        out.extend(rest(binder, num, need, view).map(|f| (f, None)));
        if of_rows(binder, num, ask.shares) {
            out.extend(matched(view).map(|f| (f, None)));
        }
    }
    if num.counted != Some(Counted::Perhaps) && num.number.decimals == 0 {
        out.extend(beyond(binder, num, view, &measures).into_iter().map(|f| (f, None)));
    }
    out
}

/// The words around speak of several groups together, or of no group at all: `You spent €3,215`.
fn together(binder: &Binder, num: &Num, view: &View) -> bool {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let named = reading.mentions.iter().any(|m| reading.sentence(m.place) == sentence);
    num.bound.is_none() && (joined(binder, num, view).is_some() || !named)
}

/// `23 (1.25%)`: a per cent in brackets after a number is its share.
fn in_brackets(binder: &Binder, num: &Num) -> bool {
    let reading = binder.reading;
    let Some(open) = num.place.first.checked_sub(1) else { return false };
    reading.tokens[open].is('(')
        && reading.numbers.iter().any(|n| n.tail + 1 == open || n.place.last + 1 == open)
}

/// What the words of the sentence ask for.
struct Ask {
    together: bool,
    compares: bool,
    changes: bool,
    from: bool,
    to: bool,
    earlier: bool,
    shares: bool,
    overall: bool,
}

impl Ask {
    fn new(binder: &Binder, num: &Num) -> Self {
        let reading = binder.reading;
        let tokens = &reading.tokens;
        let sentence = reading.sentence(num.place);
        let any = |i: usize| tokens[i].sentence == sentence;
        let said =
            |table: words::Table<()>| (0..tokens.len()).any(|i| any(i) && has(table, tokens, i));
        let first = num.bound.map_or(num.place.first, |(_, at)| at);
        let before = reading.word_before(first);
        let arrow_before = arrow(binder, first.checked_sub(1));
        let arrow_after =
            arrow(binder, Some(num.tail + 1)) || arrow(binder, Some(num.place.last + 1));
        let near = |table: &dyn Fn(usize) -> bool| {
            (num.place.first.saturating_sub(8)..(num.tail + 9).min(tokens.len()))
                .any(|i| any(i) && table(i))
        };
        // A comparison is of the number that it stands by, and no part of a bound.
        let by = |i: usize| {
            let (low, high) = (i.min(num.place.first), i.max(num.place.first));
            let other = reading.numbers.iter().any(|n| {
                n.place != num.place
                    && n.place.first > low
                    && n.place.first < high
                    && !tokens[n.place.first].inside
            });
            let bound = reading
                .numbers
                .iter()
                .any(|n| n.bound.is_some_and(|(_, at)| (at..n.place.first).contains(&i)));
            // `больше всех`: of all, and no comparison of two.
            let all =
                tokens.get(i + 1).is_some_and(|t| ["всех", "всего"].contains(&t.lower.as_str()));
            !bound && !all && (!other || tokens[i].clause == tokens[num.place.first].clause)
        };
        Self {
            together: said(words::TOGETHER)
                || said(words::TOTAL)
                || said(words::OVERALL)
                || reading.spans.iter().any(|(a, _)| reading.sentence(a.place) == sentence)
                || (0..tokens.len()).any(|i| {
                    any(i) && find(words::AGGS, tokens, i).is_some_and(|(a, _)| a == Agg::Sum)
                }),
            compares: num.times
                || said(words::DIFFERENCE)
                || said(words::AGAINST)
                || ["by", "на"].contains(&before)
                || near(&|i| {
                    by(i)
                        && (has(words::COMPARATIVES, tokens, i) || has(words::COMPARED, tokens, i))
                }),
            changes: near(&|i| has(words::DIRECTIONS, tokens, i))
                || num.times
                || num.number.percent && num.number.sign != Sign::None,
            from: ["from", "с", "со", "от"].contains(&before) || arrow_after,
            to: ["to", "до"].contains(&before) || arrow_before,
            earlier: (num.tail + 1..(num.tail + 6).min(tokens.len()))
                .any(|i| any(i) && has(words::EARLIER, tokens, i)),
            shares: said(words::SHARE),
            overall: said(words::OVERALL) || said(words::TOGETHER),
        }
    }
}

/// An arrow at a token (`→`, `->`).
fn arrow(binder: &Binder, at: Option<usize>) -> bool {
    let Some(t) = at.and_then(|i| binder.reading.tokens.get(i)) else { return false };
    t.is('→') || t.is('>') || t.is('➜') || t.is('⇒')
}

/// The measures that the words of the clause leave open.
fn candidates<'v>(view: &'v View, need: &Need, num: &Num) -> Vec<&'v Measure> {
    let hard = Need {
        agg: need.agg.filter(|(_, r)| *r == Reach::Clause).filter(|(a, _)| *a != Agg::Sum),
        base: need.base.clone().filter(|(_, r)| *r == Reach::Clause),
        ..Need::default()
    };
    let any = view.kind == ResultKind::Table;
    let near = Need { agg: need.agg, base: need.base.clone(), any, ..Need::default() };
    let mut out: Vec<&Measure> = Vec::new();
    let named = near.base.as_ref().is_some_and(|(_, r)| *r != Reach::Before);
    for need in [near, hard] {
        for (m, _) in measures(view, &need) {
            if !out.iter().any(|o| o.column == m.column) {
                out.push(m);
            }
        }
        // What the sentence names is what is compared.
        if named && !out.is_empty() {
            break;
        }
    }
    // Points are between percentages.
    if num.number.points {
        let percent = view.measures.iter().filter(|m| m.percent());
        out.extend(percent);
        out.retain(|m| m.percent());
        return out;
    }
    // A count is always there to be added up, unless a measure of the clause says otherwise.
    let based = need.base.as_ref().is_some_and(|(_, r)| *r == Reach::Clause);
    let valued =
        need.agg.is_some_and(|(a, r)| r == Reach::Clause && !matches!(a, Agg::Count | Agg::Sum));
    if !valued && !based || num.counted.is_some() {
        for m in view.measures.iter().filter(|m| m.agg == Some(Agg::Count)) {
            if !out.iter().any(|o| o.column == m.column) {
                out.push(m);
            }
        }
    }
    out
}

/// The mentions of the sentence of a number, by the axis of a result: each axis with its mentions
/// in order.
pub(super) fn axes<'r>(
    binder: &Binder<'r>,
    num: &Num,
    view: &View,
) -> Vec<(usize, Vec<&'r Mention>)> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let mut out: Vec<(usize, Vec<&Mention>)> = Vec::new();
    for m in reading.mentions.iter().filter(|m| reading.sentence(m.place) == sentence) {
        let Some(at) = m.axes.iter().find_map(|a| view.on_axis(a)) else { continue };
        match out.iter_mut().find(|(a, _)| *a == at) {
            Some((_, list)) => list.push(m),
            None => out.push((at, vec![m])),
        }
    }
    out
}

/// The names of a need on other axes than `at`; where it has none, the only ones of the sentence.
pub(super) fn others(
    binder: &Binder,
    num: &Num,
    need: &Need,
    view: &View,
    at: usize,
) -> Vec<About> {
    let mut out: Vec<About> = need
        .names
        .iter()
        .filter(|n| n.axes.iter().find_map(|a| view.on_axis(a)) != Some(at))
        .cloned()
        .collect();
    for (axis, list) in axes(binder, num, view) {
        let known = |n: &About| n.axes.iter().find_map(|a| view.on_axis(a)) == Some(axis);
        if axis != at
            && !out.iter().any(known)
            && let [only] = list.as_slice()
        {
            out = with(&out, only);
        }
    }
    out
}

/// The rows that names choose.
pub(super) fn rows(view: &View, names: &[About]) -> Option<Rc<Vec<usize>>> {
    match select(view, names)? {
        (Rows::Some(rows), _) => Some(rows),
        (Rows::All, _) => Some(view.all_rows()),
    }
}

pub(super) fn with(names: &[About], m: &Mention) -> Vec<About> {
    let mut names = names.to_vec();
    names.push(About { axes: m.axes.clone(), name: m.name.clone(), reach: Reach::Clause });
    names
}

/// One operation on two facts, as the form of the number asks.
pub(super) fn operate(num: &Num, m: &Measure, x: &Fact, y: &Fact) -> Vec<(Fact, f64)> {
    let key = |f: &Fact| {
        f.source.key.iter().map(|(k, v)| format!("{k}={v}")).collect::<Vec<_>>().join(", ")
    };
    let name = |f: &Fact| match key(f) {
        k if k.is_empty() => m.name.clone(),
        k => format!("{}[{k}]", m.name),
    };
    let (left, right) = (name(x), name(y));
    let made = |value: f64, formula: String, percent: bool, plain: bool| {
        let mut fact = x.clone().made_of([x.source.clone(), y.source.clone()]);
        fact.value = value;
        fact.source.row = None;
        fact.source.key = Vec::new();
        fact.source.value = Value::float(value);
        fact.formula = Some(formula);
        fact.count = false;
        if !plain {
            (fact.percent, fact.share, fact.unit) = (percent, false, None);
        }
        fact
    };
    let mut out = Vec::new();
    if num.times {
        if y.value != 0.0 && x.value != 0.0 {
            out.push((
                made(x.value / y.value, format!("{left} / {right}"), false, false),
                x.value - y.value,
            ));
        }
    } else if num.number.percent && !num.number.points {
        if y.value != 0.0 && !m.percent() {
            let change = (x.value - y.value) / y.value.abs() * 100.0;
            out.push((
                made(change, format!("({left} - {right}) / {right} * 100"), true, false),
                change,
            ));
        }
    } else {
        let difference = x.value - y.value;
        out.push((made(difference, format!("{left} - {right}"), m.percent(), true), difference));
    }
    out
}

/// The amount of a fact, and whether the words give it the right direction.
fn directed(mut fact: Fact, change: f64, said: Option<bool>) -> Option<(Fact, Option<bool>)> {
    if said.is_some_and(|up| up != (change >= 0.0)) {
        return None;
    }
    if !fact.formula.as_ref().is_some_and(|f| f.contains(" / ") && !f.contains(" - ")) {
        fact.value = fact.value.abs();
        fact.source.value = Value::float(fact.value);
    }
    Some((fact, None))
}

/// Differences, percentages and ratios of two groups of the sentence.
fn pairs(
    binder: &Binder,
    num: &Num,
    need: &Need,
    view: &View,
    m: &Measure,
) -> Vec<(Fact, Option<bool>)> {
    let tokens = &binder.reading.tokens;
    let sentence = binder.reading.sentence(num.place);
    let comparison = (0..tokens.len())
        .filter(|&i| tokens[i].sentence == sentence)
        .filter_map(|i| {
            let far = i.abs_diff(num.place.first);
            find(words::COMPARATIVES, tokens, i)
                .map(|((more, _), _)| (far, Some(more)))
                .or_else(|| find(words::COMPARED, tokens, i).map(|(up, _)| (far, up)))
        })
        .min_by_key(|(far, _)| *far)
        .and_then(|(_, up)| up);
    let mut out = Vec::new();
    for (at, list) in axes(binder, num, view) {
        let names = others(binder, num, need, view, at);
        for (i, a) in list.iter().enumerate() {
            for b in &list[i + 1..] {
                if a.name == b.name {
                    continue;
                }
                let one = |x: &Mention| match rows(view, &with(&names, x))?.as_slice() {
                    [row] => cell(view, m, *row),
                    _ => None,
                };
                let (Some(mut x), Some(mut y)) = (one(a), one(b)) else { continue };
                // `Compared with January, March …`: the second is what is spoken of.
                let lead = (a.place.first.saturating_sub(3)..a.place.first).any(|i| {
                    ["compared", "versus", "than", "unlike", "сравнению", "отличие"]
                        .contains(&tokens[i].lower.as_str())
                });
                if lead {
                    std::mem::swap(&mut x, &mut y);
                }
                for (fact, change) in operate(num, m, &x, &y) {
                    out.extend(directed(fact, change, comparison));
                }
                // `goes from 182 on Monday to 215 on Thursday, 18% wider`
                let goes = (0..num.place.first).any(|i| {
                    tokens[i].sentence == sentence
                        && ["from", "с", "со", "от"].contains(&tokens[i].lower.as_str())
                        && matches!(tokens[i + 1].kind, super::lex::Kind::Number(_))
                });
                if goes && comparison.is_some() {
                    for (fact, change) in operate(num, m, &y, &x) {
                        out.extend(directed(fact, change, comparison));
                    }
                }
            }
        }
        // `The difference between the highest and the lowest` names no group.
    }
    out
}

/// `The gap between the best and the worst day`: the largest value less the smallest.
fn between_ends(binder: &Binder, num: &Num, view: &View, m: &Measure) -> Option<Fact> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let ends = |most: bool| {
        reading
            .superlatives
            .iter()
            .any(|s| reading.sentence(s.place) == sentence && s.what.most == most)
    };
    // `The low and the high are 6,091.5 points apart`
    let one = matches!(view.kind, ResultKind::Scalar | ResultKind::Dict);
    if one && m.agg == Some(Agg::Max) {
        let low = view.measures.iter().find(|o| {
            o.agg == Some(Agg::Min)
                && o.unit == m.unit
                && reading
                    .bases
                    .iter()
                    .any(|b| reading.sentence(b.place) == sentence && b.what.contains(&o.base))
        })?;
        let (x, y) = (cell(view, m, 0)?, cell(view, low, 0)?);
        let mut fact = super::resolve::computed(view, m, x.value - y.value, "range")?;
        fact = fact.made_of([x.source, y.source]);
        fact.formula = Some(format!("{} - {}", m.name, low.name));
        return Some(fact);
    }
    if !ends(true) || !ends(false) || view.cut() || view.outcome.rows.len() < 2 {
        return None;
    }
    let values: Vec<f64> = (0..view.outcome.rows.len())
        .filter_map(|r| view.outcome.value(r, m.column).as_f64())
        .collect();
    let (low, high) = (
        values.iter().copied().fold(f64::MAX, f64::min),
        values.iter().copied().fold(f64::MIN, f64::max),
    );
    let mut fact = super::resolve::computed(view, m, high - low, "range")?;
    fact.formula = Some(format!("max({0}) - min({0})", m.name));
    let row = |end: f64| {
        (0..view.outcome.rows.len())
            .find(|&r| view.outcome.value(r, m.column).as_f64() == Some(end))
    };
    let ends: Vec<usize> = [high, low].into_iter().filter_map(row).collect();
    Some(fact.made_of(cells(view, m, &ends)))
}

/// The order of the names on an axis, where it has one.
fn ordered(axis: &Axis) -> bool {
    matches!(
        axis,
        Axis::Weekday | Axis::Month | Axis::Year | Axis::Quarter | Axis::Hour | Axis::Date
    )
}

/// Changes along time, and the values at its ends.
fn changes(
    binder: &Binder,
    num: &Num,
    need: &Need,
    view: &View,
    m: &Measure,
    ask: &Ask,
) -> Vec<(Fact, Option<bool>)> {
    let mut out = Vec::new();
    if view.kind != ResultKind::Grouped {
        return out;
    }
    let tokens = &binder.reading.tokens;
    let sentence = binder.reading.sentence(num.place);
    // `28.5% fewer than the year before`
    let compared = (num.tail + 1..num.tail + 3)
        .find_map(|i| find(words::COMPARATIVES, tokens, i).map(|((more, _), _)| more));
    let said = (0..tokens.len())
        .filter(|&i| tokens[i].sentence == sentence)
        .filter_map(|i| {
            let ((up, _), _) = find(words::DIRECTIONS, tokens, i)?;
            Some((i.abs_diff(num.place.first) + usize::from(i > num.place.first), up))
        })
        .min_by_key(|(far, _)| *far)
        .map(|(_, up)| up);
    let said = compared.or(said);
    for (at, column) in view.names.iter().enumerate() {
        if !ordered(&column.axis) {
            continue;
        }
        let names = others(binder, num, need, view, at);
        let Some(line) = rows(view, &names) else { continue };
        let mut line = line.to_vec();
        let place = |r: &usize| view.outcome.value(*r, column.column);
        line.sort_by(|a, b| super::names::calendar_order(&column.axis, &place(a), &place(b)));
        // One row for each name: the other axes are given.
        let mut distinct: Vec<Value> = line.iter().map(place).collect();
        distinct.dedup();
        if distinct.len() != line.len() || line.len() < 2 {
            continue;
        }
        let span = binder.reading.spans.iter().find(|(a, _)| {
            binder.reading.sentence(a.place) == sentence
                && a.axes.iter().any(|x| view.on_axis(x) == Some(at))
        });
        // `jumped by 54,725 from June to July, and fell in August`: a span is of its own clause.
        let clause = |m: &Mention| binder.reading.clause(m.place);
        let own = binder.reading.clause(num.place);
        let spanned = span.is_some_and(|(a, _)| clause(a) == own);
        let here = |list: &[&Mention]| list.iter().any(|m| clause(m) == own);
        let beside: Vec<&Mention> = axes(binder, num, view)
            .into_iter()
            .filter(|(a, _)| *a == at)
            .flat_map(|(_, list)| list)
            .filter(|_| !spanned)
            .collect();
        let span = span.filter(|_| spanned || !here(&beside));
        let mentioned: Vec<usize> = beside
            .into_iter()
            .chain(span.into_iter().flat_map(|(a, b)| [a, b]))
            .flat_map(|x| view.rows_named(at, &x.name).to_vec())
            .filter_map(|r| line.iter().position(|l| *l == r))
            .collect();
        let mut ends: Vec<(usize, usize)> = Vec::new();
        match mentioned.as_slice() {
            [] => ends.push((0, line.len() - 1)),
            [one] if *one > 0 => ends.push((one - 1, *one)),
            [one] if line.len() == 2 => ends.push((*one, 1)),
            [a, .., b] => {
                // `lower in 2024 than in 2023`: what it is compared with comes last.
                let against = (0..tokens.len()).any(|i| {
                    tokens[i].sentence == sentence
                        && ["than", "чем", "против", "against"].contains(&tokens[i].lower.as_str())
                });
                if *a < *b || !against {
                    ends.push((*a, *b));
                }
                if a > b && !ask.from {
                    ends.push((*b, *a));
                }
            }
            [_] => {}
        }
        for (a, b) in ends {
            let (Some(x), Some(y)) = (cell(view, m, line[b]), cell(view, m, line[a])) else {
                continue;
            };
            if ask.from && (mentioned.len() != 1 || ask.changes) || ask.earlier {
                out.push((y.clone(), None));
            }
            if ask.to && mentioned.len() != 1 {
                out.push((x.clone(), None));
            }
            if ask.changes || ask.compares {
                for (fact, change) in operate(num, m, &x, &y) {
                    // `France −10%`: the sign is the direction.
                    if num.number.sign != Sign::None {
                        out.push((fact.clone(), None));
                    }
                    out.extend(directed(fact, change, said));
                }
            }
        }
        // `up from 30 a year earlier` names only the later one, which other words may carry.
        if ask.earlier && mentioned.is_empty() {
            for r in &line[..line.len() - 1] {
                out.extend(cell(view, m, *r).map(|f| (f, None)));
            }
        }
    }
    // `North's lead over East shrank from 3.1 to 2.1`: a difference at each end.
    if ask.compares && (ask.from || ask.to) {
        out.extend(difference_at_ends(binder, num, view, m, ask));
    }
    out
}

fn difference_at_ends(
    binder: &Binder,
    num: &Num,
    view: &View,
    m: &Measure,
    ask: &Ask,
) -> Option<(Fact, Option<bool>)> {
    let time = view.names.iter().position(|n| ordered(&n.axis))?;
    let (at, list) =
        axes(binder, num, view).into_iter().find(|(a, l)| *a != time && l.len() == 2)?;
    let column = view.names.get(time)?;
    let mut line: Vec<Value> =
        (0..view.outcome.rows.len()).map(|r| view.outcome.value(r, column.column)).collect();
    line.sort_by(|a, b| super::names::calendar_order(&column.axis, a, b));
    let end = if ask.from { line.first()? } else { line.last()? };
    let of = |x: &Mention| {
        let row = view
            .rows_named(at, &x.name)
            .iter()
            .copied()
            .find(|r| view.outcome.value(*r, column.column) == *end)?;
        cell(view, m, row)
    };
    let (x, y) = (of(list[0])?, of(list[1])?);
    operate(num, m, &x, &y).into_iter().find_map(|(fact, change)| directed(fact, change, None))
}
