//! `sort` and `columns`: the order and the projection of the final table.

use super::expr::Place;
use super::scope::{InSight, Scope};
use super::select::substitute;
use super::typed::{Named, Node, Role, SortKey};
use super::{Part, Run, listed_text};
use crate::error::{Code, Diagnostic};
use crate::query::ast;
use crate::query::format;
use crate::schema::Kind;

/// A sort key with its canonical text, direction included.
pub(super) struct Sorted {
    pub key: SortKey,
    pub text: String,
}

/// `gap desc` without its last word, and whether that was `desc`.
fn direction(text: &str) -> (&str, bool) {
    let trimmed = text.trim_end();
    let start = trimmed.rfind(char::is_whitespace).map_or(0, |i| i + 1);
    let (body, word) = trimmed.split_at_checked(start).unwrap_or((trimmed, ""));
    match word.to_lowercase().as_str() {
        "desc" => (body.trim_end(), true),
        "asc" => (body.trim_end(), false),
        _ => (trimmed, false),
    }
}

impl Run<'_> {
    /// The sort keys over the columns of the final table (for rows: before `columns` projects).
    pub(super) fn sort(
        &mut self,
        scope: &Scope,
        names: &[(String, String)],
    ) -> Option<Vec<Sorted>> {
        let query = self.query;
        let all: Vec<_> = query
            .sort
            .iter()
            .enumerate()
            .map(|(i, text)| {
                let single = query.written.sort_text;
                let pointer = if single { "/sort".to_owned() } else { format!("/sort/{i}") };
                self.sort_key(&Part { text, pointer, offset: 0 }, single, scope, names)
            })
            .collect();
        all.into_iter().collect()
    }

    fn sort_key(
        &mut self,
        part: &Part,
        single: bool,
        scope: &Scope,
        names: &[(String, String)],
    ) -> Option<Sorted> {
        let whole = scope.find(part.text).is_some();
        if !whole && self.several(part, single, Code::BadSort) {
            return None;
        }
        let (body, descending) = if whole { (part.text, false) } else { direction(part.text) };
        let offset = body.len() - body.trim_start().len();
        let trimmed = Part { text: body.trim_start(), pointer: part.pointer.clone(), offset };
        let had = self.problems.len();
        let body_part = if scope.find(body).is_some() {
            Part { text: body, pointer: part.pointer.clone(), offset: 0 }
        } else {
            trimmed
        };
        let Some(expr) = self.column_or_expr(&body_part, scope) else {
            let ways = ["asc", "desc", "ascending", "descending", "nulls", "first", "last"];
            let is_way = |word: &str| ways.contains(&word.to_lowercase().as_str());
            let words = || body.split_whitespace();
            let extra = words().count() > 1 && words().any(is_way);
            if extra || body.trim().is_empty() {
                self.problems.truncate(had);
                let written = part.text;
                let message = crate::text!(
                    "`{written}` is not a sort key: it is a column, then `asc` or `desc` or nothing",
                    "`{written}` — не ключ сортировки: это столбец, а за ним `asc`, `desc` или ничего"
                );
                let first = words().find(|word| !is_way(word)).filter(|_| extra);
                let mut diagnostic =
                    Diagnostic::new(Code::BadSort, message).at(part.pointer.as_str());
                diagnostic.fix = first.filter(|name| scope.find(name).is_some()).map(|name| {
                    let down = part
                        .text
                        .split_whitespace()
                        .any(|word| ["desc", "descending"].contains(&word.to_lowercase().as_str()));
                    let way = if down { " desc" } else { "" };
                    format!("{}{way}", format::name(name))
                });
                self.problems.push(diagnostic);
            }
            return None;
        };
        let expr = substitute(&expr, names, false);
        if let ast::Node::Neg(inner) = &expr.node
            && let ast::Node::Column(name) = &inner.node
            && scope
                .find(name)
                .map(|c| (c.broken, c.out.column.kind))
                .is_some_and(|(broken, kind)| !broken && !kind.is_numeric() && !kind.is_list())
        {
            let fix = format!("{}{}", format::name(name), if descending { "" } else { " desc" });
            let message = crate::text!(
                "the order is turned around by `{fix}`",
                "порядок переворачивает `{fix}`"
            );
            let diagnostic = Diagnostic::new(Code::BadSort, message).at(part.pointer.as_str());
            self.problems.push(diagnostic.fix(fix));
            return None;
        }
        let typed = self.typed(&expr, &body_part, Place::Sort, scope)?;
        if typed.columns().is_empty() {
            let message = crate::text!(
                "`{body}` is the same in every row: sort by a column",
                "`{body}` одинаково во всех строках: сортируйте по столбцу"
            );
            let diagnostic = Diagnostic::new(Code::BadSort, message).at(part.pointer.as_str());
            self.problems.push(diagnostic.choices(scope.names().map(format::name)));
            return None;
        }
        let listed = listed_text(&expr, scope);
        let mut text = if descending { format!("{listed} desc") } else { listed.clone() };
        if descending && scope.find(&text).is_some() {
            text = format!("({listed}) desc");
        }
        let own = match &typed.node {
            Node::Column(name) => name.clone(),
            _ => listed,
        };
        Some(Sorted { key: SortKey { expr: typed, text: own, descending }, text })
    }

    /// The projection, empty where there is none; the scope is left with the columns of the result.
    pub(super) fn columns(
        &mut self,
        scope: &mut Scope,
        names: &[(String, String)],
    ) -> Option<Vec<Named>> {
        let query = self.query;
        if query.columns.is_empty() {
            return Some(Vec::new());
        }
        let mut projected: Vec<InSight> = Vec::new();
        let mut all = Vec::new();
        for (i, text) in query.columns.iter().enumerate() {
            let single = query.written.columns_text;
            let pointer = if single { "/columns".to_owned() } else { format!("/columns/{i}") };
            let part = Part { text, pointer, offset: 0 };
            let made = self.projected(&part, single, scope, names);
            let Some((named, column)) = made else {
                all.push(None);
                continue;
            };
            if projected.iter().any(|c| c.out.column.name == named.name) {
                let name = &named.name;
                let message = crate::text!(
                    "column `{name}` is there twice",
                    "столбец `{name}` указан дважды"
                );
                self.problem(Code::NameClash, message, part.pointer);
                continue;
            }
            projected.push(column);
            all.push(Some(named));
        }
        let all: Vec<Named> = all.into_iter().collect::<Option<_>>()?;
        scope.columns = projected;
        Some(all)
    }

    fn projected(
        &mut self,
        part: &Part,
        single: bool,
        scope: &Scope,
        names: &[(String, String)],
    ) -> Option<(Named, InSight)> {
        if scope.find(part.text).is_none() && self.several(part, single, Code::Syntax) {
            return None;
        }
        let expr = substitute(&self.column_or_expr(part, scope)?, names, false);
        let typed = self.typed(&expr, part, Place::Columns, scope)?;
        let text = listed_text(&expr, scope);
        if let ast::Node::Column(name) = &expr.node {
            let column = scope.find(name)?.clone();
            return Some((Named { name: name.clone(), expr: typed, text }, column));
        }
        let name = format::expr(&expr);
        let kind = typed.kind.unwrap_or(Kind::Text);
        let (unit, domain) = (typed.unit.clone(), typed.domain);
        let column = InSight::made(&name, kind, unit, domain, Role::Mapped);
        Some((Named { name, expr: typed, text }, column))
    }
}
