//! Reads one reply, streamed or whole, and hands its values to the format.
//!
//! What all formats have in common is here: telling a stream from a plain body, cutting it into
//! values, the limits, and that a reply ends once.

use super::sse::Splitter;
use super::{Fault, ModelEvent, Stop, detail, reported};
use serde_json::Value;
use std::fmt;

/// Bytes of a reply that are read: far more than any answer, far less than memory.
pub(super) const MOST_BYTES: usize = 8 << 20;
/// Bytes of text that an answer may have.
pub(super) const MOST_TEXT: usize = 64 << 10;

/// What a format makes of the values of a reply.
pub(super) trait Format: fmt::Debug {
    /// A value of a stream; false when it is nothing that this format knows.
    fn value(&mut self, value: &Value, said: &mut Said) -> bool;

    /// The value of a reply that came whole; false when it is no reply of this format.
    fn whole(&mut self, value: &Value, said: &mut Said) -> bool;

    /// The stream has ended, properly (`closed`) or not: why the model stopped, if it did.
    fn stopped(&self, closed: bool) -> Option<Stop>;

    /// What is told once the reply is complete: calls, the turn as it was written, usage.
    fn complete(&mut self, said: &mut Said);
}

/// What a value says.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) events: Vec<ModelEvent>,
    /// How the reply ends here, if it does.
    pub(super) end: Option<Result<Stop, Fault>>,
}

impl Said {
    pub(super) fn text(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !text.is_empty() {
            self.events.push(ModelEvent::Text(text));
        }
    }

    pub(super) fn usage(&mut self, tokens: Option<(u64, u64)>) {
        if let Some((input, output)) = tokens {
            self.events.push(ModelEvent::Usage { input, output });
        }
    }

    pub(super) fn stop(&mut self, stop: Stop) {
        self.end = Some(Ok(stop));
    }

    pub(super) fn fault(&mut self, fault: Fault) {
        self.end = Some(Err(fault));
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

/// A decoder for one reply.
#[derive(Debug)]
pub struct Decoder {
    format: Box<dyn Format>,
    form: Form,
    /// Bytes before the form is known, then the body of a whole reply.
    body: Vec<u8>,
    splitter: Splitter,
    /// How the first value begins that the format did not know, until one comes that it knows.
    unknown: Option<String>,
    known: bool,
    bytes: usize,
    text: usize,
    ended: bool,
}

impl Decoder {
    pub(super) fn new(format: Box<dyn Format>) -> Self {
        Self {
            format,
            form: Form::default(),
            body: Vec::new(),
            splitter: Splitter::default(),
            unknown: None,
            known: false,
            bytes: 0,
            text: 0,
            ended: false,
        }
    }

    /// The events that `bytes` complete; none once the reply has ended.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<ModelEvent> {
        let mut events = Vec::new();
        if self.ended {
            return events;
        }
        // Counted byte by byte, so that the same bytes give the same events however they were cut.
        let room = MOST_BYTES - self.bytes.min(MOST_BYTES);
        let too_long = bytes.len() > room;
        let bytes = bytes.get(..room).unwrap_or(bytes);
        self.bytes += bytes.len();
        match self.form {
            Form::Stream => self.stream(bytes, &mut events),
            Form::Whole => self.body.extend_from_slice(bytes),
            Form::Unknown => {
                self.body.extend_from_slice(bytes);
                self.form = form(&self.body);
                if self.form == Form::Stream {
                    let head = std::mem::take(&mut self.body);
                    self.stream(&head, &mut events);
                }
            }
        }
        if too_long && !self.ended {
            self.fault(Fault::TooLong, &mut events);
        }
        events
    }

    /// The bytes have ended: the remaining events, the last of which is `Done` or `Fault` unless
    /// one of them came before.
    pub fn finish(&mut self) -> Vec<ModelEvent> {
        let mut events = Vec::new();
        if self.ended {
            return events;
        }
        if self.form != Form::Stream {
            self.whole_reply(&mut events);
            return events;
        }
        for payload in self.splitter.finish(whole) {
            self.payload(&payload, &mut events);
        }
        if !self.ended {
            self.close(false, &mut events);
        }
        events
    }

    fn stream(&mut self, bytes: &[u8], events: &mut Vec<ModelEvent>) {
        for payload in self.splitter.push(bytes, whole) {
            self.payload(&payload, events);
        }
    }

    fn payload(&mut self, payload: &str, events: &mut Vec<ModelEvent>) {
        if self.ended {
            return;
        }
        if payload.trim() == CLOSING {
            self.close(true, events);
            return;
        }
        let value = match serde_json::from_str::<Value>(payload) {
            Ok(value) => value,
            // A piece that cannot be read may have been text: going on would lose it silently.
            Err(_) if payload.trim_start().starts_with('{') => {
                self.fault(Fault::Broken, events);
                return;
            }
            Err(_) => return,
        };
        if let Some(fault) = reported(&value) {
            self.fault(fault, events);
            return;
        }
        let mut said = Said::default();
        if self.format.value(&value, &mut said) {
            self.known = true;
        } else if value.is_object() && self.unknown.is_none() {
            self.unknown = Some(detail(payload.as_bytes()));
        }
        self.say(said, events);
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
        let mut said = Said::default();
        if !self.format.whole(&value, &mut said) {
            said.fault(Fault::Foreign { message: detail(&body) });
        }
        self.say(said, events);
    }

    /// Passes on what was said, and ends the reply where it says so.
    fn say(&mut self, said: Said, events: &mut Vec<ModelEvent>) {
        for event in said.events {
            if let ModelEvent::Text(text) = &event {
                self.text += text.len();
                if self.text > MOST_TEXT {
                    self.fault(Fault::TooLong, events);
                    return;
                }
            }
            events.push(event);
        }
        match said.end {
            Some(Ok(stop)) => self.done(stop, events),
            Some(Err(fault)) => self.fault(fault, events),
            None => {}
        }
    }

    fn close(&mut self, closed: bool, events: &mut Vec<ModelEvent>) {
        let foreign = self.unknown.take().filter(|_| !self.known);
        match (foreign, self.format.stopped(closed)) {
            // A stream, but not one word of it in this format.
            (Some(message), _) => self.fault(Fault::Foreign { message }, events),
            (None, Some(stop)) => self.done(stop, events),
            (None, None) => self.fault(Fault::Broken, events),
        }
    }

    fn done(&mut self, stop: Stop, events: &mut Vec<ModelEvent>) {
        let mut said = Said::default();
        self.format.complete(&mut said);
        events.extend(said.events);
        events.push(ModelEvent::Done(stop));
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
