//! A column of text: a dictionary where few values come often, else the texts.

use crate::engine::ingest::column::{DICTIONARY_TRIAL, Finished, Interner};
use crate::engine::ingest::internal;
use crate::error::Result;
use crate::schema::{Kind, LOW_CARDINALITY};
use arrow::array::{
    Array, ArrayRef, DictionaryArray, Int32Array, NullBufferBuilder, StringArray, StringBuilder,
    StringViewArray,
};
use arrow::buffer::NullBuffer;
use std::sync::Arc;

/// Text while its file is read.
#[derive(Default)]
pub(super) struct TextColumn {
    interner: Interner,
    /// The interner is not used any more.
    closed: bool,
    rows: usize,
    blocks: Vec<Block>,
    /// Their bytes.
    held: usize,
    /// The block at work.
    block: Filling,
    /// Bytes of text in that block.
    bytes: usize,
}

enum Block {
    /// Numbers of texts in the interner.
    Keys(Vec<i32>, Option<NullBuffer>),
    Texts(StringArray),
}

enum Filling {
    Keys(Vec<i32>, NullBufferBuilder),
    Texts(StringBuilder),
}

impl Default for Filling {
    fn default() -> Self {
        Self::Keys(Vec::new(), NullBufferBuilder::new(0))
    }
}

impl TextColumn {
    /// Bytes of text in the block at work.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Bytes of the complete blocks.
    pub(super) fn held(&self) -> usize {
        self.held + self.interner.held()
    }

    /// Adds texts to the block; those among `missing` are none.
    pub(super) fn add(&mut self, texts: &StringViewArray, missing: &[String]) {
        self.rows += texts.len();
        for text in texts {
            let text = text.filter(|text| !missing.iter().any(|word| word == text));
            self.bytes += text.map_or(0, str::len);
            if let Filling::Keys(keys, nulls) = &mut self.block {
                let key = match text {
                    None => {
                        nulls.append_null();
                        Some(0)
                    }
                    Some(text) => {
                        let key = self.interner.intern(text.as_bytes());
                        key.inspect(|_| nulls.append_non_null())
                    }
                };
                match key {
                    Some(key) => {
                        keys.push(key);
                        continue;
                    }
                    None => self.close(),
                }
            }
            if let Filling::Texts(texts) = &mut self.block {
                texts.append_option(text);
            }
        }
    }

    /// Leaves the interner: the block goes on as texts.
    fn close(&mut self) {
        self.closed = true;
        if let Filling::Keys(keys, mut nulls) = std::mem::take(&mut self.block) {
            let nulls = nulls.finish();
            let mut texts = StringBuilder::new();
            written(&self.interner, &keys, nulls.as_ref(), |text| texts.append_option(text));
            self.block = Filling::Texts(texts);
        }
    }

    /// Ends the block.
    pub(super) fn flush(&mut self) {
        self.bytes = 0;
        match std::mem::take(&mut self.block) {
            Filling::Keys(keys, mut nulls) => {
                self.held += size_of_val(keys.as_slice()) + keys.len() / 8;
                self.blocks.push(Block::Keys(keys, nulls.finish()));
            }
            Filling::Texts(mut texts) => {
                let texts = texts.finish();
                self.held += texts.get_array_memory_size();
                self.blocks.push(Block::Texts(texts));
            }
        }
        self.closed |= self.rows >= DICTIONARY_TRIAL && self.interner.len() * 2 > self.rows;
        if self.closed {
            self.block = Filling::Texts(StringBuilder::new());
        }
    }

    /// The whole column.
    pub(super) fn finish(self) -> Result<Finished> {
        let Self { interner, closed, rows, blocks, .. } = self;
        let mut done = Finished::new(Kind::Text);
        let distinct = interner.len();
        if !closed {
            done.distinct = Some(distinct as u64);
            if (1..=LOW_CARDINALITY).contains(&distinct) {
                let mut values: Vec<String> = texts(&interner).map(str::to_owned).collect();
                values.sort_unstable();
                done.values = Some(values);
            }
        }
        let dictionary = !closed && distinct > 0 && distinct * 2 < rows;
        let values: ArrayRef = if dictionary {
            Arc::new(StringArray::from_iter_values(texts(&interner)))
        } else {
            Arc::new(StringArray::new_null(0))
        };
        if dictionary {
            done.memory = values.get_array_memory_size() as u64;
        }
        for block in blocks {
            let array: ArrayRef = match block {
                Block::Keys(keys, nulls) if dictionary => {
                    done.memory += keys.len() as u64 * 4;
                    let array = Int32Array::try_new(keys.into(), nulls)
                        .and_then(|keys| DictionaryArray::try_new(keys, values.clone()));
                    Arc::new(array.map_err(|_| internal("keys of a dictionary"))?)
                }
                Block::Keys(keys, nulls) => {
                    let mut texts = StringBuilder::new();
                    written(&interner, &keys, nulls.as_ref(), |text| texts.append_option(text));
                    Arc::new(texts.finish())
                }
                Block::Texts(texts) => Arc::new(texts),
            };
            if !dictionary {
                done.memory += array.get_array_memory_size() as u64;
            }
            done.nulls += array.null_count() as u64;
            done.arrays.push(array);
        }
        Ok(done)
    }
}

fn texts(interner: &Interner) -> impl Iterator<Item = &str> {
    interner.iter().map(|text| std::str::from_utf8(text).unwrap_or_default())
}

/// Calls `each` with the text of every key.
fn written(
    interner: &Interner,
    keys: &[i32],
    nulls: Option<&NullBuffer>,
    mut each: impl FnMut(Option<&str>),
) {
    for (row, key) in keys.iter().enumerate() {
        let has = nulls.is_none_or(|nulls| nulls.is_valid(row));
        let text = has.then(|| std::str::from_utf8(interner.get(*key as usize)).ok());
        each(text.flatten());
    }
}
