//! Takes over Arrow record batches of any types: columns of the engine's types in blocks of a
//! size, and notes of what is not as the file has it.
//!
//! Structs are taken apart, dictionaries unified, slices copied: nothing of the batches is kept.

mod lists;
mod notes;
mod plan;
mod prepare;
mod store;
mod text;

use super::column::{Finished, Nulls, Settings, TimeHint, listed, lists_note};
use super::names::unique;
use super::options::Options;
use super::report::{Note, NoteCode};
use super::{Cast, Room, internal, table};
use crate::engine::tables::BATCH_ROWS;
use crate::error::{Code, Diagnostic, Result};
use crate::schema::{Kind, Member};
use arrow::array::{ArrayRef, RecordBatch};
use arrow::datatypes::{DataType, Field, Fields};
use plan::Plan;
use prepare::{Seen, member, prepare};
use store::{Store, Stored};

/// A block has at most about this many bytes in each column of text.
const BLOCK_BYTES: usize = 16 << 20;

/// Columns in the making.
pub(super) struct Adopter {
    leaves: Vec<Leaf>,
    /// The places of the fields that are read.
    fields: Vec<usize>,
    nulls: Nulls,
    room: Room,
    settings: Settings,
    /// Rows in the block at work.
    filled: usize,
    rows: u64,
    notes: Vec<Note>,
}

/// Columns that are complete.
pub(super) struct Adopted {
    /// The columns with their names.
    pub columns: Vec<(String, Cast)>,
    /// Notes about the whole file.
    pub notes: Vec<Note>,
}

/// One column: a field, or a member of a struct.
struct Leaf {
    name: String,
    /// The place among the fields that are read, then places in structs.
    path: Vec<usize>,
    plan: Plan,
    seen: Seen,
    store: Store,
    /// The kind that was asked for.
    forced: Option<Kind>,
}

/// A field that is read or left out.
struct Found {
    name: String,
    path: Vec<usize>,
    plan: Option<Plan>,
}

impl Adopter {
    /// Columns for batches of these fields.
    ///
    /// # Errors
    /// There is no column that can be read, or the options speak of one that is not there.
    pub(super) fn new(schema: &Fields, options: &Options, room: Room) -> Result<Self> {
        let mut notes = Vec::new();
        let mut found = Vec::new();
        let mut fields = Vec::new();
        for (place, field) in schema.iter().enumerate() {
            let before = found.len();
            look(field, "", vec![fields.len()], &mut found);
            if found.iter().skip(before).any(|f| f.plan.is_some()) {
                fields.push(place);
            }
        }
        for left_out in found.iter().filter(|f| f.plan.is_none()) {
            notes.push(notes::left_out(&left_out.name));
        }
        found.retain(|f| f.plan.is_some());
        if found.is_empty() {
            return Err(Diagnostic::new(
                Code::NotATable,
                text!(
                    "the file has no column that can be read",
                    "в файле нет столбца, который можно прочитать"
                ),
            )
            .into());
        }
        let names: Vec<&str> = found.iter().map(|f| f.name.trim()).collect();
        let names = unique(&names, &mut notes);
        let known: Vec<&str> = names.iter().map(|n| n.name.as_str()).collect();
        options.check_columns(&known)?;
        let leaves = names.into_iter().zip(found).filter_map(|(name, found)| {
            let plan = found.plan?;
            Some(Leaf::new(name.name, found.path, plan, options))
        });
        Ok(Self {
            leaves: leaves.collect(),
            fields,
            nulls: Nulls(options.nulls.clone().unwrap_or_default()),
            room,
            settings: options.settings(),
            filled: 0,
            rows: 0,
            notes,
        })
    }

    /// The places of the fields that are read; batches have these and no others.
    pub(super) fn fields(&self) -> &[usize] {
        &self.fields
    }

    /// Rows taken over so far.
    pub(super) fn rows(&self) -> u64 {
        self.rows
    }

