//! Whatever passes the check runs: generated queries over generated tables. Nothing but the overflow
//! of an integer or a decimal may stop a checked query, and no check is so strict that nothing
//! passes. What was aggregated into one row is as many rows as its evidence has.
//!
//! A short run by default; `PINHOLE_QUERIES=20000 cargo test --test planning` for a long one.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test that reads an option"
)]

use pinhole::engine::{Engine, LoadedTable, Options};
use pinhole::error::{Code, Error, Locale};
use pinhole::query::check::{ResultKind, Timeframe};
use pinhole::query::functions::{self, Function, Gives, Stand, Takes};
use pinhole::query::{check_json, explain};
use pinhole::schema::{Column, Kind, Rule, TableSchema};
use pinhole::value::{Decimal, Table, Value};
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

/// A small generator of numbers (splitmix64): a failure names its seed.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

const KINDS: [Kind; 8] = [
    Kind::Int,
    Kind::Float,
    Kind::Bool,
    Kind::Text,
    Kind::Date,
    Kind::Timestamp,
    Kind::Decimal(2),
    Kind::Decimal(30),
];

const NUMBERS: [Kind; 4] = [Kind::Int, Kind::Float, Kind::Decimal(2), Kind::Decimal(30)];

fn cell(dice: &mut Dice, kind: Kind, row: i64) -> Value {
    if dice.one_in(6) {
        return Value::Null;
    }
    match kind {
        Kind::Int => Value::Int(dice.below(9) as i64 - 3),
        Kind::Float => Value::Float(dice.below(40) as f64 / 4.0 - 2.0),
        Kind::Decimal(scale) => {
            let digits = i128::from(dice.next() % 1000) - 300;
            Value::Decimal(Decimal::new(digits, 2).and_then(|d| d.rescale(scale)).expect("fits"))
        }
        Kind::Bool => Value::Bool(dice.one_in(2)),
        Kind::Text => Value::text(*dice.pick(&["a", "b", "Ёлка", "", "a b"])),
        Kind::Date => Value::Date(19_000 + (row / 3) as i32),
        Kind::Timestamp => Value::Timestamp((19_000 * 86_400 + row * 1_800) * 1_000_000),
    }
}

/// A table of none to forty rows; bars, a time column and series as it comes.
fn table(dice: &mut Dice) -> LoadedTable {
    let mut columns = Vec::new();
    for (i, kind) in KINDS.into_iter().enumerate() {
        for n in 0..dice.below(3) {
            columns.push(Column::new(format!("c{i}{n}"), kind));
        }
    }
    if !dice.one_in(3) {
        let kind = *dice.pick(&[Kind::Float, Kind::Decimal(2)]);
        for name in ["open", "high", "low", "close"] {
            columns.push(Column::new(name, kind));
        }
        if !dice.one_in(3) {
            let kind = *dice.pick(&NUMBERS);
            columns.push(Column::new("volume", kind));
        }
    }
    let time = dice.pick(&[None, Some(Kind::Date), Some(Kind::Timestamp)]);
    if let Some(kind) = time {
        columns.push(Column::new("when", *kind));
    }
    let series = dice.one_in(2);
    if series {
        columns.push(Column::new("name", Kind::Text));
    }
    if columns.is_empty() {
        columns.push(Column::new("only", Kind::Int));
    }
    let rows: Vec<Vec<Value>> = (0..dice.below(41) as i64)
        .map(|row| columns.iter().map(|c| cell(dice, c.kind, row)).collect())
        .collect();
    let mut schema = TableSchema::new("t", columns.clone());
    schema.time = time.map(|_| "when".into());
    schema.series = series.then(|| "name".into());
    for column in &columns {
        if column.kind.is_numeric() && dice.one_in(2) {
            let rules = [Rule::First, Rule::Last, Rule::Sum, Rule::Mean, Rule::Min, Rule::Max];
            schema.resample.push((column.name.clone(), *dice.pick(&rules)));
        }
    }
    LoadedTable::from_rows(schema, &Table { columns, rows }).expect("a table")
}

