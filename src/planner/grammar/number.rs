//! Numbers with their scales and units, as they are said.

use super::super::lattice::Lattice;
use super::super::stem::{fold, parts};
use super::super::token::{TokenKind, Unit};
use super::super::words::Concept;
use crate::schema::{Column, TableSchema};

/// What one letter behind a number may stand for.
const MILLION: f64 = 1e6;

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

impl Quantity {
    /// The same of a column with this unit: its `m` is no million there.
    pub(super) fn of_unit(self, unit: Option<&str>) -> Self {
        if self.scale == MILLION && self.unit.is_none() && matches!(unit, Some("min" | "m")) {
            return Self { value: self.value / MILLION, scale: 1.0, ..self };
        }
        self
    }
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
            .max_by_key(|&(_, end)| end)
        };
        // `двадцать пять`, `сто двадцать`
        let compound = || {
            let (mut quantity, mut end) = in_words()?;
            while let Some((more, next)) = self
                .find(end, |c| match c {
                    Concept::Number(value) => Some(value),
                    _ => None,
                })
                .into_iter()
                .next()
                && ((quantity.value >= 20.0 && quantity.value % 10.0 == 0.0 && more < 10.0)
                    || (quantity.value >= 100.0
                        && quantity.value % 100.0 == 0.0
                        && quantity.value < 1000.0
                        && more < 100.0))
                && more >= 1.0
            {
                quantity.value += more;
                end = next;
            }
            Some((quantity, end))
        };
        let (mut quantity, mut end) = match self.tokens.get(at).map(|t| &t.kind) {
            Some(&TokenKind::Number { value, unit, year }) => {
                // `90m`: millions, or what a column is in
                let raw = self.tokens.get(at).map(|t| t.raw.as_str()).unwrap_or_default();
                let scale = if raw.ends_with(['m', 'M', 'м', 'М']) { MILLION } else { 1.0 };
                (Quantity { value, unit, year, scale }, at + 1)
            }
            // `over an hour`
            Some(TokenKind::Word)
                if self.tokens.get(at).is_some_and(|t| t.folded == "an")
                    && self.other_unit(at + 1).is_some() =>
            {
                (Quantity { value: 1.0, unit: None, year: false, scale: 1.0 }, at + 1)
            }
            // `EUR 200`
            Some(TokenKind::Word)
                if self.unit(at).is_some_and(|(u, end)| u == Unit::Money && end == at + 1)
                    && matches!(
                        self.tokens.get(at + 1).map(|t| &t.kind),
                        Some(TokenKind::Number { unit: None, .. })
                    ) =>
            {
                let Some(&TokenKind::Number { value, .. }) =
                    self.tokens.get(at + 1).map(|t| &t.kind)
                else {
                    return None;
                };
                let unit = Some(Unit::Money);
                (Quantity { value, unit, year: false, scale: 1.0 }, at + 2)
            }
            Some(TokenKind::Word) => match self.glued(at) {
                Some(quantity) => (quantity, at + 1),
                None => compound()?,
            },
            _ => compound()?,
        };
        let scale = self.find(end, |c| match c {
            Concept::Scale(x) => Some(x),
            _ => None,
        });
        // `5 к`, with nothing that the preposition could stand before
        let thousand = self.word(end) == "к"
            && self.tokens.get(end + 1).is_none_or(|t| {
                t.kind == TokenKind::Symbol || t.folded.starts_with("руб") || t.folded == "р"
            });
        let scale = if thousand { vec![(1e3, end + 1)] } else { scale };
        if let Some(&(scale, next)) = scale.iter().max_by_key(|&&(_, end)| end) {
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
            && let Some((column, factor, next)) = self.other_unit(end)
        {
            quantity.value *= factor;
            quantity.unit = Some(Unit::Declared(column));
            quantity.year = false;
            end = next;
            // `an hour and a half`, `1 hour 30 minutes`
            let word = |at: usize| self.tokens.get(at).map(|t| t.folded.as_str());
            if [word(end), word(end + 1), word(end + 2)] == [Some("and"), Some("a"), Some("half")] {
                quantity.value += factor / 2.0;
                end += 3;
            } else if let Some((more, next)) = self.plain_number(end)
                && more < 60.0
                && word(next).is_some_and(|w| w == "min" || words_for_unit("min", w))
            {
                quantity.value += more * self.minutes_in(column, next)?;
                end = next + 1;
            }
        }
        if quantity.unit.is_none()
            && let Some((unit, next)) = self.unit(end).or_else(|| self.declared_unit(end))
        {
            quantity.unit = Some(unit);
            quantity.year = false;
            end = next;
        }
        if quantity.unit.is_none()
            && !quantity.year
            && quantity.scale == 1.0
            && let Some((column, factor)) = self.unit_of_the_next(quantity.value, end)
        {
            quantity.value *= factor;
            quantity.unit = Some(Unit::Declared(column));
        }
        quantity.value.is_finite().then_some((quantity, end))
    }

    /// `4` of `from 4 to 4.5 kg`, `больше 4 и меньше 4,5 кг`: the larger unit of the number behind it.
    fn unit_of_the_next(&self, value: f64, at: usize) -> Option<(usize, f64)> {
        let joined = self.find(at, |c| matches!(c, Concept::To | Concept::And).then_some(()));
        joined.into_iter().find_map(|((), end)| {
            let compared = self.find(end, |c| matches!(c, Concept::Cmp(_)).then_some(()));
            let starts = compared.into_iter().map(|((), end)| end).chain([end]);
            starts.map(|start| self.glue(start)).find_map(|start| {
                let (next, end) = self.plain_number(start)?;
                let (column, factor, _) = self.other_unit(end)?;
                (next >= value).then_some((column, factor))
            })
        })
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

    /// The first column whose unit `fits` accepts.
    fn column_in(&self, fits: impl Fn(&str) -> bool) -> Option<usize> {
        let units = self.units.get_or_init(|| self.schema.columns.iter().map(unit_of).collect());
        units.iter().position(|unit| unit.as_deref().is_some_and(&fits))
    }

    /// `90min`, `1.5h`: a number and a unit of the table in one word.
    fn glued(&self, at: usize) -> Option<Quantity> {
        let word = &self.tokens.get(at)?.folded;
        let split = word.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','))?;
        let (digits, unit) = word.split_at_checked(split)?;
        if digits.is_empty() || self.schema.ohlcv.is_some() {
            return None;
        }
        let value: f64 = digits.replace(',', ".").parse().ok()?;
        let has = |unit: &str| self.column_in(|u| u == unit || words_for_unit(u, unit));
        let hours = ["h", "hr", "hrs"].contains(&unit);
        let (value, column) = match has(unit) {
            Some(column) => (value, column),
            None if hours => (value * 60.0, has("min")?),
            None => return None,
        };
        Some(Quantity { value, unit: Some(Unit::Declared(column)), year: false, scale: 1.0 })
    }

    /// A unit at `at` in which no column of the table is, and a column in a smaller one: with the
    /// number of the smaller ones in it.
    fn other_unit(&self, at: usize) -> Option<(usize, f64, usize)> {
        // a stretch of time before the data's end, and a length of bars
        if self.schema.ohlcv.is_some() {
            return None;
        }
        let word = &self.tokens.get(at)?.folded;
        let has = |unit: &str| self.column_in(|u| u == unit || words_for_unit(unit, u));
        let (large, smaller) =
            LARGER.iter().find(|(unit, _)| *unit == word.as_str() || words_for_unit(unit, word))?;
        if has(large).is_some() {
            return None;
        }
        smaller.iter().find_map(|&(unit, factor)| Some((has(unit)?, factor, at + 1)))
    }

    /// What a minute, said at `at`, is in the unit of `column`.
    fn minutes_in(&self, column: usize, at: usize) -> Option<f64> {
        let unit = self.schema.columns.get(column).and_then(unit_of)?;
        if unit == "min" || words_for_unit("min", &unit) {
            return Some(1.0);
        }
        self.other_unit(at).filter(|&(of, ..)| of == column).map(|(_, factor, _)| factor)
    }

    /// `more than an hour`, `дольше недели`: one of a larger unit.
    pub(super) fn one_of_unit(&self, at: usize) -> Option<(Quantity, usize)> {
        const SINGULAR: [&str; 14] = [
            "часа",
            "часу",
            "час",
            "суток",
            "недели",
            "неделю",
            "месяца",
            "месяц",
            "года",
            "год",
            "минуты",
            "минуту",
            "тонны",
            "километра",
        ];
        if !SINGULAR.contains(&self.word(at)) {
            return None;
        }
        let (column, factor, end) = self.other_unit(at)?;
        let unit = Some(Unit::Declared(column));
        Some((Quantity { value: factor, unit, year: false, scale: 1.0 }, end))
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
        let find = |said: &str| self.column_in(|u| u == said || words_for_unit(u, said));
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
const UNITS: [(&str, &[&str]); 17] = [
    ("days", &["day", "d", "дней", "дня", "день", "дни", "сут", "суток", "сутки"]),
    ("weeks", &["week", "wk", "недель", "недели", "неделя", "неделю", "нед"]),
    ("months", &["month", "месяцев", "месяца", "месяц", "мес"]),
    ("t", &["ton", "tons", "tonnes", "т", "тонн", "тонны", "тонна"]),
    ("min", &["minute", "minutes", "mins", "минут", "минуты", "минута", "минуту", "мин"]),
    ("h", &["hour", "hours", "hr", "hrs", "час", "часа", "часов", "ч"]),
    ("s", &["second", "seconds", "sec", "секунд", "секунды", "секунда", "сек", "с"]),
    (
        "km",
        &[
            "kilometers",
            "kilometres",
            "kilometer",
            "kilometre",
            "kms",
            "км",
            "километров",
            "километра",
        ],
    ),
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

/// Units, and the smaller ones that a column may be in, with how many of them they have.
const LARGER: [(&str, &[(&str, f64)]); 8] = [
    ("h", &[("min", 60.0), ("s", 3600.0)]),
    ("min", &[("s", 60.0)]),
    ("days", &[("h", 24.0)]),
    ("weeks", &[("days", 7.0)]),
    ("years", &[("months", 12.0)]),
    ("km", &[("m", 1000.0)]),
    ("kg", &[("g", 1000.0)]),
    ("t", &[("kg", 1000.0)]),
];

/// A unit that can be said of a column's numbers.
pub(in super::super) fn unit_fits(schema: &TableSchema, column: usize, unit: Unit) -> bool {
    let declared = |column: usize| schema.columns.get(column).and_then(|c| c.unit.as_deref());
    let Some(named) = schema.columns.get(column) else { return false };
    match unit {
        Unit::Percent => declared(column) == Some("%") || named.name.to_lowercase().contains("pct"),
        Unit::Points => declared(column).is_none() && schema.ohlcv.is_some(),
        // `800 rubles` is no number of tickets, where a column is in rubles
        Unit::Money => match declared(column) {
            Some(unit) => is_currency(unit),
            None => !schema.columns.iter().any(|c| c.unit.as_deref().is_some_and(is_currency)),
        },
        Unit::Declared(other) => {
            let unit = |c: usize| schema.columns.get(c).and_then(unit_of);
            column == other || (unit(other).is_some() && unit(column) == unit(other))
        }
    }
}

/// A unit that is money: a sign or three letters, or money for something.
fn is_currency(unit: &str) -> bool {
    const WORDS: [&str; 12] =
        ["$", "€", "£", "₽", "¥", "₸", "руб", "руб.", "rub", "eur", "usd", "р"];
    let first = fold(unit.split(['/', ' ']).next().unwrap_or_default());
    WORDS.contains(&first.as_str())
        || (unit.chars().count() == 3 && unit.chars().all(|c| c.is_ascii_uppercase()))
}
