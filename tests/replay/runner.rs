//! Runs transcripts: a conversation between a person, the state machine and an endpoint whose replies
//! are written down byte for byte. It does no I/O.
//!
//! A file is made of sections that begin with `## `. In a section `#` lines are notes, `!` lines
//! settings (`stream=false`, `max_rounds=1`, `hold=none`), a `>` line asks a question, a `<` line
//! begins the next reply: its status, then `retry-after=SECONDS`, `cut` (the connection is lost at its
//! end) or `lost` (there is no reply). What follows is its body. `=` lines are what comes of it: what
//! the page is told, pauses, and the conversation within a question's last request as it was sent.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a broken transcript stops the test"
)]

use pinhole::chat::wire::Wire;
use pinhole::chat::{Action, ChatEvent, Conversation, DraftStatus, Event, Failure, Hold, Settings};
use pinhole::disclose::{Ledger, Policy};
use pinhole::error::Locale;
use pinhole::facts::Outcome;
use pinhole::query::CheckedQuery;
use pinhole::query::check::ResultKind;
use pinhole::schema::{Column, Kind, TableSchema};
use pinhole::value::{Rows, Table, Value};
use serde_json::Value as Json;
use std::collections::{HashMap, VecDeque};
use std::fmt::Write;
use std::sync::Arc;

/// Name and text of every file; the name is the wire's.
pub const FILES: &[(&str, &str)] = &[
    ("openai-chat", include_str!("openai-chat.txt")),
    ("openai-responses", include_str!("openai-responses.txt")),
    ("anthropic", include_str!("anthropic.txt")),
];

/// A reply of the endpoint.
#[derive(Debug, Clone, Default)]
pub struct Reply {
    pub status: u16,
    pub retry_after: Option<u64>,
    pub body: Vec<u8>,
    /// The connection is lost after the body.
    pub cut: bool,
    /// There is no reply at all.
    pub lost: bool,
}

/// A section.
#[derive(Debug, Clone)]
pub struct Case {
    pub name: String,
    /// Everything but the expectations, as written.
    pub script: String,
    pub expected: String,
    pub settings: Vec<(String, String)>,
    pub questions: Vec<String>,
    pub replies: Vec<Reply>,
}

/// The cases of a file, and what stands before them.
pub fn cases(text: &str) -> (String, Vec<Case>) {
    let mut head = String::new();
    let mut cases: Vec<Case> = Vec::new();
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches('\n');
        if let Some(name) = bare.strip_prefix("## ") {
            cases.push(Case {
                name: name.to_owned(),
                script: line.to_owned(),
                expected: String::new(),
                settings: Vec::new(),
                questions: Vec::new(),
                replies: Vec::new(),
            });
            continue;
        }
        let Some(case) = cases.last_mut() else {
            head.push_str(line);
            continue;
        };
        if bare.starts_with('=') {
            case.expected.push_str(line);
            continue;
        }
        case.script.push_str(line);
        if let Some(question) = bare.strip_prefix("> ") {
            case.questions.push(question.to_owned());
        } else if let Some(reply) = bare.strip_prefix("< ") {
            case.replies.push(begin(reply));
        } else if let Some(setting) = bare.strip_prefix("! ") {
            let (name, value) = setting.split_once('=').expect("name=value");
            case.settings.push((name.to_owned(), value.to_owned()));
        } else if !bare.starts_with('#')
            && let Some(reply) = case.replies.last_mut()
        {
            reply.body.extend_from_slice(line.as_bytes());
        }
    }
    (head, cases)
}

fn begin(line: &str) -> Reply {
    let mut reply = Reply::default();
    for word in line.split_whitespace() {
        match word.split_once('=') {
            Some(("retry-after", seconds)) => {
                reply.retry_after = Some(seconds.parse::<u64>().expect("seconds") * 1000);
            }
            None if word == "cut" => reply.cut = true,
            None if word == "lost" => reply.lost = true,
            _ => reply.status = word.parse().expect("a status"),
        }
    }
    reply
}

/// How replies arrive.
#[derive(Debug, Clone, Copy, Default)]
pub struct Way {
    /// Bytes in a piece; 0 for all at once.
    pub piece: usize,
    /// Every event but the bytes comes twice.
    pub twice: bool,
    /// The connection stands still: after every piece comes what belongs to an earlier request.
    pub late: bool,
}

/// What came of a case.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Trace {
    /// The lines of the transcript.
    pub lines: String,
    /// All text that was ever shown, drafts that were taken back too.
    pub shown: String,
    /// Queries that ran, by the number of their run.
    pub runs: HashMap<u64, u32>,
    /// Calls that the page was told of, by id.
    pub calls: HashMap<String, u32>,
    /// Questions that are over.
    pub finished: usize,
}

