//! Replies and requests as the endpoint's own documents show them.

use crate::chat::wire::tests::{self, BROKEN, DONE, call, said};
use crate::chat::wire::{Fault, Model, ModelEvent, Stop, Wire};
use serde_json::{Value, json};

fn check(reply: &str, want: &[ModelEvent]) {
    tests::check(Wire::OpenAiResponses, reply, want);
}

/// Events as the endpoint writes them, each under its name.
fn stream(events: &[Value]) -> String {
    events.iter().enumerate().fold(String::new(), |all, (n, event)| {
        let mut event = event.clone();
        event["sequence_number"] = n.into();
        all + &format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or_default())
    })
}

fn added(index: u64, item: Value) -> Value {
    json!({"type": "response.output_item.added", "output_index": index, "item": item})
}

fn item_done(index: u64, item: Value) -> Value {
    json!({"type": "response.output_item.done", "output_index": index, "item": item})
}

fn delta(index: u64, text: &str) -> Value {
    json!({"type": "response.output_text.delta", "item_id": format!("i{index}"), "output_index": index, "content_index": 0, "delta": text})
}

fn completed(output: Value) -> Value {
    json!({"type": "response.completed", "response": {"id": "resp_1", "object": "response", "status": "completed", "error": null, "output": output, "usage": {"input_tokens": 7, "output_tokens": 2}}})
}

fn message(index: u64, text: &str) -> Value {
    json!({"id": format!("i{index}"), "type": "message", "status": "completed", "role": "assistant", "content": [{"type": "output_text", "text": text, "annotations": []}]})
}

fn function(index: u64, id: &str, arguments: &str) -> Value {
    json!({"id": format!("i{index}"), "type": "function_call", "status": "completed", "call_id": id, "name": "query", "arguments": arguments})
}

const USAGE: ModelEvent = ModelEvent::Usage { input: 7, output: 2 };

#[test]
fn text_in_pieces() {
    let begin = json!({"id": "i0", "type": "message", "status": "in_progress", "role": "assistant", "content": []});
    let part = json!({"type": "response.content_part.added", "item_id": "i0", "output_index": 0, "content_index": 0, "part": {"type": "output_text", "text": ""}});
    let text_done = json!({"type": "response.output_text.done", "item_id": "i0", "output_index": 0, "content_index": 0, "text": "Среднее – 🦉"});
    let all = [
        json!({"type": "response.created", "response": {"status": "in_progress", "output": []}}),
        json!({"type": "response.in_progress", "response": {"status": "in_progress", "output": []}}),
        added(0, begin),
        part,
        delta(0, "Сред"),
        delta(0, "нее – 🦉"),
        text_done,
        item_done(0, message(0, "Среднее – 🦉")),
        completed(json!([message(0, "Среднее – 🦉")])),
    ];
    check(&stream(&all), &[said("Сред"), said("нее – 🦉"), USAGE, DONE]);
}

#[test]
fn what_no_delta_told_is_told_once() {
    // A server that sends no deltas; one that sends half of them; one that sends only the end.
    check(
        &stream(&[item_done(0, message(0, "abc")), completed(json!([]))]),
        &[said("abc"), USAGE, DONE],
    );
    check(
        &stream(&[
            delta(0, "a"),
            item_done(0, message(0, "abc")),
            completed(json!([message(0, "abc")])),
        ]),
        &[said("a"), said("bc"), USAGE, DONE],
    );
    check(&stream(&[completed(json!([message(0, "abc")]))]), &[said("abc"), USAGE, DONE]);
    // Without numbers and ids.
    let bare = json!({"type": "response.output_text.delta", "delta": "b"});
    let item =
        json!({"type": "response.output_item.added", "item": {"type": "message", "content": []}});
    check(
        &stream(&[item, bare.clone(), bare, completed(json!([]))]),
        &[said("b"), said("b"), USAGE, DONE],
    );
}

