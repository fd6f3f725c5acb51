//! `get_receipts` and `get_receipt_items`.

use super::arguments::{GetReceiptItems, GetReceipts, ReceiptOrder, day};
use super::base::{self, Filter, Lost};
use super::named::{self, Beside};
use super::output::{cell, mark_cut, numbers, objects};
use super::{Done, Finished, Next, PurchaseCall, Statement, Told};
use crate::error::Diagnostic;
use crate::query::check::Warning;
use crate::value::Value;
use serde_json::{Map, Value as Json, json};

pub(super) fn receipts(
    call: &PurchaseCall,
    args: &GetReceipts,
    done: &Done,
) -> Result<Next, Vec<Diagnostic>> {
    if !done.has("receipts") {
        let mut first = vec![base::receipts(call), Lost::Lines.count(call)];
        first.extend(args.shop.as_ref().map(|_| named::shops(call)));
        return Ok(Next::Run(first));
    }
    base::once_each(call, done)?;
    if done.has("totals") {
        return Ok(receipts_done(call, args, done).done());
    }
    let mut filter = Filter::default();
    let to = day(args.date_to.as_deref()).or_else(|| base::today(call, done));
    filter.within(done, "v.day", day(args.date_from.as_deref()), to);
    let shops = named::shops_holding(done, args.shop.as_deref());
    let folded = "replace(lower(CAST(v.shop AS VARCHAR)), 'ё', 'е')";
    filter.of_shops("CAST(v.shop AS VARCHAR)", folded, args.shop.as_deref(), shops);
    let order = match args.order_by {
        ReceiptOrder::DateDesc => "v.day DESC NULLS LAST",
        ReceiptOrder::DateAsc => "v.day ASC NULLS LAST",
        ReceiptOrder::TotalDesc => "v.total DESC NULLS LAST",
        ReceiptOrder::TotalAsc => "v.total ASC NULLS LAST",
    };
    let conditions = filter.sql();
    let list = format!(
        "SELECT v.id AS id, v.day AS date, CAST(v.shop AS VARCHAR) AS shop, v.total AS total, \
         v.counted AS items_count FROM {{visits}} v{conditions} \
         ORDER BY {order}, v.id ASC LIMIT {}",
        most(args.limit)
    );
    let totals = if args.include_summary {
        "SELECT count(*) AS total_receipts, sum(v.total) AS total_amount, \
         avg(v.total) AS average_receipt, min(v.day) AS period_from, max(v.day) AS period_to, \
         sum(CASE WHEN v.filled THEN 1 ELSE 0 END) AS filled"
    } else {
        "SELECT count(*) AS total_receipts"
    };
    let totals = format!("{totals} FROM {{visits}} v{conditions}");
    Ok(Next::Run(vec![
        call.statement("list", &list, filter.params.clone()),
        call.statement("totals", &totals, filter.params),
    ]))
}

fn receipts_done(call: &PurchaseCall, args: &GetReceipts, done: &Done) -> Finished {
    let list = objects(done, "list", &["id", "date", "shop", "total", "items_count"]);
    let mut output = Map::new();
    let returned = list.len();
    output.insert("receipts".to_owned(), list.into());
    let mut told = None;
    if let Some(totals) = done.first("totals") {
        told = Some(Told::Made(numbers(totals, call.totals())));
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
    warnings.extend(filled(call, done));
    warnings.extend(named::warnings(done, None, args.shop.as_deref()));
    Finished {
        output: output.into(),
        list: Told::Ran("list"),
        total: Some(done.matched("totals")),
        named: None,
        totals: told,
        matched: done.matched("totals"),
        warnings,
    }
}

/// Receipts whose total is missing and made of their lines: a query over the table leaves them out.
fn filled(call: &PurchaseCall, done: &Done) -> Option<Warning> {
    let totals = done.first("totals")?;
    let n = totals.count("filled");
    // where none has a total there is no other sum
    let some = n < totals.count("total_receipts");
    let receipts = call.names.title("receipts");
    (n > 0 && some && call.names.reads_column("receipts", "total")).then(|| Warning {
        code: "total_of_lines",
        message: text!(
            "rows of `{receipts}` without a total: {n}; what their lines add up to is counted",
            "строк в `{receipts}` без суммы: {n}; за них посчитана сумма их позиций"
        ),
    })
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
        first.extend(args.shop.as_ref().map(|_| named::shops(call)));
        return Ok(Next::Run(first));
    }
    base::once_each(call, done)?;
    if done.has("list") {
        return Ok(lines_done(call, args, done).done());
    }
    let all = args.item_name.is_none() && args.product_name.is_none() && args.receipt_id.is_none();
    if all && !args.group_by_item {
        return Ok(Next::Run(lines_of_all(call, args, done)));
    }
    let categories = match args.product_name.as_deref() {
        Some(name) if args.exact_product_name => Some(base::categories_called(done, name)),
        part => base::categories_named(done, part),
    };
    let mut filter = kept(call, args, done);
    filter.lines_holding(call, args.item_name.as_deref(), named::items_holding(done));
    filter.lines_of_categories(call, categories.clone());
    let limit = most(args.limit);
    let (list, totals) = if args.group_by_item {
        let groups = format!(
            "{found}, pack_groups AS (SELECT item_id AS pack_key, sum(quantity) AS total_quantity, \
             sum(amount) AS total_amount, count(DISTINCT receipt_id) AS purchase_count, \
             count(*) AS found_lines, {ORPHANS} FROM pack_found GROUP BY item_id) ",
            found = base::found(&filter),
            ORPHANS = base::ORPHANS,
        );
        (
            format!(
                "{groups}SELECT {{text i.name}} AS item_name, {{text p.name}} AS product_name, \
                 g.total_quantity AS total_quantity, g.total_amount AS total_amount, \
                 g.purchase_count AS purchase_count{shop} FROM pack_groups g{named} \
                 ORDER BY {order}, item_name ASC NULLS LAST, g.pack_key ASC LIMIT {limit}",
                // goods of one name are an item of each shop that sells them
                shop =
                    if super::statistics::of_shops(call) { ", {text i.shop} AS shop" } else { "" },
                named = base::NAMED,
                order = args.order_groups_by.sql(),
            ),
            format!(
                "{groups}SELECT count(*) AS total_items, sum(total_amount) AS grand_total_amount, \
                 sum(orphan_lines) AS orphan_lines, sum(found_lines) AS found_lines \
                 FROM pack_groups"
            ),
        )
    } else {
        (
            listed(call, &filter, limit),
            format!(
                "{}SELECT count(*) AS total_items, sum(amount) AS total_amount, {}, \
                 count(*) AS found_lines FROM pack_found",
                base::found(&filter),
                base::ORPHANS,
            ),
        )
    };
    let mut statements = beside(call, args, done, categories);
    statements.push(call.statement("list", &list, filter.params.clone()));
    statements.push(call.statement("totals", &totals, filter.params));
    Ok(Next::Run(statements))
}

