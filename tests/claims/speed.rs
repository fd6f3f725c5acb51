//! A long answer about a result of many rows, to time the check with.

use pinhole::error::Locale;
use pinhole::facts::Outcome;
use pinhole::query::check::CheckedQuery;
use pinhole::query::{Query, check as check_query};
use pinhole::schema::{Column, Kind, TableSchema};
use pinhole::validate::Check;
use pinhole::validate::claims::{Context, check as check_claims};
use pinhole::value::{Rows, Value};
use std::fmt::Write;
use std::sync::Arc;

/// Rows that are computed, not kept: a customer, a city, an amount and a number of units.
#[derive(Debug)]
struct Made {
    columns: Vec<Column>,
    rows: usize,
}

const CITIES: [&str; 8] = ["Oslo", "Riga", "Kyiv", "Paris", "Lisbon", "Vienna", "Prague", "Dublin"];

fn amount(row: usize) -> f64 {
    (row.wrapping_mul(7919) % 1_000_003) as f64 / 100.0
}

fn units(row: usize) -> i64 {
    (row.wrapping_mul(104_729) % 97) as i64
}

impl Rows for Made {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn len(&self) -> usize {
        self.rows
    }

    fn value(&self, row: usize, column: usize) -> Value {
        match column {
            _ if row >= self.rows => Value::Null,
            0 => Value::Int(i64::try_from(row).unwrap_or(0)),
            1 => Value::text(CITIES[row % CITIES.len()]),
            2 => Value::Float(amount(row)),
            3 => Value::Int(units(row)),
            _ => Value::Null,
        }
    }
}

/// A result of `rows` rows: each sale with its city, amount and units.
pub fn evidence(rows: usize) -> Outcome {
    let schema = TableSchema {
        rows: rows as u64,
        ..TableSchema::new(
            "sales",
            vec![
                Column::new("id", Kind::Int),
                Column::new("city", Kind::Text),
                Column::new("amount", Kind::Float),
                Column::new("units", Kind::Int),
            ],
        )
    };
    let json = serde_json::json!({"columns": ["id", "city", "amount", "units"]});
    let query: CheckedQuery =
        check_query(&Query::from_json(&json).unwrap(), &[Arc::new(schema)]).unwrap();
    let columns = query.output().to_vec();
    let made = Made { columns: columns.iter().map(|c| c.column.clone()).collect(), rows };
    Outcome {
        id: "r1".to_owned(),
        query: Arc::new(query),
        columns,
        rows: Arc::new(made),
        rows_scanned: rows as u64,
        rows_matched: rows as u64,
        rows_before_limit: None,
        warnings: Vec::new(),
    }
}

/// An answer of about 300 words with at least 40 numbers about that result.
pub fn answer() -> String {
    let mut text =
        "Here is how the sales of the year went, city by city, as the table shows. ".to_owned();
    for (i, city) in CITIES.iter().enumerate() {
        let (mean, most) = (4_000 + 13 * i, 9_990 + i);
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "In {city} the mean amount came to {mean}.25 while the largest amount there was \
             {most}.5, the smallest amount only 0.{i}9, and a sale had {}.5 units on average with \
             {} units at most for the whole of the year. ",
            40 + i,
            90 + i
        );
    }
    text + "Overall the table holds 1,000,000 sales with a mean amount of 5,000.01."
}

/// Checks an answer against one result.
pub fn check(text: &str, outcome: &Outcome) -> Check {
    check_claims(text, &[outcome], &Context { question: None, locale: Locale::En })
}
