//! Takes protected names and values out of texts that code has written.

use super::{Level, Policy};
use crate::error::{Code, Diagnostic, Text};
use crate::schema::{Column, TableSchema};
use std::collections::BTreeSet;
use std::sync::Arc;

/// What stands for a protected name or value.
pub(super) const MASKED: &str = "[hidden]";

/// A text column with at most this many distinct values may list them.
pub(super) const MOST_VALUES: usize = 20;

/// The values of a text column that may leave: those of an open column that has few of them, at
/// level `summary`.
pub(super) fn listed<'a>(policy: &Policy, table: &str, column: &'a Column) -> Option<&'a [String]> {
    let values = column.values.as_deref()?;
    let may = policy.level() >= Level::Summary && !policy.protects(table, &column.name);
    (may && values.len() <= MOST_VALUES).then_some(values)
}

/// Takes from a column its values, and the words for them, where they may not be listed.
pub(super) fn keep_listed(policy: &Policy, table: &str, column: &mut Column) {
    if listed(policy, table, column).is_none() {
        column.values = None;
        column.value_synonyms.clear();
    }
}

/// What may not be named under a policy.
pub(super) struct Mask {
    /// Hidden names, labels and synonyms as lower-case words.
    names: Vec<Vec<String>>,
    /// Hidden names that hold no word at all (`%`).
    marks: Vec<String>,
    /// Open names, lower case: a hidden name within one of them stays.
    open: BTreeSet<String>,
    /// Values that are known to the schema and may not be listed.
    values: BTreeSet<String>,
}

impl Mask {
    pub(super) fn new(policy: &Policy, tables: &[Arc<TableSchema>]) -> Self {
        let mut hidden: BTreeSet<String> = policy.hidden_names().map(str::to_owned).collect();
        let (mut aliases, mut open) = (BTreeSet::new(), BTreeSet::new());
        let (mut values, mut listed_values) = (BTreeSet::new(), BTreeSet::new());
        for table in tables {
            open.insert(table.name.to_lowercase());
            for column in &table.columns {
                if policy.hides(&table.name, &column.name) {
                    hidden.insert(column.name.clone());
                    aliases.extend(column.label.iter().chain(&column.synonyms).cloned());
                } else {
                    open.insert(column.name.to_lowercase());
                }
                if let Some(may) = listed(policy, &table.name, column) {
                    listed_values.extend(may.iter().cloned());
                } else {
                    values.extend(column.values.iter().flatten().cloned());
                    for (value, words) in &column.value_synonyms {
                        values.insert(value.clone());
                        values.extend(words.iter().cloned());
                    }
                }
            }
        }
        for name in &hidden {
            open.remove(&name.to_lowercase());
        }
        hidden.extend(aliases.into_iter().filter(|alias| !open.contains(&alias.to_lowercase())));
        let (marks, names): (Vec<String>, Vec<String>) =
            hidden.into_iter().filter(|n| !n.is_empty()).partition(|name| words(name).is_empty());
        Self {
            names: names.iter().map(|n| words(n).into_iter().map(|w| w.lower).collect()).collect(),
            marks,
            open,
            values: &values - &listed_values,
        }
    }

    /// True when `text` names something hidden.
    pub(super) fn names_hidden(&self, text: &str) -> bool {
        !self.places(text).is_empty() || self.marks.iter().any(|mark| text.contains(mark.as_str()))
    }

    /// True when `literal`, with or without quotes, is a value that may not be listed.
    pub(super) fn is_protected_value(&self, literal: &str) -> bool {
        self.values.contains(literal)
            || self.values.contains(literal.trim_matches(['"', '\'', '`']))
    }

    /// `text` without hidden names. Values stay: no text of the program's own quotes a cell, so what
    /// it quotes is what the model wrote, and a mask would tell it which of its guesses are cells.
    pub(super) fn text(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for (start, end) in self.places(text) {
            out.push_str(text.get(done..start).unwrap_or_default());
            out.push_str(MASKED);
            done = end;
        }
        out.push_str(text.get(done..).unwrap_or_default());
        for mark in &self.marks {
            out = out.replace(mark.as_str(), MASKED);
        }
        out
    }

