//! Finished rows over Arrow memory.

use super::lists;
use super::scan::TableData;
use super::udf::decimal::scale_of;
use crate::schema::Column;
use crate::value::{Decimal, Labels, Rows, Stats, Value};
use arrow::array::{Array, ArrayRef, AsArray, PrimitiveArray, RecordBatch};
use arrow::compute;
use arrow::datatypes::{
    ArrowPrimitiveType, DataType, Date32Type, Decimal128Type, Float64Type, Int8Type, Int16Type,
    Int32Type, Int64Type, TimeUnit, TimestampMicrosecondType, UInt64Type,
};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// A finished table.
#[derive(Debug)]
pub(crate) struct ArrowRows {
    columns: Vec<Column>,
    batches: Vec<RecordBatch>,
    /// The number of each batch's first row.
    starts: Vec<usize>,
    rows: usize,
    /// What is said of each column, once that was wanted.
    stats: Vec<OnceLock<Stats>>,
}

impl ArrowRows {
    /// Rows of `batches`, whose columns are `columns`.
    pub(crate) fn new(columns: Vec<Column>, batches: Vec<RecordBatch>) -> Self {
        let mut rows = 0;
        let mut starts = Vec::with_capacity(batches.len());
        for batch in &batches {
            starts.push(rows);
            rows += batch.num_rows();
        }
        let stats = columns.iter().map(|_| OnceLock::new()).collect();
        Self { columns, batches, starts, rows, stats }
    }

    /// The batches.
    pub(crate) fn batches(&self) -> &[RecordBatch] {
        &self.batches
    }

    /// Some of the rows, without a copy.
    pub(crate) fn slice(&self, offset: usize, limit: usize) -> Self {
        let end = offset.saturating_add(limit).min(self.rows);
        let mut batches = Vec::new();
        for (batch, &start) in self.batches.iter().zip(&self.starts) {
            let from = offset.max(start);
            let to = end.min(start + batch.num_rows());
            if from < to {
                batches.push(batch.slice(from - start, to - from));
            }
        }
        Self::new(self.columns.clone(), batches)
    }

    fn arrays(&self, column: usize) -> impl Iterator<Item = &ArrayRef> {
        self.batches.iter().filter_map(move |b| b.columns().get(column))
    }
}

/// Every value of a column as text, those of a dictionary once, and of a list each member too; truth
/// values are left out.
pub(crate) fn each_value(data: &TableData, column: &str, see: &mut dyn FnMut(&str)) {
    let Ok(place) = data.schema().index_of(column) else { return };
    let mut dictionaries = 0;
    for array in data.batches().iter().filter_map(|batch| batch.columns().get(place)) {
        // All batches share one dictionary.
        let values = match array.as_any_dictionary_opt() {
            Some(_) if dictionaries > 0 => continue,
            Some(dictionary) => {
                dictionaries += 1;
                dictionary.values().clone()
            }
            None if array.data_type() == &DataType::Boolean => return,
            None => array.clone(),
        };
        for row in 0..values.len() {
            match cell(&values, row) {
                Value::Null => {}
                Value::Text(text) => see(&text),
                Value::List(members) => {
                    members.iter().filter_map(member_text).for_each(|member| see(&member));
                    see(&Value::List(members).to_string());
                }
                value => see(&value.to_string()),
            }
        }
    }
}

/// A member of a list as text; nothing of what is missing, and of truth values.
pub(crate) fn member_text(member: &Value) -> Option<String> {
    (!matches!(member, Value::Null | Value::Bool(_))).then(|| member.to_string())
}

/// Bytes of a batch's own rows; a dictionary shared with others is not counted.
pub(crate) fn batch_bytes(batch: &RecordBatch) -> usize {
    let bytes = |array: &ArrayRef| match array.as_any_dictionary_opt() {
        Some(dictionary) => dictionary.keys().to_data().get_slice_memory_size(),
        None => array.to_data().get_slice_memory_size(),
    };
    let bytes = |array: &ArrayRef| lists::bytes(array).or_else(|| bytes(array).ok()).unwrap_or(0);
    batch.columns().iter().map(bytes).sum()
}

