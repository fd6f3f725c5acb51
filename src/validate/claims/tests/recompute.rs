//! Claims about everything, where the evidence holds groups alone.

use super::super::recompute::{Later, Recompute, check_noting, check_with, whole};
use super::super::{Context, check};
use super::fixtures::{bars, f, outcome, weekdays};
use super::letter;
use crate::facts::Outcome;
use crate::query::Query;
use crate::query::check as check_query;
use serde_json::json;
use std::cell::Cell;
use std::sync::Arc;

/// A host that knows the mean over all rows, and counts what it is asked.
struct Host(Cell<usize>);

impl Recompute for Host {
    fn run(&self, evidence: &Outcome, query: &Query) -> Option<Outcome> {
        self.0.set(self.0.get() + 1);
        let checked = check_query(query, &[Arc::clone(evidence.query.schema())]).ok()?;
        assert!(checked.keys().is_empty() && checked.limit().is_none());
        let asked = json!({"from": "daily", "map": {"gap": "abs(open - prev(close))"},
            "where": "gap > 50", "select": "mean(gap)"});
        Some(outcome("x", bars(), &asked, vec![vec![f(64.17)]], 500, 80))
    }
}

#[test]
fn the_mean_of_everything_behind_means_of_groups() {
    let evidence = weekdays();
    for (text, expected, asked) in [
        // The mean of the five means is 62.47.
        ("The overall mean gap is 64.2.", vec![('d', "")], 1),
        ("The overall mean gap is 62.5.", vec![('c', "64.2")], 1),
        ("Across all days the mean gap is 64.17 points.", vec![('d', "")], 1),
        ("В целом средний гэп — 64,2.", vec![('d', "")], 1),
        ("Monday averaged 78.", vec![('v', "")], 0),
        ("Monday averaged 64.2.", vec![('c', "78.0")], 0),
        ("Monday leads. It averaged 64.2.", vec![('v', ""), ('c', "78.0")], 0),
    ] {
        let host = Host(Cell::new(0));
        let found = check_with(text, &[&evidence], &Context::default(), &host);
        let got: Vec<(char, &str)> = found
            .claims
            .iter()
            .map(|c| (letter(c.verdict), c.actual.as_deref().unwrap_or_default()))
            .collect();
        assert_eq!((got, host.0.get()), (expected, asked), "{text}");
        let bad = found.claims.iter().filter(|c| "cu".contains(letter(c.verdict))).count();
        assert_eq!(found.feedback.lines().count(), bad, "{text}: {}", found.feedback);
    }
}

/// Of two results the newest says what everything comes to; an older one may bear the claim out.
#[test]
fn of_two_results_the_newest_stands() {
    struct Two;
    impl Recompute for Two {
        fn run(&self, evidence: &Outcome, query: &Query) -> Option<Outcome> {
            let mean = if evidence.id == "r1" { 64.17 } else { 50.0 };
            let found = Host(Cell::new(0)).run(evidence, query)?;
            let query = found.query.canonical().clone();
            Some(outcome("x", bars(), &query, vec![vec![f(mean)]], 500, 80))
        }
    }
    let (older, mut newer) = (weekdays(), weekdays());
    newer.id = "r2".into();
    for (text, verdict, actual, result) in [
        ("The overall mean gap is 61.4.", 'c', "50.0", "r2"),
        ("The overall mean gap is 50.0.", 'd', "", "r2"),
        ("The overall mean gap is 64.2.", 'd', "", "r1"),
    ] {
        let found = check_noting(text, &[&older, &newer], &Context::default(), &Two);
        let claim = &found.check.claims[0];
        let fact = claim.fact.as_ref().expect("a fact");
        let got = (letter(claim.verdict), claim.actual.as_deref().unwrap_or_default());
        assert_eq!((got, fact.result.as_str()), ((verdict, actual), result), "{text}");
        let [(span, whole)] = found.recomputed.as_slice() else { panic!("{text}") };
        assert_eq!((*span, whole.id.as_str()), (claim.span, result), "{text}");
    }
}

#[test]
fn a_host_that_answers_later() {
    let evidence = weekdays();
    let text = "The overall mean gap is 64.2.";
    let context = Context::default();
    let mut host = Later::default();
    let before = check_with(text, &[&evidence], &context, &host);
    assert_eq!(before, check(text, &[&evidence], &context));
    let asked = host.asked();
    let [(id, query)] = asked.as_slice() else { panic!("{asked:?}") };
    let now = Host(Cell::new(0));
    host.answer(id.clone(), now.run(&evidence, query).expect("an answer"));
    let after = check_with(text, &[&evidence], &context, &host);
    assert_eq!(after, check_with(text, &[&evidence], &context, &now));
    assert_ne!(after, before);
    assert!(host.asked().is_empty());
}

#[test]
fn a_recomputed_fact_says_its_formula() {
    let evidence = weekdays();
    let text = "The overall mean gap is 64.2.";
    assert!(check(text, &[&evidence], &Context::default()).claims.iter().all(|c| c.fact.is_none()));
    let host = Host(Cell::new(0));
    let found = check_with(text, &[&evidence], &Context::default(), &host);
    let claim = &found.claims[0];
    assert_eq!(claim.formula.as_deref(), Some("mean_gap over all rows of the query"));
    assert!(claim.fact.as_ref().is_some_and(|f| f.result == "r1" && f.row.is_none()));
}

#[test]
fn what_is_asked_of_the_host() {
    let query = whole(&weekdays()).expect("groups lack the whole");
    assert!(check_query(&query, &[Arc::new(bars())]).is_ok());
    let scalar = outcome("r2", bars(), &json!({"select": "mean(close)"}), vec![vec![f(1.0)]], 9, 9);
    assert!(whole(&scalar).is_none());
}
