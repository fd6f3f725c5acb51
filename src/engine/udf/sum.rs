//! `ph_sum`: the sum of integers, exact whatever the order of the rows, and that of decimals; a sum
//! beyond 64 bits, or beyond the digits of a decimal, is an error (DataFusion's own wraps around).

use super::decimal::{self, checked, digits, scale_of};
use super::{first, overflow, too_many_digits};
use crate::value::MOST_DIGITS;
use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Decimal128Array, Int64Array, PrimitiveArray,
};
use arrow::buffer::NullBuffer;
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Decimal128Type, Field, FieldRef, Int32Type, Int64Type,
};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::format_state_name;
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, EmitTo, GroupsAccumulator, Signature, Volatility,
};
use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

static SUM: LazyLock<Arc<AggregateUDF>> =
    LazyLock::new(|| Arc::new(AggregateUDF::new_from_impl(ExactSum::new())));

/// The function.
pub(crate) fn sum() -> Arc<AggregateUDF> {
    SUM.clone()
}

/// How partial sums travel: as their digits.
const STATE: DataType = decimal::type_of(0);

#[derive(Debug, PartialEq, Eq, Hash)]
struct ExactSum {
    signature: Signature,
}

impl ExactSum {
    fn new() -> Self {
        Self { signature: Signature::user_defined(Volatility::Immutable) }
    }
}

/// What a sum is of, and the digits behind the point of decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Of {
    #[default]
    Integers,
    Decimals(u8),
}

impl Of {
    fn new(args: &AccumulatorArgs) -> Self {
        let ty = args.return_field.data_type();
        match scale_of(ty).filter(|_| ty.is_decimal()) {
            Some(scale) => Self::Decimals(scale),
            None => Self::Integers,
        }
    }
}

impl AggregateUDFImpl for ExactSum {
    fn name(&self) -> &'static str {
        "ph_sum"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        match types {
            [ty] if ty.is_decimal() => Ok(vec![digits(ty)]),
            // Short ones are read where they are.
            [DataType::Int32] => Ok(vec![DataType::Int32]),
            [_] => Ok(vec![DataType::Int64]),
            _ => exec_err!("ph_sum takes one argument"),
        }
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        let ty = self.coerce_types(types)?.pop();
        Ok(ty.filter(DataType::is_decimal).unwrap_or(DataType::Int64))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let name = format_state_name(args.name, "sum");
        Ok(vec![Arc::new(if args.is_distinct {
            Field::new_list(name, Field::new_list_field(STATE, true), false)
        } else {
            Field::new(name, STATE, true)
        })])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let of = Of::new(&args);
        if args.is_distinct {
            return Ok(Box::new(Distinct { values: BTreeSet::new(), of }));
        }
        Ok(Box::new(Total::new(of)))
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        !args.is_distinct
    }

    fn create_groups_accumulator(
        &self,
        args: AccumulatorArgs,
    ) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(Totals { of: Of::new(&args), ..Totals::default() }))
    }

    fn order_sensitivity(&self) -> datafusion::logical_expr::utils::AggregateOrderSensitivity {
        datafusion::logical_expr::utils::AggregateOrderSensitivity::Insensitive
    }
}

/// The sum of one group or of the rows of a frame, null where it has no value. 128 bits hold any sum
/// of 64-bit integers that fits into memory; decimals may leave them.
#[derive(Debug)]
struct Total {
    sum: i128,
    /// Values in the sum.
    seen: u64,
    of: Of,
}

impl Total {
    fn new(of: Of) -> Self {
        Self { sum: 0, seen: 0, of }
    }

    fn sum(&self) -> Option<i128> {
        (self.seen > 0).then_some(self.sum)
    }

    /// Takes values in, or out again where `sign` is −1.
    fn add(&mut self, values: &[ArrayRef], sign: i8) -> Result<()> {
        let values = first(values)?;
        let known = (values.len() - values.null_count()) as u64;
        match self.of {
            Of::Integers => self.sum += i128::from(sign) * integers(values),
            Of::Decimals(_) => self.decimals(values.as_primitive(), sign)?,
        }
        self.seen = if sign < 0 { self.seen.saturating_sub(known) } else { self.seen + known };
        Ok(())
    }

    fn decimals(&mut self, array: &PrimitiveArray<Decimal128Type>, sign: i8) -> Result<()> {
        for x in array.iter().flatten() {
            let next = if sign < 0 { self.sum.checked_sub(x) } else { self.sum.checked_add(x) };
            self.sum = next.ok_or_else(too_many_digits)?;
        }
        Ok(())
    }
}

