//! Claims that compare two groups in words, and words of change that turn the wrong way.

use super::bind::{Binder, Links, StatedParam};
use super::link::{Item, Reach};
use super::order::{Ordered, about};
use super::read::{Place, Reading};
use super::resolve::{Fact, Rows, cell, measures, select};
use super::words::{self, find, has};
use super::world::World;
use crate::validate::{FactRef, Verdict};

/// Judges `Monday is higher than Friday`.
pub(super) fn comparisons(
    world: &World,
    reading: &Reading,
    params: &[StatedParam],
) -> Vec<Ordered> {
    let tokens = &reading.tokens;
    let mut found: Vec<(Place, bool, &'static str, usize, usize)> = Vec::new();
    for at in 0..tokens.len() {
        let Some(((more, opposite), len)) = find(words::COMPARATIVES, tokens, at) else { continue };
        let after = at + len;
        let small = |t: usize| {
            tokens[t].is(',')
                || ["than", "чем", "the", "on", "in", "of", "в", "во", "у", "for", "that"]
                    .contains(&tokens[t].lower.as_str())
        };
        let second = (after..(after + 5).min(tokens.len()))
            .take_while(|t| *t == after || small(*t - 1))
            .find_map(|t| reading.mentions.iter().position(|m| m.place.first == t));
        let Some(second) = second else { continue };
        let b = &reading.mentions[second];
        // A number before the comparison makes it a difference, which is judged as one.
        let clause = tokens[at].clause;
        if reading
            .numbers
            .iter()
            .any(|n| n.tail < at && n.tail + 4 > at && reading.clause(n.place) == clause)
        {
            continue;
        }
        let first = reading.mentions.iter().rposition(|a| {
            a.place.last < at
                && a.axes == b.axes
                && a.name != b.name
                && reading.sentence(a.place) == reading.sentence(b.place)
        });
        if let Some(first) = first {
            found.push((Place { first: at, last: at + len - 1 }, more, opposite, first, second));
        }
    }
    let items: Vec<Item> = found.iter().map(|f| Item { place: f.0, tail: f.0.last }).collect();
    let binder = Binder { world, reading, params, claims: &[], links: Links::new(reading, &[]) };
    let links = Links::new(reading, &items);
    found
        .iter()
        .enumerate()
        .map(|(i, &(place, more, opposite, first, second))| {
            let mut need = binder.common(i, place, &links);
            if let Some((_, hinted)) = reading.hints.iter().find(|(at, _)| *at == place.first)
                && need.base.as_ref().is_none_or(|(b, _)| !b.iter().any(|b| hinted.contains(b)))
            {
                need.base = Some((hinted.clone(), Reach::Clause));
            }
            let mut verdicts: Vec<(bool, FactRef)> = Vec::new();
            for (v, view) in world.views.iter().enumerate() {
                if need
                    .views
                    .as_ref()
                    .is_some_and(|(list, r)| !list.contains(&v) && *r != Reach::Before)
                {
                    continue;
                }
                let open = need.base.is_none() && need.agg.is_none();
                let sorted = view.outcome.query.sort().first().map(|k| k.text.as_str());
                let mut found = measures(view, &need);
                if open && found.iter().any(|(m, _)| Some(m.name.as_str()) == sorted) {
                    found.retain(|(m, _)| Some(m.name.as_str()) == sorted);
                }
                for (m, _) in found {
                    let all = |mention: usize| {
                        let about = about(&reading.mentions[mention], Reach::Clause);
                        match select(view, &[about]) {
                            Some((Rows::Some(rows), _)) => {
                                rows.iter().filter_map(|r| cell(view, m, *r)).collect()
                            }
                            _ => Vec::new(),
                        }
                    };
                    // Of several keys, each row stands against that of the same other keys.
                    let (xs, ys) = (all(first), all(second));
                    let apart = |x: &Fact, y: &Fact| {
                        let pairs = x.source.key.iter().zip(&y.source.key);
                        pairs.filter(|(a, b)| a != b).count() <= 1
                    };
                    for x in &xs {
                        for y in ys.iter().filter(|y| xs.len() + ys.len() == 2 || apart(x, y)) {
                            let holds = (x.value > y.value) == more && x.value != y.value;
                            verdicts.push((holds, x.source.clone()));
                        }
                    }
                }
            }
            let negated = place.first > 0 && has(words::NOT, tokens, place.first - 1);
            let verdict = if verdicts.is_empty() || negated {
                Verdict::Unverifiable
            } else if verdicts.iter().all(|v| v.0) {
                Verdict::Verified
            } else if verdicts.iter().any(|v| v.0) {
                Verdict::Unverifiable
            } else {
                Verdict::Contradicted
            };
            let fact = verdicts.into_iter().next().map(|v| v.1);
            Ordered {
                by: None,
                place,
                scope: (reading.mentions[first].place, reading.mentions[second].place),
                mention: None,
                verdict,
                actual: (verdict == Verdict::Contradicted).then(|| opposite.to_owned()),
                right: None,
                said: fact.as_ref().map_or_else(String::new, |f| f.column.clone()),
                fact,
            }
        })
        .collect()
}

/// Finds words of change that turn the wrong way: `rose from 18 to 15`.
pub(super) fn turns(reading: &Reading) -> Vec<Ordered> {
    let tokens = &reading.tokens;
    let mut out = Vec::new();
    for at in 0..tokens.len() {
        let Some(((up, opposite), len)) = find(words::DIRECTIONS, tokens, at) else { continue };
        // `The falls ranged from 1.1 to 2.3`: a noun.
        let noun = tokens.get(at + len).is_some_and(|t| {
            t.lower.starts_with("rang")
                || ["vary", "varied", "lie", "lay"].contains(&t.lower.as_str())
        });
        if noun {
            continue;
        }
        let sentence = tokens[at].sentence;
        let own = |n: &&super::read::Num| {
            reading.sentence(n.place) == sentence && n.bound.is_none() && n.place.first > at
        };
        let led = |n: &&super::read::Num, words: &[&str]| {
            words.contains(&reading.word_before(n.place.first))
        };
        let from = reading.numbers.iter().filter(own).find(|n| led(n, &["from", "с", "со", "от"]));
        let to = reading.numbers.iter().filter(own).find(|n| led(n, &["to", "до"]));
        // Another word of change in between speaks for itself.
        let (Some(a), Some(b)) = (from, to) else { continue };
        let end = a.place.first.max(b.place.first);
        let other = (at + len..end).any(|i| find(words::DIRECTIONS, tokens, i).is_some());
        let alike = a.number.percent == b.number.percent;
        if other || !alike || end > at + 24 || (b.number.value > a.number.value) == up {
            continue;
        }
        let place = Place { first: at, last: at + len - 1 };
        out.push(Ordered {
            by: None,
            place,
            scope: (place, place),
            mention: None,
            verdict: Verdict::Contradicted,
            actual: opposite.map(str::to_owned),
            right: None,
            fact: None,
            said: "the order of the two values".to_owned(),
        });
    }
    out
}
