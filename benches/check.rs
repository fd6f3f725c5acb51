//! Time of reading and checking a query natively: the median of many runs, a line per query.
//! `cargo bench --bench check`; the target for a typical query is 50 µs.
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::print_stdout,
    reason = "a program that measures and prints"
)]

use pinhole::error::Locale;
use pinhole::query::complete::{Context, Field, NamesOnly, complete};
use pinhole::query::{Query, check_json, explain};
use pinhole::schema::{Column, Kind, TableSchema};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

/// Runs of one query.
const RUNS: usize = 2_000;

const QUERIES: [(&str, &str); 4] = [
    ("small", r#"{"where": "close > 100", "select": "count()"}"#),
    (
        "typical",
        r#"{"from": "daily", "map": {"gap": "gap()", "dow": "dayname()"}, "where": "gap > 50",
            "group_by": "dow", "select": "mean(gap), count()", "sort": "mean_gap desc", "limit": 3}"#,
    ),
    (
        "large",
        r#"{"from": "daily", "map": {
            "gap": "open - prev(close)", "up": "if(close > open, 1, 0)",
            "m5": "rolling_mean(close, 5)", "m20": "rolling_mean(close, 20)",
            "spread": "(m5 - m20) / m20 * 100", "inside": "inside_bar()",
            "size": "abs(close - open) / max_of(high - low, 0.01)", "month": "month()"
        }, "where": "spread > 1 and inside and (gap > 10 or gap < -10) and month in [1, 2, 3]",
            "group_by": ["month", "dayname()"],
            "select": {"n": "count()", "m": "mean(size)", "share": "pct(up == 1)", "r": "sum(gap) / count()"},
            "sort": ["m desc", "n"], "limit": 20}"#,
    ),
    ("wrong", r#"{"where": "Close > 1 and zzz = 2", "select": "avg(close.rolling(5).mean())"}"#),
];

fn bars() -> Arc<TableSchema> {
    let price = |name: &str| Column::new(name, Kind::Float).unit("USD");
    let mut schema = TableSchema::new(
        "bars",
        vec![
            Column::new("time", Kind::Timestamp),
            price("open"),
            price("high"),
            price("low"),
            price("close"),
            Column::new("volume", Kind::Int),
        ],
    );
    schema.time = Some("time".into());
    schema.interval = Some(60);
    schema.into()
}

/// The median time of one call in nanoseconds.
fn median(mut run: impl FnMut()) -> u128 {
    let mut times: Vec<u128> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            run();
            start.elapsed().as_nanos()
        })
        .collect();
    times.sort_unstable();
    times[RUNS / 2]
}

/// The processor, where the system says it.
fn machine() -> String {
    let cpus = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    let model = model.map_or("unknown processor", |(_, name)| name);
    format!("{model}, {cpus} cores, {}-{}", std::env::consts::ARCH, std::env::consts::OS)
}

fn main() {
    let profile = if cfg!(debug_assertions) { "not optimised" } else { "optimised" };
    println!("{}; {profile}; median of {RUNS} runs, ns", machine());
    let tables = [bars()];
    for (name, text) in QUERIES {
        let json: serde_json::Value = serde_json::from_str(text).expect("the query's JSON");
        let checked = median(|| drop(black_box(check_json(black_box(&json), &tables))));
        println!("{name}: parse and check {checked}");
        if let Ok(done) = check_json(&json, &tables) {
            let told = median(|| drop(black_box(explain::explain(black_box(&done), Locale::En))));
            println!("{name}: explain {told}");
        }
        let query = Query::from_json(&json).unwrap_or_default();
        let context = Context { tables: &tables, query: &query, step: 0, field: Field::Where };
        let text = query.filter.clone().unwrap_or_default();
        let done = median(|| {
            drop(black_box(complete::<NamesOnly>(black_box(&text), text.len(), &context)));
        });
        println!("{name}: complete {done}");
    }
}
