//! What tells the rows of a table from any others: a hash of every cell in order, the same for the
//! same bytes loaded again, however they came in pieces. It is made once for a table, a bounded
//! amount of work at a time.

use super::rows::cell;
use super::scan::TableData;
use super::{Engine, Stored};
use crate::error::Result;
use crate::schema::TableSchema;
use arrow::array::{Array, ArrayRef, AsArray};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Decimal128Type, Float64Type, Int32Type, Int64Type};
use sha2::{Digest, Sha256};
use std::sync::Arc;

/// The hashing of one table's rows.
pub struct Printing {
    schema: Arc<TableSchema>,
    data: Arc<TableData>,
    folds: Vec<u64>,
    columns: Vec<Column>,
    /// The next array: of this batch, of this column.
    next: (usize, usize),
}

/// What is known of a column so far.
#[derive(Default)]
struct Column {
    values: Hash,
    /// The rows without a value: they are nothing among the values.
    nulls: Hash,
    rows: u64,
    /// The texts of the dictionary that its batches share, each as its hash.
    texts: Option<(ArrayRef, Vec<Option<Hash>>)>,
}

/// A hash of words, in two independent halves. What one word changes in either, no later word undoes.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Hash(u64, u64);

impl Hash {
    fn word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.1 = (self.1.rotate_left(41) ^ word).wrapping_mul(0xc2b2_ae3d_27d4_eb4f);
        // A product has the high bits of a word in its own high bits alone.
        self.0 ^= self.0 >> 32;
        self.1 ^= self.1 >> 29;
    }

    fn pair(&mut self, Self(first, second): Self) {
        self.word(first);
        self.word(second);
    }

    fn of(text: &str) -> Self {
        let mut hash = Self::default();
        hash.word(text.len() as u64);
        let (words, rest) = text.as_bytes().as_chunks::<8>();
        for word in words {
            hash.word(u64::from_le_bytes(*word));
        }
        hash.word(rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        hash
    }
}

impl Column {
    /// Takes in the next rows.
    fn add(&mut self, array: &ArrayRef) {
        if let Some(nulls) = array.logical_nulls() {
            for row in (0..array.len()).filter(|row| nulls.is_null(*row)) {
                self.nulls.word(self.rows + row as u64 + 1);
            }
        }
        self.rows += array.len() as u64;
        let values = &mut self.values;
        match array.data_type() {
            DataType::Float64 => {
                let array = array.as_primitive::<Float64Type>();
                array.iter().for_each(|x| values.word(x.unwrap_or_default().to_bits()));
            }
            DataType::Decimal128(..) => {
                for x in array.as_primitive::<Decimal128Type>() {
                    let x = x.unwrap_or_default();
                    values.word(x as u64);
                    values.word((x >> 64) as u64);
                }
            }
            DataType::Boolean => {
                array.as_boolean().iter().for_each(|x| values.word(u64::from(x == Some(true))));
            }
            DataType::Utf8 => {
                let texts = array.as_string::<i32>();
                texts.iter().for_each(|text| values.pair(text.map(Hash::of).unwrap_or_default()));
            }
            DataType::Dictionary(..) => self.add_coded(array),
            _ => self.add_whole(array),
        }
    }

    /// Takes in codes of a dictionary, as the texts that they stand for.
    fn add_coded(&mut self, array: &ArrayRef) {
        let coded = array.as_any_dictionary();
        let known = self.texts.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, coded.values()));
        if !known {
            let all = cast(coded.values(), &DataType::Utf8).ok();
            let all = all.as_ref().and_then(|all| all.as_string_opt::<i32>());
            let texts = all.into_iter().flatten().map(|text| text.map(Hash::of)).collect();
            self.texts = Some((Arc::clone(coded.values()), texts));
        }
        let Some((_, texts)) = &self.texts else { return };
        let Some(codes) = coded.keys().as_primitive_opt::<Int32Type>() else { return };
        for code in codes {
            let text = code.and_then(|code| texts.get(usize::try_from(code).ok()?).copied());
            self.values.pair(text.flatten().unwrap_or_default());
        }
    }

    /// Takes in whole numbers, dates and moments.
    fn add_whole(&mut self, array: &ArrayRef) {
        // A date has 32 bits, and is cast to whole numbers of as many alone.
        let narrow = match array.data_type() {
            DataType::Date32 => cast(array, &DataType::Int32),
            _ => Ok(Arc::clone(array)),
        };
        let wide = narrow.and_then(|array| cast(&array, &DataType::Int64));
        let Some(wide) = wide.as_ref().ok().and_then(|wide| wide.as_primitive_opt::<Int64Type>())
        else {
            // No table has such a column; nothing of one must go unseen.
            for row in 0..array.len() {
                self.values.pair(Hash::of(&cell(array, row).to_string()));
            }
            return;
        };
        wide.iter().for_each(|x| self.values.word(x.unwrap_or_default() as u64));
    }
}

