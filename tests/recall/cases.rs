//! Runs `cases.txt`: lines that begin with `>` do something, the lines after each say what comes out.

use pinhole::recall::{
    Asked, BUILT_IN, Before, Edit, Ending, Found, Kept, Kind, LastResult, Recall, Scope, Settings,
    Suggestions, alone, carries, dated,
};
use pinhole::schema::{Column, Kind as Of, TableSchema};
use serde_json::json;
use std::fmt::Write;
use std::sync::Arc;

/// The file with what really comes out.
pub fn run(text: &str) -> String {
    let mut world = World::new();
    let mut out = String::new();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("## ") {
            world = World::new();
        }
        if let Some(command) = line.strip_prefix("> ") {
            writeln!(out, "{line}").unwrap();
            for told in world.run(command, number + 1) {
                writeln!(out, "  {told}").unwrap();
            }
        } else if !line.starts_with("  ") {
            writeln!(out, "{line}").unwrap();
        }
    }
    out
}

struct World {
    recall: Recall,
    tables: Vec<Arc<TableSchema>>,
    policy: String,
    scope: Scope,
    hour: u32,
    /// What was asked in the conversation so far, once that is told.
    before: Option<Before>,
}

/// A command: `name context options : question`.
struct Command<'a> {
    name: &'a str,
    context: &'a str,
    options: Vec<&'a str>,
    rest: &'a str,
}

impl<'a> Command<'a> {
    fn read(text: &'a str) -> Self {
        let (head, rest) = text.split_once(" : ").unwrap_or((text, ""));
        let mut words = head.split(' ');
        let name = words.next().unwrap_or_default();
        let context = words.next().unwrap_or_default();
        Self { name, context, options: words.collect(), rest }
    }

    fn has(&self, option: &str) -> bool {
        self.options.contains(&option)
    }

    fn value(&self, option: &str) -> Option<&'a str> {
        self.options.iter().find_map(|o| o.strip_prefix(option)?.strip_prefix('='))
    }

    fn vector(&self) -> Option<Vec<f32>> {
        let list = self.value("vector")?;
        Some(list.split(',').map(|v| v.parse().unwrap()).collect())
    }
}

impl World {
    fn new() -> Self {
        let mut world = Self {
            recall: Recall::default(),
            tables: Vec::new(),
            policy: "open".into(),
            scope: Scope::default(),
            hour: 0,
            before: None,
        };
        world.load("bars day:date gap:number volume:integer");
        world
    }

    /// `bars day:date gap:number`; several with `; ` between them
    fn load(&mut self, text: &str) {
        let table = |text: &str| {
            let mut words = text.split(' ');
            let name = words.next().unwrap();
            let mut time = None;
            let columns = words.map(|word| {
                let (name, kind) = word.split_once(':').unwrap();
                if kind == "time" {
                    time = Some(name.to_owned());
                }
                let of = match kind {
                    "date" | "time" => Of::Date,
                    "number" => Of::Float,
                    "integer" => Of::Int,
                    "flag" => Of::Bool,
                    _ => Of::Text,
                };
                let mut column = Column::new(name, of);
                if kind.contains('|') {
                    column.values = Some(kind.split('|').map(str::to_owned).collect());
                }
                column
            });
            let mut table = TableSchema::new(name, columns.collect());
            table.time = time;
            Arc::new(table)
        };
        self.tables = text.split("; ").map(table).collect();
        self.scope = Scope::new(&self.tables, self.policy.as_str());
    }

    fn id(&self, command: &Command<'_>) -> u64 {
        let wanted = pinhole::recall::normalise(command.rest);
        let list = self.recall.list(command.context);
        let after = command.value("after");
        let own = |r: &&&pinhole::recall::Record| {
            pinhole::recall::normalise(&r.question) == wanted && r.after.as_deref() == after
        };
        list.iter().find(own).map_or(0, |r| r.id)
    }

