//! Names of groups: weekdays, months, years, dates and text values, in both languages and all
//! cases, and writing another name in the same form.

use super::number::DateText;
use super::words::COMPARATIVES;
use crate::value::Value;
use chrono::{Datelike, NaiveDate};

/// What kind of name a group has. Names of one axis exclude each other.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Axis {
    /// Monday … Sunday
    Weekday,
    /// January … December
    Month,
    /// Calendar years.
    Year,
    /// 1–4
    Quarter,
    /// 0–23
    Hour,
    /// Calendar dates.
    Date,
    /// The values of a column, by its lower-case name.
    Named(String),
}

/// One name, in one spelling for all that mean the same.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Name {
    /// The number of a weekday (Monday is 0), month (January is 1), year, quarter or hour, or a
    /// whole-number key.
    Index(i64),
    /// A date, perhaps without year or day.
    Date(DateText),
    /// Text in lower case.
    Text(String),
}

/// The name that a cell gives on an axis; `None` for null and for what has no name there.
pub(super) fn name_of(axis: &Axis, value: &Value) -> Option<Name> {
    if let (Axis::Weekday, Some(text)) = (axis, value.as_str()) {
        return weekday(&text.to_lowercase()).map(Name::Index);
    }
    if let (Axis::Month, Some(text)) = (axis, value.as_str()) {
        return month(&text.to_lowercase()).map(Name::Index);
    }
    if let (Axis::Quarter, Some(text)) = (axis, value.as_str()) {
        return quarter(&text.to_lowercase()).map(Name::Index);
    }
    if let (Axis::Year, Some(text)) = (axis, value.as_str()) {
        return text.parse().ok().map(Name::Index);
    }
    match value {
        Value::Null | Value::List(_) => None,
        Value::Int(i) => Some(Name::Index(*i)),
        Value::Float(x) if x.fract() == 0.0 && x.abs() < 1e15 => Some(Name::Index(*x as i64)),
        Value::Float(x) => Some(Name::Text(x.to_string())),
        Value::Decimal(x) => Some(match x.to_i64() {
            Some(whole) => Name::Index(whole),
            None => Name::Text(x.shortest().to_string()),
        }),
        Value::Text(s) => Some(Name::Text(s.to_lowercase())),
        Value::Bool(b) => Some(Name::Text(b.to_string())),
        Value::Date(_) | Value::Timestamp(_) => value.date().map(date_name),
    }
}

/// The order of two cells of an axis: of the calendar, where they are its names.
pub(super) fn calendar_order(axis: &Axis, a: &Value, b: &Value) -> std::cmp::Ordering {
    match (name_of(axis, a), name_of(axis, b)) {
        (Some(Name::Index(x)), Some(Name::Index(y))) => x.cmp(&y),
        _ => a.total_cmp(b),
    }
}

fn date_name(date: NaiveDate) -> Name {
    Name::Date(DateText { year: Some(date.year()), month: date.month(), day: Some(date.day()) })
}

/// The weekday, month, quarter or year of a date, as a name says it.
pub(super) fn part_of(axis: &Axis, date: NaiveDate) -> Option<i64> {
    match axis {
        Axis::Weekday => Some(i64::from(date.weekday().num_days_from_monday())),
        Axis::Month => Some(i64::from(date.month())),
        Axis::Year => Some(i64::from(date.year())),
        Axis::Quarter => Some(i64::from(date.month0() / 3 + 1)),
        _ => None,
    }
}

/// Whether what a text calls `said` is the group `name`.
pub(super) fn same(said: &Name, name: &Name) -> bool {
    match (said, name) {
        (Name::Date(a), Name::Date(b)) => {
            a.month == b.month
                && (a.year.is_none() || a.year == b.year)
                && (a.day.is_none() || a.day == b.day)
        }
        _ => said == name,
    }
}

