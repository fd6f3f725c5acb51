//! Replays: a scripted model, a host that answers queries with prepared results, and every path of
//! the conversation between them.

mod behind;
mod checked;
mod cost;
mod faults;
mod lies;
mod local;
mod oracles;
mod recomputed;
mod references;
mod reopened;
mod replay;
mod secrets;
mod uncounted;

use super::wire::Wire;
use super::{Action, ChatEvent, Conversation, DraftStatus, Event, Failure, Hold, Settings};
use crate::disclose::{Ledger, Policy};
use crate::error::{Code, Error};
use crate::facts::Outcome;
use crate::query::CheckedQuery;
use crate::query::check::ResultKind;
use crate::schema::{Column, Kind, TableSchema};
use crate::validate::{Overall, Verdict};
use crate::value::{Rows, Table, Value};
use chrono::{NaiveDate, NaiveDateTime};
use serde_json::{Value as Json, json};
use std::collections::VecDeque;
use std::sync::Arc;

fn moment(year: i32, month: u32, day: u32) -> Value {
    let date = NaiveDate::from_ymd_opt(year, month, day).expect("a date");
    Value::from_datetime(NaiveDateTime::from(date))
}

/// Minute bars and receipts.
pub(super) fn tables() -> Vec<Arc<TableSchema>> {
    let number = |name: &str| Column::new(name, Kind::Float);
    let bars = TableSchema {
        rows: 525_600,
        time: Some("timestamp".into()),
        interval: Some(60),
        range: Some((moment(2023, 1, 2), moment(2024, 12, 30))),
        ..TableSchema::new(
            "bars",
            vec![
                Column::new("timestamp", Kind::Timestamp),
                number("open"),
                number("high"),
                number("low"),
                number("close"),
                Column::new("volume", Kind::Int),
            ],
        )
    };
    let shop = Column {
        values: Some(vec!["Kuper".into(), "Vkusno".into()]),
        ..Column::new("shop", Kind::Text)
    };
    let receipts =
        TableSchema { rows: 900, ..TableSchema::new("receipts", vec![shop, number("amount")]) };
    vec![Arc::new(bars), Arc::new(receipts)]
}

const GAPS: &str = r#"{"table":"bars","from":"daily","map":{"gap":"gap()","dow":"dayname()"},"where":"gap > 50","group_by":"dow","select":"mean(gap)","title":"Mean gap by weekday"}"#;
const COUNT: &str = r#"{"table":"receipts","where":"amount > 100","select":"count()"}"#;

/// What the engine would answer: five weekdays for groups, of which a limit leaves the first, a number
/// for a scalar, rows otherwise.
fn outcome(id: String, query: &Arc<CheckedQuery>) -> Arc<Outcome> {
    let columns = query.output().to_vec();
    let kept = query.limit().filter(|_| query.kind() == ResultKind::Grouped).unwrap_or(5) as usize;
    let rows: Vec<Vec<Value>> = match query.kind() {
        ResultKind::Grouped => {
            [("Mon", 78.0), ("Tue", 67.3), ("Wed", 55.5), ("Thu", 61.2), ("Fri", 45.0)]
                .iter()
                .take(kept)
                .map(|(day, gap)| vec![Value::text(day), Value::Float(*gap)])
                .collect()
        }
        ResultKind::Scalar => vec![vec![Value::Int(80)]],
        ResultKind::Dict => vec![vec![Value::Int(80); columns.len()]],
        ResultKind::Table => (0..3)
            .map(|row| {
                let cell = |c: &crate::query::check::OutputColumn| match c.column.kind {
                    Kind::Text => Value::text("Kuper"),
                    Kind::Timestamp => moment(2024, 3, 1 + row),
                    Kind::Int => Value::Int(900 + i64::from(row)),
                    _ => Value::Float(1234.5 + f64::from(row)),
                };
                columns.iter().map(cell).collect()
            })
            .collect(),
    };
    let rows = Table { columns: columns.iter().map(|c| c.column.clone()).collect(), rows };
    Arc::new(Outcome {
        id,
        query: Arc::clone(query),
        columns,
        rows: Arc::new(rows) as Arc<dyn Rows>,
        rows_scanned: 500,
        rows_matched: 80,
        rows_before_limit: (kept < 5).then_some(5),
        warnings: Vec::new(),
    })
}

