//! How a conversation is held.

use super::draft::Hold;
use super::wire::Wire;
use crate::disclose::{Cells, Guard, Policy};
use crate::error::Locale;
use crate::tools::purchases;
use std::rc::Rc;

/// How a conversation is held.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The format that the endpoint speaks.
    pub wire: Wire,
    /// The model's name there.
    pub model: String,
    /// Ask for streams.
    pub stream: bool,
    /// Most tokens of a reply, where it is to be said.
    pub max_tokens: Option<u32>,
    /// What may leave.
    pub policy: Policy,
    /// What has left under the rule of k; conversations of one page share it.
    pub guard: Rc<Guard>,
    /// Protected cells that are masked in what the person writes.
    pub cells: Rc<Cells>,
    /// How purchases are read; without it there are no tools for them.
    pub purchases: Option<Rc<purchases::Settings>>,
    /// Whether the model may write scripts: what they are goes with every request.
    pub scripts: bool,
    /// The language of what code says to the person.
    pub locale: Locale,
    /// What is held back until it is checked.
    pub hold: Hold,
    /// Most rounds of tool calls a question.
    pub max_rounds: u32,
    /// Most tokens of the question and its results in a request, beside prompt and tools.
    pub budget: usize,
    /// Most tokens of earlier turns. All of them are sent again with each question.
    pub memory: usize,
}

impl Settings {
    /// The defaults: streams, 8 rounds, the default policy.
    pub fn new(wire: Wire, model: impl Into<String>) -> Self {
        Self {
            wire,
            model: model.into(),
            stream: true,
            max_tokens: None,
            policy: Policy::default(),
            guard: Rc::default(),
            cells: Rc::default(),
            purchases: None,
            scripts: false,
            locale: Locale::default(),
            hold: Hold::default(),
            max_rounds: 8,
            budget: 12_000,
            memory: 120,
        }
    }
}
