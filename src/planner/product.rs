//! `revenue by country` of a table that has how much was sold and the price of one, and no column of
//! what that comes to: one times the other. A price that is not said to be of one may be of all of
//! them: then it is offered.

use super::stem::parts;
use super::token::{Token, TokenKind};
use crate::schema::TableSchema;

const REVENUE: [&str; 4] = ["revenue", "turnover", "выручк", "оборот"];
const QUANTITY: [&str; 7] =
    ["quantity", "quantities", "qty", "units", "количество", "кол", "колво"];
const PRICE: [&str; 3] = ["price", "prices", "цена"];
/// Beside one of these it is said already, or the price is not what was paid.
const OTHER: [&str; 9] =
    ["sales", "amount", "total", "sum", "сумм", "итог", "стоимост", "discount", "скидк"];
/// The price is that of one.
const OF_ONE: [&str; 8] = ["unit", "each", "per", "item", "за", "штуку", "шт", "единицы"];

/// Words that say what becomes of the values, or that an order is by them, and how such begin.
const SAID: [&str; 18] = [
    "total",
    "sum",
    "average",
    "avg",
    "mean",
    "median",
    "max",
    "min",
    "maximum",
    "minimum",
    "highest",
    "lowest",
    "largest",
    "smallest",
    "biggest",
    "by",
    "по",
    "самая",
];
const BEGIN: [&str; 8] =
    ["сумм", "общ", "средн", "медиан", "максимал", "минимал", "наибольш", "наименьш"];

/// The question with both columns in the place of the word; nothing where it has no such word, or
/// the table not one column of each.
pub(super) fn of_quantity_and_price(
    question: &str,
    tokens: &[Token],
    schema: &TableSchema,
) -> Option<String> {
    let begins = |word: &str, list: &[&str]| list.iter().any(|begin| word.starts_with(begin));
    let named =
        tokens.iter().position(|t| t.kind == TokenKind::Word && begins(&t.folded, &REVENUE))?;
    let names: Vec<Vec<String>> = schema.columns.iter().map(|c| parts(&c.name)).collect();
    if names.iter().flatten().any(|part| begins(part, &REVENUE) || begins(part, &OTHER)) {
        return None;
    }
    let only = |list: &[&str]| {
        let mut found = schema.columns.iter().zip(&names).filter(|(column, names)| {
            column.kind.is_numeric() && names.iter().any(|part| list.contains(&part.as_str()))
        });
        let only = found.next()?;
        found.next().is_none().then_some(only)
    };
    let (quantity, price) = (only(&QUANTITY)?, only(&PRICE)?);
    if !price.1.iter().any(|part| OF_ONE.contains(&part.as_str())) {
        return None;
    }
    let [quantity, price] = [quantity, price].map(|(column, _)| column.name.as_str());
    let word = tokens.get(named)?;
    let said = named.checked_sub(1).and_then(|before| tokens.get(before));
    let said = said.is_some_and(|t| SAID.contains(&t.folded.as_str()) || begins(&t.folded, &BEGIN));
    let russian = word.folded.chars().any(|c| ('а'..='я').contains(&c));
    let sum = match (said, russian) {
        (true, _) => "",
        (false, false) => "total ",
        (false, true) => "сумма ",
    };
    let (before, after) = (question.get(..word.span.start)?, question.get(word.span.end..)?);
    Some(format!("{before}{sum}{price} * {quantity}{after}"))
}
