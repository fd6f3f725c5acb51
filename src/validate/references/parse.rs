//! The text between the braces to a tree.

use super::format::Format;
use crate::error::{Code, Diagnostic, Span};

/// A whole reference.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reference {
    pub expr: Expr,
    /// `| pct x`
    pub percent_of: Option<Expr>,
    pub format: Format,
}

/// Arithmetic over facts.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Expr {
    Number(f64),
    Fact(Fact),
    Neg(Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
}

/// The operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Add,
    Sub,
    Mul,
    Div,
}

/// A fact by result, row and name.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fact {
    pub result: String,
    /// Key and value of each condition in the brackets.
    pub row: Vec<(String, String)>,
    pub path: Vec<String>,
    pub span: Span,
}

/// Nesting beyond this is refused.
const DEPTH: usize = 32;

/// Reads a reference.
pub(super) fn parse(source: &str) -> Result<Reference, Box<Diagnostic>> {
    let mut p = Parser { source, at: 0, depth: 0 };
    let expr = p.sum()?;
    let percent_of = if p.eat('|') {
        p.space();
        let start = p.at;
        if p.word() != "pct" {
            return Err(p.wrong(start, "`pct`"));
        }
        Some(p.sum()?)
    } else {
        None
    };
    p.space();
    let format = if p.eat(':') {
        let start = p.at;
        let text = &source[start..];
        p.at = source.len();
        Format::parse(text).ok_or_else(|| p.wrong(start, "`+`, `,`, `.1f`, `%`, `unit`"))?
    } else {
        Format::default()
    };
    if p.at < source.len() {
        return Err(p.wrong(p.at, "`+`, `-`, `*`, `/`, `|`, `:`"));
    }
    Ok(Reference { expr, percent_of, format })
}

struct Parser<'a> {
    source: &'a str,
    at: usize,
    depth: usize,
}

impl Parser<'_> {
    fn rest(&self) -> &str {
        self.source.get(self.at..).unwrap_or_default()
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn eat(&mut self, c: char) -> bool {
        self.space();
        let found = self.rest().starts_with(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    fn wrong(&self, at: usize, expected: &str) -> Box<Diagnostic> {
        let found = self.source.get(at..).unwrap_or_default().trim();
        let message = if found.is_empty() {
            crate::text!(
                "the reference ends where {expected} is expected",
                "ссылка обрывается там, где ожидается {expected}"
            )
        } else {
            crate::text!("`{found}`: {expected} is expected", "`{found}`: ожидается {expected}")
        };
        Box::new(Diagnostic::new(Code::Syntax, message).span(Span::new(at, self.source.len())))
    }

    fn sum(&mut self) -> Result<Expr, Box<Diagnostic>> {
        let mut left = self.product()?;
        loop {
            let op = if self.eat('+') {
                Op::Add
            } else if self.eat('-') || self.eat('−') {
                Op::Sub
            } else {
                return Ok(left);
            };
            left = Expr::Binary(op, Box::new(left), Box::new(self.product()?));
        }
    }

    fn product(&mut self) -> Result<Expr, Box<Diagnostic>> {
        let mut left = self.factor()?;
        loop {
            let op = if self.eat('*') {
                Op::Mul
            } else if self.eat('/') {
                Op::Div
            } else {
                return Ok(left);
            };
            left = Expr::Binary(op, Box::new(left), Box::new(self.factor()?));
        }
    }

    fn factor(&mut self) -> Result<Expr, Box<Diagnostic>> {
        self.space();
        let start = self.at;
        if self.depth >= DEPTH {
            return Err(Box::new(Diagnostic::new(
                Code::TooDeep,
                crate::text!("the reference is nested too deeply", "слишком глубокая вложенность"),
            )));
        }
        self.depth += 1;
        let found = if self.eat('-') || self.eat('−') {
            Expr::Neg(Box::new(self.factor()?))
        } else if self.eat('(') {
            let inner = self.sum()?;
            if !self.eat(')') {
                return Err(self.wrong(self.at, "`)`"));
            }
            inner
        } else if self.rest().starts_with(|c: char| c.is_ascii_digit()) {
            let len = self
                .rest()
                .find(|c: char| !(c.is_ascii_digit() || c == '.'))
                .unwrap_or(self.rest().len());
            let number = self.rest()[..len].parse();
            self.at += len;
            Expr::Number(number.map_err(|_| self.wrong(start, "a number"))?)
        } else {
            Expr::Fact(self.fact(start)?)
        };
        self.depth -= 1;
        Ok(found)
    }

    fn fact(&mut self, start: usize) -> Result<Fact, Box<Diagnostic>> {
        let result = self.name().ok_or_else(|| self.wrong(start, "a result such as `r1`"))?;
        let mut row = Vec::new();
        if self.rest().starts_with('[') {
            self.at += 1;
            loop {
                self.space();
                let at = self.at;
                let key = self.name().ok_or_else(|| self.wrong(at, "a key"))?;
                if !self.eat('=') {
                    return Err(self.wrong(self.at, "`=`"));
                }
                row.push((key, self.value()?));
                if self.eat(',') {
                    continue;
                }
                if self.eat(']') {
                    break;
                }
                return Err(self.wrong(self.at, "`]`"));
            }
        }
        let mut path = Vec::new();
        while self.rest().starts_with('.') {
            self.at += 1;
            let at = self.at;
            path.push(self.name().ok_or_else(|| self.wrong(at, "a name"))?);
        }
        Ok(Fact { result, row, path, span: Span::new(start, self.at) })
    }

    /// A plain word.
    fn word(&mut self) -> String {
        let rest = self.rest();
        let len = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let word = rest[..len].to_owned();
        self.at += len;
        word
    }

    /// A word, or anything in back quotes.
    fn name(&mut self) -> Option<String> {
        if let Some(inner) = self.rest().strip_prefix('`') {
            let len = inner.find('`')?;
            let name = inner[..len].to_owned();
            self.at += len + 2;
            return Some(name);
        }
        Some(self.word()).filter(|w| !w.is_empty())
    }

    /// The value of a key: in quotes, or all up to the comma or the bracket.
    fn value(&mut self) -> Result<String, Box<Diagnostic>> {
        self.space();
        for quote in ['"', '\''] {
            if let Some(inner) = self.rest().strip_prefix(quote) {
                let Some(len) = inner.find(quote) else {
                    return Err(self.wrong(self.at, "a closing quote"));
                };
                let value = inner[..len].to_owned();
                self.at += len + 2;
                return Ok(value);
            }
        }
        let rest = self.rest();
        let len = rest.find([',', ']']).unwrap_or(rest.len());
        let value = rest[..len].trim().to_owned();
        self.at += len;
        if value.is_empty() { Err(self.wrong(self.at, "a value")) } else { Ok(value) }
    }
}
