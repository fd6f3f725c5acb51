//! The tree of categories: walked so that a cycle in it ends.

use super::{Row, key};
use crate::value::Value;
use std::collections::{HashMap, HashSet};

/// A category.
pub(super) struct Category {
    pub id: Value,
    pub name: Option<String>,
    pub parent: Value,
    /// Items in it and below it.
    pub below: u64,
}

/// The categories, by name.
pub(super) struct Tree {
    all: Vec<Category>,
    /// Places of the children of each category.
    children: HashMap<String, Vec<usize>>,
    places: HashMap<String, usize>,
}

impl Tree {
    /// The tree of rows with `id`, `name`, `parent_id` and, where they were asked for, `items`.
    pub(super) fn new<'a>(rows: impl Iterator<Item = Row<'a>>) -> Self {
        let all = rows
            .map(|row| Category {
                id: row.get("id"),
                name: row.text("name"),
                parent: row.get("parent_id"),
                below: row.count("items"),
            })
            .filter(|category| !category.id.is_null());
        Self::of(all.collect())
    }

    fn of(mut all: Vec<Category>) -> Self {
        all.sort_by_cached_key(|c| {
            (super::fold(c.name.as_deref().unwrap_or_default()), c.name.is_none())
        });
        let mut children: HashMap<String, Vec<usize>> = HashMap::new();
        let mut places = HashMap::new();
        for (place, category) in all.iter().enumerate() {
            if let Some(id) = key(&category.id) {
                places.insert(id, place);
            }
            if let Some(parent) = key(&category.parent) {
                children.entry(parent).or_default().push(place);
            }
        }
        let mut tree = Self { all, children, places };
        tree.count();
        tree
    }

    /// Adds to the items of each category those below it, from the leaves up; categories that run
    /// in a circle are all below each other.
    fn count(&mut self) {
        let of = |c: &Category| key(&c.parent).and_then(|id| self.places.get(&id).copied());
        let parents: Vec<Option<usize>> = self.all.iter().map(of).collect();
        let mut waits: Vec<usize> = vec![0; parents.len()];
        for parent in parents.iter().flatten() {
            waits.get_mut(*parent).into_iter().for_each(|n| *n += 1);
        }
        let mut below: Vec<u64> = self.all.iter().map(|c| c.below).collect();
        let free = |(place, n): (usize, &usize)| (*n == 0).then_some(place);
        let mut open: Vec<usize> = waits.iter().enumerate().filter_map(free).collect();
        let mut counted = vec![false; parents.len()];
        while let Some(place) = open.pop() {
            counted.get_mut(place).into_iter().for_each(|c| *c = true);
            let Some(parent) = parents.get(place).copied().flatten() else { continue };
            let items = below.get(place).copied().unwrap_or_default();
            below.get_mut(parent).into_iter().for_each(|n| *n += items);
            if let Some(n) = waits.get_mut(parent) {
                *n -= 1;
                if *n == 0 {
                    open.push(parent);
                }
            }
        }
        // What is left are circles: each has one way round.
        for start in 0..parents.len() {
            if counted.get(start).copied().unwrap_or(true) {
                continue;
            }
            let (mut circle, mut at) = (Vec::new(), Some(start));
            while let Some(place) = at.filter(|&p| counted.get(p) == Some(&false)) {
                counted.get_mut(place).into_iter().for_each(|c| *c = true);
                circle.push(place);
                at = parents.get(place).copied().flatten();
            }
            let items: u64 = circle.iter().filter_map(|&place| below.get(place)).sum();
            for place in circle {
                below.get_mut(place).into_iter().for_each(|n| *n = items);
            }
        }
        for (category, items) in self.all.iter_mut().zip(below) {
            category.below = items;
        }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Category> {
        self.all.iter()
    }

    /// Those without a parent, or with one that is not there.
    pub(super) fn roots(&self) -> Vec<&Category> {
        let has_parent =
            |c: &Category| key(&c.parent).is_some_and(|p| self.places.contains_key(&p));
        self.all.iter().filter(|c| !has_parent(c)).collect()
    }

    /// How many name a parent that is not there.
    pub(super) fn orphans(&self) -> usize {
        let lost = |c: &&Category| key(&c.parent).is_some_and(|p| !self.places.contains_key(&p));
        self.all.iter().filter(lost).count()
    }

    /// The categories right below one, by name.
    pub(super) fn children(&self, id: &str) -> Vec<&Category> {
        let places = self.children.get(id).into_iter().flatten();
        places.filter_map(|&place| self.all.get(place)).collect()
    }

    /// The ids of these categories and of all below them, each once.
    pub(super) fn with_descendants(&self, ids: impl IntoIterator<Item = String>) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let mut seen: HashSet<String> = HashSet::new();
        let mut open: Vec<String> = ids.into_iter().collect();
        while let Some(id) = open.pop() {
            if seen.insert(id.clone()) {
                open.extend(self.children(&id).into_iter().filter_map(|c| key(&c.id)));
                found.push(id);
            }
        }
        found.sort_unstable();
        found
    }

    /// The ids of the categories whose name holds `part`, and of all below them.
    pub(super) fn named(&self, part: &str) -> Vec<String> {
        let matching = self.all.iter().filter(|c| super::holds(c.name.as_deref(), part));
        self.with_descendants(matching.filter_map(|c| key(&c.id)))
    }

    /// The ids of the categories that are called `name`, and of all below them.
    pub(super) fn called(&self, name: &str) -> Vec<String> {
        let name = super::fold(name);
        let same = |c: &&Category| c.name.as_deref().map(super::fold).as_ref() == Some(&name);
        self.with_descendants(self.all.iter().filter(same).filter_map(|c| key(&c.id)))
    }
}

#[cfg(test)]
mod tests {
    use super::{Category, Tree};
    use crate::value::Value;

    #[test]
    fn items_below_are_counted_once() {
        // Two levels, a lost parent, one that is its own, a circle of three with one hanging on it.
        let given = [
            (1, None, 1),
            (2, Some(1), 2),
            (3, Some(1), 4),
            (4, Some(3), 8),
            (5, Some(99), 16),
            (6, Some(6), 32),
            (7, Some(9), 64),
            (8, Some(7), 128),
            (9, Some(8), 256),
            (10, Some(8), 512),
        ];
        let of = |&(id, parent, below): &(i64, Option<i64>, u64)| Category {
            id: Value::Int(id),
            name: Some(id.to_string()),
            parent: parent.map_or(Value::Null, Value::Int),
            below,
        };
        let tree = Tree::of(given.iter().map(of).collect());
        let mut found: Vec<(String, u64)> =
            tree.all().map(|c| (c.id.to_string(), c.below)).collect();
        found.sort();
        for (id, below) in found {
            let inside = tree.with_descendants([id.clone()]);
            let own = given.iter().filter(|(own, ..)| inside.contains(&own.to_string()));
            assert_eq!(below, own.map(|(_, _, items)| items).sum::<u64>(), "{id}");
        }
    }
}
