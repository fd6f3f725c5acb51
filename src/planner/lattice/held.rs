//! Words that stand in values of a column and are not the whole of one (`rent` of `Rent Schmidt
//! Immobilien`), where nothing else reads them.

use super::super::sketch::Cond;
use super::super::stem::{parts, stem};
use super::super::token::TokenKind;
use super::super::words::Concept;
use super::pieces::is_case_of_name;
use super::{BEGINNING, Lattice, Tag};
use crate::error::Locale;
use crate::schema::{Column, Kind};

/// Values with the word in most lists: of more the word says too little.
const MOST_HELD: usize = 40;
/// Letters of a word that stands for the values that have it.
const SHORTEST: usize = 3;
/// How sure such a word is.
const HELD: f64 = 0.95;
/// The same in a column where nearly every row has a value of its own, and behind a word for an
/// aggregate, which asks for a measure: offered, never run unasked.
const OFFERED: f64 = 0.74;
/// Words that bind, and name nothing.
const BINDING: [&str; 40] = [
    "the", "and", "but", "nor", "not", "without", "with", "for", "from", "than", "then", "that",
    "this", "who", "whom", "whose", "what", "how", "why", "are", "was", "were", "has", "had",
    "our", "you", "your", "other", "both", "one", "два", "без", "для", "или", "как", "что", "это",
    "над", "под", "при",
];

impl Lattice<'_> {
    /// Tags words that nothing matched with the values that have them, where one column alone does.
    pub(super) fn held(&mut self) {
        let unread = self.unread();
        let mut at = 0;
        while at < self.tokens.len() {
            let longest = (at..self.tokens.len()).take_while(|&i| unread.get(i) == Some(&true));
            let run = longest.count();
            // as many words together as stand in values: `rewe markt`
            let found = (1..=run).rev().find_map(|n| Some((n, self.holding(at, at + n)?)));
            let Some((length, (column, values, quality))) = found else {
                at += 1;
                continue;
            };
            self.add(at, at + length, Tag::Held(column, values), quality);
            at += length;
        }
    }

    /// Words of the question that no candidate covers, and that may name something.
    fn unread(&self) -> Vec<bool> {
        let mut unread: Vec<bool> = self
            .tokens
            .iter()
            .map(|t| {
                t.kind == TokenKind::Word
                    && t.folded.chars().count() >= SHORTEST
                    && !BINDING.contains(&t.folded.as_str())
            })
            .collect();
        for (at, list) in self.matches.iter().enumerate() {
            for m in list {
                unread.iter_mut().take(m.end).skip(at).for_each(|free| *free = false);
            }
        }
        unread
    }

    /// The only column with values that have the words from `at` to `end` together, and those values.
    fn holding(&self, at: usize, end: usize) -> Option<(usize, Vec<String>, f64)> {
        let tokens = self.tokens.get(at..end)?;
        let words: Vec<(String, String)> = tokens
            .iter()
            .flat_map(|t| parts(&t.raw))
            .map(|word| {
                let stem = stem(&word);
                (word, stem)
            })
            .collect();
        let (first, _) = words.first()?;
        let begins: String = first.chars().take(BEGINNING).collect();
        let has = |value: &str| {
            let list = parts(value);
            if !list.iter().any(|part| part.starts_with(&begins)) {
                return false;
            }
            let all = |run: &mut dyn Iterator<Item = &String>| {
                run.zip(&words).all(|(part, (word, said))| is_form(part, word, said))
            };
            // `Олега Петрова` of `Петров Олег`
            let turned =
                words.len() > 1 && list.len() == words.len() && all(&mut list.iter().rev());
            turned
                || list.len() > words.len()
                    && list.windows(words.len()).any(|run| all(&mut run.iter()))
        };
        let exact = |value: &str| {
            let list = parts(value);
            list.windows(words.len()).any(|run| run.iter().zip(&words).all(|(p, (w, _))| p == w))
        };
        let begins_with = |value: &str| {
            let part = parts(value).into_iter().next();
            part.zip(words.first()).is_some_and(|(part, (word, said))| is_form(&part, word, said))
        };
        let mut found = None;
        for (number, column) in self.schema.columns.iter().enumerate() {
            if column.kind != Kind::Text {
                continue;
            }
            let values: Vec<String> =
                column.values.iter().flatten().filter(|value| has(value)).cloned().collect();
            if values.is_empty() {
                continue;
            }
            // of which of two columns is a question for the person
            if found.is_some() || values.len() > MOST_HELD {
                return None;
            }
            // `Петрова` is a woman, or a case of the name of a man
            let as_said = values.iter().filter(|value| exact(value)).count();
            let doubtful = self.is_of_each_row(column)
                || (as_said > 0 && as_said < values.len())
                || self.is_behind_aggregate(at)
                || self.is_place(at) && !values.iter().all(|value| begins_with(value));
            found = Some((number, values, if doubtful { OFFERED } else { HELD }));
        }
        found
    }

    /// Nearly every row has a value of its own in the column.
    fn is_of_each_row(&self, column: &Column) -> bool {
        let different = column.values.as_ref().map_or(0, Vec::len) as u64;
        self.schema.rows > 20 && different * 10 > self.schema.rows * 9
    }

    /// `average salary` asks for a measure of that name first.
    fn is_behind_aggregate(&self, at: usize) -> bool {
        at.checked_sub(1).is_some_and(|before| {
            self.at(before)
                .iter()
                .any(|m| m.end == at && matches!(m.tag, Tag::Concept(Concept::Agg(_))))
        })
    }

    /// `in Berlin` is a place first, not a shop that has its name.
    fn is_place(&self, at: usize) -> bool {
        at.checked_sub(1).and_then(|i| self.tokens.get(i)).is_some_and(|t| t.folded == "in")
    }

    /// What to say of words that were taken for the values that have them, where these conditions do.
    pub fn held_in(&self, conditions: &[Cond], locale: Locale) -> Option<String> {
        let mut told: Vec<String> = Vec::new();
        for (at, list) in self.matches.iter().enumerate() {
            for m in list {
                let Tag::Held(column, values) = &m.tag else { continue };
                let taken = conditions.iter().flat_map(Cond::leaves).any(|cond| {
                    matches!(cond, Cond::Values { column: of, values: all, .. }
                        if of == column && values.iter().all(|value| all.contains(value)))
                });
                if taken {
                    let words = self.tokens.get(at..m.end).unwrap_or_default();
                    let words: Vec<&str> = words.iter().map(|t| t.raw.as_str()).collect();
                    told.push(match locale {
                        Locale::En => format!("“{}”", words.join(" ")),
                        Locale::Ru => format!("«{}»", words.join(" ")),
                    });
                }
            }
        }
        (!told.is_empty()).then(|| match (locale, told.len()) {
            (Locale::En, 1) => format!("all values with the word {}", told.join(", ")),
            (Locale::En, _) => format!("all values with the words {}", told.join(", ")),
            (Locale::Ru, 1) => format!("все значения со словом {}", told.join(", ")),
            (Locale::Ru, _) => format!("все значения со словами {}", told.join(", ")),
        })
    }
}

/// The part of a value is the word, or a form of it.
fn is_form(part: &str, word: &str, said: &str) -> bool {
    part == word
        || (said.chars().count() >= SHORTEST
            && part.chars().take(BEGINNING).eq(word.chars().take(BEGINNING))
            && stem(part) == said)
        || is_case_of_name(part, word)
}
