//! What other languages write (methods, subscripts, keyword arguments, `is null`, `AND`), and what
//! to say of it.

use super::{Expr, Failed, Parsed, Parser, Tok, Tree, strength};
use crate::error::{Code, Diagnostic, Span, Text};
use crate::query::ast::Node;
use crate::query::functions::{self, Takes};

impl Parser<'_> {
    fn syntax<T>(&mut self, message: Text, fix: Option<String>, span: Span) -> Result<T, Failed> {
        let mut diagnostic = Diagnostic::new(Code::Syntax, message);
        diagnostic.fix = fix;
        self.fail(diagnostic, span)
    }

    /// Reports and goes on with a stand-in, so that problems further on are found too. The stand-in
    /// is never seen: a text with a problem has no tree.
    fn instead(&mut self, message: Text, fix: Option<String>, span: Span) -> Tree {
        let mut diagnostic = Diagnostic::new(Code::Syntax, message);
        diagnostic.fix = fix;
        self.report(diagnostic, span);
        Self::leaf(Node::Null, span)
    }

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
        let object = self.slice(start);
        if self.peek() != &Tok::LParen {
            let message = crate::text!(
                "columns have no attributes: write `{name}`",
                "у столбцов нет атрибутов: пишите `{name}`"
            );
            return Ok(self.instead(message, Some(name.to_owned()), start.to(word)));
        }
        let open = self.span();
        let (_, _, end) = self.list(&Tok::RParen, Some(name))?;
        let inside = self.slice(Span::new(open.end, end.start)).trim();
        let known = functions::lookup(name).map(|f| f.name).or(functions::also_known_as(name));
        let function = known.unwrap_or(name);
        let fix = if inside.is_empty() {
            format!("{function}({object})")
        } else {
            format!("{function}({object}, {inside})")
        };
        let message =
            crate::text!("there are no methods: write `{fix}`", "методов нет: пишите `{fix}`");
        Ok(self.instead(message, known.map(|_| fix), start.to(end)))
    }

    fn subscript(&mut self, receiver: &Expr) -> Parsed {
        let (items, _, end) = self.list(&Tok::RBracket, None)?;
        let object = self.slice(receiver.span);
        let span = receiver.span.to(end);
        match items.as_slice() {
            [Expr { node: Node::Int(0), .. }] => {
                let message = crate::text!(
                    "there are no subscripts: the current row's value is `{object}`",
                    "индексов нет: значение текущей строки — `{object}`"
                );
                Ok(self.instead(message, Some(object.to_owned()), span))
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

    /// At the start of an argument: reads the name and `=` of `n=20`. `a = 1` where a condition or
    /// any value is wanted is left for the comparison to report.
    pub(super) fn keyword(&mut self, function: &str, number: usize) -> Option<Span> {
        let (Tok::Name(name), Tok::Assign) = (self.peek(), self.peek_by(1)) else { return None };
        if let Some(function) = functions::lookup(function) {
            let param = function.params.get(number).or(function.params.last());
            let names_one = function.params.iter().any(|p| p.name == name);
            match param.map(|p| p.takes) {
                Some(Takes::Bool) => return None,
                Some(Takes::Any) if !names_one => return None,
                _ => {}
            }
        }
        let span = self.next();
        Some(span.to(self.next()))
    }

    /// Reports an argument that was written with a name, once its value is read.
    pub(super) fn named_argument(&mut self, name: Span, value: Span) {
        let value_text = self.slice(value).to_owned();
        let message = crate::text!(
            "arguments have no names: write `{value_text}`",
            "у аргументов нет имён: пишите `{value_text}`"
        );
        self.report(Diagnostic::new(Code::Syntax, message).fix(value_text), name.to(value));
    }

    /// `x between a and b`, from `between` on.
    pub(super) fn between(&mut self, left: &Expr) -> Parsed {
        let word = self.next();
        let low = self.expr(strength::ADD)?;
        let object = self.slice(left.span).to_owned();
        if self.eat(&Tok::And).is_none() {
            let message = crate::text!(
                "there is no `between`: write `a <= {object} <= b`",
                "слова `between` нет: пишите `a <= {object} <= b`"
            );
            return Ok(self.instead(message, None, left.span.to(word)));
        }
        let high = self.expr(strength::ADD)?;
        let fix =
            format!("{} <= {object} <= {}", self.slice(low.expr.span), self.slice(high.expr.span));
        let message = crate::text!(
            "there is no `between`: write `{fix}`",
            "слова `between` нет: пишите `{fix}`"
        );
        Ok(self.instead(message, Some(fix), left.span.to(high.expr.span)))
    }

    /// `x is null`, `x is not null`.
    pub(super) fn is_null(&mut self, left: &Expr) -> Parsed {
        let mut end = self.next();
        let negated = matches!(self.peek(), Tok::Not)
            || matches!(self.peek(), Tok::Name(w) if w.eq_ignore_ascii_case("not"));
        if negated {
            end = self.next();
        }
        let nothing = matches!(self.peek(), Tok::Null)
            || matches!(self.peek(), Tok::Name(w) if w.eq_ignore_ascii_case("null") || w == "None");
        if nothing {
            end = self.next();
            let object = self.slice(left.span);
            let not = if negated { "not " } else { "" };
            let fix = format!("{not}isnull({object})");
            let message = crate::text!(
                "a missing value is found by `{fix}`",
                "отсутствие значения проверяет `{fix}`"
            );
            let span = left.span.to(end);
            self.report(Diagnostic::new(Code::CompareNull, message).fix(fix), span);
            return Ok(Self::leaf(Node::Null, span));
        }
        let op = if negated { "!=" } else { "==" };
        let message =
            crate::text!("`is` does not compare: use `{op}`", "`is` не сравнивает: нужно `{op}`");
        let span = Span::new(left.span.end, end.end);
        self.report(Diagnostic::new(Code::Syntax, message).fix(format!(" {op}")), span);
        let right = self.expr(strength::ADD)?;
        Ok(Self::leaf(Node::Null, left.span.to(right.expr.span)))
    }

    /// Reports `NOT` before a condition.
    pub(super) fn miswritten_keyword(&mut self, word: &str) {
        let lower = word.to_lowercase();
        let message = crate::text!(
            "`{word}` is written in lower case: `{lower}`",
            "`{word}` пишется строчными: `{lower}`"
        );
        let span = self.span();
        self.report(Diagnostic::new(Code::Syntax, message).fix(lower), span);
    }

    /// Something follows a complete expression that does not belong there.
    pub(super) fn unexpected_after<T>(&mut self, left: &Expr) -> Result<T, Failed> {
        let span = self.span();
        let found = self.slice(span);
        let written = self.slice(left.span);
        let word = match self.peek() {
            Tok::Name(word) => word.to_lowercase(),
            _ => String::new(),
        };
        let message = match word.as_str() {
            "as" => crate::text!(
                "there is no `as`: a name is given by the object form, `{{\"name\": \"{written}\"}}`",
                "слова `as` нет: имя даётся объектом, `{{\"имя\": \"{written}\"}}`"
            ),
            "if" => crate::text!(
                "a choice is written `if(condition, a, b)`",
                "выбор пишется `if(условие, a, b)`"
            ),
            "like" | "ilike" => crate::text!(
                "there is no `{word}`: write `contains({written}, \"...\")`",
                "слова `{word}` нет: пишите `contains({written}, \"...\")`"
            ),
            "asc" | "desc" => crate::text!(
                "`{found}` stands only in `sort`, once, at the end",
                "`{found}` стоит только в `sort`, один раз, в конце"
            ),
            _ => match self.peek() {
                Tok::Comma => crate::text!(
                    "one expression stands here: several are written as a list",
                    "здесь стоит одно выражение: несколько пишутся списком"
                ),
                Tok::RParen | Tok::RBracket => {
                    crate::text!("`{found}` closes nothing", "`{found}` ничего не закрывает")
                }
                _ => crate::text!(
                    "expected an operator before `{found}`",
                    "перед `{found}` ожидается оператор"
                ),
            },
        };
        self.syntax(message, None, span)
    }
}
