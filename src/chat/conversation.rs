//! The state machine of a conversation with a model.

use super::checker::{Checker, about};
use super::draft::Draft;
use super::event::{Action, ChatEvent, DraftStatus, Event, Failure, Usage};
use super::history::{History, Item, NO_ANSWER, Said};
use super::record::Record;
use super::round::Round;
use super::settings::Settings;
use super::wire::{Decoder, Fault, Model, ModelCall, ModelEvent, Stop, Wire, detail};
use super::{prompt, texts};
use crate::disclose::{Policy, ToolDefinition};
use crate::error::{Code, Error, Locale, Text};
use crate::facts::Outcome;
use crate::query::CheckedQuery;
use crate::schema::TableSchema;
use crate::tools::{self, Context};
use crate::validate::{Claim, Overall};
use std::collections::HashSet;
use std::sync::Arc;

/// Drafts of one answer; the last is checked too.
const MAX_DRAFTS: u32 = 3;
/// Times that a request is sent again.
const MAX_RETRIES: u32 = 3;
/// The first pause before a request is sent again; each later one is twice as long.
const FIRST_PAUSE: u64 = 500;
/// An endpoint that asks for a longer pause is not waited for.
const LONGEST_PAUSE: u64 = 60_000;
/// Bytes of an error page that are kept.
const ERROR_BODY: usize = 4096;

/// What stands in the history in place of an answer.
const OUT_OF_ROUNDS: &str = "[ended: too many rounds of tool calls; the person was told so]";
const REPEATED: &str = "[ended: the same call failed twice; the person was told so]";

