//! What the results of a question lack and their queries can still give: the mean over all rows
//! behind the means of groups, the total behind a list that was cut, the groups that a limit left out.
//! Computed when a draft says it.

use crate::disclose::Gate;
use crate::facts::Outcome;
use crate::query::check::ResultKind;
use crate::query::{CheckedQuery, Query, check as check_query};
use crate::validate::claims::Recompute;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// A result and the query of what it lacks.
type Key = (String, String);

/// What was computed so far; nothing where that failed, so that it is not tried again.
#[derive(Default)]
pub(super) struct Wholes(HashMap<Key, Option<Arc<Outcome>>>);

impl Wholes {
    /// Takes in what came of a query.
    pub(super) fn learn(&mut self, wanted: Wanted, found: Option<Arc<Outcome>>) {
        self.0.insert(wanted.key, found);
    }
}

/// A query that a check asks for.
pub(super) struct Wanted {
    key: Key,
    pub checked: Arc<CheckedQuery>,
}

/// Answers a check with what was computed, and notes what was not.
pub(super) struct Asker<'a> {
    pub wholes: &'a Wholes,
    /// The results as they are.
    pub outcomes: &'a [&'a Outcome],
    /// Where the model hears of the check: what of it may be computed. What it is told must not rest
    /// on a value that it could not have asked for, nor on whether there is one.
    pub gate: Option<&'a Gate<'a>>,
    pub wanted: &'a RefCell<Vec<Wanted>>,
}

impl Asker<'_> {
    /// True where all that these queries give may be told.
    fn may_tell(&self, evidence: &CheckedQuery, whole: &CheckedQuery) -> bool {
        self.gate.is_none_or(|gate| gate.opens(evidence) && gate.opens(whole))
    }
}

impl Recompute for Asker<'_> {
    fn run(&self, evidence: &Outcome, query: &Query) -> Option<Outcome> {
        // The evidence may be what a model knows of it.
        let own = self.outcomes.iter().find(|outcome| outcome.id == evidence.id)?;
        let checked = check_query(query, &[Arc::clone(own.query.schema())]).ok()?;
        if !self.may_tell(&own.query, &checked) {
            return None;
        }
        let key = (evidence.id.clone(), checked.canonical().to_string());
        let Some(found) = self.wholes.0.get(&key) else {
            let mut wanted = self.wanted.borrow_mut();
            if wanted.iter().all(|other| other.key != key) {
                wanted.push(Wanted { key, checked: Arc::new(checked) });
            }
            return None;
        };
        let found = found.as_deref()?;
        let found = Outcome { id: id_of(&evidence.id, found), ..found.clone() };
        match self.gate {
            Some(gate) => gate.checkable(&found),
            None => Some(found),
        }
    }
}

/// A name of its own: what is decided about the result is not decided about this.
pub(super) fn id_of(evidence: &str, found: &Outcome) -> String {
    match found.kind() {
        ResultKind::Grouped => format!("all:{evidence}"),
        _ => format!("whole:{evidence}"),
    }
}
