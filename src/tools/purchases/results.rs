//! The shapes of the results that the person is given, as types: the JSON Schema of each is derived
//! from them, and tests hold every answer to it.
#![allow(dead_code, reason = "only the shapes are used")]
#![allow(clippy::struct_field_names, reason = "the names are those specified")]
#![allow(clippy::option_option, reason = "a member may be there and be null, or not be there")]

use super::predict::Confidence;
use crate::tools::arguments;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;
use serde_json::Value as Json;

/// The JSON Schema (2020-12) of the `output` of a purchase tool; nothing of any other tool.
pub fn output_schema(tool: &str) -> Option<Json> {
    Some(match tool {
        "get_receipts" => arguments::output_schema::<Receipts>(),
        "get_receipt_items" => arguments::output_schema::<ReceiptItems>(),
        "get_products" => arguments::output_schema::<Products>(),
        "get_items" => arguments::output_schema::<Items>(),
        "get_labels" => arguments::output_schema::<Labels>(),
        "get_purchase_statistics" => arguments::output_schema::<Statistics>(),
        "generate_shopping_list" => arguments::output_schema::<ShoppingList>(),
        _ => return None,
    })
}

/// An id as its table has it.
fn id(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "integer"]})
}

fn date(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "format": "date"})
}

fn date_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "null"], "format": "date"})
}

