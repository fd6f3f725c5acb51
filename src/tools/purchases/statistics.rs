//! `get_purchase_statistics`, and predictions of single items and categories.

use super::arguments::{GetPurchaseStatistics, GroupBy, day};
use super::base::{self, Filter, Lost};
use super::named::{self, Beside};
use super::output::{cell, cents, mark_cut, number_or_null, object};
use super::predict::{Prediction, Purchase, in_pieces, predict};
use super::receipts::{most, sum};
use super::{Done, Finished, Next, PurchaseCall, Row, Told, key};
use crate::engine::Derived;
use crate::error::{Code, Diagnostic};
use crate::facts::Outcome;
use crate::query::check::{ResultKind, Warning};
use crate::schema::{Column, Kind};
use crate::value::Value;
use chrono::{Days, NaiveDate};
use serde_json::{Map, Value as Json, json};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

const WEEKDAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];

pub(super) fn statistics(
    call: &PurchaseCall,
    args: &GetPurchaseStatistics,
    done: &Done,
) -> Result<Next, Vec<Diagnostic>> {
    if !done.has("receipts") {
        let mut first = base::receipts_and_items(call);
        first.push(base::categories(call));
        first.extend([Lost::Lines, Lost::Items].map(|lost| lost.count(call)));
        let part = args.part();
        first.extend(part.map(|part| named::items(call, named::LIKE_CATEGORY, part)));
        return Ok(Next::Run(first));
    }
    base::once_each(call, done)?;
    let today = base::today(call, done);
    let to = day(args.date_to.as_deref()).or(today);
    let back = to.and_then(|to| to.checked_sub_days(Days::new(args.period_days)));
    let from = day(args.date_from.as_deref()).or(back);
    if to.is_some() && from.is_none() {
        let message = text!("the period begins too early", "период начинается слишком рано");
        return Err(vec![Diagnostic::new(Code::BadPeriod, message).at("/period_days")]);
    }
    if !done.has("list") {
        return Ok(Next::Run(grouped(call, args, done, from, to)));
    }
    if args.predicts() && !done.has("history") {
        let ids = done.rows("list").filter_map(|row| row.text("id")).collect();
        return Ok(Next::Run(vec![history(call, args.group_by, done, (ids, today))]));
    }
    Ok(finish(call, args, done, (from, to), today).done())
}

/// How the groups are made: by what, what names them, and which tables have the names.
struct Keys {
    key: &'static str,
    names: &'static str,
    named: &'static str,
    order: &'static str,
}

fn keys(group_by: GroupBy) -> Keys {
    const BY_PRODUCT: &str = " LEFT JOIN {products} p ON {same i.product_id p.id g.pack_key}";
    match group_by {
        GroupBy::Item => Keys {
            key: "item_id",
            names: "g.pack_key AS id, {text i.name} AS item_name, {text p.name} AS product_name",
            named: base::NAMED,
            order: "item_name ASC NULLS LAST, id ASC",
        },
        GroupBy::Product => Keys {
            key: "product_id",
            names: "g.pack_key AS id, {text p.name} AS product_name",
            named: BY_PRODUCT,
            order: "product_name ASC NULLS LAST, id ASC",
        },
        GroupBy::Shop => Keys {
            key: "{r.shop}",
            names: "CAST(g.pack_key AS VARCHAR) AS shop",
            named: "",
            order: "shop ASC NULLS LAST",
        },
        GroupBy::DayOfWeek => Keys {
            key: "(date_part('dow', day) + 6) % 7",
            names: "g.pack_key AS day_number",
            named: "",
            order: "day_number ASC",
        },
        GroupBy::Week => Keys {
            key: "CAST(date_trunc('week', day) AS DATE)",
            names: "g.pack_key AS week",
            named: "",
            order: "week ASC",
        },
        GroupBy::Month => Keys {
            key: "CAST(date_trunc('month', day) AS DATE)",
            names: "g.pack_key AS month",
            named: "",
            order: "month ASC",
        },
    }
}

/// Whether items say which shop they are of.
pub(super) fn of_shops(call: &PurchaseCall) -> bool {
    call.names.reads_column("items", "shop")
}

