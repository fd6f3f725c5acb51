//! Checks drafts against the results, and picks what the model is told of the findings.

use super::history::Found;
use super::texts;
use super::wholes::{Asker, Wanted, Wholes, id_of};
use crate::disclose::{Gate, Policy};
use crate::error::{Code, Diagnostic, Locale, Span};
use crate::facts::Outcome;
use crate::query::{Query, check as check_query};
use crate::schema::TableSchema;
use crate::tools::{Call, Handed};
use crate::validate::claims::Noted;
use crate::validate::{Check, Claim, Marked, Overall, Verdict, claims, render};
use crate::value::{Rows, Table, Value};
use std::cell::RefCell;
use std::sync::Arc;

/// The results that drafts are checked against.
#[derive(Default)]
pub(super) struct Evidence {
    pub outcomes: Vec<Arc<Outcome>>,
    /// Results of no rows, in place of those of queries that failed where the model must not hear of
    /// it: to the model they are results that it was not told.
    pub stand_ins: Vec<Arc<Outcome>>,
    /// Calls of tools for purchases that, as far as the model heard, gave results: where it hears
    /// nothing of one, it does not hear either whether it did.
    pub calls: Vec<Call>,
    /// What the results lack, as far as a draft spoke of it.
    pub wholes: Wholes,
    /// The results as far as the model knows them: those that a call may name.
    pub handed: Handed,
}

impl Evidence {
    /// True where, as far as the model hears of it, no query gave a result.
    pub(super) fn is_empty(&self) -> bool {
        self.outcomes.is_empty() && self.stand_ins.is_empty() && self.calls.is_empty()
    }
}

/// Checks the drafts of one question.
pub(super) struct Checker<'a> {
    outcomes: Vec<&'a Outcome>,
    stand_ins: Vec<&'a Outcome>,
    calls: &'a [Call],
    /// What the schema says; no fact of it is withheld from the model.
    about: Vec<&'a Outcome>,
    question: &'a str,
    locale: Locale,
    wholes: &'a Wholes,
    /// What the checks so far would have computed.
    wanted: RefCell<Vec<Wanted>>,
}

/// What the model has to hear of a draft, or what has to be computed before that is known.
pub(super) struct Findings {
    pub found: Vec<Found>,
    pub wanted: Vec<Wanted>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(
        evidence: &'a Evidence,
        about: &'a [Arc<Outcome>],
        question: &'a str,
        locale: Locale,
    ) -> Self {
        Self {
            outcomes: evidence.outcomes.iter().map(AsRef::as_ref).collect(),
            stand_ins: evidence.stand_ins.iter().map(AsRef::as_ref).collect(),
            calls: &evidence.calls,
            about: about.iter().map(AsRef::as_ref).collect(),
            question,
            locale,
            wholes: &evidence.wholes,
            wanted: RefCell::default(),
        }
    }

    /// What the checks asked for that has not been computed.
    pub(super) fn wanted(&self) -> Vec<Wanted> {
        self.wanted.take()
    }

    /// Fills in the references of a draft and checks the whole: the text, and what of it holds. A
    /// number that code put there is verified, unless it is said of something else.
    pub(super) fn filled(&self, draft: &str) -> (String, Check) {
        let rendered = render(draft, &self.outcomes, self.locale);
        let mut check = self.check(&rendered.text);
        if rendered.claims.is_empty() {
            return (rendered.text, check);
        }
        for claim in rendered.claims {
            let beside =
                |c: &Claim| c.span.end <= claim.span.start || claim.span.end <= c.span.start;
            let other = check.claims.iter().find(|c| !beside(c));
            let contradicted = other.is_some_and(|c| c.verdict == Verdict::Contradicted);
            // A sum of the rows that a limit left is one of everything only in other words.
            let cut = other.is_some_and(is_bad) && self.is_of_cut(&claim);
            if contradicted && claim.fact.is_some() || cut {
                continue;
            }
            check.claims.retain(beside);
            check.claims.push(claim);
        }
        check.claims.sort_by_key(|claim| claim.span.start);
        let bad = check.claims.iter().any(is_bad);
        check.verdict = if bad { Overall::Rewrite } else { Overall::Ok };
        (rendered.text, check)
    }

