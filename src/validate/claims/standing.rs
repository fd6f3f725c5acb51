//! Who stands where, said by who stands before: `Veneto is second only to Lazio`, `behind only Lazio and
//! Veneto`, `уступает только Lazio`, and by what no other is: `no region earns more than Lazio`. The names
//! are held against the order of the groups by what the sentence, its question or the result is about.

use super::bind::Binder;
use super::judge::{Finding, Why, finding};
use super::lex::is_cyrillic;
use super::names::{name_of, without_possessive, write_like};
use super::rank::{ends, largest, of_shown, ranked};
use super::read::{End, Place, Reading, Superlative};
use super::resolve::{cell, shown};
use super::rungs::is_ladder;
use super::told::{asked, holds_end, key_of, row_of, told, view_of};
use super::verify::{Fit, fit};
use super::words::{self, find};
use super::world::{Measure, View};
use crate::validate::Verdict;

/// So many tokens may stand between the words and the name behind them.
const NEAR: usize = 4;

/// So many tokens may stand between `no` and the comparison.
const FAR: usize = 9;

/// Words behind which `only` leaves so many before a group as it names, by their beginnings.
const BEHIND: &[&str] = &[
    "behind",
    "trail",
    "surpassed",
    "exceeded",
    "beaten",
    "outdone",
    "topped",
    "eclipsed",
    "уступ",
    "отста",
    "проигр",
    "позади",
    "пропуст",
];

/// Words of none that hold everybody else against a group.
const NOBODY: &[&str] = &["no", "none", "nobody", "никто", "ни", "нет"];

/// What the words of a sentence say of groups.
enum Said {
    /// The groups behind the words are all that are before the one that is spoken of.
    Only,
    /// Nothing has more than the group, or less.
    Most(bool),
}

struct Relation {
    said: Said,
    place: Place,
    /// The one that is spoken of; of `Most` the group itself.
    subject: usize,
    /// Those before it.
    leaders: Vec<usize>,
}

/// Judges what the sentences of a text say of who stands before whom.
pub(super) fn standing(text: &str, binder: &Binder, from: usize, out: &mut Vec<(Place, Finding)>) {
    let reading = binder.reading;
    for at in 0..reading.tokens.len() {
        let token = &reading.tokens[at];
        if token.span.start < from || !token.is_word() {
            continue;
        }
        let Some(relation) = only(reading, at).or_else(|| nobody(reading, at)) else { continue };
        let Some(view) = view_of(binder, token.sentence).filter(|v| is_ladder(v)) else { continue };
        Standing { text, binder, view, from, sentence: token.sentence }.judge(&relation, out);
    }
}

/// `second only to A`, `behind only A and B`, `уступает только A`.
fn only(reading: &Reading, at: usize) -> Option<Relation> {
    let tokens = &reading.tokens;
    let word = |i: usize| tokens.get(i).map_or("", |t| t.lower.as_str());
    let is_only = |i: usize| ["only", "just", "только", "лишь", "разве"].contains(&word(i));
    let second = ["second", "next"].contains(&word(at)) && is_only(at + 1) && word(at + 2) == "to";
    let behind = || {
        let begins = BEHIND.iter().any(|start| word(at).starts_with(start));
        (at + 1..=at + NEAR).take_while(|_| begins).find(|&i| is_only(i))
    };
    let last = if second { at + 2 } else { behind()? };
    let sentence = tokens[at].sentence;
    let here = |i: usize| tokens.get(i).is_some_and(|t| t.sentence == sentence);
    let named = |i: usize| reading.mentions.iter().position(|m| m.place.first == i);
    let first = (last + 1..last + 1 + NEAR).take_while(|&i| here(i)).find_map(named)?;
    let axes = &reading.mentions[first].axes;
    let own = |m: usize| {
        reading.mentions[m].axes == *axes && reading.sentence(reading.mentions[m].place) == sentence
    };
    let mut leaders = vec![first];
    let mut closed = false;
    for m in first + 1..reading.mentions.len() {
        let (a, b) = (reading.mentions[m - 1].place.last + 1, reading.mentions[m].place.first);
        let and = (a..b).any(|i| super::lex::is_and(&tokens[i]));
        if closed || !own(m) || a >= b || !(a..b).all(|i| joins(&tokens[i])) {
            break;
        }
        leaders.push(m);
        closed = and;
    }
    let before = (0..first).rev().find(|&m| own(m) && reading.mentions[m].place.last < at);
    // `Behind only A, B has …`: a comma alone joins nothing.
    if !closed {
        leaders.truncate(1);
    }
    let subject = before.or_else(|| {
        let next = leaders.last()? + 1;
        (next < reading.mentions.len() && own(next)).then_some(next)
    })?;
    Some(Relation { said: Said::Only, place: Place { first: at, last }, subject, leaders })
}

