//! Arithmetic that is exact or says that it is not: DataFusion's own lets whole numbers and decimals
//! wrap around and doubles be infinite, so that `+`, `-`, `*`, `sum` and the mean and median of decimals
//! are the language's here, too, and division by zero gives null.

use crate::engine::errors::from_datafusion;
use crate::engine::udf::{arith, sum};
use crate::error::Result;
use crate::query::ast::Arith;
use arrow::datatypes::DataType;
use datafusion::common::DFSchema;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::functions::core::nullif;
use datafusion::functions_aggregate::average::avg_udaf;
use datafusion::functions_aggregate::median::median_udaf;
use datafusion::functions_aggregate::sum::sum_udaf;
use datafusion::logical_expr::expr::{AggregateFunctionParams, WindowFunctionParams};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::utils::merge_schema;
use datafusion::logical_expr::{
    AggregateUDF, BinaryExpr, Expr, ExprSchemable, GroupingSet, LogicalPlan, Operator,
    WindowFunctionDefinition, cast, lit,
};
use std::sync::Arc;

/// The plan with exact arithmetic, under the same names.
pub(super) fn exact(plan: LogicalPlan) -> Result<LogicalPlan> {
    let exact = plan.transform_up_with_subqueries(|node| {
        let schema = merge_schema(&node.inputs());
        // What stands above calls a column by the text of its expression.
        let names = NamePreserver::new(&node);
        let node = node.map_expressions(|expr| {
            if let Expr::GroupingSet(sets) = expr {
                return grouping(sets, &names, &schema);
            }
            let name = names.save(&expr);
            Ok(rewrite(expr, &schema)?.update_data(|expr| name.restore(expr)))
        })?;
        // Types may have become wider, here or below.
        Ok(Transformed::new(node.data.recompute_schema()?, true, node.tnr))
    });
    Ok(exact.map_err(from_datafusion)?.data)
}

type Rewritten<T> = datafusion::error::Result<Transformed<T>>;

/// The members of `ROLLUP` and its like have names of their own.
fn grouping(sets: GroupingSet, names: &NamePreserver, schema: &DFSchema) -> Rewritten<Expr> {
    let all = |list: Vec<Expr>| -> datafusion::error::Result<Vec<Expr>> {
        let members = list.into_iter().map(|expr| {
            let name = names.save(&expr);
            Ok(name.restore(rewrite(expr, schema)?.data))
        });
        members.collect()
    };
    let sets = match sets {
        GroupingSet::Rollup(list) => GroupingSet::Rollup(all(list)?),
        GroupingSet::Cube(list) => GroupingSet::Cube(all(list)?),
        GroupingSet::GroupingSets(lists) => {
            GroupingSet::GroupingSets(lists.into_iter().map(all).collect::<Result<_, _>>()?)
        }
    };
    Ok(Transformed::yes(Expr::GroupingSet(sets)))
}

fn rewrite(expr: Expr, schema: &DFSchema) -> Rewritten<Expr> {
    let numeric = |x: &Expr| x.get_type(schema).is_ok_and(|ty| ty.is_numeric());
    let whole = |x: &Expr| x.get_type(schema).is_ok_and(|ty| ty.is_integer() || ty.is_decimal());
    let decimal = |x: Option<&Expr>| {
        x.and_then(|x| x.get_type(schema).ok()).is_some_and(|ty| ty.is_decimal())
    };
    expr.transform_up(|part| {
        Ok(match part {
            Expr::BinaryExpr(BinaryExpr { left, op, right })
                if numeric(&left) && numeric(&right) =>
            {
                let exact = whole(&left) && whole(&right);
                match op {
                    Operator::Plus => Transformed::yes(arith::call(Arith::Add, *left, *right)),
                    Operator::Minus => Transformed::yes(arith::call(Arith::Sub, *left, *right)),
                    Operator::Multiply => Transformed::yes(arith::call(Arith::Mul, *left, *right)),
                    Operator::Divide if !exact => {
                        Transformed::yes(arith::call(Arith::Div, *left, *right))
                    }
                    // Quotients of whole numbers are whole in SQL, and remainders have the sign of
                    // the dividend, unlike in the language.
                    Operator::Divide | Operator::Modulo => {
                        let whole = exact && !decimal(Some(&left)) && !decimal(Some(&right));
                        let wide = |x| if whole { cast(x, DataType::Int64) } else { x };
                        let (left, right) = (wide(*left), wide(*right));
                        let right = nullif().call(vec![right, lit(0_i64)]);
                        let (left, right) = (Box::new(left), Box::new(right));
                        Transformed::yes(Expr::BinaryExpr(BinaryExpr { left, op, right }))
                    }
                    _ => Transformed::no(Expr::BinaryExpr(BinaryExpr { left, op, right })),
                }
            }
            Expr::Negative(x) if whole(&x) => {
                Transformed::yes(arith::call(Arith::Sub, lit(0_i64), *x))
            }
            Expr::AggregateFunction(mut call) => {
                let AggregateFunctionParams { args, .. } = &mut call.params;
                if is(&call.func, &sum_udaf()) && args.first().is_some_and(whole) {
                    call.func = sum::sum();
                } else if is_mean(&call.func) && decimal(args.first()) {
                    *args = doubles(std::mem::take(args));
                }
                Transformed::yes(Expr::AggregateFunction(call))
            }
            Expr::WindowFunction(mut call) => {
                let WindowFunctionParams { args, .. } = &mut call.params;
                if let WindowFunctionDefinition::AggregateUDF(function) = &call.fun {
                    if is(function, &sum_udaf()) && args.first().is_some_and(whole) {
                        call.fun = WindowFunctionDefinition::AggregateUDF(sum::sum());
                    } else if is_mean(function) && decimal(args.first()) {
                        *args = doubles(std::mem::take(args));
                    }
                }
                Transformed::yes(Expr::WindowFunction(call))
            }
            other => Transformed::no(other),
        })
    })
}

fn is(function: &Arc<AggregateUDF>, other: &Arc<AggregateUDF>) -> bool {
    function.name() == other.name()
}

/// Whether DataFusion has it round to the digits of decimals.
fn is_mean(function: &Arc<AggregateUDF>) -> bool {
    is(function, &avg_udaf()) || is(function, &median_udaf())
}

fn doubles(args: Vec<Expr>) -> Vec<Expr> {
    args.into_iter().map(|x| cast(x, DataType::Float64)).collect()
}
