//! Questions that a table can answer, made from its schema and tried on the planner itself.

use super::{Context, Status, attempt};
use crate::error::Locale;
use crate::schema::{Column, Kind, TableSchema};
use std::sync::Arc;

/// Most questions.
const MOST: usize = 6;

/// Three to six questions in `locale` that the planner answers over this table; fewer where the
/// table has too little to ask about.
pub fn suggest(table: &TableSchema, locale: Locale) -> Vec<String> {
    let tables = [Arc::new(table.clone())];
    let context = Context { table: Some(&table.name), previous: None, locale: Some(locale) };
    let mut chosen: Vec<String> = Vec::new();
    for question in candidates(table, locale) {
        if chosen.len() == MOST {
            break;
        }
        if chosen.contains(&question) {
            continue;
        }
        if attempt(&question, &tables, &context).plan.status == Status::Ready {
            chosen.push(question);
        }
    }
    chosen
}

/// The year that the data ends in.
fn last_year(table: &TableSchema) -> Option<i32> {
    use chrono::Datelike;
    crate::value::Value::Date(table.dates()?.1).date().map(|d| d.year())
}

/// Questions worth trying, the best first.
fn candidates(table: &TableSchema, locale: Locale) -> Vec<String> {
    let mut list: Vec<String> = Vec::new();
    let en = locale == Locale::En;
    let mut ask = |english: String, russian: String| list.push(if en { english } else { russian });
    let bars = table.ohlcv.is_some() && table.time.is_some();
    if bars {
        ask("average gap by weekday".into(), "средний гэп по дням недели".into());
        ask(
            "how many days did the market fall more than 2%".into(),
            "сколько дней рынок упал больше чем на 2%".into(),
        );
        ask("top 10 days by range".into(), "топ-10 дней по диапазону".into());
        if let Some(volume) = table.ohlcv.as_ref().and_then(|o| o.volume.as_ref()) {
            if table.is_intraday() {
                ask(format!("average {volume} by hour"), format!("средний {volume} по часам"));
            } else {
                ask(format!("average {volume} by month"), format!("средний {volume} по месяцам"));
            }
        }
        ask("median range by month".into(), "медианный диапазон по месяцам".into());
        ask("how many inside days by year".into(), "сколько внутренних дней по годам".into());
    }
    let said = |c: &Column| c.label.clone().unwrap_or_else(|| c.name.replace('_', " "));
    let in_bars = |c: &Column| {
        table.ohlcv.as_ref().is_some_and(|o| {
            [&o.open, &o.high, &o.low, &o.close].contains(&&c.name)
                || o.volume.as_ref() == Some(&c.name)
        })
    };
    let measures: Vec<String> = table
        .columns
        .iter()
        .filter(|c| c.kind.is_numeric() && !in_bars(c) && !c.name.to_lowercase().ends_with("id"))
        .take(3)
        .map(said)
        .collect();
    let groups: Vec<&Column> = table
        .columns
        .iter()
        .filter(|c| c.kind == Kind::Text && (c.values.is_some() || table.columns.len() < 20))
        .take(3)
        .collect();
    for (measure, group) in measures.iter().zip(groups.iter().cycle()) {
        let group = said(group);
        ask(format!("average {measure} by {group}"), format!("среднее {measure} по {group}"));
    }
    if let (Some(measure), Some(group)) = (measures.first(), groups.first()) {
        let name = said(group);
        ask(
            format!("which {name} has the highest total {measure}"),
            format!("топ-3 {name} по сумме {measure}"),
        );
        if let Some(value) = group.values.iter().flatten().next() {
            ask(
                format!("how many rows where {name} is \"{value}\""),
                format!("сколько строк, где {name} = \"{value}\""),
            );
        }
    }
    if table.time.is_some()
        && let Some(measure) = measures.first()
    {
        if let Some(year) = last_year(table) {
            ask(format!("average {measure} in {year}"), format!("среднее {measure} за {year} год"));
        }
        ask(format!("total {measure} by month"), format!("сумма {measure} по месяцам"));
    }
    for measure in &measures {
        ask(format!("max {measure}"), format!("максимум {measure}"));
    }
    for group in &groups {
        let name = said(group);
        ask(format!("how many rows by {name}"), format!("сколько строк по {name}"));
    }
    ask("how many rows".into(), "сколько строк".into());
    list
}