const WEEKDAYS_EN: [[&str; 5]; 7] = [
    ["monday", "mondays", "mon", "mon", "mon"],
    ["tuesday", "tuesdays", "tue", "tues", "tue"],
    ["wednesday", "wednesdays", "wed", "weds", "wed"],
    ["thursday", "thursdays", "thu", "thur", "thurs"],
    ["friday", "fridays", "fri", "fri", "fri"],
    ["saturday", "saturdays", "sat", "sat", "sat"],
    ["sunday", "sundays", "sun", "sun", "sun"],
];

/// Nominative, genitive, dative, accusative, instrumental, prepositional, then nominative,
/// genitive, dative of the plural, then the short form.
const WEEKDAYS_RU: [[&str; 10]; 7] = [
    [
        "понедельник",
        "понедельника",
        "понедельнику",
        "понедельник",
        "понедельником",
        "понедельнике",
        "понедельники",
        "понедельников",
        "понедельникам",
        "пн",
    ],
    [
        "вторник",
        "вторника",
        "вторнику",
        "вторник",
        "вторником",
        "вторнике",
        "вторники",
        "вторников",
        "вторникам",
        "вт",
    ],
    ["среда", "среды", "среде", "среду", "средой", "среде", "среды", "сред", "средам", "ср"],
    [
        "четверг",
        "четверга",
        "четвергу",
        "четверг",
        "четвергом",
        "четверге",
        "четверги",
        "четвергов",
        "четвергам",
        "чт",
    ],
    [
        "пятница",
        "пятницы",
        "пятнице",
        "пятницу",
        "пятницей",
        "пятнице",
        "пятницы",
        "пятниц",
        "пятницам",
        "пт",
    ],
    [
        "суббота",
        "субботы",
        "субботе",
        "субботу",
        "субботой",
        "субботе",
        "субботы",
        "суббот",
        "субботам",
        "сб",
    ],
    [
        "воскресенье",
        "воскресенья",
        "воскресенью",
        "воскресенье",
        "воскресеньем",
        "воскресенье",
        "воскресенья",
        "воскресений",
        "воскресеньям",
        "вс",
    ],
];

const MONTHS_EN: [[&str; 2]; 12] = [
    ["january", "jan"],
    ["february", "feb"],
    ["march", "mar"],
    ["april", "apr"],
    ["may", "may"],
    ["june", "jun"],
    ["july", "jul"],
    ["august", "aug"],
    ["september", "sep"],
    ["october", "oct"],
    ["november", "nov"],
    ["december", "dec"],
];

/// Nominative, genitive, dative, accusative, instrumental, prepositional, short.
const MONTHS_RU: [[&str; 7]; 12] = [
    ["январь", "января", "январю", "январь", "январем", "январе", "янв"],
    ["февраль", "февраля", "февралю", "февраль", "февралем", "феврале", "фев"],
    ["март", "марта", "марту", "март", "мартом", "марте", "мар"],
    ["апрель", "апреля", "апрелю", "апрель", "апрелем", "апреле", "апр"],
    ["май", "мая", "маю", "май", "маем", "мае", "май"],
    ["июнь", "июня", "июню", "июнь", "июнем", "июне", "июн"],
    ["июль", "июля", "июлю", "июль", "июлем", "июле", "июл"],
    ["август", "августа", "августу", "август", "августом", "августе", "авг"],
    ["сентябрь", "сентября", "сентябрю", "сентябрь", "сентябрем", "сентябре", "сен"],
    ["октябрь", "октября", "октябрю", "октябрь", "октябрем", "октябре", "окт"],
    ["ноябрь", "ноября", "ноябрю", "ноябрь", "ноябрем", "ноябре", "ноя"],
    ["декабрь", "декабря", "декабрю", "декабрь", "декабрем", "декабре", "дек"],
];

/// The number of the row that holds `word`, and the places it has in that row.
fn row_of<const N: usize>(table: &[[&str; N]], word: &str) -> Option<(usize, Vec<usize>)> {
    table.iter().enumerate().find_map(|(i, row)| {
        let places: Vec<usize> = (0..N).filter(|&j| row[j] == word).collect();
        (!places.is_empty()).then_some((i, places))
    })
}

