//! Reads a result once and makes its summary.

use super::display::{clean, cut, english, russian, shown};
use super::{
    Cell, ColumnStats, Common, Dict, Extreme, Grouped, MOST_GROUPS, Measure, Options, Scalar,
    Summary, TEXT_LENGTH, TableSummary,
};
use crate::error::Text;
use crate::facts::Outcome;
use crate::query::check::{ResultKind, Role, Warning};
use crate::value::Value;
use std::sync::Arc;

/// The summary of a result.
pub fn summarise(outcome: &Outcome, options: &Options) -> Summary {
    let mut common = Common {
        rows_scanned: outcome.rows_scanned,
        rows_matched: outcome.rows_matched,
        warnings: Vec::new(),
        id: outcome.id.clone(),
        query: Arc::clone(&outcome.query),
    };
    for warning in outcome.query.warnings().iter().chain(&outcome.warnings) {
        if !common.warnings.contains(warning) {
            common.warnings.push(warning.clone());
        }
    }
    common.warnings.extend(why_empty(outcome, &common.warnings));
    match outcome.kind() {
        ResultKind::Scalar => {
            let column = outcome.measures().first().copied().unwrap_or(0);
            let (name, value) = single(outcome, column);
            common.warnings.extend(why_null(outcome, column));
            Summary::Scalar(Scalar { value, name, common })
        }
        ResultKind::Dict => {
            let measures = outcome.measures();
            common.warnings.extend(measures.iter().filter_map(|&c| why_null(outcome, c)));
            let values = measures.into_iter().map(|c| single(outcome, c)).collect();
            Summary::Dict(Dict { values, common })
        }
        ResultKind::Table => table(outcome, common),
        ResultKind::Grouped => grouped(outcome, *options, common),
    }
}

/// The warning that explains an empty result, where no other does.
fn why_empty(outcome: &Outcome, said: &[Warning]) -> Option<Warning> {
    let explained = said.iter().any(|w| matches!(w.code, "filter_matched_nothing" | "no_rows"));
    if explained || outcome.rows_matched > 0 {
        return None;
    }
    let rows = outcome.rows_scanned;
    if rows == 0 {
        let message = crate::text!("there were no rows to read", "читать было нечего: строк нет");
        return Some(Warning { code: "no_rows", message });
    }
    let filter = cut(&clean(&outcome.query.filter()?.text), TEXT_LENGTH);
    let (en, ru) = (english(rows, "row", "rows"), russian(rows, ["строки", "строк", "строк"]));
    let message = crate::text!(
        "the filter `{filter}` matches none of {en}",
        "под условие `{filter}` не подходит ни одна из {ru}",
    );
    Some(Warning { code: "filter_matched_nothing", message })
}

/// The only value of a measure over all rows. Without a row, counts are zero.
fn single(outcome: &Outcome, column: usize) -> Cell {
    let Some(output) = outcome.columns.get(column) else { return (String::new(), Value::Null) };
    let counts =
        matches!(output.role, Role::Measure { aggregate: Some("count" | "count_distinct"), .. });
    let value = if outcome.rows.is_empty() && counts {
        Value::Int(0)
    } else {
        shown(&outcome.value(0, column), output.date_only)
    };
    (output.column.name.clone(), value)
}

/// The warning that explains a missing value over rows that are there.
fn why_null(outcome: &Outcome, column: usize) -> Option<Warning> {
    let output = outcome.columns.get(column)?;
    if outcome.rows_matched == 0 || !outcome.value(0, column).is_null() {
        return None;
    }
    let measure = column_name(outcome, column);
    let message = match &output.role {
        // These skip nulls: with a single value there would be a result.
        Role::Measure {
            aggregate: Some("mean" | "sum" | "min" | "max" | "median"),
            column: Some(of),
        } => {
            let of = cut(&clean(of), TEXT_LENGTH);
            crate::text!(
                "{measure} has no value: every {of} is null",
                "{measure} не имеет значения: {of} везде null"
            )
        }
        _ => crate::text!("{measure} has no value", "{measure} не имеет значения"),
    };
    Some(Warning { code: "null_measure", message })
}

/// The named cells of a row, in the order of `columns`.
fn cells(outcome: &Outcome, row: usize, columns: &[usize]) -> Vec<Cell> {
    columns
        .iter()
        .filter_map(|&c| {
            let output = outcome.columns.get(c)?;
            Some((output.column.name.clone(), shown(&outcome.value(row, c), output.date_only)))
        })
        .collect()
}

