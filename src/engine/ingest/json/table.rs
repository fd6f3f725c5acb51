//! From objects to the columns of a table: nested ones are flattened, lists are written as text,
//! and each block of rows is handed to the columns.

use super::field::{Field, sort};
use super::geojson;
use super::names::Names;
use super::problems::{MOST_COLUMNS, too_deep, too_many};
use super::scan::{self, Walk};
use super::tree::{Child, ROOT, Tree};
use crate::engine::ingest::column::Nulls;
use crate::engine::ingest::options::Options;
use crate::engine::ingest::report::{Note, NoteCode};
use crate::engine::ingest::{Cast, Room};
use crate::error::Result;
use crate::schema::Kind;

/// A block has at most this many rows, about this many cells and about this many bytes.
const BLOCK_ROWS: usize = 16_384;
const BLOCK_CELLS: usize = 1 << 20;
const BLOCK_BYTES: usize = 16 << 20;
/// The column of values that are not in objects.
const VALUE: &[u8] = b"value";

/// What the rows are, by the first of them.
enum Shape {
    /// Objects, or single values.
    Objects,
    /// GeoJSON features.
    Features,
    /// Lists, with the members of the root that their places stand for.
    Lists(Vec<usize>),
}

/// A table being read.
pub(super) struct Table {
    types: Vec<(String, Kind)>,
    nulls: Nulls,
    room: Room,
    shape: Option<Shape>,
    tree: Tree,
    names: Names,
    fields: Vec<Field>,
    /// Rows of the blocks that were handed on.
    blocks: Vec<usize>,
    block_rows: usize,
    block_bytes: usize,
    rows: u64,
    /// Strings with escapes of half characters.
    broken: u64,
    notes: Vec<Note>,
    scratch: Vec<u8>,
}