/// Plays a case.
pub fn play(wire: Wire, case: &Case, way: Way) -> Trace {
    let mut settings = Settings::new(wire, "scripted");
    for (name, value) in &case.settings {
        match name.as_str() {
            "stream" => settings.stream = value == "true",
            "max_rounds" => settings.max_rounds = value.parse().expect("a number"),
            "hold" => settings.hold = Hold::named(value).expect("a way to hold"),
            other => panic!("no setting {other}"),
        }
    }
    let mut host = Host {
        conversation: Conversation::new(settings),
        replies: case.replies.iter().cloned().collect(),
        ledger: Ledger::new(),
        trace: Trace::default(),
        text: String::new(),
        sent: Vec::new(),
        way,
    };
    for (n, question) in case.questions.iter().enumerate() {
        if n > 0 {
            host.line(&format!("ask {question}"));
        }
        host.drive(Event::Ask { question: question.clone(), tables: tables() });
        host.flush();
        host.request(wire, n == 0);
    }
    assert!(host.ledger.verify().is_ok());
    host.trace
}

struct Host {
    conversation: Conversation,
    replies: VecDeque<Reply>,
    ledger: Ledger,
    trace: Trace,
    /// Text that is not yet a line.
    text: String,
    sent: Vec<u8>,
    way: Way,
}

impl Host {
    fn line(&mut self, line: &str) {
        self.flush();
        writeln!(self.trace.lines, "= {line}").expect("a string");
    }

    fn flush(&mut self) {
        let text = std::mem::take(&mut self.text);
        if !text.is_empty() {
            writeln!(self.trace.lines, "= text {}", Json::from(text)).expect("a string");
        }
    }

    fn drive(&mut self, event: Event) {
        let mut queue: VecDeque<Event> = VecDeque::from([event]);
        while let Some(event) = queue.pop_front() {
            for action in self.conversation.step(event) {
                match action {
                    Action::Emit(event) => self.emit(&event),
                    Action::Finish => self.trace.finished += 1,
                    Action::RunCall { .. } | Action::RunScript { .. } => {
                        panic!("there are no such tools")
                    }
                    Action::Recompute { run, checked } => {
                        let result = outcome(String::new(), &checked);
                        self.push(&mut queue, || Event::Recomputed {
                            run,
                            result: Some(Arc::clone(&result)),
                        });
                    }
                    Action::Wait { request, ms } => {
                        self.line(&format!("wait {ms}"));
                        self.push(&mut queue, || Event::Waited { request });
                    }
                    Action::RunQuery { run, checked } => {
                        *self.trace.runs.entry(run).or_default() += 1;
                        let id = format!("r{}", self.trace.runs.len());
                        let result = outcome(id, &checked);
                        self.push(&mut queue, || Event::ToolDone {
                            run,
                            id: None,
                            result: Ok(Arc::clone(&result)),
                        });
                    }
                    Action::Send { request, body, disclosure } => {
                        let policy = Policy::default();
                        self.ledger.append(0, "https://model.test", &body, &disclosure, &policy);
                        self.sent = body;
                        self.push(&mut queue, || Event::Approved { request });
                        self.reply(request, &mut queue);
                    }
                }
            }
        }
    }

    fn push(&self, queue: &mut VecDeque<Event>, event: impl Fn() -> Event) {
        queue.push_back(event());
        if self.way.twice {
            queue.push_back(event());
        }
    }

    fn reply(&mut self, request: u64, queue: &mut VecDeque<Event>) {
        let lost = || Event::Failed { request, failure: Failure::Network };
        let reply = self.replies.pop_front().unwrap_or(Reply { lost: true, ..Reply::default() });
        if reply.lost {
            self.push(queue, lost);
            return;
        }
        let (code, retry_after) = (reply.status, reply.retry_after);
        self.push(queue, || Event::Status { request, code, retry_after });
        let size = if self.way.piece == 0 { reply.body.len().max(1) } else { self.way.piece };
        for bytes in reply.body.chunks(size) {
            queue.push_back(Event::Bytes { request, bytes: bytes.to_vec() });
            if self.way.late && request > 1 {
                let late = request - 1;
                queue.push_back(Event::Bytes {
                    request: late,
                    bytes: b"data: {\"x\":1}\n\n".to_vec(),
                });
                queue.push_back(Event::End { request: late });
                queue.push_back(Event::Waited { request: late });
                queue.push_back(Event::Failed { request: late, failure: Failure::Network });
            }
        }
        self.push(queue, || if reply.cut { lost() } else { Event::End { request } });
    }

