//! What is told of groups with their shares or their change, and of the share of one.

use super::super::naming::{
    DIFFERENCE, GROUPS, RATIO, RUNNING, capital, english, grouped_by, russian,
};
use super::known::{Gaps, Known};
use super::{MOST_GROUPS, Writer};
use crate::error::Locale;
use crate::planner::words::Agg;
use crate::query::ast::{Arith, Compare};
use crate::query::check::{CheckedStep, Node, OutputColumn, ResultKind, Role, Typed};
use crate::query::explain;
use crate::query::period::Dates;
use crate::summary::{clean, display};
use crate::validate::FactRef;
use crate::value::Value;
use chrono::{Datelike, NaiveDate};

/// Years whose ends are looked at.
const MOST_YEARS: usize = 100;

/// Functions that read a part of the time.
const PARTS_OF_TIME: [&str; 8] =
    ["year", "quarter", "month", "monthname", "week", "dayname", "date", "day"];

impl Writer<'_> {
    /// Groups of the step before with what the last step made of their measure: tells them one by
    /// one, or the ends of them. False where the rows are others.
    pub(super) fn shares(&mut self) -> bool {
        let Some(step) = self.outcome.query.steps().last() else { return false };
        let (made, also) = match step.map() {
            [made] => (made, None),
            [made, also] if made.name == "change" && also.name == "change_pct" => {
                (made, Some(also))
            }
            _ => return false,
        };
        let share = made.name == "share_pct";
        let (ratio, running) = (made.name == RATIO, made.name == RUNNING);
        let apart = ratio || made.name == DIFFERENCE;
        if !share && !apart && !running && made.name != "change" && made.name != "change_pct" {
            return false;
        }
        let also = also.and_then(|also| self.outcome.column(&also.name));
        let before = self.before().last().filter(|s| s.kind() == ResultKind::Grouped);
        let of = before
            .and_then(|s| s.output().iter().rev().find(|c| matches!(c.role, Role::Measure { .. })));
        let (Some(of), Some(number)) = (of, self.outcome.column(&made.name)) else { return false };
        let Some(measure) = self.outcome.column(&of.column.name) else { return false };
        let (words, keys) = (self.measured(of), self.keys());
        let by: Vec<String> = keys
            .iter()
            .filter_map(|&i| {
                let column = self.outcome.columns.get(i)?;
                let known = self.outcome.query.schema().column(&column.column.name);
                Some(grouped_by(column, known, self.locale))
            })
            .collect();
        let head = match (share, self.locale) {
            (true, Locale::En) => format!("Share of each in the {words}"),
            _ => capital(&words),
        };
        let with = match (share, self.locale) {
            (true, Locale::En) => "",
            (true, Locale::Ru) => " с долей каждой группы",
            (false, Locale::En) if ratio => " with the ratio",
            (false, Locale::Ru) if ratio => " с отношением",
            (false, Locale::En) if apart => " with the difference",
            (false, Locale::Ru) if apart => " с разницей",
            (false, Locale::En) if running => " with the running total",
            (false, Locale::Ru) if running => " нарастающим итогом",
            (false, Locale::En) => " with its change",
            (false, Locale::Ru) => " с изменением",
        };
        self.plain(&head);
        self.say(" by ", " по ");
        self.plain(&by.join(", "));
        self.plain(with);
        self.plain(", ");
        let rows = self.outcome.rows.len();
        self.count("rows", rows as u64);
        self.plain(" ");
        self.plain(match self.locale {
            Locale::En => english(rows as u64, GROUPS.en),
            Locale::Ru => russian(rows as u64, GROUPS.ru),
        });
        if rows <= MOST_GROUPS {
            for row in 0..rows {
                self.plain(if row == 0 { ": " } else { "; " });
                let label = self.label(row);
                self.plain(&label);
                self.plain(" – ");
                let (first, second) = if share { (number, measure) } else { (measure, number) };
                self.cell(row, first);
                if !self.outcome.value(row, second).is_null() {
                    self.plain(" (");
                    if ratio {
                        self.say("ratio ", "отношение ");
                    } else if apart {
                        self.say("difference ", "разница ");
                    } else if running {
                        self.say("so far ", "всего ");
                    } else if also.is_some() {
                        self.say("change ", "изменение ");
                    }
                    self.cell(row, second);
                    if let Some(also) = also {
                        self.plain(", ");
                        self.cell(row, also);
                    }
                    self.plain(")");
                }
            }
        }
        self.plain(".");
        if share && rows > 1 {
            self.extremes(number, false, None);
        } else if running && rows > MOST_GROUPS {
            self.say(" At the end: ", " К концу: ");
            self.cell(rows - 1, number);
            self.plain(".");
        } else if also.is_none() && !apart && !running {
            self.moves(number);
            self.unfinished();
        }
        self.other_year();
        true
    }

    /// Of two years that were asked for, one has no rows.
    pub(super) fn other_year(&mut self) {
        let query = &self.outcome.query;
        let dates = query.frame().period().map(|period| period.dates(None));
        let Some(Dates::Between(Some(from), Some(to))) = dates else { return };
        let year = |day: i32| Value::Date(day).date().map(|date| date.year());
        let two = year(from).zip(year(to)).is_some_and(|(from, to)| to == from + 1);
        let by_year = self.outcome.column("year").is_some_and(|at| self.keys().contains(&at));
        // rows of the other year may not have met a condition
        let all = query.steps().all(|step| step.filter().is_none());
        if all && two && by_year && self.outcome.rows.len() == 1 && query.schema().ohlcv.is_none() {
            self.say(" The other year has no rows.", " За другой год строк нет.");
            self.covers();
        }
    }

    /// Which dates there are rows of.
    pub(super) fn covers(&mut self) {
        let schema = self.outcome.query.schema();
        if let (Some(time), Some((first, last))) = (&schema.time, schema.range.clone()) {
            let (low, high) = (self.stat(time, "min", &first), self.stat(time, "max", &last));
            self.say(" The data covers ", " Данные есть с ");
            self.claim(&display(&first, true), low);
            self.say(" to ", " по ");
            self.claim(&display(&last, true), high);
            self.plain(".");
        }
    }

    /// A mean of days or weeks is of those that have rows.
    pub(super) fn empty_periods(&mut self) {
        let query = &self.outcome.query;
        let mean = query.measures().iter().any(|made| {
            matches!(&made.expr.node, Node::Call { function, .. } if function.name == "mean")
        });
        if !self.aggregates_groups() || !mean || query.frame().period().is_some() {
            return;
        }
        let Some((first, last)) = query.schema().dates() else { return };
        let keys: Vec<&str> = self
            .before()
            .last()
            .map(|step| step.keys().iter().map(|key| key.name.as_str()).collect())
            .unwrap_or_default();
        let days = i64::from(last) - i64::from(first) + 1;
        let (fewest, en, ru) = match keys[..] {
            ["day"] => (days, " Days", " Дни"),
            ["day", "hour"] => (days * 24, " Hours", " Часы"),
            ["year", "week"] => (days / 7, " Weeks", " Недели"),
            ["year", "month"] => (days / 31, " Months", " Месяцы"),
            _ => return,
        };
        let bars = query.schema().ohlcv.is_some();
        if !bars && i64::try_from(self.outcome.rows_matched).is_ok_and(|n| n < fewest) {
            self.say(en, ru);
            self.say(" without rows do not count.", " без строк не учтены.");
        }
    }

    /// Which percentile a column is.
    pub(super) fn percentile(&self, name: &str) -> Option<Agg> {
        let made = self.outcome.query.measures().iter().find(|made| made.name == name)?;
        let Node::Call { function, args } = &made.expr.node else { return None };
        let share = match args.get(1).map(|share| &share.node) {
            Some(Node::Literal(share)) if function.name == "percentile" => share.as_f64()?,
            _ => return None,
        };
        let tenths = (share * 1000.0).round();
        (0.0..=1000.0).contains(&tenths).then_some(Agg::Percentile(tenths as u16))
    }

    /// Weeks are those of ISO 8601: days around the new year may be of a week that has the number of
    /// one at the other end of the same year, and stand with it.
    pub(super) fn weeks_at_the_ends(&mut self) {
        let query = &self.outcome.query;
        // a column of the table's own says of its weeks what it says
        let by_week = query.keys().iter().any(|key| key.name == "week")
            && query.schema().column("week").is_none();
        let Some((first, last)) = query.schema().dates().filter(|_| by_week) else { return };
        let dates = query.frame().period().map(|period| period.dates(Some(last)));
        let (first, last) = match dates {
            Some(Dates::Between(from, to)) => {
                (from.map_or(first, |from| from.max(first)), to.map_or(last, |to| to.min(last)))
            }
            Some(_) => return,
            None => (first, last),
        };
        let (Some(first), Some(last)) = (Value::Date(first).date(), Value::Date(last).date())
        else {
            return;
        };
        let strange =
            |day: NaiveDate| first <= day && day <= last && day.iso_week().year() != day.year();
        let years = first.year()..=last.year();
        let mut days = years
            .take(MOST_YEARS)
            .flat_map(|year| {
                [
                    (year, 1, 1),
                    (year, 1, 2),
                    (year, 1, 3),
                    (year, 12, 29),
                    (year, 12, 30),
                    (year, 12, 31),
                ]
            })
            .filter_map(|(year, month, day)| NaiveDate::from_ymd_opt(year, month, day));
        if days.any(strange) {
            self.say(
                " Weeks are of ISO 8601: days around the new year that belong to a week of the other year \
                 are counted with the week of the same number in their own.",
                " Недели по ISO 8601: дни у нового года, которые относятся к неделе соседнего года, посчитаны \
                 вместе с неделей того же номера в своём году.",
            );
        }
    }

    /// The least or the greatest value of a column of the table, as a claim refers to it.
    pub(super) fn stat(&self, column: &str, name: &str, value: &Value) -> FactRef {
        FactRef {
            result: self.outcome.id.clone(),
            row: None,
            key: Vec::new(),
            column: format!("stats.{column}.{name}"),
            value: value.clone(),
        }
    }

    /// The first or the last year, quarter or month of the data is not whole: less was added up there.
    pub(super) fn cut_ends(&mut self, measure: usize) {
        let query = &self.outcome.query;
        let schema = query.schema();
        let summed = self.outcome.columns.get(measure).is_some_and(|c| {
            matches!(&c.role, Role::Measure { aggregate: Some("sum" | "count"), .. })
        });
        let (Some(time), Some((first, last)), Some((low, high))) =
            (&schema.time, schema.dates(), schema.range.clone())
        else {
            return;
        };
        let bounds = query.frame().period().map(|period| period.dates(Some(last)));
        let (from, to) = match bounds {
            Some(Dates::Between(from, to)) => (from.unwrap_or(first), to.unwrap_or(last)),
            Some(_) => return,
            None => (first, last),
        };
        let keys: Vec<&str> = query.keys().iter().map(|key| key.name.as_str()).collect();
        let own = keys.iter().any(|key| schema.column(key).is_some());
        // days that may be without rows at an end, as those of a weekend are
        let (months, free) = match &keys[..] {
            ["year"] => (12, 4),
            ["year", "quarter"] | ["quarter", "year"] => (3, 3),
            ["year", "month"] | ["month", "year"] => (1, 3),
            _ => return,
        };
        let (Some(begun), Some(ended)) = (Value::Date(first).date(), Value::Date(last).date())
        else {
            return;
        };
        // a condition on dates cuts the groups elsewhere
        let dated = query.filter().is_some_and(|filter| {
            let mut found = false;
            filter.expr.visit(&mut |part| {
                found |= match &part.node {
                    Node::Column(name) => name == time || keys.contains(&name.as_str()),
                    Node::Call { function, .. } => PARTS_OF_TIME.contains(&function.name),
                    _ => false,
                };
            });
            found
        });
        if !summed || own || dated || schema.ohlcv.is_some() || query.steps().count() > 1 {
            return;
        }
        let edge = |day: NaiveDate, next: u32| {
            let start = day.month0() / months * months;
            let month = start + next * months;
            let year = day.year() + i32::from(month >= 12);
            NaiveDate::from_ymd_opt(year, month % 12 + 1, 1)
        };
        let early = edge(begun, 0).is_some_and(|edge| (begun - edge).num_days() > free);
        let late = edge(ended, 1).is_some_and(|edge| (edge - ended).num_days() - 1 > free);
        let (low, high) = (
            (display(&low, true), self.stat(time, "min", &low)),
            (display(&high, true), self.stat(time, "max", &high)),
        );
        if early && from <= first {
            self.say(
                " The first one is not whole: the data begins on ",
                " Первая группа неполная: данные есть с ",
            );
            self.claim(&low.0, low.1);
            self.plain(".");
        }
        if late && to >= last {
            self.say(
                " The last one is not whole: the data ends on ",
                " Последняя группа неполная: данные есть по ",
            );
            self.claim(&high.0, high.1);
            self.plain(".");
        }
    }

    /// What months of several years have in them.
    pub(super) fn years_together(&mut self) {
        let named = |name: &str| {
            let keys = self.keys();
            keys.iter().any(|&i| {
                self.outcome.columns.get(i).is_some_and(|c| c.column.name.starts_with(name))
            })
        };
        let (en, ru) = if named("week") {
            ("by year and week", "по годам и неделям")
        } else if named("quarter") {
            ("by year and quarter", "по годам и кварталам")
        } else {
            ("by year and month", "по годам и месяцам")
        };
        let days = self.outcome.query.schema().dates().map_or(0, |(first, last)| last - first + 1);
        // of years that are not whole some months are there more often than others
        let uneven = days % 365 > 2;
        let told = match (self.locale, uneven) {
            (Locale::En, false) => format!(" Years are together here: “{en}” tells them apart."),
            (Locale::En, true) => format!(
                " Years are together here, and some of them are not whole: “{en}” tells them apart."
            ),
            (Locale::Ru, false) => format!(" Годы здесь вместе: «{ru}» покажет их отдельно."),
            (Locale::Ru, true) => {
                format!(" Годы здесь вместе, и не все они целые: «{ru}» покажет их отдельно.")
            }
        };
        self.plain(&told);
    }

    /// The last month, quarter or week of the data is not over, and its change is not one of a whole.
    fn unfinished(&mut self) {
        let query = &self.outcome.query;
        let Some((_, last)) = query.schema().dates() else { return };
        let Some(end) = Value::Date(last).date() else { return };
        let keys: Vec<&str> = self
            .before()
            .last()
            .map(|step| step.keys().iter().map(|key| key.name.as_str()).collect())
            .unwrap_or_default();
        let over = match keys[..] {
            ["year", "month"] => end.succ_opt().is_none_or(|next| next.month() != end.month()),
            ["year"] => end.month() == 12 && end.day() > 28,
            ["year", "quarter"] => {
                end.succ_opt().is_none_or(|next| next.month0() / 3 != end.month0() / 3)
            }
            _ => true,
        };
        if !over && query.frame().period().is_none() && query.schema().ohlcv.is_none() {
            self.say(
                " The last one is not whole: the data ends within it.",
                " Последняя группа неполная: данные обрываются внутри неё.",
            );
        }
    }

    /// Which groups rose and fell the most against the one before.
    fn moves(&mut self, number: usize) {
        let signed = |row: usize| match self.outcome.value(row, number) {
            Value::Int(x) => Some(x as f64),
            Value::Float(x) => Some(x),
            Value::Decimal(x) => Some(x.to_f64()),
            _ => None,
        };
        let moved: Vec<(usize, f64)> = (0..self.outcome.rows.len())
            .filter_map(|row| signed(row).map(|x| (row, x)))
            .filter(|(_, x)| x.is_finite())
            .collect();
        let most = |rose: bool| {
            let side = moved.iter().filter(|(_, x)| if rose { *x > 0.0 } else { *x < 0.0 });
            side.max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())).map(|(row, _)| *row)
        };
        let (up, down) = (most(true), most(false));
        if let Some(row) = up {
            self.say(" Greatest rise: ", " Наибольший рост: ");
            self.extreme(&[row], number);
        }
        if let Some(row) = down {
            match up {
                Some(_) => self.say("; greatest fall: ", "; наибольшее падение: "),
                None => self.say(" Greatest fall: ", " Наибольшее падение: "),
            }
            self.extreme(&[row], number);
        }
        if up.or(down).is_some() {
            self.plain(".");
        }
    }

    /// `share of Berlin in the total of sales`, `share of rows where city is Berlin`: of a column
    /// that is made so.
    pub(super) fn share_words(&self, column: &OutputColumn) -> Option<String> {
        let all = self.outcome.query.measures();
        let made = all.iter().find(|made| made.name == column.column.name)?;
        let call = |expr: &Typed, wanted: &str| match &expr.node {
            Node::Call { function, args } if function.name == wanted => args.first().cloned(),
            _ => None,
        };
        if let Some(cond) = call(&made.expr, "pct") {
            let said = self.value_of(&cond)?;
            return Some(match self.locale {
                Locale::En => format!("share of rows with {said}"),
                Locale::Ru => format!("доля строк со значением {said}"),
            });
        }
        let Node::Arith(Arith::Mul, ratio, _) = &made.expr.node else { return None };
        let Node::Arith(Arith::Div, part, whole) = &ratio.node else { return None };
        let (part, whole) = (call(part, "sum")?, call(whole, "sum")?);
        let said = self.value_of(&call(&part, "if")?)?;
        // of what is computed of each row
        let Node::Column(name) = &whole.node else {
            return Some(match self.locale {
                Locale::En => format!("share of {said} in the total"),
                Locale::Ru => format!("доля значения {said} в общей сумме"),
            });
        };
        let of = self.measured(&OutputColumn {
            role: Role::Measure { aggregate: Some("sum"), column: Some(name.clone()) },
            ..column.clone()
        });
        Some(match self.locale {
            Locale::En => format!("share of {said} in the {of}"),
            Locale::Ru => format!("{of}, доля значения {said}"),
        })
    }

    /// It is the share of the rows for which a condition holds.
    pub(super) fn is_share_of_rows(&self, column: &OutputColumn) -> bool {
        let all = self.outcome.query.measures();
        all.iter().find(|made| made.name == column.column.name).is_some_and(
            |made| matches!(&made.expr.node, Node::Call { function, .. } if function.name == "pct"),
        )
    }

    /// Says that rows without a value are none of those that a share is taken of, nor of those that a
    /// condition lets through because their value is another one.
    pub(super) fn left_out(&mut self, measures: &[usize]) {
        let query = &self.outcome.query;
        let columns = || measures.iter().filter_map(|&m| self.outcome.columns.get(m));
        let share = |column: &OutputColumn| {
            let made = query.measures().iter().find(|made| made.name == column.column.name)?;
            match &made.expr.node {
                Node::Call { function, args } if function.name == "pct" => args.first(),
                _ => None,
            }
        };
        let known = Known::new(self.outcome);
        let gaps: Vec<Gaps> =
            columns().filter_map(share).map(|condition| known.gaps(condition)).collect();
        // a total of what is known only
        let summed = columns().filter_map(|column| match &column.role {
            Role::Measure { aggregate: Some("sum"), column: Some(column) } => Some(column.as_str()),
            _ => None,
        });
        let filters = query.steps().filter_map(CheckedStep::filter);
        let others = filters.flat_map(|filter| of_other_values(&filter.expr));
        let named = |names: &mut dyn Iterator<Item = &str>| {
            let mut told: Vec<String> = Vec::new();
            for name in names {
                let column = query.schema().column(name);
                let column = column.filter(|column| column.nulls.unwrap_or(0) > 0);
                let name = column.map(|c| clean(c.label.as_ref().unwrap_or(&c.name)));
                told.extend(name.filter(|name| !told.contains(name)));
            }
            told
        };
        let always = gaps.iter().flat_map(|gaps| gaps.always.iter().copied());
        let of_rows = named(&mut always.clone().chain(others.clone()));
        let names = named(&mut always.chain(others).chain(summed));
        // beside a number of rows, which has all of them
        let counts = |role: &Role| matches!(role, Role::Measure { aggregate: Some("count"), .. });
        let of_sum = of_rows.is_empty() && columns().any(|column| counts(&column.role));
        let mut open = named(&mut gaps.iter().flat_map(|gaps| gaps.perhaps.iter().copied()));
        open.retain(|name| !names.contains(name));
        let told = match (&names[..], self.locale) {
            ([], _) => String::new(),
            (names, Locale::En) if of_sum => {
                format!(" The total leaves out rows with no value of {}.", names.join(" or "))
            }
            (names, Locale::Ru) if of_sum => {
                format!(" В сумме не учтены строки без значения: «{}».", names.join("», «"))
            }
            (names, Locale::En) => {
                format!(" Rows with no value of {} are left out.", names.join(" or "))
            }
            ([name], Locale::Ru) => format!(" Строки без значения в столбце «{name}» не учтены."),
            (names, Locale::Ru) => {
                format!(" Строки без значения в столбцах «{}» не учтены.", names.join("», «"))
            }
        };
        self.plain(&told);
        let told = match (&open[..], self.locale) {
            ([], _) => return,
            (names, Locale::En) => format!(
                " Rows with no value of {} are left out where the rest of the condition does not decide.",
                names.join(" or ")
            ),
            ([name], Locale::Ru) => format!(
                " Строки без значения в столбце «{name}» не учтены там, где остальное условие ничего не решает."
            ),
            (names, Locale::Ru) => format!(
                " Строки без значения в столбцах «{}» не учтены там, где остальное условие ничего не решает.",
                names.join("», «")
            ),
        };
        self.plain(&told);
    }

    /// The values that a condition asks for; the condition in words where it is another one.
    fn value_of(&self, cond: &Typed) -> Option<String> {
        let text = |value: &Value| match value {
            Value::Text(text) => Some(crate::summary::clean(text)),
            _ => None,
        };
        let said = match &cond.node {
            Node::Compare(Compare::Eq, _, right) => match &right.node {
                Node::Literal(value) => text(value),
                _ => None,
            },
            Node::In { list, negated: false, .. } => {
                let list: Option<Vec<String>> = list.iter().map(text).collect();
                list.map(|list| list.join(self.pick(" or ", " или ")))
            }
            _ => None,
        };
        let said = said.unwrap_or_else(|| explain::condition(cond, self.locale));
        // a number that is no claim is not told
        (!said.chars().any(|c| c.is_ascii_digit())).then_some(said)
    }
}

/// The columns of which a condition asks that their value be another one: it does not hold of a row
/// without any, unless it says so.
fn of_other_values(cond: &Typed) -> Vec<&str> {
    fn add<'a>(cond: &'a Typed, found: &mut Vec<&'a str>) {
        match &cond.node {
            Node::And(list) | Node::Or(list) => list.iter().for_each(|one| add(one, found)),
            Node::Compare(Compare::Ne, ..) | Node::Not(_) | Node::In { negated: true, .. } => {
                found.extend(cond.columns());
            }
            _ => {}
        }
    }
    let (mut found, mut asked) = (Vec::new(), Vec::new());
    add(cond, &mut found);
    cond.visit(&mut |part| match &part.node {
        Node::Call { function, .. } if function.name == "isnull" => asked.extend(part.columns()),
        _ => {}
    });
    found.retain(|name| !asked.contains(name));
    found
}
