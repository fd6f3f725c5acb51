//! Queries in plain words: what is said of each, in both languages.

use super::frame::futures;
use super::{bars, flights, plain, right};
use crate::error::Locale;
use crate::query::check::{CheckedQuery, Timeframe};
use crate::query::explain::{explain, sentences};
use crate::query::format;
use crate::query::functions::{self, Stand, Takes};
use crate::schema::TableSchema;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Columns that a field uses are named in a sentence about it; every field there is has one.
pub(super) fn tells_everything(checked: &CheckedQuery) {
    for locale in [Locale::En, Locale::Ru] {
        let all = sentences(checked, locale);
        for (number, step) in checked.steps().enumerate() {
            let told: Vec<_> = all.iter().filter(|s| s.step == number).collect();
            let says = |field: &str, column: &str| {
                told.iter().any(|s| s.field == field && s.text.contains(&format::name(column)))
            };
            let own = |list| if step.aggregates() { list } else { &[][..] };
            let parts = [
                ("map", step.map()),
                ("where", step.filter().map(std::slice::from_ref).unwrap_or_default()),
                ("group_by", own(step.keys())),
                ("select", own(step.measures())),
                ("columns", step.columns().unwrap_or_default()),
            ];
            let frame = checked.frame();
            let frame = [
                ("from", frame.from().map(|_| format::name(&checked.schema().name))),
                ("session", frame.session().map(|s| s.name.clone())),
                ("period", frame.period().map(|p| p.text().to_owned())),
                ("lookback", (frame.period().is_some() && !frame.lookback()).then(String::new)),
            ];
            for (field, word) in frame {
                let of_field: Vec<_> = told.iter().filter(|s| s.field == field).collect();
                let wanted = usize::from(number == 0 && word.is_some());
                assert_eq!(of_field.len(), wanted, "{field}: {told:?}");
                let word = word.unwrap_or_default();
                assert!(of_field.iter().all(|s| s.text.contains(&word)), "{word}: {told:?}");
            }
            for (field, list) in parts {
                let there = told.iter().any(|s| s.field == field);
                assert_eq!(there, !list.is_empty(), "{field}: {told:?}");
                for column in list.iter().flat_map(|named| named.expr.columns()) {
                    assert!(says(field, column), "{column} of {field}: {told:?}");
                }
            }
            for column in step.sort().iter().flat_map(|key| key.expr.columns()) {
                assert!(says("sort", column), "{column} of sort: {told:?}");
            }
            assert_eq!(told.iter().any(|s| s.field == "limit"), step.limit().is_some());
        }
        for sentence in all {
            let text = sentence.text;
            assert!(text.ends_with('.') && text.chars().next().is_some_and(char::is_uppercase));
            assert!(!text.contains("{}") && !text.contains("  "), "{text}");
        }
    }
}

fn check(query: &str, table: Arc<TableSchema>, en: &str, ru: &str) {
    let checked = right(query, table);
    assert_eq!(explain(&checked, Locale::En), en, "{query}");
    assert_eq!(explain(&checked, Locale::Ru), ru, "{query}");
    tells_everything(&checked);
}

