//! What a query asks for, as the text may repeat it: constants, dates, and the names that its filter
//! keeps.

use super::columns::axis_of;
use super::view::View;
use crate::query::ast::Compare;
use crate::query::check::{CheckedQuery, Node, Typed};
use crate::validate::claims::names::{Axis, Name, name_of};
use crate::value::Value;

/// A constant of a query.
#[derive(Debug, Clone)]
pub(in crate::validate::claims) struct Param {
    /// The constant.
    pub value: f64,
    /// The bases of the columns it is compared with, where it is a threshold.
    pub columns: Vec<String>,
    /// The comparison, column on the left.
    pub op: Option<Compare>,
}

impl View<'_> {
    pub(super) fn read_params(&mut self, query: &CheckedQuery) {
        let mut params = Vec::new();
        let mut fixed = Vec::new();
        let mut dates = Vec::new();
        let mut literals = |e: &Typed| {
            e.visit(&mut |x| {
                if let Node::Literal(v) = &x.node
                    && let Some(value) = v.as_f64()
                {
                    params.push(Param { value, columns: Vec::new(), op: None });
                }
            });
        };
        for named in query.map().iter().chain(query.keys()).chain(query.measures()) {
            literals(&named.expr);
        }
        for key in query.sort() {
            literals(&key.expr);
        }
        let mut inside = Vec::new();
        for named in query.measures() {
            named.expr.visit(&mut |x| {
                if let Node::Compare(op, a, b) = &x.node {
                    for (value, other, op) in [(b, a, *op), (a, b, flip(*op))] {
                        if let Some(value) = constant(value) {
                            let columns =
                                other.columns().iter().map(|c| c.to_lowercase()).collect();
                            inside.push(Param { value, columns, op: Some(op) });
                        }
                    }
                }
            });
        }
        if let Some(filter) = query.filter() {
            filter.expr.visit(&mut |x| match &x.node {
                Node::Literal(value) => dates.extend(value.date()),
                Node::Compare(op, a, b) => {
                    for (value, other, op) in [(b, a, *op), (a, b, flip(*op))] {
                        if let Some(value) = constant(value) {
                            // A part of the time is no column.
                            let calendar = axis_of(other, query)
                                .is_some_and(|axis| !matches!(axis, Axis::Named(_)));
                            let columns = other.columns().into_iter().filter(|_| !calendar);
                            let columns = columns.map(str::to_lowercase).collect();
                            params.push(Param { value, columns, op: Some(op) });
                        }
                    }
                }
                Node::In { list, .. } => {
                    params.extend(list.iter().filter_map(Value::as_f64).map(|value| Param {
                        value,
                        columns: Vec::new(),
                        op: None,
                    }));
                }
                Node::Call { args, .. } => {
                    params.extend(args.iter().filter_map(constant).map(|value| Param {
                        value,
                        columns: Vec::new(),
                        op: None,
                    }));
                }
                _ => {}
            });
            let all: Vec<&Typed> = match &filter.expr.node {
                Node::And(list) => list.iter().collect(),
                _ => vec![&filter.expr],
            };
            for part in all {
                let (x, values) = match &part.node {
                    Node::Compare(Compare::Eq, a, b) => match (&a.node, &b.node) {
                        (_, Node::Literal(v)) => (a.as_ref(), vec![v.clone()]),
                        (Node::Literal(v), _) => (b.as_ref(), vec![v.clone()]),
                        _ => continue,
                    },
                    Node::In { value, list, negated: false } => (value.as_ref(), list.clone()),
                    _ => continue,
                };
                let Some(axis) = axis_of(x, query) else { continue };
                let names: Vec<(Name, Value)> =
                    values.into_iter().filter_map(|v| Some((name_of(&axis, &v)?, v))).collect();
                fixed.push((axis, names));
            }
        }
        if let Some(limit) = query.limit() {
            params.push(Param { value: limit as f64, columns: Vec::new(), op: None });
        }
        self.params = params;
        self.inside = inside;
        self.dates = dates;
        self.fixed = fixed;
    }
}

/// A numeric constant, with its sign.
fn constant(e: &Typed) -> Option<f64> {
    match &e.node {
        Node::Literal(v) => v.as_f64(),
        Node::Neg(x) => constant(x).map(|v| -v),
        _ => None,
    }
}

fn flip(op: Compare) -> Compare {
    match op {
        Compare::Lt => Compare::Gt,
        Compare::Le => Compare::Ge,
        Compare::Gt => Compare::Lt,
        Compare::Ge => Compare::Le,
        same => same,
    }
}