/// What an expression may hold and read.
#[derive(Clone, Copy)]
struct Place<'a> {
    columns: &'a [(String, Kind)],
    windows: bool,
    aggregates: bool,
}

fn literal(dice: &mut Dice, kind: Kind) -> String {
    match kind {
        Kind::Int => (dice.below(7) as i64 - 2).to_string(),
        Kind::Float => format!("{}.5", dice.below(5)),
        Kind::Decimal(_) => {
            let big = "12345678901234567890";
            dice.pick(&["0.25", "-1.5", "0.1234567890123456789", "3", big]).to_string()
        }
        Kind::Bool => dice.pick(&["true", "false"]).to_string(),
        Kind::Text => format!("\"{}\"", dice.pick(&["a", "b", "Mon", "zz"])),
        Kind::Date | Kind::Timestamp => "\"2022-01-11\"".into(),
    }
}

fn expr(dice: &mut Dice, kind: Kind, depth: usize, place: Place) -> String {
    let fitting: Vec<&(String, Kind)> = place.columns.iter().filter(|(_, k)| *k == kind).collect();
    if depth == 0 || dice.one_in(4) {
        return match fitting.is_empty() || (!kind.is_time() && dice.one_in(5)) {
            // A bare date is text: only a column or a call is one.
            true if kind.is_time() => "date()".into(),
            true => literal(dice, kind),
            false => format!("`{}`", dice.pick(&fitting).0),
        };
    }
    let sub = |dice: &mut Dice, kind| expr(dice, kind, depth - 1, place);
    let number = |dice: &mut Dice| *dice.pick(&NUMBERS);
    match (kind, dice.below(4)) {
        (Kind::Int | Kind::Float | Kind::Decimal(_), 0) => {
            let op = *dice.pick(&["+", "-", "*", "/", "//", "%", "**"]);
            let (a, b) = (number(dice), number(dice));
            format!("({} {op} {})", sub(dice, a), sub(dice, b))
        }
        (Kind::Bool, 0) => {
            let kind = *dice.pick(&KINDS);
            let op = *dice.pick(&["<", "<=", ">", ">=", "==", "!="]);
            let other = if kind.is_numeric() { number(dice) } else { kind };
            let right = if dice.one_in(2) { literal(dice, other) } else { sub(dice, other) };
            format!("({} {op} {right})", sub(dice, kind))
        }
        (Kind::Bool, 1) => {
            let op = *dice.pick(&["and", "or"]);
            format!("({} {op} not {})", sub(dice, Kind::Bool), sub(dice, Kind::Bool))
        }
        (Kind::Bool, 2) => {
            let kind = *dice.pick(&[Kind::Int, Kind::Text, Kind::Date, Kind::Decimal(2)]);
            let list = [literal(dice, kind), literal(dice, kind)].join(", ");
            format!("({} in [{list}])", sub(dice, kind))
        }
        _ => call(dice, kind, depth, place).unwrap_or_else(|| literal(dice, kind)),
    }
}

/// A call that may give `kind`.
fn call(dice: &mut Dice, kind: Kind, depth: usize, place: Place) -> Option<String> {
    let decimal = matches!(kind, Kind::Decimal(_));
    let may = |f: &&Function| {
        let stands = match f.stand {
            Stand::Row => true,
            Stand::Window => place.windows,
            Stand::Aggregate => place.aggregates,
        };
        let gives = match f.gives {
            // No function gives nothing but decimals: any number stands for one.
            Gives::Kind(gives) => gives == kind || decimal && gives.is_numeric(),
            Gives::Same(_) | Gives::Common(_) => true,
        };
        stands && gives
    };
    let all: Vec<&Function> = functions::all().filter(may).collect();
    let function = *all.get(dice.below(all.len()))?;
    Some(call_of(dice, function, kind, depth, place))
}

