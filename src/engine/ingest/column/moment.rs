//! Dates and moments as people write them: a quick reader for one fixed ISO-like form that loses
//! nothing of how it was written, and a lenient one for the other orders and lengths.

use super::months;
use crate::engine::ingest::options::DateOrder;

/// Microseconds in a day.
pub(super) const DAY: i64 = 86_400_000_000;
const SECOND: i64 = 1_000_000;

/// One exact way to write a moment: `2024-01-02`, `2024/01/02 09:30`, `2024-01-02T09:30:00.250Z`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    /// Between year, month and day: `-`, `/` or `.`.
    separator: u8,
    /// Between date and time (`T` or a space), or no time at all.
    joint: Option<u8>,
    seconds: bool,
    /// Digits of the fraction of the second, 0 to 6.
    fraction: u8,
    zone: Zone,
}

/// How the zone is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zone {
    None,
    Z,
    /// `+03:00`, in minutes.
    Offset(i16),
}

impl Form {
    /// The form `text` is written in, if it is one of those.
    pub(super) fn of(text: &[u8]) -> Option<Self> {
        let separator = *text.get(4)?;
        if !matches!(separator, b'-' | b'/' | b'.') {
            return None;
        }
        let mut form =
            Self { separator, joint: None, seconds: false, fraction: 0, zone: Zone::None };
        let mut rest = text.get(10..)?;
        if let [joint @ (b'T' | b' '), after @ ..] = rest {
            form.joint = Some(*joint);
            rest = after.get(5..)?;
            if let [b':', after @ ..] = rest {
                form.seconds = true;
                rest = after.get(2..)?;
                if let [b'.', after @ ..] = rest {
                    let n = after.iter().take_while(|b| b.is_ascii_digit()).count();
                    form.fraction = u8::try_from(n).ok().filter(|n| (1..=6).contains(n))?;
                    rest = after.get(n..)?;
                }
            }
            form.zone = match rest {
                [] => Zone::None,
                [b'Z'] => Zone::Z,
                [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
                    let (hours, minutes) = (pair(*h1, *h2)?, pair(*m1, *m2)?);
                    if hours > 15 || minutes > 59 {
                        return None;
                    }
                    let size = (hours * 60 + minutes) as i16;
                    // `-00:00` could not be written back
                    if *sign == b'-' && size == 0 {
                        return None;
                    }
                    Zone::Offset(if *sign == b'-' { -size } else { size })
                }
                _ => return None,
            };
        } else if !rest.is_empty() {
            return None;
        }
        form.read(text, &mut Day::default()).map(|_| form)
    }

    /// The moment in microseconds since 1970, in UTC where the form has a zone; `day` remembers
    /// the date read last.
    #[inline]
    pub(super) fn read(self, text: &[u8], day: &mut Day) -> Option<i64> {
        let (date, rest) = text.split_first_chunk::<10>()?;
        if *date != day.text {
            let [y1, y2, y3, y4, s1, m1, m2, s2, d1, d2] = *date;
            if s1 != self.separator || s2 != self.separator {
                return None;
            }
            let year = pair(y1, y2)? * 100 + pair(y3, y4)?;
            day.start = days(year, pair(m1, m2)?, pair(d1, d2)?)? * DAY;
            day.text = *date;
        }
        let Some(joint) = self.joint else {
            return rest.is_empty().then_some(day.start);
        };
        let ([j, h1, h2, b':', m1, m2], mut rest) = rest.split_first_chunk::<6>()? else {
            return None;
        };
        let (hour, minute) = (pair(*h1, *h2)?, pair(*m1, *m2)?);
        if *j != joint || hour > 23 || minute > 59 {
            return None;
        }
        let mut seconds = i64::from(hour * 60 + minute) * 60;
        let mut micros = 0;
        if self.seconds {
            let ([b':', s1, s2], after) = rest.split_first_chunk::<3>()? else { return None };
            let second = pair(*s1, *s2)?;
            if second > 59 {
                return None;
            }
            seconds += i64::from(second);
            rest = after;
            if self.fraction > 0 {
                let (fraction, after) = rest.split_at_checked(1 + usize::from(self.fraction))?;
                let (b'.', digits) = fraction.split_first()? else { return None };
                micros = fraction_micros(digits)?;
                rest = after;
            }
        }
        match self.zone {
            Zone::None if rest.is_empty() => {}
            Zone::Z if rest == b"Z" => {}
            Zone::Offset(minutes) => {
                if *rest != offset_text(minutes) {
                    return None;
                }
                seconds -= i64::from(minutes) * 60;
            }
            _ => return None,
        }
        Some(day.start + seconds * SECOND + micros)
    }

