//! Claims about groups that a limit left out.

use super::super::recompute::{Recompute, check_noting, check_with};
use super::super::{Context, behind, check};
use super::fixtures::{f, orders, outcome, weekdays};
use super::letter;
use crate::facts::Outcome;
use crate::query::Query;
use crate::query::check as check_query;
use crate::value::Value;
use serde_json::{Value as Json, json};
use std::cell::Cell;
use std::sync::Arc;

const SHOPS: [(&str, f64, i64); 4] =
    [("Kuper", 10_000.0, 90), ("Vkusno", 6000.0, 70), ("Omega", 640.5, 12), ("Лента", 310.25, 9)];

fn query() -> Json {
    json!({"group_by": "shop", "select": "sum(amount), count()", "sort": "-sum_amount", "limit": 2})
}

fn shops(query: &Json, n: usize) -> Outcome {
    let row = |(shop, sum, n): &(&str, f64, i64)| vec![Value::text(shop), f(*sum), Value::Int(*n)];
    let mut found =
        outcome("r1", orders(), query, SHOPS.iter().take(n).map(row).collect(), 9000, 181);
    found.rows_before_limit = (n < SHOPS.len()).then_some(SHOPS.len() as u64);
    found
}

/// A host that has all shops, and what they come to.
struct Host(Cell<usize>);

impl Recompute for Host {
    fn run(&self, evidence: &Outcome, query: &Query) -> Option<Outcome> {
        let checked = check_query(query, &[Arc::clone(evidence.query.schema())]).ok()?;
        if checked.keys().is_empty() {
            let row = vec![f(16_950.75), Value::Int(181)];
            return Some(outcome("x", orders(), checked.canonical(), vec![row], 9000, 181));
        }
        self.0.set(self.0.get() + 1);
        Some(shops(checked.canonical(), SHOPS.len()))
    }
}

#[test]
fn a_group_that_a_limit_left_out_is_looked_up() {
    let top = shops(&query(), 2);
    for (text, alone, expected) in [
        ("Omega had 12 orders.", 'u', ('d', "")),
        ("Omega had 13 orders.", 'u', ('c', "12")),
        ("Omega's total amount was 640.5.", 'u', ('d', "")),
        // The values of another group, and of everything.
        ("Omega's total amount was 310.25.", 'u', ('c', "640.50")),
        ("Omega's total amount was 6,000.", 'u', ('c', "641")),
        ("Omega's total amount was 16,950.75.", 'u', ('c', "640.50")),
        ("Сумма Омега — 640,5.", 'u', ('u', "")),
        ("Сумма Omega — 640,5.", 'u', ('d', "")),
        ("У Omega было 13 заказов.", 'u', ('c', "12")),
        ("В магазине Лента 9 заказов.", 'u', ('d', "")),
        ("Kuper had 78 more orders than Omega.", 'u', ('d', "")),
        ("Kuper had 70 more orders than Omega.", 'u', ('u', "")),
        // Nobody has that one.
        ("Sigma had 12 orders.", 'u', ('u', "")),
        ("Kuper had 90 orders.", 'v', ('v', "")),
        ("Kuper had 91 orders.", 'c', ('c', "90")),
    ] {
        let last = |check: &crate::validate::Check| {
            let claim = check.claims.last().unwrap_or_else(|| panic!("{text}"));
            (letter(claim.verdict), claim.actual.clone().unwrap_or_default())
        };
        assert_eq!(last(&check(text, &[&top], &Context::default())).0, alone, "{text}");
        let host = Host(Cell::new(0));
        let found = last(&check_with(text, &[&top], &Context::default(), &host));
        assert_eq!((found.0, found.1.as_str()), expected, "{text}");
        assert_eq!(host.0.get() > 0, alone != 'v', "{text}");
    }
}

#[test]
fn its_fact_is_in_no_row_of_the_result() {
    let top = shops(&query(), 2);
    let host = Host(Cell::new(0));
    let found = check_noting("Omega had 13 orders.", &[&top], &Context::default(), &host);
    let claim = &found.check.claims[0];
    let fact = claim.fact.as_ref().expect("a fact");
    assert_eq!((fact.result.as_str(), fact.row, &fact.value), ("r1", None, &Value::Int(12)));
    assert_eq!(fact.key, [("shop".to_owned(), "Omega".to_owned())]);
    let formula = "count[shop=Omega], beyond the limit of the query";
    assert_eq!(claim.formula.as_deref(), Some(formula));
    assert_eq!(found.check.feedback, format!("- \"13\": {formula} is 12"));
    // Where it stands in what was computed.
    let [by] = found.recomputed.as_slice() else { panic!("one") };
    assert_eq!((by.outcome.rows.len(), by.row), (4, Some(2)));

    let text = "Kuper had 78 more orders than Omega.";
    let found = check_with(text, &[&top], &Context::default(), &host);
    let rows: Vec<_> = found.claims[0].operands.iter().map(|o| (o.row, &o.value)).collect();
    assert_eq!(rows, [(Some(0), &Value::Int(90)), (None, &Value::Int(12))]);
}

#[test]
fn the_ends_of_a_list_that_was_cut() {
    let top = shops(&query(), 2);
    for (text, expected) in [
        ("Лента had the lowest amount, 310.25.", "dd"),
        ("Omega had the lowest amount, 640.5.", "cc"),
    ] {
        let host = Host(Cell::new(0));
        let found = check_with(text, &[&top], &Context::default(), &host);
        let got: String = found.claims.iter().map(|c| letter(c.verdict)).collect();
        assert_eq!(got, expected, "{text}: {:?}", found.claims);
    }
}

#[test]
fn what_is_asked_of_the_host() {
    let asked = behind(&shops(&query(), 2)).expect("two are left out");
    assert_eq!(asked.limit, Some(100_000));
    assert!(check_query(&asked, &[Arc::new(orders())]).is_ok());
    assert!(behind(&weekdays()).is_none() && behind(&shops(&query(), 4)).is_none());
}
