//! Date ranges: what `period` can say, and which dates that is for given data.

use crate::error::{Code, Diagnostic, Span};
use crate::value::Value;
use chrono::{Days, Months, NaiveDate};
use std::fmt::Write;

/// A range of dates as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Period {
    form: Form,
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Both ends included; an open end is not there.
    Between(Option<NaiveDate>, Option<NaiveDate>),
    /// Rolling, back from the last date of the data.
    LastYear,
    LastMonth,
    LastWeek,
    /// The last dates that are present.
    Last(u32),
}

/// The trading dates of a period, in days since 1970.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dates {
    /// Both ends included; an open end is not there.
    Between(Option<i32>, Option<i32>),
    /// This many distinct dates at the end of the rows, which only the rows can tell.
    Last(u32),
}

/// The forms, for messages and completion.
pub(super) const FORMS: [&str; 8] = [
    "2024",
    "2024-H1",
    "2024-Q3",
    "2024-05",
    "2024-05-17",
    "2024-03:2024-05",
    "last_month",
    "last_10",
];

impl Period {
    /// Reads a period.
    ///
    /// # Errors
    /// What cannot be read, dates that do not exist, ranges that run backwards; with the span in
    /// `text`.
    pub fn parse(text: &str) -> Result<Self, Box<Diagnostic>> {
        let trimmed = text.trim();
        let start = text.len() - text.trim_start().len();
        let form = match trimmed.split_once(':') {
            None => whole(trimmed, start)?,
            Some((a, b)) => range(a, b, start)?,
        };
        let mut period = Self { form, text: String::new() };
        period.text = period.canonical(trimmed);
        Ok(period)
    }

    /// The canonical text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The dates, given the last date of the data. Without data a relative form is all of it.
    pub fn dates(&self, last: Option<i32>) -> Dates {
        let day = |date: NaiveDate| match Value::from_date(date) {
            Value::Date(day) => Some(day),
            _ => None,
        };
        let rolling = |back: fn(NaiveDate) -> Option<NaiveDate>| {
            let date = last.and_then(|last| Value::Date(last).date());
            // The day after the same day one step earlier.
            let first = date.and_then(back).and_then(day).map(|day| day.saturating_add(1));
            Dates::Between(first, last)
        };
        match self.form {
            Form::Between(a, b) => Dates::Between(a.and_then(day), b.and_then(day)),
            Form::LastYear => rolling(|date| date.checked_sub_months(Months::new(12))),
            Form::LastMonth => rolling(|date| date.checked_sub_months(Months::new(1))),
            Form::LastWeek => rolling(|date| date.checked_sub_days(Days::new(7))),
            Form::Last(count) => Dates::Last(count),
        }
    }

    fn canonical(&self, trimmed: &str) -> String {
        match self.form {
            Form::LastYear => "last_year".to_owned(),
            Form::LastMonth => "last_month".to_owned(),
            Form::LastWeek => "last_week".to_owned(),
            Form::Last(count) => format!("last_{count}"),
            Form::Between(..) => {
                let mut out = String::with_capacity(trimmed.len());
                for c in trimmed.chars().filter(|c| !c.is_whitespace()) {
                    out.push(c.to_ascii_uppercase());
                }
                out
            }
        }
    }
}

/// A period without a colon.
fn whole(text: &str, at: usize) -> Result<Form, Box<Diagnostic>> {
    let span = Span::new(at, at + text.len());
    let lower = text.to_lowercase();
    Ok(match lower.as_str() {
        "last_year" => Form::LastYear,
        "last_month" => Form::LastMonth,
        "last_week" => Form::LastWeek,
        _ => match lower.strip_prefix("last_").map(str::parse::<u32>) {
            Some(Ok(0)) => {
                let message =
                    crate::text!("`last_N` takes a number from 1", "в `last_N` стоит число от 1");
                return Err(problem(message, span).into());
            }
            Some(Ok(count)) => Form::Last(count),
            _ => {
                let (first, last) = unit(text, span)?;
                Form::Between(Some(first), Some(last))
            }
        },
    })
}

