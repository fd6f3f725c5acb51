//! `ph_mean`: the mean of numbers. DataFusion's own takes doubles alone, so that each column of
//! integers is copied as doubles first; this one reads them where they are.

use super::first;
use arrow::array::{
    Array, ArrayRef, ArrowNativeTypeOp, AsArray, BooleanArray, Float64Array, PrimitiveArray,
    UInt64Array,
};
use arrow::buffer::NullBuffer;
use arrow::compute::cast;
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Field, FieldRef, Float64Type, Int32Type, Int64Type, UInt64Type,
};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::functions_aggregate::average::AvgAccumulator;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::{AggregateOrderSensitivity, format_state_name};
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, EmitTo, GroupsAccumulator, Signature, Volatility,
};
use std::sync::{Arc, LazyLock};

static MEAN: LazyLock<Arc<AggregateUDF>> =
    LazyLock::new(|| Arc::new(AggregateUDF::new_from_impl(Mean::new())));

/// The function.
pub(crate) fn mean() -> Arc<AggregateUDF> {
    MEAN.clone()
}

/// Whether columns of this type are read where they are.
pub(crate) fn reads(ty: &DataType) -> bool {
    matches!(ty, DataType::Int32 | DataType::Int64 | DataType::Float64)
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Mean {
    signature: Signature,
}

impl Mean {
    fn new() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

impl AggregateUDFImpl for Mean {
    fn name(&self) -> &'static str {
        "ph_mean"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [ty] if reads(ty) => Ok(vec![ty.clone()]),
            [_] => Ok(vec![DataType::Float64]),
            _ => exec_err!("ph_mean takes one argument"),
        }
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Float64)
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let field = |name: &str, ty| {
            Arc::new(Field::new(format_state_name(args.name, name), ty, true)) as FieldRef
        };
        Ok(vec![field("count", DataType::UInt64), field("sum", DataType::Float64)])
    }

    fn accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(One(AvgAccumulator::default())))
    }

    fn groups_accumulator_supported(&self, _: AccumulatorArgs) -> bool {
        true
    }

    fn create_groups_accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(Many::default()))
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::Insensitive
    }
}

/// The mean of one group or of the rows of a frame, which DataFusion takes of doubles.
#[derive(Debug)]
struct One(AvgAccumulator);

fn doubles(values: &[ArrayRef]) -> Result<[ArrayRef; 1]> {
    Ok([cast(first(values)?, &DataType::Float64)?])
}

impl Accumulator for One {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.0.update_batch(&doubles(values)?)
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.0.retract_batch(&doubles(values)?)
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        self.0.evaluate()
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        self.0.state()
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        self.0.merge_batch(states)
    }
}

/// The means of many groups.
#[derive(Debug, Default)]
struct Many {
    /// The sum of the values that each has had, and how many they are: a double as well, exact to
    /// 2^53, so that both go up by one instruction.
    groups: Vec<[f64; 2]>,
}

