//! Any table as a result that texts are checked against, whoever made it: no query, no engine.

use crate::error::{Code, Diagnostic, Result};
use crate::facts::Outcome;
use crate::query::{Query, check};
use crate::schema::{Column, Kind, TableSchema};
use crate::value::{Table, Value};
use chrono::{NaiveDate, NaiveDateTime};
use serde_json::Value as Json;
use std::sync::Arc;

/// `table` as a result: references and facts name it by `id`. Its rows are told apart by its time,
/// where one column holds dates, and else by its text columns; every number is the cell of a row, or
/// follows from several.
///
/// # Errors
/// A name is empty or stands twice.
pub fn result(id: &str, table: Table) -> Result<Outcome> {
    let mut schema = TableSchema::new(id, table.columns.clone());
    schema.rows = table.rows.len() as u64;
    let times = table.columns.iter().filter(|c| matches!(c.kind, Kind::Date | Kind::Timestamp));
    if let [time] = times.collect::<Vec<_>>().as_slice() {
        schema.time = Some(time.name.clone());
    }
    let mut names: Vec<&str> = table.columns.iter().map(|c| c.name.as_str()).collect();
    names.sort_unstable();
    let twice = names.windows(2).any(|pair| pair[0] == pair[1]);
    if id.is_empty() || names.is_empty() || names.contains(&"") || twice {
        let message = text!(
            "a table and each of its columns need a name of their own",
            "таблице и каждому её столбцу нужно своё имя"
        );
        return Err(Diagnostic::new(Code::BadOption, message).at("/tables").into());
    }
    let query = Query { table: Some(id.to_owned()), ..Query::default() };
    let query = Arc::new(check(&query, &[Arc::new(schema)])?);
    let rows = table.rows.len() as u64;
    Ok(Outcome {
        id: id.to_owned(),
        columns: query.output().to_vec(),
        query,
        rows: Arc::new(table),
        rows_scanned: rows,
        rows_matched: rows,
        rows_before_limit: None,
        warnings: Vec::new(),
    })
}

/// Rows as objects, or one of them, as a table: every name that occurs is a column. Errors say that they
/// stand `at` this place.
///
/// # Errors
/// A row is no object.
pub fn from_json(data: &Json, at: &str) -> Result<Table> {
    let one = std::slice::from_ref(data);
    let rows = data.as_array().map_or(one, Vec::as_slice);
    // A column of nulls has no kind yet.
    let mut columns: Vec<(String, Option<Kind>)> = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let Some(fields) = row.as_object() else {
            let message = text!(
                "rows are a list of objects, or the id of a result stands there",
                "строки — это список объектов, или на их месте стоит id результата"
            );
            return Err(Diagnostic::new(Code::BadOption, message).at(format!("{at}/{i}")).into());
        };
        for (name, value) in fields {
            let kind = kind(&cell(value));
            match columns.iter_mut().find(|(own, _)| own == name) {
                Some((_, own @ None)) => *own = kind,
                Some((_, Some(own))) if *own == Kind::Int && kind == Some(Kind::Float) => {
                    *own = Kind::Float;
                }
                Some(_) => {}
                None => columns.push((name.clone(), kind)),
            }
        }
    }
    let cells = |row: &Json| {
        columns.iter().map(|(c, _)| row.get(c).map_or(Value::Null, cell)).collect::<Vec<_>>()
    };
    let rows = rows.iter().map(cells).collect();
    let columns =
        columns.iter().map(|(name, kind)| Column::new(name, kind.unwrap_or(Kind::Float))).collect();
    Ok(Table { columns, rows })
}

fn kind(value: &Value) -> Option<Kind> {
    Some(match value {
        Value::Null => return None,
        Value::Bool(_) => Kind::Bool,
        Value::Int(_) => Kind::Int,
        Value::Float(_) => Kind::Float,
        Value::Decimal(x) => Kind::Decimal(x.scale()),
        Value::Text(_) => Kind::Text,
        Value::Date(_) => Kind::Date,
        Value::Timestamp(_) => Kind::Timestamp,
        Value::List(_) => return value.kind(),
    })
}

/// A value of JSON; texts that are ISO dates and times are moments.
fn cell(value: &Json) -> Value {
    match value {
        Json::Bool(b) => Value::Bool(*b),
        Json::Number(n) => {
            n.as_i64().map_or_else(|| n.as_f64().map_or(Value::Null, Value::float), Value::Int)
        }
        Json::String(text) => {
            if let Ok(date) = text.parse::<NaiveDate>() {
                return Value::from_date(date);
            }
            let plain = text.trim_end_matches('Z').replacen(' ', "T", 1);
            match plain.parse::<NaiveDateTime>() {
                Ok(moment) => Value::from_datetime(moment),
                Err(_) => Value::text(text),
            }
        }
        Json::Null | Json::Array(_) | Json::Object(_) => Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::{from_json, result};
    use crate::error::Locale;
    use crate::facts::Outcome;
    use crate::schema::Kind;
    use crate::validate::claims::{Context, check};
    use crate::validate::{Verdict, render};
    use serde_json::{Value as Json, json};

    fn sales() -> Outcome {
        let rows = json!([
            {"shop": null, "amount": null},
            {"shop": "Kuper", "amount": 25, "day": "2024-03-01"},
            {"shop": "Vkusno", "amount": 31.5, "day": "2024-03-02"},
        ]);
        let table = from_json(&rows, "").expect("a table");
        let kinds: Vec<Kind> = table.columns.iter().map(|c| c.kind).collect();
        assert_eq!(kinds, [Kind::Text, Kind::Float, Kind::Date]);
        result("sales", table).expect("a result")
    }

    #[test]
    fn a_text_is_checked_against_a_table_that_no_query_made() {
        let sales = sales();
        for (text, verdict, actual) in [
            ("Kuper sold for 25.", Verdict::Verified, None),
            ("The amount at Kuper was 31.5.", Verdict::Contradicted, Some("25.0")),
            ("The largest amount was 31.5.", Verdict::Verified, None),
            ("The difference between Vkusno and Kuper in amount is 6.5.", Verdict::Derived, None),
            ("The price at Kuper was 70.", Verdict::Unverifiable, None),
        ] {
            let found = check(text, &[&sales], &Context::default());
            let last = found.claims.last().unwrap_or_else(|| panic!("{text}: no claim"));
            assert_eq!((last.verdict, last.actual.as_deref()), (verdict, actual), "{text}");
            if let Some(fact) = &last.fact {
                assert_eq!(fact.result, "sales");
            }
        }
        let text = "{{sales[shop=Kuper].amount}} and {{sales.rows}}";
        assert_eq!(render(text, &[&sales], Locale::En).text, "25 and 3");
    }

    #[test]
    fn names_are_needed() {
        let table = |json: Json| from_json(&json, "").expect("a table");
        assert!(result("", table(json!([{"a": 1}]))).is_err());
        assert!(result("t", table(json!([{"": 1}]))).is_err());
        assert!(result("t", table(json!([]))).is_err());
        assert!(from_json(&json!([1]), "").is_err());
        let mut twice = table(json!([{"a": 1, "b": 2}]));
        twice.columns[1].name = "a".into();
        assert!(result("t", twice).is_err());
    }
}
