//! The calendar of bars: which bar a moment of the table's clock belongs to.
//!
//! Bars within a day are counted from the start of the trading day, whatever the session. Daily bars
//! and longer ones are made of trading dates and labelled by the first date they stand for, present
//! or not: a week by its first day, a month by the first of it.

use super::tables::DAY_MICROS;
use super::udf::calendar::{civil, days_from_civil};
use crate::query::check::Timeframe;
use crate::schema::{Market, Session};

/// Finds the bar of each row. It remembers the bar that it found last: rows come in time order.
#[derive(Debug, Clone)]
pub(crate) struct Buckets {
    timeframe: Timeframe,
    /// What makes the calendar date of a moment its trading date.
    shift: i64,
    week_start: i64,
    /// The bar found last: `from <= t < to`.
    from: i64,
    to: i64,
    label: i64,
}

impl Buckets {
    /// The bars of a timeframe. Rows that are `dates` stand for themselves: no trading day shifts
    /// them.
    pub(crate) fn new(timeframe: Timeframe, market: &Market, dates: bool) -> Self {
        let shift = if dates { 0 } else { market.day_shift() };
        let week_start = i64::from(market.week_start);
        Self { timeframe, shift, week_start, from: 0, to: 0, label: 0 }
    }

    /// The label of the bar that a moment is in: microseconds of the clock within a day, else days
    /// since 1970.
    pub(crate) fn label(&mut self, moment: i64) -> i64 {
        if moment < self.from || self.to <= moment {
            self.seek(moment);
        }
        self.label
    }

    fn seek(&mut self, moment: i64) {
        let shifted = moment.saturating_add(self.shift);
        if self.timeframe.is_intraday() {
            let length = (self.timeframe.longest() as i64).saturating_mul(1_000_000);
            let start = shifted.div_euclid(length).saturating_mul(length);
            self.from = start.saturating_sub(self.shift);
            self.to = self.from.saturating_add(length);
            self.label = self.from;
            return;
        }
        let day = shifted.div_euclid(DAY_MICROS);
        let (first, next) = self.dates(day);
        let start = |day: i64| day.saturating_mul(DAY_MICROS).saturating_sub(self.shift);
        (self.from, self.to) = (start(first), start(next));
        self.label = first;
    }

    /// The first date of a date's bar, and that of the next.
    fn dates(&self, day: i64) -> (i64, i64) {
        let months = |count: i64| {
            let (year, month, _) = civil(day as i32);
            let months = i64::from(year) * 12 + i64::from(month) - 1;
            let first = months.div_euclid(count) * count;
            let start = |m: i64| days_from_civil(m.div_euclid(12), m.rem_euclid(12) + 1, 1);
            (start(first), start(first + count))
        };
        match self.timeframe {
            Timeframe::Weekly => {
                // 1970-01-01 was a Thursday, the fourth day from Monday.
                let first = day - (day + 3 - self.week_start).rem_euclid(7);
                (first, first + 7)
            }
            Timeframe::Monthly => months(1),
            Timeframe::Quarterly => months(3),
            Timeframe::Yearly => months(12),
            _ => (day, day + 1),
        }
    }
}

/// Tells which rows are in a session. It remembers the day it looked at last.
#[derive(Debug, Clone)]
pub(crate) struct Hours {
    session: Session,
    midnight: i64,
}

impl Hours {
    /// The hours of a session.
    pub(crate) fn new(session: Session) -> Self {
        Self { session, midnight: 0 }
    }

