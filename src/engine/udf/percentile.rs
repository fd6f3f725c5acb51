//! `ph_percentile`: exact percentiles by linear interpolation. DataFusion's own rounds the place
//! between two values to six digits.

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Float64Array, GenericListArray, ListArray,
};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field, FieldRef, Float64Type};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::{AggregateOrderSensitivity, format_state_name};
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, EmitTo, GroupsAccumulator, Signature, Volatility,
};
use datafusion::physical_expr::expressions::Literal;
use std::sync::{Arc, LazyLock};

static PERCENTILE: LazyLock<Arc<AggregateUDF>> =
    LazyLock::new(|| Arc::new(AggregateUDF::new_from_impl(Percentile::new())));

/// The function; its second argument is the constant share.
pub(crate) fn percentile() -> Arc<AggregateUDF> {
    PERCENTILE.clone()
}

/// The values of a group travel as a list.
fn item() -> FieldRef {
    Arc::new(Field::new_list_field(DataType::Float64, true))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Percentile {
    signature: Signature,
}

impl Percentile {
    fn new() -> Self {
        Self { signature: Signature::exact(vec![DataType::Float64; 2], Volatility::Immutable) }
    }
}

/// The share that the query asks for.
fn share(args: &AccumulatorArgs) -> Result<f64> {
    let literal = args.exprs.get(1).and_then(|e| e.downcast_ref::<Literal>());
    let Some(ScalarValue::Float64(Some(share))) = literal.map(Literal::value) else {
        return exec_err!("ph_percentile takes a constant share");
    };
    Ok(*share)
}

impl AggregateUDFImpl for Percentile {
    fn name(&self) -> &'static str {
        "ph_percentile"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Float64)
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let name = format_state_name(args.name, "values");
        Ok(vec![Arc::new(Field::new(name, DataType::List(item()), true))])
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(One { values: Vec::new(), share: share(&args)? }))
    }

    fn groups_accumulator_supported(&self, _: AccumulatorArgs) -> bool {
        true
    }

    fn create_groups_accumulator(
        &self,
        args: AccumulatorArgs,
    ) -> Result<Box<dyn GroupsAccumulator>> {
        Ok(Box::new(Many { groups: Vec::new(), share: share(&args)? }))
    }

    fn order_sensitivity(&self) -> AggregateOrderSensitivity {
        AggregateOrderSensitivity::Insensitive
    }
}

/// The value at `share * (n - 1)` of the sorted values, between two neighbours by their distance.
fn value(values: &mut [f64], share: f64) -> Option<f64> {
    let place = share * (values.len().checked_sub(1)? as f64);
    let below = place.floor();
    let (_, &mut low, above) = values.select_nth_unstable_by(below as usize, f64::total_cmp);
    if place == below {
        return Some(low);
    }
    let high = above.iter().copied().min_by(f64::total_cmp)?;
    Some(low + (high - low) * (place - below))
}

fn floats(values: &[ArrayRef]) -> Result<&Float64Array> {
    let Some(x) = values.first() else { return exec_err!("a percentile of nothing") };
    Ok(x.as_primitive::<Float64Type>())
}

fn lists(states: &[ArrayRef]) -> Result<&ListArray> {
    let Some(states) = states.first() else { return exec_err!("a state without columns") };
    Ok(states.as_list::<i32>())
}

fn list(groups: &[Vec<f64>]) -> ListArray {
    let offsets = OffsetBuffer::<i32>::from_lengths(groups.iter().map(Vec::len));
    let values = Float64Array::from_iter_values(groups.iter().flatten().copied());
    GenericListArray::new(item(), offsets, Arc::new(values), None)
}

#[derive(Debug)]
struct One {
    values: Vec<f64>,
    share: f64,
}

impl Accumulator for One {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        self.values.extend(floats(values)?.iter().flatten());
        Ok(())
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Float64(value(&mut self.values, self.share)))
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.values.capacity() * size_of::<f64>()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let values = std::mem::take(&mut self.values);
        Ok(vec![ScalarValue::List(Arc::new(list(&[values])))])
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for state in lists(states)?.iter().flatten() {
            self.values.extend(state.as_primitive::<Float64Type>().iter().flatten());
        }
        Ok(())
    }
}

