//! What the values of a column have in common: passes over all of them, each of which ends at the
//! first value that does not fit.

use super::super::options::{DateOrder, Decimal};
use super::number::{self, Size};
use super::segment::Data;
use super::{Column, moment};

/// Why a column is not what was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Misfit {
    /// Zeros in front, as codes have.
    Code,
    /// Whole numbers beyond 64 bits.
    Big,
    /// Some moments have a zone and some have none.
    Zones,
    /// Something else is among the values.
    Other,
}

/// What all the numbers of a column have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Numbers {
    /// Some have a fraction or an exponent.
    pub fraction: bool,
    /// Some do not fit 64 bits.
    pub big: bool,
    /// Some have more digits than a decimal may have.
    pub huge: bool,
    /// The unit that all of them have.
    pub unit: Option<&'static str>,
    /// The least whole number.
    pub least: i64,
    /// The greatest whole number.
    pub most: i64,
    /// Some values are words for missing.
    pub words: bool,
    /// Some are infinite.
    pub infinite: bool,
    /// Some have separators that the other decimal character reads differently.
    pub comma: bool,
}

/// What all the times of a column have in common.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    /// Some have a time of day.
    pub time: bool,
    /// All have a zone.
    pub zone: bool,
    /// Some are finer than a microsecond.
    pub cut: bool,
    /// Some values are words for missing.
    pub words: bool,
    /// All that were not written year first have points between.
    pub point: bool,
}

/// A column that is looked at.
#[derive(Clone, Copy)]
pub(super) struct Facts<'a> {
    /// The column.
    pub column: &'a Column,
    /// Words such as `NA` are missing values.
    pub null_words: bool,
}

