//! Places in an order: `third`, `6th`, `двенадцатый`, `twenty-first`.

use super::super::lex::{Kind, Token};

const ENGLISH: [&str; 20] = [
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
    "twentieth",
];

/// The starts of the Russian ordinals, without their endings.
const RUSSIAN: [&str; 20] = [
    "перв",
    "втор",
    "трет",
    "четверт",
    "пят",
    "шест",
    "седьм",
    "восьм",
    "девят",
    "десят",
    "одиннадцат",
    "двенадцат",
    "тринадцат",
    "четырнадцат",
    "пятнадцат",
    "шестнадцат",
    "семнадцат",
    "восемнадцат",
    "девятнадцат",
    "двадцат",
];

/// The endings of an ordinal: `пять`, `пятница` and `треть` have none of them.
const ENDINGS: &[&str] = &[
    "ый", "ой", "ий", "ая", "ое", "ого", "ому", "ым", "ом", "ую", "ые", "ых", "ыми", "ья", "ье",
    "ьего", "ьему", "ьим", "ьем", "ью", "ьей", "ьи", "ьих", "ьими",
];

/// The place that the word at a token states. Nothing for a word that is no ordinal.
pub(in super::super) fn rank(tokens: &[Token], at: usize) -> Option<usize> {
    let token = tokens.get(at)?;
    if let Kind::Ordinal(n) = token.kind {
        return Some(n as usize);
    }
    if !token.is_word() {
        return None;
    }
    let word = token.lower.as_str();
    let place = ENGLISH.iter().position(|w| *w == word).or_else(|| {
        RUSSIAN
            .iter()
            .position(|start| word.strip_prefix(start).is_some_and(|end| ENDINGS.contains(&end)))
    })? + 1;
    Some(place)
}

/// The same, where the ordinal is the last word of a longer one: nothing is known of
/// `twenty-first`, which is not the first.
pub(in super::super) fn is_part(tokens: &[Token], at: usize) -> bool {
    let tens = [
        "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety", "hundred",
        "двадцать", "тридцать", "сорок", "пятьдесят", "шестьдесят", "семьдесят", "восемьдесят",
        "девяносто", "сто",
    ];
    let hyphen = usize::from(at > 0 && tokens[at - 1].is('-'));
    at.checked_sub(1 + hyphen).is_some_and(|i| tens.contains(&tokens[i].lower.as_str()))
}
