//! Questions about purchases that one call of a tool answers, where tables of purchases are loaded:
//! what was spent, what was bought, which receipts, shops, categories, items and labels there are, what
//! is bought most, what to buy.
//!
//! Every word of such a question has to be understood; any other question is left to queries. The
//! tools themselves are none of the planner's: it names one and its arguments.

mod answer;
mod dearest;
mod everyday;
mod follow;
mod last;
mod lists;
mod monthly;
mod prices;
mod receipts;
mod when;

pub use answer::answer;
pub use follow::follow;
pub use receipts::{left_out, of_cheap_shops, of_receipts};

use super::language;
use super::restated;
use super::stem::fold;
use super::token::{Token, TokenKind, tokenise};
use super::words::is_known;
use crate::error::Locale;
use crate::facts::Outcome;
use crate::value::Value;
use chrono::NaiveDate;
use serde_json::{Map, Value as Json, json};

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// How much the receipts come to.
    Spent,
    /// How much of something was bought, for how much.
    Bought,
    /// Which categories there are.
    Categories,
    /// What to buy.
    ToBuy,
    /// Which receipts there are.
    Receipts,
    /// When the latest receipt is from.
    LastReceipt,
    /// What is on the latest receipt.
    LastLines,
    /// Which shops there are.
    Shops,
    /// Lines of receipts.
    Lines,
    /// When something was bought last.
    LastBought,
    /// Which categories are below one.
    Below,
    /// Which items there are.
    Items,
    /// What one of each item cost.
    Prices,
    /// What one of each item cost, the dearest first.
    DearestItems,
    /// Which labels there are, or what has one.
    Labels,
    /// What is bought most.
    Most,
    /// What the most money goes on.
    Dearest,
    /// Which share of the money goes on what.
    Shares,
    /// What was bought of something each month, and what one of it cost.
    Monthly,
    /// How many times something was bought, by shop or weekday where that is asked.
    Times,
    /// What will be bought next.
    Next,
}

/// A question as a call of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// What is asked.
    pub asked: Asked,
    /// The tool.
    pub tool: &'static str,
    /// Its arguments.
    pub arguments: Json,
    /// Arguments to try where these find nothing, and how the question is understood then.
    pub otherwise: Option<(Json, String)>,
    /// The language of the question.
    pub language: Locale,
    /// How the question was understood, in that language.
    pub explanation: String,
}

/// A question as a call of a tool, where it is one. `today` is the day that periods count from,
/// `categories` the names of those there are, as far as they are known.
pub fn call(
    question: &str,
    today: NaiveDate,
    locale: Option<Locale>,
    categories: &[String],
) -> Option<Call> {
    // whose genitive has another stem
    let eggs = tokenise(question).into_iter().find(|t| t.folded == "яиц");
    let eggs = eggs.and_then(|t| {
        let (before, after) = (question.get(..t.span.start)?, question.get(t.span.end..)?);
        Some(format!("{before}яйца{after}"))
    });
    let question = eggs.as_deref().unwrap_or(question);
    let theirs = everyday::in_their_words(question, categories);
    let question = theirs.as_deref().unwrap_or(question);
    let often = everyday::most_often(question);
    let question = often.as_deref().unwrap_or(question);
    let by_category = restated::by_category(question);
    let question = by_category.as_deref().unwrap_or(question);
    let mut tokens = tokenise(question);
    while tokens.last().is_some_and(|t| ["?", "!", "."].iter().any(|end| t.is_symbol(end))) {
        tokens.pop();
    }
    let language = language::detect(&tokens, locale, &[]);
    let reader = Reader { tokens: &tokens, today, language, categories };
    let plain = || reader.categories().or_else(|| reader.to_buy()).or_else(|| reader.last_bought());
    reader
        .monthly()
        .or_else(|| reader.money())
        .or_else(plain)
        .or_else(|| reader.list())
        .or_else(|| reader.dearest_items())
        .or_else(|| reader.prices())
        .or_else(|| {
            // in short only of a category that there is
            let full = call(&in_full(question)?, today, locale, categories)?;
            let name = full.arguments.get("product_name").and_then(Json::as_str).map(fold)?;
            categories.iter().any(|category| fold(category).contains(&name)).then_some(full)
        })
}