#[test]
fn calls_in_fragments() {
    let begin = |index: u64, id: &str| {
        let mut item = function(index, id, "");
        item["status"] = "in_progress".into();
        added(index, item)
    };
    let fragment = |index: u64, text: &str| json!({"type": "response.function_call_arguments.delta", "item_id": format!("i{index}"), "output_index": index, "delta": text});
    let done = |index: u64, text: &str| json!({"type": "response.function_call_arguments.done", "item_id": format!("i{index}"), "output_index": index, "arguments": text, "name": "query"});
    let (a, b) = ("{\"where\": \"é\"}", "{}");
    let all = [
        begin(0, "call_a"),
        fragment(0, "{\"where\":"),
        begin(1, "call_b"),
        fragment(1, "{"),
        fragment(0, " \"é\"}"),
        fragment(1, "}"),
        done(0, a),
        item_done(0, function(0, "call_a", a)),
        done(1, b),
        item_done(1, function(1, "call_b", b)),
        completed(json!([function(0, "call_a", a), function(1, "call_b", b)])),
    ];
    let want = [call("call_a", "query", a), call("call_b", "query", b), USAGE, DONE];
    check(&stream(&all), &want);
    // Fragments alone; arguments as an object; the end alone.
    let short = [
        begin(0, "call_a"),
        fragment(0, a),
        begin(1, "call_b"),
        fragment(1, b),
        completed(json!([])),
    ];
    check(&stream(&short), &want);
    let object = json!({"type": "function_call", "call_id": "call_a", "name": "query", "arguments": {"limit": 1}});
    let nameless = json!({"type": "function_call", "name": "query", "arguments": "{}"});
    check(
        &stream(&[item_done(0, object), item_done(1, nameless), completed(json!([]))]),
        &[call("call_a", "query", "{\"limit\":1}"), call("", "query", "{}"), USAGE, DONE],
    );
    check(
        &stream(&[completed(json!([function(0, "call_a", a), function(1, "call_b", b)]))]),
        &want,
    );
}

#[test]
fn thoughts_go_back_sealed_and_with_their_calls() {
    let thought =
        json!({"id": "rs_1", "type": "reasoning", "summary": [], "encrypted_content": "gAAA"});
    let items = json!([thought, function(1, "call_a", "{}")]);
    let all = [
        added(0, json!({"id": "rs_1", "type": "reasoning", "summary": []})),
        item_done(0, thought.clone()),
        item_done(1, function(1, "call_a", "{}")),
        completed(items.clone()),
    ];
    check(
        &stream(&all),
        &[call("call_a", "query", "{}"), ModelEvent::Turn(items.to_string()), USAGE, DONE],
    );
    let body = tests::request(Wire::OpenAiResponses, Some(&items.to_string()), &tests::model());
    let input = body["input"].as_array().expect("items");
    assert_eq!(input[1], thought);
    assert_eq!((&input[2]["id"], &input[2]["call_id"]), (&json!("i1"), &json!("a")));
    assert_eq!(input[2]["arguments"], "{ \"b\" : 1}");
    assert_eq!(
        (&input[3]["type"], &input[3]["call_id"]),
        (&json!("function_call_output"), &json!("a"))
    );
    // Thoughts in the clear cannot go back: nothing is kept there that their ids could name.
    let open = json!({"id": "rs_1", "type": "reasoning", "summary": []});
    check(
        &stream(&[
            item_done(0, open.clone()),
            item_done(1, function(1, "c", "{}")),
            completed(json!([])),
        ]),
        &[call("c", "query", "{}"), USAGE, DONE],
    );
    // The phase of a message goes back, without the ids that would ask for the thought.
    let mut phased = message(1, "Hm.");
    phased["phase"] = "commentary".into();
    let mut bare = phased.clone();
    bare.as_object_mut().expect("an object").shift_remove("id");
    check(
        &stream(&[item_done(0, open), item_done(1, phased), completed(json!([]))]),
        &[said("Hm."), ModelEvent::Turn(json!([bare]).to_string()), USAGE, DONE],
    );
}