/// The weekday that a lower-case word names, Monday 0.
pub(super) fn weekday(word: &str) -> Option<i64> {
    row_of(&WEEKDAYS_EN, word)
        .or_else(|| row_of(&WEEKDAYS_RU, word))
        .and_then(|(i, _)| i64::try_from(i).ok())
}

/// The month that a lower-case word names, January 1.
pub(super) fn month(word: &str) -> Option<i64> {
    row_of(&MONTHS_EN, word)
        .or_else(|| row_of(&MONTHS_RU, word))
        .and_then(|(i, _)| i64::try_from(i + 1).ok())
}

/// The quarter that a lower-case text value names: `q3`, `3 квартал`, `iii кв.`.
pub(super) fn quarter(text: &str) -> Option<i64> {
    let words = text.trim().trim_end_matches('.');
    let rest = words.strip_prefix('q').or_else(|| {
        ["квартал", "кв", "quarter"].iter().find_map(|noun| words.strip_suffix(noun))
    })?;
    let figure = rest.trim_matches([' ', '-', '.', '\u{a0}']);
    let roman = ["i", "ii", "iii", "iv"].iter().position(|r| *r == figure).map(|i| i as i64 + 1);
    roman.or_else(|| figure.parse().ok()).filter(|n| (1..=4).contains(n))
}

/// The month of a Russian adjective (`мартовский`), in any case.
pub(super) fn month_adjective(word: &str) -> Option<i64> {
    const STARTS: [&str; 12] = [
        "январск",
        "февральск",
        "мартовск",
        "апрельск",
        "майск",
        "июньск",
        "июльск",
        "августовск",
        "сентябрьск",
        "октябрьск",
        "ноябрьск",
        "декабрьск",
    ];
    let at = STARTS.iter().position(|start| {
        word.strip_prefix(start).is_some_and(|end| (2..=3).contains(&end.chars().count()))
    })?;
    i64::try_from(at + 1).ok()
}

/// Whether a short or ambiguous English name must be written with a capital to count as one.
pub(super) fn needs_capital(word: &str) -> bool {
    word.is_ascii() && (word.len() <= 5 || month(word).is_some())
}

/// The four quarters as ordinals, in the cases of Russian.
const ORDINALS: &[[&str; 4]] = &[
    ["first", "second", "third", "fourth"],
    ["первый", "второй", "третий", "четвертый"],
    ["первого", "второго", "третьего", "четвертого"],
    ["первому", "второму", "третьему", "четвертому"],
    ["первым", "вторым", "третьим", "четвертым"],
    ["первом", "втором", "третьем", "четвертом"],
];

/// Writes the name `to` (shown as `plain` where there is no better way) the way the text wrote
/// `said`. `before` is the word before it, in lower case.
pub(super) fn write_like(
    axis: &Axis,
    original: &str,
    before: &str,
    to: &Name,
    plain: &str,
) -> String {
    let whole = original.to_lowercase();
    let (before, lower, lead) = match whole.split_once(' ') {
        // The preposition belongs to the claim: it changes with the name.
        Some((p @ ("в" | "во"), rest)) => (p, rest, true),
        _ => (before, whole.as_str(), false),
    };
    let index = if let Name::Index(i) = to { usize::try_from(*i).ok() } else { None };
    // `the first` quarter becomes the fourth, and no 4.
    if let (Axis::Quarter, Some(i)) = (axis, index)
        && let Some(forms) = ORDINALS.iter().find(|forms| forms.contains(&lower))
        && let Some(form) = i.checked_sub(1).and_then(|i| forms.get(i))
    {
        return if lead { format!("{before} {form}") } else { (*form).to_owned() };
    }
    let found = match (axis, index) {
        (Axis::Weekday, Some(i)) => pick(&WEEKDAYS_EN, lower, i, |p| p.first().copied())
            .or_else(|| pick(&WEEKDAYS_RU, lower, i, |p| Some(case(p, before)))),
        (Axis::Month, Some(i)) if i > 0 => pick(&MONTHS_EN, lower, i - 1, |p| p.first().copied())
            .or_else(|| pick(&MONTHS_RU, lower, i - 1, |p| Some(case(p, before)))),
        _ => None,
    };
    let Some(mut text) = found else { return plain.to_owned() };
    if lead {
        let preposition = if text.starts_with("вт") { "во" } else { "в" };
        text = format!("{preposition} {text}");
    }
    // English names keep their capital, Russian ones take that of the old words.
    if text.is_ascii() || original.starts_with(char::is_uppercase) {
        text = capitalised(&text);
    }
    text
}

