//! Questions asked before, as JavaScript holds them: sets of records by number. The page keeps the
//! records on the device, runs what is found and tells here what came of it.

use super::calls::kept_script;
use super::chat::{self, ChatHost, Outgoing};
use super::convert::{Host, diagnostic, fault, json, object, options};
use super::session::Session;
use crate::chat::{
    answer_by_template, answer_in_words, claims_json, leaving, masked, no_ledger, refused,
};
use crate::disclose::Gate;
use crate::error::{Code, Diagnostic, Error, Result};
use crate::facts::Outcome;
use crate::planner;
use crate::recall::{
    Answer, Asked, Before, Change, Edit, Ending, Found, Kept, Kind, Lacking, LastResult, Later,
    Recall, Record, Scope, Settings, after, alone, carries, dated, referring, retold,
};
use crate::summary::{Options, summarise};
use crate::validate::Marked;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// The sets of records by number.
#[derive(Default)]
pub(super) struct Recalls {
    open: RefCell<HashMap<u32, Recall>>,
    last: Cell<u32>,
    /// What was loaded at the last look-up: reading the names of all tables takes longer than it.
    scope: RefCell<Rc<Scope>>,
}

/// How a set is opened.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct RecallOptions {
    settings: Option<Json>,
    /// The name of an embedder of the page.
    embedder: Option<String>,
}

/// What is to be kept of a question.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct KeptQuestion {
    question: String,
    kind: String,
    script: String,
    by_model: bool,
    /// What a call says of days was counted from the day that counts as today.
    of_today: bool,
    /// How things stood when it was asked, of what stands on them.
    since: Option<String>,
    /// What was asked before it, where it answers the question after these alone.
    after: Option<String>,
    is_valid: bool,
    vector: Option<Vec<f32>>,
}

/// What a person changes.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct EditOptions {
    script: Option<String>,
    is_valid: Option<bool>,
}

/// How suggestions are asked for.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct SuggestOptions {
    limit: Option<usize>,
    threshold: Option<f64>,
}

/// How a run ended.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct Ended {
    /// `answered`, `failed` or `clarify`.
    ending: String,
    /// The result of one that was answered; of a call, its list.
    result: Option<String>,
    /// The totals of a call.
    totals: Option<String>,
    /// All results of several calls, in place of these.
    results: Vec<String>,
    human: String,
    cached: bool,
    /// What a model answered with `human`: its words are kept for later results.
    question: Option<String>,
}

#[wasm_bindgen]
impl Session {
    /// Opens a set without records; its number.
    pub fn recall_open(&self, given: &JsValue) -> Result<u32, JsValue> {
        let given: RecallOptions = options(given)?;
        let settings = match &given.settings {
            Some(settings) => {
                Settings::from_json(settings).map_err(|p| self.fault(&Error::Input(p)))?
            }
            None => Settings::default(),
        };
        let mut recall = Recall::new(settings);
        if let Some(name) = given.embedder {
            recall = recall.with_embedder(name);
        }
        let number = self.recalls().last.get() + 1;
        self.recalls().last.set(number);
        self.recalls().open.borrow_mut().insert(number, recall);
        Ok(number)
    }

    /// Lets a set go.
    pub fn recall_close(&self, recall: u32) {
        self.recalls().open.borrow_mut().remove(&recall);
    }

    /// Takes in what the device has: records, and numbers of those that went. How many records could
    /// not be read.
    pub fn recall_take_in(
        &self,
        recall: u32,
        records: &JsValue,
        gone: Vec<f64>,
    ) -> Result<u32, JsValue> {
        let records = json(records);
        self.in_recall(recall, |recall| {
            let mut unread = 0;
            for record in records.as_array().into_iter().flatten() {
                match Record::from_json(record) {
                    Ok(record) => recall.take_in(Change::Put(Box::new(record))),
                    Err(_) => unread += 1,
                }
            }
            for id in gone {
                recall.take_in(Change::Delete(id as u64));
            }
            Ok(unread)
        })
    }

