//! Productions for conditions on time: weekdays, months and hours wherever they recur, and
//! stretches of dates.

use super::super::lattice::Lattice;
use super::super::sketch::Cond;
use super::super::token::TokenKind;
use super::super::words::{Cmp, Concept, Part};
use super::span::{as_month, as_season};
use super::{Quantity, Way};
use crate::schema::Kind;

/// Hours of a day.
const HOURS: std::ops::RangeInclusive<f64> = 0.0..=24.0;

impl Lattice<'_> {
    /// `in 2024`, `since March 2023`, `on Fridays`, `before 2024-03-15`, `from 18:00 to 21:00`.
    pub(super) fn moments(&self, at: usize) -> Vec<Way<Cond>> {
        let mut ways = self.periods(at);
        // `hired after 2020`: the time column by its name
        let named: Vec<Way<Cond>> = self
            .column_ways(at)
            .filter(|&(column, ..)| self.is_time_column(column))
            .flat_map(|(_, end, quality)| {
                let next = self.take(end, Concept::Stop).unwrap_or(end);
                let mut starts = vec![self.glue(end), self.glue(next)];
                starts.dedup();
                starts
                    .into_iter()
                    .flat_map(|next| self.periods(next))
                    .map(move |(cond, end, q)| (cond, end, q * quality))
                    .collect::<Vec<_>>()
            })
            .collect();
        ways.extend(named);
        ways.extend(self.months_of_year(at));
        for (quarter, end) in self.find(at, |c| match c {
            Concept::Quarter(number) => Some(number),
            _ => None,
        }) {
            ways.push((Cond::Part(Part::Quarter, Cmp::Eq, quarter), end, 1.0));
        }
        ways.extend(self.named_times(at));
        ways.extend(self.clocks(at));
        // `hour 10`
        if let Some(end) = self.take(at, Concept::Part(Part::Hour))
            && let Some((hour, end)) = self.hour(self.glue(end))
        {
            ways.push((Cond::Part(Part::Hour, Cmp::Eq, hour), end, 0.95));
        }
        ways
    }

    pub(super) fn is_time_column(&self, column: usize) -> bool {
        let name = self.schema.columns.get(column).map(|c| c.name.as_str());
        name.is_some() && name == self.time_column()
    }

    /// Weekdays and months by name, one or several.
    fn named_times(&self, at: usize) -> Vec<Way<Cond>> {
        let weekday = |c| match c {
            Concept::Weekday(day) => Some(day),
            _ => None,
        };
        let mut ways = Vec::new();
        // `по пятницам`
        let mut starts = vec![at];
        starts.extend(self.take(at, Concept::By));
        // `каждый понедельник`
        starts.extend(self.take(at, Concept::Each));
        for start in starts {
            for (days, end) in self.name_list(start, weekday) {
                // `completed by Friday`: until then
                let by = [start.checked_sub(1), at.checked_sub(1)];
                let by = by.into_iter().flatten().any(|before| self.word(before) == "by");
                let quality = if by && days.len() == 1 { 0.6 } else { 1.0 };
                ways.push((Cond::Weekdays { days, negated: false }, end, quality));
            }
            for (weekend, end) in self.find(start, |c| match c {
                Concept::Weekend(weekend) => Some(weekend),
                _ => None,
            }) {
                let days = if weekend { vec![5, 6] } else { vec![0, 1, 2, 3, 4] };
                ways.push((Cond::Weekdays { days, negated: false }, end, 1.0));
            }
        }
        for (months, end) in self.name_list(at, as_month) {
            ways.push((Cond::Months { months, negated: false }, end, 1.0));
        }
        for (first, end) in self.find(at, as_season) {
            // which winter of a year is meant is a question for the person
            let quality = if self.year(self.glue(end)).is_some() { 0.6 } else { 1.0 };
            let months = (0..3).map(|i| (first + i) % 12).collect();
            ways.push((Cond::Months { months, negated: false }, end, quality));
        }
        let intros = [Concept::Between, Concept::From, Concept::TimeCmp(Cmp::Ge)];
        // `Monday to Friday`, `с понедельника по пятницу`
        let opened = intros.into_iter().filter_map(|c| self.take(at, c));
        for start in opened.map(|start| self.glue(start)).chain([at]) {
            // of bars, from the one to the other, or on the days between
            let across = self.schema.ohlcv.is_some()
                && (start > at || (at > 0 && ["from", "с", "со"].contains(&self.word(at - 1))));
            let quality = if across { 0.7 } else { 1.0 };
            for (from, end) in self.find(start, weekday) {
                let through = ["to", "through", "till", "until", "по", "до", "-", "–"];
                if !through.contains(&self.word(end)) {
                    continue;
                }
                for (to, end) in self.find(self.glue(end + 1), weekday) {
                    if from < to {
                        let days = (from..=to).collect();
                        ways.push((Cond::Weekdays { days, negated: false }, end, quality));
                    }
                }
            }
        }
        // `from March to May` of every year
        for start in intros.into_iter().filter_map(|c| self.take(at, c)) {
            for (from, end) in self.find(self.glue(start), as_month) {
                let Some(next) = self.take(end, Concept::To) else { continue };
                for (to, end) in self.find(self.glue(next), as_month) {
                    if from <= to {
                        let months = (from..=to).collect();
                        ways.push((Cond::Months { months, negated: false }, end, 0.99));
                    }
                }
            }
        }
        ways
    }

    pub(super) fn name_list(
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

    /// `from 18:00 to 21:00`, `with 18 to 21 o'clock`, `after 20:00`, `до 10 часов`.
    fn clocks(&self, at: usize) -> Vec<Way<Cond>> {
        let timestamps = self.time_column().and_then(|name| self.schema.column(name));
        if timestamps.is_none_or(|c| c.kind != Kind::Timestamp) {
            return Vec::new();
        }
        let mut ways = Vec::new();
        let clock = |at: usize| match self.tokens.get(at).map(|t| &t.kind) {
            Some(&TokenKind::Clock(hour, minute)) => {
                let late = self.half_day(at + 1).filter(|_| hour <= 12);
                let (hour, end) = late.map_or((hour, at + 1), |(late, end)| {
                    (hour % 12 + if late { 12 } else { 0 }, end)
                });
                Some((format!("{hour:02}:{minute:02}"), end))
            }
            Some(&TokenKind::Number { value, unit: None, .. })
                if (1.0..=12.0).contains(&value) && value.fract() == 0.0 =>
            {
                let after = self.take(at + 1, Concept::OClock).unwrap_or(at + 1);
                let (late, end) = self.half_day(after).or_else(|| self.half_day(at + 1))?;
                let hour = value as u32 % 12 + if late { 12 } else { 0 };
                Some((format!("{hour:02}:00"), end))
            }
            // `девяти вечера`
            Some(TokenKind::Word)
                if self.plain_number(at).is_some_and(|(hour, end)| {
                    (1.0..=12.0).contains(&hour) && self.half_day(end).is_some()
                }) =>
            {
                let (value, end) = self.plain_number(at)?;
                let (late, end) = self.half_day(end)?;
                let hour = value as u32 % 12 + if late { 12 } else { 0 };
                Some((format!("{hour:02}:00"), end))
            }
            Some(TokenKind::Word) => {
                let word = self.tokens.get(at)?.folded.as_str();
                let fixed = match word {
                    "noon" | "midday" | "полудня" | "полдень" => Some(12),
                    "midnight" | "полуночи" | "полночь" => Some(0),
                    _ => None,
                };
                let glued = ["am", "pm"].into_iter().find_map(|half| {
                    let hour = word.strip_suffix(half)?.parse::<u32>().ok()?;
                    let late = if half == "pm" { 12 } else { 0 };
                    (1..=12).contains(&hour).then_some(hour % 12 + late)
                });
                Some((format!("{:02}:00", fixed.or(glued)?), at + 1))
            }
            _ => None,
        };
        let intros = [Concept::Between, Concept::From, Concept::TimeCmp(Cmp::Ge)];
        let mut starts: Vec<usize> = intros.into_iter().filter_map(|c| self.take(at, c)).collect();
        starts.push(at);
        starts.dedup();
        let second = |end: usize| {
            self.take(end, Concept::To).or_else(|| self.range_sign(end)).map(|next| self.glue(next))
        };
        for start in starts {
            let start = self.glue(start);
            if let Some((from, end)) = clock(start)
                && let Some(next) = second(end)
                && let Some((to, end)) = clock(next)
            {
                // the day ends at midnight
                let cond = if to == "00:00" || to == "24:00" {
                    Cond::Clock(Cmp::Ge, from)
                } else {
                    Cond::All(vec![Cond::Clock(Cmp::Ge, from), Cond::Clock(Cmp::Lt, to)])
                };
                ways.push((cond, end, 1.0));
            }
            // `9:30 till 10`
            let is_clock = |at: usize| {
                matches!(self.tokens.get(at).map(|t| &t.kind), Some(TokenKind::Clock(..)))
            };
            let either = |at: usize| {
                let plain = || {
                    let (hour, end) = self.hour(at)?;
                    let end = self.take(end, Concept::OClock).unwrap_or(end);
                    Some((format!("{hour:02}:00"), end))
                };
                clock(at).or_else(plain)
            };
            if let Some((from, end)) = either(start)
                && let Some(next) = second(end)
                && let Some((to, end)) = either(next)
                && is_clock(start) != is_clock(next)
                && from < to
            {
                let sides = [Cond::Clock(Cmp::Ge, from), Cond::Clock(Cmp::Lt, to)];
                ways.push((Cond::All(sides.to_vec()), end, 0.97));
            }
            // `between 9 and 10 am`
            if let Some((from, end)) = self.hour(start)
                && let Some(next) = second(end)
                && let Some((to, end)) = self.hour(next)
                && let Some((late, end)) = self.half_day(end)
                && from < to
                && to <= 12
            {
                let hour = |h: i64| h % 12 + if late { 12 } else { 0 };
                let (a, b) = if to == 12 && late { (from, 12) } else { (hour(from), hour(to)) };
                let hours =
                    [Cond::Part(Part::Hour, Cmp::Ge, a), Cond::Part(Part::Hour, Cmp::Lt, b)];
                ways.push((Cond::All(hours.to_vec()), end, 1.0));
            }
            // hours, where the word for them stands behind
            if let Some((from, end)) = self.hour(start)
                && let Some(next) = second(end)
                && let Some((to, end)) = self.hour(next)
                && let Some(end) = self.take(end, Concept::OClock)
                && from < to
            {
                let hours =
                    [Cond::Part(Part::Hour, Cmp::Ge, from), Cond::Part(Part::Hour, Cmp::Lt, to)];
                ways.push((Cond::All(hours.to_vec()), end, 1.0));
            }
        }
        // `at 9 am`: the hour that begins then
        let at_hour = ["at", "in", "в", "на"];
        if self.tokens.get(at).is_some_and(|t| at_hour.contains(&t.folded.as_str()))
            && let Some((time, end)) = clock(self.glue(at + 1))
            && let Some(hour) = time.strip_suffix(":00").and_then(|h| h.parse::<i64>().ok())
        {
            ways.push((Cond::Part(Part::Hour, Cmp::Eq, hour), end, 0.95));
        }
        // `22:00 or later`
        if let Some((time, end)) = clock(at) {
            let later = ["later", "after", "позже"];
            if let Some(next) = self.take(end, Concept::OrMore)
                && self.tokens.get(next - 1).is_some_and(|t| later.contains(&t.folded.as_str()))
            {
                ways.push((Cond::Clock(Cmp::Ge, time.clone()), next, 1.0));
            }
            let earlier = ["earlier", "before", "раньше"];
            if let Some(next) = self.take(end, Concept::OrLess)
                && self.tokens.get(next - 1).is_some_and(|t| earlier.contains(&t.folded.as_str()))
            {
                ways.push((Cond::Clock(Cmp::Le, time), next, 1.0));
            }
        }
        for (cmp, end) in self.find(at, |c| match c {
            Concept::TimeCmp(cmp) => Some(cmp),
            _ => None,
        }) {
            let next = self.glue(end);
            if let Some((time, end)) = clock(next) {
                let cmp = if cmp == Cmp::Gt { Cmp::Ge } else { cmp };
                ways.push((Cond::Clock(cmp, time), end, 1.0));
            }
            if let Some((hour, end)) = self.hour(next)
                && let Some(end) = self.take(end, Concept::OClock)
            {
                let cmp = if cmp == Cmp::Gt { Cmp::Ge } else { cmp };
                ways.push((Cond::Part(Part::Hour, cmp, hour), end, 1.0));
            }
        }
        ways
    }

    /// `am`, `pm`, `утра`, `вечера` after an hour: true for the later half.
    fn half_day(&self, at: usize) -> Option<(bool, usize)> {
        self.find(at, |c| match c {
            Concept::HalfDay(late) => Some(late),
            _ => None,
        })
        .into_iter()
        .next()
    }

    /// A whole hour of the day.
    fn hour(&self, at: usize) -> Option<(i64, usize)> {
        let (Quantity { value, unit: None, .. }, end) = self.number(at)? else { return None };
        (HOURS.contains(&value) && value.fract() == 0.0).then_some((value as i64, end))
    }
}
