//! Questions as people who shop ask them.

use super::super::{call, follow, left_out, of_receipts};
use super::{Asked, asked, today};
use serde_json::json;

#[test]
fn packs_and_bottles_are_of_all_of_it() {
    for question in [
        "сколько пачек молока мы купили",
        "сколько штук молока купил",
        "how many packs of milk did I buy",
        "how many bottles of milk did we buy",
    ] {
        let (asked, tool, arguments) = asked(question).expect(question);
        assert_eq!((asked, tool), (Asked::Bought, "get_receipt_items"), "{question}");
        let name = arguments["product_name"].as_str().expect("a name");
        assert!(["молок", "milk"].contains(&name), "{question}: {name}");
    }
    // how many litres there are in a pack no column says
    assert_eq!(asked("сколько литров молока купил"), None);
}

#[test]
fn the_last_time_is_that_of_the_latest_receipt() {
    for question in [
        "что я купил в последний раз",
        "what did I buy last time?",
        "what did we buy the last time",
    ] {
        let wanted = Some((Asked::LastLines, "get_receipts", json!({"limit": 1})));
        assert_eq!(asked(question), wanted, "{question}");
    }
}

#[test]
fn what_is_called_so_was_bought_last_before_what_a_category_is_called() {
    let categories = ["Сыр и масло".to_owned(), "Творог".to_owned(), "Молоко".to_owned()];
    let of = |question: &str| call(question, today(), None, &categories).expect(question);
    let cheese = of("когда последний раз покупали сыр");
    assert_eq!(cheese.arguments, json!({"item_name": "сыр", "limit": 1}));
    let (otherwise, _) = cheese.otherwise.expect("another look");
    assert_eq!(otherwise, json!({"product_name": "сыр", "limit": 1}));
    let milk = of("когда последний раз покупали молоко");
    let wanted = json!({"product_name": "Молоко", "exact_product_name": true, "limit": 1});
    assert_eq!(milk.arguments, wanted);
}

#[test]
fn the_cheapest_of_its_kind() {
    for question in ["самый дешёвый сыр", "где дешевле всего покупать сыр", "самый дешевый сыр?"]
    {
        let (asked, tool, arguments) = asked(question).expect(question);
        assert_eq!((asked, tool), (Asked::Prices, "get_items"), "{question}");
        assert_eq!(arguments["search"], "сыр", "{question}");
    }
    // these have no price of one
    for question in ["самый дешёвый магазин", "самая дешёвая покупка", "cheapest shop"]
    {
        assert_eq!(asked(question), None, "{question}");
    }
}

#[test]
fn a_mean_per_week_is_that_of_what_each_week_comes_to() {
    let said = |question: &str| of_receipts(question, "total");
    for (question, wanted) in [
        ("average spend per week", "average weekly total `total`"),
        ("average spending per month", "average monthly total `total`"),
        ("what is my average spending per month?", "average monthly total `total`"),
        ("how much do I spend a day", "average daily total `total`"),
        ("my biggest purchase", "my biggest receipt"),
        ("biggest purchases in 2024", "biggest receipts in 2024"),
        ("самая большая покупка", "самая большая чек"),
    ] {
        assert_eq!(said(question).as_deref(), Some(wanted), "{question}");
    }
}

#[test]
fn two_years_are_held_against_each_other() {
    for (before, question, wanted) in [
        (
            "how much did I spend in 2024",
            "compared with 2023?",
            "compare spending in 2024 and 2023",
        ),
        (
            "how much did I spend in 2024?",
            "and compared to 2023",
            "compare spending in 2024 and 2023",
        ),
        ("сколько я потратил в 2024 году", "по сравнению с 2023", "сравни траты за 2024 и 2023"),
    ] {
        assert_eq!(follow(before, question).as_deref(), Some(wanted), "{before} {question}");
    }
    // of goods no query of both is said
    let of_milk = follow("how much did I spend on milk in 2024", "compared with 2023");
    assert_eq!(of_milk, None);
}

#[test]
fn how_many_times_by_shop_and_by_weekday() {
    let categories = ["Молоко".to_owned(), "Хлеб".to_owned()];
    for (question, group, all) in [
        ("сколько раз я покупал молоко", "product", true),
        ("как часто я покупаю молоко", "product", true),
        ("сколько покупок молока", "product", true),
        ("how many times did I buy Молоко", "product", true),
        ("how much did I spend on Молоко by shop", "shop", true),
        ("сколько потрачено на молоко по магазинам", "shop", true),
        ("сколько потрачено на молоко по дням недели", "day_of_week", false),
        ("spending on Молоко by weekday", "day_of_week", false),
    ] {
        let call = call(question, today(), None, &categories).expect(question);
        let mut wanted = json!({"group_by": group, "product_name": "Молоко", "limit": 1000,
            "exact_product_name": true, "period_days": 36_500});
        if all {
            wanted["min_purchase_count"] = json!(1);
        }
        assert_eq!((call.asked, call.arguments), (Asked::Times, wanted), "{question}");
    }
}

