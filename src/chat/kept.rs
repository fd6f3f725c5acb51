//! The answer to a question that calls answered before: one of a tool for purchases, or several.

use super::local::{after, answer_by_template};
use super::texts;
use crate::error::{Locale, Text};
use crate::facts::Outcome;
use crate::planner::{self, bought};
use crate::query::explain::explain;
use crate::summary::clean;
use crate::tools::purchases::KeptCall;
use crate::validate::Marked;
use chrono::NaiveDate;
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;

/// The answer to a question from the list that a call found and the totals over it: in these words,
/// which hold of them, else by template. It says first how the question was read. `today` is the day
/// that periods count from.
pub fn answer_of_call(
    call: &KeptCall,
    question: &str,
    today: Option<NaiveDate>,
    (list, totals): (&Outcome, Option<&Outcome>),
    words: Option<Marked>,
    language: Locale,
) -> Marked {
    let (asked, explanation) = reading(call, question, today, language);
    let marked = words.unwrap_or_else(|| match asked {
        Some(asked) => bought::answer(asked, list, totals, language),
        None => planner::answer(list, language),
    });
    after(texts::read_as(language, &explanation), marked)
}

/// One of several calls that answered a question, and what it gave.
pub struct Answered<'a> {
    /// The call, where it is one of a tool for purchases.
    pub call: Option<&'a KeptCall>,
    /// Its result, or its list.
    pub list: &'a Outcome,
    /// The totals over the list.
    pub totals: Option<&'a Outcome>,
}

/// The answer to a question from all that several calls found: in these words, which hold of them,
/// else each by its own template.
pub fn answer_of_calls(
    calls: &[Answered<'_>],
    question: &str,
    today: Option<NaiveDate>,
    words: Option<Marked>,
    language: Locale,
) -> Marked {
    let Some(words) = words else {
        let mut all = Marked { text: String::new(), claims: Vec::new() };
        for Answered { call, list, totals } in calls {
            let one = match call {
                Some(call) => {
                    answer_of_call(call, question, today, (list, *totals), None, language)
                }
                None => answer_by_template(list, language),
            };
            if !all.text.is_empty() {
                all.text.push_str("\n\n");
            }
            let Marked { text, claims } = after(std::mem::take(&mut all.text), one);
            all.text = text;
            all.claims.extend(claims);
        }
        return all;
    };
    let read = |Answered { call, list, .. }: &Answered<'_>| match call {
        Some(call) => reading(call, question, today, language).1,
        None => explain(&list.query, language),
    };
    let read: Vec<String> = calls.iter().map(read).collect();
    after(texts::read_as(language, &read.join("; ")), words)
}

/// How a call was read from its question, where it was, and the call in words.
fn reading(
    call: &KeptCall,
    question: &str,
    today: Option<NaiveDate>,
    language: Locale,
) -> (Option<bought::Asked>, String) {
    let read = today.and_then(|today| bought::call(question, today, Some(language), &[]));
    let read = read.filter(|read| {
        let arguments = read.arguments.as_object();
        read.tool == call.tool && arguments.is_some_and(|a| said(a) == said(&call.arguments))
    });
    match read {
        Some(read) => (Some(read.asked), read.explanation),
        None => (bought::asked(&call.tool, &call.arguments), explained(call, language)),
    }
}

/// The arguments that say what was asked; that all of it is listed says nothing of that.
fn said(arguments: &Map<String, Json>) -> BTreeMap<&str, &Json> {
    let all =
        |name: &str, value: &Json| name == "limit" && value.as_u64().is_some_and(|n| n >= 1000);
    arguments
        .iter()
        .filter(|(name, value)| !all(name, value))
        .map(|(k, v)| (k.as_str(), v))
        .collect()
}

/// A call in words: `receipts (date_from: 2024-12-01, shop: Kuper)`.
fn explained(call: &KeptCall, language: Locale) -> String {
    let name = name_of(&call.tool);
    let name = name.get(language);
    let told = |value: &Json| match value {
        Json::String(text) => clean(text),
        other => clean(&other.to_string()),
    };
    let arguments: Vec<String> = said(&call.arguments)
        .iter()
        .map(|(name, value)| format!("{name}: {}", told(value)))
        .collect();
    if arguments.is_empty() {
        return name.to_owned();
    }
    format!("{name} ({})", arguments.join(", "))
}

fn name_of(tool: &str) -> Text {
    match tool {
        "get_receipts" => text!("receipts", "чеки"),
        "get_receipt_items" => text!("lines of receipts", "позиции чеков"),
        "get_products" => text!("categories", "категории"),
        "get_items" => text!("items", "товары"),
        "get_labels" => text!("labels", "метки"),
        "get_purchase_statistics" => text!("statistics of purchases", "статистика покупок"),
        "generate_shopping_list" => text!("shopping list", "список покупок"),
        other => text!("{other}", "{other}"),
    }
}
