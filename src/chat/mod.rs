//! The conversation: question → model → tool calls → summaries → answer → check → answer with
//! marked numbers.
//!
//! [`Conversation`] is a state machine without I/O and without a clock: [`Conversation::step`]
//! takes an [`Event`] and gives [`Action`]s for the host. Every path can be replayed in a test.
//! [`Local`] holds the same conversation without a model and never sends anything.

mod checker;
mod conversation;
mod draft;
mod event;
mod feedback;
mod history;
mod kept;
mod leaving;
mod local;
mod prompt;
mod record;
mod round;
mod settings;
mod texts;
mod wholes;
pub mod wire;

#[cfg(test)]
mod tests;

pub use conversation::Conversation;
pub use draft::Hold;
pub use event::{Action, ChatEvent, DraftStatus, Event, Failure, Reading, Usage, claims_json};
pub use feedback::feedback;
pub use kept::{Answered, answer_of_call, answer_of_calls};
pub use leaving::{leaving, masked};
pub use local::{Local, answer_by_template, answer_in_words};
pub use record::Record;
pub use settings::Settings;
pub use texts::{no_ledger, refused};
