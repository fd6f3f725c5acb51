//! What bars a record as things are: another day, a policy against scripts, and of several calls
//! anything else than what they stand on.

use super::ask::Scope;
use super::record::{Kind, LANGUAGE_VERSION, Record};

/// Why a record does not run as things are, though nothing is wrong with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bar {
    /// Its days were counted from another day.
    Day,
    /// A model wrote a script of it, and the policy lets none run.
    Scripts,
    /// Its calls stand on other rows, or on another policy.
    Over,
    /// The rows of the tables have to be known first.
    Unread,
}

impl Scope {
    /// The same, with what lists of calls stand on, where the rows of all tables are known: what tells
    /// the rows of each from others, and what else the calls go by.
    #[must_use]
    pub fn with_over(mut self, over: Option<Vec<String>>) -> Self {
        self.over = over;
        self
    }

    /// What a list of calls that is kept now stands on, where that is known.
    pub fn over(&self) -> Option<&[String]> {
        self.over.as_deref()
    }

    /// Whether a record was passed over since this was asked last because the rows of the tables are
    /// not known yet: once they are, the same look-up may find it.
    pub fn wants_rows(&self) -> bool {
        self.unread.take()
    }

    /// What bars a record as things are.
    pub fn bar(&self, record: &Record) -> Option<Bar> {
        let scripted = matches!(record.kind, Kind::Script | Kind::Calls);
        if record.by_model && scripted && !self.scripts {
            return Some(Bar::Scripts);
        }
        if record.of_day.is_some() && record.of_day.as_deref() != self.day() {
            return Some(Bar::Day);
        }
        if record.over.is_empty() {
            return None;
        }
        // What is known of the tables without a look at their rows often tells that they are others.
        let known = record.asked_with.is_empty() || record.asked_with == self.prints();
        let same = known
            && record.schema_fingerprint == self.fingerprint()
            && record.policy_hash == self.policy_hash()
            && record.language_version == LANGUAGE_VERSION;
        match &self.over {
            _ if !same => Some(Bar::Over),
            None => Some(Bar::Unread),
            Some(over) => (*over != record.over).then_some(Bar::Over),
        }
    }

    /// Whether a record may run as things are.
    pub(super) fn lets_run(&self, record: &Record) -> bool {
        let bar = self.bar(record);
        if bar == Some(Bar::Unread) {
            self.unread.set(true);
        }
        bar.is_none()
    }
}
