//! Values for the places that a statement leaves open: one each, or a list in `IN`.

use crate::engine::errors::from_datafusion;
use crate::error::{Code, Diagnostic, Result};
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{ParamValues, ScalarValue};
use datafusion::logical_expr::expr::{InList, Placeholder};
use datafusion::logical_expr::{Expr, LogicalPlan, lit};
use serde_json::Value;

/// Binds the values of `$1` (a list) or `$name` (an object). Where a value is a list, `x IN ($name)`
/// asks for its members.
pub(super) fn bound(plan: LogicalPlan, params: &Value) -> Result<LogicalPlan> {
    let plan = with_lists(plan, params)?;
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
        node.map_expressions(|expr| expr.transform_up(|part| Ok(members(part, params))))
    });
    Ok(expanded.map_err(from_datafusion)?.data)
}

fn members(part: Expr, params: &Value) -> Transformed<Expr> {
    let Expr::InList(InList { expr, list, negated }) = part else { return Transformed::no(part) };
    let given = match list.as_slice() {
        [Expr::Placeholder(Placeholder { id, .. })] => value(id, params).and_then(Value::as_array),
        _ => None,
    };
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
        Value::Null => ScalarValue::Null,
        Value::Bool(b) => ScalarValue::Boolean(Some(*b)),
        Value::Number(n) => match n.as_i64() {
            Some(i) => ScalarValue::Int64(Some(i)),
            None => ScalarValue::Float64(n.as_f64()),
        },
        Value::String(s) => ScalarValue::Utf8(Some(s.clone())),
        other => ScalarValue::Utf8(Some(other.to_string())),
    }
}
