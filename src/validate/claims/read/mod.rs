//! What a text mentions: numbers, names of groups, aggregates, measures, superlatives, with the
//! words around each number that say how to take it.

mod around;
mod literal;
mod names;

use super::lex::{Kind, Stems, Token, tokens};
use super::names::{Axis, Name};
use super::number::{Number, Sign};
use super::words::{self, Agg, find, has};
use super::world::{World, name_words};

/// A run of tokens, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// First token.
    pub first: usize,
    /// Last token.
    pub last: usize,
}

/// A name of a group in the text. A text value may lie on several axes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mention {
    /// Where.
    pub place: Place,
    /// On which axes.
    pub axes: Vec<Axis>,
    /// The name.
    pub name: Name,
}

/// What kind of thing a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// Rows, by a word that can mean nothing else (`17 days`).
    Rows,
    /// Perhaps rows (`17 gaps`).
    Perhaps,
    /// Groups (`5 weekdays`).
    Groups,
}

/// Its part in `80 of 500`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// The 80.
    Numerator,
    /// The 500, with the number of the 80.
    Denominator(usize),
}

/// A number of the text and the words around it.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Num {
    /// Where the number itself stands.
    pub place: Place,
    /// The last token that belongs to it: unit, counted noun.
    pub tail: usize,
    /// Its value and style.
    pub number: Number,
    /// What it counts.
    pub counted: Option<Counted>,
    /// `45–78`: false for the low end, true for the high end.
    pub range: Option<bool>,
    /// `about`
    pub about: bool,
    /// `over` (true), `under` (false), and the first token of the words.
    pub bound: Option<(bool, usize)>,
    /// `1.7 times`
    pub times: bool,
    /// `80 of 500`
    pub part: Option<Part>,
    /// Preceded by a negation.
    pub negated: bool,
    /// Spelled before a noun that nobody knows: a claim only where it turns out to be one.
    pub soft: bool,
}

/// A word at a place.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mark<T> {
    /// Where.
    pub place: Place,
    /// What.
    pub what: T,
}

/// A superlative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Superlative {
    /// The largest, or the smallest.
    pub most: bool,
    /// 1 for the first place.
    pub rank: usize,
    /// An adjective and not the name of an aggregate.
    pub adjective: bool,
    /// `not the highest`
    pub negated: bool,
    /// `the largest drop`: the largest is the most negative.
    pub fall: bool,
    /// `best`, `most punctual`: which end is meant depends on the measure.
    pub vague: bool,
}

/// Everything a text mentions.
pub(super) struct Reading {
    /// The tokens.
    pub tokens: Vec<Token>,
    /// Numbers that may be claims.
    pub numbers: Vec<Num>,
    /// Names of groups.
    pub mentions: Vec<Mention>,
    /// Aggregates.
    pub aggs: Vec<Mark<Agg>>,
    /// Measured things: the bases that the words may mean, most words first.
    pub bases: Vec<Mark<Vec<String>>>,
    /// Superlatives.
    pub superlatives: Vec<Mark<Superlative>>,
    /// Results named by id.
    pub results: Vec<Mark<String>>,
}

impl Reading {
    /// Reads a text.
    pub fn new(text: &str, world: &World, stems: &Stems) -> Self {
        let tokens = tokens(text, stems);
        let mut reader = Reader {
            text,
            world,
            stems,
            used: vec![false; tokens.len()],
            out: Reading {
                tokens,
                numbers: Vec::new(),
                mentions: Vec::new(),
                aggs: Vec::new(),
                bases: Vec::new(),
                superlatives: Vec::new(),
                results: Vec::new(),
            },
        };
        reader.mentions();
        reader.spans_of_names();
        reader.spelled();
        reader.words();
        reader.numbers();
        reader.out.numbers.sort_by_key(|n| n.place.first);
        reader.connect();
        reader.merge_bases();
        reader.out
    }