/// `spending on milk`, which is short for what was spent on it.
fn in_full(question: &str) -> Option<String> {
    let tokens = tokenise(question);
    let (first, second) = (tokens.first()?, tokens.get(1)?);
    let rest = question.get(first.span.end..)?;
    if among(&first.folded, "spending expenses") && second.folded == "on" {
        return Some(format!("how much did I spend{rest}"));
    }
    let short = among(&first.folded, "траты расходы затраты") && second.folded == "на";
    short.then(|| format!("сколько потрачено{rest}"))
}

/// The call to make after one that found `list`; nothing where that is the answer.
pub fn after(call: &Call, list: &Outcome) -> Option<Call> {
    let with = |tool, arguments| Call { tool, arguments, otherwise: None, ..call.clone() };
    if list.rows.is_empty() {
        let (arguments, explanation) = call.otherwise.clone()?;
        return Some(Call { explanation, ..with(call.tool, arguments) });
    }
    if call.asked != Asked::LastLines || call.tool != "get_receipts" {
        return None;
    }
    let receipt = match list.value(0, list.column("id")?) {
        Value::Int(id) => json!(id),
        id => json!(id.to_string()),
    };
    Some(with("get_receipt_items", json!({"receipt_id": receipt})))
}

/// What a call asks, whoever made it; nothing where the answer to it has no template here.
pub fn asked(tool: &str, arguments: &Map<String, Json>) -> Option<Asked> {
    let is = |name: &str, wanted: bool| arguments.get(name) == Some(&json!(wanted));
    let has = |name: &str| arguments.contains_key(name);
    let by_amount = arguments.get("order_groups_by") == Some(&json!("amount"));
    Some(match tool {
        "get_receipt_items" | "get_purchase_statistics" if by_amount => Asked::Dearest,
        "get_receipts" if !is("include_summary", false) => Asked::Receipts,
        "get_receipt_items" if is("group_by_item", true) => Asked::Bought,
        "get_receipt_items" if arguments.get("limit") == Some(&json!(1)) && !has("receipt_id") => {
            Asked::LastBought
        }
        "get_receipt_items" => Asked::Lines,
        "get_products"
            if !has("parent_id")
                && !has("search")
                && !is("include_children", true)
                && !is("include_items_count", false) =>
        {
            Asked::Categories
        }
        "get_items" if is("include_purchase_stats", true) => {
            let named = ["search", "product_name", "product_id"].iter().any(|name| has(name));
            if named { Asked::Prices } else { Asked::DearestItems }
        }
        "get_items" => Asked::Items,
        "get_labels" => Asked::Labels,
        "get_purchase_statistics" if arguments.get("group_by") == Some(&json!("month")) => {
            Asked::Monthly
        }
        "get_purchase_statistics" if has("product_name") => {
            let all = arguments.get("min_purchase_count") == Some(&json!(1));
            match arguments.get("group_by").and_then(Json::as_str) {
                Some("day_of_week") => Asked::Times,
                Some("shop" | "product") if all => Asked::Times,
                // their sentences speak of what was bought twice
                _ => return None,
            }
        }
        "get_purchase_statistics" => {
            let least = arguments.get("min_purchase_count").map_or(Some(2), Json::as_u64);
            match (arguments.get("group_by").and_then(Json::as_str), least) {
                (None | Some("item" | "product"), Some(2)) => Asked::Most,
                (Some("shop"), Some(1)) => Asked::Shops,
                _ => return None,
            }
        }
        "generate_shopping_list" => Asked::ToBuy,
        _ => return None,
    })
}

struct Reader<'a> {
    tokens: &'a [Token],
    today: NaiveDate,
    language: Locale,
    categories: &'a [String],
}

/// Words that only make a question of the rest.
const FRAME: &str =
    "how much many what money of do does did have i we in total сколько денег всего я мы";
const SPENT: &str = "spend spent went потратил потратила потратили потрачено истратил истратила истратили \
                     ушло уходит трачу тратим тратит тратят";
const BOUGHT: &str = "buy bought purchase purchased купил купила купили покупал покупали";
/// What goods are counted in; litres and kilos are none of these, of which no column says how many.
const PACKS: &str = "pack packs packet packets bottle bottles can cans jar jars bag bags box boxes pieces units \
                     carton cartons loaf loaves штук штуки пачек пачки пачку бутылок бутылки банок банки \
                     упаковок упаковки пакетов пакета буханок";
/// What no column says how much of there is in a pack.
const LITRES: &str =
    "литров литра килограммов килограмма кг liters litres litre kilos kilograms kg";
