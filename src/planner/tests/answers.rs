//! Answers by template.

use super::*;
use crate::facts::Outcome;
use crate::planner::naming::is_code;
use crate::validate::Verdict;
use crate::value::{Rows, Table};
use chrono::NaiveDate;

/// A result of `query` with these rows, counts and rows before the limit.
pub(super) fn outcome(
    table: &Arc<TableSchema>,
    query: &Json,
    rows: Vec<Vec<Value>>,
    (matched, scanned): (u64, u64),
    before: Option<u64>,
) -> Outcome {
    let query = Query::from_json(query).expect("a query");
    let checked = Arc::new(check(&query, std::slice::from_ref(table)).expect("a right query"));
    let columns = checked.output().to_vec();
    let table = Table { columns: columns.iter().map(|c| c.column.clone()).collect(), rows };
    assert!(table.rows.iter().all(|r| r.len() == table.columns.len()), "{:?}", table.columns());
    Outcome {
        id: "r1".into(),
        query: checked,
        columns,
        rows: Arc::new(table),
        rows_scanned: scanned,
        rows_matched: matched,
        rows_before_limit: before,
        warnings: Vec::new(),
    }
}

/// The answer reads so, and its claims are exactly its numbers (`{}` marks them in `expected`).
fn check_answer(outcome: &Outcome, locale: Locale, expected: &str, numbers: &[&str]) {
    let marked = answer(outcome, locale);
    assert_eq!(marked.text, expected);
    let claimed: Vec<&str> =
        marked.claims.iter().map(|c| &marked.text[c.span.start..c.span.end]).collect();
    assert_eq!(claimed, numbers, "{}", marked.text);
    for claim in &marked.claims {
        assert_eq!(claim.verdict, Verdict::Verified);
        let fact = claim.fact.as_ref().expect("a fact");
        assert_eq!(fact.result, "r1");
        if let Some(row) = fact.row {
            let column = outcome.column(&fact.column).expect("a column");
            assert_eq!(outcome.value(row, column), fact.value);
        }
    }
    // no digit stands outside a claim
    let mut rest = marked.text.clone();
    for claim in marked.claims.iter().rev() {
        rest.replace_range(claim.span.start..claim.span.end, "");
    }
    assert!(!rest.chars().any(|c| c.is_ascii_digit()), "{rest}");
}

fn float(x: f64) -> Value {
    Value::Float(x)
}

#[test]
fn scalars_and_dicts() {
    let count = outcome(
        &bars(),
        &json!({"from": "daily", "where": "change_pct() < -2", "select": "count()"}),
        vec![vec![Value::Int(13)]],
        (13, 500),
        None,
    );
    check_answer(&count, Locale::En, "13 days match, of 500.", &["13", "500"]);
    check_answer(&count, Locale::Ru, "13 дней подходят, всего 500.", &["13", "500"]);
    let mean = outcome(
        &purchases(),
        &json!({"where": "shop == \"Kuper\"", "select": "mean(amount)"}),
        vec![vec![float(67.333_333)]],
        (80, 500),
        None,
    );
    check_answer(
        &mean,
        Locale::En,
        "Mean of amount: 67.33 (80 of 500 rows).",
        &["67.33", "80", "500"],
    );
    check_answer(
        &mean,
        Locale::Ru,
        "Среднее amount: 67,33 (80 из 500 строк).",
        &["67,33", "80", "500"],
    );
    for (scanned, noun) in [(343, "строк"), (344, "строк"), (341, "строки"), (311, "строк")]
    {
        let some = outcome(
            &purchases(),
            &json!({"where": "shop == \"Kuper\"", "select": "mean(amount)"}),
            vec![vec![float(2.0)]],
            (124, scanned),
            None,
        );
        let expected = format!("Среднее amount: 2 (124 из {scanned} {noun}).");
        check_answer(&some, Locale::Ru, &expected, &["2", "124", &scanned.to_string()]);
    }
    let both = outcome(
        &purchases(),
        &json!({"select": ["count()", "sum(amount)"]}),
        vec![vec![Value::Int(9000), float(1.5)]],
        (9000, 9000),
        None,
    );
    check_answer(
        &both,
        Locale::En,
        "Number of rows: 9,000; total of amount: 1.5 (9,000 rows).",
        &["9,000", "1.5", "9,000"],
    );
}

