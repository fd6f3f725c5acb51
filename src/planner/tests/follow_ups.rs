//! Questions that change the query before.

use super::*;

pub(super) fn check_follow_up(
    table: &Arc<TableSchema>,
    first: &str,
    second: &str,
    expected: &Json,
) {
    let tables = std::slice::from_ref(table);
    let previous = plan(first, tables, &Context::default()).query.expect("a first query");
    let context = Context { previous: Some(&previous), ..Context::default() };
    let plan = plan(second, tables, &context);
    assert_eq!(plan.status, Status::Ready, "{second}: {plan:#?}");
    let expected = Query::from_json(expected).expect("a query");
    let query = plan.query.expect("a query");
    assert_eq!(canonical(&query, table), canonical(&expected, table), "{first} / {second}");
}

#[test]
fn what_was_left_out_does_not_stay_out_where_values_are_chosen() {
    check_follow_up(
        &purchases(),
        "purchases without Lenta",
        "purchases in Kuper or Lenta",
        &json!({"where": "shop in [\"Kuper\", \"Lenta\"]"}),
    );
    check_follow_up(
        &purchases(),
        "покупки не в Lenta",
        "только Lenta",
        &json!({"where": "shop == \"Lenta\""}),
    );
}

#[test]
fn the_query_before_is_changed() {
    let gap = "average gap by weekday where gap is above 50";
    for (first, second, expected) in [
        (
            gap,
            "only Fridays",
            json!({"from": "daily", "map": {"gap": "gap()", "dow": "dayname()"},
                   "where": "gap > 50 and dow == \"Fri\"", "group_by": "dow", "select": "mean(gap)"}),
        ),
        (
            gap,
            "and the median?",
            json!({"from": "daily", "map": {"gap": "gap()", "dow": "dayname()"},
                   "where": "gap > 50", "group_by": "dow", "select": "median(gap)"}),
        ),
        (
            gap,
            "по месяцам",
            json!({"from": "daily", "map": {"gap": "gap()", "month": "monthname()"},
                   "where": "gap > 50", "group_by": "month", "select": "mean(gap)"}),
        ),
        ("max close in 2024", "а в 2023?", json!({"period": "2023", "select": "max(close)"})),
    ] {
        check_follow_up(&bars(), first, second, &expected);
    }
    for (first, second, expected) in [
        (
            "top 3 shops by total amount",
            "only food",
            json!({"where": "category == \"food\"", "group_by": "shop", "select": "sum(amount)",
                   "sort": "sum_amount desc", "limit": 3}),
        ),
        (
            "top 3 shops by total amount",
            "and the average?",
            json!({"group_by": "shop", "select": "mean(amount)", "sort": "mean_amount desc",
                   "limit": 3}),
        ),
        (
            "average amount in Kuper",
            "in Lenta",
            json!({"where": "shop == \"Lenta\"", "select": "mean(amount)"}),
        ),
    ] {
        check_follow_up(&purchases(), first, second, &expected);
    }
}

#[test]
fn all_rows_of_a_kind_are_none_of_those_before() {
    for (first, second) in [
        ("average amount in Kuper", "show all purchases in Lenta"),
        ("сумма в Kuper", "покажи все покупки в Lenta"),
    ] {
        check_follow_up(&purchases(), first, second, &json!({"where": "shop == \"Lenta\""}));
    }
}

#[test]
fn by_how_much_something_grew_changes_nothing_of_before() {
    let first = plan("средняя цена закрытия по годам", &[bars()], &Context::default());
    let first = first.query.expect("a query");
    let context = Context { previous: Some(&first), ..Context::default() };
    for question in ["на сколько процентов выросла цена за всё время?", "by how much did it rise"]
    {
        let plan = plan(question, &[bars()], &context);
        // of all the time it is one number, of `it` nobody knows
        assert!(
            plan.query.as_ref().is_none_or(|q| q.group_by.is_empty() && q.select.len() == 3),
            "{question}"
        );
        let grouped = |r: &Reading| r.query.group_by == ["year"];
        assert!(!plan.readings.iter().any(grouped), "{question}: {plan:#?}");
    }
}

