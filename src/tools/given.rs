//! The arguments of a call as they come: JSON, or JSON as a text once more.

use crate::error::{Code, Diagnostic};
use serde_json::{Map, Value};

/// The arguments as an object, without those of the schema that are null: they count as left out.
///
/// # Errors
/// Those of [`object`].
pub(super) fn parse(json: &str, schema: &Value) -> Result<Map<String, Value>, Vec<Diagnostic>> {
    let mut map = object(json)?;
    map.retain(|name, value| !value.is_null() || schema["properties"].get(name).is_none());
    Ok(map)
}

/// The arguments as an object. A model may send nothing, the object, or the object as a text once
/// more.
///
/// # Errors
/// `malformed_arguments`, with where the JSON breaks.
pub(super) fn object(json: &str) -> Result<Map<String, Value>, Vec<Diagnostic>> {
    let json = json.trim();
    if json.is_empty() {
        return Ok(Map::new());
    }
    let mut value: Value = serde_json::from_str(json).map_err(|e| vec![malformed(&e)])?;
    if let Value::String(inner) = &value {
        value = serde_json::from_str(inner).map_err(|e| vec![malformed(&e)])?;
    }
    match value {
        Value::Object(map) => Ok(map),
        Value::Null => Ok(Map::new()),
        _ => Err(vec![Diagnostic::new(
            Code::MalformedArguments,
            text!("the arguments must be a JSON object", "аргументы должны быть объектом JSON"),
        )]),
    }
}

fn malformed(e: &serde_json::Error) -> Diagnostic {
    let (line, column) = (e.line(), e.column());
    Diagnostic::new(
        Code::MalformedArguments,
        text!(
            "the arguments are not valid JSON: they break at line {line}, column {column}",
            "аргументы – не JSON: ошибка в строке {line}, столбце {column}"
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::parse;
    use crate::error::Code;
    use serde_json::json;

    #[test]
    fn parsing() {
        let schema = json!({"properties": {"title": {"type": "string"}}});
        let parse = |json| parse(json, &schema);
        for empty in ["", "  ", "null", "{}", "{\"title\":null}", "\"{}\""] {
            assert_eq!(parse(empty).map(|m| m.len()), Ok(0), "{empty}");
        }
        // What the tool does not have is told whatever it is.
        for one in ["\"{\\\"limit\\\":1}\"", "{\"limit\":null}"] {
            assert_eq!(parse(one).map(|m| m.len()), Ok(1), "{one}");
        }
        for bad in ["{", "{\"a\":}", "[]", "1", "\"x\"", "{'a':1}"] {
            assert_eq!(parse(bad).expect_err(bad)[0].code, Code::MalformedArguments);
        }
    }
}
