//! What several tools begin with: today, the tree of categories, and the lines of receipts with all
//! that belongs to them.

use super::arguments::Id;
use super::tree::Tree;
use super::{Done, PurchaseCall, Statement};
use crate::error::{Code, Diagnostic};
use crate::query::check::Warning;
use chrono::NaiveDate;
use serde_json::{Map, Value as Json, json};
use std::collections::HashSet;

/// Conditions of a statement, the values in them, and which tables they look at beside the one that
/// it is about.
#[derive(Clone, Default)]
pub(super) struct Filter {
    conditions: Vec<String>,
    pub params: Map<String, Json>,
    receipts: bool,
    items: bool,
}

impl Filter {
    /// Adds a condition with one value, which it calls `$name`.
    pub(super) fn with(&mut self, condition: &str, name: &str, value: impl Into<Json>) {
        self.conditions.push(condition.to_owned());
        self.params.insert(name.to_owned(), value.into());
    }

    /// Adds a condition without a value.
    pub(super) fn only(&mut self, condition: &str) {
        self.conditions.push(condition.to_owned());
    }

    /// Adds a partial match, where it is asked for.
    pub(super) fn holding(&mut self, column: &str, name: &str, part: Option<&str>) {
        if let Some(part) = part {
            let condition = format!("contains({{fold {column}}}, ${name})");
            self.with(&condition, name, super::fold(part));
        }
    }

    /// Leaves out lines of items that a partial match finds.
    pub(super) fn without_items(&mut self, part: &str) {
        self.items = true;
        let condition = "NOT coalesce(contains({fold i.name}, $item), false)";
        self.with(condition, "item", super::fold(part));
    }

    /// Adds the limits of a period, both included, of days that a statement calls so.
    pub(super) fn within(
        &mut self,
        done: &Done,
        day: &str,
        from: Option<NaiveDate>,
        to: Option<NaiveDate>,
    ) {
        let (from, to) = limits(done, from, to);
        for (sign, name, limit) in [(">=", "from", from), ("<=", "to", to)] {
            if let Some(limit) = limit {
                let condition = format!("{day} {sign} CAST(${name} AS DATE)");
                self.with(&condition, name, limit.to_string());
            }
        }
    }

    /// Keeps items of these categories.
    pub(super) fn of_categories(&mut self, ids: Option<Vec<String>>) {
        if let Some(ids) = ids {
            self.with("{id i.product_id} IN ($categories)", "categories", ids);
        }
    }

    /// Keeps these items.
    pub(super) fn of_items(&mut self, ids: Vec<String>) {
        self.with("{id i.id} IN ($of_items)", "of_items", ids);
    }

    fn one_of(&mut self, call: &PurchaseCall, column: &str, name: &str, ids: Vec<String>) {
        let called = format!("b.{}", column.rsplit('.').next().unwrap_or(column));
        let (condition, ids) = call.names.one_of(column, (&called, name), ids);
        self.with(&condition, name, ids);
    }

    /// Keeps lines of these receipts.
    pub(super) fn lines_of_receipt(&mut self, call: &PurchaseCall, id: String) {
        self.one_of(call, "l.receipt_id", "receipt", vec![id]);
    }

    /// Keeps lines of items of these categories.
    pub(super) fn lines_of_categories(&mut self, call: &PurchaseCall, ids: Option<Vec<String>>) {
        if let Some(ids) = ids {
            self.one_of(call, "i.product_id", "categories", ids);
        }
    }

    /// Keeps lines of these groups: of items or of categories.
    pub(super) fn lines_of_groups(&mut self, call: &PurchaseCall, column: &str, ids: Vec<String>) {
        self.one_of(call, column, "ids", ids);
    }

    /// Keeps lines of these items.
    pub(super) fn lines_of_items(&mut self, call: &PurchaseCall, ids: Vec<String>) {
        if call.names.alike("l.item_id", "i.id") {
            self.one_of(call, "l.item_id", "of_items", ids);
        } else {
            self.items = true;
            self.of_items(ids);
        }
    }

    /// Keeps lines of items that a partial match finds; `found` are their ids.
    pub(super) fn lines_holding(
        &mut self,
        call: &PurchaseCall,
        part: Option<&str>,
        found: Vec<String>,
    ) {
        if part.is_some() && found.len() <= MOST_IDS {
            self.lines_of_items(call, found);
        } else if part.is_some() {
            self.items = true;
            self.holding("i.name", "item", part);
        }
    }

    /// Keeps lines of receipts from shops that a partial match finds; `found` are their names.
    pub(super) fn lines_of_shops(&mut self, part: Option<&str>, found: Vec<String>) {
        self.receipts |= part.is_some();
        self.of_shops("{text r.shop}", "{fold r.shop}", part, found);
    }

