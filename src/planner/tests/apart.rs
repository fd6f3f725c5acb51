//! How far two are apart, the same days of another year, the first time, and months of several years.

use super::follow_ups::check_follow_up;
use super::*;

/// Sales of a year and eight months, with a share in parts of one.
fn sales() -> Arc<TableSchema> {
    let mut city = Column::new("Город", Kind::Text);
    city.values = Some(["Казань", "Москва"].map(str::to_owned).to_vec());
    let mut seller = Column::new("Менеджер", Kind::Text);
    seller.values = Some(["Иванов", "Петрова", "Сидоров"].map(str::to_owned).to_vec());
    let mut discount = Column::new("Скидка", Kind::Float);
    discount.fraction = true;
    let columns = vec![
        Column::new("Дата", Kind::Date),
        city,
        seller,
        Column::new("Выручка", Kind::Float),
        discount,
    ];
    let mut schema = TableSchema::new("продажи", columns);
    schema.rows = 3000;
    schema.time = Some("Дата".into());
    let day = |text: &str| Value::from_date(text.parse().expect("a date"));
    schema.range = Some((day("2023-01-01"), day("2024-08-30")));
    Arc::new(schema)
}

fn apart(key: &str, filter: &str, told: &str, sort: &str) -> Json {
    let name = told.replace('(', "_").replace(')', "");
    let name = if told == "count()" { "count".to_owned() } else { name };
    let mut query = json!({
        "where": filter, "group_by": key, "select": told, "sort": sort,
        "steps": [{"map": {"difference": format!("{name} - prev({name})")}}]
    });
    if key == "month" {
        query["map"] = json!({"month": "monthname()"});
    }
    query
}

#[test]
fn how_much_more_is_of_sums_where_they_say_something() {
    let cities = "not isnull(Город)";
    let months = "month in [\"Dec\", \"Jan\"]";
    all_mean(
        &sales(),
        &[
            (
                &["на сколько выручка в Казани больше чем в Москве"],
                apart("Город", cities, "sum(Выручка)", "Город desc"),
            ),
            (
                &["на сколько скидка в Казани выше, чем в Москве?"],
                apart("Город", cities, "mean(Скидка)", "Город desc"),
            ),
            (
                &["на сколько выручка в декабре больше чем в январе"],
                apart("month", months, "sum(Выручка)", "month"),
            ),
        ],
    );
}

#[test]
fn the_same_period_is_as_long() {
    let of = |period: &str| json!({"period": period, "select": "sum(Выручка)"});
    for (first, second, period) in [
        ("выручка за 2024", "а за тот же период 2023 года?", "2023-01-01:2023-08-30"),
        ("total revenue in 2024", "and in the same period of 2023?", "2023-01-01:2023-08-30"),
        ("total revenue in Q1 2024", "same quarter of 2023", "2023-01-01:2023-03-31"),
        ("total revenue in February 2024", "the same month of 2023", "2023-02-01:2023-02-28"),
    ] {
        check_follow_up(&sales(), first, second, &of(period));
    }
    let table = sales();
    let question = "total revenue in 2023 against the same period of 2024";
    let plan = plan(question, std::slice::from_ref(&table), &Context::default());
    assert_ne!(plan.status, Status::Ready, "{plan:#?}");
}

#[test]
fn the_first_time_is_a_row() {
    let first = |filter: &str| json!({"where": filter, "sort": "timestamp", "limit": 1});
    all_mean(
        &bars(),
        &[
            (
                &[
                    "when did it first close above 15000",
                    "when did the price first exceed 15000?",
                    "когда цена впервые превысила 15000",
                ],
                first("close > 15000"),
            ),
            (&["when did volume first fall below 10"], first("volume < 10")),
        ],
    );
}

#[test]
fn months_of_two_years_are_not_the_same() {
    let groups = |part: &str| {
        json!({"map": {"year": "year()", "part": part}, "group_by": ["year", "part"],
               "select": "count()", "steps": [{"select": "count()"}]})
    };
    let plan = means(&sales(), "сколько месяцев в данных", &groups("monthname()"));
    assert!(plan.explanation.contains("каждом году"), "{}", plan.explanation);
    means(&sales(), "how many quarters are in the data", &groups("quarter()"));
}

#[test]
fn the_first_of_other_groups_are_not_those_of_new_ones() {
    check_follow_up(
        &sales(),
        "топ-2 менеджера по выручке",
        "продажи в Казани по менеджерам",
        &json!({"where": "Город == \"Казань\"", "group_by": "Менеджер", "select": "sum(Выручка)"}),
    );
}

#[test]
fn what_is_of_those_who_is_not_of_all() {
    let table = sales();
    for question in ["средняя скидка тех кто её получил", "average discount of those who got one"]
    {
        let plan = plan(question, std::slice::from_ref(&table), &Context::default());
        assert_ne!(plan.status, Status::Ready, "{question}: {plan:#?}");
    }
}

#[test]
fn the_group_that_has_most_of_it_is_no_single_row() {
    let city = json!({"group_by": "Город", "select": "sum(Выручка)", "sort": "sum_Выручка desc",
                      "limit": 1});
    all_mean(
        &sales(),
        &[
            (
                &["в каком городе максимальная выручка?", "в каком городе самая большая выручка"],
                city,
            ),
            (&["какая была максимальная выручка"], json!({"select": "max(Выручка)"})),
        ],
    );
    check_follow_up(
        &sales(),
        "выручка в Казани",
        "а сколько это строк?",
        &json!({"where": "Город == \"Казань\"", "select": "count()"}),
    );
}
