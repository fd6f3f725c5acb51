//! Questions that are answered by what they ask of any table.

use super::*;

/// Penguins, as a file brings them.
pub(super) fn penguins() -> Arc<TableSchema> {
    let values = |names: &[&str]| Some(names.iter().map(|&n| n.to_owned()).collect());
    let mut species = Column::new("species", Kind::Text);
    species.values = values(&["Adelie", "Chinstrap", "Gentoo"]);
    let mut sex = Column::new("sex", Kind::Text);
    sex.values = values(&["NA", "female", "male"]);
    let mut mass = Column::new("body_mass_g", Kind::Int);
    mass.nulls = Some(2);
    let mut columns = vec![species, sex, mass, Column::new("year", Kind::Int)];
    for column in columns.iter_mut().filter(|c| c.name != "body_mass_g") {
        column.nulls = Some(0);
    }
    let mut schema = TableSchema::new("penguins", columns);
    schema.rows = 344;
    Arc::new(schema)
}

pub(super) fn planned(table: &Arc<TableSchema>, question: &str) -> Plan {
    plan(question, std::slice::from_ref(table), &Context::default())
}

#[test]
fn which_dates_a_table_covers() {
    all_mean(
        &purchases(),
        &[(
            &[
                "what period does this cover?",
                "what is the date range",
                "which dates does the data cover",
                "when does the data start and end",
                "how far back does the data go",
                "first and last date",
                "за какой период данные",
                "какие даты охватывает",
                "с какого по какое число данные",
                "диапазон дат",
            ],
            json!({"select": ["min(date)", "max(date)"]}),
        )],
    );
    let years = json!({"select": ["min(year)", "max(year)"]});
    means(&penguins(), "what period does this cover?", &years);
    let said = means(
        &bars(),
        "what is the date range",
        &json!({"select": ["min(timestamp)", "max(timestamp)"]}),
    );
    assert_eq!(said.explanation, "the first and the last timestamp in all rows of the table");
    // no date and no year
    let bare = Arc::new(TableSchema::new("marks", vec![Column::new("mark", Kind::Int)]));
    let plan = planned(&bare, "за какой период данные");
    assert_eq!(plan.status, Status::Declined);
    assert!(plan.message.is_some_and(|m| m.contains("нет столбца с датами")));
    // other words ask for something else
    for question in [
        "what period had the most spending",
        "which dates have no purchases",
        "period",
        "какой диапазон за период",
        "какой диапазон датчика",
        "какая периодичность данных",
    ] {
        let plan = planned(&purchases(), question);
        let ends = |q: &Query| q.select.iter().any(|s| s.text == "min(date)");
        assert!(!plan.query.as_ref().is_some_and(ends), "{question}: {plan:?}");
    }
}

#[test]
fn a_question_for_the_dates_of_an_answer_is_not_one_for_the_table() {
    let table = purchases();
    let before = Query {
        period: Some("2024".into()),
        select: vec!["sum(amount)".into()],
        ..Query::default()
    };
    let context = Context { previous: Some(&before), ..Context::default() };
    let ends = |question: &str| {
        let plan = plan(question, std::slice::from_ref(&table), &context);
        plan.query.is_some_and(|q| q.select.iter().any(|s| s.text == "min(date)"))
    };
    assert!(!ends("за какой период"));
    assert!(ends("за какой период данные в таблице"));
}

#[test]
fn where_values_are_missing() {
    let said = means(
        &penguins(),
        "are there any missing values?",
        &json!({"select": {"missing_body_mass_g": "count() - count(body_mass_g)"}}),
    );
    assert_eq!(
        said.explanation,
        "number of missing values in each column that has some (1 of 4 columns); the text “NA” in sex \
         is a value and not counted"
    );
    means(
        &penguins(),
        "есть ли пропуски в столбце year",
        &json!({"select": {"missing_year": "count() - count(year)"}}),
    );
    let mut whole = Arc::unwrap_or_clone(penguins());
    whole.columns.truncate(2);
    let whole = Arc::new(whole);
    for question in ["есть ли пропуски?", "сколько пустых значений", "how many nulls are there"]
    {
        let sum = json!({"select": {"missing": "count() * 2 - count(species) - count(sex)"}});
        means(&whole, question, &sum);
    }
    // names and values are none of these words
    let mut lost = Arc::unwrap_or_clone(penguins());
    lost.columns[0].values = Some(vec!["missing".into(), "found".into()]);
    let lost = Arc::new(lost);
    for (table, question) in [(&penguins(), "count Nancy"), (&lost, "how many are missing")] {
        let plan = planned(table, question);
        let counts = |q: &Query| q.select.iter().any(|s| s.text.contains(" - count("));
        assert!(!plan.query.as_ref().is_some_and(counts), "{question}");
    }
    // a condition is none
    let plan = planned(&penguins(), "penguins where the body mass is missing");
    assert!(plan.query.is_none_or(|q| q.filter.is_some() && q.select.is_empty()));
}

