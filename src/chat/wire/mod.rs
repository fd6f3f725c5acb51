//! Wire formats: each one file that turns a [`Disclosure`] into the bytes of a request and the
//! bytes of a reply, streamed or whole, into [`ModelEvent`]s. Nothing but a `Disclosure` can be
//! encoded.

mod anthropic;
mod openai_chat;
mod openai_responses;
mod reader;
mod sse;
#[cfg(test)]
mod tests;

pub use reader::Decoder;

use crate::disclose::Disclosure;
use crate::error::{Code, Diagnostic, Error, Result};
use serde_json::{Value, json};

/// A format that an endpoint speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Wire {
    /// Chat Completions, as most servers speak it.
    #[default]
    OpenAiChat,
    /// Responses, without anything kept at the endpoint.
    OpenAiResponses,
    /// Messages.
    Anthropic,
}

impl Wire {
    /// Every format.
    pub const ALL: &[Self] = &[Self::OpenAiChat, Self::OpenAiResponses, Self::Anthropic];

    /// The name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai-chat",
            Self::OpenAiResponses => "openai-responses",
            Self::Anthropic => "anthropic",
        }
    }

    /// The format named `name`.
    ///
    /// # Errors
    /// `bad_option` with the names there are.
    pub fn named(name: &str) -> Result<Self> {
        Self::ALL.iter().copied().find(|w| w.name() == name).ok_or_else(|| {
            Error::input(
                Diagnostic::new(
                    Code::BadOption,
                    text!("unknown wire format `{name}`", "неизвестный формат обмена `{name}`"),
                )
                .at("/wire")
                .choices(Self::ALL.iter().map(|w| w.name())),
            )
        })
    }

    /// The exact bytes of a request: the same disclosure and model give the same bytes.
    pub fn encode(self, disclosure: &Disclosure, model: &Model) -> Vec<u8> {
        let body = match self {
            Self::OpenAiChat => openai_chat::encode(disclosure, model),
            Self::OpenAiResponses => openai_responses::encode(disclosure, model),
            Self::Anthropic => anthropic::encode(disclosure, model),
        };
        body.to_string().into_bytes()
    }

    /// A decoder for one reply.
    pub fn decoder(self) -> Decoder {
        Decoder::new(match self {
            Self::OpenAiChat => Box::<openai_chat::Reply>::default(),
            Self::OpenAiResponses => Box::<openai_responses::Reply>::default(),
            Self::Anthropic => Box::<anthropic::Reply>::default(),
        })
    }
}

/// What a request asks of the model beside its messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Model {
    /// The model's name at the endpoint.
    pub name: String,
    /// Ask for a stream.
    pub stream: bool,
    /// Most tokens of the reply.
    pub max_tokens: Option<u32>,
    /// Whether the model may call tools in this turn.
    pub tools: bool,
    /// Ask for what the model thought in encrypted form, to hand it back with the results of its
    /// calls (Responses). Models that do not think refuse it.
    pub reasoning: bool,
}

/// Something the model said. The same bytes give the same events however they were cut.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelEvent {
    /// More text.
    Text(String),
    /// A whole tool call; its arguments are what the model wrote, not yet parsed.
    Call(ModelCall),
    /// The whole turn as the endpoint wrote it, in its own format, where it holds more than text and
    /// calls (what the model thought, signatures): it goes back with the results of the calls.
    Turn(String),
    /// Tokens, as the endpoint counts them.
    Usage {
        /// Of the request.
        input: u64,
        /// Of the reply.
        output: u64,
    },
    /// The reply is complete.
    Done(Stop),
    /// There is no reply, or no more of it.
    Fault(Fault),
}

/// A tool call as the model wrote it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ModelCall {
    /// The call's id; empty where the endpoint gave none.
    pub id: String,
    /// The tool's name.
    pub name: String,
    /// Its arguments: JSON text, if the model got it right.
    pub arguments: String,
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// The model was done, or wants its calls answered.
    Complete,
    /// The reply was cut at its longest.
    Length,
    /// The endpoint withheld the rest.
    Filtered,
}

