//! The order of rows by keys of a fixed width, without comparing them.
//!
//! Each value is its distance from the least of its column (or from the greatest, where the largest
//! come first), the columns of a row are packed into as few words of 64 bits as hold them, and the rows
//! are dealt out by eleven bits at a time, the least significant first. Six columns of a few thousand
//! different numbers are one word and six passes, whatever the number of rows is.

use arrow::array::{Array, ArrayRef, ArrowPrimitiveType, AsArray, UInt32Array};
use arrow::compute::SortOptions;
use arrow::datatypes::{
    DataType, Date32Type, Float64Type, Int32Type, Int64Type, TimeUnit, TimestampMicrosecondType,
    UInt64Type,
};

/// Bits of a key that one pass deals by: the places of two thousand piles stay in the cache.
const DIGIT: u32 = 11;

/// A row: the word that it is ordered by, and its number.
type Entry = (u64, u32);

/// Rows on their way to an order.
pub(super) struct Radix {
    /// Words still to order by, the most significant first.
    words: Vec<Word>,
    entries: Vec<Entry>,
    spare: Vec<Entry>,
    /// Bits of the present word, and of them those that are done.
    width: u32,
    done: u32,
}

/// Columns that share a word, the most significant first.
struct Word {
    columns: Vec<Packed>,
    width: u32,
}

/// A column and how its values become whole numbers from zero on.
struct Packed {
    column: ArrayRef,
    descending: bool,
    /// The least and the greatest of its words.
    least: u64,
    most: u64,
    /// What the first value gets: one, where missing values come before it.
    first: u64,
    /// What a missing value gets.
    missing: u64,
    width: u32,
}

impl Radix {
    /// The rows of these columns, which have one length, not ordered yet; nothing where a column has
    /// values of no fixed width.
    pub(super) fn new(keys: &[(ArrayRef, SortOptions)]) -> Option<Self> {
        let rows = u32::try_from(keys.first()?.0.len()).ok()?;
        let mut words: Vec<Word> = Vec::new();
        for (column, options) in keys.iter().rev() {
            let packed = Packed::new(column.clone(), *options)?;
            match words.last_mut() {
                Some(word) if word.width + packed.width <= u64::BITS => {
                    word.width += packed.width;
                    word.columns.insert(0, packed);
                }
                _ => words.push(Word { width: packed.width, columns: vec![packed] }),
            }
        }
        words.reverse();
        words.retain(|word| word.width > 0);
        let entries: Vec<Entry> = (0..rows).map(|row| (0, row)).collect();
        Some(Self { words, entries, spare: Vec::new(), width: 0, done: 0 })
    }

    /// Whether columns of this type can be keys.
    pub(super) fn takes(ty: &DataType) -> bool {
        matches!(
            ty,
            DataType::Int32
                | DataType::Int64
                | DataType::UInt64
                | DataType::Date32
                | DataType::Timestamp(TimeUnit::Microsecond, _)
                | DataType::Float64
                | DataType::Boolean
        )
    }

    /// The bytes that ordering so many rows takes.
    pub(super) fn bytes(rows: usize) -> usize {
        2 * rows * size_of::<Entry>()
    }

    /// One pass over the rows; whether they are in order now.
    pub(super) fn step(&mut self) -> bool {
        if self.done < self.width {
            self.deal();
            self.done += DIGIT;
        } else if let Some(word) = self.words.pop() {
            for entry in &mut self.entries {
                entry.0 = 0;
            }
            for column in &word.columns {
                column.add_to(&mut self.entries);
            }
            (self.width, self.done) = (word.width, 0);
        }
        self.done >= self.width && self.words.is_empty()
    }

    /// The numbers of the rows in their order.
    pub(super) fn order(&self) -> UInt32Array {
        self.entries.iter().map(|entry| entry.1).collect::<Vec<u32>>().into()
    }

    /// Deals the rows into piles by the next bits; within a pile they keep their order.
    fn deal(&mut self) {
        // Not made with the rest: so much memory takes a moment of its own.
        self.spare.resize(self.entries.len(), (0, 0));
        let digit = |word: u64| (word >> self.done) as usize & ((1 << DIGIT) - 1);
        let mut places = [0u32; 1 << DIGIT];
        for entry in &self.entries {
            if let Some(count) = places.get_mut(digit(entry.0)) {
                *count += 1;
            }
        }
        let mut next = 0;
        for place in &mut places {
            next += std::mem::replace(place, next);
        }
        for entry in &self.entries {
            let Some(place) = places.get_mut(digit(entry.0)) else { continue };
            if let Some(slot) = self.spare.get_mut(*place as usize) {
                *slot = *entry;
            }
            *place += 1;
        }
        std::mem::swap(&mut self.entries, &mut self.spare);
    }
}