/// How many days rose, fell and did neither, under a condition.
fn both_kinds(rest: &Json, [rises, falls, same]: [&str; 3]) -> Json {
    let count = |condition: &str| format!("sum(if({condition}, 1, 0))");
    let mut query = rest.clone();
    query["from"] = json!("daily");
    query["select"] =
        json!({"rises": count(rises), "falls": count(falls), "unchanged": count(same)});
    query
}

#[test]
fn days_of_both_kinds_stand_beside_each_other() {
    let change = ["change > 0", "change < 0", "change == 0"];
    let close = ["green()", "red()", "close == open"];
    let made = json!({"map": {"change": "change()"}});
    all_mean(
        &bars(),
        &[
            (
                &[
                    "how many days were up and how many down?",
                    "how many up days and how many down days",
                    "how many days rose and how many fell",
                    "up days vs down days",
                    "сколько дней рост, а сколько падение",
                    "сколько дней выросло и сколько упало",
                ],
                both_kinds(&made, change),
            ),
            (
                &["how many green and red days", "сколько зелёных и красных дней"],
                both_kinds(&json!({}), close),
            ),
            (
                &["how many green and red days in 2023"],
                both_kinds(&json!({"period": "2023"}), close),
            ),
            (
                &["how many days up and down by weekday"],
                both_kinds(
                    &json!({"map": {"change": "change()", "dow": "dayname()"}, "group_by": "dow"}),
                    change,
                ),
            ),
        ],
    );
    let said = planned(&bars(), "сколько дней рост и сколько падение").explanation;
    assert_eq!(
        said,
        "число дней, по дневным барам: с ростом, с падением и без изменения (закрытие к прошлому закрытию)"
    );
    let plan = planned(&bars(), "сколько дней в России падение");
    assert!(plan.query.is_none_or(|q| q.select.len() < 2), "a country is no rise");
    // what no row meets is nothing that anyone asks for
    for question in ["green and red days", "how many days were green and red and had a gap"] {
        let plan = planned(&bars(), question);
        let both = |q: &Query| {
            q.filter.as_deref().is_some_and(|f| f.contains("green()") && f.contains("red()"))
        };
        assert!(!plan.query.as_ref().is_some_and(both), "{question}");
        assert!(!plan.readings.iter().any(|r| both(&r.query)), "{question}");
    }
}

#[test]
fn the_most_volatile_day_has_the_greatest_range() {
    let day = |order: &str| json!({"from": "daily", "map": {"range": "range()"}, "sort": format!("range {order}"), "limit": 1});
    let mut march = day("desc");
    march["where"] = json!("monthname() == 'Mar'");
    all_mean(
        &bars(),
        &[
            (
                &[
                    "most volatile day",
                    "which day was the most volatile?",
                    "самый волатильный день",
                    "какой день был самым волатильным",
                ],
                day("desc"),
            ),
            (&["least volatile day"], day("asc")),
            (&["most volatile day in March", "самый волатильный день в марте"], march),
        ],
    );
}

/// The plan of a question that follows a query.
pub(super) fn after(table: &Arc<TableSchema>, before: &Json, question: &str) -> Plan {
    let before = Query::from_json(before).expect("a query");
    let context = Context { previous: Some(&before), ..Context::default() };
    plan(question, std::slice::from_ref(table), &context)
}

