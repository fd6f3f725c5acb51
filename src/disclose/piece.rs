//! The only kind of text that may leave.

use std::collections::BTreeSet;

/// A piece of text that may leave the page, made by a [`Gate`](super::Gate) and by nothing else.
///
/// It can be read by anybody:
///
/// ```
/// use pinhole::disclose::{Disclosed, Gate, Policy};
/// let policy = Policy::default();
/// let piece: Disclosed = Gate::new(&policy).constant("hello");
/// assert_eq!(piece.as_str(), "hello");
/// ```
///
/// but not made from a text of one's own:
///
/// ```compile_fail,E0451
/// use pinhole::disclose::{Disclosed, Provenance};
/// let piece = Disclosed { text: "a row".to_owned(), policy: String::new(), provenance: Provenance::default() };
/// ```
///
/// ```compile_fail,E0277
/// use pinhole::disclose::Disclosed;
/// let piece: Disclosed = "a row".into();
/// ```
///
/// ```compile_fail,E0277
/// use pinhole::disclose::Disclosed;
/// let piece: Disclosed = String::from("a row").into();
/// ```
///
/// ```compile_fail,E0277
/// use pinhole::disclose::Disclosed;
/// let piece: Disclosed = serde_json::from_str("\"a row\"").unwrap();
/// ```
///
/// ```compile_fail,E0277
/// use pinhole::disclose::Disclosed;
/// let piece: Disclosed = "a row".parse().unwrap();
/// ```
///
/// ```compile_fail,E0599
/// use pinhole::disclose::Disclosed;
/// let piece = Disclosed::default();
/// ```
///
/// ```compile_fail,E0624
/// use pinhole::disclose::{Disclosed, Policy, Provenance};
/// let piece = Disclosed::new("a row".to_owned(), &Policy::default(), Provenance::default());
/// ```
///
/// nor changed:
///
/// ```compile_fail,E0616
/// use pinhole::disclose::{Gate, Policy};
/// let policy = Policy::default();
/// let mut piece = Gate::new(&policy).constant("hello");
/// piece.text.push_str("a row");
/// ```
///
/// and a gate takes no computed text for a constant:
///
/// ```compile_fail,E0597
/// use pinhole::disclose::{Gate, Policy};
/// let policy = Policy::default();
/// let row = String::from("a row");
/// let piece = Gate::new(&policy).constant(&row);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disclosed {
    /// What leaves.
    text: String,
    /// The hash of the policy it was made under; empty where several were mixed.
    policy: String,
    /// What it tells of.
    provenance: Provenance,
}

/// What a piece tells of.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Provenance {
    /// Tables whose columns it may name.
    pub(super) tables: BTreeSet<String>,
    /// Columns (`table.column`) of whose values it tells something: statistics, a value, a range.
    pub(super) columns: BTreeSet<String>,
    /// Results (`r1`) it summarises or counts.
    pub(super) results: BTreeSet<String>,
    /// What it keeps back.
    pub(super) withheld: Vec<super::Withheld>,
}

impl Provenance {
    /// Tables whose columns it may name.
    pub fn tables(&self) -> &BTreeSet<String> {
        &self.tables
    }

    /// Columns (`table.column`) of whose values it tells something.
    pub fn columns(&self) -> &BTreeSet<String> {
        &self.columns
    }

    /// Results (`r1`) it tells of.
    pub fn results(&self) -> &BTreeSet<String> {
        &self.results
    }

    /// True where nothing of the data is told.
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty() && self.columns.is_empty() && self.results.is_empty()
    }

    /// Adds what `other` tells of.
    pub(super) fn add(&mut self, other: &Self) {
        self.tables.extend(other.tables.iter().cloned());
        self.columns.extend(other.columns.iter().cloned());
        self.results.extend(other.results.iter().cloned());
        for one in &other.withheld {
            self.keep_back(one.clone());
        }
    }
}

impl Disclosed {
    pub(super) fn new(text: String, policy: &super::Policy, provenance: Provenance) -> Self {
        Self { text, policy: policy.hash().to_owned(), provenance }
    }

    /// `pieces` one after another with `separator` between those that are not empty.
    pub(super) fn join(pieces: &[Self], separator: &str, policy: &super::Policy) -> Self {
        let mut joined = Self::new(String::new(), policy, Provenance::default());
        for piece in pieces.iter().filter(|p| !p.text.is_empty()) {
            if !joined.text.is_empty() {
                joined.text.push_str(separator);
            }
            joined.text.push_str(&piece.text);
            joined.provenance.add(&piece.provenance);
            if !piece.is_current(policy) {
                joined.policy.clear();
            }
        }
        joined
    }

    /// The same, and it tells of this as well.
    pub(super) fn telling_of(mut self, more: &Provenance) -> Self {
        self.provenance.add(more);
        self
    }

    /// What leaves.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What it tells of.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }

    /// False for a piece that tells of data as another policy allowed.
    pub(super) fn is_current(&self, policy: &super::Policy) -> bool {
        self.provenance.is_empty() || self.policy == policy.hash()
    }
}