    /// Looks a question up.
    pub fn recall_ask(
        &self,
        recall: u32,
        context: &str,
        question: &str,
        vector: Option<Vec<f32>>,
        after: Option<String>,
    ) -> Result<JsValue, JsValue> {
        let scope = self.scope();
        let (vector, after) = (vector.as_deref(), after.as_deref());
        let asked = Asked { context_code: context, question, vector, after };
        self.in_recall(recall, |recall| {
            let Answer { found, unfit } = recall.ask(asked, &scope);
            let mut out = match found {
                Found::Run { id, by, recheck } => {
                    let record = recall.get(context, id).map(Record::to_json);
                    json!({"found": "run", "by": by, "recheck": recheck, "record": record})
                }
                Found::Suggest(list) => {
                    let mut out = json!(list);
                    out["found"] = json!("suggest");
                    out
                }
                Found::Nothing => json!({"found": "nothing"}),
            };
            if scope.wants_rows() {
                out["unread"] = json!(true);
            }
            out["unfit"] = unfit
                .iter()
                .map(|unfit| {
                    let problems = unfit.problems.iter();
                    let problems = problems.map(|d| diagnostic(d, &Json::Null, self.language()));
                    json!({"id": unfit.id, "diagnostics": problems.collect::<Vec<_>>()})
                })
                .collect();
            Ok(object(&out))
        })
    }

    /// Whether a question means the same after any other, over the tables as they are.
    pub fn recall_alone(&self, question: &str) -> bool {
        alone(question, &self.scope())
    }

    /// What of an answer the question does not say: whether anything may be carried over from what was
    /// `before` it, where that is known, and whether there is a day or a period of now.
    pub fn recall_unsaid(
        &self,
        question: &str,
        answered: &str,
        script: &str,
        before: &JsValue,
    ) -> Result<JsValue, JsValue> {
        let scope = self.scope();
        let kind = kind(answered).map_err(|e| self.fault(&e))?;
        let before: Option<Before> = options(before)?;
        let carried =
            !alone(question, &scope) || carries(question, kind, script, &scope, before.as_ref());
        let dated = dated(question, kind, script, &scope);
        Ok(object(&json!({"carried": carried, "dated": dated})))
    }

    /// What stands before a next question, after this one and what answered it.
    pub fn recall_after(&self, before: &str, question: &str, answered: &str) -> String {
        after(before, question, answered)
    }

    /// Questions like this one.
    pub fn recall_suggest(
        &self,
        recall: u32,
        context: &str,
        question: &str,
        how: &JsValue,
        vector: Option<Vec<f32>>,
    ) -> Result<JsValue, JsValue> {
        let how: SuggestOptions = options(how)?;
        let scope = self.scope();
        let vector = vector.as_deref();
        let asked = Asked { context_code: context, question, vector, after: None };
        self.in_recall(recall, |recall| {
            let limit = how.limit.map(|limit| limit.min(crate::recall::MAX_SUGGESTIONS));
            let mut out = json!(recall.suggest(asked, limit, how.threshold, &scope));
            if scope.wants_rows() {
                out["unread"] = json!(true);
            }
            Ok(object(&out))
        })
    }

    /// Keeps what answers a question; its number.
    pub fn recall_save(
        &self,
        recall: u32,
        context: &str,
        given: &JsValue,
        now: &str,
    ) -> Result<f64, JsValue> {
        let given: KeptQuestion = options(given)?;
        let scope = self.scope();
        let masked = self.masked(&given.question);
        self.in_recall(recall, |recall| {
            let kind = kind(&given.kind)?;
            let (script, of_day) = kept_script(kind, &given.script, given.of_today, scope.day())?;
            let over =
                given.since.as_ref().map(|since| self.stands_since(since, &scope)).transpose()?;
            // calls say themselves whether they count days; of a query or a script nobody can tell
            let called = matches!(kind, Kind::Tool | Kind::Calls);
            let day = scope.day().filter(|_| over.is_some() && !called);
            let kept = Kept {
                context_code: context,
                question: &given.question,
                kind,
                script: &script,
                by_model: given.by_model,
                of_day: of_day.as_deref().or(day),
                over: over.as_deref().unwrap_or_default(),
                after: given.after.as_deref(),
                is_valid: given.is_valid,
                vector: given.vector.as_deref(),
                masked: Some(&masked),
            };
            Ok(recall.save(kept, &scope, now)? as f64)
        })
    }

