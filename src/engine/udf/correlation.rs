//! `ph_correlation`: Pearson's correlation by Welford's method. DataFusion's own, in groups,
//! subtracts sums of squares and loses its digits where the mean is far from zero.

use arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Float64Array, PrimitiveArray, UInt64Array,
};
use arrow::datatypes::{DataType, Field, FieldRef, Float64Type, UInt64Type};
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::utils::{AggregateOrderSensitivity, format_state_name};
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, EmitTo, GroupsAccumulator, Signature, Volatility,
};
use std::sync::{Arc, LazyLock};

static CORRELATION: LazyLock<Arc<AggregateUDF>> =
    LazyLock::new(|| Arc::new(AggregateUDF::new_from_impl(Correlation::new())));

/// The function.
pub(crate) fn correlation() -> Arc<AggregateUDF> {
    CORRELATION.clone()
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Correlation {
    signature: Signature,
}

impl Correlation {
    fn new() -> Self {
        Self { signature: Signature::exact(vec![DataType::Float64; 2], Volatility::Immutable) }
    }
}

impl AggregateUDFImpl for Correlation {
    fn name(&self) -> &'static str {
        "ph_correlation"
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Float64)
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let field = |name: &str, ty| {
            Arc::new(Field::new(format_state_name(args.name, name), ty, true)) as FieldRef
        };
        let mut fields = vec![field("count", DataType::UInt64)];
        fields.extend(NAMES.map(|name| field(name, DataType::Float64)));
        Ok(fields)
    }

    fn accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        Ok(Box::new(One(Moments::default())))
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

/// The floats of the state, in order.
const NAMES: [&str; 5] = ["mean_x", "mean_y", "square_x", "square_y", "product"];

/// Count, means, and sums of squared deviations and of their products.
#[derive(Debug, Clone, Copy, Default)]
struct Moments {
    count: u64,
    floats: [f64; 5],
}

impl Moments {
    fn add(&mut self, x: f64, y: f64) {
        self.count += 1;
        let n = self.count as f64;
        let [mean_x, mean_y, square_x, square_y, product] = &mut self.floats;
        let (from_x, from_y) = (x - *mean_x, y - *mean_y);
        *mean_x += from_x / n;
        *mean_y += from_y / n;
        *square_x += from_x * (x - *mean_x);
        *square_y += from_y * (y - *mean_y);
        *product += from_x * (y - *mean_y);
    }

    fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        let (a, b) = (self.count as f64, other.count as f64);
        let [mean_x, mean_y, square_x, square_y, product] = &mut self.floats;
        let [other_x, other_y, other_square_x, other_square_y, other_product] = other.floats;
        let (apart_x, apart_y) = (other_x - *mean_x, other_y - *mean_y);
        let share = b / (a + b);
        *mean_x += apart_x * share;
        *mean_y += apart_y * share;
        *square_x += other_square_x + apart_x * apart_x * a * share;
        *square_y += other_square_y + apart_y * apart_y * a * share;
        *product += other_product + apart_x * apart_y * a * share;
        self.count += other.count;
    }

    /// Null for fewer than two pairs and where one side does not vary.
    fn value(&self) -> Option<f64> {
        let [_, _, square_x, square_y, product] = self.floats;
        let ratio = product / (square_x.sqrt() * square_y.sqrt());
        // Rounding may carry a perfect correlation past one.
        (self.count > 1 && ratio.is_finite()).then(|| ratio.clamp(-1.0, 1.0) + 0.0)
    }
}

/// Calls `add` with each row and its pair, where both are there.
fn pairs(values: &[ArrayRef], mut add: impl FnMut(usize, f64, f64)) -> Result<()> {
    let [x, y] = values else { return exec_err!("a correlation takes two columns") };
    let (x, y) = (x.as_primitive::<Float64Type>(), y.as_primitive::<Float64Type>());
    let whole = x.null_count() == 0 && y.null_count() == 0;
    for (row, (&a, &b)) in x.values().iter().zip(y.values()).enumerate() {
        if whole || (x.is_valid(row) && y.is_valid(row)) {
            add(row, a, b);
        }
    }
    Ok(())
}

/// The moments in a state's columns.
fn states(columns: &[ArrayRef]) -> Result<Vec<Moments>> {
    let [count, floats @ ..] = columns else { return exec_err!("a state without columns") };
    let counts: &UInt64Array = count.as_primitive::<UInt64Type>();
    let mut moments: Vec<Moments> =
        counts.values().iter().map(|&count| Moments { count, ..Moments::default() }).collect();
    for (place, column) in floats.iter().enumerate() {
        let column: &PrimitiveArray<Float64Type> = column.as_primitive();
        for (moment, &value) in moments.iter_mut().zip(column.values()) {
            if let Some(slot) = moment.floats.get_mut(place) {
                *slot = value;
            }
        }
    }
    Ok(moments)
}

