//! `get_products`, `get_items` and `get_labels`.

use super::arguments::{GetItems, GetLabels, GetProducts};
use super::base::{self, Filter, Lost};
use super::named::{self, Beside};
use super::output::{cell, counted, mark_cut, object, objects, table};
use super::receipts::most;
use super::statistics::PRICED;
use super::tree::{Category, Tree};
use super::{Done, Finished, Next, PurchaseCall, Told, fold, holds, key};
use crate::engine::Derived;
use crate::error::Diagnostic;
use crate::query::check::{ResultKind, Warning};
use crate::schema::{Column, Kind};
use crate::value::Value;
use serde_json::{Map, Value as Json, json};
use std::collections::{HashMap, HashSet};

pub(super) fn products(
    call: &PurchaseCall,
    args: &GetProducts,
    done: &Done,
) -> Result<Next, Vec<Diagnostic>> {
    if !done.has("products") {
        return Ok(Next::Run(vec![base::categories(call), Lost::Items.count(call)]));
    }
    base::once_each(call, done)?;
    let tree = Tree::new(done.rows("products"));
    let found = matching(&tree, args);
    let listed = |category: &Category| {
        let mut out = Map::new();
        out.insert("id".to_owned(), cell("id", &category.id));
        out.insert("name".to_owned(), json!(category.name));
        if args.include_items_count {
            out.insert("items_count".to_owned(), json!(category.below));
        }
        out
    };
    let mut list = Vec::with_capacity(found.len());
    let mut rows = Vec::with_capacity(found.len());
    for category in &found {
        let mut out = listed(category);
        rows.push(told(args, category, None, &out));
        if args.include_children {
            let children = key(&category.id).map(|id| tree.children(&id)).unwrap_or_default();
            let mut own = Vec::with_capacity(children.len());
            for child in children.into_iter().filter(|child| child.id != category.id) {
                let out = listed(child);
                rows.push(told(args, child, Some(category), &out));
                own.push(Json::from(out));
            }
            out.insert("children".to_owned(), own.into());
        }
        list.push(Json::from(out));
    }
    let mut columns = vec![Column::new("name", Kind::Text)];
    if args.include_children {
        columns.push(Column::new("parent", Kind::Text));
    }
    if args.include_items_count {
        columns.push(Column::new("items_count", Kind::Int));
    }
    let count = list.len();
    let output = json!({"products": list, "total_products": count});
    let finished = Finished {
        output,
        list: Told::Made(Derived { kind: ResultKind::Table, columns, rows }),
        total: None,
        named: Some("name"),
        totals: Some(Told::Made(counted("total_products", count as u64))),
        matched: count as u64,
        warnings: lost(call, tree.orphans()).into_iter().chain(base::lost(call, done)).collect(),
    };
    Ok(finished.done())
}

/// A category as a row of the result; where children are listed too, with the one above it.
fn told(
    args: &GetProducts,
    category: &Category,
    above: Option<&Category>,
    out: &Map<String, Json>,
) -> Vec<Value> {
    let name = |of: &Category| of.name.as_ref().map_or(Value::Null, Value::text);
    let mut row = vec![name(category)];
    if args.include_children {
        row.push(above.map_or(Value::Null, name));
    }
    row.extend(out.get("items_count").and_then(Json::as_i64).map(Value::Int));
    row
}

fn matching<'a>(tree: &'a Tree, args: &GetProducts) -> Vec<&'a Category> {
    let parent = args.parent_id.as_ref().map(ToString::to_string);
    match (&args.search, parent) {
        (None, None) => tree.roots(),
        (None, Some(parent)) => tree.children(&parent),
        (Some(part), parent) => {
            let below = parent.map(|id| {
                let ids: HashSet<String> =
                    tree.with_descendants([id.clone()]).into_iter().collect();
                (ids, id)
            });
            let inside = |category: &&Category| {
                below.as_ref().is_none_or(|(below, parent)| {
                    key(&category.id).is_some_and(|id| id != *parent && below.contains(&id))
                })
            };
            let named = tree.all().filter(|c| holds(c.name.as_deref(), part));
            named.filter(inside).collect()
        }
    }
}

