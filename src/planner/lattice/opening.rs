//! Words that ask: they mean nothing where only such words stand before them.

use super::super::dictionary::same_noun;
use super::super::stem::{parts, stem};
use super::super::token::TokenKind;
use super::super::words::{Agg, Cmp, Concept, Part};
use super::{Lattice, Tag};

/// What stands behind a verb that asks, where the verb may be a noun too.
const DETERMINERS: [&str; 34] = [
    "the",
    "a",
    "an",
    "me",
    "us",
    "all",
    "every",
    "each",
    "my",
    "our",
    "any",
    "some",
    "out",
    "up",
    "how",
    "what",
    "which",
    "who",
    "when",
    "where",
    "whether",
    "if",
    "this",
    "these",
    "those",
    "only",
    "just",
    "top",
    "bottom",
    "both",
    "them",
    "it",
    "for",
    "everything",
];

/// Verbs that ask for rows by their name alone.
const ASKS: [&str; 8] =
    ["pull", "filter", "search", "select", "extract", "grab", "view", "identify"];

impl Lattice<'_> {
    /// What the phrase of `length` tokens at `at` stands for here, if for anything.
    pub(super) fn said(&self, at: usize, length: usize, concept: Concept) -> Option<Concept> {
        let end = at + length;
        let word = |at: usize| self.tokens.get(at).map(|t| t.folded.as_str()).unwrap_or_default();
        Some(match concept {
            Concept::Opening if self.opens(at) => Concept::Light,
            Concept::OpeningWith
                if self.opens(at)
                    && (self.is_determined(end)
                        || (ASKS.contains(&word(at)) && self.is_named(end))) =>
            {
                Concept::Light
            }
            Concept::EitherOf => Concept::Glue,
            Concept::RowWord if !self.is_named(at) && !self.may_be_pieces(at) => Concept::Rows,
            Concept::Everything if !(self.opens(at) && self.closes(end)) => return None,
            Concept::Opening | Concept::OpeningWith | Concept::RowWord => return None,
            // `where average sales top 3000`, not `the top 10`
            Concept::Cmp(Cmp::Gt) if word(at) == "top" && !self.is_verb(at) => return None,
            Concept::Top(_) if word(at) == "top" && self.is_verb(at) => return None,
            // `the market fell below 2%` is a move
            Concept::Cmp(Cmp::Lt)
                if self.schema.ohlcv.is_some()
                    && length == 2
                    && ["fall", "falls", "fell", "drop", "drops", "dropped"]
                        .contains(&word(at)) =>
            {
                return None;
            }
            // `amount of receipts` is money where there is some
            Concept::Count
                if [word(at), word(at + 1)].contains(&"amount")
                    && word(end - 1) == "of"
                    && !self.of_money().is_empty() =>
            {
                return None;
            }
            // `may I see`
            Concept::Month(4) if length == 1 && ["i", "we"].contains(&word(end)) => return None,
            // a total month by month may be a running one
            Concept::Agg(Agg::Sum) if word(at).starts_with("cumulat") && self.has_time() => {
                return None;
            }
            // ways to measure how far bars move are other ones
            Concept::Agg(Agg::Std)
                if self.schema.ohlcv.is_some()
                    && ["dispersion", "variability", "sigma"].contains(&word(at)) =>
            {
                return None;
            }
            other => other,
        })
    }

    /// `items` at `at` may be what a column counts, not the rows.
    fn may_be_pieces(&self, at: usize) -> bool {
        let piece = ["item", "element", "sample", "case"]
            .iter()
            .any(|word| self.tokens.get(at).is_some_and(|t| t.folded.starts_with(word)));
        let counts = |part: &String| same_noun(&stem(part), &stem("quantity"));
        piece
            && self.schema.columns.iter().any(|c| {
                c.kind.is_numeric()
                    && std::iter::once(&c.name)
                        .chain(&c.synonyms)
                        .flat_map(|n| parts(n))
                        .any(|p| counts(&p))
            })
    }

    /// `top` at `at` says that what is before it is more.
    fn is_verb(&self, at: usize) -> bool {
        let opens = |word: &str| ["where", "whose", "when", "if"].contains(&word);
        let named = |start: usize| {
            self.at(start).iter().any(|m| m.end == at && matches!(m.tag, Tag::Column(_)))
        };
        self.tokens.iter().take(at).any(|t| opens(&t.folded)) && (0..at).any(named)
    }

    /// Only words that ask stand before `at`.
    pub(in super::super) fn opens(&self, at: usize) -> bool {
        let asks = |c: Concept| {
            matches!(
                c,
                Concept::Stop | Concept::Glue | Concept::Light | Concept::And | Concept::Which
            )
        };
        let mut reached = vec![false; at + 1];
        if let Some(first) = reached.first_mut() {
            *first = true;
        }
        for start in 0..at {
            if reached.get(start) != Some(&true) {
                continue;
            }
            for m in self.at(start) {
                if let Tag::Concept(c) = m.tag
                    && asks(c)
                    && let Some(end) = reached.get_mut(m.end)
                {
                    *end = true;
                }
            }
        }
        reached.last() == Some(&true)
    }

    /// Nothing but what is polite stands from `at` on.
    pub(in super::super) fn closes(&self, at: usize) -> bool {
        const POLITE: [&str; 12] = [
            "please", "pls", "plz", "thanks", "thank", "you", "here", "now", "for", "me", "in",
            "first",
        ];
        self.tokens
            .iter()
            .skip(at)
            .all(|t| t.kind == TokenKind::Symbol || POLITE.contains(&t.folded.as_str()))
    }

    /// What stands at `at` cannot be called by the verb before it.
    fn is_determined(&self, at: usize) -> bool {
        let Some(token) = self.tokens.get(at) else { return false };
        DETERMINERS.contains(&token.folded.as_str())
            || matches!(token.kind, TokenKind::Number { .. })
            || super::phrases(self.tokens, at)
                .iter()
                .any(|f| matches!(f.concept, Concept::Agg(_) | Concept::Count))
    }

    /// A column, a value or the table is called by the word at `at`.
    fn is_named(&self, at: usize) -> bool {
        self.at(at).iter().any(|m| !matches!(m.tag, Tag::Concept(_)))
    }

    /// A part of time is named somewhere.
    fn has_time(&self) -> bool {
        (0..self.tokens.len()).any(|at| {
            super::phrases(self.tokens, at).iter().any(|f| {
                matches!(
                    f.concept,
                    Concept::Part(
                        Part::Year | Part::Quarter | Part::Month | Part::Week | Part::Day
                    ) | Concept::Every(_)
                        | Concept::PerPart(_)
                )
            })
        })
    }
}
