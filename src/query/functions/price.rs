//! Prices of bars, defined in the language itself. `open`, `high`, `low`, `close` in a definition are
//! the table's own columns of that meaning.

use super::{BASE, Family, Function, Gives, Stand, UnitRule};
use crate::schema::Kind;

/// The family's entries.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "gap",
        family: Family::Price,
        stand: Stand::Window,
        gives: Gives::Kind(Kind::Float),
        unit: UnitRule::Definition,
        expands: Some("open - prev(close)"),
        meaning: ["open minus the previous close", "открытие минус прошлое закрытие"],
        example: "gap()",
        ..BASE
    },
    Function {
        name: "gap_pct",
        family: Family::Price,
        stand: Stand::Window,
        gives: Gives::Kind(Kind::Float),
        unit: UnitRule::Percent,
        expands: Some("(open - prev(close)) / prev(close) * 100"),
        meaning: ["gap in per cent of the previous close", "гэп в процентах от прошлого закрытия"],
        example: "gap_pct()",
        ..BASE
    },
    Function {
        name: "change",
        family: Family::Price,
        stand: Stand::Window,
        gives: Gives::Kind(Kind::Float),
        unit: UnitRule::Definition,
        expands: Some("close - prev(close)"),
        meaning: ["close minus the previous close", "закрытие минус прошлое закрытие"],
        example: "change()",
        ..BASE
    },
    Function {
        name: "change_pct",
        family: Family::Price,
        stand: Stand::Window,
        gives: Gives::Kind(Kind::Float),
        unit: UnitRule::Percent,
        expands: Some("(close / prev(close) - 1) * 100"),
        meaning: ["change in per cent", "изменение в процентах"],
        example: "change_pct()",
        ..BASE
    },
    Function {
        name: "range",
        family: Family::Price,
        stand: Stand::Row,
        gives: Gives::Kind(Kind::Float),
        unit: UnitRule::Definition,
        expands: Some("high - low"),
        meaning: ["high minus low", "максимум минус минимум"],
        example: "range()",
        ..BASE
    },
    Function {
        name: "range_pct",
        family: Family::Price,
        stand: Stand::Row,
        gives: Gives::Kind(Kind::Float),
        unit: UnitRule::Percent,
        expands: Some("(high - low) / low * 100"),
        meaning: ["range in per cent of the low", "размах в процентах от минимума"],
        example: "range_pct()",
        ..BASE
    },
    Function {
        name: "midpoint",
        family: Family::Price,
        stand: Stand::Row,
        gives: Gives::Kind(Kind::Float),
        unit: UnitRule::Definition,
        expands: Some("(high + low) / 2"),
        meaning: ["middle of high and low", "середина максимума и минимума"],
        example: "midpoint()",
        ..BASE
    },
    Function {
        name: "typical_price",
        family: Family::Price,
        stand: Stand::Row,
        gives: Gives::Kind(Kind::Float),
        unit: UnitRule::Definition,
        expands: Some("(high + low + close) / 3"),
        meaning: ["mean of high, low and close", "среднее максимума, минимума и закрытия"],
        example: "typical_price()",
        ..BASE
    },
];
