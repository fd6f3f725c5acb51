//! What is to be computed of a column that holds text: `average price`, where a cell of it is no
//! number.

use super::lattice::{BY_DICTIONARY, Lattice, Tag};
use super::token::Token;
use super::words::{Agg, Concept};
use super::{Plan, Status, language};
use crate::error::Text;
use crate::query::Query;
use crate::schema::{Kind, TableSchema};

/// A word that is said of a number alone: `how much`, `в среднем` and `overall` are not.
fn is_plain(word: &str) -> bool {
    const PLAIN: [&str; 8] = ["average", "avg", "mean", "median", "total", "sum", "медиан", "сумм"];
    PLAIN.iter().any(|begin| word.starts_with(begin))
        || (word.starts_with("средн") && word != "среднем")
}

/// The text column that directly follows a word for an aggregate of numbers, where those words name no
/// column of numbers.
fn text_measured<'a>(tokens: &[Token], schema: &'a TableSchema) -> Option<&'a str> {
    let lattice = Lattice::new(schema, tokens);
    let plain = |end: usize| {
        end.checked_sub(1).and_then(|at| tokens.get(at)).is_some_and(|t| is_plain(&t.folded))
    };
    let numbers = |agg: Agg| matches!(agg, Agg::Mean | Agg::Sum | Agg::Median | Agg::Std);
    let after = (0..tokens.len()).flat_map(|at| {
        let found = lattice.concepts(at).filter_map(|(concept, end)| match concept {
            Concept::Agg(agg) if numbers(agg) && plain(end) => Some(end),
            _ => None,
        });
        found.collect::<Vec<_>>()
    });
    let mut named = after.filter_map(|end| {
        let place = lattice.glue(end);
        let columns = || {
            lattice.at(place).iter().filter(|m| m.quality >= BY_DICTIONARY).filter_map(|m| match m
                .tag
            {
                Tag::Column(column) => schema.columns.get(column),
                _ => None,
            })
        };
        let counted = columns().any(|c| c.kind != Kind::Text);
        let rows = lattice.at(place).iter().any(|m| m.tag == Tag::Table);
        columns().find(|c| c.kind == Kind::Text).filter(|_| !counted && !rows)
    });
    named.next().map(|column| column.name.as_str())
}

/// The text column that is itself called by a word for an aggregate (`total by city`), where that word
/// stands for no aggregate of a measure or of rows beside it.
fn called_aggregate<'a>(tokens: &[Token], schema: &'a TableSchema) -> Option<&'a str> {
    const IN: [&str; 4] = ["in", "в", "во", "на"];
    let lattice = Lattice::new(schema, tokens);
    let word = |at: usize| tokens.get(at).map(|t| t.folded.as_str()).unwrap_or_default();
    // `total quantity`, `total orders`, `total number of orders`
    let counted = |at: usize| {
        lattice.at(at).iter().any(|m| match m.tag {
            Tag::Column(column) => schema.columns.get(column).is_some_and(|c| c.kind.is_numeric()),
            Tag::Table | Tag::Concept(Concept::Rows | Concept::Count | Concept::Times) => true,
            _ => false,
        }) || lattice.begins_measure(at)
    };
    let named = |(at, m): (usize, &super::lattice::Match)| {
        let Tag::Column(column) = m.tag else { return None };
        let column = schema.columns.get(column)?;
        let plain = (at..m.end).any(|i| is_plain(word(i)));
        let within = at.checked_sub(1).is_some_and(|i| IN.contains(&word(i)));
        let own = column.kind == Kind::Text && m.quality >= BY_DICTIONARY && plain;
        let of_other =
            lattice.ends_measure(at) || within || counted(m.end) || counted(lattice.glue(m.end));
        (own && !of_other).then_some(column.name.as_str())
    };
    let all = lattice.matches.iter().enumerate();
    all.flat_map(|(at, list)| list.iter().map(move |m| (at, m))).find_map(named)
}

/// `which customers never returned anything` is of those with no such row, not of the other rows.
pub(super) fn of_none(tokens: &[Token], query: Option<&Query>) -> bool {
    const WHICH: [&str; 8] = ["which", "what", "who", "какие", "какой", "какая", "кто", "кому"];
    let first = tokens.first().map_or("", |t| t.folded.as_str());
    let never = tokens.iter().any(|t| ["never", "никогда"].contains(&t.folded.as_str()));
    let rows = query.is_some_and(|q| q.select.is_empty() && q.group_by.is_empty());
    never && rows && WHICH.contains(&first)
}

/// `how many months are in the data`: months of two years are not the same.
fn of_each_year(query: &Query, schema: &TableSchema) -> Option<(Query, Text)> {
    const PARTS: [(&str, &str, &str); 4] = [
        ("month", "months", "месяцев"),
        ("monthname", "months", "месяцев"),
        ("quarter", "quarters", "кварталов"),
        ("week", "weeks", "недель"),
    ];
    let plain = query.group_by.is_empty()
        && query.steps.is_empty()
        && query.sort.is_empty()
        && query.limit.is_none()
        && query.period.is_none();
    let [selected] = &query.select[..] else { return None };
    let of = selected.text.strip_prefix("count_distinct(")?.strip_suffix(')')?;
    let made = query.map.iter().find(|(name, _)| name == of);
    let (name, part) = made.map_or(("part", of), |(name, made)| (name.as_str(), made.as_str()));
    let (function, argument) = part.strip_suffix(')')?.split_once('(')?;
    let (_, en, ru) = PARTS.iter().find(|(known, ..)| *known == function)?;
    let (first, last) = schema.dates()?;
    let several = last - first > 360;
    if !(plain && several && schema.column("year").is_none()) {
        return None;
    }
    let mut map: Vec<(String, String)> =
        query.map.iter().filter(|(n, _)| n != name).cloned().collect();
    map.push(("year".to_owned(), format!("year({argument})")));
    map.push((name.to_owned(), part.to_owned()));
    let step = Query { select: vec!["count()".into()], ..Query::default() };
    let query = Query {
        map,
        group_by: vec!["year".to_owned(), name.to_owned()],
        select: vec!["count()".into()],
        steps: vec![step],
        ..query.clone()
    };
    let said =
        text!("number of {en}, those of each year apart", "число {ru}, в каждом году отдельно");
    Some((query, said))
}

/// Tells a person whose question is of such a column what is the matter, instead of what else there
/// is to compute.
pub(super) fn tell(plan: &mut Plan, tokens: &[Token], schema: &TableSchema) {
    if let Some((query, said)) = plan.query.as_ref().and_then(|query| of_each_year(query, schema)) {
        said.get(plan.language).clone_into(&mut plan.explanation);
        plan.query = Some(query);
    }
    if schema.columns.iter().all(|c| c.kind != Kind::Text) {
        return;
    }
    let read = |query: &Query, name: &str| query.to_json().to_string().contains(name);
    let called = called_aggregate(tokens, schema);
    let name = if let Some(query) = &plan.query {
        // it was taken for the aggregate of another column
        let Some(name) = called.filter(|name| !read(query, name)) else { return };
        plan.query = None;
        plan.explanation.clear();
        plan.notes.clear();
        name
    } else {
        let Some(name) = text_measured(tokens, schema).or(called) else { return };
        name
    };
    let told = language::is_text(plan.language, name);
    if plan.readings.iter().any(|r| read(&r.query, name)) {
        let rest = plan.message.take().unwrap_or_default();
        plan.message = Some(format!("{told} {rest}"));
    } else {
        plan.status = Status::Declined;
        plan.confidence = 0.0;
        plan.readings.clear();
        plan.message = Some(told);
    }
}
