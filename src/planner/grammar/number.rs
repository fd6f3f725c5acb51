//! Numbers with their scales and units, as they are said.

use super::super::lattice::Lattice;
use super::super::stem::{fold, parts};
use super::super::token::{TokenKind, Unit};
use super::super::words::Concept;
use crate::schema::{Column, TableSchema};

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
            // `over an hour`
            Some(TokenKind::Word)
                if self.tokens.get(at).is_some_and(|t| t.folded == "an")
                    && self.hours_of_minutes(at + 1).is_some() =>
            {
                (Quantity { value: 1.0, unit: None, year: false, scale: 1.0 }, at + 1)
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
        // `2 hours` of a column of minutes
        if quantity.unit.is_none()
            && let Some((column, next)) = self.hours_of_minutes(end)
        {
            quantity.value *= 60.0;
            quantity.unit = Some(Unit::Declared(column));
            quantity.year = false;
            end = next;
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

    /// A number without its unit: the days of `last 30 days` are days of the calendar, even where a
    /// column is in days.
    pub(super) fn plain_number(&self, at: usize) -> Option<(f64, usize)> {
        match self.tokens.get(at).map(|t| &t.kind) {
            Some(&TokenKind::Number { value, unit: None, .. }) => Some((value, at + 1)),
            Some(TokenKind::Word) => self
                .find(at, |c| match c {
                    Concept::Number(value) => Some(value),
                    _ => None,
                })
                .into_iter()
                .next(),
            _ => None,
        }
    }

    /// The word for hours at `at`, where the table has a column of minutes and none of hours.
    fn hours_of_minutes(&self, at: usize) -> Option<(usize, usize)> {
        let word = &self.tokens.get(at)?.folded;
        words_for_unit("h", word).then_some(())?;
        let has = |unit: &str| {
            self.schema.columns.iter().position(|c| unit_of(c).as_deref() == Some(unit))
        };
        if has("h").is_some() || self.schema.ohlcv.is_some() {
            return None;
        }
        Some((has("min")?, at + 1))
    }

    /// A unit that the table declares: `30 min`.
    pub(super) fn declared_unit(&self, at: usize) -> Option<(Unit, usize)> {
        let word = &self.tokens.get(at)?.folded;
        let rest = |n: usize| self.tokens.get(at + n).map(|t| t.folded.as_str());
        // `15 m/s` is three tokens
        let ratio = match (rest(1), rest(2)) {
            (Some("/"), Some(below)) => Some(format!("{word}/{below}")),
            _ => None,
        };
        let find = |said: &str| {
            self.schema
                .columns
                .iter()
                .position(|c| unit_of(c).is_some_and(|u| u == said || words_for_unit(&u, said)))
        };
        // `60 years old`, `60 лет`
        let old = [Some("old"), Some("of")].contains(&rest(1));
        if (old && word.starts_with("year")) || ["лет", "год", "года"].contains(&word.as_str())
        {
            let age = self.columns_of("age").first().map(|&(column, _)| column);
            if let Some(column) = age {
                let length = match rest(1) {
                    Some("old") => 2,
                    Some("of") => 3,
                    _ => 1,
                };
                return Some((Unit::Declared(column), at + length));
            }
        }
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

/// The unit of a column: the one it declares, or the sign or word of one that its name ends in.
pub(super) fn unit_of(column: &Column) -> Option<String> {
    if let Some(unit) = &column.unit {
        return Some(fold(unit));
    }
    if !column.kind.is_numeric() {
        return None;
    }
    let last = parts(&column.name).pop()?;
    UNITS
        .iter()
        .find(|(sign, words)| *sign == last || words.contains(&last.as_str()))
        .map(|(sign, _)| (*sign).to_owned())
}

/// Words that people say for the sign of a unit.
fn words_for_unit(unit: &str, said: &str) -> bool {
    UNITS.iter().any(|(sign, words)| *sign == unit && words.contains(&said))
}

/// Signs of units, and words for them.
const UNITS: [(&str, &[&str]); 13] = [
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

/// A unit that can be said of a column's numbers.
pub(in super::super) fn unit_fits(schema: &TableSchema, column: usize, unit: Unit) -> bool {
    let declared = |column: usize| schema.columns.get(column).and_then(|c| c.unit.as_deref());
    let Some(named) = schema.columns.get(column) else { return false };
    match unit {
        Unit::Percent => declared(column) == Some("%") || named.name.to_lowercase().contains("pct"),
        Unit::Points => declared(column).is_none() && schema.ohlcv.is_some(),
        Unit::Money => declared(column) != Some("%"),
        Unit::Declared(other) => {
            let unit = |c: usize| schema.columns.get(c).and_then(unit_of);
            column == other || (unit(other).is_some() && unit(column) == unit(other))
        }
    }
}
