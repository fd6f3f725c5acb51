//! Places in an order that no number stands by: who is among the first three, who ranks third, who
//! comes last.

use super::bind::{Binder, Links, StatedParam};
use super::lex::{Kind, Token};
use super::link::{Item, Reach};
use super::names::{name_of, same};
use super::order::Ordered;
use super::places::{GOES, led, said_ranks};
use super::rank::{ends, largest, ranked};
use super::read::{End, Mark, Mention, Num, Place, Reading, Superlative};
use super::resolve::{Need, cell, measures};
use super::told::{asked, key_of};
use super::words::{self, find, has};
use super::world::{Measure, View, World};
use crate::validate::Verdict;

/// Most places that a text lists the names of.
const MOST: usize = 12;

/// Starts of words for so many that stand together.
const SIZES: &[(&str, usize)] =
    &[("двойк", 2), ("тройк", 3), ("четверк", 4), ("пятерк", 5), ("шестерк", 6), ("десятк", 10)];

/// Words of the last place.
const LAST: &[&str] = &["last", "bottom"];

/// Ordinals and words of the last place that are said of a group, as superlatives: `Kuper ranks
/// third`, `Kuper — второй по выручке`.
pub(super) fn ranks(reading: &Reading) -> Vec<Mark<Superlative>> {
    let tokens = &reading.tokens;
    let mark = |place: Place, most: bool, rank: usize| Mark {
        place,
        what: Superlative {
            most,
            rank,
            odd: false,
            adjective: true,
            negated: (place.first.saturating_sub(2)..place.first)
                .any(|i| has(words::NOT, tokens, i)),
            fall: false,
            end: End::Leads,
            speed: false,
        },
    };
    let mut out: Vec<Mark<Superlative>> =
        said_ranks(reading).into_iter().map(|(place, rank)| mark(place, true, rank)).collect();
    for (i, token) in tokens.iter().enumerate() {
        if is_first(reading, i, token) {
            out.push(mark(Place { first: i, last: i }, true, 1));
        }
        let idiom = find(words::PLACES, tokens, i).filter(|_| !is_of_places(tokens, i));
        let idiom = idiom.map(|((most, rank), len)| (most, rank, i + len - 1));
        let one = || top_one(tokens, i).map(|last| (true, 1, last));
        if let Some((most, rank, last)) = idiom.or_else(one) {
            out.push(mark(Place { first: i, last }, most, rank));
            continue;
        }
        let last = LAST.contains(&token.lower.as_str()) || token.lower.starts_with("последн");
        let own = reading.superlatives.iter().any(|s| (s.place.first..=s.place.last).contains(&i));
        // `последним идет Kuper`
        let goes = tokens
            .get(i + 1)
            .is_some_and(|t| t.clause == token.clause && GOES.contains(&t.lower.as_str()));
        if last && !own && (goes || led(reading, i, token)) {
            out.push(mark(Place { first: i, last: i }, false, 1));
        }
    }
    out.sort_by_key(|m| m.place.first);
    out
}

/// `at the top of the hour`, `three-time champion`: words of a place that say something else.
fn is_of_places(tokens: &[Token], i: usize) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |t| t.lower.as_str());
    let of = ["hour", "page", "day", "month", "year", "range", "market", "часа", "страницы"];
    word(i) == "at" && (i + 3..i + 7).any(|at| of.contains(&word(at)) && word(at - 2) == "of")
}

/// `Топ-1`, `№ 1`: the last token of the words for the first place.
fn top_one(tokens: &[Token], i: usize) -> Option<usize> {
    let token = &tokens[i];
    let said = ["top", "топ", "number", "номер"].contains(&token.lower.as_str()) || token.is('№');
    let at = i + 1 + usize::from(tokens.get(i + 1).is_some_and(|t| t.is('-')));
    let next = tokens.get(at).filter(|t| t.sentence == token.sentence)?;
    let one = matches!(&next.kind, Kind::Number(n) if n.value == 1.0 && n.decimals == 0);
    (said && one).then_some(at)
}

/// `Kuper comes first`, `the first place went to Kuper`, `на первом месте Kuper`: a place in an order, and
/// not a time.
fn is_first(reading: &Reading, i: usize, token: &Token) -> bool {
    let tokens = &reading.tokens;
    if words::rank(tokens, i) != Some(1) || words::is_part(tokens, i) || !led(reading, i, token) {
        return false;
    }
    let own = reading.superlatives.iter().any(|s| (s.place.first..=s.place.last).contains(&i));
    let next = tokens.get(i + 1).filter(|t| t.clause == token.clause);
    let place = next.is_some_and(|t| t.lower == "place" || t.lower.starts_with("мест"));
    let verbs = ["comes", "come", "came", "ranks", "rank", "ranked", "finished", "placed"];
    // `In the first place, …` opens an argument.
    let argues = tokens.get(i + 2).is_some_and(|t| t.is(','))
        && i.checked_sub(2).is_some_and(|at| tokens[at].lower == "in");
    // `Первым идет Kuper`
    let goes = next.is_some_and(|t| GOES.contains(&t.lower.as_str()));
    !own && (place && !argues || goes || verbs.contains(&reading.word_before(i)))
}

