//! `ph_trading_day` and `ph_in_session`: the trading date of a moment, and whether its time of the
//! day is in a session. Their settings are arguments, so that a plan says all of what it means.

use super::integer;
use crate::engine::buckets::Hours;
use crate::engine::tables::{DAY_MICROS, days};
use crate::schema::{Clock, Session};
use arrow::array::{Array, ArrayRef, AsArray, BooleanArray, Date32Array};
use arrow::datatypes::{DataType, TimeUnit, TimestampMicrosecondType};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility, lit,
};
use std::sync::{Arc, LazyLock};

static TRADING_DAY: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(ScalarUDF::new_from_impl(Function::new(Kind::TradingDay))));
static IN_SESSION: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(ScalarUDF::new_from_impl(Function::new(Kind::InSession))));

/// Every function of this file.
pub(crate) fn all() -> Vec<Arc<ScalarUDF>> {
    vec![TRADING_DAY.clone(), IN_SESSION.clone()]
}

/// The trading date of a timestamp, whose calendar date it is after `shift` microseconds. Dates stay.
pub(crate) fn trading_day(x: Expr, shift: i64) -> Expr {
    TRADING_DAY.call(vec![x, lit(shift)])
}

/// Whether a timestamp is in the hours of a session; null of null.
pub(crate) fn in_session(x: Expr, session: &Session) -> Expr {
    let (start, end) = (i64::from(session.start.0), i64::from(session.end.0));
    IN_SESSION.call(vec![x, lit(start), lit(end)])
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    TradingDay,
    InSession,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Function {
    kind: Kind,
    signature: Signature,
}

impl Function {
    fn new(kind: Kind) -> Self {
        let time = DataType::Timestamp(TimeUnit::Microsecond, None);
        let signature = match kind {
            Kind::TradingDay => Signature::one_of(
                [time, DataType::Date32]
                    .map(|x| {
                        datafusion::logical_expr::TypeSignature::Exact(vec![x, DataType::Int64])
                    })
                    .to_vec(),
                Volatility::Immutable,
            ),
            Kind::InSession => Signature::exact(
                vec![time, DataType::Int64, DataType::Int64],
                Volatility::Immutable,
            ),
        };
        Self { kind, signature }
    }

    fn apply(&self, x: &ArrayRef, settings: &[i64]) -> Result<ArrayRef> {
        match (self.kind, settings) {
            (Kind::TradingDay, [shift]) => {
                let Some(moments) = x.as_primitive_opt::<TimestampMicrosecondType>() else {
                    let Some(dates) = days(x) else {
                        return exec_err!("{} takes a date or a timestamp", self.name());
                    };
                    return Ok(Arc::new(dates));
                };
                let day = |t: i64| t.saturating_add(*shift).div_euclid(DAY_MICROS) as i32;
                let dates: Date32Array = moments.unary(day);
                Ok(Arc::new(dates))
            }
            (Kind::InSession, [start, end]) => {
                let Some(moments) = x.as_primitive_opt::<TimestampMicrosecondType>() else {
                    return exec_err!("{} takes a timestamp", self.name());
                };
                let clock = |seconds: i64| Clock(u32::try_from(seconds).unwrap_or_default());
                let session =
                    Session { name: String::new(), start: clock(*start), end: clock(*end) };
                let mut hours = Hours::new(session);
                let held = moments.values().iter().map(|&t| hours.hold(t)).collect();
                Ok(Arc::new(BooleanArray::new(held, moments.nulls().cloned())))
            }
            _ => exec_err!("{} without its settings", self.name()),
        }
    }
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &'static str {
        match self.kind {
            Kind::TradingDay => "ph_trading_day",
            Kind::InSession => "ph_in_session",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(match self.kind {
            Kind::TradingDay => DataType::Date32,
            Kind::InSession => DataType::Boolean,
        })
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let Some((x, settings)) = args.args.split_first() else {
            return exec_err!("{} without a moment", self.name());
        };
        let settings = settings.iter().map(|setting| match setting {
            ColumnarValue::Scalar(scalar) => integer(scalar),
            ColumnarValue::Array(_) => None,
        });
        let Some(settings) = settings.collect::<Option<Vec<i64>>>() else {
            return exec_err!("the settings of {} are constants", self.name());
        };
        match x {
            ColumnarValue::Array(x) => Ok(ColumnarValue::Array(self.apply(x, &settings)?)),
            ColumnarValue::Scalar(x) => {
                let array = self.apply(&x.to_array()?, &settings)?;
                Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0)?))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::TimestampMicrosecondArray;

    const HOUR: i64 = 3_600_000_000;

    #[test]
    fn moments_have_trading_dates_and_dates_keep_theirs() {
        let function = Function::new(Kind::TradingDay);
        let moments: ArrayRef =
            Arc::new(TimestampMicrosecondArray::from(vec![Some(17 * HOUR), Some(18 * HOUR), None]));
        let dates = function.apply(&moments, &[6 * HOUR]).unwrap();
        let dates: Vec<_> = dates.as_primitive::<arrow::datatypes::Date32Type>().iter().collect();
        assert_eq!(dates, [Some(0), Some(1), None]);
        let dates: ArrayRef = Arc::new(Date32Array::from(vec![5]));
        assert_eq!(&function.apply(&dates, &[6 * HOUR]).unwrap(), &dates);
        assert!(function.apply(&moments, &[]).is_err());
    }

    #[test]
    fn sessions_hold_their_hours() {
        let function = Function::new(Kind::InSession);
        let moments = [9 * HOUR, 18 * HOUR, -HOUR, 26 * HOUR].map(Some);
        let moments: ArrayRef =
            Arc::new(moments.into_iter().chain([None]).collect::<TimestampMicrosecondArray>());
        let night = function.apply(&moments, &[18 * 3600, 3 * 3600]).unwrap();
        let night: Vec<_> = night.as_boolean().iter().collect();
        assert_eq!(night, [Some(false), Some(true), Some(true), Some(true), None]);
    }
}
