//! Replies and requests as the endpoint's own documents show them.

use crate::chat::wire::tests::{self, BROKEN, DONE, call, said};
use crate::chat::wire::{Fault, Model, ModelEvent, Stop, Wire};
use serde_json::{Value, json};

fn check(reply: &str, want: &[ModelEvent]) {
    tests::check(Wire::Anthropic, reply, want);
}

/// Events as the endpoint writes them, each under its name, between `message_start` and what ends it.
fn stream(events: &[Value], stop: Option<&str>) -> String {
    let mut all = vec![
        json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": "m", "stop_reason": null, "usage": {"input_tokens": 4, "cache_read_input_tokens": 3, "output_tokens": 1}}}),
        json!({"type": "ping"}),
    ];
    all.extend(events.iter().cloned());
    if let Some(stop) = stop {
        all.push(json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null}, "usage": {"output_tokens": 2}}));
        all.push(json!({"type": "message_stop"}));
    }
    all.iter().fold(String::new(), |all, event| {
        all + &format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
    })
}

fn begin(index: u64, block: Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn delta(index: u64, delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn text(index: u64, text: &str) -> Value {
    delta(index, json!({"type": "text_delta", "text": text}))
}

fn fragment(index: u64, text: &str) -> Value {
    delta(index, json!({"type": "input_json_delta", "partial_json": text}))
}

fn end(index: u64) -> Value {
    json!({"type": "content_block_stop", "index": index})
}

fn tool(index: u64, id: &str) -> Value {
    begin(index, json!({"type": "tool_use", "id": id, "name": "query", "input": {}}))
}

fn words(index: u64) -> Value {
    begin(index, json!({"type": "text", "text": ""}))
}

const USAGE: ModelEvent = ModelEvent::Usage { input: 7, output: 2 };

#[test]
fn text_in_pieces() {
    check(
        &stream(&[words(0), text(0, "Сред"), text(0, "нее – 🦉"), end(0)], Some("end_turn")),
        &[said("Сред"), said("нее – 🦉"), USAGE, DONE],
    );
    // Text at once, several blocks, events nobody knows yet.
    check(
        &stream(
            &[
                begin(0, json!({"type": "text", "text": "a"})),
                end(0),
                json!({"type": "content_block_news", "index": 0}),
                begin(1, json!({"type": "text", "text": "b"})),
                delta(1, json!({"type": "citations_delta", "citation": {}})),
                end(1),
            ],
            Some("stop_sequence"),
        ),
        &[said("a"), said("b"), USAGE, DONE],
    );
    for (reason, stop) in [
        ("max_tokens", Stop::Length),
        ("model_context_window_exceeded", Stop::Length),
        ("refusal", Stop::Filtered),
        ("pause_turn", Stop::Complete),
        ("news", Stop::Complete),
    ] {
        check(&stream(&[text(0, "a")], Some(reason)), &[said("a"), USAGE, ModelEvent::Done(stop)]);
    }
}

#[test]
fn calls_in_fragments() {
    let all = [
        words(0),
        text(0, "Let me see."),
        end(0),
        tool(1, "toolu_a"),
        fragment(1, ""),
        fragment(1, "{\"where\":"),
        fragment(1, " \"é\"}"),
        end(1),
        tool(2, "toolu_b"),
        end(2),
    ];
    let want = [
        said("Let me see."),
        call("toolu_a", "query", "{\"where\": \"é\"}"),
        call("toolu_b", "query", "{}"),
        USAGE,
        DONE,
    ];
    check(&stream(&all, Some("tool_use")), &want);
    // The wrong reason; blocks side by side; arguments at once; no id.
    check(&stream(&all, Some("end_turn")), &want);
    let odd = [
        tool(0, "toolu_a"),
        tool(1, "toolu_b"),
        fragment(1, "{\"limit\":"),
        fragment(0, "{}"),
        fragment(1, "1}"),
        begin(2, json!({"type": "tool_use", "name": "query", "input": {"limit": 2}})),
    ];
    check(
        &stream(&odd, Some("tool_use")),
        &[
            call("toolu_a", "query", "{}"),
            call("toolu_b", "query", "{\"limit\":1}"),
            call("", "query", "{\"limit\":2}"),
            USAGE,
            DONE,
        ],
    );
}

#[test]
fn thoughts_go_back_signed_and_in_order() {
    let all = [
        begin(0, json!({"type": "thinking", "thinking": "", "signature": ""})),
        delta(0, json!({"type": "thinking_delta", "thinking": "The gap"})),
        delta(0, json!({"type": "thinking_delta", "thinking": " is…"})),
        delta(0, json!({"type": "signature_delta", "signature": "EqQB"})),
        end(0),
        begin(1, json!({"type": "redacted_thinking", "data": "EmwK"})),
        end(1),
        words(2),
        text(2, "Let me see."),
        end(2),
        words(3),
        end(3),
        tool(4, "toolu_a"),
        fragment(4, "{\"limit\": 1}"),
        end(4),
    ];
    let own = json!([
        {"type": "thinking", "thinking": "The gap is…", "signature": "EqQB"},
        {"type": "redacted_thinking", "data": "EmwK"},
        {"type": "text", "text": "Let me see."},
        {"type": "tool_use", "id": "toolu_a", "name": "query", "input": {}},
    ]);
    check(
        &stream(&all, Some("tool_use")),
        &[
            said("Let me see."),
            call("toolu_a", "query", "{\"limit\": 1}"),
            ModelEvent::Turn(own.to_string()),
            USAGE,
            DONE,
        ],
    );
    let body = tests::request(Wire::Anthropic, Some(&own.to_string()), &tests::model());
    let mut want = own.as_array().expect("blocks").clone();
    want[3] = json!({"type": "tool_use", "id": "a", "name": "query", "input": {"b": 1}});
    assert_eq!(body["messages"][1], json!({"role": "assistant", "content": want}));
}

#[test]
fn replies_that_break() {
    let a = stream(&[words(0), text(0, "a")], None);
    check(&a, &[said("a"), BROKEN]);
    let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}, "request_id": "r"});
    let overloaded = Fault::Reported { message: "Overloaded".to_owned(), transient: true };
    check(
        &format!("{a}event: error\ndata: {error}\n\n"),
        &[said("a"), ModelEvent::Fault(overloaded)],
    );
    // The reason came, the closing event did not.
    let closed = stream(&[words(0), text(0, "a")], Some("end_turn"));
    let cut = closed.replace("event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n", "");
    assert_ne!(cut, closed);
    check(&cut, &[said("a"), USAGE, DONE]);
}

