//! Calls: which function, where it may stand, its arguments, its kind and unit.

use super::definition::{is_number_written, whole_number};
use super::expr::{
    Checker, Place, common_unit, exactly, is_decimal, kind_text, literal, near_match, shown,
};
use super::hints::rewritten;
use super::literal::moment;
use super::typed::{Domain, Node, Typed};
use crate::error::{Code, Diagnostic, Span, closest};
use crate::query::ast::{self, Expr};
use crate::query::functions::{self, Default, Function, Gives, Param, Stand, Takes, UnitRule};
use crate::query::{format, pattern};
use crate::schema::Kind;
use crate::value::Value;

/// The problem is in the list.
struct Reported;

impl Checker<'_> {
    pub(super) fn call(
        &mut self,
        name: &str,
        name_span: Span,
        args: &[Expr],
        span: Span,
    ) -> Option<Typed> {
        let internal = || self.definition.as_ref().and_then(|_| functions::lookup_internal(name));
        let Some(function) = functions::lookup(name).or_else(internal) else {
            self.unknown_function(name, name_span, args, span);
            self.arguments_of_unknown(args);
            return None;
        };
        if let ("min" | "max", [_, _, ..]) = (name, args) {
            self.several_values(name, args, span);
            return None;
        }
        let placed = self.placed(function, span);
        if !placed && self.place == Place::Sort {
            // its arguments are columns of the rows, and only those of the result are in sight
            return None;
        }
        // `rsi(7)` is `rsi(close, 7)`
        let closing = function.params.first().is_some_and(|p| p.default == Default::Close)
            && args.first().is_none_or(is_number_written);
        let params = function.params.get(usize::from(closing)..).unwrap_or_default();
        let swapped = closing && self.swapped(function, args, span);
        let enough = !swapped && self.arity(function, params, args.len(), span);
        let first = args.first();
        let outer = self.inside;
        if function.stand == Stand::Aggregate {
            self.inside = Some(function.name);
        }
        let mut looked_into = None;
        let mut checked: Vec<_> = args
            .iter()
            .enumerate()
            .map(|(i, arg)| {
                let x = self.expr(arg)?;
                let last = if function.variadic { params.last() } else { None };
                let param = params.get(i).or(last)?;
                match (i, looked_into, x.kind) {
                    (0, _, Some(Kind::List(member))) if function.lists => {
                        looked_into = Some((member, arg));
                        Some(x)
                    }
                    (_, Some(list), _) => self.member(list, (arg, x)),
                    _ => self.takes(function, param, (arg, x), span),
                }
            })
            .collect();
        if enough && placed {
            if closing {
                checked.insert(0, self.closing_prices(function, span));
            }
            for param in params.iter().skip(args.len()) {
                match param.default {
                    Default::Int(n) => checked.push(Some(literal(Value::Int(n)))),
                    Default::Float(x) => checked.push(Some(literal(Value::Float(x)))),
                    Default::TimeColumn => checked.push(self.time_column(function, param, span)),
                    Default::Required | Default::Absent | Default::Close => {}
                }
            }
        }
        self.inside = outer;
        let mut args: Vec<Typed> = checked.into_iter().collect::<Option<_>>()?;
        if !enough || !placed {
            return None;
        }
        if function.name == "count"
            && let ([Typed { kind: Some(Kind::Bool), .. }], Some(first)) = (args.as_slice(), first)
        {
            self.counts_known(first);
        }
        if let Some(definition) = function.expands {
            return self.expand(function, definition, args, span);
        }
        let kind = match function.gives {
            Gives::Kind(kind) => Some(kind),
            Gives::Same(i) => match args.get(i).and_then(|x| x.kind) {
                Some(Kind::Decimal(scale)) => {
                    let digits = args.get(i + 1).map(|n| &n.node);
                    Some(function.of_decimals(i, scale, digits.and_then(whole_literal)))
                }
                kind => kind,
            },
            Gives::Common(from) => {
                if args.iter().skip(from).any(is_decimal) {
                    let exact = args.split_off(from);
                    args.extend(exact.into_iter().map(exactly));
                }
                self.common_kind(function, args.get(from..)?, span).ok()?
            }
        };
        let unit = unit_of(function, &args);
        let domain = function.domain.or_else(|| match function.gives {
            Gives::Same(i) => args.get(i).and_then(|x| x.domain),
            Gives::Common(from) => common_domain(args.get(from..)?),
            Gives::Kind(_) => None,
        });
        Some(Typed { node: Node::Call { function, args }, kind, domain, unit })
    }

    /// `rsi(14, close)`: the column comes first.
    fn swapped(&mut self, function: &Function, args: &[Expr], span: Span) -> bool {
        let ([first, second], Some(2)) = (args, function.arity().1) else { return false };
        if is_number_written(second) {
            return false;
        }
        let (name, x, n) = (function.name, format::expr(second), format::expr(first));
        let fix = format!("{name}({x}, {n})");
        let message =
            crate::text!("the column comes first: `{fix}`", "столбец стоит первым: `{fix}`");
        self.report(Diagnostic::new(Code::WrongArity, message).fix(fix), span);
        true
    }

    /// `max(a, b)`: the larger of several values is another function.
    fn several_values(&mut self, name: &str, args: &[Expr], span: Span) {
        let list: Vec<String> = args.iter().map(format::expr).collect();
        let fix = format!("{name}_of({})", list.join(", "));
        let message = crate::text!(
            "`{name}` is taken over rows; of several values it is `{fix}`",
            "`{name}` берётся по строкам; из нескольких значений — `{fix}`"
        );
        self.report(Diagnostic::new(Code::WrongArity, message).fix(fix), span);
        for arg in args {
            self.expr(arg);
        }
    }

    /// Problems inside the arguments of what is no function. It may have been meant as an
    /// aggregate, so plain columns are not held against it.
    fn arguments_of_unknown(&mut self, args: &[Expr]) {
        let outer = self.inside;
        for arg in args {
            if outer.is_none() && !super::select::may_aggregate(arg) {
                self.inside = Some("");
            }
            self.expr(arg);
            self.inside = outer;
        }
    }

    fn unknown_function(&mut self, name: &str, name_span: Span, args: &[Expr], span: Span) {
        if self.is_full() {
            return;
        }
        let is_column = self.scope.find(name).is_some();
        if is_column && args.is_empty() {
            let message = crate::text!(
                "`{name}` is a column, not a function",
                "`{name}` — столбец, а не функция"
            );
            let fix = format::name(name);
            let diagnostic = Diagnostic::new(Code::UnknownFunction, message).fix(fix);
            return self.report(diagnostic, span);
        }
        let operator = operator_called(name).and_then(|sign| {
            let [a, b] = args else { return None };
            let side = |e: &Expr| match &e.node {
                ast::Node::Column(_) | ast::Node::Int(_) | ast::Node::Call { .. } => {
                    format::expr(e)
                }
                _ => format!("({})", format::expr(e)),
            };
            Some(format!("({} {sign} {})", side(a), side(b)))
        });
        if let Some(fix) = operator.or_else(|| rewritten(name, args)) {
            let message = crate::text!(
                "unknown function `{name}`: write `{fix}`",
                "неизвестная функция `{name}`: пишите `{fix}`"
            );
            return self.report(Diagnostic::new(Code::UnknownFunction, message).fix(fix), span);
        }
        if ["now", "today", "current_date", "current_timestamp", "getdate"].contains(&name) {
            let message = crate::text!(
                "unknown function `{name}`: nothing reads a clock here, dates are written like `\"2024-01-31\"`",
                "неизвестная функция `{name}`: часов здесь нет, даты пишутся как `\"2024-01-31\"`"
            );
            return self.report(Diagnostic::new(Code::UnknownFunction, message), name_span);
        }
        if ["concat", "concat_ws", "int", "float", "str", "to_number"]
            .contains(&name.to_lowercase().as_str())
        {
            let message = crate::text!(
                "unknown function `{name}`: numbers of any kind mix by themselves, and nothing makes or joins texts",
                "неизвестная функция `{name}`: числа любого вида смешиваются сами, а тексты здесь не создают и не соединяют"
            );
            return self.report(Diagnostic::new(Code::UnknownFunction, message), name_span);
        }
        let meant = functions::also_known_as(name).or_else(|| near_match(name, functions::names()));
        let message = crate::text!("unknown function `{name}`", "неизвестная функция `{name}`");
        let mut choices = closest(name, functions::names(), 8);
        if let Some(meant) = meant {
            choices.retain(|c| c != meant);
            choices.insert(0, meant.to_owned());
        }
        let mut diagnostic = Diagnostic::new(Code::UnknownFunction, message).choices(choices);
        diagnostic.fix = meant.map(str::to_owned);
        self.report(diagnostic, name_span);
    }

    /// May the function stand here?
    fn placed(&mut self, function: &'static Function, span: Span) -> bool {
        let name = function.name;
        let field = self.place.field();
        match function.stand {
            Stand::Row => true,
            Stand::Window if matches!(self.place, Place::Map | Place::Where) => true,
            Stand::Window => {
                let message = crate::text!(
                    "`{name}` looks at neighbouring rows and cannot stand in `{field}`: make it a column in `map` and use that column here",
                    "`{name}` смотрит на соседние строки и не может стоять в `{field}`: сделайте столбец в `map` и используйте его здесь"
                );
                self.wrong::<()>(Code::WindowPlacement, message, span);
                false
            }
            Stand::Aggregate => {
                if let Some(outer) = self.inside {
                    let message = crate::text!(
                        "`{name}` stands inside `{outer}`: an aggregate takes columns, not aggregates",
                        "`{name}` стоит внутри `{outer}`: агрегат берёт столбцы, а не агрегаты"
                    );
                    self.wrong::<()>(Code::AggregatePlacement, message, span);
                    return false;
                }
                if matches!(self.place, Place::Select | Place::Map | Place::Where) {
                    return true;
                }
                let message = crate::text!(
                    "`{name}` makes one value of many rows and stands in `select`, `map` and `where`, not in `{field}`",
                    "`{name}` делает из многих строк одно значение и стоит в `select`, `map` и `where`, а не в `{field}`"
                );
                let mut diagnostic = Diagnostic::new(Code::AggregatePlacement, message);
                if self.place == Place::Sort {
                    diagnostic = diagnostic.choices(self.scope.names().map(format::name));
                }
                self.report(diagnostic, span);
                false
            }
        }
    }

    fn arity(
        &mut self,
        function: &'static Function,
        params: &[Param],
        given: usize,
        span: Span,
    ) -> bool {
        let least = params.iter().filter(|p| p.default == Default::Required).count();
        let most = (!function.variadic).then_some(params.len());
        if given >= least && most.is_none_or(|most| given <= most) {
            return true;
        }
        let signature = function.signature();
        let name = function.name;
        let message = crate::text!(
            "wrong number of arguments for `{name}`, {given} given: `{signature}`",
            "у `{name}` другое число аргументов, дано {given}: `{signature}`"
        );
        let mut diagnostic = Diagnostic::new(Code::WrongArity, message);
        if most == Some(0) {
            diagnostic.fix = Some(format!("{name}()"));
        }
        self.report(diagnostic, span);
        false
    }

    /// Is the argument what the parameter takes?
    fn takes(
        &mut self,
        function: &Function,
        param: &Param,
        (expr, x): (&Expr, Typed),
        span: Span,
    ) -> Option<Typed> {
        if self.is_list((expr, &x), None, expr.span) {
            return None;
        }
        let fits = match param.takes {
            Takes::Any => true,
            Takes::Number => x.kind.is_none_or(Kind::is_numeric),
            Takes::Int => x.kind.is_none_or(|k| k == Kind::Int),
            Takes::Bool => x.kind.is_none_or(|k| k == Kind::Bool),
            Takes::Text => x.kind.is_none_or(|k| k == Kind::Text),
            Takes::Pattern => return self.pattern(function, expr, x),
            Takes::Time => x.kind.is_none_or(Kind::is_time),
            Takes::Clock => x.kind.is_none_or(|k| k == Kind::Timestamp),
            Takes::IntConst(least) => {
                return self.whole_constant(function, param, (expr, x), least, i64::MAX);
            }
            Takes::IntRange(least, most) => {
                return self.whole_constant(function, param, (expr, x), least, most);
            }
            Takes::NumberConst | Takes::Fraction => {
                let number = match &x.node {
                    Node::Literal(value) => value.as_f64(),
                    _ => None,
                };
                let any = param.takes == Takes::NumberConst;
                number.is_some_and(|n| any || (0.0..=1.0).contains(&n))
            }
        };
        if fits {
            return Some(x);
        }
        let (name, written) = (function.name, shown(expr));
        let (wanted, found) = (takes_text(param.takes), kind_text(x.kind));
        let (we, fe, wr, fr) = (wanted.en, found.en, wanted.ru, found.ru);
        let code = match param.takes {
            Takes::NumberConst | Takes::Fraction => Code::WrongArgument,
            _ => Code::TypeMismatch,
        };
        let message = crate::text!(
            "`{name}` takes {we}, and `{written}` is {fe}",
            "`{name}` берёт {wr}, а `{written}` — {fr}"
        );
        let mut diagnostic = Diagnostic::new(code, message);
        if let (Takes::Fraction, Node::Literal(value)) = (param.takes, &x.node) {
            let share = value.as_f64().filter(|n| *n > 1.0 && *n <= 100.0);
            diagnostic.fix = share.map(|n| (n / 100.0).to_string());
        }
        let call = match (&x.node, x.kind) {
            // the mean of a condition is its share
            (_, Some(Kind::Bool)) if name == "mean" => Some(format!("pct({})", format::expr(expr))),
            // a date is a text that is compared
            (Node::Literal(Value::Text(text)), _) if name == "date" => {
                moment(text, Kind::Date).is_ok().then(|| format::string(text))
            }
            _ => None,
        };
        if let Some(call) = call {
            self.report(diagnostic.fix(call), span);
            return None;
        }
        if param.takes == Takes::Number && x.kind == Some(Kind::Bool) {
            diagnostic.fix = Some(format!("if({}, 1, 0)", format::expr(expr)));
        }
        self.report(diagnostic, expr.span);
        None
    }

    fn whole_constant(
        &mut self,
        function: &Function,
        param: &Param,
        (expr, x): (&Expr, Typed),
        least: i64,
        most: i64,
    ) -> Option<Typed> {
        let whole = match x.node {
            Node::Literal(Value::Int(n)) => Some(n),
            _ => self.definition.as_ref().and_then(|_| whole_number(&x)),
        };
        if let Some(n) = whole.filter(|n| (least..=most).contains(n)) {
            return Some(literal(Value::Int(n)));
        }
        let (name, param, written) = (function.name, param.name, shown(expr));
        let message = if most == i64::MAX {
            crate::text!(
                "`{param}` of `{name}` is a whole number from {least}, not `{written}`",
                "`{param}` в `{name}` — целое число от {least}, а не `{written}`"
            )
        } else {
            crate::text!(
                "`{param}` of `{name}` is a whole number from {least} to {most}, not `{written}`",
                "`{param}` в `{name}` — целое число от {least} до {most}, а не `{written}`"
            )
        };
        self.wrong(Code::WrongArgument, message, expr.span)
    }

    /// Is the argument a regular expression?
    fn pattern(&mut self, function: &Function, expr: &Expr, x: Typed) -> Option<Typed> {
        let name = function.name;
        let Node::Literal(Value::Text(text)) = &x.node else {
            let message = crate::text!(
                "the pattern of `{name}` is a constant text",
                "образец в `{name}` — постоянный текст"
            );
            return self.wrong(Code::WrongArgument, message, expr.span);
        };
        let Err(reason) = pattern::regex(text) else { return Some(x) };
        let written = shown(expr);
        let message = crate::text!(
            "`{written}` is not a regular expression: {reason}",
            "`{written}` — не регулярное выражение: {reason}"
        );
        self.wrong(Code::WrongArgument, message, expr.span)
    }

    /// The table's time column as the argument that was left out.
    fn time_column(&mut self, function: &Function, param: &Param, span: Span) -> Option<Typed> {
        let name = function.name;
        let Some(column) = self.scope.time.clone() else {
            let table = &self.scope.table;
            if let Some(definition) = &self.definition {
                let name = definition.name;
                let message = crate::text!(
                    "`{name}` reads the trading day, and table `{table}` has no time column",
                    "`{name}` читает торговый день, а в таблице `{table}` нет столбца времени"
                );
                return self.wrong(Code::NoTimeColumn, message, span);
            }
            let message = crate::text!(
                "table `{table}` has no time column: name a column, `{name}(x)`",
                "в таблице `{table}` нет столбца времени: укажите столбец, `{name}(x)`"
            );
            let times = self.scope.columns.iter().filter(|c| c.out.column.kind.is_time());
            let choices: Vec<String> =
                times.map(|c| format!("{name}({})", format::name(&c.out.column.name))).collect();
            let diagnostic = Diagnostic::new(Code::NoTimeColumn, message).choices(choices);
            self.report(diagnostic, span);
            return None;
        };
        if self.place == Place::Select && self.inside.is_none() {
            return self.outside_aggregate(function, span);
        }
        let x = self.table_column(&column, span)?;
        let expr = Expr { node: ast::Node::Column(column), span };
        self.takes(function, param, (&expr, x), span)
    }

    /// A call in `select` that reads columns by itself and is no group key.
    pub(super) fn outside_aggregate(&mut self, function: &Function, span: Span) -> Option<Typed> {
        let name = function.name;
        let message = crate::text!(
            "`{name}()` stands outside an aggregate: wrap it, or group by it",
            "`{name}()` стоит вне агрегата: оберните или сгруппируйте по нему"
        );
        self.wrong(Code::AggregatePlacement, message, span)
    }

    /// What all of `args` can be: no kind where all are null.
    fn common_kind(
        &mut self,
        function: &Function,
        args: &[Typed],
        span: Span,
    ) -> Result<Option<Kind>, Reported> {
        let mut common: Option<Kind> = None;
        for kind in args.iter().filter_map(|x| x.kind) {
            common = match common {
                None => Some(kind),
                Some(known) if known == kind => common,
                Some(known) if known.is_numeric() && kind.is_numeric() => Some(known.common(kind)),
                Some(known) => {
                    let name = function.name;
                    let (a, b) = (kind_text(Some(known)), kind_text(Some(kind)));
                    let (ae, be, ar, br) = (a.en, b.en, a.ru, b.ru);
                    let message = crate::text!(
                        "the values of `{name}` must be of one kind, and there are {ae} and {be}",
                        "значения `{name}` должны быть одного вида, а тут {ar} и {br}"
                    );
                    self.wrong::<()>(Code::TypeMismatch, message, span);
                    return Err(Reported);
                }
            };
        }
        Ok(common)
    }
}

