//! Productions for stretches of dates: `2024`, `March 2024`, `Q3 2024`, `9 мая 2023`, and ranges
//! between two of them.

use super::super::lattice::Lattice;
use super::super::sketch::{Cond, Recent};
use super::super::token::{Token, TokenKind};
use super::super::words::{Cmp, Concept, Part};
use crate::value::Value;
use chrono::{Datelike, Days, Months, NaiveDate, Weekday};

/// Words that stand before the part of time in which the data ends.
const THIS: [&str; 7] = ["this", "этот", "эта", "этой", "эту", "этого", "этом"];

/// The first and the last date of a stretch, and one past its last token.
type Span = (NaiveDate, NaiveDate, usize);

impl Lattice<'_> {
    /// Dates that are kept: a stretch, a range of two, an open end, the end of the data.
    pub(super) fn periods(&self, at: usize) -> Vec<(Cond, usize, f64)> {
        let mut ways: Vec<(Cond, usize, f64)> = Vec::new();
        let period = |first, last| Cond::Period(Some(first), Some(last));
        for (first, last, end) in self.spans(at) {
            ways.push((period(first, last), end, 1.0));
            // `March 2024 onwards`
            if let Some(end) = self.onwards(end) {
                ways.push((Cond::Period(Some(first), None), end, 1.0));
            }
            if let Some(next) = self.range_sign(end) {
                for (a, b, end) in self.spans(next) {
                    ways.push((period(first.min(a), last.max(b)), end, 1.0));
                }
            }
            ways.extend(self.listed(at, (first, last, end)));
        }
        ways.extend(self.ranges(at).into_iter().map(|(a, b, end)| (period(a, b), end, 1.0)));
        for (cmp, end) in self.find(at, |c| match c {
            Concept::TimeCmp(cmp) => Some(cmp),
            _ => None,
        }) {
            let next = self.glue(end);
            let mut spans = self.spans(next);
            spans.extend(self.months_of_only_year(next));
            for (first, last, end) in spans {
                if let (Cmp::Ge, Some(end)) = (cmp, self.onwards(end)) {
                    ways.push((Cond::Period(Some(first), None), end, 1.0));
                }
                // `results from 2022` may as well be those of 2022
                if self.tokens.get(at).is_some_and(|t| t.folded == "from") {
                    ways.push((period(first, last), end, 0.97));
                }
                // `по 2023 году`: of that year, not until it
                if self.word(at) == "по"
                    && ["году", "кварталу", "полугодию"]
                        .iter()
                        .any(|w| (next..end).any(|i| self.word(i) == *w))
                {
                    ways.push((period(first, last), end, 1.0));
                    continue;
                }
                // `до 15 марта включительно`
                let (cmp, end) = self.included(cmp, end);
                let cond = match cmp {
                    Cmp::Gt => Cond::Period(last.succ_opt(), None),
                    Cmp::Ge => Cond::Period(Some(first), None),
                    Cmp::Lt => Cond::Period(None, first.pred_opt()),
                    Cmp::Le => Cond::Period(None, Some(last)),
                    Cmp::Eq | Cmp::Ne => continue,
                };
                ways.push((cond, end, 1.0));
            }
        }
        ways.extend(self.recent(at));
        ways
    }

    /// `between March and May 2024`, `с 2022 по 2023`, `from 1 to 15 March 2024`.
    fn ranges(&self, at: usize) -> Vec<Span> {
        let mut found = Vec::new();
        let mut starts: Vec<usize> = [Concept::Between, Concept::From, Concept::TimeCmp(Cmp::Ge)]
            .into_iter()
            .filter_map(|intro| self.take(at, intro))
            .map(|next| self.glue(next))
            .collect();
        starts.dedup();
        let second = |end: usize| {
            self.take(end, Concept::To).or_else(|| self.range_sign(end)).map(|next| self.glue(next))
        };
        for start in starts {
            for (first, last, end) in self.spans(start) {
                let Some(next) = second(end) else { continue };
                for (a, b, end) in self.spans(next) {
                    found.push((first.min(a), last.max(b), end));
                }
            }
            found.extend(self.months_to(start));
            // `from 5 May to 10 June 2023`
            for (number, day, end) in self.days_of_month(start) {
                let Some(next) = second(end) else { continue };
                for (last, _, end) in self.days(next) {
                    let first = u32::try_from(number)
                        .ok()
                        .and_then(|n| NaiveDate::from_ymd_opt(last.year(), n + 1, day));
                    if let Some(first) = first.filter(|first| *first < last) {
                        found.push((first, last, end));
                    }
                }
            }
            // `с 1 по 15 марта 2024`
            if let Some((day, end)) = self.day_number(start)
                && let Some(next) = second(end)
            {
                for (last, _, end) in self.days(next) {
                    if let Some(first) = last.with_day(day)
                        && first < last
                    {
                        found.push((first, last, end));
                    }
                }
            }
        }
        // `Jan-Mar 2023`, `март - май 2024`
        found.extend(self.months_to(at).into_iter().filter(|_| {
            self.find(at, as_month).first().is_some_and(|&(_, end)| {
                let to = ["to", "through", "thru", "till", "until", "up", "по", "до"];
                self.range_sign(end).is_some() || to.contains(&self.word(end))
            })
        }));
        found
    }

    /// `March to May 2024`: the year is said once.
    fn months_to(&self, at: usize) -> Vec<Span> {
        let mut found = Vec::new();
        for (from, end) in self.find(at, as_month) {
            let Some(next) = self.take(end, Concept::To).or_else(|| self.range_sign(end)) else {
                continue;
            };
            for (to, end) in self.find(self.glue(next), as_month) {
                if let Some((year, end)) = self.year(self.glue(end))
                    && from <= to
                    && let Some((first, _)) = month(year, from)
                    && let Some((_, last)) = month(year, to)
                {
                    found.push((first, last, end));
                }
            }
        }
        found
    }

    /// Years and months joined by `and`, `or`: one stretch where they follow each other.
    fn listed(&self, at: usize, first: Span) -> Vec<(Cond, usize, f64)> {
        let mut ways = Vec::new();
        // `2016, 2018 and 2020`
        if let Some((year, mut end)) = self.year(at) {
            let mut years = vec![year];
            while let Some(next) = self.and_or(end)
                && let Some((year, next)) = self.year(self.glue(next))
            {
                years.push(year);
                end = next;
                years.sort_unstable();
                years.dedup();
                ways.push((years_of(&years), end, 1.0));
            }
            return ways;
        }
        // `March 2023 and April 2023`
        if let Some(next) = self.and_or(first.2) {
            for (a, b, end) in self.spans(self.glue(next)) {
                if first.1.succ_opt() == Some(a) {
                    ways.push((Cond::Period(Some(first.0), Some(b)), end, 1.0));
                }
            }
        }
        ways
    }

    /// `March or April 2023`: months of one year.
    pub(super) fn months_of_year(&self, at: usize) -> Vec<(Cond, usize, f64)> {
        let mut ways = Vec::new();
        for (months, end) in self.name_list(at, as_month) {
            if months.len() < 2 {
                continue;
            }
            let Some((year, end)) = self.year(self.glue(end)) else { continue };
            let (Some(&low), Some(&high)) = (months.iter().min(), months.iter().max()) else {
                continue;
            };
            let (Some((first, _)), Some((_, last))) = (month(year, low), month(year, high)) else {
                continue;
            };
            let period = Cond::Period(Some(first), Some(last));
            let cond = if high - low + 1 == months.len() {
                period
            } else {
                Cond::All(vec![period, Cond::Months { months, negated: false }])
            };
            ways.push((cond, end, 1.0));
        }
        ways
    }

    fn and_or(&self, at: usize) -> Option<usize> {
        let next = self.take(at, Concept::And).or_else(|| self.take(at, Concept::Or))?;
        // `2016, 2018, and 2020`
        Some(self.take(next, Concept::And).unwrap_or(next))
    }

    /// Every stretch of dates that is named at `at`.
    fn spans(&self, at: usize) -> Vec<Span> {
        let mut spans = Vec::new();
        match self.tokens.get(at).map(|t| &t.kind) {
            Some(TokenKind::Date(date)) => spans.push((*date, *date, at + 1)),
            Some(&TokenKind::YearMonth(year, number)) => {
                let (year, number) = (i64::from(year), (number as usize).saturating_sub(1));
                spans.extend(month(year, number).map(|(a, b)| (a, b, at + 1)));
            }
            _ => {}
        }
        if let Some((year, end)) = self.year(at) {
            spans.extend(quarters(year, 1, 4).map(|(a, b)| (a, b, end)));
            // `2024 Q3`, `2024-Q3`
            let next = self.range_sign(end).unwrap_or(end);
            for (first, last, end) in self.parts_of_year(next) {
                spans.extend(quarters(year, first, last).map(|(a, b)| (a, b, end)));
            }
        }
        for (first, last, end) in self.parts_of_year(at) {
            if let Some((year, end)) = self.year_or_this(self.glue(end)) {
                spans.extend(quarters(year, first, last).map(|(a, b)| (a, b, end)));
            }
        }
        for (number, end) in self.find(at, as_month) {
            if let Some((year, end)) = self.year_or_this(self.glue(end)) {
                spans.extend(month(year, number).map(|(a, b)| (a, b, end)));
            }
        }
        for (first, end) in self.find(at, as_season) {
            // a winter lies in two years
            if let Some((year, end)) = self.year(self.glue(end)).filter(|_| first < 10)
                && let (Some((a, _)), Some((_, b))) = (month(year, first), month(year, first + 2))
            {
                spans.push((a, b, end));
            }
        }
        // `first three months of 2024`
        for (last, end) in self.find(at, |c| match c {
            Concept::Ends(last) => Some(last),
            _ => None,
        }) {
            let Some((few, end)) = self.number(self.glue(end)) else { continue };
            let months = few.value as usize;
            if let Some(end) = self.take(end, Concept::Part(Part::Month))
                && let Some((year, end)) = self.year(self.glue(end))
                && few.unit.is_none()
                && (1..=11).contains(&months)
            {
                let (low, high) = if last { (12 - months, 11) } else { (0, months - 1) };
                if let (Some((a, _)), Some((_, b))) = (month(year, low), month(year, high)) {
                    spans.push((a, b, end));
                }
            }
        }
        spans.extend(self.days(at));
        spans
    }

    /// Months without a year, where the data has one: `since March`.
    fn months_of_only_year(&self, at: usize) -> Vec<Span> {
        let Some(year) = self.only_year() else { return Vec::new() };
        let named = self.find(at, as_month).into_iter();
        let open = named.filter(|&(_, end)| {
            self.year_or_this(self.glue(end)).is_none() && self.day_number(end).is_none()
        });
        open.filter_map(|(number, end)| month(year, number).map(|(a, b)| (a, b, end))).collect()
    }

    /// `с` of `с июня 2023`: a word for a stretch of time, and dates behind it.
    pub(super) fn opens_dates(&self, at: usize) -> bool {
        self.time_words(at).into_iter().any(|end| !self.spans(self.glue(end)).is_empty())
    }

    /// The same with a month or a weekday alone behind it; `from March` may be of March.
    pub(super) fn opens_months(&self, at: usize) -> bool {
        let named = |c: Concept| matches!(c, Concept::Month(_) | Concept::Weekday(_));
        self.word(at) != "from"
            && self
                .time_words(at)
                .into_iter()
                .any(|end| self.concepts(self.glue(end)).any(|(c, _)| named(c)))
    }

    /// A comparison whose bound is said to be included at `end`.
    pub(super) fn included(&self, cmp: Cmp, end: usize) -> (Cmp, usize) {
        let said = ["включительно", "inclusive", "inclusively"].contains(&self.word(end));
        match cmp {
            Cmp::Lt | Cmp::Le if said => (Cmp::Le, end + 1),
            Cmp::Gt | Cmp::Ge if said => (Cmp::Ge, end + 1),
            _ => (cmp, end),
        }
    }

    /// The ends of words at `at` that compare moments.
    fn time_words(&self, at: usize) -> Vec<usize> {
        let found = self.find(at, |c| matches!(c, Concept::TimeCmp(_)).then_some(()));
        found.into_iter().map(|((), end)| end).collect()
    }

    /// Quarters and halves: first and last quarter.
    fn parts_of_year(&self, at: usize) -> Vec<(u32, u32, usize)> {
        let numbered = self.numbered_part(at).map(|(number, half, end)| {
            let quarters = if half { (number * 2 - 1, number * 2) } else { (number, number) };
            (quarters, end)
        });
        self.find(at, |c| match c {
            Concept::Quarter(number) => u32::try_from(number).ok().map(|q| (q, q)),
            Concept::Half(half) => Some((half * 2 - 1, half * 2)),
            _ => None,
        })
        .into_iter()
        .chain(numbered)
        .map(|((first, last), end)| (first, last, end))
        .collect()
    }

    /// `2 квартал`, `3-й квартал`, `1 полугодие`: the number, whether it is of halves, the end.
    pub(super) fn numbered_part(&self, at: usize) -> Option<(u32, bool, usize)> {
        let Some(&TokenKind::Number { value, unit: None, .. }) =
            self.tokens.get(at).map(|t| &t.kind)
        else {
            return None;
        };
        let mut end = at + 1;
        let ending = ["й", "го", "м", "ом", "му", "ый", "ой", "е", "ое"];
        if let Some(next) = self.range_sign(end)
            && ending.contains(&self.word(next))
        {
            end = next + 1;
        }
        let half = self.word(end).starts_with("полугоди");
        let end = if half { end + 1 } else { self.take(end, Concept::Part(Part::Quarter))? };
        // `2 кв. 2024`
        let dot = self.tokens.get(end).is_some_and(|t| t.is_symbol("."));
        let fits = value.fract() == 0.0 && (1.0..=if half { 2.0 } else { 4.0 }).contains(&value);
        fits.then_some((value as u32, half, if dot { end + 1 } else { end }))
    }

    /// `15 марта 2024 года`, `March 15, 2024`; the year may be left out where the data has one.
    fn days(&self, at: usize) -> Vec<Span> {
        let mut spans = Vec::new();
        let mut add = |number: usize, day: u32, end: usize| {
            let comma = self.tokens.get(end).is_some_and(|t| t.is_symbol(","));
            let after = if comma { end + 1 } else { end };
            let (year, end) = match self.year(self.glue(after)) {
                Some((year, end)) => (year, end),
                None => match self.only_year() {
                    Some(year) => (year, end),
                    None => return,
                },
            };
            let date = i32::try_from(year)
                .ok()
                .and_then(|y| NaiveDate::from_ymd_opt(y, u32::try_from(number).ok()? + 1, day));
            spans.extend(date.map(|d| (d, d, end)));
        };
        for (number, day, end) in self.days_of_month(at) {
            add(number, day, end);
        }
        spans
    }

    /// `15 марта`, `March 15`: the month, the day, the end.
    fn days_of_month(&self, at: usize) -> Vec<(usize, u32, usize)> {
        let mut found = Vec::new();
        if let Some((day, end)) = self.day_number(at) {
            let months = self.find(self.glue(end), as_month);
            found.extend(months.into_iter().map(|(number, end)| (number, day, end)));
        }
        for (number, end) in self.find(at, as_month) {
            if let Some((day, end)) = self.day_number(self.glue(end)) {
                found.push((number, day, end));
            }
        }
        found
    }

    /// `15`, `15th` as a day of a month.
    fn day_number(&self, at: usize) -> Option<(u32, usize)> {
        let token = self.tokens.get(at)?;
        let value = match &token.kind {
            TokenKind::Number { value, unit: None, year: false } if value.fract() == 0.0 => *value,
            TokenKind::Word => ["st", "nd", "rd", "th", "го", "е"]
                .iter()
                .find_map(|s| token.folded.strip_suffix(s))
                .and_then(|digits| digits.parse::<f64>().ok())?,
            _ => return None,
        };
        (1.0..=31.0).contains(&value).then_some((value as u32, at + 1))
    }

    /// The year of data that has one.
    fn only_year(&self) -> Option<i64> {
        let (first, last) = self.schema.dates()?;
        let (first, last) = (Value::Date(first).date()?, Value::Date(last).date()?);
        (first.year() == last.year()).then(|| i64::from(first.year()))
    }

    /// `last month`, `last 30 days`, `за последние 3 месяца`: counted back from the data's end.
    fn recent(&self, at: usize) -> Vec<(Cond, usize, f64)> {
        let mut ways: Vec<(Cond, usize, f64)> = self
            .find(at, |c| match c {
                Concept::Recent(recent) => Some(recent),
                _ => None,
            })
            .into_iter()
            .map(|(recent, end)| (Cond::Recent(recent), end, 1.0))
            .collect();
        ways.extend(self.this_part(at));
        for (part, end) in self.find(at, |c| match c {
            Concept::ToDate(part) => Some(part),
            _ => None,
        }) {
            let of = self.last_part(part);
            ways.extend(of.map(|(a, b)| (Cond::Period(Some(a), Some(b)), end, 0.97)));
        }
        // `за 30 дней`, `за неделю`: the last ones, most likely
        let lately = self.word(at) == "за" && self.take(at, Concept::LastFew).is_none();
        let fit = if lately { 0.74 } else { 1.0 };
        if lately {
            let one = match self.word(at + 1) {
                "неделю" => Some(Recent::Week),
                "месяц" => Some(Recent::Month),
                "год" => Some(Recent::Year),
                _ => None,
            };
            let year = self.year(at + 1).is_some();
            ways.extend(one.filter(|_| !year).map(|r| (Cond::Recent(r), at + 2, 0.74)));
        }
        // `за 2023 год` is that year, not so many of them
        if lately && self.year(at + 1).is_some() {
            return ways;
        }
        let few = if lately { Some(at + 1) } else { self.take(at, Concept::LastFew) };
        let Some(next) = few else { return ways };
        // `за последние полгода`, `the last quarter`
        let one = match self.word(next) {
            "полгода" => Some((6, next + 1)),
            _ => self
                .find(next, |c| (c == Concept::Part(Part::Quarter)).then_some(3))
                .first()
                .copied(),
        };
        if let Some((months, end)) = one
            && self.year(end).is_none()
            && let Some(cond) = self.back(|last| last.checked_sub_months(Months::new(months)))
        {
            ways.push((cond, end, if months == 6 { 0.97 } else { 0.7 }));
        }
        let Some((value, end)) = self.plain_number(next) else { return ways };
        if value.fract() != 0.0 || !(1.0..=10_000.0).contains(&value) {
            return ways;
        }
        let number = value as u32;
        for (part, end) in self.find(end, |c| match c {
            Concept::Part(part) => Some(part),
            _ => None,
        }) {
            let cond = match part {
                Part::Day => Some(Cond::Recent(Recent::Days(number))),
                Part::Week => {
                    self.back(|last| last.checked_sub_days(Days::new(7 * u64::from(number))))
                }
                Part::Month => self.back(|last| last.checked_sub_months(Months::new(number))),
                Part::Quarter => self.back(|last| last.checked_sub_months(Months::new(number * 3))),
                Part::Year => self.back(|last| last.checked_sub_months(Months::new(number * 12))),
                _ => None,
            };
            // `за 6 месяцев 2024`
            let dated = lately && self.year(self.glue(end)).is_some();
            ways.extend(cond.filter(|_| !dated).map(|cond| (cond, end, fit)));
        }
        ways
    }

    /// A year by its number, or the one in which the data ends: `January of this year`.
    fn year_or_this(&self, at: usize) -> Option<(i64, usize)> {
        self.year(at).or_else(|| {
            let (cond, end, _) = self.this_part(at)?;
            let Cond::Period(Some(first), Some(last)) = cond else { return None };
            let whole = (first.month(), last.month()) == (1, 12);
            whole.then(|| (i64::from(first.year()), end))
        })
    }

    /// `this year`, `в этом месяце`: the one in which the data ends.
    fn this_part(&self, at: usize) -> Option<(Cond, usize, f64)> {
        let now = ["current", "текущем", "текущий", "текущего", "текущей", "текущую"];
        let this = |at: usize| THIS.contains(&self.word(at)) || now.contains(&self.word(at));
        // `с начала года`, `с начала этого месяца`
        let start =
            ["с", "from", "since"].contains(&self.word(at)) && self.word(at + 1) == "начала";
        let next = if start { at + 2 } else { at };
        let (part, end) = match (start, this(next)) {
            (_, true) => self.part(next + 1)?,
            (true, false) => self.part(next)?,
            (false, false) => return None,
        };
        if start && self.year(next).is_some() {
            return None;
        }
        let (first, end_of) = self.last_part(part)?;
        Some((Cond::Period(Some(first), Some(end_of)), end, 0.9))
    }

    /// The year, the quarter, the month or the week in which the data ends.
    fn last_part(&self, part: Part) -> Option<(NaiveDate, NaiveDate)> {
        let last = Value::Date(self.schema.dates()?.1).date()?;
        let year = i64::from(last.year());
        match part {
            Part::Year => quarters(year, 1, 4),
            Part::Quarter => quarters(year, last.month0() / 3 + 1, last.month0() / 3 + 1),
            Part::Month => month(year, last.month0() as usize),
            Part::Week => {
                let week = last.week(Weekday::Mon);
                Some((week.checked_first_day()?, week.checked_last_day()?))
            }
            _ => None,
        }
    }

    /// `this` before a part of time: the one in which the data ends, or one that is not read.
    pub(super) fn names_this(&self, at: usize) -> bool {
        THIS.contains(&self.word(at)) && self.part(at + 1).is_some()
    }

    /// From the day after the one that `step` gives from the data's last one.
    fn back(&self, step: impl Fn(NaiveDate) -> Option<NaiveDate>) -> Option<Cond> {
        let last = Value::Date(self.schema.dates()?.1).date()?;
        let first = step(last)?.succ_opt()?;
        Some(Cond::Period(Some(first), None))
    }

    /// A year, with the word for it.
    pub(super) fn year(&self, at: usize) -> Option<(i64, usize)> {
        let year = Concept::Part(Part::Year);
        let start = self.take(at, year).unwrap_or(at);
        // `where the year is 2023`, `year = 2023`
        let said = |at: usize| {
            let sign = self.tokens.get(at).is_some_and(|t| t.is_symbol("=") || t.is_symbol("=="));
            sign || self.word(at) == "is"
        };
        let start = if start > at && said(start) { start + 1 } else { start };
        let Some(&TokenKind::Number { value, year: true, .. }) =
            self.tokens.get(start).map(|t| &t.kind)
        else {
            return None;
        };
        let mut end = start + 1;
        // `show 2000 rows`
        if start == at && ["rows", "records", "строк", "записей"].contains(&self.word(end))
        {
            return None;
        }
        // `2023-й`, `2023-го`
        let ending = |t: &Token| ["й", "го", "м", "ом", "му"].contains(&t.folded.as_str());
        if self.range_sign(end).is_some() && self.tokens.get(end + 1).is_some_and(ending) {
            end += 2;
        }
        // `2023 г.`, `2022-2023 гг.`
        if ["г", "гг"].contains(&self.word(end)) {
            end += 1;
            let dot = self.tokens.get(end).is_some_and(|t| t.is_symbol("."));
            return Some((value as i64, if dot { end + 1 } else { end }));
        }
        Some((value as i64, self.take(end, year).unwrap_or(end)))
    }
}

