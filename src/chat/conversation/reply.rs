//! A reply: its text as it comes, and the calls in it, answered together.

use super::{Conversation, Reply, State, checker, context, given};
use crate::chat::event::{Action, ChatEvent};
use crate::chat::history::Item;
use crate::chat::round::{Heard, Round};
use crate::chat::texts;
use crate::chat::wire::{Fault, ModelCall, ModelEvent, Stop};
use crate::error::{Code, Error};
use crate::facts::Outcome;
use crate::tools::{self, Context, ToolResult};
use std::sync::Arc;

/// What stands in the history in place of an answer.
const OUT_OF_ROUNDS: &str = "[ended: too many rounds of tool calls; the person was told so]";
const REPEATED: &str = "[ended: the same call failed twice; the person was told so]";

/// What the model is told when its rounds are used up.
const LAST_ROUND: &str =
    "[no more tool calls] Answer now with the results you have, and say what is missing.";

impl Conversation {
    pub(super) fn model(&mut self, events: Vec<ModelEvent>, out: &mut Vec<Action>) {
        for event in events {
            let State::Reading { request, reply } = &mut self.state else { return };
            match event {
                ModelEvent::Text(delta) => {
                    let checker = checker(&self.asking, &self.recent, &self.settings);
                    let more = reply.draft.push(&delta, |text| checker.check(text));
                    out.extend(more.map(|delta| Action::Emit(ChatEvent::Text { delta })));
                }
                ModelEvent::Call(call) => reply.calls.push(call),
                ModelEvent::Turn(own) => reply.own = Some(own),
                ModelEvent::Usage { input, output } => {
                    self.asking.usage.input_tokens += input;
                    self.asking.usage.output_tokens += output;
                }
                ModelEvent::Done(stop) => self.reply_done(stop, out),
                ModelEvent::Fault(fault) => {
                    let request = *request;
                    let fresh = reply.draft.text().is_empty();
                    self.fault(request, fresh, fault, out);
                }
            }
        }
    }

    fn fault(&mut self, request: u64, fresh: bool, fault: Fault, out: &mut Vec<Action>) {
        match fault {
            Fault::Broken => self.fail(Code::StreamBroken, texts::broken(), None, out),
            Fault::Reported { message, transient } => {
                if !(transient && fresh && self.pause(request, None, out)) {
                    self.fail(Code::EndpointStatus, texts::reported(), Some(message), out);
                }
            }
            Fault::Foreign { message } => {
                self.fail(Code::EndpointNotJson, texts::foreign(), Some(message), out);
            }
            Fault::TooLong => self.fail(Code::TooLong, texts::too_long(), None, out),
        }
    }

    fn reply_done(&mut self, stop: Stop, out: &mut Vec<Action>) {
        let State::Reading { reply, .. } = std::mem::replace(&mut self.state, State::Idle) else {
            return;
        };
        self.asking.retries = 0;
        if !reply.calls.is_empty() {
            self.calls(*reply, out);
        } else if reply.draft.text().trim().is_empty() {
            self.fail(Code::NotUnderstood, texts::empty(), None, out);
        } else {
            self.answer(reply, stop, out);
        }
    }

    fn calls(&mut self, mut reply: Reply, out: &mut Vec<Action>) {
        let checker = checker(&self.asking, &self.recent, &self.settings);
        if let Some(delta) = reply.draft.close(|text| checker.check(text)) {
            out.push(Action::Emit(ChatEvent::Text { delta }));
        }
        if self.asking.told_last {
            let message = texts::too_many_rounds(self.settings.max_rounds);
            self.give_up(Code::TooManyRounds, &message, OUT_OF_ROUNDS, out);
            return;
        }
        self.asking.usage.rounds += 1;
        let said = reply.said();
        let calls: Vec<ModelCall> =
            reply.calls.into_iter().map(|call| self.with_id(call)).collect();
        if let Some(title) = calls.iter().find_map(|call| tools::title(&call.arguments)) {
            self.call_it(title, out);
        }
        let given = given(&self.asking, &self.recent);
        let context = Context { given: Some(given), ..context(&self.asking, &self.settings) };
        let round =
            Round::start(said, calls, &context, self.settings.locale, &mut self.number, out);
        self.state = State::Running(round);
        self.round_done(out);
    }

