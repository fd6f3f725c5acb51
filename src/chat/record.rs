//! A conversation as it is kept on the device and opened again: questions, the model's own words,
//! its calls, and which results they gave. Never a table: those are kept beside it, by the host.

use super::history::{Earlier, History, Item, Kept, NO_ANSWER, Said, Turn};
use super::wire::ModelCall;
use crate::error::{Code, Diagnostic, Error, Result};
use crate::tools::Context;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The form that is written. [`Record::from_json`] reads this and every earlier one.
const VERSION: u32 = 1;

/// A conversation, as it is kept.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    version: u32,
    /// Where its requests went.
    pub endpoint: String,
    /// The hash of the policy that they were last made under.
    pub policy_hash: String,
    /// What it is called.
    pub title: Option<String>,
    turns: Vec<TurnRecord>,
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
struct TurnRecord {
    question: String,
    items: Vec<ItemRecord>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum ItemRecord {
    Calls {
        text: String,
        calls: Vec<CallRecord>,
    },
    Answer {
        text: String,
    },
    OnDevice {
        query: Option<Value>,
    },
    Ended,
    /// Something that a later version wrote into a form that this one reads.
    #[serde(other)]
    Unknown,
}

/// A call and what came of it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
struct CallRecord {
    name: String,
    arguments: String,
    ok: bool,
    result_id: Option<String>,
    /// The canonical query that gave the result.
    query: Option<Value>,
}

impl Record {
    /// The record of `history`.
    pub(super) fn of(
        history: &History,
        endpoint: &str,
        title: Option<&str>,
        context: &Context,
    ) -> Self {
        Self {
            version: VERSION,
            endpoint: endpoint.to_owned(),
            policy_hash: context.policy.hash().to_owned(),
            title: title.map(str::to_owned),
            turns: history.turns().iter().map(|turn| TurnRecord::of(turn, context)).collect(),
        }
    }

    /// The record of a conversation that nothing is sent of: all it needs is its last query.
    pub(super) fn on_device(query: Option<Value>) -> Self {
        let items = vec![ItemRecord::OnDevice { query }];
        let turns = vec![TurnRecord { question: String::new(), items }];
        Self { version: VERSION, turns, ..Self::default() }
    }

    /// The record as JSON, in one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads what [`Self::to_json`] of this or an earlier version wrote.
    ///
    /// # Errors
    /// `unsupported_format` where a later version wrote it, or it is no record.
    pub fn from_json(json: &str) -> Result<Self> {
        let no_record = || {
            Error::input(Diagnostic::new(
                Code::UnsupportedFormat,
                text!("this is no saved conversation", "это не сохранённая беседа"),
            ))
        };
        let value: Value = serde_json::from_str(json).map_err(|_| no_record())?;
        match value["version"].as_u64() {
            Some(1) => serde_json::from_value(value).map_err(|_| no_record()),
            Some(later) if later > u64::from(VERSION) => Err(Error::input(Diagnostic::new(
                Code::UnsupportedFormat,
                text!(
                    "a later version saved this conversation (form {later})",
                    "беседу сохранила более новая версия (формат {later})"
                ),
            ))),
            _ => Err(no_record()),
        }
    }

    /// The history to go on with. `same` tells that requests go where they went and under the same
    /// policy; if not, nobody there has heard the model's words and they are not told: only that the
    /// question was answered.
    pub(super) fn history(&self, same: bool) -> History {
        let mut number = 0;
        let mut id = || {
            number += 1;
            format!("h{number}")
        };
        History::from_turns(self.turns.iter().map(|turn| turn.turn(same, &mut id)).collect())
    }

