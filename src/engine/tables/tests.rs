//! Tests of tables: their order, their range, what is settled.

use super::*;
use crate::schema::Column;
use crate::value::Table;

fn table(times: &[Option<i64>], values: &[f64]) -> LoadedTable {
    let columns = vec![Column::new("t", Kind::Timestamp), Column::new("x", Kind::Float)];
    let rows = times
        .iter()
        .zip(values)
        .map(|(t, x)| vec![t.map_or(Value::Null, Value::Timestamp), Value::Float(*x)])
        .collect();
    let mut schema = TableSchema::new("t", columns.clone());
    schema.time = Some("t".into());
    LoadedTable::from_rows(schema, &Table { columns, rows }).unwrap().settle().unwrap()
}

fn floats(table: &LoadedTable) -> Vec<Option<f64>> {
    table
        .batches
        .iter()
        .flat_map(|b| b.column(1).as_primitive::<Float64Type>().iter().collect::<Vec<_>>())
        .collect()
}

#[test]
fn rows_are_brought_into_time_order_stably() {
    let t = table(
        &[Some(180_000_000), None, Some(60_000_000), Some(120_000_000), Some(60_000_000)],
        &[3.0, 9.0, 1.0, 2.0, 1.5],
    );
    assert_eq!(floats(&t), [Some(1.0), Some(1.5), Some(2.0), Some(3.0), Some(9.0)]);
    assert_eq!(t.schema.interval, Some(60));
    assert_eq!(t.schema.range, Some((Value::Timestamp(60_000_000), Value::Timestamp(180_000_000))));
    assert_eq!(t.schema.rows, 5);
}

#[test]
fn odd_floats_are_settled() {
    let t = table(&[Some(0), Some(1), Some(2)], &[f64::NAN, f64::NEG_INFINITY, -0.0]);
    assert_eq!(floats(&t), [None, None, Some(0.0)]);
    assert!(floats(&t)[2].unwrap().is_sign_positive());
    assert!(finite(&Float64Array::from(vec![1.0, -2.0])).is_none());
}

#[test]
fn a_table_without_rows_has_no_range() {
    let t = table(&[], &[]);
    assert_eq!((t.rows(), t.schema.interval, t.schema.range.clone()), (0, None, None));
}
