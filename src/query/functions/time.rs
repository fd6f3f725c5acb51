//! Parts of dates and timestamps; without an argument, of the table's time column.

use super::{BASE, Default, Family, Function, Gives, Param, Stand, Takes, required};
use crate::query::check::Domain;
use crate::schema::Kind;

const TIME: Param = Param { name: "t", takes: Takes::Time, default: Default::TimeColumn };
const CLOCK: Param = Param { name: "t", takes: Takes::Clock, default: Default::TimeColumn };

/// The family's entries.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "year",
        family: Family::Time,
        stand: Stand::Row,
        params: &[TIME],
        gives: Gives::Kind(Kind::Int),
        meaning: ["year", "год"],
        example: "year()",
        ..BASE
    },
    Function {
        name: "quarter",
        family: Family::Time,
        stand: Stand::Row,
        params: &[TIME],
        gives: Gives::Kind(Kind::Int),
        meaning: ["quarter, 1 to 4", "квартал, 1–4"],
        example: "quarter()",
        ..BASE
    },
    Function {
        name: "month",
        family: Family::Time,
        stand: Stand::Row,
        params: &[TIME],
        gives: Gives::Kind(Kind::Int),
        meaning: ["month, 1 to 12", "месяц, 1–12"],
        example: "month()",
        ..BASE
    },
    Function {
        name: "monthname",
        family: Family::Time,
        stand: Stand::Row,
        params: &[TIME],
        gives: Gives::Kind(Kind::Text),
        domain: Some(Domain::Month),
        meaning: ["month as Jan ... Dec", "месяц: Jan … Dec"],
        example: "monthname()",
        ..BASE
    },
    Function {
        name: "day",
        family: Family::Time,
        stand: Stand::Row,
        params: &[TIME],
        gives: Gives::Kind(Kind::Int),
        meaning: ["day of the month", "день месяца"],
        example: "day()",
        ..BASE
    },
    Function {
        name: "dayofweek",
        family: Family::Time,
        stand: Stand::Row,
        params: &[TIME],
        gives: Gives::Kind(Kind::Int),
        meaning: ["weekday, Monday is 0", "день недели, понедельник — 0"],
        example: "dayofweek()",
        ..BASE
    },
    Function {
        name: "dayname",
        family: Family::Time,
        stand: Stand::Row,
        params: &[TIME],
        gives: Gives::Kind(Kind::Text),
        domain: Some(Domain::Weekday),
        meaning: ["weekday as Mon ... Sun", "день недели: Mon … Sun"],
        example: "dayname()",
        ..BASE
    },
    Function {
        name: "hour",
        family: Family::Time,
        stand: Stand::Row,
        params: &[CLOCK],
        gives: Gives::Kind(Kind::Int),
        meaning: ["hour, 0 to 23", "час, 0–23"],
        example: "hour()",
        ..BASE
    },
    Function {
        name: "minute",
        family: Family::Time,
        stand: Stand::Row,
        params: &[CLOCK],
        gives: Gives::Kind(Kind::Int),
        meaning: ["minute, 0 to 59", "минута, 0–59"],
        example: "minute()",
        ..BASE
    },
    Function {
        name: "date",
        family: Family::Time,
        stand: Stand::Row,
        params: &[TIME],
        gives: Gives::Kind(Kind::Date),
        meaning: ["calendar date", "календарная дата"],
        example: "date()",
        ..BASE
    },
    Function {
        name: "week",
        family: Family::Time,
        params: &[TIME],
        gives: Gives::Kind(Kind::Int),
        formula: Some("the week from Monday whose Thursday is in the year"),
        source: Some("ISO 8601"),
        meaning: ["ISO week, 1 to 53", "неделя ISO, 1–53"],
        example: "week()",
        ..BASE
    },
    Function {
        name: "time",
        family: Family::Time,
        params: &[CLOCK],
        gives: Gives::Kind(Kind::Text),
        meaning: ["time of day as HH:MM", "время суток: HH:MM"],
        example: "time()",
        ..BASE
    },
    Function {
        name: "days_between",
        family: Family::Time,
        params: &[required("a", Takes::Time), required("b", Takes::Time)],
        meaning: [
            "days from a to b, b - a; parts of a day count",
            "дней от a до b, b - a, с долями дня",
        ],
        example: "days_between(t, next(t))",
        ..BASE
    },
];
