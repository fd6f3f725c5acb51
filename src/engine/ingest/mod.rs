//! Reading files: bytes pushed in pieces of any size, a loaded table and a report of every guess
//! coming out. No input or output, no clock: the host brings the bytes.

mod column;
mod csv;
mod decode;
mod options;
mod report;
mod table;
#[cfg(test)]
mod tests;

pub use options::{
    CsvOptions, DateOrder, Decimal, Encoding, OnBadRow, Options, Synonyms, TimeColumn, TimesIn,
};
pub use report::{BadRow, BadRows, ColumnReport, Note, NoteCode, Report};

use crate::engine::tables::LoadedTable;
use crate::error::{Code, Diagnostic, Error, Result};
use csv::CsvReader;

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
    reader: CsvReader,
    bytes: u64,
    failed: Option<Error>,
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
        let reader = CsvReader::new(options.clone());
        Ok(Self { name, options, reader, bytes: 0, failed: None })
    }

    /// Takes the next bytes of the file, cut anywhere.
    ///
    /// # Errors
    /// Diagnostics about the file or the options; the same again at every later call.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Progress> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.bytes += bytes.len() as u64;
        self.reader.push(bytes).inspect_err(|error| self.failed = Some(error.clone()))?;
        Ok(Progress { bytes: self.bytes, rows: self.reader.rows() })
    }

    /// The end of the file: decides the columns' kinds and builds the table.
    ///
    /// # Errors
    /// Diagnostics about the file or the options.
    pub fn finish(self) -> Result<Loaded> {
        match self.failed {
            Some(error) => Err(error),
            None => table::load(&self.name, &self.options, self.reader.finish()?, self.bytes),
        }
    }
}

/// A mistake of ours.
fn internal(what: &str) -> Error {
    Error::Internal(format!("reading a file: {what}"))
}
