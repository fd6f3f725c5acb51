//! What the program itself says in a conversation.

use crate::error::{Code, Diagnostic, Locale, Text};

pub(super) fn cancelled() -> Text {
    text!("cancelled", "отменено")
}

/// A request that was stopped.
pub fn refused() -> Text {
    text!(
        "the request was not approved, nothing was sent",
        "запрос не одобрен, ничего не отправлено"
    )
}

/// A request that could not be recorded.
pub fn no_ledger() -> Text {
    text!(
        "the ledger cannot be written, so nothing was sent",
        "журнал отправки недоступен, поэтому ничего не отправлено"
    )
}

pub(super) fn unreachable() -> Text {
    text!("the endpoint cannot be reached", "сервер модели недоступен")
}

pub(super) fn broken() -> Text {
    text!(
        "the answer broke off; ask again to go on",
        "ответ оборвался; спросите ещё раз, чтобы продолжить"
    )
}

pub(super) fn status(status: u16) -> Text {
    match status {
        401 | 403 => text!(
            "the endpoint refuses access (status {status})",
            "сервер модели не даёт доступа (статус {status})"
        ),
        404 => text!(
            "the endpoint or the model does not exist (status {status})",
            "нет такого сервера или модели (статус {status})"
        ),
        429 => text!(
            "the endpoint is too busy for now (status {status})",
            "сервер модели сейчас перегружен (статус {status})"
        ),
        500.. => text!(
            "the endpoint failed (status {status})",
            "сбой на сервере модели (статус {status})"
        ),
        _ => text!(
            "the endpoint refused the request (status {status})",
            "сервер модели отклонил запрос (статус {status})"
        ),
    }
}

pub(super) fn reported() -> Text {
    text!("the endpoint reports an error", "сервер модели сообщает об ошибке")
}

pub(super) fn foreign() -> Text {
    text!("what the endpoint sent is no answer of a model", "сервер прислал не ответ модели")
}

pub(super) fn too_long() -> Text {
    text!(
        "the model's reply is too long, so it was stopped",
        "ответ модели слишком длинный, поэтому он остановлен"
    )
}

pub(super) fn empty() -> Text {
    text!(
        "the model gave no answer; ask again, or in other words",
        "модель не дала ответа; спросите ещё раз или другими словами"
    )
}

pub(super) fn too_many_rounds(most: u32) -> Text {
    text!(
        "I could not answer this within {most} rounds of queries. What was found so far is shown above.",
        "Не удалось ответить за {most} раундов запросов. Всё найденное показано выше."
    )
}

pub(super) fn repeated_failure(problems: &str) -> Text {
    text!(
        "I could not answer this: the same call failed twice.\n{problems}",
        "Не удалось ответить: один и тот же вызов дважды завершился ошибкой.\n{problems}"
    )
}

pub(super) fn too_many_calls(most: usize) -> Diagnostic {
    Diagnostic::new(
        Code::TooMany,
        text!("at most {most} calls at a time", "не больше {most} вызовов за раз"),
    )
}

/// What stands in an answer where the model referred to a value that there is not.
pub(super) fn no_value() -> Text {
    text!("[no value]", "[нет значения]")
}

pub(super) fn not_understood() -> Text {
    text!("I did not understand the question", "Вопрос непонятен")
}

/// How a question was read, as the first lines of an answer.
pub(super) fn read_as(locale: Locale, explanation: &str) -> String {
    text!("Understood as: {explanation}\n\n", "Понято так: {explanation}\n\n")
        .get(locale)
        .to_owned()
}

/// Words of a question that make a title.
const TITLE_WORDS: usize = 6;

/// A conversation that no call gave a title is called by its first answered question.
pub(super) fn title(question: &str) -> String {
    let words: Vec<&str> = question
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect();
    let mut title = words.iter().take(TITLE_WORDS).copied().collect::<Vec<_>>().join(" ");
    if words.len() > TITLE_WORDS {
        title.push('…');
    }
    title.chars().take(80).collect()
}
