//! Questions about a table itself (`which columns are there`), which no query answers.

use super::language;
use super::stem::{parts, stem};
use super::token::{Token, TokenKind, tokenise};
use crate::error::Locale;
use crate::schema::TableSchema;

/// Words for columns, by how they begin.
const COLUMNS: [&str; 8] =
    ["column", "field", "attribute", "колон", "столб", "поля", "полей", "атрибут"];
/// Other words of such a question.
const BESIDE: &str = "what which are is there the of in this table show me list all names name \
    please do does we have has it you got give tell available called какие какая какой есть тут \
    здесь в этой таблице таблицы таблица у нас нее ней имеются имеется покажи выведи список \
    перечисли перечень назови названия название имена все всех мне пожалуйста дай данных данные за \
    что из каких состоит содержит и как называются";
/// Whole questions about what can be asked.
const HELP: [&str; 22] = [
    "help",
    "what can you do",
    "what can i ask",
    "what can i ask here",
    "what can be asked",
    "what is this table about",
    "what is in this table",
    "what is in the table",
    "describe the table",
    "table structure",
    "помощь",
    "помоги",
    "что ты умеешь",
    "что можно спросить",
    "что здесь можно спросить",
    "что можно узнать",
    "о чем эта таблица",
    "что в этой таблице",
    "что есть в таблице",
    "описание таблицы",
    "структура таблицы",
    "схема таблицы",
];
/// Columns that are named at most.
const MOST: usize = 60;

/// The question asks for the columns of the table, or for what can be asked.
pub(super) fn is_about(tokens: &[Token], schema: &TableSchema) -> bool {
    let words: Vec<&Token> = tokens.iter().filter(|t| t.kind != TokenKind::Symbol).collect();
    let text: Vec<&str> = words.iter().map(|t| t.folded.as_str()).collect();
    if HELP.contains(&text.join(" ").as_str()) {
        return true;
    }
    let is_column = |word: &str| COLUMNS.iter().any(|c| word.starts_with(c));
    // `какие есть поля` of a farm asks for its fields
    let own = |word: &Token| {
        schema
            .columns
            .iter()
            .flat_map(|c| std::iter::once(&c.name).chain(&c.label).chain(&c.synonyms))
            .chain(std::iter::once(&schema.name))
            .chain(&schema.synonyms)
            .any(|name| parts(name).iter().any(|part| stem(part) == word.stem))
    };
    words.iter().filter(|w| is_column(&w.folded)).count() == 1
        && words.iter().all(|w| {
            w.kind == TokenKind::Word
                && if is_column(&w.folded) {
                    !own(w)
                } else {
                    BESIDE.split_whitespace().any(|known| known == w.folded)
                }
        })
}

/// The columns of a table, and what can be asked of them.
pub(super) fn columns(locale: Locale, schema: &TableSchema, suggestions: &[String]) -> String {
    let names: Vec<String> =
        schema.columns.iter().take(MOST).map(|c| format!("`{}`", c.name)).collect();
    let more = if schema.columns.len() > MOST { ", …" } else { "" };
    let mut text = match locale {
        Locale::En => format!("The columns of `{}`: ", schema.name),
        Locale::Ru => format!("Столбцы таблицы `{}`: ", schema.name),
    };
    text.push_str(&names.join(", "));
    text.push_str(more);
    text.push('.');
    if !suggestions.is_empty() {
        text.push_str(match locale {
            Locale::En => " You can ask, for example:",
            Locale::Ru => " Можно спросить, например:",
        });
        for suggestion in suggestions {
            text.push_str("\n- ");
            text.push_str(suggestion);
        }
    }
    text
}

/// Where a chart or the rows are, where nothing else is asked for: `show it as a chart`, `as a table`.
pub(super) fn view(tokens: &[Token], locale: Locale) -> Option<String> {
    const CHART: [&str; 7] =
        ["chart", "graph", "plot", "график", "диаграмм", "гистограмм", "histogram"];
    // `show the table` asks for its rows
    let shaped = tokens.iter().any(|t| ["as", "виде"].contains(&t.folded.as_str()));
    if is_view(tokens, &CHART) {
        Some(language::chart(locale))
    } else if shaped && is_view(tokens, &["table", "таблиц"]) {
        Some(language::table(locale))
    } else {
        None
    }
}

fn is_view(tokens: &[Token], kinds: &[&str]) -> bool {
    const FRAME: [&str; 36] = [
        "show",
        "me",
        "draw",
        "make",
        "it",
        "this",
        "that",
        "as",
        "a",
        "an",
        "the",
        "of",
        "in",
        "on",
        "to",
        "please",
        "bar",
        "line",
        "can",
        "you",
        "now",
        "покажи",
        "покажите",
        "нарисуй",
        "построй",
        "сделай",
        "это",
        "в",
        "виде",
        "на",
        "мне",
        "пожалуйста",
        "столбчатую",
        "теперь",
        "и",
        "по",
    ];
    let chart = |t: &Token| kinds.iter().any(|begin| t.folded.starts_with(begin));
    let words = || tokens.iter().filter(|t| t.kind == TokenKind::Word);
    tokens.len() <= 10
        && words().any(chart)
        && tokens.iter().all(|t| match t.kind {
            TokenKind::Word => chart(t) || FRAME.contains(&t.folded.as_str()),
            _ => t.kind == TokenKind::Symbol,
        })
}

/// It asks which columns there are.
pub(super) fn asks_columns(question: &str) -> bool {
    const COLUMNS: [&str; 9] = [
        "columns",
        "fields",
        "schema",
        "колонки",
        "колонок",
        "столбцы",
        "столбцов",
        "поля",
        "полей",
    ];
    let tokens = tokenise(question);
    tokens.len() <= 10 && tokens.iter().any(|t| COLUMNS.contains(&t.folded.as_str()))
}
