//! `Which month had the lowest?`, `а где больше всего?` after groups: one of those that were told, whatever
//! noun is left out.

use super::super::dictionary::same_noun;
use super::super::grammar::of_part;
use super::super::sketch::Dim;
use super::super::stem::{parts, stem};
use super::super::token::{Token, TokenKind, tokenise};
use super::Change;
use crate::query::{Query, Selected};
use crate::schema::TableSchema;
use std::sync::Arc;

const ASK: &str = "which what one in on at в во на у какой какая какое каком каких какого какие где когда and а и but";
const TIES: &str = "is was are were has have had did does do got saw it the with by by-far from of that then самый самая самое самые \
                    самым самой он она оно это был была было они были";
const HIGH: &str = "highest largest biggest greatest most maximum max максимум большой большая большое \
                    высокий высокая высокое наибольший наибольшая наибольшее большим высоким наибольшим \
                    большими высокими высокой большой наибольшей";
const LOW: &str = "lowest smallest least fewest minimum min минимум маленький маленькая маленькое низкий \
                   низкая низкое наименьший наименьшая наименьшее маленьким низким наименьшим маленькой низкой";
/// Two words that are one of these.
const OF_ALL: [(&str, &str, bool); 8] = [
    ("больше", "всего", true),
    ("больше", "всех", true),
    ("выше", "всего", true),
    ("выше", "всех", true),
    ("меньше", "всего", false),
    ("меньше", "всех", false),
    ("ниже", "всего", false),
    ("ниже", "всех", false),
];

/// Adjectives with the end that they say, where they say one by themselves, and beginnings of the words of
/// what they are of.
const GRADES: [(&str, Option<bool>, &[&str]); 15] = [
    ("busiest", Some(true), &BUSY),
    ("quietest calmest", Some(false), &BUSY),
    ("expensive", None, &PRICE),
    ("dearest priciest costliest дороже дорогой дорогая дорогое", Some(true), &PRICE),
    ("cheapest дешевле дешевый дешевая дешевое", Some(false), &PRICE),
    ("longest длиннее длинный длинная длинное", Some(true), &LENGTH),
    ("shortest короче короткий короткая короткое", Some(false), &LENGTH),
    ("heaviest тяжелее тяжелый тяжелая тяжелое", Some(true), &MASS),
    ("lightest легче легкий легкая легкое", Some(false), &MASS),
    ("tallest", Some(true), &["height", "tall"]),
    ("oldest старше старый старая", Some(true), &["age", "возраст"]),
    ("youngest моложе молодой молодая", Some(false), &["age", "возраст"]),
    ("fastest быстрее быстрый быстрая", Some(true), &["speed", "скорост"]),
    ("slowest медленнее медленный медленная", Some(false), &["speed", "скорост"]),
    ("paid", None, &["salar", "pay", "wage", "зарплат"]),
];
const PRICE: [&str; 10] =
    ["price", "cost", "fare", "amount", "total", "fee", "цен", "стоим", "сумм", "чек"];
const LENGTH: [&str; 8] =
    ["length", "distance", "duration", "minute", "длин", "расст", "длител", "минут"];
/// What is many where it is busy: rows, or what was traded.
const BUSY: [&str; 3] = ["count", "volum", "объ"];
const MASS: [&str; 4] = ["mass", "weight", "масс", "вес"];

/// The words of a part of time, by how they begin.
fn of_time(made: &str) -> &'static [&'static str] {
    const PARTS: [(&str, &[&str]); 7] = [
        ("month", &["month", "месяц"]),
        ("dayname", &["weekday", "day", "week", "день", "дня", "дню", "недел"]),
        ("year", &["year", "год"]),
        ("quarter", &["quarter", "квартал"]),
        ("week", &["week", "недел"]),
        ("hour", &["hour", "час"]),
        ("date", &["day", "date", "день", "дня", "дат"]),
    ];
    PARTS.iter().find(|(begin, _)| made.starts_with(begin)).map_or(&[], |(_, words)| words)
}

/// An aggregate is of a column that is called by one of these words.
fn is_of(aggregate: &str, words: &[&str]) -> bool {
    let column = match aggregate.split_once('(') {
        Some(("count", _)) | None => aggregate,
        Some((_, column)) => column,
    };
    let named = column.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    named.flat_map(|name| parts(&name)).any(|part| words.iter().any(|w| part.starts_with(w)))
}

