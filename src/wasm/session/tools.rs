//! The tools: listed, called, and what the tables of purchases are like.

use super::Session;
use crate::error::{Error, Locale};
use crate::planner;
use crate::query::check::Warning;
use crate::tools::purchases::{KeptCall, PurchaseRun, fit, today, told_day};
use crate::tools::{self, Context, Host, Prepared};
use crate::wasm::convert::{json, object, plain};
use crate::wasm::protection::Bound;
use crate::wasm::run::{self, Job};
use crate::wasm::script;
use chrono::NaiveDate;
use serde_json::{Value as Json, json};
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
impl Session {
    /// The tools, as OpenAI chat completions define functions, each with what a call costs.
    pub fn tool_definitions(&self) -> JsValue {
        let (tables, policy) = (self.schemas(), self.protection.policy());
        let host = Host { engine: &self.engine, handed: &self.handed };
        let context = Context {
            purchases: Some(&self.purchases),
            host: Some(host),
            scripts: self.scripts.allowed(),
            ..Context::new(&tables, &policy, self.locale.get())
        };
        let list: Vec<Json> = tools::definitions(&context)
            .into_iter()
            .map(|d| {
                json!({"cost": d.cost, "tool": {"type": "function", "function": {
                    "name": d.name, "description": d.description, "parameters": d.parameters,
                }}})
            })
            .collect();
        object(&list)
    }

    /// Calls a tool by name. What fails is a result, too.
    pub async fn tool_execute(
        &self,
        name: String,
        arguments: JsValue,
        job: Job,
    ) -> Result<JsValue, JsValue> {
        let arguments = match arguments.as_string() {
            Some(text) => text,
            None => json(&arguments).to_string(),
        };
        let tables = self.schemas();
        let policy = self.protection.policy();
        let cells = self.protection.cells(&self.engine.borrow(), &policy);
        let context = Context {
            guard: Some(self.protection.guard()),
            cells: Some(&cells),
            purchases: Some(&self.purchases),
            host: Some(Host { engine: &self.engine, handed: &self.handed }),
            scripts: self.scripts.allowed(),
            ..Context::new(&tables, &policy, self.locale.get())
        };
        let result = match tools::prepare(&name, &arguments, &context) {
            Prepared::Done(result) => result,
            Prepared::Query(call) => {
                let gate = context.gate();
                let (id, outcome) = run::for_model(&self.engine, &call.checked, &gate, &job).await;
                if matches!(outcome, Err(Error::Cancelled)) {
                    return Err(self.fault(&Error::Cancelled));
                }
                tools::finish_query(&call.checked, id, outcome, call.all_groups)
            }
            Prepared::Purchases(call) => {
                let run = PurchaseRun::start(*call, &mut self.engine.borrow_mut());
                run::purchases(&self.engine, run, &job).await.map_err(|e| self.fault(&e))?
            }
            Prepared::Source(call) => {
                let started = call.start(&self.engine.borrow());
                let found = match started {
                    Ok(execution) => run::finish(execution, &job).await,
                    Err(error) => Err(error),
                };
                if matches!(found, Err(Error::Cancelled)) {
                    return Err(self.fault(&Error::Cancelled));
                }
                call.finish(found)
            }
            Prepared::Script(call) => {
                let around = script::Around {
                    engine: &self.engine,
                    protection: Bound::of_page(&self.protection),
                    scripts: &self.scripts,
                    locale: self.locale.get(),
                };
                script::run(call, &around, &job).await.map_err(|e| self.fault(&e))?
            }
        };
        // What may be told is as it is now: the policy may have changed while the query ran.
        if let Err(error) = run::listen(&job).await {
            // Nobody hears of them.
            for outcome in result.outcomes() {
                self.engine.borrow_mut().release(&outcome.id);
            }
            return Err(self.fault(&error));
        }
        let tables = self.schemas();
        let policy = self.protection.policy();
        let cells = self.protection.cells(&self.engine.borrow(), &policy);
        let context = Context {
            guard: Some(self.protection.guard()),
            cells: Some(&cells),
            ..Context::new(&tables, &policy, self.locale.get())
        };
        self.handed.borrow_mut().note(&result, &context.gate());
        let locale = self.locale.get();
        let error: Vec<Json> = result.error.iter().map(|d| d.to_json(locale)).collect();
        let mut out = json!({
            "ok": result.ok,
            "summary": result.content(&context).as_str(),
            "result_id": result.result_id.filter(|_| result.ok),
            "rows": result.rows,
            "said": result.said,
            "warnings": warnings(&result.warnings, locale),
            "error": if result.ok { Json::Null } else { error.into() },
        });
        // It may be big: it is handed on as it is.
        out["output"] = result.output.map_or(Json::Null, |output| *output);
        Ok(plain(&out))
    }

