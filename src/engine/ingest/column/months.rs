//! Dates with the name of the month, in English and Russian: `Jan 1 2000`, `1 января 2000`,
//! `Jan 2000` (its first day).

use super::moment::days;

/// The months' names, each as nominative and genitive.
const MONTHS: [[&str; 3]; 12] = [
    ["january", "январь", "января"],
    ["february", "февраль", "февраля"],
    ["march", "март", "марта"],
    ["april", "апрель", "апреля"],
    ["may", "май", "мая"],
    ["june", "июнь", "июня"],
    ["july", "июль", "июля"],
    ["august", "август", "августа"],
    ["september", "сентябрь", "сентября"],
    ["october", "октябрь", "октября"],
    ["november", "ноябрь", "ноября"],
    ["december", "декабрь", "декабря"],
];

/// Takes a date from the front of `rest`; gives days since 1970.
pub(super) fn take(rest: &mut &str) -> Option<i64> {
    let mut after = *rest;
    let first = word(&mut after)?;
    separator(&mut after)?;
    let second = word(&mut after)?;
    let (day, month, year) = match (month(first), number(second, 4)) {
        (Some(month), Some(year)) => (1, month, year),
        (Some(month), None) => {
            separator(&mut after)?;
            (number(second, 2)?, month, number(word(&mut after)?, 4)?)
        }
        (None, _) => {
            separator(&mut after)?;
            (number(first, 2)?, month(second)?, number(word(&mut after)?, 4)?)
        }
    };
    let date = days(year, month, day)?;
    *rest = after;
    Some(date)
}

/// Takes letters or digits.
fn word<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let letters = rest.chars().next()?.is_alphabetic();
    let end = rest.find(|c: char| if letters { !c.is_alphabetic() } else { !c.is_ascii_digit() });
    let (word, after) = rest.split_at(end.unwrap_or(rest.len()));
    *rest = after;
    (!word.is_empty()).then_some(word)
}

/// Takes what stands between the parts of a date.
fn separator(rest: &mut &str) -> Option<()> {
    let after = rest.trim_start_matches(['.', ',']);
    let after = after.strip_prefix([' ', '-', '/']).unwrap_or(after);
    let some = after.len() < rest.len();
    *rest = after;
    some.then_some(())
}

/// The month whose name begins so; three letters at least.
fn month(word: &str) -> Option<u32> {
    if word.len() < 3 || word.len() > 18 || word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let word = word.to_lowercase();
    let known = |names: &[&str; 3]| names.iter().any(|name| name.starts_with(&word));
    let found = MONTHS.iter().position(known).filter(|_| word.chars().count() >= 3)?;
    u32::try_from(found + 1).ok()
}

/// A number of up to two digits, or of exactly four.
fn number(word: &str, digits: usize) -> Option<u32> {
    let fits = if digits == 4 { word.len() == 4 } else { word.len() <= digits };
    word.parse().ok().filter(|_| fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_months() {
        for (text, expected) in [
            ("Jan 1 2000", days(2000, 1, 1)),
            ("January 31, 2000", days(2000, 1, 31)),
            ("1 Jan 2000", days(2000, 1, 1)),
            ("01-Feb-2000", days(2000, 2, 1)),
            ("Sept. 9, 2001", days(2001, 9, 9)),
            ("Jan 2000", days(2000, 1, 1)),
            ("5 мая 2020", days(2020, 5, 5)),
            ("май 2020", days(2020, 5, 1)),
            ("31 дек. 2020", days(2020, 12, 31)),
            ("Feb 30 2000", None),
            ("Ja 1 2000", None),
            ("Maybe 2000", None),
            ("Jan 1", None),
            ("1 2000", None),
            ("Jan", None),
            ("Jan 20000", None),
            ("", None),
        ] {
            let mut rest = text;
            assert_eq!(take(&mut rest).filter(|_| rest.is_empty()), expected, "{text}");
        }
    }
}
