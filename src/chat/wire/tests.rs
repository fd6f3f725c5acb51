//! What all formats have in common.

use super::reader::{MOST_BYTES, MOST_TEXT};
use super::{Fault, Model, ModelCall, ModelEvent, Stop, Wire, detail};
use crate::disclose::{Call, Gate, Message, Policy, ToolDefinition};
use proptest::prelude::*;
use serde_json::{Value, json};

/// All events of a reply that comes in these pieces.
pub(super) fn all(wire: Wire, parts: &[&[u8]]) -> Vec<ModelEvent> {
    let mut decoder = wire.decoder();
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

fn endings(events: &[ModelEvent]) -> usize {
    events.iter().filter(|e| matches!(e, ModelEvent::Done(_) | ModelEvent::Fault(_))).count()
}

/// Decodes `reply` whole, in two parts at every cut, and byte by byte: always `want`. Then cuts it
/// short at every byte, and spoils every byte: never a panic, always one ending, never more text than
/// the reply has where it is short.
pub(super) fn check(wire: Wire, reply: &str, want: &[ModelEvent]) {
    let bytes = reply.as_bytes();
    assert_eq!(all(wire, &[bytes]), want, "{reply}");
    for cut in 0..bytes.len() {
        assert_eq!(all(wire, &[&bytes[..cut], &bytes[cut..]]), want, "cut at {cut}: {reply}");
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(all(wire, &single), want, "byte by byte: {reply}");
    let whole = text(want);
    for cut in 0..bytes.len() {
        let events = all(wire, &[&bytes[..cut]]);
        assert!(whole.starts_with(&text(&events)), "short at {cut}: {events:?}");
        assert_eq!(endings(&events), 1, "short at {cut}: {events:?}");
        let spoilt = [0, b'\n', b'"', b'}', 0xff][cut % 5];
        let mut bytes = bytes.to_vec();
        bytes[cut] = spoilt;
        let events = all(wire, &[&bytes]);
        assert_eq!(endings(&events), 1, "{spoilt} at {cut}: {events:?}");
        assert!(matches!(events.last(), Some(ModelEvent::Done(_) | ModelEvent::Fault(_))));
    }
}

pub(super) fn said(text: &str) -> ModelEvent {
    ModelEvent::Text(text.into())
}

pub(super) fn call(id: &str, name: &str, arguments: &str) -> ModelEvent {
    ModelEvent::Call(ModelCall { id: id.into(), name: name.into(), arguments: arguments.into() })
}

pub(super) const DONE: ModelEvent = ModelEvent::Done(Stop::Complete);
pub(super) const BROKEN: ModelEvent = ModelEvent::Fault(Fault::Broken);

pub(super) fn model() -> Model {
    Model { name: "m".into(), stream: true, max_tokens: Some(9), tools: true, reasoning: true }
}

/// A question, three calls with their results (the last one failed), a word between, an answer and
/// the next question, as `wire` writes them. With `own` the calls come as they were written.
pub(super) fn request(wire: Wire, own: Option<&str>, model: &Model) -> Value {
    let policy = Policy::default();
    let gate = Gate::new(&policy);
    let call = |id: &str, name: &str, arguments: &str| Call {
        id: id.into(),
        name: name.into(),
        arguments: gate.model_words(arguments),
    };
    let result = |id: &str, content, failed| Message::ToolResult {
        call_id: id.into(),
        name: "query".into(),
        content: gate.constant(content),
        failed,
    };
    let calls = vec![
        call("a", "query", "{ \"b\" : 1}"),
        call("c", "query", ""),
        call("d", "a.b c", "{\"x"),
    ];
    // What came as it was written holds one call alone.
    let calls = if own.is_some() && wire != Wire::OpenAiChat { calls[..1].to_vec() } else { calls };
    let own = own.map(|own| gate.model_words(own));
    let said = |text, calls, own| Message::Assistant { text: gate.model_words(text), calls, own };
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
            said("", calls, own),
            result("a", "one", false),
            result("c", "two", false),
            result("d", "three", true),
            Message::User(gate.constant("go on")),
            said("fine", vec![], None),
            Message::User(gate.typed_by_person("and now?")),
        ],
    );
    let body = wire.encode(&disclosure, model);
    assert_eq!(body, wire.encode(&disclosure, model), "the same bytes every time");
    serde_json::from_slice(&body).expect("JSON")
}

