//! Time zones: from UTC to the clock of a zone and back, column by column.
//!
//! A table holds what its clock shows, converted once when it is loaded: sessions, trading dates,
//! parts of dates and what a person sees are then plain arithmetic. The rows stay in the order of
//! the moments themselves, so that the hour which a clock shows twice keeps its two passes apart.
//! The zones are those that DataFusion links anyway.

use super::tables::DAY_MICROS;
use arrow::array::{Array, ArrayRef, AsArray, TimestampMicrosecondArray};
use arrow::datatypes::TimestampMicrosecondType;
use chrono::{DateTime, LocalResult, NaiveDateTime, Offset, TimeZone};
use chrono_tz::Tz;
use std::sync::Arc;

const SECOND: i64 = 1_000_000;

/// The clock of a zone. It remembers the stretch of time with one offset that it read last, so that
/// rows in time order cost an addition each.
#[derive(Debug, Clone)]
pub(crate) struct LocalClock {
    zone: Tz,
    /// In UTC, `from <= t < to`.
    from: i64,
    to: i64,
    offset: i64,
}

impl LocalClock {
    /// The clock of a zone, by its IANA name.
    pub(crate) fn of(zone: &str) -> Option<Self> {
        Some(Self { zone: zone.parse().ok()?, from: 0, to: 0, offset: 0 })
    }

    /// What the clock shows at a moment of UTC, in microseconds.
    pub(crate) fn show(&mut self, utc: i64) -> i64 {
        self.seek(utc);
        utc.saturating_add(self.offset)
    }

    /// Finds a stretch of one offset around a moment: the day in UTC, cut where the clock changes.
    fn seek(&mut self, utc: i64) {
        if self.from <= utc && utc < self.to {
            return;
        }
        let day = utc.div_euclid(DAY_MICROS).saturating_mul(DAY_MICROS);
        let (mut from, mut to) = (day, day.saturating_add(DAY_MICROS));
        let (before, after) = (self.offset_at(from), self.offset_at(to));
        self.offset = before;
        if before != after {
            let (mut low, mut high) = (from / SECOND, to / SECOND);
            while high - low > 1 {
                let middle = i64::midpoint(low, high);
                if self.offset_at(middle * SECOND) == before { low = middle } else { high = middle }
            }
            if utc < high * SECOND {
                to = high * SECOND;
            } else {
                from = high * SECOND;
                self.offset = after;
            }
        }
        (self.from, self.to) = (from, to);
    }

    fn offset_at(&self, utc: i64) -> i64 {
        let offset = |t: NaiveDateTime| self.zone.offset_from_utc_datetime(&t).fix();
        naive(utc).map_or(0, |t| i64::from(offset(t).local_minus_utc()) * SECOND)
    }

    /// Whether a day of the clock, with those around it, has one offset throughout.
    pub(crate) fn is_even(&self, day: i64) -> bool {
        self.offset_of(day).is_some()
    }

    /// The offset around a day of the clock, where it is one.
    fn offset_of(&self, day: i64) -> Option<i64> {
        let far = |day: i64| self.offset_at(day.saturating_mul(DAY_MICROS));
        let (before, after) = (far(day.saturating_sub(1)), far(day.saturating_add(2)));
        (before == after).then_some(before)
    }

    /// The moments, in UTC, at which the clock showed `times`, in the order in which a file has
    /// them. A time that the clock shows twice is the second where the file went back on it; a time
    /// that it skips is the moment of the skip.
    pub(crate) fn moments(&mut self, times: &[Option<i64>]) -> Vec<Option<i64>> {
        // The day of the clock that has one offset throughout.
        let (mut plain, mut offset) = (None, 0);
        let mut twice: Option<(i64, bool)> = None;
        let mut moments = Vec::with_capacity(times.len());
        for &time in times {
            let Some(time) = time else {
                moments.push(None);
                continue;
            };
            let day = time.div_euclid(DAY_MICROS);
            if plain != Some(day) {
                (plain, offset) = match self.offset_of(day) {
                    Some(offset) => (Some(day), offset),
                    None => (None, 0),
                };
            }
            if plain.is_some() {
                twice = None;
                moments.push(Some(time.saturating_sub(offset)));
                continue;
            }
            let found = naive(time).map(|t| self.zone.offset_from_local_datetime(&t));
            let utc = |o: chrono_tz::TzOffset| time - i64::from(o.fix().local_minus_utc()) * SECOND;
            moments.push(Some(match found {
                Some(LocalResult::Single(one)) => {
                    twice = None;
                    utc(one)
                }
                Some(LocalResult::Ambiguous(a, b)) => {
                    let second = twice.is_some_and(|(last, second)| second || time < last);
                    twice = Some((time, second));
                    if second { utc(a).max(utc(b)) } else { utc(a).min(utc(b)) }
                }
                _ => {
                    let before = self.offset_at(day.saturating_mul(DAY_MICROS) - DAY_MICROS);
                    self.seek(time.saturating_sub(before));
                    self.from
                }
            }));
        }
        moments
    }

