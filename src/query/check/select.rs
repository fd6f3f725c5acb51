//! Group keys and `select`: which columns a grouped or aggregated result has.

use super::expr::{Place, shown};
use super::scope::{InSight, Scope};
use super::typed::{Named, Node, Role, Typed};
use super::{MAX_KEYS, Part, Run, listed_text, unit_by_name};
use crate::error::{Code, Diagnostic, Span};
use crate::query::ast::{self, Expr};
use crate::query::functions::{self, Stand};
use crate::query::raw::{Query, pointer_part, split_top_level};
use crate::query::{format, parser};
use crate::schema::Kind;
use serde_json::{Map, Value, json};

/// A group key: `named` is `None` when it is wrong.
pub(super) struct Key {
    pub named: Option<Named>,
    /// Its canonical text as an expression.
    pub spoken: String,
    pub column: InSight,
}

/// A member of `select`: `named` is `None` when it is wrong.
pub(super) struct Measure {
    pub named: Option<Named>,
    /// Its canonical text.
    pub spoken: String,
    /// Its name is not the one it would have by itself.
    pub aliased: bool,
    pub column: InSight,
}

/// The name of a member of `select` without an alias: `count`, `mean_gap`, else its canonical text.
pub(in crate::query) fn default_name(expr: &Expr) -> String {
    if let ast::Node::Call { name, args, .. } = &expr.node
        && functions::lookup(name).is_some_and(|f| f.stand == Stand::Aggregate)
    {
        match args.first().map(|a| &a.node) {
            None if name == "count" => return name.clone(),
            Some(ast::Node::Column(column)) => return format!("{name}_{column}"),
            _ => {}
        }
    }
    format::expr(expr)
}

impl Measure {
    /// A wrong member. Without a tree and an alias its name is unknown, and empty.
    fn broken(alias: Option<&str>, expr: Option<&Expr>) -> Self {
        let name = alias.map(str::to_owned).or_else(|| expr.map(default_name)).unwrap_or_default();
        Self {
            named: None,
            spoken: expr.map(format::expr).unwrap_or_default(),
            aliased: false,
            column: InSight::broken(&name),
        }
    }

    fn name(&self) -> &str {
        &self.column.out.column.name
    }
}

/// The columns of a grouped or aggregated result: keys, then measures.
pub(super) fn result_scope(scope: &Scope, keys: &[Key], measures: &[Measure]) -> Scope {
    let mut result = keys_scope(scope, keys);
    result.incomplete = measures.iter().any(|m| m.name().is_empty());
    result.columns.extend(measures.iter().map(|m| m.column.clone()));
    result.gone.retain(|(name, _)| result.columns.iter().all(|c| c.out.column.name != *name));
    result
}

/// The group keys as columns.
fn keys_scope(scope: &Scope, keys: &[Key]) -> Scope {
    let gone = scope.names().map(|name| {
        let reason = crate::text!(
            "`{name}` is not a column of the result: use a group key or a member of `select`",
            "`{name}` — не столбец результата: нужен ключ группы или член `select`"
        );
        (name.to_owned(), reason)
    });
    let is_key = |name: &str| keys.iter().any(|k| k.column.out.column.name == name);
    Scope {
        table: scope.table.clone(),
        columns: keys.iter().map(|k| k.column.clone()).collect(),
        gone: gone.collect(),
        time: scope.time.clone().filter(|t| is_key(t)),
        series: scope.series.clone().filter(|s| is_key(s)),
        ohlcv: None,
        intraday: scope.intraday,
        incomplete: false,
    }
}

/// What `sort` and `columns` may call a column of the result besides its name: `mean(gap)`.
pub(super) fn spoken_names(keys: &[Key], measures: &[Measure]) -> Vec<(String, String)> {
    let keys = keys.iter().map(|k| (k.spoken.clone(), k.column.out.column.name.clone()));
    let measures = measures.iter().map(|m| (m.spoken.clone(), m.name().to_owned()));
    keys.chain(measures).collect()
}

