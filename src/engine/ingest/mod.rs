//! Reading files: bytes pushed in pieces of any size, a loaded table and a report of every guess
//! coming out. No input or output, no clock: the host brings the bytes.
//!
//! Bytes are unpacked where they are compressed, the format is found out from the first of them,
//! and a reader of that format makes columns of the rest.

mod adopt;
mod column;
mod csv;
mod decode;
mod ipc;
mod json;
mod names;
mod options;
mod report;
mod room;
mod sniff;
mod table;
#[cfg(test)]
mod tests;
mod unpack;

pub use options::{
    CsvOptions, DateOrder, Decimal, Encoding, Format, OnBadRow, Options, Quote, Synonyms,
    TimeColumn, TimesIn,
};
pub use report::{BadRow, BadRows, ColumnReport, Note, NoteCode, Report};
pub use room::Room;
pub use table::Ending;
pub(in crate::engine) use table::{goes_below_zero, is_fraction};

use crate::engine::tables::LoadedTable;
use crate::error::{Code, Diagnostic, Error, Result};

use column::{Column, Finished, Settings};
use csv::CsvReader;
use ipc::IpcReader;
use json::JsonReader;
use report::Dialect;
use sniff::sniff;
use unpack::Unpack;

/// How far a load is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
pub struct Progress {
    /// Bytes taken.
    pub bytes: u64,
    /// Rows read.
    pub rows: u64,
}

/// A table that was read, and what was found out about it.
#[derive(Debug)]
pub struct Loaded {
    /// The table, for `Engine::insert`.
    pub table: LoadedTable,
    /// What was read and guessed.
    pub report: Report,
}

/// Reads one file that comes in pieces. The bytes are read once and not kept.
pub struct Loader {
    name: String,
    options: Options,
    unpack: Unpack,
    /// Unpacked bytes while they are too few to tell the format.
    head: Vec<u8>,
    reader: Option<Reader>,
    /// What the columns may take.
    room: Room,
    bytes: u64,
    failed: Option<Error>,
}

/// A reader of the file's format.
enum Reader {
    Csv(Box<CsvReader>),
    Json(Box<JsonReader>),
    Ipc(Box<IpcReader>),
}

/// A file that was read to its end.
struct Parsed {
    /// The format's name in the report.
    format: &'static str,
    /// The file's bytes, where what was read was made of another.
    bytes: Option<u64>,
    /// The encoding of its text, where it is one.
    encoding: Option<&'static str>,
    /// How its text was written, where it is delimited text.
    dialect: Option<Dialect>,
    /// The columns with their names.
    columns: Vec<(String, Cast)>,
    /// What the file tells about how its values are written.
    settings: Settings,
    /// Rows read.
    rows: u64,
    /// Guesses and repairs.
    notes: Vec<Note>,
    /// Rows left out.
    bad_rows: BadRows,
}

/// The values of a column as its reader leaves them.
enum Cast {
    /// As they were written: their kind is still to be decided.
    Written(Box<Column>),
    /// Of a kind that the file names.
    Typed(Box<Finished>),
}

impl Loader {
    /// A loader of a table called `name`.
    ///
    /// # Errors
    /// The name is empty.
    pub fn new(name: impl Into<String>, options: Options) -> Result<Self> {
        let name = name.into();
        if name.trim().is_empty() {
            return Err(Diagnostic::new(
                Code::BadOption,
                text!("a table needs a name", "таблице нужно имя"),
            )
            .into());
        }
        Ok(Self {
            name,
            options,
            unpack: Unpack::default(),
            head: Vec::new(),
            reader: None,
            room: Room::default(),
            bytes: 0,
            failed: None,
        })
    }

    /// The same loader, for which an engine has this much room. Said before the first byte.
    #[must_use]
    pub fn within(mut self, room: Room) -> Self {
        self.room = room;
        self
    }

    /// Takes the next bytes of the file, cut anywhere.
    ///
    /// # Errors
    /// Diagnostics about the file or the options, and where memory ends; the same again at every later call.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Progress> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.bytes += bytes.len() as u64;
        self.take(bytes).inspect_err(|error| self.failed = Some(error.clone()))?;
        Ok(Progress { bytes: self.bytes, rows: self.reader.as_ref().map_or(0, Reader::rows) })
    }

    /// The end of the file: decides the columns' kinds and builds the table.
    ///
    /// # Errors
    /// Diagnostics about the file or the options.
    pub fn finish(self) -> Result<Loaded> {
        self.end()?.table()
    }

    /// The same in steps: the end of the file, then column by column.
    ///
    /// # Errors
    /// Diagnostics about the file or the options.
    pub fn end(mut self) -> Result<Ending> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let Self { unpack, head, reader, options, room, .. } = &mut self;
        unpack.finish(&mut |piece| read(head, reader, options, room, piece, false))?;
        read(head, reader, options, room, &[], true)?;
        let Some(reader) = self.reader else { return Err(internal("no reader")) };
        let parsed = match reader {
            Reader::Csv(reader) => reader.finish()?,
            Reader::Json(reader) => reader.finish()?,
            Reader::Ipc(reader) => reader.finish()?,
        };
        let compression = self.unpack.name();
        Ending::begin(self.name, self.options, parsed, self.bytes, compression, self.room)
    }

    fn take(&mut self, bytes: &[u8]) -> Result<()> {
        let Self { unpack, head, reader, options, room, .. } = self;
        unpack.push(bytes, &mut |piece| read(head, reader, options, room, piece, false))
    }
}

/// Hands unpacked bytes to the reader, which is chosen as soon as the format shows.
fn read(
    head: &mut Vec<u8>,
    reader: &mut Option<Reader>,
    options: &Options,
    room: &Room,
    bytes: &[u8],
    last: bool,
) -> Result<()> {
    if let Some(reader) = reader {
        return reader.push(bytes);
    }
    head.extend_from_slice(bytes);
    let format = match options.format {
        Some(format) => format,
        None => match sniff(head, last) {
            Some(format) => format,
            None => return Ok(()),
        },
    };
    let (options, room) = (options.clone(), room.clone());
    let reader = reader.insert(match format {
        Format::Csv => Reader::Csv(Box::new(CsvReader::new(options, room))),
        Format::Json | Format::Ndjson => Reader::Json(Box::new(JsonReader::new(options, room))),
        Format::Arrow => Reader::Ipc(Box::new(IpcReader::new(options, room))),
    });
    reader.push(&std::mem::take(head))
}

impl Cast {
    /// Bytes in memory.
    fn held(&self) -> usize {
        match self {
            Self::Written(column) => column.held(),
            Self::Typed(done) => done.memory as usize,
        }
    }
}

impl Reader {
    fn push(&mut self, bytes: &[u8]) -> Result<()> {
        match self {
            Self::Csv(reader) => reader.push(bytes),
            Self::Json(reader) => reader.push(bytes),
            Self::Ipc(reader) => reader.push(bytes),
        }
    }

    fn rows(&self) -> u64 {
        match self {
            Self::Csv(reader) => reader.rows(),
            Self::Json(reader) => reader.rows(),
            Self::Ipc(reader) => reader.rows(),
        }
    }
}

/// A mistake of ours.
fn internal(what: &str) -> Error {
    Error::Internal(format!("reading a file: {what}"))
}
