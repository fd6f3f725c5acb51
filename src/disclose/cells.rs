//! Protected cells, as far as it takes to recognise one in what a person or a model writes.

use super::mask::{MASKED, Word, words};
use super::names::{
    Commonness, Likeness, Ways, bases, coarse, commonness, cut, fold, is_organisation, likeness,
};
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// A cell is looked for in runs of so many words at most.
const MOST_WORDS: usize = 8;

/// Shorter cells are not looked for: they say nothing by themselves.
const LEAST_LETTERS: usize = 3;
const LEAST_DIGITS: usize = 4;

/// Other forms of several words are looked for where one of them has so many letters.
const LEAST_OF_RUN: usize = 4;

/// A word is looked for alone in cells of at most so many, as names have.
const MOST_OF_NAME: usize = 5;

/// Beside the ways of a base: its word is masked where it is written without a capital, too.
const ANY_CASE: Ways = 1 << 15;

/// The distinct cells of protected columns: as hashes of their letters and digits (spaces and marks
/// between them, and case, make no difference: `+7 912 345-67-89` is `79123456789`), of their words in
/// any form, and of each word of a name in any form.
#[derive(Debug, Clone, Default)]
pub struct Cells {
    index: Arc<Index>,
    confirmed: HashSet<u64>,
}

#[derive(Debug, Clone, Default)]
struct Index {
    protected: HashSet<u64>,
    /// Those of columns of names.
    names: HashSet<u64>,
    /// Cells of several words, by what is alike in all forms of each.
    runs: HashSet<u64>,
    /// Words of names by the base of their forms, and how it is declined.
    parts: HashMap<u64, Ways>,
    /// Words that name tables and columns, in the same way.
    known: HashMap<u64, Ways>,
}

/// How a word of a text says the same as a word of a protected name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// It does not.
    No,
    /// It does beside another one.
    Beside,
    /// It does.
    Yes,
}

impl Cells {
    /// No cells.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a cell, as text.
    pub fn insert(&mut self, cell: &str) {
        self.add(cell, false);
    }

    /// Adds a cell of a column that holds names of people.
    pub fn insert_name(&mut self, cell: &str) {
        self.add(cell, true);
    }

    /// Adds a name of a table or a column that may be told: a name of a person that says the same is
    /// no reason to mask it.
    pub fn know(&mut self, name: &str) {
        let known = &mut Arc::make_mut(&mut self.index).known;
        for word in words(name) {
            note_forms(known, &fold(&word.lower), 0);
        }
    }

    fn add(&mut self, cell: &str, of_people: bool) {
        let words = words(cell);
        let Some(hash) = hash_of(words.iter().map(|w| w.lower.as_str())) else { return };
        let index = Arc::make_mut(&mut self.index);
        let another = index.protected.insert(hash);
        let unseen = if of_people { index.names.insert(hash) } else { another };
        if !unseen || !is_plain(cell) {
            return;
        }
        let folded: Vec<String> = words.iter().map(|word| fold(&word.lower)).collect();
        if (2..=MOST_WORDS).contains(&words.len()) && folded.iter().any(|w| is_long(w)) {
            index.runs.insert(hash_of_run(folded.iter().map(|word| coarse(word))));
        }
        if folded.len() > MOST_OF_NAME {
            return;
        }
        let capital = |word: &Word| is_capital(cell, word);
        let ways = match folded.len() {
            1 => ANY_CASE,
            _ if of_people || likeness(cell) == Likeness::Sure => ANY_CASE,
            _ if words.iter().all(capital) => 0,
            _ => return,
        };
        for word in folded.iter().filter(|word| is_of_name(word)) {
            note_forms(&mut index.parts, word, ways);
        }
    }

    /// The person wants this text to be sent as it is.
    pub fn confirm(&mut self, text: &str) {
        if let Some(hash) = hash_of(words(text).iter().map(|w| w.lower.as_str())) {
            self.confirmed.insert(hash);
        }
    }

