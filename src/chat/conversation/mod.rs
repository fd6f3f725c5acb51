//! The state machine of a conversation with a model.

mod ending;
mod reply;
mod request;

use super::checker::{Checker, Evidence, about};
use super::draft::Draft;
use super::event::{Action, Event, Usage};
use super::history::{History, Item, Said};
use super::record::Record;
use super::round::Round;
use super::settings::Settings;
use super::texts;
use super::wholes::Wanted;
use super::wire::{Decoder, ModelCall, Stop};
use crate::disclose::{Cells, Policy};
use crate::error::{Code, Locale};
use crate::facts::Outcome;
use crate::query::CheckedQuery;
use crate::schema::TableSchema;
use crate::tools::{Context, Given};
use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

/// Stands for a statement of SQL that the person ran.
const STATEMENT: &str = "[a statement of SQL, run on the device]";

/// A conversation: questions in, actions out. It does no I/O and reads no clock.
pub struct Conversation {
    settings: Settings,
    history: History,
    state: State,
    asking: Asking,
    /// Numbers of requests and runs, so that nothing late is taken for something current.
    number: u64,
    /// Every call id that was used.
    ids: HashSet<String>,
    title: Option<String>,
    /// Whether the model takes a request for its encrypted thoughts.
    reasoning: bool,
    /// The results of the last question that, as far as the model heard, had any.
    recent: Evidence,
}

/// What is going on.
enum State {
    Idle,
    /// A request waits for the ledger and the person.
    Approving {
        request: u64,
    },
    /// It was sent.
    Sent {
        request: u64,
    },
    /// A reply comes in.
    Reading {
        request: u64,
        reply: Box<Reply>,
    },
    /// The endpoint said no; its words come in.
    Refusing {
        request: u64,
        status: u16,
        body: Vec<u8>,
    },
    /// A pause before the request is sent again.
    Waiting {
        request: u64,
    },
    /// Queries run.
    Running(Round),
    /// A draft is complete; what its check asked for is computed.
    Checking {
        draft: Box<Reply>,
        stop: Stop,
        /// What has not come yet, by the numbers of the runs.
        waiting: Vec<(u64, Wanted)>,
    },
}

struct Reply {
    decoder: Decoder,
    draft: Draft,
    calls: Vec<ModelCall>,
    /// The reply as the endpoint wrote it, where it wants that back.
    own: Option<String>,
}

impl Reply {
    fn said(&self) -> Said {
        Said { text: self.draft.text().to_owned(), own: self.own.clone() }
    }
}

/// The open question.
#[derive(Default)]
struct Asking {
    question: String,
    tables: Vec<Arc<TableSchema>>,
    /// What the schema itself says, as results.
    about: Vec<Arc<Outcome>>,
    evidence: Evidence,
    retries: u32,
    told_last: bool,
    /// The last round gave results, all of it.
    answerable: bool,
    usage: Usage,
}