fn grouped(
    call: &PurchaseCall,
    args: &GetPurchaseStatistics,
    done: &Done,
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
) -> Vec<super::Statement> {
    let mut filter = Filter::default();
    filter.within(done, "b.day", from, to);
    let categories = match args.product_name.as_deref() {
        Some(name) if args.exact_product_name => Some(base::categories_called(done, name)),
        part => base::categories_named(done, part),
    };
    let outside = args.part().zip(categories.as_deref());
    let outside = outside.map(|(part, categories)| named::outside(done, part, categories));
    let outside = outside.filter(|items| named::few(items)).map(|items| {
        let mut filter = Filter::default();
        filter.within(done, "b.day", from, to);
        filter.lines_of_items(call, items);
        named::bought(call, Beside::Outside, filter)
    });
    filter.lines_of_categories(call, categories);
    let Keys { key, names, named, order } = keys(args.group_by);
    let (most_first, least) = match args.group_by {
        by if by.is_calendar() => (String::new(), String::new()),
        _ => (
            format!("{}, ", args.order_groups_by.sql()),
            format!(" WHERE purchase_count >= {}", most(args.min_purchase_count)),
        ),
    };
    let found = base::found(&filter);
    let mut trips = Filter::default();
    trips.within(done, "t.day", from, to);
    let trips = trips.of("{trips}", "t");
    // `groups` is how many there are before the limit.
    // goods of one name are an item of each shop that sells them
    let shop = match args.group_by {
        GroupBy::Item if of_shops(call) => ", {text i.shop} AS shop",
        _ => "",
    };
    let price = if tells_price(args) { ", g.avg_price AS avg_price" } else { "" };
    let list = format!(
        "{found}, {grouped}, \
         pack_kept AS (SELECT *, count(*) OVER () AS groups FROM pack_groups{least}) \
         SELECT {names}, g.purchase_count AS purchase_count, g.total_quantity AS total_quantity, \
         g.total_amount AS total_amount, g.days AS days, g.first_purchase AS first_purchase, \
         g.last_purchase AS last_purchase, g.groups AS groups{shop}{price} \
         FROM pack_kept g{named} ORDER BY {most_first}{order} LIMIT {limit}",
        grouped = groups(args, &trips, key),
        limit = most(args.limit)
    );
    let totals = format!(
        "{found}SELECT count(DISTINCT item_id) AS total_unique_items, sum(amount) AS total_spent, \
         {} FROM pack_found",
        base::ORPHANS,
    );
    let mut statements: Vec<super::Statement> = outside.into_iter().collect();
    statements.push(call.statement("list", &list, filter.params.clone()));
    statements.push(call.statement("totals", &totals, filter.params));
    statements
}

/// Whether the groups say what one of the goods cost: months do, of goods that the call names.
fn tells_price(args: &GetPurchaseStatistics) -> bool {
    args.group_by == GroupBy::Month && args.product_name.is_some()
}

/// The mean price of a unit over the lines that have both a quantity and an amount.
const AVERAGE_PRICE: &str = ", sum(CASE WHEN quantity IS NOT NULL THEN amount END) / \
     nullif(sum(CASE WHEN amount IS NOT NULL THEN quantity END), 0) AS avg_price";

/// The groups of the lines found. A receipt is in one group where these are of shops or of days: its
/// lines are added up before.
fn groups(args: &GetPurchaseStatistics, trips: &str, key: &str) -> String {
    let (receipts, from, counted) = match (args.group_by, &args.product_name) {
        (GroupBy::Item | GroupBy::Product, _) | (GroupBy::Month, Some(_)) => {
            (String::new(), "pack_found", "DISTINCT ")
        }
        // What all lines of each receipt come to is known.
        (_, None) => (
            format!(
                "pack_receipts AS (SELECT t.receipt_id AS receipt_id, t.day AS day, \
                 t.quantity AS quantity, t.amount AS amount{trips}), "
            ),
            "pack_receipts",
            "",
        ),
        _ => (
            "pack_receipts AS (SELECT receipt_id, min(day) AS day, sum(quantity) AS quantity, \
             sum(amount) AS amount FROM pack_found GROUP BY receipt_id), "
                .to_owned(),
            "pack_receipts",
            "",
        ),
    };
    let shops = match args.group_by {
        GroupBy::Shop => " LEFT JOIN {receipts} r ON {same l.receipt_id r.id b.receipt_id}",
        _ => "",
    };
    let price = if tells_price(args) { AVERAGE_PRICE } else { "" };
    format!(
        "{receipts}pack_keyed AS (SELECT {key} AS pack_key, b.receipt_id AS receipt_id, \
         b.quantity AS quantity, b.amount AS amount, b.day AS day FROM {from} b{shops}), \
         pack_groups AS (SELECT pack_key, count({counted}receipt_id) AS purchase_count, \
         sum(quantity) AS total_quantity, sum(amount) AS total_amount, \
         count(DISTINCT CAST(day AS INT)) AS days, min(day) AS first_purchase, \
         max(day) AS last_purchase{price} FROM pack_keyed GROUP BY pack_key)"
    )
}

