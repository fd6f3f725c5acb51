//! What may leave this page: the policy in force and what it is made of, what has left under the
//! rule of k, the protected cells, the ledger.

use crate::disclose::{
    By, Cells, Class, Flag, Guard, Ledger, Personal, Policy, Sample, Stricter, names_people, scan,
};
use crate::engine::{Engine, LoadedTable};
use crate::error::{Code, Diagnostic, Result, closest};
use crate::schema::TableSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Values of a column that the scanner looks at.
const SAMPLED: usize = 400;

/// What protects a page's tables.
pub(super) struct Protection {
    /// What the page asked for, as it wrote it: a class `open` opens what the scanner flagged.
    given: RefCell<Json>,
    /// What loads said of their tables.
    loads: RefCell<BTreeMap<String, Load>>,
    /// What all of it comes to.
    policy: RefCell<Policy>,
    guard: Rc<Guard>,
    /// The cells that are masked, by the hash of the policy that protects them.
    cells: RefCell<BTreeMap<String, Rc<Cells>>>,
    /// What the person wants to be sent though a protected cell says the same.
    confirmed: RefCell<Vec<String>>,
    /// The record of every request.
    pub(super) ledger: RefCell<Ledger>,
}

/// The protection of a page as it binds one conversation.
pub(super) struct Bound<'a> {
    protection: &'a Protection,
    stricter: Stricter,
}

impl<'a> Bound<'a> {
    pub(super) fn new(protection: &'a Protection, stricter: Stricter) -> Self {
        Self { protection, stricter }
    }

    /// It binds what is no conversation, too.
    pub(super) fn of_page(protection: &'a Protection) -> Self {
        Self::new(protection, Stricter::default())
    }

    /// What the conversation may be told beside the page's policy.
    pub(super) fn stricter(&self) -> &Stricter {
        &self.stricter
    }

    /// What holds for it now.
    pub(super) fn policy(&self) -> Policy {
        self.stricter.of(&self.protection.policy.borrow())
    }

    pub(super) fn guard(&self) -> &Rc<Guard> {
        &self.protection.guard
    }
}

/// What the load of a table said of its columns.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Load {
    /// The classes that the caller named: they hold whatever policy is set later.
    pub(super) classes: Json,
    /// What the scanner found.
    flags: Vec<Flag>,
}

impl Load {
    /// The same with these classes.
    pub(super) fn with(self, classes: Json) -> Self {
        Self { classes, ..self }
    }

    /// A load that named these classes.
    pub(super) fn with_classes(classes: Json) -> Self {
        Self { classes, flags: Vec::new() }
    }
}

impl Protection {
    /// The protection of a page that asked for the policy `given`. After an engine that died, what
    /// left under the rule of k is not known: then nothing more does.
    pub(super) fn new(given: Json, ledger: Ledger, restarted: bool) -> Result<Self> {
        let policy = if given.is_null() { Policy::default() } else { Policy::from_json(&given)? };
        let guard = if restarted { Guard::closed() } else { Guard::new() };
        Ok(Self {
            given: RefCell::new(given),
            loads: RefCell::default(),
            policy: RefCell::new(policy),
            guard: Rc::new(guard),
            cells: RefCell::default(),
            confirmed: RefCell::default(),
            ledger: RefCell::new(ledger),
        })
    }

    /// The policy in force.
    pub(super) fn policy(&self) -> Policy {
        self.policy.borrow().clone()
    }

    pub(super) fn guard(&self) -> &Rc<Guard> {
        &self.guard
    }

    /// What the load of a table said.
    pub(super) fn said(&self, table: &str) -> Load {
        self.loads.borrow().get(table).cloned().unwrap_or_default()
    }

