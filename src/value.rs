//! Cell values as plain data, and the one view of a table that layers above the engine read through.
//!
//! Neither Arrow nor DataFusion shows here: summaries, checks and planners work on [`Rows`].

mod decimal;

pub use decimal::{Decimal, MOST_DIGITS};
pub(crate) use decimal::{power, scaled};

use crate::schema::{Column, Kind, Member};
use chrono::{DateTime, NaiveDate, NaiveDateTime};
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

/// One cell. NaN and infinities never occur: they are read as null.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Missing.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A finite double.
    Float(f64),
    /// An exact number with a point.
    Decimal(Decimal),
    /// Text.
    Text(Arc<str>),
    /// Days since 1970-01-01.
    Date(i32),
    /// Microseconds since 1970-01-01T00:00:00, in the table's own clock.
    Timestamp(i64),
    /// A list: texts, whole numbers, doubles or truth values, some of which may be missing.
    List(Arc<[Value]>),
}

impl Value {
    /// A text value.
    pub fn text(text: impl AsRef<str>) -> Self {
        Self::Text(Arc::from(text.as_ref()))
    }

    /// A float, or null when it is not finite.
    pub fn float(x: f64) -> Self {
        if x.is_finite() { Self::Float(x) } else { Self::Null }
    }

    /// True for [`Value::Null`].
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The number, for numbers of any kind: of a decimal the nearest double.
    pub fn as_f64(&self) -> Option<f64> {
        match self {
            Self::Int(i) => Some(*i as f64),
            Self::Float(x) => Some(*x),
            Self::Decimal(x) => Some(x.to_f64()),
            Self::Null
            | Self::Bool(_)
            | Self::Text(_)
            | Self::Date(_)
            | Self::Timestamp(_)
            | Self::List(_) => None,
        }
    }

    /// The number as a decimal, where it is exactly one: of a double the one that it is written as.
    pub fn as_decimal(&self) -> Option<Decimal> {
        match self {
            Self::Int(i) => Some((*i).into()),
            Self::Float(x) => Decimal::of_f64(*x),
            Self::Decimal(x) => Some(*x),
            _ => None,
        }
    }

