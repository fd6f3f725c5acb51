//! Questions that are about the receipts alone, among the tables of purchases: what was spent by month
//! or shop, the mean receipt, the dearest one.

use super::among;
use crate::planner::token::{TokenKind, tokenise};

const SPENDING: &str = "spending spendings expenses expenditure расходы расходов расходам трат траты тратам \
                        затраты затрат";
const SHOPS: &str = "shop shops магазин магазины магазинов магазинам магазина";
const SELLERS: &str = "store stores merchant merchants";
const RECEIPTS: &str = "receipt receipts чек чеки чека чеков чекам";
const TOP: &str = "top топ";
/// Entries where no number is named.
const FEW: u64 = 10;

/// The question over the receipts, of which `total` is what one comes to; nothing where it names
/// none of what they have.
pub fn of_receipts(question: &str, total: &str) -> Option<String> {
    let tokens = tokenise(question);
    let has = |list: &str| tokens.iter().any(|t| among(&t.folded, list));
    if ![SPENDING, SHOPS, SELLERS, RECEIPTS].iter().any(|list| has(list)) {
        return None;
    }
    let russian = tokens.iter().any(|t| t.folded.chars().any(|c| ('а'..='я').contains(&c)));
    let mut said = String::new();
    let mut last = 0;
    for token in tokens.iter().filter(|t| t.kind == TokenKind::Word) {
        let word = token.folded.as_str();
        let other = if among(word, SPENDING) {
            let by = tokens.iter().rev().find(|t| t.span.end <= token.span.start);
            if by.is_some_and(|t| among(&t.folded, "by по")) {
                format!("`{total}`")
            } else if russian {
                format!("сумма `{total}`")
            } else {
                format!("total `{total}`")
            }
        } else if among(word, SELLERS) {
            "shops".to_owned()
        } else if among(word, TOP)
            && !tokens.iter().any(|t| matches!(t.kind, TokenKind::Number { .. }))
        {
            format!("{} {FEW}", token.raw)
        } else {
            continue;
        };
        said += question.get(last..token.span.start)?;
        said += &other;
        last = token.span.end;
    }
    said += question.get(last..)?;
    // `top shops`: by what was spent there
    if has(TOP) && !has("by по") && !has(SPENDING) && (has(SHOPS) || has(SELLERS)) {
        said += if russian { " по сумме" } else { " by total" };
        said += " `";
        said += total;
        said += "`";
    }
    Some(said)
}
