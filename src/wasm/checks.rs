//! The checks that need no conversation: claims of any text, references to fill in, numbers that are
//! reported by field.

use super::convert::{self, json, object};
use super::run::{self, Job};
use super::session::Session;
use crate::chat::{self, claims_json};
use crate::disclose::Gate;
use crate::error::{Code, Diagnostic, Error, Result};
use crate::facts::Outcome;
use crate::query::Query;
use crate::validate::stats::{self, Intent, Tolerance};
use crate::validate::{claims, references, table};
use crate::value::Rows;
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// What `check_stats` takes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StatsRequest {
    stats: Map<String, Json>,
    /// Rows as objects, or the id of a result.
    data: Json,
    #[serde(default)]
    intent: Intent,
    #[serde(default)]
    attempts: u32,
    matches_count: Option<u64>,
    #[serde(default)]
    tolerances: Map<String, Json>,
}

#[wasm_bindgen]
impl Session {
    /// Checks every number of a text against results. What it says of everything where a result has
    /// groups alone, or its first rows, is computed from the rows behind the result.
    pub async fn check(
        &self,
        text: String,
        ids: Vec<String>,
        how: JsValue,
        job: Job,
    ) -> Result<JsValue, JsValue> {
        let how = self.how(&how)?;
        let outcomes = self.evidence(&ids, &how).map_err(|e| self.fault(&e))?;
        let evidence: Vec<&Outcome> = outcomes.iter().map(AsRef::as_ref).collect();
        let context = claims::Context {
            question: how.get("question").and_then(Json::as_str),
            locale: self.language(),
        };
        let mut host = claims::Later::default();
        let mut noted = claims::check_noting(&text, &evidence, &context, &host);
        // What the first answers leave open asks for more, once.
        for _ in 0..2 {
            let asked = host.asked();
            if asked.is_empty() {
                break;
            }
            for (id, query) in asked {
                let Some(of) = evidence.iter().find(|outcome| outcome.id == id) else { continue };
                match self.aside(of, &query, &job).await {
                    Ok(found) => host.answer(id, query, found),
                    Err(Error::Cancelled) => return Err(self.fault(&Error::Cancelled)),
                    // The table is gone or another one: the claim stays as it was read.
                    Err(_) => {}
                }
            }
            noted = claims::check_noting(&text, &evidence, &context, &host);
        }
        let policy = self.protection().policy();
        let gate = Gate::new(&policy).with_guard(self.protection().guard());
        let asked = context.question.unwrap_or_default();
        let told = chat::feedback(&text, asked, &outcomes, &noted, &gate);
        let check = noted.check;
        Ok(object(&json!({
            "verdict": check.verdict,
            "claims": claims_json(&text, &check.claims),
            "feedback": check.feedback,
            "modelFeedback": told.as_str(),
        })))
    }

    /// Fills in the references of a text from results.
    pub fn render(&self, text: &str, ids: Vec<String>, how: &JsValue) -> Result<JsValue, JsValue> {
        let how = self.how(how)?;
        let locale = match how.get("locale") {
            None | Some(Json::Null) => self.language(),
            Some(named) => Deserialize::deserialize(named).map_err(|_| {
                let message = text!("`locale` is `en` or `ru`", "`locale` — это `en` или `ru`");
                self.fault(&Diagnostic::new(Code::BadOption, message).at("/locale").into())
            })?,
        };
        let outcomes = self.evidence(&ids, &how).map_err(|e| self.fault(&e))?;
        let outcomes: Vec<&Outcome> = outcomes.iter().map(AsRef::as_ref).collect();
        let rendered = references::render(text, &outcomes, locale);
        let issues: Vec<Json> = rendered
            .issues
            .iter()
            .map(|issue| {
                let mut out = issue.to_json(self.language());
                if let Some(span) = issue.span {
                    out["span"] = json!(convert::utf16(text, span));
                }
                out
            })
            .collect();
        Ok(object(&json!({
            "text": rendered.text,
            "claims": claims_json(&rendered.text, &rendered.claims),
            "issues": issues,
        })))
    }

