//! Functions that are defined in the language itself: a call becomes what its definition means.

use super::call::unit_of;
use super::expr::Checker;
use super::typed::{Node, Typed};
use crate::error::{Code, Diagnostic, Span};
use crate::query::ast::{self, Arith, Expr};
use crate::query::functions::{Function, UnitRule};
use crate::query::parser;

/// The definition that is being read, and what its names stand for.
#[derive(Debug)]
pub(super) struct Definition {
    /// The function that the query calls, for messages.
    pub name: &'static str,
    /// Parameters and bar columns.
    values: Vec<(&'static str, Typed)>,
}

impl Definition {
    /// What a name of the definition stands for.
    pub fn value(&self, name: &str) -> Option<Typed> {
        self.values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone())
    }
}

/// The most nodes that a call may unfold into: an argument that a definition names several times is
/// there as often, and calls nest.
const MOST_NODES: usize = 10_000;

/// Names of bar columns in definitions.
const BAR: [&str; 5] = ["open", "high", "low", "close", "volume"];

impl Checker<'_> {
    /// The call as what it means.
    pub(super) fn expand(
        &mut self,
        function: &'static Function,
        definition: &str,
        args: Vec<Typed>,
        span: Span,
    ) -> Option<Typed> {
        let mut tree = parser::parse(definition).ok()?;
        let mut read = [false; BAR.len()];
        relocate(&mut tree, span, &mut |name| {
            for (bar, read) in BAR.iter().zip(&mut read) {
                *read |= *bar == name;
            }
        });
        let unit = match function.unit {
            UnitRule::Definition => None,
            UnitRule::Price => Some(self.closing_prices(function, span)?.unit),
            _ => Some(unit_of(function, &args)),
        };
        let mut values: Vec<_> = function.params.iter().map(|p| p.name).zip(args).collect();
        for (bar, read) in BAR.into_iter().zip(read) {
            if read {
                values.push((bar, self.bar(function, bar, span)?));
            }
        }
        let outer = self.definition.take();
        let name = outer.as_ref().map_or(function.name, |outer| outer.name);
        self.definition = Some(Definition { name, values });
        let expanded = self.expr(&tree);
        self.definition = outer;
        let mut x = expanded?;
        let mut nodes = 0;
        x.visit(&mut |_| nodes += 1);
        if nodes > MOST_NODES {
            let message = crate::text!(
                "`{name}` unfolds into too long an expression here: make its argument a column in `map`",
                "`{name}` здесь разворачивается в слишком длинное выражение: сделайте аргумент столбцом в `map`"
            );
            return self.wrong(Code::TooDeep, message, span);
        }
        if let Some(unit) = unit {
            x.unit = unit;
        }
        Some(x)
    }

    /// The closing prices, for an argument that was left out.
    pub(super) fn closing_prices(&mut self, function: &Function, span: Span) -> Option<Typed> {
        if self.scope.ohlcv.is_none() {
            let (name, table) = (function.name, &self.scope.table);
            let message = crate::text!(
                "`{name}` reads the close where no column is named, and table `{table}` has no bars: `{name}(x, ...)`",
                "`{name}` без столбца читает закрытие, а в таблице `{table}` нет баров: `{name}(x, ...)`"
            );
            return self.wrong(Code::UnknownColumn, message, span);
        }
        self.bar(function, "close", span)
    }

    /// The table's own column of that meaning.
    fn bar(&mut self, function: &Function, bar: &str, span: Span) -> Option<Typed> {
        let name = self.definition.as_ref().map_or(function.name, |outer| outer.name);
        let table = &self.scope.table;
        let Some(bars) = &self.scope.ohlcv else {
            let message = crate::text!(
                "`{name}` reads bars, and table `{table}` has no open, high, low and close columns",
                "`{name}` читает бары, а в таблице `{table}` нет столбцов open, high, low и close"
            );
            return self.wrong(Code::UnknownColumn, message, span);
        };
        let column = match bar {
            "open" => Some(&bars.open),
            "high" => Some(&bars.high),
            "low" => Some(&bars.low),
            "close" => Some(&bars.close),
            _ => bars.volume.as_ref(),
        };
        let Some(column) = column.cloned() else {
            let message = crate::text!(
                "`{name}` reads the volume, and table `{table}` has no volume column",
                "`{name}` читает объём, а в таблице `{table}` нет столбца volume"
            );
            let diagnostic = Diagnostic::new(Code::UnknownColumn, message);
            self.report(diagnostic, span);
            return None;
        };
        if self.place == super::expr::Place::Select && self.inside.is_none() {
            return self.outside_aggregate(function, span);
        }
        self.table_column(&column, span)
    }

    /// A column of the table, whatever the definition that is being read.
    pub(super) fn table_column(&mut self, name: &str, span: Span) -> Option<Typed> {
        let outer = self.definition.take();
        let x = self.column(name, span);
        self.definition = outer;
        x
    }
}

/// Makes every part of a definition's tree stand where the call stands, and tells its names.
fn relocate(expr: &mut Expr, span: Span, name: &mut impl FnMut(&str)) {
    use ast::Node as N;
    expr.span = span;
    match &mut expr.node {
        N::Column(column) => name(column),
        N::Neg(x) | N::Not(x) => relocate(x, span, name),
        N::Arith(_, a, b) => {
            relocate(a, span, name);
            relocate(b, span, name);
        }
        N::Compare(first, rest) => {
            relocate(first, span, name);
            for (_, e) in rest {
                relocate(e, span, name);
            }
        }
        N::In { value, list, .. } => {
            relocate(value, span, name);
            for e in list {
                relocate(e, span, name);
            }
        }
        N::And(list) | N::Or(list) => {
            for e in list {
                relocate(e, span, name);
            }
        }
        N::Call { name_span, args, .. } => {
            *name_span = span;
            for e in args {
                relocate(e, span, name);
            }
        }
        _ => {}
    }
}

/// A number as it is written: the first argument of `rsi(7)`.
pub(super) fn is_number_written(expr: &Expr) -> bool {
    match &expr.node {
        ast::Node::Int(_) | ast::Node::Float(_) | ast::Node::Decimal(_) => true,
        ast::Node::Neg(x) => is_number_written(x),
        _ => false,
    }
}

/// The whole number that arithmetic of constants comes to (`n // 2` in a definition).
pub(super) fn whole_number(x: &Typed) -> Option<i64> {
    let value = number(x)?;
    (value.fract() == 0.0 && value.abs() < 9e15).then_some(value as i64)
}

fn number(x: &Typed) -> Option<f64> {
    match &x.node {
        Node::Literal(value) => value.as_f64(),
        Node::Arith(op, a, b) => {
            let (a, b) = (number(a)?, number(b)?);
            Some(match op {
                Arith::Add => a + b,
                Arith::Sub => a - b,
                Arith::Mul => a * b,
                Arith::Div => a / b,
                Arith::FloorDiv => (a / b).floor(),
                Arith::Pow => a.powf(b),
                Arith::Mod => return None,
            })
        }
        _ => None,
    }
}
