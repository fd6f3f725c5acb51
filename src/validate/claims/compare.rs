//! Claims that compare two groups in words, and words of change that turn the wrong way.

use super::bind::{Binder, Links, StatedParam};
use super::lex::is_cyrillic;
use super::link::{Item, Reach};
use super::order::{Ordered, about};
use super::read::{Mention, Num, Place, Reading};
use super::resolve::{About, Fact, Need, Rows, cell, measures, select};
use super::words::{self, Agg, find, has};
use super::world::{View, World};
use crate::validate::{FactRef, Verdict};

/// Words that stand before what something is held against.
const THAN: &[&str] = &["than", "чем", "compared", "versus", "vs", "against", "сравнению"];

/// Words before a comparison that lead to the second of the two: `Compared with Friday, …`.
const LEADS: &[&str] = &["compared", "versus", "unlike", "against", "сравнению", "отличие"];

/// Small words between a comparison and a name.
const SMALL: &[&str] = &[
    "than", "чем", "the", "on", "in", "of", "at", "в", "во", "у", "for", "that", "those", "на",
    "по", "с", "со", "with", "to", "from",
];

/// So many tokens may stand between a comparative and its `than`, and between that and the name.
const FAR: usize = 9;

/// Two names that are compared, as places in the mentions of a text, and by what.
struct Pair {
    place: Place,
    more: bool,
    opposite: &'static str,
    first: usize,
    second: usize,
    by: By,
}

/// What the words behind a comparative say that is compared.
#[derive(Debug, Clone, PartialEq)]
enum By {
    /// Nothing: what the clause measures.
    Open,
    /// A measure; it may also be counted (`more gaps than`).
    Base(Vec<String>, bool),
    /// Rows.
    Count,
    /// Something that nobody knows.
    Unknown,
}

struct Finder<'a> {
    reading: &'a Reading,
}