#[test]
fn replies_that_are_no_stream() {
    let whole = json!({
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m",
        "content": [
            {"type": "text", "text": "Да."},
            {"type": "tool_use", "id": "toolu_a", "name": "query", "input": {"limit": 1}},
        ],
        "stop_reason": "tool_use", "stop_sequence": null,
        "usage": {"input_tokens": 7, "output_tokens": 2},
    });
    check(
        &whole.to_string(),
        &[said("Да."), call("toolu_a", "query", "{\"limit\":1}"), USAGE, DONE],
    );
}

#[test]
fn requests() {
    let used = |id: &str, name: &str, input: Value| json!({"type": "tool_use", "id": id, "name": name, "input": input});
    let result =
        |id: &str, text: &str| json!({"type": "tool_result", "tool_use_id": id, "content": text});
    let text = |text: &str| json!([{"type": "text", "text": text}]);
    let mut failed = result("d", "three");
    failed["is_error"] = true.into();
    let want = json!({
        "model": "m",
        "max_tokens": 9,
        "system": "sys",
        "messages": [
            {"role": "user", "content": text("вопрос \"x\"")},
            {"role": "assistant", "content": [
                used("a", "query", json!({"b": 1})), used("c", "query", json!({})),
                used("d", "a_b_c", json!({"malformed": "{\"x"})),
            ]},
            {"role": "user", "content": [
                result("a", "one"), result("c", "two"), failed,
                {"type": "text", "text": "go on"},
            ]},
            {"role": "assistant", "content": text("fine")},
            {"role": "user", "content": text("and now?")},
        ],
        "tools": [{"name": "query", "description": "runs", "input_schema": {"type": "object"}}],
        "stream": true,
    });
    assert_eq!(tests::request(Wire::Anthropic, None, &tests::model()), want);
    let plain = Model { stream: false, max_tokens: None, tools: false, ..tests::model() };
    let body = tests::request(Wire::Anthropic, None, &plain);
    assert_eq!((&body["stream"], &body["tool_choice"]), (&json!(false), &json!({"type": "none"})));
    assert_eq!(body["max_tokens"], super::MOST_TOKENS);
}
