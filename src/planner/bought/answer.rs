//! The answer to a question about purchases, from what the tool found: a text by template. Code puts
//! every number in, with the fact it comes from.

use super::Asked;
use crate::error::{Locale, Span};
use crate::facts::Outcome;
use crate::planner::naming::{in_groups, name_in};
use crate::query::check::Domain;
use crate::summary::{clean, display};
use crate::validate::{Claim, FactRef, Marked, Verdict};
use crate::value::Value;
use chrono::Datelike;
use std::cmp::Ordering;

/// Entries of a list that are told.
const MOST_ENTRIES: usize = 10;

/// The answer in `locale` from the list that a tool found and the totals over it.
pub fn answer(asked: Asked, list: &Outcome, totals: Option<&Outcome>, locale: Locale) -> Marked {
    let mut telling = Telling { marked: Marked::default(), locale };
    match (asked, totals) {
        (Asked::Spent, Some(totals)) => telling.spent(totals),
        (Asked::Bought, Some(totals)) => telling.bought(list, totals),
        (Asked::ToBuy, Some(totals)) => telling.shopping(list, totals),
        (Asked::Categories, _) => telling.categories(list),
        (Asked::Below, _) => telling.below(list),
        (Asked::Labels, _) => telling.labels(list),
        (Asked::Receipts, Some(totals)) => telling.receipts(totals),
        (Asked::LastReceipt, _) => telling.last_receipt(list),
        (Asked::LastBought, Some(_)) => telling.last_bought(list),
        (Asked::LastLines | Asked::Lines, Some(totals)) => telling.lines(list, totals),
        (Asked::Items, Some(totals)) => telling.items(list, totals),
        (Asked::Prices, Some(_)) => telling.prices(list, true),
        (Asked::DearestItems, Some(_)) => telling.prices(list, false),
        (Asked::Shops, Some(_)) => telling.shops(list),
        (Asked::Most, Some(_)) => telling.most(list),
        (Asked::Dearest, Some(_)) => telling.dearest(list),
        (Asked::Shares, Some(_)) => telling.shares(list),
        (Asked::Monthly, Some(totals)) => telling.monthly(list, totals),
        (Asked::Times, Some(totals)) => telling.times(list, totals),
        (Asked::Next, Some(_)) => telling.next(list),
        (_, None) => telling.say("Nothing was found.", "Ничего не нашлось."),
    }
    telling.marked
}

struct Telling {
    marked: Marked,
    locale: Locale,
}

impl Telling {
    fn say(&mut self, en: &str, ru: &str) {
        self.marked.text.push_str(match self.locale {
            Locale::En => en,
            Locale::Ru => ru,
        });
    }

    fn spent(&mut self, totals: &Outcome) {
        if is_zero(totals, "total_receipts") {
            self.say("No receipt matches.", "Подходящих чеков нет.");
            return;
        }
        self.say("Spent: ", "Потрачено: ");
        self.cell(totals, 0, "total_amount");
        self.say("; receipts: ", "; чеков: ");
        self.cell(totals, 0, "total_receipts");
        self.say(", on average ", ", в среднем ");
        self.cell(totals, 0, "average_receipt");
        self.say(".", ".");
    }

    fn bought(&mut self, list: &Outcome, totals: &Outcome) {
        if list.rows.is_empty() {
            self.say(
                "Nothing of such a name was bought (in that time or shop, where one was named).",
                "Покупок с таким названием нет (за это время и в этом магазине, если они названы).",
            );
            return;
        }
        self.say("In all for ", "Всего на ");
        self.cell(totals, 0, "grand_total_amount");
        self.say(": ", ": ");
        self.entries(list, |telling, row| {
            telling.item(list, row, "item_name");
            telling.say(" – ", " – ");
            telling.cell(list, row, "total_quantity");
            telling.say(" for ", " на ");
            telling.cell(list, row, "total_amount");
        });
    }

    fn categories(&mut self, list: &Outcome) {
        if list.rows.is_empty() {
            self.say("There are no categories.", "Категорий нет.");
            return;
        }
        self.say("Categories: ", "Категорий: ");
        self.count(list, "rows", list.rows.len() as u64);
        self.say(", with items in each: ", ", товаров в каждой: ");
        self.entries(list, |telling, row| {
            telling.name(list, row, "name");
            telling.say(" – ", " – ");
            telling.cell(list, row, "items_count");
        });
    }

    fn shopping(&mut self, list: &Outcome, totals: &Outcome) {
        if list.rows.is_empty() {
            self.say("Nothing is due in that time.", "За это время ничего не понадобится.");
            return;
        }
        self.say("To buy: ", "Купить: ");
        self.cell(totals, 0, "total_items");
        self.say(", for about ", ", примерно на ");
        self.cell(totals, 0, "estimated_total");
        self.say(": ", ": ");
        self.entries(list, |telling, row| {
            telling.name(list, row, "item_name");
            telling.say(" – ", " – ");
            telling.cell(list, row, "suggested_quantity");
        });
    }