/// Those of sentences without a number: elsewhere the place is held against that.
pub(super) fn places(reading: &Reading) -> Vec<Mark<Superlative>> {
    let number = |m: &Mark<Superlative>| {
        let sentence = reading.sentence(m.place);
        let own = |n: &Num| (m.place.first..=m.place.last).contains(&n.place.first);
        reading.numbers.iter().any(|n| reading.sentence(n.place) == sentence && !own(n))
    };
    let mut out = ranks(reading);
    out.retain(|m| !number(m));
    out
}

/// `The top 3 are A, B and C`, `the two highest are A and B`: where it stands, how many, and which
/// end.
fn lists(reading: &Reading) -> Vec<(Place, usize, Superlative)> {
    let tokens = &reading.tokens;
    let size = |at: usize| match &tokens.get(at)?.kind {
        Kind::Number(n) if n.decimals == 0 && !n.percent => Some(n.value as usize),
        _ => find(words::SPELLED, tokens, at).map(|(n, _)| n as usize),
    };
    let plain = |most: bool, end: End| Superlative {
        most,
        rank: 1,
        odd: false,
        adjective: true,
        negated: false,
        fall: false,
        end,
        speed: false,
    };
    let mut out = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let most = match token.lower.as_str() {
            "top" | "топ" => true,
            "bottom" => false,
            _ => continue,
        };
        let hyphen = usize::from(tokens.get(i + 1).is_some_and(|t| t.is('-')));
        if let Some(n) = size(i + 1 + hyphen) {
            let place = Place { first: i, last: i + 1 + hyphen };
            out.push((place, n, plain(most, End::Leads)));
        }
    }
    // `тройка лидеров: A, B, C`
    for (i, token) in tokens.iter().enumerate() {
        let starts = |at: Option<usize>, list: &[&str]| {
            let other = at.and_then(|at| tokens.get(at)).filter(|t| t.sentence == token.sentence);
            other.is_some_and(|t| list.iter().any(|start| t.lower.starts_with(start)))
        };
        let size = SIZES.iter().find(|(start, _)| token.lower.starts_with(start));
        let Some((_, n)) = size else { continue };
        let behind = starts(Some(i + 1), &["лидер"]);
        let before = starts(i.checked_sub(1), &["перв", "лидир", "ведущ", "топ"]);
        if behind || before {
            let last = i + usize::from(behind);
            out.push((Place { first: i, last }, *n, plain(true, End::Leads)));
        }
    }
    for s in &reading.superlatives {
        let s_at = s.place.first;
        let before = s_at.checked_sub(1).filter(|&i| tokens[i].sentence == tokens[s_at].sentence);
        if s.what.odd || s.what.negated || s.what.rank > 1 {
            continue;
        }
        if let Some((at, n)) = before.and_then(|i| Some((i, size(i)?))) {
            out.push((Place { first: at, last: s.place.last }, n, s.what));
        }
    }
    out.retain(|(_, n, _)| (2..=MOST).contains(n));
    out
}

/// Judges the names that are said to be the first of an order.
pub(super) fn members(
    world: &World,
    reading: &Reading,
    params: &[StatedParam],
    from: usize,
) -> Vec<Ordered> {
    let lists = lists(reading);
    let items: Vec<Item> =
        lists.iter().map(|(place, ..)| Item { place: *place, tail: place.last }).collect();
    let binder = Binder { world, reading, params, claims: &[], links: Links::new(reading, &[]) };
    let links = Links::new(reading, &items);
    let mut out = Vec::new();
    for (i, (place, n, what)) in lists.iter().enumerate() {
        let mut need = binder.common(i, *place, &links);
        // What an earlier sentence measured may be something else.
        need.agg = need.agg.filter(|(_, r)| *r != Reach::Before);
        need.base = need.base.filter(|(_, r)| *r != Reach::Before);
        if let Some((_, hinted)) = reading.hints.iter().find(|(h, _)| *h == place.last) {
            need.base = Some((hinted.clone(), Reach::Clause));
        }
        for (v, view) in world.views.iter().enumerate() {
            let other = need
                .views
                .as_ref()
                .is_some_and(|(list, r)| !list.contains(&v) && *r != Reach::Before);
            if !other {
                let asked = asked(&binder, view, from);
                out.extend(of_view(view, reading, (&need, asked), (*place, *n, *what)));
            }
        }
    }
    // Of several results that have the names, the one that bears them out is meant.
    let good = |o: &Ordered| o.verdict == Verdict::Verified;
    let right: Vec<Option<usize>> = out.iter().filter(|o| good(o)).map(|o| o.mention).collect();
    out.retain(|o| good(o) || !right.contains(&o.mention));
    out
}

