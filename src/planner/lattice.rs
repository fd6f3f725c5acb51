//! Tags every place of a question with what could begin there: phrases of the lexicon, columns,
//! values of columns, the table itself. Nothing is decided here; the grammar chooses.

mod beginnings;
mod held;
mod implied;
mod opening;
mod pieces;

use super::assemble::is_total;
use super::dictionary::same_noun;
use super::sketch::Measure;
use super::stem::{fold, is_noun_of, is_verb_of, parts, stem};
use super::token::{Token, TokenKind};
use super::words::{Concept, Found, Part, is_common, is_known, phrases};
use crate::schema::{Kind, TableSchema};
use beginnings::Beginnings;
pub(super) use implied::IMPLIED;
use pieces::{may_occur, pieces, runs, value_run};
use std::cell::OnceCell;

/// What some tokens could be.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tag {
    /// A phrase of the lexicon.
    Concept(Concept),
    /// The column with this number.
    Column(usize),
    /// A value of the column with this number, as the data has it.
    Value(usize, String),
    /// Values of the column with this number that have the words, each with more beside them.
    Held(usize, Vec<String>),
    /// The table, by its name or a synonym.
    Table,
}

/// One candidate.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Match {
    /// One past its last token.
    pub end: usize,
    /// What it could be.
    pub tag: Tag,
    /// How sure the match is, up to 1.
    pub quality: f64,
}

/// A question with all its candidates, over one table.
pub(super) struct Lattice<'a> {
    /// The table.
    pub schema: &'a TableSchema,
    /// The question's tokens.
    pub tokens: &'a [Token],
    /// The candidates that begin at each token.
    pub matches: Vec<Vec<Match>>,
    /// A date is named, and the table has dates beside those of its rows.
    pub many_dates: bool,
    /// The measures that begin at each token, as they are asked for.
    pub measures: Vec<OnceCell<Vec<(Measure, usize, f64)>>>,
    /// The first end of words for the rows that are asked for the one that has the most.
    pub headed: OnceCell<usize>,
    /// The unit of each column, where it has one.
    pub units: OnceCell<Vec<Option<String>>>,
}

/// A whole name in other words of the same language family (`магазин` for `shop`).
pub(super) const BY_DICTIONARY: f64 = 0.97;
/// Part of a name (`amount` for `total_amount`).
const PARTIAL: f64 = 0.85;
/// The same of a number, behind a preposition (`stay` of `length of stay`).
const TIED: f64 = 0.65;
/// An inflected form of a value.
const INFLECTED: f64 = 0.95;
/// A table's own name that is a word for its money, too.
pub(super) const MONEY_OR_ROWS: f64 = 0.85;
/// A word one slip away from a name or value: offered, never run unasked.
const MISSPELT: f64 = 0.7;
/// Forms of a word have this many letters in common.
const BEGINNING: usize = 3;
/// Columns that one word can name in part.
const MOST_NAMES: usize = 6;
/// How alike a misspelt word must be (Jaro–Winkler).
const ALIKE: f64 = 0.93;

/// A part of a token: names and values are compared part by part.
struct Piece {
    token: usize,
    /// First part of its token.
    first: bool,
    /// Last part of its token.
    last: bool,
    folded: String,
    stem: String,
    /// The stem of the word that this may be a form of with a vowel put in (`поездок`, `поездка`).
    other: Option<String>,
}

struct Name {
    stems: Vec<String>,
    folded: Vec<String>,
}

impl Name {
    fn new(text: &str) -> Self {
        let folded = parts(text);
        Self { stems: folded.iter().map(|p| stem(p)).collect(), folded }
    }

