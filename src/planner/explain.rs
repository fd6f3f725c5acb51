//! Says in a sentence how a question was understood: "mean of gap, by weekday, where gap > 50".

use super::build::number;
use super::sketch::{Cond, Dim, Measure, Operand, Select, Sketch};
use super::words::{Agg, Cmp, Part};
use crate::error::{Locale, Text};
use crate::query::check::Domain;
use crate::schema::TableSchema;

/// The sentence of a sketch, without a full stop.
pub(super) fn explain(
    sketch: &Sketch,
    schema: &TableSchema,
    table: bool,
    locale: Locale,
) -> String {
    let speaker = Speaker { schema, locale, days: sketch.days };
    let mut parts: Vec<String> = Vec::new();
    let what: Vec<String> = sketch.select.iter().map(|s| speaker.select(s)).collect();
    parts.push(if what.is_empty() {
        if sketch.days {
            speaker.say("days", "дни")
        } else {
            speaker.say("rows", "строки")
        }
    } else {
        what.join(speaker.pick(" and ", " и "))
    });
    if !sketch.groups.is_empty() {
        let keys: Vec<String> = sketch.groups.iter().map(|d| speaker.dim(*d)).collect();
        parts.push(format!(
            "{} {}",
            speaker.pick("by", "по"),
            keys.join(speaker.pick(" and ", " и "))
        ));
    }
    if !sketch.filters.is_empty() {
        let list: Vec<String> = sketch.filters.iter().map(|c| speaker.condition(c)).collect();
        parts.push(format!(
            "{} {}",
            speaker.pick("where", "где"),
            list.join(speaker.pick(" and ", " и "))
        ));
    }
    if let Some(measure) = sketch.order {
        parts.push(format!(
            "{} {}",
            speaker.pick("ordered by", "по величине"),
            speaker.measure(measure)
        ));
    }
    if let (true, Some(limit)) = (sketch.ranked || sketch.order.is_some(), sketch.limit) {
        let one = limit == 1;
        parts.push(match (sketch.descending, locale) {
            (true, Locale::En) if one => "the largest".to_owned(),
            (false, Locale::En) if one => "the smallest".to_owned(),
            (true, Locale::Ru) if one => "наибольшее".to_owned(),
            (false, Locale::Ru) if one => "наименьшее".to_owned(),
            (true, Locale::En) => format!("the {limit} largest"),
            (false, Locale::En) => format!("the {limit} smallest"),
            (true, Locale::Ru) => format!("наибольшие: {limit}"),
            (false, Locale::Ru) => format!("наименьшие: {limit}"),
        });
    }
    if sketch.days {
        parts.push(speaker.say("on daily bars", "по дневным барам"));
    }
    if table {
        parts.push(format!("{} {}", speaker.pick("in", "в таблице"), schema.name));
    }
    parts.join(", ")
}

struct Speaker<'a> {
    schema: &'a TableSchema,
    locale: Locale,
    /// Rows are days.
    days: bool,
}

