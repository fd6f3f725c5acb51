//! Questions of purchases and the calls they become, in both languages.

mod everyday;

use super::{Asked, call};
use crate::error::Locale;
use chrono::NaiveDate;
use serde_json::{Value as Json, json};

fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2024, 12, 15).expect("a date")
}

fn asked(question: &str) -> Option<(Asked, &'static str, Json)> {
    let call = call(question, today(), None, &[])?;
    let ru = question.chars().any(|c| ('а'..='я').contains(&c));
    assert_eq!(call.language == Locale::Ru, ru, "{question}");
    assert!(!call.explanation.is_empty());
    Some((call.asked, call.tool, call.arguments))
}

fn dates(from: &str, to: &str, more: Json) -> Json {
    let mut all = json!({"date_from": from, "date_to": to});
    if let (Some(all), Some(more)) = (all.as_object_mut(), more.as_object()) {
        all.extend(more.clone());
    }
    all
}

#[test]
fn questions_of_money() {
    let check = |questions: &[&str], mut wanted: Json| {
        // every receipt that is counted is listed
        wanted["limit"] = json!(10_000);
        for question in questions {
            let wanted = Some((Asked::Spent, "get_receipts", wanted.clone()));
            assert_eq!(asked(question), wanted, "{question}");
        }
    };
    check(
        &[
            "Сколько я потратил в декабре?",
            "сколько в декабре я потратил",
            "сколько денег мы потратили за декабрь 2024 года?",
            "How much did I spend in December?",
            "how much money have we spent in December 2024",
        ],
        dates("2024-12-01", "2024-12-31", json!({})),
    );
    check(
        &["сколько я потратила в январе", "how much did we spend in January?"],
        dates("2024-01-01", "2024-01-31", json!({})),
    );
    check(&["Сколько я потратил?", "how much did I spend in total?"], json!({}));
    check(
        &["how much did I spend over the last month?", "сколько я потратил за последний месяц?"],
        dates("2024-11-16", "2024-12-15", json!({})),
    );
    check(
        &["how much did I spend last month?", "сколько я потратил в прошлом месяце?"],
        dates("2024-11-01", "2024-11-30", json!({})),
    );
    check(
        &["how much did we spend last week?", "сколько я потратил на прошлой неделе?"],
        dates("2024-12-02", "2024-12-08", json!({})),
    );
    check(
        &["how much did I spend last year?", "сколько я потратил за прошлый год?"],
        dates("2023-01-01", "2023-12-31", json!({})),
    );
    check(
        &["how much did I spend in the last 30 days", "сколько я потратил за последние 30 дней?"],
        dates("2024-11-16", "2024-12-15", json!({})),
    );
    check(
        &["how much did I spend in summer 2024", "сколько я потратил летом 2024 года"],
        dates("2024-06-01", "2024-08-31", json!({})),
    );
    check(
        &["сколько я потратил за последние 2 недели"],
        dates("2024-12-02", "2024-12-15", json!({})),
    );
    check(
        &["what did I spend in November?", "сколько потрачено в ноябре?"],
        dates("2024-11-01", "2024-11-30", json!({})),
    );
    check(&["how much did I spend this month"], dates("2024-12-01", "2024-12-15", json!({})));
    check(&["сколько мы потратили на этой неделе?"], dates("2024-12-09", "2024-12-15", json!({})));
    check(&["сколько я потратил в 2023 году?"], dates("2023-01-01", "2023-12-31", json!({})));
    check(&["how much did I spend yesterday"], dates("2024-12-14", "2024-12-14", json!({})));
    check(&["how much did I spend on 2024-12-09"], dates("2024-12-09", "2024-12-09", json!({})));
    check(
        &["Сколько я потратил в Пятёрочке в декабре?", "сколько я потратил в декабре в Пятёрочке"],
        dates("2024-12-01", "2024-12-31", json!({"shop": "пятероч"})),
    );
    check(&["how much did we spend at \"Corner Shop\"?"], json!({"shop": "Corner Shop"}));
}

