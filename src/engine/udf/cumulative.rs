//! From the first row of a series, or of its trading day, to this one.

use super::overflow;
use crate::engine::tables::finite;
use arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int64Array};
use arrow::datatypes::{DataType, Date32Type, Float64Type, Int64Type};
use datafusion::common::Result;
use std::ops::Add;
use std::sync::Arc;

/// What the rows so far come to.
#[derive(Debug, Clone, Copy)]
pub(super) enum Of {
    Max,
    Min,
    Sum,
    First,
    Last,
}

impl Of {
    fn join<V: Copy + PartialOrd + Add<Output = V>>(self, a: V, b: V) -> V {
        match self {
            Self::Max if b > a => b,
            Self::Min if b < a => b,
            Self::Sum => a + b,
            Self::Last => b,
            _ => a,
        }
    }
}

/// Numbers from 1 of the rows where `x` is there.
pub(super) fn count(x: &ArrayRef) -> ArrayRef {
    let mut seen = 0;
    let numbers = (0..x.len()).map(|row| {
        let there = x.is_valid(row);
        seen += i64::from(there);
        there.then_some(seen)
    });
    Arc::new(numbers.collect::<Int64Array>())
}

/// What the values come to up to each row. Without days, null where `x` is; with days, from the
/// first value of the day on.
pub(super) fn running(x: &ArrayRef, days: Option<&Days>, of: Of) -> Result<ArrayRef> {
    match days {
        None => made(x, |at| up_to(x.len(), at, of), |at| up_to(x.len(), at, of)),
        Some(days) => made(x, |at| days.up_to(at, of), |at| days.up_to(at, of)),
    }
}

/// What the values of the whole day come to.
pub(super) fn whole(x: &ArrayRef, days: &Days, of: Of) -> Result<ArrayRef> {
    made(x, |at| days.whole(at, of), |at| days.whole(at, of))
}

type Values<V> = Vec<Option<V>>;

/// The value of a row.
type At<'a, V> = &'a dyn Fn(usize) -> Option<V>;

