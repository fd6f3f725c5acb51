//! From a sketch to a query.

use super::grammar::{period_text, time_column, year_column};
use super::naming::none_word;
use super::sketch::{Cond, Dim, Measure, Operand, Recent, Select, Sketch, Then};
use super::words::{Agg, Cmp, Indicator, Part, Pattern, Run};
use crate::query::ast::Arith;
use crate::query::check::Domain;
use crate::query::format::{name, string};
use crate::query::{Query, Selected};
use crate::schema::TableSchema;
use crate::value::Value;
use chrono::{Datelike, NaiveDate};

/// The query of a sketch. `None` where the table lacks what the sketch needs.
pub(super) fn build(sketch: &Sketch, schema: &TableSchema, name_table: bool) -> Option<Query> {
    let mut builder = Builder::over(schema, Query::default());
    builder.query.table = name_table.then(|| schema.name.clone());
    builder.query.session.clone_from(&sketch.session);
    if let Some(frame) = sketch.frame {
        // hours of hourly bars are the bars that are there
        if frame.name() != "1h" || schema.interval != Some(3600) {
            builder.query.from = Some(frame.name().to_owned());
        }
    } else if sketch.days {
        builder.query.from = Some("daily".to_owned());
    }
    let filters = builder.periods(&sketch.filters)?;
    // measures are columns of their own before anything reads them
    for select in &sketch.select {
        match select {
            Select::Agg(_, measure)
                if !matches!(measure, Measure::Math(..) | Measure::Days(..)) =>
            {
                builder.measure(*measure)?;
            }
            Select::Correlation(a, b) => {
                builder.measure(*a)?;
                builder.measure(*b)?;
            }
            _ => {}
        }
    }
    if let Some(measure) = sketch.order {
        builder.ordered_by(measure)?;
    }
    for dim in &sketch.groups {
        for key in builder.keys(*dim, sketch.then.is_some())? {
            if !builder.query.group_by.contains(&key) {
                builder.query.group_by.push(key);
            }
        }
    }
    let filters: Vec<String> =
        filters.iter().map(|c| builder.condition(c)).collect::<Option<_>>()?;
    builder.query.filter = all_of(&filters);
    for select in &sketch.select {
        let selected = builder.select(select)?;
        if !builder.query.select.contains(&selected) {
            builder.query.select.push(selected);
        }
    }
    let direction = if sketch.descending { "desc" } else { "asc" };
    if let Some(measure) = sketch.order {
        let column = builder.ordered_by(measure)?;
        builder.query.sort = vec![format!("{column} {direction}")];
    } else if sketch.ranked {
        let column = result_name(builder.query.select.first()?);
        builder.query.sort = vec![format!("{} {direction}", name(&column))];
    }
    if let Some(last) = sketch.latest {
        let direction = if last { "desc" } else { "asc" };
        builder.query.sort = vec![format!("{} {direction}", name(schema.time.as_ref()?))];
    }
    let listed = sketch.select.is_empty() && sketch.groups.is_empty();
    if sketch.order.is_some() || sketch.ranked || sketch.latest.is_some() || listed {
        builder.query.limit = sketch.limit;
    }
    if !sketch.of_each.is_empty() {
        builder.cut_of_each(&sketch.of_each)?;
    }
    if sketch.nth
        && let [key] = &builder.query.sort[..]
    {
        let back = match key.strip_suffix(" desc") {
            Some(key) => format!("{key} asc"),
            None => format!("{} desc", key.trim_end_matches(" asc")),
        };
        let last = Query { sort: vec![back], limit: Some(1), ..Query::default() };
        builder.query.steps.push(last);
    }
    if let Some((cmp, bound)) = sketch.having {
        let column = name(&result_name(builder.query.select.first()?));
        let filter = Some(format!("{column} {} {}", cmp.symbol(), number(bound)));
        builder.query.steps.push(Query { filter, ..Query::default() });
    }
    for &column in &sketch.columns {
        builder.query.columns.push(schema.columns.get(column)?.name.clone());
    }
    if let Some(then) = sketch.then {
        let step = then_step(then, builder.query.select.last()?);
        builder.query.steps.push(step);
    }
    Some(builder.query)
}

