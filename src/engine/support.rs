//! The rows behind a result, for the rule of k: which row of the table went into which row of the
//! result, and which of them a measure counts.

use super::errors::{from_arrow, from_datafusion};
use super::plan::{Plan, Source, groups_plan, members_plan, shown_plan};
use super::rows::ArrowRows;
use super::run::{After, Finish, Finished, MakePlan};
use super::steps::{Then, up_to};
use crate::error::{Error, Result};
use crate::facts::{LEFT_OUT, NONE, Support, gives_value_of};
use crate::query::CheckedQuery;
use crate::query::check::{CheckedStep, Named, Node, ResultKind, Typed};
use crate::query::functions::Stand;
use crate::schema::{Column, Kind};
use crate::value::{Rows, Value};
use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::UInt64Type;
use arrow::row::{RowConverter, SortField};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Makes the support of a query of one step over a table or its bars; `protected` are the columns
/// whose missing values are told.
pub(super) fn support(query: Arc<CheckedQuery>, protected: BTreeSet<String>) -> MakePlan<Support> {
    let all = query.clone();
    let then: Then<Support> = Box::new(move |step, source, _, done| {
        let held = source.extent.holds(query.schema(), &source.data)?;
        let label = |held: bool| if held { LEFT_OUT } else { NONE };
        let behind = Behind {
            groups: held.into_iter().map(label).collect(),
            missing: missing(source, &protected)?,
            query: query.clone(),
            source: source.clone(),
            order: Order::One,
        };
        if step.kind() == ResultKind::Table && step.limit().is_some() {
            let finish = move |finished: Finished| {
                let shown = numbers(finished.rows.batches())?;
                Ok(behind.next(Order::Shown(shown.into_iter().collect())))
            };
            return Ok((shown_plan(step, source, done)?, columns(1), boxed(finish)));
        }
        if step.kind() == ResultKind::Table {
            return behind.members(done);
        }
        let giving: Vec<&Named> = giving(step).collect();
        let plan = groups_plan(step, source, done, &giving)?;
        let width = 1 + giving.len();
        let finish = move |finished: Finished| {
            let firsts = numbers(finished.rows.batches())?;
            let places = firsts.into_iter().zip(0..).collect();
            Ok(behind.next(Order::Groups { places, values: finished.rows }))
        };
        Ok((plan, columns(width), boxed(finish)))
    });
    up_to(all, 0, then)
}

/// What is known before the rows that left `where` are read.
struct Behind {
    query: Arc<CheckedQuery>,
    source: Source,
    groups: Vec<u32>,
    missing: Vec<(String, Vec<u32>)>,
    order: Order,
}

/// Which row of the result a row goes into.
enum Order {
    /// All into one.
    One,
    /// Into the table that is shown, if they are among these; the others were cut.
    Shown(BTreeSet<u64>),
    /// Into groups: their numbers by their first rows, and the values that they give.
    Groups { places: HashMap<u64, u32>, values: Arc<ArrowRows> },
}

impl Behind {
    fn next(self, order: Order) -> After<Support> {
        let behind = Self { order, ..self };
        let data = behind.source.data.clone();
        After::Next(data, Box::new(move |_, _, done| behind.members(done)))
    }

    fn members(self, done: &Arc<AtomicU64>) -> Result<(Plan, Vec<Column>, Finish<Support>)> {
        let query = self.query.clone();
        let Some(step) = query.steps().next() else {
            return Err(Error::Internal("a query without steps".into()));
        };
        let counted: Vec<Vec<&Typed>> = counted(step).map(|m| arguments(&m.expr)).collect();
        let values: Vec<&Typed> = giving(step).filter_map(|m| argument(&m.expr)).collect();
        let plan = members_plan(step, &self.source, done, &counted, &values)?;
        let width = 1 + step.keys().len() + counted.len() + values.len();
        Ok((plan, columns(width), boxed(move |finished| self.finish(&finished).map(After::Done))))
    }

    fn finish(mut self, finished: &Finished) -> Result<Support> {
        let query = self.query.clone();
        let Some(step) = query.steps().next() else {
            return Err(Error::Internal("a query without steps".into()));
        };
        let mut labels = Labels::new(&self.order);
        let count = labels.count();
        let mut counts: Vec<(&Named, Vec<u64>)> =
            counted(step).map(|measure| (measure, vec![0; count])).collect();
        let mut shared: Vec<(&Named, Vec<u64>)> =
            giving(step).map(|measure| (measure, vec![0; count])).collect();
        let keys = step.keys().len();
        let mut row = 0;
        for batch in finished.rows.batches() {
            let numbers = numbers(std::slice::from_ref(batch))?;
            let of = |from: usize, count: usize| batch.columns().iter().skip(from).take(count);
            let key: Vec<ArrayRef> = of(1, keys).cloned().collect();
            let labelled = labels.of(&numbers, &key)?;
            for (&number, &label) in numbers.iter().zip(&labelled) {
                let place = usize::try_from(number).ok().and_then(|n| self.groups.get_mut(n));
                *place.ok_or_else(|| internal("a row that the table does not have"))? = label;
            }
            for ((_, counts), known) in counts.iter_mut().zip(of(1 + keys, usize::MAX)) {
                let known = known.as_boolean_opt().ok_or_else(|| internal("no boolean"))?;
                for (place, &label) in labelled.iter().enumerate() {
                    if known.is_valid(place) && known.value(place) {
                        add(counts, label);
                    }
                }
            }
            if let Order::Groups { values, .. } = &self.order {
                let first = 1 + keys + counts.len();
                for (i, (_, shared)) in shared.iter_mut().enumerate() {
                    for (place, &label) in labelled.iter().enumerate() {
                        let own = finished.rows.value(row + place, first + i);
                        let given = values.value(label as usize, 1 + i);
                        if own != Value::Null && own.total_cmp(&given).is_eq() {
                            add(shared, label);
                        }
                    }
                }
            }
            row += batch.num_rows();
        }
        labels.all_met()?;
        let named = |list: Vec<(&Named, Vec<u64>)>| {
            list.into_iter().map(|(measure, counts)| (measure.name.clone(), counts)).collect()
        };
        Ok(Support {
            groups: self.groups,
            counted: named(counts),
            shared: named(shared),
            missing: self.missing,
        })
    }
}

