//! What is known of a table without reading a row of it: names, kinds, time and series columns,
//! market settings, fingerprint. Plain data; the checker needs nothing else.

mod gaps;
mod market;
mod member;

pub use gaps::{Gaps, Missing};
pub use market::{Clock, Market, Session, timezone};
pub use member::Member;

use crate::value::{MOST_DIGITS, Value};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// The kind of a column's values.
///
/// As data it is one word: `int`, `float`, `decimal(2)`, `bool`, `text`, `date`, `timestamp`,
/// `list(text)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Whole numbers, computed in 64 bits.
    Int,
    /// Doubles.
    Float,
    /// Exact numbers of up to 38 digits, so many of them behind the point.
    Decimal(u8),
    /// True and false.
    Bool,
    /// Text.
    Text,
    /// Calendar dates.
    Date,
    /// Moments, to the microsecond.
    Timestamp,
    /// Lists of values of one kind. They have no order, and nothing groups by them.
    List(Member),
}

impl Kind {
    /// Integers, floats and decimals.
    pub fn is_numeric(self) -> bool {
        matches!(self, Self::Int | Self::Float | Self::Decimal(_))
    }

    /// The kind of numbers of which some are of this kind and some of another, both numeric: a
    /// decimal holds whole numbers, and a double whatever it is.
    pub fn common(self, other: Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a,
            (Self::Decimal(a), Self::Decimal(b)) => Self::Decimal(a.max(b)),
            (Self::Decimal(scale), Self::Int) | (Self::Int, Self::Decimal(scale)) => {
                Self::Decimal(scale)
            }
            _ => Self::Float,
        }
    }

    /// Dates and timestamps.
    pub fn is_time(self) -> bool {
        matches!(self, Self::Date | Self::Timestamp)
    }

    /// Lists of any kind.
    pub fn is_list(self) -> bool {
        matches!(self, Self::List(_))
    }

    /// The name in messages and schemas.
    pub fn name(self) -> &'static str {
        match self {
            Self::Int => "integer",
            Self::Float => "number",
            Self::Decimal(_) => "decimal",
            Self::Bool => "boolean",
            Self::Text => "text",
            Self::Date => "date",
            Self::Timestamp => "timestamp",
            Self::List(member) => member.of_lists(),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int => f.write_str("int"),
            Self::Float => f.write_str("float"),
            Self::Decimal(scale) => write!(f, "decimal({scale})"),
            Self::Bool => f.write_str("bool"),
            Self::Text => f.write_str("text"),
            Self::Date => f.write_str("date"),
            Self::Timestamp => f.write_str("timestamp"),
            Self::List(member) => write!(f, "list({})", member.kind()),
        }
    }
}

impl FromStr for Kind {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        Ok(match text {
            "int" => Self::Int,
            "float" => Self::Float,
            "bool" => Self::Bool,
            "text" => Self::Text,
            "date" => Self::Date,
            "timestamp" => Self::Timestamp,
            _ if text.starts_with("list(") => {
                let mut lists = Member::ALL.into_iter().map(Self::List);
                lists.find(|list| list.to_string() == text).ok_or(())?
            }
            _ => {
                let scale = text.strip_prefix("decimal(").and_then(|s| s.strip_suffix(')'));
                let scale = scale.and_then(|s| s.parse().ok());
                Self::Decimal(scale.filter(|s| *s <= MOST_DIGITS).ok_or(())?)
            }
        })
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(|()| D::Error::custom("no kind of values"))
    }
}

/// One column.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Exact name.
    pub name: String,
    /// Kind of its values.
    pub kind: Kind,
    /// Unit, as declared or read from the name (`%`, `USD`, `kg`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// A name for people.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// Other words for it, in any language.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
    /// The distinct values of a text column that has few of them (at most [`LOW_CARDINALITY`]).
    /// They are data: the policy decides whether they leave.
    #[serde(skip)]
    pub values: Option<Vec<String>>,
    /// Other words for some of the values of a text column, in any language. They are as good as the
    /// values, and leave only where those do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub value_synonyms: Vec<(String, Vec<String>)>,
    /// Rows without a value, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nulls: Option<u64>,
    /// Some of its numbers are below zero.
    #[serde(skip)]
    pub signed: bool,
    /// Its numbers are parts of one (`0.15` for 15 %).
    #[serde(skip)]
    pub fraction: bool,
}

/// A text column with at most this many distinct values lists them in [`Column::values`].
pub const LOW_CARDINALITY: usize = 200;

impl Column {
    /// A column with a name and a kind.
    pub fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self {
            name: name.into(),
            kind,
            unit: None,
            label: None,
            synonyms: Vec::new(),
            values: None,
            value_synonyms: Vec::new(),
            nulls: None,
            signed: false,
            fraction: false,
        }
    }

    /// Every other word for a value, with the value; not for one that is known not to be there, nor
    /// a word that is a value itself.
    pub fn other_words(&self) -> impl Iterator<Item = (&str, &str)> {
        let values = self.values.as_deref();
        let is_value = move |word: &str| {
            values.is_some_and(|all| all.iter().any(|v| v.to_lowercase() == word.to_lowercase()))
        };
        self.value_synonyms
            .iter()
            .filter(move |(value, _)| values.is_none_or(|all| all.contains(value)))
            .flat_map(|(value, words)| words.iter().map(|word| (word.as_str(), value.as_str())))
            .filter(move |(word, _)| !is_value(word))
    }

    /// Takes in what is known of the same column of further rows.
    pub(crate) fn take_in(&mut self, more: &Self) {
        if self.kind.is_numeric() && more.kind.is_numeric() {
            self.kind = self.kind.common(more.kind);
        }
        self.nulls = self.nulls.zip(more.nulls).map(|(a, b)| a + b);
        self.signed |= more.signed;
        self.fraction &= more.fraction;
        self.values = self.values.take().zip(more.values.as_ref()).and_then(|(own, others)| {
            let all: BTreeSet<String> = own.into_iter().chain(others.iter().cloned()).collect();
            (all.len() <= LOW_CARDINALITY).then(|| all.into_iter().collect())
        });
    }

    /// Sets the unit.
    #[must_use]
    pub fn unit(mut self, unit: impl Into<String>) -> Self {
        self.unit = Some(unit.into());
        self
    }
}