#[test]
fn what_a_shop_sells_is_everything_where_no_category_is_called_so() {
    let november = dates("2024-11-01", "2024-11-30", json!({"limit": 10_000}));
    for question in [
        "сколько потратили на продукты в прошлом месяце",
        "сколько ушло на еду в ноябре",
        "how much did we spend on groceries last month?",
        "how much did I spend on food in November",
    ] {
        let wanted = Some((Asked::Spent, "get_receipts", november.clone()));
        assert_eq!(asked(question), wanted, "{question}");
    }
    // how many there are, or were bought, is no sum of money
    for question in ["how many products", "сколько товаров?", "how many items did we buy"]
    {
        let spent = asked(question).filter(|asked| asked.0 == Asked::Spent);
        assert_eq!(spent, None, "{question}");
    }
    let today = NaiveDate::from_ymd_opt(2024, 12, 15).expect("a date");
    let unknown = call("сколько ушло на еду?", today, None, &[]).expect("a call");
    assert_eq!(unknown.explanation, "сумма чеков за все покупки");
    let with = |question: &str, categories: &[&str]| {
        let categories: Vec<String> = categories.iter().map(|&name| name.to_owned()).collect();
        call(question, today, None, &categories).expect(question)
    };
    let of_dairy = with("сколько ушло на продукты?", &["Молочные продукты"]);
    assert_eq!(of_dairy.explanation, "сумма чеков за все покупки: категории «продукты» нет");
    let named = with("сколько ушло на продукты?", &["Продукты питания", "Дом"]);
    assert_eq!(named.arguments["product_name"], "продукт");
    let bread = with("сколько я потратил на хлеб", &["Хлеб и бакалея", "Хлеб", "Рис"]);
    assert_eq!(bread.explanation, "покупки в категории «Хлеб»");
    let wanted = json!({"group_by_item": true, "product_name": "Хлеб", "exact_product_name": true});
    assert_eq!(bread.arguments, wanted);
    let cheese = with("сколько сыра я купил", &["Сыр и масло", "Твёрдый сыр", "Рис"]);
    // what is called cheese comes before what is butter as well
    assert_eq!(cheese.arguments, json!({"group_by_item": true, "item_name": "сыр"}));
    let (arguments, explanation) = cheese.otherwise.expect("the categories");
    assert_eq!(arguments, json!({"group_by_item": true, "product_name": "сыр"}));
    assert_eq!(
        explanation,
        "покупки в категориях «Сыр и масло», «Твёрдый сыр»; в «Сыр и масло» есть не только «сыр»"
    );
    let named = with("how much did we spend on food?", &["Food", "Home"]);
    assert_eq!(named.arguments["product_name"], "Food");
}

#[test]
fn a_question_changes_the_one_before() {
    let today = NaiveDate::from_ymd_opt(2024, 12, 15).expect("a date");
    for (before, question, alike) in [
        (
            "How much did I spend in October?",
            "what about November?",
            "how much did I spend in November",
        ),
        ("how much did I spend", "and in 2023", "how much did I spend in 2023"),
        ("сколько я потратил в октябре?", "а в ноябре?", "сколько я потратил в ноябре"),
        (
            "сколько потратили на молоко в октябре",
            "а на хлеб?",
            "сколько потратили на хлеб в октябре",
        ),
        (
            "сколько молока я купил в ноябре",
            "а в Пятёрочке?",
            "сколько молока я купил в Пятёрочке в ноябре",
        ),
        ("how much did I spend on milk?", "what about bread", "how much did I spend on bread"),
        (
            "how much did I spend on milk?",
            "at \"Corner Shop\"",
            "how much did I spend on milk at \"Corner Shop\"",
        ),
        ("spending by category", "what about 2023?", "spending by category in 2023"),
        (
            "расходы по категориям в ноябре 2024",
            "а за октябрь 2024",
            "расходы по категориям за октябрь 2024",
        ),
    ] {
        let full = super::follow(before, question).expect(question);
        let found = call(&full, today, None, &[]).expect(&full);
        let wanted = call(alike, today, None, &[]).expect(alike);
        assert_eq!((found.arguments, found.asked), (wanted.arguments, wanted.asked), "{full}");
        assert_eq!(found.language, wanted.language, "{full}");
    }
    for question in ["how much did I save?", "top 3 shops by spending", "what did I buy last"] {
        assert_eq!(super::follow("how much did I spend", question), None, "{question}");
    }
}