    /// Appends a moment as [`Form::read`] read it.
    pub(super) fn write(self, micros: i64, out: &mut String) {
        use std::fmt::Write;
        let offset = match self.zone {
            Zone::Offset(minutes) => i64::from(minutes) * 60 * SECOND,
            Zone::None | Zone::Z => 0,
        };
        let local = micros + offset;
        let (year, month, day) = civil(local.div_euclid(DAY));
        let s = char::from(self.separator);
        let _ = write!(out, "{year:04}{s}{month:02}{s}{day:02}");
        let Some(joint) = self.joint else { return };
        let time = local.rem_euclid(DAY);
        let seconds = time / SECOND;
        let _ = write!(out, "{}{:02}:{:02}", char::from(joint), seconds / 3600, seconds / 60 % 60);
        if self.seconds {
            let _ = write!(out, ":{:02}", seconds % 60);
        }
        if self.fraction > 0 {
            let digits = format!("{:06}", time % SECOND);
            let _ = write!(out, ".{}", digits.get(..self.fraction.into()).unwrap_or_default());
        }
        match self.zone {
            Zone::None => {}
            Zone::Z => out.push('Z'),
            Zone::Offset(minutes) => out.extend(offset_text(minutes).map(char::from)),
        }
    }

    /// True when it has a time of day.
    pub(super) fn has_time(self) -> bool {
        self.joint.is_some()
    }

    /// True when it has a zone.
    pub(super) fn has_zone(self) -> bool {
        self.zone != Zone::None
    }
}

/// The date read last: in most files the next row has the same.
#[derive(Debug)]
pub(super) struct Day {
    text: [u8; 10],
    start: i64,
}

impl Default for Day {
    fn default() -> Self {
        // 0xFF never occurs in UTF-8, so no cell looks like this date
        Self { text: [0xff; 10], start: 0 }
    }
}

fn offset_text(minutes: i16) -> [u8; 6] {
    let size = minutes.unsigned_abs();
    let digit = |n: u16| b'0' + (n % 10) as u8;
    let (hours, minute) = (size / 60, size % 60);
    let sign = if minutes < 0 { b'-' } else { b'+' };
    [sign, digit(hours / 10), digit(hours), b':', digit(minute / 10), digit(minute)]
}

#[inline]
fn pair(a: u8, b: u8) -> Option<u32> {
    let (a, b) = (a.wrapping_sub(b'0'), b.wrapping_sub(b'0'));
    (a <= 9 && b <= 9).then(|| u32::from(a) * 10 + u32::from(b))
}

fn fraction_micros(digits: &[u8]) -> Option<i64> {
    let mut micros = 0;
    for i in 0..6 {
        let digit = digits.get(i).map_or(0, |b| b.wrapping_sub(b'0'));
        if digit > 9 {
            return None;
        }
        micros = micros * 10 + i64::from(digit);
    }
    Some(micros)
}

