//! What a check leaves behind: a query whose every name, type and placement is known to be right.
//!
//! Fields are private to `query::check`, so nothing else can make one, and the engine's planner
//! takes nothing else.

pub use super::frame::Frame;
use crate::error::Text;
use crate::query::ast::{Arith, Compare};
use crate::query::functions::Function;
pub use crate::query::period::{Dates, Period};
pub use crate::query::timeframe::Timeframe;
use crate::schema::{Column, Kind, TableSchema};
use crate::value::Value;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A resolved expression. Price and candle functions are already expanded into what they mean,
/// chains of comparisons into conjunctions, and literals compared with dates into dates.
///
/// Nothing is cast: where numbers meet, an integer may stand beside a float and in the arguments of
/// a call whose kind is float, and widens. A bare `null` may stand wherever a value can.
#[derive(Debug, Clone, PartialEq)]
pub struct Typed {
    /// What it computes.
    pub node: Node,
    /// The kind of its values; `None` for a bare `null`.
    pub kind: Option<Kind>,
    /// What its values name, where that gives them an order of their own.
    pub domain: Option<Domain>,
    /// Its unit, where it follows from its parts.
    pub unit: Option<String>,
}

/// Text values with an order that is not the alphabet's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Domain {
    /// `Mon` … `Sun`
    Weekday,
    /// `Jan` … `Dec`
    Month,
}

impl Domain {
    /// The values in their order.
    pub fn values(self) -> &'static [&'static str] {
        match self {
            Self::Weekday => &["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"],
            Self::Month => &[
                "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
            ],
        }
    }
}

/// The forms of a resolved expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// A constant.
    Literal(Value),
    /// A column of the step's input, exact name. In a measure, outside aggregates, a group key by
    /// the name it has in the result; in `sort` and `columns` of groups, a column of the result.
    Column(String),
    /// `-x`
    Neg(Box<Typed>),
    /// `not x`, three-valued.
    Not(Box<Typed>),
    /// Arithmetic; `Div` and `Pow` give floats; `Div`, `FloorDiv`, `Mod` by zero give null;
    /// integer overflow is an error.
    Arith(Arith, Box<Typed>, Box<Typed>),
    /// One comparison of two values of comparable kinds.
    Compare(Compare, Box<Typed>, Box<Typed>),
    /// Membership in a list of constants of the value's kind.
    In {
        /// The value looked for.
        value: Box<Typed>,
        /// The constants.
        list: Vec<Value>,
        /// `not in`.
        negated: bool,
    },
    /// All of them (two or more).
    And(Vec<Typed>),
    /// Any of them (two or more).
    Or(Vec<Typed>),
    /// A function of the table in `query::functions`, every argument present (defaults filled in).
    Call {
        /// Its entry.
        function: &'static Function,
        /// All its arguments, in the signature's order.
        args: Vec<Typed>,
    },
}

impl Typed {
    /// Visits this expression and everything under it, parents first.
    pub fn visit<'a>(&'a self, f: &mut impl FnMut(&'a Typed)) {
        f(self);
        match &self.node {
            Node::Literal(_) | Node::Column(_) => {}
            Node::Neg(x) | Node::Not(x) => x.visit(f),
            Node::Arith(_, a, b) | Node::Compare(_, a, b) => {
                a.visit(f);
                b.visit(f);
            }
            Node::In { value, .. } => value.visit(f),
            Node::And(list) | Node::Or(list) | Node::Call { args: list, .. } => {
                for x in list {
                    x.visit(f);
                }
            }
        }
    }

    /// The columns it reads, each once, in order of appearance.
    pub fn columns(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        self.visit(&mut |e| {
            if let Node::Column(name) = &e.node
                && !names.contains(&name.as_str())
            {
                names.push(name);
            }
        });
        names
    }
}

/// A named expression: a map column, a group key, a member of `select`.
#[derive(Debug, Clone, PartialEq)]
pub struct Named {
    /// The name of the column it makes.
    pub name: String,
    /// What it computes.
    pub expr: Typed,
    /// Its canonical text.
    pub text: String,
}

/// One key of `sort`, over columns of the step's output (A) or of the grouped table (D, E).
/// For rows (A) the expression may read every column in sight before `columns` projects.
#[derive(Debug, Clone, PartialEq)]
pub struct SortKey {
    /// What to sort by.
    pub expr: Typed,
    /// Canonical text; a plain column's own name.
    pub text: String,
    /// Largest first. Nulls come last either way.
    pub descending: bool,
}

/// What kind of result a query has: cells A–E of the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ResultKind {
    /// A: rows.
    Table,
    /// B: one aggregate over all rows.
    Scalar,
    /// C: several aggregates over all rows.
    Dict,
    /// D and E: groups.
    Grouped,
}

