//! Purchases in shops.

use super::*;

#[test]
fn aggregates_and_groups() {
    all_mean(
        &purchases(),
        &[
            (
                &[
                    "total amount by shop",
                    "sum of amount per shop",
                    "what is the total amount for each shop?",
                    "сумма по магазинам",
                    "общая сумма по магазинам",
                    "общая сумма по каждому магазину",
                ],
                json!({"group_by": "shop", "select": "sum(amount)"}),
            ),
            (
                &[
                    "average amount for shop Kuper by category",
                    "average amount by category in Kuper",
                    "средняя сумма по категориям для магазина Kuper",
                    "avg amount where shop = Kuper by category",
                ],
                json!({"where": "shop == \"Kuper\"", "group_by": "category", "select": "mean(amount)"}),
            ),
            (
                &[
                    "largest amount",
                    "what is the biggest amount",
                    "max amount",
                    "самая большая сумма",
                    "максимальная сумма",
                ],
                json!({"select": "max(amount)"}),
            ),
            (
                &["total amount by shop and category", "сумма по магазинам и категориям"],
                json!({"group_by": ["shop", "category"], "select": "sum(amount)"}),
            ),
            (
                &["average amount in Kuper or Lenta", "средняя сумма в Kuper или Lenta"],
                json!({"where": "shop in [\"Kuper\", \"Lenta\"]", "select": "mean(amount)"}),
            ),
            (
                &[
                    "total amount except Kuper",
                    "сумма amount кроме Kuper",
                    "total amount where shop is not Kuper",
                ],
                json!({"where": "shop != \"Kuper\"", "select": "sum(amount)"}),
            ),
            (
                &["total amount by month", "сумма по месяцам", "monthly total amount"],
                json!({"map": {"month": "monthname()"}, "group_by": "month", "select": "sum(amount)"}),
            ),
            (
                &["total amount in March 2024", "общая сумма за март 2024 года"],
                json!({"period": "2024-03", "select": "sum(amount)"}),
            ),
            (
                &["total amount since 2024-03-15", "общая сумма после 2024-03-14"][..],
                json!({"period": "2024-03-15:", "select": "sum(amount)"}),
            ),
            (
                &[
                    "total amount for household goods",
                    "общая сумма в категории \"household goods\"",
                ],
                json!({"where": "category == \"household goods\"", "select": "sum(amount)"}),
            ),
            (
                &["total quantity and average amount by shop"],
                json!({"group_by": "shop", "select": ["sum(quantity)", "mean(amount)"]}),
            ),
            (
                &[
                    "average amount where quantity is at least 3",
                    "средняя сумма, где количество не менее 3",
                ],
                json!({"where": "quantity >= 3", "select": "mean(amount)"}),
            ),
            (
                &["сумма покупок в Магните", "total amount in Магнит"],
                json!({"where": "shop == \"Магнит\"", "select": "sum(amount)"}),
            ),
        ],
    );
}

#[test]
fn counts() {
    all_mean(
        &purchases(),
        &[
            (
                &[
                    "how many purchases over 1000",
                    "number of purchases above 1,000",
                    "сколько покупок дороже 1000",
                    "сколько покупок больше 1 тыс. рублей",
                ],
                json!({"where": "amount > 1000", "select": "count()"}),
            ),
            (
                &["how many purchases", "сколько покупок", "count of purchases"],
                json!({"select": "count()"}),
            ),
            (
                &[
                    "how many purchases in Kuper",
                    "сколько покупок в Kuper",
                    "сколько было покупок в магазине Kuper?",
                ],
                json!({"where": "shop == \"Kuper\"", "select": "count()"}),
            ),
            (
                &[
                    "how many purchases by shop",
                    "количество покупок по магазинам",
                    "сколько покупок в каждом магазине",
                ],
                json!({"group_by": "shop", "select": "count()"}),
            ),
            (
                &["how many shops", "how many different shops", "сколько разных магазинов"],
                json!({"select": "count_distinct(shop)"}),
            ),
            (
                &["how many purchases over 1000 in Lenta in 2024"],
                json!({"period": "2024", "where": "amount > 1000 and shop == \"Lenta\"", "select": "count()"}),
            ),
        ],
    );
}