impl Rows for ArrowRows {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn len(&self) -> usize {
        self.rows
    }

    fn value(&self, row: usize, column: usize) -> Value {
        if row >= self.rows {
            return Value::Null;
        }
        let batch = self.starts.partition_point(|&start| start <= row).saturating_sub(1);
        let (Some(source), Some(start)) = (self.batches.get(batch), self.starts.get(batch)) else {
            return Value::Null;
        };
        match source.columns().get(column) {
            Some(array) => cell(array, row - start),
            None => Value::Null,
        }
    }

    fn stats(&self, column: usize) -> Stats {
        match self.stats.get(column) {
            Some(known) => known.get_or_init(|| self.stats_of(column)).clone(),
            None => self.stats_of(column),
        }
    }

    fn nulls(&self, column: usize) -> u64 {
        let count = |array: &ArrayRef| {
            let nulls = array.logical_null_count();
            // what is not finite is read as null
            let odd = array.as_primitive_opt::<Float64Type>().map_or(0, |numbers| {
                let odd = numbers.values().iter().filter(|x| !x.is_finite()).count();
                if odd == 0 {
                    0
                } else {
                    numbers.iter().flatten().filter(|x| !x.is_finite()).count()
                }
            });
            (nulls + odd) as u64
        };
        self.arrays(column).map(count).sum()
    }

    fn numbers(&self, column: usize) -> Vec<f64> {
        let mut numbers = Vec::with_capacity(self.rows);
        for array in self.arrays(column) {
            if let Some(whole) = array.as_primitive_opt::<Int64Type>()
                && whole.null_count() == 0
            {
                numbers.extend(whole.values().iter().map(|&x| x as f64));
                continue;
            }
            let known = match array.data_type() {
                DataType::Float64 | DataType::Int64 | DataType::Int32 => {
                    compute::cast(array, &DataType::Float64).ok()
                }
                _ => None,
            };
            match known.as_ref().map(AsArray::as_primitive::<Float64Type>) {
                Some(known) if known.null_count() == 0 => numbers.extend_from_slice(known.values()),
                Some(known) => numbers.extend(known.iter().map(|x| x.unwrap_or(f64::NAN))),
                None => numbers.extend(
                    (0..array.len()).map(|row| cell(array, row).as_f64().unwrap_or(f64::NAN)),
                ),
            }
        }
        numbers
    }

    fn labels(&self, column: usize) -> Labels {
        let mut labels = Labels { codes: Vec::with_capacity(self.rows), ..Labels::default() };
        let mut known: HashMap<Arc<str>, u32> = HashMap::new();
        let mut before: Option<(ArrayRef, Vec<u32>)> = None;
        let mut code = |text: Value| match text {
            Value::Text(text) => *known.entry(text).or_insert_with_key(|text| {
                labels.texts.push(text.clone());
                labels.texts.len() as u32 - 1
            }),
            _ => Labels::NONE,
        };
        for array in self.arrays(column) {
            let Some(dictionary) = array.as_dictionary_opt::<Int32Type>() else {
                labels.codes.extend((0..array.len()).map(|row| code(cell(array, row))));
                continue;
            };
            // Batches of a table share their dictionary.
            let values = dictionary.values();
            let codes = match before.take() {
                Some((known, codes)) if Arc::ptr_eq(&known, values) => codes,
                _ => (0..values.len()).map(|row| code(cell(values, row))).collect(),
            };
            let of = |key: usize| codes.get(key).copied().unwrap_or(Labels::NONE);
            let keys = dictionary.keys();
            if keys.null_count() == 0 {
                labels.codes.extend(keys.values().iter().map(|&key| of(key as usize)));
            } else {
                let keys = keys.iter();
                labels.codes.extend(keys.map(|key| key.map_or(Labels::NONE, |k| of(k as usize))));
            }
            before = Some((values.clone(), codes));
        }
        labels
    }
}