    /// The same of receipts: a statement calls the shop so, and so without case.
    pub(super) fn of_shops(
        &mut self,
        shop: &str,
        folded: &str,
        part: Option<&str>,
        found: Vec<String>,
    ) {
        let Some(part) = part else { return };
        if found.len() <= MOST_IDS {
            self.with(&format!("{shop} IN ($shop)"), "shop", found);
        } else {
            self.with(&format!("contains({folded}, $shop)"), "shop", super::fold(part));
        }
    }

    /// All conditions, as the end of a statement.
    pub(super) fn sql(&self) -> String {
        if self.conditions.is_empty() {
            return String::new();
        }
        format!(" WHERE {}", self.conditions.join(" AND "))
    }

    /// Lines of receipts, what else the conditions look at, and all conditions: the end of a
    /// statement that calls the lines `b`.
    pub(super) fn lines(&self) -> String {
        self.of("{bought}", "b")
    }

    /// The same of another table, which a statement calls `called`.
    pub(super) fn of(&self, table: &str, called: &str) -> String {
        let join = |asked: bool, table: &str, short: &str, id: &str| {
            let on = format!("{{same l.{id} {short}.id {called}.{id}}}");
            if asked { format!(" JOIN {{{table}}} {short} ON {on}") } else { String::new() }
        };
        let receipts = join(self.receipts, "receipts", "r", "receipt_id");
        let items = join(self.items, "items", "i", "item_id");
        format!(" FROM {table} {called}{receipts}{items}{}", self.sql())
    }
}

/// So many ids stand in a statement; more are looked for by what they have in common.
const MOST_IDS: usize = 2_000;

/// Whether ids of these tables are there once each.
pub(super) fn items_and_products(call: &PurchaseCall) -> Vec<Statement> {
    vec![ids(call, "items", "i", ""), ids(call, "products", "p", "")]
}

/// How many rows a table has, how many of them have an id, and how many ids there are. The statement
/// is the same in every tool, and what it finds is found once.
pub(super) fn ids(call: &PurchaseCall, name: &'static str, alias: &str, more: &str) -> Statement {
    let template = format!(
        "SELECT count(*) AS all_rows, count({{{alias}.id}}) AS rows, \
         count(DISTINCT {{{alias}.id}}) AS ids{more} FROM {{{name}}} {alias}"
    );
    call.statement(name, &template, Map::new())
}

/// The date of the latest receipt, how many have no date, and whether ids of receipts are there once
/// each.
pub(super) fn receipts(call: &PurchaseCall) -> Statement {
    let more = ", min({date r.receipt_date}) AS earliest, max({date r.receipt_date}) AS latest, \
         sum(CASE WHEN {date r.receipt_date} IS NULL THEN 1 ELSE 0 END) AS undated";
    ids(call, "receipts", "r", more)
}

/// The limits of a period that leave something out: one that holds all receipts needs no look at
/// their dates.
pub(super) fn limits(
    done: &Done,
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
) -> (Option<NaiveDate>, Option<NaiveDate>) {
    let Some(receipts) = done.first("receipts") else { return (from, to) };
    let lost = done.first(Lost::Lines.name()).map(|row| row.count("lost"));
    if lost != Some(0) || receipts.count("undated") > 0 {
        return (from, to);
    }
    let (earliest, latest) = (receipts.date("earliest"), receipts.date("latest"));
    (
        from.filter(|from| earliest.is_none_or(|earliest| earliest < *from)),
        to.filter(|to| latest.is_none_or(|latest| latest > *to)),
    )
}

/// The warning about receipts without a date, where a period leaves them out.
pub(super) fn undated(call: &PurchaseCall, done: &Done) -> Option<Warning> {
    let n = done.first("receipts")?.count("undated");
    let receipts = call.names.title("receipts");
    (n > 0).then(|| Warning {
        code: "undated",
        message: text!(
            "rows of `{receipts}` without a date: {n}; they belong to no period and are left out",
            "строк в `{receipts}` без даты: {n}; они не входят ни в один период и не учтены"
        ),
    })
}

/// The same, and whether ids of items are there once each.
pub(super) fn receipts_and_items(call: &PurchaseCall) -> Vec<Statement> {
    vec![receipts(call), ids(call, "items", "i", "")]
}

