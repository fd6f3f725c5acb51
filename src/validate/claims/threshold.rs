//! The numbers and dates that state the question and not the answer: thresholds, limits and
//! periods. Equal to a parameter of the query they are no claims; different they are stale.

use super::lex::is_cyrillic;
use super::names::{Axis, Name, same};
use super::number::DateText;
use super::read::{Num, Place, Reading};
use super::words::{self, find, has};
use super::world::{Param, World};
use crate::query::ast::Compare;
use chrono::Datelike;

/// What a number of the question is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stated {
    /// A parameter of these results.
    Param(Vec<usize>),
    /// Another threshold than the query had: the right words, from the first token on.
    Stale {
        /// First token that is wrong.
        first: usize,
        /// What the query has, written as in the text; `None` where it has several.
        actual: Option<String>,
    },
}

/// What `num` states of the question; `None` where it states a result.
pub(super) fn stated(world: &World, reading: &Reading, text: &str, num: &Num) -> Option<Stated> {
    let tokens = &reading.tokens;
    let first = num.place.first;
    let start = num.bound.map_or(first, |(_, at)| at);
    // `a drop of more than 2.5%` is a change below −2.5%.
    let lower = tokens
        .get(num.tail + 1)
        .is_some_and(|t| ["lower", "down", "ниже", "вниз"].contains(&t.lower.as_str()));
    let fall = (lower || direction_before(reading, start) == Some(false)) && num.number.value > 0.0;
    let value = if fall { -num.number.value } else { num.number.value };
    let equal = |p: &Param| (p.value - value).abs() <= 1e-9 * value.abs().max(1.0);
    let views = |want: &dyn Fn(&Param) -> bool| -> Vec<usize> {
        (0..world.views.len()).filter(|&i| world.views[i].params.iter().any(want)).collect()
    };
    // `the wettest month of 2024`, where all is of 2024.
    let year = num.number.value as i32;
    let bare = num.number.decimals == 0
        && num.number.style.group.is_none()
        && num.number.unit.is_none()
        && !num.number.percent
        && num.bound.is_none()
        && num.counted.is_none();
    let led = ["of", "in", "for", "during", "за", "в", "с", "по", "year", "год"]
        .contains(&reading.word_before(first))
        && !(first >= 1 && has(words::COPULAS, tokens, first - 1));
    if bare && led && (1900..=2100).contains(&year) && !world.views.is_empty() {
        let name = Name::Index(i64::from(year));
        let of = |v: &super::world::View| v.lies_within(&Axis::Year, &name) == Some(true);
        if world.views.iter().all(of) {
            return Some(Stated::Param((0..world.views.len()).collect()));
        }
    }
    // `20-day`, `top 5`, `RSI 14`
    let hyphened = tokens.get(num.place.last + 1).is_some_and(|t| t.is('-') && t.glued)
        && tokens.get(num.place.last + 2).is_some_and(|t| t.is_word() && t.glued);
    let mut lead = first;
    while lead > 0
        && (tokens[lead - 1].is('-') || tokens[lead - 1].is('(') || tokens[lead - 1].is('*'))
    {
        lead -= 1;
    }
    let before = reading.word_before(lead);
    let ranked = ["top", "топ", "first", "limit", "лимит", "лучшие", "лучших", "первые", "первых"]
        .contains(&before);
    if num.bound.is_none()
        && num.counted.is_none_or(|_| ranked)
        && num.number.decimals == 0
        && (hyphened || ranked)
    {
        let found = views(&|p| equal(p) && p.op.is_none());
        if !found.is_empty() {
            return Some(Stated::Param(found));
        }
        // `The top 3 are …`: as many as are named.
        let sentence = reading.sentence(num.place);
        let named =
            reading.mentions.iter().filter(|m| reading.sentence(m.place) == sentence).count();
        if ranked && named as f64 == value {
            return Some(Stated::Param((0..world.views.len()).collect()));
        }
    }
    let clause = reading.clause(num.place);
    // `38.1 % left more than 15 minutes late`: the condition inside a measure, which no aggregate of
    // the clause is held against.
    let inside = |p: &Param| {
        equal(p)
            && num.bound.is_some_and(|(up, _)| match p.op {
                Some(Compare::Gt | Compare::Ge) => up,
                Some(Compare::Lt | Compare::Le) => !up,
                _ => false,
            })
    };
    let valued = reading.aggs.iter().any(|a| {
        reading.clause(a.place) == clause && !matches!(a.what, words::Agg::Count | words::Agg::Sum)
    });
    let total = reading.clause_has(clause, words::TOTAL)
        || reading.aggs.iter().any(|a| reading.clause(a.place) == clause);
    let counts = num.counted.is_some_and(|c| c != super::read::Counted::Perhaps);
    // The value of the measure stands beside it, or the thing that the condition is of.
    let beside =
        reading.numbers.iter().any(|n| {
            n.place != num.place && reading.sentence(n.place) == reading.sentence(num.place)
        }) || reading.bases.iter().any(|b| reading.clause(b.place) == clause);
    if !valued && !total && !counts && beside && !num.number.percent {
        let found: Vec<usize> =
            (0..world.views.len()).filter(|&i| world.views[i].inside.iter().any(inside)).collect();
        if !found.is_empty() {
            return Some(Stated::Param(found));
        }
    }
    let mut condition = condition(reading, num, start);
    // `the total of all receipts above 100 is …`: the bound belongs to the subject.
    let subject = has(words::COPULAS, tokens, num.tail + 1);
    let denied = (start.saturating_sub(4)..start)
        .any(|i| tokens[i].sentence == tokens[start].sentence && has(words::NONE, tokens, i));
    let bare = num.bound.is_some()
        && !denied
        && !matches!(num.counted, Some(super::read::Counted::Rows | super::read::Counted::Groups))
        && (subject
            || !reading.aggs.iter().any(|a| {
                reading.clause(a.place) == clause
                    && a.what != words::Agg::Count
                    && !has(words::TOTAL, tokens, a.place.first)
            }))
        && !reading.mentions.iter().any(|m| reading.clause(m.place) == clause)
        && !num.number.percent;
    // The same with a per cent, where it is that of the condition.
    if num.number.percent
        && num.bound.is_some()
        && !denied
        && !reading.mentions.iter().any(|m| reading.clause(m.place) == clause)
        && matches!(condition, Condition::None)
    {
        condition = Condition::Perhaps;
    }
    // A bound that is said of no group and no aggregate is the condition.
    if bare && matches!(condition, Condition::None | Condition::Perhaps) {
        let any = world.views.iter().any(|v| v.params.iter().any(|p| p.op.is_some()));
        if any {
            condition = Condition::Sure;
        }
    }
    let above = num.bound.map(|(up, _)| up != fall);
    let threshold = |p: &Param| p.op.is_some();
    let direction = |p: &Param| match (above, p.op) {
        (None, _) | (_, None | Some(Compare::Eq | Compare::Ne)) => true,
        (Some(up), Some(op)) => up == matches!(op, Compare::Gt | Compare::Ge),
    };
    match condition {
        Condition::None => None,
        Condition::Perhaps => {
            let found = views(&|p| threshold(p) && equal(p) && direction(p));
            (!found.is_empty()).then_some(Stated::Param(found))
        }
        Condition::Sure => {
            let found = views(&|p| threshold(p) && equal(p) && direction(p));
            if !found.is_empty() {
                return Some(Stated::Param(found));
            }
            let mut all: Vec<&Param> =
                world.views.iter().flat_map(|v| &v.params).filter(|p| threshold(p)).collect();
            let said = base_before(reading, start);
            // It is held against conditions on columns (`year() == 2020` is none); `7 or more` is of
            // a part of the rows.
            all.retain(|p| !p.columns.is_empty() && (start != first || num.bound.is_none()));
            if all.iter().any(|p| said.iter().any(|b| p.columns.contains(b))) {
                all.retain(|p| said.iter().any(|b| p.columns.contains(b)));
            }
            let only = all.first()?;
            if all.iter().any(|p| p.value != only.value || p.op != only.op) {
                return Some(Stated::Stale { first, actual: None });
            }
            let number = num.number.write_like(if fall { -only.value } else { only.value });
            if direction(only) {
                return Some(Stated::Stale { first, actual: Some(number) });
            }
            let up = matches!(only.op, Some(Compare::Gt | Compare::Ge)) != fall;
            let russian = is_cyrillic(reading.text(text, Place { first: start, last: first }));
            let word = match (russian, up) {
                (false, true) => "above",
                (false, false) => "below",
                (true, true) => "больше",
                (true, false) => "меньше",
            };
            Some(Stated::Stale { first: start, actual: Some(format!("{word} {number}")) })
        }
    }
}

