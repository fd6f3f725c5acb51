//! A call that answered a question, as it is kept: the name of the tool and its arguments, which are
//! checked anew each time.

use super::{PurchaseCall, results};
use crate::error::{Code, Diagnostic};
use crate::tools::given;
use crate::tools::{Context, Prepared, prepare};
use serde_json::{Map, Value as Json, json};

/// Arguments that a model counts from the day that counts as today, whatever the question said.
const COUNTED: [&str; 4] = ["date_from", "date_to", "period_days", "days_ahead"];

/// A tool for purchases, and what it is called with.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptCall {
    /// The tool.
    pub tool: String,
    /// Its arguments, without what does not change the call.
    pub arguments: Map<String, Json>,
}

impl KeptCall {
    /// Reads `{"tool": "get_receipts", "arguments": {…}}`. Whether the arguments are right is told by
    /// [`KeptCall::prepare`].
    pub fn read(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let malformed = || {
            let message = text!(
                "a call is an object in JSON with the name of a `tool` and its `arguments`",
                "вызов – это объект JSON с именем инструмента `tool` и аргументами `arguments`"
            );
            vec![Diagnostic::new(Code::MalformedArguments, message).at("/script")]
        };
        let Ok(Json::Object(mut call)) = serde_json::from_str(text) else {
            return Err(malformed());
        };
        let Some(Json::String(tool)) = call.shift_remove("tool") else { return Err(malformed()) };
        if results::output_schema(&tool).is_none() {
            let message =
                text!("`{tool}` is no tool for purchases", "`{tool}` – не инструмент для покупок");
            return Err(vec![Diagnostic::new(Code::UnknownTool, message).at("/script")]);
        }
        let mut arguments = match call.shift_remove("arguments") {
            None => Map::new(),
            Some(arguments) => given::object(&arguments.to_string())?,
        };
        arguments.retain(|_, value| !value.is_null());
        // What a model called the data is no part of what it asked.
        arguments.shift_remove("title");
        if call.is_empty() { Ok(Self { tool, arguments }) } else { Err(malformed()) }
    }

    /// What [`KeptCall::read`] reads.
    pub fn write(&self) -> String {
        json!({"tool": self.tool, "arguments": self.arguments}).to_string()
    }

    /// Whether it says something of days: what was counted from one day is wrong on another.
    pub fn counts_days(&self) -> bool {
        COUNTED.iter().any(|name| self.arguments.contains_key(*name))
    }

    /// The call over the tables as they are, or all that is wrong with it by now.
    pub fn prepare(&self, context: &Context) -> Result<Box<PurchaseCall>, Vec<Diagnostic>> {
        let arguments = Json::from(self.arguments.clone()).to_string();
        match prepare(&self.tool, &arguments, context) {
            Prepared::Purchases(call) => Ok(call),
            Prepared::Done(result) if !result.ok => Err(result.error),
            _ => {
                let tool = &self.tool;
                let message = text!(
                    "`{tool}` is no tool for purchases",
                    "`{tool}` – не инструмент для покупок"
                );
                Err(vec![Diagnostic::new(Code::UnknownTool, message)])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::KeptCall;
    use serde_json::json;

    #[test]
    fn a_call_is_read_as_it_is_written() {
        let given = json!({"tool": "get_receipts", "arguments": {
            "shop": "kuper", "date_to": null, "title": "what I spent",
        }});
        let call = KeptCall::read(&given.to_string()).expect("a call");
        assert_eq!(call.write(), r#"{"tool":"get_receipts","arguments":{"shop":"kuper"}}"#);
        assert_eq!(KeptCall::read(&call.write()), Ok(call.clone()));
        assert!(!call.counts_days());
        for (name, value) in [
            ("date_from", json!("2024-12-01")),
            ("period_days", json!(15)),
            ("days_ahead", json!(3)),
        ] {
            let given = json!({"tool": "get_receipts", "arguments": {name: value}});
            assert!(KeptCall::read(&given.to_string()).expect("a call").counts_days(), "{name}");
        }
        let bare = KeptCall::read(r#"{"tool":"get_labels"}"#).expect("a call");
        assert!(bare.arguments.is_empty());
    }

    #[test]
    fn nothing_else_is_a_call() {
        for text in [
            "",
            "get_receipts",
            "[]",
            r#"{"arguments":{}}"#,
            r#"{"tool":"query","arguments":{"table":"t"}}"#,
            r#"{"tool":"run_script","arguments":{"script":"async function execute() {}"}}"#,
            r#"{"tool":"get_receipts","arguments":[1]}"#,
            r#"{"tool":"get_receipts","more":1}"#,
        ] {
            assert!(KeptCall::read(text).is_err(), "{text}");
        }
    }
}
