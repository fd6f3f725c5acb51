//! What follows groups and filters: the one at a place, how many there are, people by their numbers.

use super::answers::outcome;
use super::follow_ups::check_follow_up;
use super::frames::{after, trips};
use super::*;

#[test]
fn the_one_at_a_place_of_the_groups_before() {
    let groups = json!({"group_by": "city", "select": "mean(price_eur)"});
    let third = json!({
        "group_by": "city", "select": "mean(price_eur)", "sort": "mean_price_eur desc", "limit": 3,
        "steps": [{"sort": "mean_price_eur asc", "limit": 1}],
    });
    let last = json!({
        "group_by": "city", "select": "mean(price_eur)", "sort": "mean_price_eur asc", "limit": 1,
    });
    let table = trips();
    let same = |before: &Json, question: &str, expected: &Json| {
        let plan = after(&table, before, question);
        let query = plan.query.unwrap_or_else(|| panic!("{question}: {:?}", plan.message));
        let expected = Query::from_json(expected).expect("a query");
        assert_eq!(canonical(&query, &table), canonical(&expected, &table), "{question}");
    };
    for question in ["and which is third?", "which city is third?", "а какой третий?"] {
        same(&groups, question, &third);
    }
    for question in ["who is last?", "а какой на последнем месте?"] {
        same(&groups, question, &last);
        same(&third, question, &last);
    }
    // of those at the other end
    let second = json!({
        "group_by": "city", "select": "mean(price_eur)", "sort": "mean_price_eur asc", "limit": 2,
        "steps": [{"sort": "mean_price_eur desc", "limit": 1}],
    });
    same(&last, "and second place?", &second);
    // the second month is that of the year, and there is no fifth of two
    let by_month = json!({"map": {"month": "month()"}, "group_by": "month", "select": "count()"});
    for (before, question) in
        [(&by_month, "and which is second?"), (&groups, "and which is fifth?")]
    {
        assert_ne!(after(&table, before, question).status, Status::Ready, "{question}");
    }
}

#[test]
fn a_count_that_follows_is_of_the_same_rows() {
    for (first, second, expected) in [
        (
            "total amount in Kuper",
            "and how many purchases?",
            json!({"where": "shop == \"Kuper\"", "select": "count()"}),
        ),
        (
            "amount by shop in 2024",
            "and how many categories?",
            json!({"period": "2024", "group_by": "shop", "select": "count_distinct(category)"}),
        ),
        (
            "сумма в Lenta",
            "а сколько покупок?",
            json!({"where": "shop == \"Lenta\"", "select": "count()"}),
        ),
    ] {
        check_follow_up(&purchases(), first, second, &expected);
    }
}

#[test]
fn people_are_counted_by_their_numbers() {
    let mut table = Arc::unwrap_or_clone(trips());
    table.columns.push(Column::new("rider_id", Kind::Int));
    let table = Arc::new(table);
    let riders = json!({"select": "count_distinct(rider_id)"});
    for question in ["how many riders?", "how many clients?", "сколько клиентов?"] {
        means(&table, question, &riders);
    }
}

#[test]
fn a_year_without_rows_is_told() {
    let mut table = Arc::unwrap_or_clone(purchases());
    let day = |year| {
        Value::Date(
            chrono::NaiveDate::from_ymd_opt(year, 3, 1)
                .map_or(0, |date| (date - chrono::NaiveDate::default()).num_days() as i32),
        )
    };
    table.range = Some((day(2023), day(2024)));
    let table = Arc::new(table);
    let query = json!({
        "period": "2024:2025", "map": {"year": "year()"}, "group_by": "year", "select": "sum(amount)",
    });
    let row = |year| vec![Value::Int(year), Value::Float(5.0)];
    let told = |rows: Vec<Vec<Value>>| {
        answer(&outcome(&table, &query, rows, (9, 9), None), Locale::En).text
    };
    let one = told(vec![row(2024)]);
    let end = "The other year has no rows. The data covers 2023-03-01 to 2024-03-01.";
    assert!(one.ends_with(end), "{one}");
    let both = told(vec![row(2024), row(2025)]);
    assert!(!both.contains("has no rows"), "{both}");
}
