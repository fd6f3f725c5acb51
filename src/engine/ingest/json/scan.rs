//! The parts of JSON text: where a value ends, what is inside a good one, and the place of a fault.

use serde::de::{Deserializer, IgnoredAny, Visitor};
use std::borrow::Cow;
use std::fmt;

/// White space between the parts of JSON.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Looks for the end of one value over any number of pieces. What is between the brackets is not
/// checked here.
#[derive(Debug, Default)]
pub(super) struct Scan {
    depth: u64,
    /// In a string, and there after a backslash.
    string: bool,
    escape: bool,
    /// In a number or word outside all brackets.
    bare: bool,
}

impl Scan {
    /// Goes on at `from`; the end of the value, or `None` when it is not in `text`.
    pub(super) fn run(&mut self, text: &[u8], from: usize) -> Option<usize> {
        let mut at = from;
        while let Some(byte) = text.get(at) {
            if self.string {
                at = self.in_string(text, at)?;
                if !self.string && self.depth == 0 {
                    return Some(at);
                }
                continue;
            }
            match byte {
                b'"' | b'{' | b'[' if self.bare => return Some(at),
                b'"' => self.string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => match self.depth {
                    0 => return Some(at),
                    1 => return Some(at + 1),
                    _ => self.depth -= 1,
                },
                _ if self.depth > 0 => {}
                b',' | b':' => return Some(at),
                byte if is_space(*byte) => return Some(at),
                _ => self.bare = true,
            }
            at += 1;
        }
        None
    }

    /// True when the end of the text would end the value.
    pub(super) fn may_end(&self) -> bool {
        self.bare && self.depth == 0
    }

    /// The index after the next quote or backslash, or after what the backslash stands before.
    fn in_string(&mut self, text: &[u8], at: usize) -> Option<usize> {
        if self.escape {
            self.escape = false;
            return Some(at + 1);
        }
        let rest = text.get(at..)?;
        let found = rest.iter().position(|b| matches!(b, b'"' | b'\\'))?;
        if rest.get(found) == Some(&b'"') {
            self.string = false;
        } else {
            self.escape = true;
        }
        Some(at + found + 1)
    }
}

/// Goes through a value that [`check`] found good.
pub(crate) struct Walk<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Walk<'a> {
    /// From the beginning.
    pub(crate) fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// The byte that comes next, white space aside.
    pub(crate) fn peek(&mut self) -> Option<u8> {
        loop {
            let byte = *self.text.get(self.at)?;
            if !is_space(byte) {
                return Some(byte);
            }
            self.at += 1;
        }
    }

    /// Steps over `byte` if it comes next.
    pub(crate) fn take(&mut self, byte: u8) -> bool {
        let there = self.peek() == Some(byte);
        self.at += usize::from(there);
        there
    }

    /// Steps over the next value, a key included, and returns it as it is written.
    pub(crate) fn value(&mut self) -> &'a [u8] {
        self.peek();
        let start = self.at;
        self.at = Scan::default().run(self.text, start).unwrap_or(self.text.len());
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Steps over the key and the colon of the next member of an object, or over the object's end.
    pub(super) fn key(&mut self) -> Option<&'a [u8]> {
        self.take(b',');
        if self.peek()? != b'"' {
            self.take(b'}');
            return None;
        }
        let key = self.value();
        self.take(b':').then_some(key)
    }
}

/// Whether `text` is one JSON value; else the index of the first byte that is wrong.
pub(crate) fn check(text: &[u8]) -> Result<(), usize> {
    let Err(error) = serde_json::from_slice::<IgnoredAny>(text) else { return Ok(()) };
    if error.is_eof() {
        return Err(text.len());
    }
    let mut start = 0;
    for _ in 1..error.line() {
        let rest = text.get(start..).unwrap_or_default();
        start += rest.iter().position(|b| *b == b'\n').map_or(0, |n| n + 1);
    }
    Err((start + error.column().saturating_sub(1)).min(text.len()))
}