#[test]
fn rankings() {
    all_mean(
        &purchases(),
        &[
            (
                &[
                    "top 3 shops by total amount",
                    "топ-3 магазина по общей сумме",
                    "three largest shops by total amount",
                ],
                json!({"group_by": "shop", "select": "sum(amount)", "sort": "sum_amount desc", "limit": 3}),
            ),
            (
                &[
                    "which shop has the highest total amount",
                    "в каком магазине самая большая общая сумма",
                ],
                json!({"group_by": "shop", "select": "sum(amount)", "sort": "sum_amount desc", "limit": 1}),
            ),
            (
                &[
                    "top 5 purchases by amount",
                    "топ-5 покупок по сумме",
                    "5 largest purchases by amount",
                ],
                json!({"sort": "amount desc", "limit": 5}),
            ),
            (
                &["which shop has the most purchases", "в каком магазине больше всего покупок"],
                json!({"group_by": "shop", "select": "count()", "sort": "count desc", "limit": 1}),
            ),
            (
                &[
                    "top 2 categories by number of purchases",
                    "топ-2 категории по количеству покупок",
                ],
                json!({"group_by": "category", "select": "count()", "sort": "count desc", "limit": 2}),
            ),
            (
                &["purchases in Kuper over 500", "покажи покупки в Kuper дороже 500"],
                json!({"where": "shop == \"Kuper\" and amount > 500"}),
            ),
        ],
    );
}

/// The same purchases in a table that is called like its column of shops.
fn shops(name: &str) -> Arc<TableSchema> {
    Arc::new(TableSchema { name: name.to_owned(), ..TableSchema::clone(&purchases()) })
}

#[test]
fn a_word_for_the_table_and_a_column_is_the_column() {
    for name in ["shop", "shops", "shop_purchases", "магазины"] {
        all_mean(
            &shops(name),
            &[
                (
                    &[
                        "total amount by shop",
                        "total amount by shops",
                        "sum of amount per shop",
                        "what is the total amount for each shop?",
                        "total amount for each of the shops",
                        "общая сумма по магазинам",
                        "общая сумма по каждому магазину",
                        "общая сумма на каждый магазин",
                    ],
                    json!({"group_by": "shop", "select": "sum(amount)"}),
                ),
                (
                    &["total amount by category and shop", "сумма по категориям и магазинам"],
                    json!({"group_by": ["category", "shop"], "select": "sum(amount)"}),
                ),
                (
                    &["total amount by shop and category", "сумма по магазинам и категориям"],
                    json!({"group_by": ["shop", "category"], "select": "sum(amount)"}),
                ),
                (
                    &["how many rows by shop", "сколько строк в каждом магазине"],
                    json!({"group_by": "shop", "select": "count()"}),
                ),
                (
                    &["max amount by shop where quantity is at least 3"],
                    json!({"where": "quantity >= 3", "group_by": "shop", "select": "max(amount)"}),
                ),
                (
                    &[
                        "average amount for shop Kuper by category",
                        "avg amount where shop = Kuper by category",
                        "средняя сумма по категориям для магазина Kuper",
                    ],
                    json!({"where": "shop == \"Kuper\"", "group_by": "category", "select": "mean(amount)"}),
                ),
                (
                    &["total amount where shop is not Kuper"],
                    json!({"where": "shop != \"Kuper\"", "select": "sum(amount)"}),
                ),
                (
                    &[
                        "which shop has the highest total amount",
                        "в каком магазине самая большая общая сумма",
                    ],
                    json!({"group_by": "shop", "select": "sum(amount)", "sort": "sum_amount desc", "limit": 1}),
                ),
            ],
        );
    }
}

#[test]
fn the_table_stays_the_table_where_no_column_is_asked_for() {
    all_mean(
        &shops("shops"),
        &[
            (&["total amount of shops", "total amount in shops"], json!({"select": "sum(amount)"})),
            (&["shops over 1000"], json!({"where": "amount > 1000"})),
            (&["top 5 shops by amount"], json!({"sort": "amount desc", "limit": 5})),
            (
                &["how many different shops", "сколько разных магазинов"],
                json!({"select": "count_distinct(shop)"}),
            ),
        ],
    );
    // a word of the table alone groups nothing
    all_mean(
        &purchases(),
        &[(&["average amount per purchase"], json!({"select": "mean(amount)"}))],
    );
    // rows or different names: a question for the person
    for question in ["how many shops", "total amount shop"] {
        let plan = plan(question, &[shops("shops")], &Context::default());
        assert_eq!(plan.status, Status::Readings, "{question}");
    }
}

