//! The records of one data set, found by question, by number, by meaning and by their words.

use super::record::{Embedding, Record};
use super::text::TextIndex;
use std::collections::{BTreeSet, HashMap};

/// The records of one data set. No search looks into two of them.
#[derive(Debug, Default)]
pub(super) struct Context {
    slots: Vec<Option<Record>>,
    free: Vec<u32>,
    by_key: HashMap<String, u32>,
    by_id: HashMap<u64, u32>,
    text: TextIndex,
    /// Slots whose questions are not in `text` yet: cutting a question into terms takes longer than
    /// all else, and the first exact look-up should not wait for it.
    unread: BTreeSet<u32>,
}

impl Context {
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.slots.iter().flatten()
    }

    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    pub fn get(&self, id: u64) -> Option<&Record> {
        self.at(*self.by_id.get(&id)?)
    }

    /// For changes to anything but the question and the number.
    pub fn get_mut(&mut self, id: u64) -> Option<&mut Record> {
        let slot = *self.by_id.get(&id)?;
        self.slots.get_mut(slot as usize)?.as_mut()
    }

    /// The record of a question, by the key that it is found by.
    pub fn of_key(&self, key: &str) -> Option<&Record> {
        self.at(*self.by_key.get(key)?)
    }

    fn at(&self, slot: u32) -> Option<&Record> {
        self.slots.get(slot as usize)?.as_ref()
    }

    /// Takes in a record in place of the one with its number or question.
    pub fn put(&mut self, record: Record) {
        let key = record.key();
        let before = self.by_key.get(&key).or_else(|| self.by_id.get(&record.id));
        if let Some(id) = before.and_then(|slot| self.at(*slot)).map(|r| r.id) {
            self.remove(id);
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            self.slots.len() as u32 - 1
        });
        if record.is_searched() {
            self.unread.insert(slot);
        }
        self.by_key.insert(key, slot);
        self.by_id.insert(record.id, slot);
        if let Some(place) = self.slots.get_mut(slot as usize) {
            *place = Some(record);
        }
    }

    pub fn remove(&mut self, id: u64) -> Option<Record> {
        let slot = self.by_id.remove(&id)?;
        let record = self.slots.get_mut(slot as usize)?.take()?;
        self.by_key.remove(&record.key());
        if !self.unread.remove(&slot) && record.is_searched() {
            self.text.remove(slot);
        }
        self.free.push(slot);
        Some(record)
    }

    /// Cuts at most so many questions into terms; true when none is left.
    pub fn index(&mut self, most: usize) -> bool {
        for _ in 0..most {
            let Some(slot) = self.unread.pop_first() else { break };
            if let Some(Some(record)) = self.slots.get(slot as usize) {
                self.text.add(slot, &record.question);
            }
        }
        self.unread.is_empty()
    }

    /// Valid records to be searched whose vectors are at least so near, each with the cosine.
    pub fn near(&self, vector: &Embedding, threshold: f64) -> Vec<(&Record, f64)> {
        self.records()
            .filter(|r| r.is_valid && r.is_searched())
            .filter_map(|r| {
                let cosine = r.embedding.as_ref()?.cosine(vector);
                (cosine >= threshold).then_some((r, cosine))
            })
            .collect()
    }

    /// Valid records with words of the question, of those that are indexed, each with its share of
    /// its own score: the best `most` that `wanted` admits, and those that are as good as the last.
    pub fn worded(
        &self,
        question: &str,
        threshold: f64,
        most: usize,
        wanted: impl Fn(&Record) -> bool,
    ) -> Vec<(&Record, f64)> {
        let wanted = |slot| self.at(slot).is_some_and(|r| r.is_valid && wanted(r));
        let found = self.text.search(question, threshold, most, wanted);
        found.into_iter().filter_map(|(slot, rank)| Some((self.at(slot)?, rank))).collect()
    }
}
