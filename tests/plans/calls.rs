//! Calls and formulas in one form: arguments that are left out are written, a function that is only
//! another name of one is called by that, and a formula that has a name is called by its name.

use pinhole::error::Span;
use pinhole::query::ast::{Arith, Compare, Expr, Node};
use pinhole::query::functions::{Default, lookup};
use pinhole::query::{format, parse};
use pinhole::schema::TableSchema;

/// Differences of prices.
const DIFFERENCES: [&str; 4] = ["gap", "change", "range", "body"];
/// The same in per cent, with a formula of the language or one that is equal to it.
const PERCENTS: [(&str, &str); 6] = [
    ("gap_pct", "(open - prev(close)) / prev(close) * 100"),
    ("gap_pct", "(open / prev(close) - 1) * 100"),
    ("change_pct", "(close - prev(close)) / prev(close) * 100"),
    ("change_pct", "(close / prev(close) - 1) * 100"),
    ("range_pct", "(high - low) / low * 100"),
    ("range_pct", "(high / low - 1) * 100"),
];
/// Parts of time that are whole numbers.
const WHOLE: [&str; 2] = ["hour", "year"];

fn make(node: Node) -> Expr {
    Expr { node, span: Span::new(0, 0) }
}

fn same(a: &Expr, b: &Expr) -> bool {
    format::expr(a) == format::expr(b)
}

/// A call with the arguments that were left out: `rsi(7)` is `rsi(close, 7)`.
pub fn call(name: &str, mut args: Vec<Expr>, schema: &TableSchema) -> Node {
    let plain =
        |name: &str, args| Node::Call { name: name.to_owned(), name_span: Span::new(0, 0), args };
    let Some(function) = lookup(name) else { return plain(name, args) };
    let number = |e: &Expr| matches!(e.node, Node::Int(_) | Node::Float(_));
    let of_closes = function.params.first().is_some_and(|p| p.default == Default::Close);
    if of_closes
        && args.first().is_none_or(number)
        && let Some(bars) = &schema.ohlcv
    {
        args.insert(0, make(Node::Column(bars.close.clone())));
    }
    for param in function.params.get(args.len()..).unwrap_or_default() {
        match param.default {
            Default::Int(n) => args.push(make(Node::Int(n))),
            Default::Float(x) => args.push(make(Node::Float(x))),
            _ => break,
        }
    }
    // the order of the two says nothing
    if function.name == "correlation" {
        args.sort_by_key(format::expr);
    }
    // `sma(x, n)` is `rolling_mean(x, n)`
    if let Some(Node::Call { name: other, args: passed, .. }) =
        function.expands.and_then(|text| parse(text).ok()).map(|e| e.node)
        && passed.len() == function.params.len()
        && passed
            .iter()
            .zip(function.params)
            .all(|(e, p)| matches!(&e.node, Node::Column(name) if name == p.name))
    {
        return plain(&other, args);
    }
    plain(function.name, args)
}

/// Arithmetic by its name where it has one; `a + b` and `b + a` are one.
pub fn arith(op: Arith, a: Expr, b: Expr, schema: &TableSchema) -> Expr {
    let made = commuted(op, a, b);
    for name in DIFFERENCES {
        let Some(text) = lookup(name).and_then(|f| f.expands) else { continue };
        if formula(text, schema, false).is_some_and(|f| same(&f, &made)) {
            return make(call(name, Vec::new(), schema));
        }
    }
    for (name, text) in PERCENTS {
        if formula(text, schema, true).is_some_and(|f| same(&f, &made)) {
            return make(call(name, Vec::new(), schema));
        }
    }
    made
}

fn commuted(op: Arith, a: Expr, b: Expr) -> Expr {
    let turned = matches!(op, Arith::Add | Arith::Mul) && format::expr(&a) > format::expr(&b);
    let (a, b) = if turned { (b, a) } else { (a, b) };
    make(Node::Arith(op, Box::new(a), Box::new(b)))
}

