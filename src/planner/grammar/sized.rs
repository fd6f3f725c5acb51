//! Adjectives of size that tell which column is meant: `crowns higher than 10 m`, `wider than 12`.

use super::super::lattice::{BY_DICTIONARY, Lattice};
use super::super::sketch::Measure;
use super::super::words::{Concept, Quality};

/// Sizes that one adjective tells from the others.
const SIZED: [Quality; 3] = [Quality::Width, Quality::Depth, Quality::Thickness];

/// A part of a name that an adjective can complete is at least this sure.
const TOLD: f64 = 0.7;

impl Lattice<'_> {
    /// A measure is named at `at`.
    pub fn begins_measure(&self, at: usize) -> bool {
        !self.measures(at).is_empty()
    }

    /// The name of a measure ends right before `at`.
    pub fn ends_measure(&self, at: usize) -> bool {
        (0..at).any(|start| self.measures(start).iter().any(|&(_, end, _)| end == at))
    }

    /// `crowns higher than 10 m`, `flippers longer than 220`: a part of a column's name, and the rest
    /// of it by an adjective.
    pub(super) fn told_by_adjective(&self, measure: Measure, quality: f64, at: usize) -> f64 {
        let Measure::Column(column) = measure else { return quality };
        let at = self.take(at, Concept::Stop).unwrap_or(at);
        let high = ["higher", "lower", "выше", "ниже"].contains(&self.word(at));
        let about = self.find(at, |c| match c {
            Concept::Comparative(about, _) => Some(about),
            _ => None,
        });
        let about =
            about.into_iter().map(|(about, _)| about).chain(high.then_some(Quality::Height));
        let told = |about: Quality| {
            let nouns = about.nouns().iter().filter(|(_, turned)| !turned);
            nouns.flat_map(|(noun, _)| self.columns_of(noun)).any(|(named, _)| named == column)
        };
        let about: Vec<Quality> = about.collect();
        if about.iter().copied().any(told) {
            return if quality >= TOLD { quality.max(BY_DICTIONARY) } else { quality };
        }
        // `крона шире` is not its height
        let other = about.iter().any(|about| {
            let mut nouns = about.nouns().iter();
            SIZED.contains(about) && nouns.any(|(noun, _)| !self.columns_of(noun).is_empty())
        });
        if other { quality * 0.6 } else { quality }
    }

    /// `wider` at `at` bounds a width that the table has.
    pub(super) fn is_sized(&self, at: usize) -> bool {
        let sized = self.find(at, |c| match c {
            Concept::Comparative(about, _) => SIZED.contains(&about).then_some(about),
            _ => None,
        });
        sized.iter().any(|&(about, _)| !self.by_quality(about).is_empty())
    }
}
