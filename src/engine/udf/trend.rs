//! Lines that follow a price and change sides with it. Rows with a missing value are null and
//! passed over.

use crate::engine::tables::finite;
use arrow::array::{ArrayRef, AsArray, Float64Array, Int64Array};
use arrow::datatypes::Float64Type;
use std::sync::Arc;

/// Wilder's parabolic stop and reverse, as TA-Lib has it: null on the first row; a rise from the
/// second row on unless its low fell, and by more than its high rose.
pub(super) fn parabolic(
    high: &ArrayRef,
    low: &ArrayRef,
    start: f64,
    step: f64,
    most: f64,
) -> ArrayRef {
    let bars = high.as_primitive::<Float64Type>().iter().zip(low.as_primitive::<Float64Type>());
    let mut state = Parabolic { start: start.min(most), step, most, before: None, stop: None };
    let stops = bars.map(|(high, low)| state.next(Bar { high: high?, low: low? }));
    let array = stops.collect::<Float64Array>();
    Arc::new(finite(&array).unwrap_or(array))
}

#[derive(Debug, Clone, Copy)]
struct Bar {
    high: f64,
    low: f64,
}

struct Parabolic {
    start: f64,
    step: f64,
    most: f64,
    before: Option<Bar>,
    stop: Option<Stop>,
}

struct Stop {
    rise: bool,
    /// The stop of the coming bar.
    level: f64,
    /// The highest high of a rise, the lowest low of a fall.
    extreme: f64,
    speed: f64,
}

impl Parabolic {
    fn next(&mut self, bar: Bar) -> Option<f64> {
        let before = self.before.replace(bar)?;
        let start = self.start;
        // the second bar counts as the one before itself: TA-Lib keeps the stop out of it alone
        let (mut stop, before) = if let Some(stop) = self.stop.take() {
            (stop, before)
        } else {
            let (up, down) = (bar.high - before.high, before.low - bar.low);
            let rise = !(down > 0.0 && up < down);
            let (level, extreme) =
                if rise { (before.low, bar.high) } else { (before.high, bar.low) };
            (Stop { rise, level, extreme, speed: start }, bar)
        };
        let reached = if stop.rise { bar.low <= stop.level } else { bar.high >= stop.level };
        let shown;
        if reached {
            let rise = !stop.rise;
            stop = Stop {
                rise,
                level: outside(rise, stop.extreme, before, bar),
                extreme: if rise { bar.high } else { bar.low },
                speed: start,
            };
            shown = stop.level;
        } else {
            shown = stop.level;
            let further = if stop.rise { bar.high > stop.extreme } else { bar.low < stop.extreme };
            if further {
                stop.extreme = if stop.rise { bar.high } else { bar.low };
                stop.speed = (stop.speed + self.step).min(self.most);
            }
        }
        let level = stop.level + stop.speed * (stop.extreme - stop.level);
        stop.level = outside(stop.rise, level, before, bar);
        self.stop = Some(stop);
        Some(shown)
    }
}

/// A stop stays out of the range of the last two bars.
fn outside(rise: bool, level: f64, before: Bar, bar: Bar) -> f64 {
    if rise { level.min(before.low).min(bar.low) } else { level.max(before.high).max(bar.high) }
}

/// The supertrend line and its side: bands `k` widths from the middle, each of which only closes in
/// while the close stays on its side.
pub(super) fn supertrend(
    mid: &ArrayRef,
    close: &ArrayRef,
    width: &ArrayRef,
    k: f64,
) -> (ArrayRef, ArrayRef) {
    let [mid, close, width] = [mid, close, width].map(AsArray::as_primitive::<Float64Type>);
    let mut before: Option<Bands> = None;
    let rows = mid.iter().zip(close).zip(width).map(|((mid, close), width)| {
        let (mid, close, away) = (mid?, close?, k * width?);
        let (mut upper, mut lower) = (mid + away, mid - away);
        let mut rise = false;
        if let Some(before) = &before {
            if upper >= before.upper && before.close <= before.upper {
                upper = before.upper;
            }
            if lower <= before.lower && before.close >= before.lower {
                lower = before.lower;
            }
            rise = if before.rise { close >= lower } else { close > upper };
        }
        before = Some(Bands { upper, lower, close, rise });
        Some((if rise { lower } else { upper }, if rise { 1 } else { -1 }))
    });
    let rows: Vec<Option<(f64, i64)>> = rows.collect();
    let line: Float64Array = rows.iter().map(|row| row.map(|(line, _)| line)).collect();
    let side: Int64Array = rows.iter().map(|row| row.map(|(_, side)| side)).collect();
    (Arc::new(finite(&line).unwrap_or(line)), Arc::new(side))
}

struct Bands {
    upper: f64,
    lower: f64,
    close: f64,
    rise: bool,
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::datatypes::Int64Type;

    fn array(list: &[Option<f64>]) -> ArrayRef {
        Arc::new(Float64Array::from(list.to_vec()))
    }

    #[test]
    fn a_stop_turns_when_it_is_reached() {
        let high = array(&[Some(10.0), Some(11.0), None, Some(12.0), Some(11.0)]);
        let low = array(&[Some(9.0), Some(10.0), Some(1.0), Some(11.0), Some(8.0)]);
        let found = parabolic(&high, &low, 0.02, 0.02, 0.2);
        let found: Vec<_> = found.as_primitive::<Float64Type>().iter().collect();
        // 9 + 0.02 * (11 - 9), then the fall from the extreme
        assert_eq!(found, [None, Some(9.0), None, Some(9.04), Some(12.0)]);
    }

    #[test]
    fn a_supertrend_starts_as_a_fall_and_turns() {
        let close = array(&[Some(10.0), Some(11.0), None, Some(14.0), Some(15.0), Some(9.0)]);
        let width = array(&[None, Some(1.0), Some(1.0), Some(1.0), Some(1.0), Some(1.0)]);
        let (line, side) = supertrend(&close, &close, &width, 1.0);
        let line: Vec<_> = line.as_primitive::<Float64Type>().iter().collect();
        let side: Vec<_> = side.as_primitive::<Int64Type>().iter().collect();
        assert_eq!(line, [None, Some(12.0), None, Some(13.0), Some(14.0), Some(10.0)]);
        assert_eq!(side, [None, Some(-1), None, Some(1), Some(1), Some(-1)]);
    }
}
