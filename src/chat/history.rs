//! What of the conversation is sent again: questions, the model's own words, calls with their
//! results; long results of earlier turns as reminders; the oldest left out when it gets too long.

use super::wire::ModelCall;
use crate::disclose::{Call, Disclosed, Finding, Gate, Message};
use crate::error::{Diagnostic, Locale};
use crate::facts::Outcome;
use crate::query::{CheckedQuery, check_json};
use crate::schema::TableSchema;
use crate::summary::estimate_tokens;
use crate::tools::{Context, ToolResult};
use crate::value;
use serde_json::Value;
use std::sync::Arc;

/// A question and what followed.
pub(super) struct Turn {
    pub question: String,
    pub items: Vec<Item>,
}

/// A step within a turn.
pub(super) enum Item {
    /// Calls that were answered together, after what the model said.
    Round { said: Said, calls: Vec<ModelCall>, results: Vec<ToolResult> },
    /// A draft that did not pass, and why. Kept only while the question is open.
    Rejected { said: Said, findings: Vec<Found>, problems: Vec<Diagnostic> },
    /// What the model is told beside results.
    Told(&'static str),
    /// The model's last draft: its own words, never what was delivered in their place.
    Answer(String),
    /// The turn was answered by code: by a query, or by something that gave no result.
    OnDevice(Option<Arc<CheckedQuery>>),
    /// A step of a conversation that was opened again.
    Earlier(Earlier),
    /// Why there is no answer.
    Ended(&'static str),
}

/// A step of a conversation that was opened again. Its results are not at hand: nothing of them is
/// told but that the person has them.
pub(super) enum Earlier {
    /// Calls that were answered together; as many `kept` as `calls`.
    Calls { said: Said, calls: Vec<ModelCall>, kept: Vec<Kept> },
    /// The turn was answered by code.
    OnDevice { query: Option<Value> },
    /// What was answered is not told: it was told elsewhere, or under another policy.
    Withheld,
}

/// What is known of the result of an earlier call.
pub(super) struct Kept {
    pub ok: bool,
    pub result_id: Option<String>,
    /// The canonical query that gave it; may no longer fit the tables.
    pub query: Option<Value>,
}

impl Kept {
    /// What is kept is what the model has heard: a failure that it has not heard of is none later.
    pub(super) fn of(result: &ToolResult, context: &Context) -> Self {
        let query = result.query_told(context).filter(|query| query.sql().is_none());
        Self {
            ok: !result.fails_openly(context),
            result_id: result.result_id.clone(),
            query: query.map(|query| query.canonical().clone()),
        }
    }
}

/// What the model said in one reply, beside its calls.
#[derive(Debug, Clone, Default)]
pub(super) struct Said {
    pub text: String,
    /// The reply as the endpoint wrote it, where it wants that back. Only while the question is open:
    /// later turns do without what the model thought.
    pub own: Option<String>,
}

/// A bad claim, and the fact that says so.
pub(super) struct Found {
    /// The model's own words.
    pub words: String,
    /// The result, row and column.
    pub fact: Option<(Arc<Outcome>, Option<usize>, String)>,
    /// How it follows from cells of the result, and what it is.
    pub computed: Option<(String, value::Value)>,
    /// The result whose query had another condition than is said.
    pub condition: Option<Arc<Outcome>>,
}

impl Found {
    pub(super) fn finding(&self) -> Finding<'_> {
        Finding {
            words: &self.words,
            fact: self
                .fact
                .as_ref()
                .map(|(outcome, row, column)| (outcome.as_ref(), *row, column.as_str())),
            computed: self.computed.as_ref().map(|(formula, value)| (formula.as_str(), value)),
            condition: self.condition.as_deref(),
        }
    }
}

/// Turns whose results are at hand.
const MOST_RESULTS: usize = 8;

/// What stands in the history in place of an answer.
pub(super) const NO_ANSWER: &str = "[no answer was given]";
const ON_DEVICE: &str = "[answered on the device]";
const WITHHELD: &str = "[answered before, under other settings; query again for details]";

const FEEDBACK: &str = "[check] Code has checked your draft against the full results. Not right:";
const REWRITE: &str = "Write the whole answer again. Do not mention this check.";

/// The turns of a conversation, oldest first.
#[derive(Default)]
pub(super) struct History {
    turns: Vec<Turn>,
}

impl History {
    pub(super) fn from_turns(turns: Vec<Turn>) -> Self {
        Self { turns }
    }

    pub(super) fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// The ids of all calls.
    pub(super) fn call_ids(&self) -> impl Iterator<Item = &str> {
        let items = self.turns.iter().flat_map(|turn| &turn.items);
        items
            .filter_map(|item| match item {
                Item::Round { calls, .. } | Item::Earlier(Earlier::Calls { calls, .. }) => {
                    Some(calls)
                }
                _ => None,
            })
            .flatten()
            .map(|call| call.id.as_str())
    }

