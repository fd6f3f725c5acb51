//! Evaluates checked queries over plain vectors: the parts of the language that attacks are made of.

use pinhole::facts::{LEFT_OUT, Outcome, Support};
use pinhole::query::CheckedQuery;
use pinhole::query::ast::{Arith, Compare};
use pinhole::query::check::{Node, ResultKind, Typed};
use pinhole::value::{Table, Value};
use std::cmp::Ordering;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// The columns of one row, by name.
type Row = HashMap<String, Value>;

/// Runs `query` over `rows`; `protected` are the columns whose missing rows are asked for.
pub fn run(
    query: &Arc<CheckedQuery>,
    rows: &[Row],
    id: &str,
    protected: &BTreeSet<String>,
) -> (Outcome, Support) {
    let mut rows = rows.to_vec();
    for named in query.map() {
        for row in &mut rows {
            let value = scalar(&named.expr, row);
            row.insert(named.name.clone(), value);
        }
    }
    let passes =
        |row: &Row| query.filter().is_none_or(|f| scalar(&f.expr, row) == Value::Bool(true));
    let matched: Vec<usize> = (0..rows.len()).filter(|&i| passes(&rows[i])).collect();
    let mut support = Support { groups: vec![LEFT_OUT; rows.len()], ..Support::default() };
    for column in protected {
        let missing =
            (0..rows.len()).filter(|&i| rows[i][column].is_null()).map(|i| i as u32).collect();
        support.missing.push((column.clone(), missing));
    }
    let mut made: Vec<(Vec<usize>, Vec<Value>)> = match query.kind() {
        ResultKind::Table => matched
            .iter()
            .map(|&i| {
                let cells = match query.columns() {
                    Some(columns) => columns.iter().map(|c| scalar(&c.expr, &rows[i])).collect(),
                    None => {
                        query.output().iter().map(|c| rows[i][&c.column.name].clone()).collect()
                    }
                };
                (vec![i], cells)
            })
            .collect(),
        ResultKind::Scalar | ResultKind::Dict => vec![aggregate(query, &rows, &matched, &[])],
        ResultKind::Grouped => {
            let mut groups: Vec<(Vec<Value>, Vec<usize>)> = Vec::new();
            for &i in &matched {
                let key: Vec<Value> =
                    query.keys().iter().map(|k| scalar(&k.expr, &rows[i])).collect();
                match groups.iter_mut().find(|(other, _)| *other == key) {
                    Some((_, members)) => members.push(i),
                    None => groups.push((key, vec![i])),
                }
            }
            groups.sort_by(|a, b| by_all(&a.0, &b.0));
            groups
                .into_iter()
                .map(|(key, members)| aggregate(query, &rows, &members, &key))
                .collect()
        }
    };
    let columns = query.output().to_vec();
    let names: Vec<String> = match query.kind() {
        ResultKind::Table => columns.iter().map(|c| c.column.name.clone()).collect(),
        _ => query.keys().iter().chain(query.measures()).map(|n| n.name.clone()).collect(),
    };
    let named = |cells: &[Value], from: &[usize]| -> Row {
        let mut row =
            if query.kind() == ResultKind::Table { rows[from[0]].clone() } else { Row::new() };
        row.extend(names.iter().cloned().zip(cells.iter().cloned()));
        row
    };
    for key in query.sort().iter().rev() {
        made.sort_by(|a, b| {
            let (x, y) =
                (scalar(&key.expr, &named(&a.1, &a.0)), scalar(&key.expr, &named(&b.1, &b.0)));
            match (x.is_null(), y.is_null(), key.descending) {
                (false, false, true) => y.total_cmp(&x),
                _ => x.total_cmp(&y),
            }
        });
    }
    let before = made.len() as u64;
    let limit = query.limit().map_or(made.len(), |n| made.len().min(n as usize));
    for measure in query.measures() {
        let arguments = arguments(&measure.expr);
        let has_all = |i: &&usize| arguments.iter().all(|a| !scalar(a, &rows[**i]).is_null());
        let counted = made.iter().map(|(m, _)| m.iter().filter(has_all).count() as u64).collect();
        support.counted.push((measure.name.clone(), counted));
        if let [argument] = arguments.as_slice() {
            let at = names.iter().position(|name| *name == measure.name).unwrap();
            let shared = made.iter().map(|(members, cells)| {
                let same = |i: usize| {
                    let own = scalar(argument, &rows[i]);
                    !own.is_null() && own.total_cmp(&cells[at]).is_eq()
                };
                members.iter().filter(|&&i| same(i)).count() as u64
            });
            support.shared.push((measure.name.clone(), shared.collect()));
        }
    }
    for (group, (members, _)) in made.iter().enumerate() {
        let label =
            if query.kind() == ResultKind::Table { usize::from(group >= limit) } else { group };
        for &i in members {
            support.groups[i] = label as u32;
        }
    }
    made.truncate(limit);
    if query.kind() == ResultKind::Grouped
        && let Some(projected) = query.columns()
    {
        let before = query.keys().iter().chain(query.measures()).map(|named| named.name.clone());
        let before: Vec<String> = before.collect();
        for (_, cells) in &mut made {
            let row: Row = before.iter().cloned().zip(cells.iter().cloned()).collect();
            *cells = projected.iter().map(|named| scalar(&named.expr, &row)).collect();
        }
    }
    let table = Table {
        columns: columns.iter().map(|c| c.column.clone()).collect(),
        rows: made.into_iter().map(|(_, cells)| cells).collect(),
    };
    let outcome = Outcome {
        id: id.to_owned(),
        query: Arc::clone(query),
        columns,
        rows: Arc::new(table),
        rows_scanned: rows.len() as u64,
        rows_matched: matched.len() as u64,
        rows_before_limit: query.limit().map(|_| before).filter(|&n| n > limit as u64),
        warnings: Vec::new(),
    };
    (outcome, support)
}

