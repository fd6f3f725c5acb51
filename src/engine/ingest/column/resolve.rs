//! What a column is, decided over all its values.

use super::super::options::{DateOrder, Decimal, escape};
use super::super::report::{Note, NoteCode};
use super::facts::{Facts, Misfit, Numbers, Times};
use super::moment::{self, DAY};
use super::number;
use super::segment::Data;
use super::{Column, Settings, TimeHint, Written};
use crate::error::{Code, Diagnostic, Error, Locale, Result};
use crate::schema::Kind;
use crate::value::MOST_DIGITS;

/// What a column is and how its values are to be read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Plan {
    /// Whole numbers; in 32 bits where they fit.
    Int { decimal: Decimal, narrow: bool, unit: Option<&'static str> },
    /// Doubles.
    Float { decimal: Decimal, unit: Option<&'static str> },
    /// Decimals with so many digits behind the point.
    Decimal { decimal: Decimal, scale: u8, unit: Option<&'static str> },
    /// Truth values.
    Bool,
    /// Dates or moments, from texts or from whole numbers; moments may be in UTC.
    Time { order: DateOrder, dates: bool, epoch: Option<Epoch>, utc: bool },
    /// Text as written.
    Text,
}

/// What a whole number means as a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Epoch {
    /// This many nanoseconds since 1970 a unit.
    Nanos(i64),
    /// `20240102`.
    Digits,
}

impl Epoch {
    /// Microseconds since 1970.
    pub(super) fn micros(self, value: i64) -> Option<i64> {
        match self {
            Self::Nanos(1) => Some(value.div_euclid(1000)),
            Self::Nanos(unit) => value.checked_mul(unit / 1000),
            Self::Digits => {
                let value = u32::try_from(value).ok()?;
                Some(moment::days(value / 10_000, value / 100 % 100, value % 100)? * DAY)
            }
        }
    }
}

/// Decides what `column` is and notes the guesses.
pub(super) fn resolve(
    column: &Column,
    name: &str,
    settings: Settings,
    hint: TimeHint,
    notes: &mut Vec<Note>,
) -> Result<Plan> {
    let facts = Facts { column, null_words: settings.null_words };
    let mut r = Resolver { facts, name, settings, notes };
    if column.is_blank() {
        r.note(
            NoteCode::EmptyColumn,
            text!(
                "column `{name}` has no values; it is text",
                "в столбце `{name}` нет значений; он текстовый"
            ),
        );
        return Ok(r.empty());
    }
    match column.forced {
        None => Ok(r.guess(hint)),
        // lists are read from what is written
        Some(Kind::Text | Kind::List(_)) => Ok(Plan::Text),
        Some(kind) => r.force(kind).ok_or_else(|| unlike(name)),
    }
}

/// Tells that a column is not of the kind that was asked for.
pub(super) fn unlike(name: &str) -> Error {
    Diagnostic::new(
        Code::BadOption,
        text!(
            "not all values of column `{name}` can be read as that",
            "не все значения столбца `{name}` можно так прочитать"
        ),
    )
    .at(format!("/types/{}", escape(name)))
    .fix("text")
    .into()
}

struct Resolver<'a> {
    facts: Facts<'a>,
    name: &'a str,
    settings: Settings,
    notes: &'a mut Vec<Note>,
}

