//! Questions that must not be run unasked.

use super::*;
use proptest::prelude::*;

fn status(table: &Arc<TableSchema>, question: &str) -> Plan {
    plan(question, std::slice::from_ref(table), &Context::default())
}

#[test]
fn what_is_not_understood_is_declined() {
    for question in [
        "what is the meaning of life",
        "в чём смысл жизни",
        "hello",
        "tell me a joke",
        "",
        "???",
        "50",
        "купи слона",
    ] {
        for table in [bars(), purchases()] {
            let plan = status(&table, question);
            assert_eq!(plan.status, Status::Declined, "{question}: {plan:#?}");
            assert!(plan.query.is_none() && plan.readings.is_empty());
            assert!(plan.message.is_some());
        }
    }
    let plan = status(&bars(), "what is the meaning of life");
    let message = plan.message.unwrap();
    assert!(message.contains("`meaning`") && message.contains("`life`"), "{message}");
    assert!(message.contains("- average gap by weekday"), "{message}");
    let plan = status(&bars(), "в чём смысл жизни");
    assert!(plan.message.unwrap().contains("Непонятно: "));
}

#[test]
fn columns_are_named_where_they_are_asked_for() {
    let table = purchases();
    for (question, begins) in [
        ("list all columns", "The columns of `purchases`: "),
        ("what fields are there", "The columns of `purchases`: "),
        ("какие есть столбцы", "Столбцы таблицы `purchases`: "),
    ] {
        let plan = status(&table, question);
        assert_eq!(plan.status, Status::Declined, "{question}: {plan:#?}");
        let message = plan.message.unwrap();
        assert!(message.starts_with(begins), "{message}");
        assert!(table.columns.iter().all(|c| message.contains(&format!("`{}`", c.name))));
    }
}

#[test]
fn a_column_of_text_is_not_taken_for_the_aggregate_it_is_called_by() {
    let mut table = (*purchases()).clone();
    table.columns.retain(|c| !c.kind.is_numeric());
    table.columns.push(Column::new("quantity", Kind::Int));
    table.columns.push(Column::new("total", Kind::Text));
    let mut russian = table.clone();
    let table = Arc::new(table);
    if let Some(column) = russian.columns.last_mut() {
        column.name = "сумма".into();
    }
    for question in ["сумма по магазинам", "средняя сумма"] {
        let plan = status(&Arc::new(russian.clone()), question);
        let message = plan.message.expect(question);
        assert!(message.contains("`сумма` — текст"), "{question}: {message}");
    }
    for question in [
        "total",
        "total by shop",
        "average total",
        "average total by shop",
        "total in Lenta",
        "sum of total",
        "which shop has the highest total",
        "max total by shop",
    ] {
        let plan = status(&table, question);
        assert_ne!(plan.status, Status::Ready, "{question}: {plan:#?}");
        let message = plan.message.unwrap();
        assert!(message.contains("`total` is text"), "{question}: {message}");
    }
    for question in ["total quantity by shop", "total quantity", "how many rows in total"] {
        let plan = status(&table, question);
        assert_eq!(plan.status, Status::Ready, "{question}: {plan:#?}");
    }
}

#[test]
fn a_column_of_numbers_that_is_text_is_told() {
    let mut table = (*purchases()).clone();
    table.columns.push(Column::new("price", Kind::Text));
    table.columns.push(Column::new("sales", Kind::Text));
    let table = Arc::new(table);
    for question in ["average price", "average price by shop", "средняя цена", "total sales"]
    {
        let plan = status(&table, question);
        assert_eq!(plan.status, Status::Declined, "{question}: {plan:#?}");
        let message = plan.message.unwrap();
        assert!(message.contains("is text") || message.contains("— текст"), "{message}");
    }
    // what is no measure by its name is counted, or asked for
    let plan = status(&table, "how many shops");
    assert_eq!(plan.status, Status::Ready, "{plan:#?}");
}

#[test]
fn verbs_that_ask_are_nothing_else() {
    let table = purchases();
    // the same verb may say which rows are meant
    for question in ["return purchases", "send the purchases to my boss"] {
        assert_ne!(status(&table, question).status, Status::Ready, "{question}");
    }
    for question in ["show me everything", "all rows please", "first 5 rows", "a sample of 10 rows"]
    {
        assert_eq!(status(&table, question).status, Status::Ready, "{question}");
    }
}

