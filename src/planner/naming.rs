//! Names and nouns of an answer in both languages.

use super::stem::is_cyrillic;
use super::words::Agg;
use crate::error::{Locale, Text};
use crate::query::check::{Domain, OutputColumn, Role, Timeframe};
use crate::query::period::{Dates, Period};
use crate::schema::{Column, TableSchema};
use crate::summary::clean;
use crate::value::Value;
use chrono::NaiveDate;

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

/// What a measure that is made of bars is called, by the name of its function: alone, and after an
/// aggregate of it.
pub(super) fn made_of_bars(function: &str, locale: Locale) -> Option<[&'static str; 2]> {
    Some(match (function, locale) {
        ("gap", Locale::Ru) => ["гэп", "гэпа"],
        ("gap_pct", Locale::En) => ["gap in %"; 2],
        ("gap_pct", Locale::Ru) => ["гэп в %", "гэпа в %"],
        ("change", Locale::Ru) => ["изменение", "изменения"],
        ("change_pct", Locale::En) => ["change in %"; 2],
        ("change_pct", Locale::Ru) => ["изменение в %", "изменения в %"],
        ("range", Locale::Ru) => ["диапазон", "диапазона"],
        ("range_pct", Locale::En) => ["range in %"; 2],
        ("range_pct", Locale::Ru) => ["диапазон в %", "диапазона в %"],
        ("run", Locale::En) => ["run"; 2],
        ("run", Locale::Ru) => ["длина серии", "длины серии"],
        ("drawdown_pct", Locale::En) => ["drawdown in %"; 2],
        ("drawdown_pct", Locale::Ru) => ["просадка в %", "просадки в %"],
        ("body", Locale::Ru) => ["тело бара", "тела бара"],
        ("upper_wick", Locale::En) => ["upper wick"; 2],
        ("upper_wick", Locale::Ru) => ["верхняя тень", "верхней тени"],
        ("lower_wick", Locale::En) => ["lower wick"; 2],
        ("lower_wick", Locale::Ru) => ["нижняя тень", "нижней тени"],
        _ => return None,
    })
}

/// The title of a column that the planner makes, in words.
pub(super) fn title_in(name: &str, locale: Locale) -> Option<&'static str> {
    if let Some([title, _]) = made_of_bars(name, locale) {
        return Some(title);
    }
    Some(match (name, locale) {
        ("year", Locale::Ru) => "год",
        ("quarter", Locale::Ru) => "квартал",
        ("month", Locale::Ru) => "месяц",
        ("week", Locale::Ru) => "неделя",
        ("day", Locale::Ru) => "день",
        ("dow", Locale::En) => "weekday",
        ("dow", Locale::Ru) => "день недели",
        ("hour", Locale::Ru) => "час",
        _ => return None,
    })
}

/// A date as it is written in the language; anything else as it stands.
fn written(text: &str, locale: Locale) -> String {
    match (NaiveDate::parse_from_str(text, "%Y-%m-%d"), locale) {
        (Ok(date), Locale::Ru) => date.format("%d.%m.%Y").to_string(),
        _ => text.to_owned(),
    }
}

/// The dates of a period that is counted back from the end of the table, in brackets: `last year`
/// may as well be the year of the calendar.
pub(super) fn counted_back(period: &str, schema: &TableSchema, locale: Locale) -> Option<String> {
    let (_, last) = schema.dates()?;
    let Dates::Between(Some(first), Some(last)) = Period::parse(period).ok()?.dates(Some(last))
    else {
        return None;
    };
    let day = |day: i32| Some(written(&Value::Date(day).date()?.to_string(), locale));
    let between = match locale {
        Locale::En => "to",
        Locale::Ru => "по",
    };
    let from = if locale == Locale::Ru { "с " } else { "" };
    Some(format!(" ({from}{} {between} {})", day(first)?, day(last)?))
}