fn lost(call: &PurchaseCall, categories: usize) -> Option<Warning> {
    let table = call.names.title("products");
    (categories > 0).then(|| Warning {
        code: "orphans",
        message: text!(
            "categories with a parent that `{table}` does not have: {categories}; they are listed as topmost",
            "категорий с родителем, которого нет в `{table}`: {categories}; они показаны как корневые"
        ),
    })
}

pub(super) fn items(
    call: &PurchaseCall,
    args: &GetItems,
    done: &Done,
) -> Result<Next, Vec<Diagnostic>> {
    if !done.has("receipts") {
        let mut first = base::receipts_and_items(call);
        first.push(base::categories(call));
        first.push(Lost::Items.count(call));
        if args.include_purchase_stats {
            first.push(Lost::Lines.count(call));
        }
        first.extend(args.search.as_deref().map(|part| named::items(call, named::ITEMS, part)));
        return Ok(Next::Run(first));
    }
    base::once_each(call, done)?;
    if done.has("list") {
        return Ok(items_done(call, args, done).done());
    }
    let mut filter = Filter::default();
    filter.holding("i.name", "search", args.search.as_deref());
    filter.holding("i.shop", "shop", args.shop.as_deref());
    let like = match args.product_name.as_deref() {
        Some(name) if args.exact_product_name => Some(base::categories_called(done, name)),
        part => base::categories_named(done, part),
    };
    let below = base::categories_below(done, args.product_id.as_ref());
    filter.of_categories(match (like, below) {
        (Some(like), Some(below)) => {
            let below: HashSet<String> = below.into_iter().collect();
            Some(like.into_iter().filter(|id| below.contains(id)).collect())
        }
        (like, below) => like.or(below),
    });
    let from = "FROM {items} i LEFT JOIN {products} p ON {same i.product_id p.id}";
    let own = "{i.id} AS id, {text i.name} AS name, {text p.name} AS product_name, \
         {text i.unit_of_measure} AS unit_of_measure, {text i.shop} AS shop";
    let order = "ORDER BY {fold i.name} ASC NULLS LAST, {text i.name} ASC, {i.id} ASC";
    let list = format!("{from}{} {order} LIMIT {}", filter.sql(), most(args.limit));
    if !done.has("totals") {
        let totals = format!("SELECT count(*) AS total_items {from}{}", filter.sql());
        let parts = args.search.as_deref().map(|part| named::parts_of_words(done, part));
        let parts = parts.filter(|items| named::few(items)).map(|items| {
            let mut filter = filter.clone();
            filter.of_items(items);
            named::listed(call, Beside::Parts, filter)
        });
        let mut statements: Vec<super::Statement> = parts.into_iter().collect();
        statements.push(call.statement("totals", &totals, filter.params.clone()));
        statements.push(if args.include_purchase_stats {
            // What was bought is added up for those that are listed alone.
            call.statement("listed", &format!("SELECT {{i.id}} AS id {list}"), filter.params)
        } else {
            call.statement("list", &format!("SELECT {own} {list}"), filter.params)
        });
        return Ok(Next::Run(statements));
    }
    let mut lines = Filter::default();
    lines.within(done, "b.day", None, base::today(call, done));
    lines.only("NOT b.lost");
    let listed: Vec<String> = done.rows("listed").filter_map(|row| row.text("id")).collect();
    if listed.len() <= 2_000 {
        lines.lines_of_items(call, listed);
    }
    filter.params.extend(std::mem::take(&mut lines.params));
    let list = format!(
        "{}, pack_bought AS (SELECT item_id AS item, \
         count(DISTINCT receipt_id) AS total_purchases, sum(quantity) AS total_quantity, \
         {PRICED}, max(day) AS last_purchase FROM pack_found GROUP BY item_id) \
         SELECT {own}, coalesce(a.total_purchases, 0) AS total_purchases, \
         coalesce(a.total_quantity, 0) AS total_quantity, a.last_purchase AS last_purchase, \
         a.amount / nullif(a.priced, 0) AS avg_price {from} \
         LEFT JOIN pack_bought a ON {{same l.item_id i.id a.item}}{} {order} LIMIT {}",
        base::found(&lines),
        filter.sql(),
        most(args.limit)
    );
    Ok(Next::Run(vec![call.statement("list", &list, filter.params)]))
}

