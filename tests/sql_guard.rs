//! Random statements for the guard of SQL: broken, spliced and nested ones. Nothing panics or
//! overflows the stack, every refusal has a code of SQL, and nothing changes a table.
//!
//! A short run by default; `PINHOLE_FUZZ_SECONDS=600 cargo test --test sql_guard` for a long one,
//! which tells how many statements it tried.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "a test that reads an option and the clock, and counts its inputs"
)]

use pinhole::engine::{Engine, LoadedTable, Options};
use pinhole::error::Code;
use pinhole::schema::{Column, Kind, TableSchema};
use pinhole::value::{Table, Value};
use std::sync::Arc;
use std::time::{Duration, Instant};

const SEEDS: &str = include_str!("golden/sql.txt");

const WORDS: [&str; 48] = [
    "SELECT", "FROM", "t", "WHERE", "x", ">", "1", "(", ")", ",", "*", "WITH", "AS", "INSERT",
    "INTO", "DELETE", "UPDATE", "SET", "DROP", "TABLE", "COPY", "TO", "'out'", "UNION", "ALL",
    "JOIN", "ON", "GROUP", "BY", "ORDER", "LIMIT", "$1", ";", "--", "/*", "*/", "EXPLAIN", "OVER",
    "sum", "count", "VALUES", "HAVING", "OFFSET", "0", "\"x\"", "'", "\u{0}", "é",
];

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

fn engine() -> Engine {
    let columns = vec![Column::new("shop", Kind::Text), Column::new("x", Kind::Float)];
    let rows = vec![vec![Value::text("a"), Value::Float(1.5)], vec![Value::Null, Value::Null]];
    let schema = TableSchema::new("t", columns.clone());
    let table = LoadedTable::from_rows(schema, &Table { columns, rows }).expect("a table");
    let mut engine = Engine::new(Options::default()).expect("an engine");
    engine.insert(table).expect("room");
    engine
}

/// A statement of the golden cases with some of its words taken out, doubled, moved or replaced.
fn statement(dice: &mut Dice, seeds: &[Vec<&str>]) -> String {
    let mut words = seeds[dice.below(seeds.len())].clone();
    for _ in 0..dice.below(6) {
        let at = dice.below(words.len());
        match dice.below(5) {
            0 if !words.is_empty() => drop(words.remove(at)),
            1 if !words.is_empty() => words.insert(at, words[at]),
            2 if !words.is_empty() => {
                let other = dice.below(words.len());
                words.swap(at, other);
            }
            3 => words.extend(&seeds[dice.below(seeds.len())]),
            _ => words.insert(at.min(words.len()), WORDS[dice.below(WORDS.len())]),
        }
    }
    words.join(" ")
}

fn check(engine: &mut Engine, text: &str) {
    match engine.check_sql(text, &serde_json::Value::Null) {
        Ok(checked) => {
            // What passes is planned when it starts; it need not run to its end.
            if let Ok(mut execution) = engine.start(&Arc::new(checked)) {
                let _ = execution.step();
            }
        }
        Err(error) => {
            for diagnostic in error.diagnostics() {
                let known = matches!(
                    diagnostic.code,
                    Code::SqlSyntax
                        | Code::SqlNotReadOnly
                        | Code::SqlRejected
                        | Code::UnknownColumn
                        | Code::UnknownFunction
                        | Code::UnknownTable
                        | Code::TooLong
                        | Code::TooDeep
                );
                assert!(known, "{text}: {diagnostic}");
            }
        }
    }
}

#[test]
fn random_statements_are_run_or_refused() {
    let seeds: Vec<Vec<&str>> = SEEDS
        .split("## ")
        .map(|case| {
            let lines = case.lines().filter_map(|line| line.strip_prefix('$'));
            lines.flat_map(str::split_whitespace).collect::<Vec<_>>()
        })
        .filter(|words| !words.is_empty())
        .collect();
    let seconds = std::env::var("PINHOLE_FUZZ_SECONDS").ok().and_then(|s| s.parse().ok());
    let mut engine = engine();
    let before = engine.tables();
    let mut dice = Dice(0x5eed);
    let start = Instant::now();
    let mut tried = 0u64;
    while seconds.map_or(tried < 1_000, |s| start.elapsed() < Duration::from_secs(s)) {
        check(&mut engine, &statement(&mut dice, &seeds));
        tried += 1;
    }
    if seconds.is_some() {
        eprintln!("{tried} statements");
    }
    assert_eq!(engine.tables(), before);
}

/// Frames of an unoptimised build are many times those of a release: the thread has room for them.
#[test]
fn towers_of_statements_are_refused() {
    let thread = std::thread::Builder::new().stack_size(32 << 20).spawn(towers);
    thread.expect("a thread").join().expect("no tower panics");
}

fn towers() {
    let mut engine = engine();
    for (open, inner, close) in [
        ("SELECT (", "1", ")"),
        ("(", "SELECT 1", ")"),
        ("SELECT * FROM (", "SELECT 1", ") AS a"),
        ("SELECT 1 WHERE NOT ", "true", ""),
        ("SELECT -", "1", ""),
        ("SELECT CASE WHEN true THEN ", "1", " END"),
        ("SELECT 1 + ", "1", ""),
        ("SELECT 1 UNION ALL ", "SELECT 1", ""),
    ] {
        for depth in [10, 40, 60, 200, 1_000] {
            let repeated = open.strip_prefix("SELECT ").filter(|_| inner == "1");
            let text = match repeated {
                Some(piece) => {
                    format!("SELECT {}{inner}{}", piece.repeat(depth), close.repeat(depth))
                }
                None => format!("{}{inner}{}", open.repeat(depth), close.repeat(depth)),
            };
            check(&mut engine, &text);
        }
    }
}
