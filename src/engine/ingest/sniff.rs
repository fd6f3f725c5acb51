//! The format of a file, from its first bytes.

use super::options::Format;

/// A file that begins with more white space than this is taken for delimited text.
const LONGEST: usize = 64 << 10;

/// The longest number that a list of numbers is known by.
const LONGEST_WORD: usize = 32;

/// What the bytes at the beginning of a file say about its format; `None` while they are too few.
/// What is no other format is delimited text, whose reader knows the formats that are not read.
pub(super) fn sniff(head: &[u8], last: bool) -> Option<Format> {
    const FILE: &[u8] = b"ARROW1";
    // A stream begins with the mark of a message and the length of the first, which is the schema.
    const STREAM: &[u8] = &[0xff; 4];
    if head.len() < 8 && !last {
        return None;
    }
    if head.starts_with(FILE) || head.starts_with(STREAM) {
        return Some(Format::Arrow);
    }
    // The text's own characters without byte-order mark and the zeros of UTF-16.
    let mark = |b: &u8| matches!(b, 0 | 0xef | 0xbb | 0xbf | 0xfe | 0xff);
    let mut text = head.iter().copied().filter(|b| !mark(b) && !b.is_ascii_whitespace());
    match (text.next(), text.next()) {
        (Some(b'{'), Some(b'"' | b'}')) | (Some(b'['), Some(b'{' | b'[' | b']' | b'"')) => {
            Some(Format::Json)
        }
        // a list of numbers or words, and not a line such as `[2024-01-02 09:30] started`
        (Some(b'['), Some(first)) => {
            let word: Vec<u8> = std::iter::once(first).chain(text).take(LONGEST_WORD).collect();
            let end = word.iter().position(|b| matches!(b, b',' | b']'));
            let (value, rest) = word.split_at(end.unwrap_or(word.len()));
            if rest.len() < 2
                && rest != b","
                && word.len() < LONGEST_WORD
                && !last
                && head.len() < LONGEST
            {
                return None;
            }
            let known = serde_json::from_slice::<serde::de::IgnoredAny>(value).is_ok();
            let list = matches!(rest, [b',', ..] | b"]");
            Some(if known && list { Format::Json } else { Format::Csv })
        }
        (Some(b'{' | b'['), None) | (None, _) if !last && head.len() < LONGEST => None,
        _ => Some(Format::Csv),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_by_their_first_bytes() {
        let check = |head: &[u8], expected| assert_eq!(sniff(head, true), expected, "{head:?}");
        check(b"ARROW1\0\0rest", Some(Format::Arrow));
        check(b"\xff\xff\xff\xff\x10\0\0\0", Some(Format::Arrow));
        check(b"[{\"a\": 1}]", Some(Format::Json));
        check(b"\xef\xbb\xbf \n[ \n{\"a\": 1}]", Some(Format::Json));
        check(b"\xff\xfe{\0\"\0a\0\"\0", Some(Format::Json));
        check(b"{\"a\": 1}\n{\"a\": 2}", Some(Format::Json));
        check(b"[]", Some(Format::Json));
        check(b"[\"a\", \"b\"]", Some(Format::Json));
        check(b"[ -1.5e3, 2]", Some(Format::Json));
        check(b"[12]\n", Some(Format::Json));
        check(b"[12] started, slowly", Some(Format::Csv));
        check(b"[null, true]", Some(Format::Json));
        check(b"[2024-01-02 09:30] started, slowly", Some(Format::Csv));
        check(b"[1", Some(Format::Csv));
        check(b"a,b\n1,2\n", Some(Format::Csv));
        check(b"{a},b\n1,2\n", Some(Format::Csv));
        check(b"[x],y\n", Some(Format::Csv));
        check(b"", Some(Format::Csv));
    }

    #[test]
    fn too_few_bytes_say_nothing() {
        for head in
            [&b""[..], b"ARR", b"         ", b"        [", b"[1234567", b"\n\n\n\n\n\n\n\n{ "]
        {
            assert_eq!(sniff(head, false), None, "{head:?}");
        }
        assert_eq!(sniff(&vec![b' '; LONGEST], false), Some(Format::Csv));
    }
}
