//! The check: every name, type and placement of a query against a schema, without reading a row.
//! All problems at once; only what passes becomes a [`CheckedQuery`].

mod call;
mod compare;
mod definition;
mod expr;
mod frame;
mod hints;
mod lists;
mod literal;
mod rows;
mod scope;
mod select;
mod sort;
mod typed;

pub(super) use frame::{intraday, makes};
pub(super) use select::default_name;
pub use typed::*;

use super::ast::{self, Expr};
use super::raw::{Query, map_json, one_or_many};
use super::{format, parser};
use crate::error::{Code, Diagnostic, closest};
use crate::schema::TableSchema;
use expr::{Checker, MOST_CHOICES, Place, near_match};
use rows::{map_parts, unit_by_name, where_part};
use scope::{InSight, Scope};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The most columns of `map`.
pub const MAX_MAP: usize = 100;
/// The most group keys.
pub const MAX_KEYS: usize = 16;

/// The most members of `select`, `sort` and `columns`.
pub const MAX_LIST: usize = 1_000;

/// The most problems that are reported of one query: more help nobody.
pub const MAX_PROBLEMS: usize = 100;

/// Checks a query against the loaded tables. The problems come in the order of the pipeline.
pub fn check(query: &Query, tables: &[Arc<TableSchema>]) -> Result<CheckedQuery, Vec<Diagnostic>> {
    let mut run = Run::new(query);
    let checked = if let Some(schema) = run.table(tables) {
        run.all(&schema)
    } else {
        run.unknown_timeframe(tables);
        run.syntax_alone()
    };
    let mut problems = run.problems;
    match checked {
        Some(checked) if problems.is_empty() => Ok(checked),
        _ => {
            let mut seen = Vec::new();
            problems.retain(|p| {
                let new = !seen.contains(p);
                if new {
                    seen.push(p.clone());
                }
                new
            });
            problems.truncate(MAX_PROBLEMS);
            Err(problems)
        }
    }
}

/// Reads and checks a query in one go: what is wrong with its shape and what is wrong with the rest
/// of it, all at once.
pub fn check_json(
    json: &Value,
    tables: &[Arc<TableSchema>],
) -> Result<CheckedQuery, Vec<Diagnostic>> {
    let (query, mut problems) = Query::read(json);
    if json.is_object() {
        match check(&query, tables) {
            Ok(checked) if problems.is_empty() => return Ok(checked),
            Ok(_) => {}
            Err(more) => problems.extend(more),
        }
    }
    problems.truncate(MAX_PROBLEMS);
    Err(problems)
}

/// One text of a field and its place.
struct Part<'a> {
    text: &'a str,
    pointer: String,
    offset: usize,
}

/// The check of one step.
struct Run<'a> {
    query: &'a Query,
    problems: Vec<Diagnostic>,
    warnings: Vec<Warning>,
    /// The columns in sight whose names hold white space.
    spaced: Vec<String>,
}

/// A checked step, its canonical form, and what the next step can read.
struct Made {
    step: CheckedStep,
    canonical: Map<String, Value>,
    scope: Scope,
}

impl<'a> Run<'a> {
    fn new(query: &'a Query) -> Self {
        Self { query, problems: Vec::new(), warnings: Vec::new(), spaced: Vec::new() }
    }
}

