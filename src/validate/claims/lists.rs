//! Names in a row that are said to stand in an order: `From highest to lowest: A, B, C`. They are held
//! against the values of the one measure that the sentence, its question or the result is about.

use super::bind::Binder;
use super::judge::{Finding, Why, finding};
use super::places::is_of_age;
use super::rank::takes_time;
use super::read::{Mention, Place, Reading};
use super::resolve::{cell, shown};
use super::told::{asked, key_of, row_of, told, view_of};
use super::words;
use super::world::{Measure, View};
use crate::query::check::ResultKind;
use crate::validate::Verdict;

/// In longer results nobody lists an order.
const ROWS: usize = 10_000;

/// So many names are a list.
const LEAST: usize = 3;

/// Words that say that a list is one in an order, by their beginnings.
const ORDERS: &[&str] =
    &["ranked", "ranking", "descending", "ascending", "убыван", "возрастан", "порядк", "рейтинг"];

/// Judges the lists of every sentence.
pub(super) fn lists(text: &str, binder: &Binder, from: usize, out: &mut Vec<(Place, Finding)>) {
    let reading = binder.reading;
    let mut at = 0;
    while at < reading.mentions.len() {
        let sentence = reading.sentence(reading.mentions[at].place);
        let view = view_of(binder, sentence).filter(|view| {
            let one_each = view.names.len() == 1 || view.kind == ResultKind::Table;
            one_each && view.outcome.rows.len() <= ROWS
        });
        let Some(view) = view else {
            at += 1;
            continue;
        };
        let len = run(binder, view, at);
        let list = &reading.mentions[at..at + len];
        at += len;
        let after = list.first().is_some_and(|m| reading.tokens[m.place.first].span.start >= from);
        if len < LEAST || !after {
            continue;
        }
        if let Some(found) = judge(text, binder, from, view, list) {
            let within = |p: &Place| p.first <= found.0.last && p.last >= found.0.first;
            out.retain(|(place, _)| !within(place));
            out.push(found);
        }
    }
}

/// How many names from one on stand in a row, each of one group.
fn run(binder: &Binder, view: &View, from: usize) -> usize {
    let reading = binder.reading;
    let row = |m: &Mention| row_of(view, m);
    let joined = |a: &Mention, b: &Mention| {
        let between = a.place.last + 1..b.place.first;
        reading.sentence(a.place) == reading.sentence(b.place)
            && a.axes == b.axes
            && !between.is_empty()
            && between.clone().all(|i| {
                let token = &reading.tokens[i];
                let mark = [',', '>', '→', '≥'].iter().any(|c| token.is(*c));
                let word = ["then", "затем", "finally", "lastly", "наконец", "потом"];
                mark || super::lex::is_and(token) || word.contains(&token.lower.as_str())
            })
    };
    if row(&reading.mentions[from]).is_none() {
        return 1;
    }
    let rest = reading.mentions[from..].windows(2);
    1 + rest.take_while(|pair| joined(&pair[0], &pair[1]) && row(&pair[1]).is_some()).count()
}

fn judge(
    text: &str,
    binder: &Binder,
    from: usize,
    view: &View,
    list: &[Mention],
) -> Option<(Place, Finding)> {
    let reading = binder.reading;
    let (first, last) = (list.first()?, list.last()?);
    let ways = directions(reading, first.place, last.place);
    if ways.is_empty() {
        return None;
    }
    let rows: Vec<usize> = list.iter().filter_map(|m| row_of(view, m)).collect();
    let m = measure(binder, from, view, (first.place, last.place))?;
    let numbers = view.numbers(m.column);
    let value = |row: usize| numbers.get(row).copied().filter(|x| !x.is_nan());
    let mut best: Option<Vec<usize>> = None;
    for &up in ways {
        let mut right = rows.clone();
        rows.iter().map(|&r| value(r)).collect::<Option<Vec<f64>>>()?;
        right.sort_by(|a, b| {
            let order = value(*a).partial_cmp(&value(*b)).unwrap_or(std::cmp::Ordering::Equal);
            if up { order } else { order.reverse() }
        });
        let wrong = |right: &[usize]| {
            right.iter().zip(&rows).filter(|(a, b)| value(**a) != value(**b)).count()
        };
        if best.as_ref().is_none_or(|b| wrong(&right) < wrong(b)) {
            best = Some(right);
        }
    }
    let right = best?;
    let differ = |i: &usize| value(right[*i]) != value(rows[*i]);
    let Some(start) = (0..rows.len()).find(differ) else {
        let place = Place { first: first.place.first, last: last.place.last };
        let mut fine = finding(text, reading, place, Verdict::Verified, None, None, Why::Fine);
        fine.claim.fact = cell(view, m, *rows.first()?).map(|f| f.source);
        return Some((place, fine));
    };
    let end = (0..rows.len()).rfind(differ)?;
    let column = view.names.get(key_of(view, first)?)?.column;
    let name = |row: usize| shown(&view.outcome.value(row, column));
    let mut actual = String::new();
    for i in start..=end {
        actual.push_str(&name(right[i]));
        if i < end {
            let (a, b) = (list[i].place, list[i + 1].place);
            let from = reading.tokens[a.last].span.end;
            actual.push_str(text.get(from..reading.tokens[b.first].span.start)?);
        }
    }
    let place = Place { first: list[start].place.first, last: list[end].place.last };
    let why = Why::Order(m.name.clone());
    let mut made = finding(text, reading, place, Verdict::Contradicted, Some(actual), None, why);
    made.claim.fact = cell(view, m, right[start]).map(|f| f.source);
    Some((place, made))
}

