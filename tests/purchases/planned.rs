//! Questions without a model that the tools for purchases answer: every number is a claim on a result
//! that is kept, and the whole is what DuckDB computed.

use super::world::World;
use pinhole::chat::{Action, ChatEvent, Event, Local};
use pinhole::error::Locale;
use pinhole::tools::purchases::PurchaseRun;
use pinhole::validate::Verdict;
use serde_json::{Value as Json, json};
use std::collections::VecDeque;
use std::rc::Rc;

/// What a question came to: the answer, and the tools that ran with their whole answers.
struct Answered {
    text: String,
    calls: Vec<(String, Json, Json)>,
    queries: usize,
}

fn ask(world: &mut World, local: &mut Local, question: &str) -> Answered {
    let tables = world.engine.tables();
    let mut queue = VecDeque::from([Event::Ask { question: question.to_owned(), tables }]);
    let mut out = Answered { text: String::new(), calls: Vec::new(), queries: 0 };
    let mut blocks = Vec::new();
    while let Some(event) = queue.pop_front() {
        for action in local.step(event) {
            match action {
                Action::RunCall { run, call } => {
                    let started = PurchaseRun::start(*call, &mut world.engine);
                    let result = Box::new(started.finish_in(&mut world.engine));
                    queue.push_back(Event::CallDone { run, result });
                }
                Action::Recompute { .. } => panic!("code's own answers are not checked"),
                Action::RunQuery { run, checked } => {
                    out.queries += 1;
                    let execution = world.engine.start(&checked).expect("a query starts");
                    let id = execution.id().map(str::to_owned);
                    queue.push_back(Event::ToolDone { run, id, result: execution.finish() });
                }
                Action::Emit(ChatEvent::ToolCall { name, input, .. }) => {
                    out.calls.push((name, input, Json::Null));
                }
                Action::Emit(ChatEvent::DataBlock { result_id, output, .. }) => {
                    blocks.push(result_id);
                    if let (Some(output), Some(call)) = (output, out.calls.last_mut()) {
                        call.2 = *output;
                    }
                }
                Action::Emit(ChatEvent::Done { answer, claims, .. }) => {
                    for claim in &claims {
                        assert_eq!(claim.verdict, Verdict::Verified, "{claim:?}");
                        assert_eq!(&answer[claim.span.start..claim.span.end], claim.text);
                        let fact = claim.fact.as_ref().expect("a fact");
                        assert!(blocks.contains(&fact.result), "{fact:?}");
                        let kept = world.engine.result(&fact.result).expect("a result");
                        if let Some(row) = fact.row {
                            let column = kept.column(&fact.column).expect("a column");
                            assert_eq!(kept.value(row, column), fact.value);
                        }
                    }
                    out.text = answer;
                }
                Action::Emit(_) | Action::Finish => {}
                Action::Send { .. } | Action::Wait { .. } => panic!("nothing is ever sent"),
                Action::RunScript { .. } => panic!("there are no scripts"),
            }
        }
    }
    assert!(!local.is_busy());
    out
}

