//! Tokens to a tree. Precedence climbing; reports every problem it can tell apart, and says what to
//! write instead of what other languages write (`foreign`).

mod comparison;
mod foreign;
mod methods;

use super::ast::{Arith, Expr, Node};
use super::format::strength;
use super::lexer::{Tok, Token, lex};
use crate::error::{Code, Diagnostic, Span};

/// The longest text of one expression, in characters.
pub const MAX_TEXT: usize = 10_000;
/// The deepest nesting of an expression.
pub const MAX_DEPTH: usize = 64;

/// The most parts of one `and`, one `or` or one chain of comparisons. They are flat here, but the
/// engine makes a tower of them.
pub const MAX_PARTS: usize = 256;
/// More problems than this in one expression help nobody.
const MAX_PROBLEMS: usize = 20;

/// Parses an expression. Spans are in bytes of `text`; the diagnostics carry no pointer.
pub fn parse(text: &str) -> Result<Expr, Vec<Diagnostic>> {
    if text.chars().count() > MAX_TEXT {
        return Err(vec![too_long()]);
    }
    let lexed = lex(text);
    let mut problems = lexed.problems;
    if lexed.broken {
        problems.truncate(MAX_PROBLEMS);
        return Err(problems);
    }
    let tokens = lexed.tokens;
    let mut parser = Parser {
        text,
        tokens: &tokens,
        at: 0,
        frames: 0,
        nested: 0,
        problems,
        mended: Vec::new(),
        rolling: None,
    };
    let parsed = parser.whole();
    let mut problems = parser.problems;
    match parsed {
        Ok(tree) if problems.is_empty() => Ok(tree.expr),
        _ => {
            problems.sort_by_key(|d| d.span.map(|s| s.start));
            problems.truncate(MAX_PROBLEMS);
            Err(problems)
        }
    }
}

/// What is said of an expression over the bound, as it is written or in its canonical form.
pub(super) fn too_long() -> Diagnostic {
    let message = crate::text!(
        "an expression has at most {MAX_TEXT} characters",
        "в выражении не больше {MAX_TEXT} знаков"
    );
    Diagnostic::new(Code::TooLong, message)
}

/// The problem is recorded; there is no tree.
struct Failed;

/// A tree and its height, which is bounded so that no walk over it can overflow the stack.
struct Tree {
    expr: Expr,
    height: usize,
}

type Parsed = Result<Tree, Failed>;

struct Parser<'a> {
    text: &'a str,
    tokens: &'a [Token],
    at: usize,
    /// Open calls of [`Parser::expr`].
    frames: usize,
    /// Open parentheses, calls, lists and prefix operators.
    nested: usize,
    problems: Vec<Diagnostic>,
    /// Operands of other languages and what they would be written as.
    mended: Vec<(Span, String)>,
    /// The last `x.rolling(n)` or `x.ewm(span=n)`, which of them, and its `n`.
    rolling: Option<(Span, &'static str, Option<String>)>,
}

impl<'a> Parser<'a> {
    fn whole(&mut self) -> Parsed {
        if self.peek() == &Tok::End {
            let message = crate::text!("the expression is empty", "выражение пусто");
            return self.fail(Diagnostic::new(Code::Syntax, message), self.span());
        }
        let tree = self.expr(strength::OR)?;
        if self.peek() == &Tok::End { Ok(tree) } else { self.unexpected_after(&tree.expr) }
    }

    // ── tokens ──

    fn token(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    fn peek(&self) -> &'a Tok {
        self.peek_by(0)
    }

