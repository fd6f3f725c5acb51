//! Words for a place in an order, held against the number beside them: what is said to be the largest
//! and is the smallest of its column, the second that is the third. What they are said of may be read
//! otherwise, so that they are marked and never replaced.

use super::judge::{Finding, Why, finding};
use super::lex::Token;
use super::rank::{better, largest, ranked, takes_time};
use super::read::{End, Mark, Place, Reading, Superlative};
use super::words::{self, Agg};
use super::world::{Measure, View, World};
use crate::validate::{FactRef, Verdict};

/// So many tokens may stand between the words and the number.
const NEAR: usize = 14;

/// In longer lists nobody says places by their ordinals.
const ROWS: usize = 200;

/// Starts of superlatives of age and time.
const AGES: &[&str] = &[
    "old",
    "young",
    "new",
    "earl",
    "late",
    "recent",
    "first",
    "last",
    "стар",
    "молод",
    "нов",
    "ранн",
    "поздн",
    "последн",
];

/// Marks superlatives and ranks that the right number beside them belies.
pub(super) fn belied(
    text: &str,
    world: &World,
    reading: &Reading,
    out: &mut Vec<(Place, Finding)>,
) {
    let ends = reading.superlatives.iter().filter(|s| {
        // The oldest has the least year and the largest age.
        let (s, age) = (s.what, is_of_age(reading, s.place));
        !age && !s.negated && !s.odd && !s.speed && s.end == End::Said && s.rank == 1
    });
    let ends = ends.filter(|s| {
        let number = beside(reading, out, s.place, false);
        number.is_some_and(|(at, fact)| {
            other_end(world, reading, s.place, s.what, at, fact).unwrap_or(false)
        })
    });
    let ends = ends.map(|s| s.place);
    let ranks = said_ranks(reading).into_iter().filter(|(place, rank)| {
        let number = beside(reading, out, *place, true);
        let other = |fact| other_rank(world, reading, *place, fact, *rank).unwrap_or(false);
        number.is_some_and(|(_, fact)| other(fact))
    });
    let places: Vec<Place> = ends.chain(ranks.map(|(place, _)| place)).collect();
    for place in places {
        let found = right_rank(text, world, reading, out, place).unwrap_or_else(|| {
            finding(text, reading, place, Verdict::Unverifiable, None, None, Why::Ambiguous)
        });
        out.push((place, found));
    }
}

/// `Riga is third with 120 calls`, where that is the second most: the place that the one right number of the
/// sentence has from the top, where the sentence names one group and says what is counted or measured.
fn right_rank(
    text: &str,
    world: &World,
    reading: &Reading,
    out: &[(Place, Finding)],
    place: Place,
) -> Option<Finding> {
    let sentence = reading.sentence(place);
    let here = |p: Place| reading.sentence(p) == sentence;
    let ordinal = |(p, _): &(Place, usize)| *p == place;
    said_ranks(reading).into_iter().find(ordinal)?;
    let mut numbers = reading.numbers.iter().filter(|n| here(n.place));
    let number = numbers.next().filter(|_| numbers.next().is_none())?;
    let mentions = reading.mentions.iter().filter(|m| here(m.place)).count();
    let marks = reading.superlatives.iter().any(|s| here(s.place));
    let (_, fact) = beside(reading, out, place, true)?;
    let (view, m) = measure_of(world, &fact.column, &fact.result)?;
    let said = reading.bases.iter().any(|b| here(b.place) && b.what.contains(&m.base));
    let counted = m.agg == Some(Agg::Count)
        && (number.counted.is_some()
            || reading.tokens.iter().any(|t| t.sentence == sentence && t.counts));
    let of_unit = number.number.unit.is_some() && m.unit.is_some();
    let counted = counted
        || m.agg == Some(Agg::Count)
            && reading.aggs.iter().any(|a| here(a.place) && a.what == Agg::Count);
    let measured = said || counted || of_unit || view.measures.len() == 1;
    let down = better(m) == Some(false) || takes_time(m) || view.cut();
    if mentions != 1 || marks || !measured || down || view.outcome.rows.len() > ROWS {
        return None;
    }
    let numbers = view.numbers(m.column);
    let value = *numbers.get(fact.row?)?;
    // Of what was spent the lowest is the most.
    let spent = view.spent(m);
    let before = numbers.iter().filter(|x| if spent { **x < value } else { **x > value }).count();
    let alike = numbers.iter().filter(|x| **x == value).count();
    let word =
        reading.tokens.get(place.first).filter(|_| place.first == place.last && alike == 1)?;
    let actual = words::rank_like(&word.lower, before + 1).filter(|right| *right != word.lower)?;
    let wrong = Verdict::Contradicted;
    let why = Why::Order(m.name.clone());
    let mut found = finding(text, reading, place, wrong, Some(actual), None, why);
    found.claim.fact = Some(fact.clone());
    Some(found)
}