impl Run<'_> {
    fn problem(&mut self, code: Code, message: crate::error::Text, pointer: impl Into<String>) {
        self.problems.push(Diagnostic::new(code, message).at(pointer));
    }

    fn table(&mut self, tables: &[Arc<TableSchema>]) -> Option<Arc<TableSchema>> {
        let names = || tables.iter().map(|t| t.name.as_str());
        let diagnostic =
            match (&self.query.table, tables) {
                (_, []) => Diagnostic::new(
                    Code::NoTable,
                    crate::text!("no table is loaded", "ни одна таблица не загружена"),
                ),
                (None, [only]) => return Some(only.clone()),
                (None, _) => {
                    let message = crate::text!(
                        "several tables are loaded: name one in `table`",
                        "загружено несколько таблиц: укажите одну в `table`"
                    );
                    let mut diagnostic =
                        Diagnostic::new(Code::AmbiguousTable, message).choices(names());
                    // as SQL names it
                    let from = self.query.from.clone();
                    diagnostic.fix = from.filter(|from| names().any(|name| name == from));
                    diagnostic
                }
                (Some(name), _) => {
                    if let Some(found) = tables.iter().find(|t| t.name == *name) {
                        return Some(found.clone());
                    }
                    let message =
                        crate::text!("unknown table `{name}`", "неизвестная таблица `{name}`");
                    let mut diagnostic = Diagnostic::new(Code::UnknownTable, message)
                        .choices(closest(name, names(), MOST_CHOICES));
                    diagnostic.fix = near_match(name, names()).map(str::to_owned);
                    diagnostic
                }
            };
        self.problems.push(diagnostic.at("/table"));
        None
    }

    /// What is no timeframe is none of any table; as SQL names its table it may be meant, too.
    fn unknown_timeframe(&mut self, tables: &[Arc<TableSchema>]) {
        let unknown =
            |name: &&str| Timeframe::of(name).is_none() && !tables.iter().any(|t| t.name == **name);
        if let Some(name) = self.query.from.as_deref().filter(unknown) {
            self.problems.push(frame::unknown_timeframe(name, None));
        }
    }

    /// Without a schema the expressions can still be read.
    fn syntax_alone(&mut self) -> Option<CheckedQuery> {
        let query = self.query;
        let mut parts = map_parts(query);
        parts.extend(query.filter.as_deref().map(where_part));
        parts.extend(select::parts(query).into_iter().map(|(_, part)| part));
        for part in parts {
            self.parse(&part);
        }
        for (i, step) in query.steps.iter().enumerate() {
            let mut run = Run::new(step);
            run.out_of_place();
            run.syntax_alone();
            self.take_in(run, i);
        }
        None
    }

    /// The problems and warnings of a later step.
    fn take_in(&mut self, step: Run, place: usize) {
        self.problems.extend(step.problems.into_iter().map(|mut problem| {
            problem.pointer.insert_str(0, &format!("/steps/{place}"));
            problem
        }));
        self.warnings.extend(step.warnings);
    }

    /// The whole pipeline over one table.
    fn all(&mut self, schema: &Arc<TableSchema>) -> Option<CheckedQuery> {
        let query = self.query;
        let frame = frame::frame(query, schema, &mut self.problems, &mut self.warnings);
        let scope = match frame.from() {
            Some(timeframe) => {
                let scope = Scope::resampled(schema, timeframe);
                self.warnings.extend(scope.dropped(timeframe));
                scope
            }
            None => Scope::of(schema),
        };
        let mut canonical = Map::new();
        canonical.insert("table".into(), json!(schema.name));
        for (field, value) in frame.canonical() {
            canonical.insert(field.to_owned(), value);
        }
        let last = query.steps.is_empty();
        let mut made = self.step(scope, None, last);
        let mut earlier = Vec::new();
        let mut steps = Vec::new();
        for (i, step) in query.steps.iter().enumerate() {
            let Some(before) = made else { break };
            let mut run = Run::new(step);
            run.out_of_place();
            let last = i + 1 == query.steps.len();
            made = run.step(before.scope, Some(&before.step), last);
            self.take_in(run, i);
            earlier.push(before.step);
            steps.push(Value::Object(before.canonical));
        }
        let Made { step: last, canonical: own, .. } = made?;
        steps.push(Value::Object(own));
        let mut steps = steps.into_iter();
        if let Some(Value::Object(first)) = steps.next() {
            canonical.extend(first);
        }
        if frame.is_strict() {
            canonical.insert("lookback".into(), json!(false));
        }
        if steps.len() > 0 {
            canonical.insert("steps".into(), Value::Array(steps.collect()));
        }
        Some(CheckedQuery {
            schema: schema.clone(),
            frame,
            earlier,
            last,
            warnings: std::mem::take(&mut self.warnings),
            canonical: Value::Object(canonical),
            sql: None,
        })
    }

    /// Fields that only the first step has.
    fn out_of_place(&mut self) {
        let query = self.query;
        let fields = [
            ("table", query.table.is_some()),
            ("session", query.session.is_some()),
            ("period", query.period.is_some()),
            ("from", query.from.is_some()),
            ("lookback", query.lookback.is_some()),
            ("steps", !query.steps.is_empty()),
        ];
        for (field, _) in fields.into_iter().filter(|(_, there)| *there) {
            let message = crate::text!(
                "`{field}` stands only in the first step: a later one runs on what the one before it made",
                "`{field}` стоит только в первом шаге: следующий работает с тем, что сделал предыдущий"
            );
            self.problem(Code::MisplacedField, message, format!("/{field}"));
        }
    }

    /// One step over the columns of `scope`, which `before` made.
    fn step(&mut self, mut scope: Scope, before: Option<&CheckedStep>, last: bool) -> Option<Made> {
        let query = self.query;
        let lists = [
            ("select", query.select.len()),
            ("sort", query.sort.len()),
            ("columns", query.columns.len()),
        ];
        if let Some((field, _)) = lists.into_iter().find(|(_, len)| *len > MAX_LIST) {
            let message = crate::text!(
                "`{field}` has at most {MAX_LIST} members",
                "в `{field}` не больше {MAX_LIST} членов"
            );
            self.problem(Code::TooMany, message, format!("/{field}"));
            return None;
        }
        let aggregates = !query.group_by.is_empty() || !query.select.is_empty();
        // What only filters, sorts or cuts groups leaves them grouped.
        let grouped =
            before.filter(|b| b.kind == ResultKind::Grouped && !aggregates && query.map.is_empty());
        if grouped.is_none() {
            scope.as_rows();
        }
        let series = scope.series.clone();
        let spaced = scope.names().filter(|name| name.contains(char::is_whitespace));
        self.spaced = spaced.map(str::to_owned).collect();
        let map = self.map(&mut scope);
        let filter = query.filter.as_deref().map(|_| self.filter(&scope));
        let keys = self.keys(&scope);
        let measures = self.measures(&scope, &keys);
        let kind = match (query.group_by.is_empty(), query.select.is_empty(), measures.len()) {
            _ if grouped.is_some() => ResultKind::Grouped,
            (false, ..) => ResultKind::Grouped,
            (true, true, _) => ResultKind::Table,
            (true, false, 1) => ResultKind::Scalar,
            (true, false, _) => ResultKind::Dict,
        };
        let sight = scope.columns.iter().cloned().map(output_column).collect();
        let mut result =
            if aggregates { select::result_scope(&scope, &keys, &measures) } else { scope };
        let names = select::spoken_names(&keys, &measures);
        let (sort, limit, columns) = if matches!(kind, ResultKind::Table | ResultKind::Grouped) {
            let sort = self.sort(&result, &names);
            let columns = self.final_columns(&mut result, &names, last);
            (sort, query.limit, columns)
        } else {
            self.warn_ignored();
            (Some(Vec::new()), None, Some(Vec::new()))
        };
        if let Some(limit) = limit.filter(|_| !last) {
            let message = crate::text!(
                "a step before the last keeps only its first {limit} rows",
                "шаг до последнего оставляет только первые строки, всего {limit}"
            );
            self.warnings.push(Warning { code: "cut_before_last", message });
        }
        // `?` only here, so that every part has been looked at
        let (map, sort, columns) = (map?, sort?, columns?);
        let filter = filter.map_or(Some(None), |f| f.map(Some))?;
        let aliased = measures.iter().any(|m| m.aliased);
        let mut keys: Vec<Named> = keys.into_iter().map(|k| k.named).collect::<Option<_>>()?;
        let mut measures: Vec<Named> =
            measures.into_iter().map(|m| m.named).collect::<Option<_>>()?;
        if let Some(filter) = filter.as_ref().filter(|_| !keys.is_empty()) {
            self.warnings.extend(hints::filters_groups(&filter.expr, &measures));
        }
        let canonical_keys = (keys.clone(), measures.clone());
        if let Some(before) = grouped {
            keys = before.keys.iter().map(|k| column_of(k, &before.output)).collect();
            measures = before.measures.iter().map(|m| column_of(m, &before.output)).collect();
        }
        let mut step = CheckedStep {
            map,
            filter,
            keys: canonical_keys.0,
            measures: canonical_keys.1,
            sort: Vec::new(),
            limit,
            columns: (!columns.is_empty()).then_some(columns),
            kind,
            aggregates,
            series,
            sight,
            output: result.columns.iter().cloned().map(output_column).collect(),
        };
        let canonical = canonical(&step, aliased, &sort);
        (step.keys, step.measures) = (keys, measures);
        step.sort = sort.into_iter().map(|s| s.key).collect();
        Some(Made { step, canonical, scope: result })
    }

    /// `columns`, which only the last step may have.
    fn final_columns(
        &mut self,
        scope: &mut Scope,
        names: &[(String, String)],
        last: bool,
    ) -> Option<Vec<Named>> {
        if last || self.query.columns.is_empty() {
            return self.columns(scope, names);
        }
        let message = crate::text!(
            "`columns` stands only in the last step",
            "`columns` стоит только в последнем шаге"
        );
        self.problem(Code::MisplacedField, message, "/columns");
        None
    }

    /// Parses a part; the problems get its place.
    fn parse(&mut self, part: &Part) -> Option<Expr> {
        match parser::parse(part.text) {
            Ok(expr) => self.not_too_long(expr, part),
            Err(problems) => {
                let spaced = &self.spaced;
                self.problems.extend(problems.into_iter().map(|d| {
                    let mut d = hints::in_back_quotes(d, part.text, spaced);
                    if let Some(span) = &mut d.span {
                        span.start += part.offset;
                        span.end += part.offset;
                    }
                    d.at(part.pointer.as_str())
                }));
                None
            }
        }
    }

    /// The canonical text is read again, so it keeps to the bound as well.
    fn not_too_long(&mut self, expr: Expr, part: &Part) -> Option<Expr> {
        // no token grows to more than a few times its length
        if part.text.len() < parser::MAX_TEXT / 10 {
            return Some(expr);
        }
        let length = format::expr(&expr).chars().count();
        if length <= parser::MAX_TEXT {
            return Some(expr);
        }
        self.problems.push(parser::too_long().at(part.pointer.as_str()));
        None
    }

    /// Resolves a tree in a place where one scope is all there is to read.
    fn typed(&mut self, expr: &Expr, part: &Part, place: Place, scope: &Scope) -> Option<Typed> {
        self.typed_with(expr, part, place, scope, scope)
    }

    fn typed_with(
        &mut self,
        expr: &Expr,
        part: &Part,
        place: Place,
        scope: &Scope,
        keys: &Scope,
    ) -> Option<Typed> {
        let mut checker = Checker {
            scope,
            keys,
            place,
            pointer: &part.pointer,
            offset: part.offset,
            inside: None,
            beside_text: false,
            definition: None,
            problems: &mut self.problems,
            warnings: &mut self.warnings,
        };
        let typed = checker.expr(expr)?;
        if matches!(place, Place::GroupBy | Place::Sort)
            && checker.is_list((expr, &typed), None, expr.span)
        {
            return None;
        }
        if typed.kind.is_none() {
            let message =
                crate::text!("nothing but null has no type", "у одного только null нет типа");
            return checker.wrong(Code::TypeMismatch, message, expr.span);
        }
        Some(typed)
    }

    fn warn_ignored(&mut self) {
        let query = self.query;
        let fields = [
            (!query.sort.is_empty(), "sort", "sort_ignored"),
            (query.limit.is_some(), "limit", "limit_ignored"),
            (!query.columns.is_empty(), "columns", "columns_ignored"),
        ];
        for (_, field, code) in fields.into_iter().filter(|(there, ..)| *there) {
            let message = crate::text!(
                "`{field}` was ignored: the result is one row of values",
                "`{field}` не учтено: результат — одна строка значений"
            );
            self.warnings.push(Warning { code, message });
        }
    }

    /// A text of `group_by`, `sort` or `columns`: exactly a column's name, or an expression.
    fn column_or_expr(&mut self, part: &Part, scope: &Scope) -> Option<Expr> {
        if scope.find(part.text).is_some() {
            let span = crate::error::Span::new(0, part.text.len());
            return Some(Expr { node: ast::Node::Column(part.text.to_owned()), span });
        }
        self.parse(part)
    }
}