impl Table {
    /// An empty table.
    pub(super) fn new(options: &Options, room: Room) -> Self {
        Self {
            types: options.kinds(),
            nulls: Nulls(options.nulls.clone().unwrap_or_default()),
            room,
            shape: None,
            tree: Tree::default(),
            names: Names::default(),
            fields: Vec::new(),
            blocks: Vec::new(),
            block_rows: 0,
            block_bytes: 0,
            rows: 0,
            broken: 0,
            notes: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Rows read so far.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Takes one element: good JSON without white space around it.
    pub(super) fn push(&mut self, element: &[u8]) -> Result<()> {
        let mut walk = Walk::new(element);
        let first = walk.peek();
        let shape = match self.shape.take() {
            Some(shape) => shape,
            None if first == Some(b'[') => match self.header(element)? {
                (places, true) => {
                    self.shape = Some(Shape::Lists(places));
                    return Ok(());
                }
                (places, false) => Shape::Lists(places),
            },
            None if geojson::is_feature(element) => {
                self.notes.push(geojson::geometry_left_out());
                Shape::Features
            }
            None => Shape::Objects,
        };
        match (first, &shape) {
            (Some(b'{'), Shape::Features) => self.feature(&mut walk)?,
            (Some(b'{'), _) => self.object(ROOT, &mut walk)?,
            (Some(b'['), Shape::Lists(places)) => self.list(places, &mut walk)?,
            (Some(b'n'), _) => {}
            _ => self.member(ROOT, VALUE, &mut walk)?,
        }
        self.shape = Some(shape);
        self.rows += 1;
        self.block_rows += 1;
        let full = self.block_rows >= BLOCK_ROWS
            || self.block_rows * self.fields.len() >= BLOCK_CELLS
            || self.block_bytes >= BLOCK_BYTES;
        if full { self.flush() } else { Ok(()) }
    }

    /// The columns with their names.
    pub(super) fn finish(mut self, notes: &mut Vec<Note>) -> Result<Vec<(String, Cast)>> {
        self.flush()?;
        let mut columns = Vec::with_capacity(self.fields.len());
        notes.append(&mut self.notes);
        if self.broken > 0 {
            let broken = self.broken;
            notes.push(Note::new(
                NoteCode::InvalidCharacters,
                text!(
                    "texts with escapes that are no characters: {broken}",
                    "строк с кодами, которые не обозначают знаков: {broken}"
                ),
            ));
        }
        for field in self.fields {
            // nothing but nulls in place of objects is no column
            if field.sorts == 0 && field.beside {
                continue;
            }
            let forced = self.types.iter().any(|(name, _)| *name == field.name);
            field.note(forced, notes);
            columns.push((field.name, Cast::Written(Box::new(field.column))));
        }
        Ok(columns)
    }

    /// The members of the root that the places of a first list stand for, and whether that list
    /// is made of their names: it is when all of it is text.
    fn header(&mut self, list: &[u8]) -> Result<(Vec<usize>, bool)> {
        let mut walk = Walk::new(list);
        let mut names = Vec::new();
        let mut header = true;
        walk.take(b'[');
        while walk.peek().is_some_and(|byte| byte != b']') {
            let value = walk.value();
            header &= value.first() == Some(&b'"');
            names.push(value);
            walk.take(b',');
        }
        header &= !names.is_empty();
        let mut places = Vec::new();
        for name in names {
            if header {
                let mut scratch = Vec::new();
                let name = scan::string(name, &mut scratch, &mut self.broken);
                let member = self.tree.add(ROOT, name).ok_or_else(too_many)?;
                self.column(ROOT, member)?;
                places.push(member);
            } else {
                places.push(self.place(places.len())?);
            }
        }
        if !header {
            self.notes.push(Note::new(
                NoteCode::NoHeader,
                text!(
                    "the file has no names of columns; they are called `column_1` and so on",
                    "в файле нет имён столбцов; они названы `column_1` и так далее"
                ),
            ));
        }
        Ok((places, header))
    }

    /// The member of the root that a place in lists without a name stands for.
    fn place(&mut self, place: usize) -> Result<usize> {
        let name = format!("column_{}", place + 1);
        let member = self.tree.add(ROOT, name.as_bytes()).ok_or_else(too_many)?;
        self.column(ROOT, member)?;
        Ok(member)
    }

    fn list(&mut self, places: &[usize], walk: &mut Walk) -> Result<()> {
        walk.take(b'[');
        let mut number = 0;
        while walk.peek().is_some_and(|byte| byte != b']') {
            let member = if let Some(member) = places.get(number) {
                *member
            } else {
                let name = format!("column_{}", number + 1);
                self.tree.find(ROOT, name.as_bytes()).ok_or_else(too_many)?
            };
            self.value(ROOT, member, walk)?;
            walk.take(b',');
            number += 1;
        }
        Ok(())
    }

    /// A GeoJSON feature: its properties, and its number where it has one.
    fn feature(&mut self, walk: &mut Walk) -> Result<()> {
        walk.take(b'{');
        while let Some(key) = walk.key() {
            match (key, walk.peek()) {
                (b"\"properties\"", Some(b'{')) => self.object(ROOT, walk)?,
                (b"\"id\"", Some(b'"' | b'-' | b'0'..=b'9')) => {
                    let own = self.tree.features();
                    self.member(own, b"id", walk)?;
                }
                _ => {
                    walk.value();
                }
            }
        }
        Ok(())
    }

    fn object(&mut self, node: usize, walk: &mut Walk) -> Result<()> {
        walk.take(b'{');
        self.tree.restart(node);
        let mut scratch = Vec::new();
        while let Some(key) = walk.key() {
            let key = scan::string(key, &mut scratch, &mut self.broken);
            self.member(node, key, walk)?;
        }
        Ok(())
    }

    fn member(&mut self, node: usize, key: &[u8], walk: &mut Walk) -> Result<()> {
        let member = self.tree.find(node, key).ok_or_else(too_many)?;
        self.value(node, member, walk)
    }

    /// Writes the value that comes next to the column of a member, or to those of its own members.
    fn value(&mut self, node: usize, member: usize, walk: &mut Walk) -> Result<()> {
        let Child { column, node: inner } = self.tree.child(node, member);
        let first = walk.peek();
        if first == Some(b'{') {
            let text = column.and_then(|c| self.fields.get(c)).is_some_and(|f| f.sorts != 0);
            if inner.is_some() || !text {
                if let Some(field) = column.and_then(|c| self.fields.get_mut(c)) {
                    field.beside = true;
                }
                let inner = self.tree.inner(node, member).ok_or_else(too_deep)?;
                return self.object(inner, walk);
            }
        }
        let value = walk.value();
        if first == Some(b'n') && inner.is_some() && column.is_none() {
            return Ok(());
        }
        let column = match column {
            Some(column) => column,
            None => self.column(node, member)?,
        };
        if inner.is_some()
            && let Some(field) = self.fields.get_mut(column)
        {
            field.beside = true;
        }
        match first {
            Some(b'n') => self.put(column, None),
            Some(b'"') => {
                let mut scratch = std::mem::take(&mut self.scratch);
                let text = scan::string(value, &mut scratch, &mut self.broken);
                self.put(column, Some((text, sort::TEXT)));
                self.scratch = scratch;
            }
            Some(open @ (b'[' | b'{')) => {
                let mut scratch = std::mem::take(&mut self.scratch);
                scratch.clear();
                scan::compact(value, &mut scratch);
                let sort = if open == b'[' { sort::LIST } else { sort::OBJECT };
                self.put(column, Some((&scratch, sort)));
                self.scratch = scratch;
            }
            Some(b't' | b'f') => self.put(column, Some((value, sort::TRUTH))),
            _ => self.put(column, Some((scan::number(value), sort::NUMBER))),
        }
        Ok(())
    }

    fn put(&mut self, column: usize, cell: Option<(&[u8], u8)>) {
        let Some(field) = self.fields.get_mut(column) else { return };
        let cell = cell.filter(|(text, _)| !self.nulls.listed(text));
        if let Some((text, sort)) = cell {
            field.sorts |= sort;
            self.block_bytes += text.len();
        }
        field.set(self.block_rows, cell.map(|(text, _)| text));
    }

    /// A new column of a member.
    fn column(&mut self, node: usize, member: usize) -> Result<usize> {
        let number = self.fields.len();
        let path = self.tree.path(node, member);
        let name = self.names.unique(path, number + 1, &mut self.notes);
        if number >= MOST_COLUMNS || self.names.too_long() {
            return Err(too_many());
        }
        let forced = self.types.iter().find(|(n, _)| *n == name).map(|(_, kind)| *kind);
        let mut field = Field::new(name, forced);
        for rows in &self.blocks {
            field.flush(*rows, &self.nulls)?;
        }
        self.room.more(field.column.held())?;
        self.fields.push(field);
        self.tree.set_column(node, member, number);
        Ok(number)
    }

    /// Hands the block to the columns.
    fn flush(&mut self) -> Result<()> {
        if self.block_rows == 0 {
            return Ok(());
        }
        for field in &mut self.fields {
            field.flush(self.block_rows, &self.nulls)?;
        }
        self.room.hold(self.fields.iter().map(|field| field.column.held()).sum())?;
        self.blocks.push(self.block_rows);
        self.block_rows = 0;
        self.block_bytes = 0;
        Ok(())
    }
}