    /// True for a statistic of the rows that a limit left.
    fn is_of_cut(&self, claim: &Claim) -> bool {
        claim.fact.as_ref().filter(|fact| fact.row.is_none()).is_some_and(|fact| {
            let of = self.outcomes.iter().find(|outcome| outcome.id == fact.result);
            let cut = of.and_then(|o| o.rows_before_limit.map(|all| all > o.rows.len() as u64));
            fact.column.starts_with("stats.") && cut == Some(true)
        })
    }

    /// What is wrong with the references of a draft, as far as that says nothing of values that the
    /// policy withholds: whether a row is there is such a thing, whether a result has a column is not.
    /// Of a call that is withheld it would tell whether it failed.
    pub(super) fn wrong_references(&self, draft: &str, gate: &Gate) -> Vec<Diagnostic> {
        let withheld: Vec<&str> = self
            .calls
            .iter()
            .filter(|call| gate.withholds_call(&call.reads, &call.ids))
            .flat_map(|call| call.ids.iter().map(String::as_str))
            .collect();
        // Not even among the names that are offered in place of a wrong one.
        let told = |outcome: &&&Outcome| !withheld.contains(&outcome.id.as_str());
        let mut results: Vec<&Outcome> =
            self.outcomes.iter().filter(told).chain(&self.stand_ins).copied().collect();
        // The order of what is offered must not tell which of them failed.
        results.sort_by(|a, b| (a.id.len(), &a.id).cmp(&(b.id.len(), &b.id)));
        let rendered = render(draft, &results, self.locale);
        let unfilled = rendered.claims.iter().filter(|c| c.verdict == Verdict::Unverifiable);
        let open = !gate.withholds_some();
        let mut problems: Vec<Diagnostic> = unfilled
            .zip(rendered.issues)
            .filter(|(claim, _)| !names_any(&claim.text, &withheld))
            .filter(|(claim, issue)| open || is_plain(&claim.text, issue.code))
            .map(|(_, issue)| issue)
            .collect();
        problems.truncate(MOST_PROBLEMS);
        problems
    }

    /// Every claim of `text`, checked against the results. What they know nothing of may still be
    /// a plain fact about a table (its row count), where the sentence says which table it means.
    pub(super) fn check(&self, text: &str) -> Check {
        let outcomes = self.outcomes.as_slice();
        self.noted(text, &self.asker(outcomes, None), outcomes).check
    }

