//! Types of one expression: columns, constants, arithmetic, conditions.

use super::MAX_PROBLEMS;
use super::definition::Definition;
use super::scope::Scope;
use super::typed::{Node, Typed, Warning};
use crate::error::{Code, Diagnostic, Span, Text, closest};
use crate::query::ast::{self, Arith, Expr};
use crate::query::{format, functions};
use crate::schema::Kind;
use crate::value::Value;

/// Where an expression stands; says which functions it may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Map,
    Where,
    GroupBy,
    Select,
    Sort,
    Columns,
}

impl Place {
    pub fn field(self) -> &'static str {
        match self {
            Self::Map => "map",
            Self::Where => "where",
            Self::GroupBy => "group_by",
            Self::Select => "select",
            Self::Sort => "sort",
            Self::Columns => "columns",
        }
    }
}

/// Checks one expression in one place.
pub(super) struct Checker<'a> {
    /// What can be read: of `select`, inside aggregates.
    pub scope: &'a Scope,
    /// The group keys by name, which `select` can read outside aggregates.
    pub keys: &'a Scope,
    pub place: Place,
    pub pointer: &'a str,
    /// Where the expression starts in its field.
    pub offset: usize,
    /// The aggregate around the current position.
    pub inside: Option<&'static str>,
    /// What the position is compared with is text: an unknown name may be a text without quotes.
    pub beside_text: bool,
    /// The definition that is being read: its names alone are in sight.
    pub definition: Option<Definition>,
    pub problems: &'a mut Vec<Diagnostic>,
    pub warnings: &'a mut Vec<Warning>,
}

