//! From a reference to the fact it names, and arithmetic over facts.

use super::format::{Format, Written, write};
use super::parse::{Expr, Fact, Op, Reference};
use crate::error::{Code, Diagnostic, Locale, closest};
use crate::facts::Outcome;
use crate::query::check::{ResultKind, Role};
use crate::summary::display;
use crate::validate::FactRef;
use crate::value::Value;
use std::cmp::Ordering;

/// Valid references that a problem lists at most.
pub(super) const CHOICES: usize = 8;

/// A reference that is filled in.
pub(super) struct Filled {
    /// The words.
    pub text: String,
    /// The fact, where it is a single one.
    pub fact: Option<FactRef>,
    /// The arithmetic, where there is some.
    pub formula: Option<String>,
    /// The facts in it.
    pub operands: Vec<FactRef>,
}

/// A value with what it is measured in.
#[derive(Clone)]
struct Found {
    value: Value,
    percent: bool,
    unit: Option<String>,
    fact: Option<FactRef>,
}

/// The references that results offer, the most telling first. No value of a cell stands in them.
pub fn valid(outcomes: &[&Outcome]) -> Vec<String> {
    let mut out = Vec::new();
    for outcome in outcomes {
        let id = &outcome.id;
        let names = |want: &dyn Fn(usize) -> bool| -> Vec<String> {
            (0..outcome.columns.len())
                .filter(|&i| want(i))
                .map(|i| quoted(&outcome.columns[i].column.name))
                .collect()
        };
        let numeric = |i: usize| outcome.columns[i].column.kind.is_numeric();
        match outcome.kind() {
            ResultKind::Scalar => out.push(id.clone()),
            ResultKind::Dict => out.extend(names(&|_| true).iter().map(|n| format!("{id}.{n}"))),
            ResultKind::Grouped => {
                let keys = outcome.keys();
                let of = names(&|i| keys.contains(&i))
                    .iter()
                    .map(|k| format!("{k}=…"))
                    .collect::<Vec<_>>()
                    .join(", ");
                let measures = names(&|i| !keys.contains(&i));
                out.extend(measures.iter().map(|m| format!("{id}[{of}].{m}")));
                for end in ["max", "min"] {
                    out.extend(names(&|_| true).iter().map(|n| format!("{id}.{end}.{n}")));
                }
                let added = names(&|i| !keys.contains(&i) && adds_up(outcome, i));
                out.extend(added.iter().map(|m| format!("{id}.stats.{m}.sum")));
            }
            ResultKind::Table => {
                for n in names(&numeric) {
                    out.extend(["min", "max", "mean"].map(|s| format!("{id}.stats.{n}.{s}")));
                }
                for end in ["first", "last"] {
                    out.extend(names(&|_| true).iter().map(|n| format!("{id}.{end}.{n}")));
                }
            }
        }
        for count in ["rows", "rows_matched", "rows_scanned"] {
            out.push(format!("{id}.{count}"));
        }
    }
    out
}

/// A name as it stands in a reference.
fn quoted(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    if plain { name.to_owned() } else { format!("`{name}`") }
}

/// Fills in one reference.
pub(super) fn fill(
    reference: &Reference,
    source: &str,
    outcomes: &[&Outcome],
    locale: Locale,
) -> Result<Filled, Box<Diagnostic>> {
    let mut found = evaluate(&reference.expr, outcomes)?;
    let mut format = reference.format.clone();
    if let Some(whole) = &reference.percent_of {
        let (a, b) = (number(&found)?, number(&evaluate(whole, outcomes)?)?);
        found = computed(a / b * 100.0, true, None)?;
        format.percent = true;
    }
    let direct = matches!(reference.expr, Expr::Fact(_)) && reference.percent_of.is_none();
    if found.value.as_f64().is_none() && format != Format::default() {
        return Err(Box::new(Diagnostic::new(
            Code::TypeMismatch,
            crate::text!("a format fits numbers only", "формат подходит только числам"),
        )));
    }
    let mut operands = Vec::new();
    if !direct {
        facts(&reference.expr, outcomes, &mut operands);
        reference.percent_of.iter().for_each(|whole| facts(whole, outcomes, &mut operands));
    }
    let written =
        Written { value: &found.value, percent: found.percent, unit: found.unit.as_deref() };
    let formula = source.rsplit_once(':').map_or(source, |(left, right)| {
        // A colon in the brackets is part of a value.
        if right.contains(']') { source } else { left }
    });
    Ok(Filled {
        text: write(&written, &format, locale),
        fact: found.fact,
        formula: (!direct).then(|| formula.trim().to_owned()),
        operands,
    })
}

