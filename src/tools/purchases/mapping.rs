//! Which loaded tables and columns hold the purchases: by their default names, or as configured.

use crate::engine::Reads;
use crate::error::{Code, Diagnostic, closest};
use crate::schema::{Column, Kind, TableSchema};
use crate::value::Value;
use chrono::NaiveDate;
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What purchases are read with.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Other names of tables and columns, by the default name of the table.
    pub tables: BTreeMap<String, Naming>,
    /// The day that counts as today, like 2024-12-31; without it, the date of the latest receipt.
    #[serde(deserialize_with = "day")]
    pub reference_date: Option<NaiveDate>,
}

fn day<'de, D: Deserializer<'de>>(given: D) -> Result<Option<NaiveDate>, D::Error> {
    let written: Option<String> = Option::deserialize(given)?;
    let read = |text: String| {
        let day = super::arguments::day(Some(&text));
        day.ok_or_else(|| serde::de::Error::custom("no date"))
    };
    written.map(read).transpose()
}

/// What a table and its columns are called.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Naming {
    /// The table.
    pub table: Option<String>,
    /// Its columns, by their default names.
    pub columns: BTreeMap<String, String>,
}

/// What may stand in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Holds {
    Anything,
    Numbers,
    Dates,
}

impl Holds {
    fn allows(self, kind: Kind) -> bool {
        match self {
            Self::Anything => !matches!(kind, Kind::List(_)),
            Self::Numbers => kind.is_numeric(),
            Self::Dates => kind.is_time(),
        }
    }

    /// The type of a column that is not there.
    fn sql(self) -> &'static str {
        match self {
            Self::Anything => "VARCHAR",
            Self::Numbers => "DOUBLE",
            Self::Dates => "DATE",
        }
    }
}

struct Wanted {
    name: &'static str,
    /// What statements call it.
    alias: &'static str,
    /// Name, content, and whether it may be missing.
    columns: &'static [(&'static str, Holds, bool)],
}

use Holds::{Anything, Dates, Numbers};

const TABLES: [Wanted; 6] = [
    Wanted {
        name: "receipts",
        alias: "r",
        columns: &[
            ("id", Anything, false),
            ("receipt_date", Dates, false),
            ("shop", Anything, true),
            ("total", Numbers, true),
        ],
    },
    Wanted {
        name: "receipt_items",
        alias: "l",
        columns: &[
            ("receipt_id", Anything, false),
            ("item_id", Anything, false),
            ("quantity", Numbers, false),
            ("amount", Numbers, false),
            ("price", Numbers, true),
        ],
    },
    Wanted {
        name: "items",
        alias: "i",
        columns: &[
            ("id", Anything, false),
            ("name", Anything, false),
            ("product_id", Anything, false),
            ("unit_of_measure", Anything, true),
            ("shop", Anything, true),
        ],
    },
    Wanted {
        name: "products",
        alias: "p",
        columns: &[
            ("id", Anything, false),
            ("name", Anything, false),
            ("parent_id", Anything, false),
        ],
    },
    Wanted {
        name: "labels",
        alias: "b",
        columns: &[("id", Anything, false), ("name", Anything, false)],
    },
    Wanted {
        name: "item_labels",
        alias: "t",
        columns: &[("item_id", Anything, false), ("label_id", Anything, false)],
    },
];

/// The tables of every tool but those of labels.
pub(super) const PURCHASES: [&str; 4] = ["receipts", "receipt_items", "items", "products"];

/// The tables of labels and what they are on.
pub(super) const LABELS: [&str; 4] = ["labels", "item_labels", "items", "products"];