#[test]
fn groups_of_what_was_spent_are_changed() {
    let milk = "сколько потрачено на молоко";
    for (before, question, wanted) in [
        ("сколько я потратил на молоко", "по дням недели", format!("{milk} по дням недели")),
        (&format!("{milk} по дням недели"), "по магазинам", format!("{milk} по магазинам")),
    ] {
        assert_eq!(follow(before, question), Some(wanted), "{before}: {question}");
    }
}

#[test]
fn shops_and_years_are_of_the_receipts() {
    for (question, wanted) in [
        ("where do I shop most often?", "shop with the most receipts"),
        ("где я чаще всего бываю", "магазин с наибольшим числом чеков"),
        ("сколько раз в месяц я хожу в магазин", "среднее число чеков в месяц"),
        ("how many times a week do I go shopping", "mean number of receipts per week"),
        ("how many times did we go shopping in 2024?", "how many receipts in 2024?"),
        ("сколько раз мы ходили в магазин", "сколько чеков"),
        ("which shop do we visit most often?", "shop with the most receipts"),
        ("в какой магазин мы ходим чаще всего", "магазин с наибольшим числом чеков"),
        (
            "how much do we spend on weekends compared with weekdays?",
            "total `total` on weekends vs weekdays",
        ),
        ("compare 2023 and 2024", "compare total `total` in 2023 and 2024"),
        ("сравни 2023 и 2024", "сравни сумма `total` за 2023 и 2024"),
    ] {
        assert_eq!(of_receipts(question, "total").as_deref(), Some(wanted), "{question}");
    }
}

#[test]
fn groceries_are_all_that_is_spent() {
    for (question, wanted) in [
        ("spending on groceries by month", "total `total` by month"),
        ("how much do I spend on groceries per month", "average monthly total `total`"),
        ("расходы на продукты по месяцам", "сумма `total` по месяцам"),
    ] {
        assert_eq!(of_receipts(question, "total").as_deref(), Some(wanted), "{question}");
    }
    // what is food of it, they do not say
    for (question, word) in [
        ("spending on food by quarter", Some("food")),
        ("расходы на еду по кварталам", Some("еду")),
        ("траты на покупки по месяцам", None),
    ] {
        assert_eq!(left_out(question).as_deref(), word, "{question}");
    }
    // milk is one of the dairy products, and these are no groceries
    let categories = ["Молочные продукты".to_owned(), "Молоко".to_owned()];
    for question in ["расходы на продукты по месяцам", "сколько я трачу на продукты в месяц"]
    {
        assert_eq!(call(question, today(), None, &categories), None, "{question}");
    }
}

#[test]
fn the_last_receipt_and_what_was_bought_in_a_time() {
    let last = json!({"limit": 1});
    for question in ["when did I last go shopping?", "когда я был в магазине последний раз"]
    {
        let wanted = Some((Asked::LastReceipt, "get_receipts", last.clone()));
        assert_eq!(asked(question), wanted, "{question}");
    }
    for question in ["how many items were on my last receipt", "сколько товаров в последнем чеке"]
    {
        let wanted = Some((Asked::LastLines, "get_receipts", last.clone()));
        assert_eq!(asked(question), wanted, "{question}");
    }
    for question in ["my most frequent purchases", "самые частые покупки"] {
        assert_eq!(asked(question).map(|(asked, ..)| asked), Some(Asked::Most), "{question}");
    }
    for question in ["purchases in November 2024", "покупки за ноябрь 2024"] {
        assert_eq!(asked(question).map(|(asked, ..)| asked), Some(Asked::Lines), "{question}");
    }
}

#[test]
fn the_top_by_number_is_of_purchases() {
    for (question, group, limit) in [
        ("top 5 items by quantity", "item", 5),
        ("топ-5 товаров по количеству", "item", 5),
        ("топ категорий по числу покупок", "product", 10),
    ] {
        let arguments = json!({"group_by": group, "limit": limit, "period_days": 36_500});
        let wanted = Some((Asked::Most, "get_purchase_statistics", arguments));
        assert_eq!(asked(question), wanted, "{question}");
    }
}

#[test]
fn what_is_no_category_is_looked_for_among_the_items() {
    let categories = ["Молоко".to_owned()];
    let call = call("сколько раз я покупал пиво?", today(), None, &categories).expect("a call");
    assert_eq!(call.asked, Asked::Bought);
    assert_eq!(call.arguments, json!({"group_by_item": true, "item_name": "пив"}));
}

