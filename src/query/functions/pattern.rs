//! Runs, crossings, pivots and ranks.

use super::{BASE, Default, Family, Function, Gives, Param, Stand, Takes, UnitRule, required};
use crate::schema::Kind;

/// The family's entries.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "streak",
        family: Family::Pattern,
        stand: Stand::Window,
        params: &[required("cond", Takes::Bool)],
        gives: Gives::Kind(Kind::Int),
        meaning: [
            "how many rows in a row cond has held; 0 when false or null",
            "сколько строк подряд условие верно; 0, если ложно или null",
        ],
        example: "streak(close > open)",
        ..BASE
    },
    Function {
        name: "bars_since",
        family: Family::Pattern,
        stand: Stand::Window,
        params: &[required("cond", Takes::Bool)],
        gives: Gives::Kind(Kind::Int),
        meaning: [
            "rows since cond last held, 0 on that row, null before the first",
            "строк с последнего раза, когда условие верно: 0 на нём самом, null до первого",
        ],
        example: "bars_since(close > open)",
        ..BASE
    },
    Function {
        name: "rank",
        family: Family::Pattern,
        stand: Stand::Window,
        params: &[required("x", Takes::Number)],
        formula: Some(
            "r / n, where r is the place of x in ascending order (the mean place of equals) among the n values",
        ),
        source: Some("As pandas `rank(pct=True)`"),
        meaning: [
            "place among all rows of the series, from above 0 to 1; ties share the mean",
            "место среди всех строк ряда, от 0 до 1; у равных среднее",
        ],
        example: "rank(close)",
        ..BASE
    },
    Function {
        name: "rising",
        family: Family::Pattern,
        stand: Stand::Window,
        params: &[required("x", Takes::Number), required("n", Takes::IntConst(1))],
        gives: Gives::Kind(Kind::Bool),
        expands: Some("x > rolling_max(prev(x), n)"),
        meaning: ["above every one of the n values before", "выше каждого из n значений до"],
        example: "rising(close, 3)",
        ..BASE
    },
    Function {
        name: "falling",
        family: Family::Pattern,
        stand: Stand::Window,
        params: &[required("x", Takes::Number), required("n", Takes::IntConst(1))],
        gives: Gives::Kind(Kind::Bool),
        expands: Some("x < rolling_min(prev(x), n)"),
        meaning: ["below every one of the n values before", "ниже каждого из n значений до"],
        example: "falling(close, 3)",
        ..BASE
    },
    Function {
        name: "crossover",
        family: Family::Pattern,
        stand: Stand::Window,
        params: &[required("a", Takes::Number), required("b", Takes::Number)],
        gives: Gives::Kind(Kind::Bool),
        expands: Some("a > b and prev(a <= b)"),
        meaning: ["a is above b and was not on the row before", "a выше b, а строкой раньше — нет"],
        example: "crossover(close, sma(close, 20))",
        ..BASE
    },
    Function {
        name: "crossunder",
        family: Family::Pattern,
        stand: Stand::Window,
        params: &[required("a", Takes::Number), required("b", Takes::Number)],
        gives: Gives::Kind(Kind::Bool),
        expands: Some("a < b and prev(a >= b)"),
        meaning: ["a is below b and was not on the row before", "a ниже b, а строкой раньше — нет"],
        example: "crossunder(close, sma(close, 20))",
        ..BASE
    },
    Function {
        name: "valuewhen",
        family: Family::Pattern,
        stand: Stand::Window,
        params: &[
            required("cond", Takes::Bool),
            required("x", Takes::Any),
            Param { name: "n", takes: Takes::IntConst(0), default: Default::Int(0) },
        ],
        gives: Gives::Same(1),
        unit: UnitRule::Same(1),
        meaning: [
            "the value of x when cond last held; n=1 the time before, and so on",
            "значение x, когда условие было верно в последний раз; n=1 — в предпоследний",
        ],
        example: "valuewhen(close > open, close)",
        ..BASE
    },
    Function {
        name: "pivothigh",
        family: Family::Pattern,
        stand: Stand::Window,
        params: &[required("l", Takes::IntConst(1)), required("r", Takes::IntConst(1))],
        unit: UnitRule::Definition,
        expands: Some(
            "if(prev(high, r) > rolling_max(prev(prev(high, r)), l) and prev(high, r) > rolling_max(high, r), prev(high, r), null)",
        ),
        source: Some(
            "As on TradingView, strictly above; it stands on the row that confirms it, so nothing looks ahead",
        ),
        meaning: [
            "the high r rows ago where it is above its l neighbours before and r after, else null",
            "максимум r строк назад, если он выше l соседей до и r после, иначе null",
        ],
        example: "pivothigh(3, 3)",
        ..BASE
    },
    Function {
        name: "pivotlow",
        family: Family::Pattern,
        stand: Stand::Window,
        params: &[required("l", Takes::IntConst(1)), required("r", Takes::IntConst(1))],
        unit: UnitRule::Definition,
        expands: Some(
            "if(prev(low, r) < rolling_min(prev(prev(low, r)), l) and prev(low, r) < rolling_min(low, r), prev(low, r), null)",
        ),
        source: Some(
            "As on TradingView, strictly below; it stands on the row that confirms it, so nothing looks ahead",
        ),
        meaning: [
            "the low r rows ago where it is below its l neighbours before and r after, else null",
            "минимум r строк назад, если он ниже l соседей до и r после, иначе null",
        ],
        example: "pivotlow(3, 3)",
        ..BASE
    },
];
