//! `check_stats`: numbers that a model reports by field, against a result.

use super::data::read;
use super::source::{Open, cells, result, row, unknown};
use super::{Context, Cost, Prepared, Told, Tool, ToolResult, arguments};
use crate::disclose::Disclosed;
use crate::error::{Diagnostic, Locale, Text};
use crate::facts::Outcome;
use crate::query::check::{ResultKind, Role};
use crate::summary::{clean, cut, display};
use crate::validate::stats::{self, Actual, Form, Intent, Request, form, shown};
use crate::value::{Rows, Table, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use std::collections::HashSet;

pub(super) const CHECK_STATS: Tool = Tool {
    name: "check_stats",
    description: [
        "Check numbers against a result of these tools before they are stated: which hold, which \
         do not, which could not be checked and why.",
        "Сверить числа с результатом этих инструментов до того, как их назвать: какие верны, какие \
         нет, какие не проверить и почему.",
    ],
    brief: None,
    cost: Cost::High,
    parameters: arguments::schema::<CheckStats>,
    prepare,
    needs: &[],
    hosted: true,
};

/// Its arguments.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct CheckStats {
    result: String,
    #[schemars(schema_with = "reported")]
    stats: Map<String, Json>,
    #[serde(default)]
    #[schemars(schema_with = "cells", default)]
    row: Option<Map<String, Json>>,
    intent: Option<Asked>,
    #[schemars(range(min = 0, max = 1000))]
    attempts: Option<u32>,
}

/// What a question was after.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Asked {
    Data,
    Pattern,
    Concept,
}

/// What is reported of columns by name.
fn reported(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "additionalProperties": {"type": ["string", "number", "null"]},
    })
}

/// Results of more rows are to be aggregated first.
const MOST_ROWS: usize = 100_000;

/// Most lines that a model is told.
const MOST_LINES: usize = 20;

/// Names and values in the model's own words are cut there.
const LENGTH: usize = 80;

/// Numbers that were reported, as a model may hear of them.
#[derive(Debug, Clone)]
pub(super) struct Reported {
    words: CheckStats,
    /// The result, where all of it could be told when it was given.
    open: Option<Open>,
}

impl Reported {
    pub(super) fn id(&self) -> &str {
        &self.words.result
    }

    /// What a model hears. Of a result that is withheld, failed, is forgotten or never was it hears
    /// the same.
    pub(super) fn told(&self, context: &Context) -> Disclosed {
        let (gate, locale) = (context.gate(), context.locale);
        match &self.open {
            Some(open) => gate.reported(&open.0, &self.words, text, locale),
            None => gate.unavailable(self.id(), locale),
        }
    }
}

fn prepare(json: &str, context: &Context) -> Result<Prepared, Vec<Diagnostic>> {
    let words: CheckStats = read(json, context)?;
    let (open, found) = result(&words.result, context);
    let output = found.map(|outcome| Box::new(evidence(&outcome, &words, context.locale)));
    let error = if output.is_some() { Vec::new() } else { vec![unknown(&words.result)] };
    let told = Told::Stats(Box::new(Reported { words, open: open.map(Open) }));
    let result = ToolResult::empty(CHECK_STATS.name, told);
    Ok(Prepared::Done(ToolResult { ok: output.is_some(), output, error, ..result }))
}

/// What the check found.
struct Check {
    right: usize,
    wrong: Vec<Wrong>,
    unchecked: Vec<(String, Text)>,
}

struct Wrong {
    field: String,
    reported: String,
    actual: Value,
}

/// Fields that say where a range begins and ends: which row is the first is up to the time.
const ENDS: [&str; 4] = ["open_price", "close_price", "change_pct", "change_points"];

