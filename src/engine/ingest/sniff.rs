//! The format of a file, from its first bytes.

use super::options::Format;

/// A file that begins with more white space than this is taken for delimited text.
const LONGEST: usize = 64 << 10;

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
        (Some(b'{'), Some(b'"' | b'}')) | (Some(b'['), Some(b'{' | b'[' | b']')) => {
            Some(Format::Json)
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
        check(b"a,b\n1,2\n", Some(Format::Csv));
        check(b"{a},b\n1,2\n", Some(Format::Csv));
        check(b"[x],y\n", Some(Format::Csv));
        check(b"", Some(Format::Csv));
    }

    #[test]
    fn too_few_bytes_say_nothing() {
        for head in [&b""[..], b"ARR", b"         ", b"        [", b"\n\n\n\n\n\n\n\n{ "] {
            assert_eq!(sniff(head, false), None, "{head:?}");
        }
        assert_eq!(sniff(&vec![b' '; LONGEST], false), Some(Format::Csv));
    }
}
