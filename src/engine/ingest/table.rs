//! From finished columns to a loaded table: units, the time column, the distance between rows,
//! and the report.

use super::column::{Finished, Settings, TimeHint};
use super::options::{DateOrder, Options, TimeColumn, escape};
use super::report::{ColumnReport, Note, NoteCode, Report};
use super::{Cast, Loaded, Parsed, Room, internal};
use crate::engine::interval::{interval, interval_within};
use crate::engine::local::LocalClock;
use crate::engine::tables::LoadedTable;
use crate::error::{Code, Diagnostic, Result, closest};
use crate::schema::{self, Kind, TableSchema};
use crate::value::Value;
use arrow::array::{Array, ArrayRef, AsArray, RecordBatch};
use arrow::datatypes::{
    Date32Type, Decimal128Type, Field, Float64Type, Int32Type, Int64Type, Schema,
    TimestampMicrosecondType,
};
use std::sync::Arc;

/// Names of time columns, the likelier first.
const TIME_NAMES: [&str; 7] = ["timestamp", "datetime", "date", "time", "ts", "дата", "время"];

/// Endings of names that tell a unit.
const UNIT_ENDINGS: [(&str, &str); 10] = [
    ("_pct", "%"),
    ("_percent", "%"),
    ("_usd", "USD"),
    ("_eur", "EUR"),
    ("_gbp", "GBP"),
    ("_rub", "RUB"),
    ("_kg", "kg"),
    ("_km", "km"),
    ("_ms", "ms"),
    ("_sec", "s"),
];

/// The end of a load, a column at a time: each takes as long as there are rows.
pub struct Ending {
    name: String,
    options: Options,
    settings: Settings,
    rows: u64,
    report: Report,
    /// The columns that are still to be finished.
    columns: std::vec::IntoIter<(String, Cast)>,
    names: Vec<String>,
    finished: Vec<Finished>,
    room: Room,
    /// Bytes of all columns.
    held: usize,
}

impl Ending {
    pub(super) fn begin(
        name: String,
        options: Options,
        parsed: Parsed,
        bytes: u64,
        compression: Option<&'static str>,
        room: Room,
    ) -> Result<Self> {
        let Parsed {
            format,
            bytes: own,
            encoding,
            dialect,
            mut columns,
            settings,
            rows,
            mut notes,
            bad_rows,
        } = parsed;
        let bytes = own.unwrap_or(bytes);
        columns.retain(|(name, _)| options.keeps(name));
        notes.retain(|note| note.column.as_ref().is_none_or(|name| options.keeps(name)));
        if !options.unheard.is_empty() {
            let names = options.unheard.join("`, `");
            notes.push(Note::new(
                NoteCode::OptionsUnheard,
                text!(
                    "rows go to a table as it was loaded: `{names}` of the options has no effect",
                    "строки добавляются в таблицу, как она была загружена: `{names}` в параметрах не действует"
                ),
            ));
        }
        let report = Report {
            format,
            compression,
            encoding,
            dialect,
            rows,
            bytes,
            notes,
            bad_rows,
            ..Report::default()
        };
        let names = Vec::with_capacity(columns.len());
        let finished = Vec::with_capacity(columns.len());
        let held = columns.iter().map(|(_, column)| column.held()).sum();
        room.hold(held)?;
        let columns = columns.into_iter();
        Ok(Self { name, options, settings, rows, report, columns, names, finished, room, held })
    }

    /// Decides the kind of the next column and builds it; whether there was another.
    ///
    /// # Errors
    /// Diagnostics about the file or the options.
    pub fn step(&mut self) -> Result<bool> {
        let Some((name, column)) = self.columns.next() else { return Ok(false) };
        let before = column.held();
        let mut column = finish(column, &name, &self.options, self.settings)?;
        self.held = self.held.saturating_sub(before) + column.memory as usize;
        self.room.hold(self.held)?;
        if self.rows > 0 {
            self.report.notes.append(&mut column.notes);
        }
        self.names.push(name);
        self.finished.push(column);
        Ok(true)
    }