/// What the engine would compute of everything: the mean of all rows is not that of the groups.
fn everything(query: &Arc<CheckedQuery>) -> Arc<Outcome> {
    if query.kind() == ResultKind::Grouped {
        return outcome(String::new(), query);
    }
    let cell = |c: &Column| match c.kind {
        Kind::Int => Value::Int(80),
        _ => Value::Float(64.17),
    };
    let mut made = Outcome::clone(&outcome(String::new(), query));
    let columns: Vec<Column> = made.columns.iter().map(|c| c.column.clone()).collect();
    let rows = vec![columns.iter().map(cell).collect()];
    made.rows = Arc::new(Table { columns, rows });
    Arc::new(made)
}

/// What the endpoint does with a request.
#[derive(Debug, Clone)]
enum Reply {
    /// Answers with this body.
    Body(String),
    /// Answers with this body, then the connection is lost.
    Cut(String),
    /// Another status.
    Status(u16, Option<u64>, &'static str),
    /// No connection.
    Dead,
}

/// A streamed text, a delta a word.
fn text(words: &str) -> Reply {
    let deltas: Vec<Json> =
        words.split_inclusive(' ').map(|word| json!({"content": word})).collect();
    Reply::Body(stream(&deltas, "stop"))
}

/// Streamed calls.
fn calls(calls: &[(&str, &str)]) -> Reply {
    said_and_called("", calls)
}

fn said_and_called(words: &str, calls: &[(&str, &str)]) -> Reply {
    let mut deltas = vec![json!({"content": words})];
    deltas.extend(calls.iter().enumerate().map(|(i, (name, arguments))| {
        json!({"tool_calls": [{"index": i, "id": format!("c{i}"), "function": {"name": name, "arguments": arguments}}]})
    }));
    Reply::Body(stream(&deltas, "tool_calls"))
}

/// What the model says and calls, in one piece, as `wire` writes it.
fn whole(wire: Wire, words: &str, calls: &[(&str, &str)]) -> String {
    let numbered =
        || calls.iter().enumerate().map(|(i, (name, json))| (format!("c{i}"), *name, *json));
    let reply = match wire {
        Wire::OpenAiChat => {
            let calls: Vec<Json> = numbered()
                .map(|(id, name, arguments)| json!({"id": id, "function": {"name": name, "arguments": arguments}}))
                .collect();
            json!({"choices": [{"message": {"content": words, "tool_calls": calls}, "finish_reason": "stop"}]})
        }
        Wire::OpenAiResponses => {
            let text = json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": words}]});
            let calls = numbered().map(|(id, name, arguments)| {
                json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments})
            });
            let thought = json!({"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"});
            let output: Vec<Json> = [thought, text].into_iter().chain(calls).collect();
            json!({"object": "response", "status": "completed", "output": output})
        }
        Wire::Anthropic => {
            let calls = numbered().map(|(id, name, arguments)| {
                let input: Json = serde_json::from_str(arguments).unwrap_or_default();
                json!({"type": "tool_use", "id": id, "name": name, "input": input})
            });
            let thought = json!({"type": "thinking", "thinking": "Hm.", "signature": "EqQB"});
            let text = json!({"type": "text", "text": words});
            let content: Vec<Json> = [thought, text].into_iter().chain(calls).collect();
            json!({"type": "message", "content": content, "stop_reason": "end_turn"})
        }
    };
    reply.to_string()
}

