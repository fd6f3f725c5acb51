//! Which questions stand by themselves where there was one before, and which go on from it.

use super::super::grammar::Parse;
use super::super::sketch::{Cond, Entity, Item, Measure, Target};
use super::super::stem::{parts, stem};
use super::super::token::{Token, TokenKind, tokenise};
use crate::schema::TableSchema;

/// Words that a follow-up begins with.
const OPENERS: [&str; 25] = [
    "not",
    "не",
    "and",
    "only",
    "just",
    "same",
    "now",
    "but",
    "then",
    "also",
    "а",
    "и",
    "только",
    "лишь",
    "теперь",
    "тоже",
    "но",
    "without",
    "except",
    "excluding",
    "исключая",
    "кроме",
    "без",
    "instead",
    "то",
];

/// The question begins as one that goes on from another.
pub(in super::super) fn goes_on(tokens: &[Token]) -> bool {
    let word = |i: usize| tokens.get(i).map(|t| t.folded.as_str()).unwrap_or_default();
    let pair = [("the", "same"), ("what", "about"), ("how", "about"), ("все", "то")];
    // `the sum instead of the count`
    let instead = tokens.iter().any(|t| ["instead", "вместо"].contains(&t.folded.as_str()));
    instead || OPENERS.contains(&word(0)) || pair.contains(&(word(0), word(1)))
}

/// `а на кафе?`, `and on food?`: another thing that money goes on.
pub(in super::super) fn on_another(tokens: &[Token]) -> bool {
    let word = |i: usize| tokens.get(i).map(|t| t.folded.as_str()).unwrap_or_default();
    matches!((word(0), word(1)), ("а" | "и", "на") | ("and", "on"))
}

/// `is volume higher on Mondays than on Fridays`: all of it is said, and nothing goes on.
pub(in super::super) fn compares_two(question: &str) -> bool {
    const BEFORE: [&str; 9] =
        ["it", "that", "those", "these", "this", "they", "them", "there", "он"];
    let tokens = tokenise(question);
    let has = |list: &[&str]| tokens.iter().any(|t| list.contains(&t.folded.as_str()));
    let first = tokens.first().map_or("", |t| t.folded.as_str());
    // `compare Adelie and Chinstrap by mass`
    let compare = ["compare", "сравни", "сравните", "сравнить"].contains(&first)
        && has(&["and", "и", "vs"])
        && has(&["by", "in", "по"])
        && !has(&["with", "to", "с", "со", "ним", "ними"]);
    if compare && !has(&BEFORE) {
        return true;
    }
    ["is", "are", "was", "were"].contains(&first)
        && has(&["than"])
        && !has(&BEFORE)
        && tokens.len() > 5
}

/// The question begins with a word that asks.
pub(in super::super) fn is_asked(tokens: &[Token]) -> bool {
    const ASKS: [&str; 15] = [
        "how",
        "what",
        "which",
        "who",
        "where",
        "when",
        "сколько",
        "какой",
        "какая",
        "какое",
        "какие",
        "кто",
        "где",
        "когда",
        "что",
    ];
    tokens.first().is_some_and(|t| ASKS.contains(&t.folded.as_str()))
}

/// `by how much did it grow`, `на сколько процентов выросла цена`: a question of its own.
pub(in super::super) fn by_how_much(tokens: &[Token]) -> bool {
    let word = |at: usize| tokens.get(at).map_or("", |t| t.folded.as_str());
    matches!(
        (word(0), word(1), word(2)),
        ("by", "how", "much" | "many")
            | ("by", "what", _)
            | ("насколько", ..)
            | ("на", "сколько", _)
    )
}

/// Words behind `how many` that name nothing yet.
const UNNAMED: [&str; 44] = [
    "of",
    "in",
    "on",
    "at",
    "for",
    "from",
    "by",
    "with",
    "without",
    "per",
    "a",
    "each",
    "every",
    "are",
    "were",
    "was",
    "is",
    "there",
    "had",
    "have",
    "has",
    "did",
    "do",
    "above",
    "below",
    "over",
    "under",
    "не",
    "в",
    "во",
    "на",
    "по",
    "за",
    "из",
    "с",
    "со",
    "у",
    "для",
    "без",
    "от",
    "до",
    "было",
    "были",
    "всего",
];

