//! `spending on weekends vs weekdays`, `выручка в выходные и в будни`: both kinds of days beside each
//! other.

use super::{Asked, Made, begins, one_of};
use crate::error::Locale;
use crate::planner::explain;
use crate::planner::follow::{put_back, taken_out};
use crate::planner::naming::KIND_OF_DAY;
use crate::query::{Query, check, format};

/// Words that stand between the two, or before them.
const JOINS: &str = "on at the in and or vs versus against compared to with between during \
                     в во по и или а против с со сравнении сравнению на";
/// Words that ask to compare.
const COMPARE: &str = "compare сравни сравните сравнить show покажи";

/// A token of either kind of days.
fn kind(word: &str) -> Option<bool> {
    let weekend = word.starts_with("weekend") || word.starts_with("выходн");
    let weekday =
        ["weekday", "weekdays", "workdays", "workday"].contains(&word) || begins(&["будн"], word);
    (weekend || weekday).then_some(weekend)
}

impl Asked<'_> {
    pub(super) fn weekends(&self) -> Option<Made> {
        if self.table.ohlcv.is_some() {
            return None;
        }
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let said: Vec<(usize, bool)> =
            (0..self.tokens.len()).filter_map(|at| Some((at, kind(word(at))?))).collect();
        let [(first, one), (second, other)] = said[..] else { return None };
        let joined = |at: usize| {
            one_of(JOINS, word(at))
                || self.tokens.get(at).is_some_and(|t| t.is_symbol(",") || t.is_symbol("-"))
        };
        if one == other || second < first + 2 || !(first + 1..second).all(joined) {
            return None;
        }
        // `in` and `on` before the first of them go with it
        let from = (0..first).rev().take_while(|&at| joined(at)).last().unwrap_or(first);
        let left = |at: &usize| (*at < from || *at > second) && !one_of(COMPARE, word(*at));
        let rest: Vec<usize> = (0..self.tokens.len()).filter(left).collect();
        let shown = |list: &[usize]| -> String {
            let words = list.iter().filter_map(|&at| self.tokens.get(at));
            words
                .filter(|t| !t.is_symbol("?") && !t.is_symbol(":"))
                .map(|t| t.raw.as_str())
                .collect::<Vec<_>>()
                .join(" ")
        };
        let before: Vec<usize> = rest.iter().copied().filter(|at| *at < from).collect();
        let behind: Vec<usize> = rest.iter().copied().filter(|at| *at > second).collect();
        let (before, behind) = (shown(&before), shown(&behind));
        let russian = self.is_russian();
        let on = if russian { "в выходные" } else { "on weekends" };
        if before.is_empty() && behind.is_empty() {
            return self.of_the_one_before(russian).or_else(|| {
                let all = if russian { "число строк" } else { "number of rows" };
                let query = self.ready(&format!("{all} {on}"))?;
                let (query, time) = Self::without_days(query)?;
                self.apart(query, &time, russian).map(Made::offered)
            });
        }
        let query = self.ready(&format!("{before} {on} {behind}"))?;
        let (mut query, time) = Self::without_days(query)?;
        if query.select.is_empty() {
            // rows of both kinds are counted
            query.columns.clear();
            query.select = vec!["count()".into()];
        }
        // beside other groups it may be meant otherwise
        let grouped = !query.group_by.is_empty();
        let made = self.apart(query, &time, russian)?;
        Some(if grouped { made.offered() } else { made })
    }

    /// The query before, told apart by days of both kinds.
    fn of_the_one_before(&self, russian: bool) -> Option<Made> {
        let query = self.previous?.clone();
        let own = query.table.as_ref().is_none_or(|name| *name == self.table.name);
        let days = query.filter.as_ref().is_some_and(|f| f.contains("dayname("));
        let plain = !query.select.is_empty() && query.group_by.is_empty() && query.from.is_none();
        let time = self.table.time.as_ref()?;
        if !own || days || !plain {
            return None;
        }
        self.apart(query, &format!("dayname({})", format::name(time)), russian)
    }

    /// The query without its condition on weekends, and what says the day of the week.
    fn without_days(mut query: Query) -> Option<(Query, String)> {
        const WEEKEND: &str = " in [\"Sat\", \"Sun\"]";
        let is = |part: &str| part.starts_with("dayname(") && part.ends_with(WEEKEND);
        let (day, kept) = taken_out(query.filter.as_deref()?, is)?;
        query.filter = kept;
        // nothing else may be of weekdays
        let other = |text: &String| text.contains("dayname(");
        let more = query.filter.iter().any(other) || query.map.iter().any(|(_, e)| other(e));
        let whole = query.steps.is_empty() && query.limit.is_none();
        (whole && !more).then(|| (query, day.trim_end_matches(WEEKEND).to_owned()))
    }

    /// One group of weekends and one of weekdays.
    fn apart(&self, mut query: Query, day: &str, russian: bool) -> Option<Made> {
        if !query.steps.is_empty() || query.limit.is_some() {
            return None;
        }
        query.sort.clear();
        let checked = check(&query, self.tables).ok()?;
        let [en, ru] = [Locale::En, Locale::Ru].map(|l| explain::of_query(&checked, false, l));
        let (en, ru) = (en?, ru?);
        let (weekend, weekday) =
            if russian { ("выходные", "будни") } else { ("weekend", "weekday") };
        let kind = format!("if({day} in [\"Sat\", \"Sun\"], \"{weekend}\", \"{weekday}\")");
        query.map.push((KIND_OF_DAY.to_owned(), kind));
        query.group_by.push(KIND_OF_DAY.to_owned());
        // a row without a date is of neither kind
        let time = day.trim_start_matches("dayname(").trim_end_matches(')');
        let time =
            if time.is_empty() { self.table.time.as_deref()? } else { time.trim_matches('`') };
        if self.table.column(time)?.nulls.is_some_and(|nulls| nulls > 0) {
            let there = format!("not isnull({})", format::name(time));
            query.filter = Some(put_back(query.filter.as_deref(), &there)?);
        }
        let by = if self.table.time.is_some() { String::new() } else { format!(" ({time})") };
        let said = text!(
            "{en}: weekends (Saturday and Sunday) and weekdays (the other five days) apart{by}",
            "{ru}: отдельно выходные (суббота и воскресенье) и будни (остальные пять дней){by}"
        );
        Some(Made::Query(query, said))
    }
}