    /// The rounds of the open turn: calls, and as many results.
    pub(super) fn rounds(&self) -> impl Iterator<Item = (&[ModelCall], &[ToolResult])> {
        let items = self.turns.last().into_iter().flat_map(|turn| &turn.items);
        items.filter_map(|item| match item {
            Item::Round { calls, results, .. } => Some((calls.as_slice(), results.as_slice())),
            _ => None,
        })
    }

    pub(super) fn ask(&mut self, question: &str) {
        self.turns.push(Turn { question: question.to_owned(), items: Vec::new() });
    }

    /// Adds to the open turn.
    pub(super) fn push(&mut self, item: Item) {
        if let Some(turn) = self.turns.last_mut() {
            turn.items.push(item);
        }
    }

    /// The open turn is over: only what later turns need is kept. Results of turns long past are let
    /// go, with the tables that they hold.
    pub(super) fn close(&mut self, context: &Context) {
        if let Some(turn) = self.turns.last_mut() {
            turn.items.retain(|item| !matches!(item, Item::Rejected { .. } | Item::Told(_)));
            for item in &mut turn.items {
                if let Item::Round { said, .. } = item {
                    said.own = None;
                }
            }
        }
        let past = self.turns.len().saturating_sub(MOST_RESULTS);
        for item in self.turns.iter_mut().take(past).flat_map(|t| &mut t.items) {
            if let Item::Round { said, calls, results } = item {
                *item = Item::Earlier(Earlier::Calls {
                    said: std::mem::take(said),
                    calls: std::mem::take(calls),
                    kept: results.iter().map(|result| Kept::of(result, context)).collect(),
                });
            }
        }
    }

    pub(super) fn clear(&mut self) {
        self.turns.clear();
    }

    /// The query that ran last before the open turn, as it may be told.
    fn last_query(&self, gate: &Gate, context: &Context) -> Option<Disclosed> {
        let own = |query: Arc<CheckedQuery>| gate.canonical(&query);
        let on_device = |query: &CheckedQuery| gate.canonical_on_device(query);
        let earlier = self.turns.split_last()?.1;
        let items = earlier.iter().rev().flat_map(|t| t.items.iter().rev());
        items.into_iter().find_map(|item| match item {
            Item::Round { results, .. } => {
                results.iter().rev().find_map(|r| r.query_told(context)).map(own)
            }
            // A script that gave no row is as silent as one that gave some.
            Item::OnDevice(None) => Some(gate.constant("")),
            Item::OnDevice(Some(query)) => Some(on_device(query)),
            Item::Earlier(Earlier::Calls { kept, .. }) => {
                let mut kept = kept.iter().rev();
                kept.find_map(|kept| checked(kept.query.as_ref(), context.tables)).map(own)
            }
            Item::Earlier(Earlier::OnDevice { query }) => {
                checked(query.as_ref(), context.tables).map(|query| on_device(&query))
            }
            _ => None,
        })
    }

