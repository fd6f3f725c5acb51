//! Finished results by id, with a budget of bytes: the least recently used go first.

use super::rows::ArrowRows;
use crate::facts::Outcome;
use datafusion::execution::memory_pool::MemoryReservation;
use std::sync::Arc;

/// A result that is kept.
pub(crate) struct Kept {
    /// The result.
    pub(crate) outcome: Arc<Outcome>,
    /// Its rows, as Arrow memory.
    pub(crate) rows: Arc<ArrowRows>,
    /// What it holds of the memory pool, given back when it goes.
    pub(crate) reservation: MemoryReservation,
}

/// Results, the most recently used last.
pub(crate) struct Results {
    kept: Vec<Kept>,
    made: u64,
    budget: usize,
}

impl Results {
    /// No results, and room for `budget` bytes of them.
    pub(crate) fn new(budget: usize) -> Self {
        Self { kept: Vec::new(), made: 0, budget }
    }

    /// The number of the next id.
    pub(crate) fn next_number(&self) -> u64 {
        self.made + 1
    }

    /// The next id.
    pub(crate) fn next_id(&mut self) -> String {
        self.made += 1;
        format!("r{}", self.made)
    }

    /// Keeps a result and lets the oldest go that no longer fit beside it.
    pub(crate) fn keep(&mut self, result: Kept) {
        self.kept.push(result);
        while self.kept.len() > 1 && self.bytes() > self.budget {
            self.kept.remove(0);
        }
    }

    /// The result with this id, which becomes the most recently used.
    pub(crate) fn get(&mut self, id: &str) -> Option<&Kept> {
        let place = self.kept.iter().position(|k| k.outcome.id == id)?;
        let found = self.kept.remove(place);
        self.kept.push(found);
        self.kept.last()
    }

    /// Lets a result go; whether there was one.
    pub(crate) fn release(&mut self, id: &str) -> bool {
        let before = self.kept.len();
        self.kept.retain(|k| k.outcome.id != id);
        self.kept.len() < before
    }

    /// All results.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Kept> {
        self.kept.iter()
    }

    fn bytes(&self) -> usize {
        self.kept.iter().map(|k| k.reservation.size()).sum()
    }
}
