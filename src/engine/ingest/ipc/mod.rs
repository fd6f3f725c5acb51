//! Arrow IPC, as a file or a stream.
//!
//! A file is a stream between two marks with a table of contents at its end, so that both are
//! read message by message as they come. What a message says of itself is checked before the
//! `arrow` crate decodes it, which trusts lengths and places in it. Some write the schema of a file
//! in the table of contents alone; what stands before it waits for it.

mod batch;
mod schema;

use super::adopt::{Adopted, Adopter};
use super::options::{Format, Options};
use super::report::BadRows;
use super::{Parsed, Room};
use crate::error::{Code, Diagnostic, Error, Result, Text};
use arrow::array::{Array, ArrayRef};
use arrow::buffer::Buffer;
use arrow::datatypes::SchemaRef;
use arrow::ipc::reader::{RecordBatchDecoder, read_dictionary};
use arrow::ipc::{
    Message, MessageHeader, MetadataVersion, Schema, root_as_footer, root_as_message,
};
use std::collections::HashMap;

/// The bytes before the length of a message.
const CONTINUATION: [u8; 4] = [0xff; 4];
/// The mark at both ends of a file.
const MAGIC: &[u8; 6] = b"ARROW1";
/// The longest metadata of a message.
const LONGEST_METADATA: u32 = 256 << 20;
/// No message is as short: it is the place of the table that a message begins with.
const SHORT: u32 = 4;
/// The longest message.
const LONGEST_BODY: i64 = i32::MAX as i64;
/// Memory that is set aside for a message before its bytes are there.
const RESERVED: usize = 1 << 20;
/// Rows that need no bytes: those of columns without values or in runs.
const FREE_ROWS: u64 = 1 << 26;

/// Reads Arrow IPC from pieces of a file.
pub(super) struct IpcReader {
    options: Options,
    room: Room,
    state: State,
    /// Bytes of what is read now.
    buffer: Vec<u8>,
    /// It is a file and no stream.
    file: bool,
    table: Option<Table>,
    /// Bytes of the messages once unpacked.
    unpacked: u64,
    /// What stands behind the last message of a file.
    tail: Vec<u8>,
    /// Messages of a file that come before its schema, and room for them.
    early: Vec<(Vec<u8>, Buffer)>,
    beside: Room,
}

/// What is read now.
enum State {
    /// The first bytes.
    Start,
    /// The rest of a file's mark.
    Magic,
    /// The length of a message, or the bytes before it.
    Length,
    /// The length after these bytes.
    Continued,
    /// The first message of a file, as far as it was read, where nothing stands before it.
    Bare(Vec<u8>),
    /// What a message says of itself.
    Metadata(usize),
    /// The body of the message that says this of itself.
    Body(Vec<u8>, usize),
    /// What comes after the last message.
    End,
}

/// What is known once the schema is.
struct Table {
    schema: SchemaRef,
    /// The places of the columns that are read, where some are not.
    projection: Option<Vec<usize>>,
    adopter: Adopter,
    dictionaries: HashMap<i64, ArrayRef>,
    /// The schema has dictionaries.
    keyed: bool,
    /// What the stream was made of, where it was no Arrow.
    origin: Option<(&'static str, u64)>,
    /// Batches of a file that wait for dictionaries behind them.
    held: Vec<(Vec<u8>, Buffer)>,
    /// Bytes of those batches.
    waiting: usize,
    /// Room for them and for dictionaries.
    beside: Room,
}

impl IpcReader {
    /// A reader of one file.
    pub(super) fn new(options: Options, room: Room) -> Self {
        Self {
            beside: room.apart(),
            room,
            options,
            state: State::Start,
            buffer: Vec::new(),
            file: false,
            table: None,
            unpacked: 0,
            tail: Vec::new(),
            early: Vec::new(),
        }
    }

    /// Rows read so far.
    pub(super) fn rows(&self) -> u64 {
        self.table.as_ref().map_or(0, |table| table.adopter.rows())
    }

    /// Takes the next bytes of the file.
    pub(super) fn push(&mut self, mut bytes: &[u8]) -> Result<()> {
        loop {
            let need = match &self.state {
                State::Start | State::Magic | State::Length | State::Continued | State::Bare(_) => {
                    4
                }
                State::Metadata(length) | State::Body(_, length) => *length,
                State::End => return self.rest(bytes),
            };
            if self.buffer.is_empty() {
                self.buffer.reserve(need.min(RESERVED));
            }
            let missing = need.saturating_sub(self.buffer.len()).min(bytes.len());
            self.room.has(self.buffer.len() + missing)?;
            let (now, later) = bytes.split_at_checked(missing).unwrap_or((bytes, &[]));
            self.buffer.extend_from_slice(now);
            bytes = later;
            if self.buffer.len() < need {
                return Ok(());
            }
            let block = std::mem::take(&mut self.buffer);
            self.state = self.step(block)?;
        }
    }

