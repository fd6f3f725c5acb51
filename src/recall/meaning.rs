//! What of a question carries its meaning: numbers, periods, negations, directions, aggregates,
//! names of columns and values. Two questions that differ in one of them are two questions.

use super::fillers::{is_filler, singular};
use crate::planner::{Phrase, Place, Role, Said, said};
use crate::schema::TableSchema;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The names of columns and values of tables, by the stems of their words.
#[derive(Debug, Clone, Default)]
pub(super) struct Names {
    /// First stem → (all stems, the name).
    by_first: HashMap<String, Vec<(Vec<String>, String)>>,
}

impl Names {
    /// The names of `tables`.
    pub fn of(tables: &[Arc<TableSchema>]) -> Self {
        let mut names = Self::default();
        for column in tables.iter().flat_map(|t| &t.columns) {
            let name = column.name.to_lowercase();
            let words = [&column.name].into_iter().chain(&column.label).chain(&column.synonyms);
            for word in words {
                names.add(word, &name);
            }
            for value in column.values.iter().flatten() {
                names.add(value, &value.to_lowercase());
            }
        }
        for list in names.by_first.values_mut() {
            list.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
            list.dedup();
        }
        names
    }

    fn add(&mut self, words: &str, name: &str) {
        // a name in one word as it is written, and in several as it is said
        for words in [words.to_owned(), words.replace('_', " ")] {
            let stems: Vec<String> = said(&words).into_iter().map(|s| s.stem).collect();
            if let Some(first) = stems.first().cloned() {
                self.by_first.entry(first).or_default().push((stems, name.to_owned()));
            }
        }
    }

    /// The longest names that begin at a place.
    fn at(&self, places: &[Said], at: usize) -> (usize, Vec<&str>) {
        let Some(first) = places.get(at) else { return (0, Vec::new()) };
        let mut length = 0;
        let mut found = Vec::new();
        for (stems, name) in self.by_first.get(&first.stem).into_iter().flatten() {
            let here = places.get(at..at + stems.len()).unwrap_or_default();
            let fits =
                here.len() == stems.len() && here.iter().zip(stems).all(|(p, s)| p.stem == *s);
            if fits && stems.len() >= length {
                length = stems.len();
                found.push(name.as_str());
            }
        }
        (length, found)
    }
}

/// The parts of a question's meaning that can be told for sure, as a set.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Marks(BTreeSet<String>);

impl Marks {
    /// The marks of `question` over tables with these names.
    pub fn of(question: &str, names: &Names) -> Self {
        let places = said(question);
        let mut marks = BTreeSet::new();
        let mut at = 0;
        while let Some(place) = places.get(at) {
            let (length, found) = names.at(&places, at);
            let phrase = best(place);
            let longest = phrase.map_or(0, |p| p.length);
            if length > 0 && length >= longest {
                marks.extend(found.iter().map(|name| format!("name {name}")));
            }
            if let Some((number, taken)) = number(&places, at) {
                marks.insert(number);
                at += taken;
                continue;
            }
            for phrase in phrases(place) {
                match phrase.role {
                    Role::Negation | Role::Direction | Role::Aggregate => {
                        marks.insert(phrase.broad.to_string());
                    }
                    Role::Period => {
                        marks.insert(format!("time {}", phrase.broad));
                    }
                    _ => {}
                }
            }
            at += length.max(longest).max(1);
        }
        Self(marks)
    }

    /// Whether the name of a column or a value is among them.
    pub fn name(&self, name: &str) -> bool {
        self.0.contains(&format!("name {name}"))
    }

    /// What one of the two has and the other has not, in order.
    pub fn differing<'a>(&'a self, other: &'a Self) -> Vec<&'a str> {
        self.0.symmetric_difference(&other.0).map(String::as_str).collect()
    }
}

