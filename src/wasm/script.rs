//! Scripts: what they ask, what they give. They run in a sandbox of the page, never here.

use super::convert::{Host, fault, object};
use super::protection::Bound;
use super::result::page;
use super::run::{self, Job};
use super::session::Session;
use crate::disclose::{Gate, Stricter};
use crate::engine::{Engine, Unkept};
use crate::error::{Error, Locale, Result};
use crate::facts::Outcome;
use crate::query;
use crate::tools::{
    Call, Context, Fault, Host as ToolHost, Refused, ScriptCall, ScriptRun, ToolResult, barred,
};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// Rows that a query may give to a script, and one more: then there are too many.
const MOST_ROWS: usize = 10_001;

/// A model hears of a script whose result is withheld after this many milliseconds, or twice as many,
/// and so on: a script may take as long as a cell is large. Longer than a script may work, which is
/// at most 5.5 seconds, and than the sandbox takes around it.
const BEAT_MS: f64 = 8_000.0;

/// Scripts of models that work at the same time; others wait for their turn.
const MOST_AT_ONCE: usize = 4;
/// How often a script looks whether it is its turn.
const TURN_MS: u64 = 20;

/// Scripts of models that are at work.
pub(super) struct Scripts {
    allowed: bool,
    /// By number, each with what its conversation may be told beside the policy of the page.
    running: RefCell<HashMap<u32, (ScriptRun, Stricter)>>,
    last: Cell<u32>,
}

impl Scripts {
    /// None so far; `allowed` where there is a sandbox for those of models.
    pub(super) fn new(allowed: bool) -> Self {
        Self { allowed, running: RefCell::default(), last: Cell::new(0) }
    }

    pub(super) fn allowed(&self) -> bool {
        self.allowed
    }

    /// Puts a script among those at work; its number is never 0.
    fn begin(&self, run: ScriptRun, stricter: Stricter) -> u32 {
        let number = self.last.get().wrapping_add(1).max(1);
        self.last.set(number);
        self.running.borrow_mut().insert(number, (run, stricter));
        number
    }

    fn end(&self, number: u32) -> Result<ScriptRun> {
        let run = self.running.borrow_mut().remove(&number);
        let run = run.map(|(run, _)| run);
        run.ok_or_else(|| Error::Internal("a script that is not at work".into()))
    }
}

/// What a script of a model works with.
pub(super) struct Around<'a> {
    pub(super) engine: &'a RefCell<Engine>,
    /// As it binds the conversation.
    pub(super) protection: Bound<'a>,
    pub(super) scripts: &'a Scripts,
    /// The person's language.
    pub(super) locale: Locale,
}

/// Why the sandbox ended a script.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Ended {
    code: String,
    line: Option<f64>,
    column: Option<f64>,
    refused: Option<f64>,
    name: Option<String>,
    said: Option<String>,
}

impl From<Ended> for Fault {
    fn from(ended: Ended) -> Self {
        let whole = |number: Option<f64>| number.filter(|n| *n >= 0.0).map(|n| n as usize);
        Self {
            line: whole(ended.line),
            column: whole(ended.column),
            refused: whole(ended.refused),
            name: ended.name,
            said: ended.said,
            ..Self::named(&ended.code)
        }
    }
}

