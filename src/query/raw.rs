//! The object form of a query as it was written, before any check. Made from JSON or in code.

use super::{parser, shape};
use crate::error::{Code, Diagnostic, Text, closest};
use serde_json::{Map, Value, json};

/// Every field of the language, in the order of the pipeline.
pub const FIELDS: [&str; 13] = [
    "table", "session", "period", "from", "map", "where", "group_by", "select", "sort", "limit",
    "columns", "lookback", "steps",
];

/// A query as written: nothing in it is checked but the shape of the object.
///
/// In code: `Query { table: Some("bars".into()), select: vec!["count()".into()], ..Query::default() }`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Query {
    /// The loaded table; may be left out when there is one.
    pub table: Option<String>,
    /// The session whose bars are kept.
    pub session: Option<String>,
    /// The dates whose rows come out.
    pub period: Option<String>,
    /// The timeframe bars are resampled to.
    pub from: Option<String>,
    /// Column name and expression, in order.
    pub map: Vec<(String, String)>,
    /// The condition (`where`).
    pub filter: Option<String>,
    /// Group keys.
    pub group_by: Vec<String>,
    /// Aggregates.
    pub select: Vec<Selected>,
    /// `col`, `col asc`, `col desc`, or an expression in place of the column.
    pub sort: Vec<String>,
    /// Number of final rows, at least 1.
    pub limit: Option<u64>,
    /// Projection and order of the final table.
    pub columns: Vec<String>,
    /// Whether windows look at the rows outside the period; they do where it is left out.
    pub lookback: Option<bool>,
    /// Queries that run one after the other on what the one before made; at most [`MAX_STEPS`].
    /// They have no `table`, `from` or `steps` of their own.
    pub steps: Vec<Query>,
    /// In what form it was written, so that pointers of diagnostics are right.
    pub written: Written,
}

/// The most steps of a query after the first.
pub const MAX_STEPS: usize = 8;

/// A member of `select`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selected {
    /// The name it was given.
    pub alias: Option<String>,
    /// The expression.
    pub text: String,
}

impl From<&str> for Selected {
    fn from(text: &str) -> Self {
        Self { alias: None, text: text.to_owned() }
    }
}

impl From<String> for Selected {
    fn from(text: String) -> Self {
        Self { alias: None, text }
    }
}

impl Selected {
    /// An expression with a name of its own.
    pub fn named(alias: impl Into<String>, text: impl Into<String>) -> Self {
        Self { alias: Some(alias.into()), text: text.into() }
    }
}

/// Which of their forms the fields had. The default is that of a query made in code: an object for
/// `map`, lists elsewhere, an object for a `select` with aliases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Written {
    /// `map` was a list of pairs.
    pub map_pairs: bool,
    /// `group_by` was one text.
    pub group_by_text: bool,
    /// `select` was one text, to be split at its top-level commas; `Query::select` holds it whole.
    pub select_text: bool,
    /// `select` was an object.
    pub select_object: bool,
    /// `sort` was one text.
    pub sort_text: bool,
    /// `columns` was one text.
    pub columns_text: bool,
}

impl Query {
    /// Reads the object form. Unknown fields and wrong types are all reported; expressions are not
    /// looked into. A field that is null or an empty list or
    /// object counts as left out.
    pub fn from_json(value: &Value) -> Result<Self, Vec<Diagnostic>> {
        let (query, problems) = Self::read(value);
        if problems.is_empty() { Ok(query) } else { Err(problems) }
    }

    /// What of a query can be read, and everything that is wrong with the shape of the rest.
    pub(crate) fn read(value: &Value) -> (Self, Vec<Diagnostic>) {
        let Some(object) = value.as_object() else {
            let sql = value.as_str().is_some_and(|text| {
                let word = text.split_whitespace().next().unwrap_or_default();
                ["select", "with"].contains(&word.to_lowercase().as_str())
            });
            let message = if sql {
                crate::text!(
                    "a query is a JSON object; a statement of SQL is run by `sql`",
                    "запрос — это объект JSON; запрос на SQL выполняет `sql`"
                )
            } else {
                crate::text!("a query is a JSON object", "запрос — это объект JSON")
            };
            return (Self::default(), vec![Diagnostic::new(Code::NotAnObject, message)]);
        };
        let mut reader = Reader { query: Self::default(), problems: Vec::new() };
        for (field, value) in object {
            let absent = value.is_null()
                || value.as_array().is_some_and(Vec::is_empty)
                || value.as_object().is_some_and(Map::is_empty);
            if !FIELDS.contains(&field.as_str()) {
                reader.unknown_field(field);
            } else if !absent {
                reader.field(field, value);
            }
        }
        (reader.query, reader.problems)
    }