impl Finder<'_> {
    fn word(&self, at: usize) -> &str {
        self.reading.tokens.get(at).map_or("", |t| t.lower.as_str())
    }

    /// The tokens from `from` on that belong to the sentence of `at`, up to a number or a mark that
    /// ends a statement.
    fn run(&self, at: usize, from: usize, len: usize) -> std::ops::Range<usize> {
        let tokens = &self.reading.tokens;
        let sentence = tokens[at].sentence;
        let number = |i: usize| self.reading.numbers.iter().any(|n| n.place.first == i);
        let end = (from..(from + len).min(tokens.len()))
            .find(|&i| tokens[i].sentence != sentence || tokens[i].is(';') || number(i));
        from..end.unwrap_or((from + len).min(tokens.len()))
    }

    /// The first name that begins in a run of tokens.
    fn name_in(&self, range: std::ops::Range<usize>) -> Option<usize> {
        self.reading.mentions.iter().position(|m| range.contains(&m.place.first))
    }

    /// Another name on the same axis, the last in a run of tokens.
    fn other_in(&self, range: std::ops::Range<usize>, second: usize) -> Option<usize> {
        let b = &self.reading.mentions[second];
        self.reading.mentions.iter().rposition(|a| {
            range.contains(&a.place.first)
                && a.axes == b.axes
                && a.name != b.name
                && self.reading.sentence(a.place) == self.reading.sentence(b.place)
        })
    }

    /// A word of a measure or of an aggregate.
    fn measures(&self, at: usize) -> bool {
        self.reading.bases.iter().any(|b| (b.place.first..=b.place.last).contains(&at))
            || self.reading.aggs.iter().any(|a| (a.place.first..=a.place.last).contains(&at))
    }

    /// The two names of the comparison at a token, the one that is spoken of first; and where what is
    /// said of them ends.
    fn names(&self, at: usize, after: usize) -> Option<(usize, usize, usize)> {
        let reading = self.reading;
        // `behind B, though it has more than twice the visits`: that of another comparison.
        let own = |i: usize| i == after || !has(words::COMPARATIVES, &reading.tokens, i - 1);
        let than = self.run(at, after, FAR).find(|&i| THAN.contains(&self.word(i)) && own(i));
        if let Some(than) = than {
            let second = self.name_in(self.run(at, than + 1, FAR))?;
            let first =
                self.other_in(after..than, second).or_else(|| self.other_in(0..at, second))?;
            return Some((first, second, than));
        }
        // `выше пятницы`, `exceeds Friday`, `больше выручки Vkusno`
        let russian = is_cyrillic(self.word(at));
        let near = self
            .run(at, after, FAR)
            .take_while(|&i| {
                i == after
                    || reading.tokens[i - 1].is(',')
                    || SMALL.contains(&self.word(i - 1))
                    || russian && self.measures(i - 1)
            })
            .find(|&i| reading.mentions.iter().any(|m| m.place.first == i));
        if let Some(second) = near.and_then(|i| self.name_in(i..i + 1)) {
            // `longer on Mondays`: a name that only a preposition leads to is what is spoken of.
            return Some((self.other_in(0..at, second)?, second, after));
        }
        // `Compared with Friday, Monday was higher`
        let sentence = reading.tokens[at].sentence;
        let lead = (0..at).rev().take_while(|&i| reading.tokens[i].sentence == sentence);
        let lead = lead.into_iter().find(|&i| LEADS.contains(&self.word(i)))?;
        let second = self.name_in(lead + 1..(lead + 5).min(at))?;
        let last = reading.mentions[second].place.last;
        Some((self.other_in(last + 1..at, second)?, second, after))
    }

    /// What the words between a comparative and the names compare by.
    fn by(&self, after: usize, end: usize) -> By {
        let tokens = &self.reading.tokens;
        let mut unknown = false;
        for i in after..end {
            if self.reading.mentions.iter().any(|m| (m.place.first..=m.place.last).contains(&i)) {
                break;
            }
            if let Some(b) = self.reading.bases.iter().find(|b| b.place.first == i) {
                let amount =
                    ["more", "fewer", "less", "больше", "меньше"].contains(&self.word(after - 1));
                return By::Base(b.what.clone(), amount);
            }
            if words::counted(tokens, i).is_some() {
                return By::Count;
            }
            if let Some((_, hinted)) = self.reading.hints.iter().find(|(at, _)| *at == i) {
                return By::Base(hinted.clone(), false);
            }
            let known = !tokens[i].is_word()
                || SMALL.contains(&self.word(i))
                || ["overall", "again", "still", "even"].contains(&self.word(i))
                || has(words::PLAIN, tokens, i)
                || has(words::AGGS, tokens, i)
                || has(words::OVERALL, tokens, i)
                || has(words::COPULAS, tokens, i)
                || has(words::TOTAL, tokens, i);
            unknown |= !known;
        }
        if unknown { By::Unknown } else { By::Open }
    }

    fn pairs(&self) -> Vec<Pair> {
        let tokens = &self.reading.tokens;
        let mut out = Vec::new();
        for at in 0..tokens.len() {
            let Some(((more, opposite), len)) = find(words::COMPARATIVES, tokens, at) else {
                continue;
            };
            // `больше всего`: of all.
            if self.reading.superlatives.iter().any(|s| s.place.first == at) {
                continue;
            }
            // A number before the comparison makes it a difference, which is judged as one.
            let clause = tokens[at].clause;
            let before = |n: &Num| n.tail < at && n.tail + 4 > at;
            // `78 more orders`: the noun of the number lies behind.
            let around = |n: &Num| n.place.last < at && at <= n.tail;
            let differs = self
                .reading
                .numbers
                .iter()
                .any(|n| (before(n) || around(n)) && self.reading.clause(n.place) == clause);
            if differs {
                continue;
            }
            // `leave more often`: of a rate that no word names.
            if ["often", "likely", "frequently"].contains(&self.word(at + len)) {
                continue;
            }
            if let Some((first, second, end)) = self.names(at, at + len) {
                let place = Place { first: at, last: at + len - 1 };
                let by = self.by(at + len, end);
                // `more points than City: 89 against 86`: the numbers say what is compared.
                let sentence = tokens[at].sentence;
                let of = |n: &Num| self.reading.sentence(n.place) == sentence;
                if by == By::Unknown && self.reading.numbers.iter().any(of) {
                    continue;
                }
                out.push(Pair { place, more, opposite, first, second, by });
            }
        }
        out
    }
}

