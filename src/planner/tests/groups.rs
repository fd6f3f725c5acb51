//! Groups beside each other: how far apart they are, which is higher, and what each comes to.

use super::frames::{after, penguins, planned, trips};
use super::*;

#[test]
fn how_much_more_one_group_has_is_their_difference() {
    let mass = |sort: &str| {
        json!({
            "where": "sex in ['male', 'female']", "group_by": "sex", "select": "mean(body_mass_g)", "sort": sort,
            "steps": [{"map": {"difference": "mean_body_mass_g - prev(mean_body_mass_g)"}}]
        })
    };
    let counted = json!({
        "where": "species in ['Adelie', 'Gentoo']", "group_by": "species", "select": "count()",
        "sort": "species desc", "steps": [{"map": {"difference": "count - prev(count)"}}]
    });
    all_mean(
        &penguins(),
        &[
            (&["how much heavier are males than females?"], mass("sex")),
            (&["how many more Adelie than Gentoo are there?"], counted),
        ],
    );
    // both are counted, and nobody asks how far apart they are
    let plan = planned(&penguins(), "how many males and how many females");
    assert!(plan.query.expect("a query").steps.is_empty());
}

#[test]
fn a_text_that_says_that_there_is_no_value_is_none() {
    let none = json!({"where": "isnull(sex) or sex == 'NA'", "select": "count()"});
    means(&penguins(), "how many penguins have no sex?", &none);
    // Namibia is a country
    let mut land = Column::new("land", Kind::Text);
    land.values = Some(["NA", "DE", "ZA"].map(str::to_owned).to_vec());
    let mut visits = TableSchema::new("visits", vec![land]);
    visits.rows = 300;
    means(
        &Arc::new(visits),
        "how many visits have no land?",
        &json!({"where": "isnull(land)", "select": "count()"}),
    );
}

#[test]
fn days_of_the_week_that_are_compared_stand_apart() {
    let two = json!({
        "map": {"dow": "dayname()"}, "where": "dow in ['Mon', 'Fri']", "group_by": "dow",
        "select": "mean(distance_km)"
    });
    all_mean(
        &trips(),
        &[(
            &[
                "compare average distance on Mondays and Fridays",
                "average distance on Mondays vs Fridays",
                "сравни среднее distance_km в понедельник и пятницу",
            ],
            two,
        )],
    );
}

#[test]
fn what_is_higher_than_another_stands_beside_it() {
    let weekdays = json!({
        "map": {"dow": "dayname()"}, "where": "dow in ['Mon', 'Fri']", "group_by": "dow",
        "select": "mean(minutes)"
    });
    let questions = [
        "is minutes higher on Mondays than on Fridays?",
        "minutes в понедельник выше, чем в пятницу?",
    ];
    all_mean(&trips(), &[(&questions, weekdays.clone())]);
    // whatever was asked before
    let by_city = json!({"group_by": "city", "select": "mean(distance_km)"});
    let query = after(&trips(), &by_city, questions[0]).query.expect("a query");
    let weekdays = Query::from_json(&weekdays).expect("a query");
    assert_eq!(canonical(&query, &trips()), canonical(&weekdays, &trips()));
}

#[test]
fn a_number_of_rows_and_what_they_come_to() {
    let both = json!({"select": ["count()", "sum(price_eur)"]});
    let questions = [
        "сколько поездок и на какую сумму?",
        "number of trips and total amount",
        "how many trips and for how much",
    ];
    all_mean(&trips(), &[(&questions, both)]);
}