#[test]
fn long_numbers_are_in_groups() {
    let query = json!({"where": "shop == \"Kuper\"", "select": "sum(amount)"});
    let sum =
        |total: f64, counts| outcome(&purchases(), &query, vec![vec![float(total)]], counts, None);
    let some = sum(1_234_567.5, (9_999, 1_076_400));
    check_answer(
        &some,
        Locale::En,
        "Total of amount: 1,234,567.5 (9,999 of 1,076,400 rows).",
        &["1,234,567.5", "9,999", "1,076,400"],
    );
    check_answer(
        &some,
        Locale::Ru,
        "Сумма amount: 1\u{a0}234\u{a0}567,5 (9\u{a0}999 из 1\u{a0}076\u{a0}400 строк).",
        &["1\u{a0}234\u{a0}567,5", "9\u{a0}999", "1\u{a0}076\u{a0}400"],
    );
    let count = outcome(
        &purchases(),
        &json!({"where": "shop == \"Kuper\"", "select": "count()"}),
        vec![vec![Value::Int(-120_000)]],
        (120_000, 120_001),
        None,
    );
    assert!(answer(&count, Locale::En).text.starts_with("-120,000 rows"));
}

#[test]
fn years_and_numbers_of_things_have_no_groups() {
    let query = json!({"select": "max(volume)"});
    let most = outcome(&bars(), &query, vec![vec![Value::Int(2024)]], (500, 500), None);
    check_answer(&most, Locale::En, "Highest volume: 2,024 (500 rows).", &["2,024", "500"]);
    for (name, code) in [
        ("year", true),
        ("birth_year", true),
        ("customerId", true),
        ("customer_id", true),
        ("год", true),
        ("paid", false),
        ("yearly", false),
        ("amount", false),
    ] {
        assert_eq!(is_code(name), code, "{name}");
    }
}

fn weekdays(names: &[(&str, f64)]) -> Vec<Vec<Value>> {
    names.iter().map(|(n, x)| vec![Value::text(n), float(*x)]).collect()
}

#[test]
fn groups() {
    let query = json!({"from": "daily", "map": {"gap": "gap()", "dow": "dayname()"},
                       "where": "gap > 50", "group_by": "dow", "select": "mean(gap)"});
    let five = outcome(
        &bars(),
        &query,
        weekdays(&[("Mon", 78.0), ("Tue", 55.5), ("Fri", 45.0)]),
        (80, 500),
        None,
    );
    check_answer(
        &five,
        Locale::En,
        "Mean of gap by weekday, 3 groups: Monday – 78; Tuesday – 55.5; Friday – 45. Highest: Monday (78); lowest: Friday (45).",
        &["3", "78", "55.5", "45", "78", "45"],
    );
    check_answer(
        &five,
        Locale::Ru,
        "Среднее гэпа по дням недели, 3 группы: понедельник – 78; вторник – 55,5; пятница – 45. Больше всего: понедельник (78); меньше всего: пятница (45).",
        &["3", "78", "55,5", "45", "78", "45"],
    );
    let tie = outcome(
        &bars(),
        &query,
        weekdays(&[("Mon", 78.0), ("Tue", 78.0), ("Fri", 45.0)]),
        (80, 500),
        None,
    );
    assert!(answer(&tie, Locale::En).text.contains("Highest: Monday and Tuesday (78)"));
    let equal =
        outcome(&bars(), &query, weekdays(&[("Mon", 78.0), ("Tue", 78.0)]), (80, 500), None);
    assert!(answer(&equal, Locale::Ru).text.ends_with("Все группы равны."));
}

