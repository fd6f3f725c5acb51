//! Shapes of bars, defined in the language itself.

use super::{BASE, Family, Function, Gives, Stand, UnitRule, number};
use crate::schema::Kind;

/// The family's entries.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "body",
        family: Family::Candle,
        stand: Stand::Row,
        gives: Gives::Kind(Kind::Float),
        unit: UnitRule::Definition,
        expands: Some("close - open"),
        meaning: ["close minus open", "закрытие минус открытие"],
        example: "body()",
        ..BASE
    },
    Function {
        name: "green",
        family: Family::Candle,
        stand: Stand::Row,
        gives: Gives::Kind(Kind::Bool),
        expands: Some("close > open"),
        meaning: ["close above open", "закрытие выше открытия"],
        example: "green()",
        ..BASE
    },
    Function {
        name: "red",
        family: Family::Candle,
        stand: Stand::Row,
        gives: Gives::Kind(Kind::Bool),
        expands: Some("close < open"),
        meaning: ["close below open", "закрытие ниже открытия"],
        example: "red()",
        ..BASE
    },
    Function {
        name: "inside_bar",
        family: Family::Candle,
        stand: Stand::Window,
        gives: Gives::Kind(Kind::Bool),
        expands: Some("high < prev(high) and low > prev(low)"),
        meaning: ["within the previous bar", "внутри прошлого бара"],
        example: "inside_bar()",
        ..BASE
    },
    Function {
        name: "outside_bar",
        family: Family::Candle,
        stand: Stand::Window,
        gives: Gives::Kind(Kind::Bool),
        expands: Some("high > prev(high) and low < prev(low)"),
        meaning: ["beyond the previous bar on both sides", "шире прошлого бара с обеих сторон"],
        example: "outside_bar()",
        ..BASE
    },
    Function {
        name: "body_pct",
        family: Family::Candle,
        unit: UnitRule::Percent,
        expands: Some("abs(close - open) / (high - low) * 100"),
        meaning: [
            "size of the body in per cent of the range",
            "размер тела в процентах от размаха",
        ],
        example: "body_pct()",
        ..BASE
    },
    Function {
        name: "upper_wick",
        family: Family::Candle,
        unit: UnitRule::Definition,
        expands: Some("if(isnull(open - close), null, high - max_of(open, close))"),
        meaning: [
            "high minus the higher of open and close",
            "максимум минус большее из открытия и закрытия",
        ],
        example: "upper_wick()",
        ..BASE
    },
    Function {
        name: "lower_wick",
        family: Family::Candle,
        unit: UnitRule::Definition,
        expands: Some("if(isnull(open - close), null, min_of(open, close) - low)"),
        meaning: [
            "the lower of open and close minus low",
            "меньшее из открытия и закрытия минус минимум",
        ],
        example: "lower_wick()",
        ..BASE
    },
    Function {
        name: "doji",
        family: Family::Candle,
        params: &[number("t", 0.1)],
        gives: Gives::Kind(Kind::Bool),
        expands: Some("abs(close - open) <= t * (high - low)"),
        meaning: ["the body is at most t of the range", "тело не больше доли t размаха"],
        example: "doji()",
        ..BASE
    },
];
