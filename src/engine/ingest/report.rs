//! What reading a file found out and guessed: plain data for the page, never a cell of the table
//! beyond the first and last moment of its time column.

use crate::error::Text;
use serde::ser::SerializeStruct;
use serde::{Serialize, Serializer};

/// What was read and what was guessed on the way. Every guess can be overridden in the options.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Report {
    /// The file format: `csv`, `json`, `ndjson`, `arrow`.
    pub format: &'static str,
    /// What the file was packed with: `gzip` or `zstd`.
    pub compression: Option<&'static str>,
    /// The character encoding of a text, by its WHATWG name (`utf-8`, `windows-1251`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    /// How delimited text was written.
    #[serde(flatten)]
    pub dialect: Option<Dialect>,
    /// Rows of the table.
    pub rows: u64,
    /// Bytes of the file.
    pub bytes: u64,
    /// The columns, in file order.
    pub columns: Vec<ColumnReport>,
    /// Guesses and repairs a person should know of.
    pub notes: Vec<Note>,
    /// Rows that did not fit the shape and were skipped.
    pub bad_rows: BadRows,
    /// The order of day and month in its dates, `dmy` or `mdy`, where they have one and the same.
    pub dates: Option<&'static str>,
    /// The decimal character of its numbers where it is the comma.
    pub decimal: Option<char>,
    /// The time column.
    pub time: Option<String>,
    /// The usual distance between rows, in seconds.
    pub interval: Option<u64>,
    /// First and last value of the time column, as ISO text.
    pub range: Option<[String; 2]>,
    /// Bytes the table takes in memory.
    pub memory: u64,
    /// The same for one row, on average; none where there are no rows.
    pub memory_per_row: Option<f64>,
}

/// How delimited text was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Dialect {
    /// The field delimiter.
    pub delimiter: char,
    /// What stands around fields with a delimiter or a line break in them.
    pub quote: Option<char>,
    /// What takes the meaning of the character after it.
    pub escape: Option<char>,
    /// Whether the first line names the columns.
    pub header: bool,
}

/// One column of the report.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ColumnReport {
    /// Its name in the table.
    pub name: String,
    /// What its values are: `integer`, `number`, `boolean`, `text`, `date`, `timestamp`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Its unit, declared or read from the name or the values.
    pub unit: Option<String>,
    /// Rows without a value.
    pub nulls: u64,
    /// Distinct values of a text column kept as a dictionary.
    pub distinct: Option<u64>,
}

/// Rows that do not have as many fields as the table has columns, and lines that are no JSON.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct BadRows {
    /// How many there are.
    pub count: u64,
    /// The first [`BadRows::LISTED`] of them.
    pub lines: Vec<BadRow>,
}

impl BadRows {
    /// How many bad rows are listed by line.
    pub const LISTED: usize = 100;

    /// Counts a bad row and lists it while there is room.
    pub(crate) fn add(&mut self, row: BadRow) {
        self.count += 1;
        if self.lines.len() < Self::LISTED {
            self.lines.push(row);
        }
    }
}

/// One row that was skipped. A line that is no JSON has no fields to count: both numbers are 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct BadRow {
    /// The line it starts on; the file's first line is 1.
    pub line: u64,
    /// How many fields it has.
    pub fields: usize,
    /// How many the table has.
    pub expected: usize,
}

/// Stable names of the notes of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[allow(missing_docs, reason = "each name says what it means; the text of a note explains it")]
pub enum NoteCode {
    EncodingGuessed,
    InvalidCharacters,
    LinesSkipped,
    NoHeader,
    HeaderOnly,
    NameMadeUnique,
    NameMade,
    DuplicateKeys,
    ListsAsText,
    MixedTypes,
    GeometryLeftOut,
    RowsInField,
    OneObject,
    TrailingDelimiter,
    RowsSkipped,
    LeadingZeros,
    TooBigForInteger,
    NotAllNumbers,
    SeparatorsGuessed,
    SeparatorsUnclear,
    DateOrderGuessed,
    NullWords,
    InfiniteAsNull,
    TimesInUtc,
    TimesInZone,
    TimesTakenAsLocal,
    MixedZones,
    FractionCut,
    EpochTime,
    SeveralTimeColumns,
    TimesOutOfRange,
    TimeOfDayAsText,
    DurationInSeconds,
    IntervalAsText,
    DecimalAsNumber,
    ColumnLeftOut,
    EmptyColumn,
    OptionsUnheard,
    QuoteGuessed,
}

/// One thing a person should know about how the file was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// Stable name of the kind of note.
    pub code: NoteCode,
    /// The column it is about.
    pub column: Option<String>,
    /// What happened.
    pub text: Text,
}

impl Note {
    /// A note about the whole file.
    pub(crate) fn new(code: NoteCode, text: Text) -> Self {
        Self { code, column: None, text }
    }

    /// Names the column.
    #[must_use]
    pub(crate) fn column(mut self, name: &str) -> Self {
        self.column = Some(name.to_owned());
        self
    }
}

/// `{code, column, text: {en, ru}}`.
impl Serialize for Note {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Both<'a> {
            en: &'a str,
            ru: &'a str,
        }
        let mut note = serializer.serialize_struct("Note", 3)?;
        note.serialize_field("code", &self.code)?;
        note.serialize_field("column", &self.column)?;
        note.serialize_field("text", &Both { en: &self.text.en, ru: &self.text.ru })?;
        note.end()
    }
}
