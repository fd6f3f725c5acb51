//! Comparisons: what compares with what, dates written as text, names of days and months, lists.

use super::expr::{Checker, kind_text, literal, made, shown};
use super::literal::{BadDate, moment};
use super::typed::{Domain, Node, Typed, Warning};
use crate::error::{Code, Diagnostic, Span};
use crate::query::ast::{self, Compare, Expr};
use crate::query::format;
use crate::schema::Kind;
use crate::value::Value;

impl Checker<'_> {
    /// `a < b <= c` becomes `a < b and b <= c`.
    pub(super) fn chain(
        &mut self,
        first: &Expr,
        rest: &[(Compare, Expr)],
        span: Span,
    ) -> Option<Typed> {
        if self.compares_null(first, rest, span) {
            return None;
        }
        let mut operands = vec![(first, self.expr(first))];
        operands.extend(rest.iter().map(|(_, e)| (e, self.expr(e))));
        let mut parts = Vec::with_capacity(rest.len());
        let mut right = true;
        for ((op, _), pair) in rest.iter().zip(operands.windows(2)) {
            let [(a_expr, a), (b_expr, b)] = pair else { continue };
            match (a, b) {
                (Some(a), Some(b)) => {
                    match self.compare(*op, (a_expr, a.clone()), (b_expr, b.clone())) {
                        Some(part) => parts.push(part),
                        None => right = false,
                    }
                }
                _ => right = false,
            }
        }
        if !right {
            return None;
        }
        if parts.len() == 1 {
            return parts.pop();
        }
        Some(made(Node::And(parts), Some(Kind::Bool)))
    }

    /// Reports `x == null` and the like; true when it was one.
    fn compares_null(&mut self, first: &Expr, rest: &[(Compare, Expr)], span: Span) -> bool {
        let operands = || std::iter::once(first).chain(rest.iter().map(|(_, e)| e));
        if !operands().any(|e| e.node == ast::Node::Null) {
            return false;
        }
        let other = operands().find(|e| e.node != ast::Node::Null);
        let message = crate::text!(
            "nothing compares with `null`: use `isnull(x)`",
            "с `null` ничто не сравнимо: нужно `isnull(x)`"
        );
        let mut diagnostic = Diagnostic::new(Code::CompareNull, message);
        if let ([(op, _)], Some(other)) = (rest, other) {
            let call = format!("isnull({})", format::expr(other));
            diagnostic.fix = match op {
                Compare::Eq => Some(call),
                Compare::Ne => Some(format!("not {call}")),
                _ => None,
            };
        }
        for operand in operands() {
            self.expr(operand);
        }
        self.report(diagnostic, span);
        true
    }

    fn compare(
        &mut self,
        op: Compare,
        (a_expr, mut a): (&Expr, Typed),
        (b_expr, mut b): (&Expr, Typed),
    ) -> Option<Typed> {
        if a.kind.is_some_and(Kind::is_time) {
            b = self.as_moment(&a, b, b_expr, Some(op))?;
        } else if b.kind.is_some_and(Kind::is_time) {
            a = self.as_moment(&b, a, a_expr, Some(mirrored(op)))?;
        }
        self.in_domain(&a, &b, b_expr)?;
        self.in_domain(&b, &a, a_expr)?;
        let span = a_expr.span.to(b_expr.span);
        let comparable = match (a.kind, b.kind) {
            (Some(a), Some(b)) => a == b || (a.is_numeric() && b.is_numeric()),
            _ => true,
        };
        let (left, right) = (shown(a_expr), shown(b_expr));
        if !comparable {
            let (ka, kb) = (kind_text(a.kind), kind_text(b.kind));
            let (ae, be, ar, br) = (ka.en, kb.en, ka.ru, kb.ru);
            let message = crate::text!(
                "`{left}` is {ae} and `{right}` is {be}: they do not compare",
                "`{left}` — {ar}, `{right}` — {br}: они не сравнимы"
            );
            let mut diagnostic = Diagnostic::new(Code::TypeMismatch, message);
            diagnostic.fix = comparable_fix(op, (a_expr, &a), (b_expr, &b));
            self.report(diagnostic, span);
            return None;
        }
        let ordered = !matches!(op, Compare::Eq | Compare::Ne);
        if ordered && (a.kind == Some(Kind::Bool) || b.kind == Some(Kind::Bool)) {
            let message = crate::text!(
                "true and false have no order: `{left}` compares by `==` and `!=`",
                "у истины и лжи нет порядка: `{left}` сравнивают через `==` и `!=`"
            );
            return self.wrong(Code::TypeMismatch, message, span);
        }
        if ordered && (a.domain.is_some() || b.domain.is_some()) {
            let message = crate::text!(
                "names of days and months compare as text, not in their order: use `dayofweek()` or `month()`",
                "названия дней и месяцев сравниваются как текст, а не по порядку: нужны `dayofweek()` или `month()`"
            );
            return self.wrong(Code::TypeMismatch, message, span);
        }
        Some(made(Node::Compare(op, a.into(), b.into()), Some(Kind::Bool)))
    }

    /// A text literal beside a date or timestamp, as a value of that kind; others as they are.
    fn as_moment(
        &mut self,
        like: &Typed,
        x: Typed,
        expr: &Expr,
        op: Option<Compare>,
    ) -> Option<Typed> {
        let (Node::Literal(Value::Text(text)), Some(kind)) = (&x.node, like.kind) else {
            return Some(x);
        };
        let bad = match moment(text, kind) {
            Ok((value, midnight)) => {
                // `>= day` and `< day` mean what they say
                let exact = matches!(op, Some(Compare::Ge | Compare::Lt));
                if midnight && !exact && self.scope.intraday {
                    let message = crate::text!(
                        "`{text}` means its midnight: whole days compare as `date(...)`",
                        "`{text}` — это полночь: целые дни сравнивают через `date(...)`"
                    );
                    let warning = Warning { code: "date_is_midnight", message };
                    if !self.warnings.contains(&warning) {
                        self.warnings.push(warning);
                    }
                }
                return Some(literal(value));
            }
            Err(bad) => bad,
        };
        let form = if kind == Kind::Date { "2024-01-31" } else { "2024-01-31 09:30" };
        let message = match bad {
            BadDate::Form => crate::text!(
                "`{text}` is not a date: it is written like `{form}`",
                "`{text}` — не дата: она пишется как `{form}`"
            ),
            BadDate::Impossible => crate::text!(
                "there is no date or time `{text}`",
                "нет такой даты или времени: `{text}`"
            ),
            BadDate::HasTime => crate::text!(
                "`{text}` has a time of day, and a date is compared: it is written like `{form}`",
                "в `{text}` есть время, а сравнивается дата: она пишется как `{form}`"
            ),
            BadDate::HasZone => crate::text!(
                "`{text}` has a time zone: times are in the table's own clock, like `{form}`",
                "в `{text}` есть часовой пояс: время пишется по часам таблицы, как `{form}`"
            ),
        };
        self.wrong(Code::BadDate, message, expr.span)
    }

    /// A text literal beside names of days or months must be one of them.
    fn in_domain(&mut self, named: &Typed, x: &Typed, expr: &Expr) -> Option<()> {
        let (Some(domain), Node::Literal(Value::Text(text))) = (named.domain, &x.node) else {
            return Some(());
        };
        let values = domain.values();
        if values.contains(&text.as_ref()) {
            return Some(());
        }
        let wanted = text.to_lowercase();
        let meant = values.iter().find(|v| {
            let v = v.to_lowercase();
            wanted.starts_with(&v) && is_name_in(domain, &wanted)
        });
        let (first, last) = (values.first()?, values.last()?);
        let message = crate::text!(
            "`{text}` is none of the names `{first}` to `{last}`",
            "`{text}` — не одно из названий от `{first}` до `{last}`"
        );
        let mut diagnostic = Diagnostic::new(Code::WrongArgument, message)
            .choices(values.iter().map(|v| format::string(v)));
        diagnostic.fix = meant.map(|v| format::string(v));
        self.report(diagnostic, expr.span);
        None
    }

    pub(super) fn membership(
        &mut self,
        value: &Expr,
        list: &[Expr],
        negated: bool,
    ) -> Option<Typed> {
        let checked = self.expr(value);
        let items: Vec<_> = list.iter().map(|item| self.constant(checked.as_ref(), item)).collect();
        let value = checked?;
        let items = items.into_iter().collect::<Option<Vec<Value>>>()?;
        if value.kind == Some(Kind::Float) {
            let widen = |v: Value| v.as_f64().map_or(v, Value::Float);
            let list = items.into_iter().map(widen).collect();
            return Some(made(Node::In { value: value.into(), list, negated }, Some(Kind::Bool)));
        }
        let fractional = items.iter().any(|v| matches!(v, Value::Float(_)));
        if value.kind == Some(Kind::Int) && fractional {
            return Some(spread(&value, items, negated));
        }
        Some(made(Node::In { value: value.into(), list: items, negated }, Some(Kind::Bool)))
    }

    /// An item of a list: a constant that compares with the value looked for.
    fn constant(&mut self, value: Option<&Typed>, item: &Expr) -> Option<Value> {
        let written = shown(item);
        if item.node == ast::Node::Null {
            let message = crate::text!(
                "nothing equals `null`: use `isnull(x)`",
                "с `null` ничто не сравнимо: нужно `isnull(x)`"
            );
            return self.wrong(Code::CompareNull, message, item.span);
        }
        let mut x = self.expr(item)?;
        if let Some(value) = value.filter(|v| v.kind.is_some_and(Kind::is_time)) {
            x = self.as_moment(value, x, item, None)?;
        }
        let Node::Literal(constant) = &x.node else {
            let message = crate::text!(
                "a list holds constants, and `{written}` is none: write `a == b or a == c`",
                "в списке стоят константы, а `{written}` — нет: пишите `a == b or a == c`"
            );
            return self.wrong(Code::WrongArgument, message, item.span);
        };
        if let Some(value) = value {
            self.in_domain(value, &x, item)?;
            let fits = match (value.kind, x.kind) {
                (Some(a), Some(b)) => a == b || (a.is_numeric() && b.is_numeric()),
                _ => true,
            };
            if !fits {
                let (kv, ki) = (kind_text(value.kind), kind_text(x.kind));
                let (ve, ie, vr, ir) = (kv.en, ki.en, kv.ru, ki.ru);
                let message = crate::text!(
                    "`{written}` is {ie}, and what is looked for is {ve}",
                    "`{written}` — {ir}, а ищется {vr}"
                );
                let mut diagnostic = Diagnostic::new(Code::TypeMismatch, message);
                if value.kind == Some(Kind::Text) {
                    diagnostic.fix = Some(format::string(&format::expr(item)));
                }
                self.report(diagnostic, item.span);
                return None;
            }
        }
        Some(constant.clone())
    }
}

