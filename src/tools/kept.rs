//! Several calls that answered a question, as they are kept: queries, scripts and calls of tools for
//! purchases, in their order. A later one may follow from what an earlier one found.

use super::purchases::KeptCall;
use super::{QUERY, RUN_SCRIPT, given};
use crate::error::{Code, Diagnostic};
use serde_json::{Map, Value as Json, json};

/// Calls of a list at most.
const MOST: usize = 8;

/// A call of a list.
#[derive(Debug, Clone, PartialEq)]
pub enum KeptStep {
    /// A query of the language.
    Query(Map<String, Json>),
    /// A script.
    Script(String),
    /// A tool for purchases.
    Purchases(KeptCall),
}

/// Several calls.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptCalls {
    /// They, in the order in which they were made.
    pub steps: Vec<KeptStep>,
}

impl KeptCalls {
    /// Reads `{"calls": [{"tool": "query", "arguments": {…}}, …]}`. Whether the arguments are right is
    /// told when they run.
    pub fn read(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let Ok(Json::Object(mut list)) = serde_json::from_str(text) else {
            return Err(malformed());
        };
        let Some(Json::Array(calls)) = list.shift_remove("calls") else { return Err(malformed()) };
        if !list.is_empty() || calls.is_empty() {
            return Err(malformed());
        }
        if calls.len() > MOST {
            let message = text!(
                "a question is answered by {MOST} calls at most",
                "на вопрос отвечает не больше {MOST} вызовов"
            );
            return Err(vec![Diagnostic::new(Code::TooMany, message).at("/script")]);
        }
        let steps = calls.into_iter().map(KeptStep::read).collect::<Result<_, _>>()?;
        Ok(Self { steps })
    }

    /// What [`KeptCalls::read`] reads.
    pub fn write(&self) -> String {
        let calls: Vec<Json> = self.steps.iter().map(KeptStep::to_json).collect();
        json!({"calls": calls}).to_string()
    }

    /// Whether it says something of days: what was counted from one day is wrong on another.
    pub fn counts_days(&self) -> bool {
        let counts =
            |step: &KeptStep| matches!(step, KeptStep::Purchases(call) if call.counts_days());
        self.steps.iter().any(counts)
    }
}

impl KeptStep {
    fn read(call: Json) -> Result<Self, Vec<Diagnostic>> {
        let tool = call.get("tool").and_then(Json::as_str).unwrap_or_default();
        if tool != QUERY && tool != RUN_SCRIPT {
            return Ok(Self::Purchases(KeptCall::read(&call.to_string())?));
        }
        let is_query = tool == QUERY;
        let Json::Object(mut call) = call else { return Err(malformed()) };
        let arguments = call.shift_remove("arguments").unwrap_or_default().to_string();
        let mut arguments = given::object(&arguments)?;
        call.shift_remove("tool");
        if !call.is_empty() {
            return Err(malformed());
        }
        if is_query {
            // What a model called the data is no part of what it asked.
            arguments.shift_remove("title");
            return Ok(Self::Query(arguments));
        }
        match arguments.shift_remove("script") {
            Some(Json::String(script)) => Ok(Self::Script(script)),
            _ => Err(malformed()),
        }
    }

    fn to_json(&self) -> Json {
        match self {
            Self::Query(query) => json!({"tool": QUERY, "arguments": query}),
            Self::Script(script) => json!({"tool": RUN_SCRIPT, "arguments": {"script": script}}),
            Self::Purchases(KeptCall { tool, arguments }) => {
                json!({"tool": tool, "arguments": arguments})
            }
        }
    }
}

fn malformed() -> Vec<Diagnostic> {
    let message = text!(
        "several calls are an object in JSON with a list of `calls`, each with the name of a `tool` \
         (`query`, `run_script` or one for purchases) and its `arguments`",
        "несколько вызовов – это объект JSON со списком `calls`: в каждом имя инструмента `tool` \
         (`query`, `run_script` или инструмент для покупок) и аргументы `arguments`"
    );
    vec![Diagnostic::new(Code::MalformedArguments, message).at("/script")]
}

#[cfg(test)]
mod tests {
    use super::{KeptCalls, MOST};
    use crate::error::Code;
    use serde_json::{Value as Json, json};

    fn of(calls: &Json) -> String {
        json!({"calls": calls}).to_string()
    }

    #[test]
    fn calls_are_read_as_they_are_written() {
        let query = json!({"table": "t", "select": "count()", "title": "rows"});
        let query = json!({"tool": "query", "arguments": query});
        let script = json!({"tool": "run_script", "arguments": {"script": "1", "title": "one"}});
        let receipts =
            json!({"tool": "get_receipts", "arguments": {"title": "shops", "shop": "k"}});
        let given = of(&json!([query, script, receipts]));
        let calls = KeptCalls::read(&given).expect("calls");
        assert_eq!(calls.steps.len(), 3);
        assert!(!calls.counts_days());
        let written = calls.write();
        assert!(!written.contains("title"), "{written}");
        assert_eq!(KeptCalls::read(&written), Ok(calls));
        let days = json!({"tool": "get_receipts", "arguments": {"date_from": "2024-12-01"}});
        assert!(KeptCalls::read(&of(&json!([query, days]))).expect("calls").counts_days());
    }

    #[test]
    fn nothing_else_is_a_list_of_calls() {
        let query = json!({"tool": "query", "arguments": {}});
        for text in [
            String::new(),
            "[]".into(),
            of(&json!([])),
            of(&json!(query)),
            of(&json!([1])),
            of(&json!(["query"])),
            of(&json!([{"tool": "sql", "arguments": {"text": "SELECT 1"}}])),
            of(&json!([{"tool": "query", "arguments": [1]}])),
            of(&json!([{"tool": "query", "more": 1}])),
            of(&json!([{"tool": "run_script", "arguments": {}}])),
            json!({"calls": [query], "more": 1}).to_string(),
        ] {
            assert!(KeptCalls::read(&text).is_err(), "{text}");
        }
        let many = KeptCalls::read(&of(&json!(vec![query; MOST + 1]))).expect_err("too many");
        assert!(many.iter().all(|problem| problem.code == Code::TooMany), "{many:?}");
    }
}