impl Packed {
    fn new(column: ArrayRef, options: SortOptions) -> Option<Self> {
        if !Radix::takes(column.data_type()) {
            return None;
        }
        let extent = extent(&column);
        let (least, most) = extent.unwrap_or((0, 0));
        let nulls = column.null_count() > 0;
        let first = u64::from(nulls && options.nulls_first);
        let last = (most - least).checked_add(u64::from(nulls && extent.is_some()))?;
        let missing = if options.nulls_first { 0 } else { last };
        let width = u64::BITS - last.leading_zeros();
        Some(Self { column, descending: options.descending, least, most, first, missing, width })
    }

    /// Puts its values behind what the words of the rows have already.
    fn add_to(&self, entries: &mut [Entry]) {
        let column = &self.column;
        match column.data_type() {
            DataType::Int32 => self.add::<Int32Type>(entries, |v| signed(v.into())),
            DataType::Int64 => self.add::<Int64Type>(entries, signed),
            DataType::UInt64 => self.add::<UInt64Type>(entries, |v| v),
            DataType::Date32 => self.add::<Date32Type>(entries, |v| signed(v.into())),
            DataType::Timestamp(..) => self.add::<TimestampMicrosecondType>(entries, signed),
            DataType::Float64 => self.add::<Float64Type>(entries, float),
            _ => {
                let values = column.as_boolean();
                self.add_each(entries, |row| {
                    values.is_valid(row).then(|| u64::from(values.value(row)))
                });
            }
        }
    }

    fn add<T: ArrowPrimitiveType>(&self, entries: &mut [Entry], word: impl Fn(T::Native) -> u64) {
        let array = self.column.as_primitive::<T>();
        let values = array.values();
        match array.nulls() {
            None => self.add_each(entries, |row| values.get(row).map(|v| word(*v))),
            Some(nulls) => self.add_each(entries, |row| {
                values.get(row).filter(|_| nulls.is_valid(row)).map(|v| word(*v))
            }),
        }
    }

    fn add_each(&self, entries: &mut [Entry], word: impl Fn(usize) -> Option<u64>) {
        for (key, row) in entries {
            let code = match word(*row as usize) {
                Some(word) if self.descending => self.first + (self.most - word),
                Some(word) => self.first + (word - self.least),
                None => self.missing,
            };
            // A column of 64 bits has its word for itself.
            *key = key.checked_shl(self.width).unwrap_or(0) | code;
        }
    }
}

/// The least and the greatest value of a column whose type has words, as words that compare as they
/// do; `None` where it has no value.
fn extent(column: &ArrayRef) -> Option<(u64, u64)> {
    fn of<T: ArrowPrimitiveType>(
        column: &ArrayRef,
        word: impl Fn(T::Native) -> u64,
    ) -> Option<(u64, u64)> {
        let array = column.as_primitive::<T>();
        let grow = |seen: Option<(u64, u64)>, word: u64| match seen {
            Some((least, most)) => Some((least.min(word), most.max(word))),
            None => Some((word, word)),
        };
        if array.null_count() == 0 {
            array.values().iter().map(|v| word(*v)).fold(None, grow)
        } else {
            array.iter().flatten().map(word).fold(None, grow)
        }
    }
    match column.data_type() {
        DataType::Int32 => of::<Int32Type>(column, |v| signed(v.into())),
        DataType::Int64 => of::<Int64Type>(column, signed),
        DataType::UInt64 => of::<UInt64Type>(column, |v| v),
        DataType::Date32 => of::<Date32Type>(column, |v| signed(v.into())),
        DataType::Timestamp(..) => of::<TimestampMicrosecondType>(column, signed),
        DataType::Float64 => of::<Float64Type>(column, float),
        _ => (column.null_count() < column.len()).then_some((0, 1)),
    }
}

/// A word that compares as the number does.
fn signed(value: i64) -> u64 {
    value.cast_unsigned() ^ (1 << 63)
}