#[test]
fn a_question_of_its_own_stands_alone() {
    let first = plan("average amount in Kuper", &[purchases()], &Context::default()).query.unwrap();
    let context = Context { previous: Some(&first), ..Context::default() };
    let plan = plan("total amount by shop", &[purchases()], &context);
    assert_eq!(
        plan.query.map(|q| q.to_json()),
        Some(json!({"group_by": "shop", "select": "sum(amount)"}))
    );
}

#[test]
fn groups_of_one_value_are_of_all() {
    let first = plan("total amount in Kuper", &[purchases()], &Context::default()).query.unwrap();
    let context = Context { previous: Some(&first), ..Context::default() };
    let query = plan("and by shop?", &[purchases()], &context).query.expect("a query");
    assert_eq!((query.filter, query.group_by), (None, vec!["shop".to_owned()]));
    let query = plan("and by category?", &[purchases()], &context).query.expect("a query");
    assert_eq!(query.filter.as_deref(), Some("shop == \"Kuper\""));
}

#[test]
fn which_of_them_is_a_group_by_what_was_told() {
    let lowest = json!({"group_by": "shop", "select": "mean(amount)", "sort": "mean_amount asc", "limit": 1});
    for second in ["which of them is the lowest?", "which one is the smallest"] {
        check_follow_up(&purchases(), "average amount by shop", second, &lowest);
    }
}

#[test]
fn an_end_of_the_groups_that_were_told() {
    let one =
        |sort: &str| json!({"group_by": "shop", "select": "sum(amount)", "sort": sort, "limit": 1});
    for (first, question) in [
        ("total amount by shop", "which shop had the highest?"),
        ("total amount by shop", "and the most?"),
        ("сумма по магазинам", "в каком магазине больше всего?"),
        ("сумма по магазинам", "а где больше всего?"),
    ] {
        check_follow_up(&purchases(), first, question, &one("sum_amount desc"));
    }
    for (first, question) in
        [("total amount by shop", "which is the lowest"), ("сумма по магазинам", "а меньше всего?")]
    {
        check_follow_up(&purchases(), first, question, &one("sum_amount"));
    }
    let month = json!({"map": {"month": "monthname()"}, "group_by": "month",
        "select": "mean(volume)", "sort": "mean_volume", "limit": 1});
    check_follow_up(&bars(), "average volume by month", "which month had the lowest?", &month);
    // an adjective says the end of what it is of
    let dearest = json!({"group_by": "shop", "select": "mean(amount)",
        "sort": "mean_amount desc", "limit": 1});
    for (first, question) in [
        ("average amount by shop", "which shop is the most expensive?"),
        ("средняя сумма по магазинам", "где дороже всего?"),
    ] {
        check_follow_up(&purchases(), first, question, &dearest);
    }
    // of another noun it is another question
    let first = plan("total amount by shop", &[purchases()], &Context::default()).query.unwrap();
    let context = Context { previous: Some(&first), ..Context::default() };
    let other = plan("which category has the highest?", &[purchases()], &context);
    assert!(other.query.is_none_or(|q| q.group_by == ["category"]));
}

#[test]
fn bars_are_as_long_as_the_groups_that_follow() {
    let months = json!({"from": "monthly", "map": {"change_pct": "change_pct()",
        "month": "monthname()"}, "group_by": "month", "select": "sum(change_pct)"});
    check_follow_up(&bars(), "return by year", "and by month?", &months);
}

#[test]
fn another_place_stands_beside_the_value_that_was_asked_for() {
    let mut sex = Column::new("sex", Kind::Text);
    sex.values = Some(["female", "male"].map(str::to_owned).to_vec());
    let mut island = Column::new("island", Kind::Text);
    island.values = Some(["Biscoe", "Dream"].map(str::to_owned).to_vec());
    let table = Arc::new(TableSchema::new("penguins", vec![sex, island]));
    let both = json!({"where": "sex == 'female' and island == 'Biscoe'", "select": "count()"});
    for second in ["and on Biscoe?", "а на Biscoe?"] {
        check_follow_up(&table, "how many females?", second, &both);
    }
}
