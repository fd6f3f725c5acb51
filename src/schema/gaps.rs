//! What of a table's bars is missing: plain data, counted when the table is taken in.

use crate::value::Value;

/// Bars that are not there. Of a table with several series, all are counted within one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Gaps {
    /// Bars: of a timeframe under a day, between the first and the last bar of a trading day, but for
    /// times of the day at which most of the days have none; of one over a day, between neighbours
    /// that are further apart than usual. Nothing of daily bars.
    pub bars: Option<Missing>,
    /// Trading dates without any bar, between the first and the last date: of the days of the week
    /// that mostly have one. Whether one of them is a holiday is not known. Nothing of bars longer
    /// than a day.
    pub dates: Option<Missing>,
}

/// How many are missing, and where most of them are in a row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Missing {
    /// All of them.
    pub count: u64,
    /// The most in a row.
    pub most: u64,
    /// The bar before the first longest run of missing bars; of dates, the first of the run.
    pub at: Option<Value>,
    /// The series of that run, where the table has series and it has a name.
    pub series: Option<String>,
}

impl Missing {
    /// Takes in a run.
    pub(crate) fn take_in(&mut self, count: u64, series: Option<&str>, at: impl FnOnce() -> Value) {
        self.count += count;
        if count > self.most {
            (self.most, self.at) = (count, Some(at()));
            self.series = series.map(str::to_owned);
        }
    }
}
