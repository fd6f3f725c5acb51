//! JSON: an array of objects, an object with one array inside, GeoJSON, or one object a line.
//!
//! The text is decoded and cut into elements as it comes; only the element that is being read and
//! a block of rows are kept. Each element is checked by `serde_json` and then gone through once
//! more, so that numbers come to the columns as they were written and no tree is built.
//!
//! Nested objects become columns with dotted names. Lists are written as their JSON text; when all
//! of a column are there, those whose members are of one kind become lists again.

mod block;
mod envelope;
mod field;
mod geojson;
mod names;
mod problems;
pub(super) mod scan;
mod table;
mod tree;

use super::decode::Decoder;
use super::options::{Format, OnBadRow, Options};
use super::report::{BadRow, BadRows, Note, NoteCode};
use super::{Parsed, Room};
use crate::error::Result;
use envelope::Envelope;
use scan::{Place, Scan, is_space};
use table::Table;

/// Bytes that are decoded at once.
const PIECE: usize = 64 << 10;
/// A first object that is longer than this is not one of many, but has the rows inside.
const FIRST: usize = 1 << 20;
/// The longest element.
const LONGEST: usize = 256 << 20;

/// Reads JSON from pieces of a file.
pub(super) struct JsonReader {
    options: Options,
    room: Room,
    decoder: Decoder,
    /// Text that is not read yet, with some that is before it.
    text: Vec<u8>,
    /// Where the reader is in the text.
    at: usize,
    place: Place,
    /// The value that begins there, and up to where its end was looked for.
    scan: Option<(Scan, usize)>,
    state: State,
    envelope: Option<Envelope>,
    table: Table,
    format: Format,
    /// Some numbers are words such as `NaN`.
    words: bool,
    notes: Vec<Note>,
    bad_rows: BadRows,
}

/// What the reader is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Before the first value.
    Start,
    /// An object that may be the first of many or have the rows inside.
    First,
    /// After such an object of this length.
    After(usize),
    /// One value a line.
    Lines,
    /// Values one after the other.
    Values,
    /// In the array of rows.
    Rows(Row),
    /// In an object around the rows.
    Envelope,
    /// After all of it.
    End,
}

/// What may come next in the array of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Row {
    ElementOrEnd,
    Element,
    CommaOrEnd,
}

impl JsonReader {
    /// A reader of one file.
    pub(super) fn new(options: Options, room: Room) -> Self {
        let lines = options.format == Some(Format::Ndjson);
        Self {
            decoder: Decoder::new(options.csv.encoding),
            text: Vec::new(),
            at: 0,
            place: Place::FIRST,
            scan: None,
            state: if lines { State::Lines } else { State::Start },
            envelope: None,
            table: Table::new(&options, room.clone()),
            room,
            format: if lines { Format::Ndjson } else { Format::Json },
            words: false,
            notes: Vec::new(),
            bad_rows: BadRows::default(),
            options,
        }
    }

    /// Rows read so far.
    pub(super) fn rows(&self) -> u64 {
        self.table.rows()
    }