/// What goods, money and shares are told in.
const UNITS: &str = "kg kgs kilo kilos kilogram kilograms gram grams g litre litres liter liters l ml pound pounds piece \
                     pieces pack packs euro euros dollar dollars ruble rubles roubles percent кг килограммах граммах г \
                     литрах л штуках упаковках пачках рублях руб евро долларах процентах";
/// What comes after one of these was paid for, or is a shop.
const FOR: &str = "on for на за";
const AT: &str = "at in from в во";

/// What a shop sells, whatever it is. Such a word is a part of names of categories that are not meant:
/// milk is one of the dairy products.
const EVERYTHING: &str = "groceries grocery shopping food products goods items purchases things еду \
                          еда продукты продуктов покупки покупок товары товаров";

const OWN: &str = "what which product item do i we have are there my the all какие у меня нас есть мои \
     наши все продуктов товаров покупок";
const CATEGORIES: &str = "categories category категории";

const TO_BUY: &str = "what do should i we need to this the for in make a me next week what's on my что мне \
     нам нужно надо пора бы на этой эту неделе неделю ближайшую в магазине сформируй \
     составь для следующей закупки";
/// One word of each of these lists.
const NEEDS: [(&str, &str); 6] = [
    ("need should", "buy purchase"),
    ("shopping", "list"),
    ("нужно надо пора", "купить докупить"),
    ("список корзину", "покупок закупки"),
    ("что", "купить докупить"),
    ("to", "buy"),
];

/// Days that reach back over all receipts.
const EVER: u64 = 36_500;

/// Receipts that are listed below what they come to.
const MOST_RECEIPTS: u64 = 10_000;

/// Names of goods and shops are no longer than this, in words.
const MOST_WORDS: usize = 4;
/// Days that a plan covers, and at most covers.
const WEEK: u64 = 7;
const MONTH: u64 = 30;
const MOST_DAYS: u64 = 365;

/// What a question says of money and goods.
#[derive(Default)]
struct Said<'a> {
    thing: Vec<&'a Token>,
    shop: Vec<&'a Token>,
    /// A part of the thing stands without a word before it: it was bought, not paid for.
    bare: bool,
    spent: bool,
    bought: bool,
}

