//! A checked query in plain words, English or Russian: one sentence per step of the pipeline.
//!
//! Russian needs no declension by construction: names and values stand where the nominative is
//! right (after a colon, `=`, `больше`, in parentheses), whatever their gender is.

mod functions;
mod words;

use super::check::{
    CheckedQuery, CheckedStep, Named, Node, OutputColumn, ResultKind, SortKey, Typed, default_name,
};
use super::period::Dates;
use crate::error::Locale;
use crate::query::{format, parse};
use crate::schema::Kind;
use crate::value::Value;
use chrono::Datelike;
use words::{Speaker, Tight};

/// What one field of a query does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// The number of the step that it stands in: 0 is the query itself, then its `steps`.
    pub step: usize,
    /// The field of the query that it is about (`where`; `table` for the rows that it starts from).
    pub field: &'static str,
    /// The sentence, with a capital letter and a full stop.
    pub text: String,
}

/// What the query does, as one text: `Take daily bars of bars. Add column gap: Open − previous
/// Close [USD]. Keep rows where gap is above 50 USD.`
pub fn explain(query: &CheckedQuery, locale: Locale) -> String {
    let all: Vec<String> = sentences(query, locale).into_iter().map(|s| s.text).collect();
    all.join(" ")
}

/// A condition in words: `city is "Berlin"`.
pub fn condition(expr: &Typed, locale: Locale) -> String {
    Speaker::new(locale).condition(expr).text
}

/// An expression in words: `days from order_date to ship_date`.
pub fn words(expr: &Typed, locale: Locale) -> String {
    Speaker::new(locale).expr(expr).text
}

/// What the query does, step by step: at least one sentence for every step that it has.
pub fn sentences(query: &CheckedQuery, locale: Locale) -> Vec<Sentence> {
    let mut teller = Teller { speaker: Speaker::new(locale), locale, step: 0, told: Vec::new() };
    if query.sql().is_some() && query.schema().computed {
        teller.tell("script", "Run a script", "Выполнить скрипт");
        return teller.told;
    }
    if query.sql().is_some() {
        teller.tell("table", "Run a read-only SQL statement", "Выполнить запрос SQL на чтение");
        return teller.told;
    }
    teller.source(query);
    let loaded = query.schema().columns.iter().map(|c| c.name.as_str());
    let mut known: Vec<&str> = loaded.collect();
    for (number, step) in query.steps().enumerate() {
        teller.step = number;
        if number > 0 {
            teller.tell("steps", "Go on with that result", "Дальше — с этим результатом");
        }
        teller.speaker.series = step.series().map(str::to_owned);
        teller.map(step, &mut known);
        teller.filter(step);
        teller.groups(query, step);
        teller.order(step);
        known = step.output().iter().map(name_of).collect();
    }
    teller.told
}

/// Parts of a query that go by days: functions of a date, a period, bars of a day and more.
const BY_DAYS: [&str; 15] = [
    "year(",
    "quarter(",
    "month(",
    "monthname(",
    "dayname(",
    "week(",
    "day(",
    "date(",
    "dayofweek(",
    "\"period\":",
    "daily",
    "weekly",
    "monthly",
    "quarterly",
    "yearly",
];

/// When a day begins, where the market of the table begins it before midnight and the query goes by days.
pub fn days_begin(query: &CheckedQuery, locale: Locale) -> Option<String> {
    let start = query.schema().market.day_start;
    let text = query.canonical().to_string();
    let by_days = query.sql().is_none() && BY_DAYS.iter().any(|part| text.contains(part));
    (start.0 != 0 && by_days).then(|| match locale {
        Locale::En => format!("trading days, which begin at {start} of the day before"),
        Locale::Ru => format!("торговые дни: начинаются в {start} накануне"),
    })
}

fn name_of(column: &OutputColumn) -> &str {
    &column.column.name
}

struct Teller {
    speaker: Speaker,
    locale: Locale,
    step: usize,
    told: Vec<Sentence>,
}

impl Teller {
    fn pick<'a>(&self, en: &'a str, ru: &'a str) -> &'a str {
        match self.locale {
            Locale::En => en,
            Locale::Ru => ru,
        }
    }

    /// Ends the sentence with what its functions mean, where no words of their own say it.
    fn tell(&mut self, field: &'static str, en: &str, ru: &str) {
        let mut text = self.pick(en, ru).to_owned();
        text.push_str(&self.speaker.notes());
        text.push('.');
        self.told.push(Sentence { step: self.step, field, text });
    }