    /// Looks at a table before it is taken in: the policy that will hold with it. Columns that were
    /// flagged before stay so. Nothing changes yet.
    pub(super) fn look(&self, table: &LoadedTable, said: Load) -> Result<Looked> {
        let schema = table.schema();
        known_columns(&said.classes, schema)?;
        let sample = table.sample(SAMPLED);
        let samples: Vec<Sample> = schema
            .columns
            .iter()
            .map(|column| Sample {
                name: &column.name,
                kind: column.kind,
                values: sample.iter().find(|(name, _)| *name == column.name).map_or(&[], |s| &s.1),
            })
            .collect();
        let mut flags = scan(&samples);
        let known = |flag: &Flag| flags.iter().any(|found| found.column == flag.column);
        let before: Vec<Flag> = said.flags.into_iter().filter(|flag| !known(flag)).collect();
        flags.extend(before);
        let load = Load { classes: said.classes, flags };
        let mut policy = self.base()?;
        for (name, load) in self.loads.borrow().iter().filter(|(name, _)| **name != schema.name) {
            policy = self.with(&policy, name, load)?;
        }
        let policy = self.with(&policy, &schema.name, &load)?;
        Ok(Looked { table: schema.name.clone(), load, policy })
    }

    /// The table is there. Where less of it is protected than of the one before it, what was found
    /// in that, results before number `next`, stays withheld.
    pub(super) fn take_in(&self, looked: Looked, next: u64, version: u64) {
        let Looked { table, load, policy } = looked;
        if policy.opens_of(&table, &self.policy.borrow()) {
            self.guard.opened(&table, next, version);
        }
        self.loads.borrow_mut().insert(table, load);
        self.set(policy);
    }

    /// Something about the tables changed: their cells are read anew.
    pub(super) fn tables_changed(&self) {
        self.cells.take();
    }

    /// Reads what a conversation asks for beyond the policy. One that is opened again asked for it
    /// before: since then the policy may have become stricter than that, and the tables others.
    pub(super) fn stricter(
        &self,
        given: &Json,
        again: bool,
        tables: &[Arc<TableSchema>],
    ) -> Result<Stricter> {
        if given.is_null() {
            return Ok(Stricter::default());
        }
        let stricter = Stricter::from_json(given)?;
        if !again {
            known_in_tables(given, tables)?;
            stricter.check(&self.policy.borrow())?;
        }
        Ok(stricter)
    }

    /// Another policy, as the page writes it.
    pub(super) fn replace(&self, given: Json, tables: &[Arc<TableSchema>]) -> Result<()> {
        let policy = Policy::from_json(&given)?;
        known_in_tables(&given, tables)?;
        let before = self.given.replace(given);
        let made = self
            .loads
            .borrow()
            .iter()
            .try_fold(policy, |p, (name, load)| self.with(&p, name, load));
        match made {
            Ok(policy) => self.set(policy),
            Err(error) => {
                self.given.replace(before);
                return Err(error);
            }
        }
        Ok(())
    }

    fn set(&self, policy: Policy) {
        self.policy.replace(policy);
        self.tables_changed();
    }

    fn base(&self) -> Result<Policy> {
        let given = self.given.borrow();
        Ok(if given.is_null() { Policy::default() } else { Policy::from_json(&given)? })
    }

    /// `policy` with what a load said.
    fn with(&self, policy: &Policy, table: &str, load: &Load) -> Result<Policy> {
        let given = self.given.borrow();
        let spoken = |flag: &&Flag| {
            let key = format!("{table}.{}", flag.column);
            given.pointer("/columns").and_then(|columns| columns.get(&key)).is_some()
                || load.classes.get(&flag.column).is_some()
        };
        let flags: Vec<Flag> = load.flags.iter().filter(|f| !spoken(f)).cloned().collect();
        let policy = policy.with_flags(table, &flags);
        let Some(classes) = load.classes.as_object() else { return Ok(policy) };
        let mut json = policy.to_json();
        if let Some(columns) = json.get_mut("columns").and_then(Json::as_object_mut) {
            for (name, class) in classes {
                columns.insert(format!("{table}.{name}"), class.clone());
            }
        }
        Ok(Policy::from_json(&json)?)
    }

    /// What the scanner found in a table, and the class of each column, for the page.
    pub(super) fn describe(&self, schema: &TableSchema) -> (Json, Json) {
        let loads = self.loads.borrow();
        let flags = loads.get(&schema.name).map(|load| load.flags.as_slice()).unwrap_or_default();
        let policy = self.policy.borrow();
        let classes: serde_json::Map<String, Json> = schema
            .columns
            .iter()
            .map(|c| (c.name.clone(), json!(policy.class(&schema.name, &c.name))))
            .collect();
        let flags: Vec<Json> = flags.iter().map(flag_json).collect();
        (json!(flags), Json::Object(classes))
    }

