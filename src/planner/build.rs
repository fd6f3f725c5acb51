//! From a sketch to a query.

use super::grammar::time_column;
use super::sketch::{Cond, Dim, Measure, Operand, Select, Sketch};
use super::words::{Agg, Derived, Part};
use crate::error::Text;
use crate::query::check::Domain;
use crate::query::format::{name, string};
use crate::query::{Query, Selected};
use crate::schema::TableSchema;

impl Agg {
    /// The function of the query language.
    pub fn function(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Sum => "sum",
            Self::Min => "min",
            Self::Max => "max",
            Self::Median => "median",
            Self::Std => "std",
            Self::Var => "var",
            Self::First => "first",
            Self::Last => "last",
            Self::Pct => "pct",
            Self::Correlation => "correlation",
        }
    }
}

impl Part {
    /// The function of the query language, and the name of the column it makes.
    fn function(self) -> (&'static str, &'static str) {
        match self {
            Self::Year => ("year", "year"),
            Self::Quarter => ("quarter", "quarter"),
            Self::Month => ("monthname", "month"),
            Self::Day => ("date", "day"),
            Self::Weekday => ("dayname", "dow"),
            Self::Hour => ("hour", "hour"),
        }
    }
}

impl Derived {
    /// The function of the query language; it is the name of the column too.
    pub fn function(self, percent: bool) -> &'static str {
        match (self, percent) {
            (Self::Gap, false) => "gap",
            (Self::Gap, true) => "gap_pct",
            (Self::Change | Self::Return, false) => "change",
            (Self::Change | Self::Return, true) => "change_pct",
            (Self::Range, false) => "range",
            (Self::Range, true) => "range_pct",
            (Self::Body, _) => "body",
        }
    }
}

/// The query of a sketch, with what has to be said of how it was read. `None` where the table
/// lacks what the sketch needs.
pub(super) fn build(
    sketch: &Sketch,
    schema: &TableSchema,
    name_table: bool,
) -> Option<(Query, Vec<Text>)> {
    let mut builder = Builder::over(schema, Query::default());
    builder.query.table = name_table.then(|| schema.name.clone());
    if sketch.days {
        builder.query.from = Some("daily".to_owned());
        builder.notes.push(text!("read as daily bars", "прочитано как дневные бары"));
    }
    // measures first, so that a condition reads the column that is shown
    for select in &sketch.select {
        match select {
            Select::Agg(_, m) => drop(builder.measure(*m)?),
            Select::Correlation(a, b) => {
                builder.measure(*a)?;
                builder.measure(*b)?;
            }
            Select::Count | Select::CountDistinct(_) | Select::Share(_) => {}
        }
    }
    if let Some(measure) = sketch.order {
        builder.measure(measure)?;
    }
    for dim in &sketch.groups {
        let key = builder.dim(*dim)?;
        if !builder.query.group_by.contains(&key) {
            builder.query.group_by.push(key);
        }
    }
    let filters: Vec<String> =
        sketch.filters.iter().map(|c| builder.condition(c)).collect::<Option<_>>()?;
    builder.query.filter = all_of(&filters);
    for select in &sketch.select {
        let selected = builder.select(select)?;
        if !builder.query.select.contains(&selected) {
            builder.query.select.push(selected);
        }
    }
    let direction = if sketch.descending { "desc" } else { "asc" };
    if let Some(measure) = sketch.order {
        let column = builder.measure(measure)?;
        builder.query.sort = vec![format!("{column} {direction}")];
    } else if sketch.ranked {
        let column = result_name(builder.query.select.first()?);
        builder.query.sort = vec![format!("{column} {direction}")];
    }
    if sketch.order.is_some() || sketch.ranked {
        builder.query.limit = sketch.limit;
    }
    Some((builder.query, builder.notes))
}

/// A query in the making.
pub(super) struct Builder<'a> {
    schema: &'a TableSchema,
    /// What there is of it so far.
    pub query: Query,
    notes: Vec<Text>,
}

impl<'a> Builder<'a> {
    /// Goes on from `query`.
    pub fn over(schema: &'a TableSchema, query: Query) -> Self {
        Self { schema, query, notes: Vec::new() }
    }

    fn column(&self, column: usize) -> Option<&str> {
        self.schema.columns.get(column).map(|c| c.name.as_str())
    }

    /// Adds a column to `map` once, under a name that no column of the table has.
    fn map(&mut self, wanted: &str, expression: &str) -> String {
        if let Some((name, _)) = self.query.map.iter().find(|(_, e)| e == expression) {
            return name.clone();
        }
        let mut new = wanted.to_owned();
        while self.schema.column(&new).is_some() || self.query.map.iter().any(|(n, _)| *n == new) {
            new.push_str("_of_row");
        }
        self.query.map.push((new.clone(), expression.to_owned()));
        new
    }

    /// The text of a measure in an expression.
    pub fn measure(&mut self, measure: Measure) -> Option<String> {
        Some(match measure {
            Measure::Column(column) => name(self.column(column)?),
            Measure::Derived(derived, percent) => {
                let function = derived.function(percent);
                self.map(function, &format!("{function}()"))
            }
        })
    }

    /// A call of a time function: without an argument where the table knows its time column.
    fn part(&self, function: &str) -> Option<String> {
        let column = time_column(self.schema)?;
        Some(if self.schema.time.is_some() {
            format!("{function}()")
        } else {
            format!("{function}({})", name(column))
        })
    }

