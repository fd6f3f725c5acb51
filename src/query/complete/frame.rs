//! Completion of the fields that only the first step has: each is a name, a word or a period.

use super::offers::{Candidate, ranked};
use super::{Completions, Context, Field, MOST_ITEMS, Sight, What, scope};
use crate::error::Span;
use crate::query::check::{Timeframe, intraday, makes};
use crate::query::period::{Dates, FORMS, Period};
use crate::schema::TableSchema;
use crate::value::Value;
use chrono::{Datelike, NaiveDate};

/// Words with their meaning.
type Words = [(&'static str, [&'static str; 2])];

const ROLLING: &Words = &[
    (
        "last_week",
        [
            "the 7 calendar dates up to the last one of the data",
            "7 календарных дат до последней даты данных включительно",
        ],
    ),
    (
        "last_month",
        ["the dates after the same day a month earlier", "даты после того же числа месяцем раньше"],
    ),
    (
        "last_year",
        ["the dates after the same day a year earlier", "даты после того же числа годом раньше"],
    ),
    ("last_10", ["the last 10 dates that are there", "последние 10 дат, которые есть"]),
];

const LOOKBACK: &Words = &[
    (
        "true",
        [
            "windows look at rows outside the period, as they do by default",
            "окна видят строки вне периода, как и по умолчанию",
        ],
    ),
    (
        "false",
        [
            "windows start empty at the first row of the period",
            "окна начинаются пустыми с первой строки периода",
        ],
    ),
];

/// What can be the text of the field; nothing in a later step.
pub(super) fn whole<S: Sight>(
    text: &str,
    offset: usize,
    context: &Context<'_>,
) -> Completions<S::Value> {
    let span = Span::new(0, text.len());
    if context.step > 0 {
        return Completions { span, items: Vec::new() };
    }
    let typed = text.get(..offset).unwrap_or_default().trim_start();
    let table = scope::table(context.query, context.tables).map(AsRef::as_ref);
    let candidates = match context.field {
        Field::Table => context.tables.iter().map(|table| named(table)).collect(),
        Field::Session => table.map_or_else(Vec::new, sessions),
        Field::From => {
            let fit = Timeframe::ALL.iter().filter(|t| table.is_none_or(|table| makes(table, **t)));
            fit.map(|t| Candidate::new(t.name(), t.name(), What::Name)).collect()
        }
        Field::Lookback => words(LOOKBACK).collect(),
        _ => return period::<S>(text, offset, table),
    };
    ranked(span, typed, candidates)
}

fn named<V>(table: &TableSchema) -> Candidate<V> {
    let mut made = Candidate::new(&table.name, table.name.as_str(), What::Name);
    made.synonyms.clone_from(&table.synonyms);
    made
}

fn sessions<V>(table: &TableSchema) -> Vec<Candidate<V>> {
    let known = table.market.sessions.iter().filter(|_| intraday(table));
    known.map(|s| Candidate::new(&s.name, s.name.as_str(), What::Session(s.clone()))).collect()
}

fn words<V>(words: &Words) -> impl Iterator<Item = Candidate<V>> {
    words.iter().map(|(word, meaning)| Candidate::new(word, *word, What::Word(*meaning)))
}

/// A period, or the side of a range that the place is in.
fn period<S: Sight>(
    text: &str,
    offset: usize,
    table: Option<&TableSchema>,
) -> Completions<S::Value> {
    let (before, after) = text.split_at_checked(offset).unwrap_or((text, ""));
    let start = before.rfind(':').map_or(0, |colon| colon + 1);
    let end = after.find(':').map_or(text.len(), |colon| offset + colon);
    let typed = text.get(start..offset).unwrap_or_default().trim_start();
    let alone = start == 0 && end == text.len();
    let mut candidates = Vec::new();
    if alone {
        candidates.extend(words(ROLLING));
        let count = typed.strip_prefix("last_").filter(|n| n.parse::<u32>().is_ok_and(|n| n > 0));
        if count.is_some() {
            candidates.push(Candidate::new(typed, typed, What::Constant));
        }
    }
    // what the data have is data; other people see what a period looks like
    let dates = table.and_then(TableSchema::dates).filter(|_| S::value("").is_some());
    for unit in units(typed, dates) {
        if !alone && !goes_with(text, Span::new(start, end), &unit) {
            continue;
        }
        let what = match dates {
            Some(_) => S::value(&unit).map(What::Value),
            None => Some(What::Constant),
        };
        candidates.extend(what.map(|what| Candidate::new(&unit, unit.as_str(), what)));
    }
    if alone && typed.is_empty() && dates.is_none() {
        let forms = FORMS.iter().filter(|form| !form.starts_with("last"));
        candidates.extend(forms.map(|form| Candidate::new(form, *form, What::Constant)));
    }
    ranked(Span::new(start, end), typed, candidates)
}

/// The range is one with `unit` at the place, or is none for another reason.
fn goes_with(text: &str, place: Span, unit: &str) -> bool {
    let around = (text.get(..place.start), text.get(place.end..));
    let (Some(before), Some(after)) = around else { return false };
    let other = format!("{before}{after}");
    Period::parse(&format!("{before}{unit}{after}")).is_ok() || Period::parse(&other).is_err()
}

/// The years of the data, newest first; of a year that is typed its parts, of a month its days.
fn units(typed: &str, dates: Option<(i32, i32)>) -> Vec<String> {
    let year = typed.get(..4).filter(|y| y.bytes().all(|b| b.is_ascii_digit()));
    let of = |days: i32| Value::Date(days).date();
    let Some(year) = year else {
        let ends = dates.and_then(|(first, last)| Some((of(first)?.year(), of(last)?.year())));
        let years = ends.map(|(first, last)| (first..=last).rev().take(MOST_ITEMS));
        return years.into_iter().flatten().map(|year| format!("{year:04}")).collect();
    };
    let mut found = vec![year.to_owned()];
    found.extend((1..=2).map(|n| format!("{year}-H{n}")));
    found.extend((1..=4).map(|n| format!("{year}-Q{n}")));
    found.extend((1..=12).map(|n| format!("{year}-{n:02}")));
    let month = typed.get(..7).and_then(|month| format!("{month}-01").parse::<NaiveDate>().ok());
    if let Some(first) = month {
        let days = first.iter_days().take_while(|day| day.month() == first.month());
        found.extend(days.map(|day| day.to_string()));
    }
    found.retain(|unit| match (Period::parse(unit).map(|p| p.dates(None)), dates) {
        (Ok(Dates::Between(Some(a), Some(b))), Some((first, last))) => a <= last && first <= b,
        (read, _) => read.is_ok(),
    });
    found
}
