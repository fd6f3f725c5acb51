//! Words of change that no number stands by: `spending rose from March to April`. The two names of
//! one axis give two cells, and the calendar their order. And the word of change before a number that
//! one arrives at.

use super::bind::{Binder, Links, StatedParam};
use super::link::{Item, Reach};
use super::names::{Axis, calendar_order};
use super::order::{Ordered, about};
use super::read::{Mention, Num, Place, Reading};
use super::resolve::{About, Fact, Need, Rows, cell, measures, select};
use super::sides::is_noun;
use super::words::{self, find, has};
use super::world::{View, World};
use crate::validate::{FactRef, Verdict};

/// Starts of words that say a change of every step.
const STEADY: &[&str] = &[
    "kept",
    "keeps",
    "steadily",
    "constantly",
    "continuously",
    "только",
    "постоянно",
    "непрерывно",
    "неуклонно",
];

/// A word of change, the two names between which it is said, and the other names of its sentence.
struct Move<'r> {
    place: Place,
    up: bool,
    /// It is said of every step between the two: `kept growing`.
    steady: bool,
    opposite: Option<&'static str>,
    ends: (&'r Mention, &'r Mention),
    others: Vec<About>,
}

/// Judges every word of change between two names that no number is said of.
pub(super) fn moves(world: &World, reading: &Reading, params: &[StatedParam]) -> Vec<Ordered> {
    let found: Vec<Move> =
        (0..reading.tokens.len()).filter_map(|at| at_token(world, reading, at)).collect();
    let items: Vec<Item> =
        found.iter().map(|f| Item { place: f.place, tail: f.place.last }).collect();
    let binder = Binder { world, reading, params, claims: &[], links: Links::new(reading, &[]) };
    let links = Links::new(reading, &items);
    let judged = found.iter().enumerate().filter_map(|(i, found)| {
        let need = binder.common(i, found.place, &links);
        let mut verdicts: Vec<(Option<bool>, FactRef)> = Vec::new();
        for (v, view) in world.views.iter().enumerate() {
            let other = need
                .views
                .as_ref()
                .is_some_and(|(list, r)| !list.contains(&v) && *r != Reach::Before);
            if !other {
                verdicts.extend(held(view, found, &need));
            }
        }
        let verdict = if verdicts.is_empty() {
            return None;
        } else if verdicts.iter().all(|v| v.0 == Some(true)) {
            Verdict::Verified
        } else if found.opposite.is_none() || verdicts.iter().any(|v| v.0 != Some(false)) {
            // Several measures, of which some moved otherwise, or not at all.
            Verdict::Unverifiable
        } else {
            Verdict::Contradicted
        };
        let fact = verdicts.into_iter().next().map(|v| v.1);
        let actual = found.opposite.filter(|_| verdict == Verdict::Contradicted);
        let (a, b) = (found.ends.0.place, found.ends.1.place);
        let scope = (
            if a.first < found.place.first { a } else { found.place },
            if b.first > found.place.first { b } else { found.place },
        );
        let named = |reach: Option<Reach>| reach == Some(Reach::Clause);
        let firm = named(need.agg.map(|(_, reach)| reach))
            || named(need.base.as_ref().map(|(_, reach)| *reach));
        Some(Ordered {
            listed: false,
            placed: true,
            firm,
            by: None,
            place: found.place,
            scope,
            mention: None,
            verdict,
            actual: actual.map(str::to_owned),
            right: None,
            said: fact.as_ref().map_or_else(String::new, |f| f.column.clone()),
            fact,
        })
    });
    judged.collect()
}

/// A calendar axis, along which there is a change.
fn in_time(axis: &Axis) -> bool {
    matches!(axis, Axis::Month | Axis::Year | Axis::Quarter | Axis::Date | Axis::Weekday)
}

fn at_token<'r>(world: &World, reading: &'r Reading, at: usize) -> Option<Move<'r>> {
    let tokens = &reading.tokens;
    let ((up, opposite), len) = find(words::DIRECTIONS, tokens, at)?;
    let place = Place { first: at, last: at + len - 1 };
    let within = |p: Place| (p.first..=p.last).contains(&at);
    let named = reading.bases.iter().any(|b| within(b.place))
        || reading.mentions.iter().any(|m| within(m.place))
        || reading.superlatives.iter().any(|s| within(s.place));
    let negated = (at.saturating_sub(2)..at).any(|i| has(words::NOT, tokens, i));
    // `fell on Monday`, `came to`: words that only tie a name to a value.
    let sentence = tokens[at].sentence;
    let number = reading.numbers.iter().any(|n| reading.sentence(n.place) == sentence);
    let other = (0..tokens.len()).any(|i| {
        i != at && tokens[i].sentence == sentence && find(words::DIRECTIONS, tokens, i).is_some()
    });
    // `A rose more than B`: a change of each.
    let compared = (at..(at + 4).min(tokens.len()))
        .any(|i| tokens[i].sentence == sentence && has(words::COMPARATIVES, tokens, i));
    if named || negated || number || other || compared || is_noun(&tokens[at].lower) {
        return None;
    }
    let of = |m: &&Mention| reading.sentence(m.place) == sentence;
    let known = |m: &Mention| {
        world.views.iter().any(|v| m.axes.iter().any(|a| in_time(a) && v.on_axis(a).is_some()))
    };
    let mut spans = reading.spans.iter().filter(|(a, b)| of(&a) && known(a) && known(b));
    let mut timed: Vec<&Mention> =
        reading.mentions.iter().filter(of).filter(|m| known(m)).collect();
    timed.dedup_by(|a, b| a.name == b.name);
    let ends = match (spans.next(), spans.next(), timed.as_slice()) {
        (Some((a, b)), None, []) => (a, b),
        (None, None, [a, b]) if a.axes == b.axes => (*a, *b),
        _ => return None,
    };
    let others = reading.mentions.iter().filter(of).filter(|m| !known(m));
    let others = others.map(|m| about(m, Reach::Clause)).collect();
    let before = at.saturating_sub(2)..at;
    let steady = before.into_iter().any(|i| {
        tokens[i].sentence == sentence
            && STEADY.iter().any(|start| tokens[i].lower.starts_with(start))
    });
    Some(Move { place, up, steady, opposite, ends, others })
}

