//! What a statement may depend on: columns of tables, and the order of their rows.

use super::super::errors::from_datafusion;
use super::{Reads, Visible};
use crate::error::Result;
use crate::query::check::ResultKind;
use datafusion::common::JoinConstraint;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::{Distinct, Expr, LogicalPlan};
use std::collections::BTreeSet;

/// Aggregates whose value is up to the order of the rows.
const ORDERED: [&str; 2] = ["first_value", "last_value"];

/// The columns of tables that a statement may depend on: of the tables that it scans, every column
/// whose name occurs in an expression anywhere in the plan, where wildcards are columns by name, and
/// the time column, in whose order the rows stand. Only values of aggregates of all rows do not
/// depend on that. Then whether one of the tables has rows of several series.
pub(super) fn reads_of(
    plan: &LogicalPlan,
    kind: ResultKind,
    tables: &[Visible],
) -> Result<(Reads, bool)> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut scanned: BTreeSet<String> = BTreeSet::new();
    let mut ordered = !matches!(kind, ResultKind::Scalar | ResultKind::Dict);
    let visited = plan.apply_with_subqueries(|node| {
        match node {
            LogicalPlan::TableScan(scan) => {
                scanned.insert(scan.table_name.table().to_owned());
            }
            LogicalPlan::Join(join) if join.join_constraint == JoinConstraint::Using => {
                names.extend(join.schema.fields().iter().map(|field| field.name().clone()));
            }
            LogicalPlan::Window(_)
            | LogicalPlan::Limit(_)
            | LogicalPlan::Distinct(Distinct::On(_)) => ordered = true,
            LogicalPlan::Sort(sort) => ordered |= sort.fetch.is_some(),
            _ => {}
        }
        node.apply_expressions(|expr| {
            expr.apply(|part| {
                match part {
                    Expr::Column(column) | Expr::OuterReferenceColumn(_, column) => {
                        names.insert(column.name.clone());
                    }
                    Expr::WindowFunction(_) => ordered = true,
                    Expr::AggregateFunction(call) => {
                        ordered |= ORDERED.contains(&call.func.name());
                    }
                    _ => {}
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })
    });
    visited.map_err(from_datafusion)?;
    let scanned = tables.iter().filter(|t| scanned.contains(&t.schema.name));
    let columns = scanned.clone().flat_map(|t| {
        let time = t.schema.time.as_ref().filter(|_| ordered);
        let columns = t.schema.columns.iter().map(|c| &c.name).filter(|name| names.contains(*name));
        columns.chain(time).map(|name| (t.schema.name.clone(), name.clone()))
    });
    let series = scanned.clone().any(|t| t.schema.series.is_some());
    Ok((columns.collect(), series))
}
