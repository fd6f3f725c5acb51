//! Runs of a condition, values when it held, and ranks.

use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Float64Array, Int64Array, UInt32Array};
use arrow::compute::take;
use arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion::common::Result;
use std::cmp::Ordering;
use std::sync::Arc;

/// A null condition does not hold.
fn holds(condition: &ArrayRef) -> impl Iterator<Item = bool> {
    let condition: &BooleanArray = condition.as_boolean();
    condition.iter().map(|x| x == Some(true))
}

/// How many rows in a row the condition has held.
pub(super) fn streak(condition: &ArrayRef) -> ArrayRef {
    let mut run = 0;
    let runs = holds(condition).map(|yes| {
        run = if yes { run + 1 } else { 0 };
        run
    });
    Arc::new(runs.collect::<Int64Array>())
}

/// How many rows ago the condition held, null before it has.
pub(super) fn bars_since(condition: &ArrayRef) -> ArrayRef {
    let mut since = None;
    let rows = holds(condition).map(|yes| {
        since = if yes { Some(0) } else { since.map(|n: i64| n + 1) };
        since
    });
    Arc::new(rows.collect::<Int64Array>())
}

/// The value of the row where the condition held for the last time but `n`.
pub(super) fn value_when(condition: &ArrayRef, x: &ArrayRef, n: usize) -> Result<ArrayRef> {
    let mut rows = Vec::new();
    let from = holds(condition).enumerate().map(|(row, yes)| {
        if yes {
            rows.push(row as u32);
        }
        rows.len().checked_sub(n.saturating_add(1)).and_then(|place| rows.get(place).copied())
    });
    let from = from.collect::<UInt32Array>();
    Ok(take(x, &from, None)?)
}

/// The mean place of equals in ascending order over the number of values.
pub(super) fn rank(x: &ArrayRef) -> ArrayRef {
    if x.data_type() == &DataType::Int64 {
        let x = x.as_primitive::<Int64Type>();
        return places(x.iter().enumerate(), x.len(), i64::cmp);
    }
    let x = x.as_primitive::<Float64Type>();
    places(x.iter().enumerate(), x.len(), |a, b| a.partial_cmp(b).unwrap_or(Ordering::Equal))
}

fn places<V: Copy>(
    x: impl Iterator<Item = (usize, Option<V>)>,
    rows: usize,
    compare: impl Fn(&V, &V) -> Ordering,
) -> ArrayRef {
    let mut order: Vec<(V, usize)> = x.filter_map(|(row, x)| Some((x?, row))).collect();
    order.sort_unstable_by(|(a, _), (b, _)| compare(a, b));
    let count = order.len() as f64;
    let mut out = vec![None; rows];
    let mut below = 0;
    for equals in order.chunk_by(|(a, _), (b, _)| compare(a, b) == Ordering::Equal) {
        let place = below as f64 + f64::midpoint(equals.len() as f64, 1.0);
        for (_, row) in equals {
            if let Some(slot) = out.get_mut(*row) {
                *slot = Some(place / count);
            }
        }
        below += equals.len();
    }
    Arc::new(Float64Array::from(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn condition() -> ArrayRef {
        let list = [Some(false), Some(true), Some(true), None, Some(true), Some(false)];
        Arc::new(BooleanArray::from(list.to_vec()))
    }

    fn integers(array: ArrayRef) -> Vec<Option<i64>> {
        array.as_primitive::<Int64Type>().iter().collect()
    }

    #[test]
    fn runs() {
        assert_eq!(integers(streak(&condition())), [0, 1, 2, 0, 1, 0].map(Some));
        let since = [None, Some(0), Some(0), Some(1), Some(0), Some(1)];
        assert_eq!(integers(bars_since(&condition())), since);
    }

    #[test]
    fn values_when() {
        let x: ArrayRef = Arc::new(Int64Array::from(vec![10, 20, 30, 40, 50, 60]));
        for (n, wanted) in [
            (0, [None, Some(20), Some(30), Some(30), Some(50), Some(50)]),
            (1, [None, None, Some(20), Some(20), Some(30), Some(30)]),
            (usize::MAX, [None; 6]),
        ] {
            assert_eq!(integers(value_when(&condition(), &x, n).unwrap()), wanted, "{n}");
        }
    }

    #[test]
    fn ranks() {
        let ranks = |x: ArrayRef| rank(&x).as_primitive::<Float64Type>().iter().collect::<Vec<_>>();
        let x = vec![Some(5.0), None, Some(1.0), Some(5.0), Some(9.0)];
        let wanted = [Some(0.625), None, Some(0.25), Some(0.625), Some(1.0)];
        assert_eq!(ranks(Arc::new(Float64Array::from(x))), wanted);
        let x = vec![i64::MAX, i64::MAX - 1];
        assert_eq!(ranks(Arc::new(Int64Array::from(x))), [Some(1.0), Some(0.5)]);
        assert_eq!(ranks(Arc::new(Float64Array::from(vec![None; 2]))), [None; 2]);
    }
}
