//! Columns of lists: they are shown, and nothing groups, compares or sums them.

use super::*;
use crate::schema::Member;

/// Purchases with tags and sizes.
fn tagged() -> Arc<TableSchema> {
    let mut schema = (*purchases()).clone();
    schema.columns.push(Column::new("tags", Kind::List(Member::Text)));
    schema.columns.push(Column::new("sizes", Kind::List(Member::Float)));
    Arc::new(schema)
}

#[test]
fn no_question_makes_a_query_that_fails() {
    let table = tagged();
    for list in ["tags", "sizes"] {
        for question in [
            "show {}",
            "{} of each shop",
            "count by {}",
            "total amount by {}",
            "average {}",
            "sum of {} by shop",
            "max {} in 2024",
            "top 5 {}",
            "which {} has the highest amount",
            "how many {}",
            "how many different {}",
            "list the distinct {}",
            "rows where {} is red",
            "rows where {} > 5",
            "purchases without {}",
            "sort by {}",
            "amount by category and {}",
            "share of each {}",
            "purchases with {} \"red\"",
            "покажи {}",
            "сколько строк по {}",
            "среднее {} по магазинам",
            "топ 5 по {}",
        ] {
            let question = question.replace("{}", list);
            let plan = plan(&question, std::slice::from_ref(&table), &Context::default());
            let readings = plan.readings.iter().map(|reading| &reading.query);
            for query in plan.query.iter().chain(readings) {
                canonical(query, &table);
                assert!(!query.group_by.iter().any(|key| key == list), "{question}");
            }
        }
    }
}

#[test]
fn lists_take_nothing_from_the_questions_beside_them() {
    for question in ["total amount by shop", "how many rows", "top 3 shops by amount in 2024"] {
        let [with, without] =
            [tagged(), purchases()].map(|t| plan(question, &[t], &Context::default()).query);
        assert!(with.is_some() && with == without, "{question}");
    }
}

#[test]
fn a_word_of_a_value_stands_for_the_values_that_have_it() {
    let plan = means(
        &purchases(),
        "how much did I spend at Tochka",
        &json!({"where": "shop == \"Vkusno i Tochka\"", "select": "sum(amount)"}),
    );
    assert_eq!(
        plan.explanation,
        "total of amount, where shop = Vkusno i Tochka (all values with the word “Tochka”)"
    );
    let plan = means(
        &purchases(),
        "сколько потратил без Tochka и Lenta",
        &json!({"where": "shop not in [\"Vkusno i Tochka\", \"Lenta\"]", "select": "sum(amount)"}),
    );
    assert!(plan.explanation.ends_with("(все значения со словом «Tochka»)"));
    // a place may be more than the shops that are called by it, and a measure is not a value
    for question in ["how much did I spend in Tochka", "average goods"] {
        let plan = super::plan(question, &[purchases()], &Context::default());
        assert_eq!(plan.status, Status::Readings, "{question}");
    }
}

#[test]
fn the_heaviest_is_a_row_by_what_that_is_of() {
    let columns = vec![
        Column::new("species", Kind::Text),
        Column::new("body_mass_g", Kind::Int),
        Column::new("length_mm", Kind::Float),
    ];
    let animals = Arc::new(TableSchema::new("animals", columns));
    let by = |sort: &str, limit: u64| json!({"sort": sort, "limit": limit});
    for (question, wanted) in [
        ("heaviest animal", by("body_mass_g desc", 1)),
        ("which is the heaviest?", by("body_mass_g desc", 1)),
        ("top 5 heaviest animals", by("body_mass_g desc", 5)),
        ("самый лёгкий", by("body_mass_g", 1)),
    ] {
        means(&animals, question, &wanted);
    }
    // of two columns it may be either
    let mut more = (*animals).clone();
    more.columns.push(Column::new("wing_mass_g", Kind::Int));
    let plan = plan("heaviest animal", &[Arc::new(more)], &Context::default());
    assert_ne!(plan.status, Status::Ready, "{plan:#?}");
}