#[test]
fn questions_of_goods() {
    let check = |questions: &[&str], wanted: Json| {
        for question in questions {
            let (asked, tool, arguments) = asked(question).expect(question);
            assert_eq!((asked, tool), (Asked::Bought, "get_receipt_items"), "{question}");
            assert_eq!(arguments, wanted, "{question}");
        }
    };
    let milk = |name: &str, from: &str, to: &str| {
        dates(from, to, json!({"group_by_item": true, "product_name": name}))
    };
    check(
        &["how much milk have I bought in the last month"],
        milk("milk", "2024-11-16", "2024-12-15"),
    );
    check(&["How much milk did I buy last month?"], milk("milk", "2024-11-01", "2024-11-30"));
    check(
        &[
            "Сколько молока я купил в ноябре?",
            "сколько я купил молока в ноябре",
            "сколько я потратил на молоко в ноябре?",
        ],
        milk("молок", "2024-11-01", "2024-11-30"),
    );
    check(
        &["Сколько молока я купил за месяц?", "сколько молока я купил за последний месяц"],
        milk("молок", "2024-11-16", "2024-12-15"),
    );
    check(
        &["how much did I spend on milk at Kuper"],
        json!({"shop": "kuper", "group_by_item": true, "product_name": "milk"}),
    );
    let today = NaiveDate::from_ymd_opt(2024, 12, 15).expect("a date");
    let milk = call("how many eggs did we buy?", today, None, &[]).expect("a call");
    let (arguments, explanation) = milk.otherwise.expect("another call");
    assert_eq!(arguments, json!({"group_by_item": true, "item_name": "egg"}));
    assert_eq!(explanation, "what was bought of items named like “egg”");
}

#[test]
fn questions_of_categories_and_plans() {
    for question in [
        "Какие категории у меня есть?",
        "какие у меня есть категории продуктов",
        "What categories do I have?",
        "which product categories are there?",
    ] {
        assert_eq!(asked(question), Some((Asked::Categories, "get_products", json!({}))));
    }
    for (question, days) in [
        ("Что мне нужно купить на этой неделе?", 7),
        ("What do I need to buy this week?", 7),
        ("список покупок", 7),
        ("Сформируй корзину для следующей закупки", 7),
        ("что нам надо купить завтра", 1),
        ("shopping list for the next 10 days", 10),
        ("список покупок на 3 дня", 3),
        ("что купить на неделю", 7),
        ("what to buy", 7),
        ("что мне купить на 2 недели", 14),
        ("список покупок на месяц", 30),
    ] {
        let wanted = (Asked::ToBuy, "generate_shopping_list", json!({"days_ahead": days}));
        assert_eq!(asked(question), Some(wanted), "{question}");
    }
}