impl ArrowRows {
    fn stats_of(&self, column: usize) -> Stats {
        let nulls = self.arrays(column).map(Array::logical_null_count).sum();
        let mut stats = Stats {
            count: self.rows - nulls,
            nulls,
            min: Value::Null,
            max: Value::Null,
            sum: Value::Null,
            mean: Value::Null,
        };
        let ty = self.arrays(column).next().map(|a| a.data_type().clone());
        let Some(ty) = ty.filter(|_| stats.count > 0) else { return stats };
        match ty {
            DataType::Float64 => {
                let mut sum = 0.0;
                (stats.min, stats.max) = self.bounds::<Float64Type>(column, Value::float, |a| {
                    sum += compute::sum(a).unwrap_or_default();
                });
                stats.sum = Value::float(sum);
                stats.mean = Value::float(sum / stats.count as f64);
            }
            DataType::Decimal128(..) => {
                self.decimals(column, scale_of(&ty).unwrap_or(0), &mut stats);
            }
            DataType::Int64 => self.integers::<Int64Type>(column, &mut stats),
            DataType::Int32 => self.integers::<Int32Type>(column, &mut stats),
            DataType::Int16 => self.integers::<Int16Type>(column, &mut stats),
            DataType::Int8 => self.integers::<Int8Type>(column, &mut stats),
            DataType::Date32 => {
                (stats.min, stats.max) = self.bounds::<Date32Type>(column, Value::Date, |_| {});
            }
            DataType::Timestamp(TimeUnit::Microsecond, _) => {
                (stats.min, stats.max) =
                    self.bounds::<TimestampMicrosecondType>(column, Value::Timestamp, |_| {});
            }
            DataType::List(_) => {}
            _ => {
                for row in 0..self.rows {
                    let value = self.value(row, column);
                    if value.is_null() {
                        continue;
                    }
                    if stats.min.is_null() || value.total_cmp(&stats.min).is_lt() {
                        stats.min = value.clone();
                    }
                    if stats.max.is_null() || value.total_cmp(&stats.max).is_gt() {
                        stats.max = value;
                    }
                }
            }
        }
        stats
    }

    /// Smallest and largest; `also` sees each array while it is near, so that memory is read once.
    fn bounds<T: ArrowPrimitiveType>(
        &self,
        column: usize,
        value: impl Fn(T::Native) -> Value,
        mut also: impl FnMut(&PrimitiveArray<T>),
    ) -> (Value, Value)
    where
        T::Native: PartialOrd,
    {
        let (mut lowest, mut highest): (Option<T::Native>, Option<T::Native>) = (None, None);
        for array in self.arrays(column) {
            let array = array.as_primitive::<T>();
            also(array);
            if let (Some(low), Some(high)) = (compute::min(array), compute::max(array)) {
                lowest = Some(lowest.map_or(low, |so_far| if low < so_far { low } else { so_far }));
                highest =
                    Some(highest.map_or(high, |so_far| if high > so_far { high } else { so_far }));
            }
        }
        (lowest.map_or(Value::Null, &value), highest.map_or(Value::Null, &value))
    }

    fn integers<T: ArrowPrimitiveType>(&self, column: usize, stats: &mut Stats)
    where
        T::Native: Into<i64>,
    {
        let mut sum = 0_i128;
        (stats.min, stats.max) = self.bounds::<T>(
            column,
            |x| Value::Int(x.into()),
            |array| {
                sum += match array.nulls() {
                    None => exact_sum(array.values().iter().map(|&x| x.into())),
                    Some(_) => exact_sum(array.iter().flatten().map(Into::into)),
                }
            },
        );
        stats.sum = i64::try_from(sum).map_or_else(|_| Value::float(sum as f64), Value::Int);
        stats.mean = Value::float(sum as f64 / stats.count as f64);
    }

    /// Exact, but for a sum that has too many digits.
    fn decimals(&self, column: usize, scale: u8, stats: &mut Stats) {
        let (mut sum, mut rough) = (Some(0_i128), 0.0);
        (stats.min, stats.max) = self.bounds::<Decimal128Type>(
            column,
            |x| decimal(x, scale),
            |array| {
                for x in array.iter().flatten() {
                    sum = sum.and_then(|sum| sum.checked_add(x));
                    rough += x as f64;
                }
            },
        );
        let exact = sum.and_then(|sum| Decimal::new(sum, scale));
        let rough = rough / 10_f64.powi(scale.into());
        stats.sum = exact.map_or(Value::float(rough), Value::Decimal);
        stats.mean = Value::float(exact.map_or(rough, Decimal::to_f64) / stats.count as f64);
    }
}

