//! `ph_cumsum` and its like: window functions of several columns or without a length, over all rows
//! of a series at once. The arguments are the columns, then the constants, then the series where
//! there are several.

use super::series::Grouped;
use super::{cumulative, pattern, trend};
use arrow::array::ArrayRef;
use arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::function::{
    ExpressionArgs, PartitionEvaluatorArgs, WindowUDFFieldArgs,
};
use datafusion::logical_expr::{
    LimitEffect, PartitionEvaluator, Signature, Volatility, WindowUDF, WindowUDFImpl,
};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::Literal;
use std::sync::{Arc, LazyLock};

/// The functions of this file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Kernel {
    /// Largest value so far.
    CumMax,
    /// Smallest value so far.
    CumMin,
    /// Sum so far.
    CumSum,
    /// Number of the row among those where the argument is not null, from 1.
    CumCount,
    /// Rows in a row that a condition has held.
    Streak,
    /// Rows since a condition held.
    BarsSince,
    /// Place among all values, as a share.
    Rank,
    /// A value when a condition held for the last time but `n`.
    ValueWhen,
    /// Parabolic stop and reverse of high and low.
    Parabolic,
    /// Supertrend line of middle, close and width.
    SupertrendLine,
    /// Its side, 1 or −1.
    SupertrendSide,
    /// First value of the day; the second argument is the day, the third what orders its rows.
    DayFirst,
    /// Last value of the day.
    DayLast,
    /// Largest value of the day.
    DayMax,
    /// Smallest value of the day.
    DayMin,
    /// Largest value of the day so far.
    DayCumMax,
    /// Smallest value of the day so far.
    DayCumMin,
    /// Sum of the day so far.
    DayCumSum,
}

/// Name in the language, name in plans, columns, constants.
type Entry = (Kernel, &'static str, &'static str, usize, usize);

const KERNELS: [Entry; 18] = [
    (Kernel::CumMax, "cummax", "ph_cummax", 1, 0),
    (Kernel::CumMin, "cummin", "ph_cummin", 1, 0),
    (Kernel::CumSum, "cumsum", "ph_cumsum", 1, 0),
    (Kernel::CumCount, "cumcount", "ph_cumcount", 1, 0),
    (Kernel::Streak, "streak", "ph_streak", 1, 0),
    (Kernel::BarsSince, "bars_since", "ph_bars_since", 1, 0),
    (Kernel::Rank, "rank", "ph_rank", 1, 0),
    (Kernel::ValueWhen, "valuewhen", "ph_valuewhen", 2, 1),
    (Kernel::Parabolic, "parabolic", "ph_parabolic", 2, 3),
    (Kernel::SupertrendLine, "supertrend_line", "ph_supertrend_line", 3, 1),
    (Kernel::SupertrendSide, "supertrend_side", "ph_supertrend_side", 3, 1),
    (Kernel::DayFirst, "day_first", "ph_day_first", 3, 0),
    (Kernel::DayLast, "day_last", "ph_day_last", 3, 0),
    (Kernel::DayMax, "day_max", "ph_day_max", 3, 0),
    (Kernel::DayMin, "day_min", "ph_day_min", 3, 0),
    (Kernel::DayCumMax, "day_cummax", "ph_day_cummax", 3, 0),
    (Kernel::DayCumMin, "day_cummin", "ph_day_cummin", 3, 0),
    (Kernel::DayCumSum, "day_cumsum", "ph_day_cumsum", 3, 0),
];

static ALL: LazyLock<Vec<Arc<WindowUDF>>> = LazyLock::new(|| {
    let functions = KERNELS.into_iter().map(Function::new);
    functions.map(|f| Arc::new(WindowUDF::new_from_impl(f))).collect()
});

/// Every function of this file.
pub(crate) fn all() -> Vec<Arc<WindowUDF>> {
    ALL.clone()
}

