//! `ph_sum`: the sum of integers, exact whatever the order of the rows; a sum beyond 64 bits is an
//! error (DataFusion's own wraps around).

use super::overflow;
use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Decimal128Array, Int64Array, PrimitiveArray,
};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{ArrowPrimitiveType, DataType, Decimal128Type, Field, FieldRef, Int64Type};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, EmitTo, GroupsAccumulator, Signature, Volatility,
};
use std::sync::{Arc, LazyLock};

static SUM: LazyLock<Arc<AggregateUDF>> =
    LazyLock::new(|| Arc::new(AggregateUDF::new_from_impl(IntegerSum::new())));

/// The function.
pub(crate) fn sum() -> Arc<AggregateUDF> {
    SUM.clone()
}

/// How partial sums travel.
const STATE: DataType = DataType::Decimal128(38, 0);

#[derive(Debug, PartialEq, Eq, Hash)]
struct IntegerSum {
    signature: Signature,
}

impl IntegerSum {
    fn new() -> Self {
        Self { signature: Signature::exact(vec![DataType::Int64], Volatility::Immutable) }
    }
}

impl AggregateUDFImpl for IntegerSum {
    fn name(&self) -> &'static str {
        "ph_sum"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Int64)
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        Ok(vec![Arc::new(Field::new(format_state_name(args.name, "sum"), STATE, true))])
    }

    fn accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(Total { sum: None }))
    }

    fn groups_accumulator_supported(&self, _: AccumulatorArgs) -> bool {
        true
    }

    fn create_groups_accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(Totals::default()))
    }

    fn order_sensitivity(&self) -> datafusion::logical_expr::utils::AggregateOrderSensitivity {
        datafusion::logical_expr::utils::AggregateOrderSensitivity::Insensitive
    }
}

/// The sum of one group, null before its first value. 128 bits hold any sum of 64-bit integers
/// that fits into memory.
#[derive(Debug)]
struct Total {
    sum: Option<i128>,
}

impl Total {
    fn add<T: ArrowPrimitiveType>(&mut self, array: &PrimitiveArray<T>)
    where
        T::Native: Into<i128>,
    {
        if array.null_count() == array.len() {
            return;
        }
        let sum: i128 = match array.nulls() {
            None => array.values().iter().map(|&x| x.into()).sum(),
            Some(_) => array.iter().flatten().map(Into::into).sum(),
        };
        self.sum = Some(self.sum.unwrap_or(0) + sum);
    }
}

impl Accumulator for Total {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.add(first(values)?.as_primitive::<Int64Type>());
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let sum = self.sum.map(i64::try_from).transpose();
        Ok(ScalarValue::Int64(sum.map_err(|_| overflow())?))
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![ScalarValue::Decimal128(self.sum, 38, 0)])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.add(first(states)?.as_primitive::<Decimal128Type>());
        Ok(())
    }
}

/// The sums of many groups.
#[derive(Debug, Default)]
struct Totals {
    sums: Vec<i128>,
    /// Groups that have had a value.
    seen: Vec<bool>,
}

impl Totals {
    fn add<T: ArrowPrimitiveType>(
        &mut self,
        array: &PrimitiveArray<T>,
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) where
        T::Native: Into<i128>,
    {
        self.sums.resize(total, 0);
        self.seen.resize(total, false);
        let mut add = |group: usize, x: T::Native| {
            if let (Some(sum), Some(seen)) = (self.sums.get_mut(group), self.seen.get_mut(group)) {
                *sum += x.into();
                *seen = true;
            }
        };
        if array.null_count() == 0 && filter.is_none() {
            for (&group, &x) in groups.iter().zip(array.values()) {
                add(group, x);
            }
            return;
        }
        for (row, &group) in groups.iter().enumerate() {
            let kept = filter.is_none_or(|f| f.is_valid(row) && f.value(row));
            if kept && array.is_valid(row) {
                add(group, array.value(row));
            }
        }
    }

