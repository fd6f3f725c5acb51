//! What a text mentions: numbers, names of groups, aggregates, measures, superlatives, with the
//! words around each number that say how to take it.

mod around;
mod literal;
mod names;
mod terms;

use super::lex::{Kind, Stems, Token, tokens};
use super::names::{Axis, Name};
use super::number::{Number, Sign};
use super::words::{self, Agg, has};
use super::world::World;

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
    /// The bound itself counts (`at least`).
    pub inclusive: bool,
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

/// Which end of an order a superlative means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The one it says.
    Said,
    /// The one it says, unless less is better or the result is sorted the other way (`leader`).
    Leads,
    /// It depends on what is good (`best`).
    Good,
    /// Its adjective is not known (`most punctual`): either.
    Either,
}

/// A superlative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Superlative {
    /// The largest, or the smallest.
    pub most: bool,
    /// 1 for the first place.
    pub rank: usize,
    /// A word before it says which place, and is not understood.
    pub odd: bool,
    /// An adjective and not the name of an aggregate.
    pub adjective: bool,
    /// `not the highest`
    pub negated: bool,
    /// `the largest drop`: the largest is the most negative.
    pub fall: bool,
    /// Which end is meant.
    pub end: End,
    /// `fastest`: the smallest of what is a time.
    pub speed: bool,
}

/// Everything a text mentions.
pub(super) struct Reading {
    /// The tokens.
    pub tokens: Vec<Token>,
    /// Numbers that may be claims.
    pub numbers: Vec<Num>,
    /// Names of groups.
    pub mentions: Vec<Mention>,
    /// `Monday through Friday`, `с апреля по июль`: both ends, which name no group by themselves.
    pub spans: Vec<(Mention, Mention)>,
    /// Aggregates.
    pub aggs: Vec<Mark<Agg>>,
    /// Measured things: the bases that the words may mean, most words first.
    pub bases: Vec<Mark<Vec<String>>>,
    /// Superlatives.
    pub superlatives: Vec<Mark<Superlative>>,
    /// By what a comparison or a superlative at a token compares, where its word says so.
    pub hints: Vec<(usize, Vec<String>)>,
    /// Results named by id.
    pub results: Vec<Mark<String>>,
}

impl Reading {
    /// Reads a text.
    pub fn new(text: &str, world: &World, stems: &Stems) -> Self {
        let mut tokens = tokens(text, stems);
        for t in &mut tokens {
            t.counts = t.is_word() && world.count_words.contains(&t.stem);
        }
        let mut reader = Reader {
            text,
            world,
            stems,
            used: vec![false; tokens.len()],
            out: Reading {
                tokens,
                numbers: Vec::new(),
                mentions: Vec::new(),
                spans: Vec::new(),
                aggs: Vec::new(),
                bases: Vec::new(),
                superlatives: Vec::new(),
                hints: Vec::new(),
                results: Vec::new(),
            },
        };
        reader.hints();
        reader.mentions();
        reader.spans_of_names();
        reader.spelled();
        reader.words();
        reader.numbers();
        for num in &mut reader.out.numbers {
            num.number = world.as_held(&num.number).unwrap_or_else(|| num.number.clone());
        }
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

    /// `541 EUR from 26 bottles`: a word of a measure right behind a number of another form is of that
    /// number alone.
    pub fn is_of_another(&self, word: Place, num: &Num) -> bool {
        let other = |n: &Num| {
            n.number.percent != num.number.percent
                || num.number.unit.is_some() && n.number.unit != num.number.unit
                || num.counted == Some(Counted::Rows) && n.counted != num.counted
        };
        let behind =
            |n: &Num| word.first > n.place.last && word.first <= n.tail.max(n.place.last) + 1;
        !behind(num) && self.numbers.iter().any(|n| n.place != num.place && behind(n) && other(n))
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

    /// Whether sentence `sentence` has a share such as `one in five`, `every third`.
    pub fn says_one_in(&self, sentence: usize) -> bool {
        (0..self.tokens.len()).any(|i| {
            self.tokens[i].sentence == sentence && words::one_in(&self.tokens, i).is_some()
        })
    }
}

struct Reader<'a> {
    text: &'a str,
    world: &'a World<'a>,
    stems: &'a Stems,
    used: Vec<bool>,
    out: Reading,
}

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
            inclusive: false,
            times: false,
            part: None,
            negated: false,
            soft: false,
        }
    }
}
