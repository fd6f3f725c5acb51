//! Plans of what stands behind a step's result: a page of its rows, and which rows of the table went
//! into which row of the result.

use super::{
    CheckedStep, Expr, Input, Lowered, Matched, Output, Plan, Planner, Result, Source, Wanted,
    bound, finish,
};
use crate::engine::errors::from_datafusion;
use crate::engine::functions::same;
use crate::error::Error;
use crate::query::check::{Named, Typed};
use crate::value::Value;
use arrow::datatypes::DataType;
use datafusion::logical_expr::lit;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Rows of the evidence: those that left `where`, of one group where one is named.
#[derive(Debug, Clone)]
pub(crate) struct Evidence {
    /// Names and values of the group's keys.
    pub(crate) group: Vec<(String, Value)>,
    /// Names of the columns wanted.
    pub(crate) columns: Vec<String>,
    /// Rows to leave out at the start.
    pub(crate) offset: usize,
    /// Rows at most.
    pub(crate) limit: usize,
}

/// The plan of a page of a step's evidence.
pub(crate) fn evidence_plan(
    step: &CheckedStep,
    source: &Source,
    done: &Arc<AtomicU64>,
    wanted: &Evidence,
) -> Result<Plan> {
    let mut planner = Planner::new(source, done)?;
    let input = planner.input(step)?;
    let plan = planner.evidence(step, input, wanted)?;
    Ok(planner.counted(plan))
}

/// The plan of the rows behind a step's groups: for each group, those that `limit` cuts included and in
/// the order of the result, the number of its first row and the values of `measures`.
pub(crate) fn groups_plan(
    step: &CheckedStep,
    source: &Source,
    done: &Arc<AtomicU64>,
    measures: &[&Named],
) -> Result<Plan> {
    let mut planner = Planner::new(source, done)?;
    let input = planner.input(step)?;
    let plan = planner.groups(step, input, Wanted::Firsts(measures))?;
    Ok(planner.counted(plan))
}

/// The plan of the numbers of the rows that a step of rows shows.
pub(crate) fn shown_plan(
    step: &CheckedStep,
    source: &Source,
    done: &Arc<AtomicU64>,
) -> Result<Plan> {
    let mut planner = Planner::new(source, done)?;
    let input = planner.input(step)?;
    let plan = planner.rows(step, input, true)?;
    Ok(planner.counted(plan))
}

/// The plan of what a step's groups are made from: of each row that left `where`, in row order, its
/// number, the group keys, for each of `counted` whether none of the expressions is null, and
/// `values`.
pub(crate) fn members_plan(
    step: &CheckedStep,
    source: &Source,
    done: &Arc<AtomicU64>,
    counted: &[Vec<&Typed>],
    values: &[&Typed],
) -> Result<Plan> {
    let mut planner = Planner::new(source, done)?;
    let input = planner.input(step)?;
    let plan = planner.members(step, input, counted, values)?;
    Ok(planner.counted(plan))
}

impl Planner<'_> {
    /// What the groups are made from.
    fn members(
        &mut self,
        query: &CheckedStep,
        input: Input,
        counted: &[Vec<&Typed>],
        values: &[&Typed],
    ) -> Result<Plan> {
        let mut output = vec![self.number()];
        for key in query.keys() {
            output.push(self.lower(&key.expr, &input.scope)?);
        }
        for arguments in counted {
            let mut known = lit(true);
            for argument in arguments {
                known = known.and(self.lower(argument, &input.scope)?.expr.is_not_null());
            }
            output.push(Lowered::new(known, DataType::Boolean, 0));
        }
        for value in values {
            output.push(self.lower(value, &input.scope)?);
        }
        let computed = output.iter().map(Lowered::comparable).chain(&input.filter);
        let mut plan = self.base(computed)?;
        if let Some(filter) = input.filter {
            plan = plan.filter(filter).map_err(from_datafusion)?;
        }
        finish(plan, &output, 0, None, Matched::All, None)
    }

    /// The rows that left `where`, in row order.
    fn evidence(&mut self, query: &CheckedStep, input: Input, wanted: &Evidence) -> Result<Plan> {
        let mut conditions: Vec<Expr> = input.filter.into_iter().collect();
        for (name, value) in &wanted.group {
            let key = query.keys().iter().find(|key| key.name == *name);
            let key = key.ok_or_else(|| Error::Internal("no such group key".into()))?;
            let lowered = self.lower(&key.expr, &input.scope)?;
            conditions.push(same(&lowered, value, key.expr.kind));
        }
        let mut output = Vec::new();
        for name in &wanted.columns {
            output.push(bound(&input.scope, name)?.clone());
        }
        let output = Output::of(output, self.number(), &self.source.data);
        let mut plan = self.base(conditions.iter().chain(output.exprs()))?;
        let mut matched = Matched::All;
        if let Some(condition) = conditions.into_iter().reduce(Expr::and) {
            plan = plan.filter(condition).map_err(from_datafusion)?;
            matched = Matched::Pass(Self::count(plan.clone())?);
        }
        output.finish(plan, wanted.offset, Some(wanted.limit), matched)
    }
}
