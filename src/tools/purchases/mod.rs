//! The tools for purchases: receipts, their lines, items, categories, labels, statistics and a
//! shopping list.
//!
//! A call is a few statements over the loaded tables, each written from what the earlier ones found;
//! what they come to is put into the shape of the tool's result for the person. A model hears of the
//! results alone, through the gate: each depends on every column that any statement before it read.

mod arguments;
mod backtest;
mod base;
mod catalogue;
mod fit;
mod foreseen;
mod kept;
mod made;
mod mapping;
mod meanings;
mod named;
mod output;
mod predict;
mod receipts;
mod rehearsal;
mod results;
mod run;
mod shopping;
mod statistics;
mod texts;
mod tree;

pub use backtest::{BackTest, Errors, back_test};
pub use fit::fit;
pub use kept::KeptCall;
pub use mapping::{Naming, Settings};
pub use rehearsal::{Rehearsal, Rehearsed};
pub use results::output_schema;
pub use run::PurchaseRun;

use super::{Context, Cost, Prepared, Tool};
use crate::disclose::{Disclosed, Level};
use crate::engine::{Derived, Reads, Unkept};
use crate::error::{Diagnostic, Locale};
use crate::facts::Outcome;
use crate::query::check::Warning;
use crate::value::Value;
use arguments::{
    Checked, GenerateShoppingList, GetItems, GetLabels, GetProducts, GetPurchaseStatistics,
    GetReceiptItems, GetReceipts,
};
use chrono::NaiveDate;
use mapping::{LABELS, Names, PURCHASES};
use serde_json::{Map, Value as Json};
use std::any::Any;
use std::rc::Rc;
use std::sync::Arc;

/// A call of a purchase tool, ready to run.
#[derive(Debug, Clone)]
pub struct PurchaseCall {
    tool: &'static str,
    request: Request,
    names: Names,
    /// All that it may read: what a model hears of it is decided by that alone.
    reads: Arc<Reads>,
    /// Whether the policy lists the values of columns like the names of labels.
    lists_labels: bool,
    /// The day that counts as today, where the host says it.
    reference: Option<NaiveDate>,
    locale: Locale,
}

#[derive(Debug, Clone)]
enum Request {
    Receipts(GetReceipts),
    ReceiptItems(GetReceiptItems),
    Products(GetProducts),
    Items(GetItems),
    Labels(GetLabels),
    Statistics(GetPurchaseStatistics),
    ShoppingList(GenerateShoppingList),
    /// Do the tables fit together?
    Fit,
}

/// A statement to run, and what its result is called among those of the call.
struct Statement {
    name: &'static str,
    sql: String,
    /// The tables made for it that it names.
    made: Vec<made::Made>,
    /// The same with the statements of those in their places.
    in_full: String,
    params: Map<String, Json>,
}

/// What comes after the results so far.
enum Next {
    Run(Vec<Statement>),
    /// Looks for what was made of such statements before.
    Recall(String),
    /// Makes it of the results so far, to be kept.
    Make(Box<dyn Making>),
    Done(Box<Finished>),
}

/// Code that makes something of results, a bounded part of the work at a time.
trait Making {
    /// Does the next part; what was made, and about how many bytes it is, after the last.
    fn step(&mut self) -> Option<(Rc<dyn Any>, usize)>;
}

/// What a call came to.
struct Finished {
    /// The result for the person.
    output: Json,
    /// The entries of the answer.
    list: Told,
    /// How many entries there are, cut or not; nothing where nothing cuts them.
    total: Option<u64>,
    /// The column of the list that names its entries.
    named: Option<&'static str>,
    /// One row of numbers over all of them.
    totals: Option<Told>,
    /// Rows of the tables that match what was asked for.
    matched: u64,
    warnings: Vec<Warning>,
}

impl Finished {
    fn done(self) -> Next {
        Next::Done(Box::new(self))
    }
}

enum Told {
    /// What a statement gave.
    Ran(&'static str),
    /// What was made of all of them, or of one: its averages are rounded.
    Made(Derived),
}

/// The results of a call so far.
#[derive(Default)]
struct Done {
    results: Vec<(&'static str, Rc<Unkept>)>,
    /// What was looked for, and what was made of it, now or before.
    made: Option<(String, Option<Rc<dyn Any>>)>,
}

impl Done {
    fn has(&self, name: &str) -> bool {
        self.results.iter().any(|(known, _)| *known == name)
    }

    fn get(&self, name: &str) -> Option<&Arc<Outcome>> {
        let found = self.results.iter().find(|(known, _)| *known == name);
        found.map(|(_, result)| result.outcome())
    }

    /// How many rows a result has.
    fn count(&self, name: &str) -> u64 {
        self.get(name).map_or(0, |outcome| outcome.rows.len() as u64)
    }

