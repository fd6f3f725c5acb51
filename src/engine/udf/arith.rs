//! `ph_add` and its like: arithmetic as the query language has it. Integers are checked, floats
//! never leave a NaN, an infinity or a negative zero behind, decimals are exact or too long,
//! division by zero gives null.

use super::decimal::{self, checked, digits, scale_of};
use super::{overflow, two};
use crate::engine::tables::{arrow_type, finite, is_odd, kind_of};
use crate::query::ast::Arith;
use crate::value::scaled;
use arrow::array::{Array, ArrayRef, AsArray, Decimal128Array, Float64Array, Int64Array, Scalar};
use arrow::compute::kernels::numeric;
use arrow::datatypes::{DataType, Decimal128Type, Float64Type, Int64Type};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::cell::Cell;
use std::sync::{Arc, LazyLock};

const OPERATORS: [Arith; 7] =
    [Arith::Add, Arith::Sub, Arith::Mul, Arith::Div, Arith::FloorDiv, Arith::Mod, Arith::Pow];

static ALL: LazyLock<Vec<Arc<ScalarUDF>>> = LazyLock::new(|| {
    let make = |op| Arc::new(ScalarUDF::new_from_impl(Operation::new(op)));
    OPERATORS.into_iter().map(make).collect()
});

/// Every function of this file.
pub(crate) fn all() -> Vec<Arc<ScalarUDF>> {
    ALL.clone()
}

/// `a op b`.
pub(crate) fn call(op: Arith, a: Expr, b: Expr) -> Expr {
    let function = OPERATORS.iter().position(|o| *o == op).and_then(|i| ALL.get(i));
    match function {
        Some(function) => function.call(vec![a, b]),
        None => ScalarUDF::new_from_impl(Operation::new(op)).call(vec![a, b]),
    }
}

