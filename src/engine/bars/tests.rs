//! Tests of bars: folding, series, trading days, sessions, changes of the clock.

use super::*;
use crate::engine::rows::ArrowRows;
use crate::engine::tables::{DAY_MICROS, LoadedTable};
use crate::schema::{Clock, Market};
use crate::value::{Rows, Table, Value};
use proptest::prelude::*;

/// Days and fractions, series, open high low close, volume, interest.
type Row<'a> = (Option<f64>, &'a str, [f64; 4], i64, Option<f64>);

/// Bars of `rows`, as text.
fn check(rows: &[Row<'_>], wanted: &[&str]) {
    let kinds = [
        ("time", Kind::Timestamp),
        ("symbol", Kind::Text),
        ("open", Kind::Float),
        ("high", Kind::Float),
        ("low", Kind::Float),
        ("close", Kind::Float),
        ("volume", Kind::Int),
        ("interest", Kind::Float),
        ("note", Kind::Float),
    ];
    let columns: Vec<Column> = kinds.iter().map(|(n, k)| Column::new(*n, *k)).collect();
    let mut schema = TableSchema::new("bars", columns.clone());
    schema.time = Some("time".into());
    schema.series = Some("symbol".into());
    schema.resample = vec![("interest".into(), Rule::Mean)];
    let rows = rows.iter().map(|(day, series, prices, volume, interest)| {
        let mut row = vec![
            day.map_or(Value::Null, |d| Value::Timestamp((d * DAY_MICROS as f64) as i64)),
            if series.is_empty() { Value::Null } else { Value::text(series) },
        ];
        row.extend(prices.map(Value::float));
        row.extend([Value::Int(*volume), interest.map_or(Value::Null, Value::Float)]);
        row.push(Value::Float(1.0));
        row
    });
    let table = Table { columns, rows: rows.collect() };
    let loaded = LoadedTable::from_rows(schema.clone(), &table).unwrap();
    let mut bars = Bars::new(&schema, &loaded.arrow, Timeframe::Daily, None).unwrap();
    for batch in &loaded.batches {
        // Row by row, so that bars cross batches.
        for row in 0..batch.num_rows() {
            bars.add(&batch.slice(row, 1)).unwrap();
        }
    }
    let columns: Vec<Column> = bars.parts.iter().map(|(c, _)| c.clone()).collect();
    let (_, batch) = bars.finish().unwrap();
    let rows = ArrowRows::new(columns, vec![batch]);
    let lines: Vec<String> = (0..rows.len())
        .map(|row| {
            let cells = (0..rows.columns().len()).map(|c| rows.value(row, c).to_string());
            cells.collect::<Vec<_>>().join(" ")
        })
        .collect();
    assert_eq!(lines, wanted);
}

#[test]
fn bars_fold_their_rows() {
    check(
        &[
            (Some(0.1), "A", [f64::NAN, 5.0, 2.0, 3.0], 10, Some(1.0)),
            (Some(0.2), "A", [4.0, 6.0, 1.0, 5.0], 20, Some(2.0)),
            (Some(0.9), "A", [5.0, 5.5, 4.0, f64::NAN], 30, None),
            (Some(2.0), "A", [7.0, 7.0, 7.0, 7.0], 1, None),
        ],
        &["1970-01-01 A 4 6 1 5 60 1.5", "1970-01-03 A 7 7 7 7 1 null"],
    );
}

#[test]
fn series_keep_apart_and_come_in_the_order_of_their_first_rows() {
    check(
        &[
            (Some(-0.5), "B", [1.0; 4], 1, None),
            (Some(-0.4), "A", [2.0; 4], 2, None),
            (Some(-0.3), "", [3.0; 4], 3, None),
            (Some(-0.2), "B", [4.0; 4], 4, None),
            (Some(0.0), "A", [5.0; 4], 5, None),
            (None, "A", [6.0; 4], 6, None),
        ],
        &[
            "1969-12-31 B 1 4 1 4 5 null",
            "1969-12-31 A 2 2 2 2 2 null",
            "1969-12-31 null 3 3 3 3 3 null",
            "1970-01-01 A 5 5 5 5 5 null",
        ],
    );
}

#[test]
fn no_rows_make_no_bars() {
    check(&[], &[]);
}

/// Rows of two instruments: minutes since 1970, which one, prices, volume.
type Minute = (i64, bool, i64, i64);

fn schema(market: Market) -> TableSchema {
    let kinds = [
        ("time", Kind::Timestamp),
        ("symbol", Kind::Text),
        ("open", Kind::Float),
        ("high", Kind::Float),
        ("low", Kind::Float),
        ("close", Kind::Float),
        ("volume", Kind::Int),
    ];
    let columns: Vec<Column> = kinds.iter().map(|(n, k)| Column::new(*n, *k)).collect();
    let mut schema = TableSchema::new("bars", columns);
    schema.time = Some("time".into());
    schema.series = Some("symbol".into());
    schema.market = market;
    schema
}

fn rows_of(minutes: &[Minute]) -> Table {
    let row = |&(minute, second, price, volume): &Minute| {
        let price = |add: i64| Value::Float((price + add) as f64);
        vec![
            Value::Timestamp(minute * 60_000_000),
            Value::text(if second { "B" } else { "A" }),
            price(0),
            price(2),
            price(-1),
            price(1),
            Value::Int(volume),
        ]
    };
    Table { columns: schema(Market::default()).columns, rows: minutes.iter().map(row).collect() }
}

/// The bars of a table in the order of their labels and series.
fn resampled(
    schema: &TableSchema,
    arrow: &SchemaRef,
    batches: &[RecordBatch],
    timeframe: Timeframe,
    session: Option<&Session>,
) -> (SchemaRef, RecordBatch) {
    let mut bars = Bars::new(schema, arrow, timeframe, session).unwrap();
    for batch in batches {
        bars.add(batch).unwrap();
    }
    bars.finish().unwrap()
}

fn cells(schema: &TableSchema, batch: RecordBatch) -> Vec<Vec<String>> {
    let rows = ArrowRows::new(schema.columns.clone(), vec![batch]);
    let columns = 0..rows.columns().len();
    let row = |row| columns.clone().map(|c| rows.value(row, c).to_string()).collect();
    let mut all: Vec<Vec<String>> = (0..rows.len()).map(row).collect();
    all.sort();
    all
}

proptest! {
    #[test]
    fn bars_of_bars_are_bars(
        start in -2_000_000i64..2_000_000,
        steps in proptest::collection::vec((0i64..700, any::<bool>(), 10i64..90, 0i64..50), 1..120),
        finer in 0usize..12,
        coarser in 0usize..12,
        day_start in 0u32..24,
        week_start in 0u8..7,
        in_session: bool,
    ) {
        let (Some(&fine), Some(&coarse)) = (Timeframe::ALL.get(finer), Timeframe::ALL.get(coarser))
        else { return Ok(()) };
        // A week holds no whole months, nor a month whole weeks.
        let nested = fine <= coarse && (fine != Timeframe::Weekly || coarse == fine);
        if !nested { return Ok(()) }
        let market = Market { day_start: Clock(day_start * 3600), week_start, ..Market::default() };
        let hours = Session { name: "s".into(), start: Clock(20 * 3600), end: Clock(9 * 3600) };
        let session = in_session.then_some(&hours);
        let schema = schema(market);
        let mut at = start;
        let minutes: Vec<Minute> = steps.iter().map(|&(step, b, price, volume)| {
            at += step;
            (at, b, price, volume)
        }).collect();
        let loaded = LoadedTable::from_rows(schema.clone(), &rows_of(&minutes)).unwrap();
        let direct = resampled(&schema, &loaded.arrow, &loaded.batches, coarse, session).1;
        let (arrow, middle) = resampled(&schema, &loaded.arrow, &loaded.batches, fine, session);
        let twice = resampled(&schema, &arrow, &[middle], coarse, None).1;
        prop_assert_eq!(cells(&schema, twice), cells(&schema, direct));
    }

    #[test]
    fn no_row_is_lost_and_none_counts_twice(
        steps in proptest::collection::vec((0i64..3000, any::<bool>(), 10i64..90, 0i64..50), 0..120),
        place in 0usize..12,
        day_start in 0u32..1440,
    ) {
        let Some(&timeframe) = Timeframe::ALL.get(place) else { return Ok(()) };
        let schema = schema(Market { day_start: Clock(day_start * 60), ..Market::default() });
        let mut at = 0;
        let minutes: Vec<Minute> = steps.iter().map(|&(step, b, price, volume)| {
            at += step;
            (at, b, price, volume)
        }).collect();
        let loaded = LoadedTable::from_rows(schema.clone(), &rows_of(&minutes)).unwrap();
        let made = resampled(&schema, &loaded.arrow, &loaded.batches, timeframe, None).1;
        let cells = cells(&schema, made);
        let total: i64 = cells.iter().map(|row| row[6].parse::<i64>().unwrap()).sum();
        prop_assert_eq!(total, minutes.iter().map(|m| m.3).sum::<i64>());
        let keys: std::collections::HashSet<_> = cells.iter().map(|row| &row[..2]).collect();
        prop_assert_eq!(keys.len(), cells.len());
    }
}
