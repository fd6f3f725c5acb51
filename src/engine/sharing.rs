//! One sorted dictionary for all batches of a text column, made batch by batch: a table of ten
//! million rows takes longer than a page may wait for a message.

use arrow::array::{Array, AsArray, DictionaryArray, Int32Array, RecordBatch, StringArray};
use arrow::datatypes::{DataType, Int32Type, Schema};
use datafusion::common::Result;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The work on one column.
#[derive(Debug, Clone)]
pub(super) struct Sharing {
    column: usize,
    /// The texts of all batches, sorted.
    all: Arc<StringArray>,
    /// The texts that batches have had, in the order of the batches, and where they are now.
    own: Vec<(StringArray, Vec<Option<i32>>)>,
    /// Which of them the next batch has, if no later one.
    at: usize,
    /// The next batch.
    next: usize,
}

impl Sharing {
    /// Bytes that the work takes beside the batches: the texts once more, and where each goes.
    pub(super) fn cost(batches: &[RecordBatch], arrow: &Schema, column: usize) -> usize {
        if !is_dictionary(arrow, column) {
            return 0;
        }
        let each = 3 * size_of::<(&str, i32)>() + size_of::<Option<i32>>();
        let texts = different(batches, column);
        let texts = texts.iter().map(|t| t.get_buffer_memory_size() + t.len() * each);
        let keys = batches.iter().map(RecordBatch::num_rows).max().unwrap_or(0) * size_of::<i32>();
        texts.sum::<usize>() + keys
    }

    /// `None` of a column that is no dictionary.
    pub(super) fn begin(batches: &[RecordBatch], arrow: &Schema, column: usize) -> Option<Self> {
        if !is_dictionary(arrow, column) {
            return None;
        }
        let different = different(batches, column);
        let distinct: HashSet<&str> = different.iter().flat_map(|t| t.iter().flatten()).collect();
        let mut values: Vec<&str> = distinct.into_iter().collect();
        values.sort_unstable();
        let all = Arc::new(StringArray::from_iter_values(&values));
        let places: HashMap<&str, i32> =
            values.iter().enumerate().map(|(place, value)| (*value, place as i32)).collect();
        let codes = |texts: &StringArray| {
            texts.iter().map(|text| places.get(text?).copied()).collect::<Vec<_>>()
        };
        let codes: Vec<_> = different.iter().map(codes).collect();
        let own = different.into_iter().zip(codes).collect();
        Some(Self { column, all, own, at: 0, next: 0 })
    }

    /// Gives the next batch the dictionary; whether there was another one.
    pub(super) fn next(&mut self, batches: &mut [RecordBatch]) -> Result<bool> {
        let Some(batch) = batches.get_mut(self.next) else { return Ok(false) };
        self.next += 1;
        let has = |(own, _): &(StringArray, _)| same_memory(own, texts(batch, self.column));
        self.at += usize::from(!self.own.get(self.at).is_some_and(has));
        let codes = self.own.get(self.at).map_or(&[][..], |(_, codes)| codes);
        let keys = batch.column(self.column).as_dictionary::<Int32Type>().keys();
        let code = |key: i32| codes.get(usize::try_from(key).ok()?).copied().flatten();
        let codes: Int32Array = if codes.iter().all(Option::is_some) {
            keys.unary(|key| code(key).unwrap_or_default())
        } else {
            keys.iter().map(|key| code(key?)).collect()
        };
        let mut columns = batch.columns().to_vec();
        if let Some(place) = columns.get_mut(self.column) {
            *place = Arc::new(DictionaryArray::try_new(codes, self.all.clone())?);
        }
        *batch = RecordBatch::try_new(batch.schema(), columns)?;
        Ok(true)
    }

    /// The dictionary.
    pub(super) fn texts(self) -> Arc<StringArray> {
        self.all
    }
}

fn is_dictionary(arrow: &Schema, column: usize) -> bool {
    matches!(arrow.field(column).data_type(), DataType::Dictionary(..))
}

/// The texts of batches. A reader gives all its batches the same: those are looked at once.
fn different(batches: &[RecordBatch], column: usize) -> Vec<StringArray> {
    let mut different: Vec<StringArray> = Vec::new();
    for batch in batches {
        let texts = texts(batch, column);
        if !different.last().is_some_and(|last| same_memory(last, texts)) {
            different.push(texts.clone());
        }
    }
    different
}

fn texts(batch: &RecordBatch, column: usize) -> &StringArray {
    batch.column(column).as_dictionary::<Int32Type>().values().as_string::<i32>()
}

/// Whether two arrays of text are the same piece of memory.
pub(super) fn same_memory(a: &StringArray, b: &StringArray) -> bool {
    a.len() == b.len()
        && a.offsets().ptr_eq(b.offsets())
        && a.values().ptr_eq(b.values())
        && match (a.nulls(), b.nulls()) {
            (None, None) => true,
            (Some(a), Some(b)) => a.buffer().ptr_eq(b.buffer()) && a.offset() == b.offset(),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arrow::array::ArrayRef;
    use arrow::datatypes::Field;

    /// A batch whose dictionary is of these texts.
    fn batch(keys: Vec<Option<i32>>, texts: &StringArray) -> RecordBatch {
        let column: ArrayRef = Arc::new(
            DictionaryArray::try_new(Int32Array::from(keys), Arc::new(texts.clone())).unwrap(),
        );
        let field = Field::new("a", column.data_type().clone(), true);
        RecordBatch::try_new(Arc::new(Schema::new(vec![field])), vec![column]).unwrap()
    }

    #[test]
    fn batches_come_to_one_sorted_dictionary_one_by_one() {
        let first = StringArray::from(vec![Some("b"), Some("a"), None]);
        let second = StringArray::from(vec!["c", "a"]);
        let mut batches = vec![
            batch(vec![Some(0), None, Some(2)], &first),
            batch(vec![Some(1)], &first),
            batch(vec![Some(0), Some(1), None], &second),
            // The texts of before, after others.
            batch(vec![Some(0)], &first),
        ];
        let schema = batches[0].schema();
        let values = |batch: &RecordBatch| {
            let column = batch.column(0).as_dictionary::<Int32Type>();
            let column = column.downcast_dict::<StringArray>().unwrap();
            column.into_iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>()
        };
        let before: Vec<_> = batches.iter().map(values).collect();
        let mut sharing = Sharing::begin(&batches, &schema, 0).unwrap();
        let mut steps = 0;
        while sharing.next(&mut batches).unwrap() {
            steps += 1;
        }
        assert_eq!(steps, 4);
        let all = sharing.texts();
        assert_eq!(all.iter().flatten().collect::<Vec<_>>(), ["a", "b", "c"]);
        assert_eq!(batches.iter().map(values).collect::<Vec<_>>(), before);
        for batch in &batches {
            assert!(same_memory(texts(batch, 0), &all));
        }
    }

    #[test]
    fn a_column_without_a_dictionary_has_none() {
        let column: ArrayRef = Arc::new(Int32Array::from(vec![1]));
        let schema = Arc::new(Schema::new(vec![Field::new("a", DataType::Int32, true)]));
        let batch = RecordBatch::try_new(schema.clone(), vec![column]).unwrap();
        assert!(Sharing::begin(&[batch], &schema, 0).is_none());
    }
}