/// What the model is told when its rounds are used up.
const LAST_ROUND: &str =
    "[no more tool calls] Answer now with the results you have, and say what is missing.";

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
    /// The results of the last question that had any.
    recent: Vec<Arc<Outcome>>,
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
    outcomes: Vec<Arc<Outcome>>,
    retries: u32,
    /// The calls that failed in the last round, so that one that fails again is noticed.
    failed: Vec<(String, String)>,
    told_last: bool,
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
            recent: Vec::new(),
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
        self.recent.clear();
        self.title = None;
        out
    }

    /// Notes a question that code answered on the device, so that a follow-up can build on it.
    pub fn answered_on_device(&mut self, question: &str, query: Arc<CheckedQuery>) {
        if !self.is_busy() {
            let asked = self.masked(question);
            self.history.ask(&asked);
            self.history.push(Item::OnDevice(query));
        }
    }

    /// What the person typed, protected cells masked.
    fn masked(&self, question: &str) -> String {
        let gate = context(&self.asking, &self.settings).gate();
        gate.typed_by_person(question).as_str().to_owned()
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
                if matches!(self.state, State::Approving { .. }) {
                    self.send(&mut out);
                }
            }
            Event::Cells(cells) => self.settings.cells = cells,
            Event::ToolDone { run, id, result } => self.tool_done(run, id, result, &mut out),
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

    // ---- requests

    /// Makes the next request from the history, under the policy of the moment.
    fn send(&mut self, out: &mut Vec<Action>) {
        self.number += 1;
        let request = self.number;
        let context = context(&self.asking, &self.settings);
        let gate = context.gate();
        let definitions = tools::definitions(context.locale)
            .into_iter()
            .map(|d| ToolDefinition {
                name: d.name.to_owned(),
                description: d.description.to_owned(),
                parameters: d.parameters,
            })
            .collect();
        let disclosure = gate.request(
            prompt::system(&gate, &self.asking.tables),
            definitions,
            self.history.messages(&gate, &context, self.settings.budget),
        );
        let model = Model {
            name: self.settings.model.clone(),
            stream: self.settings.stream,
            max_tokens: self.settings.max_tokens,
            tools: !self.asking.told_last,
            reasoning: self.reasoning,
        };
        let body = self.settings.wire.encode(&disclosure, &model);
        self.state = State::Approving { request };
        out.push(Action::Send { request, body, disclosure });
    }

    fn status(&mut self, request: u64, code: u16, retry_after: Option<u64>, out: &mut Vec<Action>) {
        if (200..300).contains(&code) {
            let reply = Reply {
                decoder: self.settings.wire.decoder(),
                draft: Draft::new(self.settings.hold),
                calls: Vec::new(),
                own: None,
            };
            self.state = State::Reading { request, reply: Box::new(reply) };
        } else if !(code == 429 || (500..600).contains(&code))
            || !self.pause(request, retry_after, out)
        {
            self.state = State::Refusing { request, status: code, body: Vec::new() };
        }
    }

    /// Waits before the request is sent again; false when it has been sent often enough, or the
    /// endpoint asks for more patience than a person has.
    fn pause(&mut self, request: u64, retry_after: Option<u64>, out: &mut Vec<Action>) -> bool {
        let ms = retry_after.unwrap_or(FIRST_PAUSE << self.asking.retries.min(10));
        if self.asking.retries >= MAX_RETRIES || ms > LONGEST_PAUSE {
            return false;
        }
        self.asking.retries += 1;
        self.state = State::Waiting { request };
        out.push(Action::Wait { request, ms });
        true
    }

    fn bytes(&mut self, request: u64, bytes: &[u8], out: &mut Vec<Action>) {
        let events = match &mut self.state {
            State::Reading { request: r, reply } if *r == request => reply.decoder.push(bytes),
            State::Refusing { request: r, body, .. } if *r == request => {
                let room = ERROR_BODY.saturating_sub(body.len());
                body.extend(bytes.iter().take(room));
                return;
            }
            _ => return,
        };
        self.model(events, out);
    }

    fn end(&mut self, request: u64, out: &mut Vec<Action>) {
        let events = match &mut self.state {
            State::Reading { request: r, reply } if *r == request => reply.decoder.finish(),
            State::Refusing { request: r, .. } if *r == request => {
                self.refused(out);
                return;
            }
            _ => return,
        };
        self.model(events, out);
    }

    fn failed(&mut self, request: u64, failure: Failure, out: &mut Vec<Action>) {
        match (&self.state, failure) {
            (State::Approving { request: r }, Failure::Ledger) if *r == request => {
                self.fail(Code::LedgerUnavailable, texts::no_ledger(), None, out);
            }
            (State::Approving { request: r } | State::Sent { request: r }, _) if *r == request => {
                self.fail(Code::EndpointUnreachable, texts::unreachable(), None, out);
            }
            (State::Reading { request: r, .. }, _) if *r == request => {
                self.fail(Code::StreamBroken, texts::broken(), None, out);
            }
            (State::Refusing { request: r, .. }, _) if *r == request => self.refused(out),
            _ => {}
        }
    }

    fn refused(&mut self, out: &mut Vec<Action>) {
        if let State::Refusing { status, body, .. } = &self.state {
            let (message, words) = (texts::status(*status), detail(body));
            // Models that do not think refuse to be asked for their thoughts.
            let thoughts = self.settings.wire == Wire::OpenAiResponses && *status == 400;
            if thoughts && self.reasoning && words.to_lowercase().contains("encrypted") {
                self.reasoning = false;
                self.send(out);
                return;
            }
            self.fail(Code::EndpointStatus, message, Some(words), out);
        }
    }

    // ---- the reply

    fn model(&mut self, events: Vec<ModelEvent>, out: &mut Vec<Action>) {
        for event in events {
            let State::Reading { request, reply } = &mut self.state else { return };
            match event {
                ModelEvent::Text(delta) => {
                    let checker = checker(&self.asking, &self.recent, &self.settings);
                    let more = reply.draft.push(&delta, |text| checker.check(text));
                    out.extend(more.map(|delta| Action::Emit(ChatEvent::Text { delta })));
                }
                ModelEvent::Call(call) => reply.calls.push(call),
                ModelEvent::Turn(own) => reply.own = Some(own),
                ModelEvent::Usage { input, output } => {
                    self.asking.usage.input_tokens += input;
                    self.asking.usage.output_tokens += output;
                }
                ModelEvent::Done(stop) => self.reply_done(stop, out),
                ModelEvent::Fault(fault) => {
                    let request = *request;
                    let fresh = reply.draft.text().is_empty();
                    self.fault(request, fresh, fault, out);
                }
            }
        }
    }

    fn fault(&mut self, request: u64, fresh: bool, fault: Fault, out: &mut Vec<Action>) {
        match fault {
            Fault::Broken => self.fail(Code::StreamBroken, texts::broken(), None, out),
            Fault::Reported { message, transient } => {
                if !(transient && fresh && self.pause(request, None, out)) {
                    self.fail(Code::EndpointStatus, texts::reported(), Some(message), out);
                }
            }
            Fault::Foreign { message } => {
                self.fail(Code::EndpointNotJson, texts::foreign(), Some(message), out);
            }
            Fault::TooLong => self.fail(Code::TooLong, texts::too_long(), None, out),
        }
    }

    fn reply_done(&mut self, stop: Stop, out: &mut Vec<Action>) {
        let State::Reading { reply, .. } = std::mem::replace(&mut self.state, State::Idle) else {
            return;
        };
        self.asking.retries = 0;
        if !reply.calls.is_empty() {
            self.calls(*reply, out);
        } else if reply.draft.text().trim().is_empty() {
            self.fail(Code::NotUnderstood, texts::empty(), None, out);
        } else {
            self.answer(&reply, stop, out);
        }
    }

    // ---- tools

    fn calls(&mut self, mut reply: Reply, out: &mut Vec<Action>) {
        let checker = checker(&self.asking, &self.recent, &self.settings);
        if let Some(delta) = reply.draft.close(|text| checker.check(text)) {
            out.push(Action::Emit(ChatEvent::Text { delta }));
        }
        if self.asking.told_last {
            let message = texts::too_many_rounds(self.settings.max_rounds);
            self.give_up(Code::TooManyRounds, &message, OUT_OF_ROUNDS, out);
            return;
        }
        self.asking.usage.rounds += 1;
        let said = reply.said();
        let calls: Vec<ModelCall> =
            reply.calls.into_iter().map(|call| self.with_id(call)).collect();
        if let Some(title) = calls.iter().find_map(|call| tools::title(&call.arguments)) {
            self.call_it(title, out);
        }
        let context = context(&self.asking, &self.settings);
        let round = Round::start(said, calls, &context, &mut self.number, out);
        self.state = State::Running(round);
        self.round_done(out);
    }

    /// Gives the conversation its title, once.
    fn call_it(&mut self, title: String, out: &mut Vec<Action>) {
        if self.title.is_none() {
            self.title = Some(title.clone());
            out.push(Action::Emit(ChatEvent::Title { title }));
        }
    }

    /// Gives the call an id of its own where the endpoint gave none, or the same one again.
    fn with_id(&mut self, mut call: ModelCall) -> ModelCall {
        let given = call.id.clone();
        let mut n = self.ids.len();
        while call.id.is_empty() || self.ids.contains(&call.id) {
            n += 1;
            call.id = match given.as_str() {
                "" => format!("call_{n}"),
                given => format!("{given}_{n}"),
            };
        }
        self.ids.insert(call.id.clone());
        call
    }

    fn tool_done(
        &mut self,
        run: u64,
        id: Option<String>,
        result: Result<Arc<Outcome>, Error>,
        out: &mut Vec<Action>,
    ) {
        if let State::Running(round) = &mut self.state
            && round.ran(run, id, result, self.settings.locale, out)
        {
            self.round_done(out);
        }
    }

    /// When every call of the round is answered, the model hears of all of them together.
    fn round_done(&mut self, out: &mut Vec<Action>) {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Running(round) if round.is_complete() => {
                let context = context(&self.asking, &self.settings);
                let failed = round.failed(&context);
                let again = round.all_failed(&context)
                    && failed.iter().any(|call| self.asking.failed.contains(call));
                let problems = round.problems(self.settings.locale);
                self.asking.failed = failed;
                self.asking.outcomes.extend(round.outcomes());
                self.history.push(round.into_item());
                if again {
                    let message = texts::repeated_failure(&problems);
                    self.give_up(Code::RepeatedFailure, &message, REPEATED, out);
                    return;
                }
                if self.asking.usage.rounds >= self.settings.max_rounds {
                    self.asking.told_last = true;
                    self.history.push(Item::Told(LAST_ROUND));
                }
                self.send(out);
            }
            state => self.state = state,
        }
    }

    // ---- the end of a question

    /// Checks a draft: it is delivered, or goes back with what is wrong with it. The last draft is
    /// delivered in any case, with what is wrong replaced or marked.
    fn answer(&mut self, reply: &Reply, stop: Stop, out: &mut Vec<Action>) {
        let draft = &reply.draft;
        self.asking.usage.drafts += 1;
        let n = self.asking.usage.drafts;
        let checker = checker(&self.asking, &self.recent, &self.settings);
        let check = checker.check(draft.text());
        let context = context(&self.asking, &self.settings);
        let gate = context.gate();
        let findings = checker.findings(draft.text(), &gate);
        if !findings.is_empty() && n < MAX_DRAFTS {
            out.push(Action::Emit(ChatEvent::Draft { n, status: DraftStatus::Rejected }));
            self.history.push(Item::Rejected { said: reply.said(), findings });
            self.send(out);
            return;
        }
        let verdict = check.verdict;
        let (answer, claims) = match verdict {
            Overall::Ok => (draft.text().to_owned(), check.claims),
            Overall::Rewrite => {
                let marked = checker.deliver(draft.text(), &check);
                (marked.text, marked.claims)
            }
        };
        // What is shown stays where the delivered text begins with it; else it is taken back.
        let delta = if let Some(rest) = answer.strip_prefix(draft.shown()) {
            rest.to_owned()
        } else {
            out.push(Action::Emit(ChatEvent::Draft { n, status: DraftStatus::Rejected }));
            answer.clone()
        };
        if !delta.is_empty() {
            out.push(Action::Emit(ChatEvent::Text { delta }));
        }
        out.push(Action::Emit(ChatEvent::Claims {
            answer: answer.clone(),
            claims: claims.clone(),
        }));
        out.push(Action::Emit(ChatEvent::Draft { n, status: DraftStatus::Final }));
        let ended = match stop {
            Stop::Complete => None,
            Stop::Length => Some(Code::TooLong),
            Stop::Filtered => Some(Code::EndpointStatus),
        };
        let item = Item::Answer(draft.text().to_owned());
        self.done(answer, claims, verdict, ended, item, out);
    }

    /// Ends the question with an honest answer of the program's own.
    fn give_up(&mut self, code: Code, message: &Text, note: &'static str, out: &mut Vec<Action>) {
        let answer = message.get(self.settings.locale).to_owned();
        out.push(Action::Emit(ChatEvent::Text { delta: answer.clone() }));
        self.done(answer, Vec::new(), Overall::Ok, Some(code), Item::Ended(note), out);
    }

    fn done(
        &mut self,
        answer: String,
        claims: Vec<Claim>,
        verdict: Overall,
        ended: Option<Code>,
        item: Item,
        out: &mut Vec<Action>,
    ) {
        if ended.is_none() {
            self.call_it(texts::title(&self.asking.question), out);
        }
        let usage = self.asking.usage;
        out.push(Action::Emit(ChatEvent::Done { answer, claims, verdict, ended, usage }));
        self.finish(item, out);
    }

    fn fail(&mut self, code: Code, message: Text, detail: Option<String>, out: &mut Vec<Action>) {
        let detail = detail.filter(|d| !d.is_empty());
        out.push(Action::Emit(ChatEvent::Error { code, message, detail }));
        self.finish(Item::Ended(NO_ANSWER), out);
    }

    fn cancel(&mut self, out: &mut Vec<Action>) {
        if self.is_busy() {
            self.fail(Code::Cancelled, texts::cancelled(), None, out);
        }
    }

    fn finish(&mut self, item: Item, out: &mut Vec<Action>) {
        self.history.push(item);
        self.history.close();
        if !self.asking.outcomes.is_empty() {
            self.recent = std::mem::take(&mut self.asking.outcomes);
        }
        self.state = State::Idle;
        out.push(Action::Finish);
    }
}

/// What the model reads is in English whatever the page's language.
fn context<'a>(asking: &'a Asking, settings: &'a Settings) -> Context<'a> {
    Context {
        guard: Some(&settings.guard),
        cells: Some(&settings.cells),
        ..Context::new(&asking.tables, &settings.policy, Locale::En)
    }
}

/// An answer is checked against the results of its own question, or, where it ran none, against
/// those of the last question that did.
fn checker<'a>(asking: &'a Asking, recent: &'a [Arc<Outcome>], settings: &Settings) -> Checker<'a> {
    let outcomes = if asking.outcomes.is_empty() { recent } else { &asking.outcomes };
    Checker::new(outcomes, &asking.about, &asking.question, settings.locale)
}