/// The facts of an expression that has a value, in order.
fn facts(expr: &Expr, outcomes: &[&Outcome], out: &mut Vec<FactRef>) {
    match expr {
        Expr::Number(_) => {}
        Expr::Fact(fact) => out.extend(look_up(fact, outcomes).ok().and_then(|found| found.fact)),
        Expr::Neg(x) => facts(x, outcomes, out),
        Expr::Binary(_, a, b) => {
            facts(a, outcomes, out);
            facts(b, outcomes, out);
        }
    }
}

fn evaluate(expr: &Expr, outcomes: &[&Outcome]) -> Result<Found, Box<Diagnostic>> {
    match expr {
        Expr::Number(x) => computed(*x, false, None),
        Expr::Fact(fact) => look_up(fact, outcomes),
        Expr::Neg(x) => {
            let x = evaluate(x, outcomes)?;
            computed(-number(&x)?, x.percent, x.unit)
        }
        Expr::Binary(op, a, b) => {
            let (a, b) = (evaluate(a, outcomes)?, evaluate(b, outcomes)?);
            let (x, y) = (number(&a)?, number(&b)?);
            let same = a.unit == b.unit;
            match op {
                Op::Add => computed(x + y, a.percent && b.percent, a.unit.filter(|_| same)),
                Op::Sub => computed(x - y, a.percent && b.percent, a.unit.filter(|_| same)),
                Op::Mul => computed(x * y, false, None),
                Op::Div => computed(x / y, false, None),
            }
        }
    }
}

fn computed(x: f64, percent: bool, unit: Option<String>) -> Result<Found, Box<Diagnostic>> {
    if x.is_finite() {
        Ok(Found { value: Value::Float(x), percent, unit, fact: None })
    } else {
        Err(Box::new(Diagnostic::new(
            Code::WrongArgument,
            crate::text!("the arithmetic has no result", "у вычисления нет результата"),
        )))
    }
}

fn number(found: &Found) -> Result<f64, Box<Diagnostic>> {
    found.value.as_f64().ok_or_else(|| {
        Box::new(Diagnostic::new(
            Code::TypeMismatch,
            crate::text!("arithmetic takes numbers only", "вычислять можно только с числами"),
        ))
    })
}

/// The fact that a name stands for.
fn look_up(fact: &Fact, outcomes: &[&Outcome]) -> Result<Found, Box<Diagnostic>> {
    let Some(outcome) = outcomes.iter().find(|o| o.id.eq_ignore_ascii_case(&fact.result)) else {
        let id = &fact.result;
        return Err(Box::new(
            Diagnostic::new(
                Code::UnknownResult,
                crate::text!("no result is called `{id}`", "нет результата `{id}`"),
            )
            .span(fact.span)
            .choices(unknown_result(fact, outcomes)),
        ));
    };
    let path: Vec<&str> = fact.path.iter().map(String::as_str).collect();
    let rows = outcome.rows.len();
    if fact.row.is_empty() {
        let count = match path.as_slice() {
            ["rows"] => Some(rows as u64),
            ["rows_matched"] => Some(outcome.rows_matched),
            ["rows_scanned"] => Some(outcome.rows_scanned),
            ["rows_before_limit"] => Some(outcome.rows_before_limit.unwrap_or(rows as u64)),
            _ => None,
        };
        // A column of that name comes first.
        if let (Some(n), Some(name)) = (count, path.first())
            && outcome.column(name).is_none()
        {
            let value = Value::Int(i64::try_from(n).unwrap_or(i64::MAX));
            return Ok(whole(outcome, name, value));
        }
        match path.as_slice() {
            [] | ["value"] if outcome.kind() == ResultKind::Scalar => {
                return cell(outcome, 0, 0, fact);
            }
            ["stats", column, which] => return statistic(outcome, column, which, fact),
            ["first", column] if rows > 0 => {
                return cell(outcome, 0, named(outcome, column, fact)?, fact);
            }
            ["last", column] if rows > 0 => {
                return cell(outcome, rows - 1, named(outcome, column, fact)?, fact);
            }
            [end @ ("max" | "min"), column] if outcome.kind() == ResultKind::Grouped => {
                let row = extreme(outcome, *end == "max").ok_or_else(|| no_row(outcome, fact))?;
                return cell(outcome, row, named(outcome, column, fact)?, fact);
            }
            _ => {}
        }
    }
    let [column] = path.as_slice() else { return Err(unknown(outcome, fact)) };
    let column = named(outcome, column, fact)?;
    let chosen = chosen(outcome, fact)?;
    match chosen.as_slice() {
        [row] => cell(outcome, *row, column, fact),
        [] => Err(no_row(outcome, fact)),
        _ => {
            let n = chosen.len();
            Err(Box::new(
                Diagnostic::new(
                    Code::WrongArgument,
                    crate::text!(
                        "the reference fits {n} rows; name one by its keys",
                        "ссылка подходит к строкам в количестве {n}; выберите одну по ключам"
                    ),
                )
                .span(fact.span)
                .choices(choices(outcome, fact)),
            ))
        }
    }
}

