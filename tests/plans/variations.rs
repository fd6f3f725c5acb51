//! The samples of the page, asked as `tests/e2e/variations.json` has it: one question after the other,
//! each with the query of the one before it that was answered.

use super::corpus::{Set, read};
use super::meaning::meaning;
use pinhole::chat::{Action, ChatEvent, Event, Local};
use pinhole::error::Locale;
use pinhole::query::Query;
use pinhole::schema::TableSchema;
use pinhole::tools::purchases::Settings;
use serde_json::Value as Json;
use std::rc::Rc;
use std::sync::Arc;

const HOUSEHOLD: [&str; 6] =
    ["products", "items", "labels", "item_labels", "receipts", "receipt_items"];

/// What a question came to.
enum Came {
    Query(Json),
    Call(Json),
    Readings(Vec<Json>),
    Nothing,
}

fn ask(local: &mut Local, question: &str, tables: &[Arc<TableSchema>]) -> Came {
    let event = Event::Ask { question: question.to_owned(), tables: tables.to_vec() };
    let mut came = Came::Nothing;
    for action in local.step(event) {
        match action {
            Action::Emit(ChatEvent::ToolCall { name, input, .. }) if name == "query" => {
                came = Came::Query(input);
            }
            Action::Emit(ChatEvent::ToolCall { name, input, .. }) => {
                came = Came::Call(serde_json::json!({ "tool": name, "arguments": input }));
            }
            Action::Emit(ChatEvent::Readings { readings }) => {
                came = Came::Readings(readings.into_iter().map(|r| r.query).collect());
            }
            _ => {}
        }
    }
    local.step(Event::Cancel);
    match &came {
        Came::Query(json) => local.answered(Query::from_json(json).ok()),
        Came::Call(_) => local.answered(None),
        Came::Readings(_) | Came::Nothing => {}
    }
    came
}

/// The two queries give the same.
fn same(one: &Json, other: &Json, tables: &[Arc<TableSchema>]) -> bool {
    let of = |json: &Json| {
        let query = Query::from_json(json).expect("a query");
        let name = query.table.clone().unwrap_or_else(|| tables[0].name.clone());
        let schema = tables.iter().find(|t| t.name == name).expect("a table");
        (name, meaning(&query, schema))
    };
    let (one, other) = (of(one), of(other));
    one.1.is_ok() && one == other
}

/// What of the questions in `asked` is not as it is meant, and of each sample the questions that are
/// answered as they are meant.
fn ask_all(asked: &Json) -> (Vec<String>, [(&'static str, usize); 3]) {
    let files = [include_str!("samples.txt"), include_str!("household.txt")];
    let sets: Vec<Set> = files.into_iter().flat_map(read).collect();
    let table = |name: &&str| {
        sets.iter().find(|s| s.schema.name == **name).expect("a sample").schema.clone()
    };
    let mut wrong = Vec::new();
    let samples: [(&str, &[&str]); 3] =
        [("bars", &["bars"]), ("penguins", &["penguins"]), ("household", &HOUSEHOLD)];
    let answered = samples.map(|(sample, names)| {
        let tables: Vec<Arc<TableSchema>> = names.iter().map(table).collect();
        let mut local = Local::new(Locale::En).with_purchases(Rc::new(Settings::default()));
        let mut answered = 0;
        for entry in asked[sample].as_array().expect("questions") {
            let (question, meant) = (entry[0].as_str().expect("a question"), &entry[1]);
            let came = ask(&mut local, question, &tables);
            let meant = meant.as_array().map_or(std::slice::from_ref(meant), Vec::as_slice);
            for meant in meant.iter().filter(|meant| meant.get("tool").is_none()) {
                assert!(same(meant, meant, &tables), "{question}: {meant} fails the check");
            }
            let any = |got: &Json| {
                meant.iter().any(|meant| {
                    let tool = meant.get("tool").is_some();
                    if tool || got.get("tool").is_some() {
                        got == meant
                    } else {
                        same(got, meant, &tables)
                    }
                })
            };
            let right = matches!(&came, Came::Query(got) | Came::Call(got) if any(got));
            answered += usize::from(right && entry[2].is_null());
            let fits = match (&came, entry[2].as_str()) {
                (_, None) => right,
                (Came::Readings(list), Some("offered")) => list.iter().any(any),
                (Came::Readings(_) | Came::Nothing, Some("unanswered")) => true,
                _ => false,
            };
            if !fits {
                let got = match came {
                    Came::Query(query) => query.to_string(),
                    Came::Call(call) => call.to_string(),
                    Came::Readings(list) => {
                        let list: Vec<String> = list.iter().map(Json::to_string).collect();
                        format!("offered\n      {}", list.join("\n      "))
                    }
                    Came::Nothing => "nothing".to_owned(),
                };
                wrong.push(format!("{sample}: {question}: {got}"));
            }
        }
        (sample, answered)
    });
    (wrong, answered)
}

#[test]
fn the_samples_of_the_page_are_asked_in_other_words() {
    let asked = serde_json::from_str(include_str!("../e2e/variations.json")).expect("JSON");
    let (wrong, _) = ask_all(&asked);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Thirty more of each in `fresh.json`, and thirty again in `fresh_again.json`: so many are answered,
/// and none of those may be lost. `PINHOLE_PLANS=1` lists the others.
#[test]
fn the_samples_are_asked_in_fresh_words() {
    let files = [
        ("fresh", include_str!("fresh.json"), [25, 25, 25]),
        ("fresh again", include_str!("fresh_again.json"), [23, 20, 21]),
    ];
    for (name, text, floors) in files {
        let asked = serde_json::from_str(text).expect("JSON");
        let (wrong, answered) = ask_all(&asked);
        if std::env::var("PINHOLE_PLANS").is_ok() {
            println!("{}", wrong.join("\n"));
        }
        for ((sample, count), floor) in answered.into_iter().zip(floors) {
            println!("{name}, {sample}: {count} of 30 answered as they are meant");
            assert!(count >= floor, "{name}, {sample}: {count} of 30");
        }
    }
}