    /// Checks numbers that are reported by field against the rows they are said of.
    pub fn check_stats(&self, given: &JsValue) -> Result<JsValue, JsValue> {
        let check = || -> Result<Json> {
            let request: StatsRequest = serde_json::from_value(json(given)).map_err(|e| {
                let what = e.to_string();
                let message = text!("bad request: {what}", "неверный запрос: {what}");
                Diagnostic::new(Code::BadOption, message)
            })?;
            // `{rows, granularity, matches_count}` is the same with a name for it.
            let within = request.data.as_object().filter(|data| data.contains_key("rows"));
            let named = within.filter(|data| {
                data.keys().all(|k| ["rows", "granularity", "matches_count"].contains(&&**k))
            });
            let data = named.and_then(|data| data.get("rows")).unwrap_or(&request.data);
            let matches = named.and_then(|data| data.get("matches_count")?.as_u64());
            let rows = match data {
                Json::String(id) => self.outcome(id)?.rows.clone(),
                data => Arc::new(table::from_json(data, "/data")?) as Arc<dyn Rows>,
            };
            let tolerances: Vec<(&str, Tolerance)> = request
                .tolerances
                .iter()
                .map(|(field, most)| Ok((field.as_str(), tolerance(field, most)?)))
                .collect::<Result<_>>()?;
            let report = stats::check(&stats::Request {
                stats: &request.stats,
                rows: &*rows,
                matches_count: request.matches_count.or(matches),
                intent: request.intent,
                attempts: request.attempts,
                tolerances: &tolerances,
            });
            Ok(json!(report))
        };
        check().map(|report| object(&report)).map_err(|e| self.fault(&e))
    }
}

impl Session {
    /// How a text is checked or filled in. What cannot be read must not pass for nothing.
    fn how(&self, given: &JsValue) -> Result<Json, JsValue> {
        let how = json(given);
        if how.is_object() || given.is_undefined() || given.is_null() {
            return Ok(how);
        }
        let message = text!(
            "options and rows are plain objects, lists, texts, numbers and dates, no functions and no circles",
            "параметры и строки — это простые объекты, списки, тексты, числа и даты, без функций и колец"
        );
        Err(self.fault(&Diagnostic::new(Code::BadOption, message).at("/tables").into()))
    }

    /// What a query over the rows behind some evidence comes to; nobody keeps it.
    async fn aside(&self, evidence: &Outcome, query: &Query, job: &Job) -> Result<Outcome> {
        let schema = Arc::clone(evidence.query.schema());
        let checked = Arc::new(crate::query::check(query, &[schema])?);
        let started = self.engine().borrow().aside(&checked);
        run::finish(started?, job).await.map(Arc::unwrap_or_clone)
    }

    /// The results with these ids, and the tables that the page gives as they are.
    fn evidence(&self, ids: &[String], how: &Json) -> Result<Vec<Arc<Outcome>>> {
        let mut found: Vec<Arc<Outcome>> =
            ids.iter().map(|id| self.outcome(id)).collect::<Result<_>>()?;
        let tables = how.get("tables").and_then(Json::as_array).into_iter().flatten();
        for (place, given) in tables.enumerate() {
            let name = given.get("name").and_then(Json::as_str).unwrap_or_default();
            if found.iter().any(|other| other.id == name) {
                let message =
                    text!("two results are called `{name}`", "два результата называются `{name}`");
                return Err(Diagnostic::new(Code::BadOption, message).at("/tables").into());
            }
            let rows = given.get("rows").unwrap_or(&Json::Null);
            let rows = table::from_json(rows, &format!("/tables/{place}/rows"))?;
            found.push(Arc::new(table::result(name, rows)?));
        }
        Ok(found)
    }
}

/// `{"absolute": 0.5}`, `{"relative": 0.01}`, or 0 for exact.
fn tolerance(field: &str, most: &Json) -> Result<Tolerance> {
    let bound = |name: &str| most.get(name).and_then(Json::as_f64).filter(|x| *x >= 0.0);
    let read = match (bound("absolute"), bound("relative")) {
        (Some(by), None) => Some(Tolerance::Absolute(by)),
        (None, Some(part)) => Some(Tolerance::Relative(part)),
        _ if most.as_f64() == Some(0.0) => Some(Tolerance::Exact),
        _ => None,
    };
    read.ok_or_else(|| {
        let message = text!(
            "a tolerance is 0, {{\"absolute\": x}} or {{\"relative\": x}}",
            "допуск — это 0, {{\"absolute\": x}} или {{\"relative\": x}}"
        );
        Diagnostic::new(Code::BadOption, message).at(format!("/tolerances/{field}")).into()
    })
}