#[derive(Debug)]
struct Many {
    groups: Vec<Vec<f64>>,
    share: f64,
}

impl GroupsAccumulator for Many {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.groups.resize(total, Vec::new());
        for (row, (x, &group)) in floats(values)?.iter().zip(groups).enumerate() {
            let kept = filter.is_none_or(|f| f.is_valid(row) && f.value(row));
            if let (Some(x), Some(values), true) = (x, self.groups.get_mut(group), kept) {
                values.push(x);
            }
        }
        Ok(())
    }

    fn evaluate(&mut self, emit: EmitTo) -> Result<ArrayRef> {
        let mut groups = emit.take_needed(&mut self.groups);
        let share = self.share;
        Ok(Arc::new(groups.iter_mut().map(|x| value(x, share)).collect::<Float64Array>()))
    }

    fn state(&mut self, emit: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(vec![Arc::new(list(&emit.take_needed(&mut self.groups)))])
    }

    fn merge_batch(&mut self, states: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.groups.resize(total, Vec::new());
        for (state, &group) in lists(states)?.iter().zip(groups) {
            if let (Some(state), Some(values)) = (state, self.groups.get_mut(group)) {
                values.extend(state.as_primitive::<Float64Type>().iter().flatten());
            }
        }
        Ok(())
    }

    fn convert_to_state(
        &self,
        values: &[ArrayRef],
        filter: Option<&BooleanArray>,
    ) -> Result<Vec<ArrayRef>> {
        let rows = values.first().map_or(0, Array::len);
        let mut each = Self { groups: Vec::new(), share: self.share };
        let groups: Vec<usize> = (0..rows).collect();
        each.update_batch(values, &groups, filter, rows)?;
        Ok(vec![Arc::new(list(&each.groups))])
    }

    fn size(&self) -> usize {
        let values: usize = self.groups.iter().map(Vec::capacity).sum();
        values * size_of::<f64>() + self.groups.capacity() * size_of::<Vec<f64>>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(x: &[Option<f64>]) -> Vec<ArrayRef> {
        vec![Arc::new(Float64Array::from(x.to_vec()))]
    }

    #[test]
    fn places_between_two_values() {
        for (x, share, wanted) in [
            (vec![], 0.5, None),
            (vec![Some(7.0)], 0.9, Some(7.0)),
            (vec![Some(4.0), None, Some(1.0), Some(3.0), Some(2.0)], 0.0, Some(1.0)),
            (vec![Some(4.0), None, Some(1.0), Some(3.0), Some(2.0)], 1.0, Some(4.0)),
            (vec![Some(4.0), None, Some(1.0), Some(3.0), Some(2.0)], 0.5, Some(2.5)),
            (vec![Some(30.0), Some(10.0), Some(20.0)], 0.25, Some(15.0)),
        ] {
            let mut one = One { values: Vec::new(), share };
            one.update_batch(&array(&x)).unwrap();
            assert_eq!(one.evaluate().unwrap(), ScalarValue::Float64(wanted));
            // and through states, row by row
            let mut many = Many { groups: Vec::new(), share };
            many.merge_batch(&[], &[], 1).unwrap_err();
            many.groups.resize(1, Vec::new());
            for x in x {
                let state = many.convert_to_state(&array(&[x]), None).unwrap();
                many.merge_batch(&state, &[0], 1).unwrap();
            }
            let merged = many.evaluate(EmitTo::All).unwrap();
            assert_eq!(merged.as_primitive::<Float64Type>().iter().next(), Some(wanted));
        }
    }

    #[test]
    fn a_state_of_one_group_merges() {
        let mut a = One { values: vec![1.0, 9.0], share: 0.5 };
        let state = a.state().unwrap().remove(0).to_array().unwrap();
        let mut b = One { values: vec![5.0], share: 0.5 };
        b.merge_batch(&[state]).unwrap();
        assert_eq!(b.evaluate().unwrap(), ScalarValue::Float64(Some(5.0)));
    }
}