/// The columns of a state.
fn columns(moments: &[Moments]) -> Vec<ArrayRef> {
    let counts = UInt64Array::from_iter_values(moments.iter().map(|m| m.count));
    let mut columns: Vec<ArrayRef> = vec![Arc::new(counts)];
    for place in 0..NAMES.len() {
        let values = moments.iter().filter_map(|m| m.floats.get(place).copied());
        columns.push(Arc::new(Float64Array::from_iter_values(values)));
    }
    columns
}

#[derive(Debug)]
struct One(Moments);

impl Accumulator for One {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        pairs(values, |_, x, y| self.0.add(x, y))
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        Ok(ScalarValue::Float64(self.0.value()))
    }

    fn size(&self) -> usize {
        size_of_val(self)
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let mut state = vec![ScalarValue::UInt64(Some(self.0.count))];
        state.extend(self.0.floats.map(|x| ScalarValue::Float64(Some(x))));
        Ok(state)
    }

    fn merge_batch(&mut self, columns: &[ArrayRef]) -> Result<()> {
        for state in states(columns)? {
            self.0.merge(&state);
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
struct Many(Vec<Moments>);

impl GroupsAccumulator for Many {
    fn update_batch(
        &mut self,
        values: &[ArrayRef],
        groups: &[usize],
        filter: Option<&BooleanArray>,
        total: usize,
    ) -> Result<()> {
        self.0.resize(total, Moments::default());
        pairs(values, |row, x, y| {
            let kept = filter.is_none_or(|f| f.is_valid(row) && f.value(row));
            let moments = groups.get(row).and_then(|&group| self.0.get_mut(group));
            if let Some(moments) = moments.filter(|_| kept) {
                moments.add(x, y);
            }
        })
    }

    fn evaluate(&mut self, emit: EmitTo) -> Result<ArrayRef> {
        let moments = emit.take_needed(&mut self.0);
        Ok(Arc::new(moments.iter().map(Moments::value).collect::<Float64Array>()))
    }

    fn state(&mut self, emit: EmitTo) -> Result<Vec<ArrayRef>> {
        Ok(columns(&emit.take_needed(&mut self.0)))
    }

    fn merge_batch(&mut self, columns: &[ArrayRef], groups: &[usize], total: usize) -> Result<()> {
        self.0.resize(total, Moments::default());
        for (state, &group) in states(columns)?.iter().zip(groups) {
            if let Some(moments) = self.0.get_mut(group) {
                moments.merge(state);
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
        let mut moments = Self(vec![Moments::default(); rows]);
        let groups: Vec<usize> = (0..rows).collect();
        moments.update_batch(values, &groups, filter, rows)?;
        Ok(columns(&moments.0))
    }

    fn size(&self) -> usize {
        self.0.capacity() * size_of::<Moments>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrays(x: &[Option<f64>], y: &[Option<f64>]) -> Vec<ArrayRef> {
        vec![Arc::new(Float64Array::from(x.to_vec())), Arc::new(Float64Array::from(y.to_vec()))]
    }

    fn check(x: &[Option<f64>], y: &[Option<f64>], wanted: Option<f64>) {
        let mut whole = One(Moments::default());
        whole.update_batch(&arrays(x, y)).unwrap();
        let ScalarValue::Float64(found) = whole.evaluate().unwrap() else { panic!("a float") };
        // Row by row through states, which must come to the same.
        let mut parts = Many::default();
        for (x, y) in x.iter().zip(y) {
            let state = parts.convert_to_state(&arrays(&[*x], &[*y]), None).unwrap();
            parts.merge_batch(&state, &[0], 1).unwrap();
        }
        let merged = parts.evaluate(EmitTo::All).unwrap();
        let merged = merged.as_primitive::<Float64Type>().iter().next().flatten();
        for found in [found, merged] {
            match (found, wanted) {
                (Some(found), Some(wanted)) => assert!((found - wanted).abs() < 1e-9),
                (found, wanted) => assert_eq!(found, wanted),
            }
        }
    }

    #[test]
    fn correlations() {
        let some = |list: &[f64]| list.iter().copied().map(Some).collect::<Vec<_>>();
        let x = some(&[1.0, 2.0, 3.0, 4.0]);
        check(&x, &some(&[2.0, 4.0, 6.0, 8.0]), Some(1.0));
        check(&x, &some(&[8.0, 6.0, 4.0, 2.0]), Some(-1.0));
        check(&x, &some(&[1.0, -1.0, -1.0, 1.0]), Some(0.0));
        check(&x, &some(&[17_000.1; 4]), None);
        check(&x[..1], &some(&[2.0]), None);
        check(&[Some(1.0), None, Some(3.0)], &[Some(5.0), Some(1.0), None], None);
        // Far from zero, where sums of squares have no digits left.
        let far = some(&[1e9 + 1.0, 1e9 + 2.0, 1e9 + 3.0, 1e9 + 4.0]);
        check(&far, &x, Some(1.0));
    }
}
