//! What the rows of a table are called that declares no names for them: a file of sums with dates is
//! one of orders, whatever it is named.

use super::super::dictionary::{Nature, head_nature, nature, same_noun};
use super::super::grammar::a_row_a_day;
use super::super::stem::{parts, stem};
use crate::schema::{Column, TableSchema};

/// How well such a name fits.
pub(in super::super) const IMPLIED: f64 = 0.95;

/// Nouns for the rows of a table of sums. `sales` is none: of most tables it asks for the sum.
const NOUNS: [&str; 4] = ["order", "purchase", "transaction", "receipt"];

/// Nouns of what has a number of its own and lines.
const NUMBERED: [&str; 11] = [
    "order",
    "purchase",
    "transaction",
    "receipt",
    "invoice",
    "bill",
    "check",
    "booking",
    "документ",
    "накладная",
    "счет",
];

/// Nouns for the rows of `schema` beside its own names.
pub(super) fn names(schema: &TableSchema) -> Vec<&'static str> {
    let dated = schema.columns.iter().any(|column| column.kind.is_time());
    if !schema.synonyms.is_empty() || !dated || !has_sums(schema) {
        return Vec::new();
    }
    // flights are flights, and their bookings are of another table; expenses are transactions, and
    // orders have receipts
    let alike = |part: &String| NOUNS.iter().any(|noun| same_noun(&stem(part), &stem(noun)));
    let other =
        |part: &String| nature(&stem(part)).is_some_and(|n| n != Nature::Money) && !alike(part);
    if parts(&schema.name).iter().any(other) {
        return Vec::new();
    }
    // a row of each day is no order
    if a_row_a_day(schema) {
        return Vec::new();
    }
    // where orders have numbers, a row is one of their lines; where they are counted, one of many
    let named = |c: &&Column| {
        let alike = |a: &str, b: &str| a == b || same_noun(a, b);
        let noun = |p: &String| NUMBERED.iter().any(|noun| alike(&stem(p), &stem(noun)));
        parts(&c.name).iter().any(noun)
    };
    let told = |c: &Column| c.kind.is_time() || c.kind.is_numeric() && is_sum(c);
    if schema.columns.iter().filter(named).all(told) { NOUNS.to_vec() } else { Vec::new() }
}

/// A column of money that adds up.
fn is_sum(column: &Column) -> bool {
    head_nature(&column.name, |p| nature(&stem(p))) == Some(Nature::Money)
}

/// A word is for money that a column of the table adds up to.
pub(super) fn is_money(schema: &TableSchema, said: &str) -> bool {
    nature(said) == Some(Nature::Money)
        && schema.columns.iter().any(|column| column.kind.is_numeric() && is_sum(column))
}

/// There is a column of money that adds up, or a price beside a quantity.
fn has_sums(schema: &TableSchema) -> bool {
    let numbers = || schema.columns.iter().filter(|c| c.kind.is_numeric());
    let called = |c: &Column, noun: &str| {
        parts(&c.name).iter().any(|part| same_noun(&stem(part), &stem(noun)))
    };
    schema.ohlcv.is_none()
        && (numbers().any(is_sum)
            || numbers().any(|c| called(c, "price")) && numbers().any(|c| called(c, "quantity")))
}
