//! Numbers with their scales and units, as they are said.

use super::super::lattice::Lattice;
use super::super::stem::fold;
use super::super::token::{TokenKind, Unit};
use super::super::words::Concept;
use crate::schema::TableSchema;

/// A number as it was said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in super::super) struct Quantity {
    pub value: f64,
    pub unit: Option<Unit>,
    /// It can be a year.
    pub year: bool,
    /// The factor that was said with it.
    pub scale: f64,
}

impl Lattice<'_> {
    /// A number with its scale and unit, in digits or in words.
    pub(super) fn number(&self, at: usize) -> Option<(Quantity, usize)> {
        let in_words = || {
            self.find(at, |c| match c {
                Concept::Number(value) => {
                    Some(Quantity { value, unit: None, year: false, scale: 1.0 })
                }
                _ => None,
            })
            .into_iter()
            .next()
        };
        let (mut quantity, mut end) = match self.tokens.get(at).map(|t| &t.kind) {
            Some(&TokenKind::Number { value, unit, year }) => {
                (Quantity { value, unit, year, scale: 1.0 }, at + 1)
            }
            _ => in_words()?,
        };
        let scale = self.find(end, |c| match c {
            Concept::Scale(x) => Some(x),
            _ => None,
        });
        if let Some(&(scale, next)) = scale.first() {
            quantity.value *= scale;
            quantity.scale = scale;
            quantity.year = false;
            end = next;
            // `тыс. рублей`
            if self.tokens.get(end).is_some_and(|t| t.is_symbol(".")) && end + 1 < self.tokens.len()
            {
                end += 1;
            }
        }
        if quantity.unit.is_none()
            && let Some((unit, next)) = self.unit(end).or_else(|| self.declared_unit(end))
        {
            quantity.unit = Some(unit);
            quantity.year = false;
            end = next;
        }
        quantity.value.is_finite().then_some((quantity, end))
    }

    /// A unit that the table declares: `30 min`.
    fn declared_unit(&self, at: usize) -> Option<(Unit, usize)> {
        let word = &self.tokens.get(at)?.folded;
        let rest = |n: usize| self.tokens.get(at + n).map(|t| t.folded.as_str());
        // `15 m/s` is three tokens
        let ratio = match (rest(1), rest(2)) {
            (Some("/"), Some(below)) => Some(format!("{word}/{below}")),
            _ => None,
        };
        let declares = |unit: &Option<String>, said: &str| {
            unit.as_ref().is_some_and(|u| fold(u) == said || words_for_unit(&fold(u), said))
        };
        let find = |said: &str| self.schema.columns.iter().position(|c| declares(&c.unit, said));
        if let Some(column) = ratio.as_deref().and_then(find) {
            return Some((Unit::Declared(column), at + 3));
        }
        Some((Unit::Declared(find(word)?), at + 1))
    }

    /// A unit in words.
    pub(super) fn unit(&self, at: usize) -> Option<(Unit, usize)> {
        self.find(at, |c| match c {
            Concept::Unit(unit) => Some(unit),
            _ => None,
        })
        .into_iter()
        .max_by_key(|&(_, end)| end)
    }
}

/// Words that people say for the sign of a unit.
fn words_for_unit(unit: &str, said: &str) -> bool {
    const WORDS: [(&str, &[&str]); 13] = [
        ("min", &["minute", "minutes", "mins", "минут", "минуты", "минута", "минуту", "мин"]),
        ("h", &["hour", "hours", "hrs", "час", "часа", "часов", "ч"]),
        ("s", &["second", "seconds", "sec", "секунд", "секунды", "секунда", "сек", "с"]),
        ("km", &["kilometers", "kilometres", "kilometer", "км", "километров", "километра"]),
        ("m", &["meters", "metres", "метров", "метра", "м"]),
        ("cm", &["centimeters", "centimetres", "см", "сантиметров"]),
        ("mm", &["millimeters", "millimetres", "мм", "миллиметров", "миллиметра"]),
        ("kg", &["kilos", "kilograms", "кг", "килограмм", "килограммов"]),
        ("g", &["grams", "г", "гр", "грамм", "граммов"]),
        ("m/s", &["м/с"]),
        ("km/h", &["км/ч"]),
        ("°c", &["degrees", "degree", "градусов", "градуса", "градус"]),
        ("years", &["year", "yo", "лет", "года", "год"]),
    ];
    WORDS.iter().any(|(sign, words)| *sign == unit && words.contains(&said))
}

/// A unit that can be said of a column's numbers.
pub(in super::super) fn unit_fits(schema: &TableSchema, column: usize, unit: Unit) -> bool {
    let declared = |column: usize| schema.columns.get(column).and_then(|c| c.unit.as_deref());
    let Some(named) = schema.columns.get(column) else { return false };
    match unit {
        Unit::Percent => declared(column) == Some("%") || named.name.to_lowercase().contains("pct"),
        Unit::Points => declared(column).is_none() && schema.ohlcv.is_some(),
        Unit::Money => declared(column) != Some("%"),
        Unit::Declared(other) => declared(column) == declared(other),
    }
}
