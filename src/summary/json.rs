//! The JSON form of a summary, fields in the documented order.

use super::{Cell, Common, Extreme, Grouped, MOST_COLUMNS, Measure, Summary, TableSummary};
use crate::error::Locale;
use serde_json::{Map, Value as Json};

/// The object of a summary.
pub(super) fn encode(summary: &Summary, locale: Locale) -> Json {
    let mut out = Map::new();
    match summary {
        Summary::Scalar(s) => {
            put(&mut out, "type", "scalar");
            put(&mut out, "value", s.value.to_json());
            put(&mut out, "name", s.name.as_str());
            common(&mut out, &s.common, locale);
        }
        Summary::Dict(s) => {
            put(&mut out, "type", "dict");
            put(&mut out, "values", cells(&s.values));
            common(&mut out, &s.common, locale);
        }
        Summary::Table(s) => table(&mut out, s, locale),
        Summary::Grouped(s) => grouped(&mut out, s, locale),
    }
    Json::Object(out)
}

fn table(out: &mut Map<String, Json>, s: &TableSummary, locale: Locale) {
    put(out, "type", "table");
    put(out, "rows", s.rows);
    if let Some(n) = s.rows_before_limit {
        put(out, "rows_before_limit", n);
    }
    let mut names: Vec<String> = s.columns.iter().take(MOST_COLUMNS).cloned().collect();
    if s.columns.len() > MOST_COLUMNS {
        names.push(format!("+{} more", s.columns.len() - MOST_COLUMNS));
    }
    put(out, "columns", names);
    if !s.stats.is_empty() {
        let mut stats = Map::new();
        for (name, column) in &s.stats {
            let mut one = Map::new();
            put(&mut one, "min", column.min.to_json());
            put(&mut one, "max", column.max.to_json());
            put(&mut one, "mean", column.mean.to_json());
            if column.nulls > 0 {
                put(&mut one, "nulls", column.nulls);
            }
            stats.insert(name.clone(), Json::Object(one));
        }
        put(out, "stats", Json::Object(stats));
    }
    if !s.first.is_empty() {
        put(out, "first", cells(&s.first));
    }
    if !s.last.is_empty() {
        put(out, "last", cells(&s.last));
    }
    common(out, &s.common, locale);
}

fn grouped(out: &mut Map<String, Json>, s: &Grouped, locale: Locale) {
    put(out, "type", "grouped");
    put(out, "rows", s.rows);
    if let Some(n) = s.rows_before_limit {
        put(out, "rows_before_limit", n);
    }
    if s.suppressed > 0 {
        put(out, "suppressed_groups", s.suppressed);
    }
    match s.by.as_slice() {
        [one] => put(out, "by", one.as_str()),
        several => put(out, "by", several.to_vec()),
    }
    if let Some(first) = s.measures.first() {
        put(out, "measure", first.name.as_str());
        extremes(out, first);
    }
    if s.measures.len() > 1 {
        let mut all = Map::new();
        for measure in &s.measures {
            let mut one = Map::new();
            extremes(&mut one, measure);
            all.insert(measure.name.clone(), Json::Object(one));
        }
        put(out, "extremes", Json::Object(all));
    }
    if let Some(groups) = &s.groups {
        put(out, "groups", groups.iter().map(|g| cells(g)).collect::<Vec<_>>());
    }
    common(out, &s.common, locale);
}

fn extremes(out: &mut Map<String, Json>, measure: &Measure) {
    for (name, extreme) in [("min", &measure.min), ("max", &measure.max)] {
        if let Some(extreme) = extreme {
            put(out, name, self::extreme(extreme));
        }
    }
}

fn extreme(extreme: &Extreme) -> Json {
    let mut row = cells(&extreme.cells);
    if extreme.ties > 1 {
        // A column of that name keeps it.
        let name = if row.contains_key("ties") { "tied_groups" } else { "ties" };
        put(&mut row, name, extreme.ties);
    }
    Json::Object(row)
}

fn common(out: &mut Map<String, Json>, common: &Common, locale: Locale) {
    put(out, "rows_scanned", common.rows_scanned);
    put(out, "rows_matched", common.rows_matched);
    if !common.warnings.is_empty() {
        let warnings: Vec<Json> = common
            .warnings
            .iter()
            .map(|w| serde_json::json!({"code": w.code, "message": w.message.get(locale)}))
            .collect();
        put(out, "warnings", warnings);
    }
}

fn cells(cells: &[Cell]) -> Map<String, Json> {
    cells.iter().map(|(name, value)| (name.clone(), value.to_json())).collect()
}

fn put(out: &mut Map<String, Json>, name: &str, value: impl Into<Json>) {
    out.insert(name.to_owned(), value.into());
}
