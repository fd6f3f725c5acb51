//! The words of a text that measure and order: aggregates, superlatives, measured things, results.

use super::{End, Mark, Place, Reader, Superlative};
use crate::validate::claims::lex::Kind;
use crate::validate::claims::words::{self, Agg, find, has};
use crate::validate::claims::world::name_words;

/// Words of the one in front, which is the largest where more is better.
const LEADS: &[&str] = &["lead", "led", "top", "bottom", "лидер", "лидир", "first"];

/// Starts of words behind `best` and `worst` that say that more is better.
const SELLS: &[&str] = &["sell", "perform", "прода"];

/// Starts of words before a superlative that say another place than the first.
const OTHER_PLACES: &[&str] =
    &["next", "penultimate", "last", "another", "предпоследн", "последн", "следующ", "очередн"];

/// Words between an article and a superlative that change no place.
const NO_PLACE: &[&str] = &[
    "single",
    "very",
    "overall",
    "absolute",
    "clear",
    "only",
    "all",
    "time",
    "undisputed",
    "other",
    "annual",
    "monthly",
    "global",
    "national",
    "whole",
    "same",
    "main",
    "year",
    "month",
    "week",
    "day",
    "period",
    "new",
    "two",
];

/// Starts of superlatives that say how large something is and not what of it.
const SIZES: &[&str] = &[
    "high",
    "larg",
    "bigg",
    "great",
    "small",
    "low",
    "крупн",
    "больш",
    "наибольш",
    "наименьш",
    "маленьк",
];