fn joins(token: &super::lex::Token) -> bool {
    token.is(',') || super::lex::is_and(token)
}

/// `No region earns more than A`, `никто не продал больше, чем A`.
fn nobody(reading: &Reading, at: usize) -> Option<Relation> {
    let tokens = &reading.tokens;
    let word = |i: usize| tokens.get(i).map_or("", |t| t.lower.as_str());
    let sentence = tokens[at].sentence;
    let here = |i: &usize| tokens.get(*i).is_some_and(|t| t.sentence == sentence);
    let named = |i: usize| reading.mentions.iter().position(|m| m.place.first == i);
    if !NOBODY.contains(&word(at)) {
        return None;
    }
    let number = |i: usize| reading.numbers.iter().any(|n| n.place.first == i);
    let (compared, (more, len)) =
        (at + 1..at + FAR).take_while(|i| here(i) && named(*i).is_none() && !number(*i)).find_map(
            |i| find(words::COMPARATIVES, tokens, i).map(|((more, _), len)| (i, (more, len))),
        )?;
    let behind = compared + len..compared + len + FAR;
    let than = behind
        .take_while(|i| here(i) && named(*i).is_none() && !number(*i))
        .find(|&i| ["than", "чем"].contains(&word(i)))?;
    let first = (than + 1..than + 1 + NEAR).take_while(here).find_map(named)?;
    let joined = reading.mentions.get(first + 1).is_some_and(|m| {
        reading.sentence(m.place) == sentence
            && (reading.mentions[first].place.last + 1..m.place.first).all(|i| joins(&tokens[i]))
    });
    let place = Place { first: at, last: than };
    let relation = Relation { said: Said::Most(more), place, subject: first, leaders: Vec::new() };
    (!joined).then_some(relation)
}

struct Standing<'a, 'b> {
    text: &'b str,
    binder: &'b Binder<'a>,
    view: &'b View<'a>,
    from: usize,
    sentence: usize,
}

/// What is wrong by one measure: each mention with the row that belongs there.
type Wrong = Vec<(usize, usize)>;