#[test]
fn values_are_found_by_their_other_words() {
    let mut table = (*purchases()).clone();
    let words = |value: &str, words: &[&str]| {
        (value.to_owned(), words.iter().map(|&w| w.to_owned()).collect::<Vec<_>>())
    };
    table.columns[0].value_synonyms = vec![
        words("Kuper", &["Купер", "the green one"]),
        // A word that is a value itself means that one, and a value that is not there nothing.
        words("Vkusno i Tochka", &["Вкусно", "Lenta"]),
        words("Pyaterochka", &["Пятёрочка"]),
    ];
    table.columns[1].value_synonyms = vec![words("food", &["продукты", "еда"])];
    // A column of too many values to list them has words for some.
    let mut city = Column::new("city", Kind::Text);
    city.value_synonyms = vec![words("Saint Petersburg", &["Питер", "SPb"])];
    table.columns.push(city);
    let table = Arc::new(table);
    all_mean(
        &table,
        &[
            (
                &[
                    "total amount in Купер",
                    "сумма amount в Купере",
                    "total amount in the green one",
                    "total amount in \"Купер\"",
                ],
                json!({"where": "shop == \"Kuper\"", "select": "sum(amount)"}),
            ),
            (
                &["total amount in Lenta"],
                json!({"where": "shop == \"Lenta\"", "select": "sum(amount)"}),
            ),
            (
                &["average amount in Вкусно"],
                json!({"where": "shop == \"Vkusno i Tochka\"", "select": "mean(amount)"}),
            ),
            (
                &["общая сумма в категории продукты", "total amount for еда"],
                json!({"where": "category == \"food\"", "select": "sum(amount)"}),
            ),
            (
                &["total amount in SPb", "общая сумма в Питере"],
                json!({"where": "city == \"Saint Petersburg\"", "select": "sum(amount)"}),
            ),
        ],
    );
    let known = |question| meaning(&table, question, &json!({"select": "sum(amount)"})).is_ok();
    assert!(!known("total amount in Пятёрочка"));
}

#[test]
fn a_table_of_sales_has_its_money_for_the_revenue() {
    let mut amount = Column::new("Сумма", Kind::Decimal(2));
    amount.nulls = Some(0);
    let mut region = Column::new("Регион", Kind::Text);
    region.values = Some(vec!["Казань".to_owned(), "Москва".to_owned()]);
    let mut table =
        TableSchema::new("продажи", vec![Column::new("Дата", Kind::Date), region, amount]);
    table.time = Some("Дата".to_owned());
    let table = Arc::new(table);
    let sums = json!({"group_by": "Регион", "select": "sum(Сумма)"});
    means(&table, "выручка по регионам", &sums);
    means(&table, "продажи по регионам", &sums);
    means(
        &table,
        "сколько продаж в Москве",
        &json!({"where": "Регион == \"Москва\"", "select": "count()"}),
    );
    let share = json!({"select": {"share_pct": "sum(if(Регион == \"Москва\", Сумма, 0)) / sum(Сумма) * 100"}});
    means(&table, "доля Москвы в выручке", &share);
}

#[test]
fn orders_over_a_number_are_those_that_came_to_it() {
    let column = |name: &str| Column::new(name, Kind::Float);
    let mut status = Column::new("country", Kind::Text);
    status.values = Some(vec!["Germany".to_owned(), "Spain".to_owned()]);
    let mut table = TableSchema::new(
        "orders",
        vec![
            Column::new("order_date", Kind::Date),
            status,
            column("quantity"),
            column("unit_price"),
            column("discount"),
            column("total"),
        ],
    );
    table.time = Some("order_date".to_owned());
    let table = Arc::new(table);
    means(
        &table,
        "how many orders above 500 euros?",
        &json!({"where": "total > 500", "select": "count()"}),
    );
    means(&table, "biggest order", &json!({"sort": "total desc", "limit": 1}));
    means(
        &table,
        "сколько заказов в Германии дороже 1000?",
        &json!({"where": "country == \"Germany\" and total > 1000", "select": "count()"}),
    );
}

#[test]
fn how_many_were_sold_in_a_month_is_how_many_of_them() {
    let mut goods = Column::new("Товар", Kind::Text);
    goods.values = Some(vec!["Кабель".to_owned(), "Мышь".to_owned()]);
    let number = |name: &str| Column::new(name, Kind::Int);
    let columns = vec![
        Column::new("Дата", Kind::Date),
        goods,
        number("Количество"),
        number("Цена"),
        number("Сумма"),
    ];
    let mut table = TableSchema::new("продажи", columns);
    table.time = Some("Дата".to_owned());
    means(
        &Arc::new(table),
        "сколько кабелей продали в мае 2024?",
        &json!({
            "period": "2024-05",
            "where": "Товар == \"Кабель\"",
            "select": "sum(Количество)",
        }),
    );
}