    fn peek_by(&self, ahead: usize) -> &'a Tok {
        self.tokens.get(self.at + ahead).map_or(&Tok::End, |t| &t.tok)
    }

    fn span(&self) -> Span {
        let end = self.text.len();
        self.token().map_or(Span::new(end, end), |t| t.span)
    }

    fn slice(&self, span: Span) -> &'a str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    /// Consumes a token and gives its span.
    fn next(&mut self) -> Span {
        let span = self.span();
        self.at += 1;
        span
    }

    fn eat(&mut self, tok: &Tok) -> Option<Span> {
        (self.peek() == tok).then(|| self.next())
    }

    // ── problems ──

    fn report(&mut self, diagnostic: Diagnostic, span: Span) {
        self.problems.push(diagnostic.span(span));
    }

    fn fail<T>(&mut self, diagnostic: Diagnostic, span: Span) -> Result<T, Failed> {
        self.report(diagnostic, span);
        Err(Failed)
    }

    pub(super) fn too_many_parts<T>(&mut self, span: Span) -> Result<T, Failed> {
        let message = crate::text!(
            "a condition has at most {MAX_PARTS} parts: for a list of values write `in [...]`",
            "в условии не больше {MAX_PARTS} частей: для списка значений есть `in [...]`"
        );
        self.fail(Diagnostic::new(Code::TooMany, message), span)
    }

    fn too_deep<T>(&mut self, span: Span) -> Result<T, Failed> {
        let message = crate::text!(
            "an expression is nested at most {MAX_DEPTH} deep",
            "вложенность выражения не больше {MAX_DEPTH}"
        );
        self.fail(Diagnostic::new(Code::TooDeep, message), span)
    }

    // ── the grammar ──

    /// Runs `inner` one level down.
    fn nest<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Failed>) -> Result<T, Failed> {
        if self.nested >= MAX_DEPTH {
            return self.too_deep(self.span());
        }
        self.nested += 1;
        let result = inner(self);
        self.nested -= 1;
        result
    }

    fn leaf(node: Node, span: Span) -> Tree {
        Tree { expr: Expr { node, span }, height: 1 }
    }

    /// A node over parts of the given height.
    fn above(&mut self, node: Node, span: Span, height: usize) -> Parsed {
        if height >= MAX_DEPTH {
            return self.too_deep(span);
        }
        Ok(Tree { expr: Expr { node, span }, height: height + 1 })
    }

    /// An expression whose operators bind at least as strongly as `least`.
    fn expr(&mut self, least: u8) -> Parsed {
        if self.frames > 2 * MAX_DEPTH {
            return self.too_deep(self.span());
        }
        self.frames += 1;
        let result = self.expr_inner(least);
        self.frames -= 1;
        result
    }

    fn expr_inner(&mut self, least: u8) -> Parsed {
        let mut left = self.prefix(least)?;
        loop {
            left = match self.peek() {
                Tok::Or if least <= strength::OR => self.junction(left, strength::OR)?,
                Tok::And if least <= strength::AND => self.junction(left, strength::AND)?,
                Tok::Plus | Tok::Minus if least <= strength::ADD => {
                    self.arith(left, strength::ADD + 1)?
                }
                Tok::Star | Tok::Slash | Tok::SlashSlash | Tok::Percent
                    if least <= strength::MUL =>
                {
                    self.arith(left, strength::MUL + 1)?
                }
                Tok::StarStar if least <= strength::POW => {
                    self.nest(|p| p.arith(left, strength::NEG))?
                }
                Tok::In | Tok::Not if least <= strength::COMPARE => self.membership(left)?,
                Tok::Name(word)
                    if word.eq_ignore_ascii_case("is") && least <= strength::COMPARE =>
                {
                    self.is_null(&left.expr)?
                }
                Tok::Name(word)
                    if word.eq_ignore_ascii_case("between") && least <= strength::COMPARE =>
                {
                    self.between(&left.expr)?
                }
                Tok::Name(word)
                    if (word.eq_ignore_ascii_case("like")
                        || word.eq_ignore_ascii_case("ilike"))
                        && least <= strength::COMPARE =>
                {
                    self.like(&left.expr, false)?
                }
                Tok::Name(word) if word == "if" && least <= strength::OR => {
                    self.conditional(&left.expr)?
                }
                _ if self.comparison_op().is_some() && least <= strength::COMPARE => {
                    self.comparison(left)?
                }
                _ => return Ok(left),
            };
        }
    }

    /// `and b and c`, flattened: `(a and b) and c` is the same list.
    fn junction(&mut self, left: Tree, own: u8) -> Parsed {
        let tok = if own == strength::OR { Tok::Or } else { Tok::And };
        let span_start = left.expr.span;
        let mut height = 0;
        let mut list = Vec::new();
        let mut add = |tree: Tree, list: &mut Vec<Expr>| {
            let (is_same, inner) = match tree.expr.node {
                Node::Or(inner) if own == strength::OR => (true, inner),
                Node::And(inner) if own == strength::AND => (true, inner),
                node => (false, vec![Expr { node, span: tree.expr.span }]),
            };
            height = height.max(tree.height - usize::from(is_same));
            list.extend(inner);
        };
        add(left, &mut list);
        while self.eat(&tok).is_some() {
            let operand = self.expr(own + 1)?;
            add(operand, &mut list);
            if list.len() > MAX_PARTS {
                return self.too_many_parts(span_start);
            }
        }
        let end = list.last().map_or(span_start, |e| e.span);
        let node = if own == strength::OR { Node::Or(list) } else { Node::And(list) };
        self.above(node, span_start.to(end), height)
    }

    fn arith(&mut self, left: Tree, least: u8) -> Parsed {
        let op = match self.peek() {
            Tok::Plus => Arith::Add,
            Tok::Minus => Arith::Sub,
            Tok::Star => Arith::Mul,
            Tok::Slash => Arith::Div,
            Tok::SlashSlash => Arith::FloorDiv,
            Tok::Percent => Arith::Mod,
            _ => Arith::Pow,
        };
        let op_span = self.next();
        if op == Arith::Mod && matches!(self.peek(), Tok::End | Tok::RParen | Tok::Comma) {
            let message = crate::text!(
                "`%` is the remainder of a division: a percentage is written as a plain number",
                "`%` — остаток от деления: проценты пишутся просто числом"
            );
            let fix = self.slice(left.expr.span);
            let whole = left.expr.span.to(op_span);
            self.report(Diagnostic::new(Code::Syntax, message).fix(fix), whole);
            return Ok(left);
        }
        let right = self.expr(least)?;
        let span = left.expr.span.to(right.expr.span);
        let height = left.height.max(right.height);
        self.above(Node::Arith(op, left.expr.into(), right.expr.into()), span, height)
    }

    /// From the opening bracket to the closing one: items, their height, the closing span.
    /// A broken item does not hide the problems of the next ones. `callee` is the function whose
    /// arguments they are.
    fn list(
        &mut self,
        close: &Tok,
        callee: Option<&str>,
    ) -> Result<(Vec<Expr>, usize, Span), Failed> {
        let open = self.next();
        self.nest(|p| {
            let (mut items, mut height, mut failed) = (Vec::new(), 0, false);
            if let Some(end) = p.eat(close) {
                return Ok((items, height, end));
            }
            loop {
                let keyword = callee.and_then(|function| p.keyword(function, items.len()));
                if let Ok(tree) = p.expr(strength::OR) {
                    if let Some(name) = keyword {
                        p.named_argument(name, tree.expr.span);
                    }
                    height = height.max(tree.height);
                    if !matches!(p.peek(), Tok::Comma | Tok::End) && p.peek() != close {
                        let _: Parsed = p.unexpected_after(&tree.expr);
                        failed = true;
                        p.skip_item();
                    }
                    items.push(tree.expr);
                } else {
                    failed = true;
                    p.skip_item();
                }
                let comma = p.eat(&Tok::Comma);
                if let Some(end) = p.eat(close) {
                    if let Some(comma) = comma {
                        let message =
                            crate::text!("nothing follows the comma", "после запятой ничего нет");
                        let fix = p.slice(end);
                        p.report(Diagnostic::new(Code::Syntax, message).fix(fix), comma.to(end));
                    }
                    return if failed { Err(Failed) } else { Ok((items, height, end)) };
                }
                if comma.is_none() {
                    return if failed { Err(Failed) } else { p.unclosed(open, close) };
                }
            }
        })
    }

    fn unclosed<T>(&mut self, open: Span, close: &Tok) -> Result<T, Failed> {
        let (opened, wanted) = if close == &Tok::RParen { ("(", ")") } else { ("[", "]") };
        let found = self.slice(self.span());
        let message = if found.is_empty() {
            crate::text!(
                "the `{opened}` that opens here is never closed",
                "открытая здесь скобка `{opened}` не закрыта"
            )
        } else {
            crate::text!(
                "expected `{wanted}` before `{found}`",
                "перед `{found}` ожидается `{wanted}`"
            )
        };
        let span = if found.is_empty() { open } else { self.span() };
        self.fail(Diagnostic::new(Code::Syntax, message), span)
    }

    /// Goes to the comma or bracket that ends the current item.
    fn skip_item(&mut self) {
        let mut open = 0usize;
        loop {
            match self.peek() {
                Tok::End => return,
                Tok::Comma | Tok::RParen | Tok::RBracket if open == 0 => return,
                Tok::LParen | Tok::LBracket => open += 1,
                Tok::RParen | Tok::RBracket => open -= 1,
                _ => {}
            }
            self.at += 1;
        }
    }

    fn prefix(&mut self, least: u8) -> Parsed {
        let span = self.span();
        match self.peek() {
            Tok::Minus => {
                self.next();
                let inner = self.nest(|p| p.expr(strength::NEG))?;
                let whole = span.to(inner.expr.span);
                self.above(Node::Neg(inner.expr.into()), whole, inner.height)
            }
            Tok::Plus => {
                let message =
                    crate::text!("a number has no leading `+`", "перед числом не пишется `+`");
                self.next();
                let inner = self.nest(|p| p.expr(strength::NEG))?;
                let fix = self.slice(inner.expr.span);
                let whole = span.to(inner.expr.span);
                self.report(Diagnostic::new(Code::Syntax, message).fix(fix), whole);
                Ok(inner)
            }
            Tok::Not => {
                self.next();
                self.negation(span, least)
            }
            Tok::Name(word) if word.eq_ignore_ascii_case("not") && self.operand_follows() => {
                self.miswritten_keyword(word);
                self.next();
                self.negation(span, least)
            }
            _ => self.operand(),
        }
    }

    fn negation(&mut self, span: Span, least: u8) -> Parsed {
        let inner = self.nest(|p| p.expr(strength::NOT))?;
        let whole = span.to(inner.expr.span);
        if least > strength::NOT {
            let written = self.slice(whole);
            let message = crate::text!(
                "`not` binds weaker than what stands before it: put it in parentheses",
                "`not` связывает слабее того, что стоит перед ним: возьмите его в скобки"
            );
            let fix = format!("({written})");
            self.report(Diagnostic::new(Code::Syntax, message).fix(fix), whole);
        }
        self.above(Node::Not(inner.expr.into()), whole, inner.height)
    }

    /// After a word that might be a keyword: does an operand follow?
    fn operand_follows(&self) -> bool {
        matches!(
            self.peek_by(1),
            Tok::Name(_)
                | Tok::Quoted(_)
                | Tok::Int(_)
                | Tok::Float(_)
                | Tok::Decimal(_)
                | Tok::Text(_)
                | Tok::True
                | Tok::False
                | Tok::Null
                | Tok::LParen
        )
    }

    fn operand(&mut self) -> Parsed {
        let span = self.span();
        let node = match self.peek() {
            Tok::Int(i) => Node::Int(*i),
            Tok::Float(x) => Node::Float(*x),
            Tok::Decimal(x) => Node::Decimal(*x),
            Tok::Text(s) => Node::Text(s.clone()),
            Tok::True => Node::Bool(true),
            Tok::False => Node::Bool(false),
            Tok::Null => Node::Null,
            Tok::Name(name) if self.peek_by(1) == &Tok::LParen => return self.call(name),
            Tok::Name(name)
                if name.eq_ignore_ascii_case("case")
                    && matches!(self.peek_by(1), Tok::Name(w) if w.eq_ignore_ascii_case("when")) =>
            {
                return self.case();
            }
            Tok::Name(name)
                if ["date", "timestamp"].contains(&name.to_lowercase().as_str())
                    && matches!(self.peek_by(1), Tok::Text(_)) =>
            {
                return self.typed_text(name);
            }
            Tok::Name(name) | Tok::Quoted(name) => Node::Column(name.clone()),
            Tok::LParen => return self.parentheses(),
            Tok::LBracket => {
                let message =
                    crate::text!("a list stands only after `in`", "список стоит только после `in`");
                return self.fail(Diagnostic::new(Code::Syntax, message), span);
            }
            _ => return self.missing_operand(),
        };
        self.next();
        self.suffixes(Self::leaf(node, span))
    }

    fn missing_operand(&mut self) -> Parsed {
        let span = self.span();
        let found = self.slice(span);
        if found == "*" && self.peek_by(1) == &Tok::RParen {
            return Ok(self.counted_star(span));
        }
        if found == "*" && self.tokens.len() == 2 {
            let message = crate::text!(
                "`*` stands for nothing: all columns come when `select` and `columns` are left out",
                "`*` ничего не значит: все столбцы выйдут, если не писать `select` и `columns`"
            );
            return self.fail(Diagnostic::new(Code::Syntax, message), span);
        }
        let message = if found.is_empty() {
            let before = self.tokens.get(self.at.wrapping_sub(1)).map(|t| self.slice(t.span));
            let before = before.unwrap_or_default();
            crate::text!("a value must follow `{before}`", "после `{before}` нужно значение")
        } else {
            crate::text!("expected a value before `{found}`", "перед `{found}` ожидается значение")
        };
        self.fail(Diagnostic::new(Code::Syntax, message), span)
    }

    /// `count(*)`, at the star.
    fn counted_star(&mut self, star: Span) -> Tree {
        let message = crate::text!(
            "rows are counted by `count()`, without `*`",
            "строки считает `count()`, без `*`"
        );
        let mut diagnostic = Diagnostic::new(Code::Syntax, message);
        let mut span = star;
        let callee = self.at.checked_sub(2).and_then(|at| self.tokens.get(at));
        if let Some(Token { tok: Tok::Name(name), span: name_span }) = callee
            && name.eq_ignore_ascii_case("count")
        {
            diagnostic = diagnostic.fix("count()");
            span = Span::new(name_span.start, star.end + 1);
        }
        self.next();
        self.report(diagnostic, span);
        Self::leaf(Node::Null, star)
    }

    fn parentheses(&mut self) -> Parsed {
        let open = self.span();
        let (mut items, height, end) = self.list(&Tok::RParen, None)?;
        let whole = open.to(end);
        match (items.pop(), items.is_empty()) {
            (Some(mut expr), true) => {
                expr.span = whole;
                self.suffixes(Tree { expr, height })
            }
            (None, _) => {
                let message = crate::text!("the parentheses are empty", "скобки пусты");
                self.fail(Diagnostic::new(Code::Syntax, message), whole)
            }
            _ => {
                let message =
                    crate::text!("a list stands only after `in`", "список стоит только после `in`");
                self.fail(Diagnostic::new(Code::Syntax, message), whole)
            }
        }
    }

    fn call(&mut self, name: &str) -> Parsed {
        if let Some(worded) = self.worded_call(name) {
            return worded;
        }
        let name_span = self.next();
        let (args, height, end) = self.list(&Tok::RParen, Some(name))?;
        let node = Node::Call { name: name.to_owned(), name_span, args };
        let tree = self.above(node, name_span.to(end), height)?;
        self.suffixes(tree)
    }
}