/// What is wrong with a reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The stream ended before the reply did.
    Broken,
    /// The endpoint says so itself. Its words are for the person, never for the model.
    Reported {
        /// Its message, as plain text of at most [`DETAIL`] characters.
        message: String,
        /// True where trying again can help: overload, rate limits, server faults.
        transient: bool,
    },
    /// This is no reply of the format: a page, some other JSON, nothing at all.
    Foreign {
        /// How it begins, as plain text.
        message: String,
    },
    /// It is longer than any answer.
    TooLong,
}

/// Most characters of an endpoint's own words that are shown.
pub const DETAIL: usize = 200;

/// Statuses where the same request may be answered a little later: too many requests, and faults
/// of the server. What it has not implemented (501) and a version of HTTP that it does not speak
/// (505) stay so.
pub(crate) fn is_transient(status: u64) -> bool {
    status == 429 || ((500..600).contains(&status) && status != 501 && status != 505)
}

/// The words of an endpoint's error body, if any can be made out: `error.message`, `message`,
/// `detail`, `error`; else the beginning of the text, without markup.
pub(crate) fn detail(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let words = serde_json::from_str::<Value>(&text)
        .ok()
        .and_then(|v| error_message(&v))
        .unwrap_or_else(|| without_markup(&text));
    plain(&words)
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
    let transient = code.is_some_and(is_transient)
        || ["overload", "rate_limit", "server_error", "unavailable", "timeout"]
            .iter()
            .any(|word| kind.contains(word));
    Some(Fault::Reported { message, transient })
}

/// The message in an error object of any usual shape.
fn error_message(value: &Value) -> Option<String> {
    // Some gateways wrap the object in a list.
    let value = value.get(0).unwrap_or(value);
    [&value["error"]["message"], &value["message"], &value["detail"], &value["error"]]
        .into_iter()
        .find_map(|v| v.as_str())
        .map(str::to_owned)
}

/// One line of at most [`DETAIL`] characters, without control characters.
fn plain(text: &str) -> String {
    let words: Vec<&str> = text
        .split(|c: char| c.is_control() || c.is_whitespace())
        .filter(|w| !w.is_empty())
        .collect();
    words.join(" ").chars().take(DETAIL).collect()
}

/// The text between tags.
fn without_markup(text: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in text.chars() {
        match c {
            '<' => inside = true,
            '>' if inside => {
                inside = false;
                out.push(' ');
            }
            _ if !inside => out.push(c),
            _ => {}
        }
    }
    out
}

/// Arguments as the text of a JSON object. What is none is wrapped into one: servers parse earlier
/// arguments, and one broken call would make every later request fail.
fn object_text(arguments: &str) -> String {
    match serde_json::from_str::<Value>(arguments) {
        // As it came, byte for byte.
        Ok(Value::Object(_)) => arguments.to_owned(),
        _ => object(arguments).to_string(),
    }
}

/// The same as a value.
fn object(arguments: &str) -> Value {
    match serde_json::from_str::<Value>(arguments) {
        Ok(Value::Object(map)) => Value::Object(map),
        _ if arguments.trim().is_empty() => json!({}),
        _ => json!({"malformed": arguments}),
    }
}

/// A tool's name as servers accept it in earlier turns: a model may have made one up that they do
/// not, and every later request would fail.
fn tool_name(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let name: String = name.chars().map(|c| if fits(c) { c } else { '_' }).take(64).collect();
    if name.is_empty() { "unknown".to_owned() } else { name }
}

/// An id as text; some servers give numbers.
fn id(value: &Value) -> String {
    match value {
        Value::String(id) => id.clone(),
        Value::Number(id) => id.to_string(),
        _ => String::new(),
    }
}

/// The arguments of a call as text: some servers give the object itself.
fn arguments(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Object(_) => value.to_string(),
        _ => String::new(),
    }
}
