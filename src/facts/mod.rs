//! The outcome of a query as facts: what each value is, what it is called, what it is measured in
//! and where it came from. Summaries, references and checks all stand on this.

mod grown;
mod path;
mod support;
#[cfg(test)]
mod tests;

pub use grown::Grown;
pub use path::{Count, NoPath, Path, RowOf, Stat};
pub use support::{LEFT_OUT, NONE, Support, gives_value_of};

use crate::query::CheckedQuery;
use crate::query::check::{OutputColumn, ResultKind, Role, Warning};
use crate::schema::Kind;
use crate::value::{Rows, Value};
use std::sync::Arc;

/// Where a table has no time column, this many leading text columns say which entity a row is.
const ENTITY_COLUMNS: usize = 3;

/// The result of one query: the whole evidence, and how it came about. It stays on the device; only
/// `disclose` may make something of it that leaves.
#[derive(Clone)]
pub struct Outcome {
    /// The result id (`r1`).
    pub id: String,
    /// What was run.
    pub query: Arc<CheckedQuery>,
    /// The columns of `rows`, with their roles.
    pub columns: Vec<OutputColumn>,
    /// The final rows: of the table (A), the groups (D, E), or the single row of values (B, C).
    pub rows: Arc<dyn Rows>,
    /// Rows that entered `where`.
    pub rows_scanned: u64,
    /// Rows that left it.
    pub rows_matched: u64,
    /// Rows of the final table before `limit`, where `limit` cut something.
    pub rows_before_limit: Option<u64>,
    /// Everything that changed the meaning.
    pub warnings: Vec<Warning>,
}

/// One value of a result, and everything that says what it is.
#[derive(Debug, Clone, PartialEq)]
pub struct Fact {
    /// Where it stands.
    pub path: Path,
    /// What it is about: the group's keys, or what tells the row apart; empty for the whole.
    pub entity: Vec<(String, Value)>,
    /// The column, statistic (`max gap`) or count it is.
    pub measure: String,
    /// What it is measured in.
    pub unit: Option<String>,
    /// The exact value.
    pub value: Value,
    /// Where it came from.
    pub provenance: Provenance,
}

/// Where a fact came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provenance {
    /// The result.
    pub result: String,
    /// The table it was made from.
    pub table: String,
    /// The load of that table.
    pub version: u64,
    /// The row of the result, `None` for a fact about the whole.
    pub row: Option<usize>,
    /// The expression it comes from (`mean(gap)`), where the query has one.
    pub formula: Option<String>,
}

impl Outcome {
    /// The cell of the matrix.
    pub fn kind(&self) -> ResultKind {
        self.query.kind()
    }