impl Resolver<'_> {
    fn note(&mut self, code: NoteCode, text: crate::error::Text) {
        self.notes.push(Note::new(code, text).column(self.name));
    }

    /// The plan for a column without values.
    fn empty(&self) -> Plan {
        let (decimal, order) = (Decimal::Point, DateOrder::Ymd);
        match self.facts.column.forced {
            None | Some(Kind::Text | Kind::List(_)) => Plan::Text,
            Some(Kind::Int) => Plan::Int { decimal, narrow: false, unit: None },
            Some(Kind::Float) => Plan::Float { decimal, unit: None },
            Some(Kind::Decimal(scale)) => Plan::Decimal { decimal, scale, unit: None },
            Some(Kind::Bool) => Plan::Bool,
            Some(Kind::Date) => Plan::Time { order, dates: true, epoch: None, utc: false },
            Some(Kind::Timestamp) => Plan::Time { order, dates: false, epoch: None, utc: false },
        }
    }

    fn guess(&mut self, hint: TimeHint) -> Plan {
        let name = self.name;
        let quoted = match self.facts.column.written {
            Written::Bare => false,
            Written::Quoted => true,
            Written::Mixed | Written::Lists => return Plan::Text,
        };
        let number = if quoted { Err(Misfit::Other) } else { self.number() };
        if let Ok((decimal, numbers)) = number {
            if hint != TimeHint::No
                && let Some(epoch) = self.epoch(&numbers, hint == TimeHint::Given)
            {
                return self.epoch_plan(epoch);
            }
            if !numbers.big || numbers.fraction {
                self.note_words(numbers.words, numbers.infinite);
                return number_plan(decimal, &numbers);
            }
            if !numbers.huge {
                self.note_words(numbers.words, numbers.infinite);
                self.notes.push(big_note(name));
                return Plan::Decimal { decimal, scale: 0, unit: numbers.unit };
            }
        }
        let (order, times) = match self.time() {
            Ok((order, times)) => (order, Some(times)),
            Err(misfit) => {
                if misfit == Misfit::Zones {
                    self.note(
                        NoteCode::MixedZones,
                        text!(
                            "column `{name}` is text: some of its times have a zone and some have none",
                            "столбец `{name}` — текст: у части моментов есть часовой пояс, у части нет"
                        ),
                    );
                }
                (DateOrder::Ymd, None)
            }
        };
        if let Some(times) = times {
            return self.time_plan(order, times, !times.time);
        }
        if quoted {
            return Plan::Text;
        }
        if let Some(words) = self.facts.boolean(false) {
            self.note_words(words, false);
            return Plan::Bool;
        }
        self.note_text(number.map_or_else(|misfit| misfit, |_| Misfit::Big));
        Plan::Text
    }

    fn force(&mut self, kind: Kind) -> Option<Plan> {
        match kind {
            Kind::Int | Kind::Float | Kind::Decimal(_) => {
                let (decimal, numbers) = match self.number() {
                    Err(Misfit::Code) => {
                        let decimal = self.settings.decimal.unwrap_or(Decimal::Point);
                        (decimal, self.facts.numbers(decimal, true).ok()?)
                    }
                    other => other.ok()?,
                };
                self.note_words(numbers.words, numbers.infinite);
                let unit = numbers.unit;
                if kind == Kind::Float {
                    return Some(Plan::Float { decimal, unit });
                }
                if let Kind::Decimal(scale) = kind {
                    let fits = self.facts.all_decimals(decimal, scale);
                    return fits.then_some(Plan::Decimal { decimal, scale, unit });
                }
                (!numbers.fraction && !numbers.big).then_some(Plan::Int {
                    decimal,
                    narrow: false,
                    unit,
                })
            }
            Kind::Bool => {
                let words = self.facts.boolean(true)?;
                self.note_words(words, false);
                Some(Plan::Bool)
            }
            Kind::Date | Kind::Timestamp => {
                if let Ok((order, times)) = self.time() {
                    let dates = kind == Kind::Date;
                    return (!dates || !times.time).then(|| self.time_plan(order, times, dates));
                }
                let (_, numbers) = self.number().ok()?;
                let epoch = self.epoch(&numbers, true)?;
                let fits = kind == Kind::Timestamp || epoch == Epoch::Digits;
                fits.then(|| self.epoch_plan(epoch))
            }
            Kind::Text | Kind::List(_) => Some(Plan::Text),
        }
    }

    /// The decimal character under which all values are numbers.
    fn number(&mut self) -> Result<(Decimal, Numbers), Misfit> {
        if let Some(decimal) = self.settings.decimal {
            return self.facts.numbers(decimal, false).map(|n| (decimal, n));
        }
        let point = self.facts.numbers(Decimal::Point, false);
        if let Ok(numbers) = point
            && !numbers.comma
        {
            return Ok((Decimal::Point, numbers));
        }
        let comma = self.facts.numbers(Decimal::Comma, false);
        let name = self.name;
        match (point, comma) {
            (Ok(point), Err(_)) => Ok((Decimal::Point, point)),
            (Err(_), Ok(comma)) => Ok((Decimal::Comma, comma)),
            (Ok(point), Ok(comma)) => {
                if self.settings.likely_decimal == Some(Decimal::Comma) {
                    self.note(
                        NoteCode::SeparatorsGuessed,
                        text!(
                            "the commas of column `{name}` are read as decimal commas",
                            "запятые столбца `{name}` прочитаны как десятичные"
                        ),
                    );
                    return Ok((Decimal::Comma, comma));
                }
                self.note(
                    NoteCode::SeparatorsGuessed,
                    text!(
                        "the commas of column `{name}` are read as thousands separators",
                        "запятые столбца `{name}` прочитаны как разделители тысяч"
                    ),
                );
                Ok((Decimal::Point, point))
            }
            (Err(point), Err(comma)) => Err(if comma == Misfit::Code { comma } else { point }),
        }
    }

    /// The order under which all values are dates or moments.
    fn time(&mut self) -> Result<(DateOrder, Times), Misfit> {
        use DateOrder::{Dmy, Mdy, Ymd};
        match self.facts.times(Ymd) {
            Err(Misfit::Other) => {}
            other => return other.map(|t| (Ymd, t)),
        }
        if let Some(order) = self.settings.dates {
            return self.facts.times(order).map(|t| (order, t));
        }
        let (order, times) = match (self.facts.times(Dmy), self.facts.times(Mdy)) {
            (Ok(times), Ok(_)) => {
                let day_first = times.point || self.settings.locale == Locale::Ru;
                (if day_first { Dmy } else { Mdy }, times)
            }
            (Ok(times), Err(_)) => return Ok((Dmy, times)),
            (Err(_), Ok(times)) => return Ok((Mdy, times)),
            (Err(misfit), Err(_)) => return Err(misfit),
        };
        let name = self.name;
        if !times.point {
            self.note(
                NoteCode::DateOrderGuessed,
                if order == Dmy {
                    text!(
                        "the dates of column `{name}` are read with the day first",
                        "даты столбца `{name}` прочитаны как день, месяц, год"
                    )
                } else {
                    text!(
                        "the dates of column `{name}` are read with the month first",
                        "даты столбца `{name}` прочитаны как месяц, день, год"
                    )
                },
            );
        }
        Ok((order, times))
    }

    /// What whole numbers mean as times: given by the caller, or plain by name and size.
    fn epoch(&self, numbers: &Numbers, given: bool) -> Option<Epoch> {
        if numbers.fraction || numbers.big || numbers.unit.is_some() || numbers.comma {
            return None;
        }
        let inside = |from: i64, to: i64| numbers.least >= from && numbers.most <= to;
        if inside(10_000_101, 99_991_231) {
            return self
                .facts
                .all_whole(|i| Epoch::Digits.micros(i).is_some())
                .then_some(Epoch::Digits);
        }
        // 1990 to 2100 where only the name says so
        let (from, to) =
            if given { (100_000_000, 99_999_999_999) } else { (631_152_000, 4_102_444_800) };
        [1_000_000_000, 1_000_000, 1000, 1].into_iter().find_map(|unit| {
            let scale = 1_000_000_000 / unit;
            inside(from * scale, i64::checked_mul(to, scale).unwrap_or(i64::MAX))
                .then_some(Epoch::Nanos(unit))
        })
    }

    fn epoch_plan(&mut self, epoch: Epoch) -> Plan {
        let name = self.name;
        let (en, ru) = match epoch {
            Epoch::Digits => ("dates written as year, month and day", "даты вида год, месяц, день"),
            Epoch::Nanos(1_000_000_000) => ("seconds since 1970", "секунды от 1970 года"),
            Epoch::Nanos(1_000_000) => ("milliseconds since 1970", "миллисекунды от 1970 года"),
            Epoch::Nanos(1000) => ("microseconds since 1970", "микросекунды от 1970 года"),
            Epoch::Nanos(_) => ("nanoseconds since 1970", "наносекунды от 1970 года"),
        };
        self.note(
            NoteCode::EpochTime,
            text!(
                "the numbers of column `{name}` are read as {en}",
                "числа столбца `{name}` прочитаны как {ru}"
            ),
        );
        let dates = epoch == Epoch::Digits;
        Plan::Time { order: DateOrder::Ymd, dates, epoch: Some(epoch), utc: !dates }
    }

    fn time_plan(&mut self, order: DateOrder, times: Times, dates: bool) -> Plan {
        let name = self.name;
        self.note_words(times.words, false);
        let utc = times.zone || (times.time && self.settings.times_in_utc);
        self.notes.extend(zone_note(name, self.settings, times.zone, times.time, utc));
        if times.cut {
            self.notes.push(cut_note(name));
        }
        Plan::Time { order, dates, epoch: None, utc }
    }

    fn note_words(&mut self, words: bool, infinite: bool) {
        let name = self.name;
        if words {
            self.note(
                NoteCode::NullWords,
                text!(
                    "words such as `NA` and `-` in column `{name}` are read as missing",
                    "слова вроде `NA` и `-` в столбце `{name}` прочитаны как пропуски"
                ),
            );
        }
        if infinite {
            self.note(
                NoteCode::InfiniteAsNull,
                text!(
                    "infinite numbers in column `{name}` are read as missing",
                    "бесконечные числа в столбце `{name}` прочитаны как пропуски"
                ),
            );
        }
    }

    /// Tells why a column with numbers in it is text.
    fn note_text(&mut self, misfit: Misfit) {
        let name = self.name;
        let segments = &self.facts.column.segments;
        let numbers: usize = segments
            .iter()
            .filter(|s| matches!(s.data, Data::Numbers { .. }))
            .map(super::Segment::regular)
            .sum();
        let values: usize = segments.iter().map(|s| s.rows - s.missing()).sum();
        let either = |text: &str| {
            [Decimal::Point, Decimal::Comma].iter().any(|d| number::read(text, *d).is_some())
                || self.facts.is_null(text)
        };
        let (code, text) = match misfit {
            Misfit::Code => (
                NoteCode::LeadingZeros,
                text!(
                    "column `{name}` is text: its numbers have zeros or a plus in front, as codes do",
                    "столбец `{name}` — текст: у его чисел впереди нули или плюс, как у кодов"
                ),
            ),
            Misfit::Big => (
                NoteCode::TooBigForInteger,
                text!(
                    "column `{name}` is text: its whole numbers have more than {MOST_DIGITS} digits",
                    "столбец `{name}` — текст: в его целых числах больше {MOST_DIGITS} цифр"
                ),
            ),
            _ if self.facts.column.slow().all(either)
                && !segments.iter().any(|s| matches!(s.data, Data::Times { .. }))
                && !self.facts.column.slow().all(|text| self.facts.is_null(text)) =>
            {
                (
                    NoteCode::SeparatorsUnclear,
                    text!(
                        "column `{name}` is text: no one reading of commas, points and units fits all its numbers",
                        "столбец `{name}` — текст: ни одно чтение запятых, точек и единиц не подходит ко всем числам"
                    ),
                )
            }
            _ if numbers * 2 > values => (
                NoteCode::NotAllNumbers,
                text!(
                    "column `{name}` is text, and nothing is computed of it: most of its values are numbers, \
                     some are not; the option `nulls` names those that stand for no value",
                    "столбец `{name}` — текст, и по нему ничего не вычисляется: большинство значений — \
                     числа, но не все; те, что означают отсутствие значения, называет настройка `nulls`"
                ),
            ),
            _ => return,
        };
        self.note(code, text);
    }
}

