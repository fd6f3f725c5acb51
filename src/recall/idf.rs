//! How much a term of a question tells, by how rare it is in questions: the inverse document
//! frequency of phrases over the questions of `tests/recall/pairs.txt`, in tenths. A test of this
//! module counts it again. Words are of one subject or another, and all weigh the same.

/// Phrases that stand in at least one of fifty questions, with their weights in tenths.
pub(super) const COMMON: &[(&str, u8)] = &[
    ("~Agg(Max)", 39),
    ("~Agg(Mean)", 19),
    ("~Agg(Min)", 39),
    ("~Agg(Pct)", 28),
    ("~Agg(Sum)", 21),
    ("~And", 18),
    ("~Count", 21),
    ("~Derived(Gap)", 28),
    ("~HalfDay(true)", 37),
    ("~Market", 39),
    ("~Math(Sub)", 34),
    ("~Month", 30),
    ("~People", 23),
    ("~Price", 36),
    ("~Quarter", 34),
    ("~Rows", 30),
    ("~Weekday", 30),
    ("~When", 31),
    ("~Year", 33),
    ("~after", 26),
    ("~before", 23),
    ("~by", 16),
    ("~down", 37),
    ("~high", 11),
    ("~low", 24),
    ("~not", 26),
    ("~up", 33),
];

/// The weight of anything else.
const RARE: f32 = 4.0;

/// The weight of a term.
pub(super) fn weight(term: &str) -> f32 {
    COMMON
        .binary_search_by(|(common, _)| (*common).cmp(term))
        .ok()
        .and_then(|at| COMMON.get(at))
        .map_or(RARE, |(_, tenths)| f32::from(*tenths) / 10.0)
}
