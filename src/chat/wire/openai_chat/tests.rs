//! Replies as servers send them, cut everywhere.

use crate::chat::wire::tests::{self, BROKEN, DONE, call, said};
use crate::chat::wire::{Fault, Model, ModelEvent, Stop, Wire};
use proptest::prelude::*;
use serde_json::json;

fn all(parts: &[&[u8]]) -> Vec<ModelEvent> {
    tests::all(Wire::OpenAiChat, parts)
}

fn check(reply: &str, want: &[ModelEvent]) {
    tests::check(Wire::OpenAiChat, reply, want);
}

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
    fn arbitrary_payloads_never_panic(
        payloads in prop::collection::vec("(\\{\"choices\":\\[\\{\"delta\":\\{\"(content|tool_calls)\":[\\[\\]{}\":a0,]{0,9}\\}\\}\\]\\}|[ -~]{0,20})", 0..6)
    ) {
        let stream = payloads.iter().fold(String::new(), |all, p| all + "data: " + p + "\n\n");
        let events = all(&[stream.as_bytes()]);
        prop_assert!(!events.is_empty());
    }
}

#[test]
fn thoughts_and_their_signatures_go_back() {
    let stream = concat!(
        "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"Let\",\"content\":null}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\" me\",\"content\":\"\"}}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"query\",\"arguments\":\"{}\"},\"extra_content\":{\"google\":{\"thought_signature\":\"s=\"}}}]},\"finish_reason\":\"tool_calls\"}]}\n\n",
        "data: [DONE]\n\n",
    );
    let own = r#"{"reasoning_content":"Let me","tool_calls":[{"extra_content":{"google":{"thought_signature":"s="}}}]}"#;
    check(stream, &[call("a", "query", "{}"), ModelEvent::Turn(own.to_owned()), DONE]);
    let body = tests::request(Wire::OpenAiChat, Some(own), &tests::model());
    let turn = &body["messages"][2];
    assert_eq!(turn["reasoning_content"], "Let me");
    assert_eq!(turn["tool_calls"][0]["extra_content"]["google"]["thought_signature"], "s=");
    assert_eq!(turn["tool_calls"][0]["id"], "a");
    assert!(turn["tool_calls"][1].get("extra_content").is_none());
}

#[test]
fn requests() {
    let function = |id: &str, name: &str, arguments: &str| json!({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}});
    let want = json!({
        "model": "m",
        "messages": [
            {"role": "system", "content": "sys"},
            {"role": "user", "content": "вопрос \"x\""},
            {"role": "assistant", "content": null, "tool_calls": [
                function("a", "query", "{ \"b\" : 1}"), function("c", "query", "{}"),
                function("d", "a_b_c", "{\"malformed\":\"{\\\"x\"}"),
            ]},
            {"role": "tool", "tool_call_id": "a", "content": "one"},
            {"role": "tool", "tool_call_id": "c", "content": "two"},
            {"role": "tool", "tool_call_id": "d", "content": "three"},
            {"role": "user", "content": "go on"},
            {"role": "assistant", "content": "fine"},
            {"role": "user", "content": "and now?"},
        ],
        "tools": [{"type": "function", "function": {
            "name": "query", "description": "runs", "parameters": {"type": "object"},
        }}],
        "max_tokens": 9,
        "stream": true,
        "stream_options": {"include_usage": true},
    });
    assert_eq!(tests::request(Wire::OpenAiChat, None, &tests::model()), want);
    let plain = Model { stream: false, max_tokens: None, tools: false, ..tests::model() };
    let body = tests::request(Wire::OpenAiChat, None, &plain);
    assert_eq!((&body["stream"], &body["tool_choice"]), (&json!(false), &json!("none")));
    assert!(body.get("stream_options").is_none() && body.get("max_tokens").is_none());
}