impl Kernel {
    /// The function with this name in the language, its handle for DataFusion, and the number of
    /// its arguments that are columns; the others are constants.
    pub(crate) fn named(name: &str) -> Option<(Self, Arc<WindowUDF>, usize)> {
        let place = KERNELS.iter().position(|(_, known, ..)| *known == name)?;
        let (kernel, _, _, columns, _) = KERNELS.get(place)?;
        Some((*kernel, ALL.get(place)?.clone(), *columns))
    }

    /// It sees the rows of the period alone, and is null on others.
    pub(crate) fn of_period(self) -> bool {
        matches!(self, Self::CumMax | Self::CumMin | Self::CumSum | Self::CumCount | Self::Rank)
    }

    /// The second argument is a time, of which the day is wanted, and the order within it.
    pub(crate) fn of_day(self) -> bool {
        matches!(
            self,
            Self::DayFirst
                | Self::DayLast
                | Self::DayMax
                | Self::DayMin
                | Self::DayCumMax
                | Self::DayCumMin
                | Self::DayCumSum
        )
    }

    /// The type of its values for columns of these types.
    pub(crate) fn result_type(self, columns: &[DataType]) -> DataType {
        match self {
            Self::CumCount | Self::Streak | Self::BarsSince | Self::SupertrendSide => {
                DataType::Int64
            }
            Self::Rank | Self::Parabolic | Self::SupertrendLine => DataType::Float64,
            Self::ValueWhen => columns.get(1).cloned().unwrap_or(DataType::Null),
            _ if columns.first().is_some_and(DataType::is_integer) => DataType::Int64,
            _ => DataType::Float64,
        }
    }