impl Many {
    fn add<T: ArrowPrimitiveType>(
        &mut self,
        array: &PrimitiveArray<T>,
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
        double: impl Fn(T::Native) -> f64,
    ) {
        self.groups.resize(total, [0.0; 2]);
        let mut add = |group: usize, x: T::Native| {
            if let Some(sum_and_count) = self.groups.get_mut(group) {
                let [sum, count] = *sum_and_count;
                *sum_and_count = [sum + double(x), count + 1.0];
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

    /// Sums and counts, and which groups have had a value.
    fn take(&mut self, emit: EmitTo) -> (Vec<[f64; 2]>, NullBuffer) {
        let groups = emit.take_needed(&mut self.groups);
        let seen = groups.iter().map(|[_, count]| *count > 0.0).collect();
        (groups, seen)
    }
}

impl GroupsAccumulator for Many {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        let values = first(values)?;
        match values.data_type() {
            DataType::Int32 => {
                self.add(values.as_primitive::<Int32Type>(), groups, filter, total, f64::from);
            }
            DataType::Int64 => {
                let double = |x: i64| x as f64;
                self.add(values.as_primitive::<Int64Type>(), groups, filter, total, double);
            }
            _ => self.add(values.as_primitive::<Float64Type>(), groups, filter, total, |x| x),
        }
        Ok(())
    }

    fn evaluate(&mut self, emit: EmitTo) -> Result<ArrayRef> {
        let (groups, seen) = self.take(emit);
        let means = groups.into_iter().map(|[sum, count]| sum.div_wrapping(count));
        Ok(Arc::new(Float64Array::new(means.collect(), Some(seen))))
    }

    fn state(&mut self, emit: EmitTo) -> Result<Vec<ArrayRef>> {
        let (groups, seen) = self.take(emit);
        let (counts, sums): (Vec<u64>, Vec<f64>) =
            groups.into_iter().map(|[sum, count]| (count as u64, sum)).unzip();
        Ok(vec![
            Arc::new(UInt64Array::new(counts.into(), Some(seen.clone()))),
            Arc::new(Float64Array::new(sums.into(), Some(seen))),
        ])
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        let [counts, sums] = states else { return exec_err!("a mean has two parts") };
        let counts = counts.as_primitive::<UInt64Type>();
        let sums = sums.as_primitive::<Float64Type>();
        self.groups.resize(total, [0.0; 2]);
        for (row, &group) in groups.iter().enumerate() {
            if let Some([sum, count]) = self.groups.get_mut(group).filter(|_| counts.is_valid(row))
            {
                *sum += sums.value(row);
                *count += counts.value(row) as f64;
            }
        }
        Ok(())
    }

    fn convert_to_state(
        &self,
        values: &[ArrayRef],
        filter: Option<&BooleanArray>,
    ) -> Result<Vec<ArrayRef>> {
        let rows: Vec<usize> = (0..first(values)?.len()).collect();
        let mut single = Self::default();
        single.update_batch(values, &rows, filter, rows.len())?;
        single.state(EmitTo::All)
    }

    fn size(&self) -> usize {
        self.groups.capacity() * size_of::<[f64; 2]>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Int32Array, Int64Array};
    use datafusion::functions_aggregate::average::avg_udaf;
    use proptest::prelude::*;

    /// Means by group as DataFusion takes them of doubles, bit by bit.
    fn check(values: ArrayRef, groups: &[usize], filter: Option<&BooleanArray>, total: usize) {
        let field: FieldRef = Arc::new(Field::new("x", DataType::Float64, true));
        let schema = arrow::datatypes::Schema::new(vec![field.clone()]);
        let args = || AccumulatorArgs {
            return_field: field.clone(),
            schema: &schema,
            ignore_nulls: false,
            order_bys: &[],
            is_reversed: false,
            name: "x",
            is_distinct: false,
            exprs: &[],
            expr_fields: std::slice::from_ref(&field),
        };
        let doubles = doubles(std::slice::from_ref(&values)).unwrap();
        let mut theirs = avg_udaf().create_groups_accumulator(args()).unwrap();
        let mut own = mean().create_groups_accumulator(args()).unwrap();
        theirs.update_batch(&doubles, groups, filter, total).unwrap();
        own.update_batch(std::slice::from_ref(&values), groups, filter, total).unwrap();
        // What travels as a state comes out the same.
        let states = own.state(EmitTo::All).unwrap();
        let places: Vec<usize> = (0..total).collect();
        own.merge_batch(&states, &places, total).unwrap();
        assert_eq!(&own.evaluate(EmitTo::All).unwrap(), &theirs.evaluate(EmitTo::All).unwrap());
        let states = own.convert_to_state(std::slice::from_ref(&values), filter).unwrap();
        own.merge_batch(&states, groups, total).unwrap();
        theirs.update_batch(&doubles, groups, filter, total).unwrap();
        assert_eq!(&own.evaluate(EmitTo::All).unwrap(), &theirs.evaluate(EmitTo::All).unwrap());
    }

    proptest! {
        #[test]
        fn means_are_those_of_datafusion(
            rows in prop::collection::vec(
                (prop::option::weighted(0.9, any::<i32>()), 0usize..4, prop::option::of(any::<bool>())),
                1..60,
            ),
            filtered in any::<bool>(),
        ) {
            // Every group has a row, as in a query.
            let found: std::collections::BTreeSet<usize> = rows.iter().map(|(_, g, _)| *g).collect();
            let place = |g: &usize| found.iter().position(|one| one == g).unwrap();
            let groups: Vec<usize> = rows.iter().map(|(_, g, _)| place(g)).collect();
            let total = found.len();
            let filter: BooleanArray = rows.iter().map(|(_, _, kept)| *kept).collect();
            let filter = filtered.then_some(&filter);
            let values = || rows.iter().map(|(value, _, _)| *value);
            check(Arc::new(values().collect::<Int32Array>()), &groups, filter, total);
            let long = values().map(|v| v.map(|v| i64::from(v) << 24));
            check(Arc::new(long.collect::<Int64Array>()), &groups, filter, total);
            let float = values().map(|v| v.map(|v| f64::from(v) / 7.0));
            check(Arc::new(float.collect::<Float64Array>()), &groups, filter, total);
        }
    }

    #[test]
    fn one_mean_takes_values_in_and_out() {
        let array =
            |values: Vec<Option<i32>>| -> [ArrayRef; 1] { [Arc::new(Int32Array::from(values))] };
        let mut one = One(AvgAccumulator::default());
        assert_eq!(one.evaluate().unwrap(), ScalarValue::Float64(None));
        one.update_batch(&array(vec![Some(1), None, Some(4), Some(7)])).unwrap();
        one.retract_batch(&array(vec![Some(7)])).unwrap();
        assert_eq!(one.evaluate().unwrap(), ScalarValue::Float64(Some(2.5)));
    }
}