/// Whether another name can stand in place of `old` without breaking the grammar around it.
/// `before` is the word before, in lower case. A Russian name that is the subject has verbs and
/// adjectives that agree with it, and a Russian text value has no form but its own.
pub(super) fn replaceable(old: &str, before: &str) -> bool {
    let whole = old.to_lowercase();
    if !super::lex::is_cyrillic(&whole) || whole.chars().any(char::is_numeric) {
        return true;
    }
    let (before, lower) = match whole.split_once(' ') {
        Some((p @ ("в" | "во"), rest)) => (p, rest),
        _ => (before, whole.as_str()),
    };
    match row_of(&WEEKDAYS_RU, lower) {
        Some((_, places)) => case(&places, before) != 0,
        None => month(lower).is_some() || COMPARATIVES.iter().any(|(word, _)| *word == lower),
    }
}

/// A name without the ending of `Friday's`, `Fridays'`.
pub(super) fn without_possessive(words: &str) -> &str {
    ["'s", "\u{2019}s", "'", "\u{2019}"]
        .iter()
        .find_map(|end| words.strip_suffix(end))
        .unwrap_or(words)
}

/// `text` with a capital.
pub(super) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

fn pick<const N: usize>(
    table: &[[&str; N]],
    word: &str,
    to: usize,
    place: impl Fn(&[usize]) -> Option<usize>,
) -> Option<String> {
    let (_, places) = row_of(table, word)?;
    Some((*table.get(to)?.get(place(&places)?)?).to_owned())
}

/// The case of a Russian form, by the word before it where the form leaves it open.
fn case(places: &[usize], before: &str) -> usize {
    let wanted: &[usize] = match before {
        "в" | "во" | "на" | "за" => &[3, 5],
        "по" => &[8, 2],
        "к" | "ко" => &[2],
        "о" | "об" => &[5],
        "с" | "со" | "у" | "от" | "до" | "для" | "против" | "чем" => &[1, 4],
        _ => &[],
    };
    wanted
        .iter()
        .copied()
        .find(|c| places.contains(c))
        .or_else(|| places.first().copied())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Axis, Name, month, replaceable, weekday, write_like};

    #[test]
    fn calendar_words() {
        for (word, day) in [("monday", 0), ("fri", 4), ("пятницу", 4), ("средам", 2), ("вс", 6)]
        {
            assert_eq!(weekday(word), Some(day), "{word}");
        }
        assert_eq!((month("мая"), month("dec"), month("moon")), (Some(5), Some(12), None));
    }

    #[test]
    fn same_form() {
        for (said, before, to, expected, fits) in [
            ("Friday", "on", 0, "Monday", true),
            ("Fridays", "", 0, "Mondays", true),
            ("Fri", "", 0, "Mon", true),
            ("в пятницу", "", 1, "во вторник", true),
            ("пятницам", "по", 0, "понедельникам", true),
            ("пятница", "", 0, "понедельник", false),
            ("вторник", "в", 2, "среду", true),
        ] {
            let written = write_like(&Axis::Weekday, said, before, &Name::Index(to), "x");
            assert_eq!((written.as_str(), replaceable(said, before)), (expected, fits), "{said}");
        }
    }
}
