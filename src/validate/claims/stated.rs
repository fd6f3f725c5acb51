//! Numbers that follow from two right ones of their sentence, because a word asks for it: the
//! difference, the ratio or the change of `from 68.5 to 38 (by 30.5, or 44.5 %)`, the number of rows that
//! a per cent of a count is. Which two is said by where they stand; none are searched by value.

use super::combine::operate;
use super::judge::{Finding, Why};
use super::number::Sign;
use super::read::{Num, Part, Place, Reading};
use super::resolve::{Fact, cell};
use super::verify::{Fit, fit};
use super::words::{self, Agg, find, has};
use super::world::{Measure, View, World};
use crate::validate::Verdict;
use crate::value::Value;

/// Derives what is still open from the right numbers beside it.
pub(super) fn from_two(world: &World, reading: &Reading, out: &mut [(Place, Finding)]) {
    let mut found: Vec<(usize, Fact)> = Vec::new();
    for (i, (place, finding)) in out.iter().enumerate() {
        let num = reading.numbers.iter().find(|n| n.place.first == place.first);
        let open = finding.claim.verdict == Verdict::Unverifiable;
        let Some(num) = num.filter(|n| open && !n.negated) else { continue };
        let stated = Stated { reading, num, right: right(world, reading, num, out) };
        let fact = stated.pair().or_else(|| stated.part());
        found.extend(fact.map(|fact| (i, fact)));
    }
    for (i, fact) in found {
        let finding = &mut out[i].1;
        finding.claim.verdict = Verdict::Derived;
        finding.claim.actual = None;
        finding.claim.fact = Some(fact.source.clone());
        finding.claim.formula.clone_from(&fact.formula);
        finding.claim.operands = fact.operands;
        finding.why = Why::Fine;
    }
}

/// A right number of the sentence, with the cell that it states.
struct Right<'a> {
    num: &'a Num,
    view: &'a View<'a>,
    measure: &'a Measure,
    row: usize,
    fact: Fact,
}

/// The right numbers of the sentence of a number, in order.
fn right<'a>(
    world: &'a World,
    reading: &'a Reading,
    num: &Num,
    out: &[(Place, Finding)],
) -> Vec<Right<'a>> {
    let sentence = reading.sentence(num.place);
    let mut list: Vec<Right> = out
        .iter()
        .filter(|(place, f)| {
            reading.sentence(*place) == sentence
                && f.claim.verdict == Verdict::Verified
                && f.claim.formula.is_none()
        })
        .filter_map(|(place, f)| {
            let num = reading.numbers.iter().find(|n| n.place.first == place.first)?;
            let source = f.claim.fact.as_ref()?;
            let view = world.views.iter().find(|v| v.outcome.id == source.result)?;
            let name =
                source.column.strip_prefix("stats.").map_or(source.column.as_str(), |rest| {
                    rest.rsplit_once('.').map_or(rest, |(name, _)| name)
                });
            let measure = view.measures.iter().find(|m| m.name == name)?;
            let row = source.row?;
            Some(Right { num, view, measure, row, fact: cell(view, measure, row)? })
        })
        .collect();
    list.sort_by_key(|r| r.num.place.first);
    list
}

struct Stated<'a> {
    reading: &'a Reading,
    num: &'a Num,
    right: Vec<Right<'a>>,
}

impl<'a> Stated<'a> {
    fn word(&self, at: usize) -> &str {
        self.reading.tokens.get(at).map_or("", |t| t.lower.as_str())
    }

    fn first(&self) -> usize {
        self.num.bound.map_or(self.num.place.first, |(_, at)| at)
    }

