//! Delimited text cut into rows and fields, in place and resumable at any byte.
//!
//! A field may be quoted; a doubled quote inside stands for one. Lines end with LF, CRLF or CR,
//! blank lines are passed over. Whatever follows a closing quote belongs to the field. Where there
//! is an escape character, the character after it is as it stands, between quotes and outside.

use crate::engine::ingest::report::BadRow;

/// The characters that cut a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Syntax {
    /// Between fields.
    pub delimiter: u8,
    /// Around fields.
    pub quote: Option<u8>,
    /// Before a character that is as it stands; another one than the quote.
    pub escape: Option<u8>,
    /// The escape takes a meaning between quotes alone.
    pub inside: bool,
}

/// One field: a range of the text it was cut from, quotes removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Field {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A place between rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Start {
    /// The byte.
    pub at: usize,
    /// Its line; the first one is 1.
    pub line: u64,
    /// A line feed here belongs to the line before.
    pub after_return: bool,
}

impl Start {
    /// The beginning of a text.
    pub(super) const FIRST: Self = Self { at: 0, line: 1, after_return: false };
}

/// The longest quoted field: longer ones are taken for a quote that was never closed.
const LONGEST: usize = 64 << 20;

/// Where the reader is in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before a row; a line feed after the carriage return that ended the last one is skipped.
    Row { after_return: bool },
    /// Before a field.
    Field,
    /// In a field without quotes.
    Plain,
    /// Between quotes.
    Quoted,
    /// After a quote between quotes: the end of the field, or the first of two.
    Quote,
    /// In what follows a closing quote.
    Tail,
    /// In a line that is left out.
    Skip,
}

/// What [`Splitter::run`] came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// A row of the expected length.
    Row,
    /// A row of another length; it is left out.
    Bad(BadRow),
    /// A quote that is never closed; its line is left out.
    OpenQuote(BadRow),
    /// The end of the text, in the middle of something or not.
    End,
}

/// Cuts a text that comes in pieces. The text is the caller's; positions are offsets in it.
#[derive(Debug)]
pub(super) struct Splitter {
    syntax: Syntax,
    /// How many fields a row has; without it every row is as expected.
    expected: Option<usize>,
    /// Bytes that end a plain field.
    special: [bool; 256],
    state: State,
    at: usize,
    /// The text before this is done with.
    done: usize,
    /// Where the last row begins that was begun, and its current field.
    row_start: usize,
    field_start: usize,
    /// The field has a quote or an escape inside that must be removed.
    escaped: bool,
    /// Of complete rows, and then of the current one.
    fields: Vec<Field>,
    row_fields: usize,
    line: u64,
    row_line: u64,
    trailing: bool,
    /// Fields that began with a quote, and those of them that went on after the closing one.
    quoted: usize,
    tails: usize,
}

impl Splitter {
    /// Reads from `start` on.
    pub(super) fn new(syntax: Syntax, expected: Option<usize>, start: Start) -> Self {
        let Start { at, line, after_return } = start;
        let mut special = [false; 256];
        for byte in [syntax.delimiter, b'\n', b'\r'] {
            if let Some(slot) = special.get_mut(usize::from(byte)) {
                *slot = true;
            }
        }
        Self {
            syntax,
            expected,
            special,
            state: State::Row { after_return },
            at,
            done: at,
            row_start: at,
            field_start: at,
            escaped: false,
            fields: Vec::new(),
            row_fields: 0,
            line,
            row_line: line,
            trailing: false,
            quoted: 0,
            tails: 0,
        }
    }

    /// How many fields began with a quote.
    pub(super) fn quoted(&self) -> usize {
        self.quoted
    }

    /// How many of those went on after the closing quote.
    pub(super) fn tails(&self) -> usize {
        self.tails
    }

    /// The fields of all complete rows.
    pub(super) fn fields(&self) -> &[Field] {
        self.fields.get(..self.row_fields).unwrap_or_default()
    }

    /// How far the text is done with: to the end of the last complete row.
    pub(super) fn done(&self) -> usize {
        self.done
    }

    /// Where the last row began.
    pub(super) fn row(&self) -> Start {
        Start { at: self.row_start, line: self.row_line, after_return: false }
    }

    /// Where the next row begins.
    pub(super) fn next(&self) -> Start {
        let after_return = matches!(self.state, State::Row { after_return: true });
        Start { at: self.at, line: self.line, after_return }
    }

