//! What goes into a conversation, what comes out of it, and what the page is told.

use crate::disclose::{Cells, Disclosure, Policy};
use crate::error::{Code, Error, Locale, Text};
use crate::facts::Outcome;
use crate::query::CheckedQuery;
use crate::schema::TableSchema;
use crate::tools::purchases::PurchaseCall;
use crate::tools::{ScriptCall, ToolResult};
use crate::validate::{Claim, FactRef, Overall};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::rc::Rc;
use std::sync::Arc;

/// Something that happened outside. Those that belong to a request or a run carry its number;
/// what belongs to an earlier one is ignored, so nothing late can disturb what is going on.
pub enum Event {
    /// A question. One that comes before the last is answered cancels that one.
    Ask {
        /// The person's words.
        question: String,
        /// The tables that are loaded now.
        tables: Vec<Arc<TableSchema>>,
    },
    /// The request may be sent, and is on the ledger.
    Approved {
        /// Its number.
        request: u64,
    },
    /// The person or the page will not have it sent.
    Refused {
        /// Its number.
        request: u64,
    },
    /// The endpoint answered.
    Status {
        /// The request's number.
        request: u64,
        /// The HTTP status.
        code: u16,
        /// The `Retry-After` header, in milliseconds from now.
        retry_after: Option<u64>,
    },
    /// Bytes of the body, cut anywhere.
    Bytes {
        /// The request's number.
        request: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// The body is complete.
    End {
        /// The request's number.
        request: u64,
    },
    /// The request, or the reading of its body, failed.
    Failed {
        /// The request's number.
        request: u64,
        /// How.
        failure: Failure,
    },
    /// The time of a [`Action::Wait`] is over.
    Waited {
        /// The number it carried.
        request: u64,
    },
    /// A query has run.
    ToolDone {
        /// The number of the run.
        run: u64,
        /// The id that its result has, or would have had.
        id: Option<String>,
        /// Its result.
        result: Result<Arc<Outcome>, Error>,
    },
    /// A call of a tool for purchases, or a script, has run.
    CallDone {
        /// The number of the run.
        run: u64,
        /// What came of it.
        result: Box<ToolResult>,
    },
    /// What was asked for by [`Action::Recompute`] has been computed.
    Recomputed {
        /// The number of the run.
        run: u64,
        /// What came of it; nothing where it failed or its table is gone.
        result: Option<Arc<Outcome>>,
    },
    /// Another policy from now on. A request that waits for approval is made anew under it.
    Policy(Policy),
    /// The protected cells to mask from now on.
    Cells(Rc<Cells>),
    /// Stop what is going on. The conversation stays usable.
    Cancel,
}

/// Why a request came to nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// No connection, or it was lost.
    Network,
    /// The ledger cannot be written, so nothing may be sent.
    Ledger,
}

/// What the host has to do, in order.
#[derive(Debug)]
pub enum Action {
    /// Append to the ledger, ask for approval, report [`Event::Approved`] or [`Event::Refused`],
    /// then send exactly these bytes.
    Send {
        /// The number that every event about this request carries.
        request: u64,
        /// The body.
        body: Vec<u8>,
        /// What it discloses, for the ledger.
        disclosure: Disclosure,
    },
    /// Run a query and report [`Event::ToolDone`].
    RunQuery {
        /// The number that the event carries.
        run: u64,
        /// The query.
        checked: Arc<CheckedQuery>,
    },
    /// Run a call of a tool for purchases and report [`Event::CallDone`].
    RunCall {
        /// The number that the event carries.
        run: u64,
        /// The call.
        call: Box<PurchaseCall>,
    },
    /// Run a script in a sandbox and report [`Event::CallDone`].
    RunScript {
        /// The number that the event carries.
        run: u64,
        /// The script.
        call: ScriptCall,
    },
    /// Run a query that checks a draft, by [`Engine::aside`](crate::engine::Engine::aside): its result
    /// takes no id and is not kept. Report [`Event::Recomputed`].
    Recompute {
        /// The number that the event carries.
        run: u64,
        /// The query.
        checked: Arc<CheckedQuery>,
    },
    /// Report [`Event::Waited`] after this time.
    Wait {
        /// The number that the event carries.
        request: u64,
        /// Milliseconds.
        ms: u64,
    },
    /// Tell the page.
    Emit(ChatEvent),
    /// The question is over; whatever is under way for it can be dropped.
    Finish,
}

/// What a question has cost so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Usage {
    /// Requests that were approved.
    pub requests: u32,
    /// Rounds of tool calls.
    pub rounds: u32,
    /// Answers that the model drafted.
    pub drafts: u32,
    /// Tokens of the requests, where the endpoint counts them.
    pub input_tokens: u64,
    /// Tokens of the replies.
    pub output_tokens: u64,
}

