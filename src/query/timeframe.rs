//! The lengths of bars that `from` can name.

use crate::schema::DAY;

/// A length of bars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Timeframe {
    /// One minute.
    Minute1,
    /// Five minutes.
    Minute5,
    /// A quarter of an hour.
    Minute15,
    /// Half an hour.
    Minute30,
    /// One hour.
    Hour1,
    /// Two hours.
    Hour2,
    /// Four hours.
    Hour4,
    /// One trading day.
    Daily,
    /// One week of trading days.
    Weekly,
    /// One calendar month of trading days.
    Monthly,
    /// Three of them, from January on.
    Quarterly,
    /// One calendar year of trading days.
    Yearly,
}

impl Timeframe {
    /// Every timeframe, finest first.
    pub const ALL: &[Self] = &[
        Self::Minute1,
        Self::Minute5,
        Self::Minute15,
        Self::Minute30,
        Self::Hour1,
        Self::Hour2,
        Self::Hour4,
        Self::Daily,
        Self::Weekly,
        Self::Monthly,
        Self::Quarterly,
        Self::Yearly,
    ];

    /// The name in a query.
    pub fn name(self) -> &'static str {
        match self {
            Self::Minute1 => "1m",
            Self::Minute5 => "5m",
            Self::Minute15 => "15m",
            Self::Minute30 => "30m",
            Self::Hour1 => "1h",
            Self::Hour2 => "2h",
            Self::Hour4 => "4h",
            Self::Daily => "daily",
            Self::Weekly => "weekly",
            Self::Monthly => "monthly",
            Self::Quarterly => "quarterly",
            Self::Yearly => "yearly",
        }
    }

    /// The timeframe whose bars are so many seconds apart, up to a day.
    pub fn lasting(seconds: u64) -> Option<Self> {
        Self::ALL.iter().copied().find(|t| *t <= Self::Daily && t.longest() == seconds)
    }

    /// The timeframe of exactly this name.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|t| t.name() == name)
    }

    /// The timeframe that another language calls `name`.
    pub fn meant(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase().replace([' ', '_', '-'], "");
        let split = name.find(|c: char| !c.is_ascii_digit()).unwrap_or(name.len());
        let (count, unit) = name.split_at(split);
        let count = if count.is_empty() { 1 } else { count.parse::<u64>().ok()? };
        let seconds = match unit {
            "m" | "t" | "min" | "mins" | "minute" | "minutes" => 60,
            "h" | "hr" | "hour" | "hours" | "hourly" => 3600,
            "d" | "day" | "days" | "daily" if count == 1 => return Some(Self::Daily),
            "w" | "wk" | "week" | "weeks" | "weekly" if count == 1 => return Some(Self::Weekly),
            "mo" | "mon" | "month" | "months" | "monthly" => {
                return match count {
                    1 => Some(Self::Monthly),
                    3 => Some(Self::Quarterly),
                    12 => Some(Self::Yearly),
                    _ => None,
                };
            }
            "q" | "quarter" | "quarters" | "quarterly" if count == 1 => {
                return Some(Self::Quarterly);
            }
            "y" | "yr" | "year" | "years" | "yearly" | "annual" if count == 1 => {
                return Some(Self::Yearly);
            }
            _ => return None,
        };
        let length = count.checked_mul(seconds)?;
        Self::ALL.iter().copied().find(|t| t.is_intraday() && t.longest() == length)
    }

    /// Shorter than a day.
    pub fn is_intraday(self) -> bool {
        self < Self::Daily
    }

    /// Seconds of its longest bar; that of an intraday one has them always.
    pub fn longest(self) -> u64 {
        match self {
            Self::Minute1 => 60,
            Self::Minute5 => 300,
            Self::Minute15 => 900,
            Self::Minute30 => 1800,
            Self::Hour1 => 3600,
            Self::Hour2 => 7200,
            Self::Hour4 => 14_400,
            Self::Daily => DAY,
            Self::Weekly => 7 * DAY,
            Self::Monthly => 31 * DAY,
            Self::Quarterly => 92 * DAY,
            Self::Yearly => 366 * DAY,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_what_others_call_them() {
        for timeframe in Timeframe::ALL {
            assert_eq!(Timeframe::of(timeframe.name()), Some(*timeframe));
            assert_eq!(Timeframe::meant(timeframe.name()), Some(*timeframe));
        }
        for (name, meant) in [
            ("1d", Some("daily")),
            ("Day", Some("daily")),
            ("60m", Some("1h")),
            ("5 min", Some("5m")),
            ("5T", Some("5m")),
            ("hourly", Some("1h")),
            ("240min", Some("4h")),
            ("4H", Some("4h")),
            ("1w", Some("weekly")),
            ("3 months", Some("quarterly")),
            ("12mo", Some("yearly")),
            ("annual", Some("yearly")),
            ("2d", None),
            ("3h", None),
            ("7m", None),
            ("99999999999999999999m", None),
            ("9999999999999999999h", None),
            ("fortnight", None),
            ("", None),
        ] {
            assert_eq!(Timeframe::meant(name).map(Timeframe::name), meant, "{name}");
        }
        assert!(Timeframe::ALL.is_sorted_by_key(|t| t.longest()));
    }
}