/// The comparison seen from the other side.
fn mirrored(op: Compare) -> Compare {
    match op {
        Compare::Lt => Compare::Gt,
        Compare::Le => Compare::Ge,
        Compare::Gt => Compare::Lt,
        Compare::Ge => Compare::Le,
        same => same,
    }
}

/// The plain way to make two sides comparable: quotes around a number beside text, `date(...)`
/// around a timestamp beside a date.
fn comparable_fix(op: Compare, a: (&Expr, &Typed), b: (&Expr, &Typed)) -> Option<String> {
    let side = |(expr, x): (&Expr, &Typed), other: &Typed| {
        let written = format::expr(expr);
        let number = matches!(x.node, Node::Literal(Value::Int(_) | Value::Float(_)));
        match (x.kind, other.kind) {
            (_, Some(Kind::Text)) if number => Some(format::string(&written)),
            (Some(Kind::Timestamp), Some(Kind::Date)) => Some(format!("date({written})")),
            (Some(Kind::Text), Some(other)) if other.is_numeric() => match &x.node {
                Node::Literal(Value::Text(s)) if s.parse::<f64>().is_ok_and(f64::is_finite) => {
                    let plain = crate::query::parse(s).ok()?;
                    Some(format::expr(&plain))
                }
                _ => None,
            },
            _ => None,
        }
    };
    let (left, right) = (side(a, b.1), side(b, a.1));
    if left.is_none() && right.is_none() {
        return None;
    }
    let left = left.unwrap_or_else(|| format::expr(a.0));
    let right = right.unwrap_or_else(|| format::expr(b.0));
    Some(format!("{left} {} {right}", op.symbol()))
}

/// True for a beginning of a full name of a day or month of three letters or more (`wedn`).
fn is_name_in(domain: Domain, lower: &str) -> bool {
    let full: &[&str] = match domain {
        Domain::Weekday => {
            &["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
        }
        Domain::Month => &[
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
        ],
    };
    full.iter().any(|name| name.starts_with(lower))
}

/// `x in [1, 2.5]` over integers as comparisons, which widen.
fn spread(value: &Typed, items: Vec<Value>, negated: bool) -> Typed {
    let op = if negated { Compare::Ne } else { Compare::Eq };
    let mut parts: Vec<Typed> = items
        .into_iter()
        .map(|item| {
            let sides = (Box::new(value.clone()), Box::new(literal(item)));
            made(Node::Compare(op, sides.0, sides.1), Some(Kind::Bool))
        })
        .collect();
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        Some(last) => {
            parts.push(last);
            let node = if negated { Node::And(parts) } else { Node::Or(parts) };
            made(node, Some(Kind::Bool))
        }
        None => literal(Value::Bool(negated)),
    }
}
