//! Where records are kept. The records in use are in memory ([`super::Recall`]); a store holds them
//! for the next time. In a browser that is a database whose calls take time, so that nothing here
//! waits for it: what changed is handed out as a batch and stays pending until the store has it.

use super::Record;
use crate::error::Result;
use std::collections::BTreeMap;

/// One change to what is kept.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    /// Keep this record in place of the one with its number.
    Put(Box<Record>),
    /// The same, where there is one with its number: what follows from a record (its vector, that it
    /// fits no more) does not bring back one that somebody else has let go.
    Renew(Box<Record>),
    /// Forget the record with this number.
    Delete(u64),
}

/// What has changed since the store was last up to date.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// Confirm this when the store has the changes.
    pub revision: u64,
    /// At most one change a record; their order does not matter.
    pub changes: Vec<Change>,
}

/// What keeps records. A batch is applied as a whole or not at all.
pub trait Store {
    /// Every record that is kept.
    fn load(&mut self) -> Result<Vec<Record>>;
    /// Keeps what has changed.
    fn apply(&mut self, changes: &[Change]) -> Result<()>;
}

/// A store for tests and for native use.
#[derive(Debug, Clone, Default)]
pub struct MemoryStore {
    records: BTreeMap<u64, Record>,
}

impl Store for MemoryStore {
    fn load(&mut self) -> Result<Vec<Record>> {
        Ok(self.records.values().cloned().collect())
    }

    fn apply(&mut self, changes: &[Change]) -> Result<()> {
        for change in changes {
            match change {
                Change::Put(record) => {
                    self.records.insert(record.id, (**record).clone());
                }
                Change::Renew(record) => {
                    if let Some(kept) = self.records.get_mut(&record.id) {
                        kept.clone_from(record);
                    }
                }
                Change::Delete(id) => {
                    self.records.remove(id);
                }
            }
        }
        Ok(())
    }
}
