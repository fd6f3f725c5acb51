//! `Scatter plot of fare and distance`: charts here are bars and lines, and how the two go together is offered.

use crate::error::Locale;
use crate::planner::token::{Token, tokenise};
use crate::planner::{Context, Plan, Status, declined, language, plan_over, to_choose};
use crate::schema::TableSchema;
use std::sync::Arc;

/// Words of the chart and around it.
const DROPPED: [&str; 26] = [
    "a",
    "an",
    "the",
    "show",
    "me",
    "draw",
    "make",
    "plot",
    "chart",
    "graph",
    "diagram",
    "scatter",
    "scatterplot",
    "of",
    "for",
    "as",
    "покажи",
    "построй",
    "нарисуй",
    "диаграмма",
    "диаграмму",
    "график",
    "точечная",
    "точечную",
    "точечный",
    "рассеяния",
];
const TWO: [&str; 7] = ["vs", "versus", "against", "and", "и", "от", "против"];

/// The correlation of the two columns that are named, to be chosen.
pub(super) fn read(
    question: &str,
    tables: &[Arc<TableSchema>],
    context: &Context<'_>,
) -> Option<Plan> {
    let tokens = tokenise(question);
    let is = |t: &Token, words: &[&str]| words.contains(&t.folded.as_str());
    let scatter = ["scatter", "scatterplot", "рассеяния", "точечная", "точечную", "точечный"];
    tokens.iter().find(|t| is(t, &scatter))?;
    let mut said: Vec<&str> = Vec::new();
    for token in tokens.iter().filter(|t| !is(t, &DROPPED)) {
        let russian = ["и", "от", "против"].contains(&token.folded.as_str());
        let and = if russian { "и" } else { "and" };
        said.push(if is(token, &TWO) { and } else { &token.raw });
    }
    let language = language::detect(&tokens, context.locale, tables);
    let of = match language {
        Locale::En => "correlation between",
        Locale::Ru => "корреляция между",
    };
    let plan = plan_over(&format!("{of} {}", said.join(" ")), tables, context);
    let correlates = plan
        .query
        .as_ref()
        .is_some_and(|q| q.select.iter().any(|s| s.text.contains("correlation(")));
    Some(if plan.status == Status::Ready && correlates {
        Plan { language, ..to_choose(plan) }
    } else {
        declined(language, Some(language::no_scatter(language)))
    })
}