#[test]
fn goods_beside_a_category_say_nothing_more() {
    let categories = ["Dairy".to_owned(), "Children".to_owned(), "Milk".to_owned()];
    let today = chrono::NaiveDate::from_ymd_opt(2024, 12, 27).expect("a date");
    for (question, name) in [
        ("how much did we spend on dairy products?", "Dairy"),
        ("how much did we spend on food for children?", "Children"),
    ] {
        let call = call(question, today, None, &categories).expect("a call");
        assert_eq!(call.arguments["product_name"], name, "{question}");
        assert_eq!(call.arguments["exact_product_name"], true, "{question}");
    }
    // what was bought is of all the time, what one buys of the last months
    let of = |question: &str| call(question, today, None, &categories).expect("a call").arguments;
    assert_eq!(of("which product did we buy most often?")["period_days"], 36_500);
    assert_eq!(of("какой товар покупали больше всего раз?")["group_by"], "item");
    assert!(of("what do we buy most often?").get("period_days").is_none());
}

#[test]
fn goods_are_found_by_another_word_for_them() {
    let categories = ["Картофель".to_owned(), "Помидоры".to_owned()];
    for (question, name) in [("сколько стоит картошка", "Картофель"), ("цена томатов", "Помидоры")]
    {
        let call = call(question, today(), None, &categories).expect("a call");
        assert_eq!(call.arguments["product_name"], name, "{question}");
    }
    // a category that has the word itself
    let own = ["Картофель".to_owned(), "Картошка фри".to_owned()];
    let call = call("сколько стоит картошка", today(), None, &own).expect("a call");
    assert_eq!(call.arguments["search"], "картошк");
}

#[test]
fn which_of_a_category_is_bought_most_often() {
    let categories = ["Vegetables".to_owned(), "Рыба".to_owned()];
    for (question, name) in [
        ("which vegetables do we buy most often", "Vegetables"),
        ("which vegetables do I buy most?", "Vegetables"),
        ("какую рыбу я чаще всего покупаю", "Рыба"),
    ] {
        let call = call(question, today(), None, &categories).expect("a call");
        assert_eq!(call.arguments["product_name"], name, "{question}");
        assert_eq!(call.asked, Asked::Times, "{question}");
    }
}

#[test]
fn a_unit_and_a_store_are_no_shops() {
    for question in [
        "how much cheese did we buy in kg",
        "how much milk did we buy in litres",
        "сколько сыра купили в килограммах",
    ] {
        assert_eq!(asked(question), None, "{question}");
    }
    let (_, _, arguments) = asked("how much did we spend on meat in store").expect("a call");
    assert!(arguments.get("shop").is_none(), "{arguments}");
}

#[test]
fn a_mean_of_each_month_without_a_word_for_money() {
    for (question, wanted) in [
        ("how much per month on average", "average monthly total `total`"),
        ("and how much is it a week on average?", "average weekly total `total`"),
        ("сколько в среднем в месяц", "средняя сумма `total` в месяц"),
    ] {
        assert_eq!(of_receipts(question, "total").as_deref(), Some(wanted), "{question}");
    }
}

#[test]
fn what_goods_are_for_is_a_part_of_their_name() {
    let categories = ["Корм для кошки".to_owned(), "Корм".to_owned()];
    for question in ["сколько потратил на корм для кошки", "сколько потратил на корм кошке"]
    {
        let call = call(question, today(), None, &categories).expect("a call");
        assert_eq!(call.arguments["product_name"], "Корм для кошки", "{question}");
    }
}

#[test]
fn one_month_is_held_against_another() {
    for (before, question, wanted) in [
        (
            "what did we spend in March 2024",
            "compared to March 2023?",
            "compare spending in March 2024 and March 2023",
        ),
        (
            "how much did I spend in December 2024",
            "and compared to June?",
            "compare spending in December 2024 and June 2024",
        ),
        (
            "сколько потратили в марте 2024",
            "по сравнению с маем",
            "сравни траты за марте 2024 и маем 2024",
        ),
    ] {
        assert_eq!(follow(before, question).as_deref(), Some(wanted), "{before} {question}");
    }
}

#[test]
fn how_often_one_goes_to_a_shop_is_how_many_receipts_it_has() {
    for (question, wanted) in [
        ("how often do I go to Birch", "how many receipts from Birch"),
        ("how often did we visit Birch in 2024", "how many receipts from Birch in 2024"),
        ("как часто я хожу в Берёзку", "сколько чеков в Берёзку"),
    ] {
        assert_eq!(of_receipts(question, "total").as_deref(), Some(wanted), "{question}");
    }
    assert_eq!(
        of_receipts("how often do we go to the store", "total").as_deref(),
        Some("mean number of receipts per week")
    );
}

#[test]
fn the_cheapest_of_all() {
    for (question, wanted) in [
        ("cheapest item", Asked::Prices),
        ("what is the cheapest thing I bought", Asked::Prices),
        ("least expensive product", Asked::Prices),
        ("самый дешёвый товар", Asked::Prices),
        ("most expensive item", Asked::DearestItems),
    ] {
        let (asked, tool, arguments) = asked(question).expect(question);
        assert_eq!((asked, tool), (wanted, "get_items"), "{question}");
        assert_eq!(arguments.get("search"), None, "{question}");
    }
}