/// The text of an entry of `group_by`, `sort` or `columns` that reads back as the same thing even
/// where a column's name happens to look like it.
fn listed_text(expr: &Expr, scope: &Scope) -> String {
    let mut text = format::expr(expr);
    if matches!(&expr.node, ast::Node::Column(name) if *name == text) {
        return text;
    }
    while scope.find(&text).is_some() {
        text = format!("({text})");
    }
    text
}

/// Counts of the loaded table say nothing of a result.
fn output_column(column: InSight) -> OutputColumn {
    let mut out = column.out;
    out.column.nulls = None;
    out
}

/// A key or measure of groups that a later step leaves grouped: its column.
fn column_of(named: &Named, output: &[OutputColumn]) -> Named {
    let out = output.iter().find(|o| o.column.name == named.name);
    let expr = Typed {
        node: Node::Column(named.name.clone()),
        kind: out.map_or(named.expr.kind, |o| Some(o.column.kind)),
        domain: named.expr.domain,
        unit: named.expr.unit.clone(),
    };
    Named { name: named.name.clone(), expr, text: format::name(&named.name) }
}

/// The canonical form of a step, in the order of the pipeline, without what says nothing.
fn canonical(step: &CheckedStep, aliased: bool, sort: &[sort::Sorted]) -> Map<String, Value> {
    let mut out = Map::new();
    let mut put = |field: &str, value: Value| drop(out.insert(field.to_owned(), value));
    if !step.map.is_empty() {
        put("map", map_json(step.map.iter().map(|m| (m.name.as_str(), m.text.as_str()))));
    }
    if let Some(filter) = &step.filter {
        put("where", json!(filter.text));
    }
    let texts = |list: &[Named]| list.iter().map(|k| k.text.clone()).collect::<Vec<_>>();
    if !step.keys.is_empty() {
        put("group_by", one_or_many(&texts(&step.keys)));
    }
    if aliased {
        let named = step.measures.iter().map(|m| (m.name.clone(), json!(m.text)));
        put("select", Value::Object(named.collect()));
    } else if !step.measures.is_empty() {
        put("select", one_or_many(&texts(&step.measures)));
    }
    if !sort.is_empty() {
        let all: Vec<String> = sort.iter().map(|s| s.text.clone()).collect();
        put("sort", one_or_many(&all));
    }
    if let Some(limit) = step.limit {
        put("limit", json!(limit));
    }
    if let Some(columns) = &step.columns {
        put("columns", json!(texts(columns)));
    }
    out
}
