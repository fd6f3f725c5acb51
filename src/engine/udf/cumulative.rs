//! From the first row of a series, or of its trading day, to this one.

use super::overflow;
use crate::engine::tables::finite;
use arrow::array::{Array, ArrayRef, AsArray, Date32Array, Float64Array, Int64Array};
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
pub(super) fn running(x: &ArrayRef, day: Option<&ArrayRef>, of: Of) -> Result<ArrayRef> {
    match day {
        None => made(x, |values| up_to(values, None, of), |values| up_to(values, None, of)),
        Some(day) => {
            let day = day.as_primitive::<Date32Type>();
            made(x, |x| up_to(x, Some(day), of), |x| up_to(x, Some(day), of))
        }
    }
}

/// What the values of the whole day come to.
pub(super) fn whole(x: &ArrayRef, day: &ArrayRef, of: Of) -> Result<ArrayRef> {
    let day = day.as_primitive::<Date32Type>();
    made(x, |x| back(up_to(x, Some(day), of), day), |x| back(up_to(x, Some(day), of), day))
}

type Values<V> = Vec<Option<V>>;

/// Integers are summed in 128 bits, which any number of them fits into.
fn made(
    x: &ArrayRef,
    integers: impl FnOnce(&mut dyn Iterator<Item = Option<i128>>) -> Values<i128>,
    floats: impl FnOnce(&mut dyn Iterator<Item = Option<f64>>) -> Values<f64>,
) -> Result<ArrayRef> {
    if x.data_type() == &DataType::Int64 {
        let x = x.as_primitive::<Int64Type>();
        let values = integers(&mut x.iter().map(|x| x.map(i128::from)));
        let narrow = |x: Option<i128>| match x.map(i64::try_from).transpose() {
            Ok(x) => Ok(x),
            Err(_) => Err(overflow()),
        };
        let array = values.into_iter().map(narrow).collect::<Result<Int64Array>>()?;
        return Ok(Arc::new(array));
    }
    let values = floats(&mut x.as_primitive::<Float64Type>().iter());
    let array = Float64Array::from(values);
    Ok(Arc::new(finite(&array).unwrap_or(array)))
}

fn up_to<V: Copy + PartialOrd + Add<Output = V>>(
    values: &mut dyn Iterator<Item = Option<V>>,
    day: Option<&Date32Array>,
    of: Of,
) -> Values<V> {
    let mut so_far = None;
    let next = values.enumerate().map(|(row, value)| {
        if day.is_some_and(|day| is_first(day, row)) {
            so_far = None;
        }
        if let Some(value) = value {
            so_far = Some(so_far.map_or(value, |before| of.join(before, value)));
        }
        if day.is_some() || value.is_some() { so_far } else { None }
    });
    next.collect()
}

/// Each day's last value in all its rows.
fn back<V: Copy>(mut values: Values<V>, day: &Date32Array) -> Values<V> {
    let mut last = None;
    let mut is_last = true;
    for (row, value) in values.iter_mut().enumerate().rev() {
        if is_last {
            last = *value;
        }
        *value = last;
        is_last = is_first(day, row);
    }
    values
}

/// A day begins with this row. Rows are in time order.
fn is_first(day: &Date32Array, row: usize) -> bool {
    let at = |row: usize| day.is_valid(row).then(|| day.value(row));
    row == 0 || at(row) != at(row - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn floats(array: ArrayRef) -> Vec<Option<f64>> {
        array.as_primitive::<Float64Type>().iter().collect()
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
        let x = [None, Some(2.0), Some(5.0), None, Some(3.0), None];
        let x: ArrayRef = Arc::new(Float64Array::from(x.to_vec()));
        let day = [Some(1), Some(1), Some(2), Some(2), Some(2), None];
        let day: ArrayRef = Arc::new(Date32Array::from(day.to_vec()));
        let some = |list: [f64; 5]| list.map(Some).into_iter().chain([None]).collect::<Vec<_>>();
        for (of, wanted) in [
            (Of::First, [2.0, 2.0, 5.0, 5.0, 5.0]),
            (Of::Last, [2.0, 2.0, 3.0, 3.0, 3.0]),
            (Of::Max, [2.0, 2.0, 5.0, 5.0, 5.0]),
            (Of::Min, [2.0, 2.0, 3.0, 3.0, 3.0]),
        ] {
            assert_eq!(floats(whole(&x, &day, of).unwrap()), some(wanted), "{of:?}");
        }
        let sums = [None, Some(2.0), Some(5.0), Some(5.0), Some(8.0), None];
        assert_eq!(floats(running(&x, Some(&day), Of::Sum).unwrap()), sums);
    }
}