impl<'a> Reader<'a> {
    /// `how much did I spend on milk at Kuper in December`, `сколько молока я купил`.
    fn money(&self) -> Option<Call> {
        let what = self.is_one_of(0, "what") && self.is_one_of(1, "did have");
        let asks = what
            || self.is_one_of(0, "сколько")
            || self.is_one_of(0, "how") && self.is_one_of(1, "much many");
        if !asks {
            return None;
        }
        // `how much may I spend?` is about no month
        if self.is_one_of(2, "may") && self.is_one_of(3, "i we") {
            return None;
        }
        let (period, words) = self.period()?;
        let mut said = Self::said(&words)?;
        // `сколько раз я покупал хлеб в Уголке`
        if said.bought
            && said.thing.len() > 1
            && said.thing.first().is_some_and(|t| among(&t.folded, "раз times"))
        {
            said.thing.remove(0);
        }
        // `сколько пачек молока`, `how many bottles of water`: of all of it
        if said.bought
            && said.thing.len() > 1
            && said.thing.first().is_some_and(|t| among(&t.folded, PACKS))
        {
            said.thing.remove(0);
        }
        let litres =
            said.thing.len() > 1 && said.thing.first().is_some_and(|t| among(&t.folded, LITRES));
        if litres || said.thing.iter().chain(&said.shop).any(|token| says_more(token)) {
            return None;
        }
        if said.shop.iter().any(|t| among(&t.folded, UNITS)) {
            return None;
        }
        if said
            .shop
            .iter()
            .all(|t| among(&t.folded, "the store stores shop shops магазине магазинах"))
        {
            said.shop.clear();
        }
        let everything = self.everything(&said.thing);
        let thing = name(&said.thing).filter(|_| everything.is_none());
        if said.thing.len() > MOST_WORDS || said.shop.len() > MOST_WORDS {
            return None;
        }
        // `how much on milk?`
        let on = self.is_one_of(2, "on") && self.is_one_of(1, "much")
            || self.is_one_of(0, "сколько") && self.is_one_of(1, "на");
        let spent = said.spent || on && !said.bought && thing.is_some();
        match (spent, said.bought, &thing) {
            (true, false, _) if !said.bare => {}
            (false, true, Some(_)) if !what => {}
            _ => return None,
        }
        let mut arguments = Map::new();
        let mut limits = String::new();
        if let Some(period) = period {
            self.limit(period, &mut arguments, &mut limits);
        }
        if let Some(shop) = shop_name(&said.shop) {
            let limit = match self.language {
                Locale::En => format!(", in shops named like “{shop}”"),
                Locale::Ru => format!(", в магазинах с названием вроде «{shop}»"),
            };
            limits += &limit;
            arguments.insert("shop".to_owned(), json!(shop));
        }
        let Some(thing) = thing else {
            let mut explanation =
                self.in_language(["sum of the receipts", "сумма чеков"]).to_owned();
            if let Some(word) = everything {
                // of more categories than are known before anything runs nothing is said
                let all = match (self.language, self.categories) {
                    (Locale::En, []) => ", whatever was bought".to_owned(),
                    (Locale::Ru, []) => " за все покупки".to_owned(),
                    (Locale::En, _) => {
                        format!(", whatever was bought, since no category is “{word}”")
                    }
                    (Locale::Ru, _) => format!(" за все покупки: категории «{word}» нет"),
                };
                explanation += &all;
            }
            let explanation = explanation + &limits;
            // every receipt that is counted stands below
            arguments.insert("limit".to_owned(), json!(MOST_RECEIPTS));
            return Some(self.call(Asked::Spent, "get_receipts", arguments, None, explanation));
        };
        arguments.insert("group_by_item".to_owned(), json!(true));
        let by = |argument: &str, name: &str| {
            let mut arguments = arguments.clone();
            arguments.insert(argument.to_owned(), json!(name));
            arguments
        };
        let item = match self.language {
            Locale::En => format!("what was bought of items named like “{thing}”{limits}"),
            Locale::Ru => format!("покупки товаров с названием вроде «{thing}»{limits}"),
        };
        let otherwise = Some((by("item_name", &thing).into(), item));
        if let Some(name) = self.category(&said.thing) {
            let mut arguments = by("product_name", name);
            arguments.insert("exact_product_name".to_owned(), json!(true));
            let read = match self.language {
                Locale::En => format!("what was bought in the category “{name}”{limits}"),
                Locale::Ru => format!("покупки в категории «{name}»{limits}"),
            };
            return Some(self.call(Asked::Bought, "get_receipt_items", arguments, otherwise, read));
        }
        let read = match (self.language, self.holding(&thing)) {
            (Locale::En, Some(names)) => format!("what was bought in {names}{limits}"),
            (Locale::Ru, Some(names)) => format!("покупки в категориях {names}{limits}"),
            (Locale::En, None) => {
                format!("what was bought in categories named like “{thing}”{limits}")
            }
            (Locale::Ru, None) => {
                format!("покупки в категориях с названием вроде «{thing}»{limits}")
            }
        };
        let others = self.with_others(&thing);
        let (read, arguments) = (read + &others, by("product_name", &thing));
        // cheese is not all of `Cheese and butter`: what is called so itself comes first
        if let (false, Some((items, item))) = (others.is_empty(), otherwise.clone()) {
            let items = items.as_object().cloned().unwrap_or_default();
            let category = Some((arguments.into(), read));
            return Some(self.call(Asked::Bought, "get_receipt_items", items, category, item));
        }
        Some(self.call(Asked::Bought, "get_receipt_items", arguments, otherwise, read))
    }

