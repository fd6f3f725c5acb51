//! Two stretches of time set side by side: `2022 vs 2023`, `growth from January to March 2024`,
//! `выручка в 2023 по сравнению с 2022`.

use super::super::lattice::Lattice;
use super::super::sketch::{Cond, Dim, Item, Measure, Operand};
use super::super::words::{Cmp, Concept, Part};
use super::span::as_month;
use super::{Way, year_column};
use chrono::{Datelike, NaiveDate};

/// Words that stand before a stretch of time and say nothing of it.
const BEFORE: [&str; 10] = ["in", "of", "during", "for", "the", "в", "во", "за", "on", "year"];
/// Words that begin two of them.
const OPENING: [&str; 6] = ["between", "from", "с", "со", "от", "между"];
/// Words between two of them, where another word says that they are compared.
const BETWEEN: [&str; 12] =
    ["and", "to", "with", "и", "с", "со", "до", "по", "к", "than", "чем", "against"];
/// Words for a change, where a table is none of bars.
const CHANGE: [&str; 22] = [
    "growth",
    "grow",
    "grew",
    "grown",
    "increase",
    "increased",
    "decrease",
    "decreased",
    "rise",
    "rose",
    "drop",
    "dropped",
    "fall",
    "fell",
    "decline",
    "declined",
    "difference",
    "change",
    "changed",
    "рост",
    "прирост",
    "динамика",
];
/// The beginnings of such words.
const CHANGES: [&str; 12] = [
    "вырос",
    "выраст",
    "увелич",
    "уменьш",
    "снизи",
    "упал",
    "разниц",
    "измени",
    "роста",
    "прирост",
    "сократи",
    "подрос",
];

/// A stretch of time that has a name.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stretch {
    /// A year, a quarter or a month of one year.
    Dates(NaiveDate, NaiveDate),
    /// A month of any year, January is 0.
    Month(usize),
    /// A quarter of any year.
    Quarter(i64),
    /// A year of a table that has it as a number.
    Year(i64),
}

