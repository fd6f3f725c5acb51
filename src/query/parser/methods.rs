//! What pandas and spreadsheets write with dots and brackets (`x.lower()`, `df["x"]`, `np.abs(x)`,
//! `x.rolling(5).mean()`), and what to write instead.

use super::{Expr, Failed, Parsed, Parser, Tok, Tree};
use crate::error::{Diagnostic, Span};
use crate::query::ast::Node;
use crate::query::functions::{self, Family};

/// Modules of other languages whose functions are ours without them.
const MODULES: [&str; 9] = ["np", "numpy", "math", "pd", "pandas", "F", "ta", "talib", "pta"];

/// What tables are called where other languages name them.
const FRAMES: [&str; 6] = ["df", "data", "row", "table", "self", "frame"];

/// The name of a module, not of a column.
fn is_module(receiver: &Expr) -> bool {
    matches!(&receiver.node, Node::Column(module) if MODULES.contains(&module.as_str()))
}

impl Parser<'_> {
    /// `x.lower()`, `df.close`, `close[1]`, `f(x)(y)` after an operand.
    pub(super) fn suffixes(&mut self, tree: Tree) -> Parsed {
        match self.peek() {
            Tok::Dot => self.nest(|p| {
                let stand_in = p.method(&tree.expr)?;
                p.suffixes(stand_in)
            }),
            Tok::LBracket => self.nest(|p| {
                let stand_in = p.subscript(&tree.expr)?;
                p.suffixes(stand_in)
            }),
            Tok::LParen => {
                let written = self.slice(tree.expr.span);
                let message = crate::text!(
                    "`{written}` is not a function and cannot be called",
                    "`{written}` — не функция, вызвать её нельзя"
                );
                self.syntax(message, None, tree.expr.span)
            }
            _ => Ok(tree),
        }
    }

    /// What an operand would be written as: the fix of what was reported of it, else its text.
    pub(super) fn mended(&self, span: Span) -> String {
        let fix = self.mended.iter().rev().find(|(s, _)| *s == span).map(|(_, fix)| fix.clone());
        fix.unwrap_or_else(|| self.slice(span).to_owned())
    }

    /// Forgets problems in an operand whose fix is part of the fix around it.
    pub(super) fn absorb(&mut self, span: Span) {
        if self.mended.iter().any(|(s, _)| *s == span) {
            let within =
                |d: &Diagnostic| d.span.is_some_and(|s| span.start <= s.start && s.end <= span.end);
            self.problems.retain(|d| !within(d));
        }
    }

    fn method(&mut self, receiver: &Expr) -> Parsed {
        self.next();
        let start = receiver.span;
        let word = self.span();
        let name = self.slice(word);
        if !matches!(self.peek(), Tok::Name(_) | Tok::Quoted(_)) {
            let message = crate::text!("`.` has no meaning here", "точка здесь ничего не значит");
            return Ok(self.instead(message, None, start.to(word)));
        }
        self.next();
        if self.peek() != &Tok::LParen {
            return Ok(self.attribute(receiver, name, start.to(word)));
        }
        if name == "isin" && self.peek_by(1) == &Tok::LBracket {
            return self.is_in(receiver);
        }
        let open = self.at;
        let (items, _, end) = self.list(&Tok::RParen, Some(name))?;
        let span = start.to(end);
        if matches!(name, "rolling" | "ewm") && self.peek() == &Tok::Dot {
            let spanned = self.tokens.get(open + 1).is_some_and(|t| self.slice(t.span) == "span");
            // a weight that is not given by a span has no function of its own
            let size = items.first().filter(|_| name == "rolling" || spanned);
            let kind = if name == "ewm" { "ewm" } else { "rolling" };
            return Ok(self.accessor(receiver, span, Some((kind, size))));
        }
        for item in &items {
            self.absorb(item.span);
            self.unname(item.span, open);
        }
        let object = self.mended(start);
        let args: Vec<String> = items.iter().map(|item| self.mended(item.span)).collect();
        let fix = self.method_as_call(receiver, &object, name, &items, &args);
        self.absorb(start);
        let plain = fix.clone().unwrap_or_else(|| {
            let receiver = (!is_module(receiver)).then_some(object.as_str());
            let all: Vec<&str> =
                receiver.into_iter().chain(args.iter().map(String::as_str)).collect();
            format!("{name}({})", all.join(", "))
        });
        let message =
            crate::text!("there are no methods: write `{plain}`", "методов нет: пишите `{plain}`");
        Ok(self.instead(message, fix, span))
    }

    /// `window=5` among the arguments of a method is mended with the method.
    fn unname(&mut self, value: Span, open: usize) {
        let start = self.tokens.get(open).map_or(0, |t| t.span.start);
        let text = self.slice(value).to_owned();
        self.problems.retain(|d| {
            let named = d
                .span
                .is_some_and(|s| start <= s.start && s.start < value.start && s.end == value.end);
            !(named && d.fix.as_ref() == Some(&text))
        });
    }

    /// What a method call means here, where that is plain.
    fn method_as_call(
        &self,
        receiver: &Expr,
        object: &str,
        name: &str,
        items: &[Expr],
        args: &[String],
    ) -> Option<String> {
        let list = args.join(", ");
        let known = functions::lookup(name).map(|f| f.name).or(functions::also_known_as(name));
        if is_module(receiver) {
            return known.map(|function| format!("{function}({list})"));
        }
        if let Some((inner, kind, window)) = &self.rolling
            && *inner == receiver.span
        {
            let function = match *kind {
                "ewm" if name == "mean" => "ema",
                "ewm" => return None,
                _ => functions::lookup(&format!("rolling_{name}"))?.name,
            };
            return Some(format!("{function}({object}, {})", window.as_ref()?));
        }
        let negative = items.first().and_then(|item| match &item.node {
            Node::Neg(n) => match n.node {
                Node::Int(n) => Some(n),
                _ => None,
            },
            _ => None,
        });
        let tight = matches!(receiver.node, Node::Column(_) | Node::Call { .. } | Node::Null);
        Some(match (name, args) {
            ("shift", [_]) if negative.is_some() => format!("next({object}, {})", negative?),
            ("between", [low, high]) if tight => {
                self.alone(format!("{low} <= {object} <= {high}"), receiver.span)
            }
            ("notnull" | "notna", []) => self.alone(format!("not isnull({object})"), receiver.span),
            ("diff", []) if tight => {
                self.alone(format!("{object} - prev({object})"), receiver.span)
            }
            ("pct_change", []) if tight => {
                self.alone(format!("{object} / prev({object}) - 1"), receiver.span)
            }
            (_, []) => format!("{}({object})", known?),
            _ => format!("{}({object}, {list})", known?),
        })
    }

    /// A fix that is no call, in parentheses where something stands beside what it replaces: from
    /// the receiver to the token before this one.
    fn alone(&self, fix: String, receiver: Span) -> String {
        let joins = |tok: &Tok| matches!(tok, Tok::And | Tok::Or | Tok::Comma);
        let first = self.tokens.iter().position(|t| t.span.start >= receiver.start);
        let before = first.and_then(|i| i.checked_sub(1)).and_then(|i| self.tokens.get(i));
        let starts = before.is_none_or(|t| joins(&t.tok) || t.tok == Tok::LParen);
        let ends = joins(self.peek()) || matches!(self.peek(), Tok::End | Tok::RParen);
        if starts && ends { fix } else { format!("({fix})") }
    }

    /// `df.close`, `time.year`, and the accessors of pandas.
    fn attribute(&mut self, receiver: &Expr, name: &str, span: Span) -> Tree {
        if matches!(name, "dt" | "str") && self.peek() == &Tok::Dot {
            return self.accessor(receiver, span, None);
        }
        let frame = matches!(&receiver.node, Node::Column(n) if FRAMES.contains(&n.as_str()));
        let part = functions::lookup(name).filter(|f| f.family == Family::Time && !frame);
        let fix = match part {
            Some(function) => format!("{}({})", function.name, self.mended(receiver.span)),
            None => name.to_owned(),
        };
        self.absorb(receiver.span);
        let message = crate::text!(
            "columns have no attributes: write `{fix}`",
            "у столбцов нет атрибутов: пишите `{fix}`"
        );
        self.instead(message, Some(fix), span)
    }

    /// `x.dt`, `x.rolling(5)`, `x.ewm(span=5)` before a method: what follows is told of `x`.
    fn accessor(
        &mut self,
        receiver: &Expr,
        span: Span,
        window: Option<(&'static str, Option<&Expr>)>,
    ) -> Tree {
        let object = self.mended(receiver.span);
        if let Some((kind, size)) = window {
            let size = size.map(|size| self.mended(size.span));
            self.rolling = Some((span, kind, size));
        }
        self.mended.push((span, object));
        Self::leaf(Node::Null, span)
    }

    /// `x.isin([a, b])`, from the parenthesis on.
    fn is_in(&mut self, receiver: &Expr) -> Parsed {
        self.next();
        let open = self.span();
        let (_, _, close) = self.list(&Tok::RBracket, None)?;
        let list = self.slice(open.to(close)).to_owned();
        let Some(end) = self.eat(&Tok::RParen) else { return self.unclosed(open, &Tok::RParen) };
        let fix = format!("{} in {list}", self.mended(receiver.span));
        let fix = self.alone(fix, receiver.span);
        self.absorb(receiver.span);
        let message =
            crate::text!("there are no methods: write `{fix}`", "методов нет: пишите `{fix}`");
        Ok(self.instead(message, Some(fix), receiver.span.to(end)))
    }

    fn subscript(&mut self, receiver: &Expr) -> Result<Tree, Failed> {
        let (items, _, end) = self.list(&Tok::RBracket, None)?;
        let object = self.mended(receiver.span);
        let span = receiver.span.to(end);
        match items.as_slice() {
            [Expr { node: Node::Int(0), .. }] => {
                let message = crate::text!(
                    "there are no subscripts: the current row's value is `{object}`",
                    "индексов нет: значение текущей строки — `{object}`"
                );
                Ok(self.instead(message, Some(object), span))
            }
            [Expr { node: Node::Int(n), .. }] => {
                let fix = format!("prev({object}, {n})");
                let message = crate::text!(
                    "there are no subscripts: an earlier row's value is `{fix}`",
                    "индексов нет: значение предыдущей строки — `{fix}`"
                );
                Ok(self.instead(message, Some(fix), span))
            }
            [Expr { node: Node::Text(column), .. }] => {
                let fix = crate::query::format::name(column);
                let message = crate::text!(
                    "there are no subscripts: a column is written `{fix}`",
                    "индексов нет: столбец пишется `{fix}`"
                );
                Ok(self.instead(message, Some(fix), span))
            }
            _ => {
                let message = crate::text!(
                    "there are no subscripts: rows before and after are `prev(x, n)` and `next(x, n)`",
                    "индексов нет: строки до и после — это `prev(x, n)` и `next(x, n)`"
                );
                Ok(self.instead(message, None, span))
            }
        }
    }
}