impl Checker<'_> {
    /// More problems would be cut: looking for their choices is not worth it.
    pub fn is_full(&self) -> bool {
        self.problems.len() >= MAX_PROBLEMS
    }

    pub fn report(&mut self, diagnostic: Diagnostic, span: Span) {
        if self.is_full() {
            return;
        }
        let span = Span::new(span.start + self.offset, span.end + self.offset);
        self.problems.push(diagnostic.at(self.pointer).span(span));
    }

    pub fn wrong<T>(&mut self, code: Code, message: Text, span: Span) -> Option<T> {
        self.report(Diagnostic::new(code, message), span);
        None
    }

    /// The resolved expression; `None` when it is wrong and the problems are recorded.
    pub fn expr(&mut self, expr: &Expr) -> Option<Typed> {
        match &expr.node {
            ast::Node::Null => Some(literal(Value::Null)),
            ast::Node::Bool(b) => Some(literal(Value::Bool(*b))),
            ast::Node::Int(i) => Some(literal(Value::Int(*i))),
            ast::Node::Float(x) => Some(literal(Value::Float(*x))),
            // Digits that a double has no room for count beside decimals alone.
            ast::Node::Decimal(x) if x.scale() > 0 => {
                Some(made(Node::Literal(Value::Decimal(*x)), Some(Kind::Float)))
            }
            ast::Node::Decimal(x) => Some(literal(Value::Decimal(*x))),
            ast::Node::Text(s) => Some(literal(Value::text(s))),
            ast::Node::Column(name) => self.column(name, expr.span),
            ast::Node::Neg(x) => self.negative(x),
            ast::Node::Not(x) => {
                let inner = self.condition(x, "not")?;
                Some(made(Node::Not(inner.into()), Some(Kind::Bool)))
            }
            ast::Node::Arith(op, a, b) => self.arith(*op, a, b),
            ast::Node::Compare(first, rest) => self.chain(first, rest, expr.span),
            ast::Node::In { value, list, negated } => self.membership(value, list, *negated),
            ast::Node::And(list) => {
                Some(made(Node::And(self.conditions(list, "and")?), Some(Kind::Bool)))
            }
            ast::Node::Or(list) => {
                Some(made(Node::Or(self.conditions(list, "or")?), Some(Kind::Bool)))
            }
            ast::Node::Call { name, name_span, args } => {
                self.call(name, *name_span, args, expr.span)
            }
        }
    }

    pub(super) fn column(&mut self, name: &str, span: Span) -> Option<Typed> {
        if let Some(definition) = &self.definition {
            return definition.value(name);
        }
        let bare = self.place == Place::Select && self.inside.is_none();
        let scope = if bare { self.keys } else { self.scope };
        if let Some(found) = scope.find(name) {
            if found.broken {
                return None;
            }
            return Some(Typed {
                node: Node::Column(name.to_owned()),
                kind: Some(found.out.column.kind),
                domain: found.out.domain,
                unit: found.out.column.unit.clone(),
            });
        }
        if bare && let Some(found) = self.scope.find(name) {
            let doubtful = self.keys.columns.iter().any(|k| k.broken);
            if !found.broken && !doubtful {
                self.bare_column(name, found.out.column.kind, span);
            }
            return None;
        }
        self.unknown_column(name, span);
        None
    }

    /// A plain column in `select` that is no group key.
    fn bare_column(&mut self, name: &str, kind: Kind, span: Span) {
        let written = format::name(name);
        let message = crate::text!(
            "column `{name}` stands outside an aggregate: wrap it, or group by it",
            "столбец `{name}` стоит вне агрегата: оберните его или сгруппируйте по нему"
        );
        let wraps: &[&str] = if kind.is_list() {
            &["count"]
        } else if kind.is_numeric() {
            &["mean", "sum", "min", "max", "median", "first", "last"]
        } else {
            &["first", "last", "min", "max", "count_distinct"]
        };
        let diagnostic = Diagnostic::new(Code::AggregatePlacement, message)
            .choices(wraps.iter().map(|f| format!("{f}({written})")));
        self.report(diagnostic, span);
    }

    fn unknown_column(&mut self, name: &str, span: Span) {
        if self.scope.incomplete || self.is_full() {
            return;
        }
        if let Some((_, reason)) = self.scope.gone.iter().find(|(n, _)| n == name) {
            let diagnostic = Diagnostic::new(Code::UnknownColumn, reason.clone())
                .choices(self.scope.names().map(format::name));
            return self.report(diagnostic, span);
        }
        let constant = match name.to_lowercase().as_str() {
            "true" => Some("true"),
            "false" => Some("false"),
            "null" | "none" | "nan" | "nil" => Some("null"),
            _ => None,
        };
        let called = self.called(name);
        let function = functions::lookup(name).filter(|_| called.is_empty());
        let near = match called.as_slice() {
            [] => near_match(name, self.scope.names()),
            [one] => Some(*one),
            _ => None,
        };
        let unquoted = self.beside_text && near.is_none() && called.is_empty();
        let message = match (constant, function) {
            (Some(constant), _) => crate::text!(
                "unknown column `{name}`: the constant is written `{constant}`",
                "неизвестный столбец `{name}`: константа пишется `{constant}`"
            ),
            (None, Some(function)) => {
                let written = match function.arity().0 {
                    0 => format!("{name}()"),
                    _ => function.signature(),
                };
                crate::text!(
                    "unknown column `{name}`: the function is written `{written}`",
                    "неизвестный столбец `{name}`: функция пишется `{written}`"
                )
            }
            (None, None) if unquoted => crate::text!(
                "unknown column `{name}`: text stands in quotes",
                "неизвестный столбец `{name}`: текст пишется в кавычках"
            ),
            (None, None) => crate::text!("unknown column `{name}`", "неизвестный столбец `{name}`"),
        };
        let others = closest(name, self.scope.names(), MOST_CHOICES);
        let others = others.iter().map(String::as_str).filter(|n| !called.contains(n));
        let choices = called.iter().copied().chain(others).take(MOST_CHOICES).map(format::name);
        let mut diagnostic = Diagnostic::new(Code::UnknownColumn, message).choices(choices);
        diagnostic.fix = constant
            .map(str::to_owned)
            .or_else(|| near.map(format::name))
            .or_else(|| function.filter(|f| f.arity().0 == 0).map(|f| format!("{}()", f.name)))
            .or_else(|| unquoted.then(|| format::string(name)));
        self.report(diagnostic, span);
    }

    /// The columns that have this word for a label or a synonym, in any case.
    fn called(&self, word: &str) -> Vec<&str> {
        let word = word.to_lowercase();
        let columns = self.scope.columns.iter().map(|c| &c.out.column);
        let is = |name: &String| name.to_lowercase() == word;
        let called = columns.filter(|c| c.synonyms.iter().chain(&c.label).any(is));
        called.map(|c| c.name.as_str()).collect()
    }

    fn negative(&mut self, inner: &Expr) -> Option<Typed> {
        let x = self.expr(inner)?;
        match x.node {
            Node::Literal(Value::Int(i)) => {
                return Some(literal(i.checked_neg().map_or(Value::Null, Value::Int)));
            }
            Node::Literal(Value::Float(f)) => return Some(literal(Value::Float(-f))),
            Node::Literal(Value::Decimal(d)) => {
                return Some(made(Node::Literal(Value::Decimal(-d)), x.kind));
            }
            _ => {}
        }
        if !is_number(&x) {
            return self.not_a_number("-", inner, &x);
        }
        let (kind, unit) = (x.kind, x.unit.clone());
        Some(Typed { unit, ..made(Node::Neg(x.into()), kind) })
    }

    fn arith(&mut self, op: Arith, a_expr: &Expr, b_expr: &Expr) -> Option<Typed> {
        let (a, b) = (self.expr(a_expr), self.expr(b_expr));
        let (a, b) = (a?, b?);
        if let Some((expr, x)) = [(a_expr, &a), (b_expr, &b)].iter().find(|(_, x)| !is_number(x)) {
            return self.not_a_number(op.symbol(), expr, x);
        }
        let (a, b) = match (is_decimal(&a), is_decimal(&b)) {
            (true, false) => (a, exactly(b)),
            (false, true) => (exactly(a), b),
            _ => (a, b),
        };
        let kind = op.kind(a.kind, b.kind);
        let unit = match op {
            Arith::Add | Arith::Sub => common_unit([&a, &b]),
            _ => None,
        };
        Some(Typed { unit, ..made(Node::Arith(op, a.into(), b.into()), Some(kind)) })
    }

    fn not_a_number<T>(&mut self, symbol: &str, expr: &Expr, x: &Typed) -> Option<T> {
        if self.is_list((expr, x), None, expr.span) {
            return None;
        }
        let written = shown(expr);
        let kind = kind_text(x.kind);
        let (en, ru) = (kind.en, kind.ru);
        let message = match x.kind {
            Some(Kind::Date | Kind::Timestamp) => crate::text!(
                "`{symbol}` computes with numbers, and `{written}` is {en}: compare moments, or take parts such as `year(...)`",
                "`{symbol}` считает с числами, а `{written}` — {ru}: моменты сравнивают или берут их части, например `year(...)`"
            ),
            Some(Kind::Bool) => crate::text!(
                "`{symbol}` computes with numbers, and `{written}` is {en}: use `if({written}, 1, 0)`",
                "`{symbol}` считает с числами, а `{written}` — {ru}: нужно `if({written}, 1, 0)`"
            ),
            _ => crate::text!(
                "`{symbol}` computes with numbers, and `{written}` is {en}",
                "`{symbol}` считает с числами, а `{written}` — {ru}"
            ),
        };
        let mut diagnostic = Diagnostic::new(Code::TypeMismatch, message);
        if let Node::Literal(Value::Text(text)) = &x.node {
            diagnostic.fix = self.scope.find(text).map(|_| format::name(text));
        }
        self.report(diagnostic, expr.span);
        None
    }

    fn conditions(&mut self, list: &[Expr], word: &str) -> Option<Vec<Typed>> {
        let checked: Vec<_> = list.iter().map(|x| self.condition(x, word)).collect();
        checked.into_iter().collect()
    }

    fn condition(&mut self, expr: &Expr, word: &str) -> Option<Typed> {
        let x = self.expr(expr)?;
        if matches!(x.kind, None | Some(Kind::Bool)) {
            return Some(x);
        }
        let written = shown(expr);
        let kind = kind_text(x.kind);
        let (en, ru) = (kind.en, kind.ru);
        let message = if matches!(expr.node, ast::Node::Text(_) | ast::Node::Int(_)) {
            crate::text!(
                "`{word}` joins conditions, and `{written}` is {en}: several values are compared by `x in [a, b]`",
                "`{word}` соединяет условия, а `{written}` — {ru}: с несколькими значениями сравнивает `x in [a, b]`"
            )
        } else {
            crate::text!(
                "`{word}` takes conditions, and `{written}` is {en}",
                "`{word}` принимает условия, а `{written}` — {ru}"
            )
        };
        self.wrong(Code::TypeMismatch, message, expr.span)
    }
}