/// Checks what was reported. A field is checked only where it is clear which row it is of.
fn check(outcome: &Outcome, words: &CheckStats) -> Check {
    let mut check = Check { right: 0, wrong: Vec::new(), unchecked: Vec::new() };
    let intent = match words.intent {
        None | Some(Asked::Data) => Intent::Data,
        Some(Asked::Pattern) => Intent::Pattern,
        Some(Asked::Concept) => Intent::Concept,
    };
    let one = words.row.as_ref().map(|wanted| one_row(outcome, wanted));
    if one.is_none() && intent == Intent::Data && outcome.rows.len() > MOST_ROWS {
        let why = too_many(outcome.rows.len());
        let all = words.stats.keys().map(|field| (field.clone(), why.clone()));
        return Check { unchecked: all.collect(), ..check };
    }
    let (rows, chosen): (&dyn Rows, bool) = match &one {
        None => (&*outcome.rows, false),
        Some(Ok(row)) => (row, true),
        Some(Err(why)) => {
            let all = words.stats.keys().map(|field| (field.clone(), why.clone()));
            return Check { unchecked: all.collect(), ..check };
        }
    };
    let counted = (!chosen && outcome.kind() == ResultKind::Table)
        .then(|| outcome.rows_before_limit.unwrap_or(rows.len() as u64));
    let found = stats::findings(&Request {
        stats: &words.stats,
        rows,
        matches_count: counted,
        intent,
        attempts: 0,
        tolerances: &[],
    });
    if intent == Intent::Concept {
        let why = text!("an explanation has no numbers", "в объяснении нет чисел");
        check.unchecked.extend(words.stats.keys().map(|field| (field.clone(), why.clone())));
    }
    for finding in found {
        let counts = intent == Intent::Pattern && counted.is_some();
        let unclear = if counts { None } else { unclear(outcome, rows, finding.field) };
        let field = finding.field.to_owned();
        match (unclear, finding.actual) {
            (Some(why), _) => check.unchecked.push((field, why)),
            (None, Actual::Unknown) => {
                let why = text!("the result does not say", "в результате этого нет");
                check.unchecked.push((field, why));
            }
            (None, Actual::Same) => check.right += 1,
            (None, Actual::Other(actual)) => {
                check.wrong.push(Wrong { field, reported: shown(finding.reported), actual });
            }
        }
    }
    check
}

/// Why it is not clear which rows a field is of.
fn unclear(outcome: &Outcome, rows: &dyn Rows, field: &str) -> Option<Text> {
    let n = rows.len();
    if n == 1 {
        return None;
    }
    let bars = form(rows) == Form::Bars
        && ["open", "close"]
            .iter()
            .any(|name| rows.columns().iter().any(|column| column.name.eq_ignore_ascii_case(name)));
    if !bars {
        return Some(text!(
            "the result has {n} rows: name one by `row`",
            "в результате строк: {n}; назовите одну в `row`"
        ));
    }
    let series = outcome.with_role(|role| *role == Role::Series);
    let several = series.first().is_some_and(|&place| {
        let values: HashSet<String> =
            (0..n).map(|row| rows.value(row, place).to_string()).collect();
        values.len() > 1
    });
    if several {
        return Some(text!(
            "the rows are of several series: name one by `where`",
            "строки относятся к разным рядам: выберите один в `where`"
        ));
    }
    let timed = rows.columns().iter().any(|column| column.kind.is_time());
    (ENDS.contains(&field) && !timed).then(|| {
        text!(
            "no time column says which row is the first and which the last",
            "нет столбца времени: не видно, какая строка первая и какая последняя"
        )
    })
}

fn too_many(n: usize) -> Text {
    text!(
        "the result has {n} rows: aggregate them first",
        "в результате строк: {n}; сначала сверните их"
    )
}

/// The one row of a result that shows these values.
fn one_row(outcome: &Outcome, wanted: &Map<String, Json>) -> Result<Table, Text> {
    if outcome.rows.len() > MOST_ROWS {
        return Err(too_many(outcome.rows.len()));
    }
    match row(outcome, wanted).as_slice() {
        [only] => {
            let places = 0..outcome.columns.len();
            Ok(Table {
                columns: outcome.columns.iter().map(|c| c.column.clone()).collect(),
                rows: vec![places.map(|place| outcome.value(*only, place)).collect()],
            })
        }
        [] => {
            Err(text!("no row is the one that `row` names", "нет строки, которую называет `row`"))
        }
        more => {
            let n = more.len();
            Err(text!("`row` fits {n} rows", "под `row` подходит строк: {n}"))
        }
    }
}

