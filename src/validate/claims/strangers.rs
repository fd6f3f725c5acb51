//! Names that neither the results nor their queries know. What a clause with one says is no
//! statement about everything, though it names no group of the evidence.

use super::lex::{Stems, Token};
use super::names::{month, weekday};
use super::read::Reading;
use super::words;
use super::world::{World, name_words};
use crate::schema::Kind;
use std::collections::HashSet;

/// After these a noun is a place, a person or a thing that the number is of.
const OF_WHOM: &[&str] = &["in", "at", "for", "у", "в", "во"];

/// Words after a preposition that name nothing.
const COMMON: &[&str] = &[
    "addition",
    "advance",
    "all",
    "any",
    "average",
    "both",
    "brief",
    "case",
    "cash",
    "comparison",
    "conclusion",
    "context",
    "contrast",
    "count",
    "course",
    "data",
    "dataset",
    "day",
    "each",
    "effect",
    "end",
    "every",
    "example",
    "fact",
    "file",
    "first",
    "full",
    "general",
    "good",
    "instance",
    "it",
    "last",
    "least",
    "list",
    "long",
    "me",
    "month",
    "most",
    "my",
    "once",
    "one",
    "order",
    "other",
    "our",
    "particular",
    "percent",
    "percentage",
    "period",
    "practice",
    "quarter",
    "range",
    "rank",
    "real",
    "reality",
    "record",
    "reference",
    "result",
    "results",
    "return",
    "row",
    "rows",
    "sample",
    "second",
    "set",
    "short",
    "size",
    "some",
    "sum",
    "summary",
    "table",
    "terms",
    "that",
    "them",
    "these",
    "third",
    "this",
    "those",
    "time",
    "total",
    "turn",
    "us",
    "value",
    "view",
    "volume",
    "week",
    "what",
    "which",
    "whole",
    "year",
    "you",
    "your",
    "вас",
    "ваш",
    "вашей",
    "ваших",
    "виде",
    "все",
    "всего",
    "всей",
    "всем",
    "всех",
    "выборке",
    "год",
    "году",
    "данных",
    "действительности",
    "день",
    "дне",
    "других",
    "другой",
    "зависимости",
    "итоге",
    "каждой",
    "каждом",
    "каждый",
    "квартал",
    "квартале",
    "конце",
    "которой",
    "которых",
    "любом",
    "меня",
    "месяц",
    "месяце",
    "моей",
    "моих",
    "наборе",
    "нас",
    "нашей",
    "наших",
    "него",
    "неделе",
    "неделю",
    "нее",
    "нем",
    "них",
    "обоих",
    "общей",
    "одной",
    "одном",
    "основном",
    "отличие",
    "первой",
    "первом",
    "период",
    "полугодии",
    "порядке",
    "последней",
    "последнем",
    "процентах",
    "расчете",
    "результате",
    "самом",
    "своей",
    "своих",
    "связи",
    "себя",
    "сезоне",
    "списке",
    "сравнении",
    "среднем",
    "сумме",
    "сутках",
    "сутки",
    "таблице",
    "тебя",
    "течение",
    "то",
    "том",
    "тот",
    "целом",
    "час",
    "частности",
    "числе",
    "этих",
    "этой",
    "этом",
    "этот",
    "эту",
];

/// Capitalised words that are no names.
const NO_NAMES: &[&str] = &["i", "am", "pm", "ok", "utc", "gmt", "usd", "eur", "rub", "note"];

/// The clauses that hold a name nobody knows. `known` are the tokens that the results explain,
/// `asked` the words of the question.
pub(super) fn strangers(
    text: &str,
    world: &World,
    reading: &Reading,
    stems: &Stems,
    known: &[bool],
    asked: &HashSet<&str>,
) -> HashSet<usize> {
    let tokens = &reading.tokens;
    let mut queried: HashSet<String> = HashSet::new();
    for view in &world.views {
        let query = view.outcome.query.as_ref();
        let mut add = |text: &str| {
            for word in name_words(text) {
                queried.insert(stems.stem(&word));
                queried.insert(word);
            }
        };
        add(&query.canonical().to_string());
        query.schema().synonyms.iter().for_each(|words| add(words));
        query.schema().columns.iter().for_each(|column| add(&column.name));
    }
    // What the question names may be a value of a column of text that no filter asks for.
    let named = world
        .views
        .iter()
        .any(|v| v.outcome.query.schema().columns.iter().any(|c| c.kind == Kind::Text));
    let unknown = |i: usize| {
        let t = &tokens[i];
        t.is_word()
            && t.lower.chars().count() > 1
            && !known[i]
            && !t.counts
            && (named || !asked.contains(t.stem.as_str()))
            && !queried.contains(&t.lower)
            && !queried.contains(&t.stem)
            && weekday(&t.lower).is_none()
            && month(&t.lower).is_none()
            && !NO_NAMES.contains(&t.lower.as_str())
    };
    (0..tokens.len())
        .filter(|&i| unknown(i) && (is_name(text, tokens, i) || is_of(tokens, i, asked)))
        .map(|i| tokens[i].clause)
        .collect()
}

/// It is written as a name: in quotes, or with a capital that the start of the sentence does not
/// explain.
fn is_name(text: &str, tokens: &[Token], at: usize) -> bool {
    let t = &tokens[at];
    let quoted = at.checked_sub(1).is_some_and(|i| {
        t.glued && ['"', '«', '“', '„', '‘'].iter().any(|quote| tokens[i].is(*quote))
    });
    if quoted || !t.capital {
        return quoted;
    }
    // Capitals go on from the first word: `Grand Total`.
    let first = (0..at)
        .rev()
        .take_while(|&i| tokens[i].sentence == t.sentence)
        .all(|i| !tokens[i].is_word() || tokens[i].capital);
    let raw = text.get(t.span.start..t.span.end).unwrap_or_default();
    let owns = raw.ends_with("'s") || raw.ends_with("’s");
    !first || owns
}

/// It stands after a preposition that says whose the number is.
fn is_of(tokens: &[Token], at: usize, asked: &HashSet<&str>) -> bool {
    let t = &tokens[at];
    let mut before = at.checked_sub(1);
    if before.is_some_and(|i| ["the", "a", "an"].contains(&tokens[i].lower.as_str())) {
        before = before.and_then(|i| i.checked_sub(1));
    }
    before.is_some_and(|i| {
        tokens[i].clause == t.clause && OF_WHOM.contains(&tokens[i].lower.as_str())
    }) && !COMMON.contains(&t.lower.as_str())
        && !asked.contains(t.stem.as_str())
        && words::find(words::COPULAS, tokens, at).is_none()
}