impl Printing {
    fn of(table: &Stored) -> Self {
        let columns = table.schema.columns.iter().map(|_| Column::default()).collect();
        Self {
            schema: table.schema.clone(),
            data: table.data.clone(),
            folds: table.folds.clone(),
            columns,
            next: (0, 0),
        }
    }

    /// Does some of the work; whether it is done.
    pub fn step(&mut self) -> bool {
        let (batch, column) = self.next;
        let Some(rows) = self.data.batches().get(batch) else { return true };
        if let (Some(known), Some(array)) =
            (self.columns.get_mut(column), rows.columns().get(column))
        {
            known.add(array);
        }
        self.next =
            if column + 1 < self.columns.len() { (batch, column + 1) } else { (batch + 1, 0) };
        false
    }

    /// The table's name, and the hash of what is known of it and of its rows.
    fn print(&self) -> String {
        let mut hash = Sha256::new();
        let schema = TableSchema { version: 0, grown_from: None, ..self.schema.as_ref().clone() };
        hash.update(format!("{schema:?}\u{1f}{:?}", self.folds));
        for column in &self.columns {
            for Hash(first, second) in [column.values, column.nulls] {
                hash.update(first.to_le_bytes());
                hash.update(second.to_le_bytes());
            }
            hash.update(column.rows.to_le_bytes());
        }
        let hex = hash.finalize();
        let hex = hex.iter().take(16).fold(String::new(), |hex, b| hex + &format!("{b:02x}"));
        format!("{}:{hex}", self.schema.name)
    }
}

impl Engine {
    /// What tells the rows of each loaded table from any others, sorted; nothing until that is known
    /// of all.
    pub fn prints(&self) -> Option<Vec<String>> {
        let tables = self.shared.tables.borrow();
        let prints = tables.iter().map(|table| table.print.get().cloned());
        let mut prints = prints.collect::<Option<Vec<_>>>()?;
        prints.sort();
        Some(prints)
    }

    /// The hashing of a table of which that is not known yet.
    pub fn printing(&self) -> Option<Printing> {
        let tables = self.shared.tables.borrow();
        tables.iter().find(|table| table.print.get().is_none()).map(Printing::of)
    }

    /// What tells the rows of the table `name` from any others, and the table from others; nothing
    /// until that is known.
    ///
    /// # Errors
    /// There is no such table.
    pub fn print_of(&self, name: &str) -> Result<Option<String>> {
        let tables = self.shared.tables.borrow();
        let table = tables.iter().find(|table| table.schema.name == name);
        let table = table.ok_or_else(|| self.no_table(name))?;
        let hash = |print: &String| print.rsplit(':').next().map(str::to_owned);
        Ok(table.print.get().and_then(hash))
    }

    /// The hashing that finds that out.
    pub fn printing_of(&self, name: &str) -> Option<Printing> {
        let tables = self.shared.tables.borrow();
        tables.iter().find(|table| table.schema.name == name).map(Printing::of)
    }

    /// Takes note of what came of it, where the table is still there.
    pub fn printed(&self, done: &Printing) {
        let tables = self.shared.tables.borrow();
        let is_of = |table: &&Stored| Arc::ptr_eq(&table.schema, &done.schema);
        if let Some(table) = tables.iter().find(is_of) {
            let _ = table.print.set(done.print());
        }
    }

    /// The same at one go: for tests and servers.
    pub fn print_all(&self) -> Vec<String> {
        while let Some(mut printing) = self.printing() {
            while !printing.step() {}
            self.printed(&printing);
        }
        self.prints().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests;