/// Tells what clock shows the times of a column.
pub(crate) fn zone_note(
    name: &str,
    settings: Settings,
    zone: bool,
    time: bool,
    utc: bool,
) -> Option<Note> {
    let (code, text) = match (settings.timezone, utc) {
        (None, _) if zone => (
            NoteCode::TimesInUtc,
            text!(
                "the times of column `{name}` have a zone and are kept in UTC",
                "моменты столбца `{name}` даны с часовым поясом и хранятся в UTC"
            ),
        ),
        (Some(zone), true) => (
            NoteCode::TimesInZone,
            text!(
                "the times of column `{name}` are shown by the clock of {zone}",
                "моменты столбца `{name}` показаны по часам {zone}"
            ),
        ),
        (Some(zone), false) if time => (
            NoteCode::TimesTakenAsLocal,
            text!(
                "the times of column `{name}` have no zone and are taken as the clock of {zone}",
                "моменты столбца `{name}` даны без часового пояса и приняты за часы {zone}"
            ),
        ),
        _ => return None,
    };
    Some(Note::new(code, text).column(name))
}

/// Tells that the whole numbers of a column are not stored as such.
pub(crate) fn big_note(name: &str) -> Note {
    Note::new(
        NoteCode::TooBigForInteger,
        text!(
            "whole numbers of column `{name}` do not fit 64 bits; it is read as decimals",
            "целые числа столбца `{name}` не помещаются в 64 бита; он прочитан как десятичный"
        ),
    )
    .column(name)
}

/// Tells that the times of a column were finer than microseconds.
pub(crate) fn cut_note(name: &str) -> Note {
    Note::new(
        NoteCode::FractionCut,
        text!(
            "the times of column `{name}` are cut to microseconds",
            "моменты столбца `{name}` урезаны до микросекунд"
        ),
    )
    .column(name)
}

fn number_plan(decimal: Decimal, numbers: &Numbers) -> Plan {
    let unit = numbers.unit;
    if numbers.fraction {
        return Plan::Float { decimal, unit };
    }
    let narrow = i32::try_from(numbers.least).is_ok() && i32::try_from(numbers.most).is_ok();
    Plan::Int { decimal, narrow, unit }
}
