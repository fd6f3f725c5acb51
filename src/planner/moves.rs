//! `biggest move`, `самое сильное движение` of bars: a fall may be one as well as a rise, so they are put in
//! order by their size.

use super::token::Token;
use crate::error::Locale;
use crate::query::Query;
use crate::query::format::name;
use crate::schema::TableSchema;

/// Words for a change whose direction is open, by how they begin.
const MOVES: [&str; 5] = ["move", "moving", "swing", "движени", "скач"];
const LARGEST: [&str; 11] = [
    "biggest",
    "largest",
    "strongest",
    "greatest",
    "top",
    "больш",
    "сильн",
    "крупн",
    "наибольш",
    "макс",
    "топ",
];
/// What says the direction.
const DIRECTED: [&str; 12] = [
    "up",
    "down",
    "upward",
    "downward",
    "higher",
    "lower",
    "rise",
    "fall",
    "вверх",
    "вниз",
    "рост",
    "паден",
];

/// Orders moves by their size; false where the question or the query has none.
pub(super) fn by_size(query: &mut Query, tokens: &[Token], schema: &TableSchema) -> bool {
    let says =
        |list: &[&str]| tokens.iter().any(|t| list.iter().any(|begin| t.folded.starts_with(begin)));
    if schema.ohlcv.is_none() || !says(&MOVES) || !says(&LARGEST) || says(&DIRECTED) {
        return false;
    }
    let size = size_in(tokens);
    let made =
        query.map.iter().find(|(_, text)| ["change()", "change_pct()"].contains(&text.as_str()));
    let Some(change) = made.map(|(name, _)| name.clone()) else { return false };
    let highest = matches!(&query.select[..], [one] if one.text == format!("max({change})"));
    let sorted = query.select.is_empty() && query.sort == [format!("{change} desc")];
    if !highest && !sorted
        || query.map.iter().any(|(name, _)| name == size)
        || !query.steps.is_empty()
    {
        return false;
    }
    query.map.push((size.to_owned(), format!("abs({change})")));
    let by_size = format!("{size} desc");
    if sorted {
        query.sort = vec![by_size];
    } else if query.group_by.is_empty() {
        // the bar itself: it tells which way it went
        query.select.clear();
        query.sort = vec![by_size];
        query.limit = Some(1);
    } else {
        for selected in &mut query.select {
            selected.text = format!("max({size})");
        }
        for key in &mut query.sort {
            *key = key.replace(&format!("max_{change}"), &format!("max_{size}"));
        }
    }
    true
}

/// `and the lowest?` after the highest high of bars: the lowest low.
pub(super) fn other_end(mut query: Query, before: &Query, schema: &TableSchema) -> Query {
    let Some(bars) = &schema.ohlcv else { return query };
    let [high, low] = [&bars.high, &bars.low].map(|column| name(column));
    let was = |text: &str| before.select.iter().any(|selected| selected.text == text);
    for selected in &mut query.select {
        if selected.text == format!("min({high})") && was(&format!("max({high})")) {
            selected.text = format!("min({low})");
        } else if selected.text == format!("max({low})") && was(&format!("min({low})")) {
            selected.text = format!("max({high})");
        }
    }
    query
}

/// The column of the size of a move, in the question's language.
fn size_in(tokens: &[Token]) -> &'static str {
    let russian = tokens.iter().any(|t| t.folded.chars().any(|c| ('а'..='я').contains(&c)));
    if russian { "размер" } else { "size" }
}

/// What that adds to how the question was understood.
pub(super) fn in_words(explanation: &str, language: Locale) -> String {
    match language {
        Locale::En => format!("{explanation}, by size, up or down"),
        Locale::Ru => format!("{explanation}, по размеру, вверх или вниз"),
    }
}
