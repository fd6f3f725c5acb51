//! The values of one column while batches come: gathered to blocks of rows.

use super::plan::Plan;
use super::text::TextColumn;
use crate::engine::ingest::column::{Cells, Column, Finished, Nulls};
use crate::engine::ingest::internal;
use crate::engine::rows as cells;
use crate::engine::tables::kind_of;
use crate::error::Result;
use crate::schema::Kind;
use crate::value::Value;
use arrow::array::{Array, ArrayRef, AsArray, StringArray};
use arrow::compute::{cast, concat};
use arrow::datatypes::{DataType, Date32Type, Float64Type, TimestampMicrosecondType};

/// Where the values of a column go.
pub(super) enum Store {
    /// They are of the engine's types.
    Plain {
        /// Pieces of the block at work.
        parts: Vec<ArrayRef>,
        /// Complete blocks.
        blocks: Vec<ArrayRef>,
        /// Their bytes.
        held: usize,
    },
    /// Text.
    Text(TextColumn),
    /// Their kind is decided by how they are written.
    Written {
        /// Pieces of the block at work.
        parts: Vec<ArrayRef>,
        /// Complete blocks.
        column: Box<Column>,
        /// The kind that is asked for.
        kind: Option<Kind>,
        /// Bytes of text in the block at work.
        bytes: usize,
    },
}

/// What came of a store.
pub(super) enum Stored {
    /// Values of the engine's types.
    Typed(Finished),
    /// A column whose kind is to be decided.
    Written(Box<Column>),
}

impl Store {
    /// A store for values of the engine's types.
    pub(super) fn new(plan: Plan) -> Self {
        if plan.kind() == Kind::Text {
            return Self::Text(TextColumn::default());
        }
        Self::Plain { parts: Vec::new(), blocks: Vec::new(), held: 0 }
    }

    /// A store for values whose kind is asked for or decided when all are there.
    pub(super) fn written(kind: Option<Kind>) -> Self {
        Self::Written { parts: Vec::new(), column: Box::new(Column::new(kind)), kind, bytes: 0 }
    }

    /// Bytes of text in the block at work.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Plain { .. } => 0,
            Self::Text(texts) => texts.bytes(),
            Self::Written { bytes, .. } => *bytes,
        }
    }

    /// Bytes of the complete blocks.
    pub(super) fn held(&self) -> usize {
        match self {
            Self::Plain { held, .. } => *held,
            Self::Text(texts) => texts.held(),
            Self::Written { column, .. } => column.held(),
        }
    }

    /// Adds values that were prepared; texts among `missing` are none.
    pub(super) fn add(&mut self, array: ArrayRef, missing: &[String]) {
        match self {
            Self::Plain { parts, .. } => parts.push(array),
            Self::Text(texts) => {
                if let Some(array) = array.as_string_view_opt() {
                    texts.add(array, missing);
                }
            }
            Self::Written { parts, bytes, .. } => {
                if let Some(texts) = array.as_string_view_opt() {
                    *bytes += texts.iter().flatten().map(str::len).sum::<usize>();
                }
                parts.push(array);
            }
        }
    }

    /// Ends the block.
    pub(super) fn flush(&mut self, nulls: &Nulls) -> Result<()> {
        match self {
            Self::Plain { parts, blocks, held } => {
                let block = joined(&alike(std::mem::take(parts))?)?;
                *held += block.get_array_memory_size();
                blocks.push(block);
            }
            Self::Text(texts) => texts.flush(),
            Self::Written { parts, column, kind, bytes } => {
                *bytes = 0;
                let texts: StringArray = std::mem::take(parts)
                    .iter()
                    .flat_map(|part| (0..part.len()).map(|row| cell(part, row, *kind)))
                    .collect();
                column.push(&Texts(&texts), nulls).ok_or_else(|| internal("a block over 2 GiB"))?;
            }
        }
        Ok(())
    }

    /// All values; `kind` holds where none says otherwise.
    pub(super) fn finish(self, plan: Plan, kind: Option<Kind>) -> Result<Stored> {
        Ok(Stored::Typed(match self {
            Self::Plain { blocks, .. } => {
                let arrays = alike(blocks)?;
                let kind = arrays.first().and_then(|array| kind_of(array.data_type()));
                let mut done = Finished::new(kind.unwrap_or(plan.kind()));
                done.arrays = arrays;
                done.nulls = done.arrays.iter().map(|a| a.null_count() as u64).sum();
                done.memory = done.arrays.iter().map(|a| a.get_array_memory_size() as u64).sum();
                done
            }
            Self::Text(texts) => texts.finish()?,
            Self::Written { mut column, .. } => {
                if plan != Plan::Empty {
                    column.fall_back(kind.unwrap_or(plan.kind()));
                }
                return Ok(Stored::Written(column));
            }
        }))
    }
}

