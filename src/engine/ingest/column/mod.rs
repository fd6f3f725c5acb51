//! A column while its file is read: blocks of cells go in as text, and when the last one is there
//! the column's kind is decided over all of them and Arrow arrays come out.
//!
//! Every block is kept in the smallest form that can still give back what was written (digits and
//! their scale, moments and their form, numbers of distinct texts, text). So no type is ever
//! guessed from a sample, nothing is read twice, and a column that turns out to be text after a
//! million numbers is text exactly as written.

mod build;
mod facts;
mod interner;
mod lists;
mod moment;
mod months;
mod number;
mod resolve;
mod segment;

pub(crate) use interner::Interner;
pub(crate) use lists::listed;
pub(crate) use resolve::{big_note, cut_note, zone_note};
pub(crate) use segment::{Cells, Nulls};

use super::options::{DateOrder, Decimal};
use super::report::{Note, NoteCode};
use crate::engine::tables::arrow_type;
use crate::error::{Locale, Result};
use crate::schema::Kind;
use arrow::array::ArrayRef;
use arrow::datatypes::DataType;
use moment::Form;
use segment::{Data, Segment};

/// Rows after which a column with hardly a value twice is not tried as a dictionary any more.
pub(crate) const DICTIONARY_TRIAL: usize = 16_384;

/// What kind of cells a block has, as far as one cell tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CellKind {
    /// Missing, or a word for it.
    Missing,
    /// A number.
    Number,
    /// A date or moment.
    Time,
    /// Anything else.
    Text,
}

/// What a cell looks like on its own.
pub(crate) fn look(text: &str) -> CellKind {
    use DateOrder::{Dmy, Mdy, Ymd};
    if number::is_null_word(text) || number::is_infinite_word(text) {
        CellKind::Missing
    } else if [Decimal::Point, Decimal::Comma].iter().any(|d| number::read(text, *d).is_some()) {
        CellKind::Number
    } else if [Ymd, Dmy, Mdy].iter().any(|o| moment::read(text, *o).is_some()) {
        CellKind::Time
    } else {
        CellKind::Text
    }
}

/// What was asked for or found out about the file, as far as it concerns its columns.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Settings {
    /// Words such as `NA` are missing in columns of numbers, dates and truth values.
    pub null_words: bool,
    /// The decimal character, where it was given.
    pub decimal: Option<Decimal>,
    /// The decimal character that holds where a column allows both.
    pub likely_decimal: Option<Decimal>,
    /// The order of day and month, where it was given.
    pub dates: Option<DateOrder>,
    /// Times that are written without a zone are in UTC.
    pub times_in_utc: bool,
    /// The zone that the table's clock is in.
    pub timezone: Option<&'static str>,
    /// Whose order holds where a column allows both.
    pub locale: Locale,
}

/// How a column's name or the caller says that it holds times.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum TimeHint {
    /// Not at all.
    #[default]
    No,
    /// By its name.
    Name,
    /// The caller did.
    Given,
}

/// How the file marks the type of a column's values, where its format does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Written {
    /// Not at all: what they look like decides.
    #[default]
    Bare,
    /// As text, which may still be that of dates, but not of numbers or truth values.
    Quoted,
    /// Differently from row to row, so that only text can hold all of them.
    Mixed,
    /// As lists in JSON, which are kept as lists where their members are of one kind.
    Lists,
}

/// A column being read.
#[derive(Debug, Default)]
pub(crate) struct Column {
    segments: Vec<Segment>,
    interner: Interner,
    /// The interner is not used any more.
    closed: bool,
    rows: usize,
    /// Bytes of the segments.
    held: usize,
    /// The form of the block before.
    form: Option<Form>,
    forced: Option<Kind>,
    written: Written,
}

/// Tells that the lists of a column are text.
pub(crate) fn lists_note(name: &str) -> Note {
    Note::new(
        NoteCode::ListsAsText,
        text!(
            "the lists of column `{name}` are kept as text: they are too long, or their members are not all texts, all numbers or all truth values",
            "списки столбца `{name}` оставлены текстом: они слишком длинные или их члены – не только строки, не только числа и не только логические значения"
        ),
    )
    .column(name)
}

/// A column that is ready.
#[derive(Debug)]
pub(crate) struct Finished {
    /// The kind of its values.
    pub kind: Kind,
    /// Its moments are in UTC.
    pub utc: bool,
    /// The unit that every value was written with.
    pub unit: Option<&'static str>,
    /// The order of day and month, where its dates have one that is not the year first.
    pub order: Option<DateOrder>,
    /// Its numbers have a decimal comma.
    pub comma: bool,
    /// Its values, one array for each block.
    pub arrays: Vec<ArrayRef>,
    /// Rows without a value.
    pub nulls: u64,
    /// Distinct values of text, where they were counted.
    pub distinct: Option<u64>,
    /// Those values by code point, where they are few.
    pub values: Option<Vec<String>>,
    /// Guesses.
    pub notes: Vec<Note>,
    /// Bytes in memory.
    pub memory: u64,
}