/// Integers are summed in 128 bits, which any number of them fits into.
fn made(
    x: &ArrayRef,
    integers: impl FnOnce(At<'_, i128>) -> Values<i128>,
    floats: impl FnOnce(At<'_, f64>) -> Values<f64>,
) -> Result<ArrayRef> {
    if x.data_type() == &DataType::Int64 {
        let x = x.as_primitive::<Int64Type>();
        let values = integers(&|row| x.is_valid(row).then(|| i128::from(x.value(row))));
        let narrow = |x: Option<i128>| match x.map(i64::try_from).transpose() {
            Ok(x) => Ok(x),
            Err(_) => Err(overflow()),
        };
        let array = values.into_iter().map(narrow).collect::<Result<Int64Array>>()?;
        return Ok(Arc::new(array));
    }
    let x = x.as_primitive::<Float64Type>();
    let values = floats(&|row| x.is_valid(row).then(|| x.value(row)));
    let array = Float64Array::from(values);
    Ok(Arc::new(finite(&array).unwrap_or(array)))
}

fn up_to<V: Copy + PartialOrd + Add<Output = V>>(rows: usize, at: At<'_, V>, of: Of) -> Values<V> {
    let mut so_far = None;
    let next = (0..rows).map(|row| {
        let value = at(row)?;
        so_far = Some(so_far.map_or(value, |before| of.join(before, value)));
        so_far
    });
    next.collect()
}

/// The rows of each day together: a step may have put them in any order. A row without a time is of
/// no day.
pub(super) struct Days {
    /// Row numbers, day after day, in the order of their places within it.
    rows: Vec<u32>,
    /// Where each day ends in `rows`.
    ends: Vec<usize>,
    /// How many rows there are, those of no day included.
    all: usize,
}

impl Days {
    /// Groups rows by their day; `place` is what orders the rows of one.
    pub(super) fn new(day: &ArrayRef, place: &ArrayRef) -> Self {
        let day = day.as_primitive::<Date32Type>();
        let place = place.as_primitive::<Int64Type>();
        let of = |row: u32| day.value(row as usize);
        let mut rows: Vec<u32> =
            (0..day.len()).filter(|row| day.is_valid(*row)).map(|row| row as u32).collect();
        // stable, and one pass where they are in that order already
        rows.sort_by_key(|row| (of(*row), place.value(*row as usize)));
        let mut ends = Vec::new();
        let mut so_far = 0;
        for rows in rows.chunk_by(|a, b| of(*a) == of(*b)) {
            so_far += rows.len();
            ends.push(so_far);
        }
        Self { rows, ends, all: day.len() }
    }

    /// The rows of each day.
    fn each(&self) -> impl Iterator<Item = &[u32]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let ranges = starts.zip(self.ends.iter().copied());
        ranges.filter_map(|(start, end)| self.rows.get(start..end))
    }

    fn up_to<V: Copy + PartialOrd + Add<Output = V>>(&self, at: At<'_, V>, of: Of) -> Values<V> {
        let mut values = vec![None; self.all];
        for rows in self.each() {
            let mut so_far = None;
            for &row in rows {
                if let Some(value) = at(row as usize) {
                    so_far = Some(so_far.map_or(value, |before| of.join(before, value)));
                }
                put(&mut values, row, so_far);
            }
        }
        values
    }

    fn whole<V: Copy + PartialOrd + Add<Output = V>>(&self, at: At<'_, V>, of: Of) -> Values<V> {
        let mut values = vec![None; self.all];
        for rows in self.each() {
            let of_day = rows.iter().filter_map(|row| at(*row as usize));
            let of_day = of_day.reduce(|before, value| of.join(before, value));
            for &row in rows {
                put(&mut values, row, of_day);
            }
        }
        values
    }
}

fn put<V>(values: &mut [Option<V>], row: u32, value: Option<V>) {
    if let Some(slot) = values.get_mut(row as usize) {
        *slot = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::Date32Array;

    fn floats(array: ArrayRef) -> Vec<Option<f64>> {
        array.as_primitive::<Float64Type>().iter().collect()
    }

    fn column(x: &[Option<f64>]) -> ArrayRef {
        Arc::new(Float64Array::from(x.to_vec()))
    }

    fn days(day: &[Option<i32>], place: &[i64]) -> Days {
        let day: ArrayRef = Arc::new(Date32Array::from(day.to_vec()));
        let place: ArrayRef = Arc::new(Int64Array::from(place.to_vec()));
        Days::new(&day, &place)
    }

    #[test]
    fn values_so_far() {
        let x: ArrayRef = Arc::new(Float64Array::from(vec![None, Some(2.0), None, Some(1.0)]));
        for (of, wanted) in [
            (Of::Max, [None, Some(2.0), None, Some(2.0)]),
            (Of::Min, [None, Some(2.0), None, Some(1.0)]),
            (Of::Sum, [None, Some(2.0), None, Some(3.0)]),
        ] {
            assert_eq!(floats(running(&x, None, of).unwrap()), wanted, "{of:?}");
        }
        assert!(running(&x.slice(0, 0), None, Of::Sum).unwrap().is_empty());
    }

    #[test]
    fn integers_stay_exact_and_are_checked() {
        let most = i64::MAX;
        let x: ArrayRef = Arc::new(Int64Array::from(vec![most - 1, 1]));
        let sums = running(&x, None, Of::Sum).unwrap();
        assert_eq!(sums.as_primitive::<Int64Type>().values(), &[most - 1, most]);
        let x: ArrayRef = Arc::new(Int64Array::from(vec![most, 1]));
        assert!(running(&x, None, Of::Sum).is_err());
        assert!(running(&x, None, Of::Max).is_ok());
    }

    #[test]
    fn days_begin_anew() {
        let x = [None, Some(2.0), Some(5.0), None, Some(3.0), Some(9.0)];
        let day = [Some(1), Some(1), Some(2), Some(2), Some(2), None];
        let (x, days) = (column(&x), days(&day, &[0, 1, 2, 3, 4, 5]));
        let some = |list: [f64; 5]| list.map(Some).into_iter().chain([None]).collect::<Vec<_>>();
        for (of, wanted) in [
            (Of::First, [2.0, 2.0, 5.0, 5.0, 5.0]),
            (Of::Last, [2.0, 2.0, 3.0, 3.0, 3.0]),
            (Of::Max, [2.0, 2.0, 5.0, 5.0, 5.0]),
            (Of::Min, [2.0, 2.0, 3.0, 3.0, 3.0]),
        ] {
            assert_eq!(floats(whole(&x, &days, of).unwrap()), some(wanted), "{of:?}");
        }
        let sums = [None, Some(2.0), Some(5.0), Some(5.0), Some(8.0), None];
        assert_eq!(floats(running(&x, Some(&days), Of::Sum).unwrap()), sums);
    }
    #[test]
    fn days_are_whole_in_any_order_of_their_rows() {
        // day 1 at 10, 20, 30: 4, 1, 3; day 2 at 40, 50: 2, 7
        let x = [Some(7.0), Some(3.0), Some(6.0), Some(4.0), Some(2.0), Some(1.0)];
        let day = [Some(2), Some(1), None, Some(1), Some(2), Some(1)];
        let (x, days) = (column(&x), days(&day, &[50, 30, 0, 10, 40, 20]));
        let some = |[a, b, c, d, e]: [f64; 5]| {
            [Some(a), Some(b), None, Some(c), Some(d), Some(e)].to_vec()
        };
        for (of, wanted) in [
            (Of::First, [2.0, 4.0, 4.0, 2.0, 4.0]),
            (Of::Last, [7.0, 3.0, 3.0, 7.0, 3.0]),
            (Of::Max, [7.0, 4.0, 4.0, 7.0, 4.0]),
            (Of::Min, [2.0, 1.0, 1.0, 2.0, 1.0]),
        ] {
            assert_eq!(floats(whole(&x, &days, of).unwrap()), some(wanted), "{of:?}");
        }
        let sums = floats(running(&x, Some(&days), Of::Sum).unwrap());
        assert_eq!(sums, some([9.0, 8.0, 4.0, 2.0, 5.0]));
    }
}
