//! `cumulative revenue by month`, `running total of sales`: sums that go on from one time to the next;
//! `did revenue grow`: what it was from time to time.

use super::{Asked, Made, begins, one_of};
use crate::planner::build::result_name;
use crate::planner::naming::RUNNING;
use crate::query::{Query, format};

/// Words for sums that go on.
const RUNNING_WORDS: [&str; 11] = [
    "cumulative total of",
    "cumulative sum of",
    "cumulative total",
    "cumulative",
    "running total of",
    "running sum of",
    "running total",
    "running sum",
    "нарастающим итогом",
    "накопленным итогом",
    "с нарастающим итогом",
];
/// What a question begins with that asks whether something grew.
const WHETHER: &str = "did has have is are was were";
const GREW: &str = "grow grown growing grew increase increased increasing rise risen rising fall fallen falling \
                    decline declined declining decrease decreased decreasing drop dropped dropping shrink shrunk";
const RUSSIAN_GREW: [&str; 12] = [
    "выросл",
    "вырос",
    "росл",
    "растет",
    "растут",
    "увеличил",
    "увеличива",
    "упал",
    "падает",
    "падал",
    "снизил",
    "снижал",
];

impl Asked<'_> {
    /// Another question, in whatever way it is understood beyond doubt.
    pub(super) fn understood(&self, question: &str) -> Option<(Query, crate::error::Text)> {
        let plan =
            super::read(question, self.tables, &super::Context { previous: None, ..*self.context });
        let query = match plan {
            Some(plan) if plan.status == super::Status::Ready => plan.query?,
            _ => self.ready(question)?,
        };
        let said = self.told(&query)?;
        Some((query, said))
    }

    pub(super) fn running_total(&self) -> Option<Made> {
        let words = self.tokens.iter().map(|t| t.folded.as_str()).collect::<Vec<_>>();
        let found = RUNNING_WORDS.iter().find_map(|phrase| {
            let said: Vec<&str> = phrase.split(' ').collect();
            let at = words.windows(said.len()).position(|window| window == said)?;
            Some((at, at + said.len()))
        });
        let accumulated = || {
            let at = words.iter().position(|w| begins(&["накопленн", "кумулятивн"], w))?;
            Some((at, at + 1))
        };
        let (from, to) = found.or_else(accumulated)?;
        let time = self.table.time.as_ref().filter(|_| self.table.ohlcv.is_none())?;
        let (before, behind) = (self.said(0, from), self.said(to, self.tokens.len()));
        let before = before.trim_start_matches("show me").trim_start_matches("the").trim();
        // over days where no time is said
        let has_time = [before, &behind]
            .iter()
            .any(|part| part.split(' ').any(|w| one_of("by per по", &w.to_lowercase())));
        let by = match (has_time, self.is_russian()) {
            (true, _) => "",
            (false, true) => "по дням",
            (false, false) => "by day",
        };
        // what does not add up is added up here
        let total = if self.is_russian() { "сумма" } else { "total" };
        let added = |(query, said): (Query, crate::error::Text)| {
            let [only] = &query.select[..] else { return None };
            let sum = only.text.starts_with("sum(") || only.text.starts_with("count(");
            let plain = query.steps.is_empty() && query.limit.is_none();
            (sum && plain).then_some((query, said))
        };
        let (mut query, said) = ["", total].iter().find_map(|total| {
            self.understood(format!("{before} {total} {behind} {by}").trim()).and_then(added)
        })?;
        let [only] = &query.select[..] else { return None };
        let name = format::name(&result_name(only));
        // months of several years come one after the other, each of its own year
        let parts: Vec<&str> = query.map.iter().map(|(_, text)| text.as_str()).collect();
        let time = format::name(time);
        let is = |text: &str, function: &str| {
            text == format!("{function}()") || text == format!("{function}({time})")
        };
        let of = |function: &str| parts.iter().any(|text| is(text, function));
        if query.group_by.len() != query.map.len()
            || !parts.iter().all(|text| {
                ["date", "year", "monthname", "month", "week", "quarter"]
                    .iter()
                    .any(|f| is(text, f))
            })
        {
            return None;
        }
        if !of("date") && !of("year") && self.spans_years() {
            query.map.push(("year".to_owned(), "year()".to_owned()));
            query.group_by.push("year".to_owned());
        }
        let year =
            query.map.iter().find(|(_, text)| is(text, "year")).map(|(name, _)| name.clone());
        if let Some(year) = year {
            query.group_by.retain(|key| *key != year);
            query.group_by.insert(0, year);
        }
        query.sort.clear();
        query.steps = vec![Query {
            map: vec![(RUNNING.to_owned(), format!("cumsum({name})"))],
            ..Query::default()
        }];
        let (en, ru) = (said.en, said.ru);
        let said = text!("{en}, with the running total", "{ru}, нарастающим итогом");
        // without a time it may as well be the sum alone
        let made = Made::Query(query, said);
        Some(if has_time { made } else { made.offered() })
    }

    /// The dates of the table are of more than one year, as far as is known.
    fn spans_years(&self) -> bool {
        self.years().is_none_or(|(first, last)| first != last)
    }

    /// The years of the first and the last date.
    fn years(&self) -> Option<(i32, i32)> {
        use chrono::{DateTime, Datelike};
        let year = |day: i32| Some(DateTime::from_timestamp(i64::from(day) * 86_400, 0)?.year());
        let (first, last) = self.table.dates()?;
        Some((year(first)?, year(last)?))
    }

    pub(super) fn grown(&self) -> Option<Made> {
        if self.previous.is_some() || self.table.time.is_none() || self.table.ohlcv.is_some() {
            return None;
        }
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let end = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        let (what, rest) = if self.is_russian() {
            // `выросла ли выручка`, `растут ли продажи в 2024`
            let grew = begins(&RUSSIAN_GREW, word(0)) && word(1) == "ли";
            if !grew || end < 3 {
                return None;
            }
            (self.said(2, end), String::new())
        } else {
            let at = (1..end).find(|&at| one_of(GREW, word(at)))?;
            let plain = one_of(WHETHER, word(0)) && at > 1;
            let from = 1 + usize::from(one_of("the my our", word(1)));
            let mut behind = at + 1;
            while word(behind) == "over" && word(behind + 1) == "time" {
                behind += 2;
            }
            (plain.then(|| self.said(from, at))?, self.said(behind, end))
        };
        if self.goes_well() {
            return None;
        }
        let many = self.years().is_some_and(|(first, last)| last - first > 2);
        let by = match (self.is_russian(), many) {
            (true, true) => "по годам",
            (true, false) => "по месяцам",
            (false, true) => "by year",
            (false, false) => "by month",
        };
        let (query, said) = self.understood(format!("{what} {by} {rest}").trim())?;
        let timed = !query.select.is_empty() && !query.map.is_empty();
        timed.then_some(Made::Offered(query, said))
    }
}
