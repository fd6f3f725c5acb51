//! The fields of the first step: session, period, timeframe, look-back.

use super::{bars, flights, plain, right, run, shown};
use crate::error::Code;
use crate::query::check::{Dates, Role, Timeframe};
use crate::schema::{DAY, Kind, Market, TableSchema};
use crate::value::Value;
use chrono::NaiveDateTime;
use serde_json::json;
use std::sync::Arc;

fn at(text: &str) -> Value {
    Value::from_datetime(text.parse::<NaiveDateTime>().expect("a time"))
}

/// Minute bars of index futures, from Sunday evening to a Friday.
pub(super) fn futures() -> Arc<TableSchema> {
    let mut schema = (*bars()).clone();
    schema.market = Market::preset("futures-us-index").expect("a preset");
    schema.range = Some((at("2024-01-07T18:00:00"), at("2024-05-17T16:59:00")));
    Arc::new(schema)
}

fn check(query: &str, table: Arc<TableSchema>, code: Code, pointer: &str, fix: Option<&str>) {
    let problems = run(query, &[table]).expect_err(query);
    let found: Vec<_> =
        problems.iter().map(|d| (d.code, d.pointer.as_str(), d.fix.as_deref())).collect();
    assert_eq!(found, [(code, pointer, fix)], "{query}\n{}", shown(&problems));
}

