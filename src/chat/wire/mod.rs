//! Wire formats: each one file that turns a [`Disclosure`] into the bytes of a request and the
//! bytes of a reply, streamed or whole, into [`ModelEvent`]s. Nothing but a `Disclosure` can be
//! encoded.

mod openai_chat;
mod sse;

use crate::disclose::Disclosure;
use crate::error::{Code, Diagnostic, Error, Result};

/// A format that an endpoint speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Wire {
    /// Chat Completions, as most servers speak it.
    #[default]
    OpenAiChat,
}

impl Wire {
    /// Every format.
    pub const ALL: &[Self] = &[Self::OpenAiChat];

    /// The name in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::OpenAiChat => "openai-chat",
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
        match self {
            Self::OpenAiChat => openai_chat::encode(disclosure, model),
        }
    }

    /// A decoder for one reply.
    pub fn decoder(self) -> Decoder {
        match self {
            Self::OpenAiChat => Decoder::OpenAiChat(openai_chat::Decoder::default()),
        }
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
}

/// Something the model said. The same bytes give the same events however they were cut.
#[derive(Debug, Clone, PartialEq)]
pub enum ModelEvent {
    /// More text.
    Text(String),
    /// A whole tool call; its arguments are what the model wrote, not yet parsed.
    Call(ModelCall),
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
}

/// Most characters of an endpoint's own words that are shown.
pub const DETAIL: usize = 200;

/// A decoder for one reply.
#[derive(Debug)]
#[non_exhaustive]
pub enum Decoder {
    /// For [`Wire::OpenAiChat`].
    OpenAiChat(openai_chat::Decoder),
}

impl Decoder {
    /// The events that `bytes` complete.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<ModelEvent> {
        match self {
            Self::OpenAiChat(d) => d.push(bytes),
        }
    }

    /// The bytes have ended: the remaining events, the last of which is `Done` or `Fault` unless
    /// one of them came before.
    pub fn finish(&mut self) -> Vec<ModelEvent> {
        match self {
            Self::OpenAiChat(d) => d.finish(),
        }
    }
}

/// The words of an endpoint's error body, if any can be made out: `error.message`, `message`,
/// `detail`, `error`; else the beginning of the text, without markup.
pub(crate) fn detail(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let words = serde_json::from_str::<serde_json::Value>(&text)
        .ok()
        .and_then(|v| error_message(&v))
        .unwrap_or_else(|| without_markup(&text));
    plain(&words)
}

/// The message in an error object of any usual shape.
fn error_message(value: &serde_json::Value) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::{Wire, detail};

    #[test]
    fn names() {
        for wire in Wire::ALL {
            assert_eq!(Wire::named(wire.name()), Ok(*wire));
        }
        let problem = Wire::named("openai").expect_err("no such format");
        assert_eq!(problem.diagnostics()[0].choices, ["openai-chat"]);
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
}