    /// Builds the table and the report.
    ///
    /// # Errors
    /// Diagnostics about the file or the options.
    pub fn table(mut self) -> Result<Loaded> {
        while self.step()? {}
        let Self { name, options, rows, mut report, names, mut finished, room, .. } = self;
        let columns =
            names.iter().zip(&mut finished).map(|(n, f)| describe(n, f, &options)).collect();
        let mut schema = TableSchema::new(&name, columns);
        schema.rows = rows;
        schema.series.clone_from(&options.series);
        schema.synonyms.clone_from(&options.synonyms.table);
        schema.resample.clone_from(&options.resample);
        schema.market.clone_from(&options.market);
        check_resample(&schema)?;
        check_values(&schema)?;
        check_series(&schema)?;
        schema.time = time_column(&schema, &options, &mut report.notes)?;
        let time = names.iter().position(|n| Some(n) == schema.time.as_ref());
        if let Some(column) = time.and_then(|i| finished.get(i)) {
            let rows: usize = column.arrays.iter().map(Array::len).sum();
            room.has(rows * size_of::<i64>())?;
            let times = times(&column.arrays);
            let mut clock = schema.market.timezone.as_deref().and_then(LocalClock::of);
            let mut value = |micros: i64| match (column.kind, &mut clock) {
                (Kind::Date, _) => Value::Date(micros.div_euclid(DAY_MICROS) as i32),
                (_, Some(clock)) if column.utc => Value::Timestamp(clock.show(micros)),
                _ => Value::Timestamp(micros),
            };
            let series = schema.series.as_ref().and_then(|s| names.iter().position(|n| n == s));
            schema.interval = match series.and_then(|i| finished.get(i)) {
                Some(series) => interval_within(moments(&column.arrays), &series.arrays),
                None => interval(&times),
            };
            schema.range =
                times.first().zip(times.last()).map(|(first, last)| (value(*first), value(*last)));
        }

        let mut orders = finished.iter().filter_map(|f| f.order);
        report.dates =
            orders.next().filter(|first| orders.all(|o| o == *first)).map(DateOrder::name);
        report.decimal = finished.iter().any(|f| f.comma).then_some(',');
        report.time.clone_from(&schema.time);
        report.interval = schema.interval;
        report.range = schema.range.as_ref().map(|(a, b)| [a.to_string(), b.to_string()]);
        report.memory = finished.iter().map(|f| f.memory).sum();
        report.memory_per_row = (rows > 0).then(|| report.memory as f64 / rows as f64);
        for (column, f) in schema.columns.iter().zip(&finished) {
            report.columns.push(ColumnReport {
                name: column.name.clone(),
                kind: column.kind.name(),
                unit: column.unit.clone(),
                nulls: f.nulls,
                distinct: f.distinct,
            });
        }
        let utc = finished.iter().map(|f| f.utc).collect();
        let (arrow, batches) = batches(&names, finished)?;
        let table = LoadedTable::new(schema, arrow, batches).in_utc(utc).within(room);
        Ok(Loaded { table, report })
    }
}

const DAY_MICROS: i64 = 86_400_000_000;

fn finish(column: Cast, name: &str, options: &Options, settings: Settings) -> Result<Finished> {
    let column = match column {
        Cast::Written(column) => column,
        Cast::Typed(finished) => return Ok(*finished),
    };
    column.finish(name, settings, hint(name, options))
}

/// What a column's name or the caller says about its being a time.
pub(super) fn hint(name: &str, options: &Options) -> TimeHint {
    match &options.time {
        TimeColumn::Named(time) if time == name => TimeHint::Given,
        TimeColumn::None => TimeHint::No,
        _ if time_rank(name).is_some() => TimeHint::Name,
        _ => TimeHint::No,
    }
}

/// Where a name stands in the list of names of time columns.
fn time_rank(name: &str) -> Option<usize> {
    let name = name.to_lowercase();
    TIME_NAMES.iter().position(|n| *n == name)
}

fn describe(name: &str, finished: &mut Finished, options: &Options) -> schema::Column {
    let find = |list: &[(String, String)]| {
        list.iter().find(|(n, _)| n == name).map(|(_, value)| value.clone())
    };
    let mut column = schema::Column::new(name, finished.kind);
    column.unit = find(&options.units).or_else(|| finished.unit.map(str::to_owned));
    if column.unit.is_none() && column.kind.is_numeric() {
        column.unit = unit_of(name);
    }
    column.label = find(&options.labels);
    let synonyms = options.synonyms.columns.iter().find(|(n, _)| n == name);
    column.synonyms = synonyms.map(|(_, words)| words.clone()).unwrap_or_default();
    column.values = finished.values.take();
    let of_values = options.synonyms.values.iter().find(|(n, _)| n == name);
    column.value_synonyms = of_values.map(|(_, values)| values.clone()).unwrap_or_default();
    column.nulls = Some(finished.nulls);
    column.signed = finished.arrays.iter().any(goes_below_zero);
    column.fraction = !finished.arrays.is_empty() && finished.arrays.iter().all(is_fraction);
    column
}