/// The whole number of a constant.
fn whole_literal(node: &Node) -> Option<i64> {
    match node {
        Node::Literal(Value::Int(n)) => Some(*n),
        _ => None,
    }
}

/// The names that all of `args` are among: those of days or months keep their order through `if` and
/// `coalesce`.
fn common_domain(args: &[Typed]) -> Option<Domain> {
    let domain = args.iter().find_map(|x| x.domain)?;
    let fits = args.iter().all(|x| match &x.node {
        Node::Literal(Value::Null) => true,
        Node::Literal(Value::Text(text)) => domain.values().contains(&text.as_ref()),
        _ => x.domain == Some(domain),
    });
    fits.then_some(domain)
}

/// The operator that another language calls as a function.
fn operator_called(name: &str) -> Option<&'static str> {
    Some(match name.to_lowercase().as_str() {
        "pow" | "power" => "**",
        "mod" | "modulo" => "%",
        _ => return None,
    })
}

/// What a parameter takes, for messages.
fn takes_text(takes: Takes) -> crate::error::Text {
    match takes {
        Takes::Any => crate::text!("any value", "любое значение"),
        Takes::Number => crate::text!("a number", "число"),
        Takes::Int => crate::text!("an integer", "целое число"),
        Takes::Pattern => crate::text!("a constant pattern", "постоянный образец"),
        Takes::Bool => crate::text!("a condition", "условие"),
        Takes::Text => crate::text!("text", "текст"),
        Takes::Time => crate::text!("a date or timestamp", "дату или момент времени"),
        Takes::Clock => crate::text!("a timestamp with a time of day", "момент со временем суток"),
        Takes::IntConst(_) | Takes::IntRange(..) => {
            crate::text!("a whole-number constant", "целую константу")
        }
        Takes::NumberConst => crate::text!("a number constant", "числовую константу"),
        Takes::Fraction => crate::text!("a constant from 0 to 1", "константу от 0 до 1"),
    }
}

/// The unit of a call, where it follows plainly.
pub(super) fn unit_of(function: &Function, args: &[Typed]) -> Option<String> {
    match function.unit {
        UnitRule::None | UnitRule::Definition | UnitRule::Price => None,
        UnitRule::Same(i) => args.get(i)?.unit.clone(),
        UnitRule::Common(from) => common_unit(args.get(from..)?),
        UnitRule::Percent => Some("%".into()),
    }
}
