//! `compared with 2023`, `по сравнению с 2023` after an answer for 2024: the same of both, beside each
//! other.

use super::{Asked, Made, one_of};
use crate::error::{Locale, Text};
use crate::planner::explain;
use crate::planner::follow::{put_back, taken_out};
use crate::planner::grammar::year_column;
use crate::planner::token::TokenKind;
use crate::query::period::{Dates, Period};
use crate::query::{Query, check, format};
use crate::value::Value;
use chrono::{Datelike, NaiveDate};

const PHRASES: [&str; 21] = [
    "compared with",
    "compared to",
    "in comparison with",
    "in comparison to",
    "comparison with",
    "compare with",
    "compare to",
    "compare it with",
    "compare it to",
    "compare that with",
    "compare that to",
    "compare this to",
    "relative to",
    "versus",
    "vs",
    "against",
    "по сравнению с",
    "по сравнению со",
    "в сравнении с",
    "сравни с",
    "против",
];
/// Words before such a phrase.
const BEFORE: &str = "and how does do is it that this what about а и ну как это";

/// The dates that a query is kept to, and where it says them.
struct Stretch {
    first: NaiveDate,
    last: NaiveDate,
    /// The period, where that says them.
    period: Option<String>,
    /// What is written between the brackets of `date()`.
    of: String,
    /// The query without them.
    rest: Query,
}

/// What a stretch of time is.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Year,
    Quarter,
    Month,
}

