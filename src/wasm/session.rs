//! The object that JavaScript holds: one engine with its tables, results, conversations and ledger.

mod conversations;
mod loads;
mod rehearsal;
mod tools;

use super::blocks::Blocks;
use super::chat::Chat;
use super::convert::{self, Decimals, fault, json, object, options};
use super::keep::Keeps;
use super::load::{About, Loads, Note};
use super::protection::Protection;
use super::recall::Recalls;
use super::result::{info, page};
use super::run::{self, Job};
use super::script::Scripts;
use crate::chat::Event;
use crate::disclose::Ledger;
use crate::engine::{self, Engine, Keeping, SourceRows};
use crate::error::{Code, Diagnostic, Error, Locale, Result};
use crate::facts::Outcome;
use crate::planner;
use crate::query::check::CheckedQuery;
use crate::query::{self, Query, complete, functions};
use crate::schema::TableSchema;
use crate::tools::purchases::{Rehearsal, Settings as Purchases};
use crate::tools::{Handed, key_value};
use crate::value::Value;
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;
use wasm_bindgen::prelude::*;

/// What a session is opened with.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct SessionOptions {
    memory_limit: Option<f64>,
    locale: Option<Locale>,
    decimals: Decimals,
    policy: Option<Json>,
    /// What the tables of purchases are called, and which day counts as today.
    purchases: Option<Json>,
    /// There is a sandbox for scripts.
    scripts: bool,
    /// The lines of the ledger so far.
    ledger: Vec<String>,
    /// An engine of this page died before.
    restarted: bool,
}

/// One engine with everything around it. Calls that fail throw `{code, message, diagnostics}`.
#[wasm_bindgen]
pub struct Session {
    engine: RefCell<Engine>,
    loads: RefCell<Loads>,
    abouts: RefCell<HashMap<String, About>>,
    keeps: Keeps,
    protection: Protection,
    chats: RefCell<HashMap<u32, Chat>>,
    blocks: Blocks,
    purchases: Rc<Purchases>,
    /// What is done for the tools for purchases while nobody asks.
    rehearsal: RefCell<Option<Rehearsal>>,
    /// The results that calls of tools have given.
    handed: RefCell<Handed>,
    recalls: Recalls,
    scripts: Scripts,
    last_chat: Cell<u32>,
    locale: Cell<Locale>,
    decimals: Decimals,
}

#[wasm_bindgen]
impl Session {
    /// Opens a session.
    #[wasm_bindgen(constructor)]
    pub fn new(given: &JsValue) -> Result<Session, JsValue> {
        let given: SessionOptions = options(given)?;
        let locale = given.locale.unwrap_or_default();
        let open = || -> Result<Session> {
            let mut limits = engine::Options::default();
            if let Some(limit) = given.memory_limit {
                limits.memory_limit = limit.max(0.0) as usize;
            }
            let ledger = Ledger::resume(&given.ledger)?;
            let policy = given.policy.unwrap_or_default();
            Ok(Session {
                engine: RefCell::new(Engine::new(limits)?),
                loads: RefCell::default(),
                abouts: RefCell::default(),
                keeps: Keeps::default(),
                protection: Protection::new(policy, ledger, given.restarted)?,
                chats: RefCell::default(),
                blocks: Blocks::default(),
                purchases: Rc::new(purchases(given.purchases)?),
                rehearsal: RefCell::default(),
                handed: RefCell::default(),
                recalls: Recalls::default(),
                scripts: Scripts::new(given.scripts),
                last_chat: Cell::new(0),
                locale: Cell::new(locale),
                decimals: given.decimals,
            })
        };
        open().map_err(|e| fault(&e, locale))
    }

    /// The loaded tables.
    pub fn tables(&self) -> JsValue {
        self.schemas().iter().map(|s| self.table_info(s)).collect::<js_sys::Array>().into()
    }

    /// Lets a table go; whether there was one.
    pub fn drop(&self, name: &str) -> bool {
        self.abouts.borrow_mut().remove(name);
        self.protection.tables_changed();
        self.engine.borrow_mut().drop_table(name)
    }

    /// Everything that is wrong with a query.
    pub fn validate(&self, given: &JsValue) -> JsValue {
        let given = json(given);
        let found = match self.check_query(&given) {
            Ok(_) => Vec::new(),
            Err(error) => error.diagnostics(),
        };
        let locale = self.locale.get();
        object(&found.iter().map(|d| convert::diagnostic(d, &given, locale)).collect::<Vec<_>>())
    }

    /// The canonical form of a query.
    pub fn format(&self, given: &JsValue) -> Result<JsValue, JsValue> {
        Ok(object(self.checked(given)?.canonical()))
    }

