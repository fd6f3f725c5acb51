//! Which chart fits a result, from its kind and the roles of its columns; no cell is read.

use crate::query::CheckedQuery;
use crate::query::check::{OutputColumn, ResultKind, Role};
use crate::schema::Kind;
use serde::Serialize;

/// The form of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ChartKind {
    /// A bar for every group.
    Bar,
    /// A line over time.
    Line,
}

/// A chart that fits a result, by the names of its columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Chart {
    /// Its form.
    pub kind: ChartKind,
    /// The column along its axis.
    pub x: String,
    /// The columns of numbers.
    pub y: Vec<String>,
    /// The column that tells lines or bars apart, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series: Option<String>,
}

/// Time functions whose values follow each other without coming round again.
const IN_ORDER: [&str; 2] = ["year(", "date("];

/// The chart that fits what `query` gives; `None` where numbers say it better.
pub fn chart(query: &CheckedQuery) -> Option<Chart> {
    let output = query.output();
    let with = |want: &dyn Fn(&OutputColumn) -> bool| -> Vec<&OutputColumn> {
        output.iter().filter(|c| want(c)).collect()
    };
    let names = |list: &[&OutputColumn]| -> Vec<String> {
        list.iter().map(|c| c.column.name.clone()).collect()
    };
    let numeric = |c: &OutputColumn| c.column.kind.is_numeric();
    match query.kind() {
        ResultKind::Grouped => {
            let keys = with(&|c| c.role == Role::Key);
            // what the last step made of the groups is what was asked for
            let made = with(&|c| c.role == Role::Mapped && numeric(c));
            let measures = with(&|c| matches!(c.role, Role::Measure { .. }) && numeric(c));
            let y = names(if made.is_empty() { &measures } else { &made });
            let (x, series) = match keys[..] {
                [x] => (x, None),
                [first, second] if in_order(query, second) => (second, Some(first)),
                [x, series] => (x, Some(series)),
                _ => return None,
            };
            if y.is_empty() {
                return None;
            }
            let line = x.column.kind.is_time() || in_order(query, x);
            Some(Chart {
                kind: if line { ChartKind::Line } else { ChartKind::Bar },
                x: x.column.name.clone(),
                y,
                series: series.map(|c| c.column.name.clone()),
            })
        }
        ResultKind::Table => {
            if let Some(course) = course(query) {
                return Some(course);
            }
            // rows in an order of their own are a list
            if !query.sort().is_empty() {
                return None;
            }
            let time = with(&|c| c.role == Role::Time).into_iter().next()?;
            let made = with(&|c| c.role == Role::Mapped && numeric(c));
            if made.is_empty() {
                return None;
            }
            let series = with(&|c| c.role == Role::Series).into_iter().next();
            Some(Chart {
                kind: ChartKind::Line,
                x: time.column.name.clone(),
                y: names(&made),
                series: series.map(|c| c.column.name.clone()),
            })
        }
        ResultKind::Scalar | ResultKind::Dict => None,
    }
}

/// What a tool tells month by month or week by week: the money first, else the first number.
fn course(query: &CheckedQuery) -> Option<Chart> {
    let (first, rest) = query.output().split_first()?;
    let parts = ["month", "week"].contains(&first.column.name.as_str());
    if query.sql().is_none() || !parts || first.column.kind != Kind::Date {
        return None;
    }
    let numbers = || rest.iter().filter(|c| c.column.kind.is_numeric());
    let money = numbers().find(|c| c.column.name == "total_amount");
    let y = money.or_else(|| numbers().next())?;
    Some(Chart {
        kind: ChartKind::Line,
        x: first.column.name.clone(),
        y: vec![y.column.name.clone()],
        series: None,
    })
}

/// A key whose values go on and on: dates, years.
fn in_order(query: &CheckedQuery, key: &OutputColumn) -> bool {
    if key.column.kind == Kind::Date || key.column.kind == Kind::Timestamp {
        return true;
    }
    let text = query
        .steps()
        .flat_map(|step| step.map().iter().chain(step.keys()))
        .find(|named| named.name == key.column.name)
        .map(|named| named.text.clone());
    text.is_some_and(|text| IN_ORDER.iter().any(|call| text.starts_with(call)))
}