    /// How many rows of the tables stand behind a result.
    fn matched(&self, name: &str) -> u64 {
        self.get(name).map_or(0, |outcome| outcome.rows_matched)
    }

    fn rows(&self, name: &str) -> impl Iterator<Item = Row<'_>> {
        let rows = self.get(name).map_or(0, |outcome| outcome.rows.len());
        (0..rows).filter_map(move |row| Some(Row { outcome: self.get(name)?, row }))
    }

    /// The first row of a result.
    fn first(&self, name: &str) -> Option<Row<'_>> {
        self.rows(name).next()
    }
}

/// A row of a result.
#[derive(Clone, Copy)]
struct Row<'a> {
    outcome: &'a Outcome,
    row: usize,
}

impl Row<'_> {
    fn get(&self, name: &str) -> Value {
        self.outcome.column(name).map_or(Value::Null, |column| self.outcome.value(self.row, column))
    }

    fn text(&self, name: &str) -> Option<String> {
        key(&self.get(name))
    }

    fn number(&self, name: &str) -> Option<f64> {
        self.get(name).as_f64()
    }

    fn count(&self, name: &str) -> u64 {
        match self.get(name) {
            Value::Int(n) => n.unsigned_abs(),
            _ => 0,
        }
    }

    fn date(&self, name: &str) -> Option<NaiveDate> {
        self.get(name).date()
    }
}

/// Doubles up to this size are whole numbers without doubt.
const MOST_WHOLE: f64 = 9e15;

/// An id as text, which is how ids are compared: a whole number without a point however it is stored.
fn key(id: &Value) -> Option<String> {
    match id {
        Value::Null => None,
        Value::Float(x) if x.fract() == 0.0 && x.abs() < MOST_WHOLE => {
            Some((*x as i64).to_string())
        }
        other => Some(other.to_string()),
    }
}

/// A text as partial matches compare it: without case, Ё as Е.
fn fold(text: &str) -> String {
    text.to_lowercase().replace('ё', "е")
}

/// Whether a name holds `part`.
fn holds(name: Option<&str>, part: &str) -> bool {
    name.is_some_and(|name| fold(name).contains(&fold(part)))
}

impl Statement {
    /// What it asks for, values included.
    fn of(&self) -> String {
        format!("{} {}", self.in_full, Json::from(self.params.clone()))
    }
}

impl PurchaseCall {
    fn next(&self, done: &Done) -> Result<Next, Vec<Diagnostic>> {
        match &self.request {
            Request::Receipts(args) => receipts::receipts(self, args, done),
            Request::ReceiptItems(args) => receipts::lines(self, args, done),
            Request::Products(args) => catalogue::products(self, args, done),
            Request::Items(args) => catalogue::items(self, args, done),
            Request::Labels(args) => catalogue::labels(self, args, done),
            Request::Statistics(args) => statistics::statistics(self, args, done),
            Request::ShoppingList(args) => shopping::list(self, args, done),
            Request::Fit => Ok(fit::check(self, done)),
        }
    }

    /// The columns of the totals that it gives; none where the list is all.
    fn totals(&self) -> &'static [&'static str] {
        match &self.request {
            Request::Receipts(args) if args.include_summary => {
                &["total_receipts", "total_amount", "average_receipt", "period_from", "period_to"]
            }
            Request::Receipts(_) => &["total_receipts"],
            Request::ReceiptItems(args) if args.group_by_item => {
                &["total_items", "grand_total_amount"]
            }
            Request::ReceiptItems(_) => &["total_items", "total_amount"],
            Request::Items(_) => &["total_items"],
            Request::Products(_) => &["total_products"],
            Request::Labels(_) => &["total_labels"],
            Request::Fit => &[],
            Request::Statistics(_) => &["total_unique_items", "total_spent", "groups"],
            Request::ShoppingList(_) => {
                &["total_items", "estimated_total", "planned_from", "planned_to", "skipped"]
            }
        }
    }

    fn statement(
        &self,
        name: &'static str,
        template: &str,
        params: Map<String, Json>,
    ) -> Statement {
        let sql = self.names.fill(&made::by_name(template));
        let in_full = self.names.fill(&made::in_full(&self.names, template));
        Statement { name, sql, made: made::Made::of(template), in_full, params }
    }
}

const fn tool(
    name: &'static str,
    description: [&'static str; 2],
    brief: &'static str,
    parameters: fn(Locale) -> Json,
    prepare: fn(&str, &Context) -> Result<Prepared, Vec<Diagnostic>>,
    needs: &'static [&'static str],
) -> Tool {
    Tool {
        name,
        description,
        brief: Some(brief),
        cost: Cost::High,
        parameters,
        prepare,
        needs,
        hosted: false,
    }
}

