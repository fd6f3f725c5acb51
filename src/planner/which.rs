//! `which year had the most orders` where the year is a number: the value that most rows have, not the
//! greatest one.

use super::lattice::{Lattice, Tag};
use super::sketch::{Dim, Measure, Select, Sketch};
use super::words::{Agg, Concept};

/// What is left of the confidence where nothing says by what a value is the best one.
const DOUBTFUL: f64 = 0.7;

/// The sketch that counts rows of each value of a number, in place of one that takes the greatest or
/// the least of them.
pub(super) fn of_a_number(mut sketch: Sketch, lattice: &Lattice<'_>) -> Sketch {
    let Some((column, asked)) = asked(lattice) else { return sketch };
    let itself = Measure::Column(column);
    let extreme = match &sketch.select[..] {
        [] => sketch.order == Some(itself),
        [Select::Agg(Agg::Max | Agg::Min, of)] => *of == itself,
        _ => false,
    };
    if !extreme || !sketch.groups.is_empty() || sketch.then.is_some() {
        return sketch;
    }
    let word = |at: usize| lattice.word(at);
    let behind = asked + 1..lattice.tokens.len();
    let rows = |at: usize| {
        let is = |tag: &Tag| matches!(tag, Tag::Table | Tag::Concept(Concept::Rows));
        lattice.at(at).iter().any(|m| is(&m.tag))
    };
    let most = behind.clone().find_map(|at| match (word(at), word(at + 1)) {
        ("most", _) | ("больше", "всего" | "всех") => Some((at, true)),
        ("fewest" | "least", _) | ("меньше", "всего" | "всех") => Some((at, false)),
        _ => None,
    });
    if let Some((at, descending)) = most {
        if (at + 1..lattice.tokens.len()).any(rows) {
            sketch.select = vec![Select::Count];
            sketch.groups = vec![Dim::Column(column)];
            sketch.order = None;
            sketch.ranked = true;
            sketch.descending = descending;
            sketch.limit = Some(1);
            sketch.columns.clear();
        }
        return sketch;
    }
    let best = |at: usize| {
        ["best", "worst"].contains(&word(at))
            || ["лучш", "худш"].iter().any(|begin| word(at).starts_with(begin))
    };
    if behind.into_iter().any(best) {
        sketch.quality *= DOUBTFUL;
    }
    sketch
}

/// The column of numbers that a question asks for first, and where it stands.
fn asked(lattice: &Lattice<'_>) -> Option<(usize, usize)> {
    const ASKING: [&str; 7] = ["which", "what", "какой", "какая", "какое", "каком", "какую"];
    let at = usize::from(["in", "at", "в"].contains(&lattice.word(0)));
    if !ASKING.contains(&lattice.word(at)) {
        return None;
    }
    let columns = lattice.at(at + 1).iter().filter_map(|m| match m.tag {
        Tag::Column(column) => Some(column),
        _ => None,
    });
    let numeric = |c: &usize| lattice.schema.columns.get(*c).is_some_and(|c| c.kind.is_numeric());
    columns.into_iter().find(numeric).map(|column| (column, at + 1))
}
