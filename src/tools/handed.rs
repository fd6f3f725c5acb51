//! The results that calls of tools have given: those alone may a later call name.
//!
//! Whether a model is answered about one of them must tell it nothing of values that are withheld.
//! So it depends on how many results there were since, whatever they hold, and on the sizes of
//! results whose sizes it was told. What the engine keeps is up to everything that runs, and decides
//! nothing here.

use super::ToolResult;
use crate::disclose::Gate;
use crate::facts::Outcome;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

/// So many results can be named, failed ones among them.
const MOST: usize = 64;

/// So many cells of results are kept for the model, and the latest whatever its size.
const MOST_CELLS: usize = 4_000_000;

/// The results that were given, the latest last.
#[derive(Default)]
pub struct Handed {
    given: VecDeque<Given>,
}

/// A result that was given, or would have been where its query failed.
struct Given {
    id: String,
    /// What was found, where all of it may be told.
    open: Option<Arc<Outcome>>,
}

impl Handed {
    /// Notes what a call gave, as far as the policy of the moment lets a model know it.
    pub fn note(&mut self, result: &ToolResult, gate: &Gate) {
        for (id, found) in result.ids() {
            let open = found.filter(|outcome| gate.opens(&outcome.query)).cloned();
            self.given.push_back(Given { id: id.to_owned(), open });
        }
        let more = self.given.len().saturating_sub(MOST);
        self.given.drain(..more);
        let mut cells = 0_usize;
        for given in self.given.iter_mut().rev() {
            let Some(outcome) = &given.open else { continue };
            let own = outcome.rows.len().saturating_mul(outcome.columns.len());
            let first = cells == 0;
            cells = cells.saturating_add(own);
            if cells > MOST_CELLS && !first {
                given.open = None;
            }
        }
    }

    /// Whether a call gave it, or would have, not too long ago.
    pub(super) fn has(&self, id: &str) -> bool {
        self.given.iter().any(|given| given.id == id)
    }

    /// What was found, where all of it may be told.
    pub(super) fn open(&self, id: &str) -> Option<Arc<Outcome>> {
        self.given.iter().find(|given| given.id == id)?.open.clone()
    }
}

impl fmt::Debug for Handed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.given.iter().map(|given| &given.id)).finish()
    }
}