/// The type of `a op b` for operands of these types.
pub(crate) fn result_type(op: Arith, a: &DataType, b: &DataType) -> DataType {
    arrow_type(op.kind(kind_of(a), kind_of(b)))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Operation {
    op: Arith,
    signature: Signature,
}

impl Operation {
    fn new(op: Arith) -> Self {
        Self { op, signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for Operation {
    fn name(&self) -> &'static str {
        match self.op {
            Arith::Add => "ph_add",
            Arith::Sub => "ph_sub",
            Arith::Mul => "ph_mul",
            Arith::Div => "ph_div",
            Arith::FloorDiv => "ph_floor_div",
            Arith::Mod => "ph_mod",
            Arith::Pow => "ph_pow",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let result = self.return_type(types)?;
        let exact = matches!(result, DataType::Decimal128(..));
        Ok(types.iter().map(|ty| if exact { digits(ty) } else { result.clone() }).collect())
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let [a, b] = types else { return exec_err!("{} takes two arguments", self.name()) };
        Ok(result_type(self.op, a, b))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let (a, b) = two(self.name(), &args.args)?;
        if let (ColumnarValue::Scalar(_), ColumnarValue::Scalar(_)) = (a, b) {
            let array = self.apply(&a.to_array(1)?, b)?;
            return Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0)?));
        }
        let array = match a {
            ColumnarValue::Array(a) => self.apply(a, b)?,
            ColumnarValue::Scalar(a) => self.apply(&a.to_array_of_size(args.number_rows)?, b)?,
        };
        Ok(ColumnarValue::Array(array))
    }
}

/// Calls `$apply` with the operation as a closure, so that each gets a loop of its own.
macro_rules! with_operation {
    ($op:expr, $apply:ident($($arg:expr),*)) => {
        match $op {
            Arith::Add => $apply($($arg,)* |a: f64, b: f64| a + b),
            Arith::Sub => $apply($($arg,)* |a: f64, b: f64| a - b),
            Arith::Mul => $apply($($arg,)* |a: f64, b: f64| a * b),
            Arith::Div => $apply($($arg,)* |a: f64, b: f64| a / b),
            Arith::FloorDiv => $apply($($arg,)* floor_div),
            Arith::Mod => $apply($($arg,)* modulo),
            Arith::Pow => $apply($($arg,)* f64::powf),
        }
    };
}

impl Operation {
    /// `a op b`, where `b` may be one value for all rows.
    fn apply(&self, a: &ArrayRef, b: &ColumnarValue) -> Result<ArrayRef> {
        if a.data_type() == &DataType::Float64 {
            let a = a.as_primitive::<Float64Type>();
            return Ok(Arc::new(match b {
                ColumnarValue::Scalar(ScalarValue::Float64(Some(b))) => {
                    with_operation!(self.op, with_one(a, *b))
                }
                ColumnarValue::Scalar(_) => Float64Array::new_null(a.len()),
                ColumnarValue::Array(b) => {
                    let b = b.as_primitive::<Float64Type>();
                    with_operation!(self.op, with_many(a, b))?
                }
            }));
        }
        if matches!(a.data_type(), DataType::Decimal128(..)) {
            return decimals(self.op, a, &b.to_array(a.len())?);
        }
        if let Arith::FloorDiv | Arith::Mod = self.op {
            let b = b.to_array(a.len())?;
            let pairs = a.as_primitive::<Int64Type>().iter().zip(b.as_primitive::<Int64Type>());
            let values = pairs.map(|pair| match pair {
                (Some(a), Some(b)) if b != 0 => divide(self.op, a, b).map(Some),
                _ => Ok(None),
            });
            return Ok(Arc::new(values.collect::<Result<Int64Array>>()?));
        }
        let kernel = match self.op {
            Arith::Sub => numeric::sub,
            Arith::Mul => numeric::mul,
            _ => numeric::add,
        };
        Ok(match b {
            ColumnarValue::Array(b) => kernel(a, b)?,
            ColumnarValue::Scalar(b) => kernel(a, &Scalar::new(b.to_array()?))?,
        })
    }
}

/// Floors, or the remainder with the divisor's sign; `b` is not zero.
fn divide(op: Arith, a: i64, b: i64) -> Result<i64> {
    let (Some(quotient), Some(rest)) = (a.checked_div(b), a.checked_rem(b)) else {
        // The smallest integer by −1: its remainder is 0, its quotient does not fit.
        return if op == Arith::Mod { Ok(0) } else { Err(overflow()) };
    };
    let crosses = rest != 0 && (rest < 0) != (b < 0);
    Ok(match op {
        Arith::Mod if crosses => rest + b,
        Arith::Mod => rest,
        _ if crosses => quotient - 1,
        _ => quotient,
    })
}

/// `a op b` of decimals, of which each has its own digits behind the point.
fn decimals(op: Arith, a: &ArrayRef, b: &ArrayRef) -> Result<ArrayRef> {
    let (Some(of_a), Some(of_b)) = (scale_of(a.data_type()), scale_of(b.data_type())) else {
        return exec_err!("decimals beside what is none");
    };
    let common = of_a.max(of_b);
    let one = |a: i128, b: i128| {
        if op == Arith::Mul {
            return checked(a.checked_mul(b)).map(Some);
        }
        let (Some(a), Some(b)) = (scaled(a, common - of_a), scaled(b, common - of_b)) else {
            return checked(None).map(Some);
        };
        match op {
            Arith::Add => checked(a.checked_add(b)).map(Some),
            Arith::Sub => checked(a.checked_sub(b)).map(Some),
            _ if b == 0 => Ok(None),
            Arith::FloorDiv => {
                let crosses = a % b != 0 && (a < 0) != (b < 0);
                checked(Some(a / b - i128::from(crosses))).map(Some)
            }
            _ => {
                let rest = a % b;
                Ok(Some(if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }))
            }
        }
    };
    let pairs = a.as_primitive::<Decimal128Type>().iter().zip(b.as_primitive::<Decimal128Type>());
    let values = pairs.map(|pair| match pair {
        (Some(a), Some(b)) => one(a, b),
        _ => Ok(None),
    });
    let values = values.collect::<Result<Decimal128Array>>()?;
    let scale = match op {
        Arith::Mul => of_a + of_b,
        Arith::FloorDiv => 0,
        _ => common,
    };
    Ok(decimal::array(values, scale))
}

/// Notes whether a loop came upon a number that no column may hold, without leaving it.
#[derive(Default)]
struct Seen(Cell<bool>);

impl Seen {
    fn note(&self, x: f64) -> f64 {
        self.0.set(self.0.get() | is_odd(x));
        x
    }

    fn settle(self, array: Float64Array) -> Float64Array {
        if self.0.get() { finite(&array).unwrap_or(array) } else { array }
    }
}

fn with_one(a: &Float64Array, b: f64, f: impl Fn(f64, f64) -> f64) -> Float64Array {
    let seen = Seen::default();
    let array = a.unary(|a| seen.note(f(a, b)));
    seen.settle(array)
}

fn with_many(
    a: &Float64Array,
    b: &Float64Array,
    f: impl Fn(f64, f64) -> f64,
) -> Result<Float64Array> {
    let seen = Seen::default();
    let array = arrow::compute::binary(a, b, |a, b| seen.note(f(a, b)))?;
    Ok(seen.settle(array))
}

/// The remainder with the divisor's sign.
fn modulo(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
}

