//! Tests of groups by place: ranges that grow, nulls, types, and what has no place.

use super::*;
use arrow::array::{
    AsArray, BooleanArray, Date32Array, DictionaryArray, Int32Array, Int64Array, StringArray,
};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Int64Type, TimeUnit};
use std::sync::Arc;

fn direct(arrays: &[ArrayRef]) -> Direct {
    let fields = arrays.iter().map(|a| Field::new("k", a.data_type().clone(), true));
    Direct::new(&Schema::new(fields.collect::<Vec<_>>())).unwrap()
}

fn found(direct: &mut Direct, keys: &[ArrayRef]) -> Option<Vec<usize>> {
    let mut groups = vec![99];
    direct.find(keys, &mut groups).unwrap().then_some(groups)
}

fn whole(values: &[Option<i64>]) -> ArrayRef {
    Arc::new(Int64Array::from(values.to_vec()))
}

fn texts(codes: &[Option<i32>], values: &[Option<&str>]) -> ArrayRef {
    let values = StringArray::from(values.to_vec());
    let codes = Int32Array::from(codes.to_vec());
    Arc::new(DictionaryArray::new(codes, Arc::new(values)))
}

#[test]
fn a_group_is_numbered_by_its_first_row_and_keeps_its_number() {
    let first = whole(&[Some(5), Some(7), None, Some(5)]);
    let mut direct = direct(std::slice::from_ref(&first));
    assert_eq!(found(&mut direct, &[first]), Some(vec![0, 1, 2, 0]));
    // The range grows on both sides, and by more than a batch needs.
    for (value, group) in [(8, 3), (100, 4), (-30, 5), (5, 0), (7, 1), (9, 6), (-31, 7)] {
        assert_eq!(found(&mut direct, &[whole(&[Some(value)])]), Some(vec![group]), "{value}");
    }
    assert_eq!(found(&mut direct, &[whole(&[None, Some(100)])]), Some(vec![2, 4]));
    let keys = direct.keys().unwrap();
    let keys: Vec<_> = keys[0].as_primitive::<Int64Type>().iter().collect();
    assert_eq!(keys, [Some(5), Some(7), None, Some(8), Some(100), Some(-30), Some(9), Some(-31)]);
    assert_eq!(direct.len(), 8);
    assert!(direct.size() > 0);
}

#[test]
fn the_ends_of_the_whole_numbers_have_places() {
    for (value, next) in [(i64::MIN, i64::MIN + 9), (i64::MAX, i64::MAX - 9)] {
        let mut direct = direct(&[whole(&[])]);
        assert_eq!(found(&mut direct, &[whole(&[Some(value), None])]), Some(vec![0, 1]));
        assert_eq!(found(&mut direct, &[whole(&[Some(next), Some(value)])]), Some(vec![2, 0]));
        // The other end is next to it only where numbers wrap around.
        let other = value.wrapping_sub(1).wrapping_add(if value == i64::MAX { 2 } else { 0 });
        assert_eq!(found(&mut direct, &[whole(&[Some(other)])]), None);
        // Nothing came of that.
        assert_eq!(found(&mut direct, &[whole(&[Some(next)])]), Some(vec![2]));
        assert_eq!(direct.len(), 3);
    }
    let narrow = |v: &[i32]| Arc::new(Int32Array::from(v.to_vec())) as ArrayRef;
    let mut ends = direct(&[narrow(&[])]);
    assert_eq!(found(&mut ends, &[narrow(&[i32::MAX])]), Some(vec![0]));
    assert_eq!(found(&mut ends, &[narrow(&[i32::MAX - 1])]), Some(vec![1]));
    assert_eq!(found(&mut ends, &[narrow(&[i32::MIN])]), None);
}

#[test]
fn keys_without_a_value_are_a_group() {
    let mut direct = direct(&[whole(&[])]);
    assert_eq!(found(&mut direct, &[whole(&[])]), Some(vec![]));
    assert_eq!(found(&mut direct, &[whole(&[None, None])]), Some(vec![0, 0]));
    assert_eq!(found(&mut direct, &[whole(&[Some(i64::MIN), None])]), Some(vec![1, 0]));
    let keys = direct.keys().unwrap();
    assert_eq!(keys[0].as_ref(), whole(&[None, Some(i64::MIN)]).as_ref());
}

#[test]
fn several_keys_have_a_place_together() {
    let truths = |v: &[Option<bool>]| Arc::new(BooleanArray::from(v.to_vec())) as ArrayRef;
    let first =
        [whole(&[Some(1), Some(2), Some(1), None]), truths(&[Some(true), None, Some(true), None])];
    let mut direct = direct(&first);
    assert_eq!(found(&mut direct, &first), Some(vec![0, 1, 0, 2]));
    let next = [whole(&[Some(90), Some(2)]), truths(&[Some(false), None])];
    assert_eq!(found(&mut direct, &next), Some(vec![3, 1]));
    let keys = direct.keys().unwrap();
    assert_eq!(keys[0].as_ref(), whole(&[Some(1), Some(2), None, Some(90)]).as_ref());
    assert_eq!(keys[1].as_ref(), truths(&[Some(true), None, None, Some(false)]).as_ref());
}