    fn below(&mut self, list: &Outcome) {
        // The categories that were looked for have no name above them, those below them do.
        let above = list.column("parent");
        let rows: Vec<usize> = (0..list.rows.len())
            .filter(|row| above.is_some_and(|above| !list.value(*row, above).is_null()))
            .collect();
        if rows.is_empty() {
            self.say("There is no category below it.", "Таких подкатегорий нет.");
            return;
        }
        self.say("Subcategories, with items in each: ", "Подкатегории, товаров в каждой: ");
        self.some(list, &rows, "name", "items_count");
    }

    fn labels(&mut self, list: &Outcome) {
        if list.rows.is_empty() {
            self.say("There is no such label.", "Таких меток нет.");
            return;
        }
        self.say("Labels: ", "Меток: ");
        self.count(list, "rows", list.rows.len() as u64);
        self.say(", with items for each: ", ", товаров с каждой: ");
        self.named(list, "name", "items_count");
    }

    fn receipts(&mut self, totals: &Outcome) {
        if is_zero(totals, "total_receipts") {
            self.say("No receipt matches.", "Подходящих чеков нет.");
            return;
        }
        self.say("Receipts: ", "Чеков: ");
        self.cell(totals, 0, "total_receipts");
        self.say(", for ", ", на ");
        self.cell(totals, 0, "total_amount");
        self.say(", on average ", ", в среднем ");
        self.cell(totals, 0, "average_receipt");
        self.say(".", ".");
    }

    fn last_receipt(&mut self, list: &Outcome) {
        if list.rows.is_empty() {
            self.say("There are no receipts.", "Чеков нет.");
            return;
        }
        self.say("The latest receipt is of ", "Последний чек – от ");
        self.cell(list, 0, "date");
        self.say(", for ", ", на ");
        self.cell(list, 0, "total");
        self.say(".", ".");
    }

    fn last_bought(&mut self, list: &Outcome) {
        if list.rows.is_empty() {
            self.say("Nothing of that was bought.", "Ничего такого не куплено.");
            return;
        }
        self.say("Last bought on ", "Последняя покупка – ");
        self.cell(list, 0, "receipt_date");
        self.say(": ", ": ");
        self.name(list, 0, "item_name");
        self.say(", for ", ", на ");
        self.cell(list, 0, "amount");
        self.say(".", ".");
    }

    fn lines(&mut self, list: &Outcome, totals: &Outcome) {
        if list.rows.is_empty() {
            self.say("Nothing of that was bought.", "Ничего такого не куплено.");
            return;
        }
        self.say("Lines: ", "Позиций: ");
        self.cell(totals, 0, "total_items");
        self.say(", for ", ", на ");
        self.cell(totals, 0, "total_amount");
        self.say(": ", ": ");
        self.entries(list, |telling, row| {
            telling.name(list, row, "item_name");
            telling.say(" – ", " – ");
            telling.cell(list, row, "amount");
        });
    }

    fn items(&mut self, list: &Outcome, totals: &Outcome) {
        if list.rows.is_empty() {
            self.say("There are no such items.", "Таких товаров нет.");
            return;
        }
        self.say("Items: ", "Товаров: ");
        self.cell(totals, 0, "total_items");
        self.say(": ", ": ");
        // The same goods in several shops are items of one name, one after the other.
        let name = |row: usize| list.column("name").map(|column| list.value(row, column));
        let rows: Vec<usize> = (0..list.rows.len())
            .filter(|&row| row.checked_sub(1).is_none_or(|before| name(before) != name(row)))
            .collect();
        self.entries_of(list, &rows, |telling, row| telling.name(list, row, "name"));
    }

    fn prices(&mut self, list: &Outcome, cheap_first: bool) {
        let price = list.column("avg_price");
        let mut paid: Vec<(usize, f64)> = (0..list.rows.len())
            .filter_map(|row| Some((row, list.value(row, price?).as_f64()?)))
            .collect();
        if paid.is_empty() {
            self.say("Nothing of that was bought.", "Ничего такого не куплено.");
            return;
        }
        paid.sort_by(|a, b| a.1.total_cmp(&b.1));
        let mut rows: Vec<usize> = paid.into_iter().map(|(row, _)| row).collect();
        if cheap_first {
            self.say(
                "Mean price paid for one, the cheapest first: ",
                "Средняя цена покупки за единицу, сначала дешёвые: ",
            );
        } else {
            rows.reverse();
            self.say(
                "Mean price paid for one, the dearest first: ",
                "Средняя цена покупки за единицу, сначала дорогие: ",
            );
        }
        self.some(list, &rows, "name", "avg_price");
    }