    fn emit(&mut self, event: &ChatEvent) {
        match event {
            ChatEvent::Text { delta } => {
                self.text.push_str(delta);
                self.trace.shown.push_str(delta);
            }
            ChatEvent::ToolCall { id, name, input, title } => {
                *self.trace.calls.entry(id.clone()).or_default() += 1;
                let title = title.as_deref().unwrap_or("-");
                self.line(&format!("tool_call {id} {name} {input} ({title})"));
            }
            ChatEvent::DataBlock { id, result_id, rows, .. } => {
                self.line(&format!("data_block {id} {result_id}, {rows} rows"));
            }
            ChatEvent::ToolError { id, message } => {
                self.line(&format!("tool_error {id} {}", message.en.replace('\n', "; ")));
            }
            ChatEvent::Claims { claims, .. } => {
                let claims: Vec<String> =
                    claims.iter().map(|c| format!("{} {:?}", c.text, c.verdict)).collect();
                self.line(&format!("claims {}", claims.join(", ").to_lowercase()));
            }
            ChatEvent::Draft { n, status } => {
                let status = if *status == DraftStatus::Final { "final" } else { "rejected" };
                self.line(&format!("draft {n} {status}"));
            }
            ChatEvent::Title { title } => self.line(&format!("title {title}")),
            ChatEvent::Readings { .. } => self.line("readings"),
            ChatEvent::Done { answer, verdict, ended, usage, .. } => {
                let ended = ended.map(|code| format!(", ended {code}")).unwrap_or_default();
                self.line(&format!("done {verdict:?}{ended}: {}", Json::from(answer.as_str())));
                self.line(&format!(
                    "usage {} requests, {} rounds, {} drafts, {} + {} tokens",
                    usage.requests,
                    usage.rounds,
                    usage.drafts,
                    usage.input_tokens,
                    usage.output_tokens
                ));
            }
            ChatEvent::Error { code, message, detail } => {
                let detail = detail.as_ref().map(|d| format!(" ({d})")).unwrap_or_default();
                self.line(&format!("error {code}: {}{detail}", message.get(Locale::En)));
            }
        }
    }

    /// The last request: the conversation an element a line, where `all` what is around it too,
    /// without the texts that are the same in all of them.
    fn request(&mut self, wire: Wire, all: bool) {
        let mut body: Json = serde_json::from_slice(&self.sent).unwrap_or_default();
        let field = if wire == Wire::OpenAiResponses { "input" } else { "messages" };
        let messages = body[field].take();
        if all {
            for field in ["system", "instructions"] {
                if body[field].is_string() {
                    body[field] = "…".into();
                }
            }
            for tool in body["tools"].as_array_mut().into_iter().flatten() {
                let tool = if tool["function"].is_object() { &mut tool["function"] } else { tool };
                tool["description"] = "…".into();
                let schema = if wire == Wire::Anthropic { "input_schema" } else { "parameters" };
                tool[schema] = serde_json::json!({"type": "object"});
            }
            body[field] = Json::Array(Vec::new());
            body.as_object_mut()
                .into_iter()
                .for_each(|map| map.retain(|_, value| !value.is_null()));
            self.line(&format!("request {body}"));
        }
        for message in messages.as_array().into_iter().flatten() {
            if message["role"] != "system" {
                self.line(&format!("sent {message}"));
            }
        }
    }
}

fn tables() -> Vec<Arc<TableSchema>> {
    let number = |name: &str| Column::new(name, Kind::Float);
    let bars = TableSchema {
        rows: 525_600,
        time: Some("timestamp".into()),
        interval: Some(60),
        ..TableSchema::new(
            "bars",
            vec![
                Column::new("timestamp", Kind::Timestamp),
                number("open"),
                number("high"),
                number("low"),
                number("close"),
            ],
        )
    };
    let columns = vec![Column::new("shop", Kind::Text), number("amount")];
    let receipts = TableSchema { rows: 900, ..TableSchema::new("receipts", columns) };
    vec![Arc::new(bars), Arc::new(receipts)]
}

/// What the engine would answer: five weekdays for groups, 80 for a number.
fn outcome(id: String, query: &Arc<CheckedQuery>) -> Arc<Outcome> {
    let columns = query.output().to_vec();
    let rows: Vec<Vec<Value>> = match query.kind() {
        ResultKind::Grouped => {
            [("Mon", 78.0), ("Tue", 67.3), ("Wed", 55.5), ("Thu", 61.2), ("Fri", 45.0)]
                .iter()
                .map(|(day, gap)| vec![Value::text(day), Value::Float(*gap)])
                .collect()
        }
        _ => vec![vec![Value::Int(80); columns.len()]],
    };
    let rows = Table { columns: columns.iter().map(|c| c.column.clone()).collect(), rows };
    Arc::new(Outcome {
        id,
        query: Arc::clone(query),
        columns,
        rows: Arc::new(rows) as Arc<dyn Rows>,
        rows_scanned: 500,
        rows_matched: 80,
        rows_before_limit: None,
        warnings: Vec::new(),
    })
}
