//! Whether a claim is read beyond doubt. Only then may what differs be called wrong and be replaced
//! in a delivered text; where a word is left over that the check does not know, or that asks for an
//! operation nobody computed, the claim is unverifiable and stays as it was written.

use super::bind::Binder;
use super::lex::{Kind, Stems, Token};
use super::link::Reach;
use super::read::{Counted, Num, Place, Reading};
use super::resolve::{Fact, Need, Rows, select};
use super::strangers::strangers;
use super::verify::units_agree;
use super::words::{self, has};
use super::world::World;
use std::collections::HashSet;

/// Which tokens of a text are understood.
pub(super) struct Sure {
    /// A name, a number, a word of the schema or of the question, a word that steers the reading.
    known: Vec<bool>,
    /// It asks for more than the value of a fact: a comparison, a change, a share, a negation.
    operates: Vec<bool>,
    /// The clauses with a name that nobody knows.
    strangers: HashSet<usize>,
}

impl Sure {
    /// Goes through the tokens. Words before byte `from` are the question's.
    pub fn new(text: &str, world: &World, reading: &Reading, stems: &Stems, from: usize) -> Self {
        let tokens = &reading.tokens;
        let asked: HashSet<&str> = tokens
            .iter()
            .filter(|t| t.span.start < from && t.is_word())
            .map(|t| t.stem.as_str())
            .collect();
        let tables: HashSet<String> = world
            .views
            .iter()
            .flat_map(|v| super::world::name_words(&v.outcome.query.schema().name))
            .collect();
        let mut known: Vec<bool> = tokens
            .iter()
            .map(|t| match t.kind {
                Kind::Word => {
                    world.bases.contains_key(&t.stem)
                        || world.axis_words.contains_key(&t.stem)
                        || tables.iter().any(|w| *w == t.lower || w.trim_end_matches('s') == t.stem)
                }
                Kind::Punct(c) => ".,;:!()[]-–—−*_|/%$€£₽¥\"'«»“”`=~≈<>≥≤+→#".contains(c),
                Kind::Label => false,
                _ => true,
            })
            .collect();
        let mut mark = |place: Place| {
            for k in known.iter_mut().take(place.last + 1).skip(place.first) {
                *k = true;
            }
        };
        reading.mentions.iter().for_each(|m| mark(m.place));
        reading.aggs.iter().for_each(|m| mark(m.place));
        reading.bases.iter().for_each(|m| mark(m.place));
        reading.superlatives.iter().for_each(|m| mark(m.place));
        reading.results.iter().for_each(|m| mark(m.place));
        let mut operates = vec![false; tokens.len()];
        for i in 0..tokens.len() {
            if let Some(len) = steering(tokens, i) {
                mark(Place { first: i, last: i + len - 1 });
            }
            if let Some(len) = operation(tokens, i) {
                mark(Place { first: i, last: i + len - 1 });
                operates[i..i + len].fill(true);
            }
        }
        for n in &reading.numbers {
            let first = n.bound.map_or(n.place.first, |(_, at)| at);
            mark(Place { first, last: n.tail.max(n.place.last) });
            // The bound of a number is part of it.
            operates[first..n.place.first].fill(false);
        }
        let strangers = strangers(text, world, reading, stems, &known, &asked);
        for (known, token) in known.iter_mut().zip(tokens) {
            *known |= token.is_word() && asked.contains(token.stem.as_str());
        }
        Self { known, operates, strangers }
    }

    /// The clause of the number names something that nobody knows, and the fact is of everything.
    pub fn of_a_stranger(&self, reading: &Reading, num: &Num, fact: &Fact) -> bool {
        let whole = fact.source.key.is_empty()
            && fact.formula.as_ref().is_none_or(|formula| !formula.contains('['));
        whole && self.strangers.contains(&reading.clause(num.place))
    }

