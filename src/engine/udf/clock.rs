//! `ph_days_between`: the distance of two moments in days.

use crate::engine::tables::DAY_MICROS;
use arrow::array::{AsArray, Float64Array};
use arrow::compute::binary;
use arrow::datatypes::{DataType, TimeUnit, TimestampMicrosecondType};
use datafusion::common::{Result, exec_err};
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use std::sync::{Arc, LazyLock};

static DAYS_BETWEEN: LazyLock<Arc<ScalarUDF>> =
    LazyLock::new(|| Arc::new(ScalarUDF::new_from_impl(DaysBetween::new())));

/// Every function of this file.
pub(crate) fn all() -> Vec<Arc<ScalarUDF>> {
    vec![days_between()]
}

/// The second timestamp minus the first.
pub(crate) fn days_between() -> Arc<ScalarUDF> {
    DAYS_BETWEEN.clone()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct DaysBetween {
    signature: Signature,
}

impl DaysBetween {
    fn new() -> Self {
        let time = DataType::Timestamp(TimeUnit::Microsecond, None);
        Self { signature: Signature::exact(vec![time; 2], Volatility::Immutable) }
    }
}

impl ScalarUDFImpl for DaysBetween {
    fn name(&self) -> &'static str {
        "ph_days_between"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Float64)
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let arrays = ColumnarValue::values_to_arrays(&args.args)?;
        let [a, b] = arrays.as_slice() else {
            return exec_err!("{} takes two arguments", self.name());
        };
        let [a, b] = [a, b].map(AsArray::as_primitive::<TimestampMicrosecondType>);
        let days: Float64Array =
            binary(a, b, |a, b| (i128::from(b) - i128::from(a)) as f64 / DAY_MICROS as f64)?;
        Ok(ColumnarValue::Array(Arc::new(days)))
    }
}
