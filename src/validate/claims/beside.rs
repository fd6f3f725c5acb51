//! Numbers that stand beside others: two that are held against each other, a count beside what it is
//! of, a sum of one thing for each of another.

use super::bind::Binder;
use super::combine::{axes, others, rows, with};
use super::judge::fact_key;
use super::lex::Kind;
use super::link::Reach;
use super::read::{Counted, Mention, Num};
use super::resolve::{About, Fact, Need, cell, cells, computed, measures, sum_of_all};
use super::totals::spanned;
use super::verify::{Fit, fit};
use super::words::{self, Agg, has};
use super::world::{Measure, View, name_words};
use crate::query::check::ResultKind;
use crate::value::Value;
use std::rc::Rc;

/// Words that hold one number against another.
const VERSUS: &[&str] = &["vs", "versus", "against", "compared", "против"];

/// Words that divide by what they stand before.
const PER: &[&str] = &["per", "each", "apiece", "every", "каждый", "каждую", "каждого", "каждое"];

/// The facts of a number beside others.
pub(super) fn facts(binder: &Binder, num: &Num, need: &Need, view: &View) -> Vec<Fact> {
    let mut out = versus(binder, num, need, view);
    out.extend(two_measures(binder, num, need, view));
    out.extend(from_to(binder, num, need, view));
    out.extend(in_series(binder, num, need, view));
    out.extend(share_of_named(binder, num, need, view));
    out.extend(counted(binder, num, need, view));
    out.extend(for_each(binder, num, need, view));
    out
}

/// The measures that the words of the clause and the sentence leave open.
fn open<'v>(view: &'v View, need: &Need) -> Vec<&'v Measure> {
    let hard = Need {
        agg: need.agg.filter(|(_, r)| *r != Reach::Before),
        base: need.base.clone().filter(|(_, r)| *r != Reach::Before),
        any: view.kind == ResultKind::Table,
        ..Need::default()
    };
    measures(view, &hard).into_iter().map(|(m, _)| m).collect()
}

/// The cell of a measure in the only row of names.
fn only(view: &View, m: &Measure, names: &[About]) -> Option<Fact> {
    match rows(view, names)?.as_slice() {
        [row] => cell(view, m, *row),
        _ => None,
    }
}

/// The numbers of the sentence of a number, in order.
fn numbers<'b>(binder: &'b Binder, num: &Num) -> Vec<&'b Num> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    reading.numbers.iter().filter(|n| reading.sentence(n.place) == sentence).collect()
}

/// The number and the one before or behind it, where `are` says that they are a pair.
fn pair<'b>(
    binder: &'b Binder,
    num: &Num,
    are: impl Fn(&Num, &Num) -> bool,
) -> Option<(&'b Num, &'b Num)> {
    let all = numbers(binder, num);
    let mut next = all.iter().zip(all.iter().skip(1));
    let found = next.find(|(a, b)| (a.place == num.place || b.place == num.place) && are(a, b));
    found.map(|(a, b)| (*a, *b))
}

/// Whether two numbers are held against each other by the words between them.
fn are_versus(binder: &Binder, a: &Num, b: &Num) -> bool {
    let tokens = &binder.reading.tokens;
    let gap = a.tail + 1..b.place.first;
    let word = |i: usize| tokens[i].lower.as_str();
    gap.len() <= 4
        && gap.clone().any(|i| VERSUS.contains(&word(i)))
        && gap.into_iter().all(|i| {
            VERSUS.contains(&word(i))
                || matches!(tokens[i].kind, Kind::Punct(_))
                || ["with", "to", "just", "only", "лишь", "всего"].contains(&word(i))
        })
}

/// Two facts that two numbers of a pair both state: the one of `num`.
fn both(num: &Num, (first, x): (&Num, Fact), (second, y): (&Num, Fact)) -> Option<Fact> {
    let fits = fit(first, &x, None) == Fit::Yes && fit(second, &y, None) == Fit::Yes;
    fits.then(|| if first.place == num.place { x } else { y })
}