/// The quotient rounded down, such that `a == b * (a // b) + a % b`.
fn floor_div(a: f64, b: f64) -> f64 {
    let quotient = (a - modulo(a, b)) / b;
    let floor = quotient.floor();
    if quotient - floor > 0.5 { floor + 1.0 } else { floor }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        op: Arith,
        a: impl Into<ScalarValue>,
        b: impl Into<ScalarValue>,
    ) -> Option<ScalarValue> {
        let (a, b) = (a.into(), b.into());
        let operation = Operation::new(op);
        let array = operation.apply(&a.to_array().unwrap(), &ColumnarValue::Scalar(b.clone()));
        let arrays =
            operation.apply(&a.to_array().unwrap(), &ColumnarValue::Array(b.to_array().unwrap()));
        let value = array.ok().map(|x| ScalarValue::try_from_array(&x, 0).unwrap());
        let same = arrays.ok().map(|x| ScalarValue::try_from_array(&x, 0).unwrap());
        assert_eq!(value, same, "one value and a column of it differ");
        value
    }

    #[test]
    fn integers() {
        for (op, a, b, wanted) in [
            (Arith::Add, 2i64, 3i64, Some(Some(5))),
            (Arith::Add, i64::MAX, 1, None),
            (Arith::Sub, i64::MIN, 1, None),
            (Arith::Mul, i64::MAX, 2, None),
            (Arith::FloorDiv, 7, 2, Some(Some(3))),
            (Arith::FloorDiv, -7, 2, Some(Some(-4))),
            (Arith::FloorDiv, 7, -2, Some(Some(-4))),
            (Arith::FloorDiv, 7, 0, Some(None)),
            (Arith::FloorDiv, i64::MIN, -1, None),
            (Arith::Mod, 7, 3, Some(Some(1))),
            (Arith::Mod, -7, 3, Some(Some(2))),
            (Arith::Mod, 7, -3, Some(Some(-2))),
            (Arith::Mod, 7, 0, Some(None)),
            (Arith::Mod, i64::MIN, -1, Some(Some(0))),
        ] {
            assert_eq!(check(op, a, b), wanted.map(ScalarValue::Int64), "{a} {} {b}", op.symbol());
        }
    }

    #[test]
    fn decimals_are_exact_or_too_long() {
        let most = 10_i128.pow(38) - 1;
        for (op, (a, of_a), (b, of_b), wanted) in [
            (Arith::Add, (150, 2), (5, 1), Some(Some((200, 2)))),
            (Arith::Sub, (150, 2), (1, 3), Some(Some((1499, 3)))),
            (Arith::Mul, (150, 2), (-5, 1), Some(Some((-750, 3)))),
            (Arith::FloorDiv, (-75, 1), (2, 0), Some(Some((-4, 0)))),
            (Arith::FloorDiv, (-75, 1), (25, 1), Some(Some((-3, 0)))),
            (Arith::FloorDiv, (75, 1), (0, 2), Some(None)),
            (Arith::Mod, (-75, 1), (2, 0), Some(Some((5, 1)))),
            (Arith::Mod, (75, 1), (-200, 2), Some(Some((-50, 2)))),
            (Arith::Mod, (75, 1), (0, 0), Some(None)),
            (Arith::Add, (most, 0), (1, 0), None),
            (Arith::Sub, (-most, 0), (1, 0), None),
            (Arith::Add, (most, 0), (1, 1), None),
            (Arith::Mul, (most, 0), (10, 0), None),
            (Arith::Sub, (most, 0), (most, 0), Some(Some((0, 0)))),
        ] {
            let of = |u, scale| ScalarValue::Decimal128(Some(u), 38, scale);
            let value = check(op, of(a, of_a), of(b, of_b));
            let wanted = wanted.map(|value| value.map(|(u, scale)| (Some(u), scale)));
            let found = value.map(|value| match value {
                ScalarValue::Decimal128(Some(u), 38, scale) => Some((Some(u), scale)),
                _ => None,
            });
            assert_eq!(found, wanted, "{a} {} {b}", op.symbol());
        }
    }

    #[test]
    fn floats_stay_finite() {
        for (op, a, b, wanted) in [
            (Arith::Add, 1e308, 1e308, None),
            (Arith::Mul, -1.0, 0.0, Some(0.0)),
            (Arith::Div, 1.0, 4.0, Some(0.25)),
            (Arith::Div, 1.0, 0.0, None),
            (Arith::Div, 0.0, 0.0, None),
            (Arith::FloorDiv, -7.5, 2.0, Some(-4.0)),
            (Arith::FloorDiv, 1.0, 0.1, Some(9.0)),
            (Arith::FloorDiv, 1.0, 0.0, None),
            (Arith::Mod, -7.5, 2.0, Some(0.5)),
            (Arith::Mod, 7.5, -2.0, Some(-0.5)),
            (Arith::Mod, 7.5, 0.0, None),
            (Arith::Pow, 2.0, 0.5, Some(2f64.sqrt())),
            (Arith::Pow, -8.0, 0.5, None),
            (Arith::Pow, 10.0, 400.0, None),
        ] {
            let value = check(op, a, b);
            assert_eq!(value, Some(ScalarValue::Float64(wanted)), "{a} {} {b}", op.symbol());
        }
    }

    #[test]
    fn null_makes_null() {
        for op in OPERATORS {
            assert_eq!(check(op, 1.0, None::<f64>), Some(ScalarValue::Float64(None)));
            assert_eq!(check(op, None::<f64>, 1.0), Some(ScalarValue::Float64(None)));
        }
        assert_eq!(check(Arith::Mod, 1i64, None::<i64>), Some(ScalarValue::Int64(None)));
    }
}