impl Asked<'_> {
    pub(super) fn against(&self) -> Option<Made> {
        let previous = self.previous?;
        let words: Vec<&str> = self
            .tokens
            .iter()
            .filter(|t| t.kind != TokenKind::Symbol)
            .map(|t| t.folded.as_str())
            .collect();
        let from = words.iter().position(|word| !one_of(BEFORE, word))?;
        let lengths = PHRASES.iter().filter_map(|phrase| {
            let phrase: Vec<&str> = phrase.split(' ').collect();
            words.get(from..)?.starts_with(&phrase).then_some(phrase.len())
        });
        let to = from + lengths.max()?;
        let other = words.get(to..).filter(|rest| !rest.is_empty() && rest.len() <= 4)?;
        // the same question for the other time alone
        let in_it: Vec<&str> =
            other.iter().map(|w| if *w == "годом" { "году" } else { w }).collect();
        let (again, joint) = if self.is_russian() { ("а", "в") } else { ("and", "in") };
        let joint = if ["в", "in"].contains(in_it.first()?) { "" } else { joint };
        let again = format!("{again} {joint} {}", in_it.join(" "));
        let plan = super::super::attempt(&again, self.tables, self.context).plan;
        let alone = plan.query?;
        if let Some(made) = self.of_two_years(previous, &alone) {
            return Some(made);
        }
        let said = Text { en: plan.explanation.clone(), ru: plan.explanation };
        let undated = |query: &Query| Query { period: None, ..query.clone() };
        let (Some(one), Some(two)) = (Self::stretch(previous), Self::stretch(&alone)) else {
            // `last year` is counted back, and no group of a query
            let dated = alone.period.is_some() && alone.period != previous.period;
            let same = dated && undated(&alone) == undated(previous);
            return same.then_some(Made::Offered(alone, said));
        };
        // it has to be the query before but for its dates
        if one.rest != two.rest || one.of != two.of || one.first == two.first {
            return None;
        }
        if !self.has_rows(&two) {
            return Some(Made::Query(alone, said));
        }
        let (one, two) = if one.first < two.first { (one, two) } else { (two, one) };
        // no query has a place for both: the other time alone is not what is asked
        self.side_by_side(&one, &two).or(Some(Made::Offered(alone, said)))
    }

    /// The dates that all of a query's rows are in.
    fn stretch(query: &Query) -> Option<Stretch> {
        let mut rest = query.clone();
        if let Some(period) = rest.period.take() {
            let Dates::Between(Some(first), Some(last)) = Period::parse(&period).ok()?.dates(None)
            else {
                return None;
            };
            let (first, last) = (Value::Date(first).date()?, Value::Date(last).date()?);
            return Some(Stretch { first, last, period: Some(period), of: String::new(), rest });
        }
        let filter = rest.filter.take()?;
        let (low, filter) = taken_out(&filter, |e| e.starts_with("date(") && e.contains(" >= "))?;
        let (high, filter) = taken_out(&filter?, |e| e.starts_with("date(") && e.contains(" <= "))?;
        rest.filter = filter;
        let (of, low) = low.split_once(" >= ")?;
        let (other, high) = high.split_once(" <= ")?;
        let day = |text: &str| NaiveDate::parse_from_str(text.trim_matches('"'), "%Y-%m-%d").ok();
        let (first, last) = (day(low)?, day(high)?);
        let of = of.strip_prefix("date(").filter(|_| of == other)?.strip_suffix(')')?.to_owned();
        Some(Stretch { first, last, period: None, of, rest })
    }

    /// The table reaches into it, as far as that is known.
    fn has_rows(&self, stretch: &Stretch) -> bool {
        let day = |date| match Value::from_date(date) {
            Value::Date(day) => day,
            _ => 0,
        };
        self.table.dates().is_none_or(|(first, last)| {
            !stretch.of.is_empty() || (first <= day(stretch.last) && day(stretch.first) <= last)
        })
    }

    fn side_by_side(&self, one: &Stretch, two: &Stretch) -> Option<Made> {
        let kind = kind_of(one).filter(|kind| kind_of(two) == Some(*kind))?;
        let mut query = one.rest.clone();
        let plain = !query.select.is_empty() && query.steps.is_empty() && query.sort.is_empty();
        if !plain || query.limit.is_some() || query.group_by.len() > 1 {
            return None;
        }
        let of = &one.of;
        let years = one.first.year() != two.first.year();
        let month = one.first.month() != two.first.month();
        let mut keys: Vec<(&str, String)> = Vec::new();
        if years {
            keys.push(("year", format!("year({of})")));
        }
        match kind {
            Kind::Quarter if month => keys.push(("quarter", format!("quarter({of})"))),
            Kind::Month if month => keys.push(("month", format!("monthname({of})"))),
            _ => {}
        }
        for (name, made) in keys {
            let there = query.map.iter().any(|(n, _)| n == name)
                || query.group_by.iter().any(|key| key == name || *key == made);
            if there || self.table.column(name).is_some() {
                return None;
            }
            query.map.push((name.to_owned(), made));
            query.group_by.push(name.to_owned());
        }
        match (&one.period, &two.period) {
            (Some(first), Some(second)) if one.last.succ_opt() == Some(two.first) => {
                query.period = Some(format!("{first}:{second}"));
            }
            _ => {
                let within = |s: &Stretch| {
                    format!(
                        "date({of}) >= {} and date({of}) <= {}",
                        format::string(&s.first.to_string()),
                        format::string(&s.last.to_string())
                    )
                };
                let dates = format!("({} or {})", within(one), within(two));
                query.filter = Some(put_back(query.filter.as_deref(), &dates)?);
            }
        }
        self.explained(query)
    }

    /// Years that a column of whole numbers says.
    fn of_two_years(&self, previous: &Query, alone: &Query) -> Option<Made> {
        let (column, _) = year_column(self.table)?;
        let name = format::name(&self.table.columns.get(column)?.name);
        let year = |e: &str| {
            e.strip_prefix(&format!("{name} == ")).is_some_and(|n| n.parse::<i64>().is_ok())
        };
        let (one, rest) = taken_out(previous.filter.as_deref()?, year)?;
        let (two, other) = taken_out(alone.filter.as_deref()?, year)?;
        let mut query = previous.clone();
        query.filter.clone_from(&rest);
        let same = Query { filter: other, ..alone.clone() } == query;
        let plain = query.group_by.is_empty() && query.limit.is_none() && query.steps.is_empty();
        if !same || !plain || query.select.is_empty() || one == two {
            return None;
        }
        query.filter = Some(put_back(rest.as_deref(), &format!("({one} or {two})"))?);
        query.group_by = vec![name];
        self.explained(query)
    }

    fn explained(&self, query: Query) -> Option<Made> {
        let checked = check(&query, self.tables).ok()?;
        let [en, ru] = [Locale::En, Locale::Ru].map(|l| explain::of_query(&checked, false, l));
        Some(Made::Query(query, Text { en: en?, ru: ru? }))
    }
}

/// A whole year, quarter or month.
fn kind_of(stretch: &Stretch) -> Option<Kind> {
    let (first, end) = (stretch.first, stretch.last.succ_opt()?);
    let months = (end.year() - first.year()) * 12 + end.month0() as i32 - first.month0() as i32;
    match (first.day(), end.day(), months) {
        (1, 1, 12) if first.month0() == 0 => Some(Kind::Year),
        (1, 1, 3) if first.month0() % 3 == 0 => Some(Kind::Quarter),
        (1, 1, 1) => Some(Kind::Month),
        _ => None,
    }
}
