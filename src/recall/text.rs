//! Full text: BM25 over the terms of questions, each score told as a share of what the record's own
//! question would score.

use super::meaning::terms;
use std::collections::HashMap;
use std::sync::OnceLock;

/// How soon repeating a term stops to count, and how much the length of a question counts: the
/// usual values.
const K1: f64 = 1.2;
const B: f64 = 0.75;

/// A term of a document and how often it stands there.
type Count = (u32, u32);

/// The terms of many questions.
#[derive(Debug, Default)]
pub(super) struct TextIndex {
    terms: HashMap<String, u32>,
    /// By term: the documents that have it, and how often.
    postings: Vec<Vec<Count>>,
    /// By document: its terms, and how often; empty where there is none.
    documents: Vec<Vec<Count>>,
    count: usize,
    length: u64,
    /// What follows from all of them, until one changes.
    figures: OnceLock<Figures>,
}

/// What every search goes by.
#[derive(Debug)]
struct Figures {
    /// By term, in the order of its postings: what it adds to the score of each document.
    adds: Vec<Vec<f64>>,
    /// By document: what its own question scores.
    own: Vec<f64>,
}

impl TextIndex {
    /// Takes in the question of document `slot`, which is new or was removed before.
    pub fn add(&mut self, slot: u32, question: &str) {
        let mut counts: Vec<Count> = Vec::new();
        for term in terms(question) {
            let next = self.terms.len() as u32;
            let id = *self.terms.entry(term).or_insert(next);
            if id == next {
                self.postings.push(Vec::new());
            }
            match counts.iter_mut().find(|(t, _)| *t == id) {
                Some((_, times)) => *times += 1,
                None => counts.push((id, 1)),
            }
        }
        for &(term, times) in &counts {
            if let Some(list) = self.postings.get_mut(term as usize) {
                list.push((slot, times));
            }
        }
        self.figures.take();
        self.count += 1;
        self.length += length(&counts);
        let at = slot as usize;
        if self.documents.len() <= at {
            self.documents.resize_with(at + 1, Vec::new);
        }
        if let Some(place) = self.documents.get_mut(at) {
            *place = counts;
        }
    }

    /// Forgets document `slot`.
    pub fn remove(&mut self, slot: u32) {
        let Some(counts) = self.documents.get_mut(slot as usize).map(std::mem::take) else {
            return;
        };
        for (term, _) in &counts {
            if let Some(list) = self.postings.get_mut(*term as usize) {
                list.retain(|(document, _)| *document != slot);
            }
        }
        self.figures.take();
        self.count = self.count.saturating_sub(1);
        self.length -= length(&counts);
    }

    /// The best `most` of the documents that `wanted` admits and that score at least `threshold`, with
    /// all that score as much as the last of them, in any order. `wanted` is asked of few.
    pub fn search(
        &self,
        question: &str,
        threshold: f64,
        most: usize,
        wanted: impl Fn(u32) -> bool,
    ) -> Vec<(u32, f64)> {
        let figures = self.figures.get_or_init(|| self.figure());
        let mut scores = vec![0.0_f64; self.documents.len()];
        let mut touched: Vec<u32> = Vec::new();
        let mut asked = terms(question);
        asked.sort();
        asked.dedup();
        for term in asked.iter().filter_map(|t| self.terms.get(t)) {
            let documents = self.postings.get(*term as usize).into_iter().flatten();
            let adds = figures.adds.get(*term as usize).into_iter().flatten();
            for (&(slot, _), adds) in documents.zip(adds) {
                if let Some(score) = scores.get_mut(slot as usize) {
                    if *score == 0.0 {
                        touched.push(slot);
                    }
                    *score += adds;
                }
            }
        }
        let ranked = touched.into_iter().filter_map(|slot| {
            let score = scores.get(slot as usize)?;
            let rank = (score / figures.own.get(slot as usize)?).min(1.0);
            (rank >= threshold).then_some((slot, rank))
        });
        best(ranked.collect(), most, wanted)
    }

    fn figure(&self) -> Figures {
        let mean = self.length as f64 / self.count.max(1) as f64;
        let idf: Vec<f64> = self
            .postings
            .iter()
            .map(|list| {
                let having = list.len() as f64;
                (1.0 + (self.count as f64 - having + 0.5) / (having + 0.5)).ln()
            })
            .collect();
        let damping: Vec<f64> = self
            .documents
            .iter()
            .map(|counts| K1 * (1.0 - B + B * length(counts) as f64 / mean.max(f64::MIN_POSITIVE)))
            .collect();
        let mut own = vec![0.0; self.documents.len()];
        let adds = self.postings.iter().zip(&idf).map(|(list, idf)| {
            let add = |&(slot, times): &Count| {
                let damping = damping.get(slot as usize).copied().unwrap_or_default();
                let adds = idf * saturated(times, damping);
                if let Some(own) = own.get_mut(slot as usize) {
                    *own += adds;
                }
                adds
            };
            list.iter().map(add).collect()
        });
        let adds = adds.collect();
        Figures { adds, own }
    }
}

/// The best `most` of those that `wanted` admits, and all that rank as high as the last of them.
fn best(mut ranked: Vec<(u32, f64)>, most: usize, wanted: impl Fn(u32) -> bool) -> Vec<(u32, f64)> {
    let mut taken = most.max(1);
    loop {
        let whole = ranked.len() <= taken;
        let lowest = if whole {
            f64::NEG_INFINITY
        } else {
            ranked.select_nth_unstable_by(taken - 1, |a, b| b.1.total_cmp(&a.1)).1.1
        };
        let high = ranked.iter().filter(|(slot, rank)| *rank >= lowest && wanted(*slot));
        let found: Vec<(u32, f64)> = high.copied().collect();
        if whole || found.len() >= most {
            return found;
        }
        taken = taken.saturating_mul(4);
    }
}

fn length(counts: &[Count]) -> u64 {
    counts.iter().map(|(_, times)| u64::from(*times)).sum()
}

/// What a term that stands so often adds, before its rarity.
fn saturated(times: u32, damping: f64) -> f64 {
    let times = f64::from(times);
    times * (K1 + 1.0) / (times + damping)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_best_are_those_of_all(
            ranks in prop::collection::vec((0_u8..6, any::<bool>()), 0..40),
            most in 1_usize..12,
        ) {
            let ranked: Vec<(u32, f64)> =
                (0..).zip(&ranks).map(|(slot, (rank, _))| (slot, f64::from(*rank))).collect();
            let wanted = |slot: u32| ranks[slot as usize].1;
            let mut all: Vec<(u32, f64)> =
                ranked.iter().copied().filter(|(slot, _)| wanted(*slot)).collect();
            all.sort_by(|a, b| b.1.total_cmp(&a.1));
            if let Some((_, lowest)) = all.get(most - 1).copied() {
                // More may be given, but none is left out that ranks as high.
                let found = best(ranked, most, wanted);
                prop_assert!(all.iter().all(|one| one.1 < lowest || found.contains(one)));
                prop_assert!(found.iter().all(|one| all.contains(one)));
            } else {
                let mut found = best(ranked, most, wanted);
                found.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
                prop_assert_eq!(found, all);
            }
        }
    }
}