/// Whether some number of an array is below zero.
pub(in crate::engine) fn goes_below_zero(array: &ArrayRef) -> bool {
    if let Some(floats) = array.as_primitive_opt::<Float64Type>() {
        floats.values().iter().any(|x| *x < 0.0)
    } else if let Some(whole) = array.as_primitive_opt::<Int32Type>() {
        whole.values().iter().any(|x| *x < 0)
    } else if let Some(whole) = array.as_primitive_opt::<Int64Type>() {
        whole.values().iter().any(|x| *x < 0)
    } else if let Some(exact) = array.as_primitive_opt::<Decimal128Type>() {
        exact.values().iter().any(|x| *x < 0)
    } else {
        false
    }
}

/// Whether the numbers of an array are parts of one: with a point, none below zero nor above one.
pub(in crate::engine) fn is_fraction(array: &ArrayRef) -> bool {
    if let Some(floats) = array.as_primitive_opt::<Float64Type>() {
        floats.iter().flatten().all(|x| (0.0..=1.0).contains(&x))
    } else if let Some(exact) = array.as_primitive_opt::<Decimal128Type>() {
        let scale = u32::try_from(exact.scale()).unwrap_or(0);
        let one = 10_i128.checked_pow(scale).filter(|_| scale > 0);
        one.is_some_and(|one| exact.iter().flatten().all(|x| (0..=one).contains(&x)))
    } else {
        false
    }
}

/// The unit in a name: `weight (kg)`, `price [USD]`, `change_pct`.
fn unit_of(name: &str) -> Option<String> {
    let name = name.trim();
    for (open, close) in [('(', ')'), ('[', ']')] {
        let inside = name.strip_suffix(close).and_then(|rest| rest.rsplit_once(open));
        if let Some((_, unit)) = inside {
            let unit = unit.trim();
            let short = (1..=12).contains(&unit.chars().count());
            let number = unit.chars().all(|c| c.is_ascii_digit());
            return (short && !number).then(|| unit.to_owned());
        }
    }
    let lower = name.to_lowercase();
    let ending = UNIT_ENDINGS.iter().find(|(ending, _)| lower.ends_with(ending));
    ending
        .map(|(_, unit)| (*unit).to_owned())
        .or_else(|| name.ends_with('%').then(|| "%".to_owned()))
}

/// Other words for values are those of texts: numbers and dates are read as such.
fn check_values(schema: &TableSchema) -> Result<()> {
    let wrong = schema.columns.iter().filter(|c| !c.value_synonyms.is_empty());
    let problems: Vec<Diagnostic> = wrong
        .filter(|c| c.kind != Kind::Text)
        .map(|c| {
            let (name, kind) = (&c.name, c.kind.name());
            let message = text!(
                "`{name}` is a column of kind {kind}; only values of text columns have synonyms",
                "`{name}` – столбец вида {kind}; синонимы бывают только у значений текстовых столбцов"
            );
            let at = format!("/synonyms/values/{}", escape(name));
            Diagnostic::new(Code::BadOption, message).at(at)
        })
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.into()) }
}

/// Rows are of one series each, and nothing tells lists apart.
fn check_series(schema: &TableSchema) -> Result<()> {
    let name = schema.series.as_deref().unwrap_or_default();
    match schema.column(name) {
        Some(column) if column.kind.is_list() => Err(Diagnostic::new(
            Code::BadOption,
            text!(
                "column `{name}` holds lists, which name no series",
                "столбец `{name}` состоит из списков, а они не называют ряд"
            ),
        )
        .at("/series")
        .into()),
        _ => Ok(()),
    }
}

fn check_resample(schema: &TableSchema) -> Result<()> {
    let wrong = |name: &str| schema.column(name).is_some_and(|c| !c.kind.is_numeric());
    let problems: Vec<Diagnostic> = schema
        .resample
        .iter()
        .filter(|(name, _)| wrong(name))
        .map(|(name, _)| {
            Diagnostic::new(
                Code::BadOption,
                text!("column `{name}` is not numeric", "столбец `{name}` не числовой"),
            )
            .at(format!("/resample/{}", escape(name)))
        })
        .collect();
    if problems.is_empty() { Ok(()) } else { Err(problems.into()) }
}

