//! What two groups of a sentence differ by: `A is ahead of B by 23`, `A made three times as much as B`, `in
//! June 8 % fewer than in May`. Where the sentence, its question or the result says by what, the number is
//! that difference, ratio or change, and no other.

use super::bind::Binder;
use super::combine::operate;
use super::judge::{Finding, Why, finding, rewrite};
use super::read::{Mention, Num, Place};
use super::resolve::{Fact, cell};
use super::told::{asked, row_of, told, view_of};
use super::verify::{Fit, fit, units_agree};
use super::words::{self, find, has};
use super::world::{Measure, View};
use crate::query::check::ResultKind;
use crate::validate::{FactRef, Verdict};
use crate::value::Value;

/// Of more groups than these nobody compares two.
const ROWS: usize = 10_000;

/// A ratio in whole words (`twice`) is wrong beyond this part of it.
const ROUGH: f64 = 0.15;

/// Words of a lead of one over another that stand between the two, by their beginnings: whether the first
/// has more.
const LEADS: &[(&str, bool)] = &[
    ("ahead", true),
    ("lead", true),
    ("beat", true),
    ("exceed", true),
    ("outsold", true),
    ("outsell", true),
    ("outperform", true),
    ("outpac", true),
    ("behind", false),
    ("trail", false),
    ("lag", false),
    ("опере", true),
    ("обог", true),
    ("обгон", true),
    ("превы", true),
    ("превос", true),
    ("уступ", false),
    ("отста", false),
];

/// Words before what something is held against.
const AGAINST: &[&str] = &["than", "чем", "compared", "versus", "vs", "сравнению", "from"];

/// Judges the numbers that stand by two groups.
pub(super) fn between(text: &str, binder: &Binder, from: usize, out: &mut Vec<(Place, Finding)>) {
    let reading = binder.reading;
    for &n in binder.claims {
        let num = &reading.numbers[n];
        let view = view_of(binder, reading.sentence(num.place)).filter(|view| {
            let one_each = view.names.len() == 1 || view.kind == ResultKind::Table;
            one_each && view.outcome.rows.len() <= ROWS
        });
        let Some(view) = view else { continue };
        let Some(pair) = pair(binder, view, num) else { continue };
        let stated = stated(binder, view, num, &pair, out);
        if stated.len() > 1 {
            continue;
        }
        let of = Two { binder, view, num, pair, from, stated: stated.first().copied() };
        let Some(at) = out.iter().position(|(place, _)| place.last == num.place.last) else {
            continue;
        };
        let Some(fact) = of.fact() else {
            // A difference that another reading has found bears out its words.
            let claim = &out[at].1.claim;
            let derived = claim.verdict == Verdict::Derived && of.lead().is_some();
            if let [x, y] = claim.operands.as_slice()
                && derived
                && x.value.as_f64() > y.value.as_f64()
            {
                let x = x.clone();
                of.verify_words(Some(x), out);
            }
            continue;
        };
        let place = num.place;
        if of.fits(&fact) {
            let derived = Verdict::Derived;
            let found = finding(text, reading, place, derived, None, Some(&fact), Why::Fine);
            out[at] = (place, found);
            of.verify_words(fact.operands.first().cloned(), out);
        } else if of.differs(&fact) {
            let (place, actual) = rewrite(text, binder, num, &fact, Fit::No);
            let wrong = Verdict::Contradicted;
            let why = Why::Value;
            let found = finding(text, reading, place, wrong, Some(actual), Some(&fact), why);
            out[at] = (place, found);
            out.retain(|(p, f)| {
                !(f.claim.verdict == Verdict::Unverifiable
                    && p.first >= place.first
                    && p.last < place.last)
            });
        }
    }
}

