//! Questions for what goes on some goods month by month, or what one of them cost; by shop and by
//! weekday, and how many times they were bought.

use super::{Asked, Call, EVER, MOST_WORDS, Reader, among, name, says_more};
use crate::error::Locale;
use crate::planner::token::{Token, TokenKind};
use chrono::NaiveDate;
use serde_json::{Map, json};

const MONTHS: &str = "month months monthly месяц месяца месяцам месяцев помесячно ежемесячно";
/// Over time: what a price does.
const COURSE: &str = "time trend dynamics history changed change changes risen rise rose fallen fall grown \
                      динамика динамику история менялась меняется изменялась изменилась изменялись выросла \
                      росла подорожало подорожал подорожала подорожали подешевело подешевел подешевела \
                      подешевели";
const PRICE: &str = "price prices cost costs цена цены цену стоимость стоит стоят стоил стоила стоило стоили \
                     подорожало подорожал подорожала подорожали подешевело подешевел подешевела \
                     подешевели";
/// A price goes up; of anything else these may be a name.
const GOES: &str = "go goes going gone went up down";
const MONEY: &str = "spend spent spending spendings expenses expense expenditure money расходы расход \
                     траты трат затраты трачу тратим тратил тратила потратил потратила потратили \
                     потрачено уходит ушло денег";
const BOUGHT: &str = "buy bought purchase purchases purchased покупаю покупаем покупал покупала покупали купил \
     купила купили покупки";
/// Words that only make a question of the rest.
const FRAME: &str = "how much many what did do does has have is was were i we my our the a of on for by per each \
                     every over in from show me total sum chart graph line plot average mean at сколько как \
                     какая какой какие я мы мои наши на за по в каждый у ли покажи график динамика средняя \
                     средние сумма суммы общие насколько";

const WEEKDAYS: &str = "weekday weekdays day days week день дни дням недели";
const SHOPS: &str = "shop shops store stores магазин магазины магазинам магазинах";
/// How a question begins that asks how many times.
const TIMES: [&[&str]; 6] = [
    &["how", "often"],
    &["how", "many", "times"],
    &["how", "frequently"],
    &["как", "часто"],
    &["сколько", "раз"],
    &["сколько", "покупок"],
];
const OF_TIMES: &str = "often times frequently часто раз";

/// So many months at most.
const MOST: u64 = 1000;

