//! One column of one block of rows, kept small and without losing how its values were written:
//! whatever the column turns out to be, its text can be given back.

use super::interner::Interner;
use super::moment::{Day, Form};
use super::number;
use arrow::array::NullBufferBuilder;
use arrow::buffer::NullBuffer;

/// One share in this many of a segment's values may be written unlike the others.
const ODD_SHARE: usize = 16;

/// Some rows of a column.
#[derive(Debug)]
pub(super) struct Segment {
    /// How many rows.
    pub rows: usize,
    /// The values; those of missing and odd rows mean nothing.
    pub data: Data,
    /// Which rows are missing, as far as it shows in the block alone.
    pub nulls: Option<NullBuffer>,
    /// Rows written unlike the others, by row.
    pub odd: Vec<Odd>,
}

/// A value kept as it was written.
#[derive(Debug)]
pub(super) struct Odd {
    /// Its row in the segment.
    pub row: u32,
    /// What was written.
    pub text: Box<str>,
}

/// The values of a segment.
#[derive(Debug)]
pub(super) enum Data {
    /// All missing.
    Nothing,
    /// Plainly written decimals: the digits, and how many of them are the fraction.
    Numbers { mantissas: Vec<i64>, scales: Scales },
    /// Moments written in one form.
    Times { micros: Vec<i64>, form: Form },
    /// Numbers of texts in the column's interner.
    Keys(Vec<i32>),
    /// Texts one after the other; one offset more than rows.
    Text { offsets: Vec<i32>, bytes: Vec<u8> },
}

/// The numbers of fraction digits.
#[derive(Debug)]
pub(super) enum Scales {
    /// The same in all rows.
    All(u8),
    /// One for each row.
    Each(Vec<u8>),
}

impl Scales {
    /// The number of fraction digits in a row.
    #[inline]
    pub(super) fn get(&self, row: usize) -> u8 {
        match self {
            Self::All(scale) => *scale,
            Self::Each(scales) => scales.get(row).copied().unwrap_or_default(),
        }
    }

    /// True when no row has a fraction.
    pub(super) fn whole(&self) -> bool {
        match self {
            Self::All(scale) => *scale == 0,
            Self::Each(scales) => scales.iter().all(|s| *s == 0),
        }
    }
}

/// The cells of one column of a block.
pub(crate) trait Cells {
    /// How many rows.
    fn rows(&self) -> usize;
    /// What is written in a row: UTF-8.
    fn get(&self, row: usize) -> &[u8];
    /// Whether a row has no value.
    #[inline]
    fn missing(&self, row: usize, nulls: &Nulls) -> bool {
        nulls.has(self.get(row))
    }
}

/// Which texts are missing values wherever they occur.
#[derive(Debug, Default)]
pub(crate) struct Nulls(pub Vec<String>);

impl Nulls {
    #[inline]
    fn has(&self, text: &[u8]) -> bool {
        text.is_empty() || self.listed(text)
    }

    /// Whether the caller named a text.
    #[inline]
    pub(crate) fn listed(&self, text: &[u8]) -> bool {
        !self.0.is_empty() && self.0.iter().any(|word| word.as_bytes() == text)
    }
}

impl Segment {
    /// Bytes in memory.
    pub(super) fn held(&self) -> usize {
        let data = match &self.data {
            Data::Nothing => 0,
            Data::Numbers { mantissas, scales } => {
                let each = if let Scales::Each(scales) = scales { scales.capacity() } else { 0 };
                size_of_val(mantissas.as_slice()) + each
            }
            Data::Times { micros, .. } => size_of_val(micros.as_slice()),
            Data::Keys(keys) => size_of_val(keys.as_slice()),
            Data::Text { offsets, bytes } => size_of_val(offsets.as_slice()) + bytes.len(),
        };
        let odd = self.odd.iter().map(|odd| odd.text.len()).sum::<usize>();
        let nulls = self.nulls.as_ref().map_or(0, |nulls| nulls.len() / 8);
        size_of::<Self>() + data + nulls + self.odd.capacity() * size_of::<Odd>() + odd
    }

