//! Questions for what the most money goes on: items or categories by the sums of their lines.

use super::lists::{GOODS, KINDS};
use super::{Asked, Call, EVER, Reader, among};
use crate::planner::token::{Token, TokenKind};
use serde_json::{Map, json};

const MONEY: &str = "spending spendings expenses expense expenditure amount sum total cost costs money \
                     spent расходам расходы расходов расход тратам траты трат затратам затраты сумме сумма \
                     суммы стоимости деньгам расходах тратах затратах";
const SPEND: &str = "spend spent spending трачу тратим тратил тратила потратил потратила потратили \
                     расходую уходит ушло";
const MOST: &str = "most top больше всего топ expensive самая дорогая дорогие";
const OF_MONEY: &str = "what which do did i we have the a on money my our goes go total in me show list \
                        на что какие какой какую какая я мы денег деньги мои наши все покажи самые";
const BY: &str = "by per on for each across по на as of в";

/// Entries where no number is named.
const FEW: u64 = 10;
/// Entries of a list that is asked for whole, and the most that a question may name.
const ALL: u64 = 1000;

impl Reader<'_> {
    /// `top 5 items by quantity`, `топ-10 товаров по числу покупок`: by how many times they were bought.
    pub(super) fn most_often(&self) -> Option<Call> {
        const NUMBER: &str =
            "quantity number count purchases times количеству числу покупок раз штук";
        const BESIDE: &str = "top топ by of по the my show me покажи мои most";
        let (period, words) = self.period()?;
        let has = |list: &str| words.iter().any(|t| among(&t.folded, list));
        let (goods, kinds) = (has(GOODS) || has(ITEM), has(KINDS) || has(KIND));
        let mut limit = None;
        for token in &words {
            let known = [NUMBER, BESIDE, GOODS, ITEM, KINDS, KIND];
            match few(token) {
                Some(number) if limit.is_none() => limit = Some(number),
                None if token.is_symbol("-") => {}
                None if known.iter().any(|list| among(&token.folded, list)) => {}
                _ => return None,
            }
        }
        if !has("top топ") || !has("by по") || !has(NUMBER) || goods == kinds {
            return None;
        }
        let group = if goods { "item" } else { "product" };
        let mut arguments = Map::from_iter([
            ("group_by".to_owned(), json!(group)),
            ("limit".to_owned(), json!(limit.unwrap_or(FEW))),
        ]);
        let read = if goods {
            [
                "items of each shop by number of purchases",
                "товары каждого магазина по числу покупок",
            ]
        } else {
            ["categories by number of purchases", "категории по числу покупок"]
        };
        let mut read = self.in_language(read).to_owned();
        if let Some(period) = period {
            self.limit(period, &mut arguments, &mut read);
        } else {
            arguments.insert("period_days".to_owned(), json!(EVER));
        }
        Some(self.call(Asked::Most, "get_purchase_statistics", arguments, None, read))
    }

    /// `top 5 products by spending`, `на что я трачу больше всего`, `spending by category`.
    pub(super) fn dearest(&self) -> Option<Call> {
        let (period, words) = self.period()?;
        let has = |list: &str| words.iter().any(|t| among(&t.folded, list));
        let (goods, kinds) = (has(GOODS) || has(ITEM), has(KINDS) || has(KIND));
        let known = [GOODS, ITEM, KINDS, KIND, MONEY, SPEND, MOST, OF_MONEY, BY, SHARE];
        let mut limit = None;
        for token in &words {
            match few(token) {
                Some(number) if limit.is_none() => limit = Some(number),
                None if token.is_symbol("-") || token.is_symbol("%") || token.is_symbol(",") => {}
                None if token.kind == TokenKind::Word
                    && known.iter().any(|list| among(&token.folded, list)) => {}
                _ => return None,
            }
        }
        let most = has("most top топ самая самые") || has("больше") && has("всего");
        // `top 5 products`: by what they came to, as top shops are
        let dear = has("expensive costs cost дорогая дорогие")
            && has("most самая самые")
            && has("category categories категория категории");
        let top = (has("top топ") || dear) && (goods || kinds);
        let money = has(MONEY) || has(SPEND) || top;
        let shares = has(SHARE) || words.iter().any(|t| t.is_symbol("%"));
        let on_what = has(SPEND) && (has("what which on") || has("на") && has("что"));
        if goods && kinds || !money || shares && !kinds || limit.is_some() && !has("top топ") {
            return None;
        }
        // `spending by category` has all of them, `what do I spend most on` asks of what
        let grouped = has("by per across each по");
        if !(most && (goods || kinds) && (grouped || has(SPEND) || top)
            || most && on_what && !goods
            || (grouped || shares) && !most && (goods || kinds))
        {
            return None;
        }
        let mut arguments = Map::from_iter([("order_groups_by".to_owned(), json!("amount"))]);
        let limit = limit.unwrap_or(if most { FEW } else { ALL });
        arguments.insert("limit".to_owned(), json!(limit));
        let mut read = self
            .in_language(if goods {
                [
                    "items of each shop by what was paid for them",
                    "товары каждого магазина по сумме покупок",
                ]
            } else {
                ["categories by what was paid in them", "категории по сумме покупок"]
            })
            .to_owned();
        if let Some(period) = period {
            self.limit(period, &mut arguments, &mut read);
        }
        if goods {
            arguments.insert("group_by_item".to_owned(), json!(true));
            return Some(self.call(Asked::Dearest, "get_receipt_items", arguments, None, read));
        }
        arguments.insert("group_by".to_owned(), json!("product"));
        arguments.insert("min_purchase_count".to_owned(), json!(1));
        if period.is_none() {
            arguments.insert("period_days".to_owned(), json!(EVER));
        }
        let asked = if shares { Asked::Shares } else { Asked::Dearest };
        Some(self.call(asked, "get_purchase_statistics", arguments, None, read))
    }
}

/// Of all that was spent: categories have it, items have not.
const SHARE: &str = "percent percentage percentages share shares процентах процент доля доли долю";
const ITEM: &str = "item good товаров товар товарам товара товару товарах";
const KIND: &str = "product category продуктов продукт продуктам продукту категорий категория \
                    категориям категории категорию";

/// A number of entries.
fn few(token: &Token) -> Option<u64> {
    match token.kind {
        TokenKind::Number { value, unit: None, .. }
            if value.fract() == 0.0 && (1.0..=ALL as f64).contains(&value) =>
        {
            Some(value as u64)
        }
        _ => None,
    }
}