/// Judges `Monday is higher than Friday`.
pub(super) fn comparisons(
    world: &World,
    reading: &Reading,
    params: &[StatedParam],
) -> Vec<Ordered> {
    let tokens = &reading.tokens;
    let found = Finder { reading }.pairs();
    let items: Vec<Item> =
        found.iter().map(|f| Item { place: f.place, tail: f.place.last }).collect();
    let binder = Binder { world, reading, params, claims: &[], links: Links::new(reading, &[]) };
    let links = Links::new(reading, &items);
    let judged = found.iter().enumerate().map(|(i, pair)| {
        let place = pair.place;
        let mut need = binder.common(i, place, &links);
        let hinted = reading.hints.iter().any(|(at, _)| *at == place.first);
        let named = |reach: Option<Reach>| reach == Some(Reach::Clause);
        let firm = hinted
            || named(need.agg.map(|(_, reach)| reach))
            || named(need.base.as_ref().map(|(_, reach)| *reach))
            || matches!(pair.by, By::Count | By::Base(..));
        let alone = reading
            .mentions
            .iter()
            .filter(|m| reading.sentence(m.place) == reading.sentence(place))
            .count()
            == 2;
        if let Some((_, hinted)) = reading.hints.iter().find(|(at, _)| *at == place.first)
            && need.base.as_ref().is_none_or(|(b, _)| !b.iter().any(|b| hinted.contains(b)))
        {
            need.base = Some((hinted.clone(), Reach::Clause));
        }
        let mut needs = Vec::new();
        let count = Need { agg: Some((Agg::Count, Reach::Clause)), base: None, ..need.clone() };
        match &pair.by {
            By::Count => needs.push(count),
            By::Base(base, amount) => {
                let base = Some((base.clone(), Reach::Clause));
                needs.push(Need { base, ..need });
                if *amount {
                    needs.push(count);
                }
            }
            By::Open | By::Unknown => needs.push(need),
        }
        // What bears it out in one of two readings is meant so.
        let each: Vec<_> = needs.iter().map(|need| held(world, reading, pair, need)).collect();
        let whole = |v: &&Vec<(bool, FactRef)>| !v.is_empty() && v.iter().all(|v| v.0);
        let verdicts = match each.iter().find(whole) {
            Some(verdicts) => verdicts.clone(),
            None => each.concat(),
        };
        let negated = place.first > 0 && has(words::NOT, tokens, place.first - 1);
        let verdict = if verdicts.is_empty() || negated || pair.by == By::Unknown {
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
            listed: false,
            placed: true,
            firm: firm && alone,
            by: None,
            place,
            scope: (reading.mentions[pair.first].place, reading.mentions[pair.second].place),
            mention: None,
            verdict,
            actual: (verdict == Verdict::Contradicted).then(|| {
                let fewer = pair.opposite == "less" && pair.by == By::Count;
                if fewer { "fewer" } else { pair.opposite }.to_owned()
            }),
            right: None,
            said: fact.as_ref().map_or_else(String::new, |f| f.column.clone()),
            fact,
        }
    });
    judged.collect()
}

/// The names of the sentence on other axes than those that are compared: one for each.
fn beside(view: &View, reading: &Reading, pair: &Pair) -> Vec<About> {
    let first = &reading.mentions[pair.first];
    let sentence = reading.sentence(first.place);
    let all = || {
        reading.mentions.iter().filter(|m| {
            reading.sentence(m.place) == sentence
                && m.axes != first.axes
                && m.axes.iter().any(|a| view.on_axis(a).is_some())
        })
    };
    let alone = |m: &Mention| all().all(|o| o.axes != m.axes || o.name == m.name);
    all().filter(|m| alone(m)).map(|m| about(m, Reach::Clause)).collect()
}

/// Whether each measure that a comparison may be of bears it out.
fn held(world: &World, reading: &Reading, pair: &Pair, need: &Need) -> Vec<(bool, FactRef)> {
    let mut out: Vec<(bool, FactRef)> = Vec::new();
    for (v, view) in world.views.iter().enumerate() {
        let others = beside(view, reading, pair);
        if need.views.as_ref().is_some_and(|(list, r)| !list.contains(&v) && *r != Reach::Before) {
            continue;
        }
        let open = need.agg.is_none();
        let sorted = view.outcome.query.sort().first().map(|k| k.text.as_str());
        let mut found = measures(view, need);
        if open && found.iter().any(|(m, _)| Some(m.name.as_str()) == sorted) {
            found.retain(|(m, _)| Some(m.name.as_str()) == sorted);
        }
        for (m, _) in found {
            let all = |mention: usize| {
                let mut names = others.clone();
                names.push(about(&reading.mentions[mention], Reach::Clause));
                match select(view, &names) {
                    Some((Rows::Some(rows), _)) => {
                        rows.iter().filter_map(|r| cell(view, m, *r)).collect()
                    }
                    _ => Vec::new(),
                }
            };
            // Of several keys, each row stands against that of the same other keys.
            let (xs, ys) = (all(pair.first), all(pair.second));
            let apart = |x: &Fact, y: &Fact| {
                let pairs = x.source.key.iter().zip(&y.source.key);
                pairs.filter(|(a, b)| a != b).count() <= 1
            };
            for x in &xs {
                for y in ys.iter().filter(|y| xs.len() + ys.len() == 2 || apart(x, y)) {
                    let holds = (x.value > y.value) == pair.more && x.value != y.value;
                    out.push((holds, x.source.clone()));
                }
            }
        }
    }
    out
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
            listed: false,
            placed: true,
            firm: false,
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