#[test]
fn many_groups_and_null_keys() {
    let query = json!({"group_by": "shop", "select": "sum(amount)"});
    let mut rows: Vec<Vec<Value>> =
        (0..8).map(|i| vec![Value::text(format!("S{}", "i".repeat(i))), float(i as f64)]).collect();
    rows.push(vec![Value::Null, float(1000.0)]);
    let many = outcome(&purchases(), &query, rows, (500, 500), None);
    check_answer(
        &many,
        Locale::En,
        "Total of amount by shop, 9 groups. Highest: Siiiiiii (7); lowest: S (0), the empty group aside.",
        &["9", "7", "0"],
    );
    let query =
        json!({"group_by": "shop", "select": "sum(amount)", "sort": "sum_amount desc", "limit": 1});
    let cut = outcome(
        &purchases(),
        &query,
        vec![vec![Value::text("Kuper"), float(9.0)]],
        (500, 500),
        Some(37),
    );
    check_answer(
        &cut,
        Locale::En,
        "Total of amount by shop, 1 of 37 groups: Kuper – 9.",
        &["1", "37", "9"],
    );
}

#[test]
fn the_ends_of_a_list_that_was_cut_are_no_ends_of_all() {
    let query =
        json!({"group_by": "shop", "select": "sum(amount)", "sort": "sum_amount", "limit": 3});
    let group = |i: usize| vec![Value::text(format!("S{}", "i".repeat(i))), float(i as f64)];
    let some =
        |n: usize| outcome(&purchases(), &query, (0..n).map(group).collect(), (9, 9), Some(40));
    check_answer(
        &some(3),
        Locale::En,
        "Total of amount by shop, 3 of 40 groups: S – 0; Si – 1; Sii – 2.",
        &["3", "40", "0", "1", "2"],
    );
    check_answer(
        &some(8),
        Locale::Ru,
        "Сумма amount по shop, 8 из 40 групп. Больше всего из них: Siiiiiii (7); меньше всего: S (0).",
        &["8", "40", "7", "0"],
    );
}

#[test]
fn parts_of_time_are_said_in_the_language_of_the_answer() {
    let schema = Arc::new(TableSchema {
        time: Some("дата".into()),
        ..TableSchema::new(
            "заказы",
            vec![Column::new("дата", Kind::Date), Column::new("сумма", Kind::Float)],
        )
    });
    for (part, call, by, behind) in [
        ("year", "year()", "годам", " год"),
        ("quarter", "quarter()", "кварталам", "-й квартал"),
        ("week", "week()", "неделям", "-я неделя"),
    ] {
        let query = json!({"map": {part: call}, "group_by": part, "select": "sum(сумма)"});
        let rows = vec![vec![Value::Int(3), float(5.0)], vec![Value::Int(4), float(7.0)]];
        let sums = outcome(&schema, &query, rows, (500, 500), None);
        let text = answer(&sums, Locale::Ru).text;
        assert!(text.contains(&format!("по {by}")), "{text}");
        assert!(text.contains(&format!("4{behind}")), "{text}");
        assert!(answer(&sums, Locale::En).text.contains(&format!("{part} 4")), "{text}");
    }
}

#[test]
fn a_correlation_is_of_two_columns() {
    let two = Arc::new(TableSchema::new(
        "t",
        vec![
            Column::new("shop", Kind::Text),
            Column::new("price", Kind::Float),
            Column::new("units", Kind::Float),
        ],
    ));
    let query = json!({"group_by": "shop", "select": "correlation(price, units)"});
    let rows = vec![vec![Value::text("A"), float(0.5)], vec![Value::text("B"), float(0.25)]];
    let both = outcome(&two, &query, rows, (9, 9), None);
    let text = answer(&both, Locale::En).text;
    assert!(text.starts_with("Correlation of price and units by shop"), "{text}");
    let text = answer(&both, Locale::Ru).text;
    assert!(text.starts_with("Корреляция price и units по shop"), "{text}");
}

#[test]
fn the_first_of_each_group_are_rows() {
    let shop = |name: &str, x: f64| vec![Value::text(name), float(x)];
    let schema = Arc::new(TableSchema::new(
        "заказы",
        vec![Column::new("Город", Kind::Text), Column::new("Сумма заказа", Kind::Float)],
    ));
    let query = json!({"sort": ["Город", "`Сумма заказа` desc"],
        "steps": [{"where": "streak(Город == prev(Город)) < 1"}]});
    let rows = vec![shop("Омск", 24_989.37), shop("Тверь", 7.0)];
    let two = outcome(&schema, &query, rows, (2, 500), None);
    check_answer(
        &two,
        Locale::Ru,
        "2 строки подходят, всего 500. Первая строка: Город Омск, Сумма заказа 24\u{a0}989,37; затем Тверь, 7.",
        &["2", "500", "24\u{a0}989,37", "7"],
    );
    let query = json!({"group_by": "Город", "select": "sum(`Сумма заказа`)"});
    let rows = vec![shop("Омск", 5.0), shop("Тверь", 5.0)];
    let sums = outcome(&schema, &query, rows, (500, 500), None);
    let text = answer(&sums, Locale::Ru).text;
    assert!(text.starts_with("Сумма «Сумма заказа» по городам"), "{text}");
}

