//! What a query means, as a text that is the same for queries that give the same rows: names of
//! `map` are written out, time conditions become one range of dates, lists are sorted.

use super::calls;
use chrono::{Datelike, NaiveDate};
use pinhole::query::ast::{Compare, Expr, Node};
use pinhole::query::period::{Dates, Period};
use pinhole::query::{Query, check, format, parse};
use pinhole::schema::{DAY, TableSchema};
use pinhole::value::Value;
use std::collections::HashMap;
use std::sync::Arc;

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// The meaning of a query that passes the check; what is wrong with it where it does not.
pub fn meaning(query: &Query, schema: &Arc<TableSchema>) -> Result<String, String> {
    let checked = check(query, std::slice::from_ref(schema)).map_err(|p| format!("{p:?}"))?;
    let query = Query::from_json(checked.canonical()).map_err(|p| format!("{p:?}"))?;
    let mut names: HashMap<String, Expr> = HashMap::new();
    let mut parts = Vec::new();
    if let Some(session) = &query.session {
        parts.push(format!("session {}", session.to_uppercase()));
    }
    if let Some(from) =
        query.from.as_ref().filter(|f| *f != "daily" || schema.interval != Some(DAY))
    {
        parts.push(format!("from {from}"));
    }
    let mut time = Time::new(schema, query.period.as_deref());
    parts.extend(step(&query, schema, &mut names, Some(&mut time)));
    for (number, next) in query.steps.iter().enumerate() {
        parts.push("then".to_owned());
        // what the last step maps is what it is there for
        if number + 1 == query.steps.len() && next.select.is_empty() {
            for (name, text) in &next.map {
                let expr = resolve(text, &names, schema);
                parts.push(format!("map {}", format::expr(&expr)));
                names.insert(name.clone(), expr);
            }
        }
        parts.extend(step(next, schema, &mut names, None));
    }
    Ok(parts.join(" | "))
}

/// The meaning of one step; leaves in `names` what the next one reads.
fn step(
    query: &Query,
    schema: &TableSchema,
    names: &mut HashMap<String, Expr>,
    time: Option<&mut Time>,
) -> Vec<String> {
    let mut parts = Vec::new();
    for (name, text) in &query.map {
        let expr = resolve(text, names, schema);
        names.insert(name.clone(), expr);
    }
    let mut filters: Vec<Expr> = Vec::new();
    if let Some(filter) = &query.filter {
        conjuncts(resolve(filter, names, schema), &mut filters);
    }
    filters = calls::met(filters);
    let mut texts: Vec<String> = match time {
        Some(time) => {
            let rest = time.take(filters);
            parts.extend(time.text());
            rest
        }
        None => filters,
    }
    .iter()
    .map(format::expr)
    .collect();
    texts.sort();
    texts.dedup();
    parts.extend(texts.iter().map(|t| format!("where {t}")));
    let mut keys: Vec<(String, Expr)> = Vec::new();
    for key in &query.group_by {
        keys.push((key.clone(), resolve(key, names, schema)));
    }
    let mut sorted: Vec<String> = keys.iter().map(|(_, e)| format::expr(e)).collect();
    sorted.sort();
    parts.extend(sorted.iter().map(|t| format!("by {t}")));
    let mut made: Vec<(String, Expr)> = Vec::new();
    for selected in &query.select {
        let expr = resolve(&selected.text, names, schema);
        let name = selected.alias.clone().unwrap_or_else(|| result_name(&selected.text));
        made.push((name, expr));
    }
    let mut sorted: Vec<String> = made.iter().map(|(_, e)| format::expr(e)).collect();
    sorted.sort();
    parts.extend(sorted.iter().map(|t| format!("select {t}")));
    if !made.is_empty() || !keys.is_empty() {
        for (name, expr) in keys.into_iter().chain(made) {
            let opaque = Node::Column(format::expr(&expr));
            names.insert(name, Expr { node: opaque, span: expr.span });
        }
    }
    for key in &query.sort {
        let (text, down) = match key.strip_suffix(" desc") {
            Some(text) => (text, true),
            None => (key.strip_suffix(" asc").unwrap_or(key), false),
        };
        let text = match names.get(text.trim_matches('`')) {
            Some(Expr { node: Node::Column(name), .. }) => name.clone(),
            Some(expr) => format::expr(expr),
            None => format::expr(&resolve(text, names, schema)),
        };
        parts.push(format!("sort {text}{}", if down { " desc" } else { "" }));
    }
    if let Some(limit) = query.limit {
        parts.push(format!("limit {limit}"));
    }
    parts
}