    /// The protected cells that stand in `text`, for the person to confirm or to leave masked.
    pub fn found<'t>(&self, text: &'t str) -> Vec<&'t str> {
        self.places(text).into_iter().filter_map(|(start, end)| text.get(start..end)).collect()
    }

    /// `text` with protected cells masked.
    pub(super) fn mask(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for (start, end) in self.places(text) {
            out.push_str(text.get(done..start).unwrap_or_default());
            out.push_str(MASKED);
            done = end;
        }
        out.push_str(text.get(done..).unwrap_or_default());
        out
    }

    /// Where protected cells and words of names stand in `text`, in order, not overlapping.
    fn places(&self, text: &str) -> Vec<(usize, usize)> {
        if self.index.protected.is_empty() {
            return Vec::new();
        }
        let words = words(text);
        let folded: Vec<String> = words.iter().map(|word| fold(&word.lower)).collect();
        let stems: Vec<String> = folded.iter().map(|word| coarse(word)).collect();
        let common: Vec<Commonness> = folded.iter().map(|word| self.commonness(word)).collect();
        // What the words at a place say: how many of them are a cell, or sent as they are.
        let mut places: Vec<Place> = Vec::new();
        let mut at = 0;
        while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
            let most = rest.len().min(MOST_WORDS);
            let found = (1..=most).rev().find_map(|n| {
                let run = rest.get(..n)?;
                let hash = hash_of(run.iter().map(|w| w.lower.as_str()));
                if hash.is_some_and(|hash| self.confirmed.contains(&hash)) {
                    return Some((n, false));
                }
                let exact = hash.is_some_and(|hash| self.index.protected.contains(&hash));
                let other_form = || {
                    n > 1
                        && folded.get(at..at + n).is_some_and(|run| run.iter().any(|w| is_long(w)))
                        && common.get(at..at + n).is_some_and(|run| {
                            run.iter().any(|common| *common != Commonness::Asked)
                        })
                        && stems
                            .get(at..at + n)
                            .is_some_and(|run| self.index.runs.contains(&hash_of_run(run.iter())))
                };
                (exact || other_form()).then_some((n, true))
            });
            if let Some((n, masked)) = found {
                if masked {
                    places.push(Place { first: at, last: at + n - 1, part: None });
                }
                at += n;
                continue;
            }
            let part = match (words.get(at), folded.get(at), common.get(at)) {
                (Some(word), Some(folded), Some(common)) => self.part(text, word, folded, *common),
                _ => Part::No,
            };
            if part != Part::No {
                places.push(Place { first: at, last: at, part: Some(part) });
            }
            at += 1;
        }
        joined(text, &words, places)
    }

    fn commonness(&self, folded: &str) -> Commonness {
        match form_in(&self.index.known, folded) {
            Some(_) => Commonness::Asked,
            None => commonness(folded),
        }
    }

    /// How a word of a text says the same as a word of a name.
    fn part(&self, text: &str, word: &Word, folded: &str, common: Commonness) -> Part {
        if self.index.parts.is_empty() || !is_of_name(folded) {
            return Part::No;
        }
        let Some(of) = form_in(&self.index.parts, folded) else { return Part::No };
        let any_case = of & ANY_CASE != 0;
        let capital = is_capital(text, word);
        let before = text.get(..word.start).unwrap_or_default().trim_end_matches(' ');
        let begins = before.is_empty() || before.ends_with(['.', '?', '!', '\n']);
        let tells = capital && text.chars().any(char::is_lowercase);
        match common {
            Commonness::Rare if any_case || capital => Part::Yes,
            Commonness::Ordinary if tells && (any_case || !begins) => Part::Yes,
            Commonness::Asked if tells && !begins => Part::Yes,
            Commonness::Asked => Part::No,
            _ => Part::Beside,
        }
    }
}

/// Words of a text that are masked, by the numbers of the first and the last.
struct Place {
    first: usize,
    last: usize,
    /// How it is a word of a name; none where it is a cell.
    part: Option<Part>,
}

