//! Of several tables the one that was asked about goes on being meant, until another is named or only
//! another can answer.

use super::stem::{parts, stem};
use super::token::{Token, TokenKind, tokenise};
use super::{
    Context, Plan, Status, chosen, doubts, explain, explain_query, follow, plan_over, to_choose,
};
use crate::error::Locale;
use crate::query::ast::Expr;
use crate::query::{Query, check, format};
use crate::schema::TableSchema;
use std::sync::Arc;

/// Plans `question` over `tables`. Every query in the plan passes the check.
pub fn plan(question: &str, tables: &[Arc<TableSchema>], context: &Context<'_>) -> Plan {
    let mut plan = plan_of_one(question, tables, context);
    if let Some(rows) = context.previous.filter(|query| are_rows(query)) {
        of_those_rows(&mut plan, question, rows, tables, context);
    }
    let Some(query) = plan.query.as_ref().filter(|_| plan.status == Status::Ready) else {
        return plan;
    };
    let wanted = query.table.as_deref().or(context.table);
    let schema = tables.iter().find(|table| wanted.is_none_or(|name| name == table.name));
    let more = |schema: &Arc<TableSchema>| {
        doubts::says_more(&tokenise(question), query, context.previous, schema)
    };
    if schema.is_some_and(more) { to_choose(plan) } else { plan }
}

/// Rows of a table that conditions chose, in the order of the table.
fn are_rows(query: &Query) -> bool {
    let chosen = query.filter.is_some() || query.period.is_some();
    let bare =
        Query { table: None, columns: Vec::new(), filter: None, period: None, ..query.clone() };
    chosen && bare == Query::default()
}

/// `and how much revenue?`, `и сколько за них заплатили?` after rows: of these rows, wherever what is read
/// says nothing of which.
fn of_those_rows(
    plan: &mut Plan,
    question: &str,
    rows: &Query,
    tables: &[Arc<TableSchema>],
    context: &Context<'_>,
) {
    const POINT: [&str; 10] =
        ["they", "them", "these", "those", "their", "них", "им", "ними", "эти", "этих"];
    let tokens = tokenise(question);
    let points = || tokens.iter().any(|t| POINT.contains(&t.folded.as_str()));
    const WHOLE: [&str; 6] = ["overall", "altogether", "all", "всего", "итого", "все"];
    let whole =
        follow::of_all_time(&tokens) || tokens.iter().any(|t| WHOLE.contains(&t.folded.as_str()));
    if whole || !(follow::goes_on(&tokens) || points()) {
        return;
    }
    let (many, language) = (chosen(tables, context).nth(1).is_some(), plan.language);
    let narrowed = |query: &Query| {
        let own = query.filter.is_some() || query.period.is_some() || query.from.is_some();
        let same = query.table.is_none() || rows.table.is_none() || query.table == rows.table;
        let made = !query.select.is_empty();
        // `and by country?` after the rows of one country is of all of them
        let fixed = |condition: &Expr| {
            let text = format::expr(condition);
            query.group_by.iter().any(|key| text.starts_with(&format!("{key} == ")))
        };
        let conditions = rows.filter.as_deref().and_then(follow::conditions).unwrap_or_default();
        let filter = follow::all(conditions.into_iter().filter(|c| !fixed(c)).collect());
        // nor is `and by year?` after those of one year
        let by = |key: &str| {
            query.map.iter().any(|(name, text)| query.group_by.contains(name) && text == key)
        };
        let by_month = ["month()", "monthname()", "quarter()"].into_iter().any(by);
        let period = rows.period.clone().filter(|period| {
            let one_month = period.len() >= "2023-05".len() && !period.contains([':', 'Q', 'H']);
            !(by("year()") || by_month && one_month)
        });
        if filter.is_none() && period.is_none() {
            return None;
        }
        let table = rows.table.clone().or_else(|| query.table.clone());
        let query = Query { table, period, filter, ..query.clone() };
        let checked = check(&query, tables).ok().filter(|_| !own && same && made)?;
        let said = explain::of_query(&checked, many, language);
        Some((said.unwrap_or_else(|| explain_query(&checked, language)), query))
    };
    if let Some((said, query)) = plan.query.as_ref().and_then(narrowed) {
        (plan.explanation, plan.query) = (said, Some(query));
    }
    for reading in &mut plan.readings {
        if let Some((said, query)) = narrowed(&reading.query) {
            (reading.explanation, reading.query) = (said, query);
        }
    }
}

fn plan_of_one(question: &str, tables: &[Arc<TableSchema>], context: &Context<'_>) -> Plan {
    let all = plan_over(question, tables, context);
    let before = context.previous.and_then(|query| query.table.as_deref());
    let find = |name: &str| tables.iter().find(|table| table.name == name);
    let own = before.filter(|_| context.table.is_none()).and_then(find);
    let read = all.query.as_ref().or_else(|| all.readings.first().map(|r| &r.query));
    let read = read.and_then(|query| query.table.as_deref()).and_then(find);
    let (Some(own), Some(read)) = (own, read) else { return all };
    if own.name == read.name || are_related(own, read) {
        return all;
    }
    let tokens = tokenise(question);
    if tables.iter().any(|table| table.name != own.name && is_named(table, &tokens)) {
        return all;
    }
    let of_own = Context { table: Some(&own.name), ..*context };
    let mut plan = plan_over(question, tables, &of_own);
    if plan.status != Status::Ready {
        return all;
    }
    let (en, ru) = (format!(", in {}", own.name), format!(", в таблице {}", own.name));
    let named = if plan.language == Locale::Ru { ru } else { en };
    if !plan.explanation.contains(&named) {
        plan.explanation.push_str(&named);
    }
    plan
}

/// They share a key: what is asked of one may well be in the other.
fn are_related(one: &TableSchema, other: &TableSchema) -> bool {
    let key = |name: &str| super::lattice::is_id(name);
    one.columns.iter().any(|c| key(&c.name) && other.column(&c.name).is_some())
}

/// A word stands for the rows of the table.
fn is_named(table: &TableSchema, tokens: &[Token]) -> bool {
    let mut names = parts(&table.name).into_iter().chain(table.synonyms.iter().cloned());
    names.any(|name| tokens.iter().any(|token| token.stem == stem(&name)))
}

/// A word that says something when it is named as not understood: `по` does not.
pub(super) fn is_telling(token: &Token) -> bool {
    token.kind != TokenKind::Symbol && !super::lattice::is_function_word(&token.folded)
}
