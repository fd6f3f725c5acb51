//! `And in the same period of 2023?` after 2024, of which the data have some months only: those of the other
//! year.

use super::against::Stretch;
use super::{Asked, Made, one_of};
use crate::planner::follow::put_back;
use crate::planner::token::TokenKind;
use crate::query::{Query, format};
use crate::value::Value;
use chrono::{Datelike, NaiveDate};

const SAME: &str = "same corresponding аналогичный аналогичном тот том этот такой таком";
const PERIOD: &str = "period time stretch quarter month months half период периоде квартал квартале месяц месяце \
                      месяцы отрезок";
/// Words around it.
const AROUND: &str = "and in the of for during over a what about how but was it that is from year же а и в за как что год \
                      года году по было";

/// The question speaks of such a stretch of time.
pub(in super::super) fn is_said<'a>(words: impl Fn(usize) -> &'a str, count: usize) -> bool {
    let same = |at: usize| one_of(SAME, words(at));
    let behind = |at: usize| if words(at + 1) == "же" { at + 2 } else { at + 1 };
    (0..count).any(|at| same(at) && one_of(PERIOD, words(behind(at))))
}

impl Asked<'_> {
    pub(super) fn same_period(&self) -> Option<Made> {
        let previous = self.previous?;
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        if !is_said(word, self.tokens.len()) {
            return None;
        }
        let mut year = None;
        for token in self.tokens.iter().filter(|t| t.kind != TokenKind::Symbol) {
            let said = token.folded.as_str();
            if let Some(number) = said.parse::<i32>().ok().filter(|n| (1900..=2100).contains(n)) {
                // of two years none is the other one
                if year.replace(number).is_some() {
                    return None;
                }
            } else if !one_of(SAME, said) && !one_of(PERIOD, said) && !one_of(AROUND, said) {
                return None;
            }
        }
        let mut stretch = Self::stretch(previous)?;
        let end = Value::Date(self.table.dates()?.1).date()?;
        if stretch.first <= end && end < stretch.last {
            stretch.last = end;
        }
        let years = year? - stretch.first.year();
        let moved = |day: NaiveDate| {
            // a leap day is the day before in another year
            day.with_year(day.year() + years)
                .or_else(|| day.pred_opt()?.with_year(day.year() + years))
        };
        let (first, mut last) = (moved(stretch.first)?, moved(stretch.last)?);
        // February is whole in every year
        if stretch.last.succ_opt()?.day() == 1 && last.succ_opt()?.day() != 1 {
            last = last.succ_opt()?;
        }
        let Stretch { period, of, mut rest, .. } = stretch;
        if period.is_some() {
            rest.period = Some(format!("{first}:{last}"));
        } else {
            let within = format!(
                "date({of}) >= {} and date({of}) <= {}",
                format::string(&first.to_string()),
                format::string(&last.to_string())
            );
            rest.filter = Some(put_back(rest.filter.as_deref(), &within)?);
        }
        self.explained(Query { ..rest })
    }
}
