//! Every task of the project behind one command: `cargo xtask <task>`.
//!
//! Each task installs what it lacks (and says what and why first), prints what it is doing, and how
//! long it took.

mod build;
mod lint;
mod serve;
mod setup;
mod shell;
mod tests;

use build::Profile;
use shell::Outcome;
use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <task>

  demo            build the page with its engine and serve it   [--port N] [--no-serve]
  test            run every test: native, browser, package, page   [native|wasm|package|e2e ...]
  lint            formatting and lints of Rust and TypeScript
  package         build the npm tarball (release profile, wasm-opt) and try it   [--quick]
  bench           compare with DuckDB-Wasm, arquero and sql.js in the same browser   [--quick] [--rounds N]
                  --big: a CSV of a gigabyte instead, time and memory
  bench-bars      the same for bars: sessions, timeframes, windows   [--quick] [--rounds N]
  bench-stretch   how long the worker takes no message, and how soon after a cancel   [--quick] [--rounds N]
  bench-tools     the tools for purchases over a million and a half lines   [--quick] [--rounds N]
  bench-profile   where the time of the questions goes, by function
  bench-check     reading and checking a query, natively
  bench-plan      the planner's score on the corpus and its time a question, natively and in Chromium   [--quick] [--rounds N]
  bench-cost      the tokens that a conversation of twenty questions sends, in Chromium
  bench-claims    what the check of answers catches, natively, and how fast, there and in Chromium   [--quick] [--runs N]
  bench-recall    which questions asked before are found again, and how fast, natively and in Chromium   [--quick] [--rounds N]
  bench-purchases how far predictions of purchases are off, beside the naive rule, natively   [FOLDER ...]
  bench-page      the page with a CSV of 100 MB: times, and what blocks its main thread; a table that is scrolled   [--quick] [--rounds N]
  bench-bundle    the size of the elements in a page, by what comes first
  doctor          say what is installed and what is missing
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let rest = args.get(1..).unwrap_or_default();
    let done = match args.first().map(String::as_str) {
        Some("demo") => serve::demo(rest),
        Some("test") => tests::run(rest),
        Some("lint") => lint::run(),
        Some("package") => build::publishable(Profile::from_args(rest, Profile::Release)),
        Some("bench") if rest.iter().any(|a| a == "--big") => {
            tests::bench("big.mjs", rest, Profile::Release)
        }
        Some("bench") => tests::bench("bench.mjs", rest, Profile::Release),
        Some("bench-bars") => tests::bench("bars.mjs", rest, Profile::Release),
        Some("bench-stretch") => tests::bench("stretch.mjs", rest, Profile::Release),
        Some("bench-tools") => tests::bench("tools.mjs", rest, Profile::Release),
        Some("bench-profile") => tests::bench("profile.mjs", rest, Profile::Named),
        Some("bench-check") => tests::bench_check(),
        Some("bench-plan") => tests::bench_plan(rest),
        Some("bench-cost") => tests::bench_cost(),
        Some("bench-claims") => tests::bench_claims(rest),
        Some("bench-recall") => tests::bench_recall(rest),
        Some("bench-purchases") => tests::bench_purchases(rest),
        Some("bench-page") => tests::bench("journey.mjs", rest, Profile::Release),
        Some("bench-bundle") => tests::bench_bundle(),
        Some("doctor") => {
            setup::doctor();
            Ok(())
        }
        Some("help" | "--help" | "-h") | None => {
            print!("{HELP}");
            Ok(())
        }
        Some(other) => Err(format!("unknown task `{other}`\n\n{HELP}").into()),
    };
    report(done)
}

fn report(done: Outcome<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("\nxtask: {error}");
            ExitCode::FAILURE
        }
    }
}
