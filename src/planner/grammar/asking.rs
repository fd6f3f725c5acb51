//! Productions for whole questions that ask in words of their own: which values a column has
//! (`list the species`, `какие виды есть`), how something changed (`how did the weight change by
//! year`), the extreme price of bars.

use super::super::dictionary::same_noun;
use super::super::lattice::{BY_DICTIONARY, Lattice, Tag};
use super::super::sketch::{Dim, Item, Measure};
use super::super::stem::{parts, stem};
use super::super::token::TokenKind;
use super::super::words::{Agg, Concept, Part, Quality};
use super::{Way, year_column};
use crate::schema::Kind;

/// Words that ask for a list by themselves.
const LISTS: [&str; 9] =
    ["list", "show", "name", "enumerate", "перечисли", "назови", "покажи", "выведи", "список"];
/// Words that do where it is said that there are such.
const WHICH: [&str; 4] = ["what", "which", "какие", "какой"];
/// Words before what is listed that add nothing.
const BEFORE: &str = "all the me us of different distinct unique kinds are there we have exist все \
                      всех мне нам разные различные есть бывают у нас меня";
/// Words behind it that say that there are such.
const BEHIND: &str = "are there exist do we i have occur possible available here in the this table \
                      data есть бывают существуют встречаются имеются у нас меня в таблице данных \
                      этой здесь тут";

fn among(word: &str, list: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

impl Lattice<'_> {
    /// `list the species`, `what species are there`: the values that a column has, and how many rows
    /// have each.
    pub(super) fn values_listed(&self, at: usize) -> Vec<Way<Item>> {
        let lists = LISTS.contains(&self.word(at));
        if at > 0 || !(lists || WHICH.contains(&self.word(at))) {
            return Vec::new();
        }
        let mut start = at + 1;
        while among(self.word(start), BEFORE) {
            start += 1;
        }
        let said_before = (at + 1..start).any(|i| among(self.word(i), "there exist есть бывают"));
        let mut ways = Vec::new();
        for (column, end, quality) in self.column_ways(start) {
            let Some(Kind::Text) = self.kind(column) else { continue };
            if quality < BY_DICTIONARY || self.is_of_rows(column, start, end) {
                continue;
            }
            // `what species of penguins are there`
            let glued = self.glue(end);
            let table = self.at(glued).iter().find(|m| m.tag == Tag::Table).map(|m| m.end);
            let mut last = table.unwrap_or(end);
            let first = last;
            while among(self.word(last), BEHIND) {
                last += 1;
            }
            let ends = self.tokens.iter().skip(last).all(|t| t.kind == TokenKind::Symbol);
            if !ends || !(lists || said_before || last > first) {
                continue;
            }
            let known = self.schema.columns.get(column).is_some_and(|c| c.values.is_some());
            let sure = if known { 0.95 } else { 0.74 };
            ways.push((Item::Distribution(Dim::Column(column)), last, quality * sure));
        }
        ways
    }

    /// The ends of words at `at` that ask how something changed, where groups of time say it: `как
    /// менялась выручка по месяцам`, `how did the weight change by year`.
    pub(super) fn how_it_changed(&self, at: usize) -> Option<usize> {
        const DID: [&str; 5] = ["did", "has", "have", "does", "do"];
        const RUSSIAN: [&str; 4] = ["менял", "меня", "измен", "измени"];
        let mut verbs = vec!["vary", "varies", "varied", "evolve", "evolves", "evolved"];
        // of bars a change is a measure
        if self.schema.ohlcv.is_none() {
            verbs.extend(["change", "changes", "changed", "develop", "develops", "developed"]);
        }
        let verb = |at: usize| verbs.contains(&self.word(at));
        let changes = match (self.word(at), self.word(at + 1)) {
            ("как", next) if at == 0 && RUSSIAN.iter().any(|v| next.starts_with(v)) => at + 2,
            ("how", next) if at == 0 && DID.contains(&next) && (2..self.tokens.len()).any(verb) => {
                at + 2
            }
            _ if verb(at) && self.word(0) == "how" && DID.contains(&self.word(1)) => at + 1,
            _ => return None,
        };
        (self.of_times() || self.by_years()).then_some(changes)
    }

    /// Groups are asked for by the column of years of a table without dates.
    fn by_years(&self) -> bool {
        let Some((year, _)) = year_column(self.schema) else { return false };
        (0..self.tokens.len()).any(|at| {
            self.concepts(at).any(|(c, end)| {
                matches!(c, Concept::By | Concept::Each)
                    && self.column_ways(self.glue(end)).any(|(column, ..)| column == year)
                    || c == Concept::Every(Part::Year)
            })
        })
    }

    /// The high of bars behind `highest` (`highest price`), the low behind `lowest`.
    pub(super) fn extreme_price(&self, at: usize) -> Option<Measure> {
        let bars = self.schema.ohlcv.as_ref()?;
        let (start, high) = self.concepts_before(at).find_map(|(start, c)| match c {
            Concept::Most(high) => Some((start, high)),
            Concept::Agg(Agg::Max) => Some((start, true)),
            Concept::Agg(Agg::Min) => Some((start, false)),
            _ => None,
        })?;
        // `min and max price`: one of them would be of the other's column
        if self.concepts_before(start).any(|(first, c)| c == Concept::And && first > 0) {
            return None;
        }
        let name = if high { &bars.high } else { &bars.low };
        Some(Measure::Column(self.schema.columns.iter().position(|c| c.name == *name)?))
    }

    /// Of columns that share a word, those that are called by what the adjective before `at` is about
    /// stay as sure as they were: `shortest bill` is of its length, not of its depth.
    pub(super) fn doubt_other_qualities(&self, at: usize, ways: &mut [Way<Measure>]) {
        let quality = self.concepts_before(at).find_map(|(_, c)| match c {
            Concept::Superlative(quality, _) => Some(quality),
            _ => None,
        });
        let Some(quality) = quality else { return };
        let has = |m: Measure| matches!(m, Measure::Column(c) if self.has_quality(c, quality));
        if ways.iter().any(|&(measure, ..)| has(measure)) {
            for (measure, _, sure) in ways {
                *sure *= if *sure < BY_DICTIONARY && !has(*measure) { 0.8 } else { 1.0 };
            }
        }
    }

    fn has_quality(&self, column: usize, quality: Quality) -> bool {
        self.schema.columns.get(column).is_some_and(|c| {
            std::iter::once(&c.name).chain(&c.label).chain(&c.synonyms).any(|name| {
                parts(name).iter().any(|part| {
                    let part = stem(part);
                    quality.nouns().iter().any(|(n, _)| same_noun(&part, &stem(n)))
                })
            })
        })
    }
}