/// Every purchase date of some items or categories, from the beginning.
fn history(
    call: &PurchaseCall,
    group_by: GroupBy,
    done: &Done,
    (ids, to): (Vec<String>, Option<NaiveDate>),
) -> super::Statement {
    let (id, column) = match group_by {
        GroupBy::Product => ("product_id", "i.product_id"),
        _ => ("item_id", "l.item_id"),
    };
    let mut filter = Filter::default();
    filter.within(done, "b.day", None, to);
    filter.lines_of_groups(call, column, ids);
    let sql = format!(
        "{}, pack_days AS (SELECT item_id, product_id, day, sum(quantity) AS quantity, {PRICED} \
         FROM pack_found GROUP BY item_id, product_id, day) \
         SELECT d.{id} AS id, d.day AS day, sum(d.quantity) AS quantity, sum(d.amount) AS amount, \
         sum(d.priced) AS priced, min({{text i.unit_of_measure}}) AS unit, \
         max({{text i.unit_of_measure}}) AS other_unit \
         FROM pack_days d LEFT JOIN {{items}} i ON {{same l.item_id i.id d.item_id}} \
         GROUP BY d.{id}, d.day",
        base::found(&filter),
    );
    call.statement("history", &sql, filter.params)
}

/// Amounts and quantities of the lines that have both: prices are made of those.
pub(super) const PRICED: &str = "sum(CASE WHEN quantity IS NOT NULL THEN amount END) AS amount, \
     sum(CASE WHEN amount IS NOT NULL THEN quantity END) AS priced";

/// What was bought of an item or a category.
#[derive(Default)]
pub(super) struct History {
    /// In order of their dates.
    pub purchases: Vec<Purchase>,
    units: BTreeSet<String>,
}

impl History {
    /// The unit, where all of it is counted in one.
    fn unit(&self) -> Option<&str> {
        let mut units = self.units.iter();
        units.next().filter(|_| units.next().is_none()).map(String::as_str)
    }
}

/// The purchases of each id.
#[derive(Default)]
pub(super) struct Histories {
    /// Their places in `all`, by whole numbers and by texts.
    places: HashMap<i64, usize>,
    named: HashMap<String, usize>,
    all: Vec<History>,
}

impl Histories {
    /// Those of the result `history`.
    fn of(done: &Done) -> Self {
        let mut out = Self::default();
        if let Some(outcome) = done.get("history") {
            out.read(outcome, 0..outcome.rows.len());
        }
        out
    }

    /// Adds what some rows of the result say.
    pub(super) fn read(&mut self, outcome: &Outcome, rows: Range<usize>) {
        let cells = ["id", "day", "quantity", "priced", "amount", "unit", "other_unit"];
        let [id, day, quantity, priced, amount, unit, other_unit] =
            cells.map(|name| outcome.column(name));
        let Self { places, named, all } = self;
        for row in rows {
            let cell =
                |column: Option<usize>| column.map_or(Value::Null, |c| outcome.value(row, c));
            let Some(date) = cell(day).date() else { continue };
            // There may be a million rows: numbers are no texts.
            let place = match cell(id) {
                Value::Int(id) => *places.entry(id).or_insert(all.len()),
                id => match key(&id) {
                    Some(id) => *named.entry(id).or_insert(all.len()),
                    None => continue,
                },
            };
            if place == all.len() {
                all.push(History::default());
            }
            let Some(history) = all.get_mut(place) else { continue };
            for unit in [unit, other_unit].into_iter().flatten() {
                history.units.extend(key(&outcome.value(row, unit)));
            }
            history.purchases.push(Purchase {
                date,
                quantity: cell(quantity).as_f64(),
                priced: cell(priced).as_f64().zip(cell(amount).as_f64()),
            });
        }
    }

    /// Those of an id, as text, once all is read.
    pub(super) fn get(&mut self, id: &str) -> Option<&History> {
        let whole = id.parse().ok().filter(|n: &i64| n.to_string() == id);
        let place = whole.and_then(|id| self.places.get(&id)).or_else(|| self.named.get(id))?;
        let history = self.all.get_mut(*place)?;
        // Each date is there once.
        history.purchases.sort_unstable_by_key(|purchase| purchase.date);
        Some(history)
    }
}

