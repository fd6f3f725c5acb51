//! Minute bars.

use super::*;

#[test]
fn aggregates_and_groups() {
    all_mean(
        &bars(),
        &[
            (
                &[
                    "average gap by weekday where gap is above 50",
                    "Average gap per weekday when gap > 50?",
                    "mean gap by day of the week where the gap is more than 50 points",
                    "what is the average gap for each weekday if gap is over 50",
                    "show me the average gap, where gap exceeds 50, by weekday",
                    "средний гэп по дням недели, где гэп больше 50",
                    "Какой средний гэп по дням недели, если гэп выше 50 пунктов?",
                    "среднее гэпа для каждого дня недели при гэпе более 50",
                ],
                json!({"from": "daily", "map": {"gap": "gap()", "dow": "dayname()"},
                       "where": "gap > 50", "group_by": "dow", "select": "mean(gap)"}),
            ),
            (
                &["median range by month", "медианный диапазон по месяцам", "monthly median range"],
                json!({"from": "daily", "map": {"range": "range()", "month": "monthname()"},
                       "group_by": "month", "select": "median(range)"}),
            ),
            (
                &[
                    "price chart",
                    "chart of the closing price",
                    "график цены",
                    "график закрытия по дням",
                ],
                json!({"from": "daily", "columns": ["timestamp", "close"]}),
            ),
            (
                &["show me the weekly close chart", "график цены закрытия по неделям"],
                json!({"from": "weekly", "columns": ["timestamp", "close"]}),
            ),
            (
                &["average volume by hour", "средний объём по часам", "hourly average volume"],
                json!({"map": {"hour": "hour()"}, "group_by": "hour", "select": "mean(volume)"}),
            ),
            (
                &[
                    "max close in 2024",
                    "highest close in 2024",
                    "what was the highest closing price in 2024?",
                    "максимальное закрытие в 2024 году",
                    "максимальная цена закрытия за 2024 год",
                ],
                json!({"period": "2024", "select": "max(close)"}),
            ),
            (
                &["max close from 2022 to 2023", "максимум закрытия с 2022 по 2023 год"],
                json!({"period": "2022:2023", "select": "max(close)"}),
            ),
            (
                &["min and max of close by year", "минимум и максимум close по годам"],
                json!({"map": {"year": "year()"}, "group_by": "year",
                       "select": ["min(close)", "max(close)"]}),
            ),
            (
                &["average gap in percent on Fridays", "средний гэп в процентах по пятницам"],
                json!({"from": "daily", "map": {"gap_pct": "gap_pct()"},
                       "where": "dayname() == \"Fri\"", "select": "mean(gap_pct)"}),
            ),
            (
                &["average daily volume", "средний дневной объём"],
                json!({"from": "daily", "select": "mean(volume)"}),
            ),
            (
                &["median gap where gap between 10 and 50", "медиана гэпа, где гэп от 10 до 50"],
                json!({"from": "daily", "map": {"gap": "gap()"},
                       "where": "gap >= 10 and gap <= 50", "select": "median(gap)"}),
            ),
            (
                &["average gap up", "средний гэп вверх"],
                json!({"from": "daily", "map": {"gap": "gap()"}, "where": "gap > 0", "select": "mean(gap)"}),
            ),
            (
                &["correlation between volume and range", "корреляция объёма и диапазона"],
                json!({"from": "daily", "map": {"range": "range()"},
                       "select": {"correlation": "correlation(volume, range)"}}),
            ),
        ],
    );
}

#[test]
fn counts() {
    all_mean(
        &bars(),
        &[
            (&["how many rows", "сколько строк", "number of rows?"], json!({"select": "count()"})),
            (
                &[
                    "how many days did the market fall more than 2%",
                    "how many days the market fell by more than 2 percent",
                    "number of days when the market dropped more than 2%",
                    "count days when close fell more than 2%",
                    "how many days was the market down more than 2%",
                    "сколько дней рынок упал больше чем на 2%",
                    "Сколько дней рынок падал более чем на 2 процента?",
                    "количество дней, когда рынок снизился больше, чем на 2%",
                ],
                json!({"from": "daily", "map": {"change_pct": "change_pct()"},
                       "where": "change_pct < -2", "select": "count()"}),
            ),
            (
                &[
                    "how many days did it rise at least 1.5%",
                    "сколько дней рынок рос не менее чем на 1,5%",
                ],
                json!({"from": "daily", "map": {"change_pct": "change_pct()"},
                       "where": "change_pct >= 1.5", "select": "count()"}),
            ),
            (
                &[
                    "how many days did the market fall",
                    "сколько дней рынок падал",
                    "how many down days",
                ],
                json!({"from": "daily", "map": {"change": "change()"},
                       "where": "change < 0", "select": "count()"}),
            ),
            (
                &[
                    "how many days fell by 50 points or more",
                    "сколько дней упали на 50 пунктов и более",
                ],
                json!({"from": "daily", "map": {"change": "change()"},
                       "where": "change <= -50", "select": "count()"}),
            ),
            (
                &["how many green days in 2023", "сколько зелёных дней в 2023"],
                json!({"period": "2023", "from": "daily", "where": "green()", "select": "count()"}),
            ),
            (
                &[
                    "how many days closed above the open",
                    "how many days close > open",
                    "сколько дней закрытие выше открытия",
                ],
                json!({"from": "daily", "where": "close > open", "select": "count()"}),
            ),
            (
                &[
                    "how many days did it fall less than 1%",
                    "сколько дней рынок упал меньше чем на 1%",
                ],
                json!({"from": "daily", "map": {"change_pct": "change_pct()"},
                       "where": "change_pct < 0 and change_pct > -1", "select": "count()"}),
            ),
            (
                &[
                    "share of days when gap is above 20",
                    "what percentage of days had a gap above 20",
                    "доля дней с гэпом больше 20",
                ],
                json!({"from": "daily", "map": {"gap": "gap()"},
                       "select": {"share_pct": "pct(gap > 20)"}}),
            ),
            (
                &[
                    "how many days by weekday did the market rise",
                    "сколько дней рынок вырос по дням недели",
                ],
                json!({"from": "daily", "map": {"dow": "dayname()", "change": "change()"},
                       "where": "change > 0", "group_by": "dow", "select": "count()"}),
            ),
        ],
    );
}

