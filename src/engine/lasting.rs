//! Small results of a tool's statements that depend on the tables alone, kept until a table comes or
//! goes: which ids there are, what names rows that are not there, the tree of categories. Every call
//! begins with them.

use super::Engine;
use super::derive::Unkept;
use super::sql::Reads;
use std::rc::Rc;

/// So many are kept; the oldest goes first.
const MOST: usize = 64;
/// A longer result is not kept.
const MOST_ROWS: usize = 10_000;

/// The results, and how often tables have come or gone.
#[derive(Default)]
pub(super) struct Lasting {
    changes: u64,
    results: Vec<Entry>,
}

struct Entry {
    sql: String,
    reads: Reads,
    result: Rc<Unkept>,
}

impl Lasting {
    /// A table comes or goes.
    pub(super) fn clear(&mut self) {
        self.changes += 1;
        self.results.clear();
    }
}

impl Engine {
    /// How often tables have come or gone.
    pub(crate) fn changes(&self) -> u64 {
        self.shared.lasting.borrow().changes
    }

    /// What a statement without parameters gave over the tables as they are, for a tool that may
    /// read the same.
    pub(crate) fn lasting(&self, sql: &str, reads: &Reads) -> Option<Rc<Unkept>> {
        let lasting = self.shared.lasting.borrow();
        let found = lasting.results.iter().find(|e| e.sql == sql && e.reads == *reads);
        found.map(|entry| entry.result.clone())
    }

    /// Keeps what a statement gave that began after `changes`.
    pub(crate) fn keep_lasting(
        &self,
        changes: u64,
        sql: String,
        reads: &Reads,
        result: &Rc<Unkept>,
    ) {
        let mut lasting = self.shared.lasting.borrow_mut();
        if lasting.changes != changes || result.outcome().rows.len() > MOST_ROWS {
            return;
        }
        if lasting.results.len() >= MOST {
            lasting.results.remove(0);
        }
        lasting.results.push(Entry { sql, reads: reads.clone(), result: result.clone() });
    }
}
