//! How long a summary is: the same for ten rows and for ten million, and within a budget of tokens
//! that a public tokenizer counts.

use super::{FILES, texts};
use pinhole::error::Locale;
use pinhole::facts::Outcome;
use pinhole::query::check_json;
use pinhole::schema::{Column, Kind, TableSchema};
use pinhole::summary::{BUDGET, BUDGET_ALL_GROUPS, Options, estimate_tokens, preview, summarise};
use pinhole::value::{Rows, Value};
use serde_json::json;
use std::sync::Arc;
use tiktoken_rs::o200k_base_singleton;

/// Tokens as OpenAI's public `o200k_base` counts them.
fn tokens(text: &str) -> usize {
    o200k_base_singleton().encode_ordinary(text).len()
}

/// Rows that are made when they are looked at.
struct Made {
    columns: Vec<Column>,
    rows: usize,
}

impl Rows for Made {
    fn columns(&self) -> &[Column] {
        &self.columns
    }

    fn len(&self) -> usize {
        self.rows
    }

    fn value(&self, row: usize, column: usize) -> Value {
        match self.columns.get(column).map(|c| c.kind) {
            Some(Kind::Int) => Value::Int((row * 7919 + column) as i64),
            Some(Kind::Float) => Value::Float((row * 7919 + column) as f64 / 7.0),
            _ => Value::text(format!("значение {row} of column {column}")),
        }
    }
}

/// The result of `query` as if it had that many rows.
fn made(query: &serde_json::Value, columns: usize, rows: usize) -> Outcome {
    let kinds = [Kind::Text, Kind::Float, Kind::Int];
    let names = (0..columns).map(|i| (format!("a column called number {i}"), kinds[i % 3]));
    let columns = names.map(|(name, kind)| Column::new(name, kind)).collect();
    let schema = Arc::new(TableSchema::new("made", columns));
    let checked = Arc::new(check_json(query, std::slice::from_ref(&schema)).expect("a query"));
    let columns = checked.output().to_vec();
    let plain = columns.iter().map(|c| c.column.clone()).collect();
    Outcome {
        id: "r1".into(),
        query: checked,
        columns,
        rows: Arc::new(Made { columns: plain, rows }),
        rows_scanned: rows as u64,
        rows_matched: rows as u64,
        rows_before_limit: None,
        warnings: Vec::new(),
    }
}

#[test]
fn ten_million_rows_take_no_more_than_ten() {
    let number = "`a column called number 1`";
    let rows_of = json!({"map": {"twice": format!("{number} * 2")}, "sort": number});
    let groups = json!({
        "group_by": "`a column called number 0`",
        "select": [format!("mean({number})"), "sum(`a column called number 2`)"],
    });
    let few: &[usize] = &[0, 1, 10, 24, 10_000];
    for (columns, rows) in [(5, few), (50, few), (2000, few), (5, &[10_000_000])] {
        for (query, all_groups) in [(&rows_of, false), (&groups, false), (&groups, true)] {
            for &rows in rows.iter().filter(|&&n| n < 1_000_000 || query == &rows_of) {
                let outcome = made(query, columns, rows);
                let summary = summarise(&outcome, &Options { all_groups });
                // More groups than that are not listed, asked for or not.
                let budget = if all_groups { BUDGET_ALL_GROUPS } else { BUDGET };
                for locale in [Locale::En, Locale::Ru] {
                    let text = summary.model_text(locale);
                    assert!(tokens(&text) <= budget, "{columns} x {rows}: {text}");
                }
            }
        }
    }
}

#[test]
fn previews_of_many_rows_and_columns_are_within_the_budget() {
    for (columns, rows) in [(5, 10), (5, 100_000), (50, 10_000), (2000, 10), (2000, 200)] {
        let outcome = made(&json!({}), columns, rows);
        let numbers: Vec<usize> = (0..outcome.columns.len()).collect();
        for locale in [Locale::En, Locale::Ru] {
            let text = preview(&outcome, &numbers, locale);
            assert!(tokens(&text) <= BUDGET, "{columns} x {rows}: {text}");
        }
    }
}

/// Fifty computed columns, a hundred aggregates: what is long is cut.
#[test]
fn wide_results_are_within_the_budget() {
    for (rows, columns) in [(0, 5), (1, 5), (10, 2000), (30, 2000), (400, 5)] {
        let table = super::wide(rows, columns);
        let names = table.schema.columns.iter().map(|c| c.name.clone()).collect::<Vec<_>>();
        let map: serde_json::Map<String, serde_json::Value> = (0..50)
            .map(|i| (format!("computed_column_{i}"), format!("id * {i}.5").into()))
            .collect();
        let select: Vec<String> =
            (0..columns.min(300)).step_by(3).map(|i| format!("mean(`{}`)", names[i])).collect();
        for (query, all) in [
            (json!({}), false),
            (json!({"map": map, "sort": "id desc"}), false),
            (json!({"select": select}), false),
            (json!({"group_by": ["id", names[1]], "select": select}), false),
            (json!({"group_by": "id", "select": select, "limit": 24}), true),
        ] {
            let (summary, preview) = texts(&table, &query, all);
            let budget = if all { BUDGET_ALL_GROUPS } else { BUDGET };
            // Warnings are never cut.
            if !summary.contains("warning: ") && !summary.contains("предупреждение: ")
            {
                assert!(tokens(&summary) <= budget, "{rows} x {columns}: {summary}");
            }
            assert!(tokens(&preview) <= BUDGET, "{rows} x {columns}: {preview}");
        }
    }
}

/// What is cut is cut by an estimate that needs no vocabulary: it is never too low.
#[test]
fn no_text_has_more_tokens_than_estimated() {
    let mut low = Vec::new();
    for (_, text) in FILES {
        let texts = super::sections(text).into_iter().chain(text.lines());
        low.extend(texts.filter(|t| tokens(t) > estimate_tokens(t)));
    }
    for t in &low {
        println!("{} {} {t}", tokens(t), estimate_tokens(t));
    }
    assert!(low.is_empty(), "{low:#?}");
}
