//! What can be computed from disclosed aggregates by subtraction.
//!
//! An aggregate that rows add up to (a sum, a count; a mean is one divided by the other) is a sum of
//! unknowns, one a row, over its set of rows. Whoever has several of them has every linear
//! combination of them: totals minus groups, nested filters, trackers. The [`Audit`] keeps the span
//! of the disclosed sets and refuses a set with which some combination would depend on rows, but on
//! fewer than k of them. (After Chin and Özsoyoğlu, *Auditing and inference control in statistical
//! databases*, 1982; they ask it for k = 1.)
//!
//! Rows that are in the same disclosed sets are one *atom*: the rows' labels hold all the bitmaps at
//! once, in four bytes a row whatever the number of sets.

use crate::facts::{Grown, NONE};
use std::collections::HashMap;

/// The field that combinations are computed in: integers modulo the Mersenne prime 2^61 − 1.
const PRIME: u64 = (1 << 61) - 1;

/// Disclosed sets that are kept at most: then nothing more is disclosed.
pub(super) const MOST_SETS: usize = 256;

/// Atoms at most.
const MOST_ATOMS: usize = 2048;

/// The disclosed sets over the rows of a table, or over those that have a value in one column.
#[derive(Debug, Clone)]
pub(super) struct Audit {
    /// The atom of each row; [`NONE`] for rows without a value.
    atoms: Vec<u32>,
    /// The rows of each atom.
    weights: Vec<u64>,
    /// Independent combinations of the disclosed sets: a coefficient for each atom.
    span: Vec<Vec<u64>>,
}

impl Audit {
    /// An audit over `rows` rows, of which those in `missing` (ascending) have no value. The whole
    /// is taken as disclosed.
    pub(super) fn new(rows: usize, missing: &[u32]) -> Self {
        let mut atoms = vec![0; rows];
        for &row in missing {
            if let Some(atom) = atoms.get_mut(row as usize) {
                *atom = NONE;
            }
        }
        let weight = atoms.iter().filter(|&&atom| atom != NONE).count() as u64;
        Self { atoms, weights: vec![weight], span: vec![vec![1]] }
    }

    /// An audit over `rows` rows of which nothing is disclosed yet.
    pub(super) fn of_nothing(rows: usize) -> Self {
        Self { atoms: vec![0; rows], weights: vec![rows as u64], span: Vec::new() }
    }

    /// The same over the table that these rows became a part of. Of the rows that came to them
    /// nothing is disclosed yet: they are of one atom with all others of that kind.
    pub(super) fn grown(&self, by: &Grown) -> Self {
        let untold = (0..self.weights.len()).find(|&a| self.span.iter().all(|v| at(v, a) == 0));
        let (mut weights, mut span) = (self.weights.clone(), self.span.clone());
        let untold = untold.unwrap_or_else(|| {
            weights.push(0);
            for vector in &mut span {
                vector.push(0);
            }
            weights.len() - 1
        });
        if let Some(weight) = weights.get_mut(untold) {
            *weight += by.rows.saturating_sub(by.before) as u64;
        }
        let mut atoms = vec![u32::try_from(untold).unwrap_or(NONE); by.rows];
        for (row, &atom) in self.atoms.iter().enumerate() {
            if let Some(place) = atoms.get_mut(by.place(row)) {
                *place = atom;
            }
        }
        Self { atoms, weights, span }
    }

    /// The same where `missing` rows (ascending) have no value.
    pub(super) fn without(mut self, missing: &[u32]) -> Self {
        for &row in missing {
            let Some(atom) = self.atoms.get_mut(row as usize).filter(|atom| **atom != NONE) else {
                continue;
            };
            if let Some(weight) = self.weights.get_mut(*atom as usize) {
                *weight = weight.saturating_sub(1);
            }
            *atom = NONE;
        }
        self
    }

    /// The same with the whole taken as disclosed, where that is safe.
    pub(super) fn whole(self, k: u64) -> Self {
        self.with(&vec![0; self.rows()], k).unwrap_or(self)
    }

    /// How many independent combinations are disclosed.
    pub(super) fn rank(&self) -> usize {
        self.span.len()
    }

    /// How many rows it is about, those without a value too.
    pub(super) fn rows(&self) -> usize {
        self.atoms.len()
    }

