//! Protected cells, as far as it takes to recognise one in what a person or a model writes.

use super::mask::{MASKED, words};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

/// A cell is looked for in runs of so many words at most.
const MOST_WORDS: usize = 8;

/// Shorter cells are not looked for: they say nothing by themselves.
const LEAST_LETTERS: usize = 3;
const LEAST_DIGITS: usize = 4;

/// The distinct cells of protected columns, as hashes of their letters and digits: spaces and marks
/// between them, and case, make no difference (`+7 912 345-67-89` is `79123456789`).
#[derive(Debug, Clone, Default)]
pub struct Cells {
    protected: HashSet<u64>,
    confirmed: HashSet<u64>,
}

impl Cells {
    /// No cells.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a cell, as text.
    pub fn insert(&mut self, cell: &str) {
        if let Some(hash) = hash_of(words(cell).iter().map(|w| w.lower.as_str())) {
            self.protected.insert(hash);
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

    fn places(&self, text: &str) -> Vec<(usize, usize)> {
        if self.protected.is_empty() {
            return Vec::new();
        }
        let words = words(text);
        let mut places = Vec::new();
        let mut at = 0;
        while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
            let most = rest.len().min(MOST_WORDS);
            let found = (1..=most).rev().find_map(|n| {
                let run = rest.get(..n)?;
                let hash = hash_of(run.iter().map(|w| w.lower.as_str()))?;
                let protected = self.protected.contains(&hash) && !self.confirmed.contains(&hash);
                protected.then_some((n, run.first()?.start, run.last()?.end))
            });
            match found {
                Some((n, start, end)) => {
                    places.push((start, end));
                    at += n;
                }
                None => at += 1,
            }
        }
        places
    }
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