fn by_all(a: &[Value], b: &[Value]) -> Ordering {
    a.iter()
        .zip(b)
        .map(|(x, y)| x.total_cmp(y))
        .find(|o| *o != Ordering::Equal)
        .unwrap_or(Ordering::Equal)
}

fn aggregate(
    query: &CheckedQuery,
    rows: &[Row],
    members: &[usize],
    key: &[Value],
) -> (Vec<usize>, Vec<Value>) {
    let measures = query.measures().iter().map(|m| over(&m.expr, rows, members));
    (members.to_vec(), key.iter().cloned().chain(measures).collect())
}

/// The arguments of every aggregate under an expression.
fn arguments(expr: &Typed) -> Vec<&Typed> {
    let mut found = Vec::new();
    expr.visit(&mut |part| {
        if let Node::Call { function, args } = &part.node
            && function.stand == pinhole::query::functions::Stand::Aggregate
        {
            found.extend(args.iter());
        }
    });
    found
}

/// An expression with aggregates over some rows.
fn over(expr: &Typed, rows: &[Row], members: &[usize]) -> Value {
    match &expr.node {
        Node::Call { function, args } => {
            let values: Vec<Vec<Value>> = args
                .iter()
                .map(|a| members.iter().map(|&i| scalar(a, &rows[i])).collect())
                .collect();
            call(function.name, &values, members.len())
        }
        Node::Arith(op, a, b) => arith(*op, &over(a, rows, members), &over(b, rows, members)),
        Node::Literal(value) => value.clone(),
        other => panic!("not in these tests: {other:?}"),
    }
}

fn call(name: &str, args: &[Vec<Value>], rows: usize) -> Value {
    let all = args.first().cloned().unwrap_or_default();
    let values: Vec<Value> = all.iter().filter(|v| !v.is_null()).cloned().collect();
    let number = |v: &Value| match v {
        Value::Bool(b) => f64::from(u8::from(*b)),
        other => other.as_f64().unwrap(),
    };
    let numbers = || values.iter().map(number).collect::<Vec<f64>>();
    let n = values.len() as f64;
    let mean = |xs: &[f64]| xs.iter().sum::<f64>() / xs.len() as f64;
    let var = |xs: &[f64]| xs.iter().map(|x| (x - mean(xs)).powi(2)).sum::<f64>() / (n - 1.0);
    match name {
        "count" if args.is_empty() => Value::Int(rows as i64),
        "count" => Value::Int(values.len() as i64),
        "count_distinct" => {
            let distinct: BTreeSet<String> = values.iter().map(ToString::to_string).collect();
            Value::Int(distinct.len() as i64)
        }
        "first" => all.first().cloned().unwrap_or(Value::Null),
        "last" => all.last().cloned().unwrap_or(Value::Null),
        "min" => values.into_iter().min_by(Value::total_cmp).unwrap_or(Value::Null),
        "max" => values.into_iter().max_by(Value::total_cmp).unwrap_or(Value::Null),
        "argmin" | "argmax" => {
            let mut best: Option<usize> = None;
            for (i, by) in args[1].iter().enumerate().filter(|(_, by)| !by.is_null()) {
                let better = best.is_none_or(|b| {
                    let order = by.total_cmp(&args[1][b]);
                    if name == "argmax" { order.is_gt() } else { order.is_lt() }
                });
                if better {
                    best = Some(i);
                }
            }
            best.map_or(Value::Null, |i| all[i].clone())
        }
        _ if values.is_empty() => Value::Null,
        "sum" => match &values[0] {
            Value::Int(_) => Value::Int(numbers().iter().sum::<f64>() as i64),
            _ => Value::float(numbers().iter().sum()),
        },
        "mean" => Value::float(mean(&numbers())),
        "pct" => Value::float(mean(&numbers()) * 100.0),
        "var" => Value::float(var(&numbers())),
        "std" => Value::float(var(&numbers()).sqrt()),
        "median" => {
            let mut sorted = numbers();
            sorted.sort_by(f64::total_cmp);
            let middle = sorted.len() / 2;
            let lower = if sorted.len() % 2 == 0 { sorted[middle - 1] } else { sorted[middle] };
            Value::float(f64::midpoint(lower, sorted[middle]))
        }
        "correlation" => {
            let pairs: Vec<(f64, f64)> = args[0]
                .iter()
                .zip(&args[1])
                .filter(|(a, b)| !a.is_null() && !b.is_null())
                .map(|(a, b)| (number(a), number(b)))
                .collect();
            let (xs, ys): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
            let (mx, my) = (mean(&xs), mean(&ys));
            let cov: f64 = pairs.iter().map(|(x, y)| (x - mx) * (y - my)).sum();
            let spread =
                |zs: &[f64], m: f64| zs.iter().map(|z| (z - m).powi(2)).sum::<f64>().sqrt();
            Value::float(cov / (spread(&xs, mx) * spread(&ys, my)))
        }
        other => panic!("not in these tests: {other}"),
    }
}