    /// Some rows had empty fields too many.
    pub(super) fn trailing(&self) -> bool {
        self.trailing
    }

    /// Forgets the complete rows and moves all positions `by` bytes to the front. Only between
    /// rows.
    pub(super) fn shift(&mut self, by: usize) {
        self.fields.clear();
        self.row_fields = 0;
        self.at -= by;
        self.done -= by;
        self.row_start = self.row_start.saturating_sub(by);
        self.field_start = self.field_start.saturating_sub(by);
    }

    /// Reads on to the end of a row. `last` tells that nothing follows `text`.
    pub(super) fn run(&mut self, text: &mut [u8], last: bool) -> Found {
        loop {
            match self.state {
                State::Row { after_return } => {
                    let Some(byte) = text.get(self.at).copied() else { return Found::End };
                    if after_return && byte == b'\n' {
                        self.at += 1;
                        self.state = State::Row { after_return: false };
                        self.done = self.at;
                        continue;
                    }
                    if byte == b'\n' || byte == b'\r' {
                        self.at += 1;
                        self.line += 1;
                        self.state = State::Row { after_return: byte == b'\r' };
                        self.done = self.at;
                        continue;
                    }
                    self.row_start = self.at;
                    self.row_line = self.line;
                    self.state = State::Field;
                }
                State::Field => {
                    let Some(byte) = text.get(self.at).copied() else {
                        return if last { self.end_at_end(text) } else { Found::End };
                    };
                    self.field_start = self.at;
                    self.state = State::Plain;
                    if self.is_quote(byte) {
                        self.at += 1;
                        self.field_start = self.at;
                        self.quoted += 1;
                        self.state = State::Quoted;
                    }
                }
                State::Plain if self.syntax.escape.is_some() && !self.syntax.inside => {
                    if let Some(found) = self.tail(text, last) {
                        return found;
                    }
                }
                State::Plain => {
                    if let Some(found) = self.plain(text) {
                        return found;
                    }
                    if self.at >= text.len() {
                        return if last { self.end_at_end(text) } else { Found::End };
                    }
                }
                State::Quoted => {
                    let limit = (self.field_start + LONGEST).min(text.len());
                    let rest = text.get(self.at..limit).unwrap_or_default();
                    let marked = |b: &u8| self.is_quote(*b) || self.is_escape(*b);
                    match rest.iter().position(marked) {
                        Some(n) if rest.get(n).is_some_and(|b| self.is_escape(*b)) => {
                            self.at += n;
                            if !self.escaped_one(text, last) {
                                return Found::End;
                            }
                        }
                        Some(n) => {
                            self.at += n + 1;
                            self.state = State::Quote;
                        }
                        None if last || limit == self.field_start + LONGEST => {
                            return self.open_quote(text, last);
                        }
                        None => {
                            self.at = limit;
                            return Found::End;
                        }
                    }
                }
                State::Quote => {
                    let Some(byte) = text.get(self.at).copied() else {
                        return if last { self.end_at_end(text) } else { Found::End };
                    };
                    if self.is_quote(byte) {
                        self.escaped = true;
                        self.at += 1;
                        self.state = State::Quoted;
                    } else if self.is_special(byte) {
                        if let Some(found) = self.end_field(text, self.at - 1, byte) {
                            return found;
                        }
                    } else {
                        self.escaped = true;
                        self.tails += 1;
                        self.state = State::Tail;
                    }
                }
                State::Tail => {
                    if let Some(found) = self.tail(text, last) {
                        return found;
                    }
                }
                State::Skip => {
                    let rest = text.get(self.at..).unwrap_or_default();
                    let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r'));
                    let Some(n) = end else {
                        self.at = text.len();
                        self.done = self.at;
                        return Found::End;
                    };
                    self.state = State::Row { after_return: rest.get(n) == Some(&b'\r') };
                    self.at += n + 1;
                    self.line += 1;
                    self.done = self.at;
                }
            }
        }
    }