    /// The same with one more set for each group of rows, where that leaves nothing to compute that
    /// depends on fewer than `k` rows. `groups` has the group of each row, [`NONE`] for none.
    pub(super) fn with(&self, groups: &[u32], k: u64) -> Option<Self> {
        if groups.len() != self.atoms.len() {
            return None;
        }
        let (mut next, came_from, group_of) = self.refined(groups)?;
        for vector in &self.span {
            let copied = came_from.iter().map(|&old| at(vector, old)).collect();
            next.span.push(copied);
        }
        let mut sets: HashMap<u32, Vec<u64>> = HashMap::new();
        let atoms = group_of.len();
        for (atom, &group) in group_of.iter().enumerate().filter(|(_, group)| **group != NONE) {
            let set = sets.entry(group).or_insert_with(|| vec![0; atoms]);
            if let Some(coefficient) = set.get_mut(atom) {
                *coefficient = 1;
            }
        }
        if sets.len() > MOST_SETS {
            return None;
        }
        let mut sets: Vec<(u32, Vec<u64>)> = sets.into_iter().collect();
        sets.sort_unstable_by_key(|(group, _)| *group);
        next.span.extend(sets.into_iter().map(|(_, set)| set));
        next.reduce(k).then_some(next)
    }

    /// The atoms split by groups, with the old atom and the group of each new one.
    fn refined(&self, groups: &[u32]) -> Option<(Self, Vec<usize>, Vec<u32>)> {
        let mut known: HashMap<(u32, u32), u32> = HashMap::new();
        let (mut weights, mut came_from, mut group_of) = (Vec::new(), Vec::new(), Vec::new());
        let mut atoms = Vec::with_capacity(self.atoms.len());
        // Neighbours are mostly of a kind.
        let mut last = ((NONE, NONE), NONE);
        for (&old, &group) in self.atoms.iter().zip(groups) {
            if old == NONE {
                atoms.push(NONE);
                continue;
            }
            let pair = (old, group);
            let atom = if last.0 == pair && last.1 != NONE {
                last.1
            } else {
                *known.entry(pair).or_insert_with(|| {
                    weights.push(0);
                    came_from.push(old as usize);
                    group_of.push(group);
                    u32::try_from(weights.len() - 1).unwrap_or(NONE)
                })
            };
            if weights.len() > MOST_ATOMS {
                return None;
            }
            last = (pair, atom);
            if let Some(weight) = weights.get_mut(atom as usize) {
                *weight += 1;
            }
            atoms.push(atom);
        }
        Some((Self { atoms, weights, span: Vec::new() }, came_from, group_of))
    }

    /// Brings the span to echelon form and tells whether it is safe. Atoms of k rows and more come
    /// first: a combination on fewer than k rows has none of them, so it is one of the rows of the
    /// form whose pivot is a small atom. Those are safe where they share no atom and each has k
    /// rows: then so has every combination of them. Other safe spans are refused too: telling them
    /// apart takes time that grows with their number as a power.
    fn reduce(&mut self, k: u64) -> bool {
        let mut order: Vec<usize> = (0..self.weights.len()).collect();
        order.sort_by_key(|&atom| self.weights.get(atom).is_none_or(|&weight| weight < k));
        let mut pivots: Vec<usize> = Vec::new();
        let mut span: Vec<Vec<u64>> = Vec::new();
        let mut rest = std::mem::take(&mut self.span);
        for &atom in &order {
            let Some(found) = rest.iter().position(|vector| at(vector, atom) != 0) else {
                continue;
            };
            let mut pivot = rest.swap_remove(found);
            let scale = inverse(at(&pivot, atom));
            for coefficient in &mut pivot {
                *coefficient = times(*coefficient, scale);
            }
            for vector in rest.iter_mut().chain(&mut span) {
                let factor = at(vector, atom);
                if factor != 0 {
                    for (coefficient, &by) in vector.iter_mut().zip(&pivot) {
                        *coefficient = minus(*coefficient, times(factor, by));
                    }
                }
            }
            pivots.push(atom);
            span.push(pivot);
        }
        self.span = span;
        if self.span.len() > MOST_SETS {
            return false;
        }
        let small = |atom: usize| self.weights.get(atom).is_some_and(|&weight| weight < k);
        let mut taken = vec![false; self.weights.len()];
        for (vector, _) in self.span.iter().zip(&pivots).filter(|(_, pivot)| small(**pivot)) {
            let mut rows = 0;
            for (atom, _) in vector.iter().enumerate().filter(|(_, c)| **c != 0) {
                rows += self.weights.get(atom).copied().unwrap_or(0);
                match taken.get_mut(atom) {
                    Some(taken) if !*taken => *taken = true,
                    _ => return false,
                }
            }
            if rows < k {
                return false;
            }
        }
        true
    }
}

fn at(vector: &[u64], place: usize) -> u64 {
    vector.get(place).copied().unwrap_or(0)
}

fn times(a: u64, b: u64) -> u64 {
    match (a, b) {
        (0, _) | (_, 0) => 0,
        (1, x) | (x, 1) => x,
        _ => (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64,
    }
}

fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

/// By Fermat: a^(p − 2).
fn inverse(a: u64) -> u64 {
    let (mut result, mut base, mut power) = (1, a, PRIME - 2);
    while power > 0 {
        if power & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        power >>= 1;
    }
    result
}