    /// What the column with this number and type is brought to.
    fn takes(self, place: usize, ty: &DataType) -> DataType {
        match (self, place) {
            (Self::Streak | Self::BarsSince | Self::ValueWhen, 0) => DataType::Boolean,
            (Self::CumCount | Self::ValueWhen, _) => ty.clone(),
            (Self::Parabolic | Self::SupertrendLine | Self::SupertrendSide, _) => DataType::Float64,
            (_, 0) if ty.is_integer() => DataType::Int64,
            (_, 0) => DataType::Float64,
            (_, 1) => DataType::Date32,
            _ => DataType::Int64,
        }
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Function {
    kernel: Kernel,
    name: &'static str,
    columns: usize,
    constants: usize,
    signature: Signature,
}

impl Function {
    fn new((kernel, _, name, columns, constants): Entry) -> Self {
        let signature = Signature::user_defined(Volatility::Immutable);
        Self { kernel, name, columns, constants, signature }
    }

    fn is_constant(&self, place: usize) -> bool {
        (self.columns..self.columns + self.constants).contains(&place)
    }
}

impl WindowUDFImpl for Function {
    fn name(&self) -> &'static str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let least = self.columns + self.constants;
        if !(least..=least + 1).contains(&types.len()) {
            return exec_err!("{} takes {least} arguments and a series", self.name);
        }
        let wanted = types.iter().enumerate().map(|(place, ty)| {
            if place < self.columns {
                self.kernel.takes(place, ty)
            } else if self.is_constant(place) {
                DataType::Float64
            } else {
                ty.clone()
            }
        });
        Ok(wanted.collect())
    }

    /// Constants are not computed but read from the plan.
    fn expressions(&self, args: ExpressionArgs) -> Vec<Arc<dyn PhysicalExpr>> {
        let exprs = args.input_exprs().iter().enumerate();
        exprs.filter(|(place, _)| !self.is_constant(*place)).map(|(_, e)| e.clone()).collect()
    }

    fn partition_evaluator(
        &self,
        args: PartitionEvaluatorArgs,
    ) -> Result<Box<dyn PartitionEvaluator>> {
        let given = args.input_exprs().iter().skip(self.columns).take(self.constants);
        let constants = given.map(|expr| {
            let Some(literal) = expr.downcast_ref::<Literal>() else {
                return exec_err!("{} takes constants", self.name);
            };
            match literal.value() {
                ScalarValue::Float64(Some(x)) => Ok(*x),
                ScalarValue::Int64(Some(n)) => Ok(*n as f64),
                _ => exec_err!("{} takes numbers", self.name),
            }
        });
        let constants = constants.collect::<Result<_>>()?;
        Ok(Box::new(Evaluator { kernel: self.kernel, columns: self.columns, constants }))
    }

    fn field(&self, args: WindowUDFFieldArgs) -> Result<FieldRef> {
        let types: Vec<DataType> =
            args.input_fields().iter().map(|field| field.data_type().clone()).collect();
        let kind = self.kernel.result_type(&types);
        Ok(Arc::new(Field::new(args.name(), kind, true)))
    }

    fn limit_effect(&self, _: &[Arc<dyn PhysicalExpr>]) -> LimitEffect {
        LimitEffect::Unknown
    }
}

#[derive(Debug)]
struct Evaluator {
    kernel: Kernel,
    columns: usize,
    constants: Vec<f64>,
}

impl PartitionEvaluator for Evaluator {
    fn evaluate_all(&mut self, values: &[ArrayRef], _: usize) -> Result<ArrayRef> {
        match values.split_at_checked(self.columns) {
            Some((columns, [])) => self.run(columns),
            Some((columns, [series])) => Grouped::new(series)?.each(columns, |c| self.run(c)),
            _ => exec_err!("a window over other columns"),
        }
    }
}

impl Evaluator {
    /// The values for the rows of one series.
    fn run(&self, columns: &[ArrayRef]) -> Result<ArrayRef> {
        match (self.kernel, columns, self.constants.as_slice()) {
            (Kernel::CumCount, [x], _) => Ok(cumulative::count(x)),
            (Kernel::CumMax, [x], _) => cumulative::running(x, None, cumulative::Of::Max),
            (Kernel::CumMin, [x], _) => cumulative::running(x, None, cumulative::Of::Min),
            (Kernel::CumSum, [x], _) => cumulative::running(x, None, cumulative::Of::Sum),
            (_, [x, day, place], []) if self.kernel.of_day() => {
                of_day(self.kernel, x, &cumulative::Days::new(day, place))
            }
            (Kernel::Streak, [cond], _) => Ok(pattern::streak(cond)),
            (Kernel::BarsSince, [cond], _) => Ok(pattern::bars_since(cond)),
            (Kernel::Rank, [x], _) => Ok(pattern::rank(x)),
            (Kernel::ValueWhen, [cond, x], [n]) => pattern::value_when(cond, x, *n as usize),
            (Kernel::Parabolic, [high, low], [start, step, most]) => {
                Ok(trend::parabolic(high, low, *start, *step, *most))
            }
            (Kernel::SupertrendLine, [mid, close, width], [k]) => {
                Ok(trend::supertrend(mid, close, width, *k).0)
            }
            (Kernel::SupertrendSide, [mid, close, width], [k]) => {
                Ok(trend::supertrend(mid, close, width, *k).1)
            }
            _ => exec_err!("a window over other columns"),
        }
    }
}

fn of_day(kernel: Kernel, x: &ArrayRef, days: &cumulative::Days) -> Result<ArrayRef> {
    match kernel {
        Kernel::DayFirst => cumulative::whole(x, days, cumulative::Of::First),
        Kernel::DayLast => cumulative::whole(x, days, cumulative::Of::Last),
        Kernel::DayMax => cumulative::whole(x, days, cumulative::Of::Max),
        Kernel::DayMin => cumulative::whole(x, days, cumulative::Of::Min),
        Kernel::DayCumMax => cumulative::running(x, Some(days), cumulative::Of::Max),
        Kernel::DayCumMin => cumulative::running(x, Some(days), cumulative::Of::Min),
        Kernel::DayCumSum => cumulative::running(x, Some(days), cumulative::Of::Sum),
        _ => exec_err!("not a window of the day"),
    }
}