    /// Makes a call again that answered a question: its list, its totals and the whole answer for the
    /// person; nothing of it is told to a model. `day` is that which its days were counted from:
    /// on another one nothing comes of it.
    pub async fn call_again(
        &self,
        call: String,
        question: String,
        day: Option<String>,
        job: Job,
    ) -> Result<JsValue, JsValue> {
        if day.is_some() && day != self.today().map(|today| today.to_string()) {
            return Ok(JsValue::UNDEFINED);
        }
        let (tables, policy) = (self.schemas(), self.protection.policy());
        let context = Context {
            purchases: Some(&self.purchases),
            ..Context::new(&tables, &policy, planner::language(&question, self.locale.get()))
        };
        let call = KeptCall::read(&call).and_then(|call| call.prepare(&context));
        let call = call.map_err(|problems| self.fault(&Error::Input(problems)))?;
        let run = PurchaseRun::start(*call, &mut self.engine.borrow_mut());
        let result = run::purchases(&self.engine, run, &job).await.map_err(|e| self.fault(&e))?;
        if let Err(error) = run::listen(&job).await {
            // Nobody hears of them.
            for outcome in result.outcomes() {
                self.engine.borrow_mut().release(&outcome.id);
            }
            return Err(self.fault(&error));
        }
        if !result.ok {
            return Err(self.fault(&Error::Input(result.error)));
        }
        let out = js_sys::Object::new();
        let set = |name: &str, value: &JsValue| {
            // Setting a field of a fresh plain object cannot fail.
            let _ = js_sys::Reflect::set(&out, &name.into(), value);
        };
        for (name, (outcome, _)) in ["list", "totals"].into_iter().zip(result.found()) {
            set(name, &self.result_info(outcome, false));
        }
        // It may be big: it is handed on as it is.
        set("output", &plain(&result.output.map_or(Json::Null, |output| *output)));
        Ok(out.into())
    }

    /// Looks at the keys of the tables of purchases: which ids repeat, which rows are not there.
    pub async fn purchases_check(&self, job: Job) -> Result<JsValue, JsValue> {
        let tables = self.schemas();
        let policy = self.protection.policy();
        let locale = self.locale.get();
        let context =
            Context { purchases: Some(&self.purchases), ..Context::new(&tables, &policy, locale) };
        let call = fit(&context).map_err(|problems| self.fault(&Error::Input(problems)))?;
        let run = PurchaseRun::start(call, &mut self.engine.borrow_mut());
        let found = run::purchases(&self.engine, run, &job).await.map_err(|e| self.fault(&e))?;
        if let Some(id) = &found.result_id {
            self.engine.borrow_mut().release(id);
        }
        let Some(mut report) = found.output.filter(|_| found.ok) else {
            return Err(self.fault(&Error::Input(found.error)));
        };
        if let Some(report) = report.as_object_mut() {
            report.insert("warnings".to_owned(), warnings(&found.warnings, locale));
        }
        Ok(object(&report))
    }
}

impl Session {
    /// The day that a conversation hears as today.
    pub(in crate::wasm) fn told_day(&self) -> Option<NaiveDate> {
        self.of_purchases(|context| told_day(context).map(|(day, _)| day))
    }

    /// The day that counts as today, where that is known.
    pub(in crate::wasm) fn today(&self) -> Option<NaiveDate> {
        self.of_purchases(today)
    }

    /// What several calls stand on, once the rows of all tables are known: these, and the settings that
    /// calls go by.
    pub(in crate::wasm) fn over(&self) -> Option<Vec<String>> {
        let mut over = self.engine.borrow().prints()?;
        over.push(format!("purchases:{}", self.purchases.fingerprint()));
        Some(over)
    }

    fn of_purchases<T>(&self, find: impl FnOnce(&Context) -> T) -> T {
        let (tables, policy) = (self.schemas(), self.protection.policy());
        let locale = self.locale.get();
        find(&Context {
            purchases: Some(&self.purchases),
            ..Context::new(&tables, &policy, locale)
        })
    }
}

fn warnings(all: &[Warning], locale: Locale) -> Json {
    all.iter().map(|w| json!({"code": w.code, "message": w.message.get(locale)})).collect()
}