    /// What a query does, in one sentence.
    pub fn explain(&self, given: &JsValue) -> Result<String, JsValue> {
        Ok(query::explain::explain(&*self.checked(given)?, self.locale.get()))
    }

    /// What can stand at a place of a query's field, for the person at this page: `pointer` names
    /// the field as diagnostics do, `offset` counts UTF-16 units of `text`.
    pub fn complete(&self, given: &JsValue, pointer: &str, text: &str, offset: u32) -> JsValue {
        let (query, tables) = (Query::read(&json(given)).0, self.schemas());
        let Some((step, field)) = complete::Field::at(pointer, &query) else {
            return object(&json!({"span": [offset, offset], "items": []}));
        };
        let context = complete::Context { tables: &tables, query: &query, step, field };
        let offset = convert::byte_offset(text, offset);
        let found = complete::complete::<complete::OwnPage>(text, offset, &context);
        let mut found_json = found.to_json(self.locale.get());
        found_json["span"] = json!(convert::utf16(text, found.span));
        object(&found_json)
    }

    /// The functions of the query language.
    pub fn functions(&self) -> JsValue {
        let locale = self.locale.get();
        let list: Vec<Json> = functions::all()
            .map(|f| {
                json!({
                    "name": f.name,
                    "family": f.family.title(Locale::En),
                    "stand": f.stand.name(),
                    "signature": f.signature(),
                    "meaning": f.meaning(locale),
                    "example": f.example,
                    "definition": f.definition(),
                    "source": f.source,
                })
            })
            .collect();
        object(&list)
    }

    /// Runs a query.
    pub async fn query(&self, given: JsValue, how: JsValue, job: Job) -> Result<JsValue, JsValue> {
        let all_groups = json(&how).get("groups").is_some_and(|g| g == "all");
        let checked = self.checked(&given)?;
        let outcome = self.run(&checked, &job).await.map_err(|e| self.fault(&e))?;
        Ok(self.result_info(&outcome, all_groups))
    }

    /// Runs a read-only SQL statement.
    pub async fn sql(&self, text: String, params: JsValue, job: Job) -> Result<JsValue, JsValue> {
        let params = json(&params);
        let checked = self.engine.borrow().check_sql(&text, &params);
        let checked = Arc::new(checked.map_err(|e| self.fault(&e))?);
        let outcome = self.run(&checked, &job).await.map_err(|e| self.fault(&e))?;
        Ok(self.result_info(&outcome, false))
    }

    /// A result that is still kept.
    pub fn result(&self, id: &str) -> JsValue {
        let outcome = self.engine.borrow().result(id);
        outcome.map_or(JsValue::UNDEFINED, |o| self.result_info(&o, false))
    }

    /// Lets a result go; whether there was one.
    pub fn release(&self, id: &str) -> bool {
        self.engine.borrow_mut().release(id)
    }

    /// Rows of a result's table.
    pub fn rows(&self, id: &str, offset: usize, limit: usize) -> Result<JsValue, JsValue> {
        let outcome = self.outcome(id).map_err(|e| self.fault(&e))?;
        let end = outcome.rows.len().min(offset.saturating_add(limit));
        let (rows, total) = (&*outcome.rows, outcome.rows.len() as u64);
        Ok(page(&outcome.columns, rows, offset.min(end)..end, total, self.decimals))
    }

    /// The rows behind a result, or behind one group of it.
    pub async fn source(
        &self,
        id: String,
        key: JsValue,
        offset: usize,
        limit: usize,
        job: Job,
    ) -> Result<JsValue, JsValue> {
        let rows = self.source_rows(&id, &json(&key), offset, limit, &job).await;
        let SourceRows { columns, rows, total, .. } = rows.map_err(|e| self.fault(&e))?;
        Ok(page(&columns, &*rows, 0..rows.len(), total, self.decimals))
    }

    /// A result's table as an Arrow IPC stream.
    pub fn ipc(&self, id: &str) -> Result<Vec<u8>, JsValue> {
        self.engine.borrow().to_ipc(id).map_err(|e| self.fault(&e))
    }