/// `mean(gap)` is called `mean_gap`; anything that is no plain call keeps its text.
fn result_name(text: &str) -> String {
    match parse(text).map(|e| e.node) {
        Ok(Node::Call { name, args, .. }) => match &args[..] {
            [] => name,
            [Expr { node: Node::Column(column), .. }, ..] => format!("{name}_{column}"),
            _ => text.to_owned(),
        },
        _ => text.to_owned(),
    }
}

fn resolve(text: &str, names: &HashMap<String, Expr>, schema: &TableSchema) -> Expr {
    // a text that is exactly a name is that name
    if let Some(expr) = names.get(text) {
        return expr.clone();
    }
    if schema.column(text).is_some() {
        let span = pinhole::error::Span::new(0, text.len());
        return Expr { node: Node::Column(text.to_owned()), span };
    }
    plain(parse(text).expect("a checked expression"), names, schema)
}

/// An expression in its plainest form, with the names of `map` written out.
fn plain(expr: Expr, names: &HashMap<String, Expr>, schema: &TableSchema) -> Expr {
    let span = expr.span;
    let make = |node| Expr { node, span };
    match expr.node {
        Node::Column(name) => match names.get(&name) {
            Some(known) => known.clone(),
            None => make(Node::Column(name)),
        },
        Node::Neg(e) => make(Node::Neg(Box::new(plain(*e, names, schema)))),
        Node::Not(e) => negated(plain(*e, names, schema)),
        Node::Arith(op, a, b) => {
            let [a, b] = [a, b].map(|e| plain(*e, names, schema));
            calls::arith(op, a, b, schema)
        }
        Node::Compare(left, rest) => {
            let left = plain(*left, names, schema);
            let rest: Vec<(Compare, Expr)> =
                rest.into_iter().map(|(op, e)| (op, plain(e, names, schema))).collect();
            compared(left, rest, schema)
        }
        Node::In { value, list, negated } => {
            let value = plain(*value, names, schema);
            membership(value, list, negated)
        }
        Node::And(list) => {
            let mut all = Vec::new();
            for e in list {
                conjuncts(plain(e, names, schema), &mut all);
            }
            let mut all = calls::met(all);
            all.sort_by_key(format::expr);
            all.dedup_by_key(|e| format::expr(e));
            match <[Expr; 1]>::try_from(all) {
                Ok([one]) => one,
                Err(all) => make(Node::And(all)),
            }
        }
        Node::Or(list) => {
            let mut list: Vec<Expr> = list.into_iter().map(|e| plain(e, names, schema)).collect();
            list.sort_by_key(format::expr);
            // `x == a or x == b` is a list
            let mut found: Option<(Expr, Vec<Expr>)> = None;
            for e in &list {
                let Node::Compare(left, rest) = &e.node else { return make(Node::Or(list)) };
                let [(Compare::Eq, right)] = &rest[..] else { return make(Node::Or(list)) };
                match &mut found {
                    None => found = Some(((**left).clone(), vec![right.clone()])),
                    Some((l, values)) if format::expr(l) == format::expr(left) => {
                        values.push(right.clone());
                    }
                    Some(_) => return make(Node::Or(list)),
                }
            }
            match found {
                Some((value, values)) => membership(value, values, false),
                None => make(Node::Or(list)),
            }
        }
        Node::Call { name, args, .. } => {
            let mut args: Vec<Expr> = args.into_iter().map(|e| plain(e, names, schema)).collect();
            // the time column is what time functions read anyway
            if let [Expr { node: Node::Column(column), .. }] = &args[..]
                && schema.time.as_ref() == Some(column)
                && TIME.contains(&name.as_str())
            {
                args.clear();
            }
            let name = if name == "month" { "monthname".to_owned() } else { name };
            make(calls::call(&name, args, schema))
        }
        other => make(other),
    }
}