    /// The text, for text values.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(s) => Some(s),
            _ => None,
        }
    }

    /// The kind, `None` for null; a list without a member that tells is one of text.
    pub fn kind(&self) -> Option<Kind> {
        Some(match self {
            Self::Null => return None,
            Self::Bool(_) => Kind::Bool,
            Self::Int(_) => Kind::Int,
            Self::Float(_) => Kind::Float,
            Self::Decimal(x) => Kind::Decimal(x.scale()),
            Self::Text(_) => Kind::Text,
            Self::Date(_) => Kind::Date,
            Self::Timestamp(_) => Kind::Timestamp,
            Self::List(members) => {
                let member = members.iter().find_map(|m| Member::of(m.kind()?));
                Kind::List(member.unwrap_or(Member::Text))
            }
        })
    }

    /// The calendar date of a date or timestamp.
    pub fn date(&self) -> Option<NaiveDate> {
        match self {
            Self::Date(days) => NaiveDate::from_num_days_from_ce_opt(days.checked_add(EPOCH_CE)?),
            Self::Timestamp(_) => self.datetime().map(|t| t.date()),
            _ => None,
        }
    }

    /// The wall-clock moment of a timestamp (midnight for a date).
    pub fn datetime(&self) -> Option<NaiveDateTime> {
        match self {
            Self::Timestamp(us) => DateTime::from_timestamp_micros(*us).map(|t| t.naive_utc()),
            Self::Date(_) => self.date()?.and_hms_opt(0, 0, 0),
            _ => None,
        }
    }

    /// A date value from a calendar date.
    pub fn from_date(date: NaiveDate) -> Self {
        Self::Date(chrono::Datelike::num_days_from_ce(&date) - EPOCH_CE)
    }

    /// A timestamp value from a wall-clock moment.
    pub fn from_datetime(t: NaiveDateTime) -> Self {
        Self::Timestamp(t.and_utc().timestamp_micros())
    }

    /// Total order: null last, numbers by value, text by code point, lists by their first members
    /// that differ, others by their own order; different kinds by kind.
    pub fn total_cmp(&self, other: &Self) -> Ordering {
        use Value::{Bool, Date, Decimal, Float, Int, List, Null, Text, Timestamp};
        match (self, other) {
            (Null, Null) => Ordering::Equal,
            (Null, _) => Ordering::Greater,
            (_, Null) => Ordering::Less,
            (Int(a), Int(b)) | (Timestamp(a), Timestamp(b)) => a.cmp(b),
            (Decimal(a), Decimal(b)) => a.compare(*b),
            (Decimal(a), Int(b)) => a.compare((*b).into()),
            (Int(a), Decimal(b)) => decimal::Decimal::from(*a).compare(*b),
            (Int(_) | Float(_) | Decimal(_), Int(_) | Float(_) | Decimal(_)) => {
                self.as_f64().unwrap_or(0.0).total_cmp(&other.as_f64().unwrap_or(0.0))
            }
            (Text(a), Text(b)) => a.cmp(b),
            (Bool(a), Bool(b)) => a.cmp(b),
            (Date(a), Date(b)) => a.cmp(b),
            (Date(_) | Timestamp(_), Date(_) | Timestamp(_)) => {
                self.datetime().cmp(&other.datetime())
            }
            (List(a), List(b)) => {
                let mut orders = a.iter().zip(b.iter()).map(|(a, b)| a.total_cmp(b));
                orders.find(|order| order.is_ne()).unwrap_or(a.len().cmp(&b.len()))
            }
            _ => self.kind().cmp(&other.kind()),
        }
    }

    /// JSON with exact values: dates and timestamps as ISO text, a timestamp at midnight with its
    /// time; decimals as text with all their digits; lists as lists.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Null => serde_json::Value::Null,
            Self::Bool(b) => (*b).into(),
            Self::Int(i) => (*i).into(),
            Self::Float(x) => (*x).into(),
            Self::Text(s) => s.as_ref().into(),
            Self::Decimal(_) | Self::Date(_) | Self::Timestamp(_) => self.to_string().into(),
            Self::List(members) => members.iter().map(Self::to_json).collect(),
        }
    }
}

/// Days from 0001-01-01 (day 1) to 1970-01-01.
const EPOCH_CE: i32 = 719_163;

/// Plain reading: exact numbers, ISO dates, `null`, lists as JSON. Timestamps read `2024-01-02T09:30:00`, with a
/// fraction only where there is one.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(b) => write!(f, "{b}"),
            Self::Int(i) => write!(f, "{i}"),
            Self::Float(x) => write!(f, "{x}"),
            Self::Decimal(x) => write!(f, "{x}"),
            Self::Text(s) => f.write_str(s),
            Self::Date(_) => match self.date() {
                Some(d) => write!(f, "{}", d.format("%Y-%m-%d")),
                None => f.write_str("null"),
            },
            Self::Timestamp(_) => match self.datetime() {
                Some(t) => write!(f, "{}", t.format("%Y-%m-%dT%H:%M:%S%.f")),
                None => f.write_str("null"),
            },
            Self::List(_) => write!(f, "{}", self.to_json()),
        }
    }
}

/// What one pass over a column tells. `min`, `max` and `mean` are null for a column without values,
/// and for one of lists; `mean` and `sum` are null for a column that is not numeric.
#[derive(Debug, Clone, PartialEq)]
pub struct Stats {
    /// Rows with a value.
    pub count: usize,
    /// Rows without one.
    pub nulls: usize,
    /// Smallest value.
    pub min: Value,
    /// Largest value.
    pub max: Value,
    /// Sum of the values.
    pub sum: Value,
    /// Mean of the values.
    pub mean: Value,
}

/// The different values of a column: how many, and the first few in the order of the rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Distinct {
    /// How many, nulls aside.
    pub count: usize,
    /// The first of them.
    pub first: Vec<Value>,
}

