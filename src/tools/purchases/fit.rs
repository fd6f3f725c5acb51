//! Whether the loaded tables of purchases fit together: ids that are missing or repeat, and keys
//! that name rows which are not there. It is asked by the page, never by a model.

use super::base::{self, Lost};
use super::{Context, Done, Finished, LABELS, Next, PURCHASES, PurchaseCall, Request, Told};
use crate::engine::Derived;
use crate::error::Diagnostic;
use crate::query::check::{ResultKind, Warning};
use crate::schema::{Column, Kind};
use crate::value::Value;
use serde_json::{Value as Json, json};

/// All that it may read: keys, and the days of receipts, which tools ask for with their keys.
const READ: [&str; 11] = [
    "r.id",
    "r.receipt_date",
    "l.receipt_id",
    "l.item_id",
    "i.id",
    "i.product_id",
    "p.id",
    "p.parent_id",
    "b.id",
    "t.item_id",
    "t.label_id",
];

/// Tables whose rows others name, and what statements call them.
const NAMED: [(&str, &str); 4] =
    [("receipts", "r"), ("items", "i"), ("products", "p"), ("labels", "b")];

/// A call that looks at the keys of the loaded tables; its whole answer is the `output` of the
/// result. Tables of labels are looked at where they are there.
///
/// # Errors
/// Everything that a tool for purchases would miss: tables, columns, kinds.
pub fn fit(context: &Context) -> Result<PurchaseCall, Vec<Diagnostic>> {
    super::call("check_purchases", context, (&PURCHASES, &READ), Request::Fit)
}

pub(super) fn check(call: &PurchaseCall, done: &Done) -> Next {
    let labelled = call.names.has(&LABELS);
    let named = NAMED.iter().filter(|(table, _)| labelled || *table != "labels");
    let keys = Lost::ALL.into_iter().filter(|key| labelled || !key.of_labels());
    if !done.has("receipts") {
        // As the tools ask: what is found here they need not find again.
        let ids = named.map(|(table, alias)| match *table {
            "receipts" => base::receipts(call),
            table => base::ids(call, table, alias, ""),
        });
        return Next::Run(ids.chain(keys.map(|key| key.count(call))).collect());
    }
    let mut tables = Vec::new();
    let mut warnings = Vec::new();
    for (table, _) in named {
        let Some(row) = done.first(table) else { continue };
        let (rows, keyed, ids) = (row.count("all_rows"), row.count("rows"), row.count("ids"));
        let (without, repeated) = (rows.saturating_sub(keyed), keyed.saturating_sub(ids));
        let name = call.names.title(table);
        warnings.extend(unkeyed(&name, without, repeated));
        tables.push(json!({
            "table": table,
            "name": name,
            "rows": rows,
            "without_id": without,
            "repeated_ids": repeated,
        }));
    }
    let mut orphans = Vec::new();
    let mut rows = Vec::new();
    for key in keys {
        let lost = done.first(key.name()).map_or(0, |row| row.count("lost"));
        if lost == 0 {
            continue;
        }
        let (table, column, to) = key.ends();
        orphans.push(json!({"table": table, "column": column, "names": to, "rows": lost}));
        let count = Value::Int(i64::try_from(lost).unwrap_or(i64::MAX));
        rows.push(vec![Value::text(table), Value::text(column), Value::text(to), count]);
    }
    warnings.extend(base::lost(call, done));
    let columns = [("table", Kind::Text), ("column", Kind::Text), ("names", Kind::Text)];
    let mut columns: Vec<Column> = columns.map(|(name, kind)| Column::new(name, kind)).into();
    columns.push(Column::new("rows", Kind::Int));
    let matched = rows.len() as u64;
    let finished = Finished {
        output: json!({"tables": Json::Array(tables), "orphans": Json::Array(orphans)}),
        list: Told::Made(Derived { kind: ResultKind::Table, columns, rows }),
        total: None,
        named: None,
        totals: None,
        matched,
        warnings,
    };
    finished.done()
}

fn unkeyed(table: &str, without: u64, repeated: u64) -> Vec<Warning> {
    let mut out = Vec::new();
    if without > 0 {
        out.push(Warning {
            code: "without_id",
            message: text!(
                "rows of `{table}` without an id: {without}; nothing can name them",
                "строк в `{table}` без id: {without}; на них нельзя сослаться"
            ),
        });
    }
    if repeated > 0 {
        out.push(Warning {
            code: "repeated_ids",
            message: text!(
                "rows of `{table}` that repeat an id: {repeated}; the tools refuse to count rows twice",
                "строк в `{table}` с повторным id: {repeated}; инструменты не станут считать их дважды"
            ),
        });
    }
    out
}