#[test]
fn questions_for_lists() {
    let check = |questions: &[&str], wanted: (Asked, &'static str, Json)| {
        for question in questions {
            assert_eq!(asked(question).as_ref(), Some(&wanted), "{question}");
        }
    };
    let statistics = |kind, arguments| (kind, "get_purchase_statistics", arguments);
    check(
        &["Покажи мои чеки за последнюю неделю", "show my receipts for the last week"],
        (Asked::Receipts, "get_receipts", dates("2024-12-09", "2024-12-15", json!({}))),
    );
    check(
        &["Какая дата последнего чека?", "what is the date of my last receipt?"],
        (Asked::LastReceipt, "get_receipts", json!({"limit": 1})),
    );
    check(
        &[
            "Что я купил в последнем чеке?",
            "what did I buy on the last receipt?",
            "что было в последнем чеке",
            "what was on my last receipt?",
        ],
        (Asked::LastLines, "get_receipts", json!({"limit": 1})),
    );
    let shops = json!({"group_by": "shop", "period_days": 36_500, "min_purchase_count": 1});
    check(
        &[
            "В каких магазинах я покупал?",
            "where do I shop?",
            "in which shops did we buy?",
            "which shops have I bought at?",
            "в каких магазинах я бываю",
            "which shops do I go to",
        ],
        statistics(Asked::Shops, shops),
    );
    check(
        &[
            "Покажи все покупки категории 'Молочные продукты'",
            "покажи покупки категории «Молочные продукты»",
        ],
        (Asked::Lines, "get_receipt_items", json!({"product_name": "Молочные продукты"})),
    );
    check(
        &["Сколько товаров в каждой категории?", "how many items are there in each category?"],
        (Asked::Categories, "get_products", json!({})),
    );
    check(
        &["Покажи подкатегории 'Молочные продукты'"],
        (
            Asked::Below,
            "get_products",
            json!({"search": "Молочные продукты", "include_children": true}),
        ),
    );
    let items = |argument: &str, name: &str| (Asked::Items, "get_items", json!({argument: name}));
    check(&["Какие товары я покупаю в категории 'Молоко'?"], items("product_name", "Молоко"));
    check(&["Найди все товары со словом 'сыр'"], items("search", "сыр"));
    check(
        &["Какие товары есть в магазине Kuper?", "which items are there in the shop Kuper?"],
        items("shop", "kuper"),
    );
    check(
        &["Какие метки у меня есть?", "which labels do I have?"],
        (Asked::Labels, "get_labels", json!({"include_items": false})),
    );
    check(
        &["Какие товары помечены как 'Для завтрака'?", "какие товары с меткой «Для завтрака»"],
        (Asked::Labels, "get_labels", json!({"items_limit": 1000, "label_name": "Для завтрака"})),
    );
    check(
        &[
            "Какие продукты я чаще всего покупаю?",
            "which categories do we buy most often?",
            "что я чаще всего покупаю?",
            "what do I buy most often?",
        ],
        statistics(Asked::Most, json!({"group_by": "product"})),
    );
    check(
        &["which items do I buy most often?", "какие товары я покупаю чаще"],
        statistics(Asked::Most, json!({"group_by": "item"})),
    );
    check(
        &[
            "Предскажи мои следующие покупки",
            "predict my next purchases",
            "what will I buy next?",
            "что я скоро куплю?",
        ],
        statistics(Asked::Next, json!({"include_prediction": true})),
    );
}

/// A word that fits nowhere makes it another question.
#[test]
fn other_questions_are_left_to_queries() {
    for question in [
        "",
        "?",
        "how much",
        "сколько чеков",
        "how many receipts in December?",
        "how much milk did I spend?",
        "how much did I buy?",
        "what did I buy?",
        "what will I buy next year?",
        "how much did I spend by shop?",
        "how much did I spend in December and in November?",
        "сколько я потратил больше 1000?",
        "сколько я потратил и купил молока",
        "what do I need to sell this week?",
        "which categories are the largest?",
        "top 3 shops",
        "how much did I spend on bread, milk and eggs",
        "список покупок без молока",
        "show my receipts over 1000",
        "show receipts",
        "какая дата последнего чека в Kuper?",
        "покажи все покупки категории",
        "покажи покупки категории «Хлеб» дороже 100",
        "какие товары есть в магазине?",
        "найди товары «сыр» со словом «твёрдый»",
        "какие метки у меня есть на сыр?",
        "какие продукты я чаще всего покупаю в Kuper?",
        "which categories of items do I buy most often?",
        "предскажи мои покупки на год",
        "сколько я потратил в среднем?",
        "how much did I spend on average?",
        "how much did I spend on weekends?",
        "сколько я потратил в понедельник?",
        "сколько я потратил за квартал?",
        "сколько я потратил в позапрошлом месяце?",
        "how much did I spend in the summer?",
        "how much may I spend?",
        "show all purchases in the category Milk last month",
        "покажи покупки категории Молоко за ноябрь",
        "which items do I buy in category Milk most often?",
    ] {
        assert_eq!(asked(question), None, "{question}");
    }
}

