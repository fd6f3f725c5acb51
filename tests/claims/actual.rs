//! Whether what the check gives in place of a wrong number is the right one: that of the same entity
//! and of the same measure. Names are found in the text anew, by other means than the check's.

use crate::corpus::Section;
use crate::mutate::{Style, names};
use chrono::{Datelike, NaiveDate};
use pinhole::query::check::{ResultKind, Role};
use pinhole::schema::Kind;
use pinhole::validate::{Check, Claim, FactRef, Verdict};
use pinhole::value::Value;
use std::ops::Range;

/// The claims over a place that are contradicted with an actual value.
pub fn given<'c>(
    found: &'c Check,
    place: &'c Range<usize>,
) -> impl Iterator<Item = (&'c Claim, &'c str)> {
    found.claims.iter().filter_map(|claim| {
        let over = claim.span.start < place.end.max(place.start + 1)
            && claim.span.end > place.start
            && claim.verdict == Verdict::Contradicted;
        let actual = claim.actual.as_deref().filter(|actual| !actual.is_empty());
        actual.filter(|_| over).map(|actual| (claim, actual))
    })
}

/// Of a true sentence with one number made wrong: the actual value is the number that stood there,
/// or the same in the scale that was written after it.
pub fn is_that(actual: &str, right: &str, kind: &str) -> bool {
    let (Some(a), Some(b)) = (Style::of(actual), Style::of(right)) else {
        return actual == right || right.chars().all(char::is_alphabetic);
    };
    let decimals = |style: &Style| 10f64.powi(-(style.decimals as i32));
    let same = |scale: f64| {
        let half = 0.5 * (decimals(&a) * scale + decimals(&b));
        (a.value * scale - b.value).abs() <= half + 1e-9
    };
    same(1.0) || kind == "scale" && same(1e3)
}

/// Of a false sentence, after its question: the value or name given is that of what the two name.
/// `wrong` are the words that it stands in place of.
pub fn is_of_what_it_names(
    section: &Section,
    (question, sentence): (&str, &str),
    wrong: &str,
    claim: &Claim,
    actual: &str,
) -> bool {
    let outcome = &section.outcome;
    let Some(fact) = &claim.fact else { return is_known_name(section, actual) };
    if section.beside.iter().any(|other| other.id == fact.result) {
        return false;
    }
    let sentence = lower(sentence);
    let text = format!("{} {sentence}", lower(question));
    let column = outcome.columns.iter().position(|c| c.column.name == fact.column);
    let sum = claim.formula.as_ref().is_some_and(|f| f.starts_with("sum of"));
    if sum {
        return !["median", "average", "mean ", "медиан", "средн"].iter().any(|w| text.contains(w));
    }
    let (Some(row), Some(column)) = (fact.row, column) else {
        // A count, a statistic, or what a formula made of facts whose names its key holds.
        return claim.operands.iter().filter_map(|fact| fact.row).all(|row| {
            let end = |fact: &&FactRef| fact.row == Some(row);
            let fact = claim.operands.iter().find(end);
            says_row(section, &text, row) || fact.is_some_and(|fact| is_an_end(section, fact))
        });
    };
    // Of the measures that the text names it is one; where it names none, any may be meant. Where only
    // the question names some, it may also be the one that holds the wrong number.
    let is_named = |text: &str, c: usize| {
        let name = outcome.columns[c].column.name.as_str();
        let mut translated = OTHERS.iter().filter(|(of, _)| *of == name);
        if translated.any(|(_, start)| text.contains(start)) {
            return true;
        }
        names(section, c).iter().any(|name| {
            let stem: String = name.chars().take(name.chars().count().max(5) - 2).collect();
            text.contains(&stem)
        })
    };
    let mut measures = (0..outcome.columns.len()).filter(|&c| is_measure(section, c));
    let held = Style::of(wrong)
        .is_some_and(|x| (0..outcome.rows.len()).any(|row| shows(section, &x, row, column)));
    let measured = is_named(&text, column)
        || held && !measures.clone().any(|c| is_named(&sentence, c))
        || !measures.any(|c| is_named(&text, c));
    let number = actual.contains(|c: char| c.is_ascii_digit());
    let value = !number
        || claim.formula.is_some()
        || outcome.value(row, column).as_f64() == fact.value.as_f64();
    // What is said of an end of the order names no row.
    let name = actual.to_lowercase().replace('ё', "е");
    let of_row = outcome.rows.len() == 1
        || says_row(section, &text, row)
        || is_known_name(section, actual) && says_row(section, &name, row);
    measured && value && (of_row || is_an_end(section, fact))
}

/// How words begin that name a column to which the schema gives no such name.
const OTHERS: &[(&str, &str)] = &[
    ("tests", "тест"),
    ("packs", "пач"),
    ("customers", "клиент"),
    ("purchases", "покуп"),
    ("largest", "biggest"),
    ("revenue", " made "),
    ("revenue", "brought in"),
    ("revenue", "earner"),
    ("orders", "заказов"),
    ("depth", "deep"),
    ("depth", "глубок"),
    ("depth", "глубж"),
    ("share", "%"),
];