#[test]
fn rankings() {
    all_mean(
        &bars(),
        &[
            (
                &[
                    "top 10 days by volume",
                    "10 largest days by volume",
                    "топ 10 дней по объёму",
                    "ten highest days by volume",
                ],
                json!({"from": "daily", "sort": "volume desc", "limit": 10}),
            ),
            (
                &[
                    "top 5 days by range",
                    "топ-5 дней по диапазону",
                    "5 days with the largest range",
                ],
                json!({"from": "daily", "map": {"range": "range()"}, "sort": "range desc", "limit": 5}),
            ),
            (
                &["bottom 3 days by change in percent", "худшие 3 дня по изменению в процентах"],
                json!({"from": "daily", "map": {"change_pct": "change_pct()"},
                       "sort": "change_pct asc", "limit": 3}),
            ),
            (
                &[
                    "which weekday has the highest average gap",
                    "weekday with the highest average gap",
                    "в какой день недели самый высокий средний гэп",
                ],
                json!({"from": "daily", "map": {"gap": "gap()", "dow": "dayname()"},
                       "group_by": "dow", "select": "mean(gap)", "sort": "mean_gap desc", "limit": 1}),
            ),
            (
                &["when was the largest gap", "когда был самый большой гэп"],
                json!({"from": "daily", "map": {"gap": "gap()"}, "sort": "gap desc", "limit": 1}),
            ),
            (
                &[
                    "which day had the largest range",
                    "day with the highest range",
                    "день с наибольшим диапазоном",
                ],
                json!({"from": "daily", "map": {"range": "range()"}, "sort": "range desc", "limit": 1}),
            ),
            (
                &["top 3 hours by average volume", "топ-3 часа по среднему объёму"],
                json!({"map": {"hour": "hour()"}, "group_by": "hour", "select": "mean(volume)",
                       "sort": "mean_volume desc", "limit": 3}),
            ),
            (
                &[
                    "days when gap is above 50",
                    "list the days with gap above 50",
                    "покажи дни с гэпом больше 50",
                ],
                json!({"from": "daily", "map": {"gap": "gap()"}, "where": "gap > 50"}),
            ),
        ],
    );
}

#[test]
fn daily_bars_are_named() {
    let plan = means(
        &bars(),
        "average gap",
        &json!({"from": "daily", "map": {"gap": "gap()"}, "select": "mean(gap)"}),
    );
    // said once
    assert_eq!(plan.notes, []);
    assert_eq!(plan.explanation, "mean of gap, on daily bars");
}

#[test]
fn the_query_itself_is_plain() {
    let plan = plan("average gap by weekday where gap is above 50", &[bars()], &Context::default());
    assert_eq!(
        plan.query.map(|q| q.to_json()),
        Some(json!({"from": "daily", "map": {"gap": "gap()", "dow": "dayname()"},
                    "where": "gap > 50", "group_by": "dow", "select": "mean(gap)"}))
    );
    assert_eq!(plan.explanation, "mean of gap, by weekday, where gap > 50, on daily bars");
}