/// A word that compares as the number does in the total order of IEEE 754, which is that of Arrow.
fn float(value: f64) -> u64 {
    let bits = value.to_bits();
    if bits >> 63 == 0 { bits ^ (1 << 63) } else { !bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{
        BooleanArray, Date32Array, Float64Array, Int32Array, Int64Array, StringArray, UInt64Array,
    };
    use arrow::compute::{SortColumn, lexsort_to_indices, take};
    use proptest::prelude::*;
    use std::sync::Arc;

    fn ordered(keys: &[(ArrayRef, SortOptions)]) -> Option<UInt32Array> {
        let mut radix = Radix::new(keys)?;
        while !radix.step() {}
        Some(radix.order())
    }

    fn options() -> impl Strategy<Value = SortOptions> {
        (any::<bool>(), any::<bool>()).prop_map(|(d, n)| SortOptions::new(d, n))
    }

    fn some<T: std::fmt::Debug + Clone>(
        value: impl Strategy<Value = T>,
        rows: usize,
    ) -> impl Strategy<Value = Vec<Option<T>>> {
        prop::collection::vec(prop::option::weighted(0.8, value), rows)
    }

    fn column(rows: usize) -> impl Strategy<Value = ArrayRef> {
        let float = prop_oneof![any::<f64>(), -2.0..2.0, Just(0.0), Just(-0.0), Just(f64::MAX)];
        prop_oneof![
            some(any::<i64>(), rows).prop_map(|v| Arc::new(Int64Array::from(v)) as ArrayRef),
            some(-3i64..3, rows).prop_map(|v| Arc::new(Int64Array::from(v)) as ArrayRef),
            some(any::<i32>(), rows).prop_map(|v| Arc::new(Int32Array::from(v)) as ArrayRef),
            some(0i32..9, rows).prop_map(|v| Arc::new(Date32Array::from(v)) as ArrayRef),
            some(any::<u64>(), rows).prop_map(|v| Arc::new(UInt64Array::from(v)) as ArrayRef),
            some(float, rows).prop_map(|v| Arc::new(Float64Array::from(v)) as ArrayRef),
            some(any::<bool>(), rows).prop_map(|v| Arc::new(BooleanArray::from(v)) as ArrayRef),
            Just(arrow::array::new_null_array(&DataType::Int64, rows)),
        ]
    }

    fn keys() -> impl Strategy<Value = Vec<(ArrayRef, SortOptions)>> {
        (0usize..60).prop_flat_map(|rows| prop::collection::vec((column(rows), options()), 1..5))
    }

    proptest! {
        /// The order is Arrow's, with the row's number as the last key.
        #[test]
        fn orders_as_arrow_does(keys in keys()) {
            let rows = keys[0].0.len();
            let numbers = UInt32Array::from_iter_values(0..rows as u32);
            let mut columns: Vec<SortColumn> = keys
                .iter()
                .map(|(values, options)| SortColumn { values: values.clone(), options: Some(*options) })
                .collect();
            columns.push(SortColumn { values: Arc::new(numbers), options: None });
            let wanted = lexsort_to_indices(&columns, None).unwrap();
            // A range of all 64 bits with missing values beside them is one bit too many.
            if let Some(order) = ordered(&keys) {
                prop_assert_eq!(order, wanted);
            } else {
                let full = |(column, _): &(ArrayRef, SortOptions)| {
                    column.null_count() > 0
                        && extent(column).is_some_and(|(a, b)| b - a == u64::MAX)
                };
                prop_assert!(keys.iter().any(full));
            }
        }
    }

    #[test]
    fn texts_have_no_words() {
        let texts: ArrayRef = Arc::new(StringArray::from(vec!["b", "a"]));
        assert!(ordered(&[(texts, SortOptions::default())]).is_none());
    }

    #[test]
    fn many_rows_and_words() {
        let rows = 20_000u64;
        let wide: ArrayRef = Arc::new(UInt64Array::from_iter_values(
            (0..rows).map(|i| i.wrapping_mul(0x9E37_79B9_7F4A_7C15)),
        ));
        let few: ArrayRef =
            Arc::new(Int32Array::from_iter_values((0..rows).map(|i| (i % 7) as i32)));
        let keys =
            [(few, SortOptions::new(true, false)), (wide.clone(), SortOptions::new(false, false))];
        let order = ordered(&keys).unwrap();
        let columns = keys.map(|(values, options)| SortColumn { values, options: Some(options) });
        let wanted = lexsort_to_indices(&columns, None).unwrap();
        assert_eq!(
            take(&wide, &order, None).unwrap().as_ref(),
            take(&wide, &wanted, None).unwrap().as_ref()
        );
    }
}
