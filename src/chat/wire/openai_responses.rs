//! Responses, streamed and whole. Nothing is kept at the endpoint (`store: false`), so what the
//! model thought comes back encrypted and goes with the results of its calls.

use super::reader::{Format, Said};
use super::{Fault, Model, ModelCall, ModelEvent, Stop, arguments, id, object_text, tool_name};
use crate::disclose::{Call, Disclosed, Disclosure, Message};
use serde_json::{Value, json};

/// The body of a request.
pub(super) fn encode(disclosure: &Disclosure, model: &Model) -> Value {
    let input: Vec<Value> = disclosure.messages().iter().flat_map(items).collect();
    let mut body = json!({
        "model": model.name,
        "instructions": disclosure.system().as_str(),
        "input": input,
    });
    if !disclosure.tools().is_empty() {
        body["tools"] = disclosure
            .tools()
            .iter()
            .map(|t| {
                // Not strict: that forbids free keys and arguments that may be left out.
                json!({
                    "type": "function", "name": t.name, "description": t.description,
                    "parameters": t.parameters, "strict": false,
                })
            })
            .collect();
        if !model.tools {
            body["tool_choice"] = "none".into();
        }
    }
    if let Some(most) = model.max_tokens {
        body["max_output_tokens"] = most.into();
    }
    body["store"] = false.into();
    if model.reasoning {
        body["include"] = json!(["reasoning.encrypted_content"]);
    }
    body["stream"] = model.stream.into();
    body
}

fn items(message: &Message) -> Vec<Value> {
    match message {
        Message::User(text) => vec![json!({"role": "user", "content": text.as_str()})],
        Message::Assistant { text, calls, own } => own
            .as_ref()
            .and_then(|own| own_items(own, calls))
            .unwrap_or_else(|| plain_items(text, calls)),
        Message::ToolResult { call_id, content, .. } => vec![json!({
            "type": "function_call_output", "call_id": call_id, "output": content.as_str(),
        })],
    }
}

fn plain_items(text: &Disclosed, calls: &[Call]) -> Vec<Value> {
    let mut items = Vec::new();
    if !text.as_str().is_empty() {
        items.push(json!({"role": "assistant", "content": text.as_str()}));
    }
    items.extend(calls.iter().map(|call| {
        json!({
            "type": "function_call", "call_id": call.id, "name": tool_name(&call.name),
            "arguments": object_text(call.arguments.as_str()),
        })
    }));
    items
}

/// The items as they came, the calls under the ids that their results name.
fn own_items(own: &Disclosed, calls: &[Call]) -> Option<Vec<Value>> {
    let mut items: Vec<Value> = serde_json::from_str(own.as_str()).ok()?;
    let mut calls = calls.iter();
    for item in items.iter_mut().filter(|item| item["type"] == "function_call") {
        let call = calls.next()?;
        item["call_id"] = call.id.as_str().into();
        item["name"] = tool_name(&call.name).into();
        item["arguments"] = object_text(call.arguments.as_str()).into();
    }
    calls.next().is_none().then_some(items)
}

/// One reply as far as it is known.
#[derive(Debug, Default)]
pub(super) struct Reply {
    items: Vec<Item>,
    usage: Option<(u64, u64)>,
}

/// An item of the output that is being put together.
#[derive(Debug, Default)]
struct Item {
    index: Option<u64>,
    id: String,
    /// The item as the endpoint last wrote it.
    raw: Value,
    /// Texts of its parts, as far as they were passed on.
    parts: Vec<(u64, String)>,
    arguments: String,
}

impl Format for Reply {
    fn value(&mut self, value: &Value, said: &mut Said) -> bool {
        let kind = value["type"].as_str().unwrap_or_default();
        match kind {
            "response.completed" | "response.incomplete" => {
                self.response(&value["response"], said);
            }
            "response.failed" => said.fault(failed(&value["response"]["error"])),
            "error" => said.fault(failed(value)),
            _ if kind.starts_with("response.") => {
                if let Some(item) = self.item(value) {
                    item.event(kind, value, said);
                }
            }
            _ => return false,
        }
        true
    }

    fn whole(&mut self, value: &Value, said: &mut Said) -> bool {
        let known = value["output"].is_array();
        if known {
            self.response(value, said);
        }
        known
    }

    /// Only an event says that a response is complete.
    fn stopped(&self, _: bool) -> Option<Stop> {
        None
    }

    fn complete(&mut self, said: &mut Said) {
        let calls = self.items.iter().filter(|item| item.is_call()).map(|item| {
            ModelEvent::Call(ModelCall {
                id: id(&item.raw["call_id"]),
                name: item.raw["name"].as_str().unwrap_or_default().to_owned(),
                arguments: item.arguments.clone(),
            })
        });
        said.events.extend(calls);
        if let Some(own) = self.own() {
            said.events.push(ModelEvent::Turn(Value::Array(own).to_string()));
        }
        said.usage(self.usage);
    }
}

