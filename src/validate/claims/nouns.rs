//! What stands behind a number: the noun that says what is counted, or letters that touch it. A number of rows or of groups stands before a word for
//! them, or before none; `80 bicycles` is no number of orders.

use super::judge::Finding;
use super::lex::{Token, is_cyrillic};
use super::read::{Counted, Num, Place, Reading};
use super::resolve::Fact;
use super::sure::Sure;
use super::words::Agg;
use super::world::World;
use crate::query::check::ResultKind;
use crate::validate::Verdict;

/// Words in `-s` that are no plurals.
const NO_PLURAL: &[&str] = &[
    "always",
    "perhaps",
    "sometimes",
    "across",
    "besides",
    "afterwards",
    "towards",
    "overseas",
    "news",
    "others",
    "ones",
    "yours",
    "theirs",
];

/// Plurals without it.
const PLURAL: &[&str] = &["people", "men", "women", "children"];

/// Endings of Russian adjectives.
const ADJECTIVES: &[&str] = &[
    "ых", "их", "ый", "ий", "ой", "ая", "яя", "ое", "ее", "ые", "ие", "ого", "его", "ую", "юю",
    "ыми", "ими", "ым", "им",
];

/// Endings of Russian verbs, short participles and adverbs.
const VERBS: &[&str] = &[
    "л", "ла", "ло", "ли", "лся", "лась", "лось", "лись", "ет", "ют", "ит", "ят", "ют", "ся", "сь",
    "о", "ена", "ены", "ана", "аны", "ться", "ть", "е", "у", "ю",
];

/// More words for a row of a table of what was bought or played.
const ROWS: &[&str] = &[
    "purchase",
    "transaction",
    "payment",
    "receipt",
    "game",
    "покуп",
    "транзакц",
    "платеж",
    "чек",
];

/// Whether a number of rows or groups cannot be meant by a noun that nobody knows: groups have names,
/// and where something else without a unit is added up, the noun may be of that. Elsewhere it may well
/// be what the rows are.
pub(super) fn of_another(world: &World, fact: &Fact) -> bool {
    let Some(view) = world.views.iter().find(|v| v.outcome.id == fact.source.result) else {
        return false;
    };
    let groups = view.kind == ResultKind::Grouped
        && ["rows", "rows_before_limit"].contains(&fact.source.column.as_str());
    fact.count
        && (groups || view.measures.iter().any(|m| m.agg == Some(Agg::Sum) && m.unit.is_none()))
}

/// A table has a Russian name. Where none has, what a Russian noun means there nobody knows: it may
/// well be what the rows are.
fn speaks_russian(world: &World) -> bool {
    world.views.iter().any(|v| {
        let schema = v.outcome.query.schema();
        is_cyrillic(&schema.name) || schema.synonyms.iter().any(|words| is_cyrillic(words))
    })
}

/// Whether the number stands before a noun that neither the results nor the question know.
pub(super) fn counts_unknown(world: &World, reading: &Reading, sure: &Sure, num: &Num) -> bool {
    let number = &num.number;
    if num.counted.is_some() || number.percent || number.unit.is_some() || num.times {
        return false;
    }
    let tokens = &reading.tokens;
    let start = num.tail.max(num.place.last) + 1;
    let clause = reading.clause(num.place);
    for (i, token) in tokens.iter().enumerate().skip(start).take(3) {
        let word = token.lower.as_str();
        // Emphasis of a Markdown text.
        if token.is('*') || token.is('_') {
            continue;
        }
        if !token.is_word()
            || token.clause != clause
            || sure.knows(i)
            || token.capital
            || ROWS.iter().any(|w| word.starts_with(w))
            || word.chars().count() < 3
        {
            return false;
        }
        if is_cyrillic(word) {
            if ADJECTIVES.iter().any(|end| word.ends_with(end)) {
                continue;
            }
            let noun = word.chars().count() > 3 && !VERBS.iter().any(|end| word.ends_with(end));
            return noun && speaks_russian(world);
        }
        let plural = word.ends_with('s')
            && word.len() > 3
            && !["ss", "us", "is"].iter().any(|end| word.ends_with(end))
            && !NO_PLURAL.contains(&word);
        if plural || PLURAL.contains(&word) {
            return true;
        }
    }
    false
}

/// A spelled number that is no claim by itself was bound to a fact, is more than a few, and says what
/// a group has or how many there are of something that is known.
pub(super) fn told(reading: &Reading, num: &Num, found: &Finding) -> bool {
    let clause = reading.clause(num.place);
    let named = || reading.mentions.iter().any(|m| reading.clause(m.place) == clause);
    let counts = matches!(num.counted, Some(Counted::Rows | Counted::Groups));
    let many = num.number.value > 10.0 && !num.number.percent && num.part.is_none();
    many && found.claim.fact.is_some() && (counts || named())
}

/// `4.82q`: letters that touch the number and say nobody knows what of it.
pub(super) fn unread_suffix(reading: &Reading, num: &Num) -> bool {
    let next = num.place.last + 1;
    num.tail <= num.place.last
        && reading.tokens.get(next).is_some_and(|t| t.glued && t.is_word())
        && !reading.mentions.iter().any(|m| m.place.first == next)
}

/// `over a third (36.4%)`: a share in words that a right per cent of its sentence says exactly.
pub(super) fn restates(reading: &Reading, num: &Num, out: &[(Place, Finding)]) -> bool {
    let in_words = reading.tokens.get(num.place.first).is_some_and(Token::is_word);
    if !num.number.percent || !in_words {
        return false;
    }
    let sentence = reading.sentence(num.place);
    let said = num.number.value;
    out.iter().any(|(place, found)| {
        let right = matches!(found.claim.verdict, Verdict::Verified | Verdict::Derived);
        let other = reading.numbers.iter().find(|n| n.place.first == place.first);
        let Some(other) = other.filter(|n| right && n.number.percent && n.place != num.place)
        else {
            return false;
        };
        let near = (other.number.value - said).abs() <= 0.2 * said;
        let side = num.bound.is_none_or(|(above, _)| (other.number.value > said) == above);
        reading.sentence(*place) == sentence && near && side
    })
}