/// The two names of the sentence of a number, each of one group, and nothing else that is named there.
fn pair<'r>(binder: &Binder<'r>, view: &View, num: &Num) -> Option<[(&'r Mention, usize); 2]> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let spans = reading.spans.iter().any(|(a, _)| reading.sentence(a.place) == sentence);
    let mut list = reading.mentions.iter().filter(|m| reading.sentence(m.place) == sentence);
    let one = |m: &'r Mention| Some((m, row_of(view, m)?));
    let pair = [one(list.next()?)?, one(list.next()?)?];
    (list.next().is_none() && !spans && pair[0].1 != pair[1].1).then_some(pair)
}

/// The measures of the right numbers that the sentence gives the two.
fn stated<'v>(
    binder: &Binder,
    view: &'v View,
    num: &Num,
    pair: &[(&Mention, usize); 2],
    out: &[(Place, Finding)],
) -> Vec<&'v Measure> {
    let reading = binder.reading;
    let sentence = reading.sentence(num.place);
    let of_pair = |row: usize| pair.iter().any(|(_, own)| *own == row);
    let facts = out.iter().filter(|(place, f)| {
        reading.sentence(*place) == sentence
            && *place != num.place
            && f.claim.verdict == Verdict::Verified
            && f.claim.formula.is_none()
            && reading.numbers.iter().any(|n| n.place.last == place.last)
    });
    let facts = facts.filter_map(|(_, f)| f.claim.fact.as_ref());
    let columns: Vec<&str> =
        facts.filter(|f| f.row.is_some_and(of_pair)).map(|f| f.column.as_str()).collect();
    view.measures.iter().filter(|m| columns.contains(&m.name.as_str())).collect()
}

struct Two<'a, 'b> {
    binder: &'b Binder<'a>,
    view: &'b View<'a>,
    num: &'b Num,
    pair: [(&'a Mention, usize); 2],
    from: usize,
    /// What the right numbers of the sentence are of.
    stated: Option<&'b Measure>,
}

impl<'b> Two<'_, 'b> {
    fn here(&self, i: usize) -> bool {
        let tokens = &self.binder.reading.tokens;
        tokens[i].sentence == tokens[self.num.place.first].sentence
    }

    fn says(&self, table: words::Table<()>) -> bool {
        let tokens = &self.binder.reading.tokens;
        (0..tokens.len()).any(|i| self.here(i) && has(table, tokens, i))
    }

    /// The measure that the sentence names, or else its question.
    fn measure(&self) -> Option<&'b Measure> {
        if self.stated.is_some() {
            return self.stated;
        }
        let tokens = &self.binder.reading.tokens;
        let begin = (0..tokens.len()).find(|&i| self.here(i))?;
        let end = (begin..tokens.len()).take_while(|&i| self.here(i)).last()? + 1;
        // A ratio or a change has a form of its own.
        let form = (!self.num.times && !self.num.number.percent).then_some(self.num);
        let list = told(self.binder, self.view, begin..end, form);
        let asked = || asked(self.binder, self.view, self.from);
        match list.as_slice() {
            [m] => Some(m),
            [] => asked(),
            several => asked().filter(|m| several.iter().any(|o| o.column == m.column)),
        }
    }

