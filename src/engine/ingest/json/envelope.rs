//! An object around the rows: which of its lists they are.
//!
//! Whatever is not the rows is passed over without being kept, so that what stands before and
//! after them may be as long as it likes.

use super::{JsonReader, Row, State, Table, problems, scan};
use crate::engine::ingest::report::{Note, NoteCode};
use crate::error::Result;
use scan::is_space;
use std::ops::Range;

/// How deep the rows may be: `{"rows": […]}` or `{"result": {"rows": […]}}`.
const DEEPEST: usize = 2;

/// What may come next in an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expect {
    /// A key, or the end of an empty object.
    KeyOrEnd,
    /// A key after a comma.
    Key,
    Colon,
    Value,
    CommaOrEnd,
    /// The end of a value that is passed over.
    Passing,
}

/// Where the reader is in the object.
pub(super) struct Envelope {
    expect: Expect,
    /// Where the object is, when all of it is there: without rows inside it is one itself.
    whole: Option<Range<usize>>,
    /// The keys that lead here, one for each object around.
    keys: Vec<String>,
    /// Where rows were found: the keys that lead to them.
    found: Option<Vec<String>>,
    /// Other lists of objects, as deep as the rows.
    others: Vec<String>,
    /// The keys of lists of lists: they may be the rows of a list of objects that tells of columns.
    tables: Vec<Vec<String>>,
}

impl Envelope {
    /// Takes the key of the member that begins.
    fn key(&mut self, key: &[u8]) {
        if let Some(last) = self.keys.last_mut() {
            *last = String::from_utf8_lossy(key).into_owned();
        }
        self.expect = Expect::Colon;
    }

    /// An object begins; false where it is not looked into.
    fn enter(&mut self) -> bool {
        let enter = self.keys.len() < DEEPEST;
        if enter {
            self.keys.push(String::new());
            self.expect = Expect::KeyOrEnd;
        }
        enter
    }

    /// A list of objects begins; true when it is to be read as the rows, in place of any found
    /// deeper inside before.
    fn list(&mut self) -> bool {
        let deep = self.found.as_ref().map(Vec::len);
        let better = deep.is_none_or(|deep| deep > self.keys.len());
        if better {
            self.found = Some(self.keys.clone());
            self.others.clear();
            self.expect = Expect::CommaOrEnd;
        } else if deep == Some(self.keys.len()) && self.others.len() < 4 {
            self.others.push(self.keys.join("."));
        }
        better
    }
}

impl JsonReader {
    /// Looks for the rows in the object that begins here; `whole` when all of it is there.
    pub(super) fn enter(&mut self, whole: Option<Range<usize>>) {
        self.advance(self.at + 1);
        self.state = State::Envelope;
        self.envelope = Some(Envelope {
            expect: Expect::KeyOrEnd,
            whole,
            keys: vec![String::new()],
            found: None,
            others: Vec::new(),
            tables: Vec::new(),
        });
    }

    /// Takes a step in the object around the rows.
    pub(super) fn envelope(&mut self, last: bool) -> Result<bool> {
        let Some(expect) = self.envelope.as_ref().map(|e| e.expect) else { return Ok(false) };
        if expect == Expect::Passing {
            return self.pass(last);
        }
        let Some(byte) = self.peek() else { return self.more(last) };
        match (expect, byte) {
            (Expect::KeyOrEnd | Expect::Key, b'"') => return self.key(last),
            (Expect::Value, b'[') => return self.list(last),
            _ => {}
        }
        let Some(envelope) = &mut self.envelope else { return Ok(false) };
        let mut next = self.at + 1;
        match (expect, byte) {
            (Expect::CommaOrEnd, b',') => envelope.expect = Expect::Key,
            (Expect::Colon, b':') => envelope.expect = Expect::Value,
            (Expect::Value, b'{') if envelope.enter() => {}
            (Expect::Value, b'}' | b']' | b',' | b':') => {
                return Err(problems::broken(self.place).into());
            }
            (Expect::Value, _) => {
                envelope.expect = Expect::Passing;
                next = self.at;
            }
            (Expect::KeyOrEnd | Expect::CommaOrEnd, b'}') => {
                envelope.keys.pop();
                envelope.expect = Expect::CommaOrEnd;
                if envelope.keys.is_empty() {
                    self.state = State::End;
                    self.close()?;
                }
            }
            _ => return Err(problems::broken(self.place).into()),
        }
        self.advance(next);
        Ok(true)
    }

    /// Takes a key.
    fn key(&mut self, last: bool) -> Result<bool> {
        let Some(end) = self.value_end(last)? else { return Ok(false) };
        self.check(end).map_err(problems::broken)?;
        let quoted = self.text.get(self.at..end).unwrap_or_default();
        let (mut scratch, mut broken) = (Vec::new(), 0);
        let key = scan::string(quoted, &mut scratch, &mut broken);
        if let Some(envelope) = &mut self.envelope {
            envelope.key(key);
        }
        self.advance(end);
        Ok(true)
    }

    /// Looks at what a list begins with: if it is an object, these are the rows.
    fn list(&mut self, last: bool) -> Result<bool> {
        let inside = self.text.get(self.at + 1..).unwrap_or_default();
        let Some(first) = inside.iter().find(|b| !is_space(**b)).copied() else {
            return self.more(last);
        };
        let Some(envelope) = &mut self.envelope else { return Ok(false) };
        if first == b'{' && envelope.list() {
            self.table = Table::new(&self.options, self.room.clone());
            self.state = State::Rows(Row::ElementOrEnd);
            self.advance(self.at + 1);
        } else {
            if first == b'[' {
                envelope.tables.push(envelope.keys.clone());
            }
            envelope.expect = Expect::Passing;
        }
        Ok(true)
    }

    /// Passes over a value.
    fn pass(&mut self, last: bool) -> Result<bool> {
        let (mut scan, from) = self.scan.take().unwrap_or_default();
        let end = scan.run(&self.text, from.max(self.at));
        self.advance(end.unwrap_or(self.text.len()));
        if end.is_none() {
            self.scan = Some((scan, self.text.len()));
            return self.more(last);
        }
        if let Some(envelope) = &mut self.envelope {
            envelope.expect = Expect::CommaOrEnd;
        }
        Ok(true)
    }

    /// The end of the object.
    fn close(&mut self) -> Result<()> {
        let Some(mut envelope) = self.envelope.take() else { return Ok(()) };
        let deep = envelope.found.as_ref().map_or(0, Vec::len);
        let rivals = envelope.tables.iter().filter(|keys| keys.len() <= deep);
        envelope.others.extend(rivals.map(|keys| keys.join(".")));
        let Some(found) = envelope.found.map(|keys| keys.join(".")) else {
            self.notes.push(Note::new(
                NoteCode::OneObject,
                text!(
                    "the file is one object: the table has one row",
                    "файл — один объект: в таблице одна строка"
                ),
            ));
            let object = envelope.whole.and_then(|whole| self.text.get(whole));
            return self.table.push(object.ok_or_else(problems::no_list)?);
        };
        if !envelope.others.is_empty() {
            let names: Vec<&str> =
                std::iter::once(&found).chain(&envelope.others).map(String::as_str).collect();
            return Err(problems::several(&names).into());
        }
        self.notes.push(Note::new(
            NoteCode::RowsInField,
            text!(
                "the rows are those of the list `{found}`; what is beside it is left out",
                "строки взяты из списка `{found}`; то, что рядом с ним, пропущено"
            ),
        ));
        Ok(())
    }
}
