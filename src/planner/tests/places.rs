//! What follows groups and filters: the one at a place, how many there are, people by their numbers.

use super::answers::outcome;
use super::follow_ups::check_follow_up;
use super::frames::{after, trips};
use super::*;

#[test]
fn the_one_at_a_place_of_the_groups_before() {
    let groups = json!({"group_by": "city", "select": "mean(price_eur)"});
    let third = json!({
        "group_by": "city", "select": "mean(price_eur)", "sort": ["mean_price_eur desc", "city asc"],
        "limit": 3, "steps": [{"sort": ["mean_price_eur asc", "city desc"], "limit": 1}],
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
        "group_by": "city", "select": "mean(price_eur)", "sort": ["mean_price_eur asc", "city asc"],
        "limit": 2, "steps": [{"sort": ["mean_price_eur desc", "city desc"], "limit": 1}],
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
    // the other year has rows, but none in that shop
    let mut in_shop = query.clone();
    in_shop["where"] = json!("shop == \"Kuper\"");
    let rows = vec![row(2024)];
    let narrowed = answer(&outcome(&table, &in_shop, rows, (9, 9), None), Locale::En).text;
    assert!(!narrowed.contains("has no rows"), "{narrowed}");
}

/// Trips between zones, with who took them.
pub(super) fn rides() -> Arc<TableSchema> {
    let text = |name: &str, values: &[&str]| {
        let mut column = Column::new(name, Kind::Text);
        column.values = Some(values.iter().map(|&v| v.to_owned()).collect());
        column
    };
    let zones = ["Airport", "Castle", "Harbour"];
    let columns = vec![
        Column::new("started_at", Kind::Timestamp),
        text("pickup_zone", &zones),
        text("dropoff_zone", &zones),
        text("vehicle", &["bike", "car"]),
        Column::new("distance_km", Kind::Float),
        Column::new("minutes", Kind::Float),
        Column::new("fare", Kind::Float),
        Column::new("tip", Kind::Float),
        Column::new("rider_id", Kind::Int),
    ];
    let mut schema = TableSchema::new("trips", columns);
    schema.rows = 20_000;
    schema.time = Some("started_at".into());
    Arc::new(schema)
}

/// Orders of many customers.
pub(super) fn orders() -> Arc<TableSchema> {
    let mut country = Column::new("country", Kind::Text);
    country.values = Some(["Austria", "Italy", "Spain"].map(str::to_owned).to_vec());
    let columns = vec![
        Column::new("ordered_on", Kind::Date),
        country,
        Column::new("customer", Kind::Text),
        Column::new("quantity", Kind::Int),
        Column::new("unit_price", Kind::Float),
        Column::new("revenue", Kind::Float),
        Column::new("returned", Kind::Bool),
    ];
    let mut schema = TableSchema::new("orders", columns);
    schema.rows = 15_000;
    schema.time = Some("ordered_on".into());
    Arc::new(schema)
}

#[test]
fn groups_are_chosen_by_how_many_rows_they_have() {
    let so_many = |key: &str, filter: &str, counted: bool| {
        let mut steps = vec![json!({"where": filter})];
        steps.extend(counted.then(|| json!({"select": "count()"})));
        json!({"group_by": key, "select": "count()", "steps": steps})
    };
    all_mean(
        &rides(),
        &[
            (
                &[
                    "how many riders made only one trip?",
                    "how many customers took just one trip?",
                    "сколько клиентов сделали только одну поездку?",
                ],
                so_many("rider_id", "count == 1", true),
            ),
            (&["how many riders took more than one trip?"], so_many("rider_id", "count > 1", true)),
            (&["which riders took 5 or more trips?"], so_many("rider_id", "count >= 5", false)),
        ],
    );
    all_mean(
        &orders(),
        &[
            (&["how many customers ordered only once?"], so_many("customer", "count == 1", true)),
            (
                &["customers with revenue over 5000", "клиенты с выручкой больше 5000"],
                json!({"group_by": "customer", "select": "sum(revenue)",
                       "steps": [{"where": "sum_revenue > 5000"}]}),
            ),
            (
                &["how many orders does a customer make on average?"],
                json!({"group_by": "customer", "select": "count()",
                       "steps": [{"select": "mean(count)"}]}),
            ),
        ],
    );
    // the total of each, or the mean of the rows of each
    let plan = super::frames::planned(&orders(), "average revenue per customer");
    assert_eq!((plan.status, plan.readings.len()), (Status::Readings, 2));
    let never = super::frames::planned(&orders(), "which customers never returned anything?");
    assert_ne!(never.status, Status::Ready);
    let none = super::frames::planned(&orders(), "сколько дней без заказов?");
    assert_eq!(none.status, Status::Declined);
}

#[test]
fn what_trips_and_orders_are_asked_for() {
    let by_zone = |zone: &str| json!({"group_by": zone, "select": "count()", "sort": "count desc", "limit": 1});
    all_mean(
        &rides(),
        &[
            (
                &[
                    "how long does the average trip take?",
                    "how long is an average ride?",
                    "сколько в среднем длится поездка?",
                ],
                json!({"select": "mean(minutes)"}),
            ),
            (
                &["how long do trips take on average by vehicle?"],
                json!({"group_by": "vehicle", "select": "mean(minutes)"}),
            ),
            (&["which zone has the most dropoffs?"], by_zone("dropoff_zone")),
            (&["which zone has the highest number of pickups?"], by_zone("pickup_zone")),
            (
                &["fare per km by vehicle"],
                json!({"group_by": "vehicle",
                       "select": {"fare_per_distance_km": "sum(fare) / sum(distance_km)"}}),
            ),
            (&["cheapest trip"], json!({"sort": "fare", "limit": 1})),
            (&["средняя стоимость поездки"], json!({"select": "mean(fare)"})),
        ],
    );
    all_mean(
        &orders(),
        &[
            (
                &["заказы дороже 200", "заказы с суммой больше 200", "заказы на сумму больше 200"],
                json!({"where": "revenue > 200"}),
            ),
            (
                &["quantity sold by country"],
                json!({"group_by": "country", "select": "sum(quantity)"}),
            ),
            (
                &["did we earn more in 2023 or 2024?"],
                json!({"period": "2023:2024", "map": {"year": "year()"}, "group_by": "year",
                       "select": "sum(revenue)"}),
            ),
        ],
    );
}

/// Of several tables the one that was asked about goes on being meant.
#[test]
fn the_table_that_was_asked_about_goes_on_being_meant() {
    let tables = [bars(), purchases()];
    let before = Query::from_json(&json!({"table": "bars", "select": "max(close)"})).expect("one");
    let asked = |question: &str| {
        let context = Context { previous: Some(&before), ..Context::default() };
        let plan = plan(question, &tables, &context);
        (plan.status, plan.query.and_then(|query| query.table))
    };
    assert_eq!(asked("which day was the worst?"), (Status::Ready, Some("bars".to_owned())));
    let other = (Status::Ready, Some("purchases".to_owned()));
    assert_eq!(asked("total amount by shop"), other);
}
