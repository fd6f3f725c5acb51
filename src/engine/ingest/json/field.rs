//! A column while its rows are read: the cells of the block, and what sorts of values it has had.

use super::block::Block;
use crate::engine::ingest::column::{Column, Nulls, Written};
use crate::engine::ingest::internal;
use crate::engine::ingest::report::{Note, NoteCode};
use crate::error::Result;
use crate::schema::Kind;

/// The sorts of values that a column was written with.
pub(super) mod sort {
    pub const TEXT: u8 = 1;
    pub const NUMBER: u8 = 2;
    pub const TRUTH: u8 = 4;
    pub const LIST: u8 = 8;
    pub const OBJECT: u8 = 16;
}

/// A column and what is known of its values.
pub(super) struct Field {
    /// Its name in the table.
    pub name: String,
    /// Its values in the blocks before.
    pub column: Column,
    block: Block,
    /// The sorts of its values, by [`sort`].
    pub sorts: u8,
    /// Some object has it twice.
    pub twice: bool,
    /// Other rows have an object in its place, which has columns of its own.
    pub beside: bool,
}

impl Field {
    /// A column without rows.
    pub(super) fn new(name: String, forced: Option<Kind>) -> Self {
        Self {
            name,
            column: Column::new(forced),
            block: Block::default(),
            sorts: 0,
            twice: false,
            beside: false,
        }
    }

    /// Writes the cell of a row; `None` is no value.
    pub(super) fn set(&mut self, row: usize, cell: Option<&[u8]>) {
        self.twice |= self.block.set(row, cell);
    }

    /// Hands a block of this many rows to the column.
    pub(super) fn flush(&mut self, rows: usize, nulls: &Nulls) -> Result<()> {
        self.column.set_written(self.written());
        let pushed = self.column.push(&self.block.cells(rows), nulls);
        self.block.clear();
        pushed.ok_or_else(|| internal("a block over 2 GiB"))
    }

    /// How the values were written, as far as they are there.
    fn written(&self) -> Written {
        match self.sorts {
            0 | sort::NUMBER | sort::TRUTH => Written::Bare,
            sort::TEXT => Written::Quoted,
            sort::LIST => Written::Lists,
            _ => Written::Mixed,
        }
    }

    /// Tells what became of values that a column has no kind for.
    pub(super) fn note(&self, forced: bool, notes: &mut Vec<Note>) {
        let name = &self.name;
        let mut note = |code, text| notes.push(Note::new(code, text).column(name));
        if self.twice {
            note(
                NoteCode::DuplicateKeys,
                text!(
                    "some objects have `{name}` more than once; the last value is kept",
                    "в некоторых объектах `{name}` встречается не раз; взято последнее значение"
                ),
            );
        }
        if self.beside {
            note(
                NoteCode::MixedTypes,
                text!(
                    "some rows have an object in `{name}`; it is in columns of its own",
                    "в части строк в `{name}` стоит объект; он в отдельных столбцах"
                ),
            );
        }
        if forced {
            return;
        }
        if self.sorts.count_ones() > 1 {
            note(
                NoteCode::MixedTypes,
                text!(
                    "column `{name}` is text: its values are of different types",
                    "столбец `{name}` — текст: его значения разных типов"
                ),
            );
        }
    }
}
