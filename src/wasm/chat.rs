//! Driving a conversation: its actions done one by one with what the host offers, until it is over.

use super::convert::{Host, object, plain};
use super::protection::{Bound, Protection};
use super::run;
use super::script::{self, Scripts};
use crate::chat::{Action, ChatEvent, Conversation, Event, Failure, Local, Record};
use crate::disclose::{Cells, Disclosure, Draft, Gate, Policy, Recorded, Stricter};
use crate::engine::Engine;
use crate::error::{Error, Locale};
use crate::query::{CheckedQuery, Query};
use crate::schema::TableSchema;
use crate::tools::purchases::PurchaseRun;
use crate::tools::{RUN_SCRIPT, ToolResult};
use serde_json::json;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::sync::Arc;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// How often a line is written anew when others come in between.
const MOST_DRAFTS: u32 = 20;

#[wasm_bindgen]
extern "C" {
    /// What a conversation asks of its surroundings.
    pub type ChatHost;

    #[wasm_bindgen(method)]
    fn emit(this: &ChatHost, event: &JsValue);
    #[wasm_bindgen(method)]
    fn approve(this: &ChatHost, entry: &JsValue) -> js_sys::Promise;
    /// Keeps a line of the ledger: nothing, or the lines that another page has written meanwhile.
    #[wasm_bindgen(method)]
    fn keep(this: &ChatHost, seq: f64, line: &str) -> js_sys::Promise;
    #[wasm_bindgen(method)]
    fn send(this: &ChatHost, body: &str) -> js_sys::Promise;
    #[wasm_bindgen(method)]
    fn now(this: &ChatHost) -> f64;
    #[wasm_bindgen(method)]
    fn cancelled(this: &ChatHost) -> bool;
    #[wasm_bindgen(method)]
    fn pause(this: &ChatHost) -> js_sys::Promise;
    #[wasm_bindgen(method)]
    fn script(this: &ChatHost, number: u32, script: &str) -> js_sys::Promise;
    #[wasm_bindgen(method, js_name = disk)]
    fn open_disk(this: &ChatHost) -> js_sys::Promise;

    /// An answer of an endpoint, read on demand.
    type Response;

    #[wasm_bindgen(method, getter)]
    fn status(this: &Response) -> f64;
    #[wasm_bindgen(method, getter)]
    fn retry_after(this: &Response) -> Option<f64>;
    #[wasm_bindgen(method)]
    fn read(this: &Response) -> js_sys::Promise;
}

impl Host for ChatHost {
    fn is_cancelled(&self) -> bool {
        self.cancelled()
    }
    fn report(&self, _done: u64, _total: u64) {}
    fn turn(&self) -> js_sys::Promise {
        self.pause()
    }
    fn sandbox(&self, number: u32, script: &str) -> js_sys::Promise {
        self.script(number, script)
    }
    fn disk(&self) -> js_sys::Promise {
        self.open_disk()
    }
}

/// A conversation of either kind.
pub(super) enum Chat {
    /// With a model at an endpoint.
    Model {
        /// Its state.
        conversation: Box<Conversation>,
        /// Where its requests go, as the ledger names it.
        endpoint: String,
        /// What it may be told beside the policy of the page.
        stricter: Stricter,
    },
    /// Without.
    Planner(Box<Local>),
}

impl Chat {
    pub(super) fn step(&mut self, event: Event) -> Vec<Action> {
        match self {
            Self::Model { conversation, .. } => conversation.step(event),
            Self::Planner(local) => local.step(event),
        }
    }

    /// The same under the policy in force: no call of `set_policy` reaches a conversation that is busy.
    fn step_under(&mut self, event: Event, around: &Surroundings<'_>) -> Vec<Action> {
        match self {
            Self::Model { conversation, stricter, .. } => {
                let policy = stricter.of(&around.protection.policy());
                let cells = || around.protection.cells(&around.engine.borrow(), &policy);
                conversation.step_under(event, &policy, cells)
            }
            Self::Planner(local) => local.step(event),
        }
    }

    pub(super) fn clear(&mut self) {
        match self {
            Self::Model { conversation, .. } => conversation.clear(),
            Self::Planner(local) => local.clear(),
        };
    }

    /// Notes a question that was answered without it.
    pub(super) fn answered(&mut self, question: &str, query: Option<&Arc<CheckedQuery>>) {
        match self {
            Self::Model { conversation, .. } => {
                conversation.answered_on_device(question, query.cloned());
            }
            Self::Planner(local) => {
                let query = query.and_then(|query| Query::from_json(query.canonical()).ok());
                local.answered(query);
            }
        }
    }

    /// What to keep of it; nothing while it is busy.
    pub(super) fn record(&self) -> Option<Record> {
        match self {
            Self::Model { conversation, endpoint, .. } => conversation.record(endpoint),
            Self::Planner(local) => local.record(),
        }
    }

    fn endpoint(&self) -> &str {
        match self {
            Self::Model { endpoint, .. } => endpoint,
            Self::Planner(_) => "",
        }
    }

