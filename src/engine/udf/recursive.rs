//! Means that carry on from row to row. A row without a value is null and changes nothing.

use crate::engine::tables::finite;
use arrow::array::{Array, ArrayRef, AsArray, Float64Array};
use arrow::datatypes::Float64Type;
use std::sync::Arc;

/// Exponential means of weight 2/(n+1), from the first value on.
pub(super) fn exponential(x: &ArrayRef, n: usize) -> ArrayRef {
    let weight = 2.0 / (n as f64 + 1.0);
    let mut mean: Option<f64> = None;
    carried(x, |x| {
        let next = mean.map_or(x, |mean| mean + weight * (x - mean));
        mean = Some(next);
        mean
    })
}

/// Wilder's means of weight 1/n, from the mean of the first `n` values on.
pub(super) fn wilder(x: &ArrayRef, n: usize) -> ArrayRef {
    let (mut seen, mut sum, mut mean) = (0, 0.0, 0.0);
    carried(x, |x| {
        seen += 1;
        if seen <= n {
            sum += x;
            mean = sum / n as f64;
        } else {
            mean += (x - mean) / n as f64;
        }
        (seen >= n).then_some(mean)
    })
}

fn carried(x: &ArrayRef, mut next: impl FnMut(f64) -> Option<f64>) -> ArrayRef {
    let x = x.as_primitive::<Float64Type>();
    let array: Float64Array = if x.null_count() == 0 {
        x.values().iter().map(|&x| next(x)).collect()
    } else {
        x.iter().map(|x| x.and_then(&mut next)).collect()
    };
    Arc::new(finite(&array).unwrap_or(array))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        run: fn(&ArrayRef, usize) -> ArrayRef,
        x: &[Option<f64>],
        n: usize,
        wanted: &[Option<f64>],
    ) {
        let x: ArrayRef = Arc::new(Float64Array::from(x.to_vec()));
        let found = run(&x, n);
        assert_eq!(found.as_primitive::<Float64Type>().iter().collect::<Vec<_>>(), wanted);
    }

    #[test]
    fn nulls_are_passed_over() {
        let x = [None, Some(4.0), Some(8.0), None, Some(6.0), Some(0.0)];
        check(exponential, &x, 3, &[None, Some(4.0), Some(6.0), None, Some(6.0), Some(3.0)]);
        check(wilder, &x, 2, &[None, None, Some(6.0), None, Some(6.0), Some(3.0)]);
        check(wilder, &x, 4, &[None, None, None, None, None, Some(4.5)]);
    }

    #[test]
    fn of_one_row_and_of_more_than_there_are() {
        let x = [Some(4.0), Some(8.0)];
        check(exponential, &x, 1, &x);
        check(wilder, &x, 1, &x);
        check(wilder, &x, 3, &[None, None]);
        check(exponential, &[], 3, &[]);
    }
}