#[test]
fn what_traders_say() {
    let after = json!({"from": "daily",
        "map": {"change": "change()", "change_pct": "change_pct()",
                "previous_change_pct": "prev(change_pct)"},
        "where": "previous_change_pct < -2", "select": "mean(change)"});
    let chance = json!({"from": "daily", "map": {"gap": "gap()"}, "where": "gap > 0",
                        "select": {"share_pct": "pct(green())"}});
    let wick = json!({"from": "1h", "map": {"upper_wick": "upper_wick()"},
                      "select": "mean(upper_wick)"});
    let together = json!({"from": "daily", "map": {"range": "range()"},
                          "select": {"correlation": "correlation(range, volume)"}});
    all_mean(
        &bars(),
        &[
            (
                &[
                    "average change the day after a fall of more than 2%",
                    "среднее изменение на следующий день после падения больше 2%",
                    "mean change on the next day after it tumbled by over 2 percent",
                ],
                after,
            ),
            (
                &[
                    "probability of a green day after a gap up",
                    "вероятность зелёного дня при гэпе вверх",
                    "how likely is a green day if it gaps up",
                    "с какой вероятностью после гэпа вверх день зелёный",
                ],
                chance,
            ),
            (
                &[
                    "с какой вероятностью после красного дня идёт зелёный",
                    "probability of a green day the day after a red day",
                ],
                json!({"from": "daily", "map": {"previous_red": "prev(red())"},
                       "where": "previous_red", "select": {"share_pct": "pct(green())"}}),
            ),
            (
                &["average upper wick of hourly candles", "средняя верхняя тень часовых свечей"],
                wick,
            ),
            (
                &[
                    "does the daily range depend on volume",
                    "daily range vs volume, correlation",
                    "the wider the daily range, the higher the volume",
                    "зависит ли дневной диапазон от объёма",
                ],
                together,
            ),
        ],
    );
}

#[test]
fn what_follows_is_not_guessed() {
    for question in ["what happens after a gap up", "days after a big fall", "volume rose by 10%"] {
        let plan = plan(question, &[bars()], &Context::default());
        assert_ne!(plan.status, Status::Ready, "{question}: {:?}", plan.query);
    }
}

#[test]
fn the_price_of_a_day_and_of_now() {
    let day = |aggregate: &str| json!({"period": "2023-03-06", "select": aggregate});
    for (question, wanted) in [
        ("close on 2023-03-06", day("last(close)")),
        ("what was the closing price on 6 March 2023?", day("last(close)")),
        ("цена закрытия 6 марта 2023", day("last(close)")),
        ("opening price on 2023-03-06", day("first(open)")),
        ("what is the price now", json!({"select": "last(close)"})),
        ("текущая цена?", json!({"select": "last(close)"})),
    ] {
        means(&bars(), question, &wanted);
    }
    // of more days than one it is no first or last
    for question in ["close in March 2023", "close from 2023-03-06 to 2023-03-10"] {
        let plan = plan(question, &[bars()], &Context::default());
        let last = |text: &str| text.starts_with("last(") || text.starts_with("first(");
        assert!(!plan.query.is_some_and(|q| q.select.iter().any(|s| last(&s.text))), "{question}");
    }
}

#[test]
fn the_deepest_fall_is_the_lowest_change() {
    for question in ["максимальное падение за день", "max drop", "maximum daily fall"]
    {
        let plan = plan(question, &[bars()], &Context::default());
        let first =
            plan.readings.first().map(|r| &r.query).or(plan.query.as_ref()).expect(question);
        let lowest = first.sort == ["change_pct asc"]
            || first.sort == ["change_pct"]
            || first.select.iter().any(|s| s.text == "min(change_pct)");
        assert!(lowest, "{question}: {first:?}");
    }
}

#[test]
fn what_is_profitable_is_what_returns_most_on_average() {
    let by = |sort: &str| {
        json!({
            "from": "daily",
            "map": {"change_pct": "change_pct()", "dow": "dayname()"},
            "group_by": "dow",
            "select": "mean(change_pct)",
            "sort": format!("mean_change_pct {sort}"),
            "limit": 1,
        })
    };
    for question in [
        "which weekday is the most profitable",
        "most profitable day of the week",
        "какой день недели самый прибыльный",
    ] {
        means(&bars(), question, &by("desc"));
    }
    means(&bars(), "least profitable weekday", &by("asc"));
    means(
        &bars(),
        "в какой час торгуют больше всего",
        &json!({
            "map": {"hour": "hour()"},
            "group_by": "hour",
            "select": "mean(volume)",
            "sort": "mean_volume desc",
            "limit": 1,
        }),
    );
}

#[test]
fn what_a_price_changed_by_is_from_its_first_to_its_last() {
    let select = json!({
        "first_open": "first(open)",
        "last_close": "last(close)",
        "change_pct": "(last(close) / first(open) - 1) * 100",
    });
    let whole = json!({"select": select});
    means(&bars(), "how much did the price change from the first to the last day?", &whole);
    let plan = plan("how much did volume grow in 2024", &[bars()], &Context::default());
    let got = plan.query.expect("a query").to_json();
    assert_eq!((&got["period"], &got["select"]), (&json!("2023:2024"), &json!("sum(volume)")));
    let traded = json!({"map": {"year": "year()"}, "group_by": "year", "select": "sum(volume)"});
    means(&bars(), "how much was traded per year", &traded);
    let range = json!({"from": "daily", "map": {"range": "range()"}, "select": "mean(range)"});
    means(&bars(), "average difference between high and low", &range);
}