    /// Reads a field to its end, the characters after escapes as they stand; `None` where another
    /// field follows.
    fn tail(&mut self, text: &mut [u8], last: bool) -> Option<Found> {
        loop {
            let rest = text.get(self.at..).unwrap_or_default();
            let inside = self.syntax.inside;
            let ends = |b: &u8| self.is_special(*b) || (self.is_escape(*b) && !inside);
            let Some(n) = rest.iter().position(ends) else {
                self.at = text.len();
                return Some(if last { self.end_at_end(text) } else { Found::End });
            };
            self.at += n;
            let byte = text.get(self.at).copied().unwrap_or(b'\n');
            if inside || !self.is_escape(byte) {
                return self.end_field(text, self.at, byte);
            }
            if !self.escaped_one(text, last) {
                return Some(Found::End);
            }
        }
    }

    /// Passes over the escape at the current position and the character after it; false where
    /// that is still to come.
    fn escaped_one(&mut self, text: &[u8], last: bool) -> bool {
        if self.at + 1 >= text.len() && !last {
            return false;
        }
        self.escaped = true;
        self.at = (self.at + 2).min(text.len());
        true
    }

    #[inline]
    fn is_quote(&self, byte: u8) -> bool {
        self.syntax.quote == Some(byte)
    }

    #[inline]
    fn is_escape(&self, byte: u8) -> bool {
        self.syntax.escape == Some(byte)
    }

    /// Reads plain fields up to the end of the row, a quote or the end of the text; eight bytes at
    /// a time where there are as many.
    #[inline]
    fn plain(&mut self, text: &[u8]) -> Option<Found> {
        let mut at = self.at;
        let mut start = self.field_start;
        while let Some(byte) = text.get(at) {
            let word = text.get(at..).and_then(<[u8]>::first_chunk::<8>);
            let (mut ends, step) = match word {
                Some(word) => (self.ends(u64::from_le_bytes(*word)), 8),
                None => (u64::from(self.is_special(*byte)), 1),
            };
            while ends != 0 {
                let end = at + ends.trailing_zeros() as usize / 8;
                ends &= ends - 1;
                self.fields.push(Field { start: start as u32, end: end as u32 });
                let byte = text.get(end).copied().unwrap_or(b'\n');
                start = end + 1;
                if byte != self.syntax.delimiter {
                    self.at = start;
                    return Some(self.end_row(byte));
                }
                if text.get(start).is_none_or(|b| self.is_quote(*b)) {
                    self.at = start;
                    self.state = State::Field;
                    return None;
                }
            }
            at += step;
        }
        self.at = at;
        self.field_start = start;
        None
    }

    /// The high bit of every byte of `word` that ends a field.
    #[inline]
    fn ends(&self, word: u64) -> u64 {
        const ONES: u64 = 0x0101_0101_0101_0101;
        const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let equal = |byte: u8| {
            let x = word ^ (ONES * u64::from(byte));
            !(((x & LOW) + LOW) | x | LOW)
        };
        equal(self.syntax.delimiter) | equal(b'\n') | equal(b'\r')
    }

    #[inline]
    fn is_special(&self, byte: u8) -> bool {
        self.special.get(usize::from(byte)).copied().unwrap_or(false)
    }

    /// Ends a field whose text ends at `end`; `byte` is the one at the current position.
    fn end_field(&mut self, text: &mut [u8], end: usize, byte: u8) -> Option<Found> {
        let start = self.field_start;
        if let Some(field) = text.get_mut(start..end) {
            let breaks = |i: usize| match field.get(i) {
                Some(b'\n') => true,
                Some(b'\r') => field.get(i + 1) != Some(&b'\n'),
                _ => false,
            };
            self.line += (0..field.len()).filter(|i| breaks(*i)).count() as u64;
            let quoted = self.state != State::Plain;
            let length =
                if self.escaped { unescape(field, self.syntax, quoted) } else { field.len() };
            self.fields.push(Field { start: start as u32, end: (start + length) as u32 });
        }
        self.escaped = false;
        self.at += 1;
        if byte == self.syntax.delimiter {
            self.state = State::Field;
            return None;
        }
        Some(self.end_row(byte))
    }

    /// Ends the last row of a file without a line break at its end.
    fn end_at_end(&mut self, text: &mut [u8]) -> Found {
        let end = match self.state {
            State::Quote => self.at - 1,
            State::Field => {
                self.field_start = self.at;
                self.at
            }
            _ => self.at,
        };
        let found = self.end_field(text, end, b'\n');
        self.at = text.len();
        self.done = self.at;
        found.unwrap_or(Found::End)
    }

