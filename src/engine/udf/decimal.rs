//! `ph_decimal` and `ph_order`: decimals with another number of digits behind the point, and the
//! order of numbers that are written with different ones. Both exact: what has too many digits is an
//! error, and never a number without some of them.

use super::{integer, too_many_digits, two};
use crate::value::{Decimal, MOST_DIGITS, power, scaled};
use arrow::array::{Array, ArrayRef, AsArray, Decimal128Array, Int64Array};
use arrow::datatypes::{DataType, Decimal128Type, Field, FieldRef};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    Volatility, lit,
};
use std::cmp::Ordering;
use std::sync::{Arc, LazyLock};

static FIT: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(ScalarUDF::new_from_impl(Fit { signature: any() })));
static ORDER: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(ScalarUDF::new_from_impl(Order { signature: any() })));

fn any() -> Signature {
    Signature::user_defined(Volatility::Immutable)
}

/// Every function of this file.
pub(crate) fn all() -> Vec<Arc<ScalarUDF>> {
    vec![FIT.clone(), ORDER.clone()]
}

/// The type of decimals with so many digits behind the point.
pub(crate) const fn type_of(scale: u8) -> DataType {
    DataType::Decimal128(MOST_DIGITS, scale as i8)
}

/// The digits behind the point of a decimal, none of a whole number.
pub(crate) fn scale_of(ty: &DataType) -> Option<u8> {
    match ty {
        DataType::Decimal128(_, scale) => {
            u8::try_from(*scale).ok().filter(|scale| *scale <= MOST_DIGITS)
        }
        ty if ty.is_integer() => Some(0),
        _ => None,
    }
}

/// A whole number or a decimal with so many digits behind the point. Digits that are taken away are
/// zeros.
pub(crate) fn fit(x: Expr, scale: u8) -> Expr {
    FIT.call(vec![x, lit(i64::from(scale))])
}

/// −1, 0 or 1: how two numbers compare, each a whole number or a decimal.
pub(crate) fn order(a: Expr, b: Expr) -> Expr {
    ORDER.call(vec![a, b])
}

/// The type that a whole number or a decimal is brought to before its digits are read.
pub(super) fn digits(ty: &DataType) -> DataType {
    type_of(scale_of(ty).unwrap_or(0))
}

/// The number, if it has no more digits than there may be.
pub(super) fn checked(unscaled: Option<i128>) -> Result<i128> {
    unscaled.and_then(|u| Decimal::new(u, 0)).map(Decimal::unscaled).ok_or_else(too_many_digits)
}

/// The values as decimals of a scale.
pub(crate) fn array(values: Decimal128Array, scale: u8) -> ArrayRef {
    Arc::new(values.with_data_type(type_of(scale)))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Fit {
    signature: Signature,
}

impl ScalarUDFImpl for Fit {
    fn name(&self) -> &'static str {
        "ph_decimal"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let [x, _] = types else { return exec_err!("ph_decimal takes two arguments") };
        Ok(vec![digits(x), DataType::Int64])
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        exec_err!("the type of ph_decimal depends on its second argument")
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        let scale = args.scalar_arguments.get(1).copied().flatten().and_then(integer);
        let Some(scale) = scale.and_then(|s| u8::try_from(s).ok()).filter(|s| *s <= MOST_DIGITS)
        else {
            return exec_err!("ph_decimal takes a constant number of digits");
        };
        Ok(Arc::new(Field::new(self.name(), type_of(scale), true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let (x, _) = two(self.name(), &args.args)?;
        let Some(scale) = scale_of(args.return_field.data_type()) else {
            return exec_err!("ph_decimal gives decimals");
        };
        Ok(match x {
            ColumnarValue::Array(x) => ColumnarValue::Array(rescaled(x, scale)?),
            ColumnarValue::Scalar(x) => {
                let array = rescaled(&x.to_array()?, scale)?;
                ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0)?)
            }
        })
    }
}

fn rescaled(x: &ArrayRef, scale: u8) -> Result<ArrayRef> {
    let Some(own) = scale_of(x.data_type()) else { return exec_err!("ph_decimal of no decimal") };
    let digits = x.as_primitive::<Decimal128Type>();
    if own == scale {
        let fits = |x: i128| Decimal::new(x, 0).is_some();
        let all = digits.iter().flatten().all(fits);
        return if all { Ok(x.clone()) } else { Err(too_many_digits()) };
    }
    let x = digits;
    let values: Decimal128Array = if scale > own {
        x.try_unary(|x| checked(scaled(x, scale - own)))?
    } else {
        let unit = power(own - scale).unwrap_or(1);
        x.unary(|x| x / unit)
    };
    Ok(array(values, scale))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Order {
    signature: Signature,
}

impl ScalarUDFImpl for Order {
    fn name(&self) -> &'static str {
        "ph_order"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        Ok(types.iter().map(digits).collect())
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int64)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let (a, b) = two(self.name(), &args.args)?;
        let scalar = matches!((a, b), (ColumnarValue::Scalar(_), ColumnarValue::Scalar(_)));
        let rows = if scalar { 1 } else { args.number_rows };
        let (a, b) = (a.to_array(rows)?, b.to_array(rows)?);
        let (Some(of_a), Some(of_b)) = (scale_of(a.data_type()), scale_of(b.data_type())) else {
            return exec_err!("ph_order of no decimals");
        };
        let number = |unscaled: i128, scale| {
            let Some(number) = Decimal::new(unscaled, scale) else {
                return exec_err!("a decimal with too many digits");
            };
            Ok(number)
        };
        let pairs =
            a.as_primitive::<Decimal128Type>().iter().zip(b.as_primitive::<Decimal128Type>());
        let orders = pairs.map(|pair| match pair {
            (Some(a), Some(b)) => Ok(Some(match number(a, of_a)?.compare(number(b, of_b)?) {
                Ordering::Less => -1,
                Ordering::Equal => 0,
                Ordering::Greater => 1,
            })),
            _ => Ok(None),
        });
        let orders: ArrayRef = Arc::new(orders.collect::<Result<Int64Array>>()?);
        Ok(if scalar {
            ColumnarValue::Scalar(ScalarValue::try_from_array(&orders, 0)?)
        } else {
            ColumnarValue::Array(orders)
        })
    }
}
