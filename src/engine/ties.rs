//! What a limit cuts apart: of rows that are alike in what they are sorted by some are shown and some
//! are not, which nothing in the result tells.

use super::run::Finished;
use crate::query::check::{CheckedStep, Node, Warning};

use crate::value::{Rows, Value};
use std::sync::Arc;

/// Whether one row more than the limit is asked for, to see whether it is like the last.
pub(super) fn are_asked(step: &CheckedStep) -> bool {
    !step.sort().is_empty() && step.limit().is_some_and(|limit| limit > 0)
}

/// Takes away the row behind the limit; a warning where it has the same value in everything that the
/// rows are sorted by. Keys that the result has no column of are not compared.
pub(super) fn cut(step: &CheckedStep, finished: &mut Finished) -> Option<Warning> {
    let limit = step.limit().filter(|_| are_asked(step))?;
    let limit = usize::try_from(limit).ok().filter(|&limit| limit < finished.rows.len())?;
    let alike = |column: usize| {
        let [shown, next] = [limit - 1, limit].map(|row| finished.rows.value(row, column));
        shown == next && shown != Value::Null
    };
    let place = |name: &str| step.output().iter().position(|o| o.column.name == name);
    let tied = step.sort().iter().all(|key| match &key.expr.node {
        Node::Column(name) => place(name).is_some_and(alike),
        _ => false,
    });
    finished.rows = Arc::new(finished.rows.slice(0, limit));
    let by = step.sort().iter().map(|key| format!("`{}`", key.text)).collect::<Vec<_>>().join(", ");
    tied.then(|| Warning {
        code: "tied_at_limit",
        message: if step.aggregates() {
            text!(
                "more groups have the same {by} as the last one shown",
                "у последней из показанных групп то же значение {by}, что у групп за ней"
            )
        } else {
            text!(
                "more rows have the same {by} as the last one shown",
                "у последней из показанных строк то же значение {by}, что у строк за ней"
            )
        },
    })
}