fn call_of(dice: &mut Dice, function: &Function, kind: Kind, depth: usize, place: Place) -> String {
    let inner =
        Place { aggregates: place.aggregates && function.stand != Stand::Aggregate, ..place };
    let (least, most) = function.arity();
    let most = most.unwrap_or(least + 2);
    let count = least + dice.below(most - least + 1);
    let args: Vec<String> = (0..count)
        .map(|i| {
            let Some(param) = function.params.get(i).or(function.params.last()) else {
                return "1".into();
            };
            let wanted = match param.takes {
                Takes::Any => match function.gives {
                    Gives::Same(n) if n == i => kind,
                    Gives::Common(from) if i >= from => kind,
                    _ => *dice.pick(&KINDS),
                },
                Takes::Number => *dice.pick(&NUMBERS),
                Takes::Bool => Kind::Bool,
                Takes::Text => Kind::Text,
                Takes::Time => *dice.pick(&[Kind::Date, Kind::Timestamp]),
                Takes::Clock => Kind::Timestamp,
                Takes::IntConst(least) => return (least + dice.below(4) as i64).to_string(),
                Takes::IntRange(least, most) => {
                    return (least + dice.below((most - least + 1) as usize) as i64).to_string();
                }
                Takes::NumberConst => return "1.5".into(),
                Takes::Fraction => return "0.25".into(),
                #[allow(unreachable_patterns, reason = "kinds of constants that families add")]
                _ => return "\"a.\"".into(),
            };
            expr(dice, wanted, depth - 1, inner)
        })
        .collect();
    format!("{}({})", function.name, args.join(", "))
}

/// One step over `columns`; the names of what it makes are not needed: the check says them.
fn step(dice: &mut Dice, columns: &mut Vec<(String, Kind)>) -> Map<String, Json> {
    let mut query = Map::new();
    let mut map = Map::new();
    for i in 0..dice.below(3) {
        let kind = *dice.pick(&KINDS);
        let place = Place { columns, windows: true, aggregates: dice.one_in(3) };
        let text = expr(dice, kind, 3, place);
        map.insert(format!("m{i}"), json!(text));
        columns.retain(|(name, _)| *name != format!("m{i}"));
        columns.push((format!("m{i}"), kind));
    }
    if !map.is_empty() {
        query.insert("map".into(), Json::Object(map));
    }
    if dice.one_in(2) {
        let place = Place { columns, windows: true, aggregates: dice.one_in(3) };
        query.insert("where".into(), json!(expr(dice, Kind::Bool, 2, place)));
    }
    let rows = Place { columns, windows: false, aggregates: false };
    if dice.one_in(2) {
        let keys: Vec<String> = (0..=dice.below(2))
            .map(|_| {
                let kind = *dice.pick(&KINDS);
                expr(dice, kind, 1, rows)
            })
            .collect();
        query.insert("group_by".into(), json!(keys));
    }
    if dice.one_in(2) {
        let aggregates: Vec<&Function> =
            functions::all().filter(|f| f.stand == Stand::Aggregate).collect();
        let mut select = Map::new();
        for i in 0..=dice.below(3) {
            let function = *dice.pick(&aggregates);
            let kind = *dice.pick(&KINDS);
            let mut text = call_of(dice, function, kind, 2, rows);
            if dice.one_in(5) {
                text = format!("{text} / count()");
            }
            select.insert(format!("s{i}"), json!(text));
        }
        query.insert("select".into(), Json::Object(select));
    }
    if dice.one_in(3) {
        let by = if query.contains_key("select") {
            "s0".to_owned()
        } else {
            format!("`{}`", dice.pick(columns).0)
        };
        query.insert("sort".into(), json!(format!("{by}{}", dice.pick(&["", " desc"]))));
    }
    if dice.one_in(3) {
        query.insert("limit".into(), json!(1 + dice.below(5)));
    }
    query
}

