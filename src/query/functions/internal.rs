//! What definitions use besides the functions of the table: steps that the language cannot say,
//! and parts that several definitions share. No query can call them.

use super::{BASE, Default, Family, Function, Gives, Param, Stand, Takes, UnitRule, required};
use crate::schema::Kind;

/// The entries; their meaning is a formula, the same in every language.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "weighted_mean",
        family: Family::Window,
        stand: Stand::Window,
        params: &[required("x", Takes::Number), required("n", Takes::IntConst(1))],
        unit: UnitRule::Same(0),
        meaning: [
            "sum(i * x_i) / (n * (n + 1) / 2) over the last n rows, i = 1 … n",
            "sum(i * x_i) / (n * (n + 1) / 2) over the last n rows, i = 1 … n",
        ],
        example: "weighted_mean",
        ..BASE
    },
    Function {
        name: "exponential_mean",
        family: Family::Window,
        stand: Stand::Window,
        params: &[required("x", Takes::Number), required("n", Takes::IntConst(1))],
        unit: UnitRule::Same(0),
        meaning: [
            "y = y_before + 2 / (n + 1) * (x - y_before), from the first value on",
            "y = y_before + 2 / (n + 1) * (x - y_before), from the first value on",
        ],
        example: "exponential_mean",
        ..BASE
    },
    Function {
        name: "wilder_mean",
        family: Family::Window,
        stand: Stand::Window,
        params: &[required("x", Takes::Number), required("n", Takes::IntConst(1))],
        unit: UnitRule::Same(0),
        meaning: [
            "y = y_before + (x - y_before) / n, from the mean of the first n values on",
            "y = y_before + (x - y_before) / n, from the mean of the first n values on",
        ],
        example: "wilder_mean",
        ..BASE
    },
    Function {
        name: "population_deviation",
        family: Family::Window,
        stand: Stand::Window,
        params: &[required("x", Takes::Number), required("n", Takes::IntConst(1))],
        unit: UnitRule::Same(0),
        meaning: [
            "sqrt(sum((x - mean)^2) / n) over the last n rows",
            "sqrt(sum((x - mean)^2) / n) over the last n rows",
        ],
        example: "population_deviation",
        ..BASE
    },
    Function {
        name: "mean_deviation",
        family: Family::Window,
        stand: Stand::Window,
        params: &[required("x", Takes::Number), required("n", Takes::IntConst(1))],
        unit: UnitRule::Same(0),
        meaning: [
            "sum(abs(x - mean)) / n over the last n rows",
            "sum(abs(x - mean)) / n over the last n rows",
        ],
        example: "mean_deviation",
        ..BASE
    },
    Function {
        name: "plus_dm",
        family: Family::Window,
        stand: Stand::Window,
        unit: UnitRule::Definition,
        expands: Some(
            "if(high > prev(high) and high - prev(high) > prev(low) - low, high - prev(high), 0 * (high - prev(high) + prev(low) - low))",
        ),
        meaning: [
            "the rise of the high where it is larger than the fall of the low, else 0",
            "the rise of the high where it is larger than the fall of the low, else 0",
        ],
        example: "plus_dm",
        ..BASE
    },
    Function {
        name: "minus_dm",
        family: Family::Window,
        stand: Stand::Window,
        unit: UnitRule::Definition,
        expands: Some(
            "if(low < prev(low) and prev(low) - low > high - prev(high), prev(low) - low, 0 * (high - prev(high) + prev(low) - low))",
        ),
        meaning: [
            "the fall of the low where it is larger than the rise of the high, else 0",
            "the fall of the low where it is larger than the rise of the high, else 0",
        ],
        example: "minus_dm",
        ..BASE
    },
    Function {
        name: "parabolic",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            required("high", Takes::Number),
            required("low", Takes::Number),
            required("start", Takes::NumberConst),
            required("step", Takes::NumberConst),
            required("max", Takes::NumberConst),
        ],
        unit: UnitRule::Same(0),
        meaning: ["the stop of Wilder's parabolic system", "the stop of Wilder's parabolic system"],
        example: "parabolic",
        ..BASE
    },
    Function {
        name: "supertrend_line",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            required("mid", Takes::Number),
            required("close", Takes::Number),
            required("width", Takes::Number),
            required("k", Takes::NumberConst),
        ],
        unit: UnitRule::Same(1),
        meaning: ["the trailing band of mid ± k * width", "the trailing band of mid ± k * width"],
        example: "supertrend_line",
        ..BASE
    },
    Function {
        name: "supertrend_side",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            required("mid", Takes::Number),
            required("close", Takes::Number),
            required("width", Takes::Number),
            required("k", Takes::NumberConst),
        ],
        gives: Gives::Kind(Kind::Int),
        meaning: [
            "1 over the trailing band of mid ± k * width, -1 under it",
            "1 over the trailing band of mid ± k * width, -1 under it",
        ],
        example: "supertrend_side",
        ..BASE
    },
    Function {
        name: "day_first",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            required("x", Takes::Number),
            Param { name: "t", takes: Takes::Time, default: Default::TimeColumn },
        ],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "the first value of the trading day of t",
            "the first value of the trading day of t",
        ],
        example: "day_first",
        ..BASE
    },
    Function {
        name: "day_last",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            required("x", Takes::Number),
            Param { name: "t", takes: Takes::Time, default: Default::TimeColumn },
        ],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "the last value of the trading day of t",
            "the last value of the trading day of t",
        ],
        example: "day_last",
        ..BASE
    },
    Function {
        name: "day_max",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            required("x", Takes::Number),
            Param { name: "t", takes: Takes::Time, default: Default::TimeColumn },
        ],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "the largest value of the trading day of t",
            "the largest value of the trading day of t",
        ],
        example: "day_max",
        ..BASE
    },
    Function {
        name: "day_min",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            required("x", Takes::Number),
            Param { name: "t", takes: Takes::Time, default: Default::TimeColumn },
        ],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "the smallest value of the trading day of t",
            "the smallest value of the trading day of t",
        ],
        example: "day_min",
        ..BASE
    },
    Function {
        name: "day_cummax",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            required("x", Takes::Number),
            Param { name: "t", takes: Takes::Time, default: Default::TimeColumn },
        ],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "the largest value of the trading day of t up to this row",
            "the largest value of the trading day of t up to this row",
        ],
        example: "day_cummax",
        ..BASE
    },
    Function {
        name: "day_cummin",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            required("x", Takes::Number),
            Param { name: "t", takes: Takes::Time, default: Default::TimeColumn },
        ],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "the smallest value of the trading day of t up to this row",
            "the smallest value of the trading day of t up to this row",
        ],
        example: "day_cummin",
        ..BASE
    },
    Function {
        name: "day_cumsum",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            required("x", Takes::Number),
            Param { name: "t", takes: Takes::Time, default: Default::TimeColumn },
        ],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "the sum of the trading day of t up to this row",
            "the sum of the trading day of t up to this row",
        ],
        example: "day_cumsum",
        ..BASE
    },
];