    fn asker<'b>(&'b self, outcomes: &'b [&'b Outcome], gate: Option<&'b Gate<'b>>) -> Asker<'b> {
        Asker { wholes: self.wholes, outcomes, gate, wanted: &self.wanted }
    }

    /// The same; `host` gives what `outcomes` lack.
    fn noted(&self, text: &str, host: &Asker, outcomes: &[&Outcome]) -> Noted {
        let mut noted = match (outcomes, self.about.as_slice()) {
            ([], [only]) => self.run(text, &[only], host),
            _ => self.run(text, outcomes, host),
        };
        let check = &mut noted.check;
        if !check.claims.iter().any(is_bad) {
            return noted;
        }
        for outcome in &self.about {
            let about = self.run(text, &[outcome], host).check;
            for claim in check.claims.iter_mut().filter(|c| is_bad(c)) {
                let same = |c: &&Claim| c.span == claim.span && c.verdict == Verdict::Verified;
                let alone = self.about.len() == 1 && claim.verdict == Verdict::Unverifiable;
                let meant = alone || self.names_only(text, claim.span, outcome);
                if let Some(verified) = about.claims.iter().find(same).filter(|_| meant) {
                    *claim = verified.clone();
                }
            }
        }
        if !check.claims.iter().any(is_bad) {
            check.verdict = Overall::Ok;
        }
        noted
    }

    /// True when the sentence around `span` names the table of `outcome` and no other.
    fn names_only(&self, text: &str, span: Span, outcome: &Outcome) -> bool {
        let sentence = claims::sentences(text)
            .into_iter()
            .find(|s| s.start <= span.start && span.end <= s.end)
            .and_then(|s| text.get(s.start..s.end))
            .unwrap_or_default()
            .to_lowercase();
        let names = |o: &Outcome| sentence.contains(&o.query.schema().name.to_lowercase());
        self.about.iter().all(|o| names(o) == (o.id == outcome.id))
    }

    fn run(&self, text: &str, outcomes: &[&Outcome], host: &Asker) -> Noted {
        let context = claims::Context { question: Some(self.question), locale: self.locale };
        claims::check_noting(text, outcomes, &context, host)
    }

    /// The text to show after the last draft.
    pub(super) fn deliver(&self, text: &str, check: &Check) -> Marked {
        without_references(claims::deliver(text, check, self.locale), self.locale)
    }

    /// What the model has to hear of a draft. It hears of a check against what it may know: were a
    /// claim about something withheld let pass where it is right, that would tell the value. For the
    /// same reason the schema and the question are those that the model sees, and nothing is computed
    /// that it could not be told, were it to ask.
    pub(super) fn findings(&self, text: &str, gate: &Gate) -> Findings {
        let known: Vec<Outcome> = self.outcomes.iter().filter_map(|o| gate.checkable(o)).collect();
        let about: Vec<Outcome> = self.about.iter().map(|o| gate.redacted(o)).collect();
        let question = gate.typed_by_person(self.question);
        let told = Checker {
            outcomes: known.iter().collect(),
            stand_ins: Vec::new(),
            calls: &[],
            about: about.iter().collect(),
            question: question.as_str(),
            // What is written for the model is in English.
            locale: Locale::En,
            wholes: self.wholes,
            wanted: RefCell::default(),
        };
        let text = self.known(text, &told.outcomes, !gate.withholds_some());
        let noted = told.noted(&text, &told.asker(&self.outcomes, Some(gate)), &told.outcomes);
        let bad = noted.check.claims.iter().filter(|c| is_bad(c));
        let found = bad.map(|c| self.found(c, &noted, &told.outcomes)).collect();
        Findings { found, wanted: told.wanted() }
    }

    /// What is wrong by a check that was made against all results, of which nothing is withheld.
    pub(super) fn all_found(&self, noted: &Noted) -> Vec<Found> {
        let bad = noted.check.claims.iter().filter(|claim| is_bad(claim));
        bad.map(|claim| self.found(claim, noted, &self.outcomes)).collect()
    }

    /// A draft as its author can know it: references filled in where every value is `open`, otherwise
    /// sentences with references left out.
    fn known(&self, draft: &str, outcomes: &[&Outcome], open: bool) -> String {
        if !draft.contains("{{") {
            return draft.to_owned();
        }
        let text = if open { render(draft, outcomes, self.locale).text } else { draft.to_owned() };
        let plain = |s: &&str| !s.contains("{{") && !s.contains("}}");
        let spans = claims::sentences(&text);
        let said = spans.iter().filter_map(|s| text.get(s.start..s.end)).filter(plain);
        said.collect::<Vec<_>>().join(" ")
    }

    /// `told` are the results as far as the model knows them.
    fn found(&self, claim: &Claim, noted: &Noted, told: &[&Outcome]) -> Found {
        let of = claim.fact.as_ref().map(|fact| fact.result.as_str());
        let is_own = |whole: &Outcome| of == Some(whole.id.as_str());
        let mut wholes = noted.recomputed.iter();
        let whole = wholes.find(|other| other.span == claim.span && is_own(&other.outcome));
        // The row of the groups that a limit left out, where it is of one.
        let behind = whole.and_then(|whole| whole.row);
        let fact = claim.fact.as_ref().and_then(|fact| {
            let outcome = if let Some(whole) = whole {
                let id = id_of(&fact.result, &whole.outcome);
                Outcome { id, ..whole.outcome.clone() }
            } else {
                let mut all = self.outcomes.iter().chain(&self.about);
                Outcome::clone(all.find(|o| o.id == fact.result)?)
            };
            Some((Arc::new(outcome), behind.or(fact.row), fact.column.clone()))
        });
        // What is made of one row is told as that row.
        let computed = claim.fact.as_ref().filter(|fact| fact.row.is_none() && behind.is_none());
        let computed = claim.formula.clone().zip(computed.map(|fact| fact.value.clone()));
        // Calls of tools for purchases have queries of code's own, not the model's.
        let own = |o: &&Outcome| {
            !self.calls.iter().any(|call| call.ids.contains(&o.id))
                && o.query.conditions().next().is_some()
        };
        let stale = noted.stale.contains(&claim.span);
        let condition = told.iter().rev().copied().find(own).filter(|_| stale);
        let condition = condition.and_then(|o| self.outcomes.iter().find(|own| own.id == o.id));
        let condition = condition.map(|outcome| Arc::new(Outcome::clone(outcome)));
        Found { words: claim.text.clone(), fact, computed, condition }
    }
}