    /// The category that is called as the thing is, in whatever case.
    fn category(&self, thing: &[&Token]) -> Option<&'a str> {
        let stems = |tokens: &mut dyn Iterator<Item = &Token>| -> Vec<String> {
            let named = tokens.filter(|token| !among(&token.folded, "для"));
            named.map(|token| token.stem.clone()).collect()
        };
        let called = |thing: &[&Token]| {
            let wanted = stems(&mut thing.iter().copied());
            let same = |name: &&String| stems(&mut tokenise(name).iter()) == wanted;
            self.categories.iter().find(same).map(String::as_str)
        };
        // `dairy products`, `food for children`
        const GOODS: &str = "products product goods items things stuff food продукты товары";
        let bare = match thing {
            [rest @ .., last] if among(&last.folded, GOODS) => rest,
            [first, rest @ ..] if among(&first.folded, GOODS) => rest,
            _ => &[],
        };
        called(thing).or_else(|| called(bare).filter(|_| !bare.is_empty()))
    }

    /// The categories that have a text in their names, where they are few enough to be told.
    fn holding(&self, part: &str) -> Option<String> {
        const FEW: usize = 4;
        let part = fold(part);
        let names: Vec<String> = self
            .categories
            .iter()
            .filter(|name| fold(name).contains(&part))
            .map(|name| match self.language {
                Locale::En => format!("“{name}”"),
                Locale::Ru => format!("«{name}»"),
            })
            .collect();
        (1..=FEW).contains(&names.len()).then(|| names.join(", "))
    }

    /// `Cheese and butter` is not all cheese.
    fn with_others(&self, part: &str) -> String {
        let part = fold(part);
        let of_more = |name: &&String| {
            fold(name).contains(&part)
                && tokenise(name).iter().any(|t| t.is_symbol(",") || among(&t.folded, "and и"))
        };
        match (self.categories.iter().find(of_more), self.language) {
            (Some(name), Locale::En) => format!("; not all in “{name}” need be “{part}”"),
            (Some(name), Locale::Ru) => format!("; в «{name}» есть не только «{part}»"),
            (None, _) => String::new(),
        }
    }

    /// A word for all that is bought, where no category begins with it.
    fn everything(&self, thing: &[&'a Token]) -> Option<&'a str> {
        let [only] = thing else { return None };
        let begins = |category: &String| {
            tokenise(category).first().is_some_and(|first| first.stem == only.stem)
        };
        let all = only.kind == TokenKind::Word && among(&only.folded, EVERYTHING);
        (all && !self.categories.iter().any(begins)).then_some(only.raw.as_str())
    }

    /// Keeps to a period, both ends included.
    fn limit(
        &self,
        (from, to): (NaiveDate, NaiveDate),
        arguments: &mut Map<String, Json>,
        explanation: &mut String,
    ) {
        arguments.insert("date_from".to_owned(), json!(from.to_string()));
        arguments.insert("date_to".to_owned(), json!(to.to_string()));
        *explanation += &self.within((from, to));
    }

    /// A period in words, both ends included.
    fn within(&self, (from, to): (NaiveDate, NaiveDate)) -> String {
        match self.language {
            Locale::En => format!(", {from} to {to}"),
            Locale::Ru => format!(", с {} по {}", in_russian(from), in_russian(to)),
        }
    }

    /// `which categories do I have?`, `какие у меня есть категории?`
    fn categories(&self) -> Option<Call> {
        let asks = self.is_one_of(0, "what which какие");
        let named = self.tokens.iter().filter(|t| among(&t.folded, CATEGORIES)).count();
        let all = self.tokens.iter().all(|t| {
            let word = t.folded.as_str();
            among(word, OWN) || among(word, CATEGORIES)
        });
        if !(asks && all && named == 1) {
            return None;
        }
        let explanation = match self.language {
            Locale::En => "the topmost categories",
            Locale::Ru => "категории верхнего уровня",
        };
        let arguments = Map::new();
        Some(self.call(Asked::Categories, "get_products", arguments, None, explanation.to_owned()))
    }

    /// `what do I need to buy this week?`, `список покупок на 10 дней`.
    fn to_buy(&self) -> Option<Call> {
        let has = |list: &str| self.tokens.iter().any(|t| among(&t.folded, list));
        let (first, second) = NEEDS.into_iter().find(|&(a, b)| has(a) && has(b))?;
        let mut days = WEEK;
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            let word = token.folded.as_str();
            if let Some((number, end)) = self.days(at) {
                days = number;
                at = end;
            } else if among(word, TO_BUY) || among(word, first) || among(word, second) {
                at += 1;
            } else {
                return None;
            }
        }
        let today = self.today;
        let explanation = match self.language {
            Locale::En => format!("what is due within {days} days of {today}"),
            Locale::Ru => format!("что пора купить, дней с {}: {days}", in_russian(today)),
        };
        let arguments = Map::from_iter([("days_ahead".to_owned(), json!(days))]);
        Some(self.call(Asked::ToBuy, "generate_shopping_list", arguments, None, explanation))
    }

    /// `10 days`, `today`, `завтра`: how far ahead.
    fn days(&self, at: usize) -> Option<(u64, usize)> {
        let token = self.tokens.get(at)?;
        match &token.kind {
            TokenKind::Number { value, unit: None, .. }
                if value.fract() == 0.0 && (0.0..=MOST_DAYS as f64).contains(value) =>
            {
                let days = *value as u64;
                if self.is_one_of(at + 1, "day days день дня дней") {
                    return Some((days, at + 2));
                }
                let weeks = self.is_one_of(at + 1, "week weeks неделя недели недель неделю");
                weeks.then_some((days * WEEK, at + 2)).filter(|(days, _)| *days <= MOST_DAYS)
            }
            _ if self.is_one_of(at, "month месяц") => Some((MONTH, at + 1)),
            _ if self.is_one_of(at, "today сегодня") => Some((0, at + 1)),
            _ if self.is_one_of(at, "tomorrow завтра") => Some((1, at + 1)),
            _ => None,
        }
    }

    fn call(
        &self,
        asked: Asked,
        tool: &'static str,
        arguments: Map<String, Json>,
        otherwise: Option<(Json, String)>,
        explanation: String,
    ) -> Call {
        let language = self.language;
        Call { asked, tool, arguments: arguments.into(), otherwise, language, explanation }
    }

    fn is_one_of(&self, at: usize, words: &str) -> bool {
        self.tokens.get(at).is_some_and(|t| among(&t.folded, words))
    }

    /// What the words say that name no period; nothing where one of them fits nowhere.
    fn said(words: &[&'a Token]) -> Option<Said<'a>> {
        #[derive(Clone, Copy, PartialEq)]
        enum Place {
            Frame,
            For,
            At,
        }
        let mut said = Said::default();
        let mut place = Place::Frame;
        for (i, token) in words.iter().copied().enumerate() {
            let word = token.folded.as_str();
            let last = i + 1 == words.len();
            if among(word, SPENT) {
                said.spent = true;
                place = Place::Frame;
            } else if among(word, BOUGHT) {
                said.bought = true;
                place = Place::Frame;
            } else if among(word, FOR) && !last {
                place = Place::For;
            } else if among(word, AT)
                && !last
                && words.get(i + 1).is_none_or(|t| t.folded != "total")
            {
                place = Place::At;
            } else if place == Place::For && among(word, "для") && !said.thing.is_empty() && !last
            {
                // `корм для кошки`
            } else if among(word, FRAME) {
                place = Place::Frame;
            } else if !matches!(token.kind, TokenKind::Word | TokenKind::Quoted) {
                return None;
            } else if place == Place::At {
                // `а в этом?` names no shop
                if when::points_at_a_period(word) {
                    return None;
                }
                said.shop.push(token);
            } else if place == Place::For {
                said.thing.push(token);
            } else {
                said.bare = true;
                said.thing.push(token);
            }
        }
        Some(said)
    }
}

/// Goods whose names have no cases.
const UNDECLINED: &str = "кофе какао пюре филе киви авокадо манго желе суфле капучино латте эспрессо \
                          суши спагетти брокколи карри чили мюсли безе драже рагу тофу пепперони";

/// A date as it is written in Russian.
fn in_russian(date: NaiveDate) -> String {
    date.format("%d.%m.%Y").to_string()
}

/// Whether a word is in a list of words.
fn among(word: &str, list: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Whether a word may say something else than a name: the question is left to queries then, since it
/// would be wrong to deny that the like of it was bought.
fn says_more(token: &Token) -> bool {
    const MORE: [&str; 2] = ["позапрош", "fortnight"];
    let word = token.folded.as_str();
    token.kind != TokenKind::Quoted
        && (is_known(token) || MORE.iter().any(|start| word.starts_with(start)))
}

/// A shop to look for in parts of names: `Уголке` is of `Уголок`, which has a vowel before its last letter.
fn shop_name(tokens: &[&Token]) -> Option<String> {
    const SHORTEST: usize = 3;
    let name = name(tokens)?;
    let [only] = tokens else { return Some(name) };
    let letters: Vec<char> = name.chars().collect();
    let case = only.kind == TokenKind::Word && only.folded != name;
    match letters[..] {
        [ref first @ .., before, 'к' | 'ц']
            if case && first.len() + 1 >= SHORTEST && !"аеиоуыэюя".contains(before) =>
        {
            Some(first.iter().chain([&before]).collect())
        }
        _ => Some(name),
    }
}

/// A name to look for in parts of names: the stem of a word, so that its forms find each other.
fn name(tokens: &[&Token]) -> Option<String> {
    const SHORTEST: usize = 3;
    match tokens {
        [] => None,
        // one form for all cases, of which the stem is a part of other words
        [only] if among(&only.folded, UNDECLINED) => Some(only.folded.clone()),
        [only] if only.kind == TokenKind::Word && only.stem.chars().count() >= SHORTEST => {
            Some(only.stem.clone())
        }
        words => {
            let words: Vec<&str> = words.iter().map(|t| t.raw.as_str()).collect();
            Some(words.join(" "))
        }
    }
}

#[cfg(test)]
mod tests;