/// Finds the row of the result by the group keys of a row.
struct Labels<'o> {
    order: &'o Order,
    converter: Option<RowConverter>,
    met: HashMap<Box<[u8]>, u32>,
}

impl<'o> Labels<'o> {
    fn new(order: &'o Order) -> Self {
        Self { order, converter: None, met: HashMap::new() }
    }

    /// Rows of the result, those that `limit` cut included.
    fn count(&self) -> usize {
        match self.order {
            Order::Groups { places, .. } => places.len(),
            Order::One | Order::Shown(_) => 0,
        }
    }

    fn of(&mut self, numbers: &[u64], keys: &[ArrayRef]) -> Result<Vec<u32>> {
        let places = match self.order {
            Order::One => return Ok(vec![0; numbers.len()]),
            Order::Shown(shown) => {
                return Ok(numbers.iter().map(|n| u32::from(!shown.contains(n))).collect());
            }
            Order::Groups { .. } if keys.is_empty() => return Ok(vec![0; numbers.len()]),
            Order::Groups { places, .. } => places,
        };
        let converter = match &mut self.converter {
            Some(converter) => converter,
            none => {
                let fields = keys.iter().map(|key| SortField::new(key.data_type().clone()));
                none.insert(RowConverter::new(fields.collect()).map_err(from_arrow)?)
            }
        };
        let rows = converter.convert_columns(keys).map_err(from_arrow)?;
        let mut labels = Vec::with_capacity(numbers.len());
        for (row, number) in rows.iter().zip(numbers) {
            let label = if let Some(&label) = self.met.get(row.as_ref()) {
                label
            } else {
                // Rows come in their order: the first of a group is the one that names it.
                let label = places.get(number).ok_or_else(|| internal("a group unheard of"))?;
                self.met.insert(row.as_ref().into(), *label);
                *label
            };
            labels.push(label);
        }
        Ok(labels)
    }

    fn all_met(&self) -> Result<()> {
        let keyed = !self.met.is_empty();
        if keyed && self.met.len() != self.count() {
            Err(internal("a group unmet"))
        } else {
            Ok(())
        }
    }
}

fn internal(what: &str) -> Error {
    Error::Internal(what.into())
}

fn add(counts: &mut [u64], label: u32) {
    if let Some(count) = counts.get_mut(label as usize) {
        *count += 1;
    }
}

fn boxed(finish: impl FnOnce(Finished) -> Result<After<Support>> + 'static) -> Finish<Support> {
    Box::new(finish)
}

/// Names for columns that nobody sees.
fn columns(count: usize) -> Vec<Column> {
    (0..count).map(|i| Column::new(format!("b{i}"), Kind::Int)).collect()
}

/// The row numbers in the first column.
fn numbers(batches: &[RecordBatch]) -> Result<Vec<u64>> {
    let mut found = Vec::new();
    for batch in batches {
        let column = batch.columns().first();
        let numbers = column.and_then(|c| c.as_primitive_opt::<UInt64Type>());
        found.extend_from_slice(numbers.ok_or_else(|| internal("no row numbers"))?.values());
    }
    Ok(found)
}

/// The rows without a value, column by column.
fn missing(source: &Source, columns: &BTreeSet<String>) -> Result<Vec<(String, Vec<u32>)>> {
    let mut found = Vec::with_capacity(columns.len());
    for name in columns {
        let place = source.data.schema().index_of(name).map_err(|e| from_datafusion(e.into()))?;
        let arrays = source.data.batches().iter().filter_map(|b| b.columns().get(place));
        let nulls = arrays.map(|array| {
            array.logical_nulls().map_or((array.len(), None), |n| (array.len(), Some(n)))
        });
        let mut rows = Vec::new();
        let mut start = 0_u32;
        for (length, nulls) in nulls {
            if let Some(nulls) = nulls {
                rows.extend(
                    (start..).zip(nulls.iter()).filter(|(_, valid)| !valid).map(|(r, _)| r),
                );
            }
            start = start.saturating_add(u32::try_from(length).unwrap_or(u32::MAX));
        }
        found.push((name.clone(), rows));
    }
    Ok(found)
}

/// The measures that count values of columns.
fn counted(step: &CheckedStep) -> impl Iterator<Item = &Named> {
    step.measures().iter().filter(|measure| !measure.expr.columns().is_empty())
}

/// The measures that give the value of a row.
fn giving(step: &CheckedStep) -> impl Iterator<Item = &Named> {
    step.measures().iter().filter(|measure| gives_value_of(&measure.expr).is_some())
}

/// The argument of an expression that is a call.
fn argument(expr: &Typed) -> Option<&Typed> {
    match &expr.node {
        Node::Call { args, .. } => args.first(),
        _ => None,
    }
}

/// The arguments of every aggregate in an expression.
fn arguments(expr: &Typed) -> Vec<&Typed> {
    let mut found = Vec::new();
    expr.visit(&mut |part| {
        if let Node::Call { function, args } = &part.node
            && function.stand == Stand::Aggregate
        {
            found.extend(args.iter());
        }
    });
    found
}