/// Puts words in place of the references that could not be filled in.
fn without_references(marked: Marked, locale: Locale) -> Marked {
    let mut out = Marked::default();
    let mut at = 0;
    for mut claim in marked.claims {
        out.text.push_str(marked.text.get(at..claim.span.start).unwrap_or_default());
        at = claim.span.end;
        let start = out.text.len();
        if claim.text.starts_with("{{") {
            let words = texts::no_value().get(locale).to_owned();
            claim.replaced = Some(std::mem::replace(&mut claim.text, words));
        }
        out.text.push_str(&claim.text);
        claim.span = Span::new(start, out.text.len());
        out.claims.push(claim);
    }
    out.text.push_str(marked.text.get(at..).unwrap_or_default());
    out
}

/// Problems of references that a model is told of at once.
const MOST_PROBLEMS: usize = 8;

/// True for problems that lie in how a reference is written, whatever the results hold. In arithmetic
/// the first problem hides the others, so that which one it is may depend on a row.
fn is_plain(reference: &str, code: Code) -> bool {
    let simple = !reference.contains(['+', '-', '*', '/', '|', '('])
        && ![".first", ".last"].iter().any(|end| reference.contains(end));
    match code {
        Code::Syntax => true,
        Code::UnknownResult | Code::UnknownColumn => simple,
        _ => false,
    }
}

/// True where a reference names one of these results.
fn names_any(reference: &str, ids: &[&str]) -> bool {
    let mut words = reference.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.any(|word| ids.iter().any(|id| id.eq_ignore_ascii_case(word)))
}

pub(super) fn is_bad(claim: &Claim) -> bool {
    matches!(claim.verdict, Verdict::Contradicted | Verdict::Unverifiable)
}

/// What the schema says of each table, in the form of results: row count, first and last time.
pub(super) fn about(tables: &[Arc<TableSchema>], policy: &Policy) -> Vec<Arc<Outcome>> {
    tables.iter().filter_map(|table| about_table(table, policy)).collect()
}

fn about_table(table: &Arc<TableSchema>, policy: &Policy) -> Option<Arc<Outcome>> {
    let mut select = vec!["count()".to_owned()];
    let mut values = vec![Value::Int(i64::try_from(table.rows).ok()?)];
    let time = table.time.as_ref().filter(|time| !policy.protects(&table.name, time));
    if let (Some(time), Some((first, last))) = (time, &table.range) {
        select.extend(["min", "max"].map(|f| format!("{f}(`{}`)", time.replace('`', ""))));
        values.extend([first.clone(), last.clone()]);
    }
    let query = Query {
        table: Some(table.name.clone()),
        select: select.into_iter().map(Into::into).collect(),
        ..Query::default()
    };
    let query = Arc::new(check_query(&query, std::slice::from_ref(table)).ok()?);
    let columns = query.output().to_vec();
    let rows =
        Table { columns: columns.iter().map(|c| c.column.clone()).collect(), rows: vec![values] };
    Some(Arc::new(Outcome {
        id: format!("schema:{}", table.name),
        query,
        columns,
        rows: Arc::new(rows) as Arc<dyn Rows>,
        rows_scanned: table.rows,
        rows_matched: table.rows,
        rows_before_limit: None,
        warnings: Vec::new(),
    }))
}
