//! True ranges, bands and channels.

use super::{BASE, Family, Function, SERIES, Stand, UnitRule, number, rows};

/// The family's entries.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "tr",
        family: Family::Volatility,
        stand: Stand::Window,
        unit: UnitRule::Definition,
        expands: Some(
            "if(isnull(high - low), null, max_of(high, prev(close)) - min_of(low, prev(close)))",
        ),
        source: Some("Wilder 1978. On the first bar the range; TA-Lib `TRANGE` is null there"),
        meaning: [
            "true range: the range, gap from the previous close included",
            "истинный размах: размах с учётом гэпа от прошлого закрытия",
        ],
        example: "tr()",
        ..BASE
    },
    Function {
        name: "atr",
        family: Family::Volatility,
        stand: Stand::Window,
        params: &[rows("n", 14)],
        unit: UnitRule::Definition,
        expands: Some("rma(tr(), n)"),
        source: Some(
            "Wilder 1978. The first bar's range counts; TA-Lib `ATR` starts with the second bar, so that its first values differ and the difference fades",
        ),
        meaning: ["average true range", "средний истинный размах"],
        example: "atr(14)",
        ..BASE
    },
    Function {
        name: "natr",
        family: Family::Volatility,
        stand: Stand::Window,
        params: &[rows("n", 14)],
        unit: UnitRule::Percent,
        expands: Some("100 * atr(n) / close"),
        source: Some(
            "As TA-Lib `NATR` but for the first bar, see `atr`. Null where the close is 0 (TA-Lib: 0)",
        ),
        meaning: [
            "average true range in per cent of the close",
            "средний истинный размах в процентах от закрытия",
        ],
        example: "natr(14)",
        ..BASE
    },
    Function {
        name: "bbands_upper",
        family: Family::Volatility,
        stand: Stand::Window,
        params: &[SERIES, rows("n", 20), number("k", 2.0)],
        unit: UnitRule::Same(0),
        expands: Some("rolling_mean(x, n) + k * population_deviation(x, n)"),
        source: Some("John Bollinger; the population deviation, as TA-Lib `BBANDS`"),
        meaning: [
            "upper Bollinger band: mean plus k deviations",
            "верхняя полоса Боллинджера: среднее плюс k отклонений",
        ],
        example: "bbands_upper(close, 20, 2)",
        ..BASE
    },
    Function {
        name: "bbands_mid",
        family: Family::Volatility,
        stand: Stand::Window,
        params: &[SERIES, rows("n", 20), number("k", 2.0)],
        unit: UnitRule::Same(0),
        expands: Some("rolling_mean(x, n)"),
        source: Some("John Bollinger"),
        meaning: ["middle Bollinger band: the mean", "средняя полоса Боллинджера: среднее"],
        example: "bbands_mid(close, 20, 2)",
        ..BASE
    },
    Function {
        name: "bbands_lower",
        family: Family::Volatility,
        stand: Stand::Window,
        params: &[SERIES, rows("n", 20), number("k", 2.0)],
        unit: UnitRule::Same(0),
        expands: Some("rolling_mean(x, n) - k * population_deviation(x, n)"),
        source: Some("John Bollinger; the population deviation, as TA-Lib `BBANDS`"),
        meaning: [
            "lower Bollinger band: mean minus k deviations",
            "нижняя полоса Боллинджера: среднее минус k отклонений",
        ],
        example: "bbands_lower(close, 20, 2)",
        ..BASE
    },
    Function {
        name: "bbands_width",
        family: Family::Volatility,
        stand: Stand::Window,
        params: &[SERIES, rows("n", 20), number("k", 2.0)],
        expands: Some("(bbands_upper(x, n, k) - bbands_lower(x, n, k)) / bbands_mid(x, n, k)"),
        source: Some("John Bollinger"),
        meaning: [
            "distance of the Bollinger bands as a share of the middle",
            "расстояние между полосами Боллинджера в долях средней",
        ],
        example: "bbands_width(close, 20, 2)",
        ..BASE
    },
    Function {
        name: "bbands_pctb",
        family: Family::Volatility,
        stand: Stand::Window,
        params: &[SERIES, rows("n", 20), number("k", 2.0)],
        expands: Some(
            "(x - bbands_lower(x, n, k)) / (bbands_upper(x, n, k) - bbands_lower(x, n, k))",
        ),
        source: Some("John Bollinger"),
        meaning: [
            "where x is between the Bollinger bands, 0 the lower and 1 the upper",
            "место x между полосами Боллинджера: 0 — нижняя, 1 — верхняя",
        ],
        example: "bbands_pctb(close, 20, 2)",
        ..BASE
    },
    Function {
        name: "kc_upper",
        family: Family::Volatility,
        stand: Stand::Window,
        params: &[rows("n", 20), number("k", 2.0)],
        unit: UnitRule::Price,
        expands: Some("ema(close, n) + k * atr(n)"),
        source: Some(
            "Chester Keltner 1960 in the form of Linda Raschke: EMA of the close and average true range",
        ),
        meaning: ["upper Keltner channel", "верхняя граница канала Кельтнера"],
        example: "kc_upper(20, 2)",
        ..BASE
    },
    Function {
        name: "kc_mid",
        family: Family::Volatility,
        stand: Stand::Window,
        params: &[rows("n", 20), number("k", 2.0)],
        unit: UnitRule::Price,
        expands: Some("ema(close, n)"),
        source: Some(
            "Chester Keltner 1960 in the form of Linda Raschke: EMA of the close and average true range",
        ),
        meaning: ["middle of the Keltner channel", "середина канала Кельтнера"],
        example: "kc_mid(20, 2)",
        ..BASE
    },
    Function {
        name: "kc_lower",
        family: Family::Volatility,
        stand: Stand::Window,
        params: &[rows("n", 20), number("k", 2.0)],
        unit: UnitRule::Price,
        expands: Some("ema(close, n) - k * atr(n)"),
        source: Some(
            "Chester Keltner 1960 in the form of Linda Raschke: EMA of the close and average true range",
        ),
        meaning: ["lower Keltner channel", "нижняя граница канала Кельтнера"],
        example: "kc_lower(20, 2)",
        ..BASE
    },
    Function {
        name: "donchian_upper",
        family: Family::Volatility,
        stand: Stand::Window,
        params: &[rows("n", 20)],
        unit: UnitRule::Price,
        expands: Some("rolling_max(high, n)"),
        source: Some("Richard Donchian; this row included"),
        meaning: ["highest high of n rows", "наибольший максимум за n строк"],
        example: "donchian_upper(20)",
        ..BASE
    },
    Function {
        name: "donchian_mid",
        family: Family::Volatility,
        stand: Stand::Window,
        params: &[rows("n", 20)],
        unit: UnitRule::Price,
        expands: Some("(rolling_max(high, n) + rolling_min(low, n)) / 2"),
        source: Some("Richard Donchian"),
        meaning: ["middle of the Donchian channel", "середина канала Дончиана"],
        example: "donchian_mid(20)",
        ..BASE
    },
    Function {
        name: "donchian_lower",
        family: Family::Volatility,
        stand: Stand::Window,
        params: &[rows("n", 20)],
        unit: UnitRule::Price,
        expands: Some("rolling_min(low, n)"),
        source: Some("Richard Donchian; this row included"),
        meaning: ["lowest low of n rows", "наименьший минимум за n строк"],
        example: "donchian_lower(20)",
        ..BASE
    },
];