/// Phrases for all of the time that there is.
const ALL_TIME: [&[&str]; 19] = [
    &["all", "time"],
    &["ever"],
    &["alltime"],
    &["entire", "history"],
    &["whole", "history"],
    &["entire", "period"],
    &["whole", "period"],
    &["за", "все", "время"],
    &["всех", "времен"],
    &["за", "всю", "историю"],
    &["за", "весь", "период"],
    &["за", "все", "годы"],
    &["за", "все", "года"],
    &["за", "все", "дни"],
    &["за", "все", "месяцы"],
    &["исторический", "максимум"],
    &["исторический", "минимум"],
    &["historical", "high"],
    &["historical", "low"],
];

/// The question is about all of the time that the data has, not about that of the one before.
pub(in super::super) fn of_all_time(tokens: &[Token]) -> bool {
    let words: Vec<&str> =
        tokens.iter().map(|t| t.folded.as_str()).filter(|word| *word != "-").collect();
    let says = |phrase: &&[&str]| words.windows(phrase.len()).any(|run| run == *phrase);
    // `only those ever cancelled` is of those, not of all the time
    let last = tokens.iter().rev().find(|t| t.kind == TokenKind::Word);
    ALL_TIME.iter().any(|phrase| match phrase {
        ["ever"] => last.is_some_and(|t| t.folded == "ever"),
        _ => says(phrase),
    })
}

/// `which of them is the lowest`, `какая из них самая большая`: one of what was told.
pub(in super::super) fn of_them(tokens: &[Token]) -> bool {
    const ASKING: [&str; 8] =
        ["which", "who", "какой", "какая", "какое", "кто", "какие", "которая"];
    let word = |at: usize| tokens.get(at).map_or("", |t| t.folded.as_str());
    let said = ["one", "of", "is", "was", "has", "had", "из", "в"].contains(&word(1));
    ASKING.contains(&word(0)) && (said || word(1).starts_with("сам"))
}

/// The whole is asked for: `and in total?`.
pub(in super::super) fn in_total(tokens: &[Token]) -> bool {
    const TOTAL: [&str; 8] =
        ["total", "totals", "overall", "altogether", "всего", "итого", "итог", "общем"];
    tokens.iter().any(|t| TOTAL.contains(&t.folded.as_str()))
}

/// The question names nothing that it could be about: `how many per month`, `сколько раз`.
pub(in super::super) fn is_elliptic(parsed: &Parse, tokens: &[Token]) -> bool {
    let counts =
        |i: &Item| matches!(i, Item::Count(Target::Unsaid | Target::Entity(Entity::Times)));
    let part = |i: &Item| {
        matches!(i, Item::Group(_) | Item::Each(_) | Item::Every(_) | Item::Filter(_) | Item::Noise)
    };
    parsed.items.iter().any(counts)
        && parsed.items.iter().all(|i| counts(i) || part(i))
        && !names_what(parsed, tokens)
}

/// `how many inside days`, `сколько самок`: what is counted is told by a condition.
fn names_what(parsed: &Parse, tokens: &[Token]) -> bool {
    let told =
        |i: &Item| matches!(i, Item::Filter(cond) if !cond.is_moment() && !cond.is_implied());
    if !parsed.items.contains(&Item::Count(Target::Unsaid)) || !parsed.items.iter().any(told) {
        return false;
    }
    let word = |at: usize| tokens.get(at).map(|t| t.folded.as_str()).unwrap_or_default();
    (0..tokens.len()).any(|at| {
        let end = match (word(at), word(at + 1)) {
            ("how", "many") | ("number" | "count", "of") => at + 2,
            ("сколько" | "число" | "количество", _) => at + 1,
            _ => return false,
        };
        // `сколько всего самок`, `внутренних дней в 2022 сколько`
        let end = if word(end) == "всего" { end + 1 } else { end };
        if word(end).is_empty() { at > 0 } else { !UNNAMED.contains(&word(end)) }
    })
}

