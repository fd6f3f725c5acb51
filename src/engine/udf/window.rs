//! `ph_shift` and `ph_rolling_*`: neighbours and trailing windows over a whole table at once.
//!
//! DataFusion's own `lag` and framed aggregates work row by row, and their sliding sums subtract
//! what leaves the window, which loses digits after a big value. Here a window's value is made of
//! its own rows only. A third argument names the series, which windows never cross.

use super::rolling::{self, complete, fold};
use super::series::Grouped;
use super::{integer, recursive, sorted};
use crate::engine::tables::finite;
use arrow::array::{Array, ArrayRef, AsArray, Float64Array, Int64Array};
use arrow::buffer::NullBuffer;
use arrow::compute::shift;
use arrow::datatypes::{DataType, Field, FieldRef, Float64Type, Int64Type};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::function::{
    ExpressionArgs, PartitionEvaluatorArgs, WindowUDFFieldArgs,
};
use datafusion::logical_expr::{
    LimitEffect, PartitionEvaluator, Signature, Volatility, WindowUDF, WindowUDFImpl,
};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Literal;
use std::sync::{Arc, LazyLock};

/// The functions of this file; each takes a value, a constant whole number, and a series where there
/// are several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Window {
    /// The value `n` rows before; after, for a negative `n`.
    Shift,
    /// Sum of the last `n` values.
    Sum,
    /// Mean of the last `n` values.
    Mean,
    /// Smallest of the last `n` values.
    Min,
    /// Largest of the last `n` values.
    Max,
    /// Mean of the last `n` values, the last one heaviest.
    WeightedMean,
    /// Sample deviation of the last `n` values.
    Deviation,
    /// Population deviation of the last `n` values.
    PopulationDeviation,
    /// Mean distance of the last `n` values from their mean.
    MeanDeviation,
    /// Median of the last `n` values.
    Median,
    /// Exponential mean of weight 2/(n+1).
    Exponential,
    /// Wilder's mean of weight 1/n.
    Wilder,
}

const WINDOWS: [Window; 12] = [
    Window::Shift,
    Window::Sum,
    Window::Mean,
    Window::Min,
    Window::Max,
    Window::WeightedMean,
    Window::Deviation,
    Window::PopulationDeviation,
    Window::MeanDeviation,
    Window::Median,
    Window::Exponential,
    Window::Wilder,
];

static ALL: LazyLock<Vec<Arc<WindowUDF>>> = LazyLock::new(|| {
    WINDOWS.into_iter().map(|w| Arc::new(WindowUDF::new_from_impl(Function::new(w)))).collect()
});

/// Every function of this file.
pub(crate) fn all() -> Vec<Arc<WindowUDF>> {
    ALL.clone()
}

impl Window {
    /// DataFusion's handle of this function.
    pub(crate) fn function(self) -> Arc<WindowUDF> {
        match WINDOWS.iter().position(|w| *w == self).and_then(|i| ALL.get(i)) {
            Some(function) => function.clone(),
            None => Arc::new(WindowUDF::new_from_impl(Function::new(self))),
        }
    }

    /// Computes integers as integers.
    fn keeps_integers(self) -> bool {
        matches!(self, Self::Sum | Self::Mean | Self::Min | Self::Max)
    }