impl Reader<'_> {
    /// `how much did I spend on coffee by month`, `цена молока по месяцам`, `how has the price of milk
    /// changed`.
    pub(super) fn monthly(&self) -> Option<Call> {
        let (period, words) = self.period()?;
        let has = |list: &str| words.iter().any(|t| among(&t.folded, list));
        let price = has(PRICE);
        let said = |at: usize| words.get(at).map(|t| t.folded.as_str());
        let times =
            TIMES.iter().any(|lead| (0..).zip(*lead).all(|(n, word)| said(n) == Some(word)));
        let weekday = has("weekday weekdays")
            || has("day days") && has("week")
            || has("день дни дням") && has("недели");
        // a price has no period, but each of its months has one
        let goes = if price && has("go goes going gone went") { GOES } else { "" };
        let course = has(COURSE) || !goes.is_empty() || period.is_some();
        let group = if has(MONTHS) || price && course {
            "month"
        } else if weekday && !price {
            "day_of_week"
        } else if has(SHOPS) && has("by per по") && !price {
            "shop"
        } else if times && !price {
            "product"
        } else {
            return None;
        };
        let bought = has(BOUGHT) || times && has("покупок");
        // how much of it, and not only which day of the week it is
        if !(price || has(MONEY) || bought) || weekday && !has("by per по") {
            return None;
        }
        let own = match group {
            "month" => MONTHS,
            "day_of_week" => WEEKDAYS,
            "shop" => SHOPS,
            _ => OF_TIMES,
        };
        let known = [own, COURSE, PRICE, MONEY, BOUGHT, FRAME, goes];
        let named = |t: &&&Token| {
            let word = t.folded.as_str();
            let counted = times && word == "покупок";
            t.kind == TokenKind::Quoted || !counted && !known.iter().any(|list| among(word, list))
        };
        let thing: Vec<&Token> = words.iter().filter(named).copied().collect();
        let at = words.iter().position(|t| thing.first().is_some_and(|f| f.span == t.span))?;
        // the name is in one piece
        let whole = thing.iter().zip(words.iter().skip(at)).all(|(a, b)| a.span == b.span);
        let plain = thing.iter().all(|t| matches!(t.kind, TokenKind::Word | TokenKind::Quoted));
        if !whole || !plain || thing.len() > MOST_WORDS || thing.iter().any(|t| says_more(t)) {
            return None;
        }
        let part = name(&thing)?;
        // groceries are all that was bought
        if self.everything(&thing).is_some() {
            return None;
        }
        let own = self.category(&thing);
        // goods that no category is called after have no months
        if own.is_none() && !self.categories.is_empty() && self.holding(&part).is_none() {
            return if group == "product" { Some(self.item(&part, period)) } else { None };
        }
        let mut arguments = Map::from_iter([
            ("group_by".to_owned(), json!(group)),
            ("product_name".to_owned(), json!(own.unwrap_or(&part))),
            ("limit".to_owned(), json!(MOST)),
        ]);
        if own.is_some() {
            arguments.insert("exact_product_name".to_owned(), json!(true));
        }
        let called = match (self.language, own) {
            (Locale::En, Some(name)) => format!("in the category “{name}”"),
            (Locale::Ru, Some(name)) => format!("в категории «{name}»"),
            (Locale::En, None) => match self.holding(&part) {
                Some(names) => format!("in {names}"),
                None => format!("in categories named like “{part}”"),
            },
            (Locale::Ru, None) => match self.holding(&part) {
                Some(names) => format!("в категориях {names}"),
                None => format!("в категориях с названием вроде «{part}»"),
            },
        };
        if !matches!(group, "month" | "day_of_week") {
            arguments.insert("min_purchase_count".to_owned(), json!(1));
        }
        let [en, ru] = match group {
            "month" => [", by month", " по месяцам"],
            "day_of_week" => [", by weekday", " по дням недели"],
            "shop" => [", by shop", " по магазинам"],
            _ => [", and how many times", ", сколько раз"],
        };
        let mut read = match (self.language, price) {
            (Locale::En, false) => format!("what was bought {called}{en}"),
            (Locale::Ru, false) => format!("покупки {called}{ru}"),
            (Locale::En, true) => format!("mean price paid for one {called}, by month"),
            (Locale::Ru, true) => format!("средняя цена покупки за единицу {called} по месяцам"),
        };
        if own.is_none() {
            read += &self.with_others(&part);
        }
        if let Some(period) = period {
            self.limit(period, &mut arguments, &mut read);
        } else {
            arguments.insert("period_days".to_owned(), json!(EVER));
        }
        let asked = if group == "month" { Asked::Monthly } else { Asked::Times };
        Some(self.call(asked, "get_purchase_statistics", arguments, None, read))
    }

    /// What was bought of items with a word in their names, and on how many receipts.
    fn item(&self, part: &str, period: Option<(NaiveDate, NaiveDate)>) -> Call {
        let mut arguments = Map::from_iter([
            ("group_by_item".to_owned(), json!(true)),
            ("item_name".to_owned(), json!(part)),
        ]);
        let mut read = match self.language {
            Locale::En => format!("what was bought of items named like “{part}”"),
            Locale::Ru => format!("покупки товаров с названием вроде «{part}»"),
        };
        if let Some(period) = period {
            self.limit(period, &mut arguments, &mut read);
        }
        self.call(Asked::Bought, "get_receipt_items", arguments, None, read)
    }
}