/// A stretch of dates, as `period` writes it, in words: `2022 to 2023`.
pub(super) fn dates(period: &str, locale: Locale) -> String {
    let last = match (period.strip_prefix("last_"), locale) {
        (None, _) => None,
        (Some("year"), Locale::Ru) => Some("последнего года".to_owned()),
        (Some("month"), Locale::Ru) => Some("последнего месяца".to_owned()),
        (Some("week"), Locale::Ru) => Some("последней недели".to_owned()),
        (Some(part @ ("year" | "month" | "week")), Locale::En) => {
            Some(format!("of the last {part}"))
        }
        (Some(count), Locale::En) => Some(format!("the last {count}")),
        (Some(count), Locale::Ru) => Some(format!("последние {count}")),
    };
    if let Some(last) = last {
        return last;
    }
    let day = |text: &str| written(text, locale);
    let ends = period.split_once(':').map(|(first, last)| (day(first), day(last)));
    match (ends.as_ref().map(|(first, last)| (first.as_str(), last.as_str())), locale) {
        (None, _) => day(period),
        (Some((first, "")), Locale::En) => format!("from {first}"),
        (Some((first, "")), Locale::Ru) => format!("с {first}"),
        (Some(("", last)), Locale::En) => format!("up to {last}"),
        (Some(("", last)), Locale::Ru) => format!("по {last}"),
        (Some((first, last)), Locale::En) => format!("{first} to {last}"),
        (Some((first, last)), Locale::Ru) => format!("с {first} по {last}"),
    }
}

