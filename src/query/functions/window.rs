//! Trailing windows over rows of one series.

use super::{
    BASE, Default, Family, Function, Gives, Param, SERIES, Stand, Takes, UnitRule, required,
};
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
        gives: Gives::Kind(Kind::Float),
        unit: UnitRule::Same(0),
        meaning: [
            "mean of the last n rows, this one included; null unless all n are there",
            "среднее за последние n строк, включая эту; null, пока нет всех n",
        ],
        example: "rolling_mean(close, 20)",
        ..BASE
    },
    Function {
        name: "rolling_sum",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            Param { name: "x", takes: Takes::Number, default: Default::Required },
            Param { name: "n", takes: Takes::IntConst(1), default: Default::Required },
        ],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "sum of the last n rows, this one included; null unless all n are there",
            "сумма за последние n строк, включая эту; null, пока нет всех n",
        ],
        example: "rolling_sum(close, 20)",
        ..BASE
    },
    Function {
        name: "rolling_min",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            Param { name: "x", takes: Takes::Number, default: Default::Required },
            Param { name: "n", takes: Takes::IntConst(1), default: Default::Required },
        ],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "smallest of the last n rows, this one included; null unless all n are there",
            "наименьшее за последние n строк, включая эту; null, пока нет всех n",
        ],
        example: "rolling_min(close, 20)",
        ..BASE
    },
    Function {
        name: "rolling_max",
        family: Family::Window,
        stand: Stand::Window,
        params: &[
            Param { name: "x", takes: Takes::Number, default: Default::Required },
            Param { name: "n", takes: Takes::IntConst(1), default: Default::Required },
        ],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "largest of the last n rows, this one included; null unless all n are there",
            "наибольшее за последние n строк, включая эту; null, пока нет всех n",
        ],
        example: "rolling_max(close, 20)",
        ..BASE
    },
    Function {
        name: "rolling_std",
        family: Family::Window,
        stand: Stand::Window,
        params: &[required("x", Takes::Number), required("n", Takes::IntConst(1))],
        unit: UnitRule::Same(0),
        formula: Some("sqrt(sum((x - mean)^2) / (n - 1)) over the last n rows"),
        source: Some(
            "The sample deviation, as in pandas; null for n = 1. TA-Lib `STDDEV` is the population deviation",
        ),
        meaning: [
            "sample deviation of the last n rows; null unless all n are there",
            "выборочное отклонение за последние n строк; null, пока нет всех n",
        ],
        example: "rolling_std(close, 20)",
        ..BASE
    },
    Function {
        name: "rolling_median",
        family: Family::Window,
        stand: Stand::Window,
        params: &[required("x", Takes::Number), required("n", Takes::IntConst(1))],
        unit: UnitRule::Same(0),
        meaning: [
            "median of the last n rows; null unless all n are there",
            "медиана за последние n строк; null, пока нет всех n",
        ],
        example: "rolling_median(close, 20)",
        ..BASE
    },
    Function {
        name: "rolling_count",
        family: Family::Window,
        stand: Stand::Window,
        params: &[required("cond", Takes::Bool), required("n", Takes::IntConst(1))],
        gives: Gives::Kind(Kind::Int),
        expands: Some("rolling_sum(if(isnull(cond), null, if(cond, 1, 0)), n)"),
        meaning: [
            "how many of the last n rows are true; null unless all n are known",
            "сколько из последних n строк истинны; null, пока не известны все n",
        ],
        example: "rolling_count(close > open, 10)",
        ..BASE
    },
    Function {
        name: "sma",
        family: Family::Window,
        stand: Stand::Window,
        params: &[SERIES, required("n", Takes::IntConst(1))],
        unit: UnitRule::Same(0),
        expands: Some("rolling_mean(x, n)"),
        meaning: ["simple moving average", "простое скользящее среднее"],
        example: "sma(close, 20)",
        ..BASE
    },
    Function {
        name: "wma",
        family: Family::Window,
        stand: Stand::Window,
        params: &[SERIES, required("n", Takes::IntConst(1))],
        unit: UnitRule::Same(0),
        expands: Some("weighted_mean(x, n)"),
        source: Some("As TA-Lib `WMA`"),
        meaning: [
            "moving average with weights 1, 2, …, n, the last row heaviest",
            "скользящее среднее с весами 1, 2, …, n, последняя строка тяжелее",
        ],
        example: "wma(close, 20)",
        ..BASE
    },
    Function {
        name: "hma",
        family: Family::Window,
        stand: Stand::Window,
        params: &[SERIES, required("n", Takes::IntConst(2))],
        unit: UnitRule::Same(0),
        expands: Some("wma(2 * wma(x, n // 2) - wma(x, n), n ** 0.5 // 1)"),
        source: Some("Alan Hull 2005; n/2 and the root are rounded down, as on TradingView"),
        meaning: ["Hull moving average", "скользящее среднее Халла"],
        example: "hma(close, 20)",
        ..BASE
    },
    Function {
        name: "vwma",
        family: Family::Window,
        stand: Stand::Window,
        params: &[SERIES, required("n", Takes::IntConst(1))],
        unit: UnitRule::Same(0),
        expands: Some("rolling_sum(x * volume, n) / rolling_sum(if(isnull(x), null, volume), n)"),
        source: Some("As on TradingView"),
        meaning: ["moving average weighted by volume", "скользящее среднее, взвешенное по объёму"],
        example: "vwma(close, 20)",
        ..BASE
    },
    Function {
        name: "ema",
        family: Family::Window,
        stand: Stand::Window,
        params: &[SERIES, required("n", Takes::IntConst(1))],
        unit: UnitRule::Same(0),
        expands: Some("exponential_mean(x, n)"),
        source: Some(
            "Seeded by the first value, as pandas `ewm(span=n, adjust=False)`; TA-Lib `EMA` is seeded by the SMA of the first n and null before. A row without a value is null and changes nothing",
        ),
        meaning: [
            "exponential moving average, weight 2/(n+1), from the first value on",
            "экспоненциальное среднее, вес 2/(n+1), с первого значения",
        ],
        example: "ema(close, 20)",
        ..BASE
    },
    Function {
        name: "rma",
        family: Family::Window,
        stand: Stand::Window,
        params: &[SERIES, required("n", Takes::IntConst(1))],
        unit: UnitRule::Same(0),
        expands: Some("wilder_mean(x, n)"),
        source: Some(
            "J. Welles Wilder 1978; seeded by the mean of the first n values. A row without a value is null and changes nothing",
        ),
        meaning: [
            "Wilder's moving average, weight 1/n, null before its n-th value",
            "среднее Уайлдера, вес 1/n, null до n-го значения",
        ],
        example: "rma(close, 14)",
        ..BASE
    },
];
