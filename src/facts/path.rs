//! Where a fact stands in a result, as text: `rows_matched`, `mean_gap`, `stats.gap.max`,
//! `first.close`, `[dow=Fri].mean_gap`, `[#3].close`.

use std::fmt;
use std::str::FromStr;

/// A place in a result.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Path {
    /// A number of rows: `rows`.
    Count(Count),
    /// A statistic of a column over the final rows: `stats.gap.max`.
    Stat(String, Stat),
    /// A cell: `[dow=Fri].mean_gap`, or `mean_gap` in a result of one row.
    Cell(RowOf, String),
}

/// A number that every result has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Count {
    /// Final rows or groups.
    Rows,
    /// Rows that left `where`.
    Matched,
    /// Rows that entered `where`.
    Scanned,
    /// Rows or groups before `limit`.
    BeforeLimit,
}

/// A statistic of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stat {
    /// Smallest value.
    Min,
    /// Largest value.
    Max,
    /// Arithmetic mean.
    Mean,
    /// Rows without a value.
    Nulls,
}

/// Which row a cell is in.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum RowOf {
    /// The only one.
    Only,
    /// The first in the order of the result.
    First,
    /// The last.
    Last,
    /// By number, from 0; written from 1.
    Number(usize),
    /// The first whose columns read so.
    Keys(Vec<(String, String)>),
}

const COUNTS: [(Count, &str); 4] = [
    (Count::Rows, "rows"),
    (Count::Matched, "rows_matched"),
    (Count::Scanned, "rows_scanned"),
    (Count::BeforeLimit, "rows_before_limit"),
];

const STATS: [(Stat, &str); 4] =
    [(Stat::Min, "min"), (Stat::Max, "max"), (Stat::Mean, "mean"), (Stat::Nulls, "nulls")];

impl Count {
    /// The name in paths and summaries.
    pub fn name(self) -> &'static str {
        COUNTS.iter().find(|(count, _)| *count == self).map_or("rows", |(_, name)| name)
    }
}

impl Stat {
    /// The name in paths and summaries.
    pub fn name(self) -> &'static str {
        STATS.iter().find(|(stat, _)| *stat == self).map_or("min", |(_, name)| name)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => f.write_str(count.name()),
            Self::Stat(column, stat) => write!(f, "stats.{}.{}", quoted(column), stat.name()),
            Self::Cell(RowOf::Only, column) if is_reserved(column) => write!(f, "`{column}`"),
            Self::Cell(RowOf::Only, column) => f.write_str(&quoted(column)),
            Self::Cell(RowOf::First, column) => write!(f, "first.{}", quoted(column)),
            Self::Cell(RowOf::Last, column) => write!(f, "last.{}", quoted(column)),
            Self::Cell(RowOf::Number(row), column) => {
                write!(f, "[#{}].{}", row.saturating_add(1), quoted(column))
            }
            Self::Cell(RowOf::Keys(keys), column) => {
                let keys: Vec<String> =
                    keys.iter().map(|(k, v)| format!("{}={}", quoted(k), quoted(v))).collect();
                write!(f, "[{}].{}", keys.join(", "), quoted(column))
            }
        }
    }
}

/// A column of such a name is written in back-quotes where it stands alone.
fn is_reserved(name: &str) -> bool {
    COUNTS.iter().any(|(_, count)| *count == name)
}

/// A name or value as it stands in a path: in back-quotes unless it is a plain word.
fn quoted(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain { name.to_owned() } else { format!("`{}`", name.replace('`', "``")) }
}

/// The text is no path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a path to a fact")]
pub struct NoPath;

impl FromStr for Path {
    type Err = NoPath;

    /// Reads what [`fmt::Display`] writes; names and values may stand in back-quotes.
    fn from_str(text: &str) -> Result<Self, NoPath> {
        let mut rest = Rest(text.trim());
        let path = if rest.take('[') {
            let row = if rest.take('#') {
                let number: usize = rest.word()?.0.parse().map_err(|_| NoPath)?;
                RowOf::Number(number.checked_sub(1).ok_or(NoPath)?)
            } else {
                let mut keys = Vec::new();
                loop {
                    let key = rest.word()?.0;
                    rest.take('=').then_some(()).ok_or(NoPath)?;
                    keys.push((key, rest.value()?));
                    if !rest.take(',') {
                        break;
                    }
                }
                RowOf::Keys(keys)
            };
            (rest.take(']') && rest.take('.')).then_some(()).ok_or(NoPath)?;
            Self::Cell(row, rest.word()?.0)
        } else {
            let (first, bare) = rest.word()?;
            if rest.take('.') {
                let (second, _) = rest.word()?;
                match (first.as_str(), rest.take('.')) {
                    ("stats", true) => {
                        let (third, _) = rest.word()?;
                        let stat = STATS.iter().find(|(_, name)| *name == third).ok_or(NoPath)?.0;
                        Self::Stat(second, stat)
                    }
                    ("first", false) => Self::Cell(RowOf::First, second),
                    ("last", false) => Self::Cell(RowOf::Last, second),
                    _ => return Err(NoPath),
                }
            } else {
                match COUNTS.iter().find(|(_, name)| bare && *name == first) {
                    Some((count, _)) => Self::Count(*count),
                    None => Self::Cell(RowOf::Only, first),
                }
            }
        };
        if rest.0.is_empty() { Ok(path) } else { Err(NoPath) }
    }
}

/// What is left to read.
struct Rest<'a>(&'a str);

impl Rest<'_> {
    fn take(&mut self, mark: char) -> bool {
        match self.0.trim_start().strip_prefix(mark) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    /// A word, and whether it stands without back-quotes.
    fn word(&mut self) -> Result<(String, bool), NoPath> {
        self.until(|c| !c.is_alphanumeric() && c != '_')
    }

    /// A value: without back-quotes it ends at a comma or the bracket.
    fn value(&mut self) -> Result<String, NoPath> {
        self.until(|c| matches!(c, ',' | ']')).map(|(value, _)| value)
    }

    fn until(&mut self, ends: impl Fn(char) -> bool) -> Result<(String, bool), NoPath> {
        if !self.take('`') {
            let rest = self.0.trim_start();
            let (word, after) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
            self.0 = after;
            let word = word.trim_end();
            return if word.is_empty() { Err(NoPath) } else { Ok((word.to_owned(), true)) };
        }
        let mut word = String::new();
        loop {
            let (before, after) = self.0.split_once('`').ok_or(NoPath)?;
            word.push_str(before);
            self.0 = after;
            match after.strip_prefix('`') {
                Some(more) => {
                    word.push('`');
                    self.0 = more;
                }
                None => return Ok((word, false)),
            }
        }
    }
}