/// References that are valid, those like it first.
fn unknown_result(fact: &Fact, outcomes: &[&Outcome]) -> Vec<String> {
    let all = valid(outcomes);
    closest(&spelled(fact), all.iter().map(String::as_str), CHOICES)
}

fn choices(outcome: &Outcome, fact: &Fact) -> Vec<String> {
    let all = valid(&[outcome]);
    closest(&spelled(fact), all.iter().map(String::as_str), CHOICES)
}

/// The reference as it was written, without the values in the brackets.
fn spelled(fact: &Fact) -> String {
    let mut out = fact.result.clone();
    if !fact.row.is_empty() {
        let keys: Vec<String> = fact.row.iter().map(|(k, _)| format!("{k}=…")).collect();
        out = format!("{out}[{}]", keys.join(", "));
    }
    fact.path.iter().fold(out, |out, name| format!("{out}.{name}"))
}

fn unknown(outcome: &Outcome, fact: &Fact) -> Box<Diagnostic> {
    let said = spelled(fact);
    Box::new(
        Diagnostic::new(
            Code::UnknownColumn,
            crate::text!("`{said}` names no fact", "`{said}` не называет факта"),
        )
        .span(fact.span)
        .choices(choices(outcome, fact)),
    )
}

fn no_row(outcome: &Outcome, fact: &Fact) -> Box<Diagnostic> {
    let said = spelled(fact);
    Box::new(
        Diagnostic::new(
            Code::WrongArgument,
            crate::text!("no row fits `{said}`", "нет строки для `{said}`"),
        )
        .span(fact.span)
        .choices(choices(outcome, fact)),
    )
}

/// The number of a column, by its name or its label, in any case.
fn named(outcome: &Outcome, name: &str, fact: &Fact) -> Result<usize, Box<Diagnostic>> {
    let lower = name.to_lowercase();
    let find = |same: &dyn Fn(&crate::schema::Column) -> bool| {
        let mut hits = (0..outcome.columns.len()).filter(|&i| same(&outcome.columns[i].column));
        hits.next().filter(|_| hits.next().is_none())
    };
    outcome
        .column(name)
        .or_else(|| find(&|c| c.name.to_lowercase() == lower))
        .or_else(|| find(&|c| c.label.as_ref().is_some_and(|l| l.to_lowercase() == lower)))
        .ok_or_else(|| unknown(outcome, fact))
}

/// The rows that the brackets choose; all without brackets.
fn chosen(outcome: &Outcome, fact: &Fact) -> Result<Vec<usize>, Box<Diagnostic>> {
    let mut rows: Vec<usize> = (0..outcome.rows.len()).collect();
    for (key, value) in &fact.row {
        let column = named(outcome, key, fact)?;
        rows.retain(|&row| same(&outcome.value(row, column), value));
    }
    Ok(rows)
}

/// Whether a cell is what the brackets say: as text in any case, as a number, as a date.
fn same(cell: &Value, said: &str) -> bool {
    match cell {
        Value::Null => said.eq_ignore_ascii_case("null"),
        Value::Text(text) => text.to_lowercase() == said.to_lowercase(),
        Value::Int(_) | Value::Float(_) | Value::Decimal(_) => {
            said.parse::<f64>().is_ok_and(|x| cell.as_f64() == Some(x))
        }
        Value::Timestamp(_) => {
            let text = display(cell, false);
            text == said || text.strip_suffix("T00:00:00") == Some(said)
        }
        Value::Bool(_) | Value::Date(_) | Value::List(_) => display(cell, false) == said,
    }
}

