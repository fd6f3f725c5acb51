//! `get_receipts` and `get_receipt_items`.

use super::arguments::{GetReceiptItems, GetReceipts, ReceiptOrder, day};
use super::base::{self, Filter, Lost};
use super::named::{self, Beside};
use super::output::{cell, mark_cut, numbers, objects};
use super::{Done, Finished, Next, PurchaseCall, Statement, Told};
use crate::error::Diagnostic;
use crate::value::Value;
use serde_json::{Map, Value as Json, json};

pub(super) fn receipts(
    call: &PurchaseCall,
    args: &GetReceipts,
    done: &Done,
) -> Result<Next, Vec<Diagnostic>> {
    if !done.has("receipts") {
        let mut first = vec![base::receipts(call), Lost::Lines.count(call)];
        first.extend(args.shop.as_deref().map(|part| named::shops(call, part)));
        return Ok(Next::Run(first));
    }
    base::once_each(call, done)?;
    if done.has("totals") {
        return Ok(receipts_done(call, args, done).done());
    }
    let mut filter = Filter::default();
    let to = day(args.date_to.as_deref()).or_else(|| base::today(call, done));
    filter.within(day(args.date_from.as_deref()), to);
    filter.holding("r.shop", "shop", args.shop.as_deref());
    let conditions = filter.sql();
    // Lines are added up for receipts without a total alone, and counted for those that are listed.
    filter.only("{num r.total} IS NULL");
    let without_total = filter.sql();
    let found = format!(
        "WITH pack_added AS (SELECT {{l.receipt_id}} AS receipt, sum({{num l.amount}}) AS added \
         FROM {{receipt_items}} l JOIN {{receipts}} r ON {{same l.receipt_id r.id}}{without_total} \
         GROUP BY {{l.receipt_id}}), \
         pack_found AS (SELECT {{r.id}}, {{date r.receipt_date}} AS pack_date, \
         {{text r.shop}} AS pack_shop, coalesce({{num r.total}}, a.added, 0) AS pack_total \
         FROM {{receipts}} r LEFT JOIN pack_added a \
         ON {{same l.receipt_id r.id a.receipt}}{conditions})"
    );
    let order = match args.order_by {
        ReceiptOrder::DateDesc => "r.pack_date DESC NULLS LAST",
        ReceiptOrder::DateAsc => "r.pack_date ASC NULLS LAST",
        ReceiptOrder::TotalDesc => "r.pack_total DESC NULLS LAST",
        ReceiptOrder::TotalAsc => "r.pack_total ASC NULLS LAST",
    };
    let limit = most(args.limit);
    let list = format!(
        "{found}, pack_top AS (SELECT * FROM pack_found r \
         ORDER BY {order}, {{r.id}} ASC LIMIT {limit}), \
         pack_lines AS (SELECT {{l.receipt_id}} AS receipt, count(*) AS counted \
         FROM {{receipt_items}} l JOIN pack_top r ON {{same l.receipt_id r.id}} \
         GROUP BY {{l.receipt_id}}) \
         SELECT {{r.id}} AS id, r.pack_date AS date, r.pack_shop AS shop, r.pack_total AS total, \
         coalesce(a.counted, 0) AS items_count FROM pack_top r LEFT JOIN pack_lines a \
         ON {{same l.receipt_id r.id a.receipt}} ORDER BY {order}, {{r.id}} ASC"
    );
    let totals = if args.include_summary {
        " SELECT count(*) AS total_receipts, sum(pack_total) AS total_amount, \
         avg(pack_total) AS average_receipt, min(pack_date) AS period_from, \
         max(pack_date) AS period_to FROM pack_found"
    } else {
        " SELECT count(*) AS total_receipts FROM pack_found"
    };
    Ok(Next::Run(vec![
        call.statement("list", &list, filter.params.clone()),
        call.statement("totals", &format!("{found}{totals}"), filter.params),
    ]))
}

