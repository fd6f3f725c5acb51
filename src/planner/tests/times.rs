//! Tables with several columns of times, none of them the table's own.

use super::*;

fn orders() -> Arc<TableSchema> {
    let mut region = Column::new("region", Kind::Text);
    region.values = Some(["East", "West"].map(str::to_owned).to_vec());
    let columns = vec![
        Column::new("order_date", Kind::Date),
        Column::new("ship_date", Kind::Date),
        region,
        Column::new("sales", Kind::Float),
    ];
    Arc::new(TableSchema { rows: 9000, ..TableSchema::new("orders", columns) })
}

fn asked(question: &str, previous: Option<&Query>) -> Plan {
    let context = Context { previous, ..Context::default() };
    plan(question, &[orders()], &context)
}

#[test]
fn a_question_for_a_time_is_read_by_each_column() {
    for (question, first, second) in [
        ("sales by year", "by year (order_date)", "by year (ship_date)"),
        (
            "sales by quarter",
            "by quarter (order_date; all years together)",
            "by quarter (ship_date; all years together)",
        ),
        ("sales in 2017", "where dates 2017 (order_date)", "where dates 2017 (ship_date)"),
        (
            "продажи по кварталам",
            "по кварталам (order_date; все годы вместе)",
            "по кварталам (ship_date; все годы вместе)",
        ),
    ] {
        let plan = asked(question, None);
        assert_eq!(plan.status, Status::Readings, "{question}: {plan:#?}");
        let said: Vec<&str> = plan.readings.iter().map(|r| r.explanation.as_str()).collect();
        assert!(said[0].ends_with(first) && said[1].ends_with(second), "{question}: {said:?}");
    }
}

#[test]
fn one_that_is_named_or_was_taken_is_asked_for_nothing() {
    let plan = asked("sales by month of ship date", None);
    assert_eq!(plan.status, Status::Ready, "{plan:#?}");
    let query = plan.query.unwrap();
    assert_eq!(query.map[0].1, "monthname(ship_date)");
    for question in ["sales by year by order date", "sales by order date by year"] {
        let query = asked(question, None).query.expect(question);
        assert_eq!(query.group_by, ["year"], "{question}");
        assert_eq!(query.map[0].1, "year(order_date)", "{question}");
    }
    let next = asked("only 2017", Some(&query));
    assert_eq!(next.status, Status::Ready, "{next:#?}");
    let filter = next.query.unwrap().filter.unwrap_or_default();
    assert!(filter.contains("date(ship_date) >= \"2017-01-01\""), "{filter}");
    // A question for no time is none of this.
    let plain = asked("sales by region", None);
    assert_eq!(
        (plain.status, plain.explanation.as_str()),
        (Status::Ready, "total of sales, by region")
    );
}

#[test]
fn what_was_done_names_its_date() {
    let query = asked("sales by year by order date", None).query.expect("a query");
    for question in [
        "how many orders were shipped in December",
        "how many orders shipped in December",
        "сколько заказов отгружено в декабре",
    ] {
        for previous in [None, Some(&query)] {
            let plan = asked(question, previous);
            let filter = plan.query.and_then(|q| q.filter).unwrap_or_default();
            assert_eq!(filter, "monthname(ship_date) == \"Dec\"", "{question}");
        }
    }
    for question in [
        "orders longer than 7 days from order to ship",
        "orders with over 7 days from order to ship",
    ] {
        let filter = asked(question, None).query.and_then(|q| q.filter).unwrap_or_default();
        assert_eq!(filter, "days_between(order_date, ship_date) > 7", "{question}");
    }
}

#[test]
fn a_day_that_not_every_row_has_says_more_than_that_there_is_a_row() {
    let mut left = Column::new("left", Kind::Date);
    left.nulls = Some(256);
    let columns = vec![Column::new("salary", Kind::Float), Column::new("hired", Kind::Date), left];
    let people = TableSchema { rows: 320, ..TableSchema::new("employees", columns) };
    for question in
        ["how many people left?", "average salary of those who left", "how many are still employed"]
    {
        let plan = plan(question, &[Arc::new(people.clone())], &Context::default());
        assert_ne!(plan.status, Status::Ready, "{question}: {plan:#?}");
    }
}

#[test]
fn a_follow_up_stays_with_its_table() {
    let flights = TableSchema::new(
        "flights",
        vec![Column::new("city", Kind::Text), Column::new("delay", Kind::Float)],
    );
    let query =
        json!({"table": "orders", "group_by": "region", "select": ["sum(sales)", "count()"]});
    let before = Query::from_json(&query).unwrap();
    let context = Context { previous: Some(&before), ..Context::default() };
    let plan = plan("and the median?", &[orders(), Arc::new(flights)], &context);
    let other = |query: &Query| query.table.as_deref() == Some("flights");
    assert!(!plan.query.as_ref().is_some_and(other), "{plan:#?}");
}