const TIME: [&str; 9] =
    ["year", "quarter", "month", "monthname", "dayname", "dayofweek", "hour", "date", "week"];

fn is_call(expr: &Expr, wanted: &str) -> bool {
    matches!(&expr.node, Node::Call { name, args, .. } if name == wanted && args.is_empty())
}

fn call(name: &str, like: &Expr) -> Expr {
    let node = Node::Call { name: name.to_owned(), name_span: like.span, args: Vec::new() };
    Expr { node, span: like.span }
}

fn compared(left: Expr, mut rest: Vec<(Compare, Expr)>, schema: &TableSchema) -> Expr {
    let span = left.span;
    if rest.len() > 1 {
        let mut all = Vec::new();
        let mut before = left;
        for (op, right) in rest {
            all.push(compared(before, vec![(op, right.clone())], schema));
            before = right;
        }
        return Expr { node: Node::And(all), span };
    }
    let Some((op, right)) = rest.pop() else { return left };
    let (left, op, right) = calls::turned(left, op, right, schema);
    // flags
    match (op, &right.node) {
        (Compare::Eq, Node::Bool(true)) | (Compare::Ne, Node::Bool(false)) => return left,
        (Compare::Eq, Node::Bool(false)) | (Compare::Ne, Node::Bool(true)) => return negated(left),
        _ => {}
    }
    // the sign of a change is the same in per cent
    let zero =
        matches!(right.node, Node::Int(0)) || matches!(right.node, Node::Float(x) if x == 0.0);
    let mut left = left;
    for (percent, points) in [("change_pct", "change"), ("gap_pct", "gap")] {
        if zero && is_call(&left, percent) {
            left = call(points, &left);
        }
    }
    // close above open
    if let (Some(bars), Node::Column(a), Node::Column(b)) = (&schema.ohlcv, &left.node, &right.node)
    {
        let sides = [(a, b, op), (b, a, calls::mirrored(op))];
        for (x, y, op) in sides {
            if *x == bars.close && *y == bars.open && matches!(op, Compare::Gt | Compare::Lt) {
                return call(if op == Compare::Gt { "green" } else { "red" }, &left);
            }
        }
    }
    if matches!(op, Compare::Eq | Compare::Ne) {
        return membership(left, vec![right], op == Compare::Ne);
    }
    let right = match right.node {
        Node::Float(x) if x.fract() == 0.0 && x.abs() < 1e15 => {
            Expr { node: Node::Int(x as i64), span }
        }
        node => Expr { node, span },
    };
    Expr { node: Node::Compare(Box::new(left), vec![(op, right)]), span }
}

fn negated(expr: Expr) -> Expr {
    let span = expr.span;
    match expr.node {
        Node::Not(inner) => *inner,
        Node::Compare(left, rest) if rest.len() == 1 => {
            let rest = rest
                .into_iter()
                .map(|(op, e)| {
                    let op = match op {
                        Compare::Lt => Compare::Ge,
                        Compare::Ge => Compare::Lt,
                        Compare::Gt => Compare::Le,
                        Compare::Le => Compare::Gt,
                        Compare::Eq => Compare::Ne,
                        Compare::Ne => Compare::Eq,
                    };
                    (op, e)
                })
                .collect();
            Expr { node: Node::Compare(left, rest), span }
        }
        Node::In { value, list, negated } => membership(*value, list, !negated),
        node => Expr { node: Node::Not(Box::new(Expr { node, span })), span },
    }
}

