//! Replies as servers send them, cut everywhere.

use super::Decoder;
use crate::chat::wire::{Fault, ModelCall, ModelEvent, Stop};
use proptest::prelude::*;

fn all(parts: &[&[u8]]) -> Vec<ModelEvent> {
    let mut decoder = Decoder::default();
    let mut events: Vec<ModelEvent> = parts.iter().flat_map(|p| decoder.push(p)).collect();
    events.extend(decoder.finish());
    assert!(decoder.finish().is_empty() && decoder.push(b"data: {}\n\n").is_empty());
    events
}

fn text(events: &[ModelEvent]) -> String {
    events
        .iter()
        .filter_map(|e| match e {
            ModelEvent::Text(t) => Some(t.as_str()),
            _ => None,
        })
        .collect()
}

/// Decodes `reply` whole, in two parts at every cut, and byte by byte: always `want`. Then cuts it
/// short at every byte: never a panic, never more text than the reply has, always one ending.
fn check(reply: &str, want: &[ModelEvent]) {
    let bytes = reply.as_bytes();
    assert_eq!(all(&[bytes]), want, "{reply}");
    for cut in 0..bytes.len() {
        assert_eq!(all(&[&bytes[..cut], &bytes[cut..]]), want, "cut at {cut}: {reply}");
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(all(&single), want, "byte by byte: {reply}");
    let whole = text(want);
    for cut in 0..bytes.len() {
        let events = all(&[&bytes[..cut]]);
        assert!(whole.starts_with(&text(&events)), "short at {cut}: {events:?}");
        let endings = events
            .iter()
            .filter(|e| matches!(e, ModelEvent::Done(_) | ModelEvent::Fault(_)))
            .count();
        assert_eq!(endings, 1, "short at {cut}: {events:?}");
    }
}

fn said(text: &str) -> ModelEvent {
    ModelEvent::Text(text.into())
}

fn call(id: &str, name: &str, arguments: &str) -> ModelEvent {
    ModelEvent::Call(ModelCall { id: id.into(), name: name.into(), arguments: arguments.into() })
}

const DONE: ModelEvent = ModelEvent::Done(Stop::Complete);
const BROKEN: ModelEvent = ModelEvent::Fault(Fault::Broken);

#[test]
fn text_in_pieces() {
    check(
        concat!(
            ": keep-alive\n\n",
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{\"content\":\"Сред\"}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{\"content\":\"нее – 🦉\"},\"finish_reason\":null}]}\n\n",
            "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n",
            "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":7,\"completion_tokens\":2}}\n\n",
            "data: [DONE]\n\n",
        ),
        &[said("Сред"), said("нее – 🦉"), ModelEvent::Usage { input: 7, output: 2 }, DONE],
    );
}

#[test]
fn line_ends_events_and_pings() {
    check(
        concat!(
            "event: ping\r\ndata: {\"type\":\"ping\"}\r\n\r\n",
            "event: message\r\nid: 1\r\ndata: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\r\n\r\n",
            "data: ping\r\n\r\n",
            "data: {\"choices\":[{\"delta\":{\"content\":\"b\"},\"finish_reason\":\"stop\"}]}\r\n\r\n",
        ),
        &[said("a"), said("b"), DONE],
    );
    // No blank lines, no space after the colon, no [DONE], no last line end.
    check(
        "data:{\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\ndata:{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}",
        &[said("a"), DONE],
    );
    // A payload over two lines.
    check(
        "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"a\"}}]}\n\ndata: [DONE]\n",
        &[said("a"), DONE],
    );
    check(
        "data: {\"choices\":[{\"delta\":{\"content\":[{\"type\":\"text\",\"text\":\"a\"}]},\"finish_reason\":\"length\"}]}\n\n",
        &[said("a"), ModelEvent::Done(Stop::Length)],
    );
}

#[test]
fn calls_in_fragments() {
    check(
        concat!(
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"query\",\"arguments\":\"\"}}]}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"{\\\"where\\\":\"}}]}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":1,\"id\":\"b\",\"function\":{\"name\":\"describe_tables\"}}]}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\" \\\"é\\\"}\"}}]}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\ndata: [DONE]\n\n",
        ),
        &[call("a", "query", "{\"where\": \"é\"}"), call("b", "describe_tables", ""), DONE],
    );
}

#[test]
fn calls_as_odd_servers_write_them() {
    // Whole, without index and id, arguments as an object, ended by "stop".
    check(
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"name\":\"query\",\"arguments\":{\"limit\":1}}},{\"function\":{\"name\":\"query\",\"arguments\":{\"limit\":2}}}]},\"finish_reason\":\"stop\"}]}\n\n",
        &[call("", "query", "{\"limit\":1}"), call("", "query", "{\"limit\":2}"), DONE],
    );
    // Every call numbered 0, told apart by their ids.
    check(
        concat!(
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"query\",\"arguments\":\"{}\"}}]}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"query\",\"arguments\":\"{\\\"limit\\\":1}\"}}]},\"finish_reason\":\"tool_calls\"}]}\n\n",
        ),
        &[call("a", "query", "{}"), call("b", "query", "{\"limit\":1}"), DONE],
    );
    // The same, without ids.
    check(
        concat!(
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"query\",\"arguments\":\"{\\\"limit\\\":1}\"}}]}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"name\":\"query\",\"arguments\":\"{\\\"limit\\\":2}\"}}]},\"finish_reason\":\"stop\"}]}\n\n",
        ),
        &[call("", "query", "{\"limit\":1}"), call("", "query", "{\"limit\":2}"), DONE],
    );
    // Id and name repeated in every fragment; a number for an id.
    check(
        concat!(
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":5,\"function\":{\"name\":\"query\",\"arguments\":\"{\"}}]}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":5,\"function\":{\"name\":\"query\",\"arguments\":\"}\"}}]}}]}\n\n",
            "data: [DONE]\n\n",
        ),
        &[call("5", "query", "{}"), DONE],
    );
    // Fragments without index and id go on with the last call.
    check(
        concat!(
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"query\",\"arguments\":\"{\"}}]}}]}\n\n",
            "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"function\":{\"arguments\":\"}\"}}]}}]}\n\n",
            "data: [DONE]\n\n",
        ),
        &[call("a", "query", "{}"), DONE],
    );
}

#[test]
fn replies_that_are_no_stream() {
    check(
        "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"Да.\",\"tool_calls\":[{\"id\":\"a\",\"function\":{\"name\":\"query\",\"arguments\":\"{}\"}}]},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":1}}",
        &[said("Да."), call("a", "query", "{}"), ModelEvent::Usage { input: 1, output: 1 }, DONE],
    );
    let foreign = |message: &str| ModelEvent::Fault(Fault::Foreign { message: message.to_owned() });
    let got = |reply: &str| all(&[reply.as_bytes()]);
    assert_eq!(got("<!doctype html><h1>Sign in</h1>"), [foreign("Sign in")]);
    assert_eq!(got("upstream connect error"), [foreign("upstream connect error")]);
    assert_eq!(got("data"), [foreign("data")]);
    assert_eq!(got("{\"ok\":true}"), [foreign("{\"ok\":true}")]);
    assert_eq!(got(""), [foreign("")]);
    assert_eq!(got("{\"choices\":[{\"mess"), [BROKEN]);
    assert_eq!(all(&[b"\xff\xfe\x00"]).len(), 1);
}

#[test]
fn errors_the_endpoint_reports() {
    let reported = |message: &str, transient| {
        ModelEvent::Fault(Fault::Reported { message: message.to_owned(), transient })
    };
    let a = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
    for (reply, want) in [
        (
            "{\"error\":{\"message\":\"no such model\",\"code\":404}}".to_owned(),
            vec![reported("no such model", false)],
        ),
        (
            "data: {\"error\":{\"message\":\"overloaded\",\"type\":\"overloaded_error\"}}\n\n"
                .to_owned(),
            vec![reported("overloaded", true)],
        ),
        (
            format!("{a}data: {{\"error\":{{\"message\":\"x\",\"code\":503}}}}\n\n{a}"),
            vec![said("a"), reported("x", true)],
        ),
        (
            format!(
                "{a}data: {{\"choices\":[{{\"finish_reason\":\"error\",\"delta\":{{}}}}]}}\n\n"
            ),
            vec![said("a"), BROKEN],
        ),
    ] {
        assert_eq!(all(&[reply.as_bytes()]), want, "{reply}");
    }
}

#[test]
fn streams_that_break() {
    let a = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n";
    for (reply, want) in [
        (a.to_owned(), vec![said("a"), BROKEN]),
        (format!("{a}data: {{\"choices\":[{{\"delta\":{{\"content\":\"b"), vec![said("a"), BROKEN]),
        // A piece that cannot be read ends the reply: text may have been lost.
        (format!("{a}data: {{bad}}\n\n{a}"), vec![said("a"), BROKEN]),
        (": only a comment\n\n".to_owned(), vec![BROKEN]),
    ] {
        assert_eq!(all(&[reply.as_bytes()]), want, "{reply}");
    }
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..6)) {
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        let whole = parts.concat();
        prop_assert_eq!(all(&parts), all(&[&whole]));
    }

    #[test]
    fn arbitrary_payloads_never_panic(
        payloads in prop::collection::vec("(\\{\"choices\":\\[\\{\"delta\":\\{\"(content|tool_calls)\":[\\[\\]{}\":a0,]{0,9}\\}\\}\\]\\}|[ -~]{0,20})", 0..6)
    ) {
        let stream = payloads.iter().fold(String::new(), |all, p| all + "data: " + p + "\n\n");
        let events = all(&[stream.as_bytes()]);
        prop_assert!(!events.is_empty());
    }
}