#[test]
fn tables_and_empties() {
    let date = |text: &str| Value::from_date(text.parse().unwrap());
    let query = json!({"from": "daily", "map": {"gap": "gap()"}, "where": "gap > 50"});
    let mut row = vec![date("2024-09-03")];
    row.extend([1.0, 2.0, 3.0, 4.0].map(float));
    row.extend([Value::Int(5), float(61.25)]);
    let two = outcome(&bars(), &query, vec![row.clone(), row.clone()], (2, 500), None);
    check_answer(
        &two,
        Locale::En,
        "2 days match, of 500. First: timestamp 2024-09-03, gap 61.25.",
        &["2", "500", "2024-09-03", "61.25"],
    );
    let none = outcome(&bars(), &query, Vec::new(), (0, 500), None);
    check_answer(&none, Locale::En, "The filter matches nothing: 0 of 500 days.", &["0", "500"]);
    // nothing is left of the groups, though there are rows
    let groups = json!({"from": "daily", "map": {"dow": "dayname()"}, "group_by": "dow",
        "select": "mean(close)", "steps": [{"where": "mean_close > 1000000"}]});
    let none = outcome(&bars(), &groups, Vec::new(), (500, 500), None);
    let told = "No group meets the condition; rows that the groups are made of: 500.";
    check_answer(&none, Locale::En, told, &["500"]);
    // with dates as well: that there are no rows for them would be false
    let counted = json!({"from": "daily", "period": "2024", "map": {"dow": "dayname()"}, "group_by": "dow",
        "select": "count()", "steps": [{"where": "count > 1000000"}, {"select": "count()"}]});
    let none = outcome(&bars(), &counted, vec![vec![Value::Int(0)]], (0, 0), None);
    check_answer(&none, Locale::En, "0 groups.", &["0"]);
    let outside = outcome(
        &bars(),
        &json!({"where": "year() == 1999", "select": "max(close)"}),
        vec![vec![Value::Null]],
        (0, 1000),
        None,
    );
    check_answer(
        &outside,
        Locale::Ru,
        "Условию ничего не соответствует: 0 из 1\u{a0}000 строк. Данные есть с 2022-01-03 по 2024-12-30.",
        &["0", "1\u{a0}000", "2022-01-03", "2024-12-30"],
    );
}

#[test]
fn rows_without_a_value_are_told_where_others_are_asked_for() {
    let mut table = (*purchases()).clone();
    for column in table.columns.iter_mut().filter(|c| c.name == "shop" || c.name == "quantity") {
        column.nulls = Some(3);
    }
    let table = Arc::new(table);
    let says = |filter: &str, select: bool, locale| {
        let (query, row) = if select {
            (json!({"where": filter, "select": "count()"}), vec![Value::Int(80)])
        } else {
            let query = json!({"where": filter, "group_by": "category", "select": "sum(amount)"});
            (query, vec![Value::Text("food".into()), float(9.0)])
        };
        answer(&outcome(&table, &query, vec![row], (80, 500), None), locale).text
    };
    let left_out = "Rows with no value of shop are left out.";
    for filter in
        ["shop != \"Kuper\"", "shop not in (\"Kuper\", \"Lenta\")", "not contains(shop, \"K\")"]
    {
        for select in [true, false] {
            let text = says(filter, select, Locale::En);
            assert!(text.ends_with(left_out), "{filter}: {text}");
        }
    }
    let text = says("shop != \"Kuper\"", true, Locale::Ru);
    assert!(text.ends_with("Строки без значения в столбце «shop» не учтены."), "{text}");
    let text = says("shop != \"Kuper\" and quantity != 2", true, Locale::En);
    assert!(text.ends_with("Rows with no value of shop or quantity are left out."), "{text}");
    // a total is of what is known
    let query = json!({"group_by": "shop", "select": "sum(quantity)"});
    let row = vec![Value::Text("Kuper".into()), float(9.0)];
    let text = answer(&outcome(&table, &query, vec![row], (80, 500), None), Locale::En).text;
    assert!(text.ends_with("Rows with no value of quantity are left out."), "{text}");
    // and so they are of the share of rows of each group
    let query = json!({"group_by": "category", "select": {"share_pct": "pct(shop == \"Kuper\")"}});
    let row = vec![Value::Text("food".into()), float(9.0)];
    let of_groups = outcome(&table, &query, vec![row], (80, 500), None);
    let text = answer(&of_groups, Locale::En).text;
    assert!(text.ends_with(left_out), "{text}");
    for filter in [
        "shop == \"Kuper\"",
        "category != \"food\"",
        "not isnull(shop)",
        "shop != \"Kuper\" or isnull(shop)",
    ] {
        let text = says(filter, true, Locale::En);
        assert!(!text.contains("left out"), "{filter}: {text}");
    }
}

