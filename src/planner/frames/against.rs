//! `compared with 2023`, `по сравнению с 2023` after an answer for 2024: the same of both, beside each
//! other.

use super::{Asked, Made, one_of};
use crate::error::{Locale, Text};
use crate::planner::explain;
use crate::planner::follow::{put_back, taken_out};
use crate::planner::grammar::year_column;
use crate::planner::token::{Token, TokenKind};
use crate::planner::words::{Concept, Found, phrases};
use crate::query::period::{Dates, Period};
use crate::query::{Query, check, format};
use crate::value::Value;
use chrono::{Datelike, Month, Months, NaiveDate};

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
pub(super) struct Stretch {
    pub first: NaiveDate,
    pub last: NaiveDate,
    /// The period, where that says them.
    pub period: Option<String>,
    /// What is written between the brackets of `date()`.
    pub of: String,
    /// The query without them.
    pub rest: Query,
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

    /// `and in April?` after a March that a condition says: the April of the same year, since both at
    /// once have no rows.
    pub(super) fn another_month(&self) -> Option<Made> {
        let before = Self::stretch(self.previous?).filter(|s| !s.of.is_empty())?;
        let year =
            kind_of(&before).filter(|kind| *kind != Kind::Year).map(|_| before.first.year())?;
        let month = |phrase: &Found| matches!(phrase.concept, Concept::Month(_));
        if !(0..self.tokens.len()).any(|at| phrases(self.tokens, at).iter().any(month)) {
            return None;
        }
        let query =
            super::super::attempt(&self.said(0, self.tokens.len()), self.tables, self.context)
                .plan
                .query?;
        let is = |e: &str| e.starts_with(&format!("monthname({}) == ", before.of));
        let (month, rest) = taken_out(query.filter.as_deref()?, is)?;
        let mut query = Query { filter: rest, ..query };
        let after = Self::stretch(&query)?;
        if after.first != before.first || after.last != before.last {
            return None;
        }
        let month: Month = month.rsplit(' ').next()?.trim_matches('"').parse().ok()?;
        let first = NaiveDate::from_ymd_opt(year, month.number_from_month(), 1)?;
        let last = first.checked_add_months(Months::new(1))?.pred_opt()?;
        let of = &before.of;
        let dates = format!(
            "date({of}) >= {} and date({of}) <= {}",
            format::string(&first.to_string()),
            format::string(&last.to_string())
        );
        query.filter = Some(put_back(after.rest.filter.as_deref(), &dates)?);
        self.explained(query)
    }

    /// `and by vehicle too`, `а ещё по полу`: the groups of before, each of them split once more.
    pub(super) fn also_by(&self) -> Option<Made> {
        const ALSO: &str = "too also additionally тоже также еще ещё дополнительно";
        let before = self.previous.filter(|query| !query.group_by.is_empty())?;
        let also = |t: &Token| one_of(ALSO, &t.folded);
        let plain = before.steps.is_empty() && before.limit.is_none();
        if !plain || !self.tokens.iter().any(also) {
            return None;
        }
        let words = self.tokens.iter().filter(|t| !also(t) && t.kind != TokenKind::Symbol);
        let words: Vec<&str> = words.map(|t| t.raw.as_str()).collect();
        let starts = ["and", "а", "и", "by", "по"].contains(words.first()?);
        if !starts || words.len() > 5 {
            return None;
        }
        let query = super::super::attempt(&words.join(" "), self.tables, self.context).plan.query?;
        let bare = |query: &Query| Query {
            group_by: Vec::new(),
            map: Vec::new(),
            sort: Vec::new(),
            ..query.clone()
        };
        let mut query =
            (bare(&query) == bare(before) && !query.group_by.is_empty()).then_some(query)?;
        let mut keys = before.group_by.clone();
        keys.extend(query.group_by.drain(..).filter(|key| !before.group_by.contains(key)));
        let mut map = before.map.clone();
        map.extend(query.map.drain(..).filter(|made| !before.map.contains(made)));
        self.explained(Query { group_by: keys, map, sort: Vec::new(), ..before.clone() })
    }

    /// The dates that all of a query's rows are in.
    pub(super) fn stretch(query: &Query) -> Option<Stretch> {
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

    pub(super) fn explained(&self, query: Query) -> Option<Made> {
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
