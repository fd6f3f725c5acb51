//! `check_stats`: numbers that a model reports by field, against a result.

use super::bars::Bars;
use super::data::read;
use super::handed::Found;
use super::source::{cells, result, row, unknown};
use super::{Context, Cost, Prepared, Told, Tool, ToolResult, arguments};
use crate::disclose::Disclosed;
use crate::error::{Code, Diagnostic, Locale, Text};
use crate::facts::Outcome;
use crate::query::check::ResultKind;
use crate::summary::{clean, cut, display};
use crate::validate::stats::{self, Actual, Intent, Request, shown};
use crate::value::{Rows, Table, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};

pub(super) const CHECK_STATS: Tool = Tool {
    name: "check_stats",
    description: [
        "Check numbers against a result of these tools before they are stated: which hold, which \
         do not, which could not be checked and why.",
        "Сверить числа с результатом этих инструментов до того, как их назвать: какие верны, какие \
         нет, какие не проверить и почему.",
    ],
    brief: Some(
        "check numbers by column before you state them; row: values of one of several rows",
    ),
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
pub(super) const MOST_ROWS: usize = 100_000;

/// Most numbers of one report.
const MOST_FIELDS: usize = 64;

/// Most lines that a model is told.
const MOST_LINES: usize = 20;

/// Names and values in the model's own words are cut there.
const LENGTH: usize = 80;

/// Numbers that were reported, as a model may hear of them.
#[derive(Debug, Clone)]
pub(super) struct Reported {
    words: CheckStats,
    /// The result, where all of it could be told when it was given.
    open: Option<Found>,
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
            Some(open) => gate.reported(&open.known, &self.words, text, locale),
            None => gate.unavailable(self.id(), locale),
        }
    }
}

fn prepare(json: &str, context: &Context) -> Result<Prepared, Vec<Diagnostic>> {
    let words: CheckStats = read(json, context)?;
    if words.stats.len() > MOST_FIELDS {
        let message = text!(
            "`stats` takes up to {MOST_FIELDS} numbers",
            "в `stats` может быть чисел: до {MOST_FIELDS}"
        );
        return Err(vec![Diagnostic::new(Code::MalformedArguments, message).at("/stats")]);
    }
    let (open, found) = result(&words.result, context);
    let output = found.map(|outcome| Box::new(evidence(&outcome, &words, context.locale)));
    let error = if output.is_some() { Vec::new() } else { vec![unknown(&words.result)] };
    let told = Told::Stats(Box::new(Reported { words, open }));
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

/// Checks what was reported. A field is checked only where it is clear which row it is of.
fn check(outcome: &Outcome, words: &CheckStats) -> Check {
    let mut check = Check { right: 0, wrong: Vec::new(), unchecked: Vec::new() };
    let intent = match words.intent {
        None | Some(Asked::Data) => Intent::Data,
        Some(Asked::Pattern) => Intent::Pattern,
        Some(Asked::Concept) => Intent::Concept,
    };
    let nothing = |why: &Text| {
        let all = words.stats.keys().map(|field| (field.clone(), why.clone()));
        Check { right: 0, wrong: Vec::new(), unchecked: all.collect() }
    };
    let one = words.row.as_ref().map(|wanted| one_row(outcome, wanted));
    let (rows, chosen): (&dyn Rows, bool) = match &one {
        None => (&*outcome.rows, false),
        Some(Ok(row)) => (row, true),
        Some(Err(why)) => return nothing(why),
    };
    if intent == Intent::Concept {
        return nothing(&text!("an explanation has no numbers", "в объяснении нет чисел"));
    }
    let n = rows.len();
    let counted = (!chosen && outcome.kind() == ResultKind::Table)
        .then(|| outcome.rows_before_limit.unwrap_or(n as u64));
    let counts = intent == Intent::Pattern && counted.is_some();
    if !counts && n > MOST_ROWS {
        return nothing(&too_many(n));
    }
    let bars = (n != 1 && !counts).then(|| Bars::of(outcome));
    for (field, reported) in &words.stats {
        let place = rows.column(field);
        let cell = place.filter(|_| n == 1).map(|place| Table {
            columns: rows.columns().get(place).cloned().into_iter().collect(),
            rows: vec![vec![rows.value(0, place)]],
        });
        let unclear = match (place, &bars) {
            // A column of that name is what is meant, whatever else the rows say.
            (Some(_), _) => (n != 1).then(|| several(n)),
            (None, Some(bars)) => bars.unclear(field),
            (None, None) => None,
        };
        if let Some(why) = unclear {
            check.unchecked.push((field.clone(), why));
            continue;
        }
        let rows: &dyn Rows = match (&cell, &bars) {
            (Some(cell), _) => cell,
            (None, Some(bars)) => bars,
            (None, None) => rows,
        };
        let stats = Map::from_iter([(field.clone(), reported.clone())]);
        let found = stats::findings(&Request {
            stats: &stats,
            rows,
            matches_count: counted.filter(|_| cell.is_none()),
            intent,
            attempts: 0,
            tolerances: &[],
        });
        let actual = found.into_iter().next().map_or(Actual::Unknown, |finding| finding.actual);
        let field = field.clone();
        match actual {
            Actual::Unknown => {
                let why = text!("the result does not say", "в результате этого нет");
                check.unchecked.push((field, why));
            }
            Actual::Same => check.right += 1,
            Actual::Other(actual) => {
                check.wrong.push(Wrong { field, reported: shown(reported), actual });
            }
        }
    }
    check
}

/// Which of several rows is meant is not said.
pub(super) fn several(n: usize) -> Text {
    text!(
        "the result has {n} rows: name one by `row`",
        "в результате строк: {n}; назовите одну в `row`"
    )
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
    let issues: Vec<String> = check.wrong.iter().map(issue).collect();
    json!({
        "result_id": words.result,
        "status": status(&check, words),
        "right": check.right,
        "wrong": wrong.collect::<Vec<_>>(),
        "unchecked": unchecked.collect::<Vec<_>>(),
        "auto_approved": is_last(words),
        "feedback": stats::feedback(&issues),
        "issues": issues,
        "note": is_last(words).then_some(stats::NOTE),
    })
}

/// What is wrong with a number, as every check of this kind says it.
fn issue(wrong: &Wrong) -> String {
    stats::issue(&wrong.field, &wrong.reported, &display(&wrong.actual, false))
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
    if wrong > 0 {
        lines.insert(
            0,
            match locale {
                Locale::En => stats::ERRORS.to_owned(),
                Locale::Ru => "Ошибки проверки:".to_owned(),
            },
        );
    }
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
        lines.push(match locale {
            Locale::En => format!("- {}", stats::NOTE),
            Locale::Ru => "- попытки проверки исчерпаны".to_owned(),
        });
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