#[test]
fn what_is_vague_is_offered() {
    for (table, question) in [
        (purchases(), "average by shop"),
        (purchases(), "среднее по магазинам"),
        (purchases(), "top 3 shops"),
        (purchases(), "количество по магазинам"),
        (bars(), "how many days did the market fall more than 2"),
        // a filter that would be dropped
        (purchases(), "total amount by shop next week"),
        (purchases(), "average amount in Auchan"),
        (bars(), "average gap by weekday where gap is above 50 during holidays"),
        (bars(), "average gap by weekday 50"),
        (bars(), "средний гэп по дням недели в праздники"),
        (bars(), "average volume between 10 and 11"),
        (bars(), "biggest drop"),
        // a slip of the pen
        (purchases(), "total ammount by shop"),
    ] {
        let plan = status(&table, question);
        assert_eq!(plan.status, Status::Readings, "{question}: {plan:#?}");
        assert!((1..=MOST_READINGS).contains(&plan.readings.len()));
        assert!(plan.query.is_none() && plan.message.is_some());
        for (number, reading) in plan.readings.iter().enumerate() {
            canonical(&reading.query, &table);
            assert!(!reading.explanation.is_empty());
            let again = plan.readings.iter().skip(number + 1);
            assert!(again.clone().all(|r| r.explanation != reading.explanation), "{question}");
        }
    }
    let plan = status(&purchases(), "average by shop");
    let queries: Vec<Json> = plan.readings.iter().map(|r| r.query.to_json()).collect();
    assert_eq!(
        queries,
        [
            json!({"group_by": "shop", "select": "mean(amount)"}),
            json!({"group_by": "shop", "select": "mean(quantity)"}),
        ]
    );
    let plan = status(&bars(), "average gap by weekday where gap is above 50 during holidays");
    assert!(plan.message.unwrap().contains("`holidays`"));
}

#[test]
fn no_filter_is_dropped() {
    for (table, question) in [
        (bars(), "average gap for the first 10 days"),
        (bars(), "средний гэп вверх 17"),
        (bars(), "average volume 15:00"),
        (purchases(), "average amount for shop \"Kuper\" 77"),
        (purchases(), "total amount by shop \"Nowhere\""),
        (purchases(), "сумма и количество по магазинам"),
        (purchases(), "total amount by shop yesterday"),
        (purchases(), "average amount in Kuper rather than Lenta"),
    ] {
        let plan = status(&table, question);
        let run = plan.query.map(|q| q.to_json());
        assert_ne!(plan.status, Status::Ready, "{question}: {run:?}");
    }
}

#[test]
fn several_tables() {
    let tables = [bars(), purchases()];
    for (question, table) in [
        ("total amount by shop", "purchases"),
        ("average gap by weekday", "bars"),
        ("how many purchases", "purchases"),
        ("how many bars", "bars"),
    ] {
        let plan = plan(question, &tables, &Context::default());
        assert_eq!(plan.status, Status::Ready, "{question}: {plan:#?}");
        assert_eq!(plan.query.unwrap().table.as_deref(), Some(table), "{question}");
    }
    let vague = plan("how many rows", &tables, &Context::default());
    assert_eq!(vague.status, Status::Readings);
    let context = Context { table: Some("bars"), ..Context::default() };
    assert_eq!(plan("how many rows", &tables, &context).status, Status::Ready);
    assert_eq!(plan("how many rows", &[], &Context::default()).status, Status::Declined);
}

#[test]
fn suggestions_are_answered() {
    for table in [bars(), purchases()] {
        for locale in [Locale::En, Locale::Ru] {
            let list = suggest(&table, locale);
            assert!((3..=6).contains(&list.len()), "{list:?}");
            for question in list {
                let plan = status(&table, &question);
                assert_eq!(plan.status, Status::Ready, "{question}");
                assert_eq!(plan.language, locale, "{question}");
            }
        }
    }
}

#[test]
fn a_refusal_proposes_what_runs() {
    for table in [bars(), purchases()] {
        for question in ["what is the meaning of life", "в чём смысл жизни", "купи слона"]
        {
            let message = status(&table, question).message.expect("a message");
            let proposed: Vec<&str> =
                message.lines().filter_map(|line| line.strip_prefix("- ")).collect();
            assert!(proposed.len() >= 3, "{message}");
            for proposed in proposed {
                assert_eq!(status(&table, proposed).status, Status::Ready, "{proposed}");
            }
        }
    }
}

#[test]
fn nothing_is_proposed_about_people() {
    let people = || {
        let email = Column::new("email", Kind::Text);
        let mut name = Column::new("customer_name", Kind::Text);
        name.values = Some(vec!["Anna Berg".into(), "Ivan Petrov".into()]);
        let mut town = Column::new("town", Kind::Text);
        town.values = Some(vec!["Riga".into(), "Oslo".into()]);
        town.label = Some("Город".into());
        let spent = Column::new("spent", Kind::Float);
        let phone = Column::new("phone", Kind::Int);
        Arc::new(TableSchema::new("people", vec![email, name, phone, town, spent]))
    };
    for locale in [Locale::En, Locale::Ru] {
        let list = suggest(&people(), locale);
        assert!(list.len() >= 3, "{list:?}");
        for word in ["email", "name", "phone", "Anna"] {
            assert!(list.iter().all(|q| !q.contains(word)), "{list:?}");
        }
    }
    assert!(suggest(&people(), Locale::Ru).iter().any(|q| q.contains("по городам")));
}