impl Settings {
    /// Everything in it that names no table or column of a purchase.
    pub fn problems(&self) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        for (table, naming) in &self.tables {
            let Some(wanted) = TABLES.iter().find(|w| w.name == table) else {
                let message = text!(
                    "there is no table `{table}` in purchases",
                    "в покупках нет таблицы `{table}`"
                );
                let names = TABLES.iter().map(|w| w.name);
                out.push(
                    Diagnostic::new(Code::BadOption, message)
                        .at(format!("/tables/{table}"))
                        .choices(closest(table, names, TABLES.len())),
                );
                continue;
            };
            let names = || wanted.columns.iter().map(|(name, ..)| *name);
            for column in naming.columns.keys().filter(|c| !names().any(|n| n == *c)) {
                let message = text!(
                    "no tool reads a column `{column}` of `{table}`",
                    "ни один инструмент не читает столбец `{column}` из `{table}`"
                );
                out.push(
                    Diagnostic::new(Code::BadOption, message)
                        .at(format!("/tables/{table}/columns/{column}"))
                        .choices(closest(column, names(), wanted.columns.len())),
                );
            }
        }
        out
    }

    /// Changes with anything of it: what calls come to goes by it.
    pub fn fingerprint(&self) -> String {
        use sha2::{Digest, Sha256};
        let hash = Sha256::digest(format!("{self:?}"));
        hash.iter().take(8).fold(String::new(), |hex, b| hex + &format!("{b:02x}"))
    }

    fn table<'a>(&'a self, wanted: &'a Wanted) -> &'a str {
        let naming = self.tables.get(wanted.name);
        naming.and_then(|n| n.table.as_deref()).unwrap_or(wanted.name)
    }

    fn column<'a>(&'a self, wanted: &Wanted, column: &'a str) -> &'a str {
        let naming = self.tables.get(wanted.name);
        naming.and_then(|n| n.columns.get(column)).map_or(column, String::as_str)
    }
}

/// The tables of purchases that are loaded.
#[derive(Debug, Clone)]
pub(super) struct Names {
    settings: Settings,
    tables: Vec<(&'static str, Arc<TableSchema>)>,
    /// The columns that statements may name, like `r.shop`.
    readable: &'static [&'static str],
}

impl Names {
    /// The names of what a tool needs, or everything that is missing.
    pub(super) fn of(
        settings: &Settings,
        tables: &[Arc<TableSchema>],
        needs: &[&str],
    ) -> Result<Self, Vec<Diagnostic>> {
        let mut problems = Vec::new();
        let mut found = Vec::new();
        for wanted in &TABLES {
            let name = settings.table(wanted);
            let needed = needs.contains(&wanted.name);
            let Some(schema) = tables.iter().find(|t| t.name == name) else {
                if needed {
                    problems.push(missing_table(settings, wanted, tables));
                }
                continue;
            };
            let wrong = wrong_columns(settings, wanted, schema);
            if wrong.is_empty() {
                found.push((wanted.name, schema.clone()));
            } else if needed {
                problems.extend(wrong);
            }
        }
        if problems.is_empty() {
            Ok(Self { settings: settings.clone(), tables: found, readable: &[] })
        } else {
            Err(problems)
        }
    }