/// Whether a superlative is one of age or time.
pub(super) fn is_of_age(reading: &Reading, place: Place) -> bool {
    (place.first..=place.last)
        .any(|i| reading.tokens.get(i).is_some_and(|t| AGES.iter().any(|w| t.lower.starts_with(w))))
}

/// The number of the clause of the words, else the first after them and before others of their kind;
/// where `before` says so, else the last before them. It must be right, and the value of a cell.
fn beside<'o>(
    reading: &Reading,
    out: &'o [(Place, Finding)],
    words: Place,
    before: bool,
) -> Option<(usize, &'o FactRef)> {
    let sentence = reading.sentence(words);
    let next = reading
        .superlatives
        .iter()
        .map(|s| s.place.first)
        .chain(said_ranks(reading).into_iter().map(|(place, _)| place.first))
        .filter(|at| *at > words.last)
        .min()
        .unwrap_or(usize::MAX);
    let numbers = reading.numbers.iter().filter(|n| reading.sentence(n.place) == sentence);
    let clause = reading.clause(words);
    let mut after = numbers.clone().filter(|n| {
        let at = n.place.first;
        at > words.last && at < next && at <= words.last + NEAR
    });
    let mut earlier =
        numbers.rev().filter(|n| n.place.last < words.first && n.place.last + NEAR > words.first);
    // That of the same clause, then that which follows.
    let own = after.clone().find(|n| reading.clause(n.place) == clause);
    let own = own.or_else(|| earlier.clone().find(|n| reading.clause(n.place) == clause));
    let number = own.or_else(|| after.next()).or_else(|| earlier.find(|_| before))?;
    let (_, found) = out.iter().find(|(place, _)| place.first == number.place.first)?;
    let right = found.claim.verdict == Verdict::Verified && found.claim.formula.is_none();
    let fact = found.claim.fact.as_ref().filter(|_| right)?;
    Some((number.place.first, fact))
}

/// The view and the measure of a fact.
fn measure_of<'w>(
    world: &'w World,
    column: &str,
    result: &str,
) -> Option<(&'w View<'w>, &'w Measure)> {
    let view = world.views.iter().find(|v| v.outcome.id == result)?;
    Some((view, view.measures.iter().find(|m| m.name == column)?))
}

