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

/// The query up to the step of the place, and how another form of that step is checked.
struct Before<'a> {
    schema: &'a Arc<TableSchema>,
    /// The steps before, none for the first.
    earlier: Option<Query>,
}

impl Before<'_> {
    fn check(&self, step: &Query) -> Option<CheckedQuery> {
        let whole = match &self.earlier {
            None => Query { table: Some(self.schema.name.clone()), ..step.clone() },
            Some(earlier) => {
                let mut whole = earlier.clone();
                whole.steps.push(later(step));
                whole
            }
        };
        check(&whole, std::slice::from_ref(self.schema)).ok()
    }
}

/// The step without what stands in the first one alone.
fn later(step: &Query) -> Query {
    Query {
        table: None,
        session: None,
        period: None,
        from: None,
        lookback: None,
        steps: Vec::new(),
        ..step.clone()
    }
}

/// What the place can read.
pub(super) fn sights(context: &Context) -> Sights {
    let none = Sights { columns: Vec::new(), keys: Vec::new() };
    let first = context.query;
    let Some(schema) = table(first, context.tables) else { return none };
    let mut before = Before { schema, earlier: None };
    let mut query = first;
    let mut input: Vec<Seen> = schema.columns.iter().map(|c| Seen::of(c, None)).collect();
    if let Some(last) = context.step.checked_sub(1) {
        let Some(step) = first.steps.get(last) else { return none };
        let mut earlier = Query { table: Some(schema.name.clone()), ..first.clone() };
        earlier.steps.truncate(last);
        for step in &mut earlier.steps {
            *step = later(step);
        }
        if check(&earlier, std::slice::from_ref(schema)).is_err() {
            any_rows(&mut earlier);
            earlier.steps.iter_mut().for_each(any_rows);
            let bars = Query { from: earlier.from.clone(), ..Query::default() };
            if (Before { schema, earlier: None }).check(&bars).is_none() {
                earlier.from = None;
            }
        }
        input = match check(&earlier, std::slice::from_ref(schema)) {
            Ok(done) => done.output().iter().map(Seen::output).collect(),
            Err(_) => result(earlier.steps.last().unwrap_or(first), &input),
        };
        query = step;
        before.earlier = Some(earlier);
    }
    let map = match context.field {
        Field::Map(number) => query.map.get(..number).unwrap_or(&query.map),
        _ => &query.map,
    };
    let (rows, right) = rows(&before, query, map, input);
    let grouped = !query.group_by.is_empty();
    let aggregated = grouped || !query.select.is_empty();
    let keys = if grouped && matches!(context.field, Field::Select) {
        let counted = Query { group_by: query.group_by.clone(), ..right.clone() };
        match before.check(&counted) {
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
        match before.check(&whole) {
            Some(done) => done.output().iter().map(Seen::output).collect(),
            None => result(query, &rows),
        }
    } else {
        rows
    };
    Sights { columns, keys }
}

/// Leaves out what says which rows there are, and nothing of which columns.
fn any_rows(step: &mut Query) {
    step.session = None;
    step.period = None;
    step.filter = None;
    step.sort.clear();
    step.limit = None;
}

/// The table that the query is about, where that is known.
pub(super) fn table<'a>(
    query: &Query,
    tables: &'a [Arc<TableSchema>],
) -> Option<&'a Arc<TableSchema>> {
    match (&query.table, tables) {
        (None, [only]) => Some(only),
        (None, _) => None,
        (Some(name), tables) => tables.iter().find(|t| t.name == *name),
    }
}

/// The columns after `map`, and a query of as much of `from` and `map` as is right.
fn rows(
    before: &Before,
    query: &Query,
    map: &[(String, String)],
    input: Vec<Seen>,
) -> (Vec<Seen>, Query) {
    let timed = Query { from: query.from.clone(), ..Query::default() };
    let mut right = if before.check(&timed).is_some() { timed } else { Query::default() };
    right.map = map.to_vec();
    let mut wrong: Vec<&str> = Vec::new();
    let mut done = before.check(&right);
    if done.is_none() {
        // one after the other, past those that are wrong
        right.map.clear();
        for pair in map.iter().take(crate::query::check::MAX_MAP) {
            right.map.push(pair.clone());
            if before.check(&right).is_none() {
                right.map.pop();
                wrong.push(&pair.0);
            }
        }
        done = before.check(&right);
    }
    let mut rows: Vec<Seen> = match done {
        Some(done) => done.output().iter().map(Seen::output).collect(),
        None => input,
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