    /// The query of the last result, for follow-ups.
    pub fn last_query(&self) -> Option<&Value> {
        let items = self.turns.iter().rev().flat_map(|turn| turn.items.iter().rev());
        items.into_iter().find_map(|item| match item {
            ItemRecord::Calls { calls, .. } => {
                calls.iter().rev().find_map(|call| call.query.as_ref())
            }
            ItemRecord::OnDevice { query } => query.as_ref(),
            _ => None,
        })
    }
}

impl TurnRecord {
    fn of(turn: &Turn, context: &Context) -> Self {
        let items = turn.items.iter().filter_map(|item| match item {
            Item::Round { said, calls, results } => {
                let calls = calls.iter().zip(results);
                let calls =
                    calls.map(|(call, result)| CallRecord::of(call, &Kept::of(result, context)));
                Some(ItemRecord::Calls { text: said.text.clone(), calls: calls.collect() })
            }
            Item::Earlier(Earlier::Calls { said, calls, kept }) => {
                let calls = calls.iter().zip(kept).map(|(call, kept)| CallRecord::of(call, kept));
                Some(ItemRecord::Calls { text: said.text.clone(), calls: calls.collect() })
            }
            Item::Answer(text) => Some(ItemRecord::Answer { text: text.clone() }),
            Item::OnDevice(query) => {
                let query = query.as_ref().filter(|query| query.sql().is_none());
                let query = query.map(|query| query.canonical().clone());
                Some(ItemRecord::OnDevice { query })
            }
            Item::Earlier(Earlier::OnDevice { query }) => {
                Some(ItemRecord::OnDevice { query: query.clone() })
            }
            Item::Ended(_) | Item::Earlier(Earlier::Withheld) => Some(ItemRecord::Ended),
            Item::Rejected { .. } | Item::Told(_) => None,
        });
        Self { question: turn.question.clone(), items: items.collect() }
    }

    fn turn(&self, same: bool, id: &mut impl FnMut() -> String) -> Turn {
        let items = self.items.iter().filter_map(|item| match item {
            ItemRecord::Calls { text, calls } if same => {
                let kept = calls.iter().map(|call| Kept {
                    ok: call.ok,
                    result_id: call.result_id.clone(),
                    query: call.query.clone(),
                });
                let kept = kept.collect();
                let calls = calls.iter().map(|call| ModelCall {
                    id: id(),
                    name: call.name.clone(),
                    arguments: call.arguments.clone(),
                });
                let calls = calls.collect();
                let said = Said { text: text.clone(), own: None };
                Some(Item::Earlier(Earlier::Calls { said, calls, kept }))
            }
            ItemRecord::Answer { text } if same => Some(Item::Answer(text.clone())),
            ItemRecord::OnDevice { query } => {
                Some(Item::Earlier(Earlier::OnDevice { query: query.clone() }))
            }
            ItemRecord::Answer { .. } => Some(Item::Earlier(Earlier::Withheld)),
            ItemRecord::Ended => Some(Item::Ended(NO_ANSWER)),
            ItemRecord::Calls { .. } | ItemRecord::Unknown => None,
        });
        let mut items: Vec<Item> = items.collect();
        // A turn always ends with words: questions and answers alternate.
        let ends = |item: &Item| !matches!(item, Item::Earlier(Earlier::Calls { .. }));
        if !items.last().is_some_and(ends) {
            items.push(Item::Ended(NO_ANSWER));
        }
        Turn { question: self.question.clone(), items }
    }
}

impl CallRecord {
    fn of(call: &ModelCall, kept: &Kept) -> Self {
        Self {
            name: call.name.clone(),
            arguments: call.arguments.clone(),
            ok: kept.ok,
            result_id: kept.result_id.clone(),
            query: kept.query.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Record;
    use crate::error::Code;

    #[test]
    fn what_is_no_record_is_said() {
        for json in ["", "[]", "{}", "{\"version\":0}", "{\"version\":1,\"turns\":5}"] {
            let problem = Record::from_json(json).expect_err(json);
            assert_eq!(problem.diagnostics()[0].code, Code::UnsupportedFormat);
        }
        let later = Record::from_json("{\"version\":9,\"turns\":[]}").expect_err("later");
        assert!(later.diagnostics()[0].message.en.contains("later version"));
    }

    #[test]
    fn fields_and_items_of_later_versions_are_passed_over() {
        let json = r#"{"version":1,"colour":"red","turns":[{"question":"q","mood":1,"items":[{"kind":"news","x":1},{"kind":"answer","text":"a"}]}]}"#;
        let record = Record::from_json(json).expect("a record");
        assert_eq!(record.history(true).turns()[0].items.len(), 1);
        assert_eq!(Record::from_json(&record.to_json()), Ok(record));
    }
}
