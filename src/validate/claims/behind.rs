//! Groups that a limit left out of a result: the same query gives them without its limit.

use super::judge::{Finding, fact_key};
use super::lex::{Stems, sentences};
use super::read::Reading;
use super::recompute::{Recompute, Recomputed, holds, is_bad};
use super::world::World;
use super::{Context, findings};
use crate::error::{Locale, Span};
use crate::facts::Outcome;
use crate::query::Query;
use crate::query::check::ResultKind;
use crate::validate::{Claim, FactRef, Verdict};
use serde_json::json;

/// Of more groups than these only the first are asked for.
const MOST_GROUPS: usize = 100_000;

/// The query that gives the groups which a limit left out, with those that it kept. `None` where it
/// left none out, for statements of SQL and for several steps.
pub fn behind(evidence: &Outcome) -> Option<Query> {
    let query = &evidence.query;
    let rows = evidence.rows.len();
    let cut = evidence.rows_before_limit.is_some_and(|n| n > rows as u64);
    let own = query.sql().is_none() && query.steps().count() == 1;
    if !own || !cut || rows >= MOST_GROUPS || evidence.kind() != ResultKind::Grouped {
        return None;
    }
    let mut json = query.canonical().clone();
    json.as_object_mut()?.insert("limit".to_owned(), json!(MOST_GROUPS));
    Query::from_json(&json).ok()
}

/// Judges anew what a text says of groups that a limit left out, and gives the sentences that name
/// such groups, by result: they speak of no whole.
pub(super) fn of_groups(
    text: &str,
    outcomes: &[&Outcome],
    context: &Context,
    host: &dyn Recompute,
    found: &mut Vec<Finding>,
    noted: &mut Vec<Recomputed>,
) -> Vec<(String, Span)> {
    let mut named = Vec::new();
    for (at, evidence) in outcomes.iter().enumerate().rev() {
        if !found.iter().any(|f| is_bad(&f.claim)) {
            break;
        }
        let Some(query) = behind(evidence) else { continue };
        let Some(mut all) = host.run(evidence, &query) else { continue };
        all.id.clone_from(&evidence.id);
        let spans = naming(text, evidence, &all);
        if spans.is_empty() {
            continue;
        }
        let mut with: Vec<&Outcome> = outcomes.to_vec();
        with[at] = &all;
        for new in findings(text, &with, &[], context) {
            let claim = &new.claim;
            if !spans.iter().any(|span| holds(*span, claim.span)) {
                continue;
            }
            let of = |fact: &FactRef| fact.result == evidence.id;
            let about = claim.fact.iter().chain(&claim.operands).any(of);
            let apart = |f: &Finding| {
                f.claim.span.end <= claim.span.start || claim.span.end <= f.claim.span.start
            };
            let old = found.iter().position(|f| f.claim.span == claim.span);
            let better = match old.map(|old| &found[old].claim) {
                Some(old) if old.verdict == Verdict::Unverifiable => about,
                Some(old) => about && is_bad(old) && !is_bad(claim),
                // Who it was said of was not known.
                None => found.iter().all(apart),
            };
            if !better {
                continue;
            }
            if let Some(old) = old {
                found.remove(old);
            }
            let (span, row) = (claim.span, claim.fact.as_ref().and_then(|fact| fact.row));
            noted.retain(|other| other.span != span);
            noted.push(Recomputed { span, outcome: all.clone(), row });
            let claim = placed(new.claim, evidence, &all, context.locale);
            found.push(Finding { claim, why: new.why });
        }
        named.extend(spans.into_iter().map(|span| (evidence.id.clone(), span)));
    }
    found.sort_by_key(|f| f.claim.span.start);
    named
}

/// The sentences that name a group which only `all` has.
fn naming(text: &str, evidence: &Outcome, all: &Outcome) -> Vec<Span> {
    let stems = Stems::new();
    let world = World::new(&[all], text, &stems);
    let reading = Reading::new(text, &world, &stems);
    let Some(view) = world.views.first() else { return Vec::new() };
    let left_out = |n: usize| {
        reading.mentions.iter().filter(|m| reading.sentence(m.place) == n).any(|m| {
            m.axes.iter().filter_map(|axis| view.on_axis(axis)).any(|at| {
                let rows = view.rows_named(at, &m.name);
                !rows.is_empty() && rows.iter().all(|&row| place(evidence, all, row).is_none())
            })
        })
    };
    let spans = sentences(text).into_iter().enumerate();
    spans.filter(|(n, _)| left_out(*n)).map(|(_, span)| span).collect()
}

/// The row of `evidence` with the keys that row number `row` of `all` has.
fn place(evidence: &Outcome, all: &Outcome, row: usize) -> Option<usize> {
    let keys = evidence.keys();
    let same = |own: &usize| keys.iter().all(|&k| evidence.value(*own, k) == all.value(row, k));
    Some(row).filter(|row| *row < evidence.rows.len()).filter(same).or_else(|| {
        let mut rows = 0..evidence.rows.len();
        rows.find(same)
    })
}

/// A claim whose facts are where a person finds them: in the rows of the result, or in none.
fn placed(mut claim: Claim, evidence: &Outcome, all: &Outcome, locale: Locale) -> Claim {
    let shown = |fact: &mut FactRef| {
        let of = fact.row.filter(|_| fact.result == evidence.id);
        let Some(row) = of else { return false };
        fact.row = place(evidence, all, row);
        fact.row.is_none()
    };
    claim.operands.iter_mut().for_each(|fact| {
        shown(fact);
    });
    let Some(fact) = claim.fact.as_mut() else { return claim };
    if !shown(fact) {
        return claim;
    }
    if claim.verdict == Verdict::Verified {
        claim.verdict = Verdict::Derived;
    }
    let (column, key) = (fact.column.clone(), fact_key(fact));
    claim.formula.get_or_insert_with(|| match locale {
        Locale::En => format!("{column}[{key}], beyond the limit of the query"),
        Locale::Ru => format!("{column}[{key}], за пределом запроса"),
    });
    claim
}
