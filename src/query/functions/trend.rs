//! Direction of prices.

use super::{BASE, Family, Function, Gives, Stand, UnitRule, number, rows};
use crate::schema::Kind;

/// The family's entries.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "macd",
        family: Family::Trend,
        stand: Stand::Window,
        params: &[rows("fast", 12), rows("slow", 26)],
        unit: UnitRule::Definition,
        expands: Some("ema(close, fast) - ema(close, slow)"),
        source: Some(
            "Gerald Appel. Both averages start at the first close; TA-Lib `MACD` seeds them by simple averages",
        ),
        meaning: [
            "difference of two exponential averages of the close",
            "разность двух экспоненциальных средних закрытия",
        ],
        example: "macd(12, 26)",
        ..BASE
    },
    Function {
        name: "macd_signal",
        family: Family::Trend,
        stand: Stand::Window,
        params: &[rows("fast", 12), rows("slow", 26), rows("signal", 9)],
        unit: UnitRule::Definition,
        expands: Some("ema(macd(fast, slow), signal)"),
        source: Some(
            "Gerald Appel. It starts at the first `macd`; TA-Lib `MACD` seeds it by a simple average, and the difference fades",
        ),
        meaning: ["exponential average of macd", "экспоненциальное среднее macd"],
        example: "macd_signal(12, 26, 9)",
        ..BASE
    },
    Function {
        name: "macd_hist",
        family: Family::Trend,
        stand: Stand::Window,
        params: &[rows("fast", 12), rows("slow", 26), rows("signal", 9)],
        unit: UnitRule::Definition,
        expands: Some("macd(fast, slow) - macd_signal(fast, slow, signal)"),
        source: Some(
            "Thomas Aspray 1986. TA-Lib `MACD` seeds all its averages by simple ones, and the difference fades",
        ),
        meaning: ["macd minus its signal", "macd минус сигнальная линия"],
        example: "macd_hist(12, 26, 9)",
        ..BASE
    },
    Function {
        name: "adx",
        family: Family::Trend,
        stand: Stand::Window,
        params: &[rows("n", 14)],
        expands: Some("rma(100 * abs(plus_di(n) - minus_di(n)) / (plus_di(n) + minus_di(n)), n)"),
        source: Some(
            "Wilder 1978, every smoothing `rma`. TA-Lib `ADX` seeds its sums by n - 1 rows, so that its first values differ and the difference fades. Null where both indicators are 0 (TA-Lib counts 0 in its seed and repeats its value behind it)",
        ),
        meaning: [
            "average directional index, 0 to 100: strength of a trend",
            "средний индекс направления, 0–100: сила тренда",
        ],
        example: "adx(14)",
        ..BASE
    },
    Function {
        name: "plus_di",
        family: Family::Trend,
        stand: Stand::Window,
        params: &[rows("n", 14)],
        expands: Some("100 * rma(plus_dm(), n) / rma(if(isnull(plus_dm()), null, tr()), n)"),
        source: Some(
            "Wilder 1978. TA-Lib `PLUS_DI` seeds its sums by n - 1 rows. Null where there is no true range (TA-Lib: 0)",
        ),
        meaning: [
            "positive directional indicator, 0 to 100",
            "положительный индикатор направления, 0–100",
        ],
        example: "plus_di(14)",
        ..BASE
    },
    Function {
        name: "minus_di",
        family: Family::Trend,
        stand: Stand::Window,
        params: &[rows("n", 14)],
        expands: Some("100 * rma(minus_dm(), n) / rma(if(isnull(minus_dm()), null, tr()), n)"),
        source: Some(
            "Wilder 1978. TA-Lib `MINUS_DI` seeds its sums by n - 1 rows. Null where there is no true range (TA-Lib: 0)",
        ),
        meaning: [
            "negative directional indicator, 0 to 100",
            "отрицательный индикатор направления, 0–100",
        ],
        example: "minus_di(14)",
        ..BASE
    },
    Function {
        name: "supertrend",
        family: Family::Trend,
        stand: Stand::Window,
        params: &[rows("n", 10), number("k", 3.0)],
        unit: UnitRule::Price,
        expands: Some("supertrend_line((high + low) / 2, close, atr(n), k)"),
        source: Some(
            "Olivier Seban, as `ta.supertrend` on TradingView; it starts as a fall. Bands midpoint() ± k * atr(n), each kept while the close stays inside it; the line is the lower band in a rise and the upper one in a fall",
        ),
        meaning: [
            "line that trails the price by k average true ranges",
            "линия, отстающая от цены на k средних истинных размахов",
        ],
        example: "supertrend(10, 3)",
        ..BASE
    },
    Function {
        name: "supertrend_dir",
        family: Family::Trend,
        stand: Stand::Window,
        params: &[rows("n", 10), number("k", 3.0)],
        gives: Gives::Kind(Kind::Int),
        expands: Some("supertrend_side((high + low) / 2, close, atr(n), k)"),
        source: Some("Olivier Seban, as `ta.supertrend` on TradingView; it starts as a fall"),
        meaning: [
            "1 while the price is above the supertrend line, -1 below",
            "1, пока цена выше линии supertrend, -1 ниже",
        ],
        example: "supertrend_dir(10, 3)",
        ..BASE
    },
    Function {
        name: "sar",
        family: Family::Trend,
        stand: Stand::Window,
        params: &[number("start", 0.02), number("step", 0.02), number("max", 0.2)],
        unit: UnitRule::Price,
        expands: Some("parabolic(high, low, start, step, max)"),
        source: Some(
            "Wilder 1978, as TA-Lib `SAREXT`: a rise unless the second bar falls more than it rises; null on the first bar. `SAREXT` writes the values of a fall with a minus",
        ),
        meaning: ["parabolic stop and reverse", "параболическая система SAR"],
        example: "sar(0.02, 0.02, 0.2)",
        ..BASE
    },
];