#[test]
fn what_weighs_is_the_column_of_mass() {
    let text = |name: &str, values: &[&str]| Column {
        values: Some(values.iter().map(|v| (*v).to_owned()).collect()),
        nulls: Some(0),
        ..Column::new(name, Kind::Text)
    };
    let columns = vec![
        text("species", &["Adelie", "Gentoo"]),
        text("sex", &["female", "male"]),
        Column::new("body_mass_g", Kind::Int),
        Column::new("length_mm", Kind::Float),
    ];
    let animals = Arc::new(TableSchema::new("animals", columns));
    let by_sex = json!({"group_by": "sex", "select": "mean(body_mass_g)"});
    let mean = |filter: &str| json!({"where": filter, "select": "mean(body_mass_g)"});
    let cases: &[(&[&str], Json)] = &[
        (
            &[
                "do males weigh more than females?",
                "who weighs more, males or females?",
                "кто весит больше, male или female?",
            ],
            by_sex,
        ),
        (
            &[
                "how much do Gentoo weigh?",
                "how much does a Gentoo weigh on average",
                "сколько весят Gentoo?",
            ],
            mean("species == \"Gentoo\""),
        ),
        (&["average weight of males", "средний вес male"], mean("sex == \"male\"")),
        (
            &["how many animals weigh more than 5000?", "how many animals that weigh over 5 kg"],
            json!({"where": "body_mass_g > 5000", "select": "count()"}),
        ),
        (&["how much does the heaviest animal weigh?"], json!({"select": "max(body_mass_g)"})),
        (
            &["pie chart of species", "show me a chart of species", "диаграмма по species"],
            json!({"group_by": "species", "select": "count()"}),
        ),
    ];
    all_mean(&animals, cases);
    // a year behind it is no bound of the mass
    let dated =
        plan("how much did Gentoo weigh in 2008?", &[Arc::clone(&animals)], &Context::default());
    let bound = |query: &Query| query.filter.as_deref().is_some_and(|f| f.contains("body_mass_g"));
    assert!(!dated.query.iter().chain(dated.readings.iter().map(|r| &r.query)).any(bound));
    let plan = plan(
        "difference between male and female body mass",
        &[Arc::clone(&animals)],
        &Context::default(),
    );
    let query = plan.query.expect("a query");
    assert_eq!(query.group_by, ["sex"]);
    assert_eq!(query.steps.len(), 1, "{}", query.to_json());
}

#[test]
fn follow_ups_that_count_or_deny_what_was_asked() {
    let country = Column {
        values: Some(vec!["Italy".to_owned(), "Spain".to_owned()]),
        nulls: Some(0),
        ..Column::new("country", Kind::Text)
    };
    let columns = vec![
        country,
        Column::new("revenue", Kind::Float),
        Column { fraction: true, nulls: Some(0), ..Column::new("discount", Kind::Float) },
        Column::new("returned", Kind::Bool),
    ];
    let tables = [Arc::new(TableSchema::new("orders", columns))];
    let next = |questions: &[&str]| {
        let mut before: Option<Query> = None;
        for question in questions {
            let context = Context { previous: before.as_ref(), ..Context::default() };
            let plan = plan(question, &tables, &context);
            let Some(query) = plan.query else { panic!("{question}: {:?}", plan.readings) };
            before = Some(query);
        }
        canonical(&before.expect("a query"), &tables[0])
    };
    for (questions, wanted) in [
        (
            &["average revenue in Italy", "and how many are there?"][..],
            json!({"where": "country == \"Italy\"", "select": "count()"}),
        ),
        (
            &["средняя revenue в Italy", "сколько их?"],
            json!({"where": "country == \"Italy\"", "select": "count()"}),
        ),
        (
            &["average revenue in Italy", "how many such orders?"],
            json!({"where": "country == \"Italy\"", "select": "count()"}),
        ),
        (
            &["average revenue in Italy", "and outside Italy?"],
            json!({"where": "country != \"Italy\"", "select": "mean(revenue)"}),
        ),
        (
            &["average revenue in Italy", "not Italy"],
            json!({"where": "country != \"Italy\"", "select": "mean(revenue)"}),
        ),
        (
            &["average revenue by country", "the bottom 1"],
            json!({"group_by": "country", "select": "mean(revenue)", "sort": "mean_revenue", "limit": 1}),
        ),
        (
            &["average revenue of returned orders", "and not returned?"],
            json!({"where": "not returned", "select": "mean(revenue)"}),
        ),
        (
            &[
                "average revenue of orders with a discount",
                "average revenue for those with no discount",
            ],
            json!({"where": "discount == 0", "select": "mean(revenue)"}),
        ),
        (
            &["average discount when there was one"],
            json!({"where": "discount > 0", "select": "mean(discount)"}),
        ),
        (
            &["which countries have average discount over 5%?"],
            json!({"group_by": "country", "select": "mean(discount)",
                   "steps": [{"where": "mean_discount > 0.05"}]}),
        ),
    ] {
        let wanted = Query::from_json(&wanted).expect("a query");
        assert_eq!(next(questions), canonical(&wanted, &tables[0]), "{questions:?}");
    }
}

