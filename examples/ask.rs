//! Questions from the command line, answered without a model as on the page:
//!
//! ```sh
//! cargo run --example ask -- trips.csv people.csv < questions.txt
//! ```
//!
//! Files become tables of their names. Each line of the input is a question; one after another is
//! a conversation, and an empty line begins a new one. For each comes the query, the answer or the
//! readings, and the first rows. `--locale ru` speaks Russian where a question has no language,
//! `--rows 20` prints so many rows (5), and `--today 2024-12-31` says which day counts as today for
//! purchases.
#![allow(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a program that reads and prints"
)]

#[path = "tool/load.rs"]
mod load;

use load::load;
use pinhole::chat::{Action, ChatEvent, Event, Local};
use pinhole::engine::{Engine, Execution, Options};
use pinhole::error::Locale;
use pinhole::tools::purchases::{PurchaseRun, Settings};
use serde_json::{Map, Value as Json, json};
use std::collections::VecDeque;
use std::process::ExitCode;
use std::rc::Rc;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let ask = || {
        let mut job = Job::read(&arguments)?;
        for line in std::io::stdin().lines() {
            let line = line.map_err(|e| e.to_string())?;
            println!("{}", job.line(line.trim()));
        }
        Ok::<(), String>(())
    };
    match ask() {
        Ok(()) => ExitCode::SUCCESS,
        Err(wrong) => {
            println!("{wrong}");
            ExitCode::FAILURE
        }
    }
}

struct Job {
    engine: Engine,
    chat: Local,
    rows: usize,
}

impl Job {
    fn read(arguments: &[String]) -> Result<Self, String> {
        let mut engine = Engine::new(Options::default()).map_err(|e| e.to_string())?;
        let mut purchases = Settings::default();
        let (mut locale, mut rows) = (Locale::En, 5);
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("`{word}` needs a value"));
            match word.as_str() {
                "--locale" => {
                    locale = if value()? == "ru" { Locale::Ru } else { Locale::En };
                }
                "--rows" => rows = value()?.parse().map_err(|_| "`--rows` takes a number")?,
                "--today" => {
                    let settings = json!({ "reference_date": value()? });
                    purchases = serde_json::from_value(settings).map_err(|e| e.to_string())?;
                }
                option if option.starts_with("--") => {
                    return Err(format!("there is no `{option}`"));
                }
                file => load(&mut engine, file).map_err(|e| format!("{file}: {e}"))?,
            }
        }
        let chat = Local::new(locale).with_purchases(Rc::new(purchases));
        Ok(Self { engine, chat, rows })
    }

    /// What comes of a line.
    fn line(&mut self, line: &str) -> String {
        if line.is_empty() {
            self.chat.clear();
            return String::new();
        }
        let mut told = vec![format!("> {line}")];
        let ask = Event::Ask { question: line.to_owned(), tables: self.engine.tables() };
        let mut queue = VecDeque::from(self.chat.step(ask));
        while let Some(action) = queue.pop_front() {
            match action {
                Action::Emit(event) => told.extend(said(&event)),
                Action::RunQuery { run, checked } => {
                    let started = self.engine.start(&checked);
                    let id = started.as_ref().ok().and_then(|e| e.id().map(str::to_owned));
                    let result = started.and_then(Execution::finish);
                    if let Ok(found) = &result {
                        let shown = (0..found.rows.len().min(self.rows)).map(|at| {
                            let cells = found.columns.iter().enumerate().map(|(i, of)| {
                                (of.column.name.clone(), found.value(at, i).to_json())
                            });
                            format!("    | {}", Json::Object(cells.collect::<Map<_, _>>()))
                        });
                        told.extend(shown);
                    }
                    queue.extend(self.chat.step(Event::ToolDone { run, id, result }));
                }
                Action::RunCall { run, call } => {
                    let started = PurchaseRun::start(*call, &mut self.engine);
                    let result = Box::new(started.finish_in(&mut self.engine));
                    queue.extend(self.chat.step(Event::CallDone { run, result }));
                }
                _ => {}
            }
        }
        told.join("\n")
    }
}

/// What the person would see of an event.
fn said(event: &ChatEvent) -> Vec<String> {
    match event {
        ChatEvent::ToolCall { name, input, .. } => vec![format!("  {name} {input}")],
        ChatEvent::Readings { readings } => {
            let line = |r: &pinhole::chat::Reading| {
                format!("  ? {:.2} {} {}", r.confidence, r.explanation, r.query)
            };
            readings.iter().map(line).collect()
        }
        ChatEvent::Error { code, message, .. } => vec![format!("  {code:?} {}", message.en)],
        ChatEvent::Done { answer, .. } => answer.lines().map(|l| format!("  {l}")).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::Job;

    #[test]
    fn a_conversation_is_answered() {
        let folder = "tests/purchases/";
        let files = ["receipts", "receipt_items", "items", "products"];
        let mut arguments: Vec<String> =
            files.iter().map(|name| format!("{folder}{name}.csv")).collect();
        arguments.extend(["--today", "2024-12-31", "--rows", "2"].map(str::to_owned));
        let mut job = Job::read(&arguments).expect("files that load");
        let first = job.line("how many receipts by shop?");
        assert!(first.starts_with("> how many receipts by shop?\n  query {"), "{first}");
        assert_eq!(first.matches("    | {").count(), 2, "{first}");
        assert!(job.line("and the highest total?").contains("Understood as: "));
        assert!(job.line("what did I buy last?").contains("get_"));
        assert_eq!(job.line(""), "");
        assert!(
            Job::read(&["--nothing".to_owned()]).is_err_and(|e| e == "there is no `--nothing`")
        );
    }
}
