//! A step of a filter that compares a stored column with a number.
//!
//! DataFusion compares doubles in the total order of IEEE 754, in which a negative zero is not zero,
//! and so passes over each column once more before it to take negative zeros out. A stored column has
//! none, and no NaN either (`tables`): here its values are compared as the processor compares them. A
//! rule of the physical optimizer puts this into filters that read a table's columns. Equality stays
//! DataFusion's, whose plans count on what it says of a column, but below an aggregate of all rows.

use super::members::Membership;
use super::relay::RelayExec;
use super::scan::ScanExec;
use arrow::array::{Array, ArrowPrimitiveType, AsArray, BooleanArray, PrimitiveArray};
use arrow::buffer::BooleanBuffer;
use arrow::datatypes::{DataType, Float64Type, Int32Type, Int64Type, Schema};
use arrow::record_batch::RecordBatch;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TransformedResult, TreeNode};
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::{ColumnarValue, Operator};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::{BinaryExpr, Column, Literal};
use datafusion::physical_optimizer::PhysicalOptimizerRule;
use datafusion::physical_plan::aggregates::AggregateExec;
use datafusion::physical_plan::filter::{FilterExec, FilterExecBuilder};
use datafusion::physical_plan::projection::ProjectionExec;
use datafusion::physical_plan::{ChildrenPropertiesMode, ExecutionPlan, ReplaceChildrenOptions};
use std::fmt;
use std::sync::Arc;

/// The rule that puts this step where it can be.
#[derive(Debug)]
pub(super) struct ComparePlainly;

impl PhysicalOptimizerRule for ComparePlainly {
    fn optimize(
        &self,
        plan: Arc<dyn ExecutionPlan>,
        _: &ConfigOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        plan.transform_up(|node| {
            let own = match node.downcast_ref::<FilterExec>() {
                // What follows may count on a column of one value, which DataFusion sees in its own
                // comparisons alone.
                Some(filter) => plainly_filtered(filter, false)?.filter(|own| {
                    let constants = |filter: &FilterExec| {
                        filter.properties().equivalence_properties().constants().len()
                    };
                    constants(own) >= constants(filter)
                }),
                None => None,
            };
            if let Some(own) = own {
                return Ok(Transformed::yes(Arc::new(own) as Arc<dyn ExecutionPlan>));
            }
            let Some(aggregate) = node.downcast_ref::<AggregateExec>() else {
                return Ok(Transformed::no(node));
            };
            // Of all rows, in any order: no column of one value matters to that.
            let ordered = aggregate.aggr_expr().iter().any(|a| !a.order_bys().is_empty());
            if !aggregate.group_expr().is_empty() || ordered {
                return Ok(Transformed::no(node));
            }
            match plainly_equal(aggregate.input())? {
                Some(input) => {
                    node.replace_children(vec![input], recompute()).map(Transformed::yes)
                }
                None => Ok(Transformed::no(node)),
            }
        })
        .data()
    }

    fn name(&self) -> &'static str {
        "ComparePlainly"
    }

    fn schema_check(&self) -> bool {
        true
    }
}

fn recompute() -> ReplaceChildrenOptions {
    ReplaceChildrenOptions::new(ChildrenPropertiesMode::Recompute)
}

/// A filter of a table's rows with our own comparisons in it; those for equality where `equal`. Nothing
/// where it has none.
fn plainly_filtered(filter: &FilterExec, equal: bool) -> Result<Option<FilterExec>> {
    if filter.input().downcast_ref::<ScanExec>().is_none() {
        return Ok(None);
    }
    let schema = filter.input().schema();
    let plain = filter.predicate().clone().transform_up(|expr| {
        let binary = expr.downcast_ref::<BinaryExpr>();
        if let Some(own) = binary.and_then(|e| Comparison::instead_of(e, &schema, equal)) {
            return Ok(Transformed::yes(Arc::new(own) as Arc<dyn PhysicalExpr>));
        }
        Ok(match Membership::instead_of(&expr, &schema) {
            Some(own) => Transformed::yes(Arc::new(own) as Arc<dyn PhysicalExpr>),
            None => Transformed::no(expr),
        })
    })?;
    if !plain.transformed {
        return Ok(None);
    }
    FilterExecBuilder::from(filter).with_predicate(plain.data).build().map(Some)
}

