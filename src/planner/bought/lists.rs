//! Questions for a list: receipts, shops, lines, items, categories below one, labels, what is bought
//! most and what will be bought next.
//!
//! Each is a pattern: one word of each list that it needs, words that add nothing, and a name where
//! it asks for one. Any other word makes it another question.

use super::{Asked, Call, EVER, MOST_WORDS, Reader, among, name, says_more};
use crate::error::Locale;
use crate::planner::token::{Token, TokenKind};
use serde_json::{Map, Value as Json, json};

/// A question for a list.
struct Pattern {
    asked: Asked,
    tool: &'static str,
    /// One word of each.
    needs: &'static [&'static str],
    /// Words that add nothing.
    may: &'static str,
    /// The argument that takes the name; without one no other word may be there.
    named: Option<&'static str>,
    arguments: fn() -> Json,
    /// How it is understood; the name follows.
    read: [&'static str; 2],
}

const ITEMS: &str = "items item goods products товары";

const PATTERNS: [Pattern; 18] = [
    Pattern {
        asked: Asked::LastReceipt,
        tool: "get_receipts",
        needs: &[
            "last latest newest последнего последний",
            "receipt чека чек",
            "date when дата когда какого",
        ],
        may: "what is was the of my on which day какая у моего меня мой был была числа",
        named: None,
        arguments: || json!({"limit": 1}),
        read: ["the latest receipt", "последний чек"],
    },
    Pattern {
        asked: Asked::LastReceipt,
        tool: "get_receipts",
        needs: &[
            "last последний",
            "when когда",
            "shop shopping shops store магазине магазин магазины покупками закупались закупался",
        ],
        may: "did do i we go to the at was were been was раз был была были я мы в за ходил ходила ходили",
        named: None,
        arguments: || json!({"limit": 1}),
        read: ["the latest receipt", "последний чек"],
    },
    Pattern {
        asked: Asked::LastLines,
        tool: "get_receipts",
        needs: &[
            "last latest newest последнем последний",
            "receipt чеке чек",
            "what что",
            "buy bought купил купила купили",
        ],
        may: "did i we on in the my have я мы в моем",
        named: None,
        arguments: || json!({"limit": 1}),
        read: ["lines of the latest receipt", "позиции последнего чека"],
    },
    Pattern {
        asked: Asked::LastLines,
        tool: "get_receipts",
        needs: &[
            "last latest newest последнем последний",
            "receipt чеке чек",
            "what что",
            "on in в",
        ],
        may: "was were is are there the my our it было есть у меня нас моем нашем там за",
        named: None,
        arguments: || json!({"limit": 1}),
        read: ["lines of the latest receipt", "позиции последнего чека"],
    },
    Pattern {
        asked: Asked::LastLines,
        tool: "get_receipts",
        needs: &[
            "last latest newest последнем",
            "receipt чеке",
            "how сколько",
            "items products things goods lines товаров позиций продуктов",
        ],
        may: "many on in the my our were are was there в моем нашем было",
        named: None,
        arguments: || json!({"limit": 1}),
        read: ["lines of the latest receipt", "позиции последнего чека"],
    },
    // the last time that something was bought
    Pattern {
        asked: Asked::LastLines,
        tool: "get_receipts",
        needs: &[
            "last последний",
            "what что",
            "buy bought purchase купил купила купили покупал покупала покупали",
        ],
        may: "did do i we time the have я мы в раз",
        named: None,
        arguments: || json!({"limit": 1}),
        read: ["lines of the latest receipt", "позиции последнего чека"],
    },
    Pattern {
        asked: Asked::Shops,
        tool: "get_purchase_statistics",
        needs: &[
            "shops stores магазинах магазины",
            "which what каких какие",
            "visit visited go been бываю бываем бывал бывала бывали хожу ходим ходил ходила ходили \
             закупаюсь закупаемся закупался закупалась закупались посещаю посещаем",
        ],
        may: "in at to do did i we have ever в я мы обычно usually",
        named: None,
        arguments: || json!({"group_by": "shop", "period_days": EVER, "min_purchase_count": 1}),
        read: ["shops by number of purchases", "магазины по числу покупок"],
    },
    Pattern {
        asked: Asked::Shops,
        tool: "get_purchase_statistics",
        needs: &[
            "shops stores where магазинах где",
            "buy bought shop shopped покупал покупала покупали покупаю покупаем",
        ],
        may: "in at which what do did i we have ever в каких я мы",
        named: None,
        arguments: || json!({"group_by": "shop", "period_days": EVER, "min_purchase_count": 1}),
        read: ["shops by number of purchases", "магазины по числу покупок"],
    },
    Pattern {
        asked: Asked::Lines,
        tool: "get_receipt_items",
        needs: &["purchases покупки", "category категории"],
        may: "show list all my the of in from покажи все мои из в",
        named: Some("product_name"),
        arguments: || json!({}),
        read: ["purchases of the category", "покупки категории"],
    },
    Pattern {
        asked: Asked::Categories,
        tool: "get_products",
        needs: &[
            "how сколько",
            "items goods products товаров",
            "each every каждой",
            "category категории",
        ],
        may: "many are there in do i we have в у меня нас есть",
        named: None,
        arguments: || json!({}),
        read: ["the topmost categories", "категории верхнего уровня"],
    },
    Pattern {
        asked: Asked::Below,
        tool: "get_products",
        needs: &["subcategories подкатегории"],
        may: "show list all the of in which what are there does have category покажи все у в какие \
              есть категории",
        named: Some("search"),
        arguments: || json!({"include_children": true}),
        read: ["categories below", "подкатегории"],
    },
    Pattern {
        asked: Asked::Items,
        tool: "get_items",
        needs: &[ITEMS, "category категории"],
        may: "which what do i we buy are there in the from of my show list all какие я мы покупаю \
              покупаем есть в из покажи все у меня нас",
        named: Some("product_name"),
        arguments: || json!({}),
        read: ["items of the category", "товары категории"],
    },
    Pattern {
        asked: Asked::Items,
        tool: "get_items",
        needs: &[ITEMS, "word words словом слово"],
        may: "find show list all with the in their name having найди найти покажи все со с в \
              названии",
        named: Some("search"),
        arguments: || json!({}),
        read: ["items with the word", "товары со словом"],
    },
    Pattern {
        asked: Asked::Items,
        tool: "get_items",
        needs: &[ITEMS, "shop store магазине"],
        may: "which what are there in at do does the sell show list all какие есть в продаются покажи \
              все",
        named: Some("shop"),
        arguments: || json!({}),
        read: ["items of the shop", "товары магазина"],
    },
    Pattern {
        asked: Asked::Labels,
        tool: "get_labels",
        needs: &["labels tags метки", "what which list show какие покажи"],
        may: "do i we have are there my all у меня нас есть мои все",
        named: None,
        arguments: || json!({"include_items": false}),
        read: ["labels", "метки"],
    },
    Pattern {
        asked: Asked::Labels,
        tool: "get_labels",
        needs: &[ITEMS, "labelled labeled tagged marked label помечены отмечены меткой"],
        may: "which what are have with the as какие есть с как",
        named: Some("label_name"),
        arguments: || json!({"items_limit": 1000}),
        read: ["items with the label", "товары с меткой"],
    },
    Pattern {
        asked: Asked::Next,
        tool: "get_purchase_statistics",
        needs: &["predict forecast предскажи спрогнозируй", "purchases покупки"],
        may: "my our next the upcoming мои наши следующие ближайшие",
        named: None,
        arguments: || json!({"include_prediction": true}),
        read: [
            "when items of the last 90 days will be bought again",
            "когда снова понадобятся товары последних 90 дней",
        ],
    },
    Pattern {
        asked: Asked::Next,
        tool: "get_purchase_statistics",
        needs: &["what что", "will going куплю купим", "next soon следующий скоро"],
        may: "i we am are to buy be buying я мы в раз дальше",
        named: None,
        arguments: || json!({"include_prediction": true}),
        read: [
            "when items of the last 90 days will be bought again",
            "когда снова понадобятся товары последних 90 дней",
        ],
    },
];