/// For the person: everything, the actual values too.
fn evidence(outcome: &Outcome, words: &CheckStats, locale: Locale) -> Json {
    let check = check(outcome, words);
    let wrong = check.wrong.iter().map(|wrong| {
        json!({"field": wrong.field, "reported": wrong.reported, "actual": display(&wrong.actual, false)})
    });
    let unchecked = check
        .unchecked
        .iter()
        .map(|(field, why)| json!({"field": field, "reason": why.get(locale)}));
    json!({
        "result_id": words.result,
        "status": status(&check, words),
        "right": check.right,
        "wrong": wrong.collect::<Vec<_>>(),
        "unchecked": unchecked.collect::<Vec<_>>(),
        "auto_approved": is_last(words),
    })
}

/// `unchecked` where nothing was checked: that is no word for what was reported.
fn status(check: &Check, words: &CheckStats) -> &'static str {
    match (check.right, check.wrong.len()) {
        (0, 0) => "unchecked",
        (_, 0) => "ok",
        _ if is_last(words) => "ok",
        _ => "rewrite",
    }
}

/// The drafts are used up.
fn is_last(words: &CheckStats) -> bool {
    words.attempts.unwrap_or_default() >= stats::MAX_ATTEMPTS
}

/// For the model. Its own words are quoted, cut and without control characters; of the result only
/// numbers, and no text of a cell.
fn text(outcome: &Outcome, words: &CheckStats, locale: Locale) -> String {
    let check = check(outcome, words);
    let id = cut(&clean(&outcome.id), 20);
    let (right, wrong) = (check.right, check.wrong.len());
    let head = match (right + wrong, locale) {
        (0, Locale::En) => format!("Nothing was checked against {id}"),
        (0, Locale::Ru) => format!("С {id} ничего не сверено"),
        (_, Locale::En) => format!("Checked against {id}: {right} right, {wrong} wrong"),
        (_, Locale::Ru) => format!("Сверено с {id}: верно {right}, неверно {wrong}"),
    };
    let mut lines: Vec<String> = check.wrong.iter().map(|wrong| line(wrong, locale)).collect();
    lines.extend(check.unchecked.iter().map(|(field, why)| {
        let (field, why) = (own(field), why.get(locale));
        match locale {
            Locale::En => format!("- {field}: not checked, {why}"),
            Locale::Ru => format!("- {field}: не проверено, {why}"),
        }
    }));
    let more = lines.len().saturating_sub(MOST_LINES);
    if more > 0 {
        lines.truncate(MOST_LINES);
        lines.push(match locale {
            Locale::En => format!("- +{more} more"),
            Locale::Ru => format!("- +ещё {more}"),
        });
    }
    if is_last(words) && wrong > 0 {
        lines.push(format!("- {}", stats::NOTE));
    }
    lines.insert(0, head);
    lines.join("\n")
}

fn line(wrong: &Wrong, locale: Locale) -> String {
    let (field, reported) = (own(&wrong.field), own(&wrong.reported));
    let actual = wrong.actual.as_f64().map(|_| display(&wrong.actual, false));
    match (actual, locale) {
        (Some(actual), Locale::En) => format!("- {field}: reported {reported}, actual {actual}"),
        (Some(actual), Locale::Ru) => format!("- {field}: названо {reported}, на деле {actual}"),
        (None, Locale::En) => format!("- {field}: reported {reported}, the result says otherwise"),
        (None, Locale::Ru) => format!("- {field}: названо {reported}, в результате иначе"),
    }
}

/// The model's own words.
fn own(text: &str) -> String {
    cut(&clean(text), LENGTH)
}