#[test]
fn what_is_no_reply_is_said_in_every_format() {
    let foreign = |message: &str| ModelEvent::Fault(Fault::Foreign { message: message.to_owned() });
    let reported = |message: &str, transient| {
        ModelEvent::Fault(Fault::Reported { message: message.to_owned(), transient })
    };
    for wire in Wire::ALL {
        for (reply, want) in [
            ("<!doctype html><h1>Sign in</h1>", foreign("Sign in")),
            ("upstream connect error", foreign("upstream connect error")),
            ("data", foreign("data")),
            ("{\"ok\":true}", foreign("{\"ok\":true}")),
            ("[]", foreign("[]")),
            ("", foreign("")),
            ("{\"choices\":[{\"mess", BROKEN),
            (": only a comment\n\n", BROKEN),
            ("data: {bad}\n\n", BROKEN),
            ("data: {\"kind\":\"news\"}\n\n", foreign("{\"kind\":\"news\"}")),
            (
                "{\"error\":{\"message\":\"no such model\",\"code\":404}}",
                reported("no such model", false),
            ),
            (
                "data: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n",
                reported("Overloaded", true),
            ),
        ] {
            assert_eq!(all(*wire, &[reply.as_bytes()]), [want], "{reply} by {}", wire.name());
        }
        assert_eq!(all(*wire, &[b"\xff\xfe\x00"]).len(), 1);
    }
}

#[test]
fn replies_without_end_are_stopped() {
    let too_long = [ModelEvent::Fault(Fault::TooLong)];
    for wire in Wire::ALL {
        for begin in ["data: {\"", "{\"", ": "] {
            let mut decoder = wire.decoder();
            let mut events = decoder.push(begin.as_bytes());
            let piece = vec![b'x'; 1 << 20];
            for _ in 0..=MOST_BYTES / piece.len() {
                events.extend(decoder.push(&piece));
            }
            events.extend(decoder.finish());
            assert_eq!(events, too_long, "{begin} by {}", wire.name());
        }
    }
    let piece = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"content\":\"{}\"}}}}]}}\n\n",
        "x".repeat(1000)
    );
    let events = all(Wire::OpenAiChat, &[piece.repeat(100).as_bytes()]);
    assert!(text(&events).len() <= MOST_TEXT && events.last() == Some(&too_long[0]));
}

proptest! {
    #[test]
    fn arbitrary_bytes_never_panic(
        parts in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..6),
    ) {
        let parts: Vec<&[u8]> = parts.iter().map(Vec::as_slice).collect();
        let whole = parts.concat();
        for wire in Wire::ALL {
            prop_assert_eq!(all(*wire, &parts), all(*wire, &[&whole]));
        }
    }

    /// Values of the right kinds with the wrong things in them.
    #[test]
    fn arbitrary_values_never_panic(
        kinds in prop::collection::vec(
            "message_start|content_block_start|content_block_delta|message_delta|message_stop|response\\.(output_item\\.(added|done)|output_text\\.(delta|done)|function_call_arguments\\.(delta|done)|completed|incomplete|failed)|error",
            1..6,
        ),
        fields in prop::collection::vec(
            "\"(index|output_index|content_index|delta|item|content_block|response|text|usage|arguments|output|error)\":(1|null|\"x\"|\\{\\}|\\[\\{\\}\\]|\\{\"type\":\"(text|message|tool_use|function_call|text_delta|reasoning)\",\"text\":\"a\",\"content\":\\[\\{\"text\":\"b\"\\}\\]\\})",
            6,
        ),
    ) {
        let stream = kinds.iter().zip(fields.windows(2)).fold(String::new(), |all, (kind, more)| {
            all + &format!("data: {{\"type\":\"{kind}\",{}}}\n\n", more.join(","))
        });
        for wire in Wire::ALL {
            let events = all(*wire, &[stream.as_bytes()]);
            prop_assert_eq!(endings(&events), 1);
        }
    }
}

#[test]
fn names() {
    for wire in Wire::ALL {
        assert_eq!(Wire::named(wire.name()), Ok(*wire));
    }
    let problem = Wire::named("openai").expect_err("no such format");
    assert_eq!(problem.diagnostics()[0].choices, ["openai-chat", "openai-responses", "anthropic"]);
}

#[test]
fn details() {
    for (body, want) in [
        (r#"{"error":{"message":"no such model","type":"x"}}"#, "no such model"),
        (r#"{"error":"busy"}"#, "busy"),
        (r#"[{"error":{"message":"quota"}}]"#, "quota"),
        (r#"{"detail":"Not Found"}"#, "Not Found"),
        ("<html><h1>502</h1>\nBad\u{0} <b>Gateway</b></html>", "502 Bad Gateway"),
        ("", ""),
    ] {
        assert_eq!(detail(body.as_bytes()), want);
    }
    assert_eq!(detail("x".repeat(1000).as_bytes()).len(), super::DETAIL);
}