    /// Two right numbers of one measure, or of two aggregates of one row, as they stand by this one:
    /// first what is spoken of, then what it is held against; and whether the first came first.
    fn two(&self) -> Option<(&Right<'a>, &Right<'a>, bool)> {
        let at = self.num.place.first;
        let alike = |a: &Right, b: &Right| {
            let same = a.measure.column == b.measure.column && a.row != b.row;
            let aggs = a.row == b.row
                && a.measure.column != b.measure.column
                && a.measure.base == b.measure.base
                && a.measure.agg != Some(Agg::Count)
                && b.measure.agg != Some(Agg::Count);
            a.view.outcome.id == b.view.outcome.id && (same || aggs)
        };
        let before: Vec<&Right> = self.right.iter().filter(|r| r.num.place.first < at).collect();
        let after: Vec<&Right> = self.right.iter().filter(|r| r.num.place.first > at).collect();
        let than = (self.num.tail + 1..self.num.tail + 6).any(|i| {
            ["than", "чем"].contains(&self.word(i)) || has(words::OF, &self.reading.tokens, i)
        });
        // `22.5 h, which is 6.5 longer than at Billing (16 h)`
        if let (Some(a), Some(b), true) = (before.last(), after.first(), than)
            && alike(a, b)
        {
            return Some((a, b, true));
        }
        if let [.., a, b] = before.as_slice()
            && alike(a, b)
        {
            // `the former`
            let former = (b.num.place.last..at)
                .any(|i| ["former", "первый", "первая", "первое"].contains(&self.word(i)));
            return Some(if former { (a, b, true) } else { (b, a, false) });
        }
        match (before.last(), after.as_slice()) {
            (None, [a, b, ..]) | (Some(_), [a, b]) if alike(a, b) => Some((a, b, true)),
            _ => None,
        }
    }

    /// The difference, the ratio or the change in per cent of two right numbers.
    fn pair(&self) -> Option<Fact> {
        let (x, y, in_order) = self.two()?;
        let num = self.num;
        let (percent, points) = (num.number.percent && !num.number.points, num.number.points);
        // A per cent of per cents is no change that a sentence states by the way.
        if percent && x.measure.percent() || points && !x.measure.percent() {
            return None;
        }
        let more = self.comparison();
        let up = self.direction();
        let asked = num.times
            || more.is_some()
            || up.is_some()
            || ["by", "на"].contains(&self.reading.word_before(self.first()))
            || self.differs();
        if !asked {
            return None;
        }
        let (a, b) = (x.fact.value, y.fact.value);
        // A change goes from the first to the second, a comparison from what is spoken of.
        let (from, to) = if in_order { (a, b) } else { (b, a) };
        if more.is_some_and(|more| more != (a > b)) || up.is_some_and(|up| up != (to > from)) {
            return None;
        }
        let (left, right) = match (up, more) {
            (Some(_), None) if in_order => (y, x),
            _ => (x, y),
        };
        // `a factor of 3.3`, `1.7 times lower`: the larger by the smaller.
        let swap = num.times && left.fact.value.abs() < right.fact.value.abs();
        let (left, right) = if swap { (right, left) } else { (left, right) };
        operate(num, x.measure, &left.fact, &right.fact).into_iter().find_map(|(mut fact, _)| {
            if num.number.sign == Sign::None {
                fact.value = fact.value.abs();
                fact.source.value = Value::float(fact.value);
            }
            (fit(num, &fact, None) == Fit::Yes).then_some(fact)
        })
    }

    /// A comparison right behind the number, or before it and led by `by`.
    fn comparison(&self) -> Option<bool> {
        let tokens = &self.reading.tokens;
        let sentence = tokens[self.num.place.first].sentence;
        let here = |i: &usize| tokens.get(*i).is_some_and(|t| t.sentence == sentence);
        let at = |i: usize| find(words::COMPARATIVES, tokens, i).map(|((more, _), _)| more);
        let start = if self.num.times { self.num.place.last + 1 } else { self.num.tail + 1 };
        (start..self.num.tail + 4).take_while(here).find_map(at).or_else(|| {
            let led = ["by", "на"].contains(&self.reading.word_before(self.first()))
                || self.num.times && self.reading.word_before(self.first()) == "в";
            let back = self.first().saturating_sub(3)..self.first();
            led.then(|| back.rev().take_while(here).find_map(at)).flatten()
        })
    }