fn finish(
    call: &PurchaseCall,
    args: &GetPurchaseStatistics,
    done: &Done,
    (from, to): (Option<NaiveDate>, Option<NaiveDate>),
    today: Option<NaiveDate>,
) -> Finished {
    let spent = done.first("totals").and_then(|totals| totals.number("total_spent"));
    let mut histories = Histories::of(done);
    let mut statistics = Vec::new();
    let mut told = List::new(args, of_shops(call));
    for row in done.rows("list") {
        let predicted = key(&row.get("id")).and_then(|id| {
            let history = histories.get(&id)?;
            predict(&history.purchases, today?, in_pieces(history.unit()))
        });
        let group = Group { row, args, spent, predicted: predicted.as_ref() };
        statistics.push(group.json());
        told.push(&group);
    }
    let mut output = Map::new();
    let days = from
        .zip(to)
        .map_or(Json::from(args.period_days), |(from, to)| (to - from).num_days().into());
    let ends = [from, to].map(|day| day.map(|day| day.to_string()));
    let [from, to] = &ends;
    output.insert("period".to_owned(), json!({"from": from, "to": to, "days": days}));
    let returned = statistics.len();
    output.insert("statistics".to_owned(), statistics.into());
    let groups = done.first("list").map_or(0, |row| row.count("groups"));
    mark_cut(&mut output, returned, groups);
    let mut totals = Vec::new();
    let mut warnings = base::lost(call, done);
    warnings.extend(base::undated(call, done).filter(|_| to.is_some()));
    if let Some(row) = done.first("totals") {
        let unique = row.count("total_unique_items");
        let total = row.get("total_spent");
        output.insert(
            "summary".to_owned(),
            json!({"total_unique_items": unique, "total_spent": sum(&total)}),
        );
        let total = Value::float(total.as_f64().unwrap_or(0.0));
        totals = vec![row.get("total_unique_items"), total, count(groups)];
        warnings.extend(base::orphans(call, row.count("orphan_lines")));
    }
    warnings.extend(named::warnings(done, args.part(), None));
    warnings.extend(not_predicted(args));
    let summary = Derived {
        kind: ResultKind::Dict,
        columns: vec![
            Column::new("total_unique_items", Kind::Int),
            Column::new("total_spent", Kind::Float),
            Column::new("groups", Kind::Int),
        ],
        rows: vec![totals],
    };
    Finished {
        output: output.into(),
        list: Told::Made(told.0),
        total: Some(groups),
        named: match args.group_by {
            GroupBy::Item => Some("item_name"),
            GroupBy::Product => Some("product_name"),
            GroupBy::Shop => Some("shop"),
            GroupBy::DayOfWeek | GroupBy::Week | GroupBy::Month => None,
        },
        totals: Some(Told::Made(summary)),
        matched: done.matched("totals"),
        warnings,
    }
}

/// Predictions that were asked for of groups that nobody buys.
fn not_predicted(args: &GetPurchaseStatistics) -> Option<Warning> {
    (args.include_prediction && !args.predicts()).then(|| Warning {
        code: "not_predicted",
        message: text!(
            "only items and products are predicted: group by one of them",
            "предсказываются только товары и категории: группируйте по ним"
        ),
    })
}

fn count(n: u64) -> Value {
    Value::Int(i64::try_from(n).unwrap_or(i64::MAX))
}

/// A group of the statistics.
struct Group<'a> {
    row: Row<'a>,
    args: &'a GetPurchaseStatistics,
    /// All amounts under the same filters.
    spent: Option<f64>,
    predicted: Option<&'a Prediction>,
}

impl Group<'_> {
    fn names(&self) -> Vec<(&'static str, Value)> {
        let plain = |name: &'static str| (name, self.row.get(name));
        match self.args.group_by {
            GroupBy::Item => vec![plain("item_name"), plain("product_name")],
            GroupBy::Product => vec![plain("product_name")],
            GroupBy::Shop => vec![plain("shop")],
            GroupBy::DayOfWeek => {
                let number = self.row.number("day_number").map(|n| (n as usize + 1) % 7);
                let name = number.and_then(|n| WEEKDAYS.get(n)).copied();
                vec![("day_of_week", name.map_or(Value::Null, Value::text))]
            }
            GroupBy::Week => vec![plain("week")],
            GroupBy::Month => vec![plain("month")],
        }
    }

    /// The mean gap between consecutive purchase dates: the whole span over their number.
    fn days_between(&self) -> Option<f64> {
        let (first, last) = (self.row.date("first_purchase")?, self.row.date("last_purchase")?);
        let gaps = self.row.count("days").checked_sub(1).filter(|gaps| *gaps > 0)?;
        Some((last - first).num_days() as f64 / gaps as f64)
    }

    fn share(&self) -> Option<f64> {
        let spent = self.spent.filter(|spent| *spent != 0.0)?;
        Some(self.row.number("total_amount").unwrap_or(0.0) / spent * 100.0)
    }

    fn json(&self) -> Json {
        let names = self.names().into_iter();
        let mut out: Map<String, Json> =
            names.map(|(name, value)| (name.to_owned(), value.to_json())).collect();
        out.extend(object(self.row, &["purchase_count"]));
        out.insert("total_quantity".to_owned(), cell("", &self.row.get("total_quantity")));
        out.insert("total_amount".to_owned(), cell("", &self.row.get("total_amount")));
        if self.args.group_by == GroupBy::Product {
            out.insert("percent_of_total".to_owned(), number_or_null(self.share().map(cents)));
        }
        if self.args.group_by == GroupBy::Month {
            let price = self.row.number("avg_price").map(cents);
            out.insert("avg_price".to_owned(), number_or_null(price));
        }
        if !self.args.group_by.is_calendar() {
            let between = self.days_between().map(cents);
            out.insert("avg_days_between".to_owned(), number_or_null(between));
        }
        out.extend(object(self.row, &["last_purchase"]));
        if self.args.include_prediction {
            out.insert("prediction".to_owned(), self.predicted.map_or(Json::Null, prediction));
        }
        out.into()
    }
}