    /// What comes after the last message: the rest of a file, and nothing in a stream.
    fn rest(&mut self, bytes: &[u8]) -> Result<()> {
        if !self.file {
            return if bytes.iter().all(|b| *b == 0) { Ok(()) } else { Err(broken()) };
        }
        let length = self.tail.len() + bytes.len();
        if length > LONGEST_METADATA as usize {
            return Err(broken());
        }
        self.beside.more(bytes.len())?;
        self.tail.extend_from_slice(bytes);
        Ok(())
    }

    /// Reads a complete piece and tells what comes next.
    fn step(&mut self, block: Vec<u8>) -> Result<State> {
        Ok(match std::mem::replace(&mut self.state, State::End) {
            State::Start if MAGIC.starts_with(&block) => State::Magic,
            State::Start | State::Length if block == CONTINUATION => State::Continued,
            State::Magic => {
                if !block.starts_with(MAGIC.get(4..).unwrap_or_default()) {
                    return Err(broken());
                }
                self.file = true;
                State::Length
            }
            // the first versions wrote nothing before the length
            state @ (State::Start | State::Length | State::Continued) => {
                let length = block.first_chunk().map_or(0, |four| u32::from_le_bytes(*four));
                if length > LONGEST_METADATA {
                    return Err(broken());
                }
                let begins = self.file && self.table.is_none() && self.early.is_empty();
                match length {
                    // a file's mark may be filled up to more than its own eight bytes
                    0 if begins && !matches!(state, State::Continued) => State::Length,
                    0 => State::End,
                    // polars writes the schema of a file without its length
                    SHORT if self.file && self.table.is_none() => State::Bare(block),
                    length => State::Metadata(length as usize),
                }
            }
            State::Bare(schema) if block == CONTINUATION && schema.len().is_multiple_of(8) => {
                self.message(schema, Buffer::from(Vec::<u8>::new()))?;
                State::Continued
            }
            State::Bare(mut schema) => {
                schema.extend_from_slice(&block);
                if schema.len() > LONGEST_METADATA as usize {
                    return Err(broken());
                }
                State::Bare(schema)
            }
            State::Metadata(_) => {
                let length = message(&block)?.bodyLength();
                if length > LONGEST_BODY {
                    return Err(too_long());
                }
                State::Body(block, usize::try_from(length).map_err(|_| broken())?)
            }
            State::Body(metadata, _) => {
                self.message(metadata, block.into())?;
                State::Length
            }
            State::End => State::End,
        })
    }

    fn message(&mut self, metadata: Vec<u8>, body: Buffer) -> Result<()> {
        let message = message(&metadata)?;
        if message.version() < MetadataVersion::V4 || message.version() > MetadataVersion::V5 {
            return Err(unsupported(text!(
                "the Arrow data is of a version that is not read",
                "данные Arrow той версии, которая не читается"
            )));
        }
        match (message.header_type(), &mut self.table) {
            (MessageHeader::NONE, _) => Ok(()),
            (MessageHeader::Schema, None) => {
                let written = message.header_as_schema().ok_or_else(broken)?;
                self.table = Some(Table::new(written, &self.options, &self.room)?);
                Ok(())
            }
            (MessageHeader::DictionaryBatch | MessageHeader::RecordBatch, None) if self.file => {
                self.beside.more(taken(&metadata, &body))?;
                self.early.push((metadata, body));
                Ok(())
            }
            (MessageHeader::DictionaryBatch, Some(table)) => {
                self.unpacked += table.dictionary(message, &body)?;
                Ok(())
            }
            (MessageHeader::RecordBatch, Some(table)) => {
                let (rows, bytes) = batch::check(&message, &table.schema, &body)?;
                self.unpacked += bytes;
                if table.adopter.rows() + rows > self.unpacked.saturating_mul(8) + FREE_ROWS {
                    return Err(too_long());
                }
                if rows == 0 {
                    return Ok(());
                }
                // in a file, dictionaries may come after the batches that need them
                let may_wait = self.file && table.keyed;
                if may_wait && !table.held.is_empty() {
                    return table.wait(metadata, body);
                }
                self.room.has(usize::try_from(bytes).unwrap_or(usize::MAX))?;
                match table.decode(message, &body) {
                    Ok(batch) => table.adopter.push(&batch),
                    Err(_) if may_wait => table.wait(metadata, body),
                    Err(error) => Err(error),
                }
            }
            _ => Err(broken()),
        }
    }

