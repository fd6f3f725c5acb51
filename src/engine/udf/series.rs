//! The rows of each series together, for windows that must not cross from one into another.
//!
//! Tables are in time order with the series interleaved. Sorting all columns by series and back, as
//! DataFusion does for `PARTITION BY`, costs many times the window itself; here only the window's
//! own column is gathered and scattered.

use arrow::array::{Array, ArrayRef, AsArray, Int32Array, UInt32Array};
use arrow::buffer::NullBuffer;
use arrow::compute::{cast, take};
use arrow::datatypes::{DataType, Int32Type};
use datafusion::common::Result;
use std::collections::HashMap;

/// Row numbers, series after series, in row order within each.
pub(super) struct Grouped {
    rows: Vec<u32>,
    /// Where each series ends in `rows`.
    ends: Vec<usize>,
}

impl Grouped {
    /// Groups the rows of a series column; a missing name is a series of its own.
    pub(super) fn new(series: &ArrayRef) -> Result<Self> {
        let numbers = numbers(series)?;
        let count = numbers.iter().max().map_or(0, |most| *most as usize + 1);
        let mut ends = vec![0usize; count];
        for &number in &numbers {
            if let Some(end) = ends.get_mut(number as usize) {
                *end += 1;
            }
        }
        let mut next = Vec::with_capacity(count);
        let mut so_far = 0;
        for end in &mut ends {
            next.push(so_far);
            so_far += *end;
            *end = so_far;
        }
        let mut rows = vec![0u32; numbers.len()];
        for (row, &number) in numbers.iter().enumerate() {
            if let Some(place) = next.get_mut(number as usize) {
                if let Some(slot) = rows.get_mut(*place) {
                    *slot = row as u32;
                }
                *place += 1;
            }
        }
        Ok(Self { rows, ends })
    }

    /// The value `n` rows before in the same series (after, for a negative `n`).
    pub(super) fn shift(&self, x: &ArrayRef, n: i64) -> Result<ArrayRef> {
        let mut from = vec![0u32; self.rows.len()];
        let mut there = vec![false; self.rows.len()];
        for range in self.ranges() {
            let series = self.rows.get(range).unwrap_or_default();
            for (place, &row) in series.iter().enumerate() {
                let source = (place as i64).checked_sub(n).and_then(|p| usize::try_from(p).ok());
                let Some(&source) = source.and_then(|place| series.get(place)) else { continue };
                let row = row as usize;
                if let (Some(slot), Some(there)) = (from.get_mut(row), there.get_mut(row)) {
                    *slot = source;
                    *there = true;
                }
            }
        }
        let from = UInt32Array::new(from.into(), Some(NullBuffer::from(there)));
        Ok(take(x, &from, None)?)
    }

    /// `apply` to the columns' values of each series, put back into row order.
    pub(super) fn each(
        &self,
        columns: &[ArrayRef],
        apply: impl Fn(&[ArrayRef]) -> Result<ArrayRef>,
    ) -> Result<ArrayRef> {
        let order = UInt32Array::from(self.rows.clone());
        let gathered = columns.iter().map(|x| Ok(take(x, &order, None)?));
        let gathered = gathered.collect::<Result<Vec<_>>>()?;
        let ranges = self.ranges().filter(|range| !range.is_empty());
        let parts = ranges.map(|range| {
            let cut = gathered.iter().map(|x| x.slice(range.start, range.len()));
            apply(&cut.collect::<Vec<_>>())
        });
        let parts = parts.collect::<Result<Vec<_>>>()?;
        if parts.is_empty() {
            return apply(columns);
        }
        let parts: Vec<&dyn Array> = parts.iter().map(AsRef::as_ref).collect();
        let whole = arrow::compute::concat(&parts)?;
        let mut back = vec![0u32; self.rows.len()];
        for (place, &row) in self.rows.iter().enumerate() {
            if let Some(slot) = back.get_mut(row as usize) {
                *slot = place as u32;
            }
        }
        Ok(take(&whole, &UInt32Array::from(back), None)?)
    }

    fn ranges(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(self.ends.iter().copied()).map(|(start, end)| start..end)
    }
}

/// A small number for each row's series.
fn numbers(series: &ArrayRef) -> Result<Vec<u32>> {
    let codes: Int32Array = if series.data_type() == &DataType::Int32 {
        series.as_primitive::<Int32Type>().clone()
    } else {
        let text = cast(series, &DataType::Utf8)?;
        let packed = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        cast(&text, &packed)?.as_dictionary::<Int32Type>().keys().clone()
    };
    let most = arrow::compute::max(&codes).unwrap_or(0);
    let least = arrow::compute::min(&codes).unwrap_or(0);
    if least >= 0 && most as usize <= codes.len() {
        let missing = most as u32 + 1;
        return Ok(codes.iter().map(|code| code.map_or(missing, i32::unsigned_abs)).collect());
    }
    let mut known: HashMap<Option<i32>, u32> = HashMap::new();
    let mut number = |code| {
        let next = known.len() as u32;
        *known.entry(code).or_insert(next)
    };
    Ok(codes.iter().map(&mut number).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Int64Array, StringArray};
    use arrow::datatypes::Int64Type;
    use std::sync::Arc;

    fn check(series: ArrayRef) {
        let x: ArrayRef = Arc::new(Int64Array::from(vec![1, 2, 3, 4, 5, 6]));
        let grouped = Grouped::new(&series).unwrap();
        let values = |array: ArrayRef| -> Vec<Option<i64>> {
            array.as_primitive::<Int64Type>().iter().collect()
        };
        // Series: a b a null b a
        assert_eq!(
            values(grouped.shift(&x, 1).unwrap()),
            [None, None, Some(1), None, Some(2), Some(3)]
        );
        assert_eq!(values(grouped.shift(&x, -2).unwrap()), [Some(6), None, None, None, None, None]);
        let first = |x: &[ArrayRef]| {
            let first = x[0].as_primitive::<Int64Type>().value(0);
            Ok(Arc::new(Int64Array::from(vec![first; x[0].len()])) as ArrayRef)
        };
        assert_eq!(
            values(grouped.each(std::slice::from_ref(&x), first).unwrap()),
            [Some(1), Some(2), Some(1), Some(4), Some(2), Some(1)]
        );
    }

    #[test]
    fn rows_stay_in_their_series_whatever_its_type() {
        let text = vec![Some("a"), Some("b"), Some("a"), None, Some("b"), Some("a")];
        check(Arc::new(StringArray::from(text)));
        for codes in [[0, 1], [7_000_000, -3], [5, 2]] {
            let codes = [0, 1, 0, 2, 1, 0].map(|c| codes.get(c).copied());
            check(Arc::new(Int32Array::from(codes.to_vec())));
            let wide: Vec<Option<i64>> = codes.iter().map(|c| c.map(i64::from)).collect();
            check(Arc::new(Int64Array::from(wide)));
        }
    }

    #[test]
    fn no_rows_are_no_series() {
        let empty: ArrayRef = Arc::new(Int32Array::from(Vec::<i32>::new()));
        let grouped = Grouped::new(&empty).unwrap();
        assert_eq!(grouped.shift(&empty, 1).unwrap().len(), 0);
        assert_eq!(grouped.each(&[empty], |x| Ok(x[0].clone())).unwrap().len(), 0);
    }
}