/// Whether the tables are there that a tool needs.
pub(super) fn offered(needs: &[&str], context: &Context) -> bool {
    let there = |settings| Names::of(settings, context.tables, needs).is_ok();
    needs.is_empty() || context.purchases.is_some_and(there)
}

/// The day that counts as today, as far as it is known before anything runs.
pub fn today(context: &Context) -> Option<NaiveDate> {
    let settings = context.purchases?;
    settings.reference_date.or_else(|| names(context, (&PURCHASES, &[])).ok()?.latest())
}

/// The names of the categories, where there are few enough of them to be known before anything runs.
pub fn categories(context: &Context) -> Vec<String> {
    let names = names(context, (&PURCHASES, &[])).ok();
    names.and_then(|names| names.categories()).unwrap_or_default()
}

/// The table of receipts, and its column of what each comes to, where they are there.
pub fn receipts(context: &Context) -> Option<(String, String)> {
    let names = names(context, (&PURCHASES, &[])).ok()?;
    let total = names.known("receipts", "total")?.name.clone();
    Some((names.receipts()?.name.clone(), total))
}

/// How a model is told which day counts as today.
pub const TODAY: &str = "For these tools today is ";

/// The day that counts as today as a model hears it: what the page says, or the date of the latest
/// receipt, with the sentence, where that may be told. Of any other a model may count or not: nobody
/// knows.
pub fn told_day(context: &Context) -> Option<(NaiveDate, Option<Disclosed>)> {
    if let Some(day) = context.purchases?.reference_date {
        return Some((day, None));
    }
    let names = names(context, (&PURCHASES, &[])).ok()?;
    let told = context.gate().last_day(names.receipts()?, TODAY)?;
    Some((names.latest()?, Some(told)))
}

/// The table and the column that say which day counts as today, where the page does not.
pub fn day_column(context: &Context) -> Option<(String, String)> {
    if context.purchases?.reference_date.is_some() {
        return None;
    }
    let names = names(context, (&PURCHASES, &[])).ok()?;
    let receipts = names.receipts()?;
    Some((receipts.name.clone(), receipts.time.clone()?))
}

fn prepare<T: Checked>(
    tool: &'static str,
    json: &str,
    context: &Context,
    (needs, reads): (&[&str], &'static [&'static str]),
    request: fn(T) -> Request,
) -> Result<Prepared, Vec<Diagnostic>> {
    match arguments::read::<T>(json, context.locale) {
        Ok(arguments) => {
            let call = call(tool, context, (needs, reads), request(arguments))?;
            Ok(Prepared::Purchases(Box::new(call)))
        }
        Err(mut problems) => {
            problems.extend(names(context, (needs, reads)).err().unwrap_or_default());
            Err(problems)
        }
    }
}

fn names(
    context: &Context,
    (needs, reads): (&[&str], &'static [&'static str]),
) -> Result<Names, Vec<Diagnostic>> {
    let none = Settings::default();
    let settings = context.purchases.unwrap_or(&none);
    Names::of(settings, context.tables, needs).map(|names| names.reading(reads))
}

fn call(
    tool: &'static str,
    context: &Context,
    of: (&[&str], &'static [&'static str]),
    request: Request,
) -> Result<PurchaseCall, Vec<Diagnostic>> {
    let names = names(context, of)?;
    Ok(PurchaseCall {
        tool,
        request,
        reads: Arc::new(names.reads()),
        lists_labels: names.known("labels", "name").is_some_and(|column| {
            let protected = context.policy.protects(&names.title("labels"), &column.name);
            context.policy.level() >= Level::Summary && !protected
        }),
        names,
        reference: context.purchases.and_then(|settings| settings.reference_date),
        locale: context.locale,
    })
}

/// What each tool may read. A statement that names another column fails.
const READ_BY_RECEIPTS: [&str; 6] =
    ["r.id", "r.receipt_date", "r.shop", "r.total", "l.receipt_id", "l.amount"];
