//! When two readings are one: their queries give the same rows, whatever they call their columns.

use crate::query::Query;
use crate::query::ast::{Expr, Node};
use crate::query::check::Domain;
use crate::query::{format, parse};

/// A text that is the same for queries that surely give the same rows.
pub(super) fn meaning(query: &Query) -> String {
    let mut query = query.clone();
    month_of_its_year(&mut query);
    // columns that are made are called by what they are made of
    for at in 0..query.map.len() {
        let Some((name, text)) = query.map.get(at).cloned() else { break };
        let plain = text.parse::<f64>().is_ok() || name == text;
        if query.steps.is_empty() && !plain {
            let new = format::name(&format!("= {text}"));
            rename(&mut query, &name, &new);
        }
    }
    query.map.sort();
    if let Some(filter) = &query.filter
        && let Ok(Expr { node: Node::And(list), .. }) = parse(filter)
    {
        let mut texts: Vec<String> =
            list.iter().map(|e| format!("({})", format::expr(e))).collect();
        texts.sort();
        texts.dedup();
        query.filter = Some(texts.join(" and "));
    }
    // groups by the same in another order are the same groups
    if query.sort.is_empty() && query.limit.is_none() && query.steps.is_empty() {
        query.group_by.sort();
    }
    query.to_json().to_string()
}

/// Calls a made column otherwise wherever it is read as a whole name.
fn rename(query: &mut Query, old: &str, new: &str) {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let renamed = |text: &str| {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(old) {
            let end = at + old.len();
            let (before, after) = (rest.get(..at), rest.get(end..));
            let (Some(before), Some(after)) = (before, after) else { break };
            let whole = !before.chars().next_back().is_some_and(is_name)
                && !out.chars().next_back().filter(|_| before.is_empty()).is_some_and(is_name)
                && !after.chars().next().is_some_and(|c| is_name(c) || c == '(');
            out.push_str(before);
            out.push_str(if whole { new } else { old });
            rest = after;
        }
        out.push_str(rest);
        out
    };
    let quoted = |text: &str| text.contains(['"', '\'', '`']);
    // a name in a quoted text is no name
    let texts = query
        .filter
        .iter()
        .chain(&query.group_by)
        .chain(&query.sort)
        .chain(query.select.iter().map(|s| &s.text));
    if texts.into_iter().any(|t| quoted(t) && t.contains(old)) {
        return;
    }
    for text in query.filter.iter_mut().chain(&mut query.group_by).chain(&mut query.sort) {
        *text = renamed(text);
    }
    for selected in &mut query.select {
        selected.text = renamed(&selected.text);
    }
    for (name, _) in &mut query.map {
        if name == old {
            new.clone_into(name);
        }
    }
}

/// March of 2022 is a period.
fn month_of_its_year(query: &mut Query) {
    let Some(year) = query.period.clone().filter(|p| p.len() == 4 && p.parse::<u16>().is_ok())
    else {
        return;
    };
    let Some(filter) = query.filter.clone() else { return };
    let Ok(Expr { node, .. }) = parse(&filter) else { return };
    let parts: Vec<String> = match &node {
        Node::And(list) => list.iter().map(format::expr).collect(),
        Node::Or(_) => return,
        _ => vec![filter],
    };
    for (number, name) in Domain::Month.values().iter().enumerate() {
        let month = format!("monthname() == \"{name}\"");
        if parts.contains(&month) {
            let rest: Vec<String> = parts.into_iter().filter(|p| *p != month).collect();
            query.filter = (!rest.is_empty()).then(|| rest.join(" and "));
            query.period = Some(format!("{year}-{:02}", number + 1));
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value as Json, json};

    #[test]
    fn equal_rows_have_one_meaning() {
        let meaning = |query: &Json| meaning(&Query::from_json(query).unwrap());
        for (a, b, same) in [
            (
                json!({"map": {"sma_50": "sma(close, 50)"}, "where": "close > sma_50"}),
                json!({"map": {"sma_50_close": "sma(close, 50)"}, "where": "close > sma_50_close"}),
                true,
            ),
            (json!({"where": "a == 1 and b == 2"}), json!({"where": "b == 2 and a == 1"}), true),
            (
                json!({"period": "2022", "where": "a > 1 and monthname() == \"Mar\""}),
                json!({"period": "2022-03", "where": "a > 1"}),
                true,
            ),
            (json!({"period": "2022"}), json!({"period": "2022-03"}), false),
            (json!({"select": "sum(a)"}), json!({"select": "mean(a)"}), false),
            (
                json!({"where": "a == 1 or b == 2 and c == 3"}),
                json!({"where": "c == 3 and a == 1 or b == 2"}),
                false,
            ),
        ] {
            assert_eq!(meaning(&a) == meaning(&b), same, "{a} {b}");
        }
    }
}