impl Accumulator for Total {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.add(values, 1)
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.add(values, -1)
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        match self.of {
            Of::Integers => {
                let sum = self.sum().map(i64::try_from).transpose();
                Ok(ScalarValue::Int64(sum.map_err(|_| overflow())?))
            }
            Of::Decimals(scale) => {
                let sum = self.sum().map(|sum| checked(Some(sum))).transpose()?;
                Ok(ScalarValue::Decimal128(sum, MOST_DIGITS, scale as i8))
            }
        }
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        Ok(vec![ScalarValue::Decimal128(self.sum(), 38, 0)])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        let states = first(states)?;
        self.seen += (states.len() - states.null_count()) as u64;
        self.decimals(states.as_primitive(), 1)
    }
}

/// The sum of the different values of one group.
#[derive(Debug)]
struct Distinct {
    values: BTreeSet<i128>,
    of: Of,
}

impl Accumulator for Distinct {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let values = first(values)?;
        match self.of {
            Of::Integers => {
                if let Some(values) = short(values) {
                    self.values.extend(values.iter().flatten().map(i128::from));
                } else {
                    let values = values.as_primitive::<Int64Type>().iter().flatten();
                    self.values.extend(values.map(i128::from));
                }
            }
            Of::Decimals(_) => {
                self.values.extend(values.as_primitive::<Decimal128Type>().iter().flatten());
            }
        }
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let mut total = Total::new(self.of);
        let values: Decimal128Array = self.values.iter().copied().map(Some).collect();
        total.merge_batch(&[Arc::new(values.with_data_type(STATE))])?;
        total.evaluate()
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.values.len() * size_of::<i128>()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let digits = |x: &i128| ScalarValue::Decimal128(Some(*x), 38, 0);
        let values: Vec<ScalarValue> = self.values.iter().map(digits).collect();
        Ok(vec![ScalarValue::List(ScalarValue::new_list_nullable(&values, &STATE))])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for values in first(states)?.as_list::<i32>().iter().flatten() {
            self.values.extend(values.as_primitive::<Decimal128Type>().iter().flatten());
        }
        Ok(())
    }
}

/// The sums of many groups.
#[derive(Debug, Default)]
struct Totals {
    sums: Vec<i128>,
    /// Groups that have had a value.
    seen: Vec<bool>,
    of: Of,
}

