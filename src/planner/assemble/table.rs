//! What a table's schema says of its measures: which of them add up, which one is money, what is
//! usually asked of them.

use super::super::dictionary::{Nature, head_nature, nature, same_noun};
use super::super::grammar::a_row_a_day;
use super::super::lattice::is_id;
use super::super::sketch::{Cond, Measure, Operand, Select, Sketch};
use super::super::stem::{parts, stem};
use super::super::words::{Agg, Cmp, Derived};
use crate::query::ast::Arith;
use crate::schema::{Column, Kind, TableSchema};

/// Numeric columns that stand in for an unsaid measure.
const MOST_MEASURES: usize = 6;

/// Names of what all of something came to.
pub(in super::super) const TOTALS: [&str; 6] =
    ["total", "grand_total", "total_amount", "итог", "итого", "всего"];

/// A table, asked about its measures.
pub(in super::super) struct Table<'a> {
    /// Its schema.
    pub schema: &'a TableSchema,
    /// What the numbers of each column are.
    natures: Vec<Option<Nature>>,
    /// Numeric columns, likely measures first.
    numeric: Vec<Measure>,
}

impl<'a> Table<'a> {
    /// Looks at the names of all columns once.
    pub fn new(schema: &'a TableSchema) -> Self {
        let mut natures: Vec<Option<Nature>> = schema.columns.iter().map(nature_of).collect();
        // beside a price the total is what all of it came to
        let numeric = || schema.columns.iter().filter(|c| c.kind.is_numeric());
        let price = |c: &Column| parts(&c.name).iter().any(|part| same_noun(&stem(part), "price"));
        let priced = schema.ohlcv.is_none() && numeric().any(price);
        for (column, nature) in schema.columns.iter().zip(&mut natures) {
            let total = TOTALS.contains(&column.name.to_lowercase().as_str());
            if priced && total && column.kind.is_numeric() {
                *nature = nature.or(Some(Nature::Money));
            }
        }
        let mut table = Self { schema, natures, numeric: Vec::new() };
        let mut columns: Vec<Measure> = (0..schema.columns.len())
            .filter(|&i| {
                schema.columns.get(i).is_some_and(|c| {
                    let name = c.name.to_lowercase();
                    let number = name.contains('№') || name.starts_with("номер");
                    c.kind.is_numeric() && name != "id" && !name.ends_with("_id") && !number
                })
            })
            .map(Measure::Column)
            .collect();
        let main = table.main();
        columns.sort_by_key(|&m| Some(m) != main);
        columns.truncate(MOST_MEASURES);
        table.numeric = columns;
        table
    }

    /// It holds bars of a market.
    pub fn bars(&self) -> bool {
        self.schema.ohlcv.is_some()
    }

    /// Daily bars have the column.
    pub fn is_of_ohlcv(&self, column: usize) -> bool {
        let Some(bars) = &self.schema.ohlcv else { return false };
        let own = [&bars.open, &bars.high, &bars.low, &bars.close];
        self.schema
            .columns
            .get(column)
            .is_some_and(|c| own.contains(&&c.name) || bars.volume.as_ref() == Some(&c.name))
    }

    /// The price went up, or down, by however much.
    pub fn is_move(&self, cond: &Cond) -> bool {
        let Cond::Compare(measure, Cmp::Gt | Cmp::Lt, Operand::Number(bound)) = cond else {
            return false;
        };
        let change = match *measure {
            Measure::Derived(Derived::Change, _) => true,
            Measure::Column(column) => {
                self.bars()
                    && self.schema.columns.get(column).is_some_and(|c| {
                        ["change", "change_pct"]
                            .iter()
                            .any(|name| c.name.eq_ignore_ascii_case(name))
                    })
            }
            _ => false,
        };
        change && *bound == 0.0
    }