    /// The same for statements that may read these columns alone.
    pub(super) fn reading(self, readable: &'static [&'static str]) -> Self {
        Self { readable, ..self }
    }

    /// The columns of the person's tables that statements may read.
    pub(super) fn reads(&self) -> Reads {
        let own = self.readable.iter().filter_map(|column| {
            let (alias, name) = column.split_once('.')?;
            let wanted = TABLES.iter().find(|w| w.alias == alias)?;
            let known = self.known(wanted.name, name)?;
            Some((self.title(wanted.name), known.name.clone()))
        });
        own.collect()
    }

    /// How many rows the tables have that statements may read.
    pub(super) fn rows(&self) -> u64 {
        self.read().map(|(_, schema)| schema.rows).sum()
    }

    /// The tables that statements may read.
    fn read(&self) -> impl Iterator<Item = &(&'static str, Arc<TableSchema>)> {
        let read = |name: &str| {
            let wanted = TABLES.iter().find(|w| w.name == name);
            wanted.is_some_and(|w| {
                let alias = |column: &str| column.split('.').next() == Some(w.alias);
                self.readable.iter().any(|column| alias(column))
            })
        };
        self.tables.iter().filter(move |(name, _)| read(name))
    }

    /// Whether those are among the loaded ones, none of them loaded again since.
    pub(super) fn stand(&self, tables: &[Arc<TableSchema>]) -> bool {
        self.read().all(|(_, own)| tables.iter().any(|table| Arc::ptr_eq(table, own)))
    }

    /// The same over the tables as they are by now, or everything that is missing.
    pub(super) fn again(&self, tables: &[Arc<TableSchema>]) -> Result<Self, Vec<Diagnostic>> {
        let needs: Vec<&str> = self.read().map(|(name, _)| *name).collect();
        Self::of(&self.settings, tables, &needs).map(|names| names.reading(self.readable))
    }

    /// The table of receipts.
    pub(super) fn receipts(&self) -> Option<&TableSchema> {
        self.tables.iter().find(|(name, _)| *name == "receipts").map(|(_, schema)| &**schema)
    }

    /// The date of the latest receipt, where the table is in the order of its dates.
    pub(super) fn latest(&self) -> Option<NaiveDate> {
        let schema = self.receipts()?;
        let column = self.known("receipts", "receipt_date")?;
        let (_, last) = schema.dates().filter(|_| schema.time.as_ref() == Some(&column.name))?;
        Value::Date(last).date()
    }

    /// The names of the categories, where they are known.
    pub(super) fn categories(&self) -> Option<Vec<String>> {
        self.known("products", "name")?.values.clone()
    }

    /// Whether all these tables are there.
    pub(super) fn has(&self, needs: &[&str]) -> bool {
        needs.iter().all(|name| self.tables.iter().any(|(found, _)| found == name))
    }

    /// What a table of the person is called.
    pub(super) fn title(&self, table: &str) -> String {
        let wanted = TABLES.iter().find(|w| w.name == table);
        wanted.map_or(table, |wanted| self.settings.table(wanted)).to_owned()
    }

    /// What is known of a column.
    pub(super) fn known(&self, table: &str, column: &str) -> Option<&Column> {
        let wanted = TABLES.iter().find(|w| w.name == table)?;
        let (_, schema) = self.tables.iter().find(|(name, _)| *name == table)?;
        let known = schema.column(self.settings.column(wanted, column))?;
        let declared = wanted.columns.iter().find(|(name, ..)| *name == column);
        let absent = declared.is_some_and(|(_, holds, optional)| {
            *optional && !holds.allows(known.kind) && without_values(known, schema)
        });
        (!absent).then_some(known)
    }

    /// Whether a column is there that statements may read.
    pub(super) fn reads_column(&self, table: &str, column: &str) -> bool {
        let alias = TABLES.iter().find(|w| w.name == table).map(|w| w.alias);
        let name = alias.map(|alias| format!("{alias}.{column}"));
        name.is_some_and(|name| self.readable.contains(&name.as_str()))
            && self.known(table, column).is_some()
    }

    /// Whether ids of two columns are the same where they are equal as they are stored.
    pub(super) fn alike(&self, a: &str, b: &str) -> bool {
        self.kind(a) == self.kind(b)
    }

    /// A condition that what stands under the name `called`, of the kind of `column`, is one of the
    /// ids given for `$name`, and those ids in the form in which they are compared.
    pub(super) fn one_of(
        &self,
        column: &str,
        (called, name): (&str, &str),
        ids: Vec<String>,
    ) -> (String, Json) {
        let kind = self.kind(column);
        match kind {
            // As they are stored: a whole number has one way of being written.
            Some(Kind::Int) => {
                let whole = |id: &String| id.parse().ok().filter(|n: &i64| n.to_string() == *id);
                let ids = ids.iter().filter_map(whole).collect::<Vec<i64>>();
                (format!("{called} IN (${name})"), ids.into())
            }
            Some(Kind::Text) => (format!("{called} IN (${name})"), ids.into()),
            _ => (format!("{} IN (${name})", id_text(called, kind)), ids.into()),
        }
    }

    /// A statement with the names of this person's tables: `{receipts}` a table, `{r.shop}` a
    /// column, `{fold r.shop}` its text without case, `{date …}`, `{num …}` and `{text …}` it as
    /// that type, `{id …}` an id as text, `{same l.item_id i.id}` whether two ids are the same (a third word is
    /// what the first is called there).
    pub(super) fn fill(&self, template: &str) -> String {
        let mut out = String::with_capacity(template.len() * 2);
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            out.push_str(before);
            let (place, after) = after.split_once('}').unwrap_or((after, ""));
            out.push_str(&self.place(place));
            rest = after;
        }
        out.push_str(rest);
        out
    }

    fn place(&self, place: &str) -> String {
        let words: Vec<&str> = place.split(' ').collect();
        match words.as_slice() {
            ["fold", column] => {
                format!("replace(lower({}), 'ё', 'е')", self.cast(column, "VARCHAR"))
            }
            ["date", column] => self.cast(column, "DATE"),
            ["num", column] => self.cast(column, "DOUBLE"),
            ["text", column] => self.cast(column, "VARCHAR"),
            ["id", column] => id_text(&self.sql(column), self.kind(column)),
            ["same", a, b] => self.same(a, b, &self.sql(a)),
            ["same", a, b, called] => self.same(a, b, called),
            [column] if column.contains('.') => self.sql(column),
            [table] => quoted(&self.title(table)),
            _ => String::new(),
        }
    }

    fn cast(&self, column: &str, of: &str) -> String {
        format!("CAST({} AS {of})", self.sql(column))
    }

    /// Ids are compared as they are where both are of one kind or numbers, else as text.
    fn same(&self, a: &str, b: &str, called: &str) -> String {
        let (of_a, of_b) = (self.kind(a), self.kind(b));
        let numbers = [of_a, of_b].iter().all(|kind| kind.is_some_and(Kind::is_numeric));
        if of_a == of_b || numbers {
            format!("{called} = {}", self.sql(b))
        } else {
            format!("{} = {}", id_text(called, of_a), id_text(&self.sql(b), of_b))
        }
    }

    fn kind(&self, column: &str) -> Option<Kind> {
        let (alias, name) = column.split_once('.')?;
        let wanted = TABLES.iter().find(|w| w.alias == alias)?;
        self.known(wanted.name, name).map(|c| c.kind)
    }

    fn sql(&self, column: &str) -> String {
        let Some((alias, name)) = column.split_once('.') else { return quoted(column) };
        if !self.readable.contains(&column) {
            // What is told of a call is decided by what it has declared: a statement that names
            // more does not run.
            return format!("undeclared.{}", quoted(name));
        }
        let wanted = TABLES.iter().find(|w| w.alias == alias);
        let known = wanted.and_then(|w| self.known(w.name, name));
        if let Some(known) = known {
            return format!("{alias}.{}", quoted(&known.name));
        }
        let columns = wanted.map(|w| w.columns).unwrap_or_default();
        let holds = columns.iter().find(|(n, ..)| *n == name).map_or(Anything, |(_, h, _)| *h);
        format!("CAST(NULL AS {})", holds.sql())
    }
}