fn table(outcome: &Outcome, common: Common) -> Summary {
    let rows = outcome.rows.len();
    let stats = if rows == 0 { Vec::new() } else { outcome.summed_up() }
        .into_iter()
        .filter_map(|c| {
            let s = outcome.rows.stats(c);
            let stats = ColumnStats {
                min: shown(&s.min, false),
                max: shown(&s.max, false),
                mean: shown(&s.mean, false),
                nulls: s.nulls,
            };
            Some((outcome.columns.get(c)?.column.name.clone(), stats))
        })
        .collect();

    let told = outcome.telling();
    let first = if rows > 0 { cells(outcome, 0, &told) } else { Vec::new() };
    let last = if rows > 1 { cells(outcome, rows - 1, &told) } else { Vec::new() };

    Summary::Table(TableSummary {
        rows: rows as u64,
        rows_before_limit: outcome.rows_before_limit.filter(|&n| n > rows as u64),
        columns: outcome.columns.iter().map(|c| c.column.name.clone()).collect(),
        stats,
        first,
        last,
        common,
    })
}

fn grouped(outcome: &Outcome, options: Options, mut common: Common) -> Summary {
    let rows = outcome.rows.len();
    let keys = outcome.keys();
    let measures = outcome.measures();

    for &key in &keys {
        let nulls = outcome.rows.nulls(key);
        if nulls > 0 {
            common.warnings.push(no_key(nulls, outcome, key));
        }
    }
    let mut described = Vec::with_capacity(measures.len());
    for &m in &measures {
        let nulls = outcome.rows.nulls(m);
        if nulls > 0 {
            common.warnings.push(no_value(nulls, outcome, m));
        }
        let name = outcome.columns.get(m).map(|o| o.column.name.clone()).unwrap_or_default();
        let (min, max) = outcome.extremes(m, |_| true);
        described.push(Measure {
            name,
            min: extreme(outcome, &keys, m, min),
            max: extreme(outcome, &keys, m, max),
        });
    }
    if described.is_empty() {
        let name = outcome.query.measures().first().map(|m| m.name.clone()).unwrap_or_default();
        described.push(Measure { name, min: None, max: None });
    }

    let mut groups = None;
    if options.all_groups {
        if rows > MOST_GROUPS {
            common.warnings.push(too_many(rows as u64));
        } else {
            let every: Vec<usize> = keys.iter().chain(&measures).copied().collect();
            groups = Some((0..rows).map(|row| cells(outcome, row, &every)).collect());
        }
    }
    Summary::Grouped(Grouped {
        rows: rows as u64,
        rows_before_limit: outcome.rows_before_limit.filter(|&n| n > rows as u64),
        suppressed: 0,
        by: keys_of(outcome, &keys),
        measures: described,
        groups,
        keys: keys.len(),
        common,
    })
}

/// The names of the keys; those of a statement of SQL are the columns that it shows.
fn keys_of(outcome: &Outcome, shown: &[usize]) -> Vec<String> {
    match outcome.query.keys() {
        [] => shown.iter().map(|&key| column_name(outcome, key)).collect(),
        keys => keys.iter().map(|key| key.name.clone()).collect(),
    }
}

fn extreme(
    outcome: &Outcome,
    keys: &[usize],
    measure: usize,
    found: Option<(usize, u64)>,
) -> Option<Extreme> {
    let (row, ties) = found?;
    let columns: Vec<usize> = keys.iter().copied().chain([measure]).collect();
    Some(Extreme { cells: cells(outcome, row, &columns), ties })
}

fn no_key(groups: u64, outcome: &Outcome, key: usize) -> Warning {
    let key = column_name(outcome, key);
    let en = if groups == 1 { "1 group has".to_owned() } else { format!("{groups} groups have") };
    let ru = russian(groups, ["группа", "группы", "групп"]);
    let native = key.chars().any(|c| matches!(c, 'а'..='я' | 'А'..='Я' | 'ё' | 'Ё'));
    let none = if native { format!("значения «{key}»") } else { key.clone() };
    Warning { code: "null_key", message: crate::text!("{en} no {key}", "{ru} без {none}") }
}

fn no_value(groups: u64, outcome: &Outcome, measure: usize) -> Warning {
    let measure = column_name(outcome, measure);
    let en = english(groups, "group", "groups");
    let ru = russian(groups, ["группе", "группах", "группах"]);
    let message: Text =
        crate::text!("{measure} has no value in {en}", "{measure} не имеет значения в {ru}");
    Warning { code: "null_measure", message }
}

fn too_many(groups: u64) -> Warning {
    let ru = russian(groups, ["группа", "группы", "групп"]);
    let message = crate::text!(
        "{groups} groups are too many to list, the most is {MOST_GROUPS}",
        "{ru} — слишком много для перечисления, предел {MOST_GROUPS}",
    );
    Warning { code: "too_many_groups", message }
}

fn column_name(outcome: &Outcome, column: usize) -> String {
    let name = outcome.columns.get(column).map(|o| o.column.name.as_str()).unwrap_or_default();
    cut(&clean(name), TEXT_LENGTH)
}
