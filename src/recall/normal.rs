//! The form of a question by which it is found again, and the number of its record.

use sha2::{Digest, Sha256};

/// `question` without what says nothing: case, spaces, punctuation, Ё for Е. Signs that mean
/// something stay: `gap > 50` is not `gap < 50`, `-5` is not `5`, `2.5` is not `25`.
pub fn normalise(question: &str) -> String {
    let chars = folded(question);
    let mut normal = String::with_capacity(question.len());
    for (at, &c) in chars.iter().enumerate() {
        if stays(&chars, at, c) {
            normal.push(c);
        } else if !normal.is_empty() && !normal.ends_with(' ') {
            normal.push(' ');
        }
    }
    normal.truncate(normal.trim_end().len());
    normal
}

/// Lower case in one spelling; what cannot be seen is dropped.
fn folded(question: &str) -> Vec<char> {
    let lower = question.to_lowercase();
    let mut chars: Vec<char> = Vec::with_capacity(lower.len());
    for c in lower.chars() {
        match c {
            'ё' => chars.push('е'),
            // the same letters as two characters, as some systems write them
            '\u{308}' if chars.last() == Some(&'е') => {}
            '\u{306}' if chars.last() == Some(&'и') => {
                chars.pop();
                chars.push('й');
            }
            '–' | '—' | '−' | '‐' | '‑' => chars.push('-'),
            '’' | '‘' => chars.push('\''),
            '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}' => {}
            c if c.is_whitespace() || c.is_control() => chars.push(' '),
            c => chars.push(c),
        }
    }
    chars
}

fn stays(chars: &[char], at: usize, c: char) -> bool {
    let before = at.checked_sub(1).and_then(|i| chars.get(i)).copied();
    let after = chars.get(at + 1).copied();
    let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    match c {
        ' ' | '?' | ';' | '…' | '"' | '`' | '«' | '»' | '“' | '”' | '„' => false,
        '!' => after == Some('='),
        '.' | ',' | ':' | '\'' => inside(before) && inside(after),
        '-' => {
            let digit = |c: Option<&char>| c.is_some_and(char::is_ascii_digit);
            let minus = || {
                let earlier = chars.get(..at).unwrap_or_default();
                let later = chars.get(at + 1..).unwrap_or_default();
                digit(earlier.iter().rev().find(|&&c| c != ' '))
                    && digit(later.iter().find(|&&c| c != ' '))
            };
            inside(after) || minus()
        }
        _ => true,
    }
}

/// What a record is found by: the normal form of its question, and what was asked before it where it
/// answers that question after these alone.
pub(super) fn key(question: &str, after: Option<&str>) -> String {
    let normalised = normalise(question);
    match after {
        // no normal form has such a character
        Some(after) => format!("{normalised}\n{after}"),
        None => normalised,
    }
}

/// What stands before a next question: what stood before this one, the question, and what answered it.
pub fn after(before: &str, question: &str, answered: &str) -> String {
    let mut hash = Sha256::new();
    for part in [before, &normalise(question), answered] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    let mut digits = String::with_capacity(32);
    for byte in hash.finalize().iter().take(16) {
        for half in [byte >> 4, byte & 15] {
            digits.extend(char::from_digit(u32::from(half), 16));
        }
    }
    digits
}

/// The number of the record with this key: the same on every device, exact in a double.
pub(super) fn id(context: &str, key: &str) -> u64 {
    let mut hash = Sha256::new();
    hash.update(context.as_bytes());
    hash.update([0]);
    hash.update(key.as_bytes());
    let bits = hash.finalize().iter().take(8).fold(0, |bits: u64, b| (bits << 8) | u64::from(*b));
    (bits >> 11).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, expected: &str) {
        assert_eq!(normalise(question), expected, "{question}");
        assert_eq!(normalise(expected), expected, "{question}");
    }

    #[test]
    fn drops_what_says_nothing() {
        for (question, expected) in [
            ("  Average gap,  by weekday?! ", "average gap by weekday"),
            ("Весь объём «Ленты»…", "весь объем ленты"),
            ("объе\u{308}м за маи\u{306}", "объем за май"),
            ("gap > 50", "gap > 50"),
            ("gap < 50.", "gap < 50"),
            ("a != b!", "a != b"),
            ("more than 2.5%, or 1,000", "more than 2.5% or 1,000"),
            ("below -20 – by month", "below -20 by month"),
            ("5 - 3", "5 - 3"),
            ("топ-5", "топ-5"),
            ("what’s in utils.js?", "what's in utils.js"),
            ("from 9:30: volume", "from 9:30 volume"),
            ("mean(a + b) * 2", "mean(a + b) * 2"),
            ("?!…", ""),
        ] {
            check(question, expected);
        }
    }

    #[test]
    fn a_number_is_of_one_question_in_one_context() {
        assert_eq!(id("a", "b"), id("a", "b"));
        assert_ne!(id("a", "b"), id("b", "a"));
        assert_ne!(id("ab", ""), id("a", "b"));
        assert!(id("a", "b") < 1 << 53);
    }

    #[test]
    fn what_stands_before_is_all_of_it_in_its_order() {
        let one = after("", "Sales?", "{}");
        assert_eq!(one, after("", "sales", "{}"));
        assert_eq!(one.len(), 32);
        let others = [
            after("", "sales", "[]"),
            after("", "sale", "s{}"),
            after(&one, "sales", "{}"),
            after(&after("", "costs", "{}"), "sales", "{}"),
            after(&after("", "sales", "{}"), "costs", "{}"),
        ];
        for (at, other) in others.iter().enumerate() {
            assert_ne!(*other, one);
            assert!(!others.iter().skip(at + 1).any(|next| next == other));
        }
        assert_ne!(key("sales", Some(&one)), key("sales", None));
    }
}