/// The time column: the one named, the only one, or the one with the likeliest name.
fn time_column(
    schema: &TableSchema,
    options: &Options,
    notes: &mut Vec<Note>,
) -> Result<Option<String>> {
    let times: Vec<&str> =
        schema.columns.iter().filter(|c| c.kind.is_time()).map(|c| c.name.as_str()).collect();
    match &options.time {
        TimeColumn::None => return Ok(None),
        // an empty table has no kinds to go by
        TimeColumn::Named(_) if schema.rows == 0 => return Ok(None),
        TimeColumn::Named(name) => {
            if times.contains(&name.as_str()) {
                return Ok(Some(name.clone()));
            }
            let kind = schema.column(name).map_or("", |c| c.kind.name());
            return Err(Diagnostic::new(
                Code::BadOption,
                text!(
                    "column `{name}` is {kind}, not a time",
                    "столбец `{name}` — {kind}, а не время"
                ),
            )
            .at("/time")
            .choices(closest(name, times, 5))
            .into());
        }
        TimeColumn::Detect => {}
    }
    if let [only] = times.as_slice() {
        return Ok(Some((*only).to_owned()));
    }
    let named = times
        .iter()
        .filter_map(|name| Some((time_rank(name)?, *name)))
        .min_by_key(|(rank, _)| *rank);
    if named.is_none() && !times.is_empty() {
        let list = times.join("`, `");
        notes.push(Note::new(
            NoteCode::SeveralTimeColumns,
            text!(
                "several columns hold times (`{list}`); none is taken for the table's time",
                "время есть в нескольких столбцах (`{list}`); временем таблицы не выбран ни один"
            ),
        ));
    }
    Ok(named.map(|(_, name)| name.to_owned()))
}

/// All times in microseconds, row by row.
fn moments(arrays: &[ArrayRef]) -> impl Iterator<Item = Option<i64>> + Clone {
    arrays.iter().flat_map(|array| {
        let days = array.as_primitive_opt::<Date32Type>();
        let moments = array.as_primitive_opt::<TimestampMicrosecondType>();
        let days = days.into_iter().flatten().map(|d| d.map(|day| i64::from(day) * DAY_MICROS));
        days.chain(moments.into_iter().flatten())
    })
}

/// All times in microseconds, in order.
fn times(arrays: &[ArrayRef]) -> Vec<i64> {
    let mut times = Vec::with_capacity(arrays.iter().map(|a| a.len() - a.null_count()).sum());
    for array in arrays {
        if let Some(dates) = array.as_primitive_opt::<Date32Type>() {
            times.extend(dates.iter().flatten().map(|day| i64::from(day) * DAY_MICROS));
        } else if let Some(moments) = array.as_primitive_opt::<TimestampMicrosecondType>() {
            if moments.null_count() == 0 {
                times.extend_from_slice(moments.values());
            } else {
                times.extend(moments.iter().flatten());
            }
        }
    }
    if !times.is_sorted() {
        times.sort_unstable();
    }
    times
}

/// Puts the columns together.
fn batches(names: &[String], finished: Vec<Finished>) -> Result<(Arc<Schema>, Vec<RecordBatch>)> {
    let fields: Vec<Field> = names
        .iter()
        .zip(&finished)
        .map(|(name, f)| {
            let kind = f.arrays.first().map_or_else(|| f.empty_type(), |a| a.data_type().clone());
            Field::new(name, kind, true)
        })
        .collect();
    let arrow = Arc::new(Schema::new(fields));
    let blocks = finished.iter().map(|f| f.arrays.len()).min().unwrap_or(0);
    let mut columns: Vec<_> = finished.into_iter().map(|f| f.arrays.into_iter()).collect();
    let mut batches = Vec::with_capacity(blocks);
    for _ in 0..blocks {
        let arrays = columns.iter_mut().filter_map(Iterator::next).collect();
        let batch = RecordBatch::try_new(arrow.clone(), arrays);
        batches.push(batch.map_err(|_| internal("columns of different lengths"))?);
    }
    Ok((arrow, batches))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_in_names() {
        for (name, unit) in [
            ("weight (kg)", Some("kg")),
            ("price [USD]", Some("USD")),
            ("change_pct", Some("%")),
            ("Share %", Some("%")),
            ("AMOUNT_EUR", Some("EUR")),
            ("sales (2020)", None),
            ("price", None),
            ("notes ()", None),
            ("a (a long remark on it)", None),
        ] {
            assert_eq!(unit_of(name).as_deref(), unit, "{name}");
        }
    }
}