#[test]
fn fields_are_read_and_printed_in_canonical_form() {
    let query = r#"{"lookback": false, "from": "4h", "period": " 2024-q1 : ", "session": "rth",
        "where": "hour() < 12"}"#;
    let checked = right(query, futures());
    let frame = checked.frame();
    assert_eq!(frame.session().map(|s| s.name.as_str()), Some("RTH"));
    assert_eq!(frame.from(), Some(Timeframe::Hour4));
    assert!(!frame.lookback());
    assert_eq!(
        checked.canonical(),
        &json!({"table": "bars", "session": "RTH", "period": "2024-Q1:", "from": "4h",
                "where": "hour() < 12", "lookback": false})
    );
    let again = right(&checked.canonical().to_string(), futures());
    assert_eq!(again, checked);
    // Without a period there is nothing to look back over.
    let all = right(r#"{"lookback": false}"#, futures());
    assert_eq!(all.canonical(), &json!({"table": "bars"}));
    assert!(right(r#"{"period": "2024"}"#, futures()).frame().lookback());
}

#[test]
fn sessions() {
    let unknown = Code::UnknownSession;
    check(r#"{"session": "OVERNIGT"}"#, futures(), unknown, "/session", Some("OVERNIGHT"));
    check(r#"{"session": "lunch"}"#, futures(), unknown, "/session", None);
    check(r#"{"session": "RTH"}"#, bars(), unknown, "/session", None);
    let problems = run(r#"{"session": "night"}"#, &[futures()]).expect_err("unknown");
    assert_eq!(problems[0].choices.len(), 9);
    assert!(problems[0].message.en.contains("`OVERNIGHT`"), "{}", problems[0].message);
    let mut daily = (*futures()).clone();
    daily.interval = Some(DAY);
    check(r#"{"session": "RTH"}"#, daily.into(), Code::NotIntraday, "/session", None);
    check(r#"{"session": "RTH"}"#, flights(), Code::NotIntraday, "/session", None);
    check(r#"{"session": "RTH"}"#, plain(), Code::NotIntraday, "/session", None);
}

#[test]
fn periods() {
    let day = |text: &str| match Value::from_date(text.parse().expect("a date")) {
        Value::Date(day) => Some(day),
        _ => None,
    };
    let dates = |text: &str| {
        let query = json!({ "period": text }).to_string();
        right(&query, futures()).frame().dates()
    };
    let between = |a, b| Some(Dates::Between(day(a), day(b)));
    assert_eq!(dates("2024-02"), between("2024-02-01", "2024-02-29"));
    // The trading date of the last bar is the day's, not the next.
    assert_eq!(dates("last_week"), between("2024-05-11", "2024-05-17"));
    assert_eq!(dates("last_3"), Some(Dates::Last(3)));
    check(r#"{"period": "2024-02-30"}"#, futures(), Code::BadPeriod, "/period", None);
    check(r#"{"period": "2024Q1"}"#, futures(), Code::BadPeriod, "/period", Some("2024-Q1"));
    check(r#"{"period": "2024"}"#, plain(), Code::NoTimeColumn, "/period", None);
    // What a bad period hides is looked at all the same.
    let both = run(r#"{"period": "x", "where": "nope > 1"}"#, &[futures()]).expect_err("two");
    assert_eq!(both.len(), 2, "{}", shown(&both));
}

#[test]
fn the_ends_of_the_data_are_told_where_they_cut_a_period() {
    let warned = |period: &str| -> Vec<String> {
        let checked = right(&json!({ "period": period }).to_string(), futures());
        checked.warnings().iter().map(|w| format!("{} {}", w.code, w.message.en)).collect()
    };
    for inside in ["2024-02", "2024-01:2024-04", "2024-01-02:2024-05-20", "last_year", "last_5"] {
        let expected: &[String] = if inside == "last_year" {
            &["period_clipped the data cover only a part of `last_year`: they go from 2024-01-08 to 2024-05-17".to_owned()]
        } else {
            &[]
        };
        assert_eq!(warned(inside), expected, "{inside}");
    }
    for outside in ["2023:2024-02", "2024", "2023-12-01:"] {
        assert_eq!(warned(outside).len(), 1, "{outside}");
        assert!(warned(outside)[0].starts_with("period_clipped"), "{outside}");
    }
    // A period without any data is what the run finds.
    assert_eq!(warned("2020"), [""; 0]);
    assert_eq!(warned("2025"), [""; 0]);
}

#[test]
fn a_period_without_rows_says_which_dates_there_are() {
    for (query, en, ru) in [
        (
            r#"{"period": "2020"}"#,
            "there are no rows in `2020`: the data go from 2024-01-08 to 2024-05-17",
            "в `2020` нет строк: данные идут с 2024-01-08 по 2024-05-17",
        ),
        (
            r#"{"period": "2024-01-09", "session": "rth"}"#,
            "there are no rows in `2024-01-09` in session `RTH` (09:30 to 17:00): the data go from 2024-01-08 to 2024-05-17",
            "в `2024-01-09` в сессии `RTH` (09:30–17:00) нет строк: данные идут с 2024-01-08 по 2024-05-17",
        ),
        (
            r#"{"period": "last_week", "from": "monthly"}"#,
            "no `monthly` bar starts in `last_week`, and a bar is of the period in which it starts: the data go from 2024-01-08 to 2024-05-17",
            "ни один бар `monthly` не начинается в `last_week`, а бар относится к периоду своего начала: данные идут с 2024-01-08 по 2024-05-17",
        ),
        (
            r#"{"period": "2020", "from": "monthly"}"#,
            "there are no rows in `2020`: the data go from 2024-01-08 to 2024-05-17",
            "в `2020` нет строк: данные идут с 2024-01-08 по 2024-05-17",
        ),
    ] {
        let warning = right(query, futures()).frame().empty(&futures()).expect(query);
        assert_eq!((warning.message.en.as_str(), warning.message.ru.as_str()), (en, ru));
    }
}

#[test]
fn timeframes() {
    for timeframe in Timeframe::ALL {
        let query = json!({"from": timeframe.name(), "columns": ["time", "Close", "delta"]});
        let checked = right(&query.to_string(), futures());
        let time = &checked.output()[0];
        let kind = if timeframe.is_intraday() { Kind::Timestamp } else { Kind::Date };
        assert_eq!((time.column.kind, &time.role), (kind, &Role::Time), "{timeframe:?}");
        assert_eq!(time.date_only, !timeframe.is_intraday(), "{timeframe:?}");
    }
    let spaced = |seconds: u64| {
        let mut schema = (*bars()).clone();
        schema.interval = Some(seconds);
        Arc::new(schema)
    };
    for (interval, fits, too_fine) in [
        (60, "1m", None),
        (300, "5m", Some("1m")),
        (3600, "1h", Some("30m")),
        (DAY, "daily", Some("4h")),
        (7 * DAY, "weekly", Some("daily")),
        (31 * DAY, "monthly", Some("weekly")),
        (91 * DAY, "quarterly", Some("monthly")),
        (365 * DAY, "yearly", Some("quarterly")),
    ] {
        right(&json!({ "from": fits }).to_string(), spaced(interval));
        if let Some(from) = too_fine {
            let query = json!({ "from": from }).to_string();
            check(&query, spaced(interval), Code::TimeframeTooFine, "/from", None);
        }
    }
    // Dates have no hours, however few of them there are.
    let mut dates = (*bars()).clone();
    dates.interval = None;
    dates.columns[0].kind = Kind::Date;
    check(r#"{"from": "1h"}"#, dates.into(), Code::TimeframeTooFine, "/from", None);
    check(r#"{"from": "60m"}"#, futures(), Code::UnknownTimeframe, "/from", Some("1h"));
    check(r#"{"from": "hourly"}"#, futures(), Code::UnknownTimeframe, "/from", Some("1h"));
    check(r#"{"from": "3h"}"#, futures(), Code::UnknownTimeframe, "/from", None);
}
