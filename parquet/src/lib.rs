//! Reads Parquet for pinhole: bytes of a file in, an Arrow IPC stream out.
//!
//! A crate and a wasm module of its own, so that a page which never opens a Parquet file does not
//! fetch its reader, and a broken file that makes the reader fail takes no engine with it. No input
//! or output: [`Reader::step`] says which bytes it needs, the host brings them.
//!
//! What the stream holds is what the file holds: names, types, order, nulls. What becomes of the
//! types is the engine's affair, as with every Arrow stream.

mod schema;
#[cfg(target_arch = "wasm32")]
mod wasm;

use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;
use arrow_schema::Schema;
use bytes::Bytes;
use parquet::DecodeResult;
use parquet::arrow::ProjectionMask;
use parquet::arrow::push_decoder::{ParquetPushDecoder, ParquetPushDecoderBuilder};
use parquet::basic::Type;
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    PageIndexPolicy, ParquetMetaData, ParquetMetaDataPushDecoder, RowGroupMetaData,
};
use std::ops::Range;
use std::sync::Arc;

/// The mark at both ends of a file.
const MAGIC: &[u8; 4] = b"PAR1";
/// The mark of a file whose footer is encrypted.
const ENCRYPTED: &[u8; 4] = b"PARE";
/// The footer's length and the mark behind it.
const END: usize = 8;
/// No file is shorter: a mark, the footer's length, a mark.
const SHORTEST: u64 = 12;
/// Bytes of the end that are asked for at first: most footers lie within.
const TAIL: u64 = 64 << 10;
/// Bytes of values that a batch holds, about.
const BATCH_BYTES: i64 = 4 << 20;
/// Rows of a batch, at least and at most.
const BATCH_ROWS: Range<i64> = 1024..131_072;
/// Rows of a batch at most where texts may be long and nothing says how long.
const BATCH_ROWS_UNKNOWN: i64 = 16_384;

/// Why a file cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// It does not end as Parquet files do: it is cut short, or no such file.
    NotParquet,
    /// What it says of itself contradicts itself or its bytes.
    Broken,
    /// It is encrypted.
    Encrypted,
    /// It uses a compression, an encoding or a type that is not read.
    Unsupported,
}

impl Failure {
    /// A stable name, snake_case.
    pub fn code(self) -> &'static str {
        match self {
            Self::NotParquet => "not_parquet",
            Self::Broken => "broken",
            Self::Encrypted => "encrypted",
            Self::Unsupported => "unsupported",
        }
    }
}

impl From<ParquetError> for Failure {
    fn from(error: ParquetError) -> Self {
        match error {
            ParquetError::NYI(_) => Self::Unsupported,
            _ => Self::Broken,
        }
    }
}

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub enum Step {
    /// These bytes of the file are needed, by their places in it.
    Needs(Vec<Range<u64>>),
    /// The next piece of the stream.
    Piece(Vec<u8>),
    /// The stream has ended.
    Done,
}

/// Writes the stream.
type Writer = StreamWriter<Vec<u8>>;

/// Reads one file.
pub struct Reader {
    size: u64,
    columns: Option<Vec<String>>,
    state: State,
    /// What was asked for last.
    asked: Vec<Range<u64>>,
    rows: u64,
    all_rows: u64,
}

enum State {
    /// The end of the file, with the length of the footer.
    Tail(Option<Bytes>),
    /// The footer.
    Footer(Box<ParquetMetaDataPushDecoder>),
    /// The rows.
    Rows(Box<ParquetPushDecoder>, Box<Writer>),
    /// The last piece is out, or something is wrong.
    Ended,
}

impl Reader {
    /// A reader of a file of `size` bytes. With `columns`, only columns with these names are read
    /// (`a` stands for all of a nested column, and so does `a.b`); when one of these is not there,
    /// all are read, so that whoever looks for it knows what there is.
    pub fn new(size: u64, columns: Option<Vec<String>>) -> Self {
        Self { size, columns, state: State::Tail(None), asked: Vec::new(), rows: 0, all_rows: 0 }
    }

    /// Rows in the pieces so far.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Rows of the file, once its footer was read.
    pub fn all_rows(&self) -> u64 {
        self.all_rows
    }

