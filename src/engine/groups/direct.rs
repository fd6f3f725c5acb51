//! Groups by place: the keys of a row name one place of a table, and the table has the group.
//!
//! The ranges of the keys are those of the rows so far and grow with them; the groups that there are
//! move to their new places then. Groups are numbered in the order of their first rows.

use super::keys::{Key, Range, union, width};
use arrow::array::ArrayRef;
use arrow::datatypes::Schema;
use datafusion::common::{DataFusionError, Result};

/// Places that a table may have, 4 MiB of them.
const MOST_PLACES: u64 = 1 << 20;

/// Places that it may have however few the rows are.
const FEWEST_PLACES: u64 = 1 << 12;

/// Places that it may have for a row that was read: few rows are no reason for a big table.
const PLACES_A_ROW: u64 = 64;

/// By what part of its width a range may grow at once: the first that has room.
const PARTS: [u32; 5] = [1, 2, 4, 8, 16];

/// A place that no group has.
const FREE: u32 = u32::MAX;

/// The groups so far.
#[derive(Debug)]
pub(super) struct Direct {
    keys: Vec<Key>,
    /// The group of each combination of the keys' places.
    table: Vec<u32>,
    /// The place of each group.
    groups: Vec<u32>,
    rows: u64,
    /// Of each row of a batch: its place, and that of one of its keys.
    places: Vec<u32>,
    own: Vec<u32>,
}

impl Direct {
    /// No groups yet, where all keys are of types that have places.
    pub(super) fn new(keys: &Schema) -> Option<Self> {
        let keys = keys.fields().iter().map(|field| Key::new(field.data_type()));
        let keys = keys.collect::<Option<Vec<_>>>()?;
        Some(Self {
            keys,
            table: Vec::new(),
            groups: Vec::new(),
            rows: 0,
            places: Vec::new(),
            own: Vec::new(),
        })
    }

    /// How many groups.
    pub(super) fn len(&self) -> usize {
        self.groups.len()
    }

    /// Bytes that they hold.
    pub(super) fn size(&self) -> usize {
        let numbers = [&self.table, &self.groups, &self.places, &self.own];
        let numbers: usize = numbers.iter().map(|all| all.capacity() * size_of::<u32>()).sum();
        numbers + self.keys.iter().map(Key::size).sum::<usize>()
    }

    /// Writes the group of each row of a batch, of which these are the keys. `false`, with nothing
    /// done, where the keys would take too many places.
    pub(super) fn find(&mut self, keys: &[ArrayRef], groups: &mut Vec<usize>) -> Result<bool> {
        self.rows += keys.first().map_or(0, |key| key.len()) as u64;
        let mut fits = self.place(keys)? && !self.table.is_empty();
        if !fits {
            fits = self.widen(keys)? && self.place(keys)?;
        }
        if !fits {
            return Ok(false);
        }
        let (table, known) = (&mut self.table, &mut self.groups);
        let mut lost = false;
        groups.clear();
        groups.extend(self.places.iter().map(|&place| {
            let Some(group) = table.get_mut(place as usize) else {
                lost = true;
                return 0;
            };
            if *group == FREE {
                *group = known.len() as u32;
                known.push(place);
            }
            *group as usize
        }));
        if lost { Err(DataFusionError::Internal("a row without a place".into())) } else { Ok(true) }
    }

    /// The keys of all groups.
    pub(super) fn keys(&self) -> Result<Vec<ArrayRef>> {
        let keys = self.keys.iter().enumerate();
        keys.map(|(at, key)| key.array(self.places_of(at))).collect()
    }

    /// The place of each row; whether all keys have one.
    fn place(&mut self, keys: &[ArrayRef]) -> Result<bool> {
        let mut all = true;
        for (at, (key, array)) in self.keys.iter_mut().zip(keys).enumerate() {
            if at == 0 {
                all &= key.places(array, &mut self.places)?;
                continue;
            }
            // The others too where one has none: texts are numbered here.
            all &= key.places(array, &mut self.own)?;
            let span = key.span();
            for (place, own) in self.places.iter_mut().zip(&self.own) {
                *place = place.wrapping_mul(span).wrapping_add(*own);
            }
        }
        Ok(all)
    }

    /// The places of the groups among those of one key.
    fn places_of(&self, key: usize) -> impl Iterator<Item = u32> + '_ {
        let later = self.keys.iter().skip(key + 1).map(Key::span);
        let step = later.fold(1, u32::saturating_mul);
        let span = self.keys.get(key).map_or(1, Key::span);
        self.groups.iter().map(move |place| place / step % span)
    }

    /// Makes room for the keys of a batch; whether there can be.
    fn widen(&mut self, keys: &[ArrayRef]) -> Result<bool> {
        let most = self.rows.saturating_mul(PLACES_A_ROW).clamp(FEWEST_PLACES, MOST_PLACES);
        let mut needed = Vec::with_capacity(keys.len());
        for (at, (key, array)) in self.keys.iter().zip(keys).enumerate() {
            needed.push(union(key.bounds_of(self.places_of(at)), key.bounds(array)?));
        }
        let grown = PARTS.iter().map(|&part| {
            let keys = self.keys.iter().zip(&needed);
            keys.map(|(key, needed)| key.grown(*needed, part)).collect::<Vec<Range>>()
        });
        // What is needed and no more, where nothing else has room. The next batch may need more again, so
        // that only as many groups may move as the batch has rows.
        let rows = keys.first().map_or(0, |key| key.len());
        let exact = (self.groups.len() <= rows).then(|| needed.clone());
        let mut choices = grown.chain(exact);
        let fitting = choices.find_map(|ranges| {
            let spans = ranges.iter().map(|&range| width(range).saturating_add(1));
            let places = spans.fold(1, u64::saturating_mul);
            (places <= most).then_some((ranges, places))
        });
        let Some((ranges, places)) = fitting else { return Ok(false) };
        let mut moved = vec![0; self.groups.len()];
        for (at, (key, &range)) in self.keys.iter().zip(&ranges).enumerate() {
            let span = width(range) as u32 + 1;
            for (place, own) in moved.iter_mut().zip(self.places_of(at)) {
                *place = *place * span + key.moved(own, range);
            }
        }
        for (key, range) in self.keys.iter_mut().zip(ranges) {
            key.settle(range);
        }
        self.table.clear();
        self.table.resize(places as usize, FREE);
        for (group, &place) in moved.iter().enumerate() {
            if let Some(free) = self.table.get_mut(place as usize) {
                *free = group as u32;
            }
        }
        self.groups = moved;
        Ok(true)
    }
}

#[cfg(test)]
mod tests;