#[test]
fn replies_that_end_otherwise() {
    let end = |status: &str, more: Value| json!({"type": format!("response.{status}"), "response": {"status": status, "output": [], "error": more["error"], "incomplete_details": more["incomplete_details"]}});
    let reported = |message: &str, transient| {
        ModelEvent::Fault(Fault::Reported { message: message.to_owned(), transient })
    };
    let reason = |reason: &str| json!({"incomplete_details": {"reason": reason}});
    for (last, want) in [
        (end("incomplete", reason("max_output_tokens")), ModelEvent::Done(Stop::Length)),
        (end("incomplete", reason("content_filter")), ModelEvent::Done(Stop::Filtered)),
        (
            end("failed", json!({"error": {"code": "server_error", "message": "it broke"}})),
            reported("it broke", true),
        ),
        (
            end("failed", json!({"error": {"code": "invalid_prompt", "message": "no"}})),
            reported("no", false),
        ),
        (end("failed", json!({})), BROKEN),
        (
            json!({"type": "error", "code": "rate_limit_exceeded", "message": "slow down", "param": null}),
            reported("slow down", true),
        ),
    ] {
        check(&stream(&[delta(0, "a"), last]), &[said("a"), want]);
    }
    // Nothing but an event says that it is complete.
    let all = tests::all(
        Wire::OpenAiResponses,
        &[stream(&[delta(0, "a")]).as_bytes(), b"data: [DONE]\n\n"],
    );
    assert_eq!(all, [said("a"), BROKEN]);
    let refusal = json!({"type": "response.refusal.delta", "output_index": 0, "content_index": 0, "delta": "I cannot"});
    let refused = json!({"id": "i0", "type": "message", "role": "assistant", "content": [{"type": "refusal", "refusal": "I cannot do that"}]});
    check(
        &stream(&[refusal, item_done(0, refused), completed(json!([]))]),
        &[said("I cannot"), said(" do that"), USAGE, DONE],
    );
}

#[test]
fn replies_that_are_no_stream() {
    let whole = |output: Value| {
        json!({"id": "resp_1", "object": "response", "status": "completed", "error": null, "output": output, "usage": {"input_tokens": 7, "output_tokens": 2}}).to_string()
    };
    check(
        &whole(json!([message(0, "Да."), function(1, "call_a", "{}")])),
        &[said("Да."), call("call_a", "query", "{}"), USAGE, DONE],
    );
}

#[test]
fn requests() {
    let function = |id: &str, name: &str, arguments: &str| json!({"type": "function_call", "call_id": id, "name": name, "arguments": arguments});
    let output = |id: &str, text: &str| json!({"type": "function_call_output", "call_id": id, "output": text});
    let want = json!({
        "model": "m",
        "instructions": "sys",
        "input": [
            {"role": "user", "content": "вопрос \"x\""},
            function("a", "query", "{ \"b\" : 1}"), function("c", "query", "{}"),
            function("d", "a_b_c", "{\"malformed\":\"{\\\"x\"}"),
            output("a", "one"), output("c", "two"), output("d", "three"),
            {"role": "user", "content": "go on"},
            {"role": "assistant", "content": "fine"},
            {"role": "user", "content": "and now?"},
        ],
        "tools": [{"type": "function", "name": "query", "description": "runs", "parameters": {"type": "object"}, "strict": false}],
        "max_output_tokens": 9,
        "store": false,
        "include": ["reasoning.encrypted_content"],
        "stream": true,
    });
    assert_eq!(tests::request(Wire::OpenAiResponses, None, &tests::model()), want);
    let plain =
        Model { stream: false, max_tokens: None, tools: false, reasoning: false, ..tests::model() };
    let body = tests::request(Wire::OpenAiResponses, None, &plain);
    assert_eq!((&body["stream"], &body["tool_choice"]), (&json!(false), &json!("none")));
    assert!(body.get("include").is_none() && body.get("max_output_tokens").is_none());
    assert_eq!(body["store"], false);
    // A turn that does not fit its calls is written plainly.
    let body = tests::request(Wire::OpenAiResponses, Some("[]"), &tests::model());
    assert_eq!(body["input"][1], function("a", "query", "{ \"b\" : 1}"));
}
