//! `Sort by fare`, which does not say what: the groups of the question before, or the rows.

use super::ready;
use crate::planner::build::result_name;
use crate::planner::token::tokenise;
use crate::planner::{Context, Plan, Status, language, plan_over};
use crate::query::{Query, format};
use crate::schema::TableSchema;
use std::sync::Arc;

const SORT: [&str; 6] = ["sort", "order", "отсортируй", "упорядочи", "сортируй", "сортировать"];
const THEM: [&str; 6] = ["it", "them", "these", "those", "их", "это"];

/// The plan of an order by itself; rows that were shown before are put in order by the grammar.
pub(super) fn read(
    question: &str,
    tables: &[Arc<TableSchema>],
    context: &Context<'_>,
) -> Option<Plan> {
    let tokens = tokenise(question);
    let word = |i: usize| tokens.get(i).map_or("", |t| t.folded.as_str());
    if !SORT.contains(&word(0)) {
        return None;
    }
    let by = if THEM.contains(&word(1)) { 2 } else { 1 };
    if !["by", "по"].contains(&word(by)) {
        return None;
    }
    let rest = question.get(tokens.get(by)?.span.start..)?;
    let rows = if word(by) == "по" {
        "покажи строки, отсортируй"
    } else {
        "rows sorted"
    };
    let alone = Context { previous: None, ..*context };
    let plan = plan_over(&format!("{rows} {rest}"), tables, &alone);
    let Some(previous) = context.previous else {
        return (by == 1 && plan.status == Status::Ready).then_some(plan);
    };
    if previous.group_by.is_empty() || !previous.steps.is_empty() {
        return None;
    }
    // the first of an order would be others in another one
    if previous.limit.is_some() {
        return None;
    }
    let rows = plan.query.filter(|q| q.select.is_empty() && q.filter.is_none());
    let (told, direction) = if let Some([key]) = rows.as_ref().map(|q| &q.sort[..]) {
        let (column, direction) = match key.strip_suffix(" desc") {
            Some(column) => (column, " desc"),
            None => (key.strip_suffix(" asc").unwrap_or(key), ""),
        };
        (of_column(previous, column)?, direction)
    } else {
        // `sort by average fare`, as it was told
        let said = question.get(tokens.get(by + 1)?.span.start..)?;
        let said = plan_over(said, tables, &alone).query?;
        let [one] = &said.select[..] else { return None };
        let told = previous.select.iter().find(|s| s.text == one.text)?;
        (format::name(&result_name(told)), "")
    };
    let query = Query { sort: vec![format!("{told}{direction}")], ..previous.clone() };
    ready(query, plan.language, language::goes_on(), tables, context)
}

/// The group key, or the one aggregate of a column.
fn of_column(query: &Query, column: &str) -> Option<String> {
    if query.group_by.iter().any(|group| group == column) {
        return Some(column.to_owned());
    }
    let argument = format!("({column})");
    let mut of = query.select.iter().filter(|s| s.text.ends_with(&argument));
    match (of.next(), of.next()) {
        (Some(told), None) => Some(format::name(&result_name(told))),
        _ => None,
    }
}
