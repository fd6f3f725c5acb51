//! Words that a query does not take in: it is offered, not run.

use super::frames::{after, planned};
use super::places::{orders, rides};
use super::*;

#[test]
fn a_query_that_says_less_than_the_question_is_not_run() {
    for (table, questions) in [
        (
            rides(),
            &[
                "how many riders never used a bike?",
                "how many riders only used bikes?",
                "how many days had more than 4300 trips?",
                "how many riders rode on more than one day?",
                "how many trips to Castle or from Castle?",
                "сколько клиентов ездили только на car?",
                "процент чаевых от стоимости",
                "сколько поездок старше 5 дней?",
            ][..],
        ),
        (
            orders(),
            &[
                "how many customers never returned an order?",
                "what fraction of customers made at least 10 orders?",
                "what percentage of customers returned something?",
                "how many days had more than 60 orders?",
                "how many months had revenue above 400000?",
                "customers with more than 5000 in total revenue",
                "revenue per unit by country",
                "what share of returned orders are Italy?",
                "сколько покупателей из Германии?",
                "среднемесячная выручка",
                "revenue до 1 июня",
            ][..],
        ),
    ] {
        for question in questions {
            let plan = planned(&table, question);
            assert_ne!(plan.status, Status::Ready, "{question}: {:?}", plan.query);
        }
    }
}

#[test]
fn bounds_and_shares_that_follow_are_taken_whole() {
    let over = json!({"where": "revenue > 500", "select": "count()"});
    let filter = |question: &str| {
        let plan = after(&orders(), &over, question);
        plan.query.filter(|_| plan.status == Status::Ready).and_then(|query| query.filter)
    };
    assert_eq!(filter("а ровно 100?").as_deref(), Some("revenue == 100"));
    assert_eq!(filter("and at most 300?").as_deref(), Some("revenue <= 300"));
    assert_eq!(filter("а от 100 до 200?"), None);
    let share = json!({"select": {"share_pct": "pct(vehicle == \"bike\")"}});
    let plan = after(&rides(), &share, "and car?");
    assert_eq!(
        plan.query.map(|query| query.to_json()["select"].clone()),
        Some(json!({"share_pct": "pct(vehicle == \"car\")"}))
    );
    // of whom is lost
    let top = json!({"group_by": "customer", "select": "sum(revenue)", "sort": "sum_revenue desc", "limit": 5});
    assert_ne!(after(&orders(), &top, "how many orders did they make?").status, Status::Ready);
    // of a tie each has its own place
    let most =
        json!({"group_by": "vehicle", "select": "count()", "sort": "count desc", "limit": 1});
    let second = after(&rides(), &most, "and the second?").query.map(|query| query.to_json());
    let second = second.expect("a query");
    assert_eq!(second["sort"], json!(["count desc", "vehicle asc"]));
    assert_eq!(second["steps"][0]["sort"], json!(["count asc", "vehicle desc"]));
}

#[test]
fn bars_of_a_minute_are_not_those_of_a_day() {
    for question in ["average one-minute range", "biggest minute move", "средний минутный диапазон"]
    {
        let plan = plan(question, std::slice::from_ref(&bars()), &Context::default());
        assert_ne!(plan.status, Status::Ready, "{question}: {plan:?}");
    }
}

#[test]
fn where_none_is_asks_for_no_empty_cells() {
    let table = super::frames::penguins();
    let plan =
        plan("на каком острове нет Gentoo", std::slice::from_ref(&table), &Context::default());
    assert_ne!(plan.status, Status::Ready, "{plan:?}");
}