/// Whether the value is at the other end of its column than the superlative says.
fn other_end(
    world: &World,
    reading: &Reading,
    place: Place,
    s: Superlative,
    at: usize,
    fact: &FactRef,
) -> Option<bool> {
    // The smallest and the largest of a column, or of what an aggregate is of.
    let end = fact.column.strip_prefix("stats.").and_then(|rest| rest.rsplit_once('.'));
    if let Some((_, end)) = end.filter(|_| fact.row.is_none()) {
        let falls = s.fall && fact.value.as_f64().is_some_and(|x| x < 0.0);
        return Some(end == if s.most ^ falls { "min" } else { "max" });
    }
    let (view, m) = measure_of(world, &fact.column, &fact.result)?;
    let between = |i: usize| i > place.last && i < at;
    let mut bases = reading.bases.iter().filter(|b| between(b.place.first)).peekable();
    let hint = reading.hints.iter().find(|(h, _)| (place.first..=place.last + 1).contains(h));
    let mains = view.measures.iter().filter(|m| m.main).count();
    let sentence = reading.sentence(place);
    let earlier = reading
        .bases
        .iter()
        .rfind(|b| b.place.last < place.first && reading.sentence(b.place) == sentence);
    // A clause that begins with the words has its subject after the number.
    let earlier =
        earlier.filter(|_| place.first.checked_sub(1).is_some_and(|i| reading.tokens[i].is_word()));
    let named = match (bases.peek().is_some(), hint, earlier) {
        (true, ..) => bases.all(|b| b.what.contains(&m.base)),
        (false, Some((_, of)), _) => of.contains(&m.base),
        (false, None, Some(b)) => b.what.contains(&m.base),
        (false, None, None) => mains == 1,
    };
    if !named {
        return None;
    }
    if view.outcome.rows.len() == 1 {
        let falls = s.fall && fact.value.as_f64().is_some_and(|x| x < 0.0);
        return Some(m.agg == Some(if s.most ^ falls { Agg::Min } else { Agg::Max }));
    }
    // The word is the name of the aggregate: `its largest was 88.8`.
    if m.agg == Some(if s.most { Agg::Max } else { Agg::Min }) {
        return None;
    }
    let row = fact.row?;
    let most = largest(view, m, None, s);
    let holds = |most: bool| ranked(view, m, None, most, 1).is_some_and(|(r, _)| r.contains(&row));
    Some(holds(!most) && !holds(most))
}

/// Whether the row of a value has another place, from the top, in the result, and from the bottom where
/// that may be meant.
fn other_rank(
    world: &World,
    reading: &Reading,
    place: Place,
    fact: &FactRef,
    rank: usize,
) -> Option<bool> {
    let (view, m) = measure_of(world, &fact.column, &fact.result)?;
    let row = fact.row.filter(|_| view.outcome.rows.len() > 1)?;
    // Counted and not sorted: there may be a million rows.
    let numbers = view.numbers(m.column);
    let value = *numbers.get(row)?;
    let count = |of: fn(f64, f64) -> bool| numbers.iter().filter(|x| of(**x, value)).count();
    let same = count(|x, y| x == y);
    let (above, below) = (count(|x, y| x > y), count(|x, y| x < y));
    let holds = |most: bool| {
        let before = if most { above } else { below };
        before < rank && rank <= before + same
    };
    // By another measure of the query it may have that place, unless the number says by which.
    let by = |i: usize| ["with", "at", "с", "со"].contains(&reading.tokens[i].lower.as_str());
    let told = reading.tokens.get(place.last + 1).is_some_and(|_| by(place.last + 1))
        && reading
            .numbers
            .iter()
            .any(|n| n.place.first > place.last && n.place.first <= place.last + 3);
    let sorted = !view.outcome.query.sort().is_empty() && row + 1 == rank && !told;
    let sentence = reading.sentence(place);
    let low = |s: &Mark<Superlative>| !s.what.most && reading.sentence(s.place) == sentence;
    let key = view.outcome.query.sort().first();
    let from_below = |i: usize| {
        reading.tokens[i].sentence == sentence
            && ["bottom", "last", "снизу", "конца"].contains(&reading.tokens[i].lower.as_str())
    };
    let up = reading.superlatives.iter().any(low)
        || (0..reading.tokens.len()).any(from_below)
        || key.is_some_and(|k| k.text == m.name && !k.descending)
        || better(m) == Some(false)
        || takes_time(m)
        || view.spent(m);
    Some(!(sorted || holds(true) || up && holds(false)))
}

/// Words that say that what follows is a place.
const BEFORE: &[&str] = &[
    "is",
    "are",
    "was",
    "were",
    "came",
    "comes",
    "come",
    "rank",
    "ranks",
    "ranked",
    "finished",
    "finishes",
    "placed",
    "in",
    "only",
    "just",
    "лишь",
    "только",
    "на",
    "занял",
    "заняла",
    "занимает",
    "занимают",
    "заняло",
    "идет",
    "стал",
    "стала",
    "финишировал",
    "финишировало",
    "финишировала",
    "финишировали",
    "оказался",
    "оказалась",
    "пришел",
    "пришла",
];

