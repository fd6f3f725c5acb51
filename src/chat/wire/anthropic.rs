//! Messages, streamed and whole. What the model thought is signed and goes back as it came.

use super::reader::{Format, Said};
use super::{Model, ModelCall, ModelEvent, Stop, id, object, tool_name};
use crate::disclose::{Call, Disclosed, Disclosure, Message};
use serde_json::{Map, Value, json};

/// Tokens of a reply where nobody says: the format demands a number.
const MOST_TOKENS: u32 = 8192;

/// The body of a request.
pub(super) fn encode(disclosure: &Disclosure, model: &Model) -> Value {
    let mut messages: Vec<(&str, Vec<Value>)> = Vec::new();
    for message in disclosure.messages() {
        let (role, mut blocks) = blocks(message);
        // Turns alternate: results and what the person says after them are one message.
        match messages.last_mut() {
            Some((last, before)) if *last == role => before.append(&mut blocks),
            _ => messages.push((role, blocks)),
        }
    }
    let messages: Vec<Value> = messages
        .into_iter()
        .filter(|(_, blocks)| !blocks.is_empty())
        .map(|(role, blocks)| json!({"role": role, "content": blocks}))
        .collect();
    let mut body = json!({
        "model": model.name,
        "max_tokens": model.max_tokens.unwrap_or(MOST_TOKENS),
        "system": disclosure.system().as_str(),
        "messages": messages,
    });
    if !disclosure.tools().is_empty() {
        body["tools"] = disclosure
            .tools()
            .iter()
            .map(|t| {
                json!({
                    "name": t.name, "description": t.description, "input_schema": t.parameters,
                })
            })
            .collect();
        if !model.tools {
            body["tool_choice"] = json!({"type": "none"});
        }
    }
    body["stream"] = model.stream.into();
    body
}

fn blocks(message: &Message) -> (&'static str, Vec<Value>) {
    match message {
        Message::User(text) => ("user", text_block(text.as_str()).into_iter().collect()),
        Message::Assistant { text, calls, own } => {
            let own = own.as_ref().and_then(|own| own_blocks(own, calls));
            ("assistant", own.unwrap_or_else(|| plain_blocks(text, calls)))
        }
        Message::ToolResult { call_id, content, failed, .. } => {
            let mut block = json!({
                "type": "tool_result", "tool_use_id": call_id, "content": content.as_str(),
            });
            if *failed {
                block["is_error"] = true.into();
            }
            ("user", vec![block])
        }
    }
}

/// A block of text; an empty one is refused by the endpoint.
fn text_block(text: &str) -> Option<Value> {
    (!text.trim().is_empty()).then(|| json!({"type": "text", "text": text}))
}

fn plain_blocks(text: &Disclosed, calls: &[Call]) -> Vec<Value> {
    let calls = calls.iter().map(|call| {
        json!({
            "type": "tool_use", "id": call.id, "name": tool_name(&call.name),
            "input": object(call.arguments.as_str()),
        })
    });
    text_block(text.as_str()).into_iter().chain(calls).collect()
}

/// The blocks as they came, the calls under the ids that their results name.
fn own_blocks(own: &Disclosed, calls: &[Call]) -> Option<Vec<Value>> {
    let mut blocks: Vec<Value> = serde_json::from_str(own.as_str()).ok()?;
    let mut calls = calls.iter();
    for block in blocks.iter_mut().filter(|block| block["type"] == "tool_use") {
        let call = calls.next()?;
        block["id"] = call.id.as_str().into();
        block["name"] = tool_name(&call.name).into();
        block["input"] = object(call.arguments.as_str());
    }
    calls.next().is_none().then_some(blocks)
}

/// One reply as far as it is known.
#[derive(Debug, Default)]
pub(super) struct Reply {
    blocks: Vec<Block>,
    stop: Option<Stop>,
    input: Option<u64>,
    output: Option<u64>,
}

/// A block of the content that is being put together.
#[derive(Debug, Default)]
struct Block {
    index: Option<u64>,
    /// The block as it began, with what was added to it.
    raw: Map<String, Value>,
    /// The arguments of a call, as far as they came in fragments.
    json: String,
}

impl Format for Reply {
    fn value(&mut self, value: &Value, said: &mut Said) -> bool {
        match value["type"].as_str().unwrap_or_default() {
            "message_start" => self.count(&value["message"]["usage"]),
            "content_block_start" => {
                self.begin(value["index"].as_u64(), &value["content_block"], said);
            }
            "content_block_delta" => self.delta(value, said),
            "message_delta" => {
                self.stop = stop(&value["delta"]).or(self.stop);
                self.count(&value["usage"]);
            }
            "message_stop" => said.stop(self.stop.unwrap_or(Stop::Complete)),
            "content_block_stop" | "ping" => {}
            _ => return false,
        }
        true
    }