#[test]
fn rows_with_a_time_are_told_with_what_they_are_of() {
    let mut sensor = Column::new("sensor", Kind::Text);
    sensor.values = Some(["attic", "cellar"].map(str::to_owned).to_vec());
    let columns = vec![
        Column::new("note", Kind::Text),
        sensor,
        Column::new("time", Kind::Date),
        Column::new("temperature", Kind::Float),
    ];
    let mut schema = TableSchema::new("sensors", columns);
    schema.rows = 600;
    schema.time = Some("time".into());
    let text = |s: &str| Value::Text(s.into());
    let day = chrono::NaiveDate::from_ymd_opt(2024, 5, 7).unwrap();
    let row = vec![text("hot"), text("attic"), Value::from_date(day), float(38.9)];
    let query = json!({"sort": "temperature desc", "limit": 1});
    let outcome = outcome(&Arc::new(schema), &query, vec![row], (600, 600), Some(600));
    let told = answer(&outcome, Locale::En).text;
    assert!(told.contains("sensor attic") && told.contains("temperature 38.9"), "{told}");
}

#[test]
fn a_difference_of_two_groups_is_told_beside_the_second() {
    let query = json!({
        "group_by": "shop", "select": "mean(amount)",
        "steps": [{"map": {"difference": "mean_amount - prev(mean_amount)"}}]
    });
    let rows = vec![
        vec![Value::text("Kuper"), float(10.0), Value::Null],
        vec![Value::text("Lenta"), float(12.5), float(2.5)],
    ];
    let outcome = outcome(&purchases(), &query, rows, (9, 9), None);
    check_answer(
        &outcome,
        Locale::En,
        "Mean of amount by shop with the difference, 2 groups: Kuper – 10; Lenta – 12.5 (difference 2.5).",
        &["2", "10", "12.5", "2.5"],
    );
    check_answer(
        &outcome,
        Locale::Ru,
        "Среднее amount по shop с разницей, 2 группы: Kuper – 10; Lenta – 12,5 (разница 2,5).",
        &["2", "10", "12,5", "2,5"],
    );
}

#[test]
fn a_ratio_of_two_groups_is_told_beside_the_second() {
    let query = json!({
        "group_by": "shop", "select": "mean(amount)",
        "steps": [{"map": {"ratio": "mean_amount / prev(mean_amount)"}}]
    });
    let rows = vec![
        vec![Value::text("Kuper"), float(10.0), Value::Null],
        vec![Value::text("Lenta"), float(12.5), float(1.25)],
    ];
    let outcome = outcome(&purchases(), &query, rows, (9, 9), None);
    check_answer(
        &outcome,
        Locale::En,
        "Mean of amount by shop with the ratio, 2 groups: Kuper – 10; Lenta – 12.5 (ratio 1.25).",
        &["2", "10", "12.5", "1.25"],
    );
    check_answer(
        &outcome,
        Locale::Ru,
        "Среднее amount по shop с отношением, 2 группы: Kuper – 10; Lenta – 12,5 (отношение 1,25).",
        &["2", "10", "12,5", "1,25"],
    );
}

