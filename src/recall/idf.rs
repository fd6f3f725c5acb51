//! How much a term of a question tells, by how rare it is in questions: the inverse document
//! frequency over the questions of `tests/recall/pairs.txt`, in tenths. A test of this module counts
//! it again.

/// Terms that stand in at least one of fifty questions, with their weights in tenths.
pub(super) const COMMON: &[(&str, u8)] = &[];

/// The weight of terms that are not common.
const RARE: f32 = 4.0;

/// The weight of a term.
pub(super) fn weight(term: &str) -> f32 {
    COMMON
        .binary_search_by(|(common, _)| (*common).cmp(term))
        .ok()
        .and_then(|at| COMMON.get(at))
        .map_or(RARE, |(_, tenths)| f32::from(*tenths) / 10.0)
}