    /// The one measure of the form of the number by which the one that leads has more.
    fn by_form(&self, first: usize, second: usize) -> Option<&'b Measure> {
        if self.num.times || self.num.number.percent {
            return None;
        }
        let mut list = self.view.measures.iter().filter(|m| {
            let (x, y) = (cell(self.view, m, first), cell(self.view, m, second));
            x.zip(y).is_some_and(|(x, y)| {
                let unit = x.unit.is_some() == self.num.number.unit.is_some();
                unit && !x.percent && units_agree(self.num, &x) && x.value > y.value
            })
        });
        list.next().filter(|_| list.next().is_none())
    }

    /// What the number should be.
    fn fact(&self) -> Option<Fact> {
        let num = self.num;
        let odd = num.negated || num.part.is_some() || num.range.is_some() || num.number.points;
        if odd || self.says(words::NONE) || self.says(words::TOGETHER) || self.says(words::EVERY) {
            return None;
        }
        let alike = self.binder.claims.iter().filter(|&&n| {
            let other = &self.binder.reading.numbers[n];
            self.here(other.place.first)
                && other.times == num.times
                && other.number.percent == num.number.percent
        });
        if alike.count() != 1 {
            return None;
        }
        let (first, second) = match (num.times, num.number.percent) {
            (true, _) => self.ratio()?,
            (false, true) => self.change()?,
            (false, false) => self.lead()?,
        };
        let m = self.measure().or_else(|| self.by_form(first, second));
        let m = m.filter(|m| !m.percent() || !num.number.percent)?;
        let (x, y) = (cell(self.view, m, first)?, cell(self.view, m, second)?);
        let (mut fact, _) = operate(num, m, &x, &y).into_iter().next()?;
        if num.times && fact.value < 1.0 {
            return None;
        }
        if !num.times {
            fact.value = fact.value.abs();
            fact.source.value = Value::float(fact.value);
        }
        Some(fact)
    }

    /// `A is ahead of B by 23`: the words of a lead between the two, and `by` before the number.
    fn lead(&self) -> Option<(usize, usize)> {
        let reading = self.binder.reading;
        let first = self.num.bound.map_or(self.num.place.first, |(_, at)| at);
        let by = (first.saturating_sub(3)..first)
            .any(|i| ["by", "на"].contains(&reading.tokens[i].lower.as_str()));
        let (a, b) = (self.pair[0].0.place, self.pair[1].0.place);
        let behind = b.last < self.num.place.first;
        let verb = (a.last + 1..b.first).find_map(|i| {
            let word = reading.tokens[i].lower.as_str();
            LEADS.iter().find(|(start, _)| word.starts_with(start)).map(|(_, more)| *more)
        })?;
        let (x, y) = (self.pair[0].1, self.pair[1].1);
        (by && behind).then_some(if verb { (x, y) } else { (y, x) })
    }

    /// `A made three times as much as B`: of the first to the second.
    fn ratio(&self) -> Option<(usize, usize)> {
        let tokens = &self.binder.reading.tokens;
        let (a, b) = (self.pair[0].0.place, self.pair[1].0.place);
        let num = self.num;
        let less = (0..tokens.len()).filter(|&i| self.here(i)).any(|i| {
            find(words::COMPARATIVES, tokens, i).is_some_and(|((more, _), _)| !more)
                || find(words::DIRECTIONS, tokens, i).is_some()
        });
        let between = a.last < num.place.first && num.place.last < b.first;
        (between && !less && num.bound.is_none_or(|(above, _)| above))
            .then_some((self.pair[0].1, self.pair[1].1))
    }

    /// `June slipped by 8.3 % compared with May`, `in June 8 % fewer than in May`: of the one that is
    /// spoken of to the one that it is held against.
    fn change(&self) -> Option<(usize, usize)> {
        let reading = self.binder.reading;
        let tokens = &reading.tokens;
        let named = |i: usize| reading.mentions.iter().any(|m| m.place.first == i);
        let against = |m: &Mention| {
            let before = m.place.first.saturating_sub(4)..m.place.first;
            before.clone().any(|i| {
                self.here(i)
                    && AGAINST.contains(&tokens[i].lower.as_str())
                    && !(i + 1..before.end).any(named)
            })
        };
        let [first, second] = self.pair;
        let (of, to) = match (against(first.0), against(second.0)) {
            (true, false) => (second.1, first.1),
            (false, true) => (first.1, second.1),
            _ => return None,
        };
        // The words turn as the values do.
        let m = self.measure()?;
        let up = cell(self.view, m, of)?.value > cell(self.view, m, to)?.value;
        let mut ways = (0..tokens.len()).filter(|&i| self.here(i)).filter_map(|i| {
            let up = find(words::DIRECTIONS, tokens, i).map(|((up, _), _)| up);
            up.or(find(words::COMPARATIVES, tokens, i).map(|((more, _), _)| more))
        });
        let way = ways.next()?;
        (ways.all(|other| other == way) && way == up).then_some((of, to))
    }

    fn fits(&self, fact: &Fact) -> bool {
        fit(self.num, fact, None) == Fit::Yes && !self.is_rough(fact)
    }

    /// `twice` of what is 1.6 times.
    fn is_rough(&self, fact: &Fact) -> bool {
        let n = self.num.number.value;
        self.num.times && self.num.bound.is_none() && (fact.value - n).abs() > ROUGH * n
    }

    fn differs(&self, fact: &Fact) -> bool {
        let how = fit(self.num, fact, None);
        self.is_rough(fact) || !self.num.times && how == Fit::No || how == Fit::Bound
    }

    /// The comparison of the two that the sentence makes by the same measure.
    fn verify_words(&self, fact: Option<FactRef>, out: &mut [(Place, Finding)]) {
        let (a, b) = (self.pair[0].0.place, self.pair[1].0.place);
        let open = out.iter_mut().filter(|(place, f)| {
            place.first > a.last
                && place.last < b.first
                && f.claim.verdict == Verdict::Unverifiable
                && *place != self.num.place
                && find(words::COMPARATIVES, &self.binder.reading.tokens, place.first).is_some()
        });
        for (_, found) in open {
            found.claim.verdict = Verdict::Verified;
            found.claim.fact.clone_from(&fact);
            found.why = Why::Fine;
        }
    }
}
