//! What words stand for, by the functions of the query language.

use super::words::{Agg, Derived, Indicator, Part, Wick};

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
            Self::Percentile(_) => "percentile",
        }
    }
}

impl Part {
    /// The function of the query language, and the name of the column it makes.
    pub fn function(self) -> (&'static str, &'static str) {
        match self {
            Self::Year => ("year", "year"),
            Self::Quarter => ("quarter", "quarter"),
            Self::Month => ("monthname", "month"),
            Self::Week => ("week", "week"),
            Self::Day => ("date", "day"),
            Self::Weekday => ("dayname", "dow"),
            Self::Hour => ("hour", "hour"),
        }
    }
}

impl Derived {
    /// There is such a measure in per cent of the price.
    pub fn has_percent(self) -> bool {
        !matches!(self, Self::Body | Self::Wick(_))
    }

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
            (Self::Wick(Wick::Upper), _) => "upper_wick",
            (Self::Wick(Wick::Lower), _) => "lower_wick",
        }
    }
}

impl Indicator {
    /// The function of the query language.
    pub fn function(self) -> &'static str {
        match self {
            Self::Rsi => "rsi",
            Self::Atr => "atr",
            Self::Adx => "adx",
            Self::Cci => "cci",
            Self::Mfi => "mfi",
            Self::MacdLine => "macd",
            Self::WilliamsR => "williams_r",
            Self::TrueRange => "tr",
            Self::Sma => "sma",
            Self::Ema => "ema",
        }
    }
}
