//! What the evidence lacks and its query can still give: the mean over all rows behind the means of
//! groups, the total behind a list that was cut. The host runs the queries; this says which, and
//! reads the answers.

use super::behind::of_groups;
use super::judge::{Finding, Why};
use super::lex::{Stems, sentences};
use super::read::{Num, Reading};
use super::words::{AGGS, Agg, OF, OVERALL, SHARE, TOGETHER, TOTAL, find, has};
use super::world::{Measure, World};
use super::{Context, checked, findings};
use crate::error::{Locale, Span};
use crate::facts::Outcome;
use crate::query::Query;
use crate::query::check::ResultKind;
use crate::validate::{Check, Claim, Verdict};
use serde_json::{Value as Json, json};
use std::cell::RefCell;

/// Runs a query on the version of the table that a result came from.
pub trait Recompute {
    /// The outcome of `query`, which reads the rows that `evidence` came from. `None` where that
    /// version of the table is gone, or the query fails: the claim then stays unverifiable.
    fn run(&self, evidence: &Outcome, query: &Query) -> Option<Outcome>;
}

/// A host whose queries take their time: a check with it notes what it would ask, and a second one,
/// given the answers, reads them.
#[derive(Default)]
pub struct Later {
    asked: RefCell<Vec<(String, Query)>>,
    answers: Vec<(String, Query, Outcome)>,
}

impl Later {
    /// What was asked and has no answer: the id of the evidence, and the query.
    pub fn asked(&self) -> Vec<(String, Query)> {
        self.asked.take()
    }

    /// The answer to a query that was asked of this evidence.
    pub fn answer(&mut self, evidence: String, query: Query, outcome: Outcome) {
        self.answers.push((evidence, query, outcome));
    }
}

impl Recompute for Later {
    fn run(&self, evidence: &Outcome, query: &Query) -> Option<Outcome> {
        let same = |id: &str, other: &Query| id == evidence.id && other == query;
        if let Some((_, _, known)) = self.answers.iter().find(|(id, q, _)| same(id, q)) {
            return Some(known.clone());
        }
        let mut asked = self.asked.borrow_mut();
        if !asked.iter().any(|(id, q)| same(id, q)) {
            asked.push((evidence.id.clone(), query.clone()));
        }
        None
    }
}

/// The query that gives what the evidence lacks: the aggregates of the same rows without groups,
/// order and limit. `None` where nothing is lacking, for statements of SQL and for several steps.
pub fn whole(evidence: &Outcome) -> Option<Query> {
    let query = &evidence.query;
    if query.sql().is_some() || query.steps().count() != 1 {
        return None;
    }
    let cut = evidence.rows_before_limit.is_some_and(|n| n > evidence.rows.len() as u64);
    let mut json = query.canonical().clone();
    let object = json.as_object_mut()?;
    match evidence.kind() {
        ResultKind::Grouped => {}
        ResultKind::Table if cut => {
            let numeric = evidence.columns.iter().filter(|c| c.column.kind.is_numeric());
            let mut select = vec![json!("count()")];
            for c in numeric {
                let name = format!("`{}`", c.column.name.replace('`', ""));
                select.extend(["sum", "mean", "max", "min"].map(|f| json!(format!("{f}({name})"))));
            }
            object.insert("select".to_owned(), Json::Array(select));
        }
        _ => return None,
    }
    for part in ["group_by", "sort", "limit", "columns"] {
        object.remove(part);
    }
    Query::from_json(&json).ok()
}

/// Checks a text, and recomputes what it says of everything where the evidence cannot tell.
pub fn check_with(
    text: &str,
    outcomes: &[&Outcome],
    context: &Context,
    host: &dyn Recompute,
) -> Check {
    check_noting(text, outcomes, context, host).check
}

/// What a check found, and what it was found by.
pub struct Noted {
    /// The findings.
    pub check: Check,
    /// The claims that were judged by what the host computed.
    pub recomputed: Vec<Recomputed>,
    /// The claims that state another condition than the query had.
    pub stale: Vec<Span>,
}

/// What a claim was judged by.
pub struct Recomputed {
    /// The claim's place in the text.
    pub span: Span,
    /// What the host computed, under the id of the result that lacked it.
    pub outcome: Outcome,
    /// The row of it that the claim's fact is.
    pub row: Option<usize>,
}

/// [`check_with`], and what its verdicts rest on.
pub fn check_noting(
    text: &str,
    outcomes: &[&Outcome],
    context: &Context,
    host: &dyn Recompute,
) -> Noted {
    let mut found = findings(text, outcomes, &[], context);
    let mut noted: Vec<Recomputed> = Vec::new();
    let named = of_groups(text, outcomes, context, host, &mut found, &mut noted);
    let any_bad = found.iter().any(|f| is_bad(&f.claim));
    for evidence in outcomes.iter().rev().filter(|_| any_bad) {
        let mut open = of_everything(text, evidence);
        open.retain(|(span, _)| !named.iter().any(|(id, of)| *id == evidence.id && of == span));
        let meant = |c: &Claim| is_bad(c) && open.iter().any(|(s, _)| holds(*s, c.span));
        if !found.iter().any(|f| meant(&f.claim)) {
            continue;
        }
        let Some(query) = whole(evidence) else { continue };
        let Some(mut support) = host.run(evidence, &query) else { continue };
        support.id.clone_from(&evidence.id);
        let again = findings(text, &[&support], &[], context);
        for old in found.iter_mut().filter(|f| meant(&f.claim)) {
            let Some(new) = again.iter().find(|n| n.claim.span == old.claim.span) else { continue };
            let said = open.iter().any(|(s, overall)| *overall && holds(*s, old.claim.span));
            let verdict = new.claim.verdict;
            let better = matches!(verdict, Verdict::Verified | Verdict::Derived);
            // What the newest result comes to stands, unless an older one bears the claim out.
            let first = !noted.iter().any(|other| other.span == old.claim.span);
            let wrong = said && first && verdict == Verdict::Contradicted;
            if new.claim.fact.is_some() && (better || wrong) {
                let claim = recomputed(new.claim.clone(), context.locale);
                noted.retain(|other| other.span != claim.span);
                noted.push(Recomputed { span: claim.span, outcome: support.clone(), row: None });
                *old = Finding { claim, why: new.why.clone() };
            }
        }
    }
    shares(text, outcomes, context, host, &mut found, &mut noted);
    let stale = found.iter().filter(|f| f.why == Why::Stale).map(|f| f.claim.span).collect();
    Noted { check: checked(found, context), recomputed: noted, stale }
}