    /// The word at token `at` stands in the name behind a preposition.
    fn is_tied(&self, pieces: &[Piece], at: usize) -> bool {
        // `rooms` of `number of rooms` is what is numbered
        const NUMBERS: [&str; 5] = ["number", "count", "amount", "quantity", "total"];
        let named = pieces.iter().find(|p| p.token == at && p.first);
        let place = named.and_then(|p| self.stems.iter().position(|s| *s == p.stem));
        let word = |back: usize| place.and_then(|i| self.folded.get(i.checked_sub(back)?));
        word(1).is_some_and(|w| is_function_word(w))
            && !word(2).is_some_and(|w| NUMBERS.contains(&w.as_str()))
    }
}

/// How well a run of pieces names something, if it does.
#[derive(Clone, Copy, PartialEq)]
enum Naming {
    Whole(f64),
    Part(f64),
}

impl<'a> Lattice<'a> {
    /// Tags `tokens` against `schema`.
    pub fn new(schema: &'a TableSchema, tokens: &'a [Token]) -> Self {
        let matches = vec![Vec::new(); tokens.len()];
        let measures = vec![OnceCell::new(); tokens.len()];
        let mut lattice = Self {
            schema,
            tokens,
            matches,
            many_dates: false,
            measures,
            headed: OnceCell::new(),
            units: OnceCell::new(),
        };
        let pieces = pieces(tokens);
        lattice.columns(&pieces);
        lattice.values(&pieces);
        lattice.table(&pieces);
        lattice.lexicon();
        lattice.held();
        lattice.misspelt();
        lattice.settle();
        lattice.many_dates = lattice.has_many_dates();
        lattice
    }

    fn has_many_dates(&self) -> bool {
        let moment = |(token, list): (&Token, &Vec<Match>)| {
            matches!(
                token.kind,
                TokenKind::Date(_)
                    | TokenKind::YearMonth(..)
                    | TokenKind::Number { year: true, .. }
            ) || list.iter().any(|m| {
                matches!(
                    m.tag,
                    Tag::Concept(
                        Concept::Month(_)
                            | Concept::Quarter(_)
                            | Concept::Season(_)
                            | Concept::Recent(_)
                            | Concept::LastFew
                            | Concept::Weekday(_)
                            | Concept::Part(_)
                            | Concept::Every(_)
                    )
                )
            })
        };
        self.schema.columns.iter().filter(|c| c.kind.is_time()).count() > 1
            && self.tokens.iter().zip(&self.matches).any(moment)
    }

    /// The candidates that begin at token `at`.
    pub fn at(&self, at: usize) -> &[Match] {
        self.matches.get(at).map_or(&[], Vec::as_slice)
    }

    fn add(&mut self, at: usize, end: usize, tag: Tag, quality: f64) {
        let Some(list) = self.matches.get_mut(at) else { return };
        if let Some(old) = list.iter_mut().find(|m| m.end == end && m.tag == tag) {
            old.quality = old.quality.max(quality);
        } else {
            list.push(Match { end, tag, quality });
        }
    }