#[test]
fn a_change_within_dates_is_from_the_open_or_from_the_close_before() {
    for question in ["total return for 2024", "насколько выросла цена за 2024 год"]
    {
        let plan = plan(question, &[bars()], &Context::default());
        let periods: Vec<_> = plan.readings.iter().map(|r| r.query.period.as_deref()).collect();
        assert_eq!((plan.status, periods), (Status::Readings, vec![Some("2024"); 2]), "{question}");
    }
}

#[test]
fn russian_words_for_columns_and_places_in_english() {
    let text = |name: &str, values: &[&str]| Column {
        values: Some(values.iter().map(|v| (*v).to_owned()).collect()),
        nulls: Some(0),
        ..Column::new(name, Kind::Text)
    };
    let zones = ["Airport", "Castle", "Station"];
    let trips = Arc::new(TableSchema::new(
        "trips",
        vec![
            text("pickup_zone", &zones),
            text("dropoff_zone", &zones),
            text("island", &["Dream", "Torgersen"]),
            Column::new("body_mass_g", Kind::Float),
        ],
    ));
    let both = "pickup_zone == \"Airport\" and dropoff_zone == \"Castle\"";
    let cases: &[(&[&str], Json)] = &[
        (&["сколько поездок из аэропорта в замок?"], json!({"where": both, "select": "count()"})),
        (
            &["средняя масса по островам"],
            json!({"group_by": "island", "select": "mean(body_mass_g)"}),
        ),
    ];
    all_mean(&trips, cases);
    // of two zones it may be either
    let plan = plan("поездки по зонам", &[trips], &Context::default());
    assert_eq!((plan.status, plan.readings.len()), (Status::Readings, 2), "{plan:#?}");
}

#[test]
fn the_other_end_of_what_was_cut() {
    let columns = vec![Column::new("species", Kind::Text), Column::new("body_mass_g", Kind::Int)];
    let tables = [Arc::new(TableSchema::new("animals", columns))];
    for (before, wanted) in [
        ("top 5 heaviest animals", json!({"sort": "body_mass_g", "limit": 3})),
        (
            "top 2 species by average body mass",
            json!({"group_by": "species", "select": "mean(body_mass_g)", "sort": "mean_body_mass_g", "limit": 3}),
        ),
    ] {
        let first = plan(before, &tables, &Context::default()).query.expect("a query");
        let context = Context { previous: Some(&first), ..Context::default() };
        let next = plan("and the bottom 3?", &tables, &context).query.expect("a query");
        let wanted = Query::from_json(&wanted).expect("a query");
        assert_eq!(canonical(&next, &tables[0]), canonical(&wanted, &tables[0]), "{before}");
    }
}

