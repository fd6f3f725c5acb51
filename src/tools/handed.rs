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
    /// What was found, where all of it could be told.
    open: Option<Found>,
}

/// A result as it was when it was given. What is protected may be less by now: a table that is
/// loaded again says anew what is.
#[derive(Clone)]
pub(super) struct Found {
    /// For the person.
    pub(super) whole: Arc<Outcome>,
    /// What of it a model could know then.
    pub(super) known: Arc<Outcome>,
}

impl Found {
    fn new(whole: &Arc<Outcome>, gate: &Gate) -> Option<Self> {
        let known = gate.checkable(whole).filter(|_| gate.opens(&whole.query))?;
        Some(Self { whole: Arc::clone(whole), known: Arc::new(known) })
    }

    /// Cells that a model could know of: how many others there are tells of what is withheld.
    fn cells(&self) -> usize {
        self.known.rows.len().saturating_mul(self.known.columns.len())
    }
}

impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.whole.id)
    }
}

impl Handed {
    /// Notes what a call gave, as far as the policy of the moment lets a model know it.
    pub fn note(&mut self, result: &ToolResult, gate: &Gate) {
        for (id, found) in result.ids() {
            let open = found.and_then(|outcome| Found::new(outcome, gate));
            self.given.push_back(Given { id: id.to_owned(), open });
        }
        let more = self.given.len().saturating_sub(MOST);
        self.given.drain(..more);
        let mut cells = 0_usize;
        for given in self.given.iter_mut().rev() {
            let Some(own) = given.open.as_ref().map(Found::cells) else { continue };
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

    /// What was found, where all of it could be told.
    pub(super) fn open(&self, id: &str) -> Option<Found> {
        self.given.iter().find(|given| given.id == id)?.open.clone()
    }
}

impl fmt::Debug for Handed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.given.iter().map(|given| &given.id)).finish()
    }
}