    /// A range of two numbers that could be hours of the day.
    pub fn could_be_hours(&self, implied: &[Cond]) -> bool {
        implied.len() == 2
            && self.schema.time.as_ref().is_some_and(|name| {
                self.schema.column(name).is_some_and(|c| c.kind == Kind::Timestamp)
            })
            && implied.iter().all(|c| {
                matches!(c, Cond::Implied { number, unit: None, .. }
                    if (0.0..=24.0).contains(number) && number.fract() == 0.0)
            })
    }

    /// Every row is a day.
    pub fn a_row_a_day(&self) -> bool {
        a_row_a_day(self.schema) && self.schema.series.is_none()
    }

    /// A text column with so many values that they are not listed.
    pub fn is_free_text(&self, column: usize) -> bool {
        let column = self.schema.columns.get(column);
        column.is_some_and(|c| c.kind == Kind::Text && c.values.is_none())
    }

    /// Numeric columns, likely measures first, not ids.
    pub fn numeric(&self) -> Vec<Measure> {
        self.numeric.clone()
    }

    /// What the numbers of a measure are.
    fn nature(&self, measure: Measure) -> Option<Nature> {
        let Measure::Column(column) = measure else { return None };
        *self.natures.get(column)?
    }

    /// The one column of money.
    pub fn main(&self) -> Option<Measure> {
        let mut money = (0..self.schema.columns.len())
            .filter(|&i| self.schema.columns.get(i).is_some_and(|c| c.kind.is_numeric()))
            .map(Measure::Column)
            .filter(|&m| self.nature(m) == Some(Nature::Money));
        let list: Vec<Measure> = money.by_ref().collect();
        if let [only] = list[..] {
            return Some(only);
        }
        // of several the one that is called the total
        let mut totals = list.into_iter().filter(|m| {
            matches!(m, Measure::Column(c) if self.schema.columns.get(*c).is_some_and(is_total))
        });
        let first = totals.next()?;
        totals.next().is_none().then_some(first)
    }

    /// A column of days or hours.
    pub fn is_span(&self, measure: Measure) -> bool {
        let Measure::Column(column) = measure else { return false };
        let Some(column) = self.schema.columns.get(column) else { return false };
        let mut names = std::iter::once(&column.name).chain(&column.label).chain(&column.synonyms);
        names.any(|name| parts(name).iter().any(|part| SPANS.contains(&part.as_str())))
    }

    /// A mark, a rate, a temperature: by groups the mean of it is meant. Of a price or a salary it may
    /// as well be the median or the range.
    pub fn is_typical(&self, measure: Measure) -> bool {
        let Measure::Column(column) = measure else { return false };
        let Some(column) = self.schema.columns.get(column) else { return false };
        let names = std::iter::once(&column.name).chain(&column.label).chain(&column.synonyms);
        let noun = |part: &String| TYPICAL.split_whitespace().any(|noun| stem(part) == stem(noun));
        !self.adds_up(measure)
            && (is_ratio(column) || names.flat_map(|n| parts(n)).any(|p| noun(&p)))
    }

    /// A mark that people give.
    pub fn is_mark(&self, measure: Measure) -> bool {
        const MARKS: &str = "rating stars satisfaction оценка рейтинг балл";
        let Measure::Column(column) = measure else { return false };
        let Some(column) = self.schema.columns.get(column) else { return false };
        let names = std::iter::once(&column.name).chain(&column.label).chain(&column.synonyms);
        let noun = |part: &String| MARKS.split_whitespace().any(|noun| stem(part) == stem(noun));
        !self.adds_up(measure) && names.flat_map(|n| parts(n)).any(|p| noun(&p))
    }

    pub fn is_main(&self, measure: Measure) -> bool {
        self.main() == Some(measure)
    }

    pub fn is_money(&self, measure: Measure) -> bool {
        match measure {
            // money per something does not add up
            Measure::Math(Arith::Div, ..) => false,
            Measure::Math(_, a, b) => {
                [a, b].into_iter().any(|c| self.nature(Measure::Column(c)) == Some(Nature::Money))
                    || self.adds_up(measure)
            }
            _ => self.nature(measure) == Some(Nature::Money),
        }
    }