    fn shops(&mut self, list: &Outcome) {
        if list.rows.is_empty() {
            self.say("Nothing was bought.", "Покупок нет.");
            return;
        }
        self.say(
            "Shops, with itemised receipts in each: ",
            "Магазины, чеков с товарами в каждом: ",
        );
        self.named(list, "shop", "purchase_count");
    }

    fn most(&mut self, list: &Outcome) {
        if list.rows.is_empty() {
            self.say(
                "Nothing was bought twice in that time.",
                "За это время ничего не куплено дважды.",
            );
            return;
        }
        self.say("Most often, by receipts: ", "Чаще всего, по числу чеков: ");
        self.named(list, name_of(list), "purchase_count");
    }

    fn dearest(&mut self, list: &Outcome) {
        if list.rows.is_empty() {
            self.say("Nothing was bought.", "Покупок нет.");
            return;
        }
        self.say("The most was spent on: ", "Больше всего потрачено на: ");
        self.named(list, name_of(list), "total_amount");
    }

    fn shares(&mut self, list: &Outcome) {
        if list.rows.is_empty() {
            self.say("Nothing was bought.", "Покупок нет.");
            return;
        }
        self.say("Per cent of all that was spent: ", "Процентов от всех трат: ");
        self.named(list, name_of(list), "percent_of_total");
    }

    /// What was bought month by month: the ends of it, and of prices the first and the last.
    fn monthly(&mut self, list: &Outcome, totals: &Outcome) {
        if list.rows.is_empty() {
            self.say("Nothing of that was bought.", "Ничего такого не куплено.");
            return;
        }
        self.say("In all: ", "Всего: ");
        self.cell(totals, 0, "total_spent");
        self.say(", months with purchases: ", ", месяцев с покупками: ");
        self.count(list, "rows", list.rows.len() as u64);
        self.say(".", ".");
        let by = |column: &str| -> Vec<usize> {
            let column = list.column(column);
            let number = |row: usize| column.and_then(|c| list.value(row, c).as_f64());
            let mut rows: Vec<usize> =
                (0..list.rows.len()).filter(|&row| number(row).is_some()).collect();
            // a stable sort: of equal months the earlier one comes first
            rows.sort_by(|&a, &b| number(b).partial_cmp(&number(a)).unwrap_or(Ordering::Equal));
            rows
        };
        let paid = by("total_amount");
        if let ([first, .., last], true) = (&paid[..], paid.len() > 1) {
            self.say(" The most: ", " Больше всего: ");
            self.in_month(list, *first, "total_amount");
            self.say("; the least: ", "; меньше всего: ");
            self.in_month(list, *last, "total_amount");
            self.say(".", ".");
        }
        let mut prices = by("avg_price");
        if let [highest, .., lowest] = prices[..] {
            prices.sort_unstable();
            self.say(" Mean price of one: ", " Средняя цена за единицу: ");
            for row in [prices.first(), prices.last()].into_iter().flatten() {
                self.in_month(list, *row, "avg_price");
                self.say("; ", "; ");
            }
            self.say("the highest: ", "самая высокая: ");
            self.in_month(list, highest, "avg_price");
            self.say("; the lowest: ", "; самая низкая: ");
            self.in_month(list, lowest, "avg_price");
            self.say(".", ".");
        }
    }

    /// `July 2023 – 1,234.5`
    /// How many receipts have it, and what it came to in them.
    fn times(&mut self, list: &Outcome, totals: &Outcome) {
        if list.rows.is_empty() {
            self.say("Nothing of that was bought.", "Ничего такого не куплено.");
            return;
        }
        self.say("In all for ", "Всего на ");
        self.cell(totals, 0, "total_spent");
        self.say(
            "; receipts with it, and what was paid for it: ",
            "; чеков с этим, и сколько за это заплачено: ",
        );
        let named = ["shop", "day_of_week", "product_name"];
        let name = named.into_iter().find(|name| list.column(name).is_some()).unwrap_or_default();
        self.entries(list, |telling, row| {
            if name == "day_of_week" {
                telling.weekday(list, row);
            } else {
                telling.item(list, row, name);
            }
            telling.say(" – ", " – ");
            telling.cell(list, row, "purchase_count");
            telling.say(" for ", " на ");
            telling.cell(list, row, "total_amount");
        });
    }

    /// A weekday, in words of the language.
    fn weekday(&mut self, list: &Outcome, row: usize) {
        const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
        let value = list.column("day_of_week").map(|column| list.value(row, column).to_string());
        let at = DAYS.iter().position(|day| value.as_deref() == Some(day));
        match at.and_then(|at| name_in(Domain::Weekday, at, self.locale)) {
            Some(name) => self.marked.text.push_str(name),
            None => self.name(list, row, "day_of_week"),
        }
    }

