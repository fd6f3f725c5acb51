//! The days that a result is of, and the periods that a text names.

use super::view::View;
use crate::query::check::{Node, Typed};
use crate::query::period::Dates;
use crate::validate::claims::names::{Axis, Name};
use crate::value::Value;
use chrono::{Datelike, Days, Months, NaiveDate};

/// First and last day.
pub(in crate::validate::claims) type Period = (NaiveDate, NaiveDate);

impl View<'_> {
    /// The first and the last day of the period that the query names; an open end is not there.
    /// `None` where its rows are chosen by time in another way.
    fn asked(&self) -> Option<(Option<NaiveDate>, Option<NaiveDate>)> {
        let query = self.outcome.query.as_ref();
        if query.sql().is_some() {
            return None;
        }
        let time = query.schema().time.as_deref();
        let mapped = |name: &str| query.map().iter().any(|m| m.name == name);
        let by_time = query.filter().is_some_and(|filter| {
            let mut found = false;
            let is_time = |part: &Typed| matches!(&part.node, Node::Column(name) if Some(name.as_str()) == time);
            filter.expr.visit(&mut |part| match &part.node {
                Node::Compare(_, a, b) => found |= is_time(a) || is_time(b),
                Node::In { value, .. } => found |= is_time(value),
                Node::Column(name) => found |= mapped(name),
                Node::Call { function, .. } => {
                    found |= matches!(
                        function.name,
                        "date" | "day" | "dayname" | "dayofweek" | "month" | "monthname"
                            | "quarter" | "week" | "year"
                    );
                }
                _ => {}
            });
            found
        });
        let day = |day: i32| Value::Date(day).date();
        match query.frame().dates() {
            _ if by_time || query.steps().count() > 1 => None,
            None => Some((None, None)),
            Some(Dates::Between(a, b)) => Some((a.and_then(day), b.and_then(day))),
            Some(Dates::Last(_)) => None,
        }
    }

    /// Whether the rows of the result are those of the days `named`, as far as the table has any:
    /// neither more of them nor less. `None` where that is not known.
    pub fn is_of(&self, named: Period) -> Option<bool> {
        let (first, last) = self.asked()?;
        let range = self.outcome.query.schema().range.as_ref();
        let all = range.and_then(|(a, b)| Some((a.date()?, b.date()?)));
        match (all, first, last) {
            (Some((a, b)), ..) => {
                let own = (first.map_or(a, |x| x.max(a)), last.map_or(b, |x| x.min(b)));
                Some(own == (named.0.max(a), named.1.min(b)))
            }
            (None, Some(first), Some(last)) => Some((first, last) == named),
            (None, ..) => None,
        }
    }

    /// The period that the query names, where it has none of the days `named`; an open end is not
    /// there.
    pub fn apart(&self, named: Period) -> Option<(Option<NaiveDate>, Option<NaiveDate>)> {
        let (first, last) = self.asked()?;
        let apart = first.is_some_and(|x| named.1 < x) || last.is_some_and(|x| named.0 > x);
        apart.then_some((first, last))
    }

    /// The year that the result is of, where it is one.
    fn year(&self) -> Option<i32> {
        let (first, last) = self.asked()?;
        let range = self.outcome.query.schema().range.as_ref();
        let all = range.and_then(|(a, b)| Some((a.date()?, b.date()?)));
        let first = first.or(all.map(|(a, _)| a))?;
        let last = last.or(all.map(|(_, b)| b))?;
        (first.year() == last.year()).then_some(first.year())
    }

    /// The days of a year, quarter or month; without a year, of that of the result.
    pub fn days_of(&self, axis: &Axis, name: &Name, year: Option<i32>) -> Option<Period> {
        let year = || year.or_else(|| self.year());
        let months = |year: i32, first: u32, count: u32| {
            let start = NaiveDate::from_ymd_opt(year, first, 1)?;
            let end = start.checked_add_months(Months::new(count))?;
            Some((start, end.checked_sub_days(Days::new(1))?))
        };
        match (axis, name) {
            (Axis::Year, Name::Index(y)) => months(i32::try_from(*y).ok()?, 1, 12),
            (Axis::Quarter, Name::Index(q @ 1..=4)) => {
                months(year()?, u32::try_from(q * 3 - 2).ok()?, 3)
            }
            (Axis::Month, Name::Index(m @ 1..=12)) => months(year()?, u32::try_from(*m).ok()?, 1),
            (Axis::Date, Name::Date(d)) if d.day.is_none() => {
                months(d.year.or_else(year)?, d.month, 1)
            }
            _ => None,
        }
    }

    /// The same, and that of a day.
    pub fn days_or_day(&self, axis: &Axis, name: &Name, year: Option<i32>) -> Option<Period> {
        if let (Axis::Date, Name::Date(d)) = (axis, name)
            && let Some(day) = d.day
        {
            let year = d.year.or(year).or_else(|| self.year())?;
            let day = NaiveDate::from_ymd_opt(year, d.month, day)?;
            return Some((day, day));
        }
        self.days_of(axis, name, year)
    }
}
