//! `source_rows`: the rows behind a result, or behind one of its groups. The person sees them, a model
//! hears how many there are.

use super::data::read;
use super::handed::{Found, Handed};
use super::stats::MOST_ROWS;
use super::{Context, Cost, Prepared, Told, Tool, ToolResult, arguments};
use crate::disclose::Disclosed;
use crate::engine::{self, Engine, Execution, SourceRows};
use crate::error::{Code, Diagnostic, Error};
use crate::facts::Outcome;
use crate::query::check::ResultKind;
use crate::summary::{clean, cut, display};
use crate::value::Value;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use std::sync::Arc;

pub(super) const SOURCE_ROWS: Tool = Tool {
    name: "source_rows",
    description: [
        "Open for the person the rows that a result of these tools was made from, or those of one \
         of its groups. Answers how many there are.",
        "Открыть человеку строки, из которых получен результат этих инструментов, или строки одной \
         его группы. В ответ приходит их число.",
    ],
    brief: None,
    cost: Cost::High,
    parameters: arguments::schema::<SourceArguments>,
    prepare,
    needs: &[],
    hosted: true,
};

/// Its arguments.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SourceArguments {
    result: String,
    #[serde(default)]
    #[schemars(schema_with = "cells", default)]
    key: Option<Map<String, Json>>,
}

/// Values of columns by name.
pub(super) fn cells(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
    })
}

/// Rows of a result, as a model may hear of them.
#[derive(Debug, Clone)]
pub(super) struct Behind {
    id: String,
    /// The result, where all of it could be told when it was given.
    open: Option<Found>,
    /// One group was asked for.
    grouped: bool,
    /// How many there are, where they were counted.
    total: Option<u64>,
}

/// A result for the person, as data that says little of itself.
#[derive(Clone)]
struct Whole(Arc<Outcome>);

impl std::fmt::Debug for Whole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0.id)
    }
}

/// Rows that have to be counted.
#[derive(Debug, Clone)]
pub struct SourceCall {
    behind: Behind,
    of: Whole,
    group: Option<Vec<(String, Value)>>,
    key: Json,
}

impl SourceCall {
    /// Starts counting.
    ///
    /// # Errors
    /// The table is gone; SQL keeps no rows behind its aggregates.
    pub fn start(&self, engine: &Engine) -> Result<Execution<SourceRows>, Error> {
        let outcome = &self.of.0;
        engine.rows_behind(&outcome.query, &outcome.id, self.group.as_deref(), 0, 1)
    }

    /// The result of the call.
    pub fn finish(self, found: Result<SourceRows, Error>) -> ToolResult {
        match found {
            Ok(rows) => done(self.behind, &self.key, rows.total),
            Err(error) => refused(self.behind, engine::without_sizes(error).diagnostics()),
        }
    }

    /// The result where nothing can be counted.
    pub(crate) fn unavailable(self) -> ToolResult {
        let problem = unknown(&self.behind.id);
        refused(Behind { open: None, ..self.behind }, vec![problem])
    }
}

impl Behind {
    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Whether a model may hear of it.
    pub(super) fn is_open(&self, context: &Context) -> bool {
        self.open.as_ref().is_some_and(|open| context.gate().opens(&open.known.query))
    }

    /// What a model hears. Of a result that is withheld, failed, is forgotten or never was it hears
    /// the same, so that none of it tells of values.
    pub(super) fn told(&self, problems: &[Diagnostic], context: &Context) -> Disclosed {
        let gate = context.gate();
        let open = self.open.as_ref().filter(|open| gate.opens(&open.known.query));
        match (open, self.total) {
            (None, _) => gate.unavailable(&self.id, context.locale),
            (Some(open), Some(total)) => {
                gate.behind(&open.known, self.grouped, total, context.locale)
            }
            (Some(_), None) => gate.diagnostics(problems, context.tables, context.locale),
        }
    }
}