    fn in_month(&mut self, list: &Outcome, row: usize, column: &str) {
        let day = list.column("month").and_then(|month| list.value(row, month).date());
        if let Some(day) = day {
            let name = name_in(Domain::Month, day.month0() as usize, self.locale);
            let said = format!("{} {}", name.unwrap_or_default(), day.year());
            self.claim(&said, list, Some(row), "month", Value::from_date(day));
            self.say(" – ", " – ");
        }
        self.cell(list, row, column);
    }

    fn next(&mut self, list: &Outcome) {
        if list.rows.is_empty() {
            self.say("Nothing was bought twice.", "Ничего не куплено дважды.");
            return;
        }
        self.say("Expected: ", "Ожидается: ");
        self.named(list, "item_name", "next_purchase_date");
    }

    /// The first entries of a list, each with a number.
    fn named(&mut self, list: &Outcome, name: &str, number: &str) {
        let rows: Vec<usize> = (0..list.rows.len()).collect();
        self.some(list, &rows, name, number);
    }

    fn some(&mut self, list: &Outcome, rows: &[usize], name: &str, number: &str) {
        self.entries_of(list, rows, |telling, row| {
            telling.item(list, row, name);
            telling.say(" – ", " – ");
            telling.cell(list, row, number);
        });
    }

    /// The first entries of a list, and that there are more.
    fn entries(&mut self, list: &Outcome, entry: impl FnMut(&mut Self, usize)) {
        let rows: Vec<usize> = (0..list.rows.len()).collect();
        self.entries_of(list, &rows, entry);
    }

    fn entries_of(
        &mut self,
        list: &Outcome,
        rows: &[usize],
        mut entry: impl FnMut(&mut Self, usize),
    ) {
        for (n, row) in rows.iter().take(MOST_ENTRIES).enumerate() {
            if n > 0 {
                self.say("; ", "; ");
            }
            entry(self, *row);
        }
        let cut = list.rows_before_limit.is_some_and(|before| before > list.rows.len() as u64);
        if cut || rows.len() > MOST_ENTRIES {
            self.say("; and others", "; и другие");
        }
        self.say(".", ".");
    }

    /// A name, with its shop where another row has the same one.
    fn item(&mut self, list: &Outcome, row: usize, column: &str) {
        self.name(list, row, column);
        let (Some(name), Some(shop)) = (list.column(column), list.column("shop")) else { return };
        // of goods that several shops sell, each entry is those of one
        if list.column(column) == Some(name) && !list.value(row, shop).is_null() && column != "shop"
        {
            self.marked.text.push_str(" (");
            self.name(list, row, "shop");
            self.marked.text.push(')');
        }
    }

    fn name(&mut self, list: &Outcome, row: usize, column: &str) {
        match list.column(column).map(|column| list.value(row, column)) {
            Some(Value::Null) | None => self.say("without a name", "без названия"),
            Some(value) => self.marked.text.push_str(&clean(&value.to_string())),
        }
    }

    /// A number of a result, as a claim.
    fn cell(&mut self, outcome: &Outcome, row: usize, name: &str) {
        let value = outcome.column(name).map_or(Value::Null, |column| outcome.value(row, column));
        if value.is_null() {
            self.say("unknown", "неизвестно");
            return;
        }
        let mut shown = display(&value, false);
        if matches!(value, Value::Int(_) | Value::Float(_) | Value::Decimal(_)) {
            shown = in_groups(&shown, self.locale);
        }
        self.claim(&shown, outcome, Some(row), name, value);
    }

    fn count(&mut self, outcome: &Outcome, name: &str, count: u64) {
        let value = Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
        let shown = in_groups(&count.to_string(), self.locale);
        self.claim(&shown, outcome, None, name, value);
    }

    fn claim(
        &mut self,
        shown: &str,
        outcome: &Outcome,
        row: Option<usize>,
        column: &str,
        value: Value,
    ) {
        let start = self.marked.text.len();
        self.marked.text.push_str(shown);
        self.marked.claims.push(Claim {
            span: Span::new(start, start + shown.len()),
            text: shown.to_owned(),
            verdict: Verdict::Verified,
            actual: None,
            fact: Some(FactRef {
                result: outcome.id.clone(),
                row,
                key: Vec::new(),
                column: column.to_owned(),
                value,
            }),
            formula: None,
            operands: Vec::new(),
            replaced: None,
        });
    }
}

/// The column that names the entries: of items, or of categories.
fn name_of(list: &Outcome) -> &'static str {
    if list.column("item_name").is_some() { "item_name" } else { "product_name" }
}

fn is_zero(outcome: &Outcome, name: &str) -> bool {
    let column = outcome.column(name);
    column.is_none_or(|column| outcome.value(0, column).as_f64().is_none_or(|n| n == 0.0))
}