/// Whether each measure that the change may be of bears it out in a result; none, where it stayed.
fn held(view: &View, found: &Move, need: &Need) -> Vec<(Option<bool>, FactRef)> {
    let mut out = Vec::new();
    let (a, b) = found.ends;
    let Some(at) = a.axes.iter().find_map(|x| view.on_axis(x)) else { return out };
    let Some(axis) = view.names.get(at) else { return out };
    let sorted = view.outcome.query.sort().first().map(|k| k.text.as_str());
    let mut list = measures(view, need);
    let open = need.base.is_none() && need.agg.is_none();
    if open && list.iter().any(|(m, _)| Some(m.name.as_str()) == sorted) {
        list.retain(|(m, _)| Some(m.name.as_str()) == sorted);
    }
    let row = |m: &Mention| {
        let mut names = found.others.clone();
        names.push(about(m, Reach::Clause));
        match select(view, &names)? {
            (Rows::Some(rows), _) if rows.len() == 1 => rows.first().copied(),
            _ => None,
        }
    };
    let (Some(a), Some(b)) = (row(a), row(b)) else { return out };
    let day = |row: usize| view.outcome.value(row, axis.column);
    let (first, second) =
        if calendar_order(&axis.axis, &day(a), &day(b)).is_lt() { (a, b) } else { (b, a) };
    // The rows in between, in the order of the calendar.
    let within = |row: &usize| {
        let from = calendar_order(&axis.axis, &day(first), &day(*row));
        from.is_lt() && calendar_order(&axis.axis, &day(*row), &day(second)).is_lt()
    };
    let mut steps = vec![first];
    if found.steady {
        let mut between: Vec<usize> = match select(view, &found.others) {
            Some((Rows::Some(rows), _)) => rows.iter().copied().filter(within).collect(),
            _ => (0..view.outcome.rows.len()).filter(within).collect(),
        };
        between.sort_by(|a, b| calendar_order(&axis.axis, &day(*a), &day(*b)));
        steps.extend(between);
    }
    steps.push(second);
    for (m, _) in list {
        let values: Option<Vec<Fact>> = steps.iter().map(|&row| cell(view, m, row)).collect();
        let Some(values) = values else { continue };
        let turned = |up: bool| {
            values
                .windows(2)
                .all(|pair| pair[0].value != pair[1].value && (pair[1].value > pair[0].value) == up)
        };
        let bears = if turned(found.up) { Some(true) } else { turned(!found.up).then_some(false) };
        out.extend(values.into_iter().last().map(|y| (bears, y.source)));
    }
    out
}

/// `rose to 455 in April`, which is less than March had.
pub(super) fn turned(binder: &Binder, num: &Num, fact: &Fact) -> bool {
    let reading = binder.reading;
    let tokens = &reading.tokens;
    let first = num.place.first;
    let clause = reading.clause(num.place);
    if !["to", "до"].contains(&reading.word_before(first)) || fact.formula.is_some() {
        return false;
    }
    // `up to 20` is a maximum.
    if first >= 2 && tokens[first - 2].lower == "up" {
        return false;
    }
    let said = (first.saturating_sub(5)..first)
        .filter(|&i| tokens[i].clause == clause)
        .find_map(|i| find(words::DIRECTIONS, tokens, i).map(|((up, _), _)| up));
    let sentence = reading.sentence(num.place);
    let alone = !reading.numbers.iter().any(|n| {
        n.place != num.place
            && reading.sentence(n.place) == sentence
            && ["from", "с", "со", "от"].contains(&reading.word_before(n.place.first))
    });
    let before = binder.world.views.iter().find_map(|v| previous(v, fact));
    said.zip(before)
        .is_some_and(|(up, before)| alone && before != fact.value && (fact.value > before) != up)
}

/// The value before that of a fact, in the order of the calendar.
fn previous(view: &View, fact: &Fact) -> Option<f64> {
    let row = fact.source.row.filter(|_| view.outcome.id == fact.source.result)?;
    let column = view.measures.iter().find(|m| m.name == fact.source.column)?.column;
    let [name] = view.names.as_slice() else { return None };
    let calendar = matches!(name.axis, Axis::Month | Axis::Year | Axis::Quarter | Axis::Date);
    let at = |r: usize| view.outcome.value(r, name.column);
    let order = |a: usize, b: usize| calendar_order(&name.axis, &at(a), &at(b));
    let before = (0..view.outcome.rows.len())
        .filter(|&r| calendar && order(r, row).is_lt())
        .max_by(|a, b| order(*a, *b))?;
    view.outcome.value(before, column).as_f64()
}