/// The row with the largest or smallest first measure, the first of several.
fn extreme(outcome: &Outcome, most: bool) -> Option<usize> {
    let keys = outcome.keys();
    let column = (0..outcome.columns.len())
        .find(|i| !keys.contains(i) && outcome.columns[*i].column.kind.is_numeric())?;
    let mut best: Option<(usize, Value)> = None;
    for row in 0..outcome.rows.len() {
        let value = outcome.value(row, column);
        // A group without a name is no extreme.
        let nameless = keys.iter().any(|k| outcome.value(row, *k).is_null());
        if value.is_null() || nameless {
            continue;
        }
        let wanted = if most { Ordering::Greater } else { Ordering::Less };
        if best.as_ref().is_none_or(|(_, b)| value.total_cmp(b) == wanted) {
            best = Some((row, value));
        }
    }
    best.map(|(row, _)| row)
}

fn statistic(
    outcome: &Outcome,
    column: &str,
    which: &str,
    fact: &Fact,
) -> Result<Found, Box<Diagnostic>> {
    let at = named(outcome, column, fact)?;
    // The mean of means is not the mean of all, and their sum is nothing.
    if matches!(which, "mean" | "sum") && !adds_up(outcome, at) {
        return Err(unknown(outcome, fact));
    }
    let stats = outcome.rows.stats(at);
    let count = |n: usize| Value::Int(i64::try_from(n).unwrap_or(i64::MAX));
    let (value, measured) = match which {
        "min" => (stats.min, true),
        "max" => (stats.max, true),
        "mean" => (stats.mean, true),
        "sum" => (stats.sum, true),
        "count" => (count(stats.count), false),
        "nulls" => (count(stats.nulls), false),
        _ => return Err(unknown(outcome, fact)),
    };
    if value.is_null() {
        return Err(no_value(outcome, fact));
    }
    let name = format!("stats.{}.{which}", outcome.columns[at].column.name);
    let mut found = whole(outcome, &name, value);
    if measured {
        (found.percent, found.unit) = measure(outcome, at);
    }
    Ok(found)
}

/// Whether values of a column make a whole: those of rows, and of groups their sums and counts.
fn adds_up(outcome: &Outcome, column: usize) -> bool {
    match outcome.columns.get(column).map(|output| &output.role) {
        Some(Role::Measure { aggregate: Some(aggregate), .. }) => {
            ["sum", "count"].contains(aggregate)
        }
        Some(Role::Measure { aggregate: None, .. }) => outcome.kind() == ResultKind::Table,
        _ => true,
    }
}

fn no_value(outcome: &Outcome, fact: &Fact) -> Box<Diagnostic> {
    let said = spelled(fact);
    Box::new(
        Diagnostic::new(
            Code::WrongArgument,
            crate::text!("`{said}` has no value", "у `{said}` нет значения"),
        )
        .span(fact.span)
        .choices(choices(outcome, fact)),
    )
}

/// Whether a column is in per cent, and its unit.
fn measure(outcome: &Outcome, column: usize) -> (bool, Option<String>) {
    let Some(c) = outcome.columns.get(column).map(|c| &c.column) else { return (false, None) };
    let percent = match &c.unit {
        Some(unit) => unit == "%" || unit.eq_ignore_ascii_case("percent"),
        None => c
            .name
            .to_lowercase()
            .split(|x: char| !x.is_alphanumeric())
            .any(|w| ["pct", "percent"].contains(&w)),
    };
    (percent, c.unit.clone())
}

/// A fact about the whole result.
fn whole(outcome: &Outcome, name: &str, value: Value) -> Found {
    Found {
        percent: false,
        unit: None,
        fact: Some(FactRef {
            result: outcome.id.clone(),
            row: None,
            key: Vec::new(),
            column: name.to_owned(),
            value: value.clone(),
        }),
        value,
    }
}

fn cell(
    outcome: &Outcome,
    row: usize,
    column: usize,
    fact: &Fact,
) -> Result<Found, Box<Diagnostic>> {
    let value = outcome.value(row, column);
    if value.is_null() {
        return Err(no_value(outcome, fact));
    }
    let (percent, unit) = measure(outcome, column);
    let key = outcome
        .keys()
        .into_iter()
        .map(|k| {
            let c = &outcome.columns[k];
            (c.column.name.clone(), display(&outcome.value(row, k), c.date_only))
        })
        .collect();
    let name = outcome.columns.get(column).map(|c| c.column.name.clone()).unwrap_or_default();
    let source = FactRef {
        result: outcome.id.clone(),
        row: Some(row),
        key,
        column: name,
        value: value.clone(),
    };
    Ok(Found { value, percent, unit, fact: Some(source) })
}
