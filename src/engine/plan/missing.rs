//! Missing values under aggregates: they are left out, and the result says so.

use super::wide::place;
use super::{Planner, Scope};
use crate::engine::relay::Counter;
use crate::query::check::{CheckedStep, Node, Typed, Warning};
use crate::query::functions::Stand;
use arrow::array::Array;
use datafusion::logical_expr::Expr;

/// Aggregates that take missing values as they come, or say themselves what they count.
const TAKE_ALL: [&str; 4] = ["count", "count_distinct", "first", "last"];

/// What counts the missing values that aggregates leave out.
#[derive(Debug, Default)]
pub(crate) struct Missing {
    /// The columns, by their names in the query.
    pub(crate) columns: Vec<String>,
    /// Counts their missing values, in this order.
    pub(crate) counter: Counter,
}

/// Values that the aggregates of a step left out.
#[derive(Debug)]
pub(crate) struct LeftOut {
    column: String,
    missing: u64,
    of: u64,
}

impl Missing {
    /// What was left out of `rows` rows.
    pub(crate) fn left_out(self, rows: u64) -> Vec<LeftOut> {
        let missing = self.columns.into_iter().zip(self.counter.missing());
        let missing = missing.filter(|(_, missing)| *missing > 0);
        missing.map(|(column, missing)| LeftOut { column, missing, of: rows }).collect()
    }
}

impl LeftOut {
    pub(crate) fn warning(&self) -> Warning {
        let Self { column, missing, of } = self;
        let rows = if of % 10 == 1 && of % 100 != 11 { "строки" } else { "строк" };
        Warning {
            code: Warning::NULLS_LEFT_OUT,
            message: text!(
                "`{column}` has no value in {missing} of {of} rows; aggregates leave those out",
                "`{column}`: нет значения в {missing} из {of} {rows}; агрегаты их не учитывают"
            ),
        }
    }
}

impl Planner<'_> {
    /// The columns of the source with missing values that aggregates of a step leave out.
    pub(super) fn missing(&self, step: &CheckedStep, scope: &Scope) -> Missing {
        let data = &self.source.data;
        let (mut columns, mut places) = (Vec::new(), Vec::new());
        for name in left_out(step) {
            let Some(Expr::Column(column)) = scope.get(name).map(|bound| &bound.expr) else {
                continue;
            };
            let place = place(&column.name);
            let batches = data.batches().iter();
            let mut arrays = batches.filter_map(|b| place.and_then(|p| b.columns().get(p)));
            if arrays.any(|array| array.logical_null_count() > 0) {
                columns.push(name.to_owned());
                places.push(column.name.clone());
            }
        }
        Missing { columns, counter: Counter::with_missing_in(places) }
    }
}

/// The plain columns under aggregates that leave missing values out, each once.
fn left_out(step: &CheckedStep) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for measure in step.measures() {
        measure.expr.visit(&mut |part: &Typed| {
            let Node::Call { function, args } = &part.node else { return };
            if function.stand != Stand::Aggregate || TAKE_ALL.contains(&function.name) {
                return;
            }
            // Of these the second argument alone must have a value.
            let picks = ["argmin", "argmax"].contains(&function.name);
            for arg in args.iter().skip(usize::from(picks)) {
                if let Node::Column(name) = &arg.node
                    && !names.contains(&name.as_str())
                {
                    names.push(name);
                }
            }
        });
    }
    names
}