    /// Whether a table of contents and nothing else stands behind the last message of a file. The
    /// schema is taken from it where none came before.
    fn contents(&mut self) -> Result<bool> {
        let tail = std::mem::take(&mut self.tail);
        let Some(rest) = tail.strip_suffix(MAGIC) else { return Ok(false) };
        let Some((rest, length)) = rest.split_last_chunk() else { return Ok(false) };
        let length = usize::try_from(u32::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let Some(place) = rest.len().checked_sub(length) else { return Ok(false) };
        let (before, footer) = rest.split_at_checked(place).unwrap_or_default();
        // the end may be marked twice; messages there were cut off by a damaged length
        let marks = |four: &[u8]| four == CONTINUATION || four.iter().all(|byte| *byte == 0);
        if !before.chunks(CONTINUATION.len()).all(marks) {
            return Err(broken());
        }
        if self.table.is_none() {
            let footer = root_as_footer(footer).map_err(|_| broken())?;
            let schema = footer.schema().ok_or_else(broken)?;
            self.table = Some(Table::new(schema, &self.options, &self.room)?);
            let early = std::mem::take(&mut self.early);
            let mut left: usize = early.iter().map(|(m, b)| taken(m, b)).sum();
            for (metadata, body) in early {
                left -= taken(&metadata, &body);
                self.message(metadata, body)?;
                self.beside.hold(left)?;
            }
        }
        self.beside.hold(0)?;
        Ok(true)
    }

    /// Reads what is left.
    pub(super) fn finish(mut self) -> Result<Parsed> {
        let complete = match self.state {
            State::End if self.file => self.contents()?,
            State::End => true,
            State::Length => !self.file && self.buffer.is_empty(),
            State::Start if self.buffer.is_empty() => {
                let text = text!("the file is empty", "файл пуст");
                return Err(Diagnostic::new(Code::EmptyInput, text).into());
            }
            _ => false,
        };
        let Some(mut table) = self.table.take().filter(|_| complete) else { return Err(cut()) };
        for (metadata, body) in std::mem::take(&mut table.held) {
            let batch = table.decode(message(&metadata)?, &body)?;
            table.adopter.push(&batch)?;
        }
        let rows = table.adopter.rows();
        let Adopted { columns, notes } = table.adopter.finish()?;
        let (format, bytes) = table.origin.unzip();
        Ok(Parsed {
            format: format.unwrap_or(Format::Arrow.name()),
            bytes,
            encoding: None,
            dialect: None,
            columns,
            settings: self.options.settings(),
            rows,
            notes,
            bad_rows: BadRows::default(),
        })
    }
}

impl Table {
    fn new(written: Schema<'_>, options: &Options, room: &Room) -> Result<Self> {
        let origin = schema::origin(written);
        let schema = schema::read(written)?;
        let adopter = Adopter::new(schema.fields(), options, room.clone())?;
        let fields = adopter.fields();
        let all = fields.len() == schema.fields().len();
        Ok(Self {
            projection: (!all).then(|| fields.to_vec()),
            keyed: schema::has_dictionaries(schema.fields()),
            origin,
            schema,
            adopter,
            dictionaries: HashMap::new(),
            held: Vec::new(),
            waiting: 0,
            beside: room.apart(),
        })
    }

    /// Keeps a batch until its dictionaries are there.
    fn wait(&mut self, metadata: Vec<u8>, body: Buffer) -> Result<()> {
        self.waiting += metadata.len() + body.len();
        self.held.push((metadata, body));
        self.hold()
    }

    /// Tells what is kept beside the columns.
    fn hold(&self) -> Result<()> {
        let sizes = self.dictionaries.values().map(|array| array.to_data().get_slice_memory_size());
        let sizes: usize = sizes.map(Result::unwrap_or_default).sum();
        self.beside.hold(self.waiting + sizes)
    }

    /// Reads a batch that was checked.
    fn decode(&self, message: Message, body: &Buffer) -> Result<arrow::array::RecordBatch> {
        let version = message.version();
        let batch = message.header_as_record_batch().ok_or_else(broken)?;
        RecordBatchDecoder::try_new(body, batch, self.schema.clone(), &self.dictionaries, &version)
            .and_then(|decoder| {
                decoder.with_projection(self.projection.as_deref()).read_record_batch()
            })
            .map_err(|_| broken())
    }

    /// Checks and reads the values of a dictionary; tells their bytes.
    fn dictionary(&mut self, message: Message, body: &Buffer) -> Result<u64> {
        let dictionary = message.header_as_dictionary_batch().ok_or_else(broken)?;
        let bytes = batch::check_dictionary(&message, &self.schema, body)?;
        let version = message.version();
        read_dictionary(body, dictionary, &self.schema, &mut self.dictionaries, &version)
            .map_err(|_| broken())?;
        self.hold()?;
        Ok(bytes)
    }
}

/// The memory that a message takes while it waits.
fn taken(metadata: &Vec<u8>, body: &Buffer) -> usize {
    const BOOKS: usize = 128;
    metadata.capacity() + body.capacity() + BOOKS
}

fn message(metadata: &[u8]) -> Result<Message<'_>> {
    root_as_message(metadata).map_err(|_| broken())
}

fn broken() -> Error {
    let text = text!("the Arrow data is damaged", "данные Arrow повреждены");
    Diagnostic::new(Code::BrokenFile, text).into()
}

fn cut() -> Error {
    let text = text!("the Arrow data ends too early", "данные Arrow обрываются");
    Diagnostic::new(Code::BrokenFile, text).into()
}

fn too_long() -> Error {
    Diagnostic::new(
        Code::BrokenFile,
        text!(
            "a batch of the Arrow data is too long to be read at once",
            "пакет данных Arrow слишком велик, чтобы прочитать его целиком"
        ),
    )
    .into()
}

fn unsupported(text: Text) -> Error {
    Diagnostic::new(Code::UnsupportedFormat, text).into()
}