    /// The words of a place.
    pub fn text<'t>(&self, text: &'t str, place: Place) -> &'t str {
        match (self.tokens.get(place.first), self.tokens.get(place.last)) {
            (Some(a), Some(b)) => text.get(a.span.start..b.span.end).unwrap_or_default(),
            _ => "",
        }
    }

    /// The lower-case word before token `at`, empty where there is none.
    pub fn word_before(&self, at: usize) -> &str {
        at.checked_sub(1).and_then(|i| self.tokens.get(i)).map_or("", |t| t.lower.as_str())
    }

    /// The clause of a place.
    pub fn clause(&self, place: Place) -> usize {
        self.tokens.get(place.first).map_or(0, |t| t.clause)
    }

    /// The sentence of a place.
    pub fn sentence(&self, place: Place) -> usize {
        self.tokens.get(place.first).map_or(0, |t| t.sentence)
    }

    /// The tokens over `place` in the header of a Markdown table: those of the same column in the
    /// first of the lines that begin with a bar.
    pub fn column_head(&self, place: Place) -> Option<std::ops::Range<usize>> {
        let line = |sentence: usize| {
            let first = self.tokens.iter().position(|t| t.sentence == sentence)?;
            let len = self.tokens[first..].iter().take_while(|t| t.sentence == sentence).count();
            self.tokens[first].is('|').then_some(first..first + len)
        };
        let own = line(self.sentence(place))?;
        let bars = (own.start..place.first).filter(|&i| self.tokens[i].is('|')).count();
        let mut head = own.clone();
        let mut sentence = self.sentence(place);
        while let Some(above) = sentence.checked_sub(1).and_then(line) {
            head = above;
            sentence -= 1;
        }
        if head == own {
            return None;
        }
        let bar_at: Vec<usize> = head.clone().filter(|&i| self.tokens[i].is('|')).collect();
        Some(*bar_at.get(bars.checked_sub(1)?)?..bar_at.get(bars).copied().unwrap_or(head.end))
    }

    /// Whether a pattern of `table` starts in clause `clause`.
    pub fn clause_has<T: Copy>(&self, clause: usize, table: words::Table<T>) -> bool {
        (0..self.tokens.len())
            .any(|i| self.tokens[i].clause == clause && has(table, &self.tokens, i))
    }

    /// Whether a pattern of `table` starts in sentence `sentence`.
    pub fn sentence_has<T: Copy>(&self, sentence: usize, table: words::Table<T>) -> bool {
        (0..self.tokens.len())
            .any(|i| self.tokens[i].sentence == sentence && has(table, &self.tokens, i))
    }
}

struct Reader<'a> {
    text: &'a str,
    world: &'a World<'a>,
    stems: &'a Stems,
    used: Vec<bool>,
    out: Reading,
}

/// Adjectives whose order depends on what is measured.
const VAGUE: &[&str] = &[
    "best",
    "worst",
    "leader",
    "leading",
    "top",
    "bottom",
    "лучш",
    "худш",
    "лидер",
    "лидир",
    "first",
];

