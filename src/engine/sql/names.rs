//! Names in a statement: which column an unquoted one is, and what is said of one that is unknown.

use super::Visible;
use crate::error::{Code, Diagnostic, Error, closest};
use datafusion::common::{DataFusionError, SchemaError};
use datafusion::sql::sqlparser::ast::{
    Expr, Ident, ObjectNamePart, Query, SelectItem, SetExpr, Statement, TableFactor, Visit,
    Visitor, visit_expressions_mut,
};
use std::ops::ControlFlow;

/// The most names that a diagnostic lists.
const MOST_CHOICES: usize = 20;

/// Quotes every unquoted name of a column as the table spells it: exactly, else the one column whose
/// name differs by case alone. What is no column's name (an alias) is left to the planner, which
/// reads it in lower case; what is several columns' in another case is nobody's.
pub(super) fn resolve(statement: &mut Statement, tables: &[Visible]) {
    let mut used = Used { tables, found: Vec::new(), aliases: Vec::new() };
    let _: ControlFlow<()> = statement.visit(&mut used);
    let Used { found, aliases, .. } = used;
    let all: Vec<&str> = found.iter().flat_map(|(_, table)| names(table)).collect();
    let _: ControlFlow<()> = visit_expressions_mut(statement, |expr| {
        match expr {
            Expr::Identifier(name) => spell(name, &all, &aliases),
            Expr::CompoundIdentifier(parts) => {
                if let [table, name] = parts.as_mut_slice()
                    && let Some((_, table)) =
                        found.iter().find(|(alias, _)| *alias == normal(table))
                {
                    spell(name, &names(table).collect::<Vec<_>>(), &[]);
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    });
}

fn names(table: &Visible) -> impl Iterator<Item = &str> {
    table.schema.columns.iter().map(|column| column.name.as_str())
}

fn spell(name: &mut Ident, columns: &[&str], aliases: &[String]) {
    if name.quote_style.is_some() {
        return;
    }
    if !columns.contains(&name.value.as_str()) {
        if aliases.contains(&normal(name)) {
            return;
        }
        let wanted = name.value.to_lowercase();
        let mut alike: Vec<&str> =
            columns.iter().copied().filter(|column| column.to_lowercase() == wanted).collect();
        alike.sort_unstable();
        alike.dedup();
        match alike.as_slice() {
            [] => return,
            [only] => (*only).clone_into(&mut name.value),
            _ => {}
        }
    }
    name.quote_style = Some('"');
}

/// A name as the planner reads it.
fn normal(name: &Ident) -> String {
    match name.quote_style {
        None => name.value.to_ascii_lowercase(),
        Some(_) => name.value.clone(),
    }
}

/// The loaded tables that a statement reads, by the name that it calls them, and the names that it
/// gives to what it selects.
struct Used<'a> {
    tables: &'a [Visible],
    found: Vec<(String, &'a Visible)>,
    aliases: Vec<String>,
}

impl Visitor for Used<'_> {
    type Break = ();

    fn pre_visit_table_factor(&mut self, factor: &TableFactor) -> ControlFlow<()> {
        if let TableFactor::Table { name, alias, .. } = factor
            && let [ObjectNamePart::Identifier(name)] = name.0.as_slice()
            && let Some(table) = table_called(&normal(name), self.tables)
        {
            let called = alias.as_ref().map_or_else(|| normal(name), |alias| normal(&alias.name));
            self.found.push((called, table));
        }
        ControlFlow::Continue(())
    }

    fn pre_visit_query(&mut self, query: &Query) -> ControlFlow<()> {
        self.selected(&query.body);
        ControlFlow::Continue(())
    }
}

impl Used<'_> {
    fn selected(&mut self, body: &SetExpr) {
        match body {
            SetExpr::Select(select) => {
                let named = select.projection.iter().filter_map(|item| match item {
                    SelectItem::ExprWithAlias { alias, .. } => Some(normal(alias)),
                    _ => None,
                });
                self.aliases.extend(named);
            }
            SetExpr::SetOperation { left, right, .. } => {
                self.selected(left);
                self.selected(right);
            }
            _ => {}
        }
    }
}

/// The table of exactly this name, else the one whose name differs by case alone.
pub(super) fn table_called<'a>(wanted: &str, tables: &'a [Visible]) -> Option<&'a Visible> {
    let exact = tables.iter().find(|table| table.schema.name == wanted);
    exact.or_else(|| {
        let mut alike =
            tables.iter().filter(|t| t.schema.name.to_lowercase() == wanted.to_lowercase());
        alike.next().filter(|_| alike.next().is_none())
    })
}

/// What is said where planning failed. DataFusion's text speaks of the statement and the schema at
/// this point, not of cells; it is still not passed on but for the names that the statement has.
pub(super) fn rejected<'a>(
    error: &DataFusionError,
    functions: impl Iterator<Item = &'a str> + Clone,
) -> Error {
    let root = error.find_root();
    if let DataFusionError::External(inner) = root
        && let Some(known) = inner.downcast_ref::<Error>()
    {
        return known.clone();
    }
    if let DataFusionError::SchemaError(schema, _) = root
        && let SchemaError::FieldNotFound { field, valid_fields } = schema.as_ref()
    {
        let name = &field.name;
        let mut known: Vec<&str> = valid_fields.iter().map(|c| c.name.as_str()).collect();
        known.dedup();
        let message = text!("unknown column `{name}`", "неизвестный столбец `{name}`");
        let choices = closest(name, known, MOST_CHOICES);
        return Diagnostic::new(Code::UnknownColumn, message).choices(choices).into();
    }
    let said = root.strip_backtrace();
    if let Some((_, rest)) = said.split_once("Invalid function '")
        && let Some((name, _)) = rest.split_once('\'')
    {
        let message = text!("unknown function `{name}`", "неизвестная функция `{name}`");
        let choices = closest(name, functions, MOST_CHOICES);
        return Diagnostic::new(Code::UnknownFunction, message).choices(choices).into();
    }
    let message = text!(
        "the statement cannot be planned: a column, function or type in it is not known here",
        "запрос нельзя выполнить: в нём неизвестный столбец, функция или тип"
    );
    Diagnostic::new(Code::SqlRejected, message).into()
}
