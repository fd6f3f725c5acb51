//! Words of a comparison or of a change that may stay unknown: where the sentence says by what it compares,
//! and whatever of that is meant says the opposite, what nobody knows has to leave the groups as they are.

use super::super::lex::{Token, is_cyrillic};
use super::super::order::Ordered;
use super::super::places::GOES;
use super::super::read::{Mention, Reading};
use super::super::swapped::leads_on;
use super::super::words;
use super::{LEADING, Sure};

/// So many words may stay unknown.
const FEW: usize = 2;

/// Starts of words of a share, and of how often something is told.
const KNOWN: &[&str] = &[
    "share",
    "доля",
    "доле",
    "долей",
    "monthly",
    "weekly",
    "daily",
    "yearly",
    "annual",
    "ежемесячн",
    "еженедельн",
    "ежедневн",
    "ежегодн",
    "годов",
    "месячн",
    "kept",
    "keeps",
];

impl Sure {
    /// `Flats in A are larger than those in B`, `По числу клиентов A идет впереди B`: unknown are the
    /// subject before a preposition, a noun behind a name, a verb that leads to the comparison.
    pub(super) fn compared(&self, reading: &Reading, o: &Ordered) -> bool {
        let tokens = &reading.tokens;
        let sentence = reading.sentence(o.place);
        let here = |i: usize| tokens[i].sentence == sentence;
        let ends = |i: usize| {
            reading.spans.iter().any(|(a, b)| {
                [a, b].into_iter().any(|m| (m.place.first..=m.place.last).contains(&i))
            })
        };
        let (a, b) = (o.scope.0, o.scope.1);
        let last = a.last.max(b.last).max(o.place.last);
        // Behind the second group a comma ends what is said.
        let end = (last + 1..tokens.len()).find(|&i| !here(i) || tokens[i].is(','));
        let range = (0..end.unwrap_or(tokens.len())).filter(|&i| here(i));
        let own = |i: usize| (o.place.first..=o.place.last).contains(&i);
        let clauses: Vec<usize> = range.clone().map(|i| tokens[i].clause).collect();
        let turned = [words::NOT, words::NONE, words::EXCEPT]
            .into_iter()
            .any(|table| reading.sentence_has(sentence, table));
        if !o.firm
            || o.mention.is_some()
            || turned
            || leads_on(reading, sentence)
            || clauses.iter().any(|clause| self.strangers.contains(clause))
        {
            return false;
        }
        let mut unknown = 0;
        for i in range {
            let token = &tokens[i];
            let than = ["than", "чем"].contains(&token.lower.as_str());
            if self.operates[i] && !own(i) && !than && !is_known(token) {
                return false;
            }
            if self.known[i] || ends(i) || is_known(token) {
                continue;
            }
            unknown += 1;
            if unknown > FEW || !is_idle(reading, o, i) {
                return false;
            }
        }
        true
    }
}

/// A word that leaves the groups as they are.
fn is_idle(reading: &Reading, o: &Ordered, i: usize) -> bool {
    let tokens = &reading.tokens;
    let token = &tokens[i];
    let begins = i.checked_sub(1).is_none_or(|b| tokens[b].sentence != token.sentence);
    let leads = |t: &Token| LEADING.contains(&t.lower.as_str());
    let named = |at: usize| reading.mentions.iter().any(|m| m.place.first == at);
    let subject = begins && tokens.get(i + 1).is_some_and(leads) && named(i + 2);
    // `детских книг`: behind a name that is not held against another.
    let beside = |m: &Mention| m.place != o.scope.0 && m.place != o.scope.1;
    let noun = is_cyrillic(&token.lower)
        && reading.mentions.iter().any(|m| m.place.last + 1 == i && beside(m));
    let goes = GOES.contains(&token.lower.as_str()) && i + 1 == o.place.first;
    token.is_word() && (subject || noun || goes)
}

fn is_known(token: &Token) -> bool {
    KNOWN.iter().any(|start| token.lower.starts_with(start))
}