fn prepare(json: &str, context: &Context) -> Result<Prepared, Vec<Diagnostic>> {
    let SourceArguments { result: id, key } = read(json, context)?;
    let (open, found) = result(&id, context);
    let behind = Behind { id, open, grouped: key.is_some(), total: None };
    let Some(outcome) = found else {
        let problem = unknown(&behind.id);
        return Ok(Prepared::Done(refused(behind, vec![problem])));
    };
    let group = match key.as_ref().map(|key| group(&outcome, key)).transpose() {
        Ok(group) => group,
        Err(problems) => return Ok(Prepared::Done(refused(behind, problems))),
    };
    let key = key.map_or(Json::Null, Json::Object);
    Ok(if outcome.kind() == ResultKind::Table {
        // A table of rows is its own evidence.
        Prepared::Done(done(behind, &key, outcome.rows.len() as u64))
    } else {
        Prepared::Source(Box::new(SourceCall { behind, of: Whole(outcome), group, key }))
    })
}

/// A result that a call of a tool gave: where all of it could be told, and for the person.
pub(super) fn result(id: &str, context: &Context) -> (Option<Found>, Option<Arc<Outcome>>) {
    let of = |handed: &Handed, kept: &dyn Fn() -> Option<Arc<Outcome>>| {
        let open = handed.open(id);
        let kept = || handed.has(id).then(kept).flatten();
        let found = open.as_ref().map(|open| Arc::clone(&open.whole)).or_else(kept);
        (open, found)
    };
    match (context.host, context.given) {
        (Some(host), _) => of(&host.handed.borrow(), &|| host.engine.borrow().result(id)),
        (None, Some(given)) => {
            of(given.handed, &|| given.outcomes.iter().find(|o| o.id == id).cloned())
        }
        (None, None) => (None, None),
    }
}

pub(super) fn unknown(id: &str) -> Diagnostic {
    let id = cut(&clean(id), 20);
    Diagnostic::new(
        Code::UnknownResult,
        text!("no tool has given a result `{id}`", "инструменты не давали результата `{id}`"),
    )
    .at("/result")
}

fn done(behind: Behind, key: &Json, total: u64) -> ToolResult {
    let output = json!({"result_id": behind.id, "key": key, "rows": total});
    let told = Told::Source(Behind { total: Some(total), ..behind });
    let result = ToolResult::empty(SOURCE_ROWS.name, told);
    ToolResult { rows: Some(total), output: Some(Box::new(output)), ..result }
}

fn refused(behind: Behind, error: Vec<Diagnostic>) -> ToolResult {
    ToolResult { ok: false, error, ..ToolResult::empty(SOURCE_ROWS.name, Told::Source(behind)) }
}

