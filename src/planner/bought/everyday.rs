//! Goods by another word than their category has, and which of them are bought most often.

use super::{among, fold};
use crate::planner::token::{TokenKind, tokenise};

/// How a word begins, how another one for the same thing begins, and that one.
const SAME: [(&str, &str, &str); 4] = [
    ("картошк", "картофел", "картофель"),
    ("помидор", "томат", "томаты"),
    ("томат", "помидор", "помидоры"),
    ("картофел", "картошк", "картошка"),
];

/// The question with the word that a category has, where no category has the one that was said.
pub(super) fn in_their_words(question: &str, categories: &[String]) -> Option<String> {
    let has = |stem: &str| categories.iter().any(|name| fold(name).contains(stem));
    tokenise(question).iter().find_map(|token| {
        let begins = |(said, _, _): &&(&str, &str, &str)| token.folded.starts_with(said);
        let (said, other, word) = SAME.iter().find(begins)?;
        let (before, behind) = (question.get(..token.span.start)?, question.get(token.span.end..)?);
        (has(other) && !has(said)).then(|| format!("{before}{word}{behind}"))
    })
}

/// `which vegetables do we buy most often`: how many times each of them was bought.
pub(super) fn most_often(question: &str) -> Option<String> {
    const WHICH: &str = "which what какие какой какую какое";
    const BUY: &str = "do did i we buy bought usually я мы обычно покупаю покупаем покупают покупали \
                       покупал покупала берем беру берут the most often frequently чаще больше всего";
    const GOODS: &str = "product products item items goods things товар товары продукт продукты \
                         позиции вещи category categories категории shop shops магазин магазины";
    let tokens = tokenise(question);
    let words: Vec<_> = tokens.iter().filter(|t| t.kind == TokenKind::Word).collect();
    let (first, rest) = words.split_first()?;
    let (thing, rest) = rest.split_first()?;
    let all = rest.iter().all(|t| among(&t.folded, BUY));
    let has = |list: &str| rest.iter().any(|t| among(&t.folded, list));
    let often = has("often frequently чаще") || has("most") && has("buy bought");
    let buys =
        has("buy bought покупаю покупаем покупают покупали покупал покупала берем беру берут");
    let named = !among(&thing.folded, GOODS) && !among(&thing.folded, BUY);
    if !(among(&first.folded, WHICH) && all && often && buys && named) {
        return None;
    }
    let russian = among(&first.folded, "какие какой какую какое");
    let lead = if russian {
        "сколько раз я покупал"
    } else {
        "how many times did I buy"
    };
    Some(format!("{lead} {}", thing.raw))
}
