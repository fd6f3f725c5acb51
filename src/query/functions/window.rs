//! Trailing windows over rows of one series.

use super::{Default, Family, Function, Gives, Param, Stand, Takes, UnitRule};
use crate::schema::Kind;

/// The family's entries.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "rolling_mean",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            Param { name: "x", takes: Takes::Number, default: Default::Required },
            Param { name: "n", takes: Takes::IntConst(1), default: Default::Required },
        ],
        variadic: false,
        gives: Gives::Kind(Kind::Float),
        unit: UnitRule::Same(0),
        domain: None,
        expands: None,
        meaning: [
            "mean of the last n rows, this one included; null unless all n are there",
            "среднее за последние n строк, включая эту; null, пока нет всех n",
        ],
        example: "rolling_mean(close, 20)",
    },
    Function {
        name: "rolling_sum",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            Param { name: "x", takes: Takes::Number, default: Default::Required },
            Param { name: "n", takes: Takes::IntConst(1), default: Default::Required },
        ],
        variadic: false,
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        domain: None,
        expands: None,
        meaning: [
            "sum of the last n rows, this one included; null unless all n are there",
            "сумма за последние n строк, включая эту; null, пока нет всех n",
        ],
        example: "rolling_sum(close, 20)",
    },
    Function {
        name: "rolling_min",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            Param { name: "x", takes: Takes::Number, default: Default::Required },
            Param { name: "n", takes: Takes::IntConst(1), default: Default::Required },
        ],
        variadic: false,
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        domain: None,
        expands: None,
        meaning: [
            "smallest of the last n rows, this one included; null unless all n are there",
            "наименьшее за последние n строк, включая эту; null, пока нет всех n",
        ],
        example: "rolling_min(close, 20)",
    },
    Function {
        name: "rolling_max",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            Param { name: "x", takes: Takes::Number, default: Default::Required },
            Param { name: "n", takes: Takes::IntConst(1), default: Default::Required },
        ],
        variadic: false,
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        domain: None,
        expands: None,
        meaning: [
            "largest of the last n rows, this one included; null unless all n are there",
            "наибольшее за последние n строк, включая эту; null, пока нет всех n",
        ],
        example: "rolling_max(close, 20)",
    },
];