    /// Bytes of the file that are held for rows to come.
    pub fn held(&self) -> u64 {
        match &self.state {
            State::Rows(decoder, _) => decoder.buffered_bytes(),
            _ => 0,
        }
    }

    /// Takes bytes of the file from the place `start`: those that were asked for, or more.
    ///
    /// # Errors
    /// They are not needed now.
    pub fn push(&mut self, start: u64, bytes: Vec<u8>) -> Result<(), Failure> {
        let bytes = Bytes::from(bytes);
        let range = start..start.saturating_add(bytes.len() as u64);
        if range.end > self.size {
            return Err(Failure::Broken);
        }
        match &mut self.state {
            State::Tail(tail) => {
                if range.end == self.size {
                    *tail = Some(bytes);
                }
                Ok(())
            }
            State::Footer(decoder) => Ok(decoder.push_range(range, bytes)?),
            // The decoder lets go of what it has read only range by range, as it asked for them.
            State::Rows(decoder, _) => {
                for asked in &self.asked {
                    if range.start <= asked.start && asked.end <= range.end {
                        let part = (asked.start - start) as usize..(asked.end - start) as usize;
                        decoder.push_range(asked.clone(), bytes.slice(part))?;
                    }
                }
                Ok(())
            }
            State::Ended => Err(Failure::Broken),
        }
    }

    /// The next piece of the stream, or the bytes that it needs.
    ///
    /// # Errors
    /// The file cannot be read; nothing more comes of it.
    pub fn step(&mut self) -> Result<Step, Failure> {
        loop {
            match std::mem::replace(&mut self.state, State::Ended) {
                State::Tail(None) => {
                    if self.size < SHORTEST {
                        return Err(Failure::NotParquet);
                    }
                    self.state = State::Tail(None);
                    let tail = self.size.saturating_sub(TAIL)..self.size;
                    return Ok(Step::Needs(vec![tail]));
                }
                State::Tail(Some(tail)) => self.state = self.footer(tail)?,
                State::Footer(mut decoder) => match decoder.try_decode()? {
                    DecodeResult::NeedsData(ranges) => {
                        self.state = State::Footer(decoder);
                        return Ok(Step::Needs(self.within(ranges)?));
                    }
                    DecodeResult::Data(footer) => {
                        let (state, piece) = self.begin(footer)?;
                        self.state = state;
                        return Ok(Step::Piece(piece));
                    }
                    DecodeResult::Finished => return Err(Failure::Broken),
                },
                State::Rows(mut decoder, mut writer) => match decoder.try_decode()? {
                    DecodeResult::NeedsData(ranges) => {
                        self.state = State::Rows(decoder, writer);
                        self.asked = self.within(ranges)?;
                        return Ok(Step::Needs(self.asked.clone()));
                    }
                    DecodeResult::Data(batch) => {
                        let piece = self.write(&mut writer, &batch)?;
                        self.state = State::Rows(decoder, writer);
                        return Ok(Step::Piece(piece));
                    }
                    // Fewer rows than were said are not all of the table.
                    DecodeResult::Finished if self.rows != self.all_rows => {
                        return Err(Failure::Broken);
                    }
                    DecodeResult::Finished => {
                        writer.finish().map_err(|_| Failure::Broken)?;
                        return Ok(Step::Piece(std::mem::take(writer.get_mut())));
                    }
                },
                State::Ended => return Ok(Step::Done),
            }
        }
    }

    /// Checks what the end says before the decoder believes it.
    fn footer(&self, tail: Bytes) -> Result<State, Failure> {
        let end = tail.len().checked_sub(END).and_then(|at| tail.get(at..));
        let (length, mark) =
            end.and_then(|end| end.split_at_checked(4)).ok_or(Failure::NotParquet)?;
        if mark == ENCRYPTED {
            return Err(Failure::Encrypted);
        }
        if mark != MAGIC {
            return Err(Failure::NotParquet);
        }
        let length = length.first_chunk().map_or(0, |four| u32::from_le_bytes(*four));
        if u64::from(length) > self.size.saturating_sub(SHORTEST) {
            return Err(Failure::Broken);
        }
        let mut decoder = ParquetMetaDataPushDecoder::try_new(self.size)?
            .with_page_index_policy(PageIndexPolicy::Skip);
        decoder.push_range(self.size - tail.len() as u64..self.size, tail)?;
        Ok(State::Footer(Box::new(decoder)))
    }

