//! What names the rows of a table, and what only looks like it.

use super::super::dictionary::same_noun;
use super::super::lattice::{BY_DICTIONARY, Lattice, Tag};
use super::super::sketch::{Dim, Entity};
use super::super::stem::{is_cyrillic, stem};
use super::super::words::{Agg, Concept};
use crate::schema::Kind;

impl Lattice<'_> {
    /// A word that is like one for the rows stands before one that is: `открытые` of `открытые
    /// вакансии`, where rows are openings too.
    pub(super) fn is_before_rows(&self, at: usize, end: usize) -> bool {
        let table = |at: usize, quality: f64| {
            self.at(at).iter().any(|m| m.tag == Tag::Table && m.quality >= quality)
        };
        end == at + 1
            && table(at, 0.0)
            && !table(at, BY_DICTIONARY + 0.001)
            && table(end, BY_DICTIONARY)
    }

    /// Groups by a part of time are asked for.
    pub(super) fn of_times(&self) -> bool {
        (0..self.tokens.len()).any(|at| {
            self.concepts(at).any(|(c, end)| match c {
                Concept::By | Concept::Each => self.part(self.glue(end)).is_some(),
                Concept::Every(_) => true,
                _ => false,
            })
        })
    }

    /// A column of names that the table is called by, where no time says that a name recurs:
    /// each row is one of them (`lake` in a table of lakes).
    pub(super) fn is_of_rows(&self, column: usize, at: usize, end: usize) -> bool {
        !self.schema.columns.iter().any(|c| c.kind.is_time())
            && self
                .schema
                .columns
                .get(column)
                .is_some_and(|c| c.kind == Kind::Text && c.values.is_none())
            && self.at(at).iter().any(|m| m.tag == Tag::Table && m.end == end)
    }

    /// The table's name from `at` to `end` is what an order is asked of (`film with the smallest
    /// budget`, `which film has the most votes`), not what its number is a number of (`the highest
    /// bill of a patient`).
    pub(super) fn heads_order(&self, at: usize, end: usize) -> bool {
        const LINKS: &[&str] = &[
            "with",
            "has",
            "have",
            "had",
            "having",
            "got",
            "gets",
            "whose",
            "с",
            "со",
            "имеет",
            "имеют",
            "имеющий",
            "имеющая",
            "у",
            "где",
        ];
        let ordered = |at: usize| {
            self.concepts(at).any(|(c, _)| {
                matches!(
                    c,
                    Concept::Most(_)
                        | Concept::MostMany(_)
                        | Concept::Best(_)
                        | Concept::Agg(Agg::Max | Agg::Min)
                )
            })
        };
        let asked = |at: usize| {
            !self.measures(at).is_empty()
                || self.concepts(at).any(|(c, _)| {
                    matches!(
                        c,
                        Concept::Agg(_)
                            | Concept::Count
                            | Concept::By
                            | Concept::Each
                            | Concept::How(_)
                    )
                })
        };
        if (0..at).any(|i| ordered(i) || asked(i)) {
            // `lowest budget movie`
            // or with what narrows the rows between: `least visited protected lake`
            let narrows = |i: usize| {
                self.is_value(i)
                    || self.column_ways(i).any(|(c, ..)| self.kind(c) == Some(Kind::Bool))
            };
            let measured = |i: usize| {
                self.measures(i).iter().any(|&(_, e, _)| e <= at && (e..at).all(narrows))
            };
            let said = (0..at).any(|i| ordered(i) || self.is_very(i));
            return said && (0..at).any(measured);
        }
        let Some(then) = (end..self.tokens.len()).find(|&i| ordered(i)) else { return false };
        let which = |i: usize| self.concepts(i).any(|(c, _)| c == Concept::Which);
        let linked = (0..at).any(which) || (end..=then).any(|i| LINKS.contains(&self.word(i)));
        // the order is of what is asked, not of a part of it: `patients per ward, most first`
        linked && !(end..then).any(asked) && !self.dims_between(end, then)
    }

    /// A form of `самый`.
    pub(super) fn is_very(&self, at: usize) -> bool {
        ["самый", "самая", "самое", "самые", "самых", "самую", "самой", "самого", "самом"]
            .contains(&self.word(at))
    }

    /// `the biggest lake by area`: the row, where what it is the biggest by is named behind it.
    pub(super) fn is_most_by(&self, at: usize, end: usize) -> bool {
        self.concepts_before(at).any(|(_, c)| matches!(c, Concept::Most(_)))
            && (end..self.tokens.len()).any(|i| {
                self.take(i, Concept::By)
                    .is_some_and(|by| self.number_columns(self.glue(by)).next().is_some())
            })
    }

    /// The rows before `at` are asked for the one that has the most of what follows.
    pub(super) fn headed(&self, at: usize) -> bool {
        let first = self.headed.get().copied().unwrap_or_else(|| {
            let heads = |i: usize| {
                let names = self.at(i).iter().filter(|m| m.tag == Tag::Table).map(|m| m.end);
                names.filter(move |&end| self.heads_order(i, end)).collect::<Vec<_>>()
            };
            let first = (0..self.tokens.len()).flat_map(heads).min().unwrap_or(usize::MAX);
            // found within itself it is the same
            let _ = self.headed.set(first);
            first
        });
        first <= at
    }

    /// Something that rows are grouped by is named from `start` to `end`.
    fn dims_between(&self, start: usize, end: usize) -> bool {
        (start..end).any(|at| {
            let column = |dim: Dim| matches!(dim, Dim::Column(_));
            !self.is_value(at) && self.dims(at).iter().any(|&(dim, _, q)| column(dim) && q > 0.8)
        })
    }

    /// The words from `at` to `end` are the table's own name for its rows.
    pub(super) fn are_rows(&self, at: usize, end: usize) -> bool {
        self.at(at).iter().any(|m| m.end == end && m.tag == Tag::Table && m.quality >= 1.0)
    }

    /// Rows are named at `at` as what is counted (`сколько получили заказов`), not as what
    /// brought it (`сколько принесли заказы`).
    pub(super) fn counted(&self, at: usize) -> bool {
        let word = self.word(at);
        let subject = ["ы", "и", "а", "я", "е"].iter().any(|ending| word.ends_with(ending));
        if !subject && self.at(at).iter().any(|m| self.are_rows(at, m.end)) {
            return true;
        }
        let genitive = ["ов", "ев", "ей", "ий", "ок", "ек"].iter().any(|e| word.ends_with(e));
        genitive && !self.entities(at).is_empty()
    }

    /// The end of `number of` before a column of numbers that is not the table's own name.
    pub(super) fn counted_column(&self, at: usize) -> Option<usize> {
        let end = self.glue(self.take(at, Concept::Count)?);
        let rows = !self.entities(end).is_empty();
        (!rows && self.number_columns(end).any(|(.., quality)| quality > 0.8)).then_some(end)
    }

    /// `expenses by category` over a table of them asks what was spent; `how many expenses` does not.
    pub(super) fn is_spending(&self, at: usize) -> bool {
        const BEFORE: [&str; 10] =
            ["my", "our", "the", "all", "total", "show", "мои", "наши", "все", "общие"];
        (at == 0 || BEFORE.contains(&self.word(at - 1)))
            && self.tokens.get(at).is_some_and(|t| same_noun(&t.stem, &stem("cost")))
            && self.at(at).iter().any(|m| m.tag == Tag::Table)
            && self.taken(true).is_some()
    }

    /// `top 2 drinks in each store`: so many of each group. `Per` says so behind what is ordered
    /// alone, since a revenue per customer is another measure, and so is one `на каждого`.
    pub(super) fn says_of_each(&self, at: usize) -> bool {
        let Some(end) = self.take(at, Concept::Each) else { return false };
        let each = |at: usize| {
            let word = self.word(at);
            ["each", "every"].contains(&word) || word.starts_with("кажд")
        };
        let of_one = ["на", "за", "у"].contains(&self.word(at))
            || at > 0 && ["на", "за", "у"].contains(&self.word(at - 1));
        let strictly = (at..end).any(each) && !of_one;
        let noun = |start: usize| {
            let text = |&(c, end, _): &(usize, usize, f64)| {
                end == at && self.kind(c).is_some_and(|kind| !kind.is_numeric())
            };
            self.entities(start).iter().any(|&(_, end, _)| end == at)
                || self.column_ways(start).any(|way| text(&way))
        };
        let per = self.word(at) == "per" && (0..at).any(noun);
        (strictly || per)
            && (0..at).any(|i| !self.ranks(i).is_empty() || !self.sells_most(i).is_empty())
    }

    /// Behind `largest`, from `at` to `end`, several rows are named: `largest purchases`, `самые
    /// крупные заказы`.
    pub(super) fn is_of_many_rows(&self, at: usize, end: usize) -> bool {
        // `which plan has the longest rides` asks for one plan
        const BEFORE: [&str; 20] = [
            "show",
            "me",
            "list",
            "give",
            "find",
            "what",
            "which",
            "are",
            "were",
            "the",
            "our",
            "my",
            "all",
            "покажи",
            "выведи",
            "найди",
            "какие",
            "были",
            "наши",
            "мои",
        ];
        if !(0..at).all(|i| BEFORE.contains(&self.word(i))) {
            return false;
        }
        let Some(&(.., noun, _)) = self
            .entities(self.glue(end))
            .iter()
            .find(|&&(entity, noun, _)| entity == Entity::Rows && !self.names_dim(end, noun))
        else {
            return false;
        };
        let (adjective, noun) = (self.word(end.saturating_sub(1)), self.word(noun - 1));
        if adjective.chars().any(is_cyrillic) {
            return adjective.ends_with("ые") || adjective.ends_with("ие");
        }
        noun.ends_with('s') && !noun.ends_with("ss")
    }

    /// `максимальные`, `рекордных`: the extreme ones of several.
    pub(super) fn is_plural_extreme(&self, at: usize) -> bool {
        let word = self.word(at);
        ["максимальн", "минимальн", "рекордн", "пиков"].iter().any(|w| word.starts_with(w))
            && (word.ends_with("ые") || word.ends_with("ых"))
    }
}
