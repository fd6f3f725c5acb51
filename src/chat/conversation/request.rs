//! Requests: made, sent again where that may help, refused.

use super::{Conversation, Reply, State, context, given};
use crate::chat::draft::Draft;
use crate::chat::event::{Action, Failure};
use crate::chat::prompt::{self, Next};
use crate::chat::texts;
use crate::chat::wire::{Model, Wire, detail, is_transient};
use crate::disclose::ToolDefinition;
use crate::error::Code;
use crate::tools::{self, Context};

/// Times that a request is sent again.
const MAX_RETRIES: u32 = 3;
/// The first pause before a request is sent again; each later one is twice as long.
const FIRST_PAUSE: u64 = 500;
/// An endpoint that asks for a longer pause is not waited for.
const LONGEST_PAUSE: u64 = 60_000;
/// Bytes of an error page that are kept.
const ERROR_BODY: usize = 4096;

impl Conversation {
    /// Makes the next request from the history, under the policy of the moment.
    pub(super) fn send(&mut self, out: &mut Vec<Action>) {
        self.number += 1;
        let request = self.number;
        let context = context(&self.asking, &self.settings);
        let gate = context.gate();
        let answer = self.asking.answerable || self.asking.told_last;
        let next = if answer { Next::Answer } else { Next::Query };
        // A tool that checks numbers is offered where some were wrong: each definition costs.
        let checks = answer && self.asking.usage.drafts > 0;
        let given = Some(given(&self.asking, &self.recent)).filter(|_| checks);
        let definitions = tools::brief(&Context { given, ..context })
            .into_iter()
            .map(|d| ToolDefinition {
                name: d.name.to_owned(),
                description: d.description.to_owned(),
                parameters: d.parameters,
            })
            .collect();
        // What is said of results is checked against those of its own question, so earlier answers
        // are of no use to it.
        let memory = if next == Next::Answer { 0 } else { self.settings.memory };
        let disclosure = gate.request(
            prompt::system(&context, next),
            definitions,
            self.history.messages(&gate, &context, self.settings.budget, memory),
        );
        let model = Model {
            name: self.settings.model.clone(),
            stream: self.settings.stream,
            max_tokens: self.settings.max_tokens,
            tools: !self.asking.told_last,
            reasoning: self.reasoning,
        };
        let body = self.settings.wire.encode(&disclosure, &model);
        self.state = State::Approving { request };
        out.push(Action::Send { request, body, disclosure });
    }

    pub(super) fn status(
        &mut self,
        request: u64,
        code: u16,
        retry_after: Option<u64>,
        out: &mut Vec<Action>,
    ) {
        if (200..300).contains(&code) {
            let reply = Reply {
                decoder: self.settings.wire.decoder(),
                draft: Draft::new(self.settings.hold),
                calls: Vec::new(),
                own: None,
            };
            self.state = State::Reading { request, reply: Box::new(reply) };
        } else if !is_transient(code.into()) || !self.pause(request, retry_after, out) {
            self.state = State::Refusing { request, status: code, body: Vec::new() };
        }
    }

    /// Waits before the request is sent again; false when it has been sent often enough, or the
    /// endpoint asks for more patience than a person has.
    pub(super) fn pause(
        &mut self,
        request: u64,
        retry_after: Option<u64>,
        out: &mut Vec<Action>,
    ) -> bool {
        let ms = retry_after.unwrap_or(FIRST_PAUSE << self.asking.retries.min(10));
        if self.asking.retries >= MAX_RETRIES || ms > LONGEST_PAUSE {
            return false;
        }
        self.asking.retries += 1;
        self.state = State::Waiting { request };
        out.push(Action::Wait { request, ms });
        true
    }

    pub(super) fn bytes(&mut self, request: u64, bytes: &[u8], out: &mut Vec<Action>) {
        let events = match &mut self.state {
            State::Reading { request: r, reply } if *r == request => reply.decoder.push(bytes),
            State::Refusing { request: r, body, .. } if *r == request => {
                let room = ERROR_BODY.saturating_sub(body.len());
                body.extend(bytes.iter().take(room));
                return;
            }
            _ => return,
        };
        self.model(events, out);
    }

    pub(super) fn end(&mut self, request: u64, out: &mut Vec<Action>) {
        let events = match &mut self.state {
            State::Reading { request: r, reply } if *r == request => reply.decoder.finish(),
            State::Refusing { request: r, .. } if *r == request => {
                self.refused(out);
                return;
            }
            _ => return,
        };
        self.model(events, out);
    }

    pub(super) fn failed(&mut self, request: u64, failure: Failure, out: &mut Vec<Action>) {
        match (&self.state, failure) {
            (State::Approving { request: r }, Failure::Ledger) if *r == request => {
                self.fail(Code::LedgerUnavailable, texts::no_ledger(), None, out);
            }
            (State::Approving { request: r } | State::Sent { request: r }, _) if *r == request => {
                self.fail(Code::EndpointUnreachable, texts::unreachable(), None, out);
            }
            (State::Reading { request: r, .. }, _) if *r == request => {
                self.fail(Code::StreamBroken, texts::broken(), None, out);
            }
            (State::Refusing { request: r, .. }, _) if *r == request => self.refused(out),
            _ => {}
        }
    }

    fn refused(&mut self, out: &mut Vec<Action>) {
        if let State::Refusing { status, body, .. } = &self.state {
            let (message, words) = (texts::status(*status), detail(body));
            // Models that do not think refuse to be asked for their thoughts.
            let thoughts = self.settings.wire == Wire::OpenAiResponses && *status == 400;
            if thoughts && self.reasoning && words.to_lowercase().contains("encrypted") {
                self.reasoning = false;
                self.send(out);
                return;
            }
            self.fail(Code::EndpointStatus, message, Some(words), out);
        }
    }
}