    fn columns(&mut self, pieces: &[Piece]) {
        let (schema, tokens) = (self.schema, self.tokens);
        for (number, column) in schema.columns.iter().enumerate() {
            for (at, token) in tokens.iter().enumerate() {
                let label = || column.label.as_ref() == Some(&token.raw);
                let synonym = || column.synonyms.contains(&token.raw);
                if token.kind == TokenKind::Quoted
                    && (token.raw == column.name || label() || synonym())
                {
                    self.add(at, at + 1, Tag::Column(number), 1.0);
                }
            }
            let names = std::iter::once(column.name.as_str())
                .chain(column.label.as_deref())
                .chain(column.synonyms.iter().map(String::as_str));
            for name in names {
                let name = Name::new(name);
                for (at, end, naming) in runs(pieces, &name) {
                    let quality = match naming {
                        Naming::Whole(q) => q,
                        // `receipt` is not the number of one; a sensor with few of them is
                        Naming::Part(_) if is_id(&column.name) && column.values.is_none() => {
                            continue;
                        }
                        // `tables` are no `time at the table`
                        Naming::Part(q) if column.kind.is_numeric() && name.is_tied(pieces, at) => {
                            q * TIED
                        }
                        Naming::Part(q) => q * PARTIAL,
                    };
                    self.add(at, end, Tag::Column(number), quality);
                }
            }
        }
        // `readmission rate`: the noun of what a column says in one word
        for (number, column) in schema.columns.iter().enumerate() {
            if column.kind != Kind::Bool {
                continue;
            }
            let names = std::iter::once(&column.name).chain(&column.label).chain(&column.synonyms);
            let names: Vec<&String> = names.filter(|name| parts(name).len() == 1).collect();
            for (at, token) in tokens.iter().enumerate() {
                if names.iter().any(|name| is_noun_of(&token.folded, &name.to_lowercase())) {
                    self.add(at, at + 1, Tag::Column(number), BY_DICTIONARY);
                }
            }
        }
        // `задержали` of `задержка`, `опоздали` of `опоздание`
        for (number, column) in schema.columns.iter().enumerate() {
            if column.kind != Kind::Bool && !column.kind.is_numeric() {
                continue;
            }
            let names = std::iter::once(&column.name).chain(&column.label).chain(&column.synonyms);
            let names: Vec<String> =
                names.filter(|name| parts(name).len() == 1).map(|name| fold(name)).collect();
            for (at, token) in tokens.iter().enumerate() {
                if names.iter().any(|name| is_verb_of(&token.folded, name))
                    && !is_common(token, schema.ohlcv.is_some())
                {
                    self.add(at, at + 1, Tag::Column(number), INFLECTED);
                }
            }
        }
        // `pickup stations`: one column by a synonym and the noun of its name
        let mut longer = Vec::new();
        for (at, list) in self.matches.iter().enumerate() {
            for m in list {
                let Tag::Column(column) = m.tag else { continue };
                for n in self.at(m.end).iter().filter(|n| n.tag == m.tag) {
                    let whole = m.quality >= BY_DICTIONARY || n.quality >= BY_DICTIONARY;
                    let plain = schema.columns.get(column).is_some_and(|c| c.kind == Kind::Text);
                    if whole && plain {
                        longer.push((at, n.end, column, m.quality.max(n.quality)));
                    }
                }
            }
        }
        for (at, end, column, quality) in longer {
            self.add(at, end, Tag::Column(column), quality);
        }
        // `how much fuel did we spend`: the column that is named, not the money
        let named = |numeric: &dyn Fn(usize) -> bool, at: usize, list: &[Match]| {
            list.iter().any(|m| {
                m.quality >= 1.0
                    && matches!(m.tag, Tag::Column(c) if numeric(c))
                    && !tokens.get(at).is_some_and(|t| is_spending(&t.folded))
            })
        };
        let numeric = |c: usize| schema.columns.get(c).is_some_and(|c| c.kind.is_numeric());
        if self.matches.iter().enumerate().any(|(at, list)| named(&numeric, at, list)) {
            for (list, token) in self.matches.iter_mut().zip(tokens) {
                if is_spending(&token.folded) {
                    list.retain(|m| m.quality >= 1.0 || !matches!(m.tag, Tag::Column(_)));
                }
            }
        }
        // where one column is named wholly, the words are no part of another one's name
        for list in &mut self.matches {
            let whole: Vec<usize> = list
                .iter()
                .filter(|m| matches!(m.tag, Tag::Column(_)) && m.quality >= BY_DICTIONARY)
                .map(|m| m.end)
                .collect();
            list.retain(|m| m.quality >= BY_DICTIONARY || !whole.contains(&m.end));
            // a word that is part of many names names none of them
            let mut vague: Vec<usize> = list.iter().map(|m| m.end).collect();
            vague.retain(|&end| list.iter().filter(|m| m.end == end).count() > MOST_NAMES);
            list.retain(|m| m.quality >= BY_DICTIONARY || !vague.contains(&m.end));
            // `cost` of several is the total
            let total = |m: &Match| matches!(m.tag, Tag::Column(c) if schema.columns.get(c).is_some_and(is_total));
            let totals: Vec<usize> = list.iter().filter(|m| total(m)).map(|m| m.end).collect();
            if let [end] = totals[..] {
                for m in list.iter_mut().filter(|m| m.end == end && m.quality < BY_DICTIONARY) {
                    let other = matches!(m.tag, Tag::Column(c)
                        if schema.columns.get(c).is_some_and(|c| c.kind.is_numeric()));
                    m.quality *= if other && !total(m) { 0.85 } else { 1.0 };
                }
            }
            let exact: Vec<usize> =
                list.iter().filter(|m| m.quality >= 1.0).map(|m| m.end).collect();
            list.retain(|m| m.quality >= 1.0 || !exact.contains(&m.end));
        }
    }