fn of_view(
    view: &View,
    reading: &Reading,
    (need, asked): (&Need, Option<&Measure>),
    (place, n, what): (Place, usize, Superlative),
) -> Vec<Ordered> {
    let sentence = reading.sentence(place);
    let here = |m: &&Mention| reading.sentence(m.place) == sentence;
    let key = reading.mentions.iter().filter(here).find_map(|m| key_of(view, m));
    let Some((key, name)) = key.and_then(|at| Some((at, view.names.get(at)?))) else {
        return Vec::new();
    };
    let said: Vec<usize> = (0..reading.mentions.len())
        .filter(|&m| {
            let m = &reading.mentions[m];
            reading.sentence(m.place) == sentence && m.axes.contains(&name.axis)
        })
        .collect();
    let mut distinct: Vec<_> = said.iter().map(|&m| &reading.mentions[m].name).collect();
    distinct.dedup();
    let rows = view.outcome.rows.len();
    // So many names in a row, all on one side of the words.
    let before = said.iter().all(|&m| reading.mentions[m].place.last < place.first);
    let after = said.iter().all(|&m| reading.mentions[m].place.first > place.last);
    if said.len() != n || distinct.len() != n || n >= rows || !(before || after) {
        return Vec::new();
    }
    let rows_of = |m: usize| view.rows_named(key, &reading.mentions[m].name);
    if said.iter().any(|&m| rows_of(m).len() != 1) {
        return Vec::new();
    }
    let open = need.base.is_none() && need.agg.is_none();
    let wide = Need { any: true, ..need.clone() };
    let list = measures(view, if open { &wide } else { need });
    let mut tried: Vec<(&Measure, Vec<bool>, bool)> = Vec::new();
    for (m, _) in list {
        for most in ends(view, m, what) {
            let most = largest(view, m, None, Superlative { most, ..what });
            // A limit keeps only the end that the result was sorted by.
            let key = view.outcome.query.sort().first();
            if view.cut() && !key.is_some_and(|k| k.text == m.name && k.descending == most) {
                continue;
            }
            let Some((_, edge)) = ranked(view, m, None, most, n) else { continue };
            let numbers = view.numbers(m.column);
            let within = |m: &usize| {
                let row = rows_of(*m).first().copied().unwrap_or_default();
                numbers.get(row).is_some_and(|x| if most { *x >= edge } else { *x <= edge })
            };
            tried.push((m, said.iter().map(within).collect(), most));
        }
    }
    let Some(first) = tried.first() else { return Vec::new() };
    let whole = tried.iter().find(|(_, within, _)| within.iter().all(|w| *w));
    // Where no measure bears them all out: what is asked for, or sorted by.
    let mut meant = tried.iter().filter(|(m, ..)| asked.is_some_and(|a| a.column == m.column));
    let sorted = view.outcome.query.sort().first();
    let meant = meant.next().filter(|(m, ..)| {
        meant.next().is_none() && (open || sorted.is_some_and(|key| key.text == m.name))
    });
    let (m, within, most) = whole.or(meant).unwrap_or(first);
    let wrong = within.iter().filter(|w| !**w).count();
    // The only name that is missing.
    let missing = || {
        let held = |row: usize| said.iter().any(|&m| rows_of(m).contains(&row));
        let mut rows = (1..=n).filter_map(|k| ranked(view, m, None, *most, k)).flat_map(|r| r.0);
        let row = rows.find(|r| !held(*r))?;
        let value = view.outcome.value(row, name.column);
        Some((name_of(&name.axis, &value)?, value))
    };
    let sure = (!open && tried.len() == 1 || meant.is_some()) && wrong == 1;
    let made = said.iter().zip(within).map(|(&at, within)| {
        let mention = &reading.mentions[at];
        let right = missing().filter(|_| !within && sure);
        let row = rows_of(at).first().copied();
        Ordered {
            listed: true,
            placed: true,
            firm: false,
            by: None,
            place: mention.place,
            scope: (place, mention.place),
            mention: Some(at),
            verdict: match (within, &right) {
                (true, _) => Verdict::Verified,
                (false, Some(_)) => Verdict::Contradicted,
                (false, None) => Verdict::Unverifiable,
            },
            actual: right.as_ref().map(|(_, value)| super::resolve::shown(value)),
            right: right.map(|(name, _)| name).filter(|right| !same(&mention.name, right)),
            fact: row.and_then(|row| cell(view, m, row)).map(|f| f.source),
            said: m.name.clone(),
        }
    });
    made.collect()
}