/// A cell of a measure shows the number as it is written.
pub fn shows(section: &Section, said: &Style, row: usize, column: usize) -> bool {
    let half = 0.5 * 10f64.powi(-(said.decimals as i32)) + 1e-9;
    let cell = section.outcome.value(row, column).as_f64();
    is_measure(section, column)
        && cell.is_some_and(|x| {
            [1.0, 1e3, 1e6, 1e9]
                .iter()
                .any(|scale| (x.abs() / scale - said.value.abs()).abs() <= half)
        })
}

/// In lower case, with one spelling of a Russian letter that has two.
pub fn lower(text: &str) -> String {
    text.to_lowercase().replace('ё', "е")
}

/// A column of numbers that are no names of groups.
pub fn is_measure(section: &Section, column: usize) -> bool {
    let column = &section.outcome.columns[column];
    column.column.kind.is_numeric() && column.role != Role::Key
}

/// The name of a row, or a day, month, year or word of direction that stands in place of one.
fn is_known_name(section: &Section, actual: &str) -> bool {
    let outcome = &section.outcome;
    let said = actual.to_lowercase().replace('ё', "е");
    let row = (0..outcome.rows.len()).any(|row| says_row(section, &said, row));
    row || !outcome.columns.iter().any(|c| {
        let known = |row| outcome.value(row, 0).to_string().to_lowercase() == said;
        c.role == Role::Key && (0..outcome.rows.len()).any(known)
    })
}

/// The value is the largest or the smallest of its column.
fn is_an_end(section: &Section, fact: &FactRef) -> bool {
    let outcome = &section.outcome;
    let Some(column) = outcome.columns.iter().position(|c| c.column.name == fact.column) else {
        return false;
    };
    let values = (0..outcome.rows.len()).filter_map(|row| outcome.value(row, column).as_f64());
    let (low, high) = values.fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
    fact.value.as_f64().is_some_and(|x| x == low || x == high)
}

/// Every key of the row is named, or where there are none any of its texts and dates.
pub fn says_row(section: &Section, text: &str, row: usize) -> bool {
    let outcome = &section.outcome;
    let of = |keys: bool| {
        (0..outcome.columns.len()).filter(move |&c| {
            let column = &outcome.columns[c];
            if keys { column.role == Role::Key } else { !column.column.kind.is_numeric() }
        })
    };
    let says = |c: usize| says(text, outcome.columns[c].column.kind, &outcome.value(row, c));
    match outcome.kind() {
        ResultKind::Table => of(false).any(says),
        _ => of(true).all(|c| says(c) || is_fixed(section, c)),
    }
}

/// All rows have the same name in this column: nobody says it.
fn is_fixed(section: &Section, column: usize) -> bool {
    let outcome = &section.outcome;
    let first = outcome.value(0, column);
    (1..outcome.rows.len()).all(|row| outcome.value(row, column) == first)
}

/// Days and months as the beginnings of their words, in both languages.
const CALENDAR: &[&[&str]] = &[
    &["mon", "monday", "понедельник"],
    &["tue", "tuesday", "вторник"],
    &["wed", "wednesday", "сред"],
    &["thu", "thursday", "четверг"],
    &["fri", "friday", "пятниц"],
    &["sat", "saturday", "суббот"],
    &["sun", "sunday", "воскресен"],
    &["jan", "january", "январ"],
    &["feb", "february", "феврал"],
    &["mar", "march", "март"],
    &["apr", "april", "апрел"],
    &["may", "may", "мая", "май", "мае"],
    &["jun", "june", "июн"],
    &["jul", "july", "июл"],
    &["aug", "august", "август"],
    &["sep", "september", "сентябр"],
    &["oct", "october", "октябр"],
    &["nov", "november", "ноябр"],
    &["dec", "december", "декабр"],
];

fn says(text: &str, kind: Kind, value: &Value) -> bool {
    let plain = value.to_string().to_lowercase().replace('ё', "е");
    if matches!(kind, Kind::Date | Kind::Timestamp) {
        let Some(date) = plain.get(..10).and_then(|d| d.parse::<NaiveDate>().ok()) else {
            return false;
        };
        let month = CALENDAR[6 + date.month() as usize];
        let day = format!("{:02}.{:02}", date.day(), date.month());
        let own = text.contains(&date.day().to_string()) || date.day() == 1;
        return text.contains(&date.to_string())
            || text.contains(&day)
            || own && month.iter().any(|name| text.contains(name))
            || date.ordinal() == 1 && text.contains(&date.year().to_string());
    }
    if let Some(names) = CALENDAR.iter().find(|names| names.contains(&plain.as_str())) {
        return names.iter().any(|name| text.contains(name));
    }
    // The beginnings of its words: endings are declined.
    plain.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).all(|word| {
        let n = word.chars().count();
        let short = if n == 3 && !word.is_ascii() { 2 } else { n.clamp(1, 3) };
        let start: String = word.chars().take(if n > 4 { n - 2 } else { short }).collect();
        text.contains(&start)
    })
}
