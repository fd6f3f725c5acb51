//! Questions that calls answered: how they are kept, what several stand on, what they come to.

use super::convert::{json, object, options};
use super::recall::told;
use super::run::{self, Job};
use super::session::Session;
use crate::chat::{Answered, answer_of_call, answer_of_calls};
use crate::error::{Code, Diagnostic, Error, Result};
use crate::facts::Outcome;
use crate::planner;
use crate::recall::{Bar, Kind, Later, Record, Scope, retold};
use crate::tools::KeptCalls;
use crate::tools::purchases::KeptCall;
use crate::validate::Marked;
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// One of several calls that ran again.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RanCall {
    /// The call, where it is one of a tool for purchases.
    call: Option<String>,
    /// Its result, or its list.
    list: String,
    /// The totals of its list.
    totals: Option<String>,
}

/// All of them.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct RanCalls {
    calls: Vec<RanCall>,
}

#[wasm_bindgen]
impl Session {
    /// What is another one once a table of the person came or went, or the policy changed.
    pub fn standing(&self) -> String {
        let tables = self.schemas();
        let tables = tables.iter().map(|table| format!("{}\u{1f}{}", table.name, table.version));
        let tables: Vec<String> = tables.collect();
        format!("{}\u{1e}{}", self.policy_hash(), tables.join("\u{1e}"))
    }

    /// What tells the rows of a table from any others.
    pub async fn print(&self, name: String, job: Job) -> Result<String, JsValue> {
        run::print(self.engine(), &name, &job).await.map_err(|e| self.fault(&e))
    }

    /// Reads the rows of all tables, where that was not done yet: what several calls stand on.
    pub async fn read_tables(&self, job: Job) -> Result<(), JsValue> {
        run::read_tables(self.engine(), &job).await.map_err(|e| self.fault(&e))
    }

    /// Whether a record may run as things are: how they stand, or what bars it.
    pub fn recall_stands(&self, record: &JsValue) -> Result<JsValue, JsValue> {
        let record =
            Record::from_json(&json(record)).map_err(|problem| self.fault(&(*problem).into()))?;
        if record.kind == Kind::Calls {
            KeptCalls::read(&record.script).map_err(|list| self.fault(&Error::Input(list)))?;
        }
        let bar = self.scope().bar(&record).map(|bar| match bar {
            Bar::Day => "day",
            Bar::Scripts => "scripts",
            Bar::Over => "over",
            Bar::Unread => "unread",
        });
        Ok(object(&match bar {
            Some(bar) => json!({"bar": bar}),
            None => json!({"standing": self.standing()}),
        }))
    }

    /// The answer to a question that a call of a tool answered, by its list and by the totals over it,
    /// where it has some: in these words of an earlier one where they hold, else by template.
    pub fn answer_call(
        &self,
        call: &str,
        list: &str,
        totals: Option<String>,
        question: &str,
        words: Option<String>,
    ) -> Result<JsValue, JsValue> {
        let answer = || -> Result<Marked> {
            let call = KeptCall::read(call)?;
            let list = self.outcome(list)?;
            let totals = totals.map(|id| self.outcome(&id)).transpose()?;
            let found: Vec<&Outcome> =
                [Some(&*list), totals.as_deref()].into_iter().flatten().collect();
            let language = planner::language(question, self.language());
            let any = Later::Any;
            let said = words.and_then(|words| retold(&words, question, &found, language, any));
            let today = self.today();
            let found = (&*list, totals.as_deref());
            Ok(answer_of_call(&call, question, today, found, said, language))
        };
        answer().map(|marked| told(&marked)).map_err(|e| self.fault(&e))
    }

    /// The same from what several calls gave.
    pub fn answer_calls(
        &self,
        ran: &JsValue,
        question: &str,
        words: Option<String>,
    ) -> Result<JsValue, JsValue> {
        let ran: RanCalls = options(ran)?;
        let answer = || -> Result<Marked> {
            let mut found = Vec::with_capacity(ran.calls.len());
            for RanCall { call, list, totals } in &ran.calls {
                let call = call.as_deref().map(KeptCall::read).transpose()?;
                let totals = totals.as_deref().map(|id| self.outcome(id)).transpose()?;
                found.push((call, self.outcome(list)?, totals));
            }
            let all = found.iter().flat_map(|(_, list, totals)| [Some(list), totals.as_ref()]);
            let all: Vec<&Outcome> = all.flatten().map(Arc::as_ref).collect();
            let language = planner::language(question, self.language());
            let said =
                words.and_then(|words| retold(&words, question, &all, language, Later::Same));
            let answered = found.iter().map(|(call, list, totals)| Answered {
                call: call.as_ref(),
                list,
                totals: totals.as_deref(),
            });
            let answered: Vec<Answered<'_>> = answered.collect();
            Ok(answer_of_calls(&answered, question, self.today(), said, language))
        };
        answer().map(|marked| told(&marked)).map_err(|e| self.fault(&e))
    }
}

/// What answers a question as it is kept, and the day that its days were counted from, where it is a
/// call or several and has some: without that day nobody could tell later whether they still are the
/// same.
pub(super) fn kept_script(
    kind: Kind,
    script: &str,
    of_today: bool,
    today: Option<&str>,
) -> Result<(String, Option<String>)> {
    let (script, counts) = match kind {
        Kind::Tool => {
            let call = KeptCall::read(script)?;
            (call.write(), call.counts_days())
        }
        Kind::Calls => {
            let calls = KeptCalls::read(script)?;
            (calls.write(), calls.counts_days())
        }
        _ => return Ok((script.to_owned(), None)),
    };
    let counted = of_today && counts;
    if counted && today.is_none() {
        let message = text!(
            "which day counts as today is not known: set `purchases.reference_date`",
            "неизвестно, какой день считается сегодняшним: укажите `purchases.reference_date`"
        );
        return Err(Diagnostic::new(Code::BadOption, message).at("/script").into());
    }
    Ok((script, today.filter(|_| counted).map(str::to_owned)))
}

impl Session {
    /// What several calls stand on that were asked for when things stood so.
    pub(super) fn stands_since(&self, since: &str, scope: &Scope) -> Result<Vec<String>> {
        let unchanged = self.standing() == since;
        scope.over().filter(|_| unchanged).map(<[String]>::to_vec).ok_or_else(|| {
            let message = text!(
                "the tables or the policy have changed since the question was asked",
                "таблицы или политика изменились с тех пор, как задан вопрос"
            );
            Error::from(Diagnostic::new(Code::BadOption, message).at("/since"))
        })
    }
}