/// Where the open, high, low, close and volume of a bar are, by column name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ohlcv {
    /// First price of the bar.
    pub open: String,
    /// Highest price.
    pub high: String,
    /// Lowest price.
    pub low: String,
    /// Last price.
    pub close: String,
    /// Traded volume, where the table has it.
    pub volume: Option<String>,
}

impl Ohlcv {
    /// Recognises bars by column names, in any case: open, high, low and close numeric.
    pub fn detect(columns: &[Column]) -> Option<Self> {
        let find = |name: &str| {
            columns
                .iter()
                .find(|c| c.name.eq_ignore_ascii_case(name) && c.kind.is_numeric())
                .map(|c| c.name.clone())
        };
        Some(Self {
            open: find("open")?,
            high: find("high")?,
            low: find("low")?,
            close: find("close")?,
            volume: find("volume"),
        })
    }
}

/// How a numeric column outside OHLCV is resampled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rule {
    /// The bucket's first value.
    First,
    /// The bucket's last value.
    Last,
    /// Their sum.
    Sum,
    /// Their mean.
    Mean,
    /// The smallest.
    Min,
    /// The largest.
    Max,
}

/// The schema of a loaded table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TableSchema {
    /// The name it was loaded under.
    pub name: String,
    /// Its columns, in file order.
    pub columns: Vec<Column>,
    /// How many rows.
    pub rows: u64,
    /// The time column, detected or named at load.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// The series column (several instruments in one table).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<String>,
    /// Open, high, low, close, volume, where the table has bars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ohlcv: Option<Ohlcv>,
    /// The clock that the time column is read by: zone, sessions, trading days, weeks.
    #[serde(default, skip_serializing_if = "Market::is_default")]
    pub market: Market,
    /// Resampling rules of other numeric columns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resample: Vec<(String, Rule)>,
    /// The usual distance between rows in seconds (60 for minute bars): the smallest common one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<u64>,
    /// First and last value of the time column.
    #[serde(skip)]
    pub range: Option<(Value, Value)>,
    /// Some moment of the time column, by the table's clock, is not a midnight.
    #[serde(skip)]
    pub timed: bool,
    /// What of its bars is missing, where it has bars and they have a timeframe.
    #[serde(skip)]
    pub gaps: Option<Gaps>,
    /// Counts loads under this name, so that an old result is never taken for a new one.
    pub version: u64,
    /// The version whose rows it holds beside those that were appended.
    #[serde(skip)]
    pub grown_from: Option<u64>,
    /// Other words for the table, in any language.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub synonyms: Vec<String>,
    /// A script made it: any cell of any table may stand in any column, and in the names of columns.
    #[serde(skip)]
    pub computed: bool,
}

impl TableSchema {
    /// A schema with columns and nothing detected.
    pub fn new(name: impl Into<String>, columns: Vec<Column>) -> Self {
        let ohlcv = Ohlcv::detect(&columns);
        Self {
            name: name.into(),
            columns,
            rows: 0,
            time: None,
            series: None,
            ohlcv,
            market: Market::default(),
            resample: Vec::new(),
            interval: None,
            range: None,
            timed: false,
            gaps: None,
            version: 1,
            grown_from: None,
            synonyms: Vec::new(),
            computed: false,
        }
    }

    /// The column named exactly `name`.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name == name)
    }

    /// First and last trading date of the data, in days since 1970.
    pub fn dates(&self) -> Option<(i32, i32)> {
        let day = |value: &Value| match value {
            Value::Date(day) => Some(*day),
            Value::Timestamp(micros) => Some(self.market.trading_day(*micros)),
            _ => None,
        };
        let (first, last) = self.range.as_ref()?;
        Some((day(first)?, day(last)?))
    }

    /// Bars shorter than a day.
    pub fn is_intraday(&self) -> bool {
        self.interval.is_some_and(|s| s < DAY)
    }

    /// Changes when names, kinds or settings change, and not when rows are added.
    pub fn fingerprint(&self) -> String {
        use sha2::{Digest, Sha256};
        let mut hash = Sha256::new();
        for c in &self.columns {
            hash.update(format!("{}\u{1f}{}\u{1e}", c.name, c.kind.name()).as_bytes());
        }
        hash.update(format!("{:?}\u{1f}{:?}", self.time, self.series));
        hash.update(format!("\u{1f}{:?}\u{1f}{:?}", self.resample, self.market));
        hash.finalize().iter().take(8).fold(String::new(), |hex, b| hex + &format!("{b:02x}"))
    }
}

/// Seconds in a day.
pub const DAY: u64 = 86_400;
