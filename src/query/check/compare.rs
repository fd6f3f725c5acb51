//! Comparisons: what compares with what, dates written as text, names of days and months, lists.

use super::expr::{Checker, exactly, is_decimal, kind_text, literal, made, shown};
use super::literal::{BadDate, moment};
use super::scope::Scope;
use super::typed::{Domain, Node, Typed, Warning};
use crate::error::{Code, Diagnostic, Span};
use crate::query::ast::{self, Compare, Expr};
use crate::query::format;
use crate::query::parser::MAX_PARTS;
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
        let list: Vec<&Expr> = std::iter::once(first).chain(rest.iter().map(|(_, e)| e)).collect();
        let outer = self.beside_text;
        self.beside_text = list.iter().any(|e| self.is_text(e));
        let operands: Vec<_> = list.into_iter().map(|e| (e, self.expr(e))).collect();
        self.beside_text = outer;
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

    /// A column of text, or a call that gives names of days or months.
    fn is_text(&self, expr: &Expr) -> bool {
        match &expr.node {
            ast::Node::Column(name) => {
                self.scope.find(name).is_some_and(|c| c.out.column.kind == Kind::Text && !c.broken)
            }
            ast::Node::Call { name, .. } => {
                crate::query::functions::lookup(name).is_some_and(|f| f.domain.is_some())
            }
            _ => false,
        }
    }

    /// Reports `x == null` and the like; true when it was one.
    fn compares_null(&mut self, first: &Expr, rest: &[(Compare, Expr)], span: Span) -> bool {
        let operands = || std::iter::once(first).chain(rest.iter().map(|(_, e)| e));
        if !operands().any(|e| self.is_nothing(e)) {
            return false;
        }
        let other = operands().find(|e| !self.is_nothing(e));
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
            if !self.is_nothing(operand) {
                self.expr(operand);
            }
        }
        self.report(diagnostic, span);
        true
    }

    /// `null`, or what other languages call it where no column is called so.
    fn is_nothing(&self, expr: &Expr) -> bool {
        match &expr.node {
            ast::Node::Null => true,
            ast::Node::Column(name) => {
                let known = ["null", "none", "nan", "nil"].contains(&name.to_lowercase().as_str());
                known && self.scope.find(name).is_none() && self.keys.find(name).is_none()
            }
            _ => false,
        }
    }

    fn compare(
        &mut self,
        op: Compare,
        (a_expr, mut a): (&Expr, Typed),
        (b_expr, mut b): (&Expr, Typed),
    ) -> Option<Typed> {
        let both = a_expr.span.to(b_expr.span);
        if self.compares_list(op, (a_expr, &a), (b_expr, &b), both) {
            return None;
        }
        if a.kind.is_some_and(Kind::is_time) {
            b = self.as_moment(&a, b, b_expr, Some(op))?;
        } else if b.kind.is_some_and(Kind::is_time) {
            a = self.as_moment(&b, a, a_expr, Some(mirrored(op)))?;
        }
        if is_decimal(&a) {
            b = exactly(b);
        } else if is_decimal(&b) {
            a = exactly(a);
        }
        self.in_domain(&a, &b, b_expr)?;
        self.in_domain(&b, &a, a_expr)?;
        let span = a_expr.span.to(b_expr.span);
        let comparable = match (a.kind, b.kind) {
            (Some(a), Some(b)) => a == b || (a.is_numeric() && b.is_numeric()),
            _ => true,
        };
        let (left, right) = (shown(a_expr), shown(b_expr));
        let time = |x: &Typed| x.kind.is_some_and(Kind::is_time);
        for (moment, expr) in [(&a, b_expr), (&b, a_expr)] {
            if let Some(date) = bare_date(expr).filter(|_| time(moment)) {
                let message = crate::text!(
                    "a date stands in quotes: `{date}`",
                    "дата пишется в кавычках: `{date}`"
                );
                let diagnostic = Diagnostic::new(Code::BadDate, message).fix(date);
                self.report(diagnostic, expr.span);
                return None;
            }
        }
        let ordered = !matches!(op, Compare::Eq | Compare::Ne);
        if !comparable {
            let (ka, kb) = (kind_text(a.kind), kind_text(b.kind));
            let (ae, be, ar, br) = (ka.en, kb.en, ka.ru, kb.ru);
            let message = crate::text!(
                "`{left}` is {ae} and `{right}` is {be}: they do not compare",
                "`{left}` — {ar}, `{right}` — {br}: они не сравнимы"
            );
            let mut diagnostic = Diagnostic::new(Code::TypeMismatch, message);
            diagnostic.fix = self.comparable_fix(op, (a_expr, &a), (b_expr, &b));
            for (x, empty) in [(a_expr, &b), (b_expr, &a)] {
                if matches!(&empty.node, Node::Literal(Value::Text(t)) if t.is_empty()) {
                    let not = if op == Compare::Ne { "not " } else { "" };
                    diagnostic.fix =
                        Some(format!("{not}isnull({})", format::expr(x))).filter(|_| !ordered);
                }
            }
            self.report(diagnostic, span);
            return None;
        }
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

    /// The plain way to make two sides comparable: quotes around a number beside text, `date(...)`
    /// around a timestamp beside a date.
    fn comparable_fix(
        &self,
        op: Compare,
        a: (&Expr, &Typed),
        b: (&Expr, &Typed),
    ) -> Option<String> {
        let left = comparable_side(a, b.1, self.scope);
        let right = comparable_side(b, a.1, self.scope);
        if left.is_none() && right.is_none() {
            return None;
        }
        let left = left.unwrap_or_else(|| format::expr(a.0));
        let right = right.unwrap_or_else(|| format::expr(b.0));
        Some(format!("{left} {} {right}", op.symbol()))
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
            BadDate::Form if kind == Kind::Timestamp && is_clock(text) => crate::text!(
                "`{text}` is a time of day: it compares with `time(...)`",
                "`{text}` — время суток: его сравнивают с `time(...)`"
            ),
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
        let mut diagnostic = Diagnostic::new(Code::BadDate, message);
        diagnostic.fix = plain_date(text, op).filter(|_| matches!(bad, BadDate::Form));
        self.report(diagnostic, expr.span);
        None
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
        let (checked, start) = (self.expr(value), value.span);
        if checked.as_ref().is_some_and(|x| self.looks_list_up((value, x), list, negated)) {
            return None;
        }
        let items: Vec<_> = list.iter().map(|item| self.constant(checked.as_ref(), item)).collect();
        let value = checked?;
        let items = items.into_iter().collect::<Option<Vec<Value>>>()?;
        if value.kind == Some(Kind::Float) {
            let widen = |v: Value| v.as_f64().map_or(v, Value::Float);
            let list = items.into_iter().map(widen).collect();
            return Some(made(Node::In { value: value.into(), list, negated }, Some(Kind::Bool)));
        }
        let items = match value.kind {
            Some(Kind::Decimal(scale)) => items.into_iter().map(|v| at_scale(v, scale)).collect(),
            _ => items,
        };
        let plain = |v: &Value| match (value.kind, v) {
            (Some(Kind::Int), v) => matches!(v, Value::Int(_)),
            (Some(Kind::Decimal(scale)), Value::Decimal(x)) => x.scale() == scale,
            (Some(Kind::Decimal(_)), _) => false,
            _ => true,
        };
        if !items.iter().all(plain) {
            // every constant becomes a comparison of its own
            if items.len() > MAX_PARTS {
                let message = crate::text!(
                    "a list of fractions has at most {MAX_PARTS} members where some have more digits than the values looked for",
                    "в списке дробей не больше {MAX_PARTS} членов, если у некоторых больше знаков, чем у искомых значений"
                );
                let last = list.last().map_or(start, |item| item.span);
                return self.wrong(Code::TooMany, message, start.to(last));
            }
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
        let outer = self.beside_text;
        self.beside_text = value.is_some_and(|v| v.kind == Some(Kind::Text));
        let x = self.expr(item);
        self.beside_text = outer;
        let mut x = x?;
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

/// The plain way to make one side comparable with the other.
fn comparable_side((expr, x): (&Expr, &Typed), other: &Typed, scope: &Scope) -> Option<String> {
    let written = format::expr(expr);
    let number = match &x.node {
        Node::Literal(Value::Int(_) | Value::Float(_) | Value::Decimal(_)) => Some(&x.node),
        _ => None,
    };
    let text = match &x.node {
        Node::Literal(Value::Text(text)) => Some(text.as_ref()),
        _ => None,
    };
    if let Some(name) = text.filter(|name| scope.find(name).is_some_and(|c| !c.broken)) {
        return Some(format::name(name));
    }
    match (x.kind, other.kind) {
        (_, Some(Kind::Text)) if number.is_some() && !matches!(other.node, Node::Literal(_)) => {
            Some(format::string(&written))
        }
        (Some(Kind::Timestamp), Some(Kind::Date)) => Some(format!("date({written})")),
        (Some(Kind::Text), Some(other)) if other.is_numeric() => {
            text.filter(|s| s.parse::<f64>().is_ok_and(f64::is_finite))?;
            Some(format::expr(&crate::query::parse(text?).ok()?))
        }
        (_, Some(Kind::Bool)) => match (&x.node, text.map(str::to_lowercase).as_deref()) {
            (Node::Literal(Value::Int(1)), _) | (_, Some("true")) => Some("true".to_owned()),
            (Node::Literal(Value::Int(0)), _) | (_, Some("false")) => Some("false".to_owned()),
            _ => None,
        },
        _ => None,
    }
}

/// `2024-01-31` without quotes, which reads as a difference, in quotes.
fn bare_date(expr: &Expr) -> Option<String> {
    use crate::query::ast::{Arith, Node as N};
    let N::Arith(Arith::Sub, month, day) = &expr.node else { return None };
    let N::Arith(Arith::Sub, year, month) = &month.node else { return None };
    match (&year.node, &month.node, &day.node) {
        (N::Int(y @ 1000..=9999), N::Int(m @ 1..=12), N::Int(d @ 1..=31)) => {
            Some(format!("\"{y}-{m:02}-{d:02}\""))
        }
        _ => None,
    }
}

/// A text that is plainly a day, in the form of the language: `2024/1/5`; the first day of a month
/// or year where it bounds from there on.
fn plain_date(text: &str, op: Option<Compare>) -> Option<String> {
    let mut parts = text.split(['-', '/', '.']).map(|part| {
        let digits =
            !part.is_empty() && part.len() <= 4 && part.bytes().all(|b| b.is_ascii_digit());
        digits.then(|| part.parse::<u32>().ok()).flatten()
    });
    let year = parts.next()??;
    let (month, day) = (parts.next(), parts.next());
    if parts.next().is_some() || !(1000..=9999).contains(&year) {
        return None;
    }
    let from = matches!(op, Some(Compare::Ge | Compare::Lt));
    let (month, day) = match (month, day) {
        (Some(month), Some(day)) => (month?, day?),
        (Some(month), None) if from => (month?, 1),
        (None, None) if from => (1, 1),
        _ => return None,
    };
    let date = format!("{year}-{month:02}-{day:02}");
    moment(&date, Kind::Date).ok().map(|_| format::string(&date))
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

/// A number as the decimal that it is: with so many digits behind the point where it has no more.
fn at_scale(value: Value, scale: u8) -> Value {
    match value.as_decimal() {
        Some(exact) => Value::Decimal(exact.rescale(scale).unwrap_or(exact.shortest())),
        None => value,
    }
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

/// `09:30`
fn is_clock(text: &str) -> bool {
    moment(&format!("2024-01-01 {text}"), Kind::Timestamp).is_ok()
}