    fn values(&mut self, pieces: &[Piece]) {
        let (schema, tokens) = (self.schema, self.tokens);
        let beginnings = Beginnings::of(pieces, tokens);
        for (number, column) in schema.columns.iter().enumerate() {
            if column.kind != Kind::Text {
                continue;
            }
            let sexed = is_sex(column);
            let own = column.values.iter().flatten().map(|value| (value.as_str(), value.as_str()));
            for (word, value) in own.chain(column.other_words()) {
                if !(sexed || beginnings.has(word)) || !may_occur(word, pieces, tokens, sexed) {
                    continue;
                }
                let name = parts(word);
                let quoted = word.trim().to_lowercase();
                for (at, token) in tokens.iter().enumerate() {
                    if token.kind == TokenKind::Quoted && token.raw.trim().to_lowercase() == quoted
                    {
                        self.add(at, at + 1, Tag::Value(number, value.to_owned()), 1.0);
                    }
                }
                if name.is_empty() {
                    continue;
                }
                for start in 0..pieces.len() {
                    let Some((at, end, quality)) = value_run(pieces, start, &name, sexed) else {
                        continue;
                    };
                    let lone = (end == at + 1).then(|| self.tokens.get(at)).flatten();
                    // a common word is a value only when it is written as the data has it, or when
                    // it is said to mean one
                    let said = |raw: &str| {
                        if word == value { raw == value } else { raw.to_lowercase() == quoted }
                    };
                    if lone.is_some_and(|t| is_common(t, schema.ohlcv.is_some()) && !said(&t.raw))
                        && !self.beside_column(number, at, end)
                    {
                        continue;
                    }
                    // `how often did I shop at Aldi` is of no category of shopping
                    let shops = |t: &Token| t.folded.starts_with("shop") && quality < 1.0;
                    if lone.is_some_and(shops) && self.is_done_by_us(at) {
                        continue;
                    }
                    self.add(at, end, Tag::Value(number, value.to_owned()), quality);
                }
            }
        }
        // `healthy` is a value of `health`, not the column
        for (list, token) in self.matches.iter_mut().zip(tokens) {
            let exact = |m: &Match| match &m.tag {
                Tag::Value(column, value) if value.to_lowercase() == token.folded => Some(*column),
                _ => None,
            };
            let own: Vec<usize> = list.iter().filter_map(exact).collect();
            let called = |column: usize| {
                schema.columns.get(column).is_some_and(|c| {
                    std::iter::once(&c.name)
                        .chain(&c.label)
                        .chain(&c.synonyms)
                        .any(|name| fold(name) == token.folded)
                })
            };
            list.retain(|m| match m.tag {
                Tag::Column(column) => !own.contains(&column) || called(column),
                _ => true,
            });
        }
        // a value as it is written leaves no room for forms of others; of those the nearest stays
        let length = |m: &Match, at: usize| {
            let said: usize = tokens
                .get(at..m.end)
                .unwrap_or_default()
                .iter()
                .map(|t| t.raw.chars().count())
                .sum();
            match &m.tag {
                Tag::Value(_, value) => value.chars().count().abs_diff(said),
                _ => 0,
            }
        };
        for (at, list) in self.matches.iter_mut().enumerate() {
            let is_value = |m: &Match| matches!(m.tag, Tag::Value(..));
            let best: Vec<(usize, bool, usize)> = list
                .iter()
                .filter(|m| is_value(m))
                .map(|m| (m.end, m.quality >= 1.0, length(m, at)))
                .collect();
            list.retain(|m| {
                !is_value(m)
                    || m.quality >= 1.0
                    || !best
                        .iter()
                        .any(|&(end, exact, off)| end == m.end && (exact || off < length(m, at)))
            });
        }
    }

