//! How far apart the rows of a table are: of each of its series, where it has several.

use super::rows::cell;
use crate::value::Value;
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::datatypes::Int32Type;
use std::collections::HashMap;

/// One share in this many of the distances between rows makes one a usual distance.
const USUAL_SHARE: u64 = 5;

/// The usual distance of consecutive `times` (microseconds, in order) in seconds: the smallest that
/// every fifth row has, or else the most frequent; at least one second.
pub(crate) fn interval(times: &[i64]) -> Option<u64> {
    let mut distances = Distances::default();
    for (before, after) in times.iter().zip(times.iter().skip(1)) {
        distances.add(after - before);
    }
    distances.usual()
}

/// The same within each series: the rows of another are no neighbours. `series` holds what each
/// row is of, block by block; the rows may be in any order.
pub(crate) fn interval_within(
    moments: impl Iterator<Item = Option<i64>> + Clone,
    series: &[ArrayRef],
) -> Option<u64> {
    let (codes, count) = codes(series);
    let known = moments.zip(codes).filter_map(|(moment, code)| Some((code, moment?)));
    let mut last: Vec<Option<i64>> = vec![None; count];
    let mut distances = Distances::default();
    for (code, moment) in known.clone() {
        let before = last.get_mut(code as usize).and_then(|last| last.replace(moment));
        match before {
            Some(before) if moment < before => return of_pairs(known.collect()),
            Some(before) => distances.add(moment - before),
            None => {}
        }
    }
    distances.usual()
}

/// The usual distance within each series, of rows that are in no order.
fn of_pairs(mut rows: Vec<(u32, i64)>) -> Option<u64> {
    rows.sort_unstable();
    let mut distances = Distances::default();
    for ((code, before), (next, after)) in rows.iter().zip(rows.iter().skip(1)) {
        if code == next {
            distances.add(after - before);
        }
    }
    distances.usual()
}

/// Which series each row is of, and how many there are.
fn codes(series: &[ArrayRef]) -> (impl Iterator<Item = u32> + Clone, usize) {
    let mut known: HashMap<Option<String>, u32> = HashMap::new();
    let mut code = |value: Value| {
        let next = known.len() as u32;
        let value = (value != Value::Null).then(|| value.to_string());
        *known.entry(value).or_insert(next)
    };
    let mut codes = Vec::with_capacity(series.iter().map(Array::len).sum());
    for array in series {
        if let Some(words) = array.as_dictionary_opt::<Int32Type>() {
            // A dictionary is looked up once, and only what rows point at is a series.
            let mut of_key: Vec<Option<u32>> = vec![None; words.values().len()];
            for row in 0..words.len() {
                let place = words.key(row).and_then(|key| of_key.get_mut(key));
                codes.push(match place {
                    Some(place) => *place.get_or_insert_with(|| code(cell(array, row))),
                    None => code(Value::Null),
                });
            }
        } else {
            codes.extend((0..array.len()).map(|row| code(cell(array, row))));
        }
    }
    (codes.into_iter(), known.len())
}

/// How often each distance occurs.
#[derive(Default)]
struct Distances {
    counts: HashMap<i64, u64>,
    /// The distance of the last rows, and how often it came in a row.
    run: (i64, u64),
    all: u64,
}

impl Distances {
    fn add(&mut self, distance: i64) {
        if distance <= 0 {
            return;
        }
        self.all += 1;
        if distance == self.run.0 {
            self.run.1 += 1;
        } else {
            self.flush();
            self.run = (distance, 1);
        }
    }

    fn flush(&mut self) {
        let (distance, times) = std::mem::take(&mut self.run);
        if times > 0 {
            *self.counts.entry(distance).or_default() += times;
        }
    }

    fn usual(mut self) -> Option<u64> {
        self.flush();
        let often = |n: &u64| *n * USUAL_SHARE >= self.all;
        let usual = self.counts.iter().filter(|(_, n)| often(n)).map(|(d, _)| *d).min();
        let distance = usual.or_else(|| {
            let most = self.counts.iter().max_by_key(|(d, n)| (**n, std::cmp::Reverse(**d)));
            most.map(|(d, _)| *d)
        })?;
        Some((distance as u64 / 1_000_000).max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{DictionaryArray, Int64Array, StringArray};
    use std::sync::Arc;

    #[test]
    fn usual_distances() {
        let check = |seconds: &[i64], expected| {
            let mut at = 0;
            let mut times = vec![0];
            for s in seconds {
                at += s * 1_000_000;
                times.push(at);
            }
            assert_eq!(interval(&times), expected, "{seconds:?}");
        };
        check(&[], None);
        check(&[0, 0], None);
        check(&[60, 60, 60, 3600, 60, 60, 60, 1], Some(60));
        check(&[86_400, 86_400, 86_400, 86_400, 259_200], Some(86_400));
        check(&[5, 7, 11, 7, 13, 17, 19, 23, 29, 31, 37], Some(7));
        check(&[60, 0, 60, 0, 60], Some(60));
        assert_eq!(interval(&[0, 250_000, 500_000]), Some(1));
    }

    #[test]
    fn rows_of_another_series_are_no_neighbours() {
        const HOUR: i64 = 3_600;
        let day = |exchange: i64, close: i64| {
            (0..10).map(move |day| (exchange, Some((day * 24 * HOUR + close) * 1_000_000)))
        };
        let mut rows: Vec<(i64, Option<i64>)> =
            day(1, 16 * HOUR).chain(day(2, 17 * HOUR + 1_800)).chain([(1, None)]).collect();
        let check = |rows: &[(i64, Option<i64>)], order: &str| {
            let numbers: ArrayRef =
                Arc::new(Int64Array::from_iter_values(rows.iter().map(|r| r.0)));
            let words: StringArray = rows.iter().map(|r| Some(r.0.to_string())).collect();
            let (early, late) = rows.split_at(rows.len() / 2);
            let half = |rows: &[(i64, Option<i64>)]| -> ArrayRef {
                let words = rows.iter().map(|r| Some(["", "XNYS", "XLON"][r.0 as usize]));
                Arc::new(words.collect::<DictionaryArray<Int32Type>>())
            };
            for series in [vec![numbers], vec![Arc::new(words) as _], vec![half(early), half(late)]]
            {
                let within = interval_within(rows.iter().map(|r| r.1), &series);
                assert_eq!(within, Some(24 * HOUR as u64), "{order}: {series:?}");
            }
        };
        check(&rows, "series by series");
        rows.sort_by_key(|row| row.1);
        check(&rows, "by time");
        rows.reverse();
        check(&rows, "backwards");
    }
}
