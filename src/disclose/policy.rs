//! The disclosure policy: data that says what a model may receive.

mod stricter;

pub use stricter::Stricter;

use super::sha256;
use crate::error::{Code, Diagnostic, closest};
use crate::schema::TableSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How much a model may receive, strictest first.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Names, kinds, row counts and time range of tables; nothing of any result.
    Schema,
    /// Plus aggregates over at least k rows.
    Aggregate,
    /// Plus summaries and the values of low-cardinality text columns.
    #[default]
    Summary,
    /// Plus the first rows.
    Preview,
}

/// How a column is protected.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Class {
    /// As the level says.
    #[default]
    Open,
    /// Its values leave only inside aggregates over at least k rows.
    Aggregate,
    /// Neither its name nor its values leave.
    Hidden,
}

impl Level {
    /// The name in policies.
    pub fn name(self) -> &'static str {
        match self {
            Self::Schema => "schema",
            Self::Aggregate => "aggregate",
            Self::Summary => "summary",
            Self::Preview => "preview",
        }
    }
}

impl Class {
    /// The name in policies.
    pub fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Aggregate => "aggregate",
            Self::Hidden => "hidden",
        }
    }
}

const LEVELS: [&str; 4] = ["schema", "aggregate", "summary", "preview"];
const CLASSES: [&str; 3] = ["open", "aggregate", "hidden"];
const FIELDS: [&str; 3] = ["level", "k", "columns"];

/// The default of `k`, the number of rows behind a disclosed aggregate.
const K: u64 = 5;

/// What a model may receive. It is data with a hash of its own: caches and the ledger name it by that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    level: Level,
    k: u64,
    /// By `table.column`; open columns are not in it.
    columns: BTreeMap<String, Class>,
    hash: String,
}

impl Default for Policy {
    fn default() -> Self {
        Self::build(Level::default(), K, BTreeMap::new())
    }
}

impl Policy {
    fn build(level: Level, k: u64, columns: BTreeMap<String, Class>) -> Self {
        let mut policy = Self { level, k, columns, hash: String::new() };
        policy.hash = sha256(policy.to_json().to_string().as_bytes());
        policy
    }

    /// Reads `{"level": "summary", "k": 5, "columns": {"people.email": "hidden"}}`; every field may
    /// be left out. All problems are reported at once.
    pub fn from_json(json: &Json) -> Result<Self, Vec<Diagnostic>> {
        let Json::Object(fields) = json else {
            return Err(vec![Diagnostic::new(
                Code::NotAnObject,
                crate::text!("a policy is an object", "политика — это объект"),
            )]);
        };
        let mut wrong = Vec::new();
        let (mut level, mut k, mut columns) = (Level::default(), K, BTreeMap::new());
        for (field, value) in fields {
            let at = format!("/{}", escape(field));
            match field.as_str() {
                "level" => match value.as_str().and_then(|_| Level::deserialize(value).ok()) {
                    Some(read) => level = read,
                    None => wrong.push(not_one_of("level", value, &LEVELS).at(at)),
                },
                "k" => match value.as_u64().filter(|&n| n >= 1) {
                    Some(n) => k = n,
                    None => wrong.push(
                        Diagnostic::new(
                            Code::WrongFieldType,
                            crate::text!("`k` is a whole number from 1", "`k` — целое число от 1"),
                        )
                        .at(at),
                    ),
                },
                "columns" => read_columns(value, &at, &mut columns, &mut wrong),
                _ => wrong.push(
                    Diagnostic::new(
                        Code::UnknownField,
                        crate::text!(
                            "unknown field `{field}` of a policy",
                            "неизвестное поле политики `{field}`"
                        ),
                    )
                    .at(at)
                    .choices(closest(field, FIELDS, FIELDS.len())),
                ),
            }
        }
        if wrong.is_empty() { Ok(Self::build(level, k, columns)) } else { Err(wrong) }
    }

    /// The same policy at another level.
    #[must_use]
    pub fn with_level(&self, level: Level) -> Self {
        Self::build(level, self.k, self.columns.clone())
    }

    /// The same policy with one more hidden column.
    #[must_use]
    pub fn hide(&self, table: &str, column: &str) -> Self {
        self.with_class(table, column, Class::Hidden)
    }

    /// The same policy with this class for a column.
    #[must_use]
    pub fn with_class(&self, table: &str, column: &str, class: Class) -> Self {
        let mut columns = self.columns.clone();
        let key = format!("{table}.{column}");
        match class {
            Class::Open => columns.remove(&key),
            Class::Aggregate | Class::Hidden => columns.insert(key, class),
        };
        Self::build(self.level, self.k, columns)
    }

