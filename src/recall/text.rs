//! Full text: BM25 over the terms of questions, each score told as a share of what the record's own
//! question would score.

use super::meaning::terms;
use std::collections::HashMap;

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
        self.count = self.count.saturating_sub(1);
        self.length -= length(&counts);
    }

    /// The documents that `wanted` admits and that score at least `threshold`, in any order.
    pub fn search(
        &self,
        question: &str,
        threshold: f64,
        wanted: impl Fn(u32) -> bool,
    ) -> Vec<(u32, f64)> {
        let mean = self.length as f64 / self.count.max(1) as f64;
        let mut idfs = Idfs { index: self, known: vec![0.0; self.postings.len()] };
        let mut scores = vec![0.0_f64; self.documents.len()];
        let mut touched: Vec<u32> = Vec::new();
        let mut asked = terms(question);
        asked.sort();
        asked.dedup();
        for term in asked.iter().filter_map(|t| self.terms.get(t)) {
            let idf = idfs.of(*term);
            for &(slot, times) in self.postings.get(*term as usize).into_iter().flatten() {
                let own = self.documents.get(slot as usize).map_or(0, |d| length(d));
                if let Some(score) = scores.get_mut(slot as usize) {
                    if *score == 0.0 {
                        touched.push(slot);
                    }
                    *score += idf * saturated(times, own, mean);
                }
            }
        }
        touched
            .into_iter()
            .filter(|slot| wanted(*slot))
            .filter_map(|slot| {
                let score = scores.get(slot as usize)?;
                let rank = (score / self.own_score(slot, mean, &mut idfs)).min(1.0);
                (rank >= threshold).then_some((slot, rank))
            })
            .collect()
    }

    /// What a document's own question scores.
    fn own_score(&self, slot: u32, mean: f64, idfs: &mut Idfs<'_>) -> f64 {
        let Some(counts) = self.documents.get(slot as usize) else { return f64::INFINITY };
        let own = length(counts);
        counts.iter().map(|&(term, times)| idfs.of(term) * saturated(times, own, mean)).sum()
    }
}

/// How rare terms are, each figured once a search.
struct Idfs<'a> {
    index: &'a TextIndex,
    /// By term; 0 where it was not asked for yet.
    known: Vec<f64>,
}

impl Idfs<'_> {
    fn of(&mut self, term: u32) -> f64 {
        let Some(known) = self.known.get_mut(term as usize) else { return 0.0 };
        if *known == 0.0 {
            let having = self.index.postings.get(term as usize).map_or(0, Vec::len) as f64;
            *known = (1.0 + (self.index.count as f64 - having + 0.5) / (having + 0.5)).ln();
        }
        *known
    }
}

fn length(counts: &[Count]) -> u64 {
    counts.iter().map(|(_, times)| u64::from(*times)).sum()
}

fn saturated(times: u32, length: u64, mean: f64) -> f64 {
    let times = f64::from(times);
    times * (K1 + 1.0) / (times + K1 * (1.0 - B + B * length as f64 / mean.max(f64::MIN_POSITIVE)))
}
