//! Completion at a place in a field of a query: what can stand there, and which text it replaces.
//!
//! Values of columns are data. Who may see them is a type: [`NamesOnly`] has no value that a
//! completion could hold, and [`OwnPage`], which has, is named by the facade of the person's own
//! page alone (`tests/tidy.rs`).

mod cursor;
mod frame;
mod offers;
mod scope;

use super::functions::Function;
use super::raw::Query;
use crate::error::{Locale, Span};
use crate::schema::{Kind, Session, TableSchema};
use cursor::Cursor;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::sync::Arc;

/// The most items of one completion.
pub const MOST_ITEMS: usize = 200;

/// Where in a query the text stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// `table`
    Table,
    /// `session`
    Session,
    /// `period`
    Period,
    /// `from`
    From,
    /// `lookback`
    Lookback,
    /// The expression of the `map` column with this number.
    Map(usize),
    /// `where`
    Where,
    /// A member of `group_by`.
    GroupBy,
    /// A member of `select`, or all of it as one text.
    Select,
    /// A member of `sort`.
    Sort,
    /// A member of `columns`.
    Columns,
}

impl Field {
    /// The step and the field that a JSON pointer names, as in diagnostics: `/where`, `/map/gap`,
    /// `/steps/0/sort/1`.
    pub fn at(pointer: &str, query: &Query) -> Option<(usize, Self)> {
        if let Some(rest) = pointer.strip_prefix("/steps/") {
            let (number, _) = rest.split_once('/')?;
            let step: usize = number.parse().ok()?;
            let field = Self::in_step(rest.strip_prefix(number)?, query.steps.get(step)?)?;
            return Some((step + 1, field));
        }
        Some((0, Self::in_step(pointer, query)?))
    }

    fn in_step(pointer: &str, query: &Query) -> Option<Self> {
        let mut parts = pointer.strip_prefix('/')?.split('/');
        Some(match parts.next()? {
            "table" => Self::Table,
            "session" => Self::Session,
            "period" => Self::Period,
            "from" => Self::From,
            "lookback" => Self::Lookback,
            "where" => Self::Where,
            "group_by" => Self::GroupBy,
            "select" => Self::Select,
            "sort" => Self::Sort,
            "columns" => Self::Columns,
            "map" => {
                let part = parts.next()?;
                let named = query.map.iter().position(|(n, _)| super::raw::pointer_part(n) == part);
                let number = || part.parse().ok().filter(|_| query.written.map_pairs);
                Self::Map(number().or(named).unwrap_or(query.map.len()))
            }
            _ => return None,
        })
    }
}

/// What is known around the text.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The loaded tables.
    pub tables: &'a [Arc<TableSchema>],
    /// The rest of the query as it is written so far; what is wrong in it is looked past.
    pub query: &'a Query,
    /// The number of the step that the text stands in: 0 is the query itself, then its `steps`.
    pub step: usize,
    /// The field that the text stands in.
    pub field: Field,
}

/// Who asks, which says whether values of columns are among the completions.
pub trait Sight: sealed::Sealed {
    /// A value of a column, or nothing that can exist.
    type Value: Clone + std::fmt::Debug + PartialEq + AsRef<str>;
    /// The value to show, where values may be shown.
    fn value(text: &str) -> Option<Self::Value>;
}

/// Anybody: names of columns, functions, operators, and no value of a column.
#[derive(Debug, Clone, Copy)]
pub enum NamesOnly {}

/// The person at the page that holds the data.
#[derive(Debug, Clone, Copy)]
pub enum OwnPage {}

/// A value of a column of few different values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CellText(String);

/// No value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoValue(Infallible);

