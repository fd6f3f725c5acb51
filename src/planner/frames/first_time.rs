//! `When did it first close above 19000`, `когда цена впервые превысила 19000`: the first row that does.

use super::{one_of, ready};
use crate::planner::stem::is_cyrillic;
use crate::planner::token::{Token, TokenKind, tokenise};
use crate::planner::{Context, Plan, Status, chosen, plan_over};
use crate::query::{Query, format};
use crate::schema::TableSchema;
use std::sync::Arc;

/// What bounds a number from below, and from above.
const ABOVE: &str = "above over exceed exceeded exceeds surpass surpassed top topped выше превысила превысил превысило \
                     превысили превышает больше";
const BELOW: &str = "below under ниже меньше";
/// Words that say nothing of what it is.
const AROUND: &str = "when did was were does is the a for time first it go went gone get got rise rose climb fall fell drop \
                      dropped price market trade was когда впервые раз в первый цена рынок она он оно поднялась поднялся \
                      поднялось опустилась опустился упала упал упало стала стал стало была был";
const CLOSED: &str =
    "closed close closing закрылась закрылся закрылось закрытие закрылись закрытия";

/// The plan of such a question: the rows within the bound, the first of them.
pub(super) fn read(
    question: &str,
    tables: &[Arc<TableSchema>],
    context: &Context<'_>,
) -> Option<Plan> {
    let mut tokens = tokenise(question);
    while tokens.last().is_some_and(|t| t.kind == TokenKind::Symbol) {
        tokens.pop();
    }
    let has = |list: &str| tokens.iter().any(|t| one_of(list, &t.folded));
    let asks = tokens.first().is_some_and(|t| one_of("when когда", &t.folded));
    if !(asks && has("first впервые первый")) {
        return None;
    }
    let (number, before) = tokens.split_last()?;
    let (bound, before) = before.split_last()?;
    let above = one_of(ABOVE, &bound.folded);
    if !matches!(number.kind, TokenKind::Number { .. }) || !(above || one_of(BELOW, &bound.folded))
    {
        return None;
    }
    let russian = tokens.iter().any(|t| t.folded.chars().any(is_cyrillic));
    let subject = |t: &&Token| !one_of(AROUND, &t.folded) && !one_of(CLOSED, &t.folded);
    let named: Vec<&str> = before.iter().filter(subject).map(|t| t.raw.as_str()).collect();
    let of = match (
        &named[..],
        has("price close closed closing цена закрылась закрылся it market рынок"),
    ) {
        ([], true) => "close".to_owned(),
        ([], false) => return None,
        (named, _) => named.join(" "),
    };
    let number = &number.raw;
    let said = match (russian, above) {
        (false, true) => format!("rows with {of} above {number}"),
        (false, false) => format!("rows with {of} below {number}"),
        (true, true) => format!("строки, где {of} больше {number}"),
        (true, false) => format!("строки, где {of} меньше {number}"),
    };
    let plan = plan_over(&said, tables, &Context { previous: None, ..*context });
    let query = plan.query.filter(|_| plan.status == Status::Ready)?;
    let rows = query.select.is_empty() && query.steps.is_empty() && query.limit.is_none();
    let mut all =
        chosen(tables, context).filter(|t| query.table.as_ref().is_none_or(|name| t.name == *name));
    let (Some(table), None) = (all.next(), all.next()) else { return None };
    let time = table.time.as_deref().filter(|_| rows && query.filter.is_some())?;
    let query = Query { sort: vec![format::name(time)], limit: Some(1), ..query };
    ready(query, plan.language, plan.notes, tables, context)
}
