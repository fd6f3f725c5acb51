//! `какие есть острова`, `which species live on Dream`: the values of a column, with how many rows have
//! each.

use super::wording::Asked;
use crate::planner::dictionary::{Nature, nature};

impl Asked<'_> {
    pub(super) fn listed(&self) -> Option<String> {
        const WHICH: [&str; 4] = ["what", "which", "какие", "какая"];
        const PLACED: [&str; 9] = ["on", "in", "at", "from", "на", "в", "во", "из", "у"];
        const ARE: [&str; 17] = [
            "live",
            "lives",
            "are",
            "is",
            "occur",
            "exist",
            "found",
            "there",
            "can",
            "be",
            "there",
            "живут",
            "есть",
            "встречаются",
            "обитают",
            "имеются",
            "бывают",
        ];
        let which = WHICH.contains(&self.word(0));
        let early = usize::from(["есть", "имеются", "бывают"].contains(&self.word(1)));
        let column = self.text_column(1 + early).filter(|_| which)?;
        let mut rest = 2 + early;
        let mut said = early > 0;
        while ARE.contains(&self.word(rest)) {
            said = true;
            rest += 1;
        }
        let by = if self.is_russian() { "число строк по" } else { "number of rows by" };
        let name = &column.name;
        let end = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        if rest == end {
            return said.then(|| format!("{by} `{name}`"));
        }
        let placed = PLACED.contains(&self.word(rest)) && (said || self.is_russian());
        let behind = self.question.get(self.tokens.get(rest)?.span.start..)?;
        placed.then(|| format!("{by} `{name}` {behind}"))
    }

    /// `how many are male and how many female`, `сколько самцов и сколько самок`: both counted.
    pub(super) fn both_counted(&self) -> Option<String> {
        let russian = self.is_russian();
        let many = |at: usize| {
            if russian {
                self.word(at) == "сколько"
            } else {
                self.word(at) == "how" && self.word(at + 1) == "many"
            }
        };
        let width = if russian { 1 } else { 2 };
        let and = if russian { "и" } else { "and" };
        let second = (width + 1..self.tokens.len())
            .find(|&at| many(at) && [and, ","].contains(&self.word(at - 1)))?;
        let end = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        let said = |from: usize, to: usize| {
            let kept = (from..to).filter(|&at| {
                !["are", "is", "there", "were", "of", "them", "из", "них"].contains(&self.word(at))
                    && !self.is_row(at)
            });
            kept.filter_map(|at| self.tokens.get(at)).map(|t| t.raw.as_str()).collect::<Vec<_>>()
        };
        let (one, other) = (said(width, second - 1), said(second + width, end));
        if !many(0) || one.len() != 1 || other.len() != 1 {
            return None;
        }
        let lead = if russian { "сколько" } else { "how many" };
        let vs = if russian { "против" } else { "vs" };
        Some(format!("{lead} {} {vs} {}", one.concat(), other.concat()))
    }

    /// `penguins per year`: how many there are in each.
    pub(super) fn rows_per(&self) -> Option<String> {
        const TIMES: [&str; 10] = [
            "year",
            "month",
            "week",
            "day",
            "quarter",
            "weekday",
            "hour",
            "годам",
            "месяцам",
            "дням",
        ];
        let end = self.tokens.len() - usize::from(self.tokens.last()?.is_symbol("?"));
        // expenses are added up
        let counted = |at: usize| {
            let said = self.tokens.get(at).map_or("", |t| t.stem.as_str());
            matches!(nature(said), None | Some(Nature::Other))
        };
        let from = usize::from(["and", "show", "the", "а"].contains(&self.word(0)));
        let per = ["per", "by", "по"].contains(&self.word(from + 1));
        let group = TIMES.contains(&self.word(from + 2)) || self.text_column(from + 2).is_some();
        if end != from + 3
            || from == 1 && self.word(0) != "the"
            || !per
            || !group
            || !self.is_row(from)
            || !counted(from)
        {
            return None;
        }
        let rest = self.question.get(self.tokens.get(from)?.span.start..)?;
        Some(if self.is_russian() {
            format!("число {rest}")
        } else {
            format!("number of {rest}")
        })
    }
}