/// The whole of a question in order, word by word, without what says nothing. Forms of a Russian
/// word stay apart, because they say who does what: `какие функции вызывают` is not `вызывает`.
pub(super) fn sequence(question: &str) -> Vec<String> {
    let places = said(question);
    let mut all = Vec::with_capacity(places.len());
    let mut at = 0;
    while let Some(place) = places.get(at) {
        if let Some((number, taken)) = number(&places, at) {
            all.push(number);
            at += taken;
            continue;
        }
        let told: Vec<&Phrase> = phrases(place).filter(|p| p.role != Role::Filler).collect();
        let length = told.first().map_or(1, |p| p.length);
        if !told.is_empty() && (length > 1 || !is_filler(&place.text)) {
            let mut exact: Vec<String> = told.iter().map(|p| p.exact()).collect();
            exact.sort();
            exact.dedup();
            all.push(exact.join("|"));
            at += length;
            continue;
        }
        match place.place {
            Place::Sign if is_punctuation(&place.text) => {}
            Place::Word if is_filler(&place.text) => {}
            _ => all.push(singular(&place.text)),
        }
        at += 1;
    }
    all
}

/// True where the words that two questions share stand in the same order and the same forms: else
/// one may ask who calls, and the other who is called.
pub(super) fn in_order(a: &str, b: &str) -> bool {
    let (a, b) = (sequence(a), sequence(b));
    let stems = |list: &[String]| -> Vec<String> {
        list.iter().map(|word| said(word).into_iter().map(|s| s.stem).collect()).collect()
    };
    let (stems_a, stems_b) = (stems(&a), stems(&b));
    let shared = |list: &[String], own: &[String], other: &[String]| -> Vec<String> {
        let both = list.iter().zip(own).filter(|(_, stem)| other.contains(stem));
        both.map(|(word, _)| word.clone()).collect()
    };
    shared(&a, &stems_a, &stems_b) == shared(&b, &stems_b, &stems_a)
}

/// The terms of a question that searches go by: what phrases say in the large, and stems.
pub(super) fn terms(question: &str) -> Vec<String> {
    let places = said(question);
    let mut all = Vec::with_capacity(places.len());
    let mut at = 0;
    while let Some(place) = places.get(at) {
        if let Some((number, taken)) = number(&places, at) {
            all.push(number);
            at += taken;
            continue;
        }
        let phrase = best(place);
        match phrase {
            Some(p) if p.role == Role::Filler && p.broad.is_empty() => {}
            Some(p) => all.push(format!("~{}", p.broad)),
            None if place.place == Place::Sign => {}
            None => {
                // a name with parts is found by each of them too
                all.push(place.stem.clone());
                let parts: Vec<&str> = place.text.split('_').filter(|p| !p.is_empty()).collect();
                if parts.len() > 1 {
                    all.extend(parts.into_iter().map(str::to_owned));
                }
            }
        }
        at += phrase.map_or(1, |p| p.length.max(1));
    }
    all
}

fn phrases(place: &Said) -> impl Iterator<Item = &Phrase> {
    place.phrases.iter()
}

/// The phrase that says most of those that begin at a place.
fn best(place: &Said) -> Option<&Phrase> {
    place.phrases.iter().find(|p| p.role != Role::Filler).or_else(|| place.phrases.first())
}

/// A number in digits or words with the factor after it, and how many places it takes.
fn number(places: &[Said], at: usize) -> Option<(String, usize)> {
    let place = places.get(at)?;
    let worded = || {
        let phrase = place.phrases.iter().find(|p| p.role == Role::Number)?;
        Some((phrase.broad.parse::<f64>().ok()?, phrase.length))
    };
    let (value, taken) = match place.place {
        Place::Number => match place.value {
            None => return Some((format!("#{}", place.text), 1)),
            Some(value) => (value, 1),
        },
        _ => worded()?,
    };
    let factor = places.get(at + taken).and_then(|next| {
        let phrase = next.phrases.iter().find(|p| p.role == Role::Scale)?;
        Some((phrase.broad.parse::<f64>().ok()?, phrase.length))
    });
    if let Some((by, more)) = factor {
        return Some((format!("#{}", value * by), taken + more));
    }
    let percent = places.get(at + taken).is_some_and(|p| p.text == "%");
    Some((format!("#{value}{}", if percent { "%" } else { "" }), taken + usize::from(percent)))
}

fn is_punctuation(sign: &str) -> bool {
    matches!(
        sign,
        "." | ","
            | "?"
            | "!"
            | ";"
            | ":"
            | "("
            | ")"
            | "\""
            | "'"
            | "`"
            | "…"
            | "–"
            | "—"
            | "-"
            | "«"
            | "»"
    )
}
