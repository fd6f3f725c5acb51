//! What a request keeps back, for the person's ledger: kinds, names that may be named, counts. Never
//! a value, and no name of a hidden column.

use super::Provenance;
use super::guard::{Part, Reason};
use super::mask::MASKED;
use crate::facts::Outcome;
use crate::query::check::ResultKind;
use serde::{Deserialize, Serialize};

/// Something that a request does not say.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Withheld {
    /// What it is.
    pub what: What,
    /// Why it is withheld.
    pub why: Why,
    /// The table, the column (`table.column`), the result (`r1`) or the column of a result (`r1.mean`)
    /// that it is of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<String>,
    /// How many there are of it, where they are counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
}

/// What is withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// Columns of a table: their names and all else of them.
    Columns,
    /// The values of a column, or of all columns of a table.
    Values,
    /// All that a result says.
    Result,
    /// The rows of a result; statistics over all of them are told.
    Rows,
    /// Groups of a result.
    Groups,
    /// A column of a result.
    Measure,
    /// Names, or values to choose from, in a message about an input.
    Names,
    /// Words that the person typed.
    Words,
    /// The facts behind claims of the model.
    Claims,
    /// Parts of the conversation from before.
    Earlier,
}

/// Why something is withheld.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// A column is hidden.
    Hidden,
    /// A column is told of in aggregates alone.
    Aggregate,
    /// A protected column is used otherwise than alone under an aggregate.
    Use,
    /// Statements of which it is not known how many rows stand behind a value.
    Sql,
    /// The level of the policy.
    Level,
    /// Fewer than k rows stand behind it, or it would give such away.
    FewRows,
    /// With what was told before, something about fewer than k rows could be computed.
    Differencing,
    /// What it is made of is not known, or no longer.
    Unknown,
    /// A protected cell says the same.
    Cell,
    /// The policy has changed since.
    PolicyChanged,
    /// The policy, in one of these ways: which would tell of what is withheld.
    Policy,
}

impl From<Reason> for Why {
    fn from(reason: Reason) -> Self {
        match reason {
            Reason::Hidden => Self::Hidden,
            Reason::Used => Self::Use,
            Reason::Sql => Self::Sql,
            Reason::Unknown => Self::Unknown,
            Reason::Few => Self::FewRows,
            Reason::Close => Self::Differencing,
        }
    }
}

impl Withheld {
    /// Something of which there is one.
    pub(super) fn new(what: What, why: impl Into<Why>) -> Self {
        Self { what, why: why.into(), of: None, count: None }
    }

    pub(super) fn of(self, of: impl Into<String>) -> Self {
        Self { of: Some(of.into()), ..self }
    }

    pub(super) fn count(self, count: u64) -> Self {
        Self { count: Some(count), ..self }
    }

    /// How many masks stand in a text, if any.
    pub(super) fn masks(text: &str, what: What, why: Why) -> Option<Self> {
        let count = text.matches(MASKED).count() as u64;
        (count > 0).then(|| Self::new(what, why).count(count))
    }

    /// What is said twice of one thing counts once; words and claims of several messages add up.
    fn adds_up(&self) -> bool {
        matches!(self.what, What::Words | What::Claims | What::Names | What::Earlier)
    }
}

impl Part {
    /// What is not told of a result of which this part is.
    pub(super) fn kept_back(&self, outcome: &Outcome) -> Vec<Withheld> {
        let id = &outcome.id;
        let mut kept = Vec::new();
        if outcome.kind() == ResultKind::Table {
            kept.push(Withheld::new(What::Rows, Why::Level).of(id));
        }
        if self.suppressed > 0 {
            kept.push(Withheld::new(What::Groups, Why::FewRows).of(id).count(self.suppressed));
        }
        let measure = |name: &String| {
            let name = crate::summary::cut(&crate::summary::clean(name), 80);
            Withheld::new(What::Measure, Why::FewRows).of(format!("{id}.{name}"))
        };
        kept.extend(self.dropped.iter().map(measure));
        kept
    }
}

impl Provenance {
    /// What it keeps back.
    pub fn withheld(&self) -> &[Withheld] {
        &self.withheld
    }

    /// The same, keeping something more back.
    #[must_use]
    pub(super) fn without(mut self, withheld: impl IntoIterator<Item = Withheld>) -> Self {
        for one in withheld {
            self.keep_back(one);
        }
        self
    }

    pub(super) fn keep_back(&mut self, one: Withheld) {
        let same = |known: &&mut Withheld| {
            (known.what, known.why, &known.of) == (one.what, one.why, &one.of)
        };
        match self.withheld.iter_mut().find(same) {
            Some(known) if known.adds_up() => {
                known.count = Some(known.count.unwrap_or(1) + one.count.unwrap_or(1));
            }
            Some(known) => known.count = known.count.max(one.count),
            None => self.withheld.push(one),
        }
    }
}
