//! Delimited text: decoded, cut into rows as it comes, gathered into blocks, and each block handed
//! to the columns.

mod dialect;
mod rows;

use super::column::{Cells, Column, Nulls};
use super::decode::{Decoder, is_control, not_text};
use super::names::Name;
use super::options::{Decimal, Format, OnBadRow, Options};
use super::report::{self, BadRow, BadRows, Note, NoteCode};
use super::{Cast, Parsed, Room, internal};
use crate::error::{Code, Diagnostic, Error, Result, Text};
use dialect::Dialect;
use rows::{Field, Found, Splitter};

/// Bytes that are decoded at once.
const PIECE: usize = 64 << 10;
/// Bytes of text from which the dialect is found out, more only if no row ends there.
const SAMPLE: usize = 64 << 10;
/// The longest sample; a file without a line break before is no table.
const LONGEST_SAMPLE: usize = 64 << 20;
/// A block has at most this many rows, about this many fields and about this many bytes.
const BLOCK_ROWS: usize = 16_384;
const BLOCK_FIELDS: usize = 1 << 20;
const BLOCK_BYTES: usize = 16 << 20;
/// The longest row.
const LONGEST_ROW: usize = 1 << 30;

/// Reads delimited text from pieces of a file.
pub(super) struct CsvReader {
    options: Options,
    room: Room,
    nulls: Nulls,
    decoder: Decoder,
    /// Text that is not yet in the columns.
    text: Vec<u8>,
    sample: usize,
    table: Option<Table>,
    rows: u64,
    notes: Vec<Note>,
    bad_rows: BadRows,
}

/// What is known once the dialect is.
struct Table {
    dialect: Dialect,
    splitter: Splitter,
    /// None for those that are not to be read.
    columns: Vec<Option<Column>>,
    block_rows: usize,
}

impl CsvReader {
    /// A reader of one file.
    pub(super) fn new(options: Options, room: Room) -> Self {
        Self {
            room,
            nulls: Nulls(options.nulls.clone().unwrap_or_default()),
            decoder: Decoder::new(options.csv.encoding),
            options,
            text: Vec::new(),
            sample: SAMPLE,
            table: None,
            rows: 0,
            notes: Vec::new(),
            bad_rows: BadRows::default(),
        }
    }

    /// Rows read so far.
    pub(super) fn rows(&self) -> u64 {
        self.rows
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
        let Some(table) = self.table.take() else { return Err(empty().into()) };
        self.note_decoding(table.splitter.trailing());
        let Dialect { syntax, header, names, .. } = table.dialect;
        let columns = names.into_iter().zip(table.columns);
        let columns = columns.filter_map(|(name, column)| Some((name, column?)));
        let mut columns: Vec<(Name, Column)> = columns.collect();
        let extra = columns.last().is_some_and(|(name, column)| {
            name.made && column.is_blank() && self.options.columns.is_none()
        });
        if header && extra && columns.len() > 1 && self.rows > 0 {
            if let Some((name, _)) = columns.pop() {
                self.notes.retain(|note| note.column.as_ref() != Some(&name.name));
            }
            if !table.splitter.trailing() {
                self.notes.push(trailing_note());
            }
        }
        let likely = matches!(syntax.delimiter, b';' | b'\t').then_some(Decimal::Comma);
        let mut settings = self.options.settings();
        settings.decimal = self.options.csv.decimal;
        settings.likely_decimal = likely;
        Ok(Parsed {
            format: Format::Csv.name(),
            bytes: None,
            encoding: Some(self.decoder.encoding().name()),
            dialect: Some(report::Dialect {
                delimiter: char::from(syntax.delimiter),
                quote: syntax.quote.map(char::from),
                escape: syntax.escape.map(char::from),
                header,
            }),
            columns: columns
                .into_iter()
                .map(|(name, column)| (name.name, Cast::Written(Box::new(column))))
                .collect(),
            settings,
            rows: self.rows,
            notes: self.notes,
            bad_rows: self.bad_rows,
        })
    }

    fn work(&mut self, last: bool) -> Result<()> {
        while self.table.is_none() {
            if !last && self.text.len() < self.sample {
                return Ok(());
            }
            self.look(last)?;
        }
        let Some(table) = &mut self.table else { return Ok(()) };
        loop {
            match table.splitter.run(&mut self.text, last) {
                Found::Row => {
                    self.rows += 1;
                    table.block_rows += 1;
                }
                Found::Bad(row) => {
                    if self.options.on_bad_row == OnBadRow::Error {
                        return Err(bad_row(row).into());
                    }
                    self.bad_rows.add(row);
                }
                Found::OpenQuote(row) => {
                    if self.options.on_bad_row == OnBadRow::Error {
                        return Err(open_quote(row.line).into());
                    }
                    self.bad_rows.add(row);
                }
                Found::End => break,
            }
            if table.is_full() {
                table.flush(&mut self.text, &self.nulls, &self.room)?;
            }
        }
        self.room.has(self.text.len())?;
        if self.text.len() > LONGEST_ROW {
            return Err(endless().into());
        }
        if last {
            table.flush(&mut self.text, &self.nulls, &self.room)?;
        }
        Ok(())
    }

