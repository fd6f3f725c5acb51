//! Questions that point at what was told: of those groups, in that place, in another order, without a year.

use super::follow_ups::check_follow_up;
use super::*;

#[test]
fn there_is_where_the_question_before_was() {
    let top = "which shop has the highest total amount";
    let with = |more: &str| {
        json!({"group_by": "shop", "select": ["sum(amount)", more], "sort": "sum_amount desc",
               "limit": 1})
    };
    for (second, more) in [
        ("what is the average amount there", "mean(amount)"),
        ("and how many rows there?", "count()"),
        ("what is its average amount?", "mean(amount)"),
        ("and the average amount of those", "mean(amount)"),
        ("какая там средняя сумма", "mean(amount)"),
        ("а сколько там строк?", "count()"),
        ("средняя сумма у них", "mean(amount)"),
    ] {
        check_follow_up(&purchases(), top, second, &with(more));
    }
    let only = json!({"where": "shop == \"Lenta\"", "select": "count()"});
    check_follow_up(&purchases(), "average amount in Lenta", "how many rows there", &only);
    check_follow_up(&purchases(), "средняя сумма в Lenta", "а сколько там строк", &only);
    // that something is says nothing of where
    check_follow_up(&purchases(), top, "how many rows are there", &json!({"select": "count()"}));
}

#[test]
fn what_points_nowhere_is_only_offered() {
    let table = purchases();
    let tables = std::slice::from_ref(&table);
    let previous = plan("average amount", tables, &Context::default()).query;
    let context = Context { previous: previous.as_ref(), ..Context::default() };
    let plan = plan("how many rows there", tables, &context);
    assert_eq!(plan.status, Status::Readings, "{plan:#?}");
}

#[test]
fn a_year_is_left_out() {
    let but =
        |year: u16, select: &str| json!({"where": format!("year() != {year}"), "select": select});
    all_mean(
        &bars(),
        &[(
            &[
                "average close without 2022",
                "average close excluding 2022",
                "average close in years other than 2022",
                "excluding 2022, average close",
                "средняя цена закрытия кроме 2022 года",
                "средняя цена закрытия не считая 2022",
            ],
            but(2022, "mean(close)"),
        )],
    );
    for second in ["not 2023", "excluding 2023", "without 2023?", "кроме 2023"] {
        check_follow_up(&bars(), "average close in 2022", second, &but(2023, "mean(close)"));
    }
}

#[test]
fn an_order_by_itself() {
    all_mean(
        &purchases(),
        &[(&["sort by amount", "отсортируй по amount"], json!({"sort": "amount"}))],
    );
    let groups = |sort: &str| json!({"group_by": "shop", "select": "mean(amount)", "sort": sort});
    for (second, sort) in [
        ("sort by amount", "mean_amount"),
        ("sort it by amount descending", "mean_amount desc"),
        ("sort by average amount", "mean_amount"),
        ("sort by shop", "shop"),
    ] {
        check_follow_up(&purchases(), "average amount by shop", second, &groups(sort));
    }
}

#[test]
fn a_scatter_plot_is_no_deviation() {
    let table = bars();
    let tables = std::slice::from_ref(&table);
    let of = |question| plan(question, tables, &Context::default());
    for question in ["scatter plot of close and volume", "диаграмма рассеяния close и volume"]
    {
        let plan = of(question);
        assert_eq!(plan.status, Status::Readings, "{question}: {plan:#?}");
        let [reading] = &plan.readings[..] else { panic!("{question}: {plan:#?}") };
        assert!(reading.query.select.iter().any(|s| s.text == "correlation(close, volume)"));
    }
    assert!(of("scatter plot of close").message.is_some_and(|m| m.contains("no scatter plot")));
}

#[test]
fn the_worst_after_the_best() {
    let worst = json!({"from": "monthly", "map": {"change_pct": "change_pct()"},
                       "sort": "change_pct", "limit": 1});
    check_follow_up(&bars(), "best month", "and the worst?", &worst);
    check_follow_up(&bars(), "лучший месяц", "а худший?", &worst);
}

/// Two kinds of people, and one of neither.
fn people() -> Arc<TableSchema> {
    let mut sex = Column::new("sex", Kind::Text);
    sex.values = Some(["NA", "female", "male"].map(str::to_owned).to_vec());
    let columns = vec![
        sex,
        Column::new("arm_length_mm", Kind::Float),
        Column::new("body_mass_g", Kind::Int),
        Column::new("year", Kind::Int),
    ];
    let mut schema = TableSchema::new("people", columns);
    schema.rows = 300;
    Arc::new(schema)
}

#[test]
fn one_of_two_is_held_against_the_other() {
    let by_sex = |select: &str| json!({"group_by": "sex", "select": select});
    all_mean(
        &people(),
        &[
            (
                &["are males heavier", "do males weigh more?", "самцы тяжелее?"],
                by_sex("mean(body_mass_g)"),
            ),
            (&["do males have longer arms"], by_sex("mean(arm_length_mm)")),
            (
                &["ratio of males to females"],
                json!({"where": "sex in [\"male\", \"female\"]", "group_by": "sex",
                       "select": "count()"}),
            ),
        ],
    );
}

#[test]
fn what_goes_on_from_rows_is_of_these_rows() {
    let rows = "rows where amount is above 5 in Lenta";
    let of = |select: &str| json!({"where": "amount > 5 and shop == \"Lenta\"", "select": select});
    for (second, select) in [
        ("and total amount?", "sum(amount)"),
        ("and the average amount?", "mean(amount)"),
        ("и средняя amount?", "mean(amount)"),
        ("what is the average amount of these rows", "mean(amount)"),
    ] {
        check_follow_up(&purchases(), rows, second, &of(select));
    }
    // another place takes the place of the one before, a question of its own has none
    let other = json!({"where": "shop == \"Kuper\"", "select": "mean(amount)"});
    check_follow_up(&purchases(), "rows in Lenta", "and the average amount in Kuper", &other);
    let all = json!({"group_by": "shop", "select": "mean(amount)"});
    check_follow_up(&purchases(), rows, "average amount by shop", &all);
    // what is told apart is not one of it alone
    for (first, second) in [
        ("rows in Lenta", "and by shop?"),
        ("rows in Lenta", "а по shop?"),
        ("rows in Lenta", "and the number of rows by shop?"),
    ] {
        let each = json!({"group_by": "shop", "select": "count()"});
        check_follow_up(&purchases(), first, second, &each);
    }
    let above = json!({"where": "amount > 5", "group_by": "shop", "select": "mean(amount)"});
    check_follow_up(&purchases(), rows, "and the average amount by shop?", &above);
    let years = json!({"map": {"year": "year()"}, "group_by": "year", "select": "count()"});
    check_follow_up(&purchases(), "rows in 2024", "and by year?", &years);
    let days = json!({"period": "2024-05", "map": {"dow": "dayname()"}, "group_by": "dow",
                      "select": "mean(amount)"});
    check_follow_up(&purchases(), "rows in May 2024", "and the average amount by weekday?", &days);
}