    /// Whether every word of the clauses from one place to another is understood.
    pub fn between(&self, reading: &Reading, a: Place, b: Place) -> bool {
        let (a, b) = (reading.clause(a), reading.clause(b));
        let (low, high) = (a.min(b), a.max(b));
        (0..reading.tokens.len())
            .filter(|&i| (low..=high).contains(&reading.tokens[i].clause))
            .all(|i| self.known[i])
    }

    /// Whether a number that differs from `fact` can only be meant as that fact.
    pub fn number(
        &self,
        binder: &Binder,
        num: &Num,
        (need, used): (&Need, &[usize]),
        fact: &Fact,
    ) -> bool {
        let reading = binder.reading;
        let tokens = &reading.tokens;
        if joint(reading, num, used, fact) || open(binder, need, fact) {
            return false;
        }
        // `more than twice`: words that no number can stand in for.
        if num.times && num.about {
            return false;
        }
        // `58 % of that`: a share of rows only where nothing else is shared.
        let of = num.tail + 1;
        let of_rows = has(words::OF, tokens, of)
            && (of + 1..of + 4).any(|i| {
                tokens.get(i).is_some_and(|t| t.counts) || words::counted(tokens, i).is_some()
            });
        if fact.formula.as_ref().is_some_and(|f| f.starts_with("rows_")) && fact.percent && !of_rows
        {
            return false;
        }
        // Names that choose several rows name no cell; another number of the sentence may be what
        // a range is of.
        if of_several(binder, num, need, fact) {
            return false;
        }
        let sentence = reading.sentence(num.place);
        let others = reading.numbers.iter().filter(|n| reading.sentence(n.place) == sentence);
        if need.range.is_some() && others.count() > 2 {
            return false;
        }
        // A wrong unit of the right number is wrong; with another number it may be of another fact.
        let near = (num.number.value.abs() - fact.value.abs()).abs() <= num.number.half_unit();
        if !units_agree(num, fact) && !near {
            return false;
        }
        // `2 purchases` is no sum of them.
        let counts = num.counted.is_some_and(|c| c != Counted::Perhaps) || num.part.is_some();
        if counts && !fact.count && !fact.percent {
            return false;
        }
        let names = used.iter().filter_map(|&m| reading.mentions.get(m)).map(|m| m.place);
        let sentence = reading.sentence(num.place);
        if need.names.iter().any(|n| n.reach == Reach::Before) && !points_back(reading, sentence) {
            return false;
        }
        let own = names
            .filter(|p| reading.sentence(*p) == sentence)
            .all(|p| self.between(reading, p, num.place));
        let head = reading.column_head(num.place).is_none_or(|mut h| h.all(|i| self.known[i]));
        if !own || !head || !self.between(reading, num.place, num.place) {
            return false;
        }
        // An operation that the fact does not carry out.
        let clause = reading.clause(num.place);
        let moved = binder.direction(num).is_some();
        fact.formula.is_some()
            || (0..tokens.len())
                .filter(|&i| tokens[i].clause == clause && self.operates[i])
                .all(|i| moved && words::find(words::DIRECTIONS, tokens, i).is_some())
    }
}

/// A pronoun, or an item of a list, that stands for what was named before.
fn points_back(reading: &Reading, sentence: usize) -> bool {
    let tokens = &reading.tokens;
    let first = tokens.iter().find(|t| t.sentence == sentence);
    first.is_some_and(|t| t.is('-') || t.is('*') || t.is('•') || t.is('|'))
        || reading.sentence_has(sentence, words::BACK)
}

/// A sentence of several groups may mean them together: where the number stands apart from all of
/// them, and where it is a share or a sum.
fn joint(reading: &Reading, num: &Num, used: &[usize], fact: &Fact) -> bool {
    let sentence = reading.sentence(num.place);
    let here = || reading.mentions.iter().filter(|m| reading.sentence(m.place) == sentence);
    let several = here().any(|a| here().any(|b| a.axes == b.axes && a.name != b.name));
    // `the highest total, 921, and …`: a clause of the number alone goes with the one before.
    let clause = reading.clause(num.place);
    let alone = !reading.tokens.iter().any(|t| t.clause == clause && t.is_word());
    let own = used
        .iter()
        .filter_map(|&m| reading.mentions.get(m))
        .map(|m| reading.clause(m.place))
        .any(|of| of == clause || alone && of + 1 == clause);
    let whole = fact.formula.as_ref().is_some_and(|f| !f.contains('['));
    let table = reading.column_head(num.place).is_some();
    several && (whole || !own) && !table
}

