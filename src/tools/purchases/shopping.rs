//! `generate_shopping_list`: what will be due, in the order of need, within a budget.

use super::arguments::GenerateShoppingList;
use super::base::{self, Filter, Lost};
use super::foreseen::{Foreseeing, Foreseen};
use super::output::{cents, number, number_or_null};
use super::predict::{Confidence, Prediction};
use super::statistics::{PRICED, prediction};
use super::{Done, Finished, LABELS, Next, PurchaseCall, Told, fold, texts};
use crate::engine::Derived;
use crate::error::{Code, Diagnostic, closest};
use crate::query::check::ResultKind;
use crate::schema::{Column, Kind};
use crate::value::Value;
use chrono::{Days, NaiveDate};
use serde_json::{Map, Value as Json, json};
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

pub(super) fn list(
    call: &PurchaseCall,
    args: &GenerateShoppingList,
    done: &Done,
) -> Result<Next, Vec<Diagnostic>> {
    let labelled = call.names.has(&LABELS);
    if !done.has("receipts") {
        let mut first = base::items_and_products(call);
        first.push(base::receipts(call));
        first.push(items(call));
        first.extend([Lost::Lines, Lost::Bought, Lost::Items].map(|lost| lost.count(call)));
        if labelled {
            first.extend([Lost::Labelled, Lost::Labels].map(|lost| lost.count(call)));
            let names = "SELECT {b.id} AS id, {text b.name} AS name FROM {labels} b";
            first.push(call.statement("labels", names, Map::new()));
            let of_items = "SELECT {id t.item_id} AS item, {text b.name} AS label \
                 FROM {item_labels} t JOIN {labels} b ON {same t.label_id b.id}";
            first.push(call.statement("item_labels", of_items, Map::new()));
        }
        return Ok(Next::Run(first));
    }
    base::once_each(call, done)?;
    let to = base::today(call, done);
    let foreseen = match &done.made {
        None => {
            known_labels(call, args, done, labelled)?;
            let day = to.map(|day| day.to_string()).unwrap_or_default();
            return Ok(Next::Recall(format!("{day} {}", history(call, done, to).of())));
        }
        Some((_, None)) if !done.has("history") => {
            return Ok(Next::Run(vec![history(call, done, to)]));
        }
        Some((_, None)) => {
            return Ok(Next::Make(Box::new(Foreseeing::new(done, to))));
        }
        Some((_, Some(made))) => made.clone().downcast::<Foreseen>().map_err(|_| {
            let message = text!("the tool failed", "инструмент не сработал");
            vec![Diagnostic::new(Code::Internal, message)]
        })?,
    };
    let Some(today) = to else {
        return Ok(finish(call, args, done, (Vec::new(), foreseen.dates), None).done());
    };
    let end = today.checked_add_days(Days::new(args.days_ahead)).ok_or_else(|| {
        let message = text!("the plan ends too late", "план кончается слишком поздно");
        vec![Diagnostic::new(Code::BadPeriod, message).at("/days_ahead")]
    })?;
    let mut entries = entries(call, args, done, &foreseen, (today, end));
    entries.sort_by(Entry::order);
    Ok(finish(call, args, done, (entries, foreseen.dates), Some((today, end))).done())
}

/// Labels are named in an error where there are no more of them.
const MOST_LABELS: usize = 20;