    /// The same policy without a class for this column.
    #[must_use]
    pub fn open(&self, table: &str, column: &str) -> Self {
        self.with_class(table, column, Class::Open)
    }

    /// How much a model may receive.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The number of rows that must stand behind a protected aggregate.
    pub fn k(&self) -> u64 {
        self.k
    }

    /// The class of a column.
    pub fn class(&self, table: &str, column: &str) -> Class {
        self.columns.get(&format!("{table}.{column}")).copied().unwrap_or_default()
    }

    /// Whether some column of the table is less protected than under the policy `before`.
    pub fn opens_of(&self, table: &str, before: &Self) -> bool {
        before.columns.iter().any(|(key, class)| {
            let of_table = key.strip_prefix(table).is_some_and(|rest| rest.starts_with('.'));
            of_table && self.columns.get(key).copied().unwrap_or_default() < *class
        })
    }

    /// Whether any column is protected.
    pub fn protects_some(&self) -> bool {
        !self.columns.is_empty()
    }

    /// Whether a column is protected that none of these tables has: its cells are not known.
    pub fn protects_beside(&self, tables: &[Arc<TableSchema>]) -> bool {
        let of = |key: &str, table: &TableSchema| {
            let column = key.strip_prefix(&table.name).and_then(|rest| rest.strip_prefix('.'));
            column.is_some_and(|column| table.column(column).is_some())
        };
        self.columns.keys().any(|key| !tables.iter().any(|table| of(key, table)))
    }

    /// True where scripts that a model wrote may run: no column is protected, and results are told.
    pub fn lets_scripts_run(&self) -> bool {
        self.level >= Level::Summary && !self.protects_some()
    }

    /// True for a column whose values do not leave, at least not outside aggregates.
    pub fn protects(&self, table: &str, column: &str) -> bool {
        self.class(table, column) != Class::Open
    }

    /// True for a column whose name does not leave.
    pub fn hides(&self, table: &str, column: &str) -> bool {
        self.class(table, column) == Class::Hidden
    }

    /// The names that do not leave, whichever table they are of; a table need not be loaded.
    pub(super) fn hidden_names(&self) -> impl Iterator<Item = &str> {
        self.columns
            .iter()
            .filter(|(_, class)| **class == Class::Hidden)
            .filter_map(|(key, _)| key.split_once('.').map(|(_, column)| column))
    }

    /// The policy as data, columns sorted by name.
    pub fn to_json(&self) -> Json {
        serde_json::json!({"level": self.level, "k": self.k, "columns": self.columns})
    }

    /// SHA-256 of [`Self::to_json`], in hexadecimal: the same for the same rules.
    pub fn hash(&self) -> &str {
        &self.hash
    }
}

fn read_columns(
    value: &Json,
    at: &str,
    columns: &mut BTreeMap<String, Class>,
    wrong: &mut Vec<Diagnostic>,
) {
    let Json::Object(given) = value else {
        wrong.push(
            Diagnostic::new(
                Code::WrongFieldType,
                crate::text!(
                    "`columns` is an object from `table.column` to a class",
                    "`columns` — объект, где `таблица.столбец` отвечает класс"
                ),
            )
            .at(at),
        );
        return;
    };
    for (name, class) in given {
        let at = format!("{at}/{}", escape(name));
        if !name
            .split_once('.')
            .is_some_and(|(table, column)| !table.is_empty() && !column.is_empty())
        {
            let message = crate::text!(
                "`{name}` names no column: write `table.column`",
                "`{name}` не называет столбец: пишется `таблица.столбец`"
            );
            wrong.push(Diagnostic::new(Code::UnknownPolicy, message).at(&at));
            continue;
        }
        match class.as_str().and_then(|_| Class::deserialize(class).ok()) {
            Some(Class::Open) => {}
            Some(class) => {
                columns.insert(name.clone(), class);
            }
            None => wrong.push(not_one_of("class", class, &CLASSES).at(at)),
        }
    }
}

fn not_one_of(what: &str, value: &Json, valid: &[&'static str]) -> Diagnostic {
    let message = crate::text!("unknown {what} {value}", "неизвестное значение {value} (`{what}`)");
    let written = value.as_str().unwrap_or_default();
    Diagnostic::new(Code::UnknownPolicy, message).choices(closest(
        written,
        valid.iter().copied(),
        valid.len(),
    ))
}

/// A member name as a part of a JSON pointer.
fn escape(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}