#[test]
fn what_the_most_money_goes_on() {
    let categories = |limit: u64| {
        let arguments = json!({"group_by": "product", "min_purchase_count": 1, "limit": limit,
                               "period_days": 36_500, "order_groups_by": "amount"});
        Some((Asked::Dearest, "get_purchase_statistics", arguments))
    };
    let items = |limit: u64, more: Json| {
        let mut arguments =
            json!({"group_by_item": true, "limit": limit, "order_groups_by": "amount"});
        let all = arguments.as_object_mut().expect("an object");
        all.extend(more.as_object().expect("an object").clone());
        Some((Asked::Dearest, "get_receipt_items", arguments))
    };
    for question in [
        "what do I spend the most on?",
        "what product did I spend most on",
        "which categories do I spend most money on?",
        "на что я трачу больше всего?",
        "На что мы потратили больше всего денег",
        "на какие продукты я трачу больше всего",
    ] {
        assert_eq!(asked(question), categories(10), "{question}");
    }
    for question in ["top 5 products by spending", "топ-5 категорий по расходам"]
    {
        assert_eq!(asked(question), categories(5), "{question}");
    }
    for question in ["spending by category", "расходы по категориям", "total spent per product"]
    {
        assert_eq!(asked(question), categories(1000), "{question}");
    }
    for question in ["top 10 items by amount", "топ-10 товаров по сумме"] {
        assert_eq!(asked(question), items(10, json!({})), "{question}");
    }
    let of_november = |limit: u64| {
        let arguments = json!({"group_by": "product", "min_purchase_count": 1, "limit": limit,
                               "order_groups_by": "amount"});
        let arguments = dates("2024-11-01", "2024-11-30", arguments);
        Some((Asked::Dearest, "get_purchase_statistics", arguments))
    };
    for question in
        ["what did I spend the most on in November?", "на что я потратил больше всего в ноябре"]
    {
        assert_eq!(asked(question), of_november(10), "{question}");
    }
    for question in ["расходы по категориям в ноябре 2024", "spending by category in November 2024"]
    {
        assert_eq!(asked(question), of_november(1000), "{question}");
    }
    assert_eq!(asked("траты по категориям, топ 5"), categories(5));
    for question in [
        "top 3 shops by spending",
        "spending by month",
        "what do I spend most on by month",
        "most expensive items",
        "top 5 products by quantity",
    ] {
        assert_eq!(asked(question).filter(|a| a.0 == Asked::Dearest), None, "{question}");
    }
}

#[test]
fn questions_of_prices() {
    let of = |name: &str, shop: Option<&str>| {
        let mut arguments = json!({"include_purchase_stats": true, "limit": 1000, "search": name});
        if let (Some(shop), Some(all)) = (shop, arguments.as_object_mut()) {
            all.insert("shop".to_owned(), json!(shop));
        }
        Some((Asked::Prices, "get_items", arguments))
    };
    for question in [
        "how much is milk?",
        "how much does milk cost",
        "price of milk",
        "what is the average price of milk",
        "which shop is cheapest for milk",
        "where is milk cheaper",
        // all shops are told, these two among them
        "is milk cheaper at Birch or Corner?",
        "compare milk prices at Birch and Corner",
    ] {
        assert_eq!(asked(question), of("milk", None), "{question}");
    }
    for question in [
        "сколько стоит молоко",
        "какая цена молока?",
        "цены на молоко",
        "где дешевле молоко",
        "в каком магазине молоко дешевле",
    ] {
        assert_eq!(asked(question), of("молок", None), "{question}");
    }
    assert_eq!(asked("цена яиц"), of("яйц", None));
    assert_eq!(asked("сколько стоит литр молока"), of("молок", None));
    assert_eq!(asked("сколько стоит кофе в Берёзке"), of("кофе", Some("берез")));
    assert_eq!(asked("how much is milk at Corner"), of("milk", Some("corner")));
    for question in ["how much is it", "сколько стоит"] {
        assert_eq!(asked(question), None, "{question}");
    }
}

#[test]
fn what_is_spent_now_is_what_was_spent() {
    let thing = |name: &str| {
        Some((
            Asked::Bought,
            "get_receipt_items",
            json!({"group_by_item": true, "product_name": name}),
        ))
    };
    assert_eq!(asked("how much do we spend on milk"), thing("milk"));
    assert_eq!(asked("сколько мы тратим на молоко"), thing("молок"));
    assert_eq!(asked("сколько уходит на молоко"), thing("молок"));
}

#[test]
fn what_was_spent_by_groups() {
    for (before, question, full) in [
        ("how much did we spend in total?", "and by month?", "spending by month"),
        ("сколько мы потратили всего?", "а по магазинам?", "траты по магазинам"),
        ("сколько потратили в 2024?", "по месяцам", "траты по месяцам в 2024"),
        ("how much do we spend on milk?", "by month", "how much did I spend on milk by month"),
        ("траты на молоко", "а по месяцам?", "сколько потрачено на молоко по месяцам"),
    ] {
        assert_eq!(super::follow(before, question).as_deref(), Some(full), "{before} {question}");
    }
    // of one shop there are none
    assert_eq!(super::follow("how much did I spend at Kuper", "and by month?"), None);
}