    /// The open turn as messages of at most `budget` tokens, its oldest rounds left out first, calls
    /// always together with their results; before it as much of earlier turns as `memory` holds.
    pub(super) fn messages(
        &self,
        gate: &Gate,
        context: &Context,
        budget: usize,
        memory: usize,
    ) -> Vec<Message> {
        let Some((open, earlier)) = self.turns.split_last() else { return Vec::new() };
        // Once it has a result of its own, the model needs no other query to go on from.
        let begun = open.items.iter().any(|item| match item {
            Item::Round { results, .. } => results.iter().any(|r| r.query_told(context).is_some()),
            _ => false,
        });
        let note = self.last_query(gate, context).filter(|_| !begun);
        let question = Message::User(match note.filter(|n| !n.as_str().is_empty()) {
            Some(query) => {
                let pieces = [gate.constant("[last query: "), query, gate.constant("]")];
                let pieces = [gate.typed_by_person(&open.question), gate.join(&pieces, "")];
                gate.join(&pieces, "\n\n")
            }
            None => gate.typed_by_person(&open.question),
        });
        let mut left = budget.saturating_sub(tokens(std::slice::from_ref(&question)));

        // Newest first, as long as there is room; the newest round is always kept.
        let mut rounds: Vec<Vec<Message>> = Vec::new();
        for item in open.items.iter().rev() {
            let messages = messages(item, gate, context, true);
            let cost = tokens(&messages);
            if cost > left && !rounds.is_empty() {
                break;
            }
            left = left.saturating_sub(cost);
            rounds.push(messages);
        }
        let earlier = remembered(earlier, gate, context, memory.min(left));
        let earlier = earlier.into_iter().rev().flatten();
        earlier.chain([question]).chain(rounds.into_iter().rev().flatten()).collect()
    }
}

/// Earlier turns of at most `left` tokens, newest first: whole, or without their calls where those
/// find no room. What was found for a question that broke off is kept: the next one goes on with it.
fn remembered(
    turns: &[Turn],
    gate: &Gate,
    context: &Context,
    mut left: usize,
) -> Vec<Vec<Message>> {
    let mut out = Vec::new();
    for turn in turns.iter().rev() {
        let turn_of = |calls: bool| {
            let question = [Message::User(gate.typed_by_person(&turn.question))];
            let items = turn.items.iter().filter(|item| calls || !is_round(item));
            let said = items.flat_map(|item| messages(item, gate, context, false));
            question.into_iter().chain(said).collect::<Vec<_>>()
        };
        let broken = out.is_empty() && matches!(turn.items.last(), Some(Item::Ended(_)));
        let mut messages = turn_of(true);
        if tokens(&messages) > left && !(broken && left > 0) {
            messages = turn_of(false);
        }
        let cost = tokens(&messages);
        if cost > left && !(broken && left > 0) {
            break;
        }
        left = left.saturating_sub(cost);
        out.push(messages);
    }
    out
}

fn is_round(item: &Item) -> bool {
    matches!(item, Item::Round { .. } | Item::Earlier(Earlier::Calls { .. }))
}

fn messages(item: &Item, gate: &Gate, context: &Context, open: bool) -> Vec<Message> {
    let words = |text: Disclosed| Message::Assistant { text, calls: Vec::new(), own: None };
    match item {
        Item::Round { said, calls, results } => {
            let mut out = vec![called(said, calls, gate)];
            out.extend(calls.iter().zip(results).map(|(call, result)| Message::ToolResult {
                call_id: call.id.clone(),
                name: call.name.clone(),
                content: if open { result.content(context) } else { result.later(context) },
                failed: result.fails_openly(context),
            }));
            out
        }
        Item::Rejected { said, findings, problems } => {
            let findings: Vec<Finding> = findings.iter().map(Found::finding).collect();
            let mut pieces = vec![gate.constant(FEEDBACK), gate.feedback(&findings, Locale::En)];
            if !problems.is_empty() {
                pieces.push(gate.diagnostics(problems, context.tables, Locale::En));
            }
            pieces.push(gate.constant(REWRITE));
            vec![called(said, &[], gate), Message::User(gate.join(&pieces, "\n"))]
        }
        Item::Told(text) => vec![Message::User(gate.constant(text))],
        Item::Answer(text) => vec![words(gate.model_words(text))],
        Item::OnDevice(query) => vec![words(match query {
            Some(query) => gate.on_device(query),
            None => gate.constant(ON_DEVICE),
        })],
        Item::Earlier(Earlier::Calls { said, calls, kept }) => {
            let mut out = vec![called(said, calls, gate)];
            out.extend(calls.iter().zip(kept).map(|(call, kept)| Message::ToolResult {
                call_id: call.id.clone(),
                name: call.name.clone(),
                content: gate.replacement(&call.name, None, kept.result_id.as_deref()),
                failed: !kept.ok,
            }));
            out
        }
        Item::Earlier(Earlier::OnDevice { query }) => {
            vec![words(match checked(query.as_ref(), context.tables) {
                Some(query) => gate.on_device(&query),
                None => gate.constant(ON_DEVICE),
            })]
        }
        Item::Earlier(Earlier::Withheld) => vec![words(gate.constant(WITHHELD))],
        Item::Ended(text) => vec![words(gate.constant(text))],
    }
}

/// What the model said, with its calls.
fn called(said: &Said, calls: &[ModelCall], gate: &Gate) -> Message {
    Message::Assistant {
        text: gate.model_words(&said.text),
        own: said.own.as_ref().map(|own| gate.model_words(own)),
        calls: calls
            .iter()
            .map(|call| Call {
                id: call.id.clone(),
                name: call.name.clone(),
                arguments: gate.model_words(&call.arguments),
            })
            .collect(),
    }
}

/// An earlier query, where it still fits the tables.
fn checked(query: Option<&Value>, tables: &[Arc<TableSchema>]) -> Option<Arc<CheckedQuery>> {
    check_json(query?, tables).ok().map(Arc::new)
}

fn tokens(messages: &[Message]) -> usize {
    messages
        .iter()
        .map(|message| match message {
            Message::User(text) => estimate_tokens(text.as_str()),
            Message::Assistant { text, calls, own } => {
                own.as_ref().map_or(0, |own| estimate_tokens(own.as_str()))
                    + estimate_tokens(text.as_str())
                    + calls
                        .iter()
                        .map(|c| estimate_tokens(&c.name) + estimate_tokens(c.arguments.as_str()))
                        .sum::<usize>()
            }
            Message::ToolResult { content, .. } => estimate_tokens(content.as_str()),
        })
        .sum()
}