/// The group that a key names: every group key of a grouped result, and nothing else.
fn group(
    outcome: &Outcome,
    key: &Map<String, Json>,
) -> Result<Vec<(String, Value)>, Vec<Diagnostic>> {
    let id = &outcome.id;
    let keys = outcome.keys();
    if outcome.kind() != ResultKind::Grouped || keys.is_empty() {
        let message =
            text!("`{id}` has no groups: leave `key` out", "в `{id}` нет групп: уберите `key`");
        return Err(vec![Diagnostic::new(Code::MalformedArguments, message).at("/key")]);
    }
    let name = |place: &usize| outcome.columns.get(*place).map(|c| c.column.name.clone());
    let names: Vec<String> = keys.iter().filter_map(name).collect();
    let mut problems = Vec::new();
    for unknown in key.keys().filter(|given| !names.contains(given)) {
        let shown = cut(&clean(unknown), 80);
        let message =
            text!("`{shown}` is no group key of `{id}`", "`{shown}` – не ключ групп `{id}`");
        let at = arguments::pointer("/key", unknown);
        let problem = Diagnostic::new(Code::UnknownColumn, message).at(at);
        problems.push(problem.choices(names.iter().cloned()));
    }
    for missing in names.iter().filter(|name| !key.contains_key(*name)) {
        let message = text!(
            "`key` has to name every group key: `{missing}` is missing",
            "`key` должен назвать все ключи групп: нет `{missing}`"
        );
        problems.push(Diagnostic::new(Code::MalformedArguments, message).at("/key"));
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    if outcome.rows.len() > MOST_ROWS {
        let n = outcome.rows.len();
        let message = text!(
            "`{id}` has {n} groups, too many to look for one: filter them first",
            "в `{id}` групп: {n}, слишком много для поиска одной; сначала отберите их"
        );
        return Err(vec![Diagnostic::new(Code::MalformedArguments, message).at("/key")]);
    }
    match row(outcome, key).as_slice() {
        [] => {
            let message = text!("`{id}` has no such group", "в `{id}` нет такой группы");
            Err(vec![Diagnostic::new(Code::MalformedArguments, message).at("/key")])
        }
        [row] => {
            Ok(keys.iter().zip(names).map(|(&k, name)| (name, outcome.value(*row, k))).collect())
        }
        more => {
            let n = more.len();
            let message = text!(
                "`key` fits {n} groups of `{id}`: write its values in full",
                "под `key` в `{id}` подходит групп: {n}; напишите значения полностью"
            );
            Err(vec![Diagnostic::new(Code::MalformedArguments, message).at("/key")])
        }
    }
}

/// The rows of a result that hold these values; where there are none, those that show them.
pub(super) fn row(outcome: &Outcome, wanted: &Map<String, Json>) -> Vec<usize> {
    let places: Option<Vec<(usize, &Json)>> =
        wanted.iter().map(|(name, given)| Some((outcome.column(name)?, given))).collect();
    let Some(places) = places else { return Vec::new() };
    let rows = |same: fn(&Value, &Json, bool) -> bool| -> Vec<usize> {
        let fits = |row: &usize| {
            places.iter().all(|&(place, given)| {
                let date_only = outcome.columns.get(place).is_some_and(|c| c.date_only);
                same(&outcome.value(*row, place), given, date_only)
            })
        };
        (0..outcome.rows.len()).filter(fits).collect()
    };
    let exact = rows(|value, given, _| holds(value, given));
    if exact.is_empty() { rows(shows) } else { exact }
}

/// A group key as a caller writes it, as a value of the key's own kind: the one that the result
/// holds, or else the only one that it shows like that.
pub fn key_value(outcome: &Outcome, name: &str, given: &Json) -> Value {
    let Some(column) = outcome.column(name) else { return Value::Null };
    let date_only = outcome.columns.get(column).is_some_and(|c| c.date_only);
    let only = |same: &dyn Fn(&Value) -> bool| {
        let mut fitting =
            (0..outcome.rows.len()).map(|row| outcome.value(row, column)).filter(|v| same(v));
        let first = fitting.next()?;
        fitting.all(|other| other == first).then_some(first)
    };
    let found = only(&|value| holds(value, given));
    let found = found.or_else(|| only(&|value| shows(value, given, date_only)));
    found.unwrap_or_else(|| match given {
        Json::Null => Value::Null,
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => match n.as_i64() {
            Some(i) => Value::Int(i),
            None => Value::float(n.as_f64().unwrap_or(f64::NAN)),
        },
        other => Value::text(other.as_str().unwrap_or_default()),
    })
}

/// Whether a value is what is given: numbers by their value, anything else by its whole text.
fn holds(value: &Value, given: &Json) -> bool {
    match (value, given) {
        (Value::Null, Json::Null) => true,
        (Value::Bool(a), Json::Bool(b)) => a == b,
        // A double does not hold all whole numbers.
        (Value::Int(a), Json::Number(b)) if b.is_i64() || b.is_u64() => b.as_i64() == Some(*a),
        (Value::Int(_) | Value::Float(_) | Value::Decimal(_), Json::Number(n)) => {
            value.as_f64() == n.as_f64()
        }
        (_, Json::String(text)) => !value.is_null() && value.to_string() == *text,
        _ => false,
    }
}

/// Whether a value is shown as what is given.
fn shows(value: &Value, given: &Json, date_only: bool) -> bool {
    match (value, given) {
        (Value::Timestamp(_), Json::String(text)) if date_only => {
            // A page that has it as a moment has the midnight of its date.
            let day = text.strip_suffix("T00:00:00").unwrap_or(text);
            value.date().is_some_and(|d| d.format("%Y-%m-%d").to_string() == day)
        }
        (_, Json::String(text)) => {
            holds(value, given) || !value.is_null() && display(value, date_only) == *text
        }
        _ => holds(value, given),
    }
}