fn stream(deltas: &[Json], reason: &str) -> String {
    let said = deltas.iter().map(|delta| json!({"choices": [{"index": 0, "delta": delta}]}));
    let last = [
        json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}),
        json!({"choices": [], "usage": {"prompt_tokens": 10, "completion_tokens": 3}}),
        "[DONE]".into(),
    ];
    said.chain(last).fold(String::new(), |all, payload| {
        let payload = payload.as_str().map_or(payload.to_string(), str::to_owned);
        all + "data: " + &payload + "\n\n"
    })
}

/// Drives a conversation as a page would.
struct Host {
    conversation: Conversation,
    policy: Policy,
    tables: Vec<Arc<TableSchema>>,
    replies: VecDeque<Reply>,
    /// Bodies that were sent.
    sent: Vec<String>,
    events: Vec<ChatEvent>,
    ran: Vec<Json>,
    /// The queries that a check asked for.
    recomputed: Vec<Json>,
    /// The results of the queries.
    made: Vec<Arc<Outcome>>,
    waited: Vec<u64>,
    ledger: Ledger,
    finished: u32,
    /// What a query gives in place of a result.
    failure: Option<Error>,
    refuse: bool,
    /// The tables are gone when a check asks for more of them.
    gone: bool,
    /// A policy that comes while the next check computes something.
    tighten: Option<Policy>,
    /// A policy that comes once so many requests were sent.
    tighten_after: Option<(usize, Policy)>,
    /// What a check asks for does not end.
    stall: bool,
    stalled: Option<(u64, Arc<CheckedQuery>)>,
    /// Bytes in a piece.
    piece: usize,
}