impl Conversation {
    /// A conversation without history.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            history: History::default(),
            state: State::Idle,
            asking: Asking::default(),
            number: 0,
            ids: HashSet::new(),
            title: None,
            reasoning: true,
            recent: Evidence::default(),
        }
    }

    /// A conversation that goes on from `record`, with requests to `endpoint`. Where they went
    /// elsewhere, or under another policy, only the questions are taken over.
    pub fn reopen(settings: Settings, record: &Record, endpoint: &str) -> Self {
        let same = record.endpoint == endpoint && record.policy_hash == settings.policy.hash();
        let history = record.history(same);
        let ids = history.call_ids().map(str::to_owned).collect();
        Self { history, ids, title: record.title.clone(), ..Self::new(settings) }
    }

    /// What to keep of it, so that it can be opened again; none while a question is open.
    pub fn record(&self, endpoint: &str) -> Option<Record> {
        let context = context(&self.asking, &self.settings);
        let title = self.title.as_deref();
        (!self.is_busy()).then(|| Record::of(&self.history, endpoint, title, &context))
    }

    /// The policy that requests are made under.
    pub fn policy(&self) -> &Policy {
        &self.settings.policy
    }

    /// True while a question is open.
    pub fn is_busy(&self) -> bool {
        !matches!(self.state, State::Idle)
    }

    /// Forgets every earlier turn. What is under way is cancelled.
    pub fn clear(&mut self) -> Vec<Action> {
        let out = self.step(Event::Cancel);
        self.history.clear();
        self.recent = Evidence::default();
        self.title = None;
        out
    }

    /// Notes a question that code answered on the device, so that a follow-up can build on it: by this
    /// query, or by something that gave no result. A statement of SQL is no question: its words stay
    /// on the device as what it found does.
    pub fn answered_on_device(&mut self, question: &str, query: Option<Arc<CheckedQuery>>) {
        if !self.is_busy() {
            let sql = query.as_ref().and_then(|query| query.sql());
            let asked = if sql.is_some_and(|(text, _)| states(question, text)) {
                STATEMENT.to_owned()
            } else {
                self.masked(question)
            };
            self.history.ask(&asked);
            self.history.push(Item::OnDevice(query));
        }
    }

    /// What the person typed, protected cells masked.
    fn masked(&self, question: &str) -> String {
        let gate = context(&self.asking, &self.settings).gate();
        gate.typed_by_person(question).as_str().to_owned()
    }

    /// What to do after `event` under the policy in force, which may have changed since the last one:
    /// then what came is judged by that, with the protected `cells` that it has.
    pub fn step_under(
        &mut self,
        event: Event,
        policy: &Policy,
        cells: impl FnOnce() -> Rc<Cells>,
    ) -> Vec<Action> {
        // What was refused is not asked for again.
        let ends = matches!(event, Event::Refused { .. } | Event::Failed { .. } | Event::Cancel);
        let mut out = Vec::new();
        if !ends && policy.hash() != self.settings.policy.hash() {
            out.extend(self.step(Event::Cells(cells())));
            out.extend(self.step(Event::Policy(policy.clone())));
        }
        out.extend(self.step(event));
        out
    }

    /// What to do after `event`. An event that belongs to nothing current changes nothing.
    pub fn step(&mut self, event: Event) -> Vec<Action> {
        let mut out = Vec::new();
        match event {
            Event::Ask { question, tables } => {
                self.cancel(&mut out);
                // Kept as it may leave: a cell that is protected now stays masked later on.
                let asked = self.masked(&question);
                self.history.ask(&asked);
                let about = about(&tables, &self.settings.policy);
                self.asking = Asking { question, tables, about, ..Asking::default() };
                self.send(&mut out);
            }
            Event::Cancel => self.cancel(&mut out),
            Event::Policy(policy) => {
                self.settings.policy = policy;
                // What the schema says is checked as far as it may be known from now on.
                self.asking.about = about(&self.asking.tables, &self.settings.policy);
                // So is what it hears of the calls so far: that one failed may not be told any more.
                if self.is_busy() {
                    self.judge();
                }
                if matches!(self.state, State::Approving { .. }) {
                    self.send(&mut out);
                }
            }
            Event::Cells(cells) => self.settings.cells = cells,
            Event::ToolDone { run, id, result } => self.tool_done(run, id, result, &mut out),
            Event::CallDone { run, result } => self.call_done(run, *result, &mut out),
            Event::Recomputed { run, result } => self.recomputed(run, result, &mut out),
            Event::Approved { request } => {
                if matches!(self.state, State::Approving { request: r } if r == request) {
                    self.asking.usage.requests += 1;
                    self.state = State::Sent { request };
                }
            }
            Event::Refused { request } => {
                if matches!(self.state, State::Approving { request: r } if r == request) {
                    self.fail(Code::SendRefused, texts::refused(), None, &mut out);
                }
            }
            Event::Status { request, code, retry_after } => {
                if matches!(self.state, State::Sent { request: r } if r == request) {
                    self.status(request, code, retry_after, &mut out);
                }
            }
            Event::Bytes { request, bytes } => self.bytes(request, &bytes, &mut out),
            Event::End { request } => self.end(request, &mut out),
            Event::Failed { request, failure } => self.failed(request, failure, &mut out),
            Event::Waited { request } => {
                if matches!(self.state, State::Waiting { request: r } if r == request) {
                    self.send(&mut out);
                }
            }
        }
        out
    }
}

/// What the model reads is in English whatever the page's language.
fn context<'a>(asking: &'a Asking, settings: &'a Settings) -> Context<'a> {
    Context {
        guard: Some(&settings.guard),
        cells: Some(&settings.cells),
        purchases: settings.purchases.as_deref(),
        scripts: settings.scripts,
        ..Context::new(&asking.tables, &settings.policy, Locale::En)
    }
}

/// The results that a call may name.
fn given<'a>(asking: &'a Asking, recent: &'a Evidence) -> Given<'a> {
    let evidence = if asking.evidence.is_empty() { recent } else { &asking.evidence };
    Given { handed: &evidence.handed, outcomes: &evidence.outcomes }
}

/// An answer is checked against the results of its own question, or, where the model heard of none,
/// against those of the last question where it did.
fn checker<'a>(asking: &'a Asking, recent: &'a Evidence, settings: &Settings) -> Checker<'a> {
    let evidence = if asking.evidence.is_empty() { recent } else { &asking.evidence };
    Checker::new(evidence, &asking.about, &asking.question, settings.locale)
}

/// What was asked is the statement itself, as text or within a query of JSON.
fn states(question: &str, sql: &str) -> bool {
    question.contains(sql.trim()) || question.trim_start().starts_with('{')
}
