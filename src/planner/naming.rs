//! Names and nouns of an answer in both languages.

use super::words::Agg;
use crate::error::{Locale, Text};
use crate::query::check::{Domain, OutputColumn, Timeframe};
use crate::summary::clean;

/// A text of the data for reading; names of weekdays and months in words.
pub(super) fn named(column: &OutputColumn, text: &str, locale: Locale) -> String {
    let known = column.domain.and_then(|domain| {
        let number = domain.values().iter().position(|v| *v == text)?;
        name_in(domain, number, locale)
    });
    known.map_or_else(|| clean(text), str::to_owned)
}

/// The name of a weekday (Monday is 0) or a month (January is 0).
pub(super) fn name_in(domain: Domain, number: usize, locale: Locale) -> Option<&'static str> {
    let names: &[&'static str] = match (domain, locale) {
        (Domain::Weekday, Locale::En) => {
            &["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
        }
        (Domain::Weekday, Locale::Ru) => {
            &["понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье"]
        }
        (Domain::Month, Locale::En) => &[
            "January",
            "February",
            "March",
            "April",
            "May",
            "June",
            "July",
            "August",
            "September",
            "October",
            "November",
            "December",
        ],
        (Domain::Month, Locale::Ru) => &[
            "январь",
            "февраль",
            "март",
            "апрель",
            "май",
            "июнь",
            "июль",
            "август",
            "сентябрь",
            "октябрь",
            "ноябрь",
            "декабрь",
        ],
    };
    names.get(number).copied()
}

/// A noun by number: one, many in English; one, few, many in Russian.
pub(super) struct Noun {
    pub en: [&'static str; 2],
    pub ru: [&'static str; 3],
}

pub(super) const GROUPS: Noun =
    Noun { en: ["group", "groups"], ru: ["группа", "группы", "групп"] };

/// What a row is.
pub(super) fn noun_of(from: Option<Timeframe>) -> Noun {
    let (en, ru) = match from {
        None => (["row", "rows"], ["строка", "строки", "строк"]),
        Some(Timeframe::Daily) => (["day", "days"], ["день", "дня", "дней"]),
        Some(Timeframe::Weekly) => (["week", "weeks"], ["неделя", "недели", "недель"]),
        Some(Timeframe::Monthly) => (["month", "months"], ["месяц", "месяца", "месяцев"]),
        Some(Timeframe::Yearly) => (["year", "years"], ["год", "года", "лет"]),
        Some(_) => (["bar", "bars"], ["бар", "бара", "баров"]),
    };
    Noun { en, ru }
}

/// A number that takes a verb in the singular: 1, in Russian 21 and 131 too.
pub(super) fn is_one(locale: Locale, count: u64) -> bool {
    match locale {
        Locale::En => count == 1,
        Locale::Ru => count % 10 == 1 && count % 100 != 11,
    }
}

pub(super) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

pub(super) fn english(count: u64, [one, many]: [&'static str; 2]) -> &'static str {
    if count == 1 { one } else { many }
}

pub(super) fn russian(count: u64, [one, few, many]: [&'static str; 3]) -> &'static str {
    match (count % 10, count % 100) {
        (_, 11..=14) => many,
        (1, _) => one,
        (2..=4, _) => few,
        _ => many,
    }
}

/// The noun after `из`: in the genitive, `из 21 группы`, `из 4 групп`. Of these nouns the singular's is
/// the form for a few.
pub(super) fn of_russian(count: u64, [_, few, many]: [&'static str; 3]) -> &'static str {
    if is_one(Locale::Ru, count) { few } else { many }
}

/// An aggregate before the name of its measure.
pub(super) fn agg_words(agg: Agg) -> Text {
    match agg {
        Agg::Mean => text!("mean of", "среднее"),
        Agg::Sum => text!("total of", "сумма"),
        Agg::Min => text!("lowest", "минимум"),
        Agg::Max => text!("highest", "максимум"),
        Agg::Median => text!("median of", "медиана"),
        Agg::Std => text!("standard deviation of", "стандартное отклонение"),
        Agg::Var => text!("variance of", "дисперсия"),
        Agg::First => text!("first", "первое значение"),
        Agg::Last => text!("last", "последнее значение"),
        Agg::Pct => text!("share of", "доля"),
        Agg::Correlation => text!("correlation of", "корреляция"),
        Agg::Percentile(share) => {
            let share = f64::from(share) / 10.0;
            text!("percentile {share} of", "перцентиль {share}:")
        }
    }
}
