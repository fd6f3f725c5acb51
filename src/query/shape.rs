//! What a field of the wrong shape was meant to be: `{"sort": {"x": "desc"}}`, `{"where": [...]}`.

use super::{format, lexer};
use serde_json::{Map, Value, json};

/// What the field would be written as, where that is plain; as JSON where it is no text.
pub(super) fn meant(field: &str, value: &Value) -> Option<String> {
    match (field, value) {
        ("session" | "from" | "table" | "where" | "period", Value::Array(list)) => {
            let texts: Vec<&str> = list.iter().map(Value::as_str).collect::<Option<_>>()?;
            match (field, texts.as_slice()) {
                (_, [one]) => Some((*one).to_owned()),
                ("where", many) => Some(all_of(many)),
                ("period", [from, to]) => Some(format!("{from}:{to}")),
                _ => None,
            }
        }
        ("period", Value::Object(ends)) => {
            let end = |names: [&str; 3]| names.iter().find_map(|name| ends.get(*name)?.as_str());
            let (from, to) = (end(["from", "start", "after"]), end(["to", "end", "before"]));
            let known = usize::from(from.is_some()) + usize::from(to.is_some());
            (known > 0 && known == ends.len())
                .then(|| format!("{}:{}", from.unwrap_or_default(), to.unwrap_or_default()))
        }
        ("period", Value::Number(year)) => Some(json!(year.as_u64()?.to_string()).to_string()),
        ("where", Value::Object(object)) => condition(object),
        ("sort", Value::Object(object)) => {
            let keys: Vec<String> = object
                .iter()
                .map(|(name, way)| {
                    let way = way.as_str()?.to_lowercase();
                    let way = match way.as_str() {
                        "asc" | "ascending" => "",
                        "desc" | "descending" => " desc",
                        _ => return None,
                    };
                    Some(format!("{}{way}", format::name(name)))
                })
                .collect::<Option<_>>()?;
            Some(match keys.as_slice() {
                [one] => one.clone(),
                many => json!(many).to_string(),
            })
        }
        ("map", Value::String(text)) => {
            let (name, expression) = text.split_once('=')?;
            let (name, expression) = (name.trim(), expression.trim());
            let plain = lexer::is_plain_name(name) && !expression.starts_with('=');
            plain.then(|| json!({ name: expression }).to_string())
        }
        ("map" | "select", Value::Number(number)) => Some(json!(number.to_string()).to_string()),
        ("limit", Value::String(text)) => whole(text.trim().parse().ok()?),
        ("limit", Value::Number(number)) => whole(number.as_f64()?),
        ("lookback", Value::String(text)) => {
            let text = text.trim().to_lowercase();
            ["true", "false"].contains(&text.as_str()).then_some(text)
        }
        _ => None,
    }
}

/// A whole number from 1, written as one.
fn whole(number: f64) -> Option<String> {
    let fits = number >= 1.0 && number.fract() == 0.0 && number < 1e15;
    fits.then(|| (number as u64).to_string())
}

/// The conditions joined.
fn all_of(conditions: &[&str]) -> String {
    let part = |text: &&str| match super::parser::parse(text).map(|expr| expr.node) {
        Ok(super::ast::Node::Or(_)) => format!("({text})"),
        _ => (*text).to_owned(),
    };
    conditions.iter().map(part).collect::<Vec<_>>().join(" and ")
}

/// `{"carrier": "AA", "late": true}`, `{"column": "delay", "op": ">", "value": 5}`.
fn condition(object: &Map<String, Value>) -> Option<String> {
    let text = |names: [&str; 3]| names.iter().find_map(|name| object.get(*name)?.as_str());
    let column = text(["column", "field", "col"]);
    if let (Some(column), Some(op), Some(value)) =
        (column, text(["op", "operator", "cmp"]), object.get("value"))
    {
        let op = if op == "=" { "==" } else { op };
        let known = ["==", "!=", "<", "<=", ">", ">="].contains(&op);
        return known
            .then(|| Some(format!("{} {op} {}", format::name(column), constant(value)?)))?;
    }
    let parts: Vec<String> = object
        .iter()
        .map(|(name, value)| Some(format!("{} == {}", format::name(name), constant(value)?)))
        .collect::<Option<_>>()?;
    Some(parts.join(" and "))
}

fn constant(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(format::string(text)),
        Value::Number(_) | Value::Bool(_) => Some(value.to_string()),
        _ => None,
    }
}