impl Lattice<'_> {
    /// Two stretches that are compared: their groups, and the condition that they are either of them.
    pub(super) fn abreast(&self, at: usize) -> Vec<Way<Item>> {
        let opened = OPENING.contains(&self.word(at));
        let first = if opened { at + 1 } else { at };
        let told = self.tells_change() || self.tells_comparison();
        let mut ways: Vec<Way<Item>> = Vec::new();
        // `January, February and March`: of more than two
        if at > 0 && self.tokens.get(at - 1).is_some_and(|t| t.is_symbol(",")) {
            return ways;
        }
        // `by city between January and June` may as well be all that lies between
        let by = (0..self.tokens.len()).any(|at| self.take(at, Concept::By).is_some());
        let quality = if opened && by && !self.tells_change() { 0.7 } else { 1.0 };
        for (part, one, end) in self.stretches(first) {
            let versus = self.take(end, Concept::Versus).filter(|_| !opened);
            // `of 2022 and of 2023`: told by another word that they are compared
            let linked = told && BETWEEN.contains(&self.word(end));
            let Some(next) = versus.or(linked.then_some(end + 1)) else { continue };
            for (other_part, other, end) in self.stretches(next) {
                if part != other_part {
                    continue;
                }
                let Some((cond, apart)) = either(one, other) else { continue };
                // groups of numbers of years are of their column
                let dim = match (one, other) {
                    (Stretch::Year(_), _) => match year_column(self.schema) {
                        Some((column, _)) => Dim::Column(column),
                        None => continue,
                    },
                    // March of two years: told apart by the year alone
                    (Stretch::Dates(a, _), Stretch::Dates(b, _))
                        if a.month() == b.month() && a.year() != b.year() =>
                    {
                        Dim::Part(Part::Year)
                    }
                    _ => Dim::Part(part),
                };
                let cond = self.of_column(cond);
                ways.push((Item::Abreast { dim, cond, apart }, end, quality));
            }
        }
        ways
    }

    /// Words for what two stretches that are compared come to: the change is in the answer.
    pub(super) fn change_of_two(&self, at: usize) -> Vec<Way<Item>> {
        let by = ["by", "на"].contains(&self.word(at)) && at == 0;
        let start = if by { at + 1 } else { at };
        let said = self.changes_at(start)
            || self.schema.ohlcv.is_none()
                && (self.take(start, Concept::Difference(false)).is_some()
                    || self.take(start, Concept::Difference(true)).is_some());
        let percent = self.percent_asked(start);
        let asked = percent.is_some() || by && ["how", "what"].contains(&self.word(start));
        let compares =
            ["compared", "comparison", "сравнении", "сравнению"].contains(&self.word(at));
        if !(said || asked || compares)
            || !(0..self.tokens.len()).any(|i| !self.abreast(i).is_empty())
        {
            return Vec::new();
        }
        let end = match (said, asked) {
            (true, _) => [Concept::Difference(false), Concept::Difference(true)]
                .into_iter()
                .filter_map(|c| self.take(start, c))
                .max()
                .unwrap_or(start + 1),
            (_, true) => percent.unwrap_or(start),
            _ => at + 1,
        };
        // `in comparison` asks for both of them, and for no change
        vec![(Item::Moved { told: said || asked }, end, 1.0)]
    }

    /// The end of `сколько процентов`, `what percentage`, `how many per cent`.
    fn percent_asked(&self, at: usize) -> Option<usize> {
        let list = [
            &["сколько", "процентов"][..],
            &["what", "percentage"],
            &["what", "percent"],
            &["how", "many", "percent"],
            &["how", "many", "per", "cent"],
            &["what", "per", "cent"],
        ];
        let said = |phrase: &&&[&str]| {
            phrase.iter().enumerate().all(|(i, word)| self.word(at + i) == *word)
        };
        list.iter().find(said).map(|phrase| at + phrase.len())
    }

    fn changes_at(&self, at: usize) -> bool {
        let word = self.word(at);
        CHANGE.contains(&word) || CHANGES.iter().any(|start| word.starts_with(start))
    }

    /// A change is asked for, of a table whose columns are no prices of bars.
    fn tells_change(&self) -> bool {
        self.schema.ohlcv.is_none() && (0..self.tokens.len()).any(|at| self.changes_at(at))
    }

    fn tells_comparison(&self) -> bool {
        (0..self.tokens.len()).any(|at| {
            let word = self.word(at);
            word.starts_with("compar") || word.starts_with("сравн") || word == "difference"
        })
    }

    /// Stretches of time that are named from `at` on.
    fn stretches(&self, at: usize) -> Vec<(Part, Stretch, usize)> {
        let at = if BEFORE.contains(&self.word(at)) { at + 1 } else { at };
        let at = if BEFORE.contains(&self.word(at)) { at + 1 } else { at };
        let mut found: Vec<(Part, Stretch, usize)> = Vec::new();
        if self.time_column().is_some() {
            for (cond, end, quality) in self.periods(at) {
                if let Cond::Period(Some(first), Some(last)) = cond
                    && let Some(part) = whole_part(first, last)
                    && quality >= 1.0
                {
                    found.push((part, Stretch::Dates(first, last), end));
                }
            }
            for (month, end) in self.find(at, as_month) {
                found.push((Part::Month, Stretch::Month(month), end));
            }
            for (quarter, end) in self.find(at, |c| match c {
                Concept::Quarter(number) => Some(number),
                _ => None,
            }) {
                found.push((Part::Quarter, Stretch::Quarter(quarter), end));
            }
        } else if let Some((year, end)) = self.year(at) {
            found.push((Part::Year, Stretch::Year(year), end));
        }
        found
    }

    /// Years of a table that has them as numbers are compared in that column.
    fn of_column(&self, cond: Cond) -> Cond {
        let Some((column, _)) = year_column(self.schema) else { return cond };
        cond.map(&|leaf| match leaf {
            Cond::Part(Part::Year, cmp, year) => {
                Cond::Compare(Measure::Column(column), cmp, Operand::Number(year as f64))
            }
            other => other,
        })
    }
}