impl Speaker<'_> {
    fn pick(&self, en: &'static str, ru: &'static str) -> &'static str {
        match self.locale {
            Locale::En => en,
            Locale::Ru => ru,
        }
    }

    fn say(&self, en: &'static str, ru: &'static str) -> String {
        self.pick(en, ru).to_owned()
    }

    fn column(&self, column: usize) -> String {
        self.schema
            .columns
            .get(column)
            .map_or_else(String::new, |c| c.label.clone().unwrap_or_else(|| c.name.clone()))
    }

    fn measure(&self, measure: Measure) -> String {
        match measure {
            Measure::Column(column) => self.column(column),
            Measure::Derived(derived, percent) => derived.function(percent).to_owned(),
        }
    }

    fn dim(&self, dim: Dim) -> String {
        match dim {
            Dim::Column(column) => self.column(column),
            Dim::Part(part) => self.say(by_part(part).0, by_part(part).1),
        }
    }

    fn select(&self, select: &Select) -> String {
        match select {
            Select::Count if self.days => self.say("number of days", "число дней"),
            Select::Count => self.say("number of rows", "число строк"),
            Select::CountDistinct(dim) => {
                let what = match dim {
                    Dim::Column(column) => self.column(*column),
                    Dim::Part(part) => self.say(by_part(*part).0, part_genitive(*part)),
                };
                format!("{} {what}", self.pick("number of different", "число разных:"))
            }
            Select::Agg(agg, measure) => {
                let words = agg_words(*agg);
                format!("{} {}", words.get(self.locale), self.measure(*measure))
            }
            Select::Share(conds) => {
                let list: Vec<String> = conds.iter().map(|c| self.condition(c)).collect();
                let list = list.join(self.pick(" and ", " и "));
                match self.locale {
                    Locale::En => format!("share of rows with {list}, in %"),
                    Locale::Ru => format!("доля строк, где {list}, в %"),
                }
            }
            Select::Correlation(a, b) => {
                let (a, b) = (self.measure(*a), self.measure(*b));
                match self.locale {
                    Locale::En => format!("correlation of {a} and {b}"),
                    Locale::Ru => format!("корреляция {a} и {b}"),
                }
            }
        }
    }

    fn condition(&self, cond: &Cond) -> String {
        let names = |domain: Domain, list: &[usize]| -> Vec<String> {
            list.iter()
                .filter_map(|&i| super::answer::name_in(domain, i, self.locale))
                .map(str::to_owned)
                .collect()
        };
        match cond {
            Cond::Compare(left, cmp, right) => {
                let right = match right {
                    Operand::Number(x) => number(*x),
                    Operand::Measure(m) => self.measure(*m),
                };
                format!("{} {} {right}", self.measure(*left), sign(*cmp))
            }
            Cond::Implied { cmp, number: x, .. } => format!("{} {}", sign(*cmp), number(*x)),
            Cond::Values { column, values, negated } => {
                self.member(&self.column(*column), values, *negated)
            }
            Cond::Flag { column, wanted: true } => self.column(*column),
            Cond::Flag { column, wanted: false } => {
                format!("{} {}", self.pick("not", "не"), self.column(*column))
            }
            Cond::Part(part, cmp, value) => {
                let words = self.pick(by_part(*part).0, part_nominative(*part));
                format!("{words} {} {value}", sign(*cmp))
            }
            Cond::Weekdays { days, negated } => self.member(
                self.pick("weekday", "день недели"),
                &names(Domain::Weekday, days),
                *negated,
            ),
            Cond::Months { months, negated } => {
                self.member(self.pick("month", "месяц"), &names(Domain::Month, months), *negated)
            }
            Cond::Date(cmp, date) => format!("{} {} {date}", self.pick("date", "дата"), sign(*cmp)),
            Cond::Colour(true) => self.say("close above open", "закрытие выше открытия"),
            Cond::Colour(false) => self.say("close below open", "закрытие ниже открытия"),
            Cond::All(list) => {
                let list: Vec<String> = list.iter().map(|c| self.condition(c)).collect();
                list.join(self.pick(" and ", " и "))
            }
            Cond::Any(list) => {
                let list: Vec<String> = list.iter().map(|c| self.condition(c)).collect();
                format!("({})", list.join(self.pick(" or ", " или ")))
            }
        }
    }

    fn member(&self, column: &str, values: &[String], negated: bool) -> String {
        let list = values.join(", ");
        match (values.len() == 1, negated) {
            (true, false) => format!("{column} = {list}"),
            (true, true) => format!("{column} ≠ {list}"),
            (false, false) => format!("{column} {} {list}", self.pick("is one of", "из списка:")),
            (false, true) => {
                format!("{column} {} {list}", self.pick("is none of", "не из списка:"))
            }
        }
    }
}

fn sign(cmp: Cmp) -> &'static str {
    match cmp {
        Cmp::Gt => ">",
        Cmp::Ge => "≥",
        Cmp::Lt => "<",
        Cmp::Le => "≤",
        Cmp::Eq => "=",
        Cmp::Ne => "≠",
    }
}

/// An aggregate before the name of its measure.
pub(super) fn agg_words(agg: Agg) -> Text {
    match agg {
        Agg::Mean => text!("mean of", "среднее"),
        Agg::Sum => text!("total of", "сумма"),
        Agg::Min => text!("lowest", "минимум"),
        Agg::Max => text!("highest", "максимум"),
        Agg::Median => text!("median of", "медиана"),
        Agg::Std => text!("standard deviation of", "стандартное отклонение"),
        Agg::Var => text!("variance of", "дисперсия"),
        Agg::First => text!("first", "первое значение"),
        Agg::Last => text!("last", "последнее значение"),
        Agg::Pct => text!("share of", "доля"),
        Agg::Correlation => text!("correlation of", "корреляция"),
    }
}

/// A part of time after `by` and `по`.
fn by_part(part: Part) -> (&'static str, &'static str) {
    match part {
        Part::Year => ("year", "годам"),
        Part::Quarter => ("quarter", "кварталам"),
        Part::Month => ("month", "месяцам"),
        Part::Day => ("day", "дням"),
        Part::Weekday => ("weekday", "дням недели"),
        Part::Hour => ("hour", "часам"),
    }
}

fn part_nominative(part: Part) -> &'static str {
    match part {
        Part::Year => "год",
        Part::Quarter => "квартал",
        Part::Month => "месяц",
        Part::Day => "день",
        Part::Weekday => "день недели",
        Part::Hour => "час",
    }
}

fn part_genitive(part: Part) -> &'static str {
    match part {
        Part::Year => "годы",
        Part::Quarter => "кварталы",
        Part::Month => "месяцы",
        Part::Day => "дни",
        Part::Weekday => "дни недели",
        Part::Hour => "часы",
    }
}