    /// What the built-in planner makes of a question.
    pub fn plan(&self, question: &str, how: &JsValue) -> Result<JsValue, JsValue> {
        let how = json(how);
        let previous = match how.get("previous") {
            None | Some(Json::Null) => None,
            Some(previous) => Some(Query::from_json(previous).map_err(|e| self.fault(&e.into()))?),
        };
        let schemas = self.schemas();
        let table = how.get("table").and_then(Json::as_str);
        if let Some(table) = table.filter(|table| schemas.iter().all(|s| s.name != *table)) {
            return Err(self.fault(&no_table(table, &schemas)));
        }
        let context = planner::Context {
            table,
            previous: previous.as_ref(),
            locale: Some(self.locale.get()),
            times: None,
        };
        let plan = planner::plan(question, &schemas, &context);
        let notes = |notes: &[crate::error::Text]| -> Vec<String> {
            notes.iter().map(|n| n.get(plan.language).to_owned()).collect()
        };
        let status = match plan.status {
            planner::Status::Ready => "ready",
            planner::Status::Readings => "readings",
            planner::Status::Declined => "declined",
        };
        let readings: Vec<Json> = plan
            .readings
            .iter()
            .map(|r| {
                json!({
                    "query": r.query.to_json(), "explanation": r.explanation,
                    "confidence": r.confidence, "notes": notes(&r.notes),
                })
            })
            .collect();
        Ok(object(&json!({
            "status": status,
            "language": plan.language,
            "query": plan.query.as_ref().map(Query::to_json),
            "explanation": plan.explanation,
            "confidence": plan.confidence,
            "readings": readings,
            "message": plan.message,
            "notes": notes(&plan.notes),
        })))
    }

    /// Questions that a table can answer without a model.
    pub fn suggest(&self, table: &str) -> Result<JsValue, JsValue> {
        let schemas = self.schemas();
        let Some(schema) = schemas.iter().find(|s| s.name == table) else {
            return Err(self.fault(&no_table(table, &schemas)));
        };
        Ok(object(&planner::suggest(schema, self.locale.get())))
    }

    /// The entries of the ledger.
    pub fn ledger(&self) -> JsValue {
        object(self.protection.ledger.borrow().entries())
    }

    /// Recomputes the chain of the ledger.
    pub fn ledger_verify(&self) -> JsValue {
        match self.protection.ledger.borrow().verify() {
            Ok(()) => object(&json!({"ok": true})),
            Err(broken) => object(&json!({"ok": false, "seq": broken.seq})),
        }
    }

    /// The ledger as JSON Lines.
    pub fn ledger_export(&self) -> String {
        self.protection.ledger.borrow().export()
    }

    /// Another policy from now on.
    pub fn set_policy(&self, policy: &JsValue) -> Result<(), JsValue> {
        let changed = self.protection.replace(json(policy), &self.schemas());
        changed.map_err(|e| self.fault(&e))?;
        self.policy_changed();
        Ok(())
    }

    /// The policy in force: what the page set, what its loads named, what the scanner flagged.
    pub fn policy(&self) -> JsValue {
        object(&self.protection.policy().to_json())
    }

    /// Another language from now on.
    pub fn set_locale(&self, locale: &str) {
        self.locale.set(if locale == "ru" { Locale::Ru } else { Locale::En });
    }

    /// Memory, table by table and result by result.
    pub fn stats(&self) -> JsValue {
        let engine = self.engine.borrow();
        let stats = engine.stats();
        let rows: HashMap<String, u64> =
            engine.tables().iter().map(|t| (t.name.clone(), t.rows)).collect();
        let tables: Vec<Json> = stats
            .tables
            .iter()
            .map(|(name, bytes)| json!({"name": name, "rows": rows.get(name), "bytes": bytes}))
            .collect();
        let results: Vec<Json> = stats
            .results
            .iter()
            .map(|(id, bytes)| {
                let rows = engine.result(id).map(|o| o.rows.len());
                json!({"id": id, "rows": rows, "bytes": bytes})
            })
            .collect();
        let memory: js_sys::WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
        let buffer: js_sys::ArrayBuffer = memory.buffer().unchecked_into();
        object(&json!({
            "tables": tables, "results": results, "wasm_bytes": buffer.byte_length(),
        }))
    }
}

/// What a page says of its purchases.
fn purchases(given: Option<Json>) -> Result<Purchases> {
    let Some(given) = given.filter(|given| !given.is_null()) else {
        return Ok(Purchases::default());
    };
    let settings: Purchases = serde_json::from_value(given).map_err(|_| {
        Diagnostic::new(
            Code::BadOption,
            text!(
                "`purchases` names tables and their columns, and a reference date like 2024-12-31",
                "`purchases` называет таблицы с их столбцами и отчётную дату вида 2024-12-31"
            ),
        )
        .at("/purchases")
    })?;
    let problems = settings.problems();
    if problems.is_empty() { Ok(settings) } else { Err(Error::Input(problems)) }
}

impl Session {
    pub(super) fn fault(&self, error: &Error) -> JsValue {
        fault(error, self.locale.get())
    }

    pub(super) fn schemas(&self) -> Vec<Arc<TableSchema>> {
        self.engine.borrow().tables()
    }

