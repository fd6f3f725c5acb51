//! What a table's schema says of its measures: which of them add up, which one is money, what is
//! usually asked of them.

use super::super::dictionary::{Nature, nature, same_noun};
use super::super::grammar::a_row_a_day;
use super::super::sketch::{Cond, Measure, Operand, Select, Sketch};
use super::super::stem::{parts, stem};
use super::super::words::{Agg, Cmp, Derived};
use crate::query::ast::Arith;
use crate::schema::{Column, Kind, TableSchema};

/// Numeric columns that stand in for an unsaid measure.
const MOST_MEASURES: usize = 6;

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
        let natures = schema.columns.iter().map(nature_of).collect();
        let mut table = Self { schema, natures, numeric: Vec::new() };
        let mut columns: Vec<Measure> = (0..schema.columns.len())
            .filter(|&i| {
                schema.columns.get(i).is_some_and(|c| {
                    let name = c.name.to_lowercase();
                    c.kind.is_numeric() && name != "id" && !name.ends_with("_id")
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
        let first = money.next()?;
        money.next().is_none().then_some(first)
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

    /// It is added up where nothing else is said.
    pub fn is_summed(&self, measure: Measure) -> bool {
        self.is_money(measure) || self.nature(measure) == Some(Nature::Flow)
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

    pub fn adds_up(&self, measure: Measure) -> bool {
        match measure {
            Measure::Math(Arith::Div, ..) => false,
            // a price times a quantity adds up, a price plus a price does not
            Measure::Math(_, a, b) => {
                [a, b].into_iter().any(|c| self.nature(Measure::Column(c)).is_some())
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
        Some(is(&["time", "place", "delay", "latency", "lap"]))
    }

    /// The aggregates that are usual for a measure, the likeliest first.
    pub fn usual(&self, measure: Measure) -> Vec<Agg> {
        if self.adds_up(measure) { vec![Agg::Sum, Agg::Mean] } else { vec![Agg::Mean, Agg::Max] }
    }
}

/// Nouns of numbers that are not added up, whatever they are of.
const RATIOS: &str = "rate pct percent percentage probability chance ratio share level index \
    efficiency per score доля процент вероятность уровень индекс";

/// A share or a rate.
fn is_ratio(column: &Column) -> bool {
    let ratio = |part: &String| RATIOS.split_whitespace().any(|noun| noun == part);
    column.unit.as_deref() == Some("%") || parts(&column.name).iter().any(ratio)
}

/// What the numbers of a column are, by the noun that its names end in: a unit price is a price.
fn nature_of(column: &Column) -> Option<Nature> {
    // `days on sale` are days
    const SPANS: [&str; 8] = ["days", "day", "hours", "weeks", "months", "дней", "срок", "часов"];
    let span = |part: &String| SPANS.contains(&part.as_str());
    if is_ratio(column) || parts(&column.name).iter().any(span) {
        return None;
    }
    std::iter::once(&column.name)
        .chain(column.label.as_ref())
        .chain(&column.synonyms)
        .find_map(|name| parts(name).iter().rev().find_map(|part| nature(&stem(part))))
        .filter(|nature| *nature != Nature::Other)
}