/// Every category, with how many items are in it.
pub(super) fn categories(call: &PurchaseCall) -> Statement {
    let template = "WITH pack_counts AS (SELECT {id i.product_id} AS product, count(*) AS items \
         FROM {items} i GROUP BY {id i.product_id}) \
         SELECT {p.id} AS id, {text p.name} AS name, {p.parent_id} AS parent_id, c.items AS items \
         FROM {products} p LEFT JOIN pack_counts c ON c.product = {id p.id} \
         ORDER BY {id p.id}";
    call.statement("products", template, Map::new())
}

/// The day that counts as today; nothing where there is no receipt.
pub(super) fn today(call: &PurchaseCall, done: &Done) -> Option<NaiveDate> {
    call.reference.or_else(|| done.first("receipts")?.date("latest"))
}

/// Ids that are there more than once would count lines twice.
pub(super) fn once_each(call: &PurchaseCall, done: &Done) -> Result<(), Vec<Diagnostic>> {
    let mut problems = Vec::new();
    for table in ["receipts", "items", "products", "labels"] {
        // Ids were counted, or are listed.
        let counted = |row: super::Row<'_>| row.count("rows") > row.count("ids");
        let mut seen = HashSet::new();
        let listed = |row: super::Row<'_>| row.text("id").is_some_and(|id| !seen.insert(id));
        if done.first(table).is_some_and(counted) || done.rows(table).any(listed) {
            problems.push(repeated(call, table));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems) }
}

fn repeated(call: &PurchaseCall, table: &str) -> Diagnostic {
    let table = call.names.title(table);
    Diagnostic::new(
        Code::BadRow,
        text!(
            "ids in table `{table}` repeat: each row needs its own, or sums would count rows twice",
            "в таблице `{table}` повторяются id: у каждой строки нужен свой, иначе суммы удвоятся"
        ),
    )
}

/// The categories that a name asks for, with all below them.
pub(super) fn categories_named(done: &Done, part: Option<&str>) -> Option<Vec<String>> {
    part.map(|part| Tree::new(done.rows("products")).named(part))
}

/// The categories of a name, with all below them.
pub(super) fn categories_called(done: &Done, name: &str) -> Vec<String> {
    Tree::new(done.rows("products")).called(name)
}

/// A category and all below it.
pub(super) fn categories_below(done: &Done, id: Option<&Id>) -> Option<Vec<String>> {
    id.map(|id| Tree::new(done.rows("products")).with_descendants([id.to_string()]))
}

/// What groups `g` of lines by item are joined to: their items, and the categories of those.
pub(super) const NAMED: &str = " LEFT JOIN {items} i ON {same l.item_id i.id g.pack_key} \
     LEFT JOIN {products} p ON {same i.product_id p.id}";

/// The start of a statement over lines of receipts, under the name `pack_found`. Names come to the
/// groups, of which there are fewer.
pub(super) fn found(filter: &Filter) -> String {
    format!(
        "WITH pack_found AS (SELECT b.receipt_id AS receipt_id, b.item_id AS item_id, \
         b.quantity AS quantity, b.amount AS amount, b.day AS day, b.orphan AS orphan, \
         b.product_id AS product_id{}) ",
        filter.lines()
    )
}

/// How many of the lines name an item that is not there.
pub(super) const ORPHANS: &str = "sum(CASE WHEN orphan THEN 1 ELSE 0 END) AS orphan_lines";

/// The warning about lines whose item is not in the table of items.
pub(super) fn orphans(call: &PurchaseCall, lines: u64) -> Option<Warning> {
    let items = call.names.title("items");
    (lines > 0).then(|| Warning {
        code: "orphans",
        message: text!(
            "lines with an item that `{items}` does not have: {lines}; they count without a name",
            "строк с товаром, которого нет в `{items}`: {lines}; они учтены без названия"
        ),
    })
}

/// References to rows that are not there.
#[derive(Clone, Copy)]
pub(super) enum Lost {
    /// Lines without a receipt.
    Lines,
    /// Lines without an item.
    Bought,
    /// Items without their category.
    Items,
    /// Categories without the one above them.
    Parents,
    /// Labels on items that are not there.
    Labelled,
    /// Items with labels that are not there.
    Labels,
}

impl Lost {
    pub(super) const ALL: [Self; 6] =
        [Self::Lines, Self::Bought, Self::Items, Self::Parents, Self::Labelled, Self::Labels];