    /// A word behind `I`, `we` is a verb.
    fn is_done_by_us(&self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|i| self.tokens.get(i));
        before.is_some_and(|t| ["i", "we", "you", "they"].contains(&t.folded.as_str()))
    }

    /// The words from `at` to `end` stand right before or behind the name of the column
    /// (`первого сорта`).
    fn beside_column(&self, column: usize, at: usize, end: usize) -> bool {
        let named = |m: &Match| m.tag == Tag::Column(column) && m.quality >= BY_DICTIONARY;
        self.at(end).iter().any(named)
            || (0..at).any(|i| self.at(i).iter().any(|m| m.end == at && named(m)))
    }

    fn table(&mut self, pieces: &[Piece]) {
        let schema = self.schema;
        let names =
            std::iter::once(schema.name.as_str()).chain(schema.synonyms.iter().map(String::as_str));
        let implied = implied::names(schema);
        let sure = names.map(|name| (name, 1.0));
        for (name, sure) in sure.chain(implied.into_iter().map(|name| (name, IMPLIED))) {
            // `parking` is no park, though it has its stem
            let ing = |word: &str| word.trim_end_matches('s').ends_with("ing");
            let is_done = |at: usize| {
                self.tokens.get(at).is_some_and(|t| ing(&t.folded)) && !ing(&name.to_lowercase())
            };
            for (at, end, naming) in runs(pieces, &Name::new(name)) {
                let quality = match naming {
                    _ if end == at + 1 && is_done(at) => continue,
                    Naming::Whole(q) => q * sure,
                    // an hour of `eth_hours` is an hour
                    Naming::Part(_) if self.tokens.get(at).is_some_and(is_known) => continue,
                    Naming::Part(q) => q * INFLECTED * sure,
                };
                // `revenue` of orders is their column, though it is a word for sales too
                let column = self
                    .at(at)
                    .iter()
                    .any(|m| matches!(m.tag, Tag::Column(_)) && m.end == end && m.quality >= 1.0);
                if column && quality < 1.0 {
                    continue;
                }
                // `выручка` of a table of sales is its money, and so may its own name be
                let quality = match self.tokens.get(at) {
                    Some(t) if end == at + 1 && implied::is_money(schema, &t.stem) => {
                        if stem(name) != t.stem {
                            continue;
                        }
                        quality * MONEY_OR_ROWS
                    }
                    _ => quality,
                };
                self.add(at, end, Tag::Table, quality);
                // the table's own name is no part of a column's (`finishers`, `finish_minutes`)
                if quality >= 1.0
                    && let Some(list) = self.matches.get_mut(at)
                {
                    // but of one that numbers what several rows are of (`sensor_id` of readings)
                    let numbers = |column: usize| {
                        let of = schema.columns.get(column);
                        of.is_some_and(|c| c.values.is_some() && is_id(&c.name))
                    };
                    list.retain(|m| match m.tag {
                        Tag::Column(column) => {
                            m.end != end || m.quality >= BY_DICTIONARY || numbers(column)
                        }
                        _ => true,
                    });
                }
            }
        }
    }

    /// A longer phrase for a part of time is not read as its shorter parts (`день недели`); what
    /// data cannot tell is nothing else.
    fn settle(&mut self) {
        let mut long: Vec<(usize, usize)> = Vec::new();
        for at in 0..self.tokens.len() {
            let found = self.at(at).iter().filter(|m| {
                matches!(m.tag, Tag::Concept(Concept::Part(Part::Weekday | Part::Hour)))
                    && m.end > at + 1
            });
            long.extend(found.map(|m| (at, m.end)));
        }
        for (at, list) in self.matches.iter_mut().enumerate() {
            list.retain(|m| {
                let part = matches!(
                    m.tag,
                    Tag::Concept(
                        Concept::Part(_) | Concept::PerPart(_) | Concept::When | Concept::Every(_)
                    )
                );
                !part
                    || !long.iter().any(|&(start, end)| {
                        at < end && m.end > start && (at > start || m.end < end)
                    })
            });
            if list.iter().any(|m| m.tag == Tag::Concept(Concept::Future)) {
                list.retain(|m| m.tag == Tag::Concept(Concept::Future));
            }
        }
    }

    fn lexicon(&mut self) {
        let bars = self.schema.ohlcv.is_some();
        for at in 0..self.tokens.len() {
            let here = phrases(self.tokens, at);
            // `which day does it fall on` asks for falls, where there are bars
            let moves = bars && here.iter().any(|f| matches!(f.concept, Concept::Move(_)));
            let counts = here.iter().any(|f| f.length > 1 && f.concept == Concept::Count);
            for found in here {
                let Some(concept) = self.said(at, found.length, found.concept) else { continue };
                // `no. of flights` denies nothing
                if counts && concept == Concept::Not {
                    continue;
                }
                // `in IT`: the department
                if (at..at + found.length).any(|i| self.is_in_capitals(i)) {
                    continue;
                }
                let found = Found { concept, ..found };
                let only_bars = found.concept.is_of_bars();
                let own_column = self.at(at).iter().any(|m| {
                    matches!(m.tag, Tag::Column(_))
                        && m.end == at + found.length
                        && m.quality >= 1.0
                });
                // a fall of bars is no season, and their busiest hour has not the most rows
                let of_rows = matches!(found.concept, Concept::Season(_) | Concept::Popular(_));
                let doubtful = self
                    .tokens
                    .get(at)
                    .is_some_and(|t| ["fall", "busiest", "quietest"].contains(&t.folded.as_str()));
                let lone = matches!(found.concept, Concept::Weekday(_)) && self.is_no_day(at);
                if (only_bars && !bars)
                    || lone
                    || (moves && found.concept == Concept::Light)
                    || (bars && of_rows && doubtful)
                    || (!bars && matches!(found.concept, Concept::Most(_)) && doubtful)
                    || (own_column
                        && matches!(
                            found.concept,
                            Concept::Sorted(_)
                                | Concept::Derived(_)
                                | Concept::DerivedPercent(_)
                                | Concept::Price
                                | Concept::Market
                        ))
                {
                    continue;
                }
                self.add(at, at + found.length, Tag::Concept(found.concept), 1.0);
            }
        }
    }

    /// A value that is written in capitals, as in the data (`IT`, `US`), in a question that is not.
    fn is_in_capitals(&self, at: usize) -> bool {
        let capitals = |raw: &str| raw.len() > 1 && raw.chars().all(char::is_uppercase);
        let raw = self.tokens.get(at).map(|t| t.raw.as_str()).unwrap_or_default();
        capitals(raw)
            && self.at(at).iter().any(|m| matches!(&m.tag, Tag::Value(_, value) if value == raw))
            && self.tokens.iter().any(|t| t.raw.chars().any(char::is_lowercase))
    }

    /// `sun`, `sat` in small letters, with nothing before them that days have.
    fn is_no_day(&self, at: usize) -> bool {
        let word = |at: usize| self.tokens.get(at).map(|t| t.folded.as_str()).unwrap_or_default();
        let small = |t: &Token| t.raw.chars().all(char::is_lowercase);
        let before = at.checked_sub(1).map(word).unwrap_or_default();
        ["sun", "sat"].contains(&word(at))
            && self.tokens.get(at).is_some_and(small)
            && !["on", "every", "each", "and", "or", "to", "-", ",", "by", "only", "last"]
                .contains(&before)
    }

    /// Words that nothing matched, and that are one slip away from a column's or a value's name.
    fn misspelt(&mut self) {
        let mut covered = vec![false; self.tokens.len()];
        for (at, list) in self.matches.iter().enumerate() {
            for m in list {
                covered.iter_mut().take(m.end).skip(at).for_each(|c| *c = true);
            }
        }
        let tokens = self.tokens;
        for (at, token) in tokens.iter().enumerate() {
            if covered.get(at) != Some(&false)
                || token.kind != TokenKind::Word
                || token.folded.chars().count() < 5
            {
                continue;
            }
            let length = token.folded.chars().count();
            let alike = |name: &str| {
                let begins =
                    name.chars().flat_map(char::to_lowercase).next() == token.folded.chars().next();
                if !begins || name.chars().count().abs_diff(length) > 2 {
                    return false;
                }
                let name = name.to_lowercase();
                strsim::jaro_winkler(&name, &token.folded) >= ALIKE
            };
            let mut found = Vec::new();
            for (number, column) in self.schema.columns.iter().enumerate() {
                if alike(&column.name) {
                    found.push(Tag::Column(number));
                }
                let own = column.values.iter().flatten().find(|v| alike(v)).map(String::as_str);
                let called = || column.other_words().find(|(word, _)| alike(word));
                if let Some(value) = own.or_else(|| Some(called()?.1)) {
                    found.push(Tag::Value(number, value.to_owned()));
                }
            }
            for tag in found {
                self.add(at, at + 1, tag, MISSPELT);
            }
        }
    }
}

