//! Conversations: opened, asked, kept, closed.

use super::Session;
use crate::chat::wire::Wire;
use crate::chat::{Conversation, Event, Hold, Local, Record, Settings};
use crate::error::{Code, Diagnostic, Result};
use crate::wasm::chat::{Chat, ChatHost, Surroundings, ask};
use crate::wasm::convert::options;
use serde::Deserialize;
use serde_json::Value as Json;
use wasm_bindgen::prelude::*;

/// How a conversation is opened.
#[derive(Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
struct ChatOptions {
    wire: Option<String>,
    model: Option<String>,
    endpoint: Option<String>,
    hold: Option<String>,
    max_rounds: Option<u32>,
    stream: Option<bool>,
    /// Whether the model may write scripts.
    scripts: bool,
    /// Rules beside those of the page's policy: they never allow more.
    policy: Json,
    /// It was open before, in an engine that is no more.
    again: bool,
    /// What `chat_record` gave.
    record: Option<String>,
}

#[wasm_bindgen]
impl Session {
    /// Opens a conversation; its number.
    pub fn chat_open(&self, given: &JsValue) -> Result<u32, JsValue> {
        let given: ChatOptions = options(given)?;
        let open = || -> Result<Chat> {
            let tables = self.schemas();
            let stricter = self.protection.stricter(&given.policy, given.again, &tables)?;
            let wire = given.wire.as_deref().unwrap_or("planner");
            let record = given.record.as_deref().map(Record::from_json).transpose()?;
            if wire == "planner" {
                let locale = self.locale.get();
                let local = match &record {
                    Some(record) => Local::reopen(locale, record),
                    None => Local::new(locale),
                };
                let local = local.with_purchases(self.purchases.clone());
                return Ok(Chat::Planner(Box::new(local)));
            }
            let mut settings =
                Settings::new(Wire::named(wire)?, given.model.clone().unwrap_or_default());
            settings.policy = stricter.of(&self.protection.policy());
            settings.guard = self.protection.guard().clone();
            settings.purchases = Some(self.purchases.clone());
            settings.scripts = given.scripts && self.scripts.allowed();
            settings.locale = self.locale.get();
            if let Some(hold) = &given.hold {
                settings.hold = Hold::named(hold)?;
            }
            settings.max_rounds = given.max_rounds.unwrap_or(settings.max_rounds);
            settings.stream = given.stream.unwrap_or(settings.stream);
            let endpoint = given.endpoint.clone().unwrap_or_default();
            let conversation = match &record {
                Some(record) => Conversation::reopen(settings, record, &endpoint),
                None => Conversation::new(settings),
            };
            Ok(Chat::Model { conversation: Box::new(conversation), endpoint, stricter })
        };
        let chat = open().map_err(|e| self.fault(&e))?;
        let number = self.last_chat.get() + 1;
        self.last_chat.set(number);
        self.chats.borrow_mut().insert(number, chat);
        Ok(number)
    }

    /// Asks a question; everything that comes of it goes to the host as events.
    pub async fn chat_ask(
        &self,
        chat: u32,
        question: String,
        host: ChatHost,
    ) -> Result<(), JsValue> {
        let Some(mut taken) = self.chats.borrow_mut().remove(&chat) else {
            let error = Diagnostic::new(
                Code::BadOption,
                text!(
                    "this conversation is closed, or still busy with a question",
                    "этот разговор закрыт или ещё занят вопросом"
                ),
            );
            return Err(self.fault(&error.into()));
        };
        // What changed since the last question holds from now on.
        taken.step(Event::Policy(taken.under(&self.protection.policy())));
        let around = Surroundings {
            engine: &self.engine,
            protection: &self.protection,
            scripts: &self.scripts,
            locale: self.locale.get(),
            host: &host,
        };
        ask(&mut taken, &question, self.schemas(), &around).await;
        self.chats.borrow_mut().insert(chat, taken);
        Ok(())
    }

    /// Notes a question that was answered without the conversation, by this result or by none, so
    /// that a follow-up can build on it. A result of SQL is no query that could be changed.
    pub fn chat_answered(
        &self,
        chat: u32,
        question: &str,
        id: Option<String>,
    ) -> Result<(), JsValue> {
        let outcome = id.map(|id| self.outcome(&id)).transpose().map_err(|e| self.fault(&e))?;
        if let Some(chat) = self.chats.borrow_mut().get_mut(&chat) {
            let policy = chat.under(&self.protection.policy());
            let cells = self.protection.cells(&self.engine.borrow(), &policy);
            chat.step(Event::Policy(policy));
            chat.step(Event::Cells(cells));
            chat.answered(question, outcome.as_ref().map(|outcome| &outcome.query));
        }
        Ok(())
    }

    /// The person wants this text to be sent as it is, though a protected cell says the same.
    pub fn chat_confirm(&self, text: &str) {
        self.protection.confirm(text);
    }

    /// What to keep of a conversation, so that it can be opened again; nothing while it is busy.
    pub fn chat_record(&self, chat: u32) -> Option<String> {
        let record = self.chats.borrow().get(&chat).and_then(Chat::record);
        record.map(|record| record.to_json())
    }

    /// Forgets what was said.
    pub fn chat_clear(&self, chat: u32) {
        if let Some(chat) = self.chats.borrow_mut().get_mut(&chat) {
            chat.clear();
        }
    }

    /// Ends a conversation.
    pub fn chat_close(&self, chat: u32) {
        self.chats.borrow_mut().remove(&chat);
    }
}
