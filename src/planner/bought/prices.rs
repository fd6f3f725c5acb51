//! Questions for the price of goods: what was paid for one of them, in each shop.

use super::{Asked, Call, MOST_WORDS, Reader, among, name, says_more, shop_name};
use crate::error::Locale;
use crate::planner::token::{Token, TokenKind};
use serde_json::{Map, json};

/// One of these asks for a price.
const PRICE: &str = "price prices cost costs cheapest cheaper цена цены цену стоит стоят стоил стоила \
                     стоило стоили дешевле дешевый дешевая дешевое дешевые дешевую";
const AT: &str = "at in from в во";
/// Words that add nothing to it.
const FRAME: &str = "литр литра литре килограмм килограмма кило кг десяток десятка пачка пачку бутылка бутылку \
                     litre liter kilo kilogram kg dozen pack bottle compare how much what which where is are was were does do did the a average of for at in from shop \
                     store сколько какая какие какова где в каком магазине магазинах средняя на у за \
                     всего самый самая самое самые самую купить покупать покупаем покупаю buy i we to \
                     can different various across each shops stores разных разным каждом магазинам";

/// What has no price of one.
const NO_GOODS: &str = "магазин purchase receipt shop покупка покупку чек trip";

const DEAR: &str =
    "expensive dearest priciest costliest дорогой дорогие дорогого дорогих дорогую дорогая";
const CHEAP: &str = "cheapest дешевый дешевые дешевого дешевых дешевую дешевая";
const GOODS: &str = "item items product products thing things goods товар товары товаров товара \
                     продукт продукты продуктов продукта";
/// Words that add nothing to it.
const OF_DEAR: &str = "what which is was were are the most i we ve have did ever bought buy that my our show list me \
                       самый самые самого самых какой какие я мы купил купила купили покупали покупал \
                       покупала был были покажи";