    fn whole(&mut self, value: &Value, said: &mut Said) -> bool {
        let Some(blocks) = value["content"].as_array().filter(|_| value["type"] == "message")
        else {
            return false;
        };
        for block in blocks {
            self.begin(None, block, said);
        }
        self.count(&value["usage"]);
        said.stop(stop(value).unwrap_or(Stop::Complete));
        true
    }

    fn stopped(&self, _: bool) -> Option<Stop> {
        self.stop
    }

    fn complete(&mut self, said: &mut Said) {
        let calls = self.blocks.iter().filter(|block| block.is("tool_use"));
        said.events.extend(calls.map(|block| ModelEvent::Call(block.call())));
        let plain = |block: &Block| block.is("text") || block.is("tool_use");
        if !self.blocks.iter().all(plain) {
            let own = self.blocks.iter().filter(|block| !block.is_empty_text());
            let own: Value = own.map(|block| Value::Object(block.raw.clone())).collect();
            said.events.push(ModelEvent::Turn(own.to_string()));
        }
        said.usage(self.input.zip(self.output));
    }
}

impl Reply {
    fn begin(&mut self, index: Option<u64>, raw: &Value, said: &mut Said) {
        let raw = raw.as_object().cloned().unwrap_or_default();
        said.text(raw.get("text").and_then(Value::as_str).unwrap_or_default());
        self.blocks.push(Block { index, raw, json: String::new() });
    }

    fn delta(&mut self, value: &Value, said: &mut Said) {
        let index = value["index"].as_u64();
        let delta = &value["delta"];
        let kind = delta["type"].as_str().unwrap_or_default();
        if kind == "text_delta" && self.block(index).is_none() {
            // Text without a beginning.
            self.begin(index, &json!({"type": "text", "text": ""}), said);
        }
        let Some(block) = self.block(index) else { return };
        let (field, from) = match kind {
            "text_delta" => ("text", "text"),
            "thinking_delta" => ("thinking", "thinking"),
            "signature_delta" => ("signature", "signature"),
            "input_json_delta" => {
                block.json.push_str(delta["partial_json"].as_str().unwrap_or_default());
                return;
            }
            _ => return,
        };
        let more = delta[from].as_str().unwrap_or_default();
        match block.raw.get_mut(field) {
            Some(Value::String(text)) => text.push_str(more),
            _ => {
                block.raw.insert(field.to_owned(), more.into());
            }
        }
        if kind == "text_delta" {
            said.text(more);
        }
    }

    /// The block with that number; the last one where it has none.
    fn block(&mut self, index: Option<u64>) -> Option<&mut Block> {
        match index {
            Some(_) => self.blocks.iter_mut().rev().find(|block| block.index == index),
            None => self.blocks.last_mut(),
        }
    }

    /// Tokens, each count the last that was told. What was read from a cache was sent all the same.
    fn count(&mut self, usage: &Value) {
        let cached = ["cache_creation_input_tokens", "cache_read_input_tokens"]
            .iter()
            .filter_map(|field| usage[*field].as_u64())
            .sum::<u64>();
        self.input = usage["input_tokens"].as_u64().map(|n| n + cached).or(self.input);
        self.output = usage["output_tokens"].as_u64().or(self.output);
    }
}

impl Block {
    fn is(&self, kind: &str) -> bool {
        self.raw.get("type").is_some_and(|t| t == kind)
    }

    fn is_empty_text(&self) -> bool {
        self.is("text")
            && self.raw.get("text").and_then(Value::as_str).is_none_or(|t| t.trim().is_empty())
    }

    fn call(&self) -> ModelCall {
        let text = |field| self.raw.get(field).and_then(Value::as_str).unwrap_or_default();
        let input = self.raw.get("input").unwrap_or(&Value::Null);
        ModelCall {
            id: id(self.raw.get("id").unwrap_or(&Value::Null)),
            name: text("name").to_owned(),
            // A call without arguments has no fragments.
            arguments: if self.json.trim().is_empty() {
                super::arguments(input)
            } else {
                self.json.clone()
            },
        }
    }
}

fn stop(value: &Value) -> Option<Stop> {
    Some(match value["stop_reason"].as_str()? {
        "max_tokens" | "model_context_window_exceeded" => Stop::Length,
        "refusal" => Stop::Filtered,
        _ => Stop::Complete,
    })
}

#[cfg(test)]
mod tests;