#[test]
fn the_second_of_an_order_is_none_of_two() {
    let query = json!({
        "sort": "amount desc", "limit": 2, "steps": [{"sort": "amount", "limit": 1}]
    });
    let row = vec![
        Value::text("Kuper"),
        Value::text("food"),
        Value::Date(19_000),
        float(12.5),
        Value::Int(1),
    ];
    let outcome = outcome(&purchases(), &query, vec![row], (9, 9), Some(2));
    let said = answer(&outcome, Locale::En).text;
    assert!(said.starts_with("1 row. First: "), "{said}");
}

#[test]
fn weeks_at_the_ends_of_a_year_are_said_to_stand_with_others() {
    let told = |table: &Arc<TableSchema>, query: &Json| {
        let rows = vec![vec![Value::Int(1), float(78.0)], vec![Value::Int(2), float(55.5)]];
        let made = outcome(table, query, rows, (500, 500), None);
        answer(&made, Locale::En).text.contains("ISO 8601")
    };
    let by_week = |period: &str| json!({"period": period, "map": {"week": "week()"}, "group_by": "week", "select": "mean(close)"});
    // 30 and 31 December 2024 are of the first week of 2025, which the days of June are not
    assert!(told(&bars(), &by_week("2024")));
    assert!(!told(&bars(), &by_week("2024-06")));
    // a table may number its weeks itself
    let mut own = Arc::unwrap_or_clone(bars());
    own.columns.push(Column::new("week", Kind::Int));
    assert!(!told(&Arc::new(own), &json!({"group_by": "week", "select": "mean(close)"})));
}

#[test]
fn years_and_quarters_that_the_data_cut_are_told() {
    let day = |y, m, d| {
        let days = NaiveDate::from_ymd_opt(y, m, d).expect("a date") - NaiveDate::default();
        Value::Date(i32::try_from(days.num_days()).expect("few days"))
    };
    let told = |first, last, key: &str, select: &str| {
        let mut table = Arc::unwrap_or_clone(purchases());
        table.range = Some((first, last));
        let keys = if key == "year" { json!("year") } else { json!([key, "year"]) };
        let query = json!({"map": {key: format!("{key}()"), "year": "year()"},
                           "group_by": keys, "select": select});
        let number = |n| if select == "count()" { Value::Int(n) } else { float(7.5) };
        let mut rows = vec![
            vec![Value::Int(1), Value::Int(2023), number(7)],
            vec![Value::Int(2), Value::Int(2024), number(5)],
        ];
        if key == "year" {
            rows = rows.into_iter().map(|mut row| row.split_off(1)).collect();
        }
        let made = outcome(&Arc::new(table), &query, rows, (500, 500), None);
        answer(&made, Locale::En).text
    };
    let (begin, end) = (day(2023, 1, 1), day(2024, 9, 26));
    for key in ["year", "quarter"] {
        let text = told(begin.clone(), end.clone(), key, "count()");
        assert!(
            text.ends_with(" The last one is not whole: the data ends on 2024-09-26."),
            "{text}"
        );
    }
    let text = told(day(2023, 2, 20), day(2024, 12, 30), "quarter", "count()");
    assert!(
        text.ends_with(" The first one is not whole: the data begins on 2023-02-20."),
        "{text}"
    );
    // May of the last year is whole
    let mut table = Arc::unwrap_or_clone(purchases());
    table.range = Some((begin.clone(), end.clone()));
    let query = json!({"map": {"year": "year()"}, "where": "month() == 5", "group_by": "year",
                       "select": "count()"});
    let rows = [2023, 2024].map(|year| vec![Value::Int(year), Value::Int(7)]).to_vec();
    let made = outcome(&Arc::new(table), &query, rows, (14, 500), None);
    assert!(!answer(&made, Locale::En).text.contains("not whole"));
    // a mean is none of fewer rows, and a year may end on a Friday
    assert!(!told(begin.clone(), end, "year", "mean(amount)").contains("not whole"));
    assert!(!told(begin, day(2024, 12, 30), "year", "count()").contains("not whole"));
}
