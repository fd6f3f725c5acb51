//! Bytes of a file to UTF-8 text, piece by piece: byte-order marks, UTF-8, UTF-16, the two common
//! single-byte encodings, and files that are no text at all.
//!
//! The result never depends on how the bytes were cut into pieces: a decision is taken over an
//! exact number of bytes, and held back until they are there.

use super::options::Encoding;
use super::report::{Note, NoteCode};
use crate::error::{Code, Diagnostic, Result, Text};

/// How many bytes from the first non-ASCII one on decide about the encoding.
const DECIDE: usize = 4096;
/// How many bytes the known file signatures need.
const HEAD: usize = 8;

/// Decodes a file given in pieces.
pub(super) struct Decoder {
    state: State,
    /// Bytes that wait for the ones after them.
    held: Vec<u8>,
    wanted: Option<Encoding>,
    guessed: bool,
    replaced: u64,
    bytes: u64,
}

enum State {
    /// Waiting for the first [`HEAD`] bytes.
    Head,
    /// Only ASCII so far: any encoding is possible.
    Ascii,
    /// A byte outside ASCII was seen; [`DECIDE`] bytes are being gathered.
    Undecided,
    Utf8,
    Utf16 {
        little: bool,
        high: Option<u16>,
    },
    Single(Encoding),
}

impl Decoder {
    /// A decoder for a file in `wanted`, or in an encoding to be found out.
    pub(super) fn new(wanted: Option<Encoding>) -> Self {
        Self { state: State::Head, held: Vec::new(), wanted, guessed: false, replaced: 0, bytes: 0 }
    }

    /// The encoding as far as it is known; ASCII counts as UTF-8.
    pub(super) fn encoding(&self) -> Encoding {
        match self.state {
            State::Single(encoding) => encoding,
            State::Utf16 { little: true, .. } => Encoding::Utf16Le,
            State::Utf16 { little: false, .. } => Encoding::Utf16Be,
            _ => Encoding::Utf8,
        }
    }

    /// Tells what was guessed and replaced.
    pub(super) fn note(&self, notes: &mut Vec<Note>) {
        let encoding = self.encoding().name();
        if self.guessed {
            notes.push(Note::new(
                NoteCode::EncodingGuessed,
                text!(
                    "the text is not UTF-8; it is read as {encoding}",
                    "текст не в UTF-8; он прочитан как {encoding}"
                ),
            ));
        }
        let replaced = self.replaced;
        if replaced > 0 {
            notes.push(Note::new(
                NoteCode::InvalidCharacters,
                text!(
                    "characters that are not valid {encoding}: {replaced}",
                    "недопустимых для {encoding} знаков: {replaced}"
                ),
            ));
        }
    }

    /// Appends the text of `bytes` to `out`.
    pub(super) fn push(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.bytes += bytes.len() as u64;
        if self.held.is_empty() {
            return self.run(bytes, out);
        }
        let mut joined = std::mem::take(&mut self.held);
        joined.extend_from_slice(bytes);
        self.run(&joined, out)
    }

    /// Decodes what was held back, and refuses a file that is mostly not text.
    pub(super) fn finish(&mut self, out: &mut Vec<u8>) -> Result<()> {
        while !self.held.is_empty() {
            let held = std::mem::take(&mut self.held);
            match self.state {
                State::Head => {
                    let skip = self.start(&held)?;
                    self.run(held.get(skip..).unwrap_or_default(), out)?;
                }
                State::Ascii => self.run(&held, out)?,
                State::Undecided => {
                    self.decide(&held)?;
                    self.run(&held, out)?;
                }
                State::Utf8 | State::Utf16 { .. } | State::Single(_) => self.replace(out),
            }
        }
        if let State::Utf16 { high: high @ Some(_), .. } = &mut self.state {
            *high = None;
            self.replace(out);
        }
        if self.replaced > 10 + self.bytes / 1000 {
            return Err(not_text().into());
        }
        Ok(())
    }