pub(super) fn as_month(concept: Concept) -> Option<usize> {
    match concept {
        Concept::Month(month) => Some(month),
        _ => None,
    }
}

pub(super) fn as_season(concept: Concept) -> Option<usize> {
    match concept {
        Concept::Season(first) => Some(first),
        _ => None,
    }
}

/// Years that follow each other are a stretch; others are years apart.
fn years_of(years: &[i64]) -> Cond {
    let whole = |year: i64| quarters(year, 1, 4);
    if let (Some(&low), Some(&high)) = (years.first(), years.last())
        && (high - low) as usize + 1 == years.len()
        && let (Some((first, _)), Some((_, last))) = (whole(low), whole(high))
    {
        return Cond::Period(Some(first), Some(last));
    }
    Cond::Any(years.iter().map(|&y| Cond::Part(Part::Year, Cmp::Eq, y)).collect())
}

/// From the first day of one quarter to the last day of another.
fn quarters(year: i64, first: u32, last: u32) -> Option<(NaiveDate, NaiveDate)> {
    let (a, _) = month(year, (first.checked_sub(1)? * 3) as usize)?;
    let (_, b) = month(year, (last * 3).checked_sub(1)? as usize)?;
    Some((a, b))
}

/// The first and the last day of a month, January is 0.
fn month(year: i64, number: usize) -> Option<(NaiveDate, NaiveDate)> {
    let year = i32::try_from(year).ok()?;
    let first = NaiveDate::from_ymd_opt(year, u32::try_from(number).ok()? + 1, 1)?;
    let last = first.checked_add_months(Months::new(1))?.pred_opt()?;
    Some((first, last))
}