#[test]
fn the_planner_answers_through_the_tools() {
    let mut world = World::new();
    let settings = Rc::new(world.settings.clone());
    let mut local = Local::new(Locale::En).with_purchases(settings);
    for (question, tool, arguments, text) in [
        (
            "Сколько я потратил в декабре?",
            "get_receipts",
            json!({"date_from": "2024-12-01", "date_to": "2024-12-31", "limit": 10_000}),
            "Понято так: сумма чеков, с 01.12.2024 по 31.12.2024\n\n\
             Потрачено: 2\u{a0}268,8; чеков: 10, в среднем 226,88.",
        ),
        (
            "How much did I spend in 2025?",
            "get_receipts",
            json!({"date_from": "2025-01-01", "date_to": "2025-12-31", "limit": 10_000}),
            "Understood as: sum of the receipts, 2025-01-01 to 2025-12-31\n\nNo receipt matches. \
             The receipts are of 2024-06-02 to 2024-12-15.",
        ),
        (
            "Что мне нужно купить на этой неделе?",
            "generate_shopping_list",
            json!({"days_ahead": 7}),
            "Понято так: что пора купить, дней с 15.12.2024: 7\n\nКупить: 6, примерно на 527,55: \
             Молоко Домик в деревне – 1; Ёлочная зелень – 1; Рис – 1; Хлеб Бородинский – 1; \
             Молоко Parmalat 3.5% 1л – 2; Картофель – 2,5.",
        ),
        (
            "Сколько молока я купил в ноябре?",
            "get_receipt_items",
            json!({"date_from": "2024-11-01", "date_to": "2024-11-30", "group_by_item": true,
                   "product_name": "Молоко", "exact_product_name": true}),
            "Понято так: покупки в категории «Молоко», с 01.11.2024 по 30.11.2024\n\n\
             Всего на 1\u{a0}434,7: Молоко Parmalat 3.5% 1л (Kuper) – 15 на 1\u{a0}359,7; \
             Молоко Домик в деревне (Пятёрочка) – 1 на 75.",
        ),
        (
            "цена молока по месяцам",
            "get_purchase_statistics",
            json!({"group_by": "month", "product_name": "Молоко", "exact_product_name": true,
                   "limit": 1000, "period_days": 36_500}),
            "Понято так: средняя цена покупки за единицу в категории «Молоко» по месяцам\n\n\
             Всего: 9\u{a0}637, месяцев с покупками: 7. Больше всего: июль 2024 – 1\u{a0}676,2; \
             меньше всего: декабрь 2024 – 725,6. Средняя цена за единицу: июнь 2024 – 88,45; \
             декабрь 2024 – 90,7; самая высокая: декабрь 2024 – 90,7; самая низкая: июль 2024 – \
             88,22.",
        ),
    ] {
        let found = ask(&mut world, &mut local, question);
        assert_eq!(found.text, text, "{question}");
        assert_eq!(found.queries, 0);
        let (name, input, output) = found.calls.last().expect("a call");
        assert_eq!((name.as_str(), input), (tool, &arguments), "{question}");
        assert!(output.is_object(), "{question}");
    }
    let found = ask(&mut world, &mut local, "Какие категории у меня есть?");
    let tool = world.call("get_products", "{}").output.expect("an answer");
    assert_eq!(found.calls[0].2, *tool);
    assert!(found.text.contains("Молочные продукты – 4"), "{}", found.text);
    // A category that is not there: items of that name are looked for.
    let found = ask(&mut world, &mut local, "сколько мы потратили на \"Рис\"?");
    let arguments: Vec<&Json> = found.calls.iter().map(|(_, input, _)| input).collect();
    let by = |argument: &str| json!({"group_by_item": true, argument: "Рис"});
    assert_eq!(arguments, [&by("product_name"), &by("item_name")]);
    assert!(found.text.contains("Рис (Kuper) – "), "{}", found.text);
    let found = ask(&mut world, &mut local, "how much gold did I buy?");
    assert!(found.text.contains("Nothing of such a name was bought"), "{}", found.text);
}

