//! `revenue by country` of a table that has how much was sold and the price of one, and no column of
//! what that comes to: one times the other. A price that is not said to be of one may be of all of
//! them: then it is offered.

use super::super::stem::parts;
use super::super::token::{Token, TokenKind};
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

/// What an order comes to, and the same said in a word.
const ORDER_VALUE: [&[&str]; 10] = [
    &["order", "value"],
    &["order", "size"],
    &["order", "amount"],
    &["order", "total"],
    &["basket", "value"],
    &["basket", "size"],
    &["purchase", "value"],
    &["чек"],
    &["сумма", "заказа"],
    &["стоимость", "заказа"],
];
/// One of these asks for a mean of it, and no other.
const MEAN: [&str; 5] = ["average", "mean", "avg", "typical", "median"];
const MEAN_BEGIN: [&str; 2] = ["средн", "медиан"];
/// Verbs of those who pay.
const SPENT: [&str; 9] =
    ["spent", "spend", "spends", "paid", "pays", "потратил", "потратила", "потратили", "заплатил"];
/// What follows such a verb where the one is asked for who paid most.
const MOST: [&[&str]; 6] = [
    &["the", "most"],
    &["most"],
    &["больше", "всех"],
    &["больше", "всего"],
    &["более", "всех"],
    &["больше", "остальных"],
];

/// The price in such a column is that of one.
pub(in super::super) fn is_of_one(name: &str) -> bool {
    let names = parts(name);
    names.iter().any(|part| PRICE.contains(&part.as_str()))
        && names.iter().any(|part| OF_ONE.contains(&part.as_str()))
}

fn begins(word: &str, list: &[&str]) -> bool {
    list.iter().any(|begin| word.starts_with(begin))
}

/// The question with both columns in the place of the word; nothing where it has no such word, or
/// the table not one column of each.
pub(in super::super) fn of_quantity_and_price(
    question: &str,
    tokens: &[Token],
    schema: &TableSchema,
) -> Option<String> {
    let word = |at: usize| tokens.get(at).map_or("", |t| t.folded.as_str());
    let phrase = |at: usize, list: &[&[&str]]| {
        let here =
            |words: &&&[&str]| (0..).zip(words.iter()).all(|(i, said)| word(at + i) == *said);
        list.iter().filter(here).map(|words| words.len()).max()
    };
    let named =
        tokens.iter().position(|t| t.kind == TokenKind::Word && begins(&t.folded, &REVENUE));
    let mean = |at: usize| MEAN.contains(&word(at)) || begins(word(at), &MEAN_BEGIN);
    let of_order = || {
        let place =
            (1..tokens.len()).find(|&at| mean(at - 1) && phrase(at, &ORDER_VALUE).is_some())?;
        Some((place, place + phrase(place, &ORDER_VALUE)?))
    };
    let paid = || {
        let place = (1..tokens.len()).find(|&at| SPENT.contains(&word(at)))?;
        Some((place, place + 1 + phrase(place + 1, &MOST)?))
    };
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
    if !is_of_one(&price.0.name) {
        return None;
    }
    let [quantity, price] = [quantity, price].map(|(column, _)| column.name.as_str());
    let russian = tokens.iter().any(|t| t.folded.chars().any(|c| ('а'..='я').contains(&c)));
    let (from, to, put) = if let Some(named) = named {
        let said = named.checked_sub(1).map(word);
        let said = said.is_some_and(|word| SAID.contains(&word) || begins(word, &BEGIN));
        let sum = match (said, russian) {
            (true, _) => "",
            (false, false) => "total ",
            (false, true) => "сумма ",
        };
        (named, named + 1, sum)
    } else if let Some((from, to)) = of_order() {
        (from, to, "")
    } else {
        let (from, to) = paid()?;
        (
            from,
            to,
            if russian {
                "с наибольшей суммой "
            } else {
                "has the highest total "
            },
        )
    };
    let (start, end) = (tokens.get(from)?.span.start, tokens.get(to - 1)?.span.end);
    let (before, after) = (question.get(..start)?, question.get(end..)?);
    Some(format!("{before}{put}{price} * {quantity}{after}"))
}