    fn run(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let mut rest = bytes;
        loop {
            match &mut self.state {
                State::Head if rest.len() < HEAD => {
                    self.hold(rest);
                    return Ok(());
                }
                State::Head => {
                    let skip = self.start(rest)?;
                    rest = rest.get(skip..).unwrap_or_default();
                }
                State::Ascii => {
                    // the check of the whole is the quick one
                    let first = || rest.iter().position(|b| !b.is_ascii());
                    let ascii = if rest.is_ascii() { rest.len() } else { first().unwrap_or(0) };
                    let (plain, other) = rest.split_at(ascii);
                    out.extend_from_slice(plain);
                    if other.is_empty() {
                        return Ok(());
                    }
                    self.state = State::Undecided;
                    rest = other;
                }
                State::Undecided => {
                    let Some(sample) = rest.get(..DECIDE) else {
                        self.hold(rest);
                        return Ok(());
                    };
                    self.decide(sample)?;
                }
                State::Utf8 => {
                    let tail = self.utf8(rest, out);
                    self.hold(tail);
                    return Ok(());
                }
                State::Utf16 { .. } => {
                    let tail = self.utf16(rest, out);
                    self.hold(tail);
                    return Ok(());
                }
                State::Single(encoding) => {
                    let encoding = *encoding;
                    self.single(encoding, rest, out);
                    return Ok(());
                }
            }
        }
    }

    fn hold(&mut self, bytes: &[u8]) {
        self.held = bytes.to_vec();
    }

    fn replace(&mut self, out: &mut Vec<u8>) {
        self.replaced += 1;
        out.extend_from_slice("\u{fffd}".as_bytes());
    }

    /// Looks at the first bytes; returns how many of them are a byte-order mark.
    fn start(&mut self, head: &[u8]) -> Result<usize> {
        if let Some(looks_like) = signature(head) {
            return Err(unsupported(&looks_like).into());
        }
        let marks: [(&[u8], Encoding); 3] = [
            (b"\xef\xbb\xbf", Encoding::Utf8),
            (b"\xff\xfe", Encoding::Utf16Le),
            (b"\xfe\xff", Encoding::Utf16Be),
        ];
        let mark = marks.into_iter().find(|(mark, _)| head.starts_with(mark));
        let skip = mark.map_or(0, |(mark, _)| mark.len());
        let unmarked = if mark.is_none() { utf16_without_mark(head) } else { None };
        self.state = match (self.wanted, mark) {
            (None, None) => match unmarked {
                Some(little) => {
                    self.guessed = true;
                    State::Utf16 { little, high: None }
                }
                None => State::Ascii,
            },
            (Some(encoding), _) | (None, Some((_, encoding))) => match encoding {
                Encoding::Utf8 => State::Utf8,
                Encoding::Utf16Le => State::Utf16 { little: true, high: None },
                Encoding::Utf16Be => State::Utf16 { little: false, high: None },
                single => State::Single(single),
            },
        };
        Ok(match self.wanted {
            Some(wanted) if mark.is_none_or(|(_, marked)| marked != wanted) => 0,
            _ => skip,
        })
    }

    /// Chooses the encoding by the first bytes outside ASCII and those after them.
    fn decide(&mut self, sample: &[u8]) -> Result<()> {
        let mut good = 0usize;
        let mut bad = 0usize;
        let mut rest = sample;
        while !rest.is_empty() {
            let (valid, skip, open) = match std::str::from_utf8(rest) {
                Ok(text) => (text, rest.len(), true),
                Err(e) => {
                    let valid = rest.get(..e.valid_up_to()).unwrap_or_default();
                    let skip = e.error_len().map_or(rest.len(), |n| e.valid_up_to() + n);
                    (std::str::from_utf8(valid).unwrap_or_default(), skip, e.error_len().is_none())
                }
            };
            good += valid.chars().filter(|c| !c.is_ascii()).count();
            bad += usize::from(!open);
            rest = rest.get(skip..).unwrap_or_default();
        }
        if bad == 0 || good > 10 * bad {
            self.state = State::Utf8;
            return Ok(());
        }
        let undefined = |e: Encoding| sample.iter().any(|b| character(e, *b).is_none());
        let cyrillic = if undefined(Encoding::Windows1251) {
            false
        } else {
            undefined(Encoding::Windows1252) || has_cyrillic_words(sample)
        };
        let encoding = if cyrillic { Encoding::Windows1251 } else { Encoding::Windows1252 };
        let controls = sample.iter().filter(|b| is_control(**b)).count();
        if undefined(encoding) || controls * 100 > sample.len() {
            return Err(not_text().into());
        }
        self.guessed = true;
        self.state = State::Single(encoding);
        Ok(())
    }