fn items_done(call: &PurchaseCall, args: &GetItems, done: &Done) -> Finished {
    let own = ["id", "name", "product_name", "unit_of_measure", "shop"];
    let mut list = objects(done, "list", &own);
    let mut told = Told::Ran("list");
    if args.include_purchase_stats {
        let names = ["total_purchases", "total_quantity", "last_purchase", "avg_price"];
        if let Some(made) = table(done, "list", &[&own[..], &names].concat()) {
            told = Told::Made(made);
        }
        for (item, row) in list.iter_mut().zip(done.rows("list")) {
            if let Some(item) = item.as_object_mut() {
                item.insert("purchase_stats".to_owned(), object(row, &names).into());
            }
        }
    }
    let mut output = Map::new();
    let returned = list.len();
    output.insert("items".to_owned(), list.into());
    let total = done.first("totals").map_or(0, |row| row.count("total_items"));
    output.insert("total_items".to_owned(), json!(total));
    mark_cut(&mut output, returned, total);
    let mut warnings = base::lost(call, done);
    let limits = args.include_purchase_stats && base::today(call, done).is_some();
    warnings.extend(base::undated(call, done).filter(|_| limits));
    warnings.extend(named::warnings(done, args.product_name.as_deref(), None));
    Finished {
        output: output.into(),
        list: told,
        total: Some(total),
        named: Some("name"),
        totals: Some(Told::Ran("totals")),
        matched: total,
        warnings,
    }
}

pub(super) fn labels(
    call: &PurchaseCall,
    args: &GetLabels,
    done: &Done,
) -> Result<Next, Vec<Diagnostic>> {
    if !done.has("labels") {
        let names = "SELECT {b.id} AS id, {text b.name} AS name FROM {labels} b \
             ORDER BY {fold b.name} ASC NULLS LAST, {text b.name} ASC, {b.id} ASC";
        let of_items = "SELECT DISTINCT {id t.label_id} AS label, {id t.item_id} AS item, \
             {fold i.name} AS folded, {text i.name} AS name, {text p.name} AS product \
             FROM {item_labels} t LEFT JOIN {items} i ON {same t.item_id i.id} \
             LEFT JOIN {products} p ON {same i.product_id p.id} \
             ORDER BY folded ASC NULLS LAST, name ASC NULLS LAST, item ASC";
        let mut first = base::items_and_products(call);
        first.push(call.statement("labels", names, Map::new()));
        first.push(call.statement("labelled", of_items, Map::new()));
        first.extend([Lost::Items, Lost::Labelled, Lost::Labels].map(|lost| lost.count(call)));
        return Ok(Next::Run(first));
    }
    base::once_each(call, done)?;
    let mut items: HashMap<String, Vec<Json>> = HashMap::new();
    for row in done.rows("labelled") {
        if let Some(label) = row.text("label") {
            items.entry(label).or_default().push(object(row, &["name", "product"]).into());
        }
    }
    let asked = args.label_name.as_deref().map(fold);
    let mut list = Vec::new();
    let mut rows = Vec::new();
    for row in done.rows("labels") {
        let name = row.text("name");
        let matches = asked.as_deref().is_none_or(|part| holds(name.as_deref(), part));
        let Some(id) = row.text("id").filter(|_| matches) else { continue };
        let mut own = items.remove(&id).unwrap_or_default();
        let count = own.len();
        let mut out = object(row, &["id", "name"]);
        out.insert("items_count".to_owned(), json!(count));
        if args.include_items {
            own.truncate(usize::try_from(args.items_limit).unwrap_or(usize::MAX));
            let returned = own.len();
            out.insert("items".to_owned(), own.into());
            mark_cut(&mut out, returned, count as u64);
        }
        rows.push(vec![row.get("name"), Value::Int(i64::try_from(count).unwrap_or(i64::MAX))]);
        list.push(Json::from(out));
    }
    let columns = vec![Column::new("name", Kind::Text), Column::new("items_count", Kind::Int)];
    let count = list.len();
    let finished = Finished {
        output: json!({"labels": list, "total_labels": count}),
        list: Told::Made(Derived { kind: ResultKind::Table, columns, rows }),
        total: None,
        named: Some("name"),
        totals: Some(Told::Made(counted("total_labels", count as u64))),
        matched: count as u64,
        warnings: base::lost(call, done),
    };
    Ok(finished.done())
}
