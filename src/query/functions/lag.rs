//! Neighbours in the series.

use super::{BASE, Default, Family, Function, Gives, Param, Stand, Takes, UnitRule};

/// The family's entries.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "prev",
        family: Family::Lag,
        stand: Stand::Window,
        params: &[
            Param { name: "x", takes: Takes::Any, default: Default::Required },
            Param { name: "n", takes: Takes::IntConst(1), default: Default::Int(1) },
        ],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "the value n rows before, in the same series",
            "значение n строк назад в том же ряду",
        ],
        example: "prev(close)",
        ..BASE
    },
    Function {
        name: "next",
        family: Family::Lag,
        stand: Stand::Window,
        params: &[
            Param { name: "x", takes: Takes::Any, default: Default::Required },
            Param { name: "n", takes: Takes::IntConst(1), default: Default::Int(1) },
        ],
        gives: Gives::Same(0),
        unit: UnitRule::Same(0),
        meaning: [
            "the value n rows after, in the same series",
            "значение через n строк в том же ряду",
        ],
        example: "next(close)",
        ..BASE
    },
];