/// `A:B`, `A:`, `:B`.
fn range(a: &str, b: &str, at: usize) -> Result<Form, Box<Diagnostic>> {
    let end = at + a.len() + 1 + b.len();
    let side = |text: &str, from: usize| {
        let start = from + (text.len() - text.trim_start().len());
        let text = text.trim();
        let span = Span::new(start, start + text.len());
        if text.to_lowercase().starts_with("last") {
            let message = crate::text!(
                "`{text}` stands alone: the ends of a range are dates",
                "`{text}` пишется отдельно: концы диапазона — даты"
            );
            return Err(problem(message, span).into());
        }
        if text.is_empty() { Ok(None) } else { unit(text, span).map(Some) }
    };
    let (first, last) = (side(a, at)?, side(b, at + a.len() + 1)?);
    let (first, last) = (first.map(|(first, _)| first), last.map(|(_, last)| last));
    if first.is_none() && last.is_none() {
        let message = crate::text!(
            "a range has a date on one side at least: `2024-03:`, `:2024-05`",
            "у диапазона есть дата хотя бы с одной стороны: `2024-03:`, `:2024-05`"
        );
        return Err(problem(message, Span::new(at, end)).into());
    }
    if let (Some(first), Some(last)) = (first, last)
        && first > last
    {
        let (a, b) = (a.trim(), b.trim());
        let message = crate::text!(
            "the range `{a}:{b}` ends before it begins",
            "диапазон `{a}:{b}` кончается раньше, чем начинается"
        );
        let diagnostic = problem(message, Span::new(at, end));
        return Err(diagnostic.choices([format!("{b}:{a}")]).into());
    }
    Ok(Form::Between(first, last))
}

/// First and last date of a year, a half, a quarter, a month or a day.
fn unit(text: &str, span: Span) -> Result<(NaiveDate, NaiveDate), Box<Diagnostic>> {
    let impossible = || {
        let message = crate::text!("`{text}` is not in the calendar", "`{text}` нет в календаре");
        Box::new(problem(message, span))
    };
    let mut parts = text.split('-');
    let shape = (parts.next().unwrap_or_default(), parts.next(), parts.next(), parts.next());
    let (year, second, third, None) = shape else { return Err(unreadable(text, span)) };
    let Some(year) = digits(year, 4) else { return Err(unreadable(text, span)) };
    let year = i32::try_from(year).ok().filter(|y| *y >= 1).ok_or_else(impossible)?;
    let months = |from: u32, count: u32| {
        let first = NaiveDate::from_ymd_opt(year, from, 1)?;
        Some((first, first.checked_add_months(Months::new(count))?.pred_opt()?))
    };
    let Some(second) = second else { return months(1, 12).ok_or_else(impossible) };
    if let (Some(month), Some(day)) = (digits(second, 2), third.map(|d| digits(d, 2))) {
        let Some(day) = day else { return Err(unreadable(text, span)) };
        let date = NaiveDate::from_ymd_opt(year, month, day).ok_or_else(impossible)?;
        return Ok((date, date));
    }
    if third.is_some() {
        return Err(unreadable(text, span));
    }
    if let Some(month) = digits(second, 2) {
        return months(month, 1).ok_or_else(impossible);
    }
    let part = |length: u32, rest: &str| {
        let number = digits(rest, 1)?;
        Some((number >= 1 && number <= 12 / length).then(|| (number - 1) * length + 1))
    };
    let found = if let Some(rest) = second.strip_prefix(['H', 'h']) {
        part(6, rest).map(|from| (from, 6))
    } else if let Some(rest) = second.strip_prefix(['Q', 'q']) {
        part(3, rest).map(|from| (from, 3))
    } else {
        None
    };
    match found {
        Some((Some(from), count)) => months(from, count).ok_or_else(impossible),
        Some((None, _)) => Err(impossible()),
        None => Err(unreadable(text, span)),
    }
}

/// A number of exactly so many digits.
fn digits(text: &str, count: usize) -> Option<u32> {
    let all = text.len() == count && text.bytes().all(|b| b.is_ascii_digit());
    if all { text.parse().ok() } else { None }
}

fn problem(message: crate::error::Text, span: Span) -> Diagnostic {
    Diagnostic::new(Code::BadPeriod, message).at("/period").span(span)
}

fn unreadable(text: &str, span: Span) -> Box<Diagnostic> {
    let message = if text.is_empty() {
        crate::text!("the period is empty", "период пуст")
    } else {
        crate::text!("`{text}` is no period", "`{text}` — не период")
    };
    let mut diagnostic = problem(message, span).choices(FORMS);
    diagnostic.fix = meant(text);
    diagnostic.into()
}

/// The longest text that is looked at for what it may mean.
const LONGEST_MEANT: usize = 60;

