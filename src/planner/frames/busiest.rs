//! `when do people ride most often`, `во сколько чаще всего ездят`: the hour, the weekday or the month
//! with the most rows.

use super::{Asked, Made, one_of};
use crate::planner::dictionary::{Nature, nature};
use crate::planner::token::TokenKind;
use crate::query::Query;

/// Words that ask when.
const WHEN: [&str; 8] = [
    "when",
    "at what time",
    "what time",
    "at what hour",
    "what time of day",
    "когда",
    "во сколько",
    "в какое время",
];
/// Words for the most of them.
const MOST: [&str; 5] = ["most often", "the most", "most", "чаще всего", "больше всего"];
/// Words beside those.
const BESIDE: &str = "do does did are is were was the there people they we i you customers clients users \
                      riders usually happen happens made take place по в людей люди клиенты они мы я \
                      обычно бывает бывают происходит происходят совершают совершается делают";

impl Asked<'_> {
    pub(super) fn busiest(&self) -> Option<Made> {
        let words = self.words()?;
        self.table.time.as_ref()?;
        if self.table.ohlcv.is_some() {
            return None;
        }
        let begins = |phrase: &&&str| {
            let said: Vec<&str> = phrase.split(' ').collect();
            words.starts_with(&said)
        };
        let when = WHEN.iter().filter(begins).max_by_key(|phrase| phrase.len())?;
        let rest = words.get(when.split(' ').count()..)?;
        let place = |phrase: &&&str| {
            let said: Vec<&str> = phrase.split(' ').collect();
            rest.windows(said.len()).position(|window| window == said).map(|at| (at, said.len()))
        };
        let (from, length) = MOST.iter().find_map(|phrase| place(&phrase))?;
        // what is left names the rows, or says with one verb what becomes of them
        let mut others = 0;
        for (at, word) in rest.iter().enumerate() {
            let named = self.tokens.iter().position(|t| t.folded == *word)?;
            if !(from..from + length).contains(&at)
                && !one_of(BESIDE, word)
                && !self.is_of_rows(self.stem_of(named))
            {
                others += 1;
                // what is spent or sold is added up, not counted
                if !matches!(nature(self.stem_of(named)), None | Some(Nature::Other)) {
                    return None;
                }
                let known = self.table.columns.iter().any(|c| {
                    crate::planner::stem::parts(&c.name)
                        .iter()
                        .any(|part| crate::planner::stem::stem(part) == self.stem_of(named))
                });
                if known || self.tokens.get(named)?.kind != TokenKind::Word {
                    return None;
                }
            }
        }
        if others > 1 || self.goes_well() {
            return None;
        }
        let by = |name: &str, function: &str| Query {
            map: vec![(name.to_owned(), format!("{function}()"))],
            group_by: vec![name.to_owned()],
            select: vec!["count()".into()],
            sort: vec!["count desc".into()],
            limit: Some(1),
            ..Query::default()
        };
        let hour = (
            by("hour", "hour"),
            text!(
                "number of rows, by hour of the day, the largest",
                "число строк, по часам, наибольшее"
            ),
        );
        if when.contains("time") || when.contains("hour") || !["when", "когда"].contains(when)
        {
            // a word that nobody knows may leave some rows out
            let made = Made::Query(hour.0, hour.1);
            return Some(if others == 0 { made } else { made.offered() });
        }
        let all = vec![
            hour,
            (
                by("dow", "dayname"),
                text!(
                    "number of rows, by weekday, the largest",
                    "число строк, по дням недели, наибольшее"
                ),
            ),
            (
                by("month", "monthname"),
                text!(
                    "number of rows, by month, the largest",
                    "число строк, по месяцам, наибольшее"
                ),
            ),
        ];
        Some(Made::Several(all))
    }

    fn stem_of(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |t| t.stem.as_str())
    }
}
