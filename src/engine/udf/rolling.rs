//! What windows of the last `n` rows come to, each from its own rows alone: a big value that has left
//! a window leaves no trace in the digits of the next.

use arrow::array::{Array, ArrayRef};
use arrow::buffer::NullBuffer;

/// Where the last `n` values are all there.
pub(super) fn complete(x: &ArrayRef, n: usize) -> NullBuffer {
    let mut run = 0;
    let nulls = x.logical_nulls();
    (0..x.len())
        .map(|row| {
            let there = nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row));
            run = if there { run + 1 } else { 0 };
            run >= n
        })
        .collect::<Vec<bool>>()
        .into()
}

/// The fold of the last `n` values, row by row, in three operations a row whatever `n` is: each
/// window is the end of one block of `n` rows and the beginning of the next (van Herk, Gil and
/// Werman). The first `n - 1` results are of fewer rows.
pub(super) fn fold<T: Copy, U: Copy>(
    x: &[T],
    n: usize,
    lift: impl Fn(T) -> U,
    op: impl Fn(U, U) -> U,
) -> Vec<U> {
    let mut out: Vec<U> = Vec::with_capacity(x.len());
    // The folds of the previous block's ends: `ends[i]` is that of its rows from `i` on.
    let mut ends: Vec<U> = Vec::new();
    for block in x.chunks(n) {
        let mut beginning = None;
        for (i, &value) in block.iter().enumerate() {
            let value = lift(value);
            let so_far = beginning.map_or(value, |b| op(b, value));
            beginning = Some(so_far);
            out.push(match ends.get(i + 1) {
                Some(&end) => op(end, so_far),
                None => so_far,
            });
        }
        ends.clear();
        for &value in block.iter().rev() {
            let value = lift(value);
            ends.push(ends.last().map_or(value, |&end| op(value, end)));
        }
        ends.reverse();
    }
    out
}

/// The means of the last `n` values with weights 1, 2, …, `n`.
pub(super) fn weighted_means(x: &[f64], n: usize) -> Vec<f64> {
    // count, sum, weighted sum
    let lift = |x| (1.0, x, x);
    let join =
        |a: (f64, f64, f64), b: (f64, f64, f64)| (a.0 + b.0, a.1 + b.1, a.2 + b.2 + a.0 * b.1);
    let weights = n as f64 * (n as f64 + 1.0) / 2.0;
    fold(x, n, lift, join).into_iter().map(|(.., weighted)| weighted / weights).collect()
}

/// Count, mean and sum of squared distances from the mean.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moments {
    count: f64,
    /// The mean; of equal values it is exactly their value.
    pub(super) mean: f64,
    /// Zero for equal values, exactly.
    pub(super) squares: f64,
}

/// The moments of the last `n` values, joined by the formula of Chan, Golub and LeVeque.
pub(super) fn moments(x: &[f64], n: usize) -> Vec<Moments> {
    let lift = |x| Moments { count: 1.0, mean: x, squares: 0.0 };
    fold(x, n, lift, |a, b| {
        let count = a.count + b.count;
        let apart = b.mean - a.mean;
        Moments {
            count,
            mean: a.mean + apart * (b.count / count),
            squares: a.squares + b.squares + apart * apart * a.count * (b.count / count),
        }
    })
}

/// The deviations of the last `n` values; `degrees` is `n`, or `n - 1` for that of a sample.
pub(super) fn deviations(x: &[f64], n: usize, degrees: f64) -> Vec<f64> {
    moments(x, n).into_iter().map(|m| (m.squares / degrees).sqrt()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_values_do_not_deviate() {
        assert!(deviations(&[0.1; 50], 7, 7.0)[6..].iter().all(|x| *x == 0.0));
        assert_eq!(deviations(&[1e17, 3.0, 3.0, 5.0], 2, 1.0)[2], 0.0);
        // a sample of one has no deviation
        assert!(deviations(&[3.0], 1, 0.0)[0].is_nan());
    }

    proptest! {
        #[test]
        fn folds_equal_the_plain_definition(x in prop::collection::vec(-1000i64..1000, 0..60), n in 1usize..12) {
            for (row, value) in fold(&x, n, |x| x, |a, b| a + b).into_iter().enumerate() {
                if row + 1 >= n {
                    prop_assert_eq!(value, x[row + 1 - n..=row].iter().sum::<i64>());
                }
            }
            for (row, value) in fold(&x, n, |x| x, i64::min).into_iter().enumerate() {
                if row + 1 >= n {
                    prop_assert_eq!(Some(value), x[row + 1 - n..=row].iter().min().copied());
                }
            }
        }

        #[test]
        fn moments_and_weights_equal_the_plain_definition(x in prop::collection::vec(-1000i64..1000, 0..60), n in 1usize..12) {
            let x: Vec<f64> = x.into_iter().map(|x| x as f64).collect();
            let (spread, weighted) = (deviations(&x, n, n as f64), weighted_means(&x, n));
            for row in n.saturating_sub(1)..x.len() {
                let window = &x[row + 1 - n..=row];
                let mean = window.iter().sum::<f64>() / n as f64;
                let squares = window.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
                prop_assert!((spread[row] - (squares / n as f64).sqrt()).abs() < 1e-9);
                let sum: f64 = window.iter().enumerate().map(|(i, x)| (i as f64 + 1.0) * x).sum();
                prop_assert!((weighted[row] - sum / (n * (n + 1) / 2) as f64).abs() < 1e-9);
            }
        }
    }
}
