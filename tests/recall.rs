//! Questions asked before: the pairs of questions that score the look-up, and the cases of its
//! order, thresholds and rules of validity.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    missing_docs,
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test that prints a score"
)]

#[path = "recall/cases.rs"]
mod cases;
#[path = "recall/cosines.rs"]
mod cosines;
#[path = "recall/measure.rs"]
mod measure;
#[path = "recall/pairs.rs"]
mod pairs;
#[path = "recall/retell.rs"]
mod retell;
#[path = "recall/shapes.rs"]
mod shapes;

use measure::{Store, measure};
use pairs::{Pairs, read};
use sha2::{Digest, Sha256};

const PAIRS: &str = include_str!("recall/pairs.txt");
const SET_ASIDE: &str = include_str!("recall/set_aside.txt");

/// SHA-256 of the part that nothing is tuned on, as it was first committed.
const SET_ASIDE_SHA256: &str = "f004642b0e954aafe825503b7c5ce6d53af7f0e442b8dc0d4f746dce4dc207e3";

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |hex, b| hex + &format!("{b:02x}"))
}

#[test]
fn cosines_are_those_of_doubles() {
    cosines::check();
}

#[test]
fn the_part_set_aside_is_as_it_was_written() {
    assert_eq!(hex(&Sha256::digest(SET_ASIDE)), SET_ASIDE_SHA256);
}

#[test]
fn the_pairs_are_what_they_say() {
    let count = |sets: &[&Pairs], of: fn(&pairs::Group) -> usize| -> usize {
        sets.iter().flat_map(|s| &s.groups).map(of).sum()
    };
    let (tuning, aside) = (read(PAIRS), read(SET_ASIDE));
    let all = [&tuning, &aside];
    assert!(count(&all, |g| g.same.len()) >= 200);
    assert!(count(&all, |g| g.near.len()) >= 200);
    assert!(count(&[&aside], |g| g.same.len()) * 3 >= count(&all, |g| g.same.len()));
    assert!(count(&[&aside], |g| g.near.len()) * 3 >= count(&all, |g| g.near.len()));
    let russian = |g: &pairs::Group| {
        usize::from(g.question.chars().any(|c| ('\u{400}'..='\u{4ff}').contains(&c)))
    };
    assert_eq!(count(&all, russian) * 2, count(&all, |_| 1));
    assert!(all.iter().map(|s| s.tables.len()).sum::<usize>() >= 6);
    for kind in ["number", "direction", "column", "negated", "period"] {
        let of_kind = |s: &&Pairs| -> usize {
            s.groups.iter().flat_map(|g| &g.near).filter(|n| n.kind == kind).count()
        };
        assert!(all.iter().map(of_kind).sum::<usize>() >= 20, "{kind}");
    }
}

/// The least share of hits in a store with the questions asked before, with vectors or without, and
/// in one with all the near ones beside them.
const FLOOR: [(Store, f64); 3] =
    [(Store::Plain, 0.95), (Store::Words, 0.95), (Store::Crowded, 0.93)];
/// The least share of what asks the same that the built-in vectors find by themselves.
const NEAR: f64 = 0.18;
/// The greatest share of questions that the record of another one answers unasked.
const WRONG: f64 = 0.005;

/// `PINHOLE_PAIRS=1 cargo test --test recall -- --nocapture` lists what is not right yet (never of
/// the part set aside).
#[test]
fn what_asks_the_same_is_found_and_nothing_else_runs() {
    let listed = std::env::var("PINHOLE_PAIRS").is_ok();
    for (name, text) in [("tuning", PAIRS), ("set aside", SET_ASIDE)] {
        let pairs = read(text);
        for (store, floor) in FLOOR {
            let score = measure(&pairs, store, |line| {
                if listed && name == "tuning" {
                    println!("  {line}");
                }
            });
            println!("{name:10} {store:?}: {score}");
            assert!(score.wrong_share() <= WRONG, "{name} {store:?}: {score}");
            assert_eq!(score.overrated, 0, "{name} {store:?}: {score}");
            assert!(score.hit_share() >= floor, "{name} {store:?}: {score}");
            let least = if store == Store::Words { 0.0 } else { NEAR };
            assert!(score.near_share() >= least, "{name} {store:?}: {score}");
        }
    }
}

#[test]
fn the_cases_come_out_as_written() {
    let written = include_str!("recall/cases.txt");
    let out = cases::run(written);
    if std::env::var("UPDATE_GOLDEN").is_ok() {
        let path = "tests/recall/cases.txt";
        std::fs::write(path, &out).unwrap();
        return;
    }
    for (number, (written, out)) in written.lines().zip(out.lines()).enumerate() {
        assert_eq!(written, out, "line {}", number + 1);
    }
    assert_eq!(written.lines().count(), out.lines().count());
}
