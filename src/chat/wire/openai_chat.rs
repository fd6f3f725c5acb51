//! Chat Completions, streamed and whole.
//!
//! Many servers speak it and few alike, so the decoder takes what it can make sense of: calls in
//! fragments or whole, without ids, with arguments as objects; a JSON body where a stream was
//! asked for; no closing `[DONE]`. What it cannot make sense of ends in one `Fault`.

use super::reader::{Format, Said};
use super::{
    Fault, Model, ModelCall, ModelEvent, Stop, arguments, id, object_text, reported, tool_name,
};
use crate::disclose::{Disclosed, Disclosure, Message};
use serde_json::{Map, Value, json};

/// The body of a request.
pub(super) fn encode(disclosure: &Disclosure, model: &Model) -> Value {
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
    body
}

fn message(message: &Message) -> Value {
    match message {
        Message::User(text) => json!({"role": "user", "content": text.as_str()}),
        Message::Assistant { text, calls, own } => {
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
                            "name": tool_name(&c.name),
                            "arguments": object_text(c.arguments.as_str()),
                        }})
                    })
                    .collect();
            }
            add_own(&mut out, own.as_ref());
            out
        }
        Message::ToolResult { call_id, content, .. } => {
            json!({"role": "tool", "tool_call_id": call_id, "content": content.as_str()})
        }
    }
}

/// Adds what an endpoint wants back beside text and calls: thoughts and their signatures.
fn add_own(message: &mut Value, own: Option<&Disclosed>) {
    let own = own.and_then(|own| serde_json::from_str::<Map<String, Value>>(own.as_str()).ok());
    for (name, value) in own.into_iter().flatten() {
        if name != "tool_calls" {
            message[name] = value;
            continue;
        }
        let calls = message["tool_calls"].as_array_mut().into_iter().flatten();
        for (call, more) in calls.zip(value.as_array().into_iter().flatten()) {
            for (name, value) in more.as_object().into_iter().flatten() {
                call[name] = value.clone();
            }
        }
    }
}

/// Fields of a message, beside its text and calls, that go back as they came.
const OWN: [&str; 2] = ["reasoning_content", "reasoning_details"];

/// One reply as far as it is known.
#[derive(Debug, Default)]
pub(super) struct Reply {
    calls: Vec<Slot>,
    /// What is beside text and calls, by field.
    own: Map<String, Value>,
    stop: Option<Stop>,
    /// Tokens of request and reply; some servers count anew in every chunk, the last one holds.
    usage: Option<(u64, u64)>,
}

/// A call that is being put together.
#[derive(Debug)]
struct Slot {
    index: Option<u64>,
    call: ModelCall,
    /// Further fields, as they came.
    more: Map<String, Value>,
}

impl Format for Reply {
    fn value(&mut self, value: &Value, said: &mut Said) -> bool {
        self.usage = usage(value).or(self.usage);
        let Some(choice) = first_choice(value) else { return value["choices"].is_array() };
        if choice["finish_reason"] == "error" {
            said.fault(reported(choice).unwrap_or(Fault::Broken));
            return true;
        }
        self.said(&choice["delta"], said);
        self.stop = stop(choice).or(self.stop);
        true
    }

    fn whole(&mut self, value: &Value, said: &mut Said) -> bool {
        let Some(choice) = first_choice(value).filter(|c| c["message"].is_object()) else {
            return false;
        };
        self.said(&choice["message"], said);
        self.usage = usage(value);
        said.stop(stop(choice).unwrap_or(Stop::Complete));
        true
    }

    fn stopped(&self, closed: bool) -> Option<Stop> {
        self.stop.or(closed.then_some(Stop::Complete))
    }

    fn complete(&mut self, said: &mut Said) {
        let calls = std::mem::take(&mut self.calls);
        if calls.iter().any(|slot| !slot.more.is_empty()) {
            let more = calls.iter().map(|slot| Value::Object(slot.more.clone())).collect();
            self.own.insert("tool_calls".to_owned(), more);
        }
        said.events.extend(calls.into_iter().map(|slot| ModelEvent::Call(slot.call)));
        if !self.own.is_empty() {
            let own = Value::Object(std::mem::take(&mut self.own));
            said.events.push(ModelEvent::Turn(own.to_string()));
        }
        said.usage(self.usage);
    }
}

impl Reply {
    /// A delta, or a whole message: both hold the same fields.
    fn said(&mut self, part: &Value, said: &mut Said) {
        for field in ["content", "refusal"] {
            said.text(text_of(&part[field]));
        }
        for field in OWN {
            add(&mut self.own, field, &part[field]);
        }
        for fragment in part["tool_calls"].as_array().into_iter().flatten() {
            self.fragment(fragment);
        }
    }

    fn fragment(&mut self, fragment: &Value) {
        let index = fragment["index"].as_u64();
        let id = id(&fragment["id"]);
        let name = fragment["function"]["name"].as_str().unwrap_or_default();
        let given = &fragment["function"]["arguments"];
        let at = self.slot(index, &id, name, given).unwrap_or_else(|| {
            self.calls.push(Slot { index, call: ModelCall::default(), more: Map::new() });
            self.calls.len() - 1
        });
        let Some(Slot { call, more, .. }) = self.calls.get_mut(at) else { return };
        if call.id.is_empty() {
            call.id = id;
        }
        if call.name.is_empty() {
            name.clone_into(&mut call.name);
        } else if call.name != name && call.arguments.is_empty() {
            call.name.push_str(name);
        }
        match given {
            Value::String(text) => call.arguments.push_str(text),
            Value::Object(_) => call.arguments = arguments(given),
            _ => {}
        }
        for (field, value) in fragment.as_object().into_iter().flatten() {
            if !["index", "id", "type", "function"].contains(&field.as_str()) {
                add(more, field, value);
            }
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
}

/// Joins what comes in pieces: texts and lists grow, anything else is replaced.
fn add(all: &mut Map<String, Value>, field: &str, more: &Value) {
    match (all.get_mut(field), more) {
        (_, Value::Null) => {}
        (None, Value::String(more)) if more.is_empty() => {}
        (Some(Value::String(text)), Value::String(more)) => text.push_str(more),
        (Some(Value::Array(list)), Value::Array(more)) => list.extend(more.iter().cloned()),
        _ => {
            all.insert(field.to_owned(), more.clone());
        }
    }
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

#[cfg(test)]
mod tests;