/// The decimal with these digits; null where there are too many.
fn decimal(unscaled: i128, scale: u8) -> Value {
    Decimal::new(unscaled, scale).map_or(Value::Null, Value::Decimal)
}

/// The sum of less than 2³¹ numbers. The halves are added apart, which is quicker than 128 bits are.
fn exact_sum(numbers: impl Iterator<Item = i64>) -> i128 {
    let (high, low) =
        numbers.fold((0_i64, 0_i64), |(high, low), x| (high + (x >> 32), low + (x & 0xFFFF_FFFF)));
    (i128::from(high) << 32) + i128::from(low)
}

/// One cell of an array.
pub(crate) fn cell(array: &ArrayRef, row: usize) -> Value {
    if row >= array.len() || array.is_null(row) {
        return Value::Null;
    }
    match array.data_type() {
        DataType::Int64 => Value::Int(array.as_primitive::<Int64Type>().value(row)),
        DataType::Int32 => Value::Int(array.as_primitive::<Int32Type>().value(row).into()),
        DataType::Int16 => Value::Int(array.as_primitive::<Int16Type>().value(row).into()),
        DataType::Int8 => Value::Int(array.as_primitive::<Int8Type>().value(row).into()),
        DataType::UInt64 => i64::try_from(array.as_primitive::<UInt64Type>().value(row))
            .map_or(Value::Null, Value::Int),
        DataType::Float64 => Value::float(array.as_primitive::<Float64Type>().value(row)),
        DataType::Decimal128(..) => {
            let unscaled = array.as_primitive::<Decimal128Type>().value(row);
            scale_of(array.data_type()).map_or(Value::Null, |scale| decimal(unscaled, scale))
        }
        DataType::Boolean => Value::Bool(array.as_boolean().value(row)),
        DataType::Utf8 => Value::text(array.as_string::<i32>().value(row)),
        DataType::LargeUtf8 => Value::text(array.as_string::<i64>().value(row)),
        DataType::Utf8View => Value::text(array.as_string_view().value(row)),
        DataType::Date32 => Value::Date(array.as_primitive::<Date32Type>().value(row)),
        DataType::Timestamp(TimeUnit::Microsecond, _) => {
            Value::Timestamp(array.as_primitive::<TimestampMicrosecondType>().value(row))
        }
        DataType::Dictionary(_, _) => match array.as_dictionary_opt::<Int32Type>() {
            Some(dictionary) => {
                dictionary.key(row).map_or(Value::Null, |key| cell(dictionary.values(), key))
            }
            None => Value::Null,
        },
        DataType::List(_) => lists::list(array, row),
        _ => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::tables::LoadedTable;
    use crate::schema::{Kind, TableSchema};
    use crate::value::Table;
    use arrow::array::Float64Array;

    /// Three batches of two rows, and the same in plain vectors.
    fn both() -> (ArrowRows, Table) {
        let columns: Vec<Column> = [
            ("i", Kind::Int),
            ("f", Kind::Float),
            ("b", Kind::Bool),
            ("s", Kind::Text),
            ("d", Kind::Date),
            ("t", Kind::Timestamp),
        ]
        .into_iter()
        .map(|(name, kind)| Column::new(name, kind))
        .collect();
        let row = |i: i64| {
            vec![
                Value::Int(i * 3 - 5),
                if i % 2 == 0 { Value::Null } else { Value::Float(i as f64 / 4.0) },
                Value::Bool(i > 2),
                Value::text(format!("s{}", 9 - i)),
                Value::Date(i as i32),
                Value::Timestamp(i * 1_000_000),
            ]
        };
        let table = Table { columns: columns.clone(), rows: (0..6).map(row).collect() };
        let batches = (0..3)
            .flat_map(|part| {
                let rows = table.rows.iter().skip(part * 2).take(2).cloned().collect();
                let part = Table { columns: columns.clone(), rows };
                let schema = TableSchema::new("t", columns.clone());
                LoadedTable::from_rows(schema, &part).unwrap().batches
            })
            .collect();
        (ArrowRows::new(columns, batches), table)
    }

    #[test]
    fn values_and_stats_agree_with_plain_rows() {
        let (rows, table) = both();
        assert_eq!(rows.len(), 6);
        for column in 0..table.columns.len() {
            for row in 0..7 {
                assert_eq!(rows.value(row, column), table.value(row, column));
            }
            let (fast, slow) = (rows.stats(column), table.stats(column));
            assert_eq!((fast.count, fast.nulls), (slow.count, slow.nulls));
            assert_eq!((&fast.min, &fast.max, &fast.mean), (&slow.min, &slow.max, &slow.mean));
            assert_eq!(fast.sum.as_f64(), slow.sum.as_f64());
        }
        assert_eq!(rows.value(0, 99), Value::Null);
    }

    #[test]
    fn slices_cross_batches() {
        let (rows, table) = both();
        let part = rows.slice(1, 3);
        assert_eq!(part.len(), 3);
        for row in 0..3 {
            assert_eq!(part.value(row, 0), table.value(row + 1, 0));
        }
        assert_eq!(rows.slice(5, usize::MAX).len(), 1);
        assert!(rows.slice(6, 1).is_empty());
        let bytes = |rows: &ArrowRows| rows.batches.iter().map(batch_bytes).sum::<usize>();
        assert!(bytes(&part) > 0 && bytes(&part) < bytes(&rows));
    }

    #[test]
    fn columns_as_a_whole_are_what_their_cells_are() {
        /// The same cells, read one by one.
        struct Cells<'a>(&'a ArrowRows);
        impl Rows for Cells<'_> {
            fn columns(&self) -> &[Column] {
                self.0.columns()
            }
            fn len(&self) -> usize {
                self.0.len()
            }
            fn value(&self, row: usize, column: usize) -> Value {
                self.0.value(row, column)
            }
        }
        let kinds = [Kind::Int, Kind::Float, Kind::Text, Kind::Text, Kind::Date];
        let columns: Vec<Column> =
            kinds.iter().enumerate().map(|(i, k)| Column::new(format!("c{i}"), *k)).collect();
        let row = |i: i64| {
            let word = (i % 5 != 0).then(|| Value::text(format!("w{}", i % 3)));
            vec![
                if i % 7 == 0 { Value::Null } else { Value::Int(i) },
                if i % 4 == 0 { Value::Null } else { Value::Float(i as f64 / 2.0) },
                word.unwrap_or(Value::Null),
                Value::text(format!("only {i}")),
                Value::Date(i as i32),
            ]
        };
        let table = Table { columns: columns.clone(), rows: (0..90).map(row).collect() };
        let loaded =
            LoadedTable::from_rows(TableSchema::new("t", columns.clone()), &table).unwrap();
        let pieces = loaded.batches.iter().flat_map(|b| [b.slice(0, 31), b.slice(31, 59)]);
        let rows = ArrowRows::new(columns, pieces.collect());
        let bits = |numbers: Vec<f64>| numbers.into_iter().map(f64::to_bits).collect::<Vec<_>>();
        for column in 0..5 {
            assert_eq!(rows.labels(column), Cells(&rows).labels(column), "{column}");
            assert_eq!(bits(rows.numbers(column)), bits(Cells(&rows).numbers(column)), "{column}");
            assert_eq!(rows.nulls(column), Cells(&rows).nulls(column), "{column}");
        }
    }

    #[test]
    fn what_is_not_finite_counts_as_null() {
        let numbers = Float64Array::from(vec![
            Some(1.0),
            None,
            Some(f64::NAN),
            Some(f64::INFINITY),
            Some(-0.0),
        ]);
        let batch = RecordBatch::try_from_iter([("x", Arc::new(numbers) as ArrayRef)]).unwrap();
        let rows = ArrowRows::new(vec![Column::new("x", Kind::Float)], vec![batch.clone(), batch]);
        assert_eq!(rows.nulls(0), 6);
        assert_eq!(rows.nulls(1), 0);
    }
}
