//! What a query makes of every row before anything is aggregated: the columns of `map`, the condition
//! of `where`.

use super::expr::{self, Place};
use super::scope::{InSight, Scope};
use super::typed::{Named, Role, Typed};
use super::{MAX_MAP, Part, Run};
use crate::error::{Code, Diagnostic};
use crate::query::raw::{Query, pointer_part};
use crate::query::{format, lexer};
use crate::schema::Kind;

impl Run<'_> {
    pub(super) fn map(&mut self, scope: &mut Scope) -> Option<Vec<Named>> {
        let query = self.query;
        if query.map.len() > MAX_MAP {
            let message = crate::text!(
                "`map` has at most {MAX_MAP} columns",
                "в `map` не больше {MAX_MAP} столбцов"
            );
            self.problem(Code::TooMany, message, "/map");
            return None;
        }
        let parts = map_parts(query);
        let mut all = Vec::with_capacity(query.map.len());
        for ((name, _), part) in query.map.iter().zip(parts) {
            self.map_name(name, &part.pointer, scope);
            let made = self.parse(&part).and_then(|expr| {
                let typed = self.typed(&expr, &part, Place::Map, scope)?;
                Some((typed, format::expr(&expr)))
            });
            let Some((mut typed, text)) = made else {
                scope.put(InSight::broken(name));
                all.push(None);
                continue;
            };
            typed.unit = unit_by_name(name, &typed);
            let kind = typed.kind.unwrap_or(Kind::Text);
            let (unit, domain) = (typed.unit.clone(), typed.domain);
            scope.put(InSight::made(name, kind, unit, domain, Role::Mapped));
            all.push(Some(Named { name: name.clone(), expr: typed, text }));
        }
        all.into_iter().collect()
    }

    /// A new column is an identifier, so that JavaScript keeps the order of the object.
    fn map_name(&mut self, name: &str, pointer: &str, scope: &Scope) {
        if lexer::is_plain_name(name) || scope.find(name).is_some() {
            return;
        }
        let message = crate::text!(
            "the name of a new column is letters, digits and `_`, not `{name}`",
            "имя нового столбца — буквы, цифры и `_`, а не `{name}`"
        );
        self.problem(Code::WrongArgument, message, pointer);
    }

    pub(super) fn filter(&mut self, scope: &Scope) -> Option<Named> {
        let part = where_part(self.query.filter.as_deref()?);
        let expr = self.parse(&part)?;
        let text = format::expr(&expr);
        let typed = self.typed(&expr, &part, Place::Where, scope)?;
        if typed.kind != Some(Kind::Bool) {
            let (written, kind) = (expr::shown(&expr), expr::kind_text(typed.kind));
            let (en, ru) = (kind.en, kind.ru);
            let message = crate::text!(
                "`where` takes a condition, and `{written}` is {en}",
                "`where` принимает условие, а `{written}` — {ru}"
            );
            let diagnostic =
                Diagnostic::new(Code::NotBoolean, message).at("/where").span(expr.span);
            self.problems.push(diagnostic);
            return None;
        }
        Some(Named { name: "where".into(), expr: typed, text })
    }
}

/// The expressions of `map`.
pub(super) fn map_parts(query: &Query) -> Vec<Part<'_>> {
    let place = |i: usize, name: &str| {
        if query.written.map_pairs {
            format!("/map/{i}/1")
        } else {
            format!("/map/{}", pointer_part(name))
        }
    };
    let map = query.map.iter().enumerate();
    map.map(|(i, (name, text))| Part { text, pointer: place(i, name), offset: 0 }).collect()
}

pub(super) fn where_part(text: &str) -> Part<'_> {
    Part { text, pointer: "/where".into(), offset: 0 }
}

/// Percentages are recognised by name where nothing else says a unit.
pub(super) fn unit_by_name(name: &str, typed: &Typed) -> Option<String> {
    let percent = name.ends_with("_pct") && typed.kind.is_some_and(Kind::is_numeric);
    typed.unit.clone().or_else(|| percent.then(|| "%".to_owned()))
}
