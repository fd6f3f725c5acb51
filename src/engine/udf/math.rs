//! `ph_abs` and its like: functions of one number, and rounding half away from zero.

use super::decimal::{self, checked, scale_of, type_of};
use super::{integer, one, overflow, two};
use crate::engine::tables::finite;
use crate::value::power;
use arrow::array::{Array, ArrayRef, AsArray, Decimal128Array, Float64Array, Int64Array};
use arrow::datatypes::{DataType, Decimal128Type, Field, FieldRef, Float64Type, Int64Type};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    Volatility,
};
use std::sync::{Arc, LazyLock};

/// The functions of this file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Math {
    /// Magnitude.
    Abs,
    /// −1, 0 or 1.
    Sign,
    /// Down to a whole number.
    Floor,
    /// Up to a whole number.
    Ceil,
    /// To `n` decimals, half away from zero; the second argument is `n`.
    Round,
    /// Square root, null below zero.
    Sqrt,
    /// Natural logarithm, null at and below zero.
    Log,
    /// Decimal logarithm, null at and below zero.
    Log10,
    /// e to the power.
    Exp,
    /// The number itself, null where it is not finite.
    Finite,
    /// A float that holds a whole number as an integer; beyond 64 bits it is an error.
    Integer,
}

const ALL_MATH: [Math; 11] = [
    Math::Abs,
    Math::Sign,
    Math::Floor,
    Math::Ceil,
    Math::Round,
    Math::Sqrt,
    Math::Log,
    Math::Log10,
    Math::Exp,
    Math::Finite,
    Math::Integer,
];

static ALL: LazyLock<Vec<Arc<ScalarUDF>>> = LazyLock::new(|| {
    ALL_MATH.into_iter().map(|m| Arc::new(ScalarUDF::new_from_impl(Function::new(m)))).collect()
});

/// Every function of this file.
pub(crate) fn all() -> Vec<Arc<ScalarUDF>> {
    ALL.clone()
}

impl Math {
    /// The call of this function.
    pub(crate) fn call(self, args: Vec<Expr>) -> Expr {
        match ALL_MATH.iter().position(|m| *m == self).and_then(|i| ALL.get(i)) {
            Some(function) => function.call(args),
            None => ScalarUDF::new_from_impl(Function::new(self)).call(args),
        }
    }

    /// It keeps whole numbers and decimals what they are.
    fn is_exact(self) -> bool {
        matches!(self, Self::Abs | Self::Sign | Self::Floor | Self::Ceil | Self::Round)
    }

    /// The type of its values for an argument of type `x`, rounded to so many digits.
    pub(crate) fn result_type(self, x: &DataType, digits: i64) -> DataType {
        match (self, x) {
            (Self::Integer, _) => DataType::Int64,
            (_, x) if x.is_integer() && self.is_exact() => DataType::Int64,
            (_, DataType::Decimal128(..)) if self.is_exact() => {
                type_of(self.scale(scale_of(x).unwrap_or(0), digits))
            }
            _ => DataType::Float64,
        }
    }

    /// The digits behind the point that its values have for decimals with `scale` of them.
    fn scale(self, scale: u8, digits: i64) -> u8 {
        match self {
            Self::Abs => scale,
            Self::Round => digits.clamp(0, scale.into()) as u8,
            _ => 0,
        }
    }

