//! The language of a question, and what the planner says when it has no single answer.

use super::stem::{is_cyrillic, parts, stem};
use super::token::{Token, TokenKind};
use super::words::is_known;
use crate::error::{Locale, Text};
use crate::schema::TableSchema;
use std::collections::HashSet;
use std::sync::Arc;

/// The language of the words; `fallback` where they tell none. The question's own words decide:
/// names of columns may be in the other language, and so may values.
pub(super) fn detect(
    tokens: &[Token],
    fallback: Option<Locale>,
    tables: &[Arc<TableSchema>],
) -> Locale {
    let words = || tokens.iter().filter(|t| t.kind == TokenKind::Word);
    let cyrillic = words().filter(|t| t.folded.chars().any(is_cyrillic)).count();
    // of words of one alphabet it makes no difference which of them name columns
    match (words().count(), cyrillic) {
        (0, _) => return fallback.unwrap_or_default(),
        (_, 0) => return Locale::En,
        (all, cyrillic) if all == cyrillic => return Locale::Ru,
        _ => {}
    }
    let columns = tables.iter().flat_map(|table| &table.columns);
    let names: HashSet<String> = columns
        .flat_map(|c| std::iter::once(&c.name).chain(&c.label).chain(&c.synonyms))
        .flat_map(|name| parts(name))
        .map(|part| stem(&part))
        .collect();
    let (mut english, mut russian) = (0, 0);
    for (at, token) in words().enumerate() {
        // a word of both languages
        if ["vs", "versus", "top", "ok"].contains(&token.folded.as_str()) {
            continue;
        }
        let weight = match (names.contains(&token.stem), is_known(token)) {
            (true, _) => 1,
            (false, true) => 9,
            // `зарплата Felix Novak`: names are of no language
            _ if at > 0 && token.raw.starts_with(char::is_uppercase) => 1,
            (false, false) => 3,
        };
        if token.folded.chars().any(is_cyrillic) {
            russian += weight;
        } else {
            english += weight;
        }
    }
    if russian >= english { Locale::Ru } else { Locale::En }
}

fn quoted(words: &[String]) -> String {
    words.iter().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ")
}

/// There is nothing to plan, or nothing to plan over.
pub(super) fn nothing(locale: Locale, no_table: bool, empty: bool) -> String {
    match (locale, no_table, empty) {
        (Locale::En, true, _) => "No table is loaded yet.",
        (Locale::Ru, true, _) => "Таблица ещё не загружена.",
        (Locale::En, _, true) => "The question has no words.",
        (Locale::Ru, _, true) => "В вопросе нет слов.",
        (Locale::En, ..) => "The question is too long for the built-in planner.",
        (Locale::Ru, ..) => "Вопрос слишком длинный для встроенного планировщика.",
    }
    .to_owned()
}

/// Said of a question that changes the one before it.
pub(super) fn goes_on() -> Vec<Text> {
    vec![text!("changes the question before", "меняет прошлый вопрос")]
}

/// A date that no calendar has.
pub(super) fn no_date(locale: Locale, date: &str) -> String {
    match locale {
        Locale::En => format!("There is no date `{date}`."),
        Locale::Ru => format!("Даты `{date}` не существует."),
    }
}

/// A scatter plot is asked for.
pub(super) fn no_scatter(locale: Locale) -> String {
    match locale {
        Locale::En => {
            "There is no scatter plot here: charts are bars and lines. “Correlation between” \
                       two columns tells how they go together."
                .to_owned()
        }
        Locale::Ru => {
            "Точечной диаграммы здесь нет: есть столбцы и линии. «Корреляция между» двумя \
                       столбцами говорит, как они связаны."
                .to_owned()
        }
    }
}

/// The rows are asked for, and nothing else.
pub(super) fn table(locale: Locale) -> String {
    match locale {
        Locale::En => "Each answer has its rows in its Data tab, where they can be sorted, copied \
                       and downloaded."
            .to_owned(),
        Locale::Ru => {
            "Строки есть у каждого ответа во вкладке «Данные»: там их можно сортировать, \
                       копировать и скачать."
                .to_owned()
        }
    }
}

/// A chart is asked for, and nothing else.
pub(super) fn chart(locale: Locale) -> String {
    match locale {
        Locale::En => "Each answer has its chart in its Chart tab, where the kind and the columns \
                       can be changed. Ask a question first, such as a total by month."
            .to_owned(),
        Locale::Ru => "График есть у каждого ответа во вкладке «График»: там можно сменить вид и \
                       столбцы. Сначала задайте вопрос, например сумму по месяцам."
            .to_owned(),
    }
}

/// Numbers are asked of a column that has none.
pub(super) fn is_text(locale: Locale, column: &str) -> String {
    match locale {
        Locale::En => format!(
            "`{column}` is text in this table, so nothing is computed of it. If it should be numbers, \
             some of its values are none: what was noticed when the file was read says more."
        ),
        Locale::Ru => format!(
            "В этой таблице `{column}` — текст, поэтому по нему ничего не вычисляется. Если это \
             должны быть числа, то среди значений есть не числа: см. замечания, сделанные при чтении файла."
        ),
    }
}

/// Names of columns that are listed at most.
const MOST_COLUMNS: usize = 40;

/// Which columns there are.
pub(super) fn columns(locale: Locale, table: &TableSchema, suggestions: &[String]) -> String {
    let mut names: Vec<String> = table.columns.iter().map(|c| c.name.clone()).collect();
    let more = names.len() > MOST_COLUMNS;
    names.truncate(MOST_COLUMNS);
    let mut list = quoted(&names);
    if more {
        list.push('…');
    }
    let text = match locale {
        Locale::En => format!("The columns of `{}`: {list}.", table.name),
        Locale::Ru => format!("Столбцы таблицы `{}`: {list}.", table.name),
    };
    with_suggestions(text, locale, suggestions)
}

/// The text, and questions that can be asked.
fn with_suggestions(mut text: String, locale: Locale, suggestions: &[String]) -> String {
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

/// Nothing fits.
pub(super) fn declined(
    locale: Locale,
    unknown: &[String],
    problem: Option<&str>,
    suggestions: &[String],
) -> String {
    let mut text = match (locale, unknown.is_empty()) {
        (Locale::En, false) => format!("I did not understand {}.", quoted(unknown)),
        (Locale::Ru, false) => format!("Непонятно: {}.", quoted(unknown)),
        (Locale::En, true) => {
            "I could not make one query of all the words of this question.".to_owned()
        }
        (Locale::Ru, true) => "Из всех слов этого вопроса не получается один запрос.".to_owned(),
    };
    if let Some(problem) = problem {
        text.push_str(match locale {
            Locale::En => " The nearest query fails the check: ",
            Locale::Ru => " Ближайший запрос не проходит проверку: ",
        });
        text.push_str(problem);
        text.push('.');
    }
    with_suggestions(text, locale, suggestions)
}

/// There are readings to choose from.
pub(super) fn choose(locale: Locale, unknown: &[String], readings: usize) -> String {
    let mut text = match (locale, unknown.is_empty()) {
        (_, true) => String::new(),
        (Locale::En, false) => format!("I did not understand {}. ", quoted(unknown)),
        (Locale::Ru, false) => format!("Непонятно: {}. ", quoted(unknown)),
    };
    text.push_str(match (locale, readings) {
        (Locale::En, 1) => "Did you mean this?",
        (Locale::Ru, 1) => "Имелось в виду это?",
        (Locale::En, _) => "Which of these did you mean?",
        (Locale::Ru, _) => "Что из этого имелось в виду?",
    });
    text
}