/// The part of time that lasts from one day to another.
pub(in super::super) fn whole_part(first: NaiveDate, last: NaiveDate) -> Option<Part> {
    let next = last.succ_opt()?;
    let starts = |day: NaiveDate| day.day() == 1;
    if !starts(first) || !starts(next) {
        return None;
    }
    let months = (next.year() - first.year()) * 12 + next.month0() as i32 - first.month0() as i32;
    match months {
        1 => Some(Part::Month),
        3 if first.month0().is_multiple_of(3) => Some(Part::Quarter),
        12 if first.month0() == 0 => Some(Part::Year),
        _ => None,
    }
}

/// That it is either of two stretches, and whether each of them is one group alone: a month of any
/// year is in every year.
fn either(one: Stretch, other: Stretch) -> Option<(Cond, bool)> {
    let of_year = |month: usize, year: i32| {
        let first = NaiveDate::from_ymd_opt(year, u32::try_from(month).ok()? + 1, 1)?;
        let last = first.checked_add_months(chrono::Months::new(1))?.pred_opt()?;
        Some((first, last))
    };
    let of_quarter = |quarter: i64, year: i32| {
        let (first, _) = of_year(usize::try_from(quarter - 1).ok()? * 3, year)?;
        let (_, last) = of_year(usize::try_from(quarter - 1).ok()? * 3 + 2, year)?;
        Some((first, last))
    };
    // `January and March 2024`: the year is said once
    let (a, b) = match (one, other) {
        (Stretch::Month(month), Stretch::Dates(first, last)) => {
            (of_year(month, first.year())?, (first, last))
        }
        (Stretch::Dates(first, last), Stretch::Month(month)) => {
            ((first, last), of_year(month, first.year())?)
        }
        (Stretch::Quarter(quarter), Stretch::Dates(first, last)) => {
            (of_quarter(quarter, first.year())?, (first, last))
        }
        (Stretch::Dates(first, last), Stretch::Quarter(quarter)) => {
            ((first, last), of_quarter(quarter, first.year())?)
        }
        (Stretch::Dates(first, last), Stretch::Dates(from, to)) => ((first, last), (from, to)),
        (Stretch::Month(a), Stretch::Month(b)) if a != b => {
            return Some((Cond::Months { months: vec![a, b], negated: false }, false));
        }
        (Stretch::Quarter(a), Stretch::Quarter(b)) if a != b => {
            let of = |quarter| Cond::Part(Part::Quarter, Cmp::Eq, quarter);
            return Some((Cond::Any(vec![of(a), of(b)]), false));
        }
        (Stretch::Year(a), Stretch::Year(b)) if a != b => {
            let of = |year| Cond::Part(Part::Year, Cmp::Eq, year);
            return Some((Cond::Any(vec![of(a), of(b)]), true));
        }
        _ => return None,
    };
    let (low, high) = if a.0 <= b.0 { (a, b) } else { (b, a) };
    if low.1 >= high.0 {
        return None;
    }
    let dates = |(first, last): (NaiveDate, NaiveDate)| Cond::Period(Some(first), Some(last));
    let follow = low.1.succ_opt() == Some(high.0);
    let of = |day: NaiveDate| Cond::Part(Part::Year, Cmp::Eq, day.year().into());
    let cond = match whole_part(low.0, low.1) {
        _ if follow => dates((low.0, high.1)),
        Some(Part::Year) => Cond::Any(vec![of(low.0), of(high.0)]),
        _ => Cond::Any(vec![dates(low), dates(high)]),
    };
    Some((cond, true))
}