impl AsRef<str> for CellText {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl AsRef<str> for NoValue {
    fn as_ref(&self) -> &str {
        match self.0 {}
    }
}

impl Sight for NamesOnly {
    type Value = NoValue;
    fn value(_: &str) -> Option<NoValue> {
        None
    }
}

impl Sight for OwnPage {
    type Value = CellText;
    fn value(text: &str) -> Option<CellText> {
        Some(CellText(text.to_owned()))
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::NamesOnly {}
    impl Sealed for super::OwnPage {}
}

/// What a completion stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum What<V> {
    /// A column.
    Column {
        /// Kind of its values, where that is known.
        kind: Option<Kind>,
        /// Its unit.
        unit: Option<String>,
        /// Its name for people.
        label: Option<String>,
    },
    /// A function of the table.
    Function(&'static Function),
    /// An operator or a word of the language, with its meaning in English and Russian.
    Operator([&'static str; 2]),
    /// A constant of the language: `true`, `Mon`.
    Constant,
    /// The name of a table or timeframe.
    Name,
    /// The name of a session, with the time of the day that it is.
    Session(Session),
    /// A word of a field, with its meaning in English and Russian.
    Word([&'static str; 2]),
    /// A value of a column, or a part of the time that there are rows of.
    Value(V),
}

/// One thing that can stand at the place.
#[derive(Debug, Clone, PartialEq)]
pub struct Item<V> {
    /// What to show: the plain name.
    pub label: String,
    /// What to write in place of [`Completions::span`].
    pub insert: String,
    /// What it is.
    pub what: What<V>,
}

/// What can stand at a place, best first.
#[derive(Debug, Clone, PartialEq)]
pub struct Completions<V> {
    /// The text that a completion replaces, in bytes.
    pub span: Span,
    /// At most [`MOST_ITEMS`].
    pub items: Vec<Item<V>>,
}

/// What can stand at byte `offset` of `text`. An offset inside a character or past the end is moved
/// back to where one can be; text that is wrong before the offset is read as far as it goes.
pub fn complete<S: Sight>(
    text: &str,
    offset: usize,
    context: &Context<'_>,
) -> Completions<S::Value> {
    let offset = floor(text, offset);
    match context.field {
        Field::Table | Field::Session | Field::Period | Field::From | Field::Lookback => {
            frame::whole::<S>(text, offset, context)
        }
        _ => {
            let cursor = Cursor::at(text, offset);
            offers::expression::<S>(text, &cursor, context)
        }
    }
}

/// The last place of `text` at or before `offset` where a character starts or the text ends.
fn floor(text: &str, offset: usize) -> usize {
    let mut offset = offset.min(text.len());
    while !text.is_char_boundary(offset) {
        offset -= 1;
    }
    offset
}

impl<V: AsRef<str>> Completions<V> {
    /// The object that crosses to JavaScript; the span stays in bytes.
    pub fn to_json(&self, locale: Locale) -> Value {
        let items: Vec<Value> = self.items.iter().map(|item| item.to_json(locale)).collect();
        json!({ "span": [self.span.start, self.span.end], "items": items })
    }
}

impl<V: AsRef<str>> Item<V> {
    fn to_json(&self, locale: Locale) -> Value {
        let mut out = json!({ "label": self.label, "insert": self.insert });
        let mut put = |key: &str, value: Value| {
            if let Some(object) = out.as_object_mut().filter(|_| !value.is_null()) {
                object.insert(key.to_owned(), value);
            }
        };
        match &self.what {
            What::Column { kind, unit, label } => {
                put("kind", json!("column"));
                put("type", json!(kind.map(Kind::name)));
                put("unit", json!(unit));
                put("detail", json!(label));
            }
            What::Function(function) => {
                put("kind", json!("function"));
                put("signature", json!(function.signature()));
                put("family", json!(function.family.title(locale)));
                put("detail", json!(function.meaning(locale)));
            }
            What::Operator([en, ru]) => {
                put("kind", json!("operator"));
                put("detail", json!(if locale == Locale::En { en } else { ru }));
            }
            What::Constant => put("kind", json!("constant")),
            What::Name => put("kind", json!("name")),
            What::Session(session) => {
                put("kind", json!("name"));
                put("detail", json!(format!("{}–{}", session.start, session.end)));
            }
            What::Word([en, ru]) => {
                put("kind", json!("constant"));
                put("detail", json!(if locale == Locale::En { en } else { ru }));
            }
            What::Value(value) => {
                put("kind", json!("value"));
                put("value", json!(value.as_ref()));
            }
        }
        out
    }
}