    /// Ends the row at the line break that was just passed.
    fn end_row(&mut self, byte: u8) -> Found {
        self.state = State::Row { after_return: byte == b'\r' };
        self.line += 1;
        let found = self.fields.len() - self.row_fields;
        let row =
            BadRow { line: self.row_line, fields: found, expected: self.expected.unwrap_or(found) };
        self.done = self.at;
        if found > row.expected {
            let wanted = self.row_fields + row.expected;
            let extra = self.fields.get(wanted..).unwrap_or_default();
            if extra.iter().all(|f| f.start == f.end) {
                self.fields.truncate(wanted);
                self.trailing = true;
            }
        }
        if self.fields.len() - self.row_fields == row.expected {
            self.row_fields = self.fields.len();
            return Found::Row;
        }
        self.fields.truncate(self.row_fields);
        Found::Bad(row)
    }

    /// Leaves out the line with a quote that is never closed and goes on after it.
    fn open_quote(&mut self, text: &[u8], last: bool) -> Found {
        let row = BadRow {
            line: self.line,
            fields: self.fields.len() - self.row_fields + 1,
            expected: self.expected.unwrap_or_default(),
        };
        self.fields.truncate(self.row_fields);
        self.escaped = false;
        let rest = text.get(self.field_start..).unwrap_or_default();
        self.state = State::Row { after_return: false };
        if let Some(n) = rest.iter().position(|b| matches!(b, b'\n' | b'\r')) {
            self.at = self.field_start + n + 1;
            self.state = State::Row { after_return: rest.get(n) == Some(&b'\r') };
            self.line += 1;
        } else {
            self.at = text.len();
            if !last {
                self.state = State::Skip;
            }
        }
        self.done = self.at;
        Found::OpenQuote(row)
    }
}