/// A unit behind a number, in the letters of the language.
pub(super) fn unit_in(unit: &str, locale: Locale) -> String {
    const RUSSIAN: [(&str, &str); 13] = [
        ("kg", "кг"),
        ("g", "г"),
        ("km", "км"),
        ("m", "м"),
        ("cm", "см"),
        ("mm", "мм"),
        ("l", "л"),
        ("ml", "мл"),
        ("h", "ч"),
        ("min", "мин"),
        ("s", "с"),
        ("ms", "мс"),
        ("pcs", "шт."),
    ];
    let own = RUSSIAN.iter().find(|(en, _)| locale == Locale::Ru && *en == unit);
    own.map_or(unit, |(_, ru)| ru).to_owned()
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

/// Aggregates that have words.
pub(super) const AGGREGATES: [Agg; 9] = [
    Agg::Mean,
    Agg::Sum,
    Agg::Min,
    Agg::Max,
    Agg::Median,
    Agg::Std,
    Agg::Var,
    Agg::First,
    Agg::Last,
];

/// An aggregate with its measure in words. A total that is called so is no `total of total`.
pub(super) fn agg_of(agg: Agg, name: &str, locale: Locale) -> String {
    let plain = name.trim_matches(['«', '»', '"']).to_lowercase();
    let begins = |word: &str| plain.starts_with(word) && !plain.contains(char::is_whitespace);
    match (agg, locale) {
        (Agg::Sum, Locale::En) if begins("total") => format!("sum of {name}"),
        (_, Locale::Ru) if begins("сумм") && !matches!(agg, Agg::Percentile(_)) => {
            let name = name.trim_matches(['«', '»']);
            format!("{} столбца «{name}»", agg_words(agg).get(locale))
        }
        // of what a step before added up: `среднее суммы цены`
        (_, Locale::Ru) if name.starts_with("сумма ") && !matches!(agg, Agg::Percentile(_)) => {
            let rest = name.trim_start_matches("сумма ");
            format!("{} суммы {rest}", agg_words(agg).get(locale))
        }
        _ => format!("{} {name}", agg_words(agg).get(locale)),
    }
}

/// How many values a column has.
pub(super) fn number_of_different(name: &str, locale: Locale) -> String {
    match locale {
        Locale::En => format!("number of different values of {name}"),
        Locale::Ru => format!("число разных значений «{}»", name.trim_matches(['«', '»'])),
    }
}

/// The earliest or the latest moment of a column.
pub(super) fn end_of_time(agg: Agg, name: &str, locale: Locale) -> String {
    match (agg, locale) {
        (Agg::Max, Locale::En) => format!("latest {name}"),
        (_, Locale::En) => format!("earliest {name}"),
        (_, Locale::Ru) => {
            let plain = name.trim_matches(['«', '»']).to_lowercase();
            let (late, early) = if plain.starts_with("дата") {
                ("самая поздняя", "самая ранняя")
            } else {
                ("самое позднее значение", "самое раннее значение")
            };
            format!("{} {name}", if agg == Agg::Max { late } else { early })
        }
    }
}

/// The digits before the point in groups of three, as tables show them: `1,076,400.5`, in Russian with
/// spaces that do not break and a comma.
pub(super) fn in_groups(number: &str, locale: Locale) -> String {
    let whole = number.trim_start_matches('-').bytes().take_while(u8::is_ascii_digit).count();
    let start = number.len() - number.trim_start_matches('-').len();
    let exponent = number.contains(['e', 'E']);
    if whole < 4 || exponent {
        return pointed(number, locale);
    }
    let space = match locale {
        Locale::En => ',',
        Locale::Ru => '\u{a0}',
    };
    let mut out = String::new();
    for (i, c) in number.chars().enumerate() {
        if i > start && i < start + whole && (start + whole - i).is_multiple_of(3) {
            out.push(space);
        }
        out.push(c);
    }
    match locale {
        Locale::En => out,
        Locale::Ru => out.replacen('.', ",", 1),
    }
}

/// A number with the sign for its fraction that a language has.
pub(super) fn pointed(number: &str, locale: Locale) -> String {
    match locale {
        Locale::En => number.to_owned(),
        Locale::Ru => number.replacen('.', ",", 1),
    }
}

/// How the columns begin that count the missing values of another one.
pub(super) const MISSING: &str = "missing_";

/// The column that says whether a day is of a weekend.
pub(super) const KIND_OF_DAY: &str = "kind_of_day";

/// The column that says how far a group is from the one before it.
pub(super) const DIFFERENCE: &str = "difference";

/// The column that says how many times the one before it a group is.
pub(super) const RATIO: &str = "ratio";

/// The column that has the sum of all groups up to each.
pub(super) const RUNNING: &str = "running_total";

/// The columns that count rises, falls and what is neither.
pub(super) const RISES: &str = "rises";
pub(super) const FALLS: &str = "falls";
pub(super) const UNCHANGED: &str = "unchanged";

/// What a column counts that is of both kinds of something, or how many values of another column are
/// missing; of all of them without a name.
pub(super) fn counted_in(made: &str, schema: &TableSchema, locale: Locale) -> Option<String> {
    let kind = match made {
        RISES => Some(text!("with a rise", "с ростом")),
        FALLS => Some(text!("with a fall", "с падением")),
        UNCHANGED => Some(text!("unchanged", "без изменения")),
        _ => None,
    };
    if let Some(kind) = kind {
        return Some(kind.get(locale).to_owned());
    }
    if made == MISSING.trim_end_matches('_') {
        return Some(
            text!("number of missing values", "число пустых значений").get(locale).to_owned(),
        );
    }
    // `price_per_km`, and how far in an hour
    if let Some((what, unit)) = made.split_once("_per_") {
        return match (schema.column(what), schema.column(unit)) {
            (Some(_), Some(_)) => {
                Some(text!("{what} per {unit}", "{what} на {unit}").get(locale).to_owned())
            }
            (None, None) if unit == "hour" => {
                let what =
                    if what == "km" { text!("km", "км") } else { text!("{what}", "{what}") };
                let what = what.get(locale);
                Some(text!("{what} per hour", "{what} в час").get(locale).to_owned())
            }
            _ => None,
        };
    }
    let of = schema.column(made.strip_prefix(MISSING)?)?;
    let name = clean(of.label.as_ref().unwrap_or(&of.name));
    Some(text!("missing in {name}", "пустых в «{name}»").get(locale).to_owned())
}

/// Texts that say that there is no value, in small letters.
pub(super) const NONE_WORDS: [&str; 10] =
    ["na", "n/a", "#n/a", "nan", "null", "none", "-", "n.a.", "н/д", "нет данных"];

/// A text of this column that says that there is no value, where it is no code (Namibia's is `NA`).
pub(super) fn none_word(column: &Column) -> Option<&str> {
    let code = |v: &String| v.len() == 2 && v != "NA" && v.bytes().all(|b| b.is_ascii_uppercase());
    let values = column.values.as_deref()?;
    let none = |v: &&String| NONE_WORDS.contains(&v.to_lowercase().as_str());
    let word = values.iter().find(none)?;
    (word.to_lowercase() != "na" || !values.iter().any(code)).then_some(word)
}

/// Whether numbers of a column of this name name something, as years and ids do: nobody counts with
/// them.
pub(super) fn is_code(name: &str) -> bool {
    const CODES: [&str; 13] = [
        "id",
        "ids",
        "key",
        "keys",
        "code",
        "year",
        "years",
        "zip",
        "ид",
        "год",
        "код",
        "номер",
        "индекс",
    ];
    let last = name.rsplit(['_', ' ']).next().unwrap_or_default();
    CODES.contains(&last.to_lowercase().as_str()) || last.ends_with("Id") || last.ends_with("Year")
}

/// The words for a group's column after `by`: what its values are, where these are weekdays or months,
/// else what a question calls it.
pub(super) fn grouped_by(column: &OutputColumn, known: Option<&Column>, locale: Locale) -> String {
    match (column.domain, locale) {
        (Some(Domain::Weekday), Locale::En) => "weekday".to_owned(),
        (Some(Domain::Weekday), Locale::Ru) => "дням недели".to_owned(),
        (Some(Domain::Month), Locale::En) => "month".to_owned(),
        (Some(Domain::Month), Locale::Ru) => "месяцам".to_owned(),
        (None, _) if known.is_none() && column.column.name == KIND_OF_DAY => {
            text!("weekends and weekdays", "выходным и будням").get(locale).to_owned()
        }
        (None, Locale::Ru) if known.is_none() && part_of_time(column).is_some() => {
            part_of_time(column).map_or_else(String::new, |(by, _)| by.to_owned())
        }
        (None, Locale::Ru) => {
            let native = known.filter(|c| c.name.chars().any(is_cyrillic) || c.label.is_some());
            native.map_or_else(|| clean(&column.column.name), |c| clean(&called(c, locale).by))
        }
        (None, Locale::En) => clean(&column.column.name),
    }
}

/// A column that the planner makes of moments, in Russian: after `по`, and beside a number of it.
pub(super) fn part_of_time(column: &OutputColumn) -> Option<(&'static str, &'static str)> {
    Some(match column.column.name.as_str() {
        "year" => ("годам", " год"),
        "quarter" => ("кварталам", "-й квартал"),
        "month" => ("месяцам", "-й месяц"),
        "week" => ("неделям", "-я неделя"),
        "day" => ("дням", ""),
        "hour" => ("часам", " ч"),
        _ => return None,
    })
}

/// What a question calls a column: its name, in Russian after a noun (`сумма платы`) and after `по`.
pub(super) struct Called {
    pub name: String,
    pub of: String,
    pub by: String,
}

/// A column in the words of a language: its label, its name or a synonym in the letters of it, else
/// its name as it is, in quotes.
pub(super) fn called(column: &Column, locale: Locale) -> Called {
    let native = |name: &&String| match locale {
        Locale::Ru => name.chars().any(is_cyrillic),
        Locale::En => !name.chars().any(is_cyrillic),
    };
    let names = || column.label.iter().chain([&column.name]).chain(&column.synonyms);
    let Some(found) = names().find(native) else {
        let name = match locale {
            Locale::Ru => format!("«{}»", column.name),
            Locale::En => format!("\"{}\"", column.name),
        };
        return Called { of: name.clone(), by: name.clone(), name };
    };
    let name = plain(found);
    let word = name.chars().all(char::is_alphabetic) && name.chars().count() > 2;
    let quoted = || format!("«{found}»");
    let forms = (locale == Locale::Ru && word).then(|| (genitive(&name), of_many(&name)));
    let (of, by) = match forms {
        Some((of, by)) => (of.unwrap_or_else(quoted), by.unwrap_or_else(quoted)),
        None if locale == Locale::Ru => (quoted(), quoted()),
        None => (name.clone(), name.clone()),
    };
    Called { name, of, by }
}

/// `late_fee` and `Late fee` within a sentence; capitals of an abbreviation stay.
fn plain(name: &str) -> String {
    let spaced = name.replace('_', " ");
    let mut chars = spaced.chars();
    let first = chars.next();
    match first {
        Some(first) if !chars.as_str().chars().any(char::is_uppercase) => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => spaced,
    }
}

/// Nouns in which a vowel falls out, or that are declined otherwise.
fn is_irregular(word: &str) -> bool {
    const NOUNS: [&str; 4] = ["ание", "ение", "ятие", "стие"];
    const ENDINGS: [&str; 20] = [
        "ок",
        "ек",
        "ёк",
        "ец",
        "ень",
        "мя",
        "ый",
        "ий",
        "ой",
        "ая",
        "яя",
        "ое",
        "ые",
        "ие",
        "уда",
        "ения",
        "ания",
        "места",
        "числа",
        "слова",
    ];
    ENDINGS.iter().any(|e| word.ends_with(e)) && !NOUNS.iter().any(|e| word.ends_with(e))
}

/// The genitive of a regular Russian noun in the singular: `плата`, `платы`; `вес`, `веса`.
fn genitive(word: &str) -> Option<String> {
    const HARD: &str = "бвгджзклмнпрстфхцчшщ";
    if is_irregular(word) {
        return None;
    }
    if let Some(root) = word.strip_suffix("а") {
        let soft = root.ends_with(['г', 'к', 'х', 'ж', 'ч', 'ш', 'щ']);
        return Some(format!("{root}{}", if soft { "и" } else { "ы" }));
    }
    if let Some(root) = word.strip_suffix("я") {
        return Some(format!("{root}и"));
    }
    if let Some(root) = word.strip_suffix("сть") {
        return Some(format!("{root}сти"));
    }
    if let Some(root) = word.strip_suffix("ие") {
        return Some(format!("{root}ия"));
    }
    if let Some(root) = word.strip_suffix("о") {
        return Some(format!("{root}а"));
    }
    word.ends_with(|c| HARD.contains(c)).then(|| format!("{word}а"))
}

/// The dative of a regular Russian noun in the plural, as after `по`: `филиал`, `филиалам`.
fn of_many(word: &str) -> Option<String> {
    const HARD: &str = "бвгджзклмнпрстфхцчшщ";
    if is_irregular(word) {
        return None;
    }
    if let Some(root) = word.strip_suffix("а").or_else(|| word.strip_suffix("о")) {
        return Some(format!("{root}ам"));
    }
    let soft = word
        .strip_suffix("я")
        .or_else(|| word.strip_suffix("ь"))
        .or_else(|| word.strip_suffix("е"));
    if let Some(root) = soft {
        return Some(format!("{root}ям"));
    }
    word.ends_with(|c| HARD.contains(c)).then(|| format!("{word}ам"))
}

/// A number that was divided to as many digits as are read: of per cents and of what is ten and more two
/// behind the point. What the data itself has stays as it is.
pub(super) fn shortened(value: &Value, column: &OutputColumn) -> Value {
    const DIVIDED: [&str; 4] = ["mean", "median", "std", "var"];
    let percent = column.column.unit.as_deref() == Some("%");
    let divided = matches!(column.role, Role::Measure { aggregate: Some(name), .. } if DIVIDED.contains(&name));
    let least = if percent { 1.0 } else { 10.0 };
    match value.as_f64() {
        Some(number) if (percent || divided) && number.abs() >= least && number.fract() != 0.0 => {
            Value::float((number * 100.0).round() / 100.0)
        }
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Kind;

    #[test]
    fn russian_nouns_are_declined_or_quoted() {
        for (word, of, by) in [
            ("плата", Some("платы"), Some("платам")),
            ("скидка", Some("скидки"), Some("скидкам")),
            ("вес", Some("веса"), Some("весам")),
            ("филиал", Some("филиала"), Some("филиалам")),
            ("врач", Some("врача"), Some("врачам")),
            ("влажность", Some("влажности"), Some("влажностям")),
            ("ожидание", Some("ожидания"), Some("ожиданиям")),
            ("категория", Some("категории"), Some("категориям")),
            ("место", Some("места"), Some("местам")),
            ("область", Some("области"), Some("областям")),
            ("участок", None, None),
            ("время", None, None),
        ] {
            assert_eq!(genitive(word).as_deref(), of, "{word}");
            assert_eq!(of_many(word).as_deref(), by, "{word}");
        }
    }

    #[test]
    fn a_column_is_called_in_the_language_of_the_question() {
        let mut column = Column::new("late_fee", Kind::Float);
        let forms = |column: &Column, locale| {
            let Called { name, of, by } = called(column, locale);
            [name, of, by]
        };
        assert_eq!(forms(&column, Locale::En), ["late fee"; 3]);
        assert_eq!(forms(&column, Locale::Ru), ["«late_fee»"; 3]);
        column.synonyms = vec!["пеня".into()];
        assert_eq!(forms(&column, Locale::Ru), ["пеня", "пени", "пеням"]);
        column.label = Some("Штраф за день".into());
        let quoted = "«Штраф за день»";
        assert_eq!(forms(&column, Locale::Ru), ["штраф за день", quoted, quoted]);
        assert_eq!(forms(&column, Locale::En), ["late fee"; 3]);
        let column = Column::new("вес", Kind::Float);
        assert_eq!(forms(&column, Locale::En), ["\"вес\""; 3]);
    }
}