    fn check_query(&self, given: &Json) -> Result<CheckedQuery> {
        Ok(query::check_json(given, &self.schemas())?)
    }

    fn checked(&self, given: &JsValue) -> Result<Arc<CheckedQuery>, JsValue> {
        let given = json(given);
        self.check_query(&given)
            .map(Arc::new)
            .map_err(|e| convert::fault_in(&e, &given, self.locale.get()))
    }

    async fn run(&self, checked: &Arc<CheckedQuery>, job: &Job) -> Result<Arc<Outcome>> {
        let execution = self.engine.borrow_mut().start(checked)?;
        run::finish(execution, job).await
    }

    async fn source_rows(
        &self,
        id: &str,
        key: &Json,
        offset: usize,
        limit: usize,
        job: &Job,
    ) -> Result<SourceRows> {
        let outcome = self.outcome(id)?;
        let key: Option<Vec<(String, Value)>> = key.as_object().map(|fields| {
            fields
                .iter()
                .map(|(name, value)| (name.clone(), key_value(&outcome, name, value)))
                .collect()
        });
        let execution = self.engine.borrow().source_rows(id, key.as_deref(), offset, limit)?;
        run::finish(execution, job).await
    }

    pub(super) fn outcome(&self, id: &str) -> Result<Arc<Outcome>> {
        self.engine.borrow().result(id).ok_or_else(|| {
            Diagnostic::new(
                Code::UnknownResult,
                text!("there is no result `{id}`", "нет результата `{id}`"),
            )
            .into()
        })
    }

    /// Starts taking a table out, with all that is known of it.
    pub(super) fn keep(&self, name: &str) -> Result<Keeping> {
        let about = self.abouts.borrow().get(name).cloned().unwrap_or_default();
        let note = Note { about, said: self.protection.said(name) };
        let note = serde_json::to_value(note).map_err(|e| Error::Internal(e.to_string()))?;
        self.engine.borrow().keep(name, note)
    }

    pub(super) fn keeps(&self) -> &Keeps {
        &self.keeps
    }

    pub(super) fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    pub(super) fn recalls(&self) -> &Recalls {
        &self.recalls
    }

    pub(super) fn scripts(&self) -> &Scripts {
        &self.scripts
    }

    pub(super) fn protection(&self) -> &Protection {
        &self.protection
    }

    pub(super) fn handed(&self) -> &RefCell<Handed> {
        &self.handed
    }

    pub(super) fn purchases(&self) -> &Purchases {
        &self.purchases
    }

    pub(super) fn engine(&self) -> &RefCell<Engine> {
        &self.engine
    }

    pub(super) fn policy_hash(&self) -> String {
        self.protection.policy().hash().to_owned()
    }

    pub(super) fn language(&self) -> Locale {
        self.locale.get()
    }

    fn policy_changed(&self) {
        for chat in self.chats.borrow_mut().values_mut() {
            chat.step(Event::Policy(chat.under(&self.protection.policy())));
        }
    }

    fn table_info(&self, schema: &TableSchema) -> JsValue {
        let bytes = self.engine.borrow().stats().tables;
        let bytes = bytes.iter().find(|(name, _)| *name == schema.name).map(|(_, b)| *b);
        let range = schema.range.as_ref().map(|(a, b)| [a.to_string(), b.to_string()]);
        let mut info = serde_json::to_value(schema).unwrap_or_default();
        if let Some(fields) = info.as_object_mut() {
            fields.insert("range".to_owned(), json!(range));
            fields.insert("fingerprint".to_owned(), json!(schema.fingerprint()));
            fields.insert("bytes".to_owned(), json!(bytes));
            let (flags, classes) = self.protection.describe(schema);
            fields.insert("flags".to_owned(), flags);
            fields.insert("classes".to_owned(), classes);
            if let Some(about) = self.abouts.borrow().get(&schema.name) {
                fields.insert("report".to_owned(), about.report.clone());
            }
        }
        object(&info)
    }

    pub(super) fn decimals(&self) -> Decimals {
        self.decimals
    }

    pub(super) fn result_info(&self, outcome: &Outcome, all_groups: bool) -> JsValue {
        info(outcome, all_groups, &self.protection.policy(), self.decimals, self.locale.get())
    }
}

/// There is no table of that name among these.
fn no_table(table: &str, schemas: &[Arc<TableSchema>]) -> Error {
    let choices = crate::error::closest(table, schemas.iter().map(|s| s.name.as_str()), 5);
    let message = text!("there is no table `{table}`", "нет таблицы `{table}`");
    Diagnostic::new(Code::UnknownTable, message).choices(choices).into()
}
