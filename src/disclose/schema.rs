//! The schema as a model may see it.

use super::mask::{keep_listed, listed};
use super::{Class, Disclosed, Gate, Level, Provenance, What, Why, Withheld};
use crate::error::Locale;
use crate::facts::Outcome;
use crate::query::check::Timeframe;
use crate::schema::{Column, Ohlcv, TableSchema};
use crate::summary::{add, clean, cut, display};
use crate::value::Value;
use std::sync::Arc;

/// Names and values are cut at this many characters.
const LENGTH: usize = 80;

/// This many synonyms of a column are told.
const MOST_SYNONYMS: usize = 5;

impl Gate<'_> {
    /// Names, kinds and units of columns, row counts, time range, and the values of open text
    /// columns that have few of them (level `summary`). Hidden columns are not in it. Names and
    /// values are data: they stand in quotes, without control characters and markup.
    pub fn schema(&self, tables: &[Arc<TableSchema>], locale: Locale) -> Disclosed {
        let mut provenance = Provenance::default();
        let lines: Vec<String> =
            tables.iter().map(|table| self.table(table, locale, &mut provenance)).collect();
        self.piece(lines.join("\n"), provenance)
    }

    /// The same, and of bars which of them are missing, at levels that tell of rows.
    pub fn description(&self, tables: &[Arc<TableSchema>], locale: Locale) -> Disclosed {
        let mut provenance = Provenance::default();
        let told = tables.iter().flat_map(|table| {
            let text = self.table(table, locale, &mut provenance);
            let gaps = self.gaps(table, locale, &mut provenance);
            std::iter::once(text).chain(gaps)
        });
        let lines: Vec<String> = told.collect();
        self.piece(lines.join("\n"), provenance)
    }

    /// The day of the last row of a table in the order of its time, in a sentence that begins with
    /// `before`; nothing where the range of its time is not told.
    pub fn last_day(&self, table: &TableSchema, before: &'static str) -> Option<Disclosed> {
        let time = table.time.as_ref()?;
        let policy = self.policy();
        if policy.hides(&table.name, time) || policy.protects(&table.name, time) {
            return None;
        }
        let (_, last) = table.dates()?;
        let day = Value::Date(last).date()?;
        let mut provenance = Provenance::default();
        provenance.tables.insert(table.name.clone());
        provenance.columns.insert(format!("{}.{time}", table.name));
        Some(self.piece(format!("{before}{day}."), provenance))
    }

    /// Questions about tables, a line each under the name of the table. `make` sees what a model may
    /// see of a table, and a plain function can hold nothing else.
    pub fn questions(
        &self,
        tables: &[Arc<TableSchema>],
        make: fn(&TableSchema, Locale) -> Vec<String>,
        locale: Locale,
    ) -> Disclosed {
        let mut provenance = Provenance::default();
        let mut lines = Vec::new();
        for table in tables {
            provenance.tables.insert(table.name.clone());
            lines.push(format!("{} {}:", Words::of(locale).table, name(&table.name)));
            let shown = self.shown(table);
            let values = shown.columns.iter().filter(|column| column.values.is_some());
            let time = shown.time.as_ref().filter(|_| shown.range.is_some());
            let named = values.map(|column| &column.name).chain(time);
            provenance.columns.extend(named.map(|column| format!("{}.{column}", table.name)));
            let asked = make(&shown, locale);
            lines.extend(asked.iter().map(|q| format!("  {}", cut(&clean(q), 2 * LENGTH))));
        }
        self.piece(lines.join("\n"), provenance)
    }

    /// A table as a model may see it: no hidden column, in no role either, no value that is not
    /// listed, no range of a protected time. At level `schema` a column has no value at all.
    pub(super) fn shown(&self, table: &TableSchema) -> TableSchema {
        let policy = self.policy();
        let hidden = |column: &String| policy.hides(&table.name, column);
        let mut shown = table.clone();
        shown.columns.retain(|column| !hidden(&column.name));
        for column in &mut shown.columns {
            keep_listed(policy, &table.name, column);
            column.nulls = None;
        }
        shown.time = shown.time.filter(|time| !hidden(time));
        shown.series = shown.series.filter(|series| !hidden(series));
        if shown.time.as_ref().is_none_or(|time| policy.protects(&table.name, time)) {
            (shown.range, shown.interval, shown.gaps) = (None, None, None);
        }
        shown.ohlcv = shown.ohlcv.and_then(|bars| {
            let prices = [&bars.open, &bars.high, &bars.low, &bars.close];
            let volume = bars.volume.clone().filter(|volume| !hidden(volume));
            let whole = !prices.into_iter().any(hidden);
            whole.then_some(Ohlcv { volume, ..bars })
        });
        shown.gaps = shown.gaps.filter(|_| shown.ohlcv.is_some());
        shown.resample.retain(|(column, _)| !hidden(column));
        shown
    }

    /// `outcome` over its schema as a model may see it, so that nothing else of the schema shows in
    /// what is made of it: no hidden column, no value that is not listed, no range of a protected time.
    pub fn redacted(&self, outcome: &Outcome) -> Outcome {
        let policy = self.policy();
        let mut schema = TableSchema::clone(outcome.query.schema());
        let table = schema.name.clone();
        schema.columns.retain(|column| !policy.hides(&table, &column.name));
        for column in &mut schema.columns {
            keep_listed(policy, &table, column);
            column.nulls = None;
        }
        let protected =
            |name: &Option<String>| name.as_ref().is_some_and(|name| policy.protects(&table, name));
        if protected(&schema.time) {
            (schema.range, schema.interval, schema.gaps) = (None, None, None);
        }
        let mut told = outcome.clone();
        told.query = Arc::new(outcome.query.with_schema(schema));
        told
    }

    fn table(&self, table: &TableSchema, locale: Locale, provenance: &mut Provenance) -> String {
        let open = |name: &Option<String>| {
            name.as_ref().filter(|name| !self.policy().hides(&table.name, name)).cloned()
        };
        provenance.tables.insert(table.name.clone());
        let words = Words::of(locale);
        let mut text =
            format!("{} {}: {} {}", words.table, name(&table.name), table.rows, words.rows);
        if let Some(time) = open(&table.time) {
            add(&mut text, format_args!("; {} {}", words.time, name(&time)));
            let range = table.range.as_ref();
            if let Some((first, last)) =
                range.filter(|_| !self.policy().protects(&table.name, &time))
            {
                provenance.columns.insert(format!("{}.{time}", table.name));
                add(
                    &mut text,
                    format_args!(" {} … {}", display(first, false), display(last, false)),
                );
            }
            let interval = table.interval.filter(|_| !self.policy().protects(&table.name, &time));
            let bars = self.shown(table).ohlcv.is_some();
            match interval.map(|seconds| (seconds, Timeframe::lasting(seconds).filter(|_| bars))) {
                Some((_, Some(timeframe))) => {
                    add(&mut text, format_args!("; {} {}", words.bars, timeframe.name()));
                }
                Some((seconds, None)) => {
                    add(&mut text, format_args!("; {} {seconds} {}", words.every, words.seconds));
                }
                None => {}
            }
        }
        // What is read by the clock of a column that may not be named is not told either.
        let clock = open(&table.time).is_some();
        if let Some(zone) = table.market.timezone.as_deref().filter(|_| clock) {
            add(&mut text, format_args!("; {} {zone}", words.zone));
        }
        if clock && !table.market.sessions.is_empty() {
            let sessions = table.market.sessions.iter();
            let sessions = sessions.map(|s| format!("{} {}-{}", name(&s.name), s.start, s.end));
            let list = sessions.collect::<Vec<_>>().join(", ");
            add(&mut text, format_args!("; {} {list}", words.sessions));
        }
        if let Some(series) = open(&table.series) {
            add(&mut text, format_args!("; {} {}", words.series, name(&series)));
        }
        let mut hidden = 0;
        for column in &table.columns {
            let class = self.policy().class(&table.name, &column.name);
            if class == Class::Hidden {
                hidden += 1;
                continue;
            }
            if class == Class::Aggregate {
                let of = format!("{}.{}", table.name, column.name);
                provenance.keep_back(Withheld::new(What::Values, Why::Aggregate).of(of));
            }
            text.push_str("\n  ");
            text.push_str(&self.column(table, column, &words, provenance));
        }
        if hidden > 0 {
            let columns = Withheld::new(What::Columns, Why::Hidden).of(&table.name).count(hidden);
            provenance.keep_back(columns);
        }
        if self.policy().level() < Level::Summary {
            provenance.keep_back(Withheld::new(What::Values, Why::Level).of(&table.name));
        }
        text
    }

    fn column(
        &self,
        table: &TableSchema,
        column: &Column,
        words: &Words,
        provenance: &mut Provenance,
    ) -> String {
        let mut text = format!("{}: {}", name(&column.name), column.kind.name());
        if let Some(unit) = &column.unit {
            add(&mut text, format_args!(", {} {}", words.unit, quoted(unit)));
        }
        let others: Vec<String> = column
            .label
            .iter()
            .chain(&column.synonyms)
            .take(MOST_SYNONYMS)
            .map(|w| quoted(w))
            .collect();
        if !others.is_empty() {
            add(&mut text, format_args!(", {} {}", words.also, others.join(", ")));
        }
        if let Some(values) = listed(self.policy(), &table.name, column) {
            provenance.columns.insert(format!("{}.{}", table.name, column.name));
            let told = |value: &String| {
                let others = column.other_words().filter(|(_, of)| of == value);
                let others: Vec<String> =
                    others.take(MOST_SYNONYMS).map(|(word, _)| quoted(word)).collect();
                if others.is_empty() {
                    quoted(value)
                } else {
                    format!("{} ({} {})", quoted(value), words.also, others.join(", "))
                }
            };
            let values: Vec<String> = values.iter().map(told).collect();
            add(&mut text, format_args!(", {} {}", words.values, values.join(", ")));
        }
        text
    }
}