/// What became of a draft.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum DraftStatus {
    /// Its text is taken back.
    Rejected,
    /// Its text is the answer.
    Final,
}

/// What the page is told. [`ChatEvent::to_json`] is the object it receives.
///
/// The `text` since the last `tool_call` or `draft` is the draft that is being written; text
/// before a `tool_call` is a remark and no part of the answer.
#[derive(Debug, Clone, PartialEq)]
pub enum ChatEvent {
    /// More text.
    Text {
        /// What to append.
        delta: String,
    },
    /// A tool is called.
    ToolCall {
        /// The call's id, unique in the conversation.
        id: String,
        /// The tool.
        name: String,
        /// Its arguments, or the model's text where that is no JSON.
        input: Value,
        /// What the data is, in the model's words.
        title: Option<String>,
    },
    /// A tool call gave a result to show. A call of a tool for purchases gives up to two: its totals,
    /// where it has any, then its list.
    DataBlock {
        /// The call it answers.
        id: String,
        /// The tool.
        tool: String,
        /// The canonical query, or the arguments of another tool.
        input: Value,
        /// Where the full result is.
        result_id: String,
        /// Rows of the result.
        rows: u64,
        /// The summary as the person sees it.
        summary: Value,
        /// The whole answer, where the tool has a shape of its own for it.
        output: Option<Box<Value>>,
    },
    /// A tool call failed. The model is told and may try again.
    ToolError {
        /// The call.
        id: String,
        /// What is wrong with it, a line each.
        message: Text,
    },
    /// What the check says of the answer.
    Claims {
        /// The answer.
        answer: String,
        /// Its claims, spans in bytes of it.
        claims: Vec<Claim>,
    },
    /// A draft was taken back, or is final.
    Draft {
        /// Its number, from 1.
        n: u32,
        /// What became of it.
        status: DraftStatus,
    },
    /// A title for the conversation.
    Title {
        /// It.
        title: String,
    },
    /// Several ways to read a question, for the person to choose from (planner only).
    Readings {
        /// In order, the likeliest first.
        readings: Vec<Reading>,
    },
    /// The question is answered.
    Done {
        /// The answer as delivered.
        answer: String,
        /// Its claims.
        claims: Vec<Claim>,
        /// Whether the model's last draft was right as it was.
        verdict: Overall,
        /// Why it ended before the model was done, if so.
        ended: Option<Code>,
        /// What it cost.
        usage: Usage,
    },
    /// The question could not be answered.
    Error {
        /// Stable name.
        code: Code,
        /// What happened.
        message: Text,
        /// The endpoint's own words, untrusted.
        detail: Option<String>,
    },
}

/// A way to read a question.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The query it means.
    pub query: Value,
    /// The query in words.
    pub explanation: String,
    /// From 0 to 1.
    pub confidence: f64,
}

impl ChatEvent {
    /// The object that crosses to JavaScript: texts in `locale`, spans in UTF-16 units.
    pub fn to_json(&self, locale: Locale) -> Value {
        match self {
            Self::Text { delta } => json!({"type": "text", "delta": delta}),
            Self::ToolCall { id, name, input, title } => json!({
                "type": "tool_call", "id": id, "name": name, "input": input, "title": title,
            }),
            Self::DataBlock { id, tool, input, result_id, rows, summary, output } => {
                let mut block = json!({
                    "type": "data_block", "id": id, "tool": tool, "input": input,
                    "result_id": result_id, "rows": rows, "summary": summary,
                });
                if let (Some(block), Some(output)) = (block.as_object_mut(), output) {
                    block.insert("output".into(), output.as_ref().clone());
                }
                block
            }
            Self::ToolError { id, message } => {
                json!({"type": "tool_error", "id": id, "message": message.get(locale)})
            }
            Self::Claims { answer, claims } => {
                json!({"type": "claims", "claims": claims_json(answer, claims)})
            }
            Self::Draft { n, status } => json!({"type": "draft", "n": n, "status": status}),
            Self::Title { title } => json!({"type": "title", "title": title}),
            Self::Readings { readings } => json!({
                "type": "readings",
                "readings": readings.iter().map(|r| json!({
                    "query": r.query, "explanation": r.explanation, "confidence": r.confidence,
                })).collect::<Vec<_>>(),
            }),
            Self::Done { answer, claims, verdict, ended, usage } => json!({
                "type": "done", "answer": answer, "claims": claims_json(answer, claims),
                "verdict": verdict, "ended": ended, "usage": usage,
            }),
            Self::Error { code, message, detail } => json!({
                "type": "error", "code": code, "message": message.get(locale), "detail": detail,
            }),
        }
    }
}

