//! Wholes and their parts: sums of what is named, shares, the mean of everything, what is left of a
//! hundred.

use super::bind::Binder;
use super::combine::{axes, others, rows, with};
use super::link::Reach;
use super::names::calendar_order;
use super::rank::of_shown;
use super::read::{Counted, Mention, Num};
use super::resolve::{Fact, Need, cell, cells, computed, sum_of_all, whole};
use super::words::{self, Agg, has};
use super::world::{Measure, View};
use crate::query::check::ResultKind;
use crate::validate::FactRef;
use crate::value::Value;
use std::rc::Rc;

/// The sum over what is named, or over everything.
pub(super) fn sum(
    binder: &Binder,
    num: &Num,
    need: &Need,
    view: &View,
    m: &Measure,
) -> Option<Fact> {
    let table = view.kind == ResultKind::Table && !m.percent();
    let shown = need.of_shown || of_shown(binder.reading, binder.reading.sentence(num.place), view);
    let cut = view.cut() && !shown;
    if !table && (!m.additive() || view.kind != ResultKind::Grouped || cut) {
        return None;
    }
    if let Some(rows) = spanned(binder, num, view).filter(|_| !cut) {
        return total(view, m, &rows);
    }
    let clause = binder.reading.clause(num.place);
    let mut chosen: Option<Vec<usize>> = None;
    let mut several = false;
    for (at, list) in axes(binder, num, view) {
        // Names after the number in another clause belong to other numbers.
        let list: Vec<_> = list
            .into_iter()
            .filter(|x| x.place.first < num.place.first || binder.reading.clause(x.place) == clause)
            .collect();
        if list.is_empty() {
            continue;
        }
        several |= list.iter().any(|x| x.name != list[0].name);
        let mut some: Vec<usize> =
            list.iter().flat_map(|x| view.rows_named(at, &x.name).to_vec()).collect();
        some.sort_unstable();
        some.dedup();
        match &mut chosen {
            Some(chosen) => chosen.retain(|r| some.binary_search(r).is_ok()),
            None => chosen = Some(some),
        }
    }
    // Of a table that a limit cut the rows that are named one by one are added up, and no others.
    if cut && !several {
        return None;
    }
    match chosen {
        Some(chosen) => total(view, m, &chosen),
        None => total(view, m, &rows(view, &need.names)?),
    }
}

pub(super) fn total(view: &View, m: &Measure, rows: &[usize]) -> Option<Fact> {
    let (sum, count) = view.totals(m.column, rows)?;
    let fact = (count > 1).then(|| computed(view, m, sum, "sum"))??;
    Some(fact.made_of(cells(view, m, rows)))
}

/// The rows from one name to another (`from January to March`).
pub(super) fn spanned(binder: &Binder, num: &Num, view: &View) -> Option<Vec<usize>> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let (a, b) = reading.spans.iter().find(|(a, _)| reading.sentence(a.place) == sentence)?;
    let at = a.axes.iter().find_map(|x| view.on_axis(x))?;
    let column = view.names.get(at)?;
    let place = |m: &Mention| {
        let row = *view.rows_named(at, &m.name).first()?;
        Some(view.outcome.value(row, column.column))
    };
    let (low, high) = (place(a)?, place(b)?);
    let order = |x: &Value, y: &Value| calendar_order(&column.axis, x, y);
    let within: Vec<usize> = (0..view.outcome.rows.len())
        .filter(|&r| {
            let x = view.outcome.value(r, column.column);
            order(&low, &x).is_le() && order(&x, &high).is_le()
        })
        .collect();
    (within.len() > 1).then_some(within)
}

/// `53% of that in Engineering`: the value of one group in per cent of another's.
pub(super) fn of_another(
    binder: &Binder,
    num: &Num,
    need: &Need,
    view: &View,
    m: &Measure,
) -> Vec<Fact> {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let of = num.tail + 1;
    if !has(words::OF, tokens, of) || m.percent() {
        return Vec::new();
    }
    let mut out = Vec::new();
    for (at, list) in axes(binder, num, view) {
        let Some(whole) = list.iter().find(|x| x.place.first > of && x.place.first < of + 8) else {
            continue;
        };
        let part = list.iter().rev().find(|x| x.place.first < of && x.name != whole.name);
        let Some(part) = part else { continue };
        let names = others(binder, num, need, view, at);
        let value = |x: &Mention| match rows(view, &with(&names, x))?.as_slice() {
            [row] => cell(view, m, *row),
            _ => None,
        };
        if let (Some(mut a), Some(b)) = (value(part), value(whole))
            && b.value != 0.0
        {
            a.formula = Some(format!(
                "{0}[{1}] / {0}[{2}] * 100",
                m.name,
                super::judge::fact_key(&a.source),
                super::judge::fact_key(&b.source)
            ));
            a = a.clone().made_of([a.source, b.source]);
            a.value = a.value / b.value * 100.0;
            a.source.value = Value::float(a.value);
            (a.source.row, a.source.key) = (None, Vec::new());
            (a.percent, a.share, a.count, a.unit) = (true, false, false, None);
            out.push(a);
        }
    }
    out
}

