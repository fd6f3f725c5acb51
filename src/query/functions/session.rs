//! Values of the trading day a bar belongs to.

use super::{BASE, Family, Function, Stand, UnitRule};

/// The family's entries.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "session_open",
        family: Family::Session,
        stand: Stand::Window,
        unit: UnitRule::Price,
        expands: Some("day_first(open)"),
        meaning: ["first open of the trading day", "первое открытие торгового дня"],
        example: "session_open()",
        ..BASE
    },
    Function {
        name: "session_high",
        family: Family::Session,
        stand: Stand::Window,
        unit: UnitRule::Price,
        expands: Some("day_max(high)"),
        meaning: [
            "highest high of the whole trading day",
            "наибольший максимум всего торгового дня",
        ],
        example: "session_high()",
        ..BASE
    },
    Function {
        name: "session_low",
        family: Family::Session,
        stand: Stand::Window,
        unit: UnitRule::Price,
        expands: Some("day_min(low)"),
        meaning: ["lowest low of the whole trading day", "наименьший минимум всего торгового дня"],
        example: "session_low()",
        ..BASE
    },
    Function {
        name: "session_close",
        family: Family::Session,
        stand: Stand::Window,
        unit: UnitRule::Price,
        expands: Some("day_last(close)"),
        meaning: ["last close of the whole trading day", "последнее закрытие торгового дня"],
        example: "session_close()",
        ..BASE
    },
    Function {
        name: "session_high_so_far",
        family: Family::Session,
        stand: Stand::Window,
        unit: UnitRule::Price,
        expands: Some("day_cummax(high)"),
        meaning: [
            "highest high of the trading day up to this bar",
            "наибольший максимум торгового дня к этому бару",
        ],
        example: "session_high_so_far()",
        ..BASE
    },
    Function {
        name: "session_low_so_far",
        family: Family::Session,
        stand: Stand::Window,
        unit: UnitRule::Price,
        expands: Some("day_cummin(low)"),
        meaning: [
            "lowest low of the trading day up to this bar",
            "наименьший минимум торгового дня к этому бару",
        ],
        example: "session_low_so_far()",
        ..BASE
    },
];
