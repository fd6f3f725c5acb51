//! Arguments of the purchase tools, their defaults and what they mean.

use super::predict::Confidence;
use crate::error::{Code, Diagnostic, Locale, Text};
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
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct GetReceipts {
    #[schemars(schema_with = "date", default)]
    pub date_from: Option<String>,
    #[schemars(schema_with = "date", default)]
    pub date_to: Option<String>,
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
    pub item_name: Option<String>,
    pub product_name: Option<String>,
    pub shop: Option<String>,
    #[schemars(range(min = 1))]
    pub limit: u64,
    pub group_by_item: bool,
}

impl Default for GetReceiptItems {
    fn default() -> Self {
        Self {
            receipt_id: None,
            date_from: None,
            date_to: None,
            item_name: None,
            product_name: None,
            shop: None,
            limit: 50,
            group_by_item: false,
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct GetProducts {
    #[schemars(schema_with = "id_or_null", default)]
    pub parent_id: Option<Id>,
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
    pub product_name: Option<String>,
    pub search: Option<String>,
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
    pub group_by: GroupBy,
    pub product_name: Option<String>,
    #[schemars(range(min = 1))]
    pub min_purchase_count: u64,
    #[schemars(range(min = 1))]
    pub limit: u64,
    pub include_prediction: bool,
}

impl Default for GetPurchaseStatistics {
    fn default() -> Self {
        Self {
            period_days: 90,
            group_by: GroupBy::Item,
            product_name: None,
            min_purchase_count: 2,
            limit: 20,
            include_prediction: false,
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct GenerateShoppingList {
    #[schemars(range(min = 0, max = 36500))]
    pub days_ahead: u64,
    pub include_labels: Vec<String>,
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
pub(super) fn schema<T: JsonSchema>(locale: Locale) -> Value {
    let mut schema = arguments::schema_with_defaults::<T>();
    if let Some(properties) = schema["properties"].as_object_mut() {
        for (name, property) in properties {
            let text =
                if name == "limit" { most(property["default"].as_u64()) } else { meaning(name) };
            if let (Some(property), Some(text)) = (property.as_object_mut(), text) {
                property.insert("description".into(), text.get(locale).into());
            }
        }
    }
    schema
}

fn most(default: Option<u64>) -> Option<Text> {
    let n = default?;
    Some(text!(
        "the most entries of the list; {n} if left out",
        "наибольшее число записей в списке; если не указано – {n}"
    ))
}

/// What an argument means. One name means one thing in every tool of the pack.
fn meaning(argument: &str) -> Option<Text> {
    Some(match argument {
        "date_from" => text!(
            "first day (YYYY-MM-DD); without it, from the beginning",
            "начало периода (YYYY-MM-DD); если не указано – без ограничения"
        ),
        "date_to" => text!(
            "last day (YYYY-MM-DD); without it, until today",
            "конец периода (YYYY-MM-DD); если не указано – до сегодня"
        ),
        "shop" => text!(
            "shops whose name holds this",
            "фильтр по названию магазина (частичное совпадение)"
        ),
        "order_by" => text!("order of the receipts", "сортировка результатов"),
        "include_summary" => text!(
            "also the number of receipts, their sum and mean, the period",
            "включить сводку: количество чеков, сумму, средний чек, период"
        ),
        "receipt_id" => {
            text!("lines of this receipt alone", "ID чека: если указан – только позиции этого чека")
        }
        "item_name" => {
            text!("items whose name holds this", "поиск по названию товара (частичное совпадение)")
        }
        "product_name" => text!(
            "items of categories whose name holds this, and of those below them",
            "фильтр по названию категории (частичное совпадение), вместе с подкатегориями"
        ),
        "group_by_item" => text!(
            "one entry an item, quantities and amounts summed",
            "группировать по товару с суммированием количества и суммы"
        ),
        "parent_id" => text!(
            "categories right below this one; null or left out: the topmost",
            "ID родительской категории; null или не указано – корневые категории"
        ),
        "search" => text!("names that hold this", "поиск по названию (частичное совпадение)"),
        "include_children" => {
            text!("also the categories one level below", "включить дочерние категории (1 уровень)")
        }
        "include_items_count" => text!(
            "also how many items are in a category and below it",
            "включить количество товаров в категории и ниже"
        ),
        "product_id" => text!(
            "items of this category and of those below it",
            "ID категории: её товары и товары подкатегорий"
        ),
        "include_purchase_stats" => {
            text!("also what was bought of each item", "включить статистику покупок")
        }
        "label_name" => {
            text!("labels whose name holds this", "фильтр по названию метки (частичное совпадение)")
        }
        "include_items" => {
            text!("also the items of each label", "включить список товаров для каждой метки")
        }
        "items_limit" => text!("the most items of a label", "максимум товаров на метку"),
        "period_days" => {
            text!("how many days back from today", "период анализа в днях, считая назад от сегодня")
        }
        "group_by" => text!("what the statistics are grouped by", "группировка статистики"),
        "min_purchase_count" => text!(
            "leave out what was bought less often",
            "минимальное количество покупок для включения"
        ),
        "include_prediction" => text!(
            "also when each item or category will be bought next",
            "включить предсказание следующей покупки (для товаров и категорий)"
        ),
        "days_ahead" => text!("how many days to plan ahead", "на сколько дней вперёд планировать"),
        "include_labels" => {
            text!("add items with any of these labels", "включить товары с этими метками")
        }
        "exclude_labels" => {
            text!("leave out items with any of these labels", "исключить товары с этими метками")
        }
        "min_confidence" => {
            text!("leave out less certain predictions", "минимальный уровень уверенности")
        }
        "budget_limit" => {
            text!("the total price stays within this", "ограничение бюджета: сумма не превысит его")
        }
        _ => return None,
    })
}

/// What is wrong with arguments beside their types.
pub(super) trait Checked: DeserializeOwned + JsonSchema {
    fn problems(&self) -> Vec<Diagnostic>;
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

fn period(from: Option<&str>, to: Option<&str>, out: &mut Vec<Diagnostic>) {
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
}

fn texts(given: &[(&str, Option<&str>)], out: &mut Vec<Diagnostic>) {
    for (name, text) in given {
        if text.is_some_and(|text| text.trim().is_empty()) {
            out.push(empty(&format!("/{name}")));
        }
    }
}

fn empty(at: &str) -> Diagnostic {
    let message =
        text!("must not be empty: leave it out", "не должно быть пустым: не указывайте его");
    Diagnostic::new(Code::MalformedArguments, message).at(at)
}

impl Checked for GetReceipts {
    fn problems(&self) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        period(self.date_from.as_deref(), self.date_to.as_deref(), &mut out);
        texts(&[("shop", self.shop.as_deref())], &mut out);
        out
    }
}

impl Checked for GetReceiptItems {
    fn problems(&self) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        period(self.date_from.as_deref(), self.date_to.as_deref(), &mut out);
        let given = [
            ("item_name", self.item_name.as_deref()),
            ("product_name", self.product_name.as_deref()),
            ("shop", self.shop.as_deref()),
        ];
        texts(&given, &mut out);
        out
    }
}

impl Checked for GetProducts {
    fn problems(&self) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        texts(&[("search", self.search.as_deref())], &mut out);
        out
    }
}

impl Checked for GetItems {
    fn problems(&self) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        let given = [
            ("product_name", self.product_name.as_deref()),
            ("search", self.search.as_deref()),
            ("shop", self.shop.as_deref()),
        ];
        texts(&given, &mut out);
        out
    }
}

impl Checked for GetLabels {
    fn problems(&self) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        texts(&[("label_name", self.label_name.as_deref())], &mut out);
        out
    }
}

impl Checked for GetPurchaseStatistics {
    fn problems(&self) -> Vec<Diagnostic> {
        let mut out = Vec::new();
        texts(&[("product_name", self.product_name.as_deref())], &mut out);
        if self.include_prediction && !matches!(self.group_by, GroupBy::Item | GroupBy::Product) {
            let message = text!(
                "only items and products are predicted",
                "предсказываются только товары и категории"
            );
            let problem = Diagnostic::new(Code::MalformedArguments, message);
            out.push(problem.at("/include_prediction").choices(["item", "product"]));
        }
        out
    }
}

impl Checked for GenerateShoppingList {
    fn problems(&self) -> Vec<Diagnostic> {
        let lists =
            [("include_labels", &self.include_labels), ("exclude_labels", &self.exclude_labels)];
        let named = lists.into_iter().flat_map(|(name, labels)| {
            labels.iter().enumerate().map(move |(place, label)| (format!("/{name}/{place}"), label))
        });
        let blank = named.filter(|(_, label)| label.trim().is_empty());
        blank.map(|(at, _)| empty(&at)).collect()
    }
}
