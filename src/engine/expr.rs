//! Expressions: from the query's resolved tree to DataFusion's.
//!
//! Columns have names of the engine's own while a plan runs (`c3` of the table, `m0` made by `map`,
//! `w0` a window, `k0` a key, `a0` an aggregate), so that no name of the user's can clash. Windows
//! cannot stand inside other expressions of a plan: they are taken out into stages that run before.

use super::tables::{arrow_type, kind_of};
use super::udf::calendar::Part;
use super::udf::math::Math;
use super::udf::trading::trading_day;
use super::udf::{arith, decimal};
use crate::error::{Error, Result};
use crate::query::ast::{Arith, Compare};
use crate::query::check::{Domain, Node, Typed};
use crate::query::functions::Stand;
use crate::schema::Kind;
use crate::value::{Decimal, MOST_DIGITS, Value};
use arrow::array::StringArray;
use arrow::datatypes::DataType;
use datafusion::common::{Column, ScalarValue};
use datafusion::logical_expr::{Expr, Operator, SortExpr, binary_expr, cast, lit, not};
use std::collections::HashMap;
use std::sync::Arc;

/// Integers that stand for text.
#[derive(Debug, Clone)]
pub(crate) struct Code {
    /// The integer, an Int32.
    pub(crate) expr: Expr,
    /// The text of each integer from 0 on, in the order in which the values sort.
    pub(crate) names: Arc<StringArray>,
    /// Whose order the integers have, where it is not the alphabet's.
    pub(crate) domain: Option<Domain>,
}

impl Code {
    /// The code of a text; −1, which no row has, for a text that does not occur.
    fn of(&self, text: &str) -> Expr {
        let place = self.names.iter().position(|name| name == Some(text));
        lit(place.map_or(-1, |place| place as i32))
    }
}

/// A lowered expression.
#[derive(Debug, Clone)]
pub(crate) struct Lowered {
    /// What computes it.
    pub(crate) expr: Expr,
    /// The type of its values.
    pub(crate) ty: DataType,
    /// The number of stages that must have run before it can.
    pub(crate) ready: usize,
    /// The same values as integers, where they have such.
    pub(crate) code: Option<Code>,
}

impl Lowered {
    /// An expression that needs `ready` stages.
    pub(crate) fn new(expr: Expr, ty: DataType, ready: usize) -> Self {
        Self { expr, ty, ready, code: None }
    }

    /// Its values as `kind`.
    pub(crate) fn fit(self, kind: Kind) -> Expr {
        let wanted = arrow_type(kind);
        match (&self.ty, kind) {
            (ty, _) if *ty == wanted => self.expr,
            (ty, Kind::Int) if ty.is_floating() => Math::Integer.call(vec![self.expr]),
            (ty, Kind::Decimal(scale)) if decimal::scale_of(ty).is_some() => {
                decimal::fit(self.expr, scale)
            }
            _ => cast(self.expr, wanted),
        }
    }

    /// What to sort, group or count it by: its codes where it has such.
    pub(crate) fn comparable(&self) -> &Expr {
        self.code.as_ref().map_or(&self.expr, |code| &code.expr)
    }
}

/// Names in sight and what they stand for.
pub(crate) type Scope = HashMap<String, Lowered>;

/// The column of the plan with this name of the engine's.
pub(crate) fn column(name: &str) -> Expr {
    Expr::Column(Column::new_unqualified(name))
}

/// A step that adds columns.
#[derive(Debug)]
pub(crate) enum Stage {
    /// Expressions over one row.
    Project(Vec<(String, Expr)>),
    /// Window functions.
    Window(Vec<(String, Expr)>),
}

/// The steps that add columns before the filter, as few as the dependencies allow.
#[derive(Debug, Default)]
pub(crate) struct Stages {
    pub(crate) list: Vec<Stage>,
    windows: Vec<(Expr, String, usize)>,
}