/// Removes quotes and escapes from the inside of a field, in place; returns its new length. Between
/// quotes a doubled one becomes one; after a single one the rest is not `quoted` any more. What
/// follows an escape is as it stands; where the escape is a guess it stands itself, unless a quote or
/// another one follows: R escapes quotes and nothing else.
fn unescape(field: &mut [u8], syntax: Syntax, mut quoted: bool) -> usize {
    let mut to = 0;
    let mut from = 0;
    while let Some(mut byte) = field.get(from).copied() {
        from += 1;
        if syntax.escape == Some(byte)
            && let Some(next) = field.get(from)
            && (!syntax.inside || *next == byte || syntax.quote == Some(*next))
        {
            byte = *next;
            from += 1;
        } else if quoted && syntax.quote == Some(byte) {
            if field.get(from) == Some(&byte) {
                from += 1;
            } else {
                quoted = false;
                continue;
            }
        }
        if let Some(slot) = field.get_mut(to) {
            *slot = byte;
        }
        to += 1;
    }
    to
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The rows of `text` with `|` for the end of a field, given in pieces of `step` bytes; bad
    /// rows read `!line:fields`, open quotes `?line`.
    fn rows(text: &[u8], syntax: Syntax, expected: Option<usize>, step: usize) -> Vec<String> {
        let mut splitter = Splitter::new(syntax, expected, Start::FIRST);
        let mut buffer = Vec::new();
        let mut out = Vec::new();
        let mut pieces = text.chunks(step).peekable();
        loop {
            let piece = pieces.next().unwrap_or_default();
            buffer.extend_from_slice(piece);
            let last = pieces.peek().is_none();
            loop {
                match splitter.run(&mut buffer, last) {
                    Found::End => break,
                    Found::Bad(row) => out.push(format!("!{}:{}", row.line, row.fields)),
                    Found::OpenQuote(row) => out.push(format!("?{}", row.line)),
                    Found::Row => {
                        let row = splitter.fields().iter().map(|f| {
                            let field = buffer.get(f.start as usize..f.end as usize);
                            String::from_utf8_lossy(field.unwrap_or(b"?")).into_owned() + "|"
                        });
                        out.push(row.collect());
                        let done = splitter.done();
                        buffer.drain(..done);
                        splitter.shift(done);
                    }
                }
            }
            if last {
                return out;
            }
        }
    }

    const COMMA: Syntax =
        Syntax { delimiter: b',', quote: Some(b'"'), escape: None, inside: false };

    fn check(text: &str, expected: Option<usize>, result: &[&str]) {
        check_as(COMMA, text, expected, result);
    }

    fn check_as(syntax: Syntax, text: &str, expected: Option<usize>, result: &[&str]) {
        for step in [1, 2, 3, usize::MAX] {
            let step = step.min(text.len().max(1));
            assert_eq!(rows(text.as_bytes(), syntax, expected, step), result, "{text:?} by {step}");
        }
    }

    #[test]
    fn plain_and_quoted_fields() {
        check("", None, &[]);
        check("a,b\n1,2\n", None, &["a|b|", "1|2|"]);
        check("a,b\r\n1,2", None, &["a|b|", "1|2|"]);
        check("a,b\r1,2\r", None, &["a|b|", "1|2|"]);
        check("a,b\r\r\n\n1,\n,2\n,", None, &["a|b|", "1||", "|2|", "||"]);
        check("\"a\",\"b,c\"\n", None, &["a|b,c|"]);
        check("\"a\"\"b\",\"\"\n\"\"", None, &["a\"b||", "|"]);
        check("\"x\ny\",\"\r\n\"\n1,2", None, &["x\ny|\r\n|", "1|2|"]);
        check("\"a\"b,\"c\"\"\"d\"\n", None, &["ab|c\"d\"|"]);
        check("a\"b,c\"\n", None, &["a\"b|c\"|"]);
        check("x,\"y\"", None, &["x|y|"]);
        check("x,\"y\",", None, &["x|y||"]);
        check("имя,\"цена \"\"€\"\"\"\n", None, &["имя|цена \"€\"|"]);
    }

    #[test]
    fn other_quotes_and_escapes() {
        let none = Syntax { quote: None, ..COMMA };
        check_as(none, "\"a,b\"\n'1',2\n", None, &["\"a|b\"|", "'1'|2|"]);
        let single = Syntax { quote: Some(b'\''), ..COMMA };
        check_as(single, "'a,''b',\"c\n'\n',2", None, &["a,'b|\"c|", "\n|2|"]);
        let escape = Syntax { escape: Some(b'\\'), ..COMMA };
        check_as(escape, r#""a\"b,\\","c""d""#, None, &[r#"a"b,\|c"d|"#]);
        check_as(escape, "a\\,b\\\\,c\\\nd,\\\"e\n", None, &["a,b\\|c\nd|\"e|"]);
        check_as(escape, "\"a\"b\\,c,\\x,\n1\\", None, &["ab,c|x||", "1\\|"]);
        check_as(escape, "1,\"2\\\"\n3,4\n", Some(2), &["?1", "3|4|"]);
        check_as(escape, "1,\"2\\", Some(2), &["?1"]);
        let bare = Syntax { quote: None, ..escape };
        check_as(bare, "\"a\\,b\"\\", None, &["\"a,b\"\\|"]);
    }

    #[test]
    fn rows_of_another_length() {
        check("1,2\n1\n1,2,3\n3,4\n", Some(2), &["1|2|", "!2:1", "!3:3", "3|4|"]);
        check(
            "\"a\nb\",2\n1\n\"\r\n\r\n\",\"\r\"\n1",
            Some(2),
            &["a\nb|2|", "!3:1", "\r\n\r\n|\r|", "!8:1"],
        );
        check("1,2,,\n3,4,\n5,6,,x\n", Some(2), &["1|2|", "3|4|", "!3:4"]);
    }

    #[test]
    fn a_quote_that_is_never_closed_costs_its_line() {
        check("1,2\n3,\"4\n5,6\n7,8", Some(2), &["1|2|", "?2", "5|6|", "7|8|"]);
        check("\"1,2", Some(2), &["?1"]);
        check("1,\"2\r\n3,4\r\n", Some(2), &["?1", "3|4|"]);
    }

    proptest! {
        #[test]
        fn pieces_do_not_matter(
            text in "[a,\"\\\\\n\r]{0,40}",
            step in 1usize..7,
            n in 1usize..4,
            escape in any::<bool>(),
            quote in any::<bool>(),
        ) {
            let syntax = Syntax {
                quote: quote.then_some(b'"'),
                escape: escape.then_some(b'\\'),
                ..COMMA
            };
            for expected in [None, Some(n)] {
                let whole = rows(text.as_bytes(), syntax, expected, text.len().max(1));
                prop_assert_eq!(rows(text.as_bytes(), syntax, expected, step), whole);
            }
        }
    }
}