fn receipts_done(call: &PurchaseCall, args: &GetReceipts, done: &Done) -> Finished {
    let list = objects(done, "list", &["id", "date", "shop", "total", "items_count"]);
    let mut output = Map::new();
    let returned = list.len();
    output.insert("receipts".to_owned(), list.into());
    if let Some(totals) = done.first("totals") {
        mark_cut(&mut output, returned, totals.count("total_receipts"));
        if args.include_summary {
            let period = base::period(totals.date("period_from"), totals.date("period_to"));
            let summary = json!({
                "total_receipts": totals.count("total_receipts"),
                "total_amount": sum(&totals.get("total_amount")),
                "average_receipt": cell("average_receipt", &totals.get("average_receipt")),
                "period": period,
            });
            output.insert("summary".to_owned(), summary);
        }
    }
    let mut warnings = base::lost(call, done);
    let limits = args.date_from.is_some() || args.date_to.is_some();
    warnings
        .extend(base::undated(call, done).filter(|_| limits || base::today(call, done).is_some()));
    warnings.extend(named::warnings(done, None, args.shop.as_deref()));
    Finished {
        output: output.into(),
        list: Told::Ran("list"),
        total: Some(done.matched("totals")),
        named: None,
        totals: Some(Told::Ran("totals")),
        matched: done.matched("totals"),
        warnings,
    }
}

pub(super) fn lines(
    call: &PurchaseCall,
    args: &GetReceiptItems,
    done: &Done,
) -> Result<Next, Vec<Diagnostic>> {
    if !done.has("receipts") {
        let mut first = base::receipts_and_items(call);
        first.push(base::categories(call));
        first.extend([Lost::Lines, Lost::Items].map(|lost| lost.count(call)));
        first.extend(args.item_name.as_deref().map(|part| named::items(call, named::ITEMS, part)));
        first.extend(
            args.product_name.as_deref().map(|part| named::items(call, named::LIKE_CATEGORY, part)),
        );
        first.extend(args.shop.as_deref().map(|part| named::shops(call, part)));
        return Ok(Next::Run(first));
    }
    base::once_each(call, done)?;
    if done.has("totals") {
        return Ok(lines_done(call, args, done).done());
    }
    let categories = base::categories_named(done, args.product_name.as_deref());
    let mut filter = kept(call, args, done);
    filter.holding("i.name", "item", args.item_name.as_deref());
    filter.of_categories(categories.clone());
    let limit = most(args.limit);
    let (list, totals) = if args.group_by_item {
        let groups = format!(
            "{found}, pack_groups AS (SELECT item_id AS pack_key, sum(quantity) AS total_quantity, \
             sum(amount) AS total_amount, count(DISTINCT receipt_id) AS purchase_count, \
             count(*) AS found_lines, {ORPHANS} FROM pack_found GROUP BY item_id) ",
            found = base::found(&filter, ""),
            ORPHANS = base::ORPHANS,
        );
        (
            format!(
                "{groups}SELECT {{text i.name}} AS item_name, {{text p.name}} AS product_name, \
                 g.total_quantity AS total_quantity, g.total_amount AS total_amount, \
                 g.purchase_count AS purchase_count FROM pack_groups g{named} \
                 ORDER BY purchase_count DESC, total_amount DESC NULLS LAST, \
                 item_name ASC NULLS LAST, g.pack_key ASC LIMIT {limit}",
                named = base::NAMED,
            ),
            format!(
                "{groups}SELECT count(*) AS total_items, sum(total_amount) AS grand_total_amount, \
                 sum(orphan_lines) AS orphan_lines, sum(found_lines) AS found_lines \
                 FROM pack_groups"
            ),
        )
    } else {
        let order = "{date r.receipt_date} DESC NULLS LAST, {l.receipt_id} ASC, l.pack_line ASC";
        (
            // Names are looked up for the lines that are listed alone.
            format!(
                "WITH pack_top AS (SELECT l.* FROM {lines} l{joined}{conditions} \
                 ORDER BY {order} LIMIT {limit}) \
                 SELECT {{text i.name}} AS item_name, {{text p.name}} AS product_name, \
                 {{num l.quantity}} AS quantity, {{num l.price}} AS price, \
                 {{num l.amount}} AS amount, {{date r.receipt_date}} AS receipt_date, \
                 {{text r.shop}} AS shop FROM pack_top l{joined} \
                 LEFT JOIN {{products}} p ON {{same i.product_id p.id}} ORDER BY {order}",
                lines = numbered(call),
                joined = base::JOINED,
                conditions = filter.sql(),
            ),
            format!(
                "{}SELECT count(*) AS total_items, sum(amount) AS total_amount, {}, \
                 count(*) AS found_lines FROM pack_found",
                base::found(&filter, ""),
                base::ORPHANS,
            ),
        )
    };
    let mut statements = beside(call, args, done, categories);
    statements.push(call.statement("list", &list, filter.params.clone()));
    statements.push(call.statement("totals", &totals, filter.params));
    Ok(Next::Run(statements))
}