/// Days since 1970-01-01 of a date of the Gregorian calendar, years 1 to 9999.
pub(super) fn days(year: u32, month: u32, day: u32) -> Option<i64> {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let length = match month {
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => return None,
    };
    if day == 0 || day > length || year == 0 || year > 9999 {
        return None;
    }
    // years that begin in March have their leap day at the end
    let y = i64::from(year) - i64::from(month <= 2);
    let era = y.div_euclid(400);
    let of_era = y.rem_euclid(400);
    let of_year = (153 * ((i64::from(month) + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// Year, month and day of a number of days since 1970-01-01.
fn civil(days: i64) -> (i64, i64, i64) {
    let z = days + 719_468;
    let era = z.div_euclid(146_097);
    let of_era = z.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// A date or moment that was not written in a fixed form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    /// Microseconds since 1970, in UTC where it has a zone.
    pub micros: i64,
    /// Has a time of day.
    pub time: bool,
    /// Has a zone.
    pub zone: bool,
    /// Has a fraction finer than a microsecond, which is cut.
    pub cut: bool,
    /// The separator of the date.
    pub separator: u8,
}

/// Reads a date with or without a time, day and month in the given order: any of `-/.` between,
/// one or two digits, `20240102`, names of months, AM and PM, zone.
pub(super) fn read(text: &str, order: DateOrder) -> Option<Moment> {
    let mut rest = text.trim().as_bytes();
    if rest.len() > 40 {
        return None;
    }
    let compact = rest.iter().take_while(|b| b.is_ascii_digit()).count() == 8;
    let named = std::str::from_utf8(rest).ok().and_then(|mut text| {
        let day = months::take(&mut text)?;
        Some((day, text.as_bytes()))
    });
    let (day, separator) = if let Some((day, after)) = named {
        rest = after;
        (day, b' ')
    } else if compact {
        // a bare number of eight digits is a number
        if order != DateOrder::Ymd || rest.len() == 8 {
            return None;
        }
        let (year, month, day) = (digits(&mut rest, 4, 4)?, two(&mut rest)?, two(&mut rest)?);
        (days(year, month, day)?, b'-')
    } else {
        let parts = match order {
            DateOrder::Ymd => [4, 1, 1],
            DateOrder::Dmy | DateOrder::Mdy => [1, 1, 4],
        };
        let most = parts.map(|least| if least == 4 { 4 } else { 2 });
        let a = digits(&mut rest, parts[0], most[0])?;
        let separator = take(&mut rest, b"-/.")?;
        let b = digits(&mut rest, parts[1], most[1])?;
        take(&mut rest, &[separator])?;
        let c = digits(&mut rest, parts[2], most[2])?;
        let day = match order {
            DateOrder::Ymd => days(a, b, c),
            DateOrder::Dmy => days(c, b, a),
            DateOrder::Mdy => days(c, a, b),
        };
        (day?, separator)
    };
    let mut moment = Moment { micros: day * DAY, time: false, zone: false, cut: false, separator };
    if rest.is_empty() {
        return Some(moment);
    }
    let joint = take(&mut rest, b"T ,")?;
    if joint == b',' {
        take(&mut rest, b" ")?;
    }
    moment.time = true;
    moment.micros += time_of_day(&mut rest, compact, &mut moment.cut)?;
    if let Some(minutes) = zone(&mut rest) {
        moment.zone = true;
        moment.micros -= minutes * 60 * SECOND;
    }
    rest.is_empty().then_some(moment)
}

/// Takes the time of day, in microseconds.
fn time_of_day(rest: &mut &[u8], compact: bool, cut: &mut bool) -> Option<i64> {
    let mut hour = digits(rest, 1, 2)?;
    let colons = take(rest, b":").is_some();
    if !colons && !compact {
        return None;
    }
    let minute = two(rest)?;
    let mut second = 0;
    let mut micros = 0;
    let more = if colons { take(rest, b":").is_some() } else { starts_with_digit(rest) };
    if more {
        second = two(rest)?;
        if take(rest, b".,").is_some() {
            let n = rest.iter().take_while(|b| b.is_ascii_digit()).count();
            if !(1..=9).contains(&n) {
                return None;
            }
            let (fraction, after) = rest.split_at(n);
            micros = fraction_micros(fraction)?;
            *cut = fraction.iter().skip(6).any(|b| *b != b'0');
            *rest = after;
        }
    }
    let half = rest.trim_ascii_start();
    for (word, shift) in [(b"AM", 0), (b"PM", 12)] {
        if let Some((found, after)) = half.split_first_chunk::<2>()
            && found.eq_ignore_ascii_case(word)
        {
            if !(1..=12).contains(&hour) {
                return None;
            }
            hour = hour % 12 + shift;
            *rest = after;
            break;
        }
    }
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    Some(i64::from((hour * 60 + minute) * 60 + second) * SECOND + micros)
}

/// Takes a zone, in minutes east of Greenwich.
fn zone(rest: &mut &[u8]) -> Option<i64> {
    let mut after = rest.trim_ascii_start();
    if matches!(after, b"Z" | b"z" | b"UTC" | b"GMT") {
        *rest = &[];
        return Some(0);
    }
    let sign = take(&mut after, b"+-")?;
    let hours = two(&mut after)?;
    let minutes = if after.is_empty() {
        0
    } else {
        take(&mut after, b":");
        two(&mut after)?
    };
    if hours > 15 || minutes > 59 || !after.is_empty() {
        return None;
    }
    *rest = &[];
    let size = i64::from(hours * 60 + minutes);
    Some(if sign == b'-' { -size } else { size })
}

fn starts_with_digit(rest: &[u8]) -> bool {
    rest.first().is_some_and(u8::is_ascii_digit)
}

fn take(rest: &mut &[u8], any: &[u8]) -> Option<u8> {
    let (first, after) = rest.split_first().filter(|(b, _)| any.contains(b))?;
    *rest = after;
    Some(*first)
}

fn two(rest: &mut &[u8]) -> Option<u32> {
    digits(rest, 2, 2)
}

/// Takes up to `most` digits, at least `least`.
fn digits(rest: &mut &[u8], least: usize, most: usize) -> Option<u32> {
    let n = rest.iter().take(most).take_while(|b| b.is_ascii_digit()).count();
    if n < least {
        return None;
    }
    let (part, after) = rest.split_at(n);
    *rest = after;
    Some(part.iter().fold(0, |value, b| value * 10 + u32::from(b - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::{DateTime, Datelike, NaiveDate};
    use proptest::prelude::*;

    fn show(micros: i64) -> String {
        DateTime::from_timestamp_micros(micros)
            .map(|t| t.naive_utc().format("%Y-%m-%d %H:%M:%S%.f").to_string())
            .unwrap_or_default()
    }

    #[test]
    fn fixed_forms() {
        for (text, expected) in [
            ("2024-02-29", Some("2024-02-29 00:00:00")),
            ("2024/01/02", Some("2024-01-02 00:00:00")),
            ("2024.01.02 09:30", Some("2024-01-02 09:30:00")),
            ("2024-01-02T09:30:15", Some("2024-01-02 09:30:15")),
            ("2024-01-02 09:30:15.250", Some("2024-01-02 09:30:15.250")),
            ("2024-01-02T09:30:15.000001Z", Some("2024-01-02 09:30:15.000001")),
            ("2024-01-02T01:30:00+03:00", Some("2024-01-01 22:30:00")),
            ("2024-01-02T23:30:00-05:30", Some("2024-01-03 05:00:00")),
            ("2023-02-29", None),
            ("2024-13-01", None),
            ("2024-00-10", None),
            ("0000-01-01", None),
            ("2024-01/02", None),
            ("2024-1-2", None),
            ("2024-01-02 24:00", None),
            ("2024-01-02 09:60", None),
            ("2024-01-02 9:30", None),
            ("2024-01-02 09:30:60", None),
            ("2024-01-02 09:30:00.1234567", None),
            ("2024-01-02 09:30:00-00:00", None),
            ("2024-01-02X09:30", None),
            ("2024-01-02Z", None),
            ("2024-01-02 ", None),
            ("2024", None),
            ("", None),
        ] {
            let form = Form::of(text.as_bytes());
            let read = form.and_then(|f| f.read(text.as_bytes(), &mut Day::default()));
            assert_eq!(read.map(show).as_deref(), expected, "{text}");
            if let (Some(form), Some(micros)) = (form, read) {
                let mut back = String::new();
                form.write(micros, &mut back);
                assert_eq!(back, text);
            }
        }
    }

    #[test]
    fn other_forms() {
        use DateOrder::{Dmy, Mdy, Ymd};
        for (text, order, expected) in [
            ("2024-1-2", Ymd, Some("2024-01-02 00:00:00")),
            ("2001/01/01 06:55", Ymd, Some("2001-01-01 06:55:00")),
            ("20120201 093015", Ymd, Some("2012-02-01 09:30:15")),
            ("20120201T0930", Ymd, Some("2012-02-01 09:30:00")),
            ("20120201", Ymd, None),
            ("Jan 1 2000 9:30 PM", Ymd, Some("2000-01-01 21:30:00")),
            ("2.1.2024", Dmy, Some("2024-01-02 00:00:00")),
            ("02/01/2024 9:30 PM", Dmy, Some("2024-01-02 21:30:00")),
            ("02/01/2024 12:05am", Mdy, Some("2024-02-01 00:05:00")),
            ("02/01/2024, 12:05:07 PM", Mdy, Some("2024-02-01 12:05:07")),
            ("31.12.2023", Mdy, None),
            ("31.12.2023", Ymd, None),
            ("31.12/2023", Dmy, None),
            ("1.2.24", Dmy, None),
            ("2024-01-02 09:30:00.123456789", Ymd, Some("2024-01-02 09:30:00.123456")),
            ("2024-01-02 09:30:00 UTC", Ymd, Some("2024-01-02 09:30:00")),
            ("2024-01-02 09:30:00+0300", Ymd, Some("2024-01-02 06:30:00")),
            ("2024-01-02 09:30:00 +03", Ymd, Some("2024-01-02 06:30:00")),
            ("2024-01-02 13:30 PM", Ymd, None),
            ("2024-01-02 930", Ymd, None),
            ("2024-01-02 x", Ymd, None),
            ("09:30", Ymd, None),
        ] {
            assert_eq!(read(text, order).map(|m| show(m.micros)).as_deref(), expected, "{text}");
        }
        let fine = read("2024-01-02 09:30:00.123456700", Ymd);
        assert!(fine.is_some_and(|m| m.cut && m.time && !m.zone));
    }

    proptest! {
        #[test]
        fn days_agree_with_the_calendar(n in -719_162i64..=2_932_896) {
            let date = NaiveDate::from_num_days_from_ce_opt(719_163 + n as i32).expect("in range");
            prop_assert_eq!(civil(n), (date.year().into(), date.month().into(), date.day().into()));
            prop_assert_eq!(days(date.year() as u32, date.month(), date.day()), Some(n));
        }

        #[test]
        fn a_form_gives_back_what_it_read(
            text in "[12][0-9]{3}[-/.](0[1-9]|1[0-2])[-/.][0-2][0-9]([T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\\.[0-9]{1,6})?)?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])?)?"
        ) {
            if let Some(form) = Form::of(text.as_bytes()) {
                let micros = form.read(text.as_bytes(), &mut Day::default());
                let mut back = String::new();
                form.write(micros.expect("its own form"), &mut back);
                prop_assert_eq!(&back, &text);
                prop_assert_eq!(read(&text, DateOrder::Ymd).map(|m| Some(m.micros)), Some(micros));
            }
        }

        #[test]
        fn never_panics(text in "[0-9:./T +Zpm-]{0,30}|\\PC{0,12}") {
            let _ = Form::of(text.as_bytes());
            for order in [DateOrder::Ymd, DateOrder::Dmy, DateOrder::Mdy] {
                let _ = read(&text, order);
            }
        }
    }
}
