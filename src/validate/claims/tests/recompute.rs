//! Claims about everything, where the evidence holds groups alone.

use super::super::recompute::{Later, Recompute, check_noting, check_with, whole};
use super::super::{Context, check};
use super::fixtures::{bars, f, orders, outcome, shops, weekdays};
use super::letter;
use crate::facts::Outcome;
use crate::query::Query;
use crate::query::check as check_query;
use crate::value::Value;
use chrono::NaiveDate;
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
        let [whole] = found.recomputed.as_slice() else { panic!("{text}") };
        assert_eq!((whole.span, whole.outcome.id.as_str()), (claim.span, result), "{text}");
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
    host.answer(id.clone(), query.clone(), now.run(&evidence, query).expect("an answer"));
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

/// The five days with the most volume, of 500.
fn top_days() -> Outcome {
    let days =
        [(3, 900.0, 4.0), (9, 850.0, -1.5), (12, 800.0, 2.5), (18, 760.0, 3.0), (25, 700.0, 1.0)];
    let mut top = outcome(
        "r1",
        bars(),
        &json!({"from": "daily", "map": {"gain": "close - open"}, "sort": "-volume", "limit": 5,
            "columns": ["timestamp", "volume", "gain"]}),
        days.iter()
            .map(|(day, volume, gain)| {
                let date =
                    NaiveDate::from_ymd_opt(2024, 3, *day).and_then(|d| d.and_hms_opt(0, 0, 0));
                let date = date.map_or(Value::Null, Value::from_datetime);
                vec![date, Value::Int(*volume as i64), f(*gain)]
            })
            .collect(),
        500,
        500,
    );
    top.rows_before_limit = Some(500);
    top
}

/// A host that knows what all 500 days come to.
struct Days(Cell<usize>);

impl Recompute for Days {
    fn run(&self, evidence: &Outcome, query: &Query) -> Option<Outcome> {
        self.0.set(self.0.get() + 1);
        let checked = check_query(query, &[Arc::clone(evidence.query.schema())]).ok()?;
        assert!(checked.limit().is_none());
        let row = checked
            .output()
            .iter()
            .map(|c| match c.column.name.as_str() {
                "count" => Value::Int(500),
                "sum_volume" => Value::Int(120_000),
                "mean_volume" => f(240.0),
                "mean_gain" => f(0.75),
                "sum_gain" => f(375.0),
                _ => f(1.0),
            })
            .collect();
        Some(outcome("x", bars(), checked.canonical(), vec![row], 500, 500))
    }
}

/// What a limit left of a table bears out nothing that is said of everything.
#[test]
fn totals_and_means_behind_a_table_that_was_cut() {
    let top = top_days();
    for (text, alone, with_host) in [
        // 4010 is the sum of the five rows, 1.8 their mean.
        ("The total volume is 4,010.", 'u', ('c', "120,000")),
        ("The total volume is 120,000.", 'u', ('d', "")),
        ("The average gain is 1.80.", 'u', ('u', "")),
        ("The average gain is 0.75.", 'u', ('d', "")),
        // The word leaves open whether it is the sum: a wrong number is marked.
        ("Общий объём — 4 010.", 'u', ('u', "")),
        ("Общий объём — 120 000.", 'u', ('d', "")),
        ("Средний gain — 1,80.", 'u', ('u', "")),
        ("Средний gain — 0,75.", 'u', ('d', "")),
        ("Of the five, the average gain is 1.80.", 'v', ('v', "")),
        ("The top five days had a total volume of 4,010.", 'd', ('d', "")),
        ("Средний gain показанных дней — 1,80.", 'v', ('v', "")),
        ("On 3 March and 9 March together the volume was 1,750.", 'd', ('d', "")),
        ("The largest volume is 900.", 'v', ('v', "")),
    ] {
        let last = |check: &crate::validate::Check| {
            let claim = check.claims.last().unwrap_or_else(|| panic!("{text}"));
            (letter(claim.verdict), claim.actual.clone().unwrap_or_default())
        };
        assert_eq!(last(&check(text, &[&top], &Context::default())).0, alone, "{text}");
        let host = Days(Cell::new(0));
        let found = last(&check_with(text, &[&top], &Context::default(), &host));
        assert_eq!((found.0, found.1.as_str()), with_host, "{text}");
        assert_eq!(host.0.get() > 0, alone == 'u', "{text}");
    }
}

/// A host that knows the sum and the number of all orders.
struct Orders;

impl Recompute for Orders {
    fn run(&self, evidence: &Outcome, query: &Query) -> Option<Outcome> {
        let checked = check_query(query, &[Arc::clone(evidence.query.schema())]).ok()?;
        if !checked.keys().is_empty() {
            return None;
        }
        assert!(checked.limit().is_none());
        let row = vec![f(40_000.0), Value::Int(400)];
        Some(outcome("x", orders(), checked.canonical(), vec![row], 9000, 4120))
    }
}

#[test]
fn a_share_of_the_whole_behind_a_list_that_was_cut() {
    let mut top = outcome(
        "r1",
        orders(),
        &json!({"group_by": "shop", "select": "sum(amount), count()", "sort": "-sum_amount", "limit": 2}),
        vec![
            vec![Value::text("Kuper"), f(10_000.0), Value::Int(90)],
            vec![Value::text("Vkusno"), f(6000.0), Value::Int(70)],
        ],
        9000,
        4120,
    );
    top.rows_before_limit = Some(3);
    for (text, verdict, actual) in [
        ("Kuper accounts for 25 % of the total amount.", 'd', ""),
        ("Kuper and Vkusno together account for 40 % of the total amount.", 'd', ""),
        ("На Kuper приходится 25 % общей суммы.", 'd', ""),
    ] {
        let context = Context::default();
        assert_eq!(letter(check(text, &[&top], &context).claims[0].verdict), 'u', "{text}");
        let found = check_noting(text, &[&top], &context, &Orders);
        let claim = &found.check.claims[0];
        let got = (letter(claim.verdict), claim.actual.as_deref().unwrap_or_default());
        assert_eq!(got, (verdict, actual), "{text}");
        assert_eq!(found.recomputed.len(), 1, "{text}");
        let behind = claim.operands.last().expect("the whole");
        assert_eq!((behind.row, behind.value.as_f64()), (None, Some(40_000.0)), "{text}");
    }
    // Of the two that are shown it has 62.5 %.
    for text in [
        "Kuper accounts for 62.5 % of the total amount.",
        "На Kuper приходится 62,5 % общей суммы.",
    ] {
        let found = check_with(text, &[&top], &Context::default(), &Orders);
        assert_eq!(letter(found.claims[0].verdict), 'u', "{text}");
    }
    // A list that is whole needs nobody.
    let all = shops();
    let found = check_noting(
        "Kuper accounts for 32 % of the total.",
        &[&all],
        &Context::default(),
        &Orders,
    );
    assert!(found.recomputed.is_empty());
}