    /// The type its argument of type `x` is brought to.
    fn takes(self, x: &DataType) -> DataType {
        match self {
            Self::Integer => DataType::Float64,
            _ if x.is_integer() && self.is_exact() => DataType::Int64,
            _ if matches!(x, DataType::Decimal128(..)) && self.is_exact() => decimal::digits(x),
            _ => DataType::Float64,
        }
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Function {
    math: Math,
    signature: Signature,
}

impl Function {
    fn new(math: Math) -> Self {
        Self { math, signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &'static str {
        match self.math {
            Math::Abs => "ph_abs",
            Math::Sign => "ph_sign",
            Math::Floor => "ph_floor",
            Math::Ceil => "ph_ceil",
            Math::Round => "ph_round",
            Math::Sqrt => "ph_sqrt",
            Math::Log => "ph_log",
            Math::Log10 => "ph_log10",
            Math::Exp => "ph_exp",
            Math::Finite => "ph_finite",
            Math::Integer => "ph_integer",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [x] => Ok(vec![self.math.takes(x)]),
            [x, _] => Ok(vec![self.math.takes(x), DataType::Int64]),
            _ => exec_err!("{} takes one or two arguments", self.name()),
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        exec_err!("the type of {} depends on its arguments", self.name())
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let Some(x) = args.arg_fields.first() else {
            return exec_err!("{} takes an argument", self.name());
        };
        let digits = args.scalar_arguments.get(1).copied().flatten().and_then(integer);
        let ty = self.math.result_type(x.data_type(), digits.unwrap_or(0));
        Ok(Arc::new(Field::new(self.name(), ty, true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let (x, digits) = if self.math == Math::Round {
            let (x, n) = two(self.name(), &args.args)?;
            let ColumnarValue::Scalar(n) = n else {
                return exec_err!("{} takes a constant number of digits", self.name());
            };
            (x, integer(n).unwrap_or(0))
        } else {
            (one(self.name(), &args.args)?, 0)
        };
        match x {
            ColumnarValue::Array(x) => Ok(ColumnarValue::Array(self.apply(x, digits)?)),
            ColumnarValue::Scalar(x) => {
                let array = self.apply(&x.to_array()?, digits)?;
                Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0)?))
            }
        }
    }
}

impl Function {
    fn apply(&self, x: &ArrayRef, digits: i64) -> Result<ArrayRef> {
        if x.data_type() == &DataType::Int64 {
            let x = x.as_primitive::<Int64Type>();
            let array: Int64Array = match self.math {
                Math::Abs => x.try_unary(|x| x.checked_abs().ok_or_else(overflow))?,
                Math::Sign => x.unary(i64::signum),
                Math::Round if digits < 0 => x.try_unary(|x| round_integer(x, digits))?,
                _ => x.clone(),
            };
            return Ok(Arc::new(array));
        }
        if let DataType::Decimal128(..) = x.data_type() {
            return self.decimals(x, digits);
        }
        let x = x.as_primitive::<Float64Type>();
        if self.math == Math::Integer {
            let array: Int64Array = x.try_unary(|x| {
                // Both bounds are exact doubles; the upper one is the first that does not fit.
                if (-9_223_372_036_854_775_808.0..9_223_372_036_854_775_808.0).contains(&x) {
                    Ok(x as i64)
                } else {
                    Err(overflow())
                }
            })?;
            return Ok(Arc::new(array));
        }
        let array: Float64Array = match self.math {
            Math::Abs => x.unary(f64::abs),
            Math::Sign => x.unary(|x| if x == 0.0 { 0.0 } else { x.signum() }),
            Math::Floor => x.unary(f64::floor),
            Math::Ceil => x.unary(f64::ceil),
            Math::Round => x.unary(|x| round(x, digits)),
            Math::Sqrt => x.unary(f64::sqrt),
            Math::Log => x.unary(f64::ln),
            Math::Log10 => x.unary(f64::log10),
            Math::Exp => x.unary(f64::exp),
            Math::Finite | Math::Integer => x.clone(),
        };
        Ok(Arc::new(finite(&array).unwrap_or(array)))
    }

    fn decimals(&self, x: &ArrayRef, digits: i64) -> Result<ArrayRef> {
        let Some(scale) = scale_of(x.data_type()) else {
            return exec_err!("{} of no decimal", self.name());
        };
        let x = x.as_primitive::<Decimal128Type>();
        let one = power(scale).unwrap_or(i128::MAX);
        let array: Decimal128Array = match self.math {
            Math::Abs => x.unary(i128::abs),
            Math::Sign => x.unary(i128::signum),
            Math::Floor => x.unary(|x| x.div_euclid(one)),
            Math::Ceil => x.unary(|x| -(-x).div_euclid(one)),
            _ => x.try_unary(|x| round_decimal(x, scale, digits))?,
        };
        Ok(decimal::array(array, self.math.scale(scale, digits)))
    }
}

/// Rounds half away from zero to `digits` decimals, of which no more are left: `x` has `scale`.
fn round_decimal(x: i128, scale: u8, digits: i64) -> Result<i128> {
    let left = digits.clamp(0, scale.into());
    let Some(unit) = u8::try_from(i64::from(scale) - digits.min(left)).ok().and_then(power) else {
        return Ok(0);
    };
    let rest = x % unit;
    // twice the rest may not fit, the rest to the unit does
    let away = rest.abs() >= unit - rest.abs();
    let rounded = x / unit + if away { rest.signum() } else { 0 };
    match digits {
        digits if digits < 0 => {
            let back = u8::try_from(-digits).ok().and_then(power);
            checked(back.and_then(|back| rounded.checked_mul(back)))
        }
        _ => checked(Some(rounded)),
    }
}

/// Rounds half away from zero to `digits` decimals.
fn round(x: f64, digits: i64) -> f64 {
    if digits == 0 {
        return x.round();
    }
    let power = digits.unsigned_abs().min(400) as i32;
    let factor = 10f64.powi(power);
    if digits < 0 {
        return if factor.is_finite() { (x / factor).round() * factor } else { 0.0 };
    }
    let scaled = x * factor;
    // From 2⁵² on a double has no decimals that could be rounded away.
    if scaled.is_finite() && scaled.abs() < 4_503_599_627_370_496.0 {
        scaled.round() / factor
    } else {
        x
    }
}

/// Rounds half away from zero to tens, hundreds, … (`digits` is negative).
fn round_integer(x: i64, digits: i64) -> Result<i64> {
    let power = u32::try_from(digits.unsigned_abs()).unwrap_or(u32::MAX);
    let Some(unit) = 10i128.checked_pow(power) else { return Ok(0) };
    let x = i128::from(x);
    let rest = x % unit;
    let down = x - rest;
    let rounded = if rest.abs() * 2 >= unit { down + unit * rest.signum() } else { down };
    i64::try_from(rounded).map_err(|_| overflow())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(math: Math, x: impl Into<ScalarValue>, digits: i64) -> Option<ScalarValue> {
        let array = Function::new(math).apply(&x.into().to_array().unwrap(), digits).ok()?;
        Some(ScalarValue::try_from_array(&array, 0).unwrap())
    }

    #[test]
    fn floats() {
        for (math, x, digits, wanted) in [
            (Math::Abs, -2.5, 0, Some(2.5)),
            (Math::Sign, -2.5, 0, Some(-1.0)),
            (Math::Sign, 0.0, 0, Some(0.0)),
            (Math::Floor, -2.5, 0, Some(-3.0)),
            (Math::Ceil, -0.5, 0, Some(0.0)),
            (Math::Round, 2.5, 0, Some(3.0)),
            (Math::Round, -2.5, 0, Some(-3.0)),
            (Math::Round, -0.4, 0, Some(0.0)),
            (Math::Round, 1.005, 1, Some(1.0)),
            (Math::Round, 0.125, 2, Some(0.13)),
            (Math::Round, 1234.5, -2, Some(1200.0)),
            (Math::Round, 1e300, 9, Some(1e300)),
            (Math::Sqrt, -1.0, 0, None),
            (Math::Log, 0.0, 0, None),
            (Math::Log10, 1000.0, 0, Some(3.0)),
            (Math::Exp, 1000.0, 0, None),
        ] {
            assert_eq!(check(math, x, digits), Some(ScalarValue::Float64(wanted)), "{math:?} {x}");
        }
    }

    #[test]
    fn integers() {
        for (math, x, digits, wanted) in [
            (Math::Abs, -3, 0, Some(3)),
            (Math::Abs, i64::MIN, 0, None),
            (Math::Sign, -3, 0, Some(-1)),
            (Math::Round, 15, -1, Some(20)),
            (Math::Round, -15, -1, Some(-20)),
            (Math::Round, 14, -1, Some(10)),
            (Math::Round, 15, 2, Some(15)),
            (Math::Round, i64::MAX, -1, None),
            (Math::Round, i64::MAX, -40, Some(0)),
        ] {
            let wanted = wanted.map(|x| ScalarValue::Int64(Some(x)));
            assert_eq!(check(math, x, digits), wanted, "{math:?} {x}");
        }
    }

    #[test]
    fn decimals_keep_their_digits() {
        let most = 10_i128.pow(38) - 1;
        for (math, (x, scale), digits, wanted) in [
            (Math::Abs, (-250, 2), 0, Some((250, 2))),
            (Math::Sign, (-250, 2), 0, Some((-1, 0))),
            (Math::Sign, (0, 2), 0, Some((0, 0))),
            (Math::Floor, (-250, 2), 0, Some((-3, 0))),
            (Math::Floor, (250, 2), 0, Some((2, 0))),
            (Math::Ceil, (-250, 2), 0, Some((-2, 0))),
            (Math::Ceil, (201, 2), 0, Some((3, 0))),
            (Math::Round, (250, 2), 0, Some((3, 0))),
            (Math::Round, (-250, 2), 0, Some((-3, 0))),
            (Math::Round, (249, 2), 0, Some((2, 0))),
            (Math::Round, (1005, 3), 2, Some((101, 2))),
            (Math::Round, (-1004, 3), 2, Some((-100, 2))),
            (Math::Round, (150, 2), 9, Some((150, 2))),
            (Math::Round, (12_350, 1), -2, Some((1200, 0))),
            (Math::Round, (12_500, 1), -2, Some((1300, 0))),
            (Math::Round, (most, 0), -1, None),
            (Math::Round, (most, 38), 0, Some((1, 0))),
            (Math::Round, (most, 38), -15, Some((0, 0))),
            (Math::Floor, (-most, 38), 0, Some((-1, 0))),
        ] {
            let wanted = wanted.map(|(u, scale)| ScalarValue::Decimal128(Some(u), 38, scale));
            let x = ScalarValue::Decimal128(Some(x), 38, scale);
            assert_eq!(check(math, x.clone(), digits), wanted, "{math:?} {x} {digits}");
        }
    }

    #[test]
    fn floats_become_integers_where_they_fit() {
        assert_eq!(check(Math::Integer, 3.0, 0), Some(ScalarValue::Int64(Some(3))));
        assert_eq!(check(Math::Integer, 1e19, 0), None);
        assert_eq!(check(Math::Integer, None::<f64>, 0), Some(ScalarValue::Int64(None)));
    }
}