#[test]
fn weekends_and_weekdays_stand_beside_each_other() {
    let apart = |weekend: &str, weekday: &str, select: &str| {
        let kind = format!("if(dayname() in ['Sat', 'Sun'], '{weekend}', '{weekday}')");
        json!({"map": {"kind_of_day": kind}, "group_by": "kind_of_day", "select": select})
    };
    let (english, russian) = (("weekend", "weekday"), ("выходные", "будни"));
    let amount = |(weekend, weekday)| apart(weekend, weekday, "sum(amount)");
    all_mean(
        &purchases(),
        &[
            (
                &[
                    "total amount on weekends vs weekdays",
                    "compare total amount on weekdays and weekends",
                    "total amount: weekdays vs weekends?",
                ],
                amount(english),
            ),
            (
                &["сумма покупок в выходные и в будни", "сумма в будни против выходных"],
                amount(russian),
            ),
            (&["purchases on weekends vs weekdays"], apart("weekend", "weekday", "count()")),
        ],
    );
    let plan = planned(&purchases(), "total amount on weekends vs weekdays in Kuper");
    assert_eq!(
        plan.explanation,
        "total of amount, where shop is \"Kuper\": weekends (Saturday and Sunday) and weekdays (the other \
         five days) apart"
    );
    // of what is not said, and beside other groups it may be meant otherwise
    for question in ["weekends vs weekdays", "total amount by shop on weekends vs weekdays"] {
        assert_eq!(planned(&purchases(), question).status, Status::Readings, "{question}");
    }
    let before = json!({"period": "2023", "select": "sum(amount)"});
    let plan = after(&purchases(), &before, "weekends vs weekdays?");
    let query = plan.query.expect("a query");
    assert_eq!((query.period.as_deref(), query.group_by.len()), (Some("2023"), 1));
}

#[test]
fn what_is_compared_with_another_time_stands_beside_it() {
    let table = purchases();
    let in_2024 = json!({"period": "2024", "select": "sum(amount)"});
    let years = json!({
        "period": "2023:2024", "map": {"year": "year()"}, "group_by": "year", "select": "sum(amount)"
    });
    let same = |plan: &Plan, expected: &Json| {
        let query = plan.query.as_ref().unwrap_or_else(|| panic!("{plan:?}"));
        let expected = Query::from_json(expected).expect("a query");
        assert_eq!(canonical(query, &table), canonical(&expected, &table));
    };
    for question in [
        "compared with 2023",
        "vs 2023?",
        "how does that compare to 2023",
        "по сравнению с 2023",
        "а по сравнению с 2023 годом?",
    ] {
        same(&after(&table, &in_2024, question), &years);
    }
    let january = json!({"period": "2024-01", "where": "shop == 'Kuper'", "select": "count()"});
    let months = json!({
        "period": "2024-01:2024-02", "map": {"month": "monthname()"}, "where": "shop == 'Kuper'",
        "group_by": "month", "select": "count()"
    });
    same(&after(&table, &january, "compared with February"), &months);
    same(&after(&table, &january, "по сравнению с февралём"), &months);
    let by_shop = json!({"period": "2024", "group_by": "shop", "select": "sum(amount)"});
    let both = json!({
        "period": "2023:2024", "map": {"year": "year()"}, "group_by": ["shop", "year"],
        "select": "sum(amount)"
    });
    same(&after(&table, &by_shop, "compared with 2023"), &both);
    // the first ones of another year are others: which are meant is asked
    let first = json!({
        "period": "2024", "group_by": "shop", "select": "sum(amount)", "sort": "sum_amount desc", "limit": 3
    });
    for (before, question) in [(&first, "compared with 2023"), (&in_2024, "vs last year")] {
        assert_eq!(after(&table, before, question).status, Status::Readings, "{question}");
    }
    let years = json!({"where": "year == 2008", "select": "mean(body_mass_g)"});
    let plan = after(&penguins(), &years, "compared with 2009");
    assert_eq!(plan.query.expect("a query").group_by, ["year"]);
}