/// What another way of writing a period means, where it is plain.
fn meant(text: &str) -> Option<String> {
    let text = text.trim().to_lowercase();
    if text.len() > LONGEST_MEANT {
        return None;
    }
    let side = |text: &str| {
        let text = text.trim().trim_matches('.');
        known(text.to_uppercase()).or_else(|| meant(text))
    };
    let range = [" to ", " - ", "..", "–", "—", " по "].into_iter().find_map(|between| {
        let (a, b) = text.split_once(between)?;
        let range = format!("{}:{}", side(a)?, side(b)?);
        Period::parse(&range).is_ok().then_some(range)
    });
    if range.is_some() {
        return range;
    }
    if let Some(month) = named_month(&text) {
        return known(month);
    }
    let (head, tail) = text.split_at(text.find(|c: char| !c.is_ascii_digit())?);
    if head.len() == 4 {
        let tail = tail.trim_start_matches([' ', '-', '/', '.', '_']);
        let part = |letter: char| tail.strip_prefix(letter).filter(|n| digits(n, 1).is_some());
        if let Some(number) = part('q') {
            return known(format!("{head}-Q{number}"));
        }
        if let Some(number) = part('h') {
            return known(format!("{head}-H{number}"));
        }
        let mut out = head.to_owned();
        for number in tail.split(['-', '/', '.']) {
            let number: u32 = number.parse().ok().filter(|_| number.len() <= 2)?;
            write!(out, "-{number:02}").ok()?;
        }
        return known(out);
    }
    let rest = text.strip_prefix("last")?.trim_start_matches([' ', '_', '-']);
    let count = rest.trim_end_matches(|c: char| !c.is_ascii_digit());
    match rest.get(count.len()..)?.trim_start_matches([' ', '_', '-']) {
        "" | "d" | "day" | "days" => known(format!("last_{count}")),
        unit @ ("week" | "month" | "year") if count.is_empty() => known(format!("last_{unit}")),
        _ => None,
    }
}

/// The beginnings of the names of months, in English and Russian.
const MONTHS: [[&str; 2]; 12] = [
    ["jan", "янв"],
    ["feb", "фев"],
    ["mar", "мар"],
    ["apr", "апр"],
    ["may", "ма"],
    ["jun", "июн"],
    ["jul", "июл"],
    ["aug", "авг"],
    ["sep", "сен"],
    ["oct", "окт"],
    ["nov", "ноя"],
    ["dec", "дек"],
];

/// `January 2024`, `2024 Jan`.
fn named_month(text: &str) -> Option<String> {
    let mut words = text.split([' ', ',', '-', '_']).filter(|word| !word.is_empty());
    let (a, b, None) = (words.next()?, words.next()?, words.next()) else { return None };
    let (name, year) = if digits(a, 4).is_some() { (b, a) } else { (a, b) };
    digits(year, 4)?;
    let month = MONTHS.iter().position(|names| names.iter().any(|n| name.starts_with(n)))?;
    Some(format!("{year}-{:02}", month + 1))
}

