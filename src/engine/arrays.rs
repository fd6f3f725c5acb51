//! Arrow arrays from plain values.

use super::lists;
use super::udf::decimal;
use crate::error::Result;
use crate::schema::Kind;
use crate::value::{Decimal, Value};
use arrow::array::{
    ArrayRef, BooleanBuilder, Date32Builder, Decimal128Builder, Float64Builder, Int64Builder,
    StringBuilder, TimestampMicrosecondBuilder,
};
use std::sync::Arc;

/// An array of `kind` from values.
pub(super) fn array_of(kind: Kind, values: impl Iterator<Item = Value>) -> Result<ArrayRef> {
    macro_rules! build {
        ($builder:ty, $pattern:pat => $value:expr) => {{
            let mut builder = <$builder>::new();
            for value in values {
                match value {
                    $pattern => builder.append_value($value),
                    _ => builder.append_null(),
                }
            }
            Arc::new(builder.finish())
        }};
    }
    Ok(match kind {
        Kind::List(member) => lists::array_of(member, values)?,
        Kind::Int => build!(Int64Builder, Value::Int(i) => i),
        Kind::Bool => build!(BooleanBuilder, Value::Bool(b) => b),
        Kind::Text => build!(StringBuilder, Value::Text(s) => s),
        Kind::Date => build!(Date32Builder, Value::Date(d) => d),
        Kind::Timestamp => build!(TimestampMicrosecondBuilder, Value::Timestamp(t) => t),
        Kind::Float => {
            let mut builder = Float64Builder::new();
            for value in values {
                builder.append_option(value.as_f64());
            }
            Arc::new(builder.finish())
        }
        Kind::Decimal(scale) => {
            let mut builder = Decimal128Builder::new().with_data_type(decimal::type_of(scale));
            for value in values {
                let exact = match value {
                    Value::Int(i) => Some(i.into()),
                    Value::Decimal(exact) => Some(exact),
                    _ => None,
                };
                let exact = exact.and_then(|exact: Decimal| exact.rescale(scale));
                builder.append_option(exact.map(Decimal::unscaled));
            }
            Arc::new(builder.finish())
        }
    })
}