/// The step with our own comparisons for equality in the filter that its rows come from, where nothing
/// but steps that pass rows on lies between.
fn plainly_equal(step: &Arc<dyn ExecutionPlan>) -> Result<Option<Arc<dyn ExecutionPlan>>> {
    if let Some(filter) = step.downcast_ref::<FilterExec>() {
        let own = plainly_filtered(filter, true)?;
        return Ok(own.map(|own| Arc::new(own) as Arc<dyn ExecutionPlan>));
    }
    let passes = step.downcast_ref::<ProjectionExec>().is_some()
        || step.downcast_ref::<RelayExec>().is_some();
    let [input] = step.children()[..] else { return Ok(None) };
    match plainly_equal(input)?.filter(|_| passes) {
        Some(own) => Arc::clone(step).replace_children(vec![own], recompute()).map(Some),
        None => Ok(None),
    }
}

/// What a column is compared with.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Number {
    Float(f64),
    Int(i64),
    Short(i32),
}

/// `column op number`.
#[derive(Debug, Clone, PartialEq)]
struct Comparison {
    /// The comparison as DataFusion has it.
    plain: BinaryExpr,
    column: usize,
    op: Operator,
    number: Number,
}

impl Eq for Comparison {}

impl std::hash::Hash for Comparison {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.plain.hash(state);
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plain.fmt(f)
    }
}

impl Comparison {
    /// The step that does what `binary` does, where it compares a column with a number of its type.
    fn instead_of(binary: &BinaryExpr, schema: &Schema, equal: bool) -> Option<Self> {
        let column = binary.left().downcast_ref::<Column>()?.index();
        let number = match binary.right().downcast_ref::<Literal>()?.value() {
            ScalarValue::Float64(Some(x)) if x.is_finite() => Number::Float(*x),
            ScalarValue::Int64(Some(x)) => Number::Int(*x),
            ScalarValue::Int32(Some(x)) => Number::Short(*x),
            _ => return None,
        };
        let ty = match number {
            Number::Float(_) => DataType::Float64,
            Number::Int(_) => DataType::Int64,
            Number::Short(_) => DataType::Int32,
        };
        let op = *binary.op();
        let known = equal && op == Operator::Eq
            || matches!(
                op,
                Operator::NotEq | Operator::Lt | Operator::LtEq | Operator::Gt | Operator::GtEq
            );
        (known && *schema.fields().get(column)?.data_type() == ty).then(|| Self {
            plain: binary.clone(),
            column,
            op,
            number,
        })
    }
}

/// Whether a filter of a plan compares for equality as the processor does.
#[cfg(test)]
pub(super) fn is_equal_plainly(plan: &Arc<dyn ExecutionPlan>) -> bool {
    fn has(expr: &Arc<dyn PhysicalExpr>) -> bool {
        expr.downcast_ref::<Comparison>().is_some_and(|own| own.op == Operator::Eq)
            || expr.children().into_iter().any(has)
    }
    plan.downcast_ref::<FilterExec>().is_some_and(|filter| has(filter.predicate()))
        || plan.children().into_iter().any(is_equal_plainly)
}

impl PhysicalExpr for Comparison {
    fn data_type(&self, _: &Schema) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn nullable(&self, schema: &Schema) -> Result<bool> {
        self.plain.nullable(schema)
    }

    fn evaluate(&self, batch: &RecordBatch) -> Result<ColumnarValue> {
        let column = batch.columns().get(self.column);
        let column = column.ok_or_else(|| DataFusionError::Internal("no such column".into()))?;
        let compared = match self.number {
            Number::Float(x) => {
                column.as_primitive_opt::<Float64Type>().map(|c| all(c, self.op, x))
            }
            Number::Int(x) => column.as_primitive_opt::<Int64Type>().map(|c| all(c, self.op, x)),
            Number::Short(x) => column.as_primitive_opt::<Int32Type>().map(|c| all(c, self.op, x)),
        };
        match compared {
            Some(compared) => Ok(ColumnarValue::Array(Arc::new(compared))),
            None => self.plain.evaluate(batch),
        }
    }