    /// The object form again, in the order of the pipeline. A `select` of which only some members
    /// have an alias names the others as the result would.
    pub fn to_json(&self) -> Value {
        let mut out = Map::new();
        let mut put = |field: &str, value: Value| drop(out.insert(field.to_owned(), value));
        if let Some(table) = &self.table {
            put("table", json!(table));
        }
        if let Some(session) = &self.session {
            put("session", json!(session));
        }
        if let Some(period) = &self.period {
            put("period", json!(period));
        }
        if let Some(from) = &self.from {
            put("from", json!(from));
        }
        if !self.map.is_empty() {
            put("map", map_json(self.map.iter().map(|(n, t)| (n.as_str(), t.as_str()))));
        }
        if let Some(filter) = &self.filter {
            put("where", json!(filter));
        }
        if !self.group_by.is_empty() {
            put("group_by", one_or_many(&self.group_by));
        }
        if self.select.iter().any(|s| s.alias.is_some()) {
            let named = self.select.iter().map(|s| {
                let name = s.alias.clone().unwrap_or_else(|| match parser::parse(&s.text) {
                    Ok(expr) => super::check::default_name(&expr),
                    Err(_) => s.text.clone(),
                });
                (name, json!(s.text))
            });
            put("select", Value::Object(named.collect()));
        } else if !self.select.is_empty() {
            let texts: Vec<String> = self.select.iter().map(|s| s.text.clone()).collect();
            put("select", one_or_many(&texts));
        }
        if !self.sort.is_empty() {
            put("sort", one_or_many(&self.sort));
        }
        if let Some(limit) = self.limit {
            put("limit", json!(limit));
        }
        if !self.columns.is_empty() {
            put("columns", json!(self.columns));
        }
        if let Some(lookback) = self.lookback {
            put("lookback", json!(lookback));
        }
        if !self.steps.is_empty() {
            put("steps", Value::Array(self.steps.iter().map(Self::to_json).collect()));
        }
        Value::Object(out)
    }
}

/// One text by itself, several as a list.
pub(super) fn one_or_many(texts: &[String]) -> Value {
    match texts {
        [one] => json!(one),
        many => json!(many),
    }
}

/// `map` as an object, or as pairs where an object could not keep its order or its repetitions.
pub(super) fn map_json<'a>(map: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Value {
    let mut object = Map::new();
    let mut faithful = true;
    for (name, text) in map.clone() {
        // JavaScript moves integer-like names to the front
        faithful &= !name.bytes().all(|b| b.is_ascii_digit());
        faithful &= object.insert(name.to_owned(), json!(text)).is_none();
    }
    if faithful { Value::Object(object) } else { json!(map.collect::<Vec<_>>()) }
}

/// A JSON pointer's part for a name.
pub(super) fn pointer_part(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The pieces of a text between its top-level commas, with the byte each starts at (white space
/// left out on both sides). Text in quotes, back-quotes and brackets is never split.
pub(super) fn split_top_level(text: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let mut start = 0;
    let mut depth = 0usize;
    let mut quote: Option<char> = None;
    let mut chars = text.char_indices();
    while let Some((i, c)) = chars.next() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(q) if c == '\\' && q != '`' => drop(chars.next()),
            Some(_) => {}
            None => match c {
                '"' | '\'' | '`' => quote = Some(c),
                '(' | '[' => depth += 1,
                ')' | ']' => depth = depth.saturating_sub(1),
                ',' if depth == 0 => {
                    pieces.push((start, &text[start..i]));
                    start = i + 1;
                }
                _ => {}
            },
        }
    }
    pieces.push((start, &text[start..]));
    pieces
        .into_iter()
        .map(|(at, piece)| (at + (piece.len() - piece.trim_start().len()), piece.trim()))
        .collect()
}

/// The kind of a JSON value, for messages.
fn kind_of(value: &Value) -> Text {
    match value {
        Value::Null => Text::same("null"),
        Value::Bool(_) => crate::text!("a boolean", "логическое значение"),
        Value::Number(_) => crate::text!("a number", "число"),
        Value::String(_) => crate::text!("text", "текст"),
        Value::Array(_) => crate::text!("a list", "список"),
        Value::Object(_) => crate::text!("an object", "объект"),
    }
}

