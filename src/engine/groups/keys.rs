//! One key of a grouping as small numbers: a whole number or a date by its distance from the first of
//! a range, a text of a dictionary by when it was met, a truth value by itself. Moments are none of
//! them: they count microseconds, and all the places of a table are about a second of them.

use crate::engine::sharing::same_memory;
use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, DictionaryArray, Int32Array, Int64Array,
    PrimitiveArray, StringArray, make_array,
};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{DataType, Date32Type, Int32Type, Int64Type};
use datafusion::common::{DataFusionError, Result};
use std::collections::HashMap;
use std::sync::Arc;

/// The first and the last value that have a place; none has.
pub(super) type Range = Option<(i64, i64)>;

/// How many values a range has.
pub(super) fn width(range: Range) -> u64 {
    range.map_or(0, |(first, last)| (last.wrapping_sub(first) as u64).saturating_add(1))
}

/// What has the values of both.
pub(super) fn union(a: Range, b: Range) -> Range {
    match (a, b) {
        (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
        (a, b) => a.or(b),
    }
}

/// A key: of which type it is, and which of its values have a place.
#[derive(Debug)]
pub(super) struct Key {
    data_type: DataType,
    values: Values,
    range: Range,
}

/// How values become numbers.
#[derive(Debug)]
enum Values {
    /// 32 bits each.
    Narrow,
    /// 64 bits each.
    Wide,
    Truth,
    Texts(Box<Texts>),
}

impl Key {
    /// A key of this type, where its values can become numbers.
    pub(super) fn new(data_type: &DataType) -> Option<Self> {
        let (values, range) = match data_type {
            DataType::Int32 | DataType::Date32 => (Values::Narrow, None),
            DataType::Int64 => (Values::Wide, None),
            DataType::Boolean => (Values::Truth, Some((0, 1))),
            DataType::Dictionary(codes, texts)
                if **codes == DataType::Int32 && **texts == DataType::Utf8 =>
            {
                (Values::Texts(Box::default()), None)
            }
            _ => return None,
        };
        Some(Self { data_type: data_type.clone(), values, range })
    }

    /// How many places there are: those of the range, and after them that of null.
    pub(super) fn span(&self) -> u32 {
        self.null().saturating_add(1)
    }

    /// The place of null.
    fn null(&self) -> u32 {
        u32::try_from(width(self.range)).unwrap_or(u32::MAX)
    }

    fn first(&self) -> i64 {
        self.range.map_or(0, |(first, _)| first)
    }

    /// Gives the values of this range places, and no others.
    pub(super) fn settle(&mut self, range: Range) {
        self.range = range;
    }

    /// Where a place goes when `range` has the places.
    pub(super) fn moved(&self, place: u32, range: Range) -> u32 {
        if place == self.null() {
            return width(range) as u32;
        }
        let first = range.map_or(0, |(first, _)| first);
        place.wrapping_add(self.first().wrapping_sub(first) as u32)
    }

    /// Writes the place of each value of an array; whether all have one. Where one has none, what is
    /// written means nothing.
    pub(super) fn places(&mut self, array: &ArrayRef, places: &mut Vec<u32>) -> Result<bool> {
        places.clear();
        let (first, null) = (self.first(), self.null());
        Ok(match &mut self.values {
            Values::Narrow => whole(narrow(array)?, array.nulls(), first, null, places),
            Values::Wide => whole(wide(array)?, array.nulls(), first, null, places),
            Values::Truth => {
                let truths = array.as_boolean_opt().ok_or_else(other_type)?;
                let place = |truth: Option<bool>| truth.map_or(null, u32::from);
                places.extend(truths.iter().map(place));
                true
            }
            Values::Texts(texts) => texts.places(array, null, places)?,
        })
    }

    /// The smallest and the largest number of an array. Of texts, of all that were met.
    pub(super) fn bounds(&self, array: &ArrayRef) -> Result<Range> {
        Ok(match &self.values {
            Values::Narrow => bounds(narrow(array)?, array.nulls()),
            Values::Wide => bounds(wide(array)?, array.nulls()),
            Values::Truth => self.range,
            Values::Texts(texts) => texts.met.len().checked_sub(1).map(|last| (0, last as i64)),
        })
    }

    /// The smallest and the largest number that these places are of.
    pub(super) fn bounds_of(&self, places: impl Iterator<Item = u32>) -> Range {
        let null = self.null();
        let value = |place| self.first().wrapping_add(i64::from(place));
        places
            .filter(|&place| place != null)
            .map(value)
            .fold(None, |all, value| union(all, Some((value, value))))
    }

    /// The range that has `needed` too, and on the side where it grows this part of its width again, so
    /// that it grows seldom.
    pub(super) fn grown(&self, needed: Range, part: u32) -> Range {
        let (Some((first, last)), Some((least, most))) = (self.range, needed) else {
            return self.range.or(needed);
        };
        let step = i64::from(self.null() / part.max(1));
        let first = if least < first { least.min(first.saturating_sub(step)) } else { first };
        let last = if most > last { most.max(last.saturating_add(step)) } else { last };
        Some((first, last))
    }

    /// The values that stand at these places.
    pub(super) fn array(&self, places: impl Iterator<Item = u32>) -> Result<ArrayRef> {
        let places: Vec<u32> = places.collect();
        let null = self.null();
        let nulls: Option<NullBuffer> =
            places.contains(&null).then(|| places.iter().map(|&place| place != null).collect());
        let first = self.first();
        let value = |&place: &u32| {
            if place == null { 0 } else { first.wrapping_add(i64::from(place)) }
        };
        let narrow = || places.iter().map(|place| value(place) as i32).collect::<Vec<_>>();
        let data = match &self.values {
            Values::Narrow => Int32Array::new(narrow().into(), nulls).into_data(),
            Values::Wide => {
                let wide: Vec<i64> = places.iter().map(value).collect();
                Int64Array::new(wide.into(), nulls).into_data()
            }
            Values::Truth => {
                let truths = places.iter().map(|&place| place == 1).collect();
                return Ok(Arc::new(BooleanArray::new(truths, nulls)));
            }
            Values::Texts(texts) => {
                let codes = Int32Array::new(narrow().into(), nulls);
                let texts = StringArray::from_iter_values(&texts.met);
                return Ok(Arc::new(DictionaryArray::try_new(codes, Arc::new(texts))?));
            }
        };
        Ok(make_array(data.into_builder().data_type(self.data_type.clone()).build()?))
    }

    /// Bytes that it holds.
    pub(super) fn size(&self) -> usize {
        match &self.values {
            Values::Texts(texts) => texts.size(),
            _ => 0,
        }
    }
}

fn other_type() -> DataFusionError {
    DataFusionError::Internal("a key of another type than planned".into())
}

fn narrow(array: &ArrayRef) -> Result<&[i32]> {
    let values = match array.data_type() {
        DataType::Date32 => array.as_primitive_opt::<Date32Type>().map(PrimitiveArray::values),
        _ => array.as_primitive_opt::<Int32Type>().map(PrimitiveArray::values),
    };
    values.map(|values| &**values).ok_or_else(other_type)
}

fn wide(array: &ArrayRef) -> Result<&[i64]> {
    array.as_primitive_opt::<Int64Type>().map(|array| &**array.values()).ok_or_else(other_type)
}

/// Writes how far each value is from `first`, `null` for none; whether all are before `null`.
fn whole<T: Copy + Into<i64>>(
    values: &[T],
    nulls: Option<&NullBuffer>,
    first: i64,
    null: u32,
    places: &mut Vec<u32>,
) -> bool {
    let most = u64::from(null);
    // What is before the first wraps around and is far beyond the last.
    let distance = |value: T| value.into().wrapping_sub(first) as u64;
    let mut outside = false;
    match nulls {
        None => places.extend(values.iter().map(|&value| {
            let place = distance(value);
            outside |= place >= most;
            place as u32
        })),
        Some(nulls) => places.extend(values.iter().zip(nulls).map(|(&value, known)| {
            let place = distance(value);
            outside |= known && place >= most;
            if known { place as u32 } else { null }
        })),
    }
    !outside
}

fn bounds<T: Copy + Into<i64>>(values: &[T], nulls: Option<&NullBuffer>) -> Range {
    let known = |&(row, _): &(usize, &T)| nulls.is_none_or(|nulls| nulls.is_valid(row));
    values.iter().enumerate().filter(known).fold(None, |all, (_, &value)| {
        let value = value.into();
        union(all, Some((value, value)))
    })
}

/// The texts of a key, numbered as they are met: dictionaries differ from batch to batch, name a text
/// twice and hold null.
#[derive(Debug, Default)]
struct Texts {
    numbers: HashMap<Arc<str>, u32>,
    met: Vec<Arc<str>>,
    bytes: usize,
    /// The dictionary of the last batch.
    dictionary: Option<StringArray>,
    /// The number of each of its texts, once it was met.
    known: Vec<u32>,
}

/// A text whose number was not asked for yet.
const UNMET: u32 = u32::MAX;

/// The number of no text.
const NO_TEXT: u32 = u32::MAX - 1;

impl Texts {
    fn places(&mut self, array: &ArrayRef, null: u32, places: &mut Vec<u32>) -> Result<bool> {
        let array = array.as_dictionary_opt::<Int32Type>().ok_or_else(other_type)?;
        let texts = array.values().as_string_opt::<i32>().ok_or_else(other_type)?;
        if !self.dictionary.as_ref().is_some_and(|last| same_memory(last, texts)) {
            self.known.clear();
            self.known.resize(texts.len(), UNMET);
            self.dictionary = Some(texts.clone());
        }
        let codes = array.keys();
        let mut outside = false;
        let mut place = |code: i32| {
            let code = code as usize;
            let number = match self.known.get(code).copied() {
                None => NO_TEXT,
                Some(UNMET) => self.meet(texts, code),
                Some(number) => number,
            };
            if number == NO_TEXT {
                return null;
            }
            outside |= number >= null;
            number
        };
        places.reserve(codes.len());
        match codes.nulls() {
            None => places.extend(codes.values().iter().map(|&code| place(code))),
            Some(nulls) => places.extend(
                codes
                    .values()
                    .iter()
                    .zip(nulls)
                    .map(|(&code, known)| if known { place(code) } else { null }),
            ),
        }
        Ok(!outside)
    }

    /// The number of a text of the dictionary.
    #[cold]
    fn meet(&mut self, texts: &StringArray, code: usize) -> u32 {
        let number = if texts.is_null(code) {
            NO_TEXT
        } else {
            let text = texts.value(code);
            if let Some(&number) = self.numbers.get(text) {
                number
            } else {
                let number = self.met.len() as u32;
                let text: Arc<str> = text.into();
                self.bytes += text.len() + size_of::<[usize; 2]>();
                self.met.push(text.clone());
                self.numbers.insert(text, number);
                number
            }
        };
        if let Some(known) = self.known.get_mut(code) {
            *known = number;
        }
        number
    }

    fn size(&self) -> usize {
        self.bytes
            + self.numbers.capacity() * size_of::<(Arc<str>, u32, u8)>()
            + self.met.capacity() * size_of::<Arc<str>>()
            + self.known.capacity() * size_of::<u32>()
    }
}
