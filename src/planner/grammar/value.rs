//! Productions for conditions on values: texts of columns, flags, parts of a text.

use super::super::lattice::{Lattice, Tag, is_id};
use super::super::sketch::Cond;
use super::super::stem::{alike, parts, stem};
use super::super::token::TokenKind;
use super::super::words::{Cmp, Concept};
use super::Way;
use crate::schema::Kind;

/// Words before what is named.
const BEFORE_NAMES: [&str; 15] = [
    "at", "on", "for", "from", "to", "with", "без", "without", "на", "в", "во", "у", "за", "с",
    "от",
];

impl Lattice<'_> {
    /// `shop Kuper`, `in Kuper or Lenta`, `category is not "food"`, a boolean column.
    pub(super) fn value_filters(&self, at: usize) -> Vec<Way<Cond>> {
        let mut ways = Vec::new();
        for (column, values, end, quality) in self.value_lists(at, None) {
            let negated = false;
            // of which of two columns with this value is a question for the person
            let shared = self
                .at(at)
                .iter()
                .any(|m| matches!(&m.tag, Tag::Value(c, v) if *c != column && values.contains(v)));
            let all = values.len() > 1 && self.unless_all(column, values.clone()).is_empty();
            let quality = if shared || all { quality * 0.75 } else { quality * 0.99 };
            ways.push((Cond::Values { column, values, negated }, end, quality));
        }
        // `by card`, `по марке Danone`
        if let Some(next) = self.take(at, Concept::By) {
            let negated = false;
            for (column, values, end, quality) in self.value_lists(self.glue(next), None) {
                ways.push((Cond::Values { column, values, negated }, end, quality * 0.95));
            }
            for (column, end, quality) in self.column_ways(next) {
                for (_, values, end, q) in self.value_lists(self.glue(end), Some(column)) {
                    ways.push((Cond::Values { column, values, negated }, end, quality * q * 0.97));
                }
            }
        }
        ways.extend(self.only_free_text(at));
        ways.extend(self.free_word(at));
        ways.extend(self.denied_flags(at));
        for (column, end, quality) in self.column_ways(at) {
            let kind = self.kind(column);
            let mut next = self.glue(end);
            let mut negated = false;
            // up to three of: `is`, `=`, `not`, `in`
            for _ in 0..3 {
                // a value that begins with such a word (`в работе`)
                if !self.value_lists(next, Some(column)).is_empty() {
                    break;
                }
                if let Some(end) = self.take(next, Concept::Not) {
                    (next, negated) = (self.glue(end), true);
                } else if let Some(end) = self.take(next, Concept::Cmp(Cmp::Ne)) {
                    (next, negated) = (self.glue(end), true);
                } else if let Some(end) = self
                    .take(next, Concept::Cmp(Cmp::Eq))
                    .or_else(|| self.take(next, Concept::Stop))
                    .or_else(|| self.take(next, Concept::By))
                {
                    next = self.glue(end);
                }
            }
            if kind == Some(Kind::Text) {
                for (_, values, end, q) in self.value_lists(next, Some(column)) {
                    ways.push((Cond::Values { column, values, negated }, end, quality * q));
                }
                ways.extend(self.contained(column, end, quality));
                if let Some((value, end, q)) = self.unlisted_value(column, next) {
                    let values = vec![value];
                    ways.push((Cond::Values { column, values, negated }, end, quality * q));
                }
            }
            if kind == Some(Kind::Bool) {
                // `helmet: yes`, `шлем нет`
                let word = self.tokens.get(next).map(|t| t.folded.as_str()).unwrap_or_default();
                let said = match word {
                    "true" | "yes" | "да" | "истина" => Some(true),
                    "false" | "no" | "нет" | "ложь" => Some(false),
                    _ => None,
                };
                if let Some(yes) = said {
                    let wanted = yes != negated;
                    ways.push((Cond::Flag { column, wanted }, next + 1, quality));
                }
                // `how long does it take to close` is not about what is closed
                let purpose = at > 0 && self.word(at - 1) == "to";
                let fit = if purpose { 0.6 } else { 0.96 };
                ways.push((Cond::Flag { column, wanted: true }, end, quality * fit));
            }
        }
        // `Kuper shop`, `магазин` after the value
        let after: Vec<Way<Cond>> = ways
            .iter()
            .filter_map(|(cond, end, quality)| {
                let Cond::Values { column, .. } = cond else { return None };
                let (_, end, q) = self.column_ways(*end).find(|&(c, ..)| c == *column)?;
                Some((cond.clone(), end, quality * q))
            })
            .collect();
        ways.extend(after);
        ways
    }

    /// `uninsured`, `неоплаченные`: a column of yes and no, denied in one word.
    pub(super) fn denied_flags(&self, at: usize) -> Vec<Way<Cond>> {
        let Some(token) = self.tokens.get(at) else { return Vec::new() };
        let Some(rest) = ["un", "non", "не"].iter().find_map(|p| token.folded.strip_prefix(p))
        else {
            return Vec::new();
        };
        if rest.chars().count() < 4 {
            return Vec::new();
        }
        let said = stem(rest);
        self.schema
            .columns
            .iter()
            .enumerate()
            .filter(|(_, c)| c.kind == Kind::Bool)
            .filter(|(_, c)| {
                std::iter::once(&c.name).chain(c.label.as_ref()).chain(&c.synonyms).any(|name| {
                    let list = parts(name);
                    list.len() == 1
                        && list.iter().any(|part| stem(part) == said || alike(part, rest))
                })
            })
            .map(|(column, _)| (Cond::Flag { column, wanted: false }, at + 1, 0.97))
            .collect()
    }

    /// `product contains milk`, `email не содержит "gmail"`.
    fn contained(&self, column: usize, at: usize, quality: f64) -> Vec<Way<Cond>> {
        let mut next = self.glue(at);
        for _ in 0..2 {
            if self.take(next, Concept::Contains).is_none() {
                next = self.take(next, Concept::Stop).unwrap_or(next);
            }
        }
        let (next, negated) = match self.take(next, Concept::Not) {
            Some(end) => (self.glue(end), true),
            None => (next, false),
        };
        let mut ways = Vec::new();
        for ((), end) in self.find(next, |c| (c == Concept::Contains).then_some(())) {
            let end = self.glue(end);
            let Some(token) = self.tokens.get(end) else { continue };
            if matches!(token.kind, TokenKind::Quoted | TokenKind::Word) {
                let text = token.raw.to_lowercase();
                ways.push((Cond::Contains { column, text, negated }, end + 1, quality));
            }
        }
        ways
    }

    /// `with the word night in the title`, `со словом ночь в названии`
    pub(super) fn worded(&self, at: usize) -> Vec<Way<Cond>> {
        let text = |column: usize| self.kind(column) == Some(Kind::Text);
        let mut ways = Vec::new();
        for (concept, end) in self.concepts(at) {
            if concept != Concept::Contains {
                continue;
            }
            let Some(token) = self.tokens.get(end) else { continue };
            if !matches!(token.kind, TokenKind::Quoted | TokenKind::Word)
                || !["in", "within", "в", "во"].contains(&self.word(end + 1))
            {
                continue;
            }
            let next = self.glue(end + 2);
            for (column, end_column, quality) in self.column_ways(next).filter(|&(c, ..)| text(c)) {
                let text = token.raw.to_lowercase();
                ways.push((Cond::Contains { column, text, negated: false }, end_column, quality));
            }
        }
        ways
    }

    /// A quoted text that no column lists: a value of the one whose values are not known.
    fn only_free_text(&self, at: usize) -> Vec<Way<Cond>> {
        let Some(token) = self.tokens.get(at) else { return Vec::new() };
        if token.kind != TokenKind::Quoted || !self.at(at).is_empty() {
            return Vec::new();
        }
        let free: Vec<usize> = (0..self.schema.columns.len())
            .filter(|&i| {
                let column = self.schema.columns.get(i);
                column.is_some_and(|c| c.kind == Kind::Text && c.values.is_none())
            })
            .collect();
        let quality = if free.len() == 1 { 0.88 } else { 0.6 };
        free.into_iter()
            .map(|column| {
                let values = vec![token.raw.clone()];
                (Cond::Values { column, values, negated: false }, at + 1, quality)
            })
            .collect()
    }

    /// `at REWE`: a word that nothing else reads, behind a preposition, where one column of texts
    /// has too many values to list them. Whether it has this one is not known: offered only.
    fn free_word(&self, at: usize) -> Option<Way<Cond>> {
        let token = self.tokens.get(at).filter(|t| t.kind == TokenKind::Word)?;
        let before = self.word(at.checked_sub(1)?);
        if !BEFORE_NAMES.contains(&before)
            || !self.at(at).is_empty()
            || token.folded.chars().count() < 3
        {
            return None;
        }
        let texts = self.schema.columns.iter().enumerate();
        let mut free =
            texts.filter(|(_, c)| c.kind == Kind::Text && c.values.is_none() && is_told(&c.name));
        let (column, _) = free.next()?;
        let text = token.raw.to_lowercase();
        let cond = Cond::Contains { column, text, negated: false };
        free.next().is_none().then_some((cond, at + 1, 0.7))
    }

    /// Values of one column, joined by `and`, `or`, commas.
    pub(super) fn value_lists(
        &self,
        at: usize,
        only: Option<usize>,
    ) -> Vec<(usize, Vec<String>, usize, f64)> {
        let mut lists = Vec::new();
        for m in self.at(at) {
            let (column, mut values) = match &m.tag {
                Tag::Value(column, value) => (column, vec![value.clone()]),
                Tag::Held(column, values) => (column, values.clone()),
                _ => continue,
            };
            if only.is_some_and(|c| c != *column) {
                continue;
            }
            let (mut end, mut quality) = (m.end, m.quality);
            lists.push((*column, values.clone(), end, quality));
            while let Some(next) =
                self.take(end, Concept::Or).or_else(|| self.take(end, Concept::And))
            {
                let mut next = self.glue(next);
                while let Some(end) = self.take(next, Concept::And) {
                    next = end;
                }
                let next = self.take(next, Concept::Stop).unwrap_or(next);
                let more = self.at(next).iter().find_map(|m| match &m.tag {
                    Tag::Value(c, value) if c == column => {
                        Some((std::slice::from_ref(value), m.end, m.quality))
                    }
                    Tag::Held(c, values) if c == column => {
                        Some((values.as_slice(), m.end, m.quality))
                    }
                    _ => None,
                });
                let Some((more, next, q)) = more else { break };
                for value in more {
                    if !values.contains(value) {
                        values.push(value.clone());
                    }
                }
                (end, quality) = (next, quality * q);
                lists.push((*column, values.clone(), end, quality));
            }
        }
        lists
    }

    /// A quoted text, or a capitalised word after a column whose values are not known one by one.
    fn unlisted_value(&self, column: usize, at: usize) -> Option<(String, usize, f64)> {
        let token = self.tokens.get(at)?;
        let listed = self.schema.columns.get(column)?.values.is_some();
        match token.kind {
            TokenKind::Quoted => Some((token.raw.clone(), at + 1, 0.9)),
            TokenKind::Word
                if !listed
                    && token.raw.chars().next().is_some_and(char::is_uppercase)
                    && self.at(at).is_empty() =>
            {
                Some((token.raw.clone(), at + 1, 0.85))
            }
            _ => None,
        }
    }
}

/// Texts that people speak of: no ids, addresses or numbers of somebody.
fn is_told(name: &str) -> bool {
    const OF_SOMEBODY: [&str; 14] = [
        "email",
        "mail",
        "phone",
        "tel",
        "url",
        "link",
        "uuid",
        "hash",
        "token",
        "iban",
        "почта",
        "телефон",
        "адрес",
        "ссылка",
    ];
    !is_id(name) && !parts(name).iter().any(|part| OF_SOMEBODY.contains(&part.as_str()))
}