const SHOWS: [&str; 12] = [
    "show",
    "list",
    "display",
    "give",
    "find",
    "print",
    "покажи",
    "покажите",
    "выведи",
    "перечисли",
    "найди",
    "дай",
];

/// `tickets per week`, `поездки по месяцам` of trips: it begins with what the rows are called, and
/// counts them by groups.
pub(in super::super) fn counts_rows(
    parsed: &Parse,
    tokens: &[Token],
    schema: &TableSchema,
) -> bool {
    // the one thing that is named stands before its groups; `rows by month` and `by month` may be of
    // the query before
    const OPEN: [&str; 14] = [
        "by",
        "per",
        "for",
        "in",
        "each",
        "rows",
        "row",
        "records",
        "по",
        "за",
        "в",
        "на",
        "строки",
        "записи",
    ];
    let called = |t: &Token| parts(&schema.name).iter().any(|part| stem(part) == t.stem);
    let noun =
        |t: &Token| called(t) || t.kind == TokenKind::Word && !OPEN.contains(&t.folded.as_str());
    let plain = |item: &Item| {
        matches!(item, Item::Entity(Entity::Rows) | Item::Group(_) | Item::Noise | Item::Filter(_))
    };
    const DRAWN: [&str; 14] = [
        "a",
        "pie",
        "bar",
        "line",
        "chart",
        "graph",
        "plot",
        "of",
        "show",
        "me",
        "покажи",
        "график",
        "диаграмма",
        "динамика",
    ];
    let mut behind = tokens.iter().skip_while(|t| DRAWN.contains(&t.folded.as_str()));
    behind.next().is_some_and(noun)
        && parsed.items.contains(&Item::Entity(Entity::Rows))
        && parsed.items.iter().any(|item| matches!(item, Item::Group(_)))
        && parsed.items.iter().all(plain)
}

/// The question says what it is about: `how many penguins`, `total volume by year`.
pub(in super::super) fn has_subject(parsed: &Parse, tokens: &[Token]) -> bool {
    // `penguins with flippers longer than 220 mm`, `the five biggest receipts`
    let chosen = parsed.items.iter().any(|item| match item {
        Item::Filter(Cond::Compare(..)) | Item::RankBy(..) => true,
        Item::Rank(rank) => rank.number.is_some() || rank.superlative,
        _ => false,
    });
    // `average order value`: of the rows, by what they come to
    let of_rows = parsed.items.contains(&Item::Entity(Entity::Rows))
        && parsed.items.iter().any(|item| match item {
            Item::Metrics(metrics) => metrics.iter().any(|m| m.agg.is_some()),
            _ => false,
        });
    // `show all transactions at Aldi`
    let all = |at: usize| {
        tokens.get(at).is_some_and(|t| ["all", "все", "всю"].contains(&t.folded.as_str()))
    };
    let shown =
        all(0) || all(1) && tokens.first().is_some_and(|t| SHOWS.contains(&t.folded.as_str()));
    let all_rows = shown
        && parsed.items.contains(&Item::Entity(Entity::Rows))
        && parsed.items.iter().any(|item| matches!(item, Item::Filter(_)));
    of_rows
        || all_rows
        || names_what(parsed, tokens)
        || parsed.items.iter().any(|item| match item {
            Item::Count(Target::Entity(entity)) => *entity != Entity::Times,
            Item::Entity(Entity::Rows) => chosen,
            Item::Count(Target::Distinct(_)) => true,
            Item::Metrics(metrics) => {
                metrics.iter().any(|m| m.agg.is_some() && m.measure.is_some())
            }
            _ => false,
        })
}

/// `The largest daily fall`: of changes of a frame, which is named; not the largest of what was asked before,
/// where something fell.
pub fn of_moves(items: &[Item]) -> bool {
    let moves = |cond: &Cond| matches!(cond, Cond::Compare(Measure::Derived(..), ..));
    let says = |test: fn(&Item) -> bool| items.iter().any(test);
    items.iter().any(|i| matches!(i, Item::Filter(cond) if moves(cond)))
        && says(|i| matches!(i, Item::Every(_) | Item::Bars(_)))
        && says(|i| matches!(i, Item::Rank(rank) if rank.superlative))
}
