//! Productions for conditions on time: years, months, quarters, weekdays, dates, hours.

use super::super::lattice::Lattice;
use super::super::sketch::Cond;
use super::super::token::TokenKind;
use super::super::words::{Cmp, Concept, Part};
use super::{Quantity, Way};
use chrono::NaiveDate;

impl Lattice<'_> {
    /// `in 2024`, `since March 2023`, `on Fridays`, `before 2024-03-15`, `Q1 2024`.
    pub(super) fn moments(&self, at: usize) -> Vec<Way<Cond>> {
        let mut ways = Vec::new();
        let year = |cmp, year| Cond::Part(Part::Year, cmp, year);
        if let Some((value, end)) = self.year(at) {
            ways.push((year(Cmp::Eq, value), end, 1.0));
            if let Some(next) = self.range_sign(end)
                && let Some((last, end)) = self.year(next)
            {
                ways.push((years(value, last), end, 1.0));
            }
        }
        for intro in [Concept::Between, Concept::From] {
            if let Some(next) = self.take(at, intro)
                && let Some((first, end)) = self.year(self.glue(next))
                && let Some(next) = self.take(end, Concept::To)
                && let Some((last, end)) = self.year(self.glue(next))
            {
                ways.push((years(first, last), end, 1.0));
            }
        }
        for (cmp, end) in self.find(at, |c| match c {
            Concept::TimeCmp(cmp) => Some(cmp),
            _ => None,
        }) {
            let next = self.glue(end);
            if let Some((value, end)) = self.year(next) {
                ways.push((year(cmp, value), end, 1.0));
            }
            if let Some(TokenKind::Date(date)) = self.tokens.get(next).map(|t| &t.kind) {
                ways.push((Cond::Date(cmp, date.to_string()), next + 1, 1.0));
            }
            if let Some((year, month, end)) = self.month_of_year(next)
                && let Some(cond) = month_bound(cmp, year, month)
            {
                ways.push((cond, end, 1.0));
            }
        }
        match self.tokens.get(at).map(|t| &t.kind) {
            Some(TokenKind::Date(date)) => {
                ways.push((Cond::Date(Cmp::Eq, date.to_string()), at + 1, 1.0));
                if let Some(next) = self.range_sign(at + 1)
                    && let Some(TokenKind::Date(last)) = self.tokens.get(next).map(|t| &t.kind)
                {
                    ways.push((dates(*date, *last), next + 1, 1.0));
                }
            }
            Some(TokenKind::YearMonth(..)) => {}
            _ => {
                for intro in [Concept::Between, Concept::From] {
                    if let Some(next) = self.take(at, intro)
                        && let Some(TokenKind::Date(first)) = self.tokens.get(next).map(|t| &t.kind)
                        && let Some(next) = self.take(next + 1, Concept::To)
                        && let Some(TokenKind::Date(last)) = self.tokens.get(next).map(|t| &t.kind)
                    {
                        ways.push((dates(*first, *last), next + 1, 1.0));
                    }
                }
            }
        }
        if let Some((value, month, end)) = self.month_of_year(at) {
            let months = vec![month];
            ways.push((
                Cond::All(vec![year(Cmp::Eq, value), Cond::Months { months, negated: false }]),
                end,
                1.0,
            ));
        }
        for (quarter, end) in self.find(at, |c| match c {
            Concept::Quarter(number) => Some(number),
            _ => None,
        }) {
            let cond = Cond::Part(Part::Quarter, Cmp::Eq, quarter);
            if let Some((value, end)) = self.year(self.glue(end)) {
                ways.push((Cond::All(vec![year(Cmp::Eq, value), cond.clone()]), end, 1.0));
            }
            ways.push((cond, end, 1.0));
        }
        ways.extend(self.named_times(at));
        // `hour 10`
        if let Some(end) = self.take(at, Concept::Part(Part::Hour))
            && let Some((Quantity { value, unit: None, .. }, end)) = self.number(self.glue(end))
            && (0.0..24.0).contains(&value)
            && value.fract() == 0.0
        {
            ways.push((Cond::Part(Part::Hour, Cmp::Eq, value as i64), end, 0.95));
        }
        ways
    }

    /// Weekdays and months by name, one or several.
    fn named_times(&self, at: usize) -> Vec<Way<Cond>> {
        let weekday = |c| match c {
            Concept::Weekday(day) => Some(day),
            _ => None,
        };
        let month = |c| match c {
            Concept::Month(month) => Some(month),
            _ => None,
        };
        let mut ways = Vec::new();
        for (days, end) in self.name_list(at, weekday) {
            ways.push((Cond::Weekdays { days, negated: false }, end, 1.0));
        }
        for (months, end) in self.name_list(at, month) {
            ways.push((Cond::Months { months, negated: false }, end, 1.0));
        }
        // `по пятницам`
        if let Some(next) = self.take(at, Concept::By) {
            for (days, end) in self.name_list(next, weekday) {
                ways.push((Cond::Weekdays { days, negated: false }, end, 1.0));
            }
        }
        ways
    }

    fn name_list(
        &self,
        at: usize,
        wanted: impl Fn(Concept) -> Option<usize> + Copy,
    ) -> Vec<(Vec<usize>, usize)> {
        let Some((first, mut end)) = self.find(at, wanted).into_iter().next() else {
            return Vec::new();
        };
        let mut names = vec![first];
        let mut lists = vec![(names.clone(), end)];
        while let Some(next) = self
            .take(end, Concept::And)
            .or_else(|| self.take(end, Concept::Or))
            .map(|next| self.take(next, Concept::By).unwrap_or(next))
            && let Some((name, next)) = self.find(self.glue(next), wanted).into_iter().next()
        {
            if !names.contains(&name) {
                names.push(name);
            }
            end = next;
            lists.push((names.clone(), end));
        }
        lists
    }

    /// A year, with the word for year before or after it.
    fn year(&self, at: usize) -> Option<(i64, usize)> {
        let year = Concept::Part(Part::Year);
        let start = self.take(at, year).unwrap_or(at);
        let Some(&TokenKind::Number { value, year: true, .. }) =
            self.tokens.get(start).map(|t| &t.kind)
        else {
            return None;
        };
        let end = start + 1;
        Some((value as i64, self.take(end, year).unwrap_or(end)))
    }

    /// `March 2024`, `марте 2024 года`, `2024-03`: year, month from 0.
    fn month_of_year(&self, at: usize) -> Option<(i64, usize, usize)> {
        if let Some(&TokenKind::YearMonth(year, month)) = self.tokens.get(at).map(|t| &t.kind) {
            return Some((i64::from(year), (month as usize).checked_sub(1)?, at + 1));
        }
        let (month, end) = self
            .find(at, |c| match c {
                Concept::Month(month) => Some(month),
                _ => None,
            })
            .into_iter()
            .next()?;
        let (year, end) = self.year(self.glue(end))?;
        Some((year, month, end))
    }
}