    /// The type of its values for an argument of type `x`.
    pub(crate) fn result_type(self, x: &DataType) -> DataType {
        match self {
            Self::Shift => x.clone(),
            Self::Sum | Self::Min | Self::Max if x.is_integer() => DataType::Int64,
            _ => DataType::Float64,
        }
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Function {
    window: Window,
    signature: Signature,
}

impl Function {
    fn new(window: Window) -> Self {
        Self { window, signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl WindowUDFImpl for Function {
    fn name(&self) -> &'static str {
        match self.window {
            Window::Shift => "ph_shift",
            Window::Sum => "ph_rolling_sum",
            Window::Mean => "ph_rolling_mean",
            Window::Min => "ph_rolling_min",
            Window::Max => "ph_rolling_max",
            Window::WeightedMean => "ph_weighted_mean",
            Window::Deviation => "ph_rolling_std",
            Window::PopulationDeviation => "ph_population_deviation",
            Window::MeanDeviation => "ph_mean_deviation",
            Window::Median => "ph_rolling_median",
            Window::Exponential => "ph_exponential_mean",
            Window::Wilder => "ph_wilder_mean",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let (Some(x), 2..=3) = (types.first(), types.len()) else {
            return exec_err!("{} takes two or three arguments", self.name());
        };
        let x = match x {
            x if self.window == Window::Shift => x.clone(),
            x if x.is_integer() && self.window.keeps_integers() => DataType::Int64,
            _ => DataType::Float64,
        };
        Ok([x, DataType::Int64].into_iter().chain(types.get(2).cloned()).collect())
    }

    /// The constant is not computed but read from the plan.
    fn expressions(&self, args: ExpressionArgs) -> Vec<Arc<dyn PhysicalExpr>> {
        let exprs = args.input_exprs().iter().enumerate();
        exprs.filter(|(place, _)| *place != 1).map(|(_, expr)| expr.clone()).collect()
    }

    fn partition_evaluator(
        &self,
        args: PartitionEvaluatorArgs,
    ) -> Result<Box<dyn PartitionEvaluator>> {
        let constant = args.input_exprs().get(1).and_then(|e| e.downcast_ref::<Literal>());
        let Some(n) = constant.and_then(|literal| integer(literal.value())) else {
            return exec_err!("{} takes a constant", self.name());
        };
        Ok(Box::new(Evaluator { window: self.window, n }))
    }

    fn field(&self, args: WindowUDFFieldArgs) -> Result<FieldRef> {
        let Some(x) = args.get_input_field(0) else {
            return exec_err!("{} takes two arguments", self.name());
        };
        let kind = self.window.result_type(x.data_type());
        Ok(Arc::new(Field::new(args.name(), kind, true)))
    }

    fn limit_effect(&self, _: &[Arc<dyn PhysicalExpr>]) -> LimitEffect {
        LimitEffect::Unknown
    }
}

#[derive(Debug)]
struct Evaluator {
    window: Window,
    n: i64,
}

impl PartitionEvaluator for Evaluator {
    fn evaluate_all(&mut self, values: &[ArrayRef], _: usize) -> Result<ArrayRef> {
        match (values, self.window) {
            ([x], Window::Shift) => Ok(shift(x, self.n)?),
            ([x], _) => self.rolling(x),
            ([x, series], Window::Shift) => Grouped::new(series)?.shift(x, self.n),
            ([x, series], _) => Grouped::new(series)?.each(std::slice::from_ref(x), |columns| {
                let [x] = columns else {
                    return exec_err!("a window over several columns");
                };
                self.rolling(x)
            }),
            _ => exec_err!("a window over nothing"),
        }
    }
}

impl Evaluator {
    /// The trailing window over the rows of one series.
    fn rolling(&self, x: &ArrayRef) -> Result<ArrayRef> {
        // More rows than there can be, where the number does not fit: a pointer has 32 bits in wasm.
        let n = usize::try_from(self.n.clamp(1, i64::from(i32::MAX))).unwrap_or(1);
        match self.window {
            Window::Exponential => return Ok(recursive::exponential(x, n)),
            Window::Wilder => return Ok(recursive::wilder(x, n)),
            _ => {}
        }
        let complete = complete(x, n);
        if x.data_type() == &DataType::Int64 {
            let x = x.as_primitive::<Int64Type>().values();
            return Ok(match self.window {
                Window::Sum => Arc::new(integer_sums(x, n, complete)?),
                Window::Mean => {
                    let sums = fold(x, n, i128::from, |a, b| a + b);
                    let means = sums.into_iter().map(|sum| sum as f64 / n as f64);
                    Arc::new(Float64Array::new(means.collect(), Some(complete)))
                }
                Window::Min => {
                    Arc::new(Int64Array::new(fold(x, n, |x| x, i64::min).into(), Some(complete)))
                }
                _ => Arc::new(Int64Array::new(fold(x, n, |x| x, i64::max).into(), Some(complete))),
            });
        }
        let x = x.as_primitive::<Float64Type>().values();
        let values = match self.window {
            Window::Sum => fold(x, n, |x| x, |a, b| a + b),
            Window::Mean => {
                let sums = fold(x, n, |x| x, |a, b| a + b);
                sums.into_iter().map(|sum| sum / n as f64).collect()
            }
            Window::Min => fold(x, n, |x| x, f64::min),
            Window::Max => fold(x, n, |x| x, f64::max),
            Window::WeightedMean => rolling::weighted_means(x, n),
            Window::Deviation => rolling::deviations(x, n, n as f64 - 1.0),
            Window::PopulationDeviation => rolling::deviations(x, n, n as f64),
            Window::MeanDeviation => sorted::mean_deviations(x, n, &complete),
            _ => sorted::medians(x, n, &complete),
        };
        let array = Float64Array::new(values.into(), Some(complete));
        Ok(Arc::new(finite(&array).unwrap_or(array)))
    }
}

fn integer_sums(x: &[i64], n: usize, complete: NullBuffer) -> Result<Int64Array> {
    let sums = fold(x, n, i128::from, |a, b| a + b);
    let checked = sums.into_iter().zip(complete.iter()).map(|(sum, there)| {
        if there { i64::try_from(sum).map_err(|_| super::overflow()) } else { Ok(0) }
    });
    Ok(Int64Array::new(checked.collect::<Result<Vec<_>>>()?.into(), Some(complete)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(window: Window, x: ArrayRef, n: i64) -> ArrayRef {
        Evaluator { window, n }.evaluate_all(&[x], 0).unwrap()
    }

    fn floats(window: Window, x: &[Option<f64>], n: i64) -> Vec<Option<f64>> {
        let x: ArrayRef = Arc::new(Float64Array::from(x.to_vec()));
        run(window, x, n).as_primitive::<Float64Type>().iter().collect()
    }

    #[test]
    fn windows_are_null_until_they_are_full() {
        let x = [Some(1.0), Some(3.0), None, Some(5.0), Some(9.0), Some(2.0)];
        assert_eq!(
            floats(Window::Mean, &x, 2),
            [None, Some(2.0), None, None, Some(7.0), Some(5.5)]
        );
        assert_eq!(floats(Window::Max, &x, 3), [None, None, None, None, None, Some(9.0)]);
        assert_eq!(floats(Window::Sum, &x, 100), [None; 6]);
    }

    #[test]
    fn a_big_value_leaves_no_trace() {
        let x = [Some(1e17), Some(1.0), Some(1.0), Some(1.0)];
        assert_eq!(floats(Window::Sum, &x, 2)[2..], [Some(2.0), Some(2.0)]);
    }

    #[test]
    fn integer_sums_are_checked() {
        let x: ArrayRef = Arc::new(Int64Array::from(vec![i64::MAX, 1, 2]));
        assert!(
            Evaluator { window: Window::Sum, n: 2 }
                .evaluate_all(std::slice::from_ref(&x), 3)
                .is_err()
        );
        let means = run(Window::Mean, x, 2);
        assert_eq!(means.as_primitive::<Float64Type>().value(2), 1.5);
    }

    #[test]
    fn shifts_keep_the_type() {
        let x: ArrayRef = Arc::new(arrow::array::StringArray::from(vec!["a", "b", "c"]));
        let before = run(Window::Shift, x.clone(), 1);
        assert_eq!(
            before.as_string::<i32>().iter().collect::<Vec<_>>(),
            [None, Some("a"), Some("b")]
        );
        let after = run(Window::Shift, x, -2);
        assert_eq!(after.as_string::<i32>().iter().collect::<Vec<_>>(), [Some("c"), None, None]);
    }
}