/// The text, where it is a period.
fn known(text: String) -> Option<String> {
    let plain = match text.strip_prefix("last_") {
        Some(rest) => {
            matches!(rest, "week" | "month" | "year") || rest.parse::<u32>().is_ok_and(|n| n > 0)
        }
        // Only the shapes that `unit` reads: of others it would ask what they mean.
        None => matches!(text.len(), 4 | 7 | 10) && unit(&text, Span::default()).is_ok(),
    };
    plain.then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn day(text: &str) -> i32 {
        match Value::from_date(text.parse().expect("a date")) {
            Value::Date(day) => day,
            other => panic!("{other}"),
        }
    }

    /// The dates of a period over data that ends at `last`, as text.
    fn dates(text: &str, last: &str) -> String {
        let period = Period::parse(text).unwrap_or_else(|e| panic!("{e}"));
        let end = |day: Option<i32>| day.map_or(String::new(), |d| Value::Date(d).to_string());
        match period.dates((!last.is_empty()).then(|| day(last))) {
            Dates::Between(a, b) => format!("{}..{}", end(a), end(b)),
            Dates::Last(n) => format!("last {n}"),
        }
    }

    #[test]
    fn forms() {
        for (text, wanted) in [
            ("2024", "2024-01-01..2024-12-31"),
            ("2024-H1", "2024-01-01..2024-06-30"),
            ("2024-h2", "2024-07-01..2024-12-31"),
            ("2024-Q1", "2024-01-01..2024-03-31"),
            ("2023-q4", "2023-10-01..2023-12-31"),
            ("2024-02", "2024-02-01..2024-02-29"),
            ("2023-02", "2023-02-01..2023-02-28"),
            ("2024-02-29", "2024-02-29..2024-02-29"),
            ("2024-03:2024-05", "2024-03-01..2024-05-31"),
            ("2024-03-15:2024-03", "2024-03-15..2024-03-31"),
            ("2023-Q4:2024-01-05", "2023-10-01..2024-01-05"),
            ("2024:2024-02", "2024-01-01..2024-02-29"),
            ("2024-06:2024", "2024-06-01..2024-12-31"),
            ("2024-03:", "2024-03-01.."),
            (":2024-H1", "..2024-06-30"),
            (" 2024-03 : 2024-05 ", "2024-03-01..2024-05-31"),
            ("0001", "0001-01-01..0001-12-31"),
            ("9999-12", "9999-12-01..9999-12-31"),
            ("last_5", "last 5"),
            ("LAST_5", "last 5"),
        ] {
            assert_eq!(dates(text, "2024-05-17"), wanted, "{text}");
        }
    }

    #[test]
    fn relative_forms_roll_back_from_the_last_date() {
        for (text, last, wanted) in [
            ("last_week", "2024-05-17", "2024-05-11..2024-05-17"),
            ("last_month", "2024-05-17", "2024-04-18..2024-05-17"),
            ("last_month", "2024-03-31", "2024-03-01..2024-03-31"),
            ("last_month", "2023-03-30", "2023-03-01..2023-03-30"),
            ("last_year", "2024-05-17", "2023-05-18..2024-05-17"),
            ("last_year", "2024-02-29", "2023-03-01..2024-02-29"),
            ("last_week", "", ".."),
        ] {
            assert_eq!(dates(text, last), wanted, "{text} at {last}");
        }
    }

    #[test]
    fn what_is_no_period() {
        for (text, span, fix) in [
            ("", (0, 0), None),
            (" ", (1, 1), None),
            (":", (0, 1), None),
            ("2024-13", (0, 7), None),
            ("2024-00", (0, 7), None),
            ("2023-02-29", (0, 10), None),
            ("2024-Q5", (0, 7), None),
            ("2024-Q0", (0, 7), None),
            ("2024-H3", (0, 7), None),
            ("0000", (0, 4), None),
            ("24", (0, 2), None),
            ("2024-1", (0, 6), Some("2024-01")),
            ("2024/01/05", (0, 10), Some("2024-01-05")),
            ("2024Q1", (0, 6), Some("2024-Q1")),
            ("2024 q1", (0, 7), Some("2024-Q1")),
            ("2024-01-05-06", (0, 13), None),
            ("2024-01-5", (0, 9), Some("2024-01-05")),
            ("last_0", (0, 6), None),
            ("last_x", (0, 6), None),
            ("last 30 days", (0, 12), Some("last_30")),
            ("last30d", (0, 7), Some("last_30")),
            ("last week", (0, 9), Some("last_week")),
            ("last_-5", (0, 7), Some("last_5")),
            ("this_year", (0, 9), None),
            ("2024-01-01 to 2024-02-01", (0, 24), Some("2024-01-01:2024-02-01")),
            ("2024-01..2024-Q2", (0, 16), Some("2024-01:2024-Q2")),
            ("2024/1/5 - 2024/2/1", (0, 19), Some("2024-01-05:2024-02-01")),
            ("2024-02 to 2024-01", (0, 18), None),
            ("january 2024", (0, 12), Some("2024-01")),
            ("2024, Sept", (0, 10), Some("2024-09")),
            ("май 2024", (0, 11), Some("2024-05")),
            ("март 2024", (0, 13), Some("2024-03")),
            ("Jan 2024 to Mar 2024", (0, 20), Some("2024-01:2024-03")),
            ("monday 2024", (0, 11), None),
            ("2024-05:2024-03", (0, 15), None),
            ("2024-03-02:2024-03-01", (0, 21), None),
            (" 2024-03: 2024-02-30 ", (10, 20), None),
            ("2024:last_5", (5, 11), None),
            ("2023:2024:2025", (5, 14), None),
            ("2024-é1", (0, 8), None),
            ("２０２４", (0, 12), None),
        ] {
            let problem = Period::parse(text).expect_err(text);
            assert_eq!(problem.code, Code::BadPeriod, "{text}");
            assert_eq!(problem.span.map(|s| (s.start, s.end)), Some(span), "{text}");
            assert_eq!(problem.fix.as_deref(), fix, "{text}");
        }
    }

    proptest! {
        #[test]
        fn never_panics(text in "[0-9:_qQhH/ -]{0,24}|last.{0,8}|\\PC{0,16}") {
            if let Ok(period) = Period::parse(&text) {
                let again = Period::parse(period.text()).expect("canonical text reads back");
                prop_assert_eq!(again.text(), period.text());
                prop_assert_eq!(again.dates(Some(19_000)), period.dates(Some(19_000)));
            }
        }

        #[test]
        fn the_parts_of_a_year_follow_each_other(year in 1i32..9999) {
            let ends = |text: String| match Period::parse(&text).expect("a period").dates(None) {
                Dates::Between(Some(a), Some(b)) => (a, b),
                other => panic!("{other:?}"),
            };
            let year_ends = ends(format!("{year:04}"));
            for (count, letter) in [(2, "H"), (4, "Q"), (12, "")] {
                let parts: Vec<_> = (1..=count)
                    .map(|n| match letter {
                        "" => ends(format!("{year:04}-{n:02}")),
                        letter => ends(format!("{year:04}-{letter}{n}")),
                    })
                    .collect();
                prop_assert_eq!((parts[0].0, parts[count - 1].1), year_ends);
                prop_assert!(parts.windows(2).all(|w| w[0].1 + 1 == w[1].0));
            }
        }
    }
}