    /// Gives the conversation its title, once.
    pub(super) fn call_it(&mut self, title: String, out: &mut Vec<Action>) {
        if self.title.is_none() {
            self.title = Some(title.clone());
            out.push(Action::Emit(ChatEvent::Title { title }));
        }
    }

    /// Gives the call an id of its own where the endpoint gave none, or the same one again.
    fn with_id(&mut self, mut call: ModelCall) -> ModelCall {
        let given = call.id.clone();
        let mut n = self.ids.len();
        while call.id.is_empty() || self.ids.contains(&call.id) {
            n += 1;
            call.id = match given.as_str() {
                "" => format!("call_{n}"),
                given => format!("{given}_{n}"),
            };
        }
        self.ids.insert(call.id.clone());
        call
    }

    pub(super) fn tool_done(
        &mut self,
        run: u64,
        id: Option<String>,
        result: Result<Arc<Outcome>, Error>,
        out: &mut Vec<Action>,
    ) {
        if let State::Running(round) = &mut self.state
            && round.ran(run, id, result, self.settings.locale, out)
        {
            self.round_done(out);
        }
    }

    pub(super) fn call_done(&mut self, run: u64, result: ToolResult, out: &mut Vec<Action>) {
        if let State::Running(round) = &mut self.state
            && round.called(run, result, self.settings.locale, out)
        {
            self.round_done(out);
        }
    }

    /// Judges the rounds of the open question as the model hears of them under the policy of the
    /// moment. Whether a call that failed in the last one had failed in that before, and nothing else
    /// came of it.
    pub(super) fn judge(&mut self) -> bool {
        let context = context(&self.asking, &self.settings);
        let (mut answerable, mut again) = (false, false);
        let mut heard: Vec<Heard> = Vec::new();
        for (calls, results) in self.history.rounds() {
            let round = Heard::of(calls, results, &context);
            let before = heard.last().map_or(&[][..], |before| &before.failed);
            again = round.all_failed && round.failed.iter().any(|call| before.contains(call));
            // A check of numbers leaves what can be answered as it was.
            answerable =
                (round.failed.is_empty() && round.has_results) || (answerable && round.only_checks);
            heard.push(round);
        }
        self.asking.answerable = answerable;
        let evidence = &mut self.asking.evidence;
        (evidence.calls, evidence.stand_ins) = (Vec::new(), Vec::new());
        for round in heard {
            evidence.calls.extend(round.calls);
            evidence.stand_ins.extend(round.stand_ins);
        }
        again
    }

    /// When every call of the round is answered, the model hears of all of them together.
    fn round_done(&mut self, out: &mut Vec<Action>) {
        match std::mem::replace(&mut self.state, State::Idle) {
            State::Running(round) if round.is_complete() => {
                let mut handed = std::mem::take(&mut self.asking.evidence.handed);
                round.note(&mut handed, &context(&self.asking, &self.settings).gate());
                self.asking.evidence.handed = handed;
                let problems = round.problems(self.settings.locale);
                self.asking.evidence.outcomes.extend(round.outcomes());
                self.history.push(round.into_item());
                if self.judge() {
                    let message = texts::repeated_failure(&problems);
                    self.give_up(Code::RepeatedFailure, &message, REPEATED, out);
                    return;
                }
                if self.asking.usage.rounds >= self.settings.max_rounds {
                    self.asking.told_last = true;
                    self.history.push(Item::Told(LAST_ROUND));
                }
                self.send(out);
            }
            state => self.state = state,
        }
    }
}