/// A name as data: in back-quotes, as expressions quote it.
pub(super) fn name(name: &str) -> String {
    format!("`{}`", cut(&clean(name), LENGTH).replace('`', "'"))
}

/// A value as data.
pub(super) fn quoted(value: &str) -> String {
    format!("\"{}\"", cut(&clean(value), LENGTH).replace('"', "'"))
}

/// The words around the names.
struct Words {
    table: &'static str,
    rows: &'static str,
    time: &'static str,
    bars: &'static str,
    every: &'static str,
    seconds: &'static str,
    zone: &'static str,
    sessions: &'static str,
    series: &'static str,
    unit: &'static str,
    also: &'static str,
    values: &'static str,
}

impl Words {
    fn of(locale: Locale) -> Self {
        match locale {
            Locale::En => Self {
                table: "table",
                rows: "rows",
                time: "time",
                bars: "timeframe",
                every: "a row every",
                seconds: "s",
                zone: "clock of",
                sessions: "sessions",
                series: "series",
                unit: "unit",
                also: "also called",
                values: "values",
            },
            Locale::Ru => Self {
                table: "таблица",
                rows: "строк",
                time: "время",
                bars: "таймфрейм",
                every: "строка каждые",
                seconds: "с",
                zone: "часы",
                sessions: "сессии",
                series: "ряд",
                unit: "единица",
                also: "иначе",
                values: "значения",
            },
        }
    }
}
