//! The columns that expressions may read at one step of the pipeline, and why others are gone.

use super::typed::{Domain, OutputColumn, Role, Timeframe, Warning};
use crate::error::Text;
use crate::query::format;
use crate::schema::{Column, Kind, Ohlcv, Rule, TableSchema};

/// So many columns are named in a warning.
const MOST_NAMED: usize = 10;

/// A column in sight.
#[derive(Debug, Clone)]
pub(super) struct InSight {
    pub out: OutputColumn,
    /// The expression that makes it is wrong; using it adds no problem of its own.
    pub broken: bool,
}

/// What the expressions of a step can read.
#[derive(Debug, Clone)]
pub(super) struct Scope {
    pub table: String,
    pub columns: Vec<InSight>,
    /// Columns that resampling dropped, with the reason.
    pub gone: Vec<(String, Text)>,
    pub time: Option<String>,
    pub series: Option<String>,
    pub ohlcv: Option<Ohlcv>,
    /// Rows have a time of day, so that a date is not a moment of the data.
    pub intraday: bool,
    /// An earlier step is wrong in such a way that not even the names are known.
    pub incomplete: bool,
}

impl Scope {
    /// The table as loaded.
    pub fn of(schema: &TableSchema) -> Self {
        // A date in place of a moment with a time of day would be another moment.
        let daily = schema.interval.is_some_and(|s| s >= crate::schema::DAY) && !schema.timed;
        let columns = schema.columns.iter().map(|column| {
            let role = role_in(schema, &column.name);
            let date_only = column.kind == Kind::Date || (role == Role::Time && daily);
            InSight {
                out: OutputColumn { column: column.clone(), role, domain: None, date_only },
                broken: false,
            }
        });
        Self {
            table: schema.name.clone(),
            columns: columns.collect(),
            gone: Vec::new(),
            time: schema.time.clone(),
            series: schema.series.clone(),
            ohlcv: schema.ohlcv.clone(),
            intraday: schema.is_intraday() || schema.timed,
            incomplete: false,
        }
    }

    /// The bars of `timeframe` made of the table.
    pub fn resampled(schema: &TableSchema, timeframe: Timeframe) -> Self {
        let mut scope = Self::of(schema);
        let name = timeframe.name();
        scope.intraday = timeframe.is_intraday();
        scope.columns.retain_mut(|c| {
            let column = &mut c.out.column;
            if c.out.role == Role::Time {
                if !timeframe.is_intraday() {
                    column.kind = Kind::Date;
                }
                c.out.date_only = !timeframe.is_intraday();
                return true;
            }
            if c.out.role == Role::Series {
                return true;
            }
            // A rule of the table's own comes before what prices and volume are made by.
            if let Some((_, rule)) = schema.resample.iter().find(|(n, _)| *n == column.name) {
                if *rule == Rule::Mean {
                    column.kind = Kind::Float;
                }
                return true;
            }
            if is_bar_column(schema, &column.name) {
                return true;
            }
            let lost = &column.name;
            let reason = if column.kind.is_numeric() {
                crate::text!(
                    "`{lost}` has no resampling rule, so `from: {name}` drops it: name one when the table is loaded",
                    "для `{lost}` нет правила пересчёта, и `from: {name}` его убирает: задайте правило при загрузке"
                )
            } else {
                crate::text!(
                    "`from: {name}` drops `{lost}`: bars keep the time, the series, prices and volume",
                    "`from: {name}` убирает `{lost}`: у баров остаются время, ряд, цены и объём"
                )
            };
            scope.gone.push((lost.clone(), reason));
            false
        });
        scope
    }

    /// The warning that bars do not have all columns of the table.
    pub fn dropped(&self, timeframe: Timeframe) -> Option<Warning> {
        let all = self.gone.len();
        let named = self.gone.iter().take(MOST_NAMED).map(|(name, _)| format::name(name));
        let list = named.collect::<Vec<_>>().join(", ");
        let (en, ru) = match all.saturating_sub(MOST_NAMED) {
            0 => (String::new(), String::new()),
            more => (format!(" and {more} more"), format!(" и ещё {more}")),
        };
        let name = timeframe.name();
        (all > 0).then(|| Warning {
            code: "columns_dropped",
            message: crate::text!(
                "`from: {name}` drops {list}{en}: a column of numbers stays by a rule named when the table is loaded",
                "`from: {name}` убирает {list}{ru}: числовой столбец остаётся, если при загрузке задано его правило"
            ),
        })
    }

    /// The columns that a step made, as those of a table that the next step reads.
    pub fn as_rows(&mut self) {
        for InSight { out, .. } in &mut self.columns {
            let is = |name: &Option<String>| name.as_deref() == Some(out.column.name.as_str());
            if matches!(out.role, Role::Key | Role::Measure { .. }) {
                out.role = if is(&self.time) {
                    Role::Time
                } else if is(&self.series) {
                    Role::Series
                } else {
                    Role::Mapped
                };
            }
        }
    }

    /// The column with exactly this name.
    pub fn find(&self, name: &str) -> Option<&InSight> {
        self.columns.iter().find(|c| c.out.column.name == name)
    }

    /// Adds a column, or overwrites the one of that name in its place.
    pub fn put(&mut self, column: InSight) {
        self.gone.retain(|(name, _)| *name != column.out.column.name);
        match self.columns.iter_mut().find(|c| c.out.column.name == column.out.column.name) {
            Some(old) => *old = column,
            None => self.columns.push(column),
        }
    }

    /// Every name, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> + Clone {
        self.columns.iter().map(|c| c.out.column.name.as_str())
    }
}

impl InSight {
    /// A column made by the query.
    pub fn made(
        name: &str,
        kind: Kind,
        unit: Option<String>,
        domain: Option<Domain>,
        role: Role,
    ) -> Self {
        let mut column = Column::new(name, kind);
        column.unit = unit;
        let date_only = kind == Kind::Date;
        Self { out: OutputColumn { column, role, domain, date_only }, broken: false }
    }

    /// A column whose expression is wrong.
    pub fn broken(name: &str) -> Self {
        Self { broken: true, ..Self::made(name, Kind::Float, None, None, Role::Mapped) }
    }
}

fn role_in(schema: &TableSchema, name: &str) -> Role {
    if schema.time.as_deref() == Some(name) {
        Role::Time
    } else if schema.series.as_deref() == Some(name) {
        Role::Series
    } else {
        Role::Source
    }
}

fn is_bar_column(schema: &TableSchema, name: &str) -> bool {
    schema.ohlcv.as_ref().is_some_and(|o| {
        [&o.open, &o.high, &o.low, &o.close].into_iter().chain(&o.volume).any(|c| c == name)
    })
}