    /// A diagnostic that a model may read. What says more of a hidden column than that it is not
    /// known (its kind, its fitness for a function) is replaced as a whole.
    pub(super) fn diagnostic(&self, diagnostic: &Diagnostic) -> Diagnostic {
        let message = &diagnostic.message;
        let named = self.names_hidden(&message.en) || self.names_hidden(&message.ru);
        if named && !lists_names(diagnostic.code) {
            return Diagnostic::new(
                Code::WithheldByPolicy,
                crate::text!(
                    "this part reads something that the policy withholds: leave it out",
                    "эта часть читает то, что политика не раскрывает: обойдитесь без неё"
                ),
            )
            .at(self.text(&diagnostic.pointer));
        }
        let may_be_values = may_list_values(diagnostic.code);
        let allowed = |text: &String| {
            !(self.names_hidden(text) || may_be_values && self.is_protected_value(text))
        };
        Diagnostic {
            code: diagnostic.code,
            message: Text { en: self.text(&message.en), ru: self.text(&message.ru) },
            pointer: self.text(&diagnostic.pointer),
            span: diagnostic.span,
            choices: diagnostic.choices.iter().filter(|c| allowed(c)).cloned().collect(),
            fix: diagnostic.fix.clone().filter(|fix| self.text(fix) == *fix),
        }
    }

    /// Where hidden names stand in `text`, in order, not overlapping.
    fn places(&self, text: &str) -> Vec<(usize, usize)> {
        if self.names.is_empty() {
            return Vec::new();
        }
        let words = words(text);
        let mut places = Vec::new();
        let mut at = 0;
        while let Some(rest) = words.get(at..).filter(|rest| !rest.is_empty()) {
            let longest = self
                .names
                .iter()
                .filter(|name| {
                    name.len() <= rest.len()
                        && name.iter().zip(rest).all(|(a, b)| *a == b.lower)
                        && !self.within_open(text, rest, name.len())
                })
                .map(Vec::len)
                .max();
            match (longest, rest.first()) {
                (Some(n), Some(first)) => {
                    let end = rest.get(n - 1).map_or(first.end, |last| last.end);
                    places.push((first.start, end));
                    at += n;
                }
                _ => at += 1,
            }
        }
        places
    }

    /// True when the `n` words stand inside an identifier that is itself an open name.
    fn within_open(&self, text: &str, words: &[Word], n: usize) -> bool {
        let (Some(first), Some(last)) = (words.first(), words.get(n - 1)) else { return false };
        let inside = |c: char| c.is_alphanumeric() || c == '_';
        let before = text.get(..first.start).unwrap_or_default();
        let after = text.get(last.end..).unwrap_or_default();
        let start = before.trim_end_matches(inside).len();
        let end = text.len() - after.trim_start_matches(inside).len();
        text.get(start..end).is_some_and(|whole| self.open.contains(&whole.to_lowercase()))
    }
}

/// Problems whose choices may be values of a column. Those of all others are words of the language,
/// and names, which the model may have made itself.
fn may_list_values(code: Code) -> bool {
    matches!(code, Code::TypeMismatch)
}

/// Problems whose message may list names; a hidden one among them is masked.
fn lists_names(code: Code) -> bool {
    matches!(
        code,
        Code::UnknownColumn
            | Code::UnknownTable
            | Code::UnknownField
            | Code::UnknownFunction
            | Code::NoTable
            | Code::AmbiguousTable
            | Code::UnknownTimeframe
            | Code::NotResamplable
    )
}

/// A run of letters and digits.
pub(super) struct Word {
    pub(super) lower: String,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The words of a text, in order.
pub(super) fn words(text: &str) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut open = false;
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        if !c.is_alphanumeric() {
            open = false;
            continue;
        }
        match words.last_mut().filter(|_| open) {
            Some(word) => {
                word.lower.extend(c.to_lowercase());
                word.end = end;
            }
            None => words.push(Word { lower: c.to_lowercase().collect(), start: at, end }),
        }
        open = true;
    }
    words
}