struct Reader {
    query: Query,
    problems: Vec<Diagnostic>,
}

impl Reader {
    fn unknown_field(&mut self, field: &str) {
        let supported = FIELDS.iter().copied();
        let plain = field.to_lowercase().replace([' ', '-'], "_");
        let other = other_name(&plain);
        let near = FIELDS.iter().copied().find(|f| strsim::jaro_winkler(f, &plain) > 0.88);
        let meant = other.or(near);
        let message = match meant {
            _ if plain == "having" => crate::text!(
                "unknown field `{field}`: groups are filtered by `where` in `steps`, `\"steps\": [{{\"where\": \"count > 5\"}}]`",
                "неизвестное поле `{field}`: группы отбирает `where` в `steps`, `\"steps\": [{{\"where\": \"count > 5\"}}]`"
            ),
            _ if ["join", "joins", "union", "with", "sql"].contains(&plain.as_str()) => {
                crate::text!(
                    "unknown field `{field}`: a query reads one table, SQL reads several",
                    "неизвестное поле `{field}`: запрос читает одну таблицу, несколько читает SQL"
                )
            }
            Some(meant) => crate::text!(
                "unknown field `{field}`: it is called `{meant}`",
                "неизвестное поле `{field}`: оно называется `{meant}`"
            ),
            None => crate::text!("unknown field `{field}`", "неизвестное поле `{field}`"),
        };
        let mut choices = closest(field, supported, FIELDS.len());
        if let Some(meant) = meant {
            choices.retain(|c| c != meant);
            choices.insert(0, meant.to_owned());
        }
        let pointer = format!("/{}", pointer_part(field));
        self.problems
            .push(Diagnostic::new(Code::UnknownField, message).at(pointer).choices(choices));
    }

    fn wrong(&mut self, pointer: String, wanted: Text, value: &Value) {
        let found = kind_of(value);
        let message = Text {
            en: format!("expected {}, got {}", wanted.en, found.en),
            ru: format!("ожидается {}, а стоит {}", wanted.ru, found.ru),
        };
        let mut diagnostic = Diagnostic::new(Code::WrongFieldType, message);
        let field = pointer.split('/').nth(1).unwrap_or_default();
        diagnostic.fix = shape::meant(field, value);
        self.problems.push(diagnostic.at(pointer));
    }

    fn field(&mut self, field: &str, value: &Value) {
        match field {
            "table" => self.query.table = self.text("/table".into(), value),
            "session" => self.query.session = self.text("/session".into(), value),
            "period" => self.query.period = self.text("/period".into(), value),
            "from" => self.query.from = self.text("/from".into(), value),
            "lookback" => {
                self.query.lookback = value.as_bool();
                if self.query.lookback.is_none() {
                    self.wrong("/lookback".into(), kind_of(&Value::Bool(true)), value);
                }
            }
            "where" => self.query.filter = self.text("/where".into(), value),
            "map" => self.map(value),
            "group_by" => {
                self.query.group_by = self.texts("/group_by", value);
                self.query.written.group_by_text = value.is_string();
            }
            "sort" => {
                self.query.sort = self.texts("/sort", value);
                self.query.written.sort_text = value.is_string();
            }
            "columns" => {
                self.query.columns = self.texts("/columns", value);
                self.query.written.columns_text = value.is_string();
            }
            "select" => self.select(value),
            "limit" => self.limit(value),
            _ => self.steps(value),
        }
    }

    fn text(&mut self, pointer: String, value: &Value) -> Option<String> {
        if let Some(text) = value.as_str() {
            return Some(text.to_owned());
        }
        let wanted = match pointer.split('/').nth(1) {
            Some("map" | "where") => {
                crate::text!("an expression such as `x > 5`", "выражение вроде `x > 5`")
            }
            Some("select") => {
                crate::text!("an aggregate such as `mean(x)`", "агрегат вроде `mean(x)`")
            }
            _ => crate::text!("text", "текст"),
        };
        self.wrong(pointer, wanted, value);
        None
    }

    /// One text or a list of texts.
    fn texts(&mut self, pointer: &str, value: &Value) -> Vec<String> {
        match value {
            Value::String(text) => vec![text.clone()],
            Value::Array(list) => list
                .iter()
                .enumerate()
                .filter_map(|(i, item)| self.text(format!("{pointer}/{i}"), item))
                .collect(),
            _ => {
                let wanted = match (pointer, value) {
                    ("/columns", Value::Object(_)) => crate::text!(
                        "a list of columns, which are made and named in `map`",
                        "список столбцов, а делает и называет их `map`"
                    ),
                    _ => crate::text!("text or a list of texts", "текст или список текстов"),
                };
                self.wrong(pointer.to_owned(), wanted, value);
                Vec::new()
            }
        }
    }

