//! The tool calls of one reply: run side by side, answered together.

use super::event::{Action, ChatEvent};
use super::history::{Item, Said};
use super::texts;
use super::wire::ModelCall;
use crate::disclose::Gate;
use crate::error::{Diagnostic, Error, Locale, Text};
use crate::facts::Outcome;
use crate::query::CheckedQuery;
use crate::tools::{self, Call, Context, Handed, Prepared, QueryCall, ToolResult};
use crate::value::Table;
use serde_json::Value;
use std::sync::Arc;

/// Calls of one reply that are run; the rest are told that they were too many.
const MOST_CALLS: usize = 16;

/// The calls and what came of them so far.
pub(super) struct Round {
    /// What the model said before them.
    said: Said,
    calls: Vec<ModelCall>,
    /// As many as `calls`.
    slots: Vec<Slot>,
}

enum Slot {
    Done(ToolResult),
    Running { run: u64, query: Arc<CheckedQuery>, all_groups: bool },
    Calling { run: u64 },
}

impl Round {
    /// Prepares every call; what of them has to run is for the host. `locale` is the person's.
    pub(super) fn start(
        said: Said,
        calls: Vec<ModelCall>,
        context: &Context,
        locale: Locale,
        number: &mut u64,
        out: &mut Vec<Action>,
    ) -> Self {
        // What a tool writes into its answer is for the person.
        let context = Context { locale, ..*context };
        let mut slots = Vec::with_capacity(calls.len());
        for (i, call) in calls.iter().enumerate() {
            out.push(Action::Emit(ChatEvent::ToolCall {
                id: call.id.clone(),
                name: call.name.clone(),
                input: input(call),
                title: tools::title(&call.arguments),
            }));
            let prepared = if i < MOST_CALLS {
                tools::prepare(&call.name, &call.arguments, &context)
            } else {
                let problem = texts::too_many_calls(MOST_CALLS);
                Prepared::Done(ToolResult::failed(&call.name, vec![problem]))
            };
            slots.push(match prepared {
                Prepared::Purchases(call) => {
                    *number += 1;
                    out.push(Action::RunCall { run: *number, call });
                    Slot::Calling { run: *number }
                }
                Prepared::Script(call) => {
                    *number += 1;
                    out.push(Action::RunScript { run: *number, call });
                    Slot::Calling { run: *number }
                }
                // Needs a host, and no conversation names one: it has shown the person all rows.
                Prepared::Source(call) => Slot::Done(call.unavailable()),
                Prepared::Done(result) => {
                    if !result.ok {
                        out.push(tool_error(&call.id, &result.error));
                    }
                    Slot::Done(result)
                }
                Prepared::Query(QueryCall { checked, all_groups, .. }) => {
                    *number += 1;
                    let run = *number;
                    out.push(Action::RunQuery { run, checked: Arc::clone(&checked) });
                    Slot::Running { run, query: checked, all_groups }
                }
            });
        }
        Self { said, calls, slots }
    }

    /// Takes the result of a run; false when it is none of this round's.
    pub(super) fn ran(
        &mut self,
        run: u64,
        id: Option<String>,
        result: Result<Arc<Outcome>, Error>,
        locale: Locale,
        out: &mut Vec<Action>,
    ) -> bool {
        let running = |slot: &Slot| matches!(slot, Slot::Running { run: r, .. } if *r == run);
        let mut slots = self.calls.iter().zip(&mut self.slots);
        let Some((call, slot)) = slots.find(|(_, slot)| running(slot)) else { return false };
        let Slot::Running { query, all_groups, .. } = slot else { return false };
        let result = tools::finish_query(query, id, result, *all_groups);
        match (result.outcome(), &result.summary) {
            (Some(outcome), Some(summary)) => out.push(Action::Emit(ChatEvent::DataBlock {
                id: call.id.clone(),
                tool: call.name.clone(),
                input: outcome.query.canonical().clone(),
                result_id: outcome.id.clone(),
                rows: outcome.rows.len() as u64,
                summary: summary.to_json_in(locale),
                output: None,
            })),
            _ => out.push(tool_error(&call.id, &result.error)),
        }
        *slot = Slot::Done(result);
        true
    }

    /// Takes what came of a call of a tool for purchases, or of a script; false when it is none of this
    /// round's.
    pub(super) fn called(
        &mut self,
        run: u64,
        result: ToolResult,
        locale: Locale,
        out: &mut Vec<Action>,
    ) -> bool {
        let calling = |slot: &Slot| matches!(slot, Slot::Calling { run: r } if *r == run);
        let mut slots = self.calls.iter().zip(&mut self.slots);
        let Some((call, slot)) = slots.find(|(_, slot)| calling(slot)) else { return false };
        blocks(&call.id, &input(call), &result, locale, out);
        *slot = Slot::Done(result);
        true
    }

    /// True when every call is answered.
    pub(super) fn is_complete(&self) -> bool {
        self.slots.iter().all(|slot| matches!(slot, Slot::Done(_)))
    }

    fn results(&self) -> impl Iterator<Item = &ToolResult> {
        self.slots.iter().filter_map(|slot| match slot {
            Slot::Done(result) => Some(result),
            Slot::Running { .. } | Slot::Calling { .. } => None,
        })
    }