enum Condition {
    None,
    Perhaps,
    Sure,
}

fn base_before(reading: &Reading, start: usize) -> Vec<String> {
    reading
        .bases
        .iter()
        .rev()
        .find(|b| b.place.last < start && b.place.last + 4 > start)
        .map(|b| b.what.clone())
        .unwrap_or_default()
}

/// The direction of the noun right before a condition (`a drop of more than 2.5%`).
fn direction_before(reading: &Reading, start: usize) -> Option<bool> {
    let clause = reading.tokens.get(start)?.clause;
    (start.saturating_sub(3)..start)
        .filter(|&i| reading.tokens[i].clause == clause)
        .find_map(|i| find(words::DIRECTIONS, &reading.tokens, i).map(|((up, _), _)| up))
}

/// Whether the words before `start` make the number a condition.
fn condition(reading: &Reading, num: &Num, start: usize) -> Condition {
    let tokens = &reading.tokens;
    let clause = tokens[num.place.first].clause;
    let skip = |mut at: usize| {
        while at > 0
            && ["a", "an", "the", "of", "в", "на", "points"]
                .contains(&tokens[at - 1].lower.as_str())
        {
            at -= 1;
        }
        at
    };
    let lead = skip(start);
    if lead == 0 {
        return Condition::None;
    }
    let noun = |at: usize| {
        ["threshold", "cutoff", "filter", "limit"].contains(&tokens[at].lower.as_str())
            || ["порог", "фильтр"].iter().any(|w| tokens[at].lower.starts_with(w))
    };
    if noun(lead - 1) || lead > 1 && has(words::COPULAS, tokens, lead - 1) && noun(lead - 2) {
        return Condition::Sure;
    }
    if num.bound.is_none() {
        return Condition::None;
    }
    let symbol = matches!(tokens[start].kind, super::lex::Kind::Punct(_));
    // The opener of a condition in the same clause, with no other number in between.
    let from = (0..lead).rev().take_while(|&i| {
        tokens[i].clause == clause && !reading.numbers.iter().any(|n| n.place.first == i)
    });
    let mut opener = None;
    for i in from {
        if has(words::CONDITIONS, tokens, i) {
            opener = Some(i);
            break;
        }
    }
    let within = |p: Place, from: usize| p.first >= from && p.last < start;
    let base_directly = reading.bases.iter().any(|b| b.place.last + 1 == lead);
    // `fell by more than 2.5%`
    let moved = direction_before(reading, start).is_some();
    if let Some(at) = opener {
        let strong = ["where", "when", "whose", "где", "когда"]
            .contains(&tokens[at].lower.as_str())
            || tokens[at].lower.starts_with("котор")
            || noun(at);
        let base = reading.bases.iter().any(|b| within(b.place, at))
            || direction_before(reading, start).is_some();
        let agg = reading.aggs.iter().any(|a| within(a.place, at));
        if strong || base && !agg {
            return Condition::Sure;
        }
    }
    let agg_before = reading.aggs.iter().any(|a| {
        a.place.last < lead && a.place.last + 4 >= lead && reading.clause(a.place) == clause
    });
    let verb =
        tokens[start].lower.starts_with("exceed") || tokens[start].lower.starts_with("превы");
    match (base_directly || symbol, agg_before || verb) {
        (true, false) if num.counted != Some(super::read::Counted::Rows) => Condition::Sure,
        (true, _) => Condition::Perhaps,
        (false, _) if moved => Condition::Perhaps,
        (false, _) => Condition::None,
    }
}