    /// The person wants this to be sent as it is.
    pub(super) fn confirm(&self, text: &str) {
        self.confirmed.borrow_mut().push(text.to_owned());
        // The cells are the same: they are not read anew.
        for cells in self.cells.borrow_mut().values_mut() {
            let mut confirmed = Cells::clone(cells);
            confirmed.confirm(text);
            *cells = Rc::new(confirmed);
        }
    }

    /// Whether the scanner found names of people in a column.
    fn holds_names(&self, table: &str, column: &str) -> bool {
        let loads = self.loads.borrow();
        let mut flags = loads.get(table).into_iter().flat_map(|load| &load.flags);
        flags.any(|flag| flag.column == column && flag.holds == Personal::Name)
    }

    /// The cells that are masked in what the person writes, under `policy`.
    pub(super) fn cells(&self, engine: &Engine, policy: &Policy) -> Rc<Cells> {
        if let Some(cells) = self.cells.borrow().get(policy.hash()) {
            return cells.clone();
        }
        let mut cells = Cells::new();
        for table in engine.tables() {
            cells.know(&table.name);
            for column in &table.columns {
                let name = &column.name;
                if policy.class(&table.name, name) == Class::Open {
                    let names = [Some(name), column.label.as_ref()];
                    names.into_iter().flatten().chain(&column.synonyms).for_each(|n| cells.know(n));
                    continue;
                }
                let of_people = names_people(name) || self.holds_names(&table.name, name);
                let mut insert = |cell: &str| {
                    if of_people {
                        cells.insert_name(cell);
                    } else {
                        cells.insert(cell);
                    }
                };
                engine.each_value(&table.name, name, &mut insert);
                // A word for a value says as much.
                column.other_words().for_each(|(word, _)| insert(word));
            }
        }
        for text in &*self.confirmed.borrow() {
            cells.confirm(text);
        }
        let cells = Rc::new(cells);
        self.cells.borrow_mut().insert(policy.hash().to_owned(), cells.clone());
        cells
    }
}

/// A finding as the page sees it.
fn flag_json(flag: &Flag) -> Json {
    let kind = match flag.holds {
        Personal::Name => json!("person_name"),
        other => json!(other),
    };
    let by = match flag.by {
        By::Header => "name",
        By::Content => "content",
    };
    json!({"column": flag.column, "kind": kind, "by": by, "percent": flag.percent})
}

/// What a table will be protected by.
pub(super) struct Looked {
    table: String,
    load: Load,
    policy: Policy,
}

/// Refuses a class for a column that the table does not have.
fn known_columns(classes: &Json, schema: &TableSchema) -> Result<()> {
    let named = classes.as_object().into_iter().flatten().map(|(name, _)| name);
    let wrong = named.filter(|name| schema.column(name).is_none()).map(|name| {
        let message = text!(
            "`classes` names `{name}`, which is no column of the table",
            "`classes` называет `{name}`, а такого столбца в таблице нет"
        );
        unknown(message, name, schema).at(format!("/classes/{}", pointer(name)))
    });
    let wrong: Vec<Diagnostic> = wrong.collect();
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}

/// Refuses a class for a column that a loaded table does not have. Tables may come later.
fn known_in_tables(given: &Json, tables: &[Arc<TableSchema>]) -> Result<()> {
    let named = given.get("columns").and_then(Json::as_object);
    let mut wrong = Vec::new();
    for key in named.into_iter().flatten().map(|(key, _)| key) {
        let Some((table, name)) = key.split_once('.') else { continue };
        let Some(schema) = tables.iter().find(|t| t.name == table) else { continue };
        if schema.column(name).is_none() {
            let message = text!(
                "the policy names `{key}`, but the table has no such column",
                "политика называет `{key}`, а в таблице нет такого столбца"
            );
            wrong.push(unknown(message, name, schema).at(format!("/columns/{}", pointer(key))));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}

fn unknown(message: crate::error::Text, name: &str, schema: &TableSchema) -> Diagnostic {
    let names = schema.columns.iter().map(|c| c.name.as_str());
    Diagnostic::new(Code::UnknownColumn, message).choices(closest(name, names, 8))
}

/// A name as a part of a JSON pointer.
fn pointer(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
