//! Chat Completions, streamed and whole.
//!
//! Many servers speak it and few alike, so the decoder takes what it can make sense of: calls in
//! fragments or whole, without ids, with arguments as objects; a JSON body where a stream was
//! asked for; no closing `[DONE]`. What it cannot make sense of ends in one `Fault`.

use super::sse::Splitter;
use super::{Fault, Model, ModelCall, ModelEvent, Stop, detail, error_message, plain};
use crate::disclose::{Disclosure, Message};
use serde_json::{Value, json};

/// The body of a request.
pub(super) fn encode(disclosure: &Disclosure, model: &Model) -> Vec<u8> {
    let mut messages = vec![json!({"role": "system", "content": disclosure.system().as_str()})];
    messages.extend(disclosure.messages().iter().map(message));
    let mut body = json!({"model": model.name, "messages": messages});
    if !disclosure.tools().is_empty() {
        body["tools"] = disclosure
            .tools()
            .iter()
            .map(|t| {
                json!({"type": "function", "function": {
                    "name": t.name, "description": t.description, "parameters": t.parameters,
                }})
            })
            .collect();
        if !model.tools {
            body["tool_choice"] = "none".into();
        }
    }
    if let Some(most) = model.max_tokens {
        body["max_tokens"] = most.into();
    }
    body["stream"] = model.stream.into();
    if model.stream {
        body["stream_options"] = json!({"include_usage": true});
    }
    body.to_string().into_bytes()
}

fn message(message: &Message) -> Value {
    match message {
        Message::User(text) => json!({"role": "user", "content": text.as_str()}),
        Message::Assistant { text, calls } => {
            let content = match text.as_str() {
                // Some servers refuse an empty text beside calls.
                "" if !calls.is_empty() => Value::Null,
                text => text.into(),
            };
            let mut out = json!({"role": "assistant", "content": content});
            if !calls.is_empty() {
                out["tool_calls"] = calls
                    .iter()
                    .map(|c| {
                        json!({"id": c.id, "type": "function", "function": {
                            "name": c.name, "arguments": replayed(c.arguments.as_str()),
                        }})
                    })
                    .collect();
            }
            out
        }
        Message::ToolResult { call_id, content, .. } => {
            json!({"role": "tool", "tool_call_id": call_id, "content": content.as_str()})
        }
    }
}

/// Arguments go back as they came. What is no JSON object is wrapped into one: chat templates
/// parse earlier arguments, and one broken call would make every later request fail.
fn replayed(arguments: &str) -> String {
    match serde_json::from_str::<Value>(arguments) {
        Ok(Value::Object(_)) => arguments.to_owned(),
        _ if arguments.trim().is_empty() => "{}".to_owned(),
        _ => json!({"malformed": arguments}).to_string(),
    }
}

/// How the reply comes, once its first bytes are known.
#[derive(Debug, Default, PartialEq)]
enum Form {
    #[default]
    Unknown,
    Stream,
    Whole,
}

/// What a line of a stream can begin with.
const FIELDS: [&[u8]; 5] = [b"data:", b"event:", b"id:", b"retry:", b":"];
const MARK: &[u8] = b"\xef\xbb\xbf";
const CLOSING: &str = "[DONE]";

/// Decodes one reply.
#[derive(Debug, Default)]
pub struct Decoder {
    form: Form,
    /// Bytes before the form is known, then the body of a whole reply.
    body: Vec<u8>,
    splitter: Splitter,
    calls: Vec<Slot>,
    stop: Option<Stop>,
    /// Tokens of request and reply; some servers count anew in every chunk, the last one holds.
    usage: Option<(u64, u64)>,
    ended: bool,
}

/// A call that is being put together.
#[derive(Debug)]
struct Slot {
    index: Option<u64>,
    call: ModelCall,
}

