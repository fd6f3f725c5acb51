//! Price and volume together.

use super::{BASE, Family, Function, Stand, UnitRule, rows};

/// The family's entries.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "obv",
        family: Family::Volume,
        stand: Stand::Window,
        expands: Some("cumsum(if(cumcount() == 1, 0, sign(close - prev(close)) * volume))"),
        source: Some("Joseph Granville 1963. Starts at 0; TA-Lib `OBV` starts at the first volume"),
        meaning: ["on-balance volume, from 0", "балансовый объём, от 0"],
        example: "obv()",
        ..BASE
    },
    Function {
        name: "vwap_day",
        family: Family::Volume,
        stand: Stand::Window,
        unit: UnitRule::Price,
        expands: Some(
            "day_cumsum(typical_price() * volume) / day_cumsum(if(isnull(typical_price()), null, volume))",
        ),
        source: Some("The typical price of each bar"),
        meaning: [
            "mean price weighted by volume since the start of the trading day",
            "средняя цена по объёму с начала торгового дня",
        ],
        example: "vwap_day()",
        ..BASE
    },
    Function {
        name: "ad_line",
        family: Family::Volume,
        stand: Stand::Window,
        expands: Some(
            "cumsum(if(high == low, 0, (close - low - (high - close)) / (high - low) * volume))",
        ),
        source: Some("Marc Chaikin, as TA-Lib `AD`: a bar without range adds nothing"),
        meaning: ["accumulation/distribution line", "линия накопления и распределения"],
        example: "ad_line()",
        ..BASE
    },
    Function {
        name: "volume_sma",
        family: Family::Volume,
        stand: Stand::Window,
        params: &[rows("n", 20)],
        expands: Some("rolling_mean(volume, n)"),
        meaning: ["mean volume of n rows", "средний объём за n строк"],
        example: "volume_sma(20)",
        ..BASE
    },
    Function {
        name: "volume_ratio",
        family: Family::Volume,
        stand: Stand::Window,
        params: &[rows("n", 20)],
        expands: Some("volume / rolling_mean(volume, n)"),
        meaning: ["volume over its mean of n rows", "объём к своему среднему за n строк"],
        example: "volume_ratio(20)",
        ..BASE
    },
];
