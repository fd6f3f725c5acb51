//! Which column each field of the objects goes to, nested objects within others.

use std::collections::HashMap;

/// The row's own object.
pub(super) const ROOT: usize = 0;
/// How deeply objects may be nested, and how many nested ones and fields there may be.
const DEEPEST: usize = 128;
const MOST_NODES: usize = 100_000;

/// The objects of a row and their members, as far as they have been seen.
pub(super) struct Tree {
    nodes: Vec<Node>,
    /// The members that GeoJSON features have outside their properties.
    features: Option<usize>,
    children: usize,
}

struct Node {
    /// The object around it, and which of its members it is.
    parent: Option<(usize, usize)>,
    depth: usize,
    keys: Vec<Box<[u8]>>,
    children: Vec<Child>,
    index: HashMap<Box<[u8]>, usize>,
    /// The member that follows the one found last: rows mostly have theirs in the same order.
    next: usize,
}

/// Where the values of a member go.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Child {
    /// The column of values that are not objects.
    pub column: Option<usize>,
    /// The members of its objects.
    pub node: Option<usize>,
}

impl Default for Tree {
    fn default() -> Self {
        Self { nodes: vec![Node::new(None, 0)], features: None, children: 0 }
    }
}

impl Node {
    fn new(parent: Option<(usize, usize)>, depth: usize) -> Self {
        Self {
            parent,
            depth,
            keys: Vec::new(),
            children: Vec::new(),
            index: HashMap::new(),
            next: 0,
        }
    }
}

impl Tree {
    /// The object of the members outside the properties of features.
    pub(super) fn features(&mut self) -> usize {
        let new = self.nodes.len();
        let own = *self.features.get_or_insert(new);
        if own == new {
            self.nodes.push(Node::new(None, 0));
        }
        own
    }

    /// An object begins.
    pub(super) fn restart(&mut self, node: usize) {
        if let Some(node) = self.nodes.get_mut(node) {
            node.next = 0;
        }
    }

    /// The member with a key, a new one where there was none; `None` when there are too many.
    pub(super) fn find(&mut self, node: usize, key: &[u8]) -> Option<usize> {
        let found = self.nodes.get_mut(node)?;
        let next = found.next;
        let member = if found.keys.get(next).is_some_and(|k| **k == *key) {
            next
        } else {
            match found.index.get(key) {
                Some(member) => *member,
                None => return self.add(node, key),
            }
        };
        found.next = member + 1;
        Some(member)
    }

    /// A new member, though there may be one with the same key.
    pub(super) fn add(&mut self, node: usize, key: &[u8]) -> Option<usize> {
        if self.children >= MOST_NODES {
            return None;
        }
        self.children += 1;
        let node = self.nodes.get_mut(node)?;
        let member = node.children.len();
        node.keys.push(key.into());
        node.children.push(Child::default());
        node.index.insert(key.into(), member);
        node.next = member + 1;
        Some(member)
    }

    /// Where the values of a member go.
    pub(super) fn child(&self, node: usize, member: usize) -> Child {
        let child = self.nodes.get(node).and_then(|node| node.children.get(member));
        child.copied().unwrap_or_default()
    }

    /// The object in a member's place; `None` when it would be too deep.
    pub(super) fn inner(&mut self, node: usize, member: usize) -> Option<usize> {
        if let Some(inner) = self.child(node, member).node {
            return Some(inner);
        }
        let depth = self.nodes.get(node)?.depth + 1;
        if depth >= DEEPEST {
            return None;
        }
        let inner = self.nodes.len();
        self.nodes.push(Node::new(Some((node, member)), depth));
        self.nodes.get_mut(node)?.children.get_mut(member)?.node = Some(inner);
        Some(inner)
    }

    /// The keys that lead to a member, with points between.
    pub(super) fn path(&self, node: usize, member: usize) -> Vec<u8> {
        let mut keys = Vec::new();
        let mut at = Some((node, member));
        while let Some((node, member)) = at {
            let Some(node) = self.nodes.get(node) else { break };
            keys.push(node.keys.get(member).map(|key| &**key).unwrap_or_default());
            at = node.parent;
        }
        keys.reverse();
        keys.join(&b'.')
    }

    /// Names the column of a member.
    pub(super) fn set_column(&mut self, node: usize, member: usize, column: usize) {
        let child = self.nodes.get_mut(node).and_then(|node| node.children.get_mut(member));
        if let Some(child) = child {
            child.column = Some(column);
        }
    }
}