#[test]
fn two_groups_stand_beside_each_other_with_their_difference() {
    let apart = json!({
        "where": "sex in ['male', 'female']", "group_by": "sex", "select": "mean(body_mass_g)",
        "steps": [{"map": {"difference": "mean_body_mass_g - prev(mean_body_mass_g)"}}]
    });
    all_mean(
        &penguins(),
        &[(
            &[
                "difference between males and females in body mass",
                "what is the difference in body mass between males and females?",
                "body mass difference between males and females",
                "разница между самцами и самками в body mass",
            ],
            apart,
        )],
    );
    let said =
        planned(&penguins(), "difference between males and females in body mass").explanation;
    assert!(said.ends_with(", with the difference (the second group less the first)"), "{said}");
    // of what is not said: how many there are and what they are like on average, to be chosen
    for question in
        ["compare males and females", "Adelie vs Gentoo", "разница между самцами и самками"]
    {
        let plan = planned(&penguins(), question);
        assert_eq!(plan.status, Status::Readings, "{question}");
        let [reading] = &plan.readings[..] else { panic!("{question}: {plan:?}") };
        let select: Vec<&str> = reading.query.select.iter().map(|s| s.text.as_str()).collect();
        assert_eq!(select, ["count()", "mean(body_mass_g)"], "{question}");
    }
    // groups of several columns, and what no group is called
    for question in
        ["difference between males and Gentoo in body mass", "compare apples and oranges"]
    {
        let plan = planned(&penguins(), question);
        assert_ne!(plan.status, Status::Ready, "{question}: {plan:?}");
    }
    means(
        &penguins(),
        "difference between the highest and the lowest body mass",
        &json!({"select": {"spread": "max(body_mass_g) - min(body_mass_g)"}}),
    );
}

/// Trips, as a file brings them.
pub(super) fn trips() -> Arc<TableSchema> {
    let mut city = Column::new("city", Kind::Text);
    city.values = Some(["Berlin", "Munich", "Dresden"].map(str::to_owned).to_vec());
    let mut price = Column::new("price_eur", Kind::Float);
    price.unit = Some("EUR".into());
    let columns = vec![
        Column::new("started_at", Kind::Timestamp),
        city,
        Column::new("distance_km", Kind::Float),
        Column::new("minutes", Kind::Int),
        price,
    ];
    let mut schema = TableSchema::new("trips", columns);
    schema.rows = 3000;
    schema.time = Some("started_at".into());
    Arc::new(schema)
}

#[test]
fn one_measure_for_one_of_another() {
    let per_km =
        json!({"select": {"price_eur_per_distance_km": "sum(price_eur) / sum(distance_km)"}});
    let mut by_city = per_km.clone();
    by_city["group_by"] = json!("city");
    all_mean(
        &trips(),
        &[
            (&["price per km", "cost per kilometre", "revenue per km?", "цена за км"], per_km),
            (&["price per km by city", "цена за км по city"], by_city),
        ],
    );
    assert_eq!(
        planned(&trips(), "price per km").explanation,
        "total of price_eur, divided by the total of distance_km"
    );
    // it may be the mean of what each row comes to
    assert_eq!(planned(&trips(), "average price per km").status, Status::Readings);
    // rows without the one do not count for the other
    let mut gaps = Arc::unwrap_or_clone(trips());
    for column in gaps.columns.iter_mut().filter(|c| c.name == "distance_km") {
        column.nulls = Some(7);
    }
    let query = planned(&Arc::new(gaps), "price per km").query.expect("a query");
    assert_eq!(query.filter.as_deref(), Some("not isnull(distance_km)"));
}

#[test]
fn the_only_money_is_taken_for_the_revenue_and_said_to_be() {
    let total = json!({"select": "sum(price_eur)"});
    let by_city = json!({"group_by": "city", "select": "sum(price_eur)"});
    let top = json!({"group_by": "city", "select": "sum(price_eur)", "sort": "sum_price_eur desc", "limit": 2});
    all_mean(
        &trips(),
        &[
            (&["revenue", "total revenue", "выручка"], total),
            (&["revenue by city", "выручка по city"], by_city),
            (&["top 2 cities by revenue"], top),
        ],
    );
    let said = planned(&trips(), "выручка").explanation;
    assert_eq!(
        said,
        "сумма price_eur (за выручку взят «price_eur»: это единственный столбец с деньгами)"
    );
    // of two kinds of money nobody knows, and of how many nothing says the price of one
    for other in ["tax_eur", "quantity"] {
        let mut table = Arc::unwrap_or_clone(trips());
        table.columns.push(Column::new(other, Kind::Float));
        assert_ne!(planned(&Arc::new(table), "revenue by city").status, Status::Ready, "{other}");
    }
}