/// Labels that are not there are errors. Those that are there are named where the policy lists the
/// values of their column.
fn known_labels(
    call: &PurchaseCall,
    args: &GenerateShoppingList,
    done: &Done,
    labelled: bool,
) -> Result<(), Vec<Diagnostic>> {
    let known: HashSet<String> =
        done.rows("labels").filter_map(|row| row.text("name")).map(|name| fold(&name)).collect();
    let column = call.names.known("labels", "name").filter(|_| call.lists_labels);
    let listed = column.and_then(|column| column.values.as_deref());
    let listed = listed.filter(|names| names.len() <= MOST_LABELS).unwrap_or_default();
    let mut problems = Vec::new();
    let lists =
        [("include_labels", &args.include_labels), ("exclude_labels", &args.exclude_labels)];
    for (argument, labels) in lists {
        for (place, label) in labels.iter().enumerate() {
            let at = format!("/{argument}/{place}");
            if !labelled {
                let message = text!(
                    "there are no tables of labels and what they are on",
                    "нет таблиц с метками и товарами под ними"
                );
                problems.push(Diagnostic::new(Code::UnknownTable, message).at(at));
            } else if !known.contains(&fold(label)) {
                let names = listed.iter().map(String::as_str);
                let message = text!("there is no label `{label}`", "нет метки `{label}`");
                problems.push(
                    Diagnostic::new(Code::MalformedArguments, message).at(at).choices(closest(
                        label,
                        names,
                        MOST_LABELS,
                    )),
                );
            }
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

/// Every purchase date of every item.
fn history(call: &PurchaseCall, done: &Done, to: Option<NaiveDate>) -> super::Statement {
    let mut filter = Filter::default();
    filter.within(done, "b.day", None, to);
    filter.only("NOT b.lost");
    let template = format!(
        "{}SELECT item_id AS id, day, sum(quantity) AS quantity, {PRICED} FROM pack_found \
         GROUP BY item_id, day",
        base::found(&filter)
    );
    call.statement("history", &template, filter.params)
}

fn items(call: &PurchaseCall) -> super::Statement {
    let template = "SELECT {i.id} AS id, {text i.name} AS item_name, \
         {text i.unit_of_measure} AS unit, {text p.name} AS product_name \
         FROM {items} i LEFT JOIN {products} p ON {same i.product_id p.id} ORDER BY {i.id}";
    call.statement("names", template, Map::new())
}

/// An item on the list.
struct Entry {
    id: Value,
    name: Option<String>,
    product: Option<String>,
    labels: Vec<String>,
    quantity: Option<f64>,
    price: Option<f64>,
    confidence: Confidence,
    /// Days past the predicted date; nothing without a prediction.
    overdue: Option<i64>,
    prediction: Option<Prediction>,
    reason: String,
}

impl Entry {
    /// Most days overdue first, items without a prediction last; then the surest, the cheapest, by
    /// name, by id.
    fn order(&self, other: &Self) -> Ordering {
        let price = |entry: &Self| entry.price.unwrap_or(f64::INFINITY);
        let name = |entry: &Self| (entry.name.is_none(), entry.name.clone());
        other
            .overdue
            .cmp(&self.overdue)
            .then(other.confidence.cmp(&self.confidence))
            .then(price(self).total_cmp(&price(other)))
            .then_with(|| name(self).cmp(&name(other)))
            .then_with(|| self.id.total_cmp(&other.id))
    }

    fn json(&self) -> Json {
        json!({
            "item_name": self.name,
            "product_name": self.product,
            "suggested_quantity": number_or_null(self.quantity),
            "estimated_price": number_or_null(self.price),
            "confidence": self.confidence.name(),
            "reason": self.reason,
            "labels": self.labels,
            "prediction": self.prediction.as_ref().map(prediction),
        })
    }

    fn row(&self) -> Vec<Value> {
        let text = |text: &Option<String>| text.as_ref().map_or(Value::Null, Value::text);
        let of = |x: Option<f64>| x.map_or(Value::Null, Value::float);
        let next = self.prediction.as_ref().map(|p| Value::from_date(p.next));
        vec![
            text(&self.name),
            text(&self.product),
            of(self.quantity),
            of(self.price),
            Value::text(self.confidence.name()),
            next.unwrap_or(Value::Null),
            self.overdue.map_or(Value::Null, Value::Int),
        ]
    }
}

fn columns() -> Vec<Column> {
    vec![
        Column::new("item_name", Kind::Text),
        Column::new("product_name", Kind::Text),
        Column::new("suggested_quantity", Kind::Float),
        Column::new("estimated_price", Kind::Float),
        Column::new("confidence", Kind::Text),
        Column::new("next_purchase_date", Kind::Date),
        Column::new("days_overdue", Kind::Int),
    ]
}

fn entries(
    call: &PurchaseCall,
    args: &GenerateShoppingList,
    done: &Done,
    foreseen: &Foreseen,
    (today, end): (NaiveDate, NaiveDate),
) -> Vec<Entry> {
    let mut labels: HashMap<String, Vec<String>> = HashMap::new();
    for row in done.rows("item_labels") {
        if let (Some(item), Some(label)) = (row.text("item"), row.text("label")) {
            labels.entry(item).or_default().push(label);
        }
    }
    let wanted: Vec<String> = args.include_labels.iter().map(|label| fold(label)).collect();
    let unwanted: Vec<String> = args.exclude_labels.iter().map(|label| fold(label)).collect();
    let mut out = Vec::new();
    for row in done.rows("names") {
        let Some(id) = row.text("id") else { continue };
        let seen = foreseen.items.get(&id);
        let made = seen.and_then(|seen| seen.prediction.as_ref());
        let due =
            made.is_some_and(|made| made.next <= end && made.confidence >= args.min_confidence);
        let mut own = labels.remove(&id).unwrap_or_default();
        if !due && own.is_empty() {
            continue;
        }
        own.sort_unstable();
        own.dedup();
        if own.iter().any(|label| unwanted.contains(&fold(label))) {
            continue;
        }
        let asked = own.iter().find(|label| wanted.contains(&fold(label)));
        if !due && asked.is_none() {
            continue;
        }
        let since = seen.and_then(|seen| seen.last).map(|last| (today - last).num_days());
        let reason = match (made, asked) {
            (None, Some(label)) => texts::labelled(label, since, call.locale),
            (None, None) => String::new(),
            (Some(made), _) => texts::predicted(made, call.locale),
        };
        out.push(Entry {
            id: row.get("id"),
            name: row.text("item_name"),
            product: row.text("product_name"),
            labels: own,
            quantity: seen.and_then(|seen| seen.quantity),
            price: seen.and_then(|seen| seen.price),
            confidence: made.map_or(Confidence::Low, |made| made.confidence),
            overdue: made.map(|made| (today - made.next).num_days()),
            prediction: made.cloned(),
            reason,
        });
    }
    out
}

/// Fills the list in its order, within the budget.
fn finish(
    call: &PurchaseCall,
    args: &GenerateShoppingList,
    done: &Done,
    (entries, dates): (Vec<Entry>, u64),
    period: Option<(NaiveDate, NaiveDate)>,
) -> Finished {
    let mut total = 0.0;
    let mut kept = Vec::new();
    let mut skipped = Vec::new();
    for entry in entries {
        let with = entry.price.map(|price| cents(total + price));
        let fits = match (args.budget_limit, with) {
            (None, _) => true,
            (Some(limit), Some(with)) => with <= limit,
            (Some(_), None) => false,
        };
        if fits {
            total = with.unwrap_or(total);
            kept.push(entry);
        } else {
            skipped.push(entry);
        }
    }
    let mut summary = Map::new();
    summary.insert("total_items".to_owned(), json!(kept.len()));
    summary.insert("estimated_total".to_owned(), number(total));
    let (from, to) = period.unzip();
    summary.insert("planning_period".to_owned(), base::period(from, to));
    if args.budget_limit.is_some() {
        let names: Vec<&Option<String>> = skipped.iter().map(|entry| &entry.name).collect();
        summary.insert("skipped".to_owned(), json!(names));
    }
    let list: Vec<Json> = kept.iter().map(Entry::json).collect();
    let day = |day: Option<NaiveDate>| day.map_or(Value::Null, Value::from_date);
    let count = |n: usize| Value::Int(i64::try_from(n).unwrap_or(i64::MAX));
    let totals = Derived {
        kind: ResultKind::Dict,
        columns: vec![
            Column::new("total_items", Kind::Int),
            Column::new("estimated_total", Kind::Float),
            Column::new("planned_from", Kind::Date),
            Column::new("planned_to", Kind::Date),
            Column::new("skipped", Kind::Int),
        ],
        rows: vec![vec![
            count(kept.len()),
            Value::float(total),
            day(from),
            day(to),
            count(skipped.len()),
        ]],
    };
    let rows = kept.iter().map(Entry::row).collect();
    let undated = base::undated(call, done).filter(|_| period.is_some());
    Finished {
        output: json!({"shopping_list": list, "summary": summary}),
        list: Told::Made(Derived { kind: ResultKind::Table, columns: columns(), rows }),
        total: None,
        named: Some("item_name"),
        totals: Some(Told::Made(totals)),
        matched: dates,
        warnings: base::lost(call, done).into_iter().chain(undated).collect(),
    }
}
