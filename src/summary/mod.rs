//! From a result to the small typed value that a model may see.
//!
//! Its size depends on the number of columns, never on the number of rows. Only [`summarise`] makes
//! one, and nothing can be put into it afterwards; whether it may leave is up to `disclose`.

mod build;
mod display;
#[cfg(test)]
pub(crate) mod fixture;
mod json;
mod preview;
#[cfg(test)]
mod tests;
mod text;

pub use build::summarise;
use display::TEXT_LENGTH;
pub(crate) use display::{add, cut, inline};
pub use display::{clean, display, round};
pub use preview::preview;
pub use text::estimate_tokens;

use crate::error::Locale;
use crate::facts::Outcome;
use crate::query::CheckedQuery;
use crate::query::check::Warning;
use crate::value::Value;
use serde::{Serialize, Serializer};
use std::sync::Arc;

/// How to summarise.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// List every group, where there are no more than [`MOST_GROUPS`].
    pub all_groups: bool,
}

/// Every group is listed up to this many.
pub const MOST_GROUPS: usize = 24;

/// Model texts stay under this many tokens, warnings aside.
pub const BUDGET: usize = 200;

/// The budget where every group is listed.
pub const BUDGET_ALL_GROUPS: usize = 400;

/// A column list in the JSON form is cut after this many names.
pub const MOST_COLUMNS: usize = 20;

/// What a model may hear of a result. Values in it are rounded for reading, dates are ISO text.
#[derive(Debug, Clone)]
pub enum Summary {
    /// One aggregate over all rows.
    Scalar(Scalar),
    /// Several aggregates over all rows.
    Dict(Dict),
    /// Rows.
    Table(TableSummary),
    /// Groups.
    Grouped(Grouped),
}

/// What every kind has.
#[derive(Debug, Clone)]
pub(crate) struct Common {
    /// Rows that entered `where`.
    rows_scanned: u64,
    /// Rows that left it.
    rows_matched: u64,
    /// Everything that changed the meaning, each once.
    warnings: Vec<Warning>,
    /// The result it was made of.
    id: String,
    /// What was run.
    query: Arc<CheckedQuery>,
}

/// A value under its column's name.
type Cell = (String, Value);

/// One aggregate over all rows.
#[derive(Debug, Clone)]
pub struct Scalar {
    value: Value,
    name: String,
    common: Common,
}

/// Several aggregates over all rows, in the order of `select`.
#[derive(Debug, Clone)]
pub struct Dict {
    values: Vec<Cell>,
    common: Common,
}

/// Rows: how many, which columns, statistics of the columns that matter, the first and the last row.
#[derive(Debug, Clone)]
pub struct TableSummary {
    rows: u64,
    rows_before_limit: Option<u64>,
    columns: Vec<String>,
    stats: Vec<(String, ColumnStats)>,
    first: Vec<Cell>,
    last: Vec<Cell>,
    common: Common,
}

/// Statistics of a column over the final rows.
#[derive(Debug, Clone)]
struct ColumnStats {
    min: Value,
    max: Value,
    mean: Value,
    nulls: usize,
}

/// Groups: how many, by what, and the extremes of each measure.
#[derive(Debug, Clone)]
pub struct Grouped {
    rows: u64,
    rows_before_limit: Option<u64>,
    /// Groups that the policy withholds; they are not among `rows`.
    suppressed: u64,
    by: Vec<String>,
    /// Never empty: the first is the one that `min` and `max` speak of.
    measures: Vec<Measure>,
    /// Every group, keys first, where asked for.
    groups: Option<Vec<Vec<Cell>>>,
    /// How many of the cells of each of `groups` are keys.
    keys: usize,
    common: Common,
}

/// An aggregate of a grouped result. No extremes where every group's value or key is null.
#[derive(Debug, Clone)]
struct Measure {
    name: String,
    min: Option<Extreme>,
    max: Option<Extreme>,
}

/// The group with the smallest or largest value.
#[derive(Debug, Clone)]
struct Extreme {
    /// The group's keys and the value.
    cells: Vec<Cell>,
    /// How many groups have that value.
    ties: u64,
}

impl Summary {
    fn common(&self) -> &Common {
        match self {
            Self::Scalar(s) => &s.common,
            Self::Dict(s) => &s.common,
            Self::Table(s) => &s.common,
            Self::Grouped(s) => &s.common,
        }
    }

    fn common_mut(&mut self) -> &mut Common {
        match self {
            Self::Scalar(s) => &mut s.common,
            Self::Dict(s) => &mut s.common,
            Self::Table(s) => &mut s.common,
            Self::Grouped(s) => &mut s.common,
        }
    }

    /// Rows that entered `where`.
    pub fn rows_scanned(&self) -> u64 {
        self.common().rows_scanned
    }

    /// Rows that left it.
    pub fn rows_matched(&self) -> u64 {
        self.common().rows_matched
    }

    /// Rows of the final table, `None` for scalars and dicts.
    pub fn rows(&self) -> Option<u64> {
        match self {
            Self::Table(s) => Some(s.rows),
            Self::Grouped(s) => Some(s.rows),
            Self::Scalar(_) | Self::Dict(_) => None,
        }
    }

    /// Everything that changed the meaning: what the check said, what running said, and what the
    /// numbers themselves show (a filter that matched nothing, groups without a key).
    pub fn warnings(&self) -> &[Warning] {
        &self.common().warnings
    }

    /// True when it was made of this very result.
    pub fn is_of(&self, outcome: &Outcome) -> bool {
        let common = self.common();
        common.id == outcome.id && Arc::ptr_eq(&common.query, &outcome.query)
    }

    /// The text for models and people alike.
    pub fn model_text(&self, locale: Locale) -> String {
        text::render(self, locale)
    }

    /// The JSON form, warnings in English.
    pub fn to_json(&self) -> serde_json::Value {
        self.to_json_in(Locale::En)
    }

    /// The JSON form, warnings in `locale`.
    pub fn to_json_in(&self, locale: Locale) -> serde_json::Value {
        json::encode(self, locale)
    }

    /// True where every group is listed.
    pub(crate) fn lists_groups(&self) -> bool {
        matches!(self, Self::Grouped(Grouped { groups: Some(_), .. }))
    }

    /// The same without the first and the last row.
    pub(crate) fn without_ends(mut self) -> Self {
        if let Self::Table(table) = &mut self {
            table.first.clear();
            table.last.clear();
        }
        self
    }

    /// The same, saying that so many groups are withheld.
    pub(crate) fn with_suppressed(mut self, groups: u64) -> Self {
        if let Self::Grouped(grouped) = &mut self {
            grouped.suppressed = groups;
        }
        self
    }

    /// The same without what the named columns say of themselves (their names, first and last
    /// values, statistics), and with warnings as `mask` leaves them. No other number may depend on
    /// those columns: the gate withholds such results as a whole.
    pub(crate) fn without(&self, hidden: &[String], mask: impl Fn(&Warning) -> Warning) -> Self {
        let mut summary = self.clone();
        let seen = |name: &String| !hidden.contains(name);
        if let Self::Table(table) = &mut summary {
            table.columns.retain(seen);
            table.stats.retain(|(name, _)| seen(name));
            table.first.retain(|(name, _)| seen(name));
            table.last.retain(|(name, _)| seen(name));
        }
        let common = summary.common_mut();
        common.warnings = common.warnings.iter().map(mask).collect();
        summary
    }
}

/// The JSON form, warnings in English.
impl Serialize for Summary {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.to_json().serialize(serializer)
    }
}
