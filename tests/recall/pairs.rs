//! Reads the pairs of questions: tables, a question asked before, the same in other words, and near
//! ones that mean something else. See `docs/recall.md`.

use pinhole::schema::{Column, Kind, TableSchema};
use std::sync::Arc;

/// A near question that means something else, and in what.
#[derive(Debug)]
pub struct Near {
    pub kind: String,
    pub question: String,
}

/// A question asked before, with its pairs.
#[derive(Debug)]
pub struct Group {
    pub question: String,
    pub same: Vec<String>,
    pub near: Vec<Near>,
}

/// The tables of a file and the groups of questions about them.
#[derive(Debug, Default)]
pub struct Pairs {
    pub tables: Vec<Arc<TableSchema>>,
    pub groups: Vec<Group>,
}

/// In what a near question can differ.
const KINDS: [&str; 8] =
    ["number", "direction", "column", "negated", "period", "value", "role", "aggregate"];

/// Reads a file of pairs.
pub fn read(text: &str) -> Pairs {
    let mut pairs = Pairs::default();
    let mut tables: Vec<TableSchema> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if !line.is_empty() && !line.starts_with('#') {
            take(line, &mut pairs.groups, &mut tables)
                .unwrap_or_else(|| panic!("line {}: {line}", number + 1));
        }
    }
    pairs.tables = tables.into_iter().map(Arc::new).collect();
    pairs
}

fn take(line: &str, groups: &mut Vec<Group>, tables: &mut Vec<TableSchema>) -> Option<()> {
    if let Some(same) = line.strip_prefix("= ") {
        groups.last_mut()?.same.push(same.to_owned());
    } else if let Some(near) = line.strip_prefix("! ") {
        let (kind, question) = near.split_once(": ").filter(|(kind, _)| KINDS.contains(kind))?;
        let near = Near { kind: kind.to_owned(), question: question.to_owned() };
        groups.last_mut()?.near.push(near);
    } else if let Some(question) = line.strip_prefix("Q: ") {
        let question = question.to_owned();
        groups.push(Group { question, same: Vec::new(), near: Vec::new() });
    } else if let Some(name) = line.strip_prefix("table: ") {
        tables.push(TableSchema::new(name, Vec::new()));
    } else if let Some(list) = line.strip_prefix("synonyms: ") {
        tables.last_mut()?.synonyms = words(list, ',');
    } else {
        let column = column(line.strip_prefix("column: ")?)?;
        tables.last_mut()?.columns.push(column);
    }
    Some(())
}

fn words(list: &str, between: char) -> Vec<String> {
    list.split(between).map(|w| w.trim().to_owned()).collect()
}

fn column(text: &str) -> Option<Column> {
    let (head, synonyms) = match text.split_once(" synonyms=") {
        Some((head, list)) => (head, words(list, ',')),
        None => (text, Vec::new()),
    };
    let mut parts = head.split(' ');
    let name = parts.next()?;
    let kind = match parts.next()? {
        "integer" => Kind::Int,
        "number" => Kind::Float,
        "boolean" => Kind::Bool,
        "text" => Kind::Text,
        "date" => Kind::Date,
        "timestamp" => Kind::Timestamp,
        _ => return None,
    };
    let mut column = Column::new(name, kind);
    column.synonyms = synonyms;
    for part in parts {
        match part.split_once('=')? {
            ("values", list) => column.values = Some(words(list, '|')),
            ("unit", unit) => column.unit = Some(unit.to_owned()),
            _ => return None,
        }
    }
    Some(column)
}