#[test]
fn requests() {
    use crate::chat::wire::{Model, Wire};
    use crate::disclose::{Call, Gate, Message, Policy, ToolDefinition};
    use serde_json::json;

    let policy = Policy::default();
    let gate = Gate::new(&policy);
    let call = |id: &str, arguments: &str| Call {
        id: id.into(),
        name: "query".into(),
        arguments: gate.model_words(arguments),
    };
    let result = |id: &str, content| Message::ToolResult {
        call_id: id.into(),
        name: "query".into(),
        content: gate.constant(content),
    };
    let calls = vec![call("a", "{ \"b\" : 1}"), call("c", ""), call("d", "{\"x")];
    let tool = ToolDefinition {
        name: "query".into(),
        description: "runs".into(),
        parameters: json!({"type": "object"}),
    };
    let disclosure = gate.request(
        gate.constant("sys"),
        vec![tool],
        vec![
            Message::User(gate.typed_by_person("вопрос \"x\"")),
            Message::Assistant { text: gate.model_words(""), calls },
            result("a", "one"),
            result("c", "two"),
            result("d", "three"),
            Message::Assistant { text: gate.model_words("fine"), calls: vec![] },
        ],
    );
    let model = Model { name: "m".into(), stream: true, max_tokens: Some(9), tools: true };
    let body = Wire::OpenAiChat.encode(&disclosure, &model);
    assert_eq!(body, Wire::OpenAiChat.encode(&disclosure, &model));
    let function = |id: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": "query", "arguments": arguments}});
    let want = json!({
        "model": "m",
        "messages": [
            {"role": "system", "content": "sys"},
            {"role": "user", "content": "вопрос \"x\""},
            {"role": "assistant", "content": null, "tool_calls": [
                function("a", "{ \"b\" : 1}"), function("c", "{}"),
                function("d", "{\"malformed\":\"{\\\"x\"}"),
            ]},
            {"role": "tool", "tool_call_id": "a", "content": "one"},
            {"role": "tool", "tool_call_id": "c", "content": "two"},
            {"role": "tool", "tool_call_id": "d", "content": "three"},
            {"role": "assistant", "content": "fine"},
        ],
        "tools": [{"type": "function", "function": {
            "name": "query", "description": "runs", "parameters": {"type": "object"},
        }}],
        "max_tokens": 9,
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    assert_eq!(String::from_utf8(body).expect("UTF-8"), want.to_string());
    let plain = Model { stream: false, max_tokens: None, tools: false, ..model };
    let body: serde_json::Value =
        serde_json::from_slice(&Wire::OpenAiChat.encode(&disclosure, &plain)).expect("JSON");
    assert_eq!((&body["stream"], &body["tool_choice"]), (&json!(false), &json!("none")));
    assert!(body.get("stream_options").is_none() && body.get("max_tokens").is_none());
}
