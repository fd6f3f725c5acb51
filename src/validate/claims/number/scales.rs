//! The scale behind the digits: `4.82M`, `5,2 тыс.`, `3.1 bn`, `$1.2t`.

use super::{CURRENCIES, SPACES, starts_with_letter};

/// Abbreviations and words of scale, in lower case. A Russian word may have any ending.
const WORDS: &[(&str, f64)] = &[
    ("thousand", 1e3),
    ("thousands", 1e3),
    ("million", 1e6),
    ("millions", 1e6),
    ("billion", 1e9),
    ("billions", 1e9),
    ("trillion", 1e12),
    ("trillions", 1e12),
    ("тыс", 1e3),
    ("млн", 1e6),
    ("млрд", 1e9),
    ("трлн", 1e12),
    ("mln", 1e6),
    ("mio", 1e6),
    ("mn", 1e6),
    ("bln", 1e9),
    ("bn", 1e9),
    ("trn", 1e12),
    ("tn", 1e12),
];

const STARTS: &[(&str, f64)] =
    &[("тысяч", 1e3), ("миллион", 1e6), ("миллиард", 1e9), ("триллион", 1e12)];

/// Letters that touch the digits.
const LETTERS: &[(&str, f64)] =
    &[("K", 1e3), ("k", 1e3), ("К", 1e3), ("к", 1e3), ("M", 1e6), ("М", 1e6), ("B", 1e9)];

/// Letters that are a scale only of money: elsewhere they are metres, tonnes, bytes.
const OF_MONEY: &[(&str, f64)] =
    &[("m", 1e6), ("м", 1e6), ("mm", 1e6), ("MM", 1e6), ("b", 1e9), ("t", 1e12), ("T", 1e12)];

/// Words of money behind a scale.
const MONEY: &[&str] = &[
    "usd",
    "eur",
    "gbp",
    "rub",
    "jpy",
    "dollar",
    "euro",
    "pound",
    "ruble",
    "rouble",
    "yen",
    "руб",
    "доллар",
    "евро",
    "фунт",
    "иен",
];

/// The scale that a word of a name or of a unit says: a million of `gross_mln`. Letters alone say none.
pub(in super::super) fn scale_of(word: &str) -> Option<f64> {
    let whole = WORDS.iter().find(|(w, _)| *w == word);
    whole.or_else(|| STARTS.iter().find(|(w, _)| word.starts_with(w))).map(|(_, scale)| *scale)
}

/// The scale at the start of `rest`, and its bytes. `glued`: it touches the digits; `money`: a
/// currency stands before them.
pub(super) fn read(rest: &str, glued: bool, money: bool) -> Option<(f64, usize)> {
    let len = rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len());
    let (word, after) = rest.split_at(len);
    if word.is_empty() || starts_with_letter(after) {
        return None;
    }
    if glued {
        let of = |list: &[(&str, f64)]| list.iter().find(|(w, _)| *w == word).map(|(_, s)| *s);
        let money = || money || follows(after);
        if let Some(scale) = of(LETTERS).or_else(|| of(OF_MONEY).filter(|_| money())) {
            return Some((scale, len));
        }
    }
    let lower = word.to_lowercase();
    let scale = WORDS
        .iter()
        .find(|(w, _)| *w == lower && (glued || *w == word || w.len() > 3))
        .or_else(|| STARTS.iter().find(|(w, _)| lower.starts_with(w)))
        .map(|(_, scale)| *scale)?;
    // The dot of an abbreviation, unless it ends the sentence as well.
    let short = ["тыс", "млн", "млрд", "трлн", "mln", "bln"].contains(&lower.as_str());
    let dot = short
        && after.strip_prefix('.').is_some_and(|tail| {
            tail.trim_start().chars().next().is_some_and(|c| !c.is_uppercase())
                && !tail.starts_with('\n')
        });
    Some((scale, len + usize::from(dot)))
}

/// A currency stands right behind.
fn follows(after: &str) -> bool {
    let after = after.strip_prefix(|c| c == ' ' || SPACES.contains(&c)).unwrap_or(after);
    let word = after.find(|c: char| !c.is_alphabetic()).map_or(after, |end| &after[..end]);
    let word = word.to_lowercase();
    CURRENCIES.iter().any(|(symbol, _)| after.starts_with(symbol))
        || MONEY.iter().any(|w| word.starts_with(w))
}
