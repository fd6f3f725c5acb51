//! How well and how fast the claims check works: the share of each kind of false statement that it
//! catches, false alarms on true sentences, random numbers that pass, each beside a check that only
//! looks whether the number occurs somewhere in the result; then the time of one long answer.
//! `cargo bench --bench claims`, or `cargo xtask bench-claims`.
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a program that measures and prints"
)]

#[path = "../tests/claims/actual.rs"]
mod actual;
#[path = "../tests/claims/corpus.rs"]
mod corpus;
#[path = "../tests/claims/kinds.rs"]
mod kinds;
#[path = "../tests/claims/mutate.rs"]
mod mutate;
#[path = "../tests/claims/rates.rs"]
mod rates;
#[path = "../tests/claims/speed.rs"]
mod speed;

/// Random numbers for each of the two sets.
const RANDOM: usize = 10_000;

/// Runs of the timed check.
const RUNS: usize = 30;

/// Where the texts go for tests/reference/value_matching.py, as JSON lines.
const EXPORT: &str = "PINHOLE_CLAIMS_CASES";

fn main() {
    let tuned = [
        include_str!("../tests/claims/corpus.txt"),
        include_str!("../tests/claims/styles.txt"),
        include_str!("../tests/claims/adversarial.txt"),
        include_str!("../tests/claims/wide.txt"),
        include_str!("../tests/claims/chat.txt"),
        include_str!("../tests/claims/reports.txt"),
    ];
    let said_again = corpus::read(include_str!("../tests/claims/paraphrases.txt"));
    let sections: Vec<_> = tuned.iter().flat_map(|text| corpus::read(text)).collect();
    let tuned = rates::measure(&sections, RANDOM);
    println!("{}", rates::print("tuned on", &tuned));
    println!("{}", rates::print("paraphrases", &rates::measure(&said_again, RANDOM)));
    let held_out = corpus::read(include_str!("../tests/claims/heldout.txt"));
    let set_aside = rates::measure(&held_out, RANDOM);
    println!("{}", rates::print("set aside", &set_aside));
    println!(
        "The second column is a plain value match of our own: a number is right when some value \
         of the result, rounded as it is, equals it.\n"
    );
    if let Some(path) = std::env::var_os(EXPORT) {
        let mut lines = cases("tuned on", &sections, &tuned);
        lines.push_str(&cases("set aside", &held_out, &set_aside));
        std::fs::write(path, lines).expect("the cases are written");
    }

    let million = speed::evidence(1_000_000);
    let answer = speed::answer();
    let mut times: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = std::time::Instant::now();
            let found = speed::check(&answer, &million);
            let took = start.elapsed().as_secs_f64() * 1e3;
            assert!(found.claims.len() >= 40, "{} claims", found.claims.len());
            took
        })
        .collect();
    times.sort_by(f64::total_cmp);
    println!(
        "{} words, {} numbers, evidence of {} rows: median {:.1} ms of {RUNS} (target 50)",
        answer.split_whitespace().count(),
        speed::check(&answer, &million).claims.len(),
        million.rows.len(),
        times[RUNS / 2]
    );
}

/// The texts of a measurement as JSON lines, each with its rows.
fn cases(set: &str, sections: &[corpus::Section], rates: &rates::Rates) -> String {
    let mut out = String::new();
    for case in &rates.cases {
        let outcome = &sections[case.section].outcome;
        let names: Vec<&str> = outcome.columns.iter().map(|c| c.column.name.as_str()).collect();
        let rows: Vec<Vec<serde_json::Value>> = (0..outcome.rows.len())
            .map(|row| {
                (0..names.len())
                    .map(|column| match outcome.value(row, column) {
                        pinhole::value::Value::Null => serde_json::Value::Null,
                        value => value
                            .as_f64()
                            .map_or_else(|| value.to_string().into(), serde_json::Value::from),
                    })
                    .collect()
            })
            .collect();
        // Characters, as Python counts.
        let at = |byte: usize| case.text[..byte].chars().count();
        let line = serde_json::json!({
            "set": set, "kind": case.kind, "columns": names, "rows": rows, "text": case.text,
            "start": at(case.place.start), "end": at(case.place.end),
        });
        out.push_str(&line.to_string());
        out.push('\n');
    }
    out
}
