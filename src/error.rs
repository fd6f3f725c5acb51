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
pub enum Code {
    // the query
    /// A query is not an object, or a list of steps holds something else than objects.
    NotAnObject,
    /// A query has a field that the language does not have; the closest names are the choices.
    UnknownField,
    /// A field of a query has a value of another type than it takes.
    WrongFieldType,
    /// No table of that name is loaded; the loaded ones are the choices.
    UnknownTable,
    /// Tables changed twice while a tool ran over several of them.
    TablesChanged,
    /// No table is loaded.
    NoTable,
    /// Several tables are loaded and the query names none.
    AmbiguousTable,
    /// The table has no column of that name; the closest ones are the choices.
    UnknownColumn,
    /// The language has no function of that name; the closest ones are the choices.
    UnknownFunction,
    /// `from` is no timeframe of the language.
    UnknownTimeframe,
    /// The rows of the table are further apart than the timeframe that is asked for.
    TimeframeTooFine,
    /// Bars are asked of a table without open, high, low and close and without rules of `resample`.
    NotResamplable,
    /// The table has no session of that name, or none at all.
    UnknownSession,
    /// A session was asked of rows that are a day or more apart.
    NotIntraday,
    /// A period cannot be read, or ends before it begins.
    BadPeriod,
    /// The rows behind an aggregate of SQL are asked for; they are not kept.
    UnsupportedField,
    /// A field stands in a step that cannot have it.
    MisplacedField,
    /// An expression cannot be read; the span says where.
    Syntax,
    /// `=` stands where `==` compares.
    SingleEquals,
    /// Something is compared with null, which is never true: `isnull` asks for it.
    CompareNull,
    /// A function has too few or too many arguments.
    WrongArity,
    /// An argument is not one that the function takes: not a constant, or out of its range.
    WrongArgument,
    /// Values of these kinds cannot be compared or computed with each other.
    TypeMismatch,
    /// A condition is not true or false.
    NotBoolean,
    /// A text that should be a date or a moment is none.
    BadDate,
    /// An aggregate stands where each row has a value of its own, or inside another one.
    AggregatePlacement,
    /// A function over neighbouring rows stands elsewhere than in `map` or `where`.
    WindowPlacement,
    /// `select` has no aggregate.
    NoAggregate,
    /// Two columns of the result, or a new column and one of the table, have one name.
    NameClash,
    /// A sort names nothing that the result has, or no direction.
    BadSort,
    /// A limit is not a whole number in its range.
    BadLimit,
    /// A text is longer than the language takes.
    TooLong,
    /// An expression or a document is nested more deeply than can be read.
    TooDeep,
    /// There are more steps, columns, values or tables than can be had.
    TooMany,
    /// The query needs a time column, and the table has none.
    NoTimeColumn,
    // SQL
    /// A statement of SQL cannot be read.
    SqlSyntax,
    /// A statement is not a single `SELECT`.
    SqlNotReadOnly,
    /// A statement uses what pinhole does not run, or cannot be planned over the loaded tables.
    SqlRejected,
    // running
    /// A whole number left the range of 64 bits: nothing wraps around.
    IntegerOverflow,
    /// A decimal needs more than 38 digits.
    DecimalOverflow,
    /// A value cannot be brought to the type that the query asks for. The value is not named.
    CastFailed,
    /// A query wanted more memory than there is; the message says how much. The engine goes on.
    MemoryLimit,
    /// The signal of the call was aborted.
    Cancelled,
    /// DataFusion failed in a way that has no code of its own. Nothing gives it.
    Engine,
    /// There is no result of that id: it was released, or had to go for others.
    UnknownResult,
    // reading files
    /// Nothing was given: a file without bytes, no rows, a question without words.
    EmptyInput,
    /// A file is no text in a known encoding.
    NotText,
    /// A file is text, but no table: a web page, XML, or lines without columns.
    NotATable,
    /// A row has another number of fields than the table has columns, and `onBadRow` is `"error"`.
    BadRow,
    /// An option of a call is unknown or has a value that it cannot have.
    BadOption,
    /// A file is of a known format in a form that pinhole does not read.
    UnsupportedFormat,
    /// A file ends too early or contradicts itself.
    BrokenFile,
    /// A table of that name is there already. Nothing gives it.
    TableExists,
    // tools and the conversation
    /// There is no tool of that name.
    UnknownTool,
    /// Arguments of a tool do not fit its schema; each problem has a JSON pointer.
    MalformedArguments,
    /// The disclosure policy keeps this from whoever asked.
    WithheldByPolicy,
    /// A policy has an unknown level or class, or a column that is not written `table.column`.
    UnknownPolicy,
    /// The policy of a conversation would allow more than that of the page.
    LooserPolicy,
    /// The ledger cannot record a request, which is therefore not made.
    LedgerUnavailable,
    /// `onBeforeSend` refused a request.
    SendRefused,
    /// A key stands in the page without `dangerouslyAllowBrowserKey`.
    KeyInBrowser,
    /// The endpoint of a model cannot be reached.
    EndpointUnreachable,
    /// The endpoint answered with a status that is no success.
    EndpointStatus,
    /// The endpoint answered with something else than its format.
    EndpointNotJson,
    /// An answer of the endpoint broke off.
    StreamBroken,
    /// A model called tools more often than a turn may.
    TooManyRounds,
    /// A model repeated a call that had failed.
    RepeatedFailure,
    /// The built-in planner did not understand a question and says what, or a model answered nothing.
    NotUnderstood,
    // scripts
    /// A script asks the person back instead of giving rows.
    Clarify,
    /// A script has no function `execute`.
    ScriptNoExecute,
    /// A script uses something that scripts do not have (a network, a page, `eval`).
    ScriptForbidden,
    /// A script cannot be read.
    ScriptSyntax,
    /// A script uses a name that is not defined.
    ScriptUndefined,
    /// A script reads a property of nothing.
    ScriptMissing,
    /// A script worked longer than it may.
    ScriptTime,
    /// A script needs more memory than it may have.
    ScriptMemory,
    /// The functions of a script call each other too deeply.
    ScriptStack,
    /// A script asked more queries than it may.
    ScriptQueries,
    /// A query of a script gave more rows than a script is given.
    ScriptRows,
    /// A script returned more columns or cells than a table of it may have.
    ScriptTooLarge,
    /// A script waits for something that never comes.
    ScriptEndlessWait,
    /// A script returned nothing.
    ScriptNoResult,
    /// A script threw.
    ScriptThrew,
    /// A script could not be run.
    ScriptFailed,
    /// A fault of pinhole itself: please report it.
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