const OFTEN: &str = "most often frequently frequent чаще всего частые";
const BUY: &str = "buy purchase purchases bought покупки покупаю покупаем покупал покупала покупали купил \
                   купила купили берем беру";
pub(super) const GOODS: &str = "items goods товары item товар";
pub(super) const KINDS: &str =
    "products categories продукты категории product category продукт категорию";
const OF_MOST: &str = "which what do did have i we the my our are is that что какие я мы мои наши самые какой какую самый";

const RECEIPTS: &str = "receipts чеки";
const OWN: &str = "my our мои наши";
const OF_RECEIPTS: &str = "show list all me the give from of покажи выведи все мне";

impl Reader<'_> {
    pub(super) fn list(&self) -> Option<Call> {
        let pattern = PATTERNS.iter().find_map(|pattern| self.matching(pattern));
        pattern
            .or_else(|| self.most())
            .or_else(|| self.most_often())
            .or_else(|| self.dearest())
            .or_else(|| self.lines_of_a_period())
            .or_else(|| self.receipts())
    }

    fn matching(&self, pattern: &Pattern) -> Option<Call> {
        let mut needed = vec![false; pattern.needs.len()];
        let mut named: Vec<&Token> = Vec::new();
        let mut last = None;
        for (at, token) in self.tokens.iter().enumerate() {
            let word = token.folded.as_str();
            let quoted = token.kind == TokenKind::Quoted;
            let need = pattern.needs.iter().position(|list| among(word, list));
            if let Some(found) = need.and_then(|n| needed.get_mut(n)).filter(|_| !quoted) {
                *found = true;
            } else if quoted || !among(word, pattern.may) {
                // A name is in one piece.
                let goes_on = last.is_none_or(|last| last + 1 == at);
                let is_word = matches!(token.kind, TokenKind::Word | TokenKind::Quoted);
                if pattern.named.is_none() || !goes_on || !is_word || says_more(token) {
                    return None;
                }
                last = Some(at);
                named.push(token);
            }
        }
        let all = needed.iter().all(|found| *found);
        if !all || named.len() > MOST_WORDS || named.is_empty() == pattern.named.is_some() {
            return None;
        }
        let mut arguments = (pattern.arguments)().as_object().cloned().unwrap_or_default();
        let mut read = self.in_language(pattern.read).to_owned();
        if let (Some(argument), Some(name)) = (pattern.named, name(&named)) {
            let quoted = match self.language {
                Locale::En => format!(" “{name}”"),
                Locale::Ru => format!(" «{name}»"),
            };
            read += &quoted;
            arguments.insert(argument.to_owned(), json!(name));
        }
        Some(self.call(pattern.asked, pattern.tool, arguments, None, read))
    }

    /// `what do I buy most often?`, `какие продукты я чаще всего покупаю?`
    fn most(&self) -> Option<Call> {
        let has = |list: &str| self.tokens.iter().any(|t| among(&t.folded, list));
        let known = [OFTEN, BUY, GOODS, KINDS, OF_MOST];
        // `больше всего раз`, and not the most of it
        let times = has("больше") && has("раз");
        let all = self.tokens.iter().all(|t| {
            known.iter().any(|list| among(&t.folded, list))
                || times && among(&t.folded, "больше раз")
        });
        if !all || !has(OFTEN) || !has(BUY) || has(GOODS) && has(KINDS) {
            return None;
        }
        // goods of one name are an item of each shop: what is bought is counted by what it is
        let (group, read) = if has(GOODS) {
            (
                "item",
                [
                    "items of each shop by number of purchases in the last 90 days",
                    "товары каждого магазина по числу покупок за последние 90 дней",
                ],
            )
        } else {
            (
                "product",
                [
                    "categories by number of purchases in the last 90 days",
                    "категории по числу покупок за последние 90 дней",
                ],
            )
        };
        let mut arguments = Map::from_iter([("group_by".to_owned(), json!(group))]);
        let mut read = self.in_language(read);
        // `did we buy` is of all the time
        if has("did bought купил купила купили покупал покупала покупали")
        {
            arguments.insert("period_days".to_owned(), json!(super::EVER));
            read = read
                .trim_end_matches(" in the last 90 days")
                .trim_end_matches(" за последние 90 дней");
        }
        Some(self.call(Asked::Most, "get_purchase_statistics", arguments, None, read.to_owned()))
    }

    /// `show my receipts for the last week`.
    fn receipts(&self) -> Option<Call> {
        let (period, words) = self.period()?;
        let has = |list: &str| words.iter().any(|t| among(&t.folded, list));
        let known = [RECEIPTS, OWN, OF_RECEIPTS];
        let all = words.iter().all(|t| known.iter().any(|list| among(&t.folded, list)));
        if !all || !has(RECEIPTS) || !has(OWN) {
            return None;
        }
        let mut arguments = Map::new();
        let mut read = self.in_language(["receipts", "чеки"]).to_owned();
        if let Some(period) = period {
            self.limit(period, &mut arguments, &mut read);
        }
        Some(self.call(Asked::Receipts, "get_receipts", arguments, None, read))
    }

    /// `what did I buy last week`, `что мы купили в ноябре`.
    fn lines_of_a_period(&self) -> Option<Call> {
        const WORDS: &str = "what did do i we have buy bought purchase purchases my our purchased get show me all everything покупки мои наши что мы \
                             я купил купила купили покупал покупала покупали покупали покажи все было куплено";
        let (period, words) = self.period()?;
        let period = period?;
        let has = |list: &str| words.iter().any(|t| among(&t.folded, list));
        // `purchases last week`
        let listed = words
            .iter()
            .all(|t| among(&t.folded, "my our all show me purchases мои наши все покажи покупки"));
        let asks = has("what что everything") && (has(BUY) || has("bought куплено покупали"))
            || listed && has("purchases покупки");
        if !asks || !words.iter().all(|t| among(&t.folded, WORDS)) {
            return None;
        }
        let mut arguments = Map::from_iter([("limit".to_owned(), json!(1000))]);
        let mut read = self.in_language(["what was bought", "что куплено"]).to_owned();
        self.limit(period, &mut arguments, &mut read);
        Some(self.call(Asked::Lines, "get_receipt_items", arguments, None, read))
    }

    pub(super) fn in_language(&self, [en, ru]: [&'static str; 2]) -> &'static str {
        match self.language {
            Locale::En => en,
            Locale::Ru => ru,
        }
    }
}