/// The question as one for an end of the groups of the query before; nothing where it names anything else.
pub(in super::super) fn end_of_groups<'a, T: Iterator<Item = &'a Arc<TableSchema>>>(
    question: &str,
    previous: Option<&Query>,
    tables: impl FnOnce() -> T,
) -> Option<&'static str> {
    let previous = previous?;
    let name = previous.table.as_ref();
    let schema = tables().find(|t| name.is_none_or(|name| *name == t.name))?;
    let tokens = &tokenise(question)[..];
    let ([key], [told]) = (&previous.group_by[..], &previous.select[..]) else { return None };
    if !previous.steps.is_empty() {
        return None;
    }
    let made = previous.map.iter().find(|(name, _)| name == key).map(|(_, made)| made.as_str());
    let column = schema.column(key);
    let own: Vec<String> = std::iter::once(key)
        .chain(column.iter().flat_map(|c| c.label.iter().chain(&c.synonyms)))
        .flat_map(|name| parts(name))
        .map(|part| stem(&part))
        .collect();
    let names = |t: &Token| {
        own.iter().any(|part| *part == t.stem || same_noun(part, &t.stem))
            || made.is_some_and(|made| of_time(made).iter().any(|w| t.folded.starts_with(w)))
    };
    let among = |word: &str, list: &str| list.split_whitespace().any(|known| known == word);
    let words: Vec<&Token> = tokens.iter().filter(|t| t.kind != TokenKind::Symbol).collect();
    // `and the highest?` of the lowest values by group: the highest values
    let extreme = told.text.starts_with("max(") || told.text.starts_with("min(");
    if extreme && !words.iter().any(|t| names(t)) {
        return None;
    }
    // `кто самый тяжёлый` is one of the rows, but for `кто из них`
    let of_them = words.windows(2).any(|pair| {
        matches!((pair[0].folded.as_str(), pair[1].folded.as_str()), ("из", "них") | ("of", "them"))
    });
    let known = |word: &str| {
        among(word, ASK) || among(word, TIES) || of_them && among(word, "кто who из них them")
    };
    let mut end = None;
    let mut at = 0;
    while let Some(token) = words.get(at) {
        let next = words.get(at + 1).map_or("", |t| t.folded.as_str());
        let both = OF_ALL.iter().find(|(a, b, _)| *a == token.folded && *b == next);
        let grade = GRADES.iter().find(|(list, ..)| among(&token.folded, list));
        if grade.is_some_and(|(.., of)| !is_of(&told.text, of)) {
            return None;
        }
        let one = match token.folded.as_str() {
            word if among(word, HIGH) => Some(true),
            word if among(word, LOW) => Some(false),
            _ => grade.and_then(|(_, high, _)| *high),
        };
        if let Some(high) = both.map(|(.., high)| *high).or(one) {
            if end.replace(high).is_some() {
                return None;
            }
            // `дороже всего`
            let all = grade.is_some() && ["всего", "всех"].contains(&next);
            at += usize::from(both.is_some() || all);
        } else if grade.is_some() {
            // `the most expensive`: the end is said
        } else if token.kind != TokenKind::Word || !(names(token) || known(&token.folded)) {
            return None;
        }
        at += 1;
    }
    let russian = tokens.iter().any(|t| t.folded.chars().any(|c| ('а'..='я').contains(&c)));
    Some(match (russian, end?) {
        (false, true) => "which of them is the highest",
        (false, false) => "which of them is the lowest",
        (true, true) => "какая из них самая большая",
        (true, false) => "какая из них самая маленькая",
    })
}

impl Change<'_> {
    /// `and by month?` of yearly bars by year: of monthly ones.
    pub(super) fn of_bars_by(&mut self, dims: &[Dim]) {
        let [Dim::Part(part)] = dims else { return };
        let from = self.query().from.clone();
        let long = ["yearly", "quarterly", "monthly", "weekly"];
        if let Some(frame) = of_part(*part)
            && from.is_some_and(|from| long.contains(&from.as_str()))
        {
            self.query().from = Some(frame.name().to_owned());
        }
    }
}

impl Change<'_> {
    /// Groups of which one thing is told.
    pub(super) fn is_of_one(&self) -> bool {
        let query = &self.builder.query;
        !query.group_by.is_empty() && query.select.len() == 1 && query.steps.is_empty()
    }

    /// The first in one order.
    pub(super) fn is_cut(&self) -> bool {
        let query = &self.builder.query;
        query.limit.is_some() && query.sort.len() == 1 && query.steps.is_empty()
    }

    /// Groups in an order, the first of them.
    pub(super) fn is_ranked(&self) -> bool {
        let query = &self.builder.query;
        let extreme = |s: &Selected| s.text.starts_with("max(") || s.text.starts_with("min(");
        self.is_cut() && !query.group_by.is_empty() && !query.select.iter().any(extreme)
    }

    /// The first in the order of a change, whose best is the largest.
    pub(super) fn is_by_change(&self) -> bool {
        self.is_cut() && self.builder.query.sort.iter().all(|key| key.starts_with("change"))
    }

    /// The only order, largest first or not.
    pub(super) fn order(&mut self, descending: bool) -> Option<()> {
        let query = self.query();
        let [key] = &mut query.sort[..] else { return None };
        if !query.steps.is_empty() {
            return None;
        }
        let plain = key.strip_suffix(" desc").or_else(|| key.strip_suffix(" asc"));
        let plain = plain.unwrap_or(key);
        *key = if descending { format!("{plain} desc") } else { format!("{plain} asc") };
        Some(())
    }
}
