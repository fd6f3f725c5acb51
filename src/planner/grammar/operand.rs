//! Productions for what a measure is compared with beside numbers: `the average`, `twice its
//! 20-day average`, `yesterday's high`, `предыдущего закрытия`.

use super::super::lattice::Lattice;
use super::super::sketch::{Cond, Dim, Entity, Measure, Operand};
use super::super::stem::is_cyrillic;
use super::super::token::TokenKind;
use super::super::words::{Agg, Cmp, Concept, Part};
use super::{Way, a_row_a_day};
use crate::schema::Kind;

/// Days that a trailing mean may take.
const LONGEST: f64 = 500.0;

/// Comparisons that an aggregate can follow without `than`.
const SIDES: [&str; 13] = [
    "above",
    "below",
    "over",
    "under",
    "exceeds",
    "exceed",
    "exceeding",
    "exceeded",
    "beyond",
    "beneath",
    "at",
    "выше",
    "ниже",
];

/// Words for the day before that may as well say when.
const ALONE: [&str; 3] = ["yesterday", "вчера", "накануне"];

/// Aggregates in the case that what is compared with stands in.
const GENITIVES: [&str; 7] =
    ["среднего", "средней", "средних", "медианы", "медиане", "медианного", "медианной"];

/// Words that stand before an aggregate of all rows and say no more than it does.
const DETERMINERS: [&str; 17] = [
    "the",
    "its",
    "their",
    "a",
    "an",
    "overall",
    "general",
    "usual",
    "своего",
    "своей",
    "своих",
    "свою",
    "свое",
    "общего",
    "общей",
    "чем",
    "than",
];

