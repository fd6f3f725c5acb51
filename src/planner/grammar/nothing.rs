//! Productions for none and some of what a number tells: `without discount`, `with a discount`,
//! `discount of 0`, `10% discount`.

use super::super::dictionary::{Nature, nature};
use super::super::lattice::{BY_DICTIONARY, Lattice};
use super::super::sketch::{Cond, Measure, Operand};
use super::super::stem::{parts, stem};
use super::super::token::{TokenKind, Unit};
use super::super::words::{Cmp, Concept};
use super::Way;
use super::bound::bounds_of;
use crate::schema::Kind;

/// Nouns of what is there or not beside the price: nothing of it is zero.
const EXTRAS: &str = "discount discounts rebate tip tips bonus surcharge fee fees tax penalty fine \
    debt refund commission markup скидка чаевые бонус наценка доплата комиссия налог штраф долг \
    возмещение надбавка премия";

/// Names of what has to be paid.
const PRICES: [&str; 5] = ["price", "cost", "fare", "цена", "стоимость"];

impl Lattice<'_> {
    /// It is called something that is there or not.
    pub(super) fn is_extra(&self, column: usize) -> bool {
        self.schema.columns.get(column).is_some_and(|c| {
            let names = std::iter::once(&c.name).chain(&c.label).chain(&c.synonyms);
            c.kind.is_numeric()
                && names.flat_map(|name| parts(name)).any(|part| {
                    let part = stem(&part);
                    EXTRAS.split_whitespace().any(|noun| stem(noun) == part)
                })
        })
    }

    /// What `without` says of a column: no value, of a number zero; and how sure that is.
    pub(super) fn none_of(&self, column: usize) -> (Cond, f64) {
        let missing = Cond::Missing { column, negated: false };
        let Some(known) = self.schema.columns.get(column) else { return (missing, 0.0) };
        if !known.kind.is_numeric() {
            return (missing, 1.0);
        }
        let zero = Cond::Compare(Measure::Column(column), Cmp::Eq, Operand::Number(0.0));
        // no cell is empty
        if known.nulls == Some(0) {
            return (zero, 0.95);
        }
        let part = |p: &String| nature(&stem(p)).is_some_and(|n| n != Nature::Other);
        let adds_up = known.unit.is_some() || parts(&known.name).iter().any(part);
        match (self.is_extra(column), known.nulls) {
            (true, _) => (Cond::Any(vec![zero, missing]), 0.97),
            // what is free has a price
            (false, Some(_)) if parts(&known.name).iter().any(|p| PRICES.contains(&p.as_str())) => {
                (missing, 0.95)
            }
            // nothing of what adds up or is in per cent may as well be zero
            (false, Some(_)) if adds_up => (Cond::Any(vec![zero, missing]), 0.8),
            (false, None) if adds_up => (missing, 0.7),
            _ => (missing, 1.0),
        }
    }

    /// `with a discount`, `со скидкой 10 %`, `zero discount`.
    pub(super) fn some_of(&self, at: usize) -> Vec<Way<Cond>> {
        let mut ways = Vec::new();
        let compared = |column: usize, cmp, number| {
            Cond::Compare(Measure::Column(column), cmp, Operand::Number(number))
        };
        let numeric = |column: &usize| self.kind(*column).is_some_and(Kind::is_numeric);
        // `zero discount`, `с нулевой скидкой`
        let with = usize::from(["with", "having", "с", "со", "при"].contains(&self.word(at)));
        let zero = at + with;
        if self.word(zero) == "zero" || self.word(zero).starts_with("нулев") {
            for (column, end, q) in self.column_ways(self.glue(zero + 1)) {
                if numeric(&column) {
                    ways.push((compared(column, Cmp::Eq, 0.0), end, q * 0.97));
                }
            }
        }
        // `10% discount`
        if let Some((amount, end)) = self.number(zero)
            && amount.unit == Some(Unit::Percent)
            && !self.is_before_rank(at)
        {
            for (column, end, q) in self.column_ways(self.glue(end)) {
                if self.is_extra(column) {
                    ways.extend(
                        self.in_percent(column, amount.value).map(|(c, r)| (c, end, q * r * 0.97)),
                    );
                }
            }
        }
        for (column, end, q) in self.column_ways(at) {
            if !numeric(&column) || q < BY_DICTIONARY {
                continue;
            }
            // `discount of 10%`, `скидка 10 %`
            let mut next = self.glue(end);
            next = self.take(next, Concept::Cmp(Cmp::Eq)).unwrap_or(next);
            if self.is_extra(column)
                && let Some((amount, end)) = self.number(self.glue(next))
                && amount.unit == Some(Unit::Percent)
                && self.range_sign(end).is_none()
            {
                ways.extend(
                    self.in_percent(column, amount.value).map(|(c, r)| (c, end, q * r * 0.95)),
                );
            }
        }
        // `discounted orders`
        let word = self.word(at);
        if word == "discounted" {
            let extras = (0..self.schema.columns.len()).filter(|&c| self.is_extra(c));
            let called = |column: &usize| {
                self.schema.columns.get(*column).is_some_and(|c| {
                    let names = std::iter::once(&c.name).chain(&c.label).chain(&c.synonyms);
                    let mut own = names.flat_map(|name| parts(name)).map(|part| stem(&part));
                    own.any(|part| part == stem(word))
                })
            };
            let named = extras.filter(called);
            ways.extend(named.map(|column| (compared(column, Cmp::Gt, 0.0), at + 1, 1.0)));
        }
        let Some(next) = self.has_some(at) else { return ways };
        for (column, end, q) in self.column_ways(next) {
            if q < BY_DICTIONARY || !self.is_extra(column) || self.has_order() {
                continue;
            }
            // a bound or a value of it is said behind
            let after = self.glue(end);
            // `with a discount over 500`, of parts of one, bounds something else
            let far = self.is_fraction(column)
                && self.bounds(self.glue(end)).into_iter().any(|(bound, _)| {
                    bounds_of(bound).iter().any(|a| a.unit.is_none() && a.value.abs() > 100.0)
                });
            if far {
                ways.push((compared(column, Cmp::Gt, 0.0), end, q * 0.95));
                continue;
            }
            let said = !self.bounds_at(end).is_empty()
                || self.number(after).is_some()
                || self.tokens.get(end).is_some_and(|t| t.kind == TokenKind::Quoted)
                || [end, after].into_iter().any(|i| {
                    self.concepts(i).any(|(c, _)| {
                        matches!(c, Concept::Missing | Concept::Cmp(_) | Concept::Not)
                    })
                });
            if !said {
                ways.push((compared(column, Cmp::Gt, 0.0), end, q * 0.95));
            }
        }
        ways
    }

    /// `with discount 0`: words before `at` that a value of a column may follow.
    pub(super) fn is_introduced(&self, at: usize) -> bool {
        let mut before = at;
        while before > 0 && ["a", "an", "the"].contains(&self.word(before - 1)) {
            before -= 1;
        }
        let words = ["with", "where", "having", "с", "со", "при", "где"];
        before > 0 && words.contains(&self.word(before - 1))
    }

    /// So many per cent of a column, which may be in per cent or in parts of one.
    fn in_percent(&self, column: usize, value: f64) -> impl Iterator<Item = (Cond, f64)> + use<> {
        let is = |number| Cond::Compare(Measure::Column(column), Cmp::Eq, Operand::Number(number));
        let known = self.schema.columns.get(column);
        let told = known.is_some_and(|c| {
            let named = |part: &String| ["pct", "percent", "процент"].contains(&part.as_str());
            c.kind == Kind::Int
                || c.unit.as_deref() == Some("%")
                || parts(&c.name).iter().any(named)
        });
        let found = match value {
            _ if known.is_some_and(|c| c.fraction) => vec![(is(value / 100.0), 1.0)],
            _ if told || value == 0.0 => vec![(is(value), 1.0)],
            // a hundred per cent, or one
            _ if value.abs() <= 1.0 => vec![(is(value), 0.6), (is(value / 100.0), 0.7)],
            _ => vec![(Cond::Any(vec![is(value), is(value / 100.0)]), 0.98)],
        };
        found.into_iter()
    }

    /// `top 10%`
    fn is_before_rank(&self, at: usize) -> bool {
        at > 0 && self.concepts_before(at).any(|(_, c)| matches!(c, Concept::Top(_)))
    }
}
