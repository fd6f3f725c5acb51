//! The columns that a place can read, from as much of the query as is right.

use super::{Context, Field};
use crate::query::check::{CheckedQuery, Domain, OutputColumn, check};
use crate::query::parse;
use crate::query::raw::Query;
use crate::schema::{Column, Kind, TableSchema};
use std::sync::Arc;

/// A column in sight.
#[derive(Debug, Clone)]
pub(super) struct Seen {
    pub name: String,
    /// `None` where the expression that makes it is wrong.
    pub kind: Option<Kind>,
    pub unit: Option<String>,
    pub label: Option<String>,
    pub synonyms: Vec<String>,
    pub domain: Option<Domain>,
    /// The values of a text column that has few of them: data.
    pub values: Vec<String>,
}

impl Seen {
    fn of(column: &Column, domain: Option<Domain>) -> Self {
        Self {
            name: column.name.clone(),
            kind: Some(column.kind),
            unit: column.unit.clone(),
            label: column.label.clone(),
            synonyms: column.synonyms.clone(),
            domain,
            values: column.values.clone().unwrap_or_default(),
        }
    }

    fn unknown(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            kind: None,
            unit: None,
            label: None,
            synonyms: Vec::new(),
            domain: None,
            values: Vec::new(),
        }
    }

    fn output(column: &OutputColumn) -> Self {
        Self::of(&column.column, column.domain)
    }
}

/// The columns of the rows, and the group keys.
pub(super) struct Sights {
    /// What a step of rows reads; of `sort` and `columns`, the columns of the result.
    pub columns: Vec<Seen>,
    /// What `select` reads outside aggregates.
    pub keys: Vec<Seen>,
}

/// What the place can read.
pub(super) fn sights(context: &Context) -> Sights {
    let query = context.query;
    let Some(schema) = table(query, context.tables) else {
        return Sights { columns: Vec::new(), keys: Vec::new() };
    };
    let map = match context.field {
        Field::Map(number) => query.map.get(..number).unwrap_or(&query.map),
        _ => &query.map,
    };
    let (rows, right) = rows(schema, query, map);
    let grouped = !query.group_by.is_empty();
    let aggregated = grouped || !query.select.is_empty();
    let keys = if grouped && matches!(context.field, Field::Select) {
        let counted = Query { group_by: query.group_by.clone(), ..right.clone() };
        match checked(&counted, schema) {
            Some(done) => done.output().iter().take(done.keys().len()).map(Seen::output).collect(),
            None => query.group_by.iter().map(|key| named(key, &rows)).collect(),
        }
    } else {
        Vec::new()
    };
    let columns = if aggregated && matches!(context.field, Field::Sort | Field::Columns) {
        let whole = Query {
            group_by: query.group_by.clone(),
            select: query.select.clone(),
            written: query.written,
            ..right
        };
        match checked(&whole, schema) {
            Some(done) => done.output().iter().map(Seen::output).collect(),
            None => result(query, &rows),
        }
    } else {
        rows
    };
    Sights { columns, keys }
}

fn table<'a>(query: &Query, tables: &'a [Arc<TableSchema>]) -> Option<&'a Arc<TableSchema>> {
    match (&query.table, tables) {
        (None, [only]) => Some(only),
        (None, _) => None,
        (Some(name), tables) => tables.iter().find(|t| t.name == *name),
    }
}

fn checked(query: &Query, schema: &Arc<TableSchema>) -> Option<CheckedQuery> {
    check(query, std::slice::from_ref(schema)).ok()
}

/// The columns after `map`, and a query of as much of `from` and `map` as is right.
fn rows(schema: &Arc<TableSchema>, query: &Query, map: &[(String, String)]) -> (Vec<Seen>, Query) {
    let base = Query { table: Some(schema.name.clone()), ..Query::default() };
    let timed = Query { from: query.from.clone(), ..base.clone() };
    let mut right = if checked(&timed, schema).is_some() { timed } else { base };
    right.map = map.to_vec();
    let mut wrong: Vec<&str> = Vec::new();
    let mut done = checked(&right, schema);
    if done.is_none() {
        // one after the other, past those that are wrong
        right.map.clear();
        for pair in map.iter().take(crate::query::check::MAX_MAP) {
            right.map.push(pair.clone());
            if checked(&right, schema).is_none() {
                right.map.pop();
                wrong.push(&pair.0);
            }
        }
        done = checked(&right, schema);
    }
    let mut rows: Vec<Seen> = match done {
        Some(done) => done.output().iter().map(Seen::output).collect(),
        None => schema.columns.iter().map(|c| Seen::of(c, None)).collect(),
    };
    for name in wrong {
        if rows.iter().all(|c| c.name != name) {
            rows.push(Seen::unknown(name));
        }
    }
    (rows, right)
}

/// A group key by the name that it has in the result.
fn named(key: &str, rows: &[Seen]) -> Seen {
    let name = match parse(key) {
        _ if rows.iter().any(|c| c.name == key) => key.to_owned(),
        Ok(expr) => crate::query::check::default_name(&expr),
        Err(_) => key.to_owned(),
    };
    rows.iter().find(|c| c.name == name).cloned().unwrap_or_else(|| Seen::unknown(&name))
}

/// The columns of a result that is not right yet.
fn result(query: &Query, rows: &[Seen]) -> Vec<Seen> {
    let keys = query.group_by.iter().map(|key| named(key, rows));
    let measures = query.select.iter().flat_map(|member| {
        let pieces = crate::query::raw::split_top_level(&member.text);
        let names: Vec<String> = match &member.alias {
            Some(alias) => vec![alias.clone()],
            None => pieces
                .into_iter()
                .filter_map(|(_, piece)| parse(piece).ok())
                .map(|expr| crate::query::check::default_name(&expr))
                .collect(),
        };
        names.into_iter().map(|name| Seen::unknown(&name))
    });
    keys.chain(measures).collect()
}