/// A list that `limit` cut.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Truncated {
    returned: u64,
    total: u64,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Receipts {
    receipts: Vec<Receipt>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    truncated: Option<Truncated>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    summary: Option<ReceiptsSummary>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Receipt {
    #[schemars(schema_with = "id")]
    id: Json,
    #[schemars(schema_with = "date_or_null")]
    date: Option<String>,
    shop: Option<String>,
    total: f64,
    items_count: u64,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ReceiptsSummary {
    total_receipts: u64,
    total_amount: f64,
    average_receipt: Option<f64>,
    /// The first date and the last: `2024-12-01 - 2024-12-31`.
    period: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum ReceiptItems {
    Lines(Lines),
    ByItem(ByItem),
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Lines {
    items: Vec<Line>,
    total_items: u64,
    total_amount: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    truncated: Option<Truncated>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Line {
    item_name: Option<String>,
    product_name: Option<String>,
    quantity: Option<f64>,
    price: Option<f64>,
    amount: Option<f64>,
    #[schemars(schema_with = "date_or_null")]
    receipt_date: Option<String>,
    shop: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ByItem {
    items: Vec<Bought>,
    total_items: u64,
    grand_total_amount: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    truncated: Option<Truncated>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Bought {
    item_name: Option<String>,
    product_name: Option<String>,
    total_quantity: Option<f64>,
    total_amount: Option<f64>,
    purchase_count: u64,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Products {
    products: Vec<Product>,
    total_products: u64,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Product {
    #[schemars(schema_with = "id")]
    id: Json,
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    items_count: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    children: Option<Vec<Child>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Child {
    #[schemars(schema_with = "id")]
    id: Json,
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    items_count: Option<u64>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Items {
    items: Vec<Item>,
    total_items: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    truncated: Option<Truncated>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Item {
    #[schemars(schema_with = "id")]
    id: Json,
    name: Option<String>,
    product_name: Option<String>,
    unit_of_measure: Option<String>,
    shop: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    purchase_stats: Option<PurchaseStats>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PurchaseStats {
    total_purchases: u64,
    total_quantity: f64,
    #[schemars(schema_with = "date_or_null")]
    last_purchase: Option<String>,
    avg_price: Option<f64>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Labels {
    labels: Vec<Label>,
    total_labels: u64,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Label {
    #[schemars(schema_with = "id")]
    id: Json,
    name: Option<String>,
    items_count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    items: Option<Vec<Labelled>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    truncated: Option<Truncated>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Labelled {
    name: Option<String>,
    product: Option<String>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Statistics {
    period: Period,
    statistics: Groups,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    truncated: Option<Truncated>,
    summary: StatisticsSummary,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Period {
    #[schemars(schema_with = "date_or_null")]
    from: Option<String>,
    #[schemars(schema_with = "date_or_null")]
    to: Option<String>,
    days: u64,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StatisticsSummary {
    total_unique_items: u64,
    total_spent: f64,
}

/// As `group_by` says.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum Groups {
    Items(Vec<OfItem>),
    Products(Vec<OfProduct>),
    Shops(Vec<OfShop>),
    Days(Vec<OfDay>),
    Weeks(Vec<OfWeek>),
    Months(Vec<OfMonth>),
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfItem {
    item_name: Option<String>,
    product_name: Option<String>,
    purchase_count: u64,
    total_quantity: Option<f64>,
    total_amount: Option<f64>,
    avg_days_between: Option<f64>,
    #[schemars(schema_with = "date_or_null")]
    last_purchase: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prediction: Option<Option<Prediction>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfProduct {
    product_name: Option<String>,
    purchase_count: u64,
    total_quantity: Option<f64>,
    total_amount: Option<f64>,
    percent_of_total: Option<f64>,
    avg_days_between: Option<f64>,
    #[schemars(schema_with = "date_or_null")]
    last_purchase: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prediction: Option<Option<Prediction>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfShop {
    shop: Option<String>,
    purchase_count: u64,
    total_quantity: Option<f64>,
    total_amount: Option<f64>,
    avg_days_between: Option<f64>,
    #[schemars(schema_with = "date_or_null")]
    last_purchase: Option<String>,
    /// Nothing: such groups are not predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    prediction: Option<()>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfDay {
    day_of_week: Day,
    purchase_count: u64,
    total_quantity: Option<f64>,
    total_amount: Option<f64>,
    #[schemars(schema_with = "date_or_null")]
    last_purchase: Option<String>,
    /// Nothing: such groups are not predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    prediction: Option<()>,
}

#[derive(Serialize, JsonSchema)]
enum Day {
    Mon,
    Tue,
    Wed,
    Thu,
    Fri,
    Sat,
    Sun,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfWeek {
    /// Its Monday.
    #[schemars(schema_with = "date")]
    week: String,
    purchase_count: u64,
    total_quantity: Option<f64>,
    total_amount: Option<f64>,
    #[schemars(schema_with = "date_or_null")]
    last_purchase: Option<String>,
    /// Nothing: such groups are not predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    prediction: Option<()>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct OfMonth {
    /// Its first day.
    #[schemars(schema_with = "date")]
    month: String,
    purchase_count: u64,
    total_quantity: Option<f64>,
    total_amount: Option<f64>,
    /// What one of the goods cost on the average; nothing where the call names no goods.
    avg_price: Option<f64>,
    #[schemars(schema_with = "date_or_null")]
    last_purchase: Option<String>,
    /// Nothing: such groups are not predicted.
    #[serde(skip_serializing_if = "Option::is_none")]
    prediction: Option<()>,
}

/// The numbers that it was made of stand beside it in every answer.
#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Prediction {
    #[schemars(schema_with = "date")]
    next_purchase_date: String,
    confidence: Confidence,
    suggested_quantity: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    typical_gap_days: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gap_variation: Option<Option<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    purchase_dates: Option<u64>,
    #[schemars(schema_with = "date")]
    #[serde(skip_serializing_if = "Option::is_none")]
    last_purchase: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    days_since_last: Option<i64>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ShoppingList {
    shopping_list: Vec<ToBuy>,
    summary: ShoppingSummary,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ToBuy {
    item_name: Option<String>,
    product_name: Option<String>,
    suggested_quantity: Option<f64>,
    estimated_price: Option<f64>,
    confidence: Confidence,
    reason: String,
    labels: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prediction: Option<Option<Prediction>>,
}

#[derive(Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ShoppingSummary {
    total_items: u64,
    estimated_total: f64,
    /// The first date and the last: `2024-12-15 - 2024-12-22`.
    planning_period: Option<String>,
    /// Names of what does not fit the budget, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(required)]
    skipped: Option<Vec<Option<String>>>,
}