/// A list of lines, the latest first.
fn listed(call: &PurchaseCall, filter: &Filter, limit: u64) -> String {
    let order = "b.day DESC NULLS LAST, b.receipt_id ASC, b.line ASC";
    let priced = call.names.reads_column("receipt_items", "price");
    let price = if priced { "b.price" } else { "CAST(NULL AS DOUBLE)" };
    // Names are looked up for the lines that are listed alone.
    format!(
        "WITH pack_top AS (SELECT b.*{lines} ORDER BY {order} LIMIT {limit}) \
         SELECT {{text i.name}} AS item_name, {{text p.name}} AS product_name, \
         b.quantity AS quantity, {price} AS price, b.amount AS amount, \
         b.day AS receipt_date, {{text r.shop}} AS shop FROM pack_top b \
         LEFT JOIN {{receipts}} r ON {{same l.receipt_id r.id b.receipt_id}} \
         LEFT JOIN {{items}} i ON {{same l.item_id i.id b.item_id}} \
         LEFT JOIN {{products}} p ON {{same i.product_id p.id}} ORDER BY {order}",
        lines = filter.lines(),
    )
}

/// Statements about lines whatever their items: what each receipt comes to is known, and so are the
/// receipts that have the lines to list.
fn lines_of_all(call: &PurchaseCall, args: &GetReceiptItems, done: &Done) -> Vec<Statement> {
    let limit = most(args.limit);
    if !done.has("totals") {
        let filter = of_receipts(call, args, done, "t");
        let from = filter.of("{trips}", "t");
        let latest = format!(
            "SELECT t.day AS day{from} ORDER BY t.day DESC NULLS LAST, t.receipt_id ASC \
             LIMIT {limit}"
        );
        let totals = format!(
            "SELECT coalesce(sum(t.lines), 0) AS total_items, sum(t.amount) AS total_amount, \
             coalesce(sum(t.orphans), 0) AS orphan_lines, coalesce(sum(t.lines), 0) AS found_lines\
             {from}"
        );
        return vec![
            call.statement("latest", &latest, filter.params.clone()),
            call.statement("totals", &totals, filter.params),
        ];
    }
    // Each receipt has a line: so many of the latest have all that are listed.
    let mut filter = kept(call, args, done);
    let latest = done.rows("latest").map(|row| row.date("day"));
    if let Some(first) = latest.min().flatten().filter(|_| done.count("latest") == limit) {
        filter.with("b.day >= CAST($latest AS DATE)", "latest", first.to_string());
    }
    vec![call.statement("list", &listed(call, &filter, limit), filter.params)]
}

/// The lines of the receipts that a call asks for, whatever their items.
fn kept(call: &PurchaseCall, args: &GetReceiptItems, done: &Done) -> Filter {
    of_receipts(call, args, done, "b")
}

/// The same of a table that has days and receipts.
fn of_receipts(
    call: &PurchaseCall,
    args: &GetReceiptItems,
    done: &Done,
    table: &'static str,
) -> Filter {
    let mut filter = Filter::default();
    let mut to = day(args.date_to.as_deref());
    if let Some(id) = &args.receipt_id {
        filter.lines_of_receipt(call, id.to_string());
    } else {
        to = to.or_else(|| base::today(call, done));
    }
    filter.within(done, &format!("{table}.day"), day(args.date_from.as_deref()), to);
    let shops = named::shops_holding(done, args.shop.as_deref());
    filter.lines_of_shops(args.shop.as_deref(), shops);
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
                filter.lines_of_items(call, parts.clone());
                filter.lines_of_categories(call, categories.clone());
            });
        }
        let within = named::categories(done, part);
        if categories.is_none() && !within.is_empty() {
            count(Beside::Within, &|filter| {
                filter.lines_of_categories(call, Some(within.clone()));
                filter.without_items(part);
            });
        }
    }
    if let (Some(part), Some(categories)) = (&args.product_name, &categories) {
        let outside = named::outside(done, part, categories);
        if named::few(&outside) {
            count(Beside::Outside, &|filter| {
                let like = named::items_holding(done);
                let both = |id: &String| args.item_name.is_none() || like.contains(id);
                let items = outside.iter().filter(|id| both(id)).cloned().collect();
                filter.lines_of_items(call, items);
            });
        }
    }
    statements
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
    let product = product.filter(|_| !args.exact_product_name);
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