#[test]
fn an_address_is_a_value_of_the_column_that_has_them() {
    let mut table = Arc::unwrap_or_clone(trips());
    table.columns.push(Column::new("rider_email", Kind::Text));
    let table = Arc::new(table);
    let one = "rider_email == \"ann@example.com\"";
    for (question, wanted) in [
        ("trips by ann@example.com", json!({"where": one})),
        ("ann@example.com", json!({"where": one})),
        ("how many trips did ann@example.com make?", json!({"where": one, "select": "count()"})),
        ("сколько поездок у ann@example.com", json!({"where": one, "select": "count()"})),
        ("revenue from ann@example.com", json!({"where": one, "select": "sum(price_eur)"})),
    ] {
        let got = planned(&table, question).query.map(|query| query.to_json());
        assert_eq!(got, Some(wanted), "{question}");
    }
    for question in ["trips by ann@example.com and bob@example.com", "balance of ann@example.com"] {
        assert_ne!(planned(&table, question).status, Status::Ready, "{question}");
    }
    // no column has addresses
    assert_ne!(planned(&trips(), "trips by ann@example.com").status, Status::Ready);
}

#[test]
fn a_running_total_goes_on_through_the_years() {
    let mut table = Arc::unwrap_or_clone(trips());
    table.range = Some((Value::Date(19_389), Value::Date(20_178)));
    let plan = planned(&Arc::new(table), "running total of price_eur by month");
    let got = plan.query.expect("a query").to_json();
    assert_eq!(got["group_by"], json!(["year", "month"]));
    assert_eq!(got["steps"], json!([{"map": {"running_total": "cumsum(sum_price_eur)"}}]));
}

#[test]
fn what_a_table_says_itself_is_read_so() {
    let mut table = Arc::unwrap_or_clone(trips());
    let mut shift = Column::new("shift", Kind::Text);
    shift.values = Some(vec!["day".to_owned(), "night".to_owned()]);
    table.columns.push(shift);
    table.timed = true;
    let table = Arc::new(table);
    let night = json!({"where": "shift == \"night\"", "select": "count()"});
    means(&table, "how many trips with shift night", &night);
    let clock = |question: &str| planned(&table, question).query.map(|q| q.to_json());
    for (question, of_clock) in [
        ("сколько поездок с 2 до 4 часов", true),
        ("сколько поездок от 2 до 4 часов", false),
        ("сколько поездок длительностью с 2 до 4 часов", false),
    ] {
        let got = clock(question).is_some_and(|q| q.to_string().contains("02:00"));
        assert_eq!(got, of_clock, "{question}");
    }
}

#[test]
fn what_follows_of_those_keeps_to_them() {
    let long = json!({"where": "distance_km > 15"});
    for (before, question, wanted) in [
        (
            &long,
            "average price of those",
            json!({"where": "distance_km > 15", "select": "mean(price_eur)"}),
        ),
        (
            &json!({"sort": "distance_km desc", "limit": 5}),
            "average price of those",
            json!({"sort": "distance_km desc", "limit": 5, "steps": [{"select": "mean(price_eur)"}]}),
        ),
        (
            &json!({"where": "distance_km > 15", "select": "count()"}),
            "what percentage is that?",
            json!({"select": {"share_pct": "pct(distance_km > 15)"}}),
        ),
        // how many each has, not a sum of what was asked before
        (
            &json!({"group_by": "city", "select": "mean(price_eur)", "sort": "mean_price_eur desc"}),
            "and how many of them?",
            json!({"group_by": "city", "select": "count()"}),
        ),
        (
            &json!({"where": "distance_km > 15", "group_by": "city", "select": "mean(price_eur)"}),
            "и сколько их?",
            json!({"where": "distance_km > 15", "group_by": "city", "select": "count()"}),
        ),
        // another city takes the place of the one before
        (
            &json!({"where": "city == \"Berlin\" and distance_km > 15", "select": "count()"}),
            "what share of them is Munich?",
            json!({"where": "distance_km > 15", "select": {"share_pct": "pct(city == \"Munich\")"}}),
        ),
    ] {
        let plan = after(&trips(), before, question);
        assert_eq!(plan.query.map(|q| q.to_json()), Some(wanted), "{before} {question}");
    }
}

#[test]
fn a_histogram_is_of_every_row() {
    for question in ["histogram of distance", "distance histogram", "гистограмма расстояния"]
    {
        means(&trips(), question, &json!({"columns": ["distance_km"]}));
    }
    // how it is spread, where nothing is said of drawing
    let plan = planned(&trips(), "distribution of distance");
    assert!(plan.query.is_some_and(|q| q.columns.is_empty() && q.select.len() == 7));
}