#[test]
fn what_was_spent_in_short() {
    let today = chrono::NaiveDate::from_ymd_opt(2024, 12, 31).expect("a date");
    let categories = ["Milk".to_owned(), "Молоко".to_owned()];
    let of = |question: &str| call(question, today, None, &categories).map(|c| c.arguments);
    assert_eq!(of("spending on milk"), of("how much did I spend on milk"));
    assert_eq!(of("траты на молоко"), of("сколько потрачено на молоко"));
    assert!(of("spending on milk").is_some());
    // what is no category may be a day of the week
    assert_eq!(of("spending on weekends"), None);
}

#[test]
fn this_and_the_last_change_the_period() {
    let after = |previous: &str, question: &str| super::follow(previous, question);
    assert_eq!(
        after("сколько потратили на продукты в прошлом месяце", "а в этом?").as_deref(),
        Some("сколько потратили на продукты в этом месяце")
    );
    assert_eq!(
        after("how much did I spend last month", "and this?").as_deref(),
        Some("how much did I spend this month")
    );
    // a month by its name says of no kind which one this is, and `этом` is no shop
    assert_eq!(after("сколько потратили в ноябре", "а в этом?"), None);
    assert_eq!(asked("сколько потратили в этом"), None);
}

#[test]
fn questions_of_the_receipts_alone() {
    let said = |question: &str| super::of_receipts(question, "total");
    for (question, wanted) in [
        ("spending by shop", "total `total` by shop"),
        ("расходы по месяцам", "сумма `total` по месяцам"),
        ("top 3 shops by spending", "top 3 shops by `total`"),
        ("top shops", "top 10 shops by total `total`"),
        ("top 5 merchants", "top 5 shops by total `total`"),
        ("топ магазинов", "топ 10 магазинов по сумме `total`"),
        ("самый дорогой чек", "самый дорогой чек"),
    ] {
        assert_eq!(said(question).as_deref(), Some(wanted), "{question}");
    }
    for question in ["how much milk did we buy", "how many items per receipt"] {
        assert_eq!(said(question), None, "{question}");
    }
    for question in ["how often do we shop", "how often do I go to the store"] {
        assert_eq!(said(question).as_deref(), Some("mean number of receipts per week"));
    }
    for question in ["как часто мы ходим в магазин", "как часто я делаю покупки"]
    {
        assert_eq!(said(question).as_deref(), Some("среднее число чеков в неделю"));
    }
    assert_eq!(said("how often do we buy milk"), None);
}

#[test]
fn a_cheap_shop_is_one_of_small_receipts_perhaps() {
    let said = |question: &str| super::of_cheap_shops(question, "total");
    let cheap = Some("shop with the lowest mean `total`".to_owned());
    let dear = Some("магазин с наибольшим средним `total`".to_owned());
    assert_eq!(
        [said("cheapest shop"), said("which shop is the cheapest?")],
        [(); 2].map(|()| cheap.clone())
    );
    assert_eq!(
        [said("самый дорогой магазин"), said("где дороже всего")],
        [(); 2].map(|()| dear.clone())
    );
    assert_eq!(said("cheapest shop for milk"), None);
    assert_eq!(said("самый дорогой чек"), None);
}

