//! Numbers, conditions, nulls.

use super::{BASE, Default, Family, Function, Gives, Param, Stand, Takes, UnitRule};
use crate::schema::Kind;

const NUMBER: Param = Param { name: "x", takes: Takes::Number, default: Default::Required };
const ANY: Param = Param { name: "x", takes: Takes::Any, default: Default::Required };

/// The family's entries.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "abs",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[NUMBER],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: ["absolute value", "модуль"],
        example: "abs(change())",
        ..BASE
    },
    Function {
        name: "sqrt",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[NUMBER],
        gives: Gives::Kind(Kind::Float),
        meaning: ["square root, null below zero", "квадратный корень, null для отрицательных"],
        example: "sqrt(volume)",
        ..BASE
    },
    Function {
        name: "log",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[NUMBER],
        gives: Gives::Kind(Kind::Float),
        meaning: [
            "natural logarithm, null at zero and below",
            "натуральный логарифм, null при x <= 0",
        ],
        example: "log(close / prev(close))",
        ..BASE
    },
    Function {
        name: "log10",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[NUMBER],
        gives: Gives::Kind(Kind::Float),
        meaning: [
            "decimal logarithm, null at zero and below",
            "десятичный логарифм, null при x <= 0",
        ],
        example: "log10(volume)",
        ..BASE
    },
    Function {
        name: "exp",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[NUMBER],
        gives: Gives::Kind(Kind::Float),
        meaning: ["e to the power x", "e в степени x"],
        example: "exp(rate)",
        ..BASE
    },
    Function {
        name: "sign",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[NUMBER],
        gives: Gives::Same(0),
        meaning: ["-1, 0 or 1", "-1, 0 или 1"],
        example: "sign(change())",
        ..BASE
    },
    Function {
        name: "floor",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[NUMBER],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: ["largest whole number not above x", "целое вниз"],
        example: "floor(price)",
        ..BASE
    },
    Function {
        name: "ceil",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[NUMBER],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: ["smallest whole number not below x", "целое вверх"],
        example: "ceil(price)",
        ..BASE
    },
    Function {
        name: "round",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[
            NUMBER,
            Param { name: "n", takes: Takes::IntRange(-15, 15), default: Default::Int(0) },
        ],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        formula: Some("x * 10 ** n to the nearest whole number, halves away from zero, / 10 ** n"),
        source: Some(
            "Decimals are exact. A double is the binary number nearest to what was written, and its product is rounded to a double first: `round(1.005, 2)` is 1.0, `round(1.115, 2)` is 1.12, as DuckDB has it for doubles. pandas and numpy take the same product and the even one of two halves: `round(2.5)` is 2 there and 3 here",
        ),
        meaning: [
            "rounded to n decimals, halves away from zero",
            "округление до n знаков, половина от нуля",
        ],
        example: "round(close, 1)",
        ..BASE
    },
    Function {
        name: "min_of",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[
            Param { name: "a", takes: Takes::Any, default: Default::Required },
            Param { name: "b", takes: Takes::Any, default: Default::Required },
        ],
        variadic: true,
        gives: Gives::Common(0),
        unit: UnitRule::Common(0),
        meaning: [
            "the smallest argument, nulls ignored",
            "наименьший из аргументов без учёта null",
        ],
        example: "min_of(open, close)",
        ..BASE
    },
    Function {
        name: "max_of",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[
            Param { name: "a", takes: Takes::Any, default: Default::Required },
            Param { name: "b", takes: Takes::Any, default: Default::Required },
        ],
        variadic: true,
        gives: Gives::Common(0),
        unit: UnitRule::Common(0),
        meaning: ["the largest argument, nulls ignored", "наибольший из аргументов без учёта null"],
        example: "max_of(open, close)",
        ..BASE
    },
    Function {
        name: "if",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[
            Param { name: "cond", takes: Takes::Bool, default: Default::Required },
            Param { name: "a", takes: Takes::Any, default: Default::Required },
            Param { name: "b", takes: Takes::Any, default: Default::Required },
        ],
        gives: Gives::Common(1),
        unit: UnitRule::Common(1),
        meaning: ["a where cond is true, else b", "a, где cond истинно, иначе b"],
        example: "if(close > open, \"up\", \"down\")",
        ..BASE
    },
    Function {
        name: "coalesce",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[
            Param { name: "a", takes: Takes::Any, default: Default::Required },
            Param { name: "b", takes: Takes::Any, default: Default::Required },
        ],
        variadic: true,
        gives: Gives::Common(0),
        unit: UnitRule::Common(0),
        meaning: ["the first argument that is not null", "первый аргумент, не равный null"],
        example: "coalesce(price, 0)",
        ..BASE
    },
    Function {
        name: "isnull",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[ANY],
        lists: true,
        gives: Gives::Kind(Kind::Bool),
        meaning: ["true where x is missing", "истина, где x отсутствует"],
        example: "isnull(price)",
        ..BASE
    },
];