#[test]
fn a_mean_of_two_named_ones_is_of_each() {
    let each = json!({
        "where": "city in [\"Berlin\", \"Munich\"]",
        "group_by": "city",
        "select": "mean(price_eur)",
    });
    means(&trips(), "average price in Berlin and Munich", &each);
    means(&trips(), "средняя цена в Berlin и Munich", &each);
    let both = json!({"where": "city in [\"Berlin\", \"Munich\"]", "select": "mean(price_eur)"});
    means(&trips(), "average price in Berlin or Munich", &both);
}

#[test]
fn what_is_also_asked_by_splits_the_groups() {
    let mut table = Arc::unwrap_or_clone(trips());
    table.columns.push(Column::new("vehicle", Kind::Text));
    let table = Arc::new(table);
    let before = json!({"group_by": "city", "select": "mean(price_eur)"});
    for question in ["and by vehicle too", "also by vehicle", "а ещё по vehicle"] {
        let plan = after(&table, &before, question);
        let got = plan.query.map(|q| q.to_json()).expect("a query");
        assert_eq!(got["group_by"], json!(["city", "vehicle"]), "{question}");
    }
    let plan = after(&table, &before, "and by vehicle");
    assert_eq!(plan.query.map(|q| q.to_json()["group_by"].clone()), Some(json!("vehicle")));
}

#[test]
fn another_month_takes_the_place_of_one_that_a_condition_says() {
    let mut table = Arc::unwrap_or_clone(trips());
    table.time = None;
    for column in &mut table.columns {
        column.nulls = Some(0);
    }
    let mut ended = Column::new("ended_at", Kind::Timestamp);
    ended.nulls = Some(0);
    table.columns.push(ended);
    let table = Arc::new(table);
    // what begins and ends is of the time when it began
    let march = "date(started_at) >= \"2024-03-01\" and date(started_at) <= \"2024-03-31\"";
    let first = json!({"where": march, "select": "count()"});
    means(&table, "how many trips in March 2024", &first);
    let april = "date(started_at) >= \"2024-04-01\" and date(started_at) <= \"2024-04-30\"";
    for question in ["what about April?", "and in April?", "а в апреле?"] {
        let plan = after(&table, &first, question);
        let got = plan.query.map(|q| q.to_json());
        assert_eq!(got, Some(json!({"where": april, "select": "count()"})), "{question}");
    }
}

#[test]
fn a_share_of_a_sum_is_of_all_of_it() {
    let before = json!({"where": "city == \"Berlin\"", "select": "sum(price_eur)"});
    for question in ["what share is that?", "а сколько это в процентах?"] {
        let plan = after(&trips(), &before, question);
        let got = plan.query.map(|q| q.to_json()["select"].clone());
        let share = "sum(if(city == \"Berlin\", price_eur, 0)) / sum(price_eur) * 100";
        assert_eq!(got, Some(json!({"share_pct": share})), "{question}");
    }
}

#[test]
fn people_and_values_are_found_by_other_names() {
    let mut table = Arc::unwrap_or_clone(trips());
    let mut status = Column::new("status", Kind::Text);
    status.values = Some(vec!["cancelled".to_owned(), "paid".to_owned()]);
    table.columns.extend([status, Column::new("rider_id", Kind::Text)]);
    let table = Arc::new(table);
    let riders = json!({"select": "count_distinct(rider_id)"});
    means(&table, "how many different riders are there?", &riders);
    let cancelled = json!({"where": "status == \"cancelled\"", "select": "count()"});
    means(&table, "сколько поездок отменено?", &cancelled);
    let munich = json!({"where": "city == \"Munich\"", "select": "count()"});
    means(&table, "сколько поездок в Мюнхене", &munich);
    let mut vehicle = Column::new("vehicle", Kind::Text);
    vehicle.values = Some(vec!["bike".to_owned(), "car".to_owned()]);
    let mut table = Arc::unwrap_or_clone(table);
    table.columns.push(vehicle);
    let before = json!({"group_by": "city", "select": "count()"});
    let plan = after(&Arc::new(table), &before, "а только на машинах?");
    let got = plan.query.map(|q| q.to_json()).expect("a query");
    assert_eq!((&got["where"], &got["group_by"]), (&json!("vehicle == \"car\""), &json!("city")));
}