    /// Everything that its queries and calls found.
    pub(super) fn outcomes(&self) -> Vec<Arc<Outcome>> {
        self.results().flat_map(|r| r.outcomes().into_iter().cloned()).collect()
    }

    /// Notes what its calls gave, in their order, whenever each of them ended.
    pub(super) fn note(&self, handed: &mut Handed, gate: &Gate) {
        self.results().for_each(|result| handed.note(result, gate));
    }

    /// What went wrong, a line each, for the person.
    pub(super) fn problems(&self, locale: Locale) -> String {
        let lines: Vec<String> = self
            .results()
            .flat_map(|r| r.error.iter())
            .map(|d| format!("- {}", d.render(locale)))
            .collect();
        lines.join("\n")
    }

    /// The round as a part of the history.
    pub(super) fn into_item(self) -> Item {
        let results = self.slots.into_iter().filter_map(|slot| match slot {
            Slot::Done(result) => Some(result),
            Slot::Running { .. } | Slot::Calling { .. } => None,
        });
        Item::Round { results: results.collect(), said: self.said, calls: self.calls }
    }
}

/// What the model hears of a round, under the policy of `context`.
pub(super) struct Heard {
    /// The calls that failed: name and arguments, however they are written.
    pub failed: Vec<(String, String)>,
    /// No call succeeded.
    pub all_failed: bool,
    /// Some query or call gave a result.
    pub has_results: bool,
    /// Every call checks numbers, and none asks for any.
    pub only_checks: bool,
    /// The calls of tools for purchases, and of scripts, that gave results.
    pub calls: Vec<Call>,
    /// Results of no rows in place of those of queries that failed unheard by the model.
    pub stand_ins: Vec<Arc<Outcome>>,
}

impl Heard {
    pub(super) fn of(calls: &[ModelCall], results: &[ToolResult], context: &Context) -> Self {
        let fails = |result: &ToolResult| result.fails_openly(context);
        let called = |r: &ToolResult| r.call().is_some() && !fails(r);
        let failed = calls.iter().zip(results).filter(|(_, result)| fails(result));
        let unheard = results.iter().filter(|r| r.outcome().is_none());
        Self {
            failed: failed.map(|(c, _)| (c.name.clone(), normal(&c.arguments))).collect(),
            all_failed: results.iter().all(fails),
            has_results: results.iter().any(|r| called(r) || r.query_told(context).is_some()),
            only_checks: calls.iter().all(|call| call.name == tools::CHECK_STATS),
            calls: results.iter().filter(|r| !fails(r)).filter_map(|r| r.call().cloned()).collect(),
            stand_ins: unheard
                .filter_map(|r| Some(stand_in(r.result_id.clone(), r.query_told(context)?)))
                .collect(),
        }
    }
}

/// The arguments of a call, or the model's text where that is no JSON.
fn input(call: &ModelCall) -> Value {
    serde_json::from_str(&call.arguments).unwrap_or_else(|_| Value::String(call.arguments.clone()))
}

/// Shows what came of a call of a tool for purchases: its totals, then its list, or why it failed; or
/// what a script gave, or said.
pub(super) fn blocks(
    id: &str,
    input: &Value,
    result: &ToolResult,
    locale: Locale,
    out: &mut Vec<Action>,
) {
    let found = result.found();
    if found.is_empty() {
        out.push(match &result.said {
            Some(said) => Action::Emit(ChatEvent::ToolError {
                id: id.to_owned(),
                message: Text::same(said.to_string()),
            }),
            None => tool_error(id, &result.error),
        });
    }
    for (place, (outcome, summary)) in found.iter().enumerate().rev() {
        out.push(Action::Emit(ChatEvent::DataBlock {
            id: id.to_owned(),
            tool: result.tool.clone(),
            input: input.clone(),
            result_id: outcome.id.clone(),
            rows: outcome.rows.len() as u64,
            summary: summary.to_json_in(locale),
            output: result.output.clone().filter(|_| place == 0),
        }));
    }
}

fn tool_error(id: &str, problems: &[Diagnostic]) -> Action {
    let lines = |locale| problems.iter().map(|d| d.render(locale)).collect::<Vec<_>>().join("\n");
    Action::Emit(ChatEvent::ToolError {
        id: id.to_owned(),
        message: Text { en: lines(Locale::En), ru: lines(Locale::Ru) },
    })
}

fn stand_in(id: Option<String>, query: Arc<CheckedQuery>) -> Arc<Outcome> {
    let columns = query.output().to_vec();
    let names = columns.iter().map(|c| c.column.clone()).collect();
    Arc::new(Outcome {
        id: id.unwrap_or_default(),
        query,
        columns,
        rows: Arc::new(Table { columns: names, rows: Vec::new() }),
        rows_scanned: 0,
        rows_matched: 0,
        rows_before_limit: None,
        warnings: Vec::new(),
    })
}

/// Arguments without what does not change the call.
fn normal(arguments: &str) -> String {
    match serde_json::from_str::<Value>(arguments) {
        Ok(mut value) => {
            if let Some(map) = value.as_object_mut() {
                map.shift_remove("title");
                map.sort_keys();
            }
            value.to_string()
        }
        Err(_) => arguments.trim().to_owned(),
    }
}