/// The names that the number is about choose more rows than the one of the fact.
fn of_several(binder: &Binder, num: &Num, need: &Need, fact: &Fact) -> bool {
    let clause = binder.reading.clause(num.place);
    let mut marks = binder.reading.superlatives.iter();
    let chosen =
        need.superlative.is_some() && marks.any(|s| binder.reading.clause(s.place) == clause);
    if need.names.is_empty() || chosen || fact.formula.is_some() {
        return false;
    }
    let mut views = binder.world.views.iter().filter(|v| v.outcome.id == fact.source.result);
    views.any(|v| match select(v, &need.names) {
        Some((Rows::Some(rows), _)) => fact.source.row.is_some() && rows.len() > 1,
        _ => false,
    })
}

/// No word says which of several measured things is meant.
fn open(binder: &Binder, need: &Need, fact: &Fact) -> bool {
    if need.base.is_some() || need.agg.is_some() || fact.formula.is_some() || fact.count {
        return false;
    }
    let views = binder.world.views.iter().filter(|v| v.outcome.id == fact.source.result);
    let mut things: Vec<&str> = views
        .flat_map(|v| &v.measures)
        .filter(|m| m.main && m.agg != Some(words::Agg::Count))
        .map(|m| m.base.as_str())
        .collect();
    things.sort_unstable();
    things.dedup();
    things.len() > 1
}

/// How many tokens from `at` are words of the reading that change no value.
fn steering(tokens: &[Token], at: usize) -> Option<usize> {
    fn len<T: Copy>(table: words::Table<T>, tokens: &[Token], at: usize) -> Option<usize> {
        words::find(table, tokens, at).map(|(_, len)| len)
    }
    [
        len(words::AGGS, tokens, at),
        len(words::SUPERLATIVES, tokens, at),
        len(words::COPULAS, tokens, at),
        words::counted(tokens, at),
        len(words::GROUPS, tokens, at),
        len(words::UNITS, tokens, at),
        len(words::PERCENT, tokens, at),
        len(words::ABOUT, tokens, at),
        len(words::TOTAL, tokens, at),
        len(words::OVERALL, tokens, at),
        len(words::SHOWN, tokens, at),
        len(words::POSITIONS, tokens, at),
        len(words::RANKS, tokens, at),
        len(words::CONDITIONS, tokens, at),
        len(words::PLAIN, tokens, at),
    ]
    .into_iter()
    .flatten()
    .max()
}

/// How many tokens from `at` ask for more than the value of a fact.
fn operation(tokens: &[Token], at: usize) -> Option<usize> {
    fn len<T: Copy>(table: words::Table<T>, tokens: &[Token], at: usize) -> Option<usize> {
        words::find(table, tokens, at).map(|(_, len)| len)
    }
    // `fell`, `falls` and `came` tie a group to a value as well.
    let change = len(words::DIRECTIONS, tokens, at);
    [
        change,
        len(words::COMPARATIVES, tokens, at),
        len(words::COMPARED, tokens, at),
        len(words::DIFFERENCE, tokens, at),
        len(words::SHARE, tokens, at),
        len(words::TOGETHER, tokens, at),
        len(words::RATIOS, tokens, at),
        len(words::EARLIER, tokens, at),
        len(words::NONE, tokens, at),
        len(words::NOT, tokens, at),
        len(words::BOUNDS, tokens, at),
        has(words::EVERY, tokens, at).then_some(1),
    ]
    .into_iter()
    .flatten()
    .max()
}