/// An id as text, the same as [`super::key`]: a whole number is written without a point however it
/// is stored, since a missing id among whole numbers makes many tools store them all as doubles.
fn id_text(sql: &str, kind: Option<Kind>) -> String {
    let text = format!("CAST({sql} AS VARCHAR)");
    if kind != Some(Kind::Float) {
        return text;
    }
    let whole = format!("CAST({sql} AS BIGINT)");
    let most = super::MOST_WHOLE;
    format!(
        "CASE WHEN {sql} > -{most:.1} AND {sql} < {most:.1} THEN \
         CASE WHEN CAST({whole} AS DOUBLE) = {sql} THEN CAST({whole} AS VARCHAR) ELSE {text} END \
         ELSE {text} END"
    )
}

/// A column of missing values alone has no type: it is loaded as text.
fn without_values(column: &Column, schema: &TableSchema) -> bool {
    column.nulls == Some(schema.rows)
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

fn missing_table(settings: &Settings, wanted: &Wanted, tables: &[Arc<TableSchema>]) -> Diagnostic {
    let name = settings.table(wanted);
    let needed = wanted.columns.iter().filter(|(_, _, optional)| !optional);
    let columns: Vec<&str> = needed.map(|(column, ..)| settings.column(wanted, column)).collect();
    let columns = columns.join(", ");
    let message = text!(
        "this tool needs a table `{name}` with the columns {columns}",
        "инструменту нужна таблица `{name}` со столбцами {columns}"
    );
    let names = tables.iter().map(|t| t.name.as_str());
    Diagnostic::new(Code::UnknownTable, message).choices(closest(name, names, 5))
}

fn wrong_columns(settings: &Settings, wanted: &Wanted, schema: &TableSchema) -> Vec<Diagnostic> {
    let table = &schema.name;
    let mut out = Vec::new();
    for (column, holds, optional) in wanted.columns {
        let name = settings.column(wanted, column);
        match schema.column(name) {
            None if *optional && name == *column => {}
            None => {
                let names = schema.columns.iter().map(|c| c.name.as_str());
                let message = text!(
                    "this tool needs a column `{name}` in table `{table}`",
                    "инструменту нужен столбец `{name}` в таблице `{table}`"
                );
                out.push(
                    Diagnostic::new(Code::UnknownColumn, message).choices(closest(name, names, 5)),
                );
            }
            Some(found) if *optional && without_values(found, schema) => {}
            Some(found) if !holds.allows(found.kind) => {
                let message = match holds {
                    Dates => text!(
                        "column `{name}` of table `{table}` must hold dates",
                        "в столбце `{name}` таблицы `{table}` должны быть даты"
                    ),
                    _ => text!(
                        "column `{name}` of table `{table}` must hold numbers",
                        "в столбце `{name}` таблицы `{table}` должны быть числа"
                    ),
                };
                out.push(Diagnostic::new(Code::TypeMismatch, message));
            }
            Some(_) => {}
        }
    }
    out
}