/// What a string between its quotes says. The answer is `scratch` where it has escapes; those of
/// half characters are replaced and counted in `broken`.
pub(crate) fn string<'a>(quoted: &'a [u8], scratch: &'a mut Vec<u8>, broken: &mut u64) -> &'a [u8] {
    let inside = quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default();
    if !inside.contains(&b'\\') {
        return inside;
    }
    scratch.clear();
    let read = serde_json::Deserializer::from_slice(quoted).deserialize_bytes(Bytes);
    let bytes = read.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    *broken += u64::from(matches!(text, Cow::Owned(_)));
    scratch.extend_from_slice(text.as_bytes());
    scratch
}

/// Takes the bytes of a string.
struct Bytes;

impl Visitor<'_> for Bytes {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_vec())
    }
}

/// Appends a value without the white space between its parts.
pub(super) fn compact(text: &[u8], out: &mut Vec<u8>) {
    let (mut string, mut escape) = (false, false);
    out.reserve(text.len());
    for byte in text {
        if string {
            string = escape || *byte != b'"';
            escape = !escape && *byte == b'\\';
        } else if is_space(*byte) {
            continue;
        } else {
            string = *byte == b'"';
        }
        out.push(*byte);
    }
}

/// Words for numbers that JSON does not have; some programs write them all the same.
const NOT_NUMBERS: [&[u8]; 3] = [b"NaN", b"Infinity", b"-Infinity"];

/// The text with `null` in place of words such as `NaN`; `None` where there are none.
pub(super) fn without_words(text: &[u8]) -> Option<Vec<u8>> {
    let (mut string, mut escape) = (false, false);
    let mut out = Vec::new();
    let mut found = false;
    let mut rest = text;
    while let Some((byte, after)) = rest.split_first() {
        let word = NOT_NUMBERS.iter().find_map(|word| rest.strip_prefix(*word));
        if let Some(after) = word.filter(|_| !string) {
            out.extend_from_slice(b"null");
            found = true;
            rest = after;
            continue;
        }
        if string {
            string = escape || *byte != b'"';
            escape = !escape && *byte == b'\\';
        } else {
            string = *byte == b'"';
        }
        out.push(*byte);
        rest = after;
    }
    found.then_some(out)
}

/// A number as the columns read it: one that is too large for any number is infinite.
pub(super) fn number(text: &[u8]) -> &[u8] {
    if text.len() < LONG && !text.iter().any(|b| matches!(b, b'e' | b'E')) {
        return text;
    }
    let value = std::str::from_utf8(text).ok().and_then(|text| text.parse::<f64>().ok());
    match value {
        Some(f64::INFINITY) => b"inf",
        Some(f64::NEG_INFINITY) => b"-inf",
        _ => text,
    }
}

/// Digits of the largest double.
const LONG: usize = 309;

/// A place in the text, as people count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// From 1.
    pub line: u64,
    /// From 1, in characters.
    pub column: u64,
}

impl Place {
    /// The beginning of the text.
    pub(super) const FIRST: Self = Self { line: 1, column: 1 };