fn query(dice: &mut Dice, schema: &TableSchema) -> Json {
    let mut columns: Vec<(String, Kind)> =
        schema.columns.iter().map(|c| (c.name.clone(), c.kind)).collect();
    let mut query = Map::new();
    if dice.one_in(4) {
        let timeframe = *dice.pick(Timeframe::ALL);
        query.insert("from".into(), json!(timeframe.name()));
    }
    let grouped = |q: &Map<String, Json>| q.contains_key("select") || q.contains_key("group_by");
    let first = step(dice, &mut columns);
    let more = dice.one_in(4) && !grouped(&first);
    query.extend(first);
    if more {
        query.insert("steps".into(), json!([step(dice, &mut columns)]));
    }
    Json::Object(query)
}

#[test]
fn what_passes_the_check_runs() {
    let wanted = std::env::var("PINHOLE_QUERIES").ok().and_then(|n| n.parse().ok());
    let wanted: u64 = wanted.unwrap_or(400);
    let mut engine = Engine::new(Options::default()).expect("an engine");
    let mut passed = 0;
    let mut used = std::collections::BTreeSet::new();
    for seed in 0..wanted {
        let mut dice = Dice(seed);
        let schema = engine.insert(table(&mut dice)).expect("a table");
        for _ in 0..5 {
            let query = query(&mut dice, &schema);
            let Ok(checked) = check_json(&query, &engine.tables()) else { continue };
            passed += 1;
            for name in functions::names() {
                if query.to_string().contains(&format!("{name}(")) {
                    used.insert(name);
                }
            }
            assert!(!explain::explain(&checked, Locale::En).is_empty(), "{query}");
            let again = check_json(checked.canonical(), &engine.tables());
            let again = again.unwrap_or_else(|e| panic!("seed {seed}: {query} → {e:?}"));
            assert_eq!(again.canonical(), checked.canonical(), "seed {seed}: {query}");
            let kinds: Vec<Kind> = checked.output().iter().map(|o| o.column.kind).collect();
            match engine.start(&Arc::new(checked)).and_then(pinhole::engine::Execution::finish) {
                Ok(outcome) => {
                    for row in 0..outcome.rows.len() {
                        for (column, kind) in kinds.iter().enumerate() {
                            let value = outcome.value(row, column);
                            assert!(fits(&value, *kind), "seed {seed}: {query}: {value:?}");
                        }
                    }
                    if matches!(outcome.kind(), ResultKind::Scalar | ResultKind::Dict) {
                        let rows = engine.source_rows(&outcome.id, None, 0, 1);
                        match rows.and_then(pinhole::engine::Execution::finish) {
                            Ok(rows) => {
                                assert_eq!(
                                    rows.total, outcome.rows_matched,
                                    "seed {seed}: {query}"
                                );
                            }
                            // a column that no aggregate reads
                            Err(error) => {
                                assert!(overflow(&error), "seed {seed}: {query} → {error:?}");
                            }
                        }
                    }
                    engine.release(&outcome.id);
                }
                Err(error) => assert!(overflow(&error), "seed {seed}: {query} → {error:?}"),
            }
        }
    }
    let share = passed * 100 / (wanted * 5);
    assert!(share > 30, "only {share} % pass the check: too few to mean anything");
    let all = functions::names().count();
    assert!(wanted < 400 || used.len() * 10 > all * 9, "{} of {all} functions", used.len());
}

fn overflow(error: &Error) -> bool {
    let codes = [Code::IntegerOverflow, Code::DecimalOverflow];
    error.diagnostics().iter().all(|d| codes.contains(&d.code))
}

fn fits(value: &Value, kind: Kind) -> bool {
    match value {
        Value::Null => true,
        Value::Int(_) => kind.is_numeric(),
        Value::Float(x) => kind == Kind::Float && x.is_finite(),
        Value::Decimal(x) => kind == Kind::Decimal(x.scale()),
        Value::Bool(_) => kind == Kind::Bool,
        Value::Text(_) => kind == Kind::Text,
        Value::Date(_) | Value::Timestamp(_) => kind.is_time(),
    }
}
