//! What scripts ask of the tables, and the rows that they give.

use super::derive::Unkept;
use super::ingest::{Loader, Options};
use super::results::Kept;
use super::rows::ArrowRows;
use super::sql::Reads;
use super::{Engine, Execution};
use crate::error::{Code, Diagnostic, Error, Result};
use crate::facts::Outcome;
use crate::query::{CheckedQuery, check_json};
use crate::schema::TableSchema;
use datafusion::execution::memory_pool::MemoryConsumer;
use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::json;
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// Columns and cells that a script may give: a table holds every column of every row, however few of
/// them a row has.
const MOST_COLUMNS: usize = 500;
const MOST_CELLS: usize = 2_000_000;

/// What is known of a script that a model wrote: what its result depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scripted {
    /// The script.
    pub text: String,
    /// Every column that it has read.
    pub reads: Reads,
    /// One of the tables that it has read has rows of several series.
    pub series: bool,
}

impl Engine {
    /// Starts a query or a statement that a script asks. Its result is for the script alone: no id
    /// stands for it, so that later ids do not tell how much a script asked, and it lets no other
    /// result go.
    ///
    /// # Errors
    /// Those of [`Engine::start`].
    pub fn start_for_script(&mut self, query: &Arc<CheckedQuery>) -> Result<Execution<Unkept>> {
        self.run(query.clone(), "asked".to_owned(), |_, kept| Unkept::new(kept))
    }

    /// Starts reading the rows that a script gave: a list of objects in JSON; nothing where it gave
    /// no row.
    ///
    /// # Errors
    /// They are no such list, or more than a table of them may hold; memory limit.
    pub fn start_rows(&mut self, rows: &[u8]) -> Result<Execution<Unkept>> {
        let name = self.free_name("script");
        if rows.is_empty() {
            let none = self.no_rows(&name)?;
            return Ok(Execution::ready(self.shared.clone(), none));
        }
        Size::of(rows)?;
        let how = Options::from_json(&json!({"format": "json", "time": false}))?;
        let mut loader = Loader::new(&name, how)?.within(self.room());
        loader.push(rows)?;
        let loaded = loader.finish()?;
        // There for no one else: nothing waits between these calls.
        self.insert(loaded.table.computed())?;
        let checked = check_json(&json!({ "table": name }), &self.tables());
        let execution = match checked {
            Ok(checked) => self.start_for_script(&Arc::new(checked)),
            Err(problems) => Err(problems.into()),
        };
        self.drop_table(&name);
        execution
    }

    /// Keeps what a script gave under an id. Without a word on what it has read, nothing of it is
    /// ever told.
    pub fn keep_script(
        &mut self,
        rows: Unkept,
        id: String,
        scripted: Option<Scripted>,
    ) -> Arc<Outcome> {
        let Kept { outcome, rows, reservation } = rows.into_kept();
        let mut outcome = Arc::unwrap_or_clone(outcome);
        outcome.id = id;
        if let Some(Scripted { text, reads, series }) = scripted {
            let query = CheckedQuery::clone(&outcome.query).of_script(&text, reads, series);
            outcome.columns = query.output().to_vec();
            outcome.query = Arc::new(query);
        }
        let outcome = Arc::new(outcome);
        let kept = Kept { outcome: outcome.clone(), rows, reservation };
        self.shared.results.borrow_mut().keep(kept);
        outcome
    }

    fn no_rows(&self, name: &str) -> Result<Unkept> {
        let schema = TableSchema { computed: true, ..TableSchema::new(name, Vec::new()) };
        let query = check_json(&json!({ "table": name }), &[Arc::new(schema)])?;
        let rows = Arc::new(ArrowRows::new(Vec::new(), Vec::new()));
        let outcome = Outcome {
            id: String::new(),
            columns: query.output().to_vec(),
            query: Arc::new(query),
            rows: rows.clone(),
            rows_scanned: 0,
            rows_matched: 0,
            rows_before_limit: None,
            warnings: Vec::new(),
        };
        let reservation = MemoryConsumer::new("result").register(&self.shared.pool);
        Ok(Unkept::new(Kept { outcome: Arc::new(outcome), rows, reservation }))
    }

    /// A name that no table has.
    fn free_name(&self, wanted: &str) -> String {
        let tables = self.tables();
        let taken = |name: &str| tables.iter().any(|t| t.name == name);
        let mut name = wanted.to_owned();
        for number in 2.. {
            if !taken(&name) {
                break;
            }
            name = format!("{wanted} {number}");
        }
        name
    }
}

/// How large the table of a list of objects is, counted before any of it is made.
#[derive(Default)]
struct Size {
    rows: usize,
    columns: HashSet<String>,
}

impl Size {
    /// Refuses rows that are too many.
    fn of(rows: &[u8]) -> Result<()> {
        let mut size = Self::default();
        let read = serde_json::Deserializer::from_slice(rows).deserialize_seq(&mut size);
        if size.is_over() {
            let message = text!(
                "the script returned more than {MOST_COLUMNS} columns or {MOST_CELLS} cells",
                "скрипт вернул больше {MOST_COLUMNS} столбцов или {MOST_CELLS} ячеек"
            );
            return Err(Diagnostic::new(Code::ScriptTooLarge, message).into());
        }
        read.map_err(|_| Error::Internal("a script gave no list of objects".into()))
    }

    fn is_over(&self) -> bool {
        let cells = self.rows.saturating_mul(self.columns.len().max(1));
        self.columns.len() > MOST_COLUMNS || cells > MOST_CELLS
    }
}

impl<'de> Visitor<'de> for &mut Size {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of objects")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<(), A::Error> {
        while list.next_element_seed(Row(self))?.is_some() {
            self.rows += 1;
            if self.is_over() {
                return Err(A::Error::custom("too many"));
            }
        }
        Ok(())
    }
}

/// An object of the list: its names are counted, its values passed over.
struct Row<'a>(&'a mut Size);

impl<'de> DeserializeSeed<'de> for Row<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, object: D) -> std::result::Result<(), D::Error> {
        object.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Row<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> std::result::Result<(), A::Error> {
        while let Some(name) = object.next_key()? {
            self.0.columns.insert(name);
            object.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}