    /// The record with this number, if it is of this data set.
    pub fn recall_get(&self, recall: u32, context: &str, id: f64) -> Result<JsValue, JsValue> {
        self.in_recall(recall, |recall| {
            let record = recall.get(context, id as u64);
            Ok(record.map_or(JsValue::UNDEFINED, |record| object(&record.to_json())))
        })
    }

    /// The records of a data set, last changed first.
    pub fn recall_list(&self, recall: u32, context: &str) -> Result<JsValue, JsValue> {
        self.in_recall(recall, |recall| {
            let records: Vec<Json> =
                recall.list(context).into_iter().map(Record::to_json).collect();
            Ok(object(&records))
        })
    }

    /// Changes a record; whether there is one.
    pub fn recall_update(
        &self,
        recall: u32,
        context: &str,
        id: f64,
        edit: &JsValue,
        now: &str,
    ) -> Result<bool, JsValue> {
        let EditOptions { script, is_valid } = options(edit)?;
        self.in_recall(recall, |recall| {
            let edit = Edit { script: script.as_deref(), is_valid };
            recall.update(context, id as u64, edit, now)
        })
    }

    /// Forgets a record; whether there was one.
    pub fn recall_delete(&self, recall: u32, context: &str, id: f64) -> Result<bool, JsValue> {
        self.in_recall(recall, |recall| Ok(recall.delete(context, id as u64)))
    }

    /// Takes note of how a run ended; whether there is such a record.
    pub fn recall_finished(
        &self,
        recall: u32,
        context: &str,
        id: f64,
        ended: &JsValue,
        now: &str,
    ) -> Result<bool, JsValue> {
        let Ended { ending, result, totals, results, human, cached, question } = options(ended)?;
        let scope = self.scope();
        let ending = match ending.as_str() {
            "answered" => {
                let later = if results.is_empty() { Later::Any } else { Later::Same };
                let ids = result.into_iter().chain(totals).chain(results);
                let outcomes: Result<Vec<_>> = ids.map(|id| self.outcome(&id)).collect();
                let outcomes = outcomes.map_err(|e| self.fault(&e))?;
                let outcomes: Vec<&Outcome> = outcomes.iter().map(AsRef::as_ref).collect();
                let summary = |outcome: &&Outcome| {
                    summarise(outcome, &Options::default()).to_json_in(self.language())
                };
                let raw = match outcomes.as_slice() {
                    [] => Json::Null,
                    [only] => summary(only),
                    several => several.iter().map(summary).collect(),
                };
                let question = question.filter(|_| !outcomes.is_empty());
                let words = question.and_then(|question| {
                    let language = planner::language(&question, self.language());
                    referring(&human, &question, &outcomes, language, later)
                });
                Ending::Answered(LastResult { raw, human, executed_at: now.to_owned(), words })
            }
            "clarify" => Ending::Clarify,
            _ => Ending::Failed,
        };
        self.in_recall(recall, |recall| {
            Ok(recall.finished(context, id as u64, ending, cached, &scope))
        })
    }

    /// At most so many questions without a vector of the embedder in use.
    pub fn recall_without_vector(
        &self,
        recall: u32,
        context: &str,
        most: usize,
    ) -> Result<JsValue, JsValue> {
        self.in_recall(recall, |recall| {
            let lacking = recall.without_vector(context, most).into_iter();
            let lacking: Vec<Json> =
                lacking.map(|(id, question)| json!({"id": id, "question": question})).collect();
            Ok(object(&lacking))
        })
    }

    /// At most so many questions that lack a vector of an embedder elsewhere, as they may leave, and
    /// how many others wait for their tables.
    pub fn recall_to_leave(
        &self,
        recall: u32,
        context: &str,
        most: usize,
    ) -> Result<JsValue, JsValue> {
        let scope = self.scope();
        let known = self.knows_cells();
        let mask = |question: &str| known.then(|| self.masked(question));
        self.in_recall(recall, |recall| {
            let Lacking { texts, waiting } = recall.to_leave(context, most, &scope, mask);
            let texts: Vec<Json> =
                texts.iter().map(|(id, text)| json!({"id": id, "text": text})).collect();
            Ok(object(&json!({"texts": texts, "waiting": waiting})))
        })
    }

