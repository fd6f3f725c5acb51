//! Numbers that are no counts: places in an order (`third`, `6th`, `двенадцатый`), shares (`one in
//! five`, `каждый третий`), words of scale.

use super::super::lex::{Kind, Token};
use super::{SPELLED, find};

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

/// An ordinal for another place, in the form of the one that stands there. Nothing where it has none.
pub(in super::super) fn rank_like(word: &str, rank: usize) -> Option<String> {
    let at = rank.checked_sub(1)?;
    if ENGLISH.contains(&word) {
        return ENGLISH.get(at).map(|w| (*w).to_owned());
    }
    let end = RUSSIAN
        .iter()
        .find_map(|start| word.strip_prefix(start).filter(|end| ENDINGS.contains(end)))?;
    // The gender and the case that the ending says.
    let (hard, stressed, soft) = match end {
        "ый" | "ой" | "ий" => ("ый", "ой", "ий"),
        "ая" | "ья" => ("ая", "ая", "ья"),
        "ое" | "ье" => ("ое", "ое", "ье"),
        "ом" | "ьем" => ("ом", "ом", "ьем"),
        "ым" | "ьим" => ("ым", "ым", "ьим"),
        "ую" | "ью" => ("ую", "ую", "ью"),
        "ого" | "ьего" => ("ого", "ого", "ьего"),
        _ => return None,
    };
    let start = RUSSIAN.get(at)?;
    Some(match rank {
        3 => format!("{start}{soft}"),
        2 | 6 | 7 | 8 => format!("{start}{stressed}"),
        _ => format!("{start}{hard}"),
    })
}

/// The same, where the ordinal is the last word of a longer one: nothing is known of
/// `twenty-first`, which is not the first.
pub(in super::super) fn is_part(tokens: &[Token], at: usize) -> bool {
    let tens = [
        "twenty",
        "thirty",
        "forty",
        "fifty",
        "sixty",
        "seventy",
        "eighty",
        "ninety",
        "hundred",
        "двадцать",
        "тридцать",
        "сорок",
        "пятьдесят",
        "шестьдесят",
        "семьдесят",
        "восемьдесят",
        "девяносто",
        "сто",
    ];
    let hyphen = usize::from(at > 0 && tokens[at - 1].is('-'));
    at.checked_sub(1 + hyphen).is_some_and(|i| tens.contains(&tokens[i].lower.as_str()))
}

/// `one in five`, `every third`, `каждый десятый`: the share in per cent, and how many tokens say it.
pub(in super::super) fn one_in(tokens: &[Token], at: usize) -> Option<(f64, usize)> {
    let word = |i: usize| tokens.get(i).map_or("", |t| t.lower.as_str());
    let part = |n: f64| (n > 1.0).then(|| 100.0 / n);
    if word(at) == "one" && word(at + 1) == "in" {
        let (n, len) = find(SPELLED, tokens, at + 2)?;
        return Some((part(f64::from(n))?, 2 + len));
    }
    // `every second` is mostly a time.
    let every = word(at) == "every" || word(at).starts_with("кажд");
    let n = rank(tokens, at + 1).filter(|n| every && (*n > 2 || word(at) != "every"))?;
    Some((part(n as f64)?, 2))
}

/// What a word of scale multiplies by.
pub(in super::super) fn scale(word: &str) -> Option<f64> {
    let of = [
        ("thousand", 1e3),
        ("million", 1e6),
        ("billion", 1e9),
        ("trillion", 1e12),
        ("тысяч", 1e3),
        ("миллион", 1e6),
        ("миллиард", 1e9),
        ("триллион", 1e12),
    ];
    of.iter().find(|(start, _)| word.starts_with(start)).map(|(_, scale)| *scale)
}