    fn source(&mut self, query: &CheckedQuery) {
        let table = format::name(&query.schema().name);
        let frame = query.frame();
        if let Some(timeframe) = frame.from() {
            let [en, ru] = bars(timeframe.name());
            let (en, ru) =
                (format!("Take {en} bars of {table}"), format!("Взять {ru} бары таблицы {table}"));
            self.tell("from", &en, &ru);
        } else {
            let (en, ru) =
                (format!("Take the rows of {table}"), format!("Взять строки таблицы {table}"));
            self.tell("table", &en, &ru);
        }
        if let Some(days) = days_begin(query, self.locale) {
            let ru = days.replacen("торговые дни", "Дни торговые", 1);
            let en = format!("Days are {days}");
            self.tell("table", &en, &ru);
        }
        if let Some(session) = frame.session() {
            let name = &session.name;
            let (en, ru) = (
                format!("Use only the times of session {name}"),
                format!("Учитывать только время сессии {name}"),
            );
            self.tell("session", &en, &ru);
        }
        if let Some(period) = frame.period() {
            let text = period.text();
            let (en, ru) = match text.strip_prefix("last_") {
                Some("year") => (
                    "Keep the last year (last_year)".to_owned(),
                    "Оставить последний год (last_year)".to_owned(),
                ),
                Some("month") => (
                    "Keep the last month (last_month)".to_owned(),
                    "Оставить последний месяц (last_month)".to_owned(),
                ),
                Some("week") => (
                    "Keep the last week (last_week)".to_owned(),
                    "Оставить последнюю неделю (last_week)".to_owned(),
                ),
                Some(count) => (
                    format!("Keep the last {count} dates (last_{count})"),
                    format!("Оставить последние даты: {count} (last_{count})"),
                ),
                None => (format!("Keep the period {text}"), format!("Оставить период {text}")),
            };
            self.tell("period", &en, &ru);
            if !frame.lookback() {
                self.tell(
                    "lookback",
                    "Windows start empty at its first row",
                    "Окна начинаются пустыми с его первой строки",
                );
            }
        }
    }

    fn map<'a>(&mut self, step: &'a CheckedStep, known: &mut Vec<&'a str>) {
        self.speaker.shared = true;
        for made in step.map() {
            let name = format::name(&made.name);
            let what = self.made(made);
            let (en, ru) = if known.contains(&made.name.as_str()) {
                (
                    format!("Replace column {name}: {what}"),
                    format!("Заменить столбец {name}: {what}"),
                )
            } else {
                (format!("Add column {name}: {what}"), format!("Добавить столбец {name}: {what}"))
            };
            known.push(&made.name);
            self.tell("map", &en, &ru);
        }
        self.speaker.shared = false;
    }

    /// The words of a new column's expression, with its unit.
    fn made(&mut self, made: &Named) -> String {
        let said = if made.expr.kind == Some(Kind::Bool) && made.expr.columns().len() != 1 {
            let condition = self.speaker.condition(&made.expr).text;
            format!("{}{condition}", self.pick("whether ", "верно ли, что "))
        } else {
            self.speaker.expr(&made.expr).text
        };
        format!("{said}{}", unit(made.expr.unit.as_deref()))
    }

    fn filter(&mut self, step: &CheckedStep) {
        let Some(filter) = step.filter() else { return };
        self.speaker.shared = true;
        let condition = self.speaker.condition(&filter.expr).text;
        self.speaker.shared = false;
        let (en, ru) = if stays_grouped(step) {
            (format!("Keep groups where {condition}"), format!("Оставить группы, где {condition}"))
        } else {
            (format!("Keep rows where {condition}"), format!("Оставить строки, где {condition}"))
        };
        self.tell("where", &en, &ru);
    }

    fn groups(&mut self, query: &CheckedQuery, step: &CheckedStep) {
        if stays_grouped(step) {
            return;
        }
        let keys: Vec<words::Said> =
            step.keys().iter().map(|key| self.speaker.expr(&key.expr)).collect();
        if !keys.is_empty() {
            let plain = keys.iter().all(|key| key.tight == Tight::Atom);
            let list = keys.into_iter().map(|key| key.text).collect::<Vec<_>>().join(", ");
            let years = if holds_years(query, step) {
                self.pick(" (all years together)", " (все годы вместе)")
            } else {
                ""
            };
            let en = format!("Group by {list}{years}");
            let ru = if plain {
                format!("Сгруппировать по {list}{years}")
            } else {
                format!("Сгруппировать по значениям: {list}{years}")
            };
            self.tell("group_by", &en, &ru);
        }
        if step.measures().is_empty() {
            return;
        }
        let measures: Vec<String> = step.measures().iter().map(|m| self.measure(m)).collect();
        let list = measures.join(", ");
        let (en, ru) = if step.keys().is_empty() {
            (format!("Compute {list}"), format!("Вычислить: {list}"))
        } else {
            (
                format!("For each group compute {list}"),
                format!("Для каждой группы вычислить: {list}"),
            )
        };
        self.tell("select", &en, &ru);
    }

    /// `mean of gap [USD]`, with the name where it is not the one that follows from the expression.
    fn measure(&mut self, measure: &Named) -> String {
        let mut text = self.speaker.expr(&measure.expr).text;
        text.push_str(&unit(measure.expr.unit.as_deref()));
        if parse(&measure.text).map_or(true, |expr| default_name(&expr) != measure.name) {
            text.push_str(self.pick(" as ", " под именем "));
            text.push_str(&format::name(&measure.name));
        }
        text
    }

    fn order(&mut self, step: &CheckedStep) {
        if !step.sort().is_empty() {
            let keys: Vec<String> = step.sort().iter().map(|key| self.sort_key(key)).collect();
            let en = format!("Sort by {}", keys.join(", then by "));
            let ru = format!("Упорядочить по {}", keys.join(", затем по "));
            self.tell("sort", &en, &ru);
        }
        let grouped = step.kind() == ResultKind::Grouped;
        if let Some(limit) = step.limit() {
            let (en, ru) = match (limit, grouped) {
                (1, false) => ("Keep the first row".into(), "Оставить первую строку".into()),
                (1, true) => ("Keep the first group".into(), "Оставить первую группу".into()),
                (n, false) => (
                    format!("Keep the first {n} rows"),
                    format!("Оставить первые строки, не больше {n}"),
                ),
                (n, true) => (
                    format!("Keep the first {n} groups"),
                    format!("Оставить первые группы, не больше {n}"),
                ),
            };
            self.tell("limit", &en, &ru);
        }
        if let Some(columns) = step.columns() {
            let list: Vec<String> =
                columns.iter().map(|c| self.speaker.expr(&c.expr).text).collect();
            let list = list.join(", ");
            self.tell("columns", &format!("Show {list}"), &format!("Показать: {list}"));
        }
    }

    fn sort_key(&mut self, key: &SortKey) -> String {
        let text = self.speaker.atom(&key.expr);
        let way = match (key.descending, key.expr.kind) {
            (false, _) => return text,
            (true, Some(kind)) if kind.is_time() => {
                self.pick(", latest first", ", сначала поздние")
            }
            (true, Some(kind)) if kind.is_numeric() => self.pick(", largest first", " по убыванию"),
            (true, _) => self.pick(" in reverse order", " в обратном порядке"),
        };
        format!("{text}{way}")
    }
}