impl Reader<'_> {
    fn tokens(&self) -> &[Token] {
        &self.out.tokens
    }

    fn take(&mut self, first: usize, len: usize) -> Place {
        for used in self.used.iter_mut().skip(first).take(len) {
            *used = true;
        }
        Place { first, last: first + len - 1 }
    }

    fn slice(&self, at: usize) -> &str {
        self.tokens()
            .get(at)
            .and_then(|t| self.text.get(t.span.start..t.span.end))
            .unwrap_or_default()
    }

    /// A whole number without any decoration.
    fn bare(&self, at: usize) -> Option<i64> {
        match self.tokens().get(at).map(|t| &t.kind) {
            Some(Kind::Number(n))
                if n.decimals == 0
                    && n.sign == Sign::None
                    && n.scale == 1.0
                    && !n.percent
                    && n.unit.is_none()
                    && n.style.group.is_none() =>
            {
                Some(n.value as i64)
            }
            _ => None,
        }
    }

    fn is_held_base(&self, stem: &str) -> bool {
        self.world.bases.get(stem).is_some_and(|b| b.iter().any(|b| self.world.held.contains(b)))
    }

    /// Aggregates, superlatives, measured things, results by id.
    fn words(&mut self) {
        let mut i = 0;
        while i < self.tokens().len() {
            if self.used[i] || !self.tokens()[i].is_word() {
                i += 1;
                continue;
            }
            // `31.6 min`: minutes.
            if self.tokens()[i].lower == "min"
                && i > 0
                && matches!(self.tokens()[i - 1].kind, Kind::Number(_))
            {
                i += 1;
                continue;
            }
            if let Some((most, len)) = find(words::SUPERLATIVES, self.tokens(), i)
                && !has(words::NO_SUPERLATIVE, self.tokens(), i)
                && !(i > 0 && has(words::NO_SUPERLATIVE, self.tokens(), i - 1))
            {
                self.superlative(i, len, most);
                // `the most orders`
                let word = self.tokens()[i].lower.clone();
                let such = self
                    .tokens()
                    .get(i + len)
                    .is_some_and(|t| ["such", "таких"].contains(&t.lower.as_str()));
                let mut at = i + len + usize::from(such);
                // `the most qualifying days`
                if !has(words::COUNTED, self.tokens(), at)
                    && has(words::COUNTED, self.tokens(), at + 1)
                    && self.tokens()[at].is_word()
                    && !self.is_held_base(&self.tokens()[at].stem)
                {
                    at += 1;
                }
                // `the most flights`: a plural that is no measure is counted.
                let plural = self.tokens().get(at).is_some_and(|t| {
                    t.is_word()
                        && t.lower.ends_with('s')
                        && t.lower.len() > 4
                        && !self.world.bases.contains_key(&t.stem)
                        && !has(words::AGGS, self.tokens(), at)
                });
                if word == "most" && plural && !has(words::COUNTED, self.tokens(), at) {
                    let place = Place { first: at, last: at };
                    self.out.aggs.push(Mark { place, what: Agg::Count });
                    i = at + 1;
                    continue;
                }
                if (["most", "fewest", "least"].contains(&word.as_str()) || len > 1)
                    && let Some(((), noun)) = find(words::COUNTED, self.tokens(), at)
                    && !self.is_held_base(&self.tokens()[at].stem)
                {
                    let place = Place { first: at, last: at + noun - 1 };
                    self.out.aggs.push(Mark { place, what: Agg::Count });
                    i = at + noun;
                    continue;
                }
                if ["чаще", "реже"].contains(&word.as_str())
                    || len > 1 && self.out.tokens[i + 1].lower == "often"
                {
                    let place = Place { first: i, last: i + len - 1 };
                    self.out.aggs.push(Mark { place, what: Agg::Count });
                }
                if len > 1 {
                    i += len;
                    continue;
                }
            }
            // `99.5 at most`, but not `at most 99.5`.
            let edge = match self.out.tokens[i].lower.as_str() {
                "at" => self.out.tokens.get(i + 1).and_then(|t| match t.lower.as_str() {
                    "most" => Some(Agg::Max),
                    "least" => Some(Agg::Min),
                    _ => None,
                }),
                _ => None,
            };
            if let Some(what) = edge
                && !matches!(self.out.tokens.get(i + 2).map(|t| &t.kind), Some(Kind::Number(_)))
            {
                self.out.aggs.push(Mark { place: Place { first: i, last: i + 1 }, what });
                i += 2;
                continue;
            }
            if self.heads_count(i) {
                let place = Place { first: i, last: i };
                self.out.aggs.push(Mark { place, what: Agg::Count });
                i += 1;
                continue;
            }
            // `средняя сумма`: the amount, not the sum.
            let amount = self.tokens()[i].lower.starts_with("сумм")
                && self.out.aggs.last().is_some_and(|a| a.place.last + 1 == i);
            // `the mean number of cars`: the mean.
            let number = self.tokens()[i].lower == "number"
                && self.out.aggs.last().is_some_and(|a| a.place.last + 1 == i);
            if let Some((agg, len)) =
                find(words::AGGS, self.tokens(), i).filter(|_| !amount && !number)
                && !(i > 0
                    && find(words::TOTAL, self.tokens(), i - 1).is_some_and(|((), len)| len > 1))
            {
                let place = Place { first: i, last: i + len - 1 };
                self.out.aggs.push(Mark { place, what: agg });
                i += len;
                continue;
            }
            self.base(i);
            i += 1;
        }
    }

    /// `orders: 37`, `days with a gap above 50: 80`: what follows the colon is counted.
    fn heads_count(&self, at: usize) -> bool {
        let tokens = self.tokens();
        let sentence = tokens[at].sentence;
        let after_number = at > 0 && matches!(tokens[at - 1].kind, Kind::Number(_));
        if after_number || !has(words::COUNTED, tokens, at) || self.is_held_base(&tokens[at].stem) {
            return false;
        }
        let number = |i: usize| {
            matches!(tokens.get(i).map(|t| &t.kind), Some(Kind::Number(_))) && !self.used[i]
        };
        // `days 17`, `Days: Monday 17`
        let opens = at == 0 || tokens[at - 1].sentence != sentence;
        if number(at + 1) || opens && tokens.get(at + 1).is_some_and(|t| t.is(':')) {
            return true;
        }
        let Some(colon) = (at + 1..tokens.len())
            .take_while(|&i| tokens[i].sentence == sentence && !self.used[i])
            .find(|&i| tokens[i].is(':') || tokens[i].is('—') || tokens[i].is('='))
        else {
            return false;
        };
        let named = (at + 1..colon)
            .any(|i| has(words::AGGS, tokens, i) && find(words::TOTAL, tokens, i - 1).is_none());
        !named && number(colon + 1)
    }

    fn superlative(&mut self, at: usize, len: usize, most: bool) {
        let word = self.tokens()[at].lower.clone();
        let adjective = find(words::AGGS, self.tokens(), at).is_none()
            || ["peaks", "peaked"].contains(&word.as_str());
        let hyphen = usize::from(at > 0 && self.tokens()[at - 1].is('-'));
        let rank = at
            .checked_sub(1 + hyphen)
            .and_then(|i| match self.tokens()[i].kind {
                Kind::Ordinal(n) => Some(n as usize),
                _ => find(words::RANKS, self.tokens(), i)
                    .filter(|_| !self.used[i])
                    .map(|(n, _)| n as usize),
            })
            .unwrap_or(1);
        // `top 5`, `top-5`: a number of rows and no place in the order.
        if word == "top"
            && self.tokens()[at + len..].iter().take(2).any(|t| matches!(t.kind, Kind::Number(_)))
        {
            return;
        }
        let negated = (1..=3).any(|k| {
            at.checked_sub(k).is_some_and(|i| {
                has(words::NOT, self.tokens(), i)
                    && self.tokens()[i].clause == self.tokens()[at].clause
            })
        });
        let quality = ["best", "worst"].contains(&word.as_str())
            || word.starts_with("лучш")
            || word.starts_with("худш");
        let next = self.tokens().get(at + len);
        let graded = ["most", "least"].contains(&word.as_str())
            && len == 1
            && next.is_some_and(|t| {
                t.is_word()
                    && !t.lower.ends_with('s')
                    && !has(words::COUNTED, self.tokens(), at + len)
                    && !self.is_held_base(&t.stem)
                    && !["of", "in", "on", "at", "and", "with", "is", "was"]
                        .contains(&t.lower.as_str())
            });
        let vague = quality || graded || VAGUE.iter().any(|w| word.starts_with(w));
        let fall = !quality
            && (at + len..at + len + 3)
                .take_while(|&i| {
                    self.tokens().get(i).is_some_and(|t| t.clause == self.tokens()[at].clause)
                })
                .any(|i| find(words::DIRECTIONS, self.tokens(), i).is_some_and(|((up, _), _)| !up));
        self.out.superlatives.push(Mark {
            place: Place { first: at, last: at + len - 1 },
            what: Superlative { most, rank, adjective, negated, fall, vague },
        });
    }

    fn base(&mut self, at: usize) {
        let token = &self.tokens()[at];
        let place = Place { first: at, last: at };
        for view in &self.world.views {
            if view.outcome.id.to_lowercase() == token.lower {
                let what = view.outcome.id.clone();
                self.out.results.push(Mark { place, what });
                return;
            }
        }
        let lower = token.lower.clone();
        // The name of a column as it is written in the result.
        let exact = self
            .world
            .views
            .iter()
            .flat_map(|v| &v.measures)
            .find(|m| m.name.to_lowercase() == lower);
        if let Some(m) = exact.filter(|_| lower.contains('_')) {
            let (agg, base) = (m.agg, m.base.clone());
            if let Some(what) = agg {
                self.out.aggs.push(Mark { place, what });
            }
            if !base.is_empty() {
                self.out.bases.push(Mark { place, what: vec![base.clone(), base] });
            }
            return;
        }
        let mut found: Vec<String> = Vec::new();
        if lower.contains('_') {
            for word in name_words(&lower) {
                found.extend(
                    self.world.bases.get(&self.stems.stem(&word)).into_iter().flatten().cloned(),
                );
            }
        } else if let Some(bases) = self.world.bases.get(&token.stem) {
            // Words of prices that are everyday words too count only where the result has them.
            let everyday =
                ["open", "close", "high", "low", "change", "rang", "time", "day", "date", "rate"];
            found.extend(
                bases
                    .iter()
                    .filter(|b| {
                        self.world.held.contains(*b) || !everyday.contains(&token.stem.as_str())
                    })
                    .cloned(),
            );
            if token.stem == "close" && self.tokens().get(at + 1).is_some_and(|t| t.lower == "to") {
                found.clear();
            }
        }
        if !found.is_empty() {
            self.out.bases.push(Mark { place, what: found });
        }
    }

    /// Joins words of one name (`price change`): the bases that most of the words mean.
    fn merge_bases(&mut self) {
        let mut merged: Vec<Mark<Vec<String>>> = Vec::new();
        for mark in std::mem::take(&mut self.out.bases) {
            match merged.last_mut() {
                Some(last)
                    if mark.place.first <= last.place.last + 1
                        && self.out.tokens[mark.place.first].sentence
                            == self.out.tokens[last.place.last].sentence =>
                {
                    last.place.last = mark.place.last;
                    last.what.extend(mark.what);
                }
                _ => merged.push(mark),
            }
        }
        for mark in &mut merged {
            let count = |b: &String| mark.what.iter().filter(|x| *x == b).count();
            let most = mark.what.iter().map(count).max().unwrap_or(0);
            let mut best: Vec<String> =
                mark.what.iter().filter(|b| count(b) == most).cloned().collect();
            best.sort();
            best.dedup();
            mark.what = best;
        }
        self.out.bases = merged;
    }
}

impl Num {
    fn new(place: Place, number: Number) -> Self {
        Self {
            place,
            tail: place.last,
            number,
            counted: None,
            range: None,
            about: false,
            bound: None,
            times: false,
            part: None,
            negated: false,
            soft: false,
        }
    }
}