    /// Nothing is put below it: it stands in plans that are done.
    fn children(&self) -> Vec<&Arc<dyn PhysicalExpr>> {
        Vec::new()
    }

    fn with_new_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn PhysicalExpr>>,
    ) -> Result<Arc<dyn PhysicalExpr>> {
        Ok(self)
    }

    fn fmt_sql(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plain.fmt_sql(f)
    }
}

/// `value op number` for each value.
pub(super) fn all<T: ArrowPrimitiveType<Native: Lanes>>(
    column: &PrimitiveArray<T>,
    op: Operator,
    number: T::Native,
) -> BooleanArray {
    let (whole, rest) = column.values().as_chunks::<8>();
    let mut bytes = Lanes::compare(whole, op, number);
    if !rest.is_empty() {
        let bit = |(at, value): (usize, &T::Native)| u8::from(plainly(*value, op, number)) << at;
        bytes.push(rest.iter().enumerate().map(bit).sum());
    }
    let bits = BooleanBuffer::new(bytes.into(), 0, column.len());
    BooleanArray::new(bits, column.nulls().cloned())
}

fn plainly<T: PartialOrd>(value: T, op: Operator, number: T) -> bool {
    match op {
        Operator::Eq => value == number,
        Operator::NotEq => value != number,
        Operator::Lt => value < number,
        Operator::LtEq => value <= number,
        Operator::Gt => value > number,
        _ => value >= number,
    }
}

/// Numbers of which the processor compares several at once.
pub(super) trait Lanes: PartialOrd + Copy {
    /// A byte for eight values, a bit for each.
    fn compare(values: &[[Self; 8]], op: Operator, number: Self) -> Vec<u8>;
}

#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
impl<T: PartialOrd + Copy> Lanes for T {
    fn compare(values: &[[Self; 8]], op: Operator, number: Self) -> Vec<u8> {
        /// Brings the lowest bits of eight bytes together in the highest byte.
        const GATHER: u64 = 0x0102_0408_1020_4080;
        fn bytes<T: Copy>(values: &[[T; 8]], test: impl Fn(T) -> bool) -> Vec<u8> {
            let flags = |values: &[T; 8]| values.map(|value| u8::from(test(value)));
            let byte = |flags| (u64::from_le_bytes(flags).wrapping_mul(GATHER) >> 56) as u8;
            values.iter().map(|values| byte(flags(values))).collect()
        }
        match op {
            Operator::Eq => bytes(values, |x| x == number),
            Operator::NotEq => bytes(values, |x| x != number),
            Operator::Lt => bytes(values, |x| x < number),
            Operator::LtEq => bytes(values, |x| x <= number),
            Operator::Gt => bytes(values, |x| x > number),
            _ => bytes(values, |x| x >= number),
        }
    }
}