    /// The number of the column named `name`.
    pub fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c.column.name == name)
    }

    /// The numbers of the columns with a role that `want` accepts.
    pub fn with_role(&self, want: impl Fn(&Role) -> bool) -> Vec<usize> {
        (0..self.columns.len())
            .filter(|&i| self.columns.get(i).is_some_and(|c| want(&c.role)))
            .collect()
    }

    /// The numbers of the group keys.
    pub fn keys(&self) -> Vec<usize> {
        self.with_role(|r| *r == Role::Key)
    }

    /// The numbers of the measures.
    pub fn measures(&self) -> Vec<usize> {
        self.with_role(|r| matches!(r, Role::Measure { .. }))
    }

    /// The columns that `sort` names, in its order.
    pub fn sorted(&self) -> Vec<usize> {
        self.query.sort().iter().filter_map(|key| self.column(&key.text)).collect()
    }

    /// The columns that tell a row apart: the keys of a group; of a table its time and series
    /// columns, and up to 3 leading text columns where it has no time column.
    pub fn naming(&self) -> Vec<usize> {
        if self.kind() != ResultKind::Table {
            return self.keys();
        }
        let mut naming = self.with_role(|r| matches!(r, Role::Time | Role::Series));
        if self.with_role(|r| *r == Role::Time).is_empty() {
            let text = (0..self.columns.len())
                .filter(|&c| self.columns.get(c).is_some_and(|o| o.column.kind == Kind::Text));
            naming.extend(text.take(ENTITY_COLUMNS));
            naming.sort_unstable();
            naming.dedup();
        }
        naming
    }

    /// The columns of a table that are told of its first and last row: those that name it, those
    /// made in `map` and those sorted by, in the order of the table. Lists are never told.
    pub fn telling(&self) -> Vec<usize> {
        let mut telling = self.naming();
        telling.extend(self.with_role(|r| *r == Role::Mapped));
        telling.extend(self.sorted());
        telling.retain(|&c| self.columns.get(c).is_some_and(|o| !o.column.kind.is_list()));
        telling.sort_unstable();
        telling.dedup();
        telling
    }

    /// The columns of a table that statistics are told of: numeric ones made in `map`, then numeric
    /// ones sorted by.
    pub fn summed_up(&self) -> Vec<usize> {
        let mut numeric: Vec<usize> = Vec::new();
        for c in self.with_role(|r| *r == Role::Mapped).into_iter().chain(self.sorted()) {
            let is_numeric = self.columns.get(c).is_some_and(|o| o.column.kind.is_numeric());
            if is_numeric && !numeric.contains(&c) {
                numeric.push(c);
            }
        }
        numeric
    }

    /// The exact value of a cell.
    pub fn value(&self, row: usize, column: usize) -> Value {
        self.rows.value(row, column)
    }

    /// The fact at `path`, where the result has one.
    pub fn fact(&self, path: &Path) -> Option<Fact> {
        match path {
            Path::Count(count) => {
                let number = match count {
                    Count::Rows => self.rows.len() as u64,
                    Count::Matched => self.rows_matched,
                    Count::Scanned => self.rows_scanned,
                    Count::BeforeLimit => self.rows_before_limit?,
                };
                Some(Fact {
                    path: path.clone(),
                    entity: Vec::new(),
                    measure: count.name().to_owned(),
                    unit: None,
                    value: Value::Int(i64::try_from(number).ok()?),
                    provenance: self.provenance(None, None),
                })
            }
            Path::Stat(name, stat) => {
                let column = self.column(name)?;
                let output = self.columns.get(column)?;
                let stats = self.rows.stats(column);
                let value = match stat {
                    Stat::Min => stats.min,
                    Stat::Max => stats.max,
                    Stat::Mean => stats.mean,
                    Stat::Nulls => Value::Int(i64::try_from(stats.nulls).ok()?),
                };
                Some(Fact {
                    path: path.clone(),
                    entity: Vec::new(),
                    measure: format!("{} {name}", stat.name()),
                    unit: output.column.unit.clone().filter(|_| *stat != Stat::Nulls),
                    value,
                    provenance: self.provenance(None, Some(name)),
                })
            }
            Path::Cell(row, name) => {
                let column = self.column(name)?;
                let row = self.row(row)?;
                let mut fact = self.cell(row, column)?;
                fact.path = path.clone();
                Some(fact)
            }
        }
    }

    /// The fact in a cell, under the path that says most: `[dow=Fri].mean_gap` of groups,
    /// `[#3].close` of rows, `mean_gap` of values.
    pub fn cell(&self, row: usize, column: usize) -> Option<Fact> {
        let output = self.columns.get(column).filter(|_| row < self.rows.len())?;
        let name = &output.column.name;
        let told = |c: usize| self.columns.get(c).map(|o| (o.column.name.clone(), c));
        let entity: Vec<(String, Value)> = self
            .naming()
            .into_iter()
            .filter(|&c| c != column)
            .filter_map(told)
            .map(|(name, c)| (name, self.value(row, c)))
            .collect();
        let row_of = match self.kind() {
            ResultKind::Scalar | ResultKind::Dict => RowOf::Only,
            ResultKind::Table => RowOf::Number(row),
            ResultKind::Grouped => RowOf::Keys(
                self.keys()
                    .into_iter()
                    .filter_map(told)
                    .map(|(name, c)| (name, self.written(row, c)))
                    .collect(),
            ),
        };
        Some(Fact {
            path: Path::Cell(row_of, name.clone()),
            entity,
            measure: name.clone(),
            unit: output.column.unit.clone(),
            value: self.value(row, column),
            provenance: self.provenance(Some(row), Some(name)),
        })
    }

    /// The facts that a summary tells of: the counts, then values, statistics with the first and
    /// last row, or the extremes of each measure. As many as the columns ask for, whatever the rows.
    pub fn facts(&self) -> Vec<Fact> {
        let counts = [Count::Rows, Count::Matched, Count::Scanned, Count::BeforeLimit];
        let mut paths: Vec<Path> = counts.into_iter().map(Path::Count).collect();
        let name = |c: &usize| self.columns.get(*c).map(|o| o.column.name.clone());
        match self.kind() {
            ResultKind::Scalar | ResultKind::Dict => {
                let names = self.measures();
                paths.extend(names.iter().filter_map(name).map(|n| Path::Cell(RowOf::Only, n)));
            }
            ResultKind::Table if self.rows.is_empty() => {}
            ResultKind::Table => {
                for column in self.summed_up().iter().filter_map(name) {
                    let stats = [Stat::Min, Stat::Max, Stat::Mean];
                    paths.extend(stats.map(|stat| Path::Stat(column.clone(), stat)));
                }
                for row in [RowOf::First, RowOf::Last].into_iter().take(self.rows.len()) {
                    let told = self.telling();
                    let cells = told.iter().filter_map(name);
                    paths.extend(cells.map(|n| Path::Cell(row.clone(), n)));
                }
            }
            ResultKind::Grouped => {
                let extremes = self.measures().into_iter().flat_map(|measure| {
                    let (min, max) = self.extremes(measure, |_| true);
                    [min, max].into_iter().flatten().map(move |(row, _)| (row, measure))
                });
                paths.extend(extremes.filter_map(|(row, c)| Some(self.cell(row, c)?.path)));
            }
        }
        paths.iter().filter_map(|path| self.fact(path)).collect()
    }

    /// The first rows with the smallest and the largest value of a column, among those that `among`
    /// accepts and whose keys are not null, each with the number of rows that share the value.
    #[expect(clippy::type_complexity, reason = "a pair of the same thing")]
    pub fn extremes(
        &self,
        column: usize,
        among: impl Fn(usize) -> bool,
    ) -> (Option<(usize, u64)>, Option<(usize, u64)>) {
        use std::cmp::Ordering;
        // most keys are never null: those need no look
        let keys: Vec<usize> =
            self.keys().into_iter().filter(|&key| self.rows.nulls(key) > 0).collect();
        let mut held: [Option<(usize, Value, u64)>; 2] = [None, None];
        for row in 0..self.rows.len() {
            let value = self.value(row, column);
            let named = || keys.iter().all(|&key| !self.value(row, key).is_null());
            if value.is_null() || !among(row) || !named() {
                continue;
            }
            for (best, side) in held.iter_mut().zip([Ordering::Less, Ordering::Greater]) {
                match best {
                    Some((_, most, ties)) => {
                        let order = value.total_cmp(most);
                        if order == side {
                            *best = Some((row, value.clone(), 1));
                        } else if order == Ordering::Equal {
                            *ties += 1;
                        }
                    }
                    None => *best = Some((row, value.clone(), 1)),
                }
            }
        }
        let [min, max] = held.map(|best| best.map(|(row, _, ties)| (row, ties)));
        (min, max)
    }

    fn row(&self, row: &RowOf) -> Option<usize> {
        let rows = self.rows.len();
        match row {
            RowOf::Only => (rows == 1).then_some(0),
            RowOf::First => (rows > 0).then_some(0),
            RowOf::Last => rows.checked_sub(1),
            RowOf::Number(row) => (*row < rows).then_some(*row),
            RowOf::Keys(keys) => {
                let keys: Vec<(usize, &String)> = keys
                    .iter()
                    .map(|(name, value)| Some((self.column(name)?, value)))
                    .collect::<Option<_>>()?;
                (0..rows).find(|&r| keys.iter().all(|&(c, value)| self.written(r, c) == *value))
            }
        }
    }

    /// A cell as a path writes it: exact, a daily timestamp as its date.
    fn written(&self, row: usize, column: usize) -> String {
        let value = self.value(row, column);
        let date_only = self.columns.get(column).is_some_and(|c| c.date_only);
        match value.date().filter(|_| date_only) {
            Some(date) => date.format("%Y-%m-%d").to_string(),
            None => value.to_string(),
        }
    }

    fn provenance(&self, row: Option<usize>, column: Option<&str>) -> Provenance {
        let schema = self.query.schema();
        let mut made = self.query.measures().iter().chain(self.query.keys());
        let mapped = self.query.map();
        let formula = column.and_then(|name| {
            let found = made.find(|named| named.name == name);
            found.or_else(|| mapped.iter().rev().find(|named| named.name == name))
        });
        Provenance {
            result: self.id.clone(),
            table: schema.name.clone(),
            version: schema.version,
            row,
            formula: formula.map(|named| named.text.clone()),
        }
    }
}