impl Lattice<'_> {
    pub(in super::super) fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map(|t| t.folded.as_str()).unwrap_or_default()
    }

    /// `twice`, `2x`, `three times`, `в два раза`, `вдвое`.
    pub(super) fn multiple(&self, at: usize) -> Option<(f64, usize)> {
        let word = self.word(at);
        let fixed = match word {
            "twice" | "double" | "вдвое" => Some(2.0),
            "triple" | "thrice" | "втрое" => Some(3.0),
            "half" | "половины" => Some(0.5),
            _ => None,
        };
        if let Some(times) = fixed {
            return Some((times, at + 1));
        }
        if let Some(times) = word.strip_suffix(['x', 'х']).and_then(|n| n.parse::<f64>().ok()) {
            return (times > 0.0).then_some((times, at + 1));
        }
        let start = if word == "в" { at + 1 } else { at };
        let value = match self.tokens.get(start).map(|t| &t.kind) {
            Some(&TokenKind::Number { value, unit: None, year: false }) => value,
            _ => self
                .find(start, |c| match c {
                    Concept::Number(value) => Some(value),
                    _ => None,
                })
                .first()
                .map(|&(value, _)| value)?,
        };
        (["times", "x", "х", "раз", "раза"].contains(&self.word(start + 1)) && value > 0.0)
            .then_some((value, start + 2))
    }

    /// The comparison at `at` and what `measure` is compared with there, where it is no number.
    pub(super) fn against(&self, at: usize, measure: Measure) -> Vec<Way<Cond>> {
        let mut starts = vec![(at, 1.0)];
        // `в два раза выше среднего`, `two times higher than average`
        starts.extend(self.multiple(at).map(|(times, end)| (end, times)));
        let mut ways = Vec::new();
        for (start, times) in starts {
            for (cmp, end) in self.sided(start) {
                // `two times lower` divides
                if times > 1.0 && matches!(cmp, Cmp::Lt | Cmp::Le) {
                    continue;
                }
                for (operand, end, quality) in self.references((start, end), measure, times) {
                    ways.push((Cond::Compare(measure, cmp, operand), end, quality));
                }
            }
        }
        ways
    }

    /// Comparisons at `at` that have a side; not words that open a stretch of time.
    fn sided(&self, at: usize) -> Vec<(Cmp, usize)> {
        if ["from", "от", "до"].contains(&self.word(at)) {
            return Vec::new();
        }
        let mut found = self.find(at, |c| match c {
            Concept::Cmp(cmp @ (Cmp::Gt | Cmp::Ge | Cmp::Lt | Cmp::Le)) => Some(cmp),
            _ => None,
        });
        // `twice the average` without a comparison is as much or more
        if found.is_empty() && self.multiple(at).is_some_and(|(times, _)| times > 1.0) {
            found.push((Cmp::Ge, at));
        }
        found
    }

    /// What stands behind the comparison from `cmp` to `at`.
    fn references(
        &self,
        (cmp, at): (usize, usize),
        measure: Measure,
        times: f64,
    ) -> Vec<Way<Operand>> {
        let mut starts = vec![(at, times)];
        if times == 1.0 {
            let next = self.past(at);
            starts.extend(self.multiple(next).map(|(times, end)| (end, times)));
        }
        let mut ways: Vec<Way<Operand>> = Vec::new();
        for (start, times) in starts {
            let start = self.past(start);
            if self.is_against(cmp, start) {
                ways.extend(self.whole_of(start, measure, times));
                ways.extend(self.trailing(start, measure, times));
            }
            // `was it higher yesterday` compares nothing
            if self.is_against(cmp, start) || !ALONE.contains(&self.word(start)) {
                ways.extend(self.before(start, measure, times));
            }
        }
        // `больше среднего в 2 раза`
        let more: Vec<Way<Operand>> = ways
            .iter()
            .filter_map(|&(operand, end, quality)| {
                let (again, end) = self.multiple(end)?;
                let lower = |&(c, _): &(Cmp, usize)| matches!(c, Cmp::Lt | Cmp::Le);
                if again > 1.0 && self.sided(cmp).iter().any(lower) {
                    return None;
                }
                let operand = match operand {
                    Operand::Whole(agg, m, 1.0) => Operand::Whole(agg, m, again),
                    Operand::Before(m, 1.0) => Operand::Before(m, again),
                    Operand::Trailing(m, n, 1.0) => Operand::Trailing(m, n, again),
                    _ => return None,
                };
                Some((operand, end, quality))
            })
            .collect();
        ways.extend(more);
        ways
    }

    /// The comparison at `cmp` is with the aggregate at `agg`: `than the average`, `above average`,
    /// `больше среднего`; not `longer on average`, `a higher average price`, `выше средняя цена`.
    fn is_against(&self, cmp: usize, agg: usize) -> bool {
        if (cmp..agg).any(|i| ["than", "чем"].contains(&self.word(i))) {
            return true;
        }
        let word = self.word(agg);
        let sided = SIDES.contains(&self.word(cmp))
            || (cmp..agg).any(|i| self.multiple(i).is_some())
            || self.tokens.get(cmp).is_some_and(|t| t.kind == TokenKind::Symbol);
        if word.chars().any(is_cyrillic) {
            GENITIVES.contains(&word)
        } else {
            sided && word != "on"
        }
    }

    /// Passes over words that say nothing before an aggregate.
    pub(super) fn past(&self, mut at: usize) -> usize {
        // `as much as`
        if self.word(at) == "as" && self.word(at + 2) == "as" {
            at += 3;
        }
        for _ in 0..4 {
            let of = self.word(at) == "of";
            let dash = self.tokens.get(at).is_some_and(|t| t.is_symbol("-") || t.is_symbol(","));
            if !dash && !of && !DETERMINERS.contains(&self.word(at)) {
                break;
            }
            at += 1;
        }
        at
    }

    /// `average`, `the average volume`, `its median of all flights`.
    fn whole_of(&self, at: usize, measure: Measure, times: f64) -> Vec<Way<Operand>> {
        let mut ways = Vec::new();
        for (agg, end) in self.typical(at) {
            for end in self.same_again(end, measure) {
                let operand = Operand::Whole(agg, measure, times);
                // `above the average of the month`, `выше среднего за неделю`
                if !self.is_of_part(end) {
                    ways.push((operand, end, 0.97));
                }
                // `of all flights`, `по всем рейсам`
                let next = self.glue(end);
                let next = if ["for", "across", "по"].contains(&self.word(next)) {
                    next + 1
                } else {
                    next
                };
                if ["all", "всем", "всех"].contains(&self.word(next)) {
                    let rows = self.entities(self.glue(next + 1));
                    let rows = rows.into_iter().filter(|(entity, ..)| *entity == Entity::Rows);
                    ways.extend(rows.map(|(_, end, q)| (operand, end, q)));
                }
            }
        }
        ways
    }

    /// At `end` stands the part of time, the group or the rows that an average is of.
    fn is_of_part(&self, end: usize) -> bool {
        let of = ["of", "for", "in", "within", "за", "по", "в", "на", "per", "its", "each"];
        let opened = of.contains(&self.word(end)) || self.take(end, Concept::Each).is_some();
        let mut next = end;
        while next < end + 4
            && (of.contains(&self.word(next)) || self.glue(next) > next || self.this(next))
        {
            next = self.glue(next).max(next + 1);
        }
        let part = self.part(next).is_some();
        let dim = self.dims(next).iter().any(|(dim, ..)| match *dim {
            Dim::Column(column) => matches!(self.kind(column), Some(Kind::Text | Kind::Bool)),
            Dim::Part(_) => false,
        });
        // `of 2023`, `of NordAir`, `по Казани`, `за последние 20 дней`
        let named = |at: usize| {
            let ends = |c| matches!(c, Concept::LastFew | Concept::Recent(_));
            self.is_value(at) || self.concepts(at).any(|(c, _)| ends(c))
        };
        let rows = self.word(end) == "of"
            || named(next)
            || self.take(next, Concept::Stop).is_some_and(named);
        opened && (part || dim || rows)
    }

    /// `that`, `same`, `свой`: words before the part of time that an average is of.
    fn this(&self, at: usize) -> bool {
        let said =
            ["that", "this", "same", "every", "whole", "свой", "этот", "тот", "весь", "каждый"];
        said.contains(&self.word(at))
    }

    fn typical(&self, at: usize) -> Vec<(Agg, usize)> {
        self.find(at, |c| match c {
            Concept::Agg(agg @ (Agg::Mean | Agg::Median)) => Some(agg),
            _ => None,
        })
    }

    /// The ends of an aggregate of `measure`, which is named again or not; none where another
    /// measure is.
    fn same_again(&self, end: usize, measure: Measure) -> Vec<usize> {
        let named = self.measures(self.glue(end));
        let same = named.iter().filter(|(m, ..)| *m == measure).map(|&(_, end, _)| end);
        let same: Vec<usize> = same.collect();
        match (named.is_empty(), same.is_empty()) {
            (true, _) => vec![end],
            (false, false) => same,
            (false, true) => Vec::new(),
        }
    }

    /// `20-day average`, `50-day moving average volume`, `среднего за 20 дней`.
    pub(super) fn trailing(&self, at: usize, measure: Measure, times: f64) -> Vec<Way<Operand>> {
        let mut ways = Vec::new();
        if !self.in_days() {
            return ways;
        }
        let length = |at: usize| match self.tokens.get(at).map(|t| &t.kind) {
            Some(&TokenKind::Number { value, unit: None, .. })
                if (2.0..=LONGEST).contains(&value) && value.fract() == 0.0 =>
            {
                Some(value as u16)
            }
            _ => None,
        };
        let day = |at: usize| {
            let end = self.take(at, Concept::Part(Part::Day));
            end.or_else(|| self.take(at, Concept::Every(Part::Day)))
        };
        let mut add = |days, end| {
            for end in self.same_again(end, measure) {
                ways.push((Operand::Trailing(measure, days, times), end, 0.97));
            }
        };
        if let Some(days) = length(at)
            && let Some(end) = day(self.range_sign(at + 1).unwrap_or(at + 1))
        {
            let end = if self.word(end) == "moving" { end + 1 } else { end };
            for (agg, end) in self.typical(end) {
                if agg == Agg::Mean {
                    add(days, end);
                }
            }
        }
        for (agg, end) in self.typical(at) {
            if agg == Agg::Mean
                && self.word(end) == "за"
                && let Some(days) = length(end + 1)
                && let Some(end) = day(end + 2)
            {
                add(days, end);
            }
        }
        ways
    }

    /// Every row is a day, or can be made one.
    fn in_days(&self) -> bool {
        self.schema.time.is_some()
            && (a_row_a_day(self.schema)
                || (self.schema.ohlcv.is_some() && self.schema.is_intraday()))
    }

    /// `yesterday's high`, `the low of the previous day`, `вчерашнего максимума`, `the day before`.
    fn before(&self, at: usize, measure: Measure, times: f64) -> Vec<Way<Operand>> {
        let mut ways = Vec::new();
        if !self.in_days() {
            return ways;
        }
        let mut add = |m: Measure, end: usize, quality: f64| {
            ways.push((Operand::Before(m, times), end, quality));
        };
        if let Some((end, whole)) = self.day_before(at) {
            let next = self.past(end);
            let named: Vec<_> = self.columns_at(next).collect();
            if whole && named.is_empty() {
                add(measure, end, 0.95);
            }
            for (m, end, quality) in named {
                add(m, end, quality);
            }
        }
        for (m, end, quality) in self.columns_at(at) {
            let next = self.past(end);
            let next =
                if ["on", "for", "за"].contains(&self.word(next)) { next + 1 } else { next };
            if let Some((end, true)) = self.day_before(self.past(next)) {
                add(m, end, quality);
            }
        }
        ways
    }

    fn columns_at(&self, at: usize) -> impl Iterator<Item = Way<Measure>> {
        self.measures(at).into_iter().filter(|(m, ..)| matches!(m, Measure::Column(_)))
    }

    /// Words for the row before, and whether they can stand alone (`previous` cannot).
    fn day_before(&self, at: usize) -> Option<(usize, bool)> {
        // days of intraday bars are what is compared, not the bars
        let of_bars = !self.schema.is_intraday();
        let day = |at: usize| {
            let named = ["day", "session", "дня", "день", "днем"];
            let bars = ["bar", "candle", "бара", "свечи"];
            let word = self.word(at);
            (named.contains(&word) || (of_bars && bars.contains(&word))).then_some(at + 1)
        };
        let word = self.word(at);
        if ["yesterday", "вчера", "накануне"].contains(&word) {
            return Some((at + 1, true));
        }
        if word.starts_with("вчерашн") {
            return Some((day(at + 1).unwrap_or(at + 1), true));
        }
        if ["previous", "prior", "preceding"].contains(&word) || word.starts_with("предыдущ")
        {
            return Some(day(at + 1).map_or((at + 1, false), |end| (end, true)));
        }
        let before =
            |at: usize| ["before", "earlier", "ранее", "раньше", "назад"].contains(&self.word(at));
        let end = day(at).filter(|&end| before(end))?;
        Some((end + 1, true))
    }

    /// `above-average delay`, `with a higher than average price`: the measure stands behind.
    pub(super) fn above_average(&self, at: usize) -> Vec<Way<Cond>> {
        let mut ways = Vec::new();
        for (cmp, end) in self.sided(at) {
            let (start, times) = self
                .multiple(self.past(end))
                .map_or((self.past(end), 1.0), |(times, end)| (self.past(end), times));
            for (agg, end) in self.typical(start) {
                if !self.is_against(at, start) {
                    continue;
                }
                for (measure, end, quality) in self.measures(self.glue(end)) {
                    if self.is_of_part(end) {
                        continue;
                    }
                    let operand = Operand::Whole(agg, measure, times);
                    ways.push((Cond::Compare(measure, cmp, operand), end, quality * 0.9));
                }
            }
        }
        ways
    }
}
