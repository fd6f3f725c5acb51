//! Tests of the claims check: results to check against, tables of sentences, a mutation benchmark.

mod answers;
mod behind;
mod cases;
pub mod fixtures;
mod forms;
mod holders;
mod known;
mod meant;
mod mutation;
mod names;
mod orders;
mod overlooked;
mod places;
mod recompute;
mod robust;
mod rungs;
mod sides;
mod spared;
mod swapped;
mod truths;

use super::{Context, check};
use crate::facts::Outcome;
use crate::validate::{Check, Verdict};

/// What is expected of a claim: its words, the verdict (`v`, `d`, `c`, `u`) and the actual value.
type Expected<'a> = (&'a str, char, &'a str);

fn letter(v: Verdict) -> char {
    match v {
        Verdict::Verified => 'v',
        Verdict::Derived => 'd',
        Verdict::Contradicted => 'c',
        Verdict::Unverifiable => 'u',
    }
}

fn run(text: &str, outcomes: &[&Outcome]) -> Check {
    check(text, outcomes, &Context::default())
}

/// Checks every row of a table of sentences and lists all that differ.
fn check_cases(outcomes: &[&Outcome], cases: &[(&str, &[Expected])]) {
    let mut wrong = String::new();
    for (text, expected) in cases {
        let found = run(text, outcomes);
        let got: Vec<(String, char, String)> = found
            .claims
            .iter()
            .map(|c| (c.text.clone(), letter(c.verdict), c.actual.clone().unwrap_or_default()))
            .collect();
        let want: Vec<(String, char, String)> =
            expected.iter().map(|(t, v, a)| ((*t).to_owned(), *v, (*a).to_owned())).collect();
        if got != want {
            wrong = format!("{wrong}{text}\n   got {got:?}\n  want {want:?}\n");
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
