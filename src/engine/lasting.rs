//! What tools find of the tables alone, kept until a table comes or goes: small results (which ids
//! there are, what names rows that are not there, the tree of categories), with which every call
//! begins, and the tables that they make of the loaded ones.

use super::Engine;
use super::derive::Unkept;
use super::sql::Reads;
use super::views::Stored;
use crate::query::CheckedQuery;
use datafusion::execution::memory_pool::{MemoryConsumer, MemoryReservation};
use std::any::Any;
use std::rc::Rc;
use std::sync::Arc;

/// So many are kept; the oldest goes first.
const MOST: usize = 64;
/// So many of what code has made of results.
const MOST_MADE: usize = 8;
/// A longer result is not kept.
const MOST_ROWS: usize = 10_000;

/// The results, and how often tables have come or gone.
#[derive(Default)]
pub(super) struct Lasting {
    pub(super) changes: u64,
    results: Vec<Entry>,
    pub(super) views: Vec<Stored>,
    made: Vec<Made>,
}

/// What code has made of results, and what it holds of the memory pool.
struct Made {
    of: String,
    reads: Reads,
    what: Rc<dyn Any>,
    _reservation: MemoryReservation,
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
        self.views.clear();
        self.made.clear();
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

    /// The same that a tool found that may read other columns, as what `query` gives, which is the
    /// same statement of one that may read `reads`: the rows are the same, and what may be told of
    /// them is not.
    pub(crate) fn lasting_elsewhere(
        &self,
        sql: &str,
        reads: &Reads,
        query: &Arc<CheckedQuery>,
    ) -> Option<Rc<Unkept>> {
        let lasting = self.shared.lasting.borrow();
        let found = lasting.results.iter().find(|entry| entry.sql == sql)?;
        let same = Rc::new(found.result.as_of(query, &self.shared.pool));
        let changes = lasting.changes;
        drop(lasting);
        self.keep_lasting(changes, sql.to_owned(), reads, &same);
        Some(same)
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

    /// What code has made of the results of statements over the tables as they are, for a tool that
    /// may read the same; `of` says of which, and of what else.
    pub(crate) fn made(&self, of: &str, reads: &Reads) -> Option<Rc<dyn Any>> {
        let lasting = self.shared.lasting.borrow();
        let found = lasting.made.iter().find(|made| made.of == of && made.reads == *reads);
        found.map(|made| made.what.clone())
    }

    /// Keeps what code has made of statements that began after `changes`, of about so many bytes,
    /// where there is room.
    pub(crate) fn keep_made(
        &self,
        changes: u64,
        of: String,
        reads: &Reads,
        (what, bytes): (Rc<dyn Any>, usize),
    ) {
        let mut lasting = self.shared.lasting.borrow_mut();
        let reservation = MemoryConsumer::new("made").register(&self.shared.pool);
        if lasting.changes != changes || reservation.try_grow(bytes).is_err() {
            return;
        }
        if lasting.made.len() >= MOST_MADE {
            lasting.made.remove(0);
        }
        let reads = reads.clone();
        lasting.made.push(Made { of, reads, what, _reservation: reservation });
    }
}