    /// The decoder of the rows, and the beginning of the stream.
    fn begin(&mut self, footer: ParquetMetaData) -> Result<(State, Vec<u8>), Failure> {
        self.all_rows =
            u64::try_from(footer.file_metadata().num_rows()).map_err(|_| Failure::Broken)?;
        let batch = batch_rows(&footer);
        let metadata = schema::arrow(Arc::new(footer))?;
        let roots = self.roots(metadata.schema());
        let schema = metadata.schema().project(&roots).map_err(|_| Failure::Broken)?;
        let mut writer = StreamWriter::try_new(Vec::new(), &schema::marked(schema, self.size))
            .map_err(|_| Failure::Unsupported)?;
        if roots.is_empty() {
            // Rows without a column are nothing, however many are said to be there.
            writer.finish().map_err(|_| Failure::Broken)?;
            return Ok((State::Ended, std::mem::take(writer.get_mut())));
        }
        let projection = ProjectionMask::roots(metadata.parquet_schema(), roots);
        let decoder = ParquetPushDecoderBuilder::new_with_metadata(metadata)
            .with_batch_size(batch)
            .with_projection(projection)
            .build()?;
        let piece = std::mem::take(writer.get_mut());
        Ok((State::Rows(Box::new(decoder), Box::new(writer)), piece))
    }

    /// The places of the columns that are read.
    fn roots(&self, schema: &Schema) -> Vec<usize> {
        let all = || (0..schema.fields().len()).collect();
        let Some(wanted) = &self.columns else { return all() };
        let mut places = Vec::with_capacity(wanted.len());
        for wanted in wanted {
            let before = places.len();
            places.extend(schema.fields().iter().enumerate().filter_map(|(place, field)| {
                let rest = wanted.strip_prefix(field.name().as_str())?;
                (rest.is_empty() || rest.starts_with('.')).then_some(place)
            }));
            // the engine may call it otherwise than the file does
            if places.len() == before {
                return all();
            }
        }
        places.sort_unstable();
        places.dedup();
        places
    }

    /// Ranges that lie within the file.
    fn within(&self, ranges: Vec<Range<u64>>) -> Result<Vec<Range<u64>>, Failure> {
        if ranges.iter().all(|range| range.start <= range.end && range.end <= self.size) {
            Ok(ranges)
        } else {
            Err(Failure::Broken)
        }
    }

    fn write(&mut self, writer: &mut Writer, batch: &RecordBatch) -> Result<Vec<u8>, Failure> {
        self.rows += batch.num_rows() as u64;
        writer.write(batch).map_err(|_| Failure::Unsupported)?;
        Ok(std::mem::take(writer.get_mut()))
    }
}

/// Rows of a batch: as many as fill a piece of the stream well, by what the footer says of their
/// size. Texts that stand in a dictionary may be any length; where that is not said, they are few.
fn batch_rows(footer: &ParquetMetaData) -> usize {
    let groups = footer.row_groups();
    let rows = groups.iter().map(|group| group.num_rows().max(0)).fold(0, i64::saturating_add);
    let (mut bytes, mut most) = (0_i64, BATCH_ROWS.end);
    for column in groups.iter().flat_map(RowGroupMetaData::columns) {
        let plain = column.unencoded_byte_array_data_bytes();
        let is_text = column.column_type() == Type::BYTE_ARRAY;
        if is_text && plain.is_none() && column.dictionary_page_offset().is_some() {
            most = BATCH_ROWS_UNKNOWN;
        }
        let packed = column.uncompressed_size().max(0);
        bytes = bytes.saturating_add(packed.max(plain.unwrap_or(0)));
    }
    let a_row = bytes.checked_div(rows).unwrap_or(0).max(1);
    (BATCH_BYTES / a_row).clamp(BATCH_ROWS.start, most) as usize
}