impl Reader<'_> {
    /// `what was the most expensive thing I bought?`, `самый дорогой товар`, `cheapest item`.
    pub(super) fn dearest_items(&self) -> Option<Call> {
        let has = |list: &str| self.tokens.iter().any(|t| among(&t.folded, list));
        let of = [DEAR, CHEAP, GOODS, OF_DEAR, "least"];
        let known = |t: &Token| of.iter().any(|list| among(&t.folded, list));
        let most = has(
            "most least cheapest самый самая самые самого самых самую dearest priciest costliest",
        );
        let cheap = has(CHEAP) || has("least");
        let priced = has(DEAR) || has(CHEAP);
        if !(priced && has(GOODS) && most && self.tokens.iter().all(known)) {
            return None;
        }
        let read = self.in_language([
            "items by the mean price paid for one",
            "товары по средней цене покупки за единицу",
        ]);
        let arguments = Map::from_iter([
            ("include_purchase_stats".to_owned(), json!(true)),
            ("limit".to_owned(), json!(1000)),
        ]);
        let asked = if cheap { Asked::Prices } else { Asked::DearestItems };
        Some(self.call(asked, "get_items", arguments, None, read.to_owned()))
    }

    /// `is milk cheaper at Birch or Corner`, `compare milk prices at Birch and Corner`: the words before
    /// the shops. The prices of all shops are told, these two among them.
    fn before_shops(&self) -> Option<&[Token]> {
        let asks = self.tokens.iter().any(|t| among(&t.folded, PRICE));
        let joint = self.tokens.iter().rposition(|t| among(&t.folded, "or and или и"))?;
        let at = self.tokens.get(..joint)?.iter().rposition(|t| among(&t.folded, AT))?;
        let shops = joint > at + 1 && joint + 1 < self.tokens.len() && self.tokens.len() < at + 8;
        let named = |t: &Token| {
            let word = matches!(t.kind, TokenKind::Word | TokenKind::Quoted);
            word && (among(&t.folded, "or and или и at in в во") || !says_more(t))
        };
        let spoken = self.tokens.get(at..)?.iter().all(named);
        self.tokens.get(..at).filter(|_| asks && shops && spoken)
    }

    /// `how much is milk?`, `сколько стоит молоко`, `which shop is cheapest for milk`: items that have
    /// it in their names, else those of categories that do.
    pub(super) fn prices(&self) -> Option<Call> {
        if let Some(tokens) = self.before_shops() {
            return Reader { tokens, ..*self }.prices();
        }
        let how_much = self.is_one_of(0, "how")
            && self.is_one_of(1, "much")
            && self.is_one_of(2, "is are was were");
        let named = |t: &&Token| {
            t.kind == TokenKind::Quoted || !among(&t.folded, PRICE) && !among(&t.folded, FRAME)
        };
        let all: Vec<&Token> = self.tokens.iter().filter(named).collect();
        // `в Берёзке`, `at Corner`: one word behind such a one is a shop
        let place = |t: &&&Token| {
            let before = self.tokens.iter().rev().find(|b| b.span.end <= t.span.start);
            all.len() > 1 && before.is_some_and(|b| among(&b.folded, AT))
        };
        let shop = all.last().copied().filter(|last| place(&last));
        let thing = all.get(..all.len() - usize::from(shop.is_some()))?.to_vec();
        let asks = how_much || self.tokens.iter().any(|t| among(&t.folded, PRICE));
        let words = thing.iter().all(|t| matches!(t.kind, TokenKind::Word | TokenKind::Quoted));
        let place =
            self.tokens.iter().position(|t| thing.first().is_some_and(|f| f.span == t.span));
        // the name is in one piece
        let whole = place.is_some_and(|at| {
            thing.iter().zip(self.tokens.iter().skip(at)).all(|(a, b)| a.span == b.span)
        });
        if !(asks && words && whole)
            || thing.len() > MOST_WORDS
            || thing.iter().any(|t| says_more(t) || among(&t.folded, NO_GOODS))
        {
            return None;
        }
        let shop = match shop {
            // `in 2024` is no shop
            Some(shop) if matches!(shop.kind, TokenKind::Number { .. }) => return None,
            Some(shop) if says_more(shop) => return None,
            Some(shop) => shop_name(&[shop]),
            None => None,
        };
        let name = name(&thing)?;
        let by = |argument: &str| {
            let arguments = [
                ("include_purchase_stats".to_owned(), json!(true)),
                ("limit".to_owned(), json!(1000)),
                (argument.to_owned(), json!(name)),
            ];
            let shop = shop.iter().map(|shop| ("shop".to_owned(), json!(shop)));
            arguments.into_iter().chain(shop).collect::<Map<_, _>>()
        };
        let limit = shop.as_ref().map_or(String::new(), |shop| match self.language {
            Locale::En => format!(", in shops named like “{shop}”"),
            Locale::Ru => format!(", в магазинах с названием вроде «{shop}»"),
        });
        let [items, categories] = match self.language {
            Locale::En => [
                format!("mean prices paid for items named like “{name}”{limit}"),
                format!("mean prices paid in categories named like “{name}”{limit}"),
            ],
            Locale::Ru => [
                format!("средние цены покупок товаров с названием вроде «{name}»{limit}"),
                format!("средние цены покупок в категориях с названием вроде «{name}»{limit}"),
            ],
        };
        // what is in a category of that name, and not chocolate with milk in its own
        if let Some(own) = self.category(&thing) {
            let mut arguments = by("product_name");
            arguments.insert("product_name".to_owned(), json!(own));
            arguments.insert("exact_product_name".to_owned(), json!(true));
            let read = match self.language {
                Locale::En => format!("mean prices paid in the category “{own}”{limit}"),
                Locale::Ru => format!("средние цены покупок в категории «{own}»{limit}"),
            };
            let otherwise = Some((by("search").into(), items));
            return Some(self.call(Asked::Prices, "get_items", arguments, otherwise, read));
        }
        let otherwise = Some((by("product_name").into(), categories));
        Some(self.call(Asked::Prices, "get_items", by("search"), otherwise, items))
    }
}