    /// Returns the unfinished character at the end.
    fn utf8<'a>(&mut self, mut rest: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
        loop {
            let Err(e) = std::str::from_utf8(rest) else {
                out.extend_from_slice(rest);
                return &[];
            };
            let (valid, bad) = rest.split_at(e.valid_up_to());
            out.extend_from_slice(valid);
            let Some(length) = e.error_len() else { return bad };
            self.replace(out);
            rest = bad.get(length..).unwrap_or_default();
        }
    }

    /// Returns the odd byte at the end.
    fn utf16<'a>(&mut self, bytes: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
        let State::Utf16 { little, mut high } = self.state else { return &[] };
        let (pairs, tail) = bytes.as_chunks::<2>();
        let mut encoded = [0u8; 4];
        for pair in pairs {
            let unit = if little { u16::from_le_bytes(*pair) } else { u16::from_be_bytes(*pair) };
            let c = match (high.take(), unit) {
                (Some(first), 0xdc00..=0xdfff) => {
                    let pair = (u32::from(first - 0xd800) << 10) | u32::from(unit - 0xdc00);
                    char::from_u32(0x1_0000 + pair)
                }
                (lone, _) => {
                    if lone.is_some() {
                        self.replace(out);
                    }
                    if matches!(unit, 0xd800..=0xdbff) {
                        high = Some(unit);
                        continue;
                    }
                    char::from_u32(u32::from(unit))
                }
            };
            match c {
                Some(c) => out.extend_from_slice(c.encode_utf8(&mut encoded).as_bytes()),
                None => self.replace(out),
            }
        }
        self.state = State::Utf16 { little, high };
        tail
    }

    fn single(&mut self, encoding: Encoding, bytes: &[u8], out: &mut Vec<u8>) {
        let mut encoded = [0u8; 4];
        for b in bytes {
            match character(encoding, *b) {
                Some(c) => out.extend_from_slice(c.encode_utf8(&mut encoded).as_bytes()),
                None => self.replace(out),
            }
        }
    }
}

/// The characters of windows-1251 from 0x80 to 0xBF; U+FFFD where there is none.
const CYRILLIC: [char; 64] = [
    'Ђ', 'Ѓ', '‚', 'ѓ', '„', '…', '†', '‡', '€', '‰', 'Љ', '‹', 'Њ', 'Ќ', 'Ћ', 'Џ', 'ђ', '‘', '’',
    '“', '”', '•', '–', '—', '\u{fffd}', '™', 'љ', '›', 'њ', 'ќ', 'ћ', 'џ', '\u{a0}', 'Ў', 'ў',
    'Ј', '¤', 'Ґ', '¦', '§', 'Ё', '©', 'Є', '«', '¬', '\u{ad}', '®', 'Ї', '°', '±', 'І', 'і', 'ґ',
    'µ', '¶', '·', 'ё', '№', 'є', '»', 'ј', 'Ѕ', 'ѕ', 'ї',
];

/// The characters of windows-1252 from 0x80 to 0x9F; U+FFFD where there is none.
const WESTERN: [char; 32] = [
    '€', '\u{fffd}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{fffd}', 'Ž',
    '\u{fffd}', '\u{fffd}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{fffd}',
    'ž', 'Ÿ',
];

/// What a byte means in a single-byte encoding.
fn character(encoding: Encoding, byte: u8) -> Option<char> {
    let at = usize::from(byte.wrapping_sub(0x80));
    let c = match (encoding, byte) {
        (_, 0..=0x7f) => char::from(byte),
        (Encoding::Windows1251, 0xc0..) => char::from_u32(0x410 + u32::from(byte - 0xc0))?,
        (Encoding::Windows1251, _) => *CYRILLIC.get(at)?,
        (_, 0x80..=0x9f) => *WESTERN.get(at)?,
        _ => char::from(byte),
    };
    (c != '\u{fffd}').then_some(c)
}

/// What Western texts have alone: à, å, è, é, ò, ó, ö, ø, in both cases, × and ÷.
const ALONE: &[u8] = b"\xe0\xe5\xe8\xe9\xf2\xf3\xf6\xf8\xc0\xc5\xc8\xc9\xd2\xd3\xd6\xd8\xd7\xf7";

/// Whether the words with letters above 0xC0 are rather Cyrillic ones. Those have no other letters;
/// Western words have a few of them among letters of ASCII.
fn has_cyrillic_words(sample: &[u8]) -> bool {
    let high = |b: &u8| *b >= 0xc0;
    let mut score = 0i64;
    for word in sample.split(|b| !b.is_ascii_alphabetic() && !high(b)) {
        let letters = word.iter().filter(|b| high(b)).count();
        score += match (letters, word.len()) {
            (0, _) => 0,
            (1, 1) => i64::from(!word.iter().any(|b| ALONE.contains(b))),
            (letters, all) if letters < all => -(all as i64),
            (letters, _) => letters as i64,
        };
    }
    score > 0
}

