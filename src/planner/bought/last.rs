//! Questions for the day when something was bought last.

use super::{Asked, Call, MOST_WORDS, Reader, among, name, says_more, shop_name};
use crate::error::Locale;
use crate::planner::token::{Token, TokenKind};
use serde_json::{Map, json};

const BOUGHT: &str = "buy bought purchase purchased get покупал покупала покупали купил купила купили брал \
                      брала брали";
/// Words that only make a question of it.
const FRAME: &str = "when did was do i we my our the a an time that last have я мы в был была было когда \
                     последний последнюю раз";

impl Reader<'_> {
    /// `when did I last buy coffee`, `когда последний раз покупали кофе`: the latest line with it.
    pub(super) fn last_bought(&self) -> Option<Call> {
        let has = |list: &str| self.tokens.iter().any(|t| among(&t.folded, list));
        let last = has("last") || has("последний") && has("раз");
        if !self.is_one_of(0, "when когда") || !last || !has(BOUGHT) {
            return None;
        }
        // `в Уголке`, `at Corner`: what comes last is a shop
        let at = (1..self.tokens.len()).rev().find(|&at| self.is_one_of(at, "в во at in from"));
        let behind = at.and_then(|at| self.tokens.get(at + 1..)).unwrap_or_default();
        let told = |t: &Token| among(&t.folded, BOUGHT) || among(&t.folded, FRAME);
        let named = !behind.is_empty() && behind.len() <= MOST_WORDS && !behind.iter().any(told);
        let shop: Vec<&Token> = if named { behind.iter().collect() } else { Vec::new() };
        if shop.iter().any(|t| says_more(t)) {
            return None;
        }
        let until = if named { at.unwrap_or(self.tokens.len()) } else { self.tokens.len() };
        let thing: Vec<&Token> = self
            .tokens
            .get(..until)?
            .iter()
            .filter(|t| !among(&t.folded, BOUGHT) && !among(&t.folded, FRAME))
            .collect();
        let words = thing.iter().all(|t| matches!(t.kind, TokenKind::Word | TokenKind::Quoted));
        if !words || thing.len() > MOST_WORDS || thing.iter().any(|t| says_more(t)) {
            return None;
        }
        let part = name(&thing)?;
        let place = shop_name(&shop);
        let by = |argument: &str, name: &str| {
            let mut arguments = Map::from_iter([
                (argument.to_owned(), json!(name)),
                ("limit".to_owned(), json!(1)),
            ]);
            if let Some(shop) = &place {
                arguments.insert("shop".to_owned(), json!(shop));
            }
            arguments
        };
        let limit = place.as_ref().map_or(String::new(), |shop| match self.language {
            Locale::En => format!(", in shops named like “{shop}”"),
            Locale::Ru => format!(", в магазинах с названием вроде «{shop}»"),
        });
        let own = self.category(&thing);
        let read = |en: &str, ru: &str, name: &str| match self.language {
            Locale::En => format!("when {en} “{name}” was last bought{limit}"),
            Locale::Ru => format!("когда в последний раз {ru} «{name}»{limit}"),
        };
        let item = read("an item named like", "куплен товар с названием вроде", &part);
        let Some(name) = own else {
            // cheese is not all of `Cheese and butter`: what is called so itself comes first
            let words = read(
                "something of a category named like",
                "куплено что-то из категории с названием вроде",
                &part,
            );
            let category = Some((by("product_name", &part).into(), words));
            let arguments = by("item_name", &part);
            return Some(self.call(
                Asked::LastBought,
                "get_receipt_items",
                arguments,
                category,
                item,
            ));
        };
        let otherwise = Some((by("item_name", &part).into(), item));
        let words = read("something of the category", "куплено что-то из категории", name);
        let mut arguments = by("product_name", name);
        arguments.insert("exact_product_name".to_owned(), json!(true));
        Some(self.call(Asked::LastBought, "get_receipt_items", arguments, otherwise, words))
    }
}
