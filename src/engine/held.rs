//! What rows hold of memory: each buffer once, by what was allocated for it. A slice of a large batch
//! keeps all of it alive, and what a disk gives back has dictionaries of its own.

use super::lists;
use super::scan::TableData;
use arrow::array::{Array, ArrayData, ArrayRef, AsArray, RecordBatch};
use arrow::buffer::{Buffer, NullBuffer};
use arrow::datatypes::DataType;
use std::collections::HashSet;
use std::sync::Arc;

/// Counts the memory of batches that are kept together. What is the table's own is there without
/// them: of that they hold their share, and nothing of its dictionaries.
#[derive(Debug, Default)]
pub(crate) struct Held {
    tables: Vec<Arc<TableData>>,
    counted: HashSet<usize>,
}

/// Where a buffer begins that others may be parts of.
fn place(buffer: &Buffer) -> usize {
    buffer.data_ptr().as_ptr() as usize
}

fn buffers(data: &ArrayData) -> impl Iterator<Item = &Buffer> {
    data.buffers().iter().chain(data.nulls().map(NullBuffer::buffer))
}

impl Held {
    /// Of rows that may be those of tables.
    pub(crate) fn beside(tables: Vec<Arc<TableData>>) -> Self {
        Self { tables, counted: HashSet::new() }
    }

    /// All that batches hold.
    pub(crate) fn of(batches: &[RecordBatch]) -> usize {
        let mut held = Self::default();
        batches.iter().map(|batch| held.more(batch)).sum()
    }

    /// All that a column of batches holds.
    pub(crate) fn of_column(batches: &[RecordBatch], column: usize) -> usize {
        let mut held = Self::default();
        let arrays = batches.iter().filter_map(|batch| batch.columns().get(column));
        arrays.map(|array| held.array(array)).sum()
    }

    /// Every place of a buffer in batches.
    pub(crate) fn places(batches: &[RecordBatch]) -> HashSet<usize> {
        let mut held = Self::default();
        for batch in batches {
            held.more(batch);
        }
        held.counted
    }

    /// Forgets what was counted.
    pub(crate) fn clear(&mut self) {
        self.counted.clear();
    }

    /// What a batch holds that those before it do not.
    pub(crate) fn more(&mut self, batch: &RecordBatch) -> usize {
        batch.columns().iter().map(|array| self.array(array)).sum()
    }

    fn array(&mut self, array: &ArrayRef) -> usize {
        if let Some(dictionary) = array.as_any_dictionary_opt() {
            let keys = dictionary.keys().to_data();
            let keys = self.share(&keys, || keys.get_slice_memory_size().ok());
            return keys + self.whole(&dictionary.values().to_data());
        }
        let data = array.to_data();
        let is_list = matches!(array.data_type(), DataType::List(_));
        self.share(&data, || {
            if is_list { lists::bytes(array) } else { data.get_slice_memory_size().ok() }
        })
    }

    /// Bytes of rows: of a table's the `part` that they are.
    fn share(&mut self, data: &ArrayData, part: impl FnOnce() -> Option<usize>) -> usize {
        if buffers(data).any(|buffer| self.is_of_table(buffer)) {
            return part().unwrap_or(0);
        }
        self.whole(data)
    }

    fn whole(&mut self, data: &ArrayData) -> usize {
        let mut bytes = 0;
        for buffer in buffers(data) {
            if !self.is_of_table(buffer) && self.counted.insert(place(buffer)) {
                bytes += buffer.capacity();
            }
        }
        data.child_data().iter().fold(bytes, |bytes, child| bytes + self.whole(child))
    }

    fn is_of_table(&self, buffer: &Buffer) -> bool {
        self.tables.iter().any(|table| table.has(place(buffer)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::{DictionaryArray, Int32Array, Int64Array, StringArray};

    fn batch(columns: Vec<(&str, ArrayRef)>) -> RecordBatch {
        RecordBatch::try_from_iter(columns).unwrap()
    }

    fn numbers(count: i64) -> ArrayRef {
        Arc::new(Int64Array::from_iter_values(0..count))
    }

    fn words(values: &Arc<StringArray>, rows: i32) -> ArrayRef {
        let keys = Int32Array::from_iter_values((0..rows).map(|row| row % 2));
        Arc::new(DictionaryArray::new(keys, values.clone()))
    }

    #[test]
    fn a_slice_holds_all_that_it_is_of_and_once() {
        let whole = batch(vec![("a", numbers(100_000))]);
        let mut held = Held::default();
        assert_eq!(held.more(&whole.slice(7, 3)), 800_000);
        assert_eq!(held.more(&whole.slice(50, 1000)), 0);
        assert_eq!(held.more(&batch(vec![("a", numbers(8))])), 64);
        held.clear();
        assert_eq!(held.more(&whole), 800_000);
        // nulls and members count, too
        let lists: ArrayRef =
            Arc::new(arrow::array::ListArray::from_iter_primitive::<
                arrow::datatypes::Int64Type,
                _,
                _,
            >((0..1000).map(|i| (i % 3 > 0).then(|| vec![Some(i); 9]))));
        let bytes = Held::of(&[batch(vec![("a", lists)])]);
        assert!(bytes >= 666 * 9 * 8 + 1001 * 4 + 1000 / 8, "{bytes}");
    }

    #[test]
    fn a_dictionary_counts_once_and_that_of_the_table_not_at_all() {
        let values = || Arc::new(StringArray::from(vec!["x".repeat(5000), "y".repeat(5000)]));
        let (shared, other) = (values(), values());
        let one = batch(vec![("w", words(&shared, 1024))]);
        let two = batch(vec![("w", words(&shared, 1024))]);
        let mut held = Held::default();
        let first = held.more(&one);
        assert!((14_096..20_000).contains(&first), "{first}");
        assert_eq!(held.more(&two), 4096);
        let table = TableData::shared(&one.schema(), vec![one.clone()], vec![Some(shared)]);
        assert_eq!(table.bytes(), first);
        let mut beside = Held::beside(vec![Arc::new(table)]);
        assert_eq!(beside.more(&one.slice(0, 100)), 400, "their share of the table's rows");
        assert_eq!(beside.more(&two), 4096);
        assert!(beside.more(&batch(vec![("w", words(&other, 1024))])) >= 14_096);
    }
}