    /// Questions on their way to an embedder elsewhere: masked, approved and on the ledger under this
    /// name. Gives what was recorded, byte for byte: a list of texts in JSON.
    pub async fn recall_leave(
        &self,
        questions: Vec<String>,
        endpoint: String,
        host: ChatHost,
    ) -> Result<String, JsValue> {
        let left = self.leave(&questions, &endpoint, &host).await;
        left.map_err(|e| self.fault(&e))
    }

    /// Gives a record its vector.
    pub fn recall_fill(
        &self,
        recall: u32,
        context: &str,
        id: f64,
        vector: Vec<f32>,
    ) -> Result<bool, JsValue> {
        self.in_recall(recall, |recall| Ok(recall.fill(context, id as u64, &vector)))
    }

    /// Gives at most so many records the vector of the built-in embedder; how many.
    pub fn recall_fill_built_in(
        &self,
        recall: u32,
        context: &str,
        most: usize,
    ) -> Result<usize, JsValue> {
        self.in_recall(recall, |recall| Ok(recall.fill_built_in(context, most)))
    }

    /// The number under which a question is kept, where it is.
    pub fn recall_number(&self, context: &str, question: &str) -> f64 {
        Recall::number_of(context, question) as f64
    }

    /// Makes at most so many questions ready for the search by words; whether all are.
    pub fn recall_prepare(&self, recall: u32, context: &str, most: usize) -> Result<bool, JsValue> {
        self.in_recall(recall, |recall| Ok(recall.prepare(context, most)))
    }

    /// What the device does not have yet.
    pub fn recall_pending(&self, recall: u32) -> Result<JsValue, JsValue> {
        self.in_recall(recall, |recall| {
            let batch = recall.pending();
            let (mut put, mut renewed, mut gone) = (Vec::new(), Vec::new(), Vec::new());
            for change in &batch.changes {
                match change {
                    Change::Put(record) => put.push(record.to_json()),
                    Change::Renew(record) => {
                        put.push(record.to_json());
                        renewed.push(record.id);
                    }
                    Change::Delete(id) => gone.push(*id),
                }
            }
            let changes = json!({"put": put, "renewed": renewed, "gone": gone});
            Ok(object(&json!({"revision": batch.revision, "changes": changes})))
        })
    }

    /// The device has everything up to this revision.
    pub fn recall_confirm(&self, recall: u32, revision: f64) -> Result<(), JsValue> {
        self.in_recall(recall, |recall| {
            recall.confirm(revision as u64);
            Ok(())
        })
    }

    /// The records of a data set, one a line.
    pub fn recall_export(&self, recall: u32, context: &str) -> Result<String, JsValue> {
        self.in_recall(recall, |recall| Ok(recall.export(Some(context))))
    }

    /// Takes in such lines: what became of them.
    pub fn recall_import(&self, recall: u32, bytes: &[u8]) -> Result<JsValue, JsValue> {
        self.in_recall(recall, |recall| {
            let imported = recall.import(bytes);
            let bad = imported.bad.iter().map(|bad| {
                let problem = diagnostic(&bad.problem, &Json::Null, self.language());
                json!({"line": bad.line, "diagnostic": problem})
            });
            Ok(object(&json!({
                "added": imported.added,
                "updated": imported.updated,
                "kept": imported.kept,
                "bad": bad.collect::<Vec<_>>(),
            })))
        })
    }

    /// The answer to a question whose query gave this result, in the question's language: in these
    /// words of an earlier one where they hold, else by template.
    pub fn answer(
        &self,
        id: &str,
        question: &str,
        words: Option<String>,
    ) -> Result<JsValue, JsValue> {
        let outcome = self.outcome(id).map_err(|e| self.fault(&e))?;
        let language = planner::language(question, self.language());
        let any = Later::Any;
        let said = words.and_then(|words| retold(&words, question, &[&outcome], language, any));
        let marked = match said {
            Some(words) => answer_in_words(&outcome, words, language),
            None => answer_by_template(&outcome, language),
        };
        Ok(told(&marked))
    }
}