#[test]
fn steps() {
    for (query, en, ru) in [
        (
            r#"{"from": "daily", "map": {"gap": "gap()", "dow": "dayname()"}, "where": "gap > 50", "group_by": "dow", "select": "mean(gap), count()", "sort": "mean_gap desc", "limit": 3}"#,
            "Take daily bars of bars. Add column gap: Open − previous Close [USD]. Add column dow: weekday of time. Keep rows where gap is above 50 USD. Group by dow. For each group compute mean of gap [USD], number of rows. Sort by mean_gap, largest first. Keep the first 3 groups.",
            "Взять дневные бары таблицы bars. Добавить столбец gap: Open − предыдущее Close [USD]. Добавить столбец dow: день недели по time. Оставить строки, где gap больше 50 USD. Сгруппировать по dow. Для каждой группы вычислить: среднее gap [USD], число строк. Упорядочить по mean_gap по убыванию. Оставить первые группы, не больше 3.",
        ),
        (
            r#"{"select": {"n": "count()", "up": "pct(Close > Open)"}}"#,
            "Take the rows of bars. Compute number of rows as n, share of rows where (Close is above Open) [%] as up.",
            "Взять строки таблицы bars. Вычислить: число строк под именем n, доля строк, где (Close больше Open) [%] под именем up.",
        ),
        (
            r#"{"map": {"Close": "Close * 2", "up": "green()", "x": "prev(Close, 3) - rolling_mean(Close, 21)"}, "columns": ["time", "x", "Open * 2"], "limit": 1, "sort": ["time desc", "abs(x)", "symbol desc"]}"#,
            "Take the rows of bars. Replace column Close: Close × 2. Add column up: whether Close is above Open. Add column x: (Close from 3 rows before) − (mean of Close over 21 rows). Sort by time, latest first, then by (absolute value of x), then by symbol in reverse order. Keep the first row. Show time, x, Open × 2.",
            "Взять строки таблицы bars. Заменить столбец Close: Close × 2. Добавить столбец up: верно ли, что Close больше Open. Добавить столбец x: (Close за 3 строки до этой) − (среднее Close за 21 строку). Упорядочить по time, сначала поздние, затем по (модуль x), затем по symbol в обратном порядке. Оставить первую строку. Показать: time, x, Open × 2.",
        ),
        (
            r#"{"group_by": ["dayname()", "symbol"], "sort": "dayname()", "limit": 1}"#,
            "Take the rows of bars. Group by weekday of time, symbol. For each group compute number of rows. Sort by `dayname()`. Keep the first group.",
            "Взять строки таблицы bars. Сгруппировать по значениям: день недели по time, symbol. Для каждой группы вычислить: число строк. Упорядочить по `dayname()`. Оставить первую группу.",
        ),
        (
            r#"{"group_by": "symbol", "select": "sum(Close - Open) / count()", "columns": ["symbol"]}"#,
            "Take the rows of bars. Group by symbol. For each group compute (sum of (Close − Open)) / (number of rows). Show symbol.",
            "Взять строки таблицы bars. Сгруппировать по symbol. Для каждой группы вычислить: (сумма (Close − Open)) / (число строк). Показать: symbol.",
        ),
    ] {
        check(query, bars(), en, ru);
    }
    check(
        r#"{"map": {"z": "Close / mean(Close)"}, "where": "Volume > max(Volume) / 2", "group_by": "symbol",
            "select": {"m": "max(z)"}, "steps": [{"where": "m > mean(m)", "limit": 2}, {"select": "mean(m)"}]}"#,
        bars(),
        "Take the rows of bars. Add column z: Close / (mean of Close over all rows of the same symbol). \
         Keep rows where Volume is above (maximum of Volume over all rows of the same symbol) / 2. \
         Group by symbol. For each group compute maximum of z as m. Go on with that result. \
         Keep groups where m is above mean of m over all rows of the same symbol. \
         Keep the first 2 groups. Go on with that result. Compute mean of m.",
        "Взять строки таблицы bars. Добавить столбец z: Close / (среднее Close по всем строкам того же symbol). \
         Оставить строки, где Volume больше, чем (максимум Volume по всем строкам того же symbol) / 2. \
         Сгруппировать по symbol. Для каждой группы вычислить: максимум z под именем m. \
         Дальше — с этим результатом. \
         Оставить группы, где m больше, чем среднее m по всем строкам того же symbol. \
         Оставить первые группы, не больше 2. Дальше — с этим результатом. Вычислить: среднее m.",
    );
    check("{}", plain(), "Take the rows of plain.", "Взять строки таблицы plain.");
}

#[test]
fn months_of_several_years_are_said_to_be_together() {
    let together = |query: &str| {
        let checked = right(query, bars());
        let (en, ru) = (explain(&checked, Locale::En), explain(&checked, Locale::Ru));
        assert_eq!(en.contains("all years together"), ru.contains("все годы вместе"), "{query}");
        en.contains("all years together")
    };
    for query in [
        r#"{"group_by": "monthname()"}"#,
        r#"{"map": {"q": "quarter()"}, "group_by": ["symbol", "q"]}"#,
        r#"{"period": "2023:2024", "group_by": "week()"}"#,
        r#"{"where": "month() > 3", "group_by": "month()"}"#,
    ] {
        assert!(together(query), "{query}");
    }
    for query in [
        r#"{"group_by": "symbol"}"#,
        r#"{"group_by": ["year()", "month()"]}"#,
        r#"{"map": {"y": "year()"}, "group_by": ["monthname()", "y"]}"#,
        r#"{"period": "2024", "group_by": "monthname()"}"#,
        r#"{"period": "2024-03:2024-08", "group_by": "monthname()"}"#,
        r#"{"where": "year() == 2024", "group_by": "monthname()"}"#,
        r#"{"group_by": "dayname()"}"#,
    ] {
        assert!(!together(query), "{query}");
    }
}

