//! Many rows to one value.

use super::{BASE, Default, Family, Function, Gives, Param, Stand, Takes, UnitRule, required};
use crate::schema::Kind;

const NUMBER: Param = Param { name: "x", takes: Takes::Number, default: Default::Required };
const ANY: Param = Param { name: "x", takes: Takes::Any, default: Default::Required };

/// The family's entries.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "count",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[Param { name: "x", takes: Takes::Any, default: Default::Absent }],
        lists: true,
        gives: Gives::Kind(Kind::Int),
        meaning: [
            "number of rows, or of values of x that are not null",
            "число строк или непустых значений x",
        ],
        example: "count()",
        ..BASE
    },
    Function {
        name: "count_distinct",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[ANY],
        gives: Gives::Kind(Kind::Int),
        meaning: ["number of different values", "число разных значений"],
        example: "count_distinct(name)",
        ..BASE
    },
    Function {
        name: "mean",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[NUMBER],
        gives: Gives::Kind(Kind::Float),
        unit: UnitRule::Same(0),
        meaning: ["arithmetic mean", "среднее арифметическое"],
        example: "mean(close)",
        ..BASE
    },
    Function {
        name: "sum",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[NUMBER],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: ["sum", "сумма"],
        example: "sum(close)",
        ..BASE
    },
    Function {
        name: "min",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[ANY],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: ["smallest value", "наименьшее значение"],
        example: "min(close)",
        ..BASE
    },
    Function {
        name: "max",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[ANY],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: ["largest value", "наибольшее значение"],
        example: "max(close)",
        ..BASE
    },
    Function {
        name: "std",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[NUMBER],
        gives: Gives::Kind(Kind::Float),
        unit: UnitRule::Same(0),
        meaning: ["sample standard deviation", "выборочное стандартное отклонение"],
        example: "std(close)",
        ..BASE
    },
    Function {
        name: "var",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[NUMBER],
        gives: Gives::Kind(Kind::Float),
        meaning: ["sample variance", "выборочная дисперсия"],
        example: "var(close)",
        ..BASE
    },
    Function {
        name: "median",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[NUMBER],
        gives: Gives::Kind(Kind::Float),
        unit: UnitRule::Same(0),
        meaning: ["median", "медиана"],
        example: "median(close)",
        ..BASE
    },
    Function {
        name: "first",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[ANY],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "value of the first row, null included",
            "значение первой строки, в том числе null",
        ],
        example: "first(close)",
        ..BASE
    },
    Function {
        name: "last",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[ANY],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "value of the last row, null included",
            "значение последней строки, в том числе null",
        ],
        example: "last(close)",
        ..BASE
    },
    Function {
        name: "pct",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[Param { name: "cond", takes: Takes::Bool, default: Default::Required }],
        gives: Gives::Kind(Kind::Float),
        unit: UnitRule::Percent,
        meaning: ["share of true in per cent, 0 to 100", "доля истинных в процентах, 0–100"],
        example: "pct(close > open)",
        ..BASE
    },
    Function {
        name: "correlation",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[
            Param { name: "a", takes: Takes::Number, default: Default::Required },
            Param { name: "b", takes: Takes::Number, default: Default::Required },
        ],
        gives: Gives::Kind(Kind::Float),
        meaning: ["Pearson correlation", "корреляция Пирсона"],
        example: "correlation(open, close)",
        ..BASE
    },
    Function {
        name: "percentile",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[NUMBER, required("p", Takes::Fraction)],
        unit: UnitRule::Same(0),
        formula: Some("linear interpolation at place p * (n - 1) of the sorted values"),
        source: Some("As numpy and pandas `quantile`, SQL `percentile_cont`"),
        meaning: [
            "value below which the share p lies, p from 0 to 1",
            "значение, ниже которого лежит доля p, p от 0 до 1",
        ],
        example: "percentile(close, 0.95)",
        ..BASE
    },
    Function {
        name: "argmin",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[required("x", Takes::Any), required("y", Takes::Any)],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "the x of the row with the smallest y, the first of equals",
            "x строки с наименьшим y, первой из равных",
        ],
        example: "argmin(close, volume)",
        ..BASE
    },
    Function {
        name: "argmax",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[required("x", Takes::Any), required("y", Takes::Any)],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "the x of the row with the largest y, the first of equals",
            "x строки с наибольшим y, первой из равных",
        ],
        example: "argmax(close, volume)",
        ..BASE
    },
    Function {
        name: "wavg",
        family: Family::Aggregate,
        stand: Stand::Aggregate,
        params: &[NUMBER, required("w", Takes::Number)],
        unit: UnitRule::Same(0),
        expands: Some("sum(x / 1 * w) / sum(if(isnull(x), null, w / 1))"),
        source: Some("Rows without x or w are left out; null where the weights sum to 0"),
        meaning: ["mean of x weighted by w", "среднее x с весами w"],
        example: "wavg(close, volume)",
        ..BASE
    },
];