/// Runs a script that a model wrote.
pub(super) async fn run(
    call: ScriptCall,
    around: &Around<'_>,
    host: &impl Host,
) -> Result<ToolResult> {
    let started = js_sys::Date::now();
    // Each has a worker and memory of its own, and one page may serve many models.
    while around.scripts.running.borrow().len() >= MOST_AT_ONCE {
        run::sleep(TURN_MS, host).await;
        run::listen(host).await?;
    }
    // The policy may have been tightened since the model was offered scripts.
    let policy = around.protection.policy();
    let started_run = ScriptRun::start(call, &policy, &mut around.engine.borrow_mut());
    let script = match started_run {
        Ok(script) => script,
        Err(refused) => return Ok(*refused),
    };
    let text = script.script().to_owned();
    let number = around.scripts.begin(script, around.protection.stricter().clone());
    let ended = JsFuture::from(host.sandbox(number, &text)).await;
    let script = around.scripts.end(number)?;
    run::listen(host).await?;
    // One that the page could not run at all has failed; what is cancelled was heard of above.
    let ended = ended.map_err(|_| Fault::named("script_failed")).and_then(|said| rows_of(&said));
    let ended = match ended {
        Ok(rows) => {
            let execution = around.engine.borrow_mut().start_rows(&rows);
            let rows = match execution {
                Ok(execution) => run::finish(execution, host).await,
                Err(error) => Err(error),
            };
            match rows {
                Err(Error::Cancelled) => return Err(Error::Cancelled),
                rows => rows.map_err(|error| Fault::of_rows(error, around.locale)),
            }
        }
        Err(fault) => Err(fault),
    };
    let result = script.finish(ended, &mut around.engine.borrow_mut());
    let mut slept = false;
    loop {
        // What the page has said by now decides, and nothing is waited for between that and the end.
        if let Err(cancelled) = run::listen(host).await {
            if let Some(id) = &result.result_id {
                // Nobody hears of it.
                around.engine.borrow_mut().release(id);
            }
            return Err(cancelled);
        }
        let policy = around.protection.policy();
        let gate = Gate::new(&policy).with_guard(around.protection.guard());
        let withheld = |call: &Call| gate.withholds_call(&call.reads, &call.ids);
        if slept || !result.call().is_some_and(withheld) {
            return Ok(result);
        }
        let past = js_sys::Date::now() - started;
        let mut until = BEAT_MS;
        while until < past {
            until *= 2.0;
        }
        run::sleep((until - past) as u64, host).await;
        slept = true;
    }
}

/// What the sandbox says of a script: `{rows}` as JSON in bytes, or `{fault}`.
fn rows_of(said: &JsValue) -> Result<Vec<u8>, Fault> {
    let field = |name: &str| js_sys::Reflect::get(said, &name.into()).unwrap_or_default();
    if let Some(rows) = field("rows").dyn_ref::<js_sys::Uint8Array>() {
        return Ok(rows.to_vec());
    }
    let fault: Option<Ended> = serde_wasm_bindgen::from_value(field("fault")).ok();
    Err(fault.unwrap_or_default().into())
}

#[wasm_bindgen]
impl Session {
    /// Whether scripts that a model wrote may run as things are.
    pub fn scripts_run(&self) -> bool {
        self.scripts().allowed() && self.protection().policy().lets_scripts_run()
    }

    /// Rows for a script, up to one more than it may have: of a query, or of a statement with its
    /// parameters, in JSON. Under a number it is the script of a model: what it is refused comes as
    /// `{refused, told, fault}`, and it is noted what it reads. Under 0 the person runs it; `by_model`
    /// says that a model wrote it, and then it is given nothing unless such scripts run as things are.
    pub async fn script_ask(
        &self,
        number: u32,
        kind: String,
        asked: String,
        by_model: bool,
        job: Job,
    ) -> Result<JsValue, JsValue> {
        let asked: Json = serde_json::from_str(&asked).unwrap_or_default();
        let statement = kind == "sql";
        let found = if number == 0 {
            let runs = || if by_model { self.runs_of_model() } else { Ok(()) };
            runs().map_err(|e| self.fault(&e))?;
            let rows = self.rows_for_person(statement, &asked, &job).await;
            // However it came out: the policy may have been tightened since it was asked.
            runs().map_err(|e| self.fault(&e))?;
            Ok(rows.map_err(|e| self.fault(&e))?)
        } else {
            self.rows_for_model(number, statement, &asked, &job)
                .await
                .map_err(|e| self.fault(&e))?
        };
        Ok(match found {
            Ok(rows) => {
                let outcome = rows.outcome();
                let (all, total) = (&*outcome.rows, outcome.rows.len());
                let range = 0..total.min(MOST_ROWS);
                page(&outcome.columns, all, range, total as u64, self.decimals())
            }
            Err(Refused { number, told, error }) => {
                let refused = object(&json!({"refused": number, "told": told}));
                // Setting a field of a fresh plain object cannot fail.
                let why = fault(&error, self.language());
                let _ = js_sys::Reflect::set(&refused, &"fault".into(), &why);
                refused
            }
        })
    }

