//! Values for the places that a statement leaves open: one each, or a list in `IN`.

use crate::engine::errors::from_datafusion;
use crate::error::{Code, Diagnostic, Result};
use datafusion::common::tree_node::{Transformed, TreeNode, TreeNodeRecursion};
use datafusion::common::{ParamValues, ScalarValue};
use datafusion::logical_expr::expr::{InList, Placeholder};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, LogicalPlan, lit};
use serde_json::Value;

/// A list in `IN` has at most so many members.
const MOST_MEMBERS: usize = 100_000;

/// Binds the values of `$1` (a list) or `$name` (an object). Where a value is a list, `x IN ($name)`
/// asks for its members; a list stands nowhere else, an object nowhere at all.
pub(super) fn bound(plan: LogicalPlan, params: &Value) -> Result<LogicalPlan> {
    let plan = with_lists(plan, params)?;
    if holds_a_list(&plan, params)? {
        let message = text!(
            "a list stands alone in `IN ($name)`, of plain values and at most {MOST_MEMBERS} of them",
            "список стоит один в `IN ($name)`: простые значения, не больше {MOST_MEMBERS}"
        );
        return Err(Diagnostic::new(Code::SqlRejected, message).into());
    }
    let values = match params {
        Value::Object(named) => ParamValues::from(
            named.iter().map(|(name, value)| (name.clone(), scalar(value))).collect::<Vec<_>>(),
        ),
        Value::Array(list) => ParamValues::from(list.iter().map(scalar).collect::<Vec<_>>()),
        _ => ParamValues::from(Vec::<ScalarValue>::new()),
    };
    plan.with_param_values(values).map_err(|_| {
        let message = text!(
            "a parameter of the statement has no value of a type that fits it",
            "у параметра запроса нет значения подходящего типа"
        );
        Diagnostic::new(Code::SqlRejected, message).into()
    })
}

/// The plan with the members of lists in place of the parameters that stand for them in `IN`.
fn with_lists(plan: LogicalPlan, params: &Value) -> Result<LogicalPlan> {
    let expanded = plan.transform_up_with_subqueries(|node| {
        // What stands above calls a column by the text of its expression.
        let names = NamePreserver::new(&node);
        node.map_expressions(|expr| {
            let name = names.save(&expr);
            let expanded = expr.transform_up(|part| Ok(members(part, params)))?;
            Ok(expanded.update_data(|expr| name.restore(expr)))
        })
    });
    Ok(expanded.map_err(from_datafusion)?.data)
}

/// Whether a list or an object is asked for that is not in its place.
fn holds_a_list(plan: &LogicalPlan, params: &Value) -> Result<bool> {
    let mut found = false;
    let visited = plan.apply_with_subqueries(|node| {
        node.apply_expressions(|expr| {
            expr.apply(|part| {
                if let Expr::Placeholder(Placeholder { id, .. }) = part {
                    found |= value(id, params).is_some_and(|v| v.is_array() || v.is_object());
                }
                Ok(TreeNodeRecursion::Continue)
            })
        })
    });
    visited.map_err(from_datafusion)?;
    Ok(found)
}

fn members(part: Expr, params: &Value) -> Transformed<Expr> {
    let Expr::InList(InList { expr, list, negated }) = part else { return Transformed::no(part) };
    let given = match list.as_slice() {
        [Expr::Placeholder(Placeholder { id, .. })] => value(id, params).and_then(Value::as_array),
        _ => None,
    };
    let plain = |given: &&Vec<Value>| {
        given.len() <= MOST_MEMBERS && !given.iter().any(|v| v.is_array() || v.is_object())
    };
    let given = given.filter(plain);
    let Some(given) = given else {
        return Transformed::no(Expr::InList(InList { expr, list, negated }));
    };
    if given.is_empty() {
        return Transformed::yes(lit(negated));
    }
    let list = given.iter().map(|member| lit(scalar(member))).collect();
    Transformed::yes(Expr::InList(InList { expr, list, negated }))
}

/// What is given for `$1` or `$name`.
fn value<'a>(id: &str, params: &'a Value) -> Option<&'a Value> {
    let name = id.trim_start_matches('$');
    match params {
        Value::Object(named) => named.get(name),
        Value::Array(list) => list.get(name.parse::<usize>().ok()?.checked_sub(1)?),
        _ => None,
    }
}

fn scalar(json: &Value) -> ScalarValue {
    match json {
        // No place of a plan asks for a list or an object.
        Value::Null | Value::Array(_) | Value::Object(_) => ScalarValue::Null,
        Value::Bool(b) => ScalarValue::Boolean(Some(*b)),
        Value::Number(n) => match n.as_i64() {
            Some(i) => ScalarValue::Int64(Some(i)),
            None => ScalarValue::Float64(n.as_f64()),
        },
        Value::String(s) => ScalarValue::Utf8(Some(s.clone())),
    }
}
