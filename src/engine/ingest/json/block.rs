//! One column of the rows that are not yet handed on, written as text one after the other.

use crate::engine::ingest::column::{Cells, Nulls};

/// Marks the end of a cell without a value.
const MISSING: u32 = 1 << 31;

/// The cells of a column in the rows of a block. Rows after the last written one have no value.
#[derive(Debug, Default)]
pub(super) struct Block {
    bytes: Vec<u8>,
    ends: Vec<u32>,
}

impl Block {
    /// Writes the cell of a row, which is the last one written or comes after it; `None` is no
    /// value. Tells whether the cell had been written before.
    pub(super) fn set(&mut self, row: usize, cell: Option<&[u8]>) -> bool {
        let twice = self.ends.len() > row;
        self.ends.truncate(row);
        let start = self.ends.last().map_or(0, |end| end & !MISSING);
        self.bytes.truncate(start as usize);
        self.ends.resize(row, start | MISSING);
        match cell {
            None => self.ends.push(start | MISSING),
            Some(cell) => {
                self.bytes.extend_from_slice(cell);
                self.ends.push(self.bytes.len() as u32);
            }
        }
        twice
    }

    /// The cells of a block of this many rows.
    pub(super) fn cells(&self, rows: usize) -> BlockCells<'_> {
        BlockCells { block: self, rows }
    }

    /// Forgets the cells.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
    }
}

/// What a column reads of its block.
pub(super) struct BlockCells<'a> {
    block: &'a Block,
    rows: usize,
}

impl Cells for BlockCells<'_> {
    fn rows(&self) -> usize {
        self.rows
    }

    #[inline]
    fn get(&self, row: usize) -> &[u8] {
        let end = |row: usize| self.block.ends.get(row).map(|end| end & !MISSING);
        let start = row.checked_sub(1).and_then(end).unwrap_or(0);
        let end = end(row).unwrap_or(start);
        self.block.bytes.get(start as usize..end as usize).unwrap_or_default()
    }

    /// A text may be empty here, and is there all the same.
    #[inline]
    fn missing(&self, row: usize, _: &Nulls) -> bool {
        self.block.ends.get(row).is_none_or(|end| end & MISSING != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_given_back() {
        let mut block = Block::default();
        assert!(!block.set(1, Some(b"ab")));
        assert!(!block.set(2, Some(b"")));
        assert!(!block.set(4, None));
        assert!(!block.set(5, Some(b"c")));
        assert!(block.set(5, Some(b"def")));
        let cells = block.cells(7);
        let found: Vec<Option<&[u8]>> = (0..cells.rows())
            .map(|row| (!cells.missing(row, &Nulls::default())).then(|| cells.get(row)))
            .collect();
        let expected: [Option<&[u8]>; 7] =
            [None, Some(b"ab"), Some(b""), None, None, Some(b"def"), None];
        assert_eq!(found, expected);
    }
}