/// `The mean is above the median (27.8 vs 22.5 in Dermatology)`: of two numbers that are held against
/// each other and two aggregates before them, the first is the first.
fn two_measures(binder: &Binder, num: &Num, need: &Need, view: &View) -> Vec<Fact> {
    let held = |a: &Num, b: &Num| are_versus(binder, a, b);
    let Some((first, second)) = pair(binder, num, held) else { return Vec::new() };
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let mut aggs: Vec<Agg> = Vec::new();
    for a in reading
        .aggs
        .iter()
        .filter(|a| reading.sentence(a.place) == sentence && a.place.last < first.place.first)
    {
        if !aggs.contains(&a.what) {
            aggs.push(a.what);
        }
    }
    let [one, other] = aggs.as_slice() else { return Vec::new() };
    let of = |agg: Agg| view.measures.iter().filter(move |m| m.agg == Some(agg));
    let mut out = Vec::new();
    for x in of(*one) {
        for y in of(*other).filter(|y| y.base == x.base) {
            let (Some(a), Some(b)) = (only(view, x, &need.names), only(view, y, &need.names))
            else {
                continue;
            };
            out.extend(both(num, (first, a), (second, b)));
        }
    }
    out
}

/// `From August to September loans jumped from 2,060 to 2,950`: the first number is of the first name,
/// the second of the second. Both have to be right by one measure.
fn from_to(binder: &Binder, num: &Num, need: &Need, view: &View) -> Vec<Fact> {
    let reading = binder.reading;
    let lead = |n: &Num, list: &[&str]| {
        let first = n.bound.map_or(n.place.first, |(_, at)| at);
        list.contains(&reading.word_before(first))
    };
    let ends = |a: &Num, b: &Num| lead(a, &["from", "с", "со", "от"]) && lead(b, &["to", "до"]);
    let Some((first, second)) = pair(binder, num, ends) else { return Vec::new() };
    let sentence = reading.sentence(num.place);
    let mut ends: Vec<(usize, &Mention, &Mention)> = Vec::new();
    for (a, b) in reading.spans.iter().filter(|(a, _)| reading.sentence(a.place) == sentence) {
        if let Some(at) = a.axes.iter().find_map(|x| view.on_axis(x)) {
            ends.push((at, a, b));
        }
    }
    for (at, list) in axes(binder, num, view) {
        if let [a, b] = list.as_slice() {
            ends.push((at, a, b));
        }
    }
    let mut out = Vec::new();
    for (at, a, b) in ends {
        let names = others(binder, num, need, view, at);
        // `loans jumped`: the word for the rows may be that of a measure too.
        let mut list = open(view, need);
        list.extend(counts(view).filter(|_| num.number.unit.is_none()));
        for m in list {
            let value = |x| only(view, m, &with(&names, x));
            if let (Some(x), Some(y)) = (value(a), value(b)) {
                out.extend(both(num, (first, x), (second, y)));
            }
        }
    }
    out
}

/// `6.42 → 5.18 → 3.95`, `Billing: 4.4 % → 7.1 % → 15 %`: as many numbers in a row as a group has rows,
/// or as lie between two names; all have to be right by one measure, in their order.
fn in_series(binder: &Binder, num: &Num, need: &Need, view: &View) -> Vec<Fact> {
    let tokens = &binder.reading.tokens;
    let all = numbers(binder, num);
    let arrow = |a: &Num, b: &Num| {
        (a.place.last + 1..b.place.first).len() <= 4
            && (a.place.last + 1..b.place.first)
                .any(|i| ['→', '➜', '⇒', '>'].iter().any(|c| tokens[i].is(*c)))
    };
    let Some(at) = all.iter().position(|n| n.place == num.place) else { return Vec::new() };
    let mut first = at;
    while first > 0 && arrow(all[first - 1], all[first]) {
        first -= 1;
    }
    let mut last = at;
    while last + 1 < all.len() && arrow(all[last], all[last + 1]) {
        last += 1;
    }
    let chain = &all[first..=last];
    if chain.len() < 3 {
        return Vec::new();
    }
    let named = spanned(binder, num, view).map(Rc::new).or_else(|| rows(view, &need.names));
    let Some(list) = named.filter(|list| list.len() == chain.len()) else { return Vec::new() };
    let mut out = Vec::new();
    for m in open(view, need) {
        let cells: Vec<Option<Fact>> = list.iter().map(|&row| cell(view, m, row)).collect();
        let fits = chain
            .iter()
            .zip(&cells)
            .all(|(n, fact)| fact.as_ref().is_some_and(|fact| fit(n, fact, None) == Fit::Yes));
        if fits {
            out.extend(cells.into_iter().nth(at - first).flatten());
        }
    }
    out
}