/// The tree with every part that is spelled like one of `names` replaced by that column. With
/// `outside`, only what stands outside aggregates.
pub(super) fn substitute(expr: &Expr, names: &[(String, String)], outside: bool) -> Expr {
    use ast::Node as N;
    let text = format::expr(expr);
    if let Some((_, column)) = names.iter().find(|(spoken, _)| *spoken == text) {
        return Expr { node: N::Column(column.clone()), span: expr.span };
    }
    let go = |e: &Expr| Box::new(substitute(e, names, outside));
    let all =
        |list: &[Expr]| list.iter().map(|e| substitute(e, names, outside)).collect::<Vec<_>>();
    let node = match &expr.node {
        N::Neg(x) => N::Neg(go(x)),
        N::Not(x) => N::Not(go(x)),
        N::Arith(op, a, b) => N::Arith(*op, go(a), go(b)),
        N::Compare(first, rest) => {
            N::Compare(go(first), rest.iter().map(|(op, e)| (*op, *go(e))).collect())
        }
        N::In { value, list, negated } => {
            N::In { value: go(value), list: all(list), negated: *negated }
        }
        N::And(list) => N::And(all(list)),
        N::Or(list) => N::Or(all(list)),
        N::Call { name, .. } if outside && is_aggregate(name) => expr.node.clone(),
        N::Call { name, name_span, args } => {
            N::Call { name: name.clone(), name_span: *name_span, args: all(args) }
        }
        leaf => leaf.clone(),
    };
    Expr { node, span: expr.span }
}

fn is_aggregate(name: &str) -> bool {
    functions::lookup(name).is_some_and(|f| f.stand == Stand::Aggregate)
}

/// True when an aggregate, or what may have been meant as one, is called somewhere.
pub(super) fn may_aggregate(expr: &Expr) -> bool {
    use ast::Node as N;
    match &expr.node {
        N::Call { name, args, .. } => {
            is_aggregate(name)
                || functions::lookup(name).is_none()
                || args.iter().any(may_aggregate)
        }
        N::Neg(x) | N::Not(x) => may_aggregate(x),
        N::Arith(_, a, b) => may_aggregate(a) || may_aggregate(b),
        N::Compare(first, rest) => {
            may_aggregate(first) || rest.iter().any(|(_, e)| may_aggregate(e))
        }
        N::In { value, list, .. } => may_aggregate(value) || list.iter().any(may_aggregate),
        N::And(list) | N::Or(list) => list.iter().any(may_aggregate),
        _ => false,
    }
}

/// The members of `select` with their aliases; a text is split at its top-level commas.
pub(super) fn parts(query: &Query) -> Vec<(Option<String>, Part<'_>)> {
    let written = query.written;
    let mut parts = Vec::new();
    for (i, member) in query.select.iter().enumerate() {
        if written.select_text {
            parts.extend(
                split_top_level(&member.text)
                    .into_iter()
                    .map(|(offset, text)| (None, Part { text, pointer: "/select".into(), offset })),
            );
            continue;
        }
        let pointer = match &member.alias {
            Some(alias) => format!("/select/{}", pointer_part(alias)),
            None => format!("/select/{i}"),
        };
        parts.push((member.alias.clone(), Part { text: &member.text, pointer, offset: 0 }));
    }
    parts
}