    /// Finds out the dialect from the sample, or asks for a longer one.
    fn look(&mut self, last: bool) -> Result<()> {
        let whole = last && self.text.len() <= self.sample;
        let sample = self.text.get(..self.sample).unwrap_or(&self.text);
        if let Some(problem) = not_a_table(sample) {
            return Err(problem);
        }
        if whole && sample.trim_ascii().is_empty() {
            return Err(empty().into());
        }
        let mut notes = Vec::new();
        let found = dialect::detect(sample, whole, &self.options.csv, &mut notes)?;
        let Some(dialect) = found else {
            if whole {
                return Err(empty().into());
            }
            self.sample *= 4;
            return if self.sample > LONGEST_SAMPLE { Err(endless().into()) } else { Ok(()) };
        };
        let names: Vec<&str> = dialect.names.iter().map(|n| n.name.as_str()).collect();
        self.options.check_columns(&names)?;
        let columns = names
            .iter()
            .map(|name| self.options.keeps(name).then(|| Column::new(self.options.kind(name))));
        let columns = columns.collect();
        let splitter = Splitter::new(dialect.syntax, Some(names.len()), dialect.data);
        self.notes = notes;
        self.table = Some(Table { dialect, splitter, columns, block_rows: 0 });
        Ok(())
    }

    fn note_decoding(&mut self, trailing: bool) {
        self.decoder.note(&mut self.notes);
        if trailing {
            self.notes.push(trailing_note());
        }
        let bad = self.bad_rows.count;
        if bad > 0 {
            self.notes.push(Note::new(
                NoteCode::RowsSkipped,
                text!(
                    "rows of the wrong length left out: {bad}",
                    "пропущено строк не той длины: {bad}"
                ),
            ));
        }
        if self.rows == 0 {
            self.notes.push(Note::new(
                NoteCode::HeaderOnly,
                text!(
                    "the file has names of columns and no rows",
                    "в файле есть имена столбцов и нет строк"
                ),
            ));
        }
    }
}

impl Table {
    fn is_full(&self) -> bool {
        self.block_rows >= BLOCK_ROWS
            || self.block_rows * self.columns.len() >= BLOCK_FIELDS
            || self.splitter.done() >= BLOCK_BYTES
    }

    /// Hands the complete rows to the columns and forgets their text.
    fn flush(&mut self, text: &mut Vec<u8>, nulls: &Nulls, room: &Room) -> Result<()> {
        let done = self.splitter.done();
        if self.block_rows > 0 {
            for (number, column) in self.columns.iter_mut().enumerate() {
                let Some(column) = column else { continue };
                let cells = BlockColumn {
                    text,
                    fields: self.splitter.fields().get(number..).unwrap_or_default(),
                    step: self.dialect.names.len(),
                    rows: self.block_rows,
                };
                column.push(&cells, nulls).ok_or_else(|| internal("a block over 2 GiB"))?;
            }
            room.hold(self.columns.iter().flatten().map(Column::held).sum())?;
        }
        text.drain(..done.min(text.len()));
        self.splitter.shift(done);
        self.block_rows = 0;
        Ok(())
    }
}

/// One column of a block: every `step`th field.
struct BlockColumn<'a> {
    text: &'a [u8],
    fields: &'a [Field],
    step: usize,
    rows: usize,
}

impl Cells for BlockColumn<'_> {
    fn rows(&self) -> usize {
        self.rows
    }

    #[inline]
    fn get(&self, row: usize) -> &[u8] {
        let field = self.fields.get(row * self.step);
        field.and_then(|f| self.text.get(f.start as usize..f.end as usize)).unwrap_or_default()
    }
}

/// Text that is something else than a table, by its beginning.
fn not_a_table(sample: &[u8]) -> Option<Error> {
    let controls = sample.iter().filter(|b| is_control(**b)).count();
    if sample.contains(&0) || controls * 100 > sample.len() {
        return Some(not_text().into());
    }
    let start = sample.trim_ascii_start();
    match start.first()? {
        b'<' => {
            let word: Vec<u8> = start.iter().take(16).map(u8::to_ascii_lowercase).collect();
            let html = ["<!doctype html", "<html", "<head", "<body", "<!--"];
            if html.iter().any(|tag| word.starts_with(tag.as_bytes())) {
                let page = text!("an HTML page", "страница HTML");
                return Some(document(&page).into());
            }
            let xml = text!("an XML document", "документ XML");
            word.starts_with(b"<?xml").then(|| document(&xml).into())
        }
        _ => None,
    }
}

fn document(looks_like: &Text) -> Diagnostic {
    let Text { en, ru } = looks_like;
    Diagnostic::new(
        Code::NotATable,
        text!("the file is {en}, not a table", "файл — {ru}, а не таблица"),
    )
}

fn empty() -> Diagnostic {
    Diagnostic::new(Code::EmptyInput, text!("the file is empty", "файл пуст"))
}

fn endless() -> Diagnostic {
    Diagnostic::new(
        Code::NotATable,
        text!("the file has no lines that could be rows", "в файле нет строк таблицы"),
    )
}

fn bad_row(row: BadRow) -> Diagnostic {
    let BadRow { line, fields, expected } = row;
    Diagnostic::new(
        Code::BadRow,
        text!(
            "line {line} has {fields} fields where the table has {expected} columns",
            "строка {line}: полей {fields}, а столбцов в таблице {expected}"
        ),
    )
    .fix("onBadRow: \"skip\"")
}

fn open_quote(line: u64) -> Diagnostic {
    Diagnostic::new(
        Code::BadRow,
        text!(
            "the quote opened on line {line} is never closed",
            "кавычка, открытая в строке {line}, не закрыта"
        ),
    )
    .fix("onBadRow: \"skip\"")
}

fn trailing_note() -> Note {
    Note::new(
        NoteCode::TrailingDelimiter,
        text!("delimiters at the end of lines are left out", "разделители в конце строк пропущены"),
    )
}