/// The parts as one array with memory of its own.
fn joined(parts: &[ArrayRef]) -> Result<ArrayRef> {
    let first = parts.first().ok_or_else(|| internal("a block without rows"))?;
    // one array alone would keep the memory of its whole message
    let none = first.slice(0, 0);
    let parts: Vec<&dyn Array> =
        parts.iter().map(AsRef::as_ref).chain(std::iter::once(none.as_ref())).collect();
    concat(&parts).map_err(|_| internal("joining batches"))
}

/// Numbers of one type: whole numbers beside decimals become such, and all become doubles beside
/// doubles.
fn alike(arrays: Vec<ArrayRef>) -> Result<Vec<ArrayRef>> {
    let of = |wanted: fn(&DataType) -> bool| {
        arrays.iter().map(Array::data_type).find(|ty| wanted(ty)).cloned()
    };
    let Some(ty) = of(DataType::is_floating).or(of(DataType::is_decimal)) else {
        return Ok(arrays);
    };
    let typed = arrays.iter().map(|array| cast(array, &ty));
    typed.collect::<std::result::Result<_, _>>().map_err(|_| internal("whole numbers"))
}

/// A value as it is written.
fn cell(array: &ArrayRef, row: usize, kind: Option<Kind>) -> Option<String> {
    let dates = kind == Some(Kind::Date);
    const DAY_MICROS: i64 = 86_400_000_000;
    if array.is_null(row) || array.data_type() == &DataType::Null {
        return None;
    }
    Some(match array.data_type() {
        DataType::Utf8View => array.as_string_view().value(row).to_owned(),
        DataType::Decimal128(..) => match cells::cell(array, row) {
            // zeros behind the point do not keep a number from being whole
            Value::Decimal(x) if kind != Some(Kind::Text) => x.shortest().to_string(),
            value => value.to_string(),
        },
        DataType::Boolean => array.as_boolean().value(row).to_string(),
        DataType::Float64 => {
            let value = array.as_primitive::<Float64Type>().value(row);
            return value.is_finite().then(|| value.to_string());
        }
        DataType::Date32 => Value::Date(array.as_primitive::<Date32Type>().value(row)).to_string(),
        DataType::Timestamp(_, _) => {
            let micros = array.as_primitive::<TimestampMicrosecondType>().value(row);
            if dates && micros % DAY_MICROS == 0 {
                Value::Date((micros / DAY_MICROS) as i32).to_string()
            } else {
                Value::Timestamp(micros).to_string()
            }
        }
        DataType::Int32 => {
            array.as_primitive::<arrow::datatypes::Int32Type>().value(row).to_string()
        }
        DataType::Int64 => {
            array.as_primitive::<arrow::datatypes::Int64Type>().value(row).to_string()
        }
        _ => return None,
    })
}

/// A block of texts as cells.
struct Texts<'a>(&'a StringArray);

impl Cells for Texts<'_> {
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn get(&self, row: usize) -> &[u8] {
        if self.0.is_null(row) { &[] } else { self.0.value(row).as_bytes() }
    }
}