#[test]
fn which_one_is_of_the_groups_before() {
    let before = json!({
        "where": "distance_km > 5",
        "group_by": "city",
        "select": "mean(price_eur)",
    });
    let plan = after(&trips(), &before, "which one is the cheapest?");
    let got = plan.query.map(|q| q.to_json()).expect("a query");
    assert_eq!(got["sort"], json!("mean_price_eur asc"));
    assert_eq!((&got["group_by"], &got["where"]), (&json!("city"), &json!("distance_km > 5")));
    let plan = after(&trips(), &before, "какой из них самый дешёвый?");
    assert_eq!(plan.query.map(|q| q.to_json()["group_by"].clone()), Some(json!("city")));
    let before = json!({
        "period": "2023",
        "map": {"month": "monthname()"},
        "group_by": "month",
        "select": "count()",
    });
    for question in ["which month was the busiest?", "which one was the busiest?"] {
        let plan = after(&trips(), &before, question);
        let got = plan.query.map(|q| q.to_json()).expect("a query");
        assert_eq!((&got["period"], &got["sort"]), (&json!("2023"), &json!("count desc")));
    }
}

#[test]
fn the_same_part_of_two_years_is_told_apart() {
    for (question, part) in [
        ("total price in March 2023 vs March 2024", "03-01"),
        ("compare total price in March 2023 and March 2024", "03-01"),
        ("what was total price in Q1 2023 compared to Q1 2024?", "01-01"),
        ("сравни сумму price_eur за март 2023 и март 2024", "03-01"),
    ] {
        let query = planned(&trips(), question).query.unwrap_or_default();
        assert_eq!(query.group_by, ["year"], "{question}");
        for year in [2023, 2024] {
            let from = format!("{year}-{part}");
            assert!(query.filter.as_ref().is_some_and(|f| f.contains(&from)), "{question}");
        }
    }
    // of one year they have names of their own
    let query = planned(&trips(), "total price in March 2023 vs April 2023").query;
    assert_eq!(query.map(|q| q.group_by), Some(vec!["month".to_owned()]));
}

#[test]
fn whether_something_is_higher_at_times() {
    for (question, part) in [
        ("is distance higher on Mondays?", "dayname()"),
        ("is the distance lower in winter?", "monthname()"),
        ("is distance larger at night?", "hour()"),
    ] {
        let query = planned(&trips(), question).query.unwrap_or_default();
        assert_eq!(query.map.first().map(|(_, said)| said.as_str()), Some(part), "{question}");
        assert_eq!(query.select, ["mean(distance_km)".into()], "{question}");
    }
}

#[test]
fn what_is_spent_on_something_each_month() {
    let said = crate::planner::restated::each_time("average groceries spending per month?");
    assert_eq!(said.as_deref(), Some("average monthly groceries spending"));
}

#[test]
fn a_share_among_some_is_of_them() {
    let of = |rows: &str| json!({"where": rows, "select": {"share_pct": "pct(sex == 'female')"}});
    all_mean(
        &penguins(),
        &[
            (
                &[
                    "share of females among Adelie",
                    "what percentage of Adelie are female?",
                    "доля самок среди Adelie",
                    "сколько процентов самок среди Adelie?",
                ],
                of("species == 'Adelie'"),
            ),
            (
                &["percentage of females in Gentoo", "какой процент самок у Gentoo"],
                of("species == 'Gentoo'"),
            ),
        ],
    );
    let said = planned(&penguins(), "share of females among Adelie").explanation;
    let wanted = "share of rows with sex is \"female\", in %, where species is \"Adelie\"";
    assert_eq!(said, wanted);
    // which of both is the whole is not said
    let plan = planned(&penguins(), "share of female Adelie");
    assert_eq!(plan.status, Status::Readings, "{plan:?}");
}

#[test]
fn how_many_times_as_much_the_one_is() {
    let times = json!({
        "where": "species in ['Gentoo', 'Adelie']", "group_by": "species", "select": "mean(body_mass_g)",
        "sort": "species", "steps": [{"map": {"ratio": "mean_body_mass_g / prev(mean_body_mass_g)"}}]
    });
    let questions: &[&str] =
        &["how many times heavier is Gentoo than Adelie?", "во сколько раз Gentoo тяжелее Adelie"];
    all_mean(&penguins(), &[(questions, times)]);
    let said = planned(&penguins(), questions[0]).explanation;
    assert!(said.ends_with(", with the ratio (the second group divided by the first)"), "{said}");
}
