//! How far predictions are off: each of the last purchases is predicted from those before it.

use super::predict::{Confidence, Purchase, days, predict};
use chrono::{Days, NaiveDate};

/// How far off predictions were.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Errors {
    /// How many there were.
    pub predictions: u64,
    /// Days by which the predicted dates missed, all of them together.
    pub days: f64,
    /// The same of the naive rule: last purchase plus mean gap.
    pub naive: f64,
}

impl Errors {
    fn add(&mut self, days: f64, naive: f64) {
        self.predictions += 1;
        self.days += days;
        self.naive += naive;
    }

    /// Mean absolute error in days, and that of the naive rule; nothing without a prediction.
    pub fn means(&self) -> Option<(f64, f64)> {
        let n = self.predictions as f64;
        (self.predictions > 0).then(|| (self.days / n, self.naive / n))
    }
}

/// How far off predictions were, also by how much they said that they can be relied on.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct BackTest {
    /// All of them.
    pub all: Errors,
    /// Those of high confidence.
    pub high: Errors,
    /// Those of medium confidence.
    pub medium: Errors,
    /// Those of low confidence.
    pub low: Errors,
}

/// Predicts each of the last `held_out` purchase dates of every series from the dates before it, on
/// the day of the last of those. A series has its dates in order, each once; two are needed before
/// the first that is predicted.
pub fn back_test<'a>(
    series: impl IntoIterator<Item = &'a [NaiveDate]>,
    held_out: usize,
) -> BackTest {
    let mut out = BackTest::default();
    for dates in series {
        let history: Vec<Purchase> = dates
            .iter()
            .map(|date| Purchase { date: *date, quantity: None, priced: None })
            .collect();
        for place in dates.len().saturating_sub(held_out)..dates.len() {
            let (Some(before), Some(actual)) = (history.get(..place), dates.get(place)) else {
                continue;
            };
            let ends = before.first().zip(before.last());
            let Some((first, last)) = ends.map(|(a, b)| (a.date, b.date)) else { continue };
            let Some(made) = predict(before, last, false) else { continue };
            let mean = (last - first).num_days() as f64 / (place - 1) as f64;
            let Some(naive) = last.checked_add_days(Days::new(days(mean))) else { continue };
            let off = |date: NaiveDate| (*actual - date).num_days().abs() as f64;
            let of_confidence = match made.confidence {
                Confidence::High => &mut out.high,
                Confidence::Medium => &mut out.medium,
                Confidence::Low => &mut out.low,
            };
            for errors in [&mut out.all, of_confidence] {
                errors.add(off(made.next), off(naive));
            }
        }
    }
    out
}