#[test]
fn what_goes_on_goods_each_month() {
    let of = |name: &str, own: bool| {
        let mut arguments = json!({"group_by": "month", "product_name": name, "limit": 1000,
            "period_days": 36_500});
        if own {
            arguments["exact_product_name"] = json!(true);
        }
        Some((Asked::Monthly, "get_purchase_statistics", arguments))
    };
    for question in [
        "how much did I spend on milk by month",
        "milk spending by month",
        "monthly spending on milk",
        "price of milk by month",
        "milk price over time",
        "how has the price of milk changed?",
        "did prices of milk go up?",
        "how much milk do we buy per month",
    ] {
        assert_eq!(asked(question), of("milk", false), "{question}");
    }
    for question in [
        "сколько потратили на молоко по месяцам",
        "расходы на молоко по месяцам",
        "цена молока по месяцам",
        "подорожало ли молоко?",
        "как менялась цена молока",
        "динамика цены молока",
        "сколько молока мы покупаем в месяц",
    ] {
        let (asked, tool, arguments) = asked(question).expect(question);
        assert_eq!((asked, tool), (Asked::Monthly, "get_purchase_statistics"), "{question}");
        assert_eq!(arguments["product_name"], json!("молок"), "{question}");
    }
    let known = ["Хлеб и бакалея".to_owned(), "Хлеб".to_owned()];
    let call = |question: &str| super::call(question, today(), None, &known);
    let bread = call("расходы на хлеб по месяцам").expect("a call");
    assert_eq!(Some((bread.asked, bread.tool, bread.arguments)), of("Хлеб", true));
    assert_eq!(bread.explanation, "покупки в категории «Хлеб» по месяцам");
    // the receipts know of months, and no category is called so
    assert_eq!(asked("spending by month"), None);
    assert_eq!(call("расходы на бензин по месяцам"), None);
}

#[test]
fn goods_by_what_they_came_to() {
    let categories = |limit: u64| {
        json!({"order_groups_by": "amount", "limit": limit, "group_by": "product",
            "min_purchase_count": 1, "period_days": 36_500})
    };
    for (question, wanted, limit) in [
        ("top 5 products", Asked::Dearest, 5),
        ("топ категорий", Asked::Dearest, 10),
        ("which category costs the most", Asked::Dearest, 10),
        ("какие категории самые дорогие?", Asked::Dearest, 10),
        ("spending by category in percent", Asked::Shares, 1000),
        ("траты по категориям в процентах", Asked::Shares, 1000),
        ("доля категорий в расходах", Asked::Shares, 1000),
    ] {
        let wanted = Some((wanted, "get_purchase_statistics", categories(limit)));
        assert_eq!(asked(question), wanted, "{question}");
    }
    let dear = Some((
        Asked::DearestItems,
        "get_items",
        json!({"include_purchase_stats": true, "limit": 1000}),
    ));
    for question in
        ["most expensive item", "what was the most expensive thing I bought", "самый дорогой товар"]
    {
        assert_eq!(asked(question), dear, "{question}");
    }
    assert_eq!(asked("самая дорогая покупка"), None);
    let (asked, tool, arguments) = asked("what did we buy in November 2024").expect("a call");
    assert_eq!((asked, tool), (Asked::Lines, "get_receipt_items"));
    assert_eq!(
        arguments,
        json!({"limit": 1000, "date_from": "2024-11-01", "date_to": "2024-11-30"})
    );
}

#[test]
fn a_day_is_named_in_words() {
    for (question, day) in [
        ("что я купил 14 декабря 2023 года", "2023-12-14"),
        ("what did I buy on December 14, 2023", "2023-12-14"),
        ("what did I buy on 14 December 2023", "2023-12-14"),
        // the latest that has begun
        ("что я купил 14 декабря", "2024-12-14"),
        ("что я купил 16 декабря", "2023-12-16"),
    ] {
        let (_, _, arguments) = asked(question).unwrap_or_else(|| panic!("{question}"));
        assert_eq!((&arguments["date_from"], &arguments["date_to"]), (&json!(day), &json!(day)));
    }
    // no such day
    assert_eq!(asked("что я купил 31 февраля 2024"), None);
}

#[test]
fn a_price_of_a_year_is_of_its_months() {
    let (asked_for, tool, arguments) = asked("сколько стоило молоко в 2023").expect("a call");
    assert_eq!((asked_for, tool), (Asked::Monthly, "get_purchase_statistics"));
    assert_eq!(arguments["group_by"], json!("month"));
    assert_eq!(arguments["date_from"], json!("2023-01-01"));
}

#[test]
fn only_another_period_keeps_the_goods() {
    let of = |question: &str| super::follow("сколько потратил на молоко?", question);
    assert_eq!(of("а только в 2023?"), of("а в 2023?"));
    assert!(of("а только в 2023?").is_some_and(|q| q.contains("молоко") && q.contains("2023")));
}
