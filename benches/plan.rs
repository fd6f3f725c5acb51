//! The built-in planner on the corpus, and its time a question over a wide table:
//! `cargo bench --bench plan`, or `cargo xtask bench-plan`. Under 5 ms a question natively.
#![allow(
    missing_docs,
    dead_code,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a program that measures and prints"
)]

#[path = "../tests/plans/calls.rs"]
mod calls;
#[path = "../tests/plans/corpus.rs"]
mod corpus;
#[path = "../tests/plans/meaning.rs"]
mod meaning;
#[path = "../tests/plans/parts.rs"]
mod parts;
#[path = "../tests/plans/score.rs"]
mod score;

use corpus::read;
use parts::{HELD_OUT, SET_ASIDE, TUNING};
use pinhole::planner::{Context, plan};
use pinhole::schema::{Column, Kind, TableSchema};
use score::{Score, score};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Rounds of the timed questions.
const ROUNDS: usize = 5;

/// Asked of the wide table, here and in Chromium.
const QUESTIONS: &str = include_str!("wide.json");

/// 200 columns; fifty of text with 200 values each.
fn wide() -> Arc<TableSchema> {
    let mut columns = vec![Column::new("day", Kind::Date)];
    let names = ["city", "region", "status", "shop", "product group"];
    for i in 0..50 {
        let name = format!("{} {i}", names[i % names.len()]);
        let mut column = Column::new(name, Kind::Text);
        column.values = Some((0..200).map(|v| format!("Value {v} of {i}")).collect());
        columns.push(column);
    }
    columns.extend((0..149).map(|i| Column::new(format!("amount {i}"), Kind::Float)));
    let mut schema = TableSchema::new("wide", columns);
    schema.rows = 1_000_000;
    schema.time = Some("day".into());
    Arc::new(schema)
}

fn milliseconds(times: &mut [u128]) -> (f64, f64) {
    times.sort_unstable();
    let median = times.get(times.len() / 2).copied().unwrap_or_default();
    (median as f64 / 1e6, times.last().copied().unwrap_or_default() as f64 / 1e6)
}

/// The scores of the corpus, and the time of its questions.
fn of_corpus() {
    let mut times = Vec::new();
    for (name, texts) in
        [("tuning", TUNING), ("held out", &[HELD_OUT][..]), ("set aside", &[SET_ASIDE])]
    {
        let mut sum = Score::default();
        for set in texts.iter().copied().flat_map(read) {
            let one = score(&set, |_, _, _| {});
            println!("{:10} {one}", set.schema.name);
            sum = sum.and(one);
            for case in &set.cases {
                let context = Context { previous: case.previous.as_ref(), ..Context::default() };
                let start = Instant::now();
                black_box(plan(&case.question, std::slice::from_ref(&set.schema), &context));
                times.push(start.elapsed().as_nanos());
            }
        }
        println!("{name:10} {sum}\n");
    }
    let (median, most) = milliseconds(&mut times);
    println!("time a question of the corpus: median {median:.2} ms, at most {most:.2} ms");
}

/// The time of questions over the wide table.
fn of_wide() {
    let tables = [wide()];
    let questions: Vec<String> = serde_json::from_str(QUESTIONS).expect("a list of questions");
    let mut times = vec![Vec::new(); questions.len()];
    for _ in 0..ROUNDS {
        for (question, times) in questions.iter().zip(&mut times) {
            let start = Instant::now();
            black_box(plan(question, &tables, &Context::default()));
            times.push(start.elapsed().as_nanos());
        }
    }
    println!("\nover 200 columns and 10,000 distinct values, {ROUNDS} times each:");
    for (question, times) in questions.iter().zip(&times) {
        let first = times.first().copied().unwrap_or_default() as f64 / 1e6;
        let (median, most) = milliseconds(&mut times.clone());
        println!("  first {first:.2} ms, median {median:.2}, at most {most:.2}: {question}");
    }
    let (median, most) = milliseconds(&mut times.concat());
    println!("  all: median {median:.2} ms, at most {most:.2} ms");
}

fn main() {
    // `cargo bench --bench plan -- --wide`
    if !std::env::args().any(|arg| arg == "--wide") {
        of_corpus();
    }
    of_wide();
}