/// How `period` says the dates from one to another, as shortly as it can.
pub(in super::super) fn period_text(first: Option<NaiveDate>, last: Option<NaiveDate>) -> String {
    let start = |d: NaiveDate| {
        if d.day() > 1 {
            d.to_string()
        } else if d.month() > 1 {
            d.format("%Y-%m").to_string()
        } else {
            d.format("%Y").to_string()
        }
    };
    let end = |d: NaiveDate| {
        if d.succ_opt().is_some_and(|next| next.day() > 1) {
            d.to_string()
        } else if d.month() < 12 {
            d.format("%Y-%m").to_string()
        } else {
            d.format("%Y").to_string()
        }
    };
    let (Some(a), Some(b)) = (first, last) else {
        return format!(
            "{}:{}",
            first.map(start).unwrap_or_default(),
            last.map(end).unwrap_or_default()
        );
    };
    if a == b {
        return a.to_string();
    }
    let whole_months = a.day() == 1 && b.succ_opt().is_some_and(|next| next.day() == 1);
    if whole_months && a.year() == b.year() {
        match (a.month(), b.month()) {
            (1, 12) => return a.format("%Y").to_string(),
            (1, 6) => return format!("{}-H1", a.year()),
            (7, 12) => return format!("{}-H2", a.year()),
            (m, n) if m == n => return a.format("%Y-%m").to_string(),
            (m, n) if m % 3 == 1 && n == m + 2 => return format!("{}-Q{}", a.year(), n / 3),
            _ => {}
        }
    }
    // each end with the grain that says it
    let (a, b) = match (start(a), end(b)) {
        (a, b) if a.len() < b.len() && b.len() == 7 && a.len() == 4 => (format!("{a}-01"), b),
        (a, b) if b.len() < a.len() && a.len() == 7 && b.len() == 4 => (a, format!("{b}-12")),
        ends => ends,
    };
    format!("{a}:{b}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn periods_are_said_shortly() {
        let date = |text: &str| NaiveDate::parse_from_str(text, "%Y-%m-%d").ok();
        for (first, last, expected) in [
            ("2024-01-01", "2024-12-31", "2024"),
            ("2024-01-01", "2024-06-30", "2024-H1"),
            ("2024-04-01", "2024-06-30", "2024-Q2"),
            ("2024-02-01", "2024-02-29", "2024-02"),
            ("2024-02-01", "2024-02-28", "2024-02:2024-02-28"),
            ("2024-03-15", "2024-03-15", "2024-03-15"),
            ("2023-01-01", "2024-12-31", "2023:2024"),
            ("2024-03-01", "2024-05-31", "2024-03:2024-05"),
            ("2023-01-01", "2024-05-31", "2023-01:2024-05"),
            ("", "2022-12-31", ":2022"),
            ("2023-06-01", "", "2023-06:"),
        ] {
            assert_eq!(period_text(date(first), date(last)), expected);
        }
    }
}