impl Finished {
    /// A column of `kind` without an array.
    pub(crate) fn new(kind: Kind) -> Self {
        Self {
            kind,
            utc: false,
            unit: None,
            order: None,
            comma: false,
            arrays: Vec::new(),
            nulls: 0,
            distinct: None,
            values: None,
            notes: Vec::new(),
            memory: 0,
        }
    }

    /// The Arrow type of a column without a single array.
    pub(crate) fn empty_type(&self) -> DataType {
        arrow_type(self.kind)
    }
}

impl Column {
    /// An empty column whose kind is decided by its values, or is `forced`.
    pub(crate) fn new(forced: Option<Kind>) -> Self {
        Self { forced, ..Self::default() }
    }

    /// Tells how the values so far were written, those of the next block included.
    pub(crate) fn set_written(&mut self, written: Written) {
        self.written = written;
    }

    /// Names the kind of a column that has no value to tell it.
    pub(crate) fn fall_back(&mut self, kind: Kind) {
        if self.is_blank() {
            self.forced.get_or_insert(kind);
        }
    }

    /// True while no block had a value.
    pub(crate) fn is_blank(&self) -> bool {
        self.segments.iter().all(|s| matches!(s.data, Data::Nothing))
    }

    /// Bytes in memory.
    pub(crate) fn held(&self) -> usize {
        self.held + self.interner.held()
    }

    /// Adds a block. It is kept as numbers, moments, distinct texts or text, in this order of
    /// preference.
    ///
    /// # Errors
    /// `None` where a block has more than 2 GiB of text.
    pub(crate) fn push(&mut self, cells: &impl Cells, nulls: &Nulls) -> Option<()> {
        self.rows += cells.rows();
        let segment = self.encode(cells, nulls)?;
        self.held += segment.held();
        self.segments.push(segment);
        Some(())
    }

    fn encode(&mut self, cells: &impl Cells, nulls: &Nulls) -> Option<Segment> {
        let first = Segment::first(cells, nulls);
        if first.is_empty() {
            return Some(Segment::nothing(cells.rows()));
        }
        if !matches!(self.forced, Some(Kind::Text | Kind::List(_))) {
            let numbers = self.written != Written::Quoted || self.forced.is_some();
            if numbers
                && first.iter().any(|text| number::plain(text).is_some())
                && let Some(segment) = Segment::numbers(cells, nulls)
            {
                return Some(segment);
            }
            let forms = self.form.into_iter().chain(first.iter().find_map(|t| Form::of(t)));
            let mut tried = None;
            for form in forms {
                if tried != Some(form)
                    && let Some(segment) = Segment::times(cells, nulls, form)
                {
                    self.form = Some(form);
                    return Some(segment);
                }
                tried = Some(form);
            }
        }
        if !self.closed {
            if let Some(segment) = Segment::keys(cells, nulls, &mut self.interner) {
                let enough = self.rows >= DICTIONARY_TRIAL;
                self.closed = enough && self.interner.len() * 2 > self.rows;
                return Some(segment);
            }
            self.closed = true;
        }
        Segment::text(cells, nulls)
    }

    /// Decides what the column is and builds its arrays.
    ///
    /// # Errors
    /// A diagnostic where the values do not fit the kind that was asked for.
    pub(crate) fn finish(self, name: &str, settings: Settings, hint: TimeHint) -> Result<Finished> {
        let mut notes = Vec::new();
        let plan = resolve::resolve(&self, name, settings, hint, &mut notes)?;
        let (forced, blank) = (self.forced, self.is_blank());
        let lists = self.written == Written::Lists;
        let done = build::build(self, &plan, notes)?;
        match forced {
            Some(Kind::List(member)) => {
                listed(done, Some(member))?.map_err(|_| resolve::unlike(name))
            }
            None if lists && !blank => Ok(listed(done, None)?.unwrap_or_else(|mut texts| {
                texts.notes.push(lists_note(name));
                texts
            })),
            _ => Ok(done),
        }
    }

    /// All values that are not kept as plain numbers or moments of one form: odd ones, distinct
    /// texts, text.
    fn slow(&self) -> impl Iterator<Item = &str> {
        let keys = self.segments.iter().any(|s| matches!(s.data, Data::Keys(_)));
        let distinct = self.interner.iter().take(if keys { usize::MAX } else { 0 });
        let distinct = distinct.filter_map(|text| std::str::from_utf8(text).ok());
        let rest = self.segments.iter().flat_map(|segment| {
            let rows = if matches!(segment.data, Data::Text { .. }) { segment.rows } else { 0 };
            let texts = (0..rows)
                .filter(|row| segment.has(*row))
                .filter_map(|row| std::str::from_utf8(segment.text_at(row)).ok());
            segment.odd.iter().map(|odd| &*odd.text).chain(texts)
        });
        distinct.chain(rest)
    }
}