/// `x in [..]` with months and weekdays by name, sorted; an exclusion of weekdays is a list of
/// the others.
fn membership(value: Expr, list: Vec<Expr>, negated: bool) -> Expr {
    let span = value.span;
    let value = if is_call(&value, "dayofweek") { call("dayname", &value) } else { value };
    let names: &[&str] = if is_call(&value, "dayname") {
        &DAYS
    } else if is_call(&value, "monthname") {
        &MONTHS
    } else {
        &[]
    };
    let offset = i64::from(names.len() == 12);
    let mut texts: Vec<(String, Expr)> = list
        .into_iter()
        .map(|e| match e.node {
            Node::Int(n) if !names.is_empty() => {
                let name = usize::try_from(n - offset).ok().and_then(|i| names.get(i));
                let node = Node::Text((*name.expect("a month or weekday")).to_owned());
                Expr { node, span }
            }
            Node::Float(x) if x.fract() == 0.0 => Expr { node: Node::Int(x as i64), span },
            node => Expr { node, span },
        })
        .map(|e| (format::expr(&e), e))
        .collect();
    let mut negated = negated;
    if negated && !names.is_empty() {
        let out: Vec<String> = texts.iter().map(|(t, _)| t.clone()).collect();
        texts = names
            .iter()
            .map(|n| Expr { node: Node::Text((*n).to_owned()), span })
            .map(|e| (format::expr(&e), e))
            .filter(|(t, _)| !out.contains(t))
            .collect();
        negated = false;
    }
    texts.sort_by(|a, b| a.0.cmp(&b.0));
    texts.dedup_by(|a, b| a.0 == b.0);
    let list = texts.into_iter().map(|(_, e)| e).collect();
    Expr { node: Node::In { value: Box::new(value), list, negated }, span }
}

fn conjuncts(expr: Expr, all: &mut Vec<Expr>) {
    match expr.node {
        Node::And(list) => list.into_iter().for_each(|e| conjuncts(e, all)),
        Node::In { value, list, negated: true } if list.len() > 1 => {
            for e in list {
                all.push(membership((*value).clone(), vec![e], true));
            }
        }
        node => all.push(Expr { node, span: expr.span }),
    }
}

/// The dates that a query keeps.
struct Time {
    first: Option<NaiveDate>,
    last: Option<NaiveDate>,
    /// Those of the data.
    data: Option<(NaiveDate, NaiveDate)>,
    relative: Option<String>,
}

impl Time {
    fn new(schema: &TableSchema, period: Option<&str>) -> Self {
        let date = |day: i32| Value::Date(day).date();
        let data = schema.dates().and_then(|(a, b)| Some((date(a)?, date(b)?)));
        let mut time = Self { first: None, last: None, data, relative: None };
        if let Some(text) = period {
            match Period::parse(text).expect("a checked period").dates(None) {
                Dates::Between(a, b) if !text.starts_with("last") => {
                    time.first = a.and_then(date);
                    time.last = b.and_then(date);
                }
                _ => time.relative = Some(text.to_owned()),
            }
        }
        time
    }

    fn narrow(&mut self, first: Option<NaiveDate>, last: Option<NaiveDate>) {
        self.first = self.first.max(first);
        self.last = match (self.last, last) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
    }