/// The step that does something with the groups' last aggregate.
pub(super) fn then_step(then: Then, selected: &Selected) -> Query {
    let made = name(&result_name(selected));
    let mut step = Query::default();
    match then {
        Then::Agg(agg) => step.select = vec![format!("{}({made})", agg.function()).into()],
        Then::Change(false) => {
            step.map = vec![("change".to_owned(), format!("{made} - prev({made})"))];
        }
        Then::Change(true) => {
            step.map =
                vec![("change_pct".to_owned(), format!("({made} / prev({made}) - 1) * 100"))];
        }
        Then::Count => step.select = vec!["count()".to_owned().into()],
        Then::Both => {
            step.map = vec![
                ("change".to_owned(), format!("{made} - prev({made})")),
                ("change_pct".to_owned(), format!("({made} / prev({made}) - 1) * 100")),
            ];
        }
        Then::Share => {
            step.map = vec![("share_pct".to_owned(), format!("{made} / sum({made}) * 100"))];
        }
    }
    step
}

/// A query in the making.
pub(super) struct Builder<'a> {
    schema: &'a TableSchema,
    /// What there is of it so far.
    pub query: Query,
}

impl<'a> Builder<'a> {
    /// Goes on from `query`.
    pub fn over(schema: &'a TableSchema, query: Query) -> Self {
        Self { schema, query }
    }

    /// Sorts by these groups first, and keeps of each as many as were to be kept of all.
    fn cut_of_each(&mut self, groups: &[Dim]) -> Option<()> {
        let kept = self.query.limit.take()?;
        let keys = groups.iter().map(|&g| self.dim(g)).collect::<Option<Vec<_>>>()?;
        let keys: Vec<String> = keys.iter().map(|key| name(key)).collect();
        // what belongs to no group is behind nothing that is the same
        let known = keys.iter().map(|key| format!("not isnull({key})"));
        let first = std::mem::take(&mut self.query.sort);
        let conditions: Vec<String> = self.query.filter.take().into_iter().chain(known).collect();
        self.query.filter = all_of(&conditions);
        let same: Vec<String> = keys.iter().map(|key| format!("{key} == prev({key})")).collect();
        self.query.sort = keys.into_iter().chain(first).collect();
        let filter = Some(format!("streak({}) < {kept}", same.join(" and ")));
        self.query.steps.push(Query { filter, ..Query::default() });
        Some(())
    }

    fn column(&self, column: usize) -> Option<&str> {
        self.schema.columns.get(column).map(|c| c.name.as_str())
    }

    /// Adds a column to `map` once, under a name that no column of the table has.
    fn map(&mut self, wanted: &str, expression: &str) -> String {
        if let Some((name, _)) = self.query.map.iter().find(|(_, e)| e == expression) {
            return name.clone();
        }
        let mut new = wanted.to_owned();
        while self.schema.column(&new).is_some() || self.query.map.iter().any(|(n, _)| *n == new) {
            new.push_str("_of_row");
        }
        self.query.map.push((new.clone(), expression.to_owned()));
        new
    }

    /// The text of a measure in an expression.
    pub fn measure(&mut self, measure: Measure) -> Option<String> {
        Some(match measure {
            Measure::Column(column) => name(self.column(column)?),
            Measure::Derived(derived, percent) => {
                let function = derived.function(percent);
                self.map(function, &format!("{function}()"))
            }
            Measure::Indicator(indicator, length) => {
                let function = indicator.function();
                match (indicator, length) {
                    (Indicator::Sma | Indicator::Ema, length) => {
                        let (close, length) = (name(&self.schema.ohlcv.as_ref()?.close), length?);
                        self.map(
                            &format!("{function}_{length}"),
                            &format!("{function}({close}, {length})"),
                        )
                    }
                    (_, Some(length)) => {
                        self.map(&format!("{function}_{length}"), &format!("{function}({length})"))
                    }
                    (_, None) => self.map(function, &format!("{function}()")),
                }
            }
            Measure::Streak(run) => self.map("run", &format!("streak({})", run_text(run))),
            Measure::Days(a, b) => {
                let (a, b) = (name(self.column(a)?), name(self.column(b)?));
                format!("days_between({a}, {b})")
            }
            Measure::Math(op, a, b) => {
                format!("({} {} {})", name(self.column(a)?), op.symbol(), name(self.column(b)?))
            }
        })
    }