#[test]
fn texts_are_alike_whatever_their_dictionary() {
    let first = texts(&[Some(1), Some(0), None, Some(2)], &[Some("b"), Some("a"), None]);
    let mut direct = direct(std::slice::from_ref(&first));
    assert_eq!(found(&mut direct, std::slice::from_ref(&first)), Some(vec![0, 1, 2, 2]));
    // A text stands in it twice, another one nowhere in it.
    let other =
        texts(&[Some(0), Some(1), Some(2), Some(3)], &[Some("b"), Some("c"), Some("b"), Some("")]);
    assert_eq!(found(&mut direct, &[other]), Some(vec![1, 3, 1, 4]));
    assert_eq!(found(&mut direct, &[first.slice(1, 2)]), Some(vec![1, 2]));
    let keys = direct.keys().unwrap();
    assert_eq!(keys[0].data_type(), first.data_type());
    let keys = cast(&keys[0], &DataType::Utf8).unwrap();
    let keys: Vec<_> = keys.as_string::<i32>().iter().collect();
    assert_eq!(keys, [Some("a"), Some("b"), None, Some("c"), Some("")]);
}

#[test]
fn types_stay_as_they_are() {
    let arrays: [ArrayRef; 3] = [
        Arc::new(Int32Array::from(vec![3, 4, 3])),
        Arc::new(Date32Array::from(vec![Some(20_000), None, Some(20_000)])),
        Arc::new(BooleanArray::from(vec![false, true, false])),
    ];
    for array in arrays {
        let mut direct = direct(std::slice::from_ref(&array));
        assert_eq!(found(&mut direct, std::slice::from_ref(&array)), Some(vec![0, 1, 0]));
        assert_eq!(direct.keys().unwrap()[0].as_ref(), array.slice(0, 2).as_ref());
    }
    let moments = DataType::Timestamp(TimeUnit::Microsecond, None);
    let decimals = DataType::Decimal128(9, 2);
    for other in [DataType::Float64, DataType::Utf8, DataType::UInt64, decimals, moments] {
        assert!(Direct::new(&Schema::new(vec![Field::new("k", other, true)])).is_none());
    }
}

#[test]
fn few_rows_get_few_places_and_many_no_more_than_there_are() {
    let mut few = direct(&[whole(&[])]);
    assert_eq!(found(&mut few, &[whole(&[Some(0), Some(4_094)])]), Some(vec![0, 1]));
    assert!(few.table.len() <= 4_096);
    assert_eq!(found(&mut few, &[whole(&[Some(5_000)])]), None);
    // Enough rows were read: now it may.
    for _ in 0..100 {
        assert!(found(&mut few, &[whole(&[Some(1)])]).is_some());
    }
    assert_eq!(found(&mut few, &[whole(&[Some(5_000)])]), Some(vec![3]));

    let mut many = direct(&[whole(&[])]);
    let rows: Vec<_> = (0..40_000).map(Some).collect();
    assert!(found(&mut many, &[whole(&rows)]).is_some());
    let last = (1 << 20) - 2;
    assert_eq!(found(&mut many, &[whole(&[Some(last + 1)])]), None);
    assert_eq!(found(&mut many, &[whole(&[Some(last)])]), Some(vec![40_000]));
    assert_eq!(many.table.len(), 1 << 20);
    assert_eq!(found(&mut many, &[whole(&[None, Some(39_999)])]), Some(vec![40_001, 39_999]));
}

#[test]
fn groups_move_to_places_without_room_only_for_as_many_rows() {
    let mut ids = direct(&[whole(&[])]);
    let mut rows: Vec<_> = (0..40_000).map(Some).collect();
    assert!(found(&mut ids, &[whole(&rows)]).is_some());
    assert_eq!(found(&mut ids, &[whole(&[Some(1_000_000)])]), Some(vec![40_000]));
    // There are places for this number, and none for a sixteenth of the range behind it.
    let next = Some(1_020_000);
    assert_eq!(found(&mut ids, &[whole(&[next])]), None);
    rows.push(next);
    assert_eq!(found(&mut ids, &[whole(&rows)]).unwrap().last(), Some(&40_001));
    assert_eq!(ids.table.len(), 1_020_002);
    // Groups that are there go on being found.
    assert_eq!(found(&mut ids, &[whole(&[next, Some(7)])]), Some(vec![40_001, 7]));
}

#[test]
fn a_range_grows_seldom_however_near_the_limit() {
    let rows = 1 << 14;
    let mut ids = direct(&[whole(&[])]);
    let (mut sizes, mut from) = (Vec::new(), 0);
    loop {
        let batch: Vec<_> = (from..from + rows).map(Some).collect();
        if found(&mut ids, &[whole(&batch)]).is_none() {
            break;
        }
        from += rows;
        sizes.push(ids.table.len());
    }
    sizes.dedup();
    // All but the last batch have room, and the groups moved a few times only.
    assert_eq!(from, (1 << 20) - rows);
    assert!(sizes.len() < 16, "{sizes:?}");
    assert_eq!(ids.len() as i64, from);
}