    fn run(&mut self, text: &str, line: usize) -> Vec<String> {
        self.hour += 1;
        let now = format!("2026-01-01T{:02}:00:00.000Z", self.hour);
        let command = Command::read(text);
        let vector = command.vector();
        let asked = Asked {
            context_code: command.context,
            question: command.rest,
            vector: vector.as_deref(),
            after: command.value("after"),
        };
        let known = |done: bool| if done { Vec::new() } else { vec!["no such record".into()] };
        match command.name {
            "tables" => {
                self.load(command.rest);
                Vec::new()
            }
            "policy" => {
                command.rest.clone_into(&mut self.policy);
                self.scope = Scope::new(&self.tables, self.policy.as_str());
                Vec::new()
            }
            "today" => {
                let scope = Scope::new(&self.tables, self.policy.as_str());
                let day = Some(command.rest.to_owned()).filter(|day| !day.is_empty());
                self.scope = scope.with_day(day);
                Vec::new()
            }
            // What the rows of the tables are, once they have been read.
            "rows" => {
                let rows = Some(vec![command.rest.to_owned()]).filter(|_| command.rest != "unread");
                self.scope = std::mem::take(&mut self.scope).with_over(rows);
                Vec::new()
            }
            "settings" => {
                let json = serde_json::from_str(command.rest).unwrap();
                match Settings::from_json(&json) {
                    Ok(settings) => {
                        self.recall = Recall::new(settings);
                        vec![serde_json::to_string(&settings).unwrap()]
                    }
                    Err(problems) => problems.iter().map(ToString::to_string).collect(),
                }
            }
            "embedder" => {
                let name = match command.context {
                    "built-in" => &**BUILT_IN,
                    other => other,
                };
                self.recall = std::mem::take(&mut self.recall).with_embedder(name);
                Vec::new()
            }
            "save" => {
                let (question, script) = command
                    .rest
                    .split_once(" => ")
                    .unwrap_or((command.rest, r#"{"select":"mean(gap)"}"#));
                let kept = Kept {
                    context_code: command.context,
                    question,
                    kind: kind_of(script),
                    script,
                    is_valid: !command.has("unrun"),
                    vector: vector.as_deref(),
                    masked: None,
                    by_model: command.has("by_model"),
                    of_day: command.value("of"),
                    over: if command.has("over") { self.scope.over().unwrap() } else { &[] },
                    after: command.value("after"),
                };
                match self.recall.save(kept, &self.scope, &now) {
                    Ok(_) => Vec::new(),
                    Err(error) => vec![error.to_string()],
                }
            }
            // What was asked, what answered it and in which words.
            "before" => {
                let before = self.before.get_or_insert_default();
                let mut parts = command.rest.split(" => ").map(str::to_owned);
                before.asked.extend(parts.next());
                before.found.extend(parts.next());
                before.answered.extend(parts.next());
                Vec::new()
            }
            // What becomes of a question after others, and of what answered it.
            "later" => {
                let (question, script) =
                    command.rest.split_once(" => ").unwrap_or((command.rest, ""));
                let stands = if alone(question, &self.scope) { "stands alone" } else { "goes on" };
                let kind = kind_of(script);
                let says = match script {
                    "" => "",
                    _ if !carries(question, kind, script, &self.scope, self.before.as_ref()) => {
                        ", carries nothing over"
                    }
                    _ if dated(question, kind, script, &self.scope) => ", of its day",
                    _ => ", something may be carried over",
                };
                vec![format!("{stands}{says}")]
            }
            "ask" => {
                let answer = self.recall.ask(asked, &self.scope);
                let mut told: Vec<String> = Vec::new();
                for unfit in &answer.unfit {
                    told.push(format!("no longer fits: {}", unfit.problems[0]));
                }
                match answer.found {
                    Found::Run { id, by, recheck } => {
                        let record = self.recall.get(command.context, id).unwrap();
                        let first = if recheck { " after a check by the host" } else { "" };
                        told.push(format!("run {by:?}{first}: {}", record.question));
                        if let Some(after) = &record.after {
                            told.push(format!("  with {} after {after}", record.script));
                        }
                    }
                    Found::Suggest(list) => told.extend(suggested(&list)),
                    Found::Nothing => told.push("nothing".into()),
                }
                if self.scope.wants_rows() {
                    told.push("once the rows are known it may be another".into());
                }
                told
            }
            "suggest" => {
                let limit = command.value("limit").map(|v| v.parse().unwrap());
                let threshold = command.value("threshold").map(|v| v.parse().unwrap());
                let list = self.recall.suggest(asked, limit, threshold, &self.scope);
                let mut told = suggested(&list);
                if self.scope.wants_rows() {
                    told.push("once the rows are known there may be others".into());
                }
                told
            }
            "ran" | "failed" | "clarify" => {
                let ending = match command.name {
                    "ran" => Ending::Answered(LastResult {
                        raw: json!({"rows": 1}),
                        human: "one row".into(),
                        executed_at: now,
                        words: None,
                    }),
                    "failed" => Ending::Failed,
                    _ => Ending::Clarify,
                };
                let id = self.id(&command);
                let cached = !command.has("fresh");
                known(self.recall.finished(command.context, id, ending, cached, &self.scope))
            }
            "edit" => {
                let edit = Edit {
                    script: command.value("script"),
                    is_valid: command.value("valid").map(|v| v == "true"),
                };
                let id = self.id(&command);
                known(self.recall.update(command.context, id, edit, &now).unwrap())
            }
            "delete" => {
                let id = self.id(&command);
                known(self.recall.delete(command.context, id))
            }
            "list" => self
                .recall
                .list(command.context)
                .iter()
                .map(|r| {
                    format!(
                        "{}{} · {:?} · {} · valid {} · used {} · {} · {}",
                        r.question,
                        r.after.as_ref().map_or(String::new(), |after| format!(" after {after}")),
                        r.kind,
                        r.script,
                        r.is_valid,
                        r.usage_count,
                        r.updated_at.get(11..13).unwrap_or_default(),
                        r.last_result.as_ref().map_or("no result", |l| l.human.as_str()),
                    )
                })
                .collect(),
            "lacking" => {
                let most = usize::MAX;
                let lacking = self.recall.without_vector(command.context, most);
                lacking.into_iter().map(|(_, question)| question.to_owned()).collect()
            }
            "fill" => {
                vec![format!("{} filled", self.recall.fill_built_in(command.context, usize::MAX))]
            }
            "import" => {
                let imported = self.recall.import(command.rest.replace("\\n", "\n").as_bytes());
                let mut told = vec![format!(
                    "{} added, {} updated, {} kept",
                    imported.added, imported.updated, imported.kept
                )];
                told.extend(imported.bad.iter().map(|b| format!("line {}: {}", b.line, b.problem)));
                told
            }
            other => panic!("line {line}: {other}"),
        }
    }
}

fn kind_of(script: &str) -> Kind {
    match script.chars().next() {
        _ if script.starts_with(r#"{"tool""#) => Kind::Tool,
        _ if script.starts_with(r#"{"calls""#) => Kind::Calls,
        Some('{') => Kind::Query,
        Some('S') => Kind::Sql,
        _ => Kind::Script,
    }
}

fn suggested(list: &Suggestions) -> Vec<String> {
    let mut told: Vec<String> = list
        .suggestions
        .iter()
        .map(|s| {
            let result = s.last_result.as_ref().map_or("", |_| " · with its last result");
            let differs = match s.differs.as_slice() {
                [] => String::new(),
                list => format!(" · differs in {}", list.join(", ")),
            };
            let sure = if list.high_confidence { "sure" } else { "suggest" };
            format!("{sure} {:?} {:.2}: {}{differs}{result}", s.by, s.similarity, s.question)
        })
        .collect();
    if told.is_empty() {
        told.push("nothing to suggest".into());
    }
    told
}
