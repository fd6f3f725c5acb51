//! Windows that need their values in order: medians and mean distances from the mean, in O(log n) a
//! row.
//!
//! Rows are taken in blocks of `n`. The up to 2n − 1 rows that the windows of a block read are sorted
//! once; a tree over their places holds the window's rows, and a row enters and leaves by one walk
//! from a leaf to the root. Every inner node is made anew from its two children, so that what has
//! left leaves no trace.

use super::rolling::moments;
use arrow::buffer::NullBuffer;

/// The medians of the last `n` values where `complete` says that they are all there.
pub(super) fn medians(x: &[f64], n: usize, complete: &NullBuffer) -> Vec<f64> {
    let mut out = vec![0.0; x.len()];
    windows(x, n, complete, |row, window| {
        let upper = window.value(n / 2);
        let median = if n % 2 == 1 { upper } else { f64::midpoint(window.value(n / 2 - 1), upper) };
        if let Some(slot) = out.get_mut(row) {
            *slot = median;
        }
    });
    out
}

/// The mean distances of the last `n` values from their mean.
pub(super) fn mean_deviations(x: &[f64], n: usize, complete: &NullBuffer) -> Vec<f64> {
    let mut out = vec![0.0; x.len()];
    let moments = moments(x, n);
    windows(x, n, complete, |row, window| {
        let (Some(moments), Some(slot)) = (moments.get(row), out.get_mut(row)) else { return };
        // of equal values exactly zero, whatever their sum is rounded to
        if moments.squares > 0.0 {
            *slot = window.distances(moments.mean) / n as f64;
        }
    });
    out
}

/// Calls `each` with every complete window.
fn windows(x: &[f64], n: usize, complete: &NullBuffer, mut each: impl FnMut(usize, &Window)) {
    if n > x.len() {
        return;
    }
    let mut window = Window::default();
    for start in (0..x.len()).step_by(n) {
        let first = start.saturating_sub(n - 1);
        let end = (start + n).min(x.len());
        window.reset(x.get(first..end).unwrap_or_default());
        for row in first..end {
            window.put(row - first, true);
            if row < start {
                continue;
            }
            if let Some(gone) = row.checked_sub(n).filter(|gone| *gone >= first) {
                window.put(gone - first, false);
            }
            if complete.is_valid(row) {
                each(row, &window);
            }
        }
    }
}

/// The rows of a block in order, and which of them are in the window.
#[derive(Debug, Default)]
struct Window {
    /// The block's values in ascending order, from `base`.
    values: Vec<f64>,
    /// The place of each row among them.
    places: Vec<u32>,
    /// What distances are counted from, so that sums keep their digits.
    base: f64,
    /// Number of leaves, a power of two.
    leaves: usize,
    /// Node 1 is the root, the children of `i` are `2i` and `2i + 1`; rows and sums under each.
    nodes: Vec<(u32, f64)>,
    order: Vec<u32>,
}

impl Window {
    fn reset(&mut self, x: &[f64]) {
        // what stands under a null may be anything, and is in no complete window
        let at = |row: &u32| x.get(*row as usize).copied().filter(|x| x.is_finite()).unwrap_or(0.0);
        self.order.clear();
        self.order.extend(0..x.len() as u32);
        self.order.sort_unstable_by(|a, b| at(a).total_cmp(&at(b)));
        self.base = self.order.get(x.len() / 2).map_or(0.0, at);
        self.values.clear();
        self.values.extend(self.order.iter().map(|row| at(row) - self.base));
        self.places.clear();
        self.places.resize(x.len(), 0);
        for (place, &row) in self.order.iter().enumerate() {
            if let Some(slot) = self.places.get_mut(row as usize) {
                *slot = place as u32;
            }
        }
        self.leaves = x.len().next_power_of_two();
        self.nodes.clear();
        self.nodes.resize(self.leaves * 2, (0, 0.0));
    }