impl Reply {
    /// The item that an event is about; a new one where there is none yet.
    fn item(&mut self, event: &Value) -> Option<&mut Item> {
        let index = event["output_index"].as_u64();
        let raw = &event["item"];
        let id = event["item_id"].as_str().or(raw["id"].as_str()).unwrap_or_default();
        let found = match index {
            Some(_) => self.items.iter().position(|item| item.index == index),
            None if !id.is_empty() => self.items.iter().position(|item| item.id == id),
            None if raw.is_object() => None,
            None => self.items.len().checked_sub(1),
        };
        if let Some(at) = found {
            return self.items.get_mut(at);
        }
        // Progress of the response as a whole is about no item.
        (index.is_some() || !id.is_empty() || raw.is_object()).then(|| {
            self.items.push(Item { index, id: id.to_owned(), ..Item::default() });
        })?;
        self.items.last_mut()
    }

    /// The response as a whole: what no event told of it is told now.
    fn response(&mut self, response: &Value, said: &mut Said) {
        for (index, raw) in response["output"].as_array().into_iter().flatten().enumerate() {
            let id = raw["id"].as_str().unwrap_or_default();
            let known = |item: &&mut Item| {
                (!id.is_empty() && item.raw["id"] == id) || item.index == Some(index as u64)
            };
            if let Some(item) = self.items.iter_mut().find(known) {
                if item.raw["type"] == raw["type"] || item.raw.is_null() {
                    item.take(raw.clone(), said);
                }
            } else {
                let mut item = Item { index: Some(index as u64), ..Item::default() };
                item.take(raw.clone(), said);
                self.items.push(item);
            }
        }
        let tokens = &response["usage"];
        self.usage = tokens["input_tokens"].as_u64().zip(tokens["output_tokens"].as_u64());
        match response["status"].as_str() {
            Some("failed") => said.fault(failed(&response["error"])),
            Some("incomplete") => {
                said.stop(match response["incomplete_details"]["reason"].as_str() {
                    Some("content_filter") => Stop::Filtered,
                    _ => Stop::Length,
                });
            }
            _ => said.stop(Stop::Complete),
        }
    }

    /// The items to hand back, where they are more than text and calls. What the model thought can
    /// be handed back only encrypted, and items that came with thoughts only with them or without
    /// ids.
    fn own(&self) -> Option<Vec<Value>> {
        let thought = |item: &&Item| item.raw["type"] == "reasoning";
        let sealed = |item: &&Item| item.raw["encrypted_content"].is_string();
        let all_sealed = self.items.iter().filter(thought).all(|item| sealed(&item));
        let worth = self.items.iter().any(|item| sealed(&item) || item.raw["phase"].is_string());
        let mut own = Vec::new();
        for item in self.items.iter().filter(|item| !thought(item) || sealed(item)) {
            let mut raw = item.raw.clone();
            if let (Some(map), false) = (raw.as_object_mut(), all_sealed) {
                map.shift_remove("id");
            }
            own.push(raw);
        }
        let whole = |raw: &Value| raw["type"] != "message" || raw["content"].get(0).is_some();
        (worth && own.iter().all(|raw| raw.is_object() && whole(raw))).then_some(own)
    }
}

impl Item {
    fn is_call(&self) -> bool {
        self.raw["type"] == "function_call"
    }

    fn event(&mut self, kind: &str, event: &Value, said: &mut Said) {
        let part = event["content_index"].as_u64().unwrap_or(0);
        let delta = event["delta"].as_str().unwrap_or_default();
        match kind {
            "response.output_item.added" | "response.output_item.done" => {
                self.take(event["item"].clone(), said);
            }
            "response.output_text.delta" | "response.refusal.delta" => {
                said.text(self.grow(part, delta));
            }
            "response.output_text.done" => said.text(self.rest(part, &event["text"])),
            "response.refusal.done" => said.text(self.rest(part, &event["refusal"])),
            "response.function_call_arguments.delta" => self.arguments.push_str(delta),
            "response.function_call_arguments.done" => self.call(&event["arguments"]),
            // Reasoning in words, searches, progress: none of ours.
            _ => {}
        }
    }

    /// More text of a part, to be passed on.
    fn grow(&mut self, part: u64, more: &str) -> String {
        match self.parts.iter_mut().find(|(number, _)| *number == part) {
            Some((_, text)) => text.push_str(more),
            None => self.parts.push((part, more.to_owned())),
        }
        more.to_owned()
    }

    /// What of the whole text of a part was not yet passed on.
    fn rest(&mut self, part: u64, whole: &Value) -> String {
        let passed = self.parts.iter().find(|(number, _)| *number == part);
        let passed = passed.map_or("", |(_, text)| text.as_str());
        let rest = whole.as_str().and_then(|whole| whole.strip_prefix(passed));
        let rest = rest.unwrap_or_default().to_owned();
        self.grow(part, &rest)
    }

    /// The whole arguments of a call.
    fn call(&mut self, whole: &Value) {
        let whole = arguments(whole);
        if !whole.is_empty() {
            self.arguments = whole;
        }
    }

    /// The item as the endpoint writes it now.
    fn take(&mut self, raw: Value, said: &mut Said) {
        self.call(&raw["arguments"]);
        if raw["type"] == "message" {
            for (part, content) in (0..).zip(raw["content"].as_array().into_iter().flatten()) {
                let text = if content["refusal"].is_string() { "refusal" } else { "text" };
                said.text(self.rest(part, &content[text]));
            }
        }
        if raw.is_object() {
            self.raw = raw;
        }
    }
}

/// An error in place of a response.
fn failed(error: &Value) -> Fault {
    super::reported(&json!({"error": error})).unwrap_or(Fault::Broken)
}

#[cfg(test)]
mod tests;