impl Decoder {
    /// The events that `bytes` complete; none once the reply has ended.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<ModelEvent> {
        if self.ended {
            return Vec::new();
        }
        if self.form == Form::Stream {
            return self.payloads(bytes);
        }
        self.body.extend_from_slice(bytes);
        if self.form == Form::Unknown {
            self.form = form(&self.body);
            if self.form == Form::Stream {
                let head = std::mem::take(&mut self.body);
                return self.payloads(&head);
            }
        }
        Vec::new()
    }

    /// The remaining events when the bytes have ended.
    pub fn finish(&mut self) -> Vec<ModelEvent> {
        if self.ended {
            return Vec::new();
        }
        let mut events = Vec::new();
        if self.form == Form::Stream {
            for payload in self.splitter.finish(whole) {
                self.payload(&payload, &mut events);
            }
            if !self.ended {
                match self.stop {
                    Some(_) => self.complete(&mut events),
                    None => self.fault(Fault::Broken, &mut events),
                }
            }
        } else {
            self.whole_reply(&mut events);
        }
        events
    }

    fn payloads(&mut self, bytes: &[u8]) -> Vec<ModelEvent> {
        let mut events = Vec::new();
        for payload in self.splitter.push(bytes, whole) {
            self.payload(&payload, &mut events);
        }
        events
    }

    fn payload(&mut self, payload: &str, events: &mut Vec<ModelEvent>) {
        if self.ended {
            return;
        }
        if payload.trim() == CLOSING {
            self.complete(events);
            return;
        }
        match serde_json::from_str::<Value>(payload) {
            Ok(value) => self.chunk(&value, events),
            // A piece that cannot be read may have been text: going on would lose it silently.
            Err(_) if payload.trim_start().starts_with('{') => self.fault(Fault::Broken, events),
            Err(_) => {}
        }
    }

    fn chunk(&mut self, value: &Value, events: &mut Vec<ModelEvent>) {
        if let Some(fault) = reported(value) {
            self.fault(fault, events);
            return;
        }
        if let Some(choice) = first_choice(value) {
            if choice["finish_reason"] == "error" {
                let fault = reported(choice).unwrap_or(Fault::Broken);
                self.fault(fault, events);
                return;
            }
            self.said(&choice["delta"], events);
            self.stop = stop(choice).or(self.stop);
        }
        self.usage = usage(value).or(self.usage);
    }

    fn whole_reply(&mut self, events: &mut Vec<ModelEvent>) {
        let body = std::mem::take(&mut self.body);
        let text = String::from_utf8_lossy(&body);
        let text = text.trim_start_matches('\u{feff}').trim();
        let value = match serde_json::from_str::<Value>(text) {
            Ok(value) => value,
            Err(e) if e.is_eof() && text.starts_with('{') => {
                self.fault(Fault::Broken, events);
                return;
            }
            Err(_) => {
                self.fault(Fault::Foreign { message: detail(&body) }, events);
                return;
            }
        };
        if let Some(fault) = reported(&value) {
            self.fault(fault, events);
            return;
        }
        match first_choice(&value).filter(|c| c["message"].is_object()) {
            Some(choice) => {
                self.said(&choice["message"], events);
                self.stop = stop(choice);
                self.usage = usage(&value);
                self.complete(events);
            }
            None => self.fault(Fault::Foreign { message: detail(&body) }, events),
        }
    }

    /// A delta, or a whole message: both hold the same fields.
    fn said(&mut self, part: &Value, events: &mut Vec<ModelEvent>) {
        for field in ["content", "refusal"] {
            let text = text_of(&part[field]);
            if !text.is_empty() {
                events.push(ModelEvent::Text(text));
            }
        }
        for fragment in part["tool_calls"].as_array().into_iter().flatten() {
            self.fragment(fragment);
        }
    }

    fn fragment(&mut self, fragment: &Value) {
        let index = fragment["index"].as_u64();
        let id = match &fragment["id"] {
            Value::String(id) => id.clone(),
            Value::Number(id) => id.to_string(),
            _ => String::new(),
        };
        let name = fragment["function"]["name"].as_str().unwrap_or_default();
        let arguments = &fragment["function"]["arguments"];
        let at = self.slot(index, &id, name, arguments).unwrap_or_else(|| {
            self.calls.push(Slot { index, call: ModelCall::default() });
            self.calls.len() - 1
        });
        let Some(Slot { call, .. }) = self.calls.get_mut(at) else { return };
        if call.id.is_empty() {
            call.id = id;
        }
        if call.name.is_empty() {
            name.clone_into(&mut call.name);
        } else if call.name != name && call.arguments.is_empty() {
            call.name.push_str(name);
        }
        match arguments {
            Value::String(more) => call.arguments.push_str(more),
            Value::Object(_) => call.arguments = arguments.to_string(),
            _ => {}
        }
    }

    /// The call that a fragment goes on with, or `None` when it begins another.
    fn slot(&self, index: Option<u64>, id: &str, name: &str, arguments: &Value) -> Option<usize> {
        let at = match index {
            Some(_) => self.calls.iter().rposition(|s| s.index == index)?,
            None if !id.is_empty() => self.calls.iter().rposition(|s| s.call.id == id)?,
            None if name.is_empty() => self.calls.len().checked_sub(1)?,
            None => return None,
        };
        let call = &self.calls.get(at)?.call;
        // Some servers number every call 0: another id, or another whole call without ids, is new.
        let other_id = !id.is_empty() && !call.id.is_empty() && call.id != id && !name.is_empty();
        let whole_again = id.is_empty()
            && call.id.is_empty()
            && !name.is_empty()
            && is_whole(&Value::String(call.arguments.clone()))
            && is_whole(arguments);
        (!other_id && !whole_again).then_some(at)
    }

    fn complete(&mut self, events: &mut Vec<ModelEvent>) {
        for slot in std::mem::take(&mut self.calls) {
            events.push(ModelEvent::Call(slot.call));
        }
        if let Some((input, output)) = self.usage {
            events.push(ModelEvent::Usage { input, output });
        }
        events.push(ModelEvent::Done(self.stop.unwrap_or(Stop::Complete)));
        self.ended = true;
    }

    fn fault(&mut self, fault: Fault, events: &mut Vec<ModelEvent>) {
        events.push(ModelEvent::Fault(fault));
        self.ended = true;
    }
}

