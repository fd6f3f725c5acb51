//! From the first row of a series to this one.

use super::{BASE, Family, Function, Gives, Stand, Takes, UnitRule, required};
use crate::schema::Kind;

/// The family's entries.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "cummax",
        family: Family::Cumulative,
        stand: Stand::Window,
        params: &[required("x", Takes::Number)],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        formula: Some("the largest of the rows up to this one; null where x is"),
        meaning: ["largest value so far", "наибольшее значение с начала"],
        example: "cummax(high)",
        ..BASE
    },
    Function {
        name: "cummin",
        family: Family::Cumulative,
        stand: Stand::Window,
        params: &[required("x", Takes::Number)],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        formula: Some("the smallest of the rows up to this one; null where x is"),
        meaning: ["smallest value so far", "наименьшее значение с начала"],
        example: "cummin(low)",
        ..BASE
    },
    Function {
        name: "cumsum",
        family: Family::Cumulative,
        stand: Stand::Window,
        params: &[required("x", Takes::Number)],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        formula: Some("the sum of the rows up to this one; null where x is"),
        meaning: ["sum so far", "сумма с начала"],
        example: "cumsum(volume)",
        ..BASE
    },
    Function {
        name: "cumcount",
        family: Family::Cumulative,
        stand: Stand::Window,
        gives: Gives::Kind(Kind::Int),
        meaning: ["number of the row, from 1", "номер строки, с 1"],
        example: "cumcount()",
        ..BASE
    },
];