/// What a column of a result is there for.
#[derive(Debug, Clone, PartialEq)]
pub enum Role {
    /// The time column.
    Time,
    /// The series column.
    Series,
    /// A column of the table.
    Source,
    /// Made or overwritten by `map`.
    Mapped,
    /// A group key.
    Key,
    /// A member of `select`.
    Measure {
        /// The aggregate's name where the member is a single call (`mean`), else `None`.
        aggregate: Option<&'static str>,
        /// The plain column under the aggregate, where there is one (`gap`).
        column: Option<String>,
    },
}

/// A column of the result.
#[derive(Debug, Clone, PartialEq)]
pub struct OutputColumn {
    /// Name, kind and unit.
    pub column: Column,
    /// What it is there for.
    pub role: Role,
    /// Its own order, where it has one.
    pub domain: Option<Domain>,
    /// For a time column: no time of day is shown (daily and longer bars).
    pub date_only: bool,
}

/// A warning that travels with the result to the person and the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Warning {
    /// Stable snake_case name.
    pub code: &'static str,
    /// The sentence.
    pub message: Text,
}

impl Warning {
    /// Aggregates left missing values out. It counts rows.
    pub(crate) const NULLS_LEFT_OUT: &str = "nulls_left_out";
}

/// One step of a checked query: what happens to the rows of the step before, or of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedStep {
    pub(super) map: Vec<Named>,
    pub(super) filter: Option<Named>,
    pub(super) keys: Vec<Named>,
    pub(super) measures: Vec<Named>,
    pub(super) sort: Vec<SortKey>,
    pub(super) limit: Option<u64>,
    pub(super) columns: Option<Vec<Named>>,
    pub(super) kind: ResultKind,
    pub(super) aggregates: bool,
    pub(super) series: Option<String>,
    pub(super) sight: Vec<OutputColumn>,
    pub(super) output: Vec<OutputColumn>,
}

impl CheckedStep {
    /// Added or overwritten columns, in order; later ones see earlier ones. Windows may stand here,
    /// and aggregates, which then have one value for all rows of a series.
    pub fn map(&self) -> &[Named] {
        &self.map
    }
    /// The boolean filter; its name is `where`. What may stand in `map` may stand here.
    pub fn filter(&self) -> Option<&Named> {
        self.filter.as_ref()
    }
    /// Group keys. Where the step leaves groups of an earlier one grouped, their columns.
    pub fn keys(&self) -> &[Named] {
        &self.keys
    }
    /// Aggregates, or arithmetic over aggregates; `group_by` without `select` has `count()` here.
    /// Where the step leaves groups of an earlier one grouped, their columns.
    pub fn measures(&self) -> &[Named] {
        &self.measures
    }
    /// Sort keys; empty for scalars and dicts.
    pub fn sort(&self) -> &[SortKey] {
        &self.sort
    }
    /// Number of final rows; `None` for scalars and dicts.
    pub fn limit(&self) -> Option<u64> {
        self.limit
    }
    /// Projection of the final table; plain columns or expressions.
    pub fn columns(&self) -> Option<&[Named]> {
        self.columns.as_deref()
    }
    /// The cell of the matrix.
    pub fn kind(&self) -> ResultKind {
        self.kind
    }
    /// Whether this step makes one row of many. A step over groups that only filters, sorts or cuts
    /// leaves them grouped and aggregates nothing.
    pub fn aggregates(&self) -> bool {
        self.aggregates
    }
    /// The column of its input that keeps series apart.
    pub fn series(&self) -> Option<&str> {
        self.series.as_deref()
    }
    /// The columns in sight after `map`: those of its evidence.
    pub fn sight(&self) -> &[OutputColumn] {
        &self.sight
    }
    /// The columns it makes, in order.
    pub fn output(&self) -> &[OutputColumn] {
        &self.output
    }
}

/// A query that passed the check. It has at least one step; what is asked of the query itself is
/// that of its last step, which makes the result.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedQuery {
    pub(super) schema: Arc<TableSchema>,
    pub(super) frame: Frame,
    /// Those before the last.
    pub(super) earlier: Vec<CheckedStep>,
    pub(super) last: CheckedStep,
    pub(super) warnings: Vec<Warning>,
    pub(super) canonical: serde_json::Value,
    /// A SQL statement and its parameters, in place of everything above but the output.
    pub(super) sql: Option<Sql>,
}

/// A statement of SQL.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Sql {
    text: String,
    params: serde_json::Value,
    /// Tables and the columns of theirs that it may depend on.
    reads: BTreeSet<(String, String)>,
    /// One of the tables that it scans has rows of several series.
    series: bool,
}