/// An expression over one row.
fn scalar(expr: &Typed, row: &Row) -> Value {
    match &expr.node {
        Node::Literal(value) => value.clone(),
        Node::Column(name) => row[name].clone(),
        Node::Neg(x) => match scalar(x, row) {
            Value::Int(i) => Value::Int(-i),
            other => other.as_f64().map_or(Value::Null, |x| Value::float(-x)),
        },
        Node::Not(x) => match scalar(x, row) {
            Value::Bool(b) => Value::Bool(!b),
            _ => Value::Null,
        },
        Node::Arith(op, a, b) => arith(*op, &scalar(a, row), &scalar(b, row)),
        Node::Compare(op, a, b) => {
            let (a, b) = (scalar(a, row), scalar(b, row));
            if a.is_null() || b.is_null() {
                return Value::Null;
            }
            let order = a.total_cmp(&b);
            Value::Bool(match op {
                Compare::Lt => order.is_lt(),
                Compare::Le => order.is_le(),
                Compare::Gt => order.is_gt(),
                Compare::Ge => order.is_ge(),
                Compare::Eq => order.is_eq(),
                Compare::Ne => order.is_ne(),
            })
        }
        Node::In { value, list, negated } => match scalar(value, row) {
            Value::Null => Value::Null,
            value => Value::Bool(list.iter().any(|v| v.total_cmp(&value).is_eq()) != *negated),
        },
        Node::And(list) => logic(list, row, false),
        Node::Or(list) => logic(list, row, true),
        Node::Call { function, args } => {
            let args: Vec<Value> = args.iter().map(|a| scalar(a, row)).collect();
            match function.name {
                "if" if args[0] == Value::Bool(true) => args[1].clone(),
                "if" => args[2].clone(),
                "isnull" => Value::Bool(args[0].is_null()),
                "lower" => args[0].as_str().map_or(Value::Null, |s| Value::text(s.to_lowercase())),
                other => panic!("not in these tests: {other}"),
            }
        }
    }
}

/// `or` where `decides` is true, else `and`.
fn logic(list: &[Typed], row: &Row, decides: bool) -> Value {
    let values: Vec<Value> = list.iter().map(|x| scalar(x, row)).collect();
    if values.contains(&Value::Bool(decides)) {
        Value::Bool(decides)
    } else if values.contains(&Value::Null) {
        Value::Null
    } else {
        Value::Bool(!decides)
    }
}

fn arith(op: Arith, a: &Value, b: &Value) -> Value {
    if let (Value::Int(a), Value::Int(b)) = (a, b) {
        match op {
            Arith::Add => return Value::Int(a + b),
            Arith::Sub => return Value::Int(a - b),
            Arith::Mul => return Value::Int(a * b),
            _ => {}
        }
    }
    let (Some(a), Some(b)) = (a.as_f64(), b.as_f64()) else { return Value::Null };
    Value::float(match op {
        Arith::Add => a + b,
        Arith::Sub => a - b,
        Arith::Mul => a * b,
        Arith::Div => a / b,
        other => panic!("not in these tests: {other:?}"),
    })
}