    /// The right side of a comparison. What is read of other rows is a column of its own, so that
    /// it is seen beside the row.
    fn operand(&mut self, operand: Operand) -> Option<String> {
        let (wanted, text, times) = match operand {
            Operand::Number(x) => return Some(number(x)),
            Operand::Measure(m) => return self.measure(m),
            Operand::Whole(agg, m, times) => {
                let of = self.measure(m)?;
                let function = agg.function();
                (
                    format!("{function}_of_all_{}", self.plain(m)?),
                    format!("{function}({of})"),
                    times,
                )
            }
            Operand::Before(m, times) => {
                let of = self.measure(m)?;
                (format!("previous_{}", self.plain(m)?), format!("prev({of})"), times)
            }
            Operand::Trailing(m, rows, times) => {
                let of = self.measure(m)?;
                (format!("sma_{rows}_{}", self.plain(m)?), format!("sma({of}, {rows})"), times)
            }
        };
        let column = name(&self.map(&wanted, &text));
        Some(if times == 1.0 { column } else { format!("{} * {column}", number(times)) })
    }

    /// A measure's name as a part of another name.
    fn plain(&self, measure: Measure) -> Option<String> {
        Some(match measure {
            Measure::Column(column) => super::stem::parts(self.column(column)?).join("_"),
            Measure::Derived(derived, percent) => derived.function(percent).to_owned(),
            Measure::Indicator(indicator, _) => indicator.function().to_owned(),
            Measure::Streak(_) => "run".to_owned(),
            Measure::Math(op, a, b) => self.math_name(op, a, b)?,
            Measure::Days(..) => "days".to_owned(),
        })
    }

    /// What rows are sorted by: a column.
    fn ordered_by(&mut self, measure: Measure) -> Option<String> {
        match measure {
            Measure::Math(op, a, b) => {
                let alias = self.math_name(op, a, b)?;
                let text = self.measure(measure)?;
                Some(self.map(&alias, text.trim_matches(['(', ')'])))
            }
            Measure::Days(..) => {
                let text = self.measure(measure)?;
                Some(self.map("days", &text))
            }
            _ => self.measure(measure),
        }
    }

    /// A name for two columns put together.
    fn math_name(&self, op: Arith, a: usize, b: usize) -> Option<String> {
        let word = match op {
            Arith::Add => "plus",
            Arith::Sub => "minus",
            Arith::Mul => "times",
            _ => "per",
        };
        let words = |c: usize| Some(super::stem::parts(self.column(c)?).join("_"));
        Some(format!("{}_{word}_{}", words(a)?, words(b)?))
    }

    /// Takes the conditions on dates out that `period` can say; gives back the others.
    fn periods(&mut self, filters: &[Cond]) -> Option<Vec<Cond>> {
        let mut rest = Vec::new();
        let mut dates: Option<(Option<NaiveDate>, Option<NaiveDate>)> = None;
        let mut recent = None;
        for cond in filters.iter().flat_map(|c| match c {
            Cond::All(list) => list.clone(),
            other => vec![other.clone()],
        }) {
            match cond {
                Cond::Period(first, last) if self.schema.time.is_some() => {
                    let (a, b) = dates.unwrap_or((None, None));
                    let last = match (b, last) {
                        (Some(b), Some(last)) => Some(b.min(last)),
                        (b, last) => b.or(last),
                    };
                    dates = Some((a.max(first), last));
                }
                Cond::Recent(end) if recent.is_none() && self.schema.time.is_some() => {
                    recent = Some(end);
                }
                other => rest.push(other),
            }
        }
        self.query.period = match (dates, recent) {
            (None, None) => return Some(rest),
            (Some((Some(a), Some(b))), _) if a > b => return None,
            (Some((a, b)), None) => Some(period_text(a, b)),
            (None, Some(end)) => Some(match end {
                Recent::Year => "last_year".to_owned(),
                Recent::Month => "last_month".to_owned(),
                Recent::Week => "last_week".to_owned(),
                Recent::Days(days) => format!("last_{days}"),
            }),
            (Some(_), Some(_)) => return None,
        };
        Some(rest)
    }

    /// Puts another period in the place of the one there is; gives back what is no period.
    pub fn narrow_period(&mut self, cond: &Cond) -> Option<Vec<Cond>> {
        let old = self.query.period.take();
        let rest = self.periods(std::slice::from_ref(cond))?;
        if self.query.period.is_none() {
            self.query.period = old;
        }
        Some(rest)
    }