    /// Takes over a batch of the fields that are read.
    pub(super) fn push(&mut self, batch: &RecordBatch) -> Result<()> {
        let mut start = 0;
        while start < batch.num_rows() {
            let mut count = (BATCH_ROWS - self.filled).min(batch.num_rows() - start);
            let full = |leaf: &Leaf| leaf.store.bytes() >= BLOCK_BYTES;
            if count == 0 || self.leaves.iter().any(full) {
                self.flush()?;
                continue;
            }
            let mut ready = Vec::with_capacity(self.leaves.len());
            for leaf in &mut self.leaves {
                let array = leaf.prepare(batch, start, count)?;
                count = count.min(array.len());
                ready.push(array);
            }
            if count == 0 {
                return Err(internal("a batch without rows"));
            }
            for (leaf, array) in self.leaves.iter_mut().zip(ready) {
                leaf.store.add(array.slice(0, count), &self.nulls.0);
            }
            start += count;
            self.filled += count;
            self.rows += count as u64;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        self.filled = 0;
        self.leaves.iter_mut().try_for_each(|leaf| leaf.store.flush(&self.nulls))?;
        self.room.hold(self.leaves.iter().map(|leaf| leaf.store.held()).sum())
    }

    /// The columns.
    pub(super) fn finish(mut self) -> Result<Adopted> {
        if self.filled > 0 {
            self.flush()?;
        }
        if self.rows == 0 {
            self.notes.push(Note::new(
                NoteCode::HeaderOnly,
                text!(
                    "the file has names of columns and no rows",
                    "в файле есть имена столбцов и нет строк"
                ),
            ));
        }
        let mut columns = Vec::with_capacity(self.leaves.len());
        for leaf in self.leaves {
            let Leaf { name, plan, seen, store, forced, .. } = leaf;
            let column = match store.finish(plan, forced)? {
                Stored::Written(column) => {
                    notes::repairs(&name, seen, &mut self.notes);
                    Cast::Written(column)
                }
                Stored::Typed(done) => {
                    let mut done = match plan {
                        Plan::Lists(member) if forced.is_none() => lists_of(done, member, &name)?,
                        _ => done,
                    };
                    done.utc = match plan {
                        Plan::Moment { zone } => zone || self.settings.times_in_utc,
                        _ => false,
                    };
                    if plan == Plan::Duration {
                        done.unit = Some("s");
                    }
                    notes::repairs(&name, seen, &mut done.notes);
                    notes::kind(&name, plan, self.settings, &mut done);
                    Cast::Typed(Box::new(done))
                }
            };
            columns.push((name, column));
        }
        Ok(Adopted { columns, notes: self.notes })
    }
}

/// Lists of what lists may hold; else the texts, with a note.
fn lists_of(texts: Finished, member: Option<Member>, name: &str) -> Result<Finished> {
    let read = if member.is_some() { listed(texts, member)? } else { Err(texts) };
    Ok(read.unwrap_or_else(|mut texts| {
        texts.notes.push(lists_note(name));
        texts
    }))
}

/// The columns of a field.
fn look(field: &Field, before: &str, path: Vec<usize>, found: &mut Vec<Found>) {
    let own = field.name().trim();
    let name = match (before, own) {
        ("", own) => own.to_owned(),
        (before, "") => before.to_owned(),
        (before, own) => format!("{before}.{own}"),
    };
    match field.data_type() {
        DataType::Struct(members) if !members.is_empty() => {
            for (place, member) in members.iter().enumerate() {
                let mut path = path.clone();
                path.push(place);
                look(member, &name, path, found);
            }
        }
        arrow => found.push(Found { plan: Plan::of(arrow), name, path }),
    }
}

impl Leaf {
    fn new(name: String, path: Vec<usize>, plan: Plan, options: &Options) -> Self {
        let forced = options.kind(&name);
        let hint = table::hint(&name, options);
        let plan = match (forced, plan) {
            (Some(Kind::Float), Plan::Decimal(_) | Plan::LongDecimal) => Plan::Float,
            (_, plan) => plan,
        };
        let store = match (forced, plan) {
            // what these are shows only in the end
            (Some(kind), Plan::Wide | Plan::Empty) => Store::written(Some(kind)),
            (Some(kind), plan) if kind != plan.kind() => Store::written(Some(kind)),
            (None, Plan::Empty) => Store::written(None),
            (None, Plan::Narrow | Plan::Whole | Plan::Wide) if hint != TimeHint::No => {
                Store::written(None)
            }
            (None, Plan::Text) if hint == TimeHint::Given => Store::written(None),
            _ => Store::new(plan),
        };
        Self { name, path, plan, seen: Seen::default(), store, forced }
    }

    /// Some rows of a batch, or fewer where their text is long.
    fn prepare(&mut self, batch: &RecordBatch, start: usize, count: usize) -> Result<ArrayRef> {
        let (place, inside) = self.path.split_first().ok_or_else(|| internal("a path"))?;
        let column = batch.columns().get(*place).ok_or_else(|| internal("a batch's columns"))?;
        let mut array = column.slice(start, count);
        for place in inside {
            array = member(&array, *place)?;
        }
        let room = BLOCK_BYTES.saturating_sub(self.store.bytes());
        prepare(&array, self.plan, room, &mut self.seen)
    }
}
