//! The tree of an expression as it was written, with spans. No names are resolved here.

use crate::error::Span;
use crate::schema::Kind;
use crate::value::{Decimal, MOST_DIGITS};

/// An expression with its place in the source.
#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    /// What it is.
    pub node: Node,
    /// Where it stands, in bytes of the expression's text.
    pub span: Span,
}

/// The forms of an expression.
#[derive(Debug, Clone, PartialEq)]
pub enum Node {
    /// `null`
    Null,
    /// `true`, `false`
    Bool(bool),
    /// `42`
    Int(i64),
    /// `2.5`, `1e-3`
    Float(f64),
    /// `12345678901234567890`: a number that a double does not hold as it is written.
    Decimal(Decimal),
    /// `"Fri"`
    Text(String),
    /// A column name, plain or back-quoted.
    Column(String),
    /// `-x`
    Neg(Box<Expr>),
    /// `not x`
    Not(Box<Expr>),
    /// `a + b` and its like.
    Arith(Arith, Box<Expr>, Box<Expr>),
    /// `a < b <= c`: a first operand and one or more (operator, operand) pairs.
    Compare(Box<Expr>, Vec<(Compare, Expr)>),
    /// `x in [a, b]`, `x not in [a, b]`
    In {
        /// The value looked for.
        value: Box<Expr>,
        /// The list, literals only after the check.
        list: Vec<Expr>,
        /// `not in`.
        negated: bool,
    },
    /// `a and b and c`: two or more operands.
    And(Vec<Expr>),
    /// `a or b or c`: two or more operands.
    Or(Vec<Expr>),
    /// `name(args)`
    Call {
        /// The function's name as written.
        name: String,
        /// Where the name stands.
        name_span: Span,
        /// The arguments.
        args: Vec<Expr>,
    },
}

/// Arithmetic operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arith {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`, always a float division
    Div,
    /// `//`, floors
    FloorDiv,
    /// `%`, the sign of the divisor
    Mod,
    /// `**`, right-associative
    Pow,
}

impl Arith {
    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::FloorDiv => "//",
            Self::Mod => "%",
            Self::Pow => "**",
        }
    }
}

impl Arith {
    /// The kind of `a op b`, by the kinds of its operands; `None` is that of `null`. Decimals stay
    /// decimals under all but `/` and `**`, and where their product has no room for the digits
    /// behind its point.
    pub fn kind(self, a: Option<Kind>, b: Option<Kind>) -> Kind {
        let scale = |kind| match kind {
            Some(Kind::Decimal(scale)) => scale,
            _ => 0,
        };
        let any = |wanted: fn(Kind) -> bool| a.is_some_and(wanted) || b.is_some_and(wanted);
        if matches!(self, Self::Div | Self::Pow) || any(|k| k == Kind::Float) {
            return Kind::Float;
        }
        if !any(|k| matches!(k, Kind::Decimal(_))) {
            return Kind::Int;
        }
        let (a, b) = (scale(a), scale(b));
        match self {
            Self::Mul if a + b > MOST_DIGITS => Kind::Float,
            Self::Mul => Kind::Decimal(a + b),
            Self::FloorDiv => Kind::Decimal(0),
            _ => Kind::Decimal(a.max(b)),
        }
    }
}

/// Comparison operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Compare {
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
}

impl Compare {
    /// The operator as written.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
            Self::Eq => "==",
            Self::Ne => "!=",
        }
    }
}