/// Which orders words may say that a list is in: `true` is from below. None where they say none.
fn directions(reading: &Reading, first: Place, last: Place) -> &'static [bool] {
    let tokens = &reading.tokens;
    let sentence = reading.sentence(first);
    let outside =
        |i: &usize| tokens[*i].sentence == sentence && !(first.first..=last.last).contains(i);
    let starts = |i: usize, list: &[&str]| list.iter().any(|w| tokens[i].lower.starts_with(w));
    let word = |i: usize| tokens.get(i).map_or("", |t| t.lower.as_str());
    // `from highest to lowest`, `от большего к меньшему`
    let mut ends = (0..tokens.len()).filter(outside).filter_map(|i| {
        let to = ["to", "к", "до"].contains(&word(i + 1));
        let graded = |at: usize| {
            let mark = reading.superlatives.iter().find(|s| s.place.first == at);
            mark.filter(|s| !is_of_age(reading, s.place)).map(|s| s.what.most).or_else(|| {
                let more = ["больш", "высок", "крупн", "сильн", "most", "high", "larg", "big"];
                let less = ["меньш", "низк", "мал", "слаб", "least", "low", "small", "few"];
                starts(at, &more).then_some(true).or(starts(at, &less).then_some(false))
            })
        };
        let (a, b) = (graded(i).filter(|_| to)?, graded(i + 2)?);
        (a != b).then_some(!a)
    });
    if let Some(up) = ends.next() {
        return if up { &[true] } else { &[false] };
    }
    let mut all = (0..tokens.len()).filter(outside);
    // `from top to bottom`, `сверху вниз`
    let down = (0..tokens.len()).filter(outside).any(|i| {
        word(i) == "сверху" && word(i + 1) == "вниз"
            || word(i) == "top" && word(i + 1) == "to" && word(i + 2) == "bottom"
    });
    if down {
        return &[false];
    }
    let said = |i: usize| {
        // `in this order`, `in order of revenue`; not the orders that a shop has.
        let order = word(i) == "order"
            && ["in", "this", "that", "the", "following"].contains(&reading.word_before(i));
        // `идут так: A, B, C`
        let thus = ["так", "следующим"].contains(&word(i))
            && (i + 1..i + 3).any(|j| tokens.get(j).is_some_and(|t| t.is(':')));
        order && !tokens[i].counts || thus || starts(i, ORDERS)
    };
    let at = all.find(|&i| said(i));
    let signs = (first.last + 1..last.first).filter(|&i| tokens[i].is('>')).count();
    if at.is_none() && signs == 0 {
        return &[];
    }
    let mut all = (0..tokens.len()).filter(outside);
    if signs > 0 || all.clone().any(|i| starts(i, &["descending", "убыван"])) {
        return &[false];
    }
    if all.any(|i| starts(i, &["ascending", "возрастан"])) {
        &[true]
    } else {
        &[false, true]
    }
}

/// What the list is ordered by.
fn measure<'v>(
    binder: &Binder,
    from: usize,
    view: &'v View,
    (first, last): (Place, Place),
) -> Option<&'v Measure> {
    let tokens = &binder.reading.tokens;
    let sentence = binder.reading.sentence(first);
    let begin = tokens.iter().position(|t| t.sentence == sentence)?;
    let end = begin + tokens[begin..].iter().take_while(|t| t.sentence == sentence).count();
    for range in [begin..first.first, last.last + 1..end] {
        let mut list = told(binder, view, range.clone(), None);
        let quick = |i: usize| {
            let word = tokens[i].lower.as_str();
            words::QUICK.iter().any(|w| word.starts_with(w))
                || ["speed", "pace", "скорост"].iter().any(|w| word.starts_with(w))
        };
        if list.is_empty() && range.clone().any(quick) {
            list = view.measures.iter().filter(|m| takes_time(m)).collect();
        }
        match list.as_slice() {
            [m] => return Some(m),
            [] => {}
            several => {
                let asked = asked(binder, view, from)?;
                return several.iter().any(|m| m.column == asked.column).then_some(asked);
            }
        }
    }
    asked(binder, view, from)
}