const READ_BY_LINES: [&str; 15] = [
    "r.id",
    "r.receipt_date",
    "r.shop",
    "l.receipt_id",
    "l.item_id",
    "l.quantity",
    "l.amount",
    "l.price",
    "i.id",
    "i.name",
    "i.product_id",
    "i.shop",
    "p.id",
    "p.name",
    "p.parent_id",
];
const READ_BY_PRODUCTS: [&str; 5] = ["p.id", "p.name", "p.parent_id", "i.id", "i.product_id"];
const READ_BY_ITEMS: [&str; 14] = [
    "r.id",
    "r.receipt_date",
    "l.receipt_id",
    "l.item_id",
    "l.quantity",
    "l.amount",
    "i.id",
    "i.name",
    "i.product_id",
    "i.unit_of_measure",
    "i.shop",
    "p.id",
    "p.name",
    "p.parent_id",
];
const READ_BY_LABELS: [&str; 9] = [
    "b.id",
    "b.name",
    "t.item_id",
    "t.label_id",
    "i.id",
    "i.name",
    "i.product_id",
    "p.id",
    "p.name",
];
const READ_BY_STATISTICS: [&str; 15] = [
    "r.id",
    "r.receipt_date",
    "r.shop",
    "l.receipt_id",
    "l.item_id",
    "l.quantity",
    "l.amount",
    "i.id",
    "i.name",
    "i.product_id",
    "i.shop",
    "i.unit_of_measure",
    "p.id",
    "p.name",
    "p.parent_id",
];
const READ_BY_SHOPPING: [&str; 16] = [
    "r.id",
    "r.receipt_date",
    "l.receipt_id",
    "l.item_id",
    "l.quantity",
    "l.amount",
    "i.id",
    "i.name",
    "i.product_id",
    "i.unit_of_measure",
    "p.id",
    "p.name",
    "b.id",
    "b.name",
    "t.item_id",
    "t.label_id",
];

pub(super) const GET_RECEIPTS: Tool = tool(
    "get_receipts",
    [
        "The receipts, filtered and summed up. Use it for questions about dates of receipts, amounts spent, shops.",
        "Получить список чеков. Используй для вопросов о датах чеков, суммах покупок, списке магазинов.",
    ],
    "Receipts with sums.",
    arguments::schema::<GetReceipts>,
    |json, context| {
        prepare("get_receipts", json, context, (&PURCHASES, &READ_BY_RECEIPTS), Request::Receipts)
    },
    &PURCHASES,
);

pub(super) const GET_RECEIPT_ITEMS: Tool = tool(
    "get_receipt_items",
    [
        "The lines of receipts. Use it for questions about single purchases, quantities, prices.",
        "Получить товарные позиции из чеков. Используй для вопросов о конкретных покупках, количествах, ценах.",
    ],
    "Lines of receipts, or sums by item.",
    arguments::schema::<GetReceiptItems>,
    |json, context| {
        prepare(
            "get_receipt_items",
            json,
            context,
            (&PURCHASES, &READ_BY_LINES),
            Request::ReceiptItems,
        )
    },
    &PURCHASES,
);

pub(super) const GET_PRODUCTS: Tool = tool(
    "get_products",
    [
        "The tree of product categories. Use it to find a way among categories.",
        "Получить иерархию категорий продуктов. Используй для навигации по категориям.",
    ],
    "Categories of products.",
    arguments::schema::<GetProducts>,
    |json, context| {
        prepare("get_products", json, context, (&PURCHASES, &READ_BY_PRODUCTS), Request::Products)
    },
    &PURCHASES,
);

pub(super) const GET_ITEMS: Tool = tool(
    "get_items",
    [
        "The items that can be bought. Use it to look for items.",
        "Получить товары из справочника. Используй для поиска конкретных товаров.",
    ],
    "Items by name, category, shop.",
    arguments::schema::<GetItems>,
    |json, context| {
        prepare("get_items", json, context, (&PURCHASES, &READ_BY_ITEMS), Request::Items)
    },
    &PURCHASES,
);

pub(super) const GET_LABELS: Tool = tool(
    "get_labels",
    ["The labels, and the items that have them.", "Получить метки и связанные с ними товары."],
    "Labels and their items.",
    arguments::schema::<GetLabels>,
    |json, context| {
        prepare("get_labels", json, context, (&LABELS, &READ_BY_LABELS), Request::Labels)
    },
    &LABELS,
);

pub(super) const GET_PURCHASE_STATISTICS: Tool = tool(
    "get_purchase_statistics",
    [
        "Statistics of purchases, to see patterns and predict.",
        "Статистика покупок для анализа паттернов и предсказаний.",
    ],
    "Purchases by item, category, shop, weekday, week or month.",
    arguments::schema::<GetPurchaseStatistics>,
    |json, context| {
        prepare(
            "get_purchase_statistics",
            json,
            context,
            (&PURCHASES, &READ_BY_STATISTICS),
            Request::Statistics,
        )
    },
    &PURCHASES,
);

pub(super) const GENERATE_SHOPPING_LIST: Tool = tool(
    "generate_shopping_list",
    [
        "A shopping list made of what was bought, and when.",
        "Сформировать список покупок на основе истории и паттернов.",
    ],
    "A shopping list.",
    arguments::schema::<GenerateShoppingList>,
    |json, context| {
        prepare(
            "generate_shopping_list",
            json,
            context,
            (&PURCHASES, &READ_BY_SHOPPING),
            Request::ShoppingList,
        )
    },
    &PURCHASES,
);
