//! Text.

use super::{BASE, Family, Function, Gives, Param, Stand, Takes, required};
use crate::schema::Kind;

const TEXT: Param = required("s", Takes::Text);

/// The family's entries.
pub(super) const ALL: &[Function] = &[
    Function {
        name: "lower",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[TEXT],
        gives: Gives::Kind(Kind::Text),
        meaning: ["lower case", "строчными"],
        example: "lower(name)",
        ..BASE
    },
    Function {
        name: "upper",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[TEXT],
        gives: Gives::Kind(Kind::Text),
        meaning: ["upper case", "прописными"],
        example: "upper(name)",
        ..BASE
    },
    Function {
        name: "trim",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[TEXT],
        gives: Gives::Kind(Kind::Text),
        meaning: ["without white space at the ends", "без пробелов по краям"],
        example: "trim(name)",
        ..BASE
    },
    Function {
        name: "length",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[TEXT],
        lists: true,
        gives: Gives::Kind(Kind::Int),
        meaning: [
            "number of characters, or of the members of a list",
            "число знаков или членов списка",
        ],
        example: "length(name)",
        ..BASE
    },
    Function {
        name: "contains",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[TEXT, required("t", Takes::Text)],
        lists: true,
        gives: Gives::Kind(Kind::Bool),
        meaning: [
            "true where s contains t, or where a list has the member t",
            "истина, где s содержит t или где t – член списка",
        ],
        example: "contains(name, \"a\")",
        ..BASE
    },
    Function {
        name: "starts_with",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[TEXT, required("t", Takes::Text)],
        gives: Gives::Kind(Kind::Bool),
        meaning: ["true where s starts with t", "истина, где s начинается с t"],
        example: "starts_with(name, \"a\")",
        ..BASE
    },
    Function {
        name: "ends_with",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[TEXT, required("t", Takes::Text)],
        gives: Gives::Kind(Kind::Bool),
        meaning: ["true where s ends with t", "истина, где s кончается на t"],
        example: "ends_with(name, \"a\")",
        ..BASE
    },
    Function {
        name: "replace",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[TEXT, required("a", Takes::Text), required("b", Takes::Text)],
        gives: Gives::Kind(Kind::Text),
        meaning: ["every a in s becomes b", "каждое a в s становится b"],
        example: "replace(name, \"-\", \" \")",
        ..BASE
    },
    Function {
        name: "matches",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[TEXT, required("regex", Takes::Pattern)],
        gives: Gives::Kind(Kind::Bool),
        meaning: [
            "true where the regular expression is found anywhere in s",
            "истина, где регулярное выражение найдено где-либо в s",
        ],
        source: Some(
            "Syntax of the Rust crate `regex`, which takes linear time: no look-around, no \
             back-references; `^` and `$` are the ends of the text, `(?i)` ignores case",
        ),
        formula: Some("regex found anywhere in s"),
        example: "matches(name, \"^[A-Z]\")",
        ..BASE
    },
    Function {
        name: "substr",
        family: Family::Scalar,
        stand: Stand::Row,
        params: &[TEXT, required("start", Takes::Int), required("len", Takes::Int)],
        gives: Gives::Kind(Kind::Text),
        meaning: [
            "len characters of s from start on, which counts from 1",
            "len знаков из s, начиная со start, счёт с 1",
        ],
        formula: Some("the characters of s at start, …, start + len - 1 that exist"),
        source: Some("SQL:1999 `substring`; a negative len gives no characters"),
        example: "substr(name, 1, 3)",
        ..BASE
    },
];