    /// A word of change before the number, or its sign.
    fn direction(&self) -> Option<bool> {
        let tokens = &self.reading.tokens;
        let sentence = tokens[self.num.place.first].sentence;
        match self.num.number.sign {
            Sign::Plus => return Some(true),
            Sign::Minus => return Some(false),
            Sign::None => {}
        }
        if ["to", "at", "from", "до", "с", "от"].contains(&self.reading.word_before(self.first()))
        {
            return None;
        }
        (self.first().saturating_sub(16)..self.first())
            .rev()
            .take_while(|&i| tokens[i].sentence == sentence)
            .find_map(|i| find(words::DIRECTIONS, tokens, i).map(|((up, _), _)| up))
    }

    /// The clause calls the number a difference.
    fn differs(&self) -> bool {
        let tokens = &self.reading.tokens;
        let clause = tokens[self.num.place.first].clause;
        (0..tokens.len()).filter(|&i| tokens[i].clause == clause).any(|i| {
            has(words::DIFFERENCE, tokens, i)
                || ["spread", "разброс", "разрыв"].contains(&tokens[i].lower.as_str())
        })
    }

    /// `26 of 52 gaps were up`, `36.4%, i.e. about 1,183`: so many rows are a per cent of a count that
    /// the sentence states.
    fn part(&self) -> Option<Fact> {
        let num = self.num;
        let plain = num.number.decimals == 0
            && !num.number.percent
            && !num.times
            && num.number.unit.is_none()
            && num.number.scale == 1.0;
        if !plain {
            return None;
        }
        let count = |r: &&Right| r.measure.agg == Some(Agg::Count);
        let percent = |m: &&Measure| m.percent();
        // `26 of 52`: the whole is the count of a group that has one per cent.
        let whole = self
            .right
            .iter()
            .find(|r| count(r) && matches!(r.num.part, Some(Part::Denominator(_))));
        let stated = self.right.iter().find(|r| r.measure.percent());
        let (view, row, of) = match (whole.filter(|_| num.part == Some(Part::Numerator)), stated) {
            (_, Some(p)) if num.part == Some(Part::Numerator) || self.restated(p.num) => {
                (p.view, p.row, p.measure)
            }
            (Some(whole), None) => {
                let mut all = whole.view.measures.iter().filter(percent);
                let only = all.next().filter(|_| all.next().is_none())?;
                (whole.view, whole.row, only)
            }
            _ => return None,
        };
        let all = view.measures.iter().find(|m| m.agg == Some(Agg::Count))?;
        let (n, share) = (cell(view, all, row)?, cell(view, of, row)?);
        let mut fact = n.clone().made_of([n.source.clone(), share.source.clone()]);
        fact.value = (n.value * share.value / 100.0).round();
        fact.source.value = Value::float(fact.value);
        fact.formula = Some(format!("{} * {} / 100", all.name, of.name));
        (fact.source.row, fact.source.key) = (None, Vec::new());
        // Rounded already: no hedge widens it.
        let exact = Num { about: false, ..num.clone() };
        (fit(&exact, &fact, None) == Fit::Yes).then_some(fact)
    }

    /// The number says the same as one before it in other words: `43%, that is 2,150`.
    fn restated(&self, other: &Num) -> bool {
        let (low, high) = if other.place.first < self.num.place.first {
            (other.tail, self.num.place.first)
        } else {
            (self.num.tail, other.place.first)
        };
        (low..high).any(|i| {
            ["i.e", "ie", "or", "или", "т.е", "есть", "это", "so"].contains(&self.word(i))
                || self.reading.tokens[i].is('(')
                || self.word(i) == "i" && self.word(i + 2) == "e"
        })
    }
}