/// `A, B and C make up 56.5 %`: the part of the total that all named groups have.
fn share_of_named(binder: &Binder, num: &Num, need: &Need, view: &View) -> Vec<Fact> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let clause = reading.clause(num.place);
    let moved =
        (0..reading.tokens.len()).filter(|&i| reading.tokens[i].clause == clause).any(|i| {
            has(words::DIRECTIONS, &reading.tokens, i)
                || has(words::COMPARATIVES, &reading.tokens, i)
        });
    let asked = !moved
        && (reading.sentence_has(sentence, words::SHARE)
            || reading.sentence_has(sentence, words::TOGETHER)
            || has(words::OF, &reading.tokens, num.tail + 1)
            || reading.tokens[num.place.first].inside);
    let whole = view.kind == ResultKind::Grouped && !view.cut();
    if !num.number.percent || num.number.points || !whole {
        return Vec::new();
    }
    let mut out = Vec::new();
    for (at, list) in axes(binder, num, view) {
        if list.len() < 2 || !asked {
            continue;
        }
        let mut part: Vec<usize> =
            list.iter().flat_map(|x| view.rows_named(at, &x.name).to_vec()).collect();
        part.sort_unstable();
        part.dedup();
        let all: Vec<usize> = (0..view.outcome.rows.len()).collect();
        // Of what adds up; of counts only where one is named, or nothing else is there.
        let sums = view.measures.iter().any(|m| m.agg == Some(Agg::Sum));
        let counts = !sums
            || (0..reading.tokens.len())
                .any(|i| reading.tokens[i].sentence == sentence && reading.tokens[i].counts);
        let meant = |m: &&Measure| m.additive() && (counts || m.agg == Some(Agg::Sum));
        for m in open(view, need).into_iter().filter(meant) {
            let (Some((a, _)), Some((b, _))) =
                (view.totals(m.column, &part), view.totals(m.column, &all))
            else {
                continue;
            };
            if b != 0.0
                && part.len() < all.len()
                && let Some(mut fact) = computed(view, m, a / b * 100.0, "share")
            {
                fact.formula = Some(format!("{0} / sum({0}) * 100", m.name));
                let of = cells(view, m, &part).into_iter().chain([sum_of_all(view, m, b)]);
                fact = fact.made_of(of);
                (fact.percent, fact.share, fact.count, fact.unit) = (true, false, false, None);
                out.push(fact);
            }
        }
    }
    out
}

/// `Audi costs less than BMW (17,450 vs. 18,900)`: of two numbers that are held against each other,
/// after two names, the first is of the first. Both have to be right by one measure.
fn versus(binder: &Binder, num: &Num, need: &Need, view: &View) -> Vec<Fact> {
    let held = |a: &Num, b: &Num| are_versus(binder, a, b);
    let Some((first, second)) = pair(binder, num, held) else { return Vec::new() };
    let mut out = Vec::new();
    for (at, list) in axes(binder, num, view) {
        // The two names last mentioned before the numbers.
        let mut before: Vec<_> =
            list.into_iter().filter(|m| m.place.last < first.place.first).collect();
        before.dedup_by(|a, b| a.name == b.name);
        let [.., a, b] = before.as_slice() else { continue };
        let names = others(binder, num, need, view, at);
        let mut list = open(view, need);
        list.extend(counts(view).filter(|_| num.number.unit.is_none()));
        for m in list {
            let value = |x| only(view, m, &with(&names, x));
            if let (Some(x), Some(y)) = (value(a), value(b)) {
                out.extend(both(num, (first, x), (second, y)));
            }
        }
    }
    out
}

/// The sentence holds two numbers against each other after two names, and no measure bears both out
/// in that order: what one of them is by itself says nothing.
pub(super) fn wrongly_paired(binder: &Binder, num: &Num, need: &Need) -> bool {
    let held = |a: &Num, b: &Num| are_versus(binder, a, b);
    let Some((first, second)) = pair(binder, num, held) else { return false };
    let mut paired = false;
    for view in &binder.world.views {
        let here = axes(binder, num, view);
        let Some((_, list)) = here.iter().find(|(_, list)| list.len() == 2) else { continue };
        if list.iter().any(|m| m.place.last > first.place.first) || list[0].name == list[1].name {
            continue;
        }
        paired = true;
        if !versus(binder, num, need, view).is_empty() {
            return false;
        }
    }
    // `27.8 vs 22.5`: two measures of one group are another matter, and so is a sum of two.
    paired && first.number.value > 0.0 && second.number.value > 0.0
}

/// The measures that count something.
fn counts<'v>(view: &'v View) -> impl Iterator<Item = &'v Measure> {
    view.measures.iter().filter(|m| m.agg == Some(Agg::Count))
}