/// The claims of `text` as JavaScript reads them: spans in UTF-16 units.
pub fn claims_json(text: &str, claims: &[Claim]) -> Value {
    let mut units = Utf16::new(text);
    claims
        .iter()
        .map(|claim| {
            let mut out = Map::new();
            out.insert("start".into(), units.at(claim.span.start).into());
            out.insert("end".into(), units.at(claim.span.end).into());
            out.insert("text".into(), claim.text.as_str().into());
            out.insert("verdict".into(), json!(claim.verdict));
            let texts = [
                ("actual", &claim.actual),
                ("formula", &claim.formula),
                ("replaced", &claim.replaced),
            ];
            for (name, value) in texts {
                if let Some(value) = value {
                    out.insert(name.into(), value.as_str().into());
                }
            }
            if let Some(fact) = &claim.fact {
                out.insert("fact".into(), fact_json(fact));
            }
            if !claim.operands.is_empty() {
                out.insert("operands".into(), claim.operands.iter().map(fact_json).collect());
            }
            Value::Object(out)
        })
        .collect()
}

fn fact_json(fact: &FactRef) -> Value {
    let key: Map<String, Value> =
        fact.key.iter().map(|(k, v)| (k.clone(), v.as_str().into())).collect();
    json!({
        "result": fact.result, "row": fact.row, "key": key,
        "column": fact.column, "value": fact.value.to_json(),
    })
}

/// Byte offsets of a text as UTF-16 offsets, quick when asked in ascending order.
struct Utf16<'a> {
    text: &'a str,
    byte: usize,
    unit: usize,
}

impl<'a> Utf16<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, byte: 0, unit: 0 }
    }

    fn at(&mut self, byte: usize) -> usize {
        if byte < self.byte {
            (self.byte, self.unit) = (0, 0);
        }
        let Some(between) = self.text.get(self.byte..byte) else { return self.unit };
        self.unit += between.encode_utf16().count();
        self.byte = byte;
        self.unit
    }
}

#[cfg(test)]
mod tests {
    use super::{ChatEvent, DraftStatus, Usage};
    use crate::error::{Code, Locale, Span};
    use crate::validate::{Claim, FactRef, Overall, Verdict};
    use crate::value::Value;
    use serde_json::json;

    fn claim(start: usize, end: usize, text: &str) -> Claim {
        Claim {
            span: Span::new(start, end),
            text: text.into(),
            verdict: Verdict::Verified,
            actual: None,
            fact: None,
            formula: None,
            operands: Vec::new(),
            replaced: None,
        }
    }

    #[test]
    fn objects() {
        let check = |event: ChatEvent, want: serde_json::Value| {
            assert_eq!(event.to_json(Locale::En), want);
        };
        check(ChatEvent::Text { delta: "a".into() }, json!({"type": "text", "delta": "a"}));
        check(
            ChatEvent::Draft { n: 2, status: DraftStatus::Rejected },
            json!({"type": "draft", "n": 2, "status": "rejected"}),
        );
        check(
            ChatEvent::Error { code: Code::StreamBroken, message: text!("a", "б"), detail: None },
            json!({"type": "error", "code": "stream_broken", "message": "a", "detail": null}),
        );
        let answer = "🦉 Mean 67.3, max 9";
        let fact = FactRef {
            result: "r1".into(),
            row: Some(0),
            key: vec![("dow".into(), "Mon".into())],
            column: "mean_gap".into(),
            value: Value::Float(67.25),
        };
        let first = Claim { fact: Some(fact), actual: Some("x".into()), ..claim(10, 14, "67.3") };
        check(
            ChatEvent::Done {
                answer: answer.into(),
                claims: vec![first, claim(20, 21, "9")],
                verdict: Overall::Ok,
                ended: None,
                usage: Usage { requests: 1, ..Usage::default() },
            },
            json!({
                "type": "done", "answer": answer, "verdict": "ok", "ended": null,
                "claims": [
                    {"start": 8, "end": 12, "text": "67.3", "verdict": "verified", "actual": "x",
                     "fact": {"result": "r1", "row": 0, "key": {"dow": "Mon"},
                              "column": "mean_gap", "value": 67.25}},
                    {"start": 18, "end": 19, "text": "9", "verdict": "verified"},
                ],
                "usage": {"requests": 1, "rounds": 0, "drafts": 0, "input_tokens": 0, "output_tokens": 0},
            }),
        );
    }
}
