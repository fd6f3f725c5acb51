//! The period that a question about purchases names, as its first and last day.

use super::{Reader, among};
use crate::planner::sketch::Recent;
use crate::planner::token::{Token, TokenKind};
use crate::planner::words::{Concept, Part, phrases};
use chrono::{Datelike, Days, Months, NaiveDate};

type Period = (NaiveDate, NaiveDate);

/// Words before a period that add nothing to it.
const BEFORE: &str = "in for during over on the в во за на";
const THIS: &str = "this этом этот этой эту текущем текущий текущей";
const LAST: &str = "прошлый прошлая прошлое прошлом прошлой прошлого прошлую предыдущий предыдущем \
                    предыдущей предыдущую предыдущего";
const YEARS: &str = "year год году года";

/// `this`, `прошлом`: which period is meant, of the kind that was named before.
pub(super) fn points_at_a_period(word: &str) -> bool {
    among(word, THIS) || among(word, LAST) || among(word, "last previous")
}

impl<'a> Reader<'a> {
    /// The period, and the words that are none of it. Nothing where two are named.
    pub(super) fn period(&self) -> Option<(Option<Period>, Vec<&'a Token>)> {
        let mut found = None;
        let mut words = Vec::new();
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            let mut start = at;
            while self.is_one_of(start, BEFORE) {
                start += 1;
            }
            let named = self.span(start).or_else(|| self.over(at, start));
            if let Some((from, to, end)) = named {
                if found.replace((from, to)).is_some() {
                    return None;
                }
                at = end;
            } else {
                words.push(token);
                at += 1;
            }
        }
        Some((found, words))
    }

    /// `за месяц`: the last one.
    fn over(&self, before: usize, at: usize) -> Option<(NaiveDate, NaiveDate, usize)> {
        if !(before..at).any(|place| self.is_one_of(place, "за")) {
            return None;
        }
        let (days, months) = if self.is_one_of(at, "неделю") {
            (7, 0)
        } else if self.is_one_of(at, "месяц") {
            (0, 1)
        } else if self.is_one_of(at, "год") {
            (0, 12)
        } else {
            return None;
        };
        let (from, to) = self.back(Days::new(days), months)?;
        Some((from, to, at + 1))
    }

    fn span(&self, at: usize) -> Option<(NaiveDate, NaiveDate, usize)> {
        let token = self.tokens.get(at)?;
        let with = |period: Option<Period>, end: usize| period.map(|(from, to)| (from, to, end));
        match &token.kind {
            TokenKind::Date(date) => return Some((*date, *date, at + 1)),
            TokenKind::YearMonth(year, month) => return with(of_month(*year, *month), at + 1),
            TokenKind::Number { value, year: true, .. } => {
                let end = if self.is_one_of(at + 1, YEARS) { at + 2 } else { at + 1 };
                return with(of_year(*value as i32), end);
            }
            _ => {}
        }
        if self.is_one_of(at, "today сегодня") {
            return Some((self.today, self.today, at + 1));
        }
        if self.is_one_of(at, "yesterday вчера") {
            let day = self.today.pred_opt()?;
            return Some((day, day, at + 1));
        }
        if self.is_one_of(at, THIS) {
            return with(self.current(at + 1), at + 2);
        }
        if let Some((day, end)) = self.day_of_month(at) {
            return Some((day, day, end));
        }
        let before = self.names_the_one_before(at);
        phrases(self.tokens, at).into_iter().find_map(|phrase| {
            let end = at + phrase.length;
            match phrase.concept {
                Concept::Recent(recent) if before => with(self.one_before(recent), end),
                Concept::Month(number) => self.month(number, end),
                Concept::Season(first) => self.season(first, end),
                Concept::Recent(Recent::Week) => with(self.back(Days::new(7), 0), end),
                Concept::Recent(Recent::Month) => with(self.back(Days::new(0), 1), end),
                Concept::Recent(Recent::Year) => with(self.back(Days::new(0), 12), end),
                Concept::LastFew => self.last_few(end),
                _ => None,
            }
        })
    }

    /// `last month` and `прошлый месяц` are the one before this, `the last month` and `последний месяц`
    /// the days up to today.
    fn names_the_one_before(&self, at: usize) -> bool {
        let the = at > 0 && self.is_one_of(at - 1, "the");
        self.is_one_of(at, LAST) || self.is_one_of(at, "last previous") && !the
    }

    /// The whole week, month or year before the one that is going on.
    fn one_before(&self, recent: Recent) -> Option<Period> {
        let today = self.today;
        match recent {
            Recent::Week => {
                let days = u64::from(today.weekday().num_days_from_monday());
                let monday = today.checked_sub_days(Days::new(days + 7))?;
                Some((monday, monday.checked_add_days(Days::new(6))?))
            }
            Recent::Month => {
                let last = today.with_day(1)?.pred_opt()?;
                of_month(last.year(), last.month())
            }
            Recent::Year => of_year(today.year() - 1),
            Recent::Days(_) => None,
        }
    }

    /// A month with its year, or the latest one that has begun.
    fn month(&self, number: usize, end: usize) -> Option<(NaiveDate, NaiveDate, usize)> {
        let month = u32::try_from(number).ok()? + 1;
        let (year, end) = match self.tokens.get(end).map(|t| &t.kind) {
            Some(TokenKind::Number { value, year: true, .. }) => {
                let after = if self.is_one_of(end + 1, YEARS) { end + 2 } else { end + 1 };
                (*value as i32, after)
            }
            _ if month <= self.today.month() => (self.today.year(), end),
            _ => (self.today.year() - 1, end),
        };
        of_month(year, month).map(|(from, to)| (from, to, end))
    }

    /// `15 декабря 2024`, `December 15, 2024`; without a year the latest such day that has begun.
    fn day_of_month(&self, at: usize) -> Option<(NaiveDate, usize)> {
        let number = |at: usize| match self.tokens.get(at)?.kind {
            TokenKind::Number { value, unit: None, year: false, .. } if value.fract() == 0.0 => {
                (1.0..=31.0).contains(&value).then_some(value as u32)
            }
            _ => None,
        };
        let month = |at: usize| {
            phrases(self.tokens, at).into_iter().find_map(|phrase| match phrase.concept {
                Concept::Month(month) => Some((u32::try_from(month).ok()? + 1, at + phrase.length)),
                _ => None,
            })
        };
        let (day, month, end) = if let Some(day) = number(at) {
            let of = at + 1 + usize::from(self.is_one_of(at + 1, "of"));
            let (month, end) = month(of)?;
            (day, month, end)
        } else {
            let (month, day) = month(at)?;
            (number(day)?, month, day + 1)
        };
        let of_year = end + usize::from(self.tokens.get(end).is_some_and(|t| t.is_symbol(",")));
        if let Some(TokenKind::Number { value, year: true, .. }) =
            self.tokens.get(of_year).map(|t| &t.kind)
        {
            let after = of_year + 1 + usize::from(self.is_one_of(of_year + 1, YEARS));
            return Some((NaiveDate::from_ymd_opt(*value as i32, month, day)?, after));
        }
        let this = NaiveDate::from_ymd_opt(self.today.year(), month, day);
        let before = || NaiveDate::from_ymd_opt(self.today.year() - 1, month, day);
        Some((this.filter(|day| *day <= self.today).or_else(before)?, end))
    }

    /// A season of a year; which winter of it is not said.
    fn season(&self, first: usize, at: usize) -> Option<(NaiveDate, NaiveDate, usize)> {
        let TokenKind::Number { value, year: true, .. } = self.tokens.get(at)?.kind else {
            return None;
        };
        let months = (first < 10).then_some(first as u32 + 1)?;
        let (from, _) = of_month(value as i32, months)?;
        let (_, to) = of_month(value as i32, months + 2)?;
        let end = if self.is_one_of(at + 1, YEARS) { at + 2 } else { at + 1 };
        Some((from, to, end))
    }

    /// `last 30 days`, `последние 2 недели`, counted back from today.
    fn last_few(&self, at: usize) -> Option<(NaiveDate, NaiveDate, usize)> {
        let TokenKind::Number { value, unit: None, .. } = self.tokens.get(at)?.kind else {
            return None;
        };
        if value.fract() != 0.0 || !(1.0..=1000.0).contains(&value) {
            return None;
        }
        let few = value as u32;
        let (part, length) = phrases(self.tokens, at + 1).into_iter().find_map(|phrase| {
            let Concept::Part(part) = phrase.concept else { return None };
            Some((part, phrase.length))
        })?;
        let (from, to) = match part {
            Part::Day => self.back(Days::new(few.into()), 0),
            Part::Week => self.back(Days::new(u64::from(few) * 7), 0),
            Part::Month => self.back(Days::new(0), few),
            Part::Year => self.back(Days::new(0), few * 12),
            _ => None,
        }?;
        Some((from, to, at + 1 + length))
    }

    /// So many days or months up to today, as queries count them.
    fn back(&self, days: Days, months: u32) -> Option<Period> {
        let before = self.today.checked_sub_months(Months::new(months))?.checked_sub_days(days)?;
        Some((before.succ_opt()?, self.today))
    }

    /// The week, month or year that is going on.
    fn current(&self, at: usize) -> Option<Period> {
        let today = self.today;
        let from = if self.is_one_of(at, "week неделе неделю") {
            today.checked_sub_days(Days::new(today.weekday().num_days_from_monday().into()))
        } else if self.is_one_of(at, "month месяце месяц") {
            today.with_day(1)
        } else if self.is_one_of(at, YEARS) {
            NaiveDate::from_ymd_opt(today.year(), 1, 1)
        } else {
            None
        };
        Some((from?, today))
    }
}

fn of_month(year: i32, month: u32) -> Option<Period> {
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    Some((first, first.checked_add_months(Months::new(1))?.pred_opt()?))
}

fn of_year(year: i32) -> Option<Period> {
    Some((NaiveDate::from_ymd_opt(year, 1, 1)?, NaiveDate::from_ymd_opt(year, 12, 31)?))
}