    /// What it may be told beside the policy of the page.
    fn stricter(&self) -> Stricter {
        match self {
            Self::Model { stricter, .. } => stricter.clone(),
            Self::Planner(_) => Stricter::default(),
        }
    }

    /// What holds for it under the policy of the page.
    pub(super) fn under(&self, policy: &Policy) -> Policy {
        self.stricter().of(policy)
    }

    fn policy(&self) -> Policy {
        match self {
            Self::Model { conversation, .. } => conversation.policy().clone(),
            Self::Planner(_) => Policy::default(),
        }
    }
}

/// What a conversation works with.
pub(super) struct Surroundings<'a> {
    pub(super) engine: &'a RefCell<Engine>,
    /// What may leave; the policy may change while a question is open.
    pub(super) protection: &'a Protection,
    pub(super) scripts: &'a Scripts,
    pub(super) locale: Locale,
    pub(super) host: &'a ChatHost,
}

/// A body that comes in.
struct Incoming {
    request: u64,
    response: Response,
}

/// Asks a question and sees it through.
pub(super) async fn ask(
    chat: &mut Chat,
    question: &str,
    tables: Vec<Arc<TableSchema>>,
    around: &Surroundings<'_>,
) {
    let policy = chat.under(&around.protection.policy());
    let cells = around.protection.cells(&around.engine.borrow(), &policy);
    if !matches!(chat, Chat::Planner(_)) {
        mask(&cells, question, around.host);
    }
    chat.step(Event::Cells(cells));
    let question = question.to_owned();
    let mut loaded = around.engine.borrow().tables();
    let mut queue: VecDeque<Action> = chat.step(Event::Ask { question, tables }).into();
    let mut incoming: Option<Incoming> = None;
    let mut cancelled = false;
    loop {
        if !cancelled && around.host.cancelled() {
            cancelled = true;
            incoming = None;
            queue.retain(|action| matches!(action, Action::Emit(_)));
            queue.extend(chat.step(Event::Cancel));
        }
        let events = match queue.pop_front() {
            Some(Action::Finish) => return,
            Some(Action::Emit(event)) => {
                emit(around, &event);
                Vec::new()
            }
            Some(Action::Send { request, body, disclosure }) => {
                incoming = None;
                let policy = chat.policy();
                let out = Outgoing {
                    endpoint: chat.endpoint(),
                    policy: &policy,
                    body: &body,
                    disclosure: &disclosure,
                };
                let approved = approve(&out, around.protection, around.host).await;
                let now = chat.under(&around.protection.policy());
                let held = around.engine.borrow().tables();
                if approved && (now.hash() != policy.hash() || !are_same(&loaded, &held)) {
                    // It is made anew under the policy that holds now and with the cells of the tables
                    // that are loaded now; this one is never sent.
                    let cells = around.protection.cells(&around.engine.borrow(), &now);
                    chat.step(Event::Cells(cells));
                    loaded = held;
                    queue.extend(chat.step(Event::Policy(now)));
                    continue;
                }
                if !approved || around.host.cancelled() {
                    vec![Event::Refused { request }]
                } else if let Some(recorded) = record(&out, around.protection, around.host).await {
                    queue.extend(chat.step(Event::Approved { request }));
                    let (event, response) = send(request, &recorded, around.host).await;
                    incoming = response.map(|response| Incoming { request, response });
                    vec![event]
                } else {
                    vec![Event::Failed { request, failure: Failure::Ledger }]
                }
            }
            Some(Action::RunQuery { run, checked, .. }) => {
                let policy = chat.policy();
                let gate = Gate::new(&policy).with_guard(around.protection.guard());
                let (id, result) =
                    run::for_model(around.engine, &checked, &gate, around.host).await;
                vec![Event::ToolDone { run, id, result }]
            }
            Some(Action::RunCall { run, call }) => {
                let started = PurchaseRun::start(*call, &mut around.engine.borrow_mut());
                match run::purchases(around.engine, started, around.host).await {
                    Ok(result) => vec![Event::CallDone { run, result: Box::new(result) }],
                    // It was cancelled, and so is the question.
                    Err(_) => Vec::new(),
                }
            }
            Some(Action::RunScript { run, call }) => {
                let with = script::Around {
                    engine: around.engine,
                    protection: Bound::new(around.protection, chat.stricter()),
                    scripts: around.scripts,
                    locale: around.locale,
                };
                match script::run(call, &with, around.host).await {
                    Ok(result) => vec![Event::CallDone { run, result: Box::new(result) }],
                    // It was cancelled, and so is the question.
                    Err(Error::Cancelled) => Vec::new(),
                    Err(error) => {
                        let result = ToolResult::failed(RUN_SCRIPT, error.diagnostics());
                        vec![Event::CallDone { run, result: Box::new(result) }]
                    }
                }
            }
            Some(Action::Recompute { run, checked }) => {
                let started = around.engine.borrow().aside(&checked);
                let result = match started {
                    Ok(execution) => run::finish(execution, around.host).await.ok(),
                    Err(_) => None,
                };
                vec![Event::Recomputed { run, result }]
            }
            Some(Action::Wait { request, ms }) => {
                run::sleep(ms, around.host).await;
                vec![Event::Waited { request }]
            }
            None => match incoming.take() {
                Some(from) => {
                    let (event, more) = read(&from).await;
                    incoming = more.then_some(from);
                    vec![event]
                }
                // Nothing to do and nothing to come: a question that ends without saying so.
                None if cancelled => return,
                None => {
                    cancelled = true;
                    vec![Event::Cancel]
                }
            },
        };
        for event in events {
            if !cancelled && around.host.cancelled() {
                break;
            }
            queue.extend(chat.step_under(event, around));
        }
    }
}

