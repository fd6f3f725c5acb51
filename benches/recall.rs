//! Questions asked before: what is found again and what runs wrongly over the pairs of questions,
//! and the time that 50,000 records take: `cargo bench --bench recall`, or
//! `cargo xtask bench-recall`. An exact look-up under 1 ms, suggestions under 20 ms.
#![allow(
    missing_docs,
    dead_code,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "a program that measures and prints"
)]

#[path = "../tests/recall/measure.rs"]
mod measure;
#[path = "../tests/recall/pairs.rs"]
mod pairs;
#[path = "../tests/recall/speed.rs"]
mod speed;

use measure::{Store, measure};

const PAIRS: [(&str, &str); 2] = [
    ("tuning", include_str!("../tests/recall/pairs.txt")),
    ("set aside", include_str!("../tests/recall/set_aside.txt")),
];

fn main() {
    for (name, text) in PAIRS {
        let pairs = pairs::read(text);
        for store in [Store::Plain, Store::Words, Store::Crowded] {
            println!("{name:10} {store:?}: {}", measure(&pairs, store, |_| {}));
        }
    }
    println!();
    for line in speed::speed() {
        println!("{line}");
    }
}
