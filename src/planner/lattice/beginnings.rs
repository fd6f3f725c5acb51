//! How the words of a question begin: what turns most values of a long list away at once.

use super::super::token::{Token, TokenKind};
use super::pieces::of_short;
use super::{BEGINNING, Piece};

/// The first letters or digits of a word, folded; none where it is shorter.
type Start = [Option<char>; BEGINNING];

/// How the words of a question begin.
pub(super) struct Beginnings {
    words: Vec<Start>,
    /// Of the words of quoted texts, which are values as they stand.
    quoted: Vec<Vec<Start>>,
}

impl Beginnings {
    pub fn of(pieces: &[Piece], tokens: &[Token]) -> Self {
        let quoted = tokens.iter().filter(|t| t.kind == TokenKind::Quoted);
        let quoted = quoted.map(|t| starts(&t.raw).collect()).collect();
        let mut words: Vec<Start> = pieces.iter().flat_map(|p| starts(&p.folded)).collect();
        let short: Vec<String> = pieces.iter().filter_map(|p| of_short(&p.folded)).collect();
        words.extend(short.iter().flat_map(|word| starts(word)));
        words.sort_unstable();
        words.dedup();
        Self { words, quoted }
    }

    /// Every word of the value begins as a word of the question does, or the question has it in
    /// quotes: it may be named there.
    pub fn has(&self, value: &str) -> bool {
        let mut rest = starts(value);
        let Some(first) = rest.next() else { return true };
        // words for people's sex begin otherwise than its values
        if matches!(first, [Some('f' | 'm' | 'w' | 'ж' | 'м'), ..])
            || self
                .quoted
                .iter()
                .any(|text| text.first() == Some(&first) && starts(value).eq(text.iter().copied()))
        {
            return true;
        }
        self.words.contains(&first) && rest.all(|start| self.words.contains(&start))
    }
}

/// How the parts of a text begin; it is cut where names are.
fn starts(text: &str) -> impl Iterator<Item = Start> + '_ {
    let mut chars = text.chars().peekable();
    let mut before_lower = false;
    std::iter::from_fn(move || {
        let mut start = Start::default();
        let mut length = 0;
        while let Some(&c) = chars.peek() {
            let part = c.is_alphanumeric();
            if length > 0 && (!part || (c.is_uppercase() && before_lower)) {
                break;
            }
            before_lower = c.is_lowercase() || c.is_ascii_digit();
            chars.next();
            let mut add = |c: char| {
                if let Some(place) = start.get_mut(length) {
                    *place = Some(if c == 'ё' { 'е' } else { c });
                }
                length += 1;
            };
            match c {
                _ if !part => {}
                // most letters, without the table of all of them
                'a'..='z' | '0'..='9' => add(c),
                'A'..='Z' => add(c.to_ascii_lowercase()),
                _ => c.to_lowercase().for_each(add),
            }
        }
        (length > 0).then_some(start)
    })
}

#[cfg(test)]
mod tests {
    use super::super::super::stem::parts;
    use super::*;

    #[test]
    fn texts_are_cut_where_names_are() {
        for text in ["Value 42 of 7", "totalAmount_usd", "Пятёрочка", "-", "", "A320", "x2Y"]
        {
            let expected: Vec<Start> = parts(text)
                .iter()
                .map(|part| {
                    let mut letters = part.chars();
                    std::array::from_fn(|_| letters.next())
                })
                .collect();
            assert_eq!(starts(text).collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