/// By wasm's own instructions: the compiler makes none of the loop above where it builds for size,
/// and code that a browser has not optimised yet takes each step of that loop by itself.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod lanes {
    use super::{Lanes, Operator};
    use std::arch::wasm32::*;

    macro_rules! pairs {
        ($ty:ty, $pair:ident, $splat:ident, $mask:ident, $eq:ident, $ne:ident, $lt:ident, $le:ident, $gt:ident, $ge:ident) => {
            impl Lanes for $ty {
                fn compare(values: &[[Self; 8]], op: Operator, number: Self) -> Vec<u8> {
                    fn bytes(values: &[[$ty; 8]], test: impl Fn(v128) -> v128) -> Vec<u8> {
                        let two = |a, b| $mask(test($pair(a, b)));
                        let byte = |[a, b, c, d, e, f, g, h]: &[$ty; 8]| {
                            two(*a, *b) | two(*c, *d) << 2 | two(*e, *f) << 4 | two(*g, *h) << 6
                        };
                        values.iter().map(byte).collect()
                    }
                    let number = $splat(number);
                    match op {
                        Operator::Eq => bytes(values, |x| $eq(x, number)),
                        Operator::NotEq => bytes(values, |x| $ne(x, number)),
                        Operator::Lt => bytes(values, |x| $lt(x, number)),
                        Operator::LtEq => bytes(values, |x| $le(x, number)),
                        Operator::Gt => bytes(values, |x| $gt(x, number)),
                        _ => bytes(values, |x| $ge(x, number)),
                    }
                }
            }
        };
    }

    pairs!(
        f64,
        f64x2,
        f64x2_splat,
        i64x2_bitmask,
        f64x2_eq,
        f64x2_ne,
        f64x2_lt,
        f64x2_le,
        f64x2_gt,
        f64x2_ge
    );
    pairs!(
        i64,
        i64x2,
        i64x2_splat,
        i64x2_bitmask,
        i64x2_eq,
        i64x2_ne,
        i64x2_lt,
        i64x2_le,
        i64x2_gt,
        i64x2_ge
    );

    impl Lanes for i32 {
        fn compare(values: &[[Self; 8]], op: Operator, number: Self) -> Vec<u8> {
            fn bytes(values: &[[i32; 8]], test: impl Fn(v128) -> v128) -> Vec<u8> {
                let four = |a, b, c, d| i32x4_bitmask(test(i32x4(a, b, c, d)));
                let byte = |[a, b, c, d, e, f, g, h]: &[i32; 8]| {
                    four(*a, *b, *c, *d) | four(*e, *f, *g, *h) << 4
                };
                values.iter().map(byte).collect()
            }
            let number = i32x4_splat(number);
            match op {
                Operator::Eq => bytes(values, |x| i32x4_eq(x, number)),
                Operator::NotEq => bytes(values, |x| i32x4_ne(x, number)),
                Operator::Lt => bytes(values, |x| i32x4_lt(x, number)),
                Operator::LtEq => bytes(values, |x| i32x4_le(x, number)),
                Operator::Gt => bytes(values, |x| i32x4_gt(x, number)),
                _ => bytes(values, |x| i32x4_ge(x, number)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Float64Array, Int32Array, Int64Array};
    use arrow::datatypes::Field;
    use datafusion::physical_expr::expressions::{binary, lit};
    use proptest::prelude::*;

    const OPERATORS: [Operator; 6] =
        [Operator::Eq, Operator::NotEq, Operator::Lt, Operator::LtEq, Operator::Gt, Operator::GtEq];

    /// The same column as DataFusion compares it, and whole.
    fn check(column: Arc<dyn Array>, number: ScalarValue) {
        let field = Field::new("x", column.data_type().clone(), true);
        let schema = Arc::new(Schema::new(vec![field]));
        let batch = RecordBatch::try_new(schema.clone(), vec![column]).unwrap();
        for op in OPERATORS {
            let left: Arc<dyn PhysicalExpr> = Arc::new(Column::new("x", 0));
            let plain = binary(left, op, lit(number.clone()), &schema).unwrap();
            let own = Comparison::instead_of(plain.downcast_ref().unwrap(), &schema, true).unwrap();
            let rows = batch.num_rows();
            let wanted = plain.evaluate(&batch).unwrap().into_array(rows).unwrap();
            let found = own.evaluate(&batch).unwrap().into_array(rows).unwrap();
            assert_eq!(found.as_boolean(), wanted.as_boolean(), "{op}");
        }
    }

    proptest! {
        #[test]
        fn compares_as_datafusion_does(
            values in prop::collection::vec(prop::option::weighted(0.9, -3i32..3), 0..200),
            number in -3i32..3,
        ) {
            let floats: Float64Array =
                values.iter().map(|v| v.map(|v| f64::from(v) / 2.0)).collect();
            check(Arc::new(floats), (f64::from(number) / 2.0).into());
            let long: Int64Array = values.iter().map(|v| v.map(i64::from)).collect();
            check(Arc::new(long), i64::from(number).into());
            check(Arc::new(Int32Array::from(values)), number.into());
        }
    }

    #[test]
    fn a_slice_is_read_from_its_start() {
        let column = Int64Array::from_iter_values(0..100).slice(13, 50);
        check(Arc::new(column), 40i64.into());
        check(Arc::new(Float64Array::from(vec![0.0, 1.0])), (-0.0).into());
    }
}
