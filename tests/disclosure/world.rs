//! A table with protected columns, and everything that a model hears of its queries.

use super::evaluate;
use pinhole::disclose::{Finding, Gate, Guard, Policy};
use pinhole::error::{Error, Locale};
use pinhole::facts::Outcome;
use pinhole::query::check_json;
use pinhole::schema::{Column, Kind, TableSchema};
use pinhole::summary::{Options, summarise};
use pinhole::value::Value;
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
    guard: Guard,
    asked: usize,
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
    pub fn new(people: Vec<Person>, policy: &Json) -> Self {
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
        Self {
            people,
            policy: Policy::from_json(policy).expect("a policy"),
            schema: Arc::new(schema),
            guard: Guard::new(),
            asked: 0,
            told: Vec::new(),
        }
    }

    fn rows(&self) -> Vec<HashMap<String, Value>> {
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
        self.people.iter().enumerate().map(row).collect()
    }

    /// The gate's words on the schema.
    pub fn schema(&mut self) -> String {
        let gate = Gate::new(&self.policy).with_guard(&self.guard);
        let text = gate.schema(std::slice::from_ref(&self.schema), Locale::En).as_str().to_owned();
        self.told.push(text.clone());
        text
    }

    /// Asks a query, hears its summary with every group, and claims something wrong about every
    /// cell and count, to hear what the feedback gives away.
    pub fn ask(&mut self, query: &Json) -> Heard {
        let gate = Gate::new(&self.policy).with_guard(&self.guard);
        let tables = std::slice::from_ref(&self.schema);
        let checked = match check_json(query, tables) {
            Ok(checked) => Arc::new(checked),
            Err(problems) => {
                let piece = gate.error(&Error::Input(problems), tables, Locale::En);
                let text = piece.as_str().to_owned();
                self.told.push(text.clone());
                return Heard { text, outcome: None, cells: Vec::new(), groups: Vec::new() };
            }
        };
        self.asked += 1;
        let id = format!("r{}", self.asked);
        let wanted = gate.asks_for_support(&checked);
        let (outcome, support) =
            evaluate::run(&checked, &self.rows(), &id, &wanted.clone().unwrap_or_default());
        let groups = support.groups.clone();
        if wanted.is_some() {
            self.guard.learn(&id, support);
        }
        let summary = summarise(&outcome, &Options { all_groups: true });
        let text = gate.summary(&outcome, &summary, Locale::En).as_str().to_owned();
        let mut told =
            vec![text.clone(), gate.summary(&outcome, &summary, Locale::Ru).as_str().to_owned()];
        told.push(gate.on_device(&checked).as_str().to_owned());
        let mut cells = Vec::new();
        for column in &outcome.columns {
            let name = &column.column.name;
            for row in 0..outcome.rows.len() {
                let fact = Some((&outcome, Some(row), name.as_str()));
                let said = gate.feedback(&[Finding { words: "1", fact }], Locale::En);
                if !said.provenance().results().is_empty() {
                    cells.push((row, name.clone()));
                }
                told.push(said.as_str().to_owned());
            }
            for stat in ["min", "max", "mean"] {
                let path = format!("stats.{name}.{stat}");
                let fact = Some((&outcome, None, path.as_str()));
                told.push(
                    gate.feedback(&[Finding { words: "1", fact }], Locale::En).as_str().to_owned(),
                );
            }
        }
        for count in ["rows", "rows_matched", "rows_scanned", "rows_before_limit"] {
            let fact = Some((&outcome, None, count));
            told.push(
                gate.feedback(&[Finding { words: "1", fact }], Locale::En).as_str().to_owned(),
            );
        }
        let nothing = gate.feedback(&[Finding { words: "1", fact: None }], Locale::En);
        told.push(nothing.as_str().to_owned());
        self.told.extend(told);
        Heard { text, outcome: Some(outcome), cells, groups }
    }
}

fn distinct<'a>(values: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut values: Vec<String> = values.map(str::to_owned).collect();
    values.sort();
    values.dedup();
    values
}