/// The mentions that only repeat the period of the results: a year, a quarter, a month, or one of the
/// two with its year.
pub(super) fn period_mentions(world: &World, reading: &Reading) -> Vec<bool> {
    let list = &reading.mentions;
    let mut out = vec![false; list.len()];
    let calendar = |m: &super::read::Mention| {
        matches!(m.axes.as_slice(), [Axis::Year | Axis::Quarter | Axis::Month | Axis::Date])
    };
    let all_are = |axis: &Axis, name: &Name, year: Option<i32>| {
        !world.views.is_empty()
            && world.views.iter().all(|view| {
                let keyed = [axis, &Axis::Date].iter().any(|axis| view.on_axis(axis).is_some());
                let days = view.days_of(axis, name, year).filter(|_| !keyed);
                days.and_then(|days| view.is_of(days)) == Some(true)
            })
    };
    for (i, m) in list.iter().enumerate().filter(|(_, m)| calendar(m)) {
        let [axis] = m.axes.as_slice() else { continue };
        // `Q2 2024`, `во втором квартале 2024 года`
        let beside = [i.checked_sub(1), i.checked_add(1)].into_iter().flatten().find_map(|j| {
            let year = list.get(j).filter(|y| y.axes == [Axis::Year] && *axis != Axis::Year)?;
            let near = year.place.first.abs_diff(m.place.last) <= 3
                || m.place.first.abs_diff(year.place.last) <= 3;
            let Name::Index(y) = year.name else { return None };
            near.then_some((j, i32::try_from(y).ok()?))
        });
        if let Some((j, year)) = beside
            && all_are(axis, &m.name, Some(year))
        {
            out[i] = true;
            out[j] = true;
        } else if beside.is_none() && all_are(axis, &m.name, None) {
            out[i] = true;
        }
    }
    out
}