/// Words between an article and an ordinal that say how far behind it is.
const HOW_FAR: &[&str] = &[
    "close",
    "distant",
    "narrow",
    "strong",
    "solid",
    "clear",
    "comfortable",
    "respectable",
    "near",
];

/// Russian verbs between a place and who holds it.
pub(super) const GOES: &[&str] =
    &["идет", "идут", "следует", "стоит", "оказался", "оказалась", "пришел", "пришла"];

/// Words that say that what stands before is a place.
const AFTER: &[&str] = &[
    "place",
    "after",
    "behind",
    "comes",
    "came",
    "is",
    "by",
    "for",
    "in",
    "on",
    "with",
    "at",
    "по",
    "среди",
];

/// Ordinals that state a place in an order, with the place.
pub(super) fn said_ranks(reading: &Reading) -> Vec<(Place, usize)> {
    let tokens = &reading.tokens;
    let taken = |i: usize| {
        reading
            .superlatives
            .iter()
            .any(|s| (s.place.first.saturating_sub(2)..=s.place.last).contains(&i))
            || reading.mentions.iter().any(|m| (m.place.first..=m.place.last).contains(&i))
    };
    let mut out = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        let rank = words::rank(tokens, i).filter(|_| !words::is_part(tokens, i));
        let Some(rank) = rank.filter(|n| (2..100).contains(n) && !taken(i)) else { continue };
        if led(reading, i, token) {
            out.push((Place { first: i, last: i }, rank));
        }
    }
    out
}

fn dash_before(tokens: &[Token], i: usize) -> bool {
    i.checked_sub(1).is_some_and(|b| tokens[b].is('—') || tokens[b].is('–'))
}

/// Whether an ordinal at a token is said to be a place, and is no adjective of what follows.
pub(super) fn led(reading: &Reading, i: usize, token: &Token) -> bool {
    let tokens = &reading.tokens;
    let next = tokens.get(i + 1).filter(|t| t.sentence == token.sentence);
    let by = next.is_some_and(|t| ["by", "по"].contains(&t.lower.as_str()));
    let place = next.is_some_and(|t| t.lower == "place" || t.lower.starts_with("мест"));
    let tied = |t: &Token| {
        let word = t.lower.as_str();
        !t.is_word() || AFTER.contains(&word) || GOES.contains(&word)
    };
    let ends = place || next.is_none_or(tied);
    // `is a close second`
    let far = i.checked_sub(2).is_some_and(|a| {
        HOW_FAR.contains(&reading.word_before(i))
            && ["a", "the"].contains(&tokens[a].lower.as_str())
    });
    let led = far
        || BEFORE.contains(&reading.word_before(i))
        || i.checked_sub(1).is_some_and(|b| {
            reading.mentions.iter().any(|m| m.place.last == b)
                || by && (tokens[b].is('—') || tokens[b].is('–') || tokens[b].is('-'))
        });
    // `Первое место у Kuper, второе — у Vkusno`.
    let dash = next.is_some_and(|t| t.is('—') || t.is('–'));
    let elided = dash
        && i.checked_sub(1)
            .is_some_and(|b| tokens[b].is(',') || ["а", "и"].contains(&tokens[b].lower.as_str()))
        && tokens[..i].iter().any(|t| t.sentence == token.sentence && t.lower.starts_with("мест"));
    // `A is second by gold, B — third`
    let again = dash_before(tokens, i)
        && i.checked_sub(2).is_some_and(|b| reading.mentions.iter().any(|m| m.place.last == b))
        && (0..i).any(|at| {
            tokens[at].sentence == token.sentence
                && words::rank(tokens, at).is_some()
                && BEFORE.contains(&reading.word_before(at))
        });
    let opens = i == 0 || tokens[i - 1].sentence != token.sentence;
    ends && (led || place || elided || again || opens && next.is_some_and(Token::is_word))
}