    /// Its unit is a currency.
    pub fn is_in_money(&self, measure: Measure) -> bool {
        const CURRENCIES: &str = "eur usd gbp rub руб chf jpy cny kzt try inr € $ £ ₽ ¥ ₸ euro euros \
            dollars рублей тыс.руб";
        let Measure::Column(column) = measure else { return false };
        let unit = self.schema.columns.get(column).and_then(|c| c.unit.as_deref());
        unit.is_some_and(|unit| {
            let unit = unit.to_lowercase();
            CURRENCIES.split_whitespace().any(|c| c == unit.trim_end_matches('.'))
        })
    }

    /// It is added up where nothing else is said.
    pub fn is_summed(&self, measure: Measure) -> bool {
        self.is_money(measure) || self.nature(measure) == Some(Nature::Flow)
    }

    /// It is called a quantity, which is added up where rows or groups are named.
    pub fn is_quantity(&self, measure: Measure) -> bool {
        const NOUNS: [&str; 5] = ["quantity", "quantities", "qty", "количество", "кол"];
        let Measure::Column(column) = measure else { return false };
        let Some(column) = self.schema.columns.get(column) else { return false };
        let mut names = std::iter::once(&column.name).chain(&column.label).chain(&column.synonyms);
        !self.bars()
            && self.adds_up(measure)
            && names.any(|name| parts(name).iter().any(|part| NOUNS.contains(&part.as_str())))
    }

    /// The sum of shares or rates, which says nothing: `how much is the click rate` is not sure.
    pub fn adds_ratios(&self, sketch: &Sketch) -> bool {
        sketch.select.iter().any(|select| match *select {
            Select::Agg(Agg::Sum, Measure::Column(column)) => {
                self.schema.columns.get(column).is_some_and(is_ratio)
            }
            _ => false,
        })
    }

    /// A whole number of things and no measurement, as far as its name and unit tell: not a place, a size,
    /// an age or a share.
    pub fn is_counted(&self, measure: Measure) -> bool {
        const OTHERS: &str = "age year grade class level floor rank place position number no code zip \
            size score rating satisfaction stars mark index hour month week temperature speed \
            humidity pressure pulse удовлетворенность влажность давление пульс возраст \
            год класс этаж место мест номер seat seats capacity room rooms bed beds \
            bedroom bedrooms door doors stock комната комнат вместимость page pages \
            word words chapter chapters страница страниц слово слов population \
            employees staff сотрудник код оценка балл рейтинг ранг разряд час месяц \
            неделя";
        let Measure::Column(column) = measure else { return false };
        self.schema.columns.get(column).is_some_and(|c| {
            let other = |part: &String| OTHERS.split_whitespace().any(|n| stem(n) == stem(part));
            c.kind == Kind::Int
                && !is_ratio(c)
                && !self.is_span(measure)
                && c.unit.as_deref().is_none_or(|u| !MEASURED.split(' ').any(|known| known == u))
                && !parts(&c.name).iter().any(other)
        })
    }

    /// A column of the moment of each row.
    pub fn is_time(&self, column: usize) -> bool {
        self.schema.columns.get(column).is_some_and(|c| c.kind.is_time())
    }

    pub fn adds_up(&self, measure: Measure) -> bool {
        match measure {
            Measure::Math(Arith::Div, ..) => false,
            // a price times a quantity adds up, a price plus a price does not
            Measure::Math(arith, a, b) => {
                let sides = [a, b].map(Measure::Column);
                sides.into_iter().any(|c| self.nature(c).is_some())
                    || arith == Arith::Mul && sides.into_iter().any(|c| self.is_quantity(c))
            }
            _ => self.nature(measure).is_some(),
        }
    }