    /// The day that a script takes for today: the one that the tools for purchases count from, where the
    /// policy lets it be told. Under a number it is noted that the script of a model reads it.
    pub fn script_day(&self, number: u32) -> Result<Option<String>, JsValue> {
        let day = if number == 0 {
            self.told_day()
        } else {
            self.of_script(number, ScriptRun::day).map_err(|e| self.fault(&e))?
        };
        Ok(day.map(|day| day.to_string()))
    }

    /// Takes in rows as JSON, an array of objects: the result. Without rows there is none, and yet
    /// later results have the ids that they would have.
    pub async fn script_result(&self, rows: Vec<u8>, job: Job) -> Result<JsValue, JsValue> {
        let id = self.engine().borrow_mut().take_id();
        if rows.is_empty() {
            return Ok(JsValue::UNDEFINED);
        }
        let outcome = self.take_rows(&rows, id, &job).await.map_err(|e| self.fault(&e))?;
        Ok(self.result_info(&outcome, false))
    }
}

impl Session {
    async fn take_rows(&self, rows: &[u8], id: String, job: &Job) -> Result<Arc<Outcome>> {
        let execution = self.engine().borrow_mut().start_rows(rows)?;
        let rows = run::finish(execution, job).await?;
        Ok(self.engine().borrow_mut().keep_script(rows, id, None))
    }

    /// Whether a script that a model wrote is given rows on a person's road, too.
    fn runs_of_model(&self) -> Result<()> {
        if self.scripts_run() { Ok(()) } else { Err(barred().into()) }
    }

    async fn rows_for_person(&self, statement: bool, asked: &Json, job: &Job) -> Result<Unkept> {
        let checked = if statement {
            let text = asked.get(0).and_then(Json::as_str).unwrap_or_default();
            let params = asked.get(1).cloned().unwrap_or_default();
            self.engine().borrow().check_sql(text, &params)?
        } else {
            query::check_json(asked, &self.schemas())?
        };
        let execution = self.engine().borrow_mut().start_for_script(&Arc::new(checked))?;
        run::finish(execution, job).await
    }

    async fn rows_for_model(
        &self,
        number: u32,
        statement: bool,
        asked: &Json,
        job: &Job,
    ) -> Result<Result<Unkept, Refused>> {
        let checked =
            match self.of_script(number, |run, context| run.ask(statement, asked, context))? {
                Ok(checked) => checked,
                Err(refused) => return Ok(Err(refused)),
            };
        let started = self.engine().borrow_mut().start_for_script(&checked);
        let found = match started {
            Ok(execution) => run::finish(execution, job).await,
            Err(error) => Err(error),
        };
        match found {
            Ok(rows) => {
                let goes_on = self.of_script(number, |run, context| run.goes_on(context))?;
                Ok(goes_on.map(|()| rows))
            }
            Err(Error::Cancelled) => Err(Error::Cancelled),
            Err(error) => self.of_script(number, |run, context| Err(run.refuse(error, context))),
        }
    }

    /// Does something with a script at work.
    fn of_script<T>(
        &self,
        number: u32,
        with: impl FnOnce(&mut ScriptRun, &Context) -> T,
    ) -> Result<T> {
        let mut running = self.scripts().running.borrow_mut();
        let run = running.get_mut(&number);
        let (run, stricter) =
            run.ok_or_else(|| Error::Internal("a script that is not at work".into()))?;
        let tables = self.schemas();
        let policy = stricter.of(&self.protection().policy());
        let context = Context {
            host: Some(ToolHost { engine: self.engine(), handed: self.handed() }),
            purchases: Some(self.purchases()),
            ..Context::new(&tables, &policy, self.language())
        };
        Ok(with(run, &context))
    }
}