#[test]
fn suggestions_group_by_few_values() {
    let mut name = Column::new("name", Kind::Text);
    name.values = Some((0..60).map(|i| format!("Ann {i}")).collect());
    let mut town = Column::new("town", Kind::Text);
    town.values = Some(vec!["Riga".into(), "Oslo".into()]);
    let table = TableSchema::new("staff", vec![name, town, Column::new("salary", Kind::Float)]);
    let list = suggest(&table, Locale::En);
    assert!(list.iter().any(|q| q.contains("by town")), "{list:?}");
    assert!(list.iter().all(|q| !q.contains("name") && !q.contains("Ann")), "{list:?}");
}

#[test]
fn a_long_question_is_declined() {
    let plan = status(&purchases(), &"and amount ".repeat(5000));
    assert_eq!(plan.status, Status::Declined);
}

/// Words of the lexicon and of the tables in any order, with numbers and signs.
fn word_salad() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "average",
        "total",
        "gap",
        "amount",
        "shop",
        "by",
        "per",
        "where",
        "above",
        "50",
        "2%",
        "-3",
        "top",
        "10",
        "days",
        "and",
        "or",
        "not",
        "Kuper",
        "\"Lenta\"",
        "between",
        "to",
        "from",
        "2024",
        "2024-03-15",
        "март",
        "средний",
        "гэп",
        "по",
        "больше",
        "чем",
        "на",
        "сколько",
        "дней",
        "упал",
        "highest",
        "lowest",
        "month",
        "hour",
        "which",
        "when",
        "share of",
        "correlation",
        "close",
        "open",
        "rose",
        ",",
        "?",
        "or more",
        "Fridays",
        "in",
        "percent",
    ];
    prop::collection::vec(prop::sample::select(WORDS), 0..14).prop_map(|w| w.join(" "))
}

/// Printable characters, all of them with controls, long runs of one quote, long words of many parts.
fn any_text() -> impl Strategy<Value = String> {
    let runs = ("[«„“”‘’\"'`]", 1..1500_usize, "\\PC{0,20}");
    let words = ("[a-zа-я]{1,3}[A-ZА-Я]", 1..800_usize, "\\PC{0,20}");
    let repeated =
        |(one, times, rest): (String, usize, String)| format!("{}{rest}", one.repeat(times));
    prop_oneof![
        4 => "\\PC{0,60}",
        2 => proptest::collection::vec(any::<char>(), 0..80).prop_map(String::from_iter),
        1 => runs.prop_map(repeated),
        1 => words.prop_map(repeated),
    ]
}

#[test]
fn long_texts_are_declined_at_once() {
    for (text, said) in [
        ("average amountByShop ".repeat(5000), "too long"),
        ("«".repeat(100_000), "too long"),
        ("средняя сумма ".repeat(5000), "слишком длинный"),
    ] {
        let plan = status(&purchases(), &text);
        assert_eq!(plan.status, Status::Declined);
        assert!(plan.message.is_some_and(|m| m.contains(said)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_planned(text in any_text()) {
        for table in [bars(), purchases()] {
            let plan = status(&table, &text);
            for query in plan.query.iter().chain(plan.readings.iter().map(|r| &r.query)) {
                canonical(query, &table);
            }
            prop_assert!(plan.status != Status::Declined || plan.message.is_some());
        }
    }

    #[test]
    fn any_words_give_checked_queries(text in word_salad()) {
        for table in [bars(), purchases()] {
            let plan = status(&table, &text);
            match plan.status {
                Status::Ready => {
                    canonical(plan.query.as_ref().unwrap(), &table);
                }
                Status::Readings => {
                    for reading in &plan.readings {
                        canonical(&reading.query, &table);
                    }
                }
                Status::Declined => prop_assert!(plan.message.is_some()),
            }
        }
    }
}

#[test]
fn rows_of_another_table_are_none_of_this_one() {
    let name = Column::new("name", Kind::Text);
    let products = Arc::new(TableSchema::new("products", vec![Column::new("id", Kind::Int), name]));
    let both = [purchases(), products];
    // each purchase is a row of its own: products have no sums there
    let found = plan("top 5 products by amount", &both, &Context::default());
    assert_ne!(found.status, Status::Ready, "{:?}", found.query);
    let found = plan("top 5 purchases by amount", &both, &Context::default());
    assert_eq!(found.status, Status::Ready);
    // a column of that name is the table's own
    let shops = Arc::new(TableSchema::new("shops", vec![Column::new("id", Kind::Int)]));
    let found = plan("total amount by shop", &[purchases(), shops], &Context::default());
    assert_eq!(found.status, Status::Ready);
}