    /// The least of it is the best (a time, a place); `None` where people differ (a price).
    pub fn less_is_better(&self, measure: Measure) -> Option<bool> {
        let Measure::Column(column) = measure else { return Some(false) };
        let column = self.schema.columns.get(column)?;
        let is = |nouns: &[&str]| {
            std::iter::once(&column.name).chain(column.label.as_ref()).chain(&column.synonyms).any(
                |name| {
                    parts(name).iter().any(|part| {
                        let part = stem(part);
                        nouns.iter().any(|n| part == stem(n) || same_noun(&part, &stem(n)))
                    })
                },
            )
        };
        if is(&["price", "cost", "age", "duration"]) && !is(&["time"]) {
            return None;
        }
        Some(is(&[
            "time",
            "place",
            "delay",
            "latency",
            "lap",
            "defect",
            "reject",
            "error",
            "fault",
            "failure",
            "complaint",
            "downtime",
            "accident",
            "incident",
            "injury",
            "refund",
            "waste",
            "absence",
            "crash",
            "bug",
        ]))
    }

    /// The aggregates that are usual for a measure, the likeliest first.
    pub fn usual(&self, measure: Measure) -> Vec<Agg> {
        if self.adds_up(measure) { vec![Agg::Sum, Agg::Mean] } else { vec![Agg::Mean, Agg::Max] }
    }
}

/// Units of what is measured, and not counted.
const MEASURED: &str =
    "years °C °F K min h s ms % mm cm m km ft in g kg lb oz t l ml Hz W kW kWh V A Pa hPa mph";

/// Nouns of lengths of time.
const SPANS: [&str; 8] = ["days", "day", "hours", "weeks", "months", "дней", "срок", "часов"];

/// Nouns of numbers of which groups have a mean.
const TYPICAL: &str = "rating stars satisfaction temperature temp humidity pressure speed age delay \
    wait latency grade mark оценка рейтинг балл температура влажность давление скорость возраст \
    задержка опоздание ожидание";

/// Nouns of numbers that are not added up, whatever they are of.
const RATIOS: &str = "rate pct percent percentage probability chance ratio share level index \
    efficiency per score доля процент вероятность уровень индекс";

/// It is called a total.
pub(in super::super) fn is_total(column: &Column) -> bool {
    std::iter::once(&column.name).chain(&column.label).chain(&column.synonyms).any(|name| {
        parts(name).iter().any(|part| ["total", "итог", "итого", "всего"].contains(&part.as_str()))
    })
}

/// A share or a rate.
fn is_ratio(column: &Column) -> bool {
    let ratio = |part: &String| RATIOS.split_whitespace().any(|noun| noun == part);
    column.unit.as_deref() == Some("%") || parts(&column.name).iter().any(ratio)
}

/// What the numbers of a column are, by the noun that its names end in: a unit price is a price.
fn nature_of(column: &Column) -> Option<Nature> {
    // `days on sale` are days
    let span = |part: &String| SPANS.contains(&part.as_str());
    // a body mass is that of one
    let body = |part: &String| part == "body";
    if is_ratio(column)
        || is_id(&column.name)
        || parts(&column.name).iter().any(body)
        || parts(&column.name).iter().any(span)
    {
        return None;
    }
    // a length in metres is no length of time
    let in_space =
        column.unit.as_deref().is_some_and(|unit| ["m", "cm", "mm", "ft", "in"].contains(&unit));
    let nature = |part: &String| {
        let part = stem(part);
        let long = in_space && same_noun(&part, &stem("length"));
        if long { Some(Nature::Other) } else { nature(&part) }
    };
    let mut natures = std::iter::once(&column.name)
        .chain(column.label.as_ref())
        .chain(&column.synonyms)
        .filter_map(|name| head_nature(name, nature));
    let first = natures.next().filter(|nature| *nature != Nature::Other);
    // tons that are called a harvest too
    match first {
        Some(Nature::Additive) => natures.find(|n| *n == Nature::Flow).or(first),
        first => first,
    }
}
