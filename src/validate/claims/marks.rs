//! Words for a place in an order that a name or a number beside them makes a claim: `tied for second`, `more
//! than anyone else`, and those that lead to the next place (`followed by`, `за ней идет`).

use super::lex::{Kind, Token};
use super::places::GOES;
use super::read::{End, Mark, Place, Reading, Superlative};
use super::words;

/// Words that lead to the next place of an order.
const NEXT: &[&str] = &[
    "followed",
    "follows",
    "next",
    "then",
    "затем",
    "следует",
    "следуют",
    "далее",
    "следом",
    "дальше",
];

/// `the eight largest`: more than one place.
pub(super) fn is_of_several(reading: &Reading, place: Place) -> bool {
    let many = |i: usize| match &reading.tokens[i].kind {
        Kind::Number(n) => n.value > 1.0,
        _ => words::find(words::SPELLED, &reading.tokens, i).is_some_and(|(n, _)| n > 1),
    };
    let sentence = reading.sentence(place);
    let before = place.first.checked_sub(1).filter(|&i| reading.tokens[i].sentence == sentence);
    before.is_some_and(many)
}

/// `tied for second`: a place that only a number beside it makes a claim.
pub(super) fn shared(reading: &Reading) -> Vec<Mark<Superlative>> {
    let tokens = &reading.tokens;
    let tied = |at: usize| {
        let word = |back: usize| at.checked_sub(back).map_or("", |i| tokens[i].lower.as_str());
        word(1) == "for" && ["tied", "tie", "tying", "level"].contains(&word(2))
    };
    let ordinal = |at: usize| words::rank(tokens, at).filter(|_| !words::is_part(tokens, at));
    let places = (0..tokens.len()).filter(|&at| tied(at));
    let places = places.filter_map(|at| Some((at, ordinal(at)?)));
    places.map(|(at, rank)| first(Place { first: at, last: at }, true, rank)).collect()
}

/// A place in an order, and nothing else.
fn first(place: Place, most: bool, rank: usize) -> Mark<Superlative> {
    let what = Superlative {
        most,
        rank,
        odd: false,
        adjective: true,
        negated: false,
        fall: false,
        end: End::Said,
        speed: false,
    };
    Mark { place, what }
}

/// `more than anyone else`, `больше, чем у любого другого`: the first place.
pub(super) fn than_all(reading: &Reading) -> Vec<Mark<Superlative>> {
    let tokens = &reading.tokens;
    let mut out = Vec::new();
    for at in 0..tokens.len() {
        let Some(((most, _), len)) = words::find(words::COMPARATIVES, tokens, at) else { continue };
        let behind = at + len..tokens.len().min(at + len + 5);
        let than = behind.clone().find(|&i| ["than", "чем"].contains(&tokens[i].lower.as_str()));
        let all = |i: &usize| {
            let word = tokens[*i].lower.as_str();
            word.starts_with("any") || word.starts_with("люб") || word == "everyone"
        };
        let Some(last) = than.and_then(|than| (than + 1..behind.end).find(all)) else { continue };
        out.push(first(Place { first: at, last }, most, 1));
    }
    out
}

/// How many tokens lead to the next place of an order: `followed`, `not far behind`, `за ней идет`.
pub(super) fn next(tokens: &[Token], at: usize) -> Option<usize> {
    let word = |i: usize| tokens.get(i).map_or("", |t| t.lower.as_str());
    let him = |i: usize| ["ней", "ним", "ними", "нею"].contains(&word(i));
    match word(at) {
        word if NEXT.contains(&word) => Some(1),
        "за" | "вслед" if him(at + 1) => {
            Some(2 + usize::from(NEXT.contains(&word(at + 2)) || GOES.contains(&word(at + 2))))
        }
        "вслед" if word(at + 1) == "за" && him(at + 2) => Some(3),
        "not" | "close" | "right" | "just" => {
            let far = usize::from(word(at + 1) == "far");
            let ends = word(at + 1 + far) == "behind" && (far == 1) == (word(at) == "not");
            // `just behind A` says behind whom.
            let open = tokens.get(at + 2 + far).is_none_or(|t| {
                !t.is_word()
                    || ["at", "with", "on", "by", "is", "comes"].contains(&t.lower.as_str())
            });
            (ends && open).then_some(2 + far)
        }
        _ => None,
    }
}