/// First and last day of a period; an open end is not there.
pub(super) type Asked = (Option<chrono::NaiveDate>, Option<chrono::NaiveDate>);

/// The mentions of days that the queries did not ask for, each with the period that they had. Where
/// a result has such names for its rows, they name rows.
pub(super) fn other_periods(world: &World, reading: &Reading) -> Vec<(usize, Asked)> {
    let list = &reading.mentions;
    // The year beside a month or a quarter.
    let beside = |i: usize| {
        [i.checked_sub(1), i.checked_add(1)].into_iter().flatten().find_map(|j| {
            let year = list.get(j).filter(|y| y.axes == [Axis::Year])?;
            let (a, b) = (year.place, list[i].place);
            let near = a.first.abs_diff(b.last) <= 3 || b.first.abs_diff(a.last) <= 3;
            let Name::Index(y) = year.name else { return None };
            near.then_some((j, i32::try_from(y).ok()?))
        })
    };
    let apart = |i: usize| -> Option<Asked> {
        let m = &list[i];
        let [axis @ (Axis::Year | Axis::Quarter | Axis::Month | Axis::Date)] = m.axes.as_slice()
        else {
            return None;
        };
        let year = beside(i).filter(|_| *axis != Axis::Year).map(|(_, year)| year);
        let mut found = None;
        for view in &world.views {
            if [axis, &Axis::Date].into_iter().any(|axis| view.on_axis(axis).is_some()) {
                return None;
            }
            found = Some(view.apart(view.days_or_day(axis, &m.name, year)?)?);
        }
        found
    };
    let found: Vec<(usize, Asked)> = (0..list.len()).filter_map(|i| Some((i, apart(i)?))).collect();
    // `May 2023`: the year is what is wrong.
    let by_year = |i: usize| {
        list[i].axes != [Axis::Year]
            && beside(i).is_some_and(|(j, _)| found.iter().any(|(other, _)| *other == j))
    };
    found.iter().copied().filter(|(i, _)| !by_year(*i)).collect()
}

/// A period in words: a year, a month or a day where it is one, otherwise its ends.
pub(super) fn period_text((first, last): Asked, russian: bool) -> String {
    match (first, last) {
        (Some(a), Some(b)) if a == b => a.to_string(),
        (Some(a), Some(b)) => {
            let next = b.succ_opt().unwrap_or(b);
            let starts = a.day() == 1 && next.day() == 1;
            let months = (next.year() - a.year()) * 12 + next.month() as i32 - a.month() as i32;
            match months {
                12 if starts && a.month() == 1 => a.year().to_string(),
                1 if starts => a.format("%Y-%m").to_string(),
                _ => format!("{a} – {b}"),
            }
        }
        (Some(a), None) if russian => format!("с {a}"),
        (Some(a), None) => format!("since {a}"),
        (None, Some(b)) if russian => format!("по {b}"),
        (None, Some(b)) => format!("until {b}"),
        (None, None) => String::new(),
    }
}

/// Whether a date or a year of the text only repeats the period of the queries or of the table.
pub(super) fn states_period(
    world: &World,
    reading: &Reading,
    place: Place,
    axes: &[Axis],
    name: &Name,
) -> bool {
    let fits = |d: chrono::NaiveDate| match (axes, name) {
        ([Axis::Year], Name::Index(y)) => i64::from(d.year()) == *y,
        ([Axis::Date], said @ Name::Date(_)) => same(
            said,
            &Name::Date(DateText { year: Some(d.year()), month: d.month(), day: Some(d.day()) }),
        ),
        _ => false,
    };
    let number =
        |p: &Param| matches!((axes, name), ([Axis::Year], Name::Index(y)) if p.value == *y as f64);
    let before = reading.word_before(place.first);
    let end =
        ["from", "to", "since", "until", "till", "through", "between", "and", "с", "по", "до", "и"]
            .contains(&before)
            || reading
                .tokens
                .get(place.first.wrapping_sub(1))
                .is_some_and(|t| t.is('–') || t.is('-') || t.is('—'));
    // A year that names a row is that row, unless a word makes it an end of the period.
    let row = !end
        && world.views.iter().any(|v| {
            let at = axes.first().filter(|a| **a == Axis::Year).and_then(|a| v.on_axis(a));
            at.is_some_and(|at| !v.rows_named(at, name).is_empty())
        });
    if row {
        return false;
    }
    world.views.iter().any(|v| {
        v.dates.iter().any(|d| fits(*d))
            || v.params.iter().any(number)
            || end
                && v.outcome.query.schema().range.as_ref().is_some_and(|(a, b)| {
                    [a, b].into_iter().filter_map(crate::value::Value::date).any(fits)
                })
    })
}