fn years(first: i64, last: i64) -> Cond {
    Cond::All(vec![
        Cond::Part(Part::Year, Cmp::Ge, first.min(last)),
        Cond::Part(Part::Year, Cmp::Le, first.max(last)),
    ])
}

fn dates(first: NaiveDate, last: NaiveDate) -> Cond {
    Cond::All(vec![
        Cond::Date(Cmp::Ge, first.min(last).to_string()),
        Cond::Date(Cmp::Le, first.max(last).to_string()),
    ])
}

/// `since March 2024` counts from its first day, `after March 2024` from the day after its last.
fn month_bound(cmp: Cmp, year: i64, month: usize) -> Option<Cond> {
    let first = |year: i64, month: usize| {
        let year = i32::try_from(year).ok()?;
        let month = u32::try_from(month).ok()?.checked_add(1)?;
        NaiveDate::from_ymd_opt(year, month, 1)
    };
    let next = || if month == 11 { first(year + 1, 0) } else { first(year, month + 1) };
    let (cmp, date) = match cmp {
        Cmp::Ge => (Cmp::Ge, first(year, month)?),
        Cmp::Gt => (Cmp::Ge, next()?),
        Cmp::Lt => (Cmp::Lt, first(year, month)?),
        Cmp::Le => (Cmp::Lt, next()?),
        Cmp::Eq | Cmp::Ne => return None,
    };
    Some(Cond::Date(cmp, date.to_string()))
}