#[test]
fn the_planner_lists_through_the_tools() {
    let mut world = World::new();
    let settings = Rc::new(world.settings.clone());
    let mut local = Local::new(Locale::En).with_purchases(settings);
    let mut wrong = Vec::new();
    for (question, text) in [
        ("Покажи мои чеки за последнюю неделю", "Чеков: 6, на 1\u{a0}157,3, в среднем 192,88."),
        ("Какая дата последнего чека?", "Последний чек – от 2024-12-15, на 207."),
        ("Что я купил в последнем чеке?", "Позиций: 2, на 207: Пакет – 7; Ежевика лесная – 200."),
        (
            "В каких магазинах я покупал?",
            "Магазины, чеков с товарами в каждом: Пятёрочка – 28; ВкусВилл – 28; Пятерочка у \
             дома – 27; Kuper – 27; без названия – 11.",
        ),
        (
            "Покажи все покупки категории 'Твёрдый сыр'",
            "Позиций: 7, на 3\u{a0}181,14: Сыр Пармезан – 451,5; Сыр Пармезан – 384,42; \
             Сыр Пармезан – 528,9; Сыр Пармезан – 451,5; Сыр Пармезан – 384,42; Сыр \
             Пармезан – 528,9; Сыр Пармезан – 451,5.",
        ),
        (
            "Сколько товаров в каждой категории?",
            "Категорий: 4, товаров в каждой: Молочные продукты – 4; Овощи и зелень \
             – 2; Потерянная – 1; Хлеб – 4.",
        ),
        (
            "Покажи подкатегории 'Молочные продукты'",
            "Подкатегории, товаров в каждой: Молоко – 2; Сыр – 2.",
        ),
        ("Покажи подкатегории 'Зелень'", "Подкатегории, товаров в каждой: Зелень – 1."),
        (
            "Какие товары я покупаю в категории 'Молоко'?",
            "Товаров: 2: Молоко Parmalat 3.5% 1л; Молоко Домик в деревне.",
        ),
        ("Найди все товары со словом 'сыр'", "Товаров: 2: Сыр Пармезан; сыр плавленый."),
        (
            "Какие товары есть в магазине Kuper?",
            "Товаров: 8: Булка; Кофе давний; Лишь однажды; Мёд, ни разу не \
             купленный; Молоко Parmalat 3.5% 1л; Пакет; Рис; сыр плавленый.",
        ),
        (
            "Какие метки у меня есть?",
            "Меток: 4, товаров с каждой: Для завтрака – 4; Дорогое – 2; На ёлку – \
             3; Пустая – 0.",
        ),
        (
            "Какие товары помечены как 'Для завтрака'?",
            "Меток: 1, товаров с каждой: Для завтрака – 4.",
        ),
        (
            "Какие продукты я чаще всего покупаю?",
            "Чаще всего, по числу чеков: Хлеб – 32; Молоко – 25; Овощи и зелень – \
             6; Сыр – 4; Зелень – 4; Твёрдый сыр – 3; без названия – 3; Круг Б – 2.",
        ),
        (
            "Предскажи мои следующие покупки",
            "Ожидается: Хлеб Бородинский – 2024-12-17; Молоко Parmalat 3.5% 1л (Kuper) – \
             2024-12-17; Картофель (Пятёрочка) – 2024-12-19; сыр плавленый (Kuper) – 2024-12-08; \
             Ёлочная зелень (ВкусВилл) – 2024-12-16; Сыр Пармезан (ВкусВилл) – 2025-01-07; \
             Рис (Kuper) – 2024-12-16; Молоко Домик в деревне (Пятёрочка) – 2024-12-09; \
             Ежевика лесная (ВкусВилл) – 2025-03-08; без названия – 2024-11-18; и другие.",
        ),
        ("which items are there in the shop Nowhere?", "There are no such items."),
    ] {
        let found = ask(&mut world, &mut local, question);
        let (_, said) = found.text.split_once("\n\n").expect("how it was read");
        if said != text || found.queries > 0 {
            wrong.push(format!("{question}\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn other_questions_go_to_queries() {
    let mut world = World::new();
    let settings = Rc::new(world.settings.clone());
    let mut local = Local::new(Locale::En).with_purchases(settings.clone());
    for question in ["total of receipts by shop", "how much did I spend by shop?"] {
        let found = ask(&mut world, &mut local, question);
        assert!(found.calls.iter().all(|(name, ..)| name == "query"), "{question}");
    }
    // Without the tables, or with a table that the page means, the tools are not asked.
    local.set_table(Some("receipts".to_owned()));
    let found = ask(&mut world, &mut local, "how much did I spend in December?");
    assert!(found.calls.iter().all(|(name, ..)| name == "query"));
    let mut local = Local::new(Locale::En).with_purchases(settings);
    world.engine.drop_table("products");
    let found = ask(&mut world, &mut local, "how much did I spend in December?");
    assert!(found.calls.iter().all(|(name, ..)| name == "query"));
    let mut local = Local::new(Locale::En);
    let found = ask(&mut world, &mut local, "which categories do I have?");
    assert!(found.calls.iter().all(|(name, ..)| name == "query"));
}