#[test]
fn frames() {
    for (query, en, ru) in [
        (
            r#"{"session": "rth", "period": "2024-02", "lookback": false, "from": "4h"}"#,
            "Take 4-hour bars of bars. Days are trading days, which begin at 18:00 of the day before. Use only the times of session RTH. Keep the period 2024-02. Windows start empty at its first row.",
            "Взять 4-часовые бары таблицы bars. Дни торговые: начинаются в 18:00 накануне. Учитывать только время сессии RTH. Оставить период 2024-02. Окна начинаются пустыми с его первой строки.",
        ),
        (
            r#"{"session": "Overnight", "select": "count()"}"#,
            "Take the rows of bars. Use only the times of session OVERNIGHT. Compute number of rows.",
            "Взять строки таблицы bars. Учитывать только время сессии OVERNIGHT. Вычислить: число строк.",
        ),
        (
            r#"{"period": "2024-01-11:", "from": "weekly", "map": {"g": "gap()"}, "steps": [{"limit": 2}]}"#,
            "Take weekly bars of bars. Days are trading days, which begin at 18:00 of the day before. Keep the period 2024-01-11:. Add column g: Open − previous Close [USD]. Go on with that result. Keep the first 2 rows.",
            "Взять недельные бары таблицы bars. Дни торговые: начинаются в 18:00 накануне. Оставить период 2024-01-11:. Добавить столбец g: Open − предыдущее Close [USD]. Дальше — с этим результатом. Оставить первые строки, не больше 2.",
        ),
        (
            r#"{"period": "last_week", "lookback": false, "where": "Close > 1"}"#,
            "Take the rows of bars. Days are trading days, which begin at 18:00 of the day before. Keep the last week (last_week). Windows start empty at its first row. Keep rows where Close is above 1 USD.",
            "Взять строки таблицы bars. Дни торговые: начинаются в 18:00 накануне. Оставить последнюю неделю (last_week). Окна начинаются пустыми с его первой строки. Оставить строки, где Close больше 1 USD.",
        ),
        (
            r#"{"lookback": false, "limit": 1}"#,
            "Take the rows of bars. Keep the first row.",
            "Взять строки таблицы bars. Оставить первую строку.",
        ),
    ] {
        check(query, futures(), en, ru);
    }
    for locale in [Locale::En, Locale::Ru] {
        let told = Timeframe::ALL.iter().map(|timeframe| {
            let query = format!(r#"{{"from": "{}"}}"#, timeframe.name());
            explain(&right(&query, futures()), locale)
        });
        let different: BTreeSet<String> = told.collect();
        assert_eq!(different.len(), Timeframe::ALL.len(), "{different:?}");
    }
}

#[test]
fn conditions() {
    for (condition, en, ru) in [
        ("delay > 5", "delay is above 5 min", "delay больше 5 min"),
        ("5 < delay", "delay is above 5 min", "delay больше 5 min"),
        (
            "1 < delay <= 3",
            "delay is above 1 min and is at most 3 min",
            "delay больше 1 min и не больше 3 min",
        ),
        (
            "delay == 5 or delay != 6",
            "delay equals 5 min or is not 6 min",
            "delay = 5 min или ≠ 6 min",
        ),
        ("carrier == 'AA'", "carrier is \"AA\"", "carrier = \"AA\""),
        (
            "carrier in ['AA', 'BB']",
            "carrier is one of (\"AA\", \"BB\")",
            "carrier входит в (\"AA\", \"BB\")",
        ),
        ("carrier not in ['AA']", "carrier is not \"AA\"", "carrier ≠ \"AA\""),
        (
            "not carrier in ['AA', 'BB']",
            "carrier is none of (\"AA\", \"BB\")",
            "carrier не входит в (\"AA\", \"BB\")",
        ),
        ("cancelled", "cancelled is true", "cancelled = истина"),
        ("not cancelled", "cancelled is false", "cancelled = ложь"),
        ("cancelled == true", "cancelled is true", "cancelled = истина"),
        (
            "not (cancelled and delay > 1)",
            "not (cancelled is true and delay is above 1 min)",
            "неверно, что (cancelled = истина и delay больше 1 min)",
        ),
        (
            "isnull(delay) or not isnull(distance)",
            "delay is missing or distance is not missing",
            "delay пусто или distance не пусто",
        ),
        (
            "contains(carrier, 'A') and not starts_with(carrier, 'B')",
            "carrier contains \"A\" and carrier does not start with \"B\"",
            "carrier содержит \"A\" и carrier не начинается с \"B\"",
        ),
        (
            "day >= '2024-01-01' and day < '2024-02-01'",
            "day is on or after 2024-01-01 and is before 2024-02-01",
            "day не раньше 2024-01-01 и раньше 2024-02-01",
        ),
        (
            "departed > '2024-01-01 09:30'",
            "departed is after 2024-01-01 09:30",
            "departed позже 2024-01-01 09:30",
        ),
        (
            "departed <= '2024-01-01'",
            "departed is at or before 2024-01-01 00:00",
            "departed не позже 2024-01-01 00:00",
        ),
        ("dayname() == 'Fri'", "weekday of day is Fri", "день недели по day = Fri"),
        (
            "dayname() in ['Mon', 'Fri']",
            "weekday of day is one of (Mon, Fri)",
            "день недели по day входит в (Mon, Fri)",
        ),
        (
            "delay in [1, 2.5]",
            "delay equals 1 min or equals 2.5 min",
            "delay = 1 min или = 2.5 min",
        ),
        (
            "delay > `air time` * 2 - 1",
            "delay is above `air time` × 2 − 1",
            "delay больше, чем `air time` × 2 − 1",
        ),
        (
            "delay * (distance + 1) / 2 > -5",
            "delay × (distance + 1) / 2 is above -5",
            "delay × (distance + 1) / 2 больше -5",
        ),
        (
            "delay - (distance - 1) > 0",
            "delay − (distance − 1) is above 0",
            "delay − (distance − 1) больше 0",
        ),
        ("-delay > 1", "−delay is above 1 min", "−delay больше 1 min"),
        ("delay - -5 > 0", "delay − (-5) is above 0 min", "delay − (-5) больше 0 min"),
        (
            "delay // 5 == 2",
            "(delay / 5) rounded down equals 2",
            "(delay / 5) с округлением вниз = 2",
        ),
        ("delay % 5 == 2", "remainder of delay / 5 equals 2", "остаток от delay / 5 = 2"),
        ("delay ** 2 > 4", "delay to the power 2 is above 4", "delay в степени 2 больше 4"),
        (
            "(delay > 1 or delay < 0) and cancelled",
            "(delay is above 1 min or is below 0 min) and cancelled is true",
            "(delay больше 1 min или меньше 0 min) и cancelled = истина",
        ),
        ("load_pct >= 15", "load_pct is at least 15%", "load_pct не меньше 15%"),
        (
            "if(cancelled, 1, delay) > 5",
            "(1 where cancelled is true, otherwise delay) is above 5 min",
            "(1, если cancelled = истина, иначе delay) больше 5 min",
        ),
        (
            "abs(delay - prev(delay)) > rolling_mean(delay, 5)",
            "absolute value of (delay − previous delay) is above mean of delay over 5 rows",
            "модуль (delay − предыдущее delay) больше, чем среднее delay за 5 строк",
        ),
        (
            "max_of(delay, distance) > 5",
            "largest of (delay, distance) is above 5",
            "наибольшее из (delay, distance) больше 5",
        ),
        (
            "coalesce(delay, 0) == 0",
            "first of (delay, 0) that is not missing equals 0 min",
            "первое непустое из (delay, 0) = 0 min",
        ),
        (
            "round(distance, 1) > 5 and round(distance) > 5 and round(distance, -2) > 5",
            "distance rounded to 1 decimal is above 5 km and distance rounded to whole numbers is above 5 km and round(distance, -2) is above 5 km (round: rounded to n decimals, halves away from zero)",
            "distance с округлением до 1 знака больше 5 km и distance с округлением до целых больше 5 km и round(distance, -2) больше 5 km (round: округление до n знаков, половина от нуля)",
        ),
        ("carrier > 'AA'", "carrier > \"AA\"", "carrier > \"AA\""),
        (
            "lower(carrier) == 'aa'",
            "carrier in lower case is \"aa\"",
            "carrier строчными буквами = \"aa\"",
        ),
        ("true", "true", "истина"),
        (
            "(delay > 1) == cancelled",
            "(delay is above 1 min) is the same as cancelled",
            "(delay больше 1 min) = cancelled",
        ),
        ("length(carrier) > 2", "length of carrier is above 2", "длина carrier больше 2"),
        (
            "delay in [1,2,3,4,5,6,7,8,9,10,11,12,13,14]",
            "delay is one of (1 min, 2 min, 3 min, 4 min, 5 min, 6 min, 7 min, 8 min, 9 min, 10 min, 4 more)",
            "delay входит в (1 min, 2 min, 3 min, 4 min, 5 min, 6 min, 7 min, 8 min, 9 min, 10 min, ещё 4)",
        ),
        (
            "exp(delay) > 1 and exp(distance) > 1",
            "exp(delay) is above 1 and exp(distance) is above 1 (exp: e to the power x)",
            "exp(delay) больше 1 и exp(distance) больше 1 (exp: e в степени x)",
        ),
        (
            "year() == 2024 and month(booked) in [1, 2] and hour(departed) > 9",
            "year of day equals 2024 and month of booked is one of (1, 2) and hour of departed is above 9",
            "год по day = 2024 и месяц по booked входит в (1, 2) и час по departed больше 9",
        ),
        ("not delay > 5", "delay is at most 5 min", "delay не больше 5 min"),
        (
            "not (delay > 1 or distance > 1)",
            "not (delay is above 1 min or distance is above 1 km)",
            "неверно, что (delay больше 1 min или distance больше 1 km)",
        ),
        (
            "rolling_sum(delay, 22) > next(delay, 2)",
            "sum of delay over 22 rows is above delay from 2 rows after",
            "сумма delay за 22 строки больше, чем delay через 2 строки",
        ),
        (
            "min_of(delay, 1) * 2 > sqrt(distance) + sign(delay)",
            "(smallest of (delay, 1)) × 2 is above (square root of distance) + (sign of delay)",
            "(наименьшее из (delay, 1)) × 2 больше, чем (квадратный корень из distance) + (знак delay)",
        ),
        (
            "upper(trim(carrier)) != 'A'",
            "carrier without white space at its ends in upper case is not \"A\"",
            "(carrier без пробелов по краям) прописными буквами ≠ \"A\"",
        ),
        (
            "if(cancelled and delay > 1, null, delay) > 5",
            "(nothing where cancelled is true and delay is above 1 min, otherwise delay) is above 5 min",
            "(пусто, если cancelled = истина и delay больше 1 min, иначе delay) больше 5 min",
        ),
        (
            "ceil(distance) != floor(distance)",
            "distance rounded up is not distance rounded down",
            "distance с округлением вверх ≠ distance с округлением вниз",
        ),
        (
            "dayofweek(day) < 5 and quarter(day) == 1 and day(day) == 2 and minute(departed) == 3",
            "weekday of day from 0 for Monday is below 5 and quarter of day equals 1 and day of the month of day equals 2 and minute of departed equals 3",
            "день недели по day с 0 для понедельника меньше 5 и квартал по day = 1 и день месяца по day = 2 и минута по departed = 3",
        ),
        (
            "not cancelled == (delay > 1)",
            "cancelled differs from (delay is above 1 min)",
            "cancelled ≠ (delay больше 1 min)",
        ),
        ("not not cancelled", "cancelled is true", "cancelled = истина"),
    ] {
        let query = serde_json::json!({ "where": condition }).to_string();
        let en = format!("Take the rows of flights. Keep rows where {en}.");
        let ru = format!("Взять строки таблицы flights. Оставить строки, где {ru}.");
        check(&query, flights(), &en, &ru);
    }
}

/// Every function is told by words that name all its arguments, or by its call and its meaning.
#[test]
fn every_function() {
    let table = bars();
    for function in functions::all() {
        let column = |takes: Takes, i: usize| match takes {
            Takes::Any | Takes::Number => ["delta", "Volume", "Open", "Close"][i % 4].to_owned(),
            Takes::Bool => format!("{} > {i}", ["delta", "Volume", "Open", "Close"][i % 4]),
            Takes::Text => ["symbol", "note", "symbol"][i % 3].to_owned(),
            Takes::Time | Takes::Clock => "time".to_owned(),
            Takes::Int => "Volume".to_owned(),
            Takes::Pattern => "\"a.\"".to_owned(),
            Takes::IntConst(n) | Takes::IntRange(n, _) => n.max(2).to_string(),
            Takes::NumberConst | Takes::Fraction => "0.5".to_owned(),
        };
        let args: Vec<String> =
            function.params.iter().enumerate().map(|(i, p)| column(p.takes, i)).collect();
        let call = format!("{}({})", function.name, args.join(", "));
        let query = if function.stand == Stand::Aggregate {
            serde_json::json!({ "select": { "it": call } })
        } else {
            serde_json::json!({ "map": { "it": call } })
        };
        let checked = right(&query.to_string(), table.clone());
        tells_everything(&checked);
        for locale in [Locale::En, Locale::Ru] {
            let told = explain(&checked, locale);
            let by_call = format!(" {}(", function.name);
            let meaning = function.meaning(locale).split(';').next().unwrap_or_default();
            assert!(!told.contains(&by_call) || told.contains(meaning), "{told}");
        }
    }
}
