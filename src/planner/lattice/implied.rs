//! What the rows of a table are called that declares no names for them: a file of sums with dates is
//! one of orders, whatever it is named.

use super::super::dictionary::{Nature, head_nature, nature, same_noun};
use super::super::stem::{parts, stem};
use super::is_id;
use crate::schema::{Column, TableSchema};

/// How well such a name fits.
pub(in super::super) const IMPLIED: f64 = 0.95;

/// Nouns for the rows of a table of sums. `sales` is none: of most tables it asks for the sum.
const NOUNS: [&str; 4] = ["order", "purchase", "transaction", "receipt"];

/// Nouns for the rows of `schema` beside its own names.
pub(super) fn names(schema: &TableSchema) -> Vec<&'static str> {
    if !schema.synonyms.is_empty() || schema.time.is_none() || !has_sums(schema) {
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
    // where orders have numbers, a row is one of their lines
    let numbered = |noun: &str| {
        let named = |c: &&Column| parts(&c.name).iter().any(|p| same_noun(&stem(p), &stem(noun)));
        let plain = |c: &&Column| is_id(&c.name) || !(c.kind.is_numeric() || c.kind.is_time());
        schema.columns.iter().filter(named).any(|c| plain(&c))
    };
    NOUNS.into_iter().filter(|noun| !numbered(noun)).collect()
}

/// There is a column of money that adds up, or a price beside a quantity.
fn has_sums(schema: &TableSchema) -> bool {
    let numbers = || schema.columns.iter().filter(|c| c.kind.is_numeric());
    let money = |c: &Column| head_nature(&c.name, |p| nature(&stem(p))) == Some(Nature::Money);
    let called = |c: &Column, noun: &str| {
        parts(&c.name).iter().any(|part| same_noun(&stem(part), &stem(noun)))
    };
    schema.ohlcv.is_none()
        && (numbers().any(money)
            || numbers().any(|c| called(c, "price")) && numbers().any(|c| called(c, "quantity")))
}