    /// The period that months or a quarter are in the one year of the period there is.
    pub fn of_the_year(&self, cond: &Cond) -> Option<String> {
        self.query.period.as_ref()?;
        let (low, high) = match cond {
            Cond::Months { months, negated: false } => {
                let (low, high) = (*months.iter().min()?, *months.iter().max()?);
                (high - low + 1 == months.len()).then_some((low, high))?
            }
            Cond::Part(Part::Quarter, Cmp::Eq, quarter @ 1..=4) => {
                let first = usize::try_from(quarter - 1).ok()? * 3;
                (first, first + 2)
            }
            _ => return None,
        };
        let year = self.the_year()?;
        let month = |number: usize| u32::try_from(number).ok().map(|n| n + 1);
        let first = NaiveDate::from_ymd_opt(year, month(low)?, 1)?;
        let last = NaiveDate::from_ymd_opt(year, month(high)?, 1)?
            .checked_add_months(chrono::Months::new(1))?
            .pred_opt()?;
        Some(period_text(Some(first), Some(last)))
    }

    /// Keys of a group. Groups that are compared one by one need the year beside the month.
    fn keys(&mut self, dim: Dim, in_order: bool) -> Option<Vec<String>> {
        let recurs = matches!(dim, Dim::Part(Part::Month | Part::Quarter | Part::Week));
        if !(in_order && recurs) || self.one_year() {
            return Some(vec![self.dim(dim)?]);
        }
        let year = self.dim(Dim::Part(Part::Year))?;
        let key = match dim {
            Dim::Part(Part::Month) => {
                let call = self.part("month")?;
                self.map("month", &call)
            }
            other => self.dim(other)?,
        };
        Some(vec![year, key])
    }

    /// The rows that are kept lie in one year.
    pub fn one_year(&self) -> bool {
        self.the_year().is_some()
    }

    /// The one year that the rows that are kept lie in.
    fn the_year(&self) -> Option<i32> {
        let year = |day: i32| Value::Date(day).date().map(|d| d.year());
        let data = self.schema.dates();
        let (mut first, mut last) =
            (data.and_then(|(a, _)| year(a)), data.and_then(|(_, b)| year(b)));
        if let Some(text) = &self.query.period
            && let Ok(period) = crate::query::period::Period::parse(text)
            && let crate::query::period::Dates::Between(a, b) = period.dates(data.map(|d| d.1))
        {
            first = a.and_then(year).or(first);
            last = b.and_then(year).or(last);
        }
        first.filter(|_| first == last)
    }

    /// A call of a time function: without an argument where the table knows its time column.
    fn part(&self, function: &str) -> Option<String> {
        let column = time_column(self.schema)?;
        Some(if self.schema.time.is_some() {
            format!("{function}()")
        } else {
            format!("{function}({})", name(column))
        })
    }

    /// A group key; the exact name of a column, which `group_by` takes as it is.
    pub fn dim(&mut self, dim: Dim) -> Option<String> {
        Some(match dim {
            Dim::Column(column) => self.column(column)?.to_owned(),
            Dim::Part(part) => {
                let (function, column) = part.function();
                let call = self.part(function)?;
                self.map(column, &call)
            }
        })
    }

