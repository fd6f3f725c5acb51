//! Diagnostics (what is wrong with an input, and how to mend it) and the error type of the crate.
//!
//! One [`Diagnostic`] serves the person at the page, JavaScript and the model. It never carries a
//! cell value: only names, positions and what the author of the query wrote.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The language of generated texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Locale {
    /// English.
    #[default]
    En,
    /// Russian.
    Ru,
}

/// A sentence in both languages; [`Text::get`] picks one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Text {
    /// The English sentence.
    pub en: String,
    /// The Russian sentence.
    pub ru: String,
}

impl Text {
    /// A text that reads the same in both languages (a name, a piece of code).
    pub fn same(text: impl Into<String>) -> Self {
        let en = text.into();
        Self { ru: en.clone(), en }
    }

    /// The sentence in `locale`.
    pub fn get(&self, locale: Locale) -> &str {
        match locale {
            Locale::En => &self.en,
            Locale::Ru => &self.ru,
        }
    }
}

/// English is what logs and models read.
impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.en)
    }
}

/// Builds a [`Text`] from an English and a Russian format string over the same captured names:
/// `text!("unknown column `{name}`", "неизвестный столбец `{name}`")`.
#[macro_export]
macro_rules! text {
    ($en:literal, $ru:literal $(,)?) => {
        $crate::error::Text { en: format!($en), ru: format!($ru) }
    };
}

/// Stable names of what can be wrong. They are part of the public interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[allow(
    missing_docs,
    reason = "each name says what it means; the message of a diagnostic explains it"
)]
pub enum Code {
    // the query
    NotAnObject,
    UnknownField,
    WrongFieldType,
    UnknownTable,
    NoTable,
    AmbiguousTable,
    UnknownColumn,
    UnknownFunction,
    UnknownTimeframe,
    TimeframeTooFine,
    NotResamplable,
    UnknownSession,
    NotIntraday,
    BadPeriod,
    UnsupportedField,
    MisplacedField,
    Syntax,
    SingleEquals,
    CompareNull,
    WrongArity,
    WrongArgument,
    TypeMismatch,
    NotBoolean,
    BadDate,
    AggregatePlacement,
    WindowPlacement,
    NoAggregate,
    NameClash,
    BadSort,
    BadLimit,
    TooLong,
    TooDeep,
    TooMany,
    NoTimeColumn,
    // SQL
    SqlSyntax,
    SqlNotReadOnly,
    SqlRejected,
    // running
    IntegerOverflow,
    DecimalOverflow,
    CastFailed,
    MemoryLimit,
    Cancelled,
    Engine,
    UnknownResult,
    // reading files
    EmptyInput,
    NotText,
    NotATable,
    BadRow,
    BadOption,
    UnsupportedFormat,
    BrokenFile,
    TableExists,
    // tools and the conversation
    UnknownTool,
    MalformedArguments,
    WithheldByPolicy,
    UnknownPolicy,
    LedgerUnavailable,
    SendRefused,
    KeyInBrowser,
    EndpointUnreachable,
    EndpointStatus,
    EndpointNotJson,
    StreamBroken,
    TooManyRounds,
    RepeatedFailure,
    NotUnderstood,
    // scripts
    Clarify,
    ScriptNoExecute,
    ScriptForbidden,
    ScriptSyntax,
    ScriptUndefined,
    ScriptMissing,
    ScriptTime,
    ScriptMemory,
    ScriptStack,
    ScriptQueries,
    ScriptRows,
    ScriptTooLarge,
    ScriptEndlessWait,
    ScriptNoResult,
    ScriptThrew,
    ScriptFailed,
    Internal,
}

impl Code {
    /// The stable snake_case name, as JavaScript and the model see it.
    pub fn name(self) -> String {
        serde_json::to_value(self)
            .ok()
            .and_then(|v| v.as_str().map(str::to_owned))
            .unwrap_or_default()
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// A half-open range of bytes in the expression or text that a diagnostic points into.
/// The facade turns it into UTF-16 units for JavaScript.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Span {
    /// First byte.
    pub start: usize,
    /// One past the last byte.
    pub end: usize,
}

impl Span {
    /// The span `start..end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }
}

/// One thing that is wrong with an input: what, where, what would be valid, and the plain fix
/// where there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable name of the problem.
    pub code: Code,
    /// Lower case, no full stop, quotes the input in backticks; never a cell value.
    pub message: Text,
    /// JSON pointer of the field (`/map/gap`, `/group_by/1`), empty for the whole input.
    pub pointer: String,
    /// Where in the field's expression, in bytes.
    pub span: Option<Span>,
    /// Valid choices, closest first.
    pub choices: Vec<String>,
    /// Text that replaces the span (or the whole field where there is no span).
    pub fix: Option<String>,
}

