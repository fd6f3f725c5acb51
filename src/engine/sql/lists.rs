//! Lists in statements: they are selected, tested with `IS NULL`, counted, sorted by and told apart as
//! a whole. DataFusion would fail at anything else, and late.

use crate::engine::errors::from_datafusion;
use crate::error::{Code, Diagnostic, Error, Result};
use arrow::datatypes::DataType;
use datafusion::common::DFSchema;
use datafusion::common::tree_node::{TreeNode, TreeNodeRecursion};
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{Expr, ExprSchemable, LogicalPlan};

/// Refuses a plan that takes a list for one value.
pub(super) fn only_whole(plan: &LogicalPlan) -> Result<()> {
    let mut found = false;
    let visited = plan.apply_with_subqueries(|node| {
        // `unnest` is no function of a list to DataFusion, but a step of its own.
        found |= matches!(node, LogicalPlan::Unnest(_));
        let schema = merge_schema(&node.inputs());
        node.apply_expressions(|expr| {
            expr.apply(|part| {
                found |= !takes_lists(part) && has_lists(part, &schema)?;
                Ok(if found { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
            })
        })
    });
    visited.map_err(from_datafusion)?;
    if !found {
        return Ok(());
    }
    let message = text!(
        "a list stands where one value is wanted: a statement selects lists, tests them with `IS NULL`, counts them, sorts by them and tells equal ones with `DISTINCT`",
        "список стоит там, где нужно одно значение: запрос выбирает списки, проверяет их через `IS NULL`, считает, сортирует по ним и различает через `DISTINCT`"
    );
    Err(Diagnostic::new(Code::SqlRejected, message).into())
}

/// Refuses a list among groups or single values.
pub(super) fn not_told(name: &str) -> Error {
    let message = text!(
        "`{name}` of the result is a list: only rows hold lists, groups and single values do not",
        "`{name}` в результате – список: списки бывают только в строках, а не в группах и отдельных значениях"
    );
    Diagnostic::new(Code::SqlRejected, message).into()
}

/// An expression that may stand around a list.
fn takes_lists(expr: &Expr) -> bool {
    match expr {
        Expr::Alias(_) | Expr::IsNull(_) | Expr::IsNotNull(_) => true,
        Expr::AggregateFunction(call) => call.func.name() == "count" && !call.params.distinct,
        _ => false,
    }
}

/// Something of which an expression is made is a list.
fn has_lists(expr: &Expr, schema: &DFSchema) -> datafusion::error::Result<bool> {
    let mut lists = false;
    expr.apply_children(|child| {
        lists |= matches!(child.get_type(schema), Ok(DataType::List(_)));
        Ok(if lists { TreeNodeRecursion::Stop } else { TreeNodeRecursion::Continue })
    })?;
    Ok(lists)
}