    /// The place after `text` that begins here.
    #[must_use]
    pub(super) fn after(self, text: &[u8]) -> Self {
        let characters = |text: &[u8]| text.iter().filter(|b| **b & 0xc0 != 0x80).count() as u64;
        match text.iter().rposition(|b| *b == b'\n') {
            None => Self { line: self.line, column: self.column + characters(text) },
            Some(last) => {
                let lines = text.iter().map(|b| u64::from(*b == b'\n')).sum::<u64>();
                let rest = text.get(last + 1..).unwrap_or_default();
                Self { line: self.line + lines, column: 1 + characters(rest) }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

    #[test]
    fn ends_of_values() {
        for (text, end) in [
            ("{\"a\": [1, {}]} rest", Some(14)),
            ("[\"]\", \"\\\"]\"],", Some(12)),
            ("\"a\\\\\" ,", Some(5)),
            ("12.5e3,", Some(6)),
            ("true]", Some(4)),
            ("null\n", Some(4)),
            ("12\"a\"", Some(2)),
            ("12", None),
            ("[1, 2", None),
            ("\"abc\\\"", None),
            ("]", Some(0)),
            ("", None),
        ] {
            assert_eq!(Scan::default().run(text.as_bytes(), 0), end, "{text}");
        }
    }

    #[test]
    fn strings_and_their_escapes() {
        for (quoted, expected, replaced) in [
            (r#""""#, "", 0),
            (r#""plain é""#, "plain é", 0),
            (r#""a\n\"\\\/\u00e9\ud83d\ude00""#, "a\n\"\\/é😀", 0),
            (r#""\ud83d!""#, "\u{fffd}\u{fffd}\u{fffd}!", 1),
        ] {
            let (mut scratch, mut broken) = (Vec::new(), 0);
            let found = string(quoted.as_bytes(), &mut scratch, &mut broken);
            assert_eq!(std::str::from_utf8(found), Ok(expected));
            assert_eq!(broken, replaced, "{quoted}");
        }
    }

    #[test]
    fn what_json_has_no_words_for() {
        let without =
            |text: &str| without_words(text.as_bytes()).and_then(|t| String::from_utf8(t).ok());
        let found = without("[NaN,-Infinity, Infinity,\"NaN \\\" Infinity\"]");
        assert_eq!(found.as_deref(), Some("[null,null, null,\"NaN \\\" Infinity\"]"));
        assert_eq!(without("[\"NaN\", 1]"), None);
        for (text, expected) in [("1e999", "inf"), ("-1E400", "-inf"), ("1e5", "1e5"), ("12", "12")]
        {
            assert_eq!(number(text.as_bytes()), expected.as_bytes());
        }
    }

    #[test]
    fn places() {
        let after = |text: &str| {
            let place = Place::FIRST.after(text.as_bytes());
            (place.line, place.column)
        };
        assert_eq!(after(""), (1, 1));
        assert_eq!(after("aé"), (1, 3));
        assert_eq!(after("a\nb\nc"), (3, 2));
        let place = |text: &str| check(text.as_bytes()).map_err(|at| after(&text[..at]));
        assert_eq!(place("{\"a\":\n [1, 2]}"), Ok(()));
        assert_eq!(place("{\"a\":\n [1, x]}"), Err((2, 6)));
        assert_eq!(place("[1,]"), Err((1, 4)));
        assert_eq!(place("[1,"), Err((1, 4)));
    }

    proptest! {
        #[test]
        fn a_value_ends_where_it_is_whole(text in "[\\[\\]{}\",:\\\\ 1a]{0,24}", cut in 0usize..24) {
            let bytes = text.as_bytes();
            let whole = Scan::default().run(bytes, 0);
            let mut scan = Scan::default();
            let first = bytes.get(..cut).unwrap_or(bytes);
            let pieces = scan.run(first, 0).or_else(|| scan.run(bytes, first.len()));
            prop_assert_eq!(whole, pieces);
            if !text.starts_with(' ') && serde_json::from_str::<Value>(&text).is_ok() {
                prop_assert_eq!(whole.unwrap_or(bytes.len()), bytes.trim_ascii_end().len());
            }
        }

        #[test]
        fn compact_text_means_the_same(text in "\\PC{0,12}", n in any::<i32>()) {
            let value = serde_json::json!([{"a ": text, "b": [n, null, {"\\\"": [true, " \" "]}]}]);
            let pretty = serde_json::to_vec_pretty(&value).expect("serialisable");
            let mut out = Vec::new();
            compact(&pretty, &mut out);
            prop_assert_eq!(String::from_utf8(out), Ok(value.to_string()));
        }
    }
}
