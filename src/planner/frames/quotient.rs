//! `bill length to bill depth ratio by species`, `отношение длины клюва к глубине`: one measure by another
//! of the same row, and the mean of that.

use super::{Asked, Made, one_of};
use crate::error::Locale;
use crate::planner::explain;
use crate::query::{Query, Selected, check};

impl Asked<'_> {
    pub(super) fn quotient(&self) -> Option<Made> {
        let word = |at: usize| self.tokens.get(at).map_or("", |t| t.folded.as_str());
        let find = |list: &str| (0..self.tokens.len()).find(|&at| one_of(list, word(at)));
        let end = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        let at = find("ratio отношение соотношение")?;
        let by = (at + 1..end).find(|&i| one_of("by per по for for", word(i))).unwrap_or(end);
        let rest = self.said(by, end);
        let joint = |from: usize, to: usize, list: &str| {
            let mut found = (from..to).filter(|&i| one_of(list, word(i)));
            found.next().filter(|_| found.next().is_none())
        };
        let skip = |from: usize| {
            (from..end)
                .find(|&i| !one_of("what is the average mean show me of a какое среднее", word(i)))
        };
        // `A to B ratio` and `ratio of A to B`
        let (one, other) = if at > 2 && at + 1 == by {
            let from = skip(0)?;
            let to = joint(from, at, "to")?;
            (self.said(from, to), self.said(to + 1, at))
        } else {
            let from = skip(at + 1)?;
            let to = joint(from, by, "to к")?;
            let plain = (0..at).all(|i| {
                one_of("what is the average mean show me a какое среднее каково", word(i))
            });
            plain.then(|| (self.said(from, to), self.said(to + 1, by)))?
        };
        let mean = if self.is_russian() { "среднее" } else { "mean" };
        let of = |said: &str| {
            let query = self.ready(&format!("{mean} {said}"))?;
            let [only] = &query.select[..] else { return None };
            let name = only.text.strip_prefix("mean(")?.strip_suffix(')')?.to_owned();
            let alone = query.filter.is_none() && query.group_by.is_empty() && query.map.is_empty();
            (alone && query.steps.is_empty()).then_some(name)
        };
        let (a, b) = (of(&one)?, of(&other)?);
        if a == b || self.goes_well() {
            return None;
        }
        let mut query = self.ready(format!("{mean} {a} {rest}").trim())?;
        if query.select != [format!("mean({a})").as_str().into()] || !query.steps.is_empty() {
            return None;
        }
        let checked = check(&query, self.tables).ok()?;
        let [en, ru] = [Locale::En, Locale::Ru].map(|l| explain::of_query(&checked, false, l));
        let (en, ru) = (en?, ru?);
        let y = b.trim_matches('`');
        query.select =
            vec![Selected { alias: Some("ratio".to_owned()), text: format!("mean({a} / {b})") }];
        let rows =
            text!("{en}, of each row divided by {y}", "{ru}, в каждой строке делённое на {y}");
        let sums = Query {
            select: vec![Selected {
                alias: Some("ratio".to_owned()),
                text: format!("mean({a}) / mean({b})"),
            }],
            ..query.clone()
        };
        let whole = text!("{en}, divided by the mean of {y}", "{ru}, делённое на среднее {y}");
        Some(Made::Several(vec![(query, rows), (sums, whole)]))
    }
}
