//! A table with protected columns, and everything that a model hears of its queries.

use super::evaluate;
use pinhole::disclose::{Finding, Gate, Guard, Policy};
use pinhole::engine::{self, Engine, LoadedTable};
use pinhole::error::{Error, Locale};
use pinhole::facts::{Grown, Outcome, Support};
use pinhole::query::{CheckedQuery, check_json};
use pinhole::schema::{Column, Kind, TableSchema};
use pinhole::summary::{Options, summarise};
use pinhole::value::{Table, Value};
use serde_json::Value as Json;
use std::collections::HashMap;
use std::sync::Arc;

/// One person of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Person {
    pub city: &'static str,
    pub dept: &'static str,
    /// Class `aggregate`.
    pub salary: Option<i64>,
    /// Class `aggregate`.
    pub sick: Option<bool>,
    /// Class `hidden`.
    pub secret: String,
}

/// A table `people` (id, city, dept, salary, sick, zqsecret), a policy, and what was told.
pub struct World {
    pub people: Vec<Person>,
    pub policy: Policy,
    schema: Arc<TableSchema>,
    /// The real engine, whose results are compared with the evaluation by hand; without one, that
    /// stands alone.
    engine: Option<Engine>,
    asked: usize,
    guard: Guard,
    /// Every text that would have been sent, in order.
    pub told: Vec<String>,
}

/// What a model hears of one query.
pub struct Heard {
    /// The summary, or the problems.
    pub text: String,
    pub outcome: Option<Outcome>,
    /// By row of the result and measure: the feedback says the actual value.
    pub cells: Vec<(usize, String)>,
    /// The row of the result that each person went into.
    pub groups: Vec<u32>,
}

impl Heard {
    /// Nothing of the result was told.
    pub fn is_withheld(&self) -> bool {
        self.text.contains(WITHHELD)
    }

    /// The people behind a row of the result.
    pub fn members(&self, row: usize) -> Vec<usize> {
        (0..self.groups.len()).filter(|&i| self.groups[i] as usize == row).collect()
    }
}

pub const WITHHELD: &str = "withholds it from you";

impl World {
    /// A world of the real engine.
    pub fn new(people: Vec<Person>, policy: &Json) -> Self {
        let mut world = Self::by_hand(people, policy);
        let mut engine = Engine::new(engine::Options::default()).expect("an engine");
        world.schema = engine.insert(world.loaded(0)).expect("a table");
        world.engine = Some(engine);
        world
    }

    /// The people from number `first` on as a load gives them.
    fn loaded(&self, first: usize) -> LoadedTable {
        let columns = self.schema.columns.clone();
        let cells = |row: &HashMap<String, Value>| -> Vec<Value> {
            columns.iter().map(|c| row[&c.name].clone()).collect()
        };
        let cells = rows(&self.people).iter().skip(first).map(cells).collect();
        let table = Table { columns: columns.clone(), rows: cells };
        LoadedTable::from_rows(TableSchema::clone(&self.schema), &table).expect("a table")
    }

    /// More people come to the others.
    pub fn append(&mut self, more: Vec<Person>) {
        let grown = self.append_unheard(more);
        self.guard.appended(&self.schema, &grown);
    }

    /// The same without telling the guard.
    pub fn append_unheard(&mut self, more: Vec<Person>) -> Grown {
        let before = self.people.len();
        self.people.extend(more);
        if let Some(mut engine) = self.engine.take() {
            let joined = engine.joined(self.loaded(before)).expect("a table");
            let grown = joined.grown().cloned().expect("appended rows");
            self.schema = engine.insert(joined).expect("a table");
            self.engine = Some(engine);
            grown
        } else {
            let schema = TableSchema::clone(&self.schema);
            let (version, rows) = (schema.version, self.people.len() as u64);
            let grown_from = Some(version);
            self.schema =
                Arc::new(TableSchema { version: version + 1, rows, grown_from, ..schema });
            Grown::new(version, before, self.people.len())
        }
    }

    /// A world whose queries are evaluated by hand.
    pub fn by_hand(people: Vec<Person>, policy: &Json) -> Self {
        let mut city = Column::new("city", Kind::Text);
        city.values = Some(distinct(people.iter().map(|p| p.city)));
        let mut secret = Column::new("zqsecret", Kind::Text);
        secret.values = Some(distinct(people.iter().map(|p| p.secret.as_str())));
        secret.label = Some("zqlabel".to_owned());
        let columns = vec![
            Column::new("id", Kind::Int),
            city,
            Column::new("dept", Kind::Text),
            Column::new("salary", Kind::Int),
            Column::new("sick", Kind::Bool),
            secret,
        ];
        let mut schema = TableSchema::new("people", columns);
        schema.rows = people.len() as u64;
        let policy = Policy::from_json(policy).expect("a policy");
        let (schema, guard) = (Arc::new(schema), Guard::new());
        Self { people, policy, schema, engine: None, asked: 0, guard, told: Vec::new() }
    }