impl Stages {
    /// Adds an expression that needs `ready` stages; the number of stages its column needs.
    pub(crate) fn project(&mut self, name: &str, expr: Expr, ready: usize) -> usize {
        for (i, stage) in self.list.iter_mut().enumerate().skip(ready) {
            if let Stage::Project(list) = stage {
                list.push((name.to_owned(), expr));
                return i + 1;
            }
        }
        self.list.push(Stage::Project(vec![(name.to_owned(), expr)]));
        self.list.len()
    }

    /// How many window functions there are.
    pub(crate) fn windows(&self) -> usize {
        self.windows.len()
    }

    /// Adds a window function that needs `ready` stages, once; its column, and the number of stages
    /// the column needs.
    pub(crate) fn window(&mut self, expr: Expr, ready: usize) -> (Expr, usize) {
        if let Some((_, name, ready)) = self.windows.iter().find(|(e, _, _)| *e == expr) {
            return (column(name), *ready);
        }
        let name = format!("w{}", self.windows.len());
        let mut place = None;
        for (i, stage) in self.list.iter_mut().enumerate().skip(ready) {
            // What DataFusion computes together has the same partitions and order.
            if let Stage::Window(list) = stage
                && list.first().is_none_or(|(_, other)| sorting(other) == sorting(&expr))
            {
                list.push((name.clone(), expr.clone()));
                place = Some(i + 1);
                break;
            }
        }
        let ready = place.unwrap_or_else(|| {
            self.list.push(Stage::Window(vec![(name.clone(), expr.clone())]));
            self.list.len()
        });
        let place = column(&name);
        self.windows.push((expr, name, ready));
        (place, ready)
    }
}

/// The partitions and the order that a window function needs.
fn sorting(window: &Expr) -> Option<(&[Expr], &[SortExpr])> {
    match window {
        Expr::WindowFunction(window) => {
            Some((&window.params.partition_by, &window.params.order_by))
        }
        _ => None,
    }
}

/// Whether a window function needs its rows in another order than that of `row`: by series, or by
/// the values it picks an extreme of.
pub(crate) fn reorders(window: &Expr, row: &Expr) -> bool {
    sorting(window).is_some_and(|(partitions, order)| {
        !partitions.is_empty() || order.first().is_some_and(|first| first.expr != *row)
    })
}

/// The aggregates of a query, each once.
#[derive(Debug, Default)]
pub(crate) struct Aggregates {
    pub(crate) list: Vec<Expr>,
}

impl Aggregates {
    /// Adds an aggregate; its column after the aggregation.
    pub(crate) fn add(&mut self, expr: Expr) -> Expr {
        let place = self.list.iter().position(|e| *e == expr).unwrap_or_else(|| {
            self.list.push(expr);
            self.list.len() - 1
        });
        column(&format!("a{place}"))
    }
}

/// What lowering needs to know and collects.
pub(crate) struct Lowering<'a> {
    /// What column names stand for.
    pub(crate) scope: &'a Scope,
    /// What they stand for inside aggregates.
    pub(crate) inner: &'a Scope,
    /// An aggregate is the value of all rows of its series, and not of a group.
    pub(crate) broadcast: bool,
    /// The row number.
    pub(crate) row: Expr,
    /// The series column.
    pub(crate) series: Option<Expr>,
    /// True on the rows of the period; none where the plan has no others. Windows and lags look at
    /// all rows; what is cumulative, ranks or is one value for all rows sees only these.
    pub(crate) period: Option<Expr>,
    /// What makes the calendar date of a timestamp its trading date, in microseconds.
    pub(crate) shift: i64,
    /// The rows are in time order.
    pub(crate) in_time: bool,
    /// Windows go here.
    pub(crate) stages: &'a mut Stages,
    /// Aggregates go here.
    pub(crate) aggregates: &'a mut Aggregates,
}