/// Whether the first bytes are UTF-16 without a byte-order mark, and if the low byte comes first:
/// every other byte is that of Latin or Cyrillic letters, which is no character of other text.
fn utf16_without_mark(head: &[u8]) -> Option<bool> {
    let (pairs, _) = head.as_chunks::<2>();
    let text = |high: u8, low: u8| match high {
        0 => low >= 0x20 || matches!(low, b'\t' | b'\n' | b'\r'),
        4 => true,
        _ => false,
    };
    let latin = |high: usize| pairs.iter().any(|pair| pair.get(high) == Some(&0));
    let enough = pairs.len() >= 2;
    if enough && latin(1) && pairs.iter().all(|[low, high]| text(*high, *low)) {
        return Some(true);
    }
    if enough && latin(0) && pairs.iter().all(|[high, low]| text(*high, *low)) {
        return Some(false);
    }
    // letters of one Cyrillic word: their high byte is the same, the low ones are not
    let cyrillic = |high: usize| {
        pairs.len() >= 4
            && pairs.iter().all(|pair| pair.get(high) == Some(&4))
            && pairs.iter().any(|pair| pair.get(1 - high) != Some(&4))
    };
    if cyrillic(1) { Some(true) } else { cyrillic(0).then_some(false) }
}

/// Control characters that text does not have.
pub(super) fn is_control(byte: u8) -> bool {
    byte < 0x20 && !matches!(byte, b'\t' | b'\n' | b'\r' | 0x0c | 0x1b)
}

/// Names the format of a file that is known not to be a text table.
fn signature(head: &[u8]) -> Option<Text> {
    let known: [(&[u8], Text); 16] = [
        (b"PK\x03\x04", text!("an Excel workbook or a ZIP archive", "книга Excel или архив ZIP")),
        (b"\xd0\xcf\x11\xe0", text!("an old Excel workbook", "книга старого Excel")),
        (b"\x1f\x8b", text!("a gzip archive", "архив gzip")),
        (b"\x28\xb5\x2f\xfd", text!("a zstd archive", "архив zstd")),
        (b"\xfd7zXZ", text!("an xz archive", "архив xz")),
        (b"7z\xbc\xaf", text!("a 7z archive", "архив 7z")),
        (b"PAR1\x15", text!("a packed Parquet file", "сжатый файл Parquet")),
        (b"ARROW1", Text::same("Arrow IPC")),
        (b"\xff\xff\xff\xff", Text::same("Arrow IPC")),
        (b"Obj\x01", Text::same("Avro")),
        (b"ORC\x08", Text::same("ORC")),
        (b"SQLite f", text!("an SQLite database", "база SQLite")),
        (b"%PDF-", Text::same("PDF")),
        (b"\x89PNG", text!("a PNG image", "картинка PNG")),
        (b"\xff\xd8\xff", text!("a JPEG image", "картинка JPEG")),
        (b"GIF8", text!("a GIF image", "картинка GIF")),
    ];
    known.into_iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, name)| name)
}

/// The file is of a known format that is not read.
pub(super) fn unsupported(looks_like: &Text) -> Diagnostic {
    let Text { en, ru } = looks_like;
    Diagnostic::new(
        Code::UnsupportedFormat,
        Text {
            en: format!(
                "the file looks like {en}; CSV, TSV, JSON, NDJSON, Arrow and Parquet are read"
            ),
            ru: format!("похоже, это {ru}; читаются CSV, TSV, JSON, NDJSON, Arrow и Parquet"),
        },
    )
}