impl<'v> Standing<'_, 'v> {
    /// What is ordered, and whether the sentence says so.
    fn measures(&self, at: Place, out: &[(Place, Finding)]) -> (Vec<&'v Measure>, bool) {
        let reading = self.binder.reading;
        // What its own clause names, before what the rest of the sentence does.
        let clause = reading.clause(at);
        let own = |i: &usize| reading.tokens[*i].clause == clause;
        let begin = (0..reading.tokens.len()).find(own).unwrap_or_default();
        let end = (begin..reading.tokens.len()).take_while(own).last().map_or(begin, |i| i + 1);
        let mut numbers = self.binder.claims.iter().map(|&n| &reading.numbers[n]);
        let number = numbers.find(|n| reading.clause(n.place) == clause);
        let named = told(self.binder, self.view, begin..end, number);
        if !named.is_empty() {
            return (named, true);
        }
        let here = |i: &usize| reading.tokens[*i].sentence == self.sentence;
        let begin = (0..reading.tokens.len()).find(here).unwrap_or_default();
        let end = (begin..reading.tokens.len()).take_while(here).last().map_or(begin, |i| i + 1);
        let mut numbers = self.binder.claims.iter().map(|&n| &reading.numbers[n]);
        let number = numbers.find(|n| reading.sentence(n.place) == self.sentence);
        let named = told(self.binder, self.view, begin..end, number);
        if !named.is_empty() {
            return (named, true);
        }
        // What the right numbers of the sentence are of.
        let right = out.iter().filter(|(place, f)| {
            reading.sentence(*place) == self.sentence
                && f.claim.verdict == Verdict::Verified
                && f.claim.formula.is_none()
                && reading.numbers.iter().any(|n| n.place.last == place.last)
        });
        let columns: Vec<&str> = right
            .filter_map(|(_, f)| f.claim.fact.as_ref())
            .filter(|fact| fact.result == self.view.outcome.id)
            .map(|fact| fact.column.as_str())
            .collect();
        let stated: Vec<&Measure> =
            self.view.measures.iter().filter(|m| columns.contains(&m.name.as_str())).collect();
        if !stated.is_empty() {
            return (stated, true);
        }
        (asked(self.binder, self.view, self.from).into_iter().collect(), false)
    }

    /// What is wrong by a measure; nothing where the order bears it all out, none where it is unknown.
    fn wrong(&self, m: &Measure, relation: &Relation) -> Option<Wrong> {
        let reading = self.binder.reading;
        let row = |mention: usize| row_of(self.view, &reading.mentions[mention]);
        let subject = row(relation.subject)?;
        let what = Superlative {
            most: true,
            rank: 1,
            odd: false,
            adjective: true,
            negated: false,
            fall: false,
            end: End::Leads,
            speed: false,
        };
        let shown = of_shown(reading, self.sentence, self.view);
        let holder = |most: bool, rank: usize| {
            let held = shown || holds_end(self.view, m, most);
            ranked(self.view, m, None, most, rank).filter(|_| held).map(|(rows, _)| rows)
        };
        let spent = self.view.spent(m);
        match relation.said {
            Said::Most(more) => {
                let what = Superlative { most: more, fall: spent, ..what };
                let rows = holder(largest(self.view, m, None, what), 1)?;
                let &[right] = rows.as_slice() else {
                    return rows.contains(&subject).then(Vec::new);
                };
                Some(if right == subject { Vec::new() } else { vec![(relation.subject, right)] })
            }
            Said::Only => {
                let leaders: Vec<usize> =
                    relation.leaders.iter().map(|&l| row(l)).collect::<Option<_>>()?;
                let mut first: Option<Wrong> = None;
                for most in ends(self.view, m, Superlative { fall: spent, ..what }) {
                    let most =
                        largest(self.view, m, None, Superlative { most, fall: spent, ..what });
                    let mut before: Vec<usize> = Vec::new();
                    for rank in 1..=leaders.len() {
                        before.extend(holder(most, rank)?);
                    }
                    let own = holder(most, leaders.len() + 1)?;
                    // Who shares a place is no matter of `only`.
                    if before.len() != leaders.len() || own.len() != 1 {
                        return None;
                    }
                    let mut wrong: Wrong = Vec::new();
                    if own[0] != subject {
                        wrong.push((relation.subject, own[0]));
                    }
                    let strange: Vec<usize> =
                        (0..leaders.len()).filter(|&i| !before.contains(&leaders[i])).collect();
                    let missing: Vec<usize> =
                        before.iter().copied().filter(|row| !leaders.contains(row)).collect();
                    if let (&[i], &[right]) = (strange.as_slice(), missing.as_slice()) {
                        wrong.push((relation.leaders[i], right));
                    } else if !strange.is_empty() {
                        return None;
                    }
                    if wrong.is_empty() {
                        return Some(wrong);
                    }
                    first = first.or(Some(wrong));
                }
                first
            }
        }
    }

    fn judge(&self, relation: &Relation, out: &mut Vec<(Place, Finding)>) {
        let reading = self.binder.reading;
        let (list, said) = self.measures(relation.place, out);
        let all = list.iter().map(|m| self.wrong(m, relation)).collect::<Option<Vec<_>>>();
        let Some(all) = all.filter(|all| !all.is_empty()) else { return };
        let right = all.iter().position(Vec::is_empty);
        let of_words = |p: Place| p.first <= relation.place.last && p.last >= relation.place.first;
        let names = || relation.leaders.iter().chain([&relation.subject]);
        let of_names = |p: Place| names().any(|&m| reading.mentions[m].place.last == p.last);
        if let Some(i) = right {
            let subject = row_of(self.view, &reading.mentions[relation.subject]);
            let fact = subject.and_then(|row| cell(self.view, list[i], row)).map(|f| f.source);
            out.retain(|(p, f)| !of_words(*p) || f.claim.verdict == Verdict::Verified);
            for (_, found) in out.iter_mut().filter(|(p, _)| of_names(*p)) {
                found.claim.verdict = Verdict::Verified;
                found.claim.actual = None;
                found.claim.fact.clone_from(&fact);
                found.why = Why::Fine;
            }
            return;
        }
        // By another measure it may be so, where no word says by which.
        let mut others = self.view.measures.iter();
        if all.iter().any(|wrong| *wrong != all[0])
            || !said && others.any(|m| self.wrong(m, relation).is_some_and(|w| w.is_empty()))
        {
            return;
        }
        let m = list[0];
        let made: Option<Vec<_>> = all[0]
            .iter()
            .map(|&(mention, row)| renamed(self.text, (self.binder, self.view), mention, &[row], m))
            .collect();
        let Some(made) = made else { return };
        out.retain(|(p, _)| !of_words(*p) && !made.iter().any(|(own, _)| own.last == p.last));
        for &(_, row) in &all[0] {
            for (place, found) in
                out.iter_mut().filter(|(p, _)| reading.sentence(*p) == self.sentence)
            {
                let num = reading.numbers.iter().find(|n| n.place.last == place.last);
                let Some(fact) = cell(self.view, m, row) else { continue };
                if num.is_some_and(|num| fit(num, &fact, None) == Fit::Yes)
                    && found.claim.verdict != Verdict::Verified
                {
                    found.claim.verdict = Verdict::Verified;
                    found.claim.actual = None;
                    found.claim.formula = None;
                    found.claim.operands = Vec::new();
                    found.claim.fact = Some(fact.source);
                    found.why = Why::Fine;
                }
            }
        }
        out.extend(made);
    }
}

/// A name that stands where those of other rows belong.
pub(super) fn renamed(
    text: &str,
    (binder, view): (&Binder, &View),
    mention: usize,
    rows: &[usize],
    m: &Measure,
) -> Option<(Place, Finding)> {
    let reading = binder.reading;
    let mention = &reading.mentions[mention];
    let place = mention.place;
    let column = view.names.get(key_of(view, mention)?)?;
    let before = reading.word_before(place.first).to_owned();
    let words = without_possessive(reading.text(text, place));
    let written = |row: &usize| {
        let value = view.outcome.value(*row, column.column);
        let right = name_of(&column.axis, &value)?;
        Some(write_like(&column.axis, words, &before, &right, &shown(&value)))
    };
    let all: Vec<String> = rows.iter().map(written).collect::<Option<_>>()?;
    let and = if is_cyrillic(text) { " и " } else { " and " };
    let why = Why::Order(m.name.clone());
    let wrong = Verdict::Contradicted;
    let mut made = finding(text, reading, place, wrong, Some(all.join(and)), None, why);
    made.claim.fact = rows.first().and_then(|row| cell(view, m, *row)).map(|f| f.source);
    Some((place, made))
}
