//! A checked query as one short sentence for people.

use super::check::{CheckedQuery, Named, Node, Typed};
use super::functions::Stand;
use crate::error::Locale;

/// What the query does: `daily bars of bars; gap = gap(); keep rows where gap > 50; mean of gap by
/// dow; by mean_gap, largest first; first 3`.
pub fn explain(query: &CheckedQuery, locale: Locale) -> String {
    let say = |en: &'static str, ru: &'static str| match locale {
        Locale::En => en,
        Locale::Ru => ru,
    };
    if query.sql().is_some() {
        return say("runs a SQL statement", "выполняет запрос SQL").to_owned();
    }
    let table = &query.schema().name;
    let mut parts = vec![match (query.from(), locale) {
        (Some(timeframe), Locale::En) => format!("{} bars of {table}", timeframe.name()),
        (Some(_), Locale::Ru) => format!("дневные бары таблицы {table}"),
        (None, Locale::En) => format!("rows of {table}"),
        (None, Locale::Ru) => format!("строки таблицы {table}"),
    }];
    parts.extend(query.map().iter().map(|m| format!("{} = {}", m.name, m.text)));
    if let Some(filter) = query.filter() {
        parts.push(format!("{} {}", say("keep rows where", "оставить строки, где"), filter.text));
    }
    let names = |list: &[Named]| list.iter().map(|n| n.name.clone()).collect::<Vec<_>>().join(", ");
    if !query.measures().is_empty() {
        let measures: Vec<String> = query.measures().iter().map(|m| measure(m, locale)).collect();
        let mut part = measures.join(", ");
        if !query.keys().is_empty() {
            part.push_str(say(" by ", " по "));
            part.push_str(&names(query.keys()));
        }
        parts.push(part);
    }
    if !query.sort().is_empty() {
        let keys: Vec<String> = query
            .sort()
            .iter()
            .map(|key| {
                let way = match (key.descending, locale) {
                    (true, Locale::En) => ", largest first",
                    (true, Locale::Ru) => " по убыванию",
                    (false, _) => "",
                };
                format!("{}{way}", key.text)
            })
            .collect();
        parts.push(format!("{} {}", say("ordered by", "порядок:"), keys.join(", ")));
    }
    if let Some(limit) = query.limit() {
        parts.push(format!("{} {limit}", say("first", "первые")));
    }
    if let Some(columns) = query.columns() {
        parts.push(format!("{} {}", say("show", "показать"), names(columns)));
    }
    parts.join("; ")
}

/// `mean of gap` for a single aggregate of a plain column, else the text.
fn measure(measure: &Named, locale: Locale) -> String {
    let Node::Call { function, args } = &measure.expr.node else { return measure.text.clone() };
    if function.stand != Stand::Aggregate {
        return measure.text.clone();
    }
    let word = match (function.name, locale) {
        ("count", Locale::Ru) => "число",
        ("count_distinct", Locale::Ru) => "число разных",
        ("mean", Locale::Ru) => "среднее",
        ("sum", Locale::Ru) => "сумма",
        ("min", Locale::Ru) => "минимум",
        ("max", Locale::Ru) => "максимум",
        ("median", Locale::Ru) => "медиана",
        (name, _) => name,
    };
    match (args.as_slice(), locale) {
        ([], Locale::En) => "number of rows".to_owned(),
        ([], Locale::Ru) => "число строк".to_owned(),
        ([Typed { node: Node::Column(column), .. }], Locale::En) => format!("{word} of {column}"),
        ([Typed { node: Node::Column(column), .. }], Locale::Ru) => format!("{word} {column}"),
        _ => measure.text.clone(),
    }
}