    fn take(&mut self, emit: EmitTo) -> (Vec<i128>, NullBuffer) {
        let sums = emit.take_needed(&mut self.sums);
        let seen = emit.take_needed(&mut self.seen);
        (sums, NullBuffer::from(seen))
    }
}

impl GroupsAccumulator for Totals {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.add(first(values)?.as_primitive::<Int64Type>(), groups, filter, total);
        Ok(())
    }

    fn evaluate(&mut self, emit: EmitTo) -> Result<ArrayRef> {
        let (sums, seen) = self.take(emit);
        let sums = sums.into_iter().map(|sum| i64::try_from(sum).map_err(|_| overflow()));
        Ok(Arc::new(Int64Array::new(sums.collect::<Result<Vec<_>>>()?.into(), Some(seen))))
    }

    fn state(&mut self, emit: EmitTo) -> Result<Vec<ArrayRef>> {
        let (sums, seen) = self.take(emit);
        Ok(vec![Arc::new(Decimal128Array::new(sums.into(), Some(seen)).with_data_type(STATE))])
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.add(first(states)?.as_primitive::<Decimal128Type>(), groups, None, total);
        Ok(())
    }

    fn convert_to_state(
        &self,
        values: &[ArrayRef],
        filter: Option<&BooleanArray>,
    ) -> Result<Vec<ArrayRef>> {
        let values = first(values)?.as_primitive::<Int64Type>();
        let states: Decimal128Array = (0..values.len())
            .map(|row| {
                let kept = filter.is_none_or(|f| f.is_valid(row) && f.value(row));
                (kept && values.is_valid(row)).then(|| i128::from(values.value(row)))
            })
            .collect();
        Ok(vec![Arc::new(states.with_data_type(STATE))])
    }

    fn size(&self) -> usize {
        self.sums.capacity() * size_of::<i128>() + self.seen.capacity()
    }
}

fn first(values: &[ArrayRef]) -> Result<&ArrayRef> {
    let Some(values) = values.first() else { return exec_err!("a sum of nothing") };
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(values: &[Option<i64>]) -> Vec<ArrayRef> {
        vec![Arc::new(Int64Array::from(values.to_vec()))]
    }

    #[test]
    fn a_total_may_pass_the_limit_and_come_back() {
        let mut total = Total { sum: None };
        assert_eq!(total.evaluate().unwrap(), ScalarValue::Int64(None));
        total.update_batch(&array(&[Some(i64::MAX), Some(5), None])).unwrap();
        assert!(total.evaluate().is_err());
        total.update_batch(&array(&[Some(-5)])).unwrap();
        assert_eq!(total.evaluate().unwrap(), ScalarValue::Int64(Some(i64::MAX)));
    }

    #[test]
    fn groups_skip_nulls_and_what_the_filter_drops() {
        let mut totals = Totals::default();
        let filter = BooleanArray::from(vec![Some(true), Some(true), None, Some(false)]);
        totals
            .update_batch(
                &array(&[Some(1), None, Some(10), Some(100)]),
                &[0, 1, 0, 1],
                Some(&filter),
                2,
            )
            .unwrap();
        totals.update_batch(&array(&[Some(2)]), &[0], None, 2).unwrap();
        let sums = totals.evaluate(EmitTo::All).unwrap();
        assert_eq!(sums.as_primitive::<Int64Type>().iter().collect::<Vec<_>>(), [Some(3), None]);
    }

    #[test]
    fn states_merge() {
        let mut a = Totals::default();
        a.update_batch(&array(&[Some(i64::MAX), Some(1)]), &[0, 0], None, 1).unwrap();
        let state = a.state(EmitTo::All).unwrap();
        let mut b = Totals::default();
        b.merge_batch(&state, &[0], 1).unwrap();
        b.update_batch(&array(&[Some(-1)]), &[0], None, 1).unwrap();
        let sums = b.evaluate(EmitTo::All).unwrap();
        assert_eq!(sums.as_primitive::<Int64Type>().value(0), i64::MAX);
    }
}