impl CheckedQuery {
    /// The table it runs on, as it was when checked.
    pub fn schema(&self) -> &Arc<TableSchema> {
        &self.schema
    }
    /// The same query over less of its schema: what it means stays, what is known of the table does
    /// not.
    pub(crate) fn with_schema(&self, schema: TableSchema) -> Self {
        Self { schema: Arc::new(schema), ..self.clone() }
    }
    /// The timeframe bars are resampled to.
    pub fn from(&self) -> Option<Timeframe> {
        self.frame.from()
    }
    /// Session, period, timeframe and look-back: which rows of the table it is about.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }
    /// Every step in the order it runs; one or more.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = &CheckedStep> + Clone {
        self.earlier.iter().chain(std::iter::once(&self.last))
    }
    /// The step that made one row of many, and its number: the last that aggregates, whose evidence
    /// is the evidence of the result. A table of rows has none.
    pub fn aggregation(&self) -> Option<(usize, &CheckedStep)> {
        if self.last.kind == ResultKind::Table {
            return None;
        }
        let steps: Vec<_> = self.steps().enumerate().collect();
        steps.into_iter().rev().find(|(_, step)| step.aggregates)
    }
    /// Added or overwritten columns of the last step.
    pub fn map(&self) -> &[Named] {
        self.last.map()
    }
    /// The filter of the last step.
    pub fn filter(&self) -> Option<&Named> {
        self.last.filter()
    }
    /// The group keys of the result.
    pub fn keys(&self) -> &[Named] {
        self.last.keys()
    }
    /// The measures of the result.
    pub fn measures(&self) -> &[Named] {
        self.last.measures()
    }
    /// The sort keys of the last step.
    pub fn sort(&self) -> &[SortKey] {
        self.last.sort()
    }
    /// Number of final rows.
    pub fn limit(&self) -> Option<u64> {
        self.last.limit()
    }
    /// Projection of the final table.
    pub fn columns(&self) -> Option<&[Named]> {
        self.last.columns()
    }
    /// The cell of the matrix.
    pub fn kind(&self) -> ResultKind {
        self.last.kind
    }
    /// The columns of the result in order: of the table (A), of the one row (B, C), of the groups
    /// (keys first, then measures; D, E).
    pub fn output(&self) -> &[OutputColumn] {
        &self.last.output
    }
    /// What the check itself has to say (an ignored sort).
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }
    /// The canonical form: what is shown, cached and compared.
    pub fn canonical(&self) -> &serde_json::Value {
        &self.canonical
    }

    /// The fields of its canonical form that choose its rows; nothing for statements of SQL and for
    /// several steps.
    pub fn conditions(&self) -> impl Iterator<Item = (&'static str, String)> {
        let plain = self.sql().is_none() && self.steps().count() == 1;
        let fields = ["session", "period", "where", "limit"].into_iter().filter(move |_| plain);
        fields.filter_map(move |field| {
            let value = self.canonical.get(field)?;
            Some((field, value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        })
    }

    /// The SQL statement and its parameters, where it is one: then there are no keys, measures or
    /// filter to read, only the output.
    pub fn sql(&self) -> Option<(&str, &serde_json::Value)> {
        self.sql.as_ref().map(|sql| (sql.text.as_str(), &sql.params))
    }

    /// The tables and columns that a SQL statement may depend on; nothing for other queries.
    pub fn sql_reads(&self) -> impl Iterator<Item = (&str, &str)> {
        let reads = self.sql.iter().flat_map(|sql| &sql.reads);
        reads.map(|(table, column)| (table.as_str(), column.as_str()))
    }

    /// The same as what a script gave, of which it is known what it has read: it depends on all of
    /// that, and any of it may stand in any column.
    pub(crate) fn of_script(
        mut self,
        text: &str,
        reads: BTreeSet<(String, String)>,
        series: bool,
    ) -> Self {
        for column in &mut self.last.output {
            column.role = Role::Mapped;
        }
        self.canonical = serde_json::json!({ "script": text });
        let params = serde_json::Value::Null;
        self.sql = Some(Sql { text: text.to_owned(), params, reads, series });
        self
    }

    /// Whether a SQL statement scans a table with rows of several series.
    pub fn sql_series(&self) -> bool {
        self.sql.as_ref().is_some_and(|sql| sql.series)
    }

    /// The same statement of SQL, which scans a table with rows of several series or does not.
    pub(crate) fn of_series(mut self, series: bool) -> Self {
        if let Some(sql) = &mut self.sql {
            sql.series = series;
        }
        self
    }

    /// A statement that the engine's guard let pass.
    pub(crate) fn from_sql(
        schema: Arc<TableSchema>,
        text: &str,
        params: &serde_json::Value,
        (kind, output): (ResultKind, Vec<OutputColumn>),
        reads: BTreeSet<(String, String)>,
    ) -> Self {
        let mut canonical = serde_json::json!({ "sql": text });
        let given = params.as_array().is_some_and(|list| !list.is_empty())
            || params.as_object().is_some_and(|named| !named.is_empty());
        if given {
            canonical["params"] = params.clone();
        }
        let last = CheckedStep {
            map: Vec::new(),
            filter: None,
            keys: Vec::new(),
            measures: Vec::new(),
            sort: Vec::new(),
            limit: None,
            columns: None,
            kind,
            aggregates: kind != ResultKind::Table,
            series: None,
            sight: Vec::new(),
            output,
        };
        Self {
            schema,
            frame: Frame::default(),
            earlier: Vec::new(),
            last,
            warnings: Vec::new(),
            canonical,
            sql: Some(Sql { text: text.to_owned(), params: params.clone(), reads, series: false }),
        }
    }
}
