//! A step of a filter that looks a stored number up in a list.
//!
//! DataFusion compares every value with each of a short list. Ids lie near each other: a bit for each
//! number between the least and the greatest of the list answers with one look, however long it is.
//! The rule of [`super::compare`] puts this into filters that read a table's columns.

use arrow::array::{Array, ArrowPrimitiveType, AsArray, BooleanArray, PrimitiveArray};
use arrow::buffer::BooleanBuffer;
use arrow::datatypes::{DataType, Int32Type, Int64Type, Schema};
use arrow::record_batch::RecordBatch;
use datafusion::common::{DataFusionError, Result, ScalarValue};
use datafusion::logical_expr::ColumnarValue;
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_expr::expressions::{Column, InListExpr, Literal};
use std::fmt;
use std::sync::Arc;

/// The greatest distance between two numbers of a list: 128 KB of bits.
const WIDEST: u64 = 1 << 20;

/// `column IN (…)`, or `NOT IN`.
#[derive(Debug, Clone)]
pub(super) struct Membership {
    /// The step as DataFusion has it.
    plain: Arc<dyn PhysicalExpr>,
    column: usize,
    members: Arc<Members>,
}

impl PartialEq for Membership {
    fn eq(&self, other: &Self) -> bool {
        self.plain.eq(&other.plain)
    }
}

impl Eq for Membership {}

impl std::hash::Hash for Membership {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.plain.as_ref().hash(state);
    }
}

impl fmt::Display for Membership {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.plain.fmt(f)
    }
}

/// A bit for each number from the least on.
#[derive(Debug, PartialEq, Eq)]
struct Members {
    least: i64,
    bits: Vec<u64>,
    /// What a value that is a member gives.
    gives: bool,
}

impl Members {
    fn of(numbers: &[i64], negated: bool) -> Option<Self> {
        let (least, greatest) = (*numbers.iter().min()?, *numbers.iter().max()?);
        let width = greatest.abs_diff(least);
        if width > WIDEST {
            return None;
        }
        let mut bits = vec![0_u64; (width / 64 + 1) as usize];
        for number in numbers {
            let place = number.abs_diff(least);
            if let Some(word) = bits.get_mut((place / 64) as usize) {
                *word |= 1 << (place % 64);
            }
        }
        Some(Self { least, bits, gives: !negated })
    }

    fn test(&self, value: i64) -> bool {
        // Numbers below the least are far beyond the last bit.
        let place = value.wrapping_sub(self.least) as u64;
        let word = usize::try_from(place / 64).ok().and_then(|at| self.bits.get(at));
        (word.is_some_and(|word| word >> (place % 64) & 1 == 1)) == self.gives
    }

    fn all<T: ArrowPrimitiveType>(&self, column: &PrimitiveArray<T>) -> BooleanArray
    where
        T::Native: Into<i64>,
    {
        let values = column.values();
        let bits = BooleanBuffer::collect_bool(values.len(), |row| {
            values.get(row).is_some_and(|value| self.test((*value).into()))
        });
        BooleanArray::new(bits, column.nulls().cloned())
    }
}

impl Membership {
    /// The step that does what `list` does, where it looks a column up among numbers of its type.
    pub(super) fn instead_of(plain: &Arc<dyn PhysicalExpr>, schema: &Schema) -> Option<Self> {
        let list = plain.downcast_ref::<InListExpr>()?;
        let column = list.expr().downcast_ref::<Column>()?.index();
        let ty = schema.fields().get(column)?.data_type();
        let number =
            |expr: &Arc<dyn PhysicalExpr>| match (expr.downcast_ref::<Literal>()?.value(), ty) {
                (ScalarValue::Int64(Some(x)), DataType::Int64) => Some(*x),
                (ScalarValue::Int32(Some(x)), DataType::Int32) => Some(i64::from(*x)),
                _ => None,
            };
        let numbers: Vec<i64> = list.list().iter().map(number).collect::<Option<_>>()?;
        let members = Arc::new(Members::of(&numbers, list.negated())?);
        Some(Self { plain: Arc::clone(plain), column, members })
    }
}

impl PhysicalExpr for Membership {
    fn data_type(&self, _: &Schema) -> Result<DataType> {
        Ok(DataType::Boolean)
    }

    fn nullable(&self, schema: &Schema) -> Result<bool> {
        self.plain.nullable(schema)
    }

    fn evaluate(&self, batch: &RecordBatch) -> Result<ColumnarValue> {
        let column = batch.columns().get(self.column);
        let column = column.ok_or_else(|| DataFusionError::Internal("no such column".into()))?;
        let found = match column.data_type() {
            DataType::Int64 => column.as_primitive_opt::<Int64Type>().map(|c| self.members.all(c)),
            _ => column.as_primitive_opt::<Int32Type>().map(|c| self.members.all(c)),
        };
        match found {
            Some(found) => Ok(ColumnarValue::Array(Arc::new(found))),
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

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{Int32Array, Int64Array};
    use arrow::datatypes::Field;
    use datafusion::physical_expr::expressions::{in_list, lit};
    use proptest::prelude::*;

    /// The same column as DataFusion looks it up, and whole.
    fn check(column: Arc<dyn Array>, list: &[ScalarValue], negated: bool) {
        let field = Field::new("x", column.data_type().clone(), true);
        let schema = Arc::new(Schema::new(vec![field]));
        let batch = RecordBatch::try_new(Arc::clone(&schema), vec![column]).unwrap();
        let x: Arc<dyn PhysicalExpr> = Arc::new(Column::new("x", 0));
        let list = list.iter().map(|number| lit(number.clone())).collect();
        let plain = in_list(x, list, &negated, &schema).unwrap();
        let own = Membership::instead_of(&plain, &schema).unwrap();
        let rows = batch.num_rows();
        let wanted = plain.evaluate(&batch).unwrap().into_array(rows).unwrap();
        let found = own.evaluate(&batch).unwrap().into_array(rows).unwrap();
        assert_eq!(found.as_boolean(), wanted.as_boolean());
    }

    proptest! {
        #[test]
        fn finds_what_datafusion_finds(
            values in prop::collection::vec(prop::option::weighted(0.9, -90i32..90), 0..200),
            numbers in prop::collection::vec(-70i32..70, 1..30),
            negated in any::<bool>(),
        ) {
            let list: Vec<ScalarValue> = numbers.iter().map(|x| i64::from(*x).into()).collect();
            let long: Int64Array = values.iter().map(|v| v.map(i64::from)).collect();
            check(Arc::new(long), &list, negated);
            let list: Vec<ScalarValue> = numbers.iter().map(|x| (*x).into()).collect();
            check(Arc::new(Int32Array::from(values)), &list, negated);
        }
    }

    #[test]
    fn the_ends_of_the_numbers_are_no_neighbours() {
        let ends = [i64::MIN, i64::MIN + 1, -1, 0, 1, i64::MAX - 1, i64::MAX];
        let column: Arc<dyn Array> = Arc::new(Int64Array::from_iter_values(ends).slice(1, 6));
        for numbers in [&[i64::MAX, i64::MAX - 3][..], &[i64::MIN, i64::MIN + 70], &[0, 1, -1]] {
            let list: Vec<ScalarValue> = numbers.iter().map(|x| (*x).into()).collect();
            check(Arc::clone(&column), &list, false);
            check(Arc::clone(&column), &list, true);
        }
        assert_eq!(Members::of(&[0, i64::MAX], false), None);
        assert_eq!(Members::of(&[i64::MIN, i64::MAX], false), None);
        assert_eq!(Members::of(&[], false), None);
    }
}
