//! Arguments of the purchase tools, their defaults and what they mean.

use super::meanings;
use super::predict::Confidence;
use crate::error::{Code, Diagnostic, Locale};
use crate::tools::{arguments, given};
use chrono::NaiveDate;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// An id as the table has it: compared as text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Id {
    Number(i64),
    Text(String),
}

impl std::fmt::Display for Id {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(n) => n.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

fn id(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "integer"]})
}

fn id_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "integer", "null"]})
}

fn date(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "format": "date"})
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum ReceiptOrder {
    DateDesc,
    DateAsc,
    TotalDesc,
    TotalAsc,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum GroupBy {
    Item,
    Product,
    Shop,
    DayOfWeek,
    Week,
    Month,
}

impl GroupBy {
    /// Groups are stretches of time or days of the week.
    pub(super) fn is_calendar(self) -> bool {
        matches!(self, Self::DayOfWeek | Self::Week | Self::Month)
    }
}

/// How items and categories come.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum GroupOrder {
    #[default]
    Purchases,
    Amount,
}

impl GroupOrder {
    /// The order of groups that have both, but for what tells equal ones apart.
    pub(super) fn sql(self) -> &'static str {
        match self {
            Self::Purchases => "purchase_count DESC, total_amount DESC NULLS LAST",
            Self::Amount => "total_amount DESC NULLS LAST, purchase_count DESC",
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct GetReceipts {
    #[schemars(schema_with = "date", default)]
    pub date_from: Option<String>,
    #[schemars(schema_with = "date", default)]
    pub date_to: Option<String>,
    #[schemars(regex(pattern = r"\S"))]
    pub shop: Option<String>,
    #[schemars(range(min = 1))]
    pub limit: u64,
    pub order_by: ReceiptOrder,
    pub include_summary: bool,
}

impl Default for GetReceipts {
    fn default() -> Self {
        Self {
            date_from: None,
            date_to: None,
            shop: None,
            limit: 10,
            order_by: ReceiptOrder::DateDesc,
            include_summary: true,
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct GetReceiptItems {
    #[schemars(schema_with = "id", default)]
    pub receipt_id: Option<Id>,
    #[schemars(schema_with = "date", default)]
    pub date_from: Option<String>,
    #[schemars(schema_with = "date", default)]
    pub date_to: Option<String>,
    #[schemars(regex(pattern = r"\S"))]
    pub item_name: Option<String>,
    #[schemars(regex(pattern = r"\S"))]
    pub product_name: Option<String>,
    pub exact_product_name: bool,
    #[schemars(regex(pattern = r"\S"))]
    pub shop: Option<String>,
    #[schemars(range(min = 1))]
    pub limit: u64,
    pub group_by_item: bool,
    pub order_groups_by: GroupOrder,
}

impl Default for GetReceiptItems {
    fn default() -> Self {
        Self {
            receipt_id: None,
            date_from: None,
            date_to: None,
            item_name: None,
            product_name: None,
            exact_product_name: false,
            shop: None,
            limit: 50,
            group_by_item: false,
            order_groups_by: GroupOrder::default(),
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct GetProducts {
    #[schemars(schema_with = "id_or_null", default)]
    pub parent_id: Option<Id>,
    #[schemars(regex(pattern = r"\S"))]
    pub search: Option<String>,
    pub include_children: bool,
    pub include_items_count: bool,
}

impl Default for GetProducts {
    fn default() -> Self {
        Self { parent_id: None, search: None, include_children: false, include_items_count: true }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct GetItems {
    #[schemars(schema_with = "id", default)]
    pub product_id: Option<Id>,
    #[schemars(regex(pattern = r"\S"))]
    pub product_name: Option<String>,
    pub exact_product_name: bool,
    #[schemars(regex(pattern = r"\S"))]
    pub search: Option<String>,
    #[schemars(regex(pattern = r"\S"))]
    pub shop: Option<String>,
    #[schemars(range(min = 1))]
    pub limit: u64,
    pub include_purchase_stats: bool,
}

impl Default for GetItems {
    fn default() -> Self {
        Self {
            product_id: None,
            product_name: None,
            exact_product_name: false,
            search: None,
            shop: None,
            limit: 50,
            include_purchase_stats: false,
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct GetLabels {
    #[schemars(regex(pattern = r"\S"))]
    pub label_name: Option<String>,
    pub include_items: bool,
    #[schemars(range(min = 1))]
    pub items_limit: u64,
}

impl Default for GetLabels {
    fn default() -> Self {
        Self { label_name: None, include_items: true, items_limit: 10 }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct GetPurchaseStatistics {
    #[schemars(range(min = 1, max = 36500))]
    pub period_days: u64,
    #[schemars(schema_with = "date", default)]
    pub date_from: Option<String>,
    #[schemars(schema_with = "date", default)]
    pub date_to: Option<String>,
    pub group_by: GroupBy,
    #[schemars(regex(pattern = r"\S"))]
    pub product_name: Option<String>,
    pub exact_product_name: bool,
    #[schemars(range(min = 1))]
    pub min_purchase_count: u64,
    #[schemars(range(min = 1))]
    pub limit: u64,
    pub include_prediction: bool,
    pub order_groups_by: GroupOrder,
}

impl Default for GetPurchaseStatistics {
    fn default() -> Self {
        Self {
            period_days: 90,
            date_from: None,
            date_to: None,
            group_by: GroupBy::Item,
            product_name: None,
            exact_product_name: false,
            min_purchase_count: 2,
            limit: 20,
            include_prediction: false,
            order_groups_by: GroupOrder::default(),
        }
    }
}

impl GetPurchaseStatistics {
    /// A part of names of categories, where it is one.
    pub(super) fn part(&self) -> Option<&str> {
        self.product_name.as_deref().filter(|_| !self.exact_product_name)
    }

    /// Whether there is something to predict: items and categories are bought, shops and days are not.
    pub(super) fn predicts(&self) -> bool {
        self.include_prediction && matches!(self.group_by, GroupBy::Item | GroupBy::Product)
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct GenerateShoppingList {
    #[schemars(range(min = 0, max = 36500))]
    pub days_ahead: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(regex(pattern = r"\S")))]
    pub include_labels: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(inner(regex(pattern = r"\S")))]
    pub exclude_labels: Vec<String>,
    pub min_confidence: Confidence,
    #[schemars(range(min = 0))]
    pub budget_limit: Option<f64>,
}

impl Default for GenerateShoppingList {
    fn default() -> Self {
        Self {
            days_ahead: 7,
            include_labels: Vec::new(),
            exclude_labels: Vec::new(),
            min_confidence: Confidence::Medium,
            budget_limit: None,
        }
    }
}

/// The JSON Schema of a tool's arguments: defaults and the format of dates stay in it.
pub(super) fn schema<T: Checked>(locale: Locale) -> Value {
    let mut schema = arguments::schema_with_defaults::<T>();
    if let Some(properties) = schema["properties"].as_object_mut() {
        for (name, property) in properties {
            let Some(property) = property.as_object_mut() else { continue };
            if let Some(text) = meanings::meaning(T::TOOL, name) {
                property.insert("description".into(), text.get(locale).into());
            }
        }
    }
    schema
}

/// What is wrong with arguments beside their types.
pub(super) trait Checked: DeserializeOwned + JsonSchema {
    /// The tool that takes them.
    const TOOL: &'static str;

    fn problems(&self) -> Vec<Diagnostic> {
        Vec::new()
    }
}

/// The arguments, or everything that is wrong with them.
pub(super) fn read<T: Checked>(json: &str, locale: Locale) -> Result<T, Vec<Diagnostic>> {
    let schema = schema::<T>(locale);
    let mut given = given::parse(json, &schema)?;
    let mut problems = arguments::problems(&schema, &given);
    // What is wrong by itself is left out, so that the rest is looked at, too.
    given.retain(|name, _| {
        let own = |p: &Diagnostic| p.pointer.split('/').nth(1) == Some(name.as_str());
        !problems.iter().any(own)
    });
    match serde_json::from_value::<T>(Value::Object(given)) {
        Ok(read) => {
            problems.extend(read.problems());
            if problems.is_empty() { Ok(read) } else { Err(problems) }
        }
        Err(_) if problems.is_empty() => Err(vec![Diagnostic::new(
            Code::MalformedArguments,
            text!("the arguments cannot be read", "аргументы не читаются"),
        )]),
        Err(_) => Err(problems),
    }
}

/// A day as it was written.
pub(super) fn day(written: Option<&str>) -> Option<NaiveDate> {
    let written = written?;
    // Signs and blanks that the format lets pass are no dates.
    NaiveDate::parse_from_str(written, "%Y-%m-%d").ok().filter(|day| day.to_string() == written)
}

fn period(from: Option<&str>, to: Option<&str>) -> Vec<Diagnostic> {
    let mut out = Vec::new();
    for (name, written) in [("date_from", from), ("date_to", to)] {
        if written.is_some() && day(written).is_none() {
            let message =
                text!("must be a date like 2024-12-31", "должно быть датой вида 2024-12-31");
            out.push(Diagnostic::new(Code::BadDate, message).at(format!("/{name}")));
        }
    }
    if day(from).zip(day(to)).is_some_and(|(from, to)| to < from) {
        let message = text!("must not be before `date_from`", "не должно быть раньше `date_from`");
        out.push(Diagnostic::new(Code::BadPeriod, message).at("/date_to"));
    }
    out
}

impl Checked for GetReceipts {
    const TOOL: &'static str = "get_receipts";

    fn problems(&self) -> Vec<Diagnostic> {
        period(self.date_from.as_deref(), self.date_to.as_deref())
    }
}

impl Checked for GetReceiptItems {
    const TOOL: &'static str = "get_receipt_items";

    fn problems(&self) -> Vec<Diagnostic> {
        period(self.date_from.as_deref(), self.date_to.as_deref())
    }
}

impl Checked for GetProducts {
    const TOOL: &'static str = "get_products";
}

impl Checked for GetItems {
    const TOOL: &'static str = "get_items";
}

impl Checked for GetLabels {
    const TOOL: &'static str = "get_labels";
}

impl Checked for GetPurchaseStatistics {
    const TOOL: &'static str = "get_purchase_statistics";

    fn problems(&self) -> Vec<Diagnostic> {
        period(self.date_from.as_deref(), self.date_to.as_deref())
    }
}

impl Checked for GenerateShoppingList {
    const TOOL: &'static str = "generate_shopping_list";
}