/// The most names that a diagnostic lists.
pub(super) const MOST_CHOICES: usize = 20;

/// The longest piece of an expression that a message quotes, in characters.
const MOST_SHOWN: usize = 60;

/// An expression for a message: its canonical text, cut where it is long.
pub(super) fn shown(expr: &Expr) -> String {
    let text = format::expr(expr);
    if text.chars().count() <= MOST_SHOWN {
        return text;
    }
    text.chars().take(MOST_SHOWN).chain("...".chars()).collect()
}

/// The one candidate that differs by case, by `_` or by a letter or so.
pub(super) fn near_match<'a>(
    wanted: &str,
    candidates: impl Iterator<Item = &'a str> + Clone,
) -> Option<&'a str> {
    let plain = |s: &str| -> String {
        s.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let target = plain(wanted);
    let mut same = candidates.clone().filter(|c| plain(c) == target);
    if let Some(found) = same.next() {
        return same.next().is_none().then_some(found);
    }
    // a letter more, less or other, in a word long enough for that to mean something
    let mut near = candidates.filter(|c| {
        target.chars().count() >= 4 && strsim::damerau_levenshtein(&plain(c), &target) == 1
    });
    let found = near.next()?;
    near.next().is_none().then_some(found)
}

/// A constant.
pub(super) fn literal(value: Value) -> Typed {
    let kind = value.kind();
    made(Node::Literal(value), kind)
}