/// A formula of bars over the columns of this table; its differences by name where `named`.
fn formula(text: &str, schema: &TableSchema, named: bool) -> Option<Expr> {
    fn over(expr: Expr, schema: &TableSchema, named: bool) -> Option<Expr> {
        let bars = schema.ohlcv.as_ref()?;
        Some(match expr.node {
            Node::Column(name) => make(Node::Column(match name.as_str() {
                "open" => bars.open.clone(),
                "high" => bars.high.clone(),
                "low" => bars.low.clone(),
                "close" => bars.close.clone(),
                _ => return None,
            })),
            Node::Call { name, args, .. } => {
                let args = args.into_iter().map(|e| over(e, schema, named)).collect::<Option<_>>();
                make(call(&name, args?, schema))
            }
            Node::Arith(op, a, b) => {
                let made = commuted(op, over(*a, schema, named)?, over(*b, schema, named)?);
                let difference = DIFFERENCES.into_iter().filter(|_| named).find(|name| {
                    lookup(name)
                        .and_then(|f| formula(f.expands?, schema, false))
                        .is_some_and(|f| same(&f, &made))
                });
                match difference {
                    Some(name) => make(call(name, Vec::new(), schema)),
                    None => made,
                }
            }
            node => make(node),
        })
    }
    over(parse(text).ok()?, schema, named)
}

/// One comparison: a constant stands on the right, two that are none in one order, and a move of
/// the close is the sign of its change.
pub fn turned(left: Expr, op: Compare, right: Expr, schema: &TableSchema) -> (Expr, Compare, Expr) {
    let constant = |e: &Expr| {
        matches!(e.node, Node::Null | Node::Bool(_) | Node::Int(_) | Node::Float(_) | Node::Text(_))
            || matches!(&e.node, Node::Neg(inner) if matches!(inner.node, Node::Int(_) | Node::Float(_)))
    };
    let turn = match (constant(&left), constant(&right)) {
        (true, false) => true,
        (false, false) => format::expr(&left) > format::expr(&right),
        _ => false,
    };
    let (left, op, right) = if turn { (right, mirrored(op), left) } else { (left, op, right) };
    if let Some(bars) = &schema.ohlcv {
        let close = make(Node::Column(bars.close.clone()));
        let before = make(call("prev", vec![close.clone()], schema));
        for (a, op, b) in [(&left, op, &right), (&right, mirrored(op), &left)] {
            if same(a, &close) && same(b, &before) {
                return (make(call("change", Vec::new(), schema)), op, make(Node::Int(0)));
            }
        }
    }
    // a whole hour of the clock
    if let (Node::Call { name, args, .. }, Node::Text(time)) = (&left.node, &right.node)
        && name == "time"
        && matches!(op, Compare::Ge | Compare::Lt)
        && let Some(hour) = time.strip_suffix(":00").and_then(|h| h.parse::<i64>().ok())
    {
        let hours = make(call("hour", args.clone(), schema));
        return whole(hours, op, make(Node::Int(hour)));
    }
    whole(left, op, right)
}

/// `hour() < 10` is `hour() <= 9`.
fn whole(left: Expr, op: Compare, right: Expr) -> (Expr, Compare, Expr) {
    let part = matches!(&left.node, Node::Call { name, .. } if WHOLE.contains(&name.as_str()));
    match (part, op, &right.node) {
        (true, Compare::Lt, Node::Int(n)) => (left, Compare::Le, make(Node::Int(n - 1))),
        (true, Compare::Gt, Node::Int(n)) => (left, Compare::Ge, make(Node::Int(n + 1))),
        _ => (left, op, right),
    }
}

/// `x >= 9` and `x <= 9` is `x == 9`.
pub fn met(list: Vec<Expr>) -> Vec<Expr> {
    let bound = |e: &Expr, wanted: Compare| match &e.node {
        Node::Compare(left, rest) => match &rest[..] {
            [(op, right)] if *op == wanted => Some((format::expr(left), format::expr(right))),
            _ => None,
        },
        _ => None,
    };
    let sides = |wanted| list.iter().filter_map(|e| bound(e, wanted)).collect::<Vec<_>>();
    let (low, high) = (sides(Compare::Ge), sides(Compare::Le));
    let both = |e: &Expr| {
        bound(e, Compare::Ge).is_some_and(|b| high.contains(&b))
            || bound(e, Compare::Le).is_some_and(|b| low.contains(&b))
    };
    let mut kept = Vec::new();
    for expr in list.iter().cloned() {
        if !both(&expr) {
            kept.push(expr);
        } else if let Node::Compare(value, rest) = expr.node
            && let Some((Compare::Ge, right)) = rest.into_iter().next()
        {
            kept.push(make(Node::In { value, list: vec![right], negated: false }));
        }
    }
    kept
}

/// The same comparison with its sides changed.
pub fn mirrored(op: Compare) -> Compare {
    match op {
        Compare::Lt => Compare::Gt,
        Compare::Gt => Compare::Lt,
        Compare::Le => Compare::Ge,
        Compare::Ge => Compare::Le,
        same => same,
    }
}
