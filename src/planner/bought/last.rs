//! Questions for the day when something was bought last.

use super::{Asked, Call, MOST_WORDS, Reader, among, name, says_more};
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
        let thing: Vec<&Token> = self
            .tokens
            .iter()
            .filter(|t| !among(&t.folded, BOUGHT) && !among(&t.folded, FRAME))
            .collect();
        let words = thing.iter().all(|t| matches!(t.kind, TokenKind::Word | TokenKind::Quoted));
        if !words || thing.len() > MOST_WORDS || thing.iter().any(|t| says_more(t)) {
            return None;
        }
        let part = name(&thing)?;
        let by = |argument: &str, name: &str| {
            Map::from_iter([(argument.to_owned(), json!(name)), ("limit".to_owned(), json!(1))])
        };
        let own = self.category(&thing);
        let read = |en: &str, ru: &str, name: &str| match self.language {
            Locale::En => format!("when {en} “{name}” was last bought"),
            Locale::Ru => format!("когда в последний раз {ru} «{name}»"),
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