/// The lines of the receipts that a call asks for, whatever their items.
fn kept(call: &PurchaseCall, args: &GetReceiptItems, done: &Done) -> Filter {
    let mut filter = Filter::default();
    let mut to = day(args.date_to.as_deref());
    if let Some(id) = &args.receipt_id {
        filter.with("{id l.receipt_id} = $receipt", "receipt", id.to_string());
    } else {
        to = to.or_else(|| base::today(call, done));
    }
    filter.within(day(args.date_from.as_deref()), to);
    filter.holding("r.shop", "shop", args.shop.as_deref());
    filter
}

/// Statements that count what the names may stand for beside what was meant.
fn beside(
    call: &PurchaseCall,
    args: &GetReceiptItems,
    done: &Done,
    categories: Option<Vec<String>>,
) -> Vec<Statement> {
    let mut statements = Vec::new();
    let mut count = |beside: Beside, narrow: &dyn Fn(&mut Filter)| {
        let mut filter = kept(call, args, done);
        narrow(&mut filter);
        statements.push(named::bought(call, beside, filter));
    };
    if let Some(part) = &args.item_name {
        let parts = named::parts_of_words(done, part);
        if named::few(&parts) {
            count(Beside::Parts, &|filter| {
                filter.of_items(parts.clone());
                filter.of_categories(categories.clone());
            });
        }
        let within = named::categories(done, part);
        if categories.is_none() && !within.is_empty() {
            count(Beside::Within, &|filter| {
                filter.of_categories(Some(within.clone()));
                filter.without("i.name", "item", part);
            });
        }
    }
    if let (Some(part), Some(categories)) = (&args.product_name, &categories) {
        let outside = named::outside(done, part, categories);
        if named::few(&outside) {
            count(Beside::Outside, &|filter| {
                filter.of_items(outside.clone());
                filter.holding("i.name", "item", args.item_name.as_deref());
            });
        }
    }
    statements
}

/// The lines with their numbers: their order in the table is their order in the receipt.
fn numbered(call: &PurchaseCall) -> String {
    let mut columns = vec!["{l.receipt_id}", "{l.item_id}", "{l.quantity}", "{l.amount}"];
    if call.names.known("receipt_items", "price").is_some() {
        columns.push("{l.price}");
    }
    let columns = columns.join(", ");
    format!("(SELECT {columns}, row_number() OVER () AS pack_line FROM {{receipt_items}} l)")
}

fn lines_done(call: &PurchaseCall, args: &GetReceiptItems, done: &Done) -> Finished {
    let (names, total): (&[&str], &str) = if args.group_by_item {
        (
            &["item_name", "product_name", "total_quantity", "total_amount", "purchase_count"],
            "grand_total_amount",
        )
    } else {
        (
            &["item_name", "product_name", "quantity", "price", "amount", "receipt_date", "shop"],
            "total_amount",
        )
    };
    let list = objects(done, "list", names);
    let mut output = Map::new();
    let returned = list.len();
    output.insert("items".to_owned(), list.into());
    let mut warnings = base::lost(call, done);
    let until_today = args.receipt_id.is_none() && base::today(call, done).is_some();
    let limits = args.date_from.is_some() || args.date_to.is_some() || until_today;
    warnings.extend(base::undated(call, done).filter(|_| limits));
    let (mut count, mut lines, mut told) = (0, 0, None);
    if let Some(totals) = done.first("totals") {
        count = totals.count("total_items");
        lines = totals.count("found_lines");
        told = Some(Told::Made(numbers(totals, &["total_items", total])));
        output.insert("total_items".to_owned(), json!(count));
        output.insert(total.to_owned(), sum(&totals.get(total)));
        mark_cut(&mut output, returned, count);
        warnings.extend(base::orphans(call, totals.count("orphan_lines")));
    }
    let (product, shop) = (args.product_name.as_deref(), args.shop.as_deref());
    warnings.extend(named::warnings(done, product, shop));
    Finished {
        output: output.into(),
        list: Told::Ran("list"),
        total: Some(count),
        named: Some("item_name"),
        totals: told,
        matched: lines,
        warnings,
    }
}

/// A sum; that of nothing is zero.
pub(super) fn sum(value: &Value) -> Json {
    if value.is_null() { json!(0) } else { cell("", value) }
}

/// A limit as a statement takes it: no table has more rows.
pub(super) fn most(limit: u64) -> u64 {
    limit.min(u64::from(u32::MAX))
}
