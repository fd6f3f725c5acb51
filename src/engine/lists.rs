//! Columns of lists: their one Arrow type, how they are built, and how a cell of one is read.

use super::rows::cell;
use super::tables::arrow_type;
use crate::error::{Error, Result};
use crate::schema::Member;
use crate::value::Value;
use arrow::array::{
    Array, ArrayRef, AsArray, BooleanBuilder, Float64Builder, Int64Builder, ListArray,
    NullBufferBuilder, StringBuilder,
};
use arrow::buffer::{OffsetBuffer, ScalarBuffer};
use arrow::datatypes::{DataType, Field, FieldRef};
use std::sync::Arc;

/// The field of the members: every list of a kind has the same type.
fn field(member: Member) -> FieldRef {
    Arc::new(Field::new_list_field(arrow_type(member.kind()), true))
}

/// The Arrow type of lists of such members.
pub(crate) fn type_of(member: Member) -> DataType {
    DataType::List(field(member))
}

/// What the members are of lists of an Arrow type, where the engine has such.
pub(crate) fn member_of(arrow: &DataType) -> Option<Member> {
    let DataType::List(of) = arrow else { return None };
    Member::ALL.into_iter().find(|member| arrow_type(member.kind()) == *of.data_type())
}

/// One member on its way into a column.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Item<'a> {
    /// Missing.
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(&'a str),
}

/// A column of lists while it is built. A member of another kind becomes missing, but for whole
/// numbers among doubles.
pub(crate) struct Builder {
    member: Member,
    members: Members,
    count: usize,
    offsets: Vec<i32>,
    nulls: NullBufferBuilder,
}

enum Members {
    Bool(BooleanBuilder),
    Int(Int64Builder),
    Float(Float64Builder),
    Text(StringBuilder),
}

impl Builder {
    pub(crate) fn new(member: Member) -> Self {
        let members = match member {
            Member::Bool => Members::Bool(BooleanBuilder::new()),
            Member::Int => Members::Int(Int64Builder::new()),
            Member::Float => Members::Float(Float64Builder::new()),
            Member::Text => Members::Text(StringBuilder::new()),
        };
        let nulls = NullBufferBuilder::new(0);
        Self { member, members, count: 0, offsets: vec![0], nulls }
    }

    /// Adds a member to the list at work.
    pub(crate) fn add(&mut self, item: Item<'_>) {
        self.count += 1;
        match (&mut self.members, item) {
            (Members::Bool(all), Item::Bool(b)) => all.append_value(b),
            (Members::Bool(all), _) => all.append_null(),
            (Members::Int(all), Item::Int(i)) => all.append_value(i),
            (Members::Int(all), _) => all.append_null(),
            (Members::Float(all), Item::Int(i)) => all.append_value(i as f64),
            // Adding zero turns a negative zero into a positive one.
            (Members::Float(all), Item::Float(x)) if x.is_finite() => all.append_value(x + 0.0),
            (Members::Float(all), _) => all.append_null(),
            (Members::Text(all), Item::Text(text)) => all.append_value(text),
            (Members::Text(all), _) => all.append_null(),
        }
    }

    /// Ends the list at work, or the row that has none.
    ///
    /// # Errors
    /// There are too many members.
    pub(crate) fn end(&mut self, is_list: bool) -> Result<()> {
        self.nulls.append(is_list);
        let end = i32::try_from(self.count);
        self.offsets.push(end.map_err(|_| Error::Internal("a block of long lists".into()))?);
        Ok(())
    }

    /// Adds a row: a list, or none where the value is something else.
    pub(crate) fn row(&mut self, value: &Value) -> Result<()> {
        let Value::List(members) = value else { return self.end(false) };
        for member in members.iter() {
            self.add(match member {
                Value::Bool(b) => Item::Bool(*b),
                Value::Int(i) => Item::Int(*i),
                Value::Float(x) => Item::Float(*x),
                Value::Text(text) => Item::Text(text),
                _ => Item::Null,
            });
        }
        self.end(true)
    }

    pub(crate) fn finish(mut self) -> Result<ArrayRef> {
        let members: ArrayRef = match &mut self.members {
            Members::Bool(all) => Arc::new(all.finish()),
            Members::Int(all) => Arc::new(all.finish()),
            Members::Float(all) => Arc::new(all.finish()),
            Members::Text(all) => Arc::new(all.finish()),
        };
        let offsets = OffsetBuffer::new(ScalarBuffer::from(self.offsets));
        let made = ListArray::try_new(field(self.member), offsets, members, self.nulls.finish());
        Ok(Arc::new(made.map_err(|_| Error::Internal("a column of lists".into()))?))
    }
}

/// A column of lists from values.
pub(crate) fn array_of(member: Member, values: impl Iterator<Item = Value>) -> Result<ArrayRef> {
    let mut builder = Builder::new(member);
    for value in values {
        builder.row(&value)?;
    }
    builder.finish()
}

/// The list in a row that has one.
pub(super) fn list(array: &ArrayRef, row: usize) -> Value {
    let Some(lists) = array.as_list_opt::<i32>() else { return Value::Null };
    let members = lists.value(row);
    Value::List((0..members.len()).map(|place| cell(&members, place)).collect())
}

/// Bytes of the rows of an array of lists; of a slice, of those alone.
pub(super) fn bytes(array: &ArrayRef) -> Option<usize> {
    let lists = array.as_list_opt::<i32>()?;
    let offsets = lists.offsets();
    let (from, to) = (*offsets.first()?, *offsets.last()?);
    let (from, count) = (usize::try_from(from).ok()?, usize::try_from(to - from).ok()?);
    let members = lists.values().slice(from, count).to_data().get_slice_memory_size();
    Some(members.unwrap_or(0) + offsets.len() * size_of::<i32>() + lists.len().div_ceil(8))
}

#[cfg(test)]
mod tests;
