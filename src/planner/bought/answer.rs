//! The answer to a question about purchases, from what the tool found: a text by template. Code puts
//! every number in, with the fact it comes from.

use super::Asked;
use crate::error::{Locale, Span};
use crate::facts::Outcome;
use crate::summary::{clean, display};
use crate::validate::{Claim, FactRef, Marked, Verdict};
use crate::value::Value;

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
            self.say("Nothing of that was bought.", "Ничего такого не куплено.");
            return;
        }
        self.entries(list, |telling, row| {
            telling.name(list, row, "item_name");
            telling.say(" – ", " – ");
            telling.cell(list, row, "total_quantity");
            telling.say(" for ", " на ");
            telling.cell(list, row, "total_amount");
        });
        self.say(" In all: ", " Всего на ");
        self.cell(totals, 0, "grand_total_amount");
        self.say(".", ".");
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

    /// The first entries of a list, and that there are more.
    fn entries(&mut self, list: &Outcome, mut entry: impl FnMut(&mut Self, usize)) {
        let rows = list.rows.len();
        for row in 0..rows.min(MOST_ENTRIES) {
            if row > 0 {
                self.say("; ", "; ");
            }
            entry(self, row);
        }
        let all = list.rows_before_limit.map_or(rows as u64, |before| before.max(rows as u64));
        if all > rows.min(MOST_ENTRIES) as u64 {
            self.say("; and others", "; и другие");
        }
        self.say(".", ".");
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
        let shown = display(&value, false);
        self.claim(&shown, outcome, Some(row), name, value);
    }

    fn count(&mut self, outcome: &Outcome, name: &str, count: u64) {
        let value = Value::Int(i64::try_from(count).unwrap_or(i64::MAX));
        self.claim(&count.to_string(), outcome, None, name, value);
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
            replaced: None,
        });
    }
}

fn is_zero(outcome: &Outcome, name: &str) -> bool {
    let column = outcome.column(name);
    column.is_none_or(|column| outcome.value(0, column).as_f64().is_none_or(|n| n == 0.0))
}
