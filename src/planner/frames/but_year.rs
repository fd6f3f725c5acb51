//! `Average close without 2022`, `not 2023` after a question: all years but one.

use super::{cut, ready};
use crate::planner::token::{Token, TokenKind, tokenise};
use crate::planner::{Context, Plan, Status, chosen, follow, language, plan_over};
use crate::schema::TableSchema;
use std::ops::Range;
use std::sync::Arc;

/// What leaves a year out, before it and before `the year`; the longer ones first.
const BUT: [&[&str]; 20] = [
    &["other", "than"],
    &["apart", "from"],
    &["aside", "from"],
    &["is", "not"],
    &["not", "counting"],
    &["not", "including"],
    &["not", "in"],
    &["not", "for"],
    &["не", "считая"],
    &["не", "за"],
    &["не", "в"],
    &["за", "исключением"],
    &["excluding"],
    &["except"],
    &["without"],
    &["outside"],
    &["not"],
    &["кроме"],
    &["без"],
    &["не"],
];
const BETWEEN: [&str; 5] = ["the", "year", "in", "for", "of"];

/// The plan of the question without the year, over the rows of the other ones.
pub(super) fn read(
    question: &str,
    tables: &[Arc<TableSchema>],
    context: &Context<'_>,
) -> Option<Plan> {
    let tokens = tokenise(question);
    let (year, said) = left_out(&tokens)?;
    let rest = cut(question, &tokens, &said);
    let words = tokenise(&rest);
    let telling =
        |t: &Token| t.kind != TokenKind::Symbol && !["and", "а", "и"].contains(&t.folded.as_str());
    let (plan, mut query) = if words.iter().any(telling) {
        let plan = plan_over(&rest, tables, context);
        let query = plan.query.clone().filter(|_| plan.status == Status::Ready)?;
        (Some(plan), query)
    } else {
        (None, context.previous?.clone())
    };
    let name = query.table.as_deref();
    let mut all = chosen(tables, context).filter(|t| name.is_none_or(|name| t.name == name));
    all.next().filter(|table| table.time.is_some() && all.next().is_none())?;
    // one year was chosen before, and now all but one
    if plan.is_none() && query.period.as_ref().is_some_and(|p| p.len() == 4) {
        query.period = None;
    }
    let but = format!("year() != {year}");
    query.filter = Some(follow::with_condition(query.filter.as_deref(), &but)?);
    let language = language::detect(&tokens, context.locale, tables);
    let notes = plan.map_or_else(language::goes_on, |plan| plan.notes);
    ready(query, language, notes, tables, context)
}

/// The one year that is left out, and the tokens that say so.
fn left_out(tokens: &[Token]) -> Option<(u16, Range<usize>)> {
    let word = |i: usize| tokens.get(i).map_or("", |t| t.folded.as_str());
    let (start, said) = (0..tokens.len()).find_map(|at| {
        let said = BUT.iter().find(|said| said.iter().zip(at..).all(|(w, i)| word(i) == *w))?;
        Some((at, said.len()))
    })?;
    let mut at = start + said;
    while BETWEEN.contains(&word(at)) {
        at += 1;
    }
    let year = word(at).parse::<u16>().ok().filter(|year| (1900..=2100).contains(year))?;
    let mut end = at + 1;
    if ["год", "года", "году", "г"].contains(&word(end)) {
        end += 1;
    }
    // `not 2022 but 2023`, `without 2022 and 2023`
    let more = tokens.get(end..).unwrap_or_default();
    if more.iter().any(|t| t.folded.parse::<u16>().is_ok_and(|n| (1900..=2100).contains(&n))) {
        return None;
    }
    // `in years other than 2022`, `where year is not 2022`
    let mut from = start;
    let lead = ["in", "where", "years", "year", "the", "for", "за", "в", "все", "годы"];
    while from.checked_sub(1).is_some_and(|i| lead.contains(&word(i))) {
        from -= 1;
    }
    // a number of rows is none of years
    let unit = ["rows", "items", "units", "times", "km", "days", "g", "строк", "раз"];
    (!unit.contains(&word(end))).then_some((year, from..end))
}