impl Reader<'_> {
    pub(super) fn hints(&mut self) {
        for at in 0..self.tokens().len() {
            let bases = self.world.hinted(self.tokens(), at, self.stems);
            if !bases.is_empty() {
                self.out.hints.push((at, bases));
            }
        }
    }

    /// Aggregates, superlatives, measured things, results by id.
    pub(super) fn words(&mut self) {
        let mut i = 0;
        while i < self.tokens().len() {
            if self.used[i] || !self.tokens()[i].is_word() {
                i += 1;
                continue;
            }
            // `31.6 min`: minutes.
            if self.tokens()[i].lower == "min"
                && i > 0
                && matches!(self.tokens()[i - 1].kind, Kind::Number(_))
            {
                i += 1;
                continue;
            }
            if let Some((what, base)) = self.names_extreme(i) {
                let place = Place { first: i, last: i };
                self.out.aggs.push(Mark { place, what });
                self.out.bases.push(Mark { place, what: vec![base] });
                i += 1;
                continue;
            }
            // `| Longest, min |`: the unit of a column.
            if self.tokens()[i].lower == "min" && self.ends_head(i) {
                i += 1;
                continue;
            }
            let listed = find(words::SUPERLATIVES, self.tokens(), i);
            if let Some((most, len)) = listed.or_else(|| words::graded(self.tokens(), i))
                && !has(words::NO_SUPERLATIVE, self.tokens(), i)
                && !(i > 0 && has(words::NO_SUPERLATIVE, self.tokens(), i - 1))
            {
                self.superlative(i, len, (most, listed.is_none()));
                // `the most orders`
                let word = self.tokens()[i].lower.clone();
                let such = self
                    .tokens()
                    .get(i + len)
                    .is_some_and(|t| ["such", "таких"].contains(&t.lower.as_str()));
                let mut at = i + len + usize::from(such);
                // `the most qualifying days`
                let compares = self.out.hints.iter().any(|(hint, _)| *hint == i || *hint == at);
                let quantity = ["most", "fewest", "least"].contains(&word.as_str())
                    || len > 1 && ["больше", "меньше"].contains(&word.as_str());
                if words::counted(self.tokens(), at).is_none()
                    && !compares
                    && quantity
                    && words::counted(self.tokens(), at + 1).is_some()
                    && self.tokens()[at].is_word()
                    && !self.is_held_base(&self.tokens()[at].stem)
                {
                    at += 1;
                }
                // `the most flights`: a plural that is no measure is counted.
                let plural = self.tokens().get(at).is_some_and(|t| {
                    t.is_word()
                        && t.lower.ends_with('s')
                        && t.lower.len() > 4
                        && !self.world.bases.contains_key(&t.stem)
                        && !has(words::AGGS, self.tokens(), at)
                });
                if word == "most" && plural && words::counted(self.tokens(), at).is_none() {
                    let place = Place { first: at, last: at };
                    self.out.aggs.push(Mark { place, what: Agg::Count });
                    i = at + 1;
                    continue;
                }
                if quantity
                    && let Some(noun) = words::counted(self.tokens(), at)
                    && !self.is_held_base(&self.tokens()[at].stem)
                {
                    let place = Place { first: at, last: at + noun - 1 };
                    self.out.aggs.push(Mark { place, what: Agg::Count });
                    i = at + noun;
                    continue;
                }
                let often = ["чаще", "реже"].contains(&word.as_str())
                    || len > 1 && self.out.tokens[i + 1].lower == "often"
                    || self.of_frequency(i, len);
                // `most often (12.4%)`: a rate, no count.
                let sentence = self.tokens()[i].sentence;
                let rate = self.tokens()[i..]
                    .iter()
                    .take_while(|t| t.sentence == sentence)
                    .any(|t| matches!(&t.kind, Kind::Number(n) if n.percent));
                if often && !rate {
                    let place = Place { first: i, last: i + len - 1 };
                    self.out.aggs.push(Mark { place, what: Agg::Count });
                }
                if len > 1 {
                    i += len;
                    continue;
                }
            }
            // `99.5 at most`, but not `at most 99.5`.
            let edge = match self.out.tokens[i].lower.as_str() {
                "at" => self.out.tokens.get(i + 1).and_then(|t| match t.lower.as_str() {
                    "most" => Some(Agg::Max),
                    "least" => Some(Agg::Min),
                    _ => None,
                }),
                _ => None,
            };
            if let Some(what) = edge
                && !matches!(self.out.tokens.get(i + 2).map(|t| &t.kind), Some(Kind::Number(_)))
            {
                self.out.aggs.push(Mark { place: Place { first: i, last: i + 1 }, what });
                i += 2;
                continue;
            }
            if self.heads_count(i) {
                let place = Place { first: i, last: i };
                self.out.aggs.push(Mark { place, what: Agg::Count });
                i += 1;
                continue;
            }
            // `средняя сумма`: the amount, not the sum.
            let amount = self.tokens()[i].lower.starts_with("сумм")
                && self.out.aggs.last().is_some_and(|a| a.place.last + 1 == i);
            // `the mean number of cars`: the mean.
            let number = self.tokens()[i].lower == "number"
                && self.out.aggs.last().is_some_and(|a| a.place.last + 1 == i);
            if let Some((agg, len)) =
                find(words::AGGS, self.tokens(), i).filter(|_| !amount && !number)
                && !(i > 0
                    && find(words::TOTAL, self.tokens(), i - 1).is_some_and(|((), len)| len > 1))
            {
                let place = Place { first: i, last: i + len - 1 };
                self.out.aggs.push(Mark { place, what: agg });
                i += len;
                continue;
            }
            self.base(i);
            i += 1;
        }
    }

    /// A unit behind a comma or a bracket ends the head of a column.
    fn ends_head(&self, at: usize) -> bool {
        let tokens = self.tokens();
        let is = |i: Option<usize>, marks: &[char]| {
            i.and_then(|i| tokens.get(i)).is_some_and(|t| marks.iter().any(|c| t.is(*c)))
        };
        is(at.checked_sub(1), &[',', '(']) && is(Some(at + 1), &['|', ')'])
    }

    /// `worst 18.2`, `| Longest |`: a superlative that is a word of the name of one column (`worst_delay`)
    /// right before a number, or in the head of a column, is that column's.
    fn names_extreme(&self, at: usize) -> Option<(Agg, String)> {
        let tokens = self.tokens();
        find(words::SUPERLATIVES, tokens, at).filter(|(_, len)| *len == 1)?;
        find(words::AGGS, tokens, at).is_none().then_some(())?;
        let next = tokens.get(at + 1)?;
        let head = at.checked_sub(1).is_some_and(|i| tokens[i].is('|'))
            && [',', '|', '('].iter().any(|c| next.is(*c));
        if !head && !matches!(next.kind, Kind::Number(_)) {
            return None;
        }
        let word = &tokens[at].lower;
        let measures = self.world.views.iter().flat_map(|v| &v.measures);
        let mut own = measures.filter(|m| {
            matches!(m.agg, Some(Agg::Max | Agg::Min)) && name_words(&m.name).contains(word)
        });
        let found = own.next().filter(|_| own.next().is_none())?;
        Some((found.agg?, found.base.clone()))
    }

    /// `orders: 37`, `days with a gap above 50: 80`: what follows the colon is counted.
    fn heads_count(&self, at: usize) -> bool {
        let tokens = self.tokens();
        let sentence = tokens[at].sentence;
        let clause = tokens[at].clause;
        let measured = self.out.bases.iter().any(|b| tokens[b.place.first].clause == clause);
        // `средний чек`: one of them, and no number of them.
        let of_one =
            self.out.aggs.last().is_some_and(|a| {
                a.place.last + 1 == at && !matches!(a.what, Agg::Count | Agg::Sum)
            });
        let of_one = of_one || self.out.superlatives.last().is_some_and(|s| s.place.last + 1 == at);
        let after_number =
            measured || of_one || at > 0 && matches!(tokens[at - 1].kind, Kind::Number(_));
        if after_number
            || words::counted(tokens, at).is_none()
            || self.is_held_base(&tokens[at].stem)
        {
            return false;
        }
        let number = |i: usize| {
            matches!(tokens.get(i).map(|t| &t.kind), Some(Kind::Number(_))) && !self.used[i]
        };
        // `days 17`, `Days: Monday 17`
        let opens = at == 0 || tokens[at - 1].sentence != sentence;
        if number(at + 1) || opens && tokens.get(at + 1).is_some_and(|t| t.is(':')) {
            return true;
        }
        if !has(words::COUNTED, tokens, at) {
            return tokens.get(at + 1).is_some_and(|t| t.is(':') || t.is('—') || t.is('='))
                && number(at + 2);
        }
        let Some(colon) = (at + 1..tokens.len())
            .take_while(|&i| tokens[i].sentence == sentence && !self.used[i])
            .find(|&i| tokens[i].is(':') || tokens[i].is('—') || tokens[i].is('='))
        else {
            return false;
        };
        let named = (at + 1..colon)
            .any(|i| has(words::AGGS, tokens, i) && find(words::TOTAL, tokens, i - 1).is_none());
        !named && number(colon + 1)
    }

    fn superlative(&mut self, at: usize, len: usize, (most, unlisted): (bool, bool)) {
        let word = self.tokens()[at].lower.clone();
        let adjective = find(words::AGGS, self.tokens(), at).is_none()
            || ["peaks", "peaked"].contains(&word.as_str());
        let adjective = adjective && !self.of_rows(at, len, most);
        let hyphen = usize::from(at > 0 && self.tokens()[at - 1].is('-'));
        let (rank, odd) = self.place(at.checked_sub(1 + hyphen), hyphen > 0);
        // `top 5`, `top-5`: a number of rows and no place in the order.
        if word == "top"
            && (self.tokens()[at + len..].iter().take(2).any(|t| matches!(t.kind, Kind::Number(_)))
                || find(words::SPELLED, self.tokens(), at + len).is_some_and(|(n, _)| n > 1))
        {
            return;
        }
        let negated = (1..=3).any(|k| {
            at.checked_sub(k).is_some_and(|i| {
                has(words::NOT, self.tokens(), i)
                    && self.tokens()[i].clause == self.tokens()[at].clause
            })
        });
        let quality = ["best", "worst"].contains(&word.as_str())
            || ["лучш", "худш", "хуже"].iter().any(|w| word.starts_with(w));
        let next = self.tokens().get(at + len);
        let graded = ["most", "least"].contains(&word.as_str())
            && len == 1
            && !self.of_frequency(at, len)
            && next.is_some_and(|t| {
                t.is_word()
                    && !t.lower.ends_with('s')
                    && words::counted(self.tokens(), at + len).is_none()
                    && !self.is_held_base(&t.stem)
                    && !["of", "in", "on", "at", "and", "with", "is", "was"]
                        .contains(&t.lower.as_str())
            });
        let hinted = (at..=at + len).any(|i| self.out.hints.iter().any(|(h, _)| *h == i));
        // The best at being sold is the most of it.
        let sells = next.is_some_and(|t| SELLS.iter().any(|w| t.lower.starts_with(w)));
        let end = if quality && sells {
            End::Leads
        } else if quality {
            End::Good
        } else if (unlisted || graded) && !hinted {
            End::Either
        } else if LEADS.iter().any(|w| word.starts_with(w)) {
            End::Leads
        } else {
            End::Said
        };
        let fall = !quality
            && (at + len..at + len + 3)
                .take_while(|&i| {
                    self.tokens().get(i).is_some_and(|t| t.clause == self.tokens()[at].clause)
                })
                .any(|i| find(words::DIRECTIONS, self.tokens(), i).is_some_and(|((up, _), _)| !up));
        let speed = words::QUICK.iter().any(|w| word.starts_with(w))
            || len > 1 && words::QUICK.iter().any(|w| self.tokens()[at + 1].lower.starts_with(w));
        self.out.superlatives.push(Mark {
            place: Place { first: at, last: at + len - 1 },
            what: Superlative { most, rank, odd, adjective, negated, fall, end, speed },
        });
    }

    /// `the most frequently bought`, `the least common`: by how many rows there are, where a result says it.
    fn of_frequency(&self, at: usize, len: usize) -> bool {
        let most = ["most", "least"].contains(&self.tokens()[at].lower.as_str()) && len == 1;
        let next = self.tokens().get(at + 1);
        let often = next.is_some_and(|t| t.lower.starts_with("frequent") || t.lower == "common");
        let mut measures = self.world.views.iter().flat_map(|v| &v.measures);
        most && often && measures.any(|m| m.agg == Some(Agg::Count))
    }

    /// `the hottest day`, `the heaviest parcel`, `the largest purchase`: of the rows that a group is made
    /// of, where a column has the largest of their values.
    fn of_rows(&self, at: usize, len: usize, most: bool) -> bool {
        let agg = if most { Agg::Max } else { Agg::Min };
        let row = self.tokens().get(at + len).is_some_and(|t| t.counts);
        let size = (at..at + len)
            .any(|i| SIZES.iter().any(|start| self.tokens()[i].lower.starts_with(start)));
        let mut extremes = self.world.views.iter().flat_map(|v| &v.measures);
        // `Kuper's largest purchase`, `the largest purchase at Kuper`
        let noun = at + len;
        let owned = self
            .out
            .mentions
            .iter()
            .any(|m| m.place.last + 1 == at || (noun + 1..=noun + 2).contains(&m.place.first));
        if row && size && owned && extremes.any(|m| m.agg == Some(agg)) {
            return true;
        }
        let hinted = |base: &String| {
            let mut hints = self.out.hints.iter().filter(|(hint, _)| (at..at + len).contains(hint));
            hints.any(|(_, bases)| bases.contains(base))
        };
        let mut measures = self.world.views.iter().flat_map(|v| &v.measures);
        words::counted(self.tokens(), at + len).is_some()
            && measures.any(|m| m.agg == Some(agg) && hinted(&m.base))
    }

    /// The place that the word before a superlative states, and whether there is one that is not
    /// understood (`the umpteenth largest`, `the twenty-first largest`).
    fn place(&self, before: Option<usize>, hyphen: bool) -> (usize, bool) {
        let Some(at) = before else { return (1, false) };
        let tokens = self.tokens();
        let token = &tokens[at];
        if self.used[at] || !(token.is_word() || matches!(token.kind, Kind::Ordinal(_))) {
            return (1, false);
        }
        if let Some(rank) = words::rank(tokens, at) {
            return (rank, words::is_part(tokens, at));
        }
        let word = token.lower.as_str();
        let counts = word.ends_with("th") && word.len() > 5
            || OTHER_PLACES.iter().any(|w| word.starts_with(w));
        if counts || hyphen {
            return (1, counts);
        }
        // `the umpteenth largest`: a word after the article that nobody knows.
        let led = at.checked_sub(1).is_some_and(|i| {
            ["the", "its", "their", "our", "your"].contains(&tokens[i].lower.as_str())
        });
        let owner = ["'s", "’s", "s'", "s’"].iter().any(|end| self.slice(at).ends_with(end));
        let known = owner
            || word.ends_with("ly")
            || NO_PLACE.contains(&word)
            || self.world.bases.contains_key(&token.stem)
            || self.world.axis_words.contains_key(&token.stem)
            || token.counts
            || has(words::SPELLED, tokens, at)
            || has(words::AGGS, tokens, at)
            || has(words::COUNTED, tokens, at)
            || has(words::GROUPS, tokens, at)
            || has(words::PLAIN, tokens, at);
        (1, led && !known)
    }

    fn base(&mut self, at: usize) {
        let token = &self.tokens()[at];
        let place = Place { first: at, last: at };
        for view in &self.world.views {
            if view.outcome.id.to_lowercase() == token.lower {
                let what = view.outcome.id.clone();
                self.out.results.push(Mark { place, what });
                return;
            }
        }
        let lower = token.lower.clone();
        // The name of a column as it is written in the result.
        let exact = self
            .world
            .views
            .iter()
            .flat_map(|v| &v.measures)
            .find(|m| m.name.to_lowercase() == lower);
        if let Some(m) = exact.filter(|_| lower.contains('_')) {
            let (agg, base) = (m.agg, m.base.clone());
            if let Some(what) = agg {
                self.out.aggs.push(Mark { place, what });
            }
            if !base.is_empty() {
                self.out.bases.push(Mark { place, what: vec![base.clone(), base] });
            }
            return;
        }
        let mut found: Vec<String> = Vec::new();
        if lower.contains('_') {
            for word in name_words(&lower) {
                found.extend(
                    self.world.bases.get(&self.stems.stem(&word)).into_iter().flatten().cloned(),
                );
            }
        } else if let Some(bases) = self.world.bases.get(&token.stem) {
            // Words of prices that are everyday words too count only where the result has them.
            let everyday =
                ["open", "close", "high", "low", "change", "rang", "time", "day", "date", "rate"];
            found.extend(
                bases
                    .iter()
                    .filter(|b| {
                        self.world.held.contains(*b) || !everyday.contains(&token.stem.as_str())
                    })
                    .cloned(),
            );
            if token.stem == "close" && self.tokens().get(at + 1).is_some_and(|t| t.lower == "to") {
                found.clear();
            }
        }
        if !found.is_empty() {
            self.out.bases.push(Mark { place, what: found });
        }
    }

    /// Joins words of one name (`price change`): the bases that most of the words mean.
    pub(super) fn merge_bases(&mut self) {
        let mut merged: Vec<Mark<Vec<String>>> = Vec::new();
        for mark in std::mem::take(&mut self.out.bases) {
            match merged.last_mut() {
                Some(last)
                    if mark.place.first <= last.place.last + 1
                        && self.out.tokens[mark.place.first].sentence
                            == self.out.tokens[last.place.last].sentence =>
                {
                    last.place.last = mark.place.last;
                    last.what.extend(mark.what);
                }
                _ => merged.push(mark),
            }
        }
        for mark in &mut merged {
            let count = |b: &String| mark.what.iter().filter(|x| *x == b).count();
            let most = mark.what.iter().map(count).max().unwrap_or(0);
            let mut best: Vec<String> =
                mark.what.iter().filter(|b| count(b) == most).cloned().collect();
            best.sort();
            best.dedup();
            mark.what = best;
        }
        self.out.bases = merged;
    }
}