/// Whether the first bytes begin a stream of events or something else.
fn form(bytes: &[u8]) -> Form {
    if MARK.starts_with(bytes) {
        return Form::Unknown;
    }
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes).trim_ascii_start();
    if FIELDS.iter().any(|f| bytes.starts_with(f)) {
        Form::Stream
    } else if FIELDS.iter().any(|f| f.starts_with(bytes)) {
        Form::Unknown
    } else {
        Form::Whole
    }
}

/// True for what is a payload by itself.
fn whole(text: &str) -> bool {
    text.trim() == CLOSING || serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// True for arguments that need no further fragment.
fn is_whole(arguments: &Value) -> bool {
    match arguments {
        Value::Object(_) => true,
        Value::String(text) => matches!(serde_json::from_str(text), Ok(Value::Object(_))),
        _ => false,
    }
}

fn first_choice(value: &Value) -> Option<&Value> {
    value["choices"].as_array()?.iter().find(|c| c["index"].as_u64().unwrap_or(0) == 0)
}

/// Text as a string or as a list of parts.
fn text_of(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(parts) => parts.iter().filter_map(|p| p["text"].as_str()).collect(),
        _ => String::new(),
    }
}

fn stop(choice: &Value) -> Option<Stop> {
    Some(match choice["finish_reason"].as_str()? {
        "" => return None,
        "length" => Stop::Length,
        "content_filter" => Stop::Filtered,
        _ => Stop::Complete,
    })
}

/// Tokens of the request and of the reply.
fn usage(value: &Value) -> Option<(u64, u64)> {
    let usage = &value["usage"];
    Some((usage["prompt_tokens"].as_u64()?, usage["completion_tokens"].as_u64()?))
}

/// An error that the endpoint reports in place of a reply, or of the rest of one.
fn reported(value: &Value) -> Option<Fault> {
    let holder = value.get(0).unwrap_or(value);
    let error = holder.get("error").filter(|e| !e.is_null())?;
    let message = plain(&error_message(holder).unwrap_or_default());
    let code = [&error["code"], &error["status"]].into_iter().find_map(Value::as_u64);
    let kind = ["type", "code", "status"]
        .iter()
        .filter_map(|f| error[*f].as_str())
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase();
    let transient = code.is_some_and(|c| c == 429 || (500..600).contains(&c))
        || ["overload", "rate_limit", "server_error", "unavailable", "timeout"]
            .iter()
            .any(|word| kind.contains(word));
    Some(Fault::Reported { message, transient })
}

#[cfg(test)]
mod tests;