/// The part of a total that the named rows have.
pub(super) fn share(
    binder: &Binder,
    num: &Num,
    need: &Need,
    view: &View,
    m: &Measure,
) -> Vec<Fact> {
    if !m.additive() || view.kind != ResultKind::Grouped {
        return Vec::new();
    }
    if view.cut() {
        return share_of_whole(binder, num, need, view, m).into_iter().collect();
    }
    let mut out = Vec::new();
    let Some(part) = joined(binder, num, view).map(Rc::new).or_else(|| rows(view, &need.names))
    else {
        return out;
    };
    let all = view.all_rows();
    let mut wholes = vec![all.clone()];
    // Of the year, of the region: each name that stands may bound the whole.
    for (at, list) in axes(binder, num, view) {
        for x in list {
            wholes.push(view.rows_named(at, &x.name));
        }
    }
    let value = |rows: &[usize]| -> f64 {
        rows.iter().filter_map(|&r| view.outcome.value(r, m.column).as_f64()).sum()
    };
    for whole in wholes {
        if part.len() >= whole.len() || !part.iter().all(|r| whole.binary_search(r).is_ok()) {
            continue;
        }
        let (a, b) = (value(&part), value(&whole));
        if b != 0.0
            && let Some(first) = part.first()
            && let Some(mut fact) = cell(view, m, *first)
        {
            fact.value = a / b * 100.0;
            fact.source.value = Value::float(fact.value);
            fact.formula = Some(format!("{} / sum({}) * 100", m.name, m.name));
            let of = if whole.len() == all.len() {
                vec![sum_of_all(view, m, b)]
            } else {
                cells(view, m, &whole)
            };
            fact = fact.made_of(cells(view, m, &part).into_iter().chain(of));
            (fact.percent, fact.share, fact.count, fact.unit) = (true, false, false, None);
            out.push(fact);
        }
    }
    out
}

/// The part that the named groups have in the whole behind a list that was cut.
fn share_of_whole(
    binder: &Binder,
    num: &Num,
    need: &Need,
    view: &View,
    m: &Measure,
) -> Option<Fact> {
    let whole = view.whole.filter(|_| view.names.len() == 1 && !need.names.is_empty())?;
    let column = whole.columns.iter().position(|c| c.column.name == m.name)?;
    let all = whole.value(0, column);
    let part = joined(binder, num, view).map(Rc::new).or_else(|| rows(view, &need.names))?;
    let (sum, of) = (view.totals(m.column, &part)?.0, all.as_f64().filter(|x| *x != 0.0)?);
    let mut fact = cell(view, m, *part.first()?)?;
    fact.value = sum / of * 100.0;
    fact.formula = Some(format!("{} / sum({}) * 100", m.name, m.name));
    let behind = FactRef {
        result: whole.id.clone(),
        row: None,
        key: Vec::new(),
        column: m.name.clone(),
        value: all,
    };
    fact = fact.made_of(cells(view, m, &part).into_iter().chain([behind]));
    (fact.source.row, fact.source.value) = (None, Value::float(fact.value));
    (fact.percent, fact.share, fact.count, fact.unit) = (true, false, false, None);
    Some(fact)
}

/// The rows of several groups before a number that is said of them together.
pub(super) fn joined(binder: &Binder, num: &Num, view: &View) -> Option<Vec<usize>> {
    let reading = binder.reading;
    let clause = reading.clause(num.place);
    let free = |x: &Mention| {
        // No number of its own stands between it and this one, but in brackets.
        x.place.last < num.place.first
            && !reading.numbers.iter().any(|n| {
                n.place.first > x.place.last
                    && n.place.last < num.place.first
                    && !reading.tokens[n.place.first].inside
            })
    };
    axes(binder, num, view).into_iter().find_map(|(at, list)| {
        let list: Vec<_> = list.into_iter().filter(|x| free(x)).collect();
        let near = list.iter().any(|x| reading.clause(x.place) + 1 >= clause);
        let (first, last) = (list.first()?.place.last, list.last()?.place.first);
        let and = (first..last).any(|i| super::lex::is_and(&reading.tokens[i]));
        if list.len() < 2 || !near || !and {
            return None;
        }
        let mut rows: Vec<usize> =
            list.iter().flat_map(|x| view.rows_named(at, &x.name).to_vec()).collect();
        rows.sort_unstable();
        rows.dedup();
        Some(rows)
    })
}