/// The groups of an earlier step stay groups, with its keys and measures.
fn stays_grouped(step: &CheckedStep) -> bool {
    step.kind() == ResultKind::Grouped && !step.aggregates()
}

/// Months, quarters or weeks of different years can be one group in some step.
pub fn years_together(query: &CheckedQuery) -> bool {
    query.steps().any(|step| !step.keys().is_empty() && holds_years(query, step))
}

/// Months, quarters or weeks of different years can be one group.
fn holds_years(query: &CheckedQuery, step: &CheckedStep) -> bool {
    let mapped = |expr: &Typed| match &expr.node {
        Node::Column(name) => step.map().iter().rfind(|made| made.name == *name).map(|m| &m.expr),
        _ => None,
    };
    let keys = || step.keys().iter().map(|key| mapped(&key.expr).unwrap_or(&key.expr));
    let is = |expr: &Typed, names: &[&str]| match &expr.node {
        Node::Call { function, .. } => names.contains(&function.name),
        _ => false,
    };
    let recurs = keys().any(|key| is(key, &["month", "monthname", "quarter", "week"]));
    let tells_years = |expr: &Typed| {
        let mut found = false;
        expr.visit(&mut |part| found |= is(part, &["year", "date"]));
        found
    };
    let year = |day: Option<i32>| Value::Date(day?).date().map(|date| date.year());
    let in_one_year = query.frame().period().is_some_and(|period| {
        matches!(period.dates(None), Dates::Between(a, b) if year(a).is_some() && year(a) == year(b))
    });
    let data = query.schema().dates();
    let of_one_year = data.is_some_and(|(a, b)| year(Some(a)) == year(Some(b)));
    recurs
        && !in_one_year
        && !of_one_year
        && !keys().any(tells_years)
        && !step.filter().is_some_and(|filter| tells_years(&filter.expr))
}

/// ` [USD]`
fn unit(unit: Option<&str>) -> String {
    unit.map_or_else(String::new, |unit| format!(" [{unit}]"))
}

/// The adjective of a timeframe's bars, English then Russian in the accusative plural.
pub(crate) fn bars(timeframe: &'static str) -> [&'static str; 2] {
    match timeframe {
        "1m" => ["1-minute", "минутные"],
        "5m" => ["5-minute", "5-минутные"],
        "15m" => ["15-minute", "15-минутные"],
        "30m" => ["30-minute", "30-минутные"],
        "1h" => ["hourly", "часовые"],
        "2h" => ["2-hour", "2-часовые"],
        "4h" => ["4-hour", "4-часовые"],
        "daily" => ["daily", "дневные"],
        "weekly" => ["weekly", "недельные"],
        "monthly" => ["monthly", "месячные"],
        "quarterly" => ["quarterly", "квартальные"],
        "yearly" => ["yearly", "годовые"],
        other => [other, other],
    }
}