    /// The table, its column, and the table whose rows that names.
    pub(super) fn ends(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Lines => ("receipt_items", "receipt_id", "receipts"),
            Self::Bought => ("receipt_items", "item_id", "items"),
            Self::Items => ("items", "product_id", "products"),
            Self::Parents => ("products", "parent_id", "products"),
            Self::Labelled => ("item_labels", "item_id", "items"),
            Self::Labels => ("item_labels", "label_id", "labels"),
        }
    }

    /// Whether it needs the tables of labels.
    pub(super) fn of_labels(self) -> bool {
        matches!(self, Self::Labelled | Self::Labels)
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Lines => "lost_lines",
            Self::Bought => "lost_bought",
            Self::Items => "lost_items",
            Self::Parents => "lost_parents",
            Self::Labelled => "lost_labelled",
            Self::Labels => "lost_labels",
        }
    }

    /// The statement that counts them.
    pub(super) fn count(self, call: &PurchaseCall) -> Statement {
        let template = match self {
            Self::Lines => {
                "SELECT count(*) AS lost FROM {receipt_items} l \
                 LEFT JOIN {receipts} r ON {same l.receipt_id r.id} WHERE {r.id} IS NULL"
            }
            Self::Bought => {
                "SELECT count(*) AS lost FROM {receipt_items} l \
                 LEFT JOIN {items} i ON {same l.item_id i.id} WHERE {i.id} IS NULL"
            }
            Self::Items => {
                "SELECT count(*) AS lost FROM {items} i \
                 LEFT JOIN {products} p ON {same i.product_id p.id} \
                 WHERE {i.product_id} IS NOT NULL AND {p.id} IS NULL"
            }
            Self::Parents => {
                "SELECT count(*) AS lost FROM (SELECT {id p.parent_id} AS parent \
                 FROM {products} p) c LEFT JOIN {products} p ON {id p.id} = c.parent \
                 WHERE c.parent IS NOT NULL AND {p.id} IS NULL"
            }
            Self::Labelled => {
                "SELECT count(*) AS lost FROM {item_labels} t \
                 LEFT JOIN {items} i ON {same t.item_id i.id} WHERE {i.id} IS NULL"
            }
            Self::Labels => {
                "SELECT count(*) AS lost FROM {item_labels} t \
                 LEFT JOIN {labels} b ON {same t.label_id b.id} WHERE {b.id} IS NULL"
            }
        };
        call.statement(self.name(), template, Map::new())
    }

    fn warning(self, call: &PurchaseCall, n: u64) -> Warning {
        let of = |table: &str| call.names.title(table);
        let message = match self {
            Self::Lines => {
                let (lines, receipts) = (of("receipt_items"), of("receipts"));
                text!(
                    "rows of `{lines}` with a receipt that `{receipts}` does not have: {n}; they belong to no period",
                    "строк в `{lines}` с чеком, которого нет в `{receipts}`: {n}; они не входят ни в один период"
                )
            }
            Self::Bought => {
                let (lines, items) = (of("receipt_items"), of("items"));
                text!(
                    "rows of `{lines}` with an item that `{items}` does not have: {n}; they are left out",
                    "строк в `{lines}` с товаром, которого нет в `{items}`: {n}; они не учтены"
                )
            }
            Self::Items => {
                let (items, products) = (of("items"), of("products"));
                text!(
                    "rows of `{items}` with a category that `{products}` does not have: {n}; they count without one",
                    "строк в `{items}` с категорией, которой нет в `{products}`: {n}; они учтены без категории"
                )
            }
            Self::Parents => {
                let products = of("products");
                text!(
                    "rows of `{products}` with a parent that is not there: {n}; they count as topmost",
                    "строк в `{products}` с родителем, которого там нет: {n}; они считаются корневыми"
                )
            }
            Self::Labelled => {
                let (on, items) = (of("item_labels"), of("items"));
                text!(
                    "rows of `{on}` with an item that `{items}` does not have: {n}",
                    "строк в `{on}` с товаром, которого нет в `{items}`: {n}"
                )
            }
            Self::Labels => {
                let (on, labels) = (of("item_labels"), of("labels"));
                text!(
                    "rows of `{on}` with a label that `{labels}` does not have: {n}; they are left out",
                    "строк в `{on}` с меткой, которой нет в `{labels}`: {n}; они не учтены"
                )
            }
        };
        Warning { code: "orphans", message }
    }
}

/// Warnings of everything that was counted and is not there.
pub(super) fn lost(call: &PurchaseCall, done: &Done) -> Vec<Warning> {
    let counted = Lost::ALL.into_iter().filter_map(|lost| {
        let n = done.first(lost.name())?.count("lost");
        (n > 0).then(|| lost.warning(call, n))
    });
    counted.collect()
}

/// A period as the person reads it; null where there is no day.
pub(super) fn period(from: Option<NaiveDate>, to: Option<NaiveDate>) -> Json {
    from.zip(to).map_or(Json::Null, |(from, to)| json!(format!("{from} - {to}")))
}