    /// A column of moments in UTC as the clock shows them.
    pub(crate) fn show_all(&mut self, moments: &ArrayRef) -> ArrayRef {
        match moments.as_primitive_opt::<TimestampMicrosecondType>() {
            Some(array) => {
                let shown = array.values().iter().map(|&t| self.show(t)).collect::<Vec<_>>();
                Arc::new(TimestampMicrosecondArray::new(shown.into(), array.nulls().cloned()))
            }
            None => moments.clone(),
        }
    }
}

fn naive(micros: i64) -> Option<NaiveDateTime> {
    DateTime::from_timestamp_micros(micros).map(|t| t.naive_utc())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn at(text: &str) -> i64 {
        text.parse::<NaiveDateTime>().expect("a time").and_utc().timestamp_micros()
    }

    fn text(micros: i64) -> String {
        naive(micros).expect("a time").format("%Y-%m-%dT%H:%M").to_string()
    }

    #[test]
    fn clocks_change_on_the_day_and_at_the_hour() {
        for (zone, utc, shown) in [
            ("America/New_York", "2024-03-10T06:59:59", "2024-03-10T01:59"),
            ("America/New_York", "2024-03-10T07:00:00", "2024-03-10T03:00"),
            ("America/New_York", "2024-11-03T05:59:59", "2024-11-03T01:59"),
            ("America/New_York", "2024-11-03T06:00:00", "2024-11-03T01:00"),
            ("Europe/Berlin", "2024-03-31T00:59:59", "2024-03-31T01:59"),
            ("Europe/Berlin", "2024-03-31T01:00:00", "2024-03-31T03:00"),
            ("Europe/Berlin", "2024-10-27T00:59:59", "2024-10-27T02:59"),
            ("Europe/Berlin", "2024-10-27T01:00:00", "2024-10-27T02:00"),
            ("Asia/Kolkata", "2024-01-01T00:00:00", "2024-01-01T05:30"),
            ("Australia/Lord_Howe", "2024-04-06T14:59:59", "2024-04-07T01:59"),
            ("Australia/Lord_Howe", "2024-04-06T15:00:00", "2024-04-07T01:30"),
            ("Pacific/Apia", "2011-12-30T09:59:59", "2011-12-29T23:59"),
            ("Pacific/Apia", "2011-12-30T10:00:00", "2011-12-31T00:00"),
            ("Europe/Moscow", "2014-10-25T21:59:59", "2014-10-26T01:59"),
            ("Europe/Moscow", "2014-10-25T22:00:00", "2014-10-26T01:00"),
            ("UTC", "1969-12-31T23:59:59", "1969-12-31T23:59"),
            ("America/New_York", "2036-07-01T12:00:00", "2036-07-01T08:00"),
        ] {
            let mut clock = LocalClock::of(zone).expect("a zone");
            assert_eq!(text(clock.show(at(utc))), shown, "{utc} in {zone}");
        }
        assert!(LocalClock::of("Mars/Olympus").is_none());
    }

    /// Times of a file in `zone`, and the moments that they are.
    fn check(zone: &str, file: &[&str], wanted: &[&str]) {
        let mut clock = LocalClock::of(zone).expect("a zone");
        let times: Vec<_> = file.iter().map(|t| (!t.is_empty()).then(|| at(t))).collect();
        let moments = clock.moments(&times);
        let moments: Vec<_> = moments.iter().map(|m| m.map_or(String::new(), text)).collect();
        assert_eq!(moments, wanted, "{zone}");
    }

    #[test]
    fn an_hour_shown_twice_is_told_apart_by_its_order() {
        check(
            "America/New_York",
            &[
                "2024-11-03T00:30:00",
                "2024-11-03T01:00:00",
                "2024-11-03T01:30:00",
                "",
                "2024-11-03T01:00:00",
                "2024-11-03T01:30:00",
                "2024-11-03T02:00:00",
                // another instrument, from the start again
                "2024-11-03T01:00:00",
                "2024-11-03T01:00:00",
            ],
            &[
                "2024-11-03T04:30",
                "2024-11-03T05:00",
                "2024-11-03T05:30",
                "",
                "2024-11-03T06:00",
                "2024-11-03T06:30",
                "2024-11-03T07:00",
                "2024-11-03T05:00",
                "2024-11-03T05:00",
            ],
        );
    }

    #[test]
    fn an_hour_that_is_skipped_is_the_moment_of_the_skip() {
        check(
            "Europe/Berlin",
            &[
                "2024-03-30T12:00:00",
                "2024-03-31T01:59:00",
                "2024-03-31T02:30:00",
                "2024-03-31T03:00:00",
                "2024-04-02T12:00:00",
            ],
            &[
                "2024-03-30T11:00",
                "2024-03-31T00:59",
                "2024-03-31T01:00",
                "2024-03-31T01:00",
                "2024-04-02T10:00",
            ],
        );
    }

    #[test]
    fn a_row_alone_in_an_hour_shown_twice_is_of_the_first_pass() {
        // 06:00 in UTC, when the clock went back from two to one.
        check("America/New_York", &["1980-10-26T01:00:00"], &["1980-10-26T05:00"]);
    }

    proptest! {
        #[test]
        fn a_clock_agrees_with_its_zone(
            start in 0i64..2_200_000_000,
            steps in proptest::collection::vec(-90_000i64..9_000_000, 1..40),
            zone in proptest::sample::select(chrono_tz::TZ_VARIANTS.to_vec()),
        ) {
            let mut clock = LocalClock::of(zone.name()).expect("a zone");
            let mut at = start;
            for step in steps {
                at += step;
                let utc = DateTime::from_timestamp(at, 0).expect("in range");
                let shown = utc.with_timezone(&zone).naive_local().and_utc().timestamp();
                prop_assert_eq!(clock.show(at * SECOND), shown * SECOND, "{} in {}", utc, zone);
            }
        }

        #[test]
        fn times_in_order_lead_back_to_their_moments(
            start in 0i64..2_000_000_000,
            steps in proptest::collection::vec(60i64..3000, 1..200),
            zone in proptest::sample::select(vec!["America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "UTC"]),
        ) {
            let mut clock = LocalClock::of(zone).expect("a zone");
            let mut at = start;
            let moments: Vec<_> = steps.iter().map(|s| { at += s; Some(at * SECOND) }).collect();
            let times: Vec<_> = moments.iter().map(|m| m.map(|m| clock.show(m))).collect();
            let back = clock.moments(&times);
            // only a first pass without a row in the second half of its hour leaves no trace
            let twice = times.windows(2).any(|w| w[1] < w[0]);
            let same = back == moments;
            let ordered = back.windows(2).all(|w| w[0] <= w[1]);
            prop_assert!(ordered, "{zone}");
            if twice || !near_change(&mut clock, &moments) { prop_assert!(same, "{zone}"); }
        }
    }

    /// Whether the clock goes back somewhere between the moments, or so shortly before one that it
    /// may be of an hour that was shown before.
    fn near_change(clock: &mut LocalClock, moments: &[Option<i64>]) -> bool {
        const BEFORE: i64 = 2 * 3600 * SECOND;
        let moments = moments.iter().flatten();
        let mut offsets = moments.flat_map(|&m| [m - BEFORE, m]).map(|m| clock.show(m) - m);
        let first = offsets.next();
        offsets.any(|o| Some(o) != first)
    }
}
