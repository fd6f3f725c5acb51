//! A year that is a column of numbers, where a table has no dates: `in 2008`, `since 2008`,
//! `from 2007 to 2009`, `released in 1999`.

use super::super::lattice::Lattice;
use super::super::sketch::{Cond, Measure, Operand};
use super::super::stem::parts;
use super::super::words::{Cmp, Concept, Part};
use super::Way;
use crate::schema::{Column, Kind, TableSchema};

/// A column is called by nothing else.
const YEARS: [&str; 3] = ["year", "yr", "год"];
/// How sure a year behind a verb is.
const OF_A_VERB: f64 = 0.74;
/// Years that a list names at most.
const LISTED: usize = 12;

/// The column of whole numbers that says the year, where no column of dates does, and how surely it is
/// meant by a year alone: that something was built then is not what `in 1999` says of it.
pub(in super::super) fn year_column(schema: &TableSchema) -> Option<(usize, f64)> {
    if schema.columns.iter().any(|c| c.kind.is_time()) {
        return None;
    }
    let named = |whole: bool| {
        let list = schema.columns.iter().enumerate().filter(|(_, c)| {
            c.kind == Kind::Int
                && std::iter::once(&c.name).chain(&c.label).chain(&c.synonyms).any(|name| {
                    let list = parts(name);
                    let year = |part: &String| YEARS.contains(&part.as_str());
                    list.iter().any(year) && (!whole || list.len() == 1)
                })
        });
        list.map(|(column, _)| column).collect::<Vec<_>>()
    };
    match (&named(true)[..], &named(false)[..]) {
        ([column], _) => Some((*column, 1.0)),
        ([], [column]) => Some((*column, 0.74)),
        _ => None,
    }
}

impl Lattice<'_> {
    /// Conditions on it.
    pub(super) fn years(&self, at: usize) -> Vec<Way<Cond>> {
        let Some((_, fit)) = year_column(self.schema) else { return Vec::new() };
        let ways = self.of_years(at, |cmp, year| Cond::Part(Part::Year, cmp, year)).into_iter();
        ways.map(|(cond, end, quality)| (cond, end, quality * fit)).collect()
    }

    /// `released before 1999`: the year of this column. `Released in 1999` may as well be said of
    /// something else, and is offered; years of experience are only before or after one.
    pub(super) fn of_year_of(&self, at: usize, column: usize) -> Vec<Way<Cond>> {
        let compare = |cmp, year: i64| {
            Cond::Compare(Measure::Column(column), cmp, Operand::Number(year as f64))
        };
        let one = |c: &Column| {
            std::iter::once(&c.name)
                .chain(&c.label)
                .chain(&c.synonyms)
                .any(|name| parts(name).iter().any(|part| ["year", "год"].contains(&part.as_str())))
        };
        let sided = self.find(at, |c| match c {
            Concept::TimeCmp(cmp @ (Cmp::Gt | Cmp::Lt)) => Some(cmp),
            _ => None,
        });
        let mut ways: Vec<Way<Cond>> = sided
            .into_iter()
            .filter_map(|(cmp, end)| {
                let (year, end) = self.year(self.glue(end))?;
                self.take(end, Concept::To).is_none().then(|| (compare(cmp, year), end, 1.0))
            })
            .collect();
        if self.schema.columns.get(column).is_some_and(one) {
            let next = self.take(at, Concept::Stop).unwrap_or(at);
            let more = self.of_years(self.glue(next), compare).into_iter();
            ways.extend(more.map(|(cond, end, quality)| (cond, end, quality * OF_A_VERB)));
        }
        ways
    }

    /// `2008`, `2007 and 2009`, `since 2008`, `2007-2009`.
    fn of_years(&self, at: usize, compare: impl Fn(Cmp, i64) -> Cond) -> Vec<Way<Cond>> {
        let within = |a: i64, b: i64| {
            Cond::All(vec![compare(Cmp::Ge, a.min(b)), compare(Cmp::Le, a.max(b))])
        };
        let mut ways = Vec::new();
        if let Some((first, mut end)) = self.year(at) {
            ways.push((compare(Cmp::Eq, first), end, 1.0));
            if let Some((last, end)) = self.range_sign(end).and_then(|next| self.year(next)) {
                ways.push((within(first, last), end, 1.0));
            }
            let mut listed = vec![first];
            while listed.len() < LISTED
                && let Some(next) =
                    self.take(end, Concept::And).or_else(|| self.take(end, Concept::Or))
                && let next = self.take(next, Concept::And).unwrap_or(next)
                && let Some((year, next)) = self.year(self.glue(next))
            {
                listed.push(year);
                end = next;
                let any = listed.iter().map(|&year| compare(Cmp::Eq, year)).collect();
                ways.push((Cond::Any(any), end, 1.0));
            }
        }
        for intro in [Concept::Between, Concept::From, Concept::TimeCmp(Cmp::Ge)] {
            if let Some(next) = self.take(at, intro)
                && let Some((first, end)) = self.year(self.glue(next))
                && let Some(next) = self.take(end, Concept::To).or_else(|| self.range_sign(end))
                && let Some((last, end)) = self.year(self.glue(next))
            {
                ways.push((within(first, last), end, 1.0));
            }
        }
        for (cmp, end) in self.find(at, |c| match c {
            Concept::TimeCmp(cmp) => Some(cmp),
            _ => None,
        }) {
            let Some((year, end)) = self.year(self.glue(end)) else { continue };
            // `penguins from 2008` may as well be those of 2008
            if self.word(at) == "from" {
                ways.push((compare(Cmp::Eq, year), end, 0.97));
            }
            let (cmp, end) = self.included(cmp, end);
            ways.push((compare(cmp, year), end, 1.0));
            if let (Cmp::Ge, Some(end)) = (cmp, self.onwards(end)) {
                ways.push((compare(cmp, year), end, 1.0));
            }
        }
        ways
    }
}