impl Facts<'_> {
    /// Reads all values as numbers; `codes` lets superfluous zeros pass.
    pub(super) fn numbers(&self, decimal: Decimal, codes: bool) -> Result<Numbers, Misfit> {
        let mut all = Numbers {
            fraction: false,
            big: false,
            huge: false,
            unit: None,
            least: i64::MAX,
            most: i64::MIN,
            words: false,
            infinite: false,
            comma: false,
        };
        let mut unit = None;
        for segment in self.column.segments.iter().filter(|s| s.regular() > 0) {
            match &segment.data {
                Data::Times { .. } => return Err(Misfit::Other),
                Data::Numbers { mantissas, scales } => {
                    unit = Some(None);
                    if decimal == Decimal::Comma && !scales.whole() {
                        let grouped = segment.values(mantissas).all(|(row, m)| {
                            let scale = scales.get(row);
                            scale == 0
                                || (scale == 3 && (1000..1_000_000).contains(&m.unsigned_abs()))
                        });
                        if !grouped {
                            return Err(Misfit::Other);
                        }
                    } else {
                        all.fraction |= !scales.whole();
                    }
                    let (least, most) = if segment.regular() == segment.rows {
                        (mantissas.iter().copied().min(), mantissas.iter().copied().max())
                    } else {
                        let values = || segment.values(mantissas).map(|(_, m)| m);
                        (values().min(), values().max())
                    };
                    all.least = all.least.min(least.unwrap_or(i64::MAX));
                    all.most = all.most.max(most.unwrap_or(i64::MIN));
                }
                Data::Nothing | Data::Keys(_) | Data::Text { .. } => {}
            }
        }
        let mut code = false;
        for text in self.column.slow() {
            let Some(number) = number::read(text, decimal) else {
                if number::is_infinite_word(text) {
                    all.infinite = true;
                } else if self.is_null(text) {
                    all.words |= !text.trim().is_empty();
                } else {
                    return Err(Misfit::Other);
                }
                continue;
            };
            code |= number.code;
            all.comma |= number.comma;
            if *unit.get_or_insert(number.unit) != number.unit {
                return Err(Misfit::Other);
            }
            match number.value {
                Size::Int(i) => {
                    all.least = all.least.min(i);
                    all.most = all.most.max(i);
                }
                Size::Big(_) => {
                    all.big = true;
                    all.huge |= number::exact(text, decimal).is_none();
                }
                Size::Float(_) => all.fraction = true,
            }
        }
        if code && !codes {
            return Err(Misfit::Code);
        }
        all.unit = unit.ok_or(Misfit::Other)?;
        Ok(all)
    }

    /// Reads all values as dates or moments.
    pub(super) fn times(&self, order: DateOrder) -> Result<Times, Misfit> {
        let mut all = Times { time: false, zone: false, cut: false, words: false, point: true };
        let mut zone = None;
        let mut mixed = false;
        for segment in self.column.segments.iter().filter(|s| s.regular() > 0) {
            match &segment.data {
                Data::Numbers { .. } => return Err(Misfit::Other),
                Data::Times { .. } if order != DateOrder::Ymd => return Err(Misfit::Other),
                Data::Times { form, .. } => {
                    all.time |= form.has_time();
                    mixed |= *zone.get_or_insert(form.has_zone()) != form.has_zone();
                }
                Data::Nothing | Data::Keys(_) | Data::Text { .. } => {}
            }
        }
        for text in self.column.slow() {
            let Some(moment) = moment::read(text, order) else {
                if self.is_null(text) {
                    all.words |= !text.trim().is_empty();
                    continue;
                }
                return Err(Misfit::Other);
            };
            all.time |= moment.time;
            all.cut |= moment.cut;
            all.point &= moment.separator == b'.';
            mixed |= *zone.get_or_insert(moment.zone) != moment.zone;
        }
        if mixed {
            return Err(Misfit::Zones);
        }
        all.zone = zone.ok_or(Misfit::Other)?;
        Ok(all)
    }

    /// Whether all values are words for true and false; tells if there are words for missing too.
    /// With `numbers`, 0 and 1 count.
    pub(super) fn boolean(&self, numbers: bool) -> Option<bool> {
        let mut words = false;
        let mut pair = None;
        let mut seen = [false; 2];
        for segment in self.column.segments.iter().filter(|s| s.regular() > 0) {
            match &segment.data {
                Data::Keys(_) | Data::Nothing => {}
                Data::Numbers { mantissas, scales }
                    if numbers
                        && scales.whole()
                        && segment.values(mantissas).all(|(_, m)| m == 0 || m == 1) => {}
                _ => return None,
            }
        }
        for text in self.column.slow() {
            match truth(text) {
                Some((p, value)) if *pair.get_or_insert(p) == p => {
                    if let Some(seen) = seen.get_mut(usize::from(value)) {
                        *seen = true;
                    }
                }
                None if self.is_null(text) => words |= !text.trim().is_empty(),
                _ => return None,
            }
        }
        // a column of nothing but `NO` or `F` says something else
        let clear = numbers || pair? == 0 || seen == [true, true];
        clear.then_some(words)
    }

    /// Whether something holds for all whole numbers of a column that has nothing else.
    pub(super) fn all_whole(&self, holds: impl Fn(i64) -> bool) -> bool {
        let plain = self.column.segments.iter().all(|segment| match &segment.data {
            Data::Numbers { mantissas, .. } => segment.values(mantissas).all(|(_, m)| holds(m)),
            _ => true,
        });
        plain
            && self.column.slow().all(|text| match number::read(text, Decimal::Point) {
                Some(number::Number { value: Size::Int(i), .. }) => holds(i),
                Some(_) => false,
                None => true,
            })
    }

    /// Whether all numbers of a column are decimals with so many digits behind the point.
    pub(super) fn all_decimals(&self, decimal: Decimal, scale: u8) -> bool {
        let plain = self.column.segments.iter().all(|segment| match &segment.data {
            Data::Numbers { mantissas, scales } => segment.values(mantissas).all(|(row, m)| {
                number::at_scale(m, plain_scale(scales.get(row), decimal), scale).is_some()
            }),
            _ => true,
        });
        plain
            && self.column.slow().all(|text| {
                let none = number::read(text, decimal).is_none();
                none || number::exact(text, decimal).is_some_and(|x| x.rescale(scale).is_some())
            })
    }

    /// Whether a text stands for a missing value.
    pub(super) fn is_null(&self, text: &str) -> bool {
        text.trim().is_empty() || (self.null_words && number::is_null_word(text))
    }
}

/// The digits behind the point of a plain decimal: where the comma is one, its points are
/// thousands separators.
pub(super) fn plain_scale(scale: u8, decimal: Decimal) -> u8 {
    if decimal == Decimal::Comma { 0 } else { scale }
}

/// The pair of words a text belongs to, and which of the two it is.
pub(super) fn truth(text: &str) -> Option<(u8, bool)> {
    let text = text.trim();
    if text.len() > "истина".len() {
        return None;
    }
    Some(match text.to_lowercase().as_str() {
        "true" => (0, true),
        "false" => (0, false),
        "yes" => (1, true),
        "no" => (1, false),
        "y" => (2, true),
        "n" => (2, false),
        "t" => (3, true),
        "f" => (3, false),
        "да" => (4, true),
        "нет" => (4, false),
        // As spreadsheets write them in these languages.
        "истина" => (5, true),
        "ложь" => (5, false),
        "wahr" => (6, true),
        "falsch" => (6, false),
        _ => return None,
    })
}