/// A prediction and the numbers it was made of.
pub(super) fn prediction(made: &Prediction) -> Json {
    json!({
        "next_purchase_date": made.next.to_string(),
        "confidence": made.confidence.name(),
        "suggested_quantity": number_or_null(made.quantity),
        "typical_gap_days": number_or_null(Some(cents(made.typical_gap))),
        "gap_variation": number_or_null(made.variation.map(cents)),
        "purchase_dates": made.purchase_dates,
        "last_purchase": made.last.to_string(),
        "days_since_last": made.days_since,
    })
}

/// The groups as a result of their own.
struct List(Derived);

impl List {
    fn new(args: &GetPurchaseStatistics, of_shops: bool) -> Self {
        let mut columns: Vec<Column> = match args.group_by {
            GroupBy::Item => vec!["item_name", "product_name"],
            GroupBy::Product => vec!["product_name"],
            GroupBy::Shop => vec!["shop"],
            GroupBy::DayOfWeek => vec!["day_of_week"],
            GroupBy::Week | GroupBy::Month => Vec::new(),
        }
        .into_iter()
        .map(|name| Column::new(name, Kind::Text))
        .collect();
        match args.group_by {
            GroupBy::Week => columns.push(Column::new("week", Kind::Date)),
            GroupBy::Month => columns.push(Column::new("month", Kind::Date)),
            _ => {}
        }
        columns.extend([
            Column::new("purchase_count", Kind::Int),
            Column::new("total_quantity", Kind::Float),
            Column::new("total_amount", Kind::Float),
            Column::new("percent_of_total", Kind::Float),
            Column::new("avg_days_between", Kind::Float),
            Column::new("last_purchase", Kind::Date),
        ]);
        let without = match args.group_by {
            GroupBy::Product => "",
            by if by.is_calendar() => "avg_days_between",
            _ => "percent_of_total",
        };
        columns.retain(|c| c.name != without);
        if args.group_by.is_calendar() {
            columns.retain(|c| c.name != "percent_of_total");
        }
        if tells_price(args) {
            columns.push(Column::new("avg_price", Kind::Float));
        }
        if args.predicts() {
            columns.extend([
                Column::new("next_purchase_date", Kind::Date),
                Column::new("confidence", Kind::Text),
                Column::new("suggested_quantity", Kind::Float),
            ]);
        }
        if of_shops && args.group_by == GroupBy::Item {
            columns.push(Column::new("shop", Kind::Text));
        }
        Self(Derived { kind: ResultKind::Table, columns, rows: Vec::new() })
    }

    fn push(&mut self, group: &Group<'_>) {
        let named = group.names();
        let of = |x: Option<f64>| x.map_or(Value::Null, Value::float);
        let made = group.predicted;
        let cells = self.0.columns.iter().map(|column| match column.name.as_str() {
            "avg_price" => of(group.row.number("avg_price").map(cents)),
            "percent_of_total" => of(group.share().map(cents)),
            "avg_days_between" => of(group.days_between().map(cents)),
            "next_purchase_date" => made.map_or(Value::Null, |p| Value::from_date(p.next)),
            "confidence" => made.map_or(Value::Null, |p| Value::text(p.confidence.name())),
            "suggested_quantity" => of(made.and_then(|p| p.quantity)),
            name => {
                let key = named.iter().find(|(key, _)| *key == name);
                key.map_or_else(|| group.row.get(name), |(_, value)| value.clone())
            }
        });
        let row = cells.collect();
        self.0.rows.push(row);
    }
}