    /// A group key; the exact name of a column, which `group_by` takes as it is.
    pub fn dim(&mut self, dim: Dim) -> Option<String> {
        Some(match dim {
            Dim::Column(column) => self.column(column)?.to_owned(),
            Dim::Part(part) => {
                let (function, column) = part.function();
                let call = self.part(function)?;
                self.map(column, &call)
            }
        })
    }

    fn select(&mut self, select: &Select) -> Option<Selected> {
        Some(match select {
            Select::Count => "count()".into(),
            Select::CountDistinct(Dim::Column(column)) => {
                self.aggregate("count_distinct", *column)?
            }
            Select::CountDistinct(Dim::Part(part)) => {
                let (function, column) = part.function();
                let call = self.part(function)?;
                Selected::named(
                    format!("count_distinct_{column}"),
                    format!("count_distinct({call})"),
                )
            }
            Select::Agg(agg, Measure::Column(column)) => self.aggregate(agg.function(), *column)?,
            Select::Agg(agg, measure) => {
                let column = self.measure(*measure)?;
                format!("{}({column})", agg.function()).into()
            }
            Select::Share(conds) => {
                let conds: Vec<String> =
                    conds.iter().map(|c| self.condition(c)).collect::<Option<_>>()?;
                Selected::named("share_pct", format!("pct({})", all_of(&conds)?))
            }
            Select::Correlation(a, b) => {
                let (a, b) = (self.measure(*a)?, self.measure(*b)?);
                Selected::named("correlation", format!("correlation({a}, {b})"))
            }
        })
    }

    /// An aggregate of a column; one whose name has to be quoted gets a plain alias.
    fn aggregate(&self, function: &str, column: usize) -> Option<Selected> {
        let plain = self.column(column)?;
        let quoted = name(plain);
        let call = format!("{function}({quoted})");
        if quoted == plain {
            return Some(call.into());
        }
        let words: Vec<String> = super::stem::parts(plain);
        Some(Selected::named(format!("{function}_{}", words.join("_")), call))
    }

    pub fn condition(&mut self, cond: &Cond) -> Option<String> {
        Some(match cond {
            Cond::Compare(left, cmp, right) => {
                let left = self.measure(*left)?;
                let right = match right {
                    Operand::Number(x) => number(*x),
                    Operand::Measure(m) => self.measure(*m)?,
                };
                format!("{left} {} {right}", cmp.symbol())
            }
            Cond::Implied { .. } => return None,
            Cond::Values { column, values, negated } => {
                let column = name(self.column(*column)?);
                member(&column, values.iter().map(String::as_str), *negated)?
            }
            Cond::Flag { column, wanted } => {
                let column = name(self.column(*column)?);
                if *wanted { column } else { format!("not {column}") }
            }
            Cond::Part(part, cmp, value) => {
                let function = if *part == Part::Month { "month" } else { part.function().0 };
                format!("{} {} {value}", self.part(function)?, cmp.symbol())
            }
            Cond::Weekdays { days, negated } => {
                let names = days.iter().filter_map(|&d| Domain::Weekday.values().get(d).copied());
                let part = self.key_or_call(Part::Weekday)?;
                member(&part, names, *negated)?
            }
            Cond::Months { months, negated } => {
                let names = months.iter().filter_map(|&m| Domain::Month.values().get(m).copied());
                let part = self.key_or_call(Part::Month)?;
                member(&part, names, *negated)?
            }
            Cond::Date(cmp, date) => {
                format!("{} {} {}", self.part("date")?, cmp.symbol(), string(date))
            }
            Cond::Colour(up) => if *up { "green()" } else { "red()" }.to_owned(),
            Cond::All(list) => {
                let list: Vec<String> =
                    list.iter().map(|c| self.condition(c)).collect::<Option<_>>()?;
                all_of(&list)?
            }
            Cond::Any(list) => {
                let list: Vec<String> =
                    list.iter().map(|c| self.condition(c)).collect::<Option<_>>()?;
                format!("({})", list.join(" or "))
            }
        })
    }

    /// The group key made of a part where there is one, else the call.
    fn key_or_call(&self, part: Part) -> Option<String> {
        let call = self.part(part.function().0)?;
        let mapped = self.query.map.iter().find(|(_, e)| *e == call).map(|(n, _)| n.clone());
        Some(mapped.unwrap_or(call))
    }
}

fn all_of(conditions: &[String]) -> Option<String> {
    (!conditions.is_empty()).then(|| conditions.join(" and "))
}

fn member<'a>(
    column: &str,
    values: impl Iterator<Item = &'a str>,
    negated: bool,
) -> Option<String> {
    let texts: Vec<String> = values.map(string).collect();
    Some(match (&texts[..], negated) {
        ([], _) => return None,
        ([one], false) => format!("{column} == {one}"),
        ([one], true) => format!("{column} != {one}"),
        (_, false) => format!("{column} in [{}]", texts.join(", ")),
        (_, true) => format!("{column} not in [{}]", texts.join(", ")),
    })
}

/// A number as the query language writes it.
pub(super) fn number(x: f64) -> String {
    if x.abs() >= 1e15 { format!("{x:e}") } else { format!("{x}") }
}

/// The name of a selected column in the result: its alias, `count`, or function and column.
pub(super) fn result_name(selected: &Selected) -> String {
    match &selected.alias {
        Some(alias) => alias.clone(),
        None => selected
            .text
            .trim_end_matches(')')
            .replacen('(', "_", 1)
            .trim_end_matches('_')
            .to_owned(),
    }
}
