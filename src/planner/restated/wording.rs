//! Everyday wordings, each told in the words of the grammar: `where does my money go` is spending by
//! category, `repeat customers` those with more than one row, `who is the oldest` the row with the
//! highest age. A question that none of them fits is left as it is.

use super::super::stem::{is_cyrillic, parts};
use super::super::token::{Token, TokenKind};
use crate::schema::{Column, Kind, TableSchema};

/// Where money goes, asked in so many words.
pub(super) const GOES: [&str; 26] = [
    "where does most of my money go",
    "where does most of the money go",
    "where do we spend our money",
    "where does my money go",
    "where does the money go",
    "where does all my money go",
    "where does our money go",
    "where did my money go",
    "where did the money go",
    "what does my money go on",
    "where is my money going",
    "what do i spend money on",
    "what do i spend my money on",
    "куда уходят деньги",
    "куда уходят мои деньги",
    "на что уходят деньги",
    "куда деваются деньги",
    "на что я потратил",
    "на что я потратила",
    "на что мы потратили",
    "на что потратил",
    "на что потратила",
    "на что потратили",
    "на что ушли деньги",
    "what did i spend my money on",
    "what did i spend money on",
];

/// A question as it was asked, and the table it is asked of.
pub(super) struct Asked<'a> {
    pub question: &'a str,
    pub tokens: &'a [Token],
    pub table: &'a TableSchema,
}

impl<'a> Asked<'a> {
    pub(super) fn word(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", |t| t.folded.as_str())
    }

    pub(super) fn is_russian(&self) -> bool {
        self.tokens.iter().any(|t| t.folded.chars().any(is_cyrillic))
    }

    /// Where one of the phrases stands: its first word, and the one behind its last.
    pub(super) fn phrase(&self, list: &[&str]) -> Option<(usize, usize)> {
        (0..self.tokens.len()).find_map(|at| {
            let lengths = list.iter().filter_map(|phrase| {
                let words: Vec<&str> = phrase.split(' ').collect();
                let here = (at..).zip(&words).all(|(i, word)| self.word(i) == *word);
                here.then_some(words.len())
            });
            lengths.max().map(|length| (at, at + length))
        })
    }

    /// `where does my money go` among receipts: by category.
    pub(super) fn by_category(&self) -> Option<String> {
        let (from, to) = self.phrase(&GOES)?;
        let russian = self.is_russian();
        self.put(
            from,
            to,
            if russian {
                "расходы по категориям"
            } else {
                "spending by category"
            },
        )
    }

    pub(super) fn begins(&self, at: usize, list: &[&str]) -> bool {
        list.iter().any(|begin| self.word(at).starts_with(begin))
    }

    /// The question with other words in the place of those from one to another.
    pub(super) fn put(&self, from: usize, to: usize, words: &str) -> Option<String> {
        let start = self.tokens.get(from)?.span.start;
        let end = self.tokens.get(to.checked_sub(1)?)?.span.end;
        let (before, after) = (self.question.get(..start)?, self.question.get(end..)?);
        Some(format!("{before}{words}{after}"))
    }

    pub(super) fn named(&self, kind: impl Fn(Kind) -> bool, list: &[&str]) -> Option<&'a Column> {
        let fits = |part: &String| list.iter().any(|begin| part.starts_with(begin));
        self.table.columns.iter().find(|c| kind(c.kind) && parts(&c.name).iter().any(fits))
    }

    /// `top customers by revenue`: ten of them, as they are more than one.
    pub(super) fn ten_at_the_top(&self) -> Option<String> {
        let at = (0..self.tokens.len()).find(|&at| self.word(at) == "top")?;
        let next = self.tokens.get(at + 1).filter(|t| t.kind == TokenKind::Word)?;
        let by = (at + 2..self.tokens.len()).any(|i| self.word(i) == "by");
        let many = next.folded.ends_with('s') && !next.folded.ends_with("ss");
        if by && many { self.put(at, at + 1, "top 10") } else { None }
    }

    /// `the oldest employee`, `самый молодой сотрудник`: the row with the highest or lowest age.
    pub(super) fn by_age(&self) -> Option<String> {
        const AGE: [&str; 2] = ["age", "возраст"];
        const WHO: [&str; 16] = [
            "employee",
            "employees",
            "person",
            "people",
            "worker",
            "customer",
            "patient",
            "member",
            "passenger",
            "student",
            "player",
            "сотрудник",
            "работник",
            "человек",
            "клиент",
            "пациент",
        ];
        let age = &self.named(Kind::is_numeric, &AGE)?.name;
        let at = (0..self.tokens.len())
            .find(|&at| self.begins(at, &["oldest", "youngest", "старш", "молод", "пожил"]))?;
        let low = self.begins(at, &["young", "молод"]);
        let who = WHO.contains(&self.word(at + 1));
        let last = at + 1 == self.tokens.len()
            || self.tokens.get(at + 1).is_some_and(|t| t.is_symbol("?"));
        // `oldest order` is the earliest
        let to = if who {
            at + 2
        } else if last {
            at + 1
        } else {
            return None;
        };
        let opens = ["who", "is", "the", "our", "кто", "самый", "самая", "show", "find"];
        let from =
            (0..at).rev().take_while(|&i| opens.contains(&self.word(i))).last().unwrap_or(at);
        self.put(
            from,
            to,
            &match (self.is_russian(), low) {
                (false, false) => format!("rows with the highest {age}"),
                (false, true) => format!("rows with the lowest {age}"),
                (true, false) => format!("строки с наибольшим {age}"),
                (true, true) => format!("строки с наименьшим {age}"),
            },
        )
    }

    /// `repeat customers`, `which customers ordered more than once`: those with more than one row.
    pub(super) fn repeated(&self) -> Option<String> {
        const ONCE: [&str; 5] = [
            "ordered more than once",
            "bought more than once",
            "came more than once",
            "purchased more than once",
            "more than once",
        ];
        let text =
            |i: usize| self.named(|kind| kind == Kind::Text, &[self.tokens.get(i)?.stem.as_str()]);
        let (from, to, noun) = if let Some(at) = (0..self.tokens.len()).find(|&at| {
            ["repeat", "returning", "repeated", "постоянные", "повторные"].contains(&self.word(at))
        }) {
            (at, at + 2, at + 1)
        } else {
            let (from, to) = self.phrase(&ONCE)?;
            let noun = (0..from).find(|&i| text(i).is_some())?;
            (noun, to, noun)
        };
        let column = &text(noun)?.name;
        let which = from > 0 && ["which", "what"].contains(&self.word(from - 1));
        let from = if which { from - 1 } else { from };
        self.put(
            from,
            to,
            &if self.is_russian() {
                format!("{column} с числом строк больше 1")
            } else {
                format!("{column} with more than 1 row")
            },
        )
    }

    /// `refund rate by country`: the share of the rows with the one value that the word is of.
    pub(super) fn rate(&self) -> Option<String> {
        let rates = ["rate", "ratio", "percentage"];
        let at = (1..self.tokens.len()).find(|&at| rates.contains(&self.word(at)))?;
        let noun = self.tokens.get(at - 1)?.stem.as_str();
        // a column of its own says it already
        if noun.chars().count() < 4 || self.named(Kind::is_numeric, &[noun]).is_some() {
            return None;
        }
        let values = self.table.columns.iter().flat_map(|c| c.values.iter().flatten());
        let mut fits = values.filter(|value| value.to_lowercase().starts_with(noun));
        let (Some(value), None) = (fits.next(), fits.next()) else { return None };
        self.put(at - 1, at + 1, &format!("share of {value}"))
    }
}
