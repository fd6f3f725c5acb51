//! What other languages write (keyword arguments, `is null`, `like`, `case`, `AND`), and what to say
//! of it.

use super::{Expr, Failed, Parsed, Parser, Tok, Tree, strength};
use crate::error::{Code, Diagnostic, Span, Text};
use crate::query::ast::{Compare, Node};
use crate::query::functions::{self, Takes};

impl Parser<'_> {
    pub(super) fn syntax<T>(
        &mut self,
        message: Text,
        fix: Option<String>,
        span: Span,
    ) -> Result<T, Failed> {
        let mut diagnostic = Diagnostic::new(Code::Syntax, message);
        diagnostic.fix = fix;
        self.fail(diagnostic, span)
    }

    /// Reports and goes on with a stand-in, so that problems further on are found too. The stand-in
    /// is never seen: a text with a problem has no tree.
    pub(super) fn instead(&mut self, message: Text, fix: Option<String>, span: Span) -> Tree {
        if let Some(fix) = &fix {
            self.mended.push((span, fix.clone()));
        }
        let mut diagnostic = Diagnostic::new(Code::Syntax, message);
        diagnostic.fix = fix;
        self.report(diagnostic, span);
        Self::leaf(Node::Null, span)
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
        let object = self.mended(left.span);
        if self.eat(&Tok::And).is_none() {
            let message = crate::text!(
                "there is no `between`: write `a <= {object} <= b`",
                "слова `between` нет: пишите `a <= {object} <= b`"
            );
            return Ok(self.instead(message, None, left.span.to(word)));
        }
        let high = self.expr(strength::ADD)?;
        self.absorb(left.span);
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
            let object = self.mended(left.span);
            self.absorb(left.span);
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

    /// `x like 'a%'`, from `like` on; `start` is where `not` or the operand before it begins.
    pub(super) fn like(&mut self, left: &Expr, negated: bool) -> Parsed {
        let word = self.next();
        let pattern = self.expr(strength::ADD)?;
        let object = &self.mended(left.span);
        self.absorb(left.span);
        let span = left.span.to(pattern.expr.span);
        let not = if negated { "not " } else { "" };
        let fix = match &pattern.expr.node {
            Node::Text(pattern) => likeness(object, pattern).map(|call| format!("{not}{call}")),
            _ => None,
        };
        let word = self.slice(word).to_lowercase();
        let plain = fix.clone().unwrap_or_else(|| format!("{not}contains({object}, \"...\")"));
        let message = crate::text!(
            "there is no `{word}`: write `{plain}`",
            "слова `{word}` нет: пишите `{plain}`"
        );
        // patterns ignore case there, and text compares exactly here
        let fix = fix.filter(|_| word == "like");
        Ok(self.instead(message, fix, span))
    }

    /// `case when a then b else c end`, from `case` on.
    pub(super) fn case(&mut self) -> Parsed {
        let start = self.next();
        let mut pairs = Vec::new();
        while self.eat_word("when").is_some() {
            let condition = self.nest(|p| p.expr(strength::OR))?.expr.span;
            if self.eat_word("then").is_none() {
                break;
            }
            pairs.push((condition, self.nest(|p| p.expr(strength::OR))?.expr.span));
        }
        let otherwise = match self.eat_word("else") {
            Some(_) => Some(self.nest(|p| p.expr(strength::OR))?.expr.span),
            None => None,
        };
        let end = self.eat_word("end");
        let span = start.to(end.unwrap_or(start));
        let fix = end.filter(|_| !pairs.is_empty()).map(|_| {
            let last = otherwise.map_or("null", |span| self.slice(span)).to_owned();
            pairs.iter().rev().fold(last, |rest, (condition, value)| {
                format!("if({}, {}, {rest})", self.slice(*condition), self.slice(*value))
            })
        });
        let message = crate::text!(
            "there is no `case`: a choice is written `if(condition, a, b)`",
            "слова `case` нет: выбор пишется `if(условие, a, b)`"
        );
        Ok(self.instead(message, fix, span))
    }

    /// `b if a else c`, from `if` on.
    pub(super) fn conditional(&mut self, value: &Expr) -> Parsed {
        let word = self.next();
        let condition = self.nest(|p| p.expr(strength::OR))?.expr.span;
        let message = crate::text!(
            "a choice is written `if(condition, a, b)`",
            "выбор пишется `if(условие, a, b)`"
        );
        if self.eat_word("else").is_none() {
            return self.syntax(message, None, word);
        }
        let otherwise = self.nest(|p| p.expr(strength::OR))?.expr.span;
        let (a, b, c) = (self.slice(condition), self.slice(value.span), self.slice(otherwise));
        let fix = format!("if({a}, {b}, {c})");
        Ok(self.instead(message, Some(fix), value.span.to(otherwise)))
    }

    /// `count(distinct x)`, `extract(year from x)`, `cast(x as int)`: calls with words between the parentheses, from
    /// the name on. `None` when it is none of them, and nothing is read.
    pub(super) fn worded_call(&mut self, name: &str) -> Option<Parsed> {
        let lower = name.to_lowercase();
        let word = |ahead: usize| match self.peek_by(ahead) {
            Tok::Name(word) => word.to_lowercase(),
            _ => String::new(),
        };
        if matches!(lower.as_str(), "cast" | "try_cast") {
            return Some(self.cast());
        }
        let function =
            if lower == "count" && word(2) == "distinct" && self.peek_by(3) != &Tok::RParen {
                "count_distinct"
            } else if lower == "extract" && word(3) == "from" {
                functions::lookup(&word(2))?.name
            } else {
                return None;
            };
        let start = self.span();
        self.at += if function == "count_distinct" { 3 } else { 4 };
        Some(self.nest(|p| {
            let argument = p.expr(strength::OR)?.expr.span;
            let Some(end) = p.eat(&Tok::RParen) else { return p.unclosed(start, &Tok::RParen) };
            let fix = format!("{function}({})", p.slice(argument));
            let message = crate::text!("this is written `{fix}`", "это пишется `{fix}`");
            Ok(p.instead(message, Some(fix), start.to(end)))
        }))
    }

    /// `x == [a, b]`: from the bracket on, `op` before it.
    pub(super) fn equals_list(&mut self, left: &Expr, op: Compare, op_span: Span) -> Parsed {
        let open = self.span();
        let (_, _, end) = self.list(&Tok::RBracket, None)?;
        let list = self.slice(open.to(end));
        let word = if op == Compare::Ne { "not in" } else { "in" };
        let fix = format!("{word} {list}");
        let message = crate::text!(
            "a value is looked for in a list by `{word}`",
            "значение ищут в списке через `{word}`"
        );
        self.instead(message, Some(fix), op_span.to(end));
        Ok(Self::leaf(Node::Null, left.span.to(end)))
    }

    /// `x in 'a', 'b'`: the constants without their brackets.
    pub(super) fn bare_list(&mut self) -> Option<Tree> {
        let constant =
            |tok: &Tok| matches!(tok, Tok::Text(_) | Tok::Int(_) | Tok::Float(_) | Tok::Decimal(_));
        let start = self.span();
        let mut end = start;
        if !constant(self.peek()) {
            return None;
        }
        loop {
            end = end.to(self.next());
            // inside a call the comma may be that of the next argument
            let more = self.frames <= 2 && self.peek() == &Tok::Comma && constant(self.peek_by(1));
            if !more {
                break;
            }
            self.next();
        }
        let fix = format!("[{}]", self.slice(start.to(end)));
        let message = crate::text!(
            "after `in` comes a list: `in {fix}`",
            "после `in` идёт список: `in {fix}`"
        );
        Some(self.instead(message, Some(fix), start.to(end)))
    }

    /// `x in range(a, b)`, at `range`.
    pub(super) fn in_range(&mut self, left: &Expr, negated: bool) -> Option<Tree> {
        let tokens = self.tokens.get(self.at..self.at + 6)?;
        let whole = |at: usize| matches!(tokens.get(at), Some(t) if matches!(t.tok, Tok::Int(_)));
        let [name, open, low, comma, high, close] = tokens else { return None };
        let shape = self.slice(name.span) == "range"
            && (&open.tok, &comma.tok, &close.tok) == (&Tok::LParen, &Tok::Comma, &Tok::RParen);
        if !shape || !whole(2) || !whole(4) || negated {
            return None;
        }
        let object = self.slice(left.span);
        let fix = format!("{} <= {object} < {}", self.slice(low.span), self.slice(high.span));
        let span = left.span.to(close.span);
        self.at += 6;
        let message =
            crate::text!("there is no `range`: write `{fix}`", "слова `range` нет: пишите `{fix}`");
        Some(self.instead(message, Some(fix), span))
    }

    /// `cast(x as int)`, from the name on.
    fn cast(&mut self) -> Parsed {
        let start = self.next();
        self.next();
        self.nest(|p| {
            p.expr(strength::OR)?;
            p.eat_word("as");
            p.skip_item();
            let end = p.eat(&Tok::RParen).unwrap_or(start);
            let message = crate::text!(
                "there are no casts: kinds of numbers mix by themselves",
                "приведений типов нет: числа смешиваются сами"
            );
            Ok(p.instead(message, None, start.to(end)))
        })
    }

    /// Reads the word where it stands next, in any case.
    fn eat_word(&mut self, word: &str) -> Option<Span> {
        let here = matches!(self.peek(), Tok::Name(name) if name.eq_ignore_ascii_case(word));
        here.then(|| self.next())
    }

    /// `1,000`, from the comma on: the number as it would be written.
    fn thousands(&mut self) -> Option<(String, Span)> {
        let before = self.at.checked_sub(1).and_then(|at| self.tokens.get(at))?;
        let (mut at, mut span) = (self.at, before.span);
        let mut digits = self.slice(before.span).to_owned();
        if !matches!(before.tok, Tok::Int(_)) || digits.len() > 3 {
            return None;
        }
        while let (Some(comma), Some(group)) = (self.tokens.get(at), self.tokens.get(at + 1)) {
            let text = self.slice(group.span);
            let whole = text.split('.').next().unwrap_or_default();
            let touching = comma.span.start == span.end && group.span.start == comma.span.end;
            if comma.tok != Tok::Comma || !touching || whole.len() != 3 {
                break;
            }
            if !matches!(group.tok, Tok::Int(_) | Tok::Float(_) | Tok::Decimal(_)) {
                break;
            }
            digits.push_str(text);
            span = span.to(group.span);
            at += 2;
        }
        (at > self.at).then(|| {
            self.at = at;
            (digits, span)
        })
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

    /// `date '2024-01-31'`, at the word.
    pub(super) fn typed_text(&mut self, word: &str) -> Parsed {
        let start = self.next().start;
        let message = crate::text!(
            "a date is written as text, without `{word}` before it",
            "дата пишется текстом, без слова `{word}` перед ней"
        );
        let gap = Span::new(start, self.span().start);
        self.report(Diagnostic::new(Code::Syntax, message).fix(""), gap);
        self.operand()
    }

    /// What SQL writes before a value: `distinct x`, `order by x`, and a query in parentheses.
    /// `None` where `word` is none of them.
    fn worded<T>(&mut self, word: &str, before: Span) -> Option<Result<T, Failed>> {
        let next = self.span();
        let by = matches!(self.peek(), Tok::Name(w) if w.eq_ignore_ascii_case("by"));
        Some(match word {
            "order" | "sort" | "group" if by && before.start == 0 => {
                let end = self.tokens.get(self.at + 1).map_or(next.end, |t| t.span.start);
                let gap = Span::new(0, end);
                let written = self.slice(before.to(next)).to_owned();
                let message = crate::text!(
                    "the expression stands without `{written}` before it",
                    "выражение пишется без слов `{written}` перед ним"
                );
                self.syntax(message, Some(String::new()), gap)
            }
            "distinct" => {
                let message = crate::text!(
                    "different values are the keys of `group_by`; how many there are says `count_distinct(x)`",
                    "разные значения — это ключи `group_by`; сколько их, говорит `count_distinct(x)`"
                );
                self.syntax(message, None, before)
            }
            "select" if before.start > 0 => {
                let message = crate::text!(
                    "there are no queries within an expression: in `map` and `where` an aggregate is that of all rows, `max(x)`",
                    "запросов внутри выражения нет: в `map` и `where` агрегат берётся по всем строкам, `max(x)`"
                );
                self.syntax(message, None, before)
            }
            _ => return None,
        })
    }

    /// Something follows a complete expression that does not belong there.
    pub(super) fn unexpected_after<T>(&mut self, left: &Expr) -> Result<T, Failed> {
        if self.peek() == &Tok::Comma
            && let Some((number, span)) = self.thousands()
        {
            let message = crate::text!(
                "a number is written without separators: `{number}`",
                "число пишется без разделителей: `{number}`"
            );
            return self.syntax(message, Some(number), span);
        }
        let span = self.span();
        let found = self.slice(span);
        let written = self.slice(left.span);
        if let Node::Column(word) = &left.node
            && let Some(failed) = self.worded(&word.to_lowercase(), left.span)
        {
            return failed;
        }
        if left.span.start == 0
            && let Node::Column(word) = &left.node
            && ["where", "select", "filter", "having", "map", "sort"]
                .contains(&word.to_lowercase().as_str())
        {
            let message = crate::text!(
                "the expression stands without `{word}` before it",
                "выражение пишется без слова `{word}` перед ним"
            );
            let gap = Span::new(left.span.start, span.start);
            return self.syntax(message, Some(String::new()), gap);
        }
        let word = match self.peek() {
            Tok::Name(word) => word.to_lowercase(),
            _ => String::new(),
        };
        let message = match word.as_str() {
            "as" => {
                let (en, ru) = match self.peek_by(1) {
                    Tok::Name(name) | Tok::Quoted(name) => (name.as_str(), name.as_str()),
                    _ => ("name", "имя"),
                };
                crate::text!(
                    "there is no `as`: a name is given by the object form, `{{\"{en}\": \"{written}\"}}`",
                    "слова `as` нет: имя даётся объектом, `{{\"{ru}\": \"{written}\"}}`"
                )
            }
            "where" | "having" | "group" | "order" | "limit" | "from" => {
                let (field, form) = match word.as_str() {
                    "group" => ("group_by", "\"x\""),
                    "order" => ("sort", "\"x desc\""),
                    "limit" => ("limit", "10"),
                    "from" => ("table", "\"name\""),
                    _ => ("where", "\"x > 5\""),
                };
                crate::text!(
                    "`{found}` is a field of its own beside this one: `\"{field}\": {form}`",
                    "`{found}` — отдельное поле рядом с этим: `\"{field}\": {form}`"
                )
            }
            "over" => crate::text!(
                "there is no `over`: windows such as `rolling_mean(x, n)` stay within their series by themselves",
                "слова `over` нет: окна вроде `rolling_mean(x, n)` и так не выходят из своего ряда"
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

/// The call that finds what an SQL pattern finds, where there is one.
fn likeness(object: &str, pattern: &str) -> Option<String> {
    let start = pattern.strip_suffix('%');
    let end = pattern.strip_prefix('%');
    let (function, text) = match (start, end) {
        (Some(_), Some(_)) => ("contains", pattern.strip_prefix('%')?.strip_suffix('%')?),
        (Some(start), None) => ("starts_with", start),
        (None, Some(end)) => ("ends_with", end),
        (None, None) => ("", pattern),
    };
    if text.contains(['%', '_']) || text.is_empty() {
        return None;
    }
    let text = crate::query::format::string(text);
    Some(match function {
        "" => format!("{object} == {text}"),
        function => format!("{function}({object}, {text})"),
    })
}