    /// The gate's words on the schema.
    pub fn schema(&mut self) -> String {
        let gate = Gate::new(&self.policy).with_guard(&self.guard);
        let text = gate.schema(std::slice::from_ref(&self.schema), Locale::En).as_str().to_owned();
        self.told.push(text.clone());
        text
    }

    /// Whether nothing is told of a query, whatever its rows; it does not run.
    pub fn withholds(&self, query: &Json) -> bool {
        let checked = check_json(query, std::slice::from_ref(&self.schema)).expect("a query");
        Gate::new(&self.policy).with_guard(&self.guard).withholds(&checked)
    }

    /// Whether nothing is told of a statement of SQL.
    pub fn withholds_sql(&self, text: &str) -> bool {
        let engine = self.engine.as_ref().expect("a world of the real engine");
        let checked = engine.check_sql(text, &Json::Null).expect("a statement");
        Gate::new(&self.policy).with_guard(&self.guard).withholds(&checked)
    }

    /// Asks a query, hears its summary with every group, and claims something wrong about every
    /// cell and count, to hear what the feedback gives away.
    pub fn ask(&mut self, query: &Json) -> Heard {
        match self.check(query) {
            Ok(checked) => {
                let (outcome, groups) = self.run(query, &checked);
                self.hear(outcome, groups)
            }
            Err(heard) => *heard,
        }
    }

    /// Runs a query of which nothing is told yet; [`World::hear`] tells of it.
    pub fn run_untold(&mut self, query: &Json) -> (Outcome, Vec<u32>) {
        let checked = self.check(query).ok().expect("a right query");
        self.run(query, &checked)
    }

    fn run(&mut self, query: &Json, checked: &Arc<CheckedQuery>) -> (Outcome, Vec<u32>) {
        let gate = Gate::new(&self.policy).with_guard(&self.guard);
        let id = format!("r{}", self.asked);
        let wanted = gate.asks_for_support(checked);
        let protected = wanted.clone().unwrap_or_default();
        let (mut outcome, mut support) =
            evaluate::run(checked, &rows(&self.people), &id, &protected);
        let groups = support.groups.clone();
        if let Some(engine) = &mut self.engine {
            let execution = engine.start(checked).expect("a start");
            let made = execution.finish().expect("a result");
            assert_same(query, &made, &outcome);
            outcome = Outcome::clone(&made);
            if wanted.is_some() {
                let behind = engine.support(&id, protected).expect("a start");
                let behind = behind.finish().expect("its support");
                assert_supported(query, &behind, &support);
                support = behind;
            }
        }
        if wanted.is_some() {
            self.guard.learn(&id, support);
        }
        (outcome, groups)
    }

    /// Asks the real engine a statement of SQL.
    pub fn ask_sql(&mut self, text: &str) -> Heard {
        let engine = self.engine.as_ref().expect("a world of the real engine");
        let checked = engine.check_sql(text, &Json::Null).expect("a statement");
        self.run_engine(&Arc::new(checked))
    }

    /// Asks the real engine alone, which knows more of the language than the evaluation by hand.
    pub fn ask_engine(&mut self, query: &Json) -> Heard {
        let checked = match self.check(query) {
            Ok(checked) => checked,
            Err(heard) => return *heard,
        };
        self.run_engine(&checked)
    }

    fn run_engine(&mut self, checked: &Arc<CheckedQuery>) -> Heard {
        let gate = Gate::new(&self.policy).with_guard(&self.guard);
        let wanted = gate.asks_for_support(checked);
        let engine = self.engine.as_mut().expect("a world of the real engine");
        let execution = engine.start(checked).expect("a start");
        let id = execution.id().expect("an id").to_owned();
        let made = match execution.finish() {
            Ok(made) => made,
            Err(error) => {
                let piece = gate.failure(checked, Some(&id), Locale::En);
                let tables = std::slice::from_ref(&self.schema);
                let piece = piece.unwrap_or_else(|| gate.error(&error, tables, Locale::En));
                let text = piece.as_str().to_owned();
                self.told.push(text.clone());
                return Heard { text, outcome: None, cells: Vec::new(), groups: Vec::new() };
            }
        };
        let mut groups = Vec::new();
        if let Some(protected) = wanted {
            let behind = engine.support(&id, protected).expect("a start");
            let behind = behind.finish().expect("its support");
            groups.clone_from(&behind.groups);
            self.guard.learn(&id, behind);
        }
        self.hear(Outcome::clone(&made), groups)
    }