/// The file is no text.
pub(super) fn not_text() -> Diagnostic {
    Diagnostic::new(
        Code::NotText,
        text!("the file is binary, not text", "файл двоичный, это не текст"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Error;
    use proptest::prelude::*;

    fn decode(bytes: &[u8], step: usize, wanted: Option<Encoding>) -> Result<(String, Encoding)> {
        let mut decoder = Decoder::new(wanted);
        let mut out = Vec::new();
        for piece in bytes.chunks(step) {
            decoder.push(piece, &mut out)?;
        }
        decoder.finish(&mut out)?;
        Ok((String::from_utf8(out).expect("UTF-8"), decoder.encoding()))
    }

    /// Decodes whole, byte by byte and in threes.
    fn check(bytes: &[u8], text: &str, encoding: Encoding) {
        for step in [1, 3, usize::MAX] {
            assert_eq!(
                decode(bytes, step.min(bytes.len().max(1)), None),
                Ok((text.to_owned(), encoding)),
                "{text} by {step}"
            );
        }
    }

    fn utf16(text: &str, little: bool) -> Vec<u8> {
        let units = std::iter::once(0xfeff).chain(text.encode_utf16());
        units.flat_map(|u: u16| if little { u.to_le_bytes() } else { u.to_be_bytes() }).collect()
    }

    #[test]
    fn encodings() {
        check(b"", "", Encoding::Utf8);
        check(b"a,b", "a,b", Encoding::Utf8);
        check("имя,цена\nхлеб,€5 😀".as_bytes(), "имя,цена\nхлеб,€5 😀", Encoding::Utf8);
        check("\u{feff}имя".as_bytes(), "имя", Encoding::Utf8);
        check(&utf16("имя;😀\n1;2", true), "имя;😀\n1;2", Encoding::Utf16Le);
        check(&utf16("имя;😀😀\n1;2", false), "имя;😀😀\n1;2", Encoding::Utf16Be);
        check(
            b"\xe8\xec\xff;\xf6\xe5\xed\xe0\n\xf5\xeb\xe5\xe1;5",
            "имя;цена\nхлеб;5",
            Encoding::Windows1251,
        );
        check(b"caf\xe9;gar\xe7on\n1;2", "café;garçon\n1;2", Encoding::Windows1252);
        check(b"sex;n\n\xec;1\n\xe6;2\n\xec;3", "sex;n\nм;1\nж;2\nм;3", Encoding::Windows1251);
        check(b"unit;n\n\xf8\xf2;1\n\xea\xe3;2", "unit;n\nшт;1\nкг;2", Encoding::Windows1251);
        check(b"town;n\nMalm\xf6;1\n\xc5;2", "town;n\nMalmö;1\nÅ;2", Encoding::Windows1252);
        check(
            b"size;n\nM8 \xd7 20;1\n\xd8 12;2",
            "size;n\nM8 × 20;1\nØ 12;2",
            Encoding::Windows1252,
        );
        check(b"a;b\n\xe0 No\xebl;\xe9t\xe9", "a;b\nà Noël;été", Encoding::Windows1252);
        assert_eq!(
            decode(b"\xe8\xec\xff", 1, Some(Encoding::Windows1252)),
            Ok(("èìÿ".to_owned(), Encoding::Windows1252))
        );
    }

    #[test]
    fn utf16_without_a_mark() {
        for text in ["a,b\n1,2\n", "id;имя\n1;я\n", "имя;n\nя;1\n", "Название;n\nя;1", "a\n1"]
        {
            for little in [true, false] {
                let bytes = utf16(text, little);
                let wanted = if little { Encoding::Utf16Le } else { Encoding::Utf16Be };
                check(bytes.get(2..).unwrap_or_default(), text, wanted);
            }
        }
    }

    #[test]
    fn a_few_broken_characters_are_replaced() {
        let mut bytes = "слово за словом ".repeat(100).into_bytes();
        bytes.push(0xff);
        let (text, encoding) = decode(&bytes, 7, None).expect("mostly text");
        assert!(text.ends_with('\u{fffd}'));
        assert_eq!(encoding, Encoding::Utf8);
    }

    #[test]
    fn lone_surrogates_are_replaced() {
        let bytes = [0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00, 0x00, 0xdc, 0x00, 0xd8];
        for step in [1, 10] {
            let text = decode(&bytes, step, None).map(|(text, _)| text);
            assert_eq!(text.as_deref(), Ok("\u{fffd}A\u{fffd}\u{fffd}"));
        }
    }

    #[test]
    fn binary_files_are_refused() {
        for (bytes, code) in [
            (&b"PK\x03\x04\x14\x00\x06\x00"[..], Code::UnsupportedFormat),
            (b"PAR1\x15\x04\x15\x10", Code::UnsupportedFormat),
            (b"\x89PNG\r\n\x1a\n", Code::UnsupportedFormat),
            (b"\x81\x8d\x98\xff\x00\x01\x02\x03\x04", Code::NotText),
        ] {
            match decode(bytes, 1, None) {
                Err(Error::Input(list)) => {
                    assert_eq!(list.first().map(|d| d.code), Some(code));
                }
                other => panic!("{other:?}"),
            }
        }
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(bytes in prop::collection::vec(any::<u8>(), 0..200), step in 1usize..9) {
            prop_assert_eq!(decode(&bytes, step, None), decode(&bytes, usize::MAX, None));
        }

        #[test]
        fn utf8_comes_through(text in "\\PC{0,40}") {
            let text = text.trim_start_matches('\u{feff}');
            prop_assume!(signature(text.as_bytes()).is_none());
            prop_assert_eq!(decode(text.as_bytes(), 3, None).map(|d| d.0), Ok(text.to_owned()));
        }
    }
}