pub(super) fn told(marked: &Marked) -> JsValue {
    let claims = claims_json(&marked.text, &marked.claims);
    object(&json!({"text": marked.text, "claims": claims}))
}

impl Session {
    fn in_recall<T>(
        &self,
        number: u32,
        work: impl FnOnce(&mut Recall) -> Result<T>,
    ) -> Result<T, JsValue> {
        let mut open = self.recalls().open.borrow_mut();
        let Some(recall) = open.get_mut(&number) else {
            let message = text!("these records are closed", "эти записи закрыты");
            return Err(fault(&Diagnostic::new(Code::Cancelled, message).into(), self.language()));
        };
        work(recall).map_err(|e| self.fault(&e))
    }

    /// A question without the protected cells of the tables that are loaded.
    fn masked(&self, question: &str) -> String {
        let policy = self.protection().policy();
        let cells = self.protection().cells(&self.engine().borrow(), &policy);
        masked(question, &Gate::new(&policy).with_cells(&cells))
    }

    /// Whether every table is loaded that has protected columns: of another one nobody could tell
    /// the cells in a question.
    fn knows_cells(&self) -> bool {
        !self.protection().policy().protects_beside(&self.schemas())
    }

    async fn leave(&self, questions: &[String], endpoint: &str, host: &ChatHost) -> Result<String> {
        loop {
            if !self.knows_cells() {
                let message = text!(
                    "the policy protects columns of a table that is not loaded, so questions do not leave",
                    "политика защищает столбцы таблицы, которая не загружена, поэтому вопросы не отправляются"
                );
                return Err(Diagnostic::new(Code::WithheldByPolicy, message).into());
            }
            let policy = self.protection().policy();
            let cells = self.protection().cells(&self.engine().borrow(), &policy);
            let (disclosure, body) = leaving(questions, &Gate::new(&policy).with_cells(&cells));
            let out = Outgoing { endpoint, policy: &policy, body: &body, disclosure: &disclosure };
            let approved = chat::approve(&out, self.protection(), host).await;
            if host.is_cancelled() {
                return Err(Error::Cancelled);
            }
            if !approved {
                return Err(Diagnostic::new(Code::SendRefused, refused()).into());
            }
            // What was approved is sent only as long as it is what would be made now.
            let same = self.protection().policy().hash() == policy.hash()
                && Rc::ptr_eq(&self.protection().cells(&self.engine().borrow(), &policy), &cells);
            if !same {
                continue;
            }
            let recorded = chat::record(&out, self.protection(), host).await;
            let recorded =
                recorded.ok_or_else(|| Diagnostic::new(Code::LedgerUnavailable, no_ledger()))?;
            let bytes = recorded.bytes().to_vec();
            return String::from_utf8(bytes).map_err(|e| Error::Internal(e.to_string()));
        }
    }

    /// What is loaded, and the policy in force.
    pub(super) fn scope(&self) -> Rc<Scope> {
        let (tables, policy, scripts) = (self.schemas(), self.policy_hash(), self.scripts_run());
        let over = self.over();
        let mut last = self.recalls().scope.borrow_mut();
        if !last.is_of(&tables, &policy, scripts) || last.over() != over.as_deref() {
            let day = self.told_day().map(|day| day.to_string());
            let scope = Scope::new(&tables, policy).with_scripts(scripts);
            *last = Rc::new(scope.with_day(day).with_over(over));
        }
        Rc::clone(&last)
    }
}

fn kind(name: &str) -> Result<Kind> {
    Ok(match name {
        "" | "query" => Kind::Query,
        "sql" => Kind::Sql,
        "script" => Kind::Script,
        "tool" => Kind::Tool,
        "calls" => Kind::Calls,
        _ => {
            let message = text!(
                "`kind` is `query`, `sql`, `script`, `tool` or `calls`",
                "`kind` — это `query`, `sql`, `script`, `tool` или `calls`"
            );
            let wrong = Diagnostic::new(Code::BadOption, message).at("/kind");
            return Err(wrong.choices(["query", "sql", "script", "tool", "calls"]).into());
        }
    })
}