impl Host {
    fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self::with(Settings::new(Wire::OpenAiChat, "scripted"), replies)
    }

    fn with(settings: Settings, replies: impl IntoIterator<Item = Reply>) -> Self {
        Self {
            policy: settings.policy.clone(),
            conversation: Conversation::new(settings),
            tables: tables(),
            replies: replies.into_iter().collect(),
            sent: Vec::new(),
            events: Vec::new(),
            ran: Vec::new(),
            recomputed: Vec::new(),
            made: Vec::new(),
            waited: Vec::new(),
            ledger: Ledger::new(),
            finished: 0,
            failure: None,
            refuse: false,
            gone: false,
            tighten: None,
            tighten_after: None,
            stall: false,
            stalled: None,
            piece: 17,
        }
    }

    /// Asks, and goes on until the question is over.
    fn ask(&mut self, question: &str) -> &mut Self {
        let tables = self.tables.clone();
        let finished = self.finished;
        self.events.clear();
        self.drive(Event::Ask { question: question.into(), tables });
        assert_eq!(self.finished, finished + 1, "every question finishes once: {:?}", self.events);
        assert!(!self.conversation.is_busy());
        self
    }

    fn drive(&mut self, event: Event) {
        let mut queue: VecDeque<Event> = VecDeque::from([event]);
        while let Some(event) = queue.pop_front() {
            for action in self.conversation.step(event) {
                match action {
                    Action::Emit(event) => self.events.push(event),
                    Action::Finish => self.finished += 1,
                    Action::RunCall { .. } | Action::RunScript { .. } => {
                        panic!("there are no such tools")
                    }
                    Action::Wait { request, ms } => {
                        self.waited.push(ms);
                        queue.push_back(Event::Waited { request });
                    }
                    Action::Recompute { run, checked } => {
                        self.recomputed.push(checked.canonical().clone());
                        if self.stall {
                            self.stalled = Some((run, checked));
                            continue;
                        }
                        if let Some(policy) = self.tighten.take() {
                            self.policy = policy.clone();
                            queue.push_back(Event::Policy(policy));
                        }
                        let result = (!self.gone).then(|| everything(&checked));
                        queue.push_back(Event::Recomputed { run, result });
                    }
                    Action::RunQuery { run, checked, .. } => {
                        self.ran.push(checked.canonical().clone());
                        let result = if let Some(error) = &self.failure {
                            Err(error.clone())
                        } else {
                            let made = outcome(format!("r{}", self.ran.len()), &checked);
                            self.made.push(Arc::clone(&made));
                            Ok(made)
                        };
                        let id = Some(format!("r{}", self.ran.len()));
                        queue.push_back(Event::ToolDone { run, id, result });
                    }
                    Action::Send { request, body, disclosure } => {
                        self.ledger.append(
                            0,
                            "https://model.test",
                            &body,
                            &disclosure,
                            &self.policy,
                        );
                        if self.refuse {
                            queue.push_back(Event::Refused { request });
                            continue;
                        }
                        self.sent.push(String::from_utf8(body).expect("JSON is UTF-8"));
                        queue.push_back(Event::Approved { request });
                        let sent = self.sent.len();
                        if let Some((_, policy)) = self.tighten_after.take_if(|(n, _)| *n == sent) {
                            self.policy = policy.clone();
                            queue.push_back(Event::Policy(policy));
                        }
                        queue.extend(self.reply(request));
                    }
                }
            }
        }
    }

    fn reply(&mut self, request: u64) -> Vec<Event> {
        let status = |code, retry_after| Event::Status { request, code, retry_after };
        let reply = self.replies.pop_front().expect("a reply is scripted");
        let pieces = |body: &str| -> Vec<Event> {
            body.as_bytes()
                .chunks(self.piece)
                .map(|bytes| Event::Bytes { request, bytes: bytes.to_vec() })
                .collect()
        };
        let failed = |failure| Event::Failed { request, failure };
        let mut events = Vec::new();
        match reply {
            Reply::Body(body) => {
                events.push(status(200, None));
                events.extend(pieces(&body));
                events.push(Event::End { request });
            }
            Reply::Cut(body) => {
                events.push(status(200, None));
                events.extend(pieces(&body));
                events.push(failed(Failure::Network));
            }
            Reply::Status(code, retry_after, body) => {
                events.push(status(code, retry_after));
                events.extend(pieces(body));
                events.push(Event::End { request });
            }
            Reply::Dead => events.push(failed(Failure::Network)),
        }
        events
    }

    /// The text that the person sees in the end: what was taken back is gone.
    fn shown(&self) -> String {
        let mut shown = String::new();
        for event in &self.events {
            match event {
                ChatEvent::Text { delta } => shown.push_str(delta),
                ChatEvent::ToolCall { .. }
                | ChatEvent::Draft { status: DraftStatus::Rejected, .. } => shown.clear(),
                _ => {}
            }
        }
        shown
    }

    fn kinds(&self) -> Vec<String> {
        let mut kinds: Vec<String> = self
            .events
            .iter()
            .map(|e| e.to_json(crate::error::Locale::En)["type"].as_str().unwrap_or("?").to_owned())
            .collect();
        kinds.dedup();
        kinds
    }

    fn answer(&self) -> (String, Overall, Vec<Verdict>) {
        match self.events.last() {
            Some(ChatEvent::Done { answer, claims, verdict, .. }) => {
                (answer.clone(), *verdict, claims.iter().map(|c| c.verdict).collect())
            }
            other => panic!("no answer but {other:?}"),
        }
    }

    fn error(&self) -> Code {
        match self.events.last() {
            Some(ChatEvent::Error { code, .. }) => *code,
            other => panic!("no error but {other:?}"),
        }
    }

    fn rejected(&self) -> usize {
        let rejected =
            |e: &&ChatEvent| matches!(e, ChatEvent::Draft { status: DraftStatus::Rejected, .. });
        self.events.iter().filter(rejected).count()
    }

    /// The messages of the `n`th request.
    fn messages(&self, n: usize) -> Vec<Json> {
        let body: Json = serde_json::from_str(&self.sent[n]).expect("a body is JSON");
        body["messages"].as_array().cloned().expect("messages")
    }

    fn content(&self, n: usize, role: &str) -> Vec<String> {
        self.messages(n)
            .iter()
            .filter(|m| m["role"] == role)
            .map(|m| m["content"].as_str().unwrap_or_default().to_owned())
            .collect()
    }
}