impl Lowering<'_> {
    /// The expression for DataFusion.
    pub(crate) fn lower(&mut self, typed: &Typed) -> Result<Lowered> {
        match &typed.node {
            Node::Literal(value) => {
                let value = literal(value, typed.kind);
                let ty = value.data_type();
                Ok(Lowered::new(Expr::Literal(value, None), ty, 0))
            }
            Node::Column(name) => match self.scope.get(name) {
                Some(bound) => Ok(bound.clone()),
                None => Err(Error::Internal("a column that the plan does not have".into())),
            },
            // From zero, and not by a sign change: that of zero is zero, and integers are checked.
            Node::Neg(x) => {
                let x = self.lower(x)?;
                Ok(arithmetic(Arith::Sub, Lowered::new(lit(0i64), DataType::Int64, 0), x))
            }
            Node::Not(x) => {
                let x = self.lower(x)?;
                Ok(Lowered::new(not(x.expr), DataType::Boolean, x.ready))
            }
            Node::Arith(op, a, b) => {
                let (a, b) = (self.lower(a)?, self.lower(b)?);
                Ok(arithmetic(*op, a, b))
            }
            Node::Compare(op, a, b) => self.compare(*op, a, b),
            Node::In { value, list, negated } => self.membership(value, list, *negated),
            Node::And(list) => self.connect(list, Operator::And),
            Node::Or(list) => self.connect(list, Operator::Or),
            Node::Call { function, args } => match function.stand {
                Stand::Row => self.row_call(function.name, args, typed.kind),
                Stand::Window => self.window_call(function.name, args),
                Stand::Aggregate => self.aggregate_call(function.name, args),
            },
        }
    }

    /// The trading date of a date or timestamp: the date wherever one is meant. Dates are their own.
    pub(crate) fn trading_day(&self, x: Lowered) -> Lowered {
        if x.ty == DataType::Date32 {
            return x;
        }
        let expr =
            if self.shift == 0 { Part::Date.call(x.expr) } else { trading_day(x.expr, self.shift) };
        Lowered::new(expr, DataType::Date32, x.ready)
    }

    /// Lowers each; the most stages that one of them needs.
    pub(crate) fn lower_all(&mut self, list: &[Typed]) -> Result<(Vec<Lowered>, usize)> {
        let lowered = list.iter().map(|x| self.lower(x)).collect::<Result<Vec<_>>>()?;
        let ready = lowered.iter().map(|x| x.ready).max().unwrap_or(0);
        Ok((lowered, ready))
    }

    fn compare(&mut self, op: Compare, a: &Typed, b: &Typed) -> Result<Lowered> {
        let (left, right) = (self.lower(a)?, self.lower(b)?);
        let ready = left.ready.max(right.ready);
        let operator = match op {
            Compare::Lt => Operator::Lt,
            Compare::Le => Operator::LtEq,
            Compare::Gt => Operator::Gt,
            Compare::Ge => Operator::GtEq,
            Compare::Eq => Operator::Eq,
            Compare::Ne => Operator::NotEq,
        };
        let equality = matches!(op, Compare::Eq | Compare::Ne);
        let expr = match (&left.code, text(b), &right.code, text(a)) {
            (Some(code), Some(text), _, _) | (_, _, Some(code), Some(text)) if equality => {
                binary_expr(code.expr.clone(), operator, code.of(text))
            }
            _ => {
                let (left, right) = in_order((a, left), (b, right));
                binary_expr(left, operator, right)
            }
        };
        Ok(Lowered::new(expr, DataType::Boolean, ready))
    }

    fn membership(&mut self, value: &Typed, list: &[Value], negated: bool) -> Result<Lowered> {
        let kind = value.kind;
        let value = self.lower(value)?;
        let expr = if let Some(code) = &value.code {
            let codes = list.iter().filter_map(Value::as_str).map(|text| code.of(text)).collect();
            code.expr.clone().in_list(codes, negated)
        } else {
            let constants = list.iter().map(|v| Expr::Literal(literal(v, kind), None)).collect();
            value.expr.in_list(constants, negated)
        };
        Ok(Lowered::new(expr, DataType::Boolean, value.ready))
    }

    fn connect(&mut self, list: &[Typed], operator: Operator) -> Result<Lowered> {
        let (list, ready) = self.lower_all(list)?;
        let joined = list.into_iter().map(|x| x.expr).reduce(|a, b| binary_expr(a, operator, b));
        Ok(Lowered::new(joined.unwrap_or_else(|| lit(true)), DataType::Boolean, ready))
    }
}