impl Diagnostic {
    /// A diagnostic about the whole input.
    pub fn new(code: Code, message: Text) -> Self {
        Self { code, message, pointer: String::new(), span: None, choices: Vec::new(), fix: None }
    }

    /// Names the field.
    #[must_use]
    pub fn at(mut self, pointer: impl Into<String>) -> Self {
        self.pointer = pointer.into();
        self
    }

    /// Names the place in the field's expression.
    #[must_use]
    pub fn span(mut self, span: Span) -> Self {
        self.span = Some(span);
        self
    }

    /// Lists what would be valid, closest first.
    #[must_use]
    pub fn choices<S: Into<String>>(mut self, choices: impl IntoIterator<Item = S>) -> Self {
        self.choices = choices.into_iter().map(Into::into).collect();
        self
    }

    /// States the one plain fix.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// One line for a person or a model: pointer, message, choices, fix.
    pub fn render(&self, locale: Locale) -> String {
        let mut line = String::new();
        if !self.pointer.is_empty() {
            line.push_str(&self.pointer);
            line.push_str(": ");
        }
        line.push_str(self.message.get(locale));
        if let Some(fix) = &self.fix {
            line.push_str(match locale {
                Locale::En => "; fix: `",
                Locale::Ru => "; исправление: `",
            });
            line.push_str(fix);
            line.push('`');
        } else if !self.choices.is_empty() {
            line.push_str(match locale {
                Locale::En => "; valid: ",
                Locale::Ru => "; допустимо: ",
            });
            line.push_str(&self.choices.join(", "));
        }
        line
    }

    /// The object that crosses to JavaScript and to a model; the span stays in bytes.
    pub fn to_json(&self, locale: Locale) -> serde_json::Value {
        serde_json::json!({
            "code": self.code,
            "message": self.message.get(locale),
            "pointer": self.pointer,
            "span": self.span.map(|s| [s.start, s.end]),
            "choices": self.choices,
            "fix": self.fix,
        })
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Locale::En))
    }
}

/// Up to `most` of `candidates`, the closest to `wanted` first; the rest keep their order.
pub fn closest<'a>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'a str>,
    most: usize,
) -> Vec<String> {
    let wanted = wanted.to_lowercase();
    let mut scored: Vec<(f64, &str)> = candidates
        .into_iter()
        .map(|c| (strsim::jaro_winkler(&wanted, &c.to_lowercase()), c))
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0));
    scored.into_iter().take(most).map(|(_, c)| c.to_owned()).collect()
}

/// Why a call failed: the user's input, or something of ours.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The input is wrong; every problem is listed.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Input(Vec<Diagnostic>),
    /// The caller cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A mistake of ours. The text is for a bug report at the page and never leaves it.
    #[error("internal error: {0}")]
    Internal(String),
}

impl Error {
    /// A single wrong input.
    pub fn input(diagnostic: Diagnostic) -> Self {
        Self::Input(vec![diagnostic])
    }

    /// What can be told to anybody, a model included: diagnostics, or a code without detail.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Self::Input(list) => list.clone(),
            Self::Cancelled => {
                vec![Diagnostic::new(Code::Cancelled, text!("cancelled", "отменено"))]
            }
            Self::Internal(_) => {
                vec![Diagnostic::new(Code::Internal, text!("internal error", "внутренняя ошибка"))]
            }
        }
    }
}

impl From<Diagnostic> for Error {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::input(diagnostic)
    }
}

impl From<Vec<Diagnostic>> for Error {
    fn from(diagnostics: Vec<Diagnostic>) -> Self {
        Self::Input(diagnostics)
    }
}

/// The result type of the crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;
