//! The best ways through a question, place by place. What a way has read is a number until the end:
//! copies of it would be most of the time that a question takes.

use super::super::sketch::Item;
use super::{PER_ITEM, Parse, Way};
use std::collections::{HashMap, HashSet};

/// States kept at each place.
const BEAM: usize = 48;
/// Parses kept in the end.
const KEPT: usize = 32;

/// A way up to some place.
#[derive(Debug, Clone, Copy)]
struct State {
    /// What was read before the last part, and the last part where it says something.
    read: usize,
    last: Option<usize>,
    quality: f64,
    rank: f64,
}

/// Lists of items, each once; the first one is empty.
struct Readings {
    items: Vec<Item>,
    /// The list without its last item, and that item.
    lists: Vec<(usize, usize)>,
    known: HashMap<(usize, usize), usize>,
}

impl Readings {
    fn item(&mut self, item: Item) -> usize {
        self.items.iter().position(|known| *known == item).unwrap_or_else(|| {
            self.items.push(item);
            self.items.len() - 1
        })
    }

    fn list(&mut self, read: usize, last: Option<usize>) -> usize {
        let Some(item) = last else { return read };
        let next = self.lists.len();
        let list = *self.known.entry((read, item)).or_insert(next);
        if list == next {
            self.lists.push((read, item));
        }
        list
    }

    fn items(&self, mut list: usize) -> Vec<Item> {
        let mut items = Vec::new();
        while list > 0
            && let Some(&(before, item)) = self.lists.get(list)
        {
            items.extend(self.items.get(item).cloned());
            list = before;
        }
        items.reverse();
        items
    }

    /// The best states, each list of items once.
    fn trim(&mut self, mut states: Vec<State>, most: usize) -> Vec<State> {
        states.sort_by(|a, b| b.rank.total_cmp(&a.rank));
        let mut seen = HashSet::new();
        let mut kept = Vec::with_capacity(most.min(states.len()));
        for state in states {
            if kept.len() == most {
                break;
            }
            let read = self.list(state.read, state.last);
            if seen.insert(read) {
                kept.push(State { read, last: None, ..state });
            }
        }
        kept
    }
}

/// The best ways through `places` tokens, best first; `ways` gives those that begin at a token.
pub(super) fn parses(places: usize, ways: impl Fn(usize) -> Vec<Way<Item>>) -> Vec<Parse> {
    let mut readings = Readings { items: Vec::new(), lists: vec![(0, 0)], known: HashMap::new() };
    let mut beams: Vec<Vec<State>> = vec![Vec::new(); places + 1];
    if let Some(start) = beams.first_mut() {
        start.push(State { read: 0, last: None, quality: 1.0, rank: 1.0 });
    }
    for at in 0..places {
        let states = beams.get_mut(at).map(std::mem::take).unwrap_or_default();
        if states.is_empty() {
            continue;
        }
        let states = readings.trim(states, BEAM);
        let ways: Vec<Way<Option<usize>>> = ways(at)
            .into_iter()
            .map(|(item, next, quality)| {
                ((item != Item::Noise).then(|| readings.item(item)), next, quality)
            })
            .collect();
        for state in &states {
            for &(last, next, quality) in &ways {
                let cost = if last.is_some() { PER_ITEM } else { 1.0 };
                let (quality, rank) = (state.quality * quality, state.rank * quality * cost);
                if let Some(beam) = beams.get_mut(next) {
                    beam.push(State { read: state.read, last, quality, rank });
                }
            }
        }
    }
    let ends = readings.trim(beams.pop().unwrap_or_default(), KEPT);
    let parse = |s: State| {
        let items = readings.items(s.read);
        Parse { items, quality: s.quality, rank: s.rank, of_each: false }
    };
    ends.into_iter().map(parse).collect()
}