/// `a op b`.
fn arithmetic(op: Arith, a: Lowered, b: Lowered) -> Lowered {
    let ty = arith::result_type(op, &a.ty, &b.ty);
    let ready = a.ready.max(b.ready);
    Lowered::new(arith::call(op, a.expr, b.expr), ty, ready)
}

/// Two operands of a comparison as DataFusion compares them. It would bring numbers to a type that
/// may be too narrow for a decimal: here they keep all their digits, or are doubles both.
fn in_order((a, left): (&Typed, Lowered), (b, right): (&Typed, Lowered)) -> (Expr, Expr) {
    let of = |x: &Lowered| match kind_of(&x.ty) {
        Some(Kind::Decimal(scale)) => Some(scale),
        _ => None,
    };
    let constant = |x: &Typed, scale| match &x.node {
        Node::Literal(value) => value
            .as_decimal()
            .filter(|_| x.kind != Some(Kind::Float))
            .and_then(|exact| exact.rescale(scale))
            .map(|exact| Expr::Literal(literal(&Value::Decimal(exact), None), None)),
        _ => None,
    };
    match (of(&left), of(&right)) {
        (None, None) => (left.expr, right.expr),
        (a, b) if a == b => (left.expr, right.expr),
        _ if left.ty.is_floating() || right.ty.is_floating() => {
            (left.fit(Kind::Float), right.fit(Kind::Float))
        }
        (of_left, of_right) => {
            if let Some(right) = of_left.and_then(|scale| constant(b, scale)) {
                (left.expr, right)
            } else if let Some(left) = of_right.and_then(|scale| constant(a, scale)) {
                (left, right.expr)
            } else {
                (decimal::order(left.expr, right.expr), lit(0i64))
            }
        }
    }
}

/// The text of a text constant.
fn text(typed: &Typed) -> Option<&str> {
    match &typed.node {
        Node::Literal(value) => value.as_str(),
        _ => None,
    }
}

/// A constant of `kind`.
pub(crate) fn literal(value: &Value, kind: Option<Kind>) -> ScalarValue {
    match (value, kind) {
        // no query has a list as a constant
        (Value::Null, None) | (Value::List(_), _) => ScalarValue::Null,
        (Value::Null, Some(kind)) => {
            ScalarValue::try_from(&arrow_type(kind)).unwrap_or(ScalarValue::Null)
        }
        (Value::Bool(b), _) => ScalarValue::Boolean(Some(*b)),
        (Value::Int(i), Some(Kind::Float)) => ScalarValue::Float64(Some(*i as f64)),
        (Value::Int(_) | Value::Decimal(_), Some(Kind::Decimal(scale))) => {
            let exact = value.as_decimal();
            decimal_literal(exact.and_then(|exact| exact.rescale(scale)).or(exact))
        }
        (Value::Int(i), _) => ScalarValue::Int64(Some(*i)),
        (Value::Decimal(x), Some(Kind::Float)) => ScalarValue::Float64(Some(x.to_f64())),
        (Value::Decimal(x), _) => decimal_literal(Some(*x)),
        // Adding zero turns a negative zero into a positive one.
        (Value::Float(x), _) => ScalarValue::Float64(Some(*x + 0.0)),
        (Value::Text(s), _) => ScalarValue::Utf8(Some(s.to_string())),
        (Value::Date(d), _) => ScalarValue::Date32(Some(*d)),
        (Value::Timestamp(t), _) => ScalarValue::TimestampMicrosecond(Some(*t), None),
    }
}

fn decimal_literal(exact: Option<Decimal>) -> ScalarValue {
    let (unscaled, scale) = (exact.map(Decimal::unscaled), exact.map_or(0, Decimal::scale));
    ScalarValue::Decimal128(unscaled, MOST_DIGITS, scale as i8)
}