    /// A row of the block enters or leaves.
    fn put(&mut self, row: usize, there: bool) {
        let Some(&place) = self.places.get(row) else { return };
        let value = self.values.get(place as usize).copied().unwrap_or_default();
        let mut node = self.leaves + place as usize;
        if let Some(leaf) = self.nodes.get_mut(node) {
            *leaf = if there { (1, value) } else { (0, 0.0) };
        }
        while node > 1 {
            node /= 2;
            let ((a, left), (b, right)) = (self.node(node * 2), self.node(node * 2 + 1));
            if let Some(slot) = self.nodes.get_mut(node) {
                *slot = (a + b, left + right);
            }
        }
    }

    fn node(&self, node: usize) -> (u32, f64) {
        self.nodes.get(node).copied().unwrap_or_default()
    }

    /// The value with `below` others before it in ascending order.
    fn value(&self, below: usize) -> f64 {
        let (mut node, mut below) = (1, below as u32);
        while node < self.leaves {
            node *= 2;
            let (left, _) = self.node(node);
            if below >= left {
                below -= left;
                node += 1;
            }
        }
        let place = node - self.leaves.min(node);
        self.values.get(place).copied().unwrap_or_default() + self.base
    }

    /// The sum of the distances from `middle`.
    fn distances(&self, middle: f64) -> f64 {
        let middle = middle - self.base;
        let place = self.values.partition_point(|value| *value < middle);
        // what lies left of `place`: the left siblings on the way up from it
        let (mut count, mut sum) = (0, 0.0);
        let mut node = self.leaves + place;
        if place == self.leaves {
            (count, sum) = self.node(1);
        } else {
            while node > 1 {
                if node % 2 == 1 {
                    let (a, left) = self.node(node - 1);
                    count += a;
                    sum += left;
                }
                node /= 2;
            }
        }
        let (all, total) = self.node(1);
        let below = middle * f64::from(count) - sum;
        let above = total - sum - middle * f64::from(all - count);
        below + above
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn complete(x: &[Option<f64>], n: usize) -> NullBuffer {
        let there = |row: usize| row + 1 >= n && x[row + 1 - n..=row].iter().all(Option::is_some);
        (0..x.len()).map(there).collect::<Vec<_>>().into()
    }

    #[test]
    fn windows_that_never_fill_and_that_do_not_vary() {
        let all =
            |n: usize, len: usize| (0..len).map(|row| row + 1 >= n).collect::<Vec<_>>().into();
        assert_eq!(medians(&[1.0, 2.0], 3, &all(3, 2)), [0.0, 0.0]);
        assert_eq!(medians(&[], 3, &all(3, 0)), [0.0; 0]);
        assert_eq!(medians(&[5.0, 2.0], 1, &all(1, 2)), [5.0, 2.0]);
        assert_eq!(mean_deviations(&[0.1; 5], 3, &all(3, 5)), [0.0; 5]);
        assert_eq!(mean_deviations(&[1.0, 3.0], 1, &all(1, 2)), [0.0; 2]);
    }

    proptest! {
        #[test]
        fn windows_equal_the_plain_definition(
            x in prop::collection::vec(prop::option::weighted(0.9, -50i64..50), 0..60),
            n in 1usize..12,
        ) {
            let x: Vec<Option<f64>> = x.into_iter().map(|x| x.map(|x| x as f64 / 8.0)).collect();
            let complete = complete(&x, n);
            let values: Vec<f64> = x.iter().map(|x| x.unwrap_or(f64::NAN)).collect();
            let middle = medians(&values, n, &complete);
            let away = mean_deviations(&values, n, &complete);
            for row in (0..x.len()).filter(|row| complete.is_valid(*row)) {
                let mut window = values[row + 1 - n..=row].to_vec();
                window.sort_by(f64::total_cmp);
                let median = f64::midpoint(window[(n - 1) / 2], window[n / 2]);
                prop_assert_eq!(middle[row], median);
                let mean = window.iter().sum::<f64>() / n as f64;
                let distances = window.iter().map(|x| (x - mean).abs()).sum::<f64>();
                prop_assert!((away[row] - distances / n as f64).abs() < 1e-9);
            }
        }
    }
}