    /// The query as the check has it, or what is heard of its problems.
    fn check(&mut self, query: &Json) -> Result<Arc<CheckedQuery>, Box<Heard>> {
        let tables = std::slice::from_ref(&self.schema);
        match check_json(query, tables) {
            Ok(checked) => {
                self.asked += 1;
                Ok(Arc::new(checked))
            }
            Err(problems) => {
                let gate = Gate::new(&self.policy).with_guard(&self.guard);
                let piece = gate.error(&Error::Input(problems), tables, Locale::En);
                let text = piece.as_str().to_owned();
                self.told.push(text.clone());
                let heard = Heard { text, outcome: None, cells: Vec::new(), groups: Vec::new() };
                Err(Box::new(heard))
            }
        }
    }

    /// What is told of a result.
    pub fn hear(&mut self, outcome: Outcome, groups: Vec<u32>) -> Heard {
        let gate = Gate::new(&self.policy).with_guard(&self.guard);
        let summary = summarise(&outcome, &Options { all_groups: true });
        let text = gate.summary(&outcome, &summary, Locale::En).as_str().to_owned();
        let mut told =
            vec![text.clone(), gate.summary(&outcome, &summary, Locale::Ru).as_str().to_owned()];
        told.push(gate.on_device(&outcome.query).as_str().to_owned());
        let mut cells = Vec::new();
        for column in &outcome.columns {
            let name = &column.column.name;
            for row in 0..outcome.rows.len() {
                let fact = Some((&outcome, Some(row), name.as_str()));
                let said = gate.feedback(
                    &[Finding { words: "1", fact, computed: None, condition: None }],
                    Locale::En,
                );
                if !said.provenance().results().is_empty() {
                    cells.push((row, name.clone()));
                }
                told.push(said.as_str().to_owned());
            }
            for stat in ["min", "max", "mean"] {
                let path = format!("stats.{name}.{stat}");
                let fact = Some((&outcome, None, path.as_str()));
                told.push(
                    gate.feedback(
                        &[Finding { words: "1", fact, computed: None, condition: None }],
                        Locale::En,
                    )
                    .as_str()
                    .to_owned(),
                );
            }
        }
        for count in ["rows", "rows_matched", "rows_scanned", "rows_before_limit"] {
            let fact = Some((&outcome, None, count));
            told.push(
                gate.feedback(
                    &[Finding { words: "1", fact, computed: None, condition: None }],
                    Locale::En,
                )
                .as_str()
                .to_owned(),
            );
        }
        let nothing = gate.feedback(
            &[Finding { words: "1", fact: None, computed: None, condition: None }],
            Locale::En,
        );
        told.push(nothing.as_str().to_owned());
        self.told.extend(told);
        Heard { text, outcome: Some(outcome), cells, groups }
    }
}

fn rows(people: &[Person]) -> Vec<HashMap<String, Value>> {
    let row = |(i, p): (usize, &Person)| {
        let cells = [
            ("id", Value::Int(i as i64)),
            ("city", Value::text(p.city)),
            ("dept", Value::text(p.dept)),
            ("salary", p.salary.map_or(Value::Null, Value::Int)),
            ("sick", p.sick.map_or(Value::Null, Value::Bool)),
            ("zqsecret", Value::text(&p.secret)),
        ];
        cells.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
    };
    people.iter().enumerate().map(row).collect()
}

/// The engine's result is that of the evaluation by hand.
fn assert_same(query: &Json, engine: &Outcome, expected: &Outcome) {
    let counts = |o: &Outcome| (o.rows.len(), o.rows_scanned, o.rows_matched, o.rows_before_limit);
    assert_eq!(counts(engine), counts(expected), "{query}");
    for row in 0..expected.rows.len() {
        for column in 0..expected.columns.len() {
            let (a, b) = (engine.value(row, column), expected.value(row, column));
            let near = match (a.as_f64(), b.as_f64()) {
                (Some(a), Some(b)) => (a - b).abs() <= 1e-9 * b.abs().max(1.0),
                _ => a == b,
            };
            assert!(near, "{query}: row {row}, column {column}: {a} is not {b}");
        }
    }
}

/// The engine names the same rows behind a result.
fn assert_supported(query: &Json, engine: &Support, expected: &Support) {
    assert_eq!(engine.groups, expected.groups, "{query}");
    assert_eq!(engine.missing, expected.missing, "{query}");
    for (measure, counts) in &engine.counted {
        let same = expected.counted.iter().find(|(name, _)| name == measure);
        assert_eq!(same.map(|(_, counts)| counts), Some(counts), "{query}: {measure}");
    }
    for (measure, counts) in &engine.shared {
        let same = expected.shared.iter().find(|(name, _)| name == measure);
        assert_eq!(same.map(|(_, counts)| counts), Some(counts), "{query}: {measure}");
    }
}

fn distinct<'a>(values: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut values: Vec<String> = values.map(str::to_owned).collect();
    values.sort();
    values.dedup();
    values
}