#[test]
fn which_is_higher_is_of_means_where_no_sum_is_named() {
    let payment = Column {
        values: Some(vec!["card".to_owned(), "cash".to_owned(), "app".to_owned()]),
        nulls: Some(0),
        ..Column::new("payment", Kind::Text)
    };
    let columns = vec![
        payment,
        Column::new("rider_id", Kind::Int),
        Column::new("dropoff_zone", Kind::Text),
        Column::new("fare", Kind::Float),
        Column::new("tip", Kind::Float),
    ];
    let trips = Arc::new(TableSchema::new("trips", columns));
    let both = |select: &str| json!({"where": "payment in [\"card\", \"cash\"]", "group_by": "payment", "select": select});
    let count = |by: &str| json!({"group_by": by, "select": "count()"});
    let cases: &[(&[&str], Json)] = &[
        (
            &["is the tip higher with card or cash?", "do people tip more with card or cash?"],
            both("mean(tip)"),
        ),
        (&["is the total tip higher with card or cash?"], both("sum(tip)")),
        (&["trips by payment method", "поездки по способу оплаты"], count("payment")),
        (&["trips by drop-off zone", "trips by drop off zone"], count("dropoff_zone")),
    ];
    all_mean(&trips, cases);
}

#[test]
fn how_long_it_takes_is_the_column_of_minutes() {
    let columns = vec![
        Column::new("city", Kind::Text),
        Column::new("minutes", Kind::Int),
        Column::new("price_eur", Kind::Float),
    ];
    let trips = Arc::new(TableSchema::new("trips", columns));
    let by_city = json!({"group_by": "city", "select": "mean(minutes)"});
    means(&trips, "average trip duration", &json!({"select": "mean(minutes)"}));
    means(&trips, "average duration by city", &by_city);
    means(&trips, "средняя длительность поездки по city", &by_city);
}

fn penguins() -> Arc<TableSchema> {
    let mut columns = vec![
        Column::new("species", Kind::Text),
        Column::new("flipper_length_mm", Kind::Int),
        Column::new("body_mass_g", Kind::Int),
    ];
    columns[0].values = Some(["Adelie", "Chinstrap", "Gentoo"].map(str::to_owned).to_vec());
    columns[0].synonyms = vec!["вид".to_owned()];
    columns[1].unit = Some("mm".to_owned());
    columns[1].synonyms = ["flipper length", "длина крыла", "крыло"].map(str::to_owned).to_vec();
    columns[2].unit = Some("g".to_owned());
    columns[2].synonyms = ["body mass", "weight", "масса", "вес"].map(str::to_owned).to_vec();
    Arc::new(TableSchema::new("penguins", columns))
}

#[test]
fn lengths_and_masses_of_a_body_do_not_add_up() {
    for question in [
        "у какого вида самые длинные крылья?",
        "у какого вида самая большая масса",
        "which species has the longest flippers",
        "which species is the heaviest",
        "which species has the largest body mass",
    ] {
        let plan = plan(question, &[penguins()], &Context::default());
        let sum = |q: &Query| q.select.iter().any(|s| s.text.starts_with("sum("));
        assert!(!plan.query.as_ref().is_some_and(sum), "{question}: {plan:#?}");
        let first = plan.readings.first().map(|r| &r.query).or(plan.query.as_ref());
        assert!(first.is_some_and(|q| !sum(q)), "{question}: {plan:#?}");
    }
}

#[test]
fn a_day_before_its_month_is_no_value() {
    for question in ["какой был объём 15 марта 2023?", "volume 15 March 2023"] {
        let plan = plan(question, &[bars()], &Context::default());
        let queries = plan.readings.iter().map(|r| &r.query).chain(&plan.query);
        for query in queries {
            assert!(query.filter.is_none(), "{question}: {query:?}");
        }
    }
}

#[test]
fn no_word_is_called_unknown_that_nobody_typed() {
    let plan = plan("кто тяжелее, Adelie или Gentoo?", &[penguins()], &Context::default());
    assert!(!plan.message.unwrap_or_default().contains("против"));
}