/// `BMW is the priciest, across 412 listings`: how many rows a group has, said of a noun.
fn counted(binder: &Binder, num: &Num, need: &Need, view: &View) -> Vec<Fact> {
    let tokens = &binder.reading.tokens;
    let number = &num.number;
    let plain = number.decimals == 0
        && number.scale == 1.0
        && !number.percent
        && !number.points
        && !num.times
        && number.unit.is_none()
        && num.bound.is_none();
    let of = num.tail + 1;
    let noun = num.counted == Some(Counted::Rows)
        || num.counted == Some(Counted::Perhaps)
        || num.part.is_some()
        || (num.tail..of + 2).any(|i| {
            tokens.get(i).is_some_and(|t| t.counts && t.clause == tokens[num.place.first].clause)
        });
    if !plain || !noun || view.kind != ResultKind::Grouped {
        return Vec::new();
    }
    // Where no name stands by it, the only one of the sentence; not where it is said of all.
    let mut names = need.names.clone();
    let all = need.overall
        || need.total
        || need.whole
        || ["all", "every", "все", "всех", "всего"]
            .contains(&binder.reading.word_before(num.place.first));
    if names.is_empty() && !all {
        for (_, list) in axes(binder, num, view) {
            if let [only] = list.as_slice() {
                names = with(&names, only);
            }
        }
    }
    if names.is_empty() {
        return Vec::new();
    }
    let Some(rows) = rows(view, &names) else { return Vec::new() };
    let [row] = rows.as_slice() else { return Vec::new() };
    counts(view).filter_map(|m| cell(view, m, *row)).collect()
}

/// `about €7.64 each time`: what adds up, divided by how many there are of something.
fn for_each(binder: &Binder, num: &Num, need: &Need, view: &View) -> Vec<Fact> {
    let tokens = &binder.reading.tokens;
    let sentence = binder.reading.sentence(num.place);
    let near = num.place.first.saturating_sub(12)..(num.tail + 6).min(tokens.len());
    let mut of: Option<&str> = None;
    for i in near.filter(|&i| tokens[i].sentence == sentence) {
        let word = tokens[i].lower.as_str();
        let after = tokens.get(i + 1).map_or("", |t| t.lower.as_str());
        if PER.contains(&word) {
            of = Some(tokens.get(i + 1).map_or("", |t| t.stem.as_str()));
        } else if word == "за" && after.starts_with("раз")
            || word.starts_with("средн") && after.starts_with("чек")
        {
            of = Some("");
        }
    }
    let Some(of) = of else { return Vec::new() };
    let rounded = num.number.decimals == 0 && num.number.unit.is_none();
    if rounded || num.number.percent || num.times || view.kind != ResultKind::Grouped {
        return Vec::new();
    }
    let Some(rows) = rows(view, &need.names) else { return Vec::new() };
    let [row] = rows.as_slice() else { return Vec::new() };
    // Divided by a count, or by what the word names.
    let whole = |m: &Measure| {
        m.agg == Some(Agg::Count)
            || !of.is_empty() && name_words(&m.name).iter().any(|w| w.starts_with(of))
    };
    let mut out = Vec::new();
    let sums: Vec<&Measure> = view.measures.iter().filter(|m| m.agg == Some(Agg::Sum)).collect();
    let named = |m: &Measure| {
        need.base.as_ref().is_none_or(|(b, r)| *r == Reach::Before || b.contains(&m.base))
    };
    // Of several sums the words have to say which.
    let said = need.base.as_ref().is_some_and(|(_, r)| *r != Reach::Before);
    let units = |m: &Measure| num.number.unit.is_some() && m.unit.is_some();
    for a in sums.iter().filter(|a| named(a) && (said || sums.len() == 1 || units(a))) {
        for b in view.measures.iter().filter(|m| whole(m) && m.unit.is_none()) {
            let (Some(mut x), Some(y)) = (cell(view, a, *row), cell(view, b, *row)) else {
                continue;
            };
            if a.column == b.column || y.value == 0.0 {
                continue;
            }
            let key = fact_key(&x.source);
            x = x.clone().made_of([x.source, y.source]);
            x.value /= y.value;
            x.source.value = Value::float(x.value);
            x.formula = Some(format!("{}[{key}] / {}[{key}]", a.name, b.name));
            (x.source.row, x.source.key, x.count) = (None, Vec::new(), false);
            out.push(x);
        }
    }
    // What a word of the clause measures otherwise is no such quotient.
    let other = need.base.as_ref().is_some_and(|(b, r)| {
        *r == Reach::Clause
            && view.measures.iter().any(|m| b.contains(&m.base) && m.agg == Some(Agg::Mean))
    });
    if other { Vec::new() } else { out }
}
