//! The end of a question: an answer that is checked, or why there is none.

use super::{Conversation, Reply, State, checker, context};
use crate::chat::event::{Action, ChatEvent, DraftStatus};
use crate::chat::history::{Item, NO_ANSWER};
use crate::chat::texts;
use crate::chat::wire::Stop;
use crate::error::{Code, Text};
use crate::validate::{Claim, Overall};

/// Drafts of one answer; the last is checked too.
const MAX_DRAFTS: u32 = 3;

impl Conversation {
    /// Checks a draft: it is delivered, or goes back with what is wrong with it. The last draft is
    /// delivered in any case, with what is wrong replaced or marked.
    pub(super) fn answer(&mut self, reply: &Reply, stop: Stop, out: &mut Vec<Action>) {
        let draft = &reply.draft;
        self.asking.usage.drafts += 1;
        let n = self.asking.usage.drafts;
        let checker = checker(&self.asking, &self.recent, &self.settings);
        let (filled, check) = checker.filled(draft.text());
        let context = context(&self.asking, &self.settings);
        let gate = context.gate();
        let findings = checker.findings(draft.text(), &gate);
        let problems = checker.wrong_references(draft.text(), &gate);
        if !(findings.is_empty() && problems.is_empty()) && n < MAX_DRAFTS {
            out.push(Action::Emit(ChatEvent::Draft { n, status: DraftStatus::Rejected }));
            self.history.push(Item::Rejected { said: reply.said(), findings, problems });
            self.send(out);
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