/// The places of bytes: words that are names beside others alone are taken or left, and words of names
/// that stand side by side are one place.
fn joined(text: &str, words: &[Word], mut places: Vec<Place>) -> Vec<(usize, usize)> {
    let beside = |a: &Place, b: &Place| {
        let (Some(last), Some(first)) = (words.get(a.last), words.get(b.first)) else {
            return false;
        };
        let between = text.get(last.end..first.start).unwrap_or("?");
        a.last + 1 == b.first
            && between.chars().all(|c| matches!(c, ' ' | '\u{a0}' | '-' | '\'' | '’'))
    };
    let sure = |place: &Place| place.part != Some(Part::Beside);
    // forwards, then backwards: a sure one makes its neighbours sure
    for at in 1..places.len() {
        if let [a, b] = &mut places[at - 1..=at]
            && sure(a)
            && beside(a, b)
            && b.part.is_some()
        {
            b.part = Some(Part::Yes);
        }
    }
    for at in (1..places.len()).rev() {
        if let [a, b] = &mut places[at - 1..=at]
            && sure(b)
            && beside(a, b)
            && a.part.is_some()
        {
            a.part = Some(Part::Yes);
        }
    }
    let mut joined: Vec<Place> = Vec::new();
    for place in places.into_iter().filter(sure) {
        match joined.last_mut() {
            Some(before)
                if before.part.is_some()
                    && place.part.is_some()
                    && beside(before, &place)
                    && place.last - before.first < MOST_WORDS =>
            {
                before.last = place.last;
            }
            _ => joined.push(place),
        }
    }
    let bytes = |place: &Place| Some((words.get(place.first)?.start, words.get(place.last)?.end));
    joined.iter().filter_map(bytes).collect()
}

/// Whether a cell is made of words and what stands between words alone: its words have forms.
fn is_plain(cell: &str) -> bool {
    let mark = |c: char| {
        c.is_whitespace()
            || matches!(c, '.' | ',' | '-' | '–' | '\'' | '’' | '(' | ')' | '"' | '«' | '»')
    };
    cell.chars().any(char::is_alphabetic) && cell.chars().all(|c| c.is_alphanumeric() || mark(c))
}

/// Whether a word of a cell may be looked for alone.
fn is_of_name(folded: &str) -> bool {
    folded.chars().count() >= LEAST_LETTERS
        && folded.chars().all(char::is_alphabetic)
        && !is_organisation(folded)
}

fn is_long(word: &str) -> bool {
    word.chars().count() >= LEAST_OF_RUN && word.chars().all(char::is_alphabetic)
}

fn is_capital(text: &str, word: &Word) -> bool {
    text.get(word.start..).and_then(|rest| rest.chars().next()).is_some_and(char::is_uppercase)
}

/// The hash of words written together; `None` for what is too short.
fn hash_of<'w>(words: impl Iterator<Item = &'w str>) -> Option<u64> {
    let together: String = words.collect();
    let digits = together.chars().all(|c| c.is_ascii_digit());
    let least = if digits { LEAST_DIGITS } else { LEAST_LETTERS };
    if together.chars().count() < least {
        return None;
    }
    let mut hasher = DefaultHasher::new();
    together.hash(&mut hasher);
    Some(hasher.finish())
}

/// The hash of words one after another.
fn hash_of_run(words: impl Iterator<Item = impl AsRef<str>>) -> u64 {
    let mut hasher = DefaultHasher::new();
    words.for_each(|word| word.as_ref().hash(&mut hasher));
    hasher.finish()
}

/// Notes the bases of a folded word.
fn note_forms(known: &mut HashMap<u64, Ways>, word: &str, ways: Ways) {
    bases(word, |base, of| {
        *known.entry(hash_of_base(base)).or_default() |= of | ways;
    });
}

/// How the words are declined of which a folded word is a form.
fn form_in(known: &HashMap<u64, Ways>, word: &str) -> Option<Ways> {
    let mut found = None;
    cut(word, |base, ways| {
        if let Some(of) = known.get(&hash_of_base(base)).filter(|of| **of & ways != 0) {
            found = Some(found.unwrap_or(0) | of);
        }
        false
    });
    found
}

fn hash_of_base(base: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    base.hash(&mut hasher);
    hasher.finish()
}
