//! The end of a question: an answer that is checked, or why there is none.

use super::{Conversation, Reply, State, checker, context};
use crate::chat::checker::Findings;
use crate::chat::event::{Action, ChatEvent, DraftStatus};
use crate::chat::history::{Item, NO_ANSWER};
use crate::chat::texts;
use crate::chat::wholes::Wanted;
use crate::chat::wire::Stop;
use crate::error::{Code, Text};
use crate::facts::Outcome;
use crate::validate::{Claim, Overall};
use std::sync::Arc;

/// Drafts of one answer; the last is checked too.
const MAX_DRAFTS: u32 = 3;

impl Conversation {
    /// Checks a draft: it is delivered, or goes back with what is wrong with it. The last draft is
    /// delivered in any case, with what is wrong replaced or marked. Where the check asks for what the
    /// results lack, that is computed first, and the draft is checked again.
    pub(super) fn answer(&mut self, reply: Box<Reply>, stop: Stop, out: &mut Vec<Action>) {
        let draft = &reply.draft;
        let n = self.asking.usage.drafts + 1;
        let checker = checker(&self.asking, &self.recent, &self.settings);
        let context = context(&self.asking, &self.settings);
        let gate = context.gate();
        if n < MAX_DRAFTS {
            let Findings { found, wanted } = checker.findings(draft.text(), &gate);
            let problems = checker.wrong_references(draft.text(), &gate);
            if !wanted.is_empty() {
                self.recompute(reply, stop, wanted, out);
                return;
            }
            if !(found.is_empty() && problems.is_empty()) {
                self.asking.usage.drafts = n;
                out.push(Action::Emit(ChatEvent::Draft { n, status: DraftStatus::Rejected }));
                self.history.push(Item::Rejected { said: reply.said(), findings: found, problems });
                self.send(out);
                return;
            }
        }
        // For the person everything may be computed. Nothing is sent after it, so that the endpoint
        // cannot tell by the time whether something was.
        let (filled, check) = checker.filled(draft.text());
        let wanted = checker.wanted();
        if !wanted.is_empty() {
            self.recompute(reply, stop, wanted, out);
            return;
        }
        let verdict = check.verdict;
        let (answer, claims) = match verdict {
            Overall::Ok => (filled, check.claims),
            Overall::Rewrite => {
                let marked = checker.deliver(&filled, &check);
                (marked.text, marked.claims)
            }
        };
        self.asking.usage.drafts = n;
        // What is shown stays where the delivered text begins with it; else it is taken back.
        let delta = if let Some(rest) = answer.strip_prefix(draft.shown()) {
            rest.to_owned()
        } else {
            out.push(Action::Emit(ChatEvent::Draft { n, status: DraftStatus::Rejected }));
            answer.clone()
        };
        if !delta.is_empty() {
            out.push(Action::Emit(ChatEvent::Text { delta }));
        }
        out.push(Action::Emit(ChatEvent::Claims {
            answer: answer.clone(),
            claims: claims.clone(),
        }));
        out.push(Action::Emit(ChatEvent::Draft { n, status: DraftStatus::Final }));
        let ended = match stop {
            Stop::Complete => None,
            Stop::Length => Some(Code::TooLong),
            Stop::Filtered => Some(Code::EndpointStatus),
        };
        let item = Item::Answer(draft.text().to_owned());
        self.done(answer, claims, verdict, ended, item, out);
    }

    /// Has computed what the check of a draft asked for.
    fn recompute(
        &mut self,
        draft: Box<Reply>,
        stop: Stop,
        wanted: Vec<Wanted>,
        out: &mut Vec<Action>,
    ) {
        let mut waiting = Vec::with_capacity(wanted.len());
        for wanted in wanted {
            self.number += 1;
            let (run, checked) = (self.number, Arc::clone(&wanted.checked));
            out.push(Action::Recompute { run, checked });
            waiting.push((run, wanted));
        }
        self.state = State::Checking { draft, stop, waiting };
    }

    /// Takes what was computed; when all of it is there, the draft is checked again.
    pub(super) fn recomputed(
        &mut self,
        run: u64,
        result: Option<Arc<Outcome>>,
        out: &mut Vec<Action>,
    ) {
        let State::Checking { waiting, .. } = &mut self.state else { return };
        let Some(place) = waiting.iter().position(|(number, _)| *number == run) else { return };
        let (_, wanted) = waiting.swap_remove(place);
        let is_last = waiting.is_empty();
        let own = !self.asking.evidence.is_empty();
        let evidence = if own { &mut self.asking.evidence } else { &mut self.recent };
        evidence.wholes.learn(wanted, result);
        if !is_last {
            return;
        }
        if let State::Checking { draft, stop, .. } = std::mem::replace(&mut self.state, State::Idle)
        {
            self.answer(draft, stop, out);
        }
    }

    /// Ends the question with an honest answer of the program's own.
    pub(super) fn give_up(
        &mut self,
        code: Code,
        message: &Text,
        note: &'static str,
        out: &mut Vec<Action>,
    ) {
        let answer = message.get(self.settings.locale).to_owned();
        out.push(Action::Emit(ChatEvent::Text { delta: answer.clone() }));
        self.done(answer, Vec::new(), Overall::Ok, Some(code), Item::Ended(note), out);
    }

    fn done(
        &mut self,
        answer: String,
        claims: Vec<Claim>,
        verdict: Overall,
        ended: Option<Code>,
        item: Item,
        out: &mut Vec<Action>,
    ) {
        if ended.is_none() {
            self.call_it(texts::title(&self.asking.question), out);
        }
        let usage = self.asking.usage;
        out.push(Action::Emit(ChatEvent::Done { answer, claims, verdict, ended, usage }));
        self.finish(item, out);
    }

    pub(super) fn fail(
        &mut self,
        code: Code,
        message: Text,
        detail: Option<String>,
        out: &mut Vec<Action>,
    ) {
        let detail = detail.filter(|d| !d.is_empty());
        out.push(Action::Emit(ChatEvent::Error { code, message, detail }));
        self.finish(Item::Ended(NO_ANSWER), out);
    }

    pub(super) fn cancel(&mut self, out: &mut Vec<Action>) {
        if self.is_busy() {
            self.fail(Code::Cancelled, texts::cancelled(), None, out);
        }
    }

    fn finish(&mut self, item: Item, out: &mut Vec<Action>) {
        self.history.push(item);
        self.history.close(&context(&self.asking, &self.settings));
        if !self.asking.evidence.is_empty() {
            self.recent = std::mem::take(&mut self.asking.evidence);
        }
        self.state = State::Idle;
        out.push(Action::Finish);
    }
}
