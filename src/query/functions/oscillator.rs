//! Speed of prices.

use super::{BASE, Family, Function, SERIES, Stand, UnitRule, rows};

/// The family's entries.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "rsi",
        family: Family::Oscillator,
        stand: Stand::Window,
        params: &[SERIES, rows("n", 14)],
        expands: Some("50 * rma(abs(x - prev(x)) + (x - prev(x)), n) / rma(abs(x - prev(x)), n)"),
        source: Some(
            "Wilder 1978: 100 * gains / (gains + losses), both smoothed by `rma`, as TA-Lib `RSI`. Null where the price has never moved (TA-Lib: 0)",
        ),
        meaning: ["relative strength index, 0 to 100", "индекс относительной силы, 0–100"],
        example: "rsi(close, 14)",
        ..BASE
    },
    Function {
        name: "stoch_k",
        family: Family::Oscillator,
        stand: Stand::Window,
        params: &[rows("n", 14), rows("smooth", 1)],
        expands: Some(
            "rolling_mean(100 * (close - rolling_min(low, n)) / (rolling_max(high, n) - rolling_min(low, n)), smooth)",
        ),
        source: Some(
            "George Lane; TA-Lib `STOCH` with simple averages. Null where the window has no range (TA-Lib: 0)",
        ),
        meaning: [
            "stochastic %K: where the close is between the lowest low and highest high, 0 to 100",
            "стохастик %K: место закрытия между минимумом и максимумом, 0–100",
        ],
        example: "stoch_k(14, 3)",
        ..BASE
    },
    Function {
        name: "stoch_d",
        family: Family::Oscillator,
        stand: Stand::Window,
        params: &[rows("n", 14), rows("smooth", 1), rows("d", 3)],
        expands: Some("rolling_mean(stoch_k(n, smooth), d)"),
        source: Some(
            "George Lane; TA-Lib `STOCH` with simple averages. Null where one of the windows has no range (TA-Lib counts 0)",
        ),
        meaning: [
            "stochastic %D: mean of the last d %K",
            "стохастик %D: среднее последних d значений %K",
        ],
        example: "stoch_d(14, 3, 3)",
        ..BASE
    },
    Function {
        name: "cci",
        family: Family::Oscillator,
        stand: Stand::Window,
        params: &[rows("n", 20)],
        expands: Some(
            "(typical_price() - rolling_mean(typical_price(), n)) / (0.015 * mean_deviation(typical_price(), n))",
        ),
        source: Some(
            "Donald Lambert 1980, as TA-Lib `CCI`. Null where the window does not vary (TA-Lib: 0)",
        ),
        meaning: ["commodity channel index", "индекс товарного канала"],
        example: "cci(20)",
        ..BASE
    },
    Function {
        name: "williams_r",
        family: Family::Oscillator,
        stand: Stand::Window,
        params: &[rows("n", 14)],
        expands: Some(
            "-100 * (rolling_max(high, n) - close) / (rolling_max(high, n) - rolling_min(low, n))",
        ),
        source: Some(
            "Larry Williams, as TA-Lib `WILLR`. Null where the window has no range (TA-Lib: 0)",
        ),
        meaning: ["Williams' %R, -100 to 0", "%R Уильямса, от -100 до 0"],
        example: "williams_r(14)",
        ..BASE
    },
    Function {
        name: "mfi",
        family: Family::Oscillator,
        stand: Stand::Window,
        params: &[rows("n", 14)],
        expands: Some(
            "50 * rolling_sum((1 + sign(typical_price() - prev(typical_price()))) * abs(sign(typical_price() - prev(typical_price()))) * typical_price() * volume, n) / rolling_sum(abs(sign(typical_price() - prev(typical_price()))) * typical_price() * volume, n)",
        ),
        source: Some(
            "Gene Quong and Avrum Soudack 1989, as TA-Lib `MFI`: 100 * rising flow / (rising flow + falling flow). Null where nothing flows (TA-Lib: 0 where less than 1 does)",
        ),
        meaning: ["money flow index, 0 to 100", "индекс денежного потока, 0–100"],
        example: "mfi(14)",
        ..BASE
    },
    Function {
        name: "roc",
        family: Family::Oscillator,
        stand: Stand::Window,
        params: &[SERIES, rows("n", 10)],
        unit: UnitRule::Percent,
        expands: Some("(x / prev(x, n) - 1) * 100"),
        source: Some("As TA-Lib `ROC`. Null where the price n rows before is 0 (TA-Lib: 0)"),
        meaning: ["change over n rows in per cent", "изменение за n строк в процентах"],
        example: "roc(close, 10)",
        ..BASE
    },
    Function {
        name: "momentum",
        family: Family::Oscillator,
        stand: Stand::Window,
        params: &[SERIES, rows("n", 10)],
        unit: UnitRule::Same(0),
        expands: Some("x - prev(x, n)"),
        source: Some("As TA-Lib `MOM`"),
        meaning: ["change over n rows", "изменение за n строк"],
        example: "momentum(close, 10)",
        ..BASE
    },
];