    /// Whether a moment of the clock is in the session.
    pub(crate) fn hold(&mut self, moment: i64) -> bool {
        let mut time = moment.saturating_sub(self.midnight);
        if !(0..DAY_MICROS).contains(&time) {
            time = moment.rem_euclid(DAY_MICROS);
            self.midnight = moment.saturating_sub(time);
        }
        self.session.holds(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Clock;
    use crate::value::Value;
    use chrono::{Datelike, NaiveDateTime};
    use proptest::prelude::*;

    fn market(day_start: u32, week_start: u8) -> Market {
        Market { day_start: Clock(day_start), week_start, ..Market::default() }
    }

    fn check(timeframe: Timeframe, market: &Market, moment: &str, wanted: &str) {
        let moment: NaiveDateTime = moment.parse().expect("a time");
        let label =
            Buckets::new(timeframe, market, false).label(moment.and_utc().timestamp_micros());
        let label = if timeframe.is_intraday() {
            Value::Timestamp(label)
        } else {
            Value::Date(label as i32)
        };
        assert_eq!(label.to_string(), wanted, "{timeframe:?} at {moment}");
    }

    #[test]
    fn labels() {
        use Timeframe::{Daily, Hour1, Hour4, Minute15, Monthly, Quarterly, Weekly, Yearly};
        let plain = market(0, 0);
        let futures = market(18 * 3600, 0);
        let sunday = market(17 * 3600, 6);
        for (timeframe, market, moment, wanted) in [
            (Minute15, &plain, "2024-01-05T09:44:59", "2024-01-05T09:30:00"),
            (Hour1, &plain, "2024-01-05T09:30:00", "2024-01-05T09:00:00"),
            (Hour4, &plain, "2024-01-05T09:30:00", "2024-01-05T08:00:00"),
            (Hour4, &futures, "2024-01-05T09:30:00", "2024-01-05T06:00:00"),
            (Hour4, &futures, "2024-01-05T18:00:00", "2024-01-05T18:00:00"),
            (Hour4, &futures, "2024-01-06T01:59:59", "2024-01-05T22:00:00"),
            (Hour4, &sunday, "2024-01-05T16:59:59", "2024-01-05T13:00:00"),
            (Daily, &plain, "2024-01-05T23:59:59", "2024-01-05"),
            (Daily, &futures, "2024-01-05T17:59:59", "2024-01-05"),
            (Daily, &futures, "2024-01-05T18:00:00", "2024-01-06"),
            (Weekly, &plain, "2024-01-07T12:00:00", "2024-01-01"),
            (Weekly, &plain, "2024-01-08T00:00:00", "2024-01-08"),
            (Weekly, &futures, "2024-01-07T18:00:00", "2024-01-08"),
            (Weekly, &sunday, "2024-01-06T16:59:59", "2023-12-31"),
            (Weekly, &sunday, "2024-01-06T17:00:00", "2024-01-07"),
            (Monthly, &futures, "2024-01-31T17:00:00", "2024-01-01"),
            (Monthly, &futures, "2024-01-31T18:00:00", "2024-02-01"),
            (Quarterly, &plain, "2024-12-31T00:00:00", "2024-10-01"),
            (Yearly, &futures, "2023-12-31T20:00:00", "2024-01-01"),
            (Yearly, &plain, "1969-12-31T20:00:00", "1969-01-01"),
        ] {
            check(timeframe, market, moment, wanted);
        }
    }

    proptest! {
        #[test]
        fn every_moment_is_in_one_bar(
            start in -40_000i64..40_000,
            steps in proptest::collection::vec(-500_000_000_000i64..900_000_000_000, 1..60),
            place in 0usize..12,
            day_start in 0u32..1440,
            week_start in 0u8..7,
        ) {
            let Some(&timeframe) = Timeframe::ALL.get(place) else { return Ok(()) };
            let market = market(day_start * 60, week_start);
            let mut walking = Buckets::new(timeframe, &market, false);
            let mut moment = start * DAY_MICROS;
            for step in steps {
                moment += step;
                let label = walking.label(moment);
                prop_assert!(walking.from <= moment && moment < walking.to);
                // The same however it is come to, and one label for all of the bar.
                prop_assert_eq!(Buckets::new(timeframe, &market, false).label(moment), label);
                for end in [walking.from, walking.to - 1] {
                    prop_assert_eq!(Buckets::new(timeframe, &market, false).label(end), label);
                }
                let next = Buckets::new(timeframe, &market, false).label(walking.to);
                prop_assert!(next > label);
                if timeframe.is_intraday() {
                    // No bar crosses the start of a trading day.
                    let dates = [walking.from, walking.to - 1].map(|t| market.trading_day(t));
                    prop_assert_eq!(dates[0], dates[1]);
                } else {
                    let date = Value::Date(label as i32).date().expect("a date");
                    let first = match timeframe {
                        Timeframe::Weekly => date.weekday().num_days_from_monday() == u32::from(week_start),
                        Timeframe::Monthly => date.day() == 1,
                        Timeframe::Quarterly => date.day() == 1 && date.month0().is_multiple_of(3),
                        Timeframe::Yearly => date.ordinal() == 1,
                        _ => true,
                    };
                    prop_assert!(first, "{} is no start of a {:?} bar", date, timeframe);
                }
            }
        }

        #[test]
        fn hours_agree_with_the_session(
            start in 0u32..86_400, end in 1u32..=86_400,
            steps in proptest::collection::vec(-100_000_000_000i64..100_000_000_000, 1..60),
        ) {
            let session = Session { name: "s".into(), start: Clock(start), end: Clock(end) };
            let mut hours = Hours::new(session.clone());
            let mut moment = 0;
            for step in steps {
                moment += step;
                prop_assert_eq!(hours.hold(moment), session.holds(moment.rem_euclid(DAY_MICROS)));
            }
        }
    }
}