/// The rows that the filter kept, in per cent of those it saw.
pub(super) fn matched(view: &View) -> Option<Fact> {
    let (a, b) = (view.outcome.rows_matched, view.outcome.rows_scanned);
    (b > 0 && a < b).then(|| {
        let mut fact = whole(view, "rows_matched", a);
        fact.value = a as f64 / b as f64 * 100.0;
        fact.source.value = Value::float(fact.value);
        fact.formula = Some("rows_matched / rows_scanned * 100".into());
        (fact.percent, fact.count) = (true, false);
        fact.made_of(
            [("rows_matched", a), ("rows_scanned", b)].map(|(n, x)| whole(view, n, x).source),
        )
    })
}

/// The words around a percentage say that it is a part of rows: of what, by which condition, or the
/// number of rows beside it.
pub(super) fn of_rows(binder: &Binder, num: &Num, shares: bool) -> bool {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let next = num.tail + 1;
    let rows = |n: &Num| {
        n.place != num.place
            && reading.sentence(n.place) == sentence
            && (n.part.is_some() || n.counted == Some(Counted::Rows))
    };
    shares
        || has(words::OF, &reading.tokens, next)
        || words::counted(&reading.tokens, next).is_some()
        || reading.sentence_has(sentence, words::FRACTIONS)
        || reading.says_one_in(sentence)
        || reading.sentence_has(sentence, words::CONDITIONS)
        || binder.params.iter().any(|(place, _)| reading.sentence(*place) == sentence)
        || reading.numbers.iter().any(rows)
}

/// What is left of a hundred: `6.6% were not answered`.
pub(super) fn rest(binder: &Binder, num: &Num, need: &Need, view: &View) -> Option<Fact> {
    let tokens = &binder.reading.tokens;
    let sentence = binder.reading.sentence(num.place);
    (0..tokens.len())
        .any(|i| {
            tokens[i].sentence == sentence
                && (has(words::NOT, tokens, i) || has(words::WITHOUT, tokens, i))
        })
        .then_some(())?;
    let rows = rows(view, &need.names)?;
    let [row] = rows.as_slice() else { return None };
    let m = view.measures.iter().find(|m| m.percent())?;
    let mut fact = cell(view, m, *row)?;
    fact = fact.clone().made_of([fact.source]);
    fact.value = 100.0 - fact.value;
    fact.source.value = Value::float(fact.value);
    fact.formula = Some(format!("100 - {}", m.name));
    Some(fact)
}

/// The mean of everything from the means of the groups: weighted by their sizes. The mean of the
/// means is another number.
pub(super) fn weighted(view: &View, m: &Measure) -> Option<Fact> {
    if m.agg != Some(Agg::Mean) || view.kind != ResultKind::Grouped || view.cut() {
        return None;
    }
    let n = view.measures.iter().find(|c| c.agg == Some(Agg::Count))?;
    let (mut sum, mut count) = (0.0, 0.0);
    for row in 0..view.outcome.rows.len() {
        let size = view.outcome.value(row, n.column).as_f64()?;
        sum += view.outcome.value(row, m.column).as_f64()? * size;
        count += size;
    }
    let mut fact = computed(view, m, sum / count, "mean")?;
    fact.formula = Some(format!("sum({} * {}) / sum({})", m.name, n.name, n.name));
    let rows: Vec<usize> = (0..view.outcome.rows.len()).collect();
    Some(fact.made_of([m, n].into_iter().flat_map(|m| cells(view, m, &rows))))
}

/// What a group has on average of something that adds up (`382.5 tickets a month`).
pub(super) fn per_group(need: &Need, view: &View) -> Vec<Fact> {
    if view.kind != ResultKind::Grouped || view.cut() {
        return Vec::new();
    }
    let based = |m: &Measure| {
        need.base.as_ref().is_none_or(|(b, r)| *r != Reach::Clause || b.contains(&m.base))
    };
    let Some(rows) = rows(view, &need.names).filter(|r| r.len() > 1) else { return Vec::new() };
    view.measures
        .iter()
        .filter(|m| m.additive() && based(m))
        .filter_map(|m| {
            let values: Vec<f64> =
                rows.iter().filter_map(|&r| view.outcome.value(r, m.column).as_f64()).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            Some(computed(view, m, mean, "mean")?.made_of(cells(view, m, &rows)))
        })
        .collect()
}
