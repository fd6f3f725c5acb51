//! How many rows there are, where the words count nothing: `The largest value is 69` is not about that,
//! even where nothing else is known.

use super::bind::Binder;
use super::link::Reach;
use super::read::Num;
use super::resolve::{Fact, Need};
use super::words::Agg;

/// The fact is a number of all rows, and no word of the sentence or of its question counts them, or
/// the sentence names what else the number is of.
pub(super) fn uncounted(binder: &Binder, num: &Num, need: &Need, fact: &Fact) -> bool {
    let asked = need.agg.is_some_and(|(agg, _)| agg == Agg::Count);
    let other = need.base.as_ref().is_some_and(|(_, reach)| *reach != Reach::Before);
    let asked = asked && !other && need.superlative.is_none();
    of_all(fact) && !asked && !counts(binder, num, need, fact)
}

/// The fact is a number of all rows that nobody asked for, and the sentence tells the largest or the
/// smallest of something.
pub(super) fn extreme(binder: &Binder, num: &Num, need: &Need, fact: &Fact) -> bool {
    let known = fact.source.result.starts_with("schema:");
    known && of_all(fact) && need.superlative.is_some() && !counts(binder, num, need, fact)
}

fn of_all(fact: &Fact) -> bool {
    fact.count && fact.source.key.is_empty()
}

/// A word of the sentence counts, or is the name of the column that does.
fn counts(binder: &Binder, num: &Num, need: &Need, fact: &Fact) -> bool {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let bases = need.base.as_ref().map_or(&[][..], |(bases, _)| bases);
    let mut measures = binder.world.views.iter().flat_map(|view| &view.measures);
    num.counted.is_some()
        || num.part.is_some()
        || need.agg.is_some_and(|(agg, reach)| agg == Agg::Count && reach != Reach::Before)
        || reading.tokens.iter().any(|t| t.sentence == sentence && t.counts)
        || measures.any(|m| m.name == fact.source.column && bases.contains(&m.base))
}