    /// A segment without a value.
    pub(super) fn nothing(rows: usize) -> Self {
        let nulls = Some(NullBuffer::new_null(rows));
        Self { rows, data: Data::Nothing, nulls, odd: Vec::new() }
    }

    /// The first few texts that are not missing: they tell what to try.
    pub(super) fn first<'a>(cells: &'a impl Cells, nulls: &Nulls) -> Vec<&'a [u8]> {
        let rows = (0..cells.rows()).filter(|row| !cells.missing(*row, nulls));
        rows.map(|row| cells.get(row)).take(8).collect()
    }

    /// Plainly written decimals; `None` where too many are something else.
    pub(super) fn numbers(cells: &impl Cells, nulls: &Nulls) -> Option<Self> {
        let rows = cells.rows();
        let mut mantissas = Vec::with_capacity(rows);
        let mut scales = Vec::with_capacity(rows);
        let mut other = Others::new(rows);
        let mut same = None;
        let mut mixed = false;
        for row in 0..rows {
            let text = cells.get(row);
            match number::plain(text) {
                Some((mantissa, scale)) if !nulls.listed(text) => {
                    mantissas.push(mantissa);
                    scales.push(scale);
                    mixed |= *same.get_or_insert(scale) != scale;
                    other.nulls.append_non_null();
                }
                _ => {
                    mantissas.push(0);
                    scales.push(0);
                    other.add(row, text, cells.missing(row, nulls))?;
                }
            }
        }
        let scales = if mixed { Scales::Each(scales) } else { Scales::All(same.unwrap_or(0)) };
        Some(other.finish(Data::Numbers { mantissas, scales }))
    }

    /// Moments in one form; `None` where too many are something else.
    pub(super) fn times(cells: &impl Cells, nulls: &Nulls, form: Form) -> Option<Self> {
        let rows = cells.rows();
        let mut micros = Vec::with_capacity(rows);
        let mut other = Others::new(rows);
        let mut day = Day::default();
        for row in 0..rows {
            let text = cells.get(row);
            match form.read(text, &mut day) {
                Some(t) if !nulls.listed(text) => {
                    micros.push(t);
                    other.nulls.append_non_null();
                }
                _ => {
                    micros.push(0);
                    other.add(row, text, cells.missing(row, nulls))?;
                }
            }
        }
        Some(other.finish(Data::Times { micros, form }))
    }

    /// Numbers of texts; `None` where the interner is full.
    pub(super) fn keys(cells: &impl Cells, nulls: &Nulls, interner: &mut Interner) -> Option<Self> {
        let rows = cells.rows();
        let mut keys = Vec::with_capacity(rows);
        let mut missing = NullBufferBuilder::new(rows);
        for row in 0..rows {
            let text = cells.get(row);
            if cells.missing(row, nulls) {
                keys.push(0);
                missing.append_null();
            } else {
                keys.push(interner.intern(text)?);
                missing.append_non_null();
            }
        }
        Some(Self { rows, data: Data::Keys(keys), nulls: missing.finish(), odd: Vec::new() })
    }

    /// The texts as they are; `None` beyond 2 GiB.
    pub(super) fn text(cells: &impl Cells, nulls: &Nulls) -> Option<Self> {
        let rows = cells.rows();
        let size = (0..rows).map(|row| cells.get(row).len()).sum();
        let mut bytes = Vec::with_capacity(size);
        let mut offsets = Vec::with_capacity(rows + 1);
        let mut missing = NullBufferBuilder::new(rows);
        offsets.push(0);
        for row in 0..rows {
            let text = cells.get(row);
            if cells.missing(row, nulls) {
                missing.append_null();
            } else {
                bytes.extend_from_slice(text);
                missing.append_non_null();
            }
            offsets.push(i32::try_from(bytes.len()).ok()?);
        }
        Some(Self {
            rows,
            data: Data::Text { offsets, bytes },
            nulls: missing.finish(),
            odd: Vec::new(),
        })
    }

    /// True where the row has a value.
    #[inline]
    pub(super) fn has(&self, row: usize) -> bool {
        self.nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row))
    }

    /// Rows without a value.
    pub(super) fn missing(&self) -> usize {
        self.nulls.as_ref().map_or(0, NullBuffer::null_count)
    }

    /// Rows whose value is in [`Segment::data`].
    pub(super) fn regular(&self) -> usize {
        self.rows - self.missing() - self.odd.len()
    }

    /// The values of [`Segment::data`] with their rows, those of missing and odd rows left out.
    pub(super) fn values<T: Copy>(&self, data: &[T]) -> impl Iterator<Item = (usize, T)> {
        let all = self.nulls.is_none() && self.odd.is_empty();
        let odd = |row| self.odd.binary_search_by_key(&row, |odd| odd.row as usize).is_ok();
        data.iter()
            .copied()
            .enumerate()
            .filter(move |(row, _)| all || (self.has(*row) && !odd(*row)))
    }

    /// Calls `each` with what was written in every row, in order; `None` where it is missing.
    /// Stops and returns `None` when `each` does.
    pub(super) fn written(
        &self,
        interner: &Interner,
        mut each: impl FnMut(Option<&str>) -> Option<()>,
    ) -> Option<()> {
        let mut odd = self.odd.iter().peekable();
        let mut scratch = String::new();
        for row in 0..self.rows {
            if !self.has(row) {
                each(None)?;
                continue;
            }
            if let Some(odd) = odd.next_if(|odd| odd.row as usize == row) {
                each(Some(&odd.text))?;
                continue;
            }
            let text = match &self.data {
                Data::Nothing => None,
                Data::Numbers { mantissas, scales } => {
                    scratch.clear();
                    let mantissa = mantissas.get(row).copied().unwrap_or_default();
                    number::write_plain(mantissa, scales.get(row), &mut scratch);
                    Some(scratch.as_str())
                }
                Data::Times { micros, form } => {
                    scratch.clear();
                    form.write(micros.get(row).copied().unwrap_or_default(), &mut scratch);
                    Some(scratch.as_str())
                }
                Data::Keys(keys) => {
                    let key = keys.get(row).copied().unwrap_or_default();
                    std::str::from_utf8(interner.get(key as usize)).ok()
                }
                Data::Text { .. } => std::str::from_utf8(self.text_at(row)).ok(),
            };
            each(text)?;
        }
        Some(())
    }

    /// The bytes of a row of [`Data::Text`].
    pub(super) fn text_at(&self, row: usize) -> &[u8] {
        let Data::Text { offsets, bytes } = &self.data else { return &[] };
        match offsets.get(row..row + 2) {
            Some([start, end]) => bytes.get(*start as usize..*end as usize).unwrap_or_default(),
            _ => &[],
        }
    }
}

/// Gathers the rows that do not fit.
struct Others {
    nulls: NullBufferBuilder,
    odd: Vec<Odd>,
    rows: usize,
}

impl Others {
    fn new(rows: usize) -> Self {
        Self { nulls: NullBufferBuilder::new(rows), odd: Vec::new(), rows }
    }

    /// Keeps a row's text; `None` when there are too many such rows.
    #[cold]
    fn add(&mut self, row: usize, text: &[u8], missing: bool) -> Option<()> {
        if missing {
            self.nulls.append_null();
            return Some(());
        }
        self.nulls.append_non_null();
        let text = std::str::from_utf8(text).ok()?.into();
        self.odd.push(Odd { row: u32::try_from(row).ok()?, text });
        (self.odd.len() <= 1 + self.rows / ODD_SHARE).then_some(())
    }

    fn finish(mut self, data: Data) -> Segment {
        Segment { rows: self.rows, data, nulls: self.nulls.finish(), odd: self.odd }
    }
}