/// Nothing was loaded, appended or dropped meanwhile.
fn are_same(one: &[Arc<TableSchema>], other: &[Arc<TableSchema>]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| Arc::ptr_eq(a, b))
}

fn emit(around: &Surroundings<'_>, event: &ChatEvent) {
    around.host.emit(&plain(&event.to_json(around.locale)));
}

/// Tells the page which words of a question will be masked: the person may confirm them.
fn mask(cells: &Cells, question: &str, host: &ChatHost) {
    let found = cells.found(question);
    if !found.is_empty() {
        host.emit(&object(&json!({"type": "masked", "texts": found})));
    }
}

/// What is to leave.
pub(super) struct Outgoing<'a> {
    /// Where it goes, as the ledger names it.
    pub(super) endpoint: &'a str,
    /// What it was made under.
    pub(super) policy: &'a Policy,
    pub(super) body: &'a [u8],
    pub(super) disclosure: &'a Disclosure,
}

impl Outgoing<'_> {
    fn draft(&self, protection: &Protection, host: &ChatHost) -> Draft {
        let now = host.now() as u64;
        let ledger = protection.ledger.borrow();
        ledger.draft(now, self.endpoint, self.body, self.disclosure, self.policy)
    }
}

/// Asks whether a request may go.
pub(super) async fn approve(out: &Outgoing<'_>, protection: &Protection, host: &ChatHost) -> bool {
    let draft = out.draft(protection, host);
    match JsFuture::from(host.approve(&object(draft.entry()))).await {
        Ok(answer) => answer.is_truthy(),
        Err(_) => false,
    }
}

/// Writes a request to the ledger, has its line kept, and tells the page: what may now be sent.
pub(super) async fn record(
    out: &Outgoing<'_>,
    protection: &Protection,
    host: &ChatHost,
) -> Option<Recorded> {
    for _ in 0..MOST_DRAFTS {
        let draft = out.draft(protection, host);
        let seq = draft.entry().seq as f64;
        let kept = JsFuture::from(host.keep(seq, &draft.line())).await.ok()?;
        if let Some(lines) = kept.dyn_ref::<js_sys::Array>() {
            // Another page has written to the same ledger since: this one goes on from there.
            let lines: Vec<String> = lines.iter().filter_map(|line| line.as_string()).collect();
            protection.ledger.borrow_mut().extend(&lines).ok()?;
            continue;
        }
        // Another conversation of this page came in between: the line is written anew.
        let Ok(recorded) = protection.ledger.borrow_mut().commit(draft) else { continue };
        let event = js_sys::Object::new();
        let entry = object(recorded.entry());
        for (name, value) in [("type", &JsValue::from("ledger")), ("entry", &entry)] {
            // Setting a field of a fresh plain object cannot fail.
            let _ = js_sys::Reflect::set(&event, &name.into(), value);
        }
        host.emit(&event);
        return Some(recorded);
    }
    None
}

/// Sends what is on the ledger, and nothing else can be sent.
async fn send(request: u64, recorded: &Recorded, host: &ChatHost) -> (Event, Option<Response>) {
    let failed = Event::Failed { request, failure: Failure::Network };
    let Ok(text) = std::str::from_utf8(recorded.bytes()) else { return (failed, None) };
    match JsFuture::from(host.send(text)).await {
        Ok(response) => {
            let response: Response = response.unchecked_into();
            let retry_after = response.retry_after().map(|s| (s.max(0.0) * 1000.0) as u64);
            let code = response.status() as u16;
            (Event::Status { request, code, retry_after }, Some(response))
        }
        Err(_) => (failed, None),
    }
}

/// The next bytes, and whether there may be more.
async fn read(from: &Incoming) -> (Event, bool) {
    let request = from.request;
    match JsFuture::from(from.response.read()).await {
        Ok(chunk) if chunk.is_undefined() => (Event::End { request }, false),
        Ok(chunk) => {
            let bytes = js_sys::Uint8Array::new(&chunk).to_vec();
            (Event::Bytes { request, bytes }, true)
        }
        Err(_) => (Event::Failed { request, failure: Failure::Network }, false),
    }
}