/// Whether the words of a question may name a value, told by how they begin.
pub(super) fn may_name(tokens: &[Token]) -> impl Fn(&str) -> bool + use<> {
    let beginnings = Beginnings::of(&pieces(tokens), tokens);
    move |value| beginnings.has(value)
}

/// `пристроен`, `выдана`: a short participle, whose other forms have other stems.
fn is_short_participle(folded: &str) -> bool {
    ["ен", "ан", "ена", "ана", "ено", "ано", "ены", "аны", "ят", "ята", "яты"]
        .iter()
        .any(|ending| folded.ends_with(ending))
}

/// A verb of spending, by how it begins: what is spent may be named beside it.
fn is_spending(folded: &str) -> bool {
    ["потрат", "трати", "трачу", "ушло", "уход", "израсход", "spent", "spend"]
        .iter()
        .any(|verb| folded.starts_with(verb))
}

/// Words that name nothing by themselves (`по` of `по акции`).
pub(super) fn is_function_word(word: &str) -> bool {
    const WORDS: [&str; 26] = [
        "of", "in", "on", "by", "at", "to", "for", "from", "with", "the", "a", "and", "per", "по",
        "со", "в", "во", "на", "из", "от", "до", "за", "у", "с", "и", "к",
    ];
    WORDS.contains(&word)
}

/// A column that numbers its rows.
pub(super) fn is_id(name: &str) -> bool {
    let lower = name.to_lowercase();
    let id = lower == "id" || lower.ends_with("_id") || lower.ends_with(" id");
    id || name.contains('№') || parts(name).first().is_some_and(|first| first == "номер")
}

/// A column of people's sex, where letters stand for its values.
fn is_sex(column: &crate::schema::Column) -> bool {
    std::iter::once(&column.name)
        .chain(&column.synonyms)
        .any(|name| parts(name).iter().any(|part| same_noun(&stem(part), "sex")))
}