/// A node without unit and domain.
pub(super) fn made(node: Node, kind: Option<Kind>) -> Typed {
    Typed { node, kind, domain: None, unit: None }
}

fn is_number(x: &Typed) -> bool {
    x.kind.is_none_or(Kind::is_numeric)
}

/// A decimal number.
pub(super) fn is_decimal(x: &Typed) -> bool {
    matches!(x.kind, Some(Kind::Decimal(_)))
}

/// A fraction that stands beside a decimal, as the decimal that is written; others as they are.
pub(super) fn exactly(x: Typed) -> Typed {
    match &x.node {
        Node::Literal(value) if x.kind == Some(Kind::Float) => match value.as_decimal() {
            Some(decimal) => literal(Value::Decimal(decimal.shortest())),
            None => x,
        },
        _ => x,
    }
}

/// The unit of all that are no constants, where they agree.
pub(super) fn common_unit<'a>(parts: impl IntoIterator<Item = &'a Typed>) -> Option<String> {
    let mut units =
        parts.into_iter().filter(|x| !matches!(x.node, Node::Literal(_))).map(|x| x.unit.as_ref());
    let first = units.next()??;
    units.all(|unit| unit == Some(first)).then(|| first.clone())
}

/// A kind with its article, for messages.
pub(super) fn kind_text(kind: Option<Kind>) -> Text {
    match kind {
        None => Text::same("null"),
        Some(Kind::Int) => crate::text!("an integer", "целое число"),
        Some(Kind::Float | Kind::Decimal(_)) => crate::text!("a number", "число"),
        Some(Kind::Bool) => crate::text!("a condition", "условие"),
        Some(Kind::Text) => crate::text!("text", "текст"),
        Some(Kind::Date) => crate::text!("a date", "дата"),
        Some(Kind::Timestamp) => crate::text!("a timestamp", "момент времени"),
        Some(Kind::List(_)) => crate::text!("a list", "список"),
    }
}
