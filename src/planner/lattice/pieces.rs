//! The words of a question in pieces, and where names and values run over them.

use super::super::dictionary::{same_noun, same_sex};
use super::super::stem::{alike, differ_in_ending, oblique, parts, stem, without_vowel};
use super::super::token::{Token, TokenKind};
use super::super::words::is_participle;
use super::{
    BEGINNING, BY_DICTIONARY, INFLECTED, MISSPELT, Name, Naming, Piece, is_function_word,
    is_short_participle,
};
use crate::disclose::is_case_of;

/// Quickly: something in the question begins as the value does.
pub(super) fn may_occur(value: &str, pieces: &[Piece], tokens: &[Token], sexed: bool) -> bool {
    let begins = |text: &str| {
        let mut text = text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
        let start = value.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase);
        start.take(BEGINNING).all(|c| match text.next() {
            Some(t) => t == c || (t == 'е' && c == 'ё') || (t == 'ё' && c == 'е'),
            // a short piece; the rest stands in the next one
            None => true,
        })
    };
    pieces.iter().any(|p| {
        begins(&p.folded)
            || of_short(&p.folded).is_some_and(|w| begins(&w))
            || same_sex(&value.to_lowercase(), &p.folded, sexed)
    }) || tokens.iter().any(|t| t.kind == TokenKind::Quoted && begins(t.raw.trim()))
}

pub(super) fn pieces(tokens: &[Token]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (number, token) in tokens.iter().enumerate() {
        if !matches!(token.kind, TokenKind::Word | TokenKind::Number { .. }) {
            continue;
        }
        let list = parts(&token.raw);
        let count = list.len();
        for (i, folded) in list.into_iter().enumerate() {
            pieces.push(Piece {
                token: number,
                first: i == 0,
                last: i + 1 == count,
                stem: stem(&folded),
                other: without_vowel(&folded).or_else(|| of_short(&folded)).map(|word| stem(&word)),
                folded,
            });
        }
    }
    pieces
}

/// The word of three letters of which a folded one may be a case: `чая` of `чай`.
pub(super) fn of_short(folded: &str) -> Option<String> {
    let cases = ["я", "ю", "е", "ем"];
    let base = cases.iter().find_map(|ending| folded.strip_suffix(ending))?;
    let short = base.chars().count() == 2 && base.chars().all(|c| ('а'..='я').contains(&c));
    short.then(|| format!("{base}й"))
}

/// Every run of whole tokens that names `name` or a part of it: first token, end, how well.
pub(super) fn runs(pieces: &[Piece], name: &Name) -> Vec<(usize, usize, Naming)> {
    let mut found = Vec::new();
    for (start, first) in pieces.iter().enumerate() {
        if !first.first {
            continue;
        }
        for offset in 0..name.stems.len() {
            let mut quality: f64 = 1.0;
            let mut length = 0;
            for (piece, wanted) in pieces.iter().skip(start).zip(name.stems.iter().skip(offset)) {
                if piece.stem == *wanted || piece.other.as_ref() == Some(wanted) {
                } else if same_noun(&piece.stem, wanted)
                    || piece.other.as_ref().is_some_and(|other| same_noun(other, wanted))
                {
                    quality = quality.min(BY_DICTIONARY);
                } else if let Some(word) =
                    name.folded.get(offset + length).filter(|w| alike(&piece.folded, w))
                {
                    // `страниц` may be a slip for `страна`, `принятые` is a form of `принят`
                    let form = is_short_participle(word)
                        || is_participle(&piece.folded)
                        || differ_in_ending(&piece.folded, word);
                    quality = quality.min(if form { INFLECTED } else { MISSPELT });
                } else {
                    break;
                }
                length += 1;
                if !piece.last {
                    continue;
                }
                let end = piece.token + 1;
                if offset == 0 && length == name.stems.len() {
                    found.push((first.token, end, Naming::Whole(quality)));
                } else if piece.folded.chars().count() > 1
                    && piece.folded.chars().any(char::is_alphabetic)
                    && name.folded.iter().skip(offset).take(length).any(|w| !is_function_word(w))
                {
                    found.push((first.token, end, Naming::Part(quality)));
                }
            }
        }
    }
    found
}

/// The whole tokens from piece `start` on that are the value with these parts.
pub(super) fn value_run(
    pieces: &[Piece],
    start: usize,
    value: &[String],
    sexed: bool,
) -> Option<(usize, usize, f64)> {
    let run = pieces.get(start..start + value.len())?;
    let (first, last) = (run.first()?, run.last()?);
    if !first.first || !last.last {
        return None;
    }
    let mut quality: f64 = 1.0;
    for (piece, part) in run.iter().zip(value) {
        if piece.folded == *part {
            continue;
        }
        if value.len() == 1 && same_sex(part, &piece.folded, sexed) {
            quality = INFLECTED;
            continue;
        }
        // `самок` of `самка`, `пристроенных` of `пристроен`
        if piece.other.as_ref().is_some_and(|other| *other == stem(part))
            || (is_short_participle(part) && alike(&piece.folded, part))
            || oblique(part).is_some_and(|stem| stem == piece.stem)
        {
            quality = INFLECTED;
            continue;
        }
        // `Ивановой Анны`
        if value.len() > 1 && is_case_of_name(part, &piece.folded) {
            quality = INFLECTED;
            continue;
        }
        // an inflected form; stems are dear, so only of words that begin alike
        if !piece.folded.chars().take(BEGINNING).eq(part.chars().take(BEGINNING))
            || piece.stem.chars().count() < BEGINNING
            || stem(part) != piece.stem
        {
            return None;
        }
        quality = INFLECTED;
    }
    Some((first.token, last.token + 1, quality))
}

/// The word is a case of the part of a name (`Анны` of `Анна`); both are folded.
pub(super) fn is_case_of_name(part: &str, word: &str) -> bool {
    let letters = |text: &str| text.chars().count() >= BEGINNING;
    part.chars().next() == word.chars().next()
        && part.chars().all(|c| ('а'..='я').contains(&c))
        && letters(part)
        && letters(word)
        && is_case_of(word, part)
}
