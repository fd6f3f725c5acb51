//! Comparisons, their chains, and membership in a list.

use super::{Parsed, Parser, Tok, Tree, strength};
use crate::error::{Code, Diagnostic};
use crate::query::ast::{Compare, Node};

impl Parser<'_> {
    /// The comparison operator that stands here; a lone `=` is one, with a problem.
    pub(super) fn comparison_op(&self) -> Option<Compare> {
        Some(match self.peek() {
            Tok::Lt => Compare::Lt,
            Tok::Le => Compare::Le,
            Tok::Gt => Compare::Gt,
            Tok::Ge => Compare::Ge,
            Tok::EqEq | Tok::Assign => Compare::Eq,
            Tok::Ne => Compare::Ne,
            _ => return None,
        })
    }

    pub(super) fn comparison(&mut self, left: Tree) -> Parsed {
        let mut span = left.expr.span;
        let mut height = left.height;
        let mut rest = Vec::new();
        while let Some(op) = self.comparison_op() {
            if self.peek() == &Tok::Assign {
                let message =
                    crate::text!("`=` does not compare: use `==`", "`=` не сравнивает: нужно `==`");
                let diagnostic = Diagnostic::new(Code::SingleEquals, message).fix("==");
                self.report(diagnostic, self.span());
            }
            let op_span = self.next();
            if self.peek() == &Tok::LBracket && matches!(op, Compare::Eq | Compare::Ne) {
                return self.equals_list(&left.expr, op, op_span);
            }
            let operand = self.expr(strength::ADD)?;
            span = span.to(operand.expr.span);
            height = height.max(operand.height);
            rest.push((op, operand.expr));
            if rest.len() > super::MAX_PARTS {
                return self.too_many_parts(span);
            }
        }
        if matches!(self.peek(), Tok::In | Tok::Not) {
            return self.mixed_comparison();
        }
        self.above(Node::Compare(left.expr.into(), rest), span, height)
    }

    pub(super) fn mixed_comparison(&mut self) -> Parsed {
        let message = crate::text!(
            "`in` does not chain with other comparisons: join them by `and`",
            "`in` не соединяется в цепочку с другими сравнениями: соедините их через `and`"
        );
        self.fail(Diagnostic::new(Code::Syntax, message), self.span())
    }

    pub(super) fn membership(&mut self, left: Tree) -> Parsed {
        let negated = self.eat(&Tok::Not).is_some();
        if negated && matches!(self.peek(), Tok::Name(word) if word.eq_ignore_ascii_case("like")) {
            return self.like(&left.expr, true);
        }
        if negated && self.peek() != &Tok::In {
            let message = crate::text!(
                "`not` stands before a condition, or in `not in [...]`",
                "`not` стоит перед условием или в `not in [...]`"
            );
            return self.fail(Diagnostic::new(Code::Syntax, message), self.span());
        }
        let in_span = self.next();
        let close = match self.peek() {
            Tok::LParen => Tok::RParen,
            Tok::LBracket => Tok::RBracket,
            _ => {
                if let Some(tree) = self.in_range(&left.expr, negated) {
                    return Ok(tree);
                }
                if let Some(tree) = self.bare_list() {
                    return Ok(Self::leaf(Node::Null, left.expr.span.to(tree.expr.span)));
                }
                let message = crate::text!(
                    "after `in` comes a list: `in [a, b]`",
                    "после `in` идёт список: `in [a, b]`"
                );
                let span = if self.peek() == &Tok::End { in_span } else { self.span() };
                return self.fail(Diagnostic::new(Code::Syntax, message), span);
            }
        };
        let (items, height, end) = self.list(&close, None)?;
        if items.is_empty() {
            let message = crate::text!("the list is empty", "список пуст");
            self.report(Diagnostic::new(Code::Syntax, message), end);
        }
        if self.comparison_op().is_some() || matches!(self.peek(), Tok::In | Tok::Not) {
            return self.mixed_comparison();
        }
        let span = left.expr.span.to(end);
        let height = height.max(left.height);
        self.above(Node::In { value: left.expr.into(), list: items, negated }, span, height)
    }
}