    fn map(&mut self, value: &Value) {
        match value {
            Value::Object(object) => {
                for (name, item) in object {
                    let pointer = format!("/map/{}", pointer_part(name));
                    if let Some(text) = self.text(pointer, item) {
                        self.query.map.push((name.clone(), text));
                    }
                }
            }
            Value::Array(list) => {
                self.query.written.map_pairs = true;
                for (i, item) in list.iter().enumerate() {
                    if let Some([Value::String(name), Value::String(text)]) =
                        item.as_array().map(Vec::as_slice)
                    {
                        self.query.map.push((name.clone(), text.clone()));
                    } else {
                        let wanted =
                            crate::text!("a pair `[name, expression]`", "пара `[имя, выражение]`");
                        self.wrong(format!("/map/{i}"), wanted, item);
                    }
                }
            }
            _ => {
                let wanted = crate::text!(
                    "an object of names and expressions",
                    "объект из имён и выражений"
                );
                self.wrong("/map".into(), wanted, value);
            }
        }
    }

    fn select(&mut self, value: &Value) {
        if let Value::Object(object) = value {
            self.query.written.select_object = true;
            for (alias, item) in object {
                let pointer = format!("/select/{}", pointer_part(alias));
                if let Some(text) = self.text(pointer, item) {
                    self.query.select.push(Selected::named(alias, text));
                }
            }
            return;
        }
        self.query.written.select_text = value.is_string();
        self.query.select = self.texts("/select", value).into_iter().map(Selected::from).collect();
    }

    fn steps(&mut self, value: &Value) {
        let Some(list) = value.as_array() else {
            let wanted = crate::text!("a list of queries", "список запросов");
            return self.wrong("/steps".into(), wanted, value);
        };
        if list.len() > MAX_STEPS {
            let message = crate::text!(
                "`steps` has at most {MAX_STEPS} members",
                "в `steps` не больше {MAX_STEPS} членов"
            );
            self.problems.push(Diagnostic::new(Code::TooMany, message).at("/steps"));
            return;
        }
        for (i, step) in list.iter().enumerate() {
            // A step's own steps are refused by the check: reading them would recurse.
            let (query, problems) = match step.get("steps") {
                Some(nested) if !nested.is_null() => {
                    let message = crate::text!(
                        "`steps` stands only in the first step",
                        "`steps` стоит только в первом шаге"
                    );
                    let problem = Diagnostic::new(Code::MisplacedField, message).at("/steps");
                    (Query::default(), vec![problem])
                }
                _ => Query::read(step),
            };
            self.query.steps.push(query);
            self.problems.extend(problems.into_iter().map(|mut problem| {
                problem.pointer.insert_str(0, &format!("/steps/{i}"));
                problem
            }));
        }
    }

    fn limit(&mut self, value: &Value) {
        match value.as_u64() {
            Some(limit) if limit >= 1 => self.query.limit = Some(limit),
            _ => {
                let message =
                    crate::text!("`limit` is a whole number from 1", "`limit` — целое число от 1");
                let mut diagnostic = Diagnostic::new(Code::BadLimit, message);
                diagnostic.fix = shape::meant("limit", value);
                self.problems.push(diagnostic.at("/limit"));
            }
        }
    }
}

/// The field that another language calls `name`.
fn other_name(name: &str) -> Option<&'static str> {
    Some(match name.to_lowercase().as_str() {
        "filter" | "condition" => "where",
        "having" | "pipeline" | "stages" | "then" => "steps",
        "groupby" | "group" | "by" => "group_by",
        "order_by" | "orderby" | "order" => "sort",
        "aggregate" | "aggregates" | "agg" | "metrics" | "measures" => "select",
        "top" | "head" | "n" => "limit",
        "dates" | "range" | "date_range" | "between" => "period",
        "hours" | "trading_hours" => "session",
        "warmup" | "look_back" => "lookback",
        "timeframe" | "resample" | "interval" => "from",
        "compute" | "derive" | "assign" | "mutate" => "map",
        "dataset" | "source" => "table",
        "fields" | "project" => "columns",
        _ => return None,
    })
}