impl Totals {
    fn add<T: ArrowPrimitiveType>(
        &mut self,
        array: &PrimitiveArray<T>,
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()>
    where
        T::Native: Into<i128>,
    {
        self.sums.resize(total, 0);
        self.seen.resize(total, false);
        // No sum of 64-bit integers leaves 128 bits: theirs need no look at each step.
        let narrow = size_of::<T::Native>() < size_of::<i128>();
        let mut over = false;
        let mut add = |group: usize, x: T::Native| {
            if let (Some(sum), Some(seen)) = (self.sums.get_mut(group), self.seen.get_mut(group)) {
                if narrow {
                    *sum += x.into();
                } else {
                    let (next, left) = sum.overflowing_add(x.into());
                    over |= left;
                    *sum = next;
                }
                *seen = true;
            }
        };
        if array.null_count() == 0 && filter.is_none() {
            for (&group, &x) in groups.iter().zip(array.values()) {
                add(group, x);
            }
            return if over { Err(too_many_digits()) } else { Ok(()) };
        }
        for (row, &group) in groups.iter().enumerate() {
            let kept = filter.is_none_or(|f| f.is_valid(row) && f.value(row));
            if kept && array.is_valid(row) {
                add(group, array.value(row));
            }
        }
        if over { Err(too_many_digits()) } else { Ok(()) }
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
        let values = first(values)?;
        match self.of {
            Of::Integers => match short(values) {
                Some(values) => self.add(values, groups, filter, total),
                None => self.add(values.as_primitive::<Int64Type>(), groups, filter, total),
            },
            Of::Decimals(_) => {
                self.add(values.as_primitive::<Decimal128Type>(), groups, filter, total)
            }
        }
    }

    fn evaluate(&mut self, emit: EmitTo) -> Result<ArrayRef> {
        let (sums, seen) = self.take(emit);
        if let Of::Decimals(scale) = self.of {
            let sums =
                sums.into_iter().map(|sum| checked(Some(sum))).collect::<Result<Vec<_>>>()?;
            return Ok(decimal::array(Decimal128Array::new(sums.into(), Some(seen)), scale));
        }
        let sums = sums.into_iter().map(|sum| i64::try_from(sum).map_err(|_| overflow()));
        Ok(Arc::new(Int64Array::new(sums.collect::<Result<Vec<_>>>()?.into(), Some(seen))))
    }

    fn state(&mut self, emit: EmitTo) -> Result<Vec<ArrayRef>> {
        let (sums, seen) = self.take(emit);
        Ok(vec![Arc::new(Decimal128Array::new(sums.into(), Some(seen)).with_data_type(STATE))])
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.add(first(states)?.as_primitive::<Decimal128Type>(), groups, None, total)
    }

    fn convert_to_state(
        &self,
        values: &[ArrayRef],
        filter: Option<&BooleanArray>,
    ) -> Result<Vec<ArrayRef>> {
        let values = first(values)?;
        let digits: Box<dyn Fn(usize) -> i128> = match self.of {
            Of::Integers => {
                if let Some(values) = short(values) {
                    Box::new(|row| values.value(row).into())
                } else {
                    let values = values.as_primitive::<Int64Type>();
                    Box::new(|row| values.value(row).into())
                }
            }
            Of::Decimals(_) => {
                let values = values.as_primitive::<Decimal128Type>();
                Box::new(|row| values.value(row))
            }
        };
        let states: Decimal128Array = (0..values.len())
            .map(|row| {
                let kept = filter.is_none_or(|f| f.is_valid(row) && f.value(row));
                (kept && values.is_valid(row)).then(|| digits(row))
            })
            .collect();
        Ok(vec![Arc::new(states.with_data_type(STATE))])
    }

    fn size(&self) -> usize {
        self.sums.capacity() * size_of::<i128>() + self.seen.capacity()
    }
}

/// Integers of 32 bits.
fn short(array: &ArrayRef) -> Option<&PrimitiveArray<Int32Type>> {
    array.as_primitive_opt()
}

fn integers(array: &ArrayRef) -> i128 {
    fn all<T: ArrowPrimitiveType<Native: Into<i128>>>(array: &PrimitiveArray<T>) -> i128 {
        match array.nulls() {
            None => array.values().iter().map(|&x| x.into()).sum(),
            Some(_) => array.iter().flatten().map(Into::into).sum(),
        }
    }
    short(array).map_or_else(|| all(array.as_primitive::<Int64Type>()), all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(values: &[Option<i64>]) -> Vec<ArrayRef> {
        vec![Arc::new(Int64Array::from(values.to_vec()))]
    }

    #[test]
    fn a_total_may_pass_the_limit_and_come_back() {
        let mut total = Total::new(Of::Integers);
        assert_eq!(total.evaluate().unwrap(), ScalarValue::Int64(None));
        total.update_batch(&array(&[Some(i64::MAX), Some(5), None])).unwrap();
        assert!(total.evaluate().is_err());
        total.update_batch(&array(&[Some(-5)])).unwrap();
        assert_eq!(total.evaluate().unwrap(), ScalarValue::Int64(Some(i64::MAX)));
    }

    #[test]
    fn what_leaves_a_frame_is_taken_out() {
        let mut total = Total::new(Of::Integers);
        total.update_batch(&array(&[Some(i64::MAX), Some(5), None])).unwrap();
        total.retract_batch(&array(&[Some(i64::MAX)])).unwrap();
        assert_eq!(total.evaluate().unwrap(), ScalarValue::Int64(Some(5)));
        total.retract_batch(&array(&[Some(5), None])).unwrap();
        assert_eq!(total.evaluate().unwrap(), ScalarValue::Int64(None));
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

    #[test]
    fn decimals_keep_their_digits_and_never_wrap() {
        let most = 10_i128.pow(38) - 1;
        let values =
            |values: &[i128]| -> Vec<ArrayRef> { vec![decimal::array(values.to_vec().into(), 2)] };
        let mut total = Total::new(Of::Decimals(2));
        assert_eq!(total.evaluate().unwrap(), ScalarValue::Decimal128(None, 38, 2));
        total.update_batch(&values(&[150, -5])).unwrap();
        assert_eq!(total.evaluate().unwrap(), ScalarValue::Decimal128(Some(145), 38, 2));
        total.update_batch(&values(&[most])).unwrap();
        assert!(total.evaluate().is_err());
        assert!(total.update_batch(&values(&[most])).is_err());
        let mut totals = Totals { of: Of::Decimals(2), ..Totals::default() };
        totals.update_batch(&values(&[150, 1, -5]), &[0, 1, 0], None, 3).unwrap();
        let sums = totals.evaluate(EmitTo::All).unwrap();
        assert_eq!(sums.data_type(), &decimal::type_of(2));
        let sums: Vec<_> = sums.as_primitive::<Decimal128Type>().iter().collect();
        assert_eq!(sums, [Some(145), Some(1), None]);
        assert!(totals.update_batch(&values(&[most, most]), &[0, 0], None, 1).is_err());
        let state = totals.convert_to_state(&values(&[7]), None).unwrap();
        assert_eq!(state[0].data_type(), &STATE);
    }
}