impl Run<'_> {
    /// The group keys. A wrong one stays in the list as a broken column.
    pub(super) fn keys(&mut self, scope: &Scope) -> Vec<Key> {
        let query = self.query;
        if query.group_by.len() > MAX_KEYS {
            let message = crate::text!(
                "there are at most {MAX_KEYS} group keys",
                "ключей группировки не больше {MAX_KEYS}"
            );
            self.problem(Code::TooMany, message, "/group_by");
            return Vec::new();
        }
        let mut keys: Vec<Key> = Vec::new();
        for (i, text) in query.group_by.iter().enumerate() {
            let single = query.written.group_by_text;
            let pointer = if single { "/group_by".to_owned() } else { format!("/group_by/{i}") };
            let part = Part { text, pointer, offset: 0 };
            let key = self.key(&part, single, scope);
            let name = &key.column.out.column.name;
            if keys.iter().any(|k| k.column.out.column.name == *name) {
                let message = crate::text!(
                    "group key `{name}` is there twice",
                    "ключ `{name}` указан дважды"
                );
                self.problem(Code::NameClash, message, part.pointer);
                continue;
            }
            keys.push(key);
        }
        keys
    }

    fn key(&mut self, part: &Part, single: bool, scope: &Scope) -> Key {
        let broken = |text: &str| Key {
            named: None,
            spoken: text.to_owned(),
            column: InSight::broken(text),
        };
        if scope.find(part.text).is_none() && self.several(part, single, Code::Syntax) {
            return broken(part.text);
        }
        let alias = |s: &&crate::query::raw::Selected| s.alias.as_deref() == Some(part.text);
        if scope.find(part.text).is_none()
            && let Some(made) = self.query.select.iter().find(alias)
        {
            let (name, text) = (part.text, &made.text);
            let message = crate::text!(
                "`{name}` is made by `select`, after the groups: make it in `map`, `{{\"{name}\": \"{text}\"}}`",
                "`{name}` делает `select`, уже после групп: сделайте его в `map`, `{{\"{name}\": \"{text}\"}}`"
            );
            let diagnostic = Diagnostic::new(Code::UnknownColumn, message);
            self.problems.push(diagnostic.at(part.pointer.as_str()));
            return broken(part.text);
        }
        let Some(expr) = self.column_or_expr(part, scope) else { return broken(part.text) };
        let spoken = format::expr(&expr);
        let Some(typed) = self.typed(&expr, part, Place::GroupBy, scope) else {
            return broken(&spoken);
        };
        if typed.columns().is_empty() {
            let message = crate::text!(
                "`{spoken}` is the same in every row: group by a column",
                "`{spoken}` одинаково во всех строках: группируйте по столбцу"
            );
            let diagnostic = Diagnostic::new(Code::WrongArgument, message);
            self.problems.push(diagnostic.at(part.pointer.as_str()).span(expr.span));
            return broken(&spoken);
        }
        let (name, column) = match &expr.node {
            ast::Node::Column(name) => (name.clone(), scope.find(name).cloned()),
            _ => (spoken.clone(), None),
        };
        let kind = typed.kind.unwrap_or(Kind::Text);
        let mut column = column.unwrap_or_else(|| {
            InSight::made(&name, kind, typed.unit.clone(), typed.domain, Role::Key)
        });
        column.out.role = Role::Key;
        let text = listed_text(&expr, scope);
        Key { named: Some(Named { name, expr: typed, text }), spoken, column }
    }

    /// Several entries in one text, which must be a list. True when so, with the problem recorded.
    pub(super) fn several(&mut self, part: &Part, single: bool, code: Code) -> bool {
        let pieces = split_top_level(part.text);
        if pieces.len() < 2 {
            return false;
        }
        let list: Vec<&str> = pieces.into_iter().map(|(_, piece)| piece).collect();
        let message = crate::text!(
            "several entries are written as a list",
            "несколько значений пишутся списком"
        );
        let mut diagnostic = Diagnostic::new(code, message).at(part.pointer.as_str());
        if single {
            diagnostic.fix = Some(json!(list).to_string());
        }
        self.problems.push(diagnostic);
        true
    }

    /// The measures: `select`, or `count()` where there are only keys. Members that repeat a group
    /// key are left out, as the key is a column of the result anyway.
    pub(super) fn measures(&mut self, scope: &Scope, keys: &[Key]) -> Vec<Measure> {
        let query = self.query;
        if query.select.is_empty() {
            if query.group_by.is_empty() {
                return Vec::new();
            }
            let part = Part { text: "count()", pointer: "/select".into(), offset: 0 };
            let Ok(expr) = parser::parse(part.text) else { return Vec::new() };
            let measure = self.measure(None, &part, &expr, scope, keys);
            if keys.iter().any(|k| k.column.out.column.name == measure.name()) {
                self.clash(measure.name(), part.text, &part);
                self.propose_aliases(keys, std::slice::from_ref(&measure));
            }
            return vec![measure];
        }
        let parts = parts(query);
        let parsed: Vec<_> = parts
            .iter()
            .map(|(alias, part)| (alias, part, self.parse_member(alias.as_deref(), part)))
            .collect();
        if self.named_aggregates(&parsed, scope) {
            return vec![Measure::broken(None, None)];
        }
        let may = parsed.iter().any(|(.., e)| e.as_ref().is_none_or(may_aggregate));
        if !may {
            let message = crate::text!(
                "`select` has no aggregate such as `mean(x)`: columns are chosen by `columns` and computed in `map`",
                "в `select` нет агрегата вроде `mean(x)`: столбцы выбирает `columns`, а вычисляет `map`"
            );
            self.problem(Code::NoAggregate, message, "/select");
            return vec![Measure::broken(None, None)];
        }
        let mut measures: Vec<Measure> = Vec::new();
        let mut clash = false;
        for (alias, part, expr) in &parsed {
            let Some(expr) = expr else {
                measures.push(Measure::broken(alias.as_deref(), None));
                continue;
            };
            let broken_key = |k: &Key| {
                k.named.is_none() && alias.as_deref() == Some(k.column.out.column.name.as_str())
            };
            if keys.iter().any(broken_key) {
                // told where the key stands
                continue;
            }
            let spoken = format::expr(expr);
            if let Some(key) = keys.iter().find(|k| k.spoken == spoken) {
                if alias.as_ref().is_some_and(|a| *a != key.column.out.column.name) {
                    self.renamed_key(part, &spoken);
                }
                continue;
            }
            let measure = self.measure(alias.as_deref(), part, expr, scope, keys);
            let name = measure.name();
            let taken = keys.iter().any(|k| k.column.out.column.name == *name)
                || measures.iter().any(|m| m.name() == name);
            if taken {
                clash = true;
                self.clash(name, &spoken, part);
            }
            measures.push(measure);
        }
        if clash {
            self.propose_aliases(keys, &measures);
        }
        measures
    }

    fn clash(&mut self, name: &str, spoken: &str, part: &Part) {
        let message = crate::text!(
            "two columns of the result are named `{name}`: give an alias, `{{\"name\": \"{spoken}\"}}`",
            "два столбца результата названы `{name}`: дайте имя, `{{\"имя\": \"{spoken}\"}}`"
        );
        self.problem(Code::NameClash, message, part.pointer.as_str());
    }

    /// `{"delay": "mean"}`, `"count"`: the names of aggregates without what they are taken of. True
    /// when some were, with the problems recorded.
    fn named_aggregates(
        &mut self,
        members: &[(&Option<String>, &Part, Option<Expr>)],
        scope: &Scope,
    ) -> bool {
        let had = self.problems.len();
        for (alias, part, expr) in members {
            let Some(Expr { node: ast::Node::Column(name), span }) = expr else { continue };
            let function = functions::also_known_as(name).and_then(functions::lookup);
            let Some(function) = function.filter(|f| f.stand == Stand::Aggregate) else { continue };
            if scope.find(name).is_some() {
                continue;
            }
            let of = alias.as_deref().filter(|of| scope.find(of).is_some());
            let fix = match of {
                _ if function.arity().0 == 0 => Some(format!("{}()", function.name)),
                Some(of) if function.arity().0 == 1 => {
                    Some(format!("{}({})", function.name, format::name(of)))
                }
                _ => None,
            };
            let written = fix.clone().unwrap_or_else(|| function.signature());
            let message = crate::text!(
                "`{name}` is a function: `{written}`",
                "`{name}` — функция: `{written}`"
            );
            let place = Span::new(span.start + part.offset, span.end + part.offset);
            let mut diagnostic = Diagnostic::new(Code::UnknownColumn, message);
            diagnostic.fix = fix;
            self.problems.push(diagnostic.at(part.pointer.as_str()).span(place));
        }
        self.problems.len() > had
    }

    fn renamed_key(&mut self, part: &Part, spoken: &str) {
        let message = crate::text!(
            "`{spoken}` is a group key and keeps its name: for another one make it a column in `map` and group by that",
            "`{spoken}` — ключ группы и сохраняет имя: для другого сделайте столбец в `map` и группируйте по нему"
        );
        self.problem(Code::AggregatePlacement, message, part.pointer.as_str());
    }

    /// `avg = mean(gap)` is meant as an alias; everything else is parsed as it is.
    fn parse_member(&mut self, alias: Option<&str>, part: &Part) -> Option<Expr> {
        if alias.is_none()
            && let Some((name, rest)) = part.text.split_once('=')
            && let name = name.trim()
            && crate::query::lexer::is_plain_name(name)
            && !rest.starts_with('=')
            && parser::parse(rest).is_ok_and(|e| may_aggregate(&e))
        {
            let rest = rest.trim();
            let message = crate::text!(
                "a name is given by the object form, `{{\"{name}\": \"{rest}\"}}`",
                "имя даётся объектом, `{{\"{name}\": \"{rest}\"}}`"
            );
            let mut diagnostic =
                Diagnostic::new(Code::SingleEquals, message).at(part.pointer.as_str());
            let whole = self.query.select.first().map(|s| s.text.trim());
            if self.query.select.len() == 1 && whole == Some(part.text.trim()) {
                diagnostic.fix = Some(json!({ name: rest }).to_string());
            }
            self.problems.push(diagnostic);
            return None;
        }
        self.parse(part)
    }

    fn measure(
        &mut self,
        alias: Option<&str>,
        part: &Part,
        expr: &Expr,
        scope: &Scope,
        keys: &[Key],
    ) -> Measure {
        let checked = self.checked_measure(alias, part, expr, scope, keys);
        checked.unwrap_or_else(|| Measure::broken(alias, Some(expr)))
    }

    fn checked_measure(
        &mut self,
        alias: Option<&str>,
        part: &Part,
        expr: &Expr,
        scope: &Scope,
        keys: &[Key],
    ) -> Option<Measure> {
        let resolved = substitute(expr, &spoken_names(keys, &[]), true);
        let typed =
            self.typed_with(&resolved, part, Place::Select, scope, &keys_scope(scope, keys))?;
        if !may_aggregate(expr) {
            let written = shown(expr);
            let message = crate::text!(
                "`{written}` has no aggregate: group by it, or leave it out",
                "в `{written}` нет агрегата: группируйте по нему или уберите"
            );
            let diagnostic = Diagnostic::new(Code::AggregatePlacement, message);
            self.problems.push(diagnostic.at(part.pointer.as_str()));
            return None;
        }
        let own_name = default_name(expr);
        let name = alias.map_or_else(|| own_name.clone(), str::to_owned);
        let unit = unit_by_name(&name, &typed);
        let kind = typed.kind.unwrap_or(Kind::Float);
        let column = InSight::made(&name, kind, unit.clone(), typed.domain, role(&typed));
        let aliased = name != own_name;
        let expr_typed = Typed { unit, ..typed };
        let text = format::expr(expr);
        let named = Some(Named { name, expr: expr_typed, text: text.clone() });
        Some(Measure { named, spoken: text, aliased, column })
    }

    /// Gives the clash the one plain fix: the whole `select` with a number after repeated names.
    fn propose_aliases(&mut self, keys: &[Key], measures: &[Measure]) {
        let mut names: Vec<String> =
            keys.iter().map(|k| k.column.out.column.name.clone()).collect();
        let mut object = Map::new();
        for measure in measures {
            let Some(Named { name: base, text, .. }) = &measure.named else { return };
            let numbered = (2..=measures.len() + 1).map(|n| format!("{base}_{n}"));
            let free = std::iter::once(base.clone()).chain(numbered).find(|n| !names.contains(n));
            let Some(name) = free else { return };
            object.insert(name.clone(), json!(text));
            names.push(name);
        }
        let message = crate::text!(
            "every member of `select` needs a name of its own",
            "каждому члену `select` нужно своё имя"
        );
        let fix = Value::Object(object).to_string();
        let diagnostic = Diagnostic::new(Code::NameClash, message).at("/select").fix(fix);
        self.problems.retain(|p| p.code != Code::NameClash || !p.pointer.starts_with("/select"));
        self.problems.push(diagnostic);
    }
}

/// What a measure is: the aggregate and its plain column, where it is a single call.
fn role(typed: &Typed) -> Role {
    match &typed.node {
        Node::Call { function, args } if function.stand == Stand::Aggregate => {
            let column = match args.first().map(|a| &a.node) {
                Some(Node::Column(name)) => Some(name.clone()),
                _ => None,
            };
            Role::Measure { aggregate: Some(function.name), column }
        }
        _ => Role::Measure { aggregate: None, column: None },
    }
}