    /// Takes the conditions that bound the dates; gives back the others.
    fn take(&mut self, filters: Vec<Expr>) -> Vec<Expr> {
        let mut rest: Vec<Expr> = filters.into_iter().filter(|e| !self.bound(e)).collect();
        // months of one year are a range of dates
        let one_year = {
            let first = self.first.max(self.data.map(|d| d.0));
            let last = match (self.last, self.data) {
                (Some(a), Some((_, b))) => Some(a.min(b)),
                (a, d) => a.or(d.map(|d| d.1)),
            };
            first.zip(last).filter(|(a, b)| a.year() == b.year()).map(|(a, _)| a.year())
        };
        if let Some(year) = one_year {
            rest.retain(|e| {
                let Node::In { value, list, negated: false } = &e.node else { return true };
                let numbers: Vec<u32> = list
                    .iter()
                    .filter_map(|e| match &e.node {
                        Node::Text(t) => MONTHS.iter().position(|m| m == t).map(|i| i as u32 + 1),
                        Node::Int(n) => u32::try_from(*n).ok(),
                        _ => None,
                    })
                    .collect();
                let (Some(&low), Some(&high)) = (numbers.iter().min(), numbers.iter().max()) else {
                    return true;
                };
                if numbers.len() != list.len() || (high - low) as usize + 1 != numbers.len() {
                    return true;
                }
                let (low, high) = if is_call(value, "monthname") {
                    (low, high)
                } else if is_call(value, "quarter") {
                    (low * 3 - 2, high * 3)
                } else {
                    return true;
                };
                self.narrow(NaiveDate::from_ymd_opt(year, low, 1), month_end(year, high));
                false
            });
        }
        rest
    }

    fn bound(&mut self, expr: &Expr) -> bool {
        match &expr.node {
            Node::In { value, list, negated: false } if is_call(value, "year") => {
                let years: Vec<i32> = list
                    .iter()
                    .filter_map(|e| match e.node {
                        Node::Int(n) => i32::try_from(n).ok(),
                        _ => None,
                    })
                    .collect();
                let (Some(&a), Some(&b)) = (years.iter().min(), years.iter().max()) else {
                    return false;
                };
                if (b - a) as usize + 1 != years.len() {
                    return false;
                }
                self.narrow(NaiveDate::from_ymd_opt(a, 1, 1), month_end(b, 12));
                true
            }
            Node::In { value, list, negated: false } if is_call(value, "date") => {
                let [Expr { node: Node::Text(day), .. }] = &list[..] else { return false };
                let day = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok();
                self.narrow(day, day);
                true
            }
            Node::Compare(left, rest) => {
                let [(op, right)] = &rest[..] else { return false };
                let (first, last) = match &right.node {
                    Node::Int(year) if is_call(left, "year") => {
                        let Ok(year) = i32::try_from(*year) else { return false };
                        (NaiveDate::from_ymd_opt(year, 1, 1), month_end(year, 12))
                    }
                    Node::Text(day) if is_call(left, "date") => {
                        let day = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok();
                        (day, day)
                    }
                    _ => return false,
                };
                let (Some(first), Some(last)) = (first, last) else { return false };
                match op {
                    Compare::Ge => self.narrow(Some(first), None),
                    Compare::Gt => self.narrow(last.succ_opt(), None),
                    Compare::Le => self.narrow(None, Some(last)),
                    Compare::Lt => self.narrow(None, first.pred_opt()),
                    Compare::Eq | Compare::Ne => return false,
                }
                true
            }
            _ => false,
        }
    }

    fn text(&self) -> Option<String> {
        if let Some(relative) = &self.relative {
            return Some(format!("period {relative}"));
        }
        // an end beyond the data keeps nothing out
        let first = self.first.filter(|f| self.data.is_none_or(|(a, _)| *f > a));
        let last = self.last.filter(|l| self.data.is_none_or(|(_, b)| *l < b));
        if first.is_none() && last.is_none() {
            return None;
        }
        Some(format!("dates {first:?} .. {last:?}"))
    }
}

fn month_end(year: i32, month: u32) -> Option<NaiveDate> {
    let (year, month) = if month == 12 { (year + 1, 1) } else { (year, month + 1) };
    NaiveDate::from_ymd_opt(year, month, 1)?.pred_opt()
}
