//! What the look-up goes by.

use crate::error::{Code, Diagnostic};
use serde::Serialize;
use serde_json::Value as Json;

/// The thresholds of the look-up.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Settings {
    /// Suggestions that are offered at most.
    pub suggest_limit: usize,
    /// The least likeness, as a cosine, of a question that is suggested for its meaning.
    pub similarity_threshold: f64,
    /// From this likeness on a question is suggested alone, as one to be sure of.
    pub auto_use_threshold: f64,
    /// The least share of a record's own score that full text must reach.
    pub fulltext_threshold: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            suggest_limit: 5,
            similarity_threshold: 0.8,
            auto_use_threshold: 0.95,
            fulltext_threshold: 0.1,
        }
    }
}

/// The most suggestions that can be asked for.
pub const MAX_SUGGESTIONS: usize = 100;

impl Settings {
    /// Reads settings; what is absent has its default.
    pub fn from_json(json: &Json) -> Result<Self, Vec<Diagnostic>> {
        let Json::Object(object) = json else {
            return Err(vec![Diagnostic::new(
                Code::NotAnObject,
                text!("settings are an object", "настройки — это объект"),
            )]);
        };
        let mut settings = Self::default();
        let mut problems = Vec::new();
        for (name, value) in object {
            let share = value.as_f64().filter(|v| (0.0..=1.0).contains(v));
            let fits = match name.as_str() {
                "suggest_limit" => value
                    .as_u64()
                    .filter(|v| (1..=MAX_SUGGESTIONS as u64).contains(v))
                    .map(|v| settings.suggest_limit = v as usize),
                "similarity_threshold" => share.map(|v| settings.similarity_threshold = v),
                "auto_use_threshold" => share.map(|v| settings.auto_use_threshold = v),
                "fulltext_threshold" => share.map(|v| settings.fulltext_threshold = v),
                _ => {
                    let names = [
                        "suggest_limit",
                        "similarity_threshold",
                        "auto_use_threshold",
                        "fulltext_threshold",
                    ];
                    let unknown =
                        text!("unknown setting `{name}`", "неизвестная настройка `{name}`");
                    let diagnostic = Diagnostic::new(Code::UnknownField, unknown);
                    problems.push(
                        diagnostic.at(format!("/{name}")).choices(crate::error::closest(
                            name,
                            names,
                            names.len(),
                        )),
                    );
                    continue;
                }
            };
            if fits.is_none() {
                let message = match name.as_str() {
                    "suggest_limit" => text!(
                        "`suggest_limit` is a whole number from 1 to {MAX_SUGGESTIONS}",
                        "`suggest_limit` — целое число от 1 до {MAX_SUGGESTIONS}"
                    ),
                    _ => text!("`{name}` is a number from 0 to 1", "`{name}` — число от 0 до 1"),
                };
                problems.push(Diagnostic::new(Code::BadOption, message).at(format!("/{name}")));
            }
        }
        if problems.is_empty() { Ok(settings) } else { Err(problems) }
    }
}
