//! The canonical text of an expression: the fewest parentheses, double-quoted strings, lists in
//! brackets, back-quotes only where needed. Formatting is idempotent and re-parses to the same tree.

use super::ast::{Arith, Expr, Node};
use super::lexer::is_plain_name;
use std::fmt::Write as _;

/// Binding strength, weakest first. An operand weaker than its place asks for gets parentheses.
pub(super) mod strength {
    pub const OR: u8 = 1;
    pub const AND: u8 = 2;
    pub const NOT: u8 = 3;
    pub const COMPARE: u8 = 4;
    pub const ADD: u8 = 5;
    pub const MUL: u8 = 6;
    pub const NEG: u8 = 7;
    pub const POW: u8 = 8;
    pub const ATOM: u8 = 9;
}

/// The canonical text of an expression.
pub fn expr(expr: &Expr) -> String {
    let mut out = String::new();
    write(&mut out, expr, strength::OR);
    out
}

/// A column name as it is written in an expression: back-quoted unless it is a plain identifier.
pub fn name(name: &str) -> String {
    if is_plain_name(name) { name.to_owned() } else { format!("`{}`", name.replace('`', "``")) }
}

/// A string literal in double quotes.
pub fn string(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The strength of an operator.
pub(super) fn arith_strength(op: Arith) -> u8 {
    match op {
        Arith::Add | Arith::Sub => strength::ADD,
        Arith::Mul | Arith::Div | Arith::FloorDiv | Arith::Mod => strength::MUL,
        Arith::Pow => strength::POW,
    }
}

fn strength_of(node: &Node) -> u8 {
    match node {
        Node::Or(_) => strength::OR,
        Node::And(_) => strength::AND,
        Node::Not(_) => strength::NOT,
        Node::Compare(..) | Node::In { .. } => strength::COMPARE,
        Node::Arith(op, ..) => arith_strength(*op),
        Node::Neg(_) => strength::NEG,
        _ => strength::ATOM,
    }
}

fn write(out: &mut String, expr: &Expr, least: u8) {
    let own = strength_of(&expr.node);
    if own < least {
        out.push('(');
        write_node(out, &expr.node);
        out.push(')');
    } else {
        write_node(out, &expr.node);
    }
}

fn write_node(out: &mut String, node: &Node) {
    match node {
        Node::Null => out.push_str("null"),
        Node::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        // writing to a string cannot fail
        Node::Int(i) => drop(write!(out, "{i}")),
        Node::Float(x) => drop(write!(out, "{x:?}")),
        Node::Decimal(x) => drop(write!(out, "{x}")),
        Node::Text(s) => out.push_str(&string(s)),
        Node::Column(column) => out.push_str(&name(column)),
        Node::Neg(x) => {
            out.push('-');
            write(out, x, strength::NEG);
        }
        Node::Not(x) => {
            out.push_str("not ");
            write(out, x, strength::NOT);
        }
        Node::Arith(op, a, b) => {
            let own = arith_strength(*op);
            // `**` groups to the right, and a minus may follow it
            let (left, right) = match op {
                Arith::Pow => (strength::ATOM, strength::NEG),
                _ => (own, own + 1),
            };
            write(out, a, left);
            let _ = write!(out, " {} ", op.symbol());
            write(out, b, right);
        }
        Node::Compare(first, rest) => {
            write(out, first, strength::ADD);
            for (op, operand) in rest {
                let _ = write!(out, " {} ", op.symbol());
                write(out, operand, strength::ADD);
            }
        }
        Node::In { value, list, negated } => {
            write(out, value, strength::ADD);
            out.push_str(if *negated { " not in [" } else { " in [" });
            write_list(out, list, ", ", strength::OR);
            out.push(']');
        }
        Node::And(list) => write_list(out, list, " and ", strength::NOT),
        Node::Or(list) => write_list(out, list, " or ", strength::AND),
        Node::Call { name, args, .. } => {
            out.push_str(name);
            out.push('(');
            write_list(out, args, ", ", strength::OR);
            out.push(')');
        }
    }
}

fn write_list(out: &mut String, list: &[Expr], between: &str, least: u8) {
    for (i, item) in list.iter().enumerate() {
        if i > 0 {
            out.push_str(between);
        }
        write(out, item, least);
    }
}
