//! The tree of categories: walked so that a cycle in it ends.

use super::{Row, key};
use crate::value::Value;
use std::collections::{HashMap, HashSet};

/// A category.
pub(super) struct Category {
    pub id: Value,
    pub name: Option<String>,
    pub parent: Value,
    /// Items in it, not below it.
    pub items: u64,
}

/// The categories, by name.
pub(super) struct Tree {
    all: Vec<Category>,
    /// Places of the children of each category.
    children: HashMap<String, Vec<usize>>,
    known: HashSet<String>,
}

impl Tree {
    /// The tree of rows with `id`, `name`, `parent_id` and, where they were asked for, `items`.
    pub(super) fn new<'a>(rows: impl Iterator<Item = Row<'a>>) -> Self {
        let mut all: Vec<Category> = rows
            .map(|row| Category {
                id: row.get("id"),
                name: row.text("name"),
                parent: row.get("parent_id"),
                items: row.count("items"),
            })
            .filter(|category| !category.id.is_null())
            .collect();
        all.sort_by_cached_key(|c| {
            (super::fold(c.name.as_deref().unwrap_or_default()), c.name.is_none())
        });
        let mut children: HashMap<String, Vec<usize>> = HashMap::new();
        let mut known = HashSet::new();
        for (place, category) in all.iter().enumerate() {
            if let Some(id) = key(&category.id) {
                known.insert(id);
            }
            if let Some(parent) = key(&category.parent) {
                children.entry(parent).or_default().push(place);
            }
        }
        Self { all, children, known }
    }

    pub(super) fn all(&self) -> impl Iterator<Item = &Category> {
        self.all.iter()
    }

    /// Those without a parent, or with one that is not there.
    pub(super) fn roots(&self) -> Vec<&Category> {
        let has_parent = |c: &Category| key(&c.parent).is_some_and(|p| self.known.contains(&p));
        self.all.iter().filter(|c| !has_parent(c)).collect()
    }

    /// How many name a parent that is not there.
    pub(super) fn orphans(&self) -> usize {
        let lost = |c: &&Category| key(&c.parent).is_some_and(|p| !self.known.contains(&p));
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

    /// Items in a category and below it.
    pub(super) fn items(&self, id: &str) -> u64 {
        let ids: HashSet<String> = self.with_descendants([id.to_owned()]).into_iter().collect();
        let inside = self.all.iter().filter(|c| key(&c.id).is_some_and(|id| ids.contains(&id)));
        inside.map(|c| c.items).sum()
    }
}