/// A column of text as codes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Labels {
    /// The different texts, each once.
    pub texts: Vec<Arc<str>>,
    /// Of each row, the place of its text among them; beyond them where it has none.
    pub codes: Vec<u32>,
}

impl Labels {
    /// The code of a row without a text.
    pub const NONE: u32 = u32::MAX;
}

/// A finished table, read by row and column number. The engine implements it over Arrow memory;
/// tests implement it over vectors ([`Table`]).
pub trait Rows: Send + Sync {
    /// The columns, in order.
    fn columns(&self) -> &[Column];
    /// How many rows.
    fn len(&self) -> usize;
    /// True when there is no row.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The cell, null outside the table.
    fn value(&self, row: usize, column: usize) -> Value;

    /// The number of the column named `name`.
    fn column(&self, name: &str) -> Option<usize> {
        self.columns().iter().position(|c| c.name == name)
    }

    /// One pass over a column. Implementations over columnar memory override it.
    fn stats(&self, column: usize) -> Stats {
        let mut stats = Stats {
            count: 0,
            nulls: 0,
            min: Value::Null,
            max: Value::Null,
            sum: Value::Null,
            mean: Value::Null,
        };
        let mut sum = 0.0;
        let mut numeric = false;
        for row in 0..self.len() {
            let value = self.value(row, column);
            if value.is_null() {
                stats.nulls += 1;
                continue;
            }
            stats.count += 1;
            if matches!(value, Value::List(_)) {
                continue;
            }
            if let Some(x) = value.as_f64() {
                numeric = true;
                sum += x;
            }
            if stats.min.is_null() || value.total_cmp(&stats.min) == Ordering::Less {
                stats.min = value.clone();
            }
            if stats.max.is_null() || value.total_cmp(&stats.max) == Ordering::Greater {
                stats.max = value;
            }
        }
        if numeric {
            stats.sum = Value::float(sum);
            stats.mean = Value::float(sum / stats.count as f64);
        }
        stats
    }

    /// How many cells of a column are null. Implementations over columnar memory override it.
    fn nulls(&self, column: usize) -> u64 {
        (0..self.len()).filter(|&row| self.value(row, column).is_null()).count() as u64
    }

    /// The numbers of a column, NaN where there is none. Implementations over columnar memory
    /// override it.
    fn numbers(&self, column: usize) -> Vec<f64> {
        (0..self.len()).map(|row| self.value(row, column).as_f64().unwrap_or(f64::NAN)).collect()
    }

    /// The texts of a column. Implementations over columnar memory override it.
    fn labels(&self, column: usize) -> Labels {
        let mut labels = Labels::default();
        let mut known: HashMap<Arc<str>, u32> = HashMap::new();
        for row in 0..self.len() {
            let code = match self.value(row, column) {
                Value::Text(text) => *known.entry(text).or_insert_with_key(|text| {
                    labels.texts.push(text.clone());
                    labels.texts.len() as u32 - 1
                }),
                _ => Labels::NONE,
            };
            labels.codes.push(code);
        }
        labels
    }

    /// The different values of a column, the first `most` of them listed. Implementations over
    /// columnar memory override it.
    fn distinct(&self, column: usize, most: usize) -> Distinct {
        let mut seen = HashSet::new();
        let mut distinct = Distinct::default();
        for row in 0..self.len() {
            let value = self.value(row, column);
            if !value.is_null() && seen.insert(value.to_string()) {
                distinct.count += 1;
                if distinct.first.len() < most {
                    distinct.first.push(value);
                }
            }
        }
        distinct
    }
}

/// A small table in plain vectors, row by row: for tests and for results made by code.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// The columns, in order.
    pub columns: Vec<Column>,
    /// The rows; each as long as `columns`.
    pub rows: Vec<Vec<Value>>,
}

impl Rows for Table {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn len(&self) -> usize {
        self.rows.len()
    }

    fn value(&self, row: usize, column: usize) -> Value {
        self.rows.get(row).and_then(|r| r.get(column)).cloned().unwrap_or(Value::Null)
    }
}
