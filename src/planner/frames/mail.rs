//! `trips of someone@example.com`: an address is a value of the column that has addresses, whether or
//! not its values are known.

use super::{Asked, Made, one_of};
use crate::planner::follow::put_back;
use crate::planner::stem::{parts, stem};
use crate::query::format;
use crate::schema::{Column, Kind};

/// Words before an address that go with it.
const BEFORE: &str = "by of for from to with did does user rider customer client email e-mail у от для по \
                      пользователя пользователь клиента клиент почта почтой";
/// Words behind it.
const BEHIND: &str = "make made take took have do did сделал сделала совершил совершила";

/// A word of the question that is an address, from its first byte to the one behind its last.
fn address(question: &str) -> Option<(usize, usize)> {
    let mut from = 0;
    let mut found = None;
    for word in question.split(' ') {
        let kept = word
            .trim_end_matches(['?', '!', '.', ',', ';', ':', '"', '\'', '»'])
            .trim_start_matches(['"', '\'', '«']);
        let start = from + word.find(kept)?;
        let whole = kept.split_once('@').is_some_and(|(name, host)| {
            let plain = |c: char| c.is_alphanumeric() || "._%+-".contains(c);
            !name.is_empty()
                && name.chars().all(plain)
                && host.contains('.')
                && host.chars().all(plain)
        });
        if whole {
            if found.is_some() {
                return None;
            }
            found = Some((start, start + kept.len()));
        }
        from += word.len() + 1;
    }
    found
}

impl Asked<'_> {
    pub(super) fn by_address(&self, question: &str) -> Option<Made> {
        let (from, to) = address(question)?;
        let value = question.get(from..to)?;
        let named = |c: &&Column| {
            c.kind == Kind::Text
                && parts(&c.name).iter().any(|part| one_of("email mail почта", part))
        };
        let holds =
            |c: &&Column| c.values.iter().flatten().take(20).any(|value| address(value).is_some());
        let mut fitting = self.table.columns.iter().filter(|c| named(c) || holds(c));
        let (Some(column), None) = (fitting.next(), fitting.next()) else { return None };
        let mut before: Vec<&str> = question.get(..from)?.split_whitespace().collect();
        let mut behind: Vec<&str> = question
            .get(to..)?
            .trim_start_matches(['?', '!', '.', ',', '"', '\'', '»'])
            .split_whitespace()
            .collect();
        while before.last().is_some_and(|w| one_of(BEFORE, &w.to_lowercase())) {
            before.pop();
        }
        if behind.first().is_some_and(|w| {
            one_of(BEHIND, w.trim_end_matches(['?', '.', '!']).to_lowercase().as_str())
        }) {
            behind.remove(0);
        }
        let rest = [before.join(" "), behind.join(" ")].join(" ").trim().to_owned();
        let all = if self.is_russian() { "все строки" } else { "all rows" };
        let plain = |rest: &str| {
            super::read(rest, self.tables, &super::Context { previous: None, ..*self.context })
                .filter(|plan| plan.status == super::Status::Ready)
                .and_then(|plan| plan.query)
                .or_else(|| self.ready(rest))
        };
        let rest = if rest.is_empty() || self.names_rows(&rest) { all } else { rest.as_str() };
        let mut query = plain(rest)?;
        let is = format!("{} == {}", format::name(&column.name), format::string(value));
        query.filter = Some(put_back(query.filter.as_deref(), &is)?);
        let said = self.told(&query)?;
        Some(Made::Query(query, said))
    }

    /// It is a word for the rows and nothing else.
    fn names_rows(&self, rest: &str) -> bool {
        let words: Vec<String> = rest.split_whitespace().map(str::to_lowercase).collect();
        words.iter().all(|w| {
            self.is_of_rows(&stem(w)) || one_of("show me all the rows покажи все строки", w)
        })
    }
}