    /// Takes the next bytes of the file.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<()> {
        for piece in bytes.chunks(PIECE) {
            self.decoder.push(piece, &mut self.text)?;
            self.work(false)?;
        }
        Ok(())
    }

    /// Reads what is left.
    pub(super) fn finish(mut self) -> Result<Parsed> {
        self.decoder.finish(&mut self.text)?;
        self.work(true)?;
        let rows = self.table.rows();
        let mut notes = Vec::new();
        let columns = self.table.finish(&mut notes)?;
        if rows == 0 || columns.is_empty() {
            let blank = self.state == State::Lines && rows == 0 && self.bad_rows.count == 0;
            return Err(if blank { problems::empty() } else { problems::no_rows() }.into());
        }
        let names: Vec<&str> = columns.iter().map(|(name, _)| name.as_str()).collect();
        self.options.check_columns(&names)?;
        notes.append(&mut self.notes);
        self.decoder.note(&mut notes);
        if self.words {
            notes.push(Note::new(
                NoteCode::InfiniteAsNull,
                text!(
                    "numbers written as `NaN` or `Infinity` are read as missing",
                    "числа вида `NaN` и `Infinity` прочитаны как пропуски"
                ),
            ));
        }
        let bad = self.bad_rows.count;
        if bad > 0 {
            notes.push(Note::new(
                NoteCode::RowsSkipped,
                text!(
                    "lines that are not valid JSON left out: {bad}",
                    "пропущено строк, которые не JSON: {bad}"
                ),
            ));
        }
        Ok(Parsed {
            format: self.format.name(),
            bytes: None,
            encoding: Some(self.decoder.encoding().name()),
            dialect: None,
            columns,
            settings: self.options.settings(),
            rows,
            notes,
            bad_rows: self.bad_rows,
        })
    }

    /// Reads as far as the text goes, and forgets what was read.
    fn work(&mut self, last: bool) -> Result<()> {
        while self.step(last)? {}
        self.text.drain(..self.at.min(self.text.len()));
        if let Some((_, to)) = &mut self.scan {
            *to = to.saturating_sub(self.at);
        }
        self.at = 0;
        self.room.has(self.text.len())?;
        if self.text.len() > LONGEST {
            return Err(problems::endless(self.place).into());
        }
        Ok(())
    }

    /// Takes one step; false when there is no text for another.
    fn step(&mut self, last: bool) -> Result<bool> {
        match self.state {
            State::Start => self.start(last),
            State::First => self.first(last),
            State::After(length) => self.after(length, last),
            State::Lines => self.line(last),
            State::Values => {
                if self.peek().is_none() {
                    return Ok(false);
                }
                self.element(last)
            }
            State::Rows(row) => self.row(row, last),
            State::Envelope => self.envelope(last),
            State::End => match self.peek() {
                Some(_) => Err(problems::trailing(self.place).into()),
                None => Ok(false),
            },
        }
    }

    fn start(&mut self, last: bool) -> Result<bool> {
        match self.peek() {
            Some(b'[') => {
                self.advance(self.at + 1);
                self.state = State::Rows(Row::ElementOrEnd);
            }
            Some(b'{') => self.state = State::First,
            Some(_) => return Err(problems::broken(self.place).into()),
            None if last => return Err(problems::empty().into()),
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Looks for the end of the first object, but not too far.
    fn first(&mut self, last: bool) -> Result<bool> {
        let most = self.at + FIRST;
        let long = self.text.len() >= most;
        let (mut scan, from) = self.scan.take().unwrap_or((Scan::default(), self.at));
        let text = self.text.get(..most).unwrap_or(&self.text);
        if let Some(end) = scan.run(text, from) {
            self.state = State::After(end - self.at);
        } else if long {
            self.enter(None);
        } else {
            self.scan = Some((scan, self.text.len()));
            return self.more(last);
        }
        Ok(true)
    }

    /// Whether the first object is one of many, by what comes after it.
    fn after(&mut self, length: usize, last: bool) -> Result<bool> {
        let end = self.at + length;
        let rest = self.text.get(end..).unwrap_or_default();
        match rest.iter().position(|b| !is_space(*b)) {
            Some(next) => {
                let newline = |text: Option<&[u8]>| text.is_some_and(|text| text.contains(&b'\n'));
                let lines = newline(rest.get(..next)) && !newline(self.text.get(self.at..end));
                self.state = if lines { State::Lines } else { State::Values };
                self.format = Format::Ndjson;
            }
            None if last => {
                let mut end = end;
                if let Err(place) = self.check(end) {
                    let object = self.text.get(self.at..end).unwrap_or_default();
                    let object = scan::without_words(object).filter(|o| scan::check(o).is_ok());
                    self.text = object.ok_or_else(|| problems::broken(place))?;
                    self.words = true;
                    (self.at, end) = (0, self.text.len());
                }
                self.enter(Some(self.at..end));
            }
            None => return Ok(false),
        }
        Ok(true)
    }

    /// Takes a line.
    fn line(&mut self, last: bool) -> Result<bool> {
        let from = self.scan.take().map_or(self.at, |(_, to)| to);
        let rest = self.text.get(from..).unwrap_or_default();
        let (end, next) = match rest.iter().position(|b| *b == b'\n') {
            Some(n) => (from + n, from + n + 1),
            None if last => (self.text.len(), self.text.len()),
            None => {
                self.scan = Some((Scan::default(), self.text.len()));
                return Ok(false);
            }
        };
        let line = self.text.get(self.at..end).unwrap_or_default();
        if let Some(start) = line.iter().position(|b| !is_space(*b)) {
            self.advance(self.at + start);
            match self.take(end)? {
                Ok(()) => {}
                Err(place) if self.options.on_bad_row == OnBadRow::Error => {
                    return Err(problems::bad_line(place).into());
                }
                Err(_) => {
                    self.bad_rows.add(BadRow { line: self.place.line, fields: 0, expected: 0 });
                }
            }
        }
        self.place = Place { line: self.place.line + 1, column: 1 };
        self.at = next;
        Ok(next < self.text.len())
    }

    /// Takes the element that begins here.
    fn element(&mut self, last: bool) -> Result<bool> {
        let Some(end) = self.value_end(last)? else { return Ok(false) };
        self.take(end)?.map_err(problems::broken)?;
        self.advance(end);
        Ok(true)
    }

    /// Goes on in the array of rows.
    fn row(&mut self, row: Row, last: bool) -> Result<bool> {
        let next = match (row, self.peek()) {
            (_, None) => return self.more(last),
            (Row::ElementOrEnd | Row::CommaOrEnd, Some(b']')) => {
                self.advance(self.at + 1);
                self.state = if self.envelope.is_some() { State::Envelope } else { State::End };
                return Ok(true);
            }
            (Row::CommaOrEnd, Some(b',')) => {
                self.advance(self.at + 1);
                Row::Element
            }
            (Row::CommaOrEnd, Some(_)) => return Err(problems::broken(self.place).into()),
            _ if self.element(last)? => Row::CommaOrEnd,
            _ => return Ok(false),
        };
        self.state = State::Rows(next);
        Ok(true)
    }

    /// The end of the value that begins here; `None` when there is not enough text.
    fn value_end(&mut self, last: bool) -> Result<Option<usize>> {
        let (mut scan, from) = self.scan.take().unwrap_or((Scan::default(), self.at));
        match scan.run(&self.text, from) {
            Some(end) => Ok(Some(end)),
            None if last && scan.may_end() => Ok(Some(self.text.len())),
            None => {
                self.scan = Some((scan, self.text.len()));
                self.more(last).map(|_| None)
            }
        }
    }

    /// Waits for text, which there has to be.
    fn more(&self, last: bool) -> Result<bool> {
        if last { Err(problems::cut_off(self.place).into()) } else { Ok(false) }
    }

    /// Whether the text up to `end` is one value; else the place of its first fault.
    fn check(&self, end: usize) -> Result<(), Place> {
        let value = self.text.get(self.at..end).unwrap_or_default();
        scan::check(value).map_err(|fault| self.place.after(value.get(..fault).unwrap_or(value)))
    }

    /// Makes a row of the text up to `end`; gives the place of its first fault where it has one.
    fn take(&mut self, end: usize) -> Result<Result<(), Place>> {
        let element = self.text.get(self.at..end).unwrap_or_default();
        if let Err(place) = self.check(end) {
            let Some(element) = scan::without_words(element) else { return Ok(Err(place)) };
            if scan::check(&element).is_err() {
                return Ok(Err(place));
            }
            self.words = true;
            return self.table.push(&element).map(Ok);
        }
        self.table.push(element).map(Ok)
    }

    /// The byte that comes next, white space aside.
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.get(self.at..)?;
        let space = rest.iter().position(|b| !is_space(*b)).unwrap_or(rest.len());
        self.advance(self.at + space);
        self.text.get(self.at).copied()
    }

    /// Goes on to `to`.
    fn advance(&mut self, to: usize) {
        self.place = self.place.after(self.text.get(self.at..to).unwrap_or_default());
        self.at = to;
    }
}