/// What a group has of the whole behind a list that was cut.
fn shares(
    text: &str,
    outcomes: &[&Outcome],
    context: &Context,
    host: &dyn Recompute,
    found: &mut [Finding],
    noted: &mut Vec<Recomputed>,
) {
    let cut = |o: &Outcome| o.rows_before_limit.is_some_and(|n| n > o.rows.len() as u64);
    for evidence in outcomes.iter().rev().filter(|o| o.kind() == ResultKind::Grouped && cut(o)) {
        let open = of_a_whole(text, evidence);
        let meant = |c: &Claim| is_bad(c) && open.iter().any(|s| holds(*s, c.span));
        if !found.iter().any(|f| meant(&f.claim)) {
            continue;
        }
        let Some(query) = whole(evidence) else { continue };
        let Some(mut support) = host.run(evidence, &query) else { continue };
        support.id.clone_from(&evidence.id);
        let again = findings(text, outcomes, &[&support], context);
        for old in found.iter_mut().filter(|f| meant(&f.claim)) {
            let Some(new) = again.iter().find(|n| n.claim.span == old.claim.span) else { continue };
            let share = new.claim.formula.as_deref().is_some_and(|f| f.ends_with("* 100"));
            let of = new.claim.fact.as_ref().is_some_and(|fact| fact.result == evidence.id);
            if share && of && new.claim != old.claim {
                let span = new.claim.span;
                noted.retain(|other| other.span != span);
                noted.push(Recomputed { span, outcome: support.clone(), row: None });
                *old = Finding { claim: new.claim.clone(), why: new.why.clone() };
            }
        }
    }
}

/// The sentences that state a share of a named group.
fn of_a_whole(text: &str, evidence: &Outcome) -> Vec<Span> {
    let stems = Stems::new();
    let world = World::new(&[evidence], text, &stems);
    let reading = Reading::new(text, &world, &stems);
    let spans = sentences(text);
    let asks = |n: usize| {
        let percent = |x: &Num| x.number.percent && reading.sentence(x.place) == n;
        reading.mentions.iter().any(|m| reading.sentence(m.place) == n)
            && reading.numbers.iter().any(|x| {
                percent(x)
                    && (reading.sentence_has(n, SHARE) || has(OF, &reading.tokens, x.tail + 1))
            })
    };
    spans.into_iter().enumerate().filter(|(n, _)| asks(*n)).map(|(_, span)| span).collect()
}

pub(super) fn is_bad(claim: &Claim) -> bool {
    matches!(claim.verdict, Verdict::Contradicted | Verdict::Unverifiable)
}

pub(super) fn holds(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// A fact of everything, with the formula that says so.
fn recomputed(mut claim: Claim, locale: Locale) -> Claim {
    if claim.verdict == Verdict::Verified {
        claim.verdict = Verdict::Derived;
    }
    if let Some(fact) = &mut claim.fact {
        fact.row = None;
        let column = &fact.column;
        claim.formula.get_or_insert_with(|| match locale {
            Locale::En => format!("{column} over all rows of the query"),
            Locale::Ru => format!("{column} по всем строкам запроса"),
        });
    }
    claim
}

/// The sentences that name no group of the evidence, and whether each says that it speaks of
/// everything. A sentence that points back to a named group is not among them.
fn of_everything(text: &str, evidence: &Outcome) -> Vec<(Span, bool)> {
    let stems = Stems::new();
    let world = World::new(&[evidence], text, &stems);
    let reading = Reading::new(text, &world, &stems);
    let cut = evidence.rows_before_limit.is_some_and(|n| n > evidence.rows.len() as u64);
    let mut out = Vec::new();
    for (n, span) in sentences(text).into_iter().enumerate() {
        if reading.mentions.iter().any(|m| reading.sentence(m.place) == n) {
            continue;
        }
        let sum = |i: usize| find(AGGS, &reading.tokens, i).is_some_and(|(a, _)| a == Agg::Sum);
        let overall = [OVERALL, TOTAL, TOGETHER]
            .into_iter()
            .any(|table| reading.sentence_has(n, table))
            || cut && (0..reading.tokens.len()).any(|i| reading.tokens[i].sentence == n && sum(i));
        if overall || !reading.sentence_has(n, super::words::BACK) {
            out.push((span, overall));
        }
    }
    let additive = |m: &Measure| m.additive();
    // Totals that the groups themselves give need no query.
    if evidence.rows_before_limit.is_none()
        && world.views.iter().all(|v| v.measures.iter().all(additive))
    {
        out.clear();
    }
    out
}