    fn select(&mut self, select: &Select) -> Option<Selected> {
        Some(match select {
            Select::Count => "count()".into(),
            Select::CountDistinct(Dim::Column(column)) => {
                self.aggregate("count_distinct", *column)?
            }
            Select::CountDistinct(Dim::Part(part)) => {
                let (function, column) = part.function();
                let call = self.part(function)?;
                Selected::named(
                    format!("count_distinct_{column}"),
                    format!("count_distinct({call})"),
                )
            }
            Select::Agg(Agg::Percentile(share), measure) => {
                let share = f64::from(*share) / 1000.0;
                let text = self.measure(*measure)?;
                let alias = format!(
                    "p{}_{}",
                    number(share * 100.0).replace('.', "_"),
                    match measure {
                        Measure::Column(column) =>
                            super::stem::parts(self.column(*column)?).join("_"),
                        _ => "value".to_owned(),
                    }
                );
                Selected::named(alias, format!("percentile({text}, {})", number(share)))
            }
            Select::Agg(agg, Measure::Column(column)) => self.aggregate(agg.function(), *column)?,
            Select::Agg(agg, measure @ Measure::Math(op, a, b)) => {
                let alias = format!("{}_{}", agg.function(), self.math_name(*op, *a, *b)?);
                let text = self.measure(*measure)?;
                let text = text.trim_start_matches('(').trim_end_matches(')');
                Selected::named(alias, format!("{}({text})", agg.function()))
            }
            Select::Agg(agg, measure @ Measure::Days(..)) => {
                let text = self.measure(*measure)?;
                let function = agg.function();
                Selected::named(format!("{function}_days"), format!("{function}({text})"))
            }
            Select::Agg(agg, measure) => {
                let column = self.measure(*measure)?;
                format!("{}({column})", agg.function()).into()
            }
            Select::At { column, measure, descending } => {
                let function = if *descending { "argmax" } else { "argmin" };
                let plain = self.column(*column)?;
                let (alias, column) = (super::stem::parts(plain).join("_"), name(plain));
                let of = self.measure(*measure)?;
                Selected::named(alias, format!("{function}({column}, {of})"))
            }
            Select::Spread(measure) => {
                let text = self.measure(*measure)?;
                Selected::named("spread", format!("max({text}) - min({text})"))
            }
            Select::Share(conds) => {
                let conds: Vec<String> =
                    conds.iter().map(|c| self.condition(c)).collect::<Option<_>>()?;
                Selected::named("share_pct", format!("pct({})", all_of(&conds)?))
            }
            Select::Part(measure, cond) => {
                let (of, cond) = (self.measure(*measure)?, self.condition(cond)?);
                let text = format!("sum(if({cond}, {of}, 0)) / sum({of}) * 100");
                Selected::named("share_pct", text)
            }
            Select::Correlation(a, b) => {
                let (a, b) = (self.measure(*a)?, self.measure(*b)?);
                Selected::named("correlation", format!("correlation({a}, {b})"))
            }
        })
    }

    /// An aggregate of a column; one whose name has to be quoted gets a plain alias.
    fn aggregate(&self, function: &str, column: usize) -> Option<Selected> {
        let plain = self.column(column)?;
        let quoted = name(plain);
        let call = format!("{function}({quoted})");
        if quoted == plain {
            return Some(call.into());
        }
        let words: Vec<String> = super::stem::parts(plain);
        Some(Selected::named(format!("{function}_{}", words.join("_")), call))
    }

    pub fn condition(&mut self, cond: &Cond) -> Option<String> {
        Some(match cond {
            Cond::Compare(left, cmp, right) => {
                let left = self.measure(*left)?;
                let right = self.operand(*right)?;
                format!("{left} {} {right}", cmp.symbol())
            }
            // only `period` can say what is recent
            Cond::Implied { .. } | Cond::Recent(_) => return None,
            Cond::Values { column, values, negated } => {
                let column = name(self.column(*column)?);
                member(&column, values.iter().map(String::as_str), *negated)?
            }
            Cond::Flag { column, wanted } => {
                let column = name(self.column(*column)?);
                if *wanted { column } else { format!("not {column}") }
            }
            Cond::Part(part, cmp, value) => {
                let function = if *part == Part::Month { "month" } else { part.function().0 };
                let year = || {
                    let (column, _) = year_column(self.schema).filter(|_| *part == Part::Year)?;
                    Some(name(self.column(column)?))
                };
                let left = self.part(function).or_else(year)?;
                format!("{left} {} {value}", cmp.symbol())
            }
            Cond::Weekdays { days, negated } => {
                let names = days.iter().filter_map(|&d| Domain::Weekday.values().get(d).copied());
                let part = self.key_or_call(Part::Weekday)?;
                member(&part, names, *negated)?
            }
            Cond::Months { months, negated } => {
                let names = months.iter().filter_map(|&m| Domain::Month.values().get(m).copied());
                let part = self.key_or_call(Part::Month)?;
                member(&part, names, *negated)?
            }
            Cond::Period(first, last) => {
                let call = self.part("date")?;
                let side = |cmp: Cmp, date: &NaiveDate| {
                    format!("{call} {} {}", cmp.symbol(), string(&date.to_string()))
                };
                let sides: Vec<String> = first
                    .iter()
                    .map(|d| side(Cmp::Ge, d))
                    .chain(last.iter().map(|d| side(Cmp::Le, d)))
                    .collect();
                all_of(&sides)?
            }
            Cond::Clock(cmp, time) => {
                format!("{} {} {}", self.part("time")?, cmp.symbol(), string(time))
            }
            Cond::Colour(up) => if *up { "green()" } else { "red()" }.to_owned(),
            Cond::Pattern(pattern) => match pattern {
                Pattern::Inside => "inside_bar()",
                Pattern::Outside => "outside_bar()",
                Pattern::Doji => "doji()",
            }
            .to_owned(),
            Cond::Streak(run, cmp, number) => {
                format!("streak({}) {} {number}", run_text(*run), cmp.symbol())
            }
            Cond::Contains { column, text, negated } => {
                let not = if *negated { "not " } else { "" };
                let column = name(self.column(*column)?);
                format!("{not}contains(lower({column}), {})", string(text))
            }
            Cond::Missing { column, negated } => {
                let key = name(self.column(*column)?);
                let none = none_word(self.schema.columns.get(*column)?).map(string);
                match (none, negated) {
                    (None, false) => format!("isnull({key})"),
                    (None, true) => format!("not isnull({key})"),
                    (Some(none), false) => format!("(isnull({key}) or {key} == {none})"),
                    (Some(none), true) => format!("not isnull({key}) and {key} != {none}"),
                }
            }
            Cond::Cross(line, other, up) => {
                let function = if *up { "crossover" } else { "crossunder" };
                format!("{function}({}, {})", self.measure(*line)?, self.operand(*other)?)
            }
            Cond::After(held) => self.held_before(held)?,
            Cond::All(list) => {
                let list: Vec<String> =
                    list.iter().map(|c| self.condition(c)).collect::<Option<_>>()?;
                all_of(&list)?
            }
            Cond::Any(list) => {
                let list: Vec<String> =
                    list.iter().map(|c| self.condition(c)).collect::<Option<_>>()?;
                format!("({})", list.join(" or "))
            }
        })
    }

