//! Functions of our own, registered by name beside DataFusion's: only what DataFusion cannot say
//! or says differently (checked integers, division by zero, rounding, trailing windows).

pub(crate) mod arith;
pub(crate) mod calendar;
pub(crate) mod clock;
pub(crate) mod correlation;
mod cumulative;
pub(crate) mod decimal;
pub(crate) mod kernel;
pub(crate) mod lists;
pub(crate) mod math;
pub(crate) mod mean;
mod pattern;
pub(crate) mod percentile;
mod recursive;
mod rolling;
mod series;
mod sorted;
pub(crate) mod sum;
pub(crate) mod text;
pub(crate) mod trading;
mod trend;
pub(crate) mod window;

use arrow::array::ArrayRef;
use datafusion::common::{DataFusionError, Result, ScalarValue, exec_err};
use datafusion::logical_expr::{AggregateUDF, ColumnarValue, ScalarUDF, WindowUDF};
use std::sync::Arc;

/// Every scalar function of ours.
pub(crate) fn scalars() -> Vec<Arc<ScalarUDF>> {
    let own = [arith::all(), math::all(), decimal::all(), calendar::all(), clock::all()].concat();
    [own, text::all(), trading::all(), lists::all()].concat()
}

/// Every aggregate function of ours.
pub(crate) fn aggregates() -> Vec<Arc<AggregateUDF>> {
    vec![sum::sum(), mean::mean(), correlation::correlation(), percentile::percentile()]
}

/// Every window function of ours.
pub(crate) fn windows() -> Vec<Arc<WindowUDF>> {
    [window::all(), kernel::all()].concat()
}

/// The values that an aggregate takes.
fn first(values: &[ArrayRef]) -> Result<&ArrayRef> {
    let Some(values) = values.first() else { return exec_err!("an aggregate of nothing") };
    Ok(values)
}

/// The single argument of a function.
fn one<'a>(name: &str, args: &'a [ColumnarValue]) -> Result<&'a ColumnarValue> {
    let [x] = args else { return exec_err!("{name} takes one argument") };
    Ok(x)
}

/// The two arguments of a function.
fn two<'a>(
    name: &str,
    args: &'a [ColumnarValue],
) -> Result<(&'a ColumnarValue, &'a ColumnarValue)> {
    let [a, b] = args else { return exec_err!("{name} takes two arguments") };
    Ok((a, b))
}

/// The 64-bit integer of a scalar.
fn integer(scalar: &ScalarValue) -> Option<i64> {
    match scalar {
        ScalarValue::Int64(x) => *x,
        ScalarValue::Int32(x) => x.map(i64::from),
        _ => None,
    }
}

/// A decimal would need more digits than it may have.
#[derive(Debug)]
pub(crate) struct TooManyDigits;

impl std::error::Error for TooManyDigits {}

impl std::fmt::Display for TooManyDigits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("too many digits")
    }
}

/// A decimal that left its digits.
fn too_many_digits() -> DataFusionError {
    DataFusionError::External(Box::new(TooManyDigits))
}

/// An integer that left its 64 bits.
fn overflow() -> DataFusionError {
    arrow::error::ArrowError::ArithmeticOverflow(String::new()).into()
}