    /// What held in the row before, as columns of their own.
    fn held_before(&mut self, cond: &Cond) -> Option<String> {
        Some(match cond {
            Cond::Compare(measure, cmp, Operand::Number(bound)) => {
                let (of, plain) = (self.measure(*measure)?, self.plain(*measure)?);
                let column = self.map(&format!("previous_{plain}"), &format!("prev({of})"));
                format!("{} {} {}", name(&column), cmp.symbol(), number(*bound))
            }
            Cond::Colour(_) | Cond::Pattern(_) => {
                let call = self.condition(cond)?;
                let wanted = format!("previous_{}", call.trim_end_matches("()"));
                name(&self.map(&wanted, &format!("prev({call})")))
            }
            Cond::Streak(run, cmp, bars) => {
                let text = format!("prev(streak({}))", run_text(*run));
                let column = self.map("previous_run", &text);
                format!("{} {} {bars}", name(&column), cmp.symbol())
            }
            Cond::All(list) => {
                let list: Vec<String> =
                    list.iter().map(|c| self.held_before(c)).collect::<Option<_>>()?;
                all_of(&list)?
            }
            _ => return None,
        })
    }

    /// The group key made of a part where there is one, else the call.
    fn key_or_call(&self, part: Part) -> Option<String> {
        let call = self.part(part.function().0)?;
        let mapped = self.query.map.iter().find(|(_, e)| *e == call).map(|(n, _)| n.clone());
        Some(mapped.unwrap_or(call))
    }
}

fn run_text(run: Run) -> &'static str {
    match run {
        Run::Moved(true) => "change() > 0",
        Run::Moved(false) => "change() < 0",
        Run::Coloured(true) => "green()",
        Run::Coloured(false) => "red()",
    }
}

fn all_of(conditions: &[String]) -> Option<String> {
    (!conditions.is_empty()).then(|| conditions.join(" and "))
}

fn member<'a>(
    column: &str,
    values: impl Iterator<Item = &'a str>,
    negated: bool,
) -> Option<String> {
    let texts: Vec<String> = values.map(string).collect();
    Some(match (&texts[..], negated) {
        ([], _) => return None,
        ([one], false) => format!("{column} == {one}"),
        ([one], true) => format!("{column} != {one}"),
        (_, false) => format!("{column} in [{}]", texts.join(", ")),
        (_, true) => format!("{column} not in [{}]", texts.join(", ")),
    })
}

/// A number as the query language writes it.
pub(super) fn number(x: f64) -> String {
    if x.abs() >= 1e15 { format!("{x:e}") } else { format!("{x}") }
}

/// The name of a selected column in the result: its alias, `count`, or function and column.
pub(super) fn result_name(selected: &Selected) -> String {
    match &selected.alias {
        Some(alias) => alias.clone(),
        None => selected
            .text
            .trim_end_matches(')')
            .replacen('(', "_", 1)
            .trim_end_matches('_')
            .to_owned(),
    }
}
